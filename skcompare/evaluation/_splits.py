"""Splits: drawn once per evaluation, hashed, shared by every estimator."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import (
    KFold,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    StratifiedKFold,
    check_cv,
)

from skcompare._design import Design

IndexArray = NDArray[np.intp]
_REPEATED = re.compile(r"([1-9]\d*)x([1-9]\d*)")


@dataclass(frozen=True, eq=False)
class Splits(Sequence[tuple[IndexArray, IndexArray]]):
    """Train and test indices of every split, in order; split ``r * n_folds + f`` is fold f of repeat r.

    Plain k-fold designs are kept as one fold number per sample and repeat, a hundredth of the size of the
    index arrays, which are derived one split at a time; any other design is kept as it was drawn.

    Attributes
    ----------
    n_samples, n_repeats, n_folds : int
        Samples, repeats of the whole resampling, test sets per repeat.
    partition : bool
        True where the test sets of every repeat cover each sample exactly once.
    fold_ids : ndarray of shape (n_repeats, n_samples) or None
        Test fold of each sample, where train is all the rest in ascending order.
    pairs : tuple of (train, test) or None
        The index arrays where `fold_ids` cannot say it.
    """

    n_samples: int
    n_repeats: int
    n_folds: int
    partition: bool
    fold_ids: NDArray[np.unsignedinteger[Any]] | None
    pairs: tuple[tuple[IndexArray, IndexArray], ...] | None

    def __len__(self) -> int:
        return self.n_repeats * self.n_folds

    def __getitem__(self, index: Any) -> Any:
        """The (train, test) index arrays of one split."""
        position = range(len(self))[index]
        if self.pairs is not None:
            return self.pairs[position]
        assert self.fold_ids is not None
        repeat, fold = divmod(position, self.n_folds)
        in_test = self.fold_ids[repeat] == fold
        return np.flatnonzero(~in_test), np.flatnonzero(in_test)

    def __iter__(self) -> Iterator[tuple[IndexArray, IndexArray]]:
        return (self[i] for i in range(len(self)))

    @cached_property
    def test_sizes(self) -> tuple[int, ...]:
        """Samples per test set."""
        if self.fold_ids is None:
            return tuple(len(test) for _, test in self)
        counts = [np.bincount(ids, minlength=self.n_folds) for ids in self.fold_ids]
        return tuple(int(size) for size in np.concatenate(counts))

    @cached_property
    def train_sizes(self) -> tuple[int, ...]:
        """Samples per training set."""
        if self.fold_ids is None:
            return tuple(len(train) for train, _ in self)
        return tuple(self.n_samples - size for size in self.test_sizes)

    @cached_property
    def split_hash(self) -> str:
        """SHA-256 of the splits, the same for the same splits however they were asked for."""
        digest = sha256(f"{self.n_samples} {self.n_repeats} {self.n_folds}".encode())
        if self.fold_ids is not None:
            digest.update(np.ascontiguousarray(self.fold_ids, dtype="<u4").tobytes())
        for train, test in self.pairs or ():
            for indices in (train, test):
                digest.update(len(indices).to_bytes(8, "little"))
                digest.update(np.ascontiguousarray(indices, dtype="<u8").tobytes())
        return digest.hexdigest()

    @cached_property
    def overlapping(self) -> tuple[int, ...]:
        """Splits in which a sample is both in train and test."""
        if self.fold_ids is not None:
            return ()
        return tuple(i for i, (train, test) in enumerate(self) if len(np.intersect1d(train, test)))

    @property
    def design(self) -> Design:
        """What the statistical procedures read of the splits."""
        train, test = float(np.mean(self.train_sizes)), float(np.mean(self.test_sizes))
        return Design(
            n_samples=self.n_samples,
            n_repeats=self.n_repeats,
            n_folds=self.n_folds,
            n_splits=len(self),
            train_sizes=self.train_sizes,
            test_sizes=self.test_sizes,
            test_fraction=test / (train + test),
            partition=self.partition,
            split_hash=self.split_hash,
        )


def draw_splits(splitter: Any, X: Any, y: Any, *, n_samples: int, params: Mapping[str, Any]) -> Splits:
    """Draw the splits of a scikit-learn splitter, once.

    Parameters
    ----------
    splitter : scikit-learn splitter
        From `make_splitter`.
    X, y : indexable
        The data.
    n_samples : int
        Its length.
    params : mapping
        Passed to ``split``, e.g. ``groups``.

    Returns
    -------
    Splits

    Raises
    ------
    ValueError
        If the splitter yields no split, or indices outside the data.
    """
    pairs = []
    try:
        drawn = list(splitter.split(X, y, **params))
    except ValueError as error:
        raise ValueError(f"cv must be able to split this data: {error}") from error
    for i, (train, test) in enumerate(drawn):
        pairs.append((_indices(train, "train", i, n_samples), _indices(test, "test", i, n_samples)))
    if not pairs:
        raise ValueError("cv must yield at least one (train, test) pair; got none (an iterator already used up?)")
    return splits_from_pairs(pairs, n_samples)


def splits_from_pairs(pairs: Sequence[tuple[IndexArray, IndexArray]], n_samples: int) -> Splits:
    """Recognise repeats and k-fold partitions in a list of (train, test) index arrays."""
    folds_per_repeat = _partition_sizes(pairs, n_samples)
    if folds_per_repeat is not None and len(set(folds_per_repeat)) == 1:
        n_repeats, n_folds, partition = len(folds_per_repeat), folds_per_repeat[0], True
        fold_ids = _fold_ids(pairs, n_samples, n_repeats, n_folds)
    else:
        tested = np.concatenate([test for _, test in pairs])
        disjoint = len(np.unique(tested)) == len(tested)
        n_repeats, n_folds = (1, len(pairs)) if disjoint else (len(pairs), 1)
        partition, fold_ids = False, None
    return Splits(
        n_samples=n_samples,
        n_repeats=n_repeats,
        n_folds=n_folds,
        partition=partition,
        fold_ids=fold_ids,
        pairs=tuple(pairs) if fold_ids is None else None,
    )


def make_splitter(cv: Any, y: Any, *, stratified: bool, random_state: int | None) -> Any:
    """The scikit-learn splitter that `cv` describes.

    Parameters
    ----------
    cv : int, str, scikit-learn splitter or iterable of (train, test)
        An int k and ``"RxK"`` are shuffled, and stratified where asked for.
    y : indexable
        The target.
    stratified : bool
        Whether every fold gets the classes in their proportions.
    random_state : None or int
        Shuffles an int or ``"RxK"``; a splitter has its own.

    Raises
    ------
    ValueError
        If `cv` is none of these.
    """
    k_fold: Any
    if isinstance(cv, bool) or cv is None:
        raise ValueError(f"cv must be an int k, 'RxK', a splitter or (train, test) pairs; got {cv!r}")
    if isinstance(cv, Integral):
        if cv < 2:
            raise ValueError(f"cv must be at least 2 folds; got {cv}")
        k_fold = StratifiedKFold if stratified else KFold
        return k_fold(n_splits=int(cv), shuffle=True, random_state=random_state)
    if isinstance(cv, str):
        match = _REPEATED.fullmatch(cv)
        if match is None or int(match[2]) < 2:
            raise ValueError(
                f"cv must be an int k, 'RxK' with at least 2 folds, a splitter or (train, test) pairs; got {cv!r}"
            )
        k_fold = RepeatedStratifiedKFold if stratified else RepeatedKFold
        return k_fold(n_splits=int(match[2]), n_repeats=int(match[1]), random_state=random_state)
    if not hasattr(cv, "split"):
        if not isinstance(cv, Iterable):
            raise ValueError(f"cv must be an int k, 'RxK', a splitter or (train, test) pairs; got {cv!r:.80}")
        cv = list(cv)
        for i, pair in enumerate(cv):
            if not isinstance(pair, (tuple, list)) or len(pair) != 2:
                raise ValueError(f"cv must yield (train, test) pairs; got {pair!r:.80} as split {i}")
    return check_cv(cv, y, classifier=stratified)


def _indices(values: Any, part: str, split: int, n_samples: int) -> IndexArray:
    """Index array of one part of one split; boolean masks are accepted as scikit-learn accepts them."""
    array = np.asarray(values)
    where = f"the {part} indices of split {split} of cv"
    if array.dtype == np.bool_ and array.shape == (n_samples,):
        array = np.flatnonzero(array)
    if array.ndim != 1 or array.size == 0 or not np.issubdtype(array.dtype, np.integer):
        raise ValueError(f"{where} must be a non-empty list of integers; got {values!r:.80}")
    if array.min() < 0 or array.max() >= n_samples:
        raise ValueError(f"{where} must be in [0, {n_samples}); got {array.min()} to {array.max()}")
    return array.astype(np.intp, copy=False)


def _partition_sizes(pairs: Sequence[tuple[IndexArray, IndexArray]], n_samples: int) -> tuple[int, ...] | None:
    """Number of consecutive test sets that make up each partition of the samples; None if they do not."""
    sizes, n_folds = [], 0
    seen = np.zeros(n_samples, dtype=bool)
    for _, test in pairs:
        if len(test) == n_samples and len(pairs) > 1:
            return None
        if seen[test].any() or len(np.unique(test)) != len(test):
            return None
        seen[test] = True
        n_folds += 1
        if seen.all():
            sizes.append(n_folds)
            seen[:] = False
            n_folds = 0
    return tuple(sizes) if n_folds == 0 else None


def _fold_ids(
    pairs: Sequence[tuple[IndexArray, IndexArray]], n_samples: int, n_repeats: int, n_folds: int
) -> NDArray[np.unsignedinteger[Any]] | None:
    """The splits as a fold number per sample and repeat; None where that would not give them back exactly."""
    ids = np.empty((n_repeats, n_samples), dtype=np.min_scalar_type(n_folds - 1))
    for i, (train, test) in enumerate(pairs):
        complement = np.ones(n_samples, dtype=bool)
        complement[test] = False
        if not np.array_equal(train, np.flatnonzero(complement)) or not np.all(np.diff(test) > 0):
            return None
        repeat, fold = divmod(i, n_folds)
        ids[repeat, test] = fold
    return ids
