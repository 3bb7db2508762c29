"""What summaries of evaluations, studies and searches share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from skcompare._core.design import Design
from skcompare._core.warnings import CodedWarning
from skcompare.comparison.answer import Answer
from skcompare.comparison.compare import DetectableRange
from skcompare.comparison.dominance import DominanceRow
from skcompare.comparison.intervals import ScoreIntervals
from skcompare.comparison.means import MetricMeans
from skcompare.comparison.table import ComparisonRow, Family
from skcompare.inference._procedures import default_for
from skcompare.scores.calibration import Calibration
from skcompare.scores.stopping import Stopping

# What reports show of a calibration.


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibratedMetric:
    """The degrees of freedom of one metric, with their interval."""

    name: str
    df: float
    confidence_level: float
    low: float
    high: float
    fold_correlation: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationSummary:
    """What a test was calibrated on, and what was tested by another one.

    Attributes
    ----------
    estimators : tuple of str
        The two models that it is of.
    generator : str
        How the data sets of equal models were made, in words.
    n_datasets, random_state : int
        How many there were, and their seed.
    scheme : str
        The sample that the test takes.
    alpha : float
        The level of the calibration.
    metrics : tuple of CalibratedMetric
        Those that are calibrated, of those compared.
    without : tuple of str
        Metrics that are not, and "other pairs" where models are not.
    instead : str
        The test of these.
    """

    estimators: tuple[str, ...]
    generator: str
    n_datasets: int
    random_state: int
    scheme: str
    alpha: float
    metrics: tuple[CalibratedMetric, ...]
    without: tuple[str, ...]
    instead: str


def summarise_calibration(
    calibration: Calibration | None, design: Design, rows: Sequence[ComparisonRow]
) -> CalibrationSummary | None:
    """What reports show of it, for the metrics and the pairs of some rows."""
    if calibration is None:
        return None
    names = {name for row in rows for name in (row.a, row.b)}
    metrics = list(dict.fromkeys(row.metric for row in rows))
    without = [metric for metric in metrics if metric not in calibration.calibrations]
    return CalibrationSummary(
        estimators=calibration.estimators,
        generator=calibration.generator,
        n_datasets=calibration.n_datasets,
        random_state=calibration.random_state,
        scheme=calibration.scheme,
        alpha=calibration.alpha,
        metrics=tuple(
            CalibratedMetric(
                name=metric,
                df=found.df,
                confidence_level=found.confidence_level,
                low=found.df_interval.low,
                high=found.df_interval.high,
                fold_correlation=found.fold_correlation,
            )
            for metric, found in calibration.calibrations.items()
            if metric in metrics
        ),
        without=(*without, *(["other pairs"] if names - set(calibration.estimators) else [])),
        instead=default_for(design).procedure,
    )


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
    assumes : tuple of str
        What the procedure takes for granted.
    correction : str
        How the p-values were adjusted.
    n_hypotheses : int
        Comparisons that share the error budget of the first metric.
    families : tuple of Family
        The families of comparisons, that of the first metric before that of all others.
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
    assumes: tuple[str, ...]
    correction: str
    n_hypotheses: int
    families: tuple[Family, ...] = ()
    detectable: tuple[DetectableRange, ...] = ()
    stopping: Stopping | None = None
    calibration: CalibrationSummary | None = None
    intervals: ScoreIntervals | None = None

    @property
    def sequential(self) -> bool:
        """Whether a sequential verdict decided."""
        return self.answer.sequential

    @property
    def costs(self) -> list[str]:
        """The metrics of which less is better."""
        return [metric.name for metric in self.metrics if not metric.greater_is_better]
