"""Paired bootstrap over samples: an interval for the difference of any metric; and one for the score of one model."""

from __future__ import annotations

from dataclasses import field, replace
from math import isfinite
from typing import Any, Literal, get_args
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from skcompare._core import validation
from skcompare._core.metrics import Summed
from skcompare._core.validation import Alternative, Ends, FloatArray
from skcompare._core.warnings import Code, Warnings
from skcompare.inference._kinds import ConfidenceInterval, MetricTest, Result, interval_for, interval_tail
from skcompare.inference._multiplicity import by_resamples
from skcompare.inference._records import sample_std, zero_variance
from skcompare.inference._sentences import Values
from skcompare.inference.outcomes.predictions import Metric, Read, SummedPredictions, metric_name, read_predictions
from skcompare.inference.outcomes.proportions import first_true, normal_quantile, wilson_limits
from skcompare.inference.outcomes.samples import Changes, drawn_counts

# Intervals from a bootstrap distribution, bias-corrected and accelerated (Efron 1987), expanded for small samples.


def limits(distribution: FloatArray, tail: float, bias: float, acceleration: float, n_units: int | None = None) -> Ends:
    """The limits that leave out `tail` on each side; plain percentiles where the acceleration is nan.

    With the number of units they are expanded (Hesterberg 2015): a quantile of t in place of the normal one, with the
    standard deviation of the units in place of the one that a bootstrap has.
    """
    levels = np.array([tail, 1 - tail])
    if not np.isnan(acceleration):
        z = special.ndtri(levels)
        if n_units is not None:
            z = special.stdtrit(n_units - 1, levels) * (n_units / (n_units - 1)) ** 0.5
        z = bias + z
        shrink = 1 - acceleration * z  # Efron (1987), equation 2.3
        # beyond its pole the formula has no meaning; the limit on this side of it is an end of the distribution
        beyond = shrink <= 0
        levels = np.where(beyond, z > 0, special.ndtr(bias + z / np.where(beyond, 1, shrink))).astype(np.float64)
    low, high = np.quantile(distribution, levels).tolist()
    return low, high


def bca_interval(predictions: Read, n_draws: int, seed: int, tail: float) -> Ends:
    """The limits for the difference that is resampled; nan with fewer than two units."""
    if predictions.n_units < 2:
        return float("nan"), float("nan")
    known, key = _DRAWN.setdefault(predictions, {}), (n_draws, seed)
    if key not in known:
        known[key] = _drawn(predictions, n_draws, seed)
    distribution, bias, acceleration = known[key]
    return limits(distribution, tail, bias, acceleration, predictions.n_units)


# What was drawn, while the predictions are alive: one table asks for the intervals of all pairs, another one again.
_DRAWN: WeakKeyDictionary[Read, dict[tuple[int, int], tuple[FloatArray, float, float]]] = WeakKeyDictionary()


def _drawn(predictions: Read, n_draws: int, seed: int) -> tuple[FloatArray, float, float]:
    """The distribution that has all levels, its bias correction and its acceleration."""
    scores = predictions.scores()
    distribution, noise = _resampled(predictions, n_draws, np.random.default_rng(seed))
    if isinstance(predictions, SummedPredictions) and not predictions.oriented()[-1]:
        # either order of the models is the same
        distribution = np.concatenate([distribution, -distribution])
    return distribution, *bca_constants(predictions, distribution, scores.a - scores.b, noise)


def _resampled(predictions: Read, n_draws: int, rng: np.random.Generator) -> tuple[FloatArray, float]:
    """The bootstrap distribution, 0 where it is 0 up to rounding, and how far that reaches."""
    distribution = predictions.resampled(n_draws, rng)
    noise = predictions.scores().noise(distribution)
    return np.where(np.abs(distribution) <= noise, 0.0, distribution), noise


def bca_constants(predictions: Read, distribution: FloatArray, estimate: float, noise: float) -> Ends:
    """Efron (1987): the bias correction z0 and the acceleration a; nan where either is not finite."""
    undefined = float("nan"), float("nan")
    equal = np.count_nonzero(np.abs(distribution - estimate) <= noise)
    share = (np.count_nonzero(distribution < estimate - noise) + equal / 2) / len(distribution)
    if equal == len(distribution) or not 0 < share < 1:
        return undefined
    left_out, counts = predictions.without_one()
    if not left_out.size:
        return float(special.ndtri(share)), 0.0
    influence = np.average(left_out, weights=counts) - left_out
    if np.abs(influence).max() <= noise:
        return undefined
    influence /= np.abs(influence).max()
    acceleration = (counts @ influence**3) / (6 * (counts @ influence**2) ** 1.5)
    return float(special.ndtri(share)), float(acceleration)


_LEAST_TAIL = 1e-9  # that an interval is asked for
BootstrapInterval = Literal["expanded", "bca", "percentile"]


class PairedBootstrapResult(MetricTest, eq=False):
    """Result of a paired bootstrap of the difference of a metric.

    Attributes
    ----------
    statistic : float
        The difference of the metric, `estimate`.
    pvalue : float
        In (0, 1], at least ``1 / (n_resamples + 1)``; nan only with fewer than two samples or clusters.
    alternative : {"two-sided", "greater", "less"}
        What was tested: the metric of `a` less that of `b` differs from, exceeds, falls below `null`.
    estimate : float
        ``score_a - score_b``, in units of the metric; positive favours `a` where larger is better.
    standard_error : float
        Standard deviation of the bootstrap distribution; nan only with fewer than two samples or clusters.
    effect_size : float
        `estimate` over `standard_error` and over the root of `n`, the d_z of a metric that is a mean over
        samples; 0 where `estimate` is, nan where only `standard_error` is 0. With clusters, over the root of
        `n_clusters`.
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
    n_clusters : int
        Number of clusters that were drawn as a whole; 0 where samples were.
    method : str
        The procedure and the metric.
    metric : str
        What was compared.
    changes : object
        What other predictions of one sample change, which the interval allows for where few samples differ.
    """

    distribution: FloatArray
    bias_correction: float
    acceleration: float
    changes: Changes = field(repr=False, compare=False)

    def confidence_interval(
        self, confidence_level: float = 0.95, method: BootstrapInterval = "expanded"
    ) -> ConfidenceInterval:
        """Bootstrap interval for the difference of the metric.

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1).
        method : {"expanded", "bca", "percentile"}, default="expanded"
            Bias-corrected and accelerated (Efron 1987), expanded for few samples or clusters (Hesterberg 2015) or as it
            is, as in scipy; of percentiles where it is not defined. Or plain percentiles.

        Returns
        -------
        ConfidenceInterval
            Of a named metric of labels wider where few samples differ, as that of :class:`PairedMetricResult`.
            It does not invert the test of a difference of 0, and may disagree with its `pvalue` near the level; with
            another `null` the p-value is the one of this interval. One-sided alternatives give one-sided intervals. nan
            only with fewer than two samples or clusters.

        Raises
        ------
        ValueError
            If `confidence_level` is not in (0, 1) or `method` is unknown.
        """
        tail = interval_tail(confidence_level, self.alternative)
        validation.check_choice(method, "method", get_args(BootstrapInterval))
        if np.isnan(self.standard_error):
            return ConfidenceInterval(low=float("nan"), high=float("nan"))
        return interval_for(self.alternative, *self._limits(tail, method))

    def _limits(self, tail: float, method: str = "expanded") -> Ends:
        bias, acceleration = (np.nan, np.nan) if method == "percentile" else (self.bias_correction, self.acceleration)
        n_units = (self.n_clusters or self.n) if method == "expanded" else None
        ends = limits(self.distribution, tail, bias, acceleration, n_units)
        return self.changes.widened(ends, self.estimate, tail, self.alternative)


def paired_bootstrap(
    y_true: ArrayLike,
    pred_a: ArrayLike,
    pred_b: ArrayLike,
    metric: Metric,
    *,
    n_resamples: int = 10_000,
    rng: Any = None,
    alternative: Alternative = "two-sided",
    null: float = 0.0,
    positive: Any = None,
    clusters: ArrayLike | None = None,
) -> PairedBootstrapResult:
    r"""Paired bootstrap of the difference of a metric between two models on the samples of one test set.

    Samples are drawn with replacement, each with both predictions, and the difference :math:`\theta` of the
    metric is computed anew. The interval is bias-corrected and accelerated (Efron 1987, equation 2.3): its limits are
    the quantiles of the bootstrap distribution at

    .. math:: \Phi\left( z_0 + \frac{z_0 + z_\alpha}{1 - c \, (z_0 + z_\alpha)} \right)

    with :math:`z_0` the normal quantile of its share below :math:`\hat\theta`, equal ones by half, and the
    acceleration :math:`c` from leaving out one sample at a time. Such an interval is too narrow for few samples:
    :math:`z_\alpha` is therefore :math:`\sqrt{n / (n - 1)}` times the quantile of Student's t with :math:`n - 1`
    degrees of freedom (Hesterberg 2015), and the normal quantile with ``method="bca"``. The p-value shifts the
    bootstrap distribution to the null,

    .. math:: p = \frac{1 + \# \{ |\theta^* - \hat\theta| \ge |\hat\theta| \}}{1 + B}.

    With another `null` than 0 it is the largest :math:`\alpha` whose interval at the level :math:`1 - \alpha` holds the
    null, at least :math:`1 / (1 + B)`, so that a verdict on a margin and the interval agree.

    For a named metric the numbers of samples of each kind (true label and both predictions) are drawn instead
    of the samples, which is the same distribution and takes no longer for more samples.

    Samples that belong together, such as several of one patient, are not independent. With `clusters` whole clusters
    are drawn, as many as there are, and left out one at a time for the acceleration.

    It is conditional on the two fitted models: it is about new samples, not about training on other data.

    Parameters
    ----------
    y_true, pred_a, pred_b : array_like of shape (n_samples,) or (n_samples, n_labels)
        True labels and the predictions of the two models on the same samples, which are independent unless `clusters`
        are given; for a metric of scores these, of several labels 0 and 1.
    metric : str or callable
        As in :func:`paired_metric_test`. A callable is called on arrays of `n_samples` and of one less; with clusters,
        on arrays of other lengths too.
    n_resamples : int, default=10000
        Number of bootstrap samples, at least 2.
    rng : None, int or numpy.random.Generator, optional
        Passed to :func:`numpy.random.default_rng`.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: the metric of `a` is larger.
    null : float, default=0
        The difference ``a - b`` under the null hypothesis, in the units of `estimate`: what is tested is whether the
        true one differs from it, exceeds it (``"greater"``) or falls below it. With a positive one ``"greater"`` tests
        superiority by a margin, with a negative one non-inferiority.
    positive : label, optional
        As in :func:`paired_metric_test`.
    clusters : array_like of shape (n_samples,), optional
        Labels of the clusters that samples belong to, such as patients or documents; they are drawn as a whole.

    Returns
    -------
    PairedBootstrapResult
        With the warning ZERO_VARIANCE where all bootstrap samples have the same difference, other than 0; with
        APPROXIMATE where the interval is one of percentiles; with TOO_LITTLE_DATA and nan for a single sample or
        cluster; with TOO_LITTLE_DATA where the clusters tell little.

    Raises
    ------
    ValueError
        If labels or clusters are missing or not paired, the metric is unknown or not a finite number, or an option is
        out of range.

    See Also
    --------
    paired_metric_test : an exact p-value for the same question.

    References
    ----------
    A. C. Cameron and D. L. Miller (2015), A practitioner's guide to cluster-robust inference, Journal of Human
    Resources 50(2), 317-372, :doi:`10.3368/jhr.50.2.317`.

    B. Efron (1987), Better bootstrap confidence intervals, Journal of the American Statistical Association 82,
    171-185, :doi:`10.1080/01621459.1987.10478410`.

    T. C. Hesterberg (2015), What teachers should know about the bootstrap: resampling in the undergraduate statistics
    curriculum, The American Statistician 69(4), 371-386, :doi:`10.1080/00031305.2015.1089789`.

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
    null = validation.check_hypothesis(alternative, null).null
    n_draws, generator = validation.check_draws(n_resamples, rng, low=2, held=8)
    predictions = read_predictions(y_true, pred_a, pred_b, metric, positive, clusters)
    scores, n = predictions.scores(), predictions.n_units
    estimate = scores.a - scores.b
    if n < 2:
        distribution, noise = np.full(n_draws, estimate), 0.0
        standard_error = pvalue = bias = acceleration = float("nan")
    else:
        distribution, noise = _resampled(predictions, n_draws, generator)
        standard_error = sample_std(distribution, noise)
        bias, acceleration = bca_constants(predictions, distribution, estimate, noise)
        pvalue = _pvalue(distribution, estimate, alternative, noise)
    result = PairedBootstrapResult(
        statistic=estimate,
        pvalue=pvalue,
        alternative=alternative,
        estimate=estimate,
        standard_error=standard_error,
        effect_size=effect_size(estimate, standard_error, n),
        null=null,
        score_a=scores.a,
        score_b=scores.b,
        n=predictions.n,
        n_resamples=n_draws,
        distribution=distribution,
        bias_correction=bias,
        acceleration=acceleration,
        n_clusters=predictions.n_clusters,
        method=f"paired bootstrap of {metric_name(metric)}",
        warnings=scores.warnings + _warnings(predictions, estimate, standard_error, acceleration, n_draws),
        metric=metric_name(metric),
        changes=predictions.changes,
    )
    return replace(result, pvalue=_inverted(result, noise)) if null and n > 1 else result


def _pvalue(distribution: FloatArray, estimate: float, alternative: str, noise: float) -> float:
    shifted = distribution - estimate
    if alternative == "two-sided":
        extreme = np.abs(shifted) >= abs(estimate) - noise
    else:
        extreme = shifted >= estimate - noise if alternative == "greater" else shifted <= estimate + noise
    return float((1 + np.count_nonzero(extreme)) / (1 + len(extreme)))


def _inverted(result: PairedBootstrapResult, noise: float) -> float:
    """The p-value of a difference other than 0: that of the widest interval, in its tail, that leaves it out."""
    ends, limits_at, null, side = (_LEAST_TAIL, 1 - _LEAST_TAIL), result._limits, result.null, result.alternative
    above = first_true(lambda tail: limits_at(tail)[0] > null + noise, *ends) if side != "less" else 1.0
    below = first_true(lambda tail: limits_at(tail)[1] < null - noise, *ends) if side != "greater" else 1.0
    found = min(1.0, 2 * min(above, below)) if side == "two-sided" else min(above, below)
    return max(found, 1 / (1 + result.n_resamples))


def effect_size(estimate: float, standard_error: float, n: int) -> float:
    """The difference in standard deviations of a unit; nan where these are 0 and it is not."""
    if estimate == 0:
        return 0.0
    return estimate / (standard_error * n**0.5) if standard_error > 0 else float("nan")


def _warnings(predictions: Read, estimate: float, standard_error: float, acceleration: float, n_draws: int) -> Warnings:
    if predictions.n_units < 2:
        return (Code.TOO_LITTLE_DATA(f"a bootstrap needs at least 2 {predictions.unit}s."),)
    if standard_error == 0:
        return (zero_variance(estimate),)
    if np.isnan(acceleration):
        return (Code.APPROXIMATE("the BCa interval is not defined here; the interval is one of percentiles."),)
    return by_resamples(n_draws).warnings()


# The bootstrap of means of values per sample.


_DRAWS = 2_000


def mean_bootstrap(values: FloatArray, confidence_level: float, seed: int) -> list[Ends]:
    """The limits for the mean of each column of values of two or more samples, from the same draws of the samples.

    They are accelerated, and expanded for few samples; a mean needs no correction of a bias.
    """
    n, tail = len(values), interval_tail(confidence_level, "two-sided")
    means = values.mean(axis=0)
    apart = values - means
    squares = (apart**2).sum(axis=0)
    counts = drawn_counts(_DRAWS, n, np.random.default_rng(seed))
    drawn = means + np.concatenate([times[:, 0] @ apart / n for _, times in counts])
    skewness = np.divide((apart**3).sum(axis=0), squares**1.5, out=np.zeros(len(means)), where=squares > 0)
    return [limits(of_mean, tail, 0.0, float(a) / 6, n) for of_mean, a in zip(drawn.T, skewness, strict=True)]


# An interval for one model's own score on a metric of the labels.


def _of_shares(metric: Summed, sums: FloatArray, z: float) -> Ends:
    """The limits of a share, or of a mean of independent ones: Newcombe (1998), Zou and Donner (2008)."""
    if metric.of_shares is None:
        hits, n = sums.astype(int).tolist()
        low, high = sorted(metric.value(np.array([[end, 1.0] for end in wilson_limits(hits, n, z)]))[0].tolist())
        return low, high
    (hits,), (of,) = metric.of_shares(sums[None])
    (value,), (slopes,) = metric.slopes(sums[None])
    known = np.flatnonzero(of)
    each = np.array([wilson_limits(int(hits[i]), int(of[i]), z) for i in known]).T
    apart = slopes[known] * of[known] * (each - hits[known] / of[known])
    reach = np.sqrt((apart**2).sum(axis=1))
    return float(value - reach[0]), float(value + reach[1])


class MetricIntervalResult(Result):
    """One model's score on a metric, with its interval.

    Attributes
    ----------
    estimate : float
        The score.
    metric : str
        The metric.
    n : int
        Number of samples.
    n_clusters : int
        Number of clusters that are drawn as a whole; 0 where samples are.
    n_resamples : int
        Number of bootstrap samples; 0 where the interval is Wilson's, made of Wilson's, or that of the jackknife.
    predictions : object
        The predictions, from which the interval is drawn when it is asked for.
    seed : int
        Of the draws.
    """

    estimate: float
    metric: str
    n: int
    n_clusters: int
    n_resamples: int
    predictions: Any = field(default=None, repr=False, compare=False)
    seed: int = field(default=0, repr=False, compare=False)

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Two-sided interval for the score on all samples like these.

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1).

        Returns
        -------
        ConfidenceInterval
            Bias-corrected and accelerated, Wilson's, made of Wilson's, or that of the jackknife; nan with fewer than
            two samples or clusters, and where the score is 0/0.

        Raises
        ------
        ValueError
            If `confidence_level` is not in (0, 1).
        """
        tail = interval_tail(confidence_level, "two-sided")
        if self.predictions.scores().undefined[0]:
            return ConfidenceInterval(low=float("nan"), high=float("nan"))
        if self.n_resamples:
            return ConfidenceInterval(*bca_interval(self.predictions, self.n_resamples, self.seed, tail))
        if isinstance(self.predictions, SummedPredictions):
            metric, sums = self.predictions.metric, self.predictions.counts @ self.predictions.terms_a
            return ConfidenceInterval(*_of_shares(metric, sums, normal_quantile(tail)))
        reach = normal_quantile(tail) * self.predictions.standard_error / (self.estimate * (1 - self.estimate))
        low, high = special.expit(special.logit(self.estimate) + np.array([-reach, reach])).tolist()
        return ConfidenceInterval(low=low, high=high)

    _kind = Values({"": "estimate", "samples": "n"}, of=("metric",))


def metric_interval(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    metric: Metric,
    *,
    n_resamples: int | None = None,
    rng: Any = None,
    positive: Any = None,
    clusters: ArrayLike | None = None,
) -> MetricIntervalResult:
    r"""Interval for one model's score on one test set, on any metric of the labels.

    Samples are drawn with replacement, clusters as a whole, and the limits are the percentiles of the scores at

    .. math:: \Phi\left( z_0 + \frac{z_0 + z_\alpha}{1 - c \, (z_0 + z_\alpha)} \right),

    bias-corrected by :math:`z_0` and accelerated by :math:`c` (Efron 1987, equation 2.3), and expanded for few samples
    (Hesterberg 2015), as in :func:`paired_bootstrap`. Unless `n_resamples` is given, those of a share of independent
    samples, such as recall and precision, are Wilson's, as in :func:`proportion_interval`. Those of a mean
    :math:`\bar p` of such shares :math:`p_k` of :math:`K` classes, as balanced accuracy is, are

    .. math:: \bar p - \frac{1}{K} \sqrt{\sum_k (p_k - l_k)^2}, \qquad \bar p + \frac{1}{K} \sqrt{\sum_k (u_k - p_k)^2}

    with Wilson's :math:`l_k` and :math:`u_k` of each (Newcombe 1998, method 10; Zou and Donner 2008). Those of average
    precision :math:`P` on 100 or more independent samples of each class are of its logit (Boyd, Eng and Page 2013)

    .. math:: \log \frac{P}{1 - P} \pm z_\alpha \frac{s}{P (1 - P)}

    with the standard error :math:`s` of the jackknife.

    It is conditional on the fitted model: it is about new samples, not about training on other data.

    Parameters
    ----------
    y_true, y_pred : array_like of shape (n_samples,) or (n_samples, n_labels)
        True labels and predictions, as in :func:`paired_metric_test`.
    metric : str or callable
        As in :func:`paired_metric_test`.
    n_resamples : int, optional
        Number of bootstrap samples, at least 2; by default 10,000, of a callable 2,000, of average precision 2,000 or,
        on many samples, none, of a share and of a mean of shares none.
    rng : None, int or numpy.random.Generator, optional
        Passed to :func:`numpy.random.default_rng`.
    positive : label, optional
        As in :func:`paired_metric_test`.
    clusters : array_like of shape (n_samples,), optional
        The cluster of each sample.

    Returns
    -------
    MetricIntervalResult
        With `confidence_interval`.

    Raises
    ------
    ValueError
        If labels are missing or not paired, the metric is unknown or not a finite number, or an option is out of
        range.

    See Also
    --------
    paired_bootstrap : for the difference of two models.
    proportion_interval : for a share, such as the accuracy.

    References
    ----------
    K. Boyd, K. H. Eng and C. D. Page (2013), Area under the precision-recall curve: point estimates and confidence
    intervals, ECML PKDD 2013, 451-466, :doi:`10.1007/978-3-642-40994-3_29`.

    B. Efron (1987), Better bootstrap confidence intervals, Journal of the American Statistical Association 82,
    171-185, :doi:`10.1080/01621459.1987.10478410`.

    R. G. Newcombe (1998), Interval estimation for the difference between independent proportions: comparison of eleven
    methods, Statistics in Medicine 17, 873-890.

    G. Y. Zou and A. Donner (2008), Construction of confidence limits about effect measures: a general approach,
    Statistics in Medicine 27, 1693-1702, :doi:`10.1002/sim.3095`.

    Examples
    --------
    >>> from skcompare.inference import metric_interval
    >>> y_true = [1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0] * 10
    >>> y_pred = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 0] * 10
    >>> result = metric_interval(y_true, y_pred, "f1", rng=0)
    >>> interval = result.confidence_interval()
    >>> round(result.estimate, 3), 0.7 < interval.low < 0.8, 0.85 < interval.high < 0.92
    (0.833, True, True)
    """
    generator = validation.check_rng(rng)
    paired = read_predictions(y_true, y_pred, None, metric, positive, clusters)
    scores = paired.scores()
    own: Any
    if isinstance(paired, SummedPredictions):
        own = replace(paired, terms_b=np.zeros_like(paired.terms_b))
        by_class = paired.metric.of_shares is not None
        default = 0 if (paired.metric.is_share or by_class) and not paired.n_clusters else 10_000
        without = "Wilson intervals of the classes of {}, put together" if by_class else "Wilson interval of {}"
    else:
        own = replace(paired, alone=True)
        default, without = 0 if isfinite(own.standard_error) else 2_000, "jackknife of {}, on the scale of its logit"
    n_draws = default if n_resamples is None else validation.check_integer(n_resamples, "n_resamples", low=2)
    how = "bootstrap of {}, bias-corrected and accelerated" if n_draws else without
    return MetricIntervalResult(
        estimate=scores.a,
        metric=metric_name(metric),
        n=paired.n,
        n_clusters=paired.n_clusters,
        n_resamples=n_draws,
        method=how.format(metric_name(metric)),
        warnings=tuple(dict.fromkeys(scores.warnings)),
        predictions=own,
        seed=0 if rng is None else int(generator.integers(2**63)),
    )
