"""A result from a table of scores that another tool made."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import isclose, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.design import Design
from skcompare._core.numbers import counted, listed
from skcompare._core.printable import check_name, some_names
from skcompare._core.validation import as_floats, check_aligned, check_integer, check_number, refuse_masked
from skcompare._core.warnings import Code, CodedWarning
from skcompare.evaluation.metrics.scoring import COST_METRICS, COUNTED_COSTS, OWN_METRICS
from skcompare.evaluation.metrics.table import BATCHED
from skcompare.results import EvaluationResult
from skcompare.tables.evidence import Settled, tidied
from skcompare.tables.roles import MODELS, by_role, told_directions, told_once

# Names of metrics of which less is usually better; scikit-learn's "neg_..." scorers have the opposite sign already.
LOSS = re.compile(r"^(?!neg_).*(?<![a-z])(errors?|loss|logloss|r?mse|mae|mape|deviance|brier|perplexity)(?![a-z])")
_OWN_LOSSES = (name for name in OWN_METRICS if not BATCHED[name].greater_is_better)
_LESS_IS_BETTER = (*COST_METRICS, *COUNTED_COSTS, *_OWN_LOSSES)
# Gaps up to this size are named one by one, and may be allowed; a table with larger ones would blow up.
_SMALL_TABLE = 1_000_000
_MOST_CELLS_PER_ROW = 100
_SIZES = ("n_train", "n_test")
_NEAR = 0.1  # a test fraction of k-fold that was told may differ so much by rounding and unequal folds
Directions = bool | Mapping[str, bool] | None
_READ = ("dataset", "model", "estimator", "metric", "repeat", "fold", "score", *_SIZES)


def from_frame(
    frame: Any,
    *,
    greater_is_better: bool | Mapping[str, bool] | None = None,
    test_fraction: float | None = None,
    n_samples: int | None = None,
) -> EvaluationResult:
    """An `EvaluationResult` from a tidy table of scores: one row per model, metric and split.

    Parameters
    ----------
    frame : data frame or mapping of column name to array
        Columns ``model`` (or ``estimator``), ``fold`` and ``score``; optionally ``metric``, ``repeat``, ``n_train`` and
        ``n_test``. Without ``metric`` there is one, called "score"; without ``repeat`` there is one. A table with one
        fold per repeat is taken for random splits, any other for (repeated) k-fold. What `EvaluationResult.to_frame`
        gives is such a table.
    greater_is_better : bool or mapping of metric to bool, optional
        Direction of the metrics. fit_time, predict_time, model_size, peak_memory, complexity, n_parameters and
        false_alarm_rate are better when less unless a mapping says otherwise. No other direction is guessed: all
        others are better when greater, and where the name of one speaks of an error or a loss the result has a warning
        until its direction is given.
    test_fraction : float, optional
        Test size over train plus test size, in (0, 1). By default it comes from ``n_train`` and ``n_test``, and
        without them from the number of folds. Random splits need one of the two.
    n_samples : int, optional
        Samples in the data set; by default ``n_train`` plus ``n_test`` of k-fold, otherwise unknown.

    Returns
    -------
    EvaluationResult
        Without predictions: the procedures that need them say so. With the warning ASSUMED, as a table does not show
        whether the models met the same splits.

    Raises
    ------
    ValueError
        If a column is missing, a score is not finite, a row occurs twice, a model lacks a row that another has, the
        repeats differ in their folds, or a split has different sizes for different models.

    Examples
    --------
    >>> from skcompare import from_frame
    >>> table = {
    ...     "model": ["a"] * 5 + ["b"] * 5,
    ...     "fold": [0, 1, 2, 3, 4] * 2,
    ...     "score": [0.91, 0.93, 0.92, 0.95, 0.92, 0.90, 0.90, 0.91, 0.91, 0.89],
    ... }
    >>> result = from_frame(table)
    >>> result.design.name, round(result.test().estimate, 3)
    ('5-fold cross-validation', 0.024)
    """
    frame, read_as = tidied(frame, "folds", (MODELS, ("fold",), ("score",)), Settled(test_fraction=test_fraction))
    if hasattr(frame, "keys") or hasattr(frame, "columns"):
        frame = by_role(frame)
        greater_is_better = told_directions(frame, greater_is_better)
        test_fraction = told_once(frame, "test_fraction", test_fraction)
        n_samples = told_once(frame, "n_samples", n_samples)
    columns = _columns(frame)
    models, model = _positions(columns["model"])
    metrics, metric = _positions(columns["metric"])
    repeats, repeat = np.unique(columns["repeat"], return_inverse=True)
    folds, fold = np.unique(columns["fold"], return_inverse=True)
    shape = (len(models), len(repeats), len(folds), len(metrics))
    check_density(prod(shape), len(model), "every model on every split")
    place = np.ravel_multi_index((model, repeat, fold, metric), shape)
    labels = (models, repeats.tolist(), folds.tolist(), metrics)
    _check_equal_folds(repeat, fold, labels)
    _check_complete(place, shape, labels)
    scores = np.empty(shape)
    scores.flat[place] = columns["score"]
    sizes = {name: _split_sizes(columns[name], name, repeat, fold, labels) for name in _SIZES if name in columns}
    of_splits = shape[1:3]
    if isinstance(test_fraction, float) and len(repeats) == 1 and test_fraction * len(folds) > 1 + _NEAR:
        of_splits = (len(folds), 1)  # test sets so large overlap
    design = design_of_scores(of_splits, sizes, test_fraction, n_samples)
    stated = test_fraction is not None or design.train_sizes != ()
    signs, warnings = directions(metrics, greater_is_better)
    if not stated:
        taken = f"the splits are taken for {design.name}, with {design.test_fraction:.2g} of the samples tested"
        warnings = (Code.ASSUMED(f"{taken}; if they are random ones, give test_fraction."), *warnings)
    times = np.full((len(models), design.n_splits), np.nan)
    return EvaluationResult(
        estimators=models,
        metrics=metrics,
        greater_is_better=signs,
        design=design,
        scores=scores.reshape(len(models), design.n_splits, len(metrics)),
        fit_times=times,
        score_times=times.copy(),
        warnings=(*same_splits(models, "the table cannot show it"), *warnings),
        provenance={
            "source": "a table of scores",
            **({} if stated else {"assumed_design": design.name}),
            **({"read_as": read_as[0]} if read_as else {}),
        },
    )


def _columns(frame: Any) -> dict[str, NDArray[Any]]:
    """The columns of the table as arrays of one length; names as strings, scores as finite floats."""
    if not hasattr(frame, "keys") and not hasattr(frame, "columns"):
        raise ValueError(f"frame must be a data frame or a mapping of columns; got {type(frame).__name__}")
    given = set(frame.keys() if hasattr(frame, "keys") else frame.columns)
    model = "model" if "model" in given else "estimator"
    for column in (model, "fold", "score"):
        if column not in given:
            wanted = "model" if column == "estimator" else column
            runs = next((name for name in ("run", "seed") if name in given), "")
            if column == "fold" and runs:
                raise ValueError(
                    f"frame must have a column 'fold'; of independent runs, as its column {runs!r} says, they share "
                    "no split: from_runs takes them"
                )
            raise ValueError(f"frame must have a column {wanted!r}; got {some_names(sorted(map(str, given)), 20)}")
    read = {column: column_values(frame, column) for column in _READ if column in given}
    check_aligned(**{f"frame[{column!r}]": frame[column] for column in read})
    n_rows = len(read[model])
    defaults = {"metric": np.repeat("score", n_rows), "repeat": np.zeros(n_rows, dtype=int)}
    columns = {
        "model": read[model],
        "fold": read["fold"],
        **{name: read.get(name, defaults[name]) for name in defaults},
    }
    columns |= {
        size: read[size] for size in _SIZES if size in read and any(value is not None for value in read[size].tolist())
    }
    if "dataset" in read and len(np.unique(read["dataset"].astype(str))) > 1:
        raise ValueError("frame must be about one data set; its column 'dataset' holds several")
    columns["score"] = as_floats(read["score"], "frame['score']")
    if any(len(values) != n_rows for values in columns.values()) or n_rows == 0:
        lengths = {column: len(values) for column, values in columns.items()}
        raise ValueError(f"frame must have columns of one length, with at least one row; got {lengths}")
    bad = np.flatnonzero(~np.isfinite(columns["score"]))
    if len(bad):
        raise ValueError(f"frame must hold finite scores; got {columns['score'][bad[0]]} in row {bad[0]}")
    for column in ("repeat", "fold"):
        lacking = np.array([value is None or value != value for value in columns[column].tolist()])
        if lacking.any():
            raise ValueError(f"frame must not lack values in its column {column!r}; row {lacking.argmax()} does")
        if columns[column].dtype.kind == "O":
            columns[column] = columns[column].astype(str)
    return columns


def _positions(names: NDArray[Any]) -> tuple[tuple[str, ...], NDArray[np.intp]]:
    if names.dtype.kind not in "OUS" or not all(isinstance(name, str) and name for name in names.tolist()):
        raise ValueError(f"frame must name models and metrics by non-empty strings; got {names.tolist()[:3]!r}")
    return distinct_names(names.tolist(), "models and metrics of frame")


def distinct_names(names: Sequence[str], what: str) -> tuple[tuple[str, ...], NDArray[np.intp]]:
    """The distinct names in order of appearance, and the position of each row's name there."""
    position = {check_name(name, what): i for i, name in enumerate(dict.fromkeys(names))}
    return tuple(position), np.array([position[name] for name in names], dtype=np.intp)


def column_values(frame: Any, column: Any) -> NDArray[Any]:
    """A column of a table as an array with one value per row, or ValueError."""
    refuse_masked(frame[column], f"frame[{column!r}]")
    try:
        values = np.asarray(frame[column])
    except ValueError as error:  # lists of different lengths
        raise ValueError(f"frame must have one value per row in its column {column!r}") from error
    if values.ndim != 1:
        raise ValueError(f"frame must have one value per row in its column {column!r}")
    return values


def check_density(n_cells: int, n_rows: int, what: str) -> None:
    """ValueError where a table with a row for everything would be far larger than the table that came."""
    if n_cells > max(_SMALL_TABLE, _MOST_CELLS_PER_ROW * n_rows):
        raise ValueError(f"frame must hold {what}; that takes {n_cells} rows, and it has {n_rows}")


def _check_equal_folds(repeat: NDArray[np.intp], fold: NDArray[np.intp], labels: tuple[Any, ...]) -> None:
    present = np.zeros((len(labels[1]), len(labels[2])), dtype=bool)
    present[repeat, fold] = True
    n_folds = present.sum(axis=1)
    if (n_folds != n_folds[0]).any():
        other = int((n_folds != n_folds[0]).argmax())
        raise ValueError(
            f"frame must hold as many folds in every repeat; repeat {labels[1][0]!r} has {n_folds[0]}, "
            f"repeat {labels[1][other]!r} has {n_folds[other]}"
        )


def _check_complete(place: NDArray[np.intp], shape: tuple[int, ...], labels: tuple[Any, ...]) -> None:
    counts = np.bincount(place, minlength=int(np.prod(shape)))
    for wrong, wanted in ((counts > 1, "every row once"), (counts == 0, "every model on every split")):
        if wrong.any():
            where = np.unravel_index(int(np.flatnonzero(wrong)[0]), shape)
            model, repeat, fold, metric = (names[i] for names, i in zip(labels, where, strict=True))
            raise ValueError(
                f"frame must hold {wanted}; model {model!r}, metric {metric!r}, repeat {repeat!r}, fold {fold!r} "
                f"occurs {counted(int(counts[wrong][0]), 'time')} ({counted(int(wrong.sum()), 'such case')})"
            )


def _split_sizes(
    values: NDArray[Any], name: str, repeat: NDArray[np.intp], fold: NDArray[np.intp], labels: tuple[Any, ...]
) -> tuple[int, ...]:
    """The size of each split, the same for every model and metric."""
    if values.dtype.kind not in "iuf":
        raise ValueError(f"frame must hold positive integers in its column {name!r}; got dtype {values.dtype}")
    bad = np.flatnonzero(~((values > 0) & (values < 2**53) & (values == np.round(values))))
    if len(bad):
        raise ValueError(
            f"frame must hold positive integers in its column {name!r}; got {values[bad[0]]} in row {bad[0]}"
        )
    sizes = np.zeros((len(labels[1]), len(labels[2])), dtype=np.int64)
    sizes[repeat, fold] = values
    different = np.flatnonzero(sizes[repeat, fold] != values)
    if len(different):
        row = different[0]
        raise ValueError(
            f"frame must hold one {name} per split; repeat {labels[1][repeat[row]]!r}, "
            f"fold {labels[2][fold[row]]!r} has {values[row]:g} and {sizes[repeat[row], fold[row]]}: "
            "were all models run on the same splits?"
        )
    return tuple(sizes.ravel().tolist())


def design_of_scores(
    shape: tuple[int, ...], sizes: Mapping[str, tuple[int, ...]], test_fraction: float | None, n_samples: int | None
) -> Design:
    """The design of so many repeats and folds, as far as the sizes tell it."""
    n_repeats, n_folds = shape
    random_splits = n_folds == 1
    train, test = sizes.get("n_train", ()), sizes.get("n_test", ())
    if n_samples is not None:
        n_samples = check_integer(n_samples, "n_samples", low=2)
    partition = not random_splits
    if train and test:
        totals = np.add(train, test)
        per_repeat = np.reshape(test, (n_repeats, n_folds)).sum(axis=1)
        partition = partition and bool((per_repeat == totals[0]).all() and (totals == totals[0]).all())
        if n_samples is not None and n_samples < totals.max():
            raise ValueError(f"n_samples must be at least n_train plus n_test, {totals.max()}; got {n_samples}")
        n_samples = int(totals[0]) if n_samples is None and partition else n_samples
    if test_fraction is not None:
        fraction = check_number(test_fraction, "test_fraction", low=0, high=1, closed="neither")
        partition = partition and isclose(fraction, 1 / n_folds, rel_tol=_NEAR)
    elif train and test:
        fraction = float(np.mean(test) / (np.mean(train) + np.mean(test)))
    elif random_splits:
        raise ValueError("test_fraction must be given for random splits, or columns n_train and n_test; got neither")
    else:
        fraction = 1 / n_folds
    return Design(
        n_samples=n_samples,
        n_repeats=n_repeats,
        n_folds=n_folds,
        n_splits=n_repeats * n_folds,
        train_sizes=train,
        test_sizes=test,
        test_fraction=fraction,
        partition=partition,
    )


def same_splits(models: Sequence[str], why: str) -> tuple[CodedWarning, ...]:
    """The warning that nothing shows whether models had the same splits; none of a single one."""
    if len(models) == 1:
        return ()
    return (Code.ASSUMED(f"make sure that {listed(map(repr, models), 3)} had the same splits; {why}."),)


def directions(
    metrics: tuple[str, ...], greater_is_better: Directions
) -> tuple[tuple[bool, ...], tuple[CodedWarning, ...]]:
    """The direction of each metric: given, known by its name, or greater is better; and what is guessed of losses."""
    given = greater_is_better if isinstance(greater_is_better, Mapping) else {}
    default = greater_is_better if isinstance(greater_is_better, bool) else True
    unknown = [name for name in given if name not in metrics]
    if unknown or not (greater_is_better is None or isinstance(greater_is_better, (bool, Mapping))):
        raise ValueError(
            f"greater_is_better must be a bool, or map metrics ({', '.join(map(repr, metrics))}) to bools; "
            f"got {greater_is_better!r}"
        )
    if not all(isinstance(value, bool) for value in given.values()):
        raise ValueError(f"greater_is_better must map metrics to bools; got {greater_is_better!r}")
    found = tuple(given.get(name, default and name not in _LESS_IS_BETTER) for name in metrics)
    losses = [name for name in metrics if name not in given and LOSS.search(name.lower())]
    if not losses or isinstance(greater_is_better, bool):
        return found, ()
    sentence = f"more is taken for better on {', '.join(losses)}; for a loss give greater_is_better."
    return found, (Code.ASSUMED(sentence),)
