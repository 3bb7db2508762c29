"""Posterior probability of each statement to be the most probable one under a Bayesian network."""

from __future__ import annotations

import math
from collections import Counter
from typing import NamedTuple

import numpy as np

from skcompare._core.validation import FloatArray
from skcompare.inference._dirichlet import probability_largest
from skcompare.inference.dominance import _structures as graphs
from skcompare.inference.dominance._structures import Parents, StructureSum, margin

# Up to so many metrics the average runs over all graphs, above that over graphs drawn from their posterior.
_ALL_GRAPHS = 4
_N_GRAPHS = 1000
# Graphs of a smaller probability are left out.
_NEGLIGIBLE = 1e-15
# Numbers held at once
_CHUNK = 2**17


class Estimate(NamedTuple):
    """Probabilities of all statements, and the variances of what was drawn of them, 0 where they are exact."""

    values: FloatArray
    variances: FloatArray


def graph_posterior(table: FloatArray, parents: Parents, n_draws: int, rng: np.random.Generator) -> Estimate:
    """Under one graph."""
    return _of_graph(table, parents, n_draws, rng, {})


def average_posterior(table: FloatArray, weights: StructureSum, n_draws: int, rng: np.random.Generator) -> Estimate:
    """Under all graphs, each weighted with its posterior probability; they share the draws."""
    sampled = len(weights.scores) > _ALL_GRAPHS
    graphs = _drawn_graphs(weights, rng) if sampled else _all_graphs(weights)
    known: dict[tuple[int, ...], FloatArray] = {}
    found = [_of_graph(table, graph, math.ceil(n_draws * share), rng, known) for graph, share in graphs.items()]
    shares = np.array(list(graphs.values()))
    values = np.array([estimate.values for estimate in found])
    mean = shares @ values
    variances = shares**2 @ np.array([estimate.variances for estimate in found])
    if sampled:
        variances += shares @ (values - mean) ** 2 / (_N_GRAPHS - 1)
    return Estimate(mean, variances)


def _drawn_graphs(weights: StructureSum, rng: np.random.Generator) -> dict[Parents, float]:
    drawn = Counter(graphs.draw_structure(weights, rng) for _ in range(_N_GRAPHS))
    return {graph: count / _N_GRAPHS for graph, count in drawn.items()}


def _all_graphs(weights: StructureSum) -> dict[Parents, float]:
    m = len(weights.scores)
    scores = {graph: graphs.structure_score(weights.scores, graph) for graph in graphs.all_structures(m)}
    shares = {graph: math.exp(score - weights.total) for graph, score in scores.items()}
    total = sum(shares.values())
    return {graph: share / total for graph, share in shares.items() if share > _NEGLIGIBLE}


def _of_graph(
    table: FloatArray,
    parents: Parents,
    n_draws: int,
    rng: np.random.Generator,
    known: dict[tuple[int, ...], FloatArray],
) -> Estimate:
    """The product over the components of the graph, which are independent.

    A component in which all are neighbours has a Dirichlet posterior, so its probabilities are exact; they are kept
    in `known`.
    """
    values, variances = np.ones((1,) * table.ndim), np.zeros((1,) * table.ndim)
    for members in graphs.components(parents):
        counts = margin(table, members)
        if _is_complete(parents, members):
            if members not in known:
                known[members] = probability_largest(counts.ravel() + 1 / counts.size).reshape(counts.shape)
            values, variances = values * known[members], variances * known[members] ** 2
        else:
            part = _drawn(counts, {v: parents[v] for v in members}, n_draws, rng)
            variances = variances * part.values**2 + values**2 * part.variances + variances * part.variances
            values = values * part.values
    return Estimate(values.ravel(), variances.ravel())


def _is_complete(parents: Parents, members: tuple[int, ...]) -> bool:
    return sum(len(parents[v]) for v in members) == len(members) * (len(members) - 1) // 2


def _drawn(counts: FloatArray, parents: dict[int, tuple[int, ...]], n_draws: int, rng: np.random.Generator) -> Estimate:
    """Shares of the draws in which each statement is the most probable one.

    Swapping the two models mirrors them: only one of two mirror images is drawn, and what is its own is made so.
    """
    image = np.flip(counts)
    if tuple(counts.ravel()) < tuple(image.ravel()):
        mirrored = _drawn(image, parents, n_draws, rng)
        return Estimate(np.flip(mirrored.values), np.flip(mirrored.variances))
    wins = np.zeros(counts.size)
    batch = max(1, _CHUNK // counts.size)
    for start in range(0, n_draws, batch):
        n = min(batch, n_draws - start)
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
