"""Estimators and data, checked at the door."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial, wraps
from inspect import signature
from itertools import chain, filterfalse, repeat
from numbers import Integral, Real
from operator import itemgetter
from pathlib import Path
from typing import Any, Literal, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags, indexable
from sklearn.utils.multiclass import type_of_target

from skcompare._core.design import ClassCount
from skcompare._core.record import Record
from skcompare._core.text import one_line
from skcompare._core.validation import came, check_aligned, check_name, refuse_masked, take_named
from skcompare.evaluation.splits import NarrowArray, Splits

Given = ParamSpec("Given")
Result = TypeVar("Result")


def checked_call(evaluate: Callable[Given, Result]) -> Callable[Given, Result]:
    """A method that says what to do instead of the calls that others make by habit, and takes an old keyword."""

    @wraps(evaluate)
    def checked(*args: Given.args, **kwargs: Given.kwargs) -> Result:
        n_models = sum(map(hasattr, args, repeat("fit")))
        if n_models > 1:
            raise TypeError(
                f"models must be one argument, {evaluate.__name__}([model_a, model_b], ...) or "
                f"{evaluate.__name__}({{'a': model_a, 'b': model_b}}, ...); got {n_models} models one after the other"
            )
        if "sample_weight" in kwargs:
            raise TypeError("sample_weight must be given as params={'sample_weight': ...}, for fit of every estimator")
        for name in kwargs:
            if args and hasattr(args[0], evaluate.__name__) and name in vars(args[0]):
                raise TypeError(f"{name} must be given to the evaluator, {type(args[0]).__name__}({name}=...)")
        if kwargs.keys() - signature(evaluate).parameters:
            take_named(evaluate, args, kwargs, estimators="models")
        return evaluate(*args, **kwargs)

    return checked


def name_estimators(estimators: Any, *, fewest: int = 1, argument: str = "estimators") -> dict[str, Any]:
    """Estimators by name, each one that can be fitted and predict; a single one is named as in a list."""
    alone = not isinstance(estimators, (type, Mapping)) and hasattr(estimators, "fit")
    pairs = name_by_difference([estimators]) if alone else pairs_of(estimators)
    if pairs is None:
        wanted = "a mapping of name to estimator, a list of (name, estimator) or a list of estimators"
        raise ValueError(f"{argument} must be {wanted}; got {type(estimators).__name__}")
    if len(pairs) < fewest:
        wanted = "two or more to compare, as in [model_a, model_b]" if fewest > 1 else "one or more"
        raise ValueError(f"{argument} must be {wanted}; got {len(pairs)}")
    names = [*map(partial(check_name, what=argument), map(itemgetter(0), pairs))]
    named = dict(zip(names, map(itemgetter(1), pairs), strict=True))
    for name, estimator in named.items():
        if names.count(name) > 1:
            raise ValueError(f"{argument} must have distinct names; got {name!r} {names.count(name)} times")
        missing = [*filterfalse(partial(may_have, estimator), ("fit", "predict", "get_params"))]
        if isinstance(estimator, type) or missing:
            without = f"{type(estimator).__name__} without {', '.join(missing)}"
            problem = "a class; call it to make an estimator" if isinstance(estimator, type) else without
            raise ValueError(f"{argument}[{name!r}] must be an estimator with fit and predict; got {problem}")
        try:
            get_tags(clone(estimator))
            repr(estimator)
        except (Exception, SystemExit) as error:
            why = f"{type(error).__name__}: {error}"
            must = "must be an estimator that can be cloned and described"
            raise ValueError(f"{argument}[{name!r}] {must}; {why}") from error
    return named


def pairs_of(estimators: Any, *, by_class: bool = False) -> list[tuple[Any, Any]] | None:
    """Names and estimators, not checked yet; None where they are neither a mapping nor a list."""
    if isinstance(estimators, Mapping):
        return list(estimators.items())
    if not isinstance(estimators, (list, tuple)):
        return None
    named = all(isinstance(item, tuple) and len(item) == 2 for item in estimators)
    return list(estimators) if named else (name_by_class if by_class else name_by_difference)(estimators)


def name_by_class(estimators: Sequence[Any]) -> list[tuple[str, Any]]:
    """Names as `make_pipeline` gives them: the class in lower case, numbered where it occurs twice."""
    return list(zip(_numbered([type(estimator).__name__.lower() for estimator in estimators]), estimators, strict=True))


def _numbered(names: Sequence[str]) -> list[str]:
    return [f"{name}-{names[: i + 1].count(name)}" if names.count(name) > 1 else name for i, name in enumerate(names)]


def name_by_difference(estimators: Sequence[Any]) -> list[tuple[str, Any]]:
    """Names by class, of a pipeline by its last step; where one occurs twice what differs, else a number, follows."""
    told = [*map(_told, estimators)]
    base = [name for name, _ in told]
    names = _numbered(base)
    for name in {name for name in base if base.count(name) > 1}:
        places = [i for i, one in enumerate(base) if one == name]
        found = _differences([told[i][1] for i in places])
        if len({*found}) == len(found) and max(map(len, found)) <= _LONGEST_DIFFERENCE:
            for i, difference in zip(places, found, strict=True):
                names[i] = name + difference
    return list(zip(names, estimators, strict=True))


_LONGEST_DIFFERENCE = 30


def _told(estimator: Any) -> tuple[str, dict[str, str]]:
    """The class of an estimator, or of the last step of a pipeline, and the steps and parameters of it as texts."""
    last, found = estimator, dict[str, Any]()
    try:
        while isinstance(last, Pipeline) and hasattr(last.steps[-1][1], "fit"):
            for name, step in last.steps[:-1]:
                found[name] = step
                found |= {f"{name}__{key}": value for key, value in getattr(step, "get_params", dict)().items()}
            last = last.steps[-1][1]
        found |= last.get_params()
        return type(last).__name__.lower(), {key: _as_text(key, value) for key, value in found.items()}
    except (Exception, SystemExit):  # of something that is no estimator, which is refused later
        return type(estimator).__name__.lower(), {}


def _as_text(key: str, value: Any) -> str:
    if hasattr(value, "get_params"):
        return type(value).__name__.lower()
    if isinstance(value, str):
        return value.lower()
    return key.rpartition("__")[2].lower() + (f"{value:g}" if isinstance(value, float) else str(value).lower())


def _differences(told: Sequence[Mapping[str, str]]) -> list[str]:
    """Of each of some models of one class the short texts that others have not, such as "-c10"."""
    differing = [key for key in sorted({*chain(*told)}) if len({one.get(key) for one in told}) > 1]
    keys = [key for key in differing if not any(key.startswith(f"{other}__") for other in differing)]
    keys = [key for key in keys if all(re.fullmatch(r"[\w.+-]+", one.get(key, "none"), re.ASCII) for one in told)]
    return ["".join(f"-{one[key]}" for key in keys if key in one) for one in told]


def may_have(estimator: Any, method: str) -> bool:
    """Whether an estimator has a method, or may have it once it is fitted, as stacked models have `predict`.

    scikit-learn asks the part that a method is delegated to, and before the fit that part is None or is not there.
    """
    try:
        getattr(estimator, method)
    except AttributeError as error:
        cause: BaseException = error
        while cause.__cause__ is not None:
            cause = cause.__cause__
        asked = getattr(cause, "name", None) or ""
        of_none = asked == method and cause is not error and getattr(cause, "obj", estimator) is None
        of_a_fit = isinstance(cause, NotFittedError) or (asked.endswith("_") and not asked.endswith("__"))
        of_a_fit = of_a_fit or isinstance(getattr(type(estimator), method, None), property)  # which may ask for it
        if of_none or of_a_fit or method != "predict" or not hasattr(type(estimator), "predict"):
            return of_none or of_a_fit
        try:  # of classifiers and regressors it is hidden until the fit
            return bool(is_classifier(estimator) or is_regressor(estimator))
        except Exception:  # of something that is no estimator
            return False
    except Exception:  # which the call will raise
        return True
    return True


def check_data(X: Any, y: Any, groups: Any) -> tuple[Any, Any, Any]:
    """X, y and groups that can be indexed by row, of one length."""
    if y is None:
        raise ValueError("y must be given; got None")
    for name, values in (("X", X), ("y", y), ("groups", groups)):
        refuse_masked(values, name)
    if not check_lengths(X, y=y, groups=groups):
        raise ValueError("X must have one row per sample, and at least one; got none")
    check_aligned(X=X, y=y, groups=groups)
    if groups is not None:
        values = np.asarray(groups)
        if values.ndim != 1:
            raise ValueError(f"groups must have shape (n_samples,); got {values.shape}")
        lacking = [i for i, one in enumerate(values.tolist()) if isinstance(one, np.ndarray) or is_missing(one)]
        if lacking:
            raise ValueError(
                f"groups must name the group of each sample; got none for {len(lacking)} of {len(values)}, the first "
                f"at position {lacking[0]}"
            )
    X, y, groups = indexable(X, of_numbers(y), groups)
    return X, y, groups


def of_numbers(y: Any) -> Any:
    """A target of objects that are all numbers as one of numbers: scikit-learn knows no classes that are objects."""
    if not isinstance(y, np.ndarray) and not hasattr(y, "iloc"):
        return y
    objects = np.asarray(y)
    numbers = plain_numbers(objects) if objects.dtype.kind == "O" else objects
    return y if numbers is objects else y.astype(numbers.dtype)


def plain_numbers(array: NDArray[Any]) -> NDArray[Any]:
    """Objects that are all numbers as an array of numbers; anything else as it is."""
    if array.dtype.kind != "O" or not all(isinstance(x, (bool, int, float, np.generic)) for x in array.flat):
        return array
    numbers = np.array(array.tolist())
    return numbers if numbers.dtype.kind in "biuf" else array


def check_lengths(X: Any, **others: Any) -> int:
    """Number of samples; ValueError where y or groups, if given, have more or fewer rows."""
    n_samples = n_rows(X, "X")
    for name, values in others.items():
        if isinstance(values, str) and values in getattr(X, "columns", ()):
            raise ValueError(f"{name} must have one row per sample; got the name of a column of X: give X[{values!r}]")
        if values is not None and n_rows(values, name) != n_samples:
            raise ValueError(f"{name} must have one row per sample of X, {n_samples}; got {n_rows(values, name)}")
    return n_samples


def check_square(X: Any) -> None:
    """Raise ValueError unless X can be a precomputed kernel or distance matrix."""
    shape: tuple[int, ...] = getattr(X, "shape", ())
    if not (isinstance(X, np.ndarray) or issparse(X)) or len(shape) != 2 or shape[0] != shape[1]:
        got = f"{type(X).__name__} of shape {shape or (len(X),)}"
        raise ValueError(f"X must be a square array for an estimator with a precomputed kernel or metric; got {got}")


def n_rows(values: Any, name: str) -> int:
    """Number of rows of something that can be indexed by row."""
    shape = getattr(values, "shape", None)
    if isinstance(shape, tuple) and shape:
        return int(shape[0])
    if isinstance(values, (str, bytes, set, frozenset, Mapping)) or not hasattr(values, "__len__") or shape == ():
        raise ValueError(f"{name} must be array-like with one row per sample; got {one_line(repr(values)):.80}")
    return len(values)


def feature_count(X: Any) -> int | None:
    """Columns of a table, None of anything else."""
    shape: tuple[int, ...] = getattr(X, "shape", ())
    return int(shape[1]) if len(shape) == 2 else None


def check_target(X: Any, values: Any, name: str = "y", *, ndim: tuple[int, ...] = (1, 2)) -> NDArray[Any]:
    """The target, or what else is known of samples, as an array without missing values, as long as X.

    In place of X a number of samples will do. A single column is made one dimension.
    """
    refuse_masked(values, name)
    if issparse(values):
        raise ValueError(f"{name} must be dense; got a sparse matrix: give {name}.toarray()")
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise ValueError(f"{name} must have one value per sample; {error}") from error
    if array.dtype.kind == "U" and isinstance(values, (list, tuple)) and array.ndim == 1:
        array = np.asarray(values, dtype=object) if any(map(is_missing, values)) else array  # nan is no text
    n_samples, of = (X, "") if isinstance(X, int) else (n_rows(X, "X"), " of X")
    if array.ndim not in ndim or len(array) != n_samples:
        one = "value" if ndim == (1,) else "row"
        raise ValueError(f"{name} must have one {one} per sample{of}, {n_samples}; got shape {array.shape}")
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.dtype.kind == "c":
        raise ValueError(f"{name} must hold labels or real numbers; got complex numbers: give {name}.real")
    missing = missing_rows(array)
    if missing.any():
        first = int(missing.argmax())
        value = array[first : first + 1].tolist()[0]
        raise ValueError(f"{name} must not have missing or infinite values; got {value!r} at position {first}")
    return array


def missing_rows(array: NDArray[Any]) -> NDArray[np.bool_]:
    """Which rows have a value that is missing or infinite."""
    if array.dtype.kind == "O" and {*map(type, array.flat)} <= {str, bool, int}:  # which are never missing
        missing = np.zeros(array.shape, dtype=bool)
    elif array.dtype.kind == "O":
        missing = np.array([*map(is_missing, array.flat)], dtype=bool).reshape(array.shape)
    else:
        missing = np.asarray(array != array if array.dtype.kind in "USV" else ~np.isfinite(array), dtype=bool)
    return np.asarray(missing.any(axis=tuple(range(1, array.ndim))))


def is_missing(value: Any) -> bool:
    """Whether an object is None, a nan, or a missing value that equals nothing and says so."""
    try:
        return value is None or bool(value != value)
    except TypeError:  # pandas.NA
        return True


def is_data(data: Any) -> bool:
    return isinstance(data, (tuple, list)) and len(data) in (2, 3)


# The kind of problem that estimators and target pose.


Task = Literal["binary", "multiclass", "multilabel", "regression", "multioutput", "other"]


_CLASSES: dict[str, Task] = {"binary": "binary", "multiclass": "multiclass"}


def is_classification(task: str) -> bool:
    """Whether each sample is of one class: splits are then stratified."""
    return task in ("binary", "multiclass")


def task_of(estimators: Sequence[Any], y: Any, argument: str = "models") -> Task:
    """The kind of problem, from the estimators' types and the target.

    Raises
    ------
    ValueError
        If classifiers and regressors are mixed, classifiers meet a continuous target, or scikit-learn knows no such
        target.
    """
    classifiers, regressors = any(map(is_classifier, estimators)), any(map(is_regressor, estimators))
    if classifiers and regressors:
        raise ValueError(f"{argument} must be all classifiers or all regressors; got both")
    array, target = np.asarray(y), "records"
    if array.dtype.kind == "S":
        raise ValueError("y must hold numbers, booleans or strings; got bytes")
    ended = (x for x in array.flat if isinstance(x, str) and x[-1:] == "\0") if array.dtype.kind == "O" else iter(())
    if (name := next(ended, None)) is not None:
        raise ValueError(f"y must hold classes that do not end with a null character, which arrays drop; got {name!r}")
    if array.dtype.names is None:  # several values with names, such as the event and the time of a survival model
        try:
            if array.dtype.kind == "O" and array.ndim == 1:
                np.unique(array)
        except TypeError as error:
            raise ValueError("y must hold values of one kind; got some that have no order") from error
        try:
            with np.errstate(invalid="ignore"):  # it casts to integers
                target = str(type_of_target(y, input_name="y"))
        except (TypeError, ValueError) as error:
            raise ValueError(f"y must be a target that scikit-learn knows: {one_line(str(error)):.200}") from error
    if classifiers and target.startswith("continuous"):
        raise ValueError(f"y must hold classes for classifiers; got continuous numbers, {np.ravel(y)[0]} first")
    if classifiers and target == "unknown":
        got = f"{np.ravel(y)[:1].tolist()[0]!r:.80} first, of dtype {array.dtype}"
        raise ValueError(f"y must hold classes for classifiers, all numbers, all booleans or all strings; got {got}")
    if regressors and array.dtype.kind not in "biufOV":
        raise ValueError(f"y must hold numbers for regressors; got dtype {array.dtype}")
    if classifiers or (target in (*_CLASSES, "multilabel-indicator") and not regressors):
        return "multilabel" if target == "multilabel-indicator" else _CLASSES.get(target, "other")
    if target == "records":
        return "other"
    if array.ndim == 1:
        return "regression"
    return "multioutput" if regressors or target.startswith("continuous") else "other"


def positive_class(y: NDArray[Any], task: Task) -> Any:
    """The class that binary precision, recall and F1 are about: 1 where it is a label, else the last label."""
    if task != "binary":
        return None
    classes = np.unique(y)
    ones = classes[classes == 1] if classes.dtype.kind in "iufb" else classes[:0]
    return (ones if len(ones) else classes[-1:]).tolist()[0]


# Labels as their positions among the classes, and scores of several labels as columns.


def encode(labels: NDArray[Any], classes: NDArray[Any]) -> tuple[NDArray[np.bool_], NarrowArray]:
    """Which labels are among the sorted classes, and the position of each there."""
    narrow = np.min_scalar_type(len(classes) - 1)
    kinds = labels.dtype.kind + classes.dtype.kind
    if kinds in ("ii", "uu") and classes[0] == 0 and classes[-1] == len(classes) - 1:
        codes = labels.astype(narrow)
        return (codes == labels) & (codes < len(classes)), np.minimum(codes, len(classes) - 1, dtype=narrow)
    nothing = np.zeros(len(labels), dtype=bool), np.zeros(len(labels), dtype=narrow)
    if (labels.dtype.kind in "US") != (classes.dtype.kind in "US") and "O" not in kinds:
        return nothing
    try:
        positions = np.minimum(np.searchsorted(classes, labels), len(classes) - 1)
        return np.asarray(classes[positions] == labels, dtype=bool), positions.astype(narrow)
    except TypeError:  # labels of another kind than the classes
        return nothing


def encode_labels(labels: NDArray[Any], classes: NDArray[Any]) -> tuple[NDArray[Any], bool]:
    """The smallest unsigned integers in place of labels, and True, where each label is one of the classes."""
    if labels.ndim == 1 and (labels.dtype == classes.dtype or labels.dtype.kind + classes.dtype.kind == "UU"):
        known, codes = encode(labels, classes)
        if known.all():
            return codes, True
    return labels, False


def label_columns(given: Any) -> Any:
    """Scores of several labels, a column each: of a list with the probabilities of each the last column of all."""
    return np.column_stack([np.asarray(one)[:, -1] for one in given]) if isinstance(given, list) else given


def without_complement(array: NDArray[Any], method: str) -> NDArray[Any]:
    """Decision values or probabilities; for two classes only the column of the second is kept."""
    if method == "decision_function" and array.ndim == 2 and array.shape[1] == 1:
        return array.ravel()
    return array[:, 1].copy() if array.ndim == 2 and array.shape[1] == 2 else array


# How often every class, or every label of several, occurs in the data and in each test set.


_MOST_CLASSES = 100


def class_counts(y: NDArray[Any], splits: Splits, task: Task) -> tuple[ClassCount, ...]:
    """Of every class, or of every label how many samples have it; nothing of numbers, and of very many."""
    if task == "multilabel" and y.ndim == 2:
        has, labels = y.astype(bool), list(map(str, range(y.shape[1])))
    elif is_classification(task) and y.ndim == 1:
        classes, codes = np.unique(y, return_inverse=True)
        has, labels = codes, list(map(one_line, map(repr, classes.tolist())))
    else:
        return ()
    if len(labels) > _MOST_CLASSES:
        return ()
    parts = [has, *map(has.__getitem__, chain.from_iterable(map(splits.all_held_out, range(splits.n_repeats))))]
    count: Callable[[Any], Any] = partial(np.bincount, minlength=len(labels))
    counts = np.array(list(map(partial(np.sum, axis=0) if has.ndim == 2 else count, parts)))
    found = []
    for label, (total, *tested) in zip(labels, counts.T.tolist(), strict=True):
        found.append(ClassCount(label=label, total=total, test_counts=tuple(tested)))
    return tuple(found)


# How the fits of an evaluation are run, checked before the first.


class RunOptions(Record, slots=False):
    """Rarely needed settings of how an evaluation is run; none changes a score.

    Attributes
    ----------
    fit_timeout : float or None, default=None
        Seconds that a fit with its predictions and scores may take, in a worker process, until it counts as failed.
    keep_predictions : bool, default=True
        Whether the result keeps them for the procedures on predictions.
    callback : callable or None, default=None
        Called in the calling process with a `ProgressEvent` after every finished fit; an exception ends the run.
    check_data : bool, default=True
        Look for rows and identifiers in training and test sets, and for columns that are the target: warnings
        DO_NOT_USE. See the user guide, "Leaks and rare classes".
    share : bool, default=True
        Fit and apply equal leading steps of several pipelines once per split; scores stay the same bit for bit. The
        steps must be scikit-learn's, or of a class with ``skcompare_shareable = True``, and give the same when fitted
        again. Not done with `fit_timeout`, times or callables as metrics, nor for steps with `memory`, `verbose`,
        ``copy=False`` or parameters of ``fit``. The provenance of a result has what was shared. Models of nearest
        neighbors on the same numbers share one search of them, and candidates of a `GridSearchCV` their leading steps.
        See the user guide, "Shared steps".

    Raises
    ------
    ValueError
        If one does not fit, naming it.

    Examples
    --------
    >>> import skcompare as skc
    >>> evaluator = skc.PairedEvaluator(cv=10, options=skc.RunOptions(fit_timeout=60, keep_predictions=False))
    """

    fit_timeout: float | None = None
    keep_predictions: bool = True
    callback: Callable[[Any], Any] | None = None
    check_data: bool = True
    share: bool = True

    def __post_init__(self) -> None:
        seconds = self.fit_timeout
        if seconds is not None and not (_is_a(Real, seconds) and 0 < seconds < np.inf):
            raise ValueError(f"fit_timeout must be None or a positive number of seconds; got {came(seconds)}")
        if self.callback is not None and not callable(self.callback):
            raise ValueError(f"callback must be None or a callable; got {self.callback!r:.80}")
        for name in ("keep_predictions", "check_data", "share"):
            if not isinstance(getattr(self, name), (bool, np.bool_)):
                raise ValueError(f"{name} must be True or False; got {getattr(self, name)!r}")


class RunSettings(RunOptions, slots=False):
    """Where and how fits are made, kept and told of: the options, and parameters of `PairedEvaluator`."""

    n_jobs: int | None = None
    error_score: Any = "raise"
    store: Any = None
    progress: bool = False
    intervals: str | None = None
    return_train_score: bool = False
    return_estimator: bool = False

    def __post_init__(self) -> None:
        n_jobs, returned = self.n_jobs, ("return_train_score", "return_estimator")
        for name in ("progress", *returned):
            if not isinstance(getattr(self, name), (bool, np.bool_)):
                raise ValueError(f"{name} must be True or False; got {getattr(self, name)!r}")
        if self.intervals is not None and self.intervals != "nested":
            raise ValueError(f"intervals must be None or 'nested'; got {self.intervals!r:.80}")
        if self.intervals and not self.keep_predictions:
            raise ValueError(
                f"keep_predictions must be True for intervals='nested', whose losses are read from them; got "
                f"{self.keep_predictions!r}"
            )
        for name in returned:
            if getattr(self, name) and self.store is not None:
                raise ValueError(f"store must be None for {name}=True, which a store does not keep; got {self.store!r}")
        if n_jobs is not None and (not _is_a(Integral, n_jobs) or n_jobs == 0):
            raise ValueError(f"n_jobs must be None or a non-zero integer; got {came(n_jobs)}")
        if not self.stop_on_error and not _is_a(Real, self.error_score):
            raise ValueError(f"error_score must be 'raise' or a number; got {self.error_score!r}")
        if self.store is not None and (not isinstance(self.store, (str, os.PathLike)) or not os.fspath(self.store)):
            raise ValueError(f"store must be None or the path of a file; got {self.store!r}")
        if self.store is not None:  # the same wherever an estimator may change to
            object.__setattr__(self, "store", str(Path(self.store).expanduser().absolute()))

    @property
    def stop_on_error(self) -> bool:
        """Whether the first failure ends the run."""
        return isinstance(self.error_score, str) and self.error_score == "raise"


def _is_a(kind: type, value: Any) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool)
