"""How many data sets a study needs."""

from __future__ import annotations

from dataclasses import asdict
from typing import get_args

import numpy as np
from scipy import optimize

from skcompare._core.validation import Alternative, check_choice, check_integer, check_number
from skcompare.inference.datasets._signed_ranks import LARGEST_AUTO_EXACT
from skcompare.inference.datasets.power import StudyTest, study_power
from skcompare.planning._plan import Goal, Plan, PlanRow, smallest

ASSUMPTIONS = (
    "The data sets are a random sample of those that the verdict is about, and the differences on them are normal.",
    "What an evaluation leaves open about the difference on its data set adds to the variance between data sets.",
)
_LARGEST_EFFECT = 100.0  # a mean of so many standard deviations is found by any test that can reject
_ERROR_ROW = "standard error on each data set"


def plan_study(
    delta: float,
    *,
    std: float,
    within_error: float = 0.0,
    n_datasets: int | None = None,
    procedure: StudyTest = "signed_rank_test",
    power: float = 0.8,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Plan:
    r"""How many data sets detect a mean difference over data sets, from assumptions.

    The mean differences that a study reads have the variance :math:`\sigma^2 + e^2`: between data sets, and of the
    evaluation on each. Better evaluations reduce the second only, so that they alone have a floor.

    Parameters
    ----------
    delta : float
        True mean of the differences over data sets, in score units, positive.
    std : float
        Standard deviation of the true differences from data set to data set, in score units, at least 0; positive
        where `within_error` is 0.
    within_error : float, default=0.0
        Standard error of the difference on one data set, in score units, at least 0.
    n_datasets : int, optional
        Data sets that are planned now, at least 2.
    procedure : {"signed_rank_test", "dataset_t_test"}, default="signed_rank_test"
        The test.
    power : float, default=0.8
        In (alpha, 1).
    alpha : float, default=0.05
        Level of the test, in (0, 1).
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        Of the test.

    Returns
    -------
    Plan
        With the row ``"data sets"``, and where `n_datasets` and `within_error` are given
        ``"standard error on each data set"``.

    Raises
    ------
    ValueError
        If an argument is out of range.

    See Also
    --------
    skcompare.inference.study_power : the power that the plan rests on.

    Examples
    --------
    >>> from skcompare.planning import plan_study
    >>> plan_study(0.02, std=0.03).needed("data sets")
    22
    """
    goal = Goal.of(delta, power, alpha, alternative)
    within = check_number(within_error, "within_error", low=0, high=np.inf, closed="left")
    between = check_number(std, "std", low=0, high=np.inf, closed="left" if within else "neither")
    now = None if n_datasets is None else check_integer(n_datasets, "n_datasets", low=2)
    check_choice(procedure, "procedure", get_args(StudyTest))
    effect = goal.delta / float(np.hypot(between, within))
    needed = _needed_datasets(effect, procedure, goal)
    rows = [PlanRow(varies="data sets", current=now, needed=needed, floor=0.0)]
    if now is not None and within > 0:
        rows.append(_error_row(goal.delta, between, within, _detectable(now, procedure, goal)))
    return Plan(
        **asdict(goal),
        current_power=float("nan") if now is None else _power(effect, now, procedure, goal),
        rows=tuple(rows),
        method=f"{procedure} over data sets",
        assumptions=ASSUMPTIONS,
    )


def _power(effect: float, n: int, procedure: StudyTest, goal: Goal) -> float:
    """Power where the mean difference is `effect` standard deviations."""
    return study_power(effect, std=1.0, n_datasets=n, procedure=procedure, alpha=goal.alpha, alternative=goal.side)


def _needed_datasets(effect: float, procedure: StudyTest, goal: Goal) -> int | None:
    first = smallest(lambda n: _power(effect, n, "dataset_t_test", goal), goal.power, first=2)
    if procedure == "dataset_t_test" or first is None:
        return first
    # the power of the signed-rank test goes up in steps, and is below that of the t test: the search can begin there
    for n in range(first, LARGEST_AUTO_EXACT + 1):
        if _power(effect, n, procedure, goal) >= goal.power:
            return n
    approximate = max(first, LARGEST_AUTO_EXACT + 1)
    return smallest(lambda n: _power(effect, n, procedure, goal), goal.power, first=approximate)


def _detectable(n: int, procedure: StudyTest, goal: Goal) -> float:
    """The difference, in standard deviations, that so many data sets detect; infinite where none is."""
    if _power(_LARGEST_EFFECT, n, procedure, goal) < goal.power:
        return float("inf")
    return float(optimize.brentq(lambda size: _power(size, n, procedure, goal) - goal.power, 0.0, _LARGEST_EFFECT))


def _error_row(delta: float, between: float, within: float, detectable: float) -> PlanRow:
    floor = detectable * between if between or np.isinf(detectable) else 0.0
    total = delta / detectable
    enough = total * (1 - (between / total) ** 2) ** 0.5 if floor < delta else None
    return PlanRow(varies=_ERROR_ROW, current=within, needed=enough, floor=floor)
