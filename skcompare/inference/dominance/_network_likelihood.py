"""The likelihood ratio for the most probable statement under a Bayesian network."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skcompare._core.validation import FloatArray
from skcompare.inference.dominance._structures import Parents, margin
from skcompare.inference.dominance.statements import statement_bits

# Probabilities that differ by less than this fraction differ by rounding only.
_EQUAL = 1e-9
_HALVINGS = 100


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
