"""What models predicted, as the methods of scikit-learn give it: labels, probabilities, scores or numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.validation import as_floats

RESPONSES = {"prediction": "predict", "score": "decision_function", "probability": "predict_proba"}
_SUM_TOLERANCE = 1e-3


def as_numbers(name: str, found: Mapping[str, NDArray[Any]], shape: tuple[int, ...]) -> NDArray[np.float64]:
    """The numbers that a model of a regression predicted, of the shape of the true ones."""
    given = found.get("", found.get("prediction"))
    if given is None or given.shape != shape:
        what = " or ".join(map(repr, found)) if given is None else f"shape {given.shape}"
        wanted = "one number per sample" if len(shape) == 1 else f"{shape[1]} numbers per sample"
        raise ValueError(f"predictions[{name!r}] must be {wanted} of a regression; got {what}")
    return as_floats(given, f"predictions[{name!r}]")


def as_label_sets(name: str, found: Mapping[str, NDArray[Any]], shape: tuple[int, ...]) -> dict[str, NDArray[Any]]:
    """What a model predicted of several labels per sample, a column each; labels are the scores above the cut."""
    responses: dict[str, NDArray[Any]] = {}
    for part, values in found.items():
        if values.shape != shape:
            raise ValueError(
                f"predictions[{name!r}] must have a column per label, shape {shape}; got shape {values.shape}"
            )
        numbers = as_floats(values, f"predictions[{name!r}]")
        shares = bool(numbers.min() >= 0 and numbers.max() <= 1)
        labels = bool(np.isin(numbers, (0, 1)).all())
        kind = part or ("prediction" if labels else "probability" if shares else "score")
        if not (labels if kind == "prediction" else shares or kind == "score"):
            wanted = "0 and 1" if kind == "prediction" else "between 0 and 1"
            raise ValueError(f"predictions[{name!r}] must have {kind} values that are {wanted}; got others")
        responses[RESPONSES[kind]] = numbers.astype(np.int64) if kind == "prediction" else numbers
    if "predict" not in responses:
        scores = responses.get("predict_proba")
        responses["predict"] = (responses["decision_function"] > 0 if scores is None else scores > 0.5).astype(np.int64)
    return responses


def as_classes(
    name: str, found: Mapping[str, NDArray[Any]], classes: NDArray[Any], order: NDArray[np.intp]
) -> dict[str, NDArray[Any]]:
    """What a model predicted, by the methods of scikit-learn; labels are those of the scores where none were given."""
    responses: dict[str, NDArray[Any]] = {}
    for part, values in found.items():
        kind = part or _part(values, classes)
        responses[RESPONSES[kind]] = values if kind == "prediction" else _scores(name, kind, values, classes, order)
    if "predict" not in responses:
        scores = responses.get("predict_proba", responses.get("decision_function"))
        cut = 0.5 if "predict_proba" in responses else 0.0
        assert scores is not None
        ranked = np.sort(classes)
        responses["predict"] = ranked[(scores > cut).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)]
    labels = responses["predict"]
    if labels.ndim != 1:
        raise ValueError(f"predictions[{name!r}] must be one label per sample; got shape {labels.shape}")
    strange = labels[~np.isin(labels, classes)]
    if len(strange):
        raise ValueError(
            f"predictions[{name!r}] must be classes ({', '.join(map(repr, classes[:5].tolist()))}) or scores; got "
            f"{strange[:1].tolist()[0]!r}. Give classes= where y_true lacks some"
        )
    return responses


def _part(values: NDArray[Any], classes: NDArray[Any]) -> str:
    """Whether an array holds labels, probabilities or other scores."""
    if values.ndim == 1:
        if values.dtype.kind != "f" or np.isin(values, classes).all():
            return "prediction"
        if len(classes) > 2:
            return "prediction"
        return "probability" if values.min() >= 0 and values.max() <= 1 else "score"
    sums = values.sum(axis=1)
    return "probability" if values.min() >= 0 and np.abs(sums - 1).max() <= _SUM_TOLERANCE else "score"


def _scores(
    name: str, kind: str, values: NDArray[Any], classes: NDArray[Any], order: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Scores by class in the order of the sorted classes; of two classes those of the second alone."""
    scores = as_floats(values, f"predictions[{name!r}]")
    if scores.ndim == 2 and scores.shape[1] == 1:
        scores = scores[:, 0]
    if scores.ndim == 2 and scores.shape[1] != len(classes):
        raise ValueError(
            f"predictions[{name!r}] must have a column per class, {len(classes)}; got {scores.shape[1]}. "
            "Give classes= where y_true lacks some"
        )
    if scores.ndim == 1 and len(classes) != 2:
        raise ValueError(f"predictions[{name!r}] must have a {kind} per class, {len(classes)} columns; got one")
    if kind == "probability" and (scores.min() < 0 or scores.max() > 1):
        first = np.argwhere((scores < 0) | (scores > 1))[0]
        raise ValueError(
            f"predictions[{name!r}] must have probabilities between 0 and 1; got {scores[tuple(first)]} at position "
            f"{first[0]}"
        )
    if scores.ndim == 1:
        return scores
    scores = scores[:, order]
    if len(classes) == 2:
        return scores[:, 1] if kind == "probability" else scores[:, 1] - scores[:, 0]
    return scores
