"""Intervals for a model's own score on the folds of one data set, of two targets and by several methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from skcompare._core.validation import FloatArray, check_choice
from skcompare._core.warnings import Code, CodedWarning
from skcompare.comparison.measures import function_of, has_sample_values, is_valued, measure
from skcompare.comparison.nested import nested_values
from skcompare.comparison.once import once
from skcompare.comparison.predictions import MissingEvidenceError, has_predictions, pool_splits
from skcompare.comparison.sample_values import value_of_samples
from skcompare.comparison.table import mean_score
from skcompare.inference import corrected_t_test, nested_cv_interval, proportion_interval
from skcompare.inference.outcomes._mean_bootstrap import mean_bootstrap
from skcompare.scores.evaluation import EvaluationScores

TARGETS = ("algorithm", "model")
Limits = tuple[float, float, str, tuple[CodedWarning, ...]]
Found = tuple[float, float, tuple[CodedWarning, ...]]


@dataclass(frozen=True, slots=True)
class Way:
    """A method, ``"auto"`` for that of each metric, and a target, None where the design has none to choose."""

    method: str
    target: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldMethod:
    """A way to make an interval.

    Attributes
    ----------
    words : str
        What it is called.
    limits : callable
        Of scores, metric, model, its own scores and a level the limits, in the metric's own units, and warnings.
    why_not : callable
        Of scores and a metric what keeps it from being made; empty where nothing does.
    """

    words: str
    limits: Callable[[EvaluationScores, str, str, FloatArray, float], Found]
    why_not: Callable[[EvaluationScores, str], str]


# ---- the methods ----------------------------------------------------------------------------------------------


def _corrected_t(
    scores: EvaluationScores,
    metric: str,  # noqa: ARG001
    model: str,  # noqa: ARG001
    own: FloatArray,
    level: float,
) -> Found:
    if own.size < 2:
        raise MissingEvidenceError("one score tells no spread")
    test = corrected_t_test(own, np.zeros(len(own)), test_fraction=scores.design.test_fraction)
    interval = test.confidence_interval(level)
    return interval.low, interval.high, ()


def _nested(
    scores: EvaluationScores,
    metric: str,
    model: str,
    own: FloatArray,  # noqa: ARG001
    level: float,
) -> Found:
    record = nested_cv_interval(*nested_values(scores, model, metric))
    interval = record.confidence_interval(level)
    limits = (interval.low, interval.high)
    if not scores.greater_is_better[scores.metric_index(metric)]:
        limits = -interval.high, -interval.low
    return *limits, tuple(one for one in record.warnings if one.code != Code.ZERO_VARIANCE.name)


def _bootstrap(scores: EvaluationScores, metric: str, model: str, own: FloatArray, level: float) -> Found:
    values = _mean_values(scores, metric, model)
    ((low, high),) = mean_bootstrap(values[:, None], level, scores.seed)
    if not scores.greater_is_better[scores.metric_index(metric)]:
        low, high, values = -high, -low, -values
    shift = mean_score(own) - float(values.mean())
    return low + shift, high + shift, ()


@once
def _mean_values(scores: EvaluationScores, metric: str, model: str) -> FloatArray:
    """The value of each sample, greater for a better model: the mean over the repeats, of each the linearised one."""
    splits, n_folds = scores.kept_splits, scores.design.n_folds
    if splits is None or scores.kept_predictions is None or not has_predictions(scores, model):
        raise MissingEvidenceError("its predictions are not known")
    if not all(scores.kept_predictions.labelled(model)):
        raise MissingEvidenceError("the model failed on some folds")
    how = (scores.read_as.get(metric, metric), scores.task, function_of(scores, metric))
    total = np.zeros(splits.n_samples)
    for repeat in range(splits.n_repeats):
        of_repeat = tuple(range(repeat * n_folds, (repeat + 1) * n_folds))
        found = value_of_samples(pool_splits(scores, (model,), of_repeat), model, *how)
        total[np.concatenate(splits.all_held_out(repeat))] += found
    return np.asarray(total / splits.n_repeats)


def _never(scores: EvaluationScores, metric: str) -> str:  # noqa: ARG001
    return ""


def _no_samples(scores: EvaluationScores, metric: str) -> str:
    """Why samples cannot be drawn again."""
    design = scores.design
    if not design.partition or design.n_folds < 2:
        return "it takes folds that test every sample once per repeat"
    if design.n_groups is not None:
        return "samples of one group depend on each other, and it draws single ones"
    if scores.kept_predictions is None:
        return f"its samples are not known: {scores.why_no_predictions}"
    return "" if is_valued(scores, metric) else f"{metric} has no value per sample"


def _no_inner_fits(scores: EvaluationScores, metric: str) -> str:
    if scores.inner_predictions is None:
        return "the inner fits were not made: PairedEvaluator(nested=True) does"
    return "" if has_sample_values(scores, metric) else f"{metric} is no mean of a value per sample"


METHODS: Mapping[str, FoldMethod] = {
    "corrected_t": FoldMethod(words="corrected t", limits=_corrected_t, why_not=_never),
    "nested": FoldMethod(words="nested cross-validation", limits=_nested, why_not=_no_inner_fits),
    "bootstrap": FoldMethod(words="bootstrap of the samples", limits=_bootstrap, why_not=_no_samples),
}


# ---- which of them --------------------------------------------------------------------------------------------


# In this order the first that can be made; `python -m benchmarks.own_scores` has the figures.
PREFERRED: Mapping[str, tuple[str, ...]] = {"algorithm": ("corrected_t",), "model": ("nested", "bootstrap")}


def default_method(scores: EvaluationScores, metric: str, target: str) -> str:
    """The first of the preferred methods of a target that can be made of the metric; empty where none can."""
    return next((name for name in PREFERRED[target] if not METHODS[name].why_not(scores, metric)), "")


def _why_not(scores: EvaluationScores, metric: str, method: str, target: str) -> str:
    """What keeps a method from being made of a metric and a target; empty where nothing does."""
    preferred = PREFERRED[target]
    if method == "auto" and default_method(scores, metric, target):
        return ""
    if method not in ("auto", *preferred):
        allowed = " or ".join(map(repr, preferred))
        return f"method must be {allowed} for target={target!r}: others were not measured to hold it"
    name = preferred[-1] if method == "auto" else method
    return METHODS[name].why_not(scores, metric)


def check_way(scores: EvaluationScores, metrics: Sequence[str], method: str, target: str | None) -> Way:
    """The method and the target, or ValueError where one does not fit the design or no metric."""
    check_choice(method, "method", ("auto", *METHODS))
    if target is not None:
        check_choice(target, "target", TARGETS)
    kind = scores.design.kind
    if kind != "folds":
        if method != "auto":
            raise ValueError(f"method must be 'auto' but on folds; got {method!r} on {scores.design.name}")
        if target == "algorithm" or (target is not None and kind == "runs"):
            of_runs = "runs are about other runs on the same data"
            why = of_runs if kind == "runs" else f"{kind} tell nothing of other training sets"
            raise ValueError(f"target must be None on {scores.design.name}: {why}; got {target!r}")
        return Way(method, None)
    target = target or TARGETS[0]
    reasons = {metric: _why_not(scores, metric, method, target) for metric in metrics}
    if all(reasons.values()):
        raise ValueError(f"{next(iter(reasons.values()))}; got method={method!r}, target={target!r}")
    return Way(method, target)


def of_folds(scores: EvaluationScores, metric: str, model: str, own: FloatArray, level: float, way: Way) -> Limits:
    """The limits on folds, how they were made, and reasons to doubt them."""
    assert way.target is not None
    why_not = _why_not(scores, metric, way.method, way.target)
    if why_not:
        raise MissingEvidenceError(why_not)
    name = default_method(scores, metric, way.target) if way.method == "auto" else way.method
    method = METHODS[name]
    low, high, warnings = method.limits(scores, metric, model, own, level)
    if low < high:
        return low, high, method.words, warnings
    if measure(scores, metric) == "rate" and scores.design.n_samples is not None:
        n = scores.design.n_samples
        right = round(mean_score(own) * n)
        interval = proportion_interval(right, n, confidence_level=level)
        return interval.low, interval.high, "Wilson, as folds do not differ", warnings
    told = f"{metric} of {model!r} is {low:.4g} on every split, so that its interval is a point; other data may differ."
    return low, high, method.words, (*warnings, Code.ZERO_VARIANCE(told, (metric, model)))
