"""Random splits within halves of the data, for the conservative z interval."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import BaseCrossValidator

from skcompare._core.validation import check_integer, check_number
from skcompare.evaluation._blocked import classes_of, drawing

IndexArray = NDArray[np.intp]
FEWEST = 2  # samples to train on


class HalvesSplit(BaseCrossValidator):  # type: ignore[misc]
    """Random splits of both halves of the data, anew for every halving: the fits of `conservative_z_interval`.

    Both halves and the test sets in them hold the classes in about their shares. Models are trained on less than half
    of the data, so that the scores are of use for that interval alone.

    Parameters
    ----------
    n_halvings : int, default=10
        How often the data are cut into halves.
    n_splits : int, default=15
        Random splits of each half.
    test_size : float, default=0.1
        Size of a test set as a share of all of the data, in (0, 0.5): that of the evaluation whose variance is wanted.
    random_state : int, RandomState or None, default=None
        Draws halves and test sets; None draws others each time.

    References
    ----------
    C. Nadeau and Y. Bengio (2003), Inference for the generalization error, Machine Learning 52, 239-281,
    :doi:`10.1023/A:1024068626366`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcompare import HalvesSplit, PairedEvaluator
    >>> from skcompare.inference import conservative_z_interval
    >>> X, y = load_iris(return_X_y=True)
    >>> models = {"nb": GaussianNB(), "stump": DecisionTreeClassifier(max_depth=1)}
    >>> whole = PairedEvaluator("10x10", "accuracy", random_state=0).evaluate(models, X, y)
    >>> halves = PairedEvaluator(HalvesSplit(random_state=0), "accuracy", random_state=0).evaluate(models, X, y)
    >>> found = conservative_z_interval(
    ...     whole.score("nb", "accuracy"), halves.score("nb", "accuracy").reshape(10, 2, 15)
    ... )
    >>> found.n, found.n_halvings, found.n_splits
    (100, 10, 15)
    """

    def __init__(
        self,
        n_halvings: int = 10,
        n_splits: int = 15,
        *,
        test_size: float = 0.1,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.n_halvings = n_halvings
        self.n_splits = n_splits
        self.test_size = test_size
        self.random_state = random_state

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # noqa: ARG002
        """Number of splits.

        Parameters
        ----------
        X, y, groups : object
            Ignored.

        Returns
        -------
        int
            ``2 * n_halvings * n_splits``.

        Raises
        ------
        ValueError
            If a number is not a positive integer.
        """
        n_halvings = check_integer(self.n_halvings, "n_halvings", low=1)
        return 2 * n_halvings * check_integer(self.n_splits, "n_splits", low=1)

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[IndexArray, IndexArray]]:
        """Yield the training and test indices: per halving the splits of one half, then those of the other.

        Parameters
        ----------
        X : array_like of shape (n_samples, n_features)
            The data, of which only the length is used.
        y : array_like of shape (n_samples,), optional
            The target; class labels, of two classes or more, are stratified.
        groups : None
            Halves keep no groups together.

        Yields
        ------
        train, test : ndarray of int
            Ascending indices.

        Raises
        ------
        ValueError
            If a parameter is out of range, half of the samples are too few for a training and a test set, or there
            are groups.
        """
        if groups is not None:
            raise ValueError("groups must be None for HalvesSplit, which keeps no groups together; leave them out")
        share = check_number(self.test_size, "test_size", low=0, high=0.5, closed="neither")
        n_each = self.get_n_splits() // (2 * self.n_halvings)
        classes = classes_of(X, y)
        n_samples = len(classes)
        n_test = max(1, round(share * n_samples))
        if n_samples // 2 - n_test < FEWEST:
            raise ValueError(
                f"test_size={share:g} of {n_samples} samples is {n_test}, and leaves fewer than {FEWEST} of a half to "
                "train on"
            )
        random = drawing(self.random_state)
        for _ in range(self.n_halvings):
            first = _chosen(np.arange(n_samples), classes, n_samples // 2, random)
            for half in (first, np.setdiff1d(np.arange(n_samples), first)):
                for _ in range(n_each):
                    test = _chosen(half, classes, n_test, random)
                    yield np.setdiff1d(half, test), test


def _chosen(members: IndexArray, classes: IndexArray, n: int, random: np.random.RandomState) -> IndexArray:
    """So many members at random, the classes in about their shares: evenly spaced in the order of the classes."""
    shuffled = random.permutation(members)
    in_classes = shuffled[np.argsort(classes[shuffled], kind="stable")]
    places = (np.arange(n) + random.uniform()) * len(members) / n
    return np.sort(in_classes[places.astype(np.intp)])
