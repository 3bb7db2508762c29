"""Intervals for a proportion, such as an accuracy on independent samples."""

from __future__ import annotations

from typing import Literal, get_args

from scipy import special

from skcompare._core.validation import check_choice, check_integer
from skcompare.inference._interval import ConfidenceInterval, interval_tail
from skcompare.inference.outcomes._binomial import binomial_limits, normal_quantile

ProportionMethod = Literal["wilson", "clopper_pearson", "jeffreys", "agresti_coull", "wald"]


def proportion_interval(
    n_successes: int, n: int, *, confidence_level: float = 0.95, method: ProportionMethod = "wilson"
) -> ConfidenceInterval:
    r"""Confidence interval for a proportion, such as the accuracy of a model on one test set.

    The Wilson interval is the set of proportions that the score test does not reject,

    .. math:: \frac{\hat p + z^2 / 2n}{1 + z^2 / n} \pm
        \frac{z}{1 + z^2 / n} \sqrt{\frac{\hat p (1 - \hat p)}{n} + \frac{z^2}{4 n^2}}

    (Wilson 1927). For an accuracy it is conditional on the fitted model: it covers what the model would reach
    on new samples, not what its algorithm would after training on other data.

    Parameters
    ----------
    n_successes : int
        Number of successes, from 0 to `n`.
    n : int
        Number of independent trials, at least 1.
    confidence_level : float, default=0.95
        In (0, 1).
    method : {"wilson", "clopper_pearson", "jeffreys", "agresti_coull", "wald"}, default="wilson"
        ``"clopper_pearson"`` covers at least the level always, and more than it mostly. ``"jeffreys"`` has the
        quantiles of the posterior under the prior Beta(1/2, 1/2), reaching to 0 without success and to 1
        without failure. ``"agresti_coull"`` is the Wald interval after adding :math:`z^2 / 2` successes and
        failures. ``"wald"`` covers too little, and is a point without success or without failure.

    Returns
    -------
    ConfidenceInterval
        Within [0, 1], and holding ``n_successes / n``.

    Raises
    ------
    ValueError
        If a count is not an integer in its range, or an option is out of range.

    References
    ----------
    E. B. Wilson (1927), Probable inference, the law of succession, and statistical inference, Journal of the
    American Statistical Association 22, 209-212, :doi:`10.1080/01621459.1927.10502953`.

    C. J. Clopper and E. S. Pearson (1934), The use of confidence or fiducial limits illustrated in the case of
    the binomial, Biometrika 26, 404-413, :doi:`10.1093/biomet/26.4.404`.

    L. D. Brown, T. T. Cai and A. DasGupta (2001), Interval estimation for a binomial proportion, Statistical
    Science 16(2), 101-133, :doi:`10.1214/ss/1009213286`.

    Examples
    --------
    >>> from skcompare.inference import proportion_interval
    >>> interval = proportion_interval(94, 100)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.8752, 0.9722)
    """
    check_choice(method, "method", get_args(ProportionMethod))
    n = check_integer(n, "n", low=1)
    k = check_count(n_successes, "n_successes", n)
    tail = interval_tail(confidence_level, "two-sided")
    if method == "clopper_pearson":
        low, high = binomial_limits(k, n, tail, midp=False)
    elif method == "jeffreys":
        low, high = _jeffreys(k, n, tail)
    elif method == "wilson":
        low, high = wilson_limits(k, n, normal_quantile(tail))
    else:
        z = normal_quantile(tail)
        extra = z**2 if method == "agresti_coull" else 0.0
        low, high = _wald((k + extra / 2) / (n + extra), n + extra, z)
    return ConfidenceInterval(low=low, high=high)


def check_count(value: int, name: str, n: int) -> int:
    """Return `value` as an int from 0 to `n`, or raise ValueError."""
    count = check_integer(value, name, low=0)
    if count > n:
        raise ValueError(f"{name} must be at most n, which is {n}; got {count}")
    return count


def wilson_limits(k: int, n: int, z: float) -> tuple[float, float]:
    """The proportions whose score statistic is `z` and ``-z``; exactly 0 and 1 at the ends for z > 0."""
    share, shrink = k / n, 1 + z**2 / n
    centre = (share + z**2 / (2 * n)) / shrink
    margin = z / shrink * (share * (1 - share) / n + z**2 / (4 * n**2)) ** 0.5
    low = 0.0 if k == 0 and z > 0 else min(max(0.0, centre - margin), 1.0)
    high = 1.0 if k == n and z > 0 else max(min(1.0, centre + margin), 0.0)
    return low, high


def _jeffreys(k: int, n: int, tail: float) -> tuple[float, float]:
    """Brown, Cai and DasGupta (2001), section 3.1.2, with their ends at 0 and n successes."""
    low = 0.0 if k == 0 else float(special.betaincinv(k + 0.5, n - k + 0.5, tail))
    high = 1.0 if k == n else float(special.betainccinv(k + 0.5, n - k + 0.5, tail))
    return low, high


def _wald(share: float, n: float, z: float) -> tuple[float, float]:
    margin = z * (share * (1 - share) / n) ** 0.5
    return max(0.0, share - margin), min(1.0, share + margin)
