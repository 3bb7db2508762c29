"""The records that answer a question about all models, with their words, tables and exports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from skcompare._core.document import Document, Documented, Paragraph, as_warnings
from skcompare._core.metrics import label
from skcompare._core.numbers import counted, listed, percent_of
from skcompare._core.record import Table, clearest, few
from skcompare._core.text import MAX_CELL, adjustment, name_of_test
from skcompare.comparison import answer, learning_curve
from skcompare.comparison.compare import named_tests, over_families
from skcompare.comparison.subgroups import SubgroupTable
from skcompare.comparison.table import ComparisonRow, ComparisonTable, Outcome, frame_of_rows
from skcompare.inference.datasets import pairwise
from skcompare.plotting import DifferencesDisplay
from skcompare.plotting._display import values_of
from skcompare.reporting import latex, markdown
from skcompare.reporting.columns import ranks_grid, rows_grid
from skcompare.reporting.words import adjusts, decided_by, only_tested

if TYPE_CHECKING:
    from skcompare._core.frames import DataFrame

MAX_CLAIMS = 3


class Worded:
    """A record with words and exports, made of one without them."""

    __slots__ = ()

    @classmethod
    def of(cls, found: Any) -> Self:
        """The same, for a person."""
        return cls(**{one.name: getattr(found, one.name) for one in fields(found)})


class OfRows(Worded, Documented):
    """A table of rows that prints itself as a document."""

    __slots__ = ()
    _of_row: ClassVar[type]
    rows: tuple[Any, ...]

    def to_frame(self) -> DataFrame:
        """The rows as a pandas DataFrame; needs pandas."""
        return frame_of_rows(self._of_row, self.rows)

    def to_latex(self) -> str:
        """The rows as a LaTeX table for booktabs; more than 45 as a ``longtable``."""
        return latex.render(self._document())

    def to_markdown(self) -> str:
        """The sentence and the rows as a Markdown table."""
        return markdown.render(self._document())

    def _document(self: Any) -> Document:
        """The claims, the rows, of many the clearest first, and the reasons to doubt them."""
        answer = Paragraph(name="answer", text=self._first_line())
        grid = rows_grid(replace(self, rows=tuple(clearest(self.rows))))
        return Document(title="Comparison", blocks=(answer, grid, *as_warnings(self._warnings())))


class Comparison(OfRows, ComparisonTable):
    __doc__ = ComparisonTable.__doc__

    _of_row = ComparisonRow

    def _sentence(self) -> str:
        if len(self.rows) == 1:
            decided = f" Decided {decided_by(self)}." if self.sequential else ""
            return f"{self.rows[0]._sentence()}{decided}"
        won: dict[str, list[str]] = {}
        for row in self.rows:
            if row.outcome.significant:
                won.setdefault(row._claim(), []).append(label(row.metric))
        claims = [f"{claim} on {few(metrics)}." for claim, metrics in won.items()]
        n_found = sum(map(len, won.values()))
        n_all = sum(row.outcome.tested for row in self.rows)
        if not n_all:
            return "No difference could be tested."
        n = f"{_how_many(n_found, n_all)} {_significant(self.rows)}"
        adjusted = f", {adjustment(self.correction)} over {over_families(self)}" if adjusts(self) else ""
        how = f"at {percent_of(self.alpha)} ({named_tests(self.rows, self.procedure, in_words=True)}{adjusted})"
        how = decided_by(self) if self.sequential else how
        equal = sum(row.outcome is Outcome.EQUIVALENT for row in self.rows)
        tested = [only_tested(self.rows).strip()] if self.sequential else []
        if equal:
            all_of_them = "All are" if equal == n_all else f"{equal} {'is' if equal == 1 else 'are'}"
            tested.append(f"{all_of_them} practically equivalent.")
        return " ".join(filter(None, [*(claims if len(claims) <= MAX_CLAIMS else []), f"{n} {how}.", *tested]))


def _how_many(n: int, n_all: int) -> str:
    """How many differences, as a claim of them begins."""
    if n_all == 1:
        return f"The only difference that was tested is{'' if n else ' not'}"
    return f"{f'{n:,}' if n else 'None'} of {counted(n_all, 'difference')} {'is' if n <= 1 else 'are'}"


def _significant(rows: Sequence[ComparisonRow]) -> str:
    """What the outcomes of some rows say of their differences."""
    nulls = {row.null for row in rows}
    if nulls == {0.0}:
        return "significant"
    return f"significantly different from {f'{nulls.pop():+g}' if len(nulls) == 1 else 'the null of the metric'}"


class Ranking(OfRows, pairwise.Ranking, eq=False):
    __doc__ = pairwise.Ranking.__doc__

    def to_frame(self) -> DataFrame:
        """One row per model as a pandas DataFrame, the best first; needs pandas.

        Returns
        -------
        pandas.DataFrame
            Columns: name, rank, low, high, tier and, where they are known, mean and mean_rank.
        """
        frame: DataFrame = pairwise.Ranking.to_frame(self)
        return frame

    def _document(self) -> Document:
        grid = replace(ranks_grid(self), title="", caption=self.holds())
        blocks = (Paragraph(name="answer", text=self._claim()), grid, *as_warnings(self.warnings))
        return Document(title="Ranks", blocks=blocks)


class SizeComparison(OfRows, learning_curve.SizeComparison):
    __doc__ = learning_curve.SizeComparison.__doc__

    _of_row = learning_curve.SizeRow

    def _sentence(self) -> str:
        n, n_all = sum(row.winner is not None for row in self), sum(row.pvalue == row.pvalue for row in self)
        if not n_all:
            return "No difference could be tested."
        how = f"({name_of_test(self.procedure)}, from the full size downward)"
        return f"{_how_many(n, n_all)} significant at {percent_of(self.alpha)} {how}."


class Subgroups(Worded, SubgroupTable):
    __doc__ = SubgroupTable.__doc__

    def plot(self, ax: Any = None) -> DifferencesDisplay:
        """Draw the differences of all groups with their intervals; needs matplotlib.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; axes of a figure of its own by default.

        Returns
        -------
        DifferencesDisplay
            Drawn.
        """
        metrics = list(dict.fromkeys(row.metric for row in self.rows))
        better = {Outcome.BETTER: "a", Outcome.WORSE: "b"}
        return DifferencesDisplay(
            metrics=[row.group if len(metrics) == 1 else f"{label(row.metric)}, {row.group}" for row in self.rows],
            a=[row.a for row in self.rows],
            b=[row.b for row in self.rows],
            **values_of(self.rows, "low", "high", estimates="estimate", pvalues="pvalue_adjusted"),
            ropes=np.zeros(len(self.rows)),
            panels=[0 if len(metrics) == 1 else metrics.index(row.metric) for row in self.rows],
            better=[better.get(row.outcome, "") for row in self.rows],
            procedure=f"{adjustment(self.correction)} over {self.n_hypotheses} comparisons and interactions",
            decided_by=f"p adj. < {self.alpha:g}",
            source="by()",
        ).plot(ax)


class Answer(Worded, answer.Answer):
    __doc__ = answer.Answer.__doc__

    _line: str = field(default="", repr=False)  # what every view says first

    def _sentence(self) -> str:
        return self._line

    def _tables(self) -> list[Table]:
        groups = {**answer.GROUPS}
        if self.baseline is not None:
            groups["not_better"] = f"not significantly better than {self.baseline}"
        groups["ahead"] = "ahead by mean or difference"
        shown = [name for name in groups if any(getattr(on, name) for on in self.metrics)]
        rows = [
            [label(on.metric), on.leader or "none", *(_names(getattr(on, name)) for name in shown)]
            for on in self.metrics
        ]
        return [Table(("metric", "leads", *(groups[name] for name in shown)), rows)]


def _names(names: Sequence[str]) -> str:
    """All names, or how many there are where a cell cannot hold them."""
    shown = listed(names) if names else ""
    return shown if len(shown) <= MAX_CELL else counted(len(names), "model")
