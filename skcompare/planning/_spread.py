"""How the mean difference of an evaluation varies, under one design or another."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from skcompare._core.design import Design
from skcompare._core.validation import Alternative, check_number
from skcompare.inference._noncentral_t import check_goal, needed_distance, t_power
from skcompare.inference._procedure import Procedure
from skcompare.inference._procedures import PROCEDURES, default_for
from skcompare.inference.fold_scores.k_fold_t import OVERLAP

_BY_NAME = {procedure.name: procedure for procedure in PROCEDURES}


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

    def met_by(self, spread: Spread) -> bool:
        """Whether the test of a design has the power."""
        return spread.power(self) >= self.power

    def distance(self, df: float) -> float:
        """The true difference, in standard errors, that a test detects."""
        return needed_distance(df, self.power, self.alpha, self.alternative)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """How the mean difference varies, by the test of the design.

    Attributes
    ----------
    std : float
        Standard deviation of the differences over the splits.
    ratio : float
        What the shared training samples add to ``1 / n_splits``, by the full correction.
    n_repeats, n_folds : int
        The design; random splits are repeats of one fold.
    partition : bool
        Whether the folds of a repeat hold every sample once.
    n_samples : int or None
        Samples in the data set, where known.
    procedure : str
        The test of every design, or ``"auto"`` for the default of each.
    df : float or None
        Degrees of freedom of a test that fixes them; None where they are the number of splits less 1.
    """

    std: float
    ratio: float
    n_repeats: int
    n_folds: int
    partition: bool
    n_samples: int | None
    procedure: str = "auto"
    df: float | None = None

    @property
    def n_splits(self) -> int:
        """Number of splits."""
        return self.n_repeats * self.n_folds

    @property
    def design(self) -> Design:
        """The design, as far as the choice of a test asks."""
        return Design(
            n_samples=self.n_samples,
            n_repeats=self.n_repeats,
            n_folds=self.n_folds,
            n_splits=self.n_splits,
            test_fraction=self.ratio / (1 + self.ratio),
            partition=self.partition,
        )

    @property
    def test(self) -> Procedure:
        """The test of this design."""
        return _BY_NAME[default_for(self.design).procedure if self.procedure == "auto" else self.procedure]

    @property
    def fits(self) -> bool:
        """Whether there are two splits, and the test takes the design."""
        return self.n_splits > 1 and self.test.fits(self.design, {})

    @property
    def overlap(self) -> float:
        """What the shared training samples add to ``1 / n_splits``, by the test of this design."""
        return self.ratio * (OVERLAP if self.test.name == "k_fold_t_test" else 1.0)

    @property
    def error(self) -> float:
        """Standard error of the mean difference."""
        return float(self.std * (1 / self.n_splits + self.overlap) ** 0.5)

    @property
    def error_of_many(self) -> float:
        """Standard error of the mean difference over infinitely many repeats."""
        return float(self.std * self.with_repeats(2).overlap ** 0.5)

    @property
    def test_df(self) -> float:
        """Degrees of freedom of the test."""
        return self.n_splits - 1 if self.df is None else self.df

    def power(self, goal: Goal) -> float:
        """Power to detect the difference on the side that is tested."""
        return t_power(goal.delta / self.error, self.test_df, goal.alpha, goal.side)

    def detectable(self, goal: Goal) -> float:
        """The smallest difference that has the power."""
        return goal.distance(self.test_df) * self.error

    def with_repeats(self, n_repeats: int) -> Spread:
        """The same with other repeats."""
        return replace(self, n_repeats=n_repeats)

    def with_folds(self, n_folds: int) -> Spread:
        """The same with other folds: test sets of another size, and another overlap."""
        ratio = self.ratio * (self.n_folds - 1) / (n_folds - 1)
        return replace(self, n_folds=n_folds, std=self.std * (n_folds / self.n_folds) ** 0.5, ratio=ratio)

    def with_samples(self, n_samples: int) -> Spread:
        """The same on another number of samples: test sets of another size."""
        return replace(self, n_samples=n_samples, std=self.std * (int(self.n_samples or 0) / n_samples) ** 0.5)
