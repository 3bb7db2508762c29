"""`skcompare check`: results, tables or models -> may the new one replace the old one? And what is written of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np

import skcompare.testing as gate
from skcompare._core.printable import one_line, some_names
from skcompare._load import load_result
from skcompare.cli.analyze import Request, by_metric
from skcompare.cli.data import check_known, given, separator, told
from skcompare.reporting.words import as_read
from skcompare.results import EvaluationResult
from skcompare.tables.columns import role_of_name
from skcompare.tables.merging import merge, picked
from skcompare.tables.source import Table

_IN_JUNIT = {"worse": "failure", "undecided": "failure", "cannot be compared": "error"}
_FLAGS = {"item": "--id", "models": "--model", "directions": "--greater-is-better"}
_MODEL = "model"
Named = tuple[Any, str, str]  # a result, and what it calls the old and the new model


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
    widths = _margins(margins, metrics)
    named = [name for name in widths if name]
    files, said = {"--old": Path(old), "--new": Path(old if new is None else new)}, ""
    names = options["old_name"], options["new_name"]
    results = {path.suffix.lower() == ".skc" for path in files.values()}
    models = _is_model(old) or (new is not None and _is_model(new))
    if not models and any(options[name] for name in ("dataset", "data", "target", "categorical", "drop")):
        raise ValueError("--dataset, --data, --target, --categorical and --drop go with two models, not with files")
    if models or results == {True}:
        for option, value in reading.items():
            if value not in (None, ()):
                flag = _FLAGS.get(option, f"--{option}").replace("_", "-")
                raise ValueError(f"{flag} goes with tables, not with {'models' if models else 'results'}")
    elif len(results) > 1:
        raise ValueError("give two results (.skc) or two tables, not one of each")
    if models:
        if not named:
            raise ValueError("--metric must name a metric that scores the models, or --margin METRIC=MARGIN")
        result, first, second = _of_models(old, new, named, fitted, **options)
    elif files["--old"] == files["--new"] and None in names:
        raise ValueError("--old and --new must name the models of a single file")
    elif results == {True}:
        result, first, second = _of_results(files, *names, named)
    else:
        sep = None if options["sep"] == "," else separator(options["sep"])  # found out
        asked = Request(files=(), metrics=(*named,), sep=sep, alone=False, **reading)
        (result, first, second), said = _of_tables(files, *names, asked)
    if not named:
        if len(result.metrics) > 1:
            raise ValueError(f"--metric must name one or more of {some_names(result.metrics)}; the files have several")
        widths = dict.fromkeys(result.metrics, widths[""])
    found = gate.not_worse(result, second, first, margin=widths)
    return found, [*filter(None, (said, as_read(result.provenance, (first, second))))]


def _margins(margins: Sequence[str], metrics: Sequence[str]) -> dict[str, float]:
    """The margin of every metric; that of the only metric of the files, which is not known yet, under no name."""
    own = by_metric("--margin", margins, "margin", "a positive number", _positive)
    common = own.pop("", None)
    found = {name: own.get(name, common) for name in (*metrics, *own)}
    lacking = [name for name, margin in found.items() if margin is None]
    if lacking:
        raise ValueError(f"--margin: no margin for {lacking[0]!r}")
    return {name: margin for name, margin in (found or {"": common}).items() if margin is not None}


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
        with told(f"{path}: "):
            parts.append(picked(result, name, metrics or result.metrics, called))
    with told("OLD (result 1) and NEW (result 2): "):
        return merge(*parts), *shown


def _of_tables(files: Mapping[str, Path], old: str | None, new: str | None, asked: Request) -> tuple[Named, str]:
    """The rows of both models as one table, read as analyze reads it, and what it was read as."""
    if len(asked.models) > 1:
        raise ValueError("--model must name one column; --old and --new name the columns of two models")
    tables = {path: replace(asked, files=(path,)).table for path in dict.fromkeys(files.values())}
    stems = [path.stem for path in tables]
    defaults, columns = stems if len({*stems}) == len(stems) else ["old", "new"], {}
    for (path, table), default in zip(tables.items(), defaults, strict=True):
        names = next((one for one in table.columns if one in asked.models or role_of_name(one) == "model"), None)
        if names is None and len(tables) == 1:  # columns or rows may be models
            named = (str(old), str(new)) if {old, new} <= table.columns.keys() else asked.models
            result, said = replace(asked, files=(path,), models=named).read(table)
            if not hasattr(result, "estimators"):
                raise ValueError(
                    f"{path} is a search, and its candidates cannot be named as models: skcompare analyze compares them"
                )
            return (result, *_chosen(files, dict.fromkeys(files, result.estimators), old, new)), said
        own = np.full(table.n_rows, default) if names is None else table.columns[names].astype(np.str_)
        columns[path] = {name: x for name, x in table.columns.items() if name != names} | {_MODEL: own}
    known = {option: [*dict.fromkeys(columns[path][_MODEL].tolist())] for option, path in files.items()}
    chosen = _chosen(files, known, old, new)
    shown, parts = _apart(*chosen), []
    for path, name, called in zip(files.values(), chosen, shown, strict=True):
        rows = columns[path][_MODEL] == name
        part = {column: values[rows] for column, values in columns[path].items()}
        parts.append({**part, _MODEL: np.full(rows.sum(), called, dtype=object)})
    made = tables[files["--old"]]
    if len(tables) > 1:
        made = Table(columns={}, origin=f"{files['--old']} with {files['--new'].name}")
    result, said = replace(asked, files=(files["--old"],), models=()).read(replace(made, columns=_joined(*parts)))
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


def _joined(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """The rows of both models; a column that one lacks is missing there, but for what describes the samples."""
    for role in ("item", "truth", "cluster"):
        first, second = (next((name for name in part if role_of_name(name) == role), None) for part in (old, new))
        if first != second and first is not None and second is not None:
            new[first] = new.pop(second)
    given_ones = ("prediction", "probability", "decision_function", "value", "outcome")
    return {
        name: np.concatenate([part.get(name, np.full(len(part[_MODEL]), None)).astype(object) for part in (old, new)])
        for name in {**old, **new}
        if (name in old and name in new) or role_of_name(name) in given_ones
    }


# ---- what is told ---------------------------------------------------------------------------------------------


def as_junit(name: str, verdict: str, line: str) -> str:
    """A test suite of one case, as CI systems show it."""
    kind = _IN_JUNIT.get(verdict, "")
    counts = {"tests": "1", "failures": str(int(kind == "failure")), "errors": str(int(kind == "error"))}
    root = ElementTree.Element("testsuites", counts)
    suite = ElementTree.SubElement(root, "testsuite", {"name": "skcompare check", **counts})
    case = ElementTree.SubElement(suite, "testcase", {"classname": "skcompare check", "name": one_line(name)})
    of_kind = {"type": verdict, "message": line} if kind else {}
    ElementTree.SubElement(case, kind or "system-out", of_kind).text = line
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True)
