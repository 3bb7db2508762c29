"""Performance profiles: how often a model scores better than each threshold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core import validation
from skcompare._core.numbers import percent
from skcompare._core.record import Record
from skcompare._core.validation import FloatArray, Names
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference._kinds import ConfidenceInterval, OfModels, Result
from skcompare.inference._records import ROUNDING, check_size, sample_std
from skcompare.inference._sentences import Each, Values, as_count
from skcompare.inference.outcomes.samples import drawn_counts

# The stratified bootstrap: runs are drawn anew within each data set, the data sets stay.


INDEPENDENT_RUNS = Code.INDEPENDENT_RUNS(
    "the runs of a data set are taken for independent; those of one cross-validation share training "
    "samples, and for them the interval is too narrow."
)
TOO_FEW = Code.TOO_LITTLE_DATA("a bootstrap needs at least 2 runs per data set.")

# With n runs a bootstrap distribution has (n - 1)/n of the variance it should: below this, that is visible.
_ENOUGH_RUNS = 10


def check_runs(values: ArrayLike, name: str, *, ndim: int, per: str) -> FloatArray:
    """Scores of `ndim` dimensions, `per`, as finite floats that can be added up, or ValueError."""
    array = validation.check_scores(values, name, ndim=(2, 3))
    if array.ndim != ndim:
        raise ValueError(f"{name} must have {ndim} dimensions, {per}; got shape {array.shape}")
    check_size(name, array)
    return array


def percentile_limits(distribution: FloatArray, n_runs: int, confidence_level: float) -> tuple[FloatArray, FloatArray]:
    """Percentile limits over the first axis; nan with a single run."""
    level = validation.check_number(confidence_level, "confidence_level", low=0, high=1, closed="neither")
    if n_runs < 2:
        undefined = np.full(distribution.shape[1:], np.nan)
        return undefined, undefined.copy()
    low, high = np.quantile(distribution, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return low, high


def run_warnings(n_runs: int, constant: bool) -> Iterator[CodedWarning]:
    """Reasons to doubt an interval; `constant`: whether every resample gave the same."""
    yield INDEPENDENT_RUNS
    if n_runs < 2:
        yield TOO_FEW
        return
    if n_runs < _ENOUGH_RUNS:
        share = ((n_runs - 1) / n_runs) ** 0.5
        yield Code.TOO_LITTLE_DATA(
            f"from {n_runs} runs per data set a bootstrap interval comes out too narrow, by about {percent(1 - share)}."
        )
    if constant:
        yield Code.ZERO_VARIANCE("every resample gives the same value, so the runs cannot tell how sure it is.")


_DEFAULT_THRESHOLDS = 101


class ConfidenceBand(Record, eq=False):
    """Limits of a curve per model, each point by itself.

    Attributes
    ----------
    low, high : ndarray of shape (k, t)
        The limits at each threshold, in [0, 1].
    """

    low: FloatArray
    high: FloatArray
    _kind = Values({"models": ("low", as_count)}, title="Limits of profiles, each threshold by itself")


class PerformanceProfile(Result, eq=False):
    """Performance profile of each of k models at t thresholds, with its bootstrap distribution.

    Attributes
    ----------
    names : tuple of str
        The models, in the order of all arrays.
    thresholds : ndarray of shape (t,)
        In score units, increasing.
    profiles : ndarray of shape (k, t)
        Share of the runs of each model that score better than each threshold, in [0, 1].
    standard_errors : ndarray of shape (k, t)
        Standard deviation of the bootstrap distribution at each threshold; nan with a single run.
    distribution : ndarray of shape (n_resamples, k, t)
        The profiles of the resamples. A row holds the same runs of all models.
    greater_is_better : bool
        Whether better means above the threshold, or below it.
    n_datasets, n_runs : int
        Number of data sets, and of runs on each.
    n : int
        Scores per model, their product.
    n_resamples : int
        Number of resamples.
    """

    names: tuple[str, ...]
    thresholds: FloatArray
    profiles: FloatArray
    standard_errors: FloatArray
    distribution: FloatArray = field(repr=False)
    greater_is_better: bool
    n_datasets: int
    n_runs: int
    n: int
    n_resamples: int
    _kind = Values(
        {"thresholds": ("thresholds", as_count), "models": ("names", as_count)},
        title="Shares of runs with better scores",
    )

    def confidence_band(self, confidence_level: float = 0.95) -> ConfidenceBand:
        """Pointwise percentile bootstrap band.

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1), at each threshold by itself: the whole curve lies inside the band less often.

        Returns
        -------
        ConfidenceBand
            nan with a single run.

        Raises
        ------
        ValueError
            If `confidence_level` is not in (0, 1).
        """
        low, high = percentile_limits(self.distribution, self.n_runs, confidence_level)
        return ConfidenceBand(low=low, high=high)


def performance_profile(
    scores: ArrayLike,
    *,
    thresholds: ArrayLike | None = None,
    greater_is_better: bool = True,
    names: Names = None,
    n_resamples: int = 2000,
    rng: Any = None,
) -> PerformanceProfile:
    r"""Share of runs that score better than each of many thresholds, per model, with pointwise bootstrap bands.

    With score :math:`x_{mr}` of run :math:`r` of :math:`R` on data set :math:`m` of :math:`M`, the profile is

    .. math:: \hat F(\tau) = \frac 1 M \sum_m \frac 1 R \sum_r 1[x_{mr} > \tau]

    (Agarwal et al. 2021, section 4.2; Dolan and More 2002 for the idea). A profile that is above another one everywhere
    belongs to the stochastically dominant model; where two cross, neither is better at every level. Scores of
    different data sets are compared with the same thresholds, so bring them to one scale first.

    The band is one of percentiles over resamples that draw the runs of each data set with replacement, the same for
    all models. It is about other runs on these data sets, not about other data sets. The runs of a data set have to be
    independent: folds and repeats of cross-validation are not, and for them the band is too narrow.

    Parameters
    ----------
    scores : array_like of shape (n_models, n_datasets, n_runs)
        Scores in any unit, at most 1e300 in size.
    thresholds : array_like of shape (t,), optional
        Increasing, in score units. The default is 101 evenly spaced ones from the least to the largest score. A score
        that differs from a threshold by rounding only is not better than it.
    greater_is_better : bool, default=True
        Whether larger scores are better; where not, runs below a threshold count.
    names : sequence of str, optional
        Names of the models; "model 1" and so on by default.
    n_resamples : int, default=2000
        Number of bootstrap resamples, at least 2.
    rng : None, int or numpy.random.Generator, optional
        Passed to :func:`numpy.random.default_rng`. The same seed gives the same result, and in whatever order the
        models come.

    Returns
    -------
    PerformanceProfile
        With the warnings of :func:`interquartile_mean`.

    Raises
    ------
    ValueError
        If the scores are not finite or not of three dimensions, the thresholds not increasing, or an option is out of
        range.

    See Also
    --------
    interquartile_mean : one number per model.

    References
    ----------
    R. Agarwal, M. Schwarzer, P. S. Castro, A. Courville and M. G. Bellemare (2021), Deep reinforcement learning at the
    edge of the statistical precipice, NeurIPS 34, 29304-29320.

    E. D. Dolan and J. J. More (2002), Benchmarking optimization software with performance profiles, Mathematical
    Programming 91, 201-213, :doi:`10.1007/s101070100263`.

    Examples
    --------
    >>> from skcompare.inference import performance_profile
    >>> scores = [[[0.80, 0.82, 0.81, 0.83], [0.70, 0.71, 0.72, 0.69]]]
    >>> performance_profile(scores, thresholds=[0.6, 0.7, 0.8, 0.9], rng=0).profiles.tolist()
    [[1.0, 0.75, 0.375, 0.0]]
    """
    values = check_runs(scores, "scores", ndim=3, per="(n_models, n_datasets, n_runs)")
    validation.check_bool(greater_is_better, "greater_is_better")
    k, n_datasets, n_runs = values.shape
    model_names = validation.check_names(names, k)
    limits = np.linspace(values.min(), values.max(), _DEFAULT_THRESHOLDS)
    if thresholds is not None:
        limits = validation.check_scores(thresholds, "thresholds", ndim=(1,))
        if (limits[1:] <= limits[:-1]).any():
            raise ValueError(f"thresholds must be increasing; got {thresholds!r:.80}")
    n_resamples, generator = validation.check_draws(n_resamples, rng, low=2, held=2 * k * limits.size)
    better = _better(values, limits, bool(greater_is_better))
    distribution = np.empty((n_resamples, better.shape[1]))
    for rows, counts in drawn_counts(n_resamples, n_runs, generator, n_datasets):
        distribution[rows] = counts.reshape(len(counts), -1) @ better / len(better)
    # sums of whole numbers are exact, so what does not vary has a standard deviation of 0 without rounding
    spread = np.where(np.ptp(distribution, axis=0) == 0, 0.0, distribution.std(axis=0, ddof=1)).reshape(k, -1)
    return PerformanceProfile(
        names=model_names,
        thresholds=limits,
        profiles=better.mean(axis=0).reshape(k, -1),
        standard_errors=spread if n_runs > 1 else np.full_like(spread, np.nan),
        distribution=distribution.reshape(n_resamples, k, -1),
        greater_is_better=bool(greater_is_better),
        n_datasets=n_datasets,
        n_runs=n_runs,
        n=n_datasets * n_runs,
        n_resamples=n_resamples,
        method=f"performance profile, stratified bootstrap ({n_resamples} resamples)",
        warnings=tuple(run_warnings(n_runs, constant=not spread.any())),
    )


def _better(values: FloatArray, thresholds: FloatArray, greater_is_better: bool) -> FloatArray:
    """1 where a score is better than a threshold: a row per data set and run, a column per model and threshold."""
    noise = ROUNDING * np.abs(values).max(axis=(0, 2))[:, None]
    with np.errstate(over="ignore"):
        excess = (values[..., None] - thresholds) * (1 if greater_is_better else -1)
    better = np.moveaxis((excess > noise[..., None]).astype(np.float64), 0, 2)
    return np.asarray(better.reshape(-1, len(values) * thresholds.size))


# The interquartile mean of many models over runs and data sets.


# The share of scores left out at each end
_TRIMMED = 0.25


class InterquartileMeanResult(Result, eq=False):
    """Interquartile mean of each of k models, with its bootstrap distribution.

    Attributes
    ----------
    names : tuple of str
        The models, in the order of all arrays.
    estimates : ndarray of shape (k,)
        Mean of the middle half of the scores of each model, in score units.
    standard_errors : ndarray of shape (k,)
        Standard deviation of each bootstrap distribution; nan with a single run.
    distribution : ndarray of shape (n_resamples, k)
        The interquartile means of the resamples. A row holds the same runs of all models.
    n_datasets, n_runs : int
        Number of data sets, and of runs on each.
    n : int
        Scores per model, their product.
    n_resamples : int
        Number of resamples.
    """

    names: tuple[str, ...]
    estimates: FloatArray
    standard_errors: FloatArray
    distribution: FloatArray = field(repr=False)
    n_datasets: int
    n_runs: int
    n: int
    n_resamples: int
    _kind = Each("Interquartile mean", "estimates")

    def confidence_interval(self, confidence_level: float = 0.95) -> tuple[ConfidenceInterval, ...]:
        """Percentile bootstrap interval for each model by itself.

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1), of each interval.

        Returns
        -------
        tuple of ConfidenceInterval
            One per model; nan with a single run. Whether two models differ is for :meth:`difference_interval` to say,
            not for the overlap of these.

        Raises
        ------
        ValueError
            If `confidence_level` is not in (0, 1).
        """
        low, high = percentile_limits(self.distribution, self.n_runs, confidence_level)
        return tuple(ConfidenceInterval(low=x, high=y) for x, y in zip(low.tolist(), high.tolist(), strict=True))

    def difference_interval(self, a: str, b: str, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Percentile bootstrap interval for the interquartile mean of one model less that of another.

        Parameters
        ----------
        a, b : str
            Names of two models. Their runs are paired: the same split, or the same place where no split is shared.
        confidence_level : float, default=0.95
            In (0, 1).

        Returns
        -------
        ConfidenceInterval
            Of ``a - b``, in score units; nan with a single run.

        Raises
        ------
        ValueError
            If there is no model of that name, or `confidence_level` is not in (0, 1).
        """
        for argument, name in (("a", a), ("b", b)):
            if name not in self.names:
                raise ValueError(f"{argument} must be one of {', '.join(map(repr, self.names))}; got {name!r}")
        difference = self.distribution[:, self.names.index(a)] - self.distribution[:, self.names.index(b)]
        return ConfidenceInterval(*map(float, percentile_limits(difference, self.n_runs, confidence_level)))


def interquartile_mean(
    scores: ArrayLike, *, names: Names = None, n_resamples: int = 2000, rng: Any = None
) -> InterquartileMeanResult:
    r"""Interquartile mean of each model, with stratified bootstrap intervals.

    The scores of a model on all data sets and runs are put together, the lowest and the highest quarter are left out,
    and the rest is averaged: a mean that outlying runs and data sets do not move, of less variance than the median
    (Agarwal et al. 2021, section 4.3). Of :math:`N` scores :math:`x_{(1)} \le \dots \le x_{(N)}` it is

    .. math:: \frac{1}{N - 2 g} \sum_{i = g + 1}^{N - g} x_{(i)}, \qquad g = \lfloor N / 4 \rfloor.

    Scores of different data sets are compared with each other, so bring them to one scale first.

    The interval is one of percentiles over resamples that draw the runs of each data set with replacement. It is
    about other runs on these data sets, not about other data sets. All models get the same runs: for shared splits,
    which make the scores of two models on one split alike, that is needed for the difference of two models, and where
    runs share nothing it does no harm.

    The runs of a data set have to be independent: seeds, or splits into fresh data. Folds and repeats of
    cross-validation are correlated, and the interval for them is too narrow: for ten times ten-fold cross-validation
    by a factor of 3.5, if the correlation is the one that the corrected t test takes for it.

    Parameters
    ----------
    scores : array_like of shape (n_models, n_datasets, n_runs)
        Scores in any unit, at most 1e300 in size.
    names : sequence of str, optional
        Names of the models; "model 1" and so on by default.
    n_resamples : int, default=2000
        Number of bootstrap resamples, at least 2.
    rng : None, int or numpy.random.Generator, optional
        Passed to :func:`numpy.random.default_rng`. The same seed gives the same result, and in whatever order the
        models come.

    Returns
    -------
    InterquartileMeanResult
        Always with the warning INDEPENDENT_RUNS; with TOO_LITTLE_DATA below 10 runs, where a bootstrap is too sure;
        with TOO_LITTLE_DATA and no interval for a single run; with ZERO_VARIANCE where no resample of any model
        differs.

    Raises
    ------
    ValueError
        If the scores are not finite or not of three dimensions, or an option is out of range.

    See Also
    --------
    performance_profile : the whole distribution of the scores.
    probability_of_improvement : how often one model beats another.

    References
    ----------
    R. Agarwal, M. Schwarzer, P. S. Castro, A. Courville and M. G. Bellemare (2021), Deep reinforcement learning at the
    edge of the statistical precipice, NeurIPS 34, 29304-29320.

    Examples
    --------
    Two models, two data sets, four runs; one run of the second model failed:

    >>> from skcompare.inference import interquartile_mean
    >>> first = [[0.80, 0.82, 0.81, 0.83], [0.70, 0.71, 0.72, 0.69]]
    >>> second = [[0.85, 0.86, 0.10, 0.84], [0.75, 0.74, 0.76, 0.73]]
    >>> interquartile_mean([first, second], rng=0).estimates.round(4).tolist()
    [0.76, 0.7725]
    """
    values = check_runs(scores, "scores", ndim=3, per="(n_models, n_datasets, n_runs)")
    k, n_datasets, n_runs = values.shape
    model_names = validation.check_names(names, k)
    n_resamples, generator = validation.check_draws(n_resamples, rng, low=2, held=2 * k)
    distribution = np.empty((n_resamples, k))
    for rows, counts in drawn_counts(n_resamples, n_runs, generator, n_datasets):
        flat = counts.reshape(len(counts), -1)
        distribution[rows] = np.stack([_interquartile_means(model.ravel(), flat) for model in values], axis=1)
    everything = np.ones((1, n_datasets * n_runs))
    noise = ROUNDING * np.abs(values).max(axis=(1, 2))
    errors = np.array([sample_std(column, tie) for column, tie in zip(distribution.T, noise, strict=True)])
    return InterquartileMeanResult(
        names=model_names,
        estimates=np.array([float(_interquartile_means(model.ravel(), everything)[0]) for model in values]),
        standard_errors=errors if n_runs > 1 else np.full(k, np.nan),
        distribution=distribution,
        n_datasets=n_datasets,
        n_runs=n_runs,
        n=n_datasets * n_runs,
        n_resamples=n_resamples,
        method=f"interquartile mean, stratified bootstrap ({n_resamples} resamples)",
        warnings=tuple(run_warnings(n_runs, constant=not errors.any())),
    )


def _interquartile_means(values: FloatArray, counts: FloatArray) -> FloatArray:
    """One mean per row of `counts`, which say how often each value is in a resample."""
    order = np.argsort(values, kind="stable")
    left_out = int(_TRIMMED * values.size)
    # how many of the middle places the values up to this one fill
    filled = np.clip(np.cumsum(counts[:, order], axis=1), left_out, values.size - left_out)
    weights = np.diff(filled, axis=1, prepend=float(left_out)) / (values.size - 2 * left_out)
    return np.asarray(weights @ values[order])


# How often a run of one model beats a run of another, over many data sets.


class ProbabilityOfImprovement(OfModels, eq=False):
    """Probability that a run of `a` beats a run of `b`, with its bootstrap distribution.

    Attributes
    ----------
    estimate : float
        Mean over the data sets, in [0, 1]; above 0.5 favours `a`.
    standard_error : float
        Standard deviation of the bootstrap distribution; nan with a single run.
    per_dataset : ndarray of shape (n_datasets,)
        The probability on each data set, in [0, 1].
    distribution : ndarray of shape (n_resamples,)
        The estimates of the resamples.
    paired : bool
        Whether run r of `a` and run r of `b` belong together.
    n_datasets : int
        Number of data sets.
    n_runs : tuple of int
        Runs of `a` and of `b` on each.
    n : int
        Scores of both models.
    n_resamples : int
        Number of resamples.
    """

    estimate: float
    standard_error: float
    per_dataset: FloatArray
    distribution: FloatArray = field(repr=False)
    paired: bool
    n_datasets: int
    n_runs: tuple[int, int]
    n: int
    n_resamples: int
    _kind = Values({"probability that a run of {a} beats a run of {b}{on}": "estimate"})

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Percentile bootstrap interval.

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1).

        Returns
        -------
        ConfidenceInterval
            Within [0, 1]; nan with a single run of either model.

        Raises
        ------
        ValueError
            If `confidence_level` is not in (0, 1).
        """
        return ConfidenceInterval(*map(float, percentile_limits(self.distribution, min(self.n_runs), confidence_level)))


def probability_of_improvement(
    a: ArrayLike, b: ArrayLike, *, paired: bool = True, n_resamples: int = 2000, rng: Any = None
) -> ProbabilityOfImprovement:
    r"""Probability that a run of one model scores higher than a run of another on the same data set.

    On a data set :math:`m` runs of `a` meet runs of `b`, as in the Mann-Whitney statistic, and the mean is over the
    data sets (Agarwal et al. 2021, section 4.3):

    .. math:: \frac 1 M \sum_m P(a_m > b_m) + \tfrac 1 2 P(a_m = b_m)

    It does not say by how much, and no scale is shared between data sets: any increasing transform of the scores of a
    data set leaves it as it is. Scores that differ by rounding only are equal.

    The probability is about runs that have nothing in common. Where run r of both models is the same split, the two
    scores of a split are alike, and that matters twice. They must not meet, or the estimate is drawn towards how
    often a model wins on one and the same split; and they must be drawn together, or the bootstrap ignores that a hard
    split is hard for both, and the interval is too wide. That is ``paired=True``: run r of `a` meets all runs of `b`
    but the r-th, and pairs of runs are drawn. It is right too where runs share nothing. With ``paired=False`` every
    run of `a` meets every run of `b` and each model's runs are drawn by themselves, as Agarwal et al. do; it is for
    runs that share nothing, and their numbers may differ.

    The interval is one of percentiles over resamples that draw the runs of each data set with replacement. It is
    about other runs on these data sets, not about other data sets. The runs of a data set have to be independent:
    seeds, or splits into fresh data. Folds and repeats of cross-validation are correlated, and the interval for them
    is too narrow.

    Parameters
    ----------
    a, b : array_like of shape (n_datasets, n_runs)
        Scores of the two models, in any unit, larger better, at most 1e300 in size.
    paired : bool, default=True
        Whether run r of `a` and run r of `b` belong together. With a single run they meet nevertheless.
    n_resamples : int, default=2000
        Number of bootstrap resamples, at least 2.
    rng : None, int or numpy.random.Generator, optional
        Passed to :func:`numpy.random.default_rng`.

    Returns
    -------
    ProbabilityOfImprovement
        Always with the warning INDEPENDENT_RUNS; with TOO_LITTLE_DATA below 10 runs, where a bootstrap is too sure;
        with TOO_LITTLE_DATA and no interval for a single run; with ZERO_VARIANCE where every resample gives the same,
        as when all runs of one model beat all of the other.

    Raises
    ------
    ValueError
        If the scores are not finite, not of the same data sets or, paired, not of the same runs, or an option is out of
        range.

    See Also
    --------
    interquartile_mean : how good the models are.
    pairwise_posterior : from one score per data set, and about other data sets.

    References
    ----------
    R. Agarwal, M. Schwarzer, P. S. Castro, A. Courville and M. G. Bellemare (2021), Deep reinforcement learning at the
    edge of the statistical precipice, NeurIPS 34, 29304-29320.

    H. B. Mann and D. R. Whitney (1947), On a test of whether one of two random variables is stochastically larger than
    the other, Annals of Mathematical Statistics 18(1), 50-60, :doi:`10.1214/aoms/1177730491`.

    Examples
    --------
    >>> from skcompare.inference import probability_of_improvement
    >>> a = [[0.80, 0.82, 0.81, 0.83], [0.70, 0.71, 0.72, 0.69]]
    >>> b = [[0.79, 0.81, 0.80, 0.82], [0.70, 0.71, 0.72, 0.69]]
    >>> result = probability_of_improvement(a, b, rng=0)
    >>> result.estimate, result.per_dataset.tolist()
    (0.5625, [0.625, 0.5])
    >>> probability_of_improvement(a, b, paired=False, rng=0).estimate
    0.609375
    """
    validation.check_bool(paired, "paired")
    validation.check_aligned(a=a, b=b)
    x, y = (check_runs(v, name, ndim=2, per="(n_datasets, n_runs)") for v, name in ((a, "a"), (b, "b")))
    if len(x) != len(y) or (paired and x.shape != y.shape):
        same = "of one shape where paired=True" if len(x) == len(y) else "of the same data sets, one per row"
        raise ValueError(f"a and b must be {same}; got a {x.shape} and b {y.shape}")
    n_resamples, generator = validation.check_draws(n_resamples, rng, low=2, held=1)
    # whole numbers, whose sums are exact
    # of the games of all runs: 2 points for a win, 1 for a tie
    noise = ROUNDING * np.maximum(np.abs(x).max(axis=1), np.abs(y).max(axis=1))[:, None, None]
    difference = x[:, :, None] - y[:, None, :]
    points, most = 1.0 + (difference > noise) - (difference < -noise), 2
    if paired and x.shape[1] > 1:
        points, scale = _without_own(points)
        most *= scale
    games = most * points.size
    distribution = np.clip(_resampled(points, n_resamples, bool(paired), generator) / games, 0, 1)
    n_runs = (x.shape[1], y.shape[1])
    spread = 0.0 if np.ptp(distribution) == 0 else float(distribution.std(ddof=1))
    return ProbabilityOfImprovement(
        estimate=float(points.sum()) / games,
        standard_error=spread if min(n_runs) > 1 else float("nan"),
        per_dataset=points.mean(axis=(1, 2)) / most,
        distribution=distribution,
        paired=bool(paired),
        n_datasets=len(x),
        n_runs=n_runs,
        n=x.size + y.size,
        n_resamples=n_resamples,
        method=f"probability of improvement, stratified bootstrap of {'paired' if paired else 'unpaired'} runs "
        f"({n_resamples} resamples)",
        warnings=tuple(run_warnings(min(n_runs), constant=spread == 0)),
    )


def _without_own(points: FloatArray) -> tuple[FloatArray, int]:
    """The points of two runs of one pair replaced by what both get from other runs, all times a whole number; and that.

    The additive fit to the games of different runs (a mean, a part of either run) is put where a run meets its own
    pair. The mean is then the one over different runs, the bootstrap, in which a run meets itself twice as often, has
    the same mean, and each run the influence on it that it should have.
    """
    n_runs = points.shape[1]
    own = np.arange(n_runs)
    others = points.copy()
    others[:, own, own] = 0
    total = others.sum(axis=(1, 2))[:, None]
    if n_runs == 2:
        # no additive parts can be told from two games
        filled, scale = 2 * others, 2
        filled[:, own, own] = total
    else:
        scale = (n_runs - 1) * (n_runs - 2)
        filled = scale * others
        filled[:, own, own] = (n_runs - 1) * (others.sum(axis=1) + others.sum(axis=2)) - total
    return filled, scale


def _resampled(points: FloatArray, n_resamples: int, paired: bool, generator: np.random.Generator) -> FloatArray:
    """Sums of the points of the runs of each resample."""
    n_datasets, n_x, n_y = points.shape
    sums = np.empty(n_resamples)
    for rows, first in drawn_counts(n_resamples, n_x, generator, n_datasets):
        second = first
        if not paired:
            second = np.concatenate([counts for _, counts in drawn_counts(len(first), n_y, generator, n_datasets)])
        won = np.matmul(first.transpose(1, 0, 2), points)
        sums[rows] = (won * second.transpose(1, 0, 2)).sum(axis=(0, 2))
    return sums
