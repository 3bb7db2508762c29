"""Scores, times, failures and predictions of several results -> those of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from skcompare._core.validation import FloatArray
from skcompare._core.words import place_of
from skcompare.evaluation._kept import KeptPredictions
from skcompare.evaluation._metrics import Failure
from skcompare.results import EvaluationResult

Joined = Literal["models", "metrics", "repeats"]
Results = Sequence[EvaluationResult]
_ROUNDING = 1e-9  # another run may add up in another order


def joined_tables(results: Results, joined: Joined) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Scores, and the times of fits and of scoring; where metrics are joined these are means of the known ones."""
    first, scores, times = results[0], [], []
    for result in results:
        names = result.estimators if joined == "models" else first.estimators
        metrics = result.metrics if joined == "metrics" else first.metrics
        rows = [result.estimators.index(name) for name in names]
        columns = [result.metrics.index(name) for name in metrics]
        scores.append(result.scores[rows][:, :, columns])
        times.append(np.stack([result.fit_times[rows], result.score_times[rows]]))
    table = np.concatenate(scores, axis={"models": 0, "repeats": 1, "metrics": 2}[joined])
    if joined != "metrics":
        both = np.concatenate(times, axis=1 if joined == "models" else 2)
    else:
        known = np.isfinite(times)
        with np.errstate(invalid="ignore"):
            both = np.where(known, times, 0.0).sum(axis=0) / known.sum(axis=0)
    return table, both[0], both[1]


def _offsets(results: Results, joined: Joined) -> list[int]:
    """Before how many splits of earlier results those of each stand."""
    sizes = [result.design.n_splits if joined == "repeats" else 0 for result in results]
    return [sum(sizes[:i]) for i in range(len(sizes))]


def joined_failures(
    results: Results, joined: Joined, estimators: Sequence[str], metrics: Sequence[str]
) -> tuple[Failure, ...]:
    """Of all results, in the order of an evaluation; a fit that failed in some alone failed on their metrics."""
    fits = [{(f.estimator, f.split) for f in result.failures if f.metric is None} for result in results]
    everywhere = set.intersection(*fits)
    found: dict[tuple[str, int, str | None], Failure] = {}
    for result, offset in zip(results, _offsets(results, joined), strict=True):
        for failure in result.failures:
            split = failure.split + offset
            here, there = (place_of(at, result.design.n_folds) for at in (failure.split, split))
            moved = replace(failure, split=split, message=failure.message.replace(here, there, 1))
            alone = joined == "metrics" and (failure.estimator, failure.split) not in everywhere
            whole = failure.metric is None and not alone
            for metric in (None,) if whole else result.metrics if failure.metric is None else (failure.metric,):
                found.setdefault((failure.estimator, split, metric), replace(moved, metric=metric))
    place = {name: m for m, name in enumerate((None, *metrics))}
    order = sorted(found, key=lambda key: (estimators.index(key[0]), key[1], place[key[2]]))
    return tuple(found[key] for key in order)


def joined_ill_defined(
    results: Results, estimators: Sequence[str], metrics: Sequence[str]
) -> dict[str, dict[str, int]]:
    """On how many splits metrics were 0/0, in the order of an evaluation."""
    counts = {
        name: {metric: sum(r.ill_defined.get(name, {}).get(metric, 0) for r in results) for metric in metrics}
        for name in estimators
    }
    found = {name: {metric: n for metric, n in of_one.items() if n} for name, of_one in counts.items()}
    return {name: of_one for name, of_one in found.items() if of_one}


def joined_predictions(results: Results, joined: Joined) -> KeptPredictions | None:
    """Those of the splits, where all results have them."""
    return _joined([result.kept_predictions for result in results], joined)


def joined_inner_fits(results: Results, joined: Joined) -> KeptPredictions | None:
    """Predictions of the inner fits; of joined models those without any have none on each split.

    Raises
    ------
    ValueError
        If metrics or repeats are joined, and some results have inner fits and others not.
    """
    found = {i: result.inner_predictions for i, result in enumerate(results, 1)}
    known = {i: part for i, part in found.items() if part is not None}
    if not known:
        return None
    if joined == "models":
        some = next(iter(known.values()))
        n_splits = len(next(iter(some.folds.values())))
        made = {name: folds for part in known.values() for name, folds in part.folds.items()}
        names = chain.from_iterable(result.estimators for result in results)
        return KeptPredictions(some.y, {name: made.get(name, [{}] * n_splits) for name in names})
    if len(known) < len(found):
        lacking = next(i for i in found if i not in known)
        raise ValueError(
            f"results must all have the inner fits of nested=True to join {joined}, or none; result {lacking} has "
            f"none: evaluate it with nested=True, or give dataclasses.replace(result, inner_predictions=None) for "
            f"result {min(known)}"
        )
    return _joined(list(known.values()), joined)


def _joined(found: Sequence[KeptPredictions | None], joined: Joined) -> KeptPredictions | None:
    parts = [part for part in found if part is not None]
    if len(parts) < len(found):
        return None
    folds: dict[str, Any] = {}
    for name in dict.fromkeys(chain.from_iterable(part.folds for part in parts)):
        own = [part.folds[name] for part in parts if name in part.folds]
        folds[name] = list(chain.from_iterable(own)) if joined != "metrics" else _united(parts, name)
    return KeptPredictions(parts[0].y, folds)


def _united(parts: Sequence[KeptPredictions], name: str) -> list[dict[str, Any]]:
    """The responses of one model that any result has; ValueError where two results differ in one."""
    united = []
    for split, folds in enumerate(zip(*(part.folds[name] for part in parts), strict=True)):
        found: dict[str, Any] = {}
        for responses in folds:
            for response, values in responses.items():
                known = found.setdefault(response, values)
                if known.shape != values.shape or not _same(known, values):
                    raise ValueError(
                        f"results must be of the same fits to join metrics; predictions of {name!r} differ on split "
                        f"{split}: give all one random_state, or evaluate all metrics at once"
                    )
        united.append(found)
    return united


def _same(one: NDArray[Any], other: NDArray[Any]) -> bool:
    """Equal, numbers but for the rounding of another run."""
    if one.dtype.kind == other.dtype.kind == "f":
        return bool(np.allclose(one, other, rtol=_ROUNDING, atol=_ROUNDING, equal_nan=True))
    return bool(np.array_equal(one, other))


def joined_samples(results: Results) -> dict[str, Any]:
    """What is known of the samples, the same in all results; and the functions of all metrics.

    Raises
    ------
    ValueError
        If results differ in it.
    """
    columns: dict[str, Any] = {}
    first = results[0]
    for i, result in enumerate(results[1:], 2):
        for name in ("sample_ids", "clusters", "sample_weight"):
            if not _known_alike(getattr(first, name), getattr(result, name)):
                raise ValueError(f"results must be of the same samples; {name} of result 1 and result {i} differ")
    for i, result in enumerate(results, 1):
        for name, values in result.sample_columns.items():
            if not np.array_equal(columns.setdefault(name, values), values):
                raise ValueError(f"results must be of the same samples; their column {name!r} differs in result {i}")
    return {
        "clusters": first.clusters,
        "sample_weight": first.sample_weight,
        "sample_ids": first.sample_ids,
        "sample_columns": columns,
        "metric_functions": dict(chain.from_iterable(result.metric_functions.items() for result in results)),
    }


def _known_alike(one: NDArray[Any] | None, other: NDArray[Any] | None) -> bool:
    if one is None or other is None:
        return one is other
    return bool(np.array_equal(one, other))
