"""Checks of per-sample input: right or wrong, labels, pairing, the positive label, the random generator."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special
from scipy.sparse import csr_array

from skcompare._core.metrics import quotient
from skcompare._core.numbers import listed
from skcompare._core.record import Frozen
from skcompare._core.validation import Ends, FloatArray, came, check_scores, refuse_masked
from skcompare._core.warnings import Code, Warnings
from skcompare.inference._distributions import unseen
from skcompare.inference._multiplicity import by_cases
from skcompare.inference._records import ROUNDING

BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.int64]
AnyArray = NDArray[Any]

_MANY_TERMS = 512
_NUMBERS = "biuf"


def check_correct(values: ArrayLike, name: str, *, ndim: int = 1) -> BoolArray:
    """Return booleans, or numbers that are all 0 or 1, as a boolean array, or raise ValueError."""
    array = _as_array(values, name)
    if array.dtype == np.bool_ and array.ndim == ndim and array.size:
        return array
    numbers = check_scores(array, name, ndim=(ndim,))
    wrong = np.argwhere((numbers != 0) & (numbers != 1))
    if len(wrong):
        where = tuple(int(i) for i in wrong[0])
        raise ValueError(
            f"{name} must hold booleans, True where the prediction is correct (or 1 and 0); "
            f"got {numbers[where]:g} at position {where[0] if ndim == 1 else where}"
        )
    return numbers.astype(np.bool_)


def check_labels(values: ArrayLike, name: str, *, dates: bool = False, rows: bool = False) -> AnyArray:
    """Return one-dimensional, non-empty labels or predictions without missing values, or raise ValueError.

    With `rows` also numbers of two dimensions, a row per sample.
    """
    array = _as_array(values, name)
    if dates and array.dtype.kind in "mM":
        array = array.astype(object)
    if rows and array.ndim == 2 and array.size and array.dtype.kind in _NUMBERS:
        return check_scores(array, name, ndim=(2,))
    if array.ndim != 1 or array.size == 0:
        raise ValueError(f"{name} must have 1 dimension and at least one value; got shape {array.shape}")
    if array.dtype.kind in "SU":
        return array
    if array.dtype.kind == "O":
        missing = np.array([_is_missing(x) for x in array.tolist()])
    elif array.dtype.kind in _NUMBERS:
        missing = ~np.isfinite(array)
    else:
        raise ValueError(f"{name} must hold labels: numbers, booleans or strings; got dtype {array.dtype}")
    if missing.any():
        first = int(missing.argmax())
        raise ValueError(f"{name} must not have missing or infinite values; got {array[first]} at position {first}")
    return array


def _is_missing(value: Any) -> bool:
    """None, nan, and what is not even comparable with itself."""
    same = value == value
    return value is None or not isinstance(same, bool | np.bool_) or not same


def _as_array(values: ArrayLike, name: str) -> AnyArray:
    refuse_masked(values, name)
    try:
        return np.asarray(values)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must be an array; got {values!r:.80}") from error


def check_one_length(arrays: Mapping[str, AnyArray]) -> None:
    """Raise ValueError unless all arrays have one length."""
    lengths = [len(array) for array in arrays.values()]
    if len(set(lengths)) > 1:
        raise ValueError(f"{listed(arrays)} must be paired, of one length; got {listed(map(str, lengths))}")


def encode(arrays: Mapping[str, AnyArray]) -> tuple[list[Any], list[NDArray[Any]]]:
    """The sorted distinct labels of all arrays, and each array as positions in that list."""
    kinds = {"number" if array.dtype.kind in _NUMBERS else array.dtype.kind for array in arrays.values()}
    together = list(arrays.values())
    if len(kinds) > 1:
        if "O" not in kinds:
            dtypes = listed(str(array.dtype) for array in together)
            raise ValueError(f"{listed(arrays)} must hold labels of one kind; got {dtypes}")
        together = [array.astype(object) for array in together]
    if all(array.dtype == np.uint8 for array in together):  # positions among classes
        n_classes = 1 + max(int(array.max()) for array in together)
        present = [c for c in range(n_classes) if any((array == c).any() for array in together)]
        if len(present) == n_classes:
            return present, together
        position = np.zeros(n_classes, dtype=np.uint8)
        position[present] = np.arange(len(present))
        return present, [position[array] for array in together]
    try:
        labels, codes = np.unique(np.concatenate(together), return_inverse=True)
    except TypeError as error:
        raise ValueError(f"{listed(arrays)} must hold labels of one kind; got values that have no order") from error
    return labels.tolist(), np.split(codes.reshape(-1).astype(np.int64), len(together))


def distinct_rows(rows: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """The distinct rows in order, and which of them each row is."""
    order = np.lexsort(rows.T[::-1])
    ordered = rows[order]
    first = np.ones(len(rows), dtype=np.bool_)
    first[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    which = np.empty(len(rows), dtype=np.intp)
    which[order] = np.cumsum(first) - 1
    return ordered[first], which


def joint_code(codes: Sequence[NDArray[Any]], n: int) -> NDArray[Any]:
    """One number below ``n ** len(codes)`` for the codes below `n` of each sample, in the smallest type."""
    joint = codes[0].astype(np.min_scalar_type(n ** len(codes) - 1))
    for code in codes[1:]:
        joint *= n
        np.add(joint, code, out=joint, casting="unsafe")
    return joint


def check_positive(positive: Any) -> None:
    """Raise ValueError for what is no label, also where the metric has no use for one."""
    refuse_masked(positive, "positive")
    if not isinstance(positive, Hashable) or isinstance(positive, (complex, tuple)):
        raise ValueError(f"positive must be a label, a number, boolean or string; got {positive!r:.80}")


def positive_code(labels: list[Any], positive: Any, name: str) -> int:
    """Position of the positive label, the larger of two by default; -1 where it does not occur."""
    if positive is None:
        if len(labels) != 2:
            raise ValueError(
                f"{name} must hold two labels, of which the larger is the positive one; got {len(labels)} "
                f"({_few(labels)}). Name the positive one with positive="
            )
        return 1
    known = enumerate(labels) if isinstance(positive, Hashable) else ()
    code = next((i for i, label in known if label == positive), -1)
    if code == -1 and len(labels) > 1:
        raise ValueError(f"positive must be one of the labels {_few(labels)}; got {came(positive)}")
    return code


def positives(labels: AnyArray, positive: Any) -> BoolArray:
    """Which of the labels in `y_true`, of which there must be two, are the positive one; or ValueError."""
    known, (codes,) = encode({"y_true": labels})
    if len(known) != 2:
        raise ValueError(f"y_true must hold two labels; got {len(known)}: {', '.join(map(repr, known[:5]))}")
    return np.asarray(codes == positive_code(known, positive, "y_true"))


def _few(labels: list[Any]) -> str:
    return ", ".join(map(repr, labels[:5])) + (", ..." if len(labels) > 5 else "")


def of_one_dtype(a: AnyArray, b: AnyArray) -> tuple[AnyArray, AnyArray]:
    """Two arrays of labels of one kind, of one dtype."""
    if a.dtype == b.dtype:
        return a, b
    both = np.dtype(object) if "O" in (a.dtype.kind, b.dtype.kind) else None
    if both is None:
        encode({"pred_a": a[:1], "pred_b": b[:1]})
        both = np.result_type(a, b)
    return a.astype(both), b.astype(both)


# Clusters of items that are not independent of each other: which item is in which, and whether they are enough.


# With fewer clusters, or unequal ones that tell as little as fewer, a record says so.
FEWEST = 10
# So does a record of which one cluster holds a larger share of the items.
_LARGEST_SHARE = 0.25


class Clusters(Frozen, eq=False):
    """The clusters that items belong to.

    Attributes
    ----------
    codes : ndarray of shape (n_items,)
        The cluster of each item, from 0 on in the order of the labels.
    sizes : ndarray of shape (n_clusters,)
        Items of each cluster.
    """

    codes: IntArray
    sizes: IntArray

    def __len__(self) -> int:
        return len(self.sizes)

    def sums(self, values: FloatArray) -> FloatArray:
        """Sums over the items of each cluster, of one column or of several."""
        if values.ndim == 1:
            return np.bincount(self.codes, weights=values, minlength=len(self)).astype(np.float64)
        return np.column_stack([self.sums(column) for column in values.T])

    def members(self) -> list[IntArray]:
        """The positions of the items of each cluster."""
        return np.split(np.argsort(self.codes, kind="stable"), np.cumsum(self.sizes)[:-1])

    def warnings(self) -> Warnings:
        """Whether there are too few of them, or a few of them hold too many of the items."""
        count, n, largest = len(self), int(self.sizes.sum()), int(self.sizes.max())
        effective = n**2 / float((self.sizes.astype(np.float64) ** 2).sum())
        few = "1 cluster does not" if count == 1 else f"{count} clusters hardly"
        told = [f"{few} tell how much clusters vary: collect {FEWEST} or more."] if count < FEWEST else []
        if largest / n > max(_LARGEST_SHARE, 2 / count):
            told.append(f"one of the {count:,} clusters holds {largest:,} of the {n:,} items: collect more of others.")
        elif count >= FEWEST > effective:
            equal = f"{effective:.1f} of equal size"
            told.append(f"{count:,} clusters of such sizes tell no more than {equal}: collect more of them.")
        return tuple(map(Code.TOO_LITTLE_DATA, told))


def read_clusters(clusters: ArrayLike, n: int) -> Clusters:
    """Check the labels of the clusters of `n` items, and number them."""
    labels = check_labels(clusters, "clusters", dates=True)
    if len(labels) != n:
        raise ValueError(f"clusters must have one label per item; got {len(labels)} for {n} items")
    _, (codes,) = encode({"clusters": labels})
    return Clusters(codes=codes.astype(np.int64), sizes=np.bincount(codes).astype(np.int64))


_ALONE = 1e-8  # where all but this share of the information is that of one cluster, no other has any
# Numbers in memory, and products beyond which a sum is replaced by a bound.
_IN_CACHE, _AT_ONCE, _MOST_PRODUCTS = 2**16, 2**19, 2**31


def bias_reduced(
    rows: Any, residuals: FloatArray, clusters: IntArray, bread: FloatArray, k: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The covariance CR2 of weighted least squares, degrees of freedom of differences, and what is taken for them.

    Rows and residuals are those of unit weights. The degrees of freedom are those of the differences of the first k
    estimates, on the diagonal of each alone. What one cluster alone tells has no variance between clusters: it is that
    of the working model, with one degree of freedom, and its share of the variance comes last.
    """
    order, sizes, width = np.argsort(clusters, kind="stable"), np.bincount(clusters), len(bread)
    rows, residuals, starts = rows[order], residuals[order], np.cumsum(sizes) - sizes
    covariance, alone, squares, bound = (np.zeros((side, side)) for side in (width, width, k, k))
    exact, slopes = len(sizes) * (width * k) ** 2 <= _MOST_PRODUCTS, list[FloatArray]()
    for of_these in _batches(sizes, width):
        own = np.arange(sizes[of_these].max()) < sizes[of_these][:, None]
        place = np.where(own, starts[of_these][:, None] + np.arange(own.shape[1]), 0)
        taken, e = rows[place.ravel()], residuals[place] * own
        x, z = ((part * own.reshape(-1, 1)).reshape(*own.shape, width) for part in (taken.toarray(), taken @ bread))
        if own.shape[1] > width:
            q, x = np.linalg.qr(x)
            z, e = q.transpose(0, 2, 1) @ z, np.einsum("cij,ci->cj", q, e)
        leverage, vectors = np.linalg.eigh(z @ x.transpose(0, 2, 1))
        z, e = vectors.transpose(0, 2, 1) @ z, np.einsum("cij,ci->cj", vectors, e)
        known = leverage < 1 - _ALONE
        alone += z[~known].T @ z[~known]
        z *= known[..., None]
        scale = np.where(known, 1 - leverage, 1.0)[..., None] ** -0.5
        moved = np.einsum("cij,ci->cj", z, e * scale[..., 0])
        covariance += moved.T @ moved
        z = z[..., :k]
        if exact:
            slopes.append(x.transpose(0, 2, 1) @ (vectors @ (scale * z)))
        bound += z.reshape(-1, k).T @ (leverage[..., None] * scale**2 * z).reshape(-1, k)
        for some in batches(len(z), k**2, _IN_CACHE):
            spreads = _of_differences(z[some].transpose(0, 2, 1) @ z[some])
            squares += np.einsum("cij,cij->ij", spreads, spreads)
    apart = _between(np.concatenate(slopes), bread) if exact else _of_differences(bound) ** 2
    every, seen, unseen = (_of_differences(part[:k, :k]) for part in (bread, covariance, alone))
    unseen = np.where(unseen > _ALONE * every, unseen, 0.0)
    spread = quotient(squares + apart, (every - unseen) ** 2, 0.0)
    more = max(1.0, float(quotient(np.trace(seen), np.trace(every - unseen), 1.0)))
    share = quotient(more * unseen, more * unseen + seen, 0.0)
    return covariance + more * alone, 1 / ((1 - share) ** 2 * spread + share**2), share


def _batches(sizes: IntArray, width: int) -> Iterator[IntArray]:
    """Clusters with about as many rows, as many as fit into memory, the largest first."""
    order, at = np.argsort(-sizes, kind="stable"), 0
    while at < len(order):
        n = max(1, _AT_ONCE // (width * int(sizes[order[at]])))
        yield order[at : at + n]
        at += n


def _of_differences(products: FloatArray) -> FloatArray:
    """From products of estimates the variances of their differences; on the diagonal of each alone."""
    own = np.einsum("...ii->...i", products)
    found: FloatArray = own[..., None] - 2 * products + own[..., None, :]
    np.einsum("...ii->...i", found)[...] = own
    return found


def _between(slopes: FloatArray, bread: FloatArray) -> FloatArray:
    """The sum of the squared covariances of two clusters, of each difference; `slopes` is (clusters, parameters, k)."""
    k = slopes.shape[-1]
    found = np.zeros((k, k))
    for i, j in itertools.combinations_with_replacement(range(k), 2):
        of_pair = slopes[..., i] - slopes[..., j] if i < j else slopes[..., i]
        moved = of_pair @ bread
        crossed, own = of_pair.T @ moved, (of_pair * moved).sum(axis=1)
        found[i, j] = found[j, i] = (crossed * crossed.T).sum() - own @ own
    return found


# What resampling makes of two models: their scores, the exchanges of their predictions, and how those are counted.


# Numbers held at a time while resampling.
BATCH, _DRAWN = 2**21, 2**22
_ONES = np.unpackbits(np.arange(2**16, dtype=np.uint16).view(np.uint8).reshape(-1, 2), axis=1).sum(1, np.uint8)

# Kinds of samples that are counted rather than sorted.
_COUNTED = 2**16


class Scores(NamedTuple):
    """The metric of the two models on all samples, and the warnings about it.

    `undefined` says of either whether it is 0/0 as a whole, which is not known of a mean over classes or labels.
    """

    a: float
    b: float
    warnings: Warnings = ()
    undefined: tuple[bool, bool] = (False, False)

    def noise(self, differences: FloatArray) -> float:
        """Differences between resamples of at most this are rounding."""
        return ROUNDING * max(abs(self.a), abs(self.b), float(np.abs(differences).max()))


class Swaps(NamedTuple):
    """A statistic of the two models after exchanging their predictions on some units.

    Its distribution is symmetric around 0, and the same for `a` against `b` and `b` against `a`.

    Attributes
    ----------
    statistics : ndarray of shape (n_arrangements,)
        One per arrangement: the difference of the metric, of a named metric over its standard error there.
    weights : ndarray of shape (n_arrangements,) or None
        Probability of each arrangement; None where they were drawn at random.
    """

    statistics: FloatArray
    weights: FloatArray | None


# Arrangements that are enumerated rather than drawn; of more groups than two about as many as take the time of draws.
MAX_OF_TWO, MAX_SUMMED = 2**20, 2**15


class Pairs(NamedTuple):
    """Units that an exchange changes, in groups of one pair of terms.

    Distinct terms, and what one exchange in each group adds to each, as `thin` has them. Which terms are first
    and second in each group, its size, how many units of it have the second ones in `a`; the sums of either model where
    `a` has all first ones; and of all other units the sums of products of terms.
    """

    terms: Any
    steps: Any
    first: IntArray
    second: IntArray
    sizes: IntArray
    observed: IntArray
    low: FloatArray
    high: FloatArray
    alike: FloatArray

    @property
    def listed(self) -> BoolArray:
        """Whether all arrangements are few enough to be gone through."""
        most = np.where((self.sizes > 0).sum(axis=-1) > 2, MAX_SUMMED, MAX_OF_TWO)
        return np.asarray((self.sizes + 1.0).prod(axis=-1) <= most)

    def at(self, places: IntArray) -> Pairs:
        """Of several pairs of models, along the first axis of all but the terms, some, or one of them often."""
        return Pairs(*self[:4], *(own.take(places, axis=0) for own in self[4:]))  # type: ignore[arg-type]


class Changes(NamedTuple):
    """How much other predictions of one unit change a metric, falling, and of how many units at least so much.

    0 of those that differ. And how many these are, and the largest difference of the metric.
    """

    sizes: FloatArray
    n_units: IntArray
    n_differing: int
    reach: float

    @classmethod
    def seen(cls, left_out: FloatArray, counts: IntArray) -> Changes:
        """Of equal predictions: no unit changes a metric by more than from what one does to what another one does.

        That is known from the metric without each of them, and of how many units each stands for.
        """
        if not left_out.size:
            return _NO_CHANGES
        n = counts.sum()
        sizes = (1 - 1 / n) * np.maximum(left_out.max() - left_out, left_out - left_out.min())
        falling = np.argsort(-sizes)
        return cls(sizes[falling], np.cumsum(counts[falling]), 0, np.inf)

    def widened(self, ends: Ends, estimate: float, tail: float, alternative: str) -> Ends:
        """An interval that allows for units of which none was seen to differ, where too few do for any test."""
        level = (2 * tail if alternative == "two-sided" else tail) - ROUNDING
        if by_cases(self.n_differing, "", alternative).pvalue < level:
            return ends
        reached = np.hypot(np.subtract(ends, estimate), unseen(self.sizes, self.n_units, tail))
        low, high = np.clip(estimate + reached * [-1, 1], -self.reach, self.reach).tolist()
        return low, high


# Of metrics of which they are not known, and where many units differ: no interval is wider.
_NO_CHANGES = Changes(np.zeros(0), np.zeros(0, dtype=np.int64), sys.maxsize, np.inf)


class Predictions(Frozen, eq=False, weakref_slot=True):
    """The predictions of two models on the same samples: what their classes have in common.

    Attributes
    ----------
    clusters : Clusters or None
        The units; None where these are the samples.
    changes : Changes
        What other predictions of one unit change, of a named metric of labels.
    """

    clusters: Clusters | None
    changes: Changes = _NO_CHANGES

    @property
    def standard_error(self) -> float:
        """Of a difference that is normal, where that is known without draws; else nan."""
        return float("nan")

    @property
    def n_clusters(self) -> int:
        """Number of clusters; 0 where there are none."""
        return 0 if self.clusters is None else len(self.clusters)

    @property
    def unit(self) -> str:
        """What one unit is called."""
        return "sample" if self.clusters is None else "cluster"

    @property
    def about_clusters(self) -> Warnings:
        """The warnings about the clusters."""
        return () if self.clusters is None else self.clusters.warnings()


@lru_cache(maxsize=1024)
def half_binomial(n: int) -> FloatArray:
    """Probabilities of 0 to n successes in n fair trials."""
    k = np.arange(n + 1)
    logs = special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1)
    weights: FloatArray = np.exp(logs - logs.max())
    weights /= weights.sum()
    return weights


def thin(matrix: FloatArray) -> Any:
    """The matrix, or a sparse one where it has many terms and most are 0, as of many classes."""
    many = matrix.size > _MANY_TERMS and np.count_nonzero(matrix) < matrix.size / 8
    return csr_array(matrix) if many else matrix


def half_binomials(sizes: IntArray, n_draws: int, rng: np.random.Generator) -> FloatArray:
    """Successes in each of so many fair trials, shape (n_draws, n_sizes): of few trials the ones among random bits."""
    words = rng.integers(2**16, size=(len(sizes), n_draws), dtype=np.uint16)
    found: FloatArray = _ONES.take(words >> np.maximum(16 - sizes, 0).astype(np.uint16)[:, None]).astype(np.float64)
    for place in np.flatnonzero(sizes > 16):
        found[place] = rng.binomial(sizes[place], 0.5, n_draws)
    return found.T


def batches(total: int, width: int, held: int = BATCH) -> Iterator[slice]:
    """Rows of `width` numbers, `total` rows in all, of which so many are looked at together as hold `held` numbers."""
    step = max(1, held // max(1, width))
    return (slice(start, min(start + step, total)) for start in range(0, total, step))


def drawn_counts(
    n_resamples: int, n: int, rng: np.random.Generator, n_strata: int = 1
) -> Iterator[tuple[slice, FloatArray]]:
    """How often each of `n` units of each stratum is in each resample: rows of these, counts (rows, n_strata, n)."""
    for rows in batches(n_resamples, n_strata * n, _DRAWN):
        n_samples = (rows.stop - rows.start) * n_strata
        units = rng.integers(n, size=(n_samples, n)) + n * np.arange(n_samples)[:, None]
        yield rows, np.bincount(units.ravel(), minlength=n_samples * n).reshape(-1, n_strata, n).astype(np.float64)


def count_kinds(kinds: NDArray[Any], n_kinds: int) -> tuple[IntArray, IntArray]:
    """The kinds that occur, in order, and how often; by counting where there can be few."""
    if n_kinds > _COUNTED:
        found, counts = np.unique(kinds, return_counts=True)
        return found, counts
    frequencies = np.bincount(kinds, minlength=n_kinds)
    found = np.flatnonzero(frequencies)
    return found, frequencies[found]


# Predictions under a metric that needs every sample, and what samples can exchange of their scores.

# Arrangements that are enumerated rather than drawn.
MAX_LISTED = 2**14


class ListedPredictions(Predictions, eq=False):
    """Predictions under a metric that needs every sample.

    Attributes
    ----------
    a, b : ndarray of shape (n,)
        Those of the two models: as they are, or as positions among the ranks of both, 0 for the highest.
    """

    a: AnyArray
    b: AnyArray
    alone: bool = False
    _DRAWS = 10_000

    @property
    def n(self) -> int:
        """Number of"""
        return len(self.a)

    @property
    def n_units(self) -> int:
        """Number of units."""
        return self.n if self.clusters is None else len(self.clusters)

    @property
    def n_differing(self) -> int:
        """Units on which an exchange may matter."""
        return len(self._differing())

    @property
    def _coded(self) -> tuple[IntArray, IntArray]:
        """The predictions of both models as numbers that are equal where an exchange changes nothing."""
        return self.a, self.b

    def _differing(self) -> IntArray:
        where = np.flatnonzero(np.not_equal(*self._coded))
        return where if self.clusters is None else np.unique(self.clusters.codes[where])

    def swapped(self, n_draws: int | None, rng: np.random.Generator) -> Swaps:
        """All arrangements where they are few, or random ones."""
        where = self._differing()
        n = len(where)
        if n == 0:
            return Swaps(statistics=np.zeros(1), weights=np.ones(1))
        if 2 ** min(n, 63) <= (MAX_LISTED if n_draws is None else n_draws):
            parts = (np.arange(rows.start, rows.stop)[:, None] for rows in batches(2 ** (n - 1), self._width()))
            found = np.concatenate([self._exchanged(where, own >> np.arange(n) & 1) for own in parts])
            # the other half of the arrangements are the exchanges of these
            return Swaps(statistics=np.concatenate([found, -found]), weights=np.full(2**n, 0.5**n))
        a, b = self._coded
        first = int((a != b).argmax())
        differences = self._drawn(where, n_draws or self._DRAWS, rng)
        return Swaps(statistics=(1 if a[first] < b[first] else -1) * differences, weights=None)

    def _width(self) -> int:
        """How many numbers one arrangement takes while it is scored."""
        raise NotImplementedError

    def _drawn(self, where: IntArray, n_draws: int, rng: np.random.Generator) -> FloatArray:
        """Differences after random exchanges of units."""
        sizes = ((rows.stop - rows.start, len(where)) for rows in batches(n_draws, self._width()))
        return np.concatenate([self._exchanged(where, rng.integers(2, size=own, dtype=np.int8)) for own in sizes])

    def _exchanged(self, where: IntArray, exchanged: AnyArray) -> FloatArray:
        """Differences after exchanges, one row each: which of some units are exchanged."""
        raise NotImplementedError


def exchangeable(scores: list[FloatArray]) -> list[FloatArray]:
    """Ranks that samples can exchange: of scores on one scale, such as votes or labels, by all that occur on it.

    Others are mid-ranks. Those of few values depend on how often each occurs: exchanges of them would break ties.
    """
    return on_one_scale([np.unique(one, return_inverse=True, return_counts=True) for one in scores])


def on_one_scale(values: Sequence[tuple[AnyArray, ...]]) -> list[FloatArray]:
    """The same from the different values of each, which of them each score is, and how often they occur."""
    scale, n_values = np.unique(np.concatenate([own for own, *_ in values])), [len(own) for own, *_ in values]
    if len(scale) == max(n_values):
        return [np.searchsorted(scale, own).astype(np.float64)[which] for own, which, _ in values]
    if len({*n_values}) == 1:
        return [which.astype(np.float64) for _, which, _ in values]
    return [(np.cumsum(counts) - (counts - 1) / 2)[which] for _, which, counts in values]
