"""The record of a calibration: degrees of freedom per metric, and what they were found on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from skcompare._core.design import Design
from skcompare._core.numbers import percent
from skcompare._core.record import few
from skcompare._core.warnings import Code, CodedWarning
from skcompare.evaluation.input import is_classification
from skcompare.evaluation.metrics.scoring import Metric
from skcompare.evaluation.prepare import PreparedEvaluation
from skcompare.inference._forms import Procedure
from skcompare.inference._overlap import Correction
from skcompare.inference._procedures import find_procedure
from skcompare.scores.calibration import Calibration, class_shares, feature_count, identity_of, metric_identity
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.stopping import StopRule

# A calibration serves data sets of between half and twice as many samples, and test shares that differ by up to this.
MAX_SAMPLES_RATIO = 2.0
MAX_FRACTION_DIFFERENCE = 0.02
# Where the share of the smallest class differs by more than this, a result has a warning.
MAX_SHARE_DIFFERENCE = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibratedChoice:
    """Which test is used on a metric of a pair, and what its record must say of that.

    Attributes
    ----------
    procedure : Procedure
        The test.
    options : mapping of str to object
        Those that the calibration sets.
    method : str
        Added to the record's method.
    warnings : tuple of str
        Added to its warnings.
    """

    procedure: Procedure
    options: Mapping[str, Any] = field(default_factory=dict)
    method: str = ""
    warnings: tuple[CodedWarning, ...] = ()

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
        return CalibratedChoice(procedure=default)
    found = calibration.find(metric, a, b)
    if found is None:
        why = calibration.why_not(metric, a, b)
        warning = Code.NOT_CALIBRATED(f"{metric} is tested by {default.name}, since {why}.", (metric,))
        return CalibratedChoice(procedure=default, warnings=(warning,))
    options = {"scheme": found.scheme, "df": found.df}
    return CalibratedChoice(
        procedure=find_procedure("calibrated_t_test", design, options),
        options=options,
        method=f", df calibrated on {calibration.n_datasets} data sets ({calibration.generator})",
        warnings=found.warnings,
    )


def not_calibrated(scores: EvaluationScores, name: str, *metrics: str) -> tuple[CodedWarning, ...]:
    """That an answer on a calibrated run takes the correction of its design, as only tests of single metrics do not."""
    if scores.calibration is None:
        return ()
    correction = Correction.of(scores.design)
    return (
        Code.NOT_CALIBRATED(
            f"{name} is not calibrated: it takes the correction of the design ({correction}).", metrics
        ),
    )


def warnings_of_calibration(
    calibration: Calibration | None, prepared: PreparedEvaluation, stop: StopRule | None
) -> tuple[CodedWarning, ...]:
    """What speaks against using a calibration in an evaluation; ValueError where it is of another one."""
    if calibration is None:
        return ()
    if stop is not None:
        raise ValueError("calibration must be None with a stop, which may end before the calibrated design")
    check_calibration(calibration, prepared.named, prepared.metrics, prepared.splits.design)
    shares = class_shares(prepared.truth) if is_classification(prepared.task) else ()
    return calibration_warnings(calibration, prepared.X, shares)


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


def calibration_warnings(calibration: Calibration, X: Any, shares: Sequence[float]) -> tuple[CodedWarning, ...]:
    """In what the data of an evaluation differ from those of its calibration."""
    own, found = calibration.class_shares, []
    if len(own) != len(shares):
        found.append(f"of {_classes(own)}, not {_classes(shares)}")
    elif len(own) > 0 and abs(min(own) - min(shares)) > MAX_SHARE_DIFFERENCE:
        found.append(f"with {percent(min(own), 1)} in the smallest class, not {percent(min(shares), 1)}")
    n_features = feature_count(X)
    if calibration.n_features is not None and n_features not in (None, calibration.n_features):
        found.append(f"of {calibration.n_features} features, not {n_features}")
    if not found:
        return ()
    return (Code.NOT_CALIBRATED(f"the degrees of freedom were calibrated on data {'; '.join(found)}."),)


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
