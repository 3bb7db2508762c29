"""The family of a learner: simulated error rates differ between families."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from inspect import Parameter, signature
from math import inf
from numbers import Integral, Real
from operator import attrgetter
from typing import Any
from warnings import catch_warnings

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.pipeline import Pipeline
from sklearn.utils import _safe_indexing

from skcompare._core.frames import IMMUTABLE

_OF_MODULES = {
    **dict.fromkeys(("cross_decomposition", "linear_model"), "linear"),
    **dict.fromkeys(("gaussian_process", "kernel_ridge"), "kernel"),
    **{"naive_bayes": "naive Bayes", "neural_network": "network", "tree": "tree"},
}
# Of modules with several families, by what the name of the class begins with.
_OF_CLASSES = {
    "discriminant_analysis": {"LinearDiscriminantAnalysis": "linear"},
    "ensemble": {
        **dict.fromkeys(("RandomForest", "ExtraTrees"), "forest"),
        **dict.fromkeys(("GradientBoosting", "HistGradientBoosting", "AdaBoost"), "boosting"),
    },
    "neighbors": {"KNeighbors": "neighbors", "RadiusNeighbors": "neighbors"},
    "svm": {"LinearSV": "linear", "SV": "kernel", "NuSV": "kernel"},
}
# What stands for the estimator in it, with the family where none was given.
_AROUND = {
    **dict.fromkeys(("BaggingClassifier", "BaggingRegressor"), "forest"),
    **dict.fromkeys(("CalibratedClassifierCV", "RANSACRegressor", "TransformedTargetRegressor"), "linear"),
    **dict.fromkeys(("FixedThresholdClassifier", "TunedThresholdClassifierCV", "FrozenEstimator", "RFE", "RFECV"), ""),
    **dict.fromkeys(("GridSearchCV", "RandomizedSearchCV", "HalvingGridSearchCV", "HalvingRandomSearchCV"), ""),
    **dict.fromkeys(("OneVsOneClassifier", "OneVsRestClassifier"), ""),
}
PER_LEAF = 25  # samples, from which on a tree is shallow; chosen by ``python -m benchmarks.wide_study depths``
# What limits the size of a tree; by the last two it is pruned.
_LIMITS = ("max_depth", "max_leaf_nodes", "min_samples_leaf", "ccp_alpha", "min_impurity_decrease")


def family_of(estimator: Any, n_samples: int = 0) -> str:
    """The family of a learner of scikit-learn's.

    Parameters
    ----------
    estimator : estimator
        Of a pipeline its last step counts, and the estimator that a search, a calibration or the like is around.
    n_samples : int, default=0
        Of the data. A tree is shallow where it is pruned, or where a limit leaves 25 of them to each leaf.

    Returns
    -------
    str
        "linear", "naive Bayes", "neighbors", "tree", "shallow tree", "forest", "boosting", "kernel" or "network"; empty
        where it is not known, as of other libraries, of votes, of stacks and of searches for the size of a tree.
    """
    library, _, rest = type(estimator).__module__.partition(".")
    name, module = type(estimator).__name__, rest.partition(".")[0]
    if library != "sklearn":
        return ""
    if name == "Pipeline":
        return family_of(estimator.steps[-1][1], n_samples)
    if name in _AROUND:
        return _inside(estimator, name, n_samples)
    if getattr(estimator, "kernel", None) == "linear" and module == "svm":
        return "linear"
    if module == "tree" and _is_shallow(estimator, n_samples):
        return "shallow tree"
    for start, family in _OF_CLASSES.get(module, {}).items():
        if name.startswith(start):
            return family
    return _OF_MODULES.get(module, "")


def _inside(estimator: Any, name: str, n_samples: int) -> str:
    inner = getattr(estimator, "estimator", getattr(estimator, "regressor", None))
    if inner is None:
        return _AROUND[name]
    family = family_of(inner, n_samples)
    is_tree = family in ("tree", "shallow tree")
    if is_tree and name.startswith("Bagging"):
        return "forest"
    of_sizes = is_tree and any(key.endswith(_LIMITS) for grid in _grids(estimator) for key in grid)
    return "" if any(hasattr(value, "fit") for value in tried(estimator)) or of_sizes else family


def _is_shallow(tree: Any, n_samples: int) -> bool:
    depth, leaves, least, *pruned = attrgetter(*_LIMITS)(tree)
    n_leaves = min(2.0 ** min(_number(depth), 100), max(_number(leaves), 1))
    fewest = _number(least, 1) * (1 if isinstance(least, Integral) else n_samples)
    return max(n_samples / n_leaves, fewest) >= PER_LEAF or max(map(partial(_number, otherwise=0), pruned)) > 0


def _number(value: Any, otherwise: float = inf) -> float:
    """A limit, or what stands for none; parameters that are no numbers fail in the fit."""
    return float(value) if isinstance(value, Real) else otherwise


def _grids(search: Any) -> list[Mapping[str, Any]]:
    found = getattr(search, "param_grid", getattr(search, "param_distributions", ()))
    return [found] if isinstance(found, Mapping) else list(found)


def tried(search: Any) -> Iterator[Any]:
    """The values of parameters that a search tries."""
    for grid in _grids(search):
        for values in grid.values():
            yield from values if isinstance(values, Iterable) else ()


# Whether the best candidate of a search has the largest or the smallest of the values that were tried.


FEWEST_TRIED = 3  # values; of two each is an end


def ends_of_grid(
    candidates: Iterable[Mapping[str, Any]], best: Mapping[str, Any], model: Any = None
) -> Iterator[tuple[str, str]]:
    """Such parameters, each with what it is in words; not those of which `model` allows no values beyond.

    Parameters
    ----------
    candidates : iterable of mapping
        Their parameters.
    best : mapping
        Those of the best.
    model : estimator, optional
        What they are parameters of.
    """
    every = list(candidates)
    for name, value in best.items():
        values = {one[name] for one in every if name in one and isinstance(one[name], (Real, str, type(None)))}
        numbers = {one for one in values if isinstance(one, Real) and not isinstance(one, bool | np.bool_)}
        if len(numbers) < max(FEWEST_TRIED, len(values)) or value not in {min(numbers), max(numbers)}:
            continue
        side = "largest" if value == max(numbers) else "smallest"
        if not _is_limit(model, name, value, "right" if side == "largest" else "left"):
            yield name, f"{name}={value:g} is the {side} of {len(numbers)} values"


def _is_limit(model: Any, name: str, value: Any, side: str) -> bool:
    """Whether a parameter of scikit-learn's can have no value beyond."""
    path, _, own = name.rpartition("__")
    owner = model.get_params().get(path) if path and hasattr(model, "get_params") else model
    constraints = getattr(owner, "_parameter_constraints", {}).get(own)
    known = [one for one in constraints or () if hasattr(one, "closed") and isinstance(value, one.type)]
    limits = [getattr(one, side) for one in known]
    return bool(limits) and all(limit is not None and limit == value for limit in limits)


def ends_of_search(fitted: Any) -> Iterator[tuple[str, str]]:
    """The same of a fitted search, and of a model that chose its alpha."""
    if hasattr(fitted, "best_params_"):
        yield from ends_of_grid(fitted.cv_results_["params"], fitted.best_params_, getattr(fitted, "estimator", None))
    elif isinstance(getattr(fitted, "alphas", None), list | tuple | np.ndarray):
        yield from ends_of_grid(({"alpha": one} for one in fitted.alphas), {"alpha": fitted.alpha_})


# How complex a fitted model is: one number, in the unit of its kind.


_OF_FAMILY = {
    **dict.fromkeys(("tree", "shallow tree", "forest", "boosting"), "leaves"),
    **{"linear": "coefficients", "naive Bayes": "estimates", "neighbors": "stored samples", "network": "weights"},
}
# Where the models are that a fitted one consists of; the first that it has.
_PARTS = ("best_estimator_", "estimators_", "calibrated_classifiers_", "estimator_", "regressor_", "estimator")
_ESTIMATES = ("theta_", "var_", "feature_log_prob_", "class_prior_", "class_log_prior_", "constant_")


def unit_of(model: Any) -> str:
    """What the complexity of a model of scikit-learn's counts; empty where that is not known.

    Parameters
    ----------
    model : estimator
        Not fitted. Of a pipeline its last step counts, and what a search, an ensemble or the like is made of.
    """
    name, (library, _, rest) = type(model).__name__, type(model).__module__.partition(".")
    if library != "sklearn":
        return ""
    params = model.get_params(deep=False)
    inner = params.get("estimator", params.get("regressor"))
    if "steps" in params:
        return unit_of(model.steps[-1][1])
    if inner is not None:
        return "" if any(hasattr(value, "predict") for value in tried(model)) else unit_of(inner)
    if name in ("SVC", "SVR", "NuSVC", "NuSVR"):
        return "support vectors"
    return "estimates" if rest.startswith("dummy") else _OF_FAMILY.get(family_of(model), "")


def complexity_of(model: Any) -> int:
    """The number of what `unit_of` names in a fitted model; ValueError where that is not known."""
    if hasattr(model, "steps"):
        return complexity_of(model.steps[-1][1])
    inside = next((getattr(model, name) for name in _PARTS if hasattr(model, name)), None)
    if inside is not None:
        many = inside.ravel() if isinstance(inside, np.ndarray) else inside
        return sum(map(complexity_of, many if isinstance(many, (list, tuple, np.ndarray)) else [many]))
    if hasattr(model, "get_n_leaves"):
        return int(model.get_n_leaves())
    if hasattr(model, "_predictors"):  # of histogram boosting, by iteration and class
        return sum(tree.get_n_leaf_nodes() for trees in model._predictors for tree in trees)
    if hasattr(model, "support_"):
        return len(model.support_)
    if hasattr(model, "coefs_"):
        return _n_numbers([model.coefs_, model.intercepts_])
    if hasattr(model, "coef_"):
        return int(np.count_nonzero(model.coef_.toarray() if hasattr(model.coef_, "toarray") else model.coef_))
    if hasattr(model, "n_samples_fit_"):
        return int(model.n_samples_fit_)
    estimates = [getattr(model, name) for name in _ESTIMATES if hasattr(model, name)]
    if type(model).__name__ == "_ConstantPredictor":  # of a class that all training samples are of, or none
        return 0
    if not estimates:
        raise ValueError(f"what to count in a {type(model).__name__} is not known")
    return _n_numbers(estimates)


def _n_numbers(found: Any) -> int:
    """How many numbers there are in an array, or in lists of such."""
    return sum(map(_n_numbers, found)) if isinstance(found, list) else int(np.size(found))


# Labels that follow from scores, so that one call gives both.
#
# Only classes of scikit-learn's whose `predict` is known to take the largest score are here, each by its exact class.
# The labels are those of `predict` to the bit: where a score leaves any doubt, and where the first split of a run
# contradicts, `predict` is asked. So it is of boosting of trees and of networks, whose fits take nearly all the time.


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
    return codes if np.all(scores.max(axis=1) - others.max(axis=1) > np.sqrt(np.finfo(scores.dtype).eps)) else None


def _sign(scores: NDArray[Any]) -> Codes:
    """The second class above 0; at 0 classes differ in what they do."""
    return (scores > 0).astype(np.intp) if scores.ndim == 1 and np.all(np.abs(scores) > 0) else None


_PROBABILITY = {"predict_proba": _clear}
_SHARES = {"predict_proba": _largest}
_DECISION: Mapping[str, Rule] = {"decision_function": lambda scores: (_sign if scores.ndim == 1 else _largest)(scores)}
_BOTH = {**_DECISION, **_PROBABILITY}
_VOTES = {"decision_function": _sign}  # which decide where there are more than two classes
RULES: Mapping[str, Mapping[str, Rule]] = {
    **dict.fromkeys(("DecisionTreeClassifier", "ExtraTreeClassifier"), _SHARES),
    **dict.fromkeys(("RandomForestClassifier", "ExtraTreesClassifier", "BaggingClassifier"), _SHARES),
    **dict.fromkeys(("VotingClassifier", "CalibratedClassifierCV", "LabelPropagation", "LabelSpreading"), _SHARES),
    **dict.fromkeys(("GaussianNB", "MultinomialNB", "ComplementNB", "BernoulliNB", "CategoricalNB"), _PROBABILITY),
    **dict.fromkeys(("LogisticRegression", "LogisticRegressionCV", "SGDClassifier"), _BOTH),
    **dict.fromkeys(("LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis", "AdaBoostClassifier"), _BOTH),
    **dict.fromkeys(("LinearSVC", "Perceptron", "RidgeClassifier", "RidgeClassifierCV"), _DECISION),
    **dict.fromkeys(("SVC", "NuSVC"), _VOTES),
}
_NEIGHBORS = {"uniform": _SHARES, "distance": _PROBABILITY}  # whose sums are added in another order


def _rules(classifier: Any) -> Mapping[str, Rule]:
    """Those of what predicts: of the last step of a pipeline."""
    while type(classifier) is Pipeline:
        classifier = classifier.steps[-1][1]
    kind = type(classifier)
    of_predict = str(getattr(getattr(kind, "predict", None), "__module__", ""))  # it may have been replaced
    if not kind.__module__.startswith("sklearn.") or not of_predict.startswith("sklearn."):
        return {}
    if kind.__name__ == "KNeighborsClassifier":
        return _NEIGHBORS.get(classifier.weights, {}) if isinstance(classifier.weights, str) else {}
    return RULES.get(kind.__name__, {})


def giving_labels(estimator: Any, responses: Sequence[Sequence[str]]) -> str | None:
    """The method, of those whose values are collected, that gives the labels too; None where none does."""
    rules = _rules(estimator)
    for names in responses if rules else ():
        method = next(filter(partial(hasattr, estimator), names), None)
        if method in rules:
            return method
    return None


def labels_from(estimator: Any, method: str, scores: NDArray[Any]) -> NDArray[Any] | None:
    """The labels that `predict` gives where a method gives these scores; None where that is not certain."""
    classes = estimator.classes_
    if not isinstance(classes, np.ndarray) or classes.shape != (2 if scores.ndim == 1 else scores.shape[-1],):
        return None
    codes = _rules(estimator)[method](scores)
    return None if codes is None else classes.take(codes)


def confirmed(found: dict[str, bool], name: str, estimator: Any, X_test: Any, labels: NDArray[Any]) -> bool:
    """Whether `predict` gave the same labels on the first split, which is looked at now and noted by name."""
    if name not in found:
        few = labels[:MOST_COMPARED]
        part = X_test if len(few) == len(labels) else _safe_indexing(X_test, np.arange(len(few)))
        predicted = np.asarray(estimator.predict(part))
        found[name] = predicted.dtype == few.dtype and np.array_equal(predicted, few)
    return found[name]


# Unfitted copies of estimators: scikit-learn's `clone`, for a tenth of its time where nothing has to be looked at.


def cloned(estimator: Any) -> Any:
    """What `clone` gives; the attributes are copied of what has plain parameters, and of pipelines of such steps."""
    if not has_plain_parameters(estimator):
        return clone(estimator)
    copied: Any = object.__new__(type(estimator))
    vars(copied).update(vars(estimator))
    if type(estimator) is Pipeline:
        copied.steps = [(name, step if type(step) in IMMUTABLE else cloned(step)) for name, step in estimator.steps]
    return copied


def has_plain_parameters(estimator: Any) -> bool:
    """Whether it is one of scikit-learn's that holds numbers, texts and nothing else, or a pipeline of such steps.

    What its constructor does to them is then known, and one fit shows that they are valid.
    """
    kind: Any = type(estimator)
    if not kind.__module__.startswith("sklearn.") or not vars(estimator).keys() >= _parameters(kind) > set():
        return False
    own = dict(vars(estimator))
    others = own.keys() - _parameters(kind)
    if others and (others != _always_none(kind) or any(own[name] is not None for name in others)):
        return False
    steps = own.pop("steps") if kind is Pipeline else []
    if type(steps) is not list or not all(map(_is_plain, own.values())):
        return False
    return all(type(step) is tuple and (_is_plain(step[1]) or has_plain_parameters(step[1])) for step in steps)


def _is_plain(value: Any) -> bool:
    return type(value) in IMMUTABLE or (type(value) is tuple and all(_is_plain(item) for item in value))


@lru_cache(maxsize=256)
def _parameters(kind: type[Any]) -> frozenset[str]:
    if getattr(kind, "__sklearn_clone__", None) is not BaseEstimator.__sklearn_clone__:
        return frozenset()
    return frozenset(signature(kind).parameters)


@lru_cache(maxsize=256)
def _always_none(kind: Any) -> frozenset[str]:
    """The attributes that a constructor sets to None beside its parameters."""
    optional = all(p.default is not Parameter.empty for p in signature(kind).parameters.values())
    with catch_warnings(action="ignore"):
        made = vars(kind()) if optional else {}
    return frozenset(name for name, value in made.items() if value is None and name not in _parameters(kind))


def seed_parameters(estimator: Any, names: Sequence[str], seed: int) -> None:
    """What ``set_params`` does with a seed for some parameters, without collecting all others."""
    for name in names:
        owner, own = estimator, name
        while type(owner) is Pipeline and "__" in own:
            step, _, own = own.partition("__")
            owner = dict(owner.steps)[step]
        if "__" not in own and type(owner).set_params is BaseEstimator.set_params:
            setattr(owner, own, seed)
        else:
            estimator.set_params(**{name: seed})
