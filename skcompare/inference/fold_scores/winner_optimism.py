"""How much too good the score of the best of many models looks, since it was chosen for that score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from skcompare._record import Record
from skcompare._validation import check_scores


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class WinnerOptimism(Record):
    """The score of the model that looks best, without and with the reward for looking.

    Attributes
    ----------
    best : str
        The model with the best mean.
    apparent : float
        Its mean score.
    optimism : float
        Estimate of by how much that flatters, in score units, at least 0 in expectation.
    corrected : float
        The score without it.
    n_models, n : int
        Models that were compared, and splits.
    method : str
        The procedure.
    warnings : tuple of str
        Reasons to doubt the result, each a code, a colon and a sentence.
    """

    best: str
    apparent: float
    optimism: float
    corrected: float
    n_models: int
    n: int
    method: str
    warnings: tuple[str, ...] = ()


def winner_optimism(
    scores: ArrayLike, *, n_folds: int | None = None, greater_is_better: bool = True, names: Sequence[str] | None = None
) -> WinnerOptimism:
    """Placeholder: to be documented."""
    values = check_scores(scores, "scores", ndim=(2,))
    n, k = values.shape
    folds = n if n_folds is None else n_folds
    labels = tuple(map(str, range(k))) if names is None else tuple(names)
    oriented = values if greater_is_better else -values
    best = int(oriented.mean(axis=0).argmax())
    gaps = []
    for repeat in oriented.reshape(-1, folds, k):
        others = (repeat.sum(axis=0) - repeat) / (folds - 1)
        gaps.append(repeat.mean(axis=0).max() - repeat[np.arange(folds), others.argmax(axis=1)].mean())
    optimism = float(np.mean(gaps))
    apparent = float(values[:, best].mean())
    return WinnerOptimism(
        best=labels[best],
        apparent=apparent,
        optimism=optimism,
        corrected=apparent - optimism if greater_is_better else apparent + optimism,
        n_models=k,
        n=n,
        method="score of winners chosen on the other folds",
    )
