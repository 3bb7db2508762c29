"""Procedures on one score per data set and model."""

from skcompare.inference.data_sets._logical import adjust_pairs
from skcompare.inference.data_sets._omnibus import OmnibusResult
from skcompare.inference.data_sets._pairwise import PairwiseResult
from skcompare.inference.data_sets.aligned_pairs import aligned_ranks_posthoc_test
from skcompare.inference.data_sets.aligned_ranks import aligned_ranks_test
from skcompare.inference.data_sets.anova import anova_test
from skcompare.inference.data_sets.conover import conover_test
from skcompare.inference.data_sets.control import ControlResult, control_test
from skcompare.inference.data_sets.critical_difference import critical_difference
from skcompare.inference.data_sets.dataset_t import dataset_t_test
from skcompare.inference.data_sets.dunn import dunn_test
from skcompare.inference.data_sets.friedman import friedman_test
from skcompare.inference.data_sets.hierarchical import HierarchicalPosterior, hierarchical_posterior
from skcompare.inference.data_sets.interquartile_mean import InterquartileMeanResult, interquartile_mean
from skcompare.inference.data_sets.kruskal import kruskal_test
from skcompare.inference.data_sets.nemenyi import nemenyi_test
from skcompare.inference.data_sets.pairwise_posterior import PairwisePosterior, pairwise_posterior
from skcompare.inference.data_sets.pairwise_signed_rank import pairwise_signed_rank_test
from skcompare.inference.data_sets.performance_profile import ConfidenceBand, PerformanceProfile, performance_profile
from skcompare.inference.data_sets.plackett_luce import PlackettLucePosterior, plackett_luce_posterior
from skcompare.inference.data_sets.power import study_power
from skcompare.inference.data_sets.probability_of_improvement import (
    ProbabilityOfImprovement,
    probability_of_improvement,
)
from skcompare.inference.data_sets.quade import quade_test
from skcompare.inference.data_sets.quade_pairs import quade_posthoc_test
from skcompare.inference.data_sets.sign import SignTestResult, sign_test
from skcompare.inference.data_sets.sign_posterior import SignPosterior, sign_posterior
from skcompare.inference.data_sets.signed_rank import SignedRankResult, signed_rank_test
from skcompare.inference.data_sets.signed_rank_posterior import SignedRankPosterior, signed_rank_posterior
from skcompare.inference.data_sets.skillings_mack import skillings_mack_test
from skcompare.inference.data_sets.tukey import tukey_test

__all__ = [
    "ConfidenceBand",
    "ControlResult",
    "HierarchicalPosterior",
    "InterquartileMeanResult",
    "OmnibusResult",
    "PairwisePosterior",
    "PairwiseResult",
    "PerformanceProfile",
    "PlackettLucePosterior",
    "ProbabilityOfImprovement",
    "SignPosterior",
    "SignTestResult",
    "SignedRankPosterior",
    "SignedRankResult",
    "adjust_pairs",
    "aligned_ranks_posthoc_test",
    "aligned_ranks_test",
    "anova_test",
    "conover_test",
    "control_test",
    "critical_difference",
    "dataset_t_test",
    "dunn_test",
    "friedman_test",
    "hierarchical_posterior",
    "interquartile_mean",
    "kruskal_test",
    "nemenyi_test",
    "pairwise_posterior",
    "pairwise_signed_rank_test",
    "performance_profile",
    "plackett_luce_posterior",
    "probability_of_improvement",
    "quade_posthoc_test",
    "quade_test",
    "sign_posterior",
    "sign_test",
    "signed_rank_posterior",
    "signed_rank_test",
    "skillings_mack_test",
    "study_power",
    "tukey_test",
]
