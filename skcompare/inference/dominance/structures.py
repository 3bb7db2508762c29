"""Directed acyclic graphs over a few metrics: their scores, the best of them, independences.

A set of metrics is a number whose bit i is metric i; tables of counts have one axis of length 2 per metric.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import chain, combinations
from numbers import Integral
from typing import Any, Literal

import numpy as np
from scipy import special

from skcompare._core.validation import FloatArray, check_choice

# The parents of each metric
Parents = tuple[tuple[int, ...], ...]
Structure = Literal["search", "complete", "empty"] | Sequence[Sequence[int]]

NAMED_STRUCTURES = ("search", "complete", "empty")
# Scores that differ by less than this fraction differ by rounding only.
_EQUAL = 1e-9
# Log score of what cannot be
_NEVER = -1e300


def check_structure(structure: Any, m: int) -> Parents | None:
    """The parents of each of m metrics, None where they are to be searched for, or ValueError."""
    if isinstance(structure, str):
        check_choice(structure, "structure", NAMED_STRUCTURES)
        return {"complete": tuple(tuple(range(i)) for i in range(m)), "empty": ((),) * m}.get(structure)
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


def components(parents: Parents) -> tuple[tuple[int, ...], ...]:
    """The connected parts of a graph."""
    links = [{v, *found} for v, found in enumerate(parents)]
    parts = {tuple(sorted(_reached({v}, links))) for v in range(len(parents))}
    return tuple(sorted(parts))


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
