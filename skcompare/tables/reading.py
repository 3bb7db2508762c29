"""What is asked of a table, and what it was read as: records and refusals."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from skcompare._core.numbers import counted, listed
from skcompare._core.printable import some_names
from skcompare.tables.columns import WORDS
from skcompare.tables.source import FILES, HEADERS, ROWS

Names = NDArray[Any]
KEYS = ("model", "dataset", "item", "split", "repeat", "run", "metric")  # what names a score
NOUNS = {**dict(zip(KEYS, KEYS, strict=True)), "dataset": "data set"}
GIVEN = ("prediction", "score", "probability", "decision_function")  # what models give of samples
GROUPS = "column of --by"  # of which groups were asked, so that its values are no clusters
INDEPENDENT = "none"  # in place of a column of clusters
KINDS = ("folds", "outcomes", "predictions", "runs", "study")
# What a kind of evidence is named by; where the kind is known these columns are.
TELLING = {"folds": ("split", "repeat"), "runs": ("run",), "outcomes": ("item",), "study": ("dataset",)}
_PLAIN = {"model": "model estimator", "split": "fold", "run": "run seed", "dataset": "dataset task", "value": "score"}
LEFT: dict[str, str] = WORDS["left_out"]


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
            named = all(isinstance(one, str) for one in texts) and several != isinstance(x, str)
            if name in Asked.__dataclass_fields__ and not named:
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
        roles = (*KEYS, "value", "truth", "cluster")
        return {role: name for role in roles if (name := getattr(self, role)) is not None}


Call = tuple[str, dict[str, Any]]  # what a call of `read` would say of the table, and its options
Told = tuple[str, Mapping[str, Any]]  # the same, before it is written
_MOST_CALLS = 6
NEEDS = "A table needs a column per model, or columns dataset, model and score"


class UnclearError(ValueError):
    """A table that can be read in several ways, or in none; `calls` has for each the options of `read`."""

    def __init__(self, says: str, origin: str, calls: Iterable[Told] = (), remedy: str = "") -> None:
        self.says, self.origin, self.calls = says, origin, tuple((what, dict(options)) for what, options in calls)
        self.remedy = remedy  # in place of calls, where another function asks
        super().__init__(says, origin, self.calls, remedy)

    def tried(
        self, read: Callable[[dict[str, Any]], object], origin: str, told: Mapping[str, Any] | None = None
    ) -> UnclearError:
        """The refusal of a table with those calls alone that `read` reads, each with what was `told` before."""
        calls, says = _that_work(self, read, told or {}), self.says if self.origin else f"{origin}: {self.says}"
        advice = "" if calls or not self.calls or NEEDS in says else f". {NEEDS}"
        return UnclearError(says + advice, origin, calls)

    def __str__(self) -> str:
        if self.remedy:
            return f"{self.says}. {self.remedy}"
        parts = self.origin.split(", ")
        paths = parts if all(Path(part).exists() for part in parts) else [self.origin]
        source = self.origin if self.origin in ("frame", "outcomes", "y_true") else ", ".join(map(repr, paths))
        written = [(what, ", ".join([source, *(f"{name}={x!r}" for name, x in of.items())])) for what, of in self.calls]
        told = "; or ".join(f"{what}: skc.read({options})" for what, options in written)
        return f"{self.says}. {told}" if told else self.says


def _that_work(
    error: UnclearError, read: Callable[[dict[str, Any]], object], told: Mapping[str, Any], more: int = 1
) -> list[Call]:
    """The calls of a refusal that read the table; where all of them ask the next question those with its answers."""
    found, longer = list[Call](), list[Call]()
    for what, options in error.calls:
        call = {**told, **options}
        try:
            read(call)
        except UnclearError as next_one:
            for also, answer in _that_work(next_one, read, call, more - 1) if more else ():
                # what names no model is seldom right where it asks what another column names
                named = ({*answer} - {*call}) & {*KEYS} and {*options}.isdisjoint({"model", "models", "item"})
                if not named and answer not in [known for _, known in longer]:
                    both = f"{what}, and {also[:1].lower()}{also[1:]}"
                    longer.append((both if options.items() <= answer.items() else also, answer))
        except ValueError:
            continue
        else:
            found.append((what, call))
    return (found or longer)[:_MOST_CALLS]


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
        What columns called by arguments say: "greater_is_better" (by metric, where these are named), "test_fraction",
        "n_samples" and "paired".
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
        return list(dict.fromkeys(map(str, self.columns[role].tolist()))) if role in self.columns else []

    @cached_property
    def _what(self) -> str:
        models = [*self.predicted] or self.names("model")
        by = "one per column" if self.predicted else self._from("model")
        said = f"{counted(len(models), 'model')}{by and f' ({by})'}"
        of_predictions = self.kind == "predictions"
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
        return {HEADERS: "the columns", FILES: "the files", ROWS: "the rows"}.get(name, name and f"column {name!r}")

    @property
    def _rest(self) -> list[str]:
        by_reason: dict[str, list[str]] = {}
        for name, reason in self.left_out.items():
            by_reason.setdefault(reason, []).append(name)
        out = [f"{some_names(names)} ({LEFT.get(reason, reason)})" for reason, names in by_reason.items()]
        return [*([f"Left out: {'; '.join(out)}."] if out else []), *self.notes]


def rows_of(columns: Mapping[str, Names], roles: Iterable[str]) -> list[tuple[Any, ...]]:
    """The names that each row has under those of some roles that there are."""
    there = [columns[role].tolist() for role in roles if role in columns]
    return [*zip(*there, strict=True)] if there else [()] * len(next(iter(columns.values())))


def coded(columns: Mapping[str, Names], roles: Iterable[str]) -> tuple[NDArray[np.intp], list[tuple[Any, ...]]]:
    """Of each row the position of its names among all, and these in the order of the table."""
    rows = rows_of(columns, roles)
    place = {row: i for i, row in enumerate(dict.fromkeys(rows))}
    return np.array([place[row] for row in rows], dtype=np.intp), [*place]


def natural(name: str) -> tuple[int, float, str]:
    """Numbers in their order, before other names in theirs."""
    return (0, float(name), "") if re.fullmatch(r"-?\d+(\.\d+)?", name) else (1, 0.0, name)
