"""How the losses of samples change from one repeat of cross-validation to the next."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from skcompare._core.validation import FloatArray
from skcompare.inference._base import ROUNDING


@dataclass(frozen=True, slots=True)
class Changes:
    """How the losses of the samples of one model, or their differences, change from one repeat to the next.

    Attributes
    ----------
    of_samples : ndarray of shape (n_repeats, n_samples)
        Around the mean of each sample over the repeats.
    of_folds : ndarray of shape (n_repeats * n_folds,)
        Their sums over each test fold.
    sizes : ndarray of that shape
        Samples of each.
    """

    of_samples: FloatArray
    of_folds: FloatArray
    sizes: NDArray[np.intp]

    @classmethod
    def of(cls, losses: FloatArray, folds: NDArray[np.intp]) -> Changes:
        """Those of losses of shape (n_repeats, n_samples), by folds that are counted through over the repeats."""
        of_samples = losses - losses.mean(axis=0)
        of_folds = np.asarray(np.bincount(folds.ravel(), of_samples.ravel()), dtype=float)
        return cls(of_samples, of_folds, np.bincount(folds.ravel()))

    def excess(self, other: Changes | None = None) -> float:
        """How much more the samples of a fold change together than alone, less 1; of the difference to another."""
        of_samples = self.of_samples if other is None else self.of_samples - other.of_samples
        of_folds = self.of_folds if other is None else self.of_folds - other.of_folds
        own = float(np.vdot(of_samples, of_samples)) / of_samples.size
        if own <= ROUNDING * float(np.vdot(self.of_samples, self.of_samples)) / of_samples.size:
            return 0.0
        return float((of_folds**2 / self.sizes).mean()) / own - 1
