"""Choice: which candidate a rule chose, why and at what price; and what all refit rules share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import field, fields, replace
from math import isclose
from typing import Any, ClassVar

import numpy as np

from skcompare._core.design import repeated_folds
from skcompare._core.numbers import counted, percent_of
from skcompare._core.record import Frozen, Record, few, picked
from skcompare._core.text import one_line
from skcompare._core.validation import BoolArray, FloatArray, Hypothesis, Positions, check_choice, check_number
from skcompare._core.warnings import Code, Warnings
from skcompare.evaluation.cv_results import read_cv_results
from skcompare.inference._records import ROUNDING, Correction, corrected_t, paired_differences
from skcompare.results import EvaluationResult
from skcompare.scores.stopping import Stopping

# The candidates that a refit rule chooses from: of a fitted search, or of an evaluation.


# Test sets of one run differ in size by a sample, and a fraction that is given may be rounded.
_NEAR = 0.02


class Candidates(Frozen):
    """What a rule may know of the candidates.

    Attributes
    ----------
    names : tuple of str
        In words.
    params : tuple of mapping
        Their parameters.
    positions : tuple of int
        Where they stand in ``cv_results_``, or among the estimators.
    subjects : tuple of object
        What a callable complexity is called with: the parameters, or the estimator.
    columns : dict of str to ndarray of shape (n_candidates,)
        Numbers that are known of every candidate, such as the mean time of a fit.
    metrics : tuple of str
        What they were scored by.
    greater_is_better : tuple of bool
        Direction of each metric.
    scores : ndarray of shape (n_candidates, n_splits, n_metrics)
        Turned so that greater is better; nan where there is none.
    correction : Correction or None
        Of the variance over the splits; None where the splits are not known.
    ordered_metrics : bool
        Whether the first metric decides where none is named.
    warnings : tuple of CodedWarning
        Reasons to doubt any choice among them.
    stopping : Stopping or None
        How the evaluation was ended early.
    """

    names: tuple[str, ...]
    params: tuple[Mapping[str, Any], ...]
    positions: tuple[int, ...]
    subjects: tuple[Any, ...]
    columns: Mapping[str, FloatArray]
    metrics: tuple[str, ...]
    greater_is_better: tuple[bool, ...]
    scores: FloatArray
    correction: Correction | None = None
    ordered_metrics: bool = False
    warnings: Warnings = ()
    stopping: Stopping | None = None

    def metric(self, metric: str | None) -> tuple[int, str]:
        """Position of a metric, and a sentence where its name was assumed."""
        if metric is None and (self.ordered_metrics or len(self.metrics) == 1):
            return 0, ""
        if self.metrics == ("score",) and metric is not None:
            return 0, "" if metric == "score" else f" The only metric there, 'score', is taken for {metric!r}."
        check_choice(metric, "metric", self.metrics)
        return self.metrics.index(str(metric)), ""

    def found_worse(self, metrics: Sequence[int]) -> tuple[str, ...]:
        """The models that a stopped evaluation found worse, or unlikely, on the metric that decides here."""
        if self.stopping is None or [self.metrics[m] for m in metrics] != [self.stopping.metric]:
            return ()
        return tuple({**self.stopping.worse, **self.stopping.unlikely})

    def scored(self, metrics: tuple[int, ...]) -> Scored:
        """The candidates that have all scores of some metrics; ValueError where none has."""
        scores = self.scores[:, :, list(metrics)]
        there = np.asarray(np.isfinite(scores).all(axis=2))
        worse = self.found_worse(metrics)
        left = np.array([name not in worse for name in self.names])
        used = there[left].any(axis=0)
        complete = left & there[:, used].all(axis=1) & used.any()
        names = ", ".join(self.metrics[m] for m in metrics)
        if not complete.any():
            raise ValueError(f"the candidates must have one with {names} on every split that has any; got none")
        warnings = []
        if not used.all():
            what = f"left out: {np.sum(~used)} of {counted(used.size, 'split')} without {names}."
            warnings.append(Code.MISSING_SCORES(what))
        if lacking := [self.names[i] for i in np.flatnonzero(left & ~complete)]:
            what = f"left out: {len(lacking)} of {counted(int(left.sum()), 'candidate')} without a score on some split"
            warnings.append(Code.MISSING_SCORES(f"{what}; the first: {lacking[0]}.", about=lacking))
        places, kept = np.flatnonzero(complete), scores[complete][:, used]
        return Scored(candidates=self, metrics=metrics, places=places, scores=kept, warnings=tuple(warnings))


class Scored(Frozen, eq=False):
    """The candidates that a rule can choose from.

    Attributes
    ----------
    candidates : Candidates
        All candidates.
    metrics : tuple of int
        Positions of the metrics that decide.
    places : ndarray of shape (n_scored,)
        Which candidates have all their scores.
    scores : ndarray of shape (n_scored, n_splits, n_metrics)
        These scores, greater is better.
    warnings : tuple of CodedWarning
        What is left out.
    """

    candidates: Candidates
    metrics: tuple[int, ...]
    places: Positions
    scores: FloatArray
    warnings: Warnings

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the candidates that have all scores."""
        return tuple(self.candidates.names[i] for i in self.places)

    @property
    def values(self) -> FloatArray:
        """Scores on the first of the metrics."""
        return self.scores[:, :, 0]

    @property
    def best(self) -> int:
        """Position among these of the one with the best mean."""
        return int(self.values.mean(axis=1).argmax())


def of_search(cv_results: Any) -> Candidates:
    """The candidates of a fitted search, from its ``cv_results_``."""
    if not hasattr(cv_results, "keys") or not hasattr(cv_results, "__getitem__"):
        raise ValueError(f"cv_results must be the cv_results_ of a fitted search; got {one_line(repr(cv_results)):.80}")
    columns = {name: cv_results[name] for name in cv_results.keys()}  # noqa: SIM118 - of a frame too
    table = read_cv_results(columns)
    return Candidates(
        **picked(table, "names", "params", "scores", "warnings"),
        positions=tuple(table.index.tolist()),
        subjects=table.params,
        columns={
            key: np.asarray(column, dtype=np.float64)[table.index]
            for key, column in columns.items()
            if getattr(getattr(column, "dtype", None), "kind", "O") in "fiu" and not np.ma.isMaskedArray(column)
        },
        metrics=tuple(table.keys),
        greater_is_better=(True,) * len(table.keys),
    )


def of_result(result: EvaluationResult, estimators: Mapping[str, Any]) -> Candidates:
    """The estimators of an evaluation; one that failed on a split has no scores."""
    scores = result.scores.copy()
    for failure in result.failures:
        if failure.metric is None:
            scores[result.estimators.index(failure.estimator)] = np.nan
    known = {"fit_time": result._scores.fit_times, "score_time": result._scores.score_times}
    known |= {metric: result.scores[:, :, m] for m, metric in enumerate(result.metrics)}
    return replace(
        before_scores(estimators, result.metrics, result.design.n_splits),
        columns={name: values.mean(axis=1) for name, values in known.items()},
        greater_is_better=result.greater_is_better,
        scores=scores * np.where(result.greater_is_better, 1.0, -1.0),
        correction=Correction.of(result.design),
        warnings=result.warnings,
        stopping=result._scores.stopping,
    )


def before_scores(estimators: Mapping[str, Any], metrics: Sequence[str], n_splits: int) -> Candidates:
    """Estimators before they are compared, with 0 for every number, so that a rule can refuse them early."""
    return Candidates(
        names=tuple(estimators),
        params=tuple(estimator.get_params() for estimator in estimators.values()),
        positions=tuple(range(len(estimators))),
        subjects=tuple(estimators.values()),
        columns={name: np.zeros(len(estimators)) for name in ("fit_time", "score_time", *metrics)},
        metrics=tuple(metrics),
        greater_is_better=(True,) * len(metrics),
        scores=np.zeros((len(estimators), n_splits, len(metrics))),
        correction=Correction(test_fraction=0.5),
        ordered_metrics=True,
    )


def correction_of(candidates: Candidates, given: float | None) -> tuple[Correction, Warnings]:
    """The correction, and a warning where it is a guess from the number of splits.

    As many splits as make the test fraction that of k-fold are taken for one run of it.
    """
    known = candidates.correction
    if known is not None:
        if given is not None:
            says = "test_fraction must be None for a ComparisonSelector, whose splits tell it"
            raise ValueError(f"{says}; got {given:.4g}")
        return known, ()
    n_splits = candidates.scores.shape[1]
    warnings: Warnings = ()
    if given is None:
        n_folds = n_splits if n_splits <= 10 else next((k for k in (10, 5) if n_splits % k == 0), 0)
        if not n_folds:
            raise ValueError(
                f"test_fraction must be given, test size over train plus test size: {n_splits} splits are no repeated "
                f"10-fold or 5-fold cross-validation"
            )
        repeated = "" if n_folds == n_splits else f" repeated {n_splits // n_folds} times"
        taken = f"{n_folds}-fold cross-validation{repeated}, test fraction {1 / n_folds:.3g}"
        given = 1 / n_folds
        warnings = (Code.ASSUMED(f"the {n_splits} splits are taken for {taken}; if they are not, give test_fraction."),)
    folds = n_splits if isclose(n_splits * given, 1, rel_tol=_NEAR) else 1
    return Correction.of(repeated_folds(n_splits // folds, folds, given, partition=folds > 1)), warnings


INTERVAL = 0.95


class Choice(Record):
    """Which candidate of a search, or estimator of an evaluation, a rule chose.

    Attributes
    ----------
    name : str
        The chosen one: its parameters in words, or the estimator's name.
    index : int
        Its position in ``cv_results_``, or among the estimators.
    params : mapping of str to object
        Its parameters.
    best_name, best_index, best_params : str, int, mapping
        The same of the one with the best mean score.
    metric : str
        What decides, and what `difference` is about; the first of several.
    difference : float
        Mean score of the chosen less that of the best, in score units: at most 0, but at least 0 of a cost, of which
        less is better.
    low, high : float or None
        95% interval of that difference, of these two alone, by the default t test of the splits; both 0 where the best
        is chosen, None where the rule does without the test fraction and it is not known. Of a rule that allows for all
        comparisons with the best it does so too.
    candidates : tuple of int
        Positions of those that the chosen one was taken from.
    rule : str
        The rule, as it was made.
    reason : str
        Why, in sentences.
    warnings : tuple of str
        Reasons to doubt the choice, each a code, a colon and a sentence.
    """

    name: str
    index: int
    params: Mapping[str, Any] = field(compare=False)  # estimators in it equal no copy of themselves
    best_name: str
    best_index: int
    best_params: Mapping[str, Any] = field(compare=False)
    metric: str
    difference: float
    low: float | None
    high: float | None
    candidates: tuple[int, ...]
    rule: str
    reason: str
    warnings: Warnings = ()

    def _sentence(self) -> str:
        return f"Use {self.name}. {self.reason}"


class Decision(Frozen, eq=False):
    """What a rule found, before its `Choice` is made.

    Attributes
    ----------
    index : int
        Which of the scored candidates is chosen.
    kept : ndarray of bool of shape (n_scored,)
        Those that it was taken from.
    reason : str
        Why.
    correction : Correction or None
        Of the variance over the splits; None where it is not known.
    margin : float or None
        Largest loss that does not matter, in score units.
    warnings : tuple of CodedWarning
        Reasons to doubt it.
    joint : bool
        Whether the rule keeps what is not significantly different from the best, all comparisons allowed for.
    """

    index: int
    kept: BoolArray
    reason: str
    correction: Correction | None
    margin: float | None = None
    warnings: Warnings = ()
    joint: bool = False


class Rule(Frozen, repr=False, slots=False):
    """A callable for ``GridSearchCV(refit=...)``; two with the same settings are equal.

    Attributes
    ----------
    choice_ : Choice
        What the last call chose; not there before it, nor in what `sklearn.base.clone` makes.
    """

    _made_by: ClassVar[str]  # the function that makes such a rule
    choice_: Choice = field(init=False, compare=False)

    def __call__(self, cv_results: Mapping[str, Any]) -> int:
        """Position of the chosen candidate in the ``cv_results_`` of a search."""
        choice = self.choose(of_search(cv_results))
        object.__setattr__(self, "choice_", choice)  # the settings stay frozen
        return choice.index

    def choose(self, candidates: Candidates) -> Choice:
        """The choice among candidates of a search or an evaluation."""
        scored = candidates.scored(self.deciding(candidates))
        if len(scored.places) > 1 or not candidates.found_worse(scored.metrics):
            return _told(repr(self), scored, self.decide(scored))
        # An evaluation that was ended early left one to choose, which takes no rule.
        reason = f"{scored.names[0]} is the only one left."
        only = Decision(index=0, kept=np.array([True]), reason=reason, correction=None)
        allowed_for = tuple(warning for warning in candidates.warnings if warning.code != Code.STOPPED.name)
        return _told(repr(self), replace(scored, candidates=replace(candidates, warnings=allowed_for)), only)

    @abstractmethod
    def asked(self) -> tuple[str, ...]:
        """The names of the metrics that the rule asks for; none where it takes the first."""

    def deciding(self, candidates: Candidates) -> tuple[int, ...]:
        """Positions of the metrics that decide."""
        columns = tuple(candidates.metric(metric)[0] for metric in self.asked() or (None,))
        if len(set(columns)) < len(columns):
            asked, known = (", ".join(map(repr, names)) for names in (self.asked(), candidates.metrics))
            raise ValueError(f"metrics must be scored by the search or the evaluator, {asked}; it has only {known}")
        return columns

    @abstractmethod
    def decide(self, scored: Scored) -> Decision:
        """Choose among the candidates that have all scores by these metrics."""

    def __sklearn_clone__(self) -> Rule:
        return replace(self)

    def __repr__(self) -> str:
        settings = [f"{f.name}={getattr(self, f.name)!r}" for f in fields(self) if f.init]
        return one_line(f"{self._made_by}({', '.join(settings)})")


def check_fraction(test_fraction: Any) -> float | None:
    return None if test_fraction is None else check_number(test_fraction, "test_fraction", low=0, high=1, closed="left")


def _told(rule: str, scored: Scored, decision: Decision) -> Choice:
    """The `Choice` that a decision makes, with its difference to the best."""
    candidates, name = scored.candidates, scored.candidates.metrics[scored.metrics[0]]
    chosen, best = int(scored.places[decision.index]), int(scored.places[scored.best])
    greater = candidates.greater_is_better[scored.metrics[0]]
    values = scored.values if greater else -scored.values  # as the metric is reported
    of_chosen, of_best = values[decision.index], values[scored.best]
    mean, mean_of_best = of_chosen.mean(), of_best.mean()
    difference = float(mean - mean_of_best)
    if abs(difference) <= ROUNDING * float(np.abs(values).max()):
        difference = 0.0
    low, high, level, n = None, None, percent_of(INTERVAL), len(values) - 1 if decision.joint else 1
    price = f"It has the best mean {name}, {mean:.4g}."
    if chosen == best:
        low, high = 0.0, 0.0
    else:
        interval = ""
        if decision.correction is not None:  # by the default t test
            pair = paired_differences(of_chosen, of_best)
            test = corrected_t(pair, decision.correction, Hypothesis("two-sided", 0.0))
            ends = test.confidence_interval(1 - (1 - INTERVAL) / n)
            null = [0.0] * decision.joint  # is held where the rule calls the two not different
            low, high = min([ends.low, *null]), max([ends.high, *null])
            interval = f", {level} interval{f' for all {n} comparisons' if n > 1 else ''} [{low:+.3g}, {high:+.3g}]"
        price = (
            f"Its mean {name} is {mean:.4g}, that of the best, {candidates.names[best]}, {mean_of_best:.4g}: "
            f"a difference of {f'{difference:+.3g}' if difference else '0'}{interval}."
        )
    warnings = [*scored.warnings, *decision.warnings]
    loss = None if low is None or high is None else -low if greater else high
    if loss is not None and decision.margin is not None and loss > decision.margin:
        worse = f"it may be worse than the best by up to {loss:.3g} ({level} interval)"
        warnings.append(Code.UNDECIDED(f"{worse}, beyond the margin of {decision.margin:g}."))
    so_far, stopping = "", candidates.stopping
    if stopping is not None:  # what an evaluation that was ended early found before the rule was asked
        found = candidates.found_worse(scored.metrics)
        how = "found worse or unlikely" if stopping.unlikely else "found worse"
        left_out = f"; {how} and left out: {few(found)}" if found else ""
        so_far = f"After {stopping.n_repeats} of {stopping.max_repeats} repeats: {stopping.verdict}{left_out}. "
    return Choice(
        name=candidates.names[chosen],
        index=candidates.positions[chosen],
        params=candidates.params[chosen],
        best_name=candidates.names[best],
        best_index=candidates.positions[best],
        best_params=candidates.params[best],
        metric=name,
        difference=difference,
        low=low,
        high=high,
        candidates=tuple(candidates.positions[i] for i in scored.places[decision.kept]),
        rule=rule,
        reason=f"{so_far}{decision.reason} {price}",
        warnings=(*warnings, *candidates.warnings),
    )
