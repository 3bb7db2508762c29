"""The table of all procedures on one data set, and what ``"auto"`` stands for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from math import inf
from operator import methodcaller
from typing import Any

from skcompare._core.design import Design, Evidence
from skcompare._core.metrics import METRICS
from skcompare.inference import _forms as forms
from skcompare.inference._forms import Procedure, Shape, unknown_procedure
from skcompare.inference._guide import defaults
from skcompare.inference._overlap import OVERLAP, Correction, default_t_test, single_k_fold
from skcompare.inference._records import many_corrected_t
from skcompare.inference.fold_scores.t_tests import METHOD

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


def _folds(least: int, most: float = inf, repeats: tuple[float, float] = (1, inf)) -> Shape:
    """Partitions into so many folds, so often."""
    return lambda design, _: (
        design.partition and least <= design.n_folds <= most and repeats[0] <= design.n_repeats <= repeats[1]
    )


def _repeated_k_fold(design: Design, options: Mapping[str, Any]) -> bool:
    """Repeats of as many folds as were measured, or nearly so, of samples that are independent."""
    return design.n_groups is None and _folds(5, 20, (2, inf))(design, options)


def _test_fraction(design: Design) -> Mapping[str, Any]:
    return {"test_fraction": design.test_fraction}


def _correction(design: Design) -> Mapping[str, Any]:
    """What a procedure needs that stands beside the default test: the same variance."""
    return {**Correction.of(design).options}


def _folds_and_fraction(design: Design) -> Mapping[str, Any]:
    return {"n_folds": design.n_folds, "test_fraction": design.test_fraction}


def _as_runs(design: Design) -> Mapping[str, Any]:
    return {"paired": False} if design.apart else {}


PROCEDURES: tuple[Procedure, ...] = (
    # scores of the splits of one data set, of one metric or of several
    Procedure("corrected_t_test", forms.SPLITS, options=_test_fraction, many=many_corrected_t),
    Procedure(
        "k_fold_t_test",
        forms.SPLITS,
        shape=lambda design, _: single_k_fold(design),
        options=_test_fraction,
        many=partial(many_corrected_t, overlap=OVERLAP, name=METHOD),
    ),
    Procedure("stability_t_test", forms.REPEATS_AND_LOSSES, shape=_repeated_k_fold),
    Procedure("calibrated_t_test", forms.REPEATS, shape=_calibrated),
    Procedure("five_by_two_t_test", forms.REPEATS, shape=_folds(2, 2, (5, 5))),
    Procedure("five_by_two_f_test", forms.REPEATS, shape=_folds(2, 2, (5, 5))),
    Procedure("blocked_m_by_two_test", forms.REPEATS, shape=_folds(2, 2, (2, inf))),
    Procedure("nested_cv_interval", forms.NESTED, shape=_folds(3)),
    Procedure("paired_t_test", forms.SPLITS, kinds=_PAIRS),
    Procedure("welch_t_test", forms.SPLITS, kinds=_RUNS),
    Procedure("permutation_test", forms.SPLITS, kinds=(*_ANY, *_RUNS), options=_as_runs),
    Procedure(
        "equivalence_test",
        forms.SPLITS,
        "verdict",
        kinds=(*_ANY, *_RUNS),
        options=lambda design: {**_correction(design), **_as_runs(design)},
    ),
    Procedure("correlated_t_posterior", forms.SPLITS, "posterior", kinds=_PAIRS, options=_correction),
    Procedure("almost_stochastic_order", forms.SPLITS, "verdict", kinds=(*_ANY, *_RUNS)),
    Procedure("fold_error_rate_test", forms.ERROR_RATES, "verdict", metrics=_ACCURACY, options=_test_fraction),
    Procedure("model_confidence_set", forms.SPLITS_OF_ALL, "verdict", kinds=_PAIRS, options=_correction),
    Procedure("anova_test", forms.SPLITS_OF_ALL, "omnibus", options=_correction),
    Procedure("friedman_test", forms.SPLITS_OF_ALL, "omnibus", options=_correction),
    Procedure("tukey_test", forms.SPLITS_OF_ALL, "pairs", options=_correction),
    Procedure("nemenyi_test", forms.SPLITS_OF_ALL, "pairs", options=_correction),
    Procedure("selection_bias", forms.REPEATS_OF_ALL, "description", options=_folds_and_fraction),
    Procedure("full_dominance_test", forms.STATEMENT_COUNTS, "verdict", kinds=_PAIRS),
    Procedure("intersection_union_test", forms.SCORE_VECTORS, "verdict", kinds=_PAIRS, options=_correction),
    Procedure("max_t_test", forms.SCORE_VECTORS, "verdict", kinds=_PAIRS, options=_correction),
    Procedure("hotelling_test", forms.SCORE_VECTORS, "verdict", kinds=_PAIRS, options=_correction),
    # estimates with a joint covariance
    Procedure("wald_test", forms.ESTIMATES, kinds=("judgments", "judged items")),
    # losses of single samples in time order
    Procedure(
        "diebold_mariano_test",
        forms.IN_TIME,
        kinds=_ANY,
        shape=lambda design, _: design.time_order or design.kind != "folds",
    ),
    # values of single items in order of arrival
    Procedure(
        "confidence_sequence",
        forms.IN_ORDER,
        kinds=("samples", "items"),
        shape=lambda design, _: design.n_clusters is None,
    ),
    # predictions of one test set
    Procedure("mcnemar_test", forms.CORRECTNESS, kinds=_ANY, metrics=_ACCURACY),
    Procedure("delong_test", forms.CLASS_SCORES, metrics=_ROC_AUC),
    Procedure("cluster_t_test", forms.SPLITS, kinds=("samples", "items")),
    Procedure("paired_metric_test", forms.LABELS, metrics=LABEL_METRICS),
    Procedure("paired_bootstrap", forms.LABELS, metrics=LABEL_METRICS),
    Procedure("cv_clt_test", forms.LOSSES, kinds=("folds",), shape=_folds(2), metrics=_ACCURACY),
    Procedure("cochran_q_test", forms.CORRECTNESS_OF_ALL, "verdict", kinds=_ANY, metrics=_ACCURACY),
    Procedure("error_rate_test", forms.NUMBER_OF_ERRORS, "verdict", kinds=_ANY, metrics=_ACCURACY),
    Procedure("error_reduction", forms.CORRECTNESS, "description", kinds=_ANY, metrics=_ACCURACY),
    Procedure("roc_dominance", forms.CLASS_SCORES, "description", metrics=_ROC_AUC),
)
_BY_NAME = {alias: row for row in PROCEDURES for alias in (row.name, row.name.removesuffix("_test"))}


@dataclass(frozen=True, slots=True)
class Default:
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
    Default("time_order", "diebold_mariano_test", lambda design, measure: design.time_order),  # noqa: ARG005
    Default("k_fold", "k_fold_t_test", lambda design, measure: default_t_test(design) == "k_fold_t_test"),  # noqa: ARG005
    Default("resampling", "corrected_t_test", lambda design, measure: design.kind == "folds"),  # noqa: ARG005
    Default("judgments", "wald_test", lambda design, measure: design.kind == "judgments"),  # noqa: ARG005
    Default("judged_items", "wald_test", lambda design, measure: design.kind == "judged items"),  # noqa: ARG005
    Default("runs_apart", "welch_t_test", lambda design, measure: design.apart),  # noqa: ARG005
    Default("runs_in_pairs", "paired_t_test", lambda design, measure: design.kind == "runs"),  # noqa: ARG005
    Default("right_or_wrong", "mcnemar_test", lambda design, measure: _cases(design, measure, "rate")),
    Default("means", "paired_t_test", lambda design, measure: _cases(design, measure, "mean")),
    Default("areas", "delong_test", lambda design, measure: _cases(design, measure, "area")),
    Default(
        "clusters",
        "cluster_t_test",
        lambda design, measure: design.n_clusters is not None and measure in ("rate", "mean"),
    ),
    Default("labels", "paired_metric_test", lambda design, measure: True),  # noqa: ARG005
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
    if not isinstance(name, str) or name not in _BY_NAME:
        known, default = [row.name for row in PROCEDURES], default_for(design, measure).procedure
        raise ValueError(unknown_procedure(name, known, default=default, **_PLACES))
    row = _BY_NAME[name]
    if not row.fits(design, options):
        fitting = ", ".join(repr(other.name) for other in PROCEDURES if other.fits(design, {}))
        raise ValueError(
            f"procedure must fit the design; {row.name!r} needs {row.designs}, and this is {design.name}. "
            f"These fit: {fitting}"
        )
    return row


# The table of procedures on several data sets: which evidence each takes, and what it returns.


STUDY_PROCEDURES: tuple[Procedure, ...] = (
    Procedure("signed_rank_test", forms.PAIR),
    Procedure("sign_test", forms.PAIR),
    Procedure("dataset_t_test", forms.PAIR),
    Procedure("adjusted_means_test", forms.PAIR_IN_TABLE),
    Procedure("sign_posterior", forms.PAIR, "posterior"),
    Procedure("signed_rank_posterior", forms.PAIR, "posterior"),
    Procedure("hierarchical_posterior", forms.PAIR_SPLITS, "posterior"),
    Procedure("friedman_test", forms.TABLE, "omnibus"),
    Procedure("aligned_ranks_test", forms.TABLE, "omnibus"),
    Procedure("quade_test", forms.TABLE, "omnibus"),
    Procedure("anova_test", forms.TABLE, "omnibus"),
    Procedure("mixed_model_test", forms.TABLE_OR_RUNS, "omnibus"),
    Procedure("kruskal_test", forms.TABLE, "omnibus"),
    Procedure("skillings_mack_test", forms.TABLE_WITH_GAPS, "omnibus"),
    Procedure("pairwise_signed_rank_test", forms.TABLE, "pairs"),
    Procedure("nemenyi_test", forms.TABLE, "pairs"),
    Procedure("conover_test", forms.TABLE, "pairs"),
    Procedure("quade_posthoc_test", forms.TABLE, "pairs"),
    Procedure("aligned_ranks_posthoc_test", forms.TABLE, "pairs"),
    Procedure("tukey_test", forms.TABLE, "pairs"),
    Procedure("dunn_test", forms.TABLE, "pairs"),
    Procedure("step_down_test", forms.TABLE, "pairs"),
    Procedure("control_test", forms.TABLE, "control"),
    Procedure("pairwise_posterior", forms.TABLE, "posterior"),
    Procedure("plackett_luce_posterior", forms.TABLE_WITH_GAPS, "posterior"),
    Procedure("interquartile_mean", forms.RUNS, "description"),
    Procedure("performance_profile", forms.RUNS, "description"),
    Procedure("probability_of_improvement", forms.RUNS_OF_PAIR, "description"),
)

_STUDY_BY_NAME = {alias: row for row in STUDY_PROCEDURES for alias in (row.name, row.name.removesuffix("_test"))}
_STUDY_BY_NAME |= dict.fromkeys(("paired_t_test", "paired_t"), _STUDY_BY_NAME["dataset_t_test"])  # its name on folds
_STUDY_PLACES: dict[str, Any] = {
    "of": "several data sets",
    "elsewhere": "one data set (evaluate)",
    "families": ("fold_scores", "predictions", "several_metrics"),
}


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
    if name == "auto":
        name = default
    if not isinstance(name, str) or name not in _STUDY_BY_NAME:
        known = [row.name for row in STUDY_PROCEDURES]
        raise ValueError(unknown_procedure(name, known, default=default, **_STUDY_PLACES))
    return _STUDY_BY_NAME[name]
