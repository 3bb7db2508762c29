"""Benavoli and de Campos (2016): several measures at once."""

from __future__ import annotations

from functools import cache
from math import exp, gamma, log, prod

from scipy import integrate, special, stats

from benchmarks.sources.row import Check, Document, Remark, Row
from skcompare.inference import dominance_counts, dominance_posterior, dominance_test

# Example 1: accuracy in percent and seconds of A and of B on 12 data sets.
A = list(zip([85, 87, 87, 91, 91, 91, *[94] * 6], [8, 11, 11, 12, 12, 12, *[16] * 6], strict=True))
B = list(zip([84, 86, 86, 92, 92, 92, *[95] * 6], [9, 10, 10, 13, 13, 13, *[15] * 6], strict=True))

DRAWN = Remark(
    "The paper counts random draws from the posterior and does not say how many; skcompare integrates, and its "
    "probabilities are exact. The most probable statement is the paper's.",
    "drawn at random in the paper, integrated here",
)
FEW = Remark(
    "The chi-squared law holds for many cases and is too small on nine. skcompare decides on the exact p-value of the "
    "two largest counts. By both, B cannot be called better on both measures.",
)


def counts() -> list[float]:
    """Of B against A; less time is better."""
    return dominance_counts(B, A, greater_is_better=(True, False)).tolist()


def likelihood_ratio(own: list[float]) -> float:
    """Lambda of Theorem 1: the statistic is -2 times its logarithm."""
    return exp(-dominance_test(own).statistic / 2)


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
        "Example 3",
        "27",
        f"probability that B is {sign[k // 2]} on accuracy and {sign[k % 2]} on time",
        "dominance_posterior",
        lambda: dominance_posterior(counts()).probabilities[k],
        ("0.013", "0.051", "0.136", "0.80")[k],
        Check("scipy's quad", lambda: largest(1.25, 2.25, 3.25, 6.25)[k]),
        DRAWN if k < 3 else None,
    )


def wins(metric: int, greater_is_better: bool) -> list[float]:
    """1 for every data set on which B is better."""
    pairs = zip(A, B, strict=True)
    return [dominance_counts([[b[metric]]], [[a[metric]]], greater_is_better)[1] for a, b in pairs]


ROWS = (
    Row(
        "Example 1",
        "21",
        "where B is better on accuracy, by data set",
        "dominance_counts",
        lambda: wins(0, True),
        "0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1",
    ),
    Row(
        "Example 1",
        "21",
        "where B is better on time",
        "dominance_counts",
        lambda: wins(1, False),
        "0, 1, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1",
    ),
    Row(
        "Example 1",
        "21",
        "data sets on which B is worse on both, better on time alone, on accuracy alone, on both",
        "dominance_counts",
        counts,
        "1, 2, 3, 6",
    ),
    Row(
        "Example 2",
        "25",
        "the two largest counts",
        "dominance_test",
        lambda: [getattr(dominance_test(counts()), name) for name in ("n_winner", "n_runner_up")],
        "6, 3",
    ),
    Row(
        "Example 2",
        "25",
        "λ of Theorem 1",
        "dominance_test",
        lambda: likelihood_ratio(counts()),
        "0.6",
        Check("4.5⁹ / (6⁶ 3³)", lambda: 4.5**9 / (6**6 * 3**3)),
    ),
    Row(
        "Example 2",
        "25",
        "p-value from the chi-squared law",
        "dominance_test",
        lambda: dominance_test(counts()).pvalue_chi2,
        "0.313",
        Check("scipy's chi2", lambda: stats.chi2.sf(-2 * log(4.5**9 / (6**6 * 3**3)), 1)),
    ),
    Row(
        "Example 2",
        "25",
        "the p-value that skcompare decides on",
        "dominance_test",
        lambda: dominance_test(counts()).pvalue,
        check=Check("scipy's binomtest", lambda: stats.binomtest(6, 9).pvalue),
        remark=FEW,
    ),
    Row(
        "After Theorem 1",
        "25",
        "λ and −2 log λ where the two largest counts are equal",
        "dominance_test",
        lambda: (likelihood_ratio([1, 2, 4, 4]), dominance_test([1, 2, 4, 4]).statistic),
        "1, 0",
    ),
    *map(probability, range(4)),
    Row(
        "Proposition 1",
        "27",
        "sum of these probabilities",
        "dominance_posterior",
        lambda: dominance_posterior(counts()).probabilities.sum(),
        "1",
    ),
    Row(
        "Section 4",
        "25",
        "probability of the last statement with the Jeffreys prior that the paper mentions",
        "dominance_posterior",
        lambda: dominance_posterior(counts(), prior=0.5).probabilities[3],
        check=Check("scipy's quad", lambda: largest(1.5, 2.5, 3.5, 6.5)[3]),
    ),
)

DOCUMENT = Document(
    "Benavoli and de Campos",
    "paper",
    "Statistical tests for joint analysis of performance measures",
    "A. Benavoli and C. P. de Campos (2016), in Advanced Methodologies for Bayesian Networks, Lecture Notes in "
    "Computer Science 9505, 76-92, [doi:10.1007/978-3-319-28379-1_6](https://doi.org/10.1007/978-3-319-28379-1_6). "
    "The text ends in the fifth section.",
    "The paper compares B with A, so its example is the call with the two swapped: `dominance_counts(B, A, "
    "greater_is_better=(True, False))` of accuracy and time. The page [on several metrics](dominance.md) explains the "
    "tests.",
    ROWS,
    (
        "Table 1, complexity and accuracy of networks: its digits have run together and cannot be separated.",
        "Theorem 2, where the error rate is largest: its symbols are lost. "
        "[The measured sizes](benchmarks.md) are ours.",
        "Section 5, networks of measures: only its definitions are there. `dominance_network` has no number to meet.",
    ),
)
