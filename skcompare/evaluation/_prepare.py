"""X, y and estimators -> all that is checked and drawn before the first fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier
from sklearn.metrics import check_scoring
from sklearn.utils import get_tags

from skcompare._core.warnings import Code, CodedWarning
from skcompare.evaluation._baseline import check_dummy
from skcompare.evaluation._batches import LABEL
from skcompare.evaluation._class_counts import class_counts
from skcompare.evaluation._fit_seeds import SeededModels
from skcompare.evaluation._fit_warnings import data_warnings, unequal_folds
from skcompare.evaluation._halves import HalvesSplit
from skcompare.evaluation._input import check_data, check_square, check_target
from skcompare.evaluation._known_code import from_sklearn, leaves_input_unchanged
from skcompare.evaluation._predictions import EstimatorSpec, FitPlan
from skcompare.evaluation._routing import Routing
from skcompare.evaluation._scoring import (
    Metric,
    batched,
    check_complexity,
    check_grades,
    for_positive,
    metric_functions,
    resolve_scoring,
)
from skcompare.evaluation._seeds import integer_seed, open_random_states, seed_of_splits
from skcompare.evaluation._splits import Splits, draw_splits
from skcompare.evaluation._splitter import make_splitter
from skcompare.evaluation._task import Task, is_classification, positive_class, task_of

_FIRST = 256  # training samples that are likely to be of all classes


@dataclass(frozen=True, kw_only=True)
class PreparedEvaluation:
    """The data, the estimators by name, the metrics and the splits, and where the given parameters go.

    Attributes
    ----------
    truth : ndarray
        The target as an array.
    random_state : int or None
        The seed of estimators.
    cut_from : Splits or None
        The splits whose training sets were made smaller, where that was done.
    seeded : SeededModels or None
        Where `named` has every estimator once per seed.
    of_halves : bool
        Whether the splits are those of a `HalvesSplit`.
    """

    named: Mapping[str, Any]
    X: Any
    y: Any
    truth: NDArray[Any]
    task: Task
    metrics: Sequence[Metric]
    splits: Splits
    routing: Routing
    random_state: int | None
    cut_from: Splits | None = None
    seeded: SeededModels | None = None
    of_halves: bool = False

    @property
    def given(self) -> PreparedEvaluation:
        """The same of the estimators as they were given."""
        return self if self.seeded is None else replace(self, named=self.seeded.given, seeded=None)

    def specs(self) -> list[EstimatorSpec]:
        """The estimators as the fits need them."""
        specs = [
            EstimatorSpec(
                name=name,
                estimator=estimator,
                fit_params=self.routing.fit_params[name],
                seeded=open_random_states(estimator) if self.random_state is not None else (),
                pairwise=bool(get_tags(estimator).input_tags.pairwise),
                from_sklearn=from_sklearn(estimator),
                leaves_input_unchanged=leaves_input_unchanged(estimator),
            )
            for name, estimator in self.named.items()
        ]
        if any(spec.pairwise for spec in specs):
            check_square(self.X)
        return specs

    def described(self, splits: Splits, *, predicted: bool) -> dict[str, Any]:
        """The design of a result, and of one test set its clusters and the metrics as functions of predictions."""
        clusters, counts = self.clusters, class_counts(self.truth, splits, self.task)
        if not predicted or len(splits) > 1:
            n_groups = None if clusters is None else int(clusters.max()) + 1
            functions = metric_functions(self.metrics) if predicted else {}
            design = replace(splits.design_of_scores, n_groups=n_groups, class_counts=counts)
            if self.cut_from is not None:  # samples left out of training make no two splits more alike
                design = replace(design, test_fraction=self.cut_from.design.test_fraction)
            return {"design": design, "metric_functions": functions}
        n_clusters = None if clusters is None else len(np.unique(clusters[splits.held_out(0)]))
        return {
            "design": replace(splits.design, n_clusters=n_clusters, class_counts=counts),
            "clusters": clusters,
            "metric_functions": metric_functions(self.metrics),
        }

    @property
    def warnings(self) -> tuple[CodedWarning, ...]:
        """What speaks against the data, the metrics and the splits, also for the groups that the samples stand in."""
        clusters, splits, found = self.clusters, self.splits, list(self.splits.warnings)
        found += data_warnings(self.truth, self.task, self.metrics, self.named, self.routing)
        found += unequal_folds(splits.design, clusters)
        if self.of_halves:
            found.append(
                Code.OVERLAP(
                    "the splits are those of HalvesSplit, whose scores are of use for conservative_z_interval alone: "
                    "no p-value and no other interval of them holds."
                )
            )
        if clusters is None:
            return tuple(found)
        n_groups = int(clusters.max()) + 1
        on_both = [i for i, (train, test) in enumerate(splits) if _meet(clusters[train], clusters[test], n_groups)]
        if on_both and not splits.overlapping:
            leak = (
                f"{len(on_both)} of {len(splits)} splits test on groups they train on, the first is split {on_both[0]}"
            )
            found.append(Code.LEAK(f"{leak}; scores are too good and no test allows for it."))
        if splits.partition and splits.n_folds > 1 and n_groups < 2 * splits.n_folds:
            found.append(
                Code.FEW_CLUSTERS(
                    f"{n_groups} groups are less than two per fold: a test set is about one of them, and how much "
                    "scores vary from group to group is hardly known."
                )
            )
        return tuple(found)

    @property
    def clusters(self) -> NDArray[np.intp] | None:
        """The group of each sample, counted from 0; None where none were given, or some have none."""
        groups = np.asarray(self.routing.split_params.get("groups"))
        if groups.ndim != 1 or len(groups) != len(self.truth):
            return None
        named = groups.astype(np.str_) if groups.dtype.kind == "O" else groups
        if any(one is None or one != one for one in groups.tolist()):
            return None
        return np.asarray(np.unique(named, return_inverse=True)[1], dtype=np.intp)

    def plan(self, *, stop_on_error: bool, keep: bool = True) -> tuple[tuple[Metric, ...], FitPlan]:
        """What the workers collect; with routed score parameters every metric goes through its scorer.

        Where predictions are kept, so is all that any metric is known to read.
        """
        metrics, score_params = self.metrics, self.routing.score_params
        classes = np.unique(self.truth) if is_classification(self.task) else None
        if score_params:
            metrics = [replace(m, kind="scorer") if m.kind == "batched" and m.routable else m for m in metrics]
        else:
            known = batched(metrics, self.task, classes)
            metrics = known if known == [*metrics] or self._knows_all(classes) else metrics
        by_scorer = {m.name: m.source for m in metrics if m.kind == "scorer"}
        scorer = None
        if by_scorer and len(metrics) == 1 and metrics[0].name == "score":
            scorer = metrics[0].source
        elif by_scorer:
            scorer = check_scoring(scoring=by_scorer, raise_exc=stop_on_error)
        keep = keep and self.task != "other"  # whose scores may have any form
        read = {m.reads for m in self.metrics} if keep else {m.response for m in metrics}
        plan = FitPlan(
            responses=tuple(sorted(read - {LABEL, ()})),
            costs=frozenset(metric.source for metric in metrics if metric.kind == "cost"),
            scorer=scorer,
            score_params=score_params,
            stop_on_error=stop_on_error,
            classes=classes,
            added=any(metric.added for metric in metrics),
            columns=self.truth.ndim > 1,
        )
        return tuple(metrics), plan

    def _knows_all(self, classes: NDArray[Any] | None) -> bool:
        """Whether all models are classifiers that meet every class in training, as far as there are classes.

        Of others scikit-learn's scorers read something else, or nothing.
        """
        if classes is None:
            return True
        if not all(is_classifier(estimator) for estimator in self.named.values()):
            return False
        codes, splits = np.searchsorted(classes, self.truth), self.splits
        if splits.fold_ids is not None and np.bincount(codes).min() > max(splits.test_sizes):
            return True
        return all(_has_all(codes[train[:_FIRST]], classes) or _has_all(codes[train], classes) for train, _ in splits)


def _has_all(codes: NDArray[np.intp], classes: NDArray[Any]) -> bool:
    return bool(np.bincount(codes, minlength=len(classes)).all())


def _meet(train: NDArray[np.intp], test: NDArray[np.intp], n_groups: int) -> bool:
    """Whether a group is on both sides of a split."""
    trained = np.zeros(n_groups, dtype=bool)
    trained[train] = True
    return bool(trained[test].any())


def prepare_evaluation(
    named: Mapping[str, Any],
    X: Any,
    y: Any,
    *,
    groups: Any,
    params: Mapping[str, Any] | None,
    cv: Any,
    scoring: Any,
    random_state: Any,
    store: str | None,
    n_seeds: int = 1,
    added: bool = False,
) -> PreparedEvaluation:
    """Check the data, resolve the metrics and draw the splits; ValueError where an argument does not fit.

    The metrics are `added` where no scoring was given, by whomever they were chosen then.
    """
    seeded = SeededModels.of(named, n_seeds, random_state) if n_seeds > 1 else None
    named = named if seeded is None else seeded.models
    X, y, groups = check_data(X, y, groups)
    truth = check_target(X, y)
    check_dummy(named, truth)
    task = task_of(list(named.values()), truth)
    if is_classification(task) and len(np.unique(truth)) < 2:
        raise ValueError(f"y must have at least 2 classes; got only {truth[:1].tolist()[0]!r}")
    metrics = resolve_scoring(scoring, task, named if seeded is None else seeded.given)
    metrics = for_positive(metrics, positive_class(truth, task))
    metrics = tuple(replace(metric, added=added) for metric in metrics)
    check_grades(metrics, truth)
    check_complexity(metrics, named)
    seed = integer_seed(random_state)
    splitter = make_splitter(
        cv,
        y,
        stratified=is_classification(task),
        random_state=seed_of_splits(cv, seed, X, y, store),
        grouped=groups is not None or (isinstance(params, Mapping) and params.get("groups") is not None),
    )
    routing = Routing(named, splitter, metrics, groups=groups, params=params)
    routing.check_samples(X, len(truth))
    return PreparedEvaluation(
        named=named,
        X=X,
        y=y,
        truth=truth,
        task=task,
        metrics=metrics if seeded is None else seeded.with_given(metrics),
        splits=draw_splits(splitter, X, y, n_samples=len(truth), params=routing.split_params),
        routing=routing,
        random_state=seed,
        seeded=seeded,
        of_halves=isinstance(splitter, HalvesSplit),
    )
