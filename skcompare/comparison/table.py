"""The table that `EvaluationResult.compare` returns: one row per pair of estimators and metric."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from skcompare._core.frames import import_pandas
from skcompare._core.html import Table
from skcompare._core.record import Record, clearest, shown
from skcompare._core.validation import FloatArray
from skcompare.inference._base import ROUNDING
from skcompare.inference._multiplicity import adjust_pvalues
from skcompare.reporting import latex, markdown

ALPHA = 0.05


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ComparisonRow(Record):
    """Two estimators on one metric.

    Attributes
    ----------
    metric, a, b : str
        What was compared.
    mean_a, mean_b : float
        Mean scores over the splits used, in the metric's own units.
    estimate : float
        The procedure's estimate of the difference, positive where `a` is better. Of the tests on folds it is
        ``mean_a - mean_b``, negated for a metric where less is better; of the signed-rank and the sign test a median.
    low, high : float
        Its 95% interval, for this row alone; nan where the procedure has none.
    pvalue : float
        For this row alone.
    pvalue_adjusted : float
        Adjusted over all rows of the table.
    verdict : str
        In words, from the adjusted p-value at 5%.
    effect_size : float
        The procedure's own, e.g. Cohen's d_z of the t tests; nan where it has none.
    wins, ties, losses : int
        Splits on which `a` is better, neither is, `b` is.
    probability_of_superiority : float
        Share of the splits on which `a` is better, ties counting half; it describes the splits.
    left, rope, right : float or None
        Posterior probabilities that `b` is better, that the two are equivalent, that `a` is better; None
        where no region of practical equivalence was given.
    warnings : tuple of str
        Reasons to doubt the row.
    """

    metric: str
    a: str
    b: str
    mean_a: float
    mean_b: float
    estimate: float
    low: float
    high: float
    pvalue: float
    pvalue_adjusted: float
    verdict: str
    effect_size: float
    wins: int
    ties: int
    losses: int
    probability_of_superiority: float
    left: float | None = None
    rope: float | None = None
    right: float | None = None
    warnings: tuple[str, ...] = ()

    def _sentence(self) -> str:
        return f"{self.metric}: {self.verdict} (p adj. = {self.pvalue_adjusted:.3g})."


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Comparison(Record, Sequence[ComparisonRow]):
    """All rows of a comparison, under one error budget.

    Attributes
    ----------
    rows : tuple of ComparisonRow
        One per pair and metric.
    procedure : str
        The test used.
    correction : str
        How the p-values were adjusted.
    n_hypotheses : int
        Number of rows that share the error budget.
    alternative : str
        The alternative of every row's test.
    """

    rows: tuple[ComparisonRow, ...]
    procedure: str
    correction: str
    n_hypotheses: int
    alternative: str

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: Any) -> Any:
        return self.rows[index]

    def __iter__(self) -> Iterator[ComparisonRow]:
        return iter(self.rows)

    def to_frame(self) -> Any:
        """The rows as a pandas DataFrame; needs pandas."""
        pandas = import_pandas()
        names = [field.name for field in fields(ComparisonRow)]
        return pandas.DataFrame([[getattr(row, name) for name in names] for row in self.rows], columns=names)

    def to_latex(self) -> str:
        """The rows as a LaTeX table for booktabs, differences that hold in bold; more than 45 as a ``longtable``."""
        return latex.render_comparison(self._plain())

    def to_markdown(self) -> str:
        """The rows as a Markdown table, differences that hold in bold."""
        return markdown.render_comparison(self._plain())

    def _plain(self) -> dict[str, Any]:
        head = {name: getattr(self, name) for name in ("procedure", "correction", "n_hypotheses", "alternative")}
        return {**head, "rows": [plain_row(row) for row in self.rows], "alpha": ALPHA}

    def _tables(self) -> list[Table]:
        rows = [
            [
                *(row.metric, row.a, row.b),
                *(f"{row.estimate:+.4g}", f"{row.low:+.4g} to {row.high:+.4g}"),
                *(shown(row.pvalue), shown(row.pvalue_adjusted), row.verdict),
            ]
            for row in clearest(self.rows)
        ]
        return [Table(("metric", "a", "b", "a - b", "95% interval", "p", "p adj.", "verdict"), rows)]

    def _sentence(self) -> str:
        n_found = sum(row.pvalue_adjusted < ALPHA for row in self.rows)
        how = f"{self.procedure}, p adjusted ({self.correction}) over {self.n_hypotheses}"
        return f"A difference was shown in {n_found} of {len(self.rows)} comparison(s) at {ALPHA:.0%} ({how})."


def plain_row(row: Any) -> dict[str, Any]:
    """The fields of a row of a table, which are plain values, by name."""
    return {field.name: getattr(row, field.name) for field in fields(row)}


def verdict(pvalue: float, estimate: float, a: str, b: str, alternative: str) -> str:
    """One pair and metric in words, at the 5% level."""
    if not pvalue < ALPHA:
        return "undecided" if pvalue != pvalue else "no difference shown"
    if alternative != "two-sided":
        estimate = 1.0 if alternative == "greater" else -1.0
    return f"{a if estimate > 0 else b} better"


def mean_score(scores: FloatArray) -> float:
    """The mean of the finite scores, nan where there is none."""
    finite = scores[np.isfinite(scores)]
    return float(finite.mean()) if finite.size else float("nan")


def wins_and_losses(a: FloatArray, b: FloatArray) -> dict[str, Any]:
    """Wins, ties and losses of `a`, and its probability of superiority; differences by rounding are ties."""
    noise = ROUNDING * np.maximum(np.abs(a), np.abs(b))
    wins, losses = int(np.count_nonzero(a - b > noise)), int(np.count_nonzero(b - a > noise))
    n = len(a)
    superiority = (wins + (n - wins - losses) / 2) / n if n else float("nan")
    return {"wins": wins, "ties": n - wins - losses, "losses": losses, "probability_of_superiority": superiority}


def adjusted(pvalues: Sequence[float], correction: str) -> tuple[list[float], int]:
    """P-values adjusted over those that are known, nan where one is not, and the number of known ones."""
    given = np.asarray(pvalues, dtype=np.float64)
    known = ~np.isnan(given)
    result = np.full(given.size, np.nan)
    if known.any():
        result[known] = adjust_pvalues(given[known], correction)
    return result.tolist(), int(known.sum())
