"""A scorer of scikit-learn's as a function of what models predicted, and what it is called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from inspect import signature
from typing import Any

import numpy as np
from sklearn import metrics as skm

from skcompare.evaluation._batches import LABEL
from skcompare.evaluation._costs import cost_scorer, mean_cost
from skcompare.evaluation._known_code import guarded
from skcompare.evaluation._own_scorers import OWN_SCORERS, named_scorer, quadratic_kappa_score

# Of one label per sample these are its accuracy.
_OF_ACCURACY = ("f1_micro", "precision_micro", "recall_micro", "recall_weighted")


@dataclass(frozen=True)
class MetricFunction:
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
        name, options = self.__name__, self.scorer._kwargs
        known = self._is_plain and name in skm.__all__ and getattr(skm, name) is self.scorer._score_func
        if not known and self.scorer._score_func is not mean_cost:
            return None
        sign = int(self.scorer._sign)
        return {"function": name, "sign": sign, "options": dict(options), "response": list(self.response)}

    @classmethod
    def from_parts(
        cls, function: str, sign: int, options: Mapping[str, Any], response: Sequence[str]
    ) -> MetricFunction:
        """The same of what `to_parts` gave; ValueError where that is no metric of scikit-learn's with plain options."""
        if (function, sign, list(response), set(options)) == (mean_cost.__name__, -1, list(LABEL), {"cost", "classes"}):
            return cls(cost_scorer(**options))
        plain = all(isinstance(x, (str, int, float, type(None))) for x in options.values())
        if (
            function not in skm.__all__
            or not function.endswith(("_score", "_loss", "_error", "_deviance", "_corrcoef"))
            or not plain
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
    def is_weighted(self) -> bool:
        """Whether one of its options is a weight for each of so many samples."""
        return self.scorer._kwargs.get("sample_weight") is not None

    @property
    def _is_plain(self) -> bool:
        return all(isinstance(x, (str, int, float, type(None))) for x in self.scorer._kwargs.values())

    @property
    def _parts(self) -> tuple[Any, ...]:
        known = signature(self.scorer._score_func).parameters
        options = {n: x for n, x in self.scorer._kwargs.items() if n not in known or not _is_equal(x, known[n].default)}
        if options.get("zero_division") in (0, "warn"):
            options.pop("zero_division")  # which give the same score
        if options.get("average") in ("macro", "weighted"):
            options.pop("pos_label", None)  # which averages do not read
        return self.scorer._score_func, self.scorer._sign, dict(sorted(options.items())), self.response == LABEL

    def name(self, positive: Any) -> str:
        """What the metric is called by scikit-learn or here, `positive` being of two classes that of a label's metric.

        Empty of a function that has no name with its options.
        """
        if not self._is_plain:
            return ""
        function, sign, options, _ = self._parts
        if "pos_label" in options and bool(options["pos_label"] == positive):
            options.pop("pos_label")
        own = (function, sign, options, self.response)
        return next((name for name, parts in _named() if parts == own), self.of_counts)

    @property
    def of_counts(self) -> str:
        """What `skcompare.inference` calls the metric, of those that it computes from counts; empty of others."""
        _, sign, options, _ = self._parts
        average = options.get("average")
        if sign != 1 or set(options) - {"average"} or average not in (None, "macro", "weighted"):
            return ""
        known = _AVERAGED if average else _OF_COUNTS
        name = next((name for function, name in known if function is self.scorer._score_func), "")
        return f"{name}_{average}" if name and average else name


def _is_same(one: Any, two: Any) -> bool:
    """Whether two functions are one, or written by the same lines with no names of their surroundings."""
    parts = [[getattr(function, part, None) for part in _WRITTEN] for function in (one, two)]
    return one is two or (parts[0] == parts[1] and parts[0][0] is not None and parts[0][-1] is None)


def _is_equal(x: Any, y: Any) -> bool:
    """Whether two options are equal; of arrays all values are, and nan is itself."""
    return np.shape(x) == np.shape(y) and (repr(x) == repr(y) or bool(np.all(x == y)))


_WRITTEN = ("__code__", "__defaults__", "__kwdefaults__", "__closure__")
_AVERAGED = (
    (skm.precision_score, "precision"),
    (skm.recall_score, "recall"),
    (skm.f1_score, "f1"),
    (skm.jaccard_score, "jaccard"),
)
_OF_COUNTS = (
    (skm.accuracy_score, "accuracy"),
    (skm.balanced_accuracy_score, "balanced_accuracy"),
    (skm.matthews_corrcoef, "mcc"),
    (skm.cohen_kappa_score, "cohen_kappa"),
    (quadratic_kappa_score, "quadratic_kappa"),
)


def as_function(source: Any) -> MetricFunction | None:
    """A name of scikit-learn's, or a scorer, as a function; None where it is neither."""
    if isinstance(source, str):
        source = named_scorer(source)
    return MetricFunction(source) if hasattr(source, "_score_func") else None


@cache
def _named() -> list[tuple[str, tuple[Any, ...]]]:
    """The scorers with names, and what tells each from the others."""
    names = [*skm.get_scorer_names(), *OWN_SCORERS]
    found = [(name, as_function(name)) for name in names]
    return [(name, (*one._parts[:3], one.response)) for name, one in found if one is not None]


def what_it_is(function: Any, positive: Any) -> str:
    """The name of a metric by what it was scored with; empty of what has none, or is not known."""
    return function.name(positive) if isinstance(function, MetricFunction) else ""


def as_accuracy(name: str, task: str) -> str:
    """The name of a metric, but accuracy of all that are its equals on the targets of a kind of problem."""
    return "accuracy" if task in ("binary", "multiclass") and name in _OF_ACCURACY else name
