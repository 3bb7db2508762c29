"""The `skcompare` command: its options, what its commands do, and how it ends."""

from __future__ import annotations

import re
import shlex
import sys
import tomllib
import traceback
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from inspect import signature
from itertools import product
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, NoReturn

import click

import skcompare
from skcompare._core.text import WIDTH, wrap
from skcompare._core.version import __version__
from skcompare.cli import error_line, told

_TYPES: dict[Any, Any] = {
    "path": Path,
    "FILE": click.Path(dir_okay=False, writable=True, path_type=Path),  # to be written
    "INTEGER": int,
    "FLOAT": float,
    "seed": click.IntRange(0, 2**32 - 1),
    "spread": click.FloatRange(0),
    "share": click.FloatRange(0, 1, min_open=True, max_open=True),
}
Names = Sequence[str]
_TABLE = tomllib.loads((Path(__file__).parent / "options.toml").read_text(encoding="utf-8"))
_OTHERWISE, _STATUS, _STORE, _TAKES = map(_TABLE.pop, ("otherwise", "status", "store", "takes"))
_READERS = {"skcompare.load": "skcompare show", "skcompare.read": "skcompare analyze"}

# ---- how it ends ----------------------------------------------------------------------------------------------


class _Commands(click.Group):
    """All commands: what goes wrong ends with 2, of `check` and of a command that is not known with 3."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, [*args, "--help"] if args in ([], ["store"]) else args)

    def invoke(self, ctx: click.Context) -> Any:
        status = None
        try:
            with warnings.catch_warnings(record=True) as caught:
                found = super().invoke(ctx)
            for line in dict.fromkeys(error_line(warning.message) for warning in caught):  # one may come on every split
                click.echo(f"skcompare: warning: {line}", err=True)
            return found
        except (click.Abort, KeyboardInterrupt) as stop:
            said, status = _interrupted(stop, ctx.meta), 130
        except click.ClickException as error:
            said = error_line(error.format_message())
        except (ValueError, TypeError, ImportError, OSError, Warning) as error:  # as of a full disk behind the output
            file = getattr(error, "filename", None)
            said = error_line(error) if file is None else f"cannot use {file}: {error_line(error)}"
        except SystemExit as error:  # as of a module without a guard that is imported for its models
            said = f"code that was called ended Python, with status {error.code!r:.40}"
        click.echo(f"skcompare: {'' if status == 130 else 'error: '}{_as_typed(said, ctx)}", err=True)
        # 1 and 2 are answers of check
        raise click.exceptions.Exit(status or (3 if ctx.invoked_subcommand in (None, "check") else 2))


class _Command(click.Command):
    """A command that finds out what it could not write before anything is read or fitted."""

    def invoke(self, ctx: click.Context) -> Any:
        params = [(name, x) for name, x in ctx.params.items() if x]
        paths = [(name, Path(x)) for name, x in params if isinstance(x, Path) or name in ("old", "new")]
        paths += [("files", path) for path in ctx.params.get("files", ())]
        here = Path.cwd()
        for name, path in paths:
            if name in ("out", "html", "junit", "markdown"):
                if path.resolve() in [here, here / "-", *(x.resolve() for whose, x in paths if whose != name)]:
                    raise ValueError(f"--{name}: {path} is used too; give another name")
                with told(f"--{name}: cannot write {path}: "), TemporaryFile(dir=path.parent):
                    pass
                if name == "html" or ctx.info_name == "report":
                    from skcompare.reporting.page import check_extra

                    if path.suffix == ".skc":
                        raise ValueError(f"--{name}: {path} is named like a saved result; give another name")
                    check_extra()
        return super().invoke(ctx)


def _interrupted(stop: BaseException, run: Mapping[str, Any]) -> str:
    """What was interrupted, what is kept of a `run` of fits, and how to go on."""
    again = shlex.join(["skcompare", *sys.argv[1:]])
    if "kept" not in run:
        return f"interrupted before the end. To run it again:\n{again}"
    where = next((note for note in getattr(stop, "__notes__", ()) if note.startswith("interrupted")), "interrupted")
    if run["store"] is None:
        return f"{error_line(where)}. Nothing is kept without --store. To keep fits, run:\n{again} --store runs.sqlite"
    fits = "1 finished fit is" if len(run["kept"]) == 1 else f"{len(run['kept'])} finished fits are"
    return f"{error_line(where)}. {fits} kept in {run['store']}. To go on:\n{again}"


def _as_typed(line: str, ctx: click.Context) -> str:
    """What is said of parameters of Python, as the command is given them."""
    params = getattr(command.commands.get(ctx.invoked_subcommand or ctx.info_name or ""), "params", ())
    flags = {one.name: [x for x in one.opts if x.startswith("--")] for one in params}
    own = {"file": "OLD or NEW" if "old" in flags else "FILE", **{name: x[0] for name, x in flags.items() if x}}
    typed = {name: own[known] for name, known in _OTHERWISE.items() if known in own} | own | _READERS
    places = r"(?<![\w.'-])(\w+|skcompare\.\w+)(?:\[[^\]]*\])?(?= must\b| does not go\b| reads\b| and \w+ must\b)"
    # no option can be given None
    return re.sub(places, lambda found: typed.get(found[1], found[0]), line.replace(" must be None or ", " must be "))


def main() -> NoReturn:
    """Run the command; bad input ends with one line on standard error and status 2, of `check` with 3."""
    try:
        status = command.main(sys.argv[1:], prog_name="skcompare", standalone_mode=False)
    except Exception as error:  # an option before the command, and what nobody expected: 1 and 2 are answers of check
        said = error_line(error.format_message()) if isinstance(error, click.ClickException) else traceback.format_exc()
        click.echo(f"skcompare: error: {said.strip()}", err=True)
        status = 3
    sys.exit(status if isinstance(status, int) else 0)


# ---- the options, as options.toml writes them -----------------------------------------------------------------


def _option(flags: str, told: dict[str, Any]) -> click.Parameter:
    kind = told.get("type", told.get("metavar"))
    own = {**told, "type": click.Choice(kind) if isinstance(kind, list) else _TYPES.get(kind)}
    if not flags.startswith("-"):
        return click.Argument([flags], **own)
    if "/" in flags:
        own["default"] = lambda: bool(sys.stderr and sys.stderr.isatty() and find_spec("tqdm"))
    return click.Option(flags.split(), show_default="default" in told, **own)


def _now_called(name: str) -> str:
    """An option by its name of today, --margin."""
    if name not in ("not-worse-by", "delta"):
        return name
    from skcompare._core.validation import told_of_old

    click.echo(f"skcompare: warning: {told_of_old(f'--{name}', 'give --margin')}", err=True)
    return "margin"


_OPTIONS = {group: [_option(*row) for row in rows.items()] for group, rows in _TABLE.items()}


_SETTINGS = {"help_option_names": ["-h", "--help"], "token_normalize_func": _now_called}


@click.group(cls=_Commands, context_settings=_SETTINGS)
@click.version_option(__version__, prog_name="skcompare")
def command() -> None:
    """Is this scikit-learn model really better than that one?"""


def _options(groups: str) -> list[Any]:
    """The arguments and options of some groups, in this order."""
    return [one for group in groups.split() for one in _OPTIONS[group]]


def _typed(groups: str) -> list[str]:
    """The options of some groups that were typed, but for what they switch off."""
    ctx, typed = click.get_current_context(), click.core.ParameterSource.COMMANDLINE
    there = [x for x in _options(groups) if ctx.get_parameter_source(x.name) is typed]
    return [next(flag for flag in x.opts if flag[1] == "-") for x in there if ctx.params[x.name] is not False]


def _command(
    summary: str, groups: str, name: str | None = None, among: click.Group = command, **more: Any
) -> Callable[..., Any]:
    """A command with the arguments and options of some groups."""
    return among.command(name, cls=_Command, short_help=summary, params=_options(groups), **more)


def _parsed(where: str, entries: Mapping[str, Any], groups: str) -> dict[str, Any]:
    """The entries of a table in TOML as options of some groups."""
    options = _options(groups)
    several = {flag for one in options if one.multiple for flag in one.opts}
    lists = {f"--{name}": x if isinstance(x, list) and f"--{name}" in several else [x] for name, x in entries.items()}
    words = [f"{flag}={one}" for flag, values in lists.items() for one in values]
    try:
        return click.Command(where, params=options, add_help_option=False).make_context(where, words).params
    except click.ClickException as error:
        said = error.format_message().replace("--", "").replace("option", "entry")
        raise ValueError(f"{where}: {said} skcompare study --help shows an example.") from error


# ---- what is fitted, printed and written ----------------------------------------------------------------------


def _fitted(method: str, /, *given: Any, cv: str, scoring: Names, in_time: bool = False, **asked: Any) -> Any:
    """What an evaluator with these options makes of models and X and y, or of models and data sets."""
    from sklearn.model_selection import TimeSeriesSplit

    from skcompare._core.validation import check_choice
    from skcompare.evaluation.datasets import usual_metrics

    if asked.get("primary") is not None:
        check_choice(asked["primary"], "--primary", scoring or usual_metrics(*given))
    if not re.fullmatch(r"\d+" if in_time else r"(?:[1-9]\d*x)?\d+", cv) or int(cv.partition("x")[2] or cv) < 2:
        of = ("a number of test sets", " with --in-time, as --cv 5") if in_time else ("K folds or RxK with K", "")
        raise ValueError(f"cv must be {of[0]} of at least 2{of[1]}; got {cv!r}")
    kept: list[None] = []
    click.get_current_context().meta.update(kept=kept, store=asked["store"])
    splits = TimeSeriesSplit(int(cv)) if in_time else int(cv) if cv.isdecimal() else cv
    own = {name: asked[name] for name in ("n_jobs", "random_state", "store", "progress", "baseline") if name in asked}
    watched = skcompare.RunOptions(callback=lambda event: kept.extend([None] * (event.error is None)))
    evaluator = skcompare.PairedEvaluator(splits, list(scoring) or None, options=watched, **own)
    return getattr(evaluator, method)(*given, **asked.get("more", {}))


def _for_terminal(blocks: Sequence[Any], more: str = "") -> str:
    """The text of a document, in which hints for a session of Python give way to where there is more in a terminal."""
    from skcompare._core.document import Paragraph, as_texts

    return as_texts([replace(x, hint=more) if isinstance(x, Paragraph) and x.hint else x for x in blocks])


def _tell(result: Any, notes: Names = (), *, first: str = "", last: str = "", **asked: Any) -> None:
    """Save the result, print the summary, with what is to stand before and after it, and write the page."""
    out, html, primary, detail = map(asked.get, ("out", "html", "primary", "detail"))
    if out is not None:  # what was computed is safe before anything else can go wrong
        with told(f"--out: cannot write {out}: "):
            result.save(out)
    with told("" if primary else "cannot test these scores: ", (ValueError,)):
        found = result._document(detail or "short", result._known(primary))
    summary = str(found) if detail == "full" else _for_terminal(found.blocks, "More: --detail full.")
    if html is not None:
        with told(f"cannot write {html}: "):
            result.to_html(html, primary=primary)
    written = "\n".join(f"{done} {path}" for done, path in {"Saved to": out, "Wrote": html}.items() if path is not None)
    click.echo("\n\n".join(filter(None, [first, summary, last, "\n".join(map(wrap, filter(None, notes))), written])))


def _compared(method: str, asked: Mapping[str, Any], **more: Any) -> None:
    """Fit models on one data set by a method of the evaluator, and tell what was found."""
    from skcompare.cli.data import given

    models, X, y, groups, notes = given(**asked)
    _tell(_fitted(method, models, X, y, more={"groups": groups, **more}, **asked), notes, **asked)


# ---- the commands ---------------------------------------------------------------------------------------------


@_command("Compare models on a data set and print the answer.", "data file columns sep models cv fits primary written")
def compare(**asked: Any) -> None:
    """Compare models on the same splits of one data set and print the answer.

    Columns of --data that hold numbers get missing values filled by the median and are standardised; all others
    are categories, with missing values filled by the most frequent one, and one-hot encoded. Both are learnt
    from the training samples of each split alone. Data sets given by --dataset are used as they are.

    \b
    Example:
      skcompare compare --dataset breast_cancer --cv 10x10 \\
        --model "nb=sklearn.naive_bayes:GaussianNB" \\
        --model "tree=sklearn.tree:DecisionTreeClassifier"
    """
    _compared("evaluate", asked)


@_command("Compare models on several data sets, from a TOML file.", "config fits primary written")
def study(config: Path, **asked: Any) -> None:
    """Run the study that CONFIG describes, rank the models and print the answer.

    Paths in CONFIG are relative to it. cv, scoring, seed and baseline may be left out, of a data set categorical, drop
    and sep.

    \b
    Example of CONFIG:
      cv = "10x10"
      scoring = ["accuracy", "f1_macro"]
      seed = 0
      baseline = "dummy"
      [models]
      nb = "sklearn.naive_bayes:GaussianNB"
      tree = "sklearn.tree:DecisionTreeClassifier(max_depth=3)"
      [datasets]
      iris = "iris"
      cancer = "breast_cancer"
      mine = {path = "mine.csv", target = "class", categorical = ["zip"]}
      theirs = {path = "theirs.csv", target = "y", drop = ["id"], sep = ";"}
    """
    from skcompare.cli.data import read_study

    models, datasets, design, notes = read_study(config, _parsed)
    _tell(_fitted("evaluate_datasets", models, datasets, **design, **asked), notes, **asked)


@_command("List all procedures, or explain one.", "name", "procedures")
def list_procedures(name: str | None) -> None:
    """List all procedures by the evidence that they take.

    With a NAME, with or without a trailing _test, explain that one: what it answers, when to take it, what it assumes,
    its measured error rate, and when it misleads.
    """
    from skcompare._core.validation import check_choice

    known = skcompare.procedures()
    found: dict[str | None, Any] = {x: row for row in known for x in (row.name.removesuffix("_test"), row.name)}
    if name not in (None, *found):
        check_choice(name, "NAME, of those that 'skcompare procedures' lists,", [row.name for row in known])
    click.echo(found.get(name, known))


def _show(file: Path, **asked: Any) -> None:
    from skcompare._load import load_shown

    _tell(load_shown(file), **asked)


@_command("Print the answer of a saved result.", "saved detail primary")
def show(file: Path, **asked: Any) -> None:
    """Print the answer of a result that compare, study, curve or analyze saved with --out."""
    _show(file, **asked)


@_command("Print all that is behind the answer of a saved result.", "saved primary")
def explain(file: Path, primary: str | None) -> None:
    """Print the answer of a saved result and all that is behind it, section by section.

    Every pair, the models' own scores, error rates in simulations, what the test assumes, and all warnings.
    """
    _show(file, primary=primary, detail="full")


@_command("Write the HTML report of a saved result.", "saved report primary")
def report(file: Path, out: Path | None, primary: str | None) -> None:
    """Write the report of a result that compare, study, curve or analyze saved with --out, and print its answer.

    The report is one HTML page that works offline. A page that is there already is replaced, a saved result is not.
    """
    _show(file, primary=primary, html=file.with_suffix(".html") if out is None else out)


@_command("How many repeats, folds, samples or data sets a difference needs.", "plan")
def plan(file: Path | None, **asked: Any) -> None:
    """Say how many repeats, folds, samples or data sets detect a difference of --margin.

    The spread is that of FILE, a result or study saved with --out, or is assumed: for one data set by --sd, --n-train
    and --n-test, for a study of many by --sd-between.

    \b
    Example:
      skcompare plan result.skc --margin 0.02
      skcompare plan --margin 0.02 --sd 0.04 --n-train 180 --n-test 20
      skcompare plan --margin 0.02 --sd-between 0.03 --n-datasets 10
    """
    from skcompare._load import load_result

    own = {name: x for name, x in asked.items() if x is not None}
    run: Callable[..., Any] = skcompare.planning.plan_evaluation
    if "std_between" in own and "std" not in own:
        run, own["std"] = skcompare.planning.plan_study, own.pop("std_between")
    if file is not None:
        run, own["pilot"] = skcompare.planning.plan, file
    needed = "give FILE, or --sd, --n-train and --n-test, or --sd-between, and options of that one only"
    with told(needed, (TypeError,)):
        signature(run).bind(**own)
    own |= {} if file is None else {"pilot": load_result(file)}
    click.echo("\n".join(wrap(line) if len(line) > WIDTH else line for line in str(run(**own)).splitlines()))


@_command("Compare models with fewer training samples too.", "curve data file columns sep models cv fits written")
def curve(train_sizes: str, **asked: Any) -> None:
    """Does the answer of compare hold with fewer training samples?

    Every model is fitted on training sets of several sizes, each a part of the next larger one, and tested on the
    same test sets. Prints what to use at which size, and where two models change places. All comparisons at all
    sizes share one error rate of 5%: few sizes and one --scoring find more. With --store the fits with all
    training samples are shared with compare.

    \b
    Example:
      skcompare curve --dataset breast_cancer --cv 10x10 --scoring roc_auc \\
        --model "nb=sklearn.naive_bayes:GaussianNB" \\
        --model "stump=sklearn.tree:DecisionTreeClassifier(max_depth=1)" \\
        --sizes 0.1,0.3,1.0
    """
    with told(f"--sizes must be numbers with commas between them, as 0.1,0.5,1.0; got {train_sizes!r}"):
        sizes = [(float if "." in train_sizes else int)(part) for part in train_sizes.split(",")]
    _compared("learning_curve", asked, train_sizes=sizes)


@_command("Fit a saved result again and compare every score.", "saved file columns sep verify")
def verify(file: Path, data: Path | None, allow: Names, n_jobs: int, progress: bool, **columns: Any) -> None:
    """Fit again what FILE says it is of, and compare score by score.

    The data is a table given as to compare, or one that scikit-learn brings; either must be that of FILE by its
    digest. Nothing that FILE names is imported but estimators of the packages that are allowed. What keeps FILE
    from being verified is said before anything is fitted.

    Ends with status 0 where all is the same, bit for bit or to 1e-12, with 1 where it is different, and with 2
    where it cannot be verified.
    """
    from skcompare._load import load_result
    from skcompare.cli.data import read_csv

    if data is None and any(columns.values()):
        raise ValueError("--target, --categorical, --drop and --sep go with --data")
    result: Any = load_result(file)
    if hasattr(result, "results"):
        raise ValueError(f"{file} is a study: save its evaluations, study.results[NAME].save(FILE), and verify each")
    regression = result.details.task in ("regression", "multioutput")
    X, y, *_ = _bundled(result) if data is None else read_csv(data, regression=regression, **columns)
    found = skcompare.verify(result, X, y, allow=allow, n_jobs=n_jobs, progress=progress)
    click.echo(found)
    click.get_current_context().exit(_STATUS[found.outcome])


def _bundled(result: Any) -> tuple[Any, Any]:
    """The data set of scikit-learn that a result is of, known by its digest; nothing where it is of none."""
    from skcompare.cli.data import DATASETS, bundled_dataset
    from skcompare.evaluation.provenance import data_digest, part_of

    wanted = part_of(part_of(result.provenance, "recipe"), "data")
    for as_frame, name in product((False, True) if find_spec("pandas") is not None else (False,), DATASETS):
        X, y = bundled_dataset(name, as_frame=as_frame)
        if wanted == {"X": data_digest(X), "y": data_digest(y.to_numpy() if as_frame else y)}:
            return X, y
    return None, None


@_command("Analyse predictions, outcomes or scores that another tool made.", "files tables sep analyze primary written")
def analyze(**asked: Any) -> None:
    """Compare the models of a table, a log or a search that another tool made.

    FILE is separated text, JSON, JSON lines, Parquet or a spreadsheet. Several files are tables of one form, one
    per model. What every column is for is read from its name and its values, and said before the answer:

    \b
    predictions  sample_id, model, y_true, and prediction, probability,
                 decision_function or score;
                 or y_true and one column of predictions per model
    outcomes     sample_id, model, outcome; or a column per model
    scores       model, fold, score; perhaps metric, repeat, n_train, n_test
    runs         model, run or seed, score; perhaps metric, data set
    data sets    data set, model, score; or a column per model

    Metrics may be columns, models may be rows. A score of predictions is a probability where all are between 0 and
    1, and a decision value where they have both signs.

    \b
    Example:
      skcompare analyze predictions.csv --truth y --id case --cluster patient \\
        --metric f1_macro --null -0.01 --baseline old --by hospital
    """
    from skcompare.cli.files import analyzed

    result, said = analyzed(asked)
    _tell(result, **said, **asked)


@_command("May a new model replace an old one? The status says it.", "check names file columns sep refits fits tables")
def check(as_json: bool, junit: Path | None, markdown: Path | None, **asked: Any) -> None:
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

    They cannot be compared where NEW failed or lacks a score and OLD does not, or predicts only one class and OLD
    several, or where the log of NEW says that its run broke off. Where what is left shows NEW to be worse all the
    same, that is the answer. Nor can they be compared where rows, groups or the target are known in training.
    Options that do not exist or would be ignored, files that cannot be read and fits that fail end with 3 too.

    \b
    Examples:
      skcompare check old.skc new.skc --metric roc_auc --margin 0.01
      skcompare check old.csv new.csv --margin f1=0.02 --junit gate.xml
    """
    from skcompare.cli.files import answered, as_junit
    from skcompare.reporting.markdown import item

    def write(of_junit: str, of_markdown: str) -> None:
        for path, text in ((junit, of_junit), (markdown, of_markdown)):
            if path is not None:
                path.write_text(f"{text}\n", encoding="utf-8")

    try:
        found, notes = answered(asked, {kind: _typed(groups) for kind, groups in _TAKES.items()}, _fitted)
    except Exception as error:  # no file of an earlier run may stand for this one
        line = _as_typed(error_line(error), click.get_current_context())
        write(as_junit("skcompare check", "cannot be compared", line), f"**{item(line)}**")
        raise
    line, as_markdown = found._line(), "\n\n".join([found.to_markdown(), *map(item, notes)])
    write(as_junit(f"{found.new} against {found.old}", found.verdict, line), as_markdown)
    said = [line, _for_terminal(found._document().blocks[1:]), *map(wrap, notes)]
    click.echo(found.to_json() if as_json else "\n\n".join(said))
    click.get_current_context().exit(_STATUS[found.verdict])


# ---- the commands of a store ----------------------------------------------------------------------------------


@command.group("store", short_help="List, show, clean and repair a store of finished fits.")
def store_commands() -> None:
    """List, show, clean and repair a store: the file of finished fits that --store names."""


def _of_store(does: str, file: Path, **asked: Any) -> None:
    """What a command of a store does: a function of `contents`."""
    from skcompare.evaluation.store import contents

    click.echo(getattr(contents, does)(file, **asked))


for name, row in _STORE.items():
    _command(row["summary"], row["takes"], name, store_commands, help=row["help"])(partial(_of_store, row["does"]))
