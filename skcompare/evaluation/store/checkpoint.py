"""Finished fits of an evaluation: found again in a store, and put there."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from skcompare._core.numbers import briefly
from skcompare._core.warnings import warn
from skcompare.evaluation.chunks import EstimatorSpec, FitPlan, FoldOutcome, Work
from skcompare.evaluation.fit import lasting
from skcompare.evaluation.predictions import RESPONSES
from skcompare.evaluation.store import stored_fit
from skcompare.evaluation.store.file import check_path, named_errors
from skcompare.evaluation.store.keys import data_digest, digest_of, evaluation_of, split_digests, stored_estimators
from skcompare.evaluation.store.store import BufferedStore, FitKey, Store

_NO_SEED = -1


class Checkpoint(BufferedStore):
    """The finished fits of one evaluation in a store; a context manager for the calling process alone.

    Parameters
    ----------
    path : path-like
        The file, made where there is none.
    work : Work
        The data, the splits, the estimators and what is collected.
    seeds : sequence of int or None
        One per split.

    Raises
    ------
    ValueError
        If the file cannot be used, or an estimator, a scorer, a parameter or the data cannot be told from others.

    Warns
    -----
    UserWarning
        If code of the models or scorers reads files, the environment, other code or chance.
    """

    _run, _kept, _rows, _lost, _again = "run", "finished fits", "fits", "finished fits", "fitted"

    def __init__(self, path: str | os.PathLike[str], work: Work, seeds: Sequence[int] | None) -> None:
        check_path(path)
        plan = work.plan
        unseen: list[str] = []
        self._evaluation = evaluation_of(work.X, work.y, plan, unseen)
        self._estimators = stored_estimators(self._evaluation, work.specs, unseen)
        digests = split_digests(work.splits)
        drawn = seeds if seeds is not None else [_NO_SEED] * len(digests)
        self._keys = list[list[FitKey]]()
        for spec, stored in zip(work.specs, self._estimators, strict=True):
            # code that is not known may draw from the global random states, which then have the split's seed
            own = drawn if spec.seeded or not lasting([spec.as_a_whole], plan) else [_NO_SEED] * len(digests)
            self._keys.append([FitKey(d, seed, stored.digest) for d, seed in zip(digests, own, strict=True)])
        self._test_sizes = work.splits.test_sizes
        self._responses = frozenset(chain(RESPONSES, *plan.responses))
        self._claimed = partial(stored_fit.claimed_bytes, responses=self._responses)
        self._n_classes = None if plan.classes is None else len(plan.classes)
        self._timed = "predict_time" in plan.costs
        self._needed = [_needed(spec, plan) for spec in work.specs]
        self._damaged: set[tuple[int, int]] = set()
        self._poorer: set[tuple[int, int]] = set()  # without a response or a time that is asked for now
        self._not_storable: dict[str, str] = {}
        super().__init__(path)
        if unseen := list(dict.fromkeys(unseen)):
            warn(
                f"store: your code reads what a store cannot see: {briefly(unseen)}; take another store after a change "
                f"of that, or stored fits are given back that it does not show in"
            )

    def finished(self) -> dict[tuple[int, int], FoldOutcome]:
        """Stored outcomes by split and position of the estimator.

        Raises
        ------
        ValueError
            If the file is damaged as a whole.

        Warns
        -----
        UserWarning
            If single fits in it are damaged; they are left out.
        """
        found = {}
        with named_errors(self._store.path):
            for position, keys in enumerate(self._keys):
                for split, key in enumerate(keys):
                    if (outcome := self._find(split, position, key)) is not None:
                        found[split, position] = outcome
        self._tell_damaged(len(self._damaged))
        self._n_there = len(found)
        return found

    def save(self, done: Sequence[tuple[int, int, FoldOutcome]]) -> None:
        """Store outcomes in one transaction; those with errors are left out.

        Where the file cannot be written they are kept, and written at a later call or at the end.

        Warns
        -----
        UserWarning
            The first time that the file cannot be written.
        """
        for split, position, outcome in done:
            scores = outcome.scored.values() if isinstance(outcome.scored, dict) else [outcome.scored]
            if outcome.errors or any(isinstance(score, str) for score in scores):  # a text is that of an error
                continue
            try:
                self._waiting.append((split, position, stored_fit.to_stored(outcome)))
            except stored_fit.NotStorableError as error:
                self._not_storable.setdefault(self._estimators[position].name, str(error))
        self._write_if_due()

    def close(self) -> None:
        """Write what could not be written before, if it can be now, and close the file.

        Warns
        -----
        UserWarning
            If fits are not in the file in the end.
        """
        super().close()
        for name, what in self._not_storable.items():
            warn(f"store: fits of {name!r} are not stored and will be fitted again: a store cannot hold {what}")
        self._not_storable.clear()

    def _find(self, split: int, position: int, key: FitKey) -> FoldOutcome | None:
        n_test = self._test_sizes[split]
        try:
            fit = self._store.find(self._number[position], key, partial(self._claimed, n_test=n_test))
            if fit is None:
                return None
            outcome = stored_fit.from_stored(fit, n_test=n_test, responses=self._responses, n_classes=self._n_classes)
        except stored_fit.DamagedError:
            self._damaged.add((split, position))
            return None
        kept = [next((one for one in names if one in outcome.responses), "") for names in self._needed[position]]
        if (self._timed and np.isnan(outcome.predict_time)) or not all(kept):
            self._poorer.add((split, position))
            return None
        outcome.responses = {method: outcome.responses[method] for method in dict.fromkeys(kept)}
        return outcome

    def _register(self) -> None:
        self._number = self._store.register(self._evaluation, self._estimators)

    def _write(self, items: Sequence[tuple[int, int, stored_fit.StoredFit]]) -> None:
        replaced = self._damaged | self._poorer
        self._store.write(
            (self._number[position], self._keys[position][split], fit, (split, position) in replaced)
            for split, position, fit in items
        )

    def _bytes_of(self, item: tuple[int, int, stored_fit.StoredFit]) -> int:
        return len(item[2].content) + len(item[2].scored) + 400


def _needed(spec: EstimatorSpec, plan: FitPlan) -> list[tuple[str, ...]]:
    """The methods whose values a fit of this estimator keeps, in their order; where one of several, by preference.

    Which of them a model has is known before its fit, but of one that has none until then.
    """
    known = [tuple(n for n in names if hasattr(spec.estimator, n))[:1] or names for names in plan.responses]
    return list(dict.fromkeys([("predict",), *known]))


def remembered_seed(path: str | os.PathLike[str], X: Any, y: Any, cv_text: str, draw: Callable[[], int]) -> int:
    """The seed that the first run on the same data and number of folds drew, so that later runs draw the same splits.

    The repeats of fewer are the first of more.

    Raises
    ------
    ValueError
        If the file cannot be used, or the data cannot be told from others.
    """
    check_path(path)
    data = [data_digest(X, "X"), data_digest(y, "y")]
    n_folds = cv_text.rpartition("x")[2]
    with closing(Store.open(path)) as store, named_errors(path):
        return store.remember(digest_of([*data, f"folds {n_folds}"]), draw)
