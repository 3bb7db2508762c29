"""The table of all procedures on one data set, and what ``"auto"`` stands for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from skcompare import inference
from skcompare._core.design import Design
from skcompare.inference import _forms as forms
from skcompare.inference._procedure import Procedure, unknown_procedure

NAMED_METRICS = ("accuracy", "precision", "recall", "f1", "balanced_accuracy", "specificity", "mcc")
_LABEL_METRICS = (
    *NAMED_METRICS,
    "matthews_corrcoef",
    *(f"{which}_{how}" for which in ("precision", "recall", "f1") for how in ("macro", "weighted")),
)
_ACCURACY, _ROC_AUC = ("accuracy",), ("roc_auc",)


def _calibrated(design: Design, options: Mapping[str, Any]) -> bool:
    """Ten by ten folds, or any design that has the scheme's sample, if the user gives the degrees of freedom."""
    shape = (design.n_repeats, design.n_folds)
    if options.get("df") is None:
        return design.partition and shape == (10, 10)
    if options.get("scheme", "all") == "all":
        return design.n_repeats * design.n_folds > 1
    return design.partition and design.n_folds > 1


def _single_k_fold(design: Design, options: Mapping[str, Any]) -> bool:  # noqa: ARG001
    """One run of as many folds as were measured, or nearly so."""
    return design.partition and design.n_repeats == 1 and 3 <= design.n_folds <= 20


def _five_by_two(design: Design, options: Mapping[str, Any]) -> bool:  # noqa: ARG001
    return design.partition and (design.n_repeats, design.n_folds) == (5, 2)


def _m_by_two(design: Design, options: Mapping[str, Any]) -> bool:  # noqa: ARG001
    return design.partition and design.n_folds == 2 and design.n_repeats > 1


def _partition(design: Design, options: Mapping[str, Any]) -> bool:  # noqa: ARG001
    return design.partition and design.n_folds > 1


def _test_fraction(design: Design) -> Mapping[str, Any]:
    return {"test_fraction": design.test_fraction}


def _folds_and_fraction(design: Design) -> Mapping[str, Any]:
    return {"n_folds": design.n_folds, "test_fraction": design.test_fraction}


PROCEDURES: tuple[Procedure, ...] = (
    # scores of the splits of one data set, of one metric or of several
    Procedure(function=inference.corrected_t_test, takes=forms.SPLITS, options=_test_fraction),
    Procedure(function=inference.k_fold_t_test, takes=forms.SPLITS, fits=_single_k_fold, options=_test_fraction),
    Procedure(function=inference.calibrated_t_test, takes=forms.REPEATS, fits=_calibrated),
    Procedure(function=inference.five_by_two_t_test, takes=forms.REPEATS, fits=_five_by_two),
    Procedure(function=inference.five_by_two_f_test, takes=forms.REPEATS, fits=_five_by_two),
    Procedure(function=inference.blocked_m_by_two_test, takes=forms.REPEATS, fits=_m_by_two),
    Procedure(function=inference.paired_t_test, takes=forms.SPLITS),
    Procedure(function=inference.permutation_test, takes=forms.SPLITS),
    Procedure(function=inference.equivalence_test, takes=forms.SPLITS, options=_test_fraction, returns="verdict"),
    Procedure(
        function=inference.correlated_t_posterior, takes=forms.SPLITS, options=_test_fraction, returns="posterior"
    ),
    Procedure(function=inference.almost_stochastic_order, takes=forms.SPLITS, returns="verdict"),
    Procedure(
        function=inference.fold_error_rate_test,
        takes=forms.ERROR_RATES,
        options=_test_fraction,
        returns="verdict",
        metrics=_ACCURACY,
    ),
    Procedure(
        function=inference.model_confidence_set, takes=forms.SPLITS_OF_ALL, options=_test_fraction, returns="verdict"
    ),
    Procedure(
        function=inference.selection_bias,
        takes=forms.REPEATS_OF_ALL,
        options=_folds_and_fraction,
        returns="description",
    ),
    Procedure(function=inference.full_dominance_test, takes=forms.STATEMENT_COUNTS, returns="verdict"),
    Procedure(
        function=inference.intersection_union_test, takes=forms.SCORE_VECTORS, options=_test_fraction, returns="verdict"
    ),
    Procedure(function=inference.max_t_test, takes=forms.SCORE_VECTORS, options=_test_fraction, returns="verdict"),
    Procedure(function=inference.hotelling_test, takes=forms.SCORE_VECTORS, options=_test_fraction, returns="verdict"),
    # predictions of one test set
    Procedure(function=inference.mcnemar_test, takes=forms.CORRECTNESS, metrics=_ACCURACY),
    Procedure(function=inference.delong_test, takes=forms.CLASS_SCORES, metrics=_ROC_AUC),
    Procedure(function=inference.paired_metric_test, takes=forms.LABELS, metrics=_LABEL_METRICS),
    Procedure(function=inference.paired_bootstrap, takes=forms.LABELS, metrics=_LABEL_METRICS),
    Procedure(function=inference.cv_clt_test, takes=forms.LOSSES, fits=_partition, metrics=_ACCURACY),
    Procedure(function=inference.cochran_q_test, takes=forms.CORRECTNESS_OF_ALL, returns="verdict", metrics=_ACCURACY),
    Procedure(function=inference.error_rate_test, takes=forms.NUMBER_OF_ERRORS, returns="verdict", metrics=_ACCURACY),
    Procedure(function=inference.error_reduction, takes=forms.CORRECTNESS, returns="description", metrics=_ACCURACY),
    Procedure(function=inference.roc_dominance, takes=forms.CLASS_SCORES, returns="description", metrics=_ROC_AUC),
)
_BY_NAME = {alias: row for row in PROCEDURES for alias in (row.name, row.name.removesuffix("_test"))}


@dataclass(frozen=True, slots=True, kw_only=True)
class Default:
    """What ``procedure="auto"`` stands for: the first row of `DEFAULTS` that fits the design.

    Attributes
    ----------
    designs : str
        The designs, in words.
    fits : callable
        Whether a design is one of them.
    procedure : str
        The procedure chosen.
    reason : str
        Why.
    """

    designs: str
    fits: Callable[[Design], bool]
    procedure: str
    reason: str


DEFAULTS: tuple[Default, ...] = (
    Default(
        designs="one run of k-fold, k from 3 to 20",
        fits=lambda design: _single_k_fold(design, {}),
        procedure="k_fold_t_test",
        reason="the usual correction for overlapping training sets is too large for a single run; this test takes 0.4 "
        "of it, and in simulations it called equal models different in 4% to 5% of cases on average",
    ),
    Default(
        designs="any other resampling of one data set",
        fits=lambda design: True,  # noqa: ARG005
        procedure="corrected_t_test",
        reason="it allows for the overlap of the training sets, and of all tests it had the lowest error rate in the "
        "worst simulated case",
    ),
)


_DOMINANCE = {
    "dominance": "glrt",
    "dominance_test": "glrt",
    "dominance_posterior": "dirichlet",
    "dominance_network": "network",
}
_PLACES: dict[str, Any] = {
    "of": "one data set",
    "elsewhere": "several data sets (evaluate_datasets)",
    "families": ("datasets", "post_hoc", "posteriors"),
}


def default_for(design: Design) -> Default:
    """The default for a design."""
    return next(default for default in DEFAULTS if default.fits(design))


def find_procedure(name: str, design: Design, options: Mapping[str, Any] | None = None) -> Procedure:
    """The row called `name`, with or without a trailing ``_test``; ``"auto"`` is the default for the design.

    Raises
    ------
    ValueError
        If there is no such procedure, or it does not fit the design.
    """
    options = {} if options is None else options
    if name == "auto":
        name = default_for(design).procedure
    if name in _DOMINANCE:
        raise ValueError(f"procedure must be one of procedures(); {name!r} is result.dominance({_DOMINANCE[name]!r})")
    if name not in _BY_NAME:
        known, default = [row.name for row in PROCEDURES], default_for(design).procedure
        raise ValueError(unknown_procedure(name, known, default=default, **_PLACES))
    row = _BY_NAME[name]
    if not row.fits(design, options):
        fitting = ", ".join(repr(other.name) for other in PROCEDURES if other.fits(design, {}))
        raise ValueError(
            f"procedure must fit the design; {row.name!r} needs {row.designs}, and this is {design.name}. "
            f"These fit: {fitting}"
        )
    return row
