"""The Bayesian sign test of two models on many data sets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.validation import FloatArray, check_choice, check_integer, check_number, check_rng
from skcompare._core.warnings import CodedWarning
from skcompare.inference._base import ROUNDING
from skcompare.inference._dirichlet import probability_largest
from skcompare.inference._kinds import Posterior
from skcompare.inference.datasets._signed_ranks import dataset_differences, posterior_warnings

PriorPlace = Literal["rope", "left", "right", "spread"]

# A parameter this small, beside one of at least 1, has no larger probability than itself; the quadrature overflows.
_NEGLIGIBLE = 1e-50
_PLACES = {"left": (1.0, 0.0, 0.0), "rope": (0.0, 1.0, 0.0), "right": (0.0, 0.0, 1.0), "spread": (1 / 3, 1 / 3, 1 / 3)}


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SignPosterior(Posterior):
    """Posterior of which of three outcomes is the most frequent one over data sets.

    Attributes
    ----------
    left, rope, right : float
        Probabilities that the most frequent outcome on a data set is that `b` is better, that the two are equivalent
        (they differ by at most the region of practical equivalence), that `a` is better. They sum to 1.
    mean : tuple of float
        Posterior mean of the frequencies of the three outcomes, in the order of the three names; they sum to 1.
    counts : tuple of int
        Data sets with each outcome, in the same order.
    prior : tuple of float
        Prior pseudo-counts, in the same order.
    rope_width : float
        Half width of the region of practical equivalence, in score units.
    n : int
        Number of data sets.
    """

    left: float
    rope: float
    right: float
    mean: tuple[float, float, float]
    counts: tuple[int, int, int]
    prior: tuple[float, float, float]
    rope_width: float
    n: int
    method: str
    warnings: tuple[CodedWarning, ...] = ()

    def draws(self, n_draws: int = 2000, rng: int | np.random.Generator | None = None) -> FloatArray:
        """Draws of the frequencies of the three outcomes from their posterior, Dirichlet(counts + prior).

        Parameters
        ----------
        n_draws : int, default=2000
            At least 1.
        rng : int or numpy.random.Generator, optional
            Draws them.

        Returns
        -------
        ndarray of shape (n_draws, 3)
            Left, rope, right; each row sums to 1.

        Raises
        ------
        ValueError
            If an option is out of range.
        """
        n_draws = check_integer(n_draws, "n_draws", low=1)
        gammas = check_rng(rng).standard_gamma(np.add(self.counts, self.prior), (n_draws, 3))
        return np.asarray(gammas / gammas.sum(axis=1, keepdims=True))


def sign_posterior(
    a: ArrayLike, b: ArrayLike, *, rope: float = 0.0, prior_strength: float = 1.0, prior_place: PriorPlace = "rope"
) -> SignPosterior:
    r"""Posterior probabilities that one of two models is better on most data sets, or equivalent (Bayesian sign test).

    On each data set `b` is better, the two are equivalent, or `a` is better: by :math:`a - b` below minus `rope`,
    within it, above it. The counts :math:`n` of the three outcomes are multinomial, the prior is Dirichlet, so the
    posterior of their probabilities is

    .. math:: (\theta_l, \theta_e, \theta_r) \sim
        \mathrm{Dirichlet}(n_l + \alpha_l, \; n_e + \alpha_e, \; n_r + \alpha_r)

    (Benavoli et al. 2014; 2017). Reported is the probability of each outcome to be the most frequent one, to machine
    precision by quadrature, not by sampling.

    With ``rope=0`` equal scores are an outcome of their own like any other, and all three probabilities are reported.
    Other software leaves the middle one out there; that is ``left / (left + right)`` and ``right / (left + right)``,
    which is the more certain about a small lead the more data sets are tied.

    Parameters
    ----------
    a, b : array_like of shape (n,)
        One score of each model per data set, in any unit, larger better.
    rope : float, default=0
        Half width of the region of practical equivalence, in score units, at least 0. A difference as large as it,
        or larger by rounding, is equivalent.
    prior_strength : float, default=1
        Number of data sets that the prior is worth, in (0, 1e6].
    prior_place : {"rope", "left", "right", "spread"}, default="rope"
        The outcome that the whole prior is put on, or ``"spread"`` for a third on each. Results that vary with it
        depend on the prior.

    Returns
    -------
    SignPosterior
        The probabilities are no p-values. An outcome with neither data nor prior has probability 0.

    Raises
    ------
    ValueError
        If the scores are not finite, not paired or not of one dimension, or an option is out of range.

    See Also
    --------
    signed_rank_posterior : also reads how large the differences are.
    sign_test : the test with a p-value.

    References
    ----------
    A. Benavoli, G. Corani, J. Demsar and M. Zaffalon (2017), Time for a change: a tutorial for comparing multiple
    classifiers through Bayesian analysis, Journal of Machine Learning Research 18(77), 1-36.

    A. Benavoli, F. Mangili, G. Corani, M. Zaffalon and F. Ruggeri (2014), A Bayesian Wilcoxon signed-rank test based
    on the Dirichlet process, ICML, PMLR 32(2), 1026-1034.

    Examples
    --------
    >>> from skcompare.inference import sign_posterior
    >>> a = [0.81, 0.77, 0.93, 0.66, 0.72, 0.88, 0.95, 0.71]
    >>> b = [0.80, 0.72, 0.90, 0.65, 0.70, 0.88, 0.91, 0.70]
    >>> result = sign_posterior(a, b, rope=0.01)
    >>> result.counts, round(result.rope, 4), round(result.right, 4)
    ((0, 4, 4), 0.6367, 0.3633)
    """
    width = check_number(rope, "rope", low=0, high=np.inf, closed="left")
    strength = check_number(prior_strength, "prior_strength", low=0, high=1e6, closed="right")
    check_choice(prior_place, "prior_place", get_args(PriorPlace))
    d, noise = dataset_differences(a, b)
    equivalent = np.abs(d) <= width * (1 + ROUNDING) + noise
    counts = ((d < 0) & ~equivalent).sum(), equivalent.sum(), ((d > 0) & ~equivalent).sum()
    prior = strength * np.array(_PLACES[prior_place])
    posterior = np.array(counts) + prior
    left, middle, right = _largest(posterior).tolist()
    return SignPosterior(
        left=left,
        rope=middle,
        right=right,
        mean=_triple(posterior / posterior.sum()),
        counts=(int(counts[0]), int(counts[1]), int(counts[2])),
        prior=_triple(prior),
        rope_width=width,
        n=d.size,
        method="sign posterior (Dirichlet)",
        warnings=posterior_warnings(d),
    )


def _largest(posterior: FloatArray) -> FloatArray:
    """Probability of each component to be the largest; 0 where its parameter is 0, or next to it."""
    probabilities = np.zeros(3)
    possible = posterior > _NEGLIGIBLE
    probabilities[possible] = probability_largest(posterior[possible])
    return np.asarray(probabilities / probabilities.sum())


def _triple(values: FloatArray) -> tuple[float, float, float]:
    left, middle, right = values.tolist()
    return left, middle, right
