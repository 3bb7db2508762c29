"""The `skcompare` command."""

from __future__ import annotations

import shlex
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn, TypeVar

try:
    import click
except ImportError as error:
    raise ImportError("the skcompare command needs click: pip install 'skcompare[cli]'") from error

from skcompare._core.version import __version__
from skcompare.cli.analyze import analyze_command
from skcompare.cli.check import check_command
from skcompare.cli.curve import curve_command
from skcompare.cli.data import DATASETS, Given
from skcompare.cli.errors import InputError, NoAnswerError, as_input_error, error_line, taken
from skcompare.cli.plan import plan_command
from skcompare.cli.run import Interrupted, Outputs, check_page, evaluate, read_study
from skcompare.cli.store import store_commands
from skcompare.cli.verify import verify_command

Function = TypeVar("Function", bound=Callable[..., Any])


def _options(*options: Callable[[Function], Function]) -> Callable[[Function], Function]:
    """Options that several commands share, in this order."""

    def add(function: Function) -> Function:
        for option in reversed(options):
            function = option(function)
        return function

    return add


_DETAIL = click.option(
    "--detail",
    type=click.Choice(["short", "full"]),
    default="short",
    show_default=True,
    help="How much is printed; full is what explain prints.",
)
_PRIMARY = click.option(
    "--primary", metavar="METRIC", help="The metric that decides.  [default: the first one that is scored]"
)
_WRITTEN = _options(
    _DETAIL,
    click.option("--out", type=Path, metavar="FILE", help="Save the result; skcompare.load reads it."),
    click.option("--html", type=Path, metavar="FILE", help="Write the report too: one page that works offline."),
)
_FITTED = _options(
    click.option("-n", "--jobs", type=int, default=1, show_default=True, help="Worker processes; -1 for all cores."),
    click.option(
        "--store", type=Path, metavar="FILE", help="Keep finished fits in FILE, and fit only what is not there."
    ),
    click.option(
        "--progress/--no-progress",
        default=None,
        help="Show fits done and the time left.  [default: on a terminal, if tqdm is installed]",
    ),
)
_SEPARATOR = click.option(
    "--sep", default=",", show_default=True, metavar="CHARACTER", help="What separates the columns; tab for a tab."
)
_COLUMNS = _options(
    click.option("--data", type=Path, metavar="FILE.csv", help="A text file with a header line, separated by commas."),
    click.option(
        "--target",
        multiple=True,
        metavar="COLUMN",
        help="The column of --data to predict; repeatable, for several labels (0 and 1) or several numbers.",
    ),
    click.option(
        "--categorical",
        multiple=True,
        metavar="COLUMN",
        help="A column of --data to take as categories although it holds numbers; repeatable.",
    ),
    click.option("--drop", multiple=True, metavar="COLUMN", help="A column of --data to leave out; repeatable."),
    _SEPARATOR,
)


_EVALUATED = _options(
    click.option("--dataset", metavar="NAME", help=f"A data set that scikit-learn brings: {', '.join(DATASETS)}."),
    _COLUMNS,
    click.option(
        "--model",
        "models",
        multiple=True,
        required=True,
        metavar="[NAME=]MODULE:CLASS[(KEY=VALUE, ...)]",
        help="A model, e.g. 'nb=sklearn.naive_bayes:GaussianNB'; give one or more.",
    ),
    click.option(
        "--group", metavar="COLUMN", help="A column of --data whose rows belong together, as a patient; no feature."
    ),
    click.option("--cv", default="10x10", show_default=True, help="K folds, or RxK: R repeats of K folds."),
    click.option(
        "--in-time", is_flag=True, help="Rows are in time order: --cv test sets, each later than what is trained on."
    ),
    click.option(
        "--scoring",
        multiple=True,
        metavar="METRIC",
        help="A scikit-learn scorer, fit_time, predict_time, model_size, peak_memory or complexity; repeatable. "
        "[default: five metrics of the task, three in regression]",
    ),
    click.option(
        "--seed",
        type=click.IntRange(0, 2**32 - 1),
        default=0,
        show_default=True,
        help="Seed of splits and models: random_state in Python.",
    ),
    click.option(
        "--baseline",
        metavar="NAME",
        help="Which models are not better than this one? dummy adds one that guesses; one --model is then enough.",
    ),
)


_OLD = {"--not-worse-by": "--margin", "--delta": "--margin"}  # options that had other names


class _Commands(click.Group):
    """All commands: no error of `check` ends with 1 or 2, which are its answers."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        with _no_answer(ctx):
            return super().parse_args(ctx, [*map(_now_called, args)])

    def invoke(self, ctx: click.Context) -> Any:
        with _no_answer(ctx):
            return super().invoke(ctx)


def _now_called(arg: str) -> str:
    """An option by its name of today."""
    name, equals, value = arg.partition("=")
    if name not in _OLD:
        return arg
    from skcompare._core.names import told_of_old

    click.echo(f"skcompare: warning: {told_of_old(name, f'give {_OLD[name]}')}", err=True)
    return f"{_OLD[name]}{equals}{value}"


@contextmanager
def _no_answer(ctx: click.Context) -> Iterator[None]:
    """Errors end with 2, those of `check` and of a command that is not known, which may have been meant, with 3."""
    whole = False
    try:
        yield
        return
    except Interrupted:
        raise
    except click.ClickException as error:
        said, whole = error.format_message(), getattr(error, "whole", False)
    except OSError as error:  # as of a full disk behind standard output; click would end with 1 where it is closed
        said = str(error)
    except SystemExit as error:  # as of a module without a guard that is imported for its models
        said = f"code that was called ended Python, with status {error.code!r:.40}"
    raise (NoAnswerError if ctx.invoked_subcommand in (None, "check") else InputError)(said, whole=whole)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="skcompare")
def command() -> None:
    """Is this scikit-learn model really better than that one?"""


@command.command(short_help="Compare models on a data set and print the answer.")
@_EVALUATED
@_FITTED
@_PRIMARY
@_WRITTEN
def compare(**options: Any) -> None:
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
    outputs, read = taken(Outputs, options), taken(Given, options)
    read.check()
    outputs.check(options["scoring"])
    named, X, y, groups, notes = read.read()
    outputs.finish(evaluate(lambda evaluator: evaluator.evaluate(named, X, y, groups=groups), **options), notes)


@command.command(short_help="Compare models on several data sets, from a TOML file.")
@click.argument("config", type=Path)
@_FITTED
@_PRIMARY
@_WRITTEN
def study(config: Path, **options: Any) -> None:
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
    outputs = taken(Outputs, options)
    models, datasets, design, notes = read_study(config)
    outputs.check(design["scoring"])
    result = evaluate(lambda evaluator: evaluator.evaluate_datasets(models, datasets), **design, **options)
    outputs.finish(result, notes)


@command.command("procedures", short_help="List all procedures, or explain one.")
@click.argument("name", required=False)
def list_procedures(name: str | None) -> None:
    """List all procedures by the evidence that they take.

    With a NAME, with or without a trailing _test, explain that one: what it answers, when to take it, what it assumes,
    its measured error rate, and when it misleads.
    """
    from skcompare._core.validation import cut, did_you_mean, nearest
    from skcompare.comparison.error_rates import procedures

    table = procedures()
    if name is None:
        click.echo(table)
        return
    found = {alias: row for row in table for alias in (row.name.removesuffix("_test"), row.name)}
    if name not in found:
        hint = did_you_mean(nearest(name, [row.name for row in table]))
        raise InputError(cut(f"{hint}NAME must be one that 'skcompare procedures' lists; got {name!r}"))
    click.echo(found[name])


@command.command(short_help="Print the answer of a saved result.")
@click.argument("file", type=Path)
@_DETAIL
@_PRIMARY
def show(file: Path, detail: str, primary: str | None) -> None:
    """Print the answer of a result that compare, study, curve or analyze saved with --out."""
    _print(file, detail, primary)


@command.command(short_help="Print all that is behind the answer of a saved result.")
@click.argument("file", type=Path)
@_PRIMARY
def explain(file: Path, primary: str | None) -> None:
    """Print the answer of a saved result and all that is behind it, section by section.

    Every pair, the models' own scores, error rates in simulations, what the test assumes, and all warnings.
    """
    _print(file, "full", primary)


def _print(file: Path, detail: str, primary: str | None) -> None:
    from skcompare._load import load_shown

    with as_input_error(OSError, ValueError):
        result = load_shown(file)
    Outputs(detail=detail, primary=primary).finish(result)


@command.command(short_help="Write the HTML report of a saved result.")
@click.argument("file", type=Path)
@click.option("--out", type=Path, metavar="FILE", help="Where to write it.  [default: FILE with the suffix .html]")
@_PRIMARY
def report(file: Path, out: Path | None, primary: str | None) -> None:
    """Write the report of a result that compare, analyze or study saved with --out, and print its answer.

    The report is one HTML page that works offline. A page that is there already is replaced, a saved result is not.
    """
    from skcompare._load import load_shown

    target = file.parent / f"{file.stem}.html" if out is None else out
    check_page(target, "--out")
    with as_input_error(OSError, ValueError, ImportError):
        result = load_shown(file)
        answer = result.summary(primary=primary)
        result.to_html(target, primary=primary)
    click.echo(f"{answer}\n\nWrote {target}")


command.add_command(store_commands)
command.add_command(plan_command)
command.add_command(curve_command(_EVALUATED, _FITTED, _WRITTEN))
command.add_command(verify_command(_COLUMNS))
_ANALYZE = analyze_command(_options(_PRIMARY, _WRITTEN))
command.add_command(_ANALYZE)
command.add_command(check_command(_COLUMNS, _FITTED, _ANALYZE.params))


def main() -> NoReturn:
    """Run the command; bad input ends with one line on standard error and status 2, of `check` with 3."""
    try:
        status = command.main(sys.argv[1:] or ["--help"], prog_name="skcompare", standalone_mode=False)
    except Interrupted as stop:
        click.echo(f"skcompare: {stop.message}", err=True)
        sys.exit(stop.exit_code)
    except click.ClickException as error:
        click.echo(f"skcompare: error: {error_line(error)}", err=True)
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        command_line = shlex.join(["skcompare", *sys.argv[1:]])
        click.echo(f"skcompare: interrupted before the end. To run it again:\n{command_line}", err=True)
        sys.exit(130)
    except Exception:  # 1 and 2 would be answers of check
        traceback.print_exc()
        sys.exit(NoAnswerError.exit_code)
    sys.exit(status if isinstance(status, int) else 0)
