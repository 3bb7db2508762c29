"""The test of two areas under the ROC curve as results on one test set make it."""

from __future__ import annotations

from skcompare.inference import delong_test
from skcompare.inference.outcomes.auc import spread_of_areas


def delong_of_results(*of_both):
    """DeLong's test of true labels and the scores of two models, with what few samples of a class ask of it."""
    record = delong_test(*of_both)
    return record.of_few(*spread_of_areas(of_both)) if record.standard_error > 0 else record
