"""Joint verdicts as data: one row per pair of estimators, under one error budget."""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import nan
from typing import Any

from skcompare._core.frames import import_pandas
from skcompare._core.html import Table
from skcompare._core.record import Record, clearest, shown
from skcompare._core.warnings import CodedWarning
from skcompare.comparison.table import ALPHA, Rows, plain_row
from skcompare.inference import format_statement


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
        Whether the statement holds by the adjusted p-value at 5%; None where the pair has no scores in common.
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
    statement: tuple[bool, ...] | None = None
    pvalue: float = nan
    pvalue_adjusted: float = nan
    established: bool | None = None
    most_probable: tuple[bool, ...] | None = None
    probability: float = nan
    n_effective: float = 0.0
    warnings: tuple[CodedWarning, ...] = ()

    def __str__(self) -> str:
        printed = "no statement" if self.statement is None else format_statement(self.statement, self.metrics)
        return f"{self.a} against {self.b}: {printed}: {settled(self)} (p adj. = {self.pvalue_adjusted:.3g})"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DominanceTable(Rows[DominanceRow]):
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

    def __str__(self) -> str:
        return "\n".join(str(row) for row in self.rows)

    def to_frame(self) -> Any:
        """The rows as a pandas DataFrame, statements in print; needs pandas."""
        frame = import_pandas().DataFrame([*map(plain_row, self.rows)], columns=[f.name for f in fields(DominanceRow)])
        for column in ("statement", "most_probable"):
            frame[column] = [
                None if said is None else format_statement(said, row.metrics)
                for said, row in zip(frame[column], self.rows, strict=True)
            ]
        return frame

    def _tables(self) -> list[Table]:
        rows = [
            [
                *(row.a, row.b),
                "none" if row.statement is None else format_statement(row.statement, row.metrics),
                *(shown(row.pvalue), shown(row.pvalue_adjusted), settled(row), shown(row.probability)),
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


def settled(row: DominanceRow) -> str:
    """Whether a statement on all metrics holds, in words."""
    if row.established is None:
        return "undecided"
    return "established" if row.established else "not established"
