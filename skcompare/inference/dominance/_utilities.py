"""Utilities that agree with a preference order, and the smallest difference of mean utilities of two samples.

By maximum matching where only the order of the metrics counts, by linear programs where differences count too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, sparse
from scipy.sparse import csgraph

from skcompare._core.validation import FloatArray
from skcompare.inference._base import ROUNDING

IntArray = NDArray[np.intp]
BoolArray = NDArray[np.bool_]
# d of the outcomes of one model over those of the other, case by case
Statistic = Callable[[IntArray, IntArray], float]

# Pairs of outcomes of which one is better; all pairs of these pairs are compared where a metric is cardinal.
MAX_PAIRS = 8000
# Statistics closer than this are equal: linear programs are solved to less.
EQUAL = 1e-7
_PRECISION = 1e-9
# How many broken constraints enter a program at once, and for how many programs those that hold a minimum are kept.
_ENTER = 100
_KEEP = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcomes:
    """The distinct score vectors, larger better, in lexicographic order, so that none is better than a later one.

    The first is the worst and the last the best: on every metric the extreme of all scores, whether a model has them
    all on one case or not. `a` and `b` tell which of them each model has on each case.
    """

    ranks: IntArray
    values: FloatArray
    a: IntArray
    b: IntArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """What a utility has to agree with: ``rows @ u >= 0``, more than 0 where `strict` is 1.

    The first `n_order` rows are the componentwise order; an equality takes two rows.
    """

    rows: sparse.csr_array[np.float64]
    strict: FloatArray
    n_order: int
    n_constraints: int


def outcomes_of(a: FloatArray, b: FloatArray, better: BoolArray) -> Outcomes:
    levels = [_levels(column) for column in (np.vstack((a, b)) * np.where(better, 1.0, -1.0)).T]
    ranks = np.column_stack([rank for rank, _ in levels])
    extremes = np.vstack((ranks.min(axis=0), ranks.max(axis=0)))
    distinct, which = np.unique(np.vstack((ranks, extremes)), axis=0, return_inverse=True)
    which = which.ravel()
    values = np.column_stack([value[distinct[:, j]] for j, (_, value) in enumerate(levels)])
    return Outcomes(ranks=distinct, values=values, a=which[: len(a)], b=which[len(a) : 2 * len(a)])


def _levels(scores: FloatArray) -> tuple[IntArray, FloatArray]:
    """Rank of each score from 0, and the scaled score of each rank; those that differ by rounding only are one."""
    order = np.argsort(scores)
    ascending = scores[order]
    size = np.maximum(np.abs(ascending[1:]), np.abs(ascending[:-1]))
    with np.errstate(over="ignore"):
        new = np.concatenate(([True], np.diff(ascending) > ROUNDING * size))
    ranks = np.empty(scores.size, dtype=np.intp)
    ranks[order] = np.cumsum(new) - 1
    # over a power of two, exactly, so that no difference overflows
    return ranks, np.ldexp(ascending[new], -np.frexp(np.abs(scores).max())[1])


def moving(outcomes: Outcomes) -> tuple[IntArray, IntArray]:
    """What the models have on the cases where they differ, in an order that both orders of the models share."""
    moving = outcomes.a != outcomes.b
    a, b = outcomes.a[moving], outcomes.b[moving]
    order = np.lexsort((np.minimum(a, b), np.maximum(a, b)))
    return a[order], b[order]


def _at_least(ranks: IntArray) -> BoolArray:
    """Whether outcome i is at least as good as outcome j on every metric."""
    order = np.ones((len(ranks), len(ranks)), dtype=np.bool_)
    for column in ranks.T:
        order &= column[:, None] >= column
    return order


def preferences_of(outcomes: Outcomes, cardinal: BoolArray) -> Preferences:
    better = _at_least(outcomes.ranks)
    np.fill_diagonal(better, False)
    order = _gains(*_covers(better), len(better))
    n_order = order.shape[0]
    if not cardinal.any() or n_order == 0:
        return Preferences(rows=order, strict=np.ones(n_order), n_order=n_order, n_constraints=n_order)
    upper, lower = np.nonzero(better)
    if upper.size > MAX_PAIRS:
        raise ValueError(
            f"cardinal metrics need at most {MAX_PAIRS} pairs of score vectors of which one is better; got "
            f"{upper.size}: pass cardinal=False, or fewer cases"
        )
    gains = _gains(upper, lower, len(better))
    (more, less), (one, same) = _exchanges(outcomes, upper, lower, cardinal)
    larger, equal = gains[more] - gains[less], gains[one] - gains[same]
    return Preferences(
        rows=sparse.csr_array(sparse.vstack((order, larger, equal, -equal))),
        strict=np.repeat([1.0, 0.0], [n_order + more.size, 2 * one.size]),
        n_order=n_order,
        n_constraints=n_order + more.size + one.size,
    )


def _gains(upper: IntArray, lower: IntArray, n_outcomes: int) -> sparse.csr_array[np.float64]:
    """One row per pair of outcomes: what its exchange gains in utility."""
    row = np.tile(np.arange(upper.size), 2)
    entries = np.repeat([1.0, -1.0], upper.size)
    shape = (upper.size, n_outcomes)
    return sparse.csr_array(sparse.coo_array((entries, (row, np.concatenate((upper, lower)))), shape=shape))


def _exchanges(
    outcomes: Outcomes, upper: IntArray, lower: IntArray, cardinal: BoolArray
) -> tuple[tuple[IntArray, IntArray], tuple[IntArray, IntArray]]:
    """Pairs of exchanges of which the first gains more, without those that follow from others; and of equal ones."""
    at_least = np.ones((upper.size, upper.size), dtype=np.bool_)
    for j, counts in enumerate(cardinal):
        if counts:
            x, y = outcomes.values[upper, j], outcomes.values[lower, j]
            rounding = ROUNDING * np.maximum(np.abs(x), np.abs(y))
            at_least &= (x - y + rounding)[:, None] >= x - y - rounding
        else:
            top, bottom = outcomes.ranks[upper, j], outcomes.ranks[lower, j]
            at_least &= (top[:, None] >= top) & (bottom[:, None] <= bottom)
    equal = at_least & at_least.T
    first = equal.argmax(axis=1)
    same = np.flatnonzero(first < np.arange(first.size))
    distinct = np.flatnonzero(first == np.arange(first.size))
    more = (at_least & ~equal)[np.ix_(distinct, distinct)]
    # those that gain more than fewer others come first
    order = np.argsort(more.sum(axis=1), kind="stable")
    above, below = _covers(more[np.ix_(order, order)])
    return (distinct[order[above]], distinct[order[below]]), (first[same], same)


def _covers(above: BoolArray) -> tuple[IntArray, IntArray]:
    """Neighbours in a strict partial order in which i above j implies ``i > j``: the rest follows from them."""
    not_above = ~above
    upper, lower = [], []
    for i, row in enumerate(above):
        rest = row.copy()
        while (left := np.flatnonzero(rest)).size:
            highest = left[-1]
            upper.append(i)
            lower.append(highest)
            rest &= not_above[highest]
            rest[highest] = False
    return np.array(upper, dtype=np.intp), np.array(lower, dtype=np.intp)


def by_matching(outcomes: Outcomes, n: int) -> Statistic:
    """d where the order alone counts: the minimum over sets of outcomes that hold every better one with each.

    Each such set holds the best outcome and not the worst. Of the other cases of the second model, those that cannot
    be matched are the most by which such a set can hold more of them than of the first model's (Strassen 1965).
    """
    order = _at_least(outcomes.ranks)
    worst, best = 0, len(order) - 1

    def statistic(first: IntArray, second: IntArray) -> float:
        at_extremes = int((first == best).sum() + (second == worst).sum())
        ours = first[(first != worst) & (first != best)]
        theirs = second[(second != worst) & (second != best)]
        return (at_extremes + _matched(order[np.ix_(ours, theirs)]) - first.size) / n

    return statistic


def _matched(at_least: BoolArray) -> int:
    """Largest number of columns that can be matched, each with its own row, where the entry is True."""
    if not at_least.any():
        return 0
    partner = csgraph.maximum_bipartite_matching(sparse.csr_array(at_least), perm_type="row")
    return int((partner >= 0).sum())


def by_program(preferences: Preferences, regularization: float, n: int) -> Statistic:
    """d as a linear program."""
    n_outcomes = preferences.rows.shape[1]
    slack = 0.0
    if regularization and preferences.n_order:
        # a little less than possible, so that rounding leaves a utility
        slack = regularization * _largest_slack(preferences) * (1 - 1e-6)
    utilities = _Utilities(preferences.rows, slack * preferences.strict, preferences.n_order, _range(n_outcomes))

    def statistic(first: IntArray, second: IntArray) -> float:
        cost = np.bincount(first, minlength=n_outcomes) - np.bincount(second, minlength=n_outcomes)
        value = utilities.minimum(cost.astype(np.float64)) / n if cost.any() else 0.0
        return 0.0 if abs(value) <= EQUAL else value

    return statistic


def _range(n_outcomes: int) -> FloatArray:
    """Bounds of the utilities: 0 of the worst outcome, 1 of the best, and between them of the others."""
    bounds = np.tile([0.0, 1.0], (n_outcomes, 1))
    bounds[0, 1] = 0.0
    bounds[-1, 0] = 1.0
    return bounds


def _largest_slack(preferences: Preferences) -> float:
    """Largest difference in utility that all strict preferences can have at once."""
    n_outcomes = preferences.rows.shape[1]
    rows = sparse.csr_array(sparse.hstack((preferences.rows, sparse.csr_array(-preferences.strict[:, None]))))
    bounds = np.vstack((_range(n_outcomes), [0.0, 1.0]))
    cost = np.zeros(n_outcomes + 1)
    cost[-1] = -1.0
    return -_Utilities(rows, np.zeros(len(preferences.strict)), preferences.n_order, bounds).minimum(cost)


class _Utilities:
    """Minima of linear functions over the utilities within `bounds` for which ``rows @ u >= least``.

    Of many thousand constraints a few hold a minimum. Each program starts with the first `n_order` of them and those
    that held one of the last minima, and those that its solution breaks enter it until there are none.
    """

    def __init__(self, rows: sparse.csr_array[np.float64], least: FloatArray, n_order: int, bounds: FloatArray) -> None:
        self._rows, self._least, self._bounds = rows, least, bounds
        self._kept = np.zeros(rows.shape[0], dtype=np.intp)
        self._always = np.arange(rows.shape[0]) < n_order

    def minimum(self, cost: FloatArray) -> float:
        used = self._always | (self._kept > 0)
        while True:
            entered = np.flatnonzero(used)
            solution = self._solved(cost, entered)
            excess = self._rows @ solution.x - self._least
            broken = np.flatnonzero((excess < -_PRECISION) & ~used)
            if not broken.size:
                break
            used[broken[np.argsort(excess[broken])[:_ENTER]]] = True
        self._kept = np.maximum(self._kept - 1, 0)
        self._kept[entered[solution.ineqlin.marginals < 0]] = _KEEP
        return float(solution.fun)

    def _solved(self, cost: FloatArray, entered: IntArray) -> Any:
        rows: Any = -self._rows[entered]
        bounds: Any = self._bounds
        solution = optimize.linprog(
            cost,
            A_ub=rows,
            b_ub=-self._least[entered],
            bounds=bounds,
            method="highs",
            options={"primal_feasibility_tolerance": _PRECISION, "dual_feasibility_tolerance": _PRECISION},
        )
        if solution.status != 0:
            raise RuntimeError(f"the linear program of stochastic dominance was not solved: {solution.message}")
        return solution
