"""Sizes of the wide study: several classes, regression and more learners, also by family of learners.

``measured_widely.csv.gz`` is made by ``python -m benchmarks.wide_study``; the page of the calibration study says what
was simulated and has its figures.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache

from skcompare.inference._measured_sizes import MeasuredSize, read_rows

SHALLOW = "shallow tree"
GUESSING = "guessing"  # a model that is no better than that, of whatever family
# Pairs of models that differ, by a difference that is known.
MIXED = "mixed"  # two other families
WITH_SHALLOW = "mixed with a shallow tree"
WITH_GUESSING = "mixed with guessing"
DIFFERENT = (MIXED, WITH_SHALLOW, WITH_GUESSING)
# Mean scores, up to which a model does no better than guessing.
CHANCE = {"roc_auc": 0.55, "roc_auc_ovr": 0.55, "r2": 0.0}
# Number of samples and share of positives, 0 where there are none -> family, empty of all -> metric.
Cells = dict[tuple[int, float], dict[str, dict[str, MeasuredSize]]]


@cache
def _rows() -> dict[tuple[str, str, str], list[dict[str, str]]]:
    found: dict[tuple[str, str, str], list[dict[str, str]]] = defaultdict(list)
    for row in read_rows("measured_widely.csv.gz"):
        found[row["procedure"], row["design"], row["task"]].append(row)
    return dict(found)


def designs_of(procedure: str, task: str) -> list[str]:
    """The designs on which a procedure was simulated."""
    return [design for name, design, own in _rows() if (name, own) == (procedure, task)]


@cache
def widely(procedure: str, design: str, task: str) -> Cells:
    """The cells of a procedure on a design; none where it was not simulated."""
    found: Cells = defaultdict(lambda: defaultdict(dict))
    for row in _rows().get((procedure, design, task), ()):
        cell = int(row["n_samples"]), float(row["positive"] or 0)
        mean, low, q10, q90, high = (float(row[name]) for name in ("mean", "low", "q10", "q90", "high"))
        found[cell][row["family"]][row["metric"]] = MeasuredSize(
            mean=mean,
            low=low,
            q10=q10,
            q90=q90,
            high=high,
            highest=row["highest"],
            nulls=int(row["nulls"]),
            learners=row["family"],
        )
    return dict(found)


def pair_family(a: str, b: str) -> str:
    """Of the families of two learners that of the pair; empty where one is not known."""
    if not (a and b):
        return ""
    if GUESSING in (a, b):
        return WITH_GUESSING
    if a == b:
        return a
    return WITH_SHALLOW if SHALLOW in (a, b) else MIXED
