"""Intervals from a bootstrap distribution, bias-corrected and accelerated (Efron 1987), expanded for small samples."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy import special

from skcompare._core.validation import FloatArray
from skcompare.inference.outcomes._predictions import Read, SummedPredictions


def limits(
    distribution: FloatArray, tail: float, bias: float, acceleration: float, n_units: int | None = None
) -> tuple[float, float]:
    """The limits that leave out `tail` on each side; plain percentiles where the acceleration is nan.

    With the number of units they are expanded (Hesterberg 2015): a quantile of t in place of the normal one, with the
    standard deviation of the units in place of the one that a bootstrap has.
    """
    levels = np.array([tail, 1 - tail])
    if not np.isnan(acceleration):
        z = special.ndtri(levels)
        if n_units is not None:
            z = special.stdtrit(n_units - 1, levels) * (n_units / (n_units - 1)) ** 0.5
        levels = _bca_levels(z, bias, acceleration)
    low, high = np.quantile(distribution, levels).tolist()
    return low, high


def bca_interval(predictions: Read, n_draws: int, seed: int, tail: float) -> tuple[float, float]:
    """The limits for the difference that is resampled; nan with fewer than two units."""
    if predictions.n_units < 2:
        return float("nan"), float("nan")
    distribution, bias, acceleration = _drawn(predictions, n_draws, seed)
    return limits(distribution, tail, bias, acceleration, predictions.n_units)


@lru_cache(maxsize=1)  # intervals of one record at several levels are asked for one after the other
def _drawn(predictions: Read, n_draws: int, seed: int) -> tuple[FloatArray, float, float]:
    """The distribution that has all levels, its bias correction and its acceleration."""
    scores = predictions.scores()
    distribution = predictions.resampled(n_draws, np.random.default_rng(seed))
    if isinstance(predictions, SummedPredictions) and _is_symmetric(
        predictions
    ):  # either order of the models is the same
        distribution = np.concatenate([distribution, -distribution])
    noise = scores.noise(distribution)
    return distribution, *bca_constants(predictions, distribution, scores.a - scores.b, noise)


def bca_constants(predictions: Read, distribution: FloatArray, estimate: float, noise: float) -> tuple[float, float]:
    """Efron (1987): the bias correction z0 and the acceleration a; nan where either is not finite."""
    undefined = float("nan"), float("nan")
    equal = np.count_nonzero(np.abs(distribution - estimate) <= noise)
    below = np.count_nonzero(distribution < estimate - noise)
    share = (below + equal / 2) / len(distribution)
    if equal == len(distribution) or not 0 < share < 1:
        return undefined
    left_out, counts = predictions.without_one()
    if not left_out.size:
        return float(special.ndtri(share)), 0.0
    influence = np.average(left_out, weights=counts) - left_out
    if np.abs(influence).max() <= noise:
        return undefined
    influence /= np.abs(influence).max()
    acceleration = (counts @ influence**3) / (6 * (counts @ influence**2) ** 1.5)
    return float(special.ndtri(share)), float(acceleration)


def _bca_levels(quantiles: FloatArray, bias: float, acceleration: float) -> FloatArray:
    """Efron (1987), equation 2.3: the percentiles that the limits are."""
    z = bias + quantiles
    shrink = 1 - acceleration * z
    # beyond its pole the formula has no meaning; the limit on this side of it is an end of the distribution
    beyond = shrink <= 0
    return np.where(beyond, z > 0, special.ndtr(bias + z / np.where(beyond, 1, shrink))).astype(np.float64)


def _is_symmetric(predictions: SummedPredictions) -> bool:
    """Whether the two models may be called by each other's name, as far as the kinds of units tell."""
    columns = [(predictions.terms_a, predictions.terms_b), (predictions.terms_b, predictions.terms_a)]
    one, other = (np.column_stack([*terms, predictions.counts]).tolist() for terms in columns)
    return sorted(one) == sorted(other)
