"""Procedures on one score per data set and model."""

from skcompare.inference.datasets._logical import adjust_pairs
from skcompare.inference.datasets._omnibus import OmnibusResult
from skcompare.inference.datasets._pairwise import PairwiseResult
from skcompare.inference.datasets.aligned_pairs import aligned_ranks_posthoc_test
from skcompare.inference.datasets.aligned_ranks import aligned_ranks_test
from skcompare.inference.datasets.anova import anova_test
from skcompare.inference.datasets.conover import conover_test
from skcompare.inference.datasets.control import ControlResult, control_test
from skcompare.inference.datasets.critical_difference import critical_difference
from skcompare.inference.datasets.dataset_t import dataset_t_test
from skcompare.inference.datasets.dunn import dunn_test
from skcompare.inference.datasets.friedman import friedman_test
from skcompare.inference.datasets.hierarchical import HierarchicalPosterior, hierarchical_posterior
from skcompare.inference.datasets.interquartile_mean import InterquartileMeanResult, interquartile_mean
from skcompare.inference.datasets.kruskal import kruskal_test
from skcompare.inference.datasets.nemenyi import nemenyi_test
from skcompare.inference.datasets.pairwise_posterior import PairwisePosterior, pairwise_posterior
from skcompare.inference.datasets.pairwise_signed_rank import pairwise_signed_rank_test
from skcompare.inference.datasets.performance_profile import ConfidenceBand, PerformanceProfile, performance_profile
from skcompare.inference.datasets.plackett_luce import PlackettLucePosterior, plackett_luce_posterior
from skcompare.inference.datasets.power import study_power
from skcompare.inference.datasets.probability_of_improvement import (
    ProbabilityOfImprovement,
    probability_of_improvement,
)
from skcompare.inference.datasets.quade import quade_test
from skcompare.inference.datasets.quade_pairs import quade_posthoc_test
from skcompare.inference.datasets.sign import SignTestResult, sign_test
from skcompare.inference.datasets.sign_posterior import SignPosterior, sign_posterior
from skcompare.inference.datasets.signed_rank import SignedRankResult, signed_rank_test
from skcompare.inference.datasets.signed_rank_posterior import SignedRankPosterior, signed_rank_posterior
from skcompare.inference.datasets.skillings_mack import skillings_mack_test
from skcompare.inference.datasets.tukey import tukey_test

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
