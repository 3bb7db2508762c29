"""The Bayesian test for the most probable dominance statement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from skcompare._core.record import Record
from skcompare._core.validation import FloatArray, check_choice, check_number, check_scores
from skcompare._core.warnings import Code
from skcompare.inference._distributions import probability_largest
from skcompare.inference._sentences import Claims
from skcompare.inference.dominance import statements

Prior = Literal["jeffreys", "uniform"] | float | ArrayLike | None
_NAMED_PRIORS = {"jeffreys": 0.5, "uniform": 1.0}
# Larger parameters have a spread that double precision cannot resolve.
_LARGEST_TOTAL = 1e16
# Probabilities that differ by less are equal, but for the error of the quadrature.
TIED = 1e-10


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class DominancePosterior(statements.OfStatements):
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
        threshold = check_number(threshold, "threshold", low=0.5, high=1, closed="left")
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
        return _sensitivity(self.counts, float(self.prior.sum()), len(self.metrics))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class DominanceSensitivity(Record):
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
    counts: ArrayLike, prior: Prior = None, n_effective: float | None = None, *, metrics: Sequence[str] | None = None
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
    names = statements.check_metric_names(metrics, m)
    scaled = statements.scale_counts(raw, n_effective)
    alpha = _check_prior(prior, scaled.size)
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
        + ("" if n_effective is None else f", {scaled.sum():.3g} effective cases"),
        warnings=tuple(statements.tied_metrics(raw, names)) if raw.any() else (few,),
    )


def _check_prior(prior: Prior, size: int) -> FloatArray:
    if prior is None:
        return np.full(size, 1 / size)
    if isinstance(prior, str):
        check_choice(prior, "prior", tuple(_NAMED_PRIORS))
        return np.full(size, _NAMED_PRIORS[prior])
    if isinstance(prior, Real):
        return np.full(size, check_number(prior, "prior", low=0, high=np.inf, closed="neither"))
    alpha = check_scores(prior, "prior", ndim=(1,))
    if alpha.size != size or alpha.min() <= 0:
        raise ValueError(f"prior must hold {size} positive numbers, one per statement; got {prior!r:.80}")
    return alpha


def _winner(probabilities: FloatArray) -> int | None:
    """The index of the largest probability, None where several share it."""
    best = int(probabilities.argmax())
    others = np.delete(probabilities, best)
    return None if others.max() >= probabilities[best] - TIED else best


def _sensitivity(counts: FloatArray, strength: float, m: int) -> DominanceSensitivity:
    """Statements with equal counts are exchangeable: the prior is put on one of each kind."""
    low, high = np.ones(counts.size), np.zeros(counts.size)
    winners: set[int | None] = set()
    values, first, size = np.unique(counts, return_index=True, return_counts=True)
    for value, place, n_equal in zip(values, first, size, strict=True):
        alpha = counts.copy()
        alpha[place] += strength
        probabilities = np.zeros(counts.size)
        probabilities[alpha > 0] = probability_largest(alpha[alpha > 0])
        winner = _winner(probabilities)
        winners.add(None if winner == place and n_equal > 1 else winner)
        equal = counts == value
        seen = probabilities[equal]  # with the prior on itself and, where there is one, on an equal statement
        np.minimum(low, np.where(equal, seen.min(), probabilities), out=low)
        np.maximum(high, np.where(equal, seen.max(), probabilities), out=high)
    common = winners.pop() if len(winners) == 1 else None
    return DominanceSensitivity(
        low=low, high=high, robust=None if common is None else statements.statement_of(common, m)
    )
