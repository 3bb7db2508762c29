"""Approximate randomisation: a paired permutation test of any metric of the predictions."""

from __future__ import annotations

from dataclasses import field, replace
from functools import lru_cache
from math import ceil, isfinite, log
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from skcompare._core.metrics import OF_LABELS, share
from skcompare._core.validation import Alternative, FloatArray, check_alternative, check_draws, check_integer
from skcompare._core.warnings import Code
from skcompare.inference._distributions import stretched
from skcompare.inference._kinds import ConfidenceInterval, CountedTest, MetricTest, interval_for, interval_tail
from skcompare.inference._multiplicity import Least, by_cases, by_resamples
from skcompare.inference._records import ROUNDING, Positions
from skcompare.inference.outcomes.bootstrap import bca_interval, effect_size
from skcompare.inference.outcomes.predictions import Metric, Read, SummedPredictions, metric_name, read_predictions
from skcompare.inference.outcomes.proportions import normal_quantile, z_test
from skcompare.inference.outcomes.samples import BoolArray, IntArray, Pairs, Swaps

_KEPT = 0.02  # of drawn statistics, the largest ones
_CLOSE = 1e-7  # statistics that differ by less, of those above 1 relatively, are equal


class PairedMetricResult(CountedTest, MetricTest):
    """Result of a paired permutation test of a metric.

    Of a named metric of labels, and where the p-value is `normal`, `confidence_interval` inverts the test: it leaves
    out 0 exactly when ``pvalue < 1 - confidence_level``. Otherwise it is that of `paired_bootstrap`, drawn when it is
    asked for; near the level it may disagree with the p-value.

    Attributes
    ----------
    statistic : float
        Of a named metric of labels, and where the p-value is `normal`, `estimate` over `standard_error`, infinite where
        only the latter is 0; otherwise `estimate`.
    pvalue : float
        In [0, 1]; where exchanges were drawn, a multiple of ``1 / (n_resamples + 1)`` and never 0.
    alternative : {"two-sided", "greater", "less"}
        What was tested: the metric of `a` differs from, exceeds, falls below that of `b`.
    estimate : float
        ``score_a - score_b``, in units of the metric; positive favours `a` where larger is better.
    standard_error : float
        Of a named metric of labels the root of the sum of the squared influences of the samples, or clusters, on the
        difference; that of the jackknife where the p-value is `normal`; otherwise the standard deviation of the
        difference over the exchanges.
    effect_size : float
        `estimate` over `standard_error` and over the root of `n`, the d_z of a metric that is a mean over
        samples; 0 where `estimate` is, nan where only `standard_error` is 0. With clusters, over the root of
        `n_clusters`.
    score_a, score_b : float
        The metric of the two models.
    n : int
        Number of samples.
    n_differing : int
        Samples on which exchanging the two predictions matters; with clusters, how many of these.
    n_resamples : int
        Number of random exchanges; 0 where the p-value is exact or `normal`.
    n_clusters : int
        Number of clusters that were exchanged as a whole; 0 where samples were.
    method : str
        The procedure, its variant and the metric.
    predictions : object
        The predictions, from which the interval is drawn when it is asked for.
    seed : int
        Of the draws.
    largest : array_like
        The largest statistics of those drawn for a named metric of labels, in order, which most intervals need.
    metric : str
        What was compared.
    normal : bool
        Whether `pvalue` is that of the normal distribution, to which the exchanges of many samples lead.
    """

    n_differing: int
    predictions: Any = field(default=None, repr=False, compare=False)
    seed: int = field(default=0, repr=False, compare=False)
    largest: Any = field(default=(), repr=False, compare=False)
    normal: bool = field(default=False, repr=False)

    @property
    def n_rearrangements(self) -> int:
        """Of how many exchanges `pvalue` is a share: all of them, or those drawn and the observed one."""
        return self.n_resamples + 1 if self.n_resamples else 0 if self.normal else 2**self.n_differing

    def _least(self) -> Least | None:
        """The smallest p-value on so many samples that differ, or with so many exchanges; None if any is."""
        unit, counted = "cluster" if self.n_clusters else "sample", self.n_differing and not self.normal
        return least_exchange(self.n_differing, self.n_resamples, unit, self.alternative) if counted else None

    def confidence_interval(
        self, confidence_level: float = 0.95, *, n_resamples: int | None = None
    ) -> ConfidenceInterval:
        r"""Interval for the difference of the metric, within its range.

        Of a named metric of labels its limits are `estimate` less and plus `standard_error` times the quantile of the
        statistic over the exchanges, or the normal one where the p-value is `normal`. Otherwise they are those of a
        bootstrap, bias-corrected and accelerated.

        Of a named metric of labels where so few samples differ that no exchange can reject at the level, none among
        them, the distances of the limits from `estimate` are :math:`\sqrt{s^2 + h^2}`, with :math:`s` that of the
        exchanges and

        .. math:: h = \max_m \; \delta_m \frac{m z^2}{m + z^2}

        with :math:`z` the normal quantile of the level, and :math:`m` samples that do not differ, of which another
        prediction changes the metric by :math:`\delta_m` or more. For accuracy, without a sample that differs, it is
        the score interval (Tango 1998), for recall that on the positive samples alone. With clusters all predictions
        of one change. Away from 0 the distance is at least that :math:`x` with :math:`x^2 = r^2 (1 + g x / s)`, of the
        reach :math:`r` of the quantile and the skewness :math:`g` as in :func:`delong_test`.

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1).
        n_resamples : int, optional
            Bootstrap samples of average precision and of a callable, by default 2,000. Of a named metric of labels
            exchanges, by default those of the p-value; with others it may disagree with that.

        Returns
        -------
        ConfidenceInterval
            One-sided alternatives give one-sided intervals. nan with fewer than two samples or clusters, where the
            metric of a model is 0/0. Where no sample differs, of average precision by what the best and the worst score
            of each one change, of a callable by what they change when they are left out, nan with more than 1,000.

        Raises
        ------
        ValueError
            If `confidence_level` is not in (0, 1).
        """
        tail = interval_tail(confidence_level, self.alternative)
        if any(self.predictions.scores().undefined) or self._shows_nothing:
            return ConfidenceInterval(low=float("nan"), high=float("nan"))
        if not self.n_differing and not isinstance(self.predictions, SummedPredictions):
            equal = self.predictions.changes.widened((0.0, 0.0), 0.0, tail, self.alternative)
            return interval_for(self.alternative, *equal)
        n_draws = None if n_resamples is None else check_integer(n_resamples, "n_resamples", low=2)
        if isinstance(self.predictions, SummedPredictions):
            return self._inverted(self.predictions, tail, n_draws)
        if self.normal and n_draws is None:
            reach = normal_quantile(tail) * self.standard_error
            low, high = np.clip([self.estimate - reach, self.estimate + reach], -1.0, 1.0).tolist()
            return interval_for(self.alternative, low, high)
        return interval_for(self.alternative, *bca_interval(self.predictions, n_draws or 2_000, self.seed, tail))

    @property
    def _shows_nothing(self) -> bool:
        """Whether no sample differs, and it is not known what one that differs would change."""
        return not self.n_differing and not self.predictions.changes.sizes.any()

    def _inverted(self, predictions: SummedPredictions, tail: float, n_draws: int | None) -> ConfidenceInterval:
        """The differences that are not rejected."""
        if predictions.n_units < 2:
            return ConfidenceInterval(low=float("nan"), high=float("nan"))
        both = self.alternative == "two-sided"
        level = (2 * tail if both else tail) - ROUNDING  # levels are seldom the nearest number to the one that is meant
        place = ceil(level * (1 + self.n_resamples)) - 1
        if n_draws is None and 0 < place <= len(self.largest):
            margin = float(self.largest[-place])
        else:
            swaps = _swaps(predictions, n_draws or self.n_resamples, self.seed)
            margin = _quantile(np.abs(swaps.statistics) if both else swaps.statistics, swaps.weights, level)
        spread = margin if np.isinf(margin) else margin * self.standard_error
        ends = self.estimate + np.array([-spread, spread])
        low, high = np.where(np.abs(ends) <= ROUNDING * abs(self.estimate), 0.0, ends)
        if n_draws is not None or self.pvalue >= level:  # a limit that is 0 up to rounding goes by the p-value
            if n_draws is None:
                low, high = min(low, 0.0), max(high, 0.0)
            low, high = predictions.changes.widened((low, high), self.estimate, tail, self.alternative)
        elif self.estimate > 0 if both else self.alternative == "greater":
            low = max(low, float(np.nextafter(0, 1)))
        else:
            high = min(high, float(np.nextafter(0, -1)))
        side = float(np.sign(self.estimate))
        if side and np.isfinite(spread):  # away from 0, which the p-value is about
            far = self.estimate + side * stretched(margin, side * predictions.skewness) * self.standard_error
            low, high = (low, max(high, far)) if side > 0 else (min(low, far), high)
        low, high = np.clip([low, high], -predictions.reach, predictions.reach).tolist()
        return interval_for(self.alternative, low, high)


@lru_cache(maxsize=1)  # the p-value and intervals of one record at several levels are asked for one after the other
def _swaps(predictions: SummedPredictions, n_draws: int, seed: int) -> Swaps:
    return predictions.swapped(n_draws, np.random.default_rng(seed))


def _quantile(statistics: FloatArray, weights: FloatArray | None, level: float) -> float:
    """The largest number that at least a share `level` of the statistics, of drawn ones with the observed, reach."""
    if weights is None:
        count = ceil(level * (1 + len(statistics))) - 1
        return float(np.partition(statistics, -count)[-count]) if count > 0 else np.inf
    order = np.argsort(-statistics)
    place = int(np.searchsorted(np.cumsum(weights[order]), level))
    return float(statistics[order[min(place, len(order) - 1)]])


def paired_metric_test(
    y_true: ArrayLike,
    pred_a: ArrayLike,
    pred_b: ArrayLike,
    metric: Metric,
    *,
    n_resamples: int | None = None,
    rng: Any = None,
    alternative: Alternative = "two-sided",
    positive: Any = None,
    clusters: ArrayLike | None = None,
    ranks: bool = False,
) -> PairedMetricResult:
    r"""Paired permutation test that two models have the same precision, F1 or any other metric.

    If the models are equally good, exchanging their predictions on any set of samples changes little but chance. The
    p-value is the share of all :math:`2^d` exchanges of the :math:`d` samples with different predictions whose
    statistic :math:`t` is at least the observed one,

    .. math:: p = 2^{-d} \, \# \left\{ S : \left| t(a_S, b_S) \right| \ge \left| t(a, b) \right| \right\}

    with :math:`a_S` and :math:`b_S` the predictions after the exchange on the samples of :math:`S`. From :math:`B`
    random exchanges, :math:`m` of them as extreme, it is :math:`(1 + m) / (1 + B)` (Noreen 1989; Yeh 2000).

    Of a named metric of labels :math:`t` is the difference over its standard error, computed anew in every exchange
    from the influence :math:`\psi_i` of each of the :math:`n` samples on the difference,

    .. math:: t = \frac{M(a) - M(b)}{\sqrt{\frac{n}{n - 1} \sum_i \psi_i^2}} .

    So it tests that the metrics are equal, for many samples also where the models differ in other things, such as how
    many samples they call positive (Chung and Romano 2013); the plain difference does not. With few predicted positives
    it rejects too often: 8% at a nominal 5% for precision from 14 of them. Of average precision and of a callable
    :math:`t` is the difference of the metric itself.

    Of average precision on 100 or more independent samples of each class the distribution of :math:`t` is close to
    normal. There its standard error comes from leaving out one sample at a time (the jackknife, Efron 1982) in place of
    exchanges, unless `n_resamples` is given or fewer than about ten samples carry the difference.

    For a named metric, exchanges that give the same counts are added up before the metric is computed, so that
    the p-value is exact far beyond the number of exchanges that could be listed: for a binary metric, up to
    about a thousand differing samples in each class.

    Scores of two models need not lie on one scale, and then it is their ranks within each model that can be exchanged
    where the metric depends on these alone (Bandos, Rockette and Gur 2005): ``"average_precision"`` always, a callable
    with `ranks`. Where the values of one model are among those of the other, as of labels or votes, the scores
    themselves are exchanged, so that ties stay ties. Where both have equally many values, ties share one rank.

    Samples that belong together, such as several of one patient, are not independent. With `clusters` all samples of
    a cluster are exchanged or none, their influences are added up, and :math:`d` is the number of clusters that differ.

    The test is conditional on the two fitted models: it is about new samples, not about training on other
    data.

    Parameters
    ----------
    y_true, pred_a, pred_b : array_like of shape (n_samples,) or (n_samples, n_labels)
        True labels and the predictions of the two models on the same samples, 0 and 1 where each sample has several;
        for a metric of scores these, of several classes for a callable also of shape (n_samples, n_classes).
    metric : str or callable
        A metric of labels by its name, such as ``"accuracy"``, ``"f1"``, ``"precision_macro"`` or ``"specificity"``,
        of several labels such as ``"f1_samples"``, or ``"average_precision"`` of scores (an unknown name is refused
        with those that are known); or a function ``(y_true, y_pred) -> float`` that does not depend on the order of the
        samples. A named metric with a zero denominator, such as precision without a positive prediction, is 0.
        scikit-learn's `accuracy_score`, `balanced_accuracy_score`, `cohen_kappa_score` and `matthews_corrcoef` count as
        their names.
    n_resamples : int, optional
        Number of random exchanges, at least 1; fewer exchanges than that are all taken. By default all are
        taken where that is feasible (for a callable, up to 14 differing samples), and otherwise 10,000, of average
        precision 2,000 or, on many samples, none.
    rng : None, int or numpy.random.Generator, optional
        Passed to :func:`numpy.random.default_rng`. An exact p-value does not use it.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: the metric of `a` is larger.
    positive : label, optional
        The positive label of precision, recall, F1 and specificity, needed with more than two labels; all others
        are negative. The default is the larger of two labels. Other metrics do not use it.
    clusters : array_like of shape (n_samples,), optional
        Labels of the clusters that samples belong to, such as patients or documents; they are exchanged as a whole.
    ranks : bool, default=False
        Whether a callable depends on the order of the scores alone, so that ranks are exchanged in place of scores.

    Returns
    -------
    PairedMetricResult
        With p-value 1 and the warning NO_DIFFERENCE where no exchange matters, and WEAK_METRIC where a
        zero denominator was met; APPROXIMATE where the standard error of a difference is 0; TOO_LITTLE_DATA where the
        clusters tell little.

    Raises
    ------
    ValueError
        If labels or clusters are missing or not paired, the metric is unknown or not a finite number, depends on
        more than ranks, or an option is out of range.

    See Also
    --------
    mcnemar_test : accuracy, with an interval.
    paired_bootstrap : an interval for the difference of any metric.

    References
    ----------
    A. I. Bandos, H. E. Rockette and D. Gur (2005), A permutation test sensitive to differences in areas for comparing
    ROC curves from a paired design, Statistics in Medicine 24(18), 2873-2893, :doi:`10.1002/sim.2149`.

    E. Chung and J. P. Romano (2013), Exact and asymptotically robust permutation tests, The Annals of Statistics 41(2),
    484-507, :doi:`10.1214/13-AOS1090`.

    B. Efron (1982), The Jackknife, the Bootstrap and Other Resampling Plans, SIAM, :doi:`10.1137/1.9781611970319`.

    E. W. Noreen (1989), Computer-Intensive Methods for Testing Hypotheses: An Introduction, Wiley.

    A. Yeh (2000), More accurate tests for the statistical significance of result differences, COLING 2000,
    947-953, :doi:`10.3115/992730.992783`.

    Examples
    --------
    >>> from skcompare.inference import paired_metric_test
    >>> y_true = [1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0]
    >>> pred_a = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 0]
    >>> pred_b = [1, 1, 0, 1, 0, 0, 0, 1, 0, 0, 1, 1]
    >>> result = paired_metric_test(y_true, pred_a, pred_b, "f1")
    >>> round(result.estimate, 4), round(result.pvalue, 4)
    (0.3333, 0.125)
    """
    check_alternative(alternative)
    n_draws, generator = check_draws(n_resamples, rng, optional=True)
    predictions = read_predictions(y_true, pred_a, pred_b, metric, positive, clusters, ranks=ranks)
    scores = predictions.scores()
    estimate = scores.a - scores.b
    seed = int(generator.integers(2**63))
    standard_error = float("nan") if n_draws else predictions.standard_error
    normal, drawn, how = isfinite(standard_error), 0, "z test of {} by the jackknife"
    largest: Any = ()
    if normal:
        statistic, pvalue = z_test(estimate, standard_error, alternative)
    else:
        statistic, standard_error, swaps, noise = _exchanged(predictions, n_draws, seed)
        pvalue = _pvalue(statistic, swaps, alternative, noise)
        drawn = len(swaps.statistics) if swaps.weights is None else 0
        kept = ceil(_KEPT * drawn) if isinstance(predictions, SummedPredictions) else 0
        sided = np.abs(swaps.statistics) if alternative == "two-sided" else swaps.statistics
        largest = np.sort(np.partition(sided, -kept)[-kept:]) if kept else ()
        how = f"paired permutation test of {{}}, {'random exchanges' if drawn else 'exact'}"
    n_differing, unit = predictions.n_differing, predictions.unit
    warnings = scores.warnings
    if not n_differing:
        warnings += (Code.NO_DIFFERENCE(f"the two models are equally good on every {unit} under this metric."),)
    elif not normal:
        warnings += least_exchange(n_differing, drawn, unit, alternative).warnings()
    if np.isinf(statistic) and predictions.n_units > 1:
        point = "the standard error is 0, so that the interval is a point: the p-value alone counts."
        warnings += (Code.APPROXIMATE(point),)
    return PairedMetricResult(
        statistic=statistic,
        pvalue=pvalue,
        alternative=alternative,
        estimate=estimate,
        standard_error=standard_error,
        effect_size=effect_size(estimate, standard_error, predictions.n_units),
        score_a=scores.a,
        score_b=scores.b,
        n=predictions.n,
        n_differing=n_differing,
        n_resamples=drawn,
        n_clusters=predictions.n_clusters,
        method=how.format(metric_name(metric)),
        warnings=warnings,
        predictions=predictions,
        seed=seed,
        largest=largest,
        metric=metric_name(metric),
        normal=normal,
    )


def _exchanged(predictions: Read, n_draws: int, seed: int) -> tuple[float, float, Swaps, float]:
    """The statistic, the standard error of the difference, both over the exchanges, and how far rounding reaches."""
    if isinstance(predictions, SummedPredictions):
        swaps = _swaps(predictions, predictions.to_draw(n_draws or None), seed)
        observed = predictions.studentised(predictions.pairs.observed[None], predictions.pairs)
        statistic, standard_error = (float(found[0]) for found in observed)
        return statistic, standard_error, swaps, _CLOSE * max(1.0, abs(statistic)) if isfinite(statistic) else 0.0
    scores, swaps = predictions.scores(), predictions.swapped(n_draws or None, np.random.default_rng(seed))
    standard_error = float(np.average(swaps.statistics**2, weights=swaps.weights) ** 0.5)
    return scores.a - scores.b, standard_error, swaps, scores.noise(swaps.statistics)


def _pvalue(statistic: float, swaps: Swaps, alternative: str, noise: float) -> float:
    if alternative == "two-sided":
        extreme = np.abs(swaps.statistics) >= abs(statistic) - noise
    else:
        # symmetric around 0: the upper tail serves both sides, so that exchanging the models mirrors the result
        extreme = swaps.statistics >= (statistic if alternative == "greater" else -statistic) - noise
    if swaps.weights is None:
        return float((1 + np.count_nonzero(extreme)) / (1 + len(extreme)))
    return 1.0 if extreme.all() else min(1.0, float(swaps.weights[extreme].sum()))


@lru_cache(maxsize=2**14)  # of many pairs few numbers differ
def least_exchange(n_differing: int, drawn: int, unit: str = "sample", alternative: str = "two-sided") -> Least:
    """The smallest p-value on so many samples that differ, with so many exchanges drawn."""
    of_cases = by_cases(n_differing, f"differing {unit}", alternative)
    return by_resamples(drawn) if drawn and 1 / (1 + drawn) > of_cases.pvalue else of_cases


# The exact test of many pairs of models at once, of two classes.

_AT_ONCE = 2**15  # rows of counts
_KINDS = np.indices((2, 2, 2)).reshape(3, -1)  # true class, and what two models called it


class ManyExchanges(NamedTuple):
    """Tests of pairs of models, each array of shape (n_pairs,).

    P-values, nan of those that draw or take long; differences; samples that differ; which of them draw.
    """

    pvalues: FloatArray
    estimates: FloatArray
    n_differing: IntArray
    drawn: BoolArray


def many_metric_tests(
    y_true: BoolArray, predicted: BoolArray, metric: str, first: Positions, second: Positions
) -> ManyExchanges:
    """`paired_metric_test` of pairs of models by which samples they, shape (n_models, n_samples), call positive."""
    counts = _counts_of_kinds(y_true, predicted, first, second)
    true, a, b = _KINDS
    summed = OF_LABELS[metric]
    terms_a, terms_b = (summed.of_samples(true, of_model, 2) for of_model in (a, b))
    n, each = len(y_true), np.eye(8, dtype=np.int64)
    of_kinds = SummedPredictions(
        name=metric, sets=False, clusters=None, n=n, counts=n * each[0], terms_a=terms_a, terms_b=terms_b
    )
    of_each = [replace(of_kinds, counts=own).pairs for own in each]  # all are sums over kinds
    by_kind = zip(*(one[4:] for one in of_each), strict=True)
    pairs = Pairs(*of_each[0][:4], *(np.tensordot(counts, np.stack(own), 1) for own in by_kind))
    n_counts = (pairs.sizes + 1.0).prod(axis=1)
    drawn, lows, rows = ~pairs.listed, _lows(pairs), (n_counts.astype(np.int64) + 1) // 2
    tests, able = _exact_pvalues, rows <= _AT_ONCE
    if summed.value is share:
        tests, able, rows = _pvalues_of_share, ~drawn, (pairs.sizes - 2 * lows + 1)[:, :-1].prod(axis=1)
    pvalues, places = np.full(len(first), np.nan), np.flatnonzero(able & ~drawn)
    batch = np.cumsum(rows[places]) // _AT_ONCE
    for chosen in np.split(places, np.flatnonzero(np.diff(batch)) + 1) if places.size else ():
        pvalues[chosen] = tests(of_kinds, pairs.at(chosen), lows[chosen], rows[chosen])
    estimates = summed.value(counts @ terms_a)[0] - summed.value(counts @ terms_b)[0]
    return ManyExchanges(pvalues, estimates, pairs.sizes.sum(axis=1), drawn)


def _counts_of_kinds(y_true: BoolArray, predicted: BoolArray, first: Positions, second: Positions) -> IntArray:
    """How many samples are of each of `_KINDS`, shape (n_pairs, 8)."""
    found = []
    for true in (False, True):
        called = predicted[:, y_true == true].astype(np.float32)  # whose sums are exact below 2**24
        both, alone = (called @ called.T)[first, second], called.sum(axis=1)
        a, b = alone[first], alone[second]
        found += [called.shape[1] - a - b + both, b - both, a - both, both]
    return np.stack(found, axis=1).astype(np.int64)


def _log_half_binomial(k: IntArray, n: IntArray) -> FloatArray:
    """Logarithm of the probability of k successes in n fair trials."""
    return np.asarray(special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1) - n * log(2))


def _lows(pairs: Pairs) -> IntArray:
    """Of each group numbers of exchanges below which, and above the mirrored ones, nothing adds to the p-value.

    It is at least the probability of what was observed. Less than 1e-17 of that lies outside (Hoeffding 1963).
    """
    observed = _log_half_binomial(pairs.observed, pairs.sizes).sum(axis=1, keepdims=True)
    reach = np.sqrt(pairs.sizes / 2 * (log(2e17) - observed))
    return np.asarray(np.maximum(pairs.sizes / 2 - reach, 0), dtype=np.int64)


def _least_extreme(of_kinds: SummedPredictions, pairs: Pairs) -> FloatArray:
    """The smallest statistic of each pair that is as extreme as the observed one."""
    observed = np.abs(of_kinds.studentised(pairs.observed, pairs)[0])
    return observed - np.where(np.isfinite(observed), _CLOSE * np.maximum(1.0, observed), 0.0)


def _pvalues_of_share(of_kinds: SummedPredictions, pairs: Pairs, lows: IntArray, n_rows: IntArray) -> FloatArray:
    """Two-sided p-values of a share from the exchanges of the first groups, in so many rows, and a bisection.

    The statistic of a share rises with its hits and falls with its false alarms, so that in each row those that are as
    extreme begin at one end of the last group.
    """
    row, starts = np.repeat(np.arange(len(n_rows)), n_rows), np.cumsum(n_rows) - n_rows
    exchanged, sizes = np.empty((pairs.sizes.shape[1], len(row)), dtype=np.int64).T, pairs.sizes.take(row, axis=0)
    exchanged[:, :-1] = (np.arange(len(row)) - starts.take(row))[:, None] + lows[:, :-1].take(row, axis=0)
    part, least = pairs.at(row), _least_extreme(of_kinds, pairs).take(row)
    low, last = lows[:, -1].take(row), sizes[:, -1]
    rises = pairs.steps[0, -1] > 0
    found, end = low, last - low + 1  # so many from one end are as extreme, at least and at most
    while (found < end).any():
        middle = (found + end) // 2
        exchanged[:, -1] = last - middle if rises else middle
        extreme = of_kinds.studentised(exchanged, part)[0] >= least
        found, end = np.where(extreme & (found < end), middle + 1, found), np.where(extreme, end, middle)
    weights = np.exp(_log_half_binomial(exchanged[:, :-1], sizes[:, :-1]).sum(axis=1))
    tails = np.where(found > low, special.bdtr(found - 1, last, 0.5), 0.0)
    both = 2 * np.add.reduceat(weights * tails, starts)
    return np.where(least[starts] <= 0, 1.0, np.minimum(1.0, both))


def _exact_pvalues(of_kinds: SummedPredictions, pairs: Pairs, lows: IntArray, n_rows: IntArray) -> FloatArray:  # noqa: ARG001
    """Two-sided p-values from all arrangements: of the first half, since the others mirror them."""
    row, starts = np.repeat(np.arange(len(n_rows)), n_rows), np.cumsum(n_rows) - n_rows
    index, sizes = np.arange(len(row)) - starts.take(row), pairs.sizes.take(row, axis=0)
    weights = np.where(index < (sizes + 1).prod(axis=1) // 2, 2.0, 1.0)
    exchanged = np.empty_like(sizes)
    for group in range(exchanged.shape[1])[::-1]:
        index, exchanged[:, group] = np.divmod(index, sizes[:, group] + 1)
    weights *= np.exp(_log_half_binomial(exchanged, sizes).sum(axis=1))
    least = _least_extreme(of_kinds, pairs)
    extreme = np.abs(of_kinds.studentised(exchanged, pairs.at(row))[0]) >= least.take(row)
    found = np.add.reduceat(np.where(extreme, weights, 0.0), starts)
    return np.where(np.logical_and.reduceat(extreme, starts), 1.0, np.minimum(1.0, found))
