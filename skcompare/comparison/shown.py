"""One test set as it is shown: what several models predicted on the same samples, read once for tables and pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from skcompare._core.validation import FloatArray
from skcompare._core.warnings import Code, CodedWarning
from skcompare.comparison.cases import what_fits
from skcompare.comparison.predictions import Splits, check_unweighted, chosen_splits, folds_left_out, used_repeat
from skcompare.evaluation._kept import CODES, KeptPredictions
from skcompare.scores.evaluation import EvaluationScores

MOST_SHOWN = 5
Scale = Literal["probability", "decision value"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownPredictions:
    """Predicted classes on one test set, of several models; only what is asked for is copied.

    Attributes
    ----------
    kept : KeptPredictions
        All predictions.
    splits : list of int
        The splits that are shown, one after the other: each sample once.
    said : str
        How many samples they are, and of which design.
    rows : ndarray of shape (n_samples,)
        The samples, as rows of X.
    positive : object
        The positive class, which is set against all others; None where there are not two classes and none was named.
    is_positive : ndarray of bool of shape (n_samples,)
        Which samples are of it.
    warnings : tuple of str
        Reasons to doubt what is shown of them.
    """

    kept: KeptPredictions
    splits: Splits
    said: str
    rows: NDArray[np.intp]
    positive: Any
    is_positive: NDArray[np.bool_]
    warnings: tuple[CodedWarning, ...]

    @property
    def y_true(self) -> NDArray[Any]:
        """The true classes."""
        return np.asarray(self.kept.y[self.rows])

    def codes(self, estimator: str) -> NDArray[Any] | None:
        """Predicted classes as positions among those of the data; None where others were predicted too."""
        return self._joined(estimator, CODES)

    def labels(self, estimator: str, where: Any = slice(None)) -> NDArray[Any]:
        """Predicted classes of one model, of all samples or of some."""
        codes = self.codes(estimator)
        if codes is not None:
            return np.asarray(self.kept.classes[codes[where]])
        known = [self.kept.labels_of(estimator, i) for i in self.splits]
        return np.asarray(np.concatenate(known)[where])

    def probability(self, estimator: str) -> FloatArray | None:
        """The probability of the positive class by one model; None where that was not kept."""
        found = self._scores(estimator, "predict_proba")
        return None if found is None else 1 - found if self._is_lesser else found

    def positive_scores(self, estimator: str) -> tuple[FloatArray, Scale]:
        """What a threshold is on, greater for the positive class: probabilities, else decision values."""
        known = self.probability(estimator)
        if known is not None:
            return known, "probability"
        decision = self._scores(estimator, "decision_function")
        if decision is None:
            area = "roc_auc" if len(self.kept.classes) == 2 else "roc_auc_ovr"
            raise ValueError(
                f"scoring must include {area!r} or 'neg_log_loss', so that class scores are kept; {estimator!r} has "
                f"none"
            )
        return -decision if self._is_lesser else decision, "decision value"

    @property
    def _is_lesser(self) -> bool:
        """Whether the positive class is the lesser of the two labels: scores are kept for the greater one."""
        return len(self.kept.classes) == 2 and bool(self.positive == self.kept.classes[0])

    def _scores(self, estimator: str, response: str) -> FloatArray | None:
        found = self._joined(estimator, response)
        if found is not None and found.ndim == 2 and found.shape[1] == len(self.kept.classes):
            found = found[:, self.kept.classes.tolist().index(self.positive)]
        if found is None or found.ndim != 1:
            return None
        values = found.astype(np.float64, copy=False)
        if not np.isfinite(values).all():
            raise ValueError(f"the class scores of {estimator!r} must be finite; got nan or infinity")
        return values

    def _joined(self, estimator: str, response: str) -> NDArray[Any] | None:
        parts = [self.kept.folds[estimator][i].get(response) for i in self.splits]
        known = [part for part in parts if part is not None]
        same = len({part.shape[1:] for part in known}) == 1
        return np.concatenate(known) if same and len(known) == len(parts) else None


def read_shown(
    scores: EvaluationScores, names: tuple[str, ...], *, against_rest: bool = False, positive: Any = None
) -> ShownPredictions:
    """The predictions of some models, on request of one class against the rest.

    Raises
    ------
    ValueError
        If they are not known or are no classes, or it is not clear which class is meant.
    """
    check_unweighted(scores, "what is shown of predictions")
    first, kept = scores.predictions(names[0]), scores.kept_predictions
    assert kept is not None
    if scores.task not in ("binary", "multiclass"):
        raise ValueError(
            f"predictions of classes are needed; the task of this result is {scores.task!r}{what_fits(scores)}"
        )
    if positive is None and scores.task == "binary":
        positive = scores.positive_class
    if against_rest:
        positive = _one_class(positive, kept.classes.tolist())
    splits = chosen_splits(scores, names)
    rows = np.concatenate([first[i].test_indices for i in splits])
    return ShownPredictions(
        kept=kept,
        splits=splits,
        said=f"one test set of {len(rows)} samples"
        if scores.design.n_splits == 1
        else f"{len(rows)} samples of {scores.design.name}",
        rows=rows,
        positive=positive,
        is_positive=np.asarray(kept.y[rows] == positive, dtype=np.bool_),
        warnings=_warnings(scores, len(splits), used_repeat(scores, splits[0] // scores.design.n_folds)),
    )


def _one_class(positive: Any, classes: Sequence[Any]) -> Any:
    """The class that is set against the rest, as the data has it."""
    known = [label for label in classes if label == positive]
    if not known:
        shown = ", ".join(map(repr, classes[:MOST_SHOWN]))
        hint = " 'neg_log_loss' and 'neg_brier_score' speak of all classes: compare() tests them."
        raise ValueError(
            f"positive must be the class that is set against all others, one of {shown}; got {positive!r}."
            f"{hint if positive is None else ''}".removesuffix(".")
        )
    return known[0]


def _warnings(scores: EvaluationScores, n_splits: int, used: str) -> tuple[CodedWarning, ...]:
    found = list(scores.warnings)
    if n_splits > 1:
        found.append(Code.POOLED(f"the predictions of {n_splits} folds, each of models of its own, stand together."))
    if n_splits < scores.design.n_folds:
        found.append(folds_left_out(scores.design.n_folds - n_splits))
    if used:
        found.append(Code.FIRST_ONLY(f"{used}."))
    return tuple(found)
