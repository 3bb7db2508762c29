"""What models predicted, as the methods of scikit-learn give it: labels, probabilities, scores or numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.validation import as_floats

RESPONSES = {
    "prediction": "predict",
    "score": "",  # read from the values, as an array without a name is
    "probability": "predict_proba",
    "decision_function": "decision_function",
}
Values = Mapping[str, Mapping[str, NDArray[Any]]]
_SUM_TOLERANCE = 1e-3
_ROUNDED = 0.006  # of a probability that was written with two decimals


def read_parts(values: Values, classes: NDArray[Any], *, label_sets: bool = False) -> tuple[Values, dict[str, str]]:
    """What models gave, by parts whose meaning is known, and by model how scores of unknown meaning were read.

    All values in [0, 1] are probabilities, others are decision values. Where labels are made of them, decision values
    must have both signs, and those of all models one meaning; what else they could be is asked.

    Raises
    ------
    ValueError
        If scores could mean several things.
    """
    parts: dict[str, dict[str, NDArray[Any]]] = {}
    cut: dict[str, tuple[bool, NDArray[np.float64]]] = {}
    said: dict[str, str] = {}
    for name, found in values.items():
        parts[name] = {}
        for part, array in found.items():
            if part not in ("", "score") or (part == "" and _is_prediction(array, classes, label_sets)):
                parts[name][part or "prediction"] = array
                continue
            scores = as_floats(array, f"predictions[{name!r}]")
            shares = _are_shares(scores, label_sets) and "probability" not in found
            kind = "probability" if shares else "decision_function"
            if kind in found:
                raise ValueError(f"predictions[{name!r}] must have one of 'score' and {kind!r}; got both")
            parts[name][kind] = scores
            one_each = label_sets or (scores.ndim == 1 and len(classes) == 2)
            needs_cut = one_each and found.keys().isdisjoint({"prediction", "probability"})
            if needs_cut:
                cut[name] = shares, scores
            said[name] = _reading(part, scores, classes, shares=shares, cut=needs_cut, label_sets=label_sets)
    _check_meaning(cut)
    return parts, said


def _is_prediction(values: NDArray[Any], classes: NDArray[Any], label_sets: bool) -> bool:
    """Whether an array without a name holds labels."""
    if label_sets:
        return bool(np.isin(values, (0, 1)).all())
    return values.ndim == 1 and (values.dtype.kind != "f" or len(classes) > 2 or bool(np.isin(values, classes).all()))


def _are_shares(scores: NDArray[np.float64], label_sets: bool) -> bool:
    """Whether scores are probabilities: all in [0, 1], and those of all classes add up to 1."""
    inside = bool(scores.min() >= 0 and scores.max() <= 1)
    alone = label_sets or scores.ndim == 1
    return inside and (alone or bool(np.abs(scores.sum(axis=1) - 1).max() <= _SUM_TOLERANCE))


def _reading(
    part: str, scores: NDArray[np.float64], classes: NDArray[Any], *, shares: bool, cut: bool, label_sets: bool
) -> str:
    """How scores were read, as ``score: probabilities of class 1, cut at 0.5``."""
    of = "all classes" if scores.ndim > 1 else f"class {np.sort(classes)[-1:].tolist()[0]!r}"
    kind = f"{'probabilities' if shares else 'decision values'} of {'labels' if label_sets else of}"
    return f"{part or 'predictions'}: {kind}{f', cut at {0.5 if shares else 0:g}' if cut else ''}"


def _check_meaning(cut: Mapping[str, tuple[bool, NDArray[np.float64]]]) -> None:
    """ValueError where labels would be made of scores that could mean several things."""
    names = [next((repr(n) for n, (found, _) in cut.items() if found is shares), "") for shares in (True, False)]
    labels = "Or give their labels too, as 'prediction'"
    for name, (shares, scores) in cut.items():
        if not shares and not scores.min() < 0 < scores.max():
            raise ValueError(
                f"predictions[{name!r}] must be probabilities, between 0 and 1, or decision values, of both signs; got "
                f"scores from {scores.min():g} to {scores.max():g}. If 0 is where they are cut, call them "
                f"'decision_function' (a key or a column). {labels}"
            )
    if all(names):
        raise ValueError(
            f"predictions must have scores of one meaning; those of {names[0]} are between 0 and 1, those of "
            f"{names[1]} are not. Call each 'probability' or 'decision_function' (keys or columns). {labels}"
        )


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
    for kind, values in found.items():
        if values.shape != shape:
            raise ValueError(
                f"predictions[{name!r}] must have a column per label, shape {shape}; got shape {values.shape}"
            )
        numbers = as_floats(values, f"predictions[{name!r}]")
        wanted = "0 and 1" if kind == "prediction" else "between 0 and 1"
        inside = np.isin(numbers, (0, 1)) if kind == "prediction" else (numbers >= 0) & (numbers <= 1)
        if kind != "decision_function" and not inside.all():
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
    for kind, values in found.items():
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
        raise ValueError(f"predictions[{name!r}] must have a column per class, {len(classes)}; got one")
    if kind == "probability" and (scores.min() < 0 or scores.max() > 1):
        first = np.argwhere((scores < 0) | (scores > 1))[0]
        raise ValueError(
            f"predictions[{name!r}] must have probabilities between 0 and 1; got {scores[tuple(first)]} at position "
            f"{first[0]}"
        )
    if scores.ndim == 1:
        return scores
    sums = scores.sum(axis=1)
    if kind == "probability" and np.abs(sums - 1).max() > _ROUNDED * len(classes):
        first = int(np.abs(sums - 1).argmax())
        raise ValueError(
            f"predictions[{name!r}] must have probabilities that add up to 1; got {sums[first]:.4g} at position {first}"
        )
    scores = scores[:, order]
    if len(classes) == 2:
        return scores[:, 1] if kind == "probability" else scores[:, 1] - scores[:, 0]
    return scores
