"""The Bayesian Plackett-Luce model of the rankings of many models on many data sets."""

from __future__ import annotations

from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.frames import import_pandas
from skcompare._core.numbers import counted
from skcompare._core.validation import BoolArray, FloatArray, Names, Positions, check_draws, check_number
from skcompare._core.warnings import Code
from skcompare.inference._kinds import ConfidenceInterval, Result
from skcompare.inference._sentences import Each, as_posterior
from skcompare.inference.datasets.adjusted_means import adjusted_means, not_connected
from skcompare.inference.datasets.friedman import ranks_with_gaps
from skcompare.inference.datasets.scores import ONE_DATASET, check_table_with_gaps

# Independent chains: the spread of their means is the Monte Carlo error, whatever a chain's memory.
_CHAINS = 20
_WARM_UP = 300
# No weight is below this: its inverse is still a number.
_LEAST = 1e-300
_ENOUGH_DRAWS = 400


class PlackettLucePosterior(Result, eq=False):
    """Posterior of the weights of a Plackett-Luce model of rankings.

    Attributes
    ----------
    names : tuple of str
        The k models, in the order of all arrays.
    expected_weights : ndarray of shape (k,)
        Posterior mean of each weight, in (0, 1): the probability that the model is the first one on a new data set.
        They sum to 1.
    probability_best : ndarray of shape (k,)
        Posterior probability that the weight of each model is the largest of all; they sum to 1.
    above : ndarray of shape (k, k)
        Probability that model i ranks above model j on a new data set, the mean of ``w_i / (w_i + w_j)``; 0.5 on the
        diagonal. [i, j] and [j, i] sum to 1.
    better : ndarray of shape (k, k)
        Posterior probability that the weight of i exceeds that of j: how sure it is that i is the better one.
        0.5 on the diagonal. [i, j] and [j, i] sum to 1.
    rank_probabilities : ndarray of shape (k, k)
        At [i, r] the posterior probability that the weight of model i is the (r + 1)-th largest; rows and columns
        sum to 1.
    expected_ranks : ndarray of shape (k,)
        Posterior mean of the rank of each weight, in [1, k], 1 for the largest.
    draws : ndarray of shape (n_draws, k)
        The draws of the weights that everything here is computed from.
    weight_errors, best_errors : ndarray of shape (k,)
        Monte Carlo standard error of `expected_weights` and of `probability_best`.
    effective_draws : ndarray of shape (k,)
        How many independent draws would give each expected weight the same Monte Carlo error, at most `n_draws`.
    n : int
        Number of data sets that have two models or more.
    n_tied : int
        Data sets on which some models tie.
    """

    names: tuple[str, ...]
    expected_weights: FloatArray
    probability_best: FloatArray
    above: FloatArray
    better: FloatArray
    rank_probabilities: FloatArray
    expected_ranks: FloatArray
    draws: FloatArray = field(repr=False)
    weight_errors: FloatArray
    best_errors: FloatArray
    effective_draws: FloatArray
    n: int
    n_tied: int
    _kind = Each("Probability of being the best model", "probability_best", as_posterior)

    def interval(self, mass: float = 0.95) -> tuple[ConfidenceInterval, ...]:
        """Central credible interval of each weight, one per model.

        Parameters
        ----------
        mass : float, default=0.95
            Posterior probability that each holds, in (0, 1).

        Returns
        -------
        tuple of ConfidenceInterval

        Raises
        ------
        ValueError
            If `mass` is not in (0, 1).
        """
        mass = check_number(mass, "mass", low=0, high=1, closed="neither")
        limits = np.quantile(self.draws, [(1 - mass) / 2, (1 + mass) / 2], axis=0)
        return tuple(ConfidenceInterval(low=low, high=high) for low, high in limits.T.tolist())

    def to_frame(self) -> Any:
        """One row per model as a pandas DataFrame, best expected rank first; needs pandas."""
        columns = {
            "model": self.names,
            "expected_weight": self.expected_weights,
            "probability_best": self.probability_best,
            "expected_rank": self.expected_ranks,
        }
        return import_pandas().DataFrame(columns).sort_values("expected_rank", kind="stable", ignore_index=True)


def plackett_luce_posterior(
    scores: ArrayLike, *, greater_is_better: bool = True, names: Names = None, n_draws: int = 20_000, rng: Any = None
) -> PlackettLucePosterior:
    r"""Which of many models is the best, from their rankings on many data sets (Bayesian Plackett-Luce model).

    Each model has a weight :math:`w_i`, and the weights sum to 1. On a data set the first place goes to a model with
    probability proportional to its weight, the next place likewise among those that are left, so the ranking
    :math:`r_1, \dots, r_k` has probability

    .. math:: \prod_{j=1}^{k} \frac{w_{r_j}}{\sum_{l \ge j} w_{r_l}}

    (Plackett 1975). The prior of the weights is uniform, a Dirichlet distribution with all parameters 1 (Calvo,
    Ceberio and Lozano 2018). The ranking is all that is read of the scores. Of any two models, which of them is above
    the other does not depend on which other models take part (Luce's axiom); where that is doubtful, compare pairs.

    A data set that lacks some models ranks the others: by Luce's axiom that is the same model, and the data sets must
    connect all models. A score must be missing for reasons that have nothing to do with how good it would have been.

    Models tie on a data set when their scores differ by rounding only. Which of them is above is then not known: the
    probability of a tie is the sum over the rankings that it leaves open, so a tie says nothing about the models in
    it, and a data set on which all tie says nothing at all.

    The posterior is drawn from by the Gibbs sampler of Caron and Doucet (2012): models arrive in the order
    of the ranking, at exponential times with their weights as rates. Given the times the weights are gamma
    distributed; given the weights, so are the times between arrivals. Models that tie get their order from times drawn
    between the arrivals before and after them. With two models the draws are independent, from a beta distribution.

    Parameters
    ----------
    scores : array_like of shape (n_datasets, n_models)
        One score per data set and model, in any unit, nan where there is none; at least 2 models, each with a score.
    greater_is_better : bool, default=True
        Whether larger scores are better.
    names : sequence of str, optional
        Names of the models; "model 1" and so on by default.
    n_draws : int, default=20000
        Number of draws, at least 100; rounded up to a multiple of the 20 chains that they come from.
    rng : None, int or numpy.random.Generator, optional
        Passed to :func:`numpy.random.default_rng`. The same seed gives the same result, in whatever order the data
        sets come.

    Returns
    -------
    PlackettLucePosterior
        With the warning APPROXIMATE where models tie, NO_DIFFERENCE where all do on every data set and the posterior is
        the prior, and MONTE_CARLO where the draws are worth less than 400 independent ones.

    Raises
    ------
    ValueError
        If a score is infinite, the scores are no table of at least 2 models, data sets do not connect them, or an
        option is out of range.

    See Also
    --------
    pairwise_posterior : each pair by itself, with a region of practical equivalence.

    References
    ----------
    R. L. Plackett (1975), The analysis of permutations, Applied Statistics 24(2), 193-202, :doi:`10.2307/2346567`.

    F. Caron and A. Doucet (2012), Efficient Bayesian inference for generalized Bradley-Terry models, Journal of
    Computational and Graphical Statistics 21(1), 174-196, :doi:`10.1080/10618600.2012.638220`.

    B. Calvo, J. Ceberio and J. A. Lozano (2018), Bayesian inference for algorithm ranking analysis, GECCO Companion,
    324-325, :doi:`10.1145/3205651.3205658`.

    B. Calvo, O. M. Shir, J. Ceberio, C. Doerr, H. Wang, T. Back and J. A. Lozano (2019), Bayesian performance analysis
    for black-box optimization benchmarking, GECCO Companion, 1789-1797, :doi:`10.1145/3319619.3326888`.

    J. Rojas-Delgado, J. Ceberio, B. Calvo and J. A. Lozano (2022), Bayesian performance analysis for algorithm ranking
    comparison, IEEE Transactions on Evolutionary Computation 26(6), 1281-1292, :doi:`10.1109/TEVC.2022.3208110`.

    Examples
    --------
    The first model wins on six of eight data sets, and the third is last on seven:

    >>> from skcompare.inference import plackett_luce_posterior
    >>> scores = [[0.9, 0.8, 0.7]] * 6 + [[0.7, 0.9, 0.6], [0.8, 0.9, 0.85]]
    >>> result = plackett_luce_posterior(scores, names=["forest", "tree", "bayes"], rng=0)
    >>> result.probability_best.round(1).tolist(), result.expected_ranks.round(1).tolist()
    ([0.8, 0.2, 0.0], [1.2, 1.8, 3.0])
    """
    table, present = check_table_with_gaps(scores, greater_is_better, names)
    values = np.where(present, table.values, np.nan)
    sets = adjusted_means(values).sets
    if sets.any():
        apart = not_connected(sets, table.names, 0, int(np.flatnonzero(sets)[0]))
        raise ValueError(f"scores must connect all models: {apart}")
    n_draws, generator = check_draws(n_draws, rng, "n_draws", low=100, held=3 * table.n_models)
    ranks, _ = ranks_with_gaps(values)
    ranks = ranks[np.isfinite(ranks).any(axis=1)]
    ranks = ranks[np.lexsort(ranks.T)]
    chains = _draw_weights(ranks, -(-n_draws // _CHAINS), generator)
    draws = chains.reshape(-1, table.n_models)
    rank_of = np.argsort(np.argsort(-draws, axis=1), axis=1)
    rank_probabilities = np.stack([(rank_of == r).mean(axis=0) for r in range(table.n_models)], axis=1)
    weight_errors = _errors(chains)
    n_tied = int(np.count_nonzero(_tied(ranks).any(axis=1)))
    effective = np.minimum(draws.var(axis=0) / weight_errors**2, len(draws))
    warnings = [ONE_DATASET] if len(ranks) == 1 else []
    if effective.min() < _ENOUGH_DRAWS:
        worth = f"the draws are worth {effective.min():.0f} independent ones for some weight; increase n_draws."
        warnings.insert(0, Code.MONTE_CARLO(worth))
    if (np.nanmax(ranks, axis=1) == np.nanmin(ranks, axis=1)).all():
        warnings.insert(0, Code.NO_DIFFERENCE("all models tie on every data set, so the posterior is the prior."))
    elif n_tied:
        tie = f"on {counted(n_tied, 'data set')} models tie, which says nothing about which of them is better."
        warnings.insert(0, Code.APPROXIMATE(tie))
    return PlackettLucePosterior(
        names=table.names,
        expected_weights=draws.mean(axis=0),
        probability_best=rank_probabilities[:, 0],
        above=np.stack([(w[:, None] / (w[:, None] + draws)).mean(axis=0) for w in draws.T]),
        better=np.stack([((w[:, None] > draws) + 0.5 * (w[:, None] == draws)).mean(axis=0) for w in draws.T]),
        rank_probabilities=rank_probabilities,
        expected_ranks=rank_of.mean(axis=0) + 1,
        draws=draws,
        weight_errors=weight_errors,
        best_errors=_errors((rank_of == 0).reshape(chains.shape).astype(np.float64)),
        effective_draws=effective,
        n=len(ranks),
        n_tied=n_tied,
        method=f"Bayesian Plackett-Luce model of rankings, Dirichlet(1) prior ({len(draws)} draws)",
        warnings=tuple(warnings),
    )


def _tied(ranks: FloatArray) -> BoolArray:
    """Whether each model ties with another one, shape of `ranks`."""
    return np.asarray((ranks[:, :, None] == ranks[:, None, :]).sum(axis=2) > 1)


def _draw_weights(ranks: FloatArray, n_draws: int, generator: np.random.Generator) -> FloatArray:
    # where all models tie, the likelihood is 1
    """Draws of the weights, shape (n_draws, chains, k); `ranks` has shape (n, k)."""
    ranks = ranks[np.nanmax(ranks, axis=1) > np.nanmin(ranks, axis=1)]
    n, k = ranks.shape
    here = np.isfinite(np.sort(ranks, axis=1))  # in the order of the ranks, models that are absent last
    order = np.broadcast_to(np.argsort(ranks, axis=1, kind="stable"), (_CHAINS, n, k)).copy()
    has_ties = np.flatnonzero(_tied(ranks).any(axis=1))
    ordered_ranks = np.sort(ranks[has_ties], axis=1)
    same = ordered_ranks[:, :, None] == ordered_ranks[:, None, :]
    first, last = np.argmax(same, axis=2), k - 1 - np.argmax(same[..., ::-1], axis=2)
    draws = np.empty((n_draws, _CHAINS, k))
    weights = _start(ranks, generator)
    for step in range(-_WARM_UP, n_draws):
        # the rankings say nothing about the sum of the rates, which has its prior
        rates = weights * generator.standard_gamma(k, (_CHAINS, 1))
        ordered = np.take_along_axis(rates[:, None, :], order, axis=2)
        left = np.cumsum(np.where(here, ordered, 0.0)[..., ::-1], axis=2)[..., ::-1]
        waits = generator.standard_exponential((_CHAINS, n, k)) / np.where(here, left, 1.0)
        times = np.where(here, np.cumsum(waits, axis=2), np.inf)
        if len(has_ties):
            order[:, has_ties], times[:, has_ties] = _reorder(
                order[:, has_ties], times[:, has_ties], ordered[:, has_ties], first, last, generator
            )
        weights = _weights_given(order, times, here, generator)
        if step >= 0:
            draws[step] = weights
    return draws


def _start(ranks: FloatArray, generator: np.random.Generator) -> FloatArray:
    """Weights from less than all the data, so more spread than the posterior; shape (chains, k).

    From the best mean rank down, a model's share of the weights from it on is the probability that it is above all
    models that follow. How often it is gives each share a beta distribution.
    """
    found = np.isfinite(ranks)
    k, appears = ranks.shape[1], found.sum(axis=0)
    models = np.argsort(np.nansum(ranks, axis=0) / np.maximum(appears, 1), kind="stable")
    others = np.where(found, ranks, np.inf)
    weights: FloatArray = np.empty((_CHAINS, k))
    left = np.ones(_CHAINS)
    for place, model in enumerate(models[:-1]):
        first = np.count_nonzero((ranks[:, [model]] <= others[:, models[place:]]).all(axis=1))
        share = generator.beta(1 + first, k - 1 - place + appears[model] - first, _CHAINS)
        weights[:, model], left = left * share, left * (1 - share)
    weights[:, models[-1]] = left
    return np.maximum(weights, _LEAST)


def _weights_given(order: Positions, times: FloatArray, here: BoolArray, rng: np.random.Generator) -> FloatArray:
    """Caron and Doucet (2012): weights given the times of arrival, of which the last one is not observed."""
    chains, n, k = times.shape
    rows, last = np.arange(n), here.sum(axis=1) - 1
    times[:, rows, last] = times[:, rows, last - 1]
    times[:, ~here] = 0.0
    chain = k * np.arange(chains)[:, None]
    places = chain[:, :, None] + order
    exposure = np.bincount(places.ravel(), weights=times.ravel(), minlength=chains * k)
    seen = np.bincount(places[:, here].ravel(), minlength=chains * k)
    arrivals = np.bincount((chain + order[:, rows, last]).ravel(), minlength=chains * k)
    shape = 1.0 + (seen - arrivals).reshape(chains, k)
    rates = rng.standard_gamma(shape) / (1 + exposure.reshape(chains, k))
    return np.asarray(np.maximum(rates / rates.sum(axis=1, keepdims=True), _LEAST))


def _reorder(
    order: Positions, times: FloatArray, rates: FloatArray, first: Positions, last: Positions, rng: np.random.Generator
) -> tuple[Positions, FloatArray]:
    """New arrival times of models that tie, between the arrivals before and after them, and the order they make."""
    padded = np.pad(times, [(0, 0), (0, 0), (1, 1)], constant_values=((0, 0), (0, 0), (0, np.inf)))
    start = np.take_along_axis(padded, np.broadcast_to(first, times.shape), axis=2)
    stop = np.take_along_axis(padded, np.broadcast_to(last + 2, times.shape), axis=2)
    # exponential, given that it is less than the window
    wait = -np.log1p(rng.random(times.shape) * np.expm1(-rates * (stop - start))) / rates
    times = np.where(last > first, start + wait, times)
    sorting = np.argsort(times, axis=2, kind="stable")
    return np.take_along_axis(order, sorting, axis=2), np.take_along_axis(times, sorting, axis=2)


def _errors(chains: FloatArray) -> FloatArray:
    """Monte Carlo standard errors of the means over draws and chains, from the spread of the chains' means."""
    return np.asarray(chains.mean(axis=0).std(axis=0, ddof=1) / chains.shape[1] ** 0.5)
