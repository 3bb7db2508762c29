"""The family of a learner: simulated error rates differ between families."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import inf
from numbers import Integral, Real
from typing import Any

_OF_MODULES = {
    "cross_decomposition": "linear",
    "gaussian_process": "kernel",
    "kernel_ridge": "kernel",
    "linear_model": "linear",
    "naive_bayes": "naive Bayes",
    "neural_network": "network",
    "tree": "tree",
}
# Of modules with several families, by what the name of the class begins with.
_OF_CLASSES = {
    "discriminant_analysis": {"LinearDiscriminantAnalysis": "linear"},
    "ensemble": {
        "RandomForest": "forest",
        "ExtraTrees": "forest",
        "GradientBoosting": "boosting",
        "HistGradientBoosting": "boosting",
        "AdaBoost": "boosting",
    },
    "neighbors": {"KNeighbors": "neighbors", "RadiusNeighbors": "neighbors"},
    "svm": {"LinearSV": "linear", "SV": "kernel", "NuSV": "kernel"},
}
# What stands for the estimator in it, with the family where none was given.
_AROUND = {
    "BaggingClassifier": "forest",
    "BaggingRegressor": "forest",
    "CalibratedClassifierCV": "linear",
    "FixedThresholdClassifier": "",
    "FrozenEstimator": "",
    "GridSearchCV": "",
    "HalvingGridSearchCV": "",
    "HalvingRandomSearchCV": "",
    "OneVsOneClassifier": "",
    "OneVsRestClassifier": "",
    "RANSACRegressor": "linear",
    "RFE": "",
    "RFECV": "",
    "RandomizedSearchCV": "",
    "TransformedTargetRegressor": "linear",
    "TunedThresholdClassifierCV": "",
}
PER_LEAF = 25  # samples, from which on a tree is shallow; chosen by ``python -m benchmarks.depths``
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
    starts = _OF_CLASSES.get(module, {})
    return next((family for start, family in starts.items() if name.startswith(start)), _OF_MODULES.get(module, ""))


def _inside(estimator: Any, name: str, n_samples: int) -> str:
    inner = getattr(estimator, "estimator", getattr(estimator, "regressor", None))
    if inner is None:
        return _AROUND[name]
    family = family_of(inner, n_samples)
    is_tree = family in ("tree", "shallow tree")
    if is_tree and name.startswith("Bagging"):
        return "forest"
    among_learners = any(hasattr(value, "fit") for value in tried(estimator))
    return "" if among_learners or (is_tree and _tries(estimator, _LIMITS)) else family


def _is_shallow(tree: Any, n_samples: int) -> bool:
    depth, leaves, least, *pruned = (getattr(tree, name) for name in _LIMITS)
    n_leaves = min(2.0 ** min(_number(depth), 100), max(_number(leaves), 1))
    fewest = _number(least, 1) * (1 if isinstance(least, Integral) else n_samples)
    return max(n_samples / n_leaves, fewest) >= PER_LEAF or any(_number(value, 0) > 0 for value in pruned)


def _number(value: Any, otherwise: float = inf) -> float:
    """A limit, or what stands for none; parameters that are no numbers fail in the fit."""
    return float(value) if isinstance(value, Real) else otherwise


def _tries(search: Any, names: tuple[str, ...]) -> bool:
    return any(key.endswith(names) for grid in _grids(search) for key in grid)


def _grids(search: Any) -> list[Mapping[str, Any]]:
    found = getattr(search, "param_grid", getattr(search, "param_distributions", ()))
    return [found] if isinstance(found, Mapping) else list(found)


def tried(search: Any) -> Iterator[Any]:
    """The values of parameters that a search tries."""
    for grid in _grids(search):
        for values in grid.values():
            yield from values if isinstance(values, Iterable) else ()
