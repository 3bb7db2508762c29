"""What an evaluation of some candidates of a search keeps of the search: how the best was found among all of them."""

from __future__ import annotations

from dataclasses import dataclass

from skcompare._core.record import Record


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Selected(Record):
    """The search that some candidates come from: its ranking decides on them, and its size adjusts the rest.

    Attributes
    ----------
    metric : str
        The metric of the ranking.
    n_candidates : int
        Candidates of the search that were tested, those with the same scores on all splits and metrics counted once; at
        least 2.
    best : int or None
        Position of the best candidate of the search; None where it is not among those chosen.
    pvalues : tuple of float or None
        One per chosen candidate: of the ranking, that it is as good as the best, adjusted for all comparisons of the
        candidates of the search; None for one that lacks scores.
    alpha : float
        Level of the ranking, in (0, 1).
    """

    metric: str
    n_candidates: int
    best: int | None
    pvalues: tuple[float | None, ...]
    alpha: float

    @property
    def n_pairs(self) -> int:
        """Pairs of candidates of the search."""
        return self.n_candidates * (self.n_candidates - 1) // 2
