"""The Bayesian signed-rank test of two models on many data sets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from itertools import combinations
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.frames import import_pandas
from skcompare._core.numbers import percent
from skcompare._core.record import Frozen, Table
from skcompare._core.validation import FloatArray, IntArray, Names, Seed, check_choice, check_draws, check_number
from skcompare._core.warnings import Code
from skcompare.inference._kinds import Posterior, Result
from skcompare.inference._records import ROUNDING
from skcompare.inference._sentences import Some
from skcompare.inference.datasets import signed_rank
from skcompare.inference.datasets.pairwise import of_pairs
from skcompare.inference.datasets.scores import ONE_DATASET, check_table
from skcompare.inference.datasets.sign import SignPosterior, sign_posterior
from skcompare.inference.outcomes.samples import batches

PRIOR_STRENGTH = 0.5
# Numbers in a block of draws: 8 MB, of which a few are held at once.
_BLOCK = 2**20
# Of which so many, that a processor keeps at hand, are summed at once.
_HELD = 2**15


class SignedRankPosterior(Posterior):
    """Posterior of which of three outcomes is the most probable one, from pairs of data sets.

    Attributes
    ----------
    left, rope, right : float
        Probabilities that `b` is better, that the two are equivalent, that `a` is better: the share of the draws in
        which the mean of two differences ``a - b`` most probably lies below, inside, above the region of practical
        equivalence. They sum to 1.
    mean : tuple of float
        Posterior mean of the probabilities of the three outcomes, in the order of the three names, exact; they sum
        to 1.
    standard_error : float
        Of `left`, `rope` and `right` the largest Monte Carlo standard error.
    rope_width : float
        Half width of the region of practical equivalence, in score units.
    prior_strength : float
        Number of data sets that the prior is worth.
    n : int
        Number of data sets.
    n_draws : int
        Number of draws from the posterior.
    """

    mean: tuple[float, float, float]
    standard_error: float
    prior_strength: float
    n_draws: int
    _differences: tuple[FloatArray, FloatArray] = field(repr=False, compare=False)

    def draws(self, n_draws: int = 2000, rng: Seed = None) -> FloatArray:
        """Draws of the probabilities of the three outcomes from their posterior.

        Parameters
        ----------
        n_draws : int, default=2000
            At least 1.
        rng : int or numpy.random.Generator, optional
            Draws them; with the record's own seed and number these are the draws that it counted.

        Returns
        -------
        ndarray of shape (n_draws, 3)
            Left, rope, right; each row sums to 1.

        Raises
        ------
        ValueError
            If an option is out of range.
        """
        draws = check_draws(n_draws, rng, "n_draws")
        pairs, blocks = _pairs(*self._differences, self.rope_width), _draws(self.n, self.prior_strength, *draws)
        theta = np.maximum(0.0, np.concatenate([pairs.probabilities(weights) for weights in blocks]))
        return np.asarray(theta[:, ::-1] if pairs.swapped else theta)


def signed_rank_posterior(
    a: ArrayLike,
    b: ArrayLike,
    *,
    rope: float = 0.0,
    prior_strength: float = PRIOR_STRENGTH,
    n_draws: int = 50_000,
    rng: Seed = None,
) -> SignedRankPosterior:
    r"""Posterior probabilities that one of two models is better over data sets, or equivalent (Bayesian signed rank).

    The distribution of the differences :math:`z_i = a_i - b_i` over data sets has a Dirichlet process prior, of
    strength :math:`s` on one pseudo-difference :math:`z_0 = 0`. A draw from the posterior gives the differences the
    weights :math:`w \sim \text{Dirichlet}(s, 1, \dots, 1)`, and with them the probability that the mean of two
    differences favours `a`,

    .. math:: \theta_r = \sum_{i, j = 0}^n w_i w_j H(z_i + z_j - 2 r), \qquad H(0) = \tfrac 1 2

    where :math:`r` is the `rope`; :math:`\theta_l` is the same of the negative differences, and the rest is
    :math:`\theta_e = 1 - \theta_l - \theta_r` (Benavoli et al. 2014; 2017). Reported is the share of the
    draws in which each of the three is the largest. With ``rope=0`` ties count half for either model, and
    :math:`\theta_e = 0`.

    Parameters
    ----------
    a, b : array_like of shape (n,)
        One score of each model per data set, larger better, differences comparable between data sets. Differences, and
        means of two within rounding of the limits of the region (1e-12 of the larger score), are on them.
    rope : float, default=0
        Half width of the region of practical equivalence, in score units, at least 0.
    prior_strength : float, default=0.5
        Number of data sets that the prior is worth, in (0, 1e6].
    n_draws : int, default=50000
        Number of draws from the posterior, at least 1.
    rng : int or numpy.random.Generator, optional
        Draws them; the same seed gives the same result, in whatever order the data sets come, and its mirror image
        where the models are exchanged, unless the differences are symmetric around 0 already.

    Returns
    -------
    SignedRankPosterior
        The probabilities are no p-values.

    Raises
    ------
    ValueError
        If the scores are not finite, not paired or not of one dimension, or an option is out of range.

    See Also
    --------
    sign_posterior : makes no use of the sizes of the differences, and draws nothing.
    signed_rank_test : the test with a p-value.

    References
    ----------
    A. Benavoli, F. Mangili, G. Corani, M. Zaffalon and F. Ruggeri (2014), A Bayesian Wilcoxon signed-rank test based
    on the Dirichlet process, ICML, PMLR 32(2), 1026-1034.

    A. Benavoli, G. Corani, J. Demsar and M. Zaffalon (2017), Time for a change: a tutorial for comparing multiple
    classifiers through Bayesian analysis, Journal of Machine Learning Research 18(77), 1-36.

    Examples
    --------
    >>> from skcompare.inference import signed_rank_posterior
    >>> a = [0.81, 0.77, 0.93, 0.66, 0.72, 0.88, 0.95, 0.71]
    >>> b = [0.80, 0.72, 0.90, 0.65, 0.70, 0.88, 0.91, 0.70]
    >>> result = signed_rank_posterior(a, b, rope=0.01, rng=0)
    >>> result.right > 0.9, result.standard_error < 0.002
    (True, True)
    """
    width = check_number(rope, "rope", low=0, high=np.inf, closed="left")
    strength = check_number(prior_strength, "prior_strength", low=0, high=1e6, closed="right")
    n_draws, generator = check_draws(n_draws, rng, "n_draws")
    return next(posteriors([(a, b)], width, strength, n_draws, generator))


def posteriors(
    models: Sequence[tuple[ArrayLike, ArrayLike]], width: float, strength: float, n_draws: int, rng: np.random.Generator
) -> Iterator[SignedRankPosterior]:
    """The posteriors of pairs of models on the same data sets, from the same draws of the weights."""
    differences = [signed_rank.dataset_differences(*pair) for pair in models]
    of_all = [_pairs(d, noise, width) for d, noise in differences]
    n, larger = differences[0][0].size, np.zeros((len(models), 3))
    for drawn in _draws(n, strength, n_draws, rng):
        for weights, reached in _parts(drawn):
            for k, pairs in enumerate(of_all):
                larger[k] += _most_probable(pairs.of_few(weights, reached).T)
    for (d, noise), pairs, (left, middle, right) in zip(differences, of_all, (larger / n_draws).tolist(), strict=True):
        mean = _mean_outcomes(pairs, n, strength)
        if pairs.swapped:
            left, right, mean = right, left, mean[::-1]
        yield SignedRankPosterior(
            left=left,
            rope=middle,
            right=right,
            mean=mean,
            standard_error=max(((p * (1 - p)) / n_draws) ** 0.5 for p in (left, middle, right)),
            rope_width=width,
            prior_strength=strength,
            n=n,
            n_draws=n_draws,
            method="signed-rank posterior (Dirichlet process)",
            warnings=signed_rank.posterior_warnings(d),
            _differences=(d, noise),
        )


class _Pairs(Frozen):
    """All pairs of differences, the pseudo-difference too, and on which side of the limits of the region their sum is.

    The differences stand in the order of their signed ranks, the models in the one with the larger ranks, so that the
    draws depend on neither order; `swapped` tells. A sum is within rounding of a limit where its lowest value is not
    above it, and its highest not below, and both values are sums again: in the order of the lowest, or highest, values
    the pairs of a difference on one side of a limit are those with all differences up to a place. `limits` has such an
    order, and for each difference in it up to which place a pair is not above the region, and below it. Pairs on a
    limit count half: they are not above it by their lowest values and above it by their highest. Where no pair is on a
    limit one order says it all.
    """

    limits: tuple[tuple[IntArray, IntArray, IntArray], ...]
    with_itself: tuple[FloatArray, FloatArray]
    swapped: bool

    def probabilities(self, weights: FloatArray) -> FloatArray:
        """Of left, rope and right in each draw of the weights: theta, of shape (n_draws, 3)."""
        return np.concatenate([self.of_few(*part) for part in _parts(weights)], axis=1).T

    def of_few(self, weights: FloatArray, reached: FloatArray) -> FloatArray:
        """The same of few draws, shape (3, n_draws), from a column of weights each and their sums."""
        right, left = (np.zeros(weights.shape[1]) for _ in range(2))
        total = reached[-1] + weights[0]
        for order, above, below in self.limits:
            up_to = _up_to(order, above, weights, reached)
            right += total * total - up_to
            left += up_to if above is below else _up_to(order, below, weights, reached)
        right, left = (np.clip(one / len(self.limits), 0, 1) for one in (right, left))
        return np.stack((left, np.maximum(1 - left - right, 0), right))


def _parts(weights: FloatArray) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Few draws at a time, a column each, and the sums of their weights from the first difference up to each.

    The sums are without the pseudo-difference, and one for all pairs.
    """
    for rows in batches(len(weights), weights.shape[1], _HELD):
        part = np.ascontiguousarray(weights[rows].T)
        reached = np.zeros(part.shape)
        np.cumsum(part[1:], axis=0, out=reached[1:])
        yield part, reached


def _up_to(order: IntArray, places: IntArray, weights: FloatArray, reached: FloatArray) -> FloatArray:
    """Sum over the differences, in an order, of their weight times those of all up to a place of that order."""
    zero = int((order == 0).argmax())  # the place of the pseudo-difference among the others
    in_order = np.delete(order, zero)
    if not np.array_equal(in_order, np.arange(1, order.size)):  # where slacks differ
        reached = np.zeros(weights.shape)
        np.cumsum(weights[in_order], axis=0, out=reached[1:])
    beyond = places > zero  # of the first differences in the order, since later ones reach less far
    n_beyond, of_each = int(np.count_nonzero(beyond)), np.empty_like(places)
    of_each[order] = places - beyond
    sums = np.einsum("ij,ij->j", weights, reached[of_each])
    first = reached[n_beyond - 1] + weights[0] if n_beyond > zero else reached[n_beyond]
    return np.asarray(sums + weights[0] * first)


def _pairs(d: FloatArray, noise: FloatArray, rope: float) -> _Pairs:
    by_size = np.lexsort((noise, np.abs(d)))
    ranked = signed_rank.rank_differences(d[None], noise[None], "pratt")
    z, slack = ranked.values[0], noise[by_size]
    ranks = np.sign(z) * ranked.weights[0]
    swapped = np.sort(ranks).tolist() < np.sort(-ranks).tolist()
    sign = -1.0 if swapped else 1.0
    order = np.lexsort((slack, sign * ranks))
    z, slack = np.append(0.0, sign * z[order]), np.append(0.0, slack[order])
    inside, outside = 2 * rope * (1 - ROUNDING), 2 * rope * (1 + ROUNDING)
    less_inside, less_outside = np.nextafter(inside, -np.inf), np.nextafter(-outside, -np.inf)
    limits = []
    for values, upper, lower in ((z - slack, outside, -inside), (z + slack, less_inside, less_outside)):
        order = np.argsort(values, kind="stable")
        above, below = signed_rank.sums_up_to(values[order], upper), signed_rank.sums_up_to(values[order], lower)
        limits.append((order, above, above if np.array_equal(above, below) else below))
    if all(np.array_equal(x, y) for x, y in zip(*limits, strict=True)):
        del limits[1]
    left = np.mean([2 * (z - slack) <= -inside, 2 * (z + slack) <= less_outside], axis=0)
    right = np.mean([2 * (z - slack) > outside, 2 * (z + slack) > less_inside], axis=0)
    return _Pairs(limits=tuple(limits), with_itself=(left, right), swapped=bool(swapped))


def _draws(n: int, strength: float, n_draws: int, generator: np.random.Generator) -> Iterator[FloatArray]:
    """Blocks of draws of the weights, Dirichlet(strength, 1, ..., 1): gamma variates over their sum."""
    for rows in batches(n_draws, n + 1, _BLOCK):
        weights = np.empty((rows.stop - rows.start, n + 1))
        weights[:, 0] = generator.standard_gamma(strength, len(weights))
        weights[:, 1:] = generator.standard_exponential((len(weights), n))
        weights /= weights.sum(axis=1, keepdims=True)
        yield weights


def _most_probable(theta: FloatArray) -> FloatArray:
    """In how many draws each outcome is the largest, left, rope, right; equal ones share a draw."""
    winners = theta >= theta.max(axis=1, keepdims=True) - ROUNDING
    return np.asarray((winners / winners.sum(axis=1, keepdims=True)).sum(axis=0))


def _mean_outcomes(pairs: _Pairs, n: int, strength: float) -> tuple[float, float, float]:
    """Posterior means, from E[w_i w_j] = p_i (A p_j + [i = j]) / (A + 1), where A is the sum of the parameters A p."""
    total = n + strength
    p = np.ones(n + 1) / total
    p[0] = strength / total
    of_pairs = pairs.probabilities(p[None])[0, [0, 2]].tolist()
    left, right = (
        float(total * share + p @ own) / (total + 1) for share, own in zip(of_pairs, pairs.with_itself, strict=True)
    )
    return left, max(0.0, 1 - left - right), right


# Bayesian tests of all pairs of many models on many data sets.


PosteriorMethod = Literal["signed_rank", "sign"]
Decision = Literal["a better", "equivalent", "b better", "undecided"]


class PairwisePosterior(Result, eq=False):
    """Posterior of every pair of models on many data sets: the better one, or equivalent.

    Attributes
    ----------
    names : tuple of str
        The k models, in the order of the matrices.
    better : ndarray of shape (k, k)
        At [i, j] the probability that model i is better than model j; 0 on the diagonal.
    equivalent : ndarray of shape (k, k)
        At [i, j] the probability that the two are equivalent; symmetric, 1 on the diagonal. For each pair
        ``better[i, j] + better[j, i] + equivalent[i, j]`` is 1.
    standard_errors : ndarray of shape (k, k)
        The largest Monte Carlo standard error of the probabilities of each pair; symmetric, 0 where nothing is drawn.
    rope_width : float
        Half width of the region of practical equivalence, in score units.
    n : int
        Number of data sets.
    n_draws : int
        Draws for each pair; 0 where nothing is drawn.
    """

    names: tuple[str, ...]
    better: FloatArray
    equivalent: FloatArray
    standard_errors: FloatArray
    rope_width: float
    n: int
    n_draws: int

    def _tables(self) -> list[Table]:
        rows = [
            [*pair, *map(percent, shares), decision]
            for (pair, decision), shares in zip(self.decisions().items(), self._shares().tolist(), strict=True)
        ]
        return [Table(("a", "b", "P(a better)", "P(equivalent)", "P(b better)", "decision"), rows)]

    _kind = Some("pair", "decided with a probability above 95%", "_decided")

    def _decided(self) -> list[str]:
        """What was decided of the models, by their names."""
        said = {"a better": "{0} better than {1}", "b better": "{1} better than {0}", "equivalent": "{0} equal to {1}"}
        return [said[found].format(*pair) for pair, found in self.decisions().items() if found in said]

    def _shares(self) -> FloatArray:
        """One row per pair: probabilities that the first is better, that the two are equivalent, that the second is."""
        return np.stack([of_pairs(matrix) for matrix in (self.better, self.equivalent, self.better.T)], axis=1)

    def decisions(self, threshold: float = 0.95) -> dict[tuple[str, str], Decision]:
        """What each pair comes to: the outcome whose probability exceeds a threshold.

        Parameters
        ----------
        threshold : float, default=0.95
            In [0.5, 1), so that at most one outcome exceeds it. It is no significance level, and holds for each pair by
            itself.

        Returns
        -------
        dict of (str, str) to {"a better", "equivalent", "b better", "undecided"}
            For each pair (a, b), in the order of the names.

        Raises
        ------
        ValueError
            If `threshold` is not in [0.5, 1).
        """
        threshold = check_number(threshold, "threshold", low=0.5, high=1, closed="left")
        outcomes: tuple[Decision, ...] = ("a better", "equivalent", "b better")
        return {
            pair: outcomes[shares.argmax()] if shares.max() > threshold else "undecided"
            for pair, shares in zip(combinations(self.names, 2), self._shares(), strict=True)
        }

    def to_frame(self) -> Any:
        """One row per pair as a pandas DataFrame; needs pandas.

        Returns
        -------
        pandas.DataFrame
            Columns a, b, and left, rope, right: the probabilities that b is better, that the two are equivalent, that
            a is better.
        """
        frame = import_pandas().DataFrame(combinations(self.names, 2), columns=["a", "b"])
        frame[["left", "rope", "right"]] = self._shares()[:, ::-1]
        return frame


def pairwise_posterior(
    scores: ArrayLike,
    *,
    rope: float = 0.0,
    method: PosteriorMethod = "signed_rank",
    greater_is_better: bool = True,
    names: Names = None,
    n_draws: int = 50_000,
    rng: Any = None,
) -> PairwisePosterior:
    r"""Posterior probabilities, for every pair of models, that one is better over data sets or both are equivalent.

    Each pair is given to :func:`signed_rank_posterior` or :func:`sign_posterior` with its default prior, and comes out
    as it does there with the same seed: other models have no influence on it, and permuting the models permutes the
    result. With the probabilities :math:`\theta` that the second model of a pair is better, that both are equivalent
    and that the first is better, each reported one is

    .. math:: P(\theta_k = \max(\theta_l, \theta_e, \theta_r)), \qquad k \in \{l, e, r\}.

    They are not adjusted for the number of pairs: each is about its own pair, and says how sure one is of it, not how
    often one errs (Benavoli et al. 2017).

    Parameters
    ----------
    scores : array_like of shape (n_datasets, n_models)
        One score per data set and model, at least 2 models. Differences are compared between data sets by the
        signed-rank posterior, and with `rope` by both.
    rope : float, default=0
        Half width of the region of practical equivalence, in score units, at least 0.
    method : {"signed_rank", "sign"}, default="signed_rank"
        Which posterior.
    greater_is_better : bool, default=True
        Whether larger scores are better.
    names : sequence of str, optional
        Names of the models; "model 1" and so on by default.
    n_draws : int, default=50000
        Draws for each pair, at least 1; the sign posterior needs none.
    rng : None, int or numpy.random.Generator, optional
        An integer seeds each pair alike; a generator, or none, draws that integer first.

    Returns
    -------
    PairwisePosterior
        With the warning NO_DIFFERENCE where a pair has equal scores on all data sets.

    Raises
    ------
    ValueError
        If the scores are not a finite table of at least 2 models, or an option is out of range.

    See Also
    --------
    plackett_luce_posterior : all models at once, from their rankings.

    References
    ----------
    A. Benavoli, G. Corani, J. Demsar and M. Zaffalon (2017), Time for a change: a tutorial for comparing multiple
    classifiers through Bayesian analysis, Journal of Machine Learning Research 18(77), 1-36.

    Examples
    --------
    >>> from skcompare.inference import pairwise_posterior
    >>> scores = [[0.90, 0.80, 0.80], [0.85, 0.79, 0.80], [0.93, 0.86, 0.86], [0.88, 0.83, 0.82]] * 3
    >>> result = pairwise_posterior(scores, rope=0.02, names=["forest", "tree", "stump"], rng=0)
    >>> for (a, b), decision in result.decisions().items():
    ...     print(a, b, decision)
    forest tree a better
    forest stump a better
    tree stump equivalent
    """
    check_choice(method, "method", get_args(PosteriorMethod))
    table = check_table(scores, greater_is_better, names, matrices=8)
    width = check_number(rope, "rope", low=0, high=np.inf, closed="left")
    n_draws, generator = check_draws(n_draws, rng, "n_draws")
    # every pair has the seed that is given, or one that is drawn
    seed = int(rng) if isinstance(rng, (int, np.integer)) else int(generator.integers(2**63))
    k = table.n_models
    better, equivalent, errors = np.zeros((k, k)), np.eye(k), np.zeros((k, k))
    equal: list[str] = []
    columns = list(combinations(table.values.T, 2))
    found: Iterator[SignPosterior | SignedRankPosterior]
    if method == "sign":
        found = (sign_posterior(a, b, rope=width) for a, b in columns)
    else:
        found = posteriors(columns, width, PRIOR_STRENGTH, n_draws, np.random.default_rng(seed))
    for (i, j), posterior in zip(combinations(range(k), 2), found, strict=True):
        errors[i, j] = errors[j, i] = getattr(posterior, "standard_error", 0.0)
        better[i, j], better[j, i] = posterior.right, posterior.left
        equivalent[i, j] = equivalent[j, i] = posterior.rope
        if any(warning.code == Code.NO_DIFFERENCE.name for warning in posterior.warnings):
            equal.append(f"{table.names[i]} and {table.names[j]}")
    return PairwisePosterior(
        names=table.names,
        better=better,
        equivalent=equivalent,
        standard_errors=errors,
        rope_width=width,
        n=table.n_datasets,
        n_draws=0 if method == "sign" else n_draws,
        method=posterior.method,
        warnings=(
            *((Code.NO_DIFFERENCE(f"equal scores on all data sets: {'; '.join(equal)}."),) if equal else ()),
            *((ONE_DATASET,) if table.n_datasets == 1 else ()),
        ),
    )
