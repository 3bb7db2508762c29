"""A comparison as data: one row per pair of estimators and metric, each with its outcome and its record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from functools import cache
from math import isfinite, isnan
from typing import Any, Generic, TypeVar

import numpy as np

from skcompare._core.numbers import decimals, decimals_of_difference, equal_to, number, percent_of, pvalue
from skcompare._core.record import Record
from skcompare._core.validation import FloatArray
from skcompare._core.warnings import CodedWarning
from skcompare.inference import SignedRankResult, SignTestResult
from skcompare.inference._multiplicity import adjust_pvalues
from skcompare.inference._records import won_or_level
from skcompare.inference._sentences import beyond, compared, from_to

ALPHA = 0.05
Row = TypeVar("Row")


class Outcome(Enum):
    """What the comparison of a first model with a second one says, at the level of its table.

    ``BETTER`` and ``WORSE`` are about the first model, and significant; ``EQUIVALENT`` needs a region of practical
    equivalence; ``UNDECIDED`` is none of the three; ``NOT_COMPARABLE`` where there are no scores to compare, or none
    that vary; ``SMALLER`` and ``LARGER`` of a number of each model, such as its size, that differs by the same on all
    splits, which no test is about; ``NOT_TESTED`` where a sequential verdict decides and no look was at the pair on
    this metric. With a margin as the null hypothesis ``BETTER`` and ``WORSE`` mean by more than it, ``NOT_WORSE`` and
    ``NOT_BETTER`` that the first model is significantly not so by more than it. The `value` of each is the word for it,
    as in tables and JSON.
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


class Rows(Record, Sequence[Row], Generic[Row]):
    """Base of the tables: a record that is a sequence of its rows."""

    __slots__ = ()
    rows: tuple[Row, ...]

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: Any) -> Any:
        return self.rows[index]

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
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
        (without an interval: which holds the difference with a probability above one minus the level); NOT_COMPARABLE
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
    warnings: tuple[CodedWarning, ...] = ()
    procedure: str = ""
    null: float = 0.0
    record: Any = field(default=None, repr=False)
    confidence_level: float = 1 - ALPHA
    open_at_null: bool = False
    fragile: bool = False

    def _sentence(self) -> str:
        if self.outcome is Outcome.NOT_COMPARABLE:
            return f"On {self.metric} {self.a} and {self.b} are not comparable."
        if self.outcome in (Outcome.SMALLER, Outcome.LARGER):
            a, b = (number(mean, decimals((self.mean_a, self.mean_b))) for mean in (self.mean_a, self.mean_b))
            return f"{self.a} is {self.outcome.value} than {self.b} on {self.metric} by the same everywhere ({a}, {b})."
        places = decimals_of_difference(self.estimate, self.mean_a, self.mean_b)
        known = isfinite(self.low) or isfinite(self.high)
        limits = (
            ""
            if not known
            else f" ({percent_of(self.confidence_level)} interval "
            f"{from_to(self.low, self.high, places, signed=True, null=self.null, cut=self.open_at_null)})"
        )
        median = "the median of " if is_median(self.record) else ""
        found = f"{median}{self.a} - {self.b} is {number(self.estimate, places, signed=True)}{limits}"
        p = f", {equal_to('p', self.pvalue)}, adjusted {pvalue(self.pvalue_adjusted)}"
        test = "" if isnan(self.pvalue_adjusted) else p
        return f"{self._claim()} on {self.metric}: {found}{test}."

    def _claim(self) -> str:
        if self.null and (self.outcome.significant or self.outcome is Outcome.UNDECIDED):
            return self._beyond()
        if self.winner is None:
            how = {Outcome.EQUIVALENT: "practically equivalent", Outcome.NOT_TESTED: "not tested"}
            return f"{self.a} and {self.b} are {how.get(self.outcome, 'not significantly different')}"
        return f"{self.winner} is significantly better than {self.b if self.winner == self.a else self.a}"

    def _beyond(self) -> str:
        """The claim about a margin, or that it is not shown."""
        if self.outcome.significant:
            side = "greater" if self.outcome in (Outcome.BETTER, Outcome.NOT_WORSE) else "less"
            return beyond(self.a, self.b, side, self.null)
        return compared(self.a, self.b, self.estimate, 1.0, self.record.alternative, null=self.null)


def seen_from(row: ComparisonRow, a: str) -> ComparisonRow:
    """The row with `a` as its first model."""
    if row.a == a:
        return row
    turned = {Outcome.BETTER: Outcome.WORSE, Outcome.NOT_WORSE: Outcome.NOT_BETTER}
    turned[Outcome.SMALLER] = Outcome.LARGER
    turned |= {after: before for before, after in turned.items()}
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
        outcome=turned.get(row.outcome, row.outcome),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
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


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
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
        Number of comparisons that share the error budget of the first row: those with scores to compare.
    alternative : str
        The alternative of every row's test.
    alpha : float
        The error rate of each family: 0.05 unless another was asked for, of candidates of a search that of its report,
        of a sequential verdict its error rate over all looks.
    costs : tuple of str
        The metrics of which less is better: there the sign of the difference is reversed.
    sequential : bool
        Whether the outcomes are the sequential verdict of an evaluation that was looked at while it ran.
    families : tuple of Family
        The families of the rows, in their order: that of the metric that decides, and that of all others.
    halves : bool
        Whether the design was assumed, so that a fragile claim is one that would not stand if the splits were random
        halves of the data.
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

    @property
    def level(self) -> float:
        """The confidence level of each interval of the first family; all of these together hold at ``1 - alpha``."""
        return self.families[0].level if self.families else 1 - self.alpha


def metrics_by_test(rows: Sequence[ComparisonRow]) -> dict[str, tuple[str, ...]]:
    """The tests of some rows by name, each with its metrics; rows without a test are left out."""
    found: dict[str, dict[str, None]] = {}
    for row in rows:
        if row.procedure:
            found.setdefault(row.procedure, {})[row.metric] = None
    return {test: tuple(metrics) for test, metrics in found.items()}


def is_median(record: Any) -> bool:
    """Whether the estimate of a record is a median over the cases, which is not the difference of the means."""
    return isinstance(record, (SignedRankResult, SignTestResult))


def plain_row(row: Any) -> dict[str, Any]:
    """The fields of a row of a table, which are plain values, by name."""
    kind: Any = type(row)
    return {name: getattr(row, name) for name in _plain_fields(kind)}


@cache
def _plain_fields(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind) if field.repr)


def outcome_of(
    pvalue: float, lead: float, alternative: str = "two-sided", *, alpha: float = ALPHA, null: float = 0.0
) -> Outcome:
    """What an adjusted p-value says at a level; `lead` is positive where ``a - b`` is above the null hypothesis."""
    if pvalue < alpha:
        if alternative != "two-sided":
            lead = 1.0 if alternative == "greater" else -1.0
        if lead > 0:
            return Outcome.NOT_WORSE if null < 0 else Outcome.BETTER
        return Outcome.NOT_BETTER if null > 0 else Outcome.WORSE
    if pvalue != pvalue:
        return Outcome.NOT_COMPARABLE
    return Outcome.UNDECIDED


def mean_score(scores: FloatArray) -> float:
    """The mean of the finite scores, nan where there is none."""
    known = np.isfinite(scores)
    finite = scores if known.all() else scores[known]
    return float(finite.mean()) if finite.size else float("nan")


def wins_and_losses(a: FloatArray, b: FloatArray) -> dict[str, Any]:
    """Wins, ties and losses of `a`, and its probability of superiority; differences by rounding are ties."""
    n = len(a)
    counts = [(np.count_nonzero(won), np.count_nonzero(level)) for _, won, level in won_or_level(a, b)]
    wins, losses = int(sum(won for won, _ in counts)), n - int(sum(level for _, level in counts))
    superiority = (wins + (n - wins - losses) / 2) / n if n else float("nan")
    return {"wins": wins, "ties": n - wins - losses, "losses": losses, "probability_of_superiority": superiority}


def adjusted(pvalues: Sequence[float], correction: str) -> tuple[list[float], int]:
    """P-values adjusted over those that are known, nan where one is not, and the number of known ones."""
    given = np.asarray(pvalues, dtype=np.float64)
    known = ~np.isnan(given)
    result = np.full(given.size, np.nan)
    if known.any():
        result[known] = given[known] if correction == "none" else adjust_pvalues(given[known], correction)
    return result.tolist(), int(known.sum())
