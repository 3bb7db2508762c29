"""Procedures on the scores of one data set's folds."""

from skcompare.inference.fold_scores.almost_stochastic_order import StochasticOrderResult, almost_stochastic_order
from skcompare.inference.fold_scores.alpha_spending import AlphaSpending, alpha_spending
from skcompare.inference.fold_scores.blocked_m_by_two import blocked_m_by_two_test
from skcompare.inference.fold_scores.calibrate import CalibrationResult, LevelCalibration, calibrate
from skcompare.inference.fold_scores.calibrated_t import calibrated_t_test
from skcompare.inference.fold_scores.corrected_t import corrected_t_test
from skcompare.inference.fold_scores.correlated_t_posterior import correlated_t_posterior
from skcompare.inference.fold_scores.cv_clt import cv_clt_test
from skcompare.inference.fold_scores.detectable_difference import DetectableDifference, detectable_difference
from skcompare.inference.fold_scores.equivalence import EquivalenceTestResult, equivalence_test
from skcompare.inference.fold_scores.five_by_two_f import five_by_two_f_test
from skcompare.inference.fold_scores.five_by_two_t import five_by_two_t_test
from skcompare.inference.fold_scores.k_fold_t import k_fold_t_test
from skcompare.inference.fold_scores.model_confidence_set import ModelConfidenceSet, model_confidence_set
from skcompare.inference.fold_scores.nested_cv import NestedCVResult, nested_cv_interval
from skcompare.inference.fold_scores.paired_t import paired_t_test
from skcompare.inference.fold_scores.permutation import PermutationTestResult, permutation_test
from skcompare.inference.fold_scores.selection_bias import SelectionBiasResult, selection_bias

__all__ = [
    "almost_stochastic_order",
    "alpha_spending",
    "blocked_m_by_two_test",
    "calibrate",
    "calibrated_t_test",
    "corrected_t_test",
    "correlated_t_posterior",
    "cv_clt_test",
    "detectable_difference",
    "equivalence_test",
    "five_by_two_f_test",
    "five_by_two_t_test",
    "k_fold_t_test",
    "model_confidence_set",
    "nested_cv_interval",
    "paired_t_test",
    "permutation_test",
    "selection_bias",
    "AlphaSpending",
    "CalibrationResult",
    "DetectableDifference",
    "EquivalenceTestResult",
    "LevelCalibration",
    "ModelConfidenceSet",
    "NestedCVResult",
    "PermutationTestResult",
    "StochasticOrderResult",
    "SelectionBiasResult",
]
