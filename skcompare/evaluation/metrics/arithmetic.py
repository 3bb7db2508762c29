"""The metrics of all folds at once: what a row of `skcompare._core.metrics` is asked of the folds of one model.

All take `Batches` and the metric's name, and give one value per fold. A nan that was not noted as undefined leaves the
fold to scikit-learn's own function.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core import metrics as rows_of
from skcompare._core.metrics import FRACTIONS, Counts, OfRows, Summed, f_beta, quotient
from skcompare._core.validation import FloatArray
from skcompare.evaluation.metrics.batches import LABEL, PROBABILITY, Batches

# Metrics of predicted labels, from how often each class is hit, predicted and there in every fold.


def of_labels(
    batches: Batches,
    name: str,
    *,
    metric: Summed,
    positive: int | None = None,
    otherwise: float = 0.0,
    warns: bool = True,
    several: bool = False,
) -> FloatArray:
    """A function of sums over the samples; something else where it is 0/0.

    With `several` folds of one true and predicted class are left, of which scikit-learn's confusion matrix warns.
    """
    block = batches.block
    if metric.of == "samples":
        true, called = block.y != 0, batches.label_sets[1]
        counts = (table.sum(axis=1, dtype=np.float64) for table in (true & called, called, true))
        values, lacking = metric.terms(Counts(np.full(len(true), float(true.shape[1])), *counts))
        undefined, values = block.sums(lacking) > 0, block.sums(values) / block.sizes
    else:
        c: Any = slice(None)
        if metric.of == "positive":
            c = batches.truth.positive_code if positive is None else positive
        terms = metric.terms(Counts(block.sizes.astype(np.float64), *(table[:, c] for table in batches.counts)))
        values, undefined = metric.value(np.column_stack(terms))
    if several:
        return np.where(_several(batches), values, np.nan)
    if warns:
        batches.note_undefined(name, undefined, batches.ordinary(LABEL))
    return np.where(undefined, otherwise, values) if otherwise else values


def _several(batches: Batches) -> NDArray[np.bool_]:
    """Folds of more than one true or predicted class."""
    _, predicted, members = batches.counts
    return np.asarray(np.count_nonzero(predicted + members, axis=1) > 1)


def averaged(batches: Batches, name: str, *, which: str, average: str, beta: float = 1.0, **options: Any) -> FloatArray:
    """Precision, recall, F-beta or Jaccard of one class, or their average; 0 where it is 0/0."""
    fraction = f_beta(beta) if which == "f1" else FRACTIONS[which]
    metric = rows_of.averaged(fraction, average, of_sets=batches.truth.task == "multilabel")
    return of_labels(batches, name, metric=metric, **options)


def accuracy(batches: Batches, name: str) -> FloatArray:
    """Share of the labels that are right; of several labels, share of the samples that have all of them right."""
    metric = rows_of.ALL_RIGHT if batches.truth.task == "multilabel" else rows_of.ACCURACY
    return of_labels(batches, name, metric=metric)


def balanced_accuracy(batches: Batches, name: str, *, adjusted: bool = False) -> FloatArray:
    """Mean recall of the true classes; left to scikit-learn where others are predicted."""
    _, predicted, members = batches.counts
    strangers = ((predicted > 0) & (members == 0)).any(axis=1)
    values = of_labels(batches, name, metric=rows_of.balanced_accuracy(adjusted=adjusted), several=True)
    return np.where(strangers, np.nan, values)


def kappa(batches: Batches, name: str, *, weights: str | None = None, graded: bool = False) -> FloatArray:
    """Agreement beyond chance.

    Weights are of the places of the classes among those that occur in the fold, or of the classes if they are grades.
    """
    if weights is None:
        return of_labels(batches, name, metric=rows_of.KAPPA, several=True)
    _, predicted, members = batches.counts
    n, occurs = batches.block.sizes, predicted + members > 0
    places: FloatArray = np.cumsum(occurs, axis=1) - np.float64(1)
    if graded:
        places[:] = batches.truth.classes - batches.truth.classes.mean()
    true, called = (batches.block.of_samples(places, codes) for codes in (batches.block.codes, batches.codes[1]))
    distance = np.abs(true - called)
    observed = batches.block.sums(distance if weights == "linear" else distance**2)
    if weights == "linear":  # classes up to each one: a step counts for the pairs that it separates
        below, own = np.cumsum(predicted, axis=1), np.cumsum(members, axis=1)
        expected = ((below * (n[:, None] - own) + own * (n[:, None] - below)) * occurs).sum(axis=1) / n
    else:
        sums = [(table * places).sum(axis=1) for table in (predicted, members)]
        expected = ((predicted + members) * places**2).sum(axis=1) - 2 * sums[0] * sums[1] / n
    return np.where(_several(batches), 1 - quotient(observed, expected), np.nan)


# Metrics of decision values and probabilities on all folds at once.
#
# A nan that was not noted as undefined leaves the fold to scikit-learn's own function.


_LARGE = 1 << 12  # from here on a radix sort is the fastest
_SUM_TOLERANCE = 1e-8  # from which on scikit-learn may find that probabilities do not sum to 1


def roc_auc(batches: Batches, name: str, *, response: tuple[str, ...], average: str = "macro") -> FloatArray:
    """Area under the curve, of several classes that of each against the rest."""
    areas = _by_class(batches, response, _area_under_curve)
    batches.note_undefined(name, np.asarray(np.isnan(areas).any(axis=1)), batches.ordinary(response))
    return _average(batches, areas, average)


def average_precision(batches: Batches, _: str, *, response: tuple[str, ...], average: str = "macro") -> FloatArray:
    """Precision averaged over the positives by descending score, of several classes that of each against the rest."""
    return _average(batches, _by_class(batches, response, _average_precision), average)


def _average(batches: Batches, values: FloatArray, average: str) -> FloatArray:
    if values.shape[1] == 1 or average == "macro":
        return np.asarray(values.mean(axis=1))
    members = batches.block.members
    return np.asarray((values * members).sum(axis=1) / members.sum(axis=1))


def _by_class(batches: Batches, response: tuple[str, ...], function: Any) -> FloatArray:
    """A function of sorted rows, shape (n_folds, n_classes), one class where there are two; nan elsewhere."""
    n_classes = 1 if batches.truth.task == "binary" else len(batches.truth.classes)
    values = np.full((n_classes, len(batches.folds)), np.nan)
    ranked = batches.ranked.get(response) or _rank(batches, response)
    if n_classes == 1:  # all metrics of ranks read the same rows
        ranked = batches.ranked[response] = list(ranked)
    for c, folds, positive, scores in ranked:
        values[c, folds] = function(positive, scores)
    return np.ascontiguousarray(values.T)  # the order of a sum depends on how it lies


def _rank(
    batches: Batches, response: tuple[str, ...]
) -> Iterator[tuple[int, list[int], NDArray[np.bool_], FloatArray]]:
    """Class, folds, and rows of what is positive and of ascending scores."""
    folds, scores = batches.scores(response)
    block = batches.block
    classes = [(0, 1, scores)] if scores.ndim == 1 else [(c, c, row) for c, row in enumerate(scores)]
    for same_size in block.of_one_size(folds):
        codes = block.stacked(block.codes, same_size)
        for place, c, of_class in classes:
            yield place, same_size, *_sorted_rows(codes == c, block.stacked(of_class, same_size))


def _area_under_curve(positive: NDArray[np.bool_], scores: FloatArray) -> FloatArray:
    """ROC AUC of sorted rows: the share of (positive, negative) pairs in order, ties half; nan without a pair."""
    n_rows, n = scores.shape
    n_positive = np.count_nonzero(positive, axis=1)
    n_pairs = n_positive * (n - n_positive)
    ties = scores[:, 1:] == scores[:, :-1]
    if ties.any():
        in_order = _pairs_in_order(positive, ties)
    else:
        ranks = positive.astype(np.float64) @ np.arange(n, dtype=np.float64)
        in_order = ranks - n_positive * (n_positive - 1) / 2
    return np.asarray(np.divide(in_order, n_pairs, out=np.full(n_rows, np.nan), where=n_pairs > 0))


def _pairs_in_order(positive: NDArray[np.bool_], ties: NDArray[np.bool_]) -> FloatArray:
    """Pairs in order in each sorted row, group of ties by group of ties."""
    is_last = np.ones(positive.shape, dtype=bool)  # of its group
    np.logical_not(ties, out=is_last[:, :-1])
    last = np.flatnonzero(is_last)
    positives = np.cumsum(positive)[last]
    negatives = last + 1 - positives  # up to each group, in this row and those before
    twice = np.diff(positives, prepend=0) * (negatives + np.append(0, negatives[:-1]))
    first = np.append(0, np.cumsum(np.count_nonzero(is_last, axis=1))[:-1])
    n_positive = np.count_nonzero(positive, axis=1)
    n_negative = positive.shape[1] - n_positive
    in_rows_before = np.cumsum(n_negative) - n_negative
    return np.asarray(np.add.reduceat(twice, first) / 2 - in_rows_before * n_positive)


def _average_precision(positive: NDArray[np.bool_], scores: FloatArray) -> FloatArray:
    """Average precision of each sorted row, those of one score taken together; nan without a positive."""
    n = positive.shape[1]
    called = np.arange(n, 0, -1)  # positive, from each place on
    precision = np.cumsum(positive[:, ::-1], axis=1)[:, ::-1] / called
    ties = scores[:, 1:] == scores[:, :-1]
    if ties.any():
        precision = np.take_along_axis(precision, _first_of_ties(ties), axis=1)
    return quotient((precision * positive).sum(axis=1), np.count_nonzero(positive, axis=1).astype(np.float64))


def _first_of_ties(ties: NDArray[np.bool_]) -> NDArray[np.intp]:
    """The place in its row of the first of each group of ties."""
    n_rows, n = ties.shape[0], ties.shape[1] + 1
    first = np.zeros((n_rows, n), dtype=np.intp)
    np.multiply(np.arange(1, n), ~ties, out=first[:, 1:])
    return np.maximum.accumulate(first, axis=1)


def one_against_one(batches: Batches, name: str, *, response: tuple[str, ...], average: str = "macro") -> FloatArray:
    """ROC AUC averaged over pairs of classes (Hand and Till 2001); of two classes the area."""
    if batches.truth.task == "binary":
        return roc_auc(batches, name, response=response)
    folds, scores = batches.scores(response)
    block, members = batches.block, batches.block.members
    n_classes = len(batches.truth.classes)
    in_order = np.full((n_classes, n_classes, len(batches.folds)), np.nan)  # pairs, by the scores of the first class
    for same_size in block.of_one_size(folds):
        codes = block.stacked(block.codes, same_size)
        for a in range(n_classes):
            in_order[a][:, same_size] = _pairs_by_class(codes, block.stacked(scores[a], same_size), a, n_classes)
    pairs = list(combinations(range(n_classes), 2))
    counts = np.stack([members[:, a] * members[:, b] for a, b in pairs], axis=1)
    areas = np.stack([in_order[a, b] + in_order[b, a] for a, b in pairs], axis=1) / np.where(counts > 0, 2 * counts, 1)
    if average == "macro":
        return np.asarray(areas.mean(axis=1))
    weights = np.stack([members[:, a] + members[:, b] for a, b in pairs], axis=1)
    return np.asarray((areas * weights).sum(axis=1) / weights.sum(axis=1))


def _pairs_by_class(codes: NDArray[Any], scores: FloatArray, a: int, n_classes: int) -> FloatArray:
    """Pairs of a class and each other one in the order of the scores, ties half; shape (n_classes, n_rows)."""
    order = np.argsort(scores, axis=1)
    codes, scores = (np.take_along_axis(rows, order, axis=1) for rows in (codes, scores))
    ties = scores[:, 1:] == scores[:, :-1]
    n = codes.shape[1]
    first = _first_of_ties(ties)
    last = n - 1 - _first_of_ties(ties[:, ::-1])[:, ::-1]
    is_a = codes == a
    found = np.zeros((n_classes, len(codes)))
    for b in range(n_classes):
        if b != a:
            up_to = np.zeros((len(codes), n + 1))
            np.cumsum(codes == b, axis=1, out=up_to[:, 1:])
            twice = np.take_along_axis(up_to, first, axis=1) + np.take_along_axis(up_to, last + 1, axis=1)
            found[b] = (twice * is_a).sum(axis=1) / 2
    return found


def _sorted_rows(positive: NDArray[np.bool_], scores: FloatArray) -> tuple[NDArray[np.bool_], NDArray[Any]]:
    """Each row by ascending score; the scores as they are, or as integers that are equal where they are."""
    n_rows, n = scores.shape
    if n < _LARGE and scores.dtype == np.float64 and not np.signbit(scores).any():
        # without signs there is a bit to carry the label: one sort of values does
        keys = (scores.view(np.uint64) << np.uint64(1)) | positive
        keys.sort(axis=1)
        return (keys & np.uint64(1)).astype(np.bool_), keys >> np.uint64(1)
    order = np.argsort(scores, axis=1) if n < _LARGE else np.stack([_radix_order(row) for row in scores])
    order += np.arange(0, n_rows * n, n)[:, None]
    return positive.take(order), scores.take(order)


def _radix_order(scores: FloatArray) -> NDArray[np.intp]:
    """The order of many scores: a radix sort in single precision, then a merge sort of those that are equal there."""
    with np.errstate(over="ignore"):
        single = scores.astype(np.float32)
    bits, sign = single.view(np.uint32), np.uint32(1 << 31)
    bits = np.where(bits & sign, ~bits, bits | sign)  # unsigned integers in the order of the floats
    order = np.argsort(bits.astype(np.uint16), kind="stable")
    order = order[np.argsort((bits >> np.uint32(16)).astype(np.uint16)[order], kind="stable")]
    ranked = scores[order]
    if (ranked[1:] < ranked[:-1]).any():
        single = single[order]
        equal = single[1:] == single[:-1]
        where = np.flatnonzero(np.append(equal, False) | np.append(False, equal))
        order[where] = order[where][np.argsort(ranked[where], kind="stable")]
    return order


def top_k(batches: Batches, _: str, *, response: tuple[str, ...], k: int = 2) -> FloatArray:
    """Share of the samples whose class is among the k of the highest scores, of ties the last ones."""
    scores = batches.scores(response)[1]
    codes = batches.block.codes
    own = np.take_along_axis(scores, codes[None].astype(np.intp), axis=0)
    later = np.arange(len(scores))[:, None] > codes
    before = np.count_nonzero((scores > own) | ((scores == own) & later), axis=0)
    return _means(batches, (before < k).astype(np.float64))


def log_loss(batches: Batches, _: str) -> FloatArray:
    """Mean of minus the logarithm of the probability of the true class."""
    return _means(batches, rows_of.minus_logarithm(*_probabilities(batches), len(batches.truth.classes)))


def d2_log_loss(batches: Batches, name: str) -> FloatArray:
    """1 - log loss over that of the shares of the classes."""
    shares = _shares(batches)
    eps = np.finfo(np.float64).eps
    constant = -(shares * np.log(np.clip(shares, eps, 1 - eps))).sum(axis=1)
    return np.asarray(1 - quotient(log_loss(batches, name), constant))


def brier(batches: Batches, _: str, *, half: bool) -> FloatArray:
    """Mean squared distance of the probabilities to the true class, or half of it."""
    return _means(batches, _probabilities(batches)[1]) / (2 if half else 1)


def d2_brier(batches: Batches, name: str) -> FloatArray:
    """1 - Brier score over that of the shares of the classes."""
    constant = 1 - (_shares(batches) ** 2).sum(axis=1)
    return np.asarray(1 - quotient(brier(batches, name, half=False), constant))


def _shares(batches: Batches) -> FloatArray:
    return np.asarray(batches.block.members / batches.block.sizes[:, None])


def _probabilities(batches: Batches) -> tuple[FloatArray, FloatArray]:
    """Of each sample the probability of its class, and the squared distance; nan throughout folds to be left."""
    folds, scores = batches.scores(PROBABILITY)
    block, codes = batches.block, batches.block.codes
    if scores.ndim == 1:
        own = np.where(codes == 1, scores, 1 - scores)
        squares, lowest, highest = 2 * (1 - own) ** 2, scores, scores
    else:
        own = np.take_along_axis(scores, codes[None].astype(np.intp), axis=0)[0]
        squares = (scores**2).sum(axis=0) - own**2 + (1 - own) ** 2
        off = np.abs(scores.sum(axis=0) - 1) > _SUM_TOLERANCE
        lowest, highest = scores.min(axis=0), np.where(off, np.inf, scores.max(axis=0))
    sound = (np.minimum.reduceat(lowest, block.starts) >= 0) & (np.maximum.reduceat(highest, block.starts) <= 1)
    sound &= (block.members > 0).all(axis=1)
    sound[[i for i in folds if batches.response(i, PROBABILITY).dtype != np.float64]] = False  # type: ignore[union-attr]
    left = np.repeat(~sound, block.sizes)
    return np.where(left, np.nan, own), np.where(left, np.nan, squares)


def _means(batches: Batches, values: FloatArray) -> FloatArray:
    return np.asarray(np.add.reduceat(values, batches.block.starts) / batches.block.sizes)


# Metrics of predicted numbers, from a row of true and of predicted values per fold.


def of_rows(batches: Batches, name: str, *, rows: OfRows, undefined: bool = False, **options: Any) -> FloatArray:
    """A function of rows on all folds; where asked, its nan are noted as undefined."""
    values = np.full(len(batches.folds), np.nan)
    for places, true, predicted in batches.number_rows:
        values[places] = rows(true, predicted, **options)
    if undefined:
        batches.note_undefined(name, np.isnan(values), batches.numbers[0])
    return values
