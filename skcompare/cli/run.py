"""A run of the command: its options, its fits, what is printed at the end, and what is kept where it is interrupted."""

from __future__ import annotations

import json
import shlex
import sys
import textwrap
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from skcompare.cli.data import (
    DATASETS,
    Columns,
    all_regressors,
    behind_default_preparation,
    bundled_dataset,
    check_regular,
    check_separator,
    header_of,
    identifier_note,
    identifiers,
    parse_models,
    read_csv,
)
from skcompare.cli.errors import InputError, as_input_error, did_you_mean, error_line

WIDTH = 80  # of the command's own sentences


class Interrupted(click.ClickException):
    """Ctrl-C while models are fitted: two lines on standard error and exit status 130."""

    exit_code = 130


@dataclass(frozen=True, kw_only=True)
class Outputs:
    """Where a result goes, and how much is printed of it.

    Attributes
    ----------
    out, html : Path or None
        The saved result and its page.
    detail : str
        ``"short"`` or ``"full"``.
    primary : str or None
        The metric that decides.
    """

    out: Path | None = None
    html: Path | None = None
    detail: str = "short"
    primary: str | None = None

    def check(self, scoring: Sequence[str] = ()) -> None:
        """InputError, before any model is fitted, where a file could not be written or no such metric is scored."""
        if self.primary is not None and scoring and self.primary not in scoring:
            hint = did_you_mean(self.primary, scoring)
            raise InputError(f"--primary must be one of the metrics of --scoring; got {self.primary!r}{hint}")
        check_writable(self.out, "--out")
        if self.html is not None:
            check_page(self.html, "--html")

    def finish(self, result: Any, notes: Sequence[str] = ()) -> None:
        """Save the result, then print its summary: what was computed is safe before anything else can go wrong."""
        self.save(result)
        self.tell(result, notes)

    def save(self, result: Any) -> None:
        """Save the result, where it is asked for."""
        if self.out is not None:
            with as_input_error(OSError, ValueError, start=f"--out: cannot write {self.out}: "):
                result.save(self.out)

    def tell(self, result: Any, notes: Sequence[str] = (), *, first: str = "", last: str = "") -> None:
        """Print the summary, with what is to stand before and after it, and write the page."""
        with as_input_error(ValueError, start="" if self.primary else "cannot test these scores: "):
            summary = result.summary(self.detail, primary=self.primary)
        written = "" if self.out is None else f"Saved to {self.out}"
        if self.html is not None:
            with as_input_error(OSError, ValueError, ImportError, start="--html: "):
                result.to_html(self.html, primary=self.primary)
            written += f"{chr(10) if written else ''}Wrote {self.html}"
        told = "\n".join(textwrap.fill(note, WIDTH) for note in notes)
        click.echo("\n\n".join(part for part in (first, summary, last, told, written) if part))


def check_writable(path: Path | None, option: str) -> None:
    """InputError, before any model is fitted, where a file is to be written and could not be."""
    from tempfile import TemporaryFile

    from skcompare._core.archive import check_replaceable

    if path is None:
        return
    try:
        if path.is_dir():
            raise IsADirectoryError("it is a directory")
        check_replaceable(path)
        with TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise InputError(f"{option}: cannot write {path}: {error.strerror or error}") from error


def check_page(path: Path, option: str) -> None:
    """InputError where a page could not be written, or would take the place of a saved result."""
    from skcompare.reporting.page import check_extra

    if path.suffix == ".skc":
        raise InputError(f"{option}: {path} is named like a saved result; give another name")
    check_writable(path, option)
    with as_input_error(ImportError, start=f"{option}: "):
        check_extra()


class _Count:
    """Counts the fits of a run."""

    def __init__(self) -> None:
        self.n_kept = 0

    def __call__(self, event: Any) -> None:
        self.n_kept += event.error is None


@contextmanager
def warnings_told_once() -> Iterator[None]:
    """Warnings as one line each, after the run: an estimator may repeat one on every split."""
    with warnings.catch_warnings(record=True) as caught:
        yield
    for line in dict.fromkeys(error_line(warning.message) for warning in caught):
        click.echo(f"skcompare: warning: {line}", err=True)


def is_shown(progress: bool | None) -> bool:
    """Whether progress is: as it is asked for, else on a terminal."""
    return sys.stderr.isatty() and find_spec("tqdm") is not None if progress is None else progress


def evaluate(
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
) -> Any:
    """What `run` makes of an evaluator with these options.

    Raises
    ------
    InputError
        If one of them does not fit.
    Interrupted
        If the user ends it.
    """
    from skcompare.evaluation.fit import INTERRUPTED
    from skcompare.evaluation.input import RunOptions
    from skcompare.evaluator import PairedEvaluator

    count = _Count()
    evaluator = PairedEvaluator(
        cv=_time_series(cv) if in_time else int(cv) if cv.isdecimal() else cv,
        scoring=list(scoring) or None,
        n_jobs=jobs,
        random_state=seed,
        store=store,
        progress=is_shown(progress),
        options=RunOptions(callback=count),
        baseline=baseline,
    )
    interrupt = None
    with warnings_told_once(), as_input_error(ValueError, TypeError, ImportError):
        try:
            result = run(evaluator)
        except KeyboardInterrupt as stop:
            interrupt = stop
    if interrupt is not None:
        where = [note for note in getattr(interrupt, "__notes__", ()) if note.startswith(INTERRUPTED)]
        raise Interrupted(f"{error_line(where[0]) if where else 'interrupted'}. {_what_is_kept(count.n_kept, store)}")
    return result


def _time_series(cv: str) -> Any:
    """So many test sets in time order."""
    from sklearn.model_selection import TimeSeriesSplit

    if not cv.isdecimal() or int(cv) < 2:
        raise InputError(f"--cv must be a number of test sets of at least 2 with --in-time, as --cv 5; got {cv!r}")
    return TimeSeriesSplit(int(cv))


def _what_is_kept(n_fits: int, store: Path | None) -> str:
    """Two lines: what is kept, and the command that goes on from there."""
    command = shlex.join(["skcompare", *sys.argv[1:]])
    if store is None:
        return f"Nothing is kept without --store. To keep fits, run:\n{command} --store runs.sqlite"
    kept = "1 finished fit is" if n_fits == 1 else f"{n_fits} finished fits are"
    return f"{kept} kept in {store}. To go on:\n{command}"


# The configuration of a study.


_OPTIONAL = ("categorical", "drop", "sep")  # of the entry of a data set


def read_study(path: Path) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any], list[str]]:
    """Models, data sets to be loaded one by one, cv, scoring, seed and baseline, and what is to be said of the data.

    The last list grows while data sets are loaded.

    Raises
    ------
    InputError
        If the file cannot be read, or an entry is not what it must be.
    """
    import tomllib

    from skcompare._core.names import DUMMY

    check_regular(path, "CONFIG")
    try:
        config = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"CONFIG: cannot read {path}: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"CONFIG: {path} is not TOML: {error_line(error)}") from error
    except RecursionError as error:
        raise InputError(f"CONFIG: {path} is nested too deep") from error
    known = ("models", "datasets", "cv", "scoring", "seed", "baseline")
    for name in config:
        if name not in known:
            hint = did_you_mean(name, known)
            raise InputError(f"CONFIG: {path} has an entry {name!r}; known are {', '.join(known)}{hint}")
    models = _table_of(config, "models", path)
    for name, spec in models.items():
        if not isinstance(spec, str):
            raise InputError(f"CONFIG: models.{name} must be a text such as 'sklearn.svm:SVC(C=10)'; got {spec!r}")
    try:
        named = parse_models([f"{name}={spec}" for name, spec in models.items()])
    except InputError as error:
        raise InputError(error.message.replace("--model", "CONFIG: [models]", 1)) from error
    regression = all_regressors(named.values())
    entries = _table_of(config, "datasets", path)
    from_files = any(isinstance(entry, dict) for entry in entries.values())
    notes: list[str] = []
    datasets = {
        name: _dataset_entry(name, entry, path, notes, as_frame=from_files, regression=regression)
        for name, entry in entries.items()
    }
    cv, scoring, seed = config.get("cv", "10x10"), config.get("scoring", []), config.get("seed", 0)
    if isinstance(cv, bool) or not isinstance(cv, (int, str)):
        raise InputError(f"CONFIG: cv must be a number of folds or 'RxK'; got {cv!r}")
    if not isinstance(scoring, list) or not all(isinstance(name, str) for name in scoring):
        raise InputError(f"CONFIG: scoring must be a list of metric names; got {scoring!r}")
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**32:
        raise InputError(f"CONFIG: seed must be an integer from 0 to 2**32 - 1; got {seed!r}")
    baseline = config.get("baseline")
    if baseline is not None and baseline != DUMMY and baseline not in models:
        raise InputError(f"CONFIG: baseline must be {DUMMY!r} or a name in [models]; got {baseline!r}")
    if from_files:
        named = {name: behind_default_preparation(model) for name, model in named.items()}
        notes.append(
            "Prepared within each training set, on every data set: numeric columns (missing values: median; "
            "standardised), text columns (missing values: most frequent; one-hot)."
        )
    return named, datasets, {"cv": str(cv), "scoring": scoring, "seed": seed, "baseline": baseline}, notes


def _table_of(config: Mapping[str, Any], name: str, path: Path) -> dict[str, Any]:
    table = config.get(name)
    if not isinstance(table, dict) or not table:
        raise InputError(f"CONFIG: {path} must have a table [{name}] with at least one entry; got {table!r}")
    return table


def _dataset_entry(name: str, entry: Any, config: Path, notes: list[str], *, as_frame: bool, regression: bool) -> Any:
    """A callable that loads one data set; what can be wrong with the entry itself is found at once."""
    if isinstance(entry, str):
        if entry not in DATASETS:
            raise InputError(
                f"CONFIG: datasets.{name} must be one of {', '.join(DATASETS)}, or a table "
                f"{{path = 'FILE.csv', target = 'COLUMN'}}; got {entry!r}"
            )
        return partial(bundled_dataset, entry, as_frame=as_frame)
    if not isinstance(entry, dict) or not {"path", "target"} <= set(entry) <= {"path", "target", *_OPTIONAL}:
        raise InputError(
            f"CONFIG: datasets.{name} must have path, target and perhaps {', '.join(_OPTIONAL)}; "
            f"got {error_line(entry)}"
        )
    categorical, drop = entry.get("categorical", []), entry.get("drop", [])
    texts = [entry["path"], entry["target"], entry.get("sep", ",")]
    lists = [categorical, drop]
    if not all(isinstance(names, list) for names in lists) or not all(
        isinstance(text, str) for text in (*texts, *categorical, *drop)
    ):
        raise InputError(
            f"CONFIG: datasets.{name}: path, target and sep must be texts, categorical and drop lists of them"
        )
    given = Columns(
        target=[entry["target"]],
        categorical=categorical,
        drop=drop,
        separator=check_separator(texts[2], f"CONFIG: datasets.{name}: sep"),
    )
    data = config.parent / entry["path"]
    if not data.is_file():
        raise InputError(f"CONFIG: datasets.{name}: there is no file {data}")
    # Whoever wrote CONFIG chose the file, which may be none of theirs: what stands in it is not shown.
    columns = header_of(data, f"CONFIG: datasets.{name}", given.separator, shown=False)
    for column in (entry["target"], *categorical, *drop):
        if column not in columns:
            raise InputError(f"CONFIG: datasets.{name}: {data} has no column {column!r} among its {len(columns)}")
    return partial(_load_csv, name, data, given, notes, regression=regression)


def _load_csv(name: str, path: Path, given: Columns, notes: list[str], *, regression: bool) -> tuple[Any, Any]:
    X, y, *_ = read_csv(path, given, regression=regression)
    found = identifiers(X)
    drop = json.dumps([*given.drop, *found], ensure_ascii=False)
    note = identifier_note(found, f"drop = {drop} in its entry leaves {'it' if len(found) == 1 else 'them'} out")
    if note:
        notes.append(f"Data set {name!r}: {note[0].lower()}{note[1:]}")
    return X, y
