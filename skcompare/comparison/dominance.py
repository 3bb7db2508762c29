"""Several metrics at once: dominance of one model over another one, and the Pareto front of all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import lru_cache, partial
from itertools import compress, count, repeat
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from skcompare import inference
from skcompare._core import validation
from skcompare._core.design import Design
from skcompare._core.numbers import counted, equal_to, percent, pvalue, uncertain
from skcompare._core.record import Record, Rows, Table, clearest
from skcompare._core.text import adjustment
from skcompare._core.validation import Checked, check_choice, check_several, choose_metrics, choose_pair, choose_pairs
from skcompare._core.warnings import Code, CodedWarning, Warnings
from skcompare.comparison import cases
from skcompare.comparison.cases import JointScores, Rope
from skcompare.comparison.compare import CORRECTION, compare
from skcompare.comparison.error_rates import not_calibrated
from skcompare.comparison.table import ALPHA, ComparisonRow, Outcome, Pair, Scores, adjusted, frame_of_rows
from skcompare.inference import DominanceTestResult, ParetoFront, format_statement, pareto_front
from skcompare.inference._kinds import Compared, with_names
from skcompare.inference._multiplicity import CORRECTIONS
from skcompare.inference._records import ROUNDING, Correction
from skcompare.inference.dominance.likelihood_ratio import case_warnings, many_dominance, smallest_pvalue
from skcompare.inference.dominance.network import MAX_NETWORK_METRICS
from skcompare.inference.dominance.statements import MAX_METRICS, MORE_PROBABLE, statement_of
from skcompare.scores.evaluation import UNTIMED, EvaluationScores, is_judged, once, units
from skcompare.scores.measures import check_measured
from skcompare.scores.predictions import MissingEvidenceError
from skcompare.scores.study import StudyScores

if TYPE_CHECKING:
    from skcompare._core.frames import DataFrame

# Joint verdicts as data: one row per pair of estimators, under one error budget.


class DominanceRow(Record):
    """Two estimators on several metrics at once.

    Attributes
    ----------
    a, b : str
        The estimators.
    metrics : tuple of str
        The metrics, in the order of a statement.
    statement : tuple of bool or None
        The most frequent statement, True where `a` is better; None where the two most frequent are tied.
    pvalue : float
        Of the likelihood-ratio test, for this pair alone.
    pvalue_adjusted : float
        Adjusted over all pairs of the table.
    established : bool or None
        Whether each part of the statement is significant by its own comparison, at 5% for the comparisons of all pairs
        on all metrics together; None where the pair has no scores in common. The p-values are those of another
        question: which pattern of wins is the most frequent on single splits.
    most_probable : tuple of bool or None
        The statement with the largest posterior probability.
    probability : float
        That probability.
    n_effective : float
        The number of independent cases that the splits are worth.
    smallest_pvalue : float
        The smallest adjusted p-value that any pattern of wins could have had on so many.
    stands_out : bool
        Whether the statement is more probable than not, and names no winner on a metric on which the other model is
        ahead; words name no other one.
    warnings : tuple of str
        Reasons to doubt the row.
    """

    a: str
    b: str
    metrics: tuple[str, ...]
    statement: tuple[bool, ...] | None = None
    pvalue: float = nan
    pvalue_adjusted: float = nan
    established: bool | None = None
    most_probable: tuple[bool, ...] | None = None
    probability: float = nan
    n_effective: float = 0.0
    smallest_pvalue: float = field(default=1.0, repr=False)
    stands_out: bool = field(default=False, repr=False)
    warnings: Warnings = ()

    def within_reach(self, alpha: float = ALPHA) -> bool:
        """Whether any pattern of wins on so many cases could be significant among all pairs."""
        return self.smallest_pvalue < alpha

    def _sentence(self) -> str:
        pair = f"{self.a} against {self.b}"
        if self.statement is None:
            return f"{pair}: no pattern of wins is more frequent than all others."
        if not self.stands_out:
            return f"{pair}: no pattern of wins stands out."
        found = format_statement(self.statement, self.metrics, a=self.a, b=self.b)
        test, sure = equal_to("p adj.", self.pvalue_adjusted), percent(uncertain(self.probability), words=True)
        tested = f"dominance test {test}, posterior probability {sure}"
        return f"{pair}: the most frequent pattern of wins is {found} ({tested}); {parts(self)}."


class DominanceTable(Rows[DominanceRow]):
    """The joint verdicts of all pairs, under one error budget.

    Attributes
    ----------
    rows : tuple of DominanceRow
        One per pair.
    correction : str
        How the p-values were adjusted.
    n_hypotheses : int
        Number of pairs that share the error budget.
    """

    rows: tuple[DominanceRow, ...]
    correction: str
    n_hypotheses: int

    def to_frame(self) -> DataFrame:
        """The rows as a pandas DataFrame, statements in words; needs pandas."""
        frame = frame_of_rows(DominanceRow, self.rows)
        for column in ("statement", "most_probable"):
            frame[column] = [
                None if said is None else format_statement(said, row.metrics, a=row.a, b=row.b)
                for said, row in zip(frame[column], self.rows, strict=True)
            ]
        return frame

    def _tables(self) -> list[Table]:
        rows = []
        for row in clearest(self.rows):
            said, sure = "none stands out", ""
            if row.statement is not None and row.stands_out:
                said = format_statement(row.statement, row.metrics, a=row.a, b=row.b)
                sure = percent(uncertain(row.probability), words=True)
            rows.append([row.a, row.b, said, pvalue(row.pvalue), pvalue(row.pvalue_adjusted), parts(row), sure])
        return [Table(("a", "b", "most frequent pattern of wins", "p", "p adj.", "by itself", "posterior"), rows)]

    def _sentence(self) -> str:
        if len(self.rows) == 1:
            return str(self.rows[0]._sentence())
        n_found = sum(row.established is True for row in self.rows)
        n = f"{n_found or 'none'} of {counted(len(self.rows), 'pair')}"
        over = f"{adjustment(self.correction)} over {counted(self.n_hypotheses, 'pair')}"
        each = f"Every metric of the most frequent pattern of wins is significant by itself for {n}."
        return f"{each} The p-values of the dominance test have {over}."


def dominance_said(pvalue: float, *, within_reach: bool, n_pairs: int = 1) -> str:
    """What the dominance test says of a pattern, so that it can stand beside its probability, which knows no others."""
    if not within_reach:
        return "too few cases for a significant dominance test"
    known = equal_to("adjusted p" if n_pairs > 1 else "p", pvalue)
    sure = "" if pvalue < ALPHA else "not "
    return f"{sure}significantly the most frequent pattern: dominance test {known}"


def parts(row: DominanceRow) -> str:
    """Whether each part of a statement is significant by its own comparison."""
    if row.statement is None:
        return "not comparable" if row.established is None else "no pattern leads"
    return "each part is significant" if row.established else "not each part is significant"


# The options of each method.
METHODS: dict[str, tuple[str, ...]] = {
    "glrt": ("statement",),
    "dirichlet": ("prior",),
    "network": ("structure", "n_draws", "rng"),
    "table": ("baseline", "correction"),
}
_TOGETHER = "the test of several metrics together"
_MANY_SPLITS = 1000  # more are hardly worth more independent cases
JointRecord = inference.DominanceTestResult | inference.DominancePosterior | inference.DominanceNetworkResult


def check_options(method: str, options: Mapping[str, Any]) -> None:
    """Raise ValueError for an unknown method, or an option that it does not have."""
    check_choice(method, "method", tuple(METHODS))
    for option in options:
        if option not in METHODS[method]:
            raise ValueError(f"{option} is no option of method {method!r}, which takes {', '.join(METHODS[method])}")


def dominance(
    scores: Scores,
    method: str = "glrt",
    *,
    metrics: Sequence[str] | None = None,
    a: str | None = None,
    b: str | None = None,
    correct_folds: bool = True,
    rope: Rope = None,
    **options: Any,
) -> JointRecord | DominanceTable:
    """One pair by one method, with every warning about the scores; see `EvaluationResult.dominance`."""
    check_options(method, options)
    if method == "table":
        if a is not None or b is not None:
            says = f"a and b must be left out where method is 'table', which is of all pairs; got {a!r}, {b!r}"
            raise ValueError(says)
        return dominance_table(scores, metrics=metrics, correct_folds=correct_folds, rope=rope, **options)
    a, b = choose_pair(a, b, scores.estimators)
    most = MAX_NETWORK_METRICS if method == "network" else MAX_METRICS
    names = cases.check_metric_count(cases.choose_case_metrics(scores, metrics), most)
    if not isinstance(correct_folds, bool):
        raise ValueError(f"correct_folds must be True or False; got {validation.came(correct_folds)}")
    joint, n_effective = joint_cases(scores, names, a, b, rope, correct_folds=correct_folds)
    (first, second), options = joint.values, {"metrics": names, "n_effective": n_effective, **options}
    record: JointRecord
    if method == "network":
        record = inference.dominance_network(first, second, rope=joint.rope, **{"rng": scores.seed, **options})
    else:
        counts = inference.dominance_counts(first, second, rope=joint.rope)
        test = inference.dominance_test if method == "glrt" else inference.dominance_posterior
        record = test(counts, **options)
    warnings, few = [*record.warnings, *joint.warnings], Code.CANNOT_REJECT.name
    if n_effective is not None:  # with how many repeats can in place of how many cases
        remedy = partial(_too_few, scores, names, a, b, n_effective)
        warnings = [remedy() if warning.code == few else warning for warning in warnings]
        if method == "dirichlet" and smallest_pvalue(n_effective, folds=True) > ALPHA:
            warnings.append(remedy(" in the likelihood-ratio test"))
    return with_names(record, Compared(a=a, b=b), warnings=tuple(dict.fromkeys(warnings)))


def pattern_of(scores: Scores, a: str, b: str) -> tuple[DominanceTestResult, float, float] | None:
    """The most frequent pattern of wins of two models on all metrics that both have, with its posterior probability.

    The last number is the share of all cases that are known to have it; a case with a tie, which the test splits, or
    without a score has no pattern.

    None where there are fewer than two such metrics or too many, or the splits are in time order, in which wins are no
    independent cases.
    """
    if isinstance(scores, EvaluationScores) and scores.design.time_order:
        return None
    try:
        metrics = _common_metrics(scores, cases.case_metrics(scores, scores.metrics), a, b)
        if not 2 <= len(metrics) <= MAX_METRICS:
            return None
        joint, n_effective = joint_cases(scores, metrics, a, b, None)
        test, posterior = _tested(joint, n_effective, metrics)
    except ValueError:  # independent runs, no score in common, or sizes that are the same everywhere
        return None
    ahead = np.ones(joint.values.shape[1], dtype=np.bool_)
    for x, y, rope, won in zip(*joint.values.swapaxes(1, 2), joint.rope, test.statement or repeat(True), strict=False):
        ahead &= (x - y if won else y - x) > rope + ROUNDING * np.maximum(np.abs(x), np.abs(y))
    probability = float(posterior.probabilities.max()) if posterior.statement == test.statement else nan
    return test, probability, float(ahead.sum() / joint.complete.size)


def _tested(
    joint: JointScores, n_effective: float | None, metrics: tuple[str, ...]
) -> tuple[DominanceTestResult, inference.DominancePosterior]:
    a, b = map(Checked, joint.values)  # which are finite
    counts = inference.dominance_counts(a, b, rope=joint.rope)
    test = inference.dominance_test(counts, n_effective, metrics=metrics)
    return test, inference.dominance_posterior(counts, n_effective=n_effective, metrics=metrics)


def among_pairs(scores: Scores, metrics: tuple[str, ...], a: str, b: str, rope: Rope = None) -> DominanceRow:
    """The row of a pair on some metrics among all pairs, where there is one the row that the reports show."""
    reported = [None] if rope is None and len(scores.metrics) <= MAX_METRICS else []
    for of in [*reported, metrics]:
        (row,) = [row for row in dominance_table(scores, metrics=of, rope=rope) if {row.a, row.b} == {a, b}]
        if row.metrics == metrics:
            break
    return row


def joint_cases(
    scores: Scores, names: tuple[str, ...], a: str, b: str, rope: Rope, *, correct_folds: bool = True
) -> tuple[JointScores, float | None]:
    """The cases of two models with every warning about them, and the number of independent ones that they are worth.

    Data sets, items and samples of one test set are independent cases, of which the number is None; in clusters they
    are worth as many as there are clusters, and folds fewer than there are, unless they are not to be corrected.
    """
    check_measured(scores, names, "metrics")
    if isinstance(scores, StudyScores):
        return cases.joint_datasets(scores, names, (a, b), rope), None
    of_cases = cases.cases(scores, names)
    joint = cases.joint_scores(of_cases, names, (a, b), rope)
    warnings = joint.warnings
    for name in names:
        warnings += scores.score_warnings(name, a, b)
    if of_cases.design.kind in ("items", "runs"):
        return replace(joint, warnings=warnings), of_cases.design.n_clusters
    if correct_folds:
        correlation = Correction.of(scores.design).fold_correlation
        n_effective = min(inference.effective_cases(joint.values.shape[1], correlation), joint.n_distinct)
        return replace(joint, warnings=(*warnings, *not_calibrated(scores, _TOGETHER, *names))), n_effective
    uncorrected = Code.INDEPENDENCE(
        "the folds of one data set were counted as independent cases; on 10x10 folds "
        "about half of all true nulls are rejected that way."
    )
    return replace(joint, warnings=(*warnings, uncorrected)), None


@once
def dominance_table(
    scores: Scores,
    *,
    metrics: Sequence[str] | None = None,
    baseline: str | None = None,
    correction: str = "holm",
    correct_folds: bool = True,
    rope: Rope = None,
) -> DominanceTable:
    """The likelihood-ratio test and the posterior of every pair; see `EvaluationResult.dominance`.

    Without `metrics` each pair of an evaluation has those that both have scores of, and one of a study all.
    """
    check_choice(correction, "correction", CORRECTIONS)
    check_several(scores.estimators)
    names = cases.choose_case_metrics(scores, metrics)
    of_all = metrics is not None or isinstance(scores, StudyScores)
    if of_all:
        cases.check_metric_count(names)
    pairs = choose_pairs(baseline, scores.estimators)
    together = _rows_together(scores, names, pairs, rope) if correct_folds else {}
    rows = []
    for a, b in pairs:
        row = together.get((a, b))
        if row is None:
            own = names if of_all else _common_metrics(scores, names, a, b)
            row = _row(scores, own, a, b, rope, correct_folds=correct_folds)
        rows.append(row)
    flat, n_hypotheses = adjusted([row.pvalue for row in rows], correction)
    pvalues = flat.tolist()
    if scores.selected is not None:
        n_hypotheses, correction = scores.selected.n_pairs, CORRECTION
        pvalues = [min(n_hypotheses * row.pvalue, 1.0) for row in rows]
    compared: dict[tuple[str, str], dict[str, ComparisonRow]] = {}
    for one in compare(scores, metrics=None if metrics is None else names, baseline=baseline, correction=correction):
        compared.setdefault((one.a, one.b), {})[one.metric] = one
    folds = correct_folds and isinstance(scores, EvaluationScores) and scores.design.kind == "folds"
    return DominanceTable(
        rows=tuple(
            replace(
                row,
                pvalue_adjusted=p,
                smallest_pvalue=n_hypotheses * smallest_pvalue(row.n_effective, folds=folds),
                established=None if p != p else _established(row, compared[row.a, row.b], scores.provenance),
                stands_out=row.most_probable == row.statement
                and stands_out(row, (row.a, row.b), row.probability, compared[row.a, row.b].values()),
                warnings=_among_pairs(scores, row, n_hypotheses, folds=folds),
            )
            for row, p in zip(rows, pvalues, strict=True)
        ),
        correction=correction,
        n_hypotheses=n_hypotheses,
    )


def _rows_together(
    scores: Scores, metrics: tuple[str, ...], pairs: Sequence[tuple[str, str]], rope: Rope
) -> dict[tuple[str, str], DominanceRow]:
    """The rows as by `_row` of pairs on folds that lack no score; empty where times are read."""
    if not isinstance(scores, EvaluationScores) or scores.design.kind != "folds" or scores.clusters is not None:
        return {}
    given = [is_judged(scores.provenance, metric) for metric in metrics]
    counted_in = [units(scores.provenance, metric) for metric in metrics]
    if all(given) or any(counted_in) or len(metrics) > MAX_METRICS or {*cases.times_of(scores)} & {*metrics}:
        return {}
    complete = {name for name in scores.estimators if scores.has_all((name,), metrics)}
    pairs = [pair for pair in pairs if complete.issuperset(pair)]
    widths, position = cases.rope_widths(rope, metrics, scores), {name: i for i, name in enumerate(scores.estimators)}
    columns = [scores.metric_index(metric) for metric in metrics]
    values = np.nan_to_num(scores.oriented_scores[:, :, columns])  # of models that are in none of the pairs
    pairs = [(a, b) for a, b in pairs if not cases.all_still(values[position[a]], values[position[b]])]
    if not pairs:
        return {}
    n = scores.design.n_splits
    n_effective = min(inference.effective_cases(n, Correction.of(scores.design).fold_correlation), n)
    a, b = np.array([[position[a], position[b]] for a, b in pairs]).T
    found = many_dominance(values, a, b, n_effective, [widths.get(metric, 0.0) for metric in metrics])
    m, raw = len(metrics), np.full(2 ** len(metrics), n / 2 ** len(metrics))
    few = tuple(case_warnings(raw, n_effective, raw, folds=True, fixed=False))
    by_design = not_calibrated(scores, _TOGETHER, *metrics)
    statements = [*(statement_of(i, m) for i in range(2**m)), None]  # the last one is number -1
    told = {name: [scores.score_warnings(metric, name) for metric in metrics] for name in complete}
    of_pair = {(a, b): [w for both in zip(told[a], told[b], strict=True) for of in both for w in of] for a, b in pairs}
    lists = (found.statement, found.pvalue, found.most_probable, found.probability, found.n_effective, found.tied)
    return {
        (a, b): DominanceRow(
            a=a,
            b=b,
            metrics=metrics,
            statement=statements[statement],
            pvalue=p,
            most_probable=statements[probable],
            probability=probability,
            n_effective=total,
            warnings=tuple(dict.fromkeys((*few, *of_pair[a, b], *by_design))),
        )
        for (a, b), statement, p, probable, probability, total, tied in zip(
            pairs, *(values.tolist() for values in lists), strict=True
        )
        if not tied
    }


def _row(scores: Scores, metrics: tuple[str, ...], a: str, b: str, rope: Rope, *, correct_folds: bool) -> DominanceRow:
    """The test and the posterior of a pair, not adjusted yet; where it has no scores in common only its warnings."""
    if isinstance(scores, EvaluationScores):
        columns = [scores.metrics.index(metric) for metric in metrics]
        if not scores.has_all((a, b), metrics) and not _known(scores, a, b)[:, columns].all(axis=1).any():
            found = (warning for metric in metrics for warning in scores.score_warnings(metric, a, b))
            return DominanceRow(a=a, b=b, metrics=metrics, warnings=tuple(dict.fromkeys(found)))
    try:
        joint, n_effective = joint_cases(scores, metrics, a, b, rope, correct_folds=correct_folds)
    except MissingEvidenceError as error:
        return DominanceRow(a=a, b=b, metrics=metrics, warnings=(Code.MISSING_SCORES(f"{error}.", (a, b)),))
    test, posterior = _tested(joint, n_effective, metrics)
    return DominanceRow(
        a=a,
        b=b,
        metrics=metrics,
        statement=test.statement,
        pvalue=test.pvalue,
        most_probable=posterior.statement,
        probability=float(posterior.probabilities.max()),
        n_effective=test.n_effective,
        warnings=tuple(dict.fromkeys((*test.warnings, *joint.warnings))),
    )


def stands_out(
    pattern: DominanceRow | DominanceTestResult, pair: Pair, probability: float, rows: Iterable[ComparisonRow]
) -> bool:
    """Whether a pattern is more probable than not, with no winner on a metric on which the other model is ahead.

    It is of a `pair`, which some of the `rows` compare, metric by metric.
    """
    if pattern.statement is None or not probability >= MORE_PROBABLE:
        return False
    won = dict(zip(pattern.metrics, pattern.statement, strict=True))
    for row in rows:
        if row.metric in won and {row.a, row.b} == {*pair}:
            lead = row.estimate if row.a == pair[0] else -row.estimate
            if lead != 0 and (lead > 0) != won[row.metric]:
                return False
    return True


def _established(row: DominanceRow, rows: Mapping[str, ComparisonRow], provenance: Mapping[str, Any]) -> bool:
    """Whether every part of the statement is significant among all comparisons, or given."""
    wanted = {True: Outcome.BETTER, False: Outcome.WORSE}
    return row.statement is not None and all(
        is_judged(provenance, metric) or rows[metric].outcome is wanted[bool(wins)]
        for metric, wins in zip(row.metrics, row.statement, strict=True)
    )


def _among_pairs(scores: Scores, row: DominanceRow, n_pairs: int, *, folds: bool) -> Warnings:
    """The warnings of a row, of which that of too few cases allows for all pairs."""
    if row.pvalue != row.pvalue or n_pairs * smallest_pvalue(row.n_effective, folds=folds) <= ALPHA:
        return row.warnings
    among = f" adjusted over {n_pairs:,} pairs by Bonferroni" if n_pairs > 1 else ""
    few = _too_few(scores, row.metrics, row.a, row.b, row.n_effective, among, n_pairs, folds=folds)
    return (few, *(warning for warning in row.warnings if warning.code != few.code))


def _too_few(
    scores: Scores,
    metrics: tuple[str, ...],
    a: str,
    b: str,
    n_effective: float,
    among: str = "",
    n_pairs: int = 1,
    *,
    folds: bool = True,
) -> CodedWarning:
    """That no pattern of wins of two models can be significant on so many cases, and what can."""
    few = f"{counted(f'{n_effective:.3g}', 'independent case')} cannot give p < {ALPHA:g}{among}, even if all agree"
    design = scores.design if folds and isinstance(scores, EvaluationScores) else None
    if design is None or design.kind != "folds":
        enough = next(n for n in count(1) if n_pairs * smallest_pvalue(n, folds=folds) <= ALPHA)
        return Code.CANNOT_REJECT(f"{few}; {enough} can.")
    if n_effective <= 1 and _do_not_vary(scores, metrics, a, b):
        return Code.CANNOT_REJECT(f"{few}; differences that do not vary are one case on any number of splits.")
    return Code.CANNOT_REJECT(f"{few}; {_enough_folds(replace(design, class_counts=()), n_pairs)}.")


def _do_not_vary(scores: Scores, metrics: tuple[str, ...], a: str, b: str) -> bool:
    """Whether the differences of two models are the same on all of several splits."""
    assert isinstance(scores, EvaluationScores)
    columns = [scores.metric_index(metric) for metric in metrics]
    there = _known(scores, a, b)[:, columns].all(axis=1)
    sides = (scores.oriented_scores[scores.estimators.index(name)][there][:, columns] for name in (a, b))
    return bool(there.sum() > 1) and cases.all_still(*sides)


@lru_cache(maxsize=64)
def _enough_folds(design: Design, n_pairs: int) -> str:
    """How many splits of a design give enough cases, in words."""
    partition = design.partition
    step = design.n_folds if partition else 1
    for n in range(1, _MANY_SPLITS // step + 1):
        correlation = Correction.of(replace(design, n_repeats=n) if partition else design).fold_correlation
        worth = min(n * step, inference.effective_cases(n * step, correlation))
        if n_pairs * smallest_pvalue(worth, folds=True) <= ALPHA:
            return f"{counted(n, 'repeat')} of {step} folds can" if partition else f"{n} such splits can"
    return f"no number of {f'repeats of {step} folds' if partition else 'such splits'} can, take more folds"


def _common_metrics(scores: Scores, names: tuple[str, ...], a: str, b: str) -> tuple[str, ...]:
    """Those of some metrics of which both models have a score; all where they share none."""
    if isinstance(scores, EvaluationScores) and not scores.has_all((a, b), names):
        known = np.any(_known(scores, a, b)[:, [*map(scores.metric_index, names)]], axis=0)
        names = tuple(compress(names, known)) or names
    return cases.check_metric_count(names)


def _known(scores: EvaluationScores, a: str, b: str) -> NDArray[np.bool_]:
    """Where two estimators have a difference, shape (n_splits, n_metrics)."""
    scores_a, scores_b = (scores.oriented_scores[scores.estimators.index(name)] for name in (a, b))
    with np.errstate(invalid="ignore", over="ignore"):  # of scores that are not finite
        return np.asarray(np.isfinite(scores_a - scores_b))


# Which models no other one dominates on the mean scores.


def front(
    scores: Scores, *, metrics: Sequence[str] | None = None, rope: Rope = None, n_draws: int = 10_000, rng: Any = None
) -> ParetoFront:
    """The Pareto front; see `EvaluationResult.pareto_front` and `StudyResult.pareto_front`."""
    names = default_metrics(scores) if metrics is None else choose_metrics(metrics, scores.metrics)
    draws: dict[str, Any] = {"n_draws": n_draws, "rng": scores.seed if rng is None else rng, "metrics": names}
    if isinstance(scores, StudyScores):
        joint = cases.joint_datasets(scores, names, scores.estimators, rope)
        better = [scores.greater_is_better[scores.metric_index(name)] for name in names]
        values = np.where(better, joint.values, -joint.values)
        record = pareto_front(values, better, rope=joint.rope, names=joint.names, **draws)
        return replace(record, warnings=tuple(dict.fromkeys((*record.warnings, *joint.warnings))))
    found, lacking = of_cases(scores, names)
    found, about_clusters = cases.by_cluster(found) if found.design.kind == "items" else (found, ())
    there = np.isfinite(found.oriented_scores[:, :, [*map(found.metric_index, names)]])
    known: NDArray[np.bool_] = np.all(np.any(there, axis=1), axis=1)
    joint = cases.joint_scores(found, names, [*compress(found.estimators, known)], rope, ratios=True)
    draws |= Correction.of(found.design).options
    record = pareto_front(joint.values, rope=joint.rope, names=joint.names, **draws)
    warnings = [*([lacking] if lacking else record.warnings), *about_clusters]
    for name in compress(found.estimators, ~known):
        warnings += [Code.MISSING_SCORES(f"{name!r} has no score of some of these metrics and is left out.", (name,))]
    warnings += [*joint.warnings, *(one for name in names for one in scores.score_warnings(name, *joint.names))]
    means = np.array([[found.score(model, name)[joint.complete].mean() for name in names] for model in joint.names])
    return replace(record, means=means, warnings=tuple(dict.fromkeys(warnings)))


def default_metrics(scores: Scores) -> tuple[str, ...]:
    """All metrics, but of one test set those that are means over its samples, where there are several."""
    try:
        names = cases.choose_case_metrics(scores, None, means=True)
    except MissingEvidenceError:
        return scores.metrics
    return names if len(names) > 1 else scores.metrics


def of_cases(scores: EvaluationScores, names: tuple[str, ...]) -> tuple[EvaluationScores, CodedWarning | None]:
    """The scores of the cases, or those of the one test set and why there are no probabilities."""
    if scores.design.kind == "folds":
        return scores, None
    if scores.design.apart:
        of_means = "there are no probabilities: independent runs of two models have no case in common."
        means = np.nanmean(scores.scores, axis=1, keepdims=True)
        design = replace(scores.design, n_repeats=1, n_splits=1, n_runs=(1,) * len(means))
        found = replace(scores, scores=means, design=design, fit_times=UNTIMED, score_times=UNTIMED)
        return found, Code.MISSING_SCORES(of_means, names)
    try:
        return cases.cases(scores, cases.choose_case_metrics(scores, names, means=True)), None
    except MissingEvidenceError as error:
        return scores, Code.MISSING_SCORES(f"there are no probabilities: {error}.", names)
