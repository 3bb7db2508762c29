"""Scorers of scikit-learn's that are computed on all folds at once, known by their function and its options.

A name says nothing: a scorer that is called "f1" may be anything. What has an option, a response or a class of scorer
that is not listed here is called on the fitted estimator, as scikit-learn does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from inspect import signature
from math import isfinite
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import metrics as skm

from skcompare._core.validation import FloatArray
from skcompare.evaluation import _label_metrics as of_labels
from skcompare.evaluation import _number_metrics as of_numbers
from skcompare.evaluation import _score_metrics as of_scores
from skcompare.evaluation._batched_metrics import BOTH, BatchedMetric, negative
from skcompare.evaluation._batches import DECISION, LABEL, PROBABILITY, Batches
from skcompare.evaluation._known_code import SCORER
from skcompare.evaluation._own_scorers import quadratic_kappa_score
from skcompare.evaluation._task import Task

Options = dict[str, Any]


@dataclass(frozen=True)
class _Target:
    """What a scorer is to score: the task, the classes, and the responses that it reads."""

    task: Task
    classes: tuple[Any, ...]
    response: tuple[str, ...]

    def position(self, label: Any) -> int | None:
        """Where a label stands among the classes."""
        return next((i for i, one in enumerate(self.classes) if one == label), None)


@dataclass(frozen=True, kw_only=True)
class _Known:
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


def _one_of(*values: Any) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, (str, type(None))) and value in values


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


def _grades(options: Options, target: _Target) -> Options | None:
    return None if options or isinstance(target.classes[0], str) else {}


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
    is_half = len(target.classes) < 3 if isinstance(half, str) else bool(half)
    return None if found is None else {"half": is_half}


def _of_last(options: Options, target: _Target) -> Options | None:
    """Options of what reads the probability of the last class; that texts have one must be said."""
    positive = options.pop("pos_label", None)
    if options or (target.task != "binary" and positive is not None):
        return None
    if target.task == "binary" and positive is None:
        return None if isinstance(target.classes[-1], str) else {}
    return {} if target.task != "binary" or target.position(positive) == 1 else None


def _auc(batches: Batches, name: str, *, against: str = "rest", **options: Any) -> FloatArray:
    return (of_scores.one_against_one if against == "one" else of_scores.roc_auc)(batches, name, **options)


def _of_labels() -> Iterator[tuple[Any, _Known]]:
    kappas = _checked(weights=_one_of(None, "linear", "quadratic"))
    sets: tuple[Task, ...] = (*BOTH, "multilabel")
    yield skm.accuracy_score, _Known(compute=of_labels.accuracy, read=_nothing, tasks=sets)
    yield skm.hamming_loss, _Known(compute=of_labels.hamming_loss, read=_nothing, tasks=sets[2:])
    yield skm.balanced_accuracy_score, _Known(compute=of_labels.balanced_accuracy, read=_checked(adjusted=_flag))
    yield skm.matthews_corrcoef, _Known(compute=of_labels.matthews, read=_nothing)
    yield skm.cohen_kappa_score, _Known(compute=of_labels.kappa, read=kappas)
    yield (
        quadratic_kappa_score,
        _Known(compute=partial(of_labels.kappa, weights="quadratic", graded=True), read=_grades),
    )
    fractions = {skm.precision_score: "precision", skm.recall_score: "recall", skm.jaccard_score: "jaccard"}
    for function, which in (fractions | {skm.f1_score: "f", skm.fbeta_score: "f"}).items():
        yield function, _Known(compute=partial(of_labels.averaged, which=which), read=_averaged, tasks=sets)


def _of_scores() -> Iterator[tuple[Any, _Known]]:
    ranks = (DECISION, PROBABILITY, DECISION[:1], DECISION[::-1])
    precision, several = of_scores.average_precision, BOTH[1:]
    yield skm.roc_auc_score, _Known(compute=_auc, read=_area, responses=ranks)
    yield skm.average_precision_score, _Known(compute=precision, read=_precision_curve, responses=ranks)
    yield skm.top_k_accuracy_score, _Known(compute=of_scores.top_k, read=_top, tasks=several, responses=ranks)
    probable = (PROBABILITY,)
    yield skm.log_loss, _Known(compute=of_scores.log_loss, read=_nothing, responses=probable)
    yield skm.d2_log_loss_score, _Known(compute=of_scores.d2_log_loss, read=_nothing, responses=probable)
    yield skm.brier_score_loss, _Known(compute=of_scores.brier, read=_squares, responses=probable)
    if hasattr(skm, "d2_brier_score"):
        yield skm.d2_brier_score, _Known(compute=of_scores.d2_brier, read=_of_last, responses=probable)


def _of_numbers() -> Iterator[tuple[Any, _Known]]:
    quantile = _checked(alpha=lambda alpha: _number(alpha, 0, 1))
    power = _checked(power=lambda power: _number(power, -10, 0) or _number(power, 1, 10))
    plain: dict[Any, of_numbers.Rows] = {
        skm.explained_variance_score: of_numbers.explained_variance,
        skm.mean_absolute_error: of_numbers.absolute,
        skm.mean_squared_error: of_numbers.squared,
        skm.root_mean_squared_error: of_numbers.root,
        skm.median_absolute_error: of_numbers.median,
        skm.max_error: of_numbers.largest,
        skm.mean_absolute_percentage_error: of_numbers.percentage,
        skm.mean_squared_log_error: of_numbers.squared_log,
        skm.root_mean_squared_log_error: of_numbers.root_log,
        skm.mean_poisson_deviance: partial(of_numbers.deviance, power=1),
        skm.mean_gamma_deviance: partial(of_numbers.deviance, power=2),
        skm.d2_absolute_error_score: of_numbers.d2_median,
        skm.d2_pinball_score: of_numbers.d2_median,
        skm.r2_score: of_numbers.r2,
    }
    with_options: dict[Any, tuple[of_numbers.Rows, Any]] = {
        skm.mean_pinball_loss: (of_numbers.pinball, quantile),
        skm.mean_tweedie_deviance: (of_numbers.deviance, power),
        skm.d2_tweedie_score: (of_numbers.d2_deviance, power),
    }
    for function, (rows, read) in (with_options | {f: (rows, _nothing) for f, rows in plain.items()}).items():
        yield function, _Known(compute=partial(of_numbers.of_rows, rows=rows), read=read, tasks=("regression",))


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
    target = _Target(task, () if classes is None else tuple(classes.tolist()), response)
    given = _given(scorer)
    options = None if given is None else row.read(given, target)
    if options is None:
        return None
    compute: Callable[..., Any] = partial(row.compute, **options)
    function: Callable[..., Any] = partial(scorer._score_func, **scorer._kwargs)
    if scorer._sign < 0:
        compute, function = negative(compute), negative(function)
    return BatchedMetric(tasks=row.tasks, response=response, compute=compute, function=function)


def _given(scorer: Any) -> Options | None:
    """The options of a scorer without those that are scikit-learn's defaults; None where they are no plain values."""
    if not all(isinstance(value, (str, Real, type(None), np.bool_)) for value in scorer._kwargs.values()):
        return None
    known = signature(scorer._score_func)
    try:
        known.bind(None, None, **scorer._kwargs)
    except TypeError:
        return None
    return {name: value for name, value in scorer._kwargs.items() if not _same(value, known.parameters[name].default)}


def _same(value: Any, default: Any) -> bool:
    return value is default or (type(value) is type(default) and bool(value == default))
