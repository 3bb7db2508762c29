"""A comparison as data: rows with outcomes, the families that share an error budget, and what does not vary."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, fields, replace
from enum import Enum
from functools import cache, partial
from math import isfinite, isnan
from numbers import Real
from operator import attrgetter
from sys import float_info
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core import numbers
from skcompare._core.design import Design
from skcompare._core.frames import import_pandas
from skcompare._core.metrics import METRICS
from skcompare._core.record import Frozen, Record, Rows
from skcompare._core.validation import Checked, Ends, FloatArray, choose_metric
from skcompare._core.warnings import Code, CodedWarning, Warnings
from skcompare.inference import SignedRankResult, SignTestResult
from skcompare.inference import _procedures as procedures
from skcompare.inference._multiplicity import RESAMPLE, Least, adjust_pvalues
from skcompare.inference._procedures import Procedure
from skcompare.inference._records import ROUNDING, won_or_level, zero_variance
from skcompare.inference._sentences import beyond, compared, from_to
from skcompare.scores.evaluation import EvaluationScores, once, units
from skcompare.scores.measures import measure, number_counted
from skcompare.scores.study import StudyScores

if TYPE_CHECKING:
    from skcompare._core.frames import DataFrame

Scores = EvaluationScores | StudyScores
Pair = tuple[str, str]
ALPHA = 0.05


# What scores, and differences of scores, can be.


def bounds(metric: str, scores: FloatArray) -> tuple[float, float]:
    """What a score can be; any number of unknown names, and where scores are out of the range."""
    row = METRICS.get(metric)
    known = scores[np.isfinite(scores)]
    if row is None or (known.size and (known.min() < row.low - ROUNDING or known.max() > row.high + ROUNDING)):
        return -np.inf, np.inf
    return row.low, row.high


def span(metric: str, scores: FloatArray) -> float:
    """The largest difference that two scores can have; inf where there is none."""
    low, high = bounds(metric, scores)
    return high - low


@once
def widest_difference(scores: Scores, metric: str) -> float:
    """The largest difference that two models can have on a metric; inf where there is none."""
    if isinstance(scores, StudyScores):
        return span(metric, scores.means(metric))
    own = scores.scores[..., scores.metric_index(metric)]
    if scores.design.kind == "items" and measure(scores, metric) == "rate":
        return 1.0
    if scores.design.kind == "samples" and (n := number_counted(scores, metric)):
        return float(n)
    of_errors = getattr(scores.metric_functions.get(metric), "is_of_errors", False)  # as of `above_share`
    return span(scores.read_as[metric], own + 1.0 if of_errors else own)


def check_width(width: float, name: str, scores: Scores | FloatArray, metric: str, *, whole: bool = False) -> float:
    """A margin, or null hypothesis, that models can differ by; ValueError where all are within it.

    `scores` are all, or those on the metric: with none its name tells what it can be. Where the width may be `whole`,
    it can be as large as any difference, so that all are ties.
    """
    widest = span(metric, scores) if isinstance(scores, np.ndarray) else widest_difference(scores, metric)
    if abs(width) > widest or (abs(width) == widest and not whole):
        can = f"a difference that {metric} can have, {'at most' if whole else 'less than'} {widest:g} in size"
        raise ValueError(f"{name} must be {can}; got {width:g}")
    return width


def check_widths(options: Mapping[str, Any], scores: Scores | FloatArray, metric: str, *, whole: bool = False) -> None:
    """`check_width` of those options of a procedure on one metric that are a width."""
    for name in ("null", "margin", "rope"):
        width = options.get(name)
        if isinstance(width, Real) and abs(width) <= float_info.max:  # type: ignore[operator]
            check_width(float(width), name, scores, metric, whole=whole)


class Outcome(Enum):
    """What the comparison of two models says: one is better, or it is open.

    ``BETTER`` and ``WORSE`` are about the first model, and significant; ``EQUIVALENT`` needs a margin; ``UNDECIDED`` is
    none of the three; ``NOT_COMPARABLE`` where no scores can be compared; ``SMALLER`` and ``LARGER`` of a number such
    as the size of a model, which no test is about; ``NOT_TESTED`` where looks decided, but nothing of the pair. With a
    margin as the null hypothesis ``BETTER`` and ``WORSE`` mean by more than it, ``NOT_WORSE`` and ``NOT_BETTER`` that
    the first model is significantly not so by more than it. The `value` of each is its word in tables and JSON.
    """

    BETTER = "better"
    WORSE = "worse"
    NOT_WORSE = "not worse"
    NOT_BETTER = "not better"
    EQUIVALENT = "equivalent"
    UNDECIDED = "undecided"
    SMALLER = "smaller"
    LARGER = "larger"
    NOT_COMPARABLE = "not comparable"
    NOT_TESTED = "not tested"

    @property
    def significant(self) -> bool:
        """Whether it is a claim by the adjusted p-value."""
        return self in (Outcome.BETTER, Outcome.WORSE, Outcome.NOT_WORSE, Outcome.NOT_BETTER)

    @property
    def tested(self) -> bool:
        """Whether a test decided."""
        return self.significant or self in (Outcome.EQUIVALENT, Outcome.UNDECIDED)

    @property
    def said(self) -> str:
        """What two models are of which neither is better."""
        return {Outcome.UNDECIDED: OPEN, Outcome.EQUIVALENT: "practically equivalent"}.get(self, self.value)


OPEN = "not significantly different"
# The same seen from the other model.
TURNED = {Outcome.BETTER: Outcome.WORSE, Outcome.NOT_WORSE: Outcome.NOT_BETTER, Outcome.SMALLER: Outcome.LARGER}
TURNED |= {after: before for before, after in TURNED.items()}


class ComparisonRow(Record):
    """Two estimators on one metric.

    Attributes
    ----------
    metric, a, b : str
        What was compared.
    mean_a, mean_b : float
        Mean scores over the splits used, in the metric's own units.
    estimate : float
        The procedure's estimate of the difference, positive where `a` is better. Of the tests on folds it is
        ``mean_a - mean_b``, negated for a metric where less is better; of the signed-rank and the sign test a median.
    low, high : float
        Its interval at `confidence_level`, the level of its family; nan where the procedure has none, or there is no
        test. It leaves out `null` where the outcome is significant, and nowhere else. Of an evaluation that was looked
        at while it ran that of the look that decided, or of the last one.
    pvalue : float
        For this row alone; nan where there is no test, as of scores that do not vary.
    pvalue_adjusted : float
        Adjusted over all rows of its family; nan where a sequential verdict decided, as no adjustment for the number of
        rows allows for looks.
    outcome : Outcome
        From the adjusted p-value at the level of the table: whether `a` is significantly better or worse than `b`.
        EQUIVALENT where it is neither and a region of practical equivalence was given in which the whole interval lies
        (without an interval: which holds the difference with a probability above one minus the level), but for equal
        scores of models whose predictions are known and differ; NOT_COMPARABLE
        where there are no scores to compare or these do not vary; SMALLER or LARGER of numbers of the models that do
        not vary, such as their sizes. Of an evaluation that was looked at while it ran what the looks decided;
        NOT_TESTED where they did not look.
    winner : str or None
        The model that is significantly better, None where neither is.
    effect_size : float
        The procedure's own, e.g. Cohen's d_z of the t tests; nan where it has none.
    wins, ties, losses : int
        Splits on which `a` is better, neither is, `b` is; all 0 of independent runs, which have no pairs.
    probability_of_superiority : float
        Share of the splits on which `a` is better, ties counting half; it describes the splits. nan where there are no
        pairs.
    left, rope, right : float or None
        Posterior probabilities that `b` is better, that the two are equivalent, that `a` is better; None
        where no region of practical equivalence was given.
    warnings : tuple of str
        Reasons to doubt the row.
    procedure : str
        The test; on one test set it depends on the metric. Empty where there was none.
    null : float
        The difference ``a - b`` under the null hypothesis, in score units; 0 unless one was asked for.
    record : object
        The procedure's own record, None where there are no scores to compare.
    confidence_level : float
        Of the interval: one minus the level of the table over the rows of the family.
    open_at_null : bool
        Whether the interval is cut off at `null`, which is no part of it: only a later step of the correction makes the
        difference significant.
    fragile : bool
        Whether the outcome is significant and would not be if scores varied as much as in the worst of the simulations
        that are like the run; False where there are none.
    turned : bool
        Whether `record` is seen from the other side, as its first model is `b`.
    """

    metric: str
    a: str
    b: str
    mean_a: float
    mean_b: float
    estimate: float
    low: float
    high: float
    pvalue: float
    pvalue_adjusted: float
    outcome: Outcome
    winner: str | None
    effect_size: float
    wins: int
    ties: int
    losses: int
    probability_of_superiority: float
    left: float | None = None
    rope: float | None = None
    right: float | None = None
    warnings: Warnings = ()
    procedure: str = ""
    null: float = 0.0
    record: Any = field(default=None, repr=False)
    confidence_level: float = 1 - ALPHA
    open_at_null: bool = False
    fragile: bool = False
    turned: bool = field(default=False, repr=False)

    def _sentence(self) -> str:
        if self.outcome is Outcome.NOT_COMPARABLE:
            return f"On {self.metric} {self.a} and {self.b} are not comparable."
        if self.outcome in (Outcome.SMALLER, Outcome.LARGER):
            means = self.mean_a, self.mean_b
            a, b = (numbers.number(mean, numbers.decimals(means)) for mean in means)
            return f"{claim(self)} on {self.metric} by the same everywhere ({a}, {b})."
        places = numbers.decimals_of_difference(self.estimate, self.mean_a, self.mean_b, ends=(self.low, self.high))
        limits = ""
        if isfinite(self.low) or isfinite(self.high):
            ends = from_to(self.low, self.high, places, signed=True, null=self.null, cut=self.open_at_null)
            limits = f" ({numbers.percent_of(self.confidence_level)} interval {ends})"
        median = "the median of " if is_median(self.record) else ""
        found = f"{median}{self.a} - {self.b} is {numbers.number(self.estimate, places, signed=True)}{limits}"
        p = f", {numbers.equal_to('p', self.pvalue)}, adjusted {numbers.pvalue(self.pvalue_adjusted)}"
        test = "" if isnan(self.pvalue_adjusted) else p
        return f"{self._claim()} on {self.metric}: {found}{test}."

    def _claim(self) -> str:
        if self.null and self.outcome.significant:
            side = "greater" if self.outcome in (Outcome.BETTER, Outcome.NOT_WORSE) else "less"
            return beyond(self.a, self.b, side, self.null)
        if self.null and self.outcome is Outcome.UNDECIDED:  # a margin is not shown
            return compared(self.a, self.b, self.estimate, 1.0, self.record.alternative, null=self.null)
        return claim(self)


def other_of(row: Any, model: str | None) -> str:
    """The other model of a row than one of its two."""
    return str(row.b if model == row.a else row.a)


def claim(row: Any) -> str:
    """Which model of a row is significantly better, or what the two are otherwise."""
    outcome = getattr(row, "outcome", Outcome.UNDECIDED)
    if row.winner is not None:
        return f"{row.winner} is significantly better than {other_of(row, row.winner)}"
    by_size = outcome in (Outcome.SMALLER, Outcome.LARGER)
    return f"{row.a} is {outcome.value} than {row.b}" if by_size else f"{row.a} and {row.b} are {outcome.said}"


def briefly_said(row: Any) -> str:
    """What the comparison of two models says, in as few words as can be."""
    if row.winner is not None:
        return f"{row.winner} better"
    if row.outcome is Outcome.UNDECIDED:
        return "not significant"
    of_both = row.outcome in (Outcome.EQUIVALENT, Outcome.NOT_COMPARABLE, Outcome.NOT_TESTED)
    return str(row.outcome.value if of_both else f"{row.a} {row.outcome.value}")


def seen_from(row: ComparisonRow, a: str) -> ComparisonRow:
    """The row with `a` as its first model."""
    if row.a == a:
        return row
    return replace(
        row,
        a=row.b,
        b=row.a,
        mean_a=row.mean_b,
        mean_b=row.mean_a,
        estimate=-row.estimate,
        low=-row.high,
        high=-row.low,
        wins=row.losses,
        losses=row.wins,
        left=row.right,
        right=row.left,
        null=0.0 - row.null,
        outcome=TURNED.get(row.outcome, row.outcome),
        turned=not row.turned,
    )


class Family(Frozen):
    """Comparisons that share one error budget.

    Attributes
    ----------
    name : str
        ``"first"`` of the metric that decides, ``"secondary"`` of all others, ``"all"`` of one budget over everything.
    metrics : tuple of str
        On which its models are compared.
    n : int
        How many comparisons have a p-value.
    level : float
        The confidence level of the interval of each of them.
    """

    name: str
    metrics: tuple[str, ...]
    n: int
    level: float


class ComparisonTable(Rows[ComparisonRow]):
    """The rows of a comparison; those of a family share one error budget.

    Attributes
    ----------
    rows : tuple of ComparisonRow
        One per pair and metric.
    procedure : str
        The test used; where it depends on the metric all of them, each with its metrics in brackets.
    correction : str
        How the p-values were adjusted; of no use where `sequential`.
    n_hypotheses : int
        Number of comparisons with scores that share the error budget of the first row.
    alternative : str
        The alternative of every row's test.
    alpha : float
        The error rate of each family; of a sequential verdict over all looks.
    costs : tuple of str
        The metrics of which less is better: there the sign of the difference is reversed.
    sequential : bool
        Whether the outcomes are the sequential verdict of an evaluation that was looked at while it ran.
    families : tuple of Family
        The families of the rows, in their order: that of the metric that decides, and that of all others.
    halves : bool
        Whether the design was assumed: a fragile claim would not stand if the splits were random halves.
    unsteady : tuple of str
        Metrics that depend on the threshold, on which more than 15% of claims may be false in similar simulations.
    steady : str
        Where there are such metrics, one to decide on that does not depend on the threshold: of those of the result
        the first of ROC AUC, average precision and the Brier score, else ``"roc_auc"``.
    warnings : tuple of str
        Reasons to doubt all rows; those of one row are its own.
    """

    rows: tuple[ComparisonRow, ...]
    procedure: str
    correction: str
    n_hypotheses: int
    alternative: str
    alpha: float = ALPHA
    costs: tuple[str, ...] = ()
    sequential: bool = False
    families: tuple[Family, ...] = ()
    halves: bool = False
    unsteady: tuple[str, ...] = ()
    steady: str = ""
    warnings: Warnings = ()

    @property
    def level(self) -> float:
        """The confidence level of each interval; all of them together hold at ``1 - alpha``."""
        return self.families[0].level if self.families else 1 - self.alpha


def is_median(record: Any) -> bool:
    """Whether the estimate of a record is a median over the cases, which is not the difference of the means."""
    return isinstance(record, (SignedRankResult, SignTestResult))


def plain_row(row: Any) -> dict[str, Any]:
    """The fields of a row of a table, which are plain values, by name."""
    kind: Any = type(row)
    return {name: getattr(row, name) for name in _plain_fields(kind)}


def frame_of_rows(kind: Any, rows: Sequence[Any]) -> DataFrame:
    """The plain fields of the rows of a kind as a pandas DataFrame, outcomes as words; needs pandas."""
    frame: DataFrame = import_pandas().DataFrame([*map(plain_row, rows)], columns=list(_plain_fields(kind)))
    if "outcome" in frame:
        frame["outcome"] = [row.outcome.value for row in rows]
    return frame


@cache
def _plain_fields(kind: Any) -> tuple[str, ...]:
    return tuple(x.name for x in sorted(fields(kind), key=lambda x: x.name not in kind.__annotations__) if x.repr)


def mean_score(scores: FloatArray) -> float:
    """The mean of the finite scores, nan where there is none."""
    known = np.isfinite(scores)
    finite = scores if known.all() else scores[known]
    return float(finite.mean()) if finite.size else float("nan")


_AT_ONCE = 2**14


def wins_and_losses(a: FloatArray, b: FloatArray) -> tuple[int, int, int]:
    """The number of cases, and how many of them `a` wins and loses; differences by rounding are ties."""
    parts = (slice(i, i + _AT_ONCE) for i in range(0, len(a), _AT_ONCE))  # of a million items no column is held
    counts = [[*map(np.count_nonzero, won_or_level(a[part], b[part]))] for part in parts]
    won, level = (int(sum(part)) for part in zip(*counts, strict=True)) if counts else (0, 0)
    return len(a), won, len(a) - level


def adjusted(pvalues: ArrayLike, correction: str, unsaved: ArrayLike = False) -> tuple[FloatArray, int]:
    """P-values adjusted over those that are known, nan where one is not, and the number of known ones.

    Those `unsaved` count too, as if they were 1.
    """
    found = np.array(pvalues, dtype=np.float64)
    unknown = np.asarray(unsaved) & np.isnan(found)
    found[unknown] = 1.0
    flat = found.ravel()
    known = ~np.isnan(flat)
    if known.any() and correction != "none":
        which = slice(None) if known.all() else known  # without a copy of all
        flat[which] = adjust_pvalues(Checked(flat[which]), correction)
    found[unknown] = np.nan
    return found, int(known.sum())


# In steps of the largest score: a difference of two float32 numbers is off by two roundings, the range of several by
# four.
SINGLE = 2.0**-22
_OF_PAIRS = (procedures.SPLITS, procedures.REPEATS, procedures.REPEATS_AND_LOSSES, procedures.PAIR)
_OF_ALL = (procedures.SPLITS_OF_ALL, procedures.TABLE)
# These count cases, each of which is evidence of its own, but for the splits of one data set.
_COUNT_CASES = ("permutation_test", "sign_test", "signed_rank_test", "sign_posterior", "signed_rank_posterior")
_SIZES = ("model_size", "complexity", "n_parameters")
_CLAIMS = ("statistic", "pvalue", "standard_error", "df", "left", "rope", "right", "scale", "critical_difference")
_BOUNDS = ("epsilon_min", "epsilon_min_reverse")  # of almost stochastic order, 1 where nothing is bounded
_OTHERWISE = "the numbers that the test reads do not vary: without spread there is no test."


def without_claim(record: Any, procedure: Procedure, given: Sequence[Any], scores: Scores) -> Any:
    """The record of a procedure that was `given` scores; where these do not vary, one that says so and claims nothing.

    Equal scores are no lack of spread but an answer of their own: a model never differs from itself.
    """
    design = scores.design if isinstance(scores, EvaluationScores) else None
    own = does_not_vary(record.warnings)
    if procedure.takes is procedures.SCORE_VECTORS:
        return _blank_metrics(record) if own else record
    why = _why(procedure, given, design)
    if why and (own or procedure.takes is not procedures.TABLE):  # ranks on data sets count cases too
        return blank(record, why)
    return blank(record, _OTHERWISE) if own and procedure.returns == "test" else record


def does_not_vary(warnings: Sequence[CodedWarning]) -> bool:
    """Whether one of the warnings is that nothing varies."""
    return has_code(warnings, Code.ZERO_VARIANCE)


def has_code(warnings: Sequence[CodedWarning], code: Code) -> bool:
    """Whether one of the warnings has a code."""
    return code.name in map(attrgetter("code"), warnings)


def of_sizes(scores: Scores, metric: str, found: Mapping[str, Any]) -> Outcome:
    """The outcome of a row without a test: of sizes that do not vary whether the first model is smaller or larger."""
    warnings = found["warnings"]
    if not is_size(scores, metric) or not does_not_vary(warnings) or has_code(warnings, Code.DIFFERENT_UNITS):
        return Outcome.NOT_COMPARABLE
    return Outcome.SMALLER if found["mean_a"] < found["mean_b"] else Outcome.LARGER


def is_size(scores: Scores, metric: str) -> bool:
    """Whether a metric is a number of each model, such as its size."""
    named = scores.read_as[metric] if isinstance(scores, EvaluationScores) else metric
    return named in _SIZES or bool(units(scores.provenance, metric))


def _why(procedure: Procedure, given: Sequence[Any], design: Design | None) -> str:
    """That the scores do not vary, in words; empty where they do, and where a procedure counts cases as they are."""
    if counts_cases(procedure, design):
        return ""
    cases = "data sets" if design is None else design.cases
    if procedure.takes in _OF_PAIRS:
        a, b = (np.asarray(one, dtype=np.float64).ravel() for one in given[:2])
        if design is not None and (design.apart or procedure.name == "welch_t_test"):
            if min(a.size, b.size) < 2 or not (still(a, b, a) and still(a, b, b)) or still(a, b, np.r_[a[0], b[0]]):
                return ""
            same = "all runs of each model have one and the same score, as where seeds change nothing"
            return f"{same} or scores are rounded: that is one run of each, and no test."
        if a.size < 2 or not still(a, b, a - b) or still(a, b, np.r_[0.0, a - b]):
            return ""
        return unvarying(float((a - b).mean()), cases).sentence
    if procedure.takes in _OF_ALL and all_unvarying(np.asarray(given[0], dtype=np.float64)):
        return f"the differences of the models are the same on all {cases}: without spread there is no test."
    return ""


def all_unvarying(table: FloatArray) -> bool:
    """Whether models, the columns, differ, and all of them by the same on all cases."""
    leads = table - table[:, :1]
    return len(table) > 1 and all(still(table, table, lead) for lead in leads.T) and not still(table, table, leads)


def unvarying(difference: float, cases: str) -> CodedWarning:
    """The warning of the test of a pair whose difference is the same on all cases."""
    known = numbers.short(difference, 5, signed=True)
    said = f"the difference is the same, {known}, on all {cases}: without spread there is no test."
    return Code.ZERO_VARIANCE(said) if difference else zero_variance(difference)


def counts_cases(procedure: Procedure, design: Design | None) -> bool:
    """Whether a procedure counts cases, each of which is evidence without any spread."""
    return procedure.name in _COUNT_CASES and (design is None or design.kind != "folds")


def still(a: FloatArray, b: FloatArray, values: FloatArray) -> bool:
    """Whether numbers made of the scores `a` and `b` vary by no more than the rounding of these."""
    with np.errstate(over="ignore", invalid="ignore"):
        spread, largest = np.ptp(values), max(np.abs(a).max(), np.abs(b).max())
        if not ROUNDING * largest < spread <= SINGLE * largest:
            return bool(spread <= ROUNDING * largest)
        scores = np.concatenate((a.ravel(), b.ravel()))
        return bool((scores.astype(np.float32) == scores).all() and (scores != np.rint(scores)).any())


def blank(record: Any, why: str) -> Any:
    """The record without numbers that rest on a spread; of several p-values without those below 1."""
    changes: dict[str, Any] = {}
    for name in (one.name for one in fields(record)):
        value = getattr(record, name)
        if name.startswith("pvalue") and isinstance(value, np.ndarray):
            changes[name] = np.where(value < 1, np.nan, value)
        elif name.startswith(("pvalue", "statistic_")) or (name in _CLAIMS and isinstance(value, float)):
            changes[name] = float("nan")
        elif name in _BOUNDS:
            changes[name] = 1.0
        elif name == "verdict":
            changes[name] = "undecided"
    others = (one for one in record.warnings if one.code != Code.ZERO_VARIANCE.name)
    return replace(record, **changes, warnings=(*others, Code.ZERO_VARIANCE(why)))


def _blank_metrics(record: Any) -> Any:
    """The record on several metrics without the p-values of those whose differences do not vary."""
    still = {name for one in record.warnings if one.code == Code.ZERO_VARIANCE.name for name in one.about}
    if not hasattr(record, "pvalues"):
        return replace(record, pvalue=float("nan"))
    pvalues = np.where([name in still for name in record.metrics], np.nan, record.pvalues)
    pvalue, tested = float("nan"), not np.isnan(pvalues).all()
    if tested and hasattr(record, "pvalues_unadjusted"):
        pvalue = float(np.nanmin(pvalues))
    elif tested and record.pvalue >= (1.0 if record.alternative == "two-sided" else 0.5):
        pvalue = record.pvalue  # the largest of all is no less, since on some metric the claimed model is not ahead
    return replace(record, pvalues=pvalues, pvalue=pvalue)


FIRST, SECONDARY, ALL, ASKED = "first", "secondary", "all", "asked"


def level_within(n: int, alpha: float, correction: str) -> float:
    """The confidence level of each interval of a family of `n` comparisons."""
    share = float(max(n, 1))
    if correction == "none":
        share = 1.0
    elif correction == "fdr_by":  # whose first step is smaller
        share *= float(np.sum(1 / np.arange(1, max(n, 1) + 1)))
    return 1 - alpha / share


def families_of(metrics: Sequence[str], first: str, family: str = FIRST) -> dict[str, tuple[str, ...]]:
    """The metrics of each family by its name; the first family is about the metric `first`."""
    if family in (ALL, ASKED):
        return {ALL: tuple(metrics)}
    at = metrics.index(choose_metric(first, tuple(metrics), "primary"))
    others = (*metrics[:at], *metrics[at + 1 :])
    return {FIRST: (first,), **({SECONDARY: others} if others else {})}


def limits_of(record: Any, level: float) -> Ends:
    """The ends of the interval of a record at a level; nan where it has none, or no resample that it is drawn from."""
    if not hasattr(record, "confidence_interval") or does_not_vary(record.warnings):
        return float("nan"), float("nan")
    try:
        interval = record.confidence_interval(level)
    except ValueError:  # the metric is not defined on every resample
        return float("nan"), float("nan")
    return float(interval.low), float(interval.high)


def is_extended(row: Any) -> bool:
    """Whether the interval of a row of a family was drawn out to the null, which the record's own one leaves out."""
    decided_alone = row.record is not None and row.pvalue_adjusted == row.pvalue_adjusted  # and not by looks
    if row.outcome is not Outcome.UNDECIDED or not decided_alone or row.null not in (row.low, row.high):
        return False
    low, high = limits_of(row.record, row.confidence_level)
    return not low <= row.null <= high


def decided(
    pair: Pair,
    pvalue: float,
    lead: float,
    ends: Ends,
    level: float,
    *,
    alpha: float = ALPHA,
    alternative: str = "two-sided",
    null: float = 0.0,
    widest: float = np.inf,
) -> dict[str, Any]:
    """The fields of the row of a pair that its family decides: by the adjusted p-value, and an interval that agrees.

    `lead` is positive where ``a - b`` is above the null hypothesis; `widest` as in `as_decided`.
    """
    above = alternative == "greater" if alternative != "two-sided" else lead > 0
    outcome = Outcome.NOT_COMPARABLE if pvalue != pvalue else Outcome.UNDECIDED
    if pvalue < alpha and above:
        outcome = Outcome.NOT_WORSE if null < 0 else Outcome.BETTER
    elif pvalue < alpha:
        outcome = Outcome.NOT_BETTER if null > 0 else Outcome.WORSE
    low, high, cut = numbers.as_decided(*ends, null=null, significant=outcome.significant, above=above, widest=widest)
    return {
        "pvalue_adjusted": pvalue,
        "outcome": outcome,
        "winner": {Outcome.BETTER: pair[0], Outcome.WORSE: pair[1]}.get(outcome),
        "low": low,
        "high": high,
        "open_at_null": cut,
        "confidence_level": level,
    }


# Whether a family of comparisons could have a significant difference at all.


def least_of(record: Any) -> Least | float:
    """The smallest p-value that a test could have given in a family: 0 where nothing bounds it."""
    least = record._least() if hasattr(record, "_least") else None
    return float(has_code(record.warnings, Code.NO_DIFFERENCE)) if least is None else least


def with_least(
    rows: Sequence[ComparisonRow], correction: str, alpha: float, n: int, others: Callable[[], Iterable[Any]] = tuple
) -> list[ComparisonRow]:
    """The rows of a family of `n`, with CANNOT_REJECT where it keeps the smallest adjusted p-value above the level.

    The number that it names is the first with which all comparisons that have fewer would be significant.
    """
    found, known, family, most = list(rows), list[int](), list[Least | float](), 0.0
    for i, row in enumerate(rows):
        if row.record is not None and row.pvalue == row.pvalue:
            known.append(i)
            family.append(least := least_of(row.record))
            most = max(most, least.pvalue if isinstance(least, Least) else 0.0)
    if n < 2 or not most or (correction == "holm" and n * most < alpha):  # adjusted it is at most n times its own
        return found
    family += others()
    distinct = {id(one): one for one in family}
    which = np.searchsorted(sorted(distinct), [*map(id, family)])

    @cache
    def with_cases(n: int, resamples: bool) -> list[float]:
        """The smallest adjusted p-values where each has so many cases, or resamples, at least."""
        of_distinct = np.array([_at(distinct[key], n, resamples) for key in sorted(distinct)])
        return adjusted(of_distinct[which], correction)[0].tolist()  # type: ignore[no-any-return]

    def enough(place: int, resamples: bool, n: int) -> bool:
        return with_cases(n, resamples)[place] < alpha

    for place, (i, one) in enumerate(zip(known, family, strict=False)):
        if isinstance(one, Least) and not enough(place, False, 0):
            said = one.cannot(partial(enough, place, one.what == RESAMPLE), len(family), alpha)
            kept = (warning for warning in rows[i].warnings if warning.code != said.code)
            found[i] = replace(rows[i], warnings=(*kept, said))
    return found


def _at(one: Least | float, n: int, resamples: bool) -> float:
    if not isinstance(one, Least):
        return one
    return one.pvalue if n <= one.n or resamples != (one.what == RESAMPLE) else min(1.0, one.at(n))
