"""Measured sizes: the share of true nulls that each procedure rejects at a nominal 5%.

Both tables stand beside this module. Sizes of procedures on fold scores (``measured_sizes.csv``) are the calibration
study's, made by ``python -m benchmarks.calibration``: real fits of five learners on 1,000 simulated data sets per cell.
Of the others (``measured_elsewhere.csv``) those of procedures on predictions were made by ``python -m benchmarks.size
--n-datasets 600``, those of `model_confidence_set` (some model is significantly different from the best, of 10 and 50
equal models) by ``python -m benchmarks.selection``; both are in docs/benchmarks.md.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import log, nan
from pathlib import Path

from skcompare._core.design import Design
from skcompare._core.warnings import Code, CodedWarning

Sizes = dict[str, tuple[float, float]]

# Below this share of the smaller class the unbalanced half of the study is the nearer one.
_BALANCED = 0.35


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredSize:
    """Shares of true nulls that were rejected at 5%, over the nulls of one cell of the study or of several.

    Attributes
    ----------
    mean, low, high : float
        Over the nulls.
    highest : str
        The null with the highest share.
    """

    mean: float
    low: float
    high: float
    highest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """Where a size was measured.

    Attributes
    ----------
    procedure, design, balance, metric : str
        The design by its short name, the balance of the classes as ``"50/50"``, the metric or set of metrics.
    n_samples : int
        In each data set.
    """

    procedure: str
    design: str
    n_samples: int
    balance: str
    metric: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NearestSizes:
    """What was measured of a procedure nearest to a design.

    Attributes
    ----------
    design : str
        Short name of the measured design; empty where there is none like it.
    where : str
        The cells in words.
    sizes : dict of metric to MeasuredSize
        Empty where there is none.
    """

    design: str
    where: str
    sizes: dict[str, MeasuredSize]


def _rows(name: str) -> list[dict[str, str]]:
    with Path(__file__).with_name(name).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


@lru_cache(maxsize=1)
def study() -> dict[Cell, MeasuredSize]:
    """The calibration study, null by null summarised."""
    return {
        Cell(
            procedure=row["procedure"],
            design=row["design"],
            n_samples=int(row["n_samples"]),
            balance=row["balance"],
            metric=row["metric"],
        ): MeasuredSize(mean=float(row["mean"]), low=float(row["low"]), high=float(row["high"]), highest=row["highest"])
        for row in _rows("measured_sizes.csv")
    }


# Share of tables of five equally good models that are rejected, by number of data sets; of pairs and controls the share
# in which any is. Made by ``python -m benchmarks.studies --sizes`` and published in docs/benchmarks.md.
STUDY_SIZES: dict[str, dict[str, float]] = {
    "signed_rank_test": {"6 data sets": 0.033, "10 data sets": 0.05, "30 data sets": 0.049},
    "sign_test": {"6 data sets": 0.033, "10 data sets": 0.018, "30 data sets": 0.048},
    "friedman_test": {"6 data sets": 0.052, "10 data sets": 0.057, "30 data sets": 0.053},
    "quade_test": {"6 data sets": 0.048, "10 data sets": 0.052, "30 data sets": 0.051},
    "pairwise_signed_rank_test": {"6 data sets": 0.0, "10 data sets": 0.03, "30 data sets": 0.042},
    "nemenyi_test": {"6 data sets": 0.049, "10 data sets": 0.041, "30 data sets": 0.058},
    "control_test": {"6 data sets": 0.039, "10 data sets": 0.045, "30 data sets": 0.047},
}


def _by_procedure(found: Iterable[tuple[str, str, str, float, float]]) -> dict[str, dict[str, Sizes]]:
    """Lowest and highest size by procedure, design and metric, over all sample sizes and balances of the classes."""
    sizes: dict[str, dict[str, Sizes]] = defaultdict(lambda: defaultdict(dict))
    for procedure, design, metric, low, high in found:
        lowest, highest = sizes[procedure][design].get(metric, (low, high))
        sizes[procedure][design][metric] = min(low, lowest), max(high, highest)
    return {procedure: dict(designs) for procedure, designs in sizes.items()}


_ELSEWHERE = _by_procedure(
    (row["procedure"], row["design"], row["metric"], float(row["low"]), float(row["high"]))
    for row in _rows("measured_elsewhere.csv")
)
MEASURED_SIZES: dict[str, dict[str, Sizes]] = {
    **_by_procedure((c.procedure, c.design, c.metric, size.low, size.high) for c, size in study().items()),
    **_ELSEWHERE,
}


def nearest_sizes(procedure: str, design: Design, minority: float | None = None) -> NearestSizes:
    """What the study has of a procedure nearest to a design.

    Parameters
    ----------
    procedure : str
        Its name.
    design : Design
        Of the run.
    minority : float, optional
        Share of the smaller of two classes; both balances of the study count where it is not known.
    """
    alike = _alike(design)
    cells = {c: size for c, size in study().items() if c.procedure == procedure and c.design == alike}
    if not cells:
        return _nearest_elsewhere(procedure, alike)
    where = [alike]
    n_samples = design.n_samples
    if n_samples is not None:
        n = min({c.n_samples for c in cells}, key=lambda measured: abs(log(measured / n_samples)))
        cells = {c: size for c, size in cells.items() if c.n_samples == n}
        where.append(f"{n:,} samples")
    if minority is not None:
        balance = "50/50" if minority >= _BALANCED else "80/20"
        cells = {c: size for c, size in cells.items() if c.balance == balance}
        where.append(f"classes {balance}")
    metrics = dict.fromkeys(c.metric for c in cells)
    return NearestSizes(
        design=alike,
        where=", ".join(where),
        sizes={metric: _pooled(size for c, size in cells.items() if c.metric == metric) for metric in metrics},
    )


def _nearest_elsewhere(procedure: str, alike: str) -> NearestSizes:
    """What was measured outside the study, where only the lowest and the highest size were kept."""
    alike = {"5-fold": "10-fold", "30 resamples": "30 random splits"}.get(alike, alike)
    sizes = _ELSEWHERE.get(procedure, {}).get(alike, {})
    found = {m: MeasuredSize(mean=nan, low=low, high=high, highest="") for m, (low, high) in sizes.items()}
    where = alike if found else ""
    return NearestSizes(design=where, where=where, sizes=found)


def _pooled(sizes: Iterable[MeasuredSize]) -> MeasuredSize:
    every = list(sizes)
    highest = max(every, key=lambda size: size.high)
    return MeasuredSize(
        mean=sum(size.mean for size in every) / len(every),
        low=min(size.low for size in every),
        high=highest.high,
        highest=highest.highest,
    )


def _alike(design: Design) -> str:
    if design.partition and design.n_repeats > 1:
        return "5x2" if design.n_folds == 2 else "10x5" if design.n_folds <= 7 else "10x10"
    if design.partition:
        return ("5-fold" if design.n_folds <= 7 else "10-fold") if 3 <= design.n_folds <= 20 else ""
    return "30 resamples" if design.n_folds == 1 and design.n_repeats >= 10 else ""


def joint_size_warnings(procedure: str, design: Design) -> tuple[CodedWarning, ...]:
    """What is known of a joint procedure that was measured to reject too often on folds; empty where it was not."""
    nearest = nearest_sizes(procedure, design)
    low = min((size.low for size in nearest.sizes.values()), default=0.0)
    worst = max(nearest.sizes.values(), key=lambda size: size.high, default=None)
    if worst is None or worst.high <= 0.075:
        return ()
    return (
        Code.MEASURED(
            f"on simulated folds of equal models ({nearest.where}) it rejected {low:.0%} to {worst.high:.0%} at "
            f"5%, most for {worst.highest}."
        ),
    )
