"""Which settings and splits have scores."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from skcompare._core.validation import FloatArray
from skcompare.tables.candidate_names import first_of


def find_complete(scores: FloatArray, metrics: Sequence[str]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """The splits on which some setting has all scores, and the settings that have them on all of these.

    Of scores of shape (n_runs, n_splits, n_metrics); ValueError for fewer than two.
    """
    finite = np.all(np.isfinite(scores), axis=2)
    used: NDArray[np.bool_] = np.any(finite, axis=0)
    complete: NDArray[np.bool_] = np.all(finite[:, used], axis=1)
    if not used.any() or complete.sum() < 2 or used.sum() < 2:
        raise ValueError(
            f"scores must be there of two or more settings on two or more splits; got {int(complete.sum())} "
            f"on {int(used.sum())} for {first_of(list(metrics))}"
        )
    return used, complete
