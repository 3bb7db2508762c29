"""Questions about scores and their answers: one test, or all pairs and metrics under one error budget."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from math import isnan, nan
from typing import Any

import numpy as np

from skcompare._core.names import choose_pair, choose_pairs
from skcompare._core.numbers import counted
from skcompare._core.record import few
from skcompare._core.validation import Alternative, check_alternative, check_choice, check_null
from skcompare._core.warnings import Code, CodedWarning
from skcompare.comparison.cases import superfluous
from skcompare.comparison.evidence import EvaluationQuestions
from skcompare.comparison.fold_evidence import Question
from skcompare.comparison.joint import Rope, rope_widths
from skcompare.comparison.many_pairs import AllPairs, Alone, all_pairs, compared_together
from skcompare.comparison.measures import reads_labels
from skcompare.comparison.once import once
from skcompare.comparison.predictions import MissingEvidenceError, folds_of, sample_losses
from skcompare.comparison.spread import does_not_vary, of_sizes, without_claim
from skcompare.comparison.stopping import by_looks, check_of_looks, stopped
from skcompare.comparison.study_evidence import StudyQuestions
from skcompare.comparison.table import (
    ALPHA,
    ComparisonRow,
    ComparisonTable,
    Outcome,
    adjusted,
    metrics_by_test,
    outcome_of,
    wins_and_losses,
)
from skcompare.inference import DetectableDifference, SignedRankResult, SignTestResult, TTestResult
from skcompare.inference._forms import Procedure
from skcompare.inference._kinds import Compared, with_names
from skcompare.inference._multiplicity import CORRECTIONS, RESAMPLE, Least
from skcompare.inference._procedures import PROCEDURES
from skcompare.inference.fold_scores.detectable_difference import detectable_by, smallest_difference
from skcompare.inference.fold_scores.stability import Changes, much
from skcompare.scores.evaluation import EvaluationScores, Selected
from skcompare.scores.rare_classes import is_undefined
from skcompare.scores.study import StudyScores

# P-values of some candidates of a search, which were chosen for their scores: adjusted as if all had been compared.
#
# The ranking of the search has one error rate, for all comparisons of its candidates on the metric that decides. It
# also decides on the best against each other candidate here. The other comparisons share a second error rate, over
# all pairs of candidates on all metrics, whichever of them are looked at; and who is significantly worse than another
# one on the deciding metric is significantly worse by the ranking too.


CORRECTION = "bonferroni"


def adjusted_among(
    selected: Selected,
    models: Sequence[str],
    compared: Sequence[tuple[str, str, str]],
    pvalues: Sequence[float],
    leads: Sequence[float],
    *,
    two_sided: bool,
) -> tuple[list[float], list[float], int]:
    """Adjusted p-values and leads of rows of (metric, a, b), and over how many comparisons they are adjusted.

    Parameters
    ----------
    selected : Selected
        What is known of the search.
    models : sequence of str
        The chosen candidates.
    compared : sequence of (str, str, str)
        Metric and two models.
    pvalues, leads : sequence of float
        Of each alone, and positive where the first model is ahead; nan where it cannot be compared.
    two_sided : bool
        Whether the ranking, which is two-sided, can decide.
    """
    n = selected.n_pairs * len({metric for metric, _, _ in compared})
    found, ahead = [], []
    for (metric, a, b), p, lead in zip(compared, pvalues, leads, strict=True):
        adjusted = min(n * p, 1.0)
        if metric == selected.metric:
            places = models.index(a), models.index(b)
            ranked = [nan if one is None else one for one in (selected.pvalues[place] for place in places)]
            if any(map(isnan, ranked)):
                adjusted = nan  # the ranking leaves out who lacks a score
            elif two_sided and selected.best in places:
                first = selected.best == places[0]
                adjusted, lead = max(ranked[first], p), 1.0 if first else -1.0  # another test may have a larger p
            elif not isnan(p):
                adjusted = max(adjusted, ranked[lead > 0])
        found.append(adjusted)
        ahead.append(lead)
    return found, ahead, n


# Whether a family of comparisons could have a significant difference at all.


def least_pvalue(record: Any) -> float:
    """The smallest p-value that a test could give on what it had; 0 where there is no bound."""
    if record.warnings and any(warning.code == Code.CANNOT_REJECT.name for warning in record.warnings):
        return 1.0
    least = record._least() if hasattr(record, "_least") else None
    return 0.0 if least is None else float(least.pvalue)


def with_least(rows: Sequence[ComparisonRow], correction: str) -> list[ComparisonRow]:
    """The rows, with CANNOT_REJECT where the family keeps the smallest adjusted p-value from being significant.

    The number that it names is the first with which, in all comparisons that have fewer, it would be.
    """
    known = [i for i, row in enumerate(rows) if row.record is not None and row.pvalue == row.pvalue]
    family = [_in_family(rows[i].record) for i in known]
    if len(known) < 2 or not any(isinstance(one, Least) for one in family):
        return list(rows)

    @cache
    def with_cases(n: int, resamples: bool) -> list[float]:
        """The smallest adjusted p-values where each has so many cases, or resamples, at least."""
        return adjusted([_at(one, n, resamples) for one in family], correction)[0]

    def enough(n: int, place: int, resamples: bool) -> bool:
        return with_cases(n, resamples)[place] < ALPHA

    found = list(rows)
    for place, (i, one) in enumerate(zip(known, family, strict=True)):
        if isinstance(one, Least) and not enough(0, place, resamples=False):
            said = one.cannot(partial(enough, place=place, resamples=one.what == RESAMPLE), len(known))
            others = (warning for warning in rows[i].warnings if warning.code != said.code)
            found[i] = replace(rows[i], warnings=(*others, said))
    return found


def _in_family(record: Any) -> Least | float:
    """What a test could give on other cases, where their number sets a bound, else the smallest p-value on any."""
    least = record._least() if hasattr(record, "_least") else None
    nothing = any(one.code in (Code.NO_DISCORDANT.name, Code.NO_DIFFERENCE.name) for one in record.warnings)
    return float(nothing) if least is None else least


def _at(one: Least | float, n: int, resamples: bool) -> float:
    if not isinstance(one, Least):
        return one
    return one.pvalue if n <= one.n or resamples != (one.what == RESAMPLE) else min(1.0, one.at(n))


Scores = EvaluationScores | StudyScores
Questions = EvaluationQuestions | StudyQuestions
MOST_PAIRS = 1000  # that reports compare; of more those with the leaders


def run_procedure(
    scores: Scores,
    procedure: str = "auto",
    *,
    metric: Any = None,
    a: str | None = None,
    b: str | None = None,
    alternative: Alternative | None = None,
    null: float = 0.0,
    **options: Any,
) -> Any:
    """The record of one procedure on one question; see `EvaluationResult.test`."""
    questions, null = _questions(scores), check_null(null)
    named = questions.find(procedure, options, metric=metric, of_pair=a is not None or b is not None, null=null)
    metric = questions.metric_for(named, metric)
    a, b = _choose_models(named, a, b, scores.estimators)
    if named.takes.joint and "metrics" in options:
        raise ValueError(f"metrics must be given as metric=[...] for {named.name!r}")
    chosen = questions.choose(procedure, named, metric, a, b)
    chosen.procedure.check_options(options, {*questions.set_options(named), *chosen.options}, questions.set_by)
    if alternative is not None:
        check_alternative(alternative)
        if named.directed:
            options["alternative"] = alternative
        elif alternative != "two-sided":
            raise ValueError(f"alternative must be left out for {named.name!r}, which has none; got {alternative!r}")
    options |= {"null": null} if null else {}
    question = Question(procedure=chosen.procedure, metric=metric, a=a, b=b, options={**options, **chosen.options})
    return chosen.explain(_answer(questions, question))


@once
def compare(
    scores: Scores,
    procedure: str = "auto",
    *,
    metrics: str | Sequence[str] | None = None,
    baseline: str | None = None,
    correction: str = "holm",
    alternative: Alternative = "two-sided",
    rope: Rope = None,
    null: float | Mapping[str, float] = 0.0,
    horizon: int | None = None,
    pair: tuple[str, str] | None = None,
    models: tuple[str, ...] = (),
) -> ComparisonTable:
    """All pairs of estimators on several metrics, under one error budget; see `EvaluationResult.compare`.

    With `pair` these two models alone. With `models` the rows about these of `many_models`, adjusted over all pairs.
    """
    questions = _questions(scores)
    listed = (metrics,) if isinstance(metrics, str) else metrics if isinstance(metrics, (tuple, list)) else ()
    named = questions.find(procedure, {}, metric=next(iter(listed), None), of_pair=True)
    if named.returns != "test":
        raise ValueError(f"procedure must be a test of two models on one metric; got {procedure!r}")
    if horizon is not None and "horizon" not in named.keywords:
        raise ValueError(f"horizon must be None for {named.name!r}: 'diebold_mariano_test' has one; got {horizon!r}")
    check_alternative(alternative)
    check_choice(correction, "correction", CORRECTIONS)
    check_of_looks(scores, procedure, named.name, alternative, rope)
    names = questions.metrics_for(procedure, named, metrics)
    nulls = _nulls(scores, null, names)
    by_metric = {one: questions.find(procedure, {}, metric=one, of_pair=True, null=nulls[one]) for one in names}
    widths = rope_widths(rope, names, scores)
    pairs = _pairs_of(scores, baseline, pair, models)
    compared = [(metric, a, b) for a, b in pairs for metric in names]
    calibrated = isinstance(scores, EvaluationScores) and scores.calibration is not None
    alpha = level(scores)
    together = (
        {} if widths else compared_together(scores, by_metric, pairs, alternative, nulls, confidence_level=1 - alpha)
    )
    found = [
        together.get(one)
        or _alone(
            questions,
            procedure if calibrated else by_metric[one[0]].name,  # "auto" and the name of its choice are one question
            by_metric[one[0]],
            one,
            alternative,
            nulls[one[0]],
            widths.get(one[0]),
            horizon,
            1 - alpha,
        )
        for one in compared
    ]
    everyone = many_models(scores, procedure) if models else None
    two_sided = alternative == "two-sided"
    pvalues, leads, n_known = _adjusted(scores, compared, found, correction, two_sided=two_sided, everyone=everyone)
    rows = [
        _row(row, p, outcome_of(p, ahead, alternative, row.get("rope"), alpha=alpha, null=row["null"]), scores)
        for row, p, ahead in zip(found, pvalues, leads, strict=True)
    ]
    if selected_from(scores) is None:
        rows = with_least(rows, correction)
    else:
        correction = CORRECTION
    table = ComparisonTable(
        rows=tuple(rows),
        procedure=_named(rows, named.name),
        correction=correction,
        n_hypotheses=n_known,
        alternative=alternative,
        alpha=alpha,
        costs=tuple(name for name in names if not scores.greater_is_better[scores.metric_index(name)]),
    )
    return by_looks(table, scores)


def _adjusted(
    scores: Scores,
    compared: Sequence[tuple[str, str, str]],
    found: Sequence[Alone],
    correction: str,
    *,
    two_sided: bool,
    everyone: AllPairs | None,
) -> tuple[list[float], list[float], int]:
    """Adjusted p-values of rows of (metric, a, b), their leads, and over how many comparisons they are adjusted.

    Where these are some of many pairs, `everyone` has all of them.
    """
    alone = [row["pvalue"] for row in found]
    leads = [np.nan if row["record"] is None else lead(row["record"]) for row in found]
    selected = selected_from(scores)
    if selected is not None:
        return adjusted_among(selected, scores.estimators, compared, alone, leads, two_sided=two_sided)
    pvalues, n_known = adjusted(alone, correction) if everyone is None else everyone.of(compared)
    return pvalues, leads, n_known


def _pairs_of(
    scores: Scores, baseline: str | None, pair: tuple[str, str] | None, models: Collection[str]
) -> list[tuple[str, str]]:
    """The pairs that are asked for; of all pairs, where there are `models`, those with one of these."""
    if pair is not None:
        return [choose_pair(*pair, scores.estimators)]
    pairs = choose_pairs(baseline, scores.estimators)
    return [one for one in pairs if {*one} & {*models}] if models else pairs


@once
def many_models(scores: Scores, procedure: str = "auto") -> AllPairs | None:
    """What `compare` says of all pairs, where these are many and tested together, without their records; else None."""
    n = len(scores.estimators)
    if n * (n - 1) // 2 <= MOST_PAIRS or selected_from(scores) is not None or stopped(scores) is not None:
        return None
    questions = _questions(scores)
    named = questions.find(procedure, {}, of_pair=True)
    names = questions.metrics_for(procedure, named, None)
    by_metric = {one: questions.find(procedure, {}, metric=one, of_pair=True) for one in names}

    def single(metric: str, a: str, b: str) -> tuple[float, float]:
        record = _fresh_record(scores, by_metric[metric].name, metric, a, b, "two-sided", 0.0, None)
        return (np.nan, np.nan) if record is None else (record.pvalue, lead(record))

    return all_pairs(scores, by_metric, level(scores), single)


def _nulls(scores: Scores, null: float | Mapping[str, float], metrics: Sequence[str]) -> dict[str, float]:
    """The difference under the null hypothesis by metric, 0 for those that a mapping leaves out."""
    if isinstance(null, Mapping):
        for name in null:
            check_choice(name, "null", metrics)
        found = {name: check_null(null.get(name, 0.0), name=f"null[{name!r}]") for name in metrics}
    else:
        found = dict.fromkeys(metrics, check_null(null))
    if any(found.values()):
        for what, decides in (("candidates of a search", selected_from(scores)), ("a stopped run", stopped(scores))):
            if decides is not None:
                raise ValueError(
                    f"null must be 0 for {what}, whose own verdict is on a difference of 0; got {null!r}: ask "
                    "test(null=...) of one pair"
                )
    return found


def _questions(scores: Scores) -> Questions:
    return StudyQuestions(scores) if isinstance(scores, StudyScores) else EvaluationQuestions(scores)


def _choose_models(procedure: Procedure, a: str | None, b: str | None, estimators: tuple[str, ...]) -> tuple[str, str]:
    """The two estimators that a procedure is about; of one about a single estimator `a` and any other."""
    if procedure.takes.subject == "all models" and (a is not None or b is not None):
        given = f"which is about all estimators; got {a!r} and {b!r}"
        raise ValueError(f"a and b must be left out for {procedure.name!r}, {given}")
    if procedure.takes.subject != "one model":
        return choose_pair(a, b, estimators)
    if b is not None:
        raise ValueError(f"b must be left out for {procedure.name!r}, which is about one estimator; got {b!r}")
    if a is not None:
        check_choice(a, "a", estimators)
    a = estimators[0] if a is None else a
    return a, next(name for name in estimators if name != a)


def _answer(questions: Questions, question: Question) -> Any:
    """The record of a procedure on the evidence that it takes; what is random is drawn with the seed of the scores."""
    procedure = question.procedure
    found = procedure.takes.arguments(questions.evidence(question))
    seed = {"rng": questions.scores.seed} if "rng" in procedure.keywords else {}
    record = procedure.function(*found.positional, **{**seed, **found.options, **question.options})
    record = without_claim(record, procedure, found.positional, questions.scores)
    warnings = dict.fromkeys((*record.warnings, *found.warnings))
    done = superfluous(questions.scores)
    return with_names(record, _compared(question), warnings=tuple(one for one in warnings if one.code not in done))


def _compared(question: Question) -> Compared:
    """What the record of a question calls the models; a joint one names its metrics itself."""
    metric = question.metric if isinstance(question.metric, str) else getattr(question.metric, "__name__", "")
    return Compared(a=question.a, b=question.b, metric=metric)


def _fresh_record(
    scores: Scores, procedure: str, metric: str, a: str, b: str, alternative: str, null: float, horizon: int | None
) -> Any:
    """The record of a pair, None where the evidence for it is lacking, or a score on one test set is 0/0."""
    if _undefined(scores, metric, a, b):
        return None
    questions = _questions(scores)
    chosen = questions.choose(procedure, questions.find(procedure, {}, of_pair=True), metric, a, b)
    options = {**({"alternative": alternative} if chosen.procedure.directed else {}), **chosen.options}
    options |= ({"null": null} if null else {}) | ({} if horizon is None else {"horizon": horizon})
    question = Question(procedure=chosen.procedure, metric=metric, a=a, b=b, options=options)
    try:
        return chosen.explain(_answer(questions, question))
    except MissingEvidenceError:
        return None
    except ValueError:
        if isinstance(scores, StudyScores) or scores.design.kind != "samples":
            raise
        return None  # scores that no curve can be drawn of, a metric that is not defined on these labels


_record = once(_fresh_record)


def _alone(
    questions: Questions,
    named: str,
    procedure: Procedure,
    compared: tuple[str, str, str],
    alternative: str,
    null: float,
    rope: float | None,
    horizon: int | None,
    confidence_level: float,
) -> Alone:
    """The fields of a row that do not depend on the other rows."""
    metric, a, b = compared
    nan = float("nan")
    record = _record(questions.scores, named, *compared, alternative, null, horizon)
    paired_a, paired_b = questions.pair(metric, a, b)
    mean_a, mean_b = questions.means(procedure, record, compared, (paired_a, paired_b))
    untested = record is not None and does_not_vary(record.warnings)
    posterior = None if rope is None or untested else questions.posterior(paired_a, paired_b, rope)
    has_interval = hasattr(record, "confidence_interval") and not untested
    interval = record.confidence_interval(confidence_level) if has_interval else None
    return {
        "metric": metric,
        "a": a,
        "b": b,
        "mean_a": mean_a,
        "mean_b": mean_b,
        "estimate": nan if record is None else record.estimate,
        "low": interval.low if interval else nan,
        "high": interval.high if interval else nan,
        "pvalue": nan if record is None else record.pvalue,
        "effect_size": nan if record is None else record.effect_size,
        **wins_and_losses(paired_a, paired_b),
        "left": posterior.left if posterior else None,
        "rope": posterior.rope if posterior else None,
        "right": posterior.right if posterior else None,
        "warnings": _without_record(questions, *compared) if record is None else record.warnings,
        "procedure": "" if record is None or untested else questions.choose(named, procedure, *compared).procedure.name,
        "null": null,
        "record": record,
        "confidence_level": confidence_level,
    }


def _without_record(questions: Questions, metric: str, a: str, b: str) -> tuple[CodedWarning, ...]:
    """Why two models are not compared on a metric."""
    scores = questions.scores
    if isinstance(scores, EvaluationScores) and _undefined(scores, metric, a, b):
        return scores.score_warnings(metric, a, b)
    return questions.warnings(metric, a, b)


def _undefined(scores: Scores, metric: str, *names: str) -> bool:
    return isinstance(scores, EvaluationScores) and any(is_undefined(scores, name, metric) for name in names)


def _row(alone: Alone, pvalue_adjusted: float, outcome: Outcome, scores: Scores) -> ComparisonRow:
    winner = alone["a"] if outcome is Outcome.BETTER else alone["b"] if outcome is Outcome.WORSE else None
    row = ComparisonRow(**alone, pvalue_adjusted=pvalue_adjusted, outcome=outcome, winner=winner)
    return replace(row, outcome=of_sizes(row, scores)) if outcome is Outcome.NOT_COMPARABLE else row


def _named(rows: Sequence[ComparisonRow], default: str) -> str:
    """The test of a table in words; where it depends on the metric each with its metrics."""
    tests = metrics_by_test(rows)
    if "calibrated_t_test" in tests and default != "calibrated_t_test":
        return "calibrated_t_test"
    if len(tests) < 2:
        return next(iter(tests), default)
    return ", ".join(f"{test} ({', '.join(metrics)})" for test, metrics in tests.items())


def selected_from(scores: Scores) -> Selected | None:
    """The search that the models of an evaluation are candidates of."""
    return None if isinstance(scores, StudyScores) else scores.selected


def level(scores: Scores) -> float:
    """The error rate of all comparisons together."""
    selected = selected_from(scores)
    return ALPHA if selected is None else selected.alpha


def lead(record: Any) -> float:
    """Positive where a difference is above that of the null hypothesis; a median can be 0 where a test is not."""
    if isinstance(record, SignedRankResult):
        return float(record.rank_sum_a - record.rank_sum_b)
    return float(record.wins - record.losses) if isinstance(record, SignTestResult) else record.estimate - record.null


# The smallest differences that comparisons could have shown.


MOST_TIMES = 100  # the data: a difference that takes more cannot be told from none
POWER = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class DetectableRange:
    """The smallest and the largest detectable difference of the undecided pairs on one metric, in score units."""

    metric: str
    low: float
    high: float


def detectable_difference(
    scores: Scores,
    metric: str | None = None,
    a: str | None = None,
    b: str | None = None,
    *,
    power: float = POWER,
    alpha: float = ALPHA,
    alternative: Alternative = "two-sided",
    procedure: str = "auto",
) -> DetectableDifference:
    """The smallest true difference that a test finds; see `EvaluationResult.detectable_difference`."""
    record: Any = run_procedure(scores, procedure, metric=metric, a=a, b=b, alternative=alternative)
    if not isinstance(record, TTestResult):
        raise ValueError(f"procedure must be a test by Student's t, with a standard error; got {procedure!r}")
    return with_names(detectable_by(record, power=power, alpha=alpha), record.compared)


def detectable_ranges(comparison: ComparisonTable) -> tuple[DetectableRange, ...]:
    """Per metric the range of the detectable differences of the pairs that are not significantly different.

    At the level that the correction leaves to one difference among equal models. None where the test has no standard
    error on Student's t.
    """
    found: dict[str, list[float]] = {}
    for row in comparison:
        if row.outcome in (Outcome.UNDECIDED, Outcome.EQUIVALENT):
            if not isinstance(row.record, TTestResult):
                return ()
            detectable = smallest_difference(row.record, POWER, comparison.alpha / comparison.n_hypotheses)
            if detectable > 0:
                found.setdefault(row.metric, []).append(detectable)
    return tuple(DetectableRange(metric=metric, low=min(sizes), high=max(sizes)) for metric, sizes in found.items())


# Comparisons that other training sets would move more than their test allows for, seen in the predictions of a run.


_TEST = "corrected_t_test"  # which takes all learners for alike


def unstable_comparisons(scores: EvaluationScores, comparison: ComparisonTable) -> tuple[CodedWarning, ...]:
    """A warning of the pairs whose losses change together with the training set far more than usual.

    Empty where the design, the metrics or the predictions do not tell.
    """
    able = any(row.name == "stability_t_test" and row.fits(scores.design, {}) for row in PROCEDURES)
    if not able or scores.kept_predictions is None or scores.seed_scores is not None:
        return ()
    rows = [row for row in comparison if row.procedure == _TEST and reads_labels(scores, row.metric)]
    pairs = dict.fromkeys((row.a, row.b) for row in rows)
    changes = _changes(scores, dict.fromkeys(name for pair in pairs for name in pair))
    excess = {(a, b): changes[a].excess(changes[b]) for a, b in pairs if a in changes and b in changes}
    found = {pair: x for pair, x in excess.items() if much(x, scores.design.n_splits, len(excess))}
    if not found:
        return ()
    a, b = max(found, key=lambda pair: found[pair])
    others = f" (and {counted(len(found) - 1, 'other pair')})" if len(found) > 1 else ""
    metrics = [metric for metric in scores.metrics if any(row.metric == metric for row in rows)]
    return (
        Code.UNSTABLE_COMPARISON(
            f"on {few(metrics)} of {a} and {b}{others} a new training set changes the losses of many samples at "
            f"once ({1 + found[a, b]:.1f} times the variance of independent changes): the difference varies more from "
            f"one training set to another than {_TEST} allows for, as with trees of one split.",
            (a, b, *metrics),
        ),
    )


def _changes(scores: EvaluationScores, names: dict[str, None]) -> dict[str, Changes]:
    """How the losses of each model change from one repeat to the next, without models that lack some."""
    found = {}
    for name in names:
        try:
            losses = sample_losses(scores, name)
        except MissingEvidenceError:
            continue
        folds = folds_of(scores) + scores.design.n_folds * np.arange(len(losses))[:, None]
        found[name] = Changes.of(losses, folds)
    return found


def samples_to_settle(row: ComparisonRow, n_samples: int | None, level: float) -> int | None:
    """Samples with which the estimated difference would be found at 80% power, by the square root of their number.

    None where it cannot be known: without a standard error on Student's t, of a difference that is nothing beside it.
    """
    if n_samples is None or not isinstance(row.record, TTestResult) or not row.record.standard_error > 0:
        return None
    times = (smallest_difference(row.record, POWER, level) / row.estimate) ** 2 if row.estimate else np.inf
    return int(n_samples * times) if 1 < times <= MOST_TIMES else None
