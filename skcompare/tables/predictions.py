"""A result from predictions that another tool made on one test set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.multiclass import type_of_target

from skcompare._core.frames import period_of
from skcompare._core.numbers import some_names
from skcompare._core.text import one_line
from skcompare._core.validation import as_floats, check_choice, check_name, refuse_masked
from skcompare._core.warnings import Code, CodedWarning
from skcompare.evaluation import input as inputs
from skcompare.evaluation.cautions import scorers_of_labels
from skcompare.evaluation.metrics import scoring as rules
from skcompare.evaluation.metrics.batches import LABEL
from skcompare.evaluation.predictions import as_scorers, score_stored, stored_models
from skcompare.results import EvaluationResult
from skcompare.tables import outcomes as items
from skcompare.tables.evidence import reading_of
from skcompare.tables.outcomes import Samples
from skcompare.tables.reading import INDEPENDENT, Reading

_TASKS = ("binary", "multiclass", "multilabel", "regression", "multioutput")


def from_predictions(
    y_true: Any,
    predictions: Mapping[str, Any] | None = None,
    *,
    scoring: Any = None,
    sample_id: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    classes: ArrayLike | None = None,
    task: str | None = None,
) -> EvaluationResult:
    """A result from the predictions of fitted models on one test set.

    What it says is about these fitted models on samples like these, not about the algorithms that were trained.

    Parameters
    ----------
    y_true : array_like of shape (n_samples,) or (n_samples, n_columns), or table
        True labels or numbers; of several columns 0 and 1 for labels, or numbers. Or a tidy table (data frame or
        mapping of columns) with a row per sample and model: columns ``sample_id``, ``model``, ``y_true`` and at least
        one of ``prediction``, ``probability`` (of the second class), ``decision_function`` and ``score`` (one of the
        two, read as below), or one ``probability_<class>`` per class, as in ``probability_spam``; optional ``clusters``
        (or ``group``) and ``sample_weight``. Every other column describes the samples, for `EvaluationResult.by`. Names
        of columns are read in any case.
    predictions : mapping of model name to array_like, or data frame with a column per model, optional
        Of shape (n_samples,): predicted labels or numbers; of two classes also scores. Where all lie between 0 and 1
        they are probabilities of the second class and cut at 0.5; where they have both signs they are decision values
        and cut at 0; other scores, and one model's probabilities beside decision values of another one, are refused. Of
        shape (n_samples, n_classes): probabilities, or decision values where the rows do not add up to 1, in the order
        of the sorted classes, or of a data frame whose columns are called by the classes, as ``1`` or ``p_1``, by
        these. Where `y_true` has columns, of its shape: 0 and 1, probabilities or scores of labels, or numbers. Or a
        mapping with several of the entries ``"prediction"``, ``"probability"``, ``"decision_function"`` and ``"score"``
        (read as above); labels that are given are used as they are. Left out where `y_true` is a table.
        ``result.provenance["read"]`` says how scores were read.
    scoring : str, list, dict or callable, optional
        Metrics as in `PairedEvaluator`; a dict may also hold functions ``(y_true, y_pred) -> float``.
    sample_id : array_like of shape (n_samples,), optional
        What the samples are called. pandas objects are aligned by it as their index, `y_true` and `clusters` too. Where
        the ids are a column of the table that all of them are of, rows stay as they stand.
    clusters : array_like of shape (n_samples,) or str, optional
        Patient, document, ... of each sample: samples of one cluster are not taken for independent. Of a table the name
        of its column; ``"none"`` says that no column holds clusters, where samples repeat in one.
    sample_weight : array_like of shape (n_samples,), optional
        How much each sample counts, at least 0. Scores are then weighted as scikit-learn weights them, and tests are t
        tests on values linearised in the weighted means, of accuracy too; what has no such test is "not comparable".
    classes : array_like of shape (n_classes,), optional
        All classes in the order of the columns of probabilities, where `y_true` lacks some or they stand otherwise.
        Metrics of probabilities and scores need samples of all of them.
    task : {"binary", "multiclass", "multilabel", "regression", "multioutput"}, optional
        Read from `y_true` and the predictions by default.

    Returns
    -------
    EvaluationResult
        On a design of one test set: `compare` takes McNemar's test for accuracy, DeLong's for the area under the ROC
        curve, a paired t test for means of losses, and a paired permutation test for any other metric.

    Raises
    ------
    ValueError
        If a model lacks a sample or has it twice, the true values differ between models, values are missing, or
        predictions do not fit the task.

    See Also
    --------
    from_outcomes : where there is one outcome per item, such as a grade or a loss.

    Examples
    --------
    >>> from skcompare import from_predictions
    >>> y_true = [1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0] * 10
    >>> a = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 0] * 10
    >>> b = [1, 1, 0, 1, 0, 0, 0, 1, 0, 0, 1, 1] * 10
    >>> result = from_predictions(y_true, {"a": a, "b": b}, scoring=["accuracy", "f1"])
    >>> result.design.name
    'one test set of 120 samples'
    >>> print(result.test())  # doctest: +ELLIPSIS
    a is significantly better than b on accuracy: a - b is +0.3333 (95% interval...
    """
    if predictions is None:
        if not hasattr(y_true, "keys") and not hasattr(y_true, "columns"):
            what = "no table (a data frame or a mapping of columns); got None, and y_true is"
            raise ValueError(f"predictions must be given where y_true is {what} {y_true!r:.60}")
        if not (sample_id is sample_weight is None and (clusters is None or isinstance(clusters, str))):
            raise ValueError("sample_id, clusters and sample_weight must be columns of the table; got arguments")
        samples = samples_in(reading_of(y_true, "predictions", "y_true", clusters)[1], classes=classes)
    else:
        samples = _paired(y_true, predictions, sample_id, clusters, sample_weight, classes)
    result = predicted(samples, scoring, classes, task)
    return result._with(design=replace(result.design, period=period_of(y_true)))


def predicted(samples: Samples, scoring: Any, classes: Any = None, task: str | None = None) -> EvaluationResult:
    """The result of what models predicted of the samples."""
    truth = samples.y_true
    own = _classes(classes, truth)
    kind = _task(truth, samples.values, own, task)
    labelled, values = inputs.is_classification(kind), samples.values
    read: dict[str, str] = {}
    if labelled or kind == "multilabel":
        values, read = _read_parts(values, own, label_sets=not labelled)
    responses = {name: _responses(f"predictions[{name!r}]", x, kind, own, truth.shape) for name, x in values.items()}
    models = stored_models(responses, np.sort(own), kind)
    scorers = as_scorers(scoring)
    metrics = rules.for_positive(rules.resolve_scoring(scorers, kind, models), inputs.positive_class(own, kind))
    rules.check_grades(metrics, truth)
    _check_metrics(metrics, responses)
    warnings, left_out = list[CodedWarning](), list[CodedWarning]()
    if samples.weights is not None:
        warnings.append(Code.WEIGHTED("samples count by their weights, in tests too."))
    if labelled:
        metrics, left_out = _defined(metrics, truth, own, asked=scoring is not None)
    provenance = {**samples.provenance("predictions"), **rules.names_given(metrics), **({"read": read} if read else {})}
    if samples.weights is not None:
        metrics = rules.weighted(metrics, inputs.positive_class(truth, kind))
    warnings += scorers_of_labels(metrics) if labelled or kind == "multilabel" else ()
    table, splits, kept = score_stored(models, truth, metrics, kind, samples.weights)
    counts = inputs.class_counts(truth, splits, kind)
    return EvaluationResult(
        scores=table.scores,
        estimators=tuple(models),
        metrics=tuple(metric.name for metric in table.metrics),
        greater_is_better=tuple(metric.greater_is_better for metric in table.metrics),
        design=replace(splits.design, n_clusters=samples.n_clusters, class_counts=counts),
        task=kind,
        positive_class=inputs.positive_class(own, kind),
        ill_defined=table.ill_defined,
        warnings=(*warnings, *left_out),
        provenance=provenance,
        single_metric=isinstance(scoring, str),
        kept_splits=splits,
        kept_predictions=kept,
        **samples.fields,
        metric_functions=rules.metric_functions(metrics),
    )


def samples_in(reading: Reading, *, classes: Any = None) -> Samples:
    """The samples of a table of predictions, where no model lacks a value of what it gives."""
    columns, asks = reading.columns, reading.asked.get("cluster") != INDEPENDENT
    if not reading.predicted:
        return items.read_samples(columns, reading.described, classes=classes, asks=asks)
    if asks and "cluster" not in columns:
        items.ask_of_clusters(reading.described, leave_out="cluster='none'")
    item, cluster, weight = (columns.get(role) for role in ("item", "cluster", "weight"))
    found = _paired(columns["truth"], reading.predicted, item, cluster, weight, classes)
    return replace(found, columns=items.plain_columns(reading.described))


def _classes(classes: Any, truth: NDArray[Any]) -> NDArray[Any]:
    """The sorted classes of the samples, or those that were given: each once, all those of the samples."""
    if classes is None:
        try:
            return np.unique(truth)
        except TypeError as error:
            raise ValueError("y_true must hold values of one kind; got some that have no order") from error
    refuse_masked(classes, "classes")
    known = np.asarray(classes)
    if known.ndim != 1 or len({*map(repr, known.tolist())}) < len(known):
        raise ValueError(f"classes must name every class once; got {classes!r:.80}")
    if len(strange := truth[~np.isin(truth, known)]):
        raise ValueError(f"classes must hold every class of y_true; it lacks {strange[:1].tolist()[0]!r}")
    return known


def _check_metrics(metrics: Sequence[rules.Metric], responses: Mapping[str, Mapping[str, Any]]) -> None:
    """ValueError where a metric needs what was not predicted."""
    for metric in metrics:
        if metric.kind == "cost":
            by = f"{metric.name!r} is measured while models are fitted"
            raise ValueError(f"scoring must need predictions alone; {by}")
        reads = getattr(metric.source, "_response_method", metric.response)
        wanted = {reads} if isinstance(reads, str) else {*reads}
        for name in [name for name, found in responses.items() if wanted and wanted.isdisjoint(found)]:
            needs = f"probabilities{'' if wanted == {'predict_proba'} else ' or scores'}, {name!r} has labels"
            raise ValueError(f"scoring must fit the predictions: {metric.name!r} needs {needs}")


def _paired(y_true: Any, predictions: Any, sample_id: Any, clusters: Any, sample_weight: Any, classes: Any) -> Samples:
    """Arrays of one row per sample; pandas objects are aligned by the ids where these are given."""
    beside = {"sample_id": sample_id, "clusters": clusters, "sample_weight": sample_weight}
    predictions, told = items.roles_apart(items.named_columns(predictions), beside)
    if not isinstance(predictions, Mapping) or not predictions:
        raise ValueError(f"predictions must map names of models to arrays; got {one_line(repr(predictions)):.80}")
    for name in predictions:
        check_name(name, "predictions")
    items.refuse_roles([name for name, x in predictions.items() if not isinstance(x, Mapping)], "predictions")
    called: dict[tuple[str, str], str] = {}
    known = {"y_true": y_true, "clusters": told["clusters"], "sample_weight": told["sample_weight"]}
    for name, found in predictions.items():
        parts = found if isinstance(found, Mapping) else {"": found}
        if not parts:
            raise ValueError(f"predictions[{name!r}] must hold one or more of {some_names([*RESPONSES])}; got none")
        for part, values in parts.items():
            check_choice(part or "prediction", f"predictions[{name!r}]", tuple(RESPONSES))
            called[name, part] = f"predictions[{name!r}]" + (f"[{part!r}]" if part else "")
            known[called[name, part]] = values
    known = items.aligned(known, sample_id)
    n = inputs.n_rows(known["y_true"], "y_true")
    truth = items.sample_values(known.pop("y_true"), "y_true", n)
    if truth.ndim > 1 and truth.dtype.kind not in "biuf":
        raise ValueError(f"y_true must hold numbers where it has several columns; got dtype {truth.dtype}")
    own = np.empty(0) if truth.ndim > 1 else _classes(classes, truth)
    values = {name: dict[str, NDArray[Any]]() for name in predictions}
    for (name, part), what in called.items():
        values[name][part] = _in_order(items.sample_values(known[what], what, n), known.pop(what), what, own.tolist())
    return Samples.of(n, y_true=truth, values=values, sample_id=told["sample_id"], **known)


def _in_order(array: NDArray[Any], given: Any, name: str, classes: list[Any]) -> NDArray[Any]:
    """The columns of a table that the classes name by these; any other array as it is."""
    index = getattr(given, "columns", ())
    columns, counted = list(index), type(index).__name__ == "RangeIndex"
    if array.ndim < 2 or not classes or (counted and columns == [*range(len(columns))]):
        return array
    ends = [str(one).removesuffix(str(classes[0])) for one in columns if str(one).endswith(str(classes[0]))]
    found = (items.class_columns(columns, classes, prefix) for prefix in ("", *ends))
    places = next((at for at in found if at is not None), None)
    if places is None and len(columns) == len(classes) and (known := {*map(str, columns)} & {*map(str, classes)}):
        both = f"got {some_names(columns)}, of which classes are {some_names(sorted(known))}"
        raise ValueError(f"{name} must have a column for every class, {some_names(classes)}, or names of none; {both}")
    return array if places is None else array[:, places]


def _task(truth: NDArray[Any], values: Mapping[str, Any], classes: NDArray[Any], task: str | None) -> inputs.Task:
    """The kind of problem: that of the targets, but numbers that are predicted between classes make a regression."""
    if task is not None:
        check_choice(task, "task", _TASKS)
        if (task in ("multilabel", "multioutput")) != (truth.ndim > 1):
            needs = "several columns" if truth.ndim == 1 else "one column"
            raise ValueError(f"task must fit y_true; {task!r} needs {needs}, and it has shape {truth.shape}")
        if task == "binary" and len(classes) != 2:
            raise ValueError(f"task must not be 'binary' where y_true has {len(classes)} classes")
        return task  # type: ignore[return-value]
    target = type_of_target(truth)
    if truth.ndim > 1:
        return "multilabel" if target == "multilabel-indicator" else "multioutput"
    if target.startswith("continuous"):
        return "regression"
    if len(classes) > 2:
        numbers = [x for found in values.values() for part, x in found.items() if part in ("", "prediction")]
        between = any(x.ndim == 1 and x.dtype.kind == "f" and not np.isin(x, classes).all() for x in numbers)
        return "regression" if between and truth.dtype.kind in "iuf" else "multiclass"
    if len(classes) < 2:
        raise ValueError(f"y_true must hold two or more classes, or numbers; got only {classes[:1].tolist()}")
    return "binary"


def _defined(
    metrics: Sequence[rules.Metric], truth: NDArray[Any], classes: NDArray[Any], *, asked: bool
) -> tuple[tuple[rules.Metric, ...], list[CodedWarning]]:
    """The metrics without those that nobody asked for and that lack samples of a class, and what is said of these.

    ValueError where one that was asked for is not defined so.
    """
    absent = classes[~np.isin(classes, truth)]
    first = next(iter(absent.tolist()), "")
    out = [metric for metric in metrics if len(absent) and not asked and metric.reads != LABEL]
    why = f"is not defined on the test set, which lacks class {first!r}, and is left out"
    said = [Code.MISSING_SCORES(f"{one.name} {why}. Give scoring without {one.name}.", (one.name,)) for one in out]
    metrics = tuple(metric for metric in metrics if metric not in out)
    if len(classes) - len(absent) < 2:
        raise ValueError(f"y_true must hold samples of two or more classes; got only {np.unique(truth).tolist()}")
    for metric in metrics:
        if len(absent) and {*metric.reads} - {"predict"} and not getattr(metric.source, "_kwargs", None):
            why = f"{metric.name!r} reads scores, and no sample is of class {first!r}"
            raise ValueError(f"scoring must be metrics of labels where y_true lacks classes; {why}")
    return metrics, said


# ---- what models predicted, by the methods of scikit-learn: labels, probabilities, scores or numbers ---------------

RESPONSES = {
    "prediction": "predict",
    "score": "",  # read from the values, as an array without a name is
    "probability": "predict_proba",
    "decision_function": "decision_function",
}
Parts = Mapping[str, NDArray[Any]]
_SUM_TOLERANCE = 1e-3
_ROUNDED = 0.006  # of a probability that was written with two decimals


def _read_parts(
    values: Mapping[str, Parts], classes: NDArray[Any], *, label_sets: bool = False
) -> tuple[dict[str, dict[str, NDArray[Any]]], dict[str, str]]:
    """What models gave, by parts whose meaning is known, and by model how scores of unknown meaning were read.

    All values in [0, 1] are probabilities, others are decision values. Where labels are made of them, decision values
    must have both signs, and those of all models one meaning; what else they could be is asked.

    Raises
    ------
    ValueError
        If scores could mean several things.
    """
    parts: dict[str, dict[str, NDArray[Any]]] = {name: {} for name in values}
    cut: dict[str, tuple[bool, NDArray[np.float64]]] = {}
    said: dict[str, str] = {}
    for name, part, array in ((name, part, x) for name, found in values.items() for part, x in found.items()):
        labels = np.isin(array, (0, 1) if label_sets else classes).all() if part == "" else part != "score"
        unlike = array.dtype.kind != "f" or len(classes) > 2  # classes, as scores of one column are floats
        if part == "" and not label_sets:
            labels = array.ndim == 1 and (unlike or labels)
        if labels:
            parts[name][part or "prediction"] = array
            continue
        found, scores = values[name], as_floats(array, f"predictions[{name!r}]")
        alone = label_sets or scores.ndim == 1
        shares = bool(scores.min() >= 0 and scores.max() <= 1) and "probability" not in found
        shares = shares and (alone or bool(np.abs(scores.sum(axis=1) - 1).max() <= _SUM_TOLERANCE))
        kind = "probability" if shares else "decision_function"
        if kind in found:
            raise ValueError(f"predictions[{name!r}] must have one of 'score' and {kind!r}; got both")
        parts[name][kind] = scores
        of_class = f"class {np.sort(classes)[-1:].tolist()[0]!r}" if scores.ndim == 1 else "all classes"
        words = f"{'probabilities' if shares else 'decision values'} of {'labels' if label_sets else of_class}"
        said[name] = f"{part or 'predictions'}: {words}"
        if found.keys().isdisjoint({"prediction", "probability"}) and (label_sets or (alone and len(classes) == 2)):
            cut[name] = shares, scores
            said[name] += f", cut at {0.5 if shares else 0:g}"
    _check_meaning(cut)
    return parts, said


def _check_meaning(cut: Mapping[str, tuple[bool, NDArray[np.float64]]]) -> None:
    """ValueError where labels would be made of scores that could mean several things."""
    labels = "Or give their labels too, as 'prediction'"
    for name, (shares, scores) in cut.items():
        if not shares and not scores.min() < 0 < scores.max():
            raise ValueError(
                f"predictions[{name!r}] must be probabilities, between 0 and 1, or decision values, of both signs; got "
                f"scores from {scores.min():g} to {scores.max():g}. If 0 is where they are cut, call them "
                f"'decision_function' (a key or a column). {labels}"
            )
    names = [next((name for name, (found, _) in cut.items() if found is shares), None) for shares in (True, False)]
    if None not in names:
        raise ValueError(
            f"predictions must have scores of one meaning; those of {names[0]!r} are between 0 and 1, those of "
            f"{names[1]!r} are not. Call each 'probability' or 'decision_function' (keys or columns). {labels}"
        )


def _responses(called: str, found: Parts, kind: inputs.Task, classes: NDArray[Any], shape: tuple[int, ...]) -> Parts:
    """What a model predicted, by the methods of scikit-learn; labels are those of the scores where none were given."""
    if kind in ("regression", "multioutput"):
        given = found.get("", found.get("prediction"))
        if given is None or given.shape != shape:
            what = " or ".join(map(repr, found)) if given is None else f"shape {given.shape}"
            wanted = "one number per sample" if len(shape) == 1 else f"{shape[1]} numbers per sample"
            raise ValueError(f"{called} must be {wanted} of a regression; got {what}")
        return {"predict": as_floats(given, called)}
    sets = kind == "multilabel"
    read = partial(_label_sets, shape=shape) if sets else partial(_by_class, classes=classes)
    responses = {RESPONSES[part]: read(called, part, x) for part, x in found.items()}
    if "predict" not in responses:
        shares = responses.get("predict_proba")
        scores, cut = (responses["decision_function"], 0.0) if shares is None else (shares, 0.5)
        above = scores.argmax(axis=1) if scores.ndim == 2 and not sets else (scores > cut).astype(np.int64)
        responses["predict"] = above if sets else np.sort(classes)[above]
    return responses


def _label_sets(called: str, part: str, values: NDArray[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    """One part of what a model predicted of several labels per sample, a column each."""
    if values.shape != shape:
        raise ValueError(f"{called} must have a column per label, shape {shape}; got shape {values.shape}")
    numbers, labels = as_floats(values, called), part == "prediction"
    inside = np.isin(numbers, (0, 1)) if labels else (numbers >= 0) & (numbers <= 1)
    if part != "decision_function" and not inside.all():
        wanted = "0 and 1" if labels else "between 0 and 1"
        raise ValueError(f"{called} must have {part} values that are {wanted}; got others")
    return numbers.astype(np.int64) if labels else numbers


def _by_class(called: str, part: str, values: NDArray[Any], classes: NDArray[Any]) -> NDArray[Any]:
    """Labels, or scores in the order of the sorted classes; of two classes those of the second alone."""
    if part == "prediction":
        if values.ndim != 1:
            raise ValueError(f"{called} must be one label per sample; got shape {values.shape}")
        if strange := values[~np.isin(values, classes)].tolist():
            known = f"classes ({', '.join(map(repr, classes[:5].tolist()))}) or scores"
            raise ValueError(f"{called} must be {known}; got {strange[0]!r}. Give classes= where y_true lacks some")
        return values.astype(classes.dtype)  # others, such as 0.0 of a column with gaps, are no class by their type
    scores = as_floats(values, called)
    if scores.ndim == 2 and scores.shape[1] == 1:
        scores = scores[:, 0]
    n_columns, share = scores.shape[1] if scores.ndim == 2 else 1, part == "probability"
    if n_columns != len(classes) and (scores.ndim == 2 or len(classes) != 2):
        remedy = ". Give classes= where y_true lacks some" if scores.ndim == 2 else ""
        raise ValueError(f"{called} must have a column per class, {len(classes)}; got {n_columns}{remedy}")
    if share and (scores.min() < 0 or scores.max() > 1):
        first = np.argwhere((scores < 0) | (scores > 1))[0]
        got = f"{scores[tuple(first)]} at position {first[0]}"
        raise ValueError(f"{called} must have probabilities between 0 and 1; got {got}")
    if scores.ndim == 1:
        return scores
    sums = scores.sum(axis=1)
    if share and np.abs(sums - 1).max() > _ROUNDED * len(classes):
        first = int(np.abs(sums - 1).argmax())
        got = f"{sums[first]:.4g} at position {first}"
        raise ValueError(f"{called} must have probabilities that add up to 1; got {got}")
    scores = scores[:, np.argsort(classes, kind="stable")]
    if len(classes) == 2:
        return scores[:, 1] if share else scores[:, 1] - scores[:, 0]
    return scores
