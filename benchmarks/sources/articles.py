"""Three shorter sources on comparing models.

Zeil's slides: what to measure, one data set, several classifiers, several data sets. Benavoli and de Campos (2016):
several measures at once. Refaeilzadeh's lecture: tests of two algorithms on cross-validation.
"""

from __future__ import annotations

import math
from functools import cache
from itertools import count
from math import exp, gamma, log, prod

import numpy as np
from scipy import integrate, special, stats
from statsmodels.stats.contingency_tables import mcnemar

from benchmarks.sources import Check, Document, Remark, Row, Text
from benchmarks.sources.many_datasets import TABLE, TREE, WITH_M
from skcompare import inference as ours

# ---- ml experiments ---------------------------------------------------------------------------------------------


# The slides have no data: 36 samples that one of two classifiers alone gets right, of 100.
RIGHT_A = np.repeat([True, True, False, False], [59, 25, 11, 5])
RIGHT_B = np.repeat([True, False, True, False], [59, 25, 11, 5])

BRACKETS = Remark("b")
PAIRED = Remark("c")
CONSERVATIVE = Remark("a")


def fewest_samples() -> int:
    """Without an error, to call the error rate less than 2% at the level 5%."""
    return next(n for n in count(1) if ours.error_rate_test(0, n, threshold=0.02).pvalue <= 0.05)


def three_on_five() -> tuple[float, ...]:
    scores = np.random.default_rng(0).normal(size=(5, 3))
    return ours.anova_test(scores, repeated=False).df


ROWS_OF_ML_EXPERIMENTS = (
    Row(
        Text("Introduction", "1", "is the error rate less than 2%? Samples needed without an error"),
        "error_rate_test",
        fewest_samples,
        Check("log .05 / log .98", lambda: math.ceil(math.log(0.05) / math.log(0.98))),
    ),
    Row(
        Text("Introduction", "1", "p-value of 3 errors in 500"),
        "error_rate_test",
        lambda: ours.error_rate_test(3, 500, threshold=0.02).pvalue,
        Check("scipy's binom", lambda: stats.binom.cdf(3, 500, 0.02)),
    ),
    Row(
        Text("McNemar's test", "4", "statistic and p-value of 25 against 11 errors"),
        "mcnemar_test",
        lambda: [
            getattr(ours.mcnemar_test(RIGHT_A, RIGHT_B, method="chi2_corrected"), name)
            for name in ("statistic", "pvalue")
        ],
        Check(
            "statsmodels' mcnemar",
            lambda: [getattr(mcnemar([[59, 25], [11, 5]], exact=False), name) for name in ("statistic", "pvalue")],
        ),
        CONSERVATIVE,
    ),
    Row(
        Text("McNemar's test", "4", "its mid-p value"),
        "mcnemar_test",
        lambda: ours.mcnemar_test(RIGHT_A, RIGHT_B).pvalue,
        Check("scipy's binom", lambda: 2 * stats.binom.cdf(11, 36, 0.5) - stats.binom.pmf(11, 36, 0.5)),
        CONSERVATIVE,
    ),
    Row(
        Text("Comparing L > 2 classifiers", "4", "L − 1 and L(K − 1) degrees of freedom of 3 classifiers on 5 folds"),
        "anova_test",
        three_on_five,
        Check("by arithmetic", lambda: (3 - 1, 3 * (5 - 1))),
        BRACKETS,
    ),
    Row(
        Text(
            "Comparing over datasets",
            "5",
            "sign test of two classifiers of the [article](#article-on-demsar): wins, data sets without a tie, p-value",
        ),
        "sign_test",
        lambda: [getattr(ours.sign_test(WITH_M, TREE), name) for name in ("wins", "n_used", "pvalue")],
        Check(
            "scipy's binomtest",
            lambda: (sum(WITH_M > TREE), sum(WITH_M != TREE), stats.binomtest(sum(WITH_M > TREE), 12).pvalue),
        ),
    ),
    Row(
        Text("Comparing over datasets", "5", "Kruskal-Wallis test of its four: H, p-value"),
        "kruskal_test",
        lambda: [getattr(ours.kruskal_test(TABLE), name) for name in ("statistic", "pvalue")],
        Check("scipy's kruskal", lambda: [*stats.kruskal(*TABLE.T)]),
        PAIRED,
    ),
)

ML_EXPERIMENTS = Document("ml_experiments", "Zeil", "slides of a course", ROWS_OF_ML_EXPERIMENTS)


# ---- joint analysis ---------------------------------------------------------------------------------------------


# Example 1: accuracy in percent and seconds of A and of B on 12 data sets.
A = list(zip([85, 87, 87, 91, 91, 91, *[94] * 6], [8, 11, 11, 12, 12, 12, *[16] * 6], strict=True))
B = list(zip([84, 86, 86, 92, 92, 92, *[95] * 6], [9, 10, 10, 13, 13, 13, *[15] * 6], strict=True))

DRAWN = Remark("b", "drawn at random in the paper, integrated here")
FEW = Remark("a")


def counts() -> list[float]:
    """Of B against A; less time is better."""
    return ours.dominance_counts(B, A, greater_is_better=(True, False)).tolist()


def likelihood_ratio(own: list[float]) -> float:
    """Lambda of Theorem 1: the statistic is -2 times its logarithm."""
    return exp(-ours.dominance_test(own).statistic / 2)


@cache
def largest(*alphas: float) -> list[float]:
    """The probability of each share to be the largest under Dirichlet's law, from independent gamma variables."""

    def density(x: float, i: int) -> float:
        others = prod(special.gammainc(a, x) for j, a in enumerate(alphas) if j != i)
        return x ** (alphas[i] - 1) * exp(-x) / gamma(alphas[i]) * others

    return [integrate.quad(density, 0, 60, args=(i,), limit=200)[0] for i in range(len(alphas))]


def probability(k: int) -> Row:
    sign = "worse", "better"
    return Row(
        Text(
            "Example 3",
            "27",
            f"probability that B is {sign[k // 2]} on accuracy and {sign[k % 2]} on time",
            ("0.013", "0.051", "0.136", "0.80")[k],
        ),
        "dominance_posterior",
        lambda: ours.dominance_posterior(counts()).probabilities[k],
        Check("scipy's quad", lambda: largest(1.25, 2.25, 3.25, 6.25)[k]),
        DRAWN if k < 3 else None,
    )


def wins(metric: int, greater_is_better: bool) -> list[float]:
    """1 for every data set on which B is better."""
    pairs = zip(A, B, strict=True)
    return [ours.dominance_counts([[b[metric]]], [[a[metric]]], greater_is_better)[1] for a, b in pairs]


ROWS_OF_JOINT_ANALYSIS = (
    Row(
        Text("Example 1", "21", "where B is better on accuracy, by data set", "0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1"),
        "dominance_counts",
        lambda: wins(0, True),
    ),
    Row(
        Text("Example 1", "21", "where B is better on time", "0, 1, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1"),
        "dominance_counts",
        lambda: wins(1, False),
    ),
    Row(
        Text(
            "Example 1",
            "21",
            "data sets on which B is worse on both, better on time alone, on accuracy alone, on both",
            "1, 2, 3, 6",
        ),
        "dominance_counts",
        counts,
    ),
    Row(
        Text("Example 2", "25", "the two largest counts", "6, 3"),
        "dominance_test",
        lambda: [getattr(ours.dominance_test(counts()), name) for name in ("n_winner", "n_runner_up")],
    ),
    Row(
        Text("Example 2", "25", "λ of Theorem 1", "0.6"),
        "dominance_test",
        lambda: likelihood_ratio(counts()),
        Check("4.5⁹ / (6⁶ 3³)", lambda: 4.5**9 / (6**6 * 3**3)),
    ),
    Row(
        Text("Example 2", "25", "p-value from the chi-squared law", "0.313"),
        "dominance_test",
        lambda: ours.dominance_test(counts()).pvalue_chi2,
        Check("scipy's chi2", lambda: stats.chi2.sf(-2 * log(4.5**9 / (6**6 * 3**3)), 1)),
    ),
    Row(
        Text("Example 2", "25", "the p-value that skcompare decides on"),
        "dominance_test",
        lambda: ours.dominance_test(counts()).pvalue,
        Check("scipy's binomtest", lambda: stats.binomtest(6, 9).pvalue),
        FEW,
    ),
    Row(
        Text("After Theorem 1", "25", "λ and −2 log λ where the two largest counts are equal", "1, 0"),
        "dominance_test",
        lambda: (likelihood_ratio([1, 2, 4, 4]), ours.dominance_test([1, 2, 4, 4]).statistic),
    ),
    *map(probability, range(4)),
    Row(
        Text("Proposition 1", "27", "sum of these probabilities", "1"),
        "dominance_posterior",
        lambda: ours.dominance_posterior(counts()).probabilities.sum(),
    ),
    Row(
        Text("Section 4", "25", "probability of the last statement with the Jeffreys prior that the paper mentions"),
        "dominance_posterior",
        lambda: ours.dominance_posterior(counts(), prior=0.5).probabilities[3],
        Check("scipy's quad", lambda: largest(1.5, 2.5, 3.5, 6.5)[3]),
    ),
)

JOINT_ANALYSIS = Document("joint_analysis", "Benavoli and de Campos", "paper", ROWS_OF_JOINT_ANALYSIS)


# ---- two algorithms ---------------------------------------------------------------------------------------------


# The lecture has no data. Differences in accuracy on 10 repeats of 10 folds, and on 5 repeats of 2.
HUNDRED = np.random.default_rng(42).normal(0.02, 0.05, (10, 10)).round(3)
FIVE_BY_TWO = np.array([[0.03, 0.01], [0.02, 0.04], [0, 0.02], [0.05, 0.01], [0.02, 0.02]])

FIRST_FOLD = Remark("b")
CALIBRATED = Remark("a")
RESAMPLED = Remark("c")


def five_by_two() -> float:
    variances = FIVE_BY_TWO.var(axis=1, ddof=1)
    return float(FIVE_BY_TWO[0, 0] / np.sqrt(variances.mean()))


def ratio_of_resampled() -> float:
    """On 30 splits with a third as test set."""
    d = HUNDRED[:3].ravel()
    plain, corrected = ours.paired_t_test(d, 0 * d), ours.corrected_t_test(d, 0 * d, test_fraction=1 / 3)
    return plain.statistic / corrected.statistic


ROWS_OF_TWO_ALGORITHMS = (
    Row(
        Text("Calibrated tests", "204-205", "degrees of freedom of 10 repeats of 10 folds", "10"),
        "calibrated_t_test",
        lambda: ours.calibrated_t_test(HUNDRED, 0 * HUNDRED).df,
    ),
    Row(
        Text("Calibrated tests", "204-205", "t and p-value on such differences"),
        "calibrated_t_test",
        lambda: [getattr(ours.calibrated_t_test(HUNDRED, 0 * HUNDRED), name) for name in ("statistic", "pvalue")],
        Check("scipy's t", lambda: (t := HUNDRED.mean() * np.sqrt(11) / HUNDRED.std(ddof=1), 2 * stats.t.sf(t, 10))),
        CALIBRATED,
    ),
    Row(
        Text("Cross validated t-test", "100-101", "n − 1 degrees of freedom of ten folds, t and p-value"),
        "paired_t_test",
        lambda: [
            getattr(ours.paired_t_test(HUNDRED[0], 0 * HUNDRED[0]), name) for name in ("df", "statistic", "pvalue")
        ],
        Check("scipy's ttest_1samp", lambda: (9, *stats.ttest_1samp(HUNDRED[0], 0))),
    ),
    Row(
        Text("5x2 cross validated t-test", "169-172", "t and p-value on 5 repeats of 2 folds"),
        "five_by_two_t_test",
        lambda: [
            getattr(ours.five_by_two_t_test(FIVE_BY_TWO, 0 * FIVE_BY_TWO), name) for name in ("statistic", "pvalue")
        ],
        Check("scipy's t", lambda: (five_by_two(), 2 * stats.t.sf(five_by_two(), 5))),
        FIRST_FOLD,
    ),
    Row(
        Text("Re-sampled t-test", "186-192", "t of 30 splits of 2/3 and 1/3, over the t that allows for their overlap"),
        "corrected_t_test",
        ratio_of_resampled,
        Check("√(1 + 30/2)", lambda: np.sqrt(1 + 30 / 2)),
        RESAMPLED,
    ),
)

TWO_ALGORITHMS = Document("two_algorithms", "Refaeilzadeh", "lecture", ROWS_OF_TWO_ALGORITHMS)
