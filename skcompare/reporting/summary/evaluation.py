"""What a report shows of an evaluation, computed once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

import numpy as np

from skcompare._core.design import Kind
from skcompare._core.warnings import FEW_SPLITS, Code, few_splits
from skcompare.comparison.answer import answer, in_reports
from skcompare.comparison.cases import case_metrics
from skcompare.comparison.compare import detectable_ranges, many_models
from skcompare.comparison.dominance import DominanceRow, dominance_table
from skcompare.comparison.error_rates import ErrorRates, error_rates, fragile_warnings
from skcompare.comparison.intervals import score_intervals
from skcompare.comparison.means import ModelSeeds, metric_means, model_seeds
from skcompare.comparison.measures import measure
from skcompare.comparison.stopping import stopped
from skcompare.comparison.table import ComparisonRow, metrics_by_test
from skcompare.inference._guide import OF_FITTED_MODELS
from skcompare.inference._procedures import PROCEDURES, default_for
from skcompare.inference.dominance.statements import MAX_METRICS
from skcompare.reporting.summary.records import ComparedSummary, summarise_calibration
from skcompare.reporting.summary.warnings import located_warnings, over_metrics, over_pairs
from skcompare.scores.evaluation import EvaluationScores


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationSummary(ComparedSummary):
    """Everything that a report shows of an evaluation.

    Attributes
    ----------
    n_samples : int or None
        None where it is not known.
    design, split_hash : str
        The resampling in words, and the hash of its splits.
    kind : {"folds", "samples", "items", "runs"}
        What the evidence is, as in `Design`.
    paired : str
        Why runs of two models are pairs; empty where they are not.
    n_clusters : int or None
        Clusters of samples or items.
    time_order : bool
        Whether the test sets are in time order.
    n_splits : int
        Splits, of items their number.
    train_size, test_size : float or None
        Mean samples in the parts of a split; None where they are not known.
    train_range, test_range : tuple of int
        The fewest and the most, where one test set is twice as large as another; empty elsewhere.
    reason : str
        Why this procedure is the default for the design; empty where it was chosen.
    error_rates : ErrorRates or None
        How often the procedure was wrong in simulations like this run; None where it was calibrated for the run, or
        looks decided.
    positive_class : str or None
        As it prints; None unless the target is binary.
    n_seeds : int
        Fits per split, each with a seed of its own.
    seeds : tuple of ModelSeeds
        The variances of splits and seeds, where there are several fits per split.
    """

    n_samples: int | None
    design: str
    kind: Kind
    paired: str
    n_clusters: int | None
    time_order: bool
    n_splits: int
    train_size: float | None
    test_size: float | None
    train_range: tuple[int, ...]
    test_range: tuple[int, ...]
    split_hash: str
    reason: str
    error_rates: ErrorRates | None
    positive_class: str | None
    n_seeds: int
    seeds: tuple[ModelSeeds, ...]


def summarise(
    result: EvaluationScores,
    *,
    with_joint: bool = True,
    with_intervals: bool = False,
    procedure: str = "auto",
    primary: str | None = None,
) -> EvaluationSummary:
    """Everything that a report shows; on request without the joint verdicts and the detectable differences.

    The intervals of the models' own scores are for reports that show all of it.
    """
    comparison, design = in_reports(result, procedure, primary), result.design
    joint = joint_rows(result) if with_joint and many_models(result, procedure) is None else ()
    warnings = over_pairs(located_warnings(comparison.rows, joint), result)
    if _n_defined(result) > MAX_METRICS:
        warnings.append(
            Code.MANY_METRICS(f"patterns of wins are not tested on more than {MAX_METRICS} metrics; choose some.")
        )
    rates = error_rates(result, comparison)
    warnings += fragile_warnings(comparison)
    few = design.kind == "folds" and design.n_splits < FEW_SPLITS
    if few and (rates is None or rates.reason) and result.calibration is None:
        warnings.append(few_splits(design.n_splits))
    tests = metrics_by_test(comparison.rows)
    uneven = max(design.test_sizes, default=0) >= 2 * min(design.test_sizes, default=1)
    return EvaluationSummary(
        estimators=result.estimators,
        n_samples=design.n_samples,
        design=design.name,
        n_splits=design.n_splits,
        train_size=float(np.mean(design.train_sizes)) if design.train_sizes else None,
        test_size=float(np.mean(design.test_sizes)) if design.test_sizes else None,
        train_range=_range(design.train_sizes) if uneven else (),
        test_range=_range(design.test_sizes) if uneven else (),
        split_hash=design.split_hash,
        answer=answer(result, procedure, primary),
        metrics=metric_means(result),
        rows=comparison.rows,
        procedure=comparison.procedure,
        assumes=_assumed(design.kind, [*tests]),
        reason=_reason(result, tests) if procedure == "auto" and result.selected is None else "",
        kind=design.kind,
        paired=design.paired,
        n_clusters=design.n_clusters,
        time_order=design.time_order,
        error_rates=rates,
        correction=comparison.correction,
        n_hypotheses=comparison.n_hypotheses,
        families=comparison.families,
        alpha=comparison.alpha,
        detectable=detectable_ranges(comparison) if with_joint and result.stopping is None else (),
        joint=joint,
        positive_class=None if result.positive_class is None else repr(result.positive_class),
        n_seeds=max(1, len(result.fit_seeds)),
        seeds=model_seeds(result),
        stopping=result.stopping,
        calibration=summarise_calibration(result.calibration, design, comparison.rows),
        intervals=score_intervals(result) if with_intervals else None,
        warnings=tuple(over_metrics(warnings, result.metrics)),
        provenance=result.provenance,
    )


def _range(sizes: Sequence[int]) -> tuple[int, ...]:
    return (min(sizes), max(sizes)) if sizes else ()


def _assumed(kind: Kind, tests: Sequence[str]) -> tuple[str, ...]:
    """What the tests assume, each once; that those of samples and items speak of fitted models is said elsewhere."""
    known = {row.name: row.guide.assumes for row in PROCEDURES}
    if kind == "folds":
        return tuple(dict.fromkeys(part for test in tests for part in known[test]))
    known["paired_t_test"] = (f"independent {'pairs of ' if kind == 'runs' else ''}{kind}",)
    parts = dict.fromkeys(part for test in tests for part in known[test] if part not in OF_FITTED_MODELS)
    return tuple(dict.fromkeys(f"independent {kind}" if part == "one test set" else part for part in parts))


def _reason(result: EvaluationScores, tests: Mapping[str, tuple[str, ...]]) -> str:
    """Why the tests are the defaults, each once."""
    if stopped(result) is not None:
        return "it is that of every look"
    if result.design.kind == "folds":
        return default_for(result.design).reason
    reasons: dict[str, list[str]] = {}
    for metrics in tests.values():
        reasons.setdefault(default_for(result.design, measure(result, metrics[0])).reason, []).extend(metrics)
    several = len(reasons) > 1
    return "; ".join(f"{why} ({', '.join(metrics)})" if several else why for why, metrics in reasons.items())


def joint_rows(result: EvaluationScores, correction: str = "holm") -> tuple[DominanceRow, ...]:
    """The joint verdicts of the pairs that have several metrics; none where there are too many metrics for a test."""
    if not 2 <= _n_defined(result) <= MAX_METRICS or result.design.time_order:  # wins are no independent cases there
        return ()
    rows = dominance_table(result, correction=correction)
    return tuple(row for row in rows if len(row.metrics) > 1 and row.established is not None)


def _n_defined(result: EvaluationScores) -> int:
    known: list[bool] = list(np.isfinite(result.scores).any(axis=(0, 1)))  # type: ignore[arg-type]
    return sum(known[result.metrics.index(metric)] for metric in case_metrics(result, result.metrics))


# Of many models the leading ones, whose comparisons with all others a report shows in place of all pairs.


MOST_MODELS = 30  # of which the comparisons of all pairs are shown
N_BEST = 5


def leading_models(summary: ComparedSummary) -> tuple[str, ...]:
    """The leader and the best models on the first metric, the leaders on the others and the baseline.

    Without the best models where these were not compared with all others; empty where all pairs are shown.
    """
    if len(summary.estimators) <= MOST_MODELS:
        return ()
    answer = summary.answer
    if len(answer.pairs) < answer.n_pairs:
        found = [*(on.leader for on in answer.metrics), answer.baseline]
        return tuple(name for name in dict.fromkeys(found) if name is not None) or summary.estimators[:1]
    first = next(metric for metric in summary.metrics if metric.name == answer.metrics[0].metric)
    merits = {name: merit for name, merit in zip(summary.estimators, first.merits, strict=True) if isfinite(merit)}
    best = sorted(merits, key=lambda name: -merits[name])[:N_BEST] or summary.estimators[:N_BEST]
    leaders = [on.leader for on in answer.metrics[:MOST_MODELS]]
    return tuple(name for name in dict.fromkeys([leaders[0], *best, *leaders, answer.baseline]) if name is not None)


def shown_rows(summary: ComparedSummary) -> tuple[ComparisonRow, ...]:
    """All comparisons, of many models those of the leading ones."""
    leading = {*leading_models(summary)}
    return tuple(row for row in summary.rows if row.a in leading or row.b in leading) if leading else summary.rows
