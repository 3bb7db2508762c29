"""Blocked m x 2 cross-validation: halves whose training sets overlap by a quarter of the data."""

from __future__ import annotations

from collections.abc import Iterator
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import BaseCrossValidator
from sklearn.utils import check_random_state, indexable
from sklearn.utils.multiclass import type_of_target

from skcompare._core.validation import came, check_integer, check_number
from skcompare.evaluation.input import n_rows

IndexArray = NDArray[np.intp]
# Orders beyond need fields of prime powers.
LARGEST_M = 47


class BlockedMByTwo(BaseCrossValidator):  # type: ignore[misc]
    """Blocked m x 2 cross-validation: halvings of the data that cross each other evenly.

    The samples are dealt into blocks of equal size, 4 for m up to 3, in general the next multiple of 4 above m. The
    columns of a two-level orthogonal array then say which half each block belongs to: any two of them are orthogonal,
    so that two training sets of different partitions share one quarter of the samples, no more and no less, where the
    number of samples is a multiple of the number of blocks (Wang, Wang, Jia and Li 2014 for m = 3). Random halves
    share a quarter on average only, which adds variance.

    Class labels are dealt class by class, so that every block keeps the class proportions to within one sample.

    Parameters
    ----------
    m : int, default=3
        Number of partitions, from 1 to 47. Each gives two splits, with the halves exchanged.
    shuffle : bool, default=True
        Whether samples are dealt in random order.
    random_state : int, RandomState or None, default=None
        Draws that order; None draws another one each time. Not to be given without `shuffle`.

    References
    ----------
    Y. Wang, R. Wang, H. Jia and J. Li (2014), Blocked 3x2 cross-validated t-test for comparing supervised
    classification learning algorithms, Neural Computation 26(1), 208-235, :doi:`10.1162/NECO_a_00532`.

    R. E. A. C. Paley (1933), On orthogonal matrices, Journal of Mathematics and Physics 12, 311-320.

    Examples
    --------
    >>> import numpy as np
    >>> from skcompare import BlockedMByTwo
    >>> splits = list(BlockedMByTwo(random_state=0).split(np.zeros((40, 2))))
    >>> len(splits), len(np.intersect1d(splits[0][0], splits[2][0]))
    (6, 10)
    """

    def __init__(
        self, m: int = 3, *, shuffle: bool = True, random_state: int | np.random.RandomState | None = None
    ) -> None:
        self.m = m
        self.shuffle = shuffle
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
            ``2 * m``.

        Raises
        ------
        ValueError
            If `m` is not an integer from 1 to 47.
        """
        return 2 * _check_m(self.m)

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[IndexArray, IndexArray]]:  # noqa: ARG002
        """Yield the training and test indices; every second split exchanges the halves.

        Parameters
        ----------
        X : array_like of shape (n_samples, n_features)
            The data, of which only the length is used.
        y : array_like of shape (n_samples,), optional
            The target; class labels, of two classes or more, are stratified.
        groups : object
            Ignored.

        Yields
        ------
        train, test : ndarray of int
            Ascending indices.

        Raises
        ------
        ValueError
            If there are fewer samples than blocks, `y` has another length, or a parameter is out of range.
        """
        halves = blocked_halves(_check_m(self.m))
        classes, n_blocks = classes_of(X, y), halves.shape[1]
        n_samples = len(classes)
        if n_samples < n_blocks:
            raise ValueError(f"m={self.m} needs at least {n_blocks} samples, one per block; got {n_samples}")
        blocks = self._blocks(classes, n_blocks)
        for half in halves:
            first = half[blocks]
            one, other = np.flatnonzero(first), np.flatnonzero(~first)
            yield one, other
            yield other, one

    def _blocks(self, classes: IndexArray, n_blocks: int) -> IndexArray:
        """The block of each sample: samples are dealt out in turn, one class after the other."""
        n_samples = len(classes)
        names, order = np.arange(n_blocks), np.arange(n_samples)
        if not isinstance(self.shuffle, (bool, np.bool_)):
            raise ValueError(f"shuffle must be True or False; got {self.shuffle!r}")
        if self.shuffle:
            random = drawing(self.random_state)
            names, order = random.permutation(n_blocks), random.permutation(n_samples)
        elif self.random_state is not None:
            raise ValueError(f"random_state must be None where shuffle is False; got {self.random_state!r}")
        by_class = order[np.argsort(classes[order], kind="stable")]
        blocks = np.empty(n_samples, dtype=np.intp)
        blocks[by_class] = names[np.arange(n_samples) % n_blocks]
        return blocks


def classes_of(X: Any, y: Any) -> IndexArray:
    """The number of the class of each sample, 0 of all where y has no classes; ValueError if y has another length."""
    indexable(X, y)
    if y is not None and type_of_target(y) in ("binary", "multiclass"):
        return np.asarray(np.unique(np.asarray(y), return_inverse=True)[1].reshape(-1), dtype=np.intp)
    return np.zeros(n_rows(X, "X"), dtype=np.intp)


def drawing(state: Any) -> np.random.RandomState:
    """The generator of a `random_state`; of None a new one."""
    if state is not None and not isinstance(state, (Integral, np.random.RandomState)):
        raise ValueError(f"random_state must be None, an integer or a RandomState; got {came(state)}")
    made: np.random.RandomState = check_random_state(np.random.RandomState() if state is None else state)
    return made


def blocked_halves(m: int) -> NDArray[np.bool_]:
    """Which blocks make up the first half of each of m partitions, shape (m, n_blocks).

    The columns but the first of a Hadamard matrix: each takes half of the blocks, and any two cut the blocks into
    four equal parts.
    """
    return np.asarray(_hadamard(4 * (m // 4 + 1))[1 : m + 1] > 0)


def _check_m(m: Any) -> int:
    if check_integer(m, "m", low=1) > LARGEST_M:
        raise ValueError(f"m must be at most {LARGEST_M}; got {m}")
    return int(m)


def _hadamard(order: int) -> NDArray[np.int_]:
    """A Hadamard matrix of an order of 1, 2 or a multiple of 4 up to 48; its first row is all ones."""
    if order == 1:
        return np.ones((1, 1), dtype=np.int_)
    if order % 4 == 0 and _is_prime(order - 1):  # Paley I: a skew conference matrix
        matrix = _conference(order - 1, -1) + np.eye(order, dtype=np.int_)
    elif order % 4 == 0 and order // 2 % 4 == 2 and _is_prime(order // 2 - 1):  # Paley II: a symmetric one in blocks
        zero, other = np.array([[1, -1], [-1, -1]]), np.array([[1, 1], [1, -1]])
        matrix = np.kron(np.eye(order // 2, dtype=np.int_), zero) + np.kron(_conference(order // 2 - 1, 1), other)
    else:
        matrix = np.kron(np.array([[1, 1], [1, -1]]), _hadamard(order // 2))
    return np.asarray(matrix * matrix[0])


def _conference(q: int, sign: int) -> NDArray[np.int_]:
    """Whether the difference of row and column is a square modulo q (1), not (-1), or 0, in a border of ones."""
    square = np.full(q, -1)
    square[np.arange(1, q) ** 2 % q] = 1
    square[0] = 0
    matrix = np.zeros((q + 1, q + 1), dtype=np.int_)
    matrix[0, 1:], matrix[1:, 0] = 1, sign
    matrix[1:, 1:] = square[(np.arange(q)[:, None] - np.arange(q)) % q]
    return matrix


def _is_prime(n: int) -> bool:
    return n > 1 and all(n % k for k in range(2, int(n**0.5) + 1))


# Random splits within halves of the data, for the conservative z interval.


FEWEST = 2  # samples to train on


class HalvesSplit(BaseCrossValidator):  # type: ignore[misc]
    """Random splits within both halves of the data, as `conservative_z_interval` needs.

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
        return 2 * check_integer(self.n_halvings, "n_halvings", low=1) * check_integer(self.n_splits, "n_splits", low=1)

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[IndexArray, IndexArray]]:
        """Yield the training and test indices, for every halving those of one half first.

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
