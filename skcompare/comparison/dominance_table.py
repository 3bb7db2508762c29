"""Joint verdicts as data: one row per pair of estimators, under one error budget."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from math import nan
from typing import Any

from skcompare._core.frames import import_pandas
from skcompare._core.html import Table
from skcompare._core.numbers import equal_to, percent, pvalue
from skcompare._core.record import Record, clearest
from skcompare._core.warnings import CodedWarning
from skcompare._core.words import counted
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
        Whether each part of the statement is significant by its own comparison, at 5% for the comparisons of all pairs
        on all metrics together; None where the pair has no scores in common. The p-values are those of another
        question: which pattern of wins is the most frequent on single splits.
    most_probable : tuple of bool or None
        The statement with the largest posterior probability.
    probability : float
        That probability.
    n_effective : float
        The number of independent cases that the splits are worth.
    smallest_pvalue : float
        The smallest adjusted p-value that any pattern of wins could have had on so many.
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
    smallest_pvalue: float = field(default=1.0, repr=False)
    warnings: tuple[CodedWarning, ...] = ()

    def within_reach(self, alpha: float = ALPHA) -> bool:
        """Whether any pattern of wins on so many cases could be significant among all pairs."""
        return self.smallest_pvalue < alpha

    def _sentence(self) -> str:
        pair = f"{self.a} against {self.b}"
        if self.statement is None:
            return f"{pair}: no pattern of wins is more frequent than all others."
        found = format_statement(self.statement, self.metrics, a=self.a, b=self.b)
        sure = f", posterior {percent(self.probability, words=True)}" if self.most_probable == self.statement else ""
        test = equal_to("p", self.pvalue_adjusted).replace("p ", "p adj. ", 1)
        return f"{pair}: the most frequent pattern of wins is {found} (dominance test {test}{sure}); {parts(self)}."


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

    def to_frame(self) -> Any:
        """The rows as a pandas DataFrame, statements in words; needs pandas."""
        frame = import_pandas().DataFrame(
            [*map(plain_row, self.rows)], columns=[f.name for f in fields(DominanceRow) if f.repr]
        )
        for column in ("statement", "most_probable"):
            frame[column] = [
                None if said is None else format_statement(said, row.metrics, a=row.a, b=row.b)
                for said, row in zip(frame[column], self.rows, strict=True)
            ]
        return frame

    def _tables(self) -> list[Table]:
        rows = [
            [
                *(row.a, row.b),
                "none" if row.statement is None else format_statement(row.statement, row.metrics, a=row.a, b=row.b),
                *(pvalue(row.pvalue), pvalue(row.pvalue_adjusted), parts(row), percent(row.probability, words=True)),
            ]
            for row in clearest(self.rows)
        ]
        return [Table(("a", "b", "most frequent pattern of wins", "p", "p adj.", "by itself", "posterior"), rows)]

    def _sentence(self) -> str:
        if len(self.rows) == 1:
            return str(self.rows[0]._sentence())
        n_found = sum(row.established is True for row in self.rows)
        n = f"{n_found or 'none'} of {counted(len(self.rows), 'pair')}"
        over = f"adjusted ({self.correction}) over {counted(self.n_hypotheses, 'pair')}"
        return (
            f"Each part of the most frequent pattern of wins is significant for {n}, by the comparisons of single "
            f"metrics. The p-values of the dominance test are {over}."
        )


def dominance_said(pvalue: float, *, within_reach: bool, alpha: float = ALPHA) -> str:
    """What the dominance test says of a pattern, so that it can stand beside its probability."""
    if not within_reach:
        return "too few cases for a significant dominance test"
    return f"dominance test {'' if pvalue < alpha else 'not significant, '}{equal_to('p', pvalue)}"


def parts(row: DominanceRow) -> str:
    """Whether each part of a statement is significant by its own comparison."""
    if row.statement is None:
        return "not comparable" if row.established is None else "no pattern leads"
    return "each part is significant" if row.established else "not each part is significant"
