"""Rates of models at given thresholds: true and false positives and precision, with their counts and intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.frames import frame_of
from skcompare._core.html import Table
from skcompare._core.names import choose_estimators
from skcompare._core.numbers import interval, number, percent
from skcompare._core.record import Record, shown
from skcompare._core.validation import FloatArray, check_number, check_scores
from skcompare._core.warnings import Code, CodedWarning
from skcompare._core.words import briefly, counted
from skcompare.comparison.shown import Scale, ShownPredictions, read_shown
from skcompare.comparison.table import Rows
from skcompare.inference import proportion_interval
from skcompare.scores.evaluation import EvaluationScores

# Of each rate: its name, its numerator and what it is a share of, as numbers of a row.
RATES = {
    "true_positive_rate": ("true_positives", "false_negatives", "no sample is positive"),
    "false_positive_rate": ("false_positives", "true_negatives", "no sample is negative"),
    "precision": ("true_positives", "false_positives", "no sample is called positive"),
}
# The words of signal detection: whose counts they are, and of which rate the share is, or 1 less it.
DETECTION = {
    "hits": ("true_positives", "true_positive_rate", True),
    "misses": ("false_negatives", "true_positive_rate", False),
    "false alarms": ("false_positives", "false_positive_rate", True),
    "correct rejections": ("true_negatives", "false_positive_rate", False),
}
DEFAULTS: dict[Scale, float] = {"probability": 0.5, "decision value": 0.0}


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RatesRow(Record):
    """One model at one threshold.

    In the words of signal detection true positives are hits, false negatives misses, false positives false alarms and
    true negatives correct rejections; a row prints them with their shares and intervals.

    Attributes
    ----------
    estimator : str
        The model.
    threshold : float
        A sample is called positive where its score is at least this.
    scale : {"probability", "decision value"}
        What the threshold is on: the probability of the positive class, or the decision value where only that is kept.
    true_positive_rate, false_positive_rate, precision : float
        In [0, 1]; nan where it is 0/0.
    true_positive_rate_low, true_positive_rate_high : float
        Wilson interval of the first; nan where it is.
    false_positive_rate_low, false_positive_rate_high, precision_low, precision_high : float
        Those of the others.
    true_positives, false_positives, false_negatives, true_negatives : int
        Numbers of samples.
    warnings : tuple of str
        Reasons to doubt the row.
    """

    estimator: str
    threshold: float
    scale: Scale
    true_positive_rate: float
    true_positive_rate_low: float
    true_positive_rate_high: float
    false_positive_rate: float
    false_positive_rate_low: float
    false_positive_rate_high: float
    precision: float
    precision_low: float
    precision_high: float
    true_positives: int
    false_positives: int
    false_negatives: int
    true_negatives: int
    warnings: tuple[CodedWarning, ...] = ()

    def _sentence(self) -> str:
        rates = briefly([f"the {name.replace('_', ' ')} {self._cell(name)}" for name in RATES])
        return f"{self.estimator} with the threshold {shown(self.threshold)} on the {self.scale}: {rates}."

    @property
    def hits(self) -> int:
        """Positive samples that are called so: `true_positives`, their share is `true_positive_rate`."""
        return self.true_positives

    @property
    def misses(self) -> int:
        """Positive samples that are called negative: `false_negatives`."""
        return self.false_negatives

    @property
    def false_alarms(self) -> int:
        """Negative samples that are called positive: `false_positives`, their share is `false_positive_rate`."""
        return self.false_positives

    @property
    def correct_rejections(self) -> int:
        """Negative samples that are called so: `true_negatives`."""
        return self.true_negatives

    def _cell(self, name: str, *, complement: bool = False) -> str:
        low, rate, high = (getattr(self, f"{name}{part}") for part in ("_low", "", "_high"))
        if complement:
            low, rate, high = 1 - high, 1 - rate, 1 - low
        limits = interval(low, high, 3, signed=False)
        return f"{number(rate, 3)} {limits}" if limits != "n/a" else limits

    def _tables(self) -> list[Table]:
        """Hits, misses, false alarms and correct rejections, with their shares of their class."""
        rows = [
            [word, str(getattr(self, count)), self._cell(rate, complement=not same)]
            for word, (count, rate, same) in DETECTION.items()
        ]
        return [Table(("outcome", "samples", "share of the class"), rows)]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RatesTable(Rows[RatesRow]):
    """Rates of several models at several thresholds.

    Attributes
    ----------
    rows : tuple of RatesRow
        One per model and threshold.
    positive : object
        The positive class.
    n, n_positive : int
        Number of samples, and of those of the positive class.
    confidence_level : float
        Of the intervals, each for its own rate.
    """

    rows: tuple[RatesRow, ...]
    positive: object
    n: int
    n_positive: int
    confidence_level: float
    warnings: tuple[CodedWarning, ...] = ()

    def to_frame(self) -> object:
        """The rows as a pandas DataFrame, a column per field; needs pandas."""
        return frame_of(self.rows).drop(columns="warnings")

    def _sentence(self) -> str:
        models = list(dict.fromkeys(row.estimator for row in self.rows))
        scales = dict.fromkeys(row.scale for row in self.rows)
        samples = f"{self.n_positive} of {counted(self.n, 'sample')} are of the positive class {self.positive!r}"
        who = briefly(models)
        return (
            f"True and false positive rate and precision of {who}, with thresholds on the {' or '.join(scales)}, and "
            f"their {percent(self.confidence_level)} Wilson intervals; {samples}."
        )

    def _tables(self) -> list[Table]:
        header = ("model", "at", "true positive rate", "false positive rate", "precision")
        rows = [[row.estimator, shown(row.threshold), *(row._cell(name) for name in RATES)] for row in self.rows]
        detected = [
            [row.estimator, shown(row.threshold), *(str(getattr(row, count)) for count, _, _ in DETECTION.values())]
            for row in self.rows
        ]
        return [Table(header, rows), Table(("model", "at", *DETECTION), detected)]


def rates(
    scores: EvaluationScores,
    threshold: ArrayLike | None,
    *,
    estimators: str | Sequence[str] | None,
    confidence_level: float,
    positive: Any,
) -> RatesTable:
    """The rates of some models at some thresholds; see `EvaluationResult.rates`."""
    names = choose_estimators(estimators, scores.estimators)
    level = check_number(confidence_level, "confidence_level", low=0, high=1, closed="neither")
    if np.asarray(threshold).dtype == bool:
        raise ValueError(f"threshold must be numbers; got {threshold!r:.80}")
    given = None if threshold is None else np.atleast_1d(check_scores(threshold, "threshold", ndim=(0, 1)))
    found = read_shown(scores, names, against_rest=True, positive=positive)
    rows: list[RatesRow] = []
    without = []
    for name in names:
        values, scale = found.positive_scores(name)
        if scale == "decision value":
            without.append(name)
        elif given is not None and (given.min() < 0 or given.max() > 1):
            raise ValueError(
                f"threshold must be in [0, 1] for the probabilities of {name!r}; got {given.min():g} to {given.max():g}"
            )
        rows += _rows(found, name, values, scale, np.array([DEFAULTS[scale]]) if given is None else given, level)
    return RatesTable(
        rows=tuple(rows),
        positive=found.positive,
        n=len(found.rows),
        n_positive=int(np.count_nonzero(found.is_positive)),
        confidence_level=level,
        warnings=found.warnings + _on_decisions(without),
    )


def _rows(
    found: ShownPredictions, name: str, values: FloatArray, scale: Scale, thresholds: FloatArray, level: float
) -> list[RatesRow]:
    positive, negative = (_at_least(values[part], thresholds) for part in (found.is_positive, ~found.is_positive))
    n_positive = int(np.count_nonzero(found.is_positive))
    rows = []
    for threshold, hits, alarms in zip(thresholds.tolist(), positive, negative, strict=True):
        numbers = {
            "true_positives": hits,
            "false_positives": alarms,
            "false_negatives": n_positive - hits,
            "true_negatives": len(values) - n_positive - alarms,
        }
        measured: dict[str, Any] = {}
        warnings = []
        for rate, (part, rest, why) in RATES.items():
            n = numbers[part] + numbers[rest]
            limits = proportion_interval(numbers[part], n, confidence_level=level) if n else None
            measured[rate] = numbers[part] / n if n else float("nan")
            measured[f"{rate}_low"] = limits.low if limits else float("nan")
            measured[f"{rate}_high"] = limits.high if limits else float("nan")
            if limits is None:
                said = rate.replace("_", " ")
                warnings.append(
                    Code.UNDEFINED_METRIC(
                        f"the {said} of {name!r} at {shown(threshold)} is 0/0, since {why}: it is nan.", (name,)
                    )
                )
        rows.append(
            RatesRow(estimator=name, threshold=threshold, scale=scale, **numbers, **measured, warnings=tuple(warnings))
        )
    return rows


def _at_least(values: FloatArray, thresholds: FloatArray) -> list[int]:
    """How many values are at least each threshold."""
    ordered, place = np.unique(thresholds, return_inverse=True)
    reached = np.bincount(np.searchsorted(ordered, values, side="right"), minlength=len(ordered) + 1)
    above: list[int] = np.cumsum(reached[::-1])[::-1][1:][place.reshape(-1)].tolist()
    return above


def _on_decisions(names: Sequence[str]) -> tuple[CodedWarning, ...]:
    if not names:
        return ()
    return (
        Code.DECISION_VALUES(
            f"of {briefly(names)} decision values were kept, no probabilities: their thresholds are on these, and not "
            f"comparable with those of other models. With 'neg_log_loss' in scoring the probabilities are kept.",
            names,
        ),
    )
