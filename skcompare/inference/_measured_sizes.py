"""Measured sizes: the share of true nulls that each procedure rejects at a nominal 5%.

The lowest and the highest over four nulls, 600 simulated data sets each (standard error .009 at .05), made by
``python -m benchmarks.size --data-sets 600`` and published in docs/benchmarks.md: naive Bayes and trees on exchangeable
blocks of features, naive Bayes on weak features and 30% positives (all n=200), and naive Bayes against a tree on pure
noise (n=300). The highest values of recall and f1 come from the last two. The procedures on several metrics at once
were measured on eight nulls by ``python -m benchmarks.dominance --data-sets 600``; `model_confidence_set` on 10 and 50
equal models ("some model is told apart from the best") by ``python -m benchmarks.selection``.
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
    "blocked_m_by_two_test": {
        "5x2": {
            "accuracy": (0.002, 0.050),
            "precision": (0.000, 0.023),
            "recall": (0.000, 0.155),
            "f1": (0.002, 0.085),
            "roc_auc": (0.002, 0.112),
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
    "permutation_test": {
        "10-fold": {
            "accuracy": (0.033, 0.100),
            "precision": (0.035, 0.097),
            "recall": (0.012, 0.438),
            "f1": (0.053, 0.302),
            "roc_auc": (0.053, 0.113),
        },
        "5x2": {
            "accuracy": (0.232, 0.393),
            "precision": (0.193, 0.323),
            "recall": (0.112, 0.707),
            "f1": (0.248, 0.605),
            "roc_auc": (0.217, 0.558),
        },
    },
    "model_confidence_set": {
        "10-fold": {
            "accuracy": (0.000, 0.008),
            "roc_auc": (0.000, 0.016),
        },
        "30 random splits": {
            "accuracy": (0.020, 0.024),
            "roc_auc": (0.019, 0.043),
        },
        "10x10": {
            "accuracy": (0.000, 0.041),
            "roc_auc": (0.000, 0.024),
        },
    },
    "mcnemar_test": {
        "10-fold": {"accuracy": (0.050, 0.127)},
        "one random split": {"accuracy": (0.037, 0.057)},
    },
    "cochran_q_test": {
        "10-fold": {"accuracy": (0.052, 0.130)},
        "one random split": {"accuracy": (0.038, 0.058)},
    },
    "delong_test": {
        "10-fold": {"roc_auc": (0.060, 0.135)},
        "one random split": {"roc_auc": (0.040, 0.080)},
    },
    "paired_metric_test": {
        "10-fold": {
            "accuracy": (0.038, 0.112),
            "precision": (0.045, 0.097),
            "recall": (0.007, 0.512),
            "f1": (0.060, 0.370),
        },
        "one random split": {
            "accuracy": (0.020, 0.038),
            "precision": (0.042, 0.077),
            "recall": (0.025, 0.252),
            "f1": (0.028, 0.180),
        },
    },
    "paired_bootstrap": {
        "10-fold": {
            "accuracy": (0.047, 0.120),
            "precision": (0.047, 0.093),
            "recall": (0.017, 0.527),
            "f1": (0.062, 0.373),
        },
        "one random split": {
            "accuracy": (0.030, 0.053),
            "precision": (0.040, 0.103),
            "recall": (0.053, 0.302),
            "f1": (0.030, 0.195),
        },
    },
    "cv_clt_test": {
        "10-fold": {"accuracy": (0.055, 0.132)},
    },
    "dominance_test": {
        "10-fold": {"accuracy": (0.000, 0.012), "all five": (0.000, 0.002)},
        "5x2": {"accuracy": (0.000, 0.000), "all five": (0.000, 0.000)},
        "30 random splits": {"accuracy": (0.000, 0.000), "all five": (0.000, 0.000)},
        "10x10": {"accuracy": (0.017, 0.032), "all five": (0.010, 0.063)},
    },
    "full_dominance_test": {
        "10x10": {
            "accuracy, ROC AUC": (0.022, 0.087),
            "all five": (0.010, 0.140),
        }
    },
    "intersection_union_test": {
        "10x10": {
            "accuracy, ROC AUC": (0.005, 0.053),
            "all five": (0.002, 0.020),
        }
    },
    "hotelling_test": {
        "10x10": {
            "accuracy, ROC AUC": (0.013, 0.060),
            "all five": (0.000, 0.380),
        }
    },
    "max_t_test": {
        "10x10": {
            "accuracy, ROC AUC": (0.028, 0.073),
            "all five": (0.015, 0.390),
        }
    },
}

# Share of tables of five equally good models that are rejected, by number of data sets; of pairs and controls the share
# in which any is. Made by ``python -m benchmarks.studies --sizes`` and published in docs/benchmarks.md.
STUDY_SIZES: dict[str, dict[str, float]] = {
    "signed_rank_test": {"6 data sets": 0.033, "10 data sets": 0.05, "30 data sets": 0.049},
    "sign_test": {"6 data sets": 0.033, "10 data sets": 0.018, "30 data sets": 0.048},
    "friedman_test": {"6 data sets": 0.052, "10 data sets": 0.057, "30 data sets": 0.053},
    "quade_test": {"6 data sets": 0.048, "10 data sets": 0.052, "30 data sets": 0.051},
    "pairwise_signed_rank_test": {"6 data sets": 0.0, "10 data sets": 0.03, "30 data sets": 0.042},
    "nemenyi_test": {"6 data sets": 0.049, "10 data sets": 0.041, "30 data sets": 0.058},
    "control_test": {"6 data sets": 0.039, "10 data sets": 0.045, "30 data sets": 0.047},
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


def joint_size_doubt(procedure: str, design: Design) -> tuple[str, ...]:
    """What is known of a joint procedure that was measured to reject too often on folds; empty where it was not."""
    alike, sizes = measured_sizes(procedure, design)
    low = min((size for size, _ in sizes.values()), default=0.0)
    high = max((size for _, size in sizes.values()), default=0.0)
    if high <= 0.075:
        return ()
    return (
        f"MEASURED: on simulated {alike} folds of equal models it rejected {low:.0%} to {high:.0%} at 5%; the high end "
        f"are models that have learnt little.",
    )
