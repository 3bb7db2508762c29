"""The full-dominance test: which model is more often the better one on all metrics at once."""

from __future__ import annotations

from dataclasses import dataclass

from numpy.typing import ArrayLike

from skcompare._core.validation import Alternative, check_alternative
from skcompare._core.warnings import CodedWarning
from skcompare.inference._interval import HasInterval
from skcompare.inference._kinds import ALPHA, OfModels, in_tail
from skcompare.inference.dominance._binomial import share_limit, upper_tail
from skcompare.inference.dominance.likelihood_ratio import case_warnings
from skcompare.inference.dominance.statements import check_counts, scale_counts


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class FullDominanceResult(HasInterval, OfModels):
    """Result of the test that one model is more often better on all metrics than the other.

    `confidence_interval` is for the share of `a` among the cases on which one model is better on all metrics, in [0,
    1]. It inverts the deciding p-value, so that it leaves out 1/2 exactly when ``pvalue < 1 - confidence_level``:
    Clopper and Pearson's on independent cases, its mid-p version on effective ones.

    Attributes
    ----------
    n_a, n_b : float
        Cases on which `a` is better on all metrics, and on which `b` is; at least 0, real where ties were split or
        folds were corrected for.
    estimate : float
        Share of the cases that went to `a` less the share that went to `b`, in [-1, 1].
    pvalue : float
        The one to decide on, in [0, 1]: exact on independent cases, mid-p on effective cases.
    pvalue_exact : float
        From the binomial distribution of `n_a` given ``n_a + n_b``.
    pvalue_midp : float
        The same with half the probability of the observed count.
    alternative : {"two-sided", "greater", "less"}
        What was tested: `a` is better on all metrics not as often as `b`, more often, less often.
    n_effective : float
        The number of independent cases that all cases, with or without full dominance, are worth.
    n : float
        Number of cases before the correction.
    decided_on : {"exact", "midp"}
        Which p-value `pvalue` is.
    """

    n_a: float
    n_b: float
    estimate: float
    pvalue: float
    pvalue_exact: float
    pvalue_midp: float
    alternative: str
    n_effective: float
    n: float
    decided_on: str
    method: str
    warnings: tuple[CodedWarning, ...] = ()

    def _sentence(self) -> str:
        a, b = self.compared.a, self.compared.b
        n = f"in {self.n_a:.3g} cases, {b} in {self.n_b:.3g}, of {self.n_effective:.3g}"
        side = {"greater": a, "less": b}.get(self.alternative, a if self.n_a > self.n_b else b)
        which = side if self.pvalue < ALPHA else "neither" if self.alternative == "two-sided" else f"{side} not"
        return f"{a} is better on all metrics {n}; {which} significantly more often, {in_tail(self)}."

    _RANGE = (0.0, 1.0)

    def _limits(self, tail: float) -> tuple[float, float]:
        midp = self.decided_on == "midp"
        if self.n_a == self.n_b == 0:
            return self._RANGE
        return share_limit(self.n_a, self.n_b, tail, midp=midp), 1 - share_limit(self.n_b, self.n_a, tail, midp=midp)


def full_dominance_test(
    counts: ArrayLike, n_effective: float | None = None, *, alternative: Alternative = "two-sided"
) -> FullDominanceResult:
    r"""Exact test that one model is more often better on all metrics than the other.

    With :math:`n_a` cases on which `a` is better on all metrics and :math:`n_b` on which `b` is, the null hypothesis
    that both are equally probable, which holds where the two models may be exchanged case by case, gives

    .. math:: n_a \mid n_a + n_b \sim \mathrm{Bin}(n_a + n_b, \tfrac 1 2)

    whatever the dependence between the metrics (the sign test, on full dominance). Cases on which either model is
    better on some metric play no part, so that a small p-value does not say that full dominance is frequent:
    `estimate` does.

    Parameters
    ----------
    counts : array_like of shape (2**m,)
        Cases per statement for m metrics, from `dominance_counts`; at least 0, real numbers allowed.
    n_effective : float, optional
        Number of independent cases that the counts are worth, at most their sum: `effective_cases` for the folds of
        one data set. The default takes every case for independent.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: `a` is better on all metrics more often than `b`.

    Returns
    -------
    FullDominanceResult
        `pvalue` is the exact one on independent cases, and the mid-p one when `n_effective` is given. It is 1 where
        there is no case of full dominance.

    Raises
    ------
    ValueError
        If `counts` has not ``2**m`` finite, non-negative entries, `n_effective` exceeds their sum, or `alternative`
        is unknown.

    See Also
    --------
    dominance_test : whether one of all ``2**m`` statements is more probable than every other.
    intersection_union_test : one model is better on all metrics, each on average.

    References
    ----------
    W. J. Dixon and A. M. Mood (1946), The statistical sign test, JASA 41(236), 557-566,
    :doi:`10.1080/01621459.1946.10501898`.

    A. Benavoli and C. P. de Campos (2016), Statistical tests for joint analysis of performance measures,
    AMBN 2015, LNCS 9505, 76-92, :doi:`10.1007/978-3-319-28379-1_6`.

    Examples
    --------
    Two metrics on twelve data sets, on six of which `a` is better on both and on one of which `b` is:

    >>> from skcompare.inference import full_dominance_test
    >>> result = full_dominance_test([1, 2, 3, 6])
    >>> result.pvalue, round(result.estimate, 4)
    (0.125, 0.4167)
    """
    check_alternative(alternative)
    raw, _ = check_counts(counts)
    scaled = scale_counts(raw, n_effective)
    total, n_a, n_b = float(scaled.sum()), float(scaled[-1]), float(scaled[0])
    exact, midp = (_pvalue(n_a, n_b, alternative, midp=midp) for midp in (False, True))
    return FullDominanceResult(
        n_a=n_a,
        n_b=n_b,
        estimate=(n_a - n_b) / total if total else 0.0,
        pvalue=exact if n_effective is None else midp,
        pvalue_exact=exact,
        pvalue_midp=midp,
        alternative=alternative,
        n_effective=total,
        n=float(raw.sum()),
        decided_on="exact" if n_effective is None else "midp",
        method="full-dominance test" + ("" if n_effective is None else f", {total:.3g} effective cases"),
        warnings=tuple(
            case_warnings(raw, total, raw[[0, -1]], folds=n_effective is not None, fixed=alternative != "two-sided")
        ),
    )


def _pvalue(n_a: float, n_b: float, alternative: str, *, midp: bool) -> float:
    """Binomial tail on the side of the alternative; two-sided, twice the smaller one."""
    if n_a == n_b == 0 or (n_a == n_b and alternative == "two-sided"):
        return 1.0
    greater, less = upper_tail(n_a, n_b, 0.5, midp=midp), upper_tail(n_b, n_a, 0.5, midp=midp)
    return {"greater": greater, "less": less}.get(alternative, min(1.0, 2 * min(greater, less)))
