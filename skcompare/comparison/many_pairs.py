"""Many pairs of models on folds, tested together: the numbers are those of one pair after the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from skcompare.comparison.evidence import own_mean
from skcompare.comparison.spread import SINGLE
from skcompare.evaluation._costs import known_costs
from skcompare.inference._interval import interval_tail
from skcompare.inference._kinds import Compared
from skcompare.inference._many_pairs import many_differences
from skcompare.inference._procedure import Procedure
from skcompare.scores.criteria import units
from skcompare.scores.evaluation import EvaluationScores

Alone = dict[str, Any]  # the fields of a row that do not depend on the other rows
FEW = 8  # pairs that are tested as fast one by one


def compared_together(
    scores: Any,
    procedures: Mapping[str, Procedure],
    pairs: Sequence[tuple[str, str]],
    alternative: str,
    nulls: Mapping[str, float],
    *,
    confidence_level: float,
) -> dict[tuple[str, str, str], Alone]:
    """By metric, `a` and `b` what is shown of pairs that lack no score and whose differences are ordinary.

    Empty where the pairs are few, or are tested on something else than the splits.
    """
    if not isinstance(scores, EvaluationScores) or scores.design.kind != "folds" or scores.clusters is not None:
        return {}
    if len(pairs) <= FEW or scores.calibration is not None:
        return {}
    able = {
        metric: procedure
        for metric, procedure in procedures.items()
        if procedure.many is not None and not units(scores.provenance, metric)
    }
    return {
        (metric, alone["a"], alone["b"]): alone
        for metric, procedure in able.items()
        for alone in _on_metric(scores, procedure, metric, pairs, alternative, nulls[metric], confidence_level)
    }


def _on_metric(
    scores: EvaluationScores,
    procedure: Procedure,
    metric: str,
    pairs: Sequence[tuple[str, str]],
    alternative: str,
    null: float,
    confidence_level: float,
) -> Iterator[Alone]:
    complete = {name for name in scores.estimators if scores.has_all((name,), (metric,))}
    pairs = [pair for pair in pairs if complete.issuperset(pair)]
    if not pairs or procedure.many is None or known_costs(scores.metric_functions.get(metric)):
        return
    m, position = scores.metric_index(metric), {name: i for i, name in enumerate(scores.estimators)}
    first, second = np.array([[position[a], position[b]] for a, b in pairs]).T
    values = np.where(np.isfinite(scores.oriented_scores[:, :, m]), scores.oriented_scores[:, :, m], 0.0)
    differences = many_differences(values, first, second)
    tests = procedure.many(differences, **procedure.options(scores.design), alternative=alternative, null=null)
    n, sign = differences.n, 1.0 if scores.greater_is_better[m] else -1.0
    means = {name: sign * own_mean(scores, name, metric) for name in complete}
    warnings = {name: scores.score_warnings(metric, name) for name in complete}
    any_warning = any(warnings.values())
    low, high = tests.limits(interval_tail(confidence_level, alternative))
    largest = np.abs(values).max(axis=1)  # float32 numbers with less spread may not vary
    varies = differences.std > SINGLE * np.maximum(largest[first], largest[second])
    columns = (tests.ordinary & varies, differences.wins, differences.losses, low, high)
    records = tests.records(
        [Compared(a=a, b=b, metric=metric) for a, b in pairs],
        [tuple(dict.fromkeys((*warnings[a], *warnings[b]))) if any_warning else () for a, b in pairs],
    )
    for (a, b), record, ordinary, wins, losses, of_low, of_high in zip(
        pairs, records, *(column.tolist() for column in columns), strict=True
    ):
        if not ordinary:
            continue
        yield {
            "metric": metric,
            "a": a,
            "b": b,
            "mean_a": means[a],
            "mean_b": means[b],
            "estimate": record.estimate,
            "low": of_low,
            "high": of_high,
            "pvalue": record.pvalue,
            "effect_size": record.effect_size,
            "wins": wins,
            "ties": n - wins - losses,
            "losses": losses,
            "probability_of_superiority": (wins + (n - wins - losses) / 2) / n,
            "warnings": record.warnings,
            "procedure": procedure.name,
            "null": null,
            "record": record,
            "confidence_level": confidence_level,
        }
