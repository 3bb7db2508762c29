"""Intervals for the models' own scores, from the design that is there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from math import inf, isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import get_scorer_names

from skcompare._core.frames import import_pandas
from skcompare._core.html import Table
from skcompare._core.names import choose_metrics
from skcompare._core.numbers import decimals, number, percent_of
from skcompare._core.record import Record
from skcompare._core.validation import FloatArray, check_number
from skcompare._core.warnings import Code, CodedWarning
from skcompare.comparison.cases import case_clusters, cases, why_untested
from skcompare.comparison.compare import level as level_of
from skcompare.comparison.fold_evidence import Question
from skcompare.comparison.fold_intervals import Limits, Way, check_way, coverage, of_folds
from skcompare.comparison.means import averaged, span
from skcompare.comparison.measures import measure
from skcompare.comparison.once import once
from skcompare.comparison.prediction_evidence import pooled_evidence
from skcompare.comparison.predictions import MissingEvidenceError, has_predictions
from skcompare.comparison.table import Rows, mean_score, plain_row
from skcompare.evaluation._costs import known_costs
from skcompare.evaluation._own_scorers import OWN_SCORERS
from skcompare.evaluation._scoring import COST_METRICS
from skcompare.inference import (
    cluster_t_test,
    delong_test,
    metric_interval,
    paired_t_test,
    proportion_interval,
)
from skcompare.inference._kinds import from_to
from skcompare.inference._overlap import Correction
from skcompare.inference._procedures import find_procedure
from skcompare.scores.criteria import is_judged
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.undefined import is_undefined


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ScoreInterval(Record):
    """One model's own score on one metric.

    Attributes
    ----------
    model, metric : str
        What was scored.
    score : float
        The mean score, in the metric's own units.
    low, high : float
        Its interval; nan where there is none.
    method : str
        How the interval was made; empty where there is none.
    coverage : str
        How often such 95% intervals held the truth in simulations, from the worst to the best of these; empty where
        that was not measured.
    warnings : tuple of str
        Reasons to doubt it.
    """

    model: str
    metric: str
    score: float
    low: float
    high: float
    method: str
    coverage: str = ""
    warnings: tuple[CodedWarning, ...] = ()

    def _sentence(self) -> str:
        places = decimals([self.score])
        known = f", interval {from_to(self.low, self.high, places)}" if isfinite(self.low) else ""
        return f"{self.metric} of {self.model}: {number(self.score, places)}{known}."


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ScoreIntervals(Rows[ScoreInterval]):
    """The models' own scores with their intervals, each for itself alone.

    Attributes
    ----------
    rows : tuple of ScoreInterval
        One per metric and model.
    confidence_level : float
        Of every interval.
    about : str
        What the intervals speak of: fitted models on samples like these, or algorithms on data of this size.
    """

    rows: tuple[ScoreInterval, ...]
    confidence_level: float
    about: str

    def to_frame(self) -> Any:
        """The rows as a pandas DataFrame; needs pandas."""
        names = [one.name for one in fields(ScoreInterval)]
        return import_pandas().DataFrame([*map(plain_row, self.rows)], columns=names)

    def _sentence(self) -> str:
        level = percent_of(self.confidence_level)
        return (
            f"Each model's own score with its {level} interval, {self.about}. Overlapping intervals do not show that "
            "two models are alike: compare() tests that."
        )

    def _tables(self) -> list[Table]:
        metrics = dict.fromkeys(row.metric for row in self.rows)
        places = {name: decimals(row.score for row in self.rows if row.metric == name) for name in metrics}
        rows = [
            [
                *(row.metric, row.model, number(row.score, places[row.metric])),
                from_to(row.low, row.high, places[row.metric]) if isfinite(row.low) else "n/a",
                row.method,
                row.coverage,
            ]
            for row in self.rows
        ]
        header = (
            "metric",
            "model",
            "score",
            f"{percent_of(self.confidence_level)} interval",
            "by",
            "held in simulations",
        )
        known = len(header) - (not any(row.coverage for row in self.rows))
        return [Table(header[:known], [row[:known] for row in rows])]


_LOSSES = frozenset(name for name in (*get_scorer_names(), *OWN_SCORERS) if name.startswith("neg_"))  # never above 0
FEWEST_HELD = 90  # percent, below which it is said


@once
def score_intervals(
    scores: EvaluationScores,
    metric: str | Sequence[str] | None = None,
    confidence_level: float | None = None,
    method: str = "auto",
    target: str | None = None,
) -> ScoreIntervals:
    """An interval for every model's score on some metrics; see `EvaluationResult.intervals`."""
    given = 1 - level_of(scores) if confidence_level is None else confidence_level
    level = check_number(given, "confidence_level", low=0, high=1, closed="neither")
    names = choose_metrics(metric, scores.metrics, "metric")
    used = {name: averaged(scores, name) for name in names}
    way = check_way(scores, names, method, target)
    return ScoreIntervals(
        rows=tuple(
            _interval(scores, name, model, own, level, way)
            for name in names
            for model, own in zip(scores.estimators, used[name], strict=True)
        ),
        confidence_level=level,
        about=_about(scores, way),
    )


def _about(scores: EvaluationScores, way: Way) -> str:
    """What the intervals speak of."""
    if scores.design.kind == "runs":
        return "about other runs on the same data"
    if scores.design.kind != "folds":
        return f"about these fitted models on {scores.design.kind} like these"
    if scores.design.time_order:
        return "as if test sets in time order were exchangeable"
    if way.target == "model":
        return "about these models fitted on all of the data"
    about = "about the algorithms on training sets of this size"
    if Correction.of(scores.design).overlap < 1 and way.method in ("auto", "corrected_t"):
        return f"{about}, with the whole correction for shared training samples (tests of differences take 0.4 of it)"
    return about


def _interval(
    scores: EvaluationScores, metric: str, model: str, own: FloatArray, level: float, way: Way
) -> ScoreInterval:
    """The interval of one score, the mean of a model's own ones."""
    warnings = (*scores.score_warnings(metric, model), *scores.cost_warnings(metric, model))
    shares = None
    try:
        low, high, method, found = made = _limits(scores, metric, model, own, level, way)
        shares = coverage(scores, metric, model, way, level, made)
    except (MissingEvidenceError, ValueError) as error:
        low, high, method = float("nan"), float("nan"), ""
        told = Code.MISSING(f"{metric} of {model!r} has no interval: {error}.", (metric, model))
        found = () if scores.failed[scores.estimator_index(model), :, scores.metric_index(metric)].all() else (told,)
    lowest, highest = _range(scores, metric, model)
    low, high = max(low, lowest), min(high, highest)
    return ScoreInterval(
        model=model,
        metric=metric,
        score=mean_score(own),
        low=low,
        high=high,
        method=method,
        coverage="" if shares is None else "{}% to {}%".format(*shares),
        warnings=tuple(dict.fromkeys((*warnings, *found, *_too_rarely(metric, shares)))),
    )


def _range(scores: EvaluationScores, metric: str, model: str) -> tuple[float, float]:
    """What a score can be: a share, an agreement, a loss or a cost; any number of a metric that is not known."""
    costs = known_costs(scores.metric_functions.get(metric))
    if costs is not None:
        return -float(np.max(costs["cost"])), -float(np.min(costs["cost"]))
    widest, known = span(metric, scores.score(model, metric)), scores.read_as.get(metric, metric)
    if isfinite(widest):
        return 1 - widest, 1.0
    if known in _LOSSES:
        return -inf, 0.0
    return (0.0 if metric in COST_METRICS else -inf), inf


def _too_rarely(metric: str, shares: tuple[int, int] | None) -> tuple[CodedWarning, ...]:
    """That intervals made so missed the truth in more than a tenth of the data sets of some simulation."""
    if shares is None or shares[0] >= FEWEST_HELD:
        return ()
    told = f"such 95% intervals for {metric} held the truth in {shares[0]}% to {shares[1]}% of simulated data sets."
    return (Code.MEASURED(told, (metric,)),)


def _limits(scores: EvaluationScores, metric: str, model: str, own: FloatArray, level: float, way: Way) -> Limits:
    if is_judged(scores.provenance, metric):
        raise MissingEvidenceError("it was given, not measured")
    if scores.design.kind == "folds":
        return of_folds(scores, metric, model, own, level, way)
    if scores.design.kind == "runs":
        return _of_runs(own, level)
    if scores.design.kind == "samples" and not has_predictions(scores, model):
        raise MissingEvidenceError("the model failed")
    if is_undefined(scores, model, metric):
        raise MissingEvidenceError("it is 0/0")
    what = measure(scores, metric)
    if what == "rate" and scores.clusters is None:
        right, _ = _values(scores, metric, model)
        interval = proportion_interval(int(np.abs(right).sum()), len(right), confidence_level=level)
        return interval.low, interval.high, "Wilson", ()
    if what in ("rate", "mean"):
        return _of_mean(scores, metric, model, level)
    named = "delong_test" if what == "area" else "paired_metric_test"
    other = next(name for name in scores.estimators if name != model)
    procedure = find_procedure(named, scores.design)
    if what == "other":
        raise MissingEvidenceError(f"none is known for it on one test set: {why_untested(scores, metric)}")
    evidence = pooled_evidence(scores, Question(procedure=procedure, metric=metric, a=model, b=other, options={}))
    if what == "area":
        ranked = evidence.class_scores(model)
        interval = delong_test(evidence.y_true, ranked, ranked).auc_intervals(level)[0]
        return interval.low, interval.high, "DeLong", ()
    (true, labels, _), positive = evidence.labelled()
    record = metric_interval(
        true, labels, evidence.metric_function, rng=scores.seed, clusters=evidence.clusters, **positive
    )
    interval = record.confidence_interval(level)
    return interval.low, interval.high, "BCa bootstrap", record.warnings


def _values(scores: EvaluationScores, metric: str, model: str) -> tuple[FloatArray, NDArray[np.intp]]:
    """The values of the cases that a score is the mean of, and their clusters, without those that are missing."""
    of_cases = cases(scores, (metric,))
    values = of_cases.oriented(model, metric)
    known = np.isfinite(values)
    clusters = case_clusters(scores)
    return values[known], np.arange(int(known.sum())) if clusters is None else clusters[known]


def _of_mean(scores: EvaluationScores, metric: str, model: str, level: float) -> Limits:
    values, clusters = _values(scores, metric, model)
    nothing = np.zeros(len(values))
    test: Any
    if scores.clusters is None:
        test, method = paired_t_test(values, nothing), "t"
    else:
        test, method = cluster_t_test(values, nothing, clusters=clusters), "cluster-robust t"
    of_differences = (Code.TOO_LIBERAL.name, Code.NO_DIFFERENCE.name, Code.ZERO_VARIANCE.name)
    warnings = tuple(one for one in test.warnings if one.code not in of_differences)
    if len(values) > 1 and not np.ptp(values):
        told = f"{metric} of {model!r} is the same on every sample, so that its interval is a point; others may differ."
        warnings += (Code.ZERO_VARIANCE(told, (metric, model)),)
    return (*_turned(scores, metric, test.confidence_interval(level)), method, warnings)


def _of_runs(own: FloatArray, level: float) -> Limits:
    if own.size < 2:
        raise MissingEvidenceError("one run tells no spread")
    test = paired_t_test(own, np.zeros(len(own)))
    interval = test.confidence_interval(level)
    return interval.low, interval.high, "t", tuple(one for one in test.warnings if one.code != Code.TOO_LIBERAL.name)


def _turned(scores: EvaluationScores, metric: str, interval: Any) -> tuple[float, float]:
    """An interval of oriented scores in the metric's own units."""
    if scores.greater_is_better[scores.metric_index(metric)]:
        return interval.low, interval.high
    return -interval.high, -interval.low
