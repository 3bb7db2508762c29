"""A calibration in a saved file: read and checked, nothing in it can run code."""

from __future__ import annotations

import os
from collections.abc import Mapping
from itertools import pairwise
from math import inf, isclose, isfinite, isnan
from typing import Any, get_args

from skcompare._core.archive import read_archive
from skcompare._core.printable import check_name, one_line
from skcompare._core.validation import check_choice, check_integer, check_number
from skcompare._core.warnings import CodedWarning
from skcompare.inference import CalibrationResult, ConfidenceInterval, LevelCalibration
from skcompare.inference.fold_scores.calibrate import (
    LEVELS,
    MAX_BIAS,
    critical_ratio,
    fewest_datasets,
    level_warnings,
)
from skcompare.inference.fold_scores.calibrated_t import Scheme
from skcompare.saving.design import load_design
from skcompare.scores.calibration import FORMAT, KIND, Calibration, digest_of

_FIELDS = (
    *("estimators", "identities", "metrics", "calibrations", "uncalibrated", "scheme", "alpha", "generator"),
    *("design", "n_datasets", "random_state", "versions", "metric_identities", "class_shares", "n_features"),
)
_PACKAGES = {"skcompare", "scikit-learn", "numpy", "scipy"}
# Numbers that were found from others may differ from them by this share.
_ROUNDING = 1e-6


def load_calibration(path: str | os.PathLike[str]) -> Calibration:
    """Read what `Calibration.save` wrote.

    Parameters
    ----------
    path : path-like
        The file. Loading it never runs code from it.

    Returns
    -------
    Calibration
        What was saved.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If the file is no calibration, damaged, contradicts itself or is of a newer format.
    """
    header, _ = read_archive(path)
    name = os.fspath(path)
    if header.get("kind") != KIND:
        raise ValueError(f"path must be a calibration saved by skcompare; {name!r} is not: skcompare.load reads it")
    if type(header.get("format")) is not int or header["format"] != FORMAT:
        raise ValueError(f"path must be a file of format {FORMAT}; {name!r} has format {header.get('format')!r:.80}")
    try:
        return calibration_of(header)
    except (KeyError, TypeError, IndexError, AttributeError, OverflowError, ValueError) as error:
        reason = one_line(f"it has no {error}" if isinstance(error, KeyError) else str(error))
        raise ValueError(f"path must be a file saved by skcompare; {name!r} is damaged: {reason}") from error


def calibration_of(saved: Mapping[str, Any]) -> Calibration:
    """The record of plain values; any exception means that it contradicts itself."""
    if saved["digest"] != digest_of({name: saved[name] for name in _FIELDS}):
        raise ValueError("its digest does not fit")
    estimators, metrics = (_names(saved[name], name) for name in ("estimators", "metrics"))
    if len(estimators) != 2:
        raise ValueError("a calibration must be of two estimators")
    known = {**saved["calibrations"], **saved["uncalibrated"]}
    if len(known) != len(saved["calibrations"]) + len(saved["uncalibrated"]) or set(known) != set(metrics):
        raise ValueError("a calibration must say of each of its metrics whether it is calibrated")
    if not saved["calibrations"]:
        raise ValueError("a calibration must have a metric that is calibrated")
    calibration = Calibration(
        **{
            **{name: saved[name] for name in _FIELDS},
            "estimators": estimators,
            "metrics": metrics,
            "identities": tuple(_text(identity) for identity in saved["identities"]),
            "calibrations": {metric: _result(found) for metric, found in saved["calibrations"].items()},
            "uncalibrated": {metric: _text(reason) for metric, reason in saved["uncalibrated"].items()},
            "generator": _text(saved["generator"]),
            "alpha": check_number(saved["alpha"], "alpha", low=0, high=1, closed="neither"),
            "design": load_design(saved["design"]),
            "versions": _texts(saved["versions"]),
            "metric_identities": _texts(saved["metric_identities"]),
            "class_shares": _shares(saved["class_shares"]),
        }
    )
    if len(calibration.identities) != 2:
        raise ValueError("a calibration must have an identity of each estimator")
    check_choice(calibration.scheme, "scheme", get_args(Scheme))
    check_integer(calibration.random_state, "random_state", low=0)
    check_integer(calibration.n_datasets, "n_datasets", low=fewest_datasets(calibration.alpha))
    if calibration.n_features is not None:
        check_integer(calibration.n_features, "n_features", low=1)
    if set(calibration.metric_identities) != set(metrics):
        raise ValueError("a calibration must have an identity of each metric")
    if not set(calibration.versions) >= _PACKAGES:
        raise ValueError(f"a calibration must have the versions of {', '.join(sorted(_PACKAGES))}")
    design = calibration.design
    own = (calibration.scheme, calibration.alpha, calibration.n_datasets, design.n_repeats, design.n_folds)
    for found in calibration.calibrations.values():
        if (found.scheme, found.alpha, found.n_datasets, found.n_repeats, found.n_folds) != own:
            raise ValueError("the calibration of a metric must be of the scheme, level and size of all")
    return calibration


def _result(saved: Mapping[str, Any]) -> CalibrationResult:
    found = CalibrationResult(
        **{
            **saved,
            "df": check_number(saved["df"], "df", low=0, high=inf, closed="neither"),
            "df_interval": _interval(saved["df_interval"]),
            "levels": tuple(_level(level) for level in saved["levels"]),
            "fold_correlation_interval": _interval(saved["fold_correlation_interval"]),
            "warnings": tuple(map(CodedWarning.from_text, saved["warnings"])),
        }
    )
    if not isfinite(found.df) or type(found.df) is not float:
        raise ValueError("df must be a finite number")
    check_choice(found.scheme, "scheme", get_args(Scheme))
    check_number(found.confidence_level, "confidence_level", low=0, high=1, closed="neither")
    for name in ("critical_ratio", "fold_correlation", "mean", "mean_error"):
        _number(getattr(found, name))
    for name in ("n_datasets", "n_repeats", "n_folds"):
        check_integer(getattr(found, name), name, low=1)
    _check_consistent(found)
    return found


def _check_consistent(found: CalibrationResult) -> None:
    """Raise ValueError unless the numbers of a metric can be those of one calibration."""
    _check_within(found.df, found.df_interval, "df", low=0, high=inf)
    if not isclose(found.critical_ratio, critical_ratio(found.df, found.alpha), rel_tol=_ROUNDING):
        raise ValueError("critical_ratio must be that of df")
    if not (0 <= found.mean_error < inf and abs(found.mean) <= MAX_BIAS * found.mean_error * (1 + _ROUNDING)):
        raise ValueError(f"mean must be within {MAX_BIAS:g} standard errors of 0")
    _check_correlation(found)
    if tuple(level.level for level in found.levels) != LEVELS:
        raise ValueError(f"levels must be those of {', '.join(map(str, LEVELS))}")
    if any(first.size > second.size for first, second in pairwise(found.levels)):
        raise ValueError("sizes must not fall with the level")
    for level in found.levels:
        rejected = level.size * found.n_datasets
        if abs(rejected - round(rejected)) > _ROUNDING:
            raise ValueError("size must be a share of the data sets")
    if found.warnings != level_warnings(found.levels, found.scheme):
        raise ValueError("warnings must be those of its levels")


def _check_correlation(found: CalibrationResult) -> None:
    interval = found.fold_correlation_interval
    if isnan(found.fold_correlation) and isnan(interval.low) and isnan(interval.high):
        return
    _check_within(found.fold_correlation, interval, "fold_correlation", low=-1, high=1)
    if found.fold_correlation >= 1:
        raise ValueError("fold_correlation must be below 1")


def _level(saved: Mapping[str, Any]) -> LevelCalibration:
    intervals = {name: _interval(saved[name]) for name in ("size_interval", "df_interval")}
    check_number(saved["level"], "level", low=0, high=1, closed="neither")
    check_number(saved["size"], "size", low=0, high=1)
    _check_within(saved["size"], intervals["size_interval"], "size", low=0, high=1)
    if isnan(_number(saved["df"])):
        low, high = intervals["df_interval"].low, intervals["df_interval"].high
        if not 0 <= low <= high:
            raise ValueError("df_interval must be an interval")
    else:
        _check_within(saved["df"], intervals["df_interval"], "df", low=0, high=inf)
    return LevelCalibration(**{**saved, **intervals})


def _check_within(value: float, interval: ConfidenceInterval, name: str, *, low: float, high: float) -> None:
    """Raise ValueError unless a number is in its interval and that between two bounds, but for rounding."""
    slack = _ROUNDING * abs(value)
    if not low <= interval.low <= value + slack or not value - slack <= interval.high <= high:
        raise ValueError(f"{name} must be in its interval, and that from {low:g} to {high:g}")


def _interval(saved: Mapping[str, Any]) -> ConfidenceInterval:
    return ConfidenceInterval(**{name: _number(value) for name, value in saved.items()})


def _number(value: Any) -> float:
    """A number that may be infinite or nan."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError(f"a calibration must hold numbers; got {value!r:.80}")
    return float(value)


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError(f"a calibration must hold texts; got {value!r:.80}")
    return value


def _texts(saved: Mapping[str, Any]) -> dict[str, str]:
    return {_text(name): _text(value) for name, value in saved.items()}


def _shares(saved: Any) -> tuple[float, ...]:
    shares = tuple(check_number(share, "class_shares", low=0, high=1) for share in saved)
    if shares and not (len(shares) > 1 and isclose(sum(shares), 1) and sorted(shares, reverse=True) == list(shares)):
        raise ValueError("class_shares must add up to 1, the largest first")
    return shares


def _names(values: Any, name: str) -> tuple[str, ...]:
    if not isinstance(values, list) or len(set(values)) != len(values) or not values:
        raise ValueError(f"{name} must be a list of different names")
    return tuple(check_name(_text(value), name) for value in values)
