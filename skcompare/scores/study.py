"""What was measured of several estimators on several data sets, as plain frozen data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cached_property
from itertools import product
from typing import Any, ClassVar

import numpy as np

from skcompare._core.design import Design
from skcompare._core.metrics import METRICS
from skcompare._core.numbers import counted
from skcompare._core.record import Frozen, Record
from skcompare._core.validation import DUMMY, FloatArray, check_choice, meant
from skcompare._core.warnings import Code, CodedWarning, Warnings
from skcompare.evaluation.metrics.scorers import without_rounding
from skcompare.scores.evaluation import EvaluationScores, criterion_warnings
from skcompare.scores.rare_classes import base_rate


class DatasetFailure(Record):
    """A data set that could not be loaded or evaluated.

    Attributes
    ----------
    dataset : str
        Its name.
    message : str
        What went wrong, in one line.
    """

    dataset: str
    message: str

    @property
    def warning(self) -> CodedWarning:
        """That it is left out."""
        return Code.MISSING_SCORES(f"data set {self.dataset!r} is left out: {self.message}.", (self.dataset,))


class StudyScores(Frozen, eq=False, repr=False, slots=False):
    """Scores of several estimators on several data sets; on each the same splits for all of them.

    The tests of a study take one case per data set, the mean score over its splits, and speak of data sets like these.

    Attributes
    ----------
    datasets, estimators, metrics : tuple of str
        Names, in the order of the scores.
    greater_is_better : tuple of bool
        Direction of each metric.
    scores : ndarray of shape (n_datasets, n_estimators, n_splits, n_metrics)
        float64, read-only; nan where a score is undefined, failed or missing, and beyond the last split of data sets
        with fewer splits than others.
    designs : tuple of Design
        How each data set was resampled; empty where only one score per data set is known.
    results : dict of data set to EvaluationResult
        Each data set on its own; empty where only one score per data set is known.
    failures : tuple of DatasetFailure
        The data sets that are not there, and why.
    warnings : tuple of str
        Reasons to doubt every test on this result, each a code, a colon and a sentence.
    provenance : dict
        What it takes to run this again.
    """

    datasets: tuple[str, ...]
    estimators: tuple[str, ...]
    metrics: tuple[str, ...]
    greater_is_better: tuple[bool, ...]
    scores: FloatArray
    designs: tuple[Design, ...] = ()
    results: Mapping[str, EvaluationScores] = field(default_factory=dict)
    failures: tuple[DatasetFailure, ...] = ()
    warnings: Warnings = ()
    provenance: Mapping[str, Any] = field(default_factory=dict)
    selected: ClassVar[None] = None  # no search chose the models, and no looks left any out
    stopping: ClassVar[None] = None

    def __post_init__(self) -> None:
        shape = (len(self.datasets), len(self.estimators), len(self.metrics))
        if self.scores.ndim != 4 or (*self.scores.shape[:2], self.scores.shape[3]) != shape:
            wanted = "{} data sets, {} estimators and {} metrics".format(*shape)
            axes = "(n_datasets, n_estimators, n_splits, n_metrics)"
            raise ValueError(f"scores must have shape {axes} with {wanted}; got {self.scores.shape}")
        object.__setattr__(self, "scores", np.ascontiguousarray(without_rounding(self.scores, self.metrics)))
        self.scores.setflags(write=False)

    @property
    def seed(self) -> int:
        """The seed of what is drawn at random of these scores, 0 where the study had none."""
        return self.provenance.get("random_state") or 0

    @property
    def cases(self) -> str:
        """What the data sets are called: tasks where models ran on them."""
        return "tasks" if self.designs and all(one.kind == "runs" for one in self.designs) else "data sets"

    @property
    def baseline(self) -> str | None:
        """The baseline of the evaluations; None where there is none, or they do not share it."""
        found = {result.baseline for result in self.results.values()}
        return found.pop() if len(found) == 1 else None

    def means(self, metric: str) -> FloatArray:
        """Mean scores over the splits of each data set.

        Parameters
        ----------
        metric : str
            Its name.

        Returns
        -------
        ndarray of shape (n_datasets, n_estimators)
            In the metric's own units. Where an estimator has no score on some splits of a data set, all means there are
            over the splits on which every estimator that has any score has one; nan where it has none at all. Those
            of independent runs are over the estimator's own.
        """
        return self._all_means[:, :, self.metric_index(metric)].copy()

    @cached_property
    def _all_means(self) -> FloatArray:
        """Of all metrics, shape (n_datasets, n_estimators, n_metrics)."""
        found = np.isfinite(self.scores)
        common = (found | ~found.any(axis=2, keepdims=True)).all(axis=1, keepdims=True) & found
        apart = np.array([design.apart for design in self.designs] or [False])[:, None, None, None]
        used = np.where(common.any(axis=2, keepdims=True) & ~apart, common, found)
        total = np.where(used, self.scores, 0.0).sum(axis=2)
        with np.errstate(invalid="ignore"):
            return np.asarray(total / used.sum(axis=2))

    def oriented(self, estimator: str, metric: str) -> FloatArray:
        """Mean scores of one estimator on one metric by data set, turned so that greater is better."""
        sign = 1.0 if self.greater_is_better[self.metric_index(metric)] else -1.0
        return sign * self.means(metric)[:, self.estimators.index(estimator)]

    def split_warnings(self, metric: str, estimators: Sequence[str]) -> Warnings:
        """What is wrong with splits of the data sets, one line per kind and estimator."""
        found: dict[tuple[str, str], dict[str, str]] = {}
        elsewhere = (Code.TIME_ORDER.name, Code.JUDGED.name)  # of tests on splits; of the whole metric
        for dataset, result in self.results.items():
            for estimator in estimators:
                for warning in result.score_warnings(metric, estimator):
                    if warning not in result.warnings and warning.code not in elsewhere:
                        found.setdefault((warning.code, estimator), {})[dataset] = warning.sentence
        better = self.greater_is_better[self.metric_index(metric)]
        named = meant(metric, METRICS) if better and not self.results else []
        guesses = [guess for one in named if (guess := METRICS[one].guess) is not None]
        for guess, estimator in product(guesses, filter(DUMMY.__ne__, estimators)):
            means = self.means(metric)[:, self.estimators.index(estimator)]
            at = np.flatnonzero(means <= guess).tolist()
            for i in at if 2 * len(at) >= len(means) else ():  # a table says nothing of how sure its scores are
                for told in base_rate(self, estimator, metric, means[i : i + 1], guess):
                    found.setdefault((told.code, estimator), {})[self.datasets[i]] = told.sentence

        def where(on: Mapping[str, str]) -> str:
            dataset, sentence = next(iter(on.items()))
            more = f"{counted(len(on), 'data set')}, the first of them" if len(on) > 1 else "data set"
            return f"{sentence} So it is on {more} {dataset!r}."

        return criterion_warnings(self.provenance, metric, estimators) + tuple(
            CodedWarning(code, where(on), about=(metric, estimator)) for (code, estimator), on in found.items()
        )

    def metric_index(self, name: str) -> int:
        """The position of a metric; ValueError where there is none of that name."""
        check_choice(name, "metric", self.metrics)
        return self.metrics.index(name)


# What was measured of several estimators on training sets of several sizes.


class LearningCurveScores(Frozen, eq=False, repr=False, slots=False):
    """Scores of several estimators on the same test sets, with training sets of several sizes.

    Attributes
    ----------
    results : dict of int to EvaluationResult
        By training samples, in ascending order, each size on its own. Their comparisons have an error budget each;
        those of the learning curve share one.
    warnings : tuple of str
        Reasons to doubt the sizes, each a code, a colon and a sentence.
    """

    results: Mapping[int, EvaluationScores]
    warnings: Warnings = ()

    @property
    def sizes(self) -> tuple[int, ...]:
        """Training samples, the mean over the splits, in ascending order."""
        return tuple(self.results)

    @property
    def largest(self) -> EvaluationScores:
        """The evaluation with the largest training sets."""
        return self.results[self.sizes[-1]]

    @property
    def estimators(self) -> tuple[str, ...]:
        """The models."""
        return self.largest.estimators

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics, the first being the one to decide on."""
        return self.largest.metrics
