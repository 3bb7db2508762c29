"""The form of evaluations, studies, learning curves and records in a saved file; none is computed when it is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache, partial
from math import inf, isfinite
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, cast, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from skcompare._core.design import MAX_REPEATS, Design
from skcompare._core.validation import check_choice, check_integer, check_name, check_number
from skcompare._core.warnings import CodedWarning
from skcompare.evaluation.input import Task, class_counts
from skcompare.evaluation.metrics.scorers import MetricFunction
from skcompare.evaluation.metrics.scoring import Failure, metric_function
from skcompare.evaluation.predictions import KeptPredictions
from skcompare.evaluation.prepare import InnerSplits
from skcompare.evaluation.splits import Splits, splits_from_pairs
from skcompare.inference import CalibrationResult, ConfidenceInterval
from skcompare.inference._records import ROUNDING
from skcompare.inference.fold_scores.calibrate import LEVELS
from skcompare.inference.fold_scores.t_tests import Scheme
from skcompare.scores.calibration import Calibration, check_fit
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.stopping import Look, Stopping
from skcompare.scores.study import LearningCurveScores, StudyScores

T = TypeVar("T")

# Plain values -> records: every field of its declared type and within its limits, and all fit.

Checks = Mapping[str | type, Callable[[Any, str], object]]
_types = cache(get_type_hints)
_TOLD = {str: "a text", bool: "true or false", int: "an integer", float: "a number"}


_WARNING = {"text", "about"}  # of one that names what it is about; others, and those of older files, are texts
# Fields that older files lack.
_ADDED: Mapping[type, Mapping[str, Any]] = {
    Failure: {"started": True},
    Stopping: {"warnings": [], "unlikely": {}},
    Look: {"chance": None},
    Design: {"time_order": False, "n_groups": None, "n_runs": [], "paired": ""}
    | {"class_counts": [], "period": 1, "sequential": False},
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
        text, about = (saved["text"], saved["about"]) if type(saved) is dict and set(saved) == _WARNING else (saved, [])
        require(type(text) is str, f"{name} must be a text; got {saved!r:.80}")
        return CodedWarning.from_text(text, _read(tuple[str, ...], about, "about", checks))
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
    positive = design.test_fraction > 0 or design.kind != "folds"
    require(positive, "test_fraction must be positive where models were fitted")
    runs = max(design.n_runs, default=0) == (design.n_splits if design.kind == "runs" else 0)
    require(runs, "n_runs must be those of runs, of which the largest is the number of splits")
    require(not design.paired or len({*design.n_runs}) == 1, "paired must be of runs, as many of every model")


def _look(look: Look, name: str) -> None:
    check_distinct(look.names, f"names of {name}", fewest=2)
    require(look.pvalues.shape == (len(look.names),), f"pvalues of {name} must be one per model")


def _stopping(stopping: Stopping, _name: str) -> None:
    check_number(stopping.alpha, "alpha of stopping", low=0, high=0.5, closed="neither")
    models = (*stopping.names, *stopping.worse, *stopping.unscored, *stopping.unlikely)
    check_distinct(models, "models of stopping", fewest=2)
    require(len(models) == stopping.n_models, "every model of stopping must be left or have left")
    require(stopping.n_repeats <= stopping.max_repeats <= MAX_REPEATS, f"max_repeats must be at most {MAX_REPEATS}")
    when = (*stopping.gone.values(), *(look.repeat for look in stopping.looks))
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
CHECKS: Checks = {
    Design: _design,
    ConfidenceInterval: _interval,
    Look: _look,
    Stopping: _stopping,
    CalibrationResult: _calibration_result,
    Calibration: _calibration,
    **dict.fromkeys(("estimators", "metrics", "datasets"), check_name),
    **dict.fromkeys(("identities", "generator", "uncalibrated", "versions", "metric_identities", "label"), _text),
    **dict.fromkeys(("n_repeats", "n_folds", "n_splits", "n_runs", "train_sizes", "test_sizes"), _positive),
    **dict.fromkeys(("n_models", "min_repeats", "max_repeats", "repeat", "worse", "unscored", "unlikely"), _positive),
    **dict.fromkeys(("n_datasets", "n_features", "ill_defined", "n_clusters", "n_groups"), _positive),
    **dict.fromkeys(("split", "random_state", "best", "fit_seeds", "test_counts", "total"), _count),
    **dict.fromkeys(("level", "information", "pvalues", "equivalence_level", "equivalence_pvalue", "chance"), _share),
    **dict.fromkeys(("size", "class_shares"), _share),
    **dict.fromkeys(("alpha", "confidence_level"), partial(check_number, low=0, high=1, closed="neither")),
    "test_fraction": partial(check_number, low=0, high=1, closed="left"),
    **dict.fromkeys(("n_samples", "n_candidates"), partial(check_integer, low=2)),
    "mean_error": partial(check_number, low=0),
    "rope": partial(check_number, low=0, high=inf, closed="neither"),
    "task": partial(check_choice, allowed=get_args(Task)),
    "scheme": partial(check_choice, allowed=get_args(Scheme)),
    "positive_class": _label,
}


# Results <-> a header and arrays.

EVALUATION, STUDY, LEARNING_CURVE = "evaluation", "study", "learning_curve"
Arrays = Mapping[str, NDArray[Any]]
Archive = tuple[str, dict[str, Any], dict[str, NDArray[Any]]]
_TABLES = ("scores", "fit_times", "score_times")
_OF_SEEDS, _OF_TRAINING, _FUNCTIONS = "seed_scores", "train_scores", "metric_functions"
_OF_ESTIMATES = ("covariances", "covariance_df")
_OF_SAMPLES = ("clusters", "sample_weight", "sample_ids")
_ARRAYS = (*_TABLES, _OF_SEEDS, _OF_TRAINING, *_OF_SAMPLES, *_OF_ESTIMATES)
_OF_PREDICTIONS = ("estimators_", "kept_splits", "kept_predictions", "inner_predictions")
_IN_ARRAYS = (*_ARRAYS, *_OF_PREDICTIONS, "sample_columns", _FUNCTIONS)
_OF_RESULTS = ("scores", "designs", "results")
# Splits may leave samples out, but memory is taken for each.
_FREE_SAMPLES = 2**24
_MOST_SAMPLES_PER_INDEX = 64
_SEEDS = 2**32
_INNER = "inner."  # begins the names of arrays of the fits without two folds


def _saved(warnings: Iterable[CodedWarning]) -> list[Any]:
    """Warnings as a file has them."""
    return [{"text": str(one), "about": one.about} if one.about else str(one) for one in warnings]


def to_archive(scores: EvaluationScores | StudyScores | LearningCurveScores) -> Archive:
    """Kind, header and arrays of a result; of a study and a learning curve those of its evaluations, or its scores."""
    if isinstance(scores, EvaluationScores):
        return EVALUATION, *_of_result(scores)
    parts, arrays = _parts(scores.results.values())
    header: dict[str, Any] = {"warnings": _saved(scores.warnings), "results": parts}
    if isinstance(scores, LearningCurveScores):
        return LEARNING_CURVE, {"sizes": scores.sizes, **header}, arrays
    own = {field.name: getattr(scores, field.name) for field in fields(StudyScores) if field.name not in _OF_RESULTS}
    return STUDY, {**own, **header}, arrays if parts else {"scores": scores.scores}


def _of_result(result: EvaluationScores) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    header = {field.name: getattr(result, field.name) for field in fields(EvaluationScores)}
    header["warnings"] = _saved(result.warnings)
    predicted = {} if result.inner_predictions is None else result.inner_predictions.to_arrays()
    # Those of the models: the targets and the splits are known.
    inner = {f"{_INNER}{name}": array for name, array in predicted.items() if name.startswith("estimator")}
    arrays = {
        **{name: header[name] for name in _ARRAYS if header[name] is not None},
        **({} if result.kept_predictions is None else result.kept_predictions.to_arrays()),
        **inner,
        **({} if result.kept_splits is None else _splits_arrays(result.kept_splits)),
        **{f"column{i}": column for i, column in enumerate(result.sample_columns.values())},
    }
    unset = [name for name in ("selected", "fit_seeds", "baseline") if not getattr(result, name)]
    unset += ["error_score"] if np.isnan(result.error_score) else []
    kept = {name: value for name, value in header.items() if name not in (*_IN_ARRAYS, *unset)}
    return {**kept, **_unnamed(result), "columns": tuple(result.sample_columns)}, arrays


def _unnamed(result: EvaluationScores) -> dict[str, Any]:
    """The functions of metrics that no name of scikit-learn's tells, where they are its own."""
    known = dict[str, Any]()
    for name, function in result.metric_functions.items():
        named = name in result.renamed or (name not in result.misnamed and metric_function(name) is not None)
        if isinstance(function, MetricFunction) and not named and (parts := function.to_parts()) is not None:
            known[name] = parts
    return {_FUNCTIONS: known} if known else {}


def _splits_arrays(splits: Splits) -> dict[str, NDArray[Any]]:
    if splits.fold_ids is not None:
        return {"fold_ids": splits.fold_ids}
    arrays: dict[str, NDArray[Any]] = {}
    for name, parts in zip(("train", "test"), zip(*(splits.pairs or ()), strict=True), strict=True):
        arrays[f"{name}_indices"] = np.concatenate(parts)
        arrays[f"{name}_sizes"] = np.array([len(indices) for indices in parts])
    return arrays


def from_archive(header: Mapping[str, Any], arrays: Arrays) -> dict[str, Any]:
    """The fields of a result; any exception means that the archive is not of their form."""
    known = "error_score" in header
    header = {"selected": None, "fit_seeds": [], "baseline": None, "error_score": float("nan"), **header}
    columns, functions = header.pop("columns"), header.pop(_FUNCTIONS, {})
    found = read_fields(EvaluationScores, header, CHECKS, without=_IN_ARRAYS)
    estimators, metrics, design = found["estimators"], found["metrics"], found["design"]
    _check_table(found)
    shape = (len(estimators), design.n_splits, len(metrics))
    tables = (*_TABLES, *{_OF_TRAINING}.intersection(arrays))
    for name, wanted in zip(tables, (shape, shape[:2], shape[:2], shape), strict=False):
        _check_array(arrays[name], name, wanted)
    if found["fit_seeds"] or _OF_SEEDS in arrays:
        _check_array(arrays[_OF_SEEDS], _OF_SEEDS, (shape[0], len(found["fit_seeds"]), *shape[1:]))
    _check_known([one.estimator for one in found["failures"]], "estimator of a failure", estimators)
    _check_known([one.metric or metrics[0] for one in found["failures"]], "metric of a failure", metrics)
    last = max((one.split for one in found["failures"]), default=0)
    require(last < design.n_splits, "split of a failure must be one of the splits")
    _check_known(found["ill_defined"], "estimator of ill_defined", estimators)
    for counts in found["ill_defined"].values():
        within = {*metrics}.issuperset(counts) and max(counts.values(), default=0) <= design.n_splits
        require(within, "ill_defined must count splits by metric")
    stopping, selected = found["stopping"], found["selected"]
    if stopping is not None:
        check_choice(stopping.metric, "metric of stopping", metrics)
        models = {*stopping.names, *stopping.gone}
        same = models == {*estimators} and stopping.n_models == len(models)
        size = (stopping.n_folds, stopping.n_repeats) == (design.n_folds, design.n_repeats)
        require(same and size, "stopping must be of the models and the splits of the result")
    if selected is not None:
        check_choice(selected.metric, "metric of selected", metrics)
        require(len(selected.pvalues) == len(estimators), "pvalues of selected must be one per model")
        require(selected.best is None or selected.best < len(estimators), "best of selected must be one of the models")
    fits = len(design.n_runs) in (0, len(estimators)) and design.period > 0
    require(fits, "n_runs must be one per model, period 1 or more")
    if found["baseline"] is not None:
        check_choice(found["baseline"], "baseline", estimators)
    if found["calibration"] is not None:  # it must be one that the evaluation would have taken
        check_fit(found["calibration"], estimators, metrics, design)
    splits = _load_splits(design, arrays) if design.split_hash else None
    same = splits is None or _same_design(splits, design, predictions="y" in arrays)
    require(same, "the splits must have the hash and the design that were saved with them")
    require(splits is not None or "y" not in arrays, "predictions need their splits")
    predictions = _load_predictions(arrays, estimators, design)
    if predictions is not None and splits is not None and design.class_counts:
        own = class_counts(predictions.y, splits, found["task"])
        require(own == design.class_counts, "class_counts must be those of y")
    looked = stopping is not None and bool(stopping.looks)
    in_time = design.time_order if splits is None else splits.time_order
    return {
        **found,
        "design": replace(design, time_order=in_time, sequential=looked),  # older files lack both
        **{name: arrays[name] for name in _TABLES},
        **({_OF_SEEDS: arrays.get(_OF_SEEDS)} if known else _of_earlier_version(found, arrays)),
        _OF_TRAINING: arrays.get(_OF_TRAINING),
        "kept_splits": splits,
        "kept_predictions": predictions,
        "inner_predictions": _load_inner(arrays, estimators, splits),
        _FUNCTIONS: {name: MetricFunction.from_parts(**parts) for name, parts in functions.items()},
        **_load_samples(design, splits, columns, arrays),
    }


def _of_earlier_version(found: Mapping[str, Any], arrays: Arrays) -> dict[str, Any]:
    """The error score where it stands among the scores, and the scores of the single fits without it.

    It is nan where it is several numbers: in means over seeds, of which it is not known which failed.
    """
    scores, seeds, error_score = arrays["scores"], arrays.get(_OF_SEEDS), float("nan")
    seeds = None if seeds is None else seeds.copy()
    numbers: set[float] = set()
    places = {name: e for e, name in enumerate(found["estimators"])}
    for one in found["failures"]:
        e = places[one.estimator]
        which = slice(None) if one.metric is None else found["metrics"].index(one.metric)
        known = np.isfinite(scores[e, one.split, which])
        numbers.update(np.atleast_1d(scores[e, one.split, which][known]).tolist())
        if seeds is not None and known.any():
            seeds[e, :, one.split, which] = np.nan
    if len(numbers) == 1:
        error_score = numbers.pop()
    return {"error_score": error_score, _OF_SEEDS: seeds}


def _load_estimates(arrays: Arrays, design: Design) -> dict[str, Any]:
    """The covariances of scores that are estimates, with their degrees of freedom."""
    if not design.estimated:
        return {}
    n_parts, k = len(arrays[_OF_ESTIMATES[1]]), len(arrays["scores"])
    for name in _OF_ESTIMATES:
        same = name == _OF_ESTIMATES[1] and arrays[name].ndim == 1  # as in files of versions without any by difference
        _check_array(arrays[name], name, (n_parts,) if same else (n_parts, k, k))
    require(bool((arrays[_OF_ESTIMATES[1]] > 0).all()), "covariance_df must be positive")
    return {name: arrays[name] for name in _OF_ESTIMATES}


def _load_samples(design: Design, splits: Splits | None, columns: Any, arrays: Arrays) -> dict[str, Any]:
    """The columns of the samples or items: clusters, weights, ids and others."""
    require(type(columns) is list and all(type(name) is str for name in columns), "columns must be a list of names")
    check_distinct(tuple(columns), "columns", fewest=0)
    found = {name: arrays.get(name) for name in _OF_SAMPLES}
    described = {name: arrays[f"column{i}"] for i, name in enumerate(columns)}
    for name, values in (*found.items(), *described.items()):
        fits = values is None or (values.shape == (design.n_samples,) and values.dtype.kind in "biufU")
        require(fits, f"{name} must hold one plain value per sample")
    clusters = found["clusters"]
    tested = slice(None) if splits is None else splits.held_out(0)
    n_clusters = None if clusters is None else len(np.unique(clusters[tested]))
    require(clusters is None or clusters.dtype.kind in "iu", "clusters must be integers")
    weights = found["sample_weight"]
    weighed = weights is None or (weights.dtype.kind == "f" and weights.min() >= 0 and 0 < weights.sum() < np.inf)
    require(weighed, "sample_weight must be at least 0 and not all 0")
    counted = n_clusters if not design.estimated else design.n_clusters  # judgments are not kept
    require(design.n_clusters == counted, "clusters must be as many as the design has")
    return {**found, "sample_columns": described, **_load_estimates(arrays, design)}


def _check_table(found: Mapping[str, Any]) -> None:
    """Raise ValueError unless estimators, metrics, directions and seed can be those of scores."""
    check_distinct(found["estimators"], "estimators", fewest=1)
    check_distinct(found["metrics"], "metrics", fewest=1)
    one_each = len(found["greater_is_better"]) == len(found["metrics"])
    require(one_each, "greater_is_better must hold one boolean per metric")
    seed = found["provenance"].get("random_state")  # of the procedures that draw at random
    is_seed = seed is None or (type(seed) is int and 0 <= seed < _SEEDS)
    require(is_seed, f"random_state must be an integer in [0, {_SEEDS}); got {seed!r:.80}")


def _check_known(names: Iterable[str], name: str, known: tuple[str, ...]) -> None:
    """Raise ValueError unless all names are among those known, both of which may be many."""
    for strange in {*names}.difference(known):
        check_choice(strange, name, known)


def _check_array(array: NDArray[Any], name: str, shape: tuple[int, ...]) -> None:
    """Raise ValueError unless an array holds floats in that shape."""
    fits = array.shape == shape and array.dtype == np.float64
    require(fits, f"{name} must be float64 of shape {shape}; got {array.dtype} of {array.shape}")


def _same_design(splits: Splits, design: Design, *, predictions: bool) -> bool:
    own = splits.design if predictions else splits.design_of_scores
    own_to_file = ("n_clusters", "time_order", "n_groups", "class_counts", "period", "sequential")
    kept = {name: getattr(design, name) for name in own_to_file}
    if own.test_fraction:
        # Of training sets that were made smaller it is between the share of all samples and that of those used.
        whole = float(np.mean(own.test_sizes)) / (own.n_samples or 1)
        if whole * (1 - ROUNDING) <= design.test_fraction <= own.test_fraction:
            kept["test_fraction"] = design.test_fraction
    return replace(own, **kept) == design


def _load_splits(design: Design, arrays: Arrays) -> Splits:
    n_samples, n_repeats, n_folds = design.n_samples, design.n_repeats, design.n_folds
    if n_samples is None:
        raise ValueError("the design must have samples where it has splits")
    if "fold_ids" in arrays:
        ids = arrays["fold_ids"]
        fits = ids.shape == (n_repeats, n_samples) and ids.dtype.kind == "u" and ids.max() < n_folds <= n_samples
        require(fits, "fold_ids must fit the design")
        return Splits(n_samples, n_repeats, n_folds, True, ids, None)
    parts = []
    for name in ("train", "test"):
        indices = arrays[f"{name}_indices"]
        within = indices.dtype.kind in "iu" and not (indices.size and (indices.min() < 0 or indices.max() >= n_samples))
        require(within, f"{name}_indices must be samples of the data")
        used = n_samples <= max(_FREE_SAMPLES, _MOST_SAMPLES_PER_INDEX * indices.size)
        require(used, "the design must not have far more samples than its splits use")
        parts.append(np.split(indices.astype(np.intp), np.cumsum(arrays[f"{name}_sizes"])[:-1]))
    return splits_from_pairs(zip(*parts, strict=True), n_samples)


def _load_predictions(arrays: Arrays, estimators: Sequence[str], design: Design) -> KeptPredictions | None:
    """The predictions, where they were kept."""
    if "y" not in arrays and "y_fields" not in arrays:
        require(not any(name.startswith("estimator") for name in arrays), "predictions need y")
        return None
    for y in [arrays[f"y_field{i}"] for i in range(len(arrays.get("y_fields", ())))] or [arrays["y"]]:
        require(y.ndim in (1, 2) and len(y) == design.n_samples, "y must have one row per sample")
        require(y.dtype.kind != "f" or bool(np.isfinite(y).all()), "y must be finite")
    for name, was_object in arrays.items():  # anything but strings that was an object could not be saved again
        stem = name.removesuffix("_is_object")
        values = arrays.get("y" if stem == "y" else f"{stem}_values")
        strings = values is not None and values.dtype.kind == "U"
        require(stem == name or strings or not was_object.any(), f"{stem} must hold strings where it held objects")
    return KeptPredictions.from_arrays(arrays, estimators, design.test_sizes)


def _load_inner(arrays: Arrays, estimators: Sequence[str], splits: Splits | None) -> KeptPredictions | None:
    """The predictions of the inner fits of nested cross-validation, where these were made."""
    own = {name.removeprefix(_INNER): array for name, array in arrays.items() if name.startswith(_INNER)}
    if not own:
        return None
    if splits is None or splits.fold_ids is None or "y" not in arrays:
        raise ValueError("inner predictions need y and the folds")
    n_splits = splits.n_repeats * (splits.n_folds * (splits.n_folds - 1) // 2)
    parts = all(len(array) == n_splits for name, array in own.items() if name.endswith("_shapes"))
    require(parts, "inner predictions must have a part for every pair of folds")
    of_y = {name: array for name, array in arrays.items() if name in ("y", "y_is_object")}
    design = replace(splits.design, n_splits=n_splits, test_sizes=InnerSplits.of(splits).test_sizes)
    return _load_predictions({**own, **of_y}, estimators, design)


def _parts(results: Iterable[EvaluationScores]) -> tuple[list[dict[str, Any]], dict[str, NDArray[Any]]]:
    """Headers of several results, and their arrays under names that begin with their number."""
    parts: list[dict[str, Any]] = []
    arrays: dict[str, NDArray[Any]] = {}
    for i, result in enumerate(results):
        header, own = _of_result(result)
        parts.append(header)
        arrays.update({f"{i}.{name}": array for name, array in own.items()})
    return parts, arrays


def _from_parts(parts: Sequence[Any], names: Sequence[T], arrays: Arrays) -> dict[T, dict[str, Any]]:
    """The fields of several results by name."""
    own: dict[str, dict[str, NDArray[Any]]] = {str(i): {} for i in range(len(names))}
    for key, array in arrays.items():
        part, _, name = key.partition(".")
        own.setdefault(part, {})[name] = array
    return {name: from_archive(part, own[str(i)]) for i, (name, part) in enumerate(zip(names, parts, strict=True))}


def curve_from_archive(header: Mapping[str, Any], arrays: Arrays) -> tuple[dict[str, Any], dict[int, dict[str, Any]]]:
    """The warnings of a learning curve, and by size the fields of its evaluations."""
    sizes, parts = header["sizes"], header["results"]
    ascending = type(sizes) is list and all(type(size) is int and size > 0 for size in sizes)
    require(ascending and len(sizes) > 1 and sizes == sorted({*sizes}), "sizes must be two or more, ascending")
    require(set(header) == {"sizes", "warnings", "results"}, "a learning curve has sizes, warnings and results")
    results = _from_parts(parts, sizes, arrays)
    first = results[sizes[0]]
    for name in ("estimators", "metrics", "greater_is_better", "baseline"):
        require(all(part[name] == first[name] for part in results.values()), f"results must share the {name}")
    tests = {(part["design"].kind, part["design"].test_sizes) for part in results.values()}
    require(len(tests) == 1, "results must share their test sets")
    return {"warnings": _read(tuple[CodedWarning, ...], header["warnings"], "warnings", CHECKS)}, results


def study_from_archive(header: Mapping[str, Any], arrays: Arrays) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Fields of a study, and by data set those of its evaluations; any exception means another form."""
    parts = header["results"]
    saved = {name: value for name, value in header.items() if name != "results"}
    found = read_fields(StudyScores, saved, CHECKS, without=_OF_RESULTS)
    datasets, estimators, metrics = found["datasets"], found["estimators"], found["metrics"]
    check_distinct(datasets, "datasets", fewest=1)
    _check_table(found)
    if not parts:
        _check_array(arrays["scores"], "scores", (len(datasets), len(estimators), 1, len(metrics)))
        require(not np.isinf(arrays["scores"]).any(), "scores must not be infinite")
        return {**found, "scores": arrays["scores"]}, {}
    results = _from_parts(parts, datasets, arrays)
    for name in ("estimators", "metrics", "greater_is_better"):
        same = all(part[name] == found[name] for part in results.values())
        require(same, f"results must have the {name} of the study")
    return {name: found[name] for name in ("failures", "warnings", "provenance")}, results
