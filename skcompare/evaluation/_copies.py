"""Training and test parts of the data, copied as rarely as it is safe.

Estimators that are known to leave their input alone share one copy, whose memory is filled again for the next split:
that saves up to a third of a cheap fit. All others get copies of their own, down to the lists and arrays that stand in
the cells, and so do all where the data are large: the training part can then go before the test part is made.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.utils import _safe_indexing

from skcompare._core.own_copies import own_cells
from skcompare.evaluation._shared_steps import SharedSteps
from skcompare.evaluation._splits import Splits

# Data of at least this many bytes are copied anew for every estimator, so that the training part is gone before the
# test part is made; below it copies and their memory are used again, which saves up to a third of a cheap fit.
LARGE = 64 * 2**20
Part = Literal["train", "test"]


class Copies:
    """The parts of X and y for one split after the other.

    Parameters
    ----------
    X, y : indexable
        The data.
    splits : Splits
        The splits.
    lasting : bool
        Whether the memory of a part may be filled again for the next split; only where nothing keeps a reference to
        what it was given.
    """

    def __init__(self, X: Any, y: Any, splits: Splits, *, lasting: bool) -> None:
        self.X, self.y = _as_here(X), _as_here(y)
        self.splits = splits
        self.steps = SharedSteps()
        self._lasting = lasting and _is_plain(self.X) and not self._large
        self._split = -1
        self._shared: dict[str, Any] = {}
        self._memory: dict[str, NDArray[Any]] = {}

    @cached_property
    def _large(self) -> bool:
        return _n_bytes(self.X) >= LARGE

    def select(self, split: int) -> None:
        """Turn to a split."""
        if split != self._split:
            self._split = split
            self._shared.clear()
            self.steps.clear()
            self._rows: dict[Part, NDArray[np.intp]] = dict(zip(("train", "test"), self.splits[split], strict=True))
            self._targets = {part: _take(self.y, rows) for part, rows in self._rows.items()}

    def features(self, part: Part, *, pairwise: bool, shared: bool) -> Any:
        """The part of X, `shared` or a copy; of a precomputed kernel train by train or test by train."""
        rows = self._rows[part]
        if pairwise:
            return self.X[np.ix_(rows, self._rows["train"])]
        if not shared:
            return own_cells(_take(self.X, rows))
        if part not in self._shared:
            self._shared[part] = self._fill(part, rows) if self._lasting else _take(self.X, rows)
        return self._shared[part]

    def target(self, part: Part, *, shared: bool) -> Any:
        """The part of y."""
        return self._targets[part] if shared else own_cells(_take(self.y, self._rows[part]))

    def params(self, params: Mapping[str, Any], part: Part, *, shared: bool) -> dict[str, Any]:
        """Parameters with the per-sample ones cut to the part, as `cross_validate` does."""
        rows, n_samples = self._rows[part], self.splits.n_samples
        found = {
            name: _safe_indexing(value, rows) if _has_samples(value, n_samples) else value
            for name, value in params.items()
        }
        return found if shared else own_cells(found)

    def is_partial(self, classes: NDArray[Any] | None) -> bool:
        """Whether a metric may have no value on the split, as where a class is missing."""
        assert self._split is not None
        return self.splits.is_partial(self._split, np.asarray(self.y), classes)

    def release(self, part: Part) -> None:
        """Let go of a part of large data."""
        if self._large:
            self._shared.pop(part, None)

    def _fill(self, part: str, rows: NDArray[np.intp]) -> NDArray[Any]:
        if part not in self._memory or len(self._memory[part]) < len(rows):
            self._memory[part] = np.empty((len(rows), *self.X.shape[1:]), dtype=self.X.dtype)
        filled = self._memory[part][: len(rows)]
        return np.take(self.X, rows, axis=0, out=filled, mode="clip")  # "raise" would fill a second array first


def _take(values: Any, indices: NDArray[np.intp]) -> Any:
    if values is None:
        return None
    return values[indices] if isinstance(values, np.ndarray) else _safe_indexing(values, indices)


def _is_plain(X: Any) -> bool:
    return type(X) is np.ndarray and X.dtype.kind in "biuf" and X.flags.c_contiguous


def _n_bytes(X: Any) -> int:
    if hasattr(X, "memory_usage"):
        return int(np.sum(X.memory_usage(index=False)))
    if hasattr(X, "nbytes"):
        return int(X.nbytes)
    return int(X.data.nbytes) if issparse(X) and hasattr(X, "data") else 0


def _has_samples(value: Any, n_samples: int) -> bool:
    if isinstance(value, (str, bytes, Mapping)):
        return False
    if hasattr(value, "shape"):
        return len(value.shape) > 0 and value.shape[0] == n_samples
    return hasattr(value, "__len__") and len(value) == n_samples


def _as_here(data: Any) -> Any:
    """Data as they would be in any process: plain for memory maps, and of numpy's own dtype object.

    An array that was sent has another one, which would make a fitted model with arrays of both larger when pickled.
    """
    if isinstance(data, np.memmap):
        data = np.asarray(data)
    return data.view(np.dtype(data.dtype.str)) if type(data) is np.ndarray and data.dtype.kind in "biufc" else data
