"""Which column of a table is what, by its name in any case; and columns that may be clusters without saying so."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.printable import some_names
from skcompare._core.validation import unknown

TRUTH = ("y_true", "truth")
IDS = ("sample_id", "item_id", "item", "id")
CLUSTERS = ("cluster", "clusters", "group", "groups")
WEIGHTS = ("weight", "sample_weight")
MODELS = ("model", "estimator")
RUNS, TASKS = ("run", "seed"), ("task", "dataset")
OUTCOMES = ("outcome", "outcomes", "score", "value")
OF_CLASS = "probability_"  # before the name of a class
GROUPS = "column of --by"  # of which groups were asked, so that its values are no clusters
INDEPENDENT = "none"  # in place of a column of clusters
_PREDICTIONS = ("prediction", "predictions", "score", "probability", "decision_function")
_TOLD = ("greater_is_better", "test_fraction", "n_samples", "paired")
_OF_SPLITS = ("metric", "fold", "repeat", "n_train", "n_test")
_ROLES = {*TRUTH, *IDS, *CLUSTERS, *WEIGHTS, *MODELS, *RUNS, *TASKS, *OUTCOMES, *_PREDICTIONS, *_TOLD, *_OF_SPLITS}
_NO_MODELS = {*TRUTH, *WEIGHTS, *RUNS, *TASKS, *_TOLD, *_OF_SPLITS}
_MANY_BLOCKS, _MANY_NAMES = 6, 10  # values of a column, in blocks of rows and anywhere
# What items often come from, by names of columns.
_SOURCES = (
    *("patient", "subject", "person", "participant", "respondent", "user", "author", "speaker", "annotator", "rater"),
    *("document", "doc", "passage", "paragraph", "article", "page", "story", "question", "prompt", "session", "visit"),
    *("conversation", "dialogue", "dialog", "image", "video", "scene", "slide", "family", "household", "batch"),
)
_NAME = re.compile(rf"(?i)(?:^|.*[ _.-])(?:ids?|(?:{'|'.join(_SOURCES)})(?:[ _.-]?(?:ids?|no|nr|number|name))?)")


def by_role(table: Any, keep: Collection[Any] = ()) -> dict[Any, Any]:
    """The columns of a data frame or mapping, those with a role by its name in lower case; but for those to keep.

    Raises
    ------
    ValueError
        If two columns differ in case alone.
    """
    names = list(table.keys() if hasattr(table, "keys") else table.columns)
    found: dict[Any, Any] = {}
    for name in names:
        lower = name.strip().lower() if isinstance(name, str) and name not in keep else name
        role = lower if lower in _ROLES else name
        if role == "predictions" and "prediction" not in names:
            role = "prediction"
        if role in found or (role != name and role in names):
            raise ValueError(f"the table must have one column {role!r}; got {name!r} beside another one")
        found[role] = table[name]
    return found


def is_role(name: str) -> bool:
    """Whether a column of this name is read as something."""
    return name in _ROLES or name.startswith(OF_CLASS)


def first(columns: Collection[Any], among: Sequence[str]) -> str | None:
    """The first of some names that a column has."""
    return next((name for name in among if name in columns), None)


def cluster_column(columns: Collection[str], clusters: Any) -> str | None:
    """The column of clusters: the one that is named, none where items are said to be independent, else by its name."""
    if clusters is None:
        return first(columns, CLUSTERS)
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
        return f"{self.args[1]}. {self.args[2]}"


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


def told_once(columns: Mapping[Any, Any], name: str, given: Any) -> Any:
    """What an argument is told by the column of its name, one value for all rows; else as it was given."""
    if name not in columns:
        return given
    if given is not None:
        raise ValueError(f"{name} must be an argument or a column of the table; got both")
    found = list(dict.fromkeys(np.asarray(columns[name]).tolist()))
    if len(found) != 1:
        raise ValueError(f"{name} must have one value in its column; got {some_names(list(map(str, found)), 3)}")
    return found[0]


def told_directions(columns: Mapping[Any, Any], given: Any) -> Any:
    """The direction of each metric, by the column ``greater_is_better``; else as it was given."""
    name = "greater_is_better"
    if name not in columns or "metric" not in columns:
        return told_once(columns, name, given)
    if given is not None:
        raise ValueError(f"{name} must be an argument or a column of the table; got both")
    pairs = dict.fromkeys(zip(np.asarray(columns["metric"]).tolist(), np.asarray(columns[name]).tolist(), strict=True))
    directions = dict(list(pairs))
    if len(directions) < len(pairs):
        raise ValueError(f"{name} must have one value per metric in its column; got several of one")
    return directions
