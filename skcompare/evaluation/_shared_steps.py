"""Leading steps that pipelines have in common, fitted and applied once per split."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from typing import Any, Literal, Protocol

import numpy as np
from scipy.sparse import issparse
from sklearn.pipeline import Pipeline

NOTHING = (None, "passthrough")  # steps that hand on what they get
Keys = tuple[bytes, ...]


class _Spec(Protocol):
    """What is known of an estimator."""

    @property
    def shared(self) -> Keys: ...

    @property
    def pairwise(self) -> bool: ...

    @property
    def leaves_input_unchanged(self) -> bool: ...

    @property
    def shared_unchanged(self) -> bool: ...


class _Parts(Protocol):
    """The samples of one split."""

    def features(self, part: Literal["train", "test"], *, pairwise: bool, shared: bool) -> Any: ...

    def target(self, part: Literal["train", "test"], *, shared: bool) -> Any: ...

    def release(self, part: Literal["train", "test"]) -> None: ...


class _Times(Protocol):
    """Of one fit."""

    fit_time: float
    saved_time: float


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

    def fit(self, pipeline: Any, spec: _Spec, parts: _Parts, params: Mapping[str, Any], times: _Times) -> bool:
        """Fit a pipeline that shares steps, but for those that are fitted already.

        Parameters
        ----------
        pipeline : estimator
            A clone of its own; a pipeline gets the fitted steps.
        spec : _Spec
            With the keys of the steps that are shared.
        parts : _Parts
            The samples.
        params : mapping
            Given to ``fit``; nothing of it is for steps that are shared.
        times : _Times
            Where the time is written down.

        Returns
        -------
        bool
            False where nothing was done: it shares no steps, or might not get the same as alone.
        """
        self._turn_to(spec.shared)
        if not spec.shared:
            return False
        start = perf_counter()
        try:
            return self._fit(pipeline, spec, parts, params, times)
        except BaseException:
            times.fit_time = perf_counter() - start
            raise
        finally:
            parts.release("train")

    def _fit(self, pipeline: Pipeline, spec: _Spec, parts: _Parts, params: Mapping[str, Any], times: _Times) -> bool:
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

    def _start(self, parts: _Parts, *, unchanged: bool) -> bool:
        """Take the training samples, unless steps might change them."""
        self._train = parts.features("train", pairwise=False, shared=unchanged)
        self._n_train = _n_rows(self._train)
        return not issparse(self._train) or _is_canonical(self._train)

    def _go_on(self, pipeline: Pipeline, keys: Keys, parts: _Parts) -> None:
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

    def for_prediction(self, fitted: Any, spec: _Spec, parts: _Parts, times: _Times) -> tuple[Any, Any, float]:
        """What predicts, on which samples, and the seconds that these took to make.

        After shared steps the other ones predict on what these make of the test samples, else all on the test samples.
        """
        saved, rest, self._rest = self._test_seconds, self._rest, None
        if rest is not None and self._make_test(parts):
            times.saved_time += saved
            return rest, self._test, self._test_seconds
        unchanged = spec.leaves_input_unchanged and spec.shared_unchanged
        return fitted, parts.features("test", pairwise=spec.pairwise, shared=unchanged), 0.0

    def _make_test(self, parts: _Parts) -> bool:
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
        if _lent(X, _n_rows(given), unchanged=True) is None:
            return False
        if n < len(self._steps):
            self._test_seconds += perf_counter() - start
        self._test, self._n_tested = X, len(self._steps)
        parts.release("test")
        return True


def _n_rows(X: Any) -> int:
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)


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
    known = type(X) is np.ndarray or is_frame or (issparse(X) and _is_canonical(X))
    return X if unchanged and known else None
