"""Procedures on several metrics at once."""

from skcompare.inference.dominance.counts import dominance_counts, effective_cases
from skcompare.inference.dominance.likelihood_ratio import DominanceTestResult, dominance_test
from skcompare.inference.dominance.posterior import DominancePosterior, DominanceSensitivity, dominance_posterior
from skcompare.inference.dominance.statements import format_statement

__all__ = [
    "DominancePosterior",
    "DominanceSensitivity",
    "DominanceTestResult",
    "dominance_counts",
    "dominance_posterior",
    "dominance_test",
    "effective_cases",
    "format_statement",
]
