"""What is known of samples beside what models gave, in one order; results from outcomes of items and from judgments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skcompare._core import validation
from skcompare._core.design import Kind, unsplit
from skcompare._core.numbers import counted, some_names
from skcompare._core.record import few
from skcompare._core.validation import FloatArray, as_floats, check_aligned, check_choice, check_name
from skcompare._core.warnings import Code, CodedWarning
from skcompare.evaluation.cv_results import column_of
from skcompare.evaluation.input import check_target, is_missing, n_rows, plain_numbers
from skcompare.inference import bradley_terry
from skcompare.inference._records import LARGEST_DIFFERENCE
from skcompare.inference.outcomes.judgments import prediction_powered
from skcompare.results import EvaluationResult
from skcompare.tables import columns as words
from skcompare.tables.columns import numbers_of, of_sources, plain, role_of_name
from skcompare.tables.evidence import Evidence, directions, evidence_from
from skcompare.tables.reading import GROUPS, INDEPENDENT, UnclearError, places
from skcompare.tables.source import Table, distinct_names, records, table_in, there, worded

# What all models share, by role, as arguments call it.
Columns = Mapping[str, NDArray[Any]]
ARGUMENTS = {"truth": "y_true", "item": "sample_id", "cluster": "clusters", "weight": "sample_weight"}
Names = tuple[str, ...]
_MANY_BLOCKS, _MANY_NAMES = 6, 10  # values of a column, in blocks of rows and anywhere
MAX_NAMED = 5
_MAX_LABEL = 200  # characters; longer texts label no group of samples


@dataclass(frozen=True, kw_only=True)
class Samples:
    """What is known of the same samples of several models.

    Attributes
    ----------
    y_true : ndarray of shape (n_samples,)
        True targets; empty where there are none.
    values : mapping of model name to mapping of column to ndarray
        What each model gave.
    classes : ndarray of shape (n_classes,)
        Those of the targets, in the order of columns of probabilities.
    sample_weight : ndarray of shape (n_samples,) or None
        How much each sample counts.
    sample_ids : ndarray of shape (n_samples,) or None
        What the samples are called.
    clusters : ndarray of shape (n_samples,) or None
        The cluster of each sample, counted from 0.
    sample_columns : mapping of str to ndarray of shape (n_samples,)
        What else is known of the samples.
    sorted_by_id : bool
        Whether they stand in the order of their ids, which is not that of the rows of the table.
    """

    y_true: NDArray[Any] = field(default_factory=lambda: np.empty(0))
    values: Mapping[str, Mapping[str, NDArray[Any]]] = field(default_factory=dict)
    classes: NDArray[Any] = field(default_factory=lambda: np.empty(0))
    sample_weight: NDArray[np.float64] | None = None
    sample_ids: NDArray[Any] | None = None
    clusters: NDArray[np.intp] | None = None
    sample_columns: Columns = field(default_factory=dict)
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
        return {name: getattr(self, name) for name in ("clusters", "sample_weight", "sample_ids", "sample_columns")}

    @classmethod
    def of(cls, n: int, *, sample_id: Any, clusters: Any = None, sample_weight: Any = None, **known: Any) -> Samples:
        """What is known of `n` samples, all of it in one order."""
        if sample_id is not None:
            known["sample_ids"] = names_of(sample_id, "sample_id", n)
            found, counts = np.unique(known["sample_ids"], return_counts=True)
            if (counts > 1).any():
                twice = some_names(found[counts > 1].tolist(), MAX_NAMED)
                raise ValueError(f"sample_id must name every sample once; got {twice} more than once")
        if clusters is not None:
            known["clusters"] = np.unique(names_of(clusters, "clusters", n), return_inverse=True)[1].astype(np.intp)
        if sample_weight is not None:
            weights = known["sample_weight"] = as_floats(sample_weight, "sample_weight")
            fits = ((weights >= 0) & (weights <= LARGEST_DIFFERENCE)).all() and weights.any()
            if weights.shape != (n,) or not fits:
                raise ValueError(worded("no weights", n, LARGEST_DIFFERENCE, sample_weight))
        return cls(**known)


def names_of(values: Any, name: str, n: int) -> NDArray[Any]:
    """A name for each of some samples, of a type that can be sorted and saved."""
    array = check_target(n, values, name, ndim=(1,))
    return array.astype(np.str_) if array.dtype.kind == "O" else array


def ids_of(column: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """The sorted names of samples in a column, and which of them each row has."""
    at, first = places({"item": check_target(len(column), column, "sample_id", ndim=(1,))}, ["item"])
    ids, which = np.unique(names_of(column[first], "sample_id", len(first)), return_inverse=True)
    return ids, which[at]


def sample_values(values: Any, name: str, n: int) -> NDArray[Any]:
    """Labels or numbers of each of some samples."""
    array = plain_numbers(check_target(n, values, name))
    if array.dtype.kind not in "biufOU":
        got = {"S": "bytes", "M": "dates", "m": "times", "V": "records"}[array.dtype.kind]
        raise ValueError(f"{name} must hold one label or number per place, as numbers, booleans or strings; got {got}")
    return array.astype(np.str_) if array.dtype.kind == "O" and {*map(type, array.flat)} <= {str, np.str_} else array


def together(
    columns: Columns, beside: Columns, rows: NDArray[np.intp], ids: NDArray[Any], models: Sequence[str], *, asks: bool
) -> dict[str, Any]:
    """What is known of samples of which every model has a row, by argument, and what else `Samples` keeps of them.

    Parameters
    ----------
    columns : mapping of str to ndarray of shape (n_rows,)
        As a `Reading` has them, by role.
    beside : mapping of str to ndarray of shape (n_rows,)
        What describes the samples, or what a model gave of them.
    rows : ndarray of shape (n_models, n_samples)
        The row of each sample of each model.
    asks : bool
        Whether to refuse samples that repeat in blocks of a column of which nothing says what it is.

    Raises
    ------
    ValueError
        If what is known of a sample differs.
    """
    known = dict[str, Any]()
    for role, name in [(role, ARGUMENTS[role]) for role in ("truth", "cluster", "weight") if role in columns]:
        values = (sample_values if role == "truth" else names_of)(columns[role], name, len(columns[role]))[rows]
        differs = np.asarray(values != values[0], dtype=bool)
        if differs.any():
            m = int(differs.any(axis=1).argmax())
            named = some_names(ids[differs[m]].tolist(), MAX_NAMED)
            raise ValueError(worded("another value", name, models[0], models[m], named))
        known[name] = values[0]
    # what is the same for all models describes the samples
    described = {n: x[rows[0]] for n, x in plain_columns(beside).items() if (x[rows] == x[rows[0]]).all()}
    if "clusters" not in known and asks:
        for name in (one for one in beside if of_sources(one) and one not in described):
            if 1 < max(len({*own.tolist()}) for own in beside[name][rows]) < len(ids):
                raise UnclearError(worded("several values", name), "", [{"cluster": INDEPENDENT}])
        ask_of_clusters({n: x[np.argsort(rows[0])] for n, x in described.items()})
    return {**known, "sample_columns": described, "sorted_by_id": bool((np.diff(rows[0]) < 0).any())}


def plain_columns(columns: Columns) -> dict[str, NDArray[Any]]:
    """What describes samples, of types that can be saved; columns with missing values and long texts are left out."""
    plain = {}
    for name, values in columns.items():
        cells = words.distinct_cells(values.astype(object))[0] if values.dtype.kind in "OMmfc" else ()
        texts = cells if values.dtype.kind not in "fc" else ()
        if not any(map(is_missing, cells)) and all(len(str(x)) <= _MAX_LABEL for x in texts):
            plain[name] = values if values.dtype.kind in "biufU" else values.astype(np.str_)
    return plain


# ---- what stands beside models: ids, clusters, weights -----------------------------------------------------------


def check_models(given: Mapping[Any, Any], what: str) -> None:
    """ValueError where a model has no name, is called by what tables say of rows, as fold, or has a column of ids."""
    for name, values in given.items():
        check_name(name, what)
        if not isinstance(values, Mapping) and name.strip().lower() in words.WORDS["no_models"].split():
            raise ValueError(f"{what} must hold models alone; {name!r} is no model: leave it out")
        ids = [x for x in getattr(values, "columns", ()) if role_of_name(str(x)) in ("item", "id")]
        if ids and np.asarray(values[ids[0]]).dtype.kind != "f":  # which a class may be called
            raise ValueError(worded("frame of a model", f"{what}[{name!r}]", ids[0]))


def beside_models(given: Any, **beside: Any) -> tuple[Any, dict[str, Any]]:
    """The columns of models by their names, of a frame too, and what stands beside them.

    Parameters
    ----------
    given : mapping or data frame
        Anything else stays as it is.
    **beside : object
        ``sample_id``, ``clusters``, which may name its column, and ``sample_weight``: as they were given, or where that
        is None the column by the name of the argument.
    """
    given = given if hasattr(given, "to_frame") else there(given)
    if hasattr(given, "columns") and hasattr(given, "__getitem__"):
        given = dict(zip(distinct_names([*map(str, given.columns)]), (given[x] for x in given.columns), strict=True))
    if not isinstance(given, Mapping):
        return given, beside
    models = {str.__str__(name) if isinstance(name, str) else name: values for name, values in given.items()}
    if isinstance(named := beside["clusters"], str):
        check_choice(named, "clusters", [*map(str, models), INDEPENDENT])
        beside["clusters"] = models.pop(named, None)
    texts = [name for name, x in models.items() if isinstance(name, str) and not isinstance(x, Mapping)]
    for role in beside:
        for name in [name for name in texts if name.strip().lower() in words.WORDS["arguments"][role].split()]:
            if beside[role] is not None:
                raise ValueError(f"{role} must be an argument or one column, such as {name!r}; got two")
            beside[role] = models.pop(name)
    for name in sorted((x for x in texts if x in models), key=lambda x: words.is_listed(x, "unnamed")):
        if (
            role_of_name(name) in ("item", "id")
            and np.ndim(models[name]) == 1
            and len({*models[name]}) > 2
            and np.asarray(models[name]).dtype.kind != "f"
        ):
            ids = models.pop(name)  # which is no model
            beside["sample_id"] = ids if beside["sample_id"] is None else beside["sample_id"]
    return models, beside


def aligned(known: Mapping[str, Any], sample_id: Any, *, strict: bool = True) -> dict[str, Any]:
    """What is known of samples by its name, in one order: pandas objects by their ids where these are given.

    Where the ids are a column of the table that all other ones are of, rows stand as they belong. Unless `strict`, an
    index without any of the ids names no rows.
    """
    indexes = [x.index for x in (sample_id, *known.values()) if hasattr(x, "iloc")]
    together = hasattr(sample_id, "iloc") and all(index.equals(indexes[0]) for index in indexes)
    named = sample_id is not None and not together
    labels = check_target(n_rows(sample_id, "sample_id"), sample_id, "sample_id", ndim=(1,)) if named else None
    found = {name: validation.by_label(x, name, labels, strict=strict) for name, x in known.items()}
    if labels is None or not strict:
        check_aligned(**found)
    return found


def ask_of_clusters(columns: Columns, *, by_name: bool = True) -> None:
    """UnclearError where items repeat in blocks of a column, as those of one document do, and nothing says what it is.

    Parameters
    ----------
    columns : mapping of str to ndarray of shape (n_items,)
        What is read as nothing else here, in the order of the rows; also where another table has a use for the name.
    by_name : bool
        Whether a name such as patient counts; not where columns are called by models.
    """
    groups, leave_out = columns.get(GROUPS), f"clusters={INDEPENDENT!r}" if by_name else "leave the column out"
    for name, values in columns.items():
        if groups is not None and np.array_equal(values, groups):  # under its own name too
            continue
        if _in_blocks(name if by_name else "", values):
            has = worded("blocks", name, len(np.unique(values)), len(values))
            remedy = worded("of blocks", name, leave_out)
            raise UnclearError(has, "", [{"cluster": name}, {"cluster": INDEPENDENT}], remedy=remedy)


def _in_blocks(name: str, values: NDArray[Any]) -> bool:
    if values.dtype.kind == "O" and all(isinstance(x, str) for x in values.tolist()):
        values = values.astype(np.str_)
    n, distinct = len(values), len(np.unique(values)) if values.dtype.kind in "iuU" else 0
    if of_sources(name):
        return 1 < distinct < n and not words.FORMS["list"].fullmatch(str(values[0]))  # relevant_ids
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
    outcomes = outcomes if hasattr(outcomes, "to_frame") else there(outcomes)
    if _is_by_rows(outcomes):
        if sample_id is not None or not (clusters is None or isinstance(clusters, str)):
            raise ValueError("clusters and sample_id must be columns of the table; got them as arguments")
        options: dict[str, Any] = {"greater_is_better": greater_is_better, "clusters": clusters}
        return items_of(evidence_from(outcomes, "outcomes", called="outcomes", **options))
    columns, told = beside_models(outcomes, sample_id=sample_id, clusters=clusters)
    metrics, models, given = _by_metric(columns)
    by_metric = [x for x in columns.values() if isinstance(x, Mapping)] or [columns]
    for of_models in by_metric if told["clusters"] is None and clusters is None else ():
        flat = {name: np.asarray(x) for name, x in of_models.items() if not isinstance(x, (list, tuple))}
        ask_of_clusters({name: x for name, x in flat.items() if x.ndim == 1 and len(x)}, by_name=False)
    given = aligned({**given, "clusters": told["clusters"]}, sample_id, strict=False)
    told["clusters"] = given.pop("clusters")
    arrays = [validation.check_scores(values, name) for name, values in given.items()]
    if len(lengths := {*map(len, arrays)}) > 1:
        raise ValueError(f"outcomes must have one value per item, the same number for all; got {sorted(lengths)}")
    arrays = [x if x.ndim == 1 else x.mean(axis=1) for x in arrays]
    n = len(arrays[0])
    samples = Samples.of(n, **told)
    # Few numbers without names may be scores of folds, which are not independent, unless they are whole as grades are.
    graded = all(bool((x == np.round(x)).all()) for x in arrays)
    scores = np.stack(arrays).reshape(len(metrics), len(models), n)
    signs, said = directions(metrics, greater_is_better, dict(zip(metrics, scores, strict=True)), items=True)
    if samples.sample_ids is None and samples.clusters is None and n <= _MOST_SPLITS and not graded:
        said = (Code.ASSUMED(worded("few numbers", counted(n, "number"))), *said)
    return _result(models, metrics, scores.swapaxes(0, 1), signs, samples, *said)


def items_of(evidence: Evidence) -> EvaluationResult:
    """The result of outcomes of items, of several runs their means, with what describes the items."""
    columns, (models, metrics) = dict(evidence.columns), (evidence.names[role] for role in ("model", "metric"))
    beside = {name: x[columns["row"]] for name, x in evidence.reading.described.items()}
    for role in ("dataset", "split", "repeat"):
        if role in columns:
            of_role = beside[evidence.reading.roles.get(role, role)] = columns.pop(role)
            if len(places(columns, ("model", "metric", "item", "run"))[1]) < len(of_role):  # numbered anew
                if not all(str(x).isdigit() for x in columns["item"].tolist()):  # one item may be of several
                    columns.setdefault("cluster", columns["item"])
                pairs = zip(of_role.tolist(), columns["item"].tolist(), strict=True)
                columns["item"] = np.array([f"{a} {b}" for a, b in pairs])
    ids, item = ids_of(columns["item"])
    model, shape = evidence.at("model"), (len(models), len(metrics), len(ids))
    place = np.ravel_multi_index((model, evidence.at("metric"), item), shape)
    means = np.bincount(place, columns["value"]) / np.bincount(place)
    rows = np.unique(model * len(ids) + item, return_index=True)[1].reshape(len(models), -1)
    asks = evidence.reading.asked.get("cluster") != INDEPENDENT
    samples = Samples.of(len(ids), sample_id=ids, **together(columns, beside, rows, ids, models, asks=asks))
    found = _result(models, metrics, means.reshape(shape), evidence.greater_is_better, samples, *evidence.warnings)
    return found._with(provenance={**found.provenance, **evidence.provenance})


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


def _is_by_rows(outcomes: Any) -> bool:
    """Whether there are columns that name models and items, and not one column per model."""
    names = outcomes.keys() if isinstance(outcomes, Mapping) else getattr(outcomes, "columns", ())
    levels = getattr(getattr(outcomes, "index", None), "names", ())
    roles = {role_of_name(str(name)) for name in (*levels, *names) if str(name) not in ("", "nan")}
    return ("model" in roles and not roles.isdisjoint({"item", "id"})) or len(names) == 1 < len(levels)


def _by_metric(outcomes: Any) -> tuple[Names, Names, dict[str, Any]]:
    """Metrics, models, and what was given of each metric and model, by what messages call it."""
    nested = [isinstance(x, Mapping) for x in outcomes.values()] if isinstance(outcomes, Mapping) else []
    if not nested or any(nested) != all(nested):
        raise ValueError(worded("no outcomes", type(outcomes).__name__, " of both" if any(nested) else ""))
    by_metric = outcomes if nested[0] else {"score": outcomes}
    models, found = tuple(next(iter(by_metric.values()))), dict[str, Any]()
    for metric, given in by_metric.items():
        where = f"outcomes[{check_name(metric, 'metrics of outcomes')!r}]" if nested[0] else "outcomes"
        check_models(given, where)
        if not models or {*models} != {*given}:
            raise ValueError(f"{where} must have the same models on every metric; got {few([*map(repr, given)])}")
        found |= {f"{where}[{name!r}]": given[name] for name in models}
    return (*map(str.__str__, by_metric),), (*map(str.__str__, models),), found


# ---- judgments of two models at a time -----------------------------------------------------------------------------

# The usual names of the columns of judgments, the first that a table has.
_COLUMNS: dict[str, str] = words.WORDS["judgments"]
ELO = 400 / np.log(10)  # points of a difference of 1 between log-strengths
_AVERAGE = 1000.0


def from_judgments(
    judgments: Any,
    *,
    a: str | None = None,
    b: str | None = None,
    winner: str | None = None,
    cluster: str | None = None,
    home: bool = False,
) -> EvaluationResult:
    """A result from judgments that say which of two models' answers is the better one.

    The strengths are those of a Bradley-Terry model with ties, in points of Elo: the mean of all models is 1000, and
    100 points more are odds of 1.78 to win. `skcompare.inference.bradley_terry` has them as logarithms.

    Parameters
    ----------
    judgments : data frame, mapping of column to array, or list of records
        A row per judgment.
    a, b, winner : str, optional
        The columns of the two models and of the winner; by default those with the usual names, such as ``model_a``,
        ``model_b`` and ``winner``. The winner is called by its name, by the column of its side or the word in which
        both columns differ, as ``"left"``, or as `skcompare.inference.bradley_terry` says: ``"a"``, ``"b"`` and
        ``"tie"``, or 1, 0 and 0.5.
    cluster : str, optional
        The column of the judge, or of the prompt: judgments of one are not taken for independent. ``"none"`` says that
        all are, where a column of judges is not to be asked about.
    home : bool, default=False
        Whether the first side may have an advantage, as the answer that is shown first.

    Returns
    -------
    EvaluationResult
        On a design of judgments: `compare` takes the Wald test of the strengths. The judgments are not kept. With the
        warning ASSUMED where judges or prompts repeat and nothing is said of them.

    Raises
    ------
    ValueError
        If a column is not there, a winner is none of the two models, or strengths cannot be compared, as of a model
        that never lost.

    See Also
    --------
    skcompare.inference.bradley_terry : the same on arrays.

    Examples
    --------
    >>> from skcompare import from_judgments
    >>> judged = {"model_a": ["x", "x", "y"] * 20, "model_b": ["y", "z", "z"] * 20}
    >>> result = from_judgments({**judged, "winner": (["model_a"] * 9 + ["tie"] * 2 + ["model_b"]) * 5})
    >>> result.design.name, result.metrics
    ('60 judgments', ('elo',))
    """
    if isinstance(judgments, (list, tuple)) and all(isinstance(row, dict) for row in judgments):
        judgments = records([*judgments])
    return judged(table_in(judgments, "judgments"), a=a, b=b, winner=winner, cluster=cluster, home=home)


def are_judgments(table: Table) -> bool:
    """Whether a table has the columns of judgments by their usual names, and models that are called by words."""
    roles = _usual(table)
    sides = [table.columns[roles[side]] for side in "ab" if len(roles) == len(_COLUMNS)]
    return bool(sides) and not any(x.dtype.kind in "biufc" or numbers_of(x, ".").share > 0 for x in sides)


def _usual(table: Table) -> dict[str, str]:
    """By role the column with a usual name."""
    known = {plain(name): name for name in table.columns}
    return {role: known[name] for role, names in _COLUMNS.items() for name in reversed(names.split()) if name in known}


def _by_side(winner: NDArray[Any], a: str, b: str, models: set[Any]) -> NDArray[Any]:
    """Winners that are called as the columns of the two sides, or as the words in which these differ, by their side."""
    first, second = ({x for x in plain(name).split("_") if x.isalpha()} for name in (a, b))
    named = {**dict.fromkeys((a, *(first - second)), "a"), **dict.fromkeys((b, *(second - first)), "b")}
    sides = {x: side for x in {*winner.tolist()} - models if (side := named.get(x) or named.get(plain(str(x))))}
    return np.array([sides.get(x, x) for x in winner.tolist()], dtype=object)


def judged(table: Table, *, cluster: str | None = None, home: bool = False, **named: str | None) -> EvaluationResult:
    """The result of a table of judgments."""
    roles = {**dict.fromkeys(_COLUMNS), **_usual(table), **{role: name for role, name in named.items() if name}}
    for role, name in roles.items():
        check_choice(name, f"{role}, a column of {table.origin},", [*table.columns])
    a, b, winner = (table.columns[str(roles[role])] for role in _COLUMNS)
    winner = _by_side(winner, str(roles["a"]), str(roles["b"]), {*a.tolist(), *b.tolist()})
    if cluster is not None:
        check_choice(cluster, "cluster", [*table.columns, INDEPENDENT])
    clusters = None if cluster in (None, INDEPENDENT) else table.columns[cluster]
    judges = [name for name in table.columns if of_sources(name) or plain(name) == "cluster"] if cluster is None else []
    repeated = [name for name in judges if 1 < len({*table.columns[name].tolist()}) < table.n_rows]
    found = bradley_terry(a, b, winner, clusters=clusters, home=home)
    ties = f", {found.n_ties:,} of them ties" * bool(found.n_ties)
    said = worded("judgments", found.n, len(found.names), ties, roles["a"], roles["b"], roles["winner"])
    if 1 in winner or "1" in winner:
        said += f" A winner of 1 is {roles['a']}."
    if home:
        points = ELO * found.home
        verb = "loses" if round(points) < 0 else "gains"
        said += f" The first side {verb} {counted(f'{abs(points):,.0f}', 'point')}."
    return _estimated(
        "judgments",
        found.n,
        _AVERAGE + ELO * found.strengths,
        found.n_clusters,
        estimators=tuple(check_name(name, "models of judgments") for name in found.names),
        metrics=("elo",),
        greater_is_better=(True,),
        covariances=(ELO**2 * found.covariance)[None],
        covariance_df=found.df_of_differences[None],
        warnings=(*found.warnings, *(Code.ASSUMED(worded("judgments of one", x, INDEPENDENT)) for x in repeated[:1])),
        provenance={"source": "judgments", "read_as": said},
    )


def from_judged(
    outcomes: Any, *, human: Any, cluster: ArrayLike | None = None, greater_is_better: bool = True
) -> EvaluationResult:
    """A result from a judge's outcomes for all items, corrected by a few human labels.

    The scores are prediction-powered means: those of the judge over the items without labels, plus what the labels say
    that it is off. They are right on average whatever the judge does, as long as the labelled items are a random part.

    Parameters
    ----------
    outcomes : mapping or data frame
        Model name to the judge's outcomes of shape (n_items,), such as grades, or right and wrong as 1 and 0.
    human : mapping or data frame
        The same by humans; nan where there is no label. An item has labels of all models or of none.
    cluster : array_like of shape (n_items,), optional
        Document, prompt, ... of each item: items of one cluster are not taken for independent.
    greater_is_better : bool, default=True
        False where less is better, as of errors.

    Returns
    -------
    EvaluationResult
        On a design of judged items: `compare` takes the Wald test of the estimates. The outcomes are not kept. Of two
        models it is `skcompare.inference.prediction_powered_test` of their differences.

    Raises
    ------
    ValueError
        If models or items differ, an outcome is missing, an item has labels of some models only, or fewer than 2 items
        have labels or lack them.

    See Also
    --------
    from_outcomes : where all outcomes are trusted.

    Examples
    --------
    >>> import numpy as np
    >>> from skcompare import from_judged
    >>> rng = np.random.default_rng(0)
    >>> right = {"a": rng.random(500) < 0.8, "b": rng.random(500) < 0.6}
    >>> judge = {name: np.where(rng.random(500) < 0.9, own, ~own) for name, own in right.items()}
    >>> human = {name: np.where(np.arange(500) < 60, own, np.nan) for name, own in right.items()}
    >>> from_judged(judge, human=human).design.name
    '500 judged items, 60 with labels'
    """
    if _is_by_rows(outcomes):  # in an order of their own
        raise ValueError("outcomes must map models to arrays, in the order of human; got a row per item and model")
    judge = from_outcomes(outcomes, greater_is_better=greater_is_better, clusters=cluster)
    models, n = judge.estimators, judge.design.n_splits
    if len(judge.metrics) > 1:
        raise ValueError(f"outcomes must be of one metric; got {some_names(judge.metrics)}")
    given, told = (beside_models(x, clusters=None)[0] for x in (outcomes, human))
    if not isinstance(told, Mapping) or {*told} != {*models}:
        got = some_names([*map(str, told)]) if isinstance(told, Mapping) else type(human).__name__
        raise ValueError(f"human must have a column for each model of outcomes, {some_names(models)}; got {got}")
    *_, named = _by_metric(given)
    check_aligned(**named, **{f"human[{name!r}]": told[name] for name in models})
    labels = np.column_stack([column_of(told, "human", name, n, "item") for name in models])
    if (infinite := np.isinf(labels).any(axis=0)).any():
        name = models[int(infinite.argmax())]
        raise ValueError(f"human[{name!r}] must have labels that are finite, or nan for none; got infinite ones")
    known = ~np.isnan(labels)
    if (mixed := known.any(axis=1) != known.all(axis=1)).any():
        at = int(mixed.argmax())
        raise ValueError(f"human must have labels of all models on an item, or of none; item {at} has some")
    found = prediction_powered(judge.scores[:, :, 0].T, labels, judge._scores.clusters)
    used = f"The judge counts with a weight of {found.weight:.2f}, by how it agrees with {found.n_labelled:,} labels."
    return _estimated(
        "judged items",
        n,
        found.means,
        judge.design.n_clusters,
        estimators=models,
        metrics=judge.metrics,
        greater_is_better=judge.greater_is_better,
        labelled=(found.n_labelled,),
        covariances=found.covariances,
        covariance_df=found.df,
        warnings=(*judge.warnings, *found.warnings),
        provenance={"source": "outcomes of a judge with human labels", "read_as": used, "weight": found.weight},
    )


def _estimated(kind: Kind, n: int, estimates: FloatArray, n_clusters: int | None, **fields: Any) -> EvaluationResult:
    """The result of estimates by one metric that have a joint covariance."""
    design = unsplit(1, kind, n_samples=n, n_clusters=n_clusters, test_sizes=fields.pop("labelled", ()))
    return EvaluationResult(scores=estimates.reshape(-1, 1, 1), design=design, **fields)
