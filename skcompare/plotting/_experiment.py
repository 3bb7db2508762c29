"""What the pictures of a designed experiment read of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from numpy.typing import NDArray

from skcompare._core.validation import FloatArray


class FactorAxis(Protocol):
    """A numeric factor of a surface."""

    @property
    def name(self) -> str: ...
    @property
    def log(self) -> bool: ...

    def value(self, coded: float) -> float:
        """In the factor's own units."""


class Surface(Protocol):
    """A fitted surface over coded factors."""

    @property
    def metric(self) -> str: ...
    @property
    def greater_is_better(self) -> bool: ...
    @property
    def axes(self) -> Sequence[FactorAxis]: ...
    @property
    def low(self) -> FloatArray: ...
    @property
    def high(self) -> FloatArray: ...
    @property
    def best(self) -> FloatArray: ...
    @property
    def runs(self) -> FloatArray: ...
    @property
    def pvalue_lack_of_fit(self) -> float: ...
    @property
    def optimum(self) -> Mapping[str, float]: ...
    @property
    def extrapolated(self) -> bool: ...

    def predict(self, coded: FloatArray, /) -> FloatArray:
        """The predicted mean scores of settings."""

    def may_be_best(self, coded: FloatArray, /) -> NDArray[Any]:
        """Whether settings may be the best."""


class FactorMeans(Protocol):
    """Mean scores by the levels of two factors, and what is known of their interaction."""

    @property
    def metric(self) -> str: ...
    @property
    def factors(self) -> Sequence[str]: ...
    @property
    def lacks_fit(self) -> bool: ...

    def level_means(self, x: str, y: str, /) -> tuple[Sequence[str], Sequence[str], FloatArray]:
        """Levels of both factors in words, and the means over all other factors, shape (n_y_levels, n_x_levels)."""

    def interaction_pvalue(self, x: str, y: str, /) -> float:
        """Adjusted p-value of the interaction of two factors; nan where it cannot be told."""

    def inseparable(self, x: str, y: str, /) -> Sequence[str]:
        """The effects that this interaction cannot be told from."""

    def fitted(self, *factors: str) -> bool:
        """Whether the means at the levels of some factors are those of a fitted model."""
