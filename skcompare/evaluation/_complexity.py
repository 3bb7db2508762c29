"""How complex a fitted model is: one number, in the unit of its kind."""

from __future__ import annotations

from typing import Any

import numpy as np

from skcompare.evaluation._families import family_of, tried

_OF_FAMILY = {
    "linear": "coefficients",
    "naive Bayes": "estimates",
    "neighbors": "stored samples",
    "tree": "leaves",
    "shallow tree": "leaves",
    "forest": "leaves",
    "boosting": "leaves",
    "network": "weights",
}
_MACHINES = ("SVC", "SVR", "NuSVC", "NuSVR")
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
    if name in _MACHINES:
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
