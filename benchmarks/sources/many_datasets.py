"""The article on Demsar (2006): two and more classifiers on many data sets."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

from benchmarks.sources import many_datasets_checks as others
from benchmarks.sources.course_slides import FIRST, SECOND, corrected
from benchmarks.sources.many_datasets_checks import TABLE, THREE, TREE, VOTING, WITH_M
from benchmarks.sources.many_datasets_pairs import POSTHOCS, TUKEY
from benchmarks.sources.row import Check, Document, Remark, Row
from skcompare.inference import (
    anova_test,
    corrected_t_test,
    correlated_t_posterior,
    friedman_test,
    signed_rank_test,
)

ZEROS = Remark(
    "scipy counts the two differences of 0 as a tie when it computes the variance of the rank sums, 253.5. Split in "
    'halves they cannot vary, which leaves 252.375. `scipy.stats.wilcoxon` with `zero_method="pratt"` gives the '
    "p-value of skcompare. On so few data sets skcompare takes the exact one anyway.",
    "the variance of the rank sums, given two differences of 0",
)
TIES = Remark(
    "Both are right: 10.952 allows for ties within a data set, as scipy does, and 9.857 does not, as Demsar's formula. "
    "skcompare allows for ties unless `tie_correction=False`.",
)
MISRANKED = Remark(
    "Demsar ranks the data set voting 4, 1, 2, 3, though the last two areas are equal as printed. With his ranks there "
    "skcompare gives the two figures of his section 3.2.2.",
)
BAYES = Remark(
    "The article has no numbers for its formula (1). These are of the five tests of [CS 478](#cs-478), with a fifth as "
    "test set; the Bayesian probability is half of the p-value.",
)


def rank_sum_of(i: int) -> float:
    """The rank of one difference: the rank sum when it alone is in favour, less the half of the ranks of zeros."""
    sizes = abs(WITH_M - TREE).round(6)
    zeros = signed_rank_test(sizes, 0 * sizes).rank_sum_b if sizes[i] else 0.0
    signs = np.where(np.arange(len(sizes)) == i, 1, -1)
    return signed_rank_test(signs * sizes, 0 * sizes).rank_sum_a - zeros


def of_friedman(line: str, what: str, printed: str, check: Check, remark: Remark | None = None, **options: Any) -> Row:
    def ours() -> tuple[float, float]:
        found = friedman_test(TABLE, **options)
        return found.statistic, found.pvalue

    return Row("Friedman test", line, what, "friedman_test", ours, printed, check, remark)


ROWS = (
    Row(
        "Data",
        "107-120",
        "differences of the two classifiers, from the least",
        "signed_rank_test",
        lambda: signed_rank_test(WITH_M, TREE).differences,
        "-0.008, -0.005, 0.000, 0.000, 0.005, 0.006, 0.007, 0.009, 0.017, 0.021, 0.022, 0.033, 0.047, 0.063",
    ),
    Row(
        "Data",
        "107-120",
        "ranks of their sizes",
        "signed_rank_test",
        lambda: [rank_sum_of(i) for i in range(len(TABLE))],
        "3.5, 7, 9, 12, 5, 3.5, 6, 1.5, 14, 1.5, 11, 13, 8, 10",
    ),
    Row(
        "Wilcoxon test",
        "92",
        "rank sums R⁺ and R⁻",
        "signed_rank_test",
        lambda: [getattr(signed_rank_test(WITH_M, TREE), name) for name in ("rank_sum_a", "rank_sum_b")],
        "93, 12",
    ),
    Row(
        "scipy-wilcoxon",
        "128",
        "T, the smaller rank sum",
        "signed_rank_test",
        lambda: min(signed_rank_test(WITH_M, TREE).rank_sum_a, signed_rank_test(WITH_M, TREE).rank_sum_b),
        "12.0",
    ),
    Row(
        "scipy-wilcoxon",
        "128",
        "p-value from the normal law",
        "signed_rank_test",
        lambda: signed_rank_test(WITH_M, TREE, method="normal").pvalue,
        "0.01096849656422473",
        Check(
            "scipy's wilcoxon",
            lambda: stats.wilcoxon((WITH_M - TREE).round(6), zero_method="pratt", method="asymptotic").pvalue,
        ),
        ZEROS,
    ),
    Row(
        "Wilcoxon test",
        "94",
        "exact p-value; the article reads p < 0.01 from a table",
        "signed_rank_test",
        lambda: signed_rank_test(WITH_M, TREE).pvalue,
        check=Check("over all signs of 12 differences", others.exact_signed_rank),
    ),
    Row(
        "ANOVA",
        "179",
        "F and p-value",
        "anova_test",
        lambda: [getattr(anova_test(THREE, repeated=False), name) for name in ("statistic", "pvalue")],
        "7.137827822120864, 0.009073317468563076",
        Check("scipy's f_oneway", lambda: [*stats.f_oneway(*THREE.T)]),
    ),
    *TUKEY,
    Row(
        "Friedman test",
        "248",
        "ranks on the data set voting",
        "friedman_test",
        lambda: friedman_test(TABLE[VOTING : VOTING + 1]).means,
        "4, 1, 2.5, 2.5",
        remark=MISRANKED,
    ),
    of_friedman(
        "304",
        "χ² and p-value, ties allowed for",
        "10.952380952380956, 0.011986176325417788",
        Check("scipy's friedmanchisquare", lambda: [*stats.friedmanchisquare(*TABLE.T)]),
        TIES,
        statistic="chi2",
    ),
    of_friedman(
        "328",
        "χ² and p-value, ties not allowed for",
        "9.857142857142824, 0.019820334037905174",
        Check("by Demsar's formula", lambda: others.friedman()[:2]),
        TIES,
        statistic="chi2",
        tie_correction=False,
    ),
    of_friedman(
        "332",
        "F and p-value, ties not allowed for",
        "3.9866666666666495, 0.01435244621602394",
        Check("by Demsar's formula", lambda: others.friedman()[2:]),
        TIES,
        tie_correction=False,
    ),
    of_friedman(
        "270",
        "F and p-value, ties allowed for",
        "",
        Check("scipy's friedmanchisquare", others.iman_davenport),
        TIES,
    ),
    Row(
        "Friedman test",
        "335",
        "χ² and F with Demsar's ranks of voting",
        "friedman_test",
        lambda: [
            friedman_test(others.as_demsar_ranked(), statistic=name, tie_correction=False).statistic
            for name in ("chi2", "f")
        ],
        check=Check("in Demsar (2006): 9.28, 3.69", lambda: (9.28, 3.69), digits=2),
        remark=MISRANKED,
    ),
    *POSTHOCS,
    Row(
        "Correlated t-test",
        "22-32",
        "p-value of formula (1)",
        "corrected_t_test",
        lambda: corrected_t_test(FIRST, SECOND, test_fraction=0.2).pvalue,
        check=Check("scipy's t", lambda: corrected(2)),
        remark=BAYES,
    ),
    Row(
        "Bayesian tests",
        "444",
        "probability that the second algorithm is better",
        "correlated_t_posterior",
        lambda: correlated_t_posterior(FIRST, SECOND, test_fraction=0.2).left,
        check=Check("scipy's t", lambda: corrected(1)),
        remark=BAYES,
    ),
)

DOCUMENT = Document(
    "Article on Demsar",
    "article on the web",
    "Statistical comparisons of classifiers over multiple data sets",
    "Article in Chinese, signed 馒头and花卷, 17 May 2022, on Demsar (2006) and on Benavoli, Corani, Demsar and "
    "Zaffalon (2017).",
    "The table has the areas under the ROC curve of C4.5 (A), with m tuned (B), with cf tuned (C) and with both (D) on "
    "14 data sets. The analysis of variance and Tukey's test are of another example: three algorithms, five scores.",
    ROWS,
    (
        "n > 30, the number of scores for the correlated t test: advice.",
        "N > 10 and K > 4 for Friedman's χ²: advice, and Demsar has k > 5. Below that, "
        '`friedman_test(method="exact")`.',
        "Tables of critical values of Wilcoxon's and Friedman's test: pictures, of which the text has nothing.",
        "The total sum of squares of the analysis of variance: its formula lacks the square.",
    ),
)
