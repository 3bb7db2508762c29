"""Training sets of several sizes: each a part of the next larger one, with the same test sets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.warnings import Code, CodedWarning
from skcompare.evaluation._prepare import PreparedEvaluation
from skcompare.evaluation._splits import IndexArray, Splits, splits_from_pairs
from skcompare.evaluation._task import is_classification

FEWEST = 2  # samples of a training set
Sizes = tuple[float, ...] | tuple[int, ...]


def check_sizes(train_sizes: Any) -> Sizes:
    """Shares of the training samples, or their numbers, in ascending order; ValueError where they are neither."""
    wanted = "two or more shares of the training samples in (0, 1], or numbers of them from 2"
    if isinstance(train_sizes, (str, bytes)) or not isinstance(train_sizes, (Sequence, np.ndarray)):
        raise ValueError(f"train_sizes must be {wanted}; got {train_sizes!r:.80}")
    given = [size.item() if isinstance(size, np.generic) else size for size in train_sizes]
    if len(given) < 2 or any(isinstance(size, bool) or not isinstance(size, Real) for size in given):
        raise ValueError(f"train_sizes must be {wanted}; got {given!r:.80}")
    counts = all(isinstance(size, Integral) for size in given)
    for size in given:
        if not (size >= FEWEST if counts else 0 < size <= 1):
            raise ValueError(f"train_sizes must be {wanted}; got {size!r}")
    if len(set(given)) < len(given):
        raise ValueError(f"train_sizes must be distinct; got {given!r:.80}")
    return tuple(sorted(given))


def cut_to_sizes(prepared: PreparedEvaluation, sizes: Sizes) -> dict[int, PreparedEvaluation]:
    """The evaluation with training sets of each size, by the size: their mean number of samples, as an integer.

    Every training set is the beginning of one order of the samples of the largest, in which the classes are spread
    evenly; in time order it is its end, the samples just before the test set.

    Raises
    ------
    ValueError
        If two sizes are the same on these splits, or one is more than there are samples.
    """
    full = prepared.splits
    largest, counts = max(full.train_sizes), isinstance(sizes[0], int)
    if counts and sizes[-1] > largest:
        raise ValueError(f"train_sizes must be at most {largest}, as many samples are trained on; got {sizes[-1]}")
    found: dict[int, PreparedEvaluation] = {}
    orders = list(_orders(prepared))
    for size in sizes:
        numbers = [min(int(size), n) if counts else int(size * n + 1e-9) for n in full.train_sizes]
        if min(numbers) < FEWEST:
            left = f"{size!r} of {min(full.train_sizes)} leaves {min(numbers)}"
            raise ValueError(f"train_sizes must leave {FEWEST} or more training samples; {left}")
        if numbers == list(full.train_sizes):
            splits = full
        else:
            splits = splits_from_pairs(_cut(full, orders, numbers), full.n_samples)
        label = round(float(np.mean(numbers)))
        if label in found:
            raise ValueError(f"train_sizes must be apart; {size!r} gives {label} training samples, as one before it")
        found[label] = prepared if splits is full else replace(prepared, splits=splits, cut_from=full)
    return found


def warnings_of_sizes(prepared: dict[int, PreparedEvaluation]) -> tuple[CodedWarning, ...]:
    """At which sizes some training sets lack a class."""
    lacking = {}
    for size, one in prepared.items():
        if is_classification(one.task):
            codes = np.unique(one.truth, return_inverse=True)[1]
            n_classes = int(codes.max()) + 1
            lacking[size] = sum(len(np.unique(codes[train])) < n_classes for train, _ in one.splits)
    return tuple(
        Code.CLASSES_MISSING(
            f"{n} of {len(prepared[size].splits)} training sets of {size} samples lack a class, which their models "
            "cannot know.",
            (str(size),),
        )
        for size, n in lacking.items()
        if n
    )


def _cut(full: Splits, orders: Sequence[IndexArray], numbers: Sequence[int]) -> Iterator[tuple[IndexArray, IndexArray]]:
    for i, (order, n) in enumerate(zip(orders, numbers, strict=True)):
        yield np.sort(order[:n]), full.held_out(i)


def _orders(prepared: PreparedEvaluation) -> Iterator[IndexArray]:
    """The order in which the samples of each training set come in, drawn with the seed and the samples themselves."""
    full = prepared.splits
    codes = np.unique(prepared.truth, return_inverse=True)[1] if is_classification(prepared.task) else None
    for train, test in full:
        if full.time_order:  # what is next to the test set stays
            yield np.sort(train)[:: -1 if train[0] < test[0] else 1]
            continue
        own = int.from_bytes(sha256(np.ascontiguousarray(train, dtype="<u8").data).digest()[:8], "little")
        rng = np.random.default_rng([own, prepared.random_state or 0])
        yield train[_spread(np.zeros(len(train), dtype=np.intp) if codes is None else codes[train], rng)]


def _spread(codes: NDArray[np.intp], rng: np.random.Generator) -> NDArray[np.intp]:
    """Positions in a random order whose every beginning holds the classes in about their shares."""
    place = np.empty(len(codes))
    for code in np.unique(codes):
        members = np.flatnonzero(codes == code)
        place[rng.permutation(members)] = (np.arange(len(members)) + rng.random()) / len(members)
    return np.argsort(place, kind="stable")
