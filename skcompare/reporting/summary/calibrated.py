"""What reports show of a calibration."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from skcompare._core.design import Design
from skcompare.comparison.table import ComparisonRow
from skcompare.inference._procedures import default_for
from skcompare.scores.calibration import (
    Calibration,
)


def shown_calibration(
    calibration: Calibration | None, design: Design, rows: Sequence[ComparisonRow]
) -> dict[str, Any] | None:
    """What reports show of it, and which of the compared metrics and pairs were tested `without` it and by what."""
    if calibration is None:
        return None
    names = {name for row in rows for name in (row.a, row.b)}
    metrics = list(dict.fromkeys(row.metric for row in rows))
    without = [metric for metric in metrics if metric not in calibration.calibrations]
    return {
        "estimators": list(calibration.estimators),
        "generator": calibration.generator,
        "n_datasets": calibration.n_datasets,
        "random_state": calibration.random_state,
        "scheme": calibration.scheme,
        "alpha": calibration.alpha,
        "metrics": [
            {
                "name": metric,
                "df": found.df,
                "confidence_level": found.confidence_level,
                "low": found.df_interval.low,
                "high": found.df_interval.high,
                "fold_correlation": found.fold_correlation,
            }
            for metric, found in calibration.calibrations.items()
            if metric in metrics
        ],
        "without": without + (["other pairs"] if names - set(calibration.estimators) else []),
        "instead": default_for(design).procedure,
    }
