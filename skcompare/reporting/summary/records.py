"""What summaries of evaluations, studies and searches share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from skcompare._core.warnings import CodedWarning
from skcompare.comparison.answered import Answer
from skcompare.comparison.detectable import DetectableRange
from skcompare.comparison.dominance_table import DominanceRow
from skcompare.comparison.intervals import ScoreIntervals
from skcompare.comparison.means import MetricMeans
from skcompare.comparison.table import ALPHA, ComparisonRow
from skcompare.reporting.summary.calibrated import CalibrationSummary
from skcompare.scores.stopping import Stopping


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What every report shows, computed once.

    Attributes
    ----------
    procedure : str
        What made the p-values.
    alpha : float
        The level of the verdicts.
    joint : tuple of DominanceRow
        The verdicts on all metrics together; empty where there is one metric, or too many.
    warnings : tuple of str
        Reasons to doubt the findings, each once, with where it holds.
    provenance : mapping of str to object
        What it takes to run it again.
    """

    procedure: str
    alpha: float
    joint: tuple[DominanceRow, ...]
    warnings: tuple[CodedWarning, ...]
    provenance: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedSummary(Summary):
    """What reports show of models that were compared, on one data set or on several.

    Attributes
    ----------
    estimators : tuple of str
        The models.
    answer : Answer
        What can be said of the models; every view reads it.
    metrics : tuple of MetricMeans
        The models on each metric.
    rows : tuple of ComparisonRow
        All pairs on all metrics.
    assumes : str
        What the procedure takes for granted.
    correction : str
        How the p-values were adjusted.
    n_hypotheses : int
        Comparisons that share the error budget.
    detectable : tuple of DetectableRange
        Of an evaluation how large a difference the comparisons that show none would have found.
    stopping : Stopping or None
        Of an evaluation that was looked at while it ran.
    calibration : CalibrationSummary or None
        Of an evaluation what the test was calibrated on.
    intervals : ScoreIntervals or None
        Of an evaluation the models' own scores with their intervals, where all is shown.
    """

    estimators: tuple[str, ...]
    answer: Answer
    metrics: tuple[MetricMeans, ...]
    rows: tuple[ComparisonRow, ...]
    assumes: str
    correction: str
    n_hypotheses: int
    detectable: tuple[DetectableRange, ...] = ()
    stopping: Stopping | None = None
    calibration: CalibrationSummary | None = None
    intervals: ScoreIntervals | None = None

    @property
    def confidence_level(self) -> float:
        """Of the intervals of the rows, each for its row alone, which does not allow for looks."""
        return 1 - (ALPHA if self.sequential else self.alpha)

    @property
    def sequential(self) -> bool:
        """Whether a sequential verdict decided."""
        return self.answer.sequential

    @property
    def costs(self) -> list[str]:
        """The metrics of which less is better."""
        return [metric.name for metric in self.metrics if not metric.greater_is_better]
