"""The family of a learner: simulated error rates differ between families."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
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


def family_of(estimator: Any) -> str:
    """The family of a learner of scikit-learn's.

    Parameters
    ----------
    estimator : estimator
        Of a pipeline its last step counts, and the estimator that a search, a calibration or the like is around.

    Returns
    -------
    str
        "linear", "naive Bayes", "neighbors", "tree", "forest", "boosting", "kernel" or "network"; empty where it is
        not known, as of other libraries, of votes and of stacks.
    """
    library, _, rest = type(estimator).__module__.partition(".")
    name, module = type(estimator).__name__, rest.partition(".")[0]
    if library != "sklearn":
        return ""
    if name == "Pipeline":
        return family_of(estimator.steps[-1][1])
    if name in _AROUND:
        return _inside(estimator, name)
    if getattr(estimator, "kernel", None) == "linear" and module == "svm":
        return "linear"
    starts = _OF_CLASSES.get(module, {})
    return next((family for start, family in starts.items() if name.startswith(start)), _OF_MODULES.get(module, ""))


def _inside(estimator: Any, name: str) -> str:
    inner = getattr(estimator, "estimator", getattr(estimator, "regressor", None))
    if inner is None:
        return _AROUND[name]
    if any(hasattr(value, "fit") for value in tried(estimator)):
        return ""  # a search among learners
    family = family_of(inner)
    return "forest" if family == "tree" and name.startswith("Bagging") else family


def tried(search: Any) -> Iterator[Any]:
    """The values of parameters that a search tries."""
    grids = getattr(search, "param_grid", getattr(search, "param_distributions", ()))
    for grid in [grids] if isinstance(grids, Mapping) else grids:
        for values in grid.values():
            yield from values if isinstance(values, Iterable) else ()
