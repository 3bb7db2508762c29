"""The tables of docs/sources.md, made again by ``python -m benchmarks.sources`` from a checkout.

What five documents print, number by number, is in docs/data/sources.csv: where it stands, what it is, the public name
that gives ours, what else gives it, and why the two differ. Here is what gives ours, by the name of a row, and beside
it what is neither the document nor skcompare: another library, or a few lines of arithmetic. Such a check is needed
wherever ours is not what is printed, and a remark wherever something else is printed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property, partial
from itertools import combinations, count, permutations, product
from operator import attrgetter
from typing import Any

import numpy as np
from scipy import integrate, special, stats
from sklearn import metrics
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

import skcompare as skc
from benchmarks import DATA, ROOT, line, read_rows, table, with_tables
from skcompare import inference as ours

PAGE = ROOT / "docs" / "sources.md"
MOST_DIGITS = 12  # arithmetic in another order moves the last digits of 16
LONGEST = 10
Numbers = Callable[[], Any]


# ---- a row ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """Numbers of one kind: what the table says of them, what gives ours, and what else gives them.

    Attributes
    ----------
    of : dict of str
        A row of docs/data/sources.csv. ``printed`` has commas between several numbers; it is empty where the document
        gives the data or the formula alone. ``lines`` are those of the document's text, one or "first-last";
        ``digits`` are the decimals to which the check holds.
    ours : callable
    check : callable or None
    """

    of: dict[str, str]
    ours: Numbers
    check: Numbers | None = None

    @cached_property
    def values(self) -> tuple[float, ...]:
        return tuple(np.ravel(self.ours()).astype(float).tolist())

    @property
    def numbers(self) -> tuple[str, ...]:
        return tuple(self.of["printed"].split(", ")) if self.of["printed"] else ()

    @cached_property
    def shown(self) -> tuple[str, ...]:
        """Ours with as many digits as are printed, and with four decimals at least where it differs."""
        if not self.numbers:
            return tuple(f"{value:.4g}" for value in self.values)
        return tuple(map(_as_printed, self.values, self.numbers))

    @property
    def n_equal(self) -> int:
        return sum(_equal(repr(value), number) for value, number in zip(self.values, self.numbers, strict=True))

    @property
    def n_different(self) -> int:
        return len(self.numbers) - self.n_equal if self.numbers else 0

    @property
    def said(self) -> str:
        """What the page remarks."""
        verdict = ("differs" if self.n_different else "equal") if self.numbers else ""
        check = f"{'ours ' if verdict else ''}as {self.of['check']}" if self.of["check"] and verdict != "equal" else ""
        note = f"({self.of['remark']})" if self.of["remark"] else ""
        return ", ".join(filter(None, (f"**{verdict}**" if self.n_different else verdict, check, note)))


def _decimals(number: str) -> int:
    """Of a printed number, leaving out what is beyond `MOST_DIGITS`."""
    whole, _, digits = number.strip("-").partition(".")
    zeros = len(digits) - len(digits.lstrip("0"))
    return min(len(digits), MOST_DIGITS + zeros if whole.strip("0") == "" else MOST_DIGITS - len(whole))


def _as_printed(value: float, number: str) -> str:
    decimals = _decimals(number)
    if not _equal(f"{value:.{decimals}f}", number) and decimals:
        decimals = max(decimals, 4)
    text = f"{value:.{decimals}f}"
    text = text.removeprefix("-") if float(text) == 0 else text
    return text.replace("0.", ".", 1) if number.strip("-").startswith(".") else text


def _equal(shown: str, number: str) -> bool:
    decimals = _decimals(number)
    return round(float(shown), decimals) == round(float(number), decimals)


statistic_and_p = attrgetter("statistic", "pvalue")
df_t_and_p = attrgetter("df", "statistic", "pvalue")
shares = attrgetter("probabilities")


# ---- Benavoli and de Campos (2016): several measures at once ----------------------------------------------------

# Example 1: accuracy in percent and seconds of A and of B on 12 data sets.
A = list(zip([85, 87, 87, 91, 91, 91, *[94] * 6], [8, 11, 11, 12, 12, 12, *[16] * 6], strict=True))
B = list(zip([84, 86, 86, 92, 92, 92, *[95] * 6], [9, 10, 10, 13, 13, 13, *[15] * 6], strict=True))


def counts() -> list[float]:
    """Of B against A; less time is better."""
    return ours.dominance_counts(B, A, greater_is_better=(True, False)).tolist()


def likelihood_ratio(own: list[float]) -> float:
    """Lambda of Theorem 1: the statistic is -2 times its logarithm."""
    return math.exp(-ours.dominance_test(own).statistic / 2)


@cache
def largest(*alphas: float) -> list[float]:
    """The probability of each share to be the largest under Dirichlet's law, from independent gamma variables."""

    def density(x: float, i: int) -> float:
        others = math.prod(special.gammainc(a, x) for j, a in enumerate(alphas) if j != i)
        return x ** (alphas[i] - 1) * math.exp(-x) / math.gamma(alphas[i]) * others

    return [integrate.quad(density, 0, 60, args=(i,), limit=200)[0] for i in range(len(alphas))]


def probability(k: int) -> tuple[Numbers, Numbers]:
    return lambda: shares(ours.dominance_posterior(counts()))[k], lambda: largest(1.25, 2.25, 3.25, 6.25)[k]


def wins(metric: int, greater_is_better: bool) -> list[float]:
    """1 for every data set on which B is better."""
    pairs = zip(A, B, strict=True)
    return [ours.dominance_counts([[b[metric]]], [[a[metric]]], greater_is_better)[1] for a, b in pairs]


RATIO = 4.5**9 / (6**6 * 3**3)
JOINT_ANALYSIS: dict[str, tuple[Numbers, ...]] = {
    "better_accuracy": (lambda: wins(0, True),),
    "better_time": (lambda: wins(1, False),),
    "counts": (counts,),
    "largest": (lambda: attrgetter("n_winner", "n_runner_up")(ours.dominance_test(counts())),),
    "lambda": (lambda: likelihood_ratio(counts()), lambda: RATIO),
    "chi2": (
        lambda: ours.dominance_test(counts()).pvalue_chi2,
        lambda: stats.chi2.sf(-2 * math.log(RATIO), 1),
    ),
    "pvalue": (lambda: ours.dominance_test(counts()).pvalue, lambda: stats.binomtest(6, 9).pvalue),
    "equal_counts": (lambda: (likelihood_ratio([1, 2, 4, 4]), ours.dominance_test([1, 2, 4, 4]).statistic),),
    **{f"p{k}": probability(k) for k in range(4)},
    "sum": (lambda: shares(ours.dominance_posterior(counts())).sum(),),
    "jeffreys": (
        lambda: shares(ours.dominance_posterior(counts(), prior=0.5))[3],
        lambda: largest(1.5, 2.5, 3.5, 6.5)[3],
    ),
}


# ---- the slides of a course: one data set, two algorithms, thresholds and ROC curves ----------------------------

# Slide 12: accuracies in percent on five tests.
FIRST, SECOND = [92, 90, 91, 93, 91], [90, 90, 92, 90, 89]
# Slide 24: 100 samples of either class at four levels, so that the thresholds .8, .5 and .3 give the slide's rates.
SCORE = np.concatenate([np.repeat([0.8, 0.5, 0.3, 0.0], n) for n in ([38, 44, 13, 5], [2, 16, 25, 57])])
TRUE = np.repeat([1, 0], 100)
THRESHOLDS = (0.8, 0.5, 0.3)
# The same of scores that are alike in both classes.
UNINFORMED = np.repeat([1, 0], 10), np.tile(np.arange(0.05, 1, 0.1), 2)


def of_five() -> skc.EvaluationResult:
    scores = {"Alg 1": {"test_score": FIRST}, "Alg 2": {"test_score": SECOND}}
    return skc.from_cross_validate(scores, scoring="accuracy", n_folds=5)


def exact(kind: str) -> float:
    def difference(a: np.ndarray, b: np.ndarray, axis: int) -> np.ndarray:
        return a.mean(axis=axis) - b.mean(axis=axis)

    found = stats.permutation_test((FIRST, SECOND), difference, permutation_type=kind, vectorized=True)
    return float(found.pvalue)


def of_thirty() -> ours.TTestResult:
    """Slide 9: a mean difference of 2 whose interval at 90% on 29 degrees of freedom is 1 wide on either side."""
    spread = np.repeat([-1.0, 1.0], 15)
    width = stats.sem(spread) * stats.t.isf(0.05, 29)
    return ours.paired_t_test(96 + spread / (2 * width), 94 - spread / (2 * width))


def ends(result: Any) -> list[float]:
    """Of the interval at 90%."""
    return [*attrgetter("low", "high")(result.confidence_interval(0.90))]


def extremes() -> list[float]:
    """The averages that are nearest and farthest when both move as far as the interval allows."""
    return [95 + side * end / 2 for end in ends(of_thirty()) for side in (-1, 1)]


def corrected(low: float) -> float:
    d = np.subtract(FIRST, SECOND)
    return float(low * stats.t.sf(d.mean() / np.sqrt(d.var(ddof=1) * (1 / 5 + 0.2 / 0.8)), 4))


def reduction(n: int, errors_a: int, errors_b: int) -> list[float]:
    """In percent: absolute and relative."""
    found = ours.error_reduction(np.arange(n) >= errors_a, np.arange(n) >= errors_b)
    return [100 * found.absolute, 100 * found.relative]


def point(threshold: float, true: np.ndarray = TRUE, score: np.ndarray = SCORE) -> list[float]:
    """True and false positive rates at a threshold."""
    own = ours.roc_points(true, score)
    i = int(np.sum(own.thresholds >= threshold)) - 1
    return [own.true_positive_rate[i], own.false_positive_rate[i]]


def precisions() -> list[float]:
    own = ours.precision_recall_points(TRUE, SCORE)
    return [own.precision[int(np.sum(own.thresholds >= threshold)) - 1] for threshold in THRESHOLDS]


def best_threshold(prevalence: float) -> float:
    """Of the three on the slide, by arithmetic."""

    def error_at(threshold: float) -> float:
        missed, false_alarm = np.mean(SCORE[TRUE == 1] < threshold), np.mean(SCORE[TRUE == 0] >= threshold)
        return float(prevalence * missed + (1 - prevalence) * false_alarm)

    return min(THRESHOLDS, key=error_at)


UNPAIRED = partial(ours.permutation_test, FIRST, SECOND, paired=False)
COURSE_SLIDES: dict[str, tuple[Numbers, ...]] = {
    "interval": (lambda: ends(of_thirty()),),
    "extremes": (extremes,),
    "confidence": (lambda: 1 - of_thirty().pvalue, lambda: 1 - 2 * stats.t.sf(2 * stats.t.isf(0.05, 29), 29)),
    "permutations": (
        lambda: 2 / ours.permutation_test(np.arange(1.0, 11), np.zeros(10)).smallest_pvalue,
        lambda: 2**10,
    ),
    "differences": (lambda: of_five().difference("accuracy"),),
    "averages": (lambda: [of_five().score(name, "accuracy").mean() for name in ("Alg 1", "Alg 2")],),
    "difference": (lambda: UNPAIRED().estimate,),
    "partitions": (
        lambda: attrgetter("n_extreme", "n_rearrangements", "pvalue")(UNPAIRED()),
        lambda: (round(exact("independent") * 252), 252, exact("independent")),
    ),
    "paired": (lambda: ours.permutation_test(FIRST, SECOND).pvalue, lambda: exact("samples")),
    "t": (
        lambda: (ours.paired_t_test(FIRST, SECOND).pvalue, *ends(ours.paired_t_test(FIRST, SECOND))),
        lambda: (stats.ttest_rel(FIRST, SECOND).pvalue, *ends(stats.ttest_rel(FIRST, SECOND))),
    ),
    "corrected": (
        lambda: ours.corrected_t_test(FIRST, SECOND, test_fraction=0.2).pvalue,
        lambda: corrected(2),
    ),
    "reduction_99": (lambda: reduction(10000, 1, 10),),
    "reduction_50": (lambda: reduction(100, 25, 50),),
    "at_1": (lambda: point(1),),
    "at_0": (lambda: point(0),),
    **{f"at_{t}".replace("0.", "."): (partial(point, t),) for t in THRESHOLDS},
    **{f"uninformed_{t}".replace("0.", "."): (partial(point, t, *UNINFORMED),) for t in THRESHOLDS},
    "area": (lambda: ours.roc_points(TRUE, SCORE).area, lambda: metrics.roc_auc_score(TRUE, SCORE)),
    "precisions": (precisions, lambda: [metrics.precision_score(TRUE, t <= SCORE) for t in THRESHOLDS]),
    "break_even": (lambda: ours.break_even_point(TRUE, SCORE), lambda: metrics.f1_score(TRUE, SCORE >= 0.5)),
    "threshold": (
        lambda: [ours.expected_cost(TRUE, SCORE, prevalence=share).threshold for share in (0.5, 0.1)],
        lambda: [best_threshold(share) for share in (0.5, 0.1)],
    ),
    "perfect": (lambda: ours.roc_points(TRUE, TRUE).area,),
    "random": (lambda: ours.roc_points(np.tile([0, 1], 10), np.repeat(np.arange(10), 2)).area,),
}


# ---- Refaeilzadeh's lecture: tests of two algorithms on cross-validation ----------------------------------------

# The lecture has no data. Differences in accuracy on 10 repeats of 10 folds, and on 5 repeats of 2.
HUNDRED = np.random.default_rng(42).normal(0.02, 0.05, (10, 10)).round(3)
FIVE_BY_TWO = np.array([[0.03, 0.01], [0.02, 0.04], [0, 0.02], [0.05, 0.01], [0.02, 0.02]])


def t_and_p(t: float, df: int) -> tuple[float, float]:
    return t, 2 * stats.t.sf(t, df)


def ratio_of_resampled() -> float:
    """On 30 splits with a third as test set."""
    d = HUNDRED[:3].ravel()
    plain, corrected = ours.paired_t_test(d, 0 * d), ours.corrected_t_test(d, 0 * d, test_fraction=1 / 3)
    return plain.statistic / corrected.statistic


TWO_ALGORITHMS: dict[str, tuple[Numbers, ...]] = {
    "df": (lambda: ours.calibrated_t_test(HUNDRED, 0 * HUNDRED).df,),
    "calibrated": (
        lambda: statistic_and_p(ours.calibrated_t_test(HUNDRED, 0 * HUNDRED)),
        lambda: t_and_p(HUNDRED.mean() * np.sqrt(11) / HUNDRED.std(ddof=1), 10),
    ),
    "ten_folds": (
        lambda: df_t_and_p(ours.paired_t_test(HUNDRED[0], 0 * HUNDRED[0])),
        lambda: (9, *stats.ttest_1samp(HUNDRED[0], 0)),
    ),
    "five_by_two": (
        lambda: statistic_and_p(ours.five_by_two_t_test(FIVE_BY_TWO, 0 * FIVE_BY_TWO)),
        lambda: t_and_p(FIVE_BY_TWO[0, 0] / np.sqrt(FIVE_BY_TWO.var(axis=1, ddof=1).mean()), 5),
    ),
    "resampled": (ratio_of_resampled, lambda: np.sqrt(1 + 30 / 2)),
}


# ---- the article on Demsar (2006): two and more classifiers on many data sets, and every pair of several --------

# Areas under the ROC curve on 14 data sets, in three decimals: C4.5, with m tuned, with cf tuned, with both.
TABLE = np.array([[float(cell) for cell in list(row.values())[1:]] for row in read_rows(DATA / "demsar_2006_auc.csv")])
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


def rank_sum_of(i: int) -> float:
    """The rank of one difference: the rank sum when it alone is in favour, less the half of the ranks of zeros."""
    sizes = abs(WITH_M - TREE).round(6)
    zeros = ours.signed_rank_test(sizes, 0 * sizes).rank_sum_b if sizes[i] else 0.0
    signs = np.where(np.arange(len(sizes)) == i, 1, -1)
    return ours.signed_rank_test(signs * sizes, 0 * sizes).rank_sum_a - zeros


def range_pvalue(q: float, k: int = 4) -> float:
    """P-value of the range of k independent normal variables."""

    def density(x: float) -> float:
        return float(k * np.exp(-x * x / 2) / np.sqrt(2 * np.pi) * (special.ndtr(x) - special.ndtr(x - q)) ** (k - 1))

    return 1 - float(integrate.quad(density, -9, 9 + q)[0])


def z_of_ranks(i: int, j: int) -> float:
    mean = ranks().mean(axis=0)
    return float(abs(mean[i] - mean[j]) / np.sqrt(4 * 5 / (6 * 14)))


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


def f_of_chi2(chi2: float) -> list[float]:
    """F of Iman and Davenport with its p-value."""
    f = 13 * chi2 / (14 * 3 - chi2)
    return [f, stats.f.sf(f, 3, 39)]


def friedman() -> float:
    """Chi-squared by Demsar's formula."""
    n, k = TABLE.shape
    return 12 * n / (k * (k + 1)) * ((ranks().mean(axis=0) ** 2).sum() - k * (k + 1) ** 2 / 4)


def dunn(correction: str) -> list[float]:
    """All scores ranked together."""
    n, k = TABLE.shape
    own = stats.rankdata(TABLE).reshape(n, k)
    mean, size = own.mean(axis=0), n * k
    ties = np.unique(own, return_counts=True)[1]
    variance = (size * (size + 1) / 12 - (ties**3 - ties).sum() / (12 * (size - 1))) * 2 / n
    p = [2 * stats.norm.sf(abs(mean[i] - mean[j]) / np.sqrt(variance)) for i, j in PAIRS]
    return multipletests(p, method={"hochberg": "simes-hochberg"}.get(correction, correction))[1].tolist()


def of_dunn(correction: str) -> tuple[Numbers, Numbers]:
    def own() -> list[float]:
        pvalues = ours.dunn_test(TABLE, correction=correction).pvalues
        return [float(pvalues[pair]) for pair in PAIRS]

    return own, lambda: dunn(correction)


def of_pair(pair: int) -> dict[str, tuple[Numbers, Numbers]]:
    i, j = PAIRS[pair]
    by_range = partial(range_pvalue, z_of_ranks(i, j) * np.sqrt(2))
    return {
        f"nemenyi_{'ABCD'[i]}{'ABCD'[j]}": (lambda: ours.nemenyi_test(TABLE).pvalues[i, j], by_range),
        f"conover_{'ABCD'[i]}{'ABCD'[j]}": (
            lambda: ours.conover_test(TABLE, correction="none").pvalues[i, j],
            lambda: conover()[pair],
        ),
    }


def of_tukey(i: int, j: int) -> dict[str, tuple[Numbers, ...]]:
    """Later less earlier algorithm, as statsmodels has it."""
    own, scipy, name = ours.tukey_test(THREE, repeated=False), stats.tukey_hsd(*THREE.T), f"{'ABC'[i]}{'ABC'[j]}"
    middle, half = own.estimates[j, i], own.critical_difference
    return {
        f"{name}_difference": (lambda: middle,),
        f"{name}_p": (lambda: own.pvalues[j, i], lambda: scipy.pvalue[j, i]),
        f"{name}_interval": (
            lambda: [middle - half, middle + half],
            lambda: [ends[j, i] for ends in scipy.confidence_interval()],
        ),
    }


def of_friedman(statistic: str, *, ties: bool) -> Any:
    return statistic_and_p(ours.friedman_test(TABLE, statistic=statistic, tie_correction=ties))


def demsars_statistics() -> list[float]:
    test = partial(ours.friedman_test, as_demsar_ranked(), tie_correction=False)
    return [test(statistic=name).statistic for name in ("chi2", "f")]


def nemenyi_error() -> float:
    own = ours.nemenyi_test(TABLE)
    return np.sqrt(2) * own.estimates[0, 1] / own.statistics[0, 1]


OF_TWO = partial(ours.signed_rank_test, WITH_M, TREE)
MANY_DATASETS: dict[str, tuple[Numbers, ...]] = {
    "differences": (lambda: OF_TWO().differences,),
    "ranks": (lambda: [rank_sum_of(i) for i in range(len(TABLE))],),
    "rank_sums": (lambda: attrgetter("rank_sum_a", "rank_sum_b")(OF_TWO()),),
    "smaller": (lambda: min(OF_TWO().rank_sum_a, OF_TWO().rank_sum_b),),
    "normal": (
        lambda: OF_TWO(method="normal").pvalue,
        lambda: stats.wilcoxon((WITH_M - TREE).round(6), zero_method="pratt", method="asymptotic").pvalue,
    ),
    "exact": (lambda: OF_TWO().pvalue, exact_signed_rank),
    "anova": (lambda: statistic_and_p(ours.anova_test(THREE, repeated=False)), lambda: [*stats.f_oneway(*THREE.T)]),
    **of_tukey(0, 1),
    **of_tukey(0, 2),
    **of_tukey(1, 2),
    "voting": (lambda: ours.friedman_test(TABLE[VOTING : VOTING + 1]).means,),
    "chi2_ties": (lambda: of_friedman("chi2", ties=True), lambda: [*stats.friedmanchisquare(*TABLE.T)]),
    "chi2": (lambda: of_friedman("chi2", ties=False), lambda: [friedman(), stats.chi2.sf(friedman(), 3)]),
    "f": (lambda: of_friedman("f", ties=False), lambda: f_of_chi2(friedman())),
    "f_ties": (
        lambda: of_friedman("f", ties=True),
        lambda: f_of_chi2(stats.friedmanchisquare(*TABLE.T).statistic),
    ),
    "demsar": (demsars_statistics, lambda: (9.28, 3.69)),
    "rank_error": (nemenyi_error, error_of_ranks),
    "critical": (
        lambda: ours.critical_difference(4, 14),
        lambda: stats.studentized_range.ppf(0.95, 4, np.inf) * error_of_ranks() / np.sqrt(2),
    ),
    **{name: both for pair in range(6) for name, both in of_pair(pair).items()},
    **{correction: of_dunn(correction) for correction in ("bonferroni", "holm", "hochberg")},
    "control": (
        lambda: ours.control_test(TABLE, control=0, correction="bonferroni").pvalues,
        lambda: [min(1, 3 * 2 * stats.norm.sf(z_of_ranks(0, i))) for i in (1, 2, 3)],
    ),
    "formula": (lambda: ours.corrected_t_test(FIRST, SECOND, test_fraction=0.2).pvalue, lambda: corrected(2)),
    "bayes": (
        lambda: ours.correlated_t_posterior(FIRST, SECOND, test_fraction=0.2).left,
        lambda: corrected(1),
    ),
}


# ---- Zeil's slides: what to measure, one data set, several classifiers, several data sets -----------------------

# The slides have no data: 36 samples that one of two classifiers alone gets right, of 100.
RIGHT_A = np.repeat([True, True, False, False], [59, 25, 11, 5])
RIGHT_B = np.repeat([True, False, True, False], [59, 25, 11, 5])


def fewest_samples() -> int:
    """Without an error, to call the error rate less than 2% at the level 5%."""
    return next(n for n in count(1) if ours.error_rate_test(0, n, threshold=0.02).pvalue <= 0.05)


ML_EXPERIMENTS: dict[str, tuple[Numbers, ...]] = {
    "fewest": (fewest_samples, lambda: math.ceil(math.log(0.05) / math.log(0.98))),
    "errors": (
        lambda: ours.error_rate_test(3, 500, threshold=0.02).pvalue,
        lambda: stats.binom.cdf(3, 500, 0.02),
    ),
    "mcnemar": (
        lambda: statistic_and_p(ours.mcnemar_test(RIGHT_A, RIGHT_B, method="chi2_corrected")),
        lambda: statistic_and_p(mcnemar([[59, 25], [11, 5]], exact=False)),
    ),
    "midp": (
        lambda: ours.mcnemar_test(RIGHT_A, RIGHT_B).pvalue,
        lambda: 2 * stats.binom.cdf(11, 36, 0.5) - stats.binom.pmf(11, 36, 0.5),
    ),
    "anova_df": (
        lambda: ours.anova_test(np.random.default_rng(0).normal(size=(5, 3)), repeated=False).df,
        lambda: (3 - 1, 3 * (5 - 1)),
    ),
    "sign": (
        lambda: attrgetter("wins", "n_used", "pvalue")(ours.sign_test(WITH_M, TREE)),
        lambda: (sum(WITH_M > TREE), sum(WITH_M != TREE), stats.binomtest(sum(WITH_M > TREE), 12).pvalue),
    ),
    "kruskal": (lambda: statistic_and_p(ours.kruskal_test(TABLE)), lambda: [*stats.kruskal(*TABLE.T)]),
}


# ---- the page ---------------------------------------------------------------------------------------------------

# By the mark of its table: the heading of a document's section, what it is, and what gives its numbers.
DOCUMENTS = {
    "joint_analysis": ("Benavoli and de Campos", "paper", JOINT_ANALYSIS),
    "course_slides": ("CS 478", "slides of a course", COURSE_SLIDES),
    "two_algorithms": ("Refaeilzadeh", "lecture", TWO_ALGORITHMS),
    "ml_experiments": ("Zeil", "slides of a course", ML_EXPERIMENTS),
    "many_datasets": ("Article on Demsar", "article on the web", MANY_DATASETS),
}


@cache
def rows_of(mark: str) -> tuple[Row, ...]:
    """Of a document, in its order."""
    every = (row for row in read_rows(DATA / "sources.csv") if row["document"] == mark)
    return tuple(Row(row, *DOCUMENTS[mark][2][row["name"]]) for row in every)


def _listed(numbers: tuple[str, ...]) -> str:
    """Long ones cut, all alike once."""
    values = tuple(number if len(number) <= LONGEST else f"{number[:LONGEST]}…" for number in numbers)
    return f"{values[0]}, {len(values)} times" if len(set(values)) == 1 and len(values) > 2 else ", ".join(values)


def section(mark: str) -> str:
    """The table of a document."""
    lines = []
    for row in rows_of(mark):
        at = row.of["lines"]
        words = f"{row.of['where']} ({'lines' if '-' in at else 'line'} {at})", f"{row.of['what']} (`{row.of['by']}`)"
        lines.append((*words, _listed(row.numbers) or "-", _listed(row.shown), row.said))
    first, *rest = table(("Where", "What", "Printed", "skcompare", "Remark"), 2, lines).splitlines()
    return "\n".join([first, "| --- | --- | ---: | ---: | --- |", *rest[1:]])


def link(mark: str) -> str:
    """To the section of a document, as MyST and GitHub make anchors of headings."""
    name = DOCUMENTS[mark][0]
    return f"[{name}](#{re.sub(r'[^a-z0-9 -]', '', name.lower()).replace(' ', '-')})"


def _sums(rows: tuple[Row, ...]) -> tuple[int, int, int, int]:
    """Numbers that are printed, that are equal, that differ, and that are not printed."""
    printed, different = sum(len(row.numbers) for row in rows), sum(row.n_different for row in rows)
    return printed, printed - different, different, sum(len(row.values) for row in rows if not row.numbers)


def all_counts() -> str:
    """How many numbers, how many equal, and why the others differ."""
    printed, equal, different, more = _sums(tuple(row for mark in DOCUMENTS for row in rows_of(mark)))
    words = (
        f"They print {printed} numbers that a function of skcompare can give. **{equal} are equal** to all digits that "
        f"are printed (where 16 are, to the first 12), and **{different} differ**. Where a document prints rates "
        f"without their data, as two slides do, data with these rates were made. {more} more follow from their data or "
        "formulas and are not printed; ours are checked with other software or by hand."
    )
    found: dict[tuple[str, str], list[Row]] = {}
    for mark in DOCUMENTS:
        for row in rows_of(mark):
            if row.n_different:
                found.setdefault((link(mark), row.of["why"]), []).append(row)
    reasons = "\n".join(
        line(sum(r.n_different for r in own), f"{to}: {', '.join(dict.fromkeys(r.of['where'] for r in own))}", why)
        for (to, why), own in found.items()
    )
    sums = ((link(mark), kind, *_sums(rows_of(mark))) for mark, (_, kind, _) in DOCUMENTS.items())
    by_document = table(("Document", "Kind", "Printed", "Equal", "Differ", "Not printed"), 2, sums)
    return f"{words}\n\n{by_document}\n\n| Numbers that differ | Where | Why |\n| ---: | --- | --- |\n{reasons}"


TABLES = {"counts": all_counts} | {mark: partial(section, mark) for mark in DOCUMENTS}


def main() -> None:
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8"), TABLES), encoding="utf-8")


if __name__ == "__main__":
    main()
