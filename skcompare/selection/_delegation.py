"""What an estimator does that is another one once it is fitted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import sklearn
from sklearn.utils.metadata_routing import process_routing
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

Method = TypeVar("Method", bound=Callable[..., Any])


def _delegated(*methods: str) -> Callable[[Method], Method]:
    """Make a method be there where the chosen estimator has these; before `fit`, where all estimators have them."""

    def has(selector: Delegating) -> bool:
        chosen = getattr(selector, "estimator_", None)
        asked = list(selector._named().values()) if chosen is None else [chosen]
        return bool(asked) and all(hasattr(estimator, method) for estimator in asked for method in methods)

    decorator: Callable[[Method], Method] = available_if(has)
    return decorator


class Delegating:
    """Methods of the chosen estimator.

    Attributes
    ----------
    estimator_ : estimator
        The chosen one, fitted.
    selected_ : str
        Its name.
    """

    estimator_: Any
    selected_: str
    _sklearn_output_config: dict[str, str]  # so called because `sklearn.base.clone` keeps it

    def _named(self) -> dict[str, Any]:
        """The estimators that there are to choose from, by name."""
        raise NotImplementedError

    def fit(self, X: Any, y: Any, **params: Any) -> Any:
        """Choose an estimator and fit it."""
        raise NotImplementedError

    @_delegated("predict")
    def predict(self, X: Any) -> Any:
        """Predictions of the chosen estimator.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The data.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return self._fitted().predict(X)

    @_delegated("predict_proba")
    def predict_proba(self, X: Any) -> Any:
        """Probabilities of the classes, by the chosen estimator; there if it has them.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The data.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            In the order of `classes_`.
        """
        return self._fitted().predict_proba(X)

    @_delegated("predict_log_proba")
    def predict_log_proba(self, X: Any) -> Any:
        """Logarithms of the probabilities of the classes, by the chosen estimator; there if it has them.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The data.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            In the order of `classes_`.
        """
        return self._fitted().predict_log_proba(X)

    @_delegated("decision_function")
    def decision_function(self, X: Any) -> Any:
        """Decision values of the chosen estimator; there if it has them.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The data.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
        """
        return self._fitted().decision_function(X)

    @_delegated("transform")
    def transform(self, X: Any) -> Any:
        """The data transformed by the chosen estimator; there if it can.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The data.

        Returns
        -------
        array-like of shape (n_samples, n_new_features)
        """
        return self._fitted().transform(X)

    @_delegated("transform")
    def fit_transform(self, X: Any, y: Any, **params: Any) -> Any:
        """`fit`, then `transform`; there if the estimators transform.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The data.
        y : array-like of shape (n_samples,)
            The target.
        **params
            As for `fit`.

        Returns
        -------
        array-like of shape (n_samples, n_new_features)
        """
        return self.fit(X, y, **params).transform(X)

    @_delegated("transform", "get_feature_names_out")
    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Names of the columns that `transform` gives; there if the chosen estimator transforms and names them.

        Parameters
        ----------
        input_features : array-like of str or None, default=None
            Names of the columns of X; by default those of `fit`.

        Returns
        -------
        ndarray of str of shape (n_new_features,)
        """
        return self._fitted().get_feature_names_out(input_features)

    @_delegated("transform", "set_output")
    def set_output(self, *, transform: str | None = None) -> Any:
        """Set what `transform` gives, before or after `fit`; there if the estimators transform.

        Parameters
        ----------
        transform : {"default", "pandas", "polars"} or None, default=None
            The container; None leaves it as it is.

        Returns
        -------
        ComparisonSelector
            Itself.
        """
        if transform is not None:
            self._sklearn_output_config = {"transform": transform}
            self._pass_output(getattr(self, "estimator_", None))
        return self

    def _pass_output(self, estimator: Any) -> None:
        """Tell an estimator that transforms what `set_output` was told, if anything."""
        output: dict[str, str] = getattr(self, "_sklearn_output_config", {})
        if output and hasattr(estimator, "transform"):
            estimator.set_output(**output)

    @_delegated("score")
    def score(self, X: Any, y: Any, **params: Any) -> float:
        """The chosen estimator's own score: accuracy of classifiers, R squared of regressors.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The data.
        y : array-like of shape (n_samples,)
            The target.
        **params
            Given to its `score`, such as ``sample_weight``; with metadata routing enabled, where it is requested.

        Returns
        -------
        float
            Greater is better.
        """
        chosen = self._fitted()
        if params and sklearn.get_config()["enable_metadata_routing"]:
            place = list(self._named()).index(self.selected_)
            params = process_routing(self, "score", **params)[f"estimator_{place}"].score
        return float(chosen.score(X, y, **params))

    @property
    def classes_(self) -> Any:
        """Labels of the classes, of the chosen estimator."""
        return self._of_chosen("classes_")

    @property
    def n_features_in_(self) -> int:
        """Number of columns of X in `fit`."""
        return int(self._of_chosen("n_features_in_"))

    @property
    def feature_names_in_(self) -> Any:
        """Names of the columns of X in `fit`; there if they were strings."""
        return self._of_chosen("feature_names_in_")

    def _fitted(self) -> Any:
        check_is_fitted(self, "estimator_")
        return self.estimator_

    def _of_chosen(self, name: str) -> Any:
        """An attribute of the chosen estimator, which is not there before `fit`."""
        if "estimator_" not in vars(self):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r} before it is fitted")
        return getattr(self.estimator_, name)
