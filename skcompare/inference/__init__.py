"""Statistical procedures on arrays: numpy and scipy only, usable without any estimator."""

from skcompare.inference._base import (
    ConfidenceInterval,
    DifferencePosterior,
    DominancePosterior,
    DominanceTestResult,
    FTestResult,
    TTestResult,
)
from skcompare.inference._multiplicity import adjust_pvalues
from skcompare.inference.dominance import (
    dominance_counts,
    dominance_posterior,
    dominance_test,
    effective_cases,
)
from skcompare.inference.fold_scores import (
    calibrated_t_test,
    corrected_t_test,
    correlated_t_posterior,
    five_by_two_f_test,
    five_by_two_t_test,
    paired_t_test,
)

__all__ = [
    "paired_t_test",
    "corrected_t_test",
    "calibrated_t_test",
    "five_by_two_t_test",
    "five_by_two_f_test",
    "correlated_t_posterior",
    "dominance_counts",
    "dominance_test",
    "dominance_posterior",
    "effective_cases",
    "adjust_pvalues",
    "TTestResult",
    "FTestResult",
    "DifferencePosterior",
    "DominanceTestResult",
    "DominancePosterior",
    "ConfidenceInterval",
]
