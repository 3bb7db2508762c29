"""The record of a calibration: degrees of freedom per metric, and what they were found on."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from typing import Any

import numpy as np

from skcompare._core.design import Design
from skcompare._core.record import Record, few
from skcompare._core.validation import check_choice
from skcompare.comparison.table import ComparisonRow
from skcompare.evaluation._scoring import Metric
from skcompare.evaluation.store._identity import identify
from skcompare.inference import CalibrationResult
from skcompare.inference._procedures import Procedure, default_for, find_procedure
from skcompare.saving.archive import write_archive

FORMAT = 1
KIND = "calibration"
# A calibration serves data sets of between half and twice as many samples, and test shares that differ by up to this.
MAX_SAMPLES_RATIO = 2.0
MAX_FRACTION_DIFFERENCE = 0.02
# Where the share of the smallest class differs by more than this, a result has a doubt.
MAX_SHARE_DIFFERENCE = 0.1


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
    n_data_sets : int
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
    n_data_sets: int
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
    def warnings(self) -> tuple[str, ...]:
        """Reasons to doubt it, with the metrics that they are about."""
        doubts = [f"NOT_CALIBRATED: {metric}: {reason}." for metric, reason in self.uncalibrated.items()]
        for metric, found in self.calibrations.items():
            doubts += [doubt.replace(":", f" ({metric}):", 1) for doubt in found.warnings]
        return tuple(doubts)

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
        """Write it to a file, without pickle; `skcompare.calibration.load_calibration` reads it.

        Parameters
        ----------
        path : path-like
            The file; one that is there is replaced, and kept if saving fails.

        Raises
        ------
        OSError
            If the file cannot be written.
        """
        write_archive(path, {"format": FORMAT, "kind": KIND, **plain_calibration(self)}, {})

    def _sentence(self) -> str:
        found = [f"{metric} {result.df:.3g}" for metric, result in self.calibrations.items()]
        return (
            f"Degrees of freedom on {self.design.name}, from {self.n_data_sets} data sets ({self.generator}): "
            f"{few(found) or 'none'}."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibratedChoice:
    """Which test is used on a metric of a pair, and what its record must say of that.

    Attributes
    ----------
    row : Procedure
        The test.
    options : mapping of str to object
        Those that the calibration sets.
    method : str
        Added to the record's method.
    warnings : tuple of str
        Added to its warnings.
    """

    row: Procedure
    options: Mapping[str, Any] = field(default_factory=dict)
    method: str = ""
    warnings: tuple[str, ...] = ()

    def explain(self, record: Any) -> Any:
        """The record with what must be said."""
        if not self.method and not self.warnings:
            return record
        return replace(record, method=record.method + self.method, warnings=(*record.warnings, *self.warnings))


def choose_calibrated(
    calibration: Calibration | None, default: Procedure, design: Design, metric: str, a: str, b: str
) -> CalibratedChoice:
    """The calibrated test where a calibration has the metric of the pair, else the default."""
    if calibration is None:
        return CalibratedChoice(row=default)
    found = calibration.find(metric, a, b)
    if found is None:
        doubt = f"NOT_CALIBRATED: {metric} is tested by {default.name}, since {calibration.why_not(metric, a, b)}."
        return CalibratedChoice(row=default, warnings=(doubt,))
    options = {"scheme": found.scheme, "df": found.df}
    return CalibratedChoice(
        row=find_procedure("calibrated_t_test", design, options),
        options=options,
        method=f", df calibrated on {calibration.n_data_sets} data sets ({calibration.generator})",
        warnings=found.warnings,
    )


def plain_calibration(calibration: Calibration) -> dict[str, Any]:
    """The record as plain values."""
    names = (
        *("estimators", "identities", "metrics", "uncalibrated", "scheme", "alpha", "generator"),
        *("n_data_sets", "random_state", "versions", "metric_identities", "class_shares", "n_features"),
    )
    plain: dict[str, Any] = {
        **{name: getattr(calibration, name) for name in names},
        "design": asdict(calibration.design),
        "calibrations": {metric: asdict(found) for metric, found in calibration.calibrations.items()},
    }
    return {**plain, "digest": digest_of(plain)}


def digest_of(plain: Mapping[str, Any]) -> str:
    """SHA-256 of a calibration as plain values, which shows that a file was changed."""
    return sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()


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
        "n_data_sets": calibration.n_data_sets,
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


def identity_of(estimator: Any) -> str:
    """The same text for estimators of the same class and parameters, ValueError where they cannot be told."""
    return _identity(estimator, "estimators")


def metric_identity(metric: Metric) -> str:
    """The same text for metrics that are computed alike, whatever their names; ValueError where that cannot be told."""
    return _identity((metric.kind, metric.source, metric.greater_is_better), "scoring", whole=True)


def _identity(value: Any, what: str, *, whole: bool = False) -> str:
    try:
        return sha256(identify(value, what, whole=whole).text.encode()).hexdigest()
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


def check_calibration(
    calibration: Any, estimators: Mapping[str, Any], metrics: Sequence[Metric], design: Design
) -> None:
    """Raise ValueError unless a calibration is of models, a metric and a design of this evaluation."""
    if not isinstance(calibration, Calibration):
        raise ValueError(f"calibration must be None or a Calibration; got {calibration!r:.80}")
    check_fit(calibration, list(estimators), [metric.name for metric in metrics], design)
    for name, identity in zip(calibration.estimators, calibration.identities, strict=True):
        if identity_of(estimators[name]) != identity:
            raise ValueError(
                f"calibration must be of the estimators that are evaluated; its {name!r} has another class or other "
                f"parameters"
            )
    for metric in metrics:
        if metric.name not in calibration.calibrations:
            continue
        if metric_identity(metric) != calibration.metric_identities.get(metric.name):
            raise ValueError(
                f"calibration must be of the metrics that are evaluated; its {metric.name!r} is computed otherwise"
            )


def calibration_warnings(calibration: Calibration, X: Any, shares: Sequence[float]) -> tuple[str, ...]:
    """In what the data of an evaluation differ from those of its calibration."""
    own, found = calibration.class_shares, []
    if len(own) != len(shares):
        found.append(f"of {_classes(own)}, not {_classes(shares)}")
    elif len(own) > 0 and abs(min(own) - min(shares)) > MAX_SHARE_DIFFERENCE:
        found.append(f"with {min(own):.1%} in the smallest class, not {min(shares):.1%}")
    n_features = feature_count(X)
    if calibration.n_features is not None and n_features not in (None, calibration.n_features):
        found.append(f"of {calibration.n_features} features, not {n_features}")
    if not found:
        return ()
    return (f"CALIBRATED_ON_OTHER_DATA: the degrees of freedom were calibrated on data {'; '.join(found)}.",)


def _classes(shares: Sequence[float]) -> str:
    return f"{len(shares)} classes" if shares else "no classes"


def check_fit(calibration: Calibration, estimators: Sequence[str], metrics: Sequence[str], design: Design) -> None:
    """Raise ValueError unless a calibration is of names, a metric and a design of a result."""
    if not set(calibration.estimators) <= set(estimators):
        raise ValueError(
            f"calibration must be of two of the estimators {few(estimators)}; it is of {few(calibration.estimators)}"
        )
    if not set(calibration.calibrations) & set(metrics):
        raise ValueError(
            f"calibration must have one of the metrics {few(metrics)}; it is of {few(list(calibration.calibrations))}"
        )
    _check_design(calibration.design, design)


def _check_design(own: Design, design: Design) -> None:
    shape, wanted = ((one.n_repeats, one.n_folds, one.partition) for one in (own, design))
    if shape != wanted:
        raise ValueError(f"calibration must be of {design.name}; it is of {own.name}")
    if abs(own.test_fraction - design.test_fraction) > MAX_FRACTION_DIFFERENCE:
        raise ValueError(
            f"calibration must be of test sets of {design.test_fraction:.3g} of the samples, to within "
            f"{MAX_FRACTION_DIFFERENCE:g}; it is of {own.test_fraction:.3g}"
        )
    if own.n_samples is None or design.n_samples is None:
        return
    if not 1 / MAX_SAMPLES_RATIO <= own.n_samples / design.n_samples <= MAX_SAMPLES_RATIO:
        raise ValueError(
            f"calibration must be on between half and twice the {design.n_samples} samples of X; it is on "
            f"{own.n_samples}"
        )
