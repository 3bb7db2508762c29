"""The `skcompare` command."""

from __future__ import annotations

import sys
import textwrap
import warnings
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, NoReturn

try:
    import click
except ImportError as error:
    raise ImportError("the skcompare command needs click: pip install 'skcompare[cli]'") from error

from skcompare.cli.config import read_study
from skcompare.cli.errors import InputError, as_input_error, did_you_mean, error_line
from skcompare.cli.models import all_regressors, parse_models, prepare
from skcompare.cli.plan import plan_command
from skcompare.cli.store import store_commands
from skcompare.cli.table import DATASETS, bundled_dataset, check_dataset, read_csv, read_frame


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="skcompare", prog_name="skcompare")
def command() -> None:
    """Is this scikit-learn model really better than that one?"""


@command.command(short_help="Compare models on a data set and print the verdict.")
@click.option("--dataset", metavar="NAME", help=f"A data set that scikit-learn brings: {', '.join(DATASETS)}.")
@click.option("--data", type=Path, metavar="FILE.csv", help="A comma-separated file with a header line.")
@click.option("--target", metavar="COLUMN", help="The column of --data to predict.")
@click.option(
    "--categorical",
    multiple=True,
    metavar="COLUMN",
    help="A column of --data to take as categories although it holds numbers; repeatable.",
)
@click.option(
    "--model",
    "models",
    multiple=True,
    required=True,
    metavar="[NAME=]MODULE:CLASS[(KEY=VALUE, ...)]",
    help="A model, e.g. 'nb=sklearn.naive_bayes:GaussianNB'; give two or more.",
)
@click.option("--cv", default="10x10", show_default=True, help="K folds, or RxK: R repeats of K folds.")
@click.option(
    "--scoring",
    multiple=True,
    metavar="METRIC",
    help="A scikit-learn scorer, fit_time, predict_time or model_size; repeatable. "
    "[default: five metrics of the task, three in regression]",
)
@click.option(
    "--seed", type=click.IntRange(0, 2**32 - 1), default=0, show_default=True, help="Seed of splits and models."
)
@click.option("-n", "--jobs", type=int, default=1, show_default=True, help="Worker processes; -1 for all cores.")
@click.option("--store", type=Path, metavar="FILE", help="Keep finished fits in FILE, and fit only what is not there.")
@click.option("--out", type=Path, metavar="FILE", help="Save the result; skcompare.load reads it.")
def compare(
    dataset: str | None,
    data: Path | None,
    target: str | None,
    categorical: tuple[str, ...],
    models: tuple[str, ...],
    cv: str,
    scoring: tuple[str, ...],
    seed: int,
    jobs: int,
    store: Path | None,
    out: Path | None,
) -> None:
    """Compare models on the same splits of one data set and print the verdict.

    Columns of --data that hold numbers get missing values filled by the median and are standardised; all others
    are categories, with missing values filled by the most frequent one, and one-hot encoded. Both are learnt
    from the training samples of each split alone. Data sets given by --dataset are used as they are.

    \b
    Example:
      skcompare compare --dataset breast_cancer --cv 10x10 \\
        --model "nb=sklearn.naive_bayes:GaussianNB" \\
        --model "tree=sklearn.tree:DecisionTreeClassifier(max_depth=3)"
    """
    if (dataset is None) == (data is None):
        raise InputError("give either --dataset NAME or --data FILE.csv")
    if data is None and (target is not None or categorical):
        raise InputError("--target and --categorical go with --data")
    if dataset is not None:
        check_dataset(dataset)
    _check_writable(out)
    named = parse_models(models)
    prepared = ""
    if data is not None:
        X, y, kinds = read_csv(data, target, categorical, regression=all_regressors(named.values()))
        named, prepared = prepare(named, kinds)
    else:
        if dataset == "diabetes" and not all_regressors(named.values()):
            raise InputError("--dataset diabetes has a numeric target: give regressors")
        X, y = bundled_dataset(str(dataset))
    result = _evaluate(
        lambda evaluator: evaluator.evaluate(named, X, y), cv=cv, scoring=scoring, seed=seed, jobs=jobs, store=store
    )
    _finish(result, out, prepared)


@command.command(short_help="Analyse scores that another tool made.")
@click.argument("file", type=Path)
@click.option("--less-is-better", multiple=True, metavar="METRIC", help="A metric of which less is better; repeatable.")
@click.option("--test-fraction", type=float, help="Test size over train plus test size; random splits need it.")
@click.option("--out", type=Path, metavar="FILE", help="Save the result; skcompare.load reads it.")
def analyze(file: Path, less_is_better: tuple[str, ...], test_fraction: float | None, out: Path | None) -> None:
    """Analyse a table of scores: one row per model, metric, repeat and fold.

    FILE is comma-separated text with the columns model, fold and score, and if there are any metric, repeat, n_train
    and n_test. One fold per repeat means random splits, anything else (repeated) k-fold.
    """
    from skcompare.tables.evaluation import from_frame

    _check_writable(out)
    frame = read_frame(file, "FILE", dtype=dict.fromkeys(("model", "estimator", "metric"), str))
    for metric in less_is_better:
        if metric not in (set(frame["metric"]) if "metric" in frame else {"score"}):
            raise InputError(f"--less-is-better: {file} has no metric {metric!r}")
    if test_fraction is not None and not 0 < test_fraction < 1:
        raise InputError(f"--test-fraction must be between 0 and 1; got {test_fraction}")
    with as_input_error(ValueError, start=f"{file}: "):
        result = from_frame(frame, greater_is_better=dict.fromkeys(less_is_better, False), test_fraction=test_fraction)
    _finish(result, out)


@command.command(short_help="Compare models on several data sets, from a TOML file.")
@click.argument("config", type=Path)
@click.option("-n", "--jobs", type=int, default=1, show_default=True, help="Worker processes; -1 for all cores.")
@click.option("--store", type=Path, metavar="FILE", help="Keep finished fits in FILE, and fit only what is not there.")
@click.option("--out", type=Path, metavar="FILE", help="Save the study; skcompare.load reads it.")
def study(config: Path, jobs: int, store: Path | None, out: Path | None) -> None:
    """Run the study that CONFIG describes, rank the models and print the verdict.

    Paths in CONFIG are relative to it. cv, scoring and seed may be left out.

    \b
    Example of CONFIG:
      cv = "10x10"
      scoring = ["accuracy", "f1_macro"]
      seed = 0
      [models]
      nb = "sklearn.naive_bayes:GaussianNB"
      tree = "sklearn.tree:DecisionTreeClassifier(max_depth=3)"
      [datasets]
      iris = "iris"
      cancer = "breast_cancer"
      mine = {path = "mine.csv", target = "class", categorical = ["zip"]}
    """
    _check_writable(out)
    models, datasets, options, note = read_study(config)
    result = _evaluate(
        lambda evaluator: evaluator.evaluate_datasets(models, datasets), **options, jobs=jobs, store=store
    )
    _finish(result, out, note)


@command.command("procedures", short_help="List all procedures, or explain one.")
@click.argument("name", required=False)
def list_procedures(name: str | None) -> None:
    """List all procedures by the evidence that they take.

    With a NAME, with or without a trailing _test, explain that one: what it answers, when to take it, what it assumes,
    its measured error rate, and when it misleads.
    """
    from skcompare.comparison.catalogue import procedures

    table = procedures()
    if name is None:
        click.echo(table)
        return
    found = {alias: row for row in table for alias in (row.name.removesuffix("_test"), row.name)}
    if name not in found:
        hint = did_you_mean(name, list(found), quoted=False)
        raise InputError(f"NAME must be one that 'skcompare procedures' lists; got {name!r}{hint}")
    click.echo(found[name])


@command.command(short_help="Print the summary of a saved result.")
@click.argument("file", type=Path)
def show(file: Path) -> None:
    """Print the summary of a result that compare or analyze saved with --out."""
    from skcompare._load import load_result

    with as_input_error(OSError, ValueError):
        result = load_result(file)
    _finish(result, None)


@command.command(short_help="Write the HTML report of a saved result.")
@click.argument("file", type=Path)
@click.option("--out", type=Path, metavar="FILE", help="Where to write it.  [default: FILE with the suffix .html]")
def report(file: Path, out: Path | None) -> None:
    """Write the report of a result that compare, analyze or study saved with --out: one HTML page that works offline.

    A page that is there already is replaced, a saved result is not.
    """
    from skcompare._load import load_result

    target = file.with_suffix(".html") if out is None else out
    if target.suffix == ".skc":
        raise InputError(f"--out: {target} is named like a saved result; give another name")
    _check_writable(target)
    with as_input_error(OSError, ValueError, ImportError):
        load_result(file).to_html(target)
    click.echo(f"Wrote {target}")


command.add_command(store_commands)
command.add_command(plan_command)


def _finish(result: Any, out: Path | None, note: str = "") -> None:
    """Save the result, then print its summary: what was computed is safe before anything else can go wrong."""
    if out is not None:
        with as_input_error(OSError, ValueError, start=f"--out: cannot write {out}: "):
            result.save(out)
    with as_input_error(ValueError, start="cannot test these scores: "):
        summary = result.summary()
    saved = "" if out is None else f"Saved to {out}"
    click.echo("\n\n".join(part for part in (summary, textwrap.fill(note, 100), saved) if part))


def _evaluate(
    run: Callable[[Any], Any], *, cv: str, scoring: Sequence[str], seed: int, jobs: int, store: Path | None
) -> Any:
    """What `run` makes of an evaluator with these options."""
    from skcompare.evaluator import PairedEvaluator

    evaluator = PairedEvaluator(
        cv=int(cv) if cv.isdecimal() else cv,
        scoring=list(scoring) or None,
        n_jobs=jobs,
        random_state=seed,
        store=store,
        progress=sys.stderr.isatty() and find_spec("tqdm") is not None,
    )
    # told after the run, each once: an estimator may repeat one on every split
    with warnings.catch_warnings(record=True) as caught, as_input_error(ValueError, TypeError):
        result = run(evaluator)
    for line in dict.fromkeys(error_line(warning.message) for warning in caught):
        click.echo(f"skcompare: warning: {line}", err=True)
    return result


def _check_writable(out: Path | None) -> None:
    """InputError, before any model is fitted, where the result is to be saved and could not be."""
    if out is None:
        return
    try:
        if out.is_dir():
            raise IsADirectoryError("it is a directory")
        with TemporaryFile(dir=out.parent):
            pass
    except OSError as error:
        raise InputError(f"--out: cannot write {out}: {error.strerror or error}") from error


def main() -> NoReturn:
    """Run the command; bad input ends with one line on standard error and status 2."""
    try:
        command.main(sys.argv[1:] or ["--help"], prog_name="skcompare", standalone_mode=False)
    except (click.ClickException, OSError) as error:  # one of the system: a full disk behind standard output
        told = error.format_message() if isinstance(error, click.ClickException) else error
        click.echo(f"skcompare: error: {error_line(told)}", err=True)
        sys.exit(2)
    except (click.Abort, KeyboardInterrupt):
        click.echo("skcompare: interrupted", err=True)
        sys.exit(130)
    sys.exit(0)
