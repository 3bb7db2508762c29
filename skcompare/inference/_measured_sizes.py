"""Measured sizes: the share of true nulls that each procedure rejects at a nominal 5%.

The lowest and the highest over four nulls, 600 simulated data sets each (standard error .009 at .05), made by
``python -m benchmarks.size --data-sets 600`` and published in docs/benchmarks.md: naive Bayes and trees on exchangeable
blocks of features, naive Bayes on weak features and 30% positives (all n=200), and naive Bayes against a tree on pure
noise (n=300). The highest values of recall and f1 come from the last two.
"""

from __future__ import annotations

from skcompare._design import Design

Sizes = dict[str, tuple[float, float]]

MEASURED_SIZES: dict[str, dict[str, Sizes]] = {
    "corrected_t_test": {
        "10-fold": {
            "accuracy": (0.008, 0.035),
            "precision": (0.008, 0.040),
            "recall": (0.005, 0.307),
            "f1": (0.015, 0.158),
            "roc_auc": (0.010, 0.038),
        },
        "5x2": {
            "accuracy": (0.000, 0.037),
            "precision": (0.000, 0.012),
            "recall": (0.000, 0.113),
            "f1": (0.002, 0.053),
            "roc_auc": (0.002, 0.085),
        },
        "30 random splits": {
            "accuracy": (0.002, 0.040),
            "precision": (0.000, 0.025),
            "recall": (0.000, 0.315),
            "f1": (0.002, 0.160),
            "roc_auc": (0.002, 0.110),
        },
        "10x10": {
            "accuracy": (0.022, 0.047),
            "precision": (0.007, 0.088),
            "recall": (0.013, 0.483),
            "f1": (0.038, 0.297),
            "roc_auc": (0.017, 0.102),
        },
    },
    "calibrated_t_test": {
        "10x10": {
            "accuracy": (0.023, 0.055),
            "precision": (0.007, 0.095),
            "recall": (0.013, 0.495),
            "f1": (0.040, 0.307),
            "roc_auc": (0.025, 0.103),
        },
    },
    "five_by_two_t_test": {
        "5x2": {
            "accuracy": (0.045, 0.073),
            "precision": (0.017, 0.058),
            "recall": (0.010, 0.205),
            "f1": (0.040, 0.147),
            "roc_auc": (0.037, 0.215),
        },
    },
    "five_by_two_f_test": {
        "5x2": {
            "accuracy": (0.050, 0.062),
            "precision": (0.018, 0.045),
            "recall": (0.008, 0.278),
            "f1": (0.048, 0.165),
            "roc_auc": (0.040, 0.343),
        },
    },
    "paired_t_test": {
        "10-fold": {
            "accuracy": (0.053, 0.125),
            "precision": (0.037, 0.125),
            "recall": (0.022, 0.472),
            "f1": (0.062, 0.307),
            "roc_auc": (0.052, 0.113),
        },
        "5x2": {
            "accuracy": (0.255, 0.437),
            "precision": (0.197, 0.327),
            "recall": (0.117, 0.718),
            "f1": (0.255, 0.610),
            "roc_auc": (0.225, 0.560),
        },
        "30 random splits": {
            "accuracy": (0.455, 0.582),
            "precision": (0.410, 0.548),
            "recall": (0.288, 0.843),
            "f1": (0.462, 0.762),
            "roc_auc": (0.433, 0.690),
        },
        "10x10": {
            "accuracy": (0.517, 0.560),
            "precision": (0.500, 0.538),
            "recall": (0.460, 0.835),
            "f1": (0.548, 0.760),
            "roc_auc": (0.517, 0.643),
        },
    },
    "dominance_test": {
        "10-fold": {"accuracy": (0.000, 0.012), "all five": (0.000, 0.002)},
        "5x2": {"accuracy": (0.000, 0.000), "all five": (0.000, 0.000)},
        "30 random splits": {"accuracy": (0.000, 0.000), "all five": (0.000, 0.000)},
        "10x10": {"accuracy": (0.017, 0.032), "all five": (0.010, 0.063)},
    },
}


def measured_sizes(procedure: str, design: Design) -> tuple[str, Sizes]:
    """The measured design that is like `design`, and the sizes there by metric; empty where none is."""
    alike = _alike(design)
    sizes = MEASURED_SIZES.get(procedure, {}).get(alike, {})
    return (alike, sizes) if sizes else ("", {})


def _alike(design: Design) -> str:
    if design.partition and design.n_repeats > 1:
        return "5x2" if design.n_folds == 2 else "10x10"
    if design.partition:
        return "10-fold" if 5 <= design.n_folds <= 20 else ""
    return "30 random splits" if design.n_folds == 1 and design.n_repeats >= 10 else ""
