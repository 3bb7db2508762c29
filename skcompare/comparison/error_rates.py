"""How often tests are wrong: what simulations say of a comparison, which claims are fragile, and calibrated tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from itertools import chain, filterfalse
from math import inf
from operator import attrgetter
from typing import Any

import numpy as np

from skcompare._core.design import ESTIMATED, Design
from skcompare._core.metrics import label
from skcompare._core.numbers import agreeing, counted, listed, percent
from skcompare._core.record import Frozen
from skcompare._core.warnings import Code, CodedWarning, Warnings
from skcompare.comparison.stopping import stopped
from skcompare.comparison.table import ALPHA, ComparisonRow, ComparisonTable, Scores
from skcompare.inference import DieboldMarianoResult, _rates
from skcompare.inference._distributions import t_quantile, t_tail
from skcompare.inference._procedures import Procedure, find_procedure
from skcompare.inference._rates import Known, PredictedRate
from skcompare.inference._records import Correction
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.measures import measure
from skcompare.scores.predictions import positive_and_unstable
from skcompare.scores.study import StudyScores

_STANDARD_ERRORS = 3.0  # by which neighbouring losses may correlate in a run like those of independent samples


class ErrorRates(Frozen):
    """How often a test at 5% called equal models different in simulations like a run.

    Attributes
    ----------
    reason : str
        Why nothing is known, as a clause; empty where something is.
    where : str
        The simulations.
    by_metric : mapping of str to PredictedRate
        Of one comparison, without adjustment; only the metrics that were simulated.
    unknown : tuple of str
        The other metrics.
    beyond : str
        Where nothing is known of any metric, beside what was simulated; empty where that is all of the run.
    calibratable : bool
        Whether `calibrate` can measure it.
    """

    reason: str = ""
    where: str = ""
    by_metric: Mapping[str, PredictedRate] = field(default_factory=dict)
    unknown: tuple[str, ...] = ()
    beyond: str = ""
    calibratable: bool = False


def error_rates(result: EvaluationScores, comparison: ComparisonTable) -> ErrorRates | None:
    """Of a comparison of all pairs; None of one model, where it was calibrated for its run, or looks decided."""
    calibrated = result.calibration is not None and comparison.procedure == "calibrated_t_test"
    if len(result.estimators) == 1 or calibrated or stopped(result) is not None:
        return None
    own = result.design.kind != "folds"
    tests = dict[str, str]()
    for row in comparison:
        tests[row.metric] = (row.procedure if own else "") or tests.get(row.metric, comparison.procedure)
    alike = _alike(comparison) if result.design.time_order else set[str]()
    reasons, found = dict[str, None](), dict[str, PredictedRate]()
    for metric, test in tests.items():
        known, reason = rates_like(result, test)
        rate = known.get(_simulated_as(result, metric))
        if metric in alike:
            rate, reason = None, NOT_IN_TIME
        elif rate is None and known:
            where = next((f" with {one.where}" for one in known.values() if one.where), "")
            reason = f"only {listed(sorted(known))} {agreeing(len(known), 'was', 'were')} simulated{where}"
        elif rate is not None:
            reason = rate.reason
        if reason or rate is None:
            reasons[reason] = None
        else:
            found[metric] = rate
    return ErrorRates(
        reason="" if found else next(iter(reasons), ""),
        where=next(iter(found.values())).where if found else "",
        by_metric=found,
        unknown=tuple(filterfalse(found.__contains__, tests)),
        calibratable=not (own or result.task not in _TASKS or _made_otherwise(result))
        and not (result.design.time_order or result.design.n_groups is not None or _grouped(result)),
    )


# Any of equal models found worse by `StopRule()`, naive Bayes on 10x10: "How often sequential evaluation is wrong"
# in docs/benchmarks.md.
_BY_LOOKS, _OF_SAMPLES, _OF_FOLDS, _OF_MODELS = (0.008, 0.035), 200, 10, (2, 20)


def wrong_by_looks(scores: EvaluationScores) -> str:
    """How often the looks at similar simulated runs found any of equal models worse; empty without similar ones."""
    looked, design = stopped(scores), scores.design
    if looked is None or unlike(scores) or scores.task != "binary" or scores.read_as[looked.metric] != "accuracy":
        return ""
    numbers = (design.n_samples or 0, _OF_SAMPLES), (design.n_folds, _OF_FOLDS), (looked.max_repeats, _OF_FOLDS)
    as_default = looked.alpha == ALPHA and looked.spending == "late" and not looked.unlikely
    like = as_default and all(_rates.within(n, simulated, simulated) for n, simulated in numbers)
    if not like or not _rates.within(looked.n_models, *_OF_MODELS):
        return ""
    low, high = (percent(share, 1) for share in _BY_LOOKS)
    return f"any of equal models was found worse in {low} to {high} of similar simulated runs"


def _alike(comparison: ComparisonTable) -> set[str]:
    """Metrics whose losses in time order are not known to be as those of independent samples, or of another test."""
    tested = [row for row in comparison if row.record is not None and row.outcome.tested]
    unlike_any = {
        row.metric
        for row in tested
        if not isinstance(row.record, DieboldMarianoResult)
        or row.record.horizon
        or row.record.period > 1
        or row.record.autocorrelation * row.record.n**0.5 > _STANDARD_ERRORS
        or alike_for_longer(row)
    }
    return {row.metric for row in comparison} - ({row.metric for row in tested} - unlike_any)


def _simulated_as(result: EvaluationScores, metric: str) -> str:
    """The metric that was simulated in place of one: of what is right or wrong its accuracy."""
    if result.design.kind in ("runs", *ESTIMATED):
        return _rates.ANY_SCORE
    if result.design.kind == "folds":
        return result.read_as[metric]
    right = result.read_as[metric] == "accuracy" or measure(result, metric) == "rate"
    return "accuracy" if right else result.read_as[metric] if result.design.kind == "samples" else ""


# ---- which simulations are like a run --------------------------------------------------------------------------


_TASKS = ("binary", "multiclass", "regression")
CUT = "the simulations train on all samples outside the test sets"
NOT_IN_TIME = "in time order it depends on how far losses correlate"
_FEWEST_RUNS, _UNEQUAL, _WINDOWS = 3, 6, (5, 10)
_OF_LABELS, _LABELS = (0.1, 0.5), 5  # several labels, and the shares of the samples that have them


def rates_like(
    scores: EvaluationScores, procedure: str, *, left_open: bool = False
) -> tuple[dict[str, PredictedRate], str]:
    """The rates of a procedure by simulated metric, and why there are none.

    What is not known of a table of scores may be left open: its task, its classes, its samples.
    """
    bare = left_open and "source" in scores.provenance and scores.task in ("binary", "other")
    place = ("" if bare else unlike(scores)) or _place(scores, "binary" if bare else scores.task)
    if isinstance(place, str):
        return {}, place
    found = _rates.predicted(procedure, *place)
    return found, "" if found else _rates.why_not(procedure, place[1])


def _place(scores: EvaluationScores, task: str) -> tuple[str, str, Known] | str:
    """Where the simulations of a run stand that nothing else makes unlike all: design, task, and what is known of it.

    The reason where there are none.
    """
    design, (called, instability) = scores.design, positive_and_unstable(scores)
    known = Known(n=design.n_samples, positives=positives(scores), called=called, instability=instability)
    if design.kind == "runs":
        few, many = min(design.n_runs), max(design.n_runs)
        if many > few * _UNEQUAL * _rates.TOLERANCE:
            return f"{few} runs against {many} were not simulated"
        few_runs = f"only {_FEWEST_RUNS} runs or more were simulated"
        return few_runs if few < _FEWEST_RUNS else ("runs", "any", Known(n=few))
    if design.kind == "judgments":
        found = _of_judges(design, len(scores.estimators))
        unequal = any(note.code == Code.TOO_LITTLE_DATA.name for note in scores.warnings)
        return _FEW_JUDGES if unequal and not isinstance(found, str) else found
    if design.kind == "judged items":
        return _OF_CLUSTERS if design.n_clusters else (design.kind, "any", Known(n=design.test_sizes[0]))
    if task == "multilabel" and (reason := _unlike_labels(design)):
        return reason
    if design.kind != "folds":
        single, task = design.n_clusters is None, task if task in _rates.SEVERAL else "binary"
        n = design.n_cases if design.n_clusters is None else design.n_clusters
        return "one test set" if single else "clusters", task, known._replace(n=n)
    if design.time_order:
        return ("time order", task, known) if _grows(design) else _NOT_GROWING
    if design.n_groups is not None:
        if not _rates.within((design.n_samples or 0) / design.n_groups, _rates.MEMBERS, _rates.MEMBERS):
            return f"only groups of {_rates.MEMBERS} samples were simulated"
        return _rates.design_like(design) + _rates.GROUPS, task, known._replace(n=design.n_groups)
    if task == "multiclass":
        counts = [one.total for one in design.class_counts]
        even = _rates.odds(1 / max(len(counts), 1))
        if not counts:
            return "the number of classes is not known"
        if not all(_rates.within(_rates.odds(one / sum(counts)), even, even) for one in counts):
            return "of several classes only equally frequent ones were simulated"
        known = known._replace(n_classes=len(counts))
    return _rates.design_like(design), task, known


_BY_WHOM = "it depends on who judges which models, and how often"
_FEW_JUDGES = "judges so few, or of so different numbers of judgments, were not simulated"
_OF_CLUSTERS = "judged items in clusters were not simulated"


def _of_judges(design: Design, n_models: int) -> tuple[str, str, Known] | str:
    """Where the simulations of judges stand, who gave as many judgments on as many models."""
    if design.n_clusters is None:
        return _BY_WHOM
    if not _rates.within((design.n_samples or 0) / design.n_clusters, _rates.PER_JUDGE, _rates.PER_JUDGE):
        return f"only judges of {_rates.PER_JUDGE} judgments each were simulated"
    if not _rates.within(n_models, *_rates.BY_JUDGES):
        return f"only {' to '.join(map(str, _rates.BY_JUDGES))} models were simulated"
    return "judgments in clusters", "any", Known(n=design.n_clusters)


_NOT_GROWING = "in time order only 5 to 10 training sets that grow by the test sets were simulated"


def _grows(design: Design) -> bool:
    """Whether training sets are, nearly, all that is before the test sets, which follow one another."""
    if not design.train_sizes or not _rates.within(design.n_splits, *_WINDOWS):
        return False
    (first, last), n = (min(design.train_sizes), max(design.train_sizes)), design.n_splits
    test = sum(design.test_sizes) / n
    return _rates.within(first, test, test) and _rates.within(last - first, test * (n - 1), test * (n - 1))


def _unlike_labels(design: Design) -> str:
    """Why several labels are not like the simulated ones, which differ in how many samples have them."""
    if not design.class_counts:
        return "how many samples have each label is not known"
    shares = [one.total / design.n_samples if design.n_samples else 0.0 for one in design.class_counts]
    low, high = _OF_LABELS
    alike = all(_rates.within(_rates.odds(share), _rates.odds(low), _rates.odds(high)) for share in shares)
    if alike and _rates.within(len(shares), _LABELS, _LABELS):
        return ""
    return f"of several labels only {_LABELS} that {percent(low)} to {percent(high)} of the samples have were simulated"


def unlike(scores: EvaluationScores) -> str:
    """What makes a run unlike all simulations, whatever the test; empty where nothing does."""
    otherwise, design = _made_otherwise(scores), scores.design
    if otherwise or design.kind in ("items", "runs", *ESTIMATED):
        return otherwise
    if design.time_order and scores.task != "binary":
        return NOT_IN_TIME
    if design.kind == "folds" and not design.time_order and design.n_samples is not None:
        sizes = np.array(design.train_sizes)
        rest = design.n_samples - np.array(design.test_sizes)[: len(sizes)]
        if not np.all((rest / _rates.TOLERANCE <= sizes) & (sizes <= rest)):  # nor is half of it trained on
            return CUT
    if design.kind == "samples" and scores.task in _TASKS[1:]:
        of = {"multiclass": "only two classes", "regression": "of numbers only several per sample"}
        return f"{of[scores.task]} were simulated"
    if scores.task not in (*_TASKS, *_rates.SEVERAL):
        return "the task is not known"
    if design.n_samples is None and scores.task in _TASKS:
        return "the number of samples is not known"
    return "groups of samples were not simulated" if _grouped(scores) else ""


def _made_otherwise(scores: EvaluationScores) -> str:
    """What makes the scores unlike those of any simulation, also of one that `calibrate` could make."""
    if scores.sample_weight is not None:
        return "weights of samples were not simulated"
    if "fit_params" in set().union(scores.provenance, *scores.provenance.get("merged", ())):
        return "parameters given to fit, such as weights, were not simulated"
    if Code.DO_NOT_USE.name in map(attrgetter("code"), scores.warnings):
        return "test samples that are trained on were not simulated"
    failed = {*map(attrgetter("estimator"), scores.failures)}
    if failed and any(np.isfinite(scores.scores[scores.estimators.index(name)]).any() for name in failed):
        return "fits that failed were not simulated"
    return "means over several seeds were not simulated" if scores.fit_seeds else ""


def _grouped(scores: EvaluationScores) -> bool:
    """Whether the folds keep groups together of which no more is known."""
    counted = scores.design.n_clusters is not None or scores.design.n_groups is not None
    return not counted and "Group" in str(scores.provenance.get("cv", ""))


def positives(scores: EvaluationScores) -> float | None:
    """The share of the positive class, None where it is not known."""
    if scores.task != "binary":
        return None
    kept, counts = scores.kept_predictions, scores.design.class_counts
    if kept is None and counts:
        n_positive = sum(one.total for one in counts if one.label == repr(scores.positive_class))
        return n_positive / sum(one.total for one in counts)
    return None if kept is None else float(np.mean(np.asarray(kept.y) == scores.positive_class))


# Claims that would not stand if scores varied as much as in the worst of the simulations that are like the run; what is
# said of them, by whether the design was assumed.
FRAGILE = {
    True: "would not stand if the splits were random halves",
    False: "would not stand in the worst of similar simulations",
}


def with_fragile(scores: Scores, comparison: ComparisonTable) -> ComparisonTable:
    """The comparison with `fragile` on every claim that would not stand; none where nothing is known."""
    if isinstance(scores, StudyScores):
        return comparison
    halves, claims = "assumed_design" in scores.provenance, list[int]()
    for i, row in enumerate(comparison):
        claims += [i] if row.outcome.significant and (halves or row.null == 0) else []
    found = error_rates(scores, comparison) if claims and not halves else None
    known = {} if found is None else found.by_metric
    factor, rows = _as_halves(scores.design) if claims and halves else 1.0, list(comparison)
    for i in claims:
        longer = scores.design.time_order and alike_for_longer(rows[i])
        share = known[rows[i].metric].high if rows[i].metric in known else ALPHA
        if longer or not stands(rows[i], comparison, share, factor):
            rows[i] = replace(rows[i], fragile=True)
    unsteady = list[str]()
    for metric, rate in known.items():
        unsteady += [metric] if rate.high > _TOO_OFTEN and scores.read_as[metric] in _AT_A_THRESHOLD else []
    named, steady = dict(zip([*scores.read_as.values()][::-1], [*scores.read_as][::-1], strict=True)), _OF_RANKS[0]
    steady = named.get(next(filter(named.__contains__, _OF_RANKS), steady), steady) if unsteady else ""
    return replace(comparison, rows=tuple(rows), halves=halves, unsteady=tuple(unsteady), steady=steady)


# Above this share, metrics that depend on the threshold are none to decide on; the others do not depend on it.
_TOO_OFTEN = 0.15
_AT_A_THRESHOLD = ("f1", "precision", "recall")
_OF_RANKS = ("roc_auc", "average_precision", "neg_brier_score")


def alike_for_longer(row: ComparisonRow) -> bool:
    """Whether losses in time order stay alike, or recur, over more steps than the test allows for."""
    in_time = isinstance(row.record, DieboldMarianoResult)
    return in_time and any(one.code == Code.TIME_ORDER.name for one in row.record.warnings)


def halves_of(design: Design) -> Design:
    """As many random halves as a design has splits."""
    return replace(design, n_repeats=design.n_splits, n_folds=1, partition=False, test_fraction=0.5)


def _as_halves(design: Design) -> float:
    """By how much a standard error would be larger if the splits were random halves, which share more samples."""
    known, other = (Correction.of(one).variance(design.n_splits) for one in (design, halves_of(design)))
    return float(max(1.0, (other / known) ** 0.5))


def stands(row: ComparisonRow, comparison: ComparisonTable, share: float, factor: float = 1.0) -> bool:
    """Whether a claim stands with a standard error as large as a share of false ones says, and times a factor.

    The p-value is that of Student's t with the degrees of freedom of the test, of the normal distribution where it has
    none; it keeps the factor by which it was adjusted.
    """
    if not row.pvalue > 0:
        return True
    df, sides = getattr(row.record, "df", None), 2 if comparison.alternative == "two-sided" else 1
    df = float(df) if isinstance(df, (int, float)) and df > 0 else inf
    statistic = -t_quantile(df, row.pvalue / sides) / (factor * widening(share, df))
    return sides * t_tail(statistic, df) * row.pvalue_adjusted / row.pvalue < comparison.alpha


def widening(share: float, df: float) -> float:
    """By how much a standard error is too small if a test at 5% is wrong in a share of cases; 1 where it is not."""
    return t_quantile(df, ALPHA / 2) / t_quantile(df, max(share, ALPHA) / 2) if share < 1 else inf


def fragile_warnings(comparison: ComparisonTable, answers: Iterable[Any] = ()) -> Warnings:
    """Which claims are fragile, once for each metric: the first of the leader in its answer, or of the best mean."""
    found, warned = dict[str, list[ComparisonRow]](), list[CodedWarning]()
    leaders = dict(map(attrgetter("metric", "leader"), answers))
    for row in comparison:
        if row.fragile:
            found.setdefault(row.metric, []).append(row)
    for metric, rows in found.items():
        why, remedy = FRAGILE[comparison.halves], f"Confirm {'it' if len(rows) == 1 else 'them'} with more data"
        if comparison.halves:
            remedy = "Give their design"
        elif rows[0].procedure == "diebold_mariano_test" and alike_for_longer(rows[0]):
            why = "may not stand: losses correlate over more steps than the test allows for"
            remedy = "Give a period, or collect more"
        elif metric in comparison.unsteady:
            remedy = f"Decide on {comparison.steady}, which does not depend on the threshold"
        first, best, leader = rows[0], (False, -inf), leaders.get(metric)
        for row in rows:
            won, lost = (row.mean_a, row.mean_b) if row.winner == row.a else (row.mean_b, row.mean_a)
            merit = row.winner == leader is not None, won if won > lost else -won
            first, best = (row, merit) if merit > best else (first, best)
        winner = first.winner  # of a difference other than 0 nobody wins
        worse = first.b if winner == first.a else first.a
        claim = f"{winner} over {worse}" if winner else f"{first.a} against {first.b}"
        more = f" and {counted(len(rows) - 1, 'other difference')}" if len(rows) > 1 else ""
        models = dict.fromkeys(chain.from_iterable(map(attrgetter("a", "b"), rows)))
        warned.append(Code.FRAGILE(f"{claim}{more} on {label(metric)} {why}. {remedy}.", (metric, *models)))
    return tuple(warned)


class CalibratedChoice(Frozen):
    """Which test is used on a metric of a pair, and what its record must say of that.

    Attributes
    ----------
    procedure : Procedure
        The test.
    options : mapping of str to object
        Those that the calibration sets.
    method : str
        Added to the record's method.
    warnings : tuple of str
        Added to its warnings.
    """

    procedure: Procedure
    options: Mapping[str, Any] = field(default_factory=dict)
    method: str = ""
    warnings: Warnings = ()

    def explain(self, record: Any) -> Any:
        """The record with what must be said."""
        if not self.method and not self.warnings:
            return record
        return replace(record, method=record.method + self.method, warnings=(*record.warnings, *self.warnings))


def choose_calibrated(scores: Scores, name: str, procedure: Procedure, metric: str, a: str, b: str) -> CalibratedChoice:
    """The test of a comparison: the calibrated one for "auto" where a calibration has the metric of the pair."""
    if name != "auto" or isinstance(scores, StudyScores) or scores.calibration is None:
        return CalibratedChoice(procedure=procedure)
    calibration = scores.calibration
    found = calibration.find(metric, a, b)
    if found is None:
        why = calibration.why_not(metric, a, b)
        warning = Code.NOT_CALIBRATED(f"{metric} is tested by {procedure.name}, since {why}.", (metric,))
        return CalibratedChoice(procedure=procedure, warnings=(warning,))
    options = {"scheme": found.scheme, "df": found.df}
    return CalibratedChoice(
        procedure=find_procedure("calibrated_t_test", scores.design, options),
        options=options,
        method=f", df calibrated on {calibration.n_datasets} data sets ({calibration.generator})",
        warnings=found.warnings,
    )


def not_calibrated(scores: EvaluationScores, name: str, *metrics: str) -> Warnings:
    """That an answer on a calibrated run takes the correction of its design, as only tests of single metrics do not."""
    if scores.calibration is None:
        return ()
    said = f"{name} is not calibrated: it takes the correction of the design ({Correction.of(scores.design)})."
    return (Code.NOT_CALIBRATED(said, metrics),)
