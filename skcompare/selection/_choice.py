"""Choice: which candidate a rule chose, why and at what price; and what all refit rules share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from skcompare._core.numbers import percent_of
from skcompare._core.printable import one_line
from skcompare._core.record import Record, few
from skcompare._core.validation import FloatArray, check_number
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference._base import ROUNDING, corrected_t, paired_differences
from skcompare.inference._overlap import Correction
from skcompare.selection._candidates import Candidates, Scored, of_search

INTERVAL = 0.95


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Choice(Record):
    """Which candidate of a search, or estimator of an evaluation, a rule chose.

    Attributes
    ----------
    name : str
        The chosen one: its parameters in words, or the estimator's name.
    index : int
        Its position in ``cv_results_``, or among the estimators.
    params : mapping of str to object
        Its parameters.
    best_name, best_index, best_params : str, int, mapping
        The same of the one with the best mean score.
    metric : str
        What decides, and what `difference` is about; the first of several.
    difference : float
        Mean score of the chosen less that of the best, in score units: at most 0, but at least 0 of a cost, of which
        less is better.
    low, high : float or None
        95% interval of that difference, of these two alone, by the default t test of the splits; both 0 where the best
        is chosen,
        None where the rule does without the test fraction and it is not known.
    candidates : tuple of int
        Positions of those that the chosen one was taken from.
    rule : str
        The rule, as it was made.
    reason : str
        Why, in sentences.
    warnings : tuple of str
        Reasons to doubt the choice, each a code, a colon and a sentence.
    """

    name: str
    index: int
    params: Mapping[str, Any] = field(compare=False)  # estimators in it equal no copy of themselves
    best_name: str
    best_index: int
    best_params: Mapping[str, Any] = field(compare=False)
    metric: str
    difference: float
    low: float | None
    high: float | None
    candidates: tuple[int, ...]
    rule: str
    reason: str
    warnings: tuple[CodedWarning, ...] = ()

    def _sentence(self) -> str:
        return f"Use {self.name}. {self.reason}"


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Decision:
    """What a rule found, before it is told.

    Attributes
    ----------
    index : int
        Which of the scored candidates is chosen.
    kept : ndarray of bool of shape (n_scored,)
        Those that it was taken from.
    reason : str
        Why.
    correction : Correction or None
        Of the variance over the splits; None where it is not known.
    rope : float or None
        Largest loss that does not matter, in score units.
    warnings : tuple of CodedWarning
        Reasons to doubt it.
    """

    index: int
    kept: NDArray[np.bool_]
    reason: str
    correction: Correction | None
    rope: float | None = None
    warnings: tuple[CodedWarning, ...] = ()


@dataclass(frozen=True, repr=False)
class Rule(ABC):
    """A callable for ``GridSearchCV(refit=...)``; two with the same settings are equal.

    Attributes
    ----------
    choice_ : Choice
        What the last call chose; not there before it, nor in what `sklearn.base.clone` makes.
    """

    _made_by: ClassVar[str]  # the function that makes such a rule
    choice_: Choice = field(init=False, compare=False)

    def __call__(self, cv_results: Mapping[str, Any]) -> int:
        """Position of the chosen candidate in the ``cv_results_`` of a search."""
        choice = self.choose(of_search(cv_results))
        object.__setattr__(self, "choice_", choice)  # the settings stay frozen
        return choice.index

    def choose(self, candidates: Candidates) -> Choice:
        """The choice among candidates of a search or an evaluation."""
        scored = candidates.scored(self.deciding(candidates))
        if len(scored.places) > 1 or not candidates.found_worse(scored.metrics):
            return _told(repr(self), scored, self.decide(scored))
        # An evaluation that was ended early left one to choose, which takes no rule.
        reason = f"{scored.names[0]} is the only one left."
        only = Decision(index=0, kept=np.array([True]), reason=reason, correction=None)
        allowed_for = tuple(warning for warning in candidates.warnings if warning.code != Code.STOPPED.name)
        return _told(repr(self), replace(scored, candidates=replace(candidates, warnings=allowed_for)), only)

    @abstractmethod
    def asked(self) -> tuple[str, ...]:
        """The names of the metrics that it asks for; none where it takes what is there."""

    @abstractmethod
    def deciding(self, candidates: Candidates) -> tuple[int, ...]:
        """Positions of the metrics that decide."""

    @abstractmethod
    def decide(self, scored: Scored) -> Decision:
        """Choose among the candidates that have all scores by these metrics."""

    def __sklearn_clone__(self) -> Rule:
        return replace(self)

    def __repr__(self) -> str:
        settings = [f"{f.name}={getattr(self, f.name)!r}" for f in fields(self) if f.init]
        return one_line(f"{self._made_by}({', '.join(settings)})")


def check_fraction(test_fraction: Any) -> float | None:
    if test_fraction is None:
        return None
    return check_number(test_fraction, "test_fraction", low=0, high=1, closed="left")


def _told(rule: str, scored: Scored, decision: Decision) -> Choice:
    """The choice with its price, and a warning where that may matter."""
    candidates, metric = scored.candidates, scored.metrics[0]
    chosen, best = int(scored.places[decision.index]), int(scored.places[scored.best])
    greater = candidates.greater_is_better[metric]
    values = scored.values if greater else -scored.values  # as the metric is reported
    of_chosen, of_best = values[decision.index], values[scored.best]
    difference = float(of_chosen.mean() - of_best.mean())
    if abs(difference) <= ROUNDING * float(np.abs(values).max()):
        difference = 0.0
    low, high = (0.0, 0.0) if chosen == best else _interval(of_chosen, of_best, decision.correction)
    loss = None if low is None or high is None else -low if greater else high
    price = (
        f"It has the best mean {candidates.metrics[metric]}, {of_best.mean():.4g}: a difference of 0 to the best, "
        f"{percent_of(INTERVAL)} interval [0, 0]."
    )
    if chosen != best:
        interval = "" if low is None else f", {percent_of(INTERVAL)} interval [{low:+.3g}, {high:+.3g}]"
        price = (
            f"Its mean {candidates.metrics[metric]} is {of_chosen.mean():.4g}, that of the best, "
            f"{candidates.names[best]}, {of_best.mean():.4g}: a difference of "
            f"{f'{difference:+.3g}' if difference else '0'}{interval}."
        )
    return Choice(
        name=candidates.names[chosen],
        index=candidates.positions[chosen],
        params=candidates.params[chosen],
        best_name=candidates.names[best],
        best_index=candidates.positions[best],
        best_params=candidates.params[best],
        metric=candidates.metrics[metric],
        difference=difference,
        low=low,
        high=high,
        candidates=tuple(candidates.positions[i] for i in scored.places[decision.kept]),
        rule=rule,
        reason=f"{_so_far(scored)}{decision.reason} {price}",
        warnings=(*scored.warnings, *decision.warnings, *_loss(loss, decision.rope), *candidates.warnings),
    )


def _so_far(scored: Scored) -> str:
    """What an evaluation that was ended early found before the rule was asked: a sentence and a space, or nothing."""
    stopping = scored.candidates.stopping
    if stopping is None:
        return ""
    worse = scored.candidates.found_worse(scored.metrics)
    left_out = f"; found worse and left out: {few(worse)}" if worse else ""
    return f"After {stopping.n_repeats} of {stopping.max_repeats} repeats: {stopping.verdict}{left_out}. "


def _interval(
    chosen: FloatArray, best: FloatArray, correction: Correction | None
) -> tuple[float, float] | tuple[None, None]:
    """Of their difference, by the default t test of these two alone; None without a correction."""
    if correction is None:
        return None, None
    test = corrected_t(paired_differences(chosen, best), alternative="two-sided", **correction.options)
    interval = test.confidence_interval(INTERVAL)
    return interval.low, interval.high


def _loss(loss: float | None, rope: float | None) -> tuple[CodedWarning, ...]:
    """A warning where the chosen one may be worse than the best by more than does not matter."""
    if loss is None or rope is None or loss <= rope:
        return ()
    worse = f"it may be worse than the best by up to {loss:.3g} ({percent_of(INTERVAL)} interval)"
    return (Code.LOSS(f"{worse}, beyond the rope of {rope:g}."),)
