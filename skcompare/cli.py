"""The `skcompare` command."""

from __future__ import annotations

import ast
import csv
import sys
import textwrap
import warnings
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, NoReturn

try:
    import click
except ImportError as error:
    raise ImportError("the skcompare command needs click: pip install 'skcompare[cli]'") from error

DATASETS = ("breast_cancer", "diabetes", "digits", "iris", "wine")
# A text column of which at least this share of values are numbers is taken for a column with typing errors.
NUMERIC_SHARE = 0.5


class InputError(click.ClickException):
    """Bad input: one line on standard error and exit status 2."""

    exit_code = 2


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
        _check_dataset(dataset)
    if out is not None:
        _check_writable(out)
    named = parse_models(models)
    prepared = ""
    if data is not None:
        X, y, kinds = read_csv(data, target, categorical, regression=_all_regressors(named.values()))
        named, prepared = prepare(named, kinds)
    else:
        if dataset == "diabetes" and not _all_regressors(named.values()):
            raise InputError("--dataset diabetes has a numeric target: give regressors")
        X, y = load_dataset(str(dataset))
    result = _evaluate(named, X, y, cv=cv, scoring=scoring, seed=seed, jobs=jobs)
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
    from skcompare.table import from_frame

    if out is not None:
        _check_writable(out)
    frame = _read_frame(file, "FILE", dtype=dict.fromkeys(("model", "estimator", "metric"), str))
    for metric in less_is_better:
        if metric not in (set(frame["metric"]) if "metric" in frame else {"score"}):
            raise InputError(f"--less-is-better: {file} has no metric {metric!r}")
    if test_fraction is not None and not 0 < test_fraction < 1:
        raise InputError(f"--test-fraction must be between 0 and 1; got {test_fraction}")
    try:
        result = from_frame(frame, greater_is_better=dict.fromkeys(less_is_better, False), test_fraction=test_fraction)
    except ValueError as error:
        raise InputError(f"{file}: {_one_line(error)}") from error
    _finish(result, out)


@command.command("procedures", short_help="List all procedures.")
def list_procedures() -> None:
    """List all procedures: evidence, designs, assumptions, measured error rate."""
    from skcompare import procedures

    click.echo(procedures())


@command.command(short_help="Print the summary of a saved result.")
@click.argument("file", type=Path)
def show(file: Path) -> None:
    """Print the summary of a result that compare or analyze saved with --out."""
    from skcompare.results import load

    try:
        result = load(file)
    except (OSError, ValueError) as error:
        raise InputError(_one_line(error)) from error
    _finish(result, None)


def _finish(result: Any, out: Path | None, note: str = "") -> None:
    """Save the result, then print its summary: what was computed is safe before anything else can go wrong."""
    if out is not None:
        try:
            result.save(out)
        except (OSError, ValueError) as error:
            raise InputError(f"--out: cannot write {out}: {_one_line(error)}") from error
    try:
        summary = result.summary()
    except ValueError as error:
        raise InputError(f"cannot test these scores: {_one_line(error)}") from error
    saved = "" if out is None else f"Saved to {out}"
    click.echo("\n\n".join(part for part in (summary, textwrap.fill(note, 100), saved) if part))


def _evaluate(named: dict[str, Any], X: Any, y: Any, *, cv: str, scoring: Sequence[str], seed: int, jobs: int) -> Any:
    from skcompare.evaluator import PairedEvaluator

    evaluator = PairedEvaluator(
        cv=int(cv) if cv.isdecimal() else cv,
        scoring=list(scoring) or None,
        n_jobs=jobs,
        random_state=seed,
        progress=sys.stderr.isatty() and find_spec("tqdm") is not None,
    )
    # told after the run, each once: an estimator may repeat one on every split
    with warnings.catch_warnings(record=True) as caught:
        try:
            result = evaluator.evaluate(named, X, y)
        except (ValueError, TypeError) as error:
            raise InputError(_one_line(error)) from error
    for line in dict.fromkeys(_one_line(warning.message) for warning in caught):
        click.echo(f"skcompare: warning: {line}", err=True)
    return result


def _check_writable(out: Path) -> None:
    """InputError, before any model is fitted, where the result could not be saved."""
    try:
        if out.is_dir():
            raise IsADirectoryError("it is a directory")
        with TemporaryFile(dir=out.parent):
            pass
    except OSError as error:
        raise InputError(f"--out: cannot write {out}: {error.strerror or error}") from error


def parse_models(specs: Sequence[str]) -> dict[str, Any]:
    """Estimators by name from specs ``name=module:Class(key=literal, ...)``, without evaluating any code.

    Raises
    ------
    InputError
        If a spec cannot be read, or names no importable estimator.
    """
    named: dict[str, Any] = {}
    for spec in specs:
        name, estimator = _parse_model(spec)
        if name in named:
            raise InputError(f"--model: two models are called {name!r}; write NAME=MODULE:CLASS with another name")
        named[name] = estimator
    return named


def _parse_model(spec: str) -> tuple[str, Any]:
    form = "must read NAME=MODULE:CLASS or NAME=MODULE:CLASS(KEY=LITERAL, ...)"
    path, colon, call = spec.partition(":")
    name, equals, module_name = path.rpartition("=")
    if not colon or (equals and not name.strip()):
        raise InputError(f"--model {form}; got {spec!r}")
    try:
        expression = ast.parse(call.strip(), mode="eval").body
        keywords: dict[str, Any] = {}
        if isinstance(expression, ast.Call):
            if expression.args or any(keyword.arg is None for keyword in expression.keywords):
                raise ValueError("only KEY=LITERAL arguments are possible")
            keywords = {str(k.arg): ast.literal_eval(k.value) for k in expression.keywords}
            expression = expression.func
        if not isinstance(expression, ast.Name):
            raise ValueError("the class must be a plain name")
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError) as error:
        raise InputError(f"--model {form}; got {spec!r} ({_one_line(error)})") from error
    cls = _import_class(module_name.strip(), expression.id, spec)
    # asked of the class: making an instance of any class at all could do anything
    if not all(hasattr(cls, method) for method in ("fit", "predict", "get_params")):
        raise InputError(f"--model {spec!r}: {expression.id} is no estimator with fit and predict")
    try:
        estimator = cls(**keywords)
    except Exception as error:
        raise InputError(f"--model {spec!r}: {_one_line(error)}") from error
    return name.strip() or expression.id.lower(), estimator


def _import_class(module_name: str, class_name: str, spec: str) -> Any:
    try:
        module = import_module(module_name)
    except Exception as error:
        raise InputError(f"--model {spec!r}: cannot import {module_name!r}: {_one_line(error)}") from error
    found = getattr(module, class_name, None)
    if not isinstance(found, type):
        near = get_close_matches(class_name, [n for n in dir(module) if isinstance(getattr(module, n), type)], n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise InputError(f"--model {spec!r}: {module_name} has no class {class_name!r}{hint}")
    return found


def _check_dataset(name: str) -> None:
    if name not in DATASETS:
        near = get_close_matches(name, DATASETS, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise InputError(f"--dataset must be one of {', '.join(DATASETS)}; got {name!r}{hint}")


def load_dataset(name: str) -> tuple[Any, Any]:
    """X and y of a data set that scikit-learn brings."""
    from sklearn import datasets

    X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    return X, y


def _read_frame(path: Path, option: str, dtype: Any = None) -> Any:
    """A comma-separated file as a frame with strings for column names."""
    try:
        import pandas as pd
    except ImportError:
        raise InputError(f"{option} needs pandas: pip install 'skcompare[frames]'") from None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)
            # without index_col=False a first column that the header has no name for would become the index
            frame = pd.read_csv(path, index_col=False, low_memory=False, dtype=dtype)
    except pd.errors.ParserWarning:
        raise InputError(f"{option}: the rows of {path} have more fields than its header") from None
    except OSError as error:
        raise InputError(f"{option}: cannot read {path}: {error.strerror or error}") from error
    except Exception as error:
        raise InputError(f"{option}: cannot read {path} as comma-separated text: {_one_line(error)}") from error
    frame.columns = pd.Index([str(column) for column in frame.columns])
    with path.open(encoding="utf-8", errors="replace") as lines:
        header = next(csv.reader(lines), [])
    twice = [name for name in header if name and header.count(name) > 1]
    if twice:
        raise InputError(f"{option}: {path} has {header.count(twice[0])} columns called {twice[0]!r}")
    return frame


def read_csv(
    path: Path, target: str | None, categorical: Sequence[str], *, regression: bool
) -> tuple[Any, Any, dict[str, list[str]]]:
    """X as a frame, y, and which columns are numeric and which categorical.

    Raises
    ------
    InputError
        If the file cannot be read, has no such column, or a column is neither numbers nor categories.
    """
    frame = _read_frame(path, "--data")
    columns = list(frame.columns)
    if target is None:
        raise InputError(f"--target must name the column to predict, one of: {_some(columns)}")
    for option, name in [("--target", target), *(("--categorical", name) for name in categorical)]:
        if name not in columns:
            near = get_close_matches(name, columns, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            separator = " (is the file separated by commas?)" if len(columns) == 1 else ""
            raise InputError(f"{option}: {path} has no column {name!r}, only {_some(columns)}{hint}{separator}")
    if len(columns) < 2:
        raise InputError(f"--data: {path} has no column besides {target!r}")
    y = _target(frame[target], target, regression=regression)
    X = frame.drop(columns=target)
    kinds: dict[str, list[str]] = {"numeric": [], "categorical": []}
    for name in X.columns:
        kinds["categorical" if name in categorical or not _is_numeric(X[name], name) else "numeric"].append(name)
        if name in kinds["categorical"] and name not in categorical and X[name].nunique() > max(20, len(X) // 2):
            raise InputError(
                f"--data: column {name!r} holds {X[name].nunique()} different texts in {len(X)} rows, too many for "
                f"categories; remove it, or take it as categories all the same with --categorical {name}"
            )
    for name in kinds["categorical"]:
        X[name] = X[name].astype(object).map(str, na_action="ignore")
    return X, y, kinds


def _target(column: Any, name: str, *, regression: bool) -> Any:
    import pandas as pd

    if len(column) == 0:
        raise InputError(f"--data: no rows below the header (target {name!r})")
    if column.isna().any():
        raise InputError(f"--target: column {name!r} has no value in {_row(column.isna())}")
    if regression:
        numbers = pd.to_numeric(column, errors="coerce")
        if numbers.isna().any():
            bad = column[numbers.isna()].iloc[0]
            raise InputError(
                f"--target: column {name!r} must hold numbers for regressors; got {bad!r} in {_row(numbers.isna())}"
            )
        return numbers.to_numpy(dtype=float)
    if pd.api.types.is_numeric_dtype(column):
        measured = column[column % 1 != 0]
        if len(measured):
            raise InputError(
                f"--target: column {name!r} must hold classes for classifiers; got {float(measured.iloc[0])!r} "
                f"in {_row(column % 1 != 0)}"
            )
        return column.to_numpy()
    return column.astype(str).to_numpy(dtype=object)


def _is_numeric(column: Any, name: str) -> bool:
    """Whether a column holds numbers; InputError where most of its values do and some do not."""
    import pandas as pd

    text = column.dropna()
    if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
        return True
    if text.map(lambda value: isinstance(value, bool)).all():
        return False
    numbers = pd.to_numeric(text, errors="coerce")
    wrong = numbers.isna()
    if len(text) and not wrong.any():
        raise InputError(f"--data: column {name!r} holds numbers too large to compute with, such as {text.iloc[0]}")
    if len(text) and (~wrong).mean() >= NUMERIC_SHARE:
        raise InputError(
            f"--data: column {name!r} holds numbers, but {text[wrong].iloc[0]!r} in {_row(wrong)}; "
            f"mend it, or take the column as categories with --categorical {name}"
        )
    return False


def prepare(named: dict[str, Any], kinds: dict[str, list[str]]) -> tuple[dict[str, Any], str]:
    """Every model behind the default preparation of a table, and that preparation in words."""
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    numeric = make_pipeline(SimpleImputer(strategy="median", keep_empty_features=True), StandardScaler())
    categories = make_pipeline(
        SimpleImputer(strategy="most_frequent", keep_empty_features=True),
        OneHotEncoder(handle_unknown="ignore", sparse_output=False),
    )
    table = ColumnTransformer(
        [("numeric", numeric, kinds["numeric"]), ("categorical", categories, kinds["categorical"])]
    )
    words = (
        f"Prepared within each training set: {len(kinds['numeric'])} numeric columns (missing values: median; "
        f"standardised), {len(kinds['categorical'])} categorical columns (missing values: most frequent; one-hot)."
    )
    return {name: make_pipeline(table, model) for name, model in named.items()}, words


def _all_regressors(estimators: Any) -> bool:
    from sklearn.base import is_regressor

    return all(is_regressor(estimator) for estimator in estimators)


def _row(bad: Any) -> str:
    """The first row that is bad."""
    return f"row {int(bad.index[bad.to_numpy().argmax()]) + 1} below the header"


def _some(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names[:8])) + (", ..." if len(names) > 8 else "")


def _one_line(error: object) -> str:
    """An error as one line of at most 300 characters."""
    line = " ".join(str(error).split()) or type(error).__name__
    return line if len(line) <= 300 else f"{line[:297]}..."


def main() -> NoReturn:
    """Run the command; bad input ends with one line on standard error and status 2."""
    try:
        command.main(sys.argv[1:] or ["--help"], prog_name="skcompare", standalone_mode=False)
    except click.ClickException as error:
        click.echo(f"skcompare: error: {_one_line(click.ClickException(error.format_message()))}", err=True)
        sys.exit(2)
    except OSError as error:  # a full disk behind standard output
        click.echo(f"skcompare: error: {_one_line(error)}", err=True)
        sys.exit(2)
    except (click.Abort, KeyboardInterrupt):
        click.echo("skcompare: interrupted", err=True)
        sys.exit(130)
    sys.exit(0)
