"""Predictions kept after the run, and their form in a saved file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import product, starmap
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.metaestimators import available_if

from skcompare._core.record import Frozen, Record
from skcompare._core.validation import AnyArray, Options, as_floats
from skcompare.evaluation.chunks import FoldOutcome
from skcompare.evaluation.foreign_code import called
from skcompare.evaluation.input import Task, encode_labels, is_classification
from skcompare.evaluation.metrics.scoring import Metric, ScoreTable, Scoring
from skcompare.evaluation.splits import Splits

RESPONSES = ("predict", "decision_function", "predict_proba")
HeldOut = tuple[NDArray[np.intp], NDArray[Any]]  # the samples of a fold and their targets
CODES = "codes"  # labels kept as their positions among the sorted classes


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


Responses = Mapping[str, NDArray[Any]]  # what an estimator gave on a split, by method name


def predict_alike(one: Iterable[Responses], other: Iterable[Responses], *, labels: bool) -> bool | None:
    """Whether two estimators gave the same labels, or the same of all; None where that was not kept."""
    read = (CODES, "predict") if labels else (CODES, *RESPONSES)
    both = list[tuple[Any, Any]]()
    for a, b in zip(one, other, strict=True):
        both += [(a.get(name), b.get(name)) for name in {**a, **b} if a and b and name in read]
    return all(starmap(np.array_equal, both)) if both else None


class KeptPredictions(Frozen, eq=False, kw_only=False, slots=False):
    """The true targets, and what each estimator predicted on each split.

    Attributes
    ----------
    y : ndarray of shape (n_samples, ...)
        True targets.
    folds : mapping of estimator name to list of mapping
        Per split, the responses that were collected, by method name; encoded labels are called "codes".
    """

    y: NDArray[Any]
    folds: Mapping[str, Sequence[Responses]]

    @classmethod
    def from_outcomes(
        cls, y: NDArray[Any], outcomes: Sequence[Sequence[FoldOutcome]], names: Iterable[str]
    ) -> KeptPredictions:
        """Keep the responses of a finished run."""
        folds = dict[str, list[Responses]]()
        for name, of_splits in zip(names, zip(*outcomes, strict=True), strict=True):
            kept = folds[name] = []
            for outcome in of_splits:
                found = dict(outcome.responses)
                kept.append({CODES: found.pop("predict"), **found} if outcome.encoded else found)
        return cls(y, folds)

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

    def _labels(self, responses: Responses) -> NDArray[Any] | None:
        return self.classes[responses[CODES]] if CODES in responses else responses.get("predict")

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
        arrays = {"y_is_object": np.array(False)}
        fields = self.y.dtype.names
        if fields is None:
            arrays["y"], arrays["y_is_object"] = _plain(self.y, "y")
        else:
            arrays["y_fields"] = np.array(fields)
            arrays |= {f"y_field{i}": _plain(self.y[name], f"{name} of y")[0] for i, name in enumerate(fields)}
        for e, (name, folds) in enumerate(self.folds.items()):
            for response in RESPONSES:
                encoded = response == "predict" and all(CODES in fold for fold in folds if fold)
                own = CODES if encoded else response
                given = [self._labels(fold) if own == "predict" else fold.get(own) for fold in folds]
                parts = [part.ravel() for part in given if part is not None]
                if not parts:
                    continue
                values, key = np.concatenate(parts), f"estimator{e}_{response}"
                if encoded:
                    arrays[f"{key}_is_encoded"] = np.array(True)
                arrays[f"{key}_values"], arrays[f"{key}_is_object"] = _plain(values, f"{response} of {name!r}")
                arrays[f"{key}_shapes"] = np.array([_shape_code(part) for part in given], dtype=np.int64)
        return arrays

    @classmethod
    def from_arrays(
        cls, arrays: Mapping[str, NDArray[Any]], names: Sequence[str], test_sizes: Sequence[int]
    ) -> KeptPredictions:
        """Read what `to_arrays` wrote; ValueError where the arrays contradict each other."""
        y = arrays["y"] if "y_fields" not in arrays else _records(arrays)
        y = y.astype(object) if arrays["y_is_object"] else y
        folds: dict[str, list[dict[str, NDArray[Any]]]] = {name: [{} for _ in test_sizes] for name in names}
        kept = cls(y, folds)
        for (e, name), response in product(enumerate(names), RESPONSES):
            key, what = f"estimator{e}_{response}", f"{response} of {name!r}"
            if f"{key}_values" not in arrays:
                continue
            encoded = bool(arrays.get(f"{key}_is_encoded", False))
            for i, part in _load_parts(arrays, key, what, test_sizes).items():
                if encoded and not (part.dtype.kind == "u" and part.ndim == 1 and part.max() < len(kept.classes)):
                    raise ValueError(f"the saved {what} are not positions among the classes")
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


def _load_parts(arrays: Mapping[str, AnyArray], key: str, what: str, test_sizes: Sequence[int]) -> dict[int, AnyArray]:
    """What was saved of one response, by the number of the split."""
    values, shapes = arrays[f"{key}_values"], arrays[f"{key}_shapes"]
    if shapes.shape != (len(test_sizes), 2):
        raise ValueError(f"the saved {what} does not have one part per split")
    sizes = np.where(shapes[:, 0] < 0, 0, shapes[:, 0] * np.maximum(shapes[:, 1], 1))
    if values.shape != (sizes.sum(),) or not ((shapes[:, 0] == test_sizes) | (shapes[:, 0] < 0)).all():
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


def _plain(values: NDArray[Any], what: str) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Object arrays of numbers, or of strings, as such arrays, and whether strings were objects.

    Other objects cannot be saved without pickle.
    """
    plain = np.array(values.tolist()) if values.dtype.kind == "O" else values
    if plain.dtype.kind in "biuf" or (plain.dtype.kind == "U" and all(isinstance(one, str) for one in values.flat)):
        return plain, np.array(values.dtype.kind == "O" and plain.dtype.kind == "U")
    raise ValueError(f"{what} must be numbers, booleans or strings to be saved; got dtype {values.dtype}")


# Predictions that were made elsewhere, scored as those of an evaluation are.


def _has(response: str) -> Any:
    return available_if(lambda self: response in self.responses)


class _Stored(BaseEstimator):  # type: ignore[misc]
    """A fitted model that gives back what was predicted, for scorers; X holds the positions of the samples."""

    def __init__(self, responses: Responses, classes: NDArray[Any]) -> None:
        self.responses, self.classes = responses, classes
        several = np.shape(responses.get("predict", ()))[1:]
        self.classes_ = [np.arange(2)] * several[0] if several else classes  # of labels those of each

    @_has("predict")  # type: ignore[untyped-decorator]
    def predict(self, X: NDArray[np.intp]) -> NDArray[Any]:
        return self.responses["predict"][X]

    @_has("predict_proba")  # type: ignore[untyped-decorator]
    def predict_proba(self, X: NDArray[np.intp]) -> NDArray[Any]:
        found = self.responses["predict_proba"][X]
        return np.column_stack([1 - found, found]) if found.ndim == 1 else found

    @_has("decision_function")  # type: ignore[untyped-decorator]
    def decision_function(self, X: NDArray[np.intp]) -> NDArray[Any]:
        return self.responses["decision_function"][X]


class _StoredClassifier(ClassifierMixin, _Stored):  # type: ignore[misc]
    pass


class _StoredRegressor(RegressorMixin, _Stored):  # type: ignore[misc]
    pass


def stored_models(responses: Mapping[str, Responses], classes: NDArray[Any], task: Task) -> dict[str, Any]:
    """Each model's predictions as an estimator that scorers take."""
    return {name: _stored_model(found, classes, task) for name, found in responses.items()}


def _stored_model(responses: Responses, classes: NDArray[Any], task: Task) -> _Stored:
    kind = _StoredClassifier if is_classification(task) or task == "multilabel" else _StoredRegressor
    return kind(responses, classes)


def score_stored(
    models: Mapping[str, Any],
    y: NDArray[Any],
    metrics: Sequence[Metric],
    task: Task,
    sample_weight: NDArray[np.float64] | None = None,
) -> tuple[ScoreTable, Splits, KeptPredictions]:
    """Scores of stored predictions on the one test set that they are of."""
    weights = {} if sample_weight is None else {"sample_weight": sample_weight}
    names, everything = list(models), np.arange(len(y))
    splits = Splits(len(y), 1, 1, True, np.zeros((1, len(y)), dtype=np.uint8), None)
    outcomes, known = [], np.unique(y) if is_classification(task) else y
    for model in models.values():
        outcome = FoldOutcome(fit_time=0.0, predict_time=0.0, score_time=0.0, responses=dict(model.responses))
        scorers = {metric.name: metric.source for metric in metrics if metric.kind == "scorer"}
        outcome.scored = {name: called(scorer, model, everything, y, **weights) for name, scorer in scorers.items()}
        if is_classification(task) and len(known) == len(model.classes):  # codes are positions among the true classes
            outcome.responses["predict"], outcome.encoded = encode_labels(outcome.responses["predict"], model.classes)
        outcomes.append(outcome)
    scoring = Scoring(metrics, y, splits, task=task, names=names)
    scoring.add([0], [outcomes])
    return scoring.table(), splits, KeptPredictions.from_outcomes(y, [outcomes], names)


# What was given of models -> what the methods of scikit-learn give: labels, probabilities, decision values or numbers.

# A score is read from the values, as an array without a name is.
PARTS = {"prediction": "predict", "score": "", "probability": "predict_proba", "decision_function": "decision_function"}
_SUM_TOLERANCE = 1e-3
_ROUNDED = 0.006  # of a probability that was written with two decimals


def read_predictions(
    values: Mapping[str, Responses], shape: tuple[int, ...], task: Task, classes: NDArray[Any]
) -> tuple[dict[str, dict[str, NDArray[Any]]], dict[str, str]]:
    """What models predicted, by the methods of scikit-learn, and by model how scores of unknown meaning were read.

    Of these all values in [0, 1] are probabilities, others are decision values. Labels are used as they are given, else
    made of the scores. Where the meaning of these is not said decision values must then have both signs, and those of
    all models one meaning.

    Parameters
    ----------
    values : mapping of model to mapping of `PARTS` to ndarray
        What was given; what has no name is labels, numbers or scores.
    shape : tuple of int
        That of the true targets.
    task : str
        The kind of problem.
    classes : ndarray of shape (n_classes,)
        In the order of columns of scores.

    Raises
    ------
    ValueError
        If predictions do not fit the task, or scores could mean several things.
    """
    responses, read, cut = dict[str, dict[str, NDArray[Any]]](), dict[str, str](), dict[str, Any]()
    classes = {"multilabel": np.arange(2), "regression": np.empty(0), "multioutput": np.empty(0)}.get(task, classes)
    # floats 0 and 1 beside shares of other models are those of a tree that is sure of all
    shown = [x[""] for x in values.values() if "" in x and x[""].shape == shape and x[""].dtype.kind == "f"]
    all_shares = task == "binary" and all(bool(((x >= 0) & (x <= 1)).all()) for x in shown)
    among = all_shares and not np.isin(shown, (0, 1)).all() and bool(np.isin(classes, (0, 1)).all())
    for name, given in values.items():
        called, own = f"predictions[{name!r}]", responses.setdefault(name, {})
        if not len(classes):  # scores beside the numbers of a regression are not read
            given = {part: array for part, array in given.items() if part in ("", "prediction")} or given
        for part, array in given.items():
            known = _meaning(called, given, part, classes, shape, among)
            if known == "prediction":
                own["predict"] = _labels(called, array, classes, shape)
                continue
            shares, by_class = known == "probability", array.ndim > len(shape)
            scores = own[PARTS[known]] = _scores(called, array, classes, shape, shares=shares)
            if known == part:
                continue
            of = "labels" if len(shape) > 1 else f"class {np.sort(classes)[-1:].tolist()[0]!r}"
            meaning = f"{'probabilities' if shares else 'decision values'} of {'all classes' if by_class else of}"
            read[name] = f"{part or 'predictions'}: {meaning}"
            if not by_class and given.keys().isdisjoint({"prediction", "probability"}):
                cut[name] = shares, scores
                read[name] += f", cut at {0.5 if shares else 0:g}"
        if "predict" not in own:
            scores, limit = (own["predict_proba"], 0.5) if "predict_proba" in own else (own["decision_function"], 0.0)
            above = scores.argmax(axis=1) if len(classes) > 2 else (scores > limit).astype(np.int64)
            own["predict"] = np.sort(classes)[above]
    unclear = [name for name, (shares, scores) in cut.items() if not (shares or scores.min() < 0 < scores.max())]
    if unclear or len({shares for shares, _ in cut.values()}) > 1:
        which = {name: cut[name][1] for name in unclear[:1] or cut}
        got = f"got scores from {min(x.min() for x in which.values()):g} to {max(x.max() for x in which.values()):g}"
        called = " and ".join(f"predictions[{name!r}]" for name in which)
        raise ValueError(
            f"{called} must be probabilities, between 0 and 1, or decision values, of both signs, in all models alike; "
            f"{got}. Call each 'probability' or 'decision_function', which is cut at 0 (keys or columns), or give "
            "their labels too, as 'prediction'"
        )
    return responses, read


def _meaning(called: str, given: Options, part: str, classes: AnyArray, shape: tuple[int, ...], among: bool) -> str:
    """What a part is: by its name, or else by its values, `among` probabilities of other models."""
    values, several = given[part], len(shape) > 1
    if not len(classes) and part not in ("", "prediction"):
        raise ValueError(f"{called} must be numbers of a regression; got {part!r}")
    alone, unlike = several or values.ndim == 1, not several and (values.dtype.kind != "f" or len(classes) > 2)
    if not part and (not len(classes) or (alone and (unlike or (not among and np.isin(values, classes).all())))):
        return "prediction"  # as scores of one column are floats
    if part not in ("", "score"):
        return part
    scores = as_floats(values, called)
    shares = "probability" not in given and bool(scores.min() >= 0 and scores.max() <= 1)
    shares = shares and (alone or bool(np.abs(scores.sum(axis=1) - 1).max() <= _SUM_TOLERANCE))
    known = "probability" if shares else "decision_function"
    if known in given:
        raise ValueError(f"{called} must have one of 'score' and {known!r}; got both")
    return known


def _labels(called: str, values: NDArray[Any], classes: NDArray[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    """Labels that are all classes, or numbers where there are no classes."""
    if values.shape != shape:
        wanted = f"one {'label' if len(classes) else 'number'} per place of y_true, of shape {shape}"
        raise ValueError(f"{called} must be {wanted}; got shape {values.shape}")
    if not len(classes):
        return as_floats(values, called)
    if strange := values[~np.isin(values, classes)].tolist():
        known = f"classes ({', '.join(map(repr, classes[:5].tolist()))}) or scores"
        raise ValueError(f"{called} must be {known}; got {strange[0]!r}. Give classes= where y_true lacks some")
    return values.astype(classes.dtype)  # others, such as 0.0 of a column with gaps, are no class by their type


def _scores(called: str, values: AnyArray, classes: AnyArray, shape: tuple[int, ...], *, shares: bool) -> AnyArray:
    """Scores in the order of the sorted classes; of two classes those of the second alone."""
    scores, k = as_floats(values, called), len(classes)
    by_class = scores.ndim > len(shape)
    if scores.shape != ((*shape, k) if by_class else shape) or (k != 2 and not by_class):
        wanted = f"column per {f'class, {k}' if len(shape) == 1 else f'label, {shape[1]}'}"
        remedy = "Give classes= where y_true lacks some"
        raise ValueError(f"{called} must have a {wanted}; got shape {scores.shape}. {remedy}")
    wrong = (scores < 0) | (scores > 1)
    if by_class:
        wrong |= np.abs(scores.sum(axis=1, keepdims=True) - 1) > _ROUNDED * k
    if shares and wrong.any():
        at, must = np.argwhere(wrong)[0][0], "between 0 and 1" + " that add up to 1" * by_class
        raise ValueError(f"{called} must have probabilities {must}; got {scores[at]} at position {at}")
    if not by_class:
        return scores
    scores = scores[:, np.argsort(classes, kind="stable")]
    of_two = scores[:, 1] if shares else scores[:, 1] - scores[:, 0]
    return scores if k > 2 else of_two


def rescored(
    kept: KeptPredictions, splits: Splits, chosen: NDArray[np.bool_], metrics: Sequence[Metric], task: Task
) -> tuple[NDArray[np.float64], list[NDArray[np.intp]]]:
    """Scores of kept predictions on some of the samples alone.

    Parameters
    ----------
    kept, splits
        The predictions, and the splits that they are of.
    chosen : ndarray of bool of shape (n_samples,)
        The samples that count.
    metrics : sequence of Metric
        Batched ones, and scorers.
    task : str
        The kind of problem.

    Returns
    -------
    scores : ndarray of shape (n_models, n_splits, n_metrics)
        nan on splits that test none of the samples, and where a model failed.
    tests : list of ndarray
        The test samples of each split that count.
    """
    tests = [splits.held_out(i) for i in range(len(splits))]
    inside = [chosen[test] for test in tests]
    used = [i for i, mask in enumerate(inside) if mask.any()]
    names = list(kept.folds)
    scores = np.full((len(names), len(splits), len(metrics)), np.nan)
    held = [tests[i][inside[i]] for i in used]
    narrow = [test.astype(np.min_scalar_type(max(splits.n_samples - 1, 0))) for test in held]
    shorter = Splits(splits.n_samples, len(used), 1, False, None, tuple((test[:0], test) for test in narrow))
    outcomes = [[_outcome(kept.folds[name][i], inside[i]) for name in names] for i in used]
    scorers = {metric.name: metric.source for metric in metrics if metric.kind == "scorer"}
    for test, of_split in zip(held, outcomes, strict=True):
        for one in of_split if scorers else ():
            if not one.errors:
                found = dict(one.responses)
                if one.encoded:
                    found["predict"] = kept.classes[found["predict"]]
                model = _stored_model(found, kept.classes, task)
                one.scored = {name: _scored(scorer, model, kept.y[test]) for name, scorer in scorers.items()}
    if used:
        scoring = Scoring(metrics, kept.y, shorter, task=task, names=names)
        scoring.add(range(len(used)), outcomes)
        scores[:, used] = scoring.interim(len(used)).scores
    return scores, [test[mask] for test, mask in zip(tests, inside, strict=True)]


def _scored(scorer: Any, model: Any, y: NDArray[Any]) -> float:
    """A score on some samples; nan where the metric is not defined on them, or reads what could not be predicted."""
    try:
        return float(called(scorer, model, np.arange(len(y)), y))
    except (AttributeError, ValueError):
        return float("nan")


def _outcome(responses: Responses, mask: NDArray[np.bool_]) -> FoldOutcome:
    """Kept responses of one model on one split, for the samples that count."""
    if not responses:
        return FoldOutcome(errors={"fit": "ValueError: failed before"})
    found = {"predict" if name == CODES else name: values[mask] for name, values in responses.items()}
    return FoldOutcome(fit_time=0.0, predict_time=0.0, score_time=0.0, responses=found, encoded=CODES in responses)
