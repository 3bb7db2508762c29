"""Looks at the scores of an evaluation: who is worse while it is under way, and what they decided of all pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from scipy import special

from skcompare._core.numbers import as_decided
from skcompare._core.validation import FloatArray, check_choice
from skcompare._core.warnings import Code, Warnings
from skcompare.comparison import table as comparisons
from skcompare.comparison.cases import known_alike, taken_for_one
from skcompare.comparison.table import ComparisonRow, ComparisonTable, Outcome, Scores
from skcompare.evaluation.metrics.batches import LABEL
from skcompare.evaluation.metrics.scoring import Metric, ScoreTable
from skcompare.evaluation.predictions import Responses, predict_alike
from skcompare.inference import ConfidenceInterval, corrected_t_test, equivalence_test
from skcompare.inference._records import Correction, check_splits
from skcompare.inference.fold_scores.best_set import largest_leads, level_of_pair, pvalues_of_leads
from skcompare.scores.stopping import FIRST_SPLITS, HARDLY, UNLIKELY, Kind, Look, Stopping, StopRule


class SequentialMonitor:
    """The models still in, and what was decided of the others.

    Parameters
    ----------
    rule : StopRule
        When to decide.
    names : sequence of str
        The models, in the order of the scores.
    metrics : sequence of Metric
        What is scored; of a single callable its names are not known before the first fit.
    design : tuple of int
        Repeats and folds of the full evaluation.
    """

    def __init__(
        self, rule: StopRule, names: Sequence[str], metrics: Sequence[Metric], design: tuple[int, int]
    ) -> None:
        self._rule, self._names, self._design = rule, tuple(names), design
        self._metric = metrics[0].name
        if not (len(metrics) == 1 and metrics[0].kind == "scorer"):
            self._choose(metrics)
        self._in = list(range(len(names)))
        self._looks: list[Look] = []
        self._worse: dict[str, int] = {}
        self._unscored: dict[str, int] = {}
        self._unlikely: dict[str, int] = {}
        self._kind: Kind = "undecided"
        self._over = False
        self._n_repeats = 0
        self._alike: Callable[[int, int], bool | None] = lambda _i, _j: None

    def observe(self, table: ScoreTable, predicted: Callable[[int], Iterable[Responses]]) -> list[int]:
        """`look` at the metric that decides; `predicted` gives the predictions of a model."""
        m = self._choose(table.metrics)
        scores, labels = table.scores[:, :, m], table.metrics[m].reads == LABEL
        self._alike = lambda i, j: predict_alike(predicted(i), predicted(j), labels=labels)
        return self.look(scores if table.metrics[m].greater_is_better else -scores)

    def look(self, scores: FloatArray) -> list[int]:
        """Take the scores after another repeat.

        Parameters
        ----------
        scores : ndarray of shape (n_models, n_splits)
            On all splits so far, greater better; nan where there is none.

        Returns
        -------
        list of int
            The models to be fitted in the next repeat; empty when the evaluation is over.
        """
        self._n_repeats += 1
        if self._n_repeats >= self._rule.repeats_before_look(self._design[1]):
            scored = np.isfinite(scores[self._in]).any(axis=0)  # the others have no score at all: nobody's fault
            self._leave_unscored(scores[:, scored])
            while self._decide(scores[:, scored]):
                pass
        self._over |= len(self._in) < 2 or self._n_repeats == self._design[0]
        if self._over:
            return []
        return list(self._in) if self._rule.drop else list(range(len(self._names)))

    def record(self, warnings: Warnings = ()) -> Stopping:
        """What was decided, and when; `warnings` are those that forbid any conclusion."""
        repeats, folds = self._design
        return Stopping(
            kind=self._kind,
            names=tuple(self._names[i] for i in self._in),
            metric=self._metric,
            looks=tuple(self._looks),
            worse=dict(self._worse),
            unscored=dict(self._unscored),
            unlikely=dict(self._unlikely),
            n_models=len(self._names),
            n_folds=folds,
            n_repeats=self._n_repeats,
            min_repeats=self._rule.repeats_before_look(folds),
            max_repeats=repeats,
            alpha=self._rule.alpha,
            rope=self._rule.margin,
            spending=self._rule.spending,
            drop=bool(self._rule.drop),
            warnings=warnings,
        )

    def _choose(self, metrics: Sequence[Metric]) -> int:
        """The position of the metric that decides."""
        names = [metric.name for metric in metrics]
        self._metric = names[0] if self._rule.metric is None else self._rule.metric
        check_choice(self._metric, "metric of stop", names)
        found = names.index(self._metric)
        if metrics[found].kind == "given":
            raise ValueError(f"metric of stop must be measured; got {self._metric!r}, which was given for each model")
        if self._rule.margin is not None:
            comparisons.check_width(self._rule.margin, "margin of stop", np.empty(0), self._metric)
        return found

    def _leave_unscored(self, scores: FloatArray) -> None:
        """Set aside who lacks a score that another has: neither better nor worse, at levels that are for all splits."""
        for i in list(self._in):
            if not scores.shape[1] or not np.isfinite(scores[i]).all():
                self._in.remove(i)
                self._unscored[self._names[i]] = self._n_repeats

    def _decide(self, scores: FloatArray) -> bool:
        """One look at those still in; True where some left and others must be looked at again."""
        kept = scores[self._in]
        if len(kept) < 2 or kept.shape[1] < FIRST_SPLITS:
            return False
        look = self._seen(kept)
        self._looks.append(look)
        if look.equivalence_pvalue is not None and look.equivalence_pvalue < (look.equivalence_level or 0):
            self._kind, self._over = "equivalent", True
            return False
        worse = [i for i, p in zip(self._in, look.pvalues, strict=True) if p < look.level]
        for i in worse:
            self._in.remove(i)
            self._worse[self._names[i]] = self._n_repeats
        # one that was set aside later may have found a model worse
        beaten = any(left > lost for left in self._unscored.values() for lost in self._worse.values())
        if worse and len(self._in) == 1 and not beaten:
            self._kind = "best"
        if not worse and self._rule.drop == "unlikely":
            self._leave_unlikely(kept)
        elif not worse:
            self._over = look.chance is not None and look.chance < HARDLY
        return bool(worse)

    def _leave_unlikely(self, scores: FloatArray) -> None:
        """Set aside who would hardly have the best mean over all splits, by a prediction from those so far."""
        n, n_all = scores.shape[1], self._design[0] * self._design[1]
        if n == n_all:
            return
        corrected, rest = 1 / n + 1 / (self._design[1] - 1), 1 / n - 1 / n_all  # variances of means over a split's
        leads = _leads(scores, 1 / self._design[1]) * (corrected / rest) ** 0.5
        for i, tail in zip(tuple(self._in), special.stdtr(n - 1, -leads), strict=True):
            if tail < UNLIKELY:
                self._in.remove(i)
                self._unlikely[self._names[i]] = self._n_repeats

    def _seen(self, scores: FloatArray) -> Look:
        """The p-values of the models still in, and the levels of this look."""
        fraction = 1 / self._design[1]
        names = tuple(self._names[i] for i in self._in)
        position = self._n_repeats - self._rule.repeats_before_look(self._design[1])
        n_models = len(names) + len(self._unlikely)
        levels = self._rule.levels(self._design, n_models)
        information = float(levels.information[position])
        leads, df = _leads(scores, fraction), scores.shape[1] - 1
        adjusted = pvalues_of_leads(leads, df, np.full(len(names), n_models))
        all_splits = self._design[0] * self._design[1]
        last = level_of_pair(float(levels.levels[-1]) * levels.n_comparisons, all_splits - 1, n_models)
        chance = _chance(float(special.stdtr(df, -leads.max())), last / 2, information)
        equivalence_level = equivalence_pvalue = None
        if self._rule.margin is not None:
            n_pairs = comb(len(self._names), 2)
            one_sided = self._rule.levels(self._design, len(self._names), one_sided=True)
            equivalence_level = float(one_sided.levels[position]) * n_pairs
            pvalue = self._largest_pvalue(scores, self._rule.margin, fraction)
            equivalence_pvalue = min(1.0, n_pairs * pvalue)
            chance = max(chance, _chance(pvalue, one_sided.levels[-1], information))
        return Look(
            repeat=self._n_repeats,
            information=information,
            level=float(levels.levels[position]) * levels.n_comparisons,
            names=names,
            pvalues=np.where(leads > 0, adjusted, 1.0),
            equivalence_level=equivalence_level,
            equivalence_pvalue=equivalence_pvalue,
            chance=chance,
        )

    def _largest_pvalue(self, scores: FloatArray, rope: float, fraction: float) -> float:
        """Of all pairs, the largest p-value of the hypothesis that two models are not equivalent."""
        if np.ptp(scores.mean(axis=1)) >= rope:
            return 1.0
        largest = 0.0
        for (i, a), (j, b) in combinations(zip(self._in, scores, strict=True), 2):
            test = equivalence_test(a, b, margin=rope, test_fraction=fraction)
            equal = comparisons.has_code(test.warnings, Code.NO_DIFFERENCE)  # a claim where predictions are equal too
            untested = comparisons.does_not_vary(test.warnings) or (equal and self._alike(i, j) is False)
            largest = max(largest, 1.0 if untested else test.pvalue)
        return largest


def _chance(tail: float, level: float, information: float) -> float:
    """The probability that a one-sided p-value is below `level` after the last repeat, predicted from the one now."""
    if information == 1 or not level > 0:
        return 0.0
    reach = special.ndtri(level) * information**0.5 - special.ndtri(tail)
    return float(special.ndtr(reach / (1 - information) ** 0.5))


def _leads(scores: FloatArray, fraction: float) -> FloatArray:
    """The largest corrected t of another model over each one; a lead that does not vary is no evidence."""
    table = check_splits(scores.T, True, None)
    return largest_leads(table, Correction(test_fraction=fraction), certain=False).statistics


# ---- after the last look -------------------------------------------------------------------------------------


def stopped(scores: Scores) -> Stopping | None:
    """The verdict of an evaluation that was looked at while it ran."""
    return scores.stopping if scores.stopping is not None and scores.stopping.looks else None


def check_of_looks(procedure: str, named: str, alternative: str, rope: Any) -> None:
    """ValueError where a run that was looked at is asked another question than its looks have answered."""
    own = procedure == "auto" or named == corrected_t_test.__name__
    for name, wanted, got, fits in (
        ("procedure", "'auto'", procedure, own),
        ("alternative", "'two-sided'", alternative, alternative == "two-sided"),
        ("margin", "None", rope, rope is None),
    ):
        if not fits:
            raise ValueError(
                f"{name} must be {wanted} for a stopped run, whose own verdict is that of its looks; got {got!r:.80}: "
                "ask test() of one pair"
            )


def by_looks(table: ComparisonTable, scores: Scores, stopping: Stopping) -> ComparisonTable:
    """The table with what the looks decided, at their error rate."""
    unadjusted = (replace(row, pvalue_adjusted=np.nan, open_at_null=False) for row in table)
    rows = tuple(_decided(row, scores, stopping) for row in unadjusted)
    n_tested = sum(row.outcome.tested for row in rows)
    level = 1 - stopping.alpha / max(n_tested, 1)
    looked = comparisons.Family(name="first", metrics=(stopping.metric,), n=n_tested, level=level)
    return replace(table, rows=rows, n_hypotheses=n_tested, alpha=stopping.alpha, sequential=True, families=(looked,))


def _decided(row: ComparisonRow, scores: Scores, stopping: Stopping) -> ComparisonRow:
    """The row with the outcome that the looks decided, and the interval of the look that decided, or of the last one.

    Repeated confidence intervals (Jennison and Turnbull 1989): at the level of each look they hold at all looks
    together, as the tests do. Of pairs that were not looked at there is none.
    """
    elsewhere = row.metric != stopping.metric
    still = row.outcome is Outcome.NOT_COMPARABLE and comparisons.does_not_vary(row.warnings)
    if not row.outcome.tested and not (still and elsewhere):
        return row
    looks = [look for look in stopping.looks if {row.a, row.b} <= {*look.names}]
    untested = replace(row, outcome=Outcome.NOT_TESTED, winner=None, low=np.nan, high=np.nan)
    if elsewhere or not looks:
        return untested
    outcome, winner, equivalent = Outcome.UNDECIDED, None, stopping.kind == "equivalent"
    equivalent = equivalent and {row.a, row.b} <= {*stopping.names}
    for look in looks[-1:] if equivalent else looks:
        n_splits = look.repeat * stopping.n_folds
        sides = [scores.oriented(name, row.metric)[:n_splits] for name in (row.a, row.b)]
        kept = np.isfinite(sides).all(axis=0)
        test = corrected_t_test(sides[0][kept], sides[1][kept], test_fraction=1 / stopping.n_folds)
        error = level_of_pair(look.level, int(test.df), stopping.n_compared(look))
        if equivalent:  # by two one-sided tests
            outcome, error = Outcome.EQUIVALENT, 2 * (look.equivalence_level or 0) / comb(stopping.n_models, 2)
            equal = comparisons.has_code(test.warnings, Code.NO_DIFFERENCE)
            if equal and known_alike(scores, row.metric, row.a, row.b) is None:
                row = replace(row, warnings=(*row.warnings, taken_for_one(scores, row.metric)))
        elif test.standard_error > 0 and test.pvalue < error:
            won, lost = (row.a, row.b) if test.estimate > 0 else (row.b, row.a)
            if look.pvalues[look.names.index(lost)] < look.level:  # looks count steps of scores as variation too
                outcome, winner = (Outcome.BETTER if won == row.a else Outcome.WORSE), won
                break
    if winner is None and not {*stopping.unscored}.isdisjoint((row.a, row.b)):
        return untested  # nothing is said of a model that lacks scores
    interval = test.confidence_interval(1 - error) if 0 < error < 1 else ConfidenceInterval(low=-np.inf, high=np.inf)
    low, high, _ = as_decided(
        interval.low,
        interval.high,
        null=0.0,
        significant=winner is not None,
        above=winner == row.a,
        widest=comparisons.widest_difference(scores, row.metric),
    )
    return replace(row, outcome=outcome, winner=winner, low=low, high=high, confidence_level=1 - error)
