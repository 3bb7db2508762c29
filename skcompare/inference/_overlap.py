"""How much of Nadeau and Bengio's correction a design needs: one rule for all procedures on its scores."""

from __future__ import annotations

from typing import Self, TypedDict

from skcompare._core.design import Design
from skcompare._core.record import Frozen
from skcompare._core.validation import check_number

# The part that the folds of a single run need: measured at k = 5 and 10 for five learners on all metrics, see
# docs/study.md.
OVERLAP = 0.4


def single_k_fold(design: Design) -> bool:
    """One run of as many folds as were measured for `k_fold_t_test`, or nearly so."""
    return design.kind == "folds" and design.partition and design.n_repeats == 1 and 3 <= design.n_folds <= 20


def default_t_test(design: Design) -> str:
    """The t test that has the correction of a design, the default of most; the looks of a `StopRule` take all of it."""
    return "k_fold_t_test" if single_k_fold(design) and not design.sequential else "corrected_t_test"


def overlap_of_test(name: str) -> float:
    """The part of the correction that a t test takes, whatever the design."""
    return OVERLAP if name == "k_fold_t_test" else 1.0


class CorrectionOptions(TypedDict):
    """The options of a procedure that make its correction."""

    test_fraction: float
    overlap: float


class Correction(Frozen):
    """How the variance of a mean difference over splits is corrected for the training samples that these share.

    Attributes
    ----------
    test_fraction : float
        Test size over train plus test size, in [0, 1).
    overlap : float
        The part of the correction that is taken, in [0, 1].
    """

    test_fraction: float
    overlap: float = 1.0

    @classmethod
    def of(cls, design: Design) -> Self:
        """The correction of the default test of a design, and of all that stands beside it."""
        return cls(test_fraction=design.test_fraction, overlap=overlap_of_test(default_t_test(design)))

    @property
    def options(self) -> CorrectionOptions:
        """What a procedure is told of it."""
        return CorrectionOptions(test_fraction=self.test_fraction, overlap=self.overlap)

    @property
    def fold_correlation(self) -> float:
        """The correlation of the differences on two splits that it stands for."""
        added = self.overlap * self.test_fraction / (1 - self.test_fraction)
        return self.test_fraction if self.overlap == 1 else added / (1 + added)

    @property
    def case(self) -> str:
        """What the corrected mean is over: splits that share training samples, or data sets that share nothing."""
        return "split" if self.test_fraction else "data set"

    def variance(self, n: float) -> float:
        """The variance of a mean of `n` differences over theirs, as estimated from these (Nadeau and Bengio 2003)."""
        return 1 / n + self.overlap * self.test_fraction / (1 - self.test_fraction)  # n2/n1 is rho/(1 - rho)

    @property
    def suffix(self) -> str:
        """What a method adds to its name; nothing where there is no correction."""
        return f" ({self})" if self.test_fraction else ""

    def __str__(self) -> str:
        part = "" if self.overlap == 1 else f", {self.overlap:g} of the correction"
        return f"test fraction {self.test_fraction:.3g}{part}"


# Of data sets and other cases that share no training samples.
INDEPENDENT = Correction(test_fraction=0.0)


def check_correction(test_fraction: float, overlap: float = 1.0) -> Correction:
    """The two options of a correction, or ValueError."""
    fraction = check_number(test_fraction, "test_fraction", low=0, high=1, closed="left")
    return Correction(test_fraction=fraction, overlap=check_number(overlap, "overlap", low=0, high=1))
