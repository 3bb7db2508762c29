"""Procedures on several metrics at once."""

from skcompare.inference.dominance.counts import dominance_counts, effective_cases
from skcompare.inference.dominance.full_dominance import FullDominanceResult, full_dominance_test
from skcompare.inference.dominance.hotelling import HotellingResult, SimultaneousIntervals, hotelling_test
from skcompare.inference.dominance.intersection_union import IntersectionUnionResult, intersection_union_test
from skcompare.inference.dominance.likelihood_ratio import DominanceTestResult, dominance_test
from skcompare.inference.dominance.max_t import MaxTResult, max_t_test
from skcompare.inference.dominance.network import DominanceNetworkResult, dominance_network
from skcompare.inference.dominance.pareto import ParetoFront, pareto_front
from skcompare.inference.dominance.posterior import DominancePosterior, DominanceSensitivity, dominance_posterior
from skcompare.inference.dominance.statements import format_statement
from skcompare.inference.dominance.stochastic_dominance import StochasticDominanceResult, stochastic_dominance_test

__all__ = [
    "DominanceNetworkResult",
    "DominancePosterior",
    "DominanceSensitivity",
    "DominanceTestResult",
    "FullDominanceResult",
    "HotellingResult",
    "IntersectionUnionResult",
    "MaxTResult",
    "ParetoFront",
    "SimultaneousIntervals",
    "StochasticDominanceResult",
    "dominance_counts",
    "dominance_network",
    "dominance_posterior",
    "dominance_test",
    "effective_cases",
    "format_statement",
    "full_dominance_test",
    "hotelling_test",
    "intersection_union_test",
    "max_t_test",
    "pareto_front",
    "stochastic_dominance_test",
]
