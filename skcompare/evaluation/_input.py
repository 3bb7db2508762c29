"""Estimators and data, checked at the door."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.exceptions import NotFittedError
from sklearn.utils import get_tags, indexable

from skcompare._core.printable import check_name
from skcompare._core.validation import check_aligned, refuse_masked

Given = ParamSpec("Given")
Result = TypeVar("Result")


def checked_call(evaluate: Callable[Given, Result]) -> Callable[Given, Result]:
    """A method that says what to do instead of the calls that others make by habit."""

    @wraps(evaluate)
    def checked(*args: Given.args, **kwargs: Given.kwargs) -> Result:
        owner, *given = args
        n_models = sum(hasattr(value, "fit") for value in given)
        if n_models > 1:
            raise TypeError(
                f"estimators must be one argument, evaluate([model_a, model_b], X, y) or evaluate({{'a': model_a, "
                f"'b': model_b}}, X, y); got {n_models} models one after the other"
            )
        if "sample_weight" in kwargs:
            raise TypeError("sample_weight must be given as params={'sample_weight': ...}, for fit of every estimator")
        for name in kwargs:
            if name in vars(owner):
                raise TypeError(f"{name} must be given to the evaluator, {type(owner).__name__}({name}=...)")
        return evaluate(*args, **kwargs)

    return checked


def name_estimators(estimators: Any, *, fewest: int = 2) -> dict[str, Any]:
    """Estimators by name, each one that can be fitted and predict: two or more, or with a baseline added one."""
    pairs = pairs_of(estimators)
    if pairs is None and hasattr(estimators, "fit"):
        raise ValueError(
            f"estimators must be two or more to compare, as in [model_a, model_b]; got one {type(estimators).__name__}"
        )
    if pairs is None:
        wanted = "a mapping of name to estimator, a list of (name, estimator) or a list of estimators"
        raise ValueError(f"estimators must be {wanted}; got {type(estimators).__name__}")
    if len(pairs) < fewest:
        wanted = "two or more to compare" if fewest > 1 else "one or more"
        raise ValueError(f"estimators must be {wanted}; got {len(pairs)}")
    names = [name for name, _ in pairs]
    for name, estimator in pairs:
        if not isinstance(name, str) or not name:
            raise ValueError(f"estimators must have non-empty strings as names; got {name!r}")
        check_name(name, "estimators")
        if names.count(name) > 1:
            raise ValueError(f"estimators must have distinct names; got {name!r} {names.count(name)} times")
        missing = [m for m in ("fit", "predict", "get_params") if not may_have(estimator, m)]
        if isinstance(estimator, type) or missing:
            without = f"{type(estimator).__name__} without {', '.join(missing)}"
            problem = "a class; call it to make an estimator" if isinstance(estimator, type) else without
            raise ValueError(f"estimators[{name!r}] must be an estimator with fit and predict; got {problem}")
        _check_protocol(name, estimator)
    return dict(pairs)


def pairs_of(estimators: Any) -> list[tuple[Any, Any]] | None:
    """Names and estimators, not checked yet; None where they are neither a mapping nor a list."""
    if isinstance(estimators, Mapping):
        return list(estimators.items())
    if not isinstance(estimators, (list, tuple)):
        return None
    named = all(isinstance(item, tuple) and len(item) == 2 for item in estimators)
    return list(estimators) if named else name_by_class(estimators)


def name_by_class(estimators: Sequence[Any]) -> list[tuple[str, Any]]:
    """Names as `make_pipeline` gives them: the class in lower case, numbered where it occurs twice."""
    base = [type(estimator).__name__.lower() for estimator in estimators]
    numbered = [f"{name}-{base[: i + 1].count(name)}" if base.count(name) > 1 else name for i, name in enumerate(base)]
    return list(zip(numbered, estimators, strict=True))


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
        return of_none or of_a_fit or (method == "predict" and _must_predict(estimator))
    return True


def _must_predict(estimator: Any) -> bool:
    """Whether a class with `predict` is of classifiers or regressors, which is then hidden until the fit."""
    try:
        return hasattr(type(estimator), "predict") and bool(is_classifier(estimator) or is_regressor(estimator))
    except Exception:  # of something that is no estimator
        return False


def _check_protocol(name: str, estimator: Any) -> None:
    """Raise ValueError unless an estimator can be cloned and says what it is."""
    try:
        get_tags(clone(estimator))
        repr(estimator)
    except (Exception, SystemExit) as error:
        raise ValueError(
            f"estimators[{name!r}] must be an estimator that can be cloned and described; "
            f"{type(error).__name__}: {error}"
        ) from error


def check_data(X: Any, y: Any, groups: Any) -> tuple[Any, Any, Any]:
    """X, y and groups that can be indexed by row, of one length."""
    if y is None:
        raise ValueError("y must be given; got None")
    for name, values in (("X", X), ("y", y), ("groups", groups)):
        refuse_masked(values, name)
    check_lengths(X, y, groups)
    check_aligned(X=X, y=y, groups=groups)
    check_groups(groups)
    X, y, groups = indexable(X, of_numbers(y), groups)
    return X, y, groups


def of_numbers(y: Any) -> Any:
    """A target of objects that are all numbers as one of numbers: scikit-learn knows no classes that are objects."""
    if not isinstance(y, np.ndarray) and not hasattr(y, "iloc"):
        return y
    objects = np.asarray(y)
    numbers = plain_numbers(objects)
    return y if numbers is objects else y.astype(numbers.dtype)


def plain_numbers(array: NDArray[Any]) -> NDArray[Any]:
    """Objects that are all numbers as an array of numbers; anything else as it is."""
    if array.dtype.kind != "O" or not all(isinstance(x, (bool, int, float, np.generic)) for x in array.flat):
        return array
    numbers = np.array(array.tolist())
    return numbers if numbers.dtype.kind in "biuf" else array


def check_groups(groups: Any) -> None:
    """Raise ValueError unless groups, if given, name one per sample."""
    values = np.asarray(groups)
    if groups is None:
        return
    if values.ndim != 1:
        raise ValueError(f"groups must have shape (n_samples,); got {values.shape}")
    lacking = [i for i, one in enumerate(values.tolist()) if one is None or not _is_itself(one)]
    if lacking:
        raise ValueError(
            f"groups must name the group of each sample; got none for {len(lacking)} of {len(values)}, the first at "
            f"position {lacking[0]}"
        )


def _is_itself(value: Any) -> bool:
    """False of nan, of NaT, and of pandas.NA, whose comparisons have no truth."""
    same = value == value
    return isinstance(same, (bool, np.bool_)) and bool(same)


def check_lengths(X: Any, y: Any, groups: Any) -> int:
    """Number of samples; ValueError where y or groups, if given, have more or fewer rows."""
    n_samples = n_rows(X, "X")
    for name, values in (("y", y), ("groups", groups)):
        if values is not None and n_rows(values, name) != n_samples:
            raise ValueError(f"{name} must have one row per sample of X, {n_samples}; got {n_rows(values, name)}")
    return n_samples


def check_square(X: Any) -> None:
    """Raise ValueError unless X can be a precomputed kernel or distance matrix."""
    shape: tuple[int, ...] = getattr(X, "shape", ())
    if not (isinstance(X, np.ndarray) or issparse(X)) or len(shape) != 2 or shape[0] != shape[1]:
        raise ValueError(
            f"X must be a square array for an estimator with a precomputed kernel or metric; "
            f"got {type(X).__name__} of shape {shape or (len(X),)}"
        )


def n_rows(values: Any, name: str) -> int:
    """Number of rows of something that can be indexed by row."""
    shape = getattr(values, "shape", None)
    if isinstance(shape, tuple) and shape:
        return int(shape[0])
    if isinstance(values, (str, bytes, set, frozenset, Mapping)) or not hasattr(values, "__len__") or shape == ():
        raise ValueError(f"{name} must be array-like with one row per sample; got {values!r:.80}")
    return len(values)


def check_target(X: Any, y: Any, name: str = "y") -> np.ndarray[Any, Any]:
    """The target as an array without missing values, as long as X."""
    refuse_masked(y, name)
    refuse_sparse(y, name)
    try:
        truth = np.asarray(y)
    except ValueError as error:
        raise ValueError(f"{name} must have one value per sample; {error}") from error
    n_samples = n_rows(X, "X")
    if truth.ndim not in (1, 2) or len(truth) != n_samples:
        raise ValueError(f"y must have one row per sample of X, {n_samples}; got shape {truth.shape}")
    if truth.ndim == 2 and truth.shape[1] == 1:
        truth = truth[:, 0]
    if truth.dtype.kind == "c":
        raise ValueError(f"{name} must hold labels or real numbers; got complex numbers: give {name}.real")
    if truth.dtype.kind == "O":
        missing = np.array([is_missing(value) for value in truth.flat], dtype=bool).reshape(truth.shape)
    else:
        missing = ~np.isfinite(truth) if truth.dtype.kind == "f" else np.asarray(truth != truth, dtype=bool)
    if missing.any():
        first = int(np.flatnonzero(missing.reshape(len(truth), -1).any(axis=1))[0])
        value = truth[first : first + 1].tolist()[0]
        raise ValueError(f"{name} must not have missing or infinite values; got {value!r} at position {first}")
    return truth


def refuse_sparse(y: Any, name: str = "y") -> None:
    """Raise ValueError where a target is a sparse matrix, which no metric here reads."""
    if issparse(y):
        raise ValueError(f"{name} must be dense; got a sparse matrix: give {name}.toarray()")


def is_missing(value: Any) -> bool:
    """Whether an object is None, a nan, or a missing value that equals nothing and says so."""
    try:
        return value is None or bool(value != value)
    except TypeError:  # pandas.NA
        return True


def is_data(data: Any) -> bool:
    return isinstance(data, (tuple, list)) and len(data) in (2, 3)
