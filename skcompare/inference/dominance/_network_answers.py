"""What a Bayesian network answers: likelihood ratio and posterior probability of the most probable statement."""

from __future__ import annotations

import math
from collections import Counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skcompare._core.validation import FloatArray
from skcompare.inference._dirichlet import probability_largest
from skcompare.inference.dominance import _structures as graphs
from skcompare.inference.dominance._structures import Parents, StructureSum, margin
from skcompare.inference.dominance.statements import statement_bits

# Probabilities that differ by less than this fraction differ by rounding only.
_EQUAL = 1e-9
_HALVINGS = 100
# Up to so many metrics the average runs over all graphs, above that over graphs drawn from their posterior.
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


def unobserved_metrics(table: FloatArray, parents: Parents) -> tuple[int, ...]:
    """Metrics with a state of their parents that the network expects but no case shows."""
    conditionals = _conditionals(table, parents)
    estimate = np.prod(np.broadcast_arrays(*conditionals), axis=0)
    return tuple(
        v for v, found in enumerate(parents) if np.any((margin(table, found) == 0) & (margin(estimate, found) > 0))
    )


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
    bits = statement_bits(m)
    alone = np.array([(bits[:, parents[v]] != bits[winner, parents[v]]).any(axis=1) for v in range(m)])
    differs = alone | (bits != bits[winner]).T
    cells = _of_both([margin(table, (v, *parents[v])) for v in range(m)], table.shape, winner)
    states = _of_both([margin(table, parents[v]) for v in range(m)], table.shape, winner)

    low = np.zeros(len(bits))
    high = np.where(differs, cells[0], np.inf).min(axis=0, initial=cells.max())
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        moved = _moved(middle, differs)
        shares = _shares(cells + moved, states + moved * alone)
        with np.errstate(divide="ignore"):
            gap = np.where(differs, np.log(shares[0]) - np.log(shares[1]), 0).sum(axis=0)
        low, high = np.where(gap > 0, middle, low), np.where(gap > 0, high, middle)
    moved = _moved(low, differs)
    return np.asarray((_change(cells, moved) - _change(states, moved * alone)).sum(axis=(0, 1)))


def _of_both(margins: list[FloatArray], shape: tuple[int, ...], winner: int) -> FloatArray:
    """What the winner and every other statement use of the margins, shape (2, m, 2**m)."""
    used = np.array([np.broadcast_to(margin, shape).ravel() for margin in margins])
    return np.stack([np.broadcast_to(used[:, [winner]], used.shape), used])


def _moved(multiplier: FloatArray, differs: NDArray[np.bool_]) -> FloatArray:
    """What leaves the cells of the winner and enters those of the other statements."""
    return np.stack([-multiplier * differs, multiplier * differs])


def _shares(cells: FloatArray, states: FloatArray) -> FloatArray:
    """Cells over states; 1, the best they can be, where the state is empty."""
    return np.where(states > 0, cells / np.where(states > 0, states, 1), 1)


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


def graph_posterior(table: FloatArray, parents: Parents, n_draws: int, rng: np.random.Generator) -> Estimate:
    """Under one graph."""
    return _of_graph(table, parents, n_draws, rng, {})


def average_posterior(table: FloatArray, weights: StructureSum, n_draws: int, rng: np.random.Generator) -> Estimate:
    """Under all graphs, each weighted with its posterior probability; they share the draws."""
    sampled = len(weights.scores) > _ALL_GRAPHS
    shares_of = _drawn_graphs(weights, rng) if sampled else _all_graphs(weights)
    known: dict[tuple[int, ...], FloatArray] = {}
    found = [_of_graph(table, graph, math.ceil(n_draws * share), rng, known) for graph, share in shares_of.items()]
    shares = np.array(list(shares_of.values()))
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
