"""What the values of one parameter add to the score, where candidates may differ in other parameters too."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.stats.contingency import crosstab

from skcompare._core.validation import FloatArray
from skcompare.inference._base import ROUNDING

Codes = NDArray[np.intp]

N_DEALS = 999
# Dealing is random, its seed is fixed: the same search gives the same p-value.
SEED = 0
# Directions of a design that are shorter than this part of the longest are none.
FLAT = 1e-9


def is_balanced(codes: Codes, others: Sequence[Codes]) -> bool:
    """Whether the values were tried in one proportion with every setting of the other parameters."""
    if not others:
        return True
    settings = np.unique(np.stack(others, axis=1), axis=0, return_inverse=True)[1].ravel()
    if len(codes) < (settings.max() + 1) * (codes.max() + 1):  # not every value with every setting
        return False
    counts = crosstab(settings, codes).count
    return bool((counts * len(codes) == np.outer(counts.sum(axis=1), counts.sum(axis=0))).all())


def group_means(scores: FloatArray, codes: Codes) -> FloatArray:
    """Mean scores of the candidates with each value, shape (n_values, n_splits)."""
    member = indicators(codes)
    return np.asarray(member.T @ scores / member.sum(axis=0)[:, None])


def indicators(codes: Codes) -> FloatArray:
    """A column per value, 1 for the candidates that have it; without any value (-1) a row of zeros."""
    return np.asarray(codes[:, None] == np.arange(codes.max() + 1), dtype=np.float64)


def nuisance(scores: FloatArray, others: Sequence[Codes]) -> FloatArray:
    """Orthonormal columns of the general mean and the values of other parameters, those that matter most first.

    Of a parameter that some candidates lack only the differences among the others count. Parameters that would take
    more than half of the candidates' degrees of freedom are left out, or nothing would be left to judge by.
    """
    n = len(scores)
    columns, n_columns = [np.ones((n, 1))], 1
    blocks = [_contrasts(codes) for codes in others]
    for block in sorted(blocks, key=lambda block: -_explained(scores, block)):
        if n_columns + block.shape[1] - 1 <= max(2, n // 2):
            columns.append(block)
            n_columns += block.shape[1] - 1
    return _orthonormal(np.hstack(columns))


def adjusted_means(scores: FloatArray, codes: Codes, basis: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Means of the values in an additive model with the nuisance, per split, and what they explain of each split.

    What cannot be told from the nuisance counts for that. The explained sum of squares is of type II.
    """
    member = indicators(codes)
    apart = member - basis @ (basis.T @ member)
    apart[np.abs(apart) < FLAT] = 0.0
    unit = np.abs(scores).max() or 1.0
    left = apart.T @ (scores / unit)
    effects = np.linalg.pinv(apart.T @ apart, rcond=FLAT, hermitian=True) @ left
    effects[np.abs(effects) < ROUNDING] = 0.0
    centre = scores.mean(axis=0) - member.mean(axis=0) @ effects * unit
    return centre + effects * unit, np.maximum((effects * left).sum(axis=0), 0.0) * unit * unit


def dealt_pvalue(scores: FloatArray, codes: Codes, basis: FloatArray) -> float:
    """P-value of the values among candidates: of dealing them out at random, how often does it part them as far.

    The distance is the sum of squares between the values of what an additive model of the other parameters leaves of
    the candidates' scores. Exact, whatever the others do, where the values were drawn independently of them.
    """
    unit = np.abs(scores).max() or 1.0
    left = scores / unit - basis @ (basis.T @ (scores / unit))
    if np.abs(left).max() < ROUNDING:
        return 1.0
    left /= np.abs(left).max()
    member = indicators(codes)
    dealt = np.random.default_rng(SEED).permuted(np.tile(left, (N_DEALS, 1)), axis=1)
    distances = ((np.vstack([left, dealt]) @ member) ** 2 / member.sum(axis=0)).sum(axis=1)
    return float((distances >= distances[0] - FLAT * float(left @ left)).mean())


def _contrasts(codes: Codes) -> FloatArray:
    """Indicators less their means over the candidates that have any."""
    there = codes >= 0
    member = indicators(codes)
    member[there] -= member[there].mean(axis=0)
    return member


def _explained(scores: FloatArray, block: FloatArray) -> float:
    """Share of the sum of squares of the scores in a block of contrasts."""
    basis = _orthonormal(block)
    centred = scores - scores.mean()
    size = np.abs(centred).max() or 1.0
    return float(((basis.T @ (centred / size)) ** 2).sum())


def _orthonormal(columns: FloatArray) -> FloatArray:
    """Orthonormal columns that span the same."""
    left, sizes, _ = np.linalg.svd(columns, full_matrices=False)
    return np.asarray(left[:, sizes > FLAT * sizes.max(initial=0.0)])
