"""The record of a calibration: degrees of freedom per metric, what they were found on, and which runs they fit."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import field, fields
from hashlib import sha256
from typing import Any

import numpy as np

from skcompare._core.archive import write_archive
from skcompare._core.design import Design
from skcompare._core.numbers import percent
from skcompare._core.record import Record, few
from skcompare._core.validation import check_choice
from skcompare._core.warnings import Code, Warnings
from skcompare.evaluation.input import feature_count, is_classification
from skcompare.evaluation.metrics.scoring import Metric
from skcompare.evaluation.prepare import PreparedEvaluation
from skcompare.evaluation.store.keys import identify
from skcompare.inference import CalibrationResult
from skcompare.scores.stopping import StopRule

KIND = "calibration"


class Calibration(Record, eq=False):
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
    def warnings(self) -> Warnings:
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
        made = f"from {self.n_datasets} data sets ({self.generator})"
        return f"Degrees of freedom on {self.design.name}, {made}: {few(found) or 'none'}."


def identity_of(estimator: Any) -> str:
    """The same text for estimators of the same class and parameters, ValueError where they cannot be told."""
    return _identity(estimator, "models")


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


# Whether a calibration is of a run.


# A calibration serves data sets of between half and twice as many samples, and test shares that differ by up to this.
MAX_SAMPLES_RATIO = 2.0
MAX_FRACTION_DIFFERENCE = 0.02
# Where the share of the smallest class differs by more than this, a result has a warning.
MAX_SHARE_DIFFERENCE = 0.1


def warnings_of_calibration(calibration: Any, prepared: PreparedEvaluation, stop: StopRule | None) -> Warnings:
    """In what the data of an evaluation differ from those of a calibration; ValueError where it is of another one."""
    if stop is not None:
        raise ValueError("calibration must be None with a stop, which may end before the calibrated design")
    if not isinstance(calibration, Calibration):
        raise ValueError(f"calibration must be None or a Calibration; got {calibration!r:.80}")
    metrics = {metric.name: metric for metric in prepared.metrics}
    check_fit(calibration, [*prepared.named], [*metrics], prepared.splits.design)
    for name, identity in zip(calibration.estimators, calibration.identities, strict=True):
        if identity_of(prepared.named[name]) != identity:
            raise ValueError(
                f"calibration must be of the estimators that are evaluated; its {name!r} has another class or other "
                f"parameters"
            )
    for name in filter(calibration.calibrations.__contains__, metrics):
        if metric_identity(metrics[name]) != calibration.metric_identities.get(name):
            says = f"calibration must be of the metrics that are evaluated; its {name!r} is computed otherwise"
            raise ValueError(says)
    shares = class_shares(prepared.truth) if is_classification(prepared.task) else ()
    own, n_features, found = calibration.class_shares, feature_count(prepared.X), []
    if len(own) != len(shares):
        found.append("of {}, not {}".format(*(f"{len(x)} classes" if x else "no classes" for x in (own, shares))))
    elif len(own) > 0 and abs(min(own) - min(shares)) > MAX_SHARE_DIFFERENCE:
        found.append(f"with {percent(min(own), 1)} in the smallest class, not {percent(min(shares), 1)}")
    if calibration.n_features is not None and n_features not in (None, calibration.n_features):
        found.append(f"of {calibration.n_features} features, not {n_features}")
    differ = f"the degrees of freedom were calibrated on data {'; '.join(found)}."
    return (Code.NOT_CALIBRATED(differ),) if found else ()


def check_fit(calibration: Calibration, estimators: Sequence[str], metrics: Sequence[str], design: Design) -> None:
    """Raise ValueError unless a calibration is of names, a metric and a design of a result."""
    own, metrics_of = calibration.design, [*calibration.calibrations]
    shape, wanted = ((one.n_repeats, one.n_folds, one.partition) for one in (own, design))
    ratio = own.n_samples / design.n_samples if own.n_samples is not None and design.n_samples is not None else 1.0
    for fits, told in (
        (
            {*calibration.estimators} <= {*estimators},
            f"be of two of the estimators {few(estimators)}; it is of {few(calibration.estimators)}",
        ),
        ({*metrics_of} & {*metrics}, f"have one of the metrics {few(metrics)}; it is of {few(metrics_of)}"),
        (shape == wanted, f"be of {design.name}; it is of {own.name}"),
        (
            abs(own.test_fraction - design.test_fraction) <= MAX_FRACTION_DIFFERENCE,
            f"be of test sets of {design.test_fraction:.3g} of the samples, to within {MAX_FRACTION_DIFFERENCE:g}; it "
            f"is of {own.test_fraction:.3g}",
        ),
        (
            1 / MAX_SAMPLES_RATIO <= ratio <= MAX_SAMPLES_RATIO,
            f"be on between half and twice the {design.n_samples} samples of X; it is on {own.n_samples}",
        ),
    ):
        if not fits:
            raise ValueError(f"calibration must {told}")
