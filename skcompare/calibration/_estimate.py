"""What the estimates of size, power and replicability have in common: a row per procedure and metric."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import isnan
from typing import Any, Self, TypeVar

from skcompare._core.design import Design
from skcompare._core.frames import frame_of
from skcompare._core.record import Record
from skcompare._core.validation import check_number

Row = TypeVar("Row", bound=Record)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class Estimate(Record, Sequence[Row]):
    """Rows, and what they were measured with."""

    rows: tuple[Row, ...]
    alpha: float
    confidence_level: float
    models: tuple[str, str]
    design: Design
    generator: str

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: Any) -> Any:
        return self.rows[index]

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def at(self, alpha: float) -> Self:
        """The same at another level, from the same data sets.

        Parameters
        ----------
        alpha : float
            Nominal level, in (0, 1).

        Returns
        -------
        SizeEstimate, PowerEstimate or ReplicabilityEstimate
            As it was, but for what depends on the level.

        Raises
        ------
        ValueError
            If the level is out of range.
        """
        check_number(alpha, "alpha", low=0, high=1, closed="neither")
        return replace(self, alpha=float(alpha), rows=self._rows_at(float(alpha)))

    def to_frame(self) -> Any:
        """The rows as a pandas DataFrame; needs pandas.

        Returns
        -------
        pandas.DataFrame
            A row per procedure and metric, a column per field.
        """
        return frame_of(self.rows)

    def __str__(self) -> str:
        return "\n".join([self._sentence(), *map(str, self.rows), *(f"  {warning}" for warning in self._warnings())])

    def _rows_at(self, alpha: float) -> tuple[Row, ...]:
        raise NotImplementedError

    def _where(self, n_datasets: int) -> str:
        return f"{n_datasets} data sets of {self.generator}, {self.design.name}, {' against '.join(self.models)}"


def percent(share: float) -> str:
    """A share with one decimal, n/a where it is not known."""
    return "n/a" if isnan(share) else f"{share:.1%}"
