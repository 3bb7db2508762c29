"""Questions about scores and their answers: one test, or all pairs in their families."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import partial
from inspect import Parameter
from itertools import count, filterfalse
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from skcompare._core import validation
from skcompare._core.metrics import label
from skcompare._core.numbers import counted, percent_of
from skcompare._core.record import Frozen
from skcompare._core.text import name_of_test
from skcompare._core.validation import Alternative, BoolArray, Ends, FloatArray, Positions
from skcompare._core.warnings import Code
from skcompare.comparison import table as comparisons
from skcompare.comparison.cases import Rope, rope_widths
from skcompare.comparison.error_rates import choose_calibrated, with_fragile
from skcompare.comparison.pairs import MOST_PAIRS, InTime, PairQuestion, PairTests, questions_to, record_of
from skcompare.comparison.stopping import by_looks, check_of_looks, stopped
from skcompare.comparison.table import ALPHA, ComparisonRow, ComparisonTable, Outcome, Scores, adjusted
from skcompare.inference import DetectableDifference, TTestResult
from skcompare.inference._kinds import DifferenceTest, with_names
from skcompare.inference._multiplicity import CORRECTIONS, Least
from skcompare.inference._procedures import Procedure
from skcompare.inference._records import smallest_difference
from skcompare.inference.fold_scores.power import detectable_by
from skcompare.scores.evaluation import EvaluationScores, Selected, is_unsaved, once

CORRECTION = "bonferroni"  # of candidates of a search


def _adjusted_among(selected: Selected, tests: Sequence[PairTests]) -> list[FloatArray]:
    """Adjusted p-values of candidates of a search, which were chosen for their scores: as if all had been compared.

    The ranking of the search has one error rate, for all comparisons of its candidates on the metric that decides. It
    also decides on the best against each other candidate here; who is significantly worse than another one by the
    ranking is so here too.
    """
    found = []
    for one in tests:
        adjusted = np.minimum(selected.n_pairs * len(tests) * one.pvalues, 1.0)
        if one.metric == selected.metric:
            ranked = np.array([np.nan if p is None else p for p in selected.pvalues])
            of_first, of_second = ranked[one.first], ranked[one.second]
            adjusted = np.maximum(adjusted, np.where(one.leads > 0, of_second, of_first))
            if one.asked.alternative == "two-sided" and selected.best is not None:
                for i in np.flatnonzero((one.first == selected.best) | (one.second == selected.best)).tolist():
                    first = selected.best == one.first[i]
                    adjusted[i] = np.maximum(ranked[(one.second if first else one.first)[i]], one.pvalues[i])
                    one.leads[i] = 1.0 if first else -1.0  # another test may have a larger p
            adjusted[np.isnan(of_first) | np.isnan(of_second)] = np.nan  # the ranking leaves out who lacks a score
        found.append(adjusted)
    return found


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
    questions, null = questions_to(scores), validation.check_null(null)
    named = questions.find(procedure, options, metric=metric, of_pair=a is not None or b is not None, null=null)
    metric = questions.metric_for(named, metric)
    if metric in scores.metrics:
        comparisons.check_widths({**options, "null": null}, scores, metric, whole="rope" in named.keywords)
    a, b = _choose_models(named, a, b, scores.estimators)
    if named.takes.joint and "metrics" in options:
        raise ValueError(f"metrics must be given as metric=[...] for {named.name!r}")
    chosen = choose_calibrated(scores, procedure, named, metric, a, b)
    if "margin" in options and "rope" in chosen.procedure.keywords:
        # as `skcompare.inference` calls it
        options["rope"] = validation.check_number(options.pop("margin"), "margin", low=0, closed="left")
    if chosen.procedure.keywords.get("rope") is Parameter.empty and "rope" not in options:
        raise ValueError(f"margin must be given for {chosen.procedure.name!r}")
    chosen.procedure.check_options(options, {*questions.set_options(named), *chosen.options}, questions.set_by)
    if alternative is not None:
        validation.check_alternative(alternative)
        if named.directed:
            options["alternative"] = alternative
        elif alternative != "two-sided":
            raise ValueError(f"alternative must be left out for {named.name!r}, which has none; got {alternative!r}")
    options |= {"null": null} if null else {}
    record = record_of(questions, chosen, metric, a, b, options)
    plain = procedure == "auto" and not options and metric in scores.metrics and isinstance(record, DifferenceTest)
    if plain and len(scores.estimators) > 2 and stopped(scores) is None:
        among = partial(_among, scores, metric, record.compared.a, record.compared.b)
        record = replace(record, compared=replace(record.compared, among=among))
    return record


def _among(scores: Scores, metric: str, a: str, b: str) -> tuple[float, str]:
    """The adjusted p-value of a pair, and among how many comparisons, in words."""
    table = compare(scores, metrics=metric)
    [p] = [row.pvalue_adjusted for row in table if {row.a, row.b} == {a, b}]
    [family] = table.families
    n = f"the {family.n}" if family.n > 1 else "the"
    what = "pairs of this run" if family.name == comparisons.FIRST else "comparisons on the other metrics"
    return p, f"{n} {what}"


def over_families(compared: ComparisonTable) -> str:
    """How many comparisons share each error budget, in words, where some do; a single comparison shares none."""
    shared = [family for family in compared.families if family.n > 1]
    others, first_metric = " on the other metrics", label(compared.families[0].metrics[0])
    ons = {"first": f" on {first_metric}" if len(compared.families) > 1 else "", "secondary": others}
    first, *more = shared
    said = f"{counted(first.n, 'comparison')}{ons.get(first.name, '')}"
    return f"{said} and {more[0].n:,}{others}" if more else said


def held_for(compared: ComparisonTable, shown: Set[str] | None = None) -> str:
    """What the intervals hold for, on the metrics `shown`: ``95% for all 3 together``; empty where each is alone."""
    level, n, said, of = percent_of(1 - compared.alpha), "", "", list[comparisons.Family]()
    for one in compared.families:
        if one.n and (shown is None or not shown.isdisjoint(one.metrics)):
            n = "both" if one.n == 2 else f"all {one.n:,}"
            said = said or f"{level} {f'for {n} ' if one.n > 1 else ''}on {label(one.metrics[0])}"
            of.append(one)
    if len(of) == 1 and of[0].n > 1:
        whose = "of the other metrics" if shown and of[0].name == comparisons.SECONDARY else "together"
        return f"{level} for {n} {whose}"
    others = "the other one" if of and of[-1].n == 1 else f"{n} others together"
    return f"{said}, {level} for {others}" if max(map(attrgetter("n"), of), default=0) > 1 else ""


@once
def compare(
    scores: Scores,
    procedure: str = "auto",
    *,
    metrics: str | Sequence[str] | None = None,
    primary: str | None = None,
    family: str = comparisons.FIRST,
    baseline: str | None = None,
    correction: str = "holm",
    alternative: Alternative = "two-sided",
    rope: Rope = None,
    null: float | Mapping[str, float] = 0.0,
    alpha: float | None = None,
    horizon: int | None = None,
    period: int | None = None,
    pair: tuple[str, str] | None = None,
    models: tuple[tuple[str | None, ...], ...] = (),
) -> ComparisonTable:
    """All pairs of estimators on several metrics, by families; see `EvaluationResult.compare`.

    With `pair` these two models alone. With `models`, each metric followed by some, the rows about these, adjusted over
    all pairs. The family ``"asked"`` is one budget over the `metrics` alone.
    """
    questions = questions_to(scores)
    listed = (metrics,) if isinstance(metrics, str) else metrics if isinstance(metrics, (tuple, list)) else ()
    named = questions.find(procedure, {}, metric=next(iter(listed), None), of_pair=True)
    if named.returns != "test":
        raise ValueError(f"procedure must be a test of two models on one metric; got {procedure!r}")
    in_time = {name: n for name, n in (("horizon", horizon), ("period", period)) if n is not None}
    for name, value in in_time.items():
        if name not in named.keywords:
            raise ValueError(f"{name} must be None for {named.name!r}: 'diebold_mariano_test' has one; got {value!r}")
    validation.check_alternative(alternative)
    looked = stopped(scores)
    if looked is not None:
        check_of_looks(procedure, named.name, alternative, rope)
    shown = questions.metrics_for(procedure, named, metrics)
    if looked is not None and primary not in (None, looked.metric):
        says = f"primary must be {looked.metric!r} for a stopped run, which its looks decided; got {primary!r}"
        raise ValueError(says)
    judged = judged_pairs(
        scores,
        procedure,
        primary,
        correction,
        alpha,
        metrics=metrics,
        family=family,
        baseline=baseline,
        pair=pair,
        alternative=alternative,
        null=null,
        rope=rope,
        in_time=tuple(in_time.items()),
    )
    order, rows = dict(zip(shown, count(), strict=False)), {}
    of = {metric: names for metric, *names in models} if models else {}
    for one in judged:
        for (i, metric), row in one.rows(of, shown).items():
            rows[(order[metric], i) if models else (i, order[metric])] = row  # metrics keep their order
    ordered = tuple(dict(sorted(rows.items())).values())
    better = dict(zip(scores.metrics, scores.greater_is_better, strict=True))
    table = ComparisonTable(
        rows=ordered,
        procedure=named_tests(ordered, named.name),
        correction=correction if scores.selected is None else CORRECTION,
        n_hypotheses=judged[0].family.n or judged[-1].family.n,
        alternative=alternative,
        alpha=judged[0].alpha,
        costs=tuple(filterfalse(better.__getitem__, shown)),
        families=tuple(map(attrgetter("family"), judged)),
    )
    return with_fragile(scores, table if looked is None else by_looks(table, scores, looked))


class Judged(Frozen, eq=False):
    """A family of comparisons with its adjusted p-values, metric by metric.

    Attributes
    ----------
    family : Family
        What it is.
    tests : tuple of PairTests
        On each of its metrics.
    pvalues : tuple of ndarray of shape (n_pairs,)
        Adjusted over the family; nan where nothing was compared.
    correction : str
        How.
    alpha : float
        The error rate of the family.
    """

    family: comparisons.Family
    tests: tuple[PairTests, ...]
    pvalues: tuple[FloatArray, ...]
    correction: str
    alpha: float

    def rows(
        self, models: Mapping[str | None, Collection[str | None]], metrics: Collection[str]
    ) -> dict[tuple[int, str], ComparisonRow]:
        """The rows on some metrics, of all pairs or with the `models` of each, by the pair and the metric."""
        found = {}
        for tests, pvalues in zip(self.tests, self.pvalues, strict=True):
            if tests.metric not in metrics:
                continue
            shown = np.arange(len(pvalues))
            if models:
                wanted = np.array([name in models[tests.metric] for name in tests.scores.estimators])
                shown = np.flatnonzero(wanted[tests.first] | wanted[tests.second])
            known = np.stack([pvalues[shown], tests.leads[shown]], axis=1).tolist()
            found_of = tests.found(shown, self.family.level)
            widest = comparisons.widest_difference(tests.scores, tests.metric)
            for i, (p, ahead), (alone, ends) in zip(shown.tolist(), known, found_of, strict=True):
                found[i, tests.metric] = self._row(tests, alone, p, ahead, ends, widest)
        if self.tests[0].scores.selected is None:
            least = partial(self._least_of_others, {*found})
            settled = comparisons.with_least([*found.values()], self.correction, self.alpha, self.family.n, least)
            found = dict(zip(found, settled, strict=True))
        return found

    def _least_of_others(self, shown: Collection[tuple[int, str]]) -> Iterator[Least | float]:
        """The smallest p-values that the pairs without rows could have had."""
        for tests in self.tests:
            for i in np.flatnonzero(~np.isnan(tests.pvalues)).tolist():
                if (i, tests.metric) not in shown:
                    yield tests.least(i)
            if is_unsaved(tests.scores, tests.metric):
                yield from np.ones(np.isnan(tests.pvalues).sum()).tolist()

    def _row(
        self, tests: PairTests, alone: validation.Options, p: float, lead: float, ends: Ends, widest: float
    ) -> ComparisonRow:
        asked = tests.asked
        settled = comparisons.decided(
            (alone["a"], alone["b"]),
            p,
            lead,
            ends,
            self.family.level,
            alpha=self.alpha,
            alternative=asked.alternative,
            null=asked.null,
            widest=widest,
        )
        low, high = settled["low"], settled["high"]
        varies = not comparisons.does_not_vary(alone["warnings"])
        if settled["outcome"] is Outcome.UNDECIDED and asked.rope is not None and varies:
            inside = -asked.rope < low and high < asked.rope if low == low else alone.get("rope", 0.0) > 1 - self.alpha
            settled["outcome"] = Outcome.EQUIVALENT if inside else Outcome.UNDECIDED
        if settled["outcome"] is Outcome.NOT_COMPARABLE:
            settled["outcome"] = comparisons.of_sizes(tests.scores, tests.metric, alone)
        return ComparisonRow(**alone, **settled)


class Standing(NamedTuple):
    """Which models were compared on a metric, and which (rows) are significantly better than which (columns)."""

    compared: BoolArray
    better: BoolArray


@once
def standing(scores: Scores, judged: tuple[Judged, ...], metric: str) -> Standing:
    """How the models stand by all comparisons on a metric."""
    tests, p, alpha = on_metric(judged, metric)
    n, known = len(scores.estimators), ~np.isnan(p)
    found = Standing(compared=np.zeros(n, dtype=bool), better=np.zeros((n, n), dtype=bool))
    found.compared[tests.first[known]] = found.compared[tests.second[known]] = True
    ahead, decides = tests.leads > 0, p < alpha
    won, lost = decides & ahead, decides & ~ahead
    found.better[tests.first[won], tests.second[won]] = True
    found.better[tests.second[lost], tests.first[lost]] = True
    return found


def standing_of(rows: Sequence[ComparisonRow], models: Sequence[str]) -> Standing:
    """How the models stand by some comparisons on a metric."""
    n, place = len(models), models.index
    found = Standing(compared=np.zeros(n, dtype=bool), better=np.zeros((n, n), dtype=bool))
    for row in rows:
        if row.outcome is not Outcome.NOT_COMPARABLE:
            found.compared[[place(row.a), place(row.b)]] = True
        if row.winner is not None:
            found.better[place(row.winner), place(row.b if row.winner == row.a else row.a)] = True
    return found


def all_open(judged: Sequence[Judged], metric: str, models: Collection[str | None]) -> bool:
    """Whether any two of some models are compared on a metric, and not significantly different."""
    tests, p, alpha = on_metric(judged, metric)
    among = np.array([name in models for name in tests.scores.estimators])
    return bool((p[among[tests.first] & among[tests.second]] >= alpha).all())


def on_metric(judged: Sequence[Judged], metric: str) -> tuple[PairTests, FloatArray, float]:
    """The tests on a metric, their p-values in its family, and the error rate of the family."""
    one = next(one for one in judged if metric in one.family.metrics)
    place = one.family.metrics.index(metric)
    return one.tests[place], one.pvalues[place], one.alpha


def deciding(scores: Scores) -> str:
    """The metric that a search or looks decide on; of others the first, but for numbers that were given by model."""
    if (decides := scores.selected or stopped(scores)) is not None:
        return decides.metric
    judged = scores.provenance.get("judged", ())
    return next(filterfalse(judged.__contains__, scores.metrics), scores.metrics[0])


def _pairs_of(scores: Scores, baseline: str | None, pair: tuple[str, str] | None) -> Positions:
    """The positions of the pairs that are asked for, of shape (n_pairs, 2)."""
    if pair is None and baseline is None:
        return np.stack(np.triu_indices(len(scores.estimators), 1), axis=1)
    names = scores.estimators
    pairs = validation.choose_pairs(baseline, names) if pair is None else [validation.choose_pair(*pair, names)]
    return np.array([[names.index(a), names.index(b)] for a, b in pairs])


@once
def judged_pairs(
    scores: Scores,
    procedure: str = "auto",
    primary: str | None = None,
    correction: str = "holm",
    alpha: float | None = None,
    *,
    metrics: str | Sequence[str] | None = None,
    family: str = comparisons.FIRST,
    baseline: str | None = None,
    pair: tuple[str, str] | None = None,
    alternative: str = "two-sided",
    null: float | Mapping[str, float] = 0.0,
    rope: Rope = None,
    in_time: InTime = (),
) -> tuple[Judged, ...]:
    """What `compare` says, without rows: the families that have one of the `metrics`, the first one first."""
    validation.check_choice(correction, "correction", (*CORRECTIONS, "none"))
    questions, error = questions_to(scores), level(scores, alpha)
    named = questions.find(procedure, {}, of_pair=True)
    of = questions.metrics_for(procedure, named, metrics)
    names = of if family == comparisons.ASKED else questions.metrics_for(procedure, named, None)
    nulls = {} if isinstance(null, float) and null == 0 else _nulls(scores, null, names)
    widths, asked = {} if rope is None else rope_widths(rope, names, scores, posterior=True), dict[str, PairQuestion]()
    calibrated = isinstance(scores, EvaluationScores) and scores.calibration is not None
    for metric in names:
        of_null = nulls.get(metric, 0.0)
        row = questions.find(procedure, {}, metric=metric, of_pair=True, null=of_null)
        asked[metric] = PairQuestion(
            named=procedure if calibrated else row.name,  # "auto" and the name of its choice are one question
            procedure=row,
            alternative=alternative,
            null=of_null,
            rope=widths.get(metric),
            in_time=in_time,
        )
    pairs, selected, found = _pairs_of(scores, baseline, pair), scores.selected, list[Judged]()
    first, how = deciding(scores), correction if selected is None else CORRECTION
    first = (first if first in asked else names[0]) if primary is None else primary
    for name, within in comparisons.families_of(names, first, family).items():
        if not {*within} & {*of}:
            continue
        by = correction if selected is None else "none"
        tests = tuple(PairTests.of(scores, one, asked[one], pairs, correction=by) for one in within)
        if selected is None:
            unsaved = [[is_unsaved(scores, one)] for one in within] if "unsaved" in scores.provenance else False
            known, n = adjusted([*map(attrgetter("pvalues"), tests)], correction, unsaved)
            pvalues = [*known]
        else:
            pvalues, n = _adjusted_among(selected, tests), selected.n_pairs * len(tests)
        of_family = comparisons.Family(name=name, metrics=within, n=n, level=comparisons.level_within(n, error, how))
        found.append(Judged(family=of_family, tests=tests, pvalues=tuple(pvalues), correction=how, alpha=error))
    return tuple(found)


@once
def many_models(scores: Scores, procedure: str = "auto", primary: str | None = None) -> tuple[Judged, ...] | None:
    """What `compare` says of all pairs, where these are many, without rows; else None."""
    n = len(scores.estimators)
    if n * (n - 1) // 2 <= MOST_PAIRS or scores.selected is not None or stopped(scores) is not None:
        return None
    if any(comparisons.is_size(scores, metric) for metric in scores.metrics):  # outcomes without p-values
        return None
    return judged_pairs(scores, procedure, primary)


def _nulls(scores: Scores, null: float | Mapping[str, float], metrics: Sequence[str]) -> dict[str, float]:
    """The difference under the null hypothesis by metric, 0 for those that a mapping leaves out."""
    by_metric = null if isinstance(null, Mapping) else dict.fromkeys(metrics, null)
    called = "null[{!r}]" if by_metric is null else "null"
    for name in by_metric:
        validation.check_choice(name, "null", metrics)
    found = {name: validation.check_null(by_metric.get(name, 0.0), name=called.format(name)) for name in metrics}
    if any(found.values()):
        for what, decides in (("candidates of a search", scores.selected), ("a stopped run", stopped(scores))):
            if decides is not None:
                raise ValueError(
                    f"null must be 0 for {what}, whose own verdict is on a difference of 0; got {null!r}: ask "
                    "test(null=...) of one pair"
                )
    return {name: comparisons.check_width(width, called.format(name), scores, name) for name, width in found.items()}


def _choose_models(procedure: Procedure, a: str | None, b: str | None, estimators: tuple[str, ...]) -> tuple[str, str]:
    """The two estimators that a procedure is about; of one about a single estimator `a` and any other."""
    if procedure.takes.subject == "all models" and (a is not None or b is not None):
        given = f"which is about all estimators; got {a!r} and {b!r}"
        raise ValueError(f"a and b must be left out for {procedure.name!r}, {given}")
    if procedure.takes.subject != "one model":
        return validation.choose_pair(a, b, estimators)
    if b is not None:
        raise ValueError(f"b must be left out for {procedure.name!r}, which is about one estimator; got {b!r}")
    if a is not None:
        validation.check_choice(a, "a", estimators)
    a = estimators[0] if a is None else a
    return a, next((name for name in estimators if name != a), a)


JACKKNIFE = "jackknife_z_test"  # what stands for exchanges of average precision on many samples


def metrics_by_test(rows: Sequence[ComparisonRow], *, made: bool = False) -> dict[str, tuple[str, ...]]:
    """The procedures of some rows by name, or the tests `made` by them, each with its metrics; of rows with a test."""
    found: dict[str, tuple[str, ...]] = {}
    for row in rows:
        name = JACKKNIFE if made and row.procedure and getattr(row.record, "normal", False) else row.procedure
        if name and row.metric not in found.get(name, ()):
            found[name] = (*found.get(name, ()), row.metric)
    return found


def named_tests(rows: Sequence[ComparisonRow], default: str, *, in_words: bool = False) -> str:
    """The test of a table, or in words the one that was made; where it depends on the metric each with its metrics."""
    tests = metrics_by_test(rows, made=in_words)
    test: Callable[[str], str] = name_of_test if in_words else str
    metric: Callable[[str], str] = label if in_words else str
    if "calibrated_t_test" in tests:
        return test("calibrated_t_test")
    if len(tests) < 2:
        return test(next(iter(tests), default))
    return ", ".join(f"{test(name)} ({', '.join(map(metric, metrics))})" for name, metrics in tests.items())


def level(scores: Scores, given: float | None = None) -> float:
    """The error rate of a family of comparisons; ValueError where a search or looks have another one than `given`."""
    if given is None:
        return ALPHA if scores.selected is None else scores.selected.alpha
    given = validation.check_number(given, "alpha", low=0, high=1, closed="neither")
    for what, decides in (("candidates of a search", scores.selected), ("a stopped run", stopped(scores))):
        if decides is not None and given != decides.alpha:
            raise ValueError(f"alpha must be {decides.alpha:g} for {what}, whose own it is; got {given:g}")
    return given


# The smallest differences that comparisons could have shown.


MOST_TIMES = 100  # the data: a difference that takes more cannot be told from none
POWER = 0.8


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
    """The smallest true difference that a test finds; see `skcompare.planning.detectable_difference`."""
    record: Any = run_procedure(scores, procedure, metric=metric, a=a, b=b, alternative=alternative)
    if not isinstance(record, TTestResult):
        came = record.method if procedure == "auto" else procedure
        raise ValueError(f"procedure must be a test by Student's t, with a standard error; got {came!r}")
    return with_names(detectable_by(record, power=power, alpha=alpha), record.compared)


def detectable_ranges(comparison: ComparisonTable) -> dict[str, Ends]:
    """By metric the least and the largest of the detectable differences of the pairs that are not decided.

    At the level that the correction leaves to one difference among equal models. None where the test has no standard
    error on Student's t.
    """
    alike: dict[str, dict[tuple[float, str], list[TTestResult]]] = {}
    for row in comparison:
        if row.outcome in (Outcome.UNDECIDED, Outcome.EQUIVALENT):
            if not isinstance(row.record, TTestResult):
                return {}
            known = row.record.standard_error > 0 and not np.isnan(row.record.df)
            if known and not comparisons.has_code(row.record.warnings, Code.TIME_ORDER):  # whose error is too small
                same = alike.setdefault(row.metric, {})
                same.setdefault((1 - row.confidence_level, row.record.alternative), []).append(row.record)
    sizes = {
        metric: [smallest_difference(one, POWER, level) for (level, _), of in same.items() for one in _extreme(of)]
        for metric, same in alike.items()
    }
    return {metric: (min(found), max(found)) for metric, found in sizes.items()}


def _extreme(records: list[TTestResult]) -> Iterator[TTestResult]:
    """Those of some tests that may need the smallest or the largest difference.

    One with a larger standard error on no more degrees of freedom needs more; thousands of tests have few others.
    """
    for sign in (1, -1):
        most = -np.inf
        for record in sorted(records, key=lambda one: (sign * one.df, -sign * one.standard_error)):
            if sign * record.standard_error > most:
                most = sign * record.standard_error
                yield record


def samples_to_settle(row: ComparisonRow, n_samples: int | None, level: float) -> int | None:
    """Samples, or groups, that would show the estimated difference at 80% power, by the square root of their number.

    None where it cannot be known: without a standard error on Student's t, with one that the record says is too small,
    of a difference that is nothing beside it.
    """
    if n_samples is None or not isinstance(row.record, TTestResult) or not row.record.standard_error > 0:
        return None
    if comparisons.has_code(row.record.warnings, Code.TIME_ORDER):
        return None
    times = (smallest_difference(row.record, POWER, level) / row.estimate) ** 2 if row.estimate else np.inf
    return int(n_samples * times) if 1 < times <= MOST_TIMES else None
