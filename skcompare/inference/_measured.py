"""Measured sizes: the share of true nulls that each procedure rejects at a nominal 5%.

The tables stand beside this module. Sizes of procedures on fold scores (``measured_sizes.csv``) are the calibration
study's, made by ``python -m benchmarks.calibration``: real fits of five learners on 1,000 simulated data sets per cell.
Of the others (``measured_elsewhere.csv``) those of procedures on predictions were made by ``python -m
benchmarks.one_test_set size --n-datasets 600``, those on clusters of samples by ``python -m benchmarks.groups
predictions``, which with ``python -m benchmarks.one_test_set`` made those on one test set too
(``measured_on_cases.csv``; with several labels or numbers per sample by ``python -m benchmarks.several_columns
predictions``), those of `model_confidence_set`
(some model is significantly different from the best, of 10 and 50 equal models) by ``python -m benchmarks.selection``,
those of `anova_test`, `friedman_test`, `tukey_test`, `nemenyi_test` (any pair of 3 and 5 equal models) and
`contrast_test` (an interaction) on folds by ``python -m benchmarks.families --together``;
those on losses in time order (``measured_in_time.csv``) by ``python -m benchmarks.time_order``, those on forecasts of
fitted models (``measured_forecasts.csv``) by ``python -m benchmarks.time_order forecasts``, those on groups of
samples (``measured_in_groups.csv``) by ``python -m benchmarks.groups``, those on independent runs
(``measured_on_runs.csv``) by ``python -m benchmarks.runs``, and those where a class is rare
(``measured_on_rare_classes.csv``) by ``python -m benchmarks.rare_classes``; all are in docs/benchmarks.md. How often
intervals of own scores held them (``measured_coverage.csv``) and the sizes of `nested_cv_interval` are by ``python -m
benchmarks.own_scores``.
"""

from __future__ import annotations

import csv
import gzip
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, partial
from math import log, nan
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple, TypeVar

ANY_LOSS = "any loss"  # what sizes in time order are of
ANY_SCORE = "any score"  # what sizes on runs are of
FEW = 100  # samples, below which coverage of own scores is counted by itself
Sizes = dict[str, tuple[float, float]]
# Procedure, design, number of samples, balance of the classes, number of models, metrics.
Family = tuple[str, str, int | None, str, int, frozenset[str]]
C = TypeVar("C")


@dataclass(frozen=True, slots=True)
class MeasuredSize:
    """Shares of true nulls that were rejected at 5%, over the nulls of one cell of the study or of several.

    Attributes
    ----------
    mean, low, high : float
        Over the nulls.
    highest : str
        The null with the highest share; empty where that was not kept.
    nulls : int
        How many there are; 0 where that was not kept.
    q10, q90 : float
        What a tenth of the nulls are below, and what a tenth are above, the binomial noise of the simulation taken out;
        nan where that was not kept.
    learners : str
        The family of learners that they are of, "mixed", "mixed with a shallow tree" or "mixed with guessing" of
        pairs of models that differ; empty of all together.
    """

    mean: float
    low: float
    high: float
    highest: str = ""
    nulls: int = 0
    q10: float = nan
    q90: float = nan
    learners: str = ""


class Cell(NamedTuple):
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


class SizeInTime(NamedTuple):
    """The share of true nulls rejected at 5% on loss differences in time order, by `benchmarks.time_order`.

    Attributes
    ----------
    procedure : str
        Its name.
    horizon : int or None
        Of the Diebold-Mariano test; None where none was given, and of tests on folds.
    correlation : float
        From each time to the next.
    n_times : int
        Number of differences; of tests on folds those of all 5 test sets.
    size : float
        The share.
    """

    procedure: str
    horizon: int | None
    correlation: float
    n_times: int
    size: float


class SizeOnRuns(NamedTuple):
    """The share of true nulls rejected at 5% on independent runs of two models of one mean, by `benchmarks.runs`.

    Attributes
    ----------
    procedure : str
        Its name.
    n_runs : tuple of int
        Of the one model and of the other; the smaller number first.
    scores : str
        Their distribution: "normal" or "skewed" (exponential).
    ratio : float
        Standard deviation of the first model over that of the other.
    size : float
        The share.
    """

    procedure: str
    n_runs: tuple[int, int]
    scores: str
    ratio: float
    size: float


def read_rows(name: str) -> list[dict[str, str]]:
    """The rows of a table beside this module, compressed where its name says so."""
    path = Path(__file__).with_name(name)
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def _measured(row: dict[str, str]) -> MeasuredSize:
    mean, low, high = map(float, itemgetter("mean", "low", "high")(row))
    q10, q90 = float(row.get("q10", nan)), float(row.get("q90", nan))
    return MeasuredSize(mean, low, high, row.get("highest", ""), int(row["nulls"]), q10, q90, row.get("family", ""))


def _by_balance(name: str) -> dict[Cell, MeasuredSize]:
    found = {}
    for row in read_rows(name):
        positive = float(row.get("positive", 0))
        balance = row.get("balance", f"{100 * (1 - positive):g}/{100 * positive:g}")
        found[Cell(row["procedure"], row["design"], int(row["n_samples"]), balance, row["metric"])] = _measured(row)
    return found


def _by_cell(name: str, cell_of: Callable[[dict[str, str]], C]) -> dict[C, dict[str, MeasuredSize]]:
    """The sizes of each cell of a table, by metric."""
    found: dict[C, dict[str, MeasuredSize]] = defaultdict(dict)
    for row in read_rows(name):
        found[cell_of(row)][row["metric"]] = _measured(row)
    return dict(found)


@cache
def study() -> dict[Cell, MeasuredSize]:
    """The calibration study, null by null summarised."""
    return _by_balance("measured_sizes.csv")


@cache
def on_rare_classes() -> dict[Cell, MeasuredSize]:
    """Where a class is rare; the balance as its share of the samples after that of the other one."""
    return _by_balance("measured_on_rare_classes.csv")


@cache
def families() -> dict[Family, MeasuredSize]:
    """How often equal models had any significant difference after Holm's adjustment over all pairs and metrics."""
    found: dict[Family, MeasuredSize] = {}
    for row in read_rows("measured_families.csv"):
        design = row["procedure"], row["design"], int(row["n_samples"]), row["balance"]
        found[*design, int(row["models"]), frozenset(row["metrics"].split("+"))] = _measured(row)
    return found


@cache
def all_in_time() -> tuple[SizeInTime, ...]:
    """All sizes on differences in time order."""
    found = []
    for row in read_rows("measured_in_time.csv"):
        horizon, numbers = row["horizon"], (float(row["correlation"]), int(row["n_times"]))
        found.append(SizeInTime(row["procedure"], int(horizon) if horizon else None, *numbers, float(row["size"])))
    return tuple(found)


@cache
def forecasts() -> dict[tuple[float, float, float], dict[str, MeasuredSize]]:
    """The default in time order on training sets that grow: test sets, samples, share of positives -> by metric."""
    return _by_cell(
        "measured_forecasts.csv", lambda row: (float(row["n_windows"]), float(row["n_samples"]), float(row["positive"]))
    )


@cache
def on_runs() -> dict[str, dict[tuple[int, int], tuple[SizeOnRuns, ...]]]:
    """All sizes on independent runs, by procedure and numbers of runs."""
    found: dict[str, dict[tuple[int, int], tuple[SizeOnRuns, ...]]] = defaultdict(dict)
    for row in read_rows("measured_on_runs.csv"):
        n_runs = int(row["n_runs"]), int(row["n_runs_b"])
        one = SizeOnRuns(row["procedure"], n_runs, row["scores"], float(row["ratio"]), float(row["size"]))
        found[one.procedure][one.n_runs] = (*found[one.procedure].get(one.n_runs, ()), one)
    return dict(found)


def in_time(procedure: str, horizon: int | None, correlation: float, n_times: int) -> SizeInTime:
    """The size that was measured nearest to a run: by horizon, then by correlation, then by the number of times."""
    own = [one for one in all_in_time() if one.procedure == procedure and (one.horizon is None) == (horizon is None)]
    return min(
        own,
        key=lambda one: (
            abs(log((one.horizon or 1) / (horizon or 1))),
            abs(one.correlation - correlation),
            abs(log(one.n_times / n_times)),
        ),
    )


def _horizon(one: SizeInTime) -> str:
    return "" if one.horizon is None else f", horizon {one.horizon}"


# Share of tables of five equally good models that are rejected, by number of data sets; of pairs and controls the share
# in which any is. Made by ``python -m benchmarks.inference studies`` and published in docs/benchmarks.md.
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


ELSEWHERE = _by_procedure(
    (row["procedure"], row["design"], row["metric"], float(row["low"]), float(row["high"]))
    for row in read_rows("measured_elsewhere.csv")
)
MEASURED_SIZES: dict[str, dict[str, Sizes]] = {
    **_by_procedure((c.procedure, c.design, c.metric, size.low, size.high) for c, size in study().items()),
    **ELSEWHERE,
    **_by_procedure(
        (one.procedure, f"correlation {one.correlation:g}{_horizon(one)}", ANY_LOSS, one.size, one.size)
        for one in all_in_time()
        if one.procedure == "diebold_mariano_test"
    ),
    "welch_t_test": _by_procedure(
        (name, f"{n} runs" if n == m else f"{n} against {m} runs", ANY_SCORE, one.size, one.size)
        for name, by_number in on_runs().items()
        for (n, m), sizes in by_number.items()
        for one in sizes
    )["welch_t_test"],
}


@cache
def in_groups() -> dict[tuple[str, str, int], dict[str, MeasuredSize]]:
    """Sizes by metric on folds that keep groups of five samples together, by procedure, design and number of groups."""
    return _by_cell("measured_in_groups.csv", lambda row: (row["procedure"], row["design"], int(row["n_groups"])))


@cache
def on_columns() -> dict[tuple[str, str, str, int], dict[str, MeasuredSize]]:
    """Sizes by metric on folds of several labels or numbers, by procedure, design, task and number of samples."""
    return _by_cell(
        "measured_on_columns.csv", lambda row: (row["procedure"], row["design"], row["task"], int(row["n_samples"]))
    )


@cache
def on_cases() -> dict[str, dict[str, Sizes]]:
    """Lowest and highest size on one test set, alone and in clusters, by procedure, design and metric."""
    found = _by_procedure(
        (row["procedure"], row["design"], row["metric"], float(row["low"]), float(row["high"]))
        for row in read_rows("measured_on_cases.csv")
    )
    return {**found, "cluster_t_test": ELSEWHERE["cluster_t_test"]}


@cache
def coverage_of_own_scores() -> dict[tuple[str, str, bool, bool, str], tuple[int, int]]:
    """The lowest and the highest percent of 95% intervals that held their target, over the simulations of a cell.

    By method, metric, whether there are several repeats, whether there are fewer than `FEW` samples, and target.
    """
    held = {}
    for row in read_rows("measured_coverage.csv"):
        several, few = row["repeats"] == "several", row["n_samples"] == f"under {FEW}"
        key = (row["method"], row["metric"], several, few, row["target"])
        held[key] = int(row["low"]), int(row["high"])
    return held


# Sizes of the wide study: several classes, regression and more learners, also by family of learners.
#
# ``measured_widely.csv.gz`` is made by ``python -m benchmarks.wide_study``; the page of the calibration study says
# what
# was simulated and has its figures.


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
    found: Cells = defaultdict(partial(defaultdict, dict))
    for row in _rows().get((procedure, design, task), ()):
        cell = int(row["n_samples"]), float(row["positive"] or 0)
        found[cell][row["family"]][row["metric"]] = _measured(row)
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
