"""How often a run of one model beats a run of another, over many data sets."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.validation import FloatArray, check_aligned, check_integer, check_rng
from skcompare._core.warnings import CodedWarning
from skcompare.inference._base import ROUNDING
from skcompare.inference._interval import ConfidenceInterval
from skcompare.inference._kinds import OfModels, interval_in_words
from skcompare.inference.datasets._stratified_bootstrap import check_runs, drawn_runs, percentile_limits, run_warnings


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ProbabilityOfImprovement(OfModels):
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
    method: str
    warnings: tuple[CodedWarning, ...] = ()

    def _sentence(self) -> str:
        of = self.compared
        sure = f"{self.estimate:.3g}{interval_in_words(self)}"
        return f"A run of {of.a} beats a run of {of.b}{of.on} with probability {sure}."

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
        low, high = percentile_limits(self.distribution, min(self.n_runs), confidence_level)
        return ConfidenceInterval(low=float(low), high=float(high))


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
        Always with the warning INDEPENDENT_RUNS; with FEW_RUNS below 10 runs, where a bootstrap is too sure;
        with TOO_FEW and no interval for a single run; with ZERO_VARIANCE where every resample gives the same, as
        when all runs of one model beat all of the other.

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
    if not isinstance(paired, (bool, np.bool_)):
        raise ValueError(f"paired must be True or False; got {paired!r}")
    check_aligned(a=a, b=b)
    x, y = (check_runs(v, name, ndim=2, per="(n_datasets, n_runs)") for v, name in ((a, "a"), (b, "b")))
    if len(x) != len(y) or (paired and x.shape != y.shape):
        same = "of one shape where paired=True" if len(x) == len(y) else "of the same data sets, one per row"
        raise ValueError(f"a and b must be {same}; got a {x.shape} and b {y.shape}")
    n_resamples = check_integer(n_resamples, "n_resamples", low=2)
    generator = check_rng(rng)
    # whole numbers, whose sums are exact
    points, most = _points(x, y), 2
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


def _points(x: FloatArray, y: FloatArray) -> FloatArray:
    """2 where a run of `x` beats one of `y`, 1 where they are equal, shape (n_datasets, n_runs of x, n_runs of y)."""
    noise = ROUNDING * np.maximum(np.abs(x).max(axis=1), np.abs(y).max(axis=1))[:, None, None]
    difference = x[:, :, None] - y[:, None, :]
    return np.asarray(1.0 + (difference > noise) - (difference < -noise))


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
    for rows, first in drawn_runs(n_resamples, n_datasets, n_x, generator):
        second = first
        if not paired:
            second = np.concatenate([counts for _, counts in drawn_runs(len(first), n_datasets, n_y, generator)])
        won = np.matmul(first.transpose(1, 0, 2), points)
        sums[rows] = (won * second.transpose(1, 0, 2)).sum(axis=(0, 2))
    return sums
