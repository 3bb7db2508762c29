"""Splits: drawn once per evaluation, hashed, shared by every estimator."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from itertools import chain, count
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import model_selection
from sklearn.utils import check_random_state
from sklearn.utils.metadata_routing import get_routing_for_object

from skcompare._core.design import Design
from skcompare._core.frames import own_cells, own_copy
from skcompare._core.numbers import place_of, some_of
from skcompare._core.record import picked
from skcompare._core.validation import came, refuse_masked
from skcompare._core.warnings import Code, CodedWarning

IndexArray = NDArray[np.intp]
Pair = tuple[IndexArray, IndexArray]
Pairs = Sequence[Pair]
NarrowArray = NDArray[np.unsignedinteger[Any]]


@dataclass(frozen=True, eq=False)
class Splits(Sequence[Pair]):
    """Train and test indices of every split, in order; split ``r * n_folds + f`` is fold f of repeat r.

    Plain k-fold designs are kept as one fold number per sample and repeat, a hundredth of the size of the
    index arrays, which are derived one split at a time; any other design is kept as it was drawn, in the
    narrowest integers that do.

    Attributes
    ----------
    n_samples, n_repeats, n_folds : int
        Samples, repeats of the whole resampling, test sets per repeat.
    partition : bool
        True where the test sets of every repeat cover each sample exactly once.
    fold_ids : ndarray of shape (n_repeats, n_samples) or None
        Test fold of each sample, where train is all the rest in ascending order.
    pairs : tuple of (train, test) or None
        The index arrays, of unsigned integers, where `fold_ids` cannot say it.
    """

    n_samples: int
    n_repeats: int
    n_folds: int
    partition: bool
    fold_ids: NarrowArray | None
    pairs: tuple[tuple[NarrowArray, NarrowArray], ...] | None

    def __len__(self) -> int:
        return self.n_repeats * self.n_folds

    def __sizeof__(self) -> int:
        """Bytes with the arrays, by which a cluster decides to send it once for all fits."""
        arrays = [array for pair in self.pairs or () for array in pair] if self.fold_ids is None else [self.fold_ids]
        return object.__sizeof__(self) + sum(array.nbytes for array in arrays)

    def __getitem__(self, index: Any) -> Any:
        """The (train, test) index arrays of one split."""
        position = range(len(self))[index]
        if self.pairs is not None:
            train, test = self.pairs[position]
            return train.astype(np.intp), test.astype(np.intp)
        in_test = self._in_test(position)
        return np.flatnonzero(~in_test), np.flatnonzero(in_test)

    def first(self, n_repeats: int) -> Splits:
        """The splits of the first repeats."""
        ids = None if self.fold_ids is None else self.fold_ids[:n_repeats]
        pairs = None if self.pairs is None else self.pairs[: n_repeats * self.n_folds]
        return Splits(self.n_samples, n_repeats, self.n_folds, self.partition, ids, pairs)

    def held_out(self, split: int) -> IndexArray:
        """The test indices of one split."""
        return np.flatnonzero(self._in_test(split)) if self.pairs is None else self.pairs[split][1].astype(np.intp)

    def is_partial(self, split: int, y: NDArray[Any], classes: NDArray[Any] | None) -> bool:
        """Whether a split trains or tests without some of the classes, or tests one sample: some metrics need more."""
        parts = self[split]
        if classes is None:
            return len(parts[1]) < 2
        return any(len(np.unique(y[part])) < len(classes) for part in parts)

    def all_held_out(self, repeat: int) -> list[IndexArray]:
        """The test indices of all folds of a repeat, for less than one by one."""
        folds = range(repeat * self.n_folds, (repeat + 1) * self.n_folds)
        if self.fold_ids is None:
            return [self.held_out(split) for split in folds]
        by_fold = np.argsort(self.fold_ids[repeat], kind="stable")
        return np.split(by_fold, np.cumsum(self.test_sizes[folds.start : folds.stop - 1]))

    def place(self, split: int) -> str:
        """Which split, in words."""
        return place_of(split, self.n_folds)

    def partition_key(self, repeat: int) -> bytes:
        """The same for two repeats that part the samples into the same test sets, in whatever order."""
        ids = np.empty(self.n_samples, dtype=np.intp)
        for fold, test in enumerate(self.all_held_out(repeat)):
            ids[test] = fold
        _, first, codes = np.unique(ids, return_index=True, return_inverse=True)
        return sha256(np.argsort(np.argsort(first))[codes].astype("<u4").tobytes()).digest()

    def _in_test(self, split: int) -> NDArray[np.bool_]:
        assert self.fold_ids is not None
        repeat, fold = divmod(split, self.n_folds)
        return np.asarray(self.fold_ids[repeat] == fold, dtype=bool)

    @cached_property
    def test_sizes(self) -> tuple[int, ...]:
        """Samples per test set."""
        if self.fold_ids is None:
            return tuple(len(test) for _, test in self.pairs or ())
        return tuple(np.apply_along_axis(np.bincount, 1, self.fold_ids, minlength=self.n_folds).ravel().tolist())

    @cached_property
    def train_sizes(self) -> tuple[int, ...]:
        """Samples per training set."""
        if self.pairs is not None:
            return tuple(len(train) for train, _ in self.pairs)
        return tuple((self.n_samples - np.array(self.test_sizes, dtype=int)).tolist())

    @cached_property
    def split_hash(self) -> str:
        """SHA-256 of the splits, the same for the same splits however they were asked for."""
        digest = sha256(f"{self.n_samples} {self.n_repeats} {self.n_folds}".encode())
        for ids in () if self.fold_ids is None else self.fold_ids:
            digest.update(np.ascontiguousarray(ids, dtype="<u4").data)
        for indices in chain.from_iterable(self.pairs or ()):
            digest.update(len(indices).to_bytes(8, "little"))
            digest.update(np.ascontiguousarray(indices, dtype="<u8").data)
        return digest.hexdigest()

    @cached_property
    def overlapping(self) -> tuple[int, ...]:
        """Splits in which a sample is both in train and test."""
        if self.fold_ids is not None:
            return ()
        return tuple(i for i, (train, test) in enumerate(self.pairs or ()) if len(np.intersect1d(train, test)))

    @cached_property
    def time_order(self) -> bool:
        """Whether every test set follows its training set, or precedes it where rows begin with the newest one.

        No two test sets begin at the same sample. The order in which they are listed does not matter.
        """
        if self.fold_ids is not None or len(self) < 2 or not all(self.train_sizes):
            return False
        pairs = self.pairs or ()
        later = all(train.max() < test.min() for train, test in pairs)
        earlier = all(train.min() > test.max() for train, test in pairs)
        return (later or earlier) and len({int(test.min()) for _, test in pairs}) == len(pairs)

    @property
    def warnings(self) -> tuple[CodedWarning, ...]:
        """What speaks against them."""
        if not self.overlapping:
            return ()
        leak = told_of_overlap(self.overlapping, len(self), "samples")
        return (Code.DO_NOT_USE(f"{leak}. Take splits that keep these apart."),)

    @property
    def design(self) -> Design:
        """What the statistical procedures read of the splits."""
        train, test = float(np.mean(self.train_sizes)), float(np.mean(self.test_sizes))
        trained = train > 0  # else the predictions came without their training
        own = ("n_samples", "n_repeats", "n_folds", "test_sizes", "partition", "split_hash", "time_order")
        return Design(
            **picked(self, *own),
            n_splits=len(self),
            train_sizes=self.train_sizes if trained else (),
            test_fraction=test / (train + test) if trained else 0.0,
            kind="samples" if len(self) == 1 else "folds",
        )

    @property
    def design_of_scores(self) -> Design:
        """The design where no predictions are known, so that a single test set is one score and not its samples."""
        return replace(self.design, kind="folds")


MOST_SPLITS = 10**6  # more are a slip: of fits of a millisecond they would take a quarter of an hour per model


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
    n_splits = 0
    if type(splitter).__module__.partition(".")[0] in ("sklearn", "skcompare") and hasattr(splitter, "get_n_splits"):
        with suppress(Exception):  # of which drawing them tells
            n_splits = splitter.get_n_splits(X, y, params.get("groups"))
    if n_splits > MOST_SPLITS:
        raise ValueError(f"cv must give at most {MOST_SPLITS:,} splits; got more")
    splits = splits_from_pairs(_yielded(splitter, X, y, params, n_samples), n_samples)
    if not len(splits):
        raise ValueError("cv must yield at least one (train, test) pair; got none (an iterator already used up?)")
    return splits


def split(splitter: Any, X: Any, y: Any, params: Mapping[str, Any]) -> Iterable[Any]:
    """What a splitter yields; one that is not known may write into what it is given."""
    if type(splitter).__module__.partition(".")[0] in ("sklearn", "skcompare"):
        return splitter.split(X, y, **params)  # type: ignore[no-any-return]
    return splitter.split(own_copy(X), own_copy(y), **own_cells(dict(params)))  # type: ignore[no-any-return]


def _yielded(splitter: Any, X: Any, y: Any, params: Mapping[str, Any], n_samples: int) -> Iterator[Pair]:
    """The splits, each checked; what the splitter cannot do is told of `cv`."""
    pairs: Iterator[Any] | None = None
    for i in count():
        try:
            pairs = iter(split(splitter, X, y, params)) if pairs is None else pairs
            pair = next(pairs)
        except StopIteration:
            return
        except Exception as error:
            kind = "" if isinstance(error, ValueError) else f"{type(error).__name__}: "
            raise ValueError(f"cv must be able to split this data: {kind}{error}") from error
        check_pair(pair, i)
        train = check_indices(pair[0], f"the train indices of split {i} of cv", n_samples)
        yield train, check_indices(pair[1], f"the test indices of split {i} of cv", n_samples)


def told_of_overlap(where: Sequence[int], n_splits: int, what: str) -> str:
    """Which splits test on samples, or groups, that they train on."""
    tests, trains = ("tests", "it trains") if len(where) == 1 else ("test", "they train")
    said = f"{some_of(len(where), n_splits, 'split')} {tests} on {what} {trains} on"
    return f"{said}, the first is split {where[0]}" if n_splits > 1 else said


def check_pair(pair: Any, split: int) -> None:
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        raise ValueError(f"cv must yield (train, test) pairs; got {came(pair)} as split {split}")


def splits_from_pairs(pairs: Iterable[Pair], n_samples: int) -> Splits:
    """Recognise repeats and k-fold partitions among (train, test) index arrays, which are taken one at a time."""
    folds = _FoldIds(n_samples)
    kept: list[tuple[NarrowArray, NarrowArray]] | None = None
    for train, test in pairs:
        if kept is None and not folds.add(train, test):
            kept = folds.pairs()
        if kept is not None:
            kept.append((_narrow(train, n_samples), _narrow(test, n_samples)))
    if kept is None and folds.repeats and folds.begun is None:
        return Splits(n_samples, len(folds.repeats), folds.n_folds, True, np.stack(folds.repeats), None)
    kept = folds.pairs() if kept is None else kept
    sizes = _partition_sizes(kept, n_samples)
    if len({*sizes}) == 1:
        return Splits(n_samples, len(sizes), sizes[0], True, None, tuple(kept))
    tested = np.concatenate([test for _, test in kept]) if kept else np.empty(0)
    n_repeats, n_folds = (1, len(kept)) if len(np.unique(tested)) == len(tested) else (len(kept), 1)
    return Splits(n_samples, n_repeats, n_folds, False, None, tuple(kept))


def check_indices(values: Any, where: str, n_samples: int | None = None) -> IndexArray:
    """Index array of one part of one split of so many samples, or of an unknown number of them.

    Boolean masks are accepted as scikit-learn accepts them.
    """
    refuse_masked(values, where)
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise ValueError(f"{where} must be a non-empty list of integers; got {values!r:.80}") from error
    if array.dtype == np.bool_ and array.shape == (n_samples,):
        array = np.flatnonzero(array)
    if array.ndim != 1 or array.size == 0 or not np.issubdtype(array.dtype, np.integer):
        raise ValueError(f"{where} must be a non-empty list of integers; got {values!r:.80}")
    if array.min() < 0 or (n_samples is not None and array.max() >= n_samples):
        end = "inf" if n_samples is None else n_samples
        raise ValueError(f"{where} must be in [0, {end}); got {array.min()} to {array.max()}")
    return array.astype(np.intp, copy=False)


def different_splits(name: str, other: str, splits: Pairs, others: Pairs) -> str:
    """The first split in which two differ, and how; empty where the samples are the same in all."""
    for i, pairs in enumerate(zip(splits, others, strict=True)):
        for part, a, b in zip(("training", "test"), *pairs, strict=True):
            if np.array_equal(a, b) or np.array_equal(np.sort(a), np.sort(b)):
                continue
            only = np.setdiff1d(a, b)
            how = f"{name} and {other} have the same samples, some another number of times"
            if len(a) != len(b):
                how = f"{len(a)} samples of {name}, {len(b)} of {other}"
            elif len(only):
                how = f"{len(only)} of {len(a)} samples of {name} are not among those of {other}, "
                how += f"the first is {only[0]}"
            return f"the {part} sets of split {i} differ: {how}"
    return ""


def _narrow(indices: IndexArray, n_samples: int) -> NarrowArray:
    return indices.astype(np.uint32 if n_samples <= 2**32 else np.uint64)


def _partition_sizes(pairs: Sequence[tuple[NarrowArray, NarrowArray]], n_samples: int) -> list[int]:
    """Number of consecutive test sets that make up each partition of the samples; none if they do not."""
    sizes, times = [0], np.zeros(n_samples, dtype=np.intp)
    for _, test in pairs:
        np.add.at(times, test, 1)
        sizes[-1] += 1
        if times.max() > len(sizes) or (len(test) == n_samples and len(pairs) > 1):
            return []
        if times.min() == len(sizes):
            sizes.append(0)
    return sizes[:-1] if sizes[-1] == 0 else []


@dataclass(eq=False)
class _FoldIds:
    """Splits as a fold number per sample and repeat, for as long as that gives them back exactly."""

    n_samples: int
    n_folds: int = 0  # per repeat; 0 until the first is complete
    repeats: list[NarrowArray] = field(default_factory=list)
    begun: NDArray[np.int32] | None = None  # the repeat that is not complete yet; -1 where untested
    _n_begun: int = 0
    _n_tested: int = 0

    def add(self, train: IndexArray, test: IndexArray) -> bool:
        """Take the next split, or refuse it and every later one."""
        n_samples = self.n_samples
        if len(train) + len(test) != n_samples or not np.all(np.diff(test) > 0):
            return False
        in_test = np.zeros(n_samples, dtype=bool)
        in_test[test] = True
        if not np.array_equal(train, np.flatnonzero(~in_test)):
            return False
        begun = np.full(n_samples, -1, dtype=np.int32) if self.begun is None else self.begun
        completes = self._n_tested + len(test) == n_samples
        if np.any(begun[test] >= 0) or (self.n_folds and completes != (self._n_begun + 1 == self.n_folds)):
            return False
        begun[test] = self._n_begun
        self.begun, self._n_begun, self._n_tested = begun, self._n_begun + 1, self._n_tested + len(test)
        if completes:
            self.n_folds = self._n_begun
            self.repeats.append(begun.astype(np.min_scalar_type(self.n_folds - 1)))
            self.begun, self._n_begun, self._n_tested = None, 0, 0
        return True

    def pairs(self) -> list[tuple[NarrowArray, NarrowArray]]:
        """The splits that were taken, as index arrays."""
        told: list[tuple[NDArray[Any], int]] = [(ids, self.n_folds) for ids in self.repeats]
        told += [] if self.begun is None else [(self.begun, self._n_begun)]
        in_tests = [ids == fold for ids, n_folds in told for fold in range(n_folds)]
        parts = [(np.flatnonzero(~in_test), np.flatnonzero(in_test)) for in_test in in_tests]
        return [(_narrow(train, self.n_samples), _narrow(test, self.n_samples)) for train, test in parts]


# The `cv` argument -> a scikit-learn splitter.


REPEATED = re.compile(r"([1-9]\d*)x([1-9]\d*)")
_LIKE_IT = re.compile(r"\s*(?:([1-9]\d{0,5})\s*[xX×*]\s*)?([1-9]\d{0,5})\s*(?:-?\s*folds?)?\s*", re.ASCII)


def _meant(cv: str) -> str:
    """What to write for a text that is like a number of folds, or of repeats and folds."""
    match = _LIKE_IT.fullmatch(cv)
    if match is None or match[2] == "1":
        return ""
    return f": write '{match[1]}x{match[2]}'" if match[1] else f": write {match[2]}"


class RepeatedGroups(model_selection.GroupKFold):  # type: ignore[misc]
    """A splitter of groups, shuffled anew in every repeat."""

    def __init__(self, kind: Any, n_splits: int, n_repeats: int, random_state: int | None) -> None:
        self.kind, self.n_splits, self.n_repeats, self.random_state = kind, n_splits, n_repeats, random_state

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Any]:
        rng = check_random_state(self.random_state)
        for _ in range(self.n_repeats):
            yield from self.kind(self.n_splits, shuffle=True, random_state=rng).split(X, y, groups)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # noqa: ARG002
        return self.n_splits * self.n_repeats


def make_splitter(cv: Any, y: Any, *, stratified: bool, random_state: int | None, grouped: bool = False) -> Any:
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
    grouped : bool
        Whether the samples stand in groups, each of which an int or ``"RxK"`` keeps on one side of every split.

    Raises
    ------
    ValueError
        If `cv` is none of these, or does not read the groups that there are.
    """
    k_fold: Any
    of_groups = model_selection.StratifiedGroupKFold if stratified else model_selection.GroupKFold
    if isinstance(cv, type):
        raise ValueError(f"cv must be a splitter, not its class; call {cv.__name__} to make one")
    if isinstance(cv, bool) or not (isinstance(cv, (Integral, Iterable)) or hasattr(cv, "split")):
        raise ValueError(f"cv must be an int k, 'RxK', a splitter or (train, test) pairs; got {cv!r:.80}")
    if isinstance(cv, Integral):
        if cv < 2:
            raise ValueError(f"cv must be at least 2 folds; got {cv}")
        k_fold = of_groups if grouped else model_selection.StratifiedKFold if stratified else model_selection.KFold
        return k_fold(n_splits=int(cv), shuffle=True, random_state=random_state)
    if isinstance(cv, str):
        match = REPEATED.fullmatch(cv)
        n_repeats, n_folds = (int(match[1][:9]), int(match[2][:9])) if match else (0, 0)
        if n_folds < 2:
            raise ValueError(
                "cv must be an int k, 'RxK' with at least 2 folds, a splitter or (train, test) pairs; got "
                f"{came(cv)}{_meant(cv)}"
            )
        if grouped:
            return RepeatedGroups(of_groups, n_folds, n_repeats, random_state)
        k_fold = model_selection.RepeatedStratifiedKFold if stratified else model_selection.RepeatedKFold
        return k_fold(n_splits=n_folds, n_repeats=n_repeats, random_state=random_state)
    if not hasattr(cv, "split"):  # what draws pairs may write the next one into the same arrays
        cv = list(cv if isinstance(cv, (list, tuple)) else map(own_copy, cv))
        for i, pair in enumerate(cv):
            check_pair(pair, i)
    elif grouped and isinstance(cv, model_selection.TimeSeriesSplit):
        raise ValueError(
            "cv must be pairs of training and test samples where samples in time order, as panel data, have groups: "
            "TimeSeriesSplit ignores groups. Draw them on the times, each time with the samples of all groups, or "
            f"leave groups out. An int k or 'RxK' keeps groups together (by {of_groups.__name__}) but gives up the "
            "order in time"
        )
    elif (  # other people's splitters may read them
        grouped
        and type(cv).__module__.startswith("sklearn.")
        and not isinstance(cv, model_selection.PredefinedSplit)
        and "groups" not in get_routing_for_object(cv).split.requests
    ):
        raise ValueError(
            f"cv must read groups where they are given; {type(cv).__name__} ignores them. An int k or 'RxK' keeps "
            f"groups together (by {of_groups.__name__}), and so do scikit-learn's splitters with Group in their names"
        )
    return model_selection.check_cv(cv, y, classifier=stratified)
