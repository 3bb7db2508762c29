"""How often a test at 5% calls equal models different: the rate of a learner and data that nobody simulated.

The simulated nulls of one kind (task, design, procedure, metric) differ in their rates, mostly by learner. A
hierarchical model says how: the cube root of a null's rate in percent is normal, as that of a gamma variable is (Wilson
and Hilferty 1931), its mean and the logarithm of its standard deviation are linear in a few covariates that are known
without the outcome of a comparison. Its coefficients (``rates.json``) are
fitted to the nulls in ``docs/data`` by ``python -m benchmarks.rates``; what is not known of a run is integrated out.
Other figures that were measured, with their lowest and highest share, stand in ``measured.csv``, made by the same
command.
"""

from __future__ import annotations

import csv
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import starmap
from math import exp, inf, log, nan
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
from scipy.special import logit, ndtri

from skcompare._core.design import Design
from skcompare._core.numbers import listed, percent
from skcompare._core.record import Kind as _Kind
from skcompare._core.record import Record
from skcompare._core.warnings import Code, CodedWarning

TOLERANCE = 2.0  # numbers of samples, repeats, folds and odds may be so many times those that were simulated
COVERED = 0.9  # of new learners on new data, by the range
_HERE = Path(__file__).parent
_RAREST = 12  # samples of a class in a simulated data set
_MOST = 3.0  # standard deviations of the simulated values, as far as a covariate is followed
_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(40)
# Metrics that do not depend on which of two classes is called positive.
OF_EITHER_CLASS = ("accuracy", "balanced_accuracy", "matthews_corrcoef", "neg_brier_score", "roc_auc")
SEVERAL = {"multilabel": "5 labels", "multioutput": "3 numbers"}  # per sample
Sizes = dict[str, tuple[float, float]]


# ---- what is known of a run, and what the model makes of it ----------------------------------------------------


class Known(NamedTuple):
    """What is known of a run, symmetric in its models.

    Attributes
    ----------
    n : float or None
        Samples; clusters, groups and runs where these are drawn, of runs of the model with fewer; items with
        labels where a judge scored all.
    positives, called : float or None
        Shares of the positive class of two, and of what the models together call so.
    n_classes : float or None
        Of more than two.
    instability : float or None
        Share of the samples whose label changes between repeats, the mean of the models.
    """

    n: float | None = None
    positives: float | None = None
    called: float | None = None
    n_classes: float | None = None
    instability: float | None = None

    def covariates(self) -> dict[str, float]:
        """Those that are known, by name, as the model takes them."""
        found = {}
        if self.n is not None:
            found["samples"] = log(self.n / 200)
        if self.positives is not None:
            own = float(logit(min(max(self.positives, 1e-9), 1 - 1e-9)))
            found["balance"] = abs(own)
            if self.called is not None:
                called = float(logit(min(max(self.called, 0.01), 0.99)))
                found["called"] = min(max(called - own, -2), 2) * (1 if own <= 0 else -1)
        if self.n_classes is not None:
            found["classes"] = log(self.n_classes / 3)
        if self.instability is not None:
            found["instability"] = self.instability**0.5
        return found


COVARIATES = ("samples", "balance", "called", "classes", "instability")


class Slope(NamedTuple):
    """What one standard deviation of a covariate adds to the mean root, and to the log standard deviation."""

    mean: float
    spread: float


class Kind(NamedTuple):
    """The coefficients of one kind: mean and log standard deviation of the root, where covariates are average."""

    mean: float
    spread: float
    slopes: Mapping[str, Slope]


class Limits(NamedTuple):
    """What was simulated, from the lowest to the highest; from 0 where there is no such number."""

    n: tuple[float, float]
    positives: tuple[float, float]
    n_classes: tuple[float, float]


Key = tuple[str, str, str]  # task, design, procedure


def normal(kind: Kind, standardised: Mapping[str, float]) -> tuple[float, float]:
    """Mean and standard deviation of the root, over what is not known."""
    mean, more, spread = kind.mean, 0.0, kind.spread
    for name, slope in kind.slopes.items():
        if name in standardised:
            mean += slope.mean * standardised[name]
            spread += slope.spread * standardised[name]
        else:
            more += slope.mean**2
            spread += slope.spread**2
    return mean, (exp(2 * spread) + more) ** 0.5


def rates(mean: float, spread: float) -> tuple[float, float, float]:
    """Mean, and the ends of what holds 90%, of a rate whose cube root in percent is normal."""
    low, high = ndtri([(1 - COVERED) / 2, (1 + COVERED) / 2])
    shares = np.clip(mean + spread * np.array([low, high, *_NODES]), 0, 100 ** (1 / 3)) ** 3 / 100
    own = float(shares[2:] @ _WEIGHTS / _WEIGHTS.sum())
    return min(max(own, float(shares[0])), float(shares[1])), float(shares[0]), float(shares[1])


class _Said(_Kind):
    def sentence(self, record: Any) -> str:
        """Mean and range, or why there are none."""
        if record.reason:
            return f"Error rate not measured: {record.reason}."
        return f"Wrong in {percent(record.mean)} ({record.span}) of similar simulations: {record.where}."


class PredictedRate(Record):
    """How often a test at 5% calls two equal models different, predicted for a learner and data that nobody tried.

    Attributes
    ----------
    mean : float
        Over learners and data, in [0, 1]; nan where it was not measured, as `low` and `high`.
    low, high : float
        What holds the rate of 90% of new learners on new data, in [0, 1].
    where : str
        The simulations; empty where there are none.
    reason : str
        Why nothing is known, as a clause; empty where something is.
    """

    mean: float = nan
    low: float = nan
    high: float = nan
    where: str = ""
    reason: str = ""

    @property
    def span(self) -> str:
        """The range as text: ``0 to 11%``, or one share where its ends are shown alike."""
        low, high = percent(self.low), percent(self.high)
        return high if low == high else f"{low[:-1]} to {high}"

    _kind: ClassVar[_Kind] = _Said()


# ---- the tables ------------------------------------------------------------------------------------------------


@cache
def kinds() -> tuple[dict[Key, tuple[Limits, dict[str, Kind]]], dict[str, dict[str, list[float]]]]:
    """What was simulated, with every kind by metric; by task the mean and the standard deviation of each covariate."""
    found, table = {}, json.loads((_HERE / "rates.json").read_text(encoding="utf-8"))
    scales = table.pop("covariates")
    for task, design, procedure in ((t, d, p) for t, designs in table.items() for d in designs for p in designs[d]):
        record = table[task][design][procedure]
        limits = Limits(*(tuple(record.pop(name, (0.0, inf))) for name in Limits._fields))
        names, by_metric = record.pop("covariates", ()), {}
        for metric, (mean, spread, *slopes) in record.items():
            by_metric[metric] = Kind(mean, spread, dict(zip(names, starmap(Slope, slopes), strict=True)))
        found[task, design, procedure] = limits, by_metric
    return found, scales


# ---- which simulations a run is like ---------------------------------------------------------------------------


def within(value: float, low: float, high: float) -> bool:
    """Whether a value is between two simulated ones, or within the tolerance of them."""
    slack = TOLERANCE * (1 + 1e-9)
    return low / slack <= value <= high * slack


def odds(share: float) -> float:
    """Of a share, which may be 1."""
    return share / (1 - share) if share < 1 else inf


def design_like(design: Design) -> str:
    """The simulated design that a design is like, empty where there is none."""
    folds, repeats = design.n_folds, design.n_repeats
    if design.partition and repeats > 1:
        name, simulated = ("5x2", 5) if folds == 2 else ("10x5", 10) if folds <= 7 else ("10x10", 10)
        return name if within(repeats, simulated, simulated) and folds <= 20 else ""
    if design.partition:
        return ("5-fold" if folds <= 7 else "10-fold") if 3 <= folds <= 20 else ""
    if folds > 1 or not within(design.test_fraction, 1 / 3, 1 / 3):
        return ""
    return "one random split" if repeats == 1 else "30 random splits" if within(repeats, 30, 30) else ""


# What the numbers of simulated runs count where they are not samples, and what else is the same in all of them.
GROUPS, MEMBERS, _CLUSTERED = " by groups", 5, ", intraclass correlation 0 to 0.5"
PER_JUDGE, BY_JUDGES = 40, (3, 6)  # judgments of each judge, and models
_UNITS = {"clusters": f"clusters{_CLUSTERED}", "runs": "runs of the model with fewer, normal and skewed scores"}
_UNITS["time order"] = "independent samples"
_OF_JUDGES = {
    "judgments": "judgments of each model",
    "judgments in clusters": "judges",
    "judged items": "labelled items",
}
_UNITS |= _OF_JUDGES


def unit(design: str) -> str:
    return _UNITS.get(design, f"groups of {MEMBERS} samples{_CLUSTERED}" if GROUPS in design else "samples")


def predicted(procedure: str, design: str, task: str, known: Known = Known()) -> dict[str, PredictedRate]:  # noqa: B008
    """The rates of a procedure by metric, of runs that are like none of the simulations the reason.

    Parameters
    ----------
    procedure : str
        Its name.
    design : str
        The name of the simulated design.
    task : str
        "binary", "multiclass", "regression", "multilabel", "multioutput", or "any" of runs and of judged items.
    known : Known
        What is known of the run.

    Returns
    -------
    dict of str to PredictedRate
        Empty where the procedure was not simulated on such a design and task.
    """
    found, scales = kinds()
    scale = scales.get(task, {})
    values = dict[str, float]()
    for name, value in known.covariates().items():
        if name in scale:
            values[name] = min(max((value - scale[name][0]) / scale[name][1], -_MOST), _MOST)
    if (task, design, procedure) not in found:
        return {}
    limits, by_metric = found[task, design, procedure]
    where, rows = _where(limits, design, task), {}
    for metric, kind in by_metric.items():
        reason = _outside(limits, metric, design, known)
        mean, low, high = rates(*normal(kind, values))
        rate = PredictedRate(mean=mean, low=low, high=high, where=where)
        rows[metric] = PredictedRate(reason=reason) if reason else rate
    return rows


_OTHER_EVIDENCE = ("one test set", "clusters", "runs", "time order", *_OF_JUDGES)


def why_not(procedure: str, task: str) -> str:
    """What was simulated in place of a design, as a clause."""
    designs = [d for own, d, name in kinds()[0] if (own, name) == (task, procedure) and d not in _OTHER_EVIDENCE]
    of = {"binary": "", "any": ""}.get(task, f" for {SEVERAL.get(task, task)}")
    if not designs:
        return f"the test was not simulated{of}"
    was = "was" if len(designs) == 1 else "were"
    return f"{of[1:]}{' ' if of else ''}only {listed(sorted(designs, key=len))} {was} simulated"


def _outside(kind: Limits, metric: str, design: str, known: Known) -> str:
    """In what a run is like none of the simulations of a kind; empty where it is like some."""
    if known.n is not None and not within(known.n, *kind.n):
        return f"only {_numbers(kind.n)} {unit(design)} were simulated"
    if known.positives is not None and kind.positives[0]:
        either = metric in OF_EITHER_CLASS
        share = min(known.positives, 1 - known.positives) if either else known.positives
        most = max(kind.positives[1], 0.5) if either else kind.positives[1]
        if not within(odds(share), odds(kind.positives[0]), odds(most)):
            return f"only {_shares(kind.positives)} positives were simulated"
        few = known.n is not None and known.n * min(known.positives, 1 - known.positives) * TOLERANCE < _RAREST
        if few and unit(design) == "samples":
            return f"only {_RAREST} samples of the rarer class or more were simulated"
    if known.n_classes is not None and kind.n_classes[0] and not within(known.n_classes, *kind.n_classes):
        return f"only {_numbers(kind.n_classes)} classes were simulated"
    return ""


def _where(kind: Limits, design: str, task: str) -> str:
    """The simulations of a kind in words."""
    parts = [f"{_numbers(kind.n)} {unit(design)}"]
    if design in ("runs", *_OF_JUDGES):
        return parts[0]
    if design != "clusters":
        parts.insert(0, design.removesuffix(GROUPS))
    if task in SEVERAL:
        parts.append(f"{SEVERAL[task]} each")
    elif kind.n_classes[0]:
        parts.append(f"{_numbers(kind.n_classes)} equally frequent classes")
    elif kind.positives[0]:
        parts.append(f"{_shares(kind.positives)} positives")
    return ", ".join([*parts, *(["regression"] if task == "regression" else [])])


def _numbers(ends: tuple[float, float]) -> str:
    return " to ".join(dict.fromkeys(map("{:,.0f}".format, ends)))


def _shares(ends: tuple[float, float]) -> str:
    return " to ".join(dict.fromkeys(map(percent, ends)))


# ---- warnings of runs on which tests reject too often ------------------------------------------------------------


_TOO_LARGE = 0.075


def time_order_warnings(design: Design) -> Iterator[CodedWarning]:
    """That a test which takes splits or samples for exchangeable is asked of test sets in time order."""
    if design.time_order:
        yield Code.TIME_ORDER(
            "every test set is later than its training set, and splits depend on each other: decide by "
            "diebold_mariano_test, which reads losses in their order."
        )


def joint_size_warnings(found: Iterable[PredictedRate]) -> Iterator[CodedWarning]:
    """What is known of a joint procedure that rejects too often on folds; empty where it does not."""
    worst = max((rate for rate in found if not rate.reason), key=lambda rate: rate.high, default=None)
    if worst is not None and worst.high > _TOO_LARGE:
        yield Code.NOT_AT_LEVEL(
            f"on simulated folds of equal models ({worst.where}) it rejected {percent(worst.mean)} ({worst.span})."
        )


# ---- lowest and highest measured figures -----------------------------------------------------------------------


ANY_LOSS = "any loss"  # what sizes in time order are of
ANY_SCORE = "any score"  # what sizes on runs, on judgments and on judged items are of
FEW = 100  # samples, below which coverage of own scores is counted by itself


@cache
def _measured() -> dict[str, list[dict[str, str]]]:
    """The rows of the table by what they are of."""
    found = defaultdict(list)
    for row in csv.DictReader((_HERE / "measured.csv").read_text(encoding="utf-8").splitlines()):
        found[row["of"]].append(row)
    return dict(found)


def _ranges(of: str) -> dict[str, dict[str, Sizes]]:
    found: dict[str, dict[str, Sizes]] = defaultdict(lambda: defaultdict(dict))
    for row in _measured()[of]:
        found[row["name"]][row["design"]][row["metric"]] = float(row["low"]), float(row["high"])
    return {name: dict(designs) for name, designs in found.items()}


# Lowest and highest share of true nulls that are rejected at 5%, by procedure, design and metric.
MEASURED_SIZES = _ranges("one data set")
# Share of tables of five equally good models that are rejected, by number of data sets; of pairs and controls the share
# in which any is.
STUDY_SIZES = {
    name: {design: by_metric["any metric"][1] for design, by_metric in designs.items()}
    for name, designs in _ranges("data sets").items()
}


class SizeInTime(NamedTuple):
    """The share of true nulls rejected at 5% on loss differences in time order, by `benchmarks.time_order`.

    Attributes
    ----------
    horizon : int or None
        Of the Diebold-Mariano test; None where none was given, and of tests on folds.
    correlation : float
        From each time to the next.
    n_times : int
        Number of differences; of tests on folds those of all 5 test sets.
    size : float
        The share.
    """

    horizon: int | None
    correlation: float
    n_times: int
    size: float


def in_time(procedure: str, horizon: int | None, correlation: float, n_times: int) -> SizeInTime:
    """The size that was measured nearest to a run: by horizon, then by correlation, then by the number of times."""
    own = [
        SizeInTime(int(row["horizon"] or 0) or None, float(row["correlation"]), int(row["n"]), float(row["high"]))
        for row in _measured()["time"]
        if row["name"] == procedure and (not row["horizon"]) == (horizon is None)
    ]

    def distance(one: SizeInTime) -> tuple[float, float, float]:
        steps = abs(log((one.horizon or 1) / (horizon or 1)))
        return steps, abs(one.correlation - correlation), abs(log(one.n_times / n_times))

    return min(own, key=distance)


@cache
def coverage_of_own_scores() -> dict[tuple[str, str, bool, bool, str], tuple[int, int]]:
    """The lowest and the highest percent of 95% intervals that held their target, over the simulations of a cell.

    By method, metric, whether there are several repeats, whether there are fewer than `FEW` samples, and target.
    """
    return {
        (row["name"], row["metric"], row["design"] == "several", int(row["n"]) < FEW, row["target"]): (
            int(row["low"]),
            int(row["high"]),
        )
        for row in _measured()["coverage"]
    }
