"""How often every class, or every label of several, occurs in the data and in each test set."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.design import ClassCount
from skcompare._core.printable import one_line
from skcompare.evaluation._splits import Splits
from skcompare.evaluation._task import Task, is_classification

_MOST_CLASSES = 100


def class_counts(y: NDArray[Any], splits: Splits, task: Task) -> tuple[ClassCount, ...]:
    """Of every class, or of every label how many samples have it; nothing of numbers, and of very many."""
    if task == "multilabel" and y.ndim == 2 and y.shape[1] <= _MOST_CLASSES:
        has, tests = y.astype(bool), _tests(splits)
        return tuple(
            ClassCount(
                label=str(label), total=int(one.sum()), test_counts=tuple(int(one[test].sum()) for test in tests)
            )
            for label, one in enumerate(has.T)
        )
    if not is_classification(task) or y.ndim != 1:
        return ()
    classes, codes = np.unique(y, return_inverse=True)
    if len(classes) > _MOST_CLASSES:
        return ()
    found = np.array([np.bincount(codes[test], minlength=len(classes)) for test in _tests(splits)])
    return tuple(
        ClassCount(label=one_line(repr(label)), total=int(n), test_counts=tuple(counts.tolist()))
        for label, n, counts in zip(classes.tolist(), np.bincount(codes), found.T, strict=True)
    )


def _tests(splits: Splits) -> list[NDArray[np.intp]]:
    return [test for repeat in range(splits.n_repeats) for test in splits.all_held_out(repeat)]
