"""Plain values -> records: every field of its declared type and within its limits, and all fit. None is computed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache, partial
from math import inf, isfinite
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, cast, get_args, get_origin, get_type_hints

import numpy as np

from skcompare._core.design import Design
from skcompare._core.printable import check_name
from skcompare._core.validation import check_choice, check_integer, check_number
from skcompare._core.warnings import CodedWarning
from skcompare.evaluation.input import Task
from skcompare.evaluation.metrics.scoring import Failure
from skcompare.inference import CalibrationResult, ConfidenceInterval
from skcompare.inference.fold_scores.alpha_spending import MAX_REPEATS
from skcompare.inference.fold_scores.calibrate import LEVELS
from skcompare.inference.fold_scores.t_tests import Scheme
from skcompare.scores.calibration import Calibration
from skcompare.scores.stopping import Look, Stopping

T = TypeVar("T")
Checks = Mapping[str | type, Callable[[Any, str], object]]
_types = cache(get_type_hints)
_TOLD = {str: "a text", bool: "true or false", int: "an integer", float: "a number"}


# Fields that older files lack.
_ADDED: Mapping[type, Mapping[str, Any]] = {
    Failure: {"started": True},
    Design: {
        "time_order": False,
        "n_groups": None,
        "n_runs": [],
        "paired": "",
        "class_counts": [],
        "sequential": False,
    },
}


def require(holds: bool, sentence: str) -> None:
    """Raise ValueError with the sentence unless it holds."""
    if not holds:
        raise ValueError(sentence)


def read(kind: type[T], saved: Any, checks: Checks) -> T:
    """The record of a class that was saved as plain values.

    Parameters
    ----------
    kind : type
        A dataclass.
    saved : object
        As in a file.
    checks : mapping of str or type to callable
        What the texts and numbers of the fields of a name must be, and the records of a class, in whatever record they
        stand: called with the value and its name, it raises ValueError.

    Raises
    ------
    ValueError
        If a field is missing, unknown, of another type, or not what the checks ask.
    """
    return cast(T, _read(kind, saved, kind.__name__, checks))


def read_fields(kind: type, saved: Any, checks: Checks, *, without: tuple[str, ...] = ()) -> dict[str, Any]:
    """Fields of a record by name, as in `read`; some are not saved."""
    wanted = [field.name for field in fields(kind) if field.name not in without]
    require(type(saved) is dict, f"{kind.__name__} must be a mapping; got {saved!r:.80}")
    saved = {**_ADDED.get(kind, {}), **saved}
    for name in sorted(set(wanted) ^ set(saved)):
        raise ValueError(f"it has no {name!r}" if name in wanted else f"it has {name!r:.80}, which is not known")
    types = _types(kind)
    return {name: _read(types[name], saved[name], name, checks) for name in wanted}


def _read(kind: Any, saved: Any, name: str, checks: Checks) -> Any:
    origin, args = get_origin(kind), get_args(kind)
    if origin is UnionType and NoneType in args:
        return None if saved is None else _read(args[0], saved, name, checks)
    if kind is CodedWarning:
        require(type(saved) is str, f"{name} must be a text; got {saved!r:.80}")
        return CodedWarning.from_text(saved)
    if origin is Literal:
        check_choice(saved, name, args)
    elif origin is tuple or origin is np.ndarray:
        require(type(saved) is list, f"{name} must be a list; got {saved!r:.80}")
        items = tuple(_read(args[0] if origin is tuple else float, item, name, checks) for item in saved)
        return items if origin is tuple else np.array(items, dtype=np.float64)
    elif origin is Mapping:
        require(type(saved) is dict, f"{name} must be a mapping; got {saved!r:.80}")
        return {key: _read(args[1], item, name, checks) for key, item in saved.items()}
    elif is_dataclass(kind):
        record = cast(type, kind)(**read_fields(cast(type, kind), saved, checks))
        checks.get(cast(type, kind), _anything)(record, name)
        return record
    else:
        fits = kind is Any or type(saved) is kind or (kind is float and type(saved) is int)
        require(fits, f"{name} must be {_TOLD.get(kind, kind)}; got {saved!r:.80}")
        checks.get(name, _anything)(saved, name)
    return saved


def _anything(_value: Any, _name: str) -> None:
    pass


def check_distinct(names: tuple[str, ...], name: str, *, fewest: int) -> None:
    """Raise ValueError unless there are so many names, all different."""
    require(len(set(names)) == len(names) >= fewest, f"{name} must be at least {fewest}, each named once")


def _text(value: str, name: str) -> None:
    require(bool(value), f"{name} must not be empty")


def _title(value: str, name: str) -> None:
    _text(value, name)
    check_name(value, name)


def _label(value: Any, name: str) -> None:
    require(value is None or isinstance(value, (str, bool, int, float)), f"{name} must be a label")


def _interval(interval: ConfidenceInterval, name: str) -> None:
    require(not interval.low > interval.high, f"{name} must not end before it begins")


def _design(design: Design, _name: str) -> None:
    sizes = {len(design.train_sizes), len(design.test_sizes)}
    fits = design.n_splits == design.n_repeats * design.n_folds and sizes <= {0, design.n_splits}
    require(fits, "the design must have as many splits, and sizes of them, as repeats times folds")
    for one in design.class_counts:
        few = all(0 <= n <= one.total for n in one.test_counts) and len(one.test_counts) == design.n_splits
        require(few, "class_counts must have a count per split, of at most the samples of the class")
    require(
        design.test_fraction > 0 or design.kind != "folds", "test_fraction must be positive where models were fitted"
    )
    runs = max(design.n_runs, default=0) == (design.n_splits if design.kind == "runs" else 0)
    require(runs, "n_runs must be those of runs, of which the largest is the number of splits")
    require(not design.paired or len({*design.n_runs}) == 1, "paired must be of runs, as many of every model")


def _look(look: Look, name: str) -> None:
    check_distinct(look.names, f"names of {name}", fewest=2)
    require(look.pvalues.shape == (len(look.names),), f"pvalues of {name} must be one per model")


def _stopping(stopping: Stopping, _name: str) -> None:
    check_number(stopping.alpha, "alpha of stopping", low=0, high=0.5, closed="neither")
    models = (*stopping.names, *stopping.worse, *stopping.unscored)
    check_distinct(models, "models of stopping", fewest=2)
    require(len(models) == stopping.n_models, "every model of stopping must be left or have left")
    require(stopping.n_repeats <= stopping.max_repeats <= MAX_REPEATS, f"max_repeats must be at most {MAX_REPEATS}")
    when = (*stopping.worse.values(), *stopping.unscored.values(), *(look.repeat for look in stopping.looks))
    require(max(when, default=0) <= stopping.n_repeats, "looks of stopping must be after one of the repeats")
    known = {name for look in stopping.looks for name in look.names} <= set(models)
    require(known, "looks of stopping must be at its models")
    require(stopping.kind != "equivalent" or stopping.rope is not None, "rope must be known where models are equal")
    best = len(stopping.names) == 1 and bool(stopping.worse)
    require(stopping.kind != "best" or best, "names must be one where a model is the best, and others worse")


def _calibration_result(found: CalibrationResult, name: str) -> None:
    require(found.df > 0 and isfinite(found.df), f"df of {name} must be a positive number")
    require(tuple(level.level for level in found.levels) == LEVELS, f"levels must be {', '.join(map(str, LEVELS))}")


def _calibration(calibration: Calibration, _name: str) -> None:
    check_distinct(calibration.estimators, "estimators", fewest=2)
    check_distinct(calibration.metrics, "metrics", fewest=1)
    n = len(calibration.estimators), len(calibration.identities)
    require(n == (2, 2), "a calibration must be of two estimators, with an identity of each")
    known = [*calibration.calibrations, *calibration.uncalibrated]
    once = sorted(known) == sorted(calibration.metrics) and bool(calibration.calibrations)
    require(once, "calibrations must have one or more of the metrics, and uncalibrated the others")
    identified = set(calibration.metric_identities) == set(calibration.metrics)
    require(identified, "metric_identities must have each of the metrics")
    design = calibration.design
    own = (calibration.scheme, calibration.alpha, calibration.n_datasets, design.n_repeats, design.n_folds)
    for found in calibration.calibrations.values():
        its = (found.scheme, found.alpha, found.n_datasets, found.n_repeats, found.n_folds)
        require(its == own, "calibrations must be of the scheme, the level and the size of all")


_positive = partial(check_integer, low=1)
_count = partial(check_integer, low=0)
_share = partial(check_number, low=0, high=1)
_inside = partial(check_number, low=0, high=1, closed="neither")
CHECKS: Checks = {
    Design: _design,
    ConfidenceInterval: _interval,
    Look: _look,
    Stopping: _stopping,
    CalibrationResult: _calibration_result,
    Calibration: _calibration,
    **dict.fromkeys(("estimators", "metrics", "datasets"), _title),
    **dict.fromkeys(("identities", "generator", "uncalibrated", "versions", "metric_identities"), _text),
    **dict.fromkeys(("n_repeats", "n_folds", "n_splits", "n_runs", "train_sizes", "test_sizes"), _positive),
    **dict.fromkeys(("n_models", "min_repeats", "max_repeats", "repeat", "worse", "unscored"), _positive),
    **dict.fromkeys(("n_datasets", "n_features", "ill_defined"), _positive),
    **dict.fromkeys(("split", "random_state", "best", "fit_seeds", "test_counts", "total"), _count),
    "label": _text,
    "n_candidates": partial(check_integer, low=2),
    **dict.fromkeys(("level", "information", "pvalues", "equivalence_level", "equivalence_pvalue"), _share),
    **dict.fromkeys(("size", "class_shares"), _share),
    **dict.fromkeys(("alpha", "confidence_level"), _inside),
    "test_fraction": partial(check_number, low=0, high=1, closed="left"),
    "n_clusters": partial(check_integer, low=1),
    "n_groups": partial(check_integer, low=1),
    "n_samples": partial(check_integer, low=2),
    "mean_error": partial(check_number, low=0),
    "rope": partial(check_number, low=0, high=inf, closed="neither"),
    "task": partial(check_choice, allowed=get_args(Task)),
    "scheme": partial(check_choice, allowed=get_args(Scheme)),
    "positive_class": _label,
}
