"""The interquartile mean of many models over runs and data sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.record import Record
from skcompare._core.validation import FloatArray, check_integer, check_rng
from skcompare._core.warnings import CodedWarning
from skcompare._core.words import briefly, counted
from skcompare.inference._base import ROUNDING, sample_std
from skcompare.inference._interval import ConfidenceInterval
from skcompare.inference.datasets._scores import check_model_names
from skcompare.inference.datasets._stratified_bootstrap import check_runs, drawn_runs, percentile_limits, run_warnings

# The share of scores left out at each end
_TRIMMED = 0.25


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class InterquartileMeanResult(Record):
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
    method: str
    warnings: tuple[CodedWarning, ...] = ()

    def _sentence(self) -> str:
        return f"The means of the middle half of {counted(self.n, 'score')} of each of {briefly(self.names)}."

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
        low, high = percentile_limits(difference, self.n_runs, confidence_level)
        return ConfidenceInterval(low=float(low), high=float(high))


def interquartile_mean(
    scores: ArrayLike, *, names: Sequence[str] | None = None, n_resamples: int = 2000, rng: Any = None
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
        Always with the warning INDEPENDENT_RUNS; with FEW_RUNS below 10 runs, where a bootstrap is too sure;
        with TOO_FEW and no interval for a single run; with ZERO_VARIANCE where no resample of any model differs.

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
    model_names = check_model_names(names, k)
    n_resamples = check_integer(n_resamples, "n_resamples", low=2)
    generator = check_rng(rng)
    distribution = np.empty((n_resamples, k))
    for rows, counts in drawn_runs(n_resamples, n_datasets, n_runs, generator):
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
