"""Predictions kept after the run, and their form in a saved file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.record import Record
from skcompare.evaluation._predictions import FoldOutcome
from skcompare.evaluation._splits import Splits

RESPONSES = ("predict", "decision_function", "predict_proba")
HeldOut = tuple[NDArray[np.intp], NDArray[Any]]  # the samples of a fold and their targets
CODES = "codes"  # labels kept as their positions among the sorted classes


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class FoldPrediction(Record):
    """What one estimator predicted on one test set.

    Attributes
    ----------
    repeat, fold : int
        Which split, counted from 0.
    test_indices : ndarray of shape (n_test,)
        The test samples, as rows of X.
    y_true : ndarray of shape (n_test,) or (n_test, n_columns)
        Their targets.
    y_pred : ndarray of that shape or None
        Predicted targets; None where fitting or predicting failed.
    decision_function : ndarray or None
        Decision values, if a metric reads them; of several labels a column each.
    predict_proba : ndarray or None
        Probabilities, if a metric reads them; of the second class alone where there are two, of several labels a
        column each.
    """

    repeat: int
    fold: int
    test_indices: NDArray[np.intp]
    y_true: NDArray[Any]
    y_pred: NDArray[Any] | None
    decision_function: NDArray[Any] | None
    predict_proba: NDArray[Any] | None


@dataclass(frozen=True, eq=False)
class KeptPredictions:
    """The true targets, and what each estimator predicted on each split.

    Attributes
    ----------
    y : ndarray of shape (n_samples, ...)
        True targets.
    folds : mapping of estimator name to list of mapping
        Per split, the responses that were collected, by method name; encoded labels are called "codes".
    """

    y: NDArray[Any]
    folds: Mapping[str, Sequence[Mapping[str, NDArray[Any]]]]

    @classmethod
    def from_outcomes(
        cls, y: NDArray[Any], outcomes: Sequence[Sequence[FoldOutcome]], names: Iterable[str]
    ) -> KeptPredictions:
        """Keep the responses of a finished run."""
        return cls(y, {name: [_responses(fold[e]) for fold in outcomes] for e, name in enumerate(names)})

    @cached_property
    def classes(self) -> NDArray[Any]:
        """The sorted classes."""
        return np.unique(self.y)

    def labelled(self, estimator: str) -> list[bool]:
        """On which splits the predicted labels of one estimator are known."""
        return [CODES in responses or "predict" in responses for responses in self.folds[estimator]]

    def labels_of(self, estimator: str, split: int) -> NDArray[Any]:
        """The predicted labels of one estimator on a split of which they are known."""
        labels = self._labels(self.folds[estimator][split])
        assert labels is not None
        return labels

    def _labels(self, responses: Mapping[str, NDArray[Any]]) -> NDArray[Any] | None:
        return self.classes[responses[CODES]] if CODES in responses else responses.get("predict")

    def decoded(self, outcome: FoldOutcome) -> dict[str, NDArray[Any]]:
        """The responses of an outcome with labels, not their codes."""
        labels = outcome.responses.get("predict")
        known = {"predict": self.classes[labels]} if outcome.encoded else {}
        return {**outcome.responses, **known}

    def of(self, estimator: str, splits: Splits) -> tuple[FoldPrediction, ...]:
        """The predictions of one estimator, split by split."""
        return tuple(
            prediction
            for repeat in range(splits.n_repeats)
            for prediction in self.of_repeat(estimator, repeat, self.held_out(splits, repeat))
        )

    def held_out(self, splits: Splits, repeat: int) -> list[HeldOut]:
        """The test samples of each fold of a repeat, and their targets."""
        return [(test, self.y[test]) for test in splits.all_held_out(repeat)]

    def of_repeat(self, estimator: str, repeat: int, tested: Sequence[HeldOut]) -> tuple[FoldPrediction, ...]:
        """The predictions of one estimator on the folds of a repeat, of which it is known what was tested."""
        n_folds = len(tested)
        responses = self.folds[estimator][repeat * n_folds : (repeat + 1) * n_folds]
        return tuple(
            FoldPrediction(
                repeat=repeat,
                fold=fold,
                test_indices=test,
                y_true=true,
                y_pred=self._labels(found),
                decision_function=found.get("decision_function"),
                predict_proba=found.get("predict_proba"),
            )
            for fold, ((test, true), found) in enumerate(zip(tested, responses, strict=True))
        )

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Plain arrays: per estimator and response, all values in one row and the shape of each fold's part."""
        arrays = {"y_is_object": np.array(self.y.dtype.kind == "O")}
        fields = self.y.dtype.names
        if fields is None:
            arrays["y"] = _plain(self.y, "y")
        else:
            arrays["y_fields"] = np.array(fields)
            arrays |= {f"y_field{i}": _plain(self.y[name], f"{name} of y") for i, name in enumerate(fields)}
        for e, (name, folds) in enumerate(self.folds.items()):
            for response in RESPONSES:
                encoded = response == "predict" and all(CODES in fold for fold in folds if fold)
                given = [fold.get(CODES) if encoded else self._response(fold, response) for fold in folds]
                parts = [part for part in given if part is not None]
                if not parts:
                    continue
                values = np.concatenate([part.ravel() for part in parts])
                key = f"estimator{e}_{response}"
                if encoded:
                    arrays[f"{key}_is_encoded"] = np.array(True)
                arrays[f"{key}_values"] = _plain(values, f"{response} of {name!r}")
                arrays[f"{key}_is_object"] = np.array(values.dtype.kind == "O")
                arrays[f"{key}_shapes"] = np.array([_shape_code(part) for part in given], dtype=np.int64)
        return arrays

    def _response(self, responses: Mapping[str, NDArray[Any]], name: str) -> NDArray[Any] | None:
        return self._labels(responses) if name == "predict" else responses.get(name)

    @classmethod
    def from_arrays(
        cls, arrays: Mapping[str, NDArray[Any]], names: Sequence[str], test_sizes: Sequence[int]
    ) -> KeptPredictions:
        """Read what `to_arrays` wrote; ValueError where the arrays contradict each other."""
        y = arrays["y"] if "y_fields" not in arrays else _records(arrays)
        y = y.astype(object) if arrays["y_is_object"] else y
        folds: dict[str, list[dict[str, NDArray[Any]]]] = {name: [{} for _ in test_sizes] for name in names}
        kept = cls(y, folds)
        for e, name in enumerate(names):
            for response in RESPONSES:
                if f"estimator{e}_{response}_values" in arrays:
                    parts = _load_parts(arrays, f"estimator{e}_{response}", f"{response} of {name!r}", test_sizes)
                    encoded = bool(arrays.get(f"estimator{e}_{response}_is_encoded", False))
                    for i, part in parts.items():
                        if encoded and not (
                            part.dtype.kind == "u" and part.ndim == 1 and part.max() < len(kept.classes)
                        ):
                            raise ValueError(f"the saved {response} of {name!r} are not positions among the classes")
                        folds[name][i][CODES if encoded else response] = part
        return kept


def _records(arrays: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
    """Several values per sample that have names; ValueError where they contradict each other."""
    names = arrays["y_fields"].tolist()
    parts = [arrays[f"y_field{i}"] for i in range(len(names))]
    if not parts or any(part.ndim != 1 or len(part) != len(parts[0]) for part in parts):
        raise ValueError("the saved y does not have one value of each field per sample")
    y = np.empty(len(parts[0]), dtype=[(name, part.dtype) for name, part in zip(names, parts, strict=True)])
    for name, part in zip(names, parts, strict=True):
        y[name] = part
    return y


def _responses(outcome: FoldOutcome) -> Mapping[str, NDArray[Any]]:
    if not outcome.encoded:
        return outcome.responses
    return {CODES if name == "predict" else name: values for name, values in outcome.responses.items()}


def _load_parts(
    arrays: Mapping[str, NDArray[Any]], key: str, what: str, test_sizes: Sequence[int]
) -> dict[int, NDArray[Any]]:
    """What was saved of one response, by the number of the split."""
    values, shapes = arrays[f"{key}_values"], arrays[f"{key}_shapes"]
    if shapes.shape != (len(test_sizes), 2):
        raise ValueError(f"the saved {what} does not have one part per split")
    sizes = np.where(shapes[:, 0] < 0, 0, shapes[:, 0] * np.maximum(shapes[:, 1], 1))
    fits = (shapes[:, 0] == test_sizes) | (shapes[:, 0] < 0)
    if values.shape != (sizes.sum(),) or not fits.all():
        raise ValueError(f"the saved {what} does not fit the saved splits")
    if arrays[f"{key}_is_object"]:
        values = values.astype(object)
    parts = {}
    for i, part in enumerate(np.split(values, np.cumsum(sizes)[:-1])):
        rows, columns = shapes[i].tolist()
        if rows >= 0:
            parts[i] = part.reshape(rows, columns) if columns else part
    return parts


def _shape_code(part: NDArray[Any] | None) -> tuple[int, int]:
    """Rows and columns; no columns for one dimension, -1 rows for nothing."""
    if part is None:
        return (-1, 0)
    if part.ndim > 2:
        raise ValueError(f"predictions of more than two dimensions cannot be saved; got shape {part.shape}")
    return (part.shape[0], part.shape[1] if part.ndim == 2 else 0)


def _plain(values: NDArray[Any], what: str) -> NDArray[Any]:
    """Object arrays of strings as fixed-width strings; other objects cannot be saved without pickle."""
    if values.dtype.kind in "biufU":
        return values
    if values.dtype.kind == "O" and all(isinstance(value, str) for value in values.flat):
        return values.astype(np.str_)
    raise ValueError(f"{what} must be numbers, booleans or strings to be saved; got dtype {values.dtype}")
