"""Paired bootstrap over samples: an interval for the difference of any metric."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from skcompare._core.validation import (
    Alternative,
    FloatArray,
    check_alternative,
    check_choice,
    check_integer,
    check_rng,
)
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference._base import sample_std
from skcompare.inference._interval import ConfidenceInterval, interval_for, interval_tail
from skcompare.inference._kinds import MetricTest
from skcompare.inference.outcomes._predictions import CalledPredictions, Metric, SummedPredictions, read_predictions
from skcompare.inference.outcomes.paired_metric import metric_name

BootstrapInterval = Literal["bca", "percentile"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PairedBootstrapResult(MetricTest):
    """Result of a paired bootstrap of the difference of a metric.

    Attributes
    ----------
    statistic : float
        The difference of the metric, `estimate`.
    pvalue : float
        In (0, 1], a multiple of ``1 / (n_resamples + 1)``; nan only with fewer than two samples.
    alternative : {"two-sided", "greater", "less"}
        What was tested: the metric of `a` differs from, exceeds, falls below that of `b`.
    estimate : float
        ``score_a - score_b``, in units of the metric; positive favours `a` where larger is better.
    standard_error : float
        Standard deviation of the bootstrap distribution; nan only with fewer than two samples.
    effect_size : float
        `estimate` over `standard_error` and over the root of `n`, the d_z of a metric that is a mean over
        samples; 0 where `estimate` is, nan where only `standard_error` is 0.
    score_a, score_b : float
        The metric of the two models.
    n : int
        Number of samples.
    n_resamples : int
        Number of bootstrap samples.
    distribution : ndarray of shape (n_resamples,)
        The differences on the bootstrap samples.
    bias_correction, acceleration : float
        The two constants of the BCa interval; nan where that is not defined.
    method : str
        The procedure and the metric.
    """

    statistic: float
    pvalue: float
    alternative: str
    estimate: float
    standard_error: float
    effect_size: float
    score_a: float
    score_b: float
    n: int
    n_resamples: int
    distribution: FloatArray
    bias_correction: float
    acceleration: float
    method: str
    warnings: tuple[CodedWarning, ...] = ()

    def confidence_interval(
        self, confidence_level: float = 0.95, method: BootstrapInterval = "bca"
    ) -> ConfidenceInterval:
        """Bootstrap interval for the difference of the metric.

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1).
        method : {"bca", "percentile"}, default="bca"
            Bias-corrected and accelerated (Efron 1987), which is the percentile interval where it is not
            defined, or plain percentiles.

        Returns
        -------
        ConfidenceInterval
            It does not invert the test of `pvalue`, and may disagree with it near the level. One-sided
            alternatives give one-sided intervals. nan only with fewer than two samples.

        Raises
        ------
        ValueError
            If `confidence_level` is not in (0, 1) or `method` is unknown.
        """
        tail = interval_tail(confidence_level, self.alternative)
        check_choice(method, "method", get_args(BootstrapInterval))
        if np.isnan(self.standard_error):
            return ConfidenceInterval(low=float("nan"), high=float("nan"))
        levels = np.array([tail, 1 - tail])
        if method == "bca" and not np.isnan(self.acceleration):
            levels = _bca_levels(levels, self.bias_correction, self.acceleration)
        low, high = np.quantile(self.distribution, levels).tolist()
        return interval_for(self.alternative, low, high)


def paired_bootstrap(
    y_true: ArrayLike,
    pred_a: ArrayLike,
    pred_b: ArrayLike,
    metric: Metric,
    *,
    n_resamples: int = 10_000,
    rng: Any = None,
    alternative: Alternative = "two-sided",
    positive: Any = None,
) -> PairedBootstrapResult:
    r"""Paired bootstrap of the difference of a metric between two models on the samples of one test set.

    Samples are drawn with replacement, each with both predictions, and the difference :math:`\theta` of the
    metric is computed anew. The interval is bias-corrected and accelerated (Efron 1987, equation 2.3): its limits are
    the quantiles of the bootstrap distribution at

    .. math:: \Phi\left( z_0 + \frac{z_0 + z_\alpha}{1 - c \, (z_0 + z_\alpha)} \right)

    with :math:`z_0` the normal quantile of its share below :math:`\hat\theta`, equal ones by half, and the
    acceleration :math:`c` from leaving out one sample at a time. The p-value shifts the bootstrap distribution to the
    null,

    .. math:: p = \frac{1 + \# \{ |\theta^* - \hat\theta| \ge |\hat\theta| \}}{1 + B}.

    For a named metric the numbers of samples of each kind (true label and both predictions) are drawn instead
    of the samples, which is the same distribution and takes no longer for more samples.

    It is conditional on the two fitted models: it is about new samples, not about training on other data.

    Parameters
    ----------
    y_true, pred_a, pred_b : array_like of shape (n_samples,)
        True labels and the predictions of the two models on the same independent samples.
    metric : str or callable
        As in :func:`paired_metric_test`. A callable is called on arrays of `n_samples` and of one less.
    n_resamples : int, default=10000
        Number of bootstrap samples, at least 2.
    rng : None, int or numpy.random.Generator, optional
        Passed to :func:`numpy.random.default_rng`.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: the metric of `a` is larger.
    positive : label, optional
        As in :func:`paired_metric_test`.

    Returns
    -------
    PairedBootstrapResult
        With the warning ZERO_VARIANCE where all bootstrap samples have the same difference, other than 0; with
        BCA_UNDEFINED where the interval is one of percentiles; with TOO_FEW and nan for a single sample.

    Raises
    ------
    ValueError
        If labels are missing or not paired, the metric is unknown or not a finite number, or an option is out
        of range.

    See Also
    --------
    paired_metric_test : an exact p-value for the same question.

    References
    ----------
    B. Efron (1987), Better bootstrap confidence intervals, Journal of the American Statistical Association 82,
    171-185, :doi:`10.1080/01621459.1987.10478410`.

    Examples
    --------
    >>> from skcompare.inference import paired_bootstrap
    >>> y_true = [1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0] * 10
    >>> pred_a = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 0] * 10
    >>> pred_b = [1, 1, 0, 1, 0, 0, 0, 1, 0, 0, 1, 1] * 10
    >>> result = paired_bootstrap(y_true, pred_a, pred_b, "f1", rng=0)
    >>> interval = result.confidence_interval()
    >>> round(result.estimate, 4), 0.2 < interval.low < result.estimate < interval.high < 0.5
    (0.3333, True)
    """
    check_alternative(alternative)
    n_draws = check_integer(n_resamples, "n_resamples", low=2)
    generator = check_rng(rng)
    predictions = read_predictions(y_true, pred_a, pred_b, metric, positive)
    scores, n = predictions.scores(), predictions.n
    estimate = scores.a - scores.b
    if n < 2:
        distribution, noise = np.full(n_draws, estimate), 0.0
        standard_error = pvalue = bias = acceleration = float("nan")
    else:
        distribution = predictions.resampled(n_draws, generator)
        noise = scores.noise(distribution)
        standard_error = sample_std(distribution, noise)
        pvalue = _pvalue(distribution, estimate, alternative, noise)
        bias, acceleration = _bca_constants(predictions, distribution, estimate, noise)
    return PairedBootstrapResult(
        statistic=estimate,
        pvalue=pvalue,
        alternative=alternative,
        estimate=estimate,
        standard_error=standard_error,
        effect_size=_effect_size(estimate, standard_error, n),
        score_a=scores.a,
        score_b=scores.b,
        n=n,
        n_resamples=n_draws,
        distribution=distribution,
        bias_correction=bias,
        acceleration=acceleration,
        method=f"paired bootstrap of {metric_name(metric)}",
        warnings=scores.warnings + _warnings(n, estimate, standard_error, acceleration),
    )


def _pvalue(distribution: FloatArray, estimate: float, alternative: str, noise: float) -> float:
    shifted = distribution - estimate
    if alternative == "two-sided":
        extreme = np.abs(shifted) >= abs(estimate) - noise
    else:
        extreme = shifted >= estimate - noise if alternative == "greater" else shifted <= estimate + noise
    return float((1 + np.count_nonzero(extreme)) / (1 + len(extreme)))


def _bca_constants(
    predictions: SummedPredictions | CalledPredictions, distribution: FloatArray, estimate: float, noise: float
) -> tuple[float, float]:
    """Efron (1987): the bias correction z0 and the acceleration a; nan where either is not finite."""
    undefined = float("nan"), float("nan")
    equal = np.count_nonzero(np.abs(distribution - estimate) <= noise)
    below = np.count_nonzero(distribution < estimate - noise)
    share = (below + equal / 2) / len(distribution)
    if equal == len(distribution) or not 0 < share < 1:
        return undefined
    left_out, counts = predictions.without_one()
    influence = np.average(left_out, weights=counts) - left_out
    if np.abs(influence).max() <= noise:
        return undefined
    influence /= np.abs(influence).max()
    acceleration = (counts @ influence**3) / (6 * (counts @ influence**2) ** 1.5)
    return float(special.ndtri(share)), float(acceleration)


def _bca_levels(levels: FloatArray, bias: float, acceleration: float) -> FloatArray:
    """Efron (1987), equation 2.3: the percentiles that the limits are."""
    z = bias + special.ndtri(levels)
    shrink = 1 - acceleration * z
    # beyond its pole the formula has no meaning; the limit on this side of it is an end of the distribution
    beyond = shrink <= 0
    return np.where(beyond, z > 0, special.ndtr(bias + z / np.where(beyond, 1, shrink))).astype(np.float64)


def _effect_size(estimate: float, standard_error: float, n: int) -> float:
    if estimate == 0:
        return 0.0
    return estimate / (standard_error * n**0.5) if standard_error > 0 else float("nan")


def _warnings(n: int, estimate: float, standard_error: float, acceleration: float) -> tuple[CodedWarning, ...]:
    if n < 2:
        return (Code.TOO_FEW("a bootstrap needs at least 2 samples."),)
    if standard_error == 0 and estimate == 0:
        return (Code.NO_DISCORDANT("the two models are equally good on every sample under this metric."),)
    if standard_error == 0:
        return (Code.ZERO_VARIANCE(f"the difference is {estimate:g} on every bootstrap sample."),)
    if np.isnan(acceleration):
        return (Code.BCA_UNDEFINED("the BCa interval is not defined here; the interval is one of percentiles."),)
    return ()
