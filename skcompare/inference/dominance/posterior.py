"""Bayesian tests on several metrics: the most probable dominance statement, and the Pareto front."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from skcompare._core import validation
from skcompare._core.record import Record
from skcompare._core.validation import BoolArray, FloatArray, IntArray, Names
from skcompare._core.warnings import Code
from skcompare.inference._distributions import probability_largest
from skcompare.inference._kinds import Result
from skcompare.inference._records import ROUNDING, check_correction
from skcompare.inference._sentences import Claims, Some
from skcompare.inference.dominance import statements
from skcompare.inference.outcomes.samples import batches

Prior = Literal["jeffreys", "uniform"] | float | ArrayLike
_NAMED_PRIORS = {"jeffreys": 0.5, "uniform": 1.0}
# Larger parameters have a spread that double precision cannot resolve.
_LARGEST_TOTAL = 1e16
# Probabilities that differ by less are equal, but for the error of the quadrature.
TIED = 1e-10


class DominancePosterior(statements.OfStatements, eq=False):
    """Posterior of which dominance statement is the most probable one.

    Attributes
    ----------
    probabilities : ndarray of shape (2**m,)
        Posterior probability of each statement to be the most probable of all; they sum to 1.
    statement : tuple of bool or None
        The statement with the largest of them; None where several share it.
    marginals : ndarray of shape (m,)
        Per metric, the posterior probability that `a` is the better one in more than half of all cases.
    mean : ndarray of shape (2**m,)
        Posterior mean of the probability of each statement.
    counts : ndarray of shape (2**m,)
        Cases per statement that entered, real where ties were split or folds were corrected for.
    prior : ndarray of shape (2**m,)
        Dirichlet prior.
    n_effective : float
        Sum of `counts`.
    metrics : tuple of str
        Names of the metrics, in the order of a statement.
    """

    probabilities: FloatArray
    marginals: FloatArray
    mean: FloatArray
    prior: FloatArray
    _kind = statements.Pattern("probable", shown={"posterior probability": ("probabilities", statements.largest)})

    def decision(self, threshold: float = 0.95) -> tuple[bool, ...] | None:
        """The statement whose probability exceeds a threshold, None where there is none.

        Parameters
        ----------
        threshold : float, default=0.95
            In [0.5, 1), so that at most one statement exceeds it. It is no significance level.

        Returns
        -------
        tuple of bool or None

        Raises
        ------
        ValueError
            If `threshold` is not in [0.5, 1).
        """
        threshold = validation.check_number(threshold, "threshold", low=0.5, high=1, closed="left")
        return self.statement if self.probabilities.max() > threshold else None

    def sensitivity(self) -> DominanceSensitivity:
        """How far the probabilities move with the place of the prior.

        The whole prior, of the same strength as here, is put on one statement after the other: the extreme
        points of the imprecise Dirichlet model (Walley 1996).

        Returns
        -------
        DominanceSensitivity
            Lowest and highest probability of each statement.

        References
        ----------
        P. Walley (1996), Inferences from multinomial data: learning about a bag of marbles, Journal of the
        Royal Statistical Society B 58(1), 3-34, :doi:`10.1111/j.2517-6161.1996.tb02065.x`.

        Examples
        --------
        >>> from skcompare.inference import dominance_posterior
        >>> limits = dominance_posterior([1, 2, 3, 6]).sensitivity()
        >>> limits.low.round(3).tolist(), limits.high.round(3).tolist()
        ([0.005, 0.028, 0.084, 0.715], [0.044, 0.118, 0.239, 0.882])
        """
        low, high = np.ones(self.counts.size), np.zeros(self.counts.size)
        winners: set[int | None] = set()
        values, first, size = np.unique(self.counts, return_index=True, return_counts=True)
        # statements with equal counts are exchangeable: the prior is put on one of each kind
        for value, place, n_equal in zip(values, first, size, strict=True):
            alpha = self.counts.copy()
            alpha[place] += float(self.prior.sum())
            probabilities = np.zeros(alpha.size)
            probabilities[alpha > 0] = probability_largest(alpha[alpha > 0])
            winner = _winner(probabilities)
            winners.add(None if winner == place and n_equal > 1 else winner)
            equal = self.counts == value
            seen = probabilities[equal]  # with the prior on itself and, where there is one, on an equal statement
            np.minimum(low, np.where(equal, seen.min(), probabilities), out=low)
            np.maximum(high, np.where(equal, seen.max(), probabilities), out=high)
        common = winners.pop() if len(winners) == 1 else None
        robust = None if common is None else statements.statement_of(common, len(self.metrics))
        return DominanceSensitivity(low=low, high=high, robust=robust)


class DominanceSensitivity(Record, eq=False):
    """Limits of the posterior probabilities over where the prior mass sits.

    Attributes
    ----------
    low, high : ndarray of shape (2**m,)
        Lowest and highest posterior probability of each statement to be the most probable one.
    robust : tuple of bool or None
        The statement that is the most probable one wherever the prior sits; None where that depends on it.
    """

    low: FloatArray
    high: FloatArray
    robust: tuple[bool, ...] | None
    _kind = Claims(
        "robust",
        {None: "The most probable pattern of wins depends on the prior"},
        "The most probable pattern of wins is the same for every prior",
    )


def dominance_posterior(
    counts: ArrayLike, prior: Prior | None = None, n_effective: float | None = None, *, metrics: Names = None
) -> DominancePosterior:
    r"""Posterior probability of each dominance statement to be the most probable one.

    The counts are multinomial, the prior Dirichlet, so the posterior of the shares :math:`\theta` is Dirichlet with
    parameters :math:`a_k`, count plus prior (Benavoli and de Campos 2016, section 4). The probability that a statement
    has the largest share is computed by one-dimensional quadrature, not by sampling, with an absolute error below 1e-13
    (probabilities below 1e-5 so have a larger relative error than 1e-8):

    .. math:: P(\theta_k > \theta_l \text{ for all } l \ne k) =
        \int_0^\infty g(x; a_k) \prod_{l \ne k} G(x; a_l) \, dx

    with the density :math:`g` and the distribution function :math:`G` of a gamma variable of that shape.

    Parameters
    ----------
    counts : array_like of shape (2**m,)
        Cases per statement for m metrics, from `dominance_counts`; at least 0, real numbers allowed.
    prior : None, "jeffreys", "uniform", float or array_like of shape (2**m,), default=None
        Dirichlet prior, positive: None is ``1 / 2**m`` each, one observation in all (the paper's choice),
        ``"jeffreys"`` 1/2 each, ``"uniform"`` 1 each.
    n_effective : float, optional
        Number of independent cases that the counts are worth, at most their sum: `effective_cases` for the
        folds of one data set.
    metrics : sequence of str, optional
        Names of the m metrics, for the record.

    Returns
    -------
    DominancePosterior
        The probabilities are not p-values: without any case each is ``1 / 2**m``.

    Raises
    ------
    ValueError
        If `counts` has not ``2**m`` finite, non-negative entries, they and the prior add up to more than 1e16,
        `n_effective` exceeds their sum, `prior` is unknown, not positive or of another length, or `metrics` has not
        m names.

    References
    ----------
    A. Benavoli and C. P. de Campos (2016), Statistical tests for joint analysis of performance measures,
    AMBN 2015, LNCS 9505, 76-92, :doi:`10.1007/978-3-319-28379-1_6`.

    Examples
    --------
    The paper's Example 1, two metrics on twelve data sets:

    >>> from skcompare.inference import dominance_posterior
    >>> dominance_posterior([1, 2, 3, 6]).probabilities.round(4).tolist()
    [0.0124, 0.0519, 0.1375, 0.7982]
    """
    raw, m = statements.check_counts(counts)
    names = validation.check_names(metrics, m, "metrics", "metric")
    scaled = statements.scale_counts(raw, n_effective)
    alpha = np.full(scaled.size, 1 / scaled.size) if prior is None else _check_prior(prior, scaled.size)
    posterior = scaled + alpha
    with np.errstate(over="ignore"):
        total = posterior.sum()
    if total > _LARGEST_TOTAL:
        raise ValueError(f"counts plus prior must add up to at most {_LARGEST_TOTAL:g}; got {total:g}")
    probabilities = probability_largest(posterior)
    winner = _winner(probabilities)
    # by the aggregation property of the Dirichlet distribution each metric has P(Beta(better, worse) > 1/2)
    better = statements.statement_bits(m).T.astype(np.float64) @ posterior
    few = Code.TOO_LITTLE_DATA("there are no cases; this is the prior.")
    return DominancePosterior(
        probabilities=probabilities,
        statement=None if winner is None else statements.statement_of(winner, m),
        marginals=np.asarray(special.betainc(total - better, better, 0.5)),
        mean=posterior / posterior.sum(),
        counts=scaled,
        prior=alpha,
        n_effective=float(scaled.sum()),
        metrics=names,
        method="dominance posterior (Dirichlet)"
        + ("" if n_effective is None else f", {scaled.sum():.3g} effective case{'s' * (float(scaled.sum()) != 1)}"),
        warnings=tuple(statements.tied_metrics(raw, names)) if raw.any() else (few,),
    )


def _check_prior(prior: Prior, size: int) -> FloatArray:
    if isinstance(prior, str):
        validation.check_choice(prior, "prior", tuple(_NAMED_PRIORS))
        return np.full(size, _NAMED_PRIORS[prior])
    if isinstance(prior, Real):
        return np.full(size, validation.check_number(prior, "prior", low=0, high=np.inf, closed="neither"))
    alpha = validation.check_scores(prior, "prior", ndim=(1,))
    if alpha.size != size or alpha.min() <= 0:
        raise ValueError(f"prior must hold {size} positive numbers, one per statement; got {prior!r:.80}")
    return alpha


def _winner(probabilities: FloatArray) -> int | None:
    """The index of the largest probability, None where several share it."""
    best = int(probabilities.argmax())
    return None if np.delete(probabilities, best).max() >= probabilities[best] - TIED else best


# The Pareto front of several models on several metrics, and how sure each place on it is.


# Values of the means, and comparisons of two models, that are held at once.
_BLOCK = 2**20


class ParetoFront(Result, eq=False):
    """The models that no other model dominates, and the posterior probability of each to be one of them.

    Attributes
    ----------
    names : tuple of str
        Names of the models, in the order of the scores.
    metrics : tuple of str
        Names of the metrics.
    means : ndarray of shape (n_models, n_metrics)
        Mean scores over the cases, in score units.
    on_front : ndarray of bool of shape (n_models,)
        Whether no other model dominates this one on the mean scores.
    probabilities : ndarray of shape (n_models,)
        Posterior probability that no other model dominates this one, in [0, 1]; they do not sum to 1. nan only
        with a single case.
    dominates : ndarray of bool of shape (n_models, n_models)
        Whether model i dominates model j on the mean scores, at ``[i, j]``.
    dominance_probabilities : ndarray of shape (n_models, n_models)
        Posterior probability that model i dominates model j, at ``[i, j]``, in [0, 1]; 0 on the diagonal. nan
        only with a single case.
    standard_error : float
        Largest possible Monte Carlo standard error of one probability, ``0.5 / sqrt(n_draws)``; 0 where the
        posterior is a point, nan only with a single case.
    n : int
        Number of cases.
    n_draws : int
        Number of draws asked for.
    """

    names: tuple[str, ...]
    metrics: tuple[str, ...]
    means: FloatArray
    on_front: BoolArray
    probabilities: FloatArray
    dominates: BoolArray
    dominance_probabilities: FloatArray
    standard_error: float
    n: int
    n_draws: int
    _kind = Some("model", "on the Pareto front", "front")

    def front(self) -> tuple[str, ...]:
        """Names of the models on the observed front, in the order of `names`."""
        return tuple(name for name, on in zip(self.names, self.on_front, strict=True) if on)


_CONSTANT = Code.ZERO_VARIANCE("no difference between models varies over the cases, so the posterior is a point.")


_NO_FRONT = Code.UNDECIDED("every model is dominated, some of them in a circle, as the rope allows.")


def pareto_front(
    scores: ArrayLike,
    greater_is_better: bool | Sequence[bool] = True,
    *,
    test_fraction: float = 0.0,
    rope: float | Sequence[float] = 0.0,
    n_draws: int = 10_000,
    rng: Any = None,
    names: Names = None,
    metrics: Names = None,
    overlap: float = 1.0,
) -> ParetoFront:
    r"""Models that no other model dominates, and the posterior probability of each to be one of them.

    A model dominates another one when its mean is at least as good on every metric and better on at least one.
    The front is the set of models that no other one dominates: what is left to choose from, whatever the metrics
    are worth.

    The means of all models and metrics together have as posterior the multivariate Student t distribution on
    :math:`n - 1` degrees of freedom, located at the sample means and with scale matrix

    .. math:: S \left(\frac 1 n + \frac{\rho}{1 - \rho}\right),

    where :math:`S` is their covariance over the :math:`n` cases and :math:`\rho` the test fraction. Every
    difference of two models on a metric then has the posterior of :func:`correlated_t_posterior` (Corani and
    Benavoli 2015), and the correlation between models and between metrics is kept. The probabilities are shares
    of draws from it.

    Parameters
    ----------
    scores : array_like of shape (n_models, n_cases, n_metrics)
        Scores of all models on the same cases. Cases are data sets, or the splits of one data set.
    greater_is_better : bool or sequence of bool, default=True
        Direction of each metric.
    test_fraction : float, default=0
        For the splits of one data set test size over train plus test size, in [0, 1): 1/k for k-fold, repeated
        or not. 0 is for independent cases, such as data sets.
    rope : float or sequence of float, default=0
        Largest difference of two means, in score units, that counts as a tie, per metric; at least 0.
        Differences within rounding (1e-12 of the larger scores) are ties always.
    n_draws : int, default=10000
        Number of draws from the posterior, at least 1. The time they take grows with the square of the number
        of models.
    rng : None, int or numpy.random.Generator, optional
        Passed to :func:`numpy.random.default_rng`. With one seed the probabilities that concern two models do
        not depend on which other models there are.
    names : sequence of str, optional
        Names of the models; ``"model 1"`` and so on by default.
    metrics : sequence of str, optional
        Names of the metrics; ``"metric 1"`` and so on by default.
    overlap : float, default=1
        The part of the correction that is taken, in [0, 1]: 0.4 on a single run of k-fold gives the standard error of
        `k_fold_t_test`, which an evaluation sets where that test is the default.

    Returns
    -------
    ParetoFront
        With the warning TOO_LITTLE_DATA, and nan for the probabilities, for a single case; with ZERO_VARIANCE where no
        difference between models varies over the cases, so that the probabilities are 0 and 1; with UNDECIDED
        where every model is dominated.

    Raises
    ------
    ValueError
        If the scores are not finite or have not 3 dimensions, a direction, rope or name is missing or too many,
        names occur twice, or an option is out of range.

    See Also
    --------
    correlated_t_posterior : two models on one metric, without draws.
    dominance_posterior : two models, counting the cases instead of averaging them.

    Notes
    -----
    A positive `rope` makes dominance intransitive: `a` may be tied with `b`, and `b` with `c`, while `a` dominates
    `c`. A model may then be off the front that only models off the front dominate, and on three or more metrics
    models may dominate each other in a circle, which leaves the front empty. With `rope` 0 it never is.

    Models that are equal in every case are tied in every draw, so that they are on the front together or not at
    all.

    References
    ----------
    G. Corani and A. Benavoli (2015), A Bayesian approach for comparing cross-validated algorithms on multiple
    data sets, Machine Learning 100, 285-304, :doi:`10.1007/s10994-015-5486-z`.

    Examples
    --------
    Accuracy, and seconds where less is better, of three models on five data sets:

    >>> from skcompare.inference import pareto_front
    >>> forest = [[0.90, 2.1], [0.81, 1.9], [0.77, 2.0], [0.86, 2.2], [0.93, 2.0]]
    >>> linear = [[0.85, 0.1], [0.80, 0.2], [0.70, 0.1], [0.80, 0.1], [0.88, 0.2]]
    >>> kernel = [[0.89, 3.5], [0.80, 3.1], [0.78, 3.3], [0.85, 3.4], [0.91, 3.0]]
    >>> result = pareto_front(
    ...     [forest, linear, kernel], [True, False], rng=0, names=["forest", "linear", "kernel"]
    ... )
    >>> result.front()
    ('forest', 'linear')
    >>> result.probabilities.round(1).tolist()
    [1.0, 1.0, 0.1]
    """
    values = validation.check_scores(scores, "scores", ndim=(3,))
    n_models, n, n_metrics = values.shape
    sign = np.where(statements.per_metric_bool(greater_is_better, n_metrics), 1.0, -1.0)
    correction, ropes = check_correction(test_fraction, overlap), statements.per_metric_rope(rope, n_metrics)
    n_draws, generator = validation.check_draws(n_draws, rng, "n_draws", held=1)
    models = validation.check_names(names, n_models)
    metric_names = validation.check_names(metrics, n_metrics, "metrics", "metric")
    exponent = np.frexp(np.abs(values).max(axis=(0, 1)))[1]
    # per metric, in units of a power of two, by model and case
    unit = np.ascontiguousarray(np.ldexp(sign * values, -exponent).transpose(2, 0, 1))
    means, noise = unit.mean(axis=2), ROUNDING * np.abs(unit).max(axis=2)
    residuals = unit - means[:, :, None]
    varies = np.abs(residuals - residuals[:, :1]).max(axis=2) > 2 * (noise + noise[:, :1])
    with np.errstate(over="ignore"):
        width = np.ldexp(ropes, -exponent)[:, None]
    counts, dominated = _compare(means[None], noise, width)
    dominates, on_front = counts > 0, ~dominated[0]
    warnings = [] if on_front.any() else [_NO_FRONT]
    if n < 2:
        probabilities, pairs, error = np.full(n_models, np.nan), np.full((n_models, n_models), np.nan), float("nan")
        warnings.insert(0, Code.TOO_LITTLE_DATA(f"{n} case; a posterior needs at least 2."))
    elif not varies.any():
        probabilities, pairs, error = on_front.astype(np.float64), dominates.astype(np.float64), 0.0
        warnings = [*([_CONSTANT] if n_models > 1 else []), *warnings]
    else:
        # Corani and Benavoli (2015): the variance of a mean of n correlated scores
        spread = np.sqrt(correction.variance(n) / generator.chisquare(n - 1, size=n_draws))[:, None]
        probabilities, pairs = _posterior(means, noise, residuals, width, spread, generator)
        error = 0.5 / n_draws**0.5
    shown = ", ".join(f"{x:.3g}" for x in (ropes[:1] if np.ptp(ropes) == 0 else ropes)) if ropes.any() else ""
    return ParetoFront(
        names=models,
        metrics=metric_names,
        means=np.ldexp(np.ldexp(values, -exponent).mean(axis=1), exponent),
        on_front=on_front,
        probabilities=probabilities,
        dominates=dominates,
        dominance_probabilities=pairs,
        standard_error=error,
        n=n,
        n_draws=n_draws,
        method=f"Pareto front, joint t posterior ({correction}{shown and f', rope {shown}'})",
        warnings=tuple(warnings),
    )


def _posterior(
    means: FloatArray,
    noise: FloatArray,
    residuals: FloatArray,
    rope: FloatArray,
    spread: FloatArray,
    generator: np.random.Generator,
) -> tuple[FloatArray, FloatArray]:
    """Shares of the draws in which each model is on the front, and in which each one dominates each other one.

    The covariance is singular where there are more means than cases: normal variates, one per case, times the
    residuals have it all the same. They are drawn in the same order whatever the number of models.
    """
    n_metrics, n_models, n = residuals.shape
    of_cases = residuals.reshape(n_metrics * n_models, n).T
    counts = np.zeros((n_models, n_models), dtype=np.int64)
    on_front = np.zeros(n_models, dtype=np.int64)
    for rows in batches(len(spread), max(n, n_metrics * n_models), _BLOCK):
        factor = spread[rows]
        weights = factor * generator.standard_normal((len(factor), n))
        draws = means + (weights @ of_cases).reshape(-1, n_metrics, n_models)  # few large products: threads wait less
        # scores that differ by noise have residuals that differ by twice as much
        growth = 1 + 2 * np.abs(weights).sum(axis=1)
        for part in batches(len(factor), n_models * n_models, _BLOCK):
            more, dominated = _compare(draws[part], growth[part, None, None] * noise, rope)
            counts += more
            on_front += np.count_nonzero(~dominated, axis=0)
    return on_front / len(spread), counts / len(spread)


def _compare(means: FloatArray, noise: FloatArray, rope: FloatArray) -> tuple[IntArray, BoolArray]:
    """In how many draws each model dominates each other one; whether it is dominated, shape (n_draws, n_models).

    A model that is at least as good on all metrics dominates another one unless that is so both ways.
    """
    low, high = means - noise, means + noise + rope
    at_least = np.ones((len(means), means.shape[2], means.shape[2]), dtype=np.bool_)
    for metric in range(means.shape[1]):
        at_least &= high[:, metric, :, None] >= low[:, metric, None, :]
    wins = at_least & ~at_least.transpose(0, 2, 1)
    return wins.sum(axis=0, dtype=np.int64), np.asarray(wins.any(axis=1))


def pareto_optimal(means: FloatArray) -> BoolArray:
    """Which rows of means, greater is better, no other one dominates: as `_compare`, row by row for many of them."""
    noise = ROUNDING * np.abs(means)
    low, high = means - noise, means + noise
    rows = zip(low, high, strict=True)
    return np.array([not ((high >= least).all(axis=1) & (low > most).any(axis=1)).any() for least, most in rows])
