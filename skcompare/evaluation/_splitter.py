"""The `cv` argument -> a scikit-learn splitter."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from numbers import Integral
from typing import Any

from sklearn.model_selection import (
    GroupKFold,
    KFold,
    PredefinedSplit,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    StratifiedGroupKFold,
    StratifiedKFold,
    TimeSeriesSplit,
    check_cv,
)
from sklearn.utils import check_random_state
from sklearn.utils.metadata_routing import get_routing_for_object

from skcompare.evaluation._splits import check_pair

_REPEATED = re.compile(r"([1-9]\d*)x([1-9]\d*)")


class RepeatedGroups(GroupKFold):  # type: ignore[misc]
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
    of_groups = StratifiedGroupKFold if stratified else GroupKFold
    if isinstance(cv, type):
        raise ValueError(f"cv must be a splitter, not its class; call {cv.__name__} to make one")
    if isinstance(cv, bool) or not (isinstance(cv, (Integral, Iterable)) or hasattr(cv, "split")):
        raise ValueError(f"cv must be an int k, 'RxK', a splitter or (train, test) pairs; got {cv!r:.80}")
    if isinstance(cv, Integral):
        if cv < 2:
            raise ValueError(f"cv must be at least 2 folds; got {cv}")
        k_fold = of_groups if grouped else StratifiedKFold if stratified else KFold
        return k_fold(n_splits=int(cv), shuffle=True, random_state=random_state)
    if isinstance(cv, str):
        match = _REPEATED.fullmatch(cv)
        if match is None or int(match[2]) < 2:
            raise ValueError(
                f"cv must be an int k, 'RxK' with at least 2 folds, a splitter or (train, test) pairs; got {cv!r}"
            )
        if grouped:
            return RepeatedGroups(of_groups, int(match[2]), int(match[1]), random_state)
        k_fold = RepeatedStratifiedKFold if stratified else RepeatedKFold
        return k_fold(n_splits=int(match[2]), n_repeats=int(match[1]), random_state=random_state)
    if not hasattr(cv, "split"):
        cv = list(cv)
        for i, pair in enumerate(cv):
            check_pair(pair, i)
    elif grouped and isinstance(cv, TimeSeriesSplit):
        raise ValueError(
            "cv must be pairs of training and test samples where samples in time order, as panel data, have groups: "
            "TimeSeriesSplit ignores groups. Draw them on the times, each time with the samples of all groups, or "
            f"leave groups out. An int k or 'RxK' keeps groups together (by {of_groups.__name__}) but gives up the "
            "order in time"
        )
    elif grouped and _ignores_groups(cv):
        raise ValueError(
            f"cv must read groups where they are given; {type(cv).__name__} ignores them. An int k or 'RxK' keeps "
            f"groups together (by {of_groups.__name__}), and so do scikit-learn's splitters with Group in their names"
        )
    return check_cv(cv, y, classifier=stratified)


def _ignores_groups(splitter: Any) -> bool:
    """Whether it is one of scikit-learn's that draw splits without them; other people's splitters may read them."""
    if not type(splitter).__module__.startswith("sklearn.") or isinstance(splitter, PredefinedSplit):
        return False
    return "groups" not in get_routing_for_object(splitter).split.requests
