"""Compact letters: which models are not significantly different, in a letter that they share."""

from __future__ import annotations

from string import ascii_lowercase

import numpy as np
from numpy.typing import NDArray

from skcompare._core.validation import FloatArray

BoolArray = NDArray[np.bool_]


def compact_letters(different: BoolArray, goodness: FloatArray, names: tuple[str, ...]) -> dict[str, str]:
    """Letters such that two models share one exactly when they are not different.

    A letter is a set of models of which no two are different, and to which no model can be added; no letter can be
    left out. Where models that are not different lie between equally different ones, as with one critical difference,
    these letters are the runs of such models, and the only ones possible. Models and letters are listed from the best.
    """
    order = np.argsort(-goodness, kind="stable")
    alike = ~different[np.ix_(order, order)]
    np.fill_diagonal(alike, True)
    groups = sorted(_needed(_cover(alike)), key=lambda group: np.flatnonzero(group).tolist())
    return {
        names[model]: "".join(_letter(g) for g, group in enumerate(groups) if group[place])
        for place, model in enumerate(order.tolist())
    }


def _cover(alike: BoolArray) -> list[BoolArray]:
    """Groups of models that are all alike and cannot grow, which together hold every pair that is alike.

    Each starts from the first pair that is in none yet, a model and itself included, and grows by the model that
    brings most pairs that are in none, the best one of several.
    """
    missing = alike.copy()
    groups: list[BoolArray] = []
    for i, j in np.argwhere(np.triu(alike)).tolist():
        if not missing[i, j]:
            continue
        group = np.zeros(len(alike), dtype=np.bool_)
        group[[i, j]] = True
        while (candidates := alike[group].all(axis=0) & ~group).any():
            gain = np.where(candidates, missing[:, group].sum(axis=1), -1)
            group[np.argmax(gain)] = True
        missing[np.ix_(group, group)] = False
        groups.append(group)
    return groups


def _needed(groups: list[BoolArray]) -> list[BoolArray]:
    """The groups without those all of whose pairs are in others."""
    times = np.zeros((groups[0].size, groups[0].size), dtype=np.int64)
    for group in groups:
        times += np.outer(group, group)
    kept = []
    for group in groups:
        if (times[np.ix_(group, group)] > 1).all():
            times -= np.outer(group, group)
        else:
            kept.append(group)
    return kept


def _letter(index: int) -> str:
    """a to z, then a1 to z1 and so on."""
    lap, place = divmod(index, len(ascii_lowercase))
    return ascii_lowercase[place] + (str(lap) if lap else "")
