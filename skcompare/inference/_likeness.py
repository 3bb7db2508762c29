"""Simulations that a run may be like, and what they share with it: a design, and numbers within a factor of two."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import inf, log

from skcompare._core.design import Design
from skcompare._core.words import listed
from skcompare.inference._measured_sizes import MeasuredSize

TOLERANCE = 2.0
# Metrics that do not depend on which of the two classes is called positive.
OF_EITHER_CLASS = ("accuracy", "roc_auc", "accuracy and ROC AUC")
_BETWEEN = 2.25  # the same between two simulated values, of which the numbers of samples are up to 5 times apart
SEVERAL = {"multilabel": "5 labels", "multioutput": "3 numbers"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulated:
    """The simulations that are like a run.

    Attributes
    ----------
    reason : str
        Why there is none, as a clause; empty where there is one.
    design, balance : str
        Of the simulations; the balance of the classes is empty where that of the run is not known, and where the
        larger class is the positive one.
    n_samples : int or None
        In a simulated data set.
    where : str
        The same in words.
    sizes : dict of metric to MeasuredSize
        Only metrics that were measured there.
    by_family : dict of str to dict of metric to MeasuredSize
        Of pairs of learners of one family, and of "mixed" pairs, where that was kept.
    rarer : float
        Share of the rarer of two classes, 0 where that of the run is not known.
    """

    reason: str = ""
    design: str = ""
    n_samples: int | None = None
    balance: str = ""
    where: str = ""
    sizes: dict[str, MeasuredSize] = field(default_factory=dict)
    by_family: dict[str, dict[str, MeasuredSize]] = field(default_factory=dict)
    rarer: float = 0.0

    def size(self, metric: str, family: str = "") -> MeasuredSize | None:
        """Of a metric the size for a family of learners, or that of all nulls where the family has none."""
        return self.by_family.get(family, {}).get(metric) or self.sizes.get(metric)


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
    return "one random split" if repeats == 1 else "30 resamples" if within(repeats, 30, 30) else ""


def designs_in_words(designs: Iterable[str]) -> str:
    """What was simulated, as a clause."""
    named = [design.replace("resamples", "random splits") for design in designs]
    return f"{listed(sorted(named, key=len))} {'was' if len(named) == 1 else 'were'} simulated"


def within(value: float, low: float, high: float) -> bool:
    """Whether a value is between two simulated ones, or within the tolerance of them."""
    slack = TOLERANCE * (1 + 1e-9)
    return low / slack <= value <= high * slack


def odds(share: float) -> float:
    """Of a share, which may be 1."""
    return share / (1 - share) if share < 1 else float("inf")


def apart(value: float, simulated: float) -> float:
    """How far a value is from a simulated one, as the logarithm of their ratio."""
    return abs(log(value / simulated)) if value > 0 else inf


def nearest(value: float, simulated: Iterable[float]) -> float | None:
    """The simulated value that is nearest, as a ratio; None where none is near.

    Near is within the tolerance of one, or between two that are nearly as near.
    """
    known = sorted(simulated)
    near = min(known, key=lambda one: apart(value, one), default=0.0)
    ends = near and within(value, known[0], known[-1])
    return near if ends and apart(value, near) <= log(_BETWEEN) else None


def pooled(sizes: Iterable[MeasuredSize]) -> MeasuredSize:
    every = list(sizes)
    highest = max(every, key=lambda size: size.high)
    return MeasuredSize(
        mean=sum(size.mean for size in every) / len(every),
        low=min(size.low for size in every),
        high=highest.high,
        highest=highest.highest,
        nulls=sum(size.nulls for size in every),
    )
