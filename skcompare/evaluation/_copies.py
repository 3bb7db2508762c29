"""Training and test parts of the data, copied as rarely as it is safe.

Estimators that are known to leave their input alone share one copy, whose memory is filled again for the next split:
that saves up to a third of a cheap fit. All others get copies of their own, and so do all where the data are large:
the training part can then go before the test part is made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.utils import _safe_indexing

from skcompare.evaluation._shared_steps import SharedSteps
from skcompare.evaluation._splits import Splits

# Data of at least this many bytes are copied anew for every estimator, so that the training part is gone before the
# test part is made; below it copies and their memory are used again, which saves up to a third of a cheap fit.
LARGE = 64 * 2**20
Part = Literal["train", "test"]
KNOWN_PACKAGES = frozenset({"sklearn", "numpy", "scipy", "builtins"})
_PLAIN = (type(None), bool, int, float, complex, str, bytes)


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
            return _take(self.X, rows)
        if part not in self._shared:
            self._shared[part] = self._fill(part, rows) if self._lasting else _take(self.X, rows)
        return self._shared[part]

    def target(self, part: Part, *, shared: bool) -> Any:
        """The part of y."""
        return self._targets[part] if shared else _take(self.y, self._rows[part])

    def params(self, params: Mapping[str, Any], part: Part) -> dict[str, Any]:
        """Parameters with the per-sample ones cut to the part, as `cross_validate` does."""
        rows, n_samples = self._rows[part], self.splits.n_samples
        return {
            name: _safe_indexing(value, rows) if _has_samples(value, n_samples) else value
            for name, value in params.items()
        }

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


def from_sklearn(estimator: Any) -> bool:
    """Whether an estimator and everything in its parameters comes from scikit-learn, numpy or scipy."""
    return _from_known_package(estimator) and all(
        _is_known_value(value) for value in estimator.get_params(deep=True).values()
    )


def leaves_input_unchanged(estimator: Any) -> bool:
    """Whether an estimator is known to leave its input as it is and to keep no reference to it after its own end.

    scikit-learn's estimators do, which its common tests hold on read-only input, unless told not to copy.
    """
    return from_sklearn(estimator) and not says_not_to_copy(estimator)


def says_not_to_copy(value: Any, name: str = "") -> bool:
    """Whether a parameter called copy is off in an estimator, or may be where one of several values is taken."""
    if isinstance(value, BaseEstimator):
        return any(says_not_to_copy(part, key) for key, part in value.get_params(deep=False).items())
    if isinstance(value, Mapping):
        return any(says_not_to_copy(item, str(key)) for key, item in value.items())
    if isinstance(value, (list, tuple, set, frozenset)):
        return any(says_not_to_copy(item, name) for item in value)
    named = name.rpartition("__")[2].startswith("copy")
    if isinstance(value, np.ndarray):
        return named or (value.dtype.hasobject and any(says_not_to_copy(item, name) for item in value.flat))
    return named and not isinstance(value, str) and not value


def _is_known_value(value: Any) -> bool:
    if isinstance(value, _PLAIN):
        return True
    if isinstance(value, (list, tuple, set, frozenset)) and type(value).__module__ == "builtins":
        return all(_is_known_value(item) for item in value)
    if isinstance(value, dict):
        return all(_is_known_value(item) for pair in value.items() for item in pair)
    return _from_known_package(value)


def _from_known_package(value: Any) -> bool:
    named: Sequence[Any] = (value,) if callable(value) and hasattr(value, "__qualname__") else (type(value),)
    return all(str(getattr(item, "__module__", "")).partition(".")[0] in KNOWN_PACKAGES for item in named)


def _as_here(data: Any) -> Any:
    """Data as they would be in any process: plain for memory maps, and of numpy's own dtype object.

    An array that was sent has another one, which would make a fitted model with arrays of both larger when pickled.
    """
    if isinstance(data, np.memmap):
        data = np.asarray(data)
    return data.view(np.dtype(data.dtype.str)) if type(data) is np.ndarray and data.dtype.kind in "biufc" else data
