"""The records that answer a question about all models, with their words, tables and exports."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from skcompare._core.frames import import_pandas
from skcompare._core.html import Table
from skcompare._core.record import clearest, few, pvalue
from skcompare.comparison import answer
from skcompare.comparison.table import ComparisonRow, ComparisonTable, plain_row
from skcompare.reporting import latex, markdown
from skcompare.reporting._words import counted, decided_by, difference, listed, metric_of, numbers, only_tested, verdict
from skcompare.reporting.answer import first_line

MAX_CLAIMS = 3


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Comparison(ComparisonTable):
    __doc__ = ComparisonTable.__doc__

    @classmethod
    def of(cls, table: ComparisonTable) -> Comparison:
        """The same rows, for a person."""
        return cls(**{field.name: getattr(table, field.name) for field in fields(table)})

    def to_frame(self) -> Any:
        """The rows as a pandas DataFrame, without their records; needs pandas."""
        names = [field.name for field in fields(ComparisonRow) if field.repr]
        frame = import_pandas().DataFrame([*map(plain_row, self.rows)], columns=names)
        frame["outcome"] = [row.outcome.value for row in self.rows]
        return frame

    def to_latex(self) -> str:
        """The rows as a LaTeX table for booktabs, differences that hold in bold; more than 45 as a ``longtable``."""
        return latex.latex_comparison(self)

    def to_markdown(self) -> str:
        """The rows as a Markdown table, differences that hold in bold."""
        return markdown.markdown_comparison(self)

    def _tables(self) -> list[Table]:
        rows = [
            [
                *(metric_of(row, self.costs), row.a, row.b),
                *list(numbers(row).values())[2:],
                *(() if self.sequential else (pvalue(row.pvalue), pvalue(row.pvalue_adjusted))),
                verdict(row),
            ]
            for row in clearest(self.rows)
        ]
        tested = () if self.sequential else ("p", "p adj.")
        return [Table(("metric", "a", "b", difference(self.rows, "a - b"), "95% interval", *tested, "outcome"), rows)]

    def _sentence(self) -> str:
        if len(self.rows) == 1:
            decided = f" Decided {decided_by(self)}." if self.sequential else ""
            return f"{self.rows[0]._sentence()}{decided}"
        won: dict[str, list[str]] = {}
        for row in self.rows:
            if row.winner is not None:
                loser = row.b if row.winner == row.a else row.a
                won.setdefault(f"{row.winner} is significantly better than {loser}", []).append(row.metric)
        claims = [f"{claim} on {few(metrics)}." for claim, metrics in won.items()]
        n_found = sum(map(len, won.values()))
        are = "is" if n_found <= 1 else "are"
        n_all = self.n_hypotheses if self.sequential else len(self.rows)
        n = f"{n_found or 'None'} of {counted(n_all, 'difference')} {are} significant"
        how = f"at {100 * self.alpha:g}% ({self.procedure}, p adjusted ({self.correction}) over {self.n_hypotheses})"
        if self.sequential:
            how = f"{decided_by(self)}.{only_tested(self.rows)}".removesuffix(".")
        return " ".join([*(claims if len(claims) <= MAX_CLAIMS else []), f"{n} {how}."])


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Answer(answer.Answer):
    __doc__ = answer.Answer.__doc__

    @classmethod
    def of(cls, found: answer.Answer) -> Answer:
        """The same answer, for a person."""
        return cls(**{field.name: getattr(found, field.name) for field in fields(found)})

    def _sentence(self) -> str:
        return first_line(self)

    def _tables(self) -> list[Table]:
        groups = {
            "worse": "significantly worse",
            "not_different": "not significantly different",
            "equivalent": "practically equivalent",
            "not_comparable": "not comparable",
        }
        shown_groups = [name for name in groups if any(getattr(on, name) for on in self.metrics)]
        rows = [
            [
                on.metric,
                on.leader or "none",
                *(listed(getattr(on, name)) if getattr(on, name) else "" for name in shown_groups),
            ]
            for on in self.metrics
        ]
        return [Table(("metric", "leads", *(groups[name] for name in shown_groups)), rows)]
