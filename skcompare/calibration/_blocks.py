"""One learner on two blocks of features that are drawn alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if

from skcompare._core.record import Record
from skcompare._core.validation import check_choice, check_integer, check_number
from skcompare.calibration._generators import check_share, labels_in_shares


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ExchangeableBlocks(Record):
    """One learner on two blocks of features that are drawn alike: H0 is exact, with real signal in the data.

    Given the target, the blocks are independent and have one distribution; exchanging them exchanges the two models.
    So H0 holds exactly for any learner, metric, balance and sample size: the difference is symmetric about 0. With
    another `signal_b` the second model is better or worse by construction.

    Parameters
    ----------
    n_samples : int, default=300
        At least 4.
    n_features : int, default=5
        Features per block, at least 1.
    signal : float, default=0.45
        What a feature says of the target: it is normal with standard deviation 1 about ``-signal`` or ``signal`` by
        class, in regression about ``signal * y``.
    signal_b : float, optional
        That of the second block; the same by default.
    positive : float, default=0.5
        Share of label 1, in (0, 1), exact but for rounding; without meaning in regression.
    task : {"classification", "regression"}, default="classification"
        Labels 0 and 1, or a standard normal target.

    Attributes
    ----------
    n_samples : int
        Samples per data set.
    n_features : int
        Features per block.
    signal : float
        Of the features of the first block.
    signal_b : float or None
        Of those of the second; None where it is the same.
    positive : float
        Share of label 1.
    task : str
        ``"classification"`` or ``"regression"``.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skcompare.calibration import ExchangeableBlocks
    >>> blocks = ExchangeableBlocks(n_samples=50, positive=0.2)
    >>> X, y = blocks.draw(np.random.default_rng(0))
    >>> X.shape, int(y.sum())
    ((50, 10), 10)
    >>> list(blocks.pair({"nb": GaussianNB()}))
    ['nb on block 1', 'nb on block 2']
    """

    n_samples: int = 300
    n_features: int = 5
    signal: float = 0.45
    signal_b: float | None = None
    positive: float = 0.5
    task: Literal["classification", "regression"] = "classification"

    def __post_init__(self) -> None:
        n = check_integer(self.n_samples, "n_samples", low=4)
        check_integer(self.n_features, "n_features", low=1)
        check_number(self.signal, "signal", closed="neither")
        if self.signal_b is not None:
            check_number(self.signal_b, "signal_b", closed="neither")
        check_share(self.positive, n)
        check_choice(self.task, "task", ("classification", "regression"))

    @property
    def exact_for(self) -> str:
        """Where H0 holds exactly, in words."""
        return "no metric: one block says more" if self.is_alternative else "any learner and metric"

    @property
    def is_alternative(self) -> bool:
        """Whether one model is better by construction."""
        return self.signal_b is not None and self.signal_b != self.signal

    def draw(self, rng: np.random.Generator) -> tuple[NDArray[np.float64], NDArray[Any]]:
        """One data set.

        Parameters
        ----------
        rng : numpy.random.Generator
            What it is drawn with.

        Returns
        -------
        X : ndarray of shape (n_samples, 2 * n_features)
            The first half of the columns is the first model's.
        y : ndarray of shape (n_samples,)
            0 or 1, or in regression real numbers.
        """
        if self.task == "regression":
            target: NDArray[Any] = rng.normal(size=self.n_samples)
        else:
            target = labels_in_shares(self.n_samples, self.positive, rng)
        side = target if self.task == "regression" else 2 * target - 1
        signals = np.repeat([self.signal, self.signal if self.signal_b is None else self.signal_b], self.n_features)
        return rng.normal(size=(self.n_samples, 2 * self.n_features)) + signals * side[:, None], target

    def pair(self, estimators: Mapping[str, Any]) -> Mapping[str, Any]:
        """One estimator on either block.

        Parameters
        ----------
        estimators : mapping of name to estimator
            One.

        Returns
        -------
        dict of name to estimator
            Two models.

        Raises
        ------
        ValueError
            If there is not one.
        """
        if len(estimators) != 1:
            raise ValueError(
                f"estimators must be one for ExchangeableBlocks, which compares it with itself; got {len(estimators)}"
            )
        ((name, estimator),) = estimators.items()
        p = self.n_features
        return {f"{name} on block 1": OnColumns(estimator, 0, p), f"{name} on block 2": OnColumns(estimator, p, 2 * p)}


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
