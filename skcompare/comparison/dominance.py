"""Dominance between the estimators of a result: one pair with any of the methods, and all pairs in one table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.names import choose_metrics, choose_pair, choose_pairs
from skcompare._core.validation import check_choice
from skcompare._core.warnings import Code, CodedWarning
from skcompare.comparison.compare import Scores, once
from skcompare.comparison.dominance_table import DominanceRow, DominanceTable
from skcompare.comparison.joint import JointScores, check_metric_count, joint_scores, rope_widths
from skcompare.comparison.predictions import MissingEvidenceError
from skcompare.comparison.study_evidence import complete_datasets
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
)
from skcompare.inference._multiplicity import CORRECTIONS
from skcompare.inference.dominance.likelihood_ratio import smallest_pvalue
from skcompare.inference.dominance.network import MAX_NETWORK_METRICS
from skcompare.inference.dominance.statements import MAX_METRICS
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.study import StudyScores

# The options of each method.
METHODS: dict[str, tuple[str, ...]] = {
    "glrt": ("statement",),
    "dirichlet": ("prior",),
    "network": ("structure", "n_draws", "rng"),
}
JointRecord = DominanceTestResult | DominancePosterior | DominanceNetworkResult


def check_options(method: str, options: Mapping[str, Any]) -> None:
    """Raise ValueError for an unknown method, or an option that it does not have."""
    check_choice(method, "method", tuple(METHODS))
    for option in options:
        if option not in METHODS[method]:
            raise ValueError(f"{option} is no option of method {method!r}, which takes {', '.join(METHODS[method])}")


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


def dominance(
    scores: Scores,
    method: str = "glrt",
    *,
    metrics: Sequence[str] | None = None,
    a: str | None = None,
    b: str | None = None,
    correct_folds: bool = True,
    rope: float | Mapping[str, float] | None = None,
    **options: Any,
) -> JointRecord:
    """One pair by one method, with every warning about the scores; see `EvaluationResult.dominance`."""
    check_options(method, options)
    a, b = choose_pair(a, b, scores.estimators)
    most = MAX_NETWORK_METRICS if method == "network" else MAX_METRICS
    names = check_metric_count(choose_metrics(metrics, scores.metrics), most)
    if not isinstance(correct_folds, bool):
        raise ValueError(f"correct_folds must be True or False; got {correct_folds!r}")
    cases = joint_cases(scores, names, a, b, rope, correct_folds=correct_folds)
    record = dominance_of_scores(
        method, cases.scores, names, n_effective=cases.n_effective, seed=scores.seed, options=options
    )
    warnings = [*record.warnings, *cases.warnings]
    n_effective = cases.n_effective
    if n_effective is not None and method == "dirichlet" and smallest_pvalue(n_effective, folds=True) > ALPHA:
        warnings.append(
            Code.CANNOT_REJECT(
                f"{n_effective:.3g} independent case(s) cannot give p < {ALPHA:g} in the likelihood-ratio "
                f"test, however unanimous."
            )
        )
    return replace(record, warnings=tuple(dict.fromkeys(warnings)))


@dataclass(frozen=True, slots=True, kw_only=True)
class JointCases:
    """The cases of two models, the number of independent ones they are worth, and every warning about them."""

    scores: JointScores
    n_effective: float | None
    warnings: tuple[CodedWarning, ...]


def joint_cases(
    scores: Scores,
    names: tuple[str, ...],
    a: str,
    b: str,
    rope: float | Mapping[str, float] | None,
    *,
    correct_folds: bool = True,
) -> JointCases:
    """Data sets are independent cases; folds are worth fewer than there are, unless they are not to be corrected."""
    if isinstance(scores, StudyScores):
        joint = _dataset_scores(scores, names, a, b, rope)
        return JointCases(scores=joint, n_effective=None, warnings=joint.warnings)
    joint = joint_scores(scores, names, a, b, rope)
    warnings = (*joint.warnings, *(warning for name in names for warning in scores.score_warnings(name, a, b)))
    if correct_folds:
        n_effective = min(effective_cases(len(joint.a), scores.design.test_fraction), joint.n_distinct)
        return JointCases(scores=joint, n_effective=n_effective, warnings=warnings)
    uncorrected = Code.UNCORRECTED_FOLDS(
        "the folds of one data set were counted as independent cases; on 10x10 folds "
        "about half of all true nulls are rejected that way."
    )
    return JointCases(scores=joint, n_effective=None, warnings=(*warnings, uncorrected))


def _dataset_scores(
    study: StudyScores, names: tuple[str, ...], a: str, b: str, rope: float | Mapping[str, float] | None
) -> JointScores:
    """Mean scores of two models on the data sets on which both have all metrics."""
    widths = rope_widths(rope, names)
    sides = [np.stack([study.oriented(estimator, name) for name in names], axis=1) for estimator in (a, b)]
    complete = np.asarray(np.isfinite(sides).all(axis=(0, 2)))
    warnings = complete_datasets(study, complete, f"{a!r} and {b!r} on these metrics", *names, a, b)
    return JointScores(
        a=sides[0][complete],
        b=sides[1][complete],
        rope=tuple(widths.get(name, 0.0) for name in names),
        n_distinct=int(complete.sum()),
        complete=complete,
        warnings=(*warnings, *(warning for name in names for warning in study.split_warnings(name, (a, b)))),
    )


Pair = tuple[DominanceTestResult, DominancePosterior]


@once
def dominance_table(
    scores: Scores,
    *,
    metrics: Sequence[str] | None = None,
    baseline: str | None = None,
    correction: str = "holm",
    correct_folds: bool = True,
    rope: float | Mapping[str, float] | None = None,
) -> DominanceTable:
    """The likelihood-ratio test and the posterior of every pair; see `EvaluationResult.dominance_table`.

    Without `metrics` each pair of an evaluation has those that both have scores of, and one of a study all.
    """
    check_choice(correction, "correction", CORRECTIONS)
    names = None
    if metrics is not None or isinstance(scores, StudyScores):
        names = check_metric_count(choose_metrics(metrics, scores.metrics))
    rows = []
    for a, b in choose_pairs(baseline, scores.estimators):
        common = names or _common_metrics(scores, a, b)
        rows.append(_row(a, b, common, _both(scores, common, a, b, rope, correct_folds=correct_folds)))
    pvalues, n_hypotheses = adjusted([row.pvalue for row in rows], correction)
    folds = correct_folds and isinstance(scores, EvaluationScores)
    return DominanceTable(
        rows=tuple(
            replace(
                row,
                pvalue_adjusted=p,
                established=None if p != p else p < ALPHA,
                warnings=(*row.warnings, *_too_many_pairs(row, n_hypotheses, folds=folds)),
            )
            for row, p in zip(rows, pvalues, strict=True)
        ),
        correction=correction,
        n_hypotheses=n_hypotheses,
    )


def _both(
    scores: Scores,
    metrics: tuple[str, ...],
    a: str,
    b: str,
    rope: float | Mapping[str, float] | None,
    *,
    correct_folds: bool,
) -> Pair | tuple[CodedWarning, ...]:
    """The two records of a pair, or, where it has no scores in common, its warnings."""
    if isinstance(scores, EvaluationScores):
        columns = [scores.metrics.index(metric) for metric in metrics]
        if not _known(scores, a, b)[:, columns].all(axis=1).any():
            return tuple(dict.fromkeys(w for metric in metrics for w in scores.score_warnings(metric, a, b)))
    try:
        cases = joint_cases(scores, metrics, a, b, rope, correct_folds=correct_folds)
    except MissingEvidenceError as error:
        return (Code.MISSING(f"{error}.", (a, b)),)
    counts = dominance_counts(cases.scores.a, cases.scores.b, rope=cases.scores.rope)
    test = dominance_test(counts, cases.n_effective, metrics=metrics)
    posterior = dominance_posterior(counts, n_effective=cases.n_effective, metrics=metrics)
    return replace(test, warnings=tuple(dict.fromkeys((*test.warnings, *cases.warnings)))), posterior


def _too_many_pairs(row: DominanceRow, n_pairs: int, *, folds: bool) -> tuple[CodedWarning, ...]:
    """The warning of a pair that could be established alone, but not among so many."""
    smallest = smallest_pvalue(row.n_effective, folds=folds)
    if row.pvalue != row.pvalue or not smallest <= ALPHA < n_pairs * smallest:
        return ()
    return (
        Code.CANNOT_REJECT(
            f"{row.n_effective:.3g} independent case(s) cannot give p < {ALPHA:g} adjusted over {n_pairs} "
            f"pairs by Bonferroni, however unanimous."
        ),
    )


def _row(a: str, b: str, metrics: tuple[str, ...], found: Pair | tuple[CodedWarning, ...]) -> DominanceRow:
    nan = float("nan")
    undecided = DominanceRow(
        a=a,
        b=b,
        metrics=metrics,
        statement=None,
        pvalue=nan,
        pvalue_adjusted=nan,
        established=None,
        most_probable=None,
        probability=nan,
        n_effective=0.0,
    )
    if not (len(found) == 2 and isinstance(found[0], DominanceTestResult)):
        return replace(undecided, warnings=tuple(w for w in found if isinstance(w, CodedWarning)))
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


def _common_metrics(scores: Scores, a: str, b: str) -> tuple[str, ...]:
    assert isinstance(scores, EvaluationScores)
    known = _known(scores, a, b)
    common = tuple(name for m, name in enumerate(scores.metrics) if known[:, m].any())
    return check_metric_count(common or scores.metrics)


def _known(scores: EvaluationScores, a: str, b: str) -> NDArray[np.bool_]:
    """Where two estimators have a difference, shape (n_splits, n_metrics)."""
    scores_a, scores_b = (scores.oriented_scores[scores.estimators.index(name)] for name in (a, b))
    with np.errstate(invalid="ignore", over="ignore"):  # of scores that are not finite
        return np.asarray(np.isfinite(scores_a - scores_b))
