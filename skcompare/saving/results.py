"""The form of an evaluation, a study and a learning curve in a saved file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from skcompare._core.design import Design
from skcompare._core.validation import check_choice
from skcompare._core.warnings import CodedWarning
from skcompare.comparison.calibrated import check_fit
from skcompare.evaluation.input import class_counts
from skcompare.evaluation.metrics.scorers import MetricFunction
from skcompare.evaluation.metrics.scoring import metric_function
from skcompare.evaluation.predictions import KeptPredictions
from skcompare.evaluation.prepare import InnerSplits
from skcompare.evaluation.splits import Splits, splits_from_pairs
from skcompare.inference._records import ROUNDING
from skcompare.saving.records import CHECKS, check_distinct, read_fields, require
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.study import LearningCurveScores, StudyScores

EVALUATION, STUDY, LEARNING_CURVE = "evaluation", "study", "learning_curve"
Arrays = Mapping[str, NDArray[Any]]
Archive = tuple[str, dict[str, Any], dict[str, NDArray[Any]]]
T = TypeVar("T")
_TABLES = ("scores", "fit_times", "score_times")
_OF_SEEDS, _FUNCTIONS = "seed_scores", "metric_functions"
_OF_SAMPLES = ("clusters", "sample_weight", "sample_ids")
_IN_ARRAYS = (
    *_TABLES,
    _OF_SEEDS,
    "kept_splits",
    "kept_predictions",
    "inner_predictions",
    *_OF_SAMPLES,
    "sample_columns",
    _FUNCTIONS,
)
_OF_RESULTS = ("scores", "designs", "results")
# Splits may leave samples out, but memory is taken for each.
_FREE_SAMPLES = 2**24
_MOST_SAMPLES_PER_INDEX = 64
_SEEDS = 2**32
_INNER = "inner."  # begins the names of arrays of the fits without two folds


def to_archive(result: EvaluationScores) -> Archive:
    """Kind, header and arrays of a result."""
    header = {field.name: getattr(result, field.name) for field in fields(EvaluationScores)}
    arrays = {
        **{name: header[name] for name in _TABLES},
        **({} if result.seed_scores is None else {_OF_SEEDS: result.seed_scores}),
        **({} if result.kept_predictions is None else result.kept_predictions.to_arrays()),
        **({} if result.inner_predictions is None else _inner_arrays(result.inner_predictions)),
        **({} if result.kept_splits is None else _splits_arrays(result.kept_splits)),
        **{name: header[name] for name in _OF_SAMPLES if header[name] is not None},
        **{f"column{i}": column for i, column in enumerate(result.sample_columns.values())},
    }
    unset = [name for name in ("selected", "fit_seeds", "baseline") if not getattr(result, name)]
    unset += ["error_score"] if np.isnan(result.error_score) else []
    without = (*_IN_ARRAYS, *unset)
    kept = {name: value for name, value in header.items() if name not in without}
    return EVALUATION, {**kept, **_unnamed(result), "columns": tuple(result.sample_columns)}, arrays


def _inner_arrays(predictions: KeptPredictions) -> dict[str, NDArray[Any]]:
    """Those of the models; the targets and the splits are known."""
    arrays = predictions.to_arrays().items()
    return {f"{_INNER}{name}": array for name, array in arrays if name.startswith("estimator")}


def _unnamed(result: EvaluationScores) -> dict[str, Any]:
    """The functions of metrics that no name of scikit-learn's tells, where they are its own."""
    named = {*result.misnamed, *result.renamed}
    of_names = {
        name: function.to_parts()
        for name, function in result.metric_functions.items()
        if isinstance(function, MetricFunction) and name not in named and metric_function(name) is None
    }
    known = {name: parts for name, parts in of_names.items() if parts is not None}
    return {_FUNCTIONS: known} if known else {}


def _splits_arrays(splits: Splits) -> dict[str, NDArray[Any]]:
    if splits.fold_ids is not None:
        return {"fold_ids": splits.fold_ids}
    arrays: dict[str, NDArray[Any]] = {}
    for part, name in enumerate(("train", "test")):
        parts = [pair[part] for pair in splits.pairs or ()]
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
    for name, wanted in zip(_TABLES, (shape, shape[:2], shape[:2]), strict=True):
        _check_array(arrays[name], name, wanted)
    if found["fit_seeds"] or _OF_SEEDS in arrays:
        _check_array(arrays[_OF_SEEDS], _OF_SEEDS, (shape[0], len(found["fit_seeds"]), *shape[1:]))
    _check_known([one.estimator for one in found["failures"]], "estimator of a failure", estimators)
    _check_known([one.metric or metrics[0] for one in found["failures"]], "metric of a failure", metrics)
    last = max((one.split for one in found["failures"]), default=0)
    require(last < design.n_splits, "split of a failure must be one of the splits")
    _check_known(found["ill_defined"], "estimator of ill_defined", estimators)
    names = {*metrics}
    for counts in found["ill_defined"].values():
        within = names.issuperset(counts) and max(counts.values(), default=0) <= design.n_splits
        require(within, "ill_defined must count splits by metric")
    if found["stopping"] is not None:
        _check_stopping(found)
    if found["selected"] is not None:
        _check_selected(found)
    require(len(design.n_runs) in (0, len(estimators)), "n_runs must be one per model")
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
    looked = found["stopping"] is not None and bool(found["stopping"].looks)
    in_time = design.time_order if splits is None else splits.time_order
    return {
        **found,
        "design": replace(design, time_order=in_time, sequential=looked),  # older files lack both
        **{name: arrays[name] for name in _TABLES},
        **({_OF_SEEDS: arrays.get(_OF_SEEDS)} if known else _of_earlier_version(found, arrays)),
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


def _load_samples(design: Design, splits: Splits | None, columns: Any, arrays: Arrays) -> dict[str, Any]:
    """What is known of the samples or items: one plain value for each."""
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
    require(design.n_clusters == n_clusters, "clusters must be as many as the design has")
    return {**found, "sample_columns": described}


def _check_table(found: Mapping[str, Any]) -> None:
    """Raise ValueError unless estimators, metrics, directions and seed can be those of scores."""
    check_distinct(found["estimators"], "estimators", fewest=2)
    check_distinct(found["metrics"], "metrics", fewest=1)
    one_each = len(found["greater_is_better"]) == len(found["metrics"])
    require(one_each, "greater_is_better must hold one boolean per metric")
    seed = found["provenance"].get("random_state")  # of the procedures that draw at random
    is_seed = seed is None or (type(seed) is int and 0 <= seed < _SEEDS)
    require(is_seed, f"random_state must be an integer in [0, {_SEEDS}); got {seed!r:.80}")


def _check_known(names: Iterable[str], name: str, known: tuple[str, ...]) -> None:
    """Raise ValueError unless all names are among those known, both of which may be many."""
    each = {*known}
    for strange in (one for one in names if one not in each):
        check_choice(strange, name, known)


def _check_array(array: NDArray[Any], name: str, shape: tuple[int, ...]) -> None:
    """Raise ValueError unless an array holds floats in that shape."""
    fits = array.shape == shape and array.dtype == np.float64
    require(fits, f"{name} must be float64 of shape {shape}; got {array.dtype} of {array.shape}")


def _check_stopping(found: Mapping[str, Any]) -> None:
    stopping, design = found["stopping"], found["design"]
    check_choice(stopping.metric, "metric of stopping", found["metrics"])
    models = {*stopping.names, *stopping.worse, *stopping.unscored}
    same = models == set(found["estimators"]) and stopping.n_models == len(models)
    size = (stopping.n_folds, stopping.n_repeats) == (design.n_folds, design.n_repeats)
    require(same and size, "stopping must be of the models and the splits of the result")


def _check_selected(found: Mapping[str, Any]) -> None:
    selected, n = found["selected"], len(found["estimators"])
    check_choice(selected.metric, "metric of selected", found["metrics"])
    require(len(selected.pvalues) == n, "pvalues of selected must be one per model")
    require(selected.best is None or selected.best < n, "best of selected must be one of the models")


def _same_design(splits: Splits, design: Design, *, predictions: bool) -> bool:
    own = splits.design if predictions else splits.design_of_scores
    own_to_file = ("n_clusters", "time_order", "n_groups", "class_counts", "sequential")
    kept = {name: getattr(design, name) for name in own_to_file}
    if own.test_fraction and _is_share_of_all(design, own):  # of training sets that were made smaller
        kept["test_fraction"] = design.test_fraction
    return replace(own, **kept) == design


def _is_share_of_all(design: Design, own: Design) -> bool:
    """Whether the test fraction is between the share of all samples and that of the samples that were used."""
    whole = float(np.mean(own.test_sizes)) / (own.n_samples or 1)
    return whole * (1 - ROUNDING) <= design.test_fraction <= own.test_fraction


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
    of_records = [arrays[f"y_field{i}"] for i in range(len(arrays.get("y_fields", ())))]
    for y in of_records or [arrays["y"]]:
        require(y.ndim in (1, 2) and len(y) == design.n_samples, "y must have one row per sample")
        require(y.dtype.kind != "f" or bool(np.isfinite(y).all()), "y must be finite")
    for name, was_object in arrays.items():  # anything but strings that was an object could not be saved again
        stem = name.removesuffix("_is_object")
        values = arrays.get("y" if stem == "y" else f"{stem}_values")
        strings = values is not None and values.dtype.kind == "U"
        require(stem == name or strings or not was_object.any(), f"{stem} must hold strings where it held objects")
    return KeptPredictions.from_arrays(arrays, estimators, design.test_sizes)


def _load_inner(arrays: Arrays, estimators: Sequence[str], splits: Splits | None) -> KeptPredictions | None:
    """The predictions of the fits without two folds at a time, where these were made."""
    own = {name.removeprefix(_INNER): array for name, array in arrays.items() if name.startswith(_INNER)}
    if not own:
        return None
    if splits is None or splits.fold_ids is None or "y" not in arrays:
        raise ValueError("inner predictions need y and the folds")
    n_splits = splits.n_repeats * (splits.n_folds * (splits.n_folds - 1) // 2)
    parts = all(len(array) == n_splits for name, array in own.items() if name.endswith("_shapes"))
    require(parts, "inner predictions must have a part for every pair of folds")
    of_y = {name: array for name, array in arrays.items() if name in ("y", "y_is_object")}
    inner = InnerSplits.of(splits)
    design = replace(splits.design, n_splits=n_splits, test_sizes=inner.test_sizes)
    return _load_predictions({**own, **of_y}, estimators, design)


def study_to_archive(study: StudyScores) -> Archive:
    """Kind, header and arrays of a study: those of its evaluations, or the table of scores."""
    parts, arrays = _parts(study.results.values())
    arrays |= {} if study.results else {"scores": study.scores}
    own_fields = {field.name: getattr(study, field.name) for field in fields(StudyScores)}
    header = {name: value for name, value in own_fields.items() if name not in _OF_RESULTS}
    return STUDY, {**header, "results": parts}, arrays


def _parts(results: Iterable[EvaluationScores]) -> tuple[list[dict[str, Any]], dict[str, NDArray[Any]]]:
    """Headers of several results, and their arrays under names that begin with their number."""
    parts: list[dict[str, Any]] = []
    arrays: dict[str, NDArray[Any]] = {}
    for i, result in enumerate(results):
        _, header, own = to_archive(result)
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


def curve_to_archive(curve: LearningCurveScores) -> Archive:
    """Kind, header and arrays of a learning curve: those of its sizes."""
    parts, arrays = _parts(curve.results.values())
    return LEARNING_CURVE, {"sizes": curve.sizes, "warnings": curve.warnings, "results": parts}, arrays


def curve_from_archive(header: Mapping[str, Any], arrays: Arrays) -> tuple[dict[str, Any], dict[int, dict[str, Any]]]:
    """The warnings of a learning curve, and by size the fields of its evaluations."""
    sizes, parts = header["sizes"], header["results"]
    ascending = type(sizes) is list and all(type(size) is int and size > 0 for size in sizes)
    require(ascending and len(sizes) > 1 and sizes == sorted({*sizes}), "sizes must be two or more, ascending")
    require(set(header) == {"sizes", "warnings", "results"}, "a learning curve has sizes, warnings and results")
    results = _from_parts(parts, sizes, arrays)
    first = results[sizes[0]]
    for name in ("estimators", "metrics", "greater_is_better", "baseline"):
        same = all(part[name] == first[name] for part in results.values())
        require(same, f"results must share the {name}")
    tests = {(part["design"].kind, part["design"].test_sizes) for part in results.values()}
    require(len(tests) == 1, "results must share their test sets")
    require(type(header["warnings"]) is list, "warnings must be a list")
    return {"warnings": tuple(CodedWarning.from_text(text) for text in header["warnings"])}, results


def study_from_archive(header: Mapping[str, Any], arrays: Arrays) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Fields of a study, and by data set those of its evaluations; any exception means another form."""
    parts = header["results"]
    saved = {name: value for name, value in header.items() if name != "results"}
    found = read_fields(StudyScores, saved, CHECKS, without=_OF_RESULTS)
    datasets, estimators, metrics = found["datasets"], found["estimators"], found["metrics"]
    check_distinct(datasets, "datasets", fewest=1)
    _check_table(found)
    if not parts:
        shape = (len(datasets), len(estimators), 1, len(metrics))
        _check_array(arrays["scores"], "scores", shape)
        require(not np.isinf(arrays["scores"]).any(), "scores must not be infinite")
        return {**found, "scores": arrays["scores"]}, {}
    results = _from_parts(parts, datasets, arrays)
    for name in ("estimators", "metrics", "greater_is_better"):
        same = all(part[name] == found[name] for part in results.values())
        require(same, f"results must have the {name} of the study")
    return {name: found[name] for name in ("failures", "warnings", "provenance")}, results
