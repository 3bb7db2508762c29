"""The stratified bootstrap: runs are drawn anew within each data set, the data sets stay."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.numbers import percent
from skcompare._core.validation import FloatArray, check_number, check_scores
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference._base import LARGEST_DIFFERENCE

INDEPENDENT_RUNS = Code.INDEPENDENT_RUNS(
    "the runs of a data set are taken for independent; those of one cross-validation share training "
    "samples, and for them the interval is too narrow."
)
TOO_FEW = Code.TOO_FEW("a bootstrap needs at least 2 runs per data set.")

# With n runs a bootstrap distribution has (n - 1)/n of the variance it should: below this, that is visible.
_ENOUGH_RUNS = 10
# Numbers held at once
_CHUNK = 2**22


def check_runs(values: ArrayLike, name: str, *, ndim: int, per: str) -> FloatArray:
    """Scores of `ndim` dimensions, `per`, as finite floats that can be added up, or ValueError."""
    array = check_scores(values, name, ndim=(2, 3))
    if array.ndim != ndim:
        raise ValueError(f"{name} must have {ndim} dimensions, {per}; got shape {array.shape}")
    if np.abs(array).max() > LARGEST_DIFFERENCE:
        raise ValueError(f"{name} must be at most {LARGEST_DIFFERENCE:g} in size; got {np.abs(array).max():g}")
    return array


def drawn_runs(
    n_resamples: int, n_datasets: int, n_runs: int, generator: np.random.Generator
) -> Iterator[tuple[slice, FloatArray]]:
    """How often each run is in each resample: rows of the resamples, and counts (rows, n_datasets, n_runs)."""
    step = max(1, _CHUNK // (n_datasets * n_runs))
    for start in range(0, n_resamples, step):
        rows = slice(start, min(start + step, n_resamples))
        n_strata = (rows.stop - start) * n_datasets
        runs = generator.integers(n_runs, size=(n_strata, n_runs))
        counts = np.bincount((runs + n_runs * np.arange(n_strata)[:, None]).ravel(), minlength=n_strata * n_runs)
        yield rows, counts.reshape(-1, n_datasets, n_runs).astype(np.float64)


def percentile_limits(distribution: FloatArray, n_runs: int, confidence_level: float) -> tuple[FloatArray, FloatArray]:
    """Percentile limits over the first axis; nan with a single run."""
    level = check_number(confidence_level, "confidence_level", low=0, high=1, closed="neither")
    if n_runs < 2:
        undefined = np.full(distribution.shape[1:], np.nan)
        return undefined, undefined.copy()
    low, high = np.quantile(distribution, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return low, high


def run_warnings(n_runs: int, constant: bool) -> Iterator[CodedWarning]:
    """Reasons to doubt an interval; `constant`: whether every resample gave the same."""
    yield INDEPENDENT_RUNS
    if n_runs < 2:
        yield TOO_FEW
        return
    if n_runs < _ENOUGH_RUNS:
        share = ((n_runs - 1) / n_runs) ** 0.5
        yield Code.FEW_RUNS(
            f"from {n_runs} runs per data set a bootstrap interval comes out too narrow, by about {percent(1 - share)}."
        )
    if constant:
        yield Code.ZERO_VARIANCE("every resample gives the same value, so the runs cannot tell how sure it is.")
