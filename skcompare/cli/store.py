"""The `skcompare store` commands: what a store of finished fits holds, what can go, what is left of a damaged one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from time import localtime, strftime
from typing import TYPE_CHECKING

import click

from skcompare._core.text import one_line, table

if TYPE_CHECKING:
    from skcompare.evaluation.store.contents import Removal, StoredEvaluation
    from skcompare.evaluation.store.store import Store

_FILE = click.argument("file", type=Path)


@click.group("store", short_help="List, show, clean and repair a store of finished fits.")
def store_commands() -> None:
    """List, show, clean and repair a store: the file of finished fits that --store names."""


@store_commands.command("ls", short_help="List the evaluations in a store.")
@_FILE
def list_evaluations(file: Path) -> None:
    """List the evaluations in a store, the last used first.

    An evaluation is the fits on one data set, made with the same libraries and scored alike; MB is what they take.
    """
    from skcompare.evaluation.store.contents import stored_evaluations, stored_simulations

    with _opened(file) as store:
        found, simulations = stored_evaluations(store), stored_simulations(store)
    made = [(_when(s.used_at), s.n_datasets, _megabytes(s.n_bytes), one_line(s.description)[:120]) for s in simulations]
    click.echo(_listed(found) if found else "no fits stored")
    if made:
        click.echo("\n" + table(("last used", "data sets", "MB", "simulation"), made, left=(0, 3)))


@store_commands.command("show", short_help="Show one evaluation in a store.")
@_FILE
@click.argument("number", type=int, required=False, metavar="[ID]")
def show_evaluation(file: Path, number: int | None) -> None:
    """Show one evaluation in a store: its models, their parameters, fits and mean fit time.

    ID is the number that ls gives; without it, the evaluation used last.
    """
    from skcompare.evaluation.store.contents import known_versions, stored_evaluations, stored_models

    with _opened(file) as store:
        found = {one.number: one for one in stored_evaluations(store)}
        if not found:
            raise ValueError(f"FILE: {file} has no fits")
        if number not in (None, *found):
            raise ValueError(f"ID must be one of {', '.join(map(str, found))}; got {number}")
        shown = found[number or next(iter(found))]
        models = stored_models(store, shown.number)
    versions = known_versions(shown.context.get("versions")) | dict(x for m in models for x in m.packages.items())
    # the first digits of a digest are enough to see whether two evaluations are on the same data
    data = [f"{name} {one_line(str(shown.context.get(name, '?')))[:8]}" for name in ("X", "y")]
    said = f"made      {_when(shown.created_at)} of {', '.join(data)}\nversions  "
    rows = [(m.name, m.n_fits, f"{m.fit_time:.4g} s" if m.n_fits else "", m.description) for m in models]
    parts = [_listed([shown]), said + one_line(", ".join(map(" ".join, sorted(versions.items()))))]
    click.echo("\n\n".join([*parts, table(("model", "fits", "mean fit", "parameters"), rows, left=(0, 3))]))


@store_commands.command("gc", short_help="Remove fits that are of no more use.")
@_FILE
@click.option("--older-than", type=click.FloatRange(min=0), metavar="DAYS", help="Also those not used for DAYS days.")
@click.option("--dry-run", is_flag=True, help="Only say what would be removed.")
def collect(file: Path, older_than: float | None, dry_run: bool) -> None:
    """Remove fits made with other library versions than are installed here: no run here can use them again."""
    from skcompare.evaluation.store.contents import removable, remove

    with _opened(file, write=not dry_run) as store:
        removals = removable(store, older_than=older_than)
        if not dry_run:
            remove(store, removals, older_than=older_than)
    click.echo(f"{'would remove' if dry_run else 'removed'} {_amount(removals)}{':' if removals else ''}")
    for removal in removals:
        click.echo(f"  {_amount([removal])} {one_line(removal.reason)}")


@store_commands.command("repair", short_help="Save what is left of a damaged store.")
@_FILE
def repair_file(file: Path) -> None:
    """Put a sound store in the place of a damaged one, with every fit in it whose checksum is right.

    The damaged file is kept beside it. A sound one stays as it is. End all runs that have the file open first.
    """
    from skcompare.evaluation.store.contents import repair

    done = repair(file)
    kept = f"{done.n_fits} fits and {done.n_datasets} simulated data sets"
    sound = f"{file} is sound and stays as it is: {kept}"
    click.echo(sound if done.old is None else f"saved {kept}; the damaged file is now {done.old}")


@contextmanager
def _opened(file: Path, *, write: bool = False) -> Iterator[Store]:
    """The store in a file."""
    from skcompare.evaluation.store.file import STORE_ERRORS, refusal
    from skcompare.evaluation.store.store import Store

    try:
        with closing(Store.open(file, create=False, write=write)) as store:
            yield store
    except STORE_ERRORS as error:
        raise refusal(file, error) from error


def _amount(removals: Sequence[Removal]) -> str:
    n_datasets = sum(removal.n_datasets for removal in removals)
    simulated = f" and {n_datasets} simulated data sets" if n_datasets else ""
    size = _megabytes(sum(removal.n_bytes for removal in removals))
    return f"{sum(removal.n_fits for removal in removals)} fits{simulated} ({size} MB)"


def _listed(found: Sequence[StoredEvaluation]) -> str:
    sizes = [f"{e.n_samples} x {'?' if e.n_features is None else e.n_features}" for e in found]
    own = [
        (e.number, _when(e.used_at), n, e.n_fits, _megabytes(e.n_bytes), e.models)
        for e, n in zip(found, sizes, strict=True)
    ]
    return table(("ID", "last used", "data", "fits", "MB", "models"), own, left=(1, 2, 5))


def _when(seconds: float) -> str:
    return strftime("%Y-%m-%d %H:%M", localtime(min(max(seconds, 0), 1e11)))  # a file can hold any number


def _megabytes(n_bytes: int) -> str:
    return f"{n_bytes / 1e6:.2f}" if n_bytes < 1e7 else f"{n_bytes / 1e6:.0f}"
