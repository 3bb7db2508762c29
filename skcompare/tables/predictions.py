"""A result from predictions that another tool made on one test set."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn import metrics as skm

from skcompare._core.frames import period_of
from skcompare._core.numbers import listed, some_names
from skcompare._core.text import one_line
from skcompare._core.validation import check_choice, refuse_masked
from skcompare._core.warnings import Code, CodedWarning
from skcompare.evaluation import input as inputs
from skcompare.evaluation.cautions import scorers_misread
from skcompare.evaluation.metrics import scoring as rules
from skcompare.evaluation.metrics.batches import LABEL
from skcompare.evaluation.metrics.scorers import whole
from skcompare.evaluation.predictions import PARTS, read_predictions, score_stored, stored_models
from skcompare.results import EvaluationResult
from skcompare.tables import outcomes as items
from skcompare.tables.columns import OF_CLASS, is_loss
from skcompare.tables.evidence import reading_of
from skcompare.tables.reading import GIVEN, INDEPENDENT, Reading, coded
from skcompare.tables.source import worded


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
        one of ``prediction`` (of two classes also scores), ``probability`` (of the second class),
        ``decision_function`` and ``score`` (one of the two, read as below), or one ``probability_<class>`` per class,
        as in ``probability_spam``; optional ``clusters``
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
        Metrics as in `PairedEvaluator`; a dict may also hold functions ``(y_true, y_pred) -> float``. Scores of a
        function that is a loss by its name are negated, as scikit-learn's ``neg_`` are.
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
            raise ValueError(worded("no table", y_true))
        if not (sample_id is sample_weight is None and (clusters is None or isinstance(clusters, str))):
            raise ValueError("sample_id, clusters and sample_weight must be columns of the table; got arguments")
        samples = samples_in(reading_of(y_true, "predictions", "y_true", clusters)[1], classes=classes)
    else:
        beside = {"sample_id": sample_id, "clusters": clusters, "sample_weight": sample_weight}
        samples = _paired(y_true, predictions, classes, **beside)
    result = predicted(samples, scoring, task)
    return result._with(design=replace(result.design, period=period_of(y_true)))


def predicted(samples: items.Samples, scoring: Any, task: str | None = None) -> EvaluationResult:
    """The result of what models predicted of the samples."""
    truth, own, kind = samples.y_true, samples.classes, _task(samples, task)
    positive = inputs.positive_class(own, kind)
    responses, read = read_predictions(samples.values, truth.shape, kind, own)
    models = stored_models(responses, np.sort(own), kind)
    scorers, guessed = _as_scorers(scoring)
    metrics = rules.for_positive(rules.resolve_scoring(scorers, kind, models), positive)
    rules.check_fit([x for x in metrics if x.source is rules.OF_GRADES], truth, kind, {})
    _check_metrics(metrics, responses)
    metrics, left_out = _defined(metrics, truth, own, asked=scoring is not None)
    provenance = {**samples.provenance("predictions"), **rules.names_given(metrics), **({"read": read} if read else {})}
    warnings = list[CodedWarning]()
    if samples.sample_weight is not None:
        warnings.append(Code.WEIGHTED("samples count by their weights, in tests too."))
        metrics = rules.weighted(metrics, positive)
    warnings += [*scorers_misread(metrics, kind), *guessed]
    table, splits, kept = score_stored(models, truth, metrics, kind, samples.sample_weight)
    counts = inputs.class_counts(truth, splits, kind)
    return EvaluationResult(
        scores=table.scores,
        estimators=tuple(models),
        metrics=tuple(metric.name for metric in table.metrics),
        greater_is_better=tuple(metric.greater_is_better for metric in table.metrics),
        design=replace(splits.design, n_clusters=samples.n_clusters, class_counts=counts),
        task=kind,
        positive_class=positive,
        ill_defined=table.ill_defined,
        warnings=(*warnings, *left_out),
        provenance=provenance,
        single_metric=isinstance(scoring, str),
        kept_splits=splits,
        kept_predictions=kept,
        **samples.fields,
        metric_functions=rules.metric_functions(metrics),
    )


# ---- the samples and what was given of each -----------------------------------------------------------------------


def samples_in(reading: Reading, *, classes: Any = None) -> items.Samples:
    """The samples of a table of predictions, where no model lacks a value of what it gives."""
    columns, asks = reading.columns, reading.asked.get("cluster") != INDEPENDENT
    if not reading.predicted:
        return _of_rows(columns, reading.described, classes, asks=asks)
    if asks and "cluster" not in columns:
        items.ask_of_clusters(reading.described)
    known: dict[str, Any] = {name: columns[role] for role, name in items.ARGUMENTS.items() if role in columns}
    known["sample_columns"] = items.plain_columns(reading.described)
    return _paired(known.pop("y_true"), reading.predicted, classes, **known)


def _of_rows(columns: Mapping[str, Any], beside: Mapping[str, Any], classes: Any, *, asks: bool) -> items.Samples:
    """Rows per sample and model: they belong together by the ids, in whatever order they stand."""
    model, named = coded(columns, ["model"])
    models = [name for (name,) in named]
    ids, item = items.ids_of(columns["item"])
    place = model * len(ids) + item
    counts = np.bincount(place, minlength=len(models) * len(ids)).reshape(len(models), len(ids))
    for wrong, verb, more in ((counts > 1, "has", " more than once"), (counts == 0, "lacks", "")):
        if wrong.any():
            m = int(wrong.any(axis=1).argmax())
            said = f"model {models[m]!r} {verb} sample {some_names(ids[wrong[m]].tolist(), items.MAX_NAMED)}{more}"
            raise ValueError(f"the table must hold every sample once per model; {said}")
    rows = np.argsort(place).reshape(counts.shape)
    known = items.together(columns, beside, rows, ids, models, asks=asks)
    given, values = [name for name in columns if name in GIVEN or name.startswith(OF_CLASS)], dict[str, Any]()
    for name, own in zip(models, rows, strict=True):
        parts = {one: x for one in given if not inputs.missing_rows(x := columns[one][own]).all()}
        for one, x in parts.items():
            if (lacking := inputs.missing_rows(x)).any():
                which = some_names(ids[lacking].tolist(), items.MAX_NAMED)
                raise ValueError(f"the table must have a {one} of every sample; model {name!r} lacks that of {which}")
        if of_classes := {one.removeprefix(OF_CLASS): parts.pop(one) for one in [*parts] if one.startswith(OF_CLASS)}:
            wanted, shares = _classes(classes, known["y_true"]).tolist(), np.column_stack([*of_classes.values()])
            parts["probability"] = _in_order(shares, [*of_classes], "the table", wanted, named=True)
        values[name] = parts
    return _paired(known.pop("y_true"), values, classes, sample_id=ids, **known)


def _paired(y_true: Any, predictions: Any, classes: Any, **given: Any) -> items.Samples:
    """Arrays of one row per sample, with what `Samples` keeps beside them; pandas objects are aligned by the ids."""
    beside = {name: given.pop(name, None) for name in ("sample_id", "clusters", "sample_weight")}
    predictions, told = items.beside_models(predictions, **beside)
    if not isinstance(predictions, Mapping) or not predictions:
        raise ValueError(f"predictions must map names of models to arrays; got {one_line(repr(predictions)):.80}")
    items.check_models(predictions, "predictions")
    sample_id, called, known = told.pop("sample_id"), dict[str, tuple[str, str]](), {"y_true": y_true, **told}
    for name, found in predictions.items():
        parts, where = found if isinstance(found, Mapping) else {"": found}, f"predictions[{name!r}]"
        if not parts:
            raise ValueError(f"{where} must hold one or more of {some_names([*PARTS])}; got none")
        for part, values in parts.items():
            check_choice(part or "prediction", where, tuple(PARTS))
            what = where + f"[{part!r}]" * bool(part)
            known[what], called[what] = values, (name, part)
    known = items.aligned(known, sample_id)
    n = inputs.n_rows(known["y_true"], "y_true")
    truth = items.sample_values(known["y_true"], "y_true", n)
    if truth.ndim > 1 and truth.dtype.kind not in "biuf":
        raise ValueError(f"y_true must hold numbers where it has several columns; got dtype {truth.dtype}")
    own, values = _classes(classes, truth), {name: dict[str, NDArray[Any]]() for name in predictions}
    for what, (name, part) in called.items():
        array, columns = items.sample_values(known[what], what, n), getattr(known[what], "columns", ())
        unnamed = type(columns).__name__ == "RangeIndex" and [*columns] == [*range(len(columns))]
        if array.ndim > truth.ndim and len(own) and not unnamed:
            array = _in_order(array, [*columns], what, own.tolist())
        values[name][part] = array
    given |= {name: known[name] for name in told}
    return items.Samples.of(n, y_true=truth, values=values, classes=own, sample_id=sample_id, **given)


def _in_order(array: NDArray[Any], columns: list[Any], what: str, classes: list[Any], *, named: bool = False) -> Any:
    """The columns in the order of the classes that they name, all alike; as they stand where they need not."""
    first, texts = str(classes[0]), [*map(str, columns)]
    place = {text: i for i, one in enumerate(columns) for text in _texts_of(one)}
    for prefix in ["", *(x.removesuffix(first) for x in texts if x.endswith(first) and not named)]:
        found = [next((place[prefix + x] for x in _texts_of(one) if prefix + x in place), -1) for one in classes]
        if len(columns) == len({*found}) and -1 not in found:
            return array[:, found]
    if named or (len(texts) == len(classes) and not {*texts}.isdisjoint(map(str, classes))):
        raise ValueError(worded("no columns of classes", what, some_names(classes), some_names(texts)))
    return array


def _texts_of(name: Any) -> tuple[str, str]:
    """How a class may be called: 1.0 also as 1 is."""
    return str(name), f"{name:g}" if isinstance(name, float) else str(name)


# ---- the task, its classes and its metrics ------------------------------------------------------------------------


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


def _task(samples: items.Samples, task: str | None) -> inputs.Task:
    """The kind of problem: that of the targets, but numbers that are predicted between classes make a regression."""
    truth, classes = samples.y_true, samples.classes
    if task is not None:
        check_choice(task, "task", ("binary", "multiclass", "multilabel", "regression", "multioutput"))
        if (task in ("multilabel", "multioutput")) != (truth.ndim > 1) or (task == "binary" and len(classes) != 2):
            raise ValueError(worded("another task", truth.shape, len(classes), task))
    kind: Any = task or inputs.task_of([], truth)
    if kind == "binary" and len(classes) > 2:
        kind = "multiclass"
    if inputs.is_classification(kind) and len(found := np.unique(truth)) < 2:
        raise ValueError(f"y_true must hold two or more classes, or numbers; got only {found.tolist()}")
    if task is None and kind == "multiclass" and truth.dtype.kind in "iuf":
        numbers = [x for given in samples.values.values() for part, x in given.items() if part in ("", "prediction")]
        between = any(x.ndim == 1 and x.dtype.kind == "f" and not np.isin(x, classes).all() for x in numbers)
        return "regression" if between else kind
    return "multioutput" if kind == "other" else kind


def _as_scorers(scoring: Any) -> tuple[Any, list[CodedWarning]]:
    """With scorers of functions ``(y_true, y_pred) -> float``, those of losses negated, and what is guessed."""
    if callable(scoring):
        scoring = {getattr(scoring, "__name__", "score"): scoring}
    if not isinstance(scoring, Mapping):
        return scoring, []
    found, guessed = dict(scoring), list[str]()
    for name, function in scoring.items():
        if _is_of_labels(function):
            own, options = whole(function), {}
            known = getattr(skm, called := getattr(own, "__name__", ""), None) is own
            less = is_loss(called) or (not known and is_loss(str(name)))
            if known and isinstance(function, partial) and function.func is own and not function.args:
                options, function = function.keywords, own
            found[name] = skm.make_scorer(function, greater_is_better=not less, **options)
            guessed += [str(name)] * (less and not known)
    by = f"less is taken for better on {listed(guessed)}, by the name; give make_scorer(function) if it is otherwise."
    return found, [Code.ASSUMED(by, tuple(guessed))] if guessed else []


def _is_of_labels(value: Any) -> bool:
    """Whether it is a callable of two arguments, a metric of labels; a scorer takes estimator, X and y."""
    if not callable(value) or hasattr(value, "_score_func"):
        return False
    try:
        parameters = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return True
    needed = [p for p in parameters if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return len(needed) <= 2


def _check_metrics(metrics: Sequence[rules.Metric], responses: Mapping[str, Mapping[str, Any]]) -> None:
    """ValueError where a metric needs what was not predicted."""
    for metric, (name, found) in product(metrics, responses.items()):
        reads = getattr(metric.source, "_response_method", metric.response)
        wanted = [reads] if isinstance(reads, str) else [*reads]
        if metric.kind == "cost" or (wanted and {*wanted}.isdisjoint(found)):
            needs = " or ".join(wanted) or "models that are fitted"
            raise ValueError(worded("needs of a metric", metric.name, needs, name, ", ".join(found)))


def _defined(
    metrics: Sequence[rules.Metric], truth: NDArray[Any], classes: NDArray[Any], *, asked: bool
) -> tuple[tuple[rules.Metric, ...], list[CodedWarning]]:
    """The metrics without those that nobody asked for and that lack samples of a class, and what is said of these.

    ValueError where one that was asked for is not defined so.
    """
    absent = classes[~np.isin(classes, truth)].tolist()
    out = [metric for metric in metrics if absent and not asked and metric.reads != LABEL]
    kept = tuple(metric for metric in metrics if metric not in out)
    for metric in kept:
        if absent and {*metric.reads} - {"predict"} and not getattr(metric.source, "_kwargs", None):
            raise ValueError(worded("no metric of labels", metric.name, absent[0]))
    return kept, [Code.MISSING_SCORES(worded("undefined metric", x.name, absent[0]), (x.name,)) for x in out]
