"""Degrees of freedom of the calibrated t test, from differences that were simulated under the null hypothesis."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, log, sqrt
from typing import get_args

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats
from scipy.optimize import brentq

from skcompare._core.numbers import percent_of
from skcompare._core.record import Record
from skcompare._core.validation import LARGEST_INTEGER, FloatArray, check_choice, check_number, check_scores
from skcompare._core.warnings import Code, CodedWarning, Warnings
from skcompare.inference._distributions import t_quantile
from skcompare.inference._kinds import ConfidenceInterval
from skcompare.inference._records import ROUNDING, power_of_two, sample_std
from skcompare.inference._sentences import Values, as_level
from skcompare.inference.fold_scores.t_tests import Scheme, sample
from skcompare.inference.outcomes.proportions import binomial_limits

# The correlation of the differences on two splits, from many data sets.


def estimate_fold_correlation(d: FloatArray, confidence_level: float) -> tuple[float, ConfidenceInterval]:
    """The rho at which s2 (1/n + rho / (1 - rho)) is on average the variance of the mean.

    The interval takes the ratio of the two variances for a multiple of chi-squared, with the degrees of freedom that
    its variance by the delta method tells, at most those of normal means: few data sets show too few of the large ones.
    """
    n_datasets, n = d.shape
    means, within = d.mean(axis=1), d.var(axis=1, ddof=1)
    variance = float(means.var(ddof=1))
    if variance == 0 or within.max() == 0:
        return np.nan, ConfidenceInterval(np.nan, np.nan)
    ratio = variance / float(within.mean())
    influence = (means - means.mean()) ** 2 / variance - within / within.mean()
    df = 2 / max(float(influence.var(ddof=1)) / n_datasets, 2 / (n_datasets - 1))
    tail = (1 - confidence_level) / 2
    with np.errstate(divide="ignore"):
        multiples = df / stats.chi2.isf((tail, 1 - tail), df)
    odds = (ratio * float(multiple) - 1 / n for multiple in (1.0, *multiples))
    rho, low, high = (float(own / (1 + own)) for own in odds)
    return rho, ConfidenceInterval(low=low, high=high)


LEVELS = (0.01, 0.05, 0.1)
# The range in which the degrees of freedom are looked for.
MIN_DF, MAX_DF = 0.01, 1e6
# Calibrated at 1% and at 10%, they may differ by this share of the larger.
MAX_SPREAD = 0.25
# A mean further from 0 than this, in standard errors, is not that of equal models.
MAX_BIAS = 3.0
# Quantiles of t with few degrees of freedom overflow.
_LARGEST = 1e300
# Shares of the unit that differ by less are the same: products such as 0.95 * 20 are not exact.
_EXACT = 1e-9


class LevelCalibration(Record):
    """What a calibration found at one level.

    Attributes
    ----------
    level : float
        The nominal size, in (0, 1).
    size : float
        Share of the simulated data sets that the test with the calibrated degrees of freedom rejects at this level, in
        [0, 1].
    size_interval : ConfidenceInterval
        Of the true size (Clopper and Pearson).
    df : float
        The degrees of freedom that give the test its size at this level; nan where there are too few data sets for it
        or no value does.
    df_interval : ConfidenceInterval
        Of these; from 0 or to infinity where the data sets do not bound them.
    """

    level: float
    size: float
    size_interval: ConfidenceInterval
    df: float
    df_interval: ConfidenceInterval
    _kind = Values(
        {"level": ("level", as_level), "share of true nulls rejected": "size", "df that give the level": "df"}
    )


class CalibrationResult(Record):
    """Calibrated degrees of freedom, and how sure they are.

    Attributes
    ----------
    df : float
        Degrees of freedom for `calibrated_t_test`: positive and real.
    df_interval : ConfidenceInterval
        Those with which the size may be `alpha`, given the number of data sets; from 0 where they have no lower bound.
    scheme : {"all", "folds", "runs", "sorted_runs"}
        The sample that the test takes, as in `calibrated_t_test`.
    alpha : float
        The level of the calibration, in (0, 1).
    confidence_level : float
        Of all intervals here, in (0, 1).
    critical_ratio : float
        The mean over the standard deviation of the sample above which the test rejects.
    levels : tuple of LevelCalibration
        Sizes with `df`, and degrees of freedom, at 0.01, 0.05 and 0.10. The sizes are those on the data sets of the
        calibration itself.
    fold_correlation : float
        Correlation of the differences on two splits, below 1: the value at which the variance of the corrected t test
        is that of the simulated means.
    fold_correlation_interval : ConfidenceInterval
        Of this correlation.
    mean, mean_error : float
        Mean difference over all data sets, which is 0 for equal models, and its standard error, in score units.
    n_datasets, n_repeats, n_folds : int
        Simulated data sets, and the shape of each; differences without repeats count as one repeat.
    """

    df: float
    df_interval: ConfidenceInterval
    scheme: str
    alpha: float
    confidence_level: float
    critical_ratio: float
    levels: tuple[LevelCalibration, ...]
    fold_correlation: float
    fold_correlation_interval: ConfidenceInterval
    mean: float
    mean_error: float
    n_datasets: int
    n_repeats: int
    n_folds: int
    warnings: Warnings = ()
    _kind = Values({"df": "df", "level": ("alpha", as_level), "data sets": "n_datasets"}, title="Calibrated t test")


def calibrate(
    differences: ArrayLike, *, scheme: Scheme = "all", alpha: float = 0.05, confidence_level: float = 0.95
) -> CalibrationResult:
    r"""Degrees of freedom that give the calibrated t test its size on differences of equal models.

    The test rejects where the mean over the standard deviation of its sample, :math:`|\bar x| / s`, is above

    .. math:: c(\mathrm{df}; \alpha) = t_{1 - \alpha / 2, \mathrm{df}} / \sqrt{\mathrm{df} + 1},

    which falls as df grows. The calibrated df is the root of :math:`c(\mathrm{df}; \alpha) = c^*`, where :math:`c^*` is
    the :math:`\lceil (1 - \alpha)(M + 1) \rceil`-th smallest of the ratios of M data sets (Bouckaert 2003). The
    interval holds every df whose size may be :math:`\alpha` by Clopper and Pearson.

    Parameters
    ----------
    differences : array_like of shape (n_datasets, n_repeats, n_folds)
        Differences ``a - b`` of the scores of two equally good models, one simulated data set after the other; for
        ``"all"`` also of shape (n_datasets, n_splits).
    scheme : {"all", "folds", "runs", "sorted_runs"}, default="all"
        As in `calibrated_t_test`.
    alpha : float, default=0.05
        The size that the test is to have, two-sided, in (0, 1).
    confidence_level : float, default=0.95
        Of the intervals, in (0, 1).

    Returns
    -------
    CalibrationResult
        With a warning ``NOT_CALIBRATED`` where no one value serves all levels: calibrated at 1% and at 10% they
        differ by more than a quarter of the larger, and their intervals do not meet. With few data sets the intervals
        are wide, and nothing is said.

    Raises
    ------
    ValueError
        If the differences are not finite or too few, are on average more than 3 standard errors from 0, do not vary,
        or no degrees of freedom from 0.01 to a million give the size.

    References
    ----------
    R. R. Bouckaert (2003), Choosing between two learning algorithms based on calibrated tests, ICML, 51-58.

    Examples
    --------
    Of independent normal differences they are those of the ordinary t test, here 9.

    >>> import numpy as np
    >>> from skcompare.inference import calibrate
    >>> found = calibrate(np.random.default_rng(0).normal(size=(2000, 2, 5)))
    >>> found.df_interval.low < 9 < found.df_interval.high
    True
    """
    check_choice(scheme, "scheme", get_args(Scheme))
    alpha = check_number(alpha, "alpha", low=0, high=1, closed="neither")
    level = check_number(confidence_level, "confidence_level", low=0, high=1, closed="neither")
    d = check_scores(differences, "differences", ndim=(2, 3) if scheme == "all" else (3,))
    if sample(d[:1], scheme).size < 2:
        raise ValueError(f"differences must give scheme {scheme!r} a sample of 2 or more; got shape {d.shape}")
    if len(d) < (fewest := fewest_datasets(alpha)):
        raise ValueError(f"differences must be of at least {fewest} data sets for alpha={alpha:g}; got {len(d)}")
    unit = power_of_two(d)
    d = d / unit
    mean, error = check_null(d, "differences must be those of equal models", unit)
    ratios = np.sort(_ratios(d, scheme))
    if ratios[-1] == 0:
        raise ValueError("differences must vary; the mean of every data set is 0")
    critical = _order_statistic(ratios, alpha)
    df = _df(critical, alpha)
    if np.isnan(df):
        raise ValueError(
            f"differences must vary within data sets and between them; no degrees of freedom from {MIN_DF:g} to "
            f"{MAX_DF:g} have the critical ratio {critical:.3g} that gives the size {alpha:g}"
        )
    levels = tuple(_at_level(ratios, df, of_level, level) for of_level in LEVELS)
    correlation, its_interval = estimate_fold_correlation(d.reshape(len(d), -1), level)
    return CalibrationResult(
        df=df,
        df_interval=_df_interval(ratios, alpha, level),
        scheme=scheme,
        alpha=alpha,
        confidence_level=level,
        critical_ratio=critical,
        levels=levels,
        fold_correlation=correlation,
        fold_correlation_interval=its_interval,
        mean=mean * unit,
        mean_error=error * unit,
        n_datasets=len(d),
        n_repeats=d.shape[1] if d.ndim == 3 else 1,
        n_folds=d.shape[-1],
        warnings=tuple(level_warnings(levels, scheme)),
    )


def fewest_datasets(alpha: float) -> int:
    """How many data sets it takes for a size of `alpha`."""
    return max(3, ceil(min(1 / alpha, LARGEST_INTEGER) - 1 - _EXACT))


def check_null(differences: FloatArray, told: str, unit: float = 1.0) -> tuple[float, float]:
    """The mean difference over all data sets and its standard error, or ValueError where it is too far from 0."""
    means = differences.reshape(len(differences), -1).mean(axis=1)
    mean, error = float(means.mean()), sample_std(means, 0.0) / sqrt(len(means))
    bias = abs(mean) / error if error else np.inf
    if bias > MAX_BIAS and abs(mean) > ROUNDING * np.abs(differences).max():
        raise ValueError(
            f"{told}; their mean over {len(means)} data sets is {mean * unit:+.3g}, {bias:.1f} standard errors "
            f"({error * unit:.2g}) from 0"
        )
    return mean, error


def _ratios(d: FloatArray, scheme: str) -> FloatArray:
    """|mean| / s of every data set: 0 where both are 0, infinite where only s is."""
    x = sample(d, scheme)
    mean, spread = np.abs(x.mean(axis=1)), x.std(axis=1, ddof=1)
    noise = ROUNDING * np.abs(d).max()
    spread[np.ptp(x, axis=1) <= noise] = 0.0
    mean[mean <= noise] = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(mean == 0, 0.0, mean / spread)


def critical_ratio(df: float, level: float) -> float:
    """c(df; level): above which ratio of mean and standard deviation the test rejects."""
    return min(-t_quantile(df, level / 2) / sqrt(df + 1), _LARGEST)


def _df(ratio: float, level: float) -> float:
    """The df whose critical ratio is this; nan where it lies outside the range looked at."""
    low, high = critical_ratio(MAX_DF, level), critical_ratio(MIN_DF, level)
    if not low < ratio < high:
        return float("nan")
    return float(brentq(lambda df: log(critical_ratio(df, level) / ratio), MIN_DF, MAX_DF, xtol=1e-10, rtol=1e-12))


def _order_statistic(ratios: FloatArray, level: float) -> float:
    """The ceil((1 - level)(M + 1))-th smallest; infinite where there are too few."""
    rank = ceil((1 - level) * (len(ratios) + 1) - _EXACT)
    return float(ratios[rank - 1]) if rank <= len(ratios) else np.inf


def _df_interval(ratios: FloatArray, level: float, confidence_level: float) -> ConfidenceInterval:
    """The df at the order statistics between which the quantile lies; a greater ratio is a smaller df."""
    n, tail = len(ratios), (1 - confidence_level) / 2
    lower = int(stats.binom.ppf(tail, n, 1 - level))  # the largest rank with P(Bin < rank) <= tail
    upper = int(stats.binom.isf(tail, n, 1 - level)) + 1  # the smallest with P(Bin >= rank) <= tail
    ends = (ratios[upper - 1] if upper <= n else np.inf, ratios[lower - 1] if lower >= 1 else 0.0)
    beyond = (0.0 if ratio > critical_ratio(1.0, level) else np.inf for ratio in ends)  # the range looked at
    limits = (_df(ratio, level) for ratio in ends)
    return ConfidenceInterval(*(end if np.isnan(df) else df for df, end in zip(limits, beyond, strict=True)))


def _at_level(ratios: FloatArray, df: float, level: float, confidence_level: float) -> LevelCalibration:
    n, rejected = len(ratios), int(np.count_nonzero(ratios > critical_ratio(df, level)))
    return LevelCalibration(
        level=level,
        size=rejected / n,
        size_interval=ConfidenceInterval(*binomial_limits(rejected, n, (1 - confidence_level) / 2, midp=False)),
        df=_df(_order_statistic(ratios, level), level),
        df_interval=_df_interval(ratios, level, confidence_level),
    )


def level_warnings(levels: tuple[LevelCalibration, ...], scheme: str) -> Iterator[CodedWarning]:
    """Whether the df of the lowest and the highest level differ, beyond what the number of data sets may do."""
    first, last = levels[0], levels[-1]
    smaller, larger = sorted((first, last), key=lambda found: found.df)
    if 1 - smaller.df / larger.df > MAX_SPREAD and not larger.df_interval.low <= smaller.df_interval.high:
        yield Code.NOT_CALIBRATED(
            f"no df gives scheme {scheme!r} its nominal size at every level; calibrated at "
            f"{percent_of(first.level)} it is {first.df:.3g}, at {percent_of(last.level)} {last.df:.3g}."
        )
