"""The sign test of two models on many data sets."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import field
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core import validation
from skcompare._core.validation import Alternative, FloatArray, Seed
from skcompare._core.warnings import Code
from skcompare.inference import _kinds as kinds
from skcompare.inference._distributions import at_most, probability_largest
from skcompare.inference._multiplicity import Least, by_cases
from skcompare.inference._records import ROUNDING, TTestResult, paired_differences, t_test
from skcompare.inference.datasets.signed_rank import dataset_differences, no_difference, posterior_warnings
from skcompare.inference.outcomes.proportions import binomial_limits

Ties = Literal["drop", "split"]


class SignTestResult(kinds.HasInterval, kinds.DifferenceTest):
    """Result of the sign test.

    `confidence_interval` is for the median difference, between two order statistics of all differences. It holds the
    median with at least the probability asked for, whatever the distribution, ties included. A level that so few data
    sets cannot reach gives an infinite interval. Without ties it leaves out `null` exactly when
    ``pvalue < 1 - confidence_level``. With ties it may also end at it then; above that p-value it always holds it.

    Attributes
    ----------
    wins, ties, losses : int
        Data sets on which ``a - b`` is above `null`, on which it is `null`, on which it is below: without one, on which
        `a` is better, the scores are equal, `b` is better.
    statistic : float
        Wins of `a` as the test counts them, in [0, `n_used`]: with half of the ties where those are split.
    pvalue : float
        In (0, 1], exact.
    alternative : {"two-sided", "greater", "less"}
        What was tested: `a` is the better one on more than half of all data sets or on fewer; on more; on fewer.
    estimate : float
        Median of the differences ``a - b``, in score units; positive favours `a`.
    effect_size : float
        Share of wins, `statistic` over `n_used`, in [0, 1]; 1/2 where no data set counts.
    n : int
        Number of data sets.
    n_used : int
        How many of them count: wins and losses, and the ties that are split; 0 where all are ties.
    differences : tuple of float
        ``a - b``, less `null`, per data set, in score units, ascending.
    """

    wins: int
    ties: int
    losses: int
    statistic: float
    effect_size: float
    n_used: int
    differences: tuple[float, ...] = field(repr=False)

    def _least(self) -> Least | None:
        """The smallest p-value on the data sets that count; None where all are ties."""
        return by_cases(self.n_used, "untied data set", self.alternative) if self.n_used else None

    def _limits(self, tail: float) -> tuple[float, float]:
        if self.ties == self.n:
            return self.null, self.null
        fewest = bisect_left(range(self.n + 1), tail, key=lambda count: at_most(count, self.n, 0.5))
        if not fewest:
            return -np.inf, np.inf
        # the fewest differences below the median that the binomial distribution does not rule out
        low, high = (kinds.moved_by(self.differences[place], self.null) for place in (fewest - 1, -fewest))
        return low, high

    def share_interval(self, confidence_level: float = 0.95) -> kinds.ConfidenceInterval:
        """Exact interval for the probability that `a` is the better one on a data set that counts.

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1).

        Returns
        -------
        ConfidenceInterval
            In [0, 1] (Clopper and Pearson 1934); leaves out 1/2 exactly when ``pvalue < 1 - confidence_level``.
            One-sided alternatives give one-sided intervals, from 0 or to 1.

        Raises
        ------
        ValueError
            If `confidence_level` is not in (0, 1).
        """
        tail = kinds.interval_tail(confidence_level, self.alternative)
        low, high = binomial_limits(int(self.statistic), self.n_used, tail, midp=False)
        return kinds.interval_for(self.alternative, low, high, (0.0, 1.0))


def sign_test(
    a: ArrayLike, b: ArrayLike, *, alternative: Alternative = "two-sided", null: float = 0.0, ties: Ties = "drop"
) -> SignTestResult:
    r"""Test on how many of many data sets each of two models is the better one (sign test).

    Where neither model is better in general, the wins :math:`W` of `a` are binomial with probability 1/2: the
    p-value is the tail of that distribution, two-sided twice the smaller one, with the losses :math:`L`

    .. math:: p = \min\left( 1, \; 2 P(X \le \min(W, L)) \right), \qquad X \sim \mathrm{Bin}(W + L, \tfrac 1 2)

    (Demsar 2006, section 3.1.4). The sizes of the differences play no part, so scores need not be commensurable
    between data sets, and any strictly increasing transform of the scores of a data set changes nothing but the
    estimate; the price is little power.

    A tie speaks for neither model. Given which data sets are tied, sharing the ties equally adds one constant to
    both sides and leaves the p-value as it is without them: this exact conditional test is ``ties="drop"``, the
    default. Demsar shares the ties but then refers to the binomial distribution of all data sets, as though a coin had
    decided them: ``ties="split"``. That is valid too, but the more conservative the more ties there are; where it
    rejects, the default does.

    Parameters
    ----------
    a, b : array_like of shape (n,)
        One score of each model per data set, in any unit, larger better. Differences within rounding (1e-12 of the
        larger of the two scores) are ties.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: `a` is better on more than half of all data sets.
    null : float, default=0
        The difference ``a - b`` under the null hypothesis, in the units of `estimate`: what is tested is whether the
        true one differs from it, exceeds it (``"greater"``) or falls below it. With a positive one ``"greater"`` tests
        superiority by a margin, with a negative one non-inferiority.
    ties : {"drop", "split"}, default="drop"
        Whether ties do not count, or are shared equally between the models, of an odd number of ties one being
        dropped.

    Returns
    -------
    SignTestResult
        With p-value 1 and the warning NO_DIFFERENCE where all data sets are ties, and the warning CANNOT_REJECT where
        too few count for a p-value below 0.05.

    Raises
    ------
    ValueError
        If the scores are not finite, not paired or not of one dimension, or an option is unknown.

    See Also
    --------
    signed_rank_test : also reads how large the differences are, for more power.
    sign_posterior : the probability that one is better, worse or equivalent.

    References
    ----------
    J. Demsar (2006), Statistical comparisons of classifiers over multiple data sets, Journal of Machine Learning
    Research 7, 1-30.

    C. J. Clopper and E. S. Pearson (1934), The use of confidence or fiducial limits illustrated in the case of the
    binomial, Biometrika 26(4), 404-413, :doi:`10.1093/biomet/26.4.404`.

    Examples
    --------
    >>> from skcompare.inference import sign_test
    >>> a = [0.81, 0.77, 0.93, 0.66, 0.72, 0.88, 0.95, 0.71]
    >>> b = [0.80, 0.75, 0.90, 0.65, 0.70, 0.88, 0.91, 0.70]
    >>> result = sign_test(a, b)
    >>> result.wins, result.ties, result.losses, result.pvalue
    (7, 1, 0, 0.015625)
    """
    null = validation.check_hypothesis(alternative, null).null
    validation.check_choice(ties, "ties", get_args(Ties))
    d, _ = dataset_differences(a, b, null)
    wins, losses = int((d > 0).sum()), int((d < 0).sum())
    tied = d.size - wins - losses
    shared = tied // 2 if ties == "split" and tied < d.size else 0
    n_used = wins + losses + 2 * shared
    greater, less = (float(at_most(count + shared, n_used, 0.5)) for count in (losses, wins))
    warnings = by_cases(n_used, "untied data set", alternative).warnings() if wins + losses else (no_difference(null),)
    return SignTestResult(
        wins=wins,
        ties=tied,
        losses=losses,
        statistic=float(wins + shared),
        pvalue={"greater": greater, "less": less}.get(alternative, min(1.0, 2 * min(greater, less))),
        alternative=alternative,
        estimate=float(np.median(d)) + null,
        null=null,
        effect_size=(wins + shared) / n_used if n_used else 0.5,
        n=d.size,
        n_used=n_used,
        differences=tuple(np.sort(d).tolist()),
        method="sign test, exact" + (", ties split" if ties == "split" else ""),
        warnings=warnings,
    )


# The Bayesian sign test of two models on many data sets.


PriorPlace = Literal["rope", "left", "right", "spread"]

# A parameter this small, beside one of at least 1, has no larger probability than itself; the quadrature overflows.
_NEGLIGIBLE = 1e-50
_PLACES = {"left": (1.0, 0.0, 0.0), "rope": (0.0, 1.0, 0.0), "right": (0.0, 0.0, 1.0), "spread": (1 / 3, 1 / 3, 1 / 3)}


class SignPosterior(kinds.Posterior):
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

    mean: tuple[float, ...]
    counts: tuple[int, ...]
    prior: tuple[float, ...]

    def draws(self, n_draws: int = 2000, rng: Seed = None) -> FloatArray:
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
        n_draws, generator = validation.check_draws(n_draws, rng, "n_draws")
        gammas = generator.standard_gamma(np.add(self.counts, self.prior), (n_draws, 3))
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
    width = validation.check_number(rope, "rope", low=0, high=np.inf, closed="left")
    strength = validation.check_number(prior_strength, "prior_strength", low=0, high=1e6, closed="right")
    validation.check_choice(prior_place, "prior_place", get_args(PriorPlace))
    d, noise = dataset_differences(a, b)
    equivalent = np.abs(d) <= width * (1 + ROUNDING) + noise
    counts = np.array([((d < 0) & ~equivalent).sum(), equivalent.sum(), ((d > 0) & ~equivalent).sum()])
    prior = strength * np.array(_PLACES[prior_place])
    posterior = counts + prior
    largest, possible = np.zeros(3), posterior > _NEGLIGIBLE
    largest[possible] = probability_largest(posterior[possible])
    left, middle, right = (largest / largest.sum()).tolist()
    return SignPosterior(
        left=left,
        rope=middle,
        right=right,
        mean=tuple((posterior / posterior.sum()).tolist()),
        counts=tuple(counts.tolist()),
        prior=tuple(prior.tolist()),
        rope_width=width,
        n=d.size,
        method="sign posterior (Dirichlet)",
        warnings=posterior_warnings(d),
    )


# The paired t test over data sets.


COMMENSURABLE = Code.ASSUMED(
    "the t test takes differences on different data sets for values on one scale, and a single outlier "
    "among them can decide it; the signed-rank test is safer."
)


def dataset_t_test(
    a: ArrayLike, b: ArrayLike, *, alternative: Alternative = "two-sided", null: float = 0.0
) -> TTestResult:
    r"""Paired t test of two models over independent data sets.

    With :math:`d = a - b` on N data sets and :math:`s_d` the standard deviation of the differences,

    .. math:: t = \frac{\bar d \sqrt N}{s_d}

    on N - 1 degrees of freedom. Demsar (2006, section 3.1.2) warns of it: the differences must be commensurable,
    normal for few data sets, and free of outliers.

    Parameters
    ----------
    a, b : array_like of shape (n_datasets,)
        One score per data set, larger better.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: the mean of ``a - b`` is positive.
    null : float, default=0
        The difference ``a - b`` under the null hypothesis, in the units of `estimate`: what is tested is whether the
        true one differs from it, exceeds it (``"greater"``) or falls below it. With a positive one ``"greater"`` tests
        superiority by a margin, with a negative one non-inferiority.

    Returns
    -------
    TTestResult
        Its warnings repeat Demsar's.

    Raises
    ------
    ValueError
        If the scores are not finite or not paired, or `alternative` is unknown.

    References
    ----------
    J. Demsar (2006), Statistical comparisons of classifiers over multiple data sets, Journal of Machine Learning
    Research 7, 1-30.

    Examples
    --------
    >>> from skcompare.inference import dataset_t_test
    >>> result = dataset_t_test([0.92, 0.90, 0.91, 0.93, 0.91], [0.90, 0.90, 0.92, 0.90, 0.89])
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (1.633, 0.1778)
    """
    against = validation.check_hypothesis(alternative, null)
    d = paired_differences(*validation.check_pair(a, b, ndim=(1,)))
    n = d.values.size
    return t_test(d, d.std / n**0.5, n - 1.0, against, method="paired t test over data sets", warnings=(COMMENSURABLE,))
