"""Dominance between the estimators of a result: one pair with any of the methods, and all pairs in one table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.frames import import_pandas
from skcompare._core.html import Table
from skcompare._core.record import Record, clearest, shown
from skcompare._core.validation import check_choice
from skcompare.comparison.joint import JointScores, joint_scores
from skcompare.comparison.table import ALPHA, adjusted
from skcompare.inference import (
    DominanceNetworkResult,
    DominancePosterior,
    DominanceTestResult,
    dominance_counts,
    dominance_network,
    dominance_posterior,
    dominance_test,
    effective_cases,
    format_statement,
)
from skcompare.inference.dominance.likelihood_ratio import smallest_pvalue
from skcompare.inference.dominance.statements import MAX_METRICS

if TYPE_CHECKING:
    from skcompare.results import EvaluationResult

# The options of each method.
METHODS: dict[str, tuple[str, ...]] = {
    "glrt": ("statement",),
    "dirichlet": ("prior",),
    "network": ("structure", "n_draws", "rng"),
}
JointRecord = DominanceTestResult | DominancePosterior | DominanceNetworkResult


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
                *(shown(row.pvalue), shown(row.pvalue_adjusted), row.verdict, shown(row.probability)),
            ]
            for row in clearest(self.rows)
        ]
        header = ("a", "b", "most frequent statement", "p", "p adj.", "verdict", "P(most probable)")
        return [Table(header, rows)]

    def _sentence(self) -> str:
        n_found = sum(row.verdict == "established" for row in self.rows)
        return (
            f"A statement on all metrics is established for {n_found} of {len(self.rows)} pair(s) at {ALPHA:.0%} (p "
            f"adjusted ({self.correction}) over {self.n_hypotheses}); > means that a is better."
        )


def check_options(method: str, options: Mapping[str, Any]) -> None:
    """Raise ValueError for an unknown method, or an option that it does not have."""
    check_choice(method, "method", tuple(METHODS))
    for option in options:
        if option not in METHODS[method]:
            raise ValueError(f"{option} is no option of method {method!r}, which takes {', '.join(METHODS[method])}")


def check_metric_count(metrics: tuple[str, ...], most: int = MAX_METRICS) -> tuple[str, ...]:
    """The metrics of a statement, or ValueError where there are too many."""
    if len(metrics) > most:
        raise ValueError(f"metrics must be at most {most}; got {len(metrics)}: choose some with metrics=[...]")
    return metrics


def dominance_of_scores(
    method: str,
    scores: JointScores,
    metrics: tuple[str, ...],
    *,
    n_effective: float | None,
    seed: int,
    options: Mapping[str, Any],
) -> JointRecord:
    """Dominance on the cases of two models by one method."""
    if method == "network":
        return dominance_network(
            scores.a,
            scores.b,
            rope=scores.rope,
            n_effective=n_effective,
            metrics=metrics,
            **{"rng": seed, **options},
        )
    counts = dominance_counts(scores.a, scores.b, rope=scores.rope)
    if method == "glrt":
        return dominance_test(counts, n_effective, metrics=metrics, **options)
    return dominance_posterior(counts, n_effective=n_effective, metrics=metrics, **options)


def both_of_scores(scores: JointScores, metrics: tuple[str, ...], n_effective: float | None) -> Pair:
    """The likelihood-ratio test and the posterior on the cases of two models, from one count of them."""
    counts = dominance_counts(scores.a, scores.b, rope=scores.rope)
    test = dominance_test(counts, n_effective, metrics=metrics)
    posterior = dominance_posterior(counts, n_effective=n_effective, metrics=metrics)
    return test, posterior


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
) -> JointRecord:
    """One pair on the folds of one data set by one method, with every doubt about the scores."""
    scores = joint_scores(result, names, a, b, rope)
    n_effective = _fold_cases(result, scores) if correct_folds else None
    seed = result.provenance.get("random_state") or 0
    record = dominance_of_scores(method, scores, names, n_effective=n_effective, seed=seed, options=options)
    doubts = [*record.warnings, *_fold_doubts(result, scores, names, a, b, n_effective)]
    if n_effective is not None and method == "dirichlet" and smallest_pvalue(n_effective, folds=True) > ALPHA:
        doubts.append(
            f"CANNOT_REJECT: {n_effective:.3g} independent case(s) cannot give p < {ALPHA:g} in the likelihood-ratio "
            f"test, however unanimous."
        )
    return replace(record, warnings=tuple(dict.fromkeys(doubts)))


def _fold_cases(result: EvaluationResult, scores: JointScores) -> float:
    """The number of independent cases that the splits are worth."""
    return min(effective_cases(len(scores.a), result.design.test_fraction), scores.n_distinct)


def _fold_doubts(
    result: EvaluationResult, scores: JointScores, names: tuple[str, ...], a: str, b: str, n_effective: float | None
) -> list[str]:
    """Every doubt about the scores of a pair."""
    doubts = [*scores.doubts, *(doubt for name in names for doubt in result._doubts(name, a, b))]
    if n_effective is None:
        doubts.append(
            "UNCORRECTED_FOLDS: the folds of one data set were counted as independent cases; on 10x10 folds "
            "about half of all true nulls are rejected that way."
        )
    return doubts


Pair = tuple[DominanceTestResult, DominancePosterior]


def dominance_table(
    pairs: Sequence[tuple[str, str, tuple[str, ...]]],
    both: Callable[[str, str, tuple[str, ...]], Pair | tuple[str, ...]],
    correction: str,
    *,
    folds: bool,
) -> DominanceTable:
    """The likelihood-ratio test and the posterior of every pair.

    Parameters
    ----------
    pairs : sequence of (str, str, tuple of str)
        The two models and the metrics of each row.
    both : callable
        Gives the two records of a pair, or, where it has no scores in common, its doubts.
    correction : str
        A method of `adjust_pvalues`.
    folds : bool
        Whether the cases are effective ones.
    """
    rows = [_row(a, b, metrics, both(a, b, metrics)) for a, b, metrics in pairs]
    pvalues, n_hypotheses = adjusted([row.pvalue for row in rows], correction)
    return DominanceTable(
        rows=tuple(
            replace(
                row,
                pvalue_adjusted=p,
                verdict=_verdict(p),
                warnings=(*row.warnings, *_too_many_pairs(row, n_hypotheses, folds=folds)),
            )
            for row, p in zip(rows, pvalues, strict=True)
        ),
        correction=correction,
        n_hypotheses=n_hypotheses,
    )


def _too_many_pairs(row: DominanceRow, n_pairs: int, *, folds: bool) -> tuple[str, ...]:
    """The doubt of a pair that could be established alone, but not among so many."""
    smallest = smallest_pvalue(row.n_effective, folds=folds)
    if row.pvalue != row.pvalue or not smallest <= ALPHA < n_pairs * smallest:
        return ()
    return (
        f"CANNOT_REJECT: {row.n_effective:.3g} independent case(s) cannot give p < {ALPHA:g} adjusted over {n_pairs} "
        f"pairs by Bonferroni, however unanimous.",
    )


def _row(a: str, b: str, metrics: tuple[str, ...], found: Pair | tuple[str, ...]) -> DominanceRow:
    nan = float("nan")
    undecided = DominanceRow(
        a=a,
        b=b,
        metrics=metrics,
        statement=None,
        pvalue=nan,
        pvalue_adjusted=nan,
        verdict="undecided",
        most_probable=None,
        probability=nan,
        n_effective=0.0,
    )
    if not (len(found) == 2 and isinstance(found[0], DominanceTestResult)):
        return replace(undecided, warnings=tuple(map(str, found)))
    test, posterior = found
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


def fold_dominance_table(
    result: EvaluationResult,
    pairs: Sequence[tuple[str, str]],
    names: tuple[str, ...] | None,
    *,
    correction: str,
    correct_folds: bool,
    rope: float | Mapping[str, float] | None,
) -> DominanceTable:
    """All pairs on the folds of one data set; without `names` each on the metrics that both have scores of."""

    def both(a: str, b: str, metrics: tuple[str, ...]) -> Pair | tuple[str, ...]:
        columns = [result.metrics.index(metric) for metric in metrics]
        if not _known(result, a, b)[:, columns].all(axis=1).any():
            return tuple(dict.fromkeys(doubt for metric in metrics for doubt in result._doubts(metric, a, b)))
        scores = joint_scores(result, metrics, a, b, rope)
        n_effective = _fold_cases(result, scores) if correct_folds else None
        test, posterior = both_of_scores(scores, metrics, n_effective)
        doubts = [*test.warnings, *_fold_doubts(result, scores, metrics, a, b, n_effective)]
        return replace(test, warnings=tuple(dict.fromkeys(doubts))), posterior

    named = [(a, b, names or _common_metrics(result, a, b)) for a, b in pairs]
    return dominance_table(named, both, correction, folds=correct_folds)


def _common_metrics(result: EvaluationResult, a: str, b: str) -> tuple[str, ...]:
    known = _known(result, a, b)
    common = tuple(name for m, name in enumerate(result.metrics) if known[:, m].any())
    return check_metric_count(common or result.metrics)


def _known(result: EvaluationResult, a: str, b: str) -> NDArray[np.bool_]:
    """Where two estimators have a difference, shape (n_splits, n_metrics)."""
    scores_a, scores_b = (result._oriented_scores[result.estimators.index(name)] for name in (a, b))
    with np.errstate(invalid="ignore", over="ignore"):  # of scores that are not finite
        return np.asarray(np.isfinite(scores_a - scores_b))


def _verdict(pvalue: float) -> str:
    if pvalue != pvalue:
        return "undecided"
    return "established" if pvalue < ALPHA else "not established"
