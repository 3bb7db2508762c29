"""`skcompare check`: may a new model replace an old one? The status says it to continuous integration."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from skcompare._core.printable import one_line, some_names
from skcompare.cli.data import DATASETS, Given, check_regular, check_separator
from skcompare.cli.errors import InputError, NoAnswerError, as_input_error, did_you_mean, error_line, taken
from skcompare.cli.run import check_writable, evaluate

if TYPE_CHECKING:
    from skcompare.cli.request import Request, Table
    from skcompare.testing import NotWorse

_STATUS = {"not worse": 0, "worse": 1, "undecided": 2, "cannot be compared": NoAnswerError.exit_code}
_IN_JUNIT = {"worse": "failure", "undecided": "failure", "cannot be compared": "error"}
_READING = (  # as of analyze; the data set is that of models here
    *("truth", "item", "models", "cluster", "split", "repeat", "run", "value", "less_is_better", "directions"),
    *("missing", "design", "paired", "test_fraction", "decimal"),
)
_MODEL = "model"
Named = tuple[Any, str, str]  # a result, and what it calls the old and the new model


def check_command(
    columns: Callable[..., Any], fitted: Callable[..., Any], of_analyze: Sequence[click.Parameter]
) -> click.Command:
    """The command, with the options for data, for fits and for reading tables that other commands have too."""

    @click.command("check", short_help="May a new model replace an old one? The status says it.")
    @click.argument("old")
    @click.argument("new", required=False)
    @click.option(
        "--margin",
        "margins",
        multiple=True,
        required=True,
        metavar="[METRIC=]MARGIN",
        help="The largest loss that does not matter, in units of the metric; repeatable with METRIC=.",
    )
    @click.option(
        "--metric",
        "metrics",
        multiple=True,
        metavar="METRIC",
        help="A metric of the file, or a scikit-learn scorer; repeatable. All of them must be shown not to be worse. "
        "[default: the only one of the file]",
    )
    @click.option("--old", "old_name", metavar="NAME", help="Which model of OLD it is, where it has several.")
    @click.option("--new", "new_name", metavar="NAME", help="Which model of NEW it is, where it has several.")
    @click.option("--json", "as_json", is_flag=True, help="Print the answer as one line of JSON.")
    @click.option("--junit", type=Path, metavar="FILE", help="Write it as a test case in JUnit's XML too.")
    @click.option("--markdown", type=Path, metavar="FILE", help="Write it in Markdown too, as for a pull request.")
    @click.option("--dataset", metavar="NAME", help=f"For models: {', '.join(DATASETS)}.")
    @columns
    @click.option("--cv", default="10x10", show_default=True, help="For models, as of compare.")
    @click.option(
        "--seed",
        type=click.IntRange(0, 2**32 - 1),
        default=0,
        show_default=True,
        help="For models: random_state in Python, as of compare.",
    )
    @fitted
    def command(as_json: bool, junit: Path | None, markdown: Path | None, **asked: Any) -> None:
        """Is NEW worse than OLD by more than a margin?

        OLD and NEW are two saved results on the same splits (.skc), or two tables of one kind that analyze reads, one
        of each model: predictions, outcomes, scores or runs. OLD alone is a file that has both models, named by --old
        and --new. Or they are two models, written as for compare, that are fitted on --data or --dataset.

        \b
        Ends with status
          0  NEW is shown not to be worse by more than the margin, on any metric
          1  NEW is shown to be worse by more than the margin, on one or more
          2  undecided: neither is shown
          3  they cannot be compared, or the command failed

        They cannot be compared where NEW failed or lacks a score and OLD does not, and where NEW predicts only one
        class and OLD several, nor where rows, groups or the target are known in training. Options that do not exist,
        files that cannot be read and fits that fail end with 3 too.

        \b
        Examples:
          skcompare check old.skc new.skc --metric roc_auc --margin 0.01
          skcompare check old.csv new.csv --margin f1=0.02 --junit gate.xml
        """
        from skcompare.reporting.markdown import item

        _check_written({"--junit": junit, "--markdown": markdown}, [asked["old"], asked["new"]])
        name, verdict = "skcompare check", "cannot be compared"
        try:
            found, notes = _answer(**asked)
        except Exception as error:  # no file of an earlier run may stand for this one
            line = error_line(error)
            _write(junit, _as_junit(name, verdict, line), "--junit")
            _write(markdown, f"**{item(line)}**", "--markdown")
            raise
        line = found._line()
        _write(junit, _as_junit(f"{found.new} against {found.old}", found.verdict, line), "--junit")
        _write(markdown, "\n\n".join([found.to_markdown(), *map(item, notes)]), "--markdown")
        click.echo(found.to_json() if as_json else "\n\n".join([line, _rest(found), *notes]))
        click.get_current_context().exit(_STATUS[found.verdict])

    command.params += [one for one in of_analyze if one.name in _READING]
    return command


# ---- what is asked, and the answer ----------------------------------------------------------------------------


def _answer(
    *,
    old: str,
    new: str | None,
    margins: Sequence[str],
    metrics: Sequence[str],
    old_name: str | None,
    new_name: str | None,
    **options: Any,
) -> tuple[NotWorse, list[str]]:
    """The answer, and what is to be said of what was read."""
    from skcompare.cli.request import Request
    from skcompare.reporting.words import as_read
    from skcompare.testing import not_worse

    widths = _margins(margins, metrics)
    named = [name for name in widths if name]
    roles = {name: options.pop(name) for name in _READING}
    files = {"--old": Path(old), "--new": Path(old if new is None else new)}
    if _is_model(old) or (new is not None and _is_model(new)):
        _refuse(roles, "goes with tables, not with models")
        if not named:
            raise InputError("--metric must name a metric that scores the models, or --margin METRIC=MARGIN")
        (result, first, second), said = _of_models(old, new, named, **options), ""
    elif any(options[name] for name in ("dataset", "data", "target", "categorical", "drop")):
        raise InputError("--dataset, --data, --target, --categorical and --drop go with two models, not with files")
    elif len({path.suffix.lower() == ".skc" for path in files.values()}) > 1:
        raise InputError("give two results (.skc) or two tables, not one of each")
    elif files["--old"] == files["--new"] and (old_name is None or new_name is None):
        raise InputError("--old and --new must name the models of a single file")
    elif files["--old"].suffix.lower() == ".skc":
        _refuse(roles, "goes with tables, not with results")
        (result, first, second), said = _of_results(files, old_name, new_name, named), ""
    else:
        asked = Request(file=files["--old"], metrics=(*named,), nulls=(), baseline=None, by=None, alone=False, **roles)
        separator = None if options["sep"] == "," else check_separator(options["sep"])  # found out
        (result, first, second), said = _of_tables(files, old_name, new_name, asked, separator)
    if not named:
        if len(result.metrics) > 1:
            raise InputError(f"--metric must name one or more of {some_names(result.metrics)}; the files have several")
        widths = dict.fromkeys(result.metrics, widths[""])
    with as_input_error(ValueError):
        found = not_worse(result, second, first, margin=widths)
    return found, [*filter(None, (said, as_read(result.provenance, (first, second))))]


def _refuse(roles: Mapping[str, Any], why: str) -> None:
    """InputError where an option is given that is about the columns of a table."""
    options = {"item": "--id", "models": "--model", "directions": "--greater-is-better"}
    for name, value in roles.items():
        if value not in (None, ()):
            raise InputError(f"{options.get(name, f'--{name}').replace('_', '-')} {why}")


def _margins(margins: Sequence[str], metrics: Sequence[str]) -> dict[str, float]:
    """The margin of every metric; that of the only metric of the files, which is not known yet, under no name."""
    own = dict(text.rpartition("=")[::2] for text in margins)
    if len(own) < len(margins):
        raise InputError("--margin: give one margin, or one per metric")
    given = {name: _number(text) for name, text in own.items()}
    common = given.pop("", None)
    found = {name: given.pop(name, common) for name in dict.fromkeys((*metrics, *own)) if name}
    if not found and common is not None:
        return {"": common}
    lacking = [name for name, margin in found.items() if margin is None]
    if lacking:
        raise InputError(f"--margin: no margin for {lacking[0]!r}")
    return {name: float(margin) for name, margin in found.items() if margin is not None}


def _number(text: str) -> float:
    try:
        margin = float(text)
    except ValueError:
        margin = 0.0
    if not 0 < margin < float("inf"):
        raise InputError(f"--margin must be a positive number; got {text!r}")
    return margin


# ---- models, results or tables -> one result that has both ----------------------------------------------------


def _is_model(text: str) -> bool:
    """Whether an argument is a model, as in nb=sklearn.naive_bayes:GaussianNB, and not a file."""
    return ":" in text and not Path(text).exists()


def _of_models(old: str, new: str | None, metrics: Sequence[str], **options: Any) -> Named:
    if new is None or not (_is_model(old) and _is_model(new)):
        raise InputError("give two models, or two files")
    options["models"] = (old, new)
    given = taken(Given, options)
    given.check()
    named, X, y, *_ = given.read()
    first, second = named
    return evaluate(lambda evaluator: evaluator.evaluate(named, X, y), scoring=metrics, **options), first, second


def _of_results(files: Mapping[str, Path], old: str | None, new: str | None, metrics: Sequence[str]) -> Named:
    from skcompare._load import load_result
    from skcompare.results import EvaluationResult
    from skcompare.tables.merging import merge, picked

    with as_input_error(OSError, ValueError):
        loaded = {path: load_result(path) for path in dict.fromkeys(files.values())}
    results = {option: loaded[path] for option, path in files.items()}
    names = _chosen(old, new, {option: result.estimators for option, result in results.items()}, files)
    for path, result in loaded.items():
        for name in metrics:
            if name not in result.metrics:
                hint = did_you_mean(name, result.metrics)
                raise InputError(f"--metric: {path} has no metric {name!r}, only {some_names(result.metrics)}{hint}")
    if len(loaded) == 1:
        return results["--old"], *names
    shown, parts = _apart(names), []
    for (path, result), name, called in zip(loaded.items(), names, shown, strict=True):
        if not isinstance(result, EvaluationResult):
            raise InputError(f"{path} is a study: give one file that has both models, with --old and --new")
        with as_input_error(ValueError, start=f"{path}: "):
            parts.append(picked(result, name, metrics or result.metrics, called))
    with as_input_error(ValueError, start="OLD (result 1) and NEW (result 2): "):
        return merge(*parts), *shown


def _of_tables(
    files: Mapping[str, Path], old: str | None, new: str | None, asked: Request, separator: str | None
) -> tuple[Named, str]:
    """The rows of both models as one table, read as analyze reads it, and what it was read as."""
    import numpy as np

    from skcompare.tables.columns import role_of_name

    if len(asked.models) > 1:
        raise InputError("--model must name one column; --old and --new name the columns of two models")
    tables = {path: replace(asked, file=path).as_it_came(separator) for path in dict.fromkeys(files.values())}
    stems = [path.stem for path in tables]
    defaults = stems if len({*stems}) == len(stems) else ["old", "new"]
    for (path, table), default in zip(tables.items(), defaults, strict=True):
        n = len(next(iter(table.values()), ()))
        if not n:
            raise InputError(f"{path} has no rows below its header")
        column = next((one for one in table if one in asked.models or role_of_name(one) == "model"), None)
        if column is None and len(tables) == 1:  # columns or rows may be models
            named = (str(old), str(new))
            result, said = (replace(asked, models=named) if {*named} <= table.keys() else asked).read(table)
            if not hasattr(result, "estimators"):
                raise InputError(
                    f"{path} is a search, and its candidates are no models: skcompare analyze compares them"
                )
            return (result, *_chosen(old, new, dict.fromkeys(files, result.estimators), files)), said
        table[_MODEL] = np.full(n, default) if column is None else table.pop(column).astype(np.str_)
    known = {option: [*dict.fromkeys(tables[path][_MODEL].tolist())] for option, path in files.items()}
    names = _chosen(old, new, known, files)
    shown, parts = _apart(names), []
    for path, name, called in zip(files.values(), names, shown, strict=True):
        rows = tables[path][_MODEL] == name
        part = {column: values[rows] for column, values in tables[path].items()}
        parts.append({**part, _MODEL: np.full(rows.sum(), called, dtype=object)})
    both = str(files["--old"]) if len(tables) == 1 else f"{files['--old']} with {files['--new'].name}"
    result, said = replace(asked, file=Path(both), models=()).read(_joined(*parts))
    return (result, *shown), said


def _apart(names: tuple[str, str]) -> tuple[str, str]:
    """The names of both models, which may be one."""
    return names if names[0] != names[1] else (f"{names[0]} (old)", f"{names[1]} (new)")


def _chosen(
    old: str | None, new: str | None, known: Mapping[str, Sequence[str]], files: Mapping[str, Path]
) -> tuple[str, str]:
    """The two models: those that are named, else the only one of a file, else the only one not in the other."""
    found = []
    for (option, names), others, wanted in zip(known.items(), [*known.values()][::-1], (old, new), strict=True):
        own = [name for name in names if name not in others]
        if wanted is not None and wanted not in names:
            hint = did_you_mean(wanted, names)
            raise InputError(f"{option}: {files[option]} has no model {wanted!r}, only {some_names(names)}{hint}")
        if wanted is None and len(names) > 1 and len(own) != 1:
            raise InputError(f"{option} must name the model of {files[option]}, one of: {some_names(names)}")
        found.append(wanted or (names[0] if len(names) == 1 else own[0]))
    if files["--old"] == files["--new"] and found[0] == found[1]:
        raise InputError(f"--old and --new must be two models; got {found[0]!r} twice")
    return found[0], found[1]


def _joined(*parts: Table) -> Table:
    """The rows of both models; a column that one lacks is missing there, but for what describes the samples."""
    import numpy as np

    from skcompare.tables.columns import role_of_name

    for role in ("item", "truth", "cluster"):
        own = [next((name for name in part if role_of_name(name) == role), None) for part in parts]
        if own[0] != own[1] and None not in own:
            parts[1][str(own[0])] = parts[1].pop(str(own[1]))
    given = ("prediction", "probability", "decision_function", "value", "outcome")
    names = [
        name for name in {**parts[0], **parts[1]} if all(name in part for part in parts) or role_of_name(name) in given
    ]
    lacking = np.array([None])
    return {
        name: np.concatenate([part.get(name, np.repeat(lacking, len(part[_MODEL]))).astype(object) for part in parts])
        for name in names
    }


# ---- what is told ---------------------------------------------------------------------------------------------


def _check_written(files: Mapping[str, Path | None], given: Sequence[str | None]) -> None:
    """InputError, before anything is read, where a file could not be written, or is one of those that are compared."""
    for option, path in files.items():
        if path is None:
            continue
        check_regular(path, option)
        check_writable(path, option)
        if path.resolve() in [Path(one).resolve() for one in given if one]:
            raise InputError(f"{option}: {path} is what is compared; give another name")


def _rest(found: NotWorse) -> str:
    """What follows the first line on a terminal; its hints are for a session of Python."""
    from skcompare.reporting.document import Paragraph, as_texts

    _, *blocks = found._document().blocks
    return as_texts([replace(block, hint="") if isinstance(block, Paragraph) else block for block in blocks])


def _as_junit(name: str, verdict: str, line: str) -> str:
    """A test suite of one case, as CI systems show it."""
    from xml.etree import ElementTree

    kind = _IN_JUNIT.get(verdict, "")
    counts = {"tests": "1", "failures": str(int(kind == "failure")), "errors": str(int(kind == "error"))}
    root = ElementTree.Element("testsuites", counts)
    suite = ElementTree.SubElement(root, "testsuite", {"name": "skcompare check", **counts})
    case = ElementTree.SubElement(suite, "testcase", {"classname": "skcompare check", "name": one_line(name)})
    if kind:
        ElementTree.SubElement(case, kind, {"type": verdict, "message": line}).text = line
    else:
        ElementTree.SubElement(case, "system-out").text = line
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True)


def _write(path: Path | None, text: str, option: str) -> None:
    """Write a file that was asked for."""
    if path is not None:
        with as_input_error(OSError, start=f"{option}: cannot write {path}: "):
            path.write_text(f"{text}\n", encoding="utf-8")
