"""The sequential verdict of a saved result, decided again from its scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any, get_args

import numpy as np

from skcompare._core.design import Design
from skcompare._core.validation import FloatArray, check_choice, check_number
from skcompare.comparison.stopping import SequentialMonitor
from skcompare.evaluation._scoring import Metric
from skcompare.inference.fold_scores.alpha_spending import MAX_REPEATS, Spending
from skcompare.scores.stopping import Kind, Look, Stopping, StopRule

_DERIVED = ("verdict", "n_fits", "n_fits_saved", "n_splits")
_TOLERANCE = 1e-3  # of p-values and levels that another version of a library computed


def load_stopping(
    saved: Any, estimators: Sequence[str], metrics: Sequence[str], design: Design, oriented: FloatArray
) -> Stopping | None:
    """The record; any exception means that it contradicts itself or the scores.

    Parameters
    ----------
    saved : mapping or None
        As in the file.
    estimators, metrics : sequence of str
        Those of the result.
    design : Design
        That of the result.
    oriented : ndarray of shape (n_estimators, n_splits, n_metrics)
        The scores, turned so that greater is better.
    """
    if saved is None:
        return None
    fields = {name: value for name, value in saved.items() if name not in _DERIVED}
    stopping = Stopping(
        **{**fields, "names": tuple(fields["names"]), "looks": tuple(_load_look(look) for look in fields["looks"])}
    )
    _check(stopping, estimators, metrics, design)
    _check_decisions(stopping, estimators, oriented[:, :, metrics.index(stopping.metric)])
    return stopping


def _check_decisions(stopping: Stopping, estimators: Sequence[str], scores: FloatArray) -> None:
    """Monitor the scores again: the verdict is theirs."""
    rule = StopRule(
        stopping.max_repeats,
        metric=stopping.metric,
        alpha=stopping.alpha,
        rope=stopping.rope,
        min_repeats=stopping.min_repeats,
        spending=stopping.spending,
        drop=stopping.drop,
    )
    metric = Metric(name=stopping.metric, kind="batched", source=stopping.metric)
    monitor = SequentialMonitor(rule, estimators, [metric], rule.design(stopping.n_folds))
    going = [bool(monitor.look(scores[:, : n * stopping.n_folds])) for n in range(1, stopping.n_repeats + 1)]
    if going != [True] * (stopping.n_repeats - 1) + [False]:
        raise ValueError("the evaluation must end after the repeat at which its scores end it")
    again = monitor.record()
    if any(getattr(again, name) != getattr(stopping, name) for name in ("kind", "names", "worse", "unscored")):
        raise ValueError("the verdict must be that of the scores")
    if len(again.looks) != len(stopping.looks) or not all(map(_is_same, again.looks, stopping.looks)):
        raise ValueError("the looks must be those at the scores")


def _is_same(look: Look, other: Look) -> bool:
    def numbers(one: Look) -> FloatArray:
        known = (one.information, one.level, one.equivalence_level, one.equivalence_pvalue)
        return np.array([*one.pvalues, *(np.nan if value is None else value for value in known)])

    same = look.repeat == other.repeat and look.names == other.names
    return same and np.allclose(numbers(look), numbers(other), rtol=_TOLERANCE, atol=1e-12, equal_nan=True)


def _load_look(saved: Mapping[str, Any]) -> Look:
    values = saved["pvalues"]
    if not all(type(p) is float and 0 <= p <= 1 for p in values) or len(values) != len(saved["names"]):
        raise ValueError("a look must have a p-value per model")
    return Look(**{**saved, "names": tuple(saved["names"]), "pvalues": np.array(values, dtype=np.float64)})


def _check(stopping: Stopping, estimators: Sequence[str], metrics: Sequence[str], design: Design) -> None:
    check_choice(stopping.kind, "kind of stopping", get_args(Kind))
    check_choice(stopping.metric, "metric of stopping", metrics)
    check_choice(stopping.spending, "spending", get_args(Spending))
    check_number(stopping.alpha, "alpha", low=0, high=0.5, closed="neither")
    if stopping.rope is not None or stopping.kind == "equivalent":
        check_number(stopping.rope, "rope", low=0, high=inf, closed="neither")
    counts = (stopping.n_models, stopping.n_folds, stopping.n_repeats)
    if counts != (len(estimators), design.n_folds, design.n_repeats) or not all(type(n) is int for n in counts):
        raise ValueError("stopping must be of the models and splits of the result")
    if type(stopping.max_repeats) is not int or not stopping.n_repeats <= stopping.max_repeats <= MAX_REPEATS:
        raise ValueError("stopping must have the largest number of repeats")
    if type(stopping.drop) is not bool:
        raise ValueError("drop must be true or false")
    for left in (stopping.worse, stopping.unscored):
        _check_names(tuple(left), estimators)
        if not all(type(n) is int and 0 < n <= stopping.n_repeats for n in left.values()):
            raise ValueError("models must leave after one of the repeats")
    _check_names((*stopping.names, *stopping.worse, *stopping.unscored), estimators)
    if len(stopping.names) + len(stopping.worse) + len(stopping.unscored) != len(estimators):
        raise ValueError("every model must be left or have left")
    if stopping.kind == "best" and (len(stopping.names) != 1 or not stopping.worse):
        raise ValueError("one model must be the best, and others worse")
    for look in stopping.looks:
        _check_look(look, stopping, estimators)


def _check_look(look: Look, stopping: Stopping, estimators: Sequence[str]) -> None:
    _check_names(look.names, estimators)
    if type(look.repeat) is not int or not 0 < look.repeat <= stopping.n_repeats:
        raise ValueError("a look must be after one of the repeats")
    check_number(look.information, "information", low=0, high=1)
    check_number(look.level, "level", low=0, high=1)
    for value in (look.equivalence_level, look.equivalence_pvalue):
        if value is not None:
            check_number(value, "equivalence of a look", low=0, high=1)


def _check_names(names: Sequence[str], estimators: Sequence[str]) -> None:
    if len(set(names)) != len(names) or not set(names) <= set(estimators):
        raise ValueError("stopping must be of the models of the result, each once")
