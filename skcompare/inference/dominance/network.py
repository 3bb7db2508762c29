"""Dominance under a Bayesian network: independences among the metrics make few cases go further."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from skcompare._core.numbers import listed
from skcompare._core.validation import FloatArray, Names, Seed, check_draws
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference._distributions import probability_largest
from skcompare.inference._records import widened
from skcompare.inference.dominance import statements, structures
from skcompare.inference.dominance.likelihood_ratio import DominanceTestResult, dominance_test
from skcompare.inference.dominance.posterior import DominancePosterior, dominance_posterior
from skcompare.inference.dominance.structures import Parents, Structure, StructureSum, margin
from skcompare.inference.outcomes.samples import batches

# What a Bayesian network answers: likelihood ratio and posterior probability of the most probable statement.


# Probabilities that differ by less than this fraction differ by rounding only.
_EQUAL = 1e-9
_HALVINGS = 100
# Up to so many metrics the average runs over all structures, above that over graphs drawn from their posterior.
_ALL_GRAPHS = 4
_N_GRAPHS = 1000
# Graphs of a smaller probability are left out.
_NEGLIGIBLE = 1e-15
# Numbers held at once
_CHUNK = 2**17


def likelihood_ratio(table: FloatArray, parents: Parents) -> tuple[int | None, float]:
    """The statement with the largest estimated probability and T, twice its log likelihood ratio.

    T is the smallest over the other statements y of twice the log likelihood that the constraint "y is at least as
    probable as the winner" costs. The winner is None, and T is 0, where one of them costs nothing.
    """
    estimate = np.prod(np.broadcast_arrays(*_conditionals(table, parents)), axis=0).ravel()
    winner = int(estimate.argmax())
    if np.delete(estimate, winner).max() >= estimate[winner] * (1 - _EQUAL):
        return None, 0.0
    statistic = 2 * float(np.delete(_costs(table, parents, winner), winner).min())
    return (winner, statistic) if statistic > 0 else (None, 0.0)


def _conditionals(table: FloatArray, parents: Parents) -> list[FloatArray]:
    """Estimates of each metric's distribution given its parents; 1/2 where no case shows their state."""
    estimates = []
    for v, found in enumerate(parents):
        family = margin(table, (v, *found))
        total = family.sum(axis=v, keepdims=True)
        estimates.append(np.where(total > 0, family / np.where(total > 0, total, 1), 0.5))
    return estimates


def _costs(table: FloatArray, parents: Parents, winner: int) -> FloatArray:
    """Log likelihood that each statement costs, if it is to be as probable as the winner.

    With a multiplier l, the constrained estimates are those of other counts: l less in the cells that only the winner
    needs, l more in those that only the other statement needs. The cost is the maximum over l of the difference of
    the two log likelihoods plus l times the gap between the log probabilities, a concave function of l whose
    derivative is that gap. Where l has emptied the winner's cell, and with it the state of its parents, the
    probability in that cell is free, and takes up the gap that is left at a price of l per unit; a state of the
    parents that no case shows is free for nothing.
    """
    m = table.ndim
    bits = statements.statement_bits(m)
    alone = np.array([(bits[:, parents[v]] != bits[winner, parents[v]]).any(axis=1) for v in range(m)])
    differs = alone | (bits != bits[winner]).T
    cells = _of_both([margin(table, (v, *parents[v])) for v in range(m)], table.shape, winner)
    states = _of_both([margin(table, parents[v]) for v in range(m)], table.shape, winner)
    leave = np.stack([-1.0 * differs, differs])  # the cells of the winner, and enter those of the other statements

    low = np.zeros(len(bits))
    high = np.where(differs, cells[0], np.inf).min(axis=0, initial=cells.max())
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        moved = middle * leave
        left = states + moved * alone
        # 1, the best they can be, where the state is empty
        shares = np.where(left > 0, (cells + moved) / np.where(left > 0, left, 1), 1)
        with np.errstate(divide="ignore"):
            gap = np.where(differs, np.log(shares[0]) - np.log(shares[1]), 0).sum(axis=0)
        low, high = np.where(gap > 0, middle, low), np.where(gap > 0, high, middle)
    moved = low * leave
    return np.asarray((_change(cells, moved) - _change(states, moved * alone)).sum(axis=(0, 1)))


def _of_both(margins: list[FloatArray], shape: tuple[int, ...], winner: int) -> FloatArray:
    """What the winner and every other statement use of the margins, shape (2, m, 2**m)."""
    used = np.array([np.broadcast_to(margin, shape).ravel() for margin in margins])
    return np.stack([np.broadcast_to(used[:, [winner]], used.shape), used])


def _change(counts: FloatArray, moved: FloatArray) -> FloatArray:
    """n log n of the counts less that of the counts moved, written so that large ones do not cancel."""
    seen = counts > 0
    unit = np.where(seen, counts, 1)
    relative = np.where(seen, moved / unit, moved - 1)
    return np.asarray(-special.xlog1py(counts + moved, relative) - moved * np.log(unit))


class Estimate(NamedTuple):
    """Probabilities of all statements, and the variances of what was drawn of them, 0 where they are exact."""

    values: FloatArray
    variances: FloatArray


def average_posterior(table: FloatArray, weights: StructureSum, n_draws: int, rng: np.random.Generator) -> Estimate:
    """Under all structures, each weighted with its posterior probability; they share the draws."""
    m = len(weights.scores)
    if sampled := m > _ALL_GRAPHS:
        drawn = Counter(structures.draw_structure(weights, rng) for _ in range(_N_GRAPHS))
        shares_of = {graph: count / _N_GRAPHS for graph, count in drawn.items()}
    else:
        scores = {graph: structures.structure_score(weights.scores, graph) for graph in structures.all_structures(m)}
        of_all = {graph: math.exp(score - weights.total) for graph, score in scores.items()}
        total = sum(of_all.values())
        shares_of = {graph: share / total for graph, share in of_all.items() if share > _NEGLIGIBLE}
    known: dict[tuple[int, ...], FloatArray] = {}
    found = [_of_graph(table, graph, math.ceil(n_draws * share), rng, known) for graph, share in shares_of.items()]
    shares = np.array(list(shares_of.values()))
    values = np.array([estimate.values for estimate in found])
    mean = shares @ values
    variances = shares**2 @ np.array([estimate.variances for estimate in found])
    if sampled:
        variances += shares @ (values - mean) ** 2 / (_N_GRAPHS - 1)
    return Estimate(mean, variances)


def _of_graph(
    table: FloatArray, parents: Parents, n_draws: int, rng: np.random.Generator, seen: dict[tuple[int, ...], FloatArray]
) -> Estimate:
    """The product over the components of the graph, which are independent.

    A component in which all are neighbours has a Dirichlet posterior, so its probabilities are exact; they are kept
    in `seen`.
    """
    values, variances = np.ones((1,) * table.ndim), np.zeros((1,) * table.ndim)
    for members in structures.components(parents):
        counts = margin(table, members)
        if sum(len(parents[v]) for v in members) == math.comb(len(members), 2):  # every pair has an arc
            if members not in seen:
                seen[members] = probability_largest(counts.ravel() + 1 / counts.size).reshape(counts.shape)
            values, variances = values * seen[members], variances * seen[members] ** 2
        else:
            part = _drawn(counts, {v: parents[v] for v in members}, n_draws, rng)
            variances = variances * part.values**2 + values**2 * part.variances + variances * part.variances
            values = values * part.values
    return Estimate(values.ravel(), variances.ravel())


def _drawn(counts: FloatArray, parents: dict[int, tuple[int, ...]], n_draws: int, rng: np.random.Generator) -> Estimate:
    """Shares of the draws in which each statement is the most probable one.

    Swapping the two models mirrors them: only one of two mirror images is drawn, and what is its own is made so.
    """
    image = np.flip(counts)
    if tuple(counts.ravel()) < tuple(image.ravel()):
        mirrored = _drawn(image, parents, n_draws, rng)
        return Estimate(np.flip(mirrored.values), np.flip(mirrored.variances))
    wins = np.zeros(counts.size)
    for rows in batches(n_draws, counts.size, _CHUNK):
        n = rows.stop - rows.start
        joint = np.ones((*(1,) * counts.ndim, n))
        for v, found in parents.items():
            joint = joint * _conditional(counts, v, found, n, rng)
        wins += np.bincount(joint.reshape(-1, n).argmax(axis=0), minlength=counts.size)
    if np.array_equal(counts, image):
        wins = (wins + wins[::-1]) / 2
    # one more win and one more loss, so that no variance is 0 by chance
    smoothed = (wins + 1) / (n_draws + 2)
    values, variances = wins / n_draws, smoothed * (1 - smoothed) / n_draws
    return Estimate(values.reshape(counts.shape), variances.reshape(counts.shape))


def _conditional(counts: FloatArray, v: int, parents: tuple[int, ...], n: int, rng: np.random.Generator) -> FloatArray:
    """n draws of the distribution of a metric given its parents, with an axis for each metric and one for the draws."""
    alpha = margin(counts, (v, *parents))
    alpha = alpha + 1 / alpha.size
    worse, better = np.split(alpha[..., None], 2, axis=v)
    share = rng.beta(better, worse, size=(*better.shape[:-1], n))
    return np.concatenate([1 - share, share], axis=v)


# The sums over all graphs take 4**m steps.
MAX_NETWORK_METRICS = 8
_METHODS = {"search": "best graph", "average": "average over graphs", "complete": "complete graph", "empty": "no arcs"}


class DominanceNetworkResult(statements.OfStatements, eq=False):
    """Result of the dominance test and posterior under a Bayesian network of the metrics.

    Attributes
    ----------
    statement : tuple of bool or None
        The most probable statement by the estimates under the network; None where another one is as probable.
    statistic : float
        Twice the log likelihood ratio under the network, at least 0.
    pvalue : float
        The one to decide on: the larger of `pvalue_chi2` and that of `saturated` where both name the same statement,
        otherwise 1. So it is as valid as the latter, whatever the network.
    pvalue_chi2 : float
        The network's own, from the asymptotic chi-squared distribution with one degree of freedom, as if the graph
        had been known before the data.
    probabilities : ndarray of shape (2**m,)
        Posterior probability of each statement to be the most probable of all; they sum to 1.
    most_probable : tuple of bool or None
        The statement with the largest of them; None where several share it, or its lead is less than four standard
        errors.
    standard_error : float
        Largest Monte Carlo standard error of `probabilities`; 0 where all are exact.
    parents : tuple of tuple of int
        The graph: for each metric the indices of those it depends on. The best one for an average.
    score : float
        BDeu log score of that graph.
    edge_probabilities : ndarray of shape (m, m)
        Posterior probability of the arc from i to j at [i, j], over all structures. An arc and its reverse often fit
        equally well; i and j are neighbours with the sum of the two.
    saturated : DominanceTestResult
        The test without a network.
    saturated_posterior : DominancePosterior
        The posterior without a network.
    counts : ndarray of shape (2**m,)
        Cases per statement, real where ties were split or folds were corrected for.
    n_effective : float
        Sum of `counts`: the number of independent cases they are worth.
    n : float
        Number of cases before the correction.
    metrics : tuple of str
        Names of the metrics, in the order of a statement.
    """

    statistic: float
    pvalue: float
    pvalue_chi2: float
    probabilities: FloatArray
    most_probable: tuple[bool, ...] | None
    standard_error: float
    parents: Parents
    score: float
    edge_probabilities: FloatArray
    saturated: DominanceTestResult
    saturated_posterior: DominancePosterior
    n: float
    _kind = statements.Pattern(
        "frequent", shown={"dominance test p": "pvalue", "posterior probability": ("probabilities", statements.largest)}
    )

    def _sentence(self) -> str:
        test, posterior = self.saturated, self.saturated_posterior
        claim = "the same pattern" if self.statement == test.statement else test._kind.claim(test)
        told = [claim, *test._kind.values(test), *posterior._kind.values(posterior)]
        return f"{self._kind.sentence(self)} Without the network: {', '.join(told)}."

    def dependences(self) -> tuple[str, ...]:
        """What the graph says, in sentences.

        Returns
        -------
        tuple of str
            What each metric depends on, and for each pair of metrics that are no neighbours the fewest others given
            which they are independent. A dependence has no direction of cause: it may often be read either way.

        Examples
        --------
        >>> from skcompare.inference import dominance_network
        >>> a = [[1, 1, 1]] * 9 + [[0, 0, 1]] * 4 + [[1, 1, 0]] * 4 + [[0, 0, 0]] * 2
        >>> b = [[0.5, 0.5, 0.5]] * 19
        >>> for sentence in dominance_network(a, b, metrics=["recall", "f1", "time"], rng=0).dependences():
        ...     print(sentence)
        f1 depends on recall
        recall and time are independent
        f1 and time are independent
        """
        arcs = [
            f"{self.metrics[v]} depends on {listed(self.metrics[k] for k in found)}"
            for v, found in enumerate(self.parents)
            if found
        ]
        apart = []
        for i, j in combinations(range(len(self.metrics)), 2):
            given = structures.separating_set(self.parents, i, j)
            if given is not None:
                condition = f" given {listed(self.metrics[k] for k in given)}" if given else ""
                apart.append(f"{listed(self.metrics[k] for k in (i, j))} are independent{condition}")
        return (*arcs, *apart)


def dominance_network(
    a: ArrayLike,
    b: ArrayLike,
    greater_is_better: bool | Sequence[bool] = True,
    rope: float | Sequence[float] = 0.0,
    *,
    n_effective: float | None = None,
    structure: Structure = "search",
    n_draws: int = 100_000,
    rng: Seed = None,
    metrics: Names = None,
) -> DominanceNetworkResult:
    r"""Dominance test and posterior under a Bayesian network of the metrics.

    The ``2**m`` probabilities of the statements :math:`x` are the products

    .. math:: \theta_x = \prod_{i=1}^m p(x_i \mid x_{P_i})

    of a directed acyclic graph in which metric i has the parents :math:`P_i` (Benavoli and de Campos 2016, section 5).
    With :math:`\hat L` the largest likelihood and :math:`L_x` the largest one under which another statement :math:`x`
    is at least as probable as the leading one,

    .. math:: T = 2 \left( \ln \hat L - \max_x \ln L_x \right)

    is referred to :math:`\chi^2_1`. A sparse graph has far fewer parameters, so that few cases say more, but what it
    takes for independent the data may only be too few to show dependent. The graph is chosen by the same data, and
    neither the network's own p-value nor its probabilities account for that: compare them with the answers without a
    network, which stand beside them, and decide on `pvalue`, which never claims what the test without a network does
    not.

    The graph is scored by BDeu with an equivalent sample size of 1 (Heckerman, Geiger and Chickering 1995), with which
    the complete graph gives exactly `dominance_posterior`. The likelihood ratio compares the maximum with that under
    "another statement is at least as probable", exactly. Parts of the graph in which all metrics are neighbours have
    exact posterior probabilities; those of other parts are drawn. With few cases of many metrics, and where metrics all
    but determine each other, the score is known to prefer more arcs than needed (Scutari 2018): they assume less, but
    say little.

    Parameters
    ----------
    a, b : array_like of shape (n_cases, n_metrics) or (n_cases,)
        Scores of the two models on the same cases, one column per metric, at most 8 of them.
    greater_is_better : bool or sequence of bool, default=True
        Direction of each metric.
    rope : float or sequence of float, default=0
        Largest difference, in score units, that counts as a tie, per metric; at least 0.
    n_effective : float, optional
        Number of independent cases that the cases are worth, at most their number: `effective_cases` for the folds of
        one data set. The default takes every case for independent.
    structure : {"search", "average", "complete", "empty"} or sequence of m sequences of int, default="search"
        ``"search"`` takes the graph with the best score of all (Silander and Myllymäki 2006). ``"average"`` weights all
        graphs by their posterior probability, each as probable as the others before the data: all of them up to four
        metrics, 1000 drawn ones above that; its likelihood ratio is that of the best graph. ``"complete"`` assumes
        nothing, ``"empty"`` that all metrics are independent. A graph known in advance is given by the parents of each
        metric, as indices.
    n_draws : int, default=100_000
        Number of draws for the probabilities that are not exact, at least 1.
    rng : int or numpy.random.Generator, optional
        Draws them; the same seed gives the same result.
    metrics : sequence of str, optional
        Names of the m metrics, for the record.

    Returns
    -------
    DominanceNetworkResult
        With a warning where the answers with and without the network differ, or the network expects what no case
        shows.

    Raises
    ------
    ValueError
        If the scores are not finite or not paired, there are more than 8 metrics, `structure` has a cycle or is
        unknown, or another option is out of range.

    References
    ----------
    A. Benavoli and C. P. de Campos (2016), Statistical tests for joint analysis of performance measures,
    AMBN 2015, LNCS 9505, 76-92, :doi:`10.1007/978-3-319-28379-1_6`.

    D. Heckerman, D. Geiger and D. M. Chickering (1995), Learning Bayesian networks: the combination of knowledge and
    statistical data, Machine Learning 20, 197-243, :doi:`10.1007/BF00994016`.

    J. Kuipers and G. Moffa (2015), Uniform random generation of large acyclic digraphs, Statistics and Computing 25,
    227-242, :doi:`10.1007/s11222-013-9428-y`.

    M. Scutari (2018), Dirichlet Bayesian network scores and the maximum relative entropy principle, Behaviormetrika 45,
    337-362, :doi:`10.1007/s41237-018-0048-x`.

    T. Silander and P. Myllymäki (2006), A simple approach for finding the globally optimal Bayesian network structure,
    UAI, 445-452, arXiv:1206.6875.

    Examples
    --------
    The paper's Example 1, two metrics on twelve data sets. They are better taken for independent:

    >>> from skcompare.inference import dominance_network
    >>> a = [[0, 0]] + [[0, 1]] * 2 + [[1, 0]] * 3 + [[1, 1]] * 6
    >>> b = [[0.5, 0.5]] * 12
    >>> result = dominance_network(a, b, metrics=["accuracy", "time"])
    >>> result.probabilities.round(4).tolist()
    [0.0049, 0.0346, 0.1188, 0.8417]
    >>> round(result.pvalue_chi2, 4), round(result.pvalue, 4)
    (0.2437, 0.5078)
    >>> result.dependences()
    ('accuracy and time are independent',)
    """
    counts = statements.dominance_counts(a, b, greater_is_better, rope)
    return _network(counts, n_effective, structure, n_draws, rng, metrics)


def _network(
    counts: ArrayLike, n_effective: float | None, structure: Structure, n_draws: int, rng: Seed, metrics: Names
) -> DominanceNetworkResult:
    """The same on counts per statement."""
    raw, m = statements.check_counts(counts)
    if m > MAX_NETWORK_METRICS:
        raise ValueError(f"a and b must have at most {MAX_NETWORK_METRICS} metrics (columns) for a network; got {m}")
    n_draws, generator = check_draws(n_draws, rng, "n_draws")
    chosen = structures.check_structure(structure, m)
    saturated = dominance_test(raw, n_effective, metrics=metrics)
    saturated_posterior = dominance_posterior(raw, n_effective=n_effective, metrics=metrics)
    scaled = statements.scale_counts(raw, n_effective)
    table = scaled.reshape((2,) * m)
    scores = structures.local_scores(table)
    weights = structures.structure_sum(scores)
    known: dict[str, Parents] = {"complete": tuple(tuple(range(i)) for i in range(m)), "empty": ((),) * m}
    parents = chosen if not isinstance(chosen, str) else known.get(chosen) or structures.best_structure(scores)
    winner, statistic = likelihood_ratio(table, parents)
    statement = None if winner is None else statements.statement_of(winner, m)
    chi2 = float(special.chdtrc(1, statistic))
    if chosen == "average":
        posterior = average_posterior(table, weights, n_draws, generator)
    else:
        posterior = _of_graph(table, parents, n_draws, generator, {})
    best, error = int(posterior.values.argmax()), float(np.sqrt(posterior.variances.max()))
    lead = posterior.values[best] - np.delete(posterior.values, best).max()
    found = widened(
        saturated,
        DominanceNetworkResult,
        statement=statement,
        statistic=statistic,
        pvalue=max(chi2, saturated.pvalue) if statement is not None and statement == saturated.statement else 1.0,
        pvalue_chi2=chi2,
        probabilities=posterior.values,
        most_probable=statements.statement_of(best, m) if lead > max(1e-10, _CLEAR_LEAD * error) else None,
        standard_error=error,
        parents=parents,
        score=structures.structure_score(scores, parents),
        edge_probabilities=structures.edge_probabilities(weights),
        saturated=saturated,
        saturated_posterior=saturated_posterior,
        method=f"dominance network, {_METHODS[chosen] if isinstance(chosen, str) else 'graph given'}"
        + ("" if n_effective is None else f", {scaled.sum():.3g} effective case{'s' * (float(scaled.sum()) != 1)}"),
    )
    return replace(found, warnings=(*saturated.warnings, *_warnings(found)))


# What a dominance network says, in words, and whether it can be trusted.


# A lead of fewer standard errors may be one of the draws.
_CLEAR_LEAD = 4


def _warnings(record: DominanceNetworkResult) -> Iterator[CodedWarning]:
    table, parents, error = record.counts.reshape((2,) * len(record.metrics)), record.parents, record.standard_error
    estimate = np.prod(np.broadcast_arrays(*_conditionals(table, parents)), axis=0)
    for v, found in enumerate(parents) if table.any() else ():
        if np.any((margin(table, found) == 0) & (margin(estimate, found) > 0)):
            expected = f"an outcome of {listed(record.metrics[k] for k in found)} that no case shows"
            taken = f"{record.metrics[v]} was taken to favour either model equally"
            yield Code.UNCLEAR(f"the network expects {expected}; for it {taken}.", about=(record.metrics[v],))
    if record.statement != record.saturated.statement:
        yield Code.UNCLEAR("the statement tested with the network is not the one without it.")
    if record.most_probable is None and error > 0:
        lead = f"less than {_CLEAR_LEAD} standard errors of {error:.2g}"
        yield Code.UNCLEAR(f"one statement leads the others by {lead}; the draws do not tell the most probable one.")
    elif record.most_probable != record.saturated_posterior.statement:
        yield Code.UNCLEAR("the most probable statement with the network is not the one without it.")
