"""Values of several models on the same samples, aligned by their names; a result from outcomes of items."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skcompare._core.design import unsplit
from skcompare._core.numbers import counted, some_names
from skcompare._core.record import few
from skcompare._core.validation import FloatArray, as_floats, by_label, check_aligned, check_name, unknown
from skcompare._core.warnings import Code, CodedWarning
from skcompare.evaluation.input import check_target, is_missing, missing_rows, plain_numbers
from skcompare.results import EvaluationResult
from skcompare.tables.columns import WORDS, of_sources, role_of_name
from skcompare.tables.evidence import Evidence, directions, evidence_from
from skcompare.tables.reading import GIVEN, GROUPS, INDEPENDENT, UnclearError, coded, rows_of
from skcompare.tables.source import distinct_names

_SHARED = {"truth": "y_true", "cluster": "clusters", "weight": "sample_weight"}  # all models have the same, by role
Names = tuple[str, ...]
OF_CLASS = "probability_"  # before the name of a class
_MANY_BLOCKS, _MANY_NAMES = 6, 10  # values of a column, in blocks of rows and anywhere
_MAX_NAMED = 5
_MAX_LABEL = 200  # characters; longer texts label no group of samples


@dataclass(frozen=True, kw_only=True)
class Samples:
    """Values of several models on the same samples.

    Attributes
    ----------
    y_true : ndarray of shape (n_samples,)
        True targets; empty where there are none.
    values : mapping of model name to mapping of column to ndarray
        What each model gave.
    weights : ndarray of shape (n_samples,) or None
        How much each sample counts.
    ids : ndarray of shape (n_samples,) or None
        What the samples are called.
    clusters : ndarray of shape (n_samples,) or None
        The cluster of each sample, counted from 0.
    columns : mapping of str to ndarray of shape (n_samples,)
        What else is known of the samples.
    sorted_by_id : bool
        Whether they stand in the order of their ids, which is not that of the rows of the table.
    """

    y_true: NDArray[Any] = field(default_factory=lambda: np.empty(0))
    values: Mapping[str, Mapping[str, NDArray[Any]]] = field(default_factory=dict)
    weights: NDArray[np.float64] | None = None
    ids: NDArray[Any] | None = None
    clusters: NDArray[np.intp] | None = None
    columns: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    sorted_by_id: bool = False

    def provenance(self, source: str) -> dict[str, Any]:
        """Where a result of the samples comes from, and in which order they stand."""
        return {"source": source, **({"order": "sample_id"} if self.sorted_by_id else {})}

    @property
    def n_clusters(self) -> int | None:
        """How many there are; None where each sample stands alone."""
        return None if self.clusters is None else len(np.unique(self.clusters))

    @property
    def fields(self) -> dict[str, Any]:
        """What a result of the samples keeps of them."""
        beside = {"sample_ids": self.ids, "sample_columns": self.columns}
        return {"clusters": self.clusters, "sample_weight": self.weights, **beside}

    @classmethod
    def of(cls, n: int, *, sample_id: Any, clusters: Any, sample_weight: Any = None, **known: Any) -> Samples:
        """What is known of `n` samples, all of it in one order."""
        ids = codes = weights = None
        if sample_id is not None:
            ids = _names(sample_id, "sample_id", n)
            found, counts = np.unique(ids, return_counts=True)
            if (counts > 1).any():
                twice = some_names(found[counts > 1].tolist(), _MAX_NAMED)
                raise ValueError(f"sample_id must name every sample once; got {twice} more than once")
        if clusters is not None:
            codes = np.unique(_names(clusters, "clusters", n), return_inverse=True)[1].astype(np.intp)
        if sample_weight is not None:
            weights = as_floats(sample_weight, "sample_weight")
            if weights.shape != (n,):
                raise ValueError(f"sample_weight must have one value per sample, {n}; got shape {weights.shape}")
            wrong = ~((weights >= 0) & (weights < np.inf))
            if wrong.any():
                at = int(wrong.argmax())
                raise ValueError(f"sample_weight must be finite and at least 0; got {weights[at]:g} at position {at}")
            if not weights.any():
                raise ValueError("sample_weight must not be 0 for every sample")
        return cls(weights=weights, ids=ids, clusters=codes, **known)


def _names(values: Any, name: str, n: int) -> NDArray[Any]:
    """A name for each of some samples, of a type that can be sorted and saved."""
    array = check_target(n, values, name, ndim=(1,))
    return array.astype(np.str_) if array.dtype.kind == "O" else array


def sample_values(values: Any, name: str, n: int) -> NDArray[Any]:
    """Labels or numbers of each of some samples."""
    array = plain_numbers(check_target(n, values, name))
    if array.dtype.names is not None:
        fields = some_names(list(array.dtype.names))
        raise ValueError(f"{name} must hold one label or number per place; got records of {fields}: give one of these")
    if array.dtype.kind in "SMm":
        got = {"S": "bytes", "M": "dates", "m": "times"}[array.dtype.kind]
        raise ValueError(f"{name} must hold numbers, booleans or strings; got {got}")
    if array.dtype.kind == "O" and any(isinstance(x, complex) for x in array.flat):
        raise ValueError(f"{name} must hold labels or real numbers; got complex numbers: give {name}.real")
    return array


def named_columns(table: Any) -> Any:
    """A data frame as a mapping of its columns by their names; anything else as it is."""
    if not hasattr(table, "columns"):
        return table
    return dict(zip(distinct_names([*map(str, table.columns)]), (table[name] for name in table.columns), strict=True))


def class_columns(columns: Sequence[Any], classes: Sequence[Any], prefix: str = "") -> list[int] | None:
    """Where the column of each class stands; None where the columns are not called by the classes."""
    place = {text: i for i, name in enumerate(columns) for text in _texts_of(name)}
    found = [next((place[prefix + x] for x in _texts_of(one) if prefix + x in place), -1) for one in classes]
    return found if len(columns) == len({*found}) and -1 not in found else None


def _texts_of(name: Any) -> tuple[str, str]:
    """How a class may be called: 1.0 also as 1 is."""
    return str(name), f"{name:g}" if isinstance(name, float) else str(name)


def read_samples(
    columns: Mapping[str, NDArray[Any]],
    beside: Mapping[str, NDArray[Any]],
    *,
    classes: ArrayLike | None = None,
    asks: bool = True,
) -> Samples:
    """Rows per sample and model: they belong together by the ids, in whatever order they stand.

    Parameters
    ----------
    columns : mapping of str to ndarray of shape (n_rows,)
        As a `Reading` has them, by role.
    beside : mapping of str to ndarray of shape (n_rows,)
        What describes the samples, or what a model gave of them.
    classes : array_like, optional
        By which columns of probabilities stand; by default the sorted true ones.
    asks : bool
        Whether to refuse samples that repeat in blocks of a column of which nothing says what it is.

    Raises
    ------
    ValueError
        If a model lacks a sample or has it twice, or what is known of a sample differs.
    """
    model, named = coded(columns, ["model"])
    models = [check_name(name, "models of the table") for (name,) in named]
    ids, code = np.unique(_names(columns["item"], "sample_id", len(model)), return_inverse=True)
    rows = _rows_of(model, code, models, ids)
    known = {role: _same_for_all(columns[role], role, rows, ids, models) for role in _SHARED if role in columns}
    truth = known.get("truth", np.empty(0))
    names = _by_class([name for name in columns if name in GIVEN or name.startswith(OF_CLASS)], truth, classes)
    values = {name: {one: columns[one][rows[m]] for one in names} for m, name in enumerate(models)}
    # what is the same for all models describes the samples
    described = {n: x[rows[0]] for n, x in plain_columns(beside).items() if (x[rows] == x[rows[0]]).all()}
    if "cluster" not in known and asks:
        order = np.argsort(rows[0])
        ask_of_clusters({n: x[order] for n, x in described.items()}, leave_out=f"clusters={INDEPENDENT!r}")
    return Samples.of(
        len(ids),
        y_true=truth,
        values={name: _of_model(name, found, ids) for name, found in values.items()} if names else {},
        sample_id=ids,
        clusters=known.get("cluster"),
        sample_weight=known.get("weight"),
        columns=described,
        sorted_by_id=bool((np.diff(rows[0]) < 0).any()),
    )


def plain_columns(columns: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """What describes samples, of types that can be saved; columns with missing values and long texts are left out."""
    plain = {}
    for name, values in columns.items():
        cells = values.astype(object).tolist() if values.dtype.kind in "OMmfc" else ()
        texts = cells if values.dtype.kind not in "fc" else ()
        if not any(map(is_missing, cells)) and all(len(str(x)) <= _MAX_LABEL for x in texts):
            plain[name] = values if values.dtype.kind in "biufU" else values.astype(np.str_)
    return plain


def _rows_of(
    model: NDArray[np.intp], code: NDArray[np.intp], models: Sequence[str], ids: NDArray[Any]
) -> NDArray[np.intp]:
    """The row of each sample of each model; ValueError where one is lacking or stands there twice."""
    place = model * len(ids) + code
    counts = np.bincount(place, minlength=len(models) * len(ids)).reshape(len(models), len(ids))
    for wrong, verb, more in ((counts > 1, "has", " more than once"), (counts == 0, "lacks", "")):
        if wrong.any():
            m = int(wrong.any(axis=1).argmax())
            said = f"model {models[m]!r} {verb} sample {some_names(ids[wrong[m]].tolist(), _MAX_NAMED)}{more}"
            raise ValueError(f"the table must hold every sample once per model; {said}")
    rows = np.empty(len(place), dtype=np.intp)
    rows[place] = np.arange(len(place))
    return rows.reshape(len(models), len(ids))


def _same_for_all(
    values: NDArray[Any], role: str, rows: NDArray[np.intp], ids: NDArray[Any], models: Sequence[str]
) -> NDArray[Any]:
    """What is known of each sample, which may not depend on the model."""
    check = sample_values if role == "truth" else _names
    of_models = check(values, _SHARED[role], rows.size)[rows]
    differs = np.asarray(of_models != of_models[0], dtype=bool)
    if differs.any():
        m = int(differs.any(axis=1).argmax())
        both = f"models {models[0]!r} and {models[m]!r} differ on {some_names(ids[differs[m]].tolist(), _MAX_NAMED)}"
        raise ValueError(f"the table must have one {'y_true' if role == 'truth' else role} per sample; {both}")
    strings = of_models.dtype.kind == "O" and all(isinstance(x, str) for x in of_models[0].tolist())
    return np.asarray(of_models[0].astype(np.str_) if strings else of_models[0])


def _by_class(names: Sequence[str], truth: NDArray[Any], classes: ArrayLike | None) -> list[str]:
    """The columns of values, those of probabilities in the order of the classes that they name."""
    by_class = [name for name in names if name.startswith(OF_CLASS)]
    if not by_class:
        return list(names)
    known = np.unique(truth) if classes is None else np.asarray(classes)
    places = class_columns(by_class, known.tolist(), OF_CLASS)
    if places is None:
        both = f"{some_names([f'{OF_CLASS}{x}' for x in known.tolist()])}; got {some_names(by_class)}"
        remedy = "Give classes= where y_true lacks some"
        raise ValueError(f"the table must have one column of probabilities per class, {both}. {remedy}")
    return [*(name for name in names if name not in by_class), *(by_class[i] for i in places)]


def _of_model(model: str, found: Mapping[str, NDArray[Any]], ids: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """The columns of one model, probabilities by class as one array; columns that it does not fill are left out."""
    parts = {name: x for name, x in found.items() if not missing_rows(x).all()}
    for name, x in parts.items():
        if (lacking := missing_rows(x)).any():
            which = f"model {model!r} lacks that of {some_names(ids[lacking].tolist(), _MAX_NAMED)}"
            raise ValueError(f"the table must have a {name} of every sample; {which}")
    if not parts:
        raise ValueError(f"the table must have predictions of every model; {model!r} has none")
    filled = {name: sample_values(x, f"table[{name!r}]", len(ids)) for name, x in parts.items()}
    by_class = [filled.pop(name) for name in parts if name.startswith(OF_CLASS)]
    return {**filled, "probability": np.column_stack(by_class)} if by_class else filled


# ---- what stands beside models: ids, clusters, weights -----------------------------------------------------------


def refuse_roles(models: Collection[str], what: str) -> None:
    """ValueError where a column of models is called by what tables say of rows, as fold, so that it is none."""
    for name in models:
        if name.strip().lower() in WORDS["no_models"].split():
            raise ValueError(f"{what} must hold models alone; {name!r} is no model: leave it out")


def roles_apart(columns: Any, given: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Columns of models, and what stands beside them: as it was given, or a column by the name of the argument.

    Parameters
    ----------
    columns : mapping
        From which they are taken; anything else stays as it is.
    given : mapping of argument to value
        ``"sample_id"``, ``"clusters"``, which may name its column, and ``"sample_weight"``.
    """
    found = dict(given)
    if not isinstance(columns, Mapping):
        return columns, found
    models, named = dict(columns), found["clusters"]
    if isinstance(named, str):
        if named != INDEPENDENT and named not in models:
            raise ValueError(unknown(named, "clusters", [*map(str, models), INDEPENDENT]))
        found["clusters"] = models.pop(named, None)
    for role in found:
        own = WORDS["arguments"][role].split()
        texts = [one for one in models if isinstance(one, str) and not isinstance(models[one], Mapping)]
        for name in [one for one in texts if one.strip().lower() in own]:
            if found[role] is not None:
                raise ValueError(f"{role} must be an argument or one column, such as {name!r}; got two")
            found[role] = models.pop(name)
    return models, found


def aligned(known: Mapping[str, Any], sample_id: Any, *, strict: bool = True) -> dict[str, Any]:
    """What is known of samples by its name, in one order: pandas objects by their ids where these are given.

    Where the ids are a column of the table that all other ones are of, rows stand as they belong. Unless `strict`, an
    index without any of the ids names no rows.
    """
    indexes = [x.index for x in (sample_id, *known.values()) if hasattr(x, "iloc")]
    together = hasattr(sample_id, "iloc") and all(index.equals(indexes[0]) for index in indexes)
    labels = None if sample_id is None or together else np.asarray(sample_id)
    if labels is not None and labels.ndim != 1:
        raise ValueError(f"sample_id must have one value per sample; got shape {labels.shape}")
    found = {name: by_label(x, name, labels, strict=strict) for name, x in known.items()}
    if labels is None or not strict:
        check_aligned(**found)
    return found


def ask_of_clusters(columns: Mapping[str, NDArray[Any]], *, leave_out: str, by_name: bool = True) -> None:
    """UnclearError where items repeat in blocks of a column, as those of one document do, and nothing says what it is.

    Parameters
    ----------
    columns : mapping of str to ndarray of shape (n_items,)
        What is read as nothing else here, in the order of the rows; also where another table has a use for the name.
    leave_out : str
        What to do where items are independent.
    by_name : bool
        Whether a name such as patient counts; not where columns are called by models.
    """
    groups = columns.get(GROUPS)
    for name, values in columns.items():
        if groups is not None and np.array_equal(values, groups):  # under its own name too
            continue
        if _in_blocks(name if by_name else "", values):
            has = f"column {name!r} has {len(np.unique(values))} values for {len(values)} items"
            remedy = f"Give clusters={name!r} where those of one value depend on each other, and {leave_out} if not"
            calls = [{"cluster": name}, {"cluster": INDEPENDENT}]
            raise UnclearError(f"clusters must be told where items repeat: {has}", "", calls, remedy=remedy)


def _in_blocks(name: str, values: NDArray[Any]) -> bool:
    if values.dtype.kind == "O" and all(isinstance(x, str) for x in values.tolist()):
        values = values.astype(np.str_)
    n, distinct = len(values), len(np.unique(values)) if values.dtype.kind in "iuU" else 0
    if not 1 < distinct < n or of_sources(name):
        return 1 < distinct < n
    whole = 1 + int((values[1:] != values[:-1]).sum()) == distinct
    return (_MANY_BLOCKS if whole else _MANY_NAMES) <= distinct <= n / 2 and (whole or values.dtype.kind == "U")


# ---- outcomes of items: one number per item, model and metric ------------------------------------------------------

_MOST_SPLITS = 100  # as of 10x10


def from_outcomes(
    outcomes: Any,
    *,
    greater_is_better: bool | Mapping[str, bool] | None = None,
    clusters: ArrayLike | None = None,
    sample_id: ArrayLike | None = None,
) -> EvaluationResult:
    """A result from one outcome per item, model and metric, such as passes or grades.

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
    for of_models in given.values() if told["clusters"] is None and clusters is None else ():
        listed = {name: np.asarray(x) for name, x in of_models.items() if not isinstance(x, (list, tuple))}
        flat = {name: x for name, x in listed.items() if x.ndim == 1 and len(x)}
        ask_of_clusters(flat, leave_out="leave the column out", by_name=False)
    metrics, models = tuple(given), tuple(next(iter(given.values())))
    of = {metric: "outcomes" if [*given] == ["score"] else f"outcomes[{metric!r}]" for metric in given}
    beside = {f"{of[metric]}[{model!r}]": given[metric][model] for metric, model in product(metrics, models)}
    beside = aligned({**beside, "clusters": told["clusters"]}, sample_id, strict=False)
    told["clusters"] = beside.pop("clusters")
    arrays = [_mean_of_runs(values, name) for name, values in beside.items()]
    if len(lengths := {*map(len, arrays)}) > 1:
        raise ValueError(f"outcomes must have one value per item, the same number for all; got {sorted(lengths)}")
    n, about_items = len(arrays[0]), tuple[CodedWarning, ...]()
    samples = Samples.of(n, **told)
    # Few numbers without names may be scores of folds, which are not independent, unless they are whole as grades are.
    graded = all(bool((x == np.round(x)).all()) for x in arrays)
    if samples.ids is None and samples.clusters is None and n <= _MOST_SPLITS and not graded:
        taken = f"{counted(n, 'number')} per model were taken for those of independent items"
        remedy = "Scores of a cross-validation go to from_cross_validate; sample_id says that these are items"
        about_items = (Code.ASSUMED(f"{taken}. {remedy}."),)
    scores = np.stack(arrays).reshape(len(metrics), len(models), n)
    signs, said = directions(metrics, greater_is_better, dict(zip(metrics, scores, strict=True)), items=True)
    return _result(models, metrics, scores.swapaxes(0, 1), signs, samples, *about_items, *said)


def items_of(evidence: Evidence) -> EvaluationResult:
    """The result of outcomes of items, of several runs their means, with what describes the items."""
    columns, (models, metrics) = dict(evidence.columns), (evidence.names[role] for role in ("model", "metric"))
    beside = {name: x[columns["row"]] for name, x in evidence.reading.described.items()}
    for role in ("dataset", "split", "repeat"):
        if role in columns:
            of_role = beside[evidence.reading.roles.get(role, role)] = columns.pop(role)
            if len({*rows_of(columns, ("model", "metric", "item", "run"))}) < len(of_role):  # numbered anew
                if not all(str(x).isdigit() for x in columns["item"].tolist()):  # one item may be of several
                    columns.setdefault("cluster", columns["item"])
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
    known, described = ({name: x[rows] for name, x in of.items()} for of in (columns, beside))
    samples = read_samples(known, described, asks=asks)
    return _result(models, metrics, means.reshape(shape), evidence.greater_is_better, samples, *evidence.warnings)


def _result(
    models: Names, metrics: Names, scores: FloatArray, signs: tuple[bool, ...], samples: Samples, *said: CodedWarning
) -> EvaluationResult:
    """The result of scores of shape (n_models, n_metrics, n_items), so that the items of a metric lie side by side."""
    n = scores.shape[2]
    return EvaluationResult(
        scores=scores.transpose(0, 2, 1),
        estimators=models,
        metrics=metrics,
        greater_is_better=signs,
        design=unsplit(n, "items", n_samples=n, n_clusters=samples.n_clusters),
        warnings=said,
        provenance=samples.provenance("outcomes of items"),
        **samples.fields,
    )


def _is_table(outcomes: Any) -> bool:
    """Whether there are columns that name models and items, and not one column per model."""
    names = outcomes.keys() if isinstance(outcomes, Mapping) else getattr(outcomes, "columns", ())
    roles = {role_of_name(str(name)) for name in names if str(name) not in ("", "nan")}
    return "model" in roles and not roles.isdisjoint({"item", "id"})


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


def _mean_of_runs(values: Any, name: str) -> FloatArray:
    """One finite value per item, of several runs their mean."""
    array = as_floats(values, name)
    if array.ndim not in (1, 2) or array.size == 0:
        raise ValueError(f"{name} must have shape (n_items,) or (n_items, n_runs); got {array.shape}")
    if len(bad := np.argwhere(~np.isfinite(array))):
        raise ValueError(f"{name} must be finite; got {array[tuple(bad[0])]} at item {int(bad[0][0])}")
    return array if array.ndim == 1 else array.mean(axis=1)
