"""Which candidates are better than which others on all metrics at once, over all pairs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skcompare._core.validation import FloatArray
from skcompare.inference import dominance_test
from skcompare.inference._base import ROUNDING

# Shares of statements that are held at once.
_BLOCK = 2**21


def pareto_optimal(means: FloatArray) -> NDArray[np.bool_]:
    """Which rows of means, greater is better, no other row is at least as good as everywhere and better somewhere."""
    noise = ROUNDING * np.abs(means).max(axis=0)
    optimal = [not ((means >= row - noise).all(axis=1) & (means > row + noise).any(axis=1)).any() for row in means]
    return np.array(optimal)


def smallest_joint_pvalue(n_effective: float) -> float:
    """The p-value where all of that many cases speak for one statement."""
    return dominance_test([0.0, n_effective], n_effective).pvalue


def joint_wins(
    scores: FloatArray, members: NDArray[np.intp], *, n_effective: float, alpha: float
) -> tuple[NDArray[np.intp], FloatArray]:
    """What `dominance_counts` and `dominance_test` say of every member against every other candidate.

    Parameters
    ----------
    scores : ndarray of shape (n_candidates, n_splits, n_metrics)
        Greater is better.
    members : ndarray of shape (n_members,)
        Positions of the candidates that are compared with all.
    n_effective : float
        Independent cases that the splits are worth.
    alpha : float
        Level of each test.

    Returns
    -------
    beaten : ndarray of shape (n_members,)
        Others than which the member is better on all metrics, at the level.
    share : ndarray of shape (n_members,)
        Share of splits, over all others, on which it is better on all metrics, less those on which it is worse on all.
    """
    n_others = max(len(scores) - 1, 1)
    beaten, shares = [], []
    for member in members:
        credit = _credit(scores[member], scores)
        better, worse = credit.min(axis=2) == 1, credit.max(axis=2) == 0
        shares.append((better.mean(axis=1) - worse.mean(axis=1)).sum() / n_others)
        on_all = credit.prod(axis=2).mean(axis=1) * n_effective
        possible = np.flatnonzero(_pvalue(on_all, np.zeros_like(on_all)) < alpha)
        runner_up = _runner_up(credit[possible]) * n_effective
        won = on_all[possible]
        beaten.append(int((_pvalue(won, runner_up) < alpha)[won > runner_up].sum()))
    return np.array(beaten), np.array(shares)


def _credit(one: FloatArray, scores: FloatArray) -> FloatArray:
    """1 where `one` is better, 0 where it is worse and 1/2 in a tie, by candidate, split and metric."""
    difference = one - scores
    noise = ROUNDING * np.maximum(np.abs(one), np.abs(scores))
    return np.where(difference > noise, 1.0, np.where(difference < -noise, 0.0, 0.5))


def _runner_up(credit: FloatArray) -> FloatArray:
    """Share of the splits that the most frequent statement other than "better on all" has, by candidate."""
    n, n_splits, n_metrics = credit.shape
    size = max(1, _BLOCK // (n_splits * 2**n_metrics))
    largest = np.zeros(n)
    for start in range(0, n, size):
        block = credit[start : start + size]
        shares = np.ones((*block.shape[:2], 1))
        for m in range(n_metrics):
            column = block[:, :, m, None]
            shares = np.concatenate((shares * (1 - column), shares * column), axis=2)
        largest[start : start + size] = shares.mean(axis=1)[:, :-1].max(axis=1)
    return largest


def _pvalue(winner: FloatArray, runner_up: FloatArray) -> FloatArray:
    """The mid-p value of `dominance_test` for effective cases of the winner and of the runner-up, which has fewer."""
    at_least = np.where(winner > 0, special.betainc(np.maximum(winner, 1e-300), runner_up + 1, 0.5), 1.0)
    more = np.where(runner_up > 0, special.betainc(winner + 1, np.maximum(runner_up, 1e-300), 0.5), 0.0)
    return np.asarray(at_least + more)
