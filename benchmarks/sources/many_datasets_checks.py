"""The data of the article on Demsar (2006), and what others than skcompare give on it."""

from __future__ import annotations

import csv
from functools import cache
from itertools import combinations, permutations, product
from pathlib import Path
from typing import Any

import numpy as np
from scipy import integrate, special, stats
from statsmodels.stats.multitest import multipletests

# Areas under the ROC curve on 14 data sets, in three decimals: C4.5, with m tuned, with cf tuned, with both.
with (Path(__file__).parents[2] / "docs" / "data" / "demsar_2006_auc.csv").open(encoding="utf-8", newline="") as stream:
    TABLE = np.array([[float(cell) for cell in line[1:]] for line in list(csv.reader(stream))[1:]])
TREE, WITH_M = TABLE[:, 0], TABLE[:, 1]
VOTING = 12
PAIRS = tuple(combinations(range(4), 2))
# The example of the analysis of variance: three algorithms, five scores each.
THREE = np.array(
    [
        [24.5, 23.5, 26.4, 27.1, 29.9],
        [28.4, 34.2, 29.5, 32.2, 30.1],
        [26.1, 28.3, 24.3, 26.2, 27.8],
    ]
).T


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


def critical_difference() -> float:
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
