"""Which model wins a weighted sum of its means on two or three metrics, for all weights: no test, and no choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import compress

import numpy as np

from skcompare._core.record import Frozen
from skcompare._core.validation import BoolArray, FloatArray, Positions, check_choice, check_number
from skcompare.inference._records import ROUNDING
from skcompare.inference.dominance.posterior import pareto_optimal

RANGE = "range"
Scale = str | Mapping[str, float]


class WinnersByWeights(Frozen):
    """The weights with which each model wins.

    Attributes
    ----------
    names : tuple of str
        The models that have scores of every metric.
    left_out : tuple of str
        The others.
    units : ndarray of shape (n_metrics,)
        The difference on each metric that counts as 1.
    share : ndarray of shape (n_models,)
        The part of all weights with which each wins, in [0, 1].
    first : ndarray of int of shape (n_models,)
        The first model with the same means; its own place where there is none.
    weights : ndarray of shape (n_vertices, n_metrics)
        The corners of the regions of weights, each row summing to 1.
    winner : ndarray of int of shape (n_vertices,)
        The model whose region each is a corner of.
    """

    names: tuple[str, ...]
    left_out: tuple[str, ...]
    units: FloatArray
    share: FloatArray
    first: Positions
    weights: FloatArray
    winner: Positions


def winners_of(merits: FloatArray, models: Sequence[str], metrics: Sequence[str], scale: Scale) -> WinnersByWeights:
    """The winner of the weighted sum of the means, turned so that more is better, for every weight of the metrics.

    `merits` has shape (n_models, n_metrics).

    Raises
    ------
    ValueError
        If the scale does not fit the metrics, or fewer than two models have scores of every metric.
    """
    known: BoolArray = np.all(np.isfinite(merits), axis=1)
    if known.sum() < 2:
        raise ValueError(f"two or more models must have scores of {', '.join(map(repr, metrics))}")
    merits = merits[known]
    units = _units(scale, metrics, merits)
    with np.errstate(over="ignore"):
        values = (merits - merits.max(axis=0)) / units  # 0 is the best, so that large means lose no digits
    if not np.isfinite(values).all():
        raise ValueError(f"scale must not be so small that differences of {1e300:g} of it and more occur; got {scale}")
    noise = ROUNDING * max(1.0, float(np.abs(values).max()))
    rounding, optimal = ROUNDING * np.abs(merits), pareto_optimal(merits)
    equal = (np.abs(merits - one) <= rounding + own for one, own in zip(merits, rounding, strict=True))
    first = np.array([alike.all(axis=1).argmax() for alike in equal])
    on_front = [i for i in np.unique(first).tolist() if optimal[i]]  # others win with almost no weights
    share, corners, winner = np.zeros(len(values)), [], []
    everything = np.eye(len(metrics))
    for i in on_front:
        region = _region(values[i] - values[on_front], noise, everything)
        part = _size(region) / _size(everything)
        if part > ROUNDING:
            share[first == i] = part
            corners.append(region)
            winner += [i] * len(region)
    return WinnersByWeights(
        names=(*compress(models, known),),
        left_out=(*compress(models, ~known),),
        units=units,
        share=share,
        first=first,
        weights=np.concatenate(corners),
        winner=np.array(winner),
    )


def _units(scale: Scale, metrics: Sequence[str], merits: FloatArray) -> FloatArray:
    """What counts as a difference of 1 on each metric; 1 where all models are equal."""
    if isinstance(scale, Mapping):
        for name in scale:
            check_choice(name, "scale", metrics)
        if lacking := [name for name in metrics if name not in scale]:
            raise ValueError(f"scale must have a difference for every metric; it lacks {lacking[0]!r}")
        return np.array(
            [check_number(scale[name], f"scale[{name!r}]", low=0, high=np.inf, closed="neither") for name in metrics]
        )
    if scale != RANGE:
        raise ValueError(f"scale must be {RANGE!r} or a mapping of every metric to a difference; got {scale!r:.80}")
    spread = np.ptp(merits, axis=0)
    return np.where(spread <= ROUNDING * np.abs(merits).max(axis=0), 1.0, spread)


def _region(leads: FloatArray, noise: float, region: FloatArray) -> FloatArray:
    """The corners of that part of a region of weights in which no lead over another model is negative, in order."""
    for ahead in leads:
        there = region @ ahead
        there[np.abs(there) <= noise] = 0.0
        kept: list[FloatArray] = []
        for k in range(len(region)):
            after = (k + 1) % len(region)
            if there[k] >= 0:
                kept.append(region[k])
            if there[k] * there[after] < 0:
                part = there[k] / (there[k] - there[after])
                kept.append((1 - part) * region[k] + part * region[after])
        if not kept:
            return region[:0]
        region = np.array(kept)
        apart = np.abs(region - np.roll(region, 1, axis=0)).max(axis=1) > ROUNDING
        region = region[apart] if apart.any() else region[:1]
    return region


def _size(region: FloatArray) -> float:
    """The length of a segment of weights of two metrics, the area of a polygon of those of three."""
    if len(region) < region.shape[1]:
        return 0.0
    x, y = region[:, 0], region[:, 1]
    if region.shape[1] == 2:
        return float(np.ptp(x))
    return float(abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))) / 2
