"""The `cv` argument -> a scikit-learn splitter."""

from __future__ import annotations

import re
from collections.abc import Iterable
from numbers import Integral
from typing import Any

from sklearn.model_selection import KFold, RepeatedKFold, RepeatedStratifiedKFold, StratifiedKFold, check_cv

from skcompare.evaluation._splits import check_pair

_REPEATED = re.compile(r"([1-9]\d*)x([1-9]\d*)")


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
    if isinstance(cv, type):
        raise ValueError(f"cv must be a splitter, not its class; call {cv.__name__} to make one")
    if isinstance(cv, bool) or not (isinstance(cv, (Integral, Iterable)) or hasattr(cv, "split")):
        raise ValueError(f"cv must be an int k, 'RxK', a splitter or (train, test) pairs; got {cv!r:.80}")
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
        cv = list(cv)
        for i, pair in enumerate(cv):
            check_pair(pair, i)
    return check_cv(cv, y, classifier=stratified)
