"""The rows of the table that take scores of the splits of one data set, of one metric or of several."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skcompare._core.design import Design
from skcompare.inference import (
    almost_stochastic_order,
    blocked_m_by_two_test,
    calibrated_t_test,
    corrected_t_test,
    correlated_t_posterior,
    equivalence_test,
    five_by_two_f_test,
    five_by_two_t_test,
    fold_error_rate_test,
    full_dominance_test,
    hotelling_test,
    intersection_union_test,
    k_fold_t_test,
    max_t_test,
    model_confidence_set,
    paired_t_test,
    permutation_test,
    selection_bias,
)
from skcompare.inference._forms import (
    ERROR_RATES,
    REPEATS,
    REPEATS_OF_ALL,
    SCORE_VECTORS,
    SPLITS,
    SPLITS_OF_ALL,
    STATEMENT_COUNTS,
)
from skcompare.inference._procedure import Procedure


def _calibrated(design: Design, options: Mapping[str, Any]) -> bool:
    """Ten by ten folds, or any design that has the scheme's sample, if the user gives the degrees of freedom."""
    shape = (design.n_repeats, design.n_folds)
    if options.get("df") is None:
        return design.partition and shape == (10, 10)
    if options.get("scheme", "all") == "all":
        return design.n_repeats * design.n_folds > 1
    return design.partition and design.n_folds > 1


def is_single_k_fold(design: Design, options: Mapping[str, Any]) -> bool:  # noqa: ARG001
    """One run of as many folds as were measured, or nearly so."""
    return design.partition and design.n_repeats == 1 and 3 <= design.n_folds <= 20


def _five_by_two(design: Design, options: Mapping[str, Any]) -> bool:  # noqa: ARG001
    return design.partition and (design.n_repeats, design.n_folds) == (5, 2)


def _m_by_two(design: Design, options: Mapping[str, Any]) -> bool:  # noqa: ARG001
    return design.partition and design.n_folds == 2 and design.n_repeats > 1


def _test_fraction(design: Design) -> Mapping[str, Any]:
    return {"test_fraction": design.test_fraction}


def _folds_and_fraction(design: Design) -> Mapping[str, Any]:
    return {"n_folds": design.n_folds, "test_fraction": design.test_fraction}


_CORRELATION = "normal differences; a correlation of two splits equal to the test fraction"


FOLD_PROCEDURES: tuple[Procedure, ...] = (
    Procedure(
        name="corrected_t_test",
        function=corrected_t_test,
        takes=SPLITS,
        options=_test_fraction,
        designs="any resampling of one data set",
        assumes=_CORRELATION,
        references=("nadeau2003inference", "bouckaert2004evaluating"),
    ),
    Procedure(
        name="k_fold_t_test",
        function=k_fold_t_test,
        takes=SPLITS,
        fits=is_single_k_fold,
        options=_test_fraction,
        designs="one run of k-fold",
        assumes="normal differences; a correlation of two folds of 0.4 times the test fraction, as measured",
        references=("nadeau2003inference", "bengio2004unbiased"),
    ),
    Procedure(
        name="calibrated_t_test",
        function=calibrated_t_test,
        takes=REPEATS,
        fits=_calibrated,
        designs="10x10, and any other with df=",
        assumes="normal differences; a correlation like that of the calibrating simulation",
        references=("bouckaert2003choosing", "bouckaert2004estimating"),
    ),
    Procedure(
        name="five_by_two_t_test",
        function=five_by_two_t_test,
        takes=REPEATS,
        fits=_five_by_two,
        designs="5x2 only",
        assumes="normal differences; independent variance estimates of the five repeats",
        references=("dietterich1998approximate",),
    ),
    Procedure(
        name="five_by_two_f_test",
        function=five_by_two_f_test,
        takes=REPEATS,
        fits=_five_by_two,
        designs="5x2 only",
        assumes="normal differences; independent numerator and denominator",
        references=("alpaydin1999combined",),
    ),
    Procedure(
        name="blocked_m_by_two_test",
        function=blocked_m_by_two_test,
        takes=REPEATS,
        fits=_m_by_two,
        designs="m x 2 drawn by BlockedMByTwo",
        assumes="normal differences; training sets that overlap by a quarter of the data",
        references=("wang2014blocked",),
    ),
    Procedure(
        name="paired_t_test",
        function=paired_t_test,
        takes=SPLITS,
        designs="any, as a reference only",
        assumes="independent splits, which they are not",
        references=("dietterich1998approximate",),
    ),
    Procedure(
        name="permutation_test",
        function=permutation_test,
        takes=SPLITS,
        designs="any, as a reference only",
        assumes="independent splits, which they are not; no distribution",
        references=("fisher1935design", "menke2004permutations", "phipson2010permutation", "pagano1983obtaining"),
    ),
    Procedure(
        name="equivalence_test",
        function=equivalence_test,
        takes=SPLITS,
        options=_test_fraction,
        designs="any resampling of one data set",
        assumes=_CORRELATION,
        returns="verdict",
        references=("schuirmann1987comparison", "nadeau2003inference"),
    ),
    Procedure(
        name="correlated_t_posterior",
        function=correlated_t_posterior,
        takes=SPLITS,
        options=_test_fraction,
        designs="any resampling of one data set",
        assumes=_CORRELATION,
        returns="posterior",
        references=("corani2015bayesian",),
    ),
    Procedure(
        name="almost_stochastic_order",
        function=almost_stochastic_order,
        takes=SPLITS,
        designs="independent runs; folds share data",
        assumes="independent scores",
        returns="verdict",
        references=("delbarrio2018optimal", "dror2019deep", "ulmer2022deep"),
    ),
    Procedure(
        name="fold_error_rate_test",
        function=fold_error_rate_test,
        takes=ERROR_RATES,
        options=_test_fraction,
        designs="any resampling of one data set",
        assumes="normal error rates; a correlation of two splits equal to the test fraction",
        returns="verdict",
        metrics=("accuracy",),
        references=("alpaydin2020introduction", "nadeau2003inference"),
    ),
    Procedure(
        name="model_confidence_set",
        function=model_confidence_set,
        takes=SPLITS_OF_ALL,
        options=_test_fraction,
        designs="any resampling of one data set",
        assumes=_CORRELATION,
        returns="verdict",
        references=("hansen2011model", "hsu1984constrained", "nadeau2003inference"),
    ),
    Procedure(
        name="selection_bias",
        function=selection_bias,
        takes=REPEATS_OF_ALL,
        options=_folds_and_fraction,
        designs="any resampling of one data set",
        assumes="independent folds of a repeat; of random splits a correlation equal to the test fraction",
        returns="description",
        references=("nadeau2003inference", "tibshirani2009bias", "tsamardinos2018bootstrapping"),
    ),
    Procedure(
        name="full_dominance_test",
        function=full_dominance_test,
        takes=STATEMENT_COUNTS,
        designs="any resampling of one data set",
        assumes="models that may be exchanged where they are equal; signs with the correlation of the test fraction",
        returns="verdict",
        references=("dixon1946statistical", "benavoli2016joint"),
    ),
    Procedure(
        name="intersection_union_test",
        function=intersection_union_test,
        takes=SCORE_VECTORS,
        options=_test_fraction,
        designs="any resampling of one data set",
        assumes=_CORRELATION,
        returns="verdict",
        references=("berger1982multiparameter",),
    ),
    Procedure(
        name="max_t_test",
        function=max_t_test,
        takes=SCORE_VECTORS,
        options=_test_fraction,
        designs="any resampling of one data set",
        assumes=_CORRELATION,
        returns="verdict",
        references=("westfall1993resampling", "ge2003resampling", "nadeau2003inference"),
    ),
    Procedure(
        name="hotelling_test",
        function=hotelling_test,
        takes=SCORE_VECTORS,
        options=_test_fraction,
        designs="any resampling of one data set",
        assumes=_CORRELATION,
        returns="verdict",
        references=("hotelling1931generalization", "yildiz2014multivariate", "nadeau2003inference"),
    ),
)
