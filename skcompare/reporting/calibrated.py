"""What a test was calibrated on, in words."""

from __future__ import annotations

from skcompare._core.numbers import percent_of
from skcompare._core.words import listed
from skcompare.reporting.summary.calibrated import CalibratedMetric, CalibrationSummary


def calibrated(calibration: CalibrationSummary) -> str:
    """What the test was calibrated on, and what was tested by another one."""
    return f"{calibrated_on(calibration)} {_not_calibrated(calibration)}".strip()


def calibrated_on(calibration: CalibrationSummary) -> str:
    """What the degrees of freedom were found on, and what they are, as one sentence."""
    models, n = listed(calibration.estimators), calibration.n_datasets
    return (
        f"The degrees of freedom were calibrated at {percent_of(calibration.alpha)} for {models} on {n} data sets on "
        f"which neither is better ({calibration.generator}; seed {calibration.random_state}, scheme "
        f"{calibration.scheme}): {_degrees_of_freedom(calibration)}."
    )


def _degrees_of_freedom(calibration: CalibrationSummary) -> str:
    """Per metric the degrees of freedom with their interval."""
    first, *others = calibration.metrics
    level = f"{percent_of(first.confidence_level)} interval "
    return listed([_one(first, level), *(_one(metric, "") for metric in others)])


def _one(metric: CalibratedMetric, level: str) -> str:
    return f"{metric.df:.3g} for {metric.name} ({level}{metric.low:.3g} to {metric.high:.3g})"


def _not_calibrated(calibration: CalibrationSummary) -> str:
    """Which comparisons were made by another test, as a sentence; empty where none was."""
    which = calibration.without
    if not which:
        return ""
    verb = "is" if len(which) == 1 else "are"
    return f"{listed(which)} {verb} not calibrated and tested by {calibration.instead}."
