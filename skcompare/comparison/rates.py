"""What predictions of classes show: rates at thresholds, confusion matrices, samples on which two models differ."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core import validation
from skcompare._core.frames import frame_of, import_pandas
from skcompare._core.numbers import briefly, counted, interval, number, percent
from skcompare._core.record import Frozen, Record, Rows, Table, shown
from skcompare._core.validation import AnyArray, BoolArray, Chosen, FloatArray, IntArray, Positions
from skcompare._core.warnings import Code, Warnings
from skcompare.comparison.cases import what_fits
from skcompare.evaluation.predictions import CODES, KeptPredictions
from skcompare.inference import proportion_interval
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.predictions import Splits, check_unweighted, chosen_splits, of_pooling, used_repeat

# One test set as it is shown: what several models predicted on the same samples, read once for tables and pictures.


MOST_SHOWN = 5
Scale = Literal["probability", "decision value"]


class ShownPredictions(Frozen):
    """Predicted classes on one test set, of several models; only what is asked for is copied.

    Attributes
    ----------
    names : tuple of str
        The models.
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

    names: tuple[str, ...]
    kept: KeptPredictions
    splits: Splits
    said: str
    rows: Positions
    positive: Any
    is_positive: BoolArray
    warnings: Warnings

    @property
    def y_true(self) -> AnyArray:
        """The true classes."""
        return np.asarray(self.kept.y[self.rows])

    def codes(self, estimator: str) -> AnyArray | None:
        """Predicted classes as positions among those of the data; None where others were predicted too."""
        return self._joined(estimator, CODES)

    def labels(self, estimator: str, where: Any = slice(None)) -> AnyArray:
        """Predicted classes of one model, of all samples or of some."""
        codes = self.codes(estimator)
        if codes is not None:
            return np.asarray(self.kept.classes[codes[where]])
        return np.asarray(np.concatenate([self.kept.labels_of(estimator, i) for i in self.splits])[where])

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
        if found is None or (2 if found.ndim == 1 else found.shape[1]) != len(self.kept.classes):
            return None  # also where the training set lacked a class
        if found.ndim == 2:
            found = found[:, self.kept.classes.tolist().index(self.positive)]
        values = found.astype(np.float64, copy=False)
        if not np.isfinite(values).all():
            raise ValueError(f"the class scores of {estimator!r} must be finite; got nan or infinity")
        return values

    def _joined(self, estimator: str, response: str) -> AnyArray | None:
        parts = [self.kept.folds[estimator][i].get(response) for i in self.splits]
        known = [part for part in parts if part is not None]
        same = len({part.shape[1:] for part in known}) == 1
        return np.concatenate(known) if same and len(known) == len(parts) else None


def read_shown(
    scores: EvaluationScores,
    estimators: Chosen,
    *,
    against_rest: bool = False,
    positive: Any = None,
    most: int | None = None,
) -> ShownPredictions:
    """The predictions of some models, on request of one class against the rest.

    By default they are those that predicted anything, so that one that failed blanks no other, and at `most` so many.

    Raises
    ------
    ValueError
        If they are not known or are no classes, or it is not clear which class is meant.
    """
    names = validation.choose_estimators(estimators, scores.estimators)
    check_unweighted(scores, "what is shown of predictions")
    warnings: Warnings = scores.warnings
    if estimators is None:
        able = tuple(name for name in names if any(scores.kept[0].labelled(name)))
        for name in [name for name in names if able and name not in able]:
            warnings += (Code.MISSING_SCORES(f"{name!r} has no predictions and is left out.", (name,)),)
        names = (able or names)[:most]
    first, kept = scores.predictions(names[0]), scores.kept_predictions
    assert kept is not None
    if scores.task not in ("binary", "multiclass"):
        raise ValueError(
            f"predictions of classes are needed; the task of this result is {scores.task!r}{what_fits(scores)}"
        )
    if positive is None and scores.task == "binary":
        positive = scores.positive_class
    if against_rest:
        known = [label for label in kept.classes.tolist() if label == positive]
        if not known:
            classes = ", ".join(map(repr, kept.classes[:MOST_SHOWN].tolist()))
            hint = ". 'neg_log_loss' and 'neg_brier_score' speak of all classes: compare() tests them"
            raise ValueError(
                f"positive must be the class that is set against all others, one of {classes}; got {positive!r}"
                f"{hint if positive is None else ''}"
            )
        positive = known[0]
    splits = chosen_splits(scores, names)
    rows = np.concatenate([first[i].test_indices for i in splits])
    samples = f"{len(rows)} samples"
    used, n_folds = used_repeat(scores, splits[0] // scores.design.n_folds), scores.design.n_folds
    return ShownPredictions(
        names=names,
        kept=kept,
        splits=splits,
        said=f"one test set of {samples}" if scores.design.n_splits == 1 else f"{samples} of {scores.design.name}",
        rows=rows,
        positive=positive,
        is_positive=np.asarray(kept.y[rows] == positive, dtype=np.bool_),
        warnings=(*warnings, *of_pooling(len(splits), n_folds - len(splits), used)),
    )


# Of each rate: its name, its numerator and what it is a share of, as numbers of a row.
RATES = {
    "true_positive_rate": ("true_positives", "false_negatives", "no sample is positive"),
    "false_positive_rate": ("false_positives", "true_negatives", "no sample is negative"),
    "precision": ("true_positives", "false_positives", "no sample is called positive"),
}
# The words of signal detection: whose counts they are, and of which rate the share is, or 1 less it.
DETECTION = {
    "hits": ("true_positives", "true_positive_rate", True),
    "misses": ("false_negatives", "true_positive_rate", False),
    "false alarms": ("false_positives", "false_positive_rate", True),
    "correct rejections": ("true_negatives", "false_positive_rate", False),
}
DEFAULTS: dict[Scale, float] = {"probability": 0.5, "decision value": 0.0}


class RatesRow(Record):
    """One model at one threshold.

    In the words of signal detection true positives are hits, false negatives misses, false positives false alarms and
    true negatives correct rejections; a row prints them with their shares and intervals.

    Attributes
    ----------
    estimator : str
        The model.
    threshold : float
        A sample is called positive where its score is at least this.
    scale : {"probability", "decision value"}
        What the threshold is on: the probability of the positive class, or the decision value where only that is kept.
    true_positive_rate, false_positive_rate, precision : float
        In [0, 1]; nan where it is 0/0.
    true_positive_rate_low, true_positive_rate_high : float
        Wilson interval of the first; nan where it is.
    false_positive_rate_low, false_positive_rate_high, precision_low, precision_high : float
        Those of the others.
    true_positives, false_positives, false_negatives, true_negatives : int
        Numbers of samples.
    warnings : tuple of str
        Reasons to doubt the row.
    """

    estimator: str
    threshold: float
    scale: Scale
    true_positive_rate: float
    true_positive_rate_low: float
    true_positive_rate_high: float
    false_positive_rate: float
    false_positive_rate_low: float
    false_positive_rate_high: float
    precision: float
    precision_low: float
    precision_high: float
    true_positives: int
    false_positives: int
    false_negatives: int
    true_negatives: int
    warnings: Warnings = ()

    def _sentence(self) -> str:
        rates = briefly([f"the {name.replace('_', ' ')} {self._cell(name)}" for name in RATES])
        return f"{self.estimator} with the threshold {shown(self.threshold)} on the {self.scale}: {rates}."

    @property
    def hits(self) -> int:
        """Positive samples that are called so: `true_positives`, their share is `true_positive_rate`."""
        return self.true_positives

    @property
    def misses(self) -> int:
        """Positive samples that are called negative: `false_negatives`."""
        return self.false_negatives

    @property
    def false_alarms(self) -> int:
        """Negative samples that are called positive: `false_positives`, their share is `false_positive_rate`."""
        return self.false_positives

    @property
    def correct_rejections(self) -> int:
        """Negative samples that are called so: `true_negatives`."""
        return self.true_negatives

    def _cell(self, name: str, *, complement: bool = False) -> str:
        low, rate, high = (getattr(self, f"{name}{part}") for part in ("_low", "", "_high"))
        if complement:
            low, rate, high = 1 - high, 1 - rate, 1 - low
        limits = interval(low, high, 3, signed=False)
        return f"{number(rate, 3)} {limits}" if limits != "n/a" else limits

    def _tables(self) -> list[Table]:
        """Hits, misses, false alarms and correct rejections, with their shares of their class."""
        rows = [
            [word, str(getattr(self, count)), self._cell(rate, complement=not same)]
            for word, (count, rate, same) in DETECTION.items()
        ]
        return [Table(("outcome", "samples", "share of the class"), rows)]


class RatesTable(Rows[RatesRow]):
    """Rates of several models at several thresholds.

    Attributes
    ----------
    rows : tuple of RatesRow
        One per model and threshold.
    positive : object
        The positive class.
    n, n_positive : int
        Number of samples, and of those of the positive class.
    confidence_level : float
        Of the intervals, each for its own rate.
    """

    rows: tuple[RatesRow, ...]
    positive: object
    n: int
    n_positive: int
    confidence_level: float
    warnings: Warnings = ()

    def to_frame(self) -> object:
        """The rows as a pandas DataFrame; needs pandas."""
        return frame_of(self.rows).drop(columns="warnings")

    def _sentence(self) -> str:
        models = list(dict.fromkeys(row.estimator for row in self.rows))
        scales = dict.fromkeys(row.scale for row in self.rows)
        samples = f"{self.n_positive} of {counted(self.n, 'sample')} are of the positive class {self.positive!r}"
        on, intervals = " or ".join(scales), f"their {percent(self.confidence_level)} Wilson intervals"
        what = f"True and false positive rate and precision of {briefly(models)}, with thresholds on the {on}"
        return f"{what}, and {intervals}; {samples}."

    def _tables(self) -> list[Table]:
        header = ("model", "at", "true positive rate", "false positive rate", "precision")
        rows = [[row.estimator, shown(row.threshold), *(row._cell(name) for name in RATES)] for row in self.rows]
        detected = [
            [row.estimator, shown(row.threshold), *(str(getattr(row, count)) for count, _, _ in DETECTION.values())]
            for row in self.rows
        ]
        return [Table(header, rows), Table(("model", "at", *DETECTION), detected)]


def rates(
    scores: EvaluationScores, threshold: ArrayLike | None, *, estimators: Chosen, confidence_level: float, positive: Any
) -> RatesTable:
    """The rates of some models at some thresholds; see `EvaluationResult.rates`."""
    level = validation.check_number(confidence_level, "confidence_level", low=0, high=1, closed="neither")
    if np.asarray(threshold).dtype == bool:
        raise ValueError(f"threshold must be numbers; got {threshold!r:.80}")
    given = None if threshold is None else np.atleast_1d(validation.check_scores(threshold, "threshold", ndim=(0, 1)))
    found = read_shown(scores, estimators, against_rest=True, positive=positive)
    rows: list[RatesRow] = []
    without = []
    for name in found.names:
        values, scale = found.positive_scores(name)
        if scale == "decision value":
            without.append(name)
        elif given is not None and (given.min() < 0 or given.max() > 1):
            raise ValueError(
                f"threshold must be in [0, 1] for the probabilities of {name!r}; got {given.min():g} to {given.max():g}"
            )
        rows += _rows(found, name, values, scale, np.array([DEFAULTS[scale]]) if given is None else given, level)
    warnings = found.warnings
    if without:
        told = (
            f"of {briefly(without)} decision values were kept, no probabilities: their thresholds are on these, and "
            f"not comparable with those of other models. With 'neg_log_loss' in scoring the probabilities are kept."
        )
        warnings += (Code.DIFFERENT_UNITS(told, without),)
    return RatesTable(
        rows=tuple(rows),
        positive=found.positive,
        n=len(found.rows),
        n_positive=int(np.count_nonzero(found.is_positive)),
        confidence_level=level,
        warnings=warnings,
    )


def _rows(
    found: ShownPredictions, name: str, values: FloatArray, scale: Scale, thresholds: FloatArray, level: float
) -> list[RatesRow]:
    positive, negative = np.sort(values[found.is_positive]), np.sort(values[~found.is_positive])
    n_positive, rows = len(positive), []
    for threshold in thresholds.tolist():
        hits, alarms = (len(scores) - int(np.searchsorted(scores, threshold)) for scores in (positive, negative))
        numbers = {
            "true_positives": hits,
            "false_positives": alarms,
            "false_negatives": n_positive - hits,
            "true_negatives": len(values) - n_positive - alarms,
        }
        measured: dict[str, Any] = {}
        warnings = []
        for rate, (part, rest, why) in RATES.items():
            n = numbers[part] + numbers[rest]
            limits = proportion_interval(numbers[part], n, confidence_level=level) if n else None
            measured[rate] = numbers[part] / n if n else float("nan")
            measured[f"{rate}_low"] = limits.low if limits else float("nan")
            measured[f"{rate}_high"] = limits.high if limits else float("nan")
            if limits is None:
                which = f"the {rate.replace('_', ' ')} of {name!r} at {shown(threshold)}"
                warnings.append(Code.WEAK_METRIC(f"{which} is 0/0, since {why}: it is nan.", (name,)))
        told = tuple(warnings)
        rows.append(RatesRow(estimator=name, threshold=threshold, scale=scale, **numbers, **measured, warnings=told))
    return rows


# Which classes are taken for which: the confusion matrix of each model, and the samples on which two differ.


class ConfusionMatrices(Record, eq=False):
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
    warnings: Warnings = ()

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
        validation.check_choice(estimator, "estimator", self.names)
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
        a, b = validation.choose_pair(a, b, self.names)
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
        labels = np.empty(len(self.labels), dtype=object)
        labels[:] = self.labels
        model, true, predicted = np.indices(self.counts.shape).reshape(3, -1)
        columns = {"estimator": np.array(self.names, dtype=object)[model], "y_true": labels[true]}
        columns |= {"y_pred": labels[predicted], "count": self.counts.ravel()}
        return import_pandas().DataFrame(columns).infer_objects()

    def _sentence(self) -> str:
        right = np.trace(self.counts, axis1=1, axis2=2).tolist()
        models = enumerate(zip(self.names, right, strict=True))
        each = [f"{name} {'' if i else 'is right '}on {n}" for i, (name, n) in models]
        said = f"Of {counted(self.n, 'sample')} {briefly(each)}"
        wrong = self.counts.sum(axis=0) * ~np.eye(len(self.labels), dtype=np.bool_)
        if not wrong.any():
            return f"{said}: no class is taken for another one."
        true, predicted = np.unravel_index(int(wrong.argmax()), wrong.shape)
        error = f"class {self.labels[true]!r} for {self.labels[predicted]!r}"
        return f"{said}; the most frequent error is to take {error}."

    def _tables(self) -> list[Table]:
        """The cells: of two classes in order, of more the errors first, from the most frequent one on."""
        total = self.counts.sum(axis=0)
        cells = np.argwhere(np.ones_like(total)).tolist()
        if len(total) > 2:
            cells = np.argwhere(total).tolist()
            cells.sort(key=lambda cell: (cell[0] == cell[1], -total[tuple(cell)]))
        header = ["true class", "predicted", *self.names]
        rows = [[str(self.labels[i]), str(self.labels[j]), *map(str, self.counts[:, i, j].tolist())] for i, j in cells]
        if len(self.names) == 2:
            header.append(f"{self.names[0]} - {self.names[1]}")
            for row, (i, j) in zip(rows, cells, strict=True):
                row.append(f"{self.counts[0, i, j] - self.counts[1, i, j]:+d}")
        return [Table(header, rows)]


def confusion_matrices(scores: EvaluationScores, *, estimators: Chosen, most: int | None = None) -> ConfusionMatrices:
    """The confusion matrices of some models; see `EvaluationResult.confusion_matrices`."""
    found = read_shown(scores, estimators, most=most)
    names = found.names
    strange = {name: found.labels(name) for name in names if found.codes(name) is None}
    classes = found.kept.classes
    labels = np.unique(np.concatenate([classes, *map(np.unique, strange.values())])) if strange else classes
    c = len(labels)
    validation.check_memory(8.0 * len(names) * c**2, f"confusion matrices of {c} classes", "name fewer estimators")
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
    a, b = validation.choose_pair(a, b, scores.estimators)
    found = read_shown(scores, (a, b))
    codes_a, codes_b = found.codes(a), found.codes(b)
    coded = codes_a is not None and codes_b is not None
    differ = np.flatnonzero(codes_a != codes_b if coded else found.labels(a) != found.labels(b))
    differ = differ[np.argsort(found.rows[differ], kind="stable")]
    rows = found.rows[differ]
    y_true, of_a, of_b = found.kept.y[rows], found.labels(a, differ), found.labels(b, differ)
    right = np.where(of_a == y_true, a, np.where(of_b == y_true, b, np.array(None, dtype=object)))
    columns = {"sample": rows if scores.sample_ids is None else scores.sample_ids[rows], "y_true": y_true}
    return pandas.DataFrame(columns | {"prediction_a": of_a, "prediction_b": of_b, "right": right.astype(object)})
