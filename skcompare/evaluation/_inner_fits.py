"""The fits without two folds at a time that nested cross-validation takes beside the ordinary ones."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from skcompare.evaluation._prepare import PreparedEvaluation
from skcompare.evaluation._splits import Splits

_OF_FITS = 2  # beside the seeds of the splits and of `n_seeds`, which come of the same number
FEWEST_FOLDS, FEWEST_SAMPLES = 3, 2


@dataclass(frozen=True, eq=False)
class InnerSplits(Splits):
    """Per repeat and pair of folds: trained without both, tested on both.

    One fit serves both orders of a pair, so that a repeat of K folds has K (K - 1) / 2 of these splits, in the order of
    `itertools.combinations`.

    Attributes
    ----------
    outer : Splits
        The folds.
    """

    outer: Splits

    @classmethod
    def of(cls, outer: Splits) -> InnerSplits:
        """The inner splits of k-fold splits."""
        n_pairs = outer.n_folds * (outer.n_folds - 1) // 2
        return cls(outer.n_samples, outer.n_repeats, n_pairs, False, None, None, outer)

    def __sizeof__(self) -> int:
        return super().__sizeof__() + self.outer.__sizeof__()

    @cached_property
    def folds(self) -> tuple[tuple[int, int], ...]:
        """The pairs of folds that a repeat leaves out."""
        return tuple(combinations(range(self.outer.n_folds), 2))

    def first(self, n_repeats: int) -> InnerSplits:
        """The splits of the first repeats."""
        return InnerSplits.of(self.outer.first(n_repeats))

    def place(self, split: int) -> str:
        """Which split, in words."""
        repeat, pair = divmod(split, self.n_folds)
        return "without folds {} and {} of repeat {}".format(*self.folds[pair], repeat)

    def _in_test(self, split: int) -> NDArray[np.bool_]:
        assert self.outer.fold_ids is not None
        repeat, pair = divmod(split, self.n_folds)
        return np.isin(self.outer.fold_ids[repeat], self.folds[pair])

    @cached_property
    def test_sizes(self) -> tuple[int, ...]:
        """Samples per test set."""
        sizes = np.reshape(self.outer.test_sizes, (self.n_repeats, -1))
        return tuple(sizes[:, np.array(self.folds)].sum(axis=2).ravel().tolist())

    @cached_property
    def train_sizes(self) -> tuple[int, ...]:
        """Samples per training set."""
        return tuple(self.n_samples - size for size in self.test_sizes)


def inner_evaluation(prepared: PreparedEvaluation) -> PreparedEvaluation:
    """The same on the inner splits, with seeds of their own.

    Raises
    ------
    ValueError
        If nested cross-validation does not know such splits.
    """
    outer = prepared.splits
    if outer.fold_ids is None or outer.n_folds < FEWEST_FOLDS or min(outer.test_sizes) < FEWEST_SAMPLES:
        raise ValueError(
            f"nested must be False for splits that are no k-fold cross-validation of {FEWEST_FOLDS} folds or more with "
            f"{FEWEST_SAMPLES} samples or more in each: the interval is of fits without two such folds at a time; got "
            f"{outer.design.name}"
        )
    if prepared.routing.split_params.get("groups") is not None:
        raise ValueError(
            "nested must be False where there are groups: the interval takes the losses of a fold for independent, and "
            "those of one group are not"
        )
    seed = prepared.random_state
    if seed is not None:
        seed = int(np.random.SeedSequence([seed, _OF_FITS]).generate_state(1)[0])
    return replace(prepared, splits=InnerSplits.of(outer), random_state=seed)
