"""Choice: which candidate a rule chose, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from skcompare._core.record import Record
from skcompare._core.warnings import CodedWarning


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
        95% interval of that difference, of these two alone, by the corrected t test; both 0 where the best is chosen,
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

    def __str__(self) -> str:
        return self.reason

    def _sentence(self) -> str:
        return self.reason
