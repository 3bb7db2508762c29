"""Measured sizes: the share of true nulls that each procedure rejects at a nominal 5%.

The lowest and the highest over three nulls, 600 simulated data sets each (standard error .009 at .05), made by
``python -m benchmarks.size --data-sets 600``: naive Bayes and trees on exchangeable blocks of features (n=200), and
naive Bayes against a tree on pure noise (n=300). The highest values of recall and f1 come from the noise.
"""

from __future__ import annotations

from skcompare._design import Design

Sizes = dict[str, tuple[float, float]]

MEASURED_SIZES: dict[str, dict[str, Sizes]] = {
    "corrected_t_test": {
        "10-fold": {
            "accuracy": (0.015, 0.035),
            "precision": (0.008, 0.022),
            "recall": (0.005, 0.307),
            "f1": (0.015, 0.158),
            "roc_auc": (0.010, 0.038),
        },
        "5x2": {
            "accuracy": (0.000, 0.037),
            "precision": (0.000, 0.012),
            "recall": (0.000, 0.113),
            "f1": (0.002, 0.047),
            "roc_auc": (0.002, 0.050),
        },
        "30 random splits": {
            "accuracy": (0.002, 0.040),
            "precision": (0.000, 0.025),
            "recall": (0.000, 0.315),
            "f1": (0.002, 0.145),
            "roc_auc": (0.002, 0.067),
        },
        "10x10": {
            "accuracy": (0.022, 0.047),
            "precision": (0.007, 0.025),
            "recall": (0.013, 0.483),
            "f1": (0.038, 0.297),
            "roc_auc": (0.017, 0.058),
        },
    },
    "calibrated_t_test": {
        "10x10": {
            "accuracy": (0.023, 0.055),
            "precision": (0.007, 0.030),
            "recall": (0.013, 0.495),
            "f1": (0.040, 0.307),
            "roc_auc": (0.025, 0.068),
        },
    },
    "five_by_two_t_test": {
        "5x2": {
            "accuracy": (0.045, 0.063),
            "precision": (0.017, 0.055),
            "recall": (0.010, 0.205),
            "f1": (0.040, 0.147),
            "roc_auc": (0.037, 0.108),
        },
    },
    "five_by_two_f_test": {
        "5x2": {
            "accuracy": (0.058, 0.062),
            "precision": (0.018, 0.038),
            "recall": (0.008, 0.278),
            "f1": (0.048, 0.165),
            "roc_auc": (0.040, 0.110),
        },
    },
    "paired_t_test": {
        "10-fold": {
            "accuracy": (0.062, 0.125),
            "precision": (0.037, 0.090),
            "recall": (0.022, 0.472),
            "f1": (0.062, 0.307),
            "roc_auc": (0.052, 0.113),
        },
        "5x2": {
            "accuracy": (0.255, 0.437),
            "precision": (0.197, 0.327),
            "recall": (0.117, 0.718),
            "f1": (0.255, 0.610),
            "roc_auc": (0.225, 0.460),
        },
        "30 random splits": {
            "accuracy": (0.455, 0.582),
            "precision": (0.410, 0.548),
            "recall": (0.288, 0.843),
            "f1": (0.462, 0.762),
            "roc_auc": (0.433, 0.585),
        },
        "10x10": {
            "accuracy": (0.548, 0.560),
            "precision": (0.500, 0.515),
            "recall": (0.460, 0.835),
            "f1": (0.548, 0.760),
            "roc_auc": (0.517, 0.570),
        },
    },
    "dominance_test": {
        "10-fold": {"accuracy": (0.002, 0.012), "all five": (0.000, 0.002)},
        "5x2": {"accuracy": (0.000, 0.000), "all five": (0.000, 0.000)},
        "30 random splits": {"accuracy": (0.000, 0.000), "all five": (0.000, 0.000)},
        "10x10": {"accuracy": (0.018, 0.032), "all five": (0.010, 0.063)},
    },
}


def measured_sizes(procedure: str, design: Design) -> tuple[str, Sizes]:
    """The measured design nearest to `design`, and the sizes there by metric; empty where none was measured."""
    by_design = MEASURED_SIZES.get(procedure, {})
    nearest = _nearest(design)
    return (nearest, by_design[nearest]) if nearest in by_design else ("", {})


def _nearest(design: Design) -> str:
    if not design.partition:
        return "30 random splits"
    if design.n_repeats == 1:
        return "10-fold"
    return "5x2" if design.n_folds == 2 else "10x10"
