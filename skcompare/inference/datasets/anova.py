"""Analysis of variance of many models on many data sets, or on the splits of one."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.numbers import ALPHA
from skcompare._core.validation import FloatArray, Names, check_bool, check_choice
from skcompare._core.warnings import Code
from skcompare.inference._distributions import studentized_range_quantile
from skcompare.inference._records import Correction, check_correction, f_pvalue, greenhouse_geisser, power_of_two
from skcompare.inference.datasets import pairwise
from skcompare.inference.datasets import scores as omnibus

Sphericity = Literal["greenhouse_geisser", "huynh_feldt"]

CERTAIN = Code.ZERO_VARIANCE("the residuals are all 0, so nothing tells how sure the differences between models are.")
_CORRECTIONS = {
    None: "",
    "greenhouse_geisser": ", Greenhouse and Geisser's correction",
    "huynh_feldt": ", Huynh and Feldt's correction",
}


def anova_test(
    scores: ArrayLike,
    *,
    repeated: bool = True,
    sphericity: Sphericity | None = "greenhouse_geisser",
    greater_is_better: bool = True,
    names: Names = None,
    test_fraction: float = 0.0,
    overlap: float = 1.0,
) -> omnibus.OmnibusResult:
    r"""Test that many models have equal mean scores on many data sets (analysis of variance).

    With score :math:`x_{ij}` of model j of k on data set i of N, means :math:`m_j` of models, :math:`s_i` of data sets
    and m of all,

    .. math:: F = \frac{N \sum_j (m_j - m)^2 / (k - 1)}{\sum_{ij} (x_{ij} - s_i - m_j + m)^2 / ((k - 1)(N - 1))}

    on :math:`k - 1` and :math:`(k - 1)(N - 1)` degrees of freedom (repeated measures). That distribution holds only if
    the differences between any two models have one variance (sphericity), which models of different kinds do not have
    as a rule; the p-value is too small otherwise. Both degrees of freedom are therefore multiplied by an estimate of
    :math:`\epsilon`, in :math:`[1 / (k - 1), 1]` and 1 under sphericity. Greenhouse and Geisser's (1959) is, with W
    the covariance matrix of the scores less their data set's mean,

    .. math:: \hat\epsilon = \frac{(\operatorname{tr} W)^2}{(k - 1) \operatorname{tr} W^2},

    and errs towards large p-values where data sets are few; Huynh and Feldt's (1976) is

    .. math:: \tilde\epsilon = \min\left(1,
              \frac{N (k - 1) \hat\epsilon - 2}{(k - 1)(N - 1 - (k - 1) \hat\epsilon)}\right)

    and errs the other way. For two models there is nothing to correct, and F is the square of the paired t.

    The means of scores are compared, so a difference of one size must mean the same on all data sets, and outlying
    data sets weigh heavily.

    On N splits of one data set F is divided by :math:`1 + N \rho / (1 - \rho)` with the test fraction :math:`\rho`, as
    splits share training samples: for two models it is then the square of `corrected_t_test`.
    That all models are equal may be rejected where no pair differs significantly, and the other way round.

    Parameters
    ----------
    scores : array_like of shape (n_datasets, n_models)
        One score per data set, or per split with a `test_fraction`, and model, at least two models, all in the same
        units.
    repeated : bool, default=True
        Whether the models share the data sets. False takes each model's scores as an independent sample (one-way
        analysis of variance, on :math:`k - 1` and :math:`k (N - 1)` degrees of freedom), which misses differences
        that every data set shows; it is offered because it is often asked for.
    sphericity : {"greenhouse_geisser", "huynh_feldt"} or None, default="greenhouse_geisser"
        Correction of the degrees of freedom. None assumes sphericity; so does one-way analysis, which ignores this.
    greater_is_better : bool, default=True
        Whether the greater score is the better one. The result does not depend on it.
    names : sequence of str, optional
        The models.
    test_fraction : float, default=0
        Of scores on the splits of one data set, which then stand in the place of data sets: test size over train plus
        test size, in [0, 1), 1/k for k-fold, repeated or not. 0 takes the rows for independent, as data sets are.
    overlap : float, default=1
        The part of the correction for splits that is taken, in [0, 1]: 0.4 on a single run of k-fold gives the variance
        of `k_fold_t_test`, which an evaluation sets where that test is the default.

    Returns
    -------
    OmnibusResult
        Its `effect_size` is partial eta squared, the sum of squares of models over itself plus the residual one (eta
        squared for one-way analysis), and its `means` are the mean scores as given. :math:`\epsilon` is ``df[0] / (k -
        1)``. With p-value 1 and the warning NO_DIFFERENCE where all models are equal on every data set; with p-value 0
        and ZERO_VARIANCE where the denominator of F alone is 0; with nan and TOO_LITTLE_DATA for one data set or split;
        with PAIRING_IGNORED for one-way analysis.

    Raises
    ------
    ValueError
        If the scores are not finite or of another shape, an option is not what it should be, or `repeated` is False
        with a `test_fraction`.

    See Also
    --------
    friedman_test : from ranks, with fewer assumptions.
    contrast_test : some differences between models, such as the interaction of two factors.

    References
    ----------
    S. W. Greenhouse and S. Geisser (1959), On methods in the analysis of profile data, Psychometrika 24, 95-112,
    :doi:`10.1007/BF02289823`.

    H. Huynh and L. S. Feldt (1976), Estimation of the Box correction for degrees of freedom from sample data in
    randomized block and split-plot designs, Journal of Educational Statistics 1, 69-82,
    :doi:`10.3102/10769986001001069`.

    J. Demsar (2006), Statistical comparisons of classifiers over multiple data sets, Journal of Machine Learning
    Research 7, 1-30: section 3.2.1, on why the assumptions rarely hold.

    Examples
    --------
    >>> from skcompare.inference import anova_test
    >>> scores = [[24.5, 28.4, 26.1], [23.5, 34.2, 28.3], [26.4, 29.5, 24.3], [27.1, 32.2, 26.2], [29.9, 30.1, 27.8]]
    >>> result = anova_test(scores)
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (7.3711, 0.0357)
    >>> round(anova_test(scores, sphericity=None).pvalue, 4)
    0.0153

    The same five rows, were they the folds of one data set:

    >>> on_folds = anova_test(scores, test_fraction=1 / 5)
    >>> round(on_folds.statistic, 4), round(on_folds.pvalue, 4)
    (3.276, 0.125)
    """
    correction = _paired_correction(repeated, test_fraction, overlap)
    if sphericity is not None:
        check_choice(sphericity, "sphericity", get_args(Sphericity))
    table = omnibus.check_table(scores, greater_is_better, names, matrices=8, correction=correction)
    n, k = table.n_datasets, table.n_models
    effects, residuals = _parts(table, repeated)
    between, within = n * float((effects**2).sum()), float((residuals**2).sum())
    factor = _epsilon(residuals, sphericity) if repeated and within > 0 else 1.0
    # the ratio of the two does not depend on the factor
    df = (factor * (k - 1), factor * (k - 1) * (n - 1) if repeated else k * (n - 1.0))
    degenerate = omnibus.degenerate_answer(table.ranks(), correction.case)
    statistic, pvalue, warnings = degenerate or (0.0, 1.0, ())
    if degenerate is None and between and within == 0:
        statistic, pvalue, warnings = np.inf, 0.0, (CERTAIN,)
    elif degenerate is None and between:
        statistic = between / (n * correction.variance(n)) / within * (df[1] / df[0])
        pvalue = f_pvalue(statistic, df)
    unit, sign = power_of_two(table.values), 1 if greater_is_better else -1
    means = sign * (table.values / unit).mean(axis=0) * unit
    method = f"repeated-measures ANOVA{_CORRECTIONS[sphericity]}{correction.suffix}" if repeated else "one-way ANOVA"
    effect = ("partial eta squared" if repeated else "eta squared", between / (between + within) if between else 0.0)
    warnings = warnings if repeated else (omnibus.PAIRING_IGNORED, *warnings)
    of = omnibus.SCORE if greater_is_better else omnibus.LESS_IS_BETTER
    return table.omnibus(method, (statistic, pvalue, warnings), df, effect, (of, means))


def _paired_correction(repeated: bool, test_fraction: float, overlap: float) -> Correction:
    """The correction, or ValueError for splits, on which all models are trained, that are taken for unpaired."""
    check_bool(repeated, "repeated")
    correction = check_correction(test_fraction, overlap)
    if not repeated and correction.test_fraction:
        raise ValueError(
            f"repeated must be True on splits, which the models share; got False with "
            f"test_fraction={correction.test_fraction:g}"
        )
    return correction


def _parts(table: omnibus.DataSetScores, repeated: bool) -> tuple[FloatArray, FloatArray]:
    """Effects of the models, shape (n_models,), and residuals, shape (n_datasets, n_models), times one factor.

    What is rounding is 0 in both.
    """
    unit = power_of_two(table.values)
    values, noise = table.values / unit, table.noise / unit
    aligned = values - values.mean(axis=1, keepdims=True)
    aligned[np.abs(aligned) <= noise[:, None]] = 0.0
    effects = aligned.mean(axis=0)
    effects -= effects.mean()
    if repeated:
        noise = noise[aligned.any(axis=1)]
        residuals = aligned - aligned.mean(axis=0)
    else:
        residuals = values - values.mean(axis=0)
    rounding = noise.max(initial=0.0)
    for part in (effects, residuals):
        part[np.abs(part) <= rounding] = 0.0
    factor = power_of_two(np.append(effects, residuals))
    return effects / factor, residuals / factor


def _epsilon(residuals: FloatArray, sphericity: str | None) -> float:
    """Estimated departure from sphericity, 1 for none, from the residuals that also have no data set's mean."""
    n, k = residuals.shape
    if sphericity is None:
        return 1.0
    estimate = greenhouse_geisser(residuals.T @ residuals, k - 1)
    # with two data sets Huynh and Feldt's estimate is 0 over 0
    if sphericity == "greenhouse_geisser" or n == 2:
        return estimate
    above, below = n * (k - 1) * estimate - 2, (k - 1) * (n - 1 - (k - 1) * estimate)
    return max(estimate, min(1.0, above / below)) if below > 1e-12 * n * k else 1.0


# Tukey's test of all pairs of many models on many data sets, or on the splits of one.


_EQUAL = Code.ZERO_VARIANCE("the differences between models do not vary, so nothing tells how sure they are.")
SPHERICITY = Code.NOT_AT_LEVEL(
    "it takes the differences of any two models to vary equally; where one model varies more than others "
    "it rejects too often."
)


def tukey_test(
    scores: ArrayLike,
    *,
    repeated: bool = True,
    greater_is_better: bool = True,
    names: Names = None,
    test_fraction: float = 0.0,
    overlap: float = 1.0,
) -> pairwise.PairwiseResult:
    r"""Test every pair of models by the difference of their mean scores, all pairs at once (Tukey's test).

    It belongs to `anova_test`. With score :math:`x_{ij}` of model j of k on data set i of N, means :math:`m_j` of
    models, :math:`s_i` of data sets and m of all,

    .. math:: q = \frac{m_i - m_j}{\sqrt{E / N}}, \quad
              E = \frac{\sum_{ij} (x_{ij} - s_i - m_j + m)^2}{(k - 1)(N - 1)}

    is referred to the studentized range of k means with :math:`(k - 1)(N - 1)` degrees of freedom, so the p-values need
    no adjustment. Two models differ at 5% if their means differ by `critical_difference` or more, and differences of
    means plus and minus it are simultaneous 95% intervals; ``confidence_interval`` has those of any level. For two
    models it is the paired t test.

    On N splits of one data set :math:`E / N` is :math:`E (1 / N + \rho / (1 - \rho))` with the test fraction
    :math:`\rho`, as splits share training samples: for two models it is then `corrected_t_test`.

    One variance serves all pairs: it holds only if the differences between any two models have one variance
    (sphericity), which models of different kinds do not have as a rule. A difference of one size must mean the same
    on all data sets, and outlying data sets weigh heavily.

    Parameters
    ----------
    scores : array_like of shape (n_datasets, n_models)
        One score per data set, or per split with a `test_fraction`, and model, at least two models, all in the same
        units.
    repeated : bool, default=True
        Whether the models share the data sets. False takes each model's scores as an independent sample (Tukey's
        honestly significant difference, on :math:`k (N - 1)` degrees of freedom), which misses differences that every
        data set shows; it is offered because it is often asked for.
    greater_is_better : bool, default=True
        Whether the greater score is the better one.
    names : sequence of str, optional
        The models.
    test_fraction : float, default=0
        Of scores on the splits of one data set, which then stand in the place of data sets: test size over train plus
        test size, in [0, 1), 1/k for k-fold, repeated or not. 0 takes the rows for independent, as data sets are.
    overlap : float, default=1
        The part of the correction for splits that is taken, in [0, 1]: 0.4 on a single run of k-fold gives the variance
        of `k_fold_t_test`, which an evaluation sets where that test is the default.

    Returns
    -------
    PairwiseResult
        The statistic is q; estimates are differences of mean scores, positive where i is the better model. With
        p-values 1 and the warning NO_DIFFERENCE where all models are equal on every data set; with p-value 0, where
        the means differ, and ZERO_VARIANCE where E is 0; with nan and TOO_LITTLE_DATA for one data set or split; with
        PAIRING_IGNORED where `repeated` is False.

    Raises
    ------
    ValueError
        If the scores are not finite or of another shape, an option is not what it should be, or `repeated` is False
        with a `test_fraction`.

    See Also
    --------
    nemenyi_test : the same on ranks, with fewer assumptions.

    References
    ----------
    J. W. Tukey (1949), Comparing individual means in the analysis of variance, Biometrics 5(2), 99-114,
    :doi:`10.2307/3001913`.

    J. Demsar (2006), Statistical comparisons of classifiers over multiple data sets, Journal of Machine Learning
    Research 7, 1-30.

    Examples
    --------
    >>> from skcompare.inference import tukey_test
    >>> scores = [[24.5, 28.4, 26.1], [23.5, 34.2, 28.3], [26.4, 29.5, 24.3], [27.1, 32.2, 26.2], [29.9, 30.1, 27.8]]
    >>> result = tukey_test(scores)
    >>> round(result.critical_difference, 2), result.estimates[1].round(2).tolist()
    (3.85, [4.6, 0.0, 4.34])
    >>> result.pvalues[1].round(4).tolist()
    [0.0221, 1.0, 0.0293]
    >>> intervals = result.confidence_interval(0.95)
    >>> intervals.low[1].round(2).tolist(), intervals.high[1].round(2).tolist()
    ([0.75, 0.0, 0.49], [8.45, 0.0, 8.19])

    Model 2 is the best, and either of the others may be second:

    >>> result.rank().low.tolist(), result.rank().high.tolist()
    ([2, 1, 2], [3, 1, 3])
    """
    correction = _paired_correction(repeated, test_fraction, overlap)
    table = omnibus.check_table(scores, greater_is_better, names, matrices=8, correction=correction)
    n, k = table.n_datasets, table.n_models
    scale = float(np.abs(table.values).max()) or 1.0
    values, rounding = table.values / scale, (table.noise / scale).max()
    means = values.mean(axis=0)
    estimates = means[:, None] - means[None, :]
    estimates[np.abs(estimates) <= rounding] = 0.0
    residuals = values - means
    if repeated:
        residuals = residuals - residuals.mean(axis=1, keepdims=True)
    squares = 0.0 if np.abs(residuals).max() <= rounding else float((residuals**2).sum())
    df = (k - 1.0) * (n - 1) if repeated else k * (n - 1.0)
    standard_error = float(np.sqrt(squares / max(df, 1.0) * correction.variance(n)))
    statistics = pairwise.standardised(estimates, standard_error)
    pvalues = pairwise.studentized_range_pvalues(statistics, max(df, 1.0))
    warnings = pairwise.rank_warnings(table, standard_error, _EQUAL)
    varies = standard_error > 0 and n > 1
    return pairwise.result_of_pairs(
        table,
        (statistics, pvalues, pvalues.copy()),
        estimates * scale,
        "score",
        critical_difference=studentized_range_quantile(ALPHA, k, df) * standard_error * scale if varies else np.nan,
        correction=pairwise.STUDENTIZED_RANGE,
        standard_error=standard_error * scale,
        df=df,
        method="Tukey test, " + ("repeated measures" if repeated else "one-way") + correction.suffix,
        warnings=(SPHERICITY if repeated else omnibus.PAIRING_IGNORED, *warnings),
    )
