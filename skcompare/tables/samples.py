"""Values of several models on the same samples, aligned by what the samples are called."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skcompare._core.printable import check_name, some_names
from skcompare._core.validation import as_floats, refuse_masked, unknown
from skcompare.evaluation.input import plain_numbers
from skcompare.tables.reading import GROUPS, INDEPENDENT, coded

# What stands beside columns of models, by its name in any case.
IDS = ("sample_id", "item_id", "item", "id")
CLUSTERS = ("cluster", "clusters", "group", "groups")
WEIGHTS = ("weight", "sample_weight")
OF_CLASS = "probability_"  # before the name of a class
GIVEN = ("prediction", "score", "probability", "decision_function")  # what models give of samples
_NO_MODELS = {"y_true", "truth", *WEIGHTS, "run", "seed", "task", "dataset", "metric", "fold", "repeat", "n_train"}
_NO_MODELS |= {"n_test", "greater_is_better", "test_fraction", "n_samples", "paired"}
_MANY_BLOCKS, _MANY_NAMES = 6, 10  # values of a column, in blocks of rows and anywhere
# What items often come from, by names of columns.
_SOURCES = (
    *("patient", "subject", "person", "participant", "respondent", "user", "author", "speaker", "annotator", "rater"),
    *("document", "doc", "passage", "paragraph", "article", "page", "story", "question", "prompt", "session", "visit"),
    *("conversation", "dialogue", "dialog", "image", "video", "scene", "slide", "family", "household", "batch"),
)
_NAME = re.compile(rf"(?i)(?:^|.*[ _.-])(?:ids?|(?:{'|'.join(_SOURCES)})(?:[ _.-]?(?:ids?|no|nr|number|name))?)")
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

    y_true: NDArray[Any]
    values: Mapping[str, Mapping[str, NDArray[Any]]]
    weights: NDArray[np.float64] | None = None
    ids: NDArray[Any] | None = None
    clusters: NDArray[np.intp] | None = None
    columns: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    sorted_by_id: bool = False

    def provenance(self, source: str) -> dict[str, Any]:
        """Where a result of the samples comes from, and in which order they stand."""
        return {"source": source, **({"order": "sample_id"} if self.sorted_by_id else {})}

    @property
    def fields(self) -> dict[str, Any]:
        """What a result of the samples keeps of them."""
        beside = {"sample_ids": self.ids, "sample_columns": self.columns}
        return {"clusters": self.clusters, "sample_weight": self.weights, **beside}

    @classmethod
    def of(
        cls,
        truth: NDArray[Any],
        values: Mapping[str, Mapping[str, NDArray[Any]]],
        sample_id: Any,
        clusters: Any,
        sample_weight: Any = None,
    ) -> Samples:
        """Arrays that stand in one order already."""
        n = len(truth)
        ids = None if sample_id is None else _of_samples(sample_id, "sample_id", n)
        found, counts = np.unique(() if ids is None else ids, return_counts=True)
        if (counts > 1).any():
            raise ValueError(f"sample_id must name every sample once; got {some_ids(found[counts > 1])} more than once")
        codes = None if clusters is None else cluster_codes(clusters, n)
        weights = None if sample_weight is None else checked_weights(sample_weight, "sample_weight", n)
        return cls(y_true=truth, values=values, weights=weights, ids=ids, clusters=codes)


def checked_weights(values: Any, name: str, n: int) -> NDArray[np.float64]:
    """A weight for each of some samples."""
    weights = as_floats(values, name)
    if weights.shape != (n,):
        raise ValueError(f"{name} must have one value per sample, {n}; got shape {weights.shape}")
    wrong = ~((weights >= 0) & (weights < np.inf))
    if wrong.any():
        at = int(wrong.argmax())
        raise ValueError(f"{name} must be finite and at least 0; got {weights[at]:g} at position {at}")
    if not weights.any():
        raise ValueError(f"{name} must not be 0 for every sample")
    return weights


def cluster_codes(clusters: Any, n: int) -> NDArray[np.intp]:
    """Clusters as numbers from 0."""
    return np.unique(_of_samples(clusters, "clusters", n), return_inverse=True)[1].astype(np.intp)


def _of_samples(values: Any, name: str, n: int) -> NDArray[Any]:
    """A name for each of some samples."""
    refuse_masked(values, name)
    array = np.asarray(values)
    if array.shape != (n,):
        raise ValueError(f"{name} must have one value per sample, {n}; got shape {array.shape}")
    return _names(array, name)


def _names(array: NDArray[Any], name: str) -> NDArray[Any]:
    """Names without missing ones, of a type that can be sorted and saved."""
    missing = missing_rows(array)
    if missing.any():
        raise ValueError(f"{name} must not lack values; it does at position {int(missing.argmax())}")
    return array.astype(np.str_) if array.dtype.kind == "O" else array


def check_values(array: NDArray[Any], name: str) -> NDArray[Any]:
    """Labels or numbers as they are; ValueError of records and of complex numbers."""
    if array.dtype.names is not None:
        fields = some_names(list(array.dtype.names))
        raise ValueError(f"{name} must hold one label or number per place; got records of {fields}: give one of these")
    if array.dtype.kind == "c" or (array.dtype.kind == "O" and any(isinstance(x, complex) for x in array.flat)):
        raise ValueError(f"{name} must hold labels or real numbers; got complex numbers: give their real part")
    return array


def missing_rows(array: NDArray[Any]) -> NDArray[np.bool_]:
    """Which rows have a value that is missing or infinite."""
    rows = array.reshape(len(array), -1)
    if array.dtype.kind == "O":
        return np.array([any(x is None or x != x for x in row) for row in rows.tolist()], dtype=bool)
    return np.asarray(~np.isfinite(rows).all(axis=1) if array.dtype.kind == "f" else np.zeros(len(array), dtype=bool))


def named_columns(table: Any) -> Any:
    """A data frame as a mapping of its columns by their names; anything else as it is."""
    return {str(name): table[name] for name in table.columns} if hasattr(table, "columns") else table


def class_columns(columns: Sequence[Any], classes: NDArray[Any], prefix: str = "") -> list[int] | None:
    """Where the column of each class stands; None where the columns are not called by the classes."""
    place = {str(name): i for i, name in enumerate(columns)}
    called = ((f"{prefix}{x}", f"{prefix}{x:g}" if isinstance(x, float) else "") for x in classes.tolist())
    found = [place.get(name, place.get(short, -1)) for name, short in called]
    return found if len(columns) == len(found) and -1 not in found else None


def read_samples(
    columns: Mapping[str, NDArray[Any]], *, classes: ArrayLike | None = None, asks: bool = True
) -> Samples:
    """Rows per sample and model: they belong together by the ids, in whatever order they stand.

    Parameters
    ----------
    columns : mapping of str to ndarray of shape (n_rows,)
        As a `Reading` has them: by role, and what describes the samples.
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
    ids, code = np.unique(_names(columns["item"], "sample_id"), return_inverse=True)
    rows = _rows_of(model, code, models, ids)
    known = {
        role: _same_for_all(columns[role], rows, ids, models, {"truth": "y_true"}.get(role, role))
        for role in ("truth", "cluster", "weight")
        if role in columns
    }
    truth, weights = known.get("truth", np.empty(0)), known.get("weight")
    names = _by_class([name for name in columns if name in GIVEN or name.startswith(OF_CLASS)], truth, classes)
    codes = cluster_codes(known["cluster"], len(ids)) if "cluster" in known else None
    described = described_samples(columns, rows)
    if codes is None and asks:
        order = np.argsort(rows[0])
        ask_of_clusters({n: x[order] for n, x in described.items()}, leave_out=f"clusters={INDEPENDENT!r}")
    return Samples(
        y_true=truth,
        values={name: _of_model({n: columns[n][rows[m]] for n in names}) for m, name in enumerate(models)},
        weights=None if weights is None else checked_weights(weights, "sample_weight", len(ids)),
        ids=ids,
        clusters=codes,
        columns=described,
        sorted_by_id=bool((np.diff(rows[0]) < 0).any()),
    )


def described_samples(columns: Mapping[str, NDArray[Any]], rows: NDArray[np.intp]) -> dict[str, NDArray[Any]]:
    """What describes the samples, the same for all models, of which each has a row of `rows`."""
    beside = {name.removeprefix("also "): x[rows] for name, x in columns.items() if name.startswith("also ")}
    return plain_columns({n: x[0] for n, x in beside.items() if all((row == x[0]).all() for row in x[1:])})


def plain_columns(columns: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """What describes samples, of types that can be saved; columns with missing values and long texts are left out."""
    plain = {}
    for name, values in columns.items():
        cells = values.astype(object).tolist() if values.dtype.kind in "OMm" else ()
        if any(x is None or x != x or len(str(x)) > _MAX_LABEL for x in cells):
            continue
        if values.dtype.kind in "fc" and np.isnan(values).any():
            continue
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
            said = f"model {models[m]!r} {verb} sample {some_ids(ids[wrong[m]])}{more}"
            raise ValueError(f"the table must hold every sample once per model; {said}")
    rows = np.empty(len(place), dtype=np.intp)
    rows[place] = np.arange(len(place))
    return rows.reshape(len(models), len(ids))


def _same_for_all(
    values: NDArray[Any], rows: NDArray[np.intp], ids: NDArray[Any], models: Sequence[str], name: str
) -> NDArray[Any]:
    """What is known of each sample, which may not depend on the model."""
    first: NDArray[Any] = check_values(values[rows[0]], f"table[{name!r}]")
    for m in range(1, len(models)):
        differs = np.asarray(values[rows[m]] != first, dtype=bool)
        if differs.any():
            both = f"models {models[0]!r} and {models[m]!r} differ on {some_ids(ids[differs])}"
            raise ValueError(f"the table must have one {name} per sample; {both}")
    strings = first.dtype.kind == "O" and all(isinstance(x, str) for x in first.tolist())
    return np.asarray(first.astype(np.str_)) if strings else plain_numbers(first)


def _by_class(names: Sequence[str], truth: NDArray[Any], classes: ArrayLike | None) -> list[str]:
    """The columns of values, those of probabilities in the order of the classes that they name."""
    by_class = [name for name in names if name.startswith(OF_CLASS)]
    if not by_class:
        return list(names)
    known = np.unique(truth) if classes is None else np.asarray(classes)
    places = class_columns(by_class, known, OF_CLASS)
    if places is None:
        both = f"{some_names([f'{OF_CLASS}{x}' for x in known.tolist()])}; got {some_names(by_class)}"
        remedy = "Give classes= where y_true lacks some"
        raise ValueError(f"the table must have one column of probabilities per class, {both}. {remedy}")
    return [*(name for name in names if name not in by_class), *(by_class[i] for i in places)]


def _of_model(found: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """The columns of one model, probabilities by class as one array; columns that it does not fill are left out."""
    by_class = [column for column in found if column.startswith(OF_CLASS)]
    own = {n: x for n, x in found.items() if n not in by_class and not _empty(x)}
    filled = {n: plain_numbers(check_values(x, f"table[{n!r}]")) for n, x in own.items()}
    if by_class:
        filled["probability"] = np.column_stack([found[column].astype(np.float64) for column in by_class])
    return filled


def _empty(values: NDArray[Any]) -> bool:
    return values.dtype.kind in "fO" and all(x is None or x != x for x in values.tolist())


def some_ids(ids: NDArray[Any]) -> str:
    """The first of some ids, and how many more there are."""
    shown = ", ".join(repr(x) for x in ids[:_MAX_NAMED].tolist())
    return f"{shown} and {len(ids) - _MAX_NAMED} more" if len(ids) > _MAX_NAMED else shown


# ---- what stands beside models: ids, clusters, weights -----------------------------------------------------------


def refuse_roles(models: Collection[str], what: str) -> None:
    """ValueError where a column of models is called by what tables say of rows, as fold, so that it is none."""
    for name in models:
        if name.strip().lower() in _NO_MODELS:
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
        own = {"sample_id": IDS, "clusters": CLUSTERS, "sample_weight": WEIGHTS}[role]
        texts = [one for one in models if isinstance(one, str) and not isinstance(models[one], Mapping)]
        for name in [one for one in texts if one.strip().lower() in own]:
            if found[role] is not None:
                raise ValueError(f"{role} must be an argument or one column, such as {name!r}; got two")
            found[role] = models.pop(name)
    return models, found


class ClustersError(ValueError):
    """A column that may be clusters, and what is asked of it."""

    def __init__(self, column: str, says: str, remedy: str) -> None:
        self.column, self.says = column, says
        super().__init__(column, says, remedy)

    def __str__(self) -> str:
        return f"{self.says}. {self.args[2]}"


def ask_of_clusters(columns: Mapping[str, NDArray[Any]], *, leave_out: str, by_name: bool = True) -> None:
    """ClustersError where items repeat in blocks of a column, as those of one document do, and nothing says what it is.

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
            raise ClustersError(name, f"clusters must be told where items repeat: {has}", remedy)


def _in_blocks(name: str, values: NDArray[Any]) -> bool:
    if values.dtype.kind == "O" and all(isinstance(x, str) for x in values.tolist()):
        values = values.astype(np.str_)
    if values.dtype.kind not in "iuU":
        return False
    n, distinct = len(values), len(np.unique(values))
    if not 1 < distinct < n:
        return False
    if _NAME.fullmatch(name):
        return True
    blocks = 1 + int((values[1:] != values[:-1]).sum())
    many = _MANY_BLOCKS if blocks == distinct else _MANY_NAMES
    return many <= distinct <= n / 2 and (blocks == distinct or values.dtype.kind == "U")
