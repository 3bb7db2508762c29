"""What all views of compared models are made of: their scores, the comparison, the answer, and what weakens it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from math import isfinite
from operator import attrgetter

from skcompare._core.numbers import briefly
from skcompare._core.record import Frozen
from skcompare._core.warnings import FEW_SPLITS, Code, CodedWarning, Warnings, few_splits
from skcompare.comparison.answer import Answer, MetricAnswer, answer, in_reports
from skcompare.comparison.cases import case_metrics
from skcompare.comparison.compare import many_models
from skcompare.comparison.dominance import DominanceRow, dominance_table
from skcompare.comparison.error_rates import ErrorRates, error_rates, fragile_warnings
from skcompare.comparison.intervals import ScoreInterval, score_intervals
from skcompare.comparison.means import MetricMeans, metric_means, rank
from skcompare.comparison.stopping import stopped
from skcompare.comparison.table import ComparisonRow, ComparisonTable, Scores
from skcompare.inference.datasets.pairwise import Ranking
from skcompare.inference.dominance.statements import MAX_METRICS
from skcompare.reporting.columns import places_for
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.measures import measured
from skcompare.scores.predictions import MissingEvidenceError
from skcompare.scores.study import StudyScores


class Findings(Frozen):
    """What views show of models that were compared on one data set or on several.

    Attributes
    ----------
    scores : EvaluationScores or StudyScores
        What was measured.
    comparison : ComparisonTable
        All pairs on all metrics; of very many models those of the leading ones.
    answer : Answer
        What can be said of the models; every view reads it.
    metrics : tuple of MetricMeans
        The models on each metric; one that was asked for first.
    warnings : tuple of CodedWarning
        Reasons to doubt the findings, each once, with where it holds.
    error_rates : ErrorRates or None
        How often the test was wrong in simulations like this run; None of a study, where it was calibrated for the run,
        and where looks decide.
    places : mapping of str to int
        By metric the decimals of all numbers on it.
    joint : tuple of DominanceRow
        Where all is shown, the verdicts on all metrics together; empty where there is one metric, or too many.
    rankings : tuple of Ranking
        Of three models or more the ranks that the comparison leaves each, on every metric of which two have scores.
    """

    scores: Scores
    comparison: ComparisonTable
    answer: Answer
    metrics: tuple[MetricMeans, ...]
    warnings: Warnings
    error_rates: ErrorRates | None = None
    places: Mapping[str, int] = field(default_factory=dict)
    joint: tuple[DominanceRow, ...] = ()
    rankings: tuple[Ranking, ...] = ()

    @property
    def models(self) -> tuple[str, ...]:
        return self.scores.estimators

    @property
    def first(self) -> MetricAnswer:
        """The answer on the metric that decides."""
        return self.answer.metrics[0]

    @property
    def ranking(self) -> Ranking | None:
        """The ranks on the metric that decides, of three models or more."""
        return next((one for one in self.rankings if one.metric == self.first.metric), None)

    @property
    def means(self) -> MetricMeans:
        """The means on the metric that decides."""
        names = [*map(attrgetter("name"), self.metrics)]
        return self.metrics[names.index(self.first.metric)]

    def own(self) -> list[ScoreInterval]:
        """The intervals of the scores of all models, metric by metric in the order of `metrics`; none of data sets."""
        if isinstance(self.scores, StudyScores):
            return []
        return [row for on in self.metrics for row in score_intervals(self.scores, on.name)]


def find(scores: Scores, *, detailed: bool = False, primary: str | None = None) -> Findings:
    """What is found of an evaluation or a study; `detailed` where all is shown."""
    comparison, means = in_reports(scores, "auto", primary), [*metric_means(scores)]
    if primary is not None:
        means.sort(key=lambda one: one.name != primary)
    said, all_pairs = answer(scores, "auto", primary), many_models(scores, "auto", primary) is None
    joint = joint_rows(scores) if detailed and all_pairs else ()
    ranked = _rankings(scores, primary, None if detailed else said.metrics[0].metric) if len(said.models) > 2 else ()
    if isinstance(scores, StudyScores):
        rates, warnings = None, _of_study(scores, comparison, joint, ranked)
    else:
        rates = error_rates(scores, comparison)
        warnings = _of_evaluation(scores, comparison, joint, rates, said)
    own = score_intervals(scores) if len(said.models) == 1 and isinstance(scores, EvaluationScores) else ()
    leaders = dict(map(attrgetter("metric", "leader"), said.metrics))
    led, places = list[ComparisonRow](), dict[str, int]()
    for row in comparison.rows:  # the rows of leaders are there however many pairs are left out
        led += [row] if leaders.get(row.metric) in (row.a, row.b) else []
    for on in means:
        places[on.name] = places_for(led or own, on.means, on.name)
    return Findings(
        scores=scores,
        places=places,
        comparison=comparison,
        answer=said,
        metrics=tuple(means),
        warnings=tuple(warnings),
        error_rates=rates,
        joint=joint,
        rankings=ranked,
    )


def joint_rows(scores: Scores, correction: str = "holm") -> tuple[DominanceRow, ...]:
    """The joint verdicts of the pairs that have several metrics; none where there are too many metrics for a test."""
    if len(scores.estimators) < 2 or not 2 <= _n_together(scores) <= MAX_METRICS:
        return ()
    if isinstance(scores, EvaluationScores) and scores.design.time_order:  # wins are no independent cases there
        return ()
    rows = dominance_table(scores, correction=correction)
    return tuple(row for row in rows if len(row.metrics) > 1 and row.established is not None)


def _n_together(scores: Scores) -> int:
    """How many metrics a pattern of wins can be about."""
    if isinstance(scores, StudyScores):
        return len(scores.metrics)
    known = {means.name for means in metric_means(scores) if any(map(isfinite, means.means))}
    return len(known.intersection(case_metrics(scores, scores.metrics)))


def _rankings(scores: Scores, primary: str | None, metric: str | None) -> tuple[Ranking, ...]:
    """The ranks on a metric, or on all of a study, of which two models have a score; after looks on theirs alone."""
    looked, of_study, found = stopped(scores), isinstance(scores, StudyScores), list[Ranking]()
    metrics = measured(scores) if of_study or metric is None else (metric,)
    for on in metrics if looked is None else (looked.metric,):
        with suppress(MissingEvidenceError):
            found.append(rank(scores, on, primary=primary, letters=of_study or len(scores.estimators) <= MOST_LETTERED))
    return tuple(found)


# ---- the warnings of all rows, each once, with where it holds ----------------------------------------------------

MAX_ALIKE = 4
_PLURAL = {"is": "are", "was": "were", "has": "have", "shows": "show"}  # of verbs behind a metric
MOST_LETTERED = 100  # models; those of more take seconds and are long


def _of_evaluation(
    run: EvaluationScores, table: ComparisonTable, joint: Sequence[DominanceRow], rates: ErrorRates | None, said: Answer
) -> list[CodedWarning]:
    found = over_pairs(located_warnings(table.rows, joint), run)
    for metric in run.metrics if len(run.estimators) == 1 else ():
        found += run.score_warnings(metric, *run.estimators)
        found += score_intervals(run)[run.metrics.index(metric)].warnings
    found = [*dict.fromkeys(found)]
    if len(run.metrics) > MAX_METRICS and _n_together(run) > MAX_METRICS:
        many = f"patterns of wins are not tested on more than {MAX_METRICS} metrics; choose some."
        found.append(Code.MANY_METRICS(many))
    found += on_few_splits(run, rates)
    return [*over_metrics(found, run.metrics), *fragile_warnings(table, said.metrics)]


def on_few_splits(result: Scores, rates: ErrorRates | None) -> Warnings:
    """That few splits, or two runs of a model, hardly tell how much scores vary: where no error rates are known."""
    if isinstance(result, StudyScores) or (rates is not None and not rates.reason):
        return ()
    design, fewest = result.design, min(result.design.n_runs, default=0)
    few = (design.kind == "folds" and design.n_splits < FEW_SPLITS) or fewest == 2
    if not few or result.calibration is not None:
        return ()
    if not fewest:
        return (few_splits(design.n_splits, design.unit),)
    return (few_splits(fewest, "run", against=max(design.n_runs) if design.apart else 0),)


def _of_study(
    study: StudyScores, comparison: ComparisonTable, joint: Sequence[DominanceRow], ranked: Sequence[Ranking]
) -> list[CodedWarning]:
    of_rows = located_warnings(comparison.rows, joint, study.warnings)
    of_rankings = [warning for ranking in ranked for warning in ranking.warnings]
    return first_of_each_kind(over_metrics(dict.fromkeys([*study.warnings, *of_rows, *of_rankings]), study.metrics))


def located_warnings(
    rows: Sequence[ComparisonRow], joint: Sequence[DominanceRow], known: Sequence[CodedWarning] = ()
) -> list[CodedWarning]:
    """The warnings of all rows that are not `known`, each once.

    Those that do not hold everywhere and name no model say where they hold. That the dominance test has too few cases
    is for who asks for it: reports say so beside each pattern.
    """
    found: dict[CodedWarning, list[str]] = {}
    several, pair = False, (rows[0].a, rows[0].b) if rows else None
    for row in rows:
        several = several or (row.a, row.b) != pair
    for row in rows:
        for warning in row.warnings:
            named = row.a in warning.about or row.b in warning.about
            where = f"{row.metric} of {row.a} and {row.b}" if several else row.metric
            found.setdefault(warning, []).extend([] if named else [where])
    together: dict[CodedWarning, list[str]] = {}
    for verdict in joint:
        for warning in verdict.warnings:
            if warning not in found and warning not in known and warning.code != Code.CANNOT_REJECT.name:
                together.setdefault(warning, []).append(f"{verdict.a} and {verdict.b}")
    located = []
    for warning, places in found.items():
        if warning not in known:
            located.append(warning.at(_few(places)) if 0 < len(places) < len(rows) else warning)
    for warning, pairs in together.items():
        which = f"{_few(pairs)} on " if len(pairs) < len(joint) else ""
        located.append(warning.at(f"{which}all metrics together"))
    return located


def over_metrics(warnings: Iterable[CodedWarning], metrics: Sequence[str]) -> list[CodedWarning]:
    """Warnings that differ only in the metric they name become one that names all of these."""
    groups: dict[tuple[str, str, str], list[tuple[str, CodedWarning]]] = {}
    for warning in warnings:
        own = {*warning.about}.intersection(metrics if not warning.where else ())
        metric = own.pop() if len(own) == 1 else ""
        form = re.sub(r"(?<![\w'])" + re.escape(metric) + r"(?![\w'])", "\0", warning.sentence) if metric else ""
        key = (warning.code, form if "\0" in form else warning.sentence, warning.where)
        groups.setdefault(key, []).append((metric, warning))
    found = []
    for (code, form, _), members in groups.items():
        one = members[0][1]
        if len(members) > 1:
            about = dict.fromkeys(name for _, member in members for name in member.about)
            said = re.sub(r"(?<=\0 )\w+", lambda verb: _PLURAL.get(verb[0], verb[0]), form)
            one = CodedWarning(code, said.replace("\0", briefly([metric for metric, _ in members])), tuple(about))
        found.append(one)
    return found


def over_pairs(warnings: Iterable[CodedWarning], scores: EvaluationScores) -> list[CodedWarning]:
    """Warnings that few dear errors decide on pairs of models become one for each metric, of all these models."""
    few, found = list[CodedWarning](), list[CodedWarning]()
    for one in warnings:
        (few if one.code == Code.WEAK_METRIC.name and len(one.about) > 2 else found).append(one)  # few: of two models
    for metric in scores.metrics if few else ():
        about = {name for one in few if metric in one.about for name in one.about}
        models = [name for name in scores.estimators if name in about]
        found += scores.cost_warnings(metric, *models) if len(models) > 1 else ()
    return found


def first_of_each_kind(warnings: Iterable[CodedWarning]) -> list[CodedWarning]:
    """The first few warnings of each kind, and how many more there are."""
    kept: list[CodedWarning] = []
    n: Counter[str] = Counter()
    for warning in warnings:
        n[warning.code] += 1
        kept += [warning] if n[warning.code] <= MAX_ALIKE else []
    more = "more like this are in the warnings of the records."
    rest = {code: f"{k - MAX_ALIKE} {more}" for code, k in n.items() if k > MAX_ALIKE}
    return [*kept, *(CodedWarning(code, said, where="elsewhere") for code, said in rest.items())]


def _few(places: Sequence[str]) -> str:
    return places[0] if len(places) == 1 else f"{places[0]}, and {len(places) - 1} more"


# ---- of many models the leading ones, whose comparisons with all others are shown in place of all pairs --------

MOST_MODELS = 30  # of which the comparisons of all pairs are shown
N_BEST = 5


def leading_models(found: Findings) -> tuple[str, ...]:
    """The leader and the best models on the first metric, the leaders on the others and the baseline.

    The first leader and the baseline where the others were not compared on all metrics; empty where all pairs are
    shown.
    """
    models, answer = found.models, found.answer
    if len(models) <= MOST_MODELS:
        return ()
    if answer.bounded:
        leading = [answer.metrics[0].leader or models[0], answer.baseline]
        return tuple(name for name in dict.fromkeys(leading) if name is not None)
    merits = {name: merit for name, merit in zip(models, found.means.merits, strict=True) if isfinite(merit)}
    best = sorted(merits, key=lambda name: -merits[name])[:N_BEST] or models[:N_BEST]
    leaders = [on.leader for on in answer.metrics[:MOST_MODELS]]
    return tuple(name for name in dict.fromkeys([leaders[0], *best, *leaders, answer.baseline]) if name is not None)


def shown_rows(found: Findings) -> tuple[ComparisonRow, ...]:
    """All comparisons, of many models those of the leading ones."""
    leading, rows = {*leading_models(found)}, found.comparison.rows
    all_shown = found.answer.bounded or not leading
    return rows if all_shown else tuple(row for row in rows if row.a in leading or row.b in leading)
