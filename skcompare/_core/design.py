"""The resampling design: what a statistical procedure must know about the splits that made the scores."""

from __future__ import annotations

from dataclasses import dataclass

from skcompare._core.record import Record


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Design(Record):
    """How the scores of one data set were resampled.

    Attributes
    ----------
    n_samples : int or None
        Samples in the data set; None where the scores came without it.
    n_repeats : int
        Repeats of the whole resampling. Random (overlapping) test sets count as one repeat each.
    n_folds : int
        Test sets per repeat; 1 for random test sets.
    n_splits : int
        ``n_repeats * n_folds``.
    train_sizes, test_sizes : tuple of int
        Samples per training and test set, of length `n_splits`; empty where the scores came without them.
    test_fraction : float
        Mean test size over mean train size plus mean test size, in (0, 1): 1/k for k-fold.
    partition : bool
        True where the test sets of every repeat cover each sample exactly once, as in k-fold.
    split_hash : str
        SHA-256 of the splits, in hexadecimal; empty where the scores came without them.
    """

    n_samples: int | None = None
    n_repeats: int
    n_folds: int
    n_splits: int
    train_sizes: tuple[int, ...] = ()
    test_sizes: tuple[int, ...] = ()
    test_fraction: float
    partition: bool
    split_hash: str = ""

    @property
    def name(self) -> str:
        """The design in words: ``10x10 cross-validation``, ``10-fold cross-validation``, ``30 overlapping splits``."""
        if self.partition and self.n_repeats == 1:
            return f"{self.n_folds}-fold cross-validation"
        if self.partition:
            return f"{self.n_repeats}x{self.n_folds} cross-validation"
        if self.n_folds > 1:
            return f"{self.n_folds} disjoint test sets that leave samples out"
        return f"{self.n_repeats} overlapping splits" if self.n_repeats > 1 else "1 train-test split"

    def _sentence(self) -> str:
        return f"{self.name}."
