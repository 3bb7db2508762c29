"""The bars of a critical-difference diagram: which models each joins, and where it is on the axis of mean ranks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from skcompare._core.validation import FloatArray

# Widths, in parts of the rank axis.
CLOSE, BETWEEN_BARS, SHORTEST_BAR = 0.02, 0.03, 0.03


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """The largest sets of models of which no two are significantly different.

    Attributes
    ----------
    mean_ranks : ndarray of shape (n_models,)
        1 is the best.
    groups : sequence of str of length n_models
        Letters of each model; every letter of several models is one bar.
    """

    mean_ranks: FloatArray
    groups: Sequence[str]

    def order(self) -> list[int]:
        """The models, best first."""
        return np.argsort(self.mean_ranks, kind="stable").tolist()  # type: ignore[no-any-return]

    def members(self) -> dict[str, list[int]]:
        """The models of each bar, best first, by the bar's letter."""
        found: dict[str, list[int]] = {}
        for i in self.order():
            for letter in re.findall(r"[a-z]\d*", self.groups[i]):
                found.setdefault(letter, []).append(i)
        return {letter: members for letter, members in found.items() if len(members) > 1}

    def axis(self) -> tuple[float, float]:
        """Whole ranks around all mean ranks."""
        low, high = float(np.floor(self.mean_ranks.min())), float(np.ceil(self.mean_ranks.max()))
        return (low, high) if low < high else (1.0, float(len(self.groups)))

    def passes_over(self, members: Sequence[int]) -> set[tuple[float, float]]:
        """The stretches between neighbours of a bar that have other models between them."""
        ranks = self.mean_ranks[list(members)]
        others = np.delete(self.mean_ranks, list(members))
        return {(first, second) for first, second in pairwise(ranks) if ((others > first) & (others < second)).any()}

    def need_letters(self) -> bool:
        """Whether some bar passes over a model that is not its own, or ends so near one that it seems to."""
        low, high = self.axis()
        near = CLOSE * (high - low)
        for members in self.members().values():
            ranks, others = self.mean_ranks[members], np.delete(self.mean_ranks, members)
            if ((others > ranks.min() - near) & (others < ranks.max() + near)).any():
                return True
        return False

    def ends(self, members: Sequence[int]) -> tuple[float, float]:
        """Where a bar without letters begins and ends: never so short that it cannot be seen."""
        low, high = self.axis()
        first, last = self.mean_ranks[members[0]], self.mean_ranks[members[-1]]
        longer = max(0.0, SHORTEST_BAR * (high - low) - (last - first)) / 2
        return float(first - longer), float(last + longer)

    def levels(self) -> list[int]:
        """How far below the axis each bar is: bars that do not meet share a level, unless letters are beside them."""
        if self.need_letters():
            return list(range(len(self.members())))
        low, high = self.axis()
        last: list[float] = []
        levels = []
        for members in self.members().values():
            start, end = self.ends(members)
            free = [level for level, rank in enumerate(last) if rank + BETWEEN_BARS * (high - low) < start]
            level = free[0] if free else len(last)
            last[level : level + 1] = [end]
            levels.append(level)
        return levels
