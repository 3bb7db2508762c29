"""What an evaluation is warned of, before and after its fits: weights, targets, scorers, folds, convergence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import metrics as skm
from sklearn.base import is_classifier

from skcompare._core.design import Design
from skcompare._core.numbers import counted
from skcompare._core.printable import one_line
from skcompare._core.warnings import Code, CodedWarning
from skcompare.evaluation.fit import error_line
from skcompare.evaluation.input import Task, is_classification
from skcompare.evaluation.metrics.batches import LABEL
from skcompare.evaluation.metrics.scorers import as_function
from skcompare.evaluation.metrics.scoring import Metric, ScoreTable
from skcompare.evaluation.routing import Routing
from skcompare.evaluation.splits import Splits

_UNCONVERGED = 0.1  # share of the fits from which on it is said
_EQUAL = 0.6  # share of the test sets that they must be worth
_RANKS = (
    *(skm.roc_auc_score, skm.average_precision_score, skm.top_k_accuracy_score, skm.dcg_score, skm.ndcg_score),
    *(skm.hinge_loss, skm.coverage_error, skm.label_ranking_loss, skm.label_ranking_average_precision_score),
)
_PROBABILITIES = (
    *(skm.log_loss, skm.brier_score_loss, skm.d2_log_loss_score),
    *([skm.d2_brier_score] if hasattr(skm, "d2_brier_score") else []),
)


def data_warnings(
    y: NDArray[Any], task: Task, metrics: Sequence[Metric], models: Mapping[str, Any], routing: Routing
) -> Iterator[CodedWarning]:
    """What is known before the first fit."""
    of_fits = routing.fit_params.values()
    if any(of_fits) and _are_weights(*of_fits) and not _are_weights(routing.score_params):
        yield Code.WEIGHTED(
            "fits are weighted and scores are not, since the weights reach fit alone. To weigh both: "
            "sklearn.set_config(enable_metadata_routing=True), set_fit_request(sample_weight=True) on each model, and "
            "scorers with set_score_request(sample_weight=True)."
        )
    if not any(is_classifier(model) for model in models.values()):
        return
    n_classes = len(np.unique(y)) if is_classification(task) else 0
    if 2 * n_classes > len(y):
        what = "numbers: use a regressor, or bin it" if y.dtype.kind in "iuf" else "identifiers: join rare classes"
        yield Code.WEAK_METRIC(f"y has {n_classes} classes in {len(y)} samples and looks like {what}.")
    if task != "regression":
        yield from scorers_of_labels(metrics)


def _are_weights(*several: Mapping[str, Any]) -> bool:
    given = [name for params in several for name, value in params.items() if value is not None]
    return any(name.rpartition("__")[2] == "sample_weight" for name in given)


def scorers_of_labels(metrics: Sequence[Metric]) -> Iterator[CodedWarning]:
    """ASSUMED where a function of ranks or probabilities reads predicted labels, as `make_scorer` has it by default."""
    for metric in metrics:
        if metric.kind == "scorer":
            yield from labels_as_ranks(metric.name, metric.source)


def labels_as_ranks(name: str, source: Any) -> Iterator[CodedWarning]:
    """The same of one scorer, by the name of its metric."""
    found = as_function(source)
    if found is None or found.response != LABEL:
        return
    function = found.scorer._score_func
    while isinstance(function, partial):
        function = function.func
    if function in _RANKS + _PROBABILITIES:
        how = "('decision_function', 'predict_proba')" if function in _RANKS else "'predict_proba'"
        yield Code.ASSUMED(
            f"{name} is {function.__name__} of predicted labels, which tell less than scores: give "
            f"make_scorer({function.__name__}, response_method={how})."
        )


def unequal_folds(design: Design, groups: NDArray[np.intp] | None) -> Iterator[CodedWarning]:
    """TOO_LITTLE_DATA where test sets are so unequal that they are worth far fewer."""
    sizes = np.array(design.test_sizes, dtype=np.float64)
    worth = sizes.sum() ** 2 / (sizes**2).sum() if len(sizes) > 1 else np.inf
    if worth >= _EQUAL * len(sizes):
        return
    why = ""
    if groups is not None:
        why = f" One group holds {np.bincount(groups).max()} of {len(groups)} samples."
    yield Code.TOO_LITTLE_DATA(
        f"test sets have {sizes.min():.0f} to {sizes.max():.0f} samples and tell no more than {worth:.1f} equal ones: "
        f"take splits of equal sizes.{why}"
    )


def unconverged(fits: Mapping[str, Sequence[bool]]) -> dict[str, list[int]]:
    """Models that told on a tenth of their fits or more that they did not converge: on how many, of how many."""
    return {name: [sum(told), len(told)] for name, told in fits.items() if sum(told) >= _UNCONVERGED * len(told) > 0}


def not_computed(
    table: ScoreTable, names: Sequence[str], splits: Splits, y: NDArray[Any], task: Task
) -> Iterator[CodedWarning]:
    """MISSING_SCORES where a metric that nobody asked for failed on splits that have all classes."""
    classes = np.unique(y) if is_classification(task) else None
    failed: dict[tuple[int, str], list[str]] = {}
    for (e, i, metric), (_, error) in table.undefined.items():
        if not splits.is_partial(i, y, classes):
            failed.setdefault((e, metric), []).append(error_line(error))
    for (e, metric), errors in failed.items():
        yield Code.MISSING_SCORES(
            f"{metric} of {names[e]!r} could not be computed on {len(errors)} of {counted(len(splits), 'split')}, and "
            f"is left out there: {one_line(errors[0]):.200}. Give scoring without {metric}."
        )
