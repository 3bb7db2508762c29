"""Blocked m x 2 cross-validation: halves whose training sets overlap by a quarter of the data."""

from __future__ import annotations

from collections.abc import Iterator
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import BaseCrossValidator
from sklearn.utils import indexable
from sklearn.utils.multiclass import type_of_target

from skcompare._core.validation import check_integer

IndexArray = NDArray[np.intp]
# Orders beyond need fields of prime powers.
LARGEST_M = 47


class BlockedMByTwo(BaseCrossValidator):  # type: ignore[misc]
    """Blocked m x 2 cross-validation: m partitions of the data into halves, any two of which cross evenly.

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
        """Yield the training and test indices of every split; split ``2 * i + 1`` exchanges the halves of ``2 * i``.

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
    return np.zeros(X.shape[0] if hasattr(X, "shape") else len(X), dtype=np.intp)


def drawing(state: Any) -> np.random.RandomState:
    """The generator of a `random_state`; of None a new one."""
    if state is not None and not isinstance(state, (Integral, np.random.RandomState)):
        raise ValueError(f"random_state must be None, an integer or a RandomState; got {state!r}")
    return (
        state
        if isinstance(state, np.random.RandomState)
        else np.random.RandomState(None if state is None else int(state))
    )


def blocked_halves(m: int) -> NDArray[np.bool_]:
    """Which blocks make up the first half of each of m partitions, shape (m, n_blocks).

    The columns but the first of a Hadamard matrix: each takes half of the blocks, and any two cut the blocks into
    four equal parts.
    """
    n_blocks = 4 * (m // 4 + 1)
    return np.asarray(_hadamard(n_blocks)[1 : m + 1] > 0)


def _check_m(m: Any) -> int:
    if check_integer(m, "m", low=1) > LARGEST_M:
        raise ValueError(f"m must be at most {LARGEST_M}; got {m}")
    return int(m)


def _hadamard(order: int) -> NDArray[np.int_]:
    """A Hadamard matrix of an order of 1, 2 or a multiple of 4 up to 48; its first row is all ones."""
    if order == 1:
        return np.ones((1, 1), dtype=np.int_)
    if order % 4 == 0 and _is_prime(order - 1):
        matrix = _paley_one(order - 1)
    elif order % 4 == 0 and order // 2 % 4 == 2 and _is_prime(order // 2 - 1):
        matrix = _paley_two(order // 2 - 1)
    else:
        matrix = np.kron(np.array([[1, 1], [1, -1]]), _hadamard(order // 2))
    return np.asarray(matrix * matrix[0])


def _paley_one(q: int) -> NDArray[np.int_]:
    """Order q + 1, for a prime q of the form 4k + 3: the identity plus a skew conference matrix."""
    return np.asarray(_conference(q, -1) + np.eye(q + 1, dtype=np.int_))


def _paley_two(q: int) -> NDArray[np.int_]:
    """Order 2 (q + 1), for a prime q of the form 4k + 1: blocks in place of a symmetric conference matrix."""
    zero, other = np.array([[1, -1], [-1, -1]]), np.array([[1, 1], [1, -1]])
    return np.asarray(np.kron(np.eye(q + 1, dtype=np.int_), zero) + np.kron(_conference(q, 1), other))


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
