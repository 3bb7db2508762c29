"""What the pictures of a search read of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from skcompare._core.validation import FloatArray
from skcompare.inference.fold_scores.selection_bias import SelectionBiasResult


class RankedCandidate(Protocol):
    """One candidate, in the ranking by the deciding metric; numbers are nan where it failed."""

    @property
    def rank(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def mean(self) -> float: ...
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...
    @property
    def pvalue(self) -> float: ...
    @property
    def significantly_different(self) -> bool: ...


class Effect(Protocol):
    """What one parameter does to the deciding metric, by its values."""

    @property
    def parameter(self) -> str: ...
    @property
    def values(self) -> Sequence[str]: ...
    @property
    def n_candidates(self) -> Sequence[int]: ...
    @property
    def means(self) -> FloatArray: ...
    @property
    def share(self) -> float: ...
    @property
    def pvalue_adjusted(self) -> float: ...


class SearchData(Protocol):
    """A search: its candidates, the best first, and its parameters, the largest effect first."""

    @property
    def ranking(self) -> Sequence[RankedCandidate]: ...
    @property
    def names(self) -> Sequence[str]: ...
    @property
    def params(self) -> Sequence[Mapping[str, Any]]: ...
    @property
    def effects(self) -> Sequence[Effect]: ...
    @property
    def selection_bias(self) -> SelectionBiasResult: ...
    @property
    def metric(self) -> str: ...
    @property
    def alpha(self) -> float: ...

    def settings(self) -> Mapping[str, Sequence[str | None]]:
        """The candidates' values of every parameter that varies, in the order of `names`."""
