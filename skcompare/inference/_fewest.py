"""The smallest p-value that a test could give on so many cases, and how many cases a smaller one needs."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass

from skcompare._core.warnings import Code, CodedWarning
from skcompare._core.words import counted

ALPHA, RESAMPLE = 0.05, "resample"


@dataclass(frozen=True, slots=True, kw_only=True)
class Least:
    """The smallest p-value by the number of cases.

    Attributes
    ----------
    at : callable
        The p-value with so many cases, falling.
    n : int
        How many cases, or resamples, there are.
    what : str
        One of them, in words.
    """

    at: Callable[[int], float]
    n: int
    what: str

    @property
    def pvalue(self) -> float:
        """With the cases that there are."""
        return min(1.0, self.at(self.n))

    def warnings(self) -> tuple[CodedWarning, ...]:
        """That it is not below 0.05, and how many cases can."""
        return () if self.pvalue < ALPHA else (self.cannot(lambda n: self.at(n) < ALPHA),)

    def cannot(self, enough: Callable[[int], bool], family: int = 1) -> CodedWarning:
        """That it cannot be, alone or in a family of comparisons, and the first number of cases that is enough."""
        among = f"an adjusted p < {ALPHA} among {family} comparisons" if family > 1 else f"p < {ALPHA}"
        agree = "" if self.what == RESAMPLE else ", even if all agree"
        most = self.n + 1
        while not enough(most):
            most *= 2
        needed = bisect_left(range(most), True, lo=self.n + 1, key=enough)
        return Code.CANNOT_REJECT(f"{counted(self.n, self.what)} cannot give {among}{agree}; {needed} can.")


def by_cases(n: int, what: str, alternative: str, *, midp: bool = False) -> Least:
    """Of cases that each favour one model or the other with probability 1/2: all of them favour the same one."""
    share = (2.0 if alternative == "two-sided" else 1.0) * (0.5 if midp else 1.0)
    return Least(at=lambda k: share * 0.5 ** min(k, 1000), n=n, what=what)


def by_resamples(n: int, sides: int = 1) -> Least:
    """Of random rearrangements: none is as extreme as what was observed, or none on the rarer of two sides."""
    return Least(at=lambda k: sides / (1 + k), n=n, what=RESAMPLE)
