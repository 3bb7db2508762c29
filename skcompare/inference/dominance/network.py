"""Dominance under a Bayesian network: independences among the metrics make few cases go further."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from skcompare._core.validation import FloatArray, check_integer, check_rng
from skcompare._core.warnings import CodedWarning
from skcompare.inference._kinds import OfModels
from skcompare.inference.dominance import _network_words as words
from skcompare.inference.dominance import _structures as graphs
from skcompare.inference.dominance._network_answers import average_posterior, graph_posterior, likelihood_ratio
from skcompare.inference.dominance._structures import Parents, Structure
from skcompare.inference.dominance.likelihood_ratio import DominanceTestResult, dominance_test
from skcompare.inference.dominance.posterior import DominancePosterior, dominance_posterior
from skcompare.inference.dominance.statements import (
    check_counts,
    dominance_counts,
    format_statement,
    scale_counts,
    statement_bits,
    statement_of,
)

# The sums over all graphs take 4**m steps.
MAX_NETWORK_METRICS = 8
_METHODS = {"search": "best graph", "average": "average over graphs", "complete": "complete graph", "empty": "no arcs"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class DominanceNetworkResult(OfModels):
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
        Posterior probability of the arc from i to j at [i, j], over all graphs. An arc and its reverse often fit
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

    statement: tuple[bool, ...] | None
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
    counts: FloatArray
    n_effective: float
    n: float
    metrics: tuple[str, ...]
    method: str
    warnings: tuple[CodedWarning, ...] = ()

    def _sentence(self) -> str:
        test, posterior = self.saturated, self.saturated_posterior
        about = (self.metrics, self.compared)
        network = words.answer_of(self.statement, self.pvalue, self.most_probable, self.probabilities, *about)
        if self.statement == test.statement == self.most_probable == posterior.statement is not None:
            without = words.same_with(test.pvalue, posterior.probabilities)
        else:
            without = words.answer_of(test.statement, test.pvalue, posterior.statement, posterior.probabilities, *about)
        return f"With the network: {network}. Without it: {without}."

    @property
    def statements(self) -> tuple[str, ...]:
        """The ``2**m`` statements in words, in the order of `probabilities`."""
        a, b = self.compared.a, self.compared.b
        return tuple(format_statement(bits, self.metrics, a=a, b=b) for bits in statement_bits(len(self.metrics)))

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
            f"{self.metrics[v]} depends on {words.listed_metrics(found, self.metrics)}"
            for v, found in enumerate(self.parents)
            if found
        ]
        apart = []
        for i, j in combinations(range(len(self.metrics)), 2):
            given = graphs.separating_set(self.parents, i, j)
            if given is not None:
                condition = f" given {words.listed_metrics(given, self.metrics)}" if given else ""
                apart.append(f"{words.listed_metrics((i, j), self.metrics)} are independent{condition}")
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
    rng: int | np.random.Generator | None = None,
    metrics: Sequence[str] | None = None,
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
    counts = dominance_counts(a, b, greater_is_better, rope)
    return _network(counts, n_effective=n_effective, structure=structure, n_draws=n_draws, rng=rng, metrics=metrics)


def _network(
    counts: ArrayLike,
    *,
    n_effective: float | None = None,
    structure: Structure = "search",
    n_draws: int = 100_000,
    rng: int | np.random.Generator | None = None,
    metrics: Sequence[str] | None = None,
) -> DominanceNetworkResult:
    """The same on counts per statement."""
    raw, m = check_counts(counts)
    if m > MAX_NETWORK_METRICS:
        raise ValueError(f"a and b must have at most {MAX_NETWORK_METRICS} metrics (columns) for a network; got {m}")
    n_draws = check_integer(n_draws, "n_draws", low=1)
    generator = check_rng(rng)
    chosen = graphs.check_structure(structure, m)
    saturated = dominance_test(raw, n_effective, metrics=metrics)
    saturated_posterior = dominance_posterior(raw, n_effective=n_effective, metrics=metrics)
    scaled = scale_counts(raw, n_effective)
    table = scaled.reshape((2,) * m)
    scores = graphs.local_scores(table)
    weights = graphs.structure_sum(scores)
    parents = _graph(chosen, scores)
    winner, statistic = likelihood_ratio(table, parents)
    statement = None if winner is None else statement_of(winner, m)
    chi2 = float(special.chdtrc(1, statistic))
    posterior = (
        average_posterior(table, weights, n_draws, generator)
        if chosen == "average"
        else graph_posterior(table, parents, n_draws, generator)
    )
    most_probable = words.most_probable_of(posterior, m)
    return DominanceNetworkResult(
        statement=statement,
        statistic=statistic,
        pvalue=max(chi2, saturated.pvalue) if statement is not None and statement == saturated.statement else 1.0,
        pvalue_chi2=chi2,
        probabilities=posterior.values,
        most_probable=most_probable,
        standard_error=words.standard_error_of(posterior),
        parents=parents,
        score=graphs.structure_score(scores, parents),
        edge_probabilities=graphs.edge_probabilities(weights),
        saturated=saturated,
        saturated_posterior=saturated_posterior,
        counts=scaled,
        n_effective=float(scaled.sum()),
        n=float(raw.sum()),
        metrics=saturated.metrics,
        method=f"dominance network, {_METHODS[chosen] if isinstance(chosen, str) else 'graph given'}"
        + ("" if n_effective is None else f", {scaled.sum():.3g} effective cases"),
        warnings=(
            *saturated.warnings,
            *words.unobserved_warnings(table, parents, saturated.metrics),
            *words.disagreement("statement tested", statement, saturated.statement),
            *words.belief_warnings(posterior, most_probable, saturated_posterior),
        ),
    )


def _graph(chosen: str | Parents, scores: FloatArray) -> Parents:
    if not isinstance(chosen, str):
        return chosen
    if chosen == "complete":
        return graphs.complete_structure(len(scores))
    if chosen == "empty":
        return ((),) * len(scores)
    return graphs.best_structure(scores)
