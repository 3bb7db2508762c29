"""The `skcompare` command: its options, what its commands do, and how it ends."""

from __future__ import annotations

import re
import shlex
import sys
import textwrap
import tomllib
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any, NoReturn

try:
    import click
except ImportError as error:
    raise ImportError("the skcompare command needs click: pip install 'skcompare[cli]'") from error

from skcompare._core.version import __version__
from skcompare.cli.data import DATASETS, bundled_dataset, error_line, given, read_csv, read_study, told
from skcompare.cli.store import store_commands

WIDTH = 80  # of the command's own sentences
_TYPES = {"FILE": Path, "FILE.csv": Path, "INTEGER": int, "FLOAT": float}
_TABLE = tomllib.loads((Path(__file__).parent / "options.toml").read_text(encoding="utf-8"))
_BESIDES, _OTHERWISE, _STATUS = map(_TABLE.pop, ("besides", "otherwise", "status"))
_OLD = {"--not-worse-by": "--margin", "--delta": "--margin"}  # options that had other names

# ---- how it ends ----------------------------------------------------------------------------------------------


class _Ended(click.ClickException):
    """What is said on standard error, and the status: 2 of bad input, 3 of `check`, whose answers are 1 and 2."""

    def __init__(self, message: str, exit_code: int) -> None:
        super().__init__(message)
        self.exit_code = exit_code  # type: ignore[misc]


class _Commands(click.Group):
    """All commands: no error of `check` ends with 1 or 2, which are its answers."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        asked = [*args, "--help"] if args in ([], ["store"]) else args
        with _one_line(ctx):
            return super().parse_args(ctx, [*map(_now_called, asked)])

    def invoke(self, ctx: click.Context) -> Any:
        with _one_line(ctx), warnings.catch_warnings(record=True) as caught:
            found = super().invoke(ctx)
        for line in dict.fromkeys(error_line(warning.message) for warning in caught):  # one may come on every split
            click.echo(f"skcompare: warning: {line}", err=True)
        return found


def _now_called(arg: str) -> str:
    """An option by its name of today."""
    name, equals, value = arg.partition("=")
    if name not in _OLD:
        return arg
    from skcompare._core.validation import told_of_old

    click.echo(f"skcompare: warning: {told_of_old(name, f'give {_OLD[name]}')}", err=True)
    return f"{_OLD[name]}{equals}{value}"


_READERS = {"skcompare.load": "skcompare show", "skcompare.read": "skcompare analyze"}


def _as_typed(line: str, name: str | None) -> str:
    """What is said of parameters of Python, as the command called `name` is given them."""
    params = [one for one in getattr(command.commands.get(name or ""), "params", ()) if isinstance(one, click.Option)]
    own = {str(one.name): next((x for x in one.opts if x.startswith("--")), "") for one in params} | {"file": "FILE"}
    typed = {name: own[known] for name, known in _OTHERWISE.items() if known in own} | own | _READERS
    places = r"(?<![\w.'-])(\w+|skcompare\.\w+)(?:\[\d+\])?( must| does not go| reads)\b"
    return re.sub(places, lambda found: typed[found[1]] + found[2] if found[1] in typed else found[0], line)


@contextmanager
def _one_line(ctx: click.Context) -> Iterator[None]:
    """Errors end with 2, those of `check` and of a command that is not known, which may have been meant, with 3."""
    try:
        yield
        return
    except _Ended:
        raise
    except click.ClickException as error:
        said = error_line(error.format_message())
    except (ValueError, TypeError, ImportError, OSError) as error:  # OSError as of a full disk behind standard output
        file = getattr(error, "filename", None)
        said = error_line(error) if file is None else f"cannot use {file}: {error_line(error)}"
    except SystemExit as error:  # as of a module without a guard that is imported for its models
        said = f"code that was called ended Python, with status {error.code!r:.40}"
    raise _Ended(_as_typed(said, ctx.invoked_subcommand), 3 if ctx.invoked_subcommand in (None, "check") else 2)


def main() -> NoReturn:
    """Run the command; bad input ends with one line on standard error and status 2, of `check` with 3."""
    try:
        status = command.main(sys.argv[1:], prog_name="skcompare", standalone_mode=False)
    except click.ClickException as error:
        click.echo(f"skcompare: {'' if error.exit_code == 130 else 'error: '}{error.message}", err=True)
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        again = shlex.join(["skcompare", *sys.argv[1:]])
        click.echo(f"skcompare: interrupted before the end. To run it again:\n{again}", err=True)
        sys.exit(130)
    except Exception:  # 1 and 2 would be answers of check
        traceback.print_exc()
        sys.exit(3)
    sys.exit(status if isinstance(status, int) else 0)


# ---- fits -----------------------------------------------------------------------------------------------------


def _fitted(
    run: Callable[[Any], Any],
    *,
    cv: str,
    scoring: Sequence[str],
    seed: int,
    jobs: int,
    store: Path | None,
    progress: bool | None,
    baseline: str | None = None,
    in_time: bool = False,
    **_: Any,
) -> Any:
    """What `run` makes of an evaluator with these options.

    Raises
    ------
    ValueError, TypeError or ImportError
        If one of them does not fit.
    click.ClickException
        If the user ends it; status 130.
    """
    from sklearn.model_selection import TimeSeriesSplit

    from skcompare.evaluation.fit import INTERRUPTED
    from skcompare.evaluation.input import RunOptions
    from skcompare.evaluator import PairedEvaluator

    if in_time and (not cv.isdecimal() or int(cv) < 2):
        raise ValueError(f"--cv must be a number of test sets of at least 2 with --in-time, as --cv 5; got {cv!r}")
    kept: list[None] = []
    evaluator = PairedEvaluator(
        cv=TimeSeriesSplit(int(cv)) if in_time else int(cv) if cv.isdecimal() else cv,
        scoring=list(scoring) or None,
        n_jobs=jobs,
        random_state=seed,
        store=store,
        progress=_is_shown(progress),
        options=RunOptions(callback=lambda event: kept.extend([None] * (event.error is None))),
        baseline=baseline,
    )
    try:
        return run(evaluator)
    except KeyboardInterrupt as stop:
        where = [note for note in getattr(stop, "__notes__", ()) if note.startswith(INTERRUPTED)]
        again = shlex.join(["skcompare", *sys.argv[1:]])
        n_kept = "1 finished fit is" if len(kept) == 1 else f"{len(kept)} finished fits are"
        how = f"{n_kept} kept in {store}. To go on:\n{again}"
        if store is None:
            how = f"Nothing is kept without --store. To keep fits, run:\n{again} --store runs.sqlite"
        raise _Ended(f"{error_line(where[0]) if where else 'interrupted'}. {how}", 130) from stop


def _is_shown(progress: bool | None) -> bool:
    """Whether progress is: as it is asked for, else on a terminal."""
    return sys.stderr.isatty() and find_spec("tqdm") is not None if progress is None else progress


# ---- what is printed and written ------------------------------------------------------------------------------


def _check_written(
    *, out: Path | None, html: Path | None, primary: str | None = None, scoring: Sequence[str] = (), **_: Any
) -> None:
    """ValueError, before any model is fitted, where a file could not be written or no such metric is scored."""
    if primary is not None and scoring:
        from skcompare._core.validation import check_choice

        check_choice(primary, "--primary", scoring)
    _check_writable(out, "--out")
    _check_writable(html, "--html", page=True)


def _check_writable(path: Path | None, option: str, *, page: bool = False) -> None:
    """ValueError where a file could not be written, or would take the place of one that is read or saved."""
    from tempfile import TemporaryFile

    from skcompare._core.archive import check_replaceable

    if path is None:
        return
    if page and path.suffix == ".skc":
        raise ValueError(f"{option}: {path} is named like a saved result; give another name")
    given = click.get_current_context().params
    used = ["file", "data", "config", "old", "new", "store", *(["out"] if option != "--out" else [])]
    others = [*map(given.get, used), *given.get("files", ())]
    if path.resolve() in [Path(one).resolve() for one in others if one]:
        raise ValueError(f"{option}: {path} is used too; give another name")
    with told(f"{option}: cannot write {path}: "):
        if path.is_dir():
            raise IsADirectoryError("it is a directory")
        check_replaceable(path)
        TemporaryFile(dir=path.parent).close()
    if page:
        from skcompare.reporting.page import check_extra

        with told(f"{option}: "):
            check_extra()


def _on_terminal(blocks: Sequence[Any], more: str = "") -> str:
    """The text of a document, in which hints for a session of Python give way to where there is more in a terminal."""
    from skcompare._core.document import Paragraph, as_texts

    return as_texts([replace(x, hint=more) if isinstance(x, Paragraph) and x.hint else x for x in blocks])


def _tell(
    result: Any,
    notes: Sequence[str] = (),
    *,
    first: str = "",
    last: str = "",
    out: Path | None = None,
    html: Path | None = None,
    detail: str = "short",
    primary: str | None = None,
    **_: Any,
) -> None:
    """Save the result, print the summary, with what is to stand before and after it, and write the page."""
    if out is not None:  # what was computed is safe before anything else can go wrong
        with told(f"--out: cannot write {out}: "):
            result.save(out)
    with told("" if primary else "cannot test these scores: ", (ValueError,)):
        found = result._document(detail, result._known(primary))
    summary = str(found) if detail == "full" else _on_terminal(found.blocks, "More: --detail full.")
    if html is not None:
        with told(f"cannot write {html}: "):
            result.to_html(html, primary=primary)
    written = [f"{done} {path}" for done, path in {"Saved to": out, "Wrote": html}.items() if path is not None]
    said = [textwrap.fill(note, WIDTH) for note in notes if note]
    click.echo("\n\n".join(filter(None, [first, summary, last, "\n".join(said), "\n".join(written)])))


def _answer(notes: Sequence[str], run: Callable[[Any], Any], **asked: Any) -> None:
    """Fit, and tell what was found."""
    _check_written(**asked)
    _tell(_fitted(run, **asked), notes, **asked)


# ---- the options, as options.toml writes them -----------------------------------------------------------------


def _option(usage: str, text: str) -> click.Option:
    written, _, default = usage.partition(" = ")
    flags, value, many = re.findall(r"^((?:-[\w/-]+,? ?)+)(.*?)((?<!,)\.\.\.)?$", written)[0]
    choices = re.fullmatch(r"\[([^=\]]+\|[^=\]]+)\]", value)
    own: dict[str, Any] = {"default": None} if "/" in flags else {} if value else {"is_flag": True}
    if value:
        kind = click.Choice(choices[1].split("|")) if choices else _TYPES.get(value, str)
        own = {"type": kind, "multiple": bool(many), "metavar": value if kind in (str, Path) else None}
    if default:
        own |= {"default": default, "show_default": True}
    own |= _BESIDES.get(written, {})
    if "range" in own:
        own["type"] = (click.FloatRange if value == "FLOAT" else click.IntRange)(*own.pop("range"))
    named = [*flags.replace(",", "").split(), *filter(None, [own.pop("name", "")])]
    return click.Option(named, help=text.replace("{datasets}", ", ".join(DATASETS)), **own)


_OPTIONS = {group: [_option(usage, row) for usage, row in rows.items()] for group, rows in _TABLE.items()}
_OPTIONS["data"] = _OPTIONS["dataset"] + _OPTIONS["table"]
_OPTIONS["tables"] = [one for one in _OPTIONS["reading"] if one.name not in ("dataset", "metrics", "sep")]  # of check


# ---- the commands ---------------------------------------------------------------------------------------------


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="skcompare")
def command() -> None:
    """Is this scikit-learn model really better than that one?"""


def _command(summary: str, groups: str, name: str | None = None) -> Callable[[Callable[..., Any]], click.Command]:
    """A command with the options of some groups, in this order."""
    options: list[click.Parameter] = [one for group in groups.split() for one in _OPTIONS[group]]
    return command.command(name, short_help=summary, params=options)


@_command("Compare models on a data set and print the answer.", "data models fits primary written")
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
    models, X, y, groups, notes = given(**asked)
    _answer(notes, lambda evaluator: evaluator.evaluate(models, X, y, groups=groups), **asked)


@_command("Compare models on several data sets, from a TOML file.", "fits primary written")
@click.argument("config", type=Path)
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
    models, datasets, design, notes = read_study(config)
    _answer(notes, lambda evaluator: evaluator.evaluate_datasets(models, datasets), **design, **asked)


@_command("List all procedures, or explain one.", "", "procedures")
@click.argument("name", required=False)
def list_procedures(name: str | None) -> None:
    """List all procedures by the evidence that they take.

    With a NAME, with or without a trailing _test, explain that one: what it answers, when to take it, what it assumes,
    its measured error rate, and when it misleads.
    """
    from skcompare._core.validation import cut, did_you_mean, nearest
    from skcompare.inference._catalog import procedures

    table = procedures()
    found = {alias: row for row in table for alias in (row.name.removesuffix("_test"), row.name)}
    if name is not None and name not in found:
        hint = did_you_mean(nearest(name, [row.name for row in table]))
        raise ValueError(cut(f"{hint}NAME must be one that 'skcompare procedures' lists; got {name!r}"))
    click.echo(table if name is None else found[name])


@_command("Print the answer of a saved result.", "detail primary")
@click.argument("file", type=Path)
def show(file: Path, **asked: Any) -> None:
    """Print the answer of a result that compare, study, curve or analyze saved with --out."""
    from skcompare._load import load_shown

    _tell(load_shown(file), **asked)


@_command("Print all that is behind the answer of a saved result.", "primary")
@click.argument("file", type=Path)
def explain(file: Path, primary: str | None) -> None:
    """Print the answer of a saved result and all that is behind it, section by section.

    Every pair, the models' own scores, error rates in simulations, what the test assumes, and all warnings.
    """
    from skcompare._load import load_shown

    _tell(load_shown(file), detail="full", primary=primary)


@_command("Write the HTML report of a saved result.", "report primary")
@click.argument("file", type=Path)
def report(file: Path, out: Path | None, primary: str | None) -> None:
    """Write the report of a result that compare, study, curve or analyze saved with --out, and print its answer.

    The report is one HTML page that works offline. A page that is there already is replaced, a saved result is not.
    """
    from skcompare._load import load_shown

    page = file.with_suffix(".html") if out is None else out
    _check_writable(page, "--out", page=True)
    _tell(load_shown(file), html=page, primary=primary)


@_command("How many repeats, folds, samples or data sets a difference needs.", "plan")
@click.argument("file", type=Path, required=False)
def plan(file: Path | None, margin: float, metric: str | None, a: str | None, b: str | None, **rest: Any) -> None:
    """Say how many repeats, folds, samples or data sets detect a difference of --margin.

    The spread is that of FILE, a result or study saved with --out, or is assumed: for one data set by --sd, --n-train
    and --n-test, for a study of many by --sd-between.

    \b
    Example:
      skcompare plan result.skc --margin 0.02
      skcompare plan --margin 0.02 --sd 0.04 --n-train 180 --n-test 20
      skcompare plan --margin 0.02 --sd-between 0.03 --n-datasets 10
    """
    from skcompare import planning
    from skcompare._load import load_result

    goal = {name: rest.pop(name) for name in ("power", "alpha", "alternative")}
    named = {"sd": "std", "sd_between": "std", "repeats": "n_repeats", "folds": "n_folds"}
    spread = {name: value for name, value in rest.items() if value is not None}
    own = {named.get(name, name): value for name, value in spread.items()}
    if file is not None and spread:
        raise ValueError("give either FILE or --sd, --n-train and --n-test, or --sd-between")
    if file is not None:
        found = planning.plan(load_result(file), margin, metric=metric, a=a, b=b, **goal)
    elif {"sd", "n_train", "n_test"} <= spread.keys() <= rest.keys() - {"sd_between", "within_error", "n_datasets"}:
        found = planning.plan_evaluation(margin, **own, **goal)
    elif {"sd_between"} <= spread.keys() <= {"sd_between", "within_error", "n_datasets"}:
        found = planning.plan_study(margin, **own, **goal)
    else:
        raise ValueError("give FILE, or --sd, --n-train and --n-test, or --sd-between, and options of that one only")
    lines = str(found).splitlines()
    click.echo("\n".join(textwrap.fill(line, WIDTH, subsequent_indent="  " * line.startswith("-")) for line in lines))


@_command("Compare models with fewer training samples too.", "curve data models fits written")
def curve(sizes: str, **asked: Any) -> None:
    """Does the answer of compare hold with fewer training samples?

    Every model is fitted on training sets of several sizes, each a part of the next larger one, and tested on the
    same test sets. Prints what to use at which size, and where two models change places; all comparisons at all
    sizes share one error rate of 5%, so that few sizes and one --scoring find more. With --store the fits with
    all training samples are shared with compare.

    \b
    Example:
      skcompare curve --dataset breast_cancer --cv 10x10 --scoring roc_auc \\
        --model "nb=sklearn.naive_bayes:GaussianNB" \\
        --model "stump=sklearn.tree:DecisionTreeClassifier(max_depth=1)" \\
        --sizes 0.1,0.3,1.0
    """
    models, X, y, groups, notes = given(**asked)
    parts = [part.strip() for part in sizes.split(",")]
    try:
        wanted = [int(part) if all(map(str.isdecimal, parts)) else float(part) for part in parts]
    except ValueError as error:
        raise ValueError(f"--sizes must be numbers with commas between them, as 0.1,0.5,1.0; got {sizes!r}") from error
    _answer(notes, lambda one: one.learning_curve(models, X, y, train_sizes=wanted, groups=groups), **asked)


@_command("Fit a saved result again and compare every score.", "table verify")
@click.argument("file", type=Path)
def verify(
    file: Path, data: Path | None, allow: tuple[str, ...], jobs: int, progress: bool | None, **columns: Any
) -> None:
    """Fit again what FILE says it is of, and compare score by score.

    The data is a table given as to compare, or one that scikit-learn brings; either must be that of FILE by its
    digest. Nothing that FILE names is imported but estimators of the packages that are allowed. What keeps FILE
    from being verified is said before anything is fitted.

    Ends with status 0 where all is the same, bit for bit or to 1e-12, with 1 where it is different, and with 2
    where it cannot be verified.
    """
    from skcompare import verification
    from skcompare._load import load_result
    from skcompare.results import EvaluationResult

    if data is None and any(columns.values()):
        raise ValueError("--target, --categorical, --drop and --sep go with --data")
    result = load_result(file)
    if not isinstance(result, EvaluationResult):
        raise ValueError(f"{file} is a study: save its evaluations, study.results[NAME].save(FILE), and verify each")
    if data is None:
        X, y = _bundled(result)
    else:
        X, y, _ = read_csv(data, regression=result.details.task in ("regression", "multioutput"), **columns)
    found = verification.verify(result, X, y, allow=allow, n_jobs=jobs, progress=_is_shown(progress))
    click.echo(found)
    click.get_current_context().exit(_STATUS[found.outcome])


def _bundled(result: Any) -> tuple[Any, Any]:
    """The data set of scikit-learn that a result is of, known by its digest; nothing where it is of none."""
    from skcompare.evaluation.provenance import data_digest

    recipe = result.provenance.get("recipe")
    wanted = recipe.get("data") if isinstance(recipe, dict) else None
    for as_frame, name in product((False, True) if find_spec("pandas") is not None else (False,), DATASETS):
        X, y = bundled_dataset(name, as_frame=as_frame)
        if wanted == {"X": data_digest(X), "y": data_digest(y.to_numpy() if as_frame else y)}:
            return X, y
    return None, None


@_command("Analyse predictions, outcomes or scores that another tool made.", "reading analyze primary written")
@click.argument("files", type=Path, nargs=-1, required=True, metavar="FILE...")
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
    from skcompare.cli.files import Request

    _check_written(**asked)
    request, nulls, baseline = Request.of(asked), asked["nulls"], asked["baseline"]
    if baseline is not None and not nulls and request.by is None:
        raise ValueError("--baseline goes with --null or --by")
    result, said = request.read()
    first, last = request.answers(result, nulls, baseline)
    _tell(result, first="\n\n".join(filter(None, [textwrap.fill(said, WIDTH), first])), last=last, **asked)


@_command("May a new model replace an old one? The status says it.", "check table check_fits fits tables")
@click.argument("old")
@click.argument("new", required=False)
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
    several. Nor can they where rows, groups or the target are known in training. Options that do not exist, files
    that cannot be read and fits that fail end with 3 too.

    \b
    Examples:
      skcompare check old.skc new.skc --metric roc_auc --margin 0.01
      skcompare check old.csv new.csv --margin f1=0.02 --junit gate.xml
    """
    from skcompare._core.archive import check_regular
    from skcompare.cli.files import answered, as_junit
    from skcompare.reporting.markdown import item

    files = {name: path for name, path in (("junit", junit), ("markdown", markdown)) if path is not None}
    for name, path in files.items():
        check_regular(path, f"--{name}")
        _check_writable(path, f"--{name}")
    reading = {one.name: asked.pop(str(one.name)) for one in _OPTIONS["tables"]}

    def write(**texts: str) -> None:
        for name, path in files.items():
            with told(f"--{name}: cannot write {path}: "):
                path.write_text(f"{texts[name]}\n", encoding="utf-8")

    try:
        found, notes = answered(reading=reading, fitted=_fitted, **asked)
    except Exception as error:  # no file of an earlier run may stand for this one
        line = _as_typed(error_line(error), "check")
        write(junit=as_junit("skcompare check", "cannot be compared", line), markdown=f"**{item(line)}**")
        raise
    line = found._line()
    as_markdown = "\n\n".join([found.to_markdown(), *map(item, notes)])
    write(junit=as_junit(f"{found.new} against {found.old}", found.verdict, line), markdown=as_markdown)
    said = [textwrap.fill(note, WIDTH) for note in notes]
    click.echo(found.to_json() if as_json else "\n\n".join([line, _on_terminal(found._document().blocks[1:]), *said]))
    click.get_current_context().exit(_STATUS[found.verdict])


command.add_command(store_commands)
