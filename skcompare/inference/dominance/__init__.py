"""Procedures on several metrics at once."""

from skcompare.inference.dominance.counts import dominance_counts, effective_cases
from skcompare.inference.dominance.likelihood_ratio import dominance_test
from skcompare.inference.dominance.posterior import dominance_posterior

__all__ = ["dominance_counts", "dominance_posterior", "dominance_test", "effective_cases"]
