"""Which classes are taken for which: the confusion matrix of each model, and the samples on which two differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.frames import import_pandas
from skcompare._core.html import Table
from skcompare._core.memory import check_memory
from skcompare._core.names import choose_estimators, choose_pair
from skcompare._core.record import Record
from skcompare._core.validation import check_choice
from skcompare._core.warnings import CodedWarning
from skcompare._core.words import briefly, counted
from skcompare.comparison.shown import read_shown
from skcompare.scores.evaluation import EvaluationScores

IntArray = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ConfusionMatrices(Record):
    """Confusion matrices of several models on the same samples.

    Attributes
    ----------
    names : tuple of str
        The models.
    labels : tuple
        The classes, sorted: those of the data and those that were predicted.
    counts : ndarray of int of shape (n_models, n_labels, n_labels)
        Number of samples by model, true class and predicted class.
    n : int
        Number of samples.
    samples : str
        The same with the design that they are of, in words.
    """

    names: tuple[str, ...]
    labels: tuple[Any, ...]
    counts: IntArray
    n: int
    samples: str
    warnings: tuple[CodedWarning, ...] = ()

    def of(self, estimator: str) -> IntArray:
        """The matrix of one model, true classes in rows, as scikit-learn's ``confusion_matrix``.

        Parameters
        ----------
        estimator : str
            Its name.

        Returns
        -------
        ndarray of int of shape (n_labels, n_labels)

        Raises
        ------
        ValueError
            If there is no model of that name.
        """
        check_choice(estimator, "estimator", self.names)
        return np.asarray(self.counts[self.names.index(estimator)])

    def difference(self, a: str | None = None, b: str | None = None) -> IntArray:
        """The matrix of `a` less that of `b`.

        Parameters
        ----------
        a, b : str, optional
            Models; the first and the second by default.

        Returns
        -------
        ndarray of int of shape (n_labels, n_labels)
            On the diagonal positive numbers favour `a`, elsewhere `b`; each row has the sum 0.

        Raises
        ------
        ValueError
            If there is no model of that name, or only one.
        """
        a, b = choose_pair(a, b, self.names)
        return self.of(a) - self.of(b)

    def to_frame(self) -> Any:
        """One row per model, true and predicted class as a pandas DataFrame; needs pandas.

        Returns
        -------
        pandas.DataFrame
            Columns: estimator, y_true, y_pred, count.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        k, c = len(self.names), len(self.labels)
        labels = np.empty(c, dtype=object)
        labels[:] = self.labels
        return (
            import_pandas()
            .DataFrame(
                {
                    "estimator": np.repeat(np.array(self.names, dtype=object), c * c),
                    "y_true": np.tile(np.repeat(labels, c), k),
                    "y_pred": np.tile(labels, k * c),
                    "count": self.counts.ravel(),
                }
            )
            .infer_objects()
        )

    def _sentence(self) -> str:
        right = np.trace(self.counts, axis1=1, axis2=2).tolist()
        each = [
            f"{name} {'' if i else 'is right '}on {n}"
            for i, (name, n) in enumerate(zip(self.names, right, strict=True))
        ]
        wrong = self.counts.sum(axis=0) * ~np.eye(len(self.labels), dtype=np.bool_)
        if not wrong.any():
            return f"Of {counted(self.n, 'sample')} {briefly(each)}: no class is taken for another one."
        true, predicted = np.unravel_index(int(wrong.argmax()), wrong.shape)
        return (
            f"Of {counted(self.n, 'sample')} {briefly(each)}; the most frequent error is to take class "
            f"{self.labels[true]!r} for {self.labels[predicted]!r}."
        )

    def _tables(self) -> list[Table]:
        """The cells: of two classes in order, of more the errors first, from the most frequent one on."""
        total = self.counts.sum(axis=0)
        cells = np.argwhere(np.ones_like(total)).tolist()
        if len(total) > 2:
            cells = np.argwhere(total).tolist()
            cells.sort(key=lambda cell: (cell[0] == cell[1], -total[tuple(cell)]))
        both = len(self.names) == 2
        rows = [
            [
                *(str(self.labels[i]), str(self.labels[j]), *map(str, self.counts[:, i, j].tolist())),
                *([f"{self.counts[0, i, j] - self.counts[1, i, j]:+d}"] if both else []),
            ]
            for i, j in cells
        ]
        difference = [f"{self.names[0]} - {self.names[1]}"] if both else []
        return [Table(("true class", "predicted", *self.names, *difference), rows)]


def confusion_matrices(scores: EvaluationScores, *, estimators: str | Sequence[str] | None) -> ConfusionMatrices:
    """The confusion matrices of some models; see `EvaluationResult.confusion_matrices`."""
    names = choose_estimators(estimators, scores.estimators)
    found = read_shown(scores, names)
    strange = {name: found.labels(name) for name in names if found.codes(name) is None}
    classes = found.kept.classes
    labels = np.unique(np.concatenate([classes, *map(np.unique, strange.values())])) if strange else classes
    c = len(labels)
    check_memory(8.0 * len(names) * c**2, f"confusion matrices of {c} classes", "name fewer estimators")
    place, true = np.searchsorted(labels, classes), c * np.searchsorted(labels, found.y_true)
    counts = np.empty((len(names), c, c), dtype=np.int64)
    for i, name in enumerate(names):
        codes = found.codes(name)
        predicted = np.searchsorted(labels, strange[name]) if codes is None else place[codes]
        counts[i] = np.bincount(true + predicted, minlength=c * c).reshape(c, c)
    there = counts.sum(axis=(0, 1)) + counts.sum(axis=(0, 2)) > 0
    return ConfusionMatrices(
        names=names,
        labels=tuple(labels[there].tolist()),
        counts=counts[:, there][:, :, there],
        n=len(true),
        samples=found.said,
        warnings=found.warnings,
    )


def disagreements(scores: EvaluationScores, a: str | None, b: str | None) -> Any:
    """The samples on which two models predict different classes; see `EvaluationResult.disagreements`."""
    pandas = import_pandas()
    a, b = choose_pair(a, b, scores.estimators)
    found = read_shown(scores, (a, b))
    codes_a, codes_b = found.codes(a), found.codes(b)
    coded = codes_a is not None and codes_b is not None
    differ = np.flatnonzero(codes_a != codes_b if coded else found.labels(a) != found.labels(b))
    differ = differ[np.argsort(found.rows[differ], kind="stable")]
    rows = found.rows[differ]
    y_true, of_a, of_b = found.kept.y[rows], found.labels(a, differ), found.labels(b, differ)
    ids = getattr(scores, "sample_ids", None)
    right = np.where(of_a == y_true, a, np.where(of_b == y_true, b, np.array(None, dtype=object)))
    return pandas.DataFrame(
        {
            "sample": rows if ids is None else np.asarray(ids)[rows],
            "y_true": y_true,
            "prediction_a": of_a,
            "prediction_b": of_b,
            "right": right.astype(object),
        }
    )
