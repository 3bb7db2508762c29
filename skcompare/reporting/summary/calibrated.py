"""What reports show of a calibration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from skcompare._core.design import Design
from skcompare.comparison.table import ComparisonRow
from skcompare.inference._procedures import default_for
from skcompare.scores.calibration import Calibration


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
