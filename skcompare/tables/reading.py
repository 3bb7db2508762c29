"""A table -> what it is evidence of: which column is what, what was left out, what was assumed; or a refusal."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.numbers import counted, listed
from skcompare._core.printable import some_names
from skcompare._core.validation import FloatArray, check_choice
from skcompare.tables.cells import Numbers, decimal_of, is_missing, numbers_of
from skcompare.tables.columns import (
    beside,
    is_measure,
    is_part,
    is_statistic,
    is_summary,
    is_weak,
    like_learners,
    numbered,
    plain,
    role_of_name,
)
from skcompare.tables.roles import GROUPS
from skcompare.tables.source import FILES, HEADERS, ROWS, Table
from skcompare.tables.summaries import out_of_scale, summaries

Names = NDArray[Any]
KEYS = ("model", "dataset", "item", "split", "repeat", "run", "metric")  # what names a score
NOUNS = {
    "model": "model",
    "dataset": "data set",
    "item": "item",
    "split": "split",
    "repeat": "repeat",
    "run": "run",
    "metric": "metric",
}
KINDS = ("folds", "outcomes", "predictions", "runs", "study", "search")
_LEFT = {
    "time": "times",
    "size": "sizes",
    "deviation": "deviations",
    "rank": "ranks",
    "training score": "scores on training sets",
    "comparison": "computed of two models",
    "counter": "row numbers",
    "constant": "one value in all rows",
    "description": "what describes rows",
    "unknown": "neither a score nor a name",
}
_AS = {
    "folds": "scores of splits",
    "runs": "scores of runs",
    "outcomes": "outcomes of items",
    "study": "scores of data sets",
    "predictions": "predictions",
}
_ASIDE = ("time", "size", "deviation", "rank", "training score", "comparison")  # numbers that are no scores
_MANY = 20  # zeros and ones that are hardly scores of splits
_PAIR = re.compile(r"[ _.:/|-]+")


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What the user says of a table, in the words of `skcompare.read`."""

    model: str | None = None
    dataset: str | None = None
    item: str | None = None
    split: str | None = None
    repeat: str | None = None
    run: str | None = None
    metric: str | None = None
    value: str | None = None
    truth: str | None = None
    cluster: str | None = None
    models: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    decimal: str | None = None

    @property
    def given(self) -> dict[str, Any]:
        """What was said, as options of `read`."""
        said = {name: x for name, x in vars(self).items() if x not in (None, ())}
        return {name: list(x) if isinstance(x, tuple) else x for name, x in said.items()}

    @property
    def columns(self) -> dict[str, str]:
        """By role the column that was named, or a word in its place."""
        found = {role: getattr(self, role) for role in (*KEYS, "value", "truth", "cluster")}
        return {role: name for role, name in found.items() if name is not None}


class UnclearError(ValueError):
    """A table that can be read in several ways, or in none; `calls` has for each the options of `read`."""

    def __init__(self, says: str, origin: str, calls: Iterable[tuple[str, Mapping[str, Any]]] = ()) -> None:
        self.says, self.origin, self.calls = says, origin, tuple((what, dict(options)) for what, options in calls)
        super().__init__(says, origin, self.calls)

    def __str__(self) -> str:
        source = "frame" if self.origin == "frame" else ", ".join(map(repr, self.origin.split(", ")))
        told = (f"{what}: skc.read({', '.join([source, *_written(options)])})" for what, options in self.calls)
        return "; or ".join(
            [f"{self.says}. {first}" if i == 0 else first for i, first in enumerate(told)] or [self.says]
        )


def _written(options: Mapping[str, Any]) -> list[str]:
    return [f"{name}={value!r}" for name, value in options.items()]


@dataclass(frozen=True, eq=False, kw_only=True)
class Reading:
    """What a table is evidence of.

    Attributes
    ----------
    kind : str
        "folds", "outcomes", "predictions", "runs", "study" or "search".
    columns : dict of str to ndarray
        One row per score: names as texts under "model", "dataset", "item", "split", "repeat", "run", "metric", and
        scores as floats under "value"; of predictions as they came.
    roles : dict of str to str
        By role the column that it was read from.
    left_out : dict of str to str
        Columns and rows that were not read, each with the reason.
    notes : tuple of str
        What else is to be said of the reading.
    models : tuple of str
        Of predictions with a column per model these columns.
    asked : dict of str to object
        What the user said, as options of `read`.
    assumed : tuple of str
        What was taken to be the usual, as sentences of warnings.
    """

    kind: str
    columns: dict[str, Names]
    roles: dict[str, str]
    left_out: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    asked: dict[str, Any] = field(default_factory=dict)
    assumed: tuple[str, ...] = ()

    def __str__(self) -> str:
        """The reading as a sentence."""
        return " ".join([f"Read as: {self._what}.", *self._rest])

    def names(self, role: str) -> list[str]:
        """The distinct names of a role, in the order of the table."""
        return list(dict.fromkeys(map(str, self.columns[role].tolist()))) if role in self.columns else []

    @property
    def _what(self) -> str:
        models = self.models or self.names("model")
        by = "one per column" if self.models else self._from("model")
        said = f"{counted(len(models), 'model')}{by and f' ({by})'}"
        for role in ("dataset", "item", "repeat", "split", "run"):
            n = len(self.names(role))
            if role == "dataset" and n and self.kind != "predictions":
                said += f" on {counted(n, 'data set')}{self._of('dataset')}"
            elif role == "item" and n:
                said += f" on {counted(n, 'sample' if self.kind == 'predictions' else 'item')}{self._of('item')}"
            elif role == "run" and n and self.kind == "runs":
                said += f", {self._each('run')} of each{self._of('run')}"
            elif role in ("repeat", "split") and n:
                said += f", {counted(n, NOUNS[role])}{self._of(role)}"
        metrics = self.names("metric")
        measured = f", {'metric' if len(metrics) == 1 else 'metrics'} {listed(metrics, 8)}" if metrics else ""
        truth = f", true values {self.roles['truth']!r}" if "truth" in self.roles else ""
        return f"{self.kind if self.kind != 'study' else 'scores'} of {said}{truth}{measured}"

    def _each(self, role: str) -> str:
        keys = [self.columns[name].astype(str) for name in ("model", "dataset", "metric") if name in self.columns]
        _, counts = np.unique(np.array(keys), axis=1, return_counts=True)
        low, high = int(counts.min()), int(counts.max())
        return counted(high, role) if low == high else f"{low} to {counted(high, role)}"

    def _of(self, role: str) -> str:
        return f" ({self._from(role)})" if self._from(role) else ""

    def _from(self, role: str) -> str:
        name = self.roles.get(role, "")
        return {HEADERS: "the columns", FILES: "the files", ROWS: "the rows"}.get(name, name and f"column {name!r}")

    @property
    def _rest(self) -> list[str]:
        by_reason: dict[str, list[str]] = {}
        for name, reason in self.left_out.items():
            by_reason.setdefault(reason, []).append(name)
        out = [f"{some_names(names)} ({_LEFT.get(reason, reason)})" for reason, names in by_reason.items()]
        return [*([f"Left out: {'; '.join(out)}."] if out else []), *self.notes]


def read_as(table: Table, asked: Asked | None = None, kind: str | None = None) -> Reading:
    """What a table is evidence of.

    Parameters
    ----------
    table : Table
        As it came.
    asked : Asked, optional
        What the user says of it.
    kind : str, optional
        What it is to be evidence of, where that is known.

    Raises
    ------
    UnclearError
        If it can be read in several ways, or in none.
    """
    asked = asked or Asked()
    return replace(_Reader(table, asked, kind or table.kind).read(), asked=asked.given)


class _Reader:
    """One table while it is read: roles of columns, their numbers, and what was left out."""

    def __init__(self, table: Table, asked: Asked, kind: str | None, *, trying: bool = False) -> None:
        if kind is not None:
            check_choice(kind, "kind", KINDS)
        self.table, self.asked, self.kind, self.trying = table, asked, kind, trying
        self.left_out: dict[str, str] = {}
        self.assumed: list[str] = []
        self.notes = [*table.notes]
        self.columns = dict(table.columns)
        self._only_test_rows()
        self.decimal = self._decimal()
        self.numbers: dict[str, Numbers] = {x: numbers_of(cells, self.decimal) for x, cells in self.columns.items()}
        self.roles: dict[str, str] = {}
        self.words: dict[str, str] = {}  # by role one of FILES, HEADERS, ROWS
        self._give_roles()

    # ---- refusals ---------------------------------------------------------------------------------------------

    def unclear(self, says: str, *calls: tuple[str, Mapping[str, Any]]) -> UnclearError:
        """A refusal, with those calls that read the table, and what was asked before."""
        given = [(what, {**self.asked.given, **options}) for what, options in calls]
        return UnclearError(f"{self.table.origin}: {says}", self.table.origin, filter(self._works, given))

    def _works(self, call: tuple[str, Mapping[str, Any]]) -> bool:
        if self.trying:
            return False
        try:
            listed = {k: tuple(x) if isinstance(x, list) else x for k, x in call[1].items() if k != "missing"}
            _Reader(self.table, Asked(**listed), self.kind, trying=True).read()
        except ValueError:
            return False
        return True

    def _row(self, i: int, role: str | None = None) -> str:
        """A row by its name, else by its number."""
        names = [self.roles[one] for one in ("dataset", "item", "model", "split", "run") if one in self.roles]
        for name in names:
            values = self.columns.get(name)
            if values is not None and name != role and len({*map(str, values.tolist())}) == len(values):
                return f"row {str(values[i])!r}"
        return f"row {i + 1}"

    # ---- columns ----------------------------------------------------------------------------------------------

    def _only_test_rows(self) -> None:
        """Of rows on training, validation and test sets those on test sets, where a column says so."""
        for name, values in self.columns.items():
            texts = [str(x).strip().lower() for x in values.tolist()]
            if name in self.asked.columns.values() or values.dtype.kind not in "OU" or not is_part(texts):
                continue
            if role_of_name(name) in ("truth", "label", "prediction"):
                continue
            test = [x for x in dict.fromkeys(texts) if x in ("test", "testing", "holdout")]
            if len({*texts}) > 1 and not test:
                raise self.unclear(f"column {name!r} has {some_names(sorted({*texts}))}, and no rows of test sets")
            rows = np.isin(texts, test) if len({*texts}) > 1 else np.ones(len(texts), dtype=bool)
            self.columns = {one: x[rows] for one, x in self.columns.items() if one != name}
            what = "one value in all rows" if rows.all() else f"rows other than {test[0]}"
            self.left_out[name] = what
            self.table = replace(self.table, columns=self.columns)
            return

    def _decimal(self) -> str:
        if self.asked.decimal is not None:
            check_choice(self.asked.decimal, "decimal", (".", ","))
            return self.asked.decimal
        values = [x for name, x in self.columns.items() if role_of_name(name) not in ("model", "dataset", "item")]
        found = decimal_of(values)
        if found is None:
            cell = next(x for column in values for x in column.tolist() if isinstance(x, str) and "," in x)
            raise UnclearError(
                f"{self.table.origin}: the comma in {cell!r} may be a decimal mark, or stand between thousands",
                self.table.origin,
                [("a decimal mark", {"decimal": ","}), ("thousands", {"decimal": "."})],
            )
        if found == ",":
            self.notes.append("Commas are decimal marks.")
        return found

    def _give_roles(self) -> None:
        """The role of every column: as it was told, by its name, and by its values."""
        asked = self.asked
        for role, name in {**self.table.roles, **asked.columns}.items():
            if name in self.columns and not (role == "metric" and self._is_choice(name)):
                self.roles[role] = name
            elif name in (FILES, HEADERS, ROWS) and role in KEYS:
                self.words[role] = name
            elif role != "metric" and not (role == "cluster" and name == "none") and role in asked.columns:
                known = some_names([*self.columns], 20)
                raise ValueError(f"{role} must name a column of {self.table.origin}: {known}; got {name!r}")
        for argument, names in (("models", asked.models), ("metrics", asked.metrics)):
            lacking = [one for one in names if one not in self.columns]
            if argument == "models" and lacking and self.roles.get("model") is None and "model" not in self._named():
                known = some_names([*self.columns], 20)
                raise ValueError(f"{argument} must name columns of {self.table.origin}: {known}; got {lacking[0]!r}")
        if FILES in self.columns and FILES not in self.roles.values():
            self._role_of_files()
        taken = {*self.roles.values(), *asked.models, *asked.metrics}
        found: dict[str, list[str]] = {}
        for name in self.columns:
            if name not in taken:
                found.setdefault(self._role(name), []).append(name)
        for name in taken - {*self.roles.values()}:
            if name in self.columns:
                found.setdefault("number", []).append(name)
        self.found = found
        for role in (*KEYS, "value", "outcome", "truth", "cluster", "weight", "id"):
            self._one(role)
        for role in _ASIDE:
            self.left_out |= dict.fromkeys(found.get(role, []), role)

    def _named(self) -> set[str]:
        return {role_of_name(name) or "" for name in self.columns}

    def _role_of_files(self) -> None:
        """What the files of several paths are: models, unless a column names these."""
        own = self.columns[FILES]
        role = next((role for role, name in self.words.items() if name == FILES), None)
        if role is None and not ({"model"} & self._named()) and "model" not in self.roles:
            role = "model"
        if role is not None:
            self.roles[role] = FILES
            self.words.pop(role, None)
        else:
            self.columns = {name: x for name, x in self.columns.items() if name != FILES}
            self.files = own

    def _is_choice(self, name: str) -> bool:
        """Whether a name given as metric is that of a column of scores, not of one that names metrics."""
        cells = numbers_of(self.columns[name], self.asked.decimal or ".")
        return cells.bad is None and cells.share == 1

    def _role(self, name: str) -> str:
        """By its name, and by its values where these can be nothing else."""
        values, role = self.columns[name], role_of_name(name)
        cells = self.numbers[name]
        missing = [is_missing(x) for x in values.tolist()]
        if all(missing):
            self.left_out[name] = "empty"
            return "empty"
        numeric = cells.share >= 0.5 and not cells.words
        whole = cells.bad is None and bool((cells.values[np.isfinite(cells.values)] % 1 == 0).all())
        if role in ("model", "dataset", "item", "split", "repeat", "run", "metric", "cluster", "id") and (
            numeric and not whole and cells.bad is None
        ):
            return "number"  # a model may be called like a role
        if role == "label" and numeric and (not whole or self.kind not in (None, "predictions")):
            return "number"
        if role == "id" and not (numeric and whole):
            named = plain(name) in ("id", "ids", "key") and self._repeated(name)
            return "number" if numeric else "id" if named else "text"
        if role in ("value", "outcome") and not numeric and not cells.words:
            return "text"
        if role is None and numeric and (other := beside(name, self.columns)) is not None:
            return other
        if role in _ASIDE and not numeric:
            return "text"
        if role is not None or name == GROUPS:
            return role or "described"
        if cells.words or numeric:
            return "number"
        return "text"

    def _one(self, role: str) -> None:
        """One column for a role: of several those that say the same, or nothing, are left out."""
        names = self.found.get(role, [])
        if role in self.roles:
            self.left_out |= dict.fromkeys(names, "description") if role in KEYS else {}
            return
        if role in self.words:
            return
        varied = [name for name in names if len({*map(str, self.columns[name].tolist())}) > 1]
        if role in ("run", "repeat", "split", "id") or (len(names) > 1 and varied):
            self.left_out |= {name: "constant" for name in names if name not in varied}
            names = varied
        names = sorted(names, key=lambda name: not self._exact(name, role))
        several = [name for name in names if self._repeated(name)]
        if role in ("dataset", "item", "run") and 0 < len(several) < len(names):
            self.left_out |= {name: "description" for name in names if name not in several}
            names = several
        kept: list[str] = []
        for name in names:
            if any(self._determines(one, name) for one in kept):
                self.left_out[name] = "description"
            else:
                self.left_out |= {one: "description" for one in kept if self._determines(name, one)}
                kept = [one for one in kept if not self._determines(name, one)] + [name]
        if len(kept) > 1 and role == "value":
            strong = [name for name in kept if plain(name) == "score"]
            kept = strong or kept
        if len(kept) > 1:
            calls = [
                (f"{NOUNS.get(role, role)}s are {name!r}", {role: name})
                for name in kept
                if role in KEYS or role in ("value", "truth", "cluster")
            ]
            raise self.unclear(f"{some_names(kept)} could both name the {NOUNS.get(role, role)}", *calls)
        if kept:
            self.roles[role] = kept[0]

    def _exact(self, name: str, role: str) -> bool:
        return plain(name) in (role, f"{role}_name", f"{role}_id")

    def _determines(self, one: str, other: str) -> bool:
        """Whether every value of one column stands beside a single value of the other one."""
        pairs = {*zip(map(str, self.columns[one].tolist()), map(str, self.columns[other].tolist()), strict=True)}
        return len(pairs) == len({first for first, _ in pairs})

    # ---- the form of the table --------------------------------------------------------------------------------

    def read(self) -> Reading:
        if self.kind == "search" or self._is_search():
            return Reading(kind="search", columns=self.columns, roles={}, notes=tuple(self.notes))
        if self._is_predicted():
            return self._predictions()
        tidy = self._melted()
        return self._settled(tidy)

    def _is_search(self) -> bool:
        names = [*self.columns]
        return any(re.fullmatch(r"split\d+_test_.+", name) for name in names) and (
            "params" in names or any(name.startswith("param_") for name in names)
        )

    def _is_predicted(self) -> bool:
        """Whether the table has true values and predictions of them."""
        if self.kind in ("predictions", "outcomes", "folds", "runs", "study"):
            return self.kind == "predictions"
        if "truth" in self.roles:
            return True
        predicted = any(self.found.get(role) for role in ("prediction", "probability", "decision_function"))
        labels = self.found.get("label", [])
        if predicted and len(labels) == 1:
            self.roles["truth"] = labels[0]
            return True
        if predicted:
            others = [*labels, *self.found.get("number", []), *self.found.get("text", [])]
            calls = [(f"the true values are {name!r}", {"truth": name}) for name in others]
            raise self.unclear("it has predictions, and no column of true values", *calls)
        if len(labels) == 1 and "model" not in self.roles and len(self._predicting(labels[0])) > 1:
            raise self.unclear(
                f"{labels[0]!r} may hold true values",
                ("the other columns are predictions of it", {"truth": labels[0]}),
                ("they are scores", {"models": [*self.found.get("number", [])]}),
            )
        return False

    def _values_of(self, names: Sequence[str]) -> dict[str, FloatArray]:
        """Columns as numbers; ValueError that quotes the first cell that is none."""
        found = {}
        for name in names:
            cells = self.numbers[name]
            if cells.bad is not None:
                cell = self.columns[name][cells.bad]
                raise self.unclear(
                    f"{self._row(cells.bad)}, column {name!r}: {str(cell)!r} is not read as one number; write "
                    f"one number in the cell, or nothing"
                )
            if np.isinf(cells.values).any():
                at = int(np.isinf(cells.values).argmax())
                raise self.unclear(f"{self._row(at)}, column {name!r}: a score must be finite; got an infinite one")
            found[name] = cells.values
        percent = [bool(self.numbers[name].percent.any()) for name in names]
        for name in names:
            cells = self.numbers[name]
            odd = ~cells.percent & (np.abs(cells.values) > 1)
            if any(percent) and odd.any():
                at = int(odd.argmax())
                cell = str(self.columns[name][at])
                raise self.unclear(f"{self._row(at)}, column {name!r}: {cell!r} has no percent sign, and others have")
        if any(percent):
            self.notes.append("Percentages were divided by 100.")
        if any(self.numbers[name].beside is not None for name in names):
            self.notes.append("The second number in a cell, a deviation or the like, was left out.")
        return found

    def _melted(self) -> dict[str, Names]:
        """One row per score, whatever stood in the rows and columns."""
        header = self._header()
        values, role = self._scores(header)
        numbers = self._values_of(values)
        keys = {name: self._texts(self.roles[name]) for name in KEYS if name in self.roles and name != role}
        for one, word in self.words.items():
            if word == ROWS:
                keys[one] = self._counted(keys)
        n, k = self.table_rows, len(values)
        tidy = {name: np.tile(x, k) for name, x in keys.items()}
        heads = np.repeat(np.array(values, dtype=object), n)
        if role == "pairs":
            split = self._pairs(values) or {}
            for i, one in enumerate(("model", "metric")):
                tidy[one] = np.repeat(np.array([split[name][i] for name in values], dtype=object), n)
                self.roles[one] = HEADERS
        elif role in KEYS:
            tidy[role] = self._heads(heads) if role == "model" else heads
            self.roles[role] = HEADERS
        tidy["value"] = np.concatenate([numbers[name] for name in values])
        if "metric" not in tidy:
            name = values[0] if role == "value" and values[0] != FILES else "score"
            tidy["metric"] = np.repeat(np.array(self._metric_name(name, role), dtype=object), n * k)
        self.described = {name: np.tile(self.columns[name], k) for name in self.columns if name not in values}
        return tidy

    @property
    def table_rows(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def _metric_name(self, name: str, role: str | None) -> str:
        """What the only metric is called: the name of its column, unless that says no more than score."""
        said = role == "value" and role_of_name(name) not in ("value", "outcome") and not is_statistic(name)
        return name if said else "score"

    def _heads(self, heads: Names) -> Names:
        """Names of models without an ending such as _mean that all of them have."""
        names = list(dict.fromkeys(heads.tolist()))
        ends = {_PAIR.split(name)[-1] for name in names}
        if len(names) > 1 and len(ends) == 1 and is_statistic(end := next(iter(ends))):
            cut = {name: name[: -len(end)].rstrip(" _.:/|-") for name in names}
            if all(cut.values()) and len({*cut.values()}) == len(names):
                return np.array([cut[name] for name in heads.tolist()], dtype=object)
        return heads

    def _texts(self, name: str) -> Names:
        """Names as texts on one line."""
        values = self.columns[name].tolist()
        lacking = [is_missing(x) if isinstance(x, str) else x is None or x != x for x in values]
        if any(lacking):
            i = lacking.index(True)
            raise self.unclear(f"row {i + 1} has no name in column {name!r}: name it, or leave the row out")
        found = np.empty(len(values), dtype=object)
        whole = all(isinstance(x, float) and x.is_integer() for x in values)
        found[:] = [str(int(x)) if whole else " ".join(str(x).split()) for x in values]
        return found

    def _counted(self, keys: Mapping[str, Names]) -> Names:
        """The number of each row among those with the same names."""
        seen: dict[tuple[str, ...], int] = {}
        found = np.empty(self.table_rows, dtype=object)
        rows = zip(*(x.tolist() for x in keys.values()), strict=True) if keys else [()] * self.table_rows
        for i, row in enumerate(rows):
            seen[row] = seen.get(row, -1) + 1
            found[i] = str(seen[row])
        labels = self.table.labels
        if labels is None or self.kind != "study" or len(labels) != self.table_rows:
            return found
        return np.array([f"row {label}" for label in labels], dtype=object)

    def _header(self) -> str | None:
        """What the names of the columns are, where that was said."""
        told = next((role for role, word in self.words.items() if word == HEADERS), None)
        if told is None and self.table.header:
            told = role_of_name(self.table.header)
        return told if told in KEYS else None

    def _scores(self, header: str | None) -> tuple[list[str], str | None]:
        """The columns of scores, and what their names are: a role, "pairs" of model and metric, or "value"."""
        asked, numbers = self.asked, [name for name in self.columns if name in self.found.get("number", [])]
        if asked.models and "model" not in self.roles:
            self._others([name for name in numbers if name not in asked.models])
            return [*asked.models], "model"
        chosen = [
            name for name in (*asked.metrics, asked.metric) if name in self.columns and name != self.roles.get("metric")
        ]
        if chosen:
            self._others([name for name in numbers if name not in chosen])
            self._needs_model(chosen)
            self.left_out = {name: why for name, why in self.left_out.items() if name not in chosen}
            return chosen, "metric" if len(chosen) > 1 else "value"
        value = self.roles.get("value") or self.roles.get("outcome")
        named = "value" in asked.columns
        if value is not None and (named or "model" in self.roles):
            self._needs_model([value])
            self._others([name for name in numbers if name != value])
            return [value], "value"
        if value is not None:
            numbers = [name for name in self.columns if name in (*numbers, value)]
        numbers = self._without_differences(self._without_counters(numbers))
        if not numbers:
            raise self._no_scores()
        if header == "model" and "model" not in self.roles:
            self._name_rows(numbers)
            return numbers, "model"
        if header not in (None, "metric", "model"):
            texts = self._unique_texts()
            if "model" not in self.roles and len(texts) == 1:
                self.roles["model"] = texts[0]
            self._needs_model(numbers)
            return numbers, header
        return self._of_models(numbers) if "model" in self.roles else self._columns_of_models(numbers)

    def _others(self, names: Iterable[str]) -> None:
        self.left_out |= dict.fromkeys(names, "unknown")

    def _needs_model(self, values: Sequence[str]) -> None:
        if "model" not in self.roles:
            raise self.unclear(
                f"no column names the models of {some_names(values)}: give model=",
                *((f"{name!r} names the models", {"model": name}) for name in self.found.get("text", [])),
            )

    def _no_scores(self) -> UnclearError:
        texts = [name for name in self.found.get("text", []) if self.numbers[name].share > 0]
        if texts:
            cells = self.numbers[texts[0]]
            at = cells.bad or 0
            cell = str(self.columns[texts[0]][at])
            return self.unclear(
                f"{self._row(at)}, column {texts[0]!r}: {cell!r} is no number, and no other column has scores"
            )
        left = [name for name, why in self.left_out.items() if why in _ASIDE]
        why = (
            f"; {some_names(left)} hold {', '.join(sorted({_LEFT[self.left_out[name]] for name in left}))}"
            if left
            else ""
        )
        return self.unclear(
            f"it has no column of scores among {some_names([*self.columns])}{why}. A table needs a column per model, "
            "or columns dataset, model and score"
        )

    def _without_counters(self, names: Sequence[str]) -> list[str]:
        """Columns but those that number the rows."""
        counters = [name for name in names if self._counts(name)]
        if len(counters) in (0, len(names)) or not all(
            self._row_values(name) for name in names if name not in counters
        ):
            return [*names]  # where all scores are integers, these may be some too
        named = {"model", "dataset", "item", "split", "repeat", "run"} & self.roles.keys() or self._unique_texts()
        if not named:
            name = counters[0]
            rest = [one for one in names if one != name]
            raise self.unclear(
                f"column {name!r} numbers the rows, and nothing says what these are",
                *(
                    (f"each row is one {NOUNS[role]}", {role: name, "models": rest})
                    for role in ("dataset", "split", "item", "run")
                ),
            )
        self.left_out |= dict.fromkeys(counters, "counter")
        return [name for name in names if name not in counters]

    def _without_differences(self, names: list[str]) -> list[str]:
        """Columns but those that are the difference of two others."""
        if not 3 <= len(names) <= 40 or "model" in self.roles:
            return names
        values = {name: self.numbers[name].values for name in names}
        derived = [
            name
            for i, name in enumerate(names)
            if not np.isin(x := values[name], (0, 1)).all()
            and np.isfinite(x).all()
            and any(
                bool((np.abs(x - (values[a] - values[b])) < 1e-3 * np.abs(x).max()).all())
                for a in names
                for b in names
                if name not in (a, b) and a != b
            )
            and (x < 0).any() | bool(i == len(names) - 1)
        ]
        if len(derived) > len(names) - 2:
            return names
        self.left_out |= dict.fromkeys(derived, "comparison")
        return [name for name in names if name not in derived]

    def _counts(self, name: str) -> bool:
        values = self.numbers[name].values
        if len(values) < 3 or not np.isfinite(values).all() or not (values % 1 == 0).all() or is_measure(name):
            return False
        ordered = np.sort(values)
        return bool((np.diff(ordered) == 1).all()) and ordered[0] in (0, 1)

    def _unique_texts(self) -> list[str]:
        return [
            name
            for name in self.found.get("text", [])
            if len({*map(str, self.columns[name].tolist())}) == self.table_rows
        ]

    # ---- models in the rows -----------------------------------------------------------------------------------

    def _of_models(self, numbers: list[str]) -> tuple[list[str], str]:
        """Of a table that names the model of a row: metrics in columns, or data sets, folds and runs."""
        keyed = [
            role for role in ("dataset", "item", "split", "repeat", "run") if role in self.roles or role in self.words
        ]
        keyed += ["id"] if "id" in self.roles and self._repeats("id") else []
        known = [name for name in numbers if is_measure(name)]
        models = self.columns[self.roles["model"]].astype(str)
        if keyed or len(np.unique(models)) < len(models):
            return self._metrics(numbers, known)
        if role := numbered(numbers):
            return numbers, role
        others = [
            name for name in numbers if name not in known and not is_statistic(name) and name not in self.left_out
        ]
        if known and not others:
            raise self.unclear(
                f"it has one row per model, with {some_names(known)}: one number says nothing of its variation. A "
                "table needs rows per data set, fold, run or item too"
            )
        if known:
            raise self.unclear(
                f"{some_names(known)} are called like metrics, {some_names(others)} are not, and a model has one row",
                ("all are data sets", {"model": self.roles["model"], "dataset": HEADERS}),
            )
        if all(re.fullmatch(r"\d+", name) for name in numbers):
            name = self.roles["model"]
            raise self.unclear(
                "the columns are numbered, and nothing says what they are",
                *(
                    (f"they are {NOUNS[role]}s", {"model": name, role: HEADERS})
                    for role in ("dataset", "split", "run", "item")
                ),
            )
        if self._all_words(numbers):
            return numbers, "item"
        return numbers, "dataset"

    def _repeats(self, role: str) -> bool:
        values = self.columns[self.roles[role]].tolist()
        return len({*map(str, values)}) < len(values)

    def _metrics(self, numbers: list[str], known: list[str]) -> tuple[list[str], str]:
        """The columns of scores beside names of models and of cases."""
        constant = [name for name in numbers if name not in known and self._describes(name)]
        self.left_out |= dict.fromkeys(constant, "description")
        rest = [name for name in numbers if name not in constant]
        if known:
            self._others([name for name in rest if name not in known])
            return known, "metric" if len(known) > 1 else "value"
        if len(rest) > 1:
            raise self.unclear(
                f"{some_names(rest)} could all be scores",
                *((f"the score is {name!r}", {"value": name}) for name in rest[:2]),
                ("all are metrics", {"metrics": rest}),
            )
        if not rest:
            raise self._no_scores()
        return rest, "value"

    def _describes(self, name: str) -> bool:
        """Whether a column has one value per data set or item, or one per model: it is no score."""
        roles = [self.roles[role] for role in ("dataset", "item", "model") if role in self.roles]
        alone = len({*map(str, self.columns[name].tolist())}) == 1
        return alone or any(self._repeated(one) and self._determines(one, name) for one in roles)

    def _repeated(self, name: str) -> bool:
        values = self.columns[name].tolist()
        return len({*map(str, values)}) < len(values)

    # ---- models in the columns --------------------------------------------------------------------------------

    def _columns_of_models(self, numbers: list[str]) -> tuple[list[str], str]:
        """Of a table that names no model: a column per model, or models in the rows without such a name."""
        if self._pairs(numbers):
            return numbers, "pairs"
        measures = [name for name in numbers if is_measure(name) or (is_statistic(name) and not is_summary(name))]
        if len(measures) == sum(not is_summary(name) for name in numbers):
            left = [name for name, why in self.left_out.items() if why in _ASIDE]
            more = f"; {some_names(left)} hold times, sizes, deviations or ranks" if left else ""
            raise self.unclear(
                f"{some_names(measures)}: names of metrics{more}, and nothing names models. A table needs a "
                "column per model, or columns dataset, model and score",
                *((f"{name!r} names the models", {"model": name}) for name in self.found.get("text", [])),
            )
        if measures:
            models = [name for name in numbers if name not in measures and not is_summary(name)]
            raise self.unclear(
                f"{some_names(measures)} are called like metrics, {some_names(models)} are not",
                ("the others alone are models", {"models": models}),
                ("all are models", {"models": numbers}),
            )
        self._check_scale(numbers)
        self._name_rows(numbers)
        if self.turned:
            return numbers, "dataset"
        unnamed = [name for name in numbers if re.fullmatch(r"column \d+|nan", name)]
        if unnamed:
            raise self.unclear(
                f"{unnamed[0]!r} holds scores, and nothing names its model: name the column, or leave it out"
            )
        return numbers, "model"

    def _check_scale(self, numbers: Sequence[str]) -> None:
        """A refusal where one column is of another scale than all others, so that it is hardly a model."""
        values = {name: self.numbers[name].values for name in numbers if not is_summary(name)}
        inside = {name: bool((np.isnan(x) | ((x >= 0) & (x <= 1))).all()) for name, x in values.items()}
        graded = {name: bool(np.isin(x[~np.isnan(x)], (0, 1)).all()) for name, x in values.items()}
        for found in (inside, graded):
            odd = [name for name, x in found.items() if not x]
            same = [name for name, x in found.items() if x]
            many = found is inside or sum(len(values[name]) for name in same) >= _MANY
            if len(odd) == 1 and len(same) > 1 and many:
                what = "between 0 and 1" if found is inside else "0 or 1"
                raise self.unclear(
                    f"the numbers of {odd[0]!r} are not {what}, those of all other columns are",
                    ("it is no model", {"models": same}),
                    ("all are models", {"models": [*numbers]}),
                )

    turned = False  # models stand in the rows, data sets in the columns

    def _name_rows(self, numbers: list[str]) -> None:
        """What the rows of a table with a column per model are."""
        keys = [
            role for role in ("dataset", "item", "split", "repeat", "run") if role in self.roles or role in self.words
        ]
        texts = self.found.get("text", []) + self.found.get("label", [])
        weak = [role for role in keys if is_weak(self.roles.get(role, ""))]
        if weak == keys and len(self._unique_texts()) == 1:
            self.left_out |= {self.roles.pop(role): "counter" for role in weak}
            keys, texts = [], self._unique_texts()
        self._check_only_key(keys, numbers)
        own = self.roles.get("dataset", "")
        if texts and self.kind == "study" and own and "dataset" not in self.asked.columns and plain(own) != "dataset":
            texts = [own, *texts]
        elif keys:
            self.left_out |= dict.fromkeys(texts, "description")
            return
        if len(texts) > 1:
            raise self.unclear(
                f"it has {len(texts)} columns of names, {some_names(texts)}: say which one names data sets, or call "
                "it 'dataset' and leave the other out",
                *((f"data sets are {name!r}", {"dataset": name}) for name in texts),
            )
        if texts:
            self._name_by_texts(texts[0], numbers)
        elif "id" in self.roles:
            self._name_by_id(numbers)
        elif self.kind == "study":
            self.words["dataset"] = ROWS
            taken = "the rows have no names, and each is taken for one data set"
            self.assumed.append(f"{taken}: give their names in a column 'dataset'.")
        elif self._all_words(numbers):
            self.words["item"] = ROWS
        else:
            raise self.unclear(
                "nothing names its rows",
                *(
                    (f"each row is one {NOUNS[role]}", {role: ROWS, "models": numbers})
                    for role in ("dataset", "split", "item")
                ),
            )

    def _check_only_key(self, keys: Sequence[str], numbers: list[str]) -> None:
        """A refusal where all that names the rows may be a number of a register, or a seed, beside what names them."""
        [only] = keys if len(keys) == 1 else [""]
        name = self.roles.get(only, "")
        if only not in ("run", "item", "dataset") or only in self.asked.columns or self._repeated(name):
            return
        others = [*self._unique_texts(), *(one for one, why in self.left_out.items() if why == "counter")]
        others += [self.roles["id"]] if "id" in self.roles else []
        registered = is_weak(name) and (only == "dataset" or not self._all_words(numbers))
        if (registered and (others or only == "item")) or (only == "run" and others and not self._counts(name)):
            calls = [(f"{name!r} names {NOUNS[only]}s", {only: name, "models": numbers})]
            calls += [
                (f"{one!r} names {NOUNS[role]}s", {role: one, "models": numbers})
                for one in others
                for role in ("dataset", "split")
            ]
            raise self.unclear(f"{name!r} may name the rows, or only number them", *calls)

    def _name_by_texts(self, name: str, numbers: list[str]) -> None:
        rows = [str(x) for x in self.columns[name].tolist()]
        of_rows, of_columns = like_learners(rows), like_learners(numbers)
        plainly = self.kind == "study" or (of_columns > 0 >= of_rows) or (of_rows < 0 <= of_columns)
        if (of_rows > 0 >= of_columns) or (of_columns < 0 <= of_rows):
            if self.kind == "study":
                raise self.unclear(
                    f"{name!r} looks like names of models, and the columns like data sets",
                    ("models are in the rows", {"model": name}),
                )
            self.roles["model"], self.turned = name, True
            return
        if not plainly and not self._all_words(numbers):
            raise self.unclear(
                f"column {name!r} may name data sets or models",
                ("data sets in rows, models in columns", {"dataset": name}),
                ("models in rows, data sets in columns", {"model": name}),
            )
        self.roles["item" if self._all_words(numbers) and self.kind != "study" else "dataset"] = name

    def _name_by_id(self, numbers: list[str]) -> None:
        name = self.roles["id"]
        if self._all_words(numbers) or self.kind == "outcomes":
            self.roles["item"] = self.roles.pop("id")
            return
        raise self.unclear(
            f"column {name!r} numbers the rows, and nothing says what these are",
            *(
                (f"each row is one {NOUNS[role]}", {role: name, "models": numbers})
                for role in ("dataset", "split", "item")
            ),
        )

    def _all_words(self, numbers: Sequence[str]) -> bool:
        """Whether all numbers are 0 and 1: right and wrong."""
        return all(bool(np.isin(self.numbers[name].values, (0, 1)).all()) for name in numbers)

    def _pairs(self, names: Sequence[str]) -> dict[str, tuple[str, str]] | None:
        """Model and metric of headers such as svm_accuracy, where every model has the same metrics."""
        ways = {name: self._ways(name) for name in names if not is_summary(name)}
        if not ways or not all(ways.values()):
            return None
        often = Counter(metric for of_one in ways.values() for _, metric in of_one)
        found = {name: max(of_one, key=lambda way: (often[way[1]], len(way[1]))) for name, of_one in ways.items()}
        models, metrics = ({way[i] for way in found.values()} for i in (0, 1))
        if len(models) < 2 or len({*found.values()}) != len(found) or len(found) != len(models) * len(metrics):
            raise self.unclear(
                f"{some_names(names)} are called like models with metrics, and not all models have the same ones",
                ("all are models", {"models": [*names]}),
            )
        return found

    def _ways(self, name: str) -> list[tuple[str, str]]:
        """The ways to take a header for a model and a metric."""
        if is_measure(name):
            return []
        cuts = [match.span() for match in _PAIR.finditer(name)]
        parts = [(name[:start], name[end:]) for start, end in cuts if start and end < len(name)]
        both = [way for one, other in parts for way in ((one, other), (other, one))]
        return [(model, metric) for model, metric in both if is_measure(metric) and not is_statistic(model)]

    # ---- keys, gaps and sums ----------------------------------------------------------------------------------

    def _settled(self, tidy: dict[str, Names]) -> Reading:
        """The kind of evidence, of rows that stand for one score each."""
        tidy = self._chosen_metrics(tidy)
        self._take_id(tidy)
        tidy = self._without_said(tidy)
        self._check_once(tidy)
        tidy = self._in_order(tidy)
        tidy = self._without_summaries(tidy)
        kind = self._kind_of(tidy)
        if self.kind is not None and kind != self.kind:
            raise self.unclear(
                f"it holds {self._as(kind)}, and {_AS[self.kind]} were expected: skc.read(frame) reads it"
            )
        extra = {name: x for name, x in self.described.items() if len(x) == len(tidy["value"])}
        used = [name for one, name in self.roles.items() if one not in ("cluster", "weight")]
        noise = ("time", "deviation", "rank", "training score", "counter", "empty")
        extra = {name: x for name, x in extra.items() if name not in used and self.left_out.get(name) not in noise}
        roles = {
            role: name for role, name in self.roles.items() if role in (*KEYS, "value", "cluster", "weight", "outcome")
        }
        roles |= {role: word for role, word in self.words.items() if word == ROWS}
        said = self.found.get("text", [])
        if kind not in ("outcomes", "predictions"):
            self.left_out |= {name: "description" for name in said if name not in roles.values()}
        return Reading(
            kind=kind,
            columns={**tidy, **{f"also {name}": x for name, x in extra.items()}},
            roles=roles,
            left_out=self.left_out,
            notes=tuple(self.notes),
            assumed=tuple(self.assumed),
        )

    def _as(self, kind: str) -> str:
        """A kind of evidence in words, with the column that tells it."""
        telling = {"folds": ("split", "repeat"), "runs": ("run",), "outcomes": ("item",), "study": ("dataset",)}[kind]
        told = [self.roles[role] for role in telling if self.roles.get(role) in self.columns]
        return f"{_AS[kind]} (column {told[0]!r})" if told else _AS[kind]

    def _chosen_metrics(self, tidy: dict[str, Names]) -> dict[str, Names]:
        """The rows of the metrics that were asked for, of a table with a column that names metrics."""
        wanted = [name for name in (*self.asked.metrics, self.asked.metric) if name and name not in self.columns]
        known = list(dict.fromkeys(tidy["metric"].tolist()))
        lacking = [name for name in wanted if name not in known]
        if lacking:
            raise ValueError(
                f"{self.table.origin} has no metric {lacking[0]!r}, only {some_names(known)}: metric=, metrics="
            )
        if not wanted:
            return tidy
        rows = np.isin(tidy["metric"].astype(str), wanted)
        order = np.argsort([wanted.index(x) for x in tidy["metric"][rows].tolist()], kind="stable")
        self.described = {name: x[rows][order] for name, x in self.described.items() if len(x) == len(rows)}
        return {name: x[rows][order] for name, x in tidy.items()}

    def _take_id(self, tidy: dict[str, Names]) -> None:
        """A column that numbers something: rows, or the items of every model."""
        name = self.roles.get("id")
        if name is None or name in tidy:
            return
        del self.roles["id"]
        keyed = any(role in tidy for role in ("item", "split", "repeat", "run"))
        if keyed or not self._repeated(name) or "model" not in self.roles or self.roles["model"] == HEADERS:
            self.left_out[name] = "counter"
            return
        if "dataset" in tidy and (
            self._determines(self.roles["dataset"], name) or self._determines(name, self.roles["model"])
        ):
            self.left_out[name] = "counter"
            return
        k = len(tidy["value"]) // self.table_rows
        ids = np.tile(self._texts(name), k)
        if "outcome" in self.roles or self.kind == "outcomes" or bool(np.isin(tidy["value"], (0, 1)).all()):
            tidy["item"], self.roles["item"] = ids, name
            return
        raise self.unclear(
            f"nothing says what column {name!r} numbers",
            *((f"{NOUNS[role]}s", {role: name}) for role in ("item", "dataset", "split", "run")),
        )

    def _without_said(self, tidy: dict[str, Names]) -> dict[str, Names]:
        """Without names that tell no scores apart: a seed per row, a number of a row, a single repeat."""
        weak = [role for role in ("item", "dataset") if is_weak(self.roles.get(role, ""))]
        apart = [role for role in ("dataset", "item", "split", "repeat", "run") if self._of_one_model(tidy, role)]
        for role in (*weak, *apart, "run", "split", "item", "repeat", "dataset"):
            others = [name for name in KEYS if name in tidy and name != role]
            cases = [name for name in others if name not in ("model", "metric")]
            if role not in tidy or role in self.asked.columns or not cases or self.roles.get(role) == HEADERS:
                continue
            varies = len({*tidy[role].tolist()}) > 1
            if role in ("split", "repeat") and cases == ["run"] and varies:
                continue  # what a run beside splits is must be said
            if role in ("repeat", "dataset") and role not in (*weak, *apart) and varies:
                continue
            rows = [*zip(*(tidy[name].tolist() for name in others), strict=True)]
            registered = role in weak and not bool(np.isin(tidy["value"], (0, 1)).all())
            if len({*rows}) < len(rows) and not registered:
                continue
            name = self.roles.pop(role, role)
            self.left_out[name] = "constant" if len({*tidy[role].tolist()}) == 1 else "description"
            tidy = {one: x for one, x in tidy.items() if one != role}
        if "run" in tidy and "run" in self.asked.columns and {"split", "repeat"} & tidy.keys():
            self._check_once(tidy)
            tidy = self._averaged(tidy)
        return self._folds_within(tidy)

    def _averaged(self, tidy: dict[str, Names]) -> dict[str, Names]:
        """Without runs: their mean on each split."""
        own = [name for name in KEYS if name in tidy and name != "run"]
        rows = [*zip(*(tidy[name].tolist() for name in own), strict=True)]
        place = {row: i for i, row in enumerate(dict.fromkeys(rows))}
        at = np.array([place[row] for row in rows])
        first = np.unique(at, return_index=True)[1]
        self.notes.append("Runs on one split were averaged.")
        return {
            **{name: tidy[name][first] for name in own},
            "value": np.bincount(at, weights=tidy["value"]) / np.bincount(at),
        }

    def _of_one_model(self, tidy: Mapping[str, Names], role: str) -> bool:
        """Whether no name of a role stands beside two models, so that it names no case that these share."""
        if role not in tidy:
            return False
        pairs = {*zip(tidy[role].tolist(), tidy["model"].tolist(), strict=True)}
        return len(pairs) == len({*tidy[role].tolist()})

    def _folds_within(self, tidy: dict[str, Names]) -> dict[str, Names]:
        """Folds that are numbered through all repeats, by their number within each."""
        if not {"split", "repeat"} <= tidy.keys():
            return tidy
        by_repeat: dict[str, dict[str, None]] = {}
        for repeat, split in zip(tidy["repeat"].tolist(), tidy["split"].tolist(), strict=True):
            by_repeat.setdefault(repeat, {})[split] = None
        of_split = [split for splits in by_repeat.values() for split in splits]
        if len({*of_split}) < len(of_split) or len({*map(len, by_repeat.values())}) > 1 or len(by_repeat) < 2:
            return tidy
        place = {(r, s): str(i) for r, splits in by_repeat.items() for i, s in enumerate(sorted(splits, key=natural))}
        pairs = zip(tidy["repeat"].tolist(), tidy["split"].tolist(), strict=True)
        return {**tidy, "split": np.array([place[pair] for pair in pairs], dtype=object)}

    def _in_order(self, tidy: dict[str, Names]) -> dict[str, Names]:
        """Models and metrics in one order on every data set: that of the table."""
        places = [
            {name: i for i, name in enumerate(dict.fromkeys(tidy[role].tolist()))} for role in ("metric", "model")
        ]
        ranks = [
            [place[x] for x in tidy[role].tolist()] for place, role in zip(places, ("metric", "model"), strict=True)
        ]
        order = np.lexsort(ranks)
        self.described = {name: x[order] for name, x in self.described.items() if len(x) == len(order)}
        return {name: x[order] for name, x in tidy.items()}

    def _check_once(self, tidy: dict[str, Names]) -> None:
        """A refusal where a model has several scores of one case."""
        present = [role for role in KEYS if role in tidy]
        rows = [*zip(*(tidy[role].tolist() for role in present), strict=True)]
        first: dict[tuple[str, ...], int] = {}
        twice = next(((first[row], i) for i, row in enumerate(rows) if first.setdefault(row, i) != i), None)
        if twice is None:
            return
        n, (i, j) = self.table_rows, twice
        what = ", ".join(f"{NOUNS[role]} {tidy[role][i]!r}" for role in present if role != "metric")
        cases = [role for role in present if role not in ("model", "metric")]
        others = [name for name in self.columns if name not in self.roles.values() and self._tells_apart(name, rows)]
        calls = [
            (f"{name!r} names the {NOUNS[role]}s", {role: name})
            for name in others
            for role in ("run", "split", "repeat", "item", "dataset", "model")
            if role not in cases and (role != "model" or self.roles.get("model") != name)
        ]
        if not cases:
            roles = ("split", "run", "item")
            calls += [
                (f"rows of a model are {NOUNS[role]}s in one order for all models", {role: ROWS}) for role in roles
            ]
        elif not calls:
            calls = [("rows of a model are runs", {"run": ROWS})]
        if hasattr(self, "files"):
            calls += [(f"files are {NOUNS[role]}s", {role: FILES}) for role in ("dataset", "run")]
        lacking = (
            ", and no column 'dataset' tells them apart" if self.kind == "study" and "dataset" not in cases else ""
        )
        raise self.unclear(f"{what} has several scores, in rows {i % n + 1} and {j % n + 1}{lacking}", *calls[:6])

    def _tells_apart(self, name: str, rows: Sequence[tuple[str, ...]]) -> bool:
        values = np.tile(self.columns[name].astype(str), max(1, len(rows) // self.table_rows)).tolist()
        if self.numbers.get(name) is not None and self.numbers[name].bad is None and self._row_values(name):
            return False
        return (
            len(values) == len(rows)
            and len({*zip(rows, values, strict=True)}) == len(rows)
            and len({*values}) < len(rows)
        )

    def _row_values(self, name: str) -> bool:
        """Whether a column holds measured numbers, which name nothing."""
        values = self.numbers[name].values
        return bool((values[np.isfinite(values)] % 1 != 0).any())

    def _without_summaries(self, tidy: dict[str, Names]) -> dict[str, Names]:
        """Without rows and columns that sum up the others."""
        case = next((role for role in ("dataset", "split", "run") if role in tidy and "item" not in tidy), None)
        for role, ranked in ((case, True), ("model", False)):
            if role is None:
                continue
            names = list(dict.fromkeys(tidy[role].tolist()))
            matrix = self._matrix(tidy, role)
            if len(names) < 2 or matrix.shape[1] < 1:
                continue
            found = [
                name for name, is_one in zip(names, summaries(matrix, names, ranked=ranked), strict=True) if is_one
            ]
            if found and self.kind == "study" and role == "dataset":
                raise self.unclear(
                    f"row {found[0]!r} sums up the others ({some_names(found)}): leave it out, as skc.read does",
                )
            keep = ~np.isin(tidy[role].astype(str), found)
            if found:
                noun = "models" if role == "model" else f"{NOUNS[role]}s"
                self.notes.append(f"Left out as sums of the other {noun}: {some_names(found)}.")
                self.described = {name: x[keep] for name, x in self.described.items() if len(x) == len(keep)}
                tidy = {name: x[keep] for name, x in tidy.items()}
            if role != "model" and matrix.shape[1] > 1:
                left = [name for name in names if name not in found]
                odd = out_of_scale(self._matrix(tidy, role)) if len(left) > 2 else np.zeros(len(left), dtype=bool)
                if odd.any() and len({*tidy["metric"].tolist()}) == 1:
                    raise self.unclear(
                        f"row {left[int(odd.argmax())]!r} has numbers above 1, and all others are between 0 and 1: "
                        "leave it out where it is no score"
                    )
        return tidy

    def _matrix(self, tidy: Mapping[str, Names], role: str) -> FloatArray:
        """Scores with a row per name of a role, and a column for everything else."""
        others = [one for one in KEYS if one in tidy and one != role]
        rows = {name: i for i, name in enumerate(dict.fromkeys(tidy[role].tolist()))}
        cells = [*zip(*(tidy[one].tolist() for one in others), strict=True)]
        columns = {cell: i for i, cell in enumerate(dict.fromkeys(cells))}
        found = np.full((len(rows), len(columns)), np.nan)
        found[[rows[x] for x in tidy[role].tolist()], [columns[cell] for cell in cells]] = tidy["value"]
        return found

    def _kind_of(self, tidy: Mapping[str, Names]) -> str:
        """Of what the rows are evidence."""
        if len({*tidy["model"].tolist()}) < 2:
            texts = [name for name in self.found.get("text", []) if name not in self.roles.values()]
            more = f"; {some_names(texts)} hold{'s' if len(texts) == 1 else ''} text" if texts else ""
            raise self.unclear(f"it must hold two or more models; got {tidy['model'][0]!r}{more}")
        has = {role for role in KEYS if role in tidy}
        if "item" in has:
            return "outcomes"
        if "run" in has and has & {"split", "repeat"}:
            name = self.roles.get("run") or self.words["run"]
            raise self.unclear(
                f"it has runs in column {name!r} beside splits",
                (f"every {name!r} drew splits of its own", {"repeat": name}),
                (f"every {name!r} met the same splits, and their mean counts", {"run": name}),
            )
        telling = next((role for role in ("split", "repeat", "run") if role in has), None)
        if telling is not None and telling not in self.asked.columns and self.kind is None:
            values = tidy["value"]
            if len(values) >= _MANY and bool(np.isin(values, (0, 1)).all()):
                name = self.roles.get(telling, "")
                raise self.unclear(
                    f"all scores are 0 or 1, as of items that are right or wrong, and {name!r} names {NOUNS[telling]}s",
                    *((f"{name!r} names {NOUNS[role]}s", {role: name}) for role in ("item", telling)),
                )
        if has & {"split", "repeat"}:
            return "folds"
        if "run" in has:
            return "runs"
        if "dataset" in has:
            if len({*tidy["dataset"].tolist()}) < 2 and self.kind != "study":
                raise self.unclear("it has one score per model: one number says nothing of its variation")
            return "study"
        raise self.unclear("it has one score per model: one number says nothing of its variation")

    # ---- predictions ------------------------------------------------------------------------------------------

    def _predicting(self, truth: str) -> list[str]:
        """The columns that hold predictions of some true values."""
        classes = {str(x) for x in self.columns[truth].tolist()}
        return [
            name
            for name in (*self.found.get("number", []), *self.found.get("text", []))
            if {str(x) for x in self.columns[name].tolist()} <= classes
        ]

    def _predictions(self) -> Reading:
        """Predictions on one test set, a row per sample and model, or a column per model."""
        truth = self.roles.get("truth")
        if truth is None:
            raise self.unclear("it has no column of true values: give truth=")
        columns: dict[str, Names] = {}
        item = self.roles.get("item") or self.roles.get("id")
        self.roles |= {"item": item} if item is not None else {}
        for role in ("item", "model", "truth", "cluster", "weight"):
            if role in self.roles:
                columns[role] = self._plain(self.roles[role]) if role == "truth" else self.columns[self.roles[role]]
        if "model" in self.roles:
            self._tidy_predictions(columns)
            models: tuple[str, ...] = ()
        else:
            models = self._wide_predictions(truth, columns)
        known = {
            *self.roles.values(),
            *models,
            *(n for r in ("prediction", "probability", "decision_function") for n in self.found.get(r, [])),
        }
        columns |= {f"also {name}": x for name, x in self.columns.items() if name not in known}
        roles = {
            role: name for role, name in self.roles.items() if role in ("item", "model", "truth", "cluster", "weight")
        }
        return Reading(
            kind="predictions",
            columns=columns,
            roles=roles,
            models=models,
            left_out=self.left_out,
            notes=tuple(self.notes),
        )

    def _tidy_predictions(self, columns: dict[str, Names]) -> None:
        for role in ("prediction", "probability", "decision_function"):
            for name in self.found.get(role, []):
                by_class = name.lower().startswith("probability_")
                columns[name if by_class else role] = self._plain(name)
        if "value" in self.roles:
            columns["score"] = self._plain(self.roles["value"])
        if not {"prediction", "probability", "decision_function", "score"} & columns.keys() and not any(
            name.lower().startswith("probability_") for name in columns
        ):
            raise self.unclear("it has true values, and no column of predictions among " + some_names([*self.columns]))
        if "item" in self.words:
            columns["item"] = self._counted({"model": self._texts(self.roles["model"])})
        if "item" not in columns:
            model = self.roles["model"]
            others = [name for name in self.columns if name not in self.roles.values() and self._crosses(name, model)]
            raise self.unclear(
                "it has a row per sample and model, and nothing names the samples",
                *((f"samples are named by {name!r}", {"item": name}) for name in others),
                *([] if others else [("rows of a model stand in one order for all models", {"item": ROWS})]),
            )

    def _crosses(self, name: str, model: str) -> bool:
        """Whether every model has every value of a column once."""
        pairs = [*zip(*(map(str, self.columns[one].tolist()) for one in (model, name)), strict=True)]
        models, values = ({pair[i] for pair in pairs} for i in (0, 1))
        return len({*pairs}) == len(pairs) == len(models) * len(values)

    def _plain(self, name: str) -> Names:
        """A column as numbers, where all its cells are some; else as it came."""
        cells, values = self.numbers[name], self.columns[name]
        if values.dtype.kind != "O" or cells.bad is not None or cells.words:
            return values
        whole = not np.isnan(cells.values).any() and bool((cells.values % 1 == 0).all())
        return cells.values.astype(np.int64) if whole and np.abs(cells.values).max() < 2**53 else cells.values

    def _wide_predictions(self, truth: str, columns: dict[str, Names]) -> tuple[str, ...]:
        models = self.asked.models or tuple(
            name for name in self.columns if name in {*self.found.get("number", []), *self.found.get("text", [])}
        )
        classes = {str(x) for x in self.columns[truth].tolist()}
        if not self.asked.models:
            for name in models:
                texts = [x for x in self.columns[name].tolist() if isinstance(x, str)]
                strange = next((x for x in texts if x not in classes and self.numbers[name].share < 1), None)
                if strange is not None:
                    raise self.unclear(
                        f"column {name!r} holds no predictions of {truth!r}, such as {strange!r}; name those that do",
                        ("predictions are", {"models": self._predicting(truth)}),
                    )
        if len(models) < 2:
            raise self.unclear(
                f"it must have two or more columns of predictions beside {truth!r}; got {some_names(models) or 'none'}"
            )
        columns |= {f"of {name}": self._plain(name) for name in models}
        return models


def natural(name: str) -> tuple[int, float, str]:
    """Numbers in their order, before other names in theirs."""
    return (0, float(name), "") if re.fullmatch(r"-?\d+(\.\d+)?", name) else (1, 0.0, name)
