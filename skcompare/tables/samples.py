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
from skcompare.tables.reading import GROUPS, INDEPENDENT

# What stands beside columns of models, by its name in any case.
IDS = ("sample_id", "item_id", "item", "id")
CLUSTERS = ("cluster", "clusters", "group", "groups")
WEIGHTS = ("weight", "sample_weight")
OF_CLASS = "probability_"  # before the name of a class
_NO_MODELS = {
    *("y_true", "truth", *WEIGHTS, "run", "seed", "task", "dataset", "metric", "fold", "repeat", "n_train", "n_test"),
    *("greater_is_better", "test_fraction", "n_samples", "paired"),
}
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
        known = {"clusters": self.clusters, "sample_weight": self.weights, "sample_ids": self.ids}
        return {**known, "sample_columns": self.columns}

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
        if ids is not None:
            found, counts = np.unique(ids, return_counts=True)
            if (counts > 1).any():
                raise ValueError(
                    f"sample_id must name every sample once; got {some_ids(found[counts > 1])} more than once"
                )
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
    found = [next((place[name] for name in names if name in place), -1) for names in called]
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
    models, model = distinct_names(columns["model"].tolist(), "models of the table")
    ids, code = np.unique(_names(columns["item"], "sample_id"), return_inverse=True)
    rows = _rows_of(model, code, models, ids)
    known = {
        role: _same_for_all(columns[role], rows, ids, models, {"truth": "y_true"}.get(role, role))
        for role in ("truth", "cluster", "weight")
        if role in columns
    }
    truth, weights = known.get("truth", np.empty(0)), known.get("weight")
    names = _by_class([name for name in columns if name in RESPONSES or name.startswith(OF_CLASS)], truth, classes)
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


def distinct_names(names: Sequence[str], what: str) -> tuple[tuple[str, ...], NDArray[np.intp]]:
    """The distinct names in order of appearance, and the position of each row's name there."""
    position = {check_name(name, what): i for i, name in enumerate(dict.fromkeys(names))}
    return tuple(position), np.array([position[name] for name in names], dtype=np.intp)


def plain_columns(columns: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """What describes samples, of types that can be saved; columns with missing values and long texts are left out."""
    plain = {}
    for name, values in columns.items():
        if values.dtype.kind in "OMm":
            cells = _distinct(values.astype(object).tolist())
            if any(x is None or x != x or len(str(x)) > _MAX_LABEL for x in cells):
                continue
        elif values.dtype.kind in "fc" and np.isnan(values).any():
            continue
        plain[name] = values if values.dtype.kind in "biufU" else values.astype(np.str_)
    return plain


def _distinct(cells: list[Any]) -> list[Any]:
    """Each value once, where values can be counted: a column of labels has few."""
    try:
        return list(dict.fromkeys(cells))
    except TypeError:
        return cells


def _rows_of(
    model: NDArray[np.intp], code: NDArray[np.intp], models: Sequence[str], ids: NDArray[Any]
) -> NDArray[np.intp]:
    """The row of each sample of each model; ValueError where one is lacking or stands there twice."""
    place = model * len(ids) + code
    counts = np.bincount(place, minlength=len(models) * len(ids)).reshape(len(models), len(ids))
    for wrong, what in ((counts > 1, "has {} more than once"), (counts == 0, "lacks {}")):
        if wrong.any():
            m = int(wrong.any(axis=1).argmax())
            said = what.format(f"sample {some_ids(ids[wrong[m]])}")
            raise ValueError(f"the table must hold every sample once per model; model {models[m]!r} {said}")
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
            raise ValueError(
                f"the table must have one {name} per sample; models {models[0]!r} and {models[m]!r} differ on "
                f"{some_ids(ids[differs])}"
            )
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
        wanted = some_names([f"{OF_CLASS}{x}" for x in known.tolist()])
        raise ValueError(
            f"the table must have one column of probabilities per class, {wanted}; got {some_names(by_class)}. Give "
            "classes= where y_true lacks some"
        )
    return [*(name for name in names if name not in by_class), *(by_class[i] for i in places)]


def _of_model(found: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """The columns of one model, probabilities by class as one array; columns that it does not fill are left out."""
    by_class = [column for column in found if column.startswith(OF_CLASS)]
    filled = {
        n: plain_numbers(check_values(x, f"table[{n!r}]"))
        for n, x in found.items()
        if n not in by_class and not _empty(x)
    }
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


def cluster_column(columns: Collection[str], clusters: Any) -> str | None:
    """The column of clusters: the one that is named, none where items are said to be independent, else by its name."""
    if clusters is None:
        return next((name for name in CLUSTERS if name in columns), None)
    if isinstance(clusters, str) and (clusters in columns or clusters == INDEPENDENT):
        return clusters if clusters in columns else None
    raise ValueError(unknown(clusters, "clusters", [*columns, INDEPENDENT]))


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
    models = dict(columns)
    if isinstance(found["clusters"], str):
        column = cluster_column([*map(str, models)], found["clusters"])
        found["clusters"] = None if column is None else models.pop(column)
    for role in found:
        own = {"sample_id": IDS, "clusters": CLUSTERS, "sample_weight": WEIGHTS}[role]
        for name in [one for one in models if isinstance(one, str) and one.strip().lower() in own]:
            if isinstance(models[name], Mapping):
                continue
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
            n = len(np.unique(values))
            raise ClustersError(
                name,
                f"clusters must be told where items repeat: column {name!r} has {n} values for {len(values)} items",
                f"Give clusters={name!r} where those of one value depend on each other, and {leave_out} where they do "
                "not",
            )


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


# What models predicted, as the methods of scikit-learn give it: labels, probabilities, scores or numbers.


RESPONSES = {
    "prediction": "predict",
    "score": "",  # read from the values, as an array without a name is
    "probability": "predict_proba",
    "decision_function": "decision_function",
}
Values = Mapping[str, Mapping[str, NDArray[Any]]]
_SUM_TOLERANCE = 1e-3
_ROUNDED = 0.006  # of a probability that was written with two decimals


def read_parts(values: Values, classes: NDArray[Any], *, label_sets: bool = False) -> tuple[Values, dict[str, str]]:
    """What models gave, by parts whose meaning is known, and by model how scores of unknown meaning were read.

    All values in [0, 1] are probabilities, others are decision values. Where labels are made of them, decision values
    must have both signs, and those of all models one meaning; what else they could be is asked.

    Raises
    ------
    ValueError
        If scores could mean several things.
    """
    parts: dict[str, dict[str, NDArray[Any]]] = {}
    cut: dict[str, tuple[bool, NDArray[np.float64]]] = {}
    said: dict[str, str] = {}
    for name, found in values.items():
        parts[name] = {}
        for part, array in found.items():
            if part not in ("", "score") or (part == "" and _is_prediction(array, classes, label_sets)):
                parts[name][part or "prediction"] = array
                continue
            scores = as_floats(array, f"predictions[{name!r}]")
            shares = _are_shares(scores, label_sets) and "probability" not in found
            kind = "probability" if shares else "decision_function"
            if kind in found:
                raise ValueError(f"predictions[{name!r}] must have one of 'score' and {kind!r}; got both")
            parts[name][kind] = scores
            one_each = label_sets or (scores.ndim == 1 and len(classes) == 2)
            needs_cut = one_each and found.keys().isdisjoint({"prediction", "probability"})
            if needs_cut:
                cut[name] = shares, scores
            said[name] = _reading(part, scores, classes, shares=shares, cut=needs_cut, label_sets=label_sets)
    _check_meaning(cut)
    return parts, said


def _is_prediction(values: NDArray[Any], classes: NDArray[Any], label_sets: bool) -> bool:
    """Whether an array without a name holds labels."""
    if label_sets:
        return bool(np.isin(values, (0, 1)).all())
    return values.ndim == 1 and (values.dtype.kind != "f" or len(classes) > 2 or bool(np.isin(values, classes).all()))


def _are_shares(scores: NDArray[np.float64], label_sets: bool) -> bool:
    """Whether scores are probabilities: all in [0, 1], and those of all classes add up to 1."""
    inside = bool(scores.min() >= 0 and scores.max() <= 1)
    alone = label_sets or scores.ndim == 1
    return inside and (alone or bool(np.abs(scores.sum(axis=1) - 1).max() <= _SUM_TOLERANCE))


def _reading(
    part: str, scores: NDArray[np.float64], classes: NDArray[Any], *, shares: bool, cut: bool, label_sets: bool
) -> str:
    """How scores were read, as ``score: probabilities of class 1, cut at 0.5``."""
    of = "all classes" if scores.ndim > 1 else f"class {np.sort(classes)[-1:].tolist()[0]!r}"
    kind = f"{'probabilities' if shares else 'decision values'} of {'labels' if label_sets else of}"
    return f"{part or 'predictions'}: {kind}{f', cut at {0.5 if shares else 0:g}' if cut else ''}"


def _check_meaning(cut: Mapping[str, tuple[bool, NDArray[np.float64]]]) -> None:
    """ValueError where labels would be made of scores that could mean several things."""
    names = [next((repr(n) for n, (found, _) in cut.items() if found is shares), "") for shares in (True, False)]
    labels = "Or give their labels too, as 'prediction'"
    for name, (shares, scores) in cut.items():
        if not shares and not scores.min() < 0 < scores.max():
            raise ValueError(
                f"predictions[{name!r}] must be probabilities, between 0 and 1, or decision values, of both signs; got "
                f"scores from {scores.min():g} to {scores.max():g}. If 0 is where they are cut, call them "
                f"'decision_function' (a key or a column). {labels}"
            )
    if all(names):
        raise ValueError(
            f"predictions must have scores of one meaning; those of {names[0]} are between 0 and 1, those of "
            f"{names[1]} are not. Call each 'probability' or 'decision_function' (keys or columns). {labels}"
        )


def as_numbers(name: str, found: Mapping[str, NDArray[Any]], shape: tuple[int, ...]) -> NDArray[np.float64]:
    """The numbers that a model of a regression predicted, of the shape of the true ones."""
    given = found.get("", found.get("prediction"))
    if given is None or given.shape != shape:
        what = " or ".join(map(repr, found)) if given is None else f"shape {given.shape}"
        wanted = "one number per sample" if len(shape) == 1 else f"{shape[1]} numbers per sample"
        raise ValueError(f"predictions[{name!r}] must be {wanted} of a regression; got {what}")
    return as_floats(given, f"predictions[{name!r}]")


def as_label_sets(name: str, found: Mapping[str, NDArray[Any]], shape: tuple[int, ...]) -> dict[str, NDArray[Any]]:
    """What a model predicted of several labels per sample, a column each; labels are the scores above the cut."""
    responses: dict[str, NDArray[Any]] = {}
    for kind, values in found.items():
        if values.shape != shape:
            raise ValueError(
                f"predictions[{name!r}] must have a column per label, shape {shape}; got shape {values.shape}"
            )
        numbers = as_floats(values, f"predictions[{name!r}]")
        wanted = "0 and 1" if kind == "prediction" else "between 0 and 1"
        inside = np.isin(numbers, (0, 1)) if kind == "prediction" else (numbers >= 0) & (numbers <= 1)
        if kind != "decision_function" and not inside.all():
            raise ValueError(f"predictions[{name!r}] must have {kind} values that are {wanted}; got others")
        responses[RESPONSES[kind]] = numbers.astype(np.int64) if kind == "prediction" else numbers
    if "predict" not in responses:
        scores = responses.get("predict_proba")
        responses["predict"] = (responses["decision_function"] > 0 if scores is None else scores > 0.5).astype(np.int64)
    return responses


def as_classes(
    name: str, found: Mapping[str, NDArray[Any]], classes: NDArray[Any], order: NDArray[np.intp]
) -> dict[str, NDArray[Any]]:
    """What a model predicted, by the methods of scikit-learn; labels are those of the scores where none were given."""
    responses: dict[str, NDArray[Any]] = {}
    for kind, values in found.items():
        responses[RESPONSES[kind]] = values if kind == "prediction" else _scores(name, kind, values, classes, order)
    if "predict" not in responses:
        scores = responses.get("predict_proba", responses.get("decision_function"))
        cut = 0.5 if "predict_proba" in responses else 0.0
        assert scores is not None
        ranked = np.sort(classes)
        responses["predict"] = ranked[(scores > cut).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)]
    labels = responses["predict"]
    if labels.ndim != 1:
        raise ValueError(f"predictions[{name!r}] must be one label per sample; got shape {labels.shape}")
    strange = labels[~np.isin(labels, classes)]
    if len(strange):
        raise ValueError(
            f"predictions[{name!r}] must be classes ({', '.join(map(repr, classes[:5].tolist()))}) or scores; got "
            f"{strange[:1].tolist()[0]!r}. Give classes= where y_true lacks some"
        )
    return responses


def _scores(
    name: str, kind: str, values: NDArray[Any], classes: NDArray[Any], order: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Scores by class in the order of the sorted classes; of two classes those of the second alone."""
    scores = as_floats(values, f"predictions[{name!r}]")
    if scores.ndim == 2 and scores.shape[1] == 1:
        scores = scores[:, 0]
    if scores.ndim == 2 and scores.shape[1] != len(classes):
        raise ValueError(
            f"predictions[{name!r}] must have a column per class, {len(classes)}; got {scores.shape[1]}. "
            "Give classes= where y_true lacks some"
        )
    if scores.ndim == 1 and len(classes) != 2:
        raise ValueError(f"predictions[{name!r}] must have a column per class, {len(classes)}; got one")
    if kind == "probability" and (scores.min() < 0 or scores.max() > 1):
        first = np.argwhere((scores < 0) | (scores > 1))[0]
        raise ValueError(
            f"predictions[{name!r}] must have probabilities between 0 and 1; got {scores[tuple(first)]} at position "
            f"{first[0]}"
        )
    if scores.ndim == 1:
        return scores
    sums = scores.sum(axis=1)
    if kind == "probability" and np.abs(sums - 1).max() > _ROUNDED * len(classes):
        first = int(np.abs(sums - 1).argmax())
        raise ValueError(
            f"predictions[{name!r}] must have probabilities that add up to 1; got {sums[first]:.4g} at position {first}"
        )
    scores = scores[:, order]
    if len(classes) == 2:
        return scores[:, 1] if kind == "probability" else scores[:, 1] - scores[:, 0]
    return scores
