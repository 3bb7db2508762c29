"""A run of the command: its options, its fits, what is printed at the end, and what is kept where it is interrupted."""

from __future__ import annotations

import shlex
import sys
import textwrap
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import click

from skcompare._core.replacing import check_replaceable
from skcompare.cli.errors import InputError, as_input_error, error_line

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
    """

    out: Path | None = None
    html: Path | None = None
    detail: str = "short"

    def check(self) -> None:
        """InputError, before any model is fitted, where a file could not be written."""
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
        with as_input_error(ValueError, start="cannot test these scores: "):
            summary = result.summary(self.detail)
        written = "" if self.out is None else f"Saved to {self.out}"
        if self.html is not None:
            with as_input_error(OSError, ValueError, ImportError, start="--html: "):
                result.to_html(self.html)
            written += f"{chr(10) if written else ''}Wrote {self.html}"
        told = "\n".join(textwrap.fill(note, WIDTH) for note in notes)
        click.echo("\n\n".join(part for part in (first, summary, last, told, written) if part))


def check_writable(path: Path | None, option: str) -> None:
    """InputError, before any model is fitted, where a file is to be written and could not be."""
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
    from skcompare.reporting.html import check_extra

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
    from skcompare.evaluation._predictions import INTERRUPTED
    from skcompare.evaluator import PairedEvaluator

    shown = sys.stderr.isatty() and find_spec("tqdm") is not None if progress is None else progress
    count = _Count()
    evaluator = PairedEvaluator(
        cv=_time_series(cv) if in_time else int(cv) if cv.isdecimal() else cv,
        scoring=list(scoring) or None,
        n_jobs=jobs,
        random_state=seed,
        store=store,
        progress=shown,
        callback=count,
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
