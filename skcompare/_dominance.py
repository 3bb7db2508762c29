"""Dominance between the estimators of a result: one pair with any of the methods, and all pairs in one table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from skcompare._comparison import ALPHA
from skcompare._frames import import_pandas
from skcompare._joint import joint_scores
from skcompare.inference import (
    DominanceNetworkResult,
    DominancePosterior,
    DominanceTestResult,
    adjust_pvalues,
    dominance_counts,
    dominance_network,
    dominance_posterior,
    dominance_test,
    effective_cases,
    format_statement,
)
from skcompare.inference.dominance.likelihood_ratio import smallest_pvalue

if TYPE_CHECKING:
    from skcompare.results import EvaluationResult

# The options of each method.
METHODS: dict[str, tuple[str, ...]] = {
    "glrt": ("statement",),
    "dirichlet": ("prior",),
    "network": ("structure", "n_draws", "rng"),
}
Record = DominanceTestResult | DominancePosterior | DominanceNetworkResult


@dataclass(frozen=True, slots=True, kw_only=True)
class DominanceRow:
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
    verdict : str
        ``"established"`` or ``"not established"``, from the adjusted p-value at 5%; ``"undecided"`` where the
        pair has no scores in common.
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
    verdict: str
    most_probable: tuple[bool, ...] | None
    probability: float
    n_effective: float
    warnings: tuple[str, ...] = ()

    def __str__(self) -> str:
        printed = "no statement" if self.statement is None else format_statement(self.statement, self.metrics)
        return f"{self.a} against {self.b}: {printed}: {self.verdict} (p adj. = {self.pvalue_adjusted:.3g})"


@dataclass(frozen=True, slots=True, kw_only=True)
class DominanceTable(Sequence[DominanceRow]):
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


def dominance(
    result: EvaluationResult,
    method: str,
    names: tuple[str, ...],
    a: str,
    b: str,
    *,
    correct_folds: bool,
    rope: float | Mapping[str, float] | None,
    options: Mapping[str, Any],
) -> Record:
    """One pair by one method, with every doubt about the scores."""
    for option in options:
        if option not in METHODS[method]:
            raise ValueError(f"{option} is no option of method {method!r}, which takes {', '.join(METHODS[method])}")
    scores = joint_scores(result, names, a, b, rope)
    n = len(scores.a)
    n_effective = effective_cases(n, result.design.test_fraction) if correct_folds else None
    record: Record
    if method == "network":
        seed = {"rng": result.provenance.get("random_state") or 0}
        record = dominance_network(
            scores.a, scores.b, rope=scores.rope, n_effective=n_effective, metrics=names, **{**seed, **options}
        )
    else:
        counts = dominance_counts(scores.a, scores.b, rope=scores.rope)
        function = dominance_test if method == "glrt" else dominance_posterior
        record = function(counts, n_effective=n_effective, metrics=names, **options)
    doubts = [*record.warnings, *scores.doubts, *(doubt for name in names for doubt in result._doubts(name, a, b))]
    if n_effective is None:
        doubts.append(
            "UNCORRECTED_FOLDS: the folds of one data set were counted as independent cases; on 10x10 folds "
            "about half of all true nulls are rejected that way."
        )
    elif method == "dirichlet" and smallest_pvalue(n_effective, folds=True) > ALPHA:
        doubts.append(
            f"CANNOT_REJECT: {n_effective:.3g} independent case(s) cannot give p < {ALPHA:g} in the likelihood-ratio "
            f"test, however unanimous."
        )
    return replace(record, warnings=tuple(dict.fromkeys(doubts)))


def dominance_table(
    result: EvaluationResult,
    pairs: Sequence[tuple[str, str]],
    names: tuple[str, ...] | None,
    *,
    correction: str,
    correct_folds: bool,
    rope: float | Mapping[str, float] | None,
) -> DominanceTable:
    """The likelihood-ratio test and the posterior of every pair; a pair without common scores is undecided.

    Without `names` a pair is judged on the metrics that both have scores of.
    """
    rows = [
        _row(result, names or _common_metrics(result, a, b), a, b, correct_folds=correct_folds, rope=rope)
        for a, b in pairs
    ]
    pvalues = np.array([row.pvalue for row in rows])
    known = ~np.isnan(pvalues)
    adjusted = np.full(len(rows), np.nan)
    if known.any():
        adjusted[known] = adjust_pvalues(pvalues[known], correction)
    return DominanceTable(
        rows=tuple(
            replace(row, pvalue_adjusted=float(p), verdict=_verdict(float(p)))
            for row, p in zip(rows, adjusted, strict=True)
        ),
        correction=correction,
        n_hypotheses=int(known.sum()),
    )


def _row(
    result: EvaluationResult,
    names: tuple[str, ...],
    a: str,
    b: str,
    *,
    correct_folds: bool,
    rope: float | Mapping[str, float] | None,
) -> DominanceRow:
    common = np.isfinite([result.difference(name, a, b) for name in names])
    nan = float("nan")
    undecided = DominanceRow(
        a=a,
        b=b,
        metrics=names,
        statement=None,
        pvalue=nan,
        pvalue_adjusted=nan,
        verdict="undecided",
        most_probable=None,
        probability=nan,
        n_effective=0.0,
        warnings=tuple(dict.fromkeys(doubt for name in names for doubt in result._doubts(name, a, b))),
    )
    if not common.all(axis=0).any():
        return undecided
    how: dict[str, Any] = {"correct_folds": correct_folds, "rope": rope, "options": {}}
    test, posterior = (dominance(result, method, names, a, b, **how) for method in ("glrt", "dirichlet"))
    assert isinstance(test, DominanceTestResult)
    assert isinstance(posterior, DominancePosterior)
    return replace(
        undecided,
        statement=test.statement,
        pvalue=test.pvalue,
        most_probable=posterior.statement,
        probability=float(posterior.probabilities.max()),
        n_effective=test.n_effective,
        warnings=test.warnings,
    )


def _common_metrics(result: EvaluationResult, a: str, b: str) -> tuple[str, ...]:
    common = tuple(name for name in result.metrics if np.isfinite(result.difference(name, a, b)).any())
    return common or result.metrics


def _verdict(pvalue: float) -> str:
    if pvalue != pvalue:
        return "undecided"
    return "established" if pvalue < ALPHA else "not established"
