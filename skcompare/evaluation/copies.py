"""Training and test parts of the data, copied as rarely as it is safe.

Estimators that are known to leave their input alone share one copy, whose memory is filled again for the next split:
that saves up to a third of a cheap fit. All others get copies of their own, down to the lists and arrays that stand in
the cells, and so do all where the data are large: the training part can then go before the test part is made.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from functools import cached_property
from time import perf_counter, thread_time
from typing import Any, Literal

import numpy as np
from joblib import hash as joblib_hash
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.pipeline import Pipeline
from sklearn.utils import _safe_indexing

from skcompare._core.frames import own_cells
from skcompare.evaluation.chunks import EstimatorSpec, FoldOutcome
from skcompare.evaluation.foreign_code import Data
from skcompare.evaluation.input import n_rows
from skcompare.evaluation.splits import Splits

# Leading steps that pipelines have in common, fitted and applied once per split.


MOST_REMEMBERED = 2**26  # bytes
NOTHING = (None, "passthrough")  # steps that hand on what they get
Keys = tuple[bytes, ...]
Params = Mapping[str, Any]


class SharedSteps:
    """The fitted leading steps of pipelines on one split, and what they make of its samples.

    One chain of steps is kept at a time. A pipeline whose steps begin with it goes on from its end, any other one
    starts anew. What follows gets what it would get alone, values and layout; where that is in doubt nothing is kept.
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Let go of everything."""
        self._keys: Keys = ()
        self._steps: list[Any] = []
        self._train: Any = None
        self._test: Any = None
        self._n_tested = self._n_train = 0
        self._fit_seconds = self._test_seconds = 0.0
        self._rest: Pipeline | None = None
        self._unchanged = True

    def fit(self, pipeline: Any, spec: EstimatorSpec, parts: Copies, times: FoldOutcome) -> bool:
        """Fit a pipeline that shares steps, but for those that are fitted already.

        Parameters
        ----------
        pipeline : estimator
            A clone of its own; a pipeline gets the fitted steps.
        spec : EstimatorSpec
            With the keys of the steps that are shared.
        parts : Copies
            The samples.
        times : FoldOutcome
            Where the time is written down.

        Returns
        -------
        bool
            False where nothing was done: it might not get the same as alone.
        """
        self._turn_to(spec.shared)
        start = perf_counter()
        try:
            return self._fit(pipeline, spec, parts, times)
        except BaseException:
            times.fit_time = perf_counter() - start
            raise
        finally:
            parts.release("train")

    def _fit(self, pipeline: Pipeline, spec: EstimatorSpec, parts: Copies, times: FoldOutcome) -> bool:
        self._unchanged = spec.shared_unchanged
        if not self._keys and not self._start(parts, unchanged=spec.leaves_input_unchanged and self._unchanged):
            return False
        saved, n_before, n = self._fit_seconds, len(self._keys), len(spec.shared)
        self._go_on(pipeline, spec.shared, parts)
        X, made, unchanged = self._train, self._fit_seconds, spec.leaves_input_unchanged
        lent = _lent(X, self._n_train, unchanged=unchanged)
        if lent is None and n_before:
            return False
        names, rest = [name for name, _ in pipeline.steps[:n]], pipeline.steps[n:]
        pipeline.steps = [*zip(names, self._steps, strict=True), *rest]
        last = Pipeline([*((name, "passthrough") for name in names), *rest])
        if lent is None:  # it was made for this model alone
            self.clear()
        y = parts.target("train", shared=unchanged)
        params = parts.params(spec.fit_params, "train", shared=unchanged)  # nothing of it is for steps that are shared
        start = perf_counter()
        last.fit(X if lent is None else lent, y, **params)
        times.fit_time, times.saved_time = made + perf_counter() - start, saved
        self._rest = last if unchanged and lent is not None else None
        return True

    def _turn_to(self, keys: Keys) -> None:
        """Keep what these steps begin with, or nothing."""
        n = len(self._keys)
        goes_on = n < len(keys) and _lent(self._train, self._n_train, unchanged=True) is not None
        if keys[:n] != self._keys or not (n == len(keys) or goes_on):
            self.clear()
        self._rest = None

    def _start(self, parts: Copies, *, unchanged: bool) -> bool:
        """Take the training samples, unless steps might change them."""
        self._train = parts.features("train", pairwise=False, shared=unchanged)
        self._n_train = n_rows(self._train, "X")
        return not issparse(self._train) or _is_canonical(self._train)

    def _go_on(self, pipeline: Pipeline, keys: Keys, parts: Copies) -> None:
        """Fit the steps that are missing, as a pipeline does."""
        y = parts.target("train", shared=self._unchanged)
        for i in range(len(self._keys), len(keys)):
            start, (_, step) = perf_counter(), pipeline.steps[i]
            if step in NOTHING:
                pass
            elif hasattr(step, "fit_transform"):
                self._train = step.fit_transform(self._train, y)
            else:
                self._train = step.fit(self._train, y).transform(self._train)
            self._keys, self._steps = keys[: i + 1], [*self._steps, step]
            self._fit_seconds += perf_counter() - start

    def for_prediction(self, fitted: Any, spec: EstimatorSpec, parts: Copies, times: FoldOutcome) -> Any:
        """What predicts, on which samples, and the seconds that these took to make.

        After shared steps the other ones predict on what these make of the test samples, else all on the test samples.
        """
        saved, rest, self._rest = self._test_seconds, self._rest, None
        if rest is not None and self._make_test(parts):
            times.saved_time += saved
            return rest, self._test, self._test_seconds
        unchanged = spec.leaves_input_unchanged and spec.shared_unchanged
        return fitted, parts.features("test", pairwise=spec.pairwise, shared=unchanged), 0.0

    def _make_test(self, parts: Copies) -> bool:
        """Whether the steps give something to lend; where one fails, the whole pipeline then meets that."""
        n = self._n_tested
        given = self._test if n else parts.features("test", pairwise=False, shared=self._unchanged)
        if issparse(given) and not _is_canonical(given):
            return False
        start, X = perf_counter(), given
        try:
            for step in self._steps[n:]:
                X = X if step in NOTHING else step.transform(X)
        except Exception:
            return False
        if _lent(X, n_rows(given, "X"), unchanged=True) is None:
            return False
        if n < len(self._steps):
            self._test_seconds += perf_counter() - start
        self._test, self._n_tested = X, len(self._steps)
        parts.release("test")
        return True


class Remembered:
    """What the leading steps of a search's pipelines gave on equal samples: scikit-learn's ``memory``, for one fit.

    What takes no longer than to tell whether samples are equal is done anew, and so is all that finds no room.
    """

    location = None  # steps need no copies

    def __init__(self) -> None:
        self._kept: dict[str, Any] = {}
        self._cheap: set[tuple[type, int]] = set()
        self._room = MOST_REMEMBERED

    def __deepcopy__(self, _: Any) -> Remembered:
        return self

    def __reduce__(self) -> tuple[type[Remembered], tuple[()]]:
        return Remembered, ()  # another process begins with nothing

    def cache(self, fit_transform: Callable[..., Any], ignore: Collection[str] = ()) -> Callable[..., Any]:
        """The same function, which remembers."""

        def remembering(step: Any, X: Any, y: Any, **given: Any) -> Any:
            kind = type(step), int(np.prod(getattr(X, "shape", ())))
            if kind in self._cheap:
                return fit_transform(step, X, y, **given)
            start = thread_time()
            key = str(joblib_hash((step, X, y, {name: value for name, value in given.items() if name not in ignore})))
            told = thread_time()
            if key not in self._kept:
                found = fit_transform(step, X, y, **given)
                size = _n_bytes(found[0])
                if thread_time() - told < told - start or size is None or size > self._room:
                    self._cheap.add(kind)
                    return found
                self._room -= size
                self._kept[key] = found
            return self._kept[key]

        return remembering


@contextmanager
def remembering(search: Any) -> Iterator[None]:
    """While a search is fitted, its pipelines fit equal leading steps on equal samples once."""
    search.estimator.memory = Remembered()
    try:
        yield
    finally:
        search.estimator.memory = None
        if hasattr(search, "best_estimator_"):
            search.best_estimator_.memory = None


def _n_bytes(X: Any) -> int | None:
    """Those of samples that several steps may be given."""
    if _lent(X, n_rows(X, "X"), unchanged=True) is None:
        return None
    if hasattr(X, "memory_usage"):
        return int(X.memory_usage(index=False).sum())
    values: Any = X
    return int(3 * values.data.nbytes if issparse(X) else getattr(X, "nbytes", MOST_REMEMBERED))


def _is_canonical(X: Any) -> bool:
    """Whether no step sorts or sums the entries of a sparse matrix in place."""
    return X.format in ("csr", "csc") and bool(X.has_canonical_format)


def _lent(X: Any, n_rows: int, *, unchanged: bool) -> Any:
    """What several models may be given, a copy each where they might change it; None where that is in doubt."""
    if len(getattr(X, "shape", ())) != 2 or X.shape[0] != n_rows:
        return None
    if type(X) is np.ndarray and not unchanged:
        copy = None if X.dtype.hasobject else X.copy(order="K")
        return copy if copy is not None and copy.strides == X.strides else None
    is_frame = type(X).__module__.partition(".")[0] in ("pandas", "polars")
    return X if unchanged and (type(X) is np.ndarray or is_frame or (issparse(X) and _is_canonical(X))) else None


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
        self.steps: SharedSteps | None = None
        plain = type(self.X) is np.ndarray and self.X.dtype.kind in "biuf" and self.X.flags.c_contiguous
        self._lasting = lasting and plain and not self._large
        # scipy may sort such a slice in place; asked of another object, on which it notes what it finds
        self._unsorted = issparse(self.X) and not _is_canonical(copy(self.X))
        self._split = -1
        self._shared: dict[str, Any] = {}
        self._memory: dict[str, NDArray[Any]] = {}
        self._targets: dict[str, Any] = {}

    @cached_property
    def _large(self) -> bool:
        if hasattr(self.X, "memory_usage"):
            return bool(np.sum(self.X.memory_usage(index=False)) >= LARGE)
        array = self.X if hasattr(self.X, "nbytes") or not issparse(self.X) else getattr(self.X, "data", None)
        return bool(getattr(array, "nbytes", 0) >= LARGE)

    def select(self, split: int) -> None:
        """Turn to a split."""
        if split != self._split:
            self._split = split
            self._shared.clear()
            self.steps = None
            self._rows: dict[Part, NDArray[np.intp]] = dict(zip(("train", "test"), self.splits[split], strict=True))
            self._targets.clear()

    def features(self, part: Part, *, pairwise: bool, shared: bool) -> Any:
        """The part of X, `shared` or a copy; of a precomputed kernel train by train or test by train."""
        rows = self._rows[part]
        if pairwise:
            return self.X[np.ix_(rows, self._rows["train"])]
        if not shared or self._unsorted:
            return own_cells(_take(self.X, rows))
        if part not in self._shared and not self._lasting:
            self._shared[part] = _take(self.X, rows)
        elif part not in self._shared:
            if len(self._memory.get(part, ())) < len(rows):
                self._memory[part] = np.empty((len(rows), *self.X.shape[1:]), dtype=self.X.dtype)
            # "raise" would fill a second array first
            self._shared[part] = np.take(self.X, rows, axis=0, out=self._memory[part][: len(rows)], mode="clip")
        return self._shared[part]

    def target(self, part: Part, *, shared: bool) -> Any:
        """The part of y."""
        if not shared:
            return own_cells(_take(self.y, self._rows[part]))
        if part not in self._targets:
            self._targets[part] = _take(self.y, self._rows[part])
        return self._targets[part]

    def params(self, params: Params, part: Part, *, shared: bool) -> dict[str, Any]:
        """Parameters with the per-sample ones cut to the part, as `cross_validate` does."""
        if not params:
            return {}
        rows, n = self._rows[part], self.splits.n_samples
        found = {name: _safe_indexing(x, rows) if _has_samples(x, n) else x for name, x in params.items()}
        return found if shared else own_cells(found)

    def data(self, part: Part, params: Params, *, pairwise: bool, shared: bool = False) -> Data:
        """The part of X, and of y if there is one, and parameters that are cut to it."""
        X = self.features(part, pairwise=pairwise, shared=shared)
        y = [] if self.y is None else [self.target(part, shared=shared)]
        return (X, *y), self.params(params, part, shared=shared)

    def is_partial(self, classes: NDArray[Any] | None) -> bool:
        """Whether a metric may have no value on the split, as where a class is missing."""
        return self.splits.is_partial(self._split, np.asarray(self.y), classes)

    def release(self, part: Part) -> None:
        """Let go of a part of large data."""
        if self._large:
            self._shared.pop(part, None)


def _take(values: Any, indices: NDArray[np.intp]) -> Any:
    if values is None:
        return None
    return values[indices] if isinstance(values, np.ndarray) else _safe_indexing(values, indices)


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
