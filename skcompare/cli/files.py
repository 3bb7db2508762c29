"""What `skcompare analyze` and `check` ask of files, in the words of the options -> a result, and an answer."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar
from xml.etree import ElementTree

import numpy as np

import skcompare.testing as gate
from skcompare._core.numbers import some_names
from skcompare._core.text import one_line
from skcompare._load import load_result, result_of
from skcompare.cli.data import check_known, given, told
from skcompare.reporting.words import as_read
from skcompare.results import EvaluationResult
from skcompare.scores.merging import merged, of_model
from skcompare.tables.columns import decimal_of, numbers_of, role_of_name
from skcompare.tables.logs import read_tables, recognised
from skcompare.tables.reading import GROUPS, Asked, UnclearError
from skcompare.tables.source import FILES, Table, below

Value = TypeVar("Value")
Named = tuple[Any, str, str]  # a result, and what it calls the old and the new model
_IN_JUNIT = {"worse": "failure", "undecided": "failure", "cannot be compared": "error"}
_MODEL = "model"


@dataclass(frozen=True, kw_only=True)
class Request(Asked):
    """What is asked of some files, in the words of the options."""

    files: tuple[Path, ...] = ()
    sep: str | None = None
    by: str | None = None
    less_is_better: tuple[str, ...] = ()
    directions: tuple[str, ...] = ()
    test_fraction: float | None = None
    paired: str | None = None
    missing: str | None = None
    design: str | None = None
    alone: bool = True  # whether these files are all that the command is given

    def read(self, table: Table | None = None) -> tuple[Any, str]:
        """The result of the files, or of a table made of them, and a sentence that says what they were read as."""
        origin = table.origin if table else ", ".join(map(str, self.files))
        table = table or read_tables(*self.files, sep=self.sep)
        said = vars(self)
        cells = [table.columns[name] for name in self.models if name in table.columns]
        scores = [numbers_of(x, self.decimal or decimal_of([x]) or ".").values for x in cells]
        there = scores[0][np.isfinite(scores[0])] if len(scores) == 1 else np.empty(0)
        only = bool((there % 1 != 0).any() or (there.size and np.isin(there, (0, 1)).all()))  # of one model
        for one, several in (("model", "models"), ("metric", "metrics")):
            if len(said[several]) == 1 and not (only and one == "model"):
                said = {**said, one: said[several][0], several: None}
        asked, signs = Asked.of(said), self._directions()
        given: dict[str, Any] = {"missing": self.missing, "sep": self.sep, "design": self._design()}
        if self.by is not None:  # under a name of its own; it keeps its meaning too
            check_known(self.by, [*table.columns], f"--by: {origin} has no column")
            if {name for name in table.columns if role_of_name(name) == "model"} == {self.by} and not self.models:
                raise ValueError(f"--by must name what describes samples; {self.by!r} of {origin} names the models")
            meant = self.by in (*self.models, self.truth, self.item, self.cluster)
            twice = meant or role_of_name(self.by) not in (None, "cluster")
            columns = {name: x for name, x in table.columns.items() if twice or name != self.by}
            table = replace(table, columns=columns | {GROUPS: table.columns[self.by]})
        try:
            result: Any = result_of(table, asked, **given, greater_is_better=signs)
        except UnclearError as error:
            raise UnclearError(self._told(error, {**asked.given, **given, "greater_is_better": signs}), "") from error
        except ValueError as error:
            line = str(error)
            if self.less_is_better and not self.directions:
                line = line.replace("greater_is_better", "less_is_better")
            raise ValueError(line if origin in line else f"{origin}: {line}") from error
        if self.by is not None:
            beside = result.details.sample_columns if isinstance(result, EvaluationResult) else {}
            own = {self.by if name == GROUPS else name: x for name, x in beside.items()}
            if self.by not in own:
                what = f"--by: column {self.by!r} of {origin}"
                raise ValueError(f"{what} must have one value per sample, the same for all models")
            result = result._with(sample_columns=own)
        if not self.alone and not hasattr(result, "estimators"):
            why = "is a search, and its candidates cannot be named as models: skcompare analyze compares them"
            raise ValueError(f"{origin} {why}")
        return result, str(result.provenance["read_as"])

    def answers(self, result: Any, nulls: Sequence[str], baseline: str | None) -> tuple[str, str]:
        """What is told before and after the summary: the comparisons under a null, and those in groups."""
        first = last = ""
        if nulls:
            if not hasattr(result, "compare"):
                raise ValueError(f"--null does not go with a search, as which {self.files[0]} was read")
            given_ones = by_metric("--null", nulls, "difference", "a number", float)
            comparison = result.compare(null=given_ones.get("", given_ones), baseline=baseline)
            first = f"{comparison}\n\nAgainst a difference of 0 instead:"
        if self.by is not None:
            with told(f"--by: column {self.by!r} of {self.files[0]}: "):
                last = str(result.by(self.by, baseline=baseline))
        return first, last

    def _design(self) -> str | None:
        """The design in one text."""
        if self.test_fraction is not None and not 0 < self.test_fraction < 1:
            raise ValueError(f"--test-fraction must be between 0 and 1; got {self.test_fraction}")
        share = None if self.test_fraction is None else f"{self.test_fraction:.12g} tested"
        said = ", ".join(filter(None, (self.design, share))) or None
        if said is not None and self.paired is not None:
            raise ValueError("--paired goes with runs, --design and --test-fraction with splits")
        return said if self.paired is None else f"paired runs: {self.paired}"

    def _directions(self) -> bool | dict[str, bool] | None:
        """Those of the options, where there are any."""
        words, form = {"true": True, "false": False}, "true or false, or METRIC=true"
        texts = (*self.directions, *(f"{metric}=false" for metric in dict.fromkeys(self.less_is_better)))
        found = by_metric("--greater-is-better", texts, "direction", form, lambda x: words[x.lower()])
        return found.get("", found or None)

    def _told(self, error: UnclearError, given: Mapping[str, Any]) -> str:
        """A refusal with the commands that read the table, or with the options that are to be added."""
        calls = []
        for what, options in error.calls:
            more = {name: x for name, x in options.items() if x != given.get(name)}
            if self.alone:
                words = ["skcompare", "analyze", *map(str, self.files), *_flags(options)]
                calls.append(f"{what}: {shlex.join(words)}")
            elif more.keys().isdisjoint({"models", "dataset", "greater_is_better"}):
                calls.append(f"{what}: add {shlex.join(_flags(more))}")
        return "; or ".join([f"{error.says}. {calls[0]}", *calls[1:]] if calls else [error.says])


def _flags(options: Mapping[str, Any]) -> list[str]:
    """Options of `read` as those of the command."""
    flags = []
    for name, value in options.items():
        if name == "greater_is_better" and not isinstance(value, Mapping):
            value = str(value).lower()
        elif name == "greater_is_better":
            value = [f"{metric}={str(one).lower()}" for metric, one in value.items()]
        for one in value if isinstance(value, list) else [value]:
            flags += [f"--{name.replace('_', '-')}", str(one)]
    return flags


def by_metric(
    option: str, texts: Sequence[str], one: str, form: str, value_of: Callable[[str], Value]
) -> dict[str, Value]:
    """Values by metric, of texts such as ``f1=0.01``; what is of all metrics stands under no name."""
    found = {}
    for text in texts:
        metric, _, value = map(str.strip, text.rpartition("="))
        try:
            found[metric] = value_of(value)
        except (ValueError, KeyError):
            raise ValueError(f"{option} must be {form}; got {value!r}") from None
    if len(found) < len(texts) or (option != "--margin" and "" in found and len(found) > 1):
        raise ValueError(f"{option}: give one {one}, or one per metric")
    return found


# ---- check: may the new model replace the old one? ------------------------------------------------------------


def answered(
    *,
    old: str,
    new: str | None,
    margins: Sequence[str],
    metrics: Sequence[str],
    reading: Mapping[str, Any],
    fitted: Callable[..., Any],
    **options: Any,
) -> tuple[gate.NotWorse, list[str]]:
    """The answer, and what is to be said of what was read; `reading` is what is asked of tables."""
    widths = by_metric("--margin", margins, "margin", "a positive number", _positive)
    named = [*dict.fromkeys([*metrics, *filter(None, widths)])]
    if lacking := [name for name in named if name not in widths and "" not in widths]:
        raise ValueError(f"--margin: no margin for {lacking[0]!r}")
    files, said = {"--old": Path(old), "--new": Path(old if new is None else new)}, ""
    names = options["old_name"], options["new_name"]
    results = {path.suffix.lower() == ".skc" for path in files.values()}
    models = _is_model(old) or (new is not None and _is_model(new))
    if not models and any(options[name] for name in ("dataset", "data", "target", "categorical", "drop")):
        raise ValueError("--dataset, --data, --target, --categorical and --drop go with two models, not with files")
    if models or results == {True}:
        for option, value in reading.items():
            if value not in (None, ()):
                raise ValueError(f"{option} must be left out with {'models' if models else 'results'}: it is of tables")
    elif len(results) > 1:
        raise ValueError("give two results (.skc) or two tables, not one of each")
    if models:
        if not named:
            raise ValueError("--metric must name a metric that scores the models, or --margin METRIC=MARGIN")
        result, first, second = _of_models(old, new, named, fitted, **options)
    elif files["--old"] == files["--new"] and None in names:
        raise ValueError(f"give a second file, or name two models of {old} by --old and --new")
    elif results == {True}:
        result, first, second = _of_results(files, *names, named)
    else:
        asked = Request(metrics=(*named,), sep=options["sep"], alone=False, **reading)
        (result, first, second), said = _of_tables(files, *names, asked)
    if not named and len(result.metrics) > 1:
        raise ValueError(f"--metric must name one or more of {some_names(result.metrics)}; the files have several")
    margin = {name: widths[name if name in widths else ""] for name in named or result.metrics}
    found = gate.not_worse(result, second, first, margin=margin)
    return found, [*filter(None, (said, as_read(result.provenance, (first, second))))]


def _positive(text: str) -> float:
    if not 0 < float(text) < float("inf"):
        raise ValueError
    return float(text)


# ---- models, results or tables -> one result that has both ----------------------------------------------------


def _is_model(text: str) -> bool:
    """Whether an argument is a model, as in nb=sklearn.naive_bayes:GaussianNB, and not a file."""
    return ":" in text and not Path(text).exists()


def _of_models(old: str, new: str | None, metrics: Sequence[str], fitted: Callable[..., Any], **options: Any) -> Named:
    if new is None or not (_is_model(old) and _is_model(new)):
        raise ValueError("give two models, or two files")
    named, X, y, *_ = given(models=(old, new), **options)
    return fitted(lambda evaluator: evaluator.evaluate(named, X, y), scoring=metrics, **options), *named


def _of_results(files: Mapping[str, Path], old: str | None, new: str | None, metrics: Sequence[str]) -> Named:
    loaded = {path: load_result(path) for path in dict.fromkeys(files.values())}
    names = _chosen(files, {option: loaded[path].estimators for option, path in files.items()}, old, new)
    for path, result in loaded.items():
        for name in metrics:
            check_known(name, result.metrics, f"--metric: {path} has no metric")
    if len(loaded) == 1:
        return loaded[files["--old"]], *names
    shown, parts = _apart(*names), []
    for (path, result), name, called in zip(loaded.items(), names, shown, strict=True):
        if not isinstance(result, EvaluationResult):
            raise ValueError(f"{path} is a study: give one file that has both models, with --old and --new")
        parts.append(of_model(result._scores, name, metrics or result.metrics, called))
    with told("OLD (result 1) and NEW (result 2): "):
        return EvaluationResult(_scores=merged(parts)), *shown


def _of_tables(files: Mapping[str, Path], old: str | None, new: str | None, asked: Request) -> tuple[Named, str]:
    """The rows of both models as one table, read as analyze reads it, and what it was read as."""
    if len(asked.models) > 1:
        raise ValueError("--model must name one column; --old and --new name the columns of two models")
    tables = {path: read_tables(path, sep=asked.sep) for path in dict.fromkeys(files.values())}
    named, stems = dict[Path, Any](), [path.stem for path in tables]
    stems = stems if len({*stems}) == len(stems) else ["old", "new"]
    for (path, table), stem in zip(tables.items(), stems, strict=True):
        column = next((one for one in table.columns if one in asked.models or role_of_name(one) == "model"), "")
        if not column and len(tables) == 1:  # columns or rows may be models
            models = (str(old), str(new)) if {old, new} <= table.columns.keys() else asked.models
            result, said = replace(asked, files=(path,), models=models).read(table)
            return (result, *_chosen(files, dict.fromkeys(files, result.estimators), old, new)), said
        named[path] = table.columns.get(column, np.full(table.n_rows, stem)).astype(np.str_)
        tables[path] = replace(table, columns={name: x for name, x in table.columns.items() if name != column})
    kinds = {table.kind for table in tables.values()}
    if kinds == {"outcomes"}:
        recognised(*tables)  # it refuses logs that are not of the same items
    chosen = _chosen(files, {one: [*dict.fromkeys(named[path].tolist())] for one, path in files.items()}, old, new)
    shown, parts = _apart(*chosen), []
    for path, name in zip(files.values(), chosen, strict=True):
        rows = {column: x[named[path] == name] for column, x in tables[path].columns.items()}
        parts.append(replace(tables[path], columns=rows))
    origin = ", ".join(map(str, tables))
    notes = dict.fromkeys(note for table in tables.values() for note in table.notes)
    first = tables[files["--old"]] if len(kinds) == 1 else Table(columns={}, origin="")
    made = replace(first, columns=_joined(parts, shown), origin=origin, notes=(*notes,))
    result, said = replace(asked, files=(files["--old"],), models=()).read(made)
    return (result, *shown), said


def _apart(old: str, new: str) -> tuple[str, str]:
    """The names of both models, which may be one."""
    return (old, new) if old != new else (f"{old} (old)", f"{new} (new)")


def _chosen(
    files: Mapping[str, Path], known: Mapping[str, Sequence[str]], old: str | None, new: str | None
) -> tuple[str, str]:
    """The two models: those that are named, else the only one of a file, else the only one not in the other."""
    found = []
    for (option, names), others, wanted in zip(known.items(), [*known.values()][::-1], (old, new), strict=True):
        own = [name for name in names if name not in others]
        if wanted is not None:
            check_known(wanted, names, f"{option}: {files[option]} has no model")
        if wanted is None and len(names) > 1 and len(own) != 1:
            raise ValueError(f"{option} must name the model of {files[option]}, one of: {some_names(names)}")
        found.append(wanted or (names[0] if len(names) == 1 else own[0]))
    if files["--old"] == files["--new"] and found[0] == found[1]:
        raise ValueError(f"--old and --new must be two models; got {found[0]!r} twice")
    return found[0], found[1]


def _joined(parts: Sequence[Table], models: Sequence[str]) -> dict[str, Any]:
    """The rows of both models; a column that one lacks is missing there, but for what describes the samples."""
    old, new = (part.columns for part in parts)
    for role in ("item", "truth", "cluster"):
        first, second = (next((name for name in part if role_of_name(name) == role), None) for part in (old, new))
        if first != second and first is not None and second is not None:
            new[first] = new.pop(second)
    columns = below(parts, models).columns
    given_ones = ("prediction", "probability", "decision_function", "value", "outcome")
    kept = [x for x in columns if (x in old and x in new) or role_of_name(x) in given_ones]
    return {**{name: columns[name] for name in kept}, _MODEL: columns[FILES]}


def as_junit(name: str, verdict: str, line: str) -> str:
    """A test suite of one case, as CI systems show it."""
    kind = _IN_JUNIT.get(verdict, "")
    counts = {"tests": "1", "failures": str(int(kind == "failure")), "errors": str(int(kind == "error"))}
    root = ElementTree.Element("testsuites", counts)
    suite = ElementTree.SubElement(root, "testsuite", {"name": "skcompare check", **counts})
    case = ElementTree.SubElement(suite, "testcase", {"classname": "skcompare check", "name": one_line(name)})
    ElementTree.SubElement(case, kind or "system-out", {"type": verdict, "message": line} if kind else {}).text = line
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True)
