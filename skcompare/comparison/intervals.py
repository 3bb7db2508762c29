"""Intervals for the models' own scores, from the design that is there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf, isfinite, log
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import expit

from skcompare import inference
from skcompare._core import validation
from skcompare._core.numbers import decimals, number, percent_of
from skcompare._core.record import Frozen, Record, Rows, Table
from skcompare._core.validation import Ends, FloatArray, Positions
from skcompare._core.warnings import FEW_SPLITS, Code, CodedWarning, few_splits
from skcompare.comparison.cases import case_clusters, cases, why_untested
from skcompare.comparison.compare import level as level_of
from skcompare.comparison.error_rates import positives, unlike
from skcompare.comparison.evidence import Question, pooled_evidence
from skcompare.comparison.means import averaged, mean_warnings
from skcompare.comparison.table import bounds, frame_of_rows, mean_score
from skcompare.evaluation.metrics.scorers import MOST, known_costs
from skcompare.evaluation.metrics.scoring import COST_METRICS
from skcompare.inference._procedures import find_procedure
from skcompare.inference._rates import FEW, coverage_of_own_scores, design_like, odds, within
from skcompare.inference._records import Correction
from skcompare.inference._sentences import from_to
from skcompare.inference.outcomes.bootstrap import mean_bootstrap
from skcompare.inference.outcomes.dependent import wald
from skcompare.scores import measures
from skcompare.scores.evaluation import EvaluationScores, is_judged, once
from skcompare.scores.predictions import MissingEvidenceError, has_predictions, pool_splits
from skcompare.scores.rare_classes import is_undefined

if TYPE_CHECKING:
    from skcompare._core.frames import DataFrame

# Intervals for a model's own score on the folds of one data set, of two targets and by several methods.


TARGETS = ("algorithm", "model")
LEVEL = 0.95  # what the simulated intervals were of
Limits = tuple[float, float, str, tuple[CodedWarning, ...]]
Found = tuple[float, float, tuple[CodedWarning, ...]]


class Way(Frozen, kw_only=False):
    """A method and a target on folds; both empty on other designs, which have none to choose."""

    method: str = ""
    target: str = ""


# ---- the methods ----------------------------------------------------------------------------------------------


def _corrected_t(scores: EvaluationScores, metric: str, model: str, own: FloatArray, level: float) -> Found:
    if own.size < 2:
        raise MissingEvidenceError("one score tells no spread")
    few = (few_splits(own.size, scores.design.unit),) if own.size < FEW_SPLITS else ()
    return *corrected_t_limits(own, scores.design.test_fraction, level, _range(scores, metric, model)), few


def corrected_t_limits(own: FloatArray, test_fraction: float, level: float, ends: Ends) -> Ends:
    """The corrected t interval of a mean, on a scale without ends: it is short towards a near end, and never beyond.

    The scale is the logit of where the score stands between its two ends, the logarithm of its distance from the only
    one, or the score itself where it has none; the standard error goes there by the delta method.
    """
    test = inference.corrected_t_test(own, np.zeros(len(own)), test_fraction=test_fraction)
    interval, (least, most) = test.confidence_interval(level), ends
    score, reach = test.estimate, (interval.high - interval.low) / 2
    down, up = score - least, most - score
    if min(down, up) <= 0 or not isfinite(min(down, up)):  # at an end, or without any
        return interval.low, interval.high
    steps = np.array([-1.0, 1.0]) * min(reach * (1 / down + 1 / up), 700.0)  # as far as exp goes
    if isfinite(down) and isfinite(up):
        low, high = least + (most - least) * expit(log(down / up) + steps)
    else:
        low, high = least + down * np.exp(steps) if isfinite(down) else most - up * np.exp(-steps)
    return float(low), float(high)


def _nested(scores: EvaluationScores, metric: str, model: str, _own: FloatArray, level: float) -> Found:
    record = inference.nested_cv_interval(*measures.nested_values(scores, model, metric))
    warnings = tuple(one for one in record.warnings if one.code != Code.ZERO_VARIANCE.name)
    return *_turned(scores, metric, record.confidence_interval(level)), warnings


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
    total = np.zeros(splits.n_samples)
    for repeat in range(splits.n_repeats):
        of_repeat = tuple(range(repeat * n_folds, (repeat + 1) * n_folds))
        found = measures.value_of_samples(scores, pool_splits(scores, (model,), of_repeat), model, metric)
        total[np.concatenate(splits.all_held_out(repeat))] += found
    return np.asarray(total / splits.n_repeats)


# What each is called; and of scores, a metric, a model, its own scores and a level the limits and warnings.
METHODS: Mapping[str, tuple[str, Callable[[EvaluationScores, str, str, FloatArray, float], Found]]] = {
    "corrected_t": ("corrected t", _corrected_t),
    "nested": ("nested cross-validation", _nested),
    "bootstrap": ("bootstrap of the samples", _bootstrap),
}


# ---- which of them --------------------------------------------------------------------------------------------


# The simulated designs, and the numbers of samples: with 20% positives, with as many of either class, and of numbers.
_DESIGNS, _FEWEST_FOLDS = ("10x10", "10x5", "10-fold"), {"10x5": 4, "10-fold": 8}
_RARE, _EVEN, _NUMBERS = (200,), (60, 200, 1000), (60, 200)
_SHARES = (0.2, 0.5)
_BETWEEN = 2.25  # from a value between two simulated numbers of samples, which are up to 5 times apart, to either
DEFAULT = "corrected_t"  # the narrowest that held accuracy, of the algorithm and of the model


def held(scores: EvaluationScores, metric: str, way: Way) -> tuple[int, int] | None:
    """How often such intervals held their target in simulations that are like the run; None where none are."""
    name = measures.named(scores, metric)
    if not _is_like(scores, name):
        return None
    several, few = scores.design.n_repeats > 1, (scores.design.n_samples or 0) < FEW
    return coverage_of_own_scores().get((way.method, name, several, few, way.target))


def _is_like(scores: EvaluationScores, name: str) -> bool:
    """Whether data sets like those of the run were simulated, within the tolerance of error rates."""
    design, n = scores.design, scores.design.n_samples or 0
    alike = design_like(design)
    if unlike(scores) or "source" in scores.provenance or design.n_groups is not None or alike not in _DESIGNS:
        return False
    if design.n_folds < _FEWEST_FOLDS.get(alike, 0) or design.sequential:  # nor do the intervals allow for the looks
        return False
    if scores.task == "regression":
        return nearest(n, _NUMBERS) is not None
    positive = positives(scores)
    if positive is None:
        return False
    shares = {odds(share): share for share in _SHARES}
    # the simulations of precision, recall and F1 have the rarer class for the positive one
    near = nearest(odds(positive if name in ("precision", "recall", "f1") else min(positive, 1 - positive)), [*shares])
    return near is not None and nearest(n, _RARE if shares[near] == _SHARES[0] else _EVEN) is not None


def nearest(value: float, simulated: Sequence[float]) -> float | None:
    """The simulated value that is nearest, as a ratio: up to a factor of two from one; None of others."""
    near = min(simulated, key=lambda one: abs(log(value / one)) if value > 0 else inf)
    ends = within(value, min(simulated), max(simulated))
    return near if ends and abs(log(value / near)) <= log(_BETWEEN) else None


def _is_constant(scores: EvaluationScores, metric: str, model: str) -> bool:
    """Whether a model learns nothing, or says the same of all samples of a fold, as no simulated one was sure to.

    The area under the curve of one that always says the same class can be any; where nothing was kept it is not known.
    """
    known = scores.provenance.get("estimators")
    if scores.kept_predictions is None or (isinstance(known, Mapping) and "Dummy" in str(known.get(model, ""))):
        return True
    if measures.named(scores, metric) == "roc_auc":
        return False
    folds = [fold.get("codes", fold.get("predict")) for fold in scores.kept_predictions.folds[model]]
    return all(said is None or bool((said == said[0]).all()) for said in folds)


def _why_not(scores: EvaluationScores, metric: str, way: Way) -> str:
    """What keeps a method from being made of a metric and a target; empty where nothing does."""
    design, found, method = scores.design, "", way.method
    if method == "nested" and scores.inner_predictions is None:
        found = "the inner fits were not made: PairedEvaluator(intervals='nested') does"
    elif method == "nested" and not measures.has_sample_values(scores, metric):
        found = f"{metric} is no mean of a value per sample"
    elif method == "bootstrap" and (not design.partition or design.n_folds < 2):
        found = "it takes folds that test every sample once per repeat"
    elif method == "bootstrap" and design.n_groups is not None:
        found = "samples of one group depend on each other, and it draws single ones"
    elif method == "bootstrap" and scores.kept_predictions is None:
        found = f"its samples are not known: {scores.why_no_predictions}"
    elif method == "bootstrap" and not measures.is_valued(scores, metric):
        found = f"{metric} has no value per sample"
    if found or way.target == TARGETS[0] or held(scores, metric, way) is not None:
        return found
    of = f"the {METHODS[method][0]} interval of {metric}"
    return f"how often {of} holds the score of the fitted models here was not measured"


def check_way(scores: EvaluationScores, metrics: Sequence[str], method: str, target: str | None) -> Way:
    """The method and the target, or ValueError where one does not fit the design or no metric."""
    validation.check_choice(method, "method", ("auto", *METHODS))
    if target is not None:
        validation.check_choice(target, "target", TARGETS)
    kind = scores.design.kind
    if kind != "folds":
        if method != "auto":
            raise ValueError(f"method must be 'auto' except on folds; got {method!r} on {scores.design.name}")
        if target == "algorithm" or (target is not None and kind == "runs"):
            of_runs = "runs are about other runs on the same data"
            why = of_runs if kind == "runs" else f"{kind} tell nothing of other training sets"
            raise ValueError(f"target must be None on {scores.design.name}: {why}; got {target!r}")
        return Way()
    named = DEFAULT if method == "auto" else method
    of_model = all(held(scores, metric, Way(named, TARGETS[1])) is not None for metric in metrics)
    way = Way(named, target or TARGETS[of_model])
    reasons = [_why_not(scores, metric, way) for metric in metrics]
    if all(reasons):
        others = (Way(name, way.target) for name in METHODS)
        able = [repr(one.method) for one in others if not all(_why_not(scores, m, one) for m in metrics)]
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
    if not low < high or words != METHODS[way.method][0] or _is_constant(scores, metric, model):
        return None
    return held(scores, metric, way)


def of_folds(scores: EvaluationScores, metric: str, model: str, own: FloatArray, level: float, way: Way) -> Limits:
    """The limits on folds, how they were made, and reasons to doubt them."""
    if why_not := _why_not(scores, metric, way):
        raise MissingEvidenceError(why_not)
    words, limits = METHODS[way.method]
    low, high, warnings = limits(scores, metric, model, own, level)
    n = scores.design.n_samples
    if low < high or n is None or measures.measure(scores, metric) != "rate":
        return low, high, words, warnings
    above = scores.above_share(metric)
    interval = inference.proportion_interval(round((mean_score(own) - above) * n), n, confidence_level=level)
    return interval.low + above, interval.high + above, "Wilson, as folds do not differ", warnings


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

    def to_frame(self) -> DataFrame:
        """The rows as a pandas DataFrame; needs pandas."""
        return frame_of_rows(ScoreInterval, self.rows)

    def _sentence(self) -> str:
        level = percent_of(self.confidence_level)
        own = f"Each model's own score with its {level} interval, {self.about}."
        return f"{own} Overlapping intervals do not show that two models are alike: compare() tests that."

    def _tables(self) -> list[Table]:
        metrics = dict.fromkeys(row.metric for row in self.rows)
        places = {name: decimals(row.score for row in self.rows if row.metric == name) for name in metrics}
        rows = []
        for row in self.rows:
            score = number(row.score, places[row.metric])
            limits = from_to(row.low, row.high, places[row.metric]) if isfinite(row.low) else "n/a"
            rows.append([row.metric, row.model, score, limits, row.method, row.coverage])
        interval = f"{percent_of(self.confidence_level)} interval"
        header = ("metric", "model", "score", interval, "by", "held in simulations")
        known = len(header) - (not any(row.coverage for row in self.rows))
        return [Table(header[:known], [row[:known] for row in rows])]


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
    level = validation.check_number(given, "confidence_level", low=0, high=1, closed="neither")
    names = validation.choose_metrics(metric, scores.metrics, "metric")
    way = check_way(scores, names, method, target)
    rows = list[ScoreInterval]()
    for name in names:
        for model, own in zip(scores.estimators, averaged(scores, name), strict=True):
            rows.append(_row(scores, name, model, own, level, way))
    return ScoreIntervals(rows=tuple(rows), confidence_level=level, about=_about(scores, way))


def _about(scores: EvaluationScores, way: Way) -> str:
    """What the intervals speak of."""
    if scores.design.kind == "runs":
        return "about other runs on the same data"
    if scores.design.kind != "folds":
        fitted = "" if scores.design.estimated else "fitted "
        return f"about these {fitted}models on {scores.design.kind} like these"
    if scores.design.time_order:
        return "as if test sets in time order were exchangeable"
    about = "about the algorithms on training sets of this size"
    if way.target == TARGETS[1]:
        about = "about these models fitted on all of the data"
    if Correction.of(scores.design).overlap < 1 and way.method == DEFAULT:
        return f"{about}, with the whole correction for shared training samples (tests of differences take 0.4 of it)"
    return about


def _row(scores: EvaluationScores, metric: str, model: str, own: FloatArray, level: float, way: Way) -> ScoreInterval:
    """The interval of one score, the mean of a model's own ones."""
    warnings = (*mean_warnings(scores, metric, model), *scores.cost_warnings(metric, model))
    shares = None
    try:
        low, high, method, found = made = _limits(scores, metric, model, own, level, way)
        if low == high:
            told = f"{metric} of {model!r} does not vary, so that its interval is a point; other data may differ."
            found = (*found, Code.ZERO_VARIANCE(told, (metric, model)))
        shares = coverage(scores, metric, model, way, level, made)
        if shares is not None and shares[0] < FEWEST_HELD:
            held_in = f"{shares[0]}% to {shares[1]}% of simulated data sets"
            told = Code.NOT_AT_LEVEL(f"such 95% intervals for {metric} held the truth in {held_in}.", (metric,))
            found = (*found, told)
    except (MissingEvidenceError, ValueError) as error:
        low, high, method = float("nan"), float("nan"), ""
        told = Code.MISSING_SCORES(f"{metric} of {model!r} has no interval: {error}.", (metric, model))
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
        warnings=tuple(dict.fromkeys((*warnings, *found))),
    )


def _range(scores: EvaluationScores, metric: str, model: str) -> tuple[float, float]:
    """What a score can be: a share, an agreement, a loss or a cost; any number of a metric that is not known."""
    costs = known_costs(scores.metric_functions.get(metric))
    if costs is not None:
        return -float(np.max(costs["cost"])), -float(np.min(costs["cost"]))
    known, above = measures.named(scores, metric), scores.above_share(metric)
    own = scores.score(model, metric)
    own = own - above if above else own
    low, high = bounds(known, own)
    most = MOST.get(known, high)
    return 0.0 if metric in COST_METRICS else low + above, above + (high if (own > most).any() else min(high, most))


def _limits(scores: EvaluationScores, metric: str, model: str, own: FloatArray, level: float, way: Way) -> Limits:
    if is_judged(scores.provenance, metric):
        raise MissingEvidenceError("it was given, not measured")
    if scores.design.kind == "folds":
        return of_folds(scores, metric, model, own, level, way)
    if scores.design.kind == "runs" and own.size < 2:
        raise MissingEvidenceError("one run tells no spread")
    if scores.design.estimated:
        return _of_estimate(scores, metric, model, level)
    if scores.design.kind == "samples" and not has_predictions(scores, model):
        raise MissingEvidenceError("the model failed")
    if is_undefined(scores, model, metric):
        raise MissingEvidenceError("it is 0/0")
    if scores.design.kind == "samples" and not np.isfinite(own).any():
        raise MissingEvidenceError("it has no score")
    what = measures.measure(scores, metric)
    if what == "rate" and scores.clusters is None:
        (values, _), unit = _values(scores, metric, model), measures.number_counted(scores, metric) or 1
        above = measures.unit_of(scores, metric, model)[1] if unit > 1 else scores.above_share(metric)
        right, n = int(np.abs(values - above).sum() / unit + 0.5), len(values)
        interval = inference.proportion_interval(right, n, confidence_level=level)
        return interval.low * unit + above, interval.high * unit + above, "Wilson", ()
    if what in ("rate", "mean"):
        return _of_mean(scores, metric, model, level)
    named = "delong_test" if what == "area" else "paired_bootstrap"
    other = next((name for name in scores.estimators if name != model), model)
    procedure = find_procedure(named, scores.design)
    if what == "other":
        raise MissingEvidenceError(f"none is known for it on one test set: {why_untested(scores, metric)}")
    evidence = pooled_evidence(scores, Question(procedure=procedure, metric=metric, a=model, b=other, options={}))
    if what == "area":
        ranked = evidence.class_scores(model)
        interval = inference.delong_test(evidence.y_true, ranked, ranked).auc_intervals(level)[0]
        return interval.low, interval.high, "Newcombe", ()
    (true, labels, _), positive = evidence.labelled()
    record = inference.metric_interval(
        true, labels, evidence.metric_function, rng=scores.seed, clusters=evidence.clusters, **positive
    )
    method = "BCa bootstrap" if record.n_resamples else "logit"
    if what == "labels" and not record.n_resamples:
        method = "Wilson" if record.predictions.metric.of_shares is None else "Wilson by class"
    return *_turned(scores, metric, record.confidence_interval(level)), method, record.warnings


def _values(scores: EvaluationScores, metric: str, model: str) -> tuple[FloatArray, Positions]:
    """The values of the cases that a score is the mean of, and their clusters, without those that are missing."""
    values = cases(scores, (metric,)).oriented(model, metric)
    known = np.isfinite(values)
    clusters = case_clusters(scores)
    return values[known], np.arange(int(known.sum())) if clusters is None else clusters[known]


def _of_mean(scores: EvaluationScores, metric: str, model: str, level: float) -> Limits:
    (values, clusters), above = _values(scores, metric, model), scores.above_share(metric)
    values, nothing = values - above if above else values, np.zeros(len(values))
    test: Any
    if scores.clusters is None:
        test, method = inference.paired_t_test(values, nothing), "t"
    else:
        test, method = inference.cluster_t_test(values, nothing, clusters=clusters), "cluster-robust t"
    of_differences = (Code.INDEPENDENCE.name, Code.NO_DIFFERENCE.name, Code.ZERO_VARIANCE.name)
    warnings = tuple(one for one in test.warnings if one.code not in of_differences)
    low, high = _turned(scores, metric, test.confidence_interval(level))
    return low + above, high + above, method, warnings


def _of_estimate(scores: EvaluationScores, metric: str, model: str, level: float) -> Limits:
    """By the variance of the estimate alone."""
    assert scores.covariances is not None
    assert scores.covariance_df is not None
    at, value = scores.estimator_index(model), scores.score(model, metric)[0]
    error, hypothesis = scores.covariances[:, at, at] ** 0.5, validation.Hypothesis("two-sided", 0.0)
    interval = wald(float(value), error, scores.covariance_df[:, at, at], hypothesis).confidence_interval(level)
    return interval.low, interval.high, "Wald", ()


def _turned(scores: EvaluationScores, metric: str, interval: Any) -> tuple[float, float]:
    """An interval of oriented scores in the metric's own units."""
    if scores.greater_is_better[scores.metric_index(metric)]:
        return interval.low, interval.high
    return -interval.high, -interval.low
