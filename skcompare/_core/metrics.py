"""Metrics: one row each, with its arithmetic on arrays.

Folds, one test set, exchanges, bootstrap samples, values per sample, ranges and the warnings of rare classes read it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import product
from math import inf
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

from skcompare._core.record import Frozen
from skcompare._core.validation import BoolArray, FloatArray

Defined = tuple[FloatArray, BoolArray]  # values, 0 where they are 0/0, and where that is
Columns = tuple[FloatArray, ...]
OfRows = Callable[..., FloatArray]
# how often each of some classes was called each of them, shape (n_rows, n_classes, n_classes), and these classes
OfTables = Callable[[FloatArray, Sequence[Any]], FloatArray]


def quotient(numerator: FloatArray, denominator: FloatArray, otherwise: float = np.nan) -> FloatArray:
    """Numerator over denominator, something else where the denominator is not positive."""
    return np.asarray(np.divide(numerator, denominator, out=np.full(numerator.shape, otherwise), where=denominator > 0))


# ---- labels: what a metric adds up over the samples, and what it makes of the sums


class Counts(Frozen, kw_only=False):
    """How often labels are hit, predicted and there, a row per fold, per resample or per sample.

    Attributes
    ----------
    n : ndarray of shape (n_rows,)
        Samples; where the rows are samples with several labels, these.
    hits, predicted, members : ndarray of shape (n_rows,) or (n_rows, n_classes)
        Of the positive class alone, the negative one being the rest, or of each class or label.
    """

    n: FloatArray
    hits: FloatArray
    predicted: FloatArray
    members: FloatArray

    @property
    def rejections(self) -> FloatArray:
        """Of the negative class, predicted as that."""
        return self.negatives - (self.predicted - self.hits)

    @property
    def negatives(self) -> FloatArray:
        """Of the negative class."""
        return self.n - self.members


class Summed(Frozen):
    """A metric of labels that is a function of sums over the samples.

    Attributes
    ----------
    of : {"positive", "classes", "samples", "grades"}
        What is counted: the positive class, every class or label, or the labels of each sample. Of grades the terms
        are made of two numbers per sample.
    terms : callable
        Counts -> terms that add up over samples, each of shape (n_rows,) or (n_rows, n_classes). Of ``"samples"`` the
        value of each sample, 0 where it is 0/0, and where that is; the metric is their mean.
    value : callable
        Sums of the terms, side by side in one row per resample -> the metric, 0 where it is 0/0, and where that is.
    of_slopes : callable, optional
        Sums and values -> how fast the metric changes with each sum. By default differences tell.
    of_shares : callable, optional
        Sums, of which the first are hits -> these hits and of how many samples they are, of each class. Of metrics that
        are the mean of such shares, no sample being in two of them.
    """

    of: Literal["positive", "classes", "samples", "grades"]
    terms: Callable[..., Any]
    value: Callable[[FloatArray], Defined]
    of_slopes: Callable[[FloatArray, FloatArray], FloatArray] | None = None
    of_shares: Callable[[FloatArray], Columns] | None = None

    @property
    def is_share(self) -> bool:
        """Whether it tells of how many samples something holds, as recall and precision do, and F1 does not."""
        if self.of != "positive":
            return False
        each = np.array([[1.0, 0, 0, 0], [1, 0, 1, 0], [1, 1, 0, 0]])  # a hit, a miss, a false alarm, a rejection
        terms = np.column_stack(self.terms(Counts(np.ones(4), *each)))
        return terms.shape[1] == 2 and bool(np.isin(terms, (0, 1)).all() and (terms[:, 0] <= terms[:, 1]).all())

    def of_samples(self, true: NDArray[Any], predicted: NDArray[Any], n_classes: int) -> FloatArray:
        """The terms of every sample, side by side.

        True and predicted labels are 0 and 1, classes from 0 to ``n_classes - 1``, one or several labels per sample,
        or grades less the smallest of them.
        """
        if self.of == "grades":
            return np.column_stack(self.terms(true.astype(np.float64), predicted.astype(np.float64)))
        if self.of == "classes" and true.ndim == 1:
            classes = np.eye(n_classes)
            there, called = classes[true], classes[predicted]
        else:
            there, called = true.astype(np.float64), predicted.astype(np.float64)
        counts = (there * called, called, there)
        if self.of != "samples":
            return np.column_stack(self.terms(Counts(np.ones(len(true)), *counts)))
        n_labels = np.full(len(true), float(true.shape[1]))
        values, _ = self.terms(Counts(n_labels, *(part.sum(axis=1) for part in counts)))
        return np.column_stack([values, np.ones(len(true))])

    def influence(self, terms: FloatArray) -> FloatArray:
        """One value per sample whose mean is the metric and whose spread is that of the metric, nan where it is 0/0.

        The metric is taken for linear in the means of its terms around those that were found.
        """
        means = terms.mean(axis=0)
        (score,), (undefined,) = self.value(means[None])
        _, (slopes,) = self.slopes(means[None])
        return np.full(len(terms), np.nan) if undefined else np.asarray(score + (terms - means) @ slopes)

    def slopes(self, sums: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The metric of each row of sums, and how fast it changes with each of them; 0 where it is 0/0."""
        values, undefined = self.value(sums)
        known = _slopes_of_share if self.value is share else self.of_slopes
        if known:
            return values, known(sums, values)
        slopes = np.zeros_like(sums)
        with np.errstate(invalid="ignore", over="ignore"):
            for i, step in enumerate(1e-5 * sums.T):
                up, down = sums.copy("K"), sums.copy("K")
                up[:, i] += step
                down[:, i] -= step
                np.divide(self.value(up)[0] - self.value(down)[0], 2 * step, out=slopes[:, i], where=step != 0)
        slopes[undefined & (values == 0)] = 0
        return values, slopes


Fraction = Callable[[Counts], tuple[FloatArray, FloatArray]]  # numerator and denominator


def share(sums: FloatArray) -> Defined:
    """The first of two sums over the second."""
    return quotient(sums[:, 0], sums[:, 1], 0.0), ~(sums[:, 1] > 0)


def f_beta(beta: float = 1.0) -> Fraction:
    """The F score of one class."""
    return lambda c: ((1 + beta**2) * c.hits, beta**2 * c.members + c.predicted)


FRACTIONS: Mapping[str, Fraction] = {
    "precision": lambda c: (c.hits, c.predicted),
    "recall": lambda c: (c.hits, c.members),
    "f1": f_beta(),
    "jaccard": lambda c: (c.hits, c.predicted + c.members - c.hits),
}


def averaged(fraction: Fraction, average: str, *, of_sets: bool = False) -> Summed:
    """A fraction of the positive class, or its average as scikit-learn takes it: of several labels over all of them."""

    def parts(sums: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        hits, members, predicted = np.hsplit(sums, 3)
        numerator, denominator = fraction(Counts(members, hits, predicted, members))
        weights = ((predicted + members > 0) | of_sets).astype(np.float64) if average == "macro" else members
        return quotient(numerator, denominator, 0.0), denominator, weights

    def over_classes(sums: FloatArray) -> Defined:
        per_class, denominator, weights = parts(sums)
        values = quotient((per_class * weights).sum(axis=1), weights.sum(axis=1), 0.0)
        _, members, predicted = np.hsplit(sums, 3)
        return values, ((denominator == 0) & ((predicted + members > 0) | of_sets)).any(axis=1)

    def slopes(sums: FloatArray, values: FloatArray) -> FloatArray:
        per_class, denominator, weights = parts(sums)
        total = weights.sum(axis=1, keepdims=True)
        scale = quotient(weights, denominator * total, 0.0)
        found = [(top - per_class * bottom) * scale for top, bottom in zip(*of_one, strict=True)]
        if average == "weighted":
            found[1] += (per_class - values[:, None]) / np.where(total > 0, total, np.inf)
        return np.hstack(found)

    of_one = fraction(Counts(*np.array([[0.0, 1, 0], [1, 0, 0], [0, 0, 1], [0, 1, 0]])))  # a hit, a member, a call

    def together(sums: FloatArray) -> Defined:
        hits, members, predicted = (part.sum(axis=1) for part in np.hsplit(sums, 3))
        return share(np.column_stack(fraction(Counts(members, hits, predicted, members))))

    if average == "binary":
        return Summed(of="positive", terms=fraction, value=share)
    if average == "samples":
        return Summed(of="samples", terms=lambda c: share(np.column_stack(fraction(c))), value=share)
    value: dict[str, Any] = {"value": together} if average == "micro" else {"value": over_classes, "of_slopes": slopes}
    if average == "macro" and not of_sets and fraction in (FRACTIONS["precision"], FRACTIONS["recall"]):
        value["of_shares"] = lambda sums: (np.hsplit(sums, 3)[0], parts(sums)[1])
    return Summed(of="classes", terms=lambda c: (c.hits, c.members, c.predicted), **value)


def _complement(sums: FloatArray) -> Defined:
    values, undefined = share(sums)
    return np.where(undefined, 0.0, 1 - values), undefined


def balanced_accuracy(*, adjusted: bool = False) -> Summed:
    """Mean recall of the classes that occur, adjusted less that of guesses."""

    def value(sums: FloatArray) -> Defined:
        hits, members = np.hsplit(sums, 2)
        n_classes = np.count_nonzero(members, axis=1).astype(np.float64)
        values = quotient(quotient(hits, members, 0.0).sum(axis=1), n_classes, 0.0)
        guess = quotient(np.ones(len(sums)), n_classes, 0.0)
        return quotient(values - guess, 1 - guess) if adjusted else values, n_classes == 0

    def slopes(sums: FloatArray, values: FloatArray) -> FloatArray:  # noqa: ARG001
        hits, members = np.hsplit(sums, 2)
        n_classes = np.count_nonzero(members, axis=1)[:, None] - 1.0 * adjusted
        per_one = quotient(np.ones_like(members), members * n_classes, 0.0)
        return np.hstack([per_one, -quotient(hits, members, 0.0) * per_one])

    of: dict[str, Any] = {"of_slopes": slopes, "of_shares": lambda sums: np.hsplit(sums, 2)}
    return Summed(of="classes", terms=lambda c: (c.hits, c.members), value=value, **of)


def _matthews(sums: FloatArray) -> Defined:
    """Correlation of true and predicted labels, for any number of classes (Gorodkin 2004, equation 8)."""
    hits, n = sums[:, 0], sums[:, 1]
    members, predicted = np.hsplit(sums[:, 2:], 2)
    covariance = hits * n - (predicted * members).sum(axis=1)
    variances = (n**2 - (predicted**2).sum(axis=1)) * (n**2 - (members**2).sum(axis=1))
    return share(np.column_stack([covariance, np.sqrt(variances)]))


def _kappa(sums: FloatArray) -> Defined:
    """Cohen's kappa: the agreement beyond that of independent labels with these margins."""
    hits, members, predicted = np.hsplit(sums, 3)
    n = members.sum(axis=1)
    # neither is negative for a step to either side of one sum
    observed = (n - hits.sum(axis=1)) * n
    expected = n * predicted.sum(axis=1) - (predicted * members).sum(axis=1)
    return np.where(expected > 0, 1 - quotient(observed, expected, 0.0), 0.0), ~(expected > 0)


def weighted_kappa(tables: FloatArray, weights: str | None) -> FloatArray:
    """Cohen's kappa of tables of true classes by predicted ones, nan where it is 0/0; Cohen (1968) with weights.

    Weights are of the places of the classes among those that occur.
    """
    members, predicted = tables.sum(axis=2), tables.sum(axis=1)
    places = np.cumsum(members + predicted > 0, axis=1)
    distance: FloatArray = np.abs(places[:, :, None] - places[:, None]).astype(np.float64)
    distance = distance**2 if weights == "quadratic" else distance if weights else np.minimum(distance, 1.0)
    expected = np.einsum("rij,ri,rj->r", distance, members, predicted) / members.sum(axis=1)
    return np.asarray(1 - quotient((distance * tables).sum(axis=(1, 2)), expected))


def _moments(true: FloatArray, predicted: FloatArray) -> Columns:
    return np.ones_like(true), true, predicted, true**2 + predicted**2, (true - predicted) ** 2


def _quadratic_kappa(sums: FloatArray) -> Defined:
    """Agreement of numbers beyond that of independent ones, by squared differences; Cohen (1968) with these weights."""
    n, true, predicted, squares, disagreement = sums.T
    expected = squares - 2 * quotient(true * predicted, n, 0.0)
    return share(np.column_stack([expected - disagreement, expected]))


def _slopes_of_share(sums: FloatArray, values: FloatArray) -> FloatArray:
    per_one = quotient(np.ones(len(sums)), sums[:, 1], 0.0)
    return np.stack([per_one, -values * per_one]).T


def _slopes_of_matthews(sums: FloatArray, values: FloatArray) -> FloatArray:
    members, predicted = np.hsplit(sums[:, 2:], 2)
    others = [part.sum(axis=1, keepdims=True) - part for part in (members, predicted)]
    variances = [(part * rest).sum(axis=1) for part, rest in zip((members, predicted), others, strict=True)]
    scale = quotient(np.ones(len(sums)), np.sqrt(variances[0] * variances[1]), 0.0)
    by_members, by_predicted = (
        -opposite * scale[:, None] - rest * quotient(values, variance, 0.0)[:, None]
        for opposite, rest, variance in zip((predicted, members), others, variances, strict=True)
    )
    return np.column_stack([sums[:, 1] * scale, sums[:, 0] * scale, by_members, by_predicted])


def _slopes_of_kappa(sums: FloatArray, values: FloatArray) -> FloatArray:
    hits, members, predicted = np.hsplit(sums, 3)
    n, called = (part.sum(axis=1, keepdims=True) for part in (members, predicted))
    expected = n * called - (predicted * members).sum(axis=1, keepdims=True)
    share_left = 1 - values[:, None]  # observed disagreement over that expected
    by_hits = np.broadcast_to(-n, hits.shape)
    by_members = 2 * n - hits.sum(axis=1, keepdims=True) - share_left * (called - predicted)
    by_predicted = -share_left * (n - members)
    return -np.hstack([by_hits, by_members, by_predicted]) * quotient(np.ones_like(expected), expected, 0.0)


ACCURACY = Summed(of="classes", terms=lambda c: (c.hits.sum(axis=1), c.n), value=share)
ALL_RIGHT = Summed(
    of="samples",
    terms=lambda c: (1.0 * ((c.hits == c.predicted) & (c.hits == c.members)), np.zeros(len(c.n), dtype=bool)),
    value=share,
)
MATTHEWS = Summed(
    of="classes",
    terms=lambda c: (c.hits.sum(axis=1), c.n, c.members, c.predicted),
    value=_matthews,
    of_slopes=_slopes_of_matthews,
)
KAPPA = Summed(of="classes", terms=lambda c: (c.hits, c.members, c.predicted), value=_kappa, of_slopes=_slopes_of_kappa)


def wrong_labels(sign: float) -> Summed:
    """The share of a sample's labels that are wrong, with a sign."""
    return Summed(
        of="samples",
        terms=lambda c: (sign * (c.predicted + c.members - 2 * c.hits) / c.n, np.zeros(len(c.n), dtype=bool)),
        value=share,
    )


# ---- probabilities: the value of each sample, from that of its class and the squared distance to its class


def minus_logarithm(own: FloatArray, squares: FloatArray, n_classes: int) -> FloatArray:  # noqa: ARG001
    """Minus the logarithm of the probability of the true class."""
    eps = np.finfo(np.float64).eps
    return np.asarray(-np.log(np.clip(own, eps, 1 - eps)))


def squared_distance(own: FloatArray, squares: FloatArray, n_classes: int) -> FloatArray:  # noqa: ARG001
    """The squared distance of the probabilities to the true class, of two classes that of one of them."""
    return squares / 2 if n_classes == 2 else squares


# ---- numbers: the loss of each, or a function of the rows of true and of predicted values
#
# A nan leaves the fold to scikit-learn's own function, which then warns or refuses.


def absolute(true: FloatArray, predicted: FloatArray) -> FloatArray:
    """Of each number."""
    return np.asarray(np.abs(true - predicted))


@np.errstate(over="ignore", invalid="ignore")  # an error without end is told as such
def squared(true: FloatArray, predicted: FloatArray) -> FloatArray:
    """Of each number."""
    return np.asarray((true - predicted) ** 2)


def relative(true: FloatArray, predicted: FloatArray) -> FloatArray:
    """Of each number."""
    return np.asarray(np.abs(predicted - true) / np.maximum(np.abs(true), np.finfo(np.float64).eps))


def pinball(true: FloatArray, predicted: FloatArray, *, alpha: float = 0.5) -> FloatArray:
    """The loss of a quantile: an error of 1 costs alpha below the target and 1 - alpha above it."""
    difference = true - predicted
    return np.asarray(np.where(difference >= 0, alpha * difference, (alpha - 1) * difference))


def mean_of(loss: OfRows) -> OfRows:
    """The mean of a loss over each row."""

    @np.errstate(over="ignore")
    def mean(true: FloatArray, predicted: FloatArray, **options: float) -> FloatArray:
        return np.asarray(loss(true, predicted, **options).mean(axis=1))

    return mean


def median(true: FloatArray, predicted: FloatArray) -> FloatArray:
    """Of the absolute errors."""
    return np.asarray(np.median(absolute(true, predicted), axis=1))


def largest(true: FloatArray, predicted: FloatArray) -> FloatArray:
    """Of the absolute errors."""
    return np.asarray(absolute(true, predicted).max(axis=1))


def squared_log(true: FloatArray, predicted: FloatArray) -> FloatArray:
    """Mean squared difference of the logarithms."""
    refused = (np.minimum(true, predicted) <= -1).any(axis=1)
    with np.errstate(all="ignore"):
        return np.where(refused, np.nan, squared(np.log1p(true), np.log1p(predicted)).mean(axis=1))


@np.errstate(over="ignore", invalid="ignore")
def r2(true: FloatArray, predicted: FloatArray) -> FloatArray:
    """Coefficient of determination."""
    values = _explained(squared(true, predicted).sum(axis=1), (_centred(true) ** 2).sum(axis=1))
    return values if true.shape[1] > 1 else np.full(len(true), np.nan)


@np.errstate(over="ignore", invalid="ignore")
def explained_variance(true: FloatArray, predicted: FloatArray) -> FloatArray:
    """Share of the variance, whatever the mean error."""
    return _explained((_centred(true - predicted) ** 2).mean(axis=1), (_centred(true) ** 2).mean(axis=1))


def _centred(rows: FloatArray) -> FloatArray:
    return np.asarray(rows - rows.mean(axis=1, keepdims=True))


def _explained(left: FloatArray, total: FloatArray) -> FloatArray:
    """1 - left / total; scikit-learn's `force_finite` where the total is 0."""
    return np.asarray(1 - np.divide(left, total, out=np.where(left == 0, 0.0, 1.0), where=total > 0))


def d2_median(true: FloatArray, predicted: FloatArray) -> FloatArray:
    """Against the median: other quantiles depend on the version of scikit-learn."""
    mean, middle = mean_of(pinball), np.median(true, axis=1, keepdims=True)
    return _explained(mean(true, predicted), mean(true, middle)) if true.shape[1] > 1 else np.full(len(true), np.nan)


def deviance(true: FloatArray, predicted: FloatArray, *, power: float = 0) -> FloatArray:
    """Mean Tweedie deviance; nan where it is not defined."""
    p = power
    refused = np.zeros(len(true), dtype=bool) if p == 0 else (predicted <= 0).any(axis=1)
    if p >= 1:
        refused |= ((true < 0) if p < 2 else (true <= 0)).any(axis=1)
    with np.errstate(all="ignore"):
        if p == 0:
            parts = (true - predicted) ** 2
        elif p == 1:
            parts = 2 * (xlogy(true, true / predicted) - true + predicted)
        elif p == 2:
            parts = 2 * (np.log(predicted / true) + true / predicted - 1)
        else:
            own = np.power(np.maximum(true, 0), 2 - p) / ((1 - p) * (2 - p))
            parts = 2 * (own - true * np.power(predicted, 1 - p) / (1 - p) + np.power(predicted, 2 - p) / (2 - p))
        return np.where(refused, np.nan, parts.mean(axis=1))


def d2_deviance(true: FloatArray, predicted: FloatArray, *, power: float = 0) -> FloatArray:
    """1 - deviance over that of the mean; nan where the target is constant, as one sample is."""
    total = deviance(true, true.mean(axis=1, keepdims=True), power=power)
    left = deviance(true, predicted, power=power)
    varies = (total > 0) & (true.max(axis=1) > true.min(axis=1))
    return np.asarray(1 - np.divide(left, total, out=np.full(len(true), np.nan), where=varies))


# ---- the table


class Metric(Frozen):
    """One metric.

    Attributes
    ----------
    name : str
        What `scoring` and the results call it.
    needs : {"labels", "scores", "probabilities", "numbers"}
        What it reads of a model.
    tasks : tuple of str
        The targets for which it is a name of `scoring`; empty of a name that `skcompare.inference` alone has.
    of_labels : Summed or None
        Its arithmetic on one label per sample.
    of_sets : Summed or None
        Its arithmetic on several labels per sample.
    of_truth : callable or None
        The loss of each sample, from the probability of its class, the squared distance of all to its class, and how
        many there are.
    loss : callable or None
        The loss of each number, from true and predicted ones, of which the metric is the mean.
    of_mean : callable or None
        What is made of that mean; None of the mean itself.
    rows : callable or None
        A metric of numbers that is no such mean, from a row of true and of predicted ones per fold.
    function, options : str, dict
        scikit-learn's function of its value on one fold, which odd folds are left to. Empty of a metric that
        scikit-learn has not, and of one that is a scorer.
    greater_is_better : bool
        The direction. Where a loss says that greater is better it is negated, as scikit-learn's ``neg_`` are.
    low, high : float
        The least and the greatest value that it can have.
    rests_on : {"", "positive", "negative", "classes"}
        Of which classes a few samples decide it.
    guess : float or None
        What it is of a model that knows nothing, where that is one number whatever the data.
    """

    name: str
    needs: Literal["labels", "scores", "probabilities", "numbers"]
    tasks: tuple[str, ...] = ()
    of_labels: Summed | None = None
    of_sets: Summed | None = None
    of_truth: Callable[[FloatArray, FloatArray, int], FloatArray] | None = None
    loss: OfRows | None = None
    of_mean: Callable[[FloatArray], FloatArray] | None = None
    rows: OfRows | None = None
    function: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    greater_is_better: bool = True
    low: float = -inf
    high: float = inf
    rests_on: Literal["", "positive", "negative", "classes"] = ""
    guess: float | None = None

    @property
    def is_mean(self) -> bool:
        """Whether it is the mean of a value per sample, of one label, number or set of probabilities each."""
        of_numbers = self.loss is not None and self.of_mean is None
        return of_numbers or self.of_truth is not None or self.of_labels is ACCURACY

    @property
    def sign(self) -> float:
        """What a loss is multiplied with."""
        return -1.0 if self.greater_is_better else 1.0

    def of_rows(self, true: FloatArray, predicted: FloatArray) -> FloatArray:
        """A metric of numbers, from a row of true and of predicted ones per fold."""
        if self.rows is not None:
            return self.rows(true, predicted)
        assert self.loss is not None
        mean = mean_of(self.loss)(true, predicted)
        return self.sign * (mean if self.of_mean is None else self.of_mean(mean))


_BOTH, _BINARY = ("binary", "multiclass"), ("binary",)
_SHARE: dict[str, Any] = {"low": 0.0, "high": 1.0}
_AGREEMENT: dict[str, Any] = {"needs": "labels", "low": -1.0, "high": 1.0, "guess": 0.0}
_OF_CLASSES: dict[str, Any] = {"rests_on": "classes", **_AGREEMENT}
_LOSS: dict[str, Any] = {"high": 0.0}
_LABELS: dict[str, Any] = {"needs": "labels", **_SHARE}
_AREA: dict[str, Any] = {"rests_on": "classes", "guess": 0.5, **_SHARE}
_SEVERAL_AREAS: dict[str, Any] = {"needs": "probabilities", "tasks": _BOTH, **_AREA}
_NUMBERS: dict[str, Any] = {"needs": "numbers", "tasks": ("regression",)}


def _fractions() -> Iterator[Metric]:
    """Precision, recall, F1 and Jaccard's coefficient of the positive class, and their averages."""
    for average, (name, fraction) in product(("binary", "macro", "weighted", "micro", "samples"), FRACTIONS.items()):
        of_class, single = average == "binary", average in ("binary", "macro", "weighted")
        yield Metric(
            name=name if of_class else f"{name}_{average}",
            tasks=_BINARY if of_class else _BOTH,
            of_labels=averaged(fraction, average) if single else None,
            of_sets=None if of_class else averaged(fraction, average, of_sets=True),
            function=f"{name}_score" if single and name != "jaccard" else "",
            options={"average": average},
            rests_on={"binary": "positive", "macro": "classes"}.get(average, ""),  # type: ignore[arg-type]
            **_LABELS,
        )


_NEGATIVES: dict[str, Any] = {"tasks": _BINARY, "rests_on": "negative", **_LABELS}
_SPECIFICITY, _FALL_OUT = (
    Summed(of="positive", terms=lambda c: (c.rejections, c.negatives), value=value) for value in (share, _complement)
)
_ROWS = (
    Metric(name="accuracy", tasks=_BOTH, of_labels=ACCURACY, of_sets=ALL_RIGHT, function="accuracy_score", **_LABELS),
    *_fractions(),
    Metric(name="balanced_accuracy", tasks=_BOTH, of_labels=balanced_accuracy(), rests_on="classes", **_LABELS),
    Metric(name="adjusted_balanced_accuracy", of_labels=balanced_accuracy(adjusted=True), **_OF_CLASSES),
    Metric(name="mcc", of_labels=MATTHEWS, **_OF_CLASSES),
    Metric(name="matthews_corrcoef", tasks=_BOTH, of_labels=MATTHEWS, **_OF_CLASSES),
    Metric(name="specificity", of_labels=_SPECIFICITY, **_NEGATIVES),
    Metric(name="false_alarm_rate", of_labels=_FALL_OUT, greater_is_better=False, **_NEGATIVES),
    Metric(name="cohen_kappa", of_labels=KAPPA, **_AGREEMENT),
    Metric(name="quadratic_kappa", of_labels=Summed(of="grades", terms=_moments, value=_quadratic_kappa), **_AGREEMENT),
    Metric(name="neg_hamming_loss", needs="labels", of_sets=wrong_labels(-1.0), **_LOSS),
    Metric(name="neg_label_ranking_loss", needs="scores", **_LOSS),
    Metric(name="roc_auc", needs="scores", tasks=_BINARY, function="roc_auc_score", **_AREA),
    Metric(name="roc_auc_ovr", function="roc_auc_score", options={"multi_class": "ovr"}, **_SEVERAL_AREAS),
    *(Metric(name=f"roc_auc_{how}", **_SEVERAL_AREAS) for how in ("ovo", "ovr_weighted", "ovo_weighted")),
    Metric(name="average_precision", needs="scores", tasks=_BINARY, rests_on="positive", **_SHARE),
    Metric(name="top_k_accuracy", needs="scores", tasks=_BOTH, **_SHARE),
    Metric(name="neg_log_loss", needs="probabilities", tasks=_BOTH, of_truth=minus_logarithm, **_LOSS),
    Metric(name="neg_brier_score", needs="probabilities", tasks=_BOTH, of_truth=squared_distance, **_LOSS),
    Metric(name="r2", rows=r2, function="r2_score", guess=0.0, **_NUMBERS),
    Metric(name="neg_mean_absolute_error", loss=absolute, function="mean_absolute_error", **_NUMBERS, **_LOSS),
    *(
        Metric(name=f"neg_{name}", loss=squared, of_mean=of_mean, function=name, **_NUMBERS, **_LOSS)
        for name, of_mean in {"mean_squared_error": None, "root_mean_squared_error": np.sqrt}.items()
    ),
    Metric(name="neg_mean_absolute_percentage_error", loss=relative, **_NUMBERS, **_LOSS),
)


def _negated(of: Summed) -> Summed:
    def value(sums: FloatArray) -> Defined:
        values, undefined = of.value(sums)
        return -values, undefined

    return Summed(of=of.of, terms=of.terms, value=value)


METRICS: Mapping[str, Metric] = {row.name: row for row in _ROWS}
# What is known of one label per sample, losses also as their negatives, and of several labels.
OF_LABELS: Mapping[str, Summed] = {
    **{name: row.of_labels for name, row in METRICS.items() if row.of_labels},
    **{f"neg_{row.name}": _negated(row.of_labels) for row in _ROWS if row.of_labels and not row.greater_is_better},
}
OF_SETS: Mapping[str, Summed] = {name: row.of_sets for name, row in METRICS.items() if row.of_sets}


# What people call scikit-learn's losses, which are shown as they are: positive, less is better.
LOSSES = {
    "neg_root_mean_squared_error": "RMSE",
    "neg_mean_squared_error": "MSE",
    "neg_mean_absolute_error": "MAE",
    "neg_root_mean_squared_log_error": "RMSLE",
    "neg_mean_squared_log_error": "MSLE",
    "neg_mean_absolute_percentage_error": "MAPE",
    "neg_median_absolute_error": "median absolute error",
    "neg_max_error": "max error",
    "neg_log_loss": "log loss",
    "neg_brier_score": "Brier score",
    "neg_hamming_loss": "Hamming loss",
    "neg_label_ranking_loss": "label ranking loss",
    "neg_mean_poisson_deviance": "Poisson deviance",
    "neg_mean_gamma_deviance": "gamma deviance",
}
_ROUNDING = 1e-9  # of a loss that is 0


def label(metric: str) -> str:
    """What a metric is called; a loss of scikit-learn's by its own name, without the sign."""
    return LOSSES.get(metric, metric)


class MisnamedError(ValueError):
    """Scores are not of the metric whose name they have."""


def check_losses(metrics: Sequence[str], greater_is_better: Sequence[bool], scores: FloatArray) -> None:
    """MisnamedError where scores, by metric on the last axis, are none of scikit-learn's loss whose name they have."""
    for i, (name, greater) in enumerate(zip(metrics, greater_is_better, strict=True)):
        most = np.fmax.reduce(scores[..., i], axis=None, initial=-np.inf) if name in LOSSES else -np.inf
        if name in LOSSES and (most > _ROUNDING or not greater):
            got = f"got {most:.4g}" if greater else "less was said to be better"
            raise MisnamedError(
                f"scores of {name!r} must be at most 0, and greater is better, as of scikit-learn's scorer; {got}. "
                f"If these are losses, call them {LOSSES[name]!r} and give greater_is_better=False"
            )
