"""What every column of a table is for: as it was told, by its name, and by its values."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from skcompare._core.printable import some_names
from skcompare._core.validation import check_choice
from skcompare.tables.cells import Numbers, decimal_of, is_missing, numbers_of
from skcompare.tables.columns import (
    beside,
    is_measure,
    is_part,
    is_summary,
    plain,
    role_of_name,
)
from skcompare.tables.reading import GROUPS, KEYS, KINDS, NOUNS, TELLING, Asked, Names, Reading, UnclearError
from skcompare.tables.source import FILES, HEADERS, ROWS, Table

ASIDE = ("time", "size", "deviation", "rank", "training score", "comparison")  # numbers that are no scores
# Cells that begin with a number, as 0.91 (2) or 89.3/85.4 do: no names.
_ALMOST = re.compile(r"\s*[-+]?\d*[.,]\d+\s*[^\d\s.,:eE]")


class Named(ABC):
    """One table while it is read: roles of columns, their numbers, and what was left out."""

    @abstractmethod
    def read(self) -> Reading:
        """What the table is evidence of."""

    def __init__(self, table: Table, asked: Asked, kind: str | None, *, trying: bool = False) -> None:
        if kind is not None:
            check_choice(kind, "kind", KINDS)
        self.table, self.asked, self.kind, self.trying = table, asked, kind, trying
        self.is_told = kind is not None and table.kind is None  # a function that takes this kind was called
        self.sure = {*asked.columns, *TELLING.get(kind or "", ())}  # roles that are there, whatever the values say
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

    def unclear(self, says: str, *calls: tuple[str, Mapping[str, Any]]) -> UnclearError:
        """A refusal, with those calls that read the table, and what was asked before."""
        given = [(what, {**self.asked.given, **options}) for what, options in calls]
        work = [call for call in given if self._works(call)]
        if given and not work and not self.trying:
            says = f"{says}. A table needs a column per model, or columns dataset, model and score"
        return UnclearError(f"{self.table.origin}: {says}", self.table.origin, work)

    def _works(self, call: tuple[str, Mapping[str, Any]]) -> bool:
        if self.trying:
            return False
        try:
            listed: dict[str, Any] = {
                k: tuple(x) if isinstance(x, list) else x for k, x in call[1].items() if k != "missing"
            }
            type(self)(self.table, Asked(**listed), self.table.kind, trying=True).read()
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
        for role in ASIDE:
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
        if all(missing) and not (self.kind == "study" and values.dtype.kind == "f"):  # a model without any score
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
        if role in ASIDE and not numeric:
            return "text"
        if role is not None or name == GROUPS:
            return role or "described"
        if cells.words or numeric:
            return "number"
        if not self.asked.models and all(
            _ALMOST.match(str(x)) for x, no in zip(values.tolist(), missing, strict=True) if not no
        ):
            at = cells.bad or 0
            raise self.unclear(
                f"{self._row(at)}, column {name!r}: {str(values[at])!r} is not read as one number; write one number in "
                "the cell, or leave the column out"
            )
        return "text"

    def _one(self, role: str) -> None:
        """One column for a role: of several those that say the same, or nothing, are left out."""
        names = self.found.get(role, [])
        if role in self.roles:
            self.left_out |= dict.fromkeys(names, "description") if role in KEYS else {}
            return
        if role in self.words or (role == "cluster" and self.asked.cluster == "none"):
            return
        alike = {name.strip().lower() for name in names}
        if len(alike) < len(names):
            raise self.unclear(f"{some_names(names)} differ in case alone: leave all but one out")
        varied = [name for name in names if len({*map(str, self.columns[name].tolist())}) > 1]
        if (role in ("run", "repeat", "split", "id") and role not in self.sure) or (len(names) > 1 and varied):
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

    @property
    def table_rows(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def _repeats(self, role: str) -> bool:
        values = self.columns[self.roles[role]].tolist()
        return len({*map(str, values)}) < len(values)

    def _repeated(self, name: str) -> bool:
        values = self.columns[name].tolist()
        return len({*map(str, values)}) < len(values)

    def _unique_texts(self) -> list[str]:
        return [
            name
            for name in self.found.get("text", [])
            if len({*map(str, self.columns[name].tolist())}) == self.table_rows
        ]

    def _all_words(self, numbers: Sequence[str]) -> bool:
        """Whether all numbers are 0 and 1, right and wrong, but for those of sums."""
        own = [name for name in numbers if not is_summary(name)] or numbers
        return all(bool(np.isin(self.numbers[name].values, (0, 1)).all()) for name in own)

    def _row_values(self, name: str) -> bool:
        """Whether a column holds measured numbers, which name nothing."""
        values = self.numbers[name].values
        return bool((values[np.isfinite(values)] % 1 != 0).any())

    def _counts(self, name: str) -> bool:
        values = self.numbers[name].values
        if len(values) < 3 or not np.isfinite(values).all() or not (values % 1 == 0).all() or is_measure(name):
            return False
        ordered = np.sort(values)
        return bool((np.diff(ordered) == 1).all()) and ordered[0] in (0, 1)

    def _plain(self, name: str) -> Names:
        """A column as numbers, where all its cells are some; else as it came."""
        cells, values = self.numbers[name], self.columns[name]
        if values.dtype.kind != "O" or cells.bad is not None or cells.words:
            return values
        whole = not np.isnan(cells.values).any() and bool((cells.values % 1 == 0).all())
        return cells.values.astype(np.int64) if whole and np.abs(cells.values).max() < 2**53 else cells.values

    def _others(self, names: Iterable[str]) -> None:
        self.left_out |= dict.fromkeys(names, "unknown")

    def _needs_model(self, values: Sequence[str]) -> None:
        if "model" not in self.roles:
            raise self.unclear(
                f"no column names the models of {some_names(values)}: give model=",
                *((f"{name!r} names the models", {"model": name}) for name in self.found.get("text", [])),
            )
