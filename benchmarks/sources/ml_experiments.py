"""Zeil's slides: what to measure, one data set, several classifiers, several data sets."""

from __future__ import annotations

import math
from itertools import count

import numpy as np
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar

from benchmarks.sources.many_datasets_checks import TABLE, TREE, WITH_M
from benchmarks.sources.row import Check, Document, Remark, Row
from skcompare.inference import anova_test, error_rate_test, kruskal_test, mcnemar_test, sign_test

# The slides have no data: 36 samples that one of two classifiers alone gets right, of 100.
RIGHT_A = np.repeat([True, True, False, False], [59, 25, 11, 5])
RIGHT_B = np.repeat([True, False, True, False], [59, 25, 11, 5])

BRACKETS = Remark(
    "In the slide's χ² of the squares within, the text has lost brackets: L, K − 1 must be L(K − 1), as its F has it.",
)
PAIRED = Remark(
    "The test takes the scores for independent samples and misses what the data sets have in common. Friedman's test "
    "of the same table [finds a difference](#article-on-demsar).",
)
CONSERVATIVE = Remark(
    "The slide's continuity correction makes the test reject too seldom; skcompare takes the mid-p value unless told "
    "otherwise.",
)


def fewest_samples() -> int:
    """Without an error, to call the error rate less than 2% at the level 5%."""
    return next(n for n in count(1) if error_rate_test(0, n, threshold=0.02).pvalue <= 0.05)


def three_on_five() -> tuple[float, ...]:
    scores = np.random.default_rng(0).normal(size=(5, 3))
    return anova_test(scores, repeated=False).df


ROWS = (
    Row(
        "Introduction",
        "1",
        "is the error rate less than 2%? Samples needed without an error",
        "error_rate_test",
        fewest_samples,
        check=Check("log .05 / log .98", lambda: math.ceil(math.log(0.05) / math.log(0.98))),
    ),
    Row(
        "Introduction",
        "1",
        "p-value of 3 errors in 500",
        "error_rate_test",
        lambda: error_rate_test(3, 500, threshold=0.02).pvalue,
        check=Check("scipy's binom", lambda: stats.binom.cdf(3, 500, 0.02)),
    ),
    Row(
        "McNemar's test",
        "4",
        "statistic and p-value of 25 against 11 errors",
        "mcnemar_test",
        lambda: [
            getattr(mcnemar_test(RIGHT_A, RIGHT_B, method="chi2_corrected"), name) for name in ("statistic", "pvalue")
        ],
        check=Check(
            "statsmodels' mcnemar",
            lambda: [getattr(mcnemar([[59, 25], [11, 5]], exact=False), name) for name in ("statistic", "pvalue")],
        ),
        remark=CONSERVATIVE,
    ),
    Row(
        "McNemar's test",
        "4",
        "its mid-p value",
        "mcnemar_test",
        lambda: mcnemar_test(RIGHT_A, RIGHT_B).pvalue,
        check=Check("scipy's binom", lambda: 2 * stats.binom.cdf(11, 36, 0.5) - stats.binom.pmf(11, 36, 0.5)),
        remark=CONSERVATIVE,
    ),
    Row(
        "Comparing L > 2 classifiers",
        "4",
        "L − 1 and L(K − 1) degrees of freedom of 3 classifiers on 5 folds",
        "anova_test",
        three_on_five,
        check=Check("by arithmetic", lambda: (3 - 1, 3 * (5 - 1))),
        remark=BRACKETS,
    ),
    Row(
        "Comparing over datasets",
        "5",
        "sign test of two classifiers of the [article](#article-on-demsar): wins, data sets without a tie, p-value",
        "sign_test",
        lambda: [getattr(sign_test(WITH_M, TREE), name) for name in ("wins", "n_used", "pvalue")],
        check=Check(
            "scipy's binomtest",
            lambda: (sum(WITH_M > TREE), sum(WITH_M != TREE), stats.binomtest(sum(WITH_M > TREE), 12).pvalue),
        ),
    ),
    Row(
        "Comparing over datasets",
        "5",
        "Kruskal-Wallis test of its four: H, p-value",
        "kruskal_test",
        lambda: [getattr(kruskal_test(TABLE), name) for name in ("statistic", "pvalue")],
        check=Check("scipy's kruskal", lambda: [*stats.kruskal(*TABLE.T)]),
        remark=PAIRED,
    ),
)

DOCUMENT = Document(
    "Zeil",
    "slides of a course",
    "Designing ML experiments",
    "Slides by S. J. Zeil, Old Dominion University, autumn 2010.",
    "The slides have questions and formulas and no data. The rows below are their questions with numbers put in, and "
    "their formulas on the tables of the other sections.",
    ROWS,
    (
        "k − 2 shared parts of two training sets: a count, which `test_fraction` hands to the tests.",
        "Rates of a confusion matrix: definitions, met by the ROC points of [CS 478](#cs-478).",
        "Response surfaces and designs: pictures, of which the text has nothing.",
    ),
)
