"""Comparisons in groups of samples, and whether a difference is another one in a group than elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from math import isfinite, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skcompare._core import validation
from skcompare._core.numbers import as_decided, counted, decimals_of_difference, interval, listed, number, pvalue
from skcompare._core.record import Record, Rows, Table, clearest
from skcompare._core.text import adjustment
from skcompare._core.warnings import Code, Warnings
from skcompare.comparison import table as comparisons
from skcompare.comparison.cases import LOST, cases
from skcompare.comparison.compare import compare, run_procedure
from skcompare.comparison.stopping import stopped
from skcompare.comparison.table import ALPHA, ComparisonTable, Outcome
from skcompare.inference import TTestResult, welch_t_test
from skcompare.inference._distributions import t_limits, t_pvalue
from skcompare.inference._multiplicity import CORRECTIONS
from skcompare.inference._records import Correction, corrected_t, paired_differences
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.measures import has_sample_values, is_mean, restricted

if TYPE_CHECKING:
    from skcompare._core.frames import DataFrame

# Whether a difference is another one in a group of samples than elsewhere.


_RESAMPLES = 2_000


class Apart(NamedTuple):
    """A difference in a group minus that elsewhere.

    Attributes
    ----------
    estimate, error, df : float
        Its standard error, and the degrees of freedom of that: inf of a normal distribution. nan where it is not known.
    """

    estimate: float = np.nan
    error: float = np.nan
    df: float = np.inf

    @property
    def pvalue(self) -> float:
        """Of the hypothesis that it is 0; without spread there is no test of another one."""
        if not self.error:
            return np.nan if self.estimate else 1.0
        return t_pvalue(self.estimate / self.error, self.df, "two-sided")

    def limits(self, level: float) -> tuple[float, float]:
        """Its interval."""
        return (np.nan, np.nan) if self.pvalue != self.pvalue else t_limits(*self, tail=(1 - level) / 2)


def interaction(inside: EvaluationScores, elsewhere: EvaluationScores, metric: str, a: str, b: str) -> Apart:
    """A difference in a group minus that elsewhere.

    Of folds by the default t test of the design on the differences of the differences, split by split; of means over
    samples by Welch's test, in clusters with their variance; otherwise by the normal distribution from the two standard
    errors.
    """
    if inside.design.kind == "folds":
        return _on_folds(inside, elsewhere, metric, a, b)
    named = has_sample_values(inside, metric) or is_mean(inside, metric)
    if inside.design.kind == "items" or named:
        return _of_means(cases(inside, (metric,)), cases(elsewhere, (metric,)), metric, a, b)
    parts = [_estimated(part, metric, a, b) for part in (inside, elsewhere)]
    return Apart(parts[0][0] - parts[1][0], sqrt(parts[0][1] ** 2 + parts[1][1] ** 2))


def _on_folds(inside: EvaluationScores, elsewhere: EvaluationScores, metric: str, a: str, b: str) -> Apart:
    one, other = inside.difference(metric, a, b), elsewhere.difference(metric, a, b)
    complete = np.isfinite(one) & np.isfinite(other)
    if complete.sum() < 2:
        return Apart()
    correction = Correction.of(inside.design)
    differences = paired_differences(one[complete], other[complete])
    return _of_test(corrected_t(differences, correction, validation.Hypothesis("two-sided", 0.0)))


def _of_test(test: TTestResult) -> Apart:
    return Apart(test.estimate, 0.0 if comparisons.does_not_vary(test.warnings) else test.standard_error, test.df)


def _of_means(inside: EvaluationScores, elsewhere: EvaluationScores, metric: str, a: str, b: str) -> Apart:
    parts = [part.difference(metric, a, b) for part in (inside, elsewhere)]
    known = [np.isfinite(part) for part in parts]
    one, other = (part[there] for part, there in zip(parts, known, strict=True))
    if min(len(one), len(other)) < 2:
        return Apart()
    if inside.clusters is None or elsewhere.clusters is None:
        return _of_test(welch_t_test(one, other))
    residuals = np.concatenate([(one - one.mean()) / len(one), (other.mean() - other) / len(other)])
    clusters = np.concatenate([inside.clusters[known[0]], elsewhere.clusters[known[1]]])
    sums = np.bincount(np.unique(clusters, return_inverse=True)[1], weights=residuals)
    n, estimate = len(sums), float(one.mean() - other.mean())
    return Apart(estimate, sqrt(n / (n - 1) * float((sums**2).sum())), n - 1) if n > 1 else Apart()


def _estimated(part: EvaluationScores, metric: str, a: str, b: str) -> tuple[float, float]:
    """A difference and its standard error over samples."""
    options: dict[str, Any] = {"procedure": "paired_bootstrap", "n_resamples": _RESAMPLES}
    record = run_procedure(part, metric=metric, a=a, b=b, **({} if metric == "roc_auc" else options))
    return float(record.estimate), float(record.standard_error)


MAX_GROUPS = 20
MAX_CLAIMS = 3
FEW_SAMPLES = 30
_SHARED = ("metric", "a", "b", "mean_a", "mean_b", "estimate", "pvalue", "procedure", "record")


class SubgroupRow(Record):
    """Two models on one metric in one group of samples.

    Attributes
    ----------
    group : str
        The group.
    n : int
        Its samples or items.
    metric, a, b : str
        What was compared.
    mean_a, mean_b : float
        Scores in the group, in the metric's own units.
    estimate, low, high : float
        Difference ``a - b`` in the group, positive where `a` is better, and its interval at `confidence_level`.
    pvalue, pvalue_adjusted : float
        For this row alone, and adjusted over all rows and interactions on the first metric, or on all others.
    outcome : Outcome
        From the adjusted p-value.
    winner : str or None
        The model that is significantly better in the group.
    interaction, interaction_low, interaction_high : float
        The difference ``a - b`` in the group minus that among all other samples, and its interval; nan in the
        second of two groups, where it is that of the first with the other sign.
    interaction_pvalue, interaction_pvalue_adjusted : float
        Of the hypothesis that the two differences are equal.
    procedure : str
        The test in the group.
    warnings : tuple of str
        Reasons to doubt the row.
    record : object
        The record of the test in the group, None where there are no scores to compare.
    confidence_level : float
        Of both intervals: they leave out 0 where the adjusted p-value is below the level of the table.
    open_at_null, interaction_open_at_null : bool
        Whether an interval is cut off at 0, which is no part of it.
    """

    group: str
    n: int
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
    interaction: float
    interaction_low: float
    interaction_high: float
    interaction_pvalue: float
    interaction_pvalue_adjusted: float
    procedure: str
    warnings: Warnings = ()
    record: Any = field(default=None, repr=False)
    confidence_level: float = 1 - ALPHA
    open_at_null: bool = False
    interaction_open_at_null: bool = False

    def _sentence(self) -> str:
        return f"In {self.group} {comparisons.claim(self)} on {self.metric}."


class SubgroupTable(Rows[SubgroupRow]):
    """Comparisons in all groups, and of the groups' differences; those on a family of metrics share an error budget.

    Attributes
    ----------
    rows : tuple of SubgroupRow
        One per group, pair and metric.
    by : str
        What the samples were grouped by.
    sizes : mapping of str to int
        Samples or items of each group.
    correction : str
        How the p-values were adjusted.
    n_hypotheses : int
        Comparisons and interactions that share the error budget of the first row.
    alpha : float
        The level of the outcomes, 0.05.
    """

    rows: tuple[SubgroupRow, ...]
    by: str
    sizes: dict[str, int]
    correction: str
    n_hypotheses: int
    alpha: float = ALPHA

    def to_frame(self) -> DataFrame:
        """The rows as a pandas DataFrame; needs pandas."""
        return comparisons.frame_of_rows(SubgroupRow, self.rows)

    def _sentence(self) -> str:
        several = len({row.metric for row in self.rows}) > 1
        won: dict[tuple[str, str], dict[str, list[str]]] = {}
        apart: dict[str, list[str]] = {}
        for row in self.rows:
            if row.winner is not None:
                over = won.setdefault((row.winner, comparisons.other_of(row, row.winner)), {})
                over.setdefault(row.group, []).append(row.metric)
            if row.interaction_pvalue_adjusted < self.alpha:
                apart.setdefault(row.group, []).append(row.metric)
        claims = [
            f"{winner} is significantly better than {loser} in {_listed(groups, several)}."
            for (winner, loser), groups in list(won.items())[:MAX_CLAIMS]
        ]
        if not claims:
            claims = [f"No difference is significant in any of the {len(self.sizes)} groups by {self.by}."]
        said = "No group's difference is significantly unlike that of the other samples."
        if apart:
            said = f"The difference is significantly unlike that of the other samples in {_listed(apart, several)}."
        budget = f"p adj. has {adjustment(self.correction)} over {self.n_hypotheses} comparisons and interactions"
        return " ".join([*claims, said, f"{budget}."])

    def _tables(self) -> list[Table]:
        """The differences in the groups, and those of the groups' differences; a single pair is the heading."""
        names = ["metric"] if len({(row.a, row.b) for row in self.rows}) == 1 else ["metric", "a", "b"]
        rows = clearest(self.rows)
        named = [[getattr(row, name) for name in names] for row in rows]
        inside, apart = list[list[str]](), list[list[str]]()
        for row, own in zip(rows, named, strict=True):
            inside.append([row.group, str(row.n), *own, *_cells(row), comparisons.briefly_said(row)])
            if isfinite(row.interaction_pvalue):
                apart.append([row.group, *own, *_cells(row, "interaction_")])
        first = self.rows[0]
        difference = "a - b" if "a" in names else f"{first.a} - {first.b}"
        return [
            Table(("group", "n", *names, difference, "interval", "p adj.", "outcome"), inside),
            Table(("group minus others", *names, difference, "interval", "p adj."), apart),
        ]


def _listed(groups: Mapping[str, Sequence[str]], several: bool) -> str:
    """The first groups, each with its metrics where there are several."""
    shown = [
        f"{group} ({', '.join([*dict.fromkeys(metrics)][:MAX_CLAIMS])})" if several else group
        for group, metrics in groups.items()
    ]
    return listed(shown, MAX_CLAIMS)


def _cells(row: SubgroupRow, part: str = "") -> list[str]:
    """The difference in the group, or that minus the difference among all others, with its interval and p adj."""
    places = decimals_of_difference(row.estimate, row.mean_a, row.mean_b, ends=(row.low, row.high))
    low, high, cut, p = (getattr(row, f"{part}{name}") for name in ("low", "high", "open_at_null", "pvalue_adjusted"))
    estimate = row.interaction if part else row.estimate
    return [number(estimate, places, signed=True), interval(low, high, places, cut=cut), pvalue(p)]


def compare_groups(
    scores: EvaluationScores,
    labels: Any,
    *,
    metrics: str | Sequence[str] | None = None,
    baseline: str | None = None,
    correction: str = "holm",
) -> SubgroupTable:
    """All pairs of models in every group of samples, in the families of `compare`; see `EvaluationResult.by`."""
    validation.check_choice(correction, "correction", CORRECTIONS)
    validation.check_several(scores.estimators)
    if stopped(scores) is not None:
        raise ValueError("groups of a run that was looked at cannot be compared: no p-value allows for the looks")
    if scores.design.kind != "items" and (scores.kept_predictions is None or scores.kept_splits is None):
        raise ValueError(f"groups of samples need predictions; {_remedy(scores)}")
    name, groups, member = _groups(scores, labels)
    of_groups = range(len(groups))
    parts = [restricted(scores, member == i) for i in of_groups]
    others = [None if len(groups) == 2 and i == 1 else restricted(scores, member != i) for i in of_groups]
    tested = np.ones(len(member), dtype=bool)
    if scores.design.kind == "samples" and scores.kept_splits is not None:
        tested = np.isin(np.arange(len(member)), scores.kept_splits.held_out(0))
    sizes = {group: int(tested[member == i].sum()) for i, group in enumerate(groups)}
    known = tuple(metric for metric in scores.metrics if metric in parts[0].metrics)
    asked = validation.choose_metrics(metrics, known)
    rows: list[SubgroupRow] = []
    counted_in: dict[str, int] = {}
    first = scores.metrics[0] if scores.metrics[0] in known else known[0]
    for within in comparisons.families_of(known, first).values():
        if {*within} & {*asked}:
            tables = [compare(part, metrics=within, family=comparisons.ASKED, baseline=baseline) for part in parts]
            found, n = _in_family(tables, parts, others, sizes, correction)
            rows += [row for row in found if row.metric in asked]
            counted_in |= dict.fromkeys(within, n)
    order = {(row.a, row.b): i for i, row in reversed([*enumerate(rows)])}
    rows.sort(key=lambda row: (groups.index(row.group), order[row.a, row.b], asked.index(row.metric)))
    counted = counted_in[rows[0].metric]
    return SubgroupTable(rows=tuple(rows), by=name, sizes=sizes, correction=correction, n_hypotheses=counted)


def _in_family(
    tables: Sequence[ComparisonTable],
    parts: Sequence[EvaluationScores],
    others: Sequence[EvaluationScores | None],
    sizes: Mapping[str, int],
    correction: str,
) -> tuple[list[SubgroupRow], int]:
    """The rows of a family with adjusted p-values and the intervals that say the same, and how many p-values it has."""

    rows, apart = [(i, row) for i, table in enumerate(tables) for row in table], list[Apart]()
    for i, row in rows:
        other = others[i] if row.record is not None else None
        apart.append(Apart() if other is None else interaction(parts[i], other, row.metric, row.a, row.b))
    unsaved = [row.metric in parts[i].provenance.get("unsaved", ()) for i, row in rows]
    unsaved += [own and others[i] is not None for own, (i, _) in zip(unsaved, rows, strict=True)]
    pvalues = [*(row.pvalue for _, row in rows), *(one.pvalue for one in apart)]
    flat, n = comparisons.adjusted(pvalues, correction, unsaved)
    level, groups, found = comparisons.level_within(n, ALPHA, correction), list(sizes), []
    for (i, row), unlike, (p, p_apart) in zip(rows, apart, flat.reshape(2, -1).T.tolist(), strict=True):
        widest = comparisons.widest_difference(parts[i], row.metric)
        group, size = groups[i], sizes[groups[i]]
        few = (Code.APPROXIMATE(f"the group {group!r} has only {counted(size, 'sample')}.", (group,)),)
        lost = (Code.MISSING_SCORES(f"{row.metric} is not tested: {LOST}.", (row.metric,)),)
        told = lost if row.metric in parts[i].lost else row.warnings
        ends = comparisons.limits_of(row.record, level) if row.procedure else (float("nan"),) * 2
        low, high, cut = as_decided(
            *unlike.limits(level), null=0.0, significant=p_apart < ALPHA, above=unlike.estimate > 0, widest=2 * widest
        )
        found.append(
            SubgroupRow(
                group=group,
                n=size,
                **{name: getattr(row, name) for name in _SHARED},
                **comparisons.decided((row.a, row.b), p, row.estimate, ends, level, widest=widest),
                interaction=unlike.estimate,
                interaction_low=low,
                interaction_high=high,
                interaction_open_at_null=cut,
                interaction_pvalue=unlike.pvalue,
                interaction_pvalue_adjusted=p_apart,
                warnings=(*(few if size < FEW_SAMPLES else ()), *told),
            )
        )
    return found, n


def _remedy(scores: EvaluationScores) -> str:
    """Why there are no predictions, and how to get them."""
    if scores.selected is not None:
        return (
            "a search keeps none of its candidates' predictions: evaluate the leading ones, "
            "PairedEvaluator(...).evaluate({name: clone(search.estimator).set_params(**params), ...}, X, y).by(labels)"
        )
    if "source" in scores.provenance:
        return f"{scores.why_no_predictions}: from_predictions takes them"
    how = "predictions kept" if scores.seed_scores is None else "n_seeds=1"
    return f"{scores.why_no_predictions}: evaluate with {how}"


def _groups(scores: EvaluationScores, labels: Any) -> tuple[str, list[str], NDArray[np.intp]]:
    """What the groups are of, their names, and the group of every sample."""
    name = "labels"
    if isinstance(labels, str):
        name = labels
        if labels not in scores.sample_columns:
            known = ", ".join(map(repr, scores.sample_columns)) or "none"
            says = f"labels must be one label per sample, or a column of the samples ({known})"
            raise ValueError(f"{says}; got {validation.came(labels)}")
        labels = scores.sample_columns[labels]
    elif scores.provenance.get("order") == "sample_id" and not hasattr(labels, "iloc"):
        raise ValueError(
            "labels must be a column of the table or a pandas Series with the sample ids as its index, as the samples "
            f"stand in the order of their ids and the table's rows do not; got {type(labels).__name__}"
        )
    labels = validation.by_label(labels, "labels", scores.sample_ids, strict="order" in scores.provenance)
    validation.refuse_masked(labels, "labels")
    found, n = validation.of_dates(np.asarray(labels)), scores.design.n_samples
    if found.ndim != 1 or len(found) != n:
        raise ValueError(f"labels must have one label per sample, {n}; got shape {found.shape}")
    lacking = np.array([x is None or x != x for x in found.tolist()])
    if lacking.any():
        raise ValueError(f"labels must not lack values; got one at position {int(lacking.argmax())}")
    found = found.astype(np.str_) if found.dtype.kind == "O" else found
    groups, member = np.unique(found, return_inverse=True)
    if not 2 <= len(groups) <= MAX_GROUPS:
        raise ValueError(f"labels must make 2 to {MAX_GROUPS} groups; got {len(groups)}. Put numbers into ranges first")
    return name, [str(group) for group in groups.tolist()], member.astype(np.intp)
