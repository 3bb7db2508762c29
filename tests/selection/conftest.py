"""Searches that several tests read: a few that were fitted, and plain objects with results of our making."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, make_moons
from sklearn.model_selection import GridSearchCV, RepeatedStratifiedKFold
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier


class Plain:
    """The least that a search is: results and a splitter."""

    def __init__(self, scores, params=None, *, cv=None, **attributes):
        scores = {"score": scores} if not isinstance(scores, dict) else scores
        scores = {metric: np.asarray(values, dtype=float) for metric, values in scores.items()}
        n_candidates, n_splits = next(iter(scores.values())).shape
        params = [{"C": i} for i in range(n_candidates)] if params is None else params
        self.cv = n_splits if cv is None else cv
        self.cv_results_ = {"params": params, "mean_fit_time": np.arange(n_candidates, dtype=float)}
        for metric, values in scores.items():
            self.cv_results_ |= {f"split{i}_test_{metric}": values[:, i] for i in range(n_splits)}
        vars(self).update(attributes)


@pytest.fixture(scope="session")
def plain():
    return Plain


@pytest.fixture(scope="session")
def cancer():
    return load_breast_cancer(return_X_y=True)


@pytest.fixture(scope="session")
def grid(cancer):
    """Two metrics, of which the second decides; training scores; refitted."""
    tree = DecisionTreeClassifier(random_state=0)
    grid = {"max_depth": [1, 3, None], "min_samples_leaf": [1, 20]}
    options = {"scoring": ["accuracy", "roc_auc"], "refit": "roc_auc", "cv": 5, "return_train_score": True}
    return GridSearchCV(tree, grid, **options).fit(*cancer)


@pytest.fixture(scope="session")
def moons():
    """scikit-learn's example, examples/model_selection/plot_grid_search_stats.py."""
    X, y = make_moons(noise=0.352, random_state=1, n_samples=100)
    grid = [{"kernel": ["linear"]}, {"kernel": ["poly"], "degree": [2, 3]}, {"kernel": ["rbf"]}]
    cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
    return GridSearchCV(SVC(random_state=0), grid, scoring="roc_auc", cv=cv, refit=False).fit(X, y)
