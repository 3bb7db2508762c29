"""Several data sets: what they are given as, and what all must share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from numbers import Integral
from typing import Any, TypeVar

import numpy as np
from scipy.sparse import issparse

from skcompare._core.numbers import counted
from skcompare._core.text import one_line
from skcompare._core.validation import check_name, refuse_masked
from skcompare._core.warnings import Code, warn
from skcompare.evaluation.fit import EstimatorFailedError
from skcompare.evaluation.input import is_classification, is_data, of_numbers, task_of
from skcompare.evaluation.metrics.scoring import check_complexity, default_scoring, resolve_scoring
from skcompare.evaluation.splits import make_splitter
from skcompare.evaluation.store.file import identity_of
from skcompare.evaluation.store.store import Store

Result = TypeVar("Result")


def check_datasets(datasets: Any, cv: Any, scoring: Any, named: Mapping[str, Any], store: str | None) -> dict[str, Any]:
    """Data sets by plain names; ValueError for what would fail on every one, before the first is loaded."""
    if not isinstance(datasets, Mapping) or not datasets:
        got = one_line(repr(datasets))
        raise ValueError(f"datasets must be a mapping of name to (X, y) or a callable; got {got:.80}")
    for name, data in datasets.items():
        check_name(name, "datasets")
        if not callable(data) and not is_data(data):
            raise ValueError(f"datasets[{name!r}] must be a pair (X, y) or a callable; got {one_line(repr(data)):.80}")
    if not isinstance(cv, (Integral, str)) and not hasattr(cv, "split"):
        raise ValueError(f"cv must be a number of folds, 'RxK' or a splitter for several data sets; got {cv!r:.80}")
    make_splitter(cv, np.array([0, 1]), stratified=True, random_state=None)
    if scoring is not None:
        check_complexity(resolve_scoring(scoring, None, named), named)
    if store is not None:
        Store.open(store).close()
    return {str.__str__(name): data for name, data in datasets.items()}


class StoreBetween:
    """The store of a study, which nobody holds open between two data sets.

    Parameters
    ----------
    path : str or None
        The file; None for none.
    """

    def __init__(self, path: str | None) -> None:
        self._path = path
        self._identity: tuple[int, int] | None = None
        self._n_fits = 0

    def note(self, n_fits: int) -> None:
        """Take note of the file after a data set whose fits it holds."""
        if self._path is not None:
            self._identity = identity_of(self._path)
            self._n_fits = self._n_fits + n_fits if self._identity is not None else 0

    def check(self) -> None:
        """Warn where the file is another one since, or gone."""
        if self._path is None or self._n_fits == 0 or identity_of(self._path) == self._identity:
            return
        told = f"the store {self._path!r} was deleted or replaced between two data sets of a study"
        more = f"{told}: {counted(self._n_fits, 'finished fit')} of those before are lost and will be fitted again"
        warn(Code.STORE(more))
        self._n_fits = 0


def load_dataset(source: Any) -> tuple[Any, Any, Any]:
    """X, y and groups of a data set; groups are None where it has none."""
    data = source() if callable(source) else source
    if not is_data(data):
        raise ValueError(f"the callable must give (X, y), perhaps with groups; got {type(data).__name__}")
    return data[0], data[1], data[2] if len(data) == 3 else None


def scoring_of_all(scoring: Any, named: Mapping[str, Any], y: Any) -> Any:
    """The metrics for one data set of several: by default those of many classes, also where there are two."""
    refuse_masked(y, "y")
    if issparse(y):
        raise ValueError("y must be dense; got a sparse matrix: give y.toarray()")
    if scoring is None and is_classification(task_of(list(named.values()), np.asarray(of_numbers(y)))):
        return default_scoring("multiclass", named)
    return scoring


def usual_metrics(named: Mapping[str, Any], data: Any, y: Any = None) -> Sequence[str]:
    """What models are scored by where no metric is named, on X and y, or on the first one of several data sets."""
    if y is not None:
        return default_scoring(task_of(list(named.values()), np.asarray(of_numbers(y))), named)
    X, y, *_ = load_dataset(next(iter(data.values())))
    return scoring_of_all(None, named, y) or usual_metrics(named, X, y)


def check_metrics(metrics: tuple[str, ...], before: list[tuple[str, ...]]) -> None:
    """Raise ValueError unless a data set is scored by the metrics of those before it, which it joins."""
    if before and metrics != before[0]:
        differ = f"its metrics are {', '.join(metrics)}; those of the data sets before are {', '.join(before[0])}"
        raise ValueError(f"{differ}: give scoring, or study one kind of target at a time")
    before.append(metrics)


def evaluate_each(
    datasets: Mapping[str, Any], evaluate: Callable[[str, Any], Result]
) -> tuple[dict[str, Result], dict[str, str]]:
    """What evaluating every data set gives, by name, and why the others are left out.

    Raises
    ------
    EstimatorFailedError
        If all are left out.

    Warns
    -----
    UserWarning
        If some are.
    """
    results, failures = {}, {}
    for name, source in datasets.items():
        try:
            results[name] = evaluate(name, source)
        except Exception as error:
            failures[name] = " ".join(f"{type(error).__name__}: {error}".split())
    first = next((f"the first, {name!r}: {message}" for name, message in failures.items()), "")
    if not results:
        raise EstimatorFailedError(f"datasets must hold one that can be evaluated; all {len(failures)} failed, {first}")
    if failures:
        warn(f"left out: {len(failures)} of {counted(len(datasets), 'data set')}; {first}")
    return results, failures
