"""Statistical procedures on arrays: numpy and scipy only, usable without any estimator.

The public names by the question that they answer; each stands in one group.

Is A better than B on one data set, from the scores of folds or of runs?
------------------------------------------------------------------------
corrected_t_test, k_fold_t_test, stability_t_test, calibrated_t_test, five_by_two_t_test, five_by_two_f_test,
blocked_m_by_two_test, permutation_test, paired_t_test, equivalence_test, correlated_t_posterior, welch_t_test,
welch_from_summary, almost_stochastic_order

Is A better than B on the samples of one test set, or on losses in time order?
------------------------------------------------------------------------------
mcnemar_test, delong_test, cluster_t_test, paired_metric_test, paired_bootstrap, calibration_error_test, cv_clt_test,
error_reduction, diebold_mariano_test, confidence_sequence, prediction_powered_test, wald_test

How good is one model, and at which threshold?
----------------------------------------------
error_rate_test, fold_error_rate_test, proportion_interval, metric_interval, nested_cv_interval,
conservative_z_interval, expected_cost, roc_points, roc_dominance, precision_recall_points, break_even_point,
reliability_points

Which of many models are the best on one data set?
--------------------------------------------------
model_confidence_set, selection_bias, cochran_q_test, contrast_test, bradley_terry

Is A better than B on several metrics at once?
----------------------------------------------
dominance_test, dominance_posterior, dominance_network, dominance_counts, effective_cases, format_statement,
full_dominance_test, intersection_union_test, max_t_test, hotelling_test, stochastic_dominance_test, pareto_front

Is A better than B over several data sets?
------------------------------------------
signed_rank_test, sign_test, dataset_t_test, adjusted_means_test, signed_rank_posterior, sign_posterior,
hierarchical_posterior, probability_of_improvement

Do many models differ over several data sets?
---------------------------------------------
friedman_test, aligned_ranks_test, quade_test, skillings_mack_test, anova_test, mixed_model_test, kruskal_test

Which of many models differ over several data sets, and which is the best?
--------------------------------------------------------------------------
pairwise_signed_rank_test, nemenyi_test, conover_test, quade_posthoc_test, aligned_ranks_posthoc_test, tukey_test,
dunn_test, step_down_test, control_test, critical_difference, pairwise_posterior, plackett_luce_posterior,
interquartile_mean, performance_profile

How are many p-values adjusted, and how is a comparison planned?
----------------------------------------------------------------
adjust_pvalues, adjust_pairs, detectable_difference, study_power, alpha_spending, calibrate

What do the procedures return?
------------------------------
Compared, ConfidenceInterval, ConfidenceBand, SimultaneousIntervals, TTestResult, ClusterTTestResult,
StabilityTTestResult, FTestResult, DieboldMarianoResult, ConfidenceSequenceResult, DifferencePosterior,
DetectableDifference, MetricIntervalResult, CalibrationResult, LevelCalibration, DominanceTestResult,
DominancePosterior, DominanceSensitivity, DominanceNetworkResult, FullDominanceResult, IntersectionUnionResult,
MaxTResult, HotellingResult, ContrastResult, StochasticDominanceResult, ParetoFront, SignedRankResult, SignTestResult,
SignedRankPosterior, SignPosterior, HierarchicalPosterior, ProbabilityOfImprovement, OmnibusResult, PairwiseResult,
Ranking, MixedModelResult, ControlResult, PairwisePosterior, PlackettLucePosterior, InterquartileMeanResult,
PerformanceProfile, ReliabilityCurve, CalibrationErrorResult, BradleyTerryResult, PredictionPoweredResult
"""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)  # the names stand in __init__.pyi
