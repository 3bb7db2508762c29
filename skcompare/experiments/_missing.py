"""Which settings and splits have scores."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from skcompare._core.validation import FloatArray
from skcompare._core.warnings import Code, CodedWarning
from skcompare._core.words import counted
from skcompare.experiments._design import ExperimentDesign
from skcompare.tables.candidate_names import first_of


def scored(
    design: ExperimentDesign, scores: FloatArray, metrics: Sequence[str]
) -> tuple[ExperimentDesign, FloatArray, list[CodedWarning]]:
    """The settings with scores on all splits that have any, these scores, and what is left out.

    Of scores of shape (n_runs, n_splits, n_metrics); ValueError for fewer than two settings or splits.
    """
    used, complete = find_complete(scores, metrics)
    lost = [name for name, there in zip(design.names, complete, strict=True) if not there]
    found = []
    if lost:
        said = f"{counted(len(lost), 'setting')} without a score on some split left out ({first_of(lost, '; ')})."
        found.append(Code.FAILED(said))
    if not used.all():
        found.append(
            Code.MISSING(f"{counted(int((~used).sum()), 'split')} on which no setting has all its scores left out.")
        )
    return design.of_scored(complete), scores[complete][:, used], found


def mean_scores(scores: FloatArray) -> FloatArray:
    """The means of scores of shape (n_runs, n_splits) over the splits that have any; nan where a setting lacks one."""
    used = np.isfinite(scores).any(axis=0)
    return np.asarray(scores[:, used].mean(axis=1)) if used.any() else np.full(len(scores), np.nan)


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
