"""What a choice costs: how far the chosen candidate is from the best, in the words and numbers of a `Choice`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isnan, nan

import numpy as np
from numpy.typing import NDArray

from skcompare._core.record import few
from skcompare._core.validation import FloatArray
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference import corrected_t_test
from skcompare.inference._base import ROUNDING
from skcompare.selection._candidates import Candidates
from skcompare.selection._choice import Choice

INTERVAL = 0.95


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Chosen:
    """What a rule found, before it is told.

    Attributes
    ----------
    places : ndarray of shape (n_scored,)
        Which candidates have all scores.
    values : ndarray of shape (n_scored, n_splits)
        Their scores on the metric that decides, greater is better.
    metric : int
        Position of that metric.
    index, best : int
        Rows of the chosen one and of the one with the best mean.
    kept : ndarray of bool of shape (n_scored,)
        Those that the chosen one was taken from.
    test_fraction : float
        Test size over train plus test size; nan where it is not known.
    rope : float or None
        Largest loss that does not matter, in score units.
    """

    places: NDArray[np.intp]
    values: FloatArray
    metric: int
    index: int
    best: int
    kept: NDArray[np.bool_]
    test_fraction: float
    rope: float | None = None


def told(rule: str, candidates: Candidates, found: Chosen, reason: str, warnings: tuple[CodedWarning, ...]) -> Choice:
    """The choice with its price, and a warning where that may matter."""
    chosen, best = int(found.places[found.index]), int(found.places[found.best])
    greater = candidates.greater_is_better[found.metric]
    low, high = _interval(found, greater)
    return Choice(
        name=candidates.names[chosen],
        index=candidates.positions[chosen],
        params=candidates.params[chosen],
        best_name=candidates.names[best],
        best_index=candidates.positions[best],
        best_params=candidates.params[best],
        metric=candidates.metrics[found.metric],
        difference=_difference(found, greater),
        low=low,
        high=high,
        candidates=tuple(candidates.positions[i] for i in found.places[found.kept]),
        rule=rule,
        reason=f"{reason} {_in_words(candidates, found)}",
        warnings=(*warnings, *_loss(found), *candidates.warnings),
    )


def so_far(candidates: Candidates, metrics: Sequence[int]) -> str:
    """What an evaluation that was ended early found before the rule was asked: a sentence and a space, or nothing."""
    stopping = candidates.stopping
    if stopping is None:
        return ""
    worse = candidates.found_worse(metrics)
    left_out = f"; found worse and left out: {few(worse)}" if worse else ""
    return f"After {stopping.n_repeats} of {stopping.max_repeats} repeats: {stopping.verdict}{left_out}. "


def is_last(candidates: Candidates, metrics: Sequence[int], places: NDArray[np.intp]) -> bool:
    """Whether an evaluation that was ended early left one to choose."""
    return len(places) == 1 and bool(candidates.found_worse(metrics))


def last_one(
    rule: str,
    candidates: Candidates,
    metric: int,
    places: NDArray[np.intp],
    scores: FloatArray,
    warnings: tuple[CodedWarning, ...],
) -> Choice:
    """The choice of the only one left, which takes no rule."""
    kept = np.array([True])
    found = Chosen(places=places, values=scores[:, :, 0], metric=metric, index=0, best=0, kept=kept, test_fraction=nan)
    reason = f"{so_far(candidates, [metric])}{candidates.names[places[0]]} is the only one left."
    allowed_for = tuple(warning for warning in candidates.warnings if warning.code != Code.STOPPED.name)
    return told(rule, replace(candidates, warnings=allowed_for), found, reason, warnings)


def _difference(found: Chosen, greater: bool) -> float:
    """Mean of the chosen less that of the best, as the metric is reported."""
    values = found.values if greater else -found.values
    difference = float(values[found.index].mean() - values[found.best].mean())
    return 0.0 if abs(difference) <= ROUNDING * float(np.abs(values).max()) else difference


def _interval(found: Chosen, greater: bool) -> tuple[float, float] | tuple[None, None]:
    """Of that difference, by the corrected t test of these two alone."""
    if found.index == found.best:
        return 0.0, 0.0
    if isnan(found.test_fraction):
        return None, None
    values = found.values if greater else -found.values
    test = corrected_t_test(values[found.index], values[found.best], test_fraction=found.test_fraction)
    interval = test.confidence_interval(INTERVAL)
    return interval.low, interval.high


def _in_words(candidates: Candidates, found: Chosen) -> str:
    """The means of the two, and what lies between them."""
    greater = candidates.greater_is_better[found.metric]
    values = found.values if greater else -found.values
    metric, leader = candidates.metrics[found.metric], candidates.names[found.places[found.best]]
    mean, of_best = values[found.index].mean(), values[found.best].mean()
    if found.index == found.best:
        return f"It has the best mean {metric}, {of_best:.4g}."
    difference, (low, high) = _difference(found, greater), _interval(found, greater)
    interval = "" if low is None else f", {INTERVAL:.0%} interval [{low:+.3g}, {high:+.3g}]"
    return (
        f"Its mean {metric} is {mean:.4g}, that of the best, {leader}, {of_best:.4g}: a difference of "
        f"{f'{difference:+.3g}' if difference else '0'}{interval}."
    )


def _loss(found: Chosen) -> tuple[CodedWarning, ...]:
    """A warning where the chosen one may be worse than the best by more than does not matter."""
    low, _ = _interval(found, greater=True)
    if low is None or found.rope is None or -low <= found.rope:
        return ()
    return (
        Code.LOSS(
            f"it may be worse than the best by up to {-low:.3g} ({INTERVAL:.0%} interval), beyond the rope of "
            f"{found.rope:g}."
        ),
    )
