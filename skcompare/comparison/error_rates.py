"""How often tests are wrong: what simulations say of a comparison, calibrations, and the table of procedures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import filterfalse
from math import inf
from typing import Any, NamedTuple

from skcompare._core import text
from skcompare._core.design import Design
from skcompare._core.frames import import_pandas
from skcompare._core.html import Table
from skcompare._core.numbers import counted, listed, percent
from skcompare._core.record import Record, few
from skcompare._core.warnings import Code, CodedWarning
from skcompare.comparison.measures import measure
from skcompare.comparison.stopping import stopped
from skcompare.comparison.table import ALPHA, ComparisonRow, ComparisonTable, Rows, Scores
from skcompare.evaluation.input import is_classification
from skcompare.evaluation.metrics.scoring import Metric
from skcompare.evaluation.prepare import PreparedEvaluation
from skcompare.inference import DieboldMarianoResult
from skcompare.inference._distributions import t_quantile, t_tail
from skcompare.inference._forms import IN_TIME, Procedure
from skcompare.inference._measured import (
    ANY_LOSS,
    ANY_SCORE,
    CHANCE,
    GUESSING,
    MEASURED_SIZES,
    SHALLOW,
    STUDY_SIZES,
    WITH_SHALLOW,
    MeasuredSize,
    pair_family,
)
from skcompare.inference._overlap import Correction
from skcompare.inference._procedures import PROCEDURES, STUDY_PROCEDURES, find_procedure
from skcompare.inference._simulated import (
    Simulated,
    family_size,
    simulations_in_time,
    simulations_of_cases,
    simulations_of_runs,
)
from skcompare.scores.calibration import Calibration, class_shares, feature_count, identity_of, metric_identity
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.simulated import IN_TIME as NOT_IN_TIME
from skcompare.scores.simulated import can_be_calibrated, positives, simulations_of_folds, unlike
from skcompare.scores.stopping import StopRule
from skcompare.scores.study import StudyScores

_STANDARD_ERRORS = 3.0  # by which neighbouring losses may correlate in a run like those of independent samples


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorRates:
    """How often a test at 5% called equal models different in simulations like a run.

    Attributes
    ----------
    reason : str
        Why nothing is known, as a clause; empty where something is.
    where : str
        The simulations.
    by_metric : mapping of str to MeasuredSize
        Of one comparison, without adjustment; only the metrics that were simulated. Of the families of learners that
        are compared that with the highest mean.
    by_learners : mapping of str to mapping of str to MeasuredSize
        The same of the pairs of each family of learners, by metric; all nulls count where the family is not known, or
        was not simulated.
    families : mapping of str to mapping of str to str
        By metric the family of each model, "guessing" on ROC AUC or R2 where it does no better than that.
    unknown : tuple of str
        The other metrics.
    beyond : str
        Where nothing is known of any metric, beside what was simulated; empty where that is all of the run.
    n_models, n_metrics : int
        Of the run.
    family : MeasuredSize or None
        Runs with any significant difference, of so many equal models and metrics, adjusted as here; None where that
        was not measured, as of shallow trees, and where there is one comparison only.
    calibratable : bool
        Whether `calibrate` can measure it.
    """

    reason: str = ""
    where: str = ""
    by_metric: Mapping[str, MeasuredSize] = field(default_factory=dict)
    by_learners: Mapping[str, Mapping[str, MeasuredSize]] = field(default_factory=dict)
    families: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    unknown: tuple[str, ...] = ()
    beyond: str = ""
    n_models: int
    n_metrics: int
    family: MeasuredSize | None = None
    calibratable: bool = False

    def of(self, metric: str, pair: Sequence[str] = ()) -> MeasuredSize | None:
        """That of a comparison on a metric: of two models by their learners, where it is known of these."""
        families = self.families.get(metric, {})
        learners = pair_family(*map(families.__getitem__, pair)) if len(pair) == 2 and families else ""
        return self.by_learners.get(learners, {}).get(metric) or self.by_metric.get(metric)


class _Simulations(NamedTuple):
    """The simulations like a run, under which names its metrics stand there, and what they say of its pairs."""

    simulated: Simulated
    simulated_as: dict[str, str]
    families: dict[str, dict[str, str]]
    by_learners: dict[str, dict[str, MeasuredSize]]


def _simulations(result: EvaluationScores, comparison: ComparisonTable) -> _Simulations:
    simulated_as, families, by_learners = dict[str, str](), dict[str, dict[str, str]](), dict[str, Any]()
    for row in comparison:
        simulated_as[row.metric] = result.read_as[row.metric] if result.design.kind == "folds" else row.metric
        known = families.setdefault(row.metric, {})
        for name in (row.a, row.b):
            known[name] = known.get(name) or _family(result, name, row.metric)
    simulated = _like(result, comparison, (*simulated_as,))
    for row in comparison:
        learners = pair_family(families[row.metric][row.a], families[row.metric][row.b])
        size = simulated.size(simulated_as[row.metric], learners)
        if size is not None:
            by_learners.setdefault(learners, {})[row.metric] = size
    return _Simulations(simulated, simulated_as, families, by_learners)


def _is_measured(result: EvaluationScores, comparison: ComparisonTable) -> bool:
    """Whether simulations are asked for: not of a test that was calibrated for its run, nor where looks decided."""
    if len(result.estimators) == 1:
        return False
    return stopped(result) is None and (result.calibration is None or comparison.procedure != "calibrated_t_test")


def error_rates(result: EvaluationScores, comparison: ComparisonTable) -> ErrorRates | None:
    """Of a comparison of all pairs; None where it was calibrated for its run, or looks decided."""
    if not _is_measured(result, comparison):
        return None
    simulated, simulated_as, families, by_learners = _simulations(result, comparison)
    k, m, sizes = len(result.estimators), len(simulated_as), dict[str, MeasuredSize]()
    for metric in simulated_as:
        for own in by_learners.values():
            if metric in own and not (metric in sizes and own[metric].mean <= sizes[metric].mean):
                sizes[metric] = own[metric]
    if simulated.sizes and not by_learners:
        simulated = Simulated(reason=f"only {listed(simulated.sizes)} were simulated with {simulated.where}")
    family = None
    whole = len(sizes) == len({*simulated_as.values()}) == m and comparison.n_hypotheses == len(comparison) > 1
    usual = comparison.correction == "holm" and comparison.alternative == "two-sided"
    if whole and usual and by_learners.keys().isdisjoint((SHALLOW, WITH_SHALLOW)):
        family = family_size(comparison.procedure, simulated, k, tuple(simulated_as.values()))
    return ErrorRates(
        reason=simulated.reason,
        where=simulated.where,
        by_metric=sizes,
        by_learners=by_learners,
        families=families,
        unknown=tuple(filterfalse(sizes.__contains__, simulated_as)),
        n_models=k,
        n_metrics=m,
        family=family,
        calibratable=can_be_calibrated(result),
    )


def _family(result: EvaluationScores, name: str, metric: str) -> str:
    """Of a model that does no better than guessing, another one than its learner has; other metrics decide nothing."""
    family, read = result.families[name], result.read_as[metric]
    guesses = family and read in CHANCE and result.score(name, metric).mean() <= CHANCE[read]
    return GUESSING if guesses else family


def _like(result: EvaluationScores, comparison: ComparisonTable, metrics: Sequence[str]) -> Simulated:
    """The simulations that are like the run, of the kind of its evidence."""
    reason, kind = unlike(result), result.design.kind
    if reason:
        return Simulated(reason=reason)
    if result.design.time_order:
        return _in_time(result, comparison, positives(result))
    if kind == "runs":
        return simulations_of_runs(comparison.procedure, result.design, metrics)
    if kind == "folds":
        return simulations_of_folds(result, comparison.procedure)
    tests = {row.metric: (row.procedure, _measured_as(result, row.metric)) for row in comparison if row.procedure}
    return simulations_of_cases(result.design, tests, positives(result), result.task)


def _in_time(result: EvaluationScores, comparison: ComparisonTable, positive: float | None) -> Simulated:
    """The simulations that are like splits in time order, of metrics whose losses are as of independent samples."""
    tested = [row for row in comparison if row.record is not None and row.outcome.tested]
    if positive is None or any(
        not isinstance(row.record, DieboldMarianoResult) or row.record.horizon or row.record.period > 1
        for row in tested
    ):
        return Simulated(reason=NOT_IN_TIME)
    alike = {
        row.metric
        for row in tested
        if row.record.autocorrelation * row.record.n**0.5 > _STANDARD_ERRORS or alike_for_longer(row)
    }
    metrics = {result.read_as[metric] for metric in {row.metric for row in tested} - alike}
    return simulations_in_time(result.design, positive, metrics) if metrics else Simulated(reason=NOT_IN_TIME)


# Claims that would not stand if scores varied as much as in the worst of the simulations that are like the run.


def with_fragile(scores: Scores, comparison: ComparisonTable) -> ComparisonTable:
    """The comparison with `fragile` on every claim that would not stand; none where nothing is known."""
    if isinstance(scores, StudyScores):
        return comparison
    halves = "assumed_design" in scores.provenance
    claims = dict[int, ComparisonRow]()
    for i, row in enumerate(comparison):
        if row.outcome.significant and (halves or row.null == 0):
            claims[i] = row
    rows = list(comparison)
    for i in claims if scores.design.time_order else ():
        if alike_for_longer(rows[i]):
            rows[i] = replace(rows[i], fragile=True)
    if not claims or not (halves or _is_measured(scores, comparison)):
        return replace(comparison, rows=tuple(rows), halves=halves)
    shares = dict.fromkeys(claims, ALPHA)
    factor = _as_halves(scores.design) if halves else 1.0
    if not halves:
        found = _simulations(scores, replace(comparison, rows=tuple(claims.values())))
        for i, row in claims.items():
            learners = pair_family(found.families[row.metric][row.a], found.families[row.metric][row.b])
            size = found.by_learners.get(learners, {}).get(row.metric)
            shares[i] = ALPHA if size is None else size.high
    for i, row in claims.items():
        if not stands(row, comparison, shares[i], factor):
            rows[i] = replace(row, fragile=True)
    return replace(comparison, rows=tuple(rows), halves=halves)


def alike_for_longer(row: ComparisonRow) -> bool:
    """Whether losses in time order stay alike, or recur, over more steps than the test allows for."""
    in_time = isinstance(row.record, DieboldMarianoResult)
    return in_time and any(one.code == Code.TIME_ORDER.name for one in row.record.warnings)


def _as_halves(design: Design) -> float:
    """By how much a standard error would be larger if the splits were random halves, which share more samples."""
    halves = replace(design, n_repeats=design.n_splits, n_folds=1, partition=False, test_fraction=0.5)
    known, other = (Correction.of(one).variance(design.n_splits) for one in (design, halves))
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
    if share <= ALPHA:
        return 1.0
    return t_quantile(df, ALPHA / 2) / t_quantile(df, share / 2) if share < 1 else inf


def fragile_warnings(
    comparison: ComparisonTable, claims: Iterable[ComparisonRow] | None = None
) -> tuple[CodedWarning, ...]:
    """Which of some claims are fragile, of all by default, once for each metric and winner."""
    found: dict[tuple[str, str | None], list[ComparisonRow]] = {}
    for row in comparison if claims is None else claims:
        if row.fragile:
            found.setdefault((row.metric, row.winner), []).append(row)
    return tuple(
        Code.FRAGILE(
            f"{_claims(rows)} on {metric} would not stand if the splits were random halves. Give their design."
            if comparison.halves
            else f"{_claims(rows)} on {metric} may not stand: losses are alike for longer than the test allows for. "
            "Give a period, or collect more."
            if rows[0].procedure == "diebold_mariano_test" and alike_for_longer(rows[0])
            else f"{_claims(rows)} on {metric} would not stand in the worst of similar simulations. Confirm "
            f"{'it' if len(rows) == 1 else 'them'} with more data.",
            (metric, *dict.fromkeys(name for row in rows for name in (row.a, row.b))),
        )
        for (metric, _), rows in found.items()
    )


def _claims(rows: Sequence[ComparisonRow]) -> str:
    first = rows[0]
    worse = first.b if first.winner == first.a else first.a
    more = f" and {counted(len(rows) - 1, 'other difference')}" if len(rows) > 1 else ""
    return f"{first.winner} over {worse}{more}"


def _measured_as(result: EvaluationScores, metric: str) -> str:
    """The metric that was simulated in place of one: of what is right or wrong its accuracy."""
    right = result.design.kind != "folds" and (
        result.read_as[metric] == "accuracy" or measure(result, metric) == "rate"
    )
    return "accuracy" if right else result.read_as[metric] if result.design.kind == "samples" else ""


# A calibration serves data sets of between half and twice as many samples, and test shares that differ by up to this.
MAX_SAMPLES_RATIO = 2.0
MAX_FRACTION_DIFFERENCE = 0.02
# Where the share of the smallest class differs by more than this, a result has a warning.
MAX_SHARE_DIFFERENCE = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibratedChoice:
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
    warnings: tuple[CodedWarning, ...] = ()

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


def not_calibrated(scores: EvaluationScores, name: str, *metrics: str) -> tuple[CodedWarning, ...]:
    """That an answer on a calibrated run takes the correction of its design, as only tests of single metrics do not."""
    if scores.calibration is None:
        return ()
    correction = Correction.of(scores.design)
    return (
        Code.NOT_CALIBRATED(
            f"{name} is not calibrated: it takes the correction of the design ({correction}).", metrics
        ),
    )


def warnings_of_calibration(
    calibration: Calibration | None, prepared: PreparedEvaluation, stop: StopRule | None
) -> tuple[CodedWarning, ...]:
    """What speaks against using a calibration in an evaluation; ValueError where it is of another one."""
    if calibration is None:
        return ()
    if stop is not None:
        raise ValueError("calibration must be None with a stop, which may end before the calibrated design")
    check_calibration(calibration, prepared.named, prepared.metrics, prepared.splits.design)
    shares = class_shares(prepared.truth) if is_classification(prepared.task) else ()
    return calibration_warnings(calibration, prepared.X, shares)


def check_calibration(
    calibration: Any, estimators: Mapping[str, Any], metrics: Sequence[Metric], design: Design
) -> None:
    """Raise ValueError unless a calibration is of models, a metric and a design of this evaluation."""
    if not isinstance(calibration, Calibration):
        raise ValueError(f"calibration must be None or a Calibration; got {calibration!r:.80}")
    check_fit(calibration, list(estimators), [metric.name for metric in metrics], design)
    for name, identity in zip(calibration.estimators, calibration.identities, strict=True):
        if identity_of(estimators[name]) != identity:
            raise ValueError(
                f"calibration must be of the estimators that are evaluated; its {name!r} has another class or other "
                f"parameters"
            )
    for metric in metrics:
        if metric.name not in calibration.calibrations:
            continue
        if metric_identity(metric) != calibration.metric_identities.get(metric.name):
            raise ValueError(
                f"calibration must be of the metrics that are evaluated; its {metric.name!r} is computed otherwise"
            )


def calibration_warnings(calibration: Calibration, X: Any, shares: Sequence[float]) -> tuple[CodedWarning, ...]:
    """In what the data of an evaluation differ from those of its calibration."""
    own, found = calibration.class_shares, []
    if len(own) != len(shares):
        found.append(f"of {_classes(own)}, not {_classes(shares)}")
    elif len(own) > 0 and abs(min(own) - min(shares)) > MAX_SHARE_DIFFERENCE:
        found.append(f"with {percent(min(own), 1)} in the smallest class, not {percent(min(shares), 1)}")
    n_features = feature_count(X)
    if calibration.n_features is not None and n_features not in (None, calibration.n_features):
        found.append(f"of {calibration.n_features} features, not {n_features}")
    if not found:
        return ()
    return (Code.NOT_CALIBRATED(f"the degrees of freedom were calibrated on data {'; '.join(found)}."),)


def _classes(shares: Sequence[float]) -> str:
    return f"{len(shares)} classes" if shares else "no classes"


def check_fit(calibration: Calibration, estimators: Sequence[str], metrics: Sequence[str], design: Design) -> None:
    """Raise ValueError unless a calibration is of names, a metric and a design of a result."""
    if not set(calibration.estimators) <= set(estimators):
        raise ValueError(
            f"calibration must be of two of the estimators {few(estimators)}; it is of {few(calibration.estimators)}"
        )
    if not set(calibration.calibrations) & set(metrics):
        raise ValueError(
            f"calibration must have one of the metrics {few(metrics)}; it is of {few(list(calibration.calibrations))}"
        )
    _check_design(calibration.design, design)


def _check_design(own: Design, design: Design) -> None:
    shape, wanted = ((one.n_repeats, one.n_folds, one.partition) for one in (own, design))
    if shape != wanted:
        raise ValueError(f"calibration must be of {design.name}; it is of {own.name}")
    if abs(own.test_fraction - design.test_fraction) > MAX_FRACTION_DIFFERENCE:
        raise ValueError(
            f"calibration must be of test sets of {design.test_fraction:.3g} of the samples, to within "
            f"{MAX_FRACTION_DIFFERENCE:g}; it is of {own.test_fraction:.3g}"
        )
    if own.n_samples is None or design.n_samples is None:
        return
    if not 1 / MAX_SAMPLES_RATIO <= own.n_samples / design.n_samples <= MAX_SAMPLES_RATIO:
        raise ValueError(
            f"calibration must be on between half and twice the {design.n_samples} samples of X; it is on "
            f"{own.n_samples}"
        )


COLUMNS = ("name", "question", "evidence", "designs", "assumes", "measured size at 5%")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ProcedureInfo(Record):
    """One procedure that `EvaluationResult.test` or `StudyResult.test` knows.

    Attributes
    ----------
    name : str
        What to call it by.
    question : str
        The question that it answers.
    use : str
        When to take it.
    evidence : str
        ``"fold scores"`` or ``"predictions"`` of one data set, or ``"data sets"``.
    designs : str
        The designs it fits.
    assumes : str
        What it takes for granted.
    measured_size : dict of design to (float, float)
        Lowest and highest share of true nulls that it rejected at a nominal 5% in simulations, on `size_metric`; empty
        where it was not measured.
    size_metric : str
        accuracy, or the metric that it speaks of.
    returns : str
        ``"test"``, ``"posterior"``, ``"verdict"`` or ``"description"``; of all models also ``"omnibus"``, ``"pairs"``
        or ``"control"``.
    misleads : str
        On which data it gives which wrong answer.
    """

    name: str
    question: str
    use: str
    evidence: str
    designs: str
    assumes: str
    measured_size: dict[str, tuple[float, float]]
    size_metric: str
    returns: str
    misleads: str

    def __str__(self) -> str:
        rows = {"when to take it": self.use}
        rows |= dict(zip(COLUMNS[2:], self.cells()[2:], strict=True))
        rows["when it misleads"] = self.misleads
        return "\n".join([text.wrap(self._sentence()), *(text.item(f"{what}: {said}") for what, said in rows.items())])

    def cells(self) -> tuple[str, ...]:
        """The row as text, in the order of `COLUMNS`."""
        sizes = "; ".join(f"{_span(*span)} ({name})" for name, span in self.measured_size.items())
        sizes = f"{self.size_metric}: {sizes}" if sizes else "not measured"
        return self.name, self.question, self.evidence, self.designs, self.assumes, sizes

    def _sentence(self) -> str:
        return f"{self.name} answers: {self.question}"


def _span(low: float, high: float) -> str:
    return percent(low, 1) if low == high else f"{percent(low, 1)} to {percent(high, 1)}"


@dataclass(frozen=True, slots=True, repr=False)
class ProcedureTable(Rows[ProcedureInfo]):
    """All procedures; prints their names by what they take; `to_frame` makes a data frame."""

    rows: tuple[ProcedureInfo, ...]

    def __str__(self) -> str:
        names: dict[str, list[str]] = {}
        for row in self.rows:
            names.setdefault(row.evidence, []).append(row.name)
        lists = (text.item(f"{evidence}: {', '.join(found)}") for evidence, found in names.items())
        return "\n".join([text.wrap(self._sentence()), *lists])

    def to_markdown(self) -> str:
        """The table in Markdown."""
        lines = [COLUMNS, ("---",) * len(COLUMNS), *((f"`{row.name}`", *row.cells()[1:]) for row in self.rows)]
        return "\n".join(f"| {' | '.join(line)} |" for line in lines)

    def to_frame(self) -> Any:
        """The table as a pandas DataFrame; needs pandas."""
        return import_pandas().DataFrame([row.cells() for row in self.rows], columns=list(COLUMNS))

    def _tables(self) -> list[Table]:
        return [Table(COLUMNS, [row.cells() for row in self.rows])]

    def _sentence(self) -> str:
        return f"{len(self.rows)} procedures; procedures().to_frame() has what each asks, needs and assumes."


def _size_metric(procedure: Procedure) -> str:
    if procedure.takes.joint:
        return "all five"
    if procedure.takes is IN_TIME:
        return ANY_LOSS
    if procedure.name == "welch_t_test":
        return ANY_SCORE
    return "accuracy" if not procedure.metrics or "accuracy" in procedure.metrics else procedure.metrics[0]


def _measured(procedure: Procedure) -> dict[str, tuple[float, float]]:
    """Lowest and highest size by design, of the designs on which it can be computed."""
    metric = _size_metric(procedure)
    return {
        design: sizes[metric] for design, sizes in MEASURED_SIZES.get(procedure.name, {}).items() if metric in sizes
    }


def procedures() -> ProcedureTable:
    """All procedures that results and studies know, with what each needs, assumes, and how often it is wrong.

    Returns
    -------
    ProcedureTable
        A sequence of rows that prints as text.

    Examples
    --------
    >>> from skcompare import procedures
    >>> table = procedures()
    >>> table[0].name, table[0].evidence
    ('corrected_t_test', 'fold scores')
    """
    on_one = [_info(row, _measured(row), _size_metric(row)) for row in PROCEDURES]
    on_several = [
        _info(row, {n: (size, size) for n, size in STUDY_SIZES.get(row.name, {}).items()}, "any metric")
        for row in STUDY_PROCEDURES
    ]
    return ProcedureTable((*on_one, *on_several))


def _info(procedure: Procedure, measured_size: dict[str, tuple[float, float]], size_metric: str) -> ProcedureInfo:
    guide = procedure.guide
    return ProcedureInfo(
        name=procedure.name,
        question=guide.question,
        use=guide.use,
        evidence=procedure.takes.kind,
        designs=procedure.designs,
        assumes="; ".join(guide.assumes),
        measured_size=measured_size,
        size_metric=size_metric,
        returns=procedure.returns,
        misleads=guide.misleads,
    )
