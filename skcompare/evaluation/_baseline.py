"""The baseline of an evaluation: scikit-learn's dummy, added to the estimators, or one of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import NDArray
from sklearn.base import is_classifier, is_regressor
from sklearn.dummy import DummyClassifier, DummyRegressor

from skcompare._core.names import DUMMY
from skcompare._core.validation import check_choice
from skcompare.evaluation._input import name_estimators


def with_baseline(estimators: Mapping[str, Any] | Sequence[Any], baseline: Any) -> dict[str, Any]:
    """The estimators by name, the dummy after them where it is the baseline; ValueError where an argument is none."""
    if baseline is not None and not isinstance(baseline, str):
        raise ValueError(f"baseline must be None, 'dummy' or the name of one of the estimators; got {baseline!r:.80}")
    if baseline != DUMMY:
        named = name_estimators(estimators)
        if baseline is not None:
            check_choice(baseline, "baseline", (*named, DUMMY))
        return named
    named = name_estimators(estimators, fewest=1)
    if DUMMY in named:
        raise ValueError(
            "estimators must have other names than 'dummy', which baseline='dummy' adds; got one of that name: "
            "give it another name"
        )
    return {**named, DUMMY: _dummy(named)}


def check_dummy(named: Mapping[str, Any], truth: NDArray[Any]) -> None:
    """ValueError where a dummy would meet records, such as events with times, which it cannot learn."""
    if isinstance(named.get(DUMMY), (DummyClassifier, DummyRegressor)) and truth.dtype.names is not None:
        raise ValueError(
            "y must hold labels or numbers for scikit-learn's dummies; it holds records, such as events with times, of "
            "which 'dummy' knows nothing: add a model that predicts the same for every sample, and name it as baseline"
        )


def _dummy(named: Mapping[str, Any]) -> Any:
    """What predicts the most frequent class, and its share as the probability of each; of numbers the mean."""
    kinds = [is_classifier(estimator) or None if not is_regressor(estimator) else False for estimator in named.values()]
    if all(kind is None for kind in kinds):
        raise ValueError(
            "baseline must be None or the name of an estimator where no estimator is a classifier or a regressor; "
            "got 'dummy'"
        )
    return DummyClassifier(strategy="prior") if any(kinds) else DummyRegressor()
