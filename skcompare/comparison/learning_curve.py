"""Comparisons with training sets of several sizes, tested from the full size downward."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import fields, replace
from itertools import combinations, pairwise
from math import inf, isfinite, isnan, log, nan
from typing import Any

import numpy as np

from skcompare._core.metrics import label
from skcompare._core.numbers import percent_of
from skcompare._core.record import Record
from skcompare._core.validation import check_number, choose_metric, choose_metrics, choose_pair
from skcompare._core.warnings import Warnings, do_not_use
from skcompare.comparison import table as comparisons
from skcompare.comparison.answer import Answer, answer_of
from skcompare.comparison.compare import compare, run_procedure
from skcompare.comparison.pairs import lead
from skcompare.comparison.table import ALPHA, ComparisonRow, ComparisonTable
from skcompare.scores.evaluation import EvaluationScores, is_unsaved, once
from skcompare.scores.study import LearningCurveScores


class SizeRow(ComparisonRow):
    """Two models on one metric, with training sets of one size; a row of `EvaluationResult.compare` but for the sizes.

    Attributes
    ----------
    size : int
        Training samples, the mean over the splits.
    pvalue_adjusted : float
        The largest p-value at this size or a larger one, times the pairs and metrics of its family.
    """

    size: int

    def _sentence(self) -> str:
        return f"With {self.size} training samples {self._claim()} on {self.metric}."


class SizeComparison(ComparisonTable):
    """Comparisons of all pairs on all metrics at all sizes of the training sets, from the full size downward.

    Attributes
    ----------
    rows : tuple of SizeRow
        One per metric, pair and size.
    sizes : tuple of int
        Training samples.
    n_hypotheses : int
        Pairs and metrics that share the error budget of the first row; by another correction than Holm's or
        Bonferroni's also the sizes.
    """

    rows: tuple[SizeRow, ...]
    sizes: tuple[int, ...]


def compare_sizes(
    curve: LearningCurveScores,
    procedure: str = "auto",
    *,
    metrics: str | Sequence[str] | None = None,
    baseline: str | None = None,
    correction: str = "holm",
) -> SizeComparison:
    """All pairs of models on several metrics at all sizes; see `LearningCurveResult.compare`."""
    asked = metrics if metrics is None or isinstance(metrics, str) else tuple(metrics)
    tables = _tables(curve, procedure, asked, baseline, correction)
    first, rows = next(iter(tables.values())), list[SizeRow]()
    for size, table in tables.items():
        rows += (SizeRow(size=size, **{one.name: getattr(row, one.name) for one in fields(row)}) for row in table)
    order = {metric: i for i, metric in enumerate(dict.fromkeys(row.metric for row in first))}
    pairs = {(row.a, row.b): i for i, row in reversed([*enumerate(first)])}
    rows.sort(key=lambda row: (order[row.metric], pairs[row.a, row.b], row.size))
    own = {one.name: getattr(first, one.name) for one in fields(first)}
    return SizeComparison(**own | {"rows": tuple(rows), "sizes": curve.sizes})


@once
def answers(curve: LearningCurveScores) -> dict[int, Answer]:
    """The answer at every size, by the comparisons from the full size downward."""
    forbidden = do_not_use(curve.warnings)
    found = {size: answer_of(curve.results[size], table) for size, table in default_tables(curve).items()}
    return {size: replace(own, forbidden=forbidden or own.forbidden) for size, own in found.items()}


def default_tables(curve: LearningCurveScores) -> dict[int, ComparisonTable]:
    """By size the comparisons that the answers are made of."""
    return _tables(curve, "auto", None, None, "holm")


@once
def _tables(
    curve: LearningCurveScores, procedure: str, metrics: Any, baseline: str | None, correction: str
) -> dict[int, ComparisonTable]:
    """By size the comparisons, with the adjusted p-values and the outcomes that these give."""
    alone = {
        size: compare(result, procedure, family=comparisons.ALL, baseline=baseline, correction=correction)
        for size, result in curve.results.items()
    }
    largest = alone[curve.sizes[-1]]
    if not largest.rows:  # of one model
        return alone
    metrics_of = tuple(dict.fromkeys(row.metric for row in largest))
    shown = choose_metrics(metrics, metrics_of)
    unsaved = {name for name in metrics_of if is_unsaved(curve.results[curve.sizes[-1]], name)}
    first = next((row.metric for row in largest if row.pvalue == row.pvalue or row.metric in unsaved), metrics_of[0])
    places = {(size, row.metric, row.a, row.b): row for size, table in alone.items() for row in table}
    rows: dict[Any, ComparisonRow] = {}
    families = []
    for name, within in comparisons.families_of(metrics_of, first).items():
        own = {place: row for place, row in places.items() if row.metric in within}
        widest = {
            metric: max(comparisons.widest_difference(result, metric) for result in curve.results.values())
            for metric in within
        }
        found, n, level = _settled(own, correction, widest, unsaved)
        rows |= found
        families.append(comparisons.Family(name=name, metrics=within, n=n, level=level))
    kept = [one for one in families if {*one.metrics} & {*shown}]
    return {
        size: replace(
            table,
            rows=tuple(rows[size, row.metric, row.a, row.b] for row in table if row.metric in shown),
            n_hypotheses=kept[0].n,
            families=tuple(kept),
            correction=correction,
        )
        for size, table in alone.items()
    }


_CHAINED = ("holm", "bonferroni")


def _settled(
    own: Mapping[Any, ComparisonRow], correction: str, widest: Mapping[str, float], unsaved: Set[str]
) -> tuple[dict[Any, ComparisonRow], int, float]:
    """The rows of a family at all sizes, decided from the full size downward, the factor of p, and the level.

    A fixed sequence for each pair and metric: a smaller size is tested only where the difference is significant at all
    larger ones that have a test, so that sizes cost nothing (Maurer, Hothorn and Lehmacher 1995); the pairs share the
    level equally. By the other corrections all sizes are adjusted together.
    """
    rows = {
        place: replace(row, warnings=row.warnings if row.record is None else row.record.warnings)
        for place, row in own.items()
    }
    if correction in _CHAINED:
        n = len({place[1:] for place, row in rows.items() if row.pvalue == row.pvalue or row.metric in unsaved})
        pvalues, worst = {}, dict[tuple[str, str, str], float]()
        for place in sorted(rows, key=lambda place: -place[0]):
            p = rows[place].pvalue
            if p == p:
                worst[place[1:]] = max(p, worst.get(place[1:], 0.0))
            pvalues[place] = min(1.0, n * worst[place[1:]]) if p == p else nan
    else:
        counted = [row.metric in unsaved for row in rows.values()]
        found, n = comparisons.adjusted([row.pvalue for row in rows.values()], correction, counted)
        pvalues = dict(zip(rows, found.tolist(), strict=True))
    level, by_size = comparisons.level_within(n, ALPHA, correction), dict[int, list[Any]]()
    for place, row in rows.items():
        decided: dict[str, Any] = {"confidence_level": level}
        if row.outcome.tested:
            ahead, ends = nan if row.record is None else lead(row.record), comparisons.limits_of(row.record, level)
            decided = comparisons.decided((row.a, row.b), pvalues[place], ahead, ends, level, widest=widest[row.metric])
        rows[place] = replace(row, **decided)
        by_size.setdefault(place[0], []).append(place)
    for together in by_size.values():
        shown = comparisons.with_least([rows[place] for place in together], correction, ALPHA, len(together))
        rows |= zip(together, shown, strict=True)
    return rows, n, level


# At which number of training samples two models change places.


_STEPS = 12  # between two sizes, where the test is asked
_HALVINGS = 8  # of a step, for the ends of the interval


class Crossing(Record):
    """Where the learning curves of two models cross.

    Attributes
    ----------
    metric, a, b : str
        What was compared.
    estimate : float
        Training samples at which the mean difference ``a - b`` changes its sign, the last time if it does so more than
        once; between two sizes it is on a straight line in the logarithm of the size. nan where it does not change.
    low, high : float
        The interval: all sizes from the first to the last at which the difference is not significant, by the default
        test for this pair alone, at ``1 - confidence_level``. 0 and inf where it begins or ends beyond the sizes that
        were evaluated; nan where the difference is significant at all of them.
    confidence_level : float
        Of the interval.
    better_before, better_after : str or None
        Which model has the better mean at the smallest size, and which at the largest; None where they are equal.
    n_changes : int
        How often the mean difference changes its sign.
    first, last : int
        The smallest and the largest size.
    method : str
        The test that was inverted.
    """

    metric: str
    a: str
    b: str
    estimate: float
    low: float
    high: float
    confidence_level: float
    better_before: str | None
    better_after: str | None
    n_changes: int
    first: int
    last: int
    method: str
    warnings: Warnings = ()

    @property
    def bounded(self) -> bool:
        """Whether both ends of the interval are within the sizes that were evaluated."""
        return self.low > 0 and isfinite(self.high)

    @property
    def located(self) -> bool:
        """Whether the means change places, and some of the sizes are excluded."""
        return self.n_changes > 0 and (self.low > 0 or isfinite(self.high))

    def _sentence(self) -> str:
        curves = f"On {label(self.metric)} the curves of {self.a} and {self.b}"
        sizes = f"between {self.first} and {self.last} training samples"
        if isnan(self.estimate):
            if isnan(self.low):
                return f"{curves} do not cross {sizes}: {self.better_after} is better at all sizes."
            open_one = f"a crossing {self._limits()} is not excluded"
            return f"{curves} are not seen to cross {sizes}; {open_one}."
        often = "" if self.n_changes == 1 else f" for the last of {self.n_changes} times"
        at = f"at about {self.estimate:.0f} training samples{often}"
        return f"{curves} cross {at} ({percent_of(self.confidence_level)} interval {self._limits()})."

    def _limits(self) -> str:
        if self.bounded:
            return f"from {self.low:.0f} to {self.high:.0f}"
        if self.low > 0:
            return f"from {self.low:.0f} on"
        return f"up to {self.high:.0f}" if isfinite(self.high) else "at any size"


def crossing(
    curve: LearningCurveScores,
    metric: str | None = None,
    a: str | None = None,
    b: str | None = None,
    *,
    confidence_level: float = 0.95,
) -> Crossing:
    """Where the curves of two models cross; see `LearningCurveResult.crossing`."""
    metric, (a, b) = choose_metric(metric, curve.metrics), choose_pair(a, b, curve.estimators)
    level = 1 - check_number(confidence_level, "confidence_level", low=0, high=1, closed="neither")
    if not can_cross(curve):
        raise ValueError(
            "a crossing needs splits that are exchangeable, as those of cross-validation; got "
            f"{curve.largest.design.name}: compare() tests each size"
        )
    between = _Between(curve, metric, a, b)
    changes, records = between.changes(), [*map(between.record, range(len(curve.sizes)))]
    low, high = between.interval(level)
    before, after = (a if mean > 0 else b if mean < 0 else None for mean in (between.means[0], between.means[-1]))
    return Crossing(
        metric=metric,
        a=a,
        b=b,
        estimate=changes[-1] if changes else nan,
        low=low,
        high=high,
        confidence_level=float(confidence_level),
        better_before=before,
        better_after=after,
        n_changes=len(changes),
        first=curve.sizes[0],
        last=curve.sizes[-1],
        method=records[-1].method,
        warnings=tuple(dict.fromkeys(one for record in records for one in record.warnings)),
    )


def can_cross(curve: LearningCurveScores) -> bool:
    """Whether scores between two sizes can be thought of: those of splits that are not in time order."""
    design = curve.largest.design
    return design.kind == "folds" and not design.time_order


def crossings(curve: LearningCurveScores, metric: str, names: Sequence[str]) -> Iterator[Crossing]:
    """Where pairs of some models change places on a metric, of those of which that is known."""
    for a, b in combinations(names, 2) if can_cross(curve) else ():
        with suppress(ValueError):  # no split has scores of both at all sizes
            found = crossing(curve, metric, a, b)
            if found.located:
                yield found


class _Between:
    """Two models on one metric at any size between the smallest and the largest, split by split."""

    def __init__(self, curve: LearningCurveScores, metric: str, a: str, b: str) -> None:
        self.metric, self.a, self.b = metric, a, b
        self.logs = [log(size) for size in curve.sizes]
        largest = curve.largest
        greater_is_better = largest.greater_is_better[largest.metric_index(metric)]
        picked = [np.array([result.score(name, metric) for name in (a, b)]) for result in curve.results.values()]
        known = np.isfinite(picked).all(axis=(0, 1))
        if not known.any():
            raise ValueError(f"a crossing needs splits on which {a!r} and {b!r} have {metric!r} at all sizes; got none")
        self._scores = [np.where(known, one, nan) for one in picked]
        sign = 1.0 if greater_is_better else -1.0
        self.means = [sign * float(np.nanmean(one[0] - one[1])) for one in self._scores]
        self._bare = EvaluationScores(  # without predictions; its scores are exchanged
            estimators=(a, b),
            metrics=(metric,),
            greater_is_better=(greater_is_better,),
            design=largest.design,
            scores=picked[-1][:, :, None],
            warnings=largest.warnings,
            provenance=largest.provenance,
        )

    def changes(self) -> list[float]:
        """The sizes at which the mean difference changes its sign; equal means between two signs count once."""
        apart = [i for i, mean in enumerate(self.means) if mean != 0]
        found = []
        for i, j in pairwise(apart):
            if (self.means[i] > 0) != (self.means[j] > 0):
                share = self.means[i] / (self.means[i] - self.means[j])
                found.append(float(np.exp(self.logs[i] + share * (self.logs[j] - self.logs[i]))))
        return found

    def interval(self, level: float) -> tuple[float, float]:
        """From the first size to the last at which the difference is not significant."""
        steps = range(_STEPS * (len(self.logs) - 1) + 1)
        places = [i // _STEPS + i % _STEPS / _STEPS for i in steps]  # sizes, and shares of the way to the next
        kept = [self._is_kept(place, level) for place in places]
        if not any(kept):
            changes = self.changes()  # between two places that are both significant
            return (changes[0], changes[-1]) if changes else (nan, nan)
        first, last = kept.index(True), len(kept) - 1 - kept[::-1].index(True)
        low = 0.0 if first == 0 else self._end(places[first], places[first - 1], level)
        high = inf if last == len(kept) - 1 else self._end(places[last], places[last + 1], level)
        return low, high

    def _end(self, inside: float, outside: float, level: float) -> float:
        """The size between two neighbouring places at which the difference becomes significant."""
        for _ in range(_HALVINGS):
            middle = (inside + outside) / 2
            inside, outside = (middle, outside) if self._is_kept(middle, level) else (inside, middle)
        return float(np.exp(np.interp(outside, range(len(self.logs)), self.logs)))

    def _is_kept(self, place: float, level: float) -> bool:
        return bool(self.record(place).pvalue >= level)

    def record(self, place: float) -> Any:
        """The test at a size, or so far on the way to the next one."""
        i, share = int(place), place % 1
        scores = self._scores[i] if not share else (1 - share) * self._scores[i] + share * self._scores[i + 1]
        return run_procedure(replace(self._bare, scores=scores[:, :, None]), metric=self.metric, a=self.a, b=self.b)
