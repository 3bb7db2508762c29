"""A result from outcomes: one number per item, model and metric."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skcompare._core.numbers import counted
from skcompare._core.printable import check_name
from skcompare._core.record import few
from skcompare._core.validation import FloatArray, as_floats, by_label, check_aligned
from skcompare._core.warnings import Code, CodedWarning
from skcompare.results import EvaluationResult
from skcompare.tables.columns import role_of_name
from skcompare.tables.evidence import Evidence, directions, evidence_from, unsplit, untimed
from skcompare.tables.reading import INDEPENDENT, rows_of
from skcompare.tables.samples import Samples, ask_of_clusters, named_columns, read_samples, refuse_roles, roles_apart

_MOST_SPLITS = 100  # as of 10x10


def from_outcomes(
    outcomes: Any,
    *,
    greater_is_better: bool | Mapping[str, bool] | None = None,
    clusters: ArrayLike | None = None,
    sample_id: ArrayLike | None = None,
) -> EvaluationResult:
    """An `EvaluationResult` from one outcome per item, model and metric: grades, passes, losses, scores of sentences.

    Each item is one case, so that tests, intervals and the dominance test are about these models on items like these.

    Parameters
    ----------
    outcomes : mapping or table
        Model name to array of shape (n_items,), as a data frame with a column per model too, or (n_items, n_runs) with
        several runs per item, which are averaged: runs of one item are not independent. With several metrics a mapping
        of metric to such a mapping. Or a tidy table with a row per item and model: columns ``sample_id`` (or
        ``item``), ``model`` and ``outcome`` (or ``score``), optional ``metric``, ``run`` and ``clusters`` (or
        ``group``); every other column describes the items, for `EvaluationResult.by`. Names of columns are read in any
        case.
    greater_is_better : bool or mapping of metric to bool, optional
        Direction of the metrics, as in `from_frame`.
    clusters : array_like of shape (n_items,) or str, optional
        Document, patient, question, ... of each item: items of one cluster are not taken for independent. Of a table
        also the name of its column. ``"none"`` says that no column holds clusters, where items repeat in one.
    sample_id : array_like of shape (n_items,), optional
        What the items are called. pandas objects whose index holds these are aligned by it, `clusters` too. A mapping
        or frame of models may have `sample_id` and `clusters` as columns.

    Returns
    -------
    EvaluationResult
        On a design of items: `compare` takes McNemar's test where all outcomes are 0 or 1, and otherwise a paired t
        test; `dominance` counts the items, for which its test is exact.

    Raises
    ------
    ValueError
        If an outcome is missing or not finite, a model lacks an item or has it twice, or items repeat in blocks of a
        column of which nothing says what it is.

    See Also
    --------
    from_predictions : where there are predictions and true values.

    Examples
    --------
    >>> from skcompare import from_outcomes
    >>> passed = {"a": [1, 1, 1, 0, 1, 1, 1, 1, 0, 1] * 5, "b": [1, 0, 1, 0, 0, 1, 1, 0, 0, 1] * 5}
    >>> result = from_outcomes(passed)
    >>> result.design.name
    '50 items'
    >>> round(result.test().estimate, 2)
    0.3
    """
    if _is_table(outcomes):
        if sample_id is not None or not (clusters is None or isinstance(clusters, str)):
            raise ValueError("clusters and sample_id must be columns of the table; got them as arguments")
        options: dict[str, Any] = {"greater_is_better": greater_is_better, "clusters": clusters}
        return items_of(evidence_from(outcomes, "outcomes", called="outcomes", **options))
    columns, told = roles_apart(named_columns(outcomes), {"sample_id": sample_id, "clusters": clusters})
    given = _by_metric(columns)
    if told["clusters"] is None and clusters is None:
        _ask(given)
    labels = None if sample_id is None else np.asarray(sample_id)  # those of a column stand in its order
    clusters, tables = _arrays(given, labels, told["clusters"])
    metrics, models = tuple(tables), tuple(next(iter(tables.values())))
    n = len(next(iter(tables[metrics[0]].values())))
    samples = Samples.of(np.empty(n), {}, told["sample_id"], clusters)
    about_items = _like_folds(tables, samples)
    scores = np.empty((len(models), len(metrics), n))
    for e, m in np.ndindex(scores.shape[:2]):
        scores[e, m] = tables[metrics[m]].pop(models[e])
    signs, warnings = directions(metrics, greater_is_better)
    return _result(models, metrics, scores, signs, samples, (*about_items, *warnings))


def items_of(evidence: Evidence) -> EvaluationResult:
    """The result of outcomes of items, of several runs their means, with what describes the items."""
    columns, (models, metrics) = dict(evidence.columns), (evidence.names[role] for role in ("model", "metric"))
    for role in ("dataset", "split", "repeat"):
        if role in columns:
            of_role = columns[f"also {evidence.reading.roles.get(role, role)}"] = columns.pop(role)
            if len({*rows_of(columns, ("model", "metric", "item", "run"))}) < len(of_role):  # numbered anew
                pairs = zip(of_role.tolist(), columns["item"].tolist(), strict=True)
                columns["item"] = np.array([f"{a} {b}" for a, b in pairs])
    if columns["item"].dtype.kind == "O":
        columns["item"] = columns["item"].astype(np.str_)
    model, metric = evidence.at("model"), evidence.at("metric")
    ids, item = np.unique(columns["item"], return_inverse=True)
    shape = (len(models), len(metrics), len(ids))
    place = np.ravel_multi_index((model, metric, item), shape)
    size = len(models) * len(metrics) * len(ids)
    means = np.bincount(place, columns["value"], minlength=size) / np.bincount(place, minlength=size)
    rows = np.sort(np.unique(model * len(ids) + item, return_index=True)[1])
    asks = evidence.reading.asked.get("cluster") != INDEPENDENT
    samples = read_samples({name: x[rows] for name, x in columns.items()}, asks=asks)
    return _result(models, metrics, means.reshape(shape), evidence.greater_is_better, samples, evidence.warnings)


def _result(
    models: tuple[str, ...],
    metrics: tuple[str, ...],
    scores: FloatArray,
    greater_is_better: tuple[bool, ...],
    samples: Samples,
    warnings: tuple[CodedWarning, ...],
) -> EvaluationResult:
    """The result of scores of shape (n_models, n_metrics, n_items), so that the items of a metric lie side by side."""
    n_clusters = None if samples.clusters is None else len(np.unique(samples.clusters))
    n = scores.shape[2]
    return untimed(
        scores.transpose(0, 2, 1),
        estimators=models,
        metrics=metrics,
        greater_is_better=greater_is_better,
        design=unsplit(n, "items", n_samples=n, n_clusters=n_clusters),
        warnings=warnings,
        provenance=samples.provenance("outcomes of items"),
        **samples.fields,
    )


def _is_table(outcomes: Any) -> bool:
    """Whether there are columns that name models and items, and not one column per model."""
    names = outcomes.keys() if isinstance(outcomes, Mapping) else getattr(outcomes, "columns", ())
    return {"model"} < {role_of_name(str(name)) for name in names if str(name) not in ("", "nan")} & {
        "model",
        "item",
        "id",
    }


def _ask(given: Mapping[str, Mapping[str, Any]]) -> None:
    """ValueError where a column among those of models may hold clusters."""
    for of_models in given.values():
        arrays = {name: np.asarray(x) for name, x in of_models.items() if not isinstance(x, (list, tuple))}
        flat = {name: x for name, x in arrays.items() if x.ndim == 1 and len(x)}
        ask_of_clusters(flat, leave_out="leave the column out", by_name=False)


def _like_folds(tables: Mapping[str, Mapping[str, FloatArray]], samples: Samples) -> tuple[CodedWarning, ...]:
    """The doubt that few numbers without names are scores of folds, which are not independent."""
    values = [x for of_models in tables.values() for x in of_models.values()]
    n = len(values[0])
    graded = all(bool((x == np.round(x)).all()) for x in values)  # as right and wrong are, and scores of folds are not
    if samples.ids is not None or samples.clusters is not None or n > _MOST_SPLITS or graded:
        return ()
    taken = f"{counted(n, 'number')} per model were taken for those of independent items"
    remedy = "Scores of a cross-validation go to from_cross_validate; sample_id says that these are items"
    return (Code.ASSUMED(f"{taken}. {remedy}."),)


def _by_metric(outcomes: Any) -> dict[str, dict[str, Any]]:
    """By metric and model what was given."""
    if not isinstance(outcomes, Mapping) or not outcomes:
        raise ValueError(
            "outcomes must map models to arrays, or metrics to such mappings, or be a table with columns sample_id, "
            f"model and outcome; got {type(outcomes).__name__}"
        )
    nested = {isinstance(value, Mapping) for value in outcomes.values()}
    if len(nested) > 1:
        raise ValueError("outcomes must map either models to arrays, or metrics to mappings; got both")
    given = outcomes if True in nested else {"score": outcomes}
    found: dict[str, dict[str, Any]] = {}
    models = [*next(iter(given.values()))]
    for metric, of_models in given.items():
        check_name(metric, "metrics of outcomes")
        where = f"outcomes[{metric!r}]" if True in nested else "outcomes"
        if not of_models:
            raise ValueError(f"{where} must hold one or more models; got none")
        refuse_roles([name for name in models if isinstance(name, str)], where)
        if {*models} != {*of_models}:
            raise ValueError(f"{where} must have the same models on every metric; got {few([*map(repr, of_models)])}")
        found[metric] = {check_name(name, where): of_models[name] for name in models}
    return found


def _arrays(
    given: Mapping[str, Mapping[str, Any]], labels: NDArray[Any] | None, clusters: Any
) -> tuple[Any, dict[str, dict[str, FloatArray]]]:
    """Clusters, and by metric and model one value per item; pandas objects are aligned by the ids of the items."""
    of = {metric: "outcomes" if [*given] == ["score"] else f"outcomes[{metric!r}]" for metric in given}
    called = {(metric, name): f"{of[metric]}[{name!r}]" for metric, of_models in given.items() for name in of_models}
    clusters = by_label(clusters, "clusters", labels, strict=False)
    aligned = {at: by_label(given[at[0]][at[1]], name, labels, strict=False) for at, name in called.items()}
    check_aligned(**{called[at]: x for at, x in aligned.items()}, clusters=clusters)
    tables: dict[str, dict[str, FloatArray]] = {metric: {} for metric in given}
    for (metric, model), x in aligned.items():
        tables[metric][model] = _items(x, called[metric, model])
    lengths = {len(values) for table in tables.values() for values in table.values()}
    if len(lengths) > 1:
        raise ValueError(f"outcomes must have one value per item, the same number for all; got {sorted(lengths)}")
    return clusters, tables


def _items(values: Any, name: str) -> FloatArray:
    """One finite value per item; the mean where there are several runs."""
    array = as_floats(values, name)
    if array.ndim not in (1, 2) or array.size == 0:
        raise ValueError(f"{name} must have shape (n_items,) or (n_items, n_runs); got {array.shape}")
    bad = np.argwhere(~np.isfinite(array))
    if len(bad):
        raise ValueError(f"{name} must be finite; got {array[tuple(bad[0])]} at item {int(bad[0][0])}")
    return array if array.ndim == 1 else array.mean(axis=1)
