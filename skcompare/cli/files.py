"""What `skcompare analyze` and `check` ask of files, in the words of the options -> a result, and an answer."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np

import skcompare.testing as gate
from skcompare._core.numbers import some_names
from skcompare._core.text import capital, one_line, wrap
from skcompare._core.validation import check_choice, check_number
from skcompare._load import load_result, result_of
from skcompare.cli import told
from skcompare.cli.data import Names, given
from skcompare.comparison.table import check_width
from skcompare.reporting.words import as_read
from skcompare.results import EvaluationResult
from skcompare.scores.merging import merged, of_model
from skcompare.tables.columns import decimal_of, is_measure, numbers_of, of_sources, plain, role_of_name
from skcompare.tables.logs import read_tables, recognised
from skcompare.tables.reading import GROUPS, INDEPENDENT, Asked, UnclearError
from skcompare.tables.source import FILES, Table, below, model_in

Pair = tuple[Any, Any]  # of the old and the new model
_GIVEN = ("prediction", "probability", "decision_function", "value", "outcome")  # by each model in a column of its own
_IN_JUNIT = {"worse": "failure", "undecided": "failure", "cannot be compared": "error"}


# ---- analyze --------------------------------------------------------------------------------------------------


def analyzed(asked: Mapping[str, Any]) -> tuple[Any, dict[str, str]]:
    """The result of files, and what is told before and after its summary: comparisons under a null, and in groups."""
    by, baseline, last = asked["by"], asked["baseline"], ""
    if baseline is not None and not asked["null"] and by is None:
        raise ValueError("--baseline goes with --null or --by")
    result, said = read(asked, read_tables(*asked["files"], sep=asked["sep"]))
    first = [wrap(said)]
    if asked["null"]:
        if not hasattr(result, "estimators"):
            raise ValueError(f"--null does not go with a search, as which {asked['files'][0]} was read")
        null = by_metric("--null", asked["null"], "difference", "a number", float)
        first += [str(result.compare(null=null.get("", null), baseline=baseline)), "Against a difference of 0 instead:"]
    if by is not None:
        with told(f"--by: column {by!r} of {asked['files'][0]}: "):
            last = str(result.by(by, baseline=baseline))
    return result, {"first": "\n\n".join(first), "last": last}


def read(asked: Mapping[str, Any], table: Table) -> tuple[Any, str]:
    """The result of a table, and what it was read as."""
    origin, by = table.origin, asked.get("by")
    named, signs = _as_in_python(asked, table), _directions(asked)
    known = {"missing": asked["missing"], "sep": asked["sep"], "design": _design(asked), "greater_is_better": signs}
    try:
        result: Any = result_of(table if by is None else _grouped(table, by, named), named, **known)
    except UnclearError as error:
        raise UnclearError(_told(error, asked.get("files"), {**named.given, **known}), "") from error
    except ValueError as error:
        told_so = asked["greater_is_better"] or "greater_is_better" in map(plain, table.columns)
        line = str(error) if told_so else str(error).replace("greater_is_better", "less_is_better")
        raise ValueError(line if origin in line else f"{origin}: {line}") from error
    if by is not None:
        beside = result.details.sample_columns if isinstance(result, EvaluationResult) else {}
        own = {by if name == GROUPS else name: x for name, x in beside.items()}
        if by not in own:
            raise ValueError(f"--by: column {by!r} of {origin} must have one value per sample, the same for all models")
        result = result._with(sample_columns=own)
    return result, str(result.provenance["read_as"])


def _as_in_python(asked: Mapping[str, Any], table: Table) -> Asked:
    """What is asked of the columns: of --model and --metric given once which argument of `skcompare.read` they are."""
    said = dict(asked)
    if len(said["metrics"]) == 1:
        said |= {"metric": said["metrics"][0], "metrics": None}
    if len(said["models"]) != 1:
        return Asked.of(said)
    cells = table.columns.get(said["models"][0], np.empty(0))
    numbers = numbers_of(cells, said["decimal"] or decimal_of([cells]) or ".").values
    there = numbers[np.isfinite(numbers)]
    if not (there.size and ((there % 1 != 0).any() or np.isin(there, (0, 1)).all())):  # no scores of a single model
        said |= {"model": said["models"][0], "models": None}
    return Asked.of(said)


def _grouped(table: Table, by: str, named: Asked) -> Table:
    """The table with the column of --by under a name of its own; it keeps its meaning too."""
    check_choice(by, f"--by, a column of {table.origin},", [*table.columns])
    if {name for name in table.columns if role_of_name(name) == "model"} == {by} and not named.models:
        raise ValueError(f"--by must name what describes samples; {by!r} of {table.origin} names the models")
    twice = by in (*named.models, named.truth, named.item, named.cluster) or role_of_name(by) not in (None, "cluster")
    columns = {name: x for name, x in table.columns.items() if twice or name != by}
    return replace(table, columns=columns | {GROUPS: table.columns[by]})


def _design(asked: Mapping[str, Any]) -> str | None:
    """The design in one text."""
    said, part, paired = map(asked.get, ("design", "test_fraction", "paired"))
    return ", ".join(filter(None, (said, part and f"{part:.12g} tested", paired and f"paired runs: {paired}"))) or None


def _directions(asked: Mapping[str, Any]) -> bool | dict[str, bool] | None:
    """Those of the options, where there are any."""
    words, form = {"true": True, "false": False}, "true or false, or METRIC=true"
    texts = (*asked["greater_is_better"], *(f"{metric}=false" for metric in dict.fromkeys(asked["less_is_better"])))
    found = by_metric("--greater-is-better", texts, "direction", form, lambda x: words[x.lower()])
    return found.get("", found or None)


def _told(error: UnclearError, files: Sequence[Path] | None, known: Mapping[str, Any]) -> str:
    """A refusal with the commands that read the files, or with the options that are to be added."""
    calls = []
    for what, options in error.calls:
        more = {name: x for name, x in options.items() if x != known.get(name)}
        if files is not None:
            calls.append(f"{what}: {shlex.join(['skcompare', 'analyze', *map(str, files), *_flags(options)])}")
        elif more.keys().isdisjoint({"models", "dataset", "greater_is_better"}):
            calls.append(f"{what}: add {shlex.join(_flags(more))}")
    return "; or ".join([f"{error.says}. {capital(calls[0])}", *calls[1:]] if calls else [error.says])


def _flags(options: Mapping[str, Any]) -> list[str]:
    """Options of `read` as those of the command."""
    flags = []
    for name, value in options.items():
        given = [f"{metric}={sign}" for metric, sign in value.items()] if isinstance(value, Mapping) else value
        for one in given if isinstance(given, list) else [given]:
            flags += [f"--{name.replace('_', '-')}", str(one).lower() if name == "greater_is_better" else str(one)]
    return flags


def by_metric(option: str, texts: Names, one: str, form: str, value_of: Callable[[str], Any]) -> dict[str, Any]:
    """Values by metric, of texts such as ``f1=0.01``; what is of all metrics stands under no name."""
    found = {}
    for text in texts:
        metric, _, value = map(str.strip, text.rpartition("="))
        with told(f"{option} must be {form}; got {value!r}", (ValueError, KeyError)):
            found[metric] = value_of(value)
    if len(found) < len(texts) or (option != "--margin" and "" in found and len(found) > 1):
        raise ValueError(f"{option}: give one {one}, or one per metric")
    return found


# ---- check: may the new model replace the old one? ------------------------------------------------------------


def answered(asked: Mapping[str, Any], typed: Mapping[str, Names], fitted: Any) -> tuple[gate.NotWorse, list[str]]:
    """The answer, and what is to be said of what was read; `typed` are options that were, by what alone takes them."""
    old, new, names, said = asked["old"], asked["new"], (asked["old_name"], asked["new_name"]), list[str]()
    new = new if new and (_is_model(new) or Path(new).resolve() != Path(old).resolve()) else None
    widths = by_metric("--margin", asked["margin"], "margin", "a positive number", _margin)
    named = [*dict.fromkeys(filter(None, [*asked["metrics"], *widths]))]
    files, given_models = (Path(old), Path(new or old)), [_is_model(one) for one in (old, new) if one is not None]
    models = any(given_models)
    results = [not models and path.suffix.lower() == ".skc" for path in files]
    lacking = [name for name in named if name not in widths and "" not in widths]
    tables = not all(results)
    taken = {"files": not models, "models": models, "tables": tables and not models, "tables and --data": tables}
    for says, is_so in {
        f"--margin: no margin for {some_names(lacking)}": lacking,
        **{f"{', '.join(typed[x])} must be left out: only {x} take it": typed[x] and not taken[x] for x in taken},
        f"give two models, or two files; got {old!r} and {new!r}": models and given_models != [True, True],
        "--metric must name a metric that scores the models, or --margin METRIC=MARGIN": models and not named,
        "give two results (.skc) or two tables, not one of each": any(results) and not all(results),
        f"give a second file, or name two models of {old} by --old and --new": new is None and None in names,
    }.items():
        if is_so:
            raise ValueError(says)
    margin = {name: widths[name if name in widths else ""] for name in named} or widths[""]
    if models:
        for name in named:
            check_width(margin[name], "--margin", np.empty(0), name)
        made, X, y, _, said = given(**{**asked, "models": (old, new), "called": "OLD or NEW"})
        result = fitted("evaluate", made, X, y, **{**asked, "scoring": named})
        names = (*made,)
    elif all(results):
        result, names = _of_results(files, names, named)
    else:
        result, names, *said = _of_tables(files, names, {**asked, "dataset": None, "metrics": named})
    if not named and len(result.metrics) > 1:
        raise ValueError(f"--metric must name one or more of {some_names(result.metrics)}; the files have several")
    found = gate.not_worse(result, names[1], names[0], margin=margin)
    return found, [*filter(None, (*said, as_read(result.provenance, names)))]


def _margin(text: str) -> float:
    return check_number(float(text), "--margin", low=0, high=float("inf"), closed="neither")


def _is_model(text: str) -> bool:
    """Whether an argument is a model, as in nb=sklearn.naive_bayes:GaussianNB, and no file or experiment of MLflow."""
    of_class = text.partition(":")[2].partition("(")[0].strip().isidentifier()
    return of_class and not text.startswith("mlflow:") and not Path(text).exists()


def _of_results(files: Pair, wanted: Pair, metrics: Names) -> tuple[Any, Pair]:
    """A result that has both models, and what it calls them."""
    loaded: list[Any] = [load_result(path) for path in files]
    names = _chosen(files, [result.estimators for result in loaded], wanted)
    for path, result in zip(files, loaded, strict=True):
        for name in metrics:
            check_choice(name, f"--metric, of {path},", result.metrics)
        if files[0] != files[1] and not isinstance(result, EvaluationResult):
            raise ValueError(f"{path} is a study: give one file that has both models, with --old and --new")
    if files[0] == files[1]:
        return loaded[0], names
    shown = _apart(names)
    own = zip(loaded, names, shown, strict=True)
    parts = [of_model(one._scores, name, metrics or one.metrics, called) for one, name, called in own]
    with told("OLD (result 1) and NEW (result 2): "):
        return EvaluationResult(_scores=merged(parts)), shown


def _of_tables(files: Pair, wanted: Pair, asked: Mapping[str, Any]) -> tuple[Any, Pair, str]:
    """The result of the rows of both models, read as analyze reads it, what it calls these, and what it was read as."""
    models = asked["models"]
    if len(models) > 1:
        raise ValueError("--model must name one column; --old and --new name the columns of two models")
    tables = [read_tables(path, sep=asked["sep"]) for path in files]
    naming = [next((x for x in table.columns if x in models or role_of_name(x) == "model"), "") for table in tables]
    shown, table = None, tables[0]
    if files[0] != files[1] or naming[0]:  # else columns or rows may be models
        shown, table = _of_both(files, wanted, asked, tables, naming)
        models = [FILES] * (FILES in table.columns)
    elif {*wanted} <= {*table.columns}:
        models = [*dict.fromkeys(wanted)]
    asked = {**asked, "models": models}
    try:
        result, said = read(asked, table)
    except UnclearError:  # where NEW lacks what OLD has that is the answer, and no option helps
        for missing in ("drop", "keep"):
            with suppress(ValueError):
                result, said = read({**asked, "missing": missing}, table)
                old, new = shown or _chosen(files, [result.estimators] * 2, wanted)
                if asked["missing"] in (None, "raise") and gate.lacks(result, new, old):
                    break
        else:
            raise
    if not hasattr(result, "estimators"):
        raise ValueError(f"{table.origin} is a search, whose candidates have no names: skcompare analyze compares them")
    names = shown or _chosen(files, [result.estimators] * 2, wanted)
    if gone := [name for name in names if name not in result.estimators]:
        what = f"{some_names(gone)} on {some_names(asked['metrics'] or result.metrics)}"
        raise ValueError(f"{table.origin} must have scores of {what}; got none")
    return result, names, said


def _of_both(
    files: Pair, wanted: Sequence[Any], asked: Mapping[str, Any], tables: Sequence[Table], naming: Names
) -> tuple[Pair, Table]:
    """What both models are called, and their rows below each other; `naming` are columns of models, or none."""
    stems = [*map(model_in, files)] if files[0].stem != files[1].stem else ["old", "new"]
    if both_logs := _together(files, tables):
        logs, called = both_logs
        tables, naming = (logs, logs), ("model", "model")
        wanted = [name or own for name, own in zip(wanted, called, strict=True)]
    named = zip(tables, naming, stems, strict=True)
    cells = [table.columns[column].tolist() if column else [stem] * table.n_rows for table, column, stem in named]
    whose = [np.array([" ".join(str(x).split()) for x in own]) for own in cells]
    wanted = [name and " ".join(name.split()) for name in wanted]
    names, parts = _chosen(files, [dict.fromkeys(own.tolist()) for own in whose], wanted), []
    for table, column, own, name in zip(tables, naming, whose, names, strict=True):
        columns = {one: x[own == name] for one, x in table.columns.items() if one != column}
        part = ((f"{name} in {table.origin}", int((own == name).sum())),) if (own != name).any() else ()
        parts.append(replace(table, columns=columns, files=part))
    both = below(parts, _apart(names))
    columns = {name: x for name, x in both.columns.items() if _is_kept(name, parts, asked)}
    column = "model" if any(naming) or both.kind == "search" else FILES  # a search has no reading of files
    return _apart(names), replace(both, columns={**columns, column: both.columns[FILES]})


def _is_kept(name: str, parts: Sequence[Table], asked: Mapping[str, Any]) -> bool:
    """Whether a column counts: one of both, of OLD's metrics, or of clusters or weights, which both must have."""
    role, named = role_of_name(name), asked["metrics"]
    metric = name in parts[0].columns and (name in named if named else is_measure(name))
    cluster = asked["cluster"] != INDEPENDENT and (role == "cluster" or (role is None and of_sources(name)))
    both = all(name in part.columns for part in parts) or role in (*_GIVEN, "weight")
    return both or metric or cluster or name == asked["cluster"]


def _together(files: Pair, tables: Sequence[Table]) -> tuple[Table, Names] | None:
    """Two logs of a model each as they are read together, and their models; None of anything else."""
    own = [name for table in tables for name in {*table.columns.get("model", np.empty(0)).tolist()}]
    outcomes = all(table.kind == "outcomes" for table in tables)
    if files[0] == files[1] or not (outcomes or len(own) == len({*own}) == len(files)):
        return None
    logs = recognised(*files)  # logs of other items are refused
    called = [*dict.fromkeys(logs.columns["model"].tolist())] if logs is not None else []
    if logs is None or len(called) != len(files):
        return None
    return logs, own if {*own} == {*called} else called


def _apart(names: Pair) -> Pair:
    """The names of both models, which may be one."""
    return names if names[0] != names[1] else (f"{names[0]} (old)", f"{names[1]} (new)")


def _chosen(files: Pair, known: Sequence[Collection[str]], wanted: Sequence[Any]) -> Pair:
    """The two models: those that are named, else the only one of a file, else the only one not in the other."""
    found = []
    for option, path, names, others, name in zip(("--old", "--new"), files, known, known[::-1], wanted, strict=True):
        own = [one for one in names if one not in others]
        if name is not None:
            check_choice(name, f"{option}, a model of {path},", [*names])
        elif len(names) > 1 and len(own) != 1:
            raise ValueError(f"{option} must name the model of {path}, one of: {some_names([*names])}")
        found.append(name or [*names, *own][-1])
    if files[0] == files[1] and found[0] == found[1]:
        raise ValueError(f"--old and --new must be two models; got {found[0]!r} twice")
    return found[0], found[1]


def as_junit(name: str, verdict: str, line: str) -> str:
    """A test suite of one case, as CI systems show it."""
    kind = _IN_JUNIT.get(verdict, "")
    counts = {"tests": "1", "failures": str(int(kind == "failure")), "errors": str(int(kind == "error"))}
    root = ElementTree.Element("testsuites", counts)
    suite = ElementTree.SubElement(root, "testsuite", {"name": "skcompare check", **counts})
    case = ElementTree.SubElement(suite, "testcase", {"classname": "skcompare check", "name": one_line(name)})
    ElementTree.SubElement(case, kind or "system-out", {"type": verdict, "message": line} if kind else {}).text = line
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True)
