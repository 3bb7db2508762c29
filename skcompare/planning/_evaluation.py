"""How many repeats, folds or samples an evaluation on one data set needs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil

import numpy as np

from skcompare._validation import Alternative, check_integer, check_number
from skcompare.inference._noncentral_t import check_goal, needed_distance, t_power
from skcompare.planning._plan import MOST, Plan, PlanRow, smallest

ASSUMPTIONS = (
    "The true difference is the same for training sets of every size.",
    "The variance of the difference on a split is proportional to 1 over the size of its test set.",
    "The correlation of two splits is proportional to 1 over the number of folds, whatever the number of samples.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """How the mean difference of an evaluation varies.

    Attributes
    ----------
    std : float
        Standard deviation of the differences over the splits.
    overlap : float
        What the shared training samples add to ``1 / n_splits``.
    n_repeats, n_folds : int
        The design; random splits are repeats of one fold.
    n_samples : int or None
        Samples in the data set, where known.
    df : float or None
        Degrees of freedom of a test that fixes them; None where they are the number of splits less 1.
    """

    std: float
    overlap: float
    n_repeats: int
    n_folds: int
    n_samples: int | None
    df: float | None = None

    @property
    def n_splits(self) -> int:
        """Number of splits."""
        return self.n_repeats * self.n_folds

    @property
    def error(self) -> float:
        """Standard error of the mean difference."""
        return float(self.std * (1 / self.n_splits + self.overlap) ** 0.5)

    def power(self, delta: float, alpha: float, alternative: str) -> float:
        """Power to detect `delta` on the side that is tested."""
        df = self.n_splits - 1 if self.df is None else self.df
        return t_power(delta / self.error, df, alpha, one_sided(alternative))

    def with_folds(self, n_folds: int) -> Spread:
        """The same with other folds: test sets of another size, and another overlap."""
        overlap = self.overlap * (self.n_folds - 1) / (n_folds - 1)
        return replace(self, n_folds=n_folds, std=self.std * (n_folds / self.n_folds) ** 0.5, overlap=overlap)

    def with_samples(self, n_samples: int) -> Spread:
        """The same on another number of samples: test sets of another size."""
        return replace(self, n_samples=n_samples, std=self.std * (int(self.n_samples or 0) / n_samples) ** 0.5)


def plan_evaluation(
    delta: float,
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

    The corrected t test has the standard error :math:`s \sqrt{1/n + \rho / (1 - \rho)}` over :math:`n` splits, so that
    repeats alone never reach a difference below its floor, at which :math:`n` is infinite. More folds have smaller
    test sets, whose differences vary more, and larger training sets, which overlap more: they help hardly at all. More
    samples have no floor.

    Parameters
    ----------
    delta : float
        The true difference to be detected, in score units, positive.
    std : float
        Standard deviation of the difference of the two models over the splits, in score units, positive.
    n_train, n_test : int
        Samples in a training and in a test set, at least 1.
    n_repeats : int, default=10
        Repeats that are planned now; of random splits their number, with ``n_folds=1``.
    n_folds : int, optional
        Test sets per repeat; by default as many as fit, ``(n_train + n_test) / n_test``.
    correlation : float, optional
        Correlation of the differences on two splits, in [0, 1); by default ``n_test / (n_train + n_test)``.
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
    (None, 1676)
    """
    delta = check_number(delta, "delta", low=0, high=np.inf, closed="neither")
    std = check_number(std, "std", low=0, high=np.inf, closed="neither")
    train, test = check_integer(n_train, "n_train", low=1), check_integer(n_test, "n_test", low=1)
    repeats = check_integer(n_repeats, "n_repeats", low=1)
    folds = round((train + test) / test) if n_folds is None else check_integer(n_folds, "n_folds", low=1)
    if repeats * folds < 2:
        raise ValueError(f"n_repeats must give at least 2 splits with n_folds = {folds}; got {repeats}")
    rho = test / (train + test) if correlation is None else correlation
    rho = check_number(rho, "correlation", low=0, high=1, closed="left")
    goal, level = check_goal(power, alpha, alternative)
    spread = Spread(std=std, overlap=rho / (1 - rho), n_repeats=repeats, n_folds=folds, n_samples=train + test)
    return plan_for(spread, delta, goal, level, alternative, method=f"corrected t test (correlation {rho:.3g})")


def plan_for(
    spread: Spread,
    delta: float,
    power: float,
    alpha: float,
    alternative: str,
    *,
    method: str,
    warnings: tuple[str, ...] = (),
) -> Plan:
    """The plan for a spread that was assumed or estimated."""
    rows = []
    if spread.df is None:
        rows.append(_repeats(spread, delta, power, alpha, alternative))
        if spread.n_folds > 1 and spread.n_samples is not None:
            rows.append(_folds(spread, delta, power, alpha, alternative))
    if spread.n_samples is not None:
        rows.append(_samples(spread, delta, power, alpha, alternative))
    return Plan(
        delta=delta,
        power=power,
        alpha=alpha,
        alternative=alternative,
        current_power=spread.power(delta, alpha, alternative),
        rows=tuple(rows),
        method=method,
        assumptions=ASSUMPTIONS,
        warnings=warnings,
    )


def one_sided(alternative: str) -> Alternative:
    """The alternative on whose side a difference without sign lies."""
    return "two-sided" if alternative == "two-sided" else "greater"


def _repeats(spread: Spread, delta: float, power: float, alpha: float, alternative: str) -> PlanRow:
    floor = needed_distance(np.inf, power, alpha, alternative) * spread.std * spread.overlap**0.5
    needed = None
    if delta > floor:
        needed = smallest(
            lambda n: replace(spread, n_repeats=n).power(delta, alpha, alternative),
            power,
            first=2 if spread.n_folds == 1 else 1,
        )
    return PlanRow(varies="repeats", current=spread.n_repeats, needed=needed, floor=floor)


def _folds(spread: Spread, delta: float, power: float, alpha: float, alternative: str) -> PlanRow:
    most = int(spread.n_samples or 2)
    needed = smallest(lambda k: spread.with_folds(k).power(delta, alpha, alternative), power, first=2, last=most)
    last = spread.with_folds(most)
    floor = needed_distance(last.n_splits - 1, power, alpha, alternative) * last.error
    return PlanRow(varies="folds", current=spread.n_folds, needed=needed, floor=floor)


def _samples(spread: Spread, delta: float, power: float, alpha: float, alternative: str) -> PlanRow:
    df = spread.n_splits - 1 if spread.df is None else spread.df
    n = int(spread.n_samples or 0)
    times = (needed_distance(df, power, alpha, alternative) * spread.error / delta) ** 2
    needed = max(2 * spread.n_folds, ceil(n * times)) if n * times < MOST else None
    return PlanRow(varies="samples", current=n, needed=needed, floor=0.0)
