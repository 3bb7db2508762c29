"""Compact letters: which models are not told apart."""

from __future__ import annotations

from string import ascii_lowercase

import numpy as np
from numpy.typing import NDArray

from skcompare._validation import FloatArray


def compact_letters(different: NDArray[np.bool_], goodness: FloatArray, names: tuple[str, ...]) -> dict[str, str]:
    """Letters such that two models share one exactly when they are not different.

    A letter is a maximal set of models of which no two are different (a clique, found by Bron and Kerbosch's method);
    models and letters are listed from the best.
    """
    order = np.argsort(-goodness, kind="stable").tolist()
    alike = {i: {j for j in order if j != i and not different[i, j]} for i in order}
    rank = {i: place for place, i in enumerate(order)}
    cliques: list[list[int]] = []
    _extend(set(), set(order), set(), alike, cliques)
    cliques = sorted(sorted(clique, key=rank.__getitem__) for clique in cliques)
    cliques.sort(key=lambda clique: [rank[i] for i in clique])
    return {names[i]: "".join(_letter(c) for c, clique in enumerate(cliques) if i in clique) for i in order}


def _extend(
    chosen: set[int], candidates: set[int], done: set[int], alike: dict[int, set[int]], cliques: list[list[int]]
) -> None:
    if not candidates and not done:
        cliques.append(list(chosen))
        return
    pivot = max(candidates | done, key=lambda i: len(alike[i] & candidates))
    for i in sorted(candidates - alike[pivot]):
        _extend(chosen | {i}, candidates & alike[i], done & alike[i], alike, cliques)
        candidates = candidates - {i}
        done = done | {i}


def _letter(index: int) -> str:
    """a to z, then a1 to z1 and so on."""
    lap, place = divmod(index, len(ascii_lowercase))
    return ascii_lowercase[place] + (str(lap) if lap else "")
