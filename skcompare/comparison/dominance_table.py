"""Joint verdicts as data: one row per pair of estimators, under one error budget."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any

from skcompare._core.frames import import_pandas
from skcompare._core.html import Table
from skcompare._core.record import Record, clearest, shown
from skcompare._core.warnings import CodedWarning
from skcompare.comparison.table import ALPHA
from skcompare.inference import (
    format_statement,
)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DominanceRow(Record):
    """Two estimators on several metrics at once.

    Attributes
    ----------
    a, b : str
        The estimators.
    metrics : tuple of str
        The metrics, in the order of a statement.
    statement : tuple of bool or None
        The most frequent statement, True where `a` is better; None where the two most frequent are tied.
    pvalue : float
        Of the likelihood-ratio test, for this pair alone.
    pvalue_adjusted : float
        Adjusted over all pairs of the table.
    established : bool or None
        Whether each part of the statement is significant by its own comparison, at 5% for the comparisons of all pairs
        on all metrics together; None where the pair has no scores in common. The p-values are those of another
        question: which pattern of wins is the most frequent on single splits.
    most_probable : tuple of bool or None
        The statement with the largest posterior probability.
    probability : float
        That probability.
    n_effective : float
        The number of independent cases that the splits are worth.
    warnings : tuple of str
        Reasons to doubt the row.
    """

    a: str
    b: str
    metrics: tuple[str, ...]
    statement: tuple[bool, ...] | None
    pvalue: float
    pvalue_adjusted: float
    established: bool | None
    most_probable: tuple[bool, ...] | None
    probability: float
    n_effective: float
    warnings: tuple[CodedWarning, ...] = ()

    def __str__(self) -> str:
        printed = "no statement" if self.statement is None else format_statement(self.statement, self.metrics)
        return (
            f"{self.a} against {self.b}: {printed}: {_in_words(self.established)} (p adj. = {self.pvalue_adjusted:.3g})"
        )


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DominanceTable(Record, Sequence[DominanceRow]):
    """The joint verdicts of all pairs, under one error budget.

    Attributes
    ----------
    rows : tuple of DominanceRow
        One per pair.
    correction : str
        How the p-values were adjusted.
    n_hypotheses : int
        Number of pairs that share the error budget.
    """

    rows: tuple[DominanceRow, ...]
    correction: str
    n_hypotheses: int

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: Any) -> Any:
        return self.rows[index]

    def __iter__(self) -> Iterator[DominanceRow]:
        return iter(self.rows)

    def __str__(self) -> str:
        return "\n".join(str(row) for row in self.rows)

    def to_frame(self) -> Any:
        """The rows as a pandas DataFrame, statements in print; needs pandas."""
        pandas = import_pandas()
        names = [field.name for field in fields(DominanceRow)]
        frame = pandas.DataFrame([[getattr(row, name) for name in names] for row in self.rows], columns=names)
        for column in ("statement", "most_probable"):
            frame[column] = [
                None if getattr(row, column) is None else format_statement(getattr(row, column), row.metrics)
                for row in self.rows
            ]
        return frame

    def _tables(self) -> list[Table]:
        rows = [
            [
                *(row.a, row.b),
                "none" if row.statement is None else format_statement(row.statement, row.metrics),
                *(shown(row.pvalue), shown(row.pvalue_adjusted), _in_words(row.established), shown(row.probability)),
            ]
            for row in clearest(self.rows)
        ]
        header = ("a", "b", "most frequent statement", "p", "p adj.", "verdict", "P(most probable)")
        return [Table(header, rows)]

    def _sentence(self) -> str:
        n_found = sum(row.established is True for row in self.rows)
        return (
            f"A statement on all metrics is established for {n_found} of {len(self.rows)} pair(s) at {ALPHA:.0%} (p "
            f"adjusted ({self.correction}) over {self.n_hypotheses}); > means that a is better."
        )


def _in_words(established: bool | None) -> str:
    if established is None:
        return "undecided"
    return "established" if established else "not established"
