"""The article on Demsar (2006): two and more classifiers on many data sets, and every pair of several.

Its data come first, and what others than skcompare give on them.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, permutations, product
from pathlib import Path
from typing import Any

import numpy as np
from scipy import integrate, special, stats
from statsmodels.stats.multitest import multipletests

from benchmarks.sources import Check, Document, Remark, Row, Text
from benchmarks.sources.course_slides import FIRST, SECOND, corrected
from skcompare import inference as ours

# ---- many datasets checks ---------------------------------------------------------------------------------------


# Areas under the ROC curve on 14 data sets, in three decimals: C4.5, with m tuned, with cf tuned, with both.
with (Path(__file__).parents[2] / "docs" / "data" / "demsar_2006_auc.csv").open(encoding="utf-8", newline="") as stream:
    TABLE = np.array([[float(cell) for cell in line[1:]] for line in list(csv.reader(stream))[1:]])
TREE, WITH_M = TABLE[:, 0], TABLE[:, 1]
VOTING = 12
PAIRS = tuple(combinations(range(4), 2))
# The example of the analysis of variance: three algorithms, five scores each.
THREE = np.array([[24.5, 23.5, 26.4, 27.1, 29.9], [28.4, 34.2, 29.5, 32.2, 30.1], [26.1, 28.3, 24.3, 26.2, 27.8]]).T


@cache
def ranks() -> np.ndarray:
    return stats.rankdata(-TABLE, axis=1)


def as_demsar_ranked() -> np.ndarray:
    table = TABLE.copy()
    table[VOTING, 2] += 1e-4
    return table


def exact_signed_rank() -> float:
    """Over all signs of the differences that are not 0."""
    d = (WITH_M - TREE).round(6)
    own = stats.rankdata(abs(d))[d != 0]
    sums = np.array([np.dot(signs, own) for signs in product((-1, 1), repeat=len(own))])
    return float(np.mean(abs(sums) >= abs(np.dot(np.sign(d[d != 0]), own)) - 1e-9))


def range_pvalue(q: float, k: int = 4) -> float:
    """P-value of the range of k independent normal variables."""

    def density(x: float) -> float:
        return float(k * np.exp(-x * x / 2) / np.sqrt(2 * np.pi) * (special.ndtr(x) - special.ndtr(x - q)) ** (k - 1))

    return 1 - float(integrate.quad(density, -9, 9 + q)[0])


@cache
def nemenyi() -> list[float]:
    mean, error = ranks().mean(axis=0), np.sqrt(4 * 5 / (6 * 14))
    return [range_pvalue(abs(mean[i] - mean[j]) / error * np.sqrt(2)) for i, j in PAIRS]


def conover(slip: bool = False) -> list[float]:
    """Conover's formula; with `slip` as scikit-posthocs had it."""
    n, k = TABLE.shape
    sums = ranks().sum(axis=0)
    mean = n * (k + 1) / 2
    s2 = ((ranks() ** 2).sum() - k * n * (k + 1) ** 2 / 4) / (k - 1)
    t2 = (sums.sum() - n * ((k + 1) / 2) ** 2 if slip else ((sums - mean) ** 2).sum()) / s2
    df = (n - 1) * (k - 1)
    error = np.sqrt(s2 * 2 * n * (k - 1) / df * (1 - t2 / (n * (k - 1))))
    return [float(2 * stats.t.sf(abs(sums[i] - sums[j]) / error, df)) for i, j in PAIRS]


def error_of_ranks() -> float:
    """Standard deviation of the difference of two mean ranks, from all 24 orders of four."""
    differences = [order[0] - order[1] for order in permutations(range(4))]
    return float(np.std(differences) / np.sqrt(14))


def iman_davenport() -> list[float]:
    chi2 = stats.friedmanchisquare(*TABLE.T).statistic
    f = 13 * chi2 / (14 * 3 - chi2)
    return [f, stats.f.sf(f, 3, 39)]


def bonferroni_dunn() -> list[float]:
    mean = ranks().mean(axis=0)
    z = abs(mean[1:] - mean[0]) / np.sqrt(4 * 5 / (6 * 14))
    return np.minimum(1, 3 * 2 * stats.norm.sf(z)).tolist()


def friedman() -> list[float]:
    """Chi-squared and F by Demsar's formulas, each with its p-value."""
    n, k = TABLE.shape
    chi2 = 12 * n / (k * (k + 1)) * ((ranks().mean(axis=0) ** 2).sum() - k * (k + 1) ** 2 / 4)
    f = (n - 1) * chi2 / (n * (k - 1) - chi2)
    return [chi2, stats.chi2.sf(chi2, k - 1), f, stats.f.sf(f, k - 1, (k - 1) * (n - 1))]


def critical_difference_of_many_datasets_checks() -> float:
    return float(stats.studentized_range.ppf(0.95, 4, np.inf) * error_of_ranks() / np.sqrt(2))


def dunn(correction: str) -> list[float]:
    """All scores ranked together."""
    n, k = TABLE.shape
    own = stats.rankdata(TABLE).reshape(n, k)
    mean, size = own.mean(axis=0), n * k
    ties = np.unique(own, return_counts=True)[1]
    variance = (size * (size + 1) / 12 - (ties**3 - ties).sum() / (12 * (size - 1))) * 2 / n
    p = [2 * stats.norm.sf(abs(mean[i] - mean[j]) / np.sqrt(variance)) for i, j in PAIRS]
    method = {"hochberg": "simes-hochberg"}.get(correction, correction)
    return multipletests(p, method=method)[1].tolist()


@cache
def tukey() -> Any:
    return stats.tukey_hsd(*THREE.T)


# ---- many datasets pairs ----------------------------------------------------------------------------------------


CAPPED = Remark("c", "cut off at 0.9 by an old library")
INTERPOLATED = Remark("b", "interpolated between tabled values by an old library")
CONOVER = Remark("h", "an error in scikit-posthocs before version 0.8.1")
UNPAIRED = Remark("g")
CORRELATED = Remark("f")


def of_pairs(matrix: np.ndarray) -> list[float]:
    return [float(matrix[pair]) for pair in combinations(range(len(matrix)), 2)]


def of_tukey(pair: tuple[int, int], differs: str, p: str, ends: str) -> Iterator[Row]:
    """The article's line of one pair: later less earlier algorithm, as statsmodels has it."""
    i, j = pair
    name, line = f"{'ABC'[i]} and {'ABC'[j]}", str(236 + i + j)

    def own() -> tuple[float, float, float]:
        found = ours.tukey_test(THREE, repeated=False)
        return found.estimates[j, i], found.pvalues[j, i], found.critical_difference

    def scipy(ask: Callable[[Any], Any]) -> Check:
        return Check("scipy's tukey_hsd", lambda: ask(tukey()))

    cut = CAPPED if p == "0.9" else None
    both = scipy(lambda found: [ends[j, i] for ends in found.confidence_interval()])

    def interval() -> list[float]:
        middle, _, half = own()
        return [middle - half, middle + half]

    yield Row(Text("Tukey test", line, f"{name}: difference", differs), "tukey_test", lambda: own()[0])
    yield Row(
        Text("Tukey test", line, f"{name}: p-value", p),
        "tukey_test",
        lambda: own()[1],
        scipy(lambda found: found.pvalue[j, i]),
        cut,
    )
    yield Row(Text("Tukey test", line, f"{name}: interval", ends), "tukey_test", interval, both, INTERPOLATED)


def of_dunn(line: str, correction: str, printed: str) -> Row:
    return Row(
        Text("Dunn test", line, f"p-values of the six pairs, {correction}", ", ".join([printed] * 6)),
        "dunn_test",
        lambda: of_pairs(ours.dunn_test(TABLE, correction=correction.lower()).pvalues),
        Check("by Dunn's formula", lambda: dunn(correction.lower())),
        UNPAIRED,
    )


def of_matrix(where: str, by: str, pair: int, line: str, printed: str, remark: Remark) -> Row:
    i, j = PAIRS[pair]
    test, check = {
        "nemenyi_test": (ours.nemenyi_test, Check("scipy's quad", lambda: nemenyi()[pair])),
        "conover_test": (
            lambda table: ours.conover_test(table, correction="none"),
            Check("by Conover's formula", lambda: conover()[pair]),
        ),
    }[by]
    return Row(
        Text(where, line, f"p-value of {'ABCD'[i]} and {'ABCD'[j]}", printed),
        by,
        lambda: test(TABLE).pvalues[i, j],
        check,
        remark,
    )


TUKEY = (
    *of_tukey((0, 1), "4.6", "0.0144", "0.9526, 8.2474"),
    *of_tukey((0, 2), "0.26", "0.9", "-3.3874, 3.9074"),
    *of_tukey((1, 2), "-4.34", "0.0203", "-7.9874, -0.6926"),
)

POSTHOCS = (
    Row(
        Text("Nemenyi test", "343-351", "standard error of the difference of two mean ranks"),
        "nemenyi_test",
        lambda: np.sqrt(2) * ours.nemenyi_test(TABLE).estimates[0, 1] / ours.nemenyi_test(TABLE).statistics[0, 1],
        Check("over all orders of four", error_of_ranks),
        CORRELATED,
    ),
    Row(
        Text("Nemenyi test", "345", "critical difference at 5%"),
        "critical_difference",
        lambda: ours.critical_difference(4, 14),
        Check("scipy's studentized_range", critical_difference_of_many_datasets_checks),
    ),
    of_matrix("Nemenyi test", "nemenyi_test", 0, "361", "0.088552", INTERPOLATED),
    of_matrix("Nemenyi test", "nemenyi_test", 1, "361", "0.90000", CAPPED),
    of_matrix("Nemenyi test", "nemenyi_test", 2, "361", "0.061744", INTERPOLATED),
    of_matrix("Nemenyi test", "nemenyi_test", 3, "362", "0.22683", INTERPOLATED),
    of_matrix("Nemenyi test", "nemenyi_test", 4, "362", "0.900000", CAPPED),
    of_matrix("Nemenyi test", "nemenyi_test", 5, "363", "0.17023", INTERPOLATED),
    of_dunn("400-403", "Bonferroni", "1.0"),
    of_dunn("414-417", "Holm", "1.0"),
    of_dunn("424-427", "Hochberg", "0.986129"),
    Row(
        Text("Bonferroni-Dunn test", "372", "p-values against the first classifier"),
        "control_test",
        lambda: ours.control_test(TABLE, control=0, correction="bonferroni").pvalues,
        Check("scipy's norm", bonferroni_dunn),
        UNPAIRED,
    ),
    *(
        of_matrix("Conover test", "conover_test", pair, line, printed, CONOVER)
        for pair, line, printed in (
            (0, "439", "0.018734"),
            (1, "439", "0.648091"),
            (2, "439", "0.012889"),
            (3, "440", "0.053268"),
            (4, "440", "0.878934"),
            (5, "441", "0.038109"),
        )
    ),
)


# ---- many datasets ----------------------------------------------------------------------------------------------


ZEROS = Remark("a", "the variance of the rank sums, given two differences of 0")
TIES = Remark("e")
MISRANKED = Remark("d")
BAYES = Remark("i")


def rank_sum_of(i: int) -> float:
    """The rank of one difference: the rank sum when it alone is in favour, less the half of the ranks of zeros."""
    sizes = abs(WITH_M - TREE).round(6)
    zeros = ours.signed_rank_test(sizes, 0 * sizes).rank_sum_b if sizes[i] else 0.0
    signs = np.where(np.arange(len(sizes)) == i, 1, -1)
    return ours.signed_rank_test(signs * sizes, 0 * sizes).rank_sum_a - zeros


def of_friedman(line: str, what: str, printed: str, check: Check, remark: Remark | None = None, **options: Any) -> Row:
    def asked() -> tuple[float, float]:
        found = ours.friedman_test(TABLE, **options)
        return found.statistic, found.pvalue

    return Row(Text("Friedman test", line, what, printed), "friedman_test", asked, check, remark)


ROWS = (
    Row(
        Text(
            "Data",
            "107-120",
            "differences of the two classifiers, from the least",
            "-0.008, -0.005, 0.000, 0.000, 0.005, 0.006, 0.007, 0.009, 0.017, 0.021, 0.022, 0.033, 0.047, 0.063",
        ),
        "signed_rank_test",
        lambda: ours.signed_rank_test(WITH_M, TREE).differences,
    ),
    Row(
        Text("Data", "107-120", "ranks of their sizes", "3.5, 7, 9, 12, 5, 3.5, 6, 1.5, 14, 1.5, 11, 13, 8, 10"),
        "signed_rank_test",
        lambda: [rank_sum_of(i) for i in range(len(TABLE))],
    ),
    Row(
        Text("Wilcoxon test", "92", "rank sums R⁺ and R⁻", "93, 12"),
        "signed_rank_test",
        lambda: [getattr(ours.signed_rank_test(WITH_M, TREE), name) for name in ("rank_sum_a", "rank_sum_b")],
    ),
    Row(
        Text("scipy-wilcoxon", "128", "T, the smaller rank sum", "12.0"),
        "signed_rank_test",
        lambda: min(ours.signed_rank_test(WITH_M, TREE).rank_sum_a, ours.signed_rank_test(WITH_M, TREE).rank_sum_b),
    ),
    Row(
        Text("scipy-wilcoxon", "128", "p-value from the normal law", "0.01096849656422473"),
        "signed_rank_test",
        lambda: ours.signed_rank_test(WITH_M, TREE, method="normal").pvalue,
        Check(
            "scipy's wilcoxon",
            lambda: stats.wilcoxon((WITH_M - TREE).round(6), zero_method="pratt", method="asymptotic").pvalue,
        ),
        ZEROS,
    ),
    Row(
        Text("Wilcoxon test", "94", "exact p-value; the article reads p < 0.01 from a table"),
        "signed_rank_test",
        lambda: ours.signed_rank_test(WITH_M, TREE).pvalue,
        Check("over all signs of 12 differences", exact_signed_rank),
    ),
    Row(
        Text("ANOVA", "179", "F and p-value", "7.137827822120864, 0.009073317468563076"),
        "anova_test",
        lambda: [getattr(ours.anova_test(THREE, repeated=False), name) for name in ("statistic", "pvalue")],
        Check("scipy's f_oneway", lambda: [*stats.f_oneway(*THREE.T)]),
    ),
    *TUKEY,
    Row(
        Text("Friedman test", "248", "ranks on the data set voting", "4, 1, 2.5, 2.5"),
        "friedman_test",
        lambda: ours.friedman_test(TABLE[VOTING : VOTING + 1]).means,
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
        Check("by Demsar's formula", lambda: friedman()[:2]),
        TIES,
        statistic="chi2",
        tie_correction=False,
    ),
    of_friedman(
        "332",
        "F and p-value, ties not allowed for",
        "3.9866666666666495, 0.01435244621602394",
        Check("by Demsar's formula", lambda: friedman()[2:]),
        TIES,
        tie_correction=False,
    ),
    of_friedman("270", "F and p-value, ties allowed for", "", Check("scipy's friedmanchisquare", iman_davenport), TIES),
    Row(
        Text("Friedman test", "335", "χ² and F with Demsar's ranks of voting"),
        "friedman_test",
        lambda: [
            ours.friedman_test(as_demsar_ranked(), statistic=name, tie_correction=False).statistic
            for name in ("chi2", "f")
        ],
        Check("in Demsar (2006): 9.28, 3.69", lambda: (9.28, 3.69), digits=2),
        MISRANKED,
    ),
    *POSTHOCS,
    Row(
        Text("Correlated t-test", "22-32", "p-value of formula (1)"),
        "corrected_t_test",
        lambda: ours.corrected_t_test(FIRST, SECOND, test_fraction=0.2).pvalue,
        Check("scipy's t", lambda: corrected(2)),
        BAYES,
    ),
    Row(
        Text("Bayesian tests", "444", "probability that the second algorithm is better"),
        "correlated_t_posterior",
        lambda: ours.correlated_t_posterior(FIRST, SECOND, test_fraction=0.2).left,
        Check("scipy's t", lambda: corrected(1)),
        BAYES,
    ),
)

DOCUMENT = Document("many_datasets", "Article on Demsar", "article on the web", ROWS)
