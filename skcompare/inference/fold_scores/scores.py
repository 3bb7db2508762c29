"""Scores as procedures take them that read more than the differences of pairs: of many models, or of two unpaired."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.validation import FloatArray, check_bool, check_names, check_scores
from skcompare.inference._records import LARGEST_DIFFERENCE, ROUNDING, power_of_two

# Larger scores have sums and squares that overflow.
LARGEST_SCORE = 1e300


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitTable:
    """Scores of at least two models on the same splits.

    Attributes
    ----------
    means : ndarray of shape (n_models,)
        In score units.
    oriented : ndarray of shape (n_models, n_splits)
        Scores, turned so that greater is better.
    noise : ndarray of shape (n_models,)
        Rounding of each model's scores; two scores are equal within that of the larger.
    names : tuple of str
        The models.
    best : int
        The model with the best mean; the first of several.
    """

    means: FloatArray
    oriented: FloatArray
    noise: FloatArray
    names: tuple[str, ...]
    best: int


def check_unpaired(a: ArrayLike, b: ArrayLike) -> tuple[FloatArray, FloatArray, float, float, float]:
    """Both samples sorted, a power of two above them, what is rounding in them, and their mean difference."""
    x, y = np.sort(check_scores(a, "a").ravel()), np.sort(check_scores(b, "b").ravel())
    largest = {"a": float(np.abs(x).max()), "b": float(np.abs(y).max())}
    for name, size in largest.items():
        if size > LARGEST_DIFFERENCE:
            raise ValueError(f"{name} must be at most {LARGEST_DIFFERENCE:g} in size; got {size:g}")
    unit, noise = power_of_two(np.concatenate((x, y))) or 1.0, ROUNDING * max(largest.values())
    difference = float((x / unit).mean() - (y / unit).mean()) * unit
    return x, y, unit, noise, 0.0 if abs(difference) <= noise else difference


def check_splits(scores: ArrayLike, greater_is_better: bool, names: Sequence[str] | None) -> SplitTable:
    """Scores of shape (n_splits, n_models) with the names of the models, or ValueError."""
    values = check_scores(scores, "scores", ndim=(2,)).T.copy()
    k = len(values)
    if k < 2:
        raise ValueError(f"scores must have a column per model, at least 2; got shape {values.T.shape}")
    check_bool(greater_is_better, "greater_is_better")
    if np.abs(values).max() > LARGEST_SCORE:
        raise ValueError(f"scores must be at most {LARGEST_SCORE:g} in size; got {np.abs(values).max():g}")
    unit = power_of_two(values)
    means, noise = (values / unit).mean(axis=1) * unit, ROUNDING * np.abs(values).max(axis=1)
    upwards = means if greater_is_better else -means
    return SplitTable(
        means=means,
        oriented=values if greater_is_better else -values,
        noise=noise,
        names=check_names(names, k),
        best=int((upwards >= upwards.max() - noise[upwards.argmax()]).argmax()),
    )
