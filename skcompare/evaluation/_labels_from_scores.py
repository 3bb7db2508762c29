"""Labels that follow from scores, so that one call gives both.

Only classes of scikit-learn's whose `predict` is known to take the largest score are here, each by its exact class.
The labels are those of `predict` to the bit: where a score leaves any doubt, and where the first split of a run
contradicts, `predict` is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.pipeline import Pipeline
from sklearn.utils import _safe_indexing

Codes = NDArray[Any] | None
Rule = Callable[[NDArray[Any]], Codes]
MOST_COMPARED = 100  # samples of the first split


def _largest(scores: NDArray[Any]) -> Codes:
    """The first of the largest, as `predict` takes it of the same array."""
    return scores.argmax(axis=1) if scores.ndim == 2 else None


def _clear(scores: NDArray[Any]) -> Codes:
    """The largest of probabilities that keep the order of what `predict` compares, up to rounding."""
    if scores.ndim != 2:
        return None
    codes = scores.argmax(axis=1)
    others = scores.copy()
    others[np.arange(len(codes)), codes] = -1.0
    gaps = scores.max(axis=1) - others.max(axis=1)
    return codes if np.all(gaps > np.sqrt(np.finfo(scores.dtype).eps)) else None


def _sign(scores: NDArray[Any]) -> Codes:
    """The second class above 0; at 0 classes differ in what they do."""
    return (scores > 0).astype(np.intp) if scores.ndim == 1 and np.all(np.abs(scores) > 0) else None


def _sign_or_largest(scores: NDArray[Any]) -> Codes:
    return _sign(scores) if scores.ndim == 1 else _largest(scores)


_PROBABILITY = {"predict_proba": _clear}
_SHARES = {"predict_proba": _largest}
_DECISION = {"decision_function": _sign_or_largest}
_BOTH = _DECISION | _PROBABILITY
_VOTES = {"decision_function": _sign}  # which decide where there are more than two classes
RULES: Mapping[str, Mapping[str, Rule]] = {
    **dict.fromkeys(("DecisionTreeClassifier", "ExtraTreeClassifier"), _SHARES),
    **dict.fromkeys(("RandomForestClassifier", "ExtraTreesClassifier", "BaggingClassifier"), _SHARES),
    **dict.fromkeys(("VotingClassifier", "CalibratedClassifierCV", "LabelPropagation", "LabelSpreading"), _SHARES),
    **dict.fromkeys(("GaussianNB", "MultinomialNB", "ComplementNB", "BernoulliNB", "CategoricalNB"), _PROBABILITY),
    "MLPClassifier": _PROBABILITY,
    **dict.fromkeys(("LogisticRegression", "LogisticRegressionCV", "SGDClassifier"), _BOTH),
    **dict.fromkeys(("LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis", "AdaBoostClassifier"), _BOTH),
    **dict.fromkeys(("GradientBoostingClassifier", "HistGradientBoostingClassifier"), _BOTH),
    **dict.fromkeys(("LinearSVC", "Perceptron", "RidgeClassifier", "RidgeClassifierCV"), _DECISION),
    **dict.fromkeys(("SVC", "NuSVC"), _VOTES),
}
_NEIGHBORS = {"uniform": _SHARES, "distance": _PROBABILITY}  # whose sums are added in another order


def _rules(classifier: Any) -> Mapping[str, Rule]:
    kind = type(classifier)
    own = (kind, getattr(kind, "predict", None))  # the latter may have been replaced
    if not all(str(getattr(part, "__module__", "")).startswith("sklearn.") for part in own):
        return {}
    if kind.__name__ == "KNeighborsClassifier":
        return _NEIGHBORS.get(classifier.weights, {}) if isinstance(classifier.weights, str) else {}
    return RULES.get(kind.__name__, {})


def _last(estimator: Any) -> Any:
    """What predicts: the last step of a pipeline."""
    while type(estimator) is Pipeline:
        estimator = estimator.steps[-1][1]
    return estimator


def giving_labels(estimator: Any, responses: Sequence[Sequence[str]]) -> str | None:
    """The method, of those whose values are collected, that gives the labels too; None where none does."""
    rules = _rules(_last(estimator))
    chosen = (next((name for name in names if hasattr(estimator, name)), None) for names in responses if rules)
    return next((method for method in chosen if method in rules), None)


def labels_from(estimator: Any, method: str, scores: NDArray[Any]) -> NDArray[Any] | None:
    """The labels that `predict` gives where a method gives these scores; None where that is not certain."""
    classifier = _last(estimator)
    classes = classifier.classes_
    n_classes = 2 if scores.ndim == 1 else scores.shape[-1]
    if not isinstance(classes, np.ndarray) or classes.shape != (n_classes,):
        return None
    codes = _rules(classifier)[method](scores)
    return None if codes is None else classes.take(codes)


def confirmed(found: dict[str, bool], name: str, estimator: Any, X_test: Any, labels: NDArray[Any]) -> bool:
    """Whether `predict` gave the same labels on the first split, which is looked at now and noted by name."""
    if name not in found:
        few = labels[:MOST_COMPARED]
        part = X_test if len(few) == len(labels) else _safe_indexing(X_test, np.arange(len(few)))
        predicted = np.asarray(estimator.predict(part))
        found[name] = predicted.dtype == few.dtype and np.array_equal(predicted, few)
    return found[name]
