"""Rows and columns of a table that sum up the others, found by their names and by their numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from warnings import catch_warnings

import numpy as np
from numpy.typing import NDArray

from skcompare._core.validation import FloatArray
from skcompare.tables.cells import Numbers
from skcompare.tables.columns import is_deviation, is_number_of_runs, is_summary

_ENOUGH = 4.0  # decimal digits that agree: by chance once in 10,000 rows
_SURELY = 6.0  # the same of rows that do not stand at the end
_FEW = 3  # rows that can have a sum
_SUBTOTALS = tuple(f"{mark}{word}" for mark in " _-." for word in ("average", "avg", "avg.", "mean", "total"))


def summaries(matrix: FloatArray, rows: Sequence[str], *, ranked: bool = True) -> list[bool]:
    """Which rows sum up the others: their mean, sum, deviation, mean ranks or wins, or a row with such a name.

    Parameters
    ----------
    matrix : ndarray of shape (n_rows, n_columns)
        nan where a cell is missing.
    rows : sequence of str
        Names of the rows.
    ranked : bool
        Whether ranks and wins of the columns are looked for too.
    """
    found = np.array([is_summary(name) or (ranked and name.lower().endswith(_SUBTOTALS)) for name in rows])
    if found.all():
        return [False] * len(rows)
    for i in range(len(rows)):
        if found[i] or np.isnan(matrix[i]).any():
            continue
        above, others = np.arange(len(rows)) < i, np.arange(len(rows)) != i
        block = above & (np.arange(len(rows)) > max(np.flatnonzero(found[:i]), default=-1))  # of a subtotal
        last = all(is_summary(name) for name in rows[i + 1 :])
        total = last or _beyond(matrix[i], matrix[others])  # sums of scores are larger than all of them
        parts = [(others, _ENOUGH if last else _SURELY), (above, _SURELY), (block, _SURELY)]
        found[i] = any(_sums_up(matrix[i], matrix[part & ~found], ranked, total, enough) for part, enough in parts)
    return [bool(x) for x in found]


def unpaired_call(models: Sequence[str], values: Mapping[str, Numbers]) -> str:
    """Of one row per model with means and deviations the call that tests the first two unpaired; else empty.

    `values` are the numeric columns.
    """
    beside = [name for name, own in values.items() if own.beside is not None]
    spreads = [name for name in values if is_deviation(name)]
    counts = [name for name in values if is_number_of_runs(name)]
    means = [name for name in values if name not in (*spreads, *counts)]
    few = len(means) == 1 if beside else 0 < len(means) <= len(spreads)  # and no folds beside their mean
    if len({*models}) < max(2, len(models)) or not few:
        return ""
    mean = beside[0] if beside else means[0]
    own = values[mean].beside if beside else values[spreads[0]].values
    n = [f"{value:.0f}" for value in values[counts[0]].values[:2].tolist()] if counts else ["number of runs"] * 2
    assert own is not None
    pairs = {"mean": values[mean].values[:2], "sd": own[:2]}
    written = [f"{name}=({', '.join(f'{value:g}' for value in two.tolist())})" for name, two in pairs.items()]
    return f"skcompare.inference.welch_from_summary({', '.join(written)}, n=({', '.join(n)}))"


def out_of_scale(matrix: FloatArray) -> NDArray[np.bool_]:
    """Which rows hold a number above 1 where all cells of all other rows, three or more, are between 0 and 1."""
    inside = np.isnan(matrix) | ((matrix >= 0) & (matrix <= 1))
    odd = ~inside.all(axis=1)
    few = odd.sum() <= 2 and (~odd).sum() >= max(_FEW, 2 * odd.sum())
    return np.asarray(odd & few, dtype=np.bool_)


def _sums_up(row: FloatArray, others: FloatArray, ranked: bool, total: bool, enough: float) -> bool:
    if len(others) < _FEW or len(row) < 2 or np.isnan(others).any(axis=0).all():
        return False
    with np.errstate(over="ignore", invalid="ignore"), catch_warnings(action="ignore", category=RuntimeWarning):
        return _equals_a_sum(row, others, ranked, total, enough)


def _equals_a_sum(row: FloatArray, others: FloatArray, ranked: bool, total: bool, enough: float) -> bool:
    """Whether a row has the numbers of a mean, a sum, a deviation, of ranks or wins of others."""
    within = 0.5001 * 10.0 ** -_places(row) + 1e-9 * np.abs(row).max()
    apart = others - np.where(np.arange(len(row)) > 0, others[:, :1], 0.0)  # models agree on which data sets are easy
    spread = np.nan_to_num(np.nanmax(apart, axis=0) - np.nanmin(apart, axis=0))
    found: list[tuple[FloatArray, FloatArray]] = [
        (np.nanmean(others, axis=0), spread),
        *([(np.nansum(others, axis=0), spread * len(others))] if total else []),
        *((np.nanstd(others, axis=0, ddof=ddof), spread / 2) for ddof in (0, 1)),
    ]
    if ranked:
        for sign in (1, -1):
            ranks = _ranks(sign * others)
            n = np.full(row.shape, float(len(others)))
            found += [(ranks.mean(axis=0), np.full(row.shape, len(row) - 1.0)), (_wins(sign * others), n)]
    for value, width in found:
        agrees = np.abs(row - value) <= within
        digits = np.log10(np.maximum(width / within, 1.0))
        if agrees.all() and (float(digits.sum()) >= enough or _beyond(row, others)):
            return True
    return False


def _beyond(row: FloatArray, others: FloatArray) -> bool:
    """Whether a number of the row is far outside of all others."""
    low, high = np.nanmin(others), np.nanmax(others)
    return bool((row > high + (high - low)).any() or (row < low - (high - low)).any())


def _places(row: FloatArray) -> int:
    """Decimals of the numbers of a row, as they are written."""
    return max(len(f"{x:.10f}".rstrip("0").partition(".")[2]) for x in row.tolist())


def _ranks(matrix: FloatArray) -> FloatArray:
    """Of every row the ranks of its cells, 1 for the largest; ties share one."""
    larger = (matrix[:, None, :] > matrix[:, :, None]).sum(axis=2)
    equal = (matrix[:, None, :] == matrix[:, :, None]).sum(axis=2)
    return np.asarray(larger + (equal + 1) / 2)


def _wins(matrix: FloatArray) -> FloatArray:
    best = matrix == np.nanmax(np.where(np.isnan(matrix), -np.inf, matrix), axis=1, keepdims=True)
    return np.asarray(best.sum(axis=0, dtype=np.float64))
