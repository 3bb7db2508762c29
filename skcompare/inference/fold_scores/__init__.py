"""Procedures on the scores of one data set's folds."""

from skcompare.inference.fold_scores.calibrated_t import calibrated_t_test
from skcompare.inference.fold_scores.corrected_t import corrected_t_test
from skcompare.inference.fold_scores.correlated_t_posterior import correlated_t_posterior
from skcompare.inference.fold_scores.five_by_two_f import five_by_two_f_test
from skcompare.inference.fold_scores.five_by_two_t import five_by_two_t_test
from skcompare.inference.fold_scores.paired_t import paired_t_test

__all__ = [
    "calibrated_t_test",
    "corrected_t_test",
    "correlated_t_posterior",
    "five_by_two_f_test",
    "five_by_two_t_test",
    "paired_t_test",
]
