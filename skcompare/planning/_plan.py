"""The goal and the record of a plan: what is varied, how much of it is needed, and what is taken for granted."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from skcompare._core.frames import frame_of
from skcompare._core.numbers import percent, percent_of
from skcompare._core.record import Record
from skcompare._core.validation import Alternative, check_number
from skcompare._core.warnings import CodedWarning
from skcompare.inference._distributions import check_goal, needed_distance
from skcompare.inference._sentences import Values

MOST = 10**9  # of anything that could be needed
_TOO_MANY = f"more than {MOST:.0e} needed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """What is to be detected: a difference, with a power, at a level."""

    delta: float
    power: float
    alpha: float
    alternative: Alternative

    @classmethod
    def of(cls, delta: float, power: float, alpha: float, alternative: Alternative) -> Goal:
        """A goal as it was given, or ValueError."""
        delta = check_number(delta, "delta", low=0, high=np.inf, closed="neither")
        power, alpha = check_goal(power, alpha, alternative)
        return cls(delta=delta, power=power, alpha=alpha, alternative=alternative)

    @property
    def side(self) -> Alternative:
        """The alternative on whose side the difference, which has no sign, lies."""
        return "two-sided" if self.alternative == "two-sided" else "greater"

    def distance(self, df: float) -> float:
        """The true difference, in standard errors, that a test detects."""
        return needed_distance(df, self.power, self.alpha, self.alternative)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PlanRow(Record):
    """How much of one thing is needed, all else being as it is.

    Attributes
    ----------
    varies : str
        ``"repeats"``, ``"folds"``, ``"samples"``, ``"data sets"`` or ``"standard error on each data set"``.
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
    _kind = Values({"now": "current", "needed": "_needed", "floor": "floor"}, of=("varies",))

    @property
    def _needed(self) -> str:
        """How much, or why no number is enough."""
        if self.needed is not None:
            return f"{self.needed:.6g}"
        return "cannot be reached by this alone" if self.floor else _TOO_MANY


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Plan(Record):
    """What it takes to detect a difference.

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
    method: str
    assumptions: tuple[str, ...]
    warnings: tuple[CodedWarning, ...] = ()

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
        for row in self.rows:
            if row.varies == varies:
                return row.needed
        raise ValueError(f"varies must be one of {', '.join(repr(row.varies) for row in self.rows)}; got {varies!r}")

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
        goal = f"To detect a true difference of {self.delta:.3g} with a power of {percent_of(self.power)}"
        now = "" if self.current_power != self.current_power else f" (now {percent(self.current_power)})"
        enough = [
            f"{row.needed:.6g} {row.varies}"
            for row in self.rows
            if row.needed is not None and (row.current is None or row.needed != row.current)
        ]
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
