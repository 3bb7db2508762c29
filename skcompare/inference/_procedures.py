"""The tables of all procedures, the forms of evidence that they take, and what ``"auto"`` stands for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, field, replace
from functools import cache, partial
from inspect import Parameter, signature
from math import inf
from operator import methodcaller
from typing import Any, Literal

import numpy as np

from skcompare import inference
from skcompare._core.design import Design, Evidence
from skcompare._core.metrics import METRICS
from skcompare._core.record import Frozen
from skcompare._core.validation import cut, did_you_mean, meaning, nearest
from skcompare._core.warnings import Warnings
from skcompare.inference import _records as records
from skcompare.inference._guide import UNKNOWN, Guide, defaults, guides
from skcompare.inference.datasets.friedman import FEW_FOR_F
from skcompare.inference.fold_scores.t_tests import METHOD

Kind = Literal["fold scores", "predictions", "data sets"]
Subject = Literal["pair", "one model", "all models"]
Shape = Callable[[Design, Mapping[str, Any]], bool]
Returns = Literal["test", "posterior", "verdict", "description", "omnibus", "pairs", "control"]


class Arguments(Frozen):
    """What a procedure is called with.

    Attributes
    ----------
    positional : tuple
        In order.
    options : mapping of str to object
        Keywords that the evidence sets; what the user gave comes over them.
    warnings : tuple of str
        What is wrong with the evidence; added to the record's.
    """

    positional: tuple[Any, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    warnings: Warnings = ()


class Form(Frozen, kw_only=False):
    """A form of evidence.

    Attributes
    ----------
    words : str
        What it is, in words.
    arguments : callable
        Turns the evidence for a question into the `Arguments` of a procedure.
    kind : {"fold scores", "predictions", "data sets"}
        Where it comes from.
    subject : {"pair", "one model", "all models"}
        Whom a procedure that takes it is about.
    joint : bool
        Whether it holds several metrics at once.
    set_by_evidence : tuple of str
        The options that `arguments` sets and nobody may give.
    """

    words: str
    arguments: Callable[[Any], Arguments]
    _: KW_ONLY
    kind: Kind
    subject: Subject = "pair"
    joint: bool = False
    set_by_evidence: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.words


# The designs that procedures of a kind fit, unless their guide says otherwise; on data sets their form says it.
_DESIGNS: Mapping[Kind, str] = {
    "fold scores": "any resampling of one data set",
    "predictions": "one test set; folds are pooled with a warning",
}


class Procedure(Frozen, kw_only=False):
    """One row of a table.

    Attributes
    ----------
    name : str
        The function of `skcompare.inference`, which is loaded when it is called; results know it by this name too.
    takes : Form
        The evidence it needs, and how it becomes arguments.
    returns : {"test", "posterior", "verdict", "description", "omnibus", "pairs", "control"}
        Whether its record has a p-value for two models, posterior probabilities, another verdict, or none; of all
        models also one p-value for all, one for each pair, or one for each against a control.
    metrics : tuple of str
        The metrics that it can speak of; empty where any.
    shape : callable or None
        Whether it fits the repeats and folds of a design, given the user's options; None where it fits any.
    kinds : tuple of {"folds", "samples", "items", "runs", "paired runs", "judgments", "judged items"}
        What it fits, as in `Design.evidence`; by default folds, and of predictions samples too.
    options : callable
        The options that it reads from a design.
    many : callable or None
        The same of many pairs whose scores lack nothing, from their `ManyDifferences`.
    """

    name: str
    takes: Form
    returns: Returns = "test"
    _: KW_ONLY
    metrics: tuple[str, ...] = ()
    shape: Shape | None = None
    kinds: tuple[Evidence, ...] = ()
    options: Callable[[Design], Mapping[str, Any]] = lambda design: {}  # noqa: ARG005
    many: Callable[..., records.ManyTTests] | None = None

    @property
    def function(self) -> Callable[..., Any]:
        """The function."""
        found: Callable[..., Any] = getattr(inference, self.name)
        return found

    def fits(self, design: Design, options: Mapping[str, Any]) -> bool:
        """Whether it fits a design, given the user's options."""
        kinds = self.kinds or (("folds", "samples") if self.takes.kind == "predictions" else ("folds",))
        return design.evidence in kinds and (self.shape is None or self.shape(design, options))

    @property
    def guide(self) -> Guide:
        """What to know of it before taking it."""
        return guides().get(self.name, UNKNOWN)

    @property
    def designs(self) -> str:
        """The designs it fits, in words."""
        return self.guide.designs or _DESIGNS.get(self.takes.kind, self.takes.words)

    @property
    def keywords(self) -> Mapping[str, Any]:
        """Its options with their own defaults, `Parameter.empty` where there is none."""
        return _keywords(self.function)

    @property
    def directed(self) -> bool:
        """Whether it takes an `alternative`; where several are allowed each names its own default."""
        return self.takes.subject != "all models" and "alternative" in self.keywords

    @property
    def takes_null(self) -> bool:
        """Whether it can test a difference other than 0."""
        return "null" in self.keywords

    @property
    def needs_clusters(self) -> bool:
        """Whether it is of items in clusters alone."""
        return self.keywords.get("clusters") is Parameter.empty

    def check_options(self, given: Mapping[str, Any], taken: set[str], by: str) -> None:
        """Raise ValueError for an option that it does not have, that is `taken` (set by what), or that is lacking."""
        taken = taken | {"alternative", "null"}
        names = [name for name in self.keywords if name not in taken]
        for name in given:
            if name not in names:
                why = f"is set by the {by} for" if name in taken else "is no option of"
                raise ValueError(f"{name} {why} {self.name!r}, which takes {', '.join(names) or 'none'}")
        for name in names:
            if self.keywords[name] is Parameter.empty and name not in given:
                raise ValueError(f"{name} must be given for {self.name!r}")


@cache
def _keywords(function: Callable[..., Any]) -> Mapping[str, Any]:
    return {p.name: p.default for p in signature(function).parameters.values() if p.kind is Parameter.KEYWORD_ONLY}


# The forms of evidence that the procedures of the tables take, and how each becomes the arguments of a function.
#
# What stands behind `evidence` is made where scores are known (`skcompare.comparison`): of the splits of one data set
# it gives scores (`pair`, `error_rates`, `every_model`, `score_vectors`, `statement_counts`), of predictions outcomes
# (`correct`, `labels`, `class_scores` of a model), of several data sets mean scores (`pair`, `pair_splits`, `table`).


_folds = partial(Form, kind="fold scores")
_predictions = partial(Form, kind="predictions")
_datasets = partial(Form, kind="data sets")
_OF_ALL: Mapping[str, Any] = {"subject": "all models", "set_by_evidence": ("names", "greater_is_better")}


def _losses_in_time(evidence: Any) -> Arguments:
    """Scores as losses, what other training sets add to their variance, and after how many times they may recur."""
    found: Arguments = evidence.pair()
    design, n = evidence.scores.design, np.size(found.positional[0])
    period = design.period if 2 * design.period <= n == design.n_splits else 1  # without gaps
    options = {**found.options, "training_variance": evidence.training_variance, "period": period}
    return replace(found, positional=tuple(-values for values in found.positional), options=options)


def _in_order(evidence: Any) -> Arguments:
    """Values in their own units, on whose bounds it rests: of losses those of the second model come first."""
    found: Arguments = evidence.pair()
    if evidence.greater_is_better:
        return found
    a, b = found.positional
    return replace(found, positional=(-b, -a))


# ---- scores of the splits of one data set
SPLITS = _folds("splits", methodcaller("pair"))
REPEATS_AND_LOSSES = _folds(
    "repeats x folds, and the losses of the samples", methodcaller("repeats_and_losses"), set_by_evidence=("families",)
)
REPEATS = _folds("repeats x folds", methodcaller("pair", by_repeat=True))
NESTED = _folds("values of the samples in nested fits", methodcaller("nested_differences"))
ERROR_RATES = _folds("fold error rates", methodcaller("error_rates"), subject="one model")
SPLITS_OF_ALL = _folds("splits of all", methodcaller("every_model"), **_OF_ALL)
REPEATS_OF_ALL = _folds("repeats x folds of all", methodcaller("every_model"), **_OF_ALL)
SCORE_VECTORS = _folds("score vectors", methodcaller("score_vectors"), joint=True)
IN_TIME = _folds("losses in time order", _losses_in_time, set_by_evidence=("training_variance",))
IN_ORDER = _folds("values in order of arrival", _in_order)
ESTIMATES = _folds("estimates", methodcaller("estimates"), set_by_evidence=("df", "n"))
STATEMENT_COUNTS = _folds("statement counts", methodcaller("statement_counts"), joint=True)


# ---- predictions of one test set
def _given(evidence: Any, *positional: Any, **options: Any) -> Arguments:
    return Arguments(positional=positional, options=options, warnings=evidence.warnings)


def _number_of_errors(evidence: Any) -> Arguments:
    correct = evidence.correct(evidence.a)
    return _given(evidence, int((~correct).sum()), len(correct))


def _labels(evidence: Any) -> Arguments:
    labels, positive = evidence.labelled()
    in_clusters = {} if evidence.clusters is None else {"clusters": evidence.clusters}
    return _given(evidence, *labels, evidence.metric_function, **positive, **in_clusters)


def _losses(evidence: Any) -> Arguments:
    return _given(evidence, 1.0 - evidence.correct(evidence.a), 1.0 - evidence.correct(evidence.b), evidence.folds)


CORRECTNESS = _predictions("correctness", lambda of: _given(of, of.correct(of.a), of.correct(of.b)))
CORRECTNESS_OF_ALL = _predictions(
    "correctness of all", lambda of: _given(of, np.column_stack([*map(of.correct, of.names)])), subject="all models"
)
NUMBER_OF_ERRORS = _predictions("number of errors", _number_of_errors, subject="one model")
CLASS_SCORES = _predictions(
    "class scores", lambda of: _given(of, of.y_true, of.class_scores(of.a), of.class_scores(of.b))
)
LABELS = _predictions("labels", _labels)
LOSSES = _predictions("losses", _losses)


# ---- scores on several data sets
def _exact_on_few(evidence: Any) -> Arguments:
    found: Arguments = evidence.table()
    few = {"method": "auto"} if len(found.positional[0]) < FEW_FOR_F else {}
    return replace(found, options={**found.options, **few})


PAIR = _datasets("two models, one score per data set", methodcaller("pair"))
PAIR_SPLITS = _datasets(
    "two models, all splits of every data set", methodcaller("pair_splits"), set_by_evidence=("test_fraction",)
)
RUNS_OF_PAIR = _datasets(
    "two models, independent runs on every data set", methodcaller("pair_runs"), set_by_evidence=("paired",)
)
RUNS = _datasets("all models, independent runs on every data set", methodcaller("runs"), **_OF_ALL)
TABLE = _datasets(
    "all models, one score per data set",
    methodcaller("table"),
    subject="all models",
    set_by_evidence=("names", "greater_is_better", "test_fraction", "overlap"),
)
RANKED_TABLE = replace(TABLE, arguments=_exact_on_few)
PAIR_IN_TABLE = _datasets(
    "two models, all models' scores with gaps",
    methodcaller("table", gaps=True, of_pair=True),
    set_by_evidence=("a", "b", "names", "greater_is_better"),
)
TABLE_OR_RUNS = _datasets(
    "all models, one score per data set or independent runs, some missing",
    methodcaller("table", gaps=True, of_runs=True),
    **_OF_ALL,
)
TABLE_WITH_GAPS = _datasets(
    "all models, one score per data set, some missing", methodcaller("table", gaps=True), **_OF_ALL
)

# The tables of all procedures: which evidence each takes, which designs it fits, and what it returns.

LABEL_METRICS = tuple(name for name, row in METRICS.items() if row.of_labels)
_ACCURACY, _ROC_AUC = ("accuracy",), ("roc_auc",)
_ANY: tuple[Evidence, ...] = ("folds", "samples", "items")
_PAIRS: tuple[Evidence, ...] = (*_ANY, "paired runs")
_RUNS: tuple[Evidence, ...] = ("runs", "paired runs")


def _calibrated(design: Design, options: Mapping[str, Any]) -> bool:
    """Ten by ten folds, or any design that has the scheme's sample, if the user gives the degrees of freedom."""
    shape = (design.n_repeats, design.n_folds)
    if options.get("df") is None:
        return design.partition and shape == (10, 10)
    if options.get("scheme", "all") == "all":
        return design.n_repeats * design.n_folds > 1
    return design.partition and design.n_folds > 1


def _partitions(least: int, most: float = inf, repeats: tuple[float, float] = (1, inf)) -> Shape:
    """Partitions into so many folds, so often."""
    few, many = repeats
    return lambda one, _: one.partition and least <= one.n_folds <= most and few <= one.n_repeats <= many


def _repeated_k_fold(design: Design, options: Mapping[str, Any]) -> bool:
    """Repeats of as many folds as were measured, or nearly so, of samples that are independent."""
    return design.n_groups is None and _partitions(5, 20, (2, inf))(design, options)


def _test_fraction(design: Design) -> Mapping[str, Any]:
    return {"test_fraction": design.test_fraction}


def _correction(design: Design) -> Mapping[str, Any]:
    """What a procedure needs that stands beside the default test: the same variance."""
    return {**records.Correction.of(design).options}


def _folds_and_fraction(design: Design) -> Mapping[str, Any]:
    return {"n_folds": design.n_folds, "test_fraction": design.test_fraction}


def _as_runs(design: Design) -> Mapping[str, Any]:
    return {"paired": False} if design.apart else {}


PROCEDURES: tuple[Procedure, ...] = (
    # scores of the splits of one data set, of one metric or of several
    Procedure("corrected_t_test", SPLITS, options=_test_fraction, many=records.many_corrected_t),
    Procedure(
        "k_fold_t_test",
        SPLITS,
        shape=lambda design, _: records.single_k_fold(design),
        options=_test_fraction,
        many=partial(records.many_corrected_t, overlap=records.OVERLAP, name=METHOD),
    ),
    Procedure("stability_t_test", REPEATS_AND_LOSSES, shape=_repeated_k_fold),
    Procedure("calibrated_t_test", REPEATS, shape=_calibrated),
    Procedure("five_by_two_t_test", REPEATS, shape=_partitions(2, 2, (5, 5))),
    Procedure("five_by_two_f_test", REPEATS, shape=_partitions(2, 2, (5, 5))),
    Procedure("blocked_m_by_two_test", REPEATS, shape=_partitions(2, 2, (2, inf))),
    Procedure("nested_cv_interval", NESTED, shape=_partitions(3)),
    Procedure("paired_t_test", SPLITS, kinds=_PAIRS),
    Procedure("welch_t_test", SPLITS, kinds=_RUNS),
    Procedure("permutation_test", SPLITS, kinds=(*_ANY, *_RUNS), options=_as_runs),
    Procedure(
        "equivalence_test",
        SPLITS,
        "verdict",
        kinds=(*_ANY, *_RUNS),
        options=lambda design: {**_correction(design), **_as_runs(design)},
    ),
    Procedure("correlated_t_posterior", SPLITS, "posterior", kinds=_PAIRS, options=_correction),
    Procedure("almost_stochastic_order", SPLITS, "verdict", kinds=(*_ANY, *_RUNS)),
    Procedure("fold_error_rate_test", ERROR_RATES, "verdict", metrics=_ACCURACY, options=_test_fraction),
    Procedure("model_confidence_set", SPLITS_OF_ALL, "verdict", kinds=_PAIRS, options=_correction),
    Procedure("anova_test", SPLITS_OF_ALL, "omnibus", options=_correction),
    Procedure("friedman_test", SPLITS_OF_ALL, "omnibus", options=_correction),
    Procedure("tukey_test", SPLITS_OF_ALL, "pairs", options=_correction),
    Procedure("nemenyi_test", SPLITS_OF_ALL, "pairs", options=_correction),
    Procedure("selection_bias", REPEATS_OF_ALL, "description", options=_folds_and_fraction),
    Procedure("full_dominance_test", STATEMENT_COUNTS, "verdict", kinds=_PAIRS),
    Procedure("intersection_union_test", SCORE_VECTORS, "verdict", kinds=_PAIRS, options=_correction),
    Procedure("max_t_test", SCORE_VECTORS, "verdict", kinds=_PAIRS, options=_correction),
    Procedure("hotelling_test", SCORE_VECTORS, "verdict", kinds=_PAIRS, options=_correction),
    # estimates with a joint covariance
    Procedure("wald_test", ESTIMATES, kinds=("judgments", "judged items")),
    # losses of single samples in time order
    Procedure(
        "diebold_mariano_test", IN_TIME, kinds=_ANY, shape=lambda design, _: design.time_order or design.kind != "folds"
    ),
    # values of single items in order of arrival
    Procedure(
        "confidence_sequence", IN_ORDER, kinds=("samples", "items"), shape=lambda design, _: design.n_clusters is None
    ),
    # predictions of one test set
    Procedure("mcnemar_test", CORRECTNESS, kinds=_ANY, metrics=_ACCURACY),
    Procedure("delong_test", CLASS_SCORES, metrics=_ROC_AUC),
    Procedure("cluster_t_test", SPLITS, kinds=("samples", "items")),
    Procedure("paired_metric_test", LABELS, metrics=LABEL_METRICS),
    Procedure("paired_bootstrap", LABELS, metrics=LABEL_METRICS),
    Procedure("cv_clt_test", LOSSES, kinds=("folds",), shape=_partitions(2), metrics=_ACCURACY),
    Procedure("cochran_q_test", CORRECTNESS_OF_ALL, "verdict", kinds=_ANY, metrics=_ACCURACY),
    Procedure("error_rate_test", NUMBER_OF_ERRORS, "verdict", kinds=_ANY, metrics=_ACCURACY),
    Procedure("error_reduction", CORRECTNESS, "description", kinds=_ANY, metrics=_ACCURACY),
    Procedure("roc_dominance", CLASS_SCORES, "description", metrics=_ROC_AUC),
)
_BY_NAME = {alias: row for row in PROCEDURES for alias in (row.name, row.name.removesuffix("_test"))}


class Default(Frozen, kw_only=False):
    """What ``procedure="auto"`` stands for: the first row of `DEFAULTS` that fits the design and the metric.

    Attributes
    ----------
    name : str
        Of its entry in the guide.
    procedure : str
        The procedure chosen.
    fits : callable
        Whether a design is one of them, and on one test set or items what the score of the metric is: a "rate" of
        samples that are right, a "mean" over samples, an "area" under the ROC curve, another function of the "labels".
    """

    name: str
    procedure: str
    fits: Callable[[Design, str], bool]

    @property
    def designs(self) -> str:
        """The designs, in words."""
        return defaults()[self.name]["designs"]

    @property
    def reason(self) -> str:
        """Why the procedure is chosen there."""
        return defaults()[self.name]["reason"]


def _cases(design: Design, measure: str, *measures: str) -> bool:
    """One test set or items, each case alone, and a score of some kind."""
    return design.kind in ("samples", "items") and design.n_clusters is None and measure in measures


DEFAULTS: tuple[Default, ...] = (
    Default("time_order", "diebold_mariano_test", lambda design, _: design.time_order),
    Default("k_fold", "k_fold_t_test", lambda design, _: records.default_t_test(design) == "k_fold_t_test"),
    Default("resampling", "corrected_t_test", lambda design, _: design.kind == "folds"),
    Default("judgments", "wald_test", lambda design, _: design.kind == "judgments"),
    Default("judged_items", "wald_test", lambda design, _: design.kind == "judged items"),
    Default("runs_apart", "welch_t_test", lambda design, _: design.apart),
    Default("runs_in_pairs", "paired_t_test", lambda design, _: design.kind == "runs"),
    Default("right_or_wrong", "mcnemar_test", lambda design, measure: _cases(design, measure, "rate")),
    Default("means", "paired_t_test", lambda design, measure: _cases(design, measure, "mean")),
    Default("areas", "delong_test", lambda design, measure: _cases(design, measure, "area")),
    Default(
        "clusters",
        "cluster_t_test",
        lambda design, measure: design.n_clusters is not None and measure in ("rate", "mean"),
    ),
    Default("labels", "paired_metric_test", lambda *_: True),
)


_DOMINANCE = {
    "dominance": "glrt",
    "dominance_test": "glrt",
    "dominance_posterior": "dirichlet",
    "dominance_network": "network",
}


def _row(name: Any, rows: Mapping[str, Procedure], default: str, of: str, elsewhere: str, *families: str) -> Procedure:
    """The row of a name, or ValueError: it says first what the name means among them, or for other evidence."""
    if isinstance(name, str) and name in rows:
        return rows[name]
    known = [*dict.fromkeys(row.name for row in rows.values())]
    others = [row.name for row in guides().values() if row.family in families and row.name not in known]
    meant = meaning(name) or tuple(other for other in others if name in (other, other.removesuffix("_test")))
    near = nearest(name, known)
    if meant and not set(meant) & set(known):
        hint = f"{meant[0]!r} is for {elsewhere}. "
    elif default in near:
        hint = f"did you mean {default!r}, the default? "
    else:
        hint = did_you_mean(near)
    raise ValueError(cut(f"{hint}procedure must be 'auto' or one that procedures() lists for {of}; got {name!r}"))


def default_for(design: Design, measure: str = "") -> Default:
    """The default for a design, on one test set and items for what the score of the metric is."""
    return next(filter(methodcaller("fits", design, measure), DEFAULTS))


def find_procedure(
    name: str, design: Design, options: Mapping[str, Any] | None = None, measure: str = "", *, null: bool = False
) -> Procedure:
    """The row called `name`, with or without a trailing ``_test``; ``"auto"`` is the default for the design.

    With `null`, for a null hypothesis other than 0, the default is one that can test it, on the same evidence.

    Raises
    ------
    ValueError
        If there is no such procedure, or it does not fit the design.
    """
    options = {} if options is None else options
    if name == "auto":
        name = default_for(design, measure).procedure
        if null and not _BY_NAME[name].takes_null:
            same = (row for row in PROCEDURES if row.takes is _BY_NAME[name].takes and row.takes_null)
            name = next((row.name for row in same if row.fits(design, options)), name)
    if isinstance(name, str) and name in _DOMINANCE:
        raise ValueError(f"procedure must be one of procedures(); {name!r} is result.dominance({_DOMINANCE[name]!r})")
    default, elsewhere = default_for(design, measure).procedure, "several data sets (evaluate_datasets)"
    row = _row(name, _BY_NAME, default, "one data set", elsewhere, "datasets", "post_hoc", "posteriors")
    if not row.fits(design, options):
        fitting = ", ".join(repr(other.name) for other in PROCEDURES if other.fits(design, {}))
        raise ValueError(
            f"procedure must fit the design; {row.name!r} needs {row.designs}, and this is {design.name}. "
            f"These fit: {fitting}"
        )
    return row


# The table of procedures on several data sets: which evidence each takes, and what it returns.


STUDY_PROCEDURES: tuple[Procedure, ...] = (
    Procedure("signed_rank_test", PAIR),
    Procedure("sign_test", PAIR),
    Procedure("dataset_t_test", PAIR),
    Procedure("adjusted_means_test", PAIR_IN_TABLE),
    Procedure("sign_posterior", PAIR, "posterior"),
    Procedure("signed_rank_posterior", PAIR, "posterior"),
    Procedure("hierarchical_posterior", PAIR_SPLITS, "posterior"),
    Procedure("friedman_test", RANKED_TABLE, "omnibus"),
    Procedure("aligned_ranks_test", TABLE, "omnibus"),
    Procedure("quade_test", TABLE, "omnibus"),
    Procedure("anova_test", TABLE, "omnibus"),
    Procedure("mixed_model_test", TABLE_OR_RUNS, "omnibus"),
    Procedure("kruskal_test", TABLE, "omnibus"),
    Procedure("skillings_mack_test", TABLE_WITH_GAPS, "omnibus"),
    Procedure("pairwise_signed_rank_test", TABLE, "pairs"),
    Procedure("nemenyi_test", TABLE, "pairs"),
    Procedure("conover_test", TABLE, "pairs"),
    Procedure("quade_posthoc_test", TABLE, "pairs"),
    Procedure("aligned_ranks_posthoc_test", TABLE, "pairs"),
    Procedure("tukey_test", TABLE, "pairs"),
    Procedure("dunn_test", TABLE, "pairs"),
    Procedure("step_down_test", TABLE, "pairs"),
    Procedure("control_test", TABLE, "control"),
    Procedure("pairwise_posterior", TABLE, "posterior"),
    Procedure("plackett_luce_posterior", TABLE_WITH_GAPS, "posterior"),
    Procedure("interquartile_mean", RUNS, "description"),
    Procedure("performance_profile", RUNS, "description"),
    Procedure("probability_of_improvement", RUNS_OF_PAIR, "description"),
)

_STUDY_BY_NAME = {alias: row for row in STUDY_PROCEDURES for alias in (row.name, row.name.removesuffix("_test"))}
_STUDY_BY_NAME |= dict.fromkeys(("paired_t_test", "paired_t"), _STUDY_BY_NAME["dataset_t_test"])  # its name on folds


def find_study_procedure(name: str, *, n_models: int, gaps: bool = False) -> Procedure:
    """The row called `name`, with or without a trailing ``_test``; ``"auto"`` is the default for so many models.

    With `gaps` models have scores on different data sets, and the default allows for that.

    Raises
    ------
    ValueError
        If there is no such procedure.
    """
    of_pair, of_all = ("adjusted_means", "skillings_mack") if gaps else ("signed_rank", "friedman")
    default = f"{of_pair if n_models == 2 else of_all}_test"
    name, others = default if name == "auto" else name, ("fold_scores", "predictions", "several_metrics")
    return _row(name, _STUDY_BY_NAME, default, "several data sets", "one data set (evaluate)", *others)
