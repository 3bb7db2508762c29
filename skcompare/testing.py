"""May a new model replace an old one? An answer, and an assertion for a test suite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from skcompare._answers import Comparison
from skcompare._core.html import Table
from skcompare._core.names import choose_metrics
from skcompare._core.printable import one_line
from skcompare._core.record import Record
from skcompare._core.validation import check_choice, check_number
from skcompare._core.words import briefly
from skcompare.comparison.compare import compare
from skcompare.comparison.stopping import stopped
from skcompare.comparison.table import ComparisonRow, Outcome
from skcompare.inference._kinds import beyond
from skcompare.reporting._words import numbers
from skcompare.reporting.markdown import escape
from skcompare.results import EvaluationResult
from skcompare.study import StudyResult

__all__ = ["NotWorse", "assert_not_worse", "not_worse"]

Verdict = Literal["not worse", "worse", "undecided"]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class NotWorse(Record):
    """Whether a new model is worse than an old one by more than a margin.

    Attributes
    ----------
    new, old : str
        The models.
    verdict : {"not worse", "worse", "undecided"}
        "not worse": on every metric the new model is shown not to be worse by more than the margin; "worse": on one of
        them it is shown to be worse by more than the margin; "undecided": neither.
    comparison : Comparison
        One row per metric: the new model as `a`, the old one as `b`, minus the margin as the null hypothesis.
    """

    new: str
    old: str
    verdict: Verdict
    comparison: Comparison

    def to_markdown(self) -> str:
        """The sentence, the table and the warnings in Markdown, as for a pull request."""
        return f"{escape(self._sentence())}\n\n{self._details()}"

    def _details(self) -> str:
        """The table and the warnings in Markdown."""
        warnings = "\n".join(f"- {escape(one_line(warning))}" for warning in self._warnings())
        return "\n\n".join(filter(None, [self.comparison.to_markdown(), warnings]))

    def _sentence(self) -> str:
        deciding = {"not worse": (Outcome.NOT_WORSE,), "worse": (Outcome.WORSE,)}
        open_ones = (Outcome.UNDECIDED, Outcome.NOT_COMPARABLE)
        rows = [row for row in self.comparison if row.outcome in deciding.get(self.verdict, open_ones)]
        claims = "; ".join(self._claim(rows, margin) for margin in dict.fromkeys(-row.null for row in rows))
        claims = f"It{claims[2:]}" if self.verdict == "undecided" else claims
        return f"{claims}{'' if len(rows) > 1 else f': {_found(rows[0])}'}."

    def _claim(self, rows: Sequence[ComparisonRow], margin: float) -> str:
        metrics = briefly([row.metric for row in rows if row.null == -margin])
        if self.verdict == "undecided":
            return f"it is not decided whether {beyond(self.new, self.old, 'less', -margin)} on {metrics}"
        return (
            f"{beyond(self.new, self.old, 'greater' if self.verdict == 'not worse' else 'less', -margin)} on {metrics}"
        )

    def _tables(self) -> list[Table]:
        return self.comparison._tables()

    def _warnings(self) -> Sequence[str]:
        return self.comparison._warnings()


def not_worse(
    result: EvaluationResult | StudyResult,
    new: str,
    old: str,
    *,
    margin: float | Mapping[str, float],
    metric: str | Sequence[str] | None = None,
    procedure: str = "auto",
) -> NotWorse:
    """Is a new model worse than an old one by more than a margin (non-inferiority)?

    Per metric the hypothesis ``new - old = -margin`` is tested, two-sided at 5%: the new model is not worse where the
    95% interval lies above minus the margin, worse where it lies below, and otherwise nothing is decided. This is the
    usual one-sided test of non-inferiority at 2.5%; the other 2.5% are for the other answer.

    The metrics share the 5% by Hochberg's method. It rejects all hypotheses where each p-value is below 5%, so that a
    new model that is not worse on every metric pays nothing for their number, as in an intersection-union test (Berger
    1982), which holds whatever the metrics are; for a claim about one of several metrics the p-value is adjusted, which
    is valid for metrics that depend on each other in the usual ways (Simes' inequality).

    Parameters
    ----------
    result : EvaluationResult or StudyResult
        With scores of both models.
    new, old : str
        The models.
    margin : float or mapping of metric to float
        The largest loss that does not matter, in score units, positive. Choose it before the scores are seen.
    metric : str or sequence of str, optional
        By default those that `margin` names, or all metrics of the result.
    procedure : str, default="auto"
        A test that takes a null hypothesis other than 0, as in `EvaluationResult.compare`.

    Returns
    -------
    NotWorse
        With one of three verdicts.

    Raises
    ------
    ValueError
        If a name is unknown, a margin is lacking or not positive, the test cannot be asked about a margin, or the
        result is of a run that was looked at (`StopRule`).

    See Also
    --------
    assert_not_worse : the same, for a test suite.

    References
    ----------
    R. L. Berger (1982), Multiparameter hypothesis testing and acceptance sampling, Technometrics 24(4), 295-300,
    :doi:`10.2307/1267823`.

    Y. Hochberg (1988), A sharper Bonferroni procedure for multiple tests of significance, Biometrika 75(4), 800-802,
    :doi:`10.1093/biomet/75.4.800`.

    Examples
    --------
    >>> from skcompare import from_predictions
    >>> from skcompare.testing import not_worse
    >>> y_true = [1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0] * 10
    >>> new = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 0] * 10
    >>> old = [1, 1, 0, 1, 0, 0, 0, 1, 0, 0, 1, 1] * 10
    >>> result = from_predictions(y_true, {"new": new, "old": old}, scoring="accuracy")
    >>> not_worse(result, "new", "old", margin=0.05).verdict
    'not worse'
    >>> not_worse(result, "old", "new", margin=0.05).verdict
    'worse'
    """
    if not isinstance(result, (EvaluationResult, StudyResult)):
        raise ValueError(f"result must be an EvaluationResult or a StudyResult; got {type(result).__name__}")
    for name, which in ((new, "new"), (old, "old")):
        check_choice(name, which, result.estimators)
    if new == old:
        raise ValueError(f"new and old must be two different models; got {new!r} twice")
    metrics = choose_metrics(metric, result.metrics, "metric")
    if isinstance(margin, Mapping) and metric is None:
        metrics = choose_metrics([*margin], result.metrics, "margin")
    margins = _margins(margin, metrics, result.metrics)
    if stopped(result) is not None:
        raise ValueError(
            "result must not be a stopped run, whose own verdict is on a difference of 0; got one that was looked at "
            "while it ran: evaluate without stop, or ask test(null=...)"
        )
    comparison = Comparison.of(
        compare(
            result,
            procedure,
            metrics=metrics,
            correction="hochberg",
            null={name: -width for name, width in margins.items()},
            pair=(new, old),
        )
    )
    outcomes = [row.outcome for row in comparison]
    verdict: Verdict = "worse" if Outcome.WORSE in outcomes else "undecided"
    if all(outcome is Outcome.NOT_WORSE for outcome in outcomes):
        verdict = "not worse"
    return NotWorse(new=new, old=old, verdict=verdict, comparison=comparison)


def assert_not_worse(
    result: EvaluationResult | StudyResult,
    new: str,
    old: str,
    *,
    margin: float | Mapping[str, float],
    metric: str | Sequence[str] | None = None,
    procedure: str = "auto",
) -> None:
    """Fail unless a new model is shown not to be worse than an old one by more than a margin, on every metric.

    Parameters
    ----------
    result : EvaluationResult or StudyResult
        With scores of both models.
    new, old : str
        The models.
    margin : float or mapping of metric to float
        The largest loss that does not matter, in score units, positive.
    metric : str or sequence of str, optional
        By default those that `margin` names, or all metrics of the result.
    procedure : str, default="auto"
        As in `not_worse`, which has the same answer in three verdicts.

    Raises
    ------
    AssertionError
        If it is shown to be worse, and if nothing is decided; the message is the first line of the answer.
    ValueError
        As `not_worse`.

    See Also
    --------
    not_worse : the answer itself, and how it is found.

    Examples
    --------
    >>> from skcompare import from_predictions
    >>> from skcompare.testing import assert_not_worse
    >>> y_true = [1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0] * 10
    >>> new = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 0] * 10
    >>> old = [1, 1, 0, 1, 0, 0, 0, 1, 0, 0, 1, 1] * 10
    >>> result = from_predictions(y_true, {"new": new, "old": old}, scoring="accuracy")
    >>> assert_not_worse(result, "new", "old", margin=0.05)
    """
    __tracebackhide__ = True  # pytest then shows the line of the test
    found = not_worse(result, new, old, margin=margin, metric=metric, procedure=procedure)
    if found.verdict != "not worse":
        raise AssertionError(found._sentence())


def _margins(margin: float | Mapping[str, float], metrics: Sequence[Any], known: Sequence[str]) -> dict[str, float]:
    """The margin of every metric."""
    if not isinstance(margin, Mapping):
        return dict.fromkeys(metrics, _checked(margin, "margin"))
    for name in margin:
        check_choice(name, "margin", known)
    lacking = [name for name in metrics if name not in margin]
    if lacking:
        raise ValueError(f"margin must name every metric; it lacks {lacking[0]!r}")
    return {name: _checked(margin[name], f"margin[{name!r}]") for name in metrics}


def _checked(margin: Any, name: str) -> float:
    return check_number(margin, name, low=0, high=float("inf"), closed="neither")


def _found(row: ComparisonRow) -> str:
    """What was measured on one metric."""
    if row.outcome is Outcome.NOT_COMPARABLE:
        return "they are not comparable"
    shown = numbers(row)
    return f"{row.a} - {row.b} is {shown['estimate']} (95% interval {shown['interval']})"
