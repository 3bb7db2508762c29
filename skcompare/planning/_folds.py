"""How many repeats, folds or samples an evaluation on one data set needs."""

from __future__ import annotations

import csv
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import asdict, replace
from functools import lru_cache
from math import ceil
from pathlib import Path
from sys import float_info
from typing import Any

import numpy as np

from skcompare._core.design import Design, repeated_folds
from skcompare._core.frames import frame_of
from skcompare._core.numbers import agreeing, percent, percent_of, short
from skcompare._core.record import Frozen, Record
from skcompare._core.text import name_of_test
from skcompare._core.validation import Alternative, check_choice, check_integer, check_number, old_names
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference._distributions import check_goal, needed_distance, t_power
from skcompare.inference._kinds import Result
from skcompare.inference._procedures import PROCEDURES, Procedure, default_for
from skcompare.inference._records import Correction, overlap_of_test
from skcompare.inference._sentences import Values, as_exact_share, as_share

# The goal and the record of a plan: what is varied, how much of it is needed, and what is taken for granted.


MOST = 10**9  # of anything that could be needed


class Goal(Frozen):
    """What is to be detected: a difference, with a power, at a level."""

    delta: float
    power: float
    alpha: float
    alternative: Alternative

    @classmethod
    def of(cls, delta: float, power: float, alpha: float, alternative: Alternative) -> Goal:
        """A goal as it was given, or ValueError."""
        delta = check_number(delta, "margin", low=0, high=np.inf, closed="neither")
        power, alpha = check_goal(power, alpha, alternative)
        return cls(delta=delta, power=power, alpha=alpha, alternative=alternative)

    @property
    def side(self) -> Alternative:
        """The alternative of the power: the difference is positive, so `"less"` is planned as `"greater"`."""
        return "two-sided" if self.alternative == "two-sided" else "greater"

    def distance(self, df: float) -> float:
        """The true difference, in standard errors, that a test detects."""
        return needed_distance(df, self.power, self.alpha, self.alternative)


class PlanRow(Record):
    """How much of one thing is needed when everything else stays as it is.

    Attributes
    ----------
    varies : str
        ``"repeats"``, ``"folds"``, ``"samples"``, ``"items"``, ``"runs"``, ``"data sets"`` or
        ``"standard error on each data set"``.
    current : float or None
        How much there is, or was assumed; None where that was not given.
    needed : float or None
        The least that is enough (of the standard error the most); a whole number of what is counted. None where this
        alone never reaches the power, or more than 10^9 are needed.
    floor : float
        The smallest difference, in score units, that this alone can reach; 0 where there is no such limit.
    """

    varies: str
    current: float | None
    needed: float | None
    floor: float

    _kind = Values({"now": "current", "needed": "_needed", "least": "floor"}, of=("varies",))

    @property
    def _needed(self) -> str:
        """How much, or why no number is enough."""
        if self.needed is not None:
            return format(self.needed, "," if isinstance(self.needed, int) else ".6g")
        return "cannot be reached by this alone" if self.floor else f"more than {MOST:.0e} needed"


class Plan(Result):
    """How much data it takes to detect a difference.

    Attributes
    ----------
    delta : float
        The true difference to be detected, in score units, positive.
    power : float
        The probability with which it is to be detected, in (alpha, 1).
    alpha : float
        Level of the test, in (0, 1).
    alternative : {"two-sided", "greater", "less"}
        Of the test.
    current_power : float
        Power as things are, in [0, 1]; nan where they were not given.
    rows : tuple of PlanRow
        One for each thing that can be varied.
    method : str
        The test that is planned for.
    assumptions : tuple of str
        How the numbers were carried over to other sizes, each a sentence.
    warnings : tuple of str
        Reasons to distrust the plan, each a code, a colon and a sentence.
    """

    delta: float
    power: float
    alpha: float
    alternative: str
    current_power: float
    rows: tuple[PlanRow, ...]
    assumptions: tuple[str, ...]

    def needed(self, varies: str) -> float | None:
        """How much is needed of one thing.

        Parameters
        ----------
        varies : str
            As in `rows`.

        Returns
        -------
        float or None
            None where this alone never reaches the power, or more than 10^9 are needed.

        Raises
        ------
        ValueError
            If the plan has no such row.
        """
        needed = {row.varies: row.needed for row in self.rows}
        check_choice(varies, "varies", tuple(needed))
        return needed[varies]

    def to_frame(self) -> Any:
        """The rows as a pandas DataFrame; needs pandas.

        Returns
        -------
        pandas.DataFrame
            Columns: varies, current, needed (nan where it cannot be reached), floor.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        frame = frame_of(self.rows)
        return frame.astype(dict.fromkeys(frame.columns[1:], float))

    def _sentence(self) -> str:
        goal = f"To detect a true difference of {short(self.delta)} with a power of {percent_of(self.power)}"
        now = "" if self.current_power != self.current_power else f" (now {percent(self.current_power)})"
        more = [row for row in self.rows if row.needed not in (None, row.current)]
        enough = [f"{row._needed} {agreeing(row._needed, row.varies.removesuffix('s'), row.varies)}" for row in more]
        which = f"it takes {' or '.join(enough)}" if enough else "nothing that is varied alone is enough"
        return f"{goal}{now} at {percent_of(self.alpha)}, {which}. {' '.join(self.assumptions)}"


def smallest(power_of: Callable[[int], float], goal: float, first: int, last: int = MOST) -> int | None:
    """The smallest number from `first` to `last` that has the power, which grows with it; None if none has."""
    low, high = first - 1, first
    while power_of(high) < goal:
        if high >= last:
            return None
        low, high = high, min(2 * high, last)
    return low + 1 + bisect_left(range(low + 1, high), goal, key=power_of)


# How the mean difference of an evaluation varies, and what is planned from that.


ASSUMPTIONS = (
    "The true difference is the same for training sets of every size.",
    "The variance of the difference on a split is proportional to 1 over the size of its test set.",
    "The correlation of two splits is proportional to 1 over the number of folds, whatever the number of samples.",
)
_BY_NAME = {procedure.name: procedure for procedure in PROCEDURES}
_EACH_FOLD_NUMBER = 30  # up to here folds are tried one by one: the default test, and so the power, jumps below


class Spread(Frozen):
    """How the mean difference varies, by the test of the design.

    Attributes
    ----------
    std : float
        Standard deviation of the differences over the splits.
    design : Design
        Its samples, repeats, folds and test fraction; random splits are repeats of one fold.
    procedure : str
        The test of every design, or ``"auto"`` for the default of each.
    df : float or None
        Degrees of freedom of a test that fixes them; None where they are the number of splits less 1.
    """

    std: float
    design: Design
    procedure: str = "auto"
    df: float | None = None

    @property
    def test(self) -> Procedure:
        """The test of this design."""
        return _BY_NAME[default_for(self.design).procedure if self.procedure == "auto" else self.procedure]

    @property
    def fits(self) -> bool:
        """Whether there are two splits, and the test takes the design."""
        return self.design.n_splits > 1 and self.test.fits(self.design, {})

    @property
    def correction(self) -> Correction:
        """What the test of this design adds for shared training samples."""
        return Correction(test_fraction=self.design.test_fraction, overlap=overlap_of_test(self.test.name))

    @property
    def error(self) -> float:
        """Standard error of the mean difference."""
        return max(float(self.std * self.correction.variance(self.design.n_splits) ** 0.5), float_info.min)

    @property
    def test_df(self) -> float:
        """Degrees of freedom of the test."""
        return self.design.n_splits - 1 if self.df is None else self.df

    def power(self, goal: Goal) -> float:
        """Power to detect the difference on the side that is tested."""
        return t_power(goal.delta / self.error, self.test_df, goal.alpha, goal.side)

    def detectable(self, goal: Goal) -> float:
        """The smallest difference that has the power."""
        return goal.distance(self.test_df) * self.error

    def with_repeats(self, n_repeats: int) -> Spread:
        """The same with other repeats."""
        return replace(self, design=replace(self.design, n_repeats=n_repeats, n_splits=n_repeats * self.design.n_folds))

    def with_folds(self, n_folds: int) -> Spread:
        """The same with other folds: test sets of another size, and another overlap."""
        own, rho = self.design, self.design.test_fraction
        ratio = rho / (1 - rho) * (own.n_folds - 1) / (n_folds - 1)
        test_fraction, n_splits = ratio / (1 + ratio), own.n_repeats * n_folds
        design = replace(own, n_folds=n_folds, n_splits=n_splits, test_fraction=test_fraction)
        return replace(self, std=self.std * (n_folds / own.n_folds) ** 0.5, design=design)


@old_names(delta="margin")
def plan_evaluation(
    margin: float,
    *,
    std: float,
    n_train: int,
    n_test: int,
    n_repeats: int = 10,
    n_folds: int | None = None,
    correlation: float | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Plan:
    r"""How many repeats, folds or samples detect a difference on one data set, from assumptions.

    Every design is planned for its default test. The corrected t test has the standard error
    :math:`s \sqrt{1/n + \rho / (1 - \rho)}` over :math:`n` splits, so that repeats alone never reach a difference below
    its floor, at which :math:`n` is infinite. `k_fold_t_test`, the default for a single run of 3 to 20 folds, takes 0.4
    of the second term, so that two repeats can have less power than one. More folds have smaller test sets, whose
    differences vary more, and larger training sets, which overlap more: they help hardly at all. More samples have no
    floor.

    Parameters
    ----------
    margin : float
        The true difference to be detected, in score units, positive.
    std : float
        Standard deviation of the difference of the two models over the splits of one data set, in score units,
        positive. Over data sets it varies more: the correlation of splits comes on top.
    n_train, n_test : int
        Samples in a training and in a test set, at least 1.
    n_repeats : int, default=10
        Repeats that are planned now; of random splits their number, with ``n_folds=1``.
    n_folds : int, optional
        Test sets per repeat; by default as many as fit, ``(n_train + n_test) / n_test``.
    correlation : float, optional
        Correlation of the differences on two splits, in [0, 1), for the corrected t test on every design. By default
        ``n_test / (n_train + n_test)``, and the default test of each design.
    power : float, default=0.8
        In (alpha, 1).
    alpha : float, default=0.05
        Level of the test, in (0, 1).
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        Of the test.

    Returns
    -------
    Plan
        With the rows ``"repeats"``, ``"folds"`` (where a repeat has several) and ``"samples"``.

    Raises
    ------
    ValueError
        If an argument is out of range.

    References
    ----------
    C. Nadeau and Y. Bengio (2003), Inference for the generalization error, Machine Learning 52, 239-281,
    :doi:`10.1023/A:1024068626366`.

    Examples
    --------
    >>> from skcompare.planning import plan_evaluation
    >>> found = plan_evaluation(0.02, std=0.04, n_train=180, n_test=20, n_repeats=1)
    >>> found.needed("repeats"), found.needed("samples")
    (None, 1147)
    """
    goal = Goal.of(margin, power, alpha, alternative)
    std = check_number(std, "std", low=0, high=np.inf, closed="neither")
    train, test = check_integer(n_train, "n_train", low=1), check_integer(n_test, "n_test", low=1)
    repeats = check_integer(n_repeats, "n_repeats", low=1)
    folds = round((train + test) / test) if n_folds is None else check_integer(n_folds, "n_folds", low=1)
    if not 2 <= repeats * folds <= MOST:
        raise ValueError(f"n_repeats must give from 2 to {MOST:,} splits with n_folds = {folds}; got {repeats}")
    rho = test / (train + test) if correlation is None else correlation
    rho = check_number(rho, "correlation", low=0, high=1, closed="left")
    partition = folds > 1 and folds == round((train + test) / test)
    design = repeated_folds(repeats, folds, rho, partition=partition, n_samples=train + test)
    spread = Spread(std=std, design=design, procedure="auto" if correlation is None else "corrected_t_test")
    known = spread.correction if correlation is None else f"correlation {rho:.3g}"
    return plan_for(spread, goal, method=f"{name_of_test(spread.test.name)} ({known})")


def plan_for(spread: Spread, goal: Goal, *, method: str, warnings: tuple[CodedWarning, ...] = ()) -> Plan:
    """The plan for a spread that was assumed or estimated; `method` is the test of its design."""
    rows, found, design = [], list(warnings), spread.design
    if spread.df is None:
        if spread.with_repeats(2).fits:
            rows.append(_repeats(spread, goal))
        else:
            only = f"{spread.test.name} is for {spread.test.designs}"
            found.append(Code.NOT_PLANNED(f"{only}, so that repeats are left out."))
        if design.n_folds > 1 and design.n_samples is not None:
            rows.append(_folds(spread, goal))
    if design.n_samples is not None:
        n, times = design.n_samples, spread.detectable(goal) / goal.delta
        needed = max(2 * design.n_folds, ceil(n * times**2)) if times < (MOST / n) ** 0.5 else None
        rows.append(PlanRow(varies="samples", current=n, needed=needed, floor=0.0))
    each = spread.procedure == "auto" and design.partition and spread.df is None
    return Plan(
        **asdict(goal),
        current_power=spread.power(goal),
        rows=tuple(rows),
        method=f"default test of each design, now the {method}" if each else method,
        assumptions=ASSUMPTIONS,
        warnings=tuple(found),
    )


def _repeats(spread: Spread, goal: Goal) -> PlanRow:
    """One repeat is looked at by itself: its default test may be another, and more powerful than that of two."""
    one = spread.with_repeats(1)
    floor = goal.distance(np.inf) * float(spread.std * spread.with_repeats(2).correction.variance(np.inf) ** 0.5)
    needed = None
    if one.fits and one.power(goal) >= goal.power:
        needed = 1
    elif goal.delta > floor:
        needed = smallest(lambda n: spread.with_repeats(n).power(goal), goal.power, first=2)
    if one.fits:
        floor = min(floor, one.detectable(goal))
    return PlanRow(varies="repeats", current=spread.design.n_repeats, needed=needed, floor=floor)


def _folds(spread: Spread, goal: Goal) -> PlanRow:
    most = int(spread.design.n_samples or 2)
    each = [spread.with_folds(k) for k in range(2, min(most, _EACH_FOLD_NUMBER) + 1)]
    few, last = [one for one in each if one.fits], spread.with_folds(most)
    needed = next((one.design.n_folds for one in few if one.power(goal) >= goal.power), None)
    if needed is None and most > _EACH_FOLD_NUMBER and last.fits:
        first = _EACH_FOLD_NUMBER + 1
        needed = smallest(lambda k: spread.with_folds(k).power(goal), goal.power, first=first, last=most)
    floor = min(one.detectable(goal) for one in [*few, last] if one.fits)
    return PlanRow(varies="folds", current=spread.design.n_folds, needed=needed, floor=floor)


# Which design of cross-validation finds most per second of computing.


NEARLY = 0.95  # a share of what the best design finds
ROUNDED = 1e-3  # a cost as it is printed stands for that of the row


class DesignEfficiencyRow(Record):
    """What one design costs, and what it finds.

    Attributes
    ----------
    design : str
        The value of `cv`, or what stands beside it.
    n_fits : float
        Fits of each model.
    cost : float
        Time of these fits, in times of one fit on all samples.
    size : float
        Share of true nulls that the default test of the design rejects at 5%, in [0, 1].
    found : float
        Share of the true differences that it finds at 5%, in [0, 1].
    power : float
        Share of them that it would find at the level at which it rejects 5% of the true nulls, in [0, 1]: what the
        design itself can tell, were the test right.
    """

    design: str
    n_fits: float
    cost: float
    size: float
    found: float
    power: float

    @property
    def found_per_cost(self) -> float:
        """`found` over `cost`."""
        return self.found / self.cost if self.cost else float("nan")

    @property
    def power_per_cost(self) -> float:
        """`power` over `cost`."""
        return self.power / self.cost if self.cost else float("nan")

    _kind = Values(
        {
            **{"fits": "n_fits", "cost": "cost", "finds at 5%": ("found", as_share)},
            **{"found per cost": ("found_per_cost", as_exact_share), "wrong at 5%": ("size", as_exact_share)},
            **{"finds if wrong in 5%": ("power", as_share), "that per cost": ("power_per_cost", as_exact_share)},
        },
        of=("design",),
    )


class DesignEfficiency(Record):
    """What designs of cross-validation cost, and what they find at the same error rate.

    Attributes
    ----------
    metric : str
        Of the scores.
    n_samples : int
        Of the simulated data sets.
    growth : float
        The time of a fit was taken to grow as its samples to this power.
    rows : tuple of DesignEfficiencyRow
        One per design, the cheapest first.
    """

    metric: str
    n_samples: int
    growth: float
    rows: tuple[DesignEfficiencyRow, ...]
    method: str

    def within(self, cost: float) -> DesignEfficiencyRow:
        """The design that finds most for a cost.

        Parameters
        ----------
        cost : float
            What the fits of one model may take, in times of one fit on all samples; positive.

        Returns
        -------
        DesignEfficiencyRow
            Of those that cost no more the one whose default test finds most at 5%.

        Raises
        ------
        ValueError
            If no design costs so little.
        """
        cost = check_number(cost, "cost", low=0, high=np.inf, closed="neither")
        least, within = self.rows[0], [row for row in self.rows if row.cost <= cost * (1 + ROUNDED)]
        if not within:
            raise ValueError(f"cost must be at least {least.cost:.4g}, that of {least.design}; got {cost!r}")
        return max(within, key=lambda row: row.found)

    def to_frame(self) -> Any:
        """The rows as a pandas DataFrame; needs pandas.

        Returns
        -------
        pandas.DataFrame
            A column per attribute of a row.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        return frame_of(self.rows)

    def _sentence(self) -> str:
        most = max(self.rows, key=lambda row: row.found)
        close = min((row for row in self.rows if row.found >= NEARLY * most.found), key=lambda row: row.cost)
        best = max(self.rows, key=lambda row: row.power)
        per_second = max(self.rows, key=lambda row: row.found_per_cost)
        time = {row.design: percent(row.cost / most.cost) for row in self.rows}
        nearly = f"; {close.design} finds {percent(close.found)} in {time[close.design]} of the time"
        return (
            f"Tested at 5%, {most.design} finds most of the differences ({percent(most.found)})"
            f"{nearly * (close is not most)}. {per_second.design} finds most per second ({percent(per_second.found)} "
            f"in {time[per_second.design]} of the time). Were each design wrong in 5%, {best.design} would "
            f"find most ({percent(best.power)} in {time[best.design]} of the time)."
        )


def design_efficiency(*, metric: str = "accuracy", n_samples: int = 200, growth: float = 1.0) -> DesignEfficiency:
    """Which design finds most per second of computing, at equal error rates.

    Simulated as in the calibration study (docs/study.md): two models that differ by a fixed amount, on 1,000 data sets
    for each of five learners, two classes of equal size; and pairs of equal models on as many, which show how often a
    design is wrong, and at which level it would be wrong in 5%. Every design is tested by its own default test.

    Parameters
    ----------
    metric : {"accuracy", "precision", "recall", "f1", "roc_auc"}, default="accuracy"
        Of the scores.
    n_samples : {60, 200}, default=200
        Of the simulated data sets.
    growth : float, default=1.0
        The time of a fit grows as the number of its samples to this power, at least 0: 0 where it does not depend on
        them, 1 of most learners, 2 to 3 of a kernel machine.

    Returns
    -------
    DesignEfficiency

    Raises
    ------
    ValueError
        If an option is out of range.

    See Also
    --------
    plan : how much a difference of your own models needs.

    Examples
    --------
    >>> from skcompare.planning import design_efficiency
    >>> designs = design_efficiency()
    >>> print(designs)
    Tested at 5%, 10x10 finds most of the differences (47%); 10x5 finds 4... in 44% of the time. ...
    >>> designs.within(10).design
    '10-fold'
    """
    table = _measured()
    check_choice(metric, "metric", list(dict.fromkeys(row["metric"] for row in table)))
    known = sorted({int(row["n_samples"]) for row in table})
    if n_samples not in known:
        simulated = ", ".join(map(str, known))
        raise ValueError(f"n_samples must be one of {simulated}, which were simulated; got {n_samples!r}")
    growth = check_number(growth, "growth", low=0, high=10)
    rows = [
        DesignEfficiencyRow(
            design=row["design"],
            cost=float(row["n_fits"]) * float(row["train_share"]) ** growth,
            **{name: float(row[name]) for name in ("n_fits", "size", "found", "power")},
        )
        for row in table
        if row["metric"] == metric and int(row["n_samples"]) == n_samples
    ]
    return DesignEfficiency(
        metric=metric,
        n_samples=n_samples,
        growth=growth,
        rows=tuple(sorted(rows, key=lambda row: (row.cost, -row.found))),
        method=f"Shares of 5,000 simulated data sets of {n_samples} samples, five learners, the default tests",
    )


@lru_cache(maxsize=1)
def _measured() -> list[dict[str, str]]:
    """The table of ``python -m benchmarks.designs``."""
    with Path(__file__).with_name("measured_designs.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))
