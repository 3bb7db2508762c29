"""A result from what scikit-learn's `cross_validate` returned, or from the ``cv_results_`` of a search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from math import isclose
from typing import Any

import numpy as np

from skcompare._core.design import Design
from skcompare._core.printable import check_name, one_line, some_names
from skcompare._core.validation import FloatArray, as_floats, check_integer
from skcompare._core.warnings import CodedWarning
from skcompare.evaluation._splits import IndexArray, Splits, check_indices, splits_from_pairs
from skcompare.results import EvaluationResult
from skcompare.tables.cv_results import is_cv_results, read_cv_results
from skcompare.tables.evaluation import design_of_scores, directions, taken_on_trust

Pair = tuple[IndexArray, IndexArray]
Pairs = tuple[Pair, ...]
_TEST = "test_"
_TIMES = ("fit_time", "score_time")
_NEAR = 0.01  # a test fraction that is told may differ so much from one over the folds by rounding and unequal folds
# How to know the splits.
_REMEDY = "cross_validate(..., return_indices=True) gives the splits"
_REMEDY_OF_SEARCH = "SearchReport.from_search reads the splits of the search itself"


def from_cross_validate(
    results: Mapping[str, Any],
    *,
    scoring: str | None = None,
    names: Sequence[str] | None = None,
    greater_is_better: bool | Mapping[str, bool] | None = None,
    n_samples: int | None = None,
    n_folds: int | None = None,
    test_fraction: float | None = None,
) -> EvaluationResult:
    """An `EvaluationResult` from the dicts that scikit-learn's `cross_validate` returned, one per model.

    Parameters
    ----------
    results : mapping of model to dict or array, or the ``cv_results_`` of a search
        An array is what `cross_val_score` returned, and stands for ``{"test_score": array}``.
        With ``return_indices=True`` in all calls the splits are compared: all models must have met the same ones. The
        design is read from them, repeats and folds are recognised. Dicts without indices do not tell whether the
        splits were the same; that is taken on trust, with a warning, and the sizes are to be given. Of ``cv_results_``,
        or a table with its columns ``split0_test_score`` and so on, every candidate is a model; it has no indices.
        Training scores and estimators are not read.
    scoring : str, optional
        What a single metric, ``"test_score"``, is called; "score" by default.
    names : sequence of str, optional
        Of the candidates in ``cv_results_``, one per row; by default made of the parameters that vary.
    greater_is_better : bool or mapping of metric to bool, optional
        As in `from_frame`. The scorers of scikit-learn are all better when greater.
    n_samples : int, optional
        Samples in the data set; by default as many as the indices name, without indices unknown.
    n_folds : int, optional
        Without indices: test sets per repeat of (repeated) k-fold cross-validation.
    test_fraction : float, optional
        Without indices: test size over train plus test size, in (0, 1); by default one over `n_folds`. Without
        `n_folds` the splits are random ones.

    Returns
    -------
    EvaluationResult
        Without predictions: the procedures that need them say so. Scores that are nan, as `error_score` makes them
        where a fit failed, are left out pair by pair, and each test says so.

    Raises
    ------
    ValueError
        If there are fewer than two models, they differ in their splits, their number or their metrics, some have
        indices and some have not, or the sizes of the splits are not known.

    See Also
    --------
    from_frame : a result from a table of scores.
    merge : one result of several.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import StratifiedKFold, cross_validate
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> import skcompare as skc
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> cv = StratifiedKFold(10, shuffle=True, random_state=0)
    >>> models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3, random_state=0)}
    >>> dicts = {name: cross_validate(model, X, y, cv=cv, return_indices=True) for name, model in models.items()}
    >>> result = skc.from_cross_validate(dicts, scoring="accuracy")
    >>> result.design.name, result.warnings
    ('10-fold cross-validation', ())
    """
    if not hasattr(results, "keys") or not hasattr(results, "__getitem__"):
        raise ValueError(
            f"results must map names of models to dicts of cross_validate; got {one_line(repr(results)):.80}"
        )
    read = _of_search(results, names) if is_cv_results(results) else _of_dicts(results, names)
    if len(read.models) < 2:
        raise ValueError(f"results must hold two or more models; got {some_names(read.models) or 'none'}")
    if not np.isfinite(read.scores).any():
        raise ValueError("results must hold finite scores; all are missing or infinite")
    metrics = _metric_names(read.metrics, scoring)
    signs, of_directions = directions(metrics, greater_is_better)
    splits = _shared_splits(read, n_samples)
    if splits is None:
        design = _design(read, n_samples, n_folds, test_fraction)
    else:
        design = _known_design(splits, n_folds=n_folds, test_fraction=test_fraction)
    return EvaluationResult(
        estimators=read.models,
        metrics=metrics,
        greater_is_better=signs,
        design=design,
        scores=read.scores,
        fit_times=read.times[0],
        score_times=read.times[1],
        warnings=(*(_trusted(read) if splits is None else splits.warnings), *read.warnings, *of_directions),
        provenance={"source": read.source},
        single_metric=read.metrics == ("score",),
        kept_splits=splits,
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class _Read:
    """Scores of shape (n_models, n_splits, n_metrics), seconds of fits and of scoring, and each model's splits."""

    source: str
    models: tuple[str, ...]
    metrics: tuple[str, ...]
    scores: FloatArray
    times: tuple[FloatArray, FloatArray]
    remedy: str
    indices: tuple[Pairs | None, ...] = ()
    warnings: tuple[CodedWarning, ...] = ()


def _of_search(table: Mapping[str, Any], names: Sequence[str] | None) -> _Read:
    found = read_cv_results(table, what="results", names=None if names is None else _checked_names(names, "names"))
    unknown = np.full(found.scores.shape[:2], np.nan)
    return _Read(
        source="cv_results_ of a search",
        models=found.names,
        metrics=tuple(found.keys),
        scores=found.scores,
        times=(unknown, unknown.copy()),
        remedy=_REMEDY_OF_SEARCH,
        warnings=found.warnings,
    )


def _checked_names(names: Any, what: str) -> list[str]:
    listed: list[Any] = list(names) if not isinstance(names, str) and hasattr(names, "__iter__") else [None]
    if not all(isinstance(name, str) and name for name in listed) or len(set(listed)) < len(listed):
        raise ValueError(f"{what} must be non-empty strings, each once; got {names!r:.80}")
    return [check_name(name, what) for name in listed]


# ---- dicts of cross_validate ----------------------------------------------------------------------------------


def _of_dicts(results: Mapping[str, Any], names: Sequence[str] | None) -> _Read:
    if names is not None:
        raise ValueError(f"names must be None where results has the names of the models; got {names!r:.80}")
    keys = list(results.keys())
    if any(str(key).startswith(_TEST) or key in _TIMES for key in keys):
        raise ValueError(
            "results must map names of models to dicts, {'a': cross_validate(a, ...), 'b': cross_validate(b, ...)}; "
            f"got the dict of one model, with {some_names(list(map(str, keys)))}"
        )
    models = tuple(_checked_names(keys, "names of models in results"))
    dicts = [_as_dict(results[name]) for name in keys]
    metrics: tuple[str, ...] = ()
    tables = []
    for name, table in zip(models, dicts, strict=True):
        own = _own_metrics(name, table)
        metrics = metrics or own
        if set(own) != set(metrics):
            raise ValueError(
                f"results must have the same metrics of all models; {models[0]!r} has {some_names(metrics)}, "
                f"{name!r} has {some_names(own)}"
            )
        tables.append(np.stack([_column(name, table, _TEST + metric) for metric in metrics], axis=1))
        if len(tables[-1]) != len(tables[0]):
            raise ValueError(
                f"results must have as many splits of every model; {models[0]!r} has {len(tables[0])}, {name!r} has "
                f"{len(tables[-1])}"
            )
    n_splits = len(tables[0]) if tables else 0
    fit, score = (
        np.array([_times(name, table, time, n_splits) for name, table in zip(models, dicts, strict=True)])
        for time in _TIMES
    )
    return _Read(
        source="dicts of cross_validate",
        models=models,
        metrics=metrics,
        scores=np.stack(tables) if tables else np.empty((0, 0, 0)),
        times=(fit, score),
        remedy=_REMEDY,
        indices=tuple(_pairs(name, table, n_splits) for name, table in zip(models, dicts, strict=True)),
    )


def _as_dict(found: Any) -> Any:
    """An array of `cross_val_score` as the dict that `cross_validate` makes of it; anything else as it is."""
    numbers = isinstance(found, (list, tuple)) or (hasattr(found, "dtype") and np.ndim(found) == 1)
    return {f"{_TEST}score": found} if numbers else found


def _own_metrics(name: str, table: Any) -> tuple[str, ...]:
    where = f"results[{name!r}]"
    if not hasattr(table, "keys") or not hasattr(table, "__getitem__"):
        raise ValueError(f"{where} must be a dict of cross_validate; got {one_line(repr(table)):.80}")
    own = [key.removeprefix(_TEST) for key in table.keys() if isinstance(key, str) and key.startswith(_TEST)]  # noqa: SIM118
    if not own or not all(own):
        raise ValueError(
            f"{where} must have scores, such as 'test_score'; got {some_names(list(map(str, table.keys())))}"
        )
    return tuple(check_name(metric, "metrics of results") for metric in own)


def _column(name: str, table: Any, key: str) -> FloatArray:
    values = as_floats(table[key], f"results[{name!r}][{key!r}]")
    if values.ndim != 1 or not len(values):
        raise ValueError(f"results[{name!r}][{key!r}] must hold one number per split; got shape {values.shape}")
    return values


def _times(name: str, table: Any, key: str, n_splits: int) -> FloatArray:
    """Seconds, nan where they are not there."""
    values = _column(name, table, key) if key in table.keys() else np.full(n_splits, np.nan)  # noqa: SIM118
    if len(values) != n_splits:
        raise ValueError(f"results[{name!r}][{key!r}] must hold one number per split, {n_splits}; got {len(values)}")
    return values


def _pairs(name: str, table: Any, n_splits: int) -> Pairs | None:
    """Training and test indices of every split; None where they are not there."""
    if "indices" not in table.keys():  # noqa: SIM118
        return None
    where = f"results[{name!r}]['indices']"
    try:
        parts = [list(table["indices"][part]) for part in ("train", "test")]
    except (TypeError, KeyError, IndexError) as error:
        raise ValueError(f"{where} must hold lists 'train' and 'test'; got {table['indices']!r:.80}") from error
    if any(len(part) != n_splits for part in parts):
        raise ValueError(
            f"{where} must hold a train and a test set per split, {n_splits}; got {len(parts[0])} and {len(parts[1])}"
        )
    return tuple(
        (
            check_indices(train, f"the train indices of split {i} in {where}"),
            check_indices(test, f"the test indices of split {i} in {where}"),
        )
        for i, (train, test) in enumerate(zip(*parts, strict=True))
    )


def _metric_names(found: tuple[str, ...], scoring: str | None) -> tuple[str, ...]:
    if scoring is None:
        return found
    if not isinstance(scoring, str) or not scoring:
        raise ValueError(f"scoring must be the name of the metric; got {scoring!r:.80}")
    if found != ("score",):
        raise ValueError(f"scoring must be None where the metrics have names, {some_names(found)}; got {scoring!r}")
    return (check_name(scoring, "scoring"),)


# ---- splits ---------------------------------------------------------------------------------------------------


def _shared_splits(read: _Read, n_samples: int | None) -> Splits | None:
    """The splits of all models; None where no model has indices."""
    there = [pairs is not None for pairs in read.indices]
    if not any(there):
        return None
    if not all(there):
        has, has_not = next(compress(read.models, there)), read.models[there.index(False)]
        raise ValueError(
            f"results must have 'indices' of all models or of none; {has!r} has them, {has_not!r} has not: {_REMEDY}"
        )
    first, *others = [pairs for pairs in read.indices if pairs is not None]
    for name, other in zip(read.models[1:], others, strict=True):
        how = different_splits(repr(read.models[0]), repr(name), first, other)
        if how:
            raise ValueError(
                f"results must share their splits; {how}. Give every cross_validate the same cv, with an integer as "
                f"random_state where it shuffles"
            )
    needed = 1 + max(int(part.max()) for pair in first for part in pair)
    n_samples = needed if n_samples is None else check_integer(n_samples, "n_samples", low=2)
    if n_samples < needed:
        raise ValueError(
            f"n_samples must be at least {needed}, as the indices name sample {needed - 1}; got {n_samples}"
        )
    return splits_from_pairs(first, n_samples)


def different_splits(name: str, other: str, splits: Sequence[Pair], others: Sequence[Pair]) -> str:
    """The first split in which two differ, and how; empty where the samples are the same in all."""
    for i, pairs in enumerate(zip(splits, others, strict=True)):
        for part, a, b in zip(("training", "test"), *pairs, strict=True):
            if not np.array_equal(a, b) and not np.array_equal(np.sort(a), np.sort(b)):
                return f"the {part} sets of split {i} differ: {_how(name, other, a, b)}"
    return ""


def _how(name: str, other: str, a: IndexArray, b: IndexArray) -> str:
    """In what two sets differ."""
    if len(a) != len(b):
        return f"{len(a)} samples of {name}, {len(b)} of {other}"
    only = np.setdiff1d(a, b)
    if not len(only):
        return f"{name} and {other} have the same samples, some another number of times"
    return f"{len(only)} of {len(a)} samples of {name} are not among those of {other}, the first is {only[0]}"


def _design(read: _Read, n_samples: int | None, n_folds: int | None, test_fraction: float | None) -> Design:
    """The design as it was told."""
    if n_folds is None and test_fraction is None:
        raise ValueError(
            "n_folds must be given for k-fold cross-validation, or test_fraction for random splits, where results have "
            f"no indices; got neither: {read.remedy}"
        )
    n_splits = read.scores.shape[1]
    k = 1 if n_folds is None else check_integer(n_folds, "n_folds", low=2)
    if n_splits % k:
        raise ValueError(f"n_folds must divide the number of splits, {n_splits}; got {k}")
    design = design_of_scores((n_splits // k, k), {}, test_fraction, n_samples)
    return replace(design, partition=k > 1 and isclose(design.test_fraction, 1 / k, rel_tol=_NEAR))


def _known_design(splits: Splits, **told: Any) -> Design:
    for name, value in told.items():
        if value is not None:
            raise ValueError(f"{name} must be None where results have indices, which tell it; got {value!r}")
    return splits.design_of_scores


def _trusted(read: _Read) -> tuple[CodedWarning, ...]:
    return (taken_on_trust(read.models, f"there are no indices of them. {read.remedy}"),)
