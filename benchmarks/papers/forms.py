"""The published scores, and numbers as Markdown."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[2]
DATA = ROOT / "docs" / "data"
Scores = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
Line = tuple[str, ...]


@cache
def scores_of(name: str) -> Scores:
    with (DATA / f"{name}.csv").open(encoding="utf-8") as stream:
        return np.array([row[1:] for row in list(csv.reader(stream))[1:]], dtype=float)


@cache
def folds_54() -> Mapping[str, Mapping[str, Scores]]:
    """Accuracies (10, 10) by data set and classifier."""
    found: dict[str, dict[str, list[float]]] = {}
    with gzip.open(DATA / "uci54_10x10cv_accuracy.csv.gz", "rt", encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            found.setdefault(row["dataset"], {}).setdefault(row["classifier"], []).append(float(row["accuracy"]))
    return {name: {key: np.array(own).reshape(10, 10) for key, own in of.items()} for name, of in found.items()}


@cache
def means_54(classifier: str) -> Scores:
    return np.array([own[classifier].mean() for own in folds_54().values()])


def table(head: Line, n_words: int, lines: Sequence[Line]) -> str:
    rule = f"|{' --- |' * n_words}{' ---: |' * (len(head) - n_words)}"
    return "\n".join([f"| {' | '.join(head)} |", rule, *(f"| {' | '.join(line)} |" for line in lines)])


def as_printed(value: float, printed: str) -> str:
    """The value in the digits of a printed one."""
    if "e" in printed:
        digits = len(printed.split("e")[0].lstrip("-")) - 2
        mantissa, exponent = f"{value:.{digits}e}".split("e")
        return f"{mantissa}e{int(exponent)}"
    rounded = f"{value:.{len(printed.partition('.')[2])}f}"
    return rounded.lstrip("-") if float(rounded) == 0 else rounded


def beside(label: Line, printed: str, value: float) -> Line:
    """Printed, ours in more digits, and whether ours rounds to the printed one."""
    more = f"{value:.{len(printed.partition('.')[2]) + 2}f}" if "." in printed else f"{value:g}"
    return (*label, printed, more, "yes" if as_printed(value, printed) == printed else "no")
