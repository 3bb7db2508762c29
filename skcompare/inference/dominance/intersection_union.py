"""The intersection-union test: one model is better than the other on all metrics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.validation import Alternative, FloatArray, check_alternative, check_choice, check_number
from skcompare._core.warnings import Code, CodedWarning
from skcompare._core.words import briefly
from skcompare.inference._base import ROUNDING, corrected_t, paired_differences
from skcompare.inference._kinds import ALPHA, OfModels, in_tail
from skcompare.inference._overlap import check_overlap, correction_words
from skcompare.inference.dominance._binomial import upper_tail
from skcompare.inference.dominance._score_vectors import TOO_FEW, ScoreVectors, score_vectors

_Side = Literal["greater", "less"]
_SIDES: tuple[_Side, _Side] = ("greater", "less")
_MARGINALS = ("t", "sign")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class IntersectionUnionResult(OfModels):
    """Result of the intersection-union test that one model is better than the other on all metrics.

    Attributes
    ----------
    pvalue : float
        In [0, 1]: the largest of `pvalues`, doubled in a two-sided test; nan only with fewer than two cases.
    pvalues : ndarray of shape (m,)
        One-sided p-value of each metric in the `direction`, in [0, 1].
    estimates : ndarray of shape (m,)
        Mean of ``a - b`` on each metric, in its unit and turned so that positive favours `a`.
    weakest : str
        The metric with the largest p-value, the first of several: what the claim fails on, if it fails.
    direction : {"greater", "less"}
        The claim that `pvalues` speak of: `a` is better on all metrics, or `b` is. In a two-sided test the claim
        nearer to significance; where neither is, `pvalue` is 1.
    alternative : {"two-sided", "greater", "less"}
        What was tested: one of the models is better on all metrics, `a` is, `b` is.
    n : int
        Number of cases.
    metrics : tuple of str
        Names of the metrics, in the order of the arrays.
    """

    pvalue: float
    pvalues: FloatArray
    estimates: FloatArray
    weakest: str
    direction: str
    alternative: str
    n: int
    metrics: tuple[str, ...]
    method: str
    warnings: tuple[CodedWarning, ...] = ()

    def _sentence(self) -> str:
        a, b = self.compared.a, self.compared.b
        better, other = (a, b) if self.direction == "greater" else (b, a)
        shown = "is significantly better" if self.pvalue < ALPHA else "is not shown to be better"
        where = f"all of {briefly(self.metrics)}" if len(self.metrics) > 1 else self.metrics[0]
        return f"{better} {shown} than {other} on {where}, {in_tail(self)}; the evidence is weakest on {self.weakest}."


def intersection_union_test(
    a: ArrayLike,
    b: ArrayLike,
    greater_is_better: bool | Sequence[bool] = True,
    *,
    marginal: Literal["t", "sign"] = "t",
    test_fraction: float = 0.0,
    alternative: Alternative = "two-sided",
    metrics: Sequence[str] | None = None,
    overlap: float = 1.0,
) -> IntersectionUnionResult:
    r"""Intersection-union test that one model is better than the other on all metrics.

    The null hypothesis is that `a` is not better on at least one of the m metrics, a union of m hypotheses. It is
    rejected where each of them is, so that

    .. math:: p = \max_j p_j

    with :math:`p_j` the one-sided p-value of metric j (Berger 1982). Its size is at most the level whatever the
    dependence between the metrics, without a correction for their number. Two-sided, either model may be the
    better one, and p is twice the smaller of the two maxima.

    Parameters
    ----------
    a, b : array_like of shape (n_cases, n_metrics) or (n_cases,)
        Scores of the two models on the same cases, one column per metric in any unit. Cases are data sets, or the
        folds of one data set with their `test_fraction`.
    greater_is_better : bool or sequence of bool, default=True
        Direction of each metric.
    marginal : {"t", "sign"}, default="t"
        The test of each metric: `corrected_t_test`, or the exact sign test without the cases that are tied, for
        independent cases only.
    test_fraction : float, default=0
        Test size over train plus test size, in [0, 1): 1/k for the folds of k-fold cross-validation. 0 takes the
        cases for independent.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: `a` is better on all metrics.
    metrics : sequence of str, optional
        Names of the metrics, for the record.
    overlap : float, default=1
        The part of the correction that is taken, in [0, 1]: 0.4 on a single run of k-fold gives the standard error of
        `k_fold_t_test`, which an evaluation sets where that test is the default.

    Returns
    -------
    IntersectionUnionResult
        A metric on which the models are equal makes `pvalue` 1.

    Raises
    ------
    ValueError
        If the scores are not finite or not paired, a direction has another length than the metrics, an option is
        unknown or out of range, or the sign test is asked for on folds.

    See Also
    --------
    full_dominance_test : one model is better on all metrics of a case more often than the other.
    max_t_test : on which of the metrics the models differ.

    References
    ----------
    R. L. Berger (1982), Multiparameter hypothesis testing and acceptance sampling, Technometrics 24(4), 295-300,
    :doi:`10.1080/00401706.1982.10487790`.

    Examples
    --------
    Accuracy, and time where less is better, on six data sets:

    >>> from skcompare.inference import intersection_union_test
    >>> a = [[0.90, 1.0], [0.80, 2.0], [0.70, 2.0], [0.85, 1.0], [0.75, 1.5], [0.95, 1.2]]
    >>> b = [[0.85, 1.6], [0.79, 2.1], [0.66, 2.4], [0.82, 1.7], [0.73, 1.8], [0.89, 1.4]]
    >>> result = intersection_union_test(a, b, [True, False], metrics=["accuracy", "time"])
    >>> round(result.pvalue, 4), result.direction, result.weakest
    (0.0098, 'greater', 'time')
    """
    check_alternative(alternative)
    check_choice(marginal, "marginal", _MARGINALS)
    fraction = check_number(test_fraction, "test_fraction", low=0, high=1, closed="left")
    if marginal == "sign" and fraction > 0:
        raise ValueError(
            f"test_fraction must be 0 for the sign test, which takes cases for independent; got {test_fraction!r}"
        )
    part, vectors = check_overlap(overlap), score_vectors(a, b, greater_is_better, metrics)
    both = {side: _one_sided(vectors, marginal, (fraction, part), side) for side in _SIDES}
    direction = min(_SIDES, key=lambda side: float(both[side].max())) if alternative == "two-sided" else alternative
    # Berger (1982): the intersection of the rejection regions
    pvalues = both[direction]
    largest = float(pvalues.max())
    return IntersectionUnionResult(
        pvalue=float(np.minimum(1.0, 2 * largest)) if alternative == "two-sided" else largest,
        pvalues=pvalues,
        estimates=vectors.means,
        weakest=vectors.metrics[int(pvalues.argmax())],
        direction=direction,
        alternative=alternative,
        n=vectors.n,
        metrics=vectors.metrics,
        method="intersection-union test of "
        + ("sign tests" if marginal == "sign" else f"corrected t tests ({correction_words(fraction, part)})"),
        warnings=tuple(_warnings(vectors, marginal, 2 if alternative == "two-sided" else 1)),
    )


def _one_sided(vectors: ScoreVectors, marginal: str, correction: tuple[float, float], side: _Side) -> FloatArray:
    """One-sided p-value of each metric; `correction` is the test fraction and the part of it."""
    if marginal == "sign":
        wins, losses = _signs(vectors)
        ahead, behind = (wins, losses) if side == "greater" else (losses, wins)
        return np.array([upper_tail(x, y, 0.5, midp=False) for x, y in zip(ahead, behind, strict=True)])
    zero = np.zeros(vectors.n)
    fraction, part = correction
    tests = [corrected_t(paired_differences(d, zero), fraction, side, overlap=part) for d in vectors.differences.T]
    return np.array([test.pvalue for test in tests])


def _signs(vectors: ScoreVectors) -> tuple[FloatArray, FloatArray]:
    """How many cases each model wins, per metric; rounding is a tie, case by case as in `dominance_counts`."""
    width = ROUNDING * np.maximum(np.abs(vectors.a), np.abs(vectors.b))
    difference = vectors.a - vectors.b
    wins, losses = (difference > width).sum(axis=0), (difference < -width).sum(axis=0)
    return wins.astype(np.float64), losses.astype(np.float64)


def _warnings(vectors: ScoreVectors, marginal: str, n_sides: int) -> Iterator[CodedWarning]:
    if marginal == "sign":
        untied = np.add(*_signs(vectors))
        yield from vectors.no_difference(untied == 0)
        unable = (untied > 0) & (n_sides * 0.5**untied > 0.05)
        if unable.any():
            names = vectors.names(unable)
            yield Code.CANNOT_REJECT(f"so few cases without ties on {names} cannot give p < 0.05, even if all agree.")
    elif vectors.n < 2:
        yield TOO_FEW
    else:
        yield from vectors.no_difference(vectors.equal)
        yield from vectors.zero_variance()
