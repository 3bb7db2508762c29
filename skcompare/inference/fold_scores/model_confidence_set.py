"""Which of many models are not significantly different from the best: a set from corrected t tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from skcompare._core.frames import import_pandas
from skcompare._core.numbers import percent_of
from skcompare._core.record import Record
from skcompare._core.validation import FloatArray, check_number
from skcompare._core.warnings import Code, CodedWarning
from skcompare._core.words import agreeing, briefly, counted
from skcompare.inference._kinds import ALPHA
from skcompare.inference._overlap import check_overlap, correction_words
from skcompare.inference._studentized_range import studentized_range_pvalue
from skcompare.inference.fold_scores._leads import Leads, largest_leads, over_each
from skcompare.inference.fold_scores._table import check_splits


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ModelConfidenceSet(Record):
    """Which models may be the best.

    Attributes
    ----------
    names : tuple of str
        The models, in the order of the columns.
    means : ndarray of shape (n_models,)
        Mean scores, in score units.
    pvalues : ndarray of shape (n_models,)
        In [0, 1]: of the hypothesis that a model is one of the best, adjusted for all comparisons of the models; 1 for
        the one with the best mean. nan only with fewer than two splits.
    statistics : ndarray of shape (n_models,)
        The largest corrected t statistic of another model over this one, that of `corrected_t_test` unless scores lie
        in steps; at most 0 for a model with the best mean.
    best : str
        The model with the best mean; the first of several.
    n : int
        Number of splits.
    """

    names: tuple[str, ...]
    means: FloatArray
    pvalues: FloatArray
    statistics: FloatArray
    best: str
    n: int
    method: str
    warnings: tuple[CodedWarning, ...] = ()

    def _sentence(self) -> str:
        left = self.members(ALPHA)
        n, are = counted(len(self.names), "model"), agreeing(len(left), "is", "are")
        return (
            f"{self.best} has the best mean; {len(left)} of {n} {are} not significantly different from the best at "
            f"{percent_of(ALPHA)}: {briefly(left)}."
        )

    def members(self, alpha: float = 0.05) -> tuple[str, ...]:
        """The models that are not significantly different from the best, the model confidence set.

        Parameters
        ----------
        alpha : float, default=0.05
            The probability that one or more of the best models are missing, in (0, 1).

        Returns
        -------
        tuple of str
            Those without a p-value below `alpha`, in the order of `names`; never empty.

        Raises
        ------
        ValueError
            If `alpha` is not in (0, 1).
        """
        alpha = check_number(alpha, "alpha", low=0, high=1, closed="neither")
        return tuple(name for name, p in zip(self.names, self.pvalues, strict=True) if not p < alpha)

    def to_frame(self) -> Any:
        """One row per model as a pandas DataFrame; needs pandas."""
        columns = {"mean": self.means, "statistic": self.statistics, "pvalue": self.pvalues}
        return import_pandas().DataFrame(columns, index=list(self.names))


def model_confidence_set(
    scores: ArrayLike,
    *,
    test_fraction: float,
    greater_is_better: bool = True,
    names: Sequence[str] | None = None,
    overlap: float = 1.0,
) -> ModelConfidenceSet:
    r"""Which of many models are not significantly different from the best, after all of them were looked at.

    Picking the model with the best mean and testing the others against it finds differences where there are none: the
    best of many equal models was lucky. Here all pairs are compared under one error rate. Let :math:`t_{ij}` be the
    statistic of `corrected_t_test` for model j over model i. While the largest of them among the models that are left,
    :math:`t`, is significant for a set of that size, the model over which another has that lead leaves. This is
    the model confidence set of Hansen, Lunde and Nason (2011) with their statistic :math:`T_R` and elimination rule
    :math:`e_R`; the p-value of a model is the largest up to the step at which it would leave.

    Their bootstrap needs a long series, folds are few and overlap. Here the p-value of :math:`t` in a set of :math:`k`
    models on :math:`n` splits is

    .. math:: p = 1 - (1 - p_R)^{1 - r^2} (1 - p_I)^{r^2}, \quad r^2 = \frac{t^2}{t^2 + n - 1},

    where :math:`p_R` is the probability that the range of :math:`k` independent standard normal variables exceeds
    :math:`\sqrt 2 \, z`, with the normal quantile :math:`z` of the same tail as :math:`t` on :math:`n - 1` degrees of
    freedom, and :math:`p_I = 1 - (1 - p_1)^{k (k - 1) / 2}` takes the pairs, each with its two-sided p-value
    :math:`p_1`, for independent. The first holds for many splits. On few splits a large statistic owes more to
    a small standard error, which the pairs do not share; :math:`r^2` is how much of the squares of the differences the
    mean makes up, and with it the size is right (4.3% to 5.8% at 5%) for 2 to 50 exchangeable normal models on 3 to 50
    splits. Models of unequal variance or correlation make it smaller, as Tukey and Kramer conjectured of the range.
    For two models the p-value is that of the two-sided `corrected_t_test`, with ``overlap=0.4`` of `k_fold_t_test`.

    On small test sets accuracy moves in steps, and of many pairs some differ by the same number of steps on each of few
    splits. With three models or more no variance of a difference is therefore taken for less than
    :math:`\delta^2 / 6`, what rounding both scores to steps of width :math:`\delta` adds; the steps are read from the
    scores of splits on which three or more are different, and scores without steps are not affected. Without that 5
    folds of 12 samples found some of 50 equal models different in more than half of the data sets. Models that are
    equal on every split count as models, but change no statistic of another one.

    All models that are the best, one or several, are left with probability ``1 - alpha``. So each model that differs
    significantly is worse than the best, and one may say so of all of them and whichever model was picked. This is
    stricter than the comparisons with the best of Hsu (1984). They promise that any one of the best models is left, not
    that all are, for which smaller quantiles do: of several that are equally good they often exclude one. Neither
    allows for scores that are not normal. On real fits of 60 samples and more (`docs/benchmarks.md`) one or more of 10
    or 50 equal models were significantly different from the best in 0% to 4% of data sets at 5%, on one
    cross-validation with ``overlap=0.4`` in 0% to 6%. So a model that is not significantly different need not
    be nearly as good. With 10x10 folds of 20 samples, 2 per test fold, it was 14% with 10 and 24% with 50: too often.

    Parameters
    ----------
    scores : array_like of shape (n_splits, n_models)
        Scores of at least two models on the same splits, in any unit, in any order.
    test_fraction : float
        Test size over train plus test size, in [0, 1): 1/k for k-fold, repeated or not. 0 takes the splits for
        independent.
    greater_is_better : bool, default=True
        Direction of the scores.
    names : sequence of str, optional
        Names of the models, all different; ``"model 1"`` and so on by default.
    overlap : float, default=1
        The part of the correction that is taken, in [0, 1]: 0.4 on a single run of k-fold gives the standard error of
        `k_fold_t_test`, which an evaluation sets where that test is the default.

    Returns
    -------
    ModelConfidenceSet
        Equal models have equal p-values. A pair that differs by one value on all splits gives a warning, and of two
        models the p-value 0.

    Raises
    ------
    ValueError
        If the scores are not finite or of fewer than two models, the names are not all different or not one per model,
        or an option is out of range.

    See Also
    --------
    corrected_t_test : two models.
    selection_bias : by how much the mean of the best model is too high, since it was picked.

    References
    ----------
    P. R. Hansen, A. Lunde and J. M. Nason (2011), The model confidence set, Econometrica 79(2), 453-497,
    :doi:`10.3982/ECTA5771`.

    J. C. Hsu (1984), Constrained simultaneous confidence intervals for multiple comparisons with the best, Annals of
    Statistics 12(3), 1136-1144, :doi:`10.1214/aos/1176346732`.

    C. Nadeau and Y. Bengio (2003), Inference for the generalization error, Machine Learning 52, 239-281,
    :doi:`10.1023/A:1024068626366`.

    Examples
    --------
    >>> from skcompare.inference import model_confidence_set
    >>> scores = [[0.82, 0.80, 0.70], [0.79, 0.81, 0.69], [0.84, 0.82, 0.75], [0.80, 0.79, 0.71], [0.85, 0.84, 0.72]]
    >>> result = model_confidence_set(scores, test_fraction=1 / 5, names=["forest", "svm", "stump"])
    >>> result.best, result.members(0.05)
    ('forest', ('forest', 'svm'))
    """
    return confidence_set(
        scores,
        test_fraction=test_fraction,
        overlap=overlap,
        greater_is_better=greater_is_better,
        names=names,
        certain=True,
    )


def confidence_set(
    scores: ArrayLike,
    *,
    test_fraction: float,
    overlap: float,
    greater_is_better: bool = True,
    names: Sequence[str] | None = None,
    certain: bool = False,
) -> ModelConfidenceSet:
    """The same; unless they are `certain`, differences that do not vary speak against no model."""
    fraction = check_number(test_fraction, "test_fraction", low=0, high=1, closed="left")
    part, table = check_overlap(overlap), check_splits(scores, greater_is_better, names)
    n = table.oriented.shape[1]
    leads = largest_leads(table, fraction, part, certain=certain) if n > 1 else None
    unknown = np.full(len(table.names), np.nan)
    return ModelConfidenceSet(
        names=table.names,
        means=table.means,
        pvalues=unknown if leads is None else _step_down(leads.statistics, n - 1),
        statistics=unknown.copy() if leads is None else leads.statistics,
        best=table.names[table.best],
        n=n,
        method=f"model confidence set of corrected t tests ({correction_words(fraction, part)})",
        warnings=_warnings(leads, table.names, certain=certain),
    )


def _step_down(leads: FloatArray, df: int) -> FloatArray:
    """Adjusted p-values from the largest t over each model: the one with the largest leaves first.

    Leads need not be looked for again: standard errors obey the triangle inequality, so that the leader of a model that
    leaves has at least as large a t over those that it led.
    """
    order = np.argsort(-leads, kind="stable")[:-1]
    pvalues = np.ones(len(leads))
    pvalues[order] = np.maximum.accumulate(_set_pvalues(leads[order], df))
    return pvalues


def pvalues_against_best(
    found: ModelConfidenceSet, scores: FloatArray, *, test_fraction: float, overlap: float
) -> FloatArray:
    """P-values of the best model against each other one, adjusted as in the set and at least those of the set.

    A model may leave the set because of another one than the best, over which it is not behind by as much. `scores` are
    those of the set.
    """
    table = check_splits(scores, True, found.names)
    order = np.argsort(-found.statistics, kind="stable")[:-1]
    t = over_each(table, table.best, test_fraction, overlap)[order]
    pvalues = np.ones(len(found.names))
    pvalues[order] = np.maximum(found.pvalues[order], _set_pvalues(t, found.n - 1))
    pvalues[table.best] = 1.0
    return pvalues


def _set_pvalues(t: FloatArray, df: int) -> FloatArray:
    """P-values of the largest t in sets of shrinking size, the last of two models."""
    sizes = np.arange(len(t) + 1, 1, -1)
    tail = special.stdtr(df, -t)
    ranges = -special.ndtri(tail) * 2**0.5
    together = studentized_range_pvalue(ranges, sizes)
    with np.errstate(divide="ignore", over="ignore"):
        share = 1 / (1 + df / t**2)
    n_pairs = sizes * (sizes - 1) / 2
    log_none = special.xlog1py(1 - share, -together) + special.xlog1py(share * n_pairs, -2 * tail)
    return np.asarray(np.abs(np.expm1(log_none)))


def _warnings(leads: Leads | None, names: tuple[str, ...], *, certain: bool) -> tuple[CodedWarning, ...]:
    if leads is None:
        return (Code.TOO_FEW("a test needs a sample of at least 2 values."),)
    if leads.n_constant == comb(len(names), 2) and not leads.n_fixed:
        return (Code.NO_DIFFERENCE("the scores of the models are equal on every split."),)
    if leads.first_fixed is None:
        return ()
    a, b = (names[i] for i in leads.first_fixed)
    more = f", nor do those of {counted(leads.n_fixed - 1, 'more pair')}" if leads.n_fixed > 1 else ""
    taken = "the test takes them as certain, but on other data they may vary" if certain else "they are not tested"
    return (Code.ZERO_VARIANCE(f"the differences of {a!r} and {b!r} do not vary{more}: {taken}.", about=(a, b)),)
