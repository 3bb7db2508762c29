"""The procedures of the calibration study, written out for all data sets at once."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache

import numpy as np
from scipy import special

from benchmarks.fast_learners import Array
from skcompare.inference import (
    dominance_counts,
    dominance_network,
    dominance_posterior,
    dominance_test,
    effective_cases,
    full_dominance_test,
    max_t_test,
)
from skcompare.inference._overlap import OVERLAP, Correction

FOLDS = {"10-fold": (1, 10), "5-fold": (1, 5), "10x10": (10, 10), "10x5": (10, 5), "5x2": (5, 2)}
FRACTIONS = {design: 1 / folds for design, (_, folds) in FOLDS.items()} | {"30 resamples": 1 / 3}


def t_pvalues(d: Array, scale: float, df: float, spread: Array | None = None) -> Array:
    """Two-sided p of ``mean / (spread * scale)`` by rows; 1 where all differences are 0."""
    mean, spread = d.mean(axis=1), d.std(axis=1, ddof=1) if spread is None else spread
    mean = np.where(np.abs(mean) < 1e-12, 0.0, mean)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(mean == 0, 1.0, 2 * special.stdtr(df, -np.abs(mean) / (spread * scale)))


def correction(n: int, fraction: float, share: float = 1.0) -> float:
    return float((1 / n + share * fraction / (1 - fraction)) ** 0.5)


def fold_pvalues(d: Array, design: str) -> dict[str, Array]:
    """p by procedure, each of shape (n_datasets,), from the differences of one metric (n_datasets, n_splits)."""
    n, fraction = d.shape[1], FRACTIONS[design]
    repeats, folds = FOLDS.get(design, (n, 1))
    found = {
        "corrected_t_test": t_pvalues(d, correction(n, fraction), n - 1),
        "paired_t_test": t_pvalues(d, n**-0.5, n - 1),
    }
    if repeats == 1:
        found["k_fold_t_test"] = t_pvalues(d, correction(n, fraction, OVERLAP), n - 1)
    if design == "10x10":
        sorted_runs = np.sort(d.reshape(-1, repeats, folds), axis=2).mean(axis=1)
        found["calibrated_t_test"] = t_pvalues(d, 11**-0.5, 10)
        found["calibrated_t_test, sorted runs"] = t_pvalues(d, 11**-0.5, 10, sorted_runs.std(axis=1, ddof=1))
    if design == "5x2":
        found |= five_by_two(d)
    if n <= 10:
        found["permutation_test"] = sign_flips(d)
    return found


def five_by_two(d: Array) -> dict[str, Array]:
    pairs = d.reshape(-1, 5, 2)
    variance = ((pairs - pairs.mean(axis=2, keepdims=True)) ** 2).sum(axis=2)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(d[:, 0] == 0, 0.0, d[:, 0] / np.sqrt(variance.mean(axis=1)))
        f = np.where((d == 0).all(axis=1), 0.0, (d**2).sum(axis=1) / (2 * variance.sum(axis=1)))
    return {
        "five_by_two_t_test": 2 * special.stdtr(5, -np.abs(t)),
        "five_by_two_f_test": special.fdtrc(10, 5, f),
        "blocked_m_by_two_test": t_pvalues(d, 1.0, 9, d.std(axis=1)),
    }


def sign_flips(d: Array) -> Array:
    """Exact two-sided p of the mean."""
    n = d.shape[1]
    signs = 1 - 2 * ((np.arange(2**n)[:, None] >> np.arange(n)) & 1)
    tolerance = 1e-9 * np.abs(d).sum(axis=1)
    return np.array(
        [(np.abs(signs @ row) >= np.abs(row.sum()) - slack).mean() for row, slack in zip(d, tolerance, strict=True)]
    )


def joint_pvalues(d: Array, design: str, *, costly: bool) -> dict[str, Array]:
    """p by procedure from the differences of several metrics, (n_datasets, n_splits, n_metrics).

    On one run with the part of the correction that the default takes there.
    """
    n, m, fraction = d.shape[1], d.shape[2], FRACTIONS[design]
    part = OVERLAP if FOLDS.get(design, (n, 1))[0] == 1 else 1.0
    correlation = Correction(test_fraction=fraction, overlap=part).fold_correlation
    found: dict[str, list[float]] = defaultdict(list)
    worth = min(effective_cases(n, correlation), n)
    for i, one in enumerate(d):
        counts = dominance_counts(one, 0 * one)
        inner = tuple(np.sort(counts).tolist())  # which statement has which count plays no part
        for name, p in _dominance(inner, worth).items():
            found[name].append(p)
        found["full_dominance_test"].append(_full_dominance(float(counts[0]), float(counts[-1]), n, worth))
        if costly:
            found["dominance_posterior over 95%"].append(_posterior(inner, worth))
            drawn = max_t_test(one, 0 * one, test_fraction=fraction, overlap=part, n_resamples=399, rng=i)
            found["max_t_test"].append(drawn.pvalue)
        if costly and design == "10x10":
            network = dominance_network(one, 0 * one, n_effective=worth, n_draws=200, rng=i)
            found["dominance_network"].append(network.pvalue)
    arrays = {name: np.array(values) for name, values in found.items()}
    t = np.stack([t_pvalues(d[:, :, j], correction(n, fraction, part), n - 1) for j in range(m)], axis=1)
    ahead = np.where(d.mean(axis=1) > 0, t / 2, 1 - t / 2)
    arrays["intersection_union_test"] = np.minimum(1, 2 * np.minimum(ahead.max(axis=1), (1 - ahead).max(axis=1)))
    if n > m:
        arrays["hotelling_test"] = hotelling(d, correction(n, fraction, part))
    return arrays


@lru_cache(maxsize=2**16)
def _dominance(counts: tuple[float, ...], worth: float) -> dict[str, float]:
    test = dominance_test(counts, n_effective=worth)
    return {
        "dominance_test": test.pvalue,
        "dominance_test, chi2": test.pvalue_chi2,
        "dominance_test, exact": test.pvalue_exact,
        "dominance_test, folds uncorrected": dominance_test(counts).pvalue,
    }


@lru_cache(maxsize=2**16)
def _full_dominance(none: float, every: float, n: int, worth: float) -> float:
    return full_dominance_test([none, (n - none - every) / 2, (n - none - every) / 2, every], worth).pvalue


@lru_cache(maxsize=2**16)
def _posterior(counts: tuple[float, ...], worth: float) -> float:
    """Below every level where the most probable statement has more than 95%."""
    return float(dominance_posterior(counts, n_effective=worth).probabilities.max() <= 0.95)


def hotelling(d: Array, scale: float) -> Array:
    """With standard errors of `scale` deviations; 1 where the covariance is singular and the procedure gives no p."""
    n, m = d.shape[1:]
    spread = d.std(axis=1, ddof=1)
    sound = (spread > 1e-12).all(axis=1)
    scaled = np.where(sound[:, None, None], d / np.where(spread > 0, spread, 1)[:, None], 0)
    mean = scaled.mean(axis=1)
    residual = scaled - mean[:, None]
    values, axes = np.linalg.eigh(np.einsum("nsi,nsj->nij", residual, residual) / (n - 1))
    sound &= values[:, 0] > 1e-12
    distance = (np.einsum("ni,nij->nj", mean, axes) ** 2 / np.where(sound[:, None], values, 1)).sum(axis=1)
    f = (n - m) / (m * (n - 1)) * distance / scale**2
    return np.where(sound, special.fdtrc(m, n - m, f), 1.0)
