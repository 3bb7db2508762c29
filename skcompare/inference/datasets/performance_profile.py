"""Performance profiles: how often a model scores better than each threshold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.record import Record
from skcompare._core.validation import FloatArray, check_integer, check_rng, check_scores
from skcompare._core.warnings import CodedWarning
from skcompare._core.words import briefly, counted
from skcompare.inference._base import ROUNDING
from skcompare.inference.datasets._scores import check_bool, check_model_names
from skcompare.inference.datasets._stratified_bootstrap import check_runs, drawn_runs, percentile_limits, run_warnings

_DEFAULT_THRESHOLDS = 101


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ConfidenceBand(Record):
    """Limits of a curve per model, each point by itself.

    Attributes
    ----------
    low, high : ndarray of shape (k, t)
        The limits at each threshold, in [0, 1].
    """

    low: FloatArray
    high: FloatArray

    def _sentence(self) -> str:
        models, thresholds = counted(self.low.shape[0], "model"), counted(self.low.shape[1], "threshold")
        return f"Limits for {models} at {thresholds}, each by itself."


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PerformanceProfile(Record):
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
    method: str
    warnings: tuple[CodedWarning, ...] = ()

    def _sentence(self) -> str:
        side = "above" if self.greater_is_better else "below"
        where = f"{side} {counted(len(self.thresholds), 'threshold')}"
        return f"The shares of the runs of {briefly(self.names)} that score {where}."

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
    names: Sequence[str] | None = None,
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
    check_bool(greater_is_better, "greater_is_better")
    k, n_datasets, n_runs = values.shape
    model_names = check_model_names(names, k)
    limits = _check_thresholds(thresholds, values)
    n_resamples = check_integer(n_resamples, "n_resamples", low=2)
    generator = check_rng(rng)
    better = _better(values, limits, bool(greater_is_better))
    distribution = np.empty((n_resamples, better.shape[1]))
    for rows, counts in drawn_runs(n_resamples, n_datasets, n_runs, generator):
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


def _check_thresholds(thresholds: ArrayLike | None, values: FloatArray) -> FloatArray:
    if thresholds is None:
        return np.linspace(values.min(), values.max(), _DEFAULT_THRESHOLDS)
    limits = check_scores(thresholds, "thresholds", ndim=(1,))
    if (limits[1:] <= limits[:-1]).any():
        raise ValueError(f"thresholds must be increasing; got {thresholds!r:.80}")
    return limits


def _better(values: FloatArray, thresholds: FloatArray, greater_is_better: bool) -> FloatArray:
    """1 where a score is better than a threshold: a row per data set and run, a column per model and threshold."""
    noise = ROUNDING * np.abs(values).max(axis=(0, 2))[:, None]
    with np.errstate(over="ignore"):
        excess = (values[..., None] - thresholds) * (1 if greater_is_better else -1)
    better = np.moveaxis((excess > noise[..., None]).astype(np.float64), 0, 2)
    return np.asarray(better.reshape(-1, len(values) * thresholds.size))
