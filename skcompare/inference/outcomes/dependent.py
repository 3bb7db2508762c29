"""t tests on values that depend on each other: losses in time order, items in clusters, estimates of a joint model."""

from __future__ import annotations

from collections.abc import Iterator
from math import fsum
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.fft import dct, irfft, next_fast_len, rfft
from scipy.special import chdtrc, stdtr

from skcompare._core import validation
from skcompare._core.numbers import counted, percent
from skcompare._core.validation import Alternative, FloatArray
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference import _records as records
from skcompare.inference._distributions import FAR, skewness_beyond, t_limits
from skcompare.inference._rates import in_time
from skcompare.inference._records import ROUNDING, Differences, Positions, TTestResult
from skcompare.inference.outcomes.samples import Changes, Clusters, read_clusters

Weights = Literal["cosines", "equal", "Bartlett"]
# A correlation beyond the horizon is named where it is that many of its standard errors, 1 / sqrt(n), from 0.
_STANDARD_ERRORS = 2.0
# Cosines and equal weights may leave nothing of a variance but rounding.
_POSITIVE = 1e-9
# Without a horizon, correlations count as too strong from this measured error rate on.
_TOO_LARGE = 0.07
# With fewer times per step of the horizon, beyond the first, the variance is too small.
_FEWEST = 20
_ONE_COSINE = 8  # times without a horizon from which there are two
# Correlations beyond the variance are looked for over so many steps at most: two days of hours, four years of months.
_MOST_LAGS = 50
_BEYOND_LEVEL = 0.01
_MOST_UNABLE = 50  # clusters that differ: a test of more of them can reject at every level


class DieboldMarianoResult(TTestResult):
    """Result of a Diebold-Mariano test.

    `confidence_interval` inverts the test: it leaves out `null` exactly when ``pvalue < 1 - confidence_level``.

    Attributes
    ----------
    statistic : float
        `estimate` less `null` over `standard_error`: that of Diebold and Mariano with the factor of Harvey, Leybourne
        and Newbold; infinite where all differences are one other value than `null`.
    pvalue : float
        In [0, 1]; nan only with fewer than two times.
    df : float
        Number of cosines, or with a horizon the number of times less one; nan only with fewer than two times.
    alternative : {"two-sided", "greater", "less"}
        What was tested: the mean loss of `b` less that of `a` is not `null`, above it, below it.
    estimate : float
        Mean loss of `b` less that of `a`, in units of the loss; positive favours `a`.
    mean_difference : float
        The same as `estimate`.
    standard_error : float
        Of `estimate`, in units of the loss, allowing for the correlation of times, or with a horizon of those that are
        less than that apart, and for `training_variance`.
    effect_size : float
        Cohen's d_z over the times, the mean over the standard deviation of the differences; nan where it is not
        defined.
    n : int
        Number of times, or of whole periods.
    horizon : int or None
        Steps ahead of the forecasts; correlations up to ``horizon - 1`` steps count. None where it was not given.
    weights : {"cosines", "equal", "Bartlett"}
        How correlations come into the variance: by its slowest cosines; with a horizon equally, or with Bartlett's
        weights, which fall with the distance, where equal ones give a variance that is not positive.
    training_variance : float
        What other training sets add to the variance, as a multiple of what other test samples add.
    autocorrelation : float
        Of differences that are `horizon` steps apart, in [-1, 1]: the first that the variance does not allow for, about
        0 where the horizon is right. Without a horizon that of neighbours. nan where it is not defined.
    period : int
        Times in each of the means that were tested; 1 where single times were.
    """

    horizon: int | None
    weights: Weights
    training_variance: float
    autocorrelation: float
    period: int


def diebold_mariano_test(
    losses_a: ArrayLike,
    losses_b: ArrayLike,
    *,
    horizon: int | None = None,
    period: int = 1,
    training_variance: float = 0.0,
    alternative: Alternative = "two-sided",
    null: float = 0.0,
) -> DieboldMarianoResult:
    r"""Diebold-Mariano test of two forecasts, on their losses in time order.

    Losses of neighbouring times are alike, so the variance of their mean is not that of independent cases. With
    :math:`d_t` the loss of `b` less the loss of `a` at time :math:`t` of :math:`n`, the statistic is
    :math:`\bar d / \sqrt{\hat V / n}` (Diebold and Mariano 1995). How far losses stay alike need not be known: the
    variance is the mean square of the :math:`B = 0.4\, n^{2/3}` slowest cosines in the differences,

    .. math:: \hat V = \frac{1}{B} \sum_{j=1}^{B} \Big( \sqrt{2/n} \sum_{t=1}^{n}
        d_t \cos \frac{\pi j (t - 1/2)}{n} \Big)^2,

    and the statistic is referred to Student's t on :math:`B` degrees of freedom (Lazarus, Lewis, Stock and Watson
    2018; Coroneo and Iacone 2020 on this test). It allows for correlations over about :math:`n / \pi B` steps.

    With a horizon :math:`h`, good forecasts that many steps ahead have errors that are correlated over less than
    :math:`h` steps, and the variance is that of the autocovariances
    :math:`\hat\gamma_k = n^{-1} \sum_{t > k} (d_t - \bar d)(d_{t-k} - \bar d)`,

    .. math:: t = \sqrt{\frac{n + 1 - 2h + h(h - 1)/n}{n}} \; \bar d \Big/ \sqrt{\hat V / n}, \qquad
        \hat V = \hat\gamma_0 + 2 \sum_{k=1}^{h-1} \hat\gamma_k,

    where the first factor is that of Harvey, Leybourne and Newbold (1997), who refer it to Student's t on
    :math:`n - 1` degrees of freedom. A sum that is not positive is replaced by the one with Bartlett's weights
    :math:`1 - k/h`, which always is. With ``horizon=1`` it is the paired t test. A horizon that is too short rejects
    far too often; one that is right has more power than the cosines on short series.

    Losses that recur, as those of the same month of every year, are alike over whole periods, which neither variance
    allows for. With a period :math:`s` the test is that of the :math:`\lfloor n / s \rfloor` means of :math:`s` times
    each, and all above, the horizon too, counts periods. Whether single times need it is looked at by the statistic of
    Ljung and Box (1978) over the correlations :math:`\hat\rho_k` beyond those :math:`c` steps that the variance allows
    for, up to :math:`n / 4` and at most 50 steps,

    .. math:: Q = n (n + 2) \sum_k \frac{\hat\rho_k^2}{n - k},

    which is referred to the chi-squared distribution with its mean and its variance under correlations over less than
    :math:`c` steps, at 1%.

    What it is about depends on the training. Where models are fitted anew on a window of fixed length that moves on,
    it compares forecasting methods, with what fitting them costs, and nested models too (Giacomini and White 2006). On
    training sets that grow it is about the forecasts that were made; for nested models, whose losses become equal in
    the end, it then rejects too seldom.

    Other training data would have made other forecasts. Accuracy and most losses hardly depend on that, since models
    are fitted to make them small; recall and F1 do, which follow the share of samples that a fitted model calls
    positive. With :math:`\hat V (1 + \tau)` in place of :math:`\hat V` the test allows for it: as in the corrected
    resampled t test (Nadeau and Bengio 2003) a sample is taken to vary a score as much from the training set as from
    the test set, so that test sets of :math:`n_i` samples, :math:`n` in all, and training sets :math:`T_i` of
    :math:`m_i` have
    :math:`\tau = n \sum_{ij} \frac{n_i n_j}{n^2} \frac{|T_i \cap T_j|}{m_i m_j}`.

    Parameters
    ----------
    losses_a, losses_b : array_like of shape (n_times,)
        Loss of each forecast of the two models, in time order and equally spaced, smaller better: squared or absolute
        errors, 0/1 errors.
    horizon : int or None, default=None
        Steps ahead of the forecasts, in [1, n_times // period), where correlations are known to end before it.
    period : int, default=1
        Times after which losses recur, in [1, n_times // 2]: 12 of months, 7 of days. Times before the first of the
        whole periods, counted from the end, are left out.
    training_variance : float, default=0
        :math:`\tau` above, at least 0. By default the test is about the forecasts that were made.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: the loss of `b` is the larger, `a` is better.
    null : float, default=0
        The difference ``a - b`` under the null hypothesis, in the units of `estimate`: what is tested is whether the
        true one differs from it, exceeds it (``"greater"``) or falls below it. With a positive one ``"greater"`` tests
        superiority by a margin, with a negative one non-inferiority.

    Returns
    -------
    DieboldMarianoResult
        With the warning TIME_ORDER where the differences are alike over more steps than the variance allows for, with
        a measured error rate where that is so of neighbours or at the horizon; APPROXIMATE below 20 times per step of a
        horizon of 2 or more, below 8 times without one, and where cosines or equal weights leave no variance;
        TOO_LITTLE_DATA and nan for a single time.

    Raises
    ------
    ValueError
        If the losses are not finite or not paired, or an option is out of range.

    References
    ----------
    F. X. Diebold and R. S. Mariano (1995), Comparing predictive accuracy, Journal of Business and Economic Statistics
    13(3), 253-263, :doi:`10.1080/07350015.1995.10524599`.

    D. Harvey, S. Leybourne and P. Newbold (1997), Testing the equality of prediction mean squared errors, International
    Journal of Forecasting 13(2), 281-291, :doi:`10.1016/S0169-2070(96)00719-4`.

    E. Lazarus, D. J. Lewis, J. H. Stock and M. W. Watson (2018), HAR inference: recommendations for practice, Journal
    of Business and Economic Statistics 36(4), 541-559, :doi:`10.1080/07350015.2018.1506926`.

    L. Coroneo and F. Iacone (2020), Comparing predictive accuracy in small samples using fixed-smoothing asymptotics,
    Journal of Applied Econometrics 35(4), 391-409, :doi:`10.1002/jae.2756`.

    C. Nadeau and Y. Bengio (2003), Inference for the generalization error, Machine Learning 52, 239-281,
    :doi:`10.1023/A:1024068626366`.

    G. M. Ljung and G. E. P. Box (1978), On a measure of lack of fit in time series models, Biometrika 65(2), 297-303,
    :doi:`10.1093/biomet/65.2.297`.

    R. Giacomini and H. White (2006), Tests of conditional predictive ability, Econometrica 74(6), 1545-1578,
    :doi:`10.1111/j.1468-0262.2006.00718.x`.

    Examples
    --------
    >>> from skcompare.inference import diebold_mariano_test
    >>> squared_a = [1.0, 0.5, 0.2, 1.1, 0.4, 0.3, 0.9, 0.6]
    >>> squared_b = [1.6, 0.9, 0.1, 1.0, 0.9, 0.8, 1.0, 1.1]
    >>> result = diebold_mariano_test(squared_a, squared_b, horizon=2)
    >>> round(result.estimate, 4), round(result.statistic, 4), round(result.pvalue, 4)
    (0.3, 2.4303, 0.0454)
    """
    against = validation.check_hypothesis(alternative, null)
    training_variance = validation.check_number(training_variance, "training_variance", low=0.0)
    loss_a, loss_b = validation.check_pair(losses_a, losses_b, ndim=(1,), names=("losses_a", "losses_b"))
    period = validation.check_integer(period, "period", low=1)
    if period > max(loss_a.size // 2, 1):
        raise ValueError(f"period must be at most half the number of times, {loss_a.size}; got {period}")
    n, unit = loss_a.size // period, "time" if period == 1 else "period"
    if horizon is not None:
        horizon = validation.check_integer(horizon, "horizon", low=1)
        if horizon >= max(n, 2):
            raise ValueError(f"horizon must be less than the number of {unit}s, {n}; got {horizon}")
    d = records.paired_differences(*(loss[-n * period :].reshape(n, period).mean(axis=1) for loss in (loss_b, loss_a)))
    standard_error, weights, beyond = _spread(d, horizon)
    correlated = tuple(_correlated(beyond, n, horizon, unit)) or tuple(_recurring(d, horizon, unit))
    means = f"means of {period} times, " if period > 1 else ""
    variance = f"{means}horizon {horizon}" if horizon else f"{means}variance from cosines"
    corrected = ", corrected for the training sets" if training_variance else ""
    error, df = standard_error * (1 + training_variance) ** 0.5, n - 1 if horizon else min(_n_cosines(n), n - 1)
    method, told = f"Diebold-Mariano test ({variance}{corrected})", (*_cautions(weights, n, horizon, unit), *correlated)
    result = records.t_test(d, error, float(df), against, method=method, warnings=told, needs="at least 2 times")
    more = {"horizon": horizon, "weights": weights, "training_variance": training_variance, "period": period}
    return records.widened(result, DieboldMarianoResult, autocorrelation=beyond, **more)


def _n_cosines(n: int) -> int:
    """Lazarus, Lewis, Stock and Watson (2018), equation 4."""
    return max(1, int(np.rint(0.4 * n ** (2 / 3))))


def _spread(d: Differences, horizon: int | None) -> tuple[float, Weights, float]:
    """Standard error of the mean, the weights in it, and the correlation at the horizon, or of neighbours."""
    n = d.values.size
    if n < 2 or d.std == 0:
        return (float("nan") if n < 2 else 0.0), "equal" if horizon else "cosines", float("nan")
    unit = records.power_of_two(d.values)
    scaled: FloatArray = d.values / unit
    scaled = scaled - scaled.mean()
    gamma = np.array([scaled[k:] @ scaled[: n - k] / n for k in range((horizon or 1) + 1)])
    weights: Weights = "equal"
    if horizon is None:  # the mean square of the slowest cosines; of single values where these leave nothing
        slowest = dct(scaled, norm="ortho")[1 : _n_cosines(n) + 1]
        variance = float(slowest @ slowest) / len(slowest)
        variance, weights = (variance, "cosines") if variance > _POSITIVE * gamma[0] else (gamma[0], "equal")
    else:  # autocovariances up to the horizon
        variance = gamma[0] + 2 * gamma[1:horizon].sum()
        if variance <= _POSITIVE * gamma[0]:
            weights = "Bartlett"
            variance = gamma[0] + 2 * (1 - np.arange(1, horizon) / horizon) @ gamma[1:horizon]
        # Harvey, Leybourne and Newbold (1997), equation 8
        variance = float(variance / ((n - horizon) * (n - horizon + 1) / n**2))
    return float((variance / n) ** 0.5 * unit), weights, float(gamma[-1] / gamma[0])


def _cautions(weights: Weights, n: int, horizon: int | None, unit: str) -> Iterator[CodedWarning]:
    """That the variance is not that asked for, or uncertain, with the size measured without any correlation."""
    if horizon is None and weights == "equal":
        yield Code.APPROXIMATE("the slowest cosines leave no variance: that of independent differences was taken.")
    if horizon is None and 1 < n < _ONE_COSINE:
        told = f"with {counted(n, unit)} the variance comes from one cosine, so only very large differences are found."
        yield Code.APPROXIMATE(told)
    if horizon is not None and weights != "equal":
        yield Code.APPROXIMATE(
            f"the variance from the correlations up to {counted(horizon - 1, 'step')} apart is not positive; "
            "Bartlett's weights were taken, which make it positive."
        )
    if horizon is not None and horizon > 1 and 1 < n < _FEWEST * horizon:
        near = in_time("diebold_mariano_test", horizon, 0.0, n)
        yield Code.APPROXIMATE(
            f"{n} {unit}s are few for a horizon of {horizon}; of {near.n_times} differences without any correlation, "
            f"{percent(near.size)} of true nulls were rejected at 5% with horizon {near.horizon}."
        )


def _correlated(correlation: float, n: int, horizon: int | None, unit: str) -> Iterator[CodedWarning]:
    """That differences stay alike for longer than the variance allows for, with the size measured for it."""
    if not correlation * n**0.5 > _STANDARD_ERRORS:
        return
    near = in_time("diebold_mariano_test", horizon, correlation ** (1 / (horizon or 1)), n)
    measured = (
        f"{percent(near.size)} of true nulls were rejected at 5% where differences correlate by {near.correlation:g} "
        f"from each of {near.n_times:,} times to the next"
    )
    if horizon is None and near.size >= _TOO_LARGE:
        here = f"here neighbours correlate by {correlation:.2f}, too much for {n:,} {unit}s: collect more."
        yield Code.TIME_ORDER(f"{measured}; {here}")
    if horizon is not None:
        yield Code.TIME_ORDER(
            f"{measured} (horizon {near.horizon}); here the correlation over {counted(horizon, 'step')}, which the "
            f"variance does not allow for, is {correlation:.2f}. Without horizon= it allows for more."
        )


def correlations_beyond(values: FloatArray, horizon: int | None) -> tuple[int, FloatArray, FloatArray]:
    """The first lag that the variance does not allow for, the correlations from there on, and their p-value.

    Series lie along the last axis. Correlations within the variance make those beyond it vary more, and together; the
    chi-squared distribution has the mean and the variance of the statistic (Bartlett's formula).
    """
    n = values.shape[-1]
    covered, last = horizon or int(np.ceil(n / np.pi / _n_cosines(n))), min(n // 4, _MOST_LAGS)
    if last < covered:
        return covered, np.empty((*values.shape[:-1], 0)), np.ones(values.shape[:-1])
    size = next_fast_len(n + last, real=True)
    power = np.abs(rfft(values - values.mean(axis=-1, keepdims=True), size)) ** 2
    found = irfft(power, size)[..., : last + 1]
    found = found / found[..., :1]
    lags, within = np.arange(covered, last + 1), found[..., :covered]
    statistic = n * (n + 2) * (found[..., covered:] ** 2 / (n - lags)).sum(axis=-1)
    both = np.concatenate([within[..., :0:-1], within], axis=-1)
    size = 2 * both.shape[-1] - 1
    together = irfft(np.abs(rfft(both, size)) ** 2, size)
    mean, squares = together[..., 0], (together**2).sum(axis=-1)
    pvalue = chdtrc(len(lags) * mean**2 / squares, statistic * mean / squares)
    return covered, found[..., covered:], np.asarray(pvalue)


def _recurring(d: Differences, horizon: int | None, unit: str) -> Iterator[CodedWarning]:
    """That differences are alike again after more steps than the variance allows for."""
    if d.std == 0:
        return
    first, correlations, pvalue = correlations_beyond(d.values / records.power_of_two(d.values), horizon)
    at = int(np.argmax(np.abs(correlations))) if pvalue < _BEYOND_LEVEL else 0
    if pvalue >= _BEYOND_LEVEL or correlations[at] < 0:  # the variance is too large, if anything
        return
    after = counted(first + at, unit)
    told = f"differences {after} apart correlate by {correlations[at]:.2f}, which the variance does not allow for."
    remedy = f"If losses recur, test(period={first + at}) tests means of whole periods."
    yield Code.TIME_ORDER(f"{told} {remedy if unit == 'time' else 'Collect more.'}")


# The paired t test on items that come in clusters.


class ClusterTTestResult(TTestResult):
    """Result of a paired t test with a standard error that allows for clusters.

    `confidence_interval` inverts the test: it leaves out 0 exactly when ``pvalue < 1 - confidence_level``.

    Attributes
    ----------
    statistic : float
        `estimate` over `standard_error`; infinite where the mean of every cluster is one non-zero value.
    pvalue : float
        In [0, 1]; nan only with fewer than two clusters.
    df : float
        Satterthwaite's: the number of clusters less one where these are of one size, fewer where they are not; nan only
        with fewer than two clusters.
    alternative : {"two-sided", "greater", "less"}
        What was tested: the mean of ``a - b`` is not zero, positive, negative.
    estimate : float
        Mean of all differences ``a - b``, each item with the same weight, in units of the values; positive favours `a`.
    mean_difference : float
        The same as `estimate`.
    standard_error : float
        Of `estimate`, in units of the values, allowing for clusters.
    effect_size : float
        Cohen's d_z over the items, the mean over the standard deviation of the differences; nan where it is not
        defined.
    n : int
        Number of items.
    n_clusters : int
        Number of clusters.
    design_effect : float
        The variance of the mean over what it would be for independent items, at least 0; 1 where each item is a cluster
        of its own; nan where either variance is 0 or not known.
    intraclass_correlation : float
        Of the differences of two items of one cluster, by the analysis of variance, at most 1; nan where each item is a
        cluster of its own, and where it is not defined.
    changes : tuple of float
        Of values that are 0 and 1, by how much others of a cluster change a mean, of each cluster that does not differ,
        falling. The interval allows for that where so few differ that no test of these can reject, none among them, and
        `pvalue` does not. Empty of other values, and where more than 50 clusters differ.
    """

    n_clusters: int
    design_effect: float
    intraclass_correlation: float

    def _limits(self, tail: float) -> tuple[float, float]:
        if self.standard_error == 0 and self.estimate == 0:
            return TTestResult._limits(self, tail)
        ends = t_limits(self.estimate, self.standard_error, self.df, tail, self.skewness)
        if self.pvalue < (2 * tail if self.alternative == "two-sided" else tail) or not self.changes:
            return ends
        n = len(self.changes)
        unseen = Changes(np.array(self.changes), 1 + np.arange(n), self.n_clusters - n, reach=1.0)
        plain = t_limits(self.estimate, self.standard_error, self.df, tail)
        low, high = unseen.widened(plain, self.estimate, tail, self.alternative)
        return min(low, ends[0]), max(high, ends[1])


def cluster_t_test(
    a: ArrayLike, b: ArrayLike, *, clusters: ArrayLike, alternative: Alternative = "two-sided", null: float = 0.0
) -> ClusterTTestResult:
    r"""Paired t test on one value per item, with items of one cluster that depend on each other.

    Several items of one patient, document or question, or several runs of one item, tell less than as many independent
    ones. With the differences :math:`d_i = a_i - b_i` of :math:`n` items, their mean :math:`\bar d` and the share
    :math:`f_c` of the items that are in cluster :math:`c`,

    .. math:: t = \bar d \Big/ \sqrt{ \frac{1}{n^2} \sum_c \frac{1}{1 - f_c}
        \left( \sum_{i \in c} (d_i - \bar d) \right)^2 }, \qquad
        \nu = \frac{1}{\sum_c f_c^2 + \left( \sum_c a_c \right)^2 - \sum_c a_c^2}, \quad a_c = \frac{f_c^2}{1 - f_c}

    on :math:`\nu` degrees of freedom: the cluster-robust variance of a mean (Miller 2024, for paired differences),
    unbiased for independent items (CR2), with Satterthwaite's degrees of freedom (Bell and McCaffrey 2002; Pustejovsky
    and Tipton 2018). With one item per cluster it is the paired t test; with clusters of one size, the t test on their
    means. Where few clusters differ, the sums over clusters are skewed, which :math:`t` allows for as :math:`z` in
    :func:`delong_test`.

    It is about the models whose values these are, on items and clusters like these.

    Parameters
    ----------
    a, b : array_like of shape (n_items,)
        One value per item for each model, such as a loss, a score or right and wrong as 1 and 0; larger is better.
    clusters : array_like of shape (n_items,)
        Labels of the clusters: numbers, strings, dates or other values that have an order.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: the mean of ``a - b`` is positive.
    null : float, default=0
        The difference ``a - b`` under the null hypothesis, in the units of `estimate`: what is tested is whether the
        true one differs from it, exceeds it (``"greater"``) or falls below it. With a positive one ``"greater"`` tests
        superiority by a margin, with a negative one non-inferiority.

    Returns
    -------
    ClusterTTestResult
        With the warning TOO_LITTLE_DATA below 10 clusters, where one holds more than a quarter of the items, and where
        all tell no more than 10 clusters of equal size; with nan too for a single cluster.

    Raises
    ------
    ValueError
        If the values are not finite or not paired, `clusters` are missing or not one per item, or `alternative` is
        unknown.

    See Also
    --------
    paired_metric_test : exchanges whole clusters, for any metric.
    paired_bootstrap : an interval for the difference of any metric, from whole clusters.
    permutation_test : flips the signs of whole clusters.

    References
    ----------
    R. M. Bell and D. F. McCaffrey (2002), Bias reduction in standard errors for linear regression with multi-stage
    samples, Survey Methodology 28(2), 169-181.

    E. Miller (2024), Adding error bars to evals: a statistical approach to language model evaluations, arXiv
    2411.00640, :doi:`10.48550/arXiv.2411.00640`.

    J. E. Pustejovsky and E. Tipton (2018), Small-sample methods for cluster-robust variance estimation and hypothesis
    testing in fixed effects models, Journal of Business and Economic Statistics 36(4), 672-683,
    :doi:`10.1080/07350015.2016.1247004`.

    Examples
    --------
    >>> from skcompare.inference import cluster_t_test
    >>> a, b = [1, 1, 0, 1, 1, 1, 0, 1], [0, 0, 0, 1, 1, 0, 0, 0]
    >>> result = cluster_t_test(a, b, clusters=["x", "x", "y", "y", "z", "z", "w", "w"])
    >>> result.n_clusters, round(result.df, 4), round(result.statistic, 4), round(result.pvalue, 4)
    (4, 3.0, 2.4495, 0.0917)
    """
    against = validation.check_hypothesis(alternative, null)
    validation.check_aligned(a=a, b=b, clusters=clusters)
    d = records.paired_differences(*validation.check_pair(a, b, ndim=(1,)))
    units = read_clusters(clusters, d.values.size)
    standard_error, between, within, skewness = _between_and_within(d, units)
    independent = d.std / d.values.size**0.5 if d.std > 0 else float("nan")
    df, cautions = satterthwaite(units.sizes / d.values.size), units.warnings()
    method, needs = f"cluster-robust paired t test ({counted(len(units), 'cluster')})", "at least 2 clusters"
    result = records.t_test(d, standard_error, df, against, method=method, warnings=cautions, needs=needs)
    within_cluster, effect = _intraclass(units, between, within), (standard_error / independent) ** 2
    more: dict[str, Any] = {"n_clusters": len(units), "design_effect": effect, "intraclass_correlation": within_cluster}
    more["changes"] = _changes(np.asarray([a, b], dtype=np.float64), units)
    found = records.widened(result, ClusterTTestResult, **more)
    found = found.with_skewness(skewness) if skewness and standard_error > 0 else found
    equal = found.standard_error == found.estimate == 0 and more["changes"]
    return found.with_changes(more["changes"]) if equal else found


def _between_and_within(d: Differences, units: Clusters) -> tuple[float, float, float, float]:
    """The standard error of the mean; sums of squares between and within the clusters, in a unit; the skewness."""
    n = d.values.size
    unit = records.power_of_two(d.values)
    scaled = d.values / unit
    scaled -= scaled.mean()
    sums = units.sums(scaled)
    sums[np.abs(sums) <= d.noise / unit * units.sizes] = 0.0  # rounding
    means = sums / units.sizes
    between, within = float(sums @ means), float(((scaled - means[units.codes]) ** 2).sum())
    if len(units) < 2:
        return float("nan"), between, within, 0.0
    error = fsum(sums**2 / (1 - units.sizes / n)) ** 0.5 / n * unit
    return error, between, within, float(skewness_beyond(np.sort(sums)))


def _changes(values: FloatArray, units: Clusters) -> tuple[float, ...]:
    """By how much other values of a cluster change a mean of 0 and 1, of those in which two models do not differ."""
    right = np.stack([units.sums(of_model) for of_model in values])
    alike = right[0] == right[1]
    if ((values != 0) & (values != 1)).any() or len(units) - alike.sum() > _MOST_UNABLE:
        return ()
    sizes = np.maximum(right[0], units.sizes - right[0])[alike] / values.shape[1]
    return tuple(np.sort(sizes)[::-1].tolist())


def satterthwaite(shares: FloatArray) -> float:
    """Degrees of freedom of the variance of a mean, from the shares of the items that the clusters hold."""
    shares = np.sort(shares)  # so that the names of the clusters do not matter
    if len(shares) < 2:
        return float("nan")
    a = shares**2 / (1 - shares)
    return float(1 / (shares @ shares + a.sum() ** 2 - a @ a))


def _intraclass(units: Clusters, between: float, within: float) -> float:
    """The estimate by the analysis of variance, for clusters of unequal sizes too."""
    n, n_clusters = int(units.sizes.sum()), len(units)
    if not 1 < n_clusters < n or between + within == 0:
        return float("nan")
    size = (n - float((units.sizes.astype(np.float64) ** 2).sum()) / n) / (n_clusters - 1)
    mean_between, mean_within = between / (n_clusters - 1), within / (n - n_clusters)
    return (mean_between - mean_within) / (mean_between + (size - 1) * mean_within)


# ---- estimates whose covariance is known -------------------------------------------------------------------------

_LEAST_DF = 1e-6


def wald_test(
    estimates: ArrayLike,
    covariance: ArrayLike,
    *,
    df: ArrayLike = np.inf,
    n: int = 1,
    alternative: Alternative = "two-sided",
    null: float = 0.0,
) -> TTestResult:
    r"""Wald test of the difference of two estimates whose covariance is known from elsewhere.

    Strengths of a Bradley-Terry model, or means that rest on parts of the data, have no case that both models share,
    but a joint covariance. With the estimates :math:`\hat\theta_a`, :math:`\hat\theta_b` and :math:`V = \sum_l V_l`

    .. math:: t = \frac{\hat\theta_a - \hat\theta_b}{\sqrt v}, \qquad v = \sum_l v_l = \sum_l c^\top V_l \, c, \quad
        c = (1, -1), \qquad \nu = \frac{v^2}{\sum_l v_l^2 / \nu_l}

    on :math:`\nu` degrees of freedom (Satterthwaite 1946), which are those given where there is one part. With infinite
    ones it is the normal test (Wald 1943).

    Parameters
    ----------
    estimates : array_like of shape (2,)
        Of `a` and of `b`; greater is better.
    covariance : array_like of shape (2, 2) or (n_parts, 2, 2)
        Of the estimates; of independent parts of the data their covariances, which are added.
    df : float or array_like of shape (n_parts,), default=inf
        Degrees of freedom of each part, at least 1e-6.
    n : int, default=1
        Cases that the estimates rest on. It is told, and decides nothing.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: the estimate of `a` is the larger one in truth.
    null : float, default=0
        The difference ``a - b`` under the null hypothesis.

    Returns
    -------
    TTestResult

    Raises
    ------
    ValueError
        If numbers are not finite, a variance is negative, or shapes do not fit.

    References
    ----------
    F. E. Satterthwaite (1946), An approximate distribution of estimates of variance components, Biometrics Bulletin
    2(6), 110-114, :doi:`10.2307/3002019`.

    A. Wald (1943), Tests of statistical hypotheses concerning several parameters when the number of observations is
    large, Transactions of the American Mathematical Society 54(3), 426-482, :doi:`10.1090/S0002-9947-1943-0012401-3`.

    Examples
    --------
    >>> from skcompare.inference import wald_test
    >>> result = wald_test([0.8, 0.3], [[0.02, 0.005], [0.005, 0.03]])
    >>> round(result.estimate, 2), round(result.standard_error, 2), round(result.pvalue, 4)
    (0.5, 0.2, 0.0124)
    """
    against = validation.check_hypothesis(alternative, null)
    values = validation.check_scores(estimates, "estimates", ndim=(1,))
    parts = validation.as_floats(covariance, "covariance")
    parts = parts[None] if parts.ndim == 2 else parts
    if values.shape != (2,) or parts.shape[1:] != (2, 2) or not len(parts):
        raise ValueError(
            f"estimates must have shape (2,) and covariance (2, 2), or (n_parts, 2, 2); got {values.shape} and "
            f"{np.shape(covariance)}"
        )
    if not np.isfinite(parts).all():
        raise ValueError("covariance must be finite")
    own = [validation.check_number(one, "df", low=_LEAST_DF) for one in validation.as_floats(df, "df").ravel().tolist()]
    if len(own) != len(parts):
        raise ValueError(f"df must have one value per part of the covariance, {len(parts)}; got {len(own)}")
    largest = float(np.abs(parts).max())
    shares = parts[:, 0, 0] + parts[:, 1, 1] - parts[:, 0, 1] - parts[:, 1, 0]
    if (shares < -ROUNDING * largest).any():
        raise ValueError("covariance must be one: the variance of the difference must not be negative")
    shares = np.where(shares <= ROUNDING * largest, 0.0, shares)
    n, noise = validation.check_integer(n, "n", low=1), ROUNDING * float(np.abs(values).max())
    return wald(float(values[0] - values[1]), shares**0.5, np.array(own), against, n=n, noise=noise)


def wald(
    estimate: float, errors: FloatArray, df: Any, against: validation.Hypothesis, *, n: int = 1, noise: float = 0.0
) -> TTestResult:
    """The test of one estimate with standard errors of independent parts, each with degrees of freedom of its own."""
    error = float(np.hypot.reduce(errors))
    spread = float(((errors / error) ** 4 / df).sum()) if error else 0.0
    d = Differences(values=np.broadcast_to(estimate, n), mean=estimate, std=float("nan"), noise=noise)
    df_of_all = 1 / spread if spread else np.inf
    return records.t_test(d, error, df_of_all, against, method="Wald test", effect_size=float("nan"))


def wald_pvalues(values: FloatArray, parts: Any, df: Any, first: Positions, second: Positions) -> FloatArray:
    """Two-sided p-values of pairs of many estimates; nan of what is left to `wald_test`.

    That are differences without a variance, or beyond what the tail of a t distribution is computed of.
    """
    differences, least = values[first] - values[second], ROUNDING * np.abs(parts).max()
    shares = parts[:, first, first] + parts[:, second, second] - parts[:, first, second] - parts[:, second, first]
    variances = shares.sum(axis=0)
    known = np.isfinite(differences) & ((shares > least) | (shares == 0)).all(axis=0) & (variances > 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        spreads = ((shares / variances) ** 2 / np.reshape(df, (len(parts), -1))).sum(axis=0)
        statistics = differences / np.sqrt(variances)
        pvalues = np.minimum(1.0, 2 * stdtr(1 / spreads, -np.abs(statistics)))
    return np.where(known & (np.abs(statistics) < FAR), pvalues, np.nan)
