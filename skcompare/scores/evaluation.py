"""What was measured of several estimators on one data set, as plain frozen data; it computes nothing but selections."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property, wraps
from inspect import signature
from itertools import chain, count, filterfalse, product, starmap
from typing import Any, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

import numpy as np

from skcompare._core.design import Design
from skcompare._core.numbers import ROUNDING, agreeing, some_of
from skcompare._core.record import Frozen, Record
from skcompare._core.validation import AnyArray, BoolArray, FloatArray, Positions, check_choice, choose_pair
from skcompare._core.warnings import Code, CodedWarning, Warnings
from skcompare.evaluation.cautions import fit_health
from skcompare.evaluation.metrics.scorers import what_it_is, without_rounding
from skcompare.evaluation.metrics.scoring import Failure, given_up
from skcompare.evaluation.predictions import FoldPrediction, KeptPredictions
from skcompare.evaluation.provenance import part_of
from skcompare.evaluation.splits import Splits
from skcompare.inference._rates import time_order_warnings
from skcompare.scores import rare_classes
from skcompare.scores.calibration import Calibration
from skcompare.scores.stopping import Stopping

P = ParamSpec("P")
T = TypeVar("T")
UNTIMED: FloatArray = np.empty((0, 0))  # of fits of which nobody knows how long they took


def once(function: Callable[P, T]) -> Callable[P, T]:
    """A function of scores that is computed once for the same scores and options, while the scores are alive."""
    known: WeakKeyDictionary[Any, dict[Any, T]] = WeakKeyDictionary()
    asked = signature(function)

    @wraps(function)
    def remembering(*args: P.args, **kwargs: P.kwargs) -> T:
        if len(args) == len(asked.parameters):
            given: tuple[Any, ...] = args
        else:
            bound = asked.bind(*args, **kwargs)
            bound.apply_defaults()
            given = tuple(bound.arguments.values())
        scores, *options = given
        key = (*map(type, options), *options)  # True equals 1, and is refused where a number is asked for
        try:
            hash(key)
            answers = known.setdefault(scores, {})
        except TypeError:  # an option such as a mapping, which may change, or no scores, which the function refuses
            return function(*args, **kwargs)
        if key not in answers:
            answers[key] = function(*args, **kwargs)
        return answers[key]

    return remembering


# Metrics that no prediction is scored by: numbers that were given, and counts in units of their own.


def is_judged(provenance: Mapping[str, Any], metric: Any) -> bool:
    """Whether the user gave a number for every model, so that nothing was measured that a test could be about."""
    return metric in provenance.get("judged", ())


def units(provenance: Mapping[str, Any], metric: str) -> Mapping[str, str]:
    """What a complexity counts, by model; empty of other metrics."""
    found = provenance.get("units", {}).get(metric, {})
    return found if isinstance(found, Mapping) else {}


def criterion_warnings(provenance: Mapping[str, Any], metric: str, names: Sequence[str] = ()) -> Warnings:
    """That a metric was given, or that the complexities of some models are in different units."""
    if is_judged(provenance, metric):
        return (Code.JUDGED(f"{metric} was given for each model, not measured: no test is about it.", (metric,)),)
    of_model = units(provenance, metric)
    if not of_model:
        return ()
    known = {name: of_model[name] for name in names if name in of_model}
    if len({*known.values()}) < 2:
        return ()
    told = ", ".join(f"{unit} of {name}" for name, unit in known.items())
    return (Code.DIFFERENT_UNITS(f"{metric} is not in one unit: {told}.", (metric, *known)),)


# What an evaluation of some candidates of a search keeps of the search: how the best was found among all of them.


class Selected(Record):
    """The search that some candidates come from: its ranking decides on them, and its size adjusts the rest.

    Attributes
    ----------
    metric : str
        The metric of the ranking.
    n_candidates : int
        Candidates of the search that were tested, those with the same scores on all splits and metrics counted once; at
        least 2.
    best : int or None
        Position of the best candidate of the search; None where it is not among those chosen.
    pvalues : tuple of float or None
        One per chosen candidate: of the ranking, that it is as good as the best, adjusted for all comparisons of the
        candidates of the search; None for one that lacks scores.
    alpha : float
        Level of the ranking, in (0, 1).
    """

    metric: str
    n_candidates: int
    best: int | None
    pvalues: tuple[float | None, ...]
    alpha: float

    @property
    def n_pairs(self) -> int:
        """Pairs of candidates of the search."""
        return self.n_candidates * (self.n_candidates - 1) // 2


_LARGE = 1e300  # scores beyond may differ by more than a number can be


def is_unsaved(scores: Any, metric: str) -> bool:
    """Whether a metric on one test set has tests as long as its function is known, which a file does not keep."""
    tested = isinstance(scores, EvaluationScores) and scores.design.kind == "samples" and scores.sample_weight is None
    return tested and metric in scores.provenance.get("unsaved", ())


class EvaluationScores(Frozen, eq=False, repr=False, slots=False):
    """Scores and predictions of several estimators on the same splits of one data set.

    Attributes
    ----------
    estimators, metrics : tuple of str
        Names, in the order of the scores.
    greater_is_better : tuple of bool
        Direction of each metric.
    design : Design
        How the data was resampled.
    scores : ndarray of shape (n_estimators, n_splits, n_metrics)
        float64, read-only; split ``r * n_folds + f`` is fold f of repeat r. nan where a metric is undefined or
        something failed, whatever `error_score` is.
    fit_times, score_times : ndarray of shape (n_estimators, n_splits)
        Seconds; nan where a fit was not started, and where nobody knows how long they took.
    failures : tuple of Failure
        What failed or was not started, where `error_score` was a number.
    task : {"binary", "multiclass", "multilabel", "regression", "multioutput", "other"}
        The kind of problem: of several columns "multilabel" where they are 0 and 1, "multioutput" where they are
        numbers; "other" of any other target, such as events with times, and where it is not known.
    positive_class : object
        The class that binary precision, recall and f1 are about; None unless the target is binary.
    ill_defined : dict of estimator to dict of metric to int
        On how many splits a metric was 0/0, and so by convention 0 or nan.
    warnings : tuple of str
        Reasons to doubt every test on this result, each a code, a colon and a sentence.
    provenance : dict
        What it takes to run this again: cv, random_state, estimators, versions.
    single_metric : bool
        Whether `scoring` was one name or callable, so that `to_cross_validate` calls the score "test_score".
    stopping : Stopping or None
        When and why an evaluation with a `StopRule` ended, and its sequential verdict; None otherwise. Models that were
        dropped have nan scores and times in the later repeats.
    calibration : Calibration or None
        Degrees of freedom that were calibrated for this evaluation; ``"auto"`` then stands for `calibrated_t_test` with
        them, and for the default of the design on metrics and models that it is not about.
    selected : Selected or None
        The search that the models are candidates of; its ranking decides on them. None of other evaluations.
    baseline : str or None
        The model that the others are to be better than; None where there is none.
    kept_splits : Splits or None
        What `splits` reads; None of a table that another tool made.
    kept_predictions : KeptPredictions or None
        What `predictions` reads; None where they were not kept.
    inner_predictions : KeptPredictions or None
        What the models predicted on two folds at a time that were fitted without both, by repeat and pair of folds;
        None unless the evaluation was nested.
    clusters : ndarray of int or None
        The cluster of each sample of the data, or of each item, counted from 0; None where each stands alone. Only of
        one test set, and of items.
    sample_weight : ndarray of shape (n_samples,) or None
        How much each sample of one test set counts; None where all count alike.
    sample_ids : ndarray of str or int, or None
        What the samples or items are called; None where they are known by their position.
    sample_columns : mapping of str to ndarray
        What else is known of each sample or item, such as the hospital or the length, by name.
    fit_seeds : tuple of int
        The seeds with which every estimator was fitted on every split, where there are several; `scores` are then the
        means over them. Empty otherwise.
    seed_scores : ndarray of shape (n_estimators, n_seeds, n_splits, n_metrics), or None
        The scores of the single fits; None where each split has one.
    error_score : float
        What `to_cross_validate` shows where something failed; nothing else reads it.
    train_scores : ndarray of shape (n_estimators, n_splits, n_metrics), or None
        The same of the training sets, nan of costs and of metrics that no scorer of scikit-learn gives; None unless
        they were asked for.
    estimators_ : mapping of str to tuple of estimator
        Of every model the fitted ones, split by split, where they were asked for; they are not saved.
    covariances : ndarray of shape (n_parts, n_estimators, n_estimators), or None
        Of the scores that are estimates from judgments or with few labels, of each independent part of the data; None
        of all others.
    covariance_df : ndarray of shape (n_parts, n_estimators, n_estimators), or None
        Degrees of freedom of the difference of two scores, by each of these, and on the diagonal of one alone. Given of
        shape (n_parts,), they are the same for all.
    metric_functions : mapping of str to callable
        ``(y_true, y_pred) -> float`` of the metrics that have no name of scikit-learn's; a file keeps those that
        are functions of scikit-learn's with plain options.
    """

    estimators: tuple[str, ...]
    metrics: tuple[str, ...]
    greater_is_better: tuple[bool, ...]
    design: Design
    scores: FloatArray
    fit_times: FloatArray = field(default_factory=UNTIMED.copy)
    score_times: FloatArray = field(default_factory=UNTIMED.copy)
    failures: tuple[Failure, ...] = ()
    task: str = "other"
    positive_class: Any = None
    ill_defined: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    warnings: Warnings = ()
    provenance: Mapping[str, Any] = field(default_factory=dict)
    single_metric: bool = False
    stopping: Stopping | None = None
    calibration: Calibration | None = None
    selected: Selected | None = None
    baseline: str | None = None
    kept_splits: Splits | None = None
    kept_predictions: KeptPredictions | None = None
    inner_predictions: KeptPredictions | None = None
    clusters: Positions | None = None
    sample_weight: FloatArray | None = None
    sample_ids: AnyArray | None = None
    sample_columns: Mapping[str, AnyArray] = field(default_factory=dict)
    fit_seeds: tuple[int, ...] = ()
    seed_scores: FloatArray | None = None
    error_score: float = float("nan")
    train_scores: FloatArray | None = None
    covariances: FloatArray | None = None
    covariance_df: FloatArray | None = None
    estimators_: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    metric_functions: Mapping[str, Callable[[Any, Any], float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if np.isfinite(self.scores[self.failed]).any():  # as in files of versions that kept the error score there
            object.__setattr__(self, "scores", np.where(self.failed, np.nan, self.scores))
        if (np.abs(self.scores) <= ROUNDING).any():
            object.__setattr__(self, "scores", without_rounding(self.scores, self.read_as.values()))
        for name in ("scores", "fit_times", "score_times"):
            given = getattr(self, name)
            given = np.full(self.scores.shape[:2], np.nan) if given.shape == UNTIMED.shape else given
            array = np.ascontiguousarray(given)  # as in a file: sums have the same last bit
            array.setflags(write=False)
            object.__setattr__(self, name, array)
        if self.covariances is not None and self.covariance_df is not None and self.covariance_df.ndim == 1:
            same = np.broadcast_to(self.covariance_df[:, None, None], self.covariances.shape)
            object.__setattr__(self, "covariance_df", same.copy())
        for extra in (self.seed_scores, self.train_scores, self.covariances, self.covariance_df):
            if extra is not None:
                extra.setflags(write=False)

    @property
    def seed(self) -> int:
        """The seed of what is drawn at random of these scores, 0 where the evaluation had none."""
        return self.provenance.get("random_state") or 0

    @property
    def misnamed(self) -> frozenset[str]:
        """Metrics that are called by the name of another one, of which no more is known than their function."""
        return frozenset(self.provenance.get("misnamed", ()))

    @property
    def lost(self) -> frozenset[str]:
        """Metrics whose functions a file did not keep."""
        return frozenset(self.provenance.get("unsaved", ())).difference(self.metric_functions)

    @property
    def renamed(self) -> dict[str, str]:
        """The names of metrics that were given by one and are called by another."""
        return {name: str(of) for name, of in part_of(self.provenance, "renamed").items()}

    @property
    def families(self) -> dict[str, str]:
        """The family of every learner, such as "tree"; empty where it is not known."""
        known = part_of(self.provenance, "families")
        return {name: str(known.get(name, "")) for name in self.estimators}

    @cached_property
    def read_as(self) -> Mapping[str, str]:
        """What each metric is, by the name of scikit-learn's or ours; empty of one that only has another's name."""
        found, misnamed = {}, self.provenance.get("misnamed", ())
        renamed = self.renamed if "renamed" in self.provenance else {}
        for name in self.metrics:
            own, function = renamed.get(name), self.metric_functions.get(name)
            known = (own, None) if own else ("" if name in misnamed else name, function)
            found[name] = what_it_is(*known, self.positive_class, self.task)
        return found

    def above_share(self, metric: str) -> float:
        """What a metric that is read as the accuracy is above it: the negative share of errors is 1 below."""
        return -1.0 if getattr(self.metric_functions.get(metric), "is_of_errors", False) else 0.0

    def score(self, estimator: str, metric: str) -> FloatArray:
        """Scores of one estimator on one metric, shape (n_splits,), in the metric's own units."""
        return self.scores[self.estimator_index(estimator), :, self.metric_index(metric)]

    def difference(self, metric: str, a: str | None = None, b: str | None = None) -> FloatArray:
        """Differences ``a - b`` of one metric, shape (n_splits,), oriented: positive favours `a`.

        Parameters
        ----------
        metric : str
            Its name; where less is better the sign is reversed.
        a, b : str, optional
            Estimators; the first and the second by default.

        Returns
        -------
        ndarray of shape (n_splits,)
            nan where either score is.

        Raises
        ------
        ValueError
            If a name is unknown, or the scores are of independent runs, which have no pairs.
        """
        a, b = choose_pair(a, b, self.estimators)
        if self.design.apart:
            runs, more = self.design.kind == "runs", ", and from_runs(paired=...) takes runs of one name for pairs"
            raise ValueError(
                f"difference needs pairs of scores, and {'independent runs' if runs else self.design.kind} are none; "
                f"compare() has the difference of the {'means' if runs else 'estimates'}{more * runs}"
            )
        with np.errstate(invalid="ignore", over="ignore"):  # of scores that are not finite
            return self.oriented(a, metric) - self.oriented(b, metric)

    def predictions(self, estimator: str) -> tuple[FoldPrediction, ...]:
        """What one model predicted, split by split, where that was kept."""
        self.estimator_index(estimator)
        kept, splits = self.kept
        return kept.of(estimator, splits)

    @property
    def kept(self) -> tuple[KeptPredictions, Splits]:
        """The predictions and the splits that they are of; ValueError where they are not known."""
        if self.kept_splits is None or self.kept_predictions is None:
            raise ValueError(f"predictions are not known: {self.why_no_predictions}")
        return self.kept_predictions, self.kept_splits

    @property
    def why_no_predictions(self) -> str:
        """Why a result without predictions has none."""
        if self.design.kind == "items":
            return "this result was made from outcomes of items"
        if self.design.estimated:
            return f"this result was made from {self.design.kind}"
        if self.kept_splits is None or "source" in self.provenance:
            return "this result was made from a table of scores"
        if self.fit_seeds:
            return "every split was fitted with several seeds (n_seeds)"
        return "they were not kept (RunOptions(keep_predictions=False))"

    def splits(self) -> list[tuple[Positions, Positions]]:
        """The (train, test) index arrays, ready to be given to scikit-learn as `cv`."""
        if self.kept_splits is None:
            raise ValueError("splits are not known: this result was made from a table of scores")
        return list(self.kept_splits)

    def to_cross_validate(self, estimator: str) -> dict[str, Any]:
        """One model's scores as the dict that scikit-learn's `cross_validate` returns.

        Fitted estimators and ``train_`` scores stand in it where the evaluator was asked for them. Where something
        failed it has the evaluator's `error_score`, as scikit-learn's has.

        Parameters
        ----------
        estimator : str
            Its name.

        Returns
        -------
        dict of str to ndarray or list
            One entry per split in each.
        """
        e = self.estimator_index(estimator)
        table: dict[str, Any] = {"fit_time": self.fit_times[e].copy(), "score_time": self.score_times[e].copy()}
        if estimator in self.estimators_:
            table["estimator"] = [*self.estimators_[estimator]]
        for m, metric in enumerate(self.metrics):
            shown = np.where(self.failed[e, :, m], self.error_score, self.scores[e, :, m])
            name = "score" if self.single_metric else metric
            table[f"test_{name}"] = shown
            if self.train_scores is not None:
                table[f"train_{name}"] = self.train_scores[e, :, m].copy()
        return table

    @cached_property
    def failed(self) -> BoolArray:
        """Which scores are missing because a fit or a metric failed or was not started; of the shape of `scores`."""
        found = np.zeros(self.scores.shape, dtype=bool)
        for one in self.failures:
            which = slice(None) if one.metric is None else self.metrics.index(one.metric)
            found[self._places[one.estimator], one.split, which] = True
        return found

    def score_warnings(self, metric: str, *names: str) -> Warnings:
        """What is wrong with the scores of some estimators: leaks, time order, failures, rare classes and the like."""
        found, given = list[CodedWarning](), "judged" in self.provenance or "units" in self.provenance
        for one in self._general_warnings:
            of_metrics, of_models = {*one.about}.intersection(self.metrics), {*one.about}.intersection(self.estimators)
            if (not of_metrics or metric in of_metrics) and (not of_models or of_models.intersection(names)):
                found.append(one)
        found += criterion_warnings(self.provenance, metric, names) if given else ()
        for name in names:
            found += self._warnings_of_scores[name, metric]
        return tuple(dict.fromkeys((*found, *(self.cost_warnings(metric, *names) if len(names) > 1 else ()))))

    @cached_property
    def _general_warnings(self) -> Warnings:
        """Those that stand with no model or metric of their own."""
        own = filterfalse({*self.warnings_of_parts}.__contains__, self.warnings)
        return (*own, *(time_order_warnings(self.design) if self.design.time_order else ()))

    def cost_warnings(self, metric: str, *names: str) -> Warnings:
        """That few samples carry most of the variance of the errors of one model, or of differences of several."""
        able = metric in self.metric_functions or self.read_as.get(metric) in rare_classes.OF_SQUARES
        if not names or not able or metric not in self._costs_of_samples:
            return ()
        return tuple(rare_classes.few_decide(self, self._costs_of_samples, metric, names))

    _costs_of_samples = cached_property(rare_classes.costs_of_samples)

    @cached_property
    def _warnings_of_scores(self) -> dict[tuple[str, str], Warnings]:
        """What is wrong with the scores, by estimator and metric."""
        both = [*product(self.estimators, self.metrics)]
        return dict(zip(both, map(tuple, starmap(self._find_warnings, both)), strict=True))

    @cached_property
    def warnings_of_parts(self) -> Warnings:
        """Of single metrics and models, each once: that one has no number on some splits or did not converge."""
        of_metrics, of_models = [], []
        for one in dict.fromkeys(chain.from_iterable(self._warnings_of_scores.values())):
            if one.code == Code.MISSING_SCORES.name and set(one.about) <= set(self.metrics):
                of_metrics.append(one)
            elif one.code == Code.NOT_CONVERGED.name:
                of_models.append(one)
        return (*of_metrics, *of_models)

    def _find_warnings(self, name: str, metric: str) -> Iterator[CodedWarning]:
        """Failures, and scores that are undefined or no measurements, each a sentence."""
        yield from rare_classes.rare_class_warnings(self, name, metric)
        for one in fit_health(self.provenance, name) if "health" in self.provenance else ():
            if one.weakens:
                yield Code.NOT_CONVERGED(one.told(name, "fit" if self.fit_seeds else "split"), (name,))
        about = (name, metric)
        scores = self.score(name, metric)
        n, case = self.design.n_splits, "item" if self.design.kind == "items" else "split"
        n_fitted = n if self.stopping is None else self.stopping.repeats_of(name) * self.design.n_folds
        failed = self.failed[self.estimator_index(name), :n_fitted, self.metric_index(metric)]
        missing = np.flatnonzero(~np.isfinite(scores[:n_fitted]) & ~failed)
        if self.design.kind == "runs":  # a model may have fewer of them
            missing = missing[:0]
        if n_fitted < n:
            fitted = f"{name!r} was fitted on the first {n_fitted} of {n} splits only"
            yield Code.MISSING_SCORES(f"{fitted}: run it without stop for all.", about)
        if self.ill_defined or self.task == "multilabel":
            yield from rare_classes.undefined_warnings(self, name, metric, n_fitted, missing.size)
        if failed.any():
            yield Code.MISSING_SCORES(self._told_of_failures(name, metric, np.flatnonzero(failed), n_fitted), (name,))
        if missing.size and (told := rare_classes.not_defined(self, metric, {*missing.tolist()})) is not None:
            yield told
        elif missing.size:
            lacks = f"{name!r} has no finite {metric} on {some_of(missing.size, n, case)}"
            left = f"which {agreeing(missing.size, 'is', 'are')} left out. The first is {case} {missing[0]}"
            said = f"{lacks} and is left out" if missing.size == n else f"{lacks}, {left}"
            yield Code.MISSING_SCORES(f"{said}: mend the metric, or leave it out.", about)

    def _told_of_failures(self, name: str, metric: str, where: Positions, n: int) -> str:
        """On how many of its `n` splits a model failed, one sentence for all metrics where its fits did."""
        own = [one for one in self.failures if one.estimator == name]
        fits, skipped = [one for one in own if one.metric is None], sum(not one.started for one in own)
        if skipped and len(fits) == n and not self.fit_seeds:
            return f"{given_up(own)[name]}, and it is left out. See result.failures."
        failed = f"{name!r} failed on {some_of(len(where), n, 'split')}"
        alone = "" if len(fits) == len(where) else f" by {metric}"  # it could not be scored
        if len(where) == n:
            return f"{failed} and is left out{alone and f' of comparisons{alone}'}: see result.failures."
        left = f"which {agreeing(len(where), 'is', 'are')} left out of its comparisons{alone}"
        return f"{failed}, {left}. The first is split {where[0]}: see result.failures."

    predicted_counts = cached_property(rare_classes.predicted_counts)

    def oriented(self, estimator: str, metric: str) -> FloatArray:
        """Scores of one estimator on one metric, turned so that greater is better."""
        return self.oriented_scores[self.estimator_index(estimator), :, self.metric_index(metric)]

    @cached_property
    def oriented_scores(self) -> FloatArray:
        """All scores, turned so that greater is better; of the shape of `scores`."""
        if all(self.greater_is_better):
            return self.scores
        # not np.negative(..., out=...), which numpy 2.4 gets wrong on columns that are 64 bytes apart
        oriented = self.scores * np.where(self.greater_is_better, 1.0, -1.0)
        oriented.setflags(write=False)
        return oriented

    def has_all(self, names: Sequence[str], metrics: Sequence[str]) -> bool:
        """Whether some models have all scores on some metrics, none so large that a difference would be infinite."""
        columns = list(map(self.metric_index, metrics))
        for name in names:
            has = self._complete[self.estimator_index(name)]
            if not all(map(has.__getitem__, columns)):
                return False
        return True

    @cached_property
    def _complete(self) -> list[list[bool]]:
        largest = np.maximum(self.scores.max(axis=1), -self.scores.min(axis=1))  # without a copy of all scores
        found: list[list[bool]] = (largest < _LARGE).tolist()
        return found

    def estimator_index(self, name: str) -> int:
        """The position of an estimator; ValueError where there is none of that name."""
        if not isinstance(name, str) or name not in self._places:
            check_choice(name, "estimator", self.estimators)
        return self._places[name]

    @cached_property
    def _places(self) -> dict[str, int]:
        return dict(zip(self.estimators, count(), strict=False))

    def metric_index(self, name: str) -> int:
        """The position of a metric; ValueError where there is none of that name."""
        check_choice(name, "metric", self.metrics)
        return self.metrics.index(name)
