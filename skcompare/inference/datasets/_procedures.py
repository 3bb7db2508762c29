"""The table of procedures on several data sets: which evidence each takes, and what it returns."""

from __future__ import annotations

from typing import Any

from skcompare import inference
from skcompare.inference import _forms as forms
from skcompare.inference._procedure import Procedure, unknown_procedure

STUDY_PROCEDURES: tuple[Procedure, ...] = (
    Procedure(function=inference.signed_rank_test, takes=forms.PAIR),
    Procedure(function=inference.sign_test, takes=forms.PAIR),
    Procedure(function=inference.dataset_t_test, takes=forms.PAIR),
    Procedure(function=inference.sign_posterior, takes=forms.PAIR, returns="posterior"),
    Procedure(function=inference.signed_rank_posterior, takes=forms.PAIR, returns="posterior"),
    Procedure(function=inference.hierarchical_posterior, takes=forms.PAIR_SPLITS, returns="posterior"),
    Procedure(function=inference.friedman_test, takes=forms.TABLE, returns="omnibus"),
    Procedure(function=inference.aligned_ranks_test, takes=forms.TABLE, returns="omnibus"),
    Procedure(function=inference.quade_test, takes=forms.TABLE, returns="omnibus"),
    Procedure(function=inference.anova_test, takes=forms.TABLE, returns="omnibus"),
    Procedure(function=inference.kruskal_test, takes=forms.TABLE, returns="omnibus"),
    Procedure(function=inference.skillings_mack_test, takes=forms.TABLE_WITH_GAPS, returns="omnibus"),
    Procedure(function=inference.pairwise_signed_rank_test, takes=forms.TABLE, returns="pairs"),
    Procedure(function=inference.nemenyi_test, takes=forms.TABLE, returns="pairs"),
    Procedure(function=inference.conover_test, takes=forms.TABLE, returns="pairs"),
    Procedure(function=inference.quade_posthoc_test, takes=forms.TABLE, returns="pairs"),
    Procedure(function=inference.aligned_ranks_posthoc_test, takes=forms.TABLE, returns="pairs"),
    Procedure(function=inference.tukey_test, takes=forms.TABLE, returns="pairs"),
    Procedure(function=inference.dunn_test, takes=forms.TABLE, returns="pairs"),
    Procedure(function=inference.control_test, takes=forms.TABLE, returns="control"),
    Procedure(function=inference.pairwise_posterior, takes=forms.TABLE, returns="posterior"),
    Procedure(function=inference.plackett_luce_posterior, takes=forms.TABLE, returns="posterior"),
    Procedure(function=inference.interquartile_mean, takes=forms.RUNS, returns="description"),
    Procedure(function=inference.performance_profile, takes=forms.RUNS, returns="description"),
    Procedure(function=inference.probability_of_improvement, takes=forms.RUNS_OF_PAIR, returns="description"),
)

_BY_NAME = {alias: row for row in STUDY_PROCEDURES for alias in (row.name, row.name.removesuffix("_test"))}
_BY_NAME |= dict.fromkeys(("paired_t_test", "paired_t"), _BY_NAME["dataset_t_test"])  # its name on folds
_PLACES: dict[str, Any] = {
    "of": "several data sets",
    "elsewhere": "one data set (evaluate)",
    "families": ("fold_scores", "predictions", "several_metrics"),
}


def find_study_procedure(name: str, *, n_models: int) -> Procedure:
    """The row called `name`, with or without a trailing ``_test``; ``"auto"`` is the default for so many models.

    Raises
    ------
    ValueError
        If there is no such procedure.
    """
    default = "signed_rank_test" if n_models == 2 else "friedman_test"
    if name == "auto":
        name = default
    if name not in _BY_NAME:
        known = [row.name for row in STUDY_PROCEDURES]
        raise ValueError(unknown_procedure(name, known, default=default, **_PLACES))
    return _BY_NAME[name]
