"""What is asked of a table, what each of its columns is for, and what the table was read as; its refusal."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import permutations, takewhile
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from skcompare._core.numbers import counted, listed, some_names
from skcompare._core.text import capital
from skcompare._core.validation import check_choice, did_you_mean, nearest
from skcompare.tables import columns as words
from skcompare.tables import source as given_as
from skcompare.tables.logs import role_of, roles_in_log
from skcompare.tables.source import FILES, FRAME, HEADERS, ROWS, Table, cells_of, worded

Names = NDArray[Any]
KEYS = ("model", "dataset", "item", "split", "repeat", "run", "metric")  # what names a score
NOUNS = {**dict(zip(KEYS, KEYS, strict=True)), "dataset": "data set"}
GIVEN = ("prediction", "score", "probability", "decision_function")  # what models give of samples
GROUPS = "column of --by"  # of which groups were asked, so that its values are no clusters
INDEPENDENT = "none"  # in place of a column of clusters
# What a kind of evidence is named by; where the kind is known these columns are.
TELLING = {"folds": ("split", "repeat"), "runs": ("run",), "outcomes": ("item",), "study": ("dataset",)}
_PLAIN = {"model": "model estimator", "split": "fold", "run": "run seed", "dataset": "dataset task", "value": "score"}
_SAID = tomllib.loads((Path(__file__).parent / "said.toml").read_text(encoding="utf-8"))
LEFT: dict[str, str] = _SAID["left_out"]


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

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Self:
        """What some options say of the columns; those of designs and directions are left to others."""
        fields = cls.__dataclass_fields__
        known: dict[str, Any] = {name: x for name, x in options.items() if name in fields and x is not None}
        for name, x in known.items():
            several = isinstance(fields[name].default, tuple)
            given = [*x] if several and isinstance(x, Iterable) else [x]
            texts = [str(one) if isinstance(one, str) else one for one in given]  # of numpy's texts too
            if not all(isinstance(one, str) for one in texts) or several == isinstance(x, str):
                raise ValueError(f"{name} must be {'a list of names' if several else 'a name'}; got {x!r:.80}")
            known[name] = tuple(texts) if several else texts[0]
        return cls(**known)

    @property
    def given(self) -> dict[str, Any]:
        """What was said, as options of `read`."""
        return {name: list(x) if isinstance(x, tuple) else x for name, x in vars(self).items() if x not in (None, ())}

    @property
    def columns(self) -> dict[str, str]:
        """By role the column that was named, or a word in its place."""
        return {role: x for role in (*KEYS, "value", "truth", "cluster") if (x := getattr(self, role)) is not None}


Call = dict[str, Any]  # options of `read` that say what a table does not
Ways = Iterable[Call]
Read = Callable[[Call], object]
_MOST_CALLS, _MOST_NAMED, _MOST_TRIES = 6, 3, 100
_MOST_CELLS = 2_000_000  # that are read in all to see which calls work
NEEDS: dict[str, str] = _SAID["needs"]  # of other kinds than are named what scores need


class UnclearError(ValueError):
    """A table that can be read in several ways, or in none; `calls` has each in words, and as options of `read`."""

    def __init__(
        self, says: str, origin: str, ways: Ways = (), told: Call | None = None, remedy: str = "", needs: str = ""
    ) -> None:
        known, ways, needs = told or {}, tuple(ways), needs or NEEDS["scores"]
        self.says, self.origin = says, origin
        self.calls = tuple((_in_words(way, known), {**known, **way}) for way in ways)
        self.remedy, self.needs = remedy, needs  # in place of calls, where another function asks, or none reads it
        super().__init__(says, origin, ways, told, remedy, needs)

    def tried(self, read: Read, table: Table, called: str, told: Call | None = None) -> UnclearError:
        """The refusal of a table with those calls alone that `read` reads, each with what was `told` before.

        Those that come first are tried, of a large table fewer.
        """
        tries = iter(range(min(_MOST_TRIES, max(_MOST_CALLS, _MOST_CELLS // (1 + len(table.columns) * table.n_rows)))))

        def again(call: Call) -> object:
            if next(tries, None) is None:
                raise ValueError("not tried")
            return read(call)

        ways, says = _that_work(self, again, told or {}), self.says if self.origin else f"{called}: {self.says}"
        advice = "" if ways or not self.calls or self.needs in says else f". {self.needs}"
        return UnclearError(says + advice, called, ways, told)

    def __str__(self) -> str:
        parts = self.origin.split(", ")
        paths = parts if all(Path(part).exists() for part in parts) else [self.origin]
        source = self.origin if self.origin in ("frame", "outcomes", "y_true") else ", ".join(map(repr, paths))
        written = [(what, ", ".join([source, *(f"{name}={x!r}" for name, x in of.items())])) for what, of in self.calls]
        told = self.remedy or "; or ".join(f"{what}: skc.read({options})" for what, options in written)
        return f"{self.says}. {capital(told)}" if told else self.says


def _in_words(call: Call, known: Call) -> str:
    """What a call says that was not known, as said.toml has it."""
    said = []
    for name, x in call.items():
        form = next(form for key in (f"{name}={x}", name, f"={x}", "") if (form := _SAID["calls"].get(key)))
        shown = some_names(x, _MOST_NAMED) if isinstance(x, list) else repr(x)
        said += [form.format(shown, NOUNS.get(name, name))] * (name not in known or known[name] != x)
    return ", ".join(said)


def _that_work(error: UnclearError, read: Read, told: Call, more: int = 2) -> list[Call]:
    """The calls of a refusal that read the table; where all of them ask the next question those with its answers."""
    found, asked, longer = list[Call](), list[tuple[Call, Call, UnclearError]](), list[Call]()
    # scores of one model are compared with none: nothing more is asked of them
    for options in (x for _, x in error.calls if "truth" in x or len(x) == 1 or len(x.get("models", "ab")) > 1):
        call = {**told, **options}
        try:
            read(call)
            found.append(call)
        except UnclearError as next_one:
            asked.append((options, call, next_one))
        except ValueError:
            continue
    for options, call, later in asked if more and not found else ():
        answers = _that_work(later, read, call, more - 1)
        # what names no model is seldom right where it asks what another column names
        sure = not {*options}.isdisjoint({"model", "models", "metrics", "item", "truth"})
        named = [{role for role in {*x} - {*call} if x[role] != HEADERS} & {*KEYS[:-1]} for x in answers]
        longer += [x for x, new in zip(answers, named, strict=True) if x not in longer and (sure or not new)]
    return sorted(found or longer, key=len)[:_MOST_CALLS]


@dataclass(frozen=True, eq=False, kw_only=True)
class Reading:
    """What a table is evidence of.

    Attributes
    ----------
    kind : str
        "folds", "outcomes", "predictions", "runs" or "study".
    columns : dict of str to ndarray
        One row per score: names as texts under "model", "dataset", "item", "split", "repeat", "run", "metric", and
        scores as floats under "value"; of predictions as they came.
    described : dict of str to ndarray
        What else stands in the rows, by the name of its column.
    predicted : dict of str to ndarray
        Of predictions with a column per model these columns.
    roles : dict of str to str
        By role the column that it was read from.
    left_out : dict of str to str
        Columns and rows that were not read, each with the reason.
    notes : tuple of str
        What else is to be said of the reading.
    asked : dict of str to object
        What the user said, as options of `read`.
    assumed : tuple of str
        What was taken to be the usual, as sentences of warnings.
    told : dict of str to object
        What columns say: "greater_is_better" (or by metric), "test_fraction", "n_samples", "paired".
    """

    kind: str
    columns: dict[str, Names]
    roles: dict[str, str]
    described: dict[str, Names] = field(default_factory=dict)
    predicted: dict[str, Names] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    asked: dict[str, Any] = field(default_factory=dict)
    assumed: tuple[str, ...] = ()
    told: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        """The reading as a sentence."""
        return " ".join([f"Read as: {self._what}.", *self._rest])

    @property
    def plain(self) -> bool:
        """Whether models, cases and scores stand in columns that are called as functions of one kind ask for them."""
        roles = ("model", *TELLING.get(self.kind, ())[:1], "value")
        return all(self.roles.get(role, " ").strip().lower() in _PLAIN[role].split() for role in roles)

    def names(self, role: str) -> list[str]:
        """The distinct names of a role, in the order of the table."""
        return [*dict.fromkeys(map(str, words.distinct_cells(self.columns[role])[0]))] if role in self.columns else []

    def check_numbering(self, origin: str) -> None:
        """UnclearError where a model numbers its cases from 0 and another one from 1, which would pair other cases."""
        for role in ("item", "split", "repeat"):
            own = dict[str, set[str]]()
            for model, name in coded(self.columns, ("model", role))[1] if role in self.columns else ():
                own.setdefault(model, set()).add(str(name))
            # what each lacks of 0 to n: the last one where it counts from 0, and 0 where from 1
            lacks = [(len(x), *({*map(str, range(len(x) + 1))} - x)) for x in own.values()]
            if any((n, str(n)) in lacks and (n, "0") in lacks for n, *_ in lacks):
                says = f"{NOUNS[role]}s are numbered from 0 with one model, from 1 with another one: number them alike"
                raise UnclearError(f"{origin}: {says}", origin)

    @cached_property
    def _what(self) -> str:
        models = [*self.predicted] or self.names("model")
        parts = any(isinstance(x, dict) for x in self.predicted.values())
        by = "one per column" if self.predicted and not parts else self._from("model")
        said, of_predictions = f"{counted(len(models), 'model')}{by and f' ({by})'}", self.kind == "predictions"
        unsaid = {"predictions": ("dataset", "run"), "folds": ("run",), "study": ("run",)}.get(self.kind, ())
        for role in ("dataset", "item", "repeat", "split", "run"):
            n = len(self.names(role))
            if not n or role in unsaid:
                continue
            what = counted(n, "sample" if role == "item" and of_predictions else NOUNS[role])
            what = f"{self._each('run')} of each" if role == "run" else what
            source = f" ({self._from(role)})" if self._from(role) else ""
            source += ", averaged" if role == "run" and self.kind == "outcomes" else ""
            said += f"{' on' if role in ('dataset', 'item') else ','} {what}{source}"
        metrics = self.names("metric")
        measured = f", {'metric' if len(metrics) == 1 else 'metrics'} {listed(metrics, 8)}" if metrics else ""
        truth = f", true values {self.roles['truth']!r}" if "truth" in self.roles else ""
        return f"{self.kind if self.kind != 'study' else 'scores'} of {said}{truth}{measured}"

    def _each(self, role: str) -> str:
        counts = np.bincount(coded(self.columns, ("model", "dataset", "item", "metric"))[0])
        low, high = int(counts.min()), int(counts.max())
        return counted(high, role) if low == high else f"{low} to {counted(high, role)}"

    def _from(self, role: str) -> str:
        name = self.roles.get(role, "")
        there = {HEADERS: "the columns", ROWS: "the rows"} | dict.fromkeys(given_as.OF_FILES, "the files")
        return there.get(name, name and f"column {name!r}")

    @property
    def _rest(self) -> list[str]:
        out_of = {why: [x for x, own in self.left_out.items() if own == why] for why in self.left_out.values()}
        out = [f"{some_names(names)} ({LEFT.get(reason, reason)})" for reason, names in out_of.items()]
        return [*([f"Left out: {'; '.join(out)}."] if out else []), *self.notes]


def ids(columns: Mapping[str, Names], roles: Sequence[str]) -> NDArray[np.intp]:
    """A number of each row, the same where all its names are."""
    at, n = np.zeros(len(next(iter(columns.values()))), dtype=np.intp), 1
    for names, which in [words.distinct_cells(columns[role]) for role in roles if role in columns]:
        if n > len(at):  # so that no number overflows
            at, n = np.unique(at, return_inverse=True)[1], len(at)
        at, n = at * len(names) + which, n * len(names)
    return at


def places(columns: Mapping[str, Names], roles: Sequence[str]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Of each row the position of its names among all in the order of the table, and of these the first rows."""
    first, at = np.unique(ids(columns, roles), return_index=True, return_inverse=True)[1:]
    return np.argsort(np.argsort(first))[at], np.sort(first)


def coded(columns: Mapping[str, Names], roles: Sequence[str]) -> tuple[NDArray[np.intp], list[tuple[Any, ...]]]:
    """Of each row the position of its names among all, and these in the order of the table."""
    at, first = places(columns, roles)
    names = [columns[role][first].tolist() for role in roles if role in columns]
    return at, [*zip(*names, strict=True)] if names else [()] * len(first)


# ---- what every column is for: as it was told, by its name, and by its values ----------------------------------------


class Named:
    """One table while it is read: roles of columns, their numbers, and what was left out."""

    header: str | None = None  # the role of the names of columns, where that was said

    def __init__(self, table: Table, asked: Asked, kind: str | None) -> None:
        if kind is not None:
            check_choice(kind, "kind", ("predictions", *TELLING))
        self.table, self.asked, self.kind = table, asked, kind or table.kind
        self.is_told = kind is not None and table.kind is None  # a function that takes this kind was called
        self.sure = {*asked.columns, *TELLING.get(self.kind or "", ())}  # roles that are there, whatever the values say
        self.left_out: dict[str, str] = {}
        self.roles: dict[str, str] = {}
        self._distinct: dict[tuple[str, ...], int] = {}
        self.found: dict[str, list[str]] = {}  # by role the columns that may have it
        self.assumed: list[str] = []
        self.notes, self.columns = [*table.notes], dict(table.columns)
        if table.lines:
            self.notes.append(f"Lines beside the table were left out: {some_names(table.lines, 2)}.")
        self._join_spellings()
        self._repeat_names()
        self._join_names()
        self._name_repeats()
        self._only_test_rows()
        self.decimal = self._decimal()
        self.numbers = self._numbers()
        self.log = {} if self.kind or asked.truth else roles_in_log(self.columns, self.numbers)
        self._give_roles()

    def distinct(self, *names: str) -> int:
        """The number of distinct rows of some columns."""
        if names not in self._distinct:
            columns = [[*map(str, self.columns[name].tolist())] for name in names]
            self._distinct[names] = len({*zip(*columns, strict=True)} if names[1:] else {*columns[0]})
        return self._distinct[names]

    def repeats(self, name: str) -> bool:
        return self.distinct(name) < self.table.n_rows

    def determines(self, one: str, other: str) -> bool:
        """Whether every value of one column stands beside a single value of the other one."""
        return self.distinct(one, other) == self.distinct(one)

    def candidates(self, *roles: str) -> list[str]:
        """The columns that may have some of the roles, in their order."""
        return [name for role in roles for name in self.found.get(role, [])]

    def leave_out(self, names: Iterable[str], why: str) -> None:
        self.left_out |= dict.fromkeys(names, why)

    def unclear(self, says: str, *calls: Call) -> UnclearError:
        """A refusal, with calls that may read the table, and what was asked before."""
        origin, name = self.table.origin, self.roles.get("model", "")
        # predictions of one model are a result
        if name in self.columns and self.distinct(name) == 1 and self.needs == NEEDS["scores"] and not self.asked.model:
            says, calls = f"{says}. It has one model, {str(self.columns[name][0])!r}: give the rows of all", ()
        return UnclearError(f"{origin}: {says}", origin, calls, self.asked.given, needs=self.needs)

    @property
    def needs(self) -> str:
        """What a table of this kind must have."""
        predicted = "truth" in self.roles or self.candidates(*GIVEN)
        return NEEDS.get(self.kind or ("predictions" if predicted else ""), NEEDS["scores"])

    def row(self, i: int, name: str) -> str:
        """A cell by its row, called by its name, else by its number, and its column."""
        names = [self.roles[one] for one in ("dataset", "item", "model", "split", "run") if one in self.roles]
        named = next((one for one in names if one in self.columns and one != name and not self.repeats(one)), None)
        return f"row {self.table.place(i) if named is None else repr(str(self.columns[named][i]))}, column {name!r}"

    def _name_by_files(self) -> None:
        """What names of files are of; asked about where they have several parts, or say that they are no models."""
        known = {*(role_of(x, cells, {}) for x, cells in self.columns.items()), *self.roles}
        own = {"metric", "dataset"} if self.table.origin == FRAME else set[str]()  # a mapping has a frame per model
        told, rest, names = given_as.told_by_files(self.columns)
        if "model" in known or words.are_learners(x for x, own in self.numbers.items() if own.share == 1):
            self.roles |= {x: y for x, y in told.items() if x not in known and (y == FILES or not rest)}
            if "model" not in known and not told:
                raise self.unclear(worded("files of cases"), *self.naming(FILES, ("dataset", "run", "split")))
        elif len(rest) == len(told) == 1 and known.isdisjoint(told):
            self.roles |= {"model": rest[0], **told}
        elif (shared := given_as.words_of_parts(names)) or told.keys() - own:
            ways = [{"model": x, "dataset": y} for x, y in permutations(rest * ("dataset" not in known), 2)]
            raise self.unclear(worded("parts of files", some_names(shared or names, 3)), *ways or [{"model": FILES}])
        else:
            self.roles["model"] = FILES

    def _join_spellings(self) -> None:
        """One column in place of two of one name in two spellings, as Fold and fold, where no row has both."""
        own, asked = dict[str, str](), {*self.asked.columns.values(), *self.asked.models, *self.asked.metrics}
        for name in [*self.columns]:
            first = own.setdefault(words.spelling(name), name)
            if first == name or {first, name} <= asked:
                continue
            both = [self.columns[one].astype(object) for one in (first, name)]
            there = np.array([[not words.is_missing(cell) for cell in cells.tolist()] for cells in both])
            if there.all(axis=0).any() or not there.any(axis=1).all():
                continue
            kept = own[words.spelling(name)] = name if name in asked else first
            self.columns[kept] = cells_of(np.where(there[0], *both).tolist())
            del self.columns[first if kept == name else name]
            self.notes.append(f"{first!r} and {name!r} were taken for one column.")

    def _repeat_names(self) -> None:
        """In the first columns a name that stands once above blanks, as in merged cells, in each of its rows."""
        for name, cells in self.columns.items():
            if cells.dtype.kind != "O" or len(cells) < 2 or not words.is_missing(cells[1]):
                return
            starts = np.flatnonzero([not words.is_missing(cell) for cell in cells.tolist()])
            if len(starts) < 2 or starts[0] or (np.diff([*starts, len(cells)]) < 2).any():
                return
            self.columns = {**self.columns, name: np.repeat(cells[starts], np.diff([*starts, len(cells)]))}
            self.notes.append(f"Blank cells of {name!r} have the name above them.")

    def _join_names(self) -> None:
        """A column in place of several that name something together, as they are asked for: 'method + kernel'."""
        asked, own = [*self.asked.columns.values()], dict(self.columns)
        for together in asked:
            names = together.split(" + ")
            if together in own or len(names) < 2 or not {*names} <= own.keys():
                continue
            parts = [words.as_part(name, own[name]) for name in dict.fromkeys(names)]
            cells = [", ".join(filter(None, row)) for row in zip(*parts, strict=True)]
            rest = {name: x for name, x in self.columns.items() if name in asked or name not in names}
            self.columns = {**rest, together: cells_of(cells)}

    def _name_repeats(self) -> None:
        """Columns of runs, folds and repeats, where cells name these too: svm_seed1, or Fold01.Rep1 of caret."""
        known, asked = {*map(words.plain, self.columns)}, {*self.asked.columns.values()}
        asked -= {self.asked.split, self.asked.model, self.asked.dataset}
        for name, cells in self.columns.items():
            texts = [str(cell).strip() for cell in cells.tolist()]
            found = [match.groups() for match in takewhile(bool, map(words.FORMS["caret"].fullmatch, texts)) if match]
            of_runs = given_as.runs_in_files(self.columns) if name == FILES != self.asked.model else []
            of_runs = words.runs_of(texts) if words.role_of_name(name) in ("model", "dataset") else of_runs
            other = of_runs[0][1] if of_runs else "repeat"
            if name in asked or (other in known and name != FILES):
                continue
            if found := of_runs or found * (len(found) == len(cells)):
                self.columns |= {one: cells_of([x[i] for x in found]) for one, i in ((name, 0), (other, -1))}
                self.roles = self.roles if of_runs else {"split": name, "repeat": "repeat"}
                named = "Files" if name == FILES else f"Cells of {name!r}"
                self.notes.append(f"{named} name {'its' if of_runs else 'folds and'} {other}s.")
                for part in given_as.OF_FILES[1:] if name == FILES else ():
                    self.columns.pop(part, None)
                return

    def _only_test_rows(self) -> None:
        """Of rows on training, validation and test sets those on test sets, where a column says so."""
        asked = (*self.asked.columns.values(), *self.asked.models, *self.asked.metrics)
        for name, values in self.columns.items():
            texts = [x.strip().lower() for x in map(str, values.tolist() if values.dtype.kind in "OU" else [])]
            own = [match["part"] for match in takewhile(bool, map(words.FORMS["of_part"].fullmatch, texts)) if match]
            bare = own == texts or any(x in own and not x.startswith("te") for x in texts)  # beside test-a and test-b
            held_out = [x for x in own if not x.startswith("train")] or own
            test = [x for x in held_out if x in ("test", "testing", "holdout")] * bare or held_out
            rows, named = np.isin(own, test), words.role_of_name(name) in ("truth", "label", "prediction")
            if named or not own or len(own) < len(values) or (name in asked if own == texts else rows.all()):
                continue
            self.columns = {one: x[rows] for one, x in self.columns.items() if one != name or own != texts}
            if own == texts:
                self.left_out[name] = "one value in all rows" if rows.all() else f"rows other than {test[0]}"
            else:
                self.notes.append(f"Left out of {name!r}: {some_names([*dict.fromkeys(values[~rows].tolist())])}.")
            self.table = replace(self.table, columns=self.columns)
            return

    def _decimal(self) -> str:
        if self.asked.decimal is not None:
            check_choice(self.asked.decimal, "decimal", (".", ","))
            return self.asked.decimal
        values = [x for name, x in self.columns.items() if words.role_of_name(name) not in ("model", "dataset", "item")]
        found = words.decimal_of(values)
        if found is None:
            cell = next(x for column in values for x in column.tolist() if isinstance(x, str) and "," in x)
            says = f"the comma in {cell!r} may be a decimal mark, or stand between thousands"
            raise self.unclear(says, {"decimal": ","}, {"decimal": "."})
        if found == ",":
            self.notes.append("Commas are decimal marks.")
        return found

    def _numbers(self) -> dict[str, words.Numbers]:
        """The numbers of the columns, without rows that sum up others where the cells of these have another form."""
        found = {name: words.numbers_of(cells, self.decimal) for name, cells in self.columns.items()}
        names = [str(x) for x in next(iter(self.columns.values()), np.empty(0)).tolist()]
        wrong = [names[x.bad] for x in found.values() if x.share > 0.5 and x.bad is not None]
        if self.is_told or not any(map(words.is_summary, wrong)) or all(map(words.is_summary, names)):
            return found
        sums = np.array([*map(words.is_summary, names)], dtype=bool)
        self.columns = {name: cells[~sums] for name, cells in self.columns.items()}
        self.table = replace(self.table, columns=self.columns)
        out = [name for name, is_sum in zip(names, sums, strict=True) if is_sum]
        self.notes.append(f"Left out as sums of other rows: {some_names(out)}.")
        return {name: words.numbers_of(cells, self.decimal) for name, cells in self.columns.items()}

    def _give_roles(self) -> None:
        """The role of every column: as it was told, by its name, and by its values."""
        asked, known = self.asked, f"of {self.table.origin}: {some_names([*self.columns], 20)}"
        for role, name in asked.columns.items():
            of_scores = role == "metric" and name in self.numbers and self.numbers[name].share > 0.5
            if name in self.columns and not of_scores:
                self.roles[role] = name
            elif name == HEADERS and role in KEYS:
                self.header = role
            elif name == ROWS and role in KEYS[1:]:
                self.roles[role] = ROWS
            elif role != "metric" and not (role == "cluster" and name == "none"):
                near = did_you_mean(nearest(name, [*self.columns]))
                raise ValueError(f"{near}{role} must name a column {known}; got {name!r}")
            if role in ("item", "truth") and name in (asked.model, *asked.models):
                raise ValueError(f"models must name other columns than {role} does; both name {name!r}")
        if asked.models and asked.model in self.columns:
            raise ValueError("models must be None where model names a column of their names; got both")
        if len({*asked.models}) < len(asked.models):
            raise ValueError(f"models must name every column once; got {some_names(asked.models)}")
        if lacking := [one for one in asked.models if one not in self.columns]:
            raise ValueError(f"models must name columns {known}; got {lacking[0]!r}")
        if FILES in {*self.columns} - {*self.roles.values()}:
            self._name_by_files()
        unread = {*given_as.OF_FILES} - {*self.roles.values()}
        self.columns = {name: x for name, x in self.columns.items() if name not in unread}
        scores = {*asked.models, *asked.metrics} - {*self.roles.values()}
        for name in self.columns:
            if name not in self.roles.values():
                self.found.setdefault("number" if name in scores else self._role(name), []).append(name)
        for role in (*KEYS, "value", "outcome", "truth", "cluster", "weight", "id"):
            self._one(role)
        dicts = {"fit_time", "score_time"} <= self.columns.keys() and not {*KEYS[1:-1]} & self.roles.keys()
        if dicts and (models := self.roles.get("model", "")) in self.columns and self.repeats(models):
            self.roles["split"] = ROWS
        for role in words.ASIDE:
            self.leave_out(self.candidates(role), role)
        self.leave_out(self.log and self.candidates("described"), "description")
        if self.candidates("text") or "id" in self.roles:
            self.leave_out(self.candidates("note"), "description")
        else:
            self.found["text"] = self.found.pop("note", [])  # all that may name anything

    @cached_property
    def _beside(self) -> words.Beside:
        return words.Beside(one for one in self.columns if words.role_of_name(one) != "metric")  # beside metric_error

    @cached_property
    def _predictions_of(self) -> dict[str, str]:
        """By the name of a prediction the column that it is of: age of age_pred."""
        own = [one for one in self.columns if not words.is_measure(one)]  # and few: counts stand beside their metrics
        of = {words.FORMS["true"].sub("", words.plain(one)): one for one in own}
        parts = {name: words.plain(name).split("_") for name in self.columns if words.is_predicted(name)}
        named = {name: "_".join(x for x in own if not words.is_predicted(x)) for name, own in parts.items()}
        return {name: of[what] for name, what in named.items() if what in of and len(self.columns) < len(own) + 3}

    def _role(self, name: str) -> str:
        """By its name, and by its values where these can be nothing else."""
        values, role, cells = self.columns[name], role_of(name, self.columns[name], self.log), self.numbers[name]
        short = role in words.ASIDE and sum(len(one) <= len(name) < 3 for one in self.columns) > 1 + len(name)
        short |= role == "time" and words.like_learners([name]) > 0 < words.like_learners({*self.columns} - {name})
        if short or (role == "repeat" and cells.words):
            role = None  # P among A and C is no p-value, TPOT no time, and whether forests bootstrap no repeat
        if role is None and cells.share == 1 and words.role_of_name(f"{name}_id") == "item" and not self.broken(name):
            once = not self.repeats(name) or "model" in map(words.role_of_name, self.columns)  # with each model
            role = "item" if cells.values.max() > 1 and once else None  # query, as query_id
        if role == "dataset" and all(map(words.FORMS["date"].match, map(str, values.tolist()))):
            return "text"  # Data is a date in some languages
        if role == "run" and words.plain(name) in ("iter", "iteration") and self.kind != "runs":
            role = self._of_resampling() or role
        said = [*map(str, values[~cells.missing].tolist())]
        if role is None and cells.percent.any() and all(map(words.FORMS["signed"].match, said)):
            return "comparison"  # +5% and -3% are changes
        if cells.missing.all() and not (self.kind == "study" and values.dtype.kind == "f"):  # a model without any score
            self.left_out[name] = "empty"
            return "empty"
        numeric, whole = cells.share >= 0.5 and not cells.words, cells.bad is None and not self.broken(name)
        largest = np.fmax.reduce(cells.values, initial=0) if numeric else 0
        of_parts = largest > 100 and whole and words.is_listed(name, "parts")  # sizes, as the UCR archive has them
        if role is None and (of_parts or (largest > (1 if whole else 100) and words.may_count(name, whole=whole))):
            return "size"
        broken = numeric and not whole and cells.bad is None
        called = broken and role in (*KEYS, "cluster", "id") and not self.table.kind
        if (numeric and words.is_listed(name, "cutoffs")) or called or (broken and words.is_listed(name, "counts")):
            return "number"  # how many items are recommended; a model may be called like a role, but for logs
        if role == "label" and numeric and (not whole or self.kind not in (None, "predictions")):
            kinds = [*map(words.role_of_name, self.columns)]
            alone = self.kind is None and ("model" not in kinds or not {*kinds}.isdisjoint(GIVEN))
            sure = alone and words.is_listed(name, "sure_truth") and "x" not in self.columns
            return "label" if sure or (self.kind is None and kinds.count("label") > 1) else "number"
        if role in ("split", "repeat", "run", "id", "item", None) and not numeric and self.kind is None:
            texts = [*dict.fromkeys(map(str, values.tolist()))]
            ways = role == "split" and all(map(words.is_way_to_split, texts))
            role = words.numbered(texts) or ("text" if ways else role)  # Fold01 in a column Resample
        named = role in ("id", "value", "outcome", None) and not numeric and words.are_metrics(values.tolist())
        if named and (words.is_listed(name, "of_metrics") or not any(map(words.is_measure, {*self.columns} - {name}))):
            return "metric"
        if role == "id" and not (numeric and whole):
            return "number" if numeric else "id" if words.is_listed(name, "ids") and self.repeats(name) else "text"
        text = "note" if words.is_listed(name, "notes") or all(map(words.FORMS["digest"].fullmatch, said)) else "text"
        if role in (*words.ASIDE, "value", "outcome") and not numeric and (role in words.ASIDE or not cells.words):
            return text
        role = self._beside.role(name) if role is None and (numeric or cells.words) else role
        if role is None and name in (*self._predictions_of, *self._predictions_of.values()):
            return "prediction" if name in self._predictions_of else "label"
        lists = not cells.share and all(map(words.FORMS["list"].fullmatch, map(str, values.tolist())))
        if role is not None or name == GROUPS or lists:
            return role or "described"
        if numeric and words.is_listed(name, "unnamed") and {"fit_time", "score_time"} <= self.columns.keys():
            return "split" if self.repeats(name) else "id"  # of dicts of cross_validate
        person = numeric and whole and self.repeats(name) and words.FORMS["person"].fullmatch(words.plain(name))
        if (cells.words or numeric) and not person:
            return "id" if numeric and whole and words.of_sources(name) and not self.repeats(name) else "number"
        self._check_joint(name)
        if not self.asked.models and all(map(words.FORMS["almost"].match, said)):
            why = "is not read as one number; write one number in the cell, or leave the column out"
            raise self.no_number(name, why)
        return text

    def _check_joint(self, name: str) -> None:
        """UnclearError where a column names data sets and splits in one."""
        parts = {words.role_of_name(part) for part in words.plain(name).split("_")}
        both, known = {"dataset", "split"}, {*map(words.role_of_name, self.columns)}
        if "dataset" in parts and not parts.isdisjoint({"split", "repeat", "run"}) and not both <= known:
            raise self.unclear(worded("joint cells", name), *[{"split": name}] * ("dataset" in known))

    def _of_resampling(self) -> str | None:
        """What iterations number in an export of mlr: splits, or what else was drawn, whose test sets may overlap."""
        named = {words.plain(name): [*map(str, cells.tolist())] for name, cells in self.columns.items()}
        drawn = [cell for name, cells in named.items() if name.startswith("resampling") for cell in cells]
        if drawn or {"task_id", "learner_id"} <= named.keys() or any(map(words.FORMS["of_mlr"].match, named)):
            return "split" if all(cell.lower().startswith(("cv", "loo")) for cell in drawn) else "repeat"
        return None

    def no_number(self, name: str, why: str) -> UnclearError:
        """A refusal that quotes the first cell that is no number."""
        at = self.numbers[name].bad or 0
        cell = str(self.columns[name][at])
        if words.FORMS["wins"].fullmatch(cell):
            why = "counts wins, ties and losses, which are no scores: give the scores"
        return self.unclear(f"{self.row(at, name)}: {cell!r:.60} {why}")

    def _one(self, role: str) -> None:
        """One column for a role: of several those that say the same, or nothing, are left out."""
        names, asked = self.candidates(role), {"outcome": "value"}.get(role, role)
        if role in self.roles or role == self.header or (asked != role and asked in self.asked.columns):
            self.leave_out(names if role in KEYS and role in self.roles else (), "description")
            return
        if role == "cluster" and self.asked.cluster == "none":
            return
        if len({name.strip().lower() for name in names}) < len(names):
            raise self.unclear(f"{some_names(names)} differ in case alone: leave all but one out")
        varied = [name for name in names if self.distinct(name) > 1]
        if (role in ("run", "repeat", "split", "id") and role not in self.sure) or (len(names) > 1 and varied):
            self.leave_out((name for name in names if name not in varied), "constant")
            names = varied
        own = [name for name in names if role != "model" or not words.is_listed(name, "stand_ins")] or names
        if role in ("run", "id") or (role in ("dataset", "item") and self.roles.get("model") in self.columns):  # tidy
            own = [name for name in own if self.repeats(name)] or own
        self.leave_out((name for name in names if name not in own), "description")
        usual = (role, f"{role}_name", f"{role}_id")
        own.sort(key=lambda name: (words.plain(name) not in usual, self.numbers[name].bad is None))
        kept: list[str] = []
        for name in own:
            if not any(self.determines(one, name) for one in kept):
                kept = [one for one in kept if not self.determines(name, one)] + [name]
        self.leave_out((name for name in own if name not in kept), "description")
        if len(kept) > 1:
            calls = [{asked: name} for name in kept if asked in (*KEYS, "value", "truth", "cluster")]
            if role in ("model", "dataset"):  # two of items may be their clusters
                calls.append({role: " + ".join(one for one in self.columns if one in kept)})
            raise self.unclear(f"{some_names(kept)} could both name the {NOUNS.get(role, role)}", *calls)
        if kept:
            self.roles[role] = kept[0]

    def unique_texts(self) -> list[str]:
        return [name for name in self.candidates("text") if not self.repeats(name)]

    def all_words(self, numbers: Sequence[str]) -> bool:
        """Whether all numbers are 0 and 1, right and wrong, but for those of sums."""
        own = [name for name in numbers if not words.is_summary(name)] or numbers
        return all(bool(np.isin(self.numbers[name].values, (0, 1)).all()) for name in own)

    def broken(self, name: str) -> bool:
        """Whether a column holds measured numbers, which name nothing."""
        values = self.numbers[name].values
        return self.numbers[name].beside is not None or bool((values[np.isfinite(values)] % 1 != 0).any())

    def counts(self, name: str, *, evenly: bool = False) -> bool:
        """Whether a column has the numbers from 0 or 1, in any order; or others that rise by the same step."""
        values = self.numbers[name].values
        steps, n = np.diff(values), len(values)
        even = evenly and n > 3 and steps[0] > 0 and np.allclose(steps, steps[0], rtol=1e-6, atol=0)
        counted = n > 2 and any(np.array_equal(np.sort(values), np.arange(n) + first) for first in (0, 1))
        return bool(even or counted) and not words.is_measure(name)

    def as_numbers(self, name: str) -> Names:
        """A column as numbers, where all its cells are some; else as it came."""
        cells, values = self.numbers[name], self.columns[name]
        if values.dtype.kind != "O" or cells.bad is not None or cells.words:
            return values
        whole = not np.isnan(cells.values).any() and bool((cells.values % 1 == 0).all())
        return cells.values.astype(np.int64) if whole and np.abs(cells.values).max() < 2**53 else cells.values

    def texts(self, name: str) -> Names:
        """Names as texts on one line."""
        values = self.columns[name].tolist()
        for i in np.flatnonzero(self.numbers[name].missing).tolist():
            if str(values[i]).strip().lower() != "none" or values[i] is None:  # as a level of what varies
                place = self.table.place(i)
                raise self.unclear(f"row {place} has no name in column {name!r}: name it, or leave the row out")
        whole = all(isinstance(x, float) and x.is_integer() for x in values)
        texts, which = words.distinct_cells(np.array([str(int(x) if whole else x) for x in values], dtype=object))
        named: Names = np.array(texts if self.is_told else [" ".join(x.split()) for x in texts], dtype=object)
        return np.take(named, which)

    def naming(self, name: str, roles: Iterable[str], **more: Any) -> list[Call]:
        """Calls that say what a column names, or a word that stands for one."""
        return [{role: name, **more} for role in roles]
