"""Runnable measurements: ``python -m benchmarks.engine``."""

from __future__ import annotations

import argparse
import csv
import gzip
import io
import os
import platform
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import sklearn
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import make_pipeline

ROOT = Path(__file__).parents[1]
DATA = ROOT / "docs" / "data"
SHIPPED = ROOT / "skcompare" / "inference"


def run_part(*mains: Callable[[], None]) -> None:
    """Run the part ``main_of_PART`` that the first argument names, with the others; the first where none does."""
    parts = {main.__name__.removeprefix("main_of_"): main for main in mains}
    parts[sys.argv.pop(1) if sys.argv[1:2] and sys.argv[1] in parts else next(iter(parts))]()


def options(description: str | None, **arguments: Any) -> argparse.Namespace:
    """What the command line gives: by default the values; a tuple is a positional choice, a list takes several.

    A dictionary is what `argparse` takes, of a positional argument where that may be left out.
    """
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, value in arguments.items():
        flag = f"--{name.replace('_', '-')}"
        if isinstance(value, tuple):
            parser.add_argument(name, choices=value)
        elif isinstance(value, dict):
            free = value.get("nargs") == "?" or name == "parts"
            parser.add_argument(name if free else flag, **value)
        elif isinstance(value, bool):
            parser.add_argument(flag, action="store_true")
        elif isinstance(value, list):
            parser.add_argument(flag, type=type(value[0]), nargs="*", default=value)
        else:
            parser.add_argument(flag, type=type(value), default=value)
    return parser.parse_args()


def machine() -> str:
    """The day, and what times depend on."""
    cores, load = os.cpu_count(), os.getloadavg()[0]
    versions = f"Python {platform.python_version()}, numpy {np.__version__}, scikit-learn {sklearn.__version__}"
    return f"{date.today()}, {platform.machine()}, {cores} cores, load {load:.1f}, {versions}"


def error_at_5(n: int) -> str:
    """The day, and the standard error of a share of 5% among so many simulations."""
    return f"{date.today()}; {n:,} simulations per null; standard error at 5%: {(0.05 * 0.95 / n) ** 0.5:.2%}\n"


def on_columns(learner: Any, columns: Iterable[int]) -> Any:
    """The learner, which sees these columns alone."""
    return make_pipeline(ColumnTransformer([("own", "passthrough", list(columns))]), clone(learner))


# ---- tables -----------------------------------------------------------------------------------------------------


def line(*cells: object) -> str:
    """A row of a Markdown table."""
    return f"| {' | '.join(map(str, cells))} |"


def head(names: Iterable[str], n_words: int = 1) -> str:
    """The first two lines of a Markdown table, of which so many columns are words and the others numbers."""
    names = tuple(names)
    return f"{line(*names)}\n|{' --- |' * n_words}{' ---: |' * (len(names) - n_words)}"


def table(names: Iterable[str], n_words: int, rows: Iterable[Iterable[object]]) -> str:
    """A Markdown table."""
    return "\n".join([head(names, n_words), *(line(*row) for row in rows)])


def span(shares: Sequence[float] | np.ndarray) -> str:
    """Mean and range of shares, in percent; nothing where there are none."""
    found = np.asarray(shares, dtype=float)
    return f"{100 * found.mean():.1f} ({100 * found.min():.1f} to {100 * found.max():.1f})" if found.size else ""


def rejected(pvalues: Any) -> float:
    """The share of p-values below 5%."""
    return float((np.asarray(pvalues) < 0.05).mean())


def sizes_over(nulls: Sequence[tuple[float, str]]) -> tuple[object, ...]:
    """How many nulls, the mean, lowest and highest share that is rejected, and which null has that."""
    shares = [share for share, _ in nulls]
    return len(nulls), *(f"{x:.4f}" for x in (np.mean(shares), min(shares), max(shares))), max(nulls)[1]


MARKED = re.compile(r"<!-- table ([a-z_0-9]+) -->\n.*?<!-- end of table -->", re.DOTALL)


def with_tables(page: str, tables: Mapping[str, Callable[[], str]]) -> str:
    """The page with the tables between its marks made again, of those that are named."""

    def made(match: re.Match[str]) -> str:
        mark = match[1]
        return f"<!-- table {mark} -->\n\n{tables[mark]()}\n\n<!-- end of table -->" if mark in tables else match[0]

    return MARKED.sub(made, page)


# ---- files ------------------------------------------------------------------------------------------------------


def write_rows(path: Path, rows: Iterable[Sequence[object]]) -> None:
    """A csv file, compressed where its name says so; the same rows make the same bytes."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(rows)
    content = text.getvalue().encode()
    path.write_bytes(gzip.compress(content, mtime=0) if path.suffix == ".gz" else content)


def read_rows(path: Path) -> list[dict[str, str]]:
    """The rows of a csv file by the names of its columns."""
    content = path.read_bytes()
    text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode()
    return list(csv.DictReader(io.StringIO(text, newline="")))


def write_sizes(procedure: str, found: Iterable[Sequence[object]]) -> None:
    """The rows of a procedure in the shipped table of sizes that were measured elsewhere."""
    path = DATA / "measured_elsewhere.csv"
    first, *others = (tuple(row) for row in csv.reader(path.read_text(encoding="utf-8").splitlines()))
    new = [(procedure, *map(str, row)) for row in found]
    write_rows(path, [first, *sorted([*(row for row in others if row[0] != procedure), *new])])


def keep(path: Path, make: Callable[[], Mapping[str, Any]]) -> None:
    """Make arrays and write them to a file, which is whole or not there; what is there is not made again."""
    if not path.exists():
        part = path.with_suffix(".part")
        with part.open("wb") as stream:
            np.savez_compressed(stream, **make())
        part.replace(path)


def stacked(found: Iterable[Mapping[Any, Any]]) -> dict[Any, np.ndarray]:
    """The arrays of several data sets that have the same names, one upon the other."""
    every = list(found)
    return {name: np.stack([one[name] for one in every]) for name in every[0]}


def joined(paths: Iterable[Path], prefix: str = "") -> dict[str, np.ndarray]:
    """The arrays of several such files whose names begin so, one after the other."""
    parts = []
    for path in paths:
        with np.load(path) as arrays:
            parts.append({name: arrays[name] for name in arrays.files if name.startswith(prefix)})
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]} if parts else {}
