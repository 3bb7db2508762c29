"""The table of all procedures on one data set: what each needs, which designs it fits, what it assumes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from skcompare._core.design import Design
from skcompare._core.validation import check_choice
from skcompare.inference._guide import guide
from skcompare.inference.curves import error_reduction, roc_dominance
from skcompare.inference.dominance import (
    full_dominance_test,
    hotelling_test,
    intersection_union_test,
    max_t_test,
)
from skcompare.inference.fold_scores import (
    almost_stochastic_order,
    blocked_m_by_two_test,
    calibrated_t_test,
    corrected_t_test,
    correlated_t_posterior,
    cv_clt_test,
    equivalence_test,
    five_by_two_f_test,
    five_by_two_t_test,
    k_fold_t_test,
    model_confidence_set,
    paired_t_test,
    permutation_test,
    selection_bias,
)
from skcompare.inference.outcomes import (
    cochran_q_test,
    delong_test,
    error_rate_test,
    fold_error_rate_test,
    mcnemar_test,
    paired_bootstrap,
    paired_metric_test,
)

Takes = Literal[
    "splits",
    "repeats x folds",
    "fold error rates",
    "splits of all",
    "repeats x folds of all",
    "score vectors",
    "statement counts",
    "correctness",
    "correctness of all",
    "number of errors",
    "class scores",
    "labels",
    "losses",
]
_OF_ALL = ("splits of all", "repeats x folds of all", "correctness of all")
_OF_ONE = ("fold error rates", "number of errors")
_FOLD_SCORES = ("splits", "repeats x folds", "fold error rates", "splits of all", "repeats x folds of all")
_JOINT = ("score vectors", "statement counts")
Returns = Literal["test", "posterior", "verdict", "description"]


def _any_design(design: Design, options: Mapping[str, Any]) -> bool:  # noqa: ARG001
    return True


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


def _no_options(design: Design) -> Mapping[str, Any]:  # noqa: ARG001
    return {}


def _test_fraction(design: Design) -> Mapping[str, Any]:
    return {"test_fraction": design.test_fraction}


def _folds_and_fraction(design: Design) -> Mapping[str, Any]:
    return {"n_folds": design.n_folds, "test_fraction": design.test_fraction}


@dataclass(frozen=True, slots=True, kw_only=True)
class Procedure:
    """One row of the table.

    Attributes
    ----------
    name : str
        The function's name, under which results know it too.
    function : callable
        The function of `skcompare.inference`.
    takes : str
        The evidence it needs, and in which form: scores per split (flat, or a row per repeat) of two models or of
        all, error rates per split, several metrics at once (their scores, or how often each dominance statement
        holds), or predictions (who was right on each sample, class scores, labels, losses).
    designs : str
        The designs it fits, in words.
    assumes : str
        What it takes for granted.
    returns : {"test", "posterior", "verdict", "description"}
        Whether its record has a p-value for two models, posterior probabilities, another verdict, or none.
    metrics : tuple of str
        The metrics that it can speak of; empty where any.
    directed : bool
        Whether it takes an `alternative`.
    fits : callable
        Whether it fits a design, given the user's options.
    options : callable
        The options that it reads from a design.
    references : tuple of str
        The papers that it comes from, keys of `REFERENCES`.
    """

    name: str
    function: Callable[..., Any]
    takes: Takes
    designs: str
    assumes: str
    returns: Returns = "test"
    metrics: tuple[str, ...] = ()
    directed: bool = True
    fits: Callable[[Design, Mapping[str, Any]], bool] = _any_design
    options: Callable[[Design], Mapping[str, Any]] = _no_options
    references: tuple[str, ...] = ()

    @property
    def question(self) -> str:
        """The question that it answers."""
        return guide(self.name).question

    @property
    def use(self) -> str:
        """When to take it."""
        return guide(self.name).use

    @property
    def misleads(self) -> str:
        """On which data it gives which wrong answer."""
        return guide(self.name).misleads

    @property
    def evidence(self) -> str:
        """``"fold scores"`` or ``"predictions"``."""
        return "fold scores" if self.takes in _FOLD_SCORES or self.joint else "predictions"

    @property
    def joint(self) -> bool:
        """Whether it speaks of several metrics at once."""
        return self.takes in _JOINT

    @property
    def of_all(self) -> bool:
        """Whether it takes the fold scores of all models at once."""
        return self.takes in _OF_ALL

    @property
    def of_one(self) -> bool:
        """Whether it is about one model."""
        return self.takes in _OF_ONE


_CORRELATION = "normal differences; a correlation of two splits equal to the test fraction"
_ONE_MODEL_EACH = "one test set; speaks of the fitted models, not of their training"
NAMED_METRICS = ("accuracy", "precision", "recall", "f1", "balanced_accuracy", "specificity", "mcc")
_LABEL_METRICS = (
    *NAMED_METRICS,
    "matthews_corrcoef",
    *(f"{which}_{how}" for which in ("precision", "recall", "f1") for how in ("macro", "weighted")),
)

PROCEDURES: tuple[Procedure, ...] = (
    Procedure(
        name="corrected_t_test",
        function=corrected_t_test,
        takes="splits",
        options=_test_fraction,
        designs="any resampling of one data set",
        assumes=_CORRELATION,
        references=("nadeau2003inference", "bouckaert2004evaluating"),
    ),
    Procedure(
        name="k_fold_t_test",
        function=k_fold_t_test,
        takes="splits",
        fits=_single_k_fold,
        options=_test_fraction,
        designs="one run of k-fold",
        assumes="normal differences; a correlation of two folds of 0.4 times the test fraction, as measured",
        references=("nadeau2003inference", "bengio2004unbiased"),
    ),
    Procedure(
        name="calibrated_t_test",
        function=calibrated_t_test,
        takes="repeats x folds",
        fits=_calibrated,
        designs="10x10, and any other with df=",
        assumes="normal differences; a correlation like that of the calibrating simulation",
        references=("bouckaert2003choosing", "bouckaert2004estimating"),
    ),
    Procedure(
        name="five_by_two_t_test",
        function=five_by_two_t_test,
        takes="repeats x folds",
        fits=_five_by_two,
        designs="5x2 only",
        assumes="normal differences; independent variance estimates of the five repeats",
        references=("dietterich1998approximate",),
    ),
    Procedure(
        name="five_by_two_f_test",
        function=five_by_two_f_test,
        takes="repeats x folds",
        fits=_five_by_two,
        designs="5x2 only",
        assumes="normal differences; independent numerator and denominator",
        references=("alpaydin1999combined",),
    ),
    Procedure(
        name="blocked_m_by_two_test",
        function=blocked_m_by_two_test,
        takes="repeats x folds",
        fits=_m_by_two,
        designs="m x 2 drawn by BlockedMByTwo",
        assumes="normal differences; training sets that overlap by a quarter of the data",
        references=("wang2014blocked",),
    ),
    Procedure(
        name="paired_t_test",
        function=paired_t_test,
        takes="splits",
        designs="any, as a reference only",
        assumes="independent splits, which they are not",
        references=("dietterich1998approximate",),
    ),
    Procedure(
        name="permutation_test",
        function=permutation_test,
        takes="splits",
        designs="any, as a reference only",
        assumes="independent splits, which they are not; no distribution",
        references=("fisher1935design", "menke2004permutations", "phipson2010permutation", "pagano1983obtaining"),
    ),
    Procedure(
        name="equivalence_test",
        function=equivalence_test,
        takes="splits",
        options=_test_fraction,
        designs="any resampling of one data set",
        assumes=_CORRELATION,
        returns="verdict",
        directed=False,
        references=("schuirmann1987comparison", "nadeau2003inference"),
    ),
    Procedure(
        name="correlated_t_posterior",
        function=correlated_t_posterior,
        takes="splits",
        options=_test_fraction,
        designs="any resampling of one data set",
        assumes=_CORRELATION,
        returns="posterior",
        directed=False,
        references=("corani2015bayesian",),
    ),
    Procedure(
        name="almost_stochastic_order",
        function=almost_stochastic_order,
        takes="splits",
        designs="independent runs; folds share data",
        assumes="independent scores",
        returns="verdict",
        directed=False,
        references=("delbarrio2018optimal", "dror2019deep", "ulmer2022deep"),
    ),
    Procedure(
        name="fold_error_rate_test",
        function=fold_error_rate_test,
        takes="fold error rates",
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
        takes="splits of all",
        options=_test_fraction,
        designs="any resampling of one data set",
        assumes=_CORRELATION,
        returns="verdict",
        directed=False,
        references=("hansen2011model", "hsu1984constrained", "nadeau2003inference"),
    ),
    Procedure(
        name="selection_bias",
        function=selection_bias,
        takes="repeats x folds of all",
        options=_folds_and_fraction,
        designs="any resampling of one data set",
        assumes="independent folds of a repeat; of random splits a correlation equal to the test fraction",
        returns="description",
        directed=False,
        references=("nadeau2003inference", "tibshirani2009bias", "tsamardinos2018bootstrapping"),
    ),
    Procedure(
        name="full_dominance_test",
        function=full_dominance_test,
        takes="statement counts",
        designs="any resampling of one data set",
        assumes="models that may be exchanged where they are equal; signs with the correlation of the test fraction",
        returns="verdict",
        references=("dixon1946statistical", "benavoli2016joint"),
    ),
    Procedure(
        name="intersection_union_test",
        function=intersection_union_test,
        takes="score vectors",
        options=_test_fraction,
        designs="any resampling of one data set",
        assumes=_CORRELATION,
        returns="verdict",
        references=("berger1982multiparameter",),
    ),
    Procedure(
        name="max_t_test",
        function=max_t_test,
        takes="score vectors",
        options=_test_fraction,
        designs="any resampling of one data set",
        assumes=_CORRELATION,
        returns="verdict",
        references=("westfall1993resampling", "ge2003resampling", "nadeau2003inference"),
    ),
    Procedure(
        name="hotelling_test",
        function=hotelling_test,
        takes="score vectors",
        options=_test_fraction,
        designs="any resampling of one data set",
        assumes=_CORRELATION,
        returns="verdict",
        directed=False,
        references=("hotelling1931generalization", "yildiz2014multivariate", "nadeau2003inference"),
    ),
    Procedure(
        name="mcnemar_test",
        function=mcnemar_test,
        takes="correctness",
        designs="one test set; folds are pooled with a warning",
        assumes=_ONE_MODEL_EACH,
        metrics=("accuracy",),
        references=("mcnemar1947note", "edwards1948note", "tango1998equivalence", "fagerland2013mcnemar"),
    ),
    Procedure(
        name="delong_test",
        function=delong_test,
        takes="class scores",
        designs="one test set; folds are pooled with a warning",
        assumes=_ONE_MODEL_EACH,
        metrics=("roc_auc",),
        references=("delong1988comparing", "sun2014fast"),
    ),
    Procedure(
        name="paired_metric_test",
        function=paired_metric_test,
        takes="labels",
        designs="one test set; folds are pooled with a warning",
        assumes=_ONE_MODEL_EACH,
        metrics=_LABEL_METRICS,
        references=("noreen1989computer", "yeh2000more"),
    ),
    Procedure(
        name="paired_bootstrap",
        function=paired_bootstrap,
        takes="labels",
        designs="one test set; folds are pooled with a warning",
        assumes=_ONE_MODEL_EACH,
        metrics=_LABEL_METRICS,
        references=("efron1987better",),
    ),
    Procedure(
        name="cv_clt_test",
        function=cv_clt_test,
        takes="losses",
        fits=_partition,
        designs="k-fold; of repeated k-fold the first repeat",
        assumes="stable learners; speaks of the fitted models",
        metrics=("accuracy",),
        references=("bayle2020crossvalidation",),
    ),
    Procedure(
        name="cochran_q_test",
        function=cochran_q_test,
        takes="correctness of all",
        designs="one test set; folds are pooled with a warning",
        assumes=_ONE_MODEL_EACH,
        returns="verdict",
        metrics=("accuracy",),
        references=("cochran1950comparison", "tate1970note"),
        directed=False,
    ),
    Procedure(
        name="error_rate_test",
        function=error_rate_test,
        takes="number of errors",
        designs="one test set; folds are pooled with a warning",
        assumes="independent samples; speaks of the fitted model",
        returns="verdict",
        metrics=("accuracy",),
        references=("alpaydin2020introduction", "lancaster1961significance"),
    ),
    Procedure(
        name="error_reduction",
        function=error_reduction,
        takes="correctness",
        designs="one test set; folds are pooled with a warning",
        assumes=_ONE_MODEL_EACH,
        returns="description",
        metrics=("accuracy",),
        directed=False,
    ),
    Procedure(
        name="roc_dominance",
        function=roc_dominance,
        takes="class scores",
        designs="one test set; folds are pooled with a warning",
        assumes="nothing; it describes the samples",
        returns="description",
        metrics=("roc_auc",),
        references=("provost2001robust",),
        directed=False,
    ),
)


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
        reason="the folds of one run are less alike than the usual correction takes them for, and with the correlation "
        "as measured the mean size is close to nominal on all metrics",
    ),
    Default(
        designs="any other resampling of one data set",
        fits=lambda design: True,  # noqa: ARG005
        procedure="corrected_t_test",
        reason="it allows for the overlap of the training sets, and of the tests measured here it exceeds its level "
        "least",
    ),
)


# What has a method of its own.
_DOMINANCE = {
    "dominance": "glrt",
    "dominance_test": "glrt",
    "dominance_posterior": "dirichlet",
    "dominance_network": "network",
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
    rows = {alias: row for row in PROCEDURES for alias in (row.name, row.name.removesuffix("_test"))}
    if name == "auto":
        name = default_for(design).procedure
    if name in _DOMINANCE:
        raise ValueError(f"procedure must be one of procedures(); {name!r} is result.dominance({_DOMINANCE[name]!r})")
    if name not in rows:
        check_choice(name, "procedure", ("auto", *(row.name for row in PROCEDURES)))
    row = rows[name]
    if not row.fits(design, options):
        fitting = ", ".join(repr(other.name) for other in PROCEDURES if other.fits(design, {}))
        raise ValueError(
            f"procedure must fit the design; {row.name!r} needs {row.designs}, and this is {design.name}. "
            f"These fit: {fitting}"
        )
    return row
