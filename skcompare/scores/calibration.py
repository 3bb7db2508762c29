"""The record of a calibration: degrees of freedom per metric, and what they were found on."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from hashlib import sha256
from typing import Any

import numpy as np

from skcompare._core.archive import write_archive
from skcompare._core.design import Design
from skcompare._core.record import Record, few
from skcompare._core.validation import check_choice
from skcompare._core.warnings import Code, CodedWarning
from skcompare.evaluation.metrics.scoring import Metric
from skcompare.evaluation.store.keys import identify
from skcompare.inference import CalibrationResult

KIND = "calibration"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Calibration(Record):
    """Degrees of freedom of the calibrated t test for two models on one design, per metric.

    Attributes
    ----------
    estimators : tuple of str
        Names of the two models.
    identities : tuple of str
        What tells each from models of other classes or parameters.
    metrics : tuple of str
        Those asked for, in order.
    calibrations : mapping of metric to CalibrationResult
        Of the metrics that could be calibrated.
    uncalibrated : mapping of metric to str
        Why the others could not.
    scheme : {"all", "folds", "runs", "sorted_runs"}
        The sample that the test takes.
    alpha : float
        The level of the calibration, in (0, 1).
    generator : str
        How the data sets of equal models were made, in words.
    design : Design
        How each of them was resampled; without the hash of the splits, which differ from one to the next.
    n_datasets : int
        Simulated data sets.
    random_state : int
        The seed of all of them.
    versions : mapping of str to str
        Of the packages used.
    metric_identities : mapping of metric to str
        What tells each metric from others of its name.
    class_shares : tuple of float
        Shares of the classes in the first data set, the largest first; empty where there are none.
    n_features : int or None
        Of the first data set; None where it is no table.
    """

    estimators: tuple[str, ...]
    identities: tuple[str, ...]
    metrics: tuple[str, ...]
    calibrations: Mapping[str, CalibrationResult]
    uncalibrated: Mapping[str, str]
    scheme: str
    alpha: float
    generator: str
    design: Design
    n_datasets: int
    random_state: int
    versions: Mapping[str, str]
    metric_identities: Mapping[str, str] = field(default_factory=dict)
    class_shares: tuple[float, ...] = ()
    n_features: int | None = None

    @property
    def df(self) -> float:
        """Degrees of freedom of the first metric, for ``calibrated_t_test(..., df=calibration.df)``."""
        return self[self.metrics[0]].df

    @property
    def fold_correlation(self) -> dict[str, float]:
        """Correlation of the differences on two splits, by metric; of those that were calibrated."""
        return {metric: found.fold_correlation for metric, found in self.calibrations.items()}

    @property
    def warnings(self) -> tuple[CodedWarning, ...]:
        """Reasons to doubt it, with the metrics that they are about."""
        return (
            *(Code.NOT_CALIBRATED(f"{metric}: {reason}.", (metric,)) for metric, reason in self.uncalibrated.items()),
            *(warning.at(metric) for metric, found in self.calibrations.items() for warning in found.warnings),
        )

    def __getitem__(self, metric: str) -> CalibrationResult:
        check_choice(metric, "metric", self.metrics)
        if metric not in self.calibrations:
            raise ValueError(f"metric must be one that was calibrated; {metric!r} was not: {self.uncalibrated[metric]}")
        return self.calibrations[metric]

    def find(self, metric: str, a: str, b: str) -> CalibrationResult | None:
        """The calibration of a metric for two models in either order, None where there is none.

        Parameters
        ----------
        metric : str
            Any name.
        a, b : str
            Names of models.

        Returns
        -------
        CalibrationResult or None
        """
        return self.calibrations.get(metric) if {a, b} == set(self.estimators) else None

    def why_not(self, metric: str, a: str, b: str) -> str:
        """Why `find` has nothing, in words.

        Parameters
        ----------
        metric : str
            Any name.
        a, b : str
            Names of models.

        Returns
        -------
        str
        """
        if {a, b} != set(self.estimators):
            return f"the calibration is of {self.estimators[0]} and {self.estimators[1]}"
        return self.uncalibrated.get(metric, f"the calibration is of {few(self.metrics)}")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file, without pickle; `skcompare.load` reads it.

        Parameters
        ----------
        path : path-like
            The file; one that is there is replaced, and kept if saving fails.

        Raises
        ------
        OSError
            If the file cannot be written.
        """
        write_archive(path, KIND, {one.name: getattr(self, one.name) for one in fields(self)}, {})

    def _sentence(self) -> str:
        found = [f"{metric} {result.df:.3g}" for metric, result in self.calibrations.items()]
        return (
            f"Degrees of freedom on {self.design.name}, from {self.n_datasets} data sets ({self.generator}): "
            f"{few(found) or 'none'}."
        )


def identity_of(estimator: Any) -> str:
    """The same text for estimators of the same class and parameters, ValueError where they cannot be told."""
    return _identity(estimator, "estimators")


def metric_identity(metric: Metric) -> str:
    """The same text for metrics that are computed alike, whatever their names; ValueError where that cannot be told."""
    return _identity((metric.kind, metric.source, metric.greater_is_better), "scoring", complete=True)


def _identity(value: Any, what: str, *, complete: bool = False) -> str:
    try:
        return sha256(identify(value, what, complete=complete).text.encode()).hexdigest()
    except ValueError as error:
        raise ValueError(
            f"{what} must be something that a later evaluation can tell from others; {error.__cause__}; give it as "
            f"something that can be imported or compared by value"
        ) from error


def class_shares(y: Any) -> tuple[float, ...]:
    """Shares of the classes, the largest first."""
    counts = np.unique(y, return_counts=True)[1]
    return tuple(sorted((float(count) for count in counts / counts.sum()), reverse=True))


def feature_count(X: Any) -> int | None:
    """Columns of a table, None of anything else."""
    shape: tuple[int, ...] = getattr(X, "shape", ())
    return int(shape[1]) if len(shape) == 2 else None
