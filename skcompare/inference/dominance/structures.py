"""Directed acyclic graphs over a few metrics: their scores, the best of them, sums over all of them, independences.

A set of metrics is a number whose bit i is metric i; tables of counts have one axis of length 2 per metric.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import chain, combinations, product
from numbers import Integral
from typing import Any, Literal

import numpy as np
from scipy import special

from skcompare._core.record import Frozen
from skcompare._core.validation import FloatArray, IntArray, check_choice

# The parents of each metric
Parents = tuple[tuple[int, ...], ...]
Structure = Literal["search", "average", "complete", "empty"] | Sequence[Sequence[int]]

NAMED_STRUCTURES = ("search", "average", "complete", "empty")
# Scores that differ by less than this fraction differ by rounding only.
_EQUAL = 1e-9
# Log weight of what cannot be: finite, so that it may be multiplied by 0
_NEVER = -1e300


def check_structure(structure: Any, m: int) -> str | Parents:
    """The name of a way to find the graph, or the parents of each of m metrics, or ValueError."""
    if isinstance(structure, str):
        check_choice(structure, "structure", NAMED_STRUCTURES)
        return structure
    try:
        rows = [tuple(row) for row in structure]
    except TypeError:
        rows = []
    indices = [parent for row in rows for parent in row]
    known = all(isinstance(i, Integral) and not isinstance(i, bool) and 0 <= int(i) < m for i in indices)
    if len(rows) != m or not known:
        raise ValueError(
            f"structure must be one of {', '.join(map(repr, NAMED_STRUCTURES))} or {m} sequences, the parents of each "
            f"metric as indices from 0 to {m - 1}; got {structure!r:.80}"
        )
    parents = tuple(tuple(sorted({int(i) for i in row})) for row in rows)
    if not _is_acyclic(parents):
        raise ValueError(f"structure must not have a cycle, no metric may be its own ancestor; got {structure!r:.80}")
    return parents


def all_structures(m: int) -> Iterator[Parents]:
    """Every directed acyclic graph: 1, 3, 25 and 543 for 1 to 4 metrics."""
    sets = [list(_subsets([u for u in range(m) if u != v])) for v in range(m)]
    return (parents for parents in product(*sets) if _is_acyclic(parents))


def _is_acyclic(parents: Parents) -> bool:
    try:
        TopologicalSorter(dict(enumerate(parents))).prepare()
    except CycleError:
        return False
    return True


def _subsets(members: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All subsets, smaller ones first."""
    return chain.from_iterable(combinations(members, size) for size in range(len(members) + 1))


def margin(table: FloatArray, kept: tuple[int, ...]) -> FloatArray:
    """The table summed over all other metrics, whose axes have length 1."""
    return np.asarray(table.sum(axis=tuple(i for i in range(table.ndim) if i not in kept), keepdims=True))


def local_scores(table: FloatArray) -> FloatArray:
    """BDeu log score of every metric with every set of parents, equivalent sample size 1, shape (m, 2**m).

    With a parent set P of v it is G(P and v) - G(P), where G is the log marginal likelihood of the counts of a set of
    metrics under a uniform Dirichlet prior of total 1 (Heckerman, Geiger and Chickering 1995). So graphs that imply
    the same independences have the same score.
    """
    m, sets = table.ndim, np.arange(2**table.ndim)
    joint = np.zeros(sets.size)
    for members in sets:
        counts = margin(table, _members(int(members)))
        joint[members] = (special.gammaln(counts + 1 / counts.size) - special.gammaln(1 / counts.size)).sum()
    own = 1 << np.arange(m)[:, None]
    return np.where(sets & own, _NEVER, joint[sets | own] - joint)


def structure_score(scores: FloatArray, parents: Parents) -> float:
    """Log score of a graph."""
    return float(sum(scores[v, sum(1 << u for u in found)] for v, found in enumerate(parents)))


def best_structure(scores: FloatArray) -> Parents:
    """The graph with the largest score (Silander and Myllymäki 2006).

    The best graph over a set of metrics has a sink, whose parents are the best set among the others. Among
    equal ones fewer parents, and arcs from earlier to later metrics, are preferred.
    """
    m = len(scores)
    choice = [_best_parents(row) for row in scores]
    total, sink = np.zeros(2**m), np.zeros(2**m, dtype=np.int64)
    for members in range(1, 2**m):
        best = -np.inf
        for v in reversed(_members(members)):
            rest = members ^ 1 << v
            score = total[rest] + scores[v, choice[v][rest]]
            if score > best + _margin(best):
                best, sink[members] = score, v
        total[members] = best
    parents: list[tuple[int, ...]] = [()] * m
    members = 2**m - 1
    while members:
        v = int(sink[members])
        members ^= 1 << v
        parents[v] = _members(choice[v][members])
    return tuple(parents)


def _best_parents(row: FloatArray) -> list[int]:
    """For every set of metrics its subset with the largest score."""
    choice = [0] * row.size
    for members in range(1, row.size):
        best = 0
        for candidate in (*(choice[members ^ 1 << u] for u in _members(members)), members):
            if row[candidate] > row[best] + _margin(row[best]):
                best = candidate
        choice[members] = best
    return choice


def _margin(best: float) -> float:
    """By how much a score has to exceed another one, for more than rounding."""
    return _EQUAL * max(1.0, abs(best)) if np.isfinite(best) else 0.0


def _members(members: int) -> tuple[int, ...]:
    return tuple(i for i in range(members.bit_length()) if members >> i & 1)


class StructureSum(Frozen, eq=False):
    """Sums of the weights of all directed acyclic graphs, as logs.

    A graph is taken apart into layers: the metrics without parents, those without parents when the first layer is
    removed, and so on. U are the metrics in the layers so far, R those in the last of them.

    Attributes
    ----------
    scores : ndarray of shape (m, 2**m)
        Log weight of every metric with every set of parents.
    join : ndarray of shape (2**m, 2**m, m)
        At U, R, v: over the parent sets of v within U, not outside of it, that meet R.
    rest : ndarray of shape (2**m, 2**m)
        At U, R: over all ways to place the other metrics. At the empty sets: over all graphs.
    """

    scores: FloatArray
    join: FloatArray
    rest: FloatArray

    @property
    def total(self) -> float:
        """Log of the sum over all graphs."""
        return float(self.rest[0, 0])


def structure_sum(scores: FloatArray) -> StructureSum:
    """Sum over all graphs, each counted once, by its layers (Kuipers and Moffa 2015, with weights)."""
    m = len(scores)
    join = _join(scores)
    rest = np.zeros((2**m, 2**m))
    for placed in range(2**m - 2, -1, -1):
        layers, member = _layers(placed, m)
        last = _last_layers(placed, m)
        options = join[placed, last] @ member.T + rest[placed | layers, layers]
        rest[placed, last] = np.logaddexp.reduce(options, axis=1)
    return StructureSum(scores=scores, join=join, rest=rest)


def _layers(placed: int, m: int) -> tuple[IntArray, FloatArray]:
    """The sets that may be the next layer, as numbers and as rows of 0 and 1."""
    sets = np.arange(1, 2**m)
    layers = sets[sets & placed == 0]
    return layers, (layers[:, None] >> np.arange(m) & 1).astype(np.float64)


def _last_layers(placed: int, m: int) -> IntArray:
    """The sets that may be the last layer so far."""
    sets = np.arange(2**m)
    return np.asarray(sets[(sets & ~placed == 0) & ((sets > 0) | (placed == 0))])


def _join(scores: FloatArray) -> FloatArray:
    """Parent sets are sorted by the first member of R that they hold, so that nothing is subtracted."""
    m = len(scores)
    sets = np.arange(2**m)
    placed, last = np.nonzero(sets & ~sets[:, None] == 0)
    sums = np.full((placed.size, m), _NEVER)
    for r in range(m):
        within = np.where(sets >> r & 1, scores, _NEVER)
        for i in range(m):
            halves = within.reshape(m, -1, 2, 2**i)
            halves[:, :, 1] = np.logaddexp(halves[:, :, 0], halves[:, :, 1])
        meets = np.flatnonzero(last >> r & 1)
        left = placed[meets] & ~(last[meets] & (1 << r) - 1)
        sums[meets] = np.logaddexp(sums[meets], within[:, left].T)
    join = np.full((2**m, 2**m, m), _NEVER)
    join[placed, last] = sums
    join[0, 0] = scores[:, 0]
    return join


def edge_probabilities(weights: StructureSum) -> FloatArray:
    """Share of the graphs, by weight, with the arc from i to j, at [i, j]."""
    m = len(weights.scores)
    # the share of the graphs, by weight, in which v is in the layer that follows U and R, at U, R, v
    joining = np.zeros_like(weights.join)
    before = np.full_like(weights.rest, _NEVER)
    before[0, 0] = 0
    for placed in range(2**m - 1):
        layers, member = _layers(placed, m)
        last = _last_layers(placed, m)
        ways = before[placed, last, None] + weights.join[placed, last] @ member.T
        before[placed | layers, layers] = np.logaddexp.reduce(ways, axis=0)
        joining[placed, last] = np.exp(ways + weights.rest[placed | layers, layers] - weights.total) @ member
    edges = np.zeros((m, m))
    for i in range(m):
        with_arc = _join(np.where(np.arange(2**m) >> i & 1, weights.scores, _NEVER))
        edges[i] = (joining * np.exp(with_arc - weights.join)).sum(axis=(0, 1))
    return edges


def draw_structure(weights: StructureSum, rng: np.random.Generator) -> Parents:
    """A graph drawn in proportion to its weight, layer by layer (Kuipers and Moffa 2015, with weights)."""
    m = len(weights.scores)
    sets = np.arange(2**m)
    parents: list[tuple[int, ...]] = [()] * m
    placed = last = 0
    while placed < 2**m - 1:
        layers, member = _layers(placed, m)
        layer = int(layers[_draw(member @ weights.join[placed, last] + weights.rest[placed | layers, layers], rng)])
        candidates = sets[(sets & ~placed == 0) & ((sets & last > 0) | (placed == 0))]
        for v in _members(layer):
            parents[v] = _members(int(candidates[_draw(weights.scores[v, candidates], rng)]))
        placed, last = placed | layer, layer
    return tuple(parents)


def _draw(log_weights: FloatArray, rng: np.random.Generator) -> int:
    shares = np.exp(log_weights - log_weights.max()).cumsum()
    found = int(np.searchsorted(shares, rng.random() * shares[-1], side="right"))
    return min(found, len(shares) - 1)


def components(parents: Parents) -> tuple[tuple[int, ...], ...]:
    """The connected parts of a graph."""
    links = [{v, *found} for v, found in enumerate(parents)]
    return tuple(sorted({tuple(sorted(_reached({v}, links))) for v in range(len(parents))}))


def _reached(start: set[int], links: list[set[int]]) -> set[int]:
    """All that hang together with `start`."""
    reached = set(start)
    while more := {v for link in links if link & reached for v in link} - reached:
        reached |= more
    return reached


def separating_set(parents: Parents, a: int, b: int) -> tuple[int, ...] | None:
    """The smallest set of metrics given which the graph makes two independent; None where they are neighbours."""
    if a in parents[b] or b in parents[a]:
        return None
    for given in _subsets([v for v in range(len(parents)) if v not in (a, b)]):
        # no path in the moral graph of the ancestors (Lauritzen et al. 1990)
        relevant = {a, b, *given}
        while not relevant.issuperset(above := {u for v in relevant for u in parents[v]}):
            relevant |= above
        if b not in _reached({a}, [{v, *parents[v]} - set(given) for v in relevant]):
            return given
    return None
