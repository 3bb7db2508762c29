"""The Bayesian test for the most probable dominance statement."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from skcompare._validation import FloatArray, check_choice, check_number, check_scores
from skcompare.inference._base import DominancePosterior, statement_bits, statement_of
from skcompare.inference.dominance.counts import check_counts, scale_counts

Prior = Literal["jeffreys", "uniform"] | float | ArrayLike | None
_NAMED_PRIORS = {"jeffreys": 0.5, "uniform": 1.0}


def dominance_posterior(counts: ArrayLike, prior: Prior = None, n_effective: float | None = None) -> DominancePosterior:
    r"""Posterior probability of each dominance statement to be the most probable one.

    The counts are multinomial, the prior Dirichlet, so the posterior is Dirichlet with parameters count plus
    prior (Benavoli and de Campos 2016, section 4). The probability that a statement has the largest share is
    computed to machine precision by one-dimensional quadrature, not by sampling.

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

    Returns
    -------
    DominancePosterior
        The probabilities are not p-values: without any case each is ``1 / 2**m``.

    Raises
    ------
    ValueError
        If `counts` has not ``2**m`` finite, non-negative entries, `n_effective` exceeds their sum, or `prior`
        is unknown, not positive or of another length.

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
    raw, m = check_counts(counts)
    scaled = scale_counts(raw, n_effective)
    alpha = _check_prior(prior, scaled.size)
    posterior = scaled + alpha
    probabilities = probability_largest(posterior)
    return DominancePosterior(
        probabilities=probabilities,
        statement=_most_probable(probabilities, m),
        marginals=_marginals(posterior, m),
        mean=posterior / posterior.sum(),
        counts=scaled,
        prior=alpha,
        n_effective=float(scaled.sum()),
        method="dominance posterior (Dirichlet)"
        + ("" if n_effective is None else f", {scaled.sum():.3g} effective cases"),
        warnings=("TOO_FEW: there are no cases; this is the prior.",) if raw.sum() == 0 else (),
    )


def probability_largest(alpha: FloatArray) -> FloatArray:
    """Probability of each component of a Dirichlet vector to be the largest.

    The components are gamma variates over their sum. With x = exp(t), component i is the largest with density
    proportional to x**alpha_i exp(-x) prod_j P(alpha_j, x) in t, P the regularised incomplete gamma function.
    That density decays exponentially to the left and doubly so to the right, so the trapezoid rule converges
    exponentially. Equal parameters are computed once.
    """
    values, group, size = np.unique(alpha, return_inverse=True, return_counts=True)
    largest = float(values[-1])
    t, step = _grid(largest)
    log_cdf = _log_gamma_cdf(values[:, None], np.exp(t))
    # alpha t - exp(t) - log Gamma(alpha), around the peak at log(alpha), where large terms would cancel
    from_peak = t - np.log(values)[:, None]
    log_density = values[:, None] * (from_peak - np.expm1(from_peak)) + _log_peak(values)[:, None]
    all_smaller = (size[:, None] * log_cdf).sum(axis=0)
    density = np.exp(log_density + all_smaller - log_cdf)
    # left of the grid the density is proportional to exp(t * sum(alpha)): the rest is a geometric series
    decay = np.exp(-step * alpha.sum())
    share = density.sum(axis=1) + density[:, 0] * decay / -np.expm1(-step * alpha.sum())
    return np.asarray(share[group] / share[group].sum())


def _grid(largest: float) -> tuple[FloatArray, float]:
    """Points of the trapezoid rule on the log scale, where the largest parameter has its peak, and their distance."""
    width = 1 / np.sqrt(largest + 1)
    if largest > 100:
        low = np.log(largest) - 14 * width
    else:
        low = max(-40.0, np.log(largest) - 45 * width - 3) if largest >= 1 else -40.0
    high = np.log(largest) + np.log1p((12 / width + 40) / largest)
    n_points = int((high - low) / min(0.02, 0.2 * width)) + 2
    t = np.linspace(low, high, n_points)
    return t, (high - low) / (n_points - 1)


def _log_peak(alpha: FloatArray) -> FloatArray:
    """alpha log(alpha) - alpha - log Gamma(alpha); Stirling's series where the terms would cancel."""
    series = (np.log(alpha) - np.log(2 * np.pi)) / 2 - 1 / (12 * alpha)
    return np.where(alpha > 1e6, series, alpha * np.log(alpha) - alpha - special.gammaln(alpha))


def _log_gamma_cdf(a: FloatArray, x: FloatArray) -> FloatArray:
    """Log of the regularised lower incomplete gamma function; its leading term where it underflows."""
    with np.errstate(divide="ignore"):
        log_cdf = np.log(special.gammainc(a, x))
    leading = a * np.log(x) - x - special.gammaln(a + 1)
    return np.where(np.isfinite(log_cdf), log_cdf, leading)


def _check_prior(prior: Prior, size: int) -> FloatArray:
    if prior is None:
        return np.full(size, 1 / size)
    if isinstance(prior, str):
        check_choice(prior, "prior", tuple(_NAMED_PRIORS))
        return np.full(size, _NAMED_PRIORS[prior])
    if np.ndim(prior) == 0:
        return np.full(size, check_number(prior, "prior", low=0, high=np.inf, closed="neither"))
    alpha = check_scores(prior, "prior", ndim=(1,))
    if alpha.size != size or alpha.min() <= 0:
        raise ValueError(f"prior must hold {size} positive numbers, one per statement; got {prior!r:.80}")
    return alpha


def _most_probable(probabilities: FloatArray, m: int) -> tuple[bool, ...] | None:
    best = int(probabilities.argmax())
    others = np.delete(probabilities, best)
    return None if others.max() >= probabilities[best] - 1e-10 else statement_of(best, m)


def _marginals(posterior: FloatArray, m: int) -> FloatArray:
    """Per metric P(Beta(better, worse) > 1/2), by the aggregation property of the Dirichlet distribution."""
    better = statement_bits(m).T.astype(np.float64) @ posterior
    worse = posterior.sum() - better
    return np.asarray(special.betainc(worse, better, 0.5))
