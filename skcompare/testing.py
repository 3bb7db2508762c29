"""May a new model replace an old one? An answer, and an assertion for a test suite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isfinite
from typing import Any, Literal

import numpy as np

from skcompare._answers import Comparison
from skcompare._core.document import Document, Documented, Paragraph, as_items, as_warnings, with_sections
from skcompare._core.metrics import label
from skcompare._core.numbers import briefly, counted, listed, number, one_of, some_of
from skcompare._core.record import Record, picked
from skcompare._core.text import adjustment, capital, one_line
from skcompare._core.validation import check_choice, check_null, check_number, choose_metrics
from skcompare._core.warnings import Code, CodedWarning, Warnings, do_not_use
from skcompare.comparison.compare import compare, named_tests
from skcompare.comparison.error_rates import error_rates, fragile_warnings
from skcompare.comparison.pairs import questions_to
from skcompare.comparison.stopping import stopped
from skcompare.comparison.table import ComparisonRow, Outcome, Scores, check_width, does_not_vary
from skcompare.evaluation.cautions import fit_health
from skcompare.evaluation.input import is_classification
from skcompare.evaluation.provenance import part_of
from skcompare.inference._sentences import beyond
from skcompare.reporting import markdown
from skcompare.reporting.columns import places_for, rows_grid
from skcompare.reporting.findings import on_few_splits
from skcompare.reporting.json import FORMAT, strict_json
from skcompare.reporting.opening import caution_of, ends
from skcompare.reporting.short import paragraphs
from skcompare.reporting.words import adjusts
from skcompare.results import EvaluationResult
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.study import StudyScores
from skcompare.study import StudyResult

__all__ = ["NotWorse", "assert_not_worse", "not_worse"]

Verdict = Literal["not worse", "worse", "undecided", "cannot be compared"]


class NotWorse(Documented, Record):
    """Whether a new model is worse than an old one by more than a margin.

    Attributes
    ----------
    new, old : str
        The models.
    verdict : {"not worse", "worse", "undecided", "cannot be compared"}
        "not worse": on every metric the new model is shown not to be worse by more than the margin; "worse": on one of
        them it is shown to be worse by more than the margin; "cannot be compared": it is not shown to be worse, but it
        failed or lacks a score where the old one does not, or predicts only one class where the old one predicts
        several, or its log says that its run broke off; "undecided": none of these, as where the scores do not vary.
        Sizes of the models that are the same on all splits are set beside the margin as they are. Where the result must
        not be used, as with rows in training and test sets, they cannot be compared either.
    comparison : Comparison
        One row per metric: the new model as `a`, the old one as `b`, minus the margin as the null hypothesis.
    reason : str
        Why they cannot be compared, about the new model, or why the result must not be used; empty with another
        verdict.
    forbidden : bool
        Whether the result must not be used.
    warnings : tuple of CodedWarning
        Reasons to doubt all of the comparison; those of single metrics are in its rows.
    """

    new: str
    old: str
    verdict: Verdict
    comparison: Comparison
    reason: str = ""
    forbidden: bool = False
    warnings: Warnings = ()

    def explain(self) -> Document:
        """The answer and all that is behind it: every metric, the test, and all warnings.

        Returns
        -------
        Document
            It prints itself, and can be unfolded in a notebook.
        """
        sections = {
            "The test and what it assumes": as_items("assumes", (f"By {self.comparison.procedure}.", *_ASSUMED)),
            "All warnings": as_warnings(self._warnings()),
        }
        return with_sections(self._document(), sections)

    def to_json(self) -> str:
        """The answer and one row per metric as a line of strict JSON, null where a number is not finite."""
        numbers = ("metric", "estimate", "low", "high", "pvalue_adjusted")
        outcomes = [(Outcome.NOT_COMPARABLE if self.reason else _against_margin(row)).value for row in self.comparison]
        rows = [
            {"margin": -row.null, "outcome": outcome, **picked(row, *numbers)}
            for row, outcome in zip(self.comparison, outcomes, strict=True)
        ]
        told = {"kind": "not_worse", **picked(self, "new", "old", "verdict", "reason"), "line": self._line()}
        head = {"format": FORMAT, **told, **picked(self.comparison, "procedure", "correction", "alpha")}
        return strict_json({**head, "rows": rows, "warnings": self._warnings()})

    def to_markdown(self) -> str:
        """The answer, the table and what it rests on in Markdown, as for a pull request."""
        return markdown.render(self._document())

    def _document(self) -> Document:
        """The answer, one row per metric, what weakens it, and the test."""
        found = self.comparison
        adjusted = f" with {adjustment(found.correction)}" if adjusts(found) else ""
        grid, p = rows_grid(found), "p adj." if adjusts(found) else "p"
        columns = (*(x for x in grid.columns if not self.reason or x.name != "outcome"),)  # the first line has it
        margins = listed(f"{margin:g}" for margin in dict.fromkeys(-row.null for row in found))
        caption = f"{p}: of a loss of {margins}. {grid.caption}".rstrip()
        test = f"{capital(named_tests(found.rows, found.procedure, in_words=True))}{adjusted}."
        said = {"caution": caution_of(self._warnings()), "test": test}
        blocks = (Paragraph(name="answer", text=self._sentence()), replace(grid, columns=columns, caption=caption))
        return Document(title=f"{self.new} against {self.old}", blocks=(*blocks, *paragraphs(said, "More: explain().")))

    def _sentence(self) -> str:
        if self.forbidden:
            return self.reason
        if self.reason:
            return f"{self.new} cannot be compared with {self.old}: it {self.reason}."
        deciding = {"not worse": (Outcome.NOT_WORSE,), "worse": (Outcome.WORSE,)}
        open_ones = (Outcome.UNDECIDED, Outcome.NOT_COMPARABLE)
        rows = [row for row in self.comparison if _against_margin(row) in deciding.get(self.verdict, open_ones)]
        return f"{self._claim(rows)}{'' if len(rows) > 1 else f': {_found(rows[0])}'}."

    def _line(self) -> str:
        """The answer without line breaks, whatever the models are called."""
        return one_line(self._sentence())

    def _assert(self) -> None:
        """AssertionError unless it is not worse."""
        __tracebackhide__ = True
        if self.verdict != "not worse":
            raise AssertionError(self._sentence())

    def _claim(self, rows: Sequence[ComparisonRow]) -> str:
        """What is so, or not known, of the metrics of some rows; the models are named once, whatever the margins."""
        of_margins = dict[float, list[str]]()
        for row in rows:
            of_margins.setdefault(row.null, []).append(label(row.metric))
        (null, metrics), *others = of_margins.items()
        unknown = "It is not decided whether " if self.verdict == "undecided" else ""
        said = beyond(self.new, self.old, "greater" if self.verdict == "not worse" else "less", null)
        more = "".join(f", by more than {-margin:g} on {briefly(names)}" for margin, names in others)
        return f"{unknown}{said} on {briefly(metrics)}{more}"

    def _warnings(self) -> Sequence[CodedWarning]:
        return [*self.warnings, *dict.fromkeys(one for row in self.comparison for one in row.warnings)]


# Of every gate.
_ASSUMED = (
    "The margin was chosen before the scores were seen.",
    "Not worse is claimed where the interval lies above minus the margin, worse where it lies below.",
    "A new model that fails, or predicts one class, where the old one does not is never accepted.",
    "Models with equal scores on all splits are taken for one, unless their predictions are known and differ.",
    "Nothing is said where rows, groups or the target are known in training.",
)


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
        With one of four verdicts. A new model that failed on a split, or lacks a score, where the old one has one, is
        never "not worse": the splits that are left are chosen by its failures. Of a table that is read this holds for
        all that it lacked, an epoch of an item, a failed run or a metric too, and for seeds unless the two share none.
        Runs without names are numbered: fewer of the new model than of the old one are such a lack.
        Nor is a model that predicts only one class on most splits, where the old one predicts several, or whose log
        says that its run broke off, though that of the old one did too. None is, nor worse, where the result must not
        be used.
        Scores that are equal everywhere have no spread: such a model is "not worse" where it predicts the same, and
        undecided where it does not. Without predictions the two are taken for one model, with the warning ASSUMED. On
        one test set the interval decides: it allows for samples on which equal predictions differ.

    Raises
    ------
    ValueError
        If a name is unknown, a margin is lacking or not positive, the test cannot be asked about a margin, or the
        result is of a run that was looked at (`StopRule`) or of a search.

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
    __tracebackhide__ = True  # as below
    if not isinstance(result, (EvaluationResult, StudyResult)):
        raise ValueError(f"result must be an EvaluationResult or a StudyResult; got {type(result).__name__}")
    for name, which in ((new, "new"), (old, "old")):
        check_choice(name, which, result.estimators)
    if new == old:
        raise ValueError(f"new and old must be two different models; got {new!r} twice")
    metrics = choose_metrics(metric, result.metrics, "metric")
    if isinstance(margin, Mapping) and metric is None:
        metrics = choose_metrics([*margin], result.metrics, "margin")
    margins = _margins(margin, metrics, result._scores)
    scores: Scores = result._scores
    for name in () if procedure == "auto" else metrics:
        asked_for = questions_to(scores).find(procedure, {}, metric=name, of_pair=True)
        if not asked_for.takes_null:
            raise ValueError(f"procedure must test a margin, as 'auto' does; {asked_for.name!r} tests no other than 0")
    if stopped(scores) is not None:
        raise ValueError(
            "result must not be a stopped run, whose own verdict is on a difference of 0; got one that was looked at "
            "while it ran: evaluate without stop, or ask test(null=...)"
        )
    if scores.selected is not None:
        raise ValueError(
            "result must not be of the candidates of a search, whose own verdict is on a difference of 0: ask "
            "test(null=...) of one pair"
        )
    asked: dict[str, Any] = {"metrics": metrics, "pair": (new, old), "family": "asked", "correction": "hochberg"}
    null = {name: -width for name, width in margins.items()}
    comparison = Comparison.of(compare(scores, procedure, null=null, **asked))
    outcomes = {*map(_against_margin, comparison)}
    verdict: Verdict = "worse" if Outcome.WORSE in outcomes else "undecided"
    verdict = "not worse" if outcomes <= {Outcome.NOT_WORSE} else verdict
    few = on_few_splits(scores, error_rates(scores, comparison) if isinstance(scores, EvaluationScores) else None)
    forbidden, reason = do_not_use(result.warnings), ""
    if forbidden or verdict != "worse":
        unread = lacks(result, new, old, "unread") if metric is None and not isinstance(margin, Mapping) else ""
        reason = forbidden or _failed(scores, new, old, metrics) or unread or _one_class(scores, new, old)
        reason = reason or _broke_off(result, new)
    return NotWorse(
        new=new,
        old=old,
        verdict="cannot be compared" if reason else verdict,
        comparison=comparison,
        reason=reason,
        forbidden=bool(forbidden),
        warnings=(*few, *fragile_warnings(comparison)),
    )


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
        As in `not_worse`, which has the same answer as a verdict.

    Raises
    ------
    AssertionError
        If it is shown to be worse, cannot be compared, or nothing is decided; the message is the first line of the
        answer.
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
    not_worse(result, new, old, margin=margin, metric=metric, procedure=procedure)._assert()


def _failed(result: Scores, new: str, old: str, metrics: Sequence[str]) -> str:
    """A reason where the new model failed, or lacks a score, and the old one does not; else empty."""
    columns = [result.metric_index(metric) for metric in metrics]
    study = isinstance(result, StudyScores)
    parts = [*result.results.values()] if isinstance(result, StudyScores) else [result]
    scores = result.scores[..., columns] if study else result.scores[None][..., columns]
    lacks_new, lacks_old = (~np.isfinite(scores[:, result.estimators.index(name)]) for name in (new, old))
    failed = np.zeros(lacks_new.shape, dtype=bool)
    for found, part in zip(failed, parts, strict=False):
        new_failed, old_failed = (part.failed[part.estimators.index(name)][:, columns] for name in (new, old))
        found[: len(new_failed)] = new_failed & ~old_failed
    gone = lacks_new & ~lacks_old
    for i, design in enumerate(result.designs if isinstance(result, StudyScores) else (result.design,)):
        if design.kind == "runs":  # a model may have fewer of them, but not none
            gone[i] = lacks_new[i].all(axis=0) & ~lacks_old[i]
    where = np.asarray((failed | gone).any(axis=2))
    which = np.flatnonzero(where.any(axis=1) if study else where[0])
    if not which.size:
        return lacks(result, new, old)
    did, does = ("failed", "did not fail") if failed.any() else ("has no score", "has one")
    if isinstance(result, StudyScores):
        n_all, what, first = len(result.datasets), one_of(result.cases), repr(result.datasets[which[0]])
    else:
        what = {"items": "item", "runs": "run"}.get(result.design.kind, "split")
        n_all, first = result.design.n_splits, f"{what} {which[0]}"
    told = f"{some_of(which.size, n_all, what)}, where {old} {does}"
    return f"{did} on {told}{f'; the first is {first}' if n_all > 1 else ''}"


def lacks(result: Any, new: str, old: str, what: str = "lacking") -> str:
    """A reason where the table of a result lacked scores of the new model that it had of the old one; else empty."""
    known = part_of(part_of(result.provenance, what), new)
    found, whose = part_of(known, old) or part_of(known, ""), old if old in known else "another model"
    if not found:
        return ""
    n = found.get("n")
    scores = counted(n, "score") if isinstance(n, int) else "scores"  # a saved file can hold anything under that name
    return f"lacks {scores} that {whose} has, {'of' if n == 1 else 'the first of'} {found.get('first')}"


def _one_class(result: Scores, new: str, old: str) -> str:
    """A reason where the new model predicts only one class on most splits and the old one does not; else empty."""
    for dataset, part in (result.results if isinstance(result, StudyScores) else {"": result}).items():
        n, n_all, what = _more_of_one_class(part, new, old)
        if 2 * n > n_all:
            where = f" on {n} of {counted(n_all, what)}" if n_all > 1 else ""
            of = f" of {dataset!r}" if dataset else ""
            return f"predicts only one class{where}{of}, where {old} predicts several"
    return ""


def _more_of_one_class(result: EvaluationScores, new: str, old: str) -> tuple[int, int, str]:
    """On how many splits, or fits, of how many the new model alone predicts one class; 0 where that is not known."""
    predicted = result.predicted_counts
    if new in predicted and old in predicted:
        one_new, one_old = ((predicted[name] > 0).sum(axis=1) == 1 for name in (new, old))
        return int((one_new & ~one_old).sum()), result.design.n_splits, "split"
    told = {name: [one for one in fit_health(result.provenance, name) if one.kind == "constant"] for name in (new, old)}
    if not told[new] or not is_classification(result.task):  # of an evaluation that kept no predictions
        return 0, result.design.n_splits, "split"
    n, n_old = told[new][0].n, sum(one.n for one in told[old])
    return max(0, n - n_old), told[new][0].n_fits, "fit" if result.fit_seeds else "split"


def _broke_off(result: EvaluationResult | StudyResult, new: str) -> str:
    """A reason where the log of the new model has items, and says that its run did not come to all; else empty."""
    if isinstance(result, StudyResult) or result.design.kind != "items":
        return ""
    told = any(one.code == Code.MISSING_SCORES.name and new in one.about for one in result.warnings)
    return "broke off before it came to all items" if told else ""


def _margins(margin: float | Mapping[str, float], metrics: Sequence[Any], scores: Scores) -> dict[str, float]:
    """The margin of every metric, less than the largest difference on it."""
    by_metric = margin if isinstance(margin, Mapping) else dict.fromkeys(metrics, margin)
    for name in by_metric:
        check_choice(name, "margin", scores.metrics)
    if lacking := [name for name in metrics if name not in by_metric]:
        raise ValueError(f"margin must name every metric; it lacks {lacking[0]!r}")
    called = {name: f"margin[{name!r}]" if by_metric is margin else "margin" for name in metrics}
    widths = {x: check_number(by_metric[x], called[x], low=0, high=float("inf"), closed="neither") for x in metrics}
    return {x: check_null(check_width(width, called[x], scores, x), name=called[x]) for x, width in widths.items()}


def _against_margin(row: ComparisonRow) -> Outcome:
    """The outcome of a row; sizes of the models that do not vary need no test to be set beside the margin."""
    if row.outcome not in (Outcome.SMALLER, Outcome.LARGER):
        return row.outcome
    return Outcome.NOT_WORSE if row.estimate >= row.null else Outcome.WORSE


def _found(row: ComparisonRow) -> str:
    """What was measured on one metric."""
    estimate = number(row.estimate, places_for([row]), signed=True)
    if does_not_vary(row.warnings):
        return f"{row.a} - {row.b} is {estimate} everywhere, so that no test is possible"
    if row.outcome is Outcome.NOT_COMPARABLE:
        return "they are not comparable"
    if row.low == row.high:
        return f"{row.a} - {row.b} is {estimate} everywhere{', as of one and the same model' * (row.low == 0)}"
    known = isfinite(row.low) or isfinite(row.high)
    return f"{row.a} - {row.b} is {estimate}{f' (95% interval {ends(row, places_for([row]))})' if known else ''}"
