"""Scorers of scikit-learn's that are computed on all folds at once, known by their function and its options.

A name says nothing: a scorer that is called "f1" may be anything. What has an option, a response or a class of scorer
that is not listed here is called on the fitted estimator, as scikit-learn does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from inspect import signature
from math import inf, isfinite
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn import metrics as skm

from skcompare._core import metrics as rows_of
from skcompare._core.metrics import FRACTIONS, METRICS, OfRows, OfTables, mean_of
from skcompare._core.numbers import ROUNDING
from skcompare._core.record import Frozen
from skcompare._core.validation import FloatArray, check_scores
from skcompare.evaluation.foreign_code import SCORER, guarded
from skcompare.evaluation.input import Task, encode
from skcompare.evaluation.metrics import batches as on_folds
from skcompare.evaluation.metrics.batches import DECISION, LABEL, PROBABILITY, Batches
from skcompare.evaluation.metrics.table import OWN_SCORERS, BatchedMetric, named_scorer, negative, quadratic_kappa_score

Options = dict[str, Any]
BOTH: tuple[Task, ...] = ("binary", "multiclass")
_FRACTIONS = {getattr(skm, f"{name}_score"): name for name in FRACTIONS}


class _Target(Frozen, kw_only=False):
    """What a scorer is to score: the task, the classes, and the responses that it reads."""

    task: Task
    classes: tuple[Any, ...]
    response: tuple[str, ...]

    def position(self, label: Any) -> int | None:
        """Where a label stands among the classes."""
        return next((i for i, one in enumerate(self.classes) if one == label), None)


class _Known(Frozen):
    """A function of scikit-learn's.

    Attributes
    ----------
    compute : callable
        The arithmetic; of numbers the function of rows.
    tasks, responses
        What it is for, and the responses that it may read.
    read : callable
        Options given to the scorer and the target -> options of the arithmetic; None where they are not known.
    """

    compute: Callable[..., FloatArray]
    read: Callable[[Options, _Target], Options | None]
    tasks: tuple[Task, ...] = BOTH
    responses: tuple[tuple[str, ...], ...] = (LABEL,)


def _checked(**checks: Callable[[Any], bool]) -> Callable[[Options, _Target], Options | None]:
    """Options that are handed on as they are, each with what it may be."""

    def read(options: Options, _: _Target) -> Options | None:
        return options if all(name in checks and checks[name](value) for name, value in options.items()) else None

    return read


_nothing = _checked()


def _flag(value: Any) -> bool:
    return isinstance(value, (bool, np.bool_))


def _number(value: Any, low: float, high: float) -> bool:
    return isinstance(value, Real) and not _flag(value) and isfinite(value) and low <= float(value) <= high


def _averaged(options: Options, target: _Target) -> Options | None:
    """Options of precision, recall, F-beta and Jaccard."""
    average, positive = options.pop("average", "binary"), options.pop("pos_label", 1)
    zero_division, beta = options.pop("zero_division", "warn"), options.pop("beta", 1.0)
    if options or not _number(beta, 1e-6, 1e6) or not isinstance(average, str):
        return None
    zeros = zero_division == "warn" if isinstance(zero_division, str) else _number(zero_division, 0, 0)
    position = target.position(positive)
    if target.task == "binary" and positive is not None and position is None:
        return None  # which scikit-learn refuses, whatever the average
    if average == "binary":
        known = target.task == "binary" and positive is not None
    else:
        averages = ("micro", "macro", "weighted", *(["samples"] if target.task == "multilabel" else ()))
        known = average in averages and (positive is None or positive == 1)
    found = {"average": average, "beta": beta, "positive": position, "warns": isinstance(zero_division, str)}
    return found if zeros and known else None


def _area(options: Options, target: _Target) -> Options | None:
    """Options of the area under the ROC curve."""
    how, average = options.pop("multi_class", "raise"), options.pop("average", "macro")
    if options or average not in ("macro", "weighted") or how not in ("raise", "ovr", "ovo"):
        return None
    if target.task == "binary":
        return {"response": target.response}
    if how == "raise" or target.response != PROBABILITY:
        return None
    return {"response": PROBABILITY, "average": average, "against": "one" if how == "ovo" else "rest"}


def _precision_curve(options: Options, target: _Target) -> Options | None:
    """Options of average precision, of the class whose scores are kept."""
    average, positive = options.pop("average", "macro"), options.pop("pos_label", 1)
    of_last = target.position(positive) == len(target.classes) - 1 if target.task == "binary" else positive == 1
    if options or not of_last or average not in ("macro", "weighted"):
        return None
    return {"response": target.response, "average": average}


def _top(options: Options, target: _Target) -> Options | None:
    k = options.pop("k", 2)
    if options or not isinstance(k, Integral) or not _number(k, 1, len(target.classes) - 1):
        return None
    return {"response": target.response, "k": int(k)}


def _squares(options: Options, target: _Target) -> Options | None:
    """Options of the Brier score; before it took several classes it had no `scale_by_half`."""
    several = "scale_by_half" in signature(skm.brier_score_loss).parameters
    half = options.pop("scale_by_half", "auto")
    if not (_flag(half) or (isinstance(half, str) and half == "auto")):
        return None
    if target.task != "binary" and not several:
        return None
    found = _of_last(options, target)
    return None if found is None else {"half": len(target.classes) < 3 if isinstance(half, str) else bool(half)}


def _of_last(options: Options, target: _Target) -> Options | None:
    """Options of what reads the probability of the last class; that texts have one must be said."""
    positive = options.pop("pos_label", None)
    if options or (target.task != "binary" and positive is not None):
        return None
    if target.task == "binary" and positive is None:
        return None if isinstance(target.classes[-1], str) else {}
    return {} if target.task != "binary" or target.position(positive) == 1 else None


def _auc(batches: Batches, name: str, *, against: str = "rest", **options: Any) -> FloatArray:
    return (on_folds.one_against_one if against == "one" else on_folds.roc_auc)(batches, name, **options)


def _of_labels() -> Iterator[tuple[Any, _Known]]:
    kappas = _checked(weights=lambda x: x is None or (isinstance(x, str) and x in ("linear", "quadratic")))
    of_grades = partial(on_folds.kappa, weights="quadratic", graded=True)
    wrong = partial(on_folds.of_labels, metric=rows_of.wrong_labels(1.0))
    matthews = partial(on_folds.of_labels, metric=rows_of.MATTHEWS, several=True)
    sets: tuple[Task, ...] = (*BOTH, "multilabel")
    yield skm.accuracy_score, _Known(compute=on_folds.accuracy, read=_nothing, tasks=sets)
    yield skm.hamming_loss, _Known(compute=wrong, read=_nothing, tasks=sets[2:])
    yield skm.balanced_accuracy_score, _Known(compute=on_folds.balanced_accuracy, read=_checked(adjusted=_flag))
    yield skm.matthews_corrcoef, _Known(compute=matthews, read=_nothing)
    yield skm.cohen_kappa_score, _Known(compute=on_folds.kappa, read=kappas)
    yield (
        quadratic_kappa_score,
        _Known(compute=of_grades, read=lambda options, of: None if options or isinstance(of.classes[0], str) else {}),
    )
    for function, which in (_FRACTIONS | {skm.fbeta_score: "f1"}).items():
        yield function, _Known(compute=partial(on_folds.averaged, which=which), read=_averaged, tasks=sets)


def _of_scores() -> Iterator[tuple[Any, _Known]]:
    ranks = (DECISION, PROBABILITY, DECISION[:1], DECISION[::-1])
    yield skm.roc_auc_score, _Known(compute=_auc, read=_area, responses=ranks)
    precision = _Known(compute=on_folds.average_precision, read=_precision_curve, responses=ranks)
    yield skm.average_precision_score, precision
    yield skm.top_k_accuracy_score, _Known(compute=on_folds.top_k, read=_top, tasks=BOTH[1:], responses=ranks)
    probable = (PROBABILITY,)
    yield skm.log_loss, _Known(compute=on_folds.log_loss, read=_nothing, responses=probable)
    yield skm.d2_log_loss_score, _Known(compute=on_folds.d2_log_loss, read=_nothing, responses=probable)
    yield skm.brier_score_loss, _Known(compute=on_folds.brier, read=_squares, responses=probable)
    if hasattr(skm, "d2_brier_score"):
        yield skm.d2_brier_score, _Known(compute=on_folds.d2_brier, read=_of_last, responses=probable)


def _of_numbers() -> Iterator[tuple[Any, _Known]]:
    quantile = _checked(alpha=lambda alpha: _number(alpha, 0, 1))
    power = _checked(power=lambda power: _number(power, -10, 0) or _number(power, 1, 10))
    squares, logs = mean_of(rows_of.squared), rows_of.squared_log
    found: list[tuple[Any, OfRows, Any]] = [
        (skm.explained_variance_score, rows_of.explained_variance, _nothing),
        (skm.mean_absolute_error, mean_of(rows_of.absolute), _nothing),
        (skm.mean_squared_error, squares, _nothing),
        (skm.root_mean_squared_error, lambda true, predicted: np.sqrt(squares(true, predicted)), _nothing),
        (skm.median_absolute_error, rows_of.median, _nothing),
        (skm.max_error, rows_of.largest, _nothing),
        (skm.mean_absolute_percentage_error, mean_of(rows_of.relative), _nothing),
        (skm.mean_squared_log_error, logs, _nothing),
        (skm.root_mean_squared_log_error, lambda true, predicted: np.sqrt(logs(true, predicted)), _nothing),
        (skm.mean_poisson_deviance, partial(rows_of.deviance, power=1), _nothing),
        (skm.mean_gamma_deviance, partial(rows_of.deviance, power=2), _nothing),
        (skm.d2_absolute_error_score, rows_of.d2_median, _nothing),
        (skm.d2_pinball_score, rows_of.d2_median, _nothing),
        (skm.r2_score, rows_of.r2, _nothing),
        (skm.mean_pinball_loss, mean_of(rows_of.pinball), quantile),
        (skm.mean_tweedie_deviance, rows_of.deviance, power),
        (skm.d2_tweedie_score, rows_of.d2_deviance, power),
    ]
    for function, rows, read in found:
        yield function, _Known(compute=partial(on_folds.of_rows, rows=rows), read=read, tasks=("regression",))


_KNOWN = dict((*_of_labels(), *_of_scores(), *_of_numbers()))


def known_scorer(scorer: Any, task: Task, classes: NDArray[Any] | None) -> BatchedMetric | None:
    """A scorer as a batched metric; None of one that is to be called on the estimator.

    Parameters
    ----------
    scorer : object
        Anything that can be a scorer.
    task : str
        The kind of problem.
    classes : ndarray or None
        The sorted classes of a classification.
    """
    if type(scorer) is not SCORER:
        return None
    row = next((row for function, row in _KNOWN.items() if function is scorer._score_func), None)
    asked = scorer._response_method
    response = (asked,) if isinstance(asked, str) else tuple(asked)
    if row is None or task not in row.tasks or response not in row.responses:
        return None
    options = _read(scorer, row, _Target(task, () if classes is None else tuple(classes.tolist()), response))
    if options is None:
        return None
    compute: Callable[..., Any] = partial(row.compute, **options)
    function: Callable[..., Any] = partial(scorer._score_func, **scorer._kwargs)
    if scorer._sign < 0:
        compute, function = negative(compute), negative(function)
    return BatchedMetric(tasks=row.tasks, response=response, compute=compute, function=function)


def _read(scorer: Any, row: _Known, target: _Target) -> Options | None:
    """What a row reads of the options that are not scikit-learn's defaults; None where they are no plain values."""
    if not all(isinstance(value, (str, Real, type(None), np.bool_)) for value in scorer._kwargs.values()):
        return None
    known = signature(scorer._score_func)
    try:
        known.bind(None, None, **scorer._kwargs)
    except TypeError:
        return None
    given = {name: x for name, x in scorer._kwargs.items() if not _same(x, known.parameters[name].default)}
    return row.read(given, target)


def _same(value: Any, default: Any) -> bool:
    return value is default or (type(value) is type(default) and bool(value == default))


# The cost of every kind of error: the mean cost of predictions as a metric, and its scorer.


Costs = tuple[tuple[float, ...], ...]


def cost_scorer(cost: Mapping[tuple[Any, Any], float] | ArrayLike, *, classes: Sequence[Any] | None = None) -> Any:
    r"""A scorer of the mean cost per sample, by true and predicted class.

    With the costs :math:`C` its score is the negative of the estimated risk (expected loss),

    .. math:: \frac{1}{n} \sum_{i=1}^{n} C_{y_i \hat y_i},

    since greater scores of scikit-learn's scorers are better. Every sample has a cost, so that all that serves a mean
    over samples serves it: tests on folds, test sets and clusters, intervals and dominance statements.

    Parameters
    ----------
    cost : mapping of (true class, predicted class) to float, or array_like of shape (n_classes, n_classes)
        What it costs to predict a class where another one, or the same, is true; negative for a gain. A mapping must
        have every pair of different classes; right predictions that it leaves out cost 0. An array has the true classes
        in its rows.
    classes : sequence of labels of length n_classes, optional
        The classes in the order of the rows; needed with an array, and refused with a mapping.

    Returns
    -------
    callable
        A scorer as of `sklearn.metrics.make_scorer`, for ``scoring={"neg_cost": ...}``.

    Raises
    ------
    ValueError
        If a cost is no finite number, a pair of classes has none, the classes do not fit, or, when it scores, a true or
        predicted class has no costs.

    See Also
    --------
    EvaluationResult.expected_cost : costs of models whose predictions are there already.
    skcompare.inference.expected_cost : the threshold that makes the cost of two classes least.

    Examples
    --------
    >>> from skcompare import cost_scorer, from_predictions
    >>> scorer = cost_scorer({("ill", "well"): 10, ("well", "ill"): 1})
    >>> y_true = ["ill", "well", "well", "well"] * 25
    >>> models = {"careful": ["ill", "ill", "well", "well"] * 25, "rash": ["well"] * 100}
    >>> result = from_predictions(y_true, models, scoring={"accuracy": "accuracy", "neg_cost": scorer})
    >>> for name in result.estimators:
    ...     print(name, result.score(name, "accuracy")[0], result.score(name, "neg_cost")[0])
    careful 0.75 -0.25
    rash 0.75 -2.5
    """
    table, known = read_costs(cost, classes)
    return skm.make_scorer(mean_cost, greater_is_better=False, cost=table, classes=known)


def read_costs(cost: Any, classes: Any) -> tuple[Costs, tuple[Any, ...]]:
    """Costs by true and predicted class, and the classes; ValueError as `cost_scorer`."""
    if isinstance(cost, Mapping):
        if classes is not None:
            raise ValueError(f"classes must be left out where cost is a mapping, which names them; got {classes!r:.80}")
        cost, classes = _of_mapping(cost)
    if isinstance(classes, str) or not isinstance(classes, Iterable):
        raise ValueError(f"classes must name the rows of an array of costs, in their order; got {classes!r:.80}")
    known = tuple(label.item() if isinstance(label, np.generic) else label for label in classes)
    labels = any(all(isinstance(label, kind) for label in known) for kind in (str, (int, float)))
    if not labels or len(known) < 2 or len(set(known)) < len(known) or any(label != label for label in known):
        raise ValueError(f"classes must name two or more numbers, or strings, each once; got {classes!r:.80}")
    table = check_scores(cost, "cost", ndim=(2,))
    if table.shape != (len(known), len(known)):
        raise ValueError(
            f"cost must have a row and a column per class, {len(known)} of each for {known!r:.80}; got shape "
            f"{table.shape}"
        )
    return tuple(map(tuple, table.tolist())), known


def _of_mapping(cost: Mapping[Any, Any]) -> tuple[list[list[Any]], list[Any]]:
    pairs = [key for key in cost if isinstance(key, tuple) and len(key) == 2]
    if len(pairs) < len(cost) or not pairs:
        raise ValueError(f"cost must map pairs (true class, predicted class) to numbers; got {cost!r:.80}")
    classes = list(dict.fromkeys(label for pair in pairs for label in pair))
    if lacking := [(i, j) for i in classes for j in classes if i != j and (i, j) not in cost]:
        raise ValueError(f"cost must have every pair of different classes; it lacks {lacking[0]!r}")
    return [[cost.get((i, j), 0.0) for j in classes] for i in classes], classes


def known_costs(function: Any) -> dict[str, Any] | None:
    """The costs and classes of a metric that is a mean cost; None of any other."""
    scorer: Any = getattr(function, "scorer", None)
    return dict(scorer._kwargs) if getattr(scorer, "_score_func", None) is mean_cost else None


def sample_costs(y_true: Any, y_pred: Any, *, cost: Costs, classes: Sequence[Any]) -> FloatArray:
    """The cost of every sample."""
    found = [_positions(labels, name, classes) for labels, name in ((y_true, "y_true"), (y_pred, "y_pred"))]
    return np.asarray(np.array(cost)[found[0], found[1]])


def _positions(labels: Any, name: str, classes: Sequence[Any]) -> NDArray[np.intp]:
    array, own = np.asarray(labels), np.asarray(classes)
    if array.ndim != 1:
        raise ValueError(f"{name} must hold one label per sample, so that each has a cost; got shape {array.shape}")
    order = np.argsort(own, kind="stable")
    known, codes = encode(array, own[order])
    if not known.all():
        strange = array[~known].tolist()[0]
        raise ValueError(f"cost must name every class; {name} has {strange!r}, and it has {tuple(classes)!r:.80}")
    return np.asarray(order[codes])


def mean_cost(y_true: Any, y_pred: Any, *, cost: Costs, classes: Sequence[Any], sample_weight: Any = None) -> float:
    """The mean cost per sample."""
    return float(np.average(sample_costs(y_true, y_pred, cost=cost, classes=classes), weights=sample_weight))


# A scorer of scikit-learn's as a function of what models predicted, and what it is called.


# Of one label per sample these are its accuracy.
_OF_ACCURACY = ("f1_micro", "precision_micro", "recall_micro", "recall_weighted")
# Of two classes these are one area.
_OF_AREA = ("roc_auc_ovr", "roc_auc_ovo", "roc_auc_ovr_weighted", "roc_auc_ovo_weighted")


class MetricFunction(Frozen, kw_only=False, slots=False):
    """A scorer of scikit-learn's as a function of what models predicted, greater is better.

    Attributes
    ----------
    scorer : object
        It, with its function, sign, options and the methods of an estimator that it reads.
    """

    scorer: Any

    @property
    def response(self) -> tuple[str, ...]:
        """Methods that it reads, by preference."""
        asked = getattr(self.scorer, "_response_method", "predict")
        if asked == "default":
            return LABEL
        return (asked,) if isinstance(asked, str) else tuple(asked)

    def __call__(self, y_true: Any, predicted: Any) -> float:
        scorer = guarded(self.scorer) or self.scorer
        return float(scorer._sign * scorer._score_func(y_true, predicted, **scorer._kwargs))

    @property
    def __name__(self) -> str:
        function = self.scorer._score_func
        return str(getattr(function, "__name__", type(function).__name__))

    def to_parts(self) -> dict[str, Any] | None:
        """What makes it again of a function of scikit-learn's or of costs; None of others, and of options not plain."""
        name, options = self.__name__, self._options
        known = self._is_plain and name in skm.__all__ and getattr(skm, name) is self.scorer._score_func
        if not known and self.scorer._score_func is not mean_cost:
            return None
        return {"function": name, "sign": int(self.scorer._sign), "options": options, "response": list(self.response)}

    @classmethod
    def from_parts(cls, function: str, sign: int, options: Options, response: Sequence[str]) -> MetricFunction:
        """The same of what `to_parts` gave; ValueError where that is no metric of scikit-learn's with plain options."""
        if (function, sign, list(response), set(options)) == (mean_cost.__name__, -1, list(LABEL), {"cost", "classes"}):
            return cls(cost_scorer(**options))
        if (
            function not in skm.__all__
            or not function.endswith(("_score", "_loss", "_error", "_deviance", "_corrcoef"))
            or not all(isinstance(x, (str, int, float, type(None))) for x in options.values())
        ):
            raise ValueError(f"function must be a metric of scikit-learn with plain options; got {function!r:.80}")
        how = {"greater_is_better": sign > 0, "response_method": tuple(response)}
        return cls(skm.make_scorer(getattr(skm, function), **how, **options))

    def equals(self, other: MetricFunction | None) -> bool:
        """Whether another one is the same function with the same options, of labels as well or of scores as well."""
        if other is None:
            return False
        (one, *how, options, of_labels), (two, *how_other, others, of_labels_other) = self._parts, other._parts
        return (
            _is_same(one, two)
            and [*how, of_labels, *options] == [*how_other, of_labels_other, *others]
            and all(_is_equal(x, others[name]) for name, x in options.items())
        )

    @property
    def of_rows(self) -> OfRows | None:
        """The same of rows of true values and of predictions, where known; nan where it is to be called."""
        scorer = self.scorer
        known = next((row for function, row in _KNOWN.items() if function is scorer._score_func), None)
        if known is None or known.tasks != ("regression",) or self.response != LABEL or type(scorer) is not SCORER:
            return None
        options = _read(scorer, known, _Target("regression", (), LABEL))
        rows = known.compute.keywords["rows"]
        return None if options is None else lambda true, predicted: scorer._sign * rows(true, predicted, **options)

    @property
    def of_tables(self) -> OfTables | None:
        """The same of how often each class was called each, where known; nan where it is to be called."""
        if type(self.scorer) is not SCORER or self.response != LABEL or not self._is_plain:
            return None
        function, sign, options = self.scorer._score_func, self.scorer._sign, self._options
        if function is skm.cohen_kappa_score and set(options) <= {"weights"}:
            return lambda tables, _: sign * rows_of.weighted_kappa(tables, options.get("weights"))
        fraction = next((FRACTIONS[name] for own, name in _FRACTIONS.items() if own is function), None)
        if function is skm.fbeta_score:
            fraction = rows_of.f_beta(options.pop("beta"))
        return _tables_of_fraction(fraction, options, sign) if fraction else None

    @property
    def is_weighted(self) -> bool:
        """Whether one of its options is a weight for each of so many samples."""
        return self.scorer._kwargs.get("sample_weight") is not None

    @property
    def _options(self) -> dict[str, Any]:
        """With numbers of Python in place of those of numpy, as labels in an array are."""
        return {name: x.item() if isinstance(x, np.generic) else x for name, x in self.scorer._kwargs.items()}

    @property
    def _is_plain(self) -> bool:
        return all(isinstance(x, (str, int, float, type(None))) for x in self._options.values())

    @property
    def _parts(self) -> tuple[Any, ...]:
        function = self.scorer._score_func
        known = signature(function).parameters
        options = {n: x for n, x in self._options.items() if n not in known or not _is_equal(x, known[n].default)}
        for one, option, value, same in _OTHERWISE:
            if function is one and _is_equal(self._options.get(option, known[option].default), value):
                function, _ = same, options.pop(option, None)
        if options.get("zero_division") in (0, "warn"):
            options.pop("zero_division")  # which give the same score
        if options.get("average", "binary") != "binary":
            options.pop("pos_label", None)  # which averages do not read
        return function, self.scorer._sign, dict(sorted(options.items())), self.response == LABEL

    def name(self, positive: Any) -> str:
        """What the metric is called by scikit-learn or here, `positive` being of two classes that of a label's metric.

        Empty of a function that has no name with its options.
        """
        if not self._is_plain:
            return ""
        function, sign, options, _ = self._parts
        if "pos_label" in options and bool(options["pos_label"] == positive):
            options.pop("pos_label")
        if function is skm.recall_score and [*options] == ["pos_label"] and sign == 1 and positive is not None:
            return "specificity"  # the recall of the other class
        own = (function, sign, options, self.response)
        return next((name for name, parts in _named() if parts == own), self.of_counts)

    @property
    def of_counts(self) -> str:
        """What `skcompare.inference` calls the metric, of those that it computes from counts; empty of others."""
        own, sign, options, _ = self._parts
        average = options.get("average")
        if own is skm.balanced_accuracy_score and (sign, options) == (1, {"adjusted": True}):
            return "adjusted_balanced_accuracy"
        if sign != 1 or set(options) - {"average"} or average not in (None, "macro", "weighted"):
            return ""
        name = next((name for function, name in (_FRACTIONS if average else _OF_COUNTS).items() if function is own), "")
        return f"{name}_{average}" if name and average else name

    @property
    def is_of_errors(self) -> bool:
        """Whether of one label per sample it is the negative share of wrong ones, which is the accuracy less 1."""
        function, sign, options, of_labels = self._parts
        return (function in (skm.zero_one_loss, skm.hamming_loss), sign, options, of_labels) == (True, -1, {}, True)

    def of_one_label(self, task: str) -> str:
        """Which metric it is where each sample has one of so many classes, whatever else it would average."""
        function, sign, options, of_labels = self._parts
        if self.is_of_errors:
            return "accuracy"
        if (function, sign, options) == (skm.brier_score_loss, -1, {"scale_by_half": task == "binary"}):
            return "neg_brier_score"
        if sign != 1 or not self._is_plain:
            return ""
        if of_labels and options.get("average") == "micro" and set(options) <= {"average", "beta", "zero_division"}:
            return "accuracy" if function in _OF_CLASSES else ""
        of_two = task == "binary" and not of_labels and set(options) <= {"average", "multi_class"}
        return _OF_CURVES.get(function, "") if of_two else ""


def _tables_of_fraction(fraction: rows_of.Fraction, options: Options, sign: int) -> OfTables | None:
    """A fraction of the positive class, or its average; None of options that are not known."""
    average, zero = options.get("average", "binary"), options.get("zero_division", "warn")
    unknown = set(options) - {"average", "pos_label", "zero_division"}
    if unknown or average not in ("binary", "macro", "weighted", "micro"):
        return None
    of = rows_of.averaged(fraction, average)

    def value(tables: FloatArray, classes: Sequence[Any]) -> FloatArray:
        hits, members, calls = np.einsum("rii->ri", tables), tables.sum(axis=2), tables.sum(axis=1)
        if average == "binary":
            own = [label == options.get("pos_label", 1) for label in classes]
            if sum(own) != 1:
                return np.full(len(tables), np.nan)
            hits, members, calls = (part[:, own] for part in (hits, members, calls))
        terms = of.terms(rows_of.Counts(tables.sum(axis=(1, 2)), hits, calls, members))
        values, undefined = of.value(np.hstack(terms))
        return np.where(undefined & (zero not in (0, "warn")), np.nan, sign * values)

    return value


def _is_same(one: Any, two: Any) -> bool:
    """Whether two functions are one, or written by the same lines with no names of their surroundings."""
    parts = [[getattr(function, part, None) for part in _WRITTEN] for function in (one, two)]
    return one is two or (parts[0] == parts[1] and parts[0][0] is not None and parts[0][-1] is None)


def _is_equal(x: Any, y: Any) -> bool:
    """Whether two options are equal; of arrays all values are, and nan is itself."""
    return np.shape(x) == np.shape(y) and (repr(x) == repr(y) or bool(np.all(x == y)))


# A function with a value of an option, and the one that it is then.
_OTHERWISE = (
    (skm.fbeta_score, "beta", 1.0, skm.f1_score),
    (skm.mean_tweedie_deviance, "power", 0.0, skm.mean_squared_error),
    (skm.mean_tweedie_deviance, "power", 1.0, skm.mean_poisson_deviance),
    (skm.mean_tweedie_deviance, "power", 2.0, skm.mean_gamma_deviance),
    (skm.d2_tweedie_score, "power", 0.0, skm.r2_score),
    (skm.d2_pinball_score, "alpha", 0.5, skm.d2_absolute_error_score),
)
_OF_CLASSES = (skm.precision_score, skm.recall_score, skm.f1_score, skm.fbeta_score)
_OF_CURVES = {skm.roc_auc_score: "roc_auc", skm.average_precision_score: "average_precision"}
_WRITTEN = ("__code__", "__defaults__", "__kwdefaults__", "__closure__")
_OF_COUNTS = {
    skm.accuracy_score: "accuracy",
    skm.balanced_accuracy_score: "balanced_accuracy",
    skm.matthews_corrcoef: "mcc",
    skm.cohen_kappa_score: "cohen_kappa",
    quadratic_kappa_score: "quadratic_kappa",
}


def whole(function: Any) -> Any:
    """What `functools.partial` was given."""
    while isinstance(function, partial):
        function = function.func
    return function


def is_loss(function: Any) -> bool:
    """Whether it is one of scikit-learn's of which less is better: its rule for the names of metrics."""
    name = getattr(function, "__name__", "")
    return name.endswith(("_loss", "_error", "_deviance")) and getattr(skm, name, None) is function


def as_function(source: Any) -> MetricFunction | None:
    """A name of scikit-learn's, or a scorer, as a function; None where it is neither."""
    if isinstance(source, str):
        source = named_scorer(source)
    return MetricFunction(source) if hasattr(source, "_score_func") else None


@cache
def _named() -> list[tuple[str, tuple[Any, ...]]]:
    """The scorers with names, and what tells each from the others."""
    found = [(name, as_function(name)) for name in [*skm.get_scorer_names(), *OWN_SCORERS]]
    return [(name, (*one._parts[:3], one.response)) for name, one in found if one is not None]


def what_it_is(name: str, function: Any, positive: Any, task: str) -> str:
    """The name of a metric by what it was scored with, where that has one; accuracy of all that are its equals."""
    read, one_label = isinstance(function, MetricFunction), task in ("binary", "multiclass")
    known = (one_label and read and function.of_one_label(task)) or (read and function.name(positive)) or name
    if task == "binary" and known in _OF_AREA:
        return "roc_auc"
    return "accuracy" if one_label and known in _OF_ACCURACY else known


# What scikit-learn's scores are at most; two have no end.
MOST = {name: 0.0 if name.startswith("neg_") else 1.0 for name in skm.get_scorer_names()}
MOST |= dict.fromkeys(("mutual_info_score", "positive_likelihood_ratio"), inf)


def without_rounding(scores: FloatArray, metrics: Iterable[str]) -> FloatArray:
    """The scores, by metric on the last axis: 0 where one of at most 1 is nearer to 0 than rounding of 1 reaches."""
    most = [MOST.get(name, METRICS[name].high if name in METRICS else inf) for name in metrics]
    return np.where((np.abs(scores) <= ROUNDING) & (np.array(most) == 1), 0.0, scores)
