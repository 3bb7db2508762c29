"""Complete evidence -> a result: scores of folds, of independent runs, or of data sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isclose
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.design import Design
from skcompare._core.numbers import listed
from skcompare._core.printable import some_names
from skcompare._core.validation import check_integer, check_number
from skcompare._core.warnings import Code, CodedWarning
from skcompare.results import EvaluationResult
from skcompare.tables.evidence import Evidence, Settled, evidence_from, unsplit, untimed
from skcompare.tables.reading import coded, natural, rows_of

_MOST_NAMED = 5
_SIZES = ("n_train", "n_test")
_NEAR = 0.1  # a test fraction of k-fold that was told may differ so much by rounding and unequal folds
Rows = NDArray[np.bool_]


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
    settled = Settled(test_fraction=test_fraction)
    found = evidence_from(frame, "folds", design=settled, greater_is_better=greater_is_better, n_samples=n_samples)
    if len(found.names.get("dataset", ())) > 1:
        raise ValueError("frame must be about one data set; its column 'dataset' holds several")
    return next(iter(results_of(found).values()))


def results_of(evidence: Evidence) -> dict[str, EvaluationResult]:
    """One result per data set of folds or runs, the only one of a table without data sets under an empty name."""
    made = _of_runs if evidence.reading.kind == "runs" else _of_folds
    datasets, of_rows = evidence.names.get("dataset", ("",)), np.zeros(len(evidence.columns["value"]), dtype=np.intp)
    if len(datasets) == 1:
        return {datasets[0]: made(evidence, of_rows == 0)}
    results, of_rows = {}, evidence.at("dataset")
    for i, name in enumerate(datasets):
        try:
            results[name] = made(evidence, of_rows == i)
        except ValueError as error:
            raise ValueError(f"data set {name!r}: {error}") from error
    return results


# ---- folds ----------------------------------------------------------------------------------------------------


def _of_folds(evidence: Evidence, rows: Rows) -> EvaluationResult:
    """The scores of one data set on splits, with their design."""
    place, shape = _places(evidence, rows)
    models, metrics = evidence.names["model"], evidence.names["metric"]
    scores = np.empty((len(models), int(np.prod(shape)), len(metrics)))
    scores[evidence.at("model", rows), place, evidence.at("metric", rows)] = evidence.columns["value"][rows]
    sizes = {size: _split_sizes(evidence, size, rows, place) for size in _SIZES if size in evidence.columns}
    fraction, folds = evidence.design.test_fraction, evidence.design.n_folds
    fraction = 1 / folds if fraction is None and folds is not None and folds > 1 else fraction
    if fraction is None and shape[1] == 1 and len(sizes) < 2:
        n = shape[0]
        raise evidence.unclear(
            f"test_fraction must be given for random splits, or columns n_train and n_test; it has {n} of them, and "
            "nothing says which share of the samples they test",
            *((f"{x}% of them", {"design": f"{n} random splits, {x}% tested"}) for x in (50, 20)),
        )
    design = design_of_scores(shape, sizes, fraction, evidence.n_samples)
    warnings, provenance = same_splits(models, "the table cannot show it"), {"source": "a table of scores"}
    if fraction is None and not design.train_sizes:
        taken = f"the splits are taken for {design.name}, with {design.test_fraction:.2g} of the samples tested"
        warnings += (Code.ASSUMED(f"{taken}; if they are random ones, give test_fraction."),)
        provenance["assumed_design"] = design.name
    return _result(evidence, design, scores, (*warnings, *evidence.warnings), provenance)


def _result(
    evidence: Evidence,
    design: Design,
    scores: NDArray[np.float64],
    warnings: tuple[CodedWarning, ...],
    provenance: dict[str, Any],
) -> EvaluationResult:
    said = {} if evidence.reading.plain else {"read_as": str(evidence.reading)}
    return untimed(
        scores,
        estimators=evidence.names["model"],
        metrics=evidence.names["metric"],
        greater_is_better=evidence.greater_is_better,
        design=design,
        warnings=warnings,
        provenance=provenance | said,
    )


def _places(evidence: Evidence, rows: Rows) -> tuple[NDArray[np.intp], tuple[int, int]]:
    """The position of the split of each row, and how many repeats and folds there are, as far as it is said."""
    splits = rows_of({name: x[rows] for name, x in evidence.columns.items()}, ("repeat", "split"))
    ordered = sorted({*splits}, key=lambda split: tuple(map(natural, split)))
    n, k, fraction = len(ordered), evidence.design.n_folds, evidence.design.test_fraction
    if evidence.design.n_splits not in (None, n):
        raise evidence.unclear(f"design speaks of {evidence.design.n_splits} splits, and the table has {n}")
    if k is not None and n % k:
        raise evidence.unclear(f"design speaks of {k} folds, which do not divide {n} splits")
    if k is None:
        folds: dict[str, list[str]] = {}
        for split in ordered:
            folds.setdefault(split[0] if "repeat" in evidence.columns else "", []).append(split[-1])
        (first, own), *others = folds.items()
        other = next((repeat for repeat, x in others if "split" in evidence.columns and x != own), None)
        if other is not None:
            raise ValueError(
                f"{evidence.origin} must hold as many folds in every repeat; repeat {first} has {len(own)}, repeat "
                f"{other} has {len(folds[other])}: {some_names(own)} and {some_names(folds[other])}"
            )
        # test sets so large overlap
        k = 1 if fraction is not None and len(folds) == 1 and fraction * len(own) > 1 + _NEAR else len(own)
    place = {split: i for i, split in enumerate(ordered)}
    return np.array([place[split] for split in splits], dtype=np.intp), (n // k, k)


def _split_sizes(evidence: Evidence, name: str, rows: Rows, place: NDArray[np.intp]) -> tuple[int, ...]:
    """The size of each split, the same for every model and metric."""
    values = evidence.columns[name][rows]
    sizes = np.zeros(place.max() + 1, dtype=np.int64)
    sizes[place] = values
    if (sizes[place] != values).any():
        i = int((sizes[place] != values).argmax())
        told = (f"{role} {evidence.columns[role][rows][i]}" for role in ("repeat", "split") if role in evidence.names)
        raise ValueError(
            f"{evidence.origin} must hold one {name} per split; {', '.join(told)} has {values[i]} and "
            f"{sizes[place][i]}: were all models run on the same splits?"
        )
    return tuple(sizes.tolist())


def design_of_scores(
    shape: tuple[int, ...], sizes: Mapping[str, tuple[int, ...]], test_fraction: float | None, n_samples: int | None
) -> Design:
    """The design of so many repeats and folds, as far as the sizes tell it."""
    n_repeats, n_folds = shape
    train, test = sizes.get("n_train", ()), sizes.get("n_test", ())
    n_samples = None if n_samples is None else check_integer(n_samples, "n_samples", low=2)
    partition, fraction = n_folds > 1, 1 / n_folds
    if train and test:
        totals = np.add(train, test)
        per_repeat = np.reshape(test, (n_repeats, n_folds)).sum(axis=1)
        partition = partition and bool((per_repeat == totals[0]).all() and (totals == totals[0]).all())
        if n_samples is not None and n_samples < totals.max():
            raise ValueError(f"n_samples must be at least n_train plus n_test, {totals.max()}; got {n_samples}")
        n_samples = int(totals[0]) if n_samples is None and partition else n_samples
        fraction = float(np.mean(test) / (np.mean(train) + np.mean(test)))
    if test_fraction is not None:
        fraction = check_number(test_fraction, "test_fraction", low=0, high=1, closed="neither")
        partition = partition and isclose(fraction, 1 / n_folds, rel_tol=_NEAR)
    elif n_folds == 1 and not (train and test):
        raise ValueError("test_fraction must be given for random splits, or columns n_train and n_test; got neither")
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


# ---- runs -----------------------------------------------------------------------------------------------------


def _of_runs(evidence: Evidence, rows: Rows) -> EvaluationResult:
    """The runs of one data set.

    Scores are nan behind the last run of a model. Paired runs stand in one order for all models, others in the order
    of each model's own.
    """
    models, metrics = evidence.names["model"], evidence.names["metric"]
    run, names = coded({"run": evidence.columns["run"][rows]}, ["run"])
    full = np.full((len(models), len(names), len(metrics)), np.nan)
    full[evidence.at("model", rows), run, evidence.at("metric", rows)] = evidence.columns["value"][rows]
    ran = ~np.isnan(full).all(axis=2)
    paired = " ".join(str(evidence.design.paired or "").split()).rstrip(".")
    if paired and not ran.all():
        m, r = np.argwhere(~ran)[0]
        raise ValueError(f"paired needs the same runs of every model; {models[m]!r} has no run {names[r][0]!r}")
    gaps = np.argwhere(ran[:, :, None] & np.isnan(full)).tolist()
    if gaps:
        named = "; ".join(f"{metrics[k]!r} of run {names[r][0]!r} of {models[m]!r}" for m, r, k in gaps[:_MOST_NAMED])
        raise ValueError(f"{evidence.origin} must hold every metric of every run; {len(gaps)} are missing: {named}")
    n_runs = ran.sum(axis=1).tolist()
    scores = np.full((len(models), max(n_runs), len(metrics)), np.nan)
    for one, (n, own) in enumerate(zip(n_runs, ran, strict=True)):
        scores[one, :n] = full[one, own]
    design = unsplit(scores.shape[1], "runs", n_runs=tuple(n_runs), paired=paired)
    return _result(evidence, design, scores, evidence.warnings, {"source": "a table of runs"})


# ---- data sets ------------------------------------------------------------------------------------------------


def study_fields(evidence: Evidence) -> dict[str, Any]:
    """The fields of a study with one score per data set; of folds with gaps the means where none is missing."""
    roles = ("dataset", "model", "metric")
    labels = [evidence.names[role] for role in roles]
    at, splits = coded(evidence.columns, ("repeat", "split"))
    full = np.full((*map(len, labels), len(splits)), np.nan)
    full[(*(evidence.at(role) for role in roles), at)] = evidence.columns["value"]
    return {
        "datasets": labels[0],
        "estimators": labels[1],
        "metrics": labels[2],
        "greater_is_better": evidence.greater_is_better,
        "scores": full.mean(axis=3)[:, :, None, :],
        "warnings": evidence.warnings,
        "provenance": {"source": "a table of scores"},
    }
