"""Generators of data sets on which two models are equally good by construction, or differ by a known cause."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if

from skcompare._core.record import Record
from skcompare._core.validation import check_choice, check_integer, check_number
from skcompare.evaluation.input import check_data, check_target


class Generator(Protocol):
    """What draws data sets, and says which models to compare on them; any class with these two methods serves."""

    # A store knows a generator again by its fields, so that one of your own should be a dataclass. Two more attributes
    # are read where they are there: `exact_for`, in words where H0 holds exactly, and `is_alternative`, a bool.

    def draw(self, rng: np.random.Generator) -> tuple[Any, Any]:
        """One data set, (X, y); all that is random in it comes from `rng`."""

    def pair(self, estimators: Mapping[str, Any]) -> Mapping[str, Any]:
        """The two models to compare, by name, made of the estimators given."""


class _OfTwoModels(Record):
    """A generator that compares two estimators as they are."""

    __slots__ = ()

    def pair(self, estimators: Mapping[str, Any]) -> Mapping[str, Any]:
        """Two estimators as they are.

        Parameters
        ----------
        estimators : mapping of name to estimator
            Two.

        Returns
        -------
        dict of name to estimator

        Raises
        ------
        ValueError
            If they are not two.
        """
        if len(estimators) != 2:
            raise ValueError(f"models must be two for {type(self).__name__}; got {len(estimators)}")
        return dict(estimators)


class RandomData(_OfTwoModels):
    """Fair coins as attributes, and labels that do not depend on them (Bouckaert 2003).

    No learner can do better than chance: ROC AUC is one half for every learner. So is accuracy with ``positive=0.5``,
    if no split tells the learner of its test labels: in stratified splits that needs exact shares, ``labels="shares"``,
    since the majority in the training part would else be that of the test part too; in splits that are not stratified
    it needs ``labels="independent"``. On recall, precision and F1 H0 holds only for two learners that predict each
    class equally often: a tree that breaks ties in favour of the first class does not. The same goes for accuracy with
    other values of `positive`.

    Parameters
    ----------
    n_samples : int, default=300
        At least 4.
    n_features : int, default=10
        At least 1.
    positive : float, default=0.5
        Share or probability of label 1, in (0, 1).
    labels : {"shares", "independent"}, default="shares"
        Whether a data set has the classes in these shares, exact but for rounding, or labels that are independent of
        each other, drawn again until both occur.

    Attributes
    ----------
    n_samples : int
        Samples per data set.
    n_features : int
        Independent attributes, 0 or 1 with equal probability.
    positive : float
        Share or probability of label 1.
    labels : str
        ``"shares"`` or ``"independent"``.

    References
    ----------
    R. R. Bouckaert (2003), Choosing between two learning algorithms based on calibrated tests, Proceedings of the 20th
    International Conference on Machine Learning, 51-58.

    Examples
    --------
    >>> import numpy as np
    >>> from skcompare.calibration import RandomData
    >>> X, y = RandomData(n_samples=20).draw(np.random.default_rng(0))
    >>> X.shape, int(y.sum())
    ((20, 10), 10)
    """

    n_samples: int = 300
    n_features: int = 10
    positive: float = 0.5
    labels: Literal["shares", "independent"] = "shares"

    def __post_init__(self) -> None:
        n = check_integer(self.n_samples, "n_samples", low=4)
        check_integer(self.n_features, "n_features", low=1)
        check_share(self.positive, n)
        check_choice(self.labels, "labels", ("shares", "independent"))

    @property
    def exact_for(self) -> str:
        """Where H0 holds exactly, in words."""
        both = "accuracy and roc_auc" if self.positive == 0.5 else "roc_auc"
        return f"{both} of any two learners; other metrics of learners that predict each class equally often"

    def draw(self, rng: np.random.Generator) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """One data set.

        Parameters
        ----------
        rng : numpy.random.Generator
            What it is drawn with.

        Returns
        -------
        X : ndarray of shape (n_samples, n_features)
            0.0 or 1.0.
        y : ndarray of shape (n_samples,)
            0 or 1.
        """
        X = rng.integers(0, 2, (self.n_samples, self.n_features)).astype(float)
        if self.labels == "shares":
            return X, labels_in_shares(self.n_samples, self.positive, rng)
        while True:
            y = (rng.random(self.n_samples) < self.positive).astype(np.int64)
            if 0 < y.sum() < self.n_samples:
                return X, y


class LabelPermutation(_OfTwoModels, eq=False):
    """The user's own X with the labels in random order.

    Nothing in X says anything about the labels then. H0 is exact on ROC AUC; on other metrics for two learners that
    predict each class equally often, on accuracy also where the classes are balanced and the learners say so. Else
    it is false: the learner that leans more to the larger class has the higher accuracy. `size` checks it.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        What the estimators accept: arrays, frames, sparse matrices.
    y : array-like of shape (n_samples,)
        Labels, or the target of a regression.

    Attributes
    ----------
    X : array-like
        As given, not copied.
    y : ndarray
        The labels in their own order.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_breast_cancer
    >>> from skcompare.calibration import LabelPermutation
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> same_X, shuffled = LabelPermutation(X=X, y=y).draw(np.random.default_rng(0))
    >>> same_X is X, bool(shuffled.sum() == y.sum()), bool((shuffled == y).all())
    (True, True, False)
    """

    X: Any
    y: Any

    def __post_init__(self) -> None:
        X, y, _ = check_data(self.X, self.y, None)
        labels = check_target(X, y)
        if len(np.unique(labels, axis=0)) < 2:
            raise ValueError(f"y must have at least 2 different values to permute; got only {labels[:1].tolist()[0]!r}")
        object.__setattr__(self, "X", X)
        object.__setattr__(self, "y", labels.copy())

    @property
    def exact_for(self) -> str:
        """Where H0 holds exactly, in words."""
        return "roc_auc of any two learners; other metrics of learners that predict each class equally often"

    def draw(self, rng: np.random.Generator) -> tuple[Any, NDArray[Any]]:
        """X, and the labels in random order.

        Parameters
        ----------
        rng : numpy.random.Generator
            What the order is drawn with.

        Returns
        -------
        X : array-like
            As given.
        y : ndarray
            Shuffled.
        """
        return self.X, rng.permutation(self.y)


def check_share(positive: float, n_samples: int) -> None:
    """Raise ValueError unless a share leaves samples in both classes."""
    check_number(positive, "positive", low=0, high=1, closed="neither")
    if not 0 < round(n_samples * positive) < n_samples:
        raise ValueError(f"positive must leave a sample in either class of {n_samples}; got {positive!r}")


def labels_in_shares(n_samples: int, positive: float, rng: np.random.Generator) -> NDArray[np.int64]:
    """Labels 0 and 1 in random order, as many of each as the share says."""
    return rng.permutation((np.arange(n_samples) < round(n_samples * positive)).astype(np.int64))


# One learner on two blocks of features that are drawn alike.


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
                f"models must be one for ExchangeableBlocks, which compares it with itself; got {len(estimators)}"
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
