"""Scores of many models on many data sets or splits: checked, turned so that greater is better, and ranked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.memory import check_memory
from skcompare._core.validation import FloatArray, as_tuple, check_scores
from skcompare._core.warnings import Code
from skcompare.inference._base import ROUNDING, power_of_two
from skcompare.inference._overlap import INDEPENDENT, Correction

ONE_DATASET = Code.TOO_FEW("one data set says nothing about others.")
# Larger scores have sums and squares that overflow.
LARGEST_SCORE = 1e300


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSetScores:
    """One score per data set and model, greater is better.

    Attributes
    ----------
    values : ndarray of shape (n_datasets, n_models)
        Scores; negated where less is better.
    names : tuple of str
        The models.
    noise : ndarray of shape (n_datasets,)
        Rounding of sums over the models, per data set; two scores are equal within the rounding of the larger.
    correction : Correction
        Of variances over the rows where these are splits of one data set, which share training samples.
    """

    values: FloatArray
    names: tuple[str, ...]
    noise: FloatArray
    correction: Correction = INDEPENDENT

    @property
    def n_datasets(self) -> int:
        """Number of data sets (blocks)."""
        return len(self.values)

    @property
    def n_models(self) -> int:
        """Number of models (treatments)."""
        return len(self.names)

    def aligned_ranks(self) -> FloatArray:
        """Ranks among all scores less the mean of their data set, shape of `values`; 1 is the best."""
        unit = power_of_two(self.values) or 1.0
        values = self.values / unit
        aligned = values - values.mean(axis=1, keepdims=True)
        noise = np.repeat(self.noise / unit, self.n_models)
        return pooled_ranks(-aligned.ravel(), noise).reshape(aligned.shape)

    def range_ranks(self) -> FloatArray:
        """Rank of each data set's range of scores, shape (n_datasets,); 1 is the smallest."""
        unit = power_of_two(self.values) or 1.0
        return pooled_ranks(np.ptp(self.values / unit, axis=1), self.noise / unit)

    def ranks(self) -> FloatArray:
        """Ranks on each data set, shape of `values`: 1 is the best model, equal scores share their mean rank."""
        return np.stack([pooled_ranks(-row, ROUNDING * np.abs(row)) for row in self.values])

    def ranks_of_all(self) -> FloatArray:
        """Ranks among all scores of all data sets together, shape of `values`; 1 is the best."""
        return pooled_ranks(-self.values.ravel(), ROUNDING * np.abs(self.values).ravel()).reshape(self.values.shape)


def check_table(
    scores: ArrayLike,
    greater_is_better: bool = True,
    names: Sequence[str] | None = None,
    *,
    matrices: int = 0,
    correction: Correction = INDEPENDENT,
) -> DataSetScores:
    """Scores of shape (n_datasets, n_models) with their names, or ValueError.

    MemoryError where so many matrices with a number for each pair of models would take too much.
    """
    values = check_scores(scores, "scores", ndim=(2,))
    k = values.shape[1]
    if k < 2:
        raise ValueError(
            f"scores must have at least 1 row, one per {correction.case}, and 2 columns, one per model; "
            f"got shape {values.shape}"
        )
    check_memory(8.0 * matrices * k * k, f"scores: a result for all pairs of {k} models", "give fewer models")
    if np.abs(values).max() > LARGEST_SCORE:
        raise ValueError(f"scores must be at most {LARGEST_SCORE:g} in size; got {np.abs(values).max():g}")
    check_bool(greater_is_better, "greater_is_better")
    return DataSetScores(
        values=values if greater_is_better else -values,
        names=check_model_names(names, k),
        noise=ROUNDING * np.abs(values).max(axis=1),
        correction=correction,
    )


def check_bool(value: bool, name: str) -> None:
    """Raise ValueError unless `value` is a bool."""
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{name} must be a bool; got {value!r}")


def check_model_names(names: Sequence[str] | None, n_models: int) -> tuple[str, ...]:
    """Names of the models, made up where there are none, or ValueError."""
    if names is None:
        return tuple(f"model {j + 1}" for j in range(n_models))
    given = as_tuple(names)
    if isinstance(names, str) or len(given) != n_models or not all(isinstance(name, str) for name in given):
        raise ValueError(f"names must be {n_models} strings, one per model; got {names!r}")
    if len(set(given)) != n_models:
        raise ValueError(f"names must be different; got {names!r}")
    return given


def tie_sizes(ranks: FloatArray) -> FloatArray:
    """How many values share each rank, for one ranking."""
    return np.unique(ranks, return_counts=True)[1].astype(np.float64)


def pooled_ranks(values: FloatArray, noise: FloatArray) -> FloatArray:
    """Ranks from 1 for the smallest among all `values`, each exact up to its own `noise`; ties share their mean."""
    order = np.argsort(values, kind="stable")
    noise = noise[order]
    new_group = np.diff(values[order]) > np.maximum(noise[1:], noise[:-1])
    group = np.concatenate([[0], np.cumsum(new_group)])
    size = np.bincount(group)
    ranks = np.empty(values.size)
    ranks[order] = (np.cumsum(size) - (size - 1) / 2)[group]
    return ranks
