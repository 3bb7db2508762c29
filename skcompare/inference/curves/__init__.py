"""Curves and costs of binary scores: what a threshold buys."""

from skcompare.inference.curves.cost import ExpectedCost, expected_cost
from skcompare.inference.curves.error_reduction import ErrorReduction, error_reduction
from skcompare.inference.curves.precision_recall import (
    PrecisionRecallCurve,
    break_even_point,
    precision_recall_points,
)
from skcompare.inference.curves.roc import RocCurve, roc_points
from skcompare.inference.curves.roc_dominance import RocDominance, roc_dominance

__all__ = [
    "ErrorReduction",
    "ExpectedCost",
    "PrecisionRecallCurve",
    "RocCurve",
    "RocDominance",
    "break_even_point",
    "error_reduction",
    "expected_cost",
    "precision_recall_points",
    "roc_dominance",
    "roc_points",
]
