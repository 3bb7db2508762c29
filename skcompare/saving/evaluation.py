"""The form of an evaluation result in a saved file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from skcompare._core.design import Design
from skcompare._core.printable import check_name
from skcompare._core.validation import check_choice
from skcompare._core.warnings import CodedWarning
from skcompare.comparison.calibrated import check_fit
from skcompare.evaluation._kept import KeptPredictions
from skcompare.evaluation._metrics import Failure
from skcompare.evaluation._splits import Splits, splits_from_pairs
from skcompare.evaluation._task import Task
from skcompare.saving.calibration import calibration_of
from skcompare.saving.design import load_design
from skcompare.saving.stopping import load_stopping
from skcompare.scores.calibration import Calibration, plain_calibration
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.stopping import plain_stopping

FORMAT = 1
# Splits may leave samples out, but memory is taken for each.
_FREE_SAMPLES = 2**24
_MOST_SAMPLES_PER_INDEX = 64


def to_archive(result: EvaluationScores) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Header and arrays of a result."""
    arrays = {
        "scores": result.scores,
        "fit_times": result.fit_times,
        "score_times": result.score_times,
        **({} if result.kept_predictions is None else result.kept_predictions.to_arrays()),
        **({} if result.kept_splits is None else _splits_arrays(result.kept_splits)),
    }
    header = {
        "format": FORMAT,
        "estimators": result.estimators,
        "metrics": result.metrics,
        "greater_is_better": result.greater_is_better,
        "design": asdict(result.design),
        "failures": [asdict(failure) for failure in result.failures],
        "task": result.task,
        "positive_class": result.positive_class,
        "ill_defined": result.ill_defined,
        "warnings": result.warnings,
        "provenance": result.provenance,
        "single_metric": result.single_metric,
        **({} if result.stopping is None else {"stopping": plain_stopping(result.stopping)}),
        **({} if result.calibration is None else {"calibration": plain_calibration(result.calibration)}),
    }
    return header, arrays


def _splits_arrays(splits: Splits) -> dict[str, NDArray[Any]]:
    if splits.fold_ids is not None:
        return {"fold_ids": splits.fold_ids}
    arrays: dict[str, NDArray[Any]] = {}
    for part, name in enumerate(("train", "test")):
        parts = [pair[part] for pair in splits.pairs or ()]
        arrays[f"{name}_indices"] = np.concatenate(parts)
        arrays[f"{name}_sizes"] = np.array([len(indices) for indices in parts])
    return arrays


def from_archive(header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> dict[str, Any]:
    """The fields of a result; any exception means that the archive contradicts itself."""
    saved = header["design"]
    splits = _load_splits(saved, arrays) if saved["split_hash"] else None
    if splits is None and "y" in arrays:
        raise ValueError("predictions need their splits")
    design = load_design(saved) if splits is None else splits.design
    if json.loads(json.dumps(asdict(design))) != saved:
        raise ValueError("the splits do not have the hash and the design that were saved with them")
    if min((*design.train_sizes, *design.test_sizes), default=1) < 1:
        raise ValueError("every split must train and test on a sample")
    estimators, metrics = (names(header, name) for name in ("estimators", "metrics"))
    if len(set(estimators)) < max(2, len(estimators)) or len(set(metrics)) < max(1, len(metrics)):
        raise ValueError("there must be two or more estimators and one or more metrics, each named once")
    scores = arrays["scores"]
    shape = (len(estimators), design.n_splits, len(metrics))
    for name, wanted in (("scores", shape), ("fit_times", shape[:2]), ("score_times", shape[:2])):
        if arrays[name].shape != wanted or arrays[name].dtype != np.float64:
            raise ValueError(f"{name} must be float64 of shape {wanted}; got {arrays[name].shape}")
    directions = tuple(header["greater_is_better"])
    if len(directions) != len(metrics) or not all(isinstance(d, bool) for d in directions):
        raise ValueError("greater_is_better must hold one boolean per metric")
    y = arrays.get("y")
    if y is not None and y.ndim > 2:
        raise ValueError("y must have one or two dimensions")
    if y is not None and y.dtype.kind == "f" and not np.isfinite(y).all():
        raise ValueError("y must be finite")
    return {
        "estimators": estimators,
        "metrics": metrics,
        "greater_is_better": directions,
        "design": design,
        "scores": scores,
        "fit_times": arrays["fit_times"],
        "score_times": arrays["score_times"],
        "failures": tuple(_load_failure(failure, estimators, metrics, design) for failure in header["failures"]),
        "task": _task(header["task"]),
        "positive_class": _label(header["positive_class"]),
        "ill_defined": _load_counts(header["ill_defined"], estimators, metrics, design),
        "warnings": load_warnings(header),
        "provenance": provenance(header),
        "single_metric": bool(header["single_metric"]),
        "stopping": load_stopping(header.get("stopping"), estimators, metrics, design, _oriented(scores, directions)),
        "calibration": _load_calibration(header.get("calibration"), estimators, metrics, design),
        "kept_splits": splits,
        "kept_predictions": _load_predictions(arrays, estimators, design),
    }


def _load_calibration(
    saved: Any, estimators: Sequence[str], metrics: Sequence[str], design: Design
) -> Calibration | None:
    """The calibration, where there was one; it must be one that the evaluation would have taken."""
    if saved is None:
        return None
    calibration = calibration_of(saved)
    check_fit(calibration, estimators, metrics, design)
    return calibration


def _oriented(scores: NDArray[np.float64], greater_is_better: Sequence[bool]) -> NDArray[np.float64]:
    return scores * np.where(greater_is_better, 1.0, -1.0)


def strings(header: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """A list of non-empty strings from a header."""
    values = header[name]
    if not isinstance(values, list) or not all(isinstance(value, str) and value for value in values):
        raise ValueError(f"{name} must be a list of non-empty strings")
    return tuple(values)


def load_warnings(header: Mapping[str, Any]) -> tuple[CodedWarning, ...]:
    """The warnings of a header."""
    return tuple(map(CodedWarning.from_text, strings(header, "warnings")))


def names(header: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """A list of names from a header."""
    return tuple(check_name(value, name) for value in strings(header, name))


def provenance(header: Mapping[str, Any]) -> dict[str, Any]:
    """What it took to make a result; its seed feeds the procedures that draw at random."""
    saved = mapping(header["provenance"], "provenance")
    seed = saved.get("random_state")
    if seed is not None and not (type(seed) is int and 0 <= seed < 2**32):
        raise ValueError("random_state must be an integer in [0, 2**32)")
    return saved


def mapping(value: Any, name: str) -> dict[str, Any]:
    """A JSON object from a header."""
    if not isinstance(value, dict):
        raise ValueError(f"{name} must be a mapping")
    return value


def _task(value: Any) -> str:
    check_choice(value, "task", get_args(Task))
    return str(value)


def _label(value: Any) -> Any:
    if value is not None and not isinstance(value, (str, bool, int, float)):
        raise ValueError("positive_class must be a label")
    return value


def _load_counts(saved: Any, estimators: Sequence[str], metrics: Sequence[str], design: Design) -> dict[str, Any]:
    for name, counts in mapping(saved, "ill_defined").items():
        check_choice(name, "estimator of ill_defined", estimators)
        for metric, n in mapping(counts, "ill_defined").items():
            check_choice(metric, "metric of ill_defined", metrics)
            if type(n) is not int or not 0 < n <= design.n_splits:
                raise ValueError("ill_defined must count splits")
    return mapping(saved, "ill_defined")


def _load_failure(
    saved: Mapping[str, Any], estimators: Sequence[str], metrics: Sequence[str], design: Design
) -> Failure:
    failure = Failure(**saved)
    check_choice(failure.estimator, "estimator of a failure", estimators)
    if failure.metric is not None:
        check_choice(failure.metric, "metric of a failure", metrics)
    if (
        type(failure.split) is not int
        or failure.split not in range(design.n_splits)
        or not isinstance(failure.message, str)
    ):
        raise ValueError("a failure must have the number of its split, and a message")
    return failure


def _load_splits(saved: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Splits:
    n_samples = saved["n_samples"]
    if type(n_samples) is not int or n_samples < 2:
        raise ValueError("the design must have two or more samples")
    if "fold_ids" in arrays:
        ids = arrays["fold_ids"]
        n_repeats, n_folds = int(saved["n_repeats"]), int(saved["n_folds"])
        if ids.shape != (n_repeats, n_samples) or ids.dtype.kind != "u" or not ids.max() < n_folds <= n_samples:
            raise ValueError("fold_ids do not fit the design")
        return Splits(n_samples, n_repeats, n_folds, True, ids, None)
    parts = []
    for name in ("train", "test"):
        indices = arrays[f"{name}_indices"]
        if indices.dtype.kind not in "iu" or indices.min() < 0 or indices.max() >= n_samples:
            raise ValueError(f"{name}_indices must be samples of the data")
        if n_samples > max(_FREE_SAMPLES, _MOST_SAMPLES_PER_INDEX * indices.size):
            raise ValueError("the design must not have far more samples than its splits use")
        parts.append(np.split(indices.astype(np.intp), np.cumsum(arrays[f"{name}_sizes"])[:-1]))
    return splits_from_pairs(zip(*parts, strict=True), n_samples)


def _load_predictions(
    arrays: Mapping[str, NDArray[Any]], estimators: Sequence[str], design: Design
) -> KeptPredictions | None:
    """The predictions, where they were kept."""
    if "y" in arrays:
        if len(arrays["y"]) != design.n_samples:
            raise ValueError("y must have one row per sample")
        _check_objects(arrays)
        return KeptPredictions.from_arrays(arrays, estimators, design.test_sizes)
    if any(name.startswith("estimator") for name in arrays):
        raise ValueError("predictions need y")
    return None


def _check_objects(arrays: Mapping[str, NDArray[Any]]) -> None:
    """ValueError where anything but strings is said to have been objects, which could not be saved again."""
    for name, was_object in arrays.items():
        stem = name.removesuffix("_is_object")
        values = arrays.get("y" if stem == "y" else f"{stem}_values")
        if stem != name and was_object.any() and (values is None or values.dtype.kind != "U"):
            raise ValueError(f"{stem} must hold strings where it held objects")
