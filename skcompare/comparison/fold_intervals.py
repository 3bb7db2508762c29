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
from skcompare.inference._likeness import design_like, nearest, odds
from skcompare.inference._measured_sizes import FEW, coverage_of_own_scores
from skcompare.inference.outcomes._mean_bootstrap import mean_bootstrap
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.simulated import positives, unlike

TARGETS = ("algorithm", "model")
LEVEL = 0.95  # what the simulated intervals were of
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


# The simulated designs, and the numbers of samples: with 20% positives, with as many of either class, and of numbers.
_DESIGNS, _FEWEST_FOLDS = ("10x10", "10x5", "10-fold"), {"10x5": 4, "10-fold": 8}
_RARE, _EVEN, _NUMBERS = (200,), (60, 200, 1000), (60, 200)
_SHARES = (0.2, 0.5)
DEFAULT = "corrected_t"  # the narrowest that held accuracy, of the algorithm and of the model


def held(scores: EvaluationScores, metric: str, method: str, target: str) -> tuple[int, int] | None:
    """How often such intervals held their target in simulations that are like the run; None where none are."""
    name = scores.read_as.get(metric, metric)
    if not _is_like(scores, name):
        return None
    several, few = scores.design.n_repeats > 1, (scores.design.n_samples or 0) < FEW
    return coverage_of_own_scores().get((method, name, several, few, target))


def _is_like(scores: EvaluationScores, name: str) -> bool:
    """Whether data sets like those of the run were simulated, within the tolerance of error rates."""
    design, n = scores.design, scores.design.n_samples or 0
    alike = design_like(design)
    if unlike(scores) or "source" in scores.provenance or design.n_groups is not None or alike not in _DESIGNS:
        return False
    if design.sequential:  # nor do the intervals allow for the looks
        return False
    if design.n_folds < _FEWEST_FOLDS.get(alike, 0):
        return False
    if scores.task == "regression":
        return nearest(n, _NUMBERS) is not None
    positive = positives(scores)
    if positive is None:
        return False
    shares = {odds(share): share for share in _SHARES}
    # the simulations of F1 have the rarer class for the positive one
    near = nearest(odds(positive if name == "f1" else min(positive, 1 - positive)), shares)
    return near is not None and nearest(n, _RARE if shares[near] == _SHARES[0] else _EVEN) is not None


def _is_constant(scores: EvaluationScores, metric: str, model: str) -> bool:
    """Whether a model learns nothing, or says the same of all samples of a fold, as no simulated one was sure to.

    The area under the curve of one that always says the same class can be any; where nothing was kept it is not known.
    """
    known = scores.provenance.get("estimators")
    if isinstance(known, Mapping) and "Dummy" in str(known.get(model, "")):
        return True
    if scores.kept_predictions is None:
        return True
    if scores.read_as.get(metric, metric) == "roc_auc":
        return False
    folds = [fold.get("codes", fold.get("predict")) for fold in scores.kept_predictions.folds[model]]
    return all(said is None or bool((said == said[0]).all()) for said in folds)


def _why_not(scores: EvaluationScores, metric: str, method: str, target: str) -> str:
    """What keeps a method from being made of a metric and a target; empty where nothing does."""
    found, way = METHODS[method].why_not(scores, metric), METHODS[method].words
    if found or target == TARGETS[0] or held(scores, metric, method, target) is not None:
        return found
    return f"how often the {way} interval of {metric} holds the score of the fitted models here was not measured"


def _method(scores: EvaluationScores, metric: str, way: Way) -> tuple[str, str]:
    """The method of a metric, and what keeps it from being made; empty where nothing does."""
    assert way.target is not None
    name = DEFAULT if way.method == "auto" else way.method
    return name, _why_not(scores, metric, name, way.target)


def check_way(scores: EvaluationScores, metrics: Sequence[str], method: str, target: str | None) -> Way:
    """The method and the target, or ValueError where one does not fit the design or no metric."""
    check_choice(method, "method", ("auto", *METHODS))
    if target is not None:
        check_choice(target, "target", TARGETS)
    kind = scores.design.kind
    if kind != "folds":
        if method != "auto":
            raise ValueError(f"method must be 'auto' except on folds; got {method!r} on {scores.design.name}")
        if target == "algorithm" or (target is not None and kind == "runs"):
            of_runs = "runs are about other runs on the same data"
            why = of_runs if kind == "runs" else f"{kind} tell nothing of other training sets"
            raise ValueError(f"target must be None on {scores.design.name}: {why}; got {target!r}")
        return Way(method, None)
    way = Way(method, target or TARGETS[0])
    reasons = [_method(scores, metric, way)[1] for metric in metrics]
    if all(reasons):
        others = (Way(name, way.target) for name in METHODS)
        able = [repr(one.method) for one in others if not all(_method(scores, m, one)[1] for m in metrics)]
        fits = f"method must be {' or '.join(able)}" if able else f"target must be {TARGETS[0]!r}"
        raise ValueError(f"{fits} here: {reasons[0]}; got method={method!r}, target={way.target!r}")
    return way


def coverage(
    scores: EvaluationScores, metric: str, model: str, way: Way, level: float, made: Limits
) -> tuple[int, int] | None:
    """How often intervals made so held their target in simulations, in percent; None where that is not known.

    It is not of points, and of intervals that had to be made by another method.
    """
    if scores.design.kind != "folds" or level != LEVEL:
        return None
    low, high, words, _ = made
    name, _ = _method(scores, metric, way)
    if not low < high or words != METHODS[name].words or _is_constant(scores, metric, model):
        return None
    return held(scores, metric, name, way.target or TARGETS[0])


def of_folds(scores: EvaluationScores, metric: str, model: str, own: FloatArray, level: float, way: Way) -> Limits:
    """The limits on folds, how they were made, and reasons to doubt them."""
    name, why_not = _method(scores, metric, way)
    if why_not:
        raise MissingEvidenceError(why_not)
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
