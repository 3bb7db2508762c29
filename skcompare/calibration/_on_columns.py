"""An estimator that sees some columns only."""

from __future__ import annotations

from typing import Any

from sklearn.base import BaseEstimator, clone
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if


def _can(method: str) -> Any:
    return lambda model: hasattr(getattr(model, "fitted_", model.estimator), method)


class OnColumns(BaseEstimator):  # type: ignore[misc]
    """An estimator that sees the columns from `start` to before `stop`."""

    def __init__(self, estimator: Any, start: int, stop: int) -> None:
        self.estimator = estimator
        self.start = start
        self.stop = stop

    def fit(self, X: Any, y: Any) -> OnColumns:
        """Fit a clone on its columns."""
        self.fitted_ = clone(self.estimator).fit(self._own(X), y)
        if hasattr(self.fitted_, "classes_"):
            self.classes_ = self.fitted_.classes_
        return self

    def predict(self, X: Any) -> Any:
        """Labels or numbers."""
        return self.fitted_.predict(self._own(X))

    @available_if(_can("predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Any:
        """Probabilities of the classes."""
        return self.fitted_.predict_proba(self._own(X))

    @available_if(_can("decision_function"))  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Any:
        """Scores of the classes."""
        return self.fitted_.decision_function(self._own(X))

    def _own(self, X: Any) -> Any:
        return X[:, self.start : self.stop]

    def __sklearn_tags__(self) -> Any:
        return get_tags(self.estimator)
