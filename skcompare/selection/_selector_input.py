"""What `ComparisonSelector.fit` is given, checked before anything is fitted."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.utils.multiclass import check_classification_targets

from skcompare.evaluation._input import check_data, check_target, n_rows
from skcompare.evaluation._scoring import resolve_scoring
from skcompare.evaluation._task import task_of
from skcompare.evaluator import PairedEvaluator
from skcompare.scores.stop_rule import StopRule
from skcompare.selection._candidates import Candidates, before_scores
from skcompare.selection._choice import Rule


def check_samples(X: Any, y: Any, *, classify: bool) -> tuple[Any, Any]:
    """X and y as something with rows, or ValueError, in scikit-learn's words where it looks for them."""
    if y is None:
        raise ValueError("y must be given: ComparisonSelector requires y to be passed, but the target y is None")
    X, y = (np.asarray(data) if _is_array_only(data) else data for data in (X, y))
    X, y, _ = check_data(X, y, None)
    if np.iscomplexobj(X) or np.iscomplexobj(y):
        raise ValueError("X and y must be real; got complex numbers. Complex data not supported: give X.real, y.real")
    if n_rows(X, "X") < 2:
        raise ValueError(f"X must have 2 samples or more; got n_samples = {n_rows(X, 'X')}")
    check_target(X, y)
    if classify:
        check_classification_targets(y)
    return X, y


def _is_array_only(data: Any) -> bool:
    """Whether something can be made an array, and nothing else."""
    return hasattr(data, "__array__") and not hasattr(data, "__len__") and not hasattr(data, "shape")


def check_rule_fits(rule: Rule, evaluator: PairedEvaluator, named: Mapping[str, Any], X: Any, y: Any) -> None:
    """Raise ValueError where the rule asks for what there will not be, or for what the evaluator's stop takes away."""
    task = task_of(list(named.values()), check_target(X, y))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the evaluator says it too
        metrics = [metric.name for metric in resolve_scoring(evaluator.scoring, task, named)]
    if callable(evaluator.scoring):  # whose names are those that it gives with the first scores
        metrics = list(rule.asked()) or metrics
    candidates = before_scores(named, metrics, 1 if _is_single(evaluator.cv) else 2)
    rule.choose(candidates)
    if isinstance(evaluator.stop, StopRule):
        check_stop_fits(rule, evaluator.stop, candidates)


def _is_single(cv: Any) -> bool:
    """Whether there will be one split only, as far as one can tell."""
    return (len(cv) if isinstance(cv, (list, tuple)) else getattr(cv, "n_splits", 2)) == 1


def check_stop_fits(rule: Rule, stop: StopRule, candidates: Candidates) -> None:
    """Raise ValueError where a model that the rule would choose may be dropped by another metric."""
    decides = candidates.metrics[0] if stop.metric is None else stop.metric
    wanted = [candidates.metrics[m] for m in rule.deciding(candidates)]
    if not stop.drop or decides not in candidates.metrics or wanted == [decides]:
        return
    if len(wanted) > 1:
        raise ValueError(
            f"evaluator must keep all models for rule, which decides by {', '.join(map(repr, wanted))}; its StopRule "
            f"drops models by {decides!r} alone: give StopRule(drop=False)"
        )
    raise ValueError(
        f"evaluator must stop by the metric of rule, {wanted[0]!r}; its StopRule decides by {decides!r}: "
        f"give StopRule(metric={wanted[0]!r}), or drop=False"
    )
