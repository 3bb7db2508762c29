"""Power of the tests of two models over data sets."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from scipy import special

from skcompare._core.validation import Alternative, check_alternative, check_choice, check_integer, check_number
from skcompare.inference._distributions import t_power
from skcompare.inference.datasets.signed_rank import LARGEST_AUTO_EXACT, lower_tail

StudyTest = Literal["signed_rank_test", "dataset_t_test"]
EFFICIENCY = 3 / np.pi


def study_power(
    delta: float,
    *,
    std: float,
    n_datasets: int,
    procedure: StudyTest = "signed_rank_test",
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
) -> float:
    r"""Power of a test over data sets whose differences are normal.

    Of the t test it is that of the noncentral t distribution with noncentrality :math:`\delta \sqrt N / \sigma`. The
    signed-rank test does with :math:`N` data sets what the t test does with :math:`3 N / \pi` (its asymptotic relative
    efficiency, Hodges and Lehmann 1956), at the level that its exact null distribution can attain: on five data sets
    that is 0. Where it rejects unanimous signs only, the power is that of unanimity.

    Parameters
    ----------
    delta : float
        True mean of the differences ``a - b`` over data sets, in score units; positive favours `a`.
    std : float
        Standard deviation of the differences from data set to data set, positive.
    n_datasets : int
        At least 2.
    procedure : {"signed_rank_test", "dataset_t_test"}, default="signed_rank_test"
        The test.
    alpha : float, default=0.05
        Its level, in (0, 1).
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: `a` is better.

    Returns
    -------
    float
        In [0, 1]. Of the signed-rank test it is within 0.03 of simulated power from 6 data sets on.

    Raises
    ------
    ValueError
        If an argument is out of range.

    References
    ----------
    J. L. Hodges and E. L. Lehmann (1956), The efficiency of some nonparametric competitors of the t-test, The Annals of
    Mathematical Statistics 27(2), 324-335, :doi:`10.1214/aoms/1177728261`.

    Examples
    --------
    >>> from skcompare.inference import study_power
    >>> round(study_power(0.02, std=0.03, n_datasets=20, procedure="dataset_t_test"), 3)
    0.807
    >>> study_power(0.02, std=0.03, n_datasets=5)
    0.0
    """
    shift = check_number(delta, "delta", low=-np.inf, high=np.inf, closed="neither")
    spread = check_number(std, "std", low=0, high=np.inf, closed="neither")
    n = check_integer(n_datasets, "n_datasets", low=2)
    check_choice(procedure, "procedure", get_args(StudyTest))
    level = check_number(alpha, "alpha", low=0, high=1, closed="neither")
    check_alternative(alternative)
    if procedure == "dataset_t_test":
        return t_power(shift / spread * n**0.5, n - 1, level, alternative)
    return _signed_rank_power(shift / spread, n, level, alternative)


def _signed_rank_power(effect: float, n: int, alpha: float, alternative: str) -> float:
    """Power where the mean difference is `effect` standard deviations."""
    sides = 2 if alternative == "two-sided" else 1
    largest, attained = _rejected(n, alpha / sides)
    if largest > 0:
        efficient = n * EFFICIENCY
        return t_power(effect * efficient**0.5, efficient - 1, sides * attained, alternative)
    if largest < 0:
        return 0.0
    unanimous = {"greater": special.ndtr(effect) ** n, "less": special.ndtr(-effect) ** n}
    return float(sum(share for side, share in unanimous.items() if alternative in (side, "two-sided")))


def _rejected(n: int, tail: float) -> tuple[int, float]:
    """The largest rank sum that is called significant, -1 where none is, and its probability under the null."""
    if n > LARGEST_AUTO_EXACT:
        return n, tail
    below = lower_tail(np.arange(1, n + 1), n * (n + 1) // 2)
    largest = int(np.searchsorted(below, tail)) - 1  # p must be below alpha, not equal to it
    return largest, float(below[largest]) if largest >= 0 else 0.0
