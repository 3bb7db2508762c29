"""The corrected resampled t test."""

from __future__ import annotations

from numbers import Real
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core import validation
from skcompare._core.validation import Alternative, FloatArray
from skcompare._core.warnings import Code, Warnings
from skcompare.inference import _records as records
from skcompare.inference._records import OVERLAP, Correction, check_correction


def corrected_t_test(
    a: ArrayLike, b: ArrayLike, *, test_fraction: float, alternative: Alternative = "two-sided", null: float = 0.0
) -> records.TTestResult:
    r"""Corrected resampled t test, for scores of any resampling of one data set.

    Training sets overlap, so the differences :math:`d = a - b` of :math:`n` splits are correlated. With the
    correlation taken as :math:`\rho = n_2 / (n_1 + n_2)`, the fraction of the samples in a test set,

    .. math:: t = \bar d \Big/ \sqrt{s_d^2 \left(\frac 1 n + \frac{\rho}{1 - \rho}\right)}

    on :math:`n - 1` degrees of freedom (Nadeau and Bengio 2003; for repeated k-fold
    cross-validation Bouckaert and Frank 2004, section 3.3).

    Parameters
    ----------
    a, b : array_like of shape (n,) or (n_repeats, n_folds)
        Scores of the two models on the same splits, in any unit, larger better.
    test_fraction : float
        Test size over train plus test size, in [0, 1): 1/k for k-fold, repeated or not. 0 gives the
        uncorrected paired t test.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: the mean of ``a - b`` is positive.
    null : float, default=0
        The difference ``a - b`` under the null hypothesis, in the units of `estimate`: what is tested is whether the
        true one differs from it, exceeds it (``"greater"``) or falls below it. With a positive one ``"greater"`` tests
        superiority by a margin, with a negative one non-inferiority.

    Returns
    -------
    TTestResult
        Its interval has the same corrected variance.

    Raises
    ------
    ValueError
        If the scores are not finite or not paired, `test_fraction` is outside [0, 1) or `alternative`
        unknown.

    References
    ----------
    C. Nadeau and Y. Bengio (2003), Inference for the generalization error, Machine Learning 52, 239-281,
    :doi:`10.1023/A:1024068626366`.

    R. R. Bouckaert and E. Frank (2004), Evaluating the replicability of significance tests for comparing
    learning algorithms, PAKDD, LNCS 3056, 3-12, :doi:`10.1007/978-3-540-24775-3_3`.

    Examples
    --------
    >>> from skcompare.inference import corrected_t_test
    >>> a = [0.82, 0.83, 0.79, 0.84, 0.80, 0.85, 0.81, 0.83, 0.82, 0.81]
    >>> result = corrected_t_test(a, [0.80] * 10, test_fraction=1 / 10)
    >>> round(result.estimate, 4), round(result.pvalue, 4)
    (0.02, 0.0409)
    """
    against = validation.check_hypothesis(alternative, null)
    correction = check_correction(test_fraction)
    return records.corrected_t(records.paired_differences(*validation.check_pair(a, b)), correction, against)


# The t test for one run of k-fold cross-validation, with the correlation of its folds as measured.


METHOD = "k-fold t test"


def k_fold_t_test(
    a: ArrayLike, b: ArrayLike, *, test_fraction: float, alternative: Alternative = "two-sided", null: float = 0.0
) -> records.TTestResult:
    r"""Corrected t test for a single run of k-fold cross-validation.

    The correction of `corrected_t_test` is made for test sets that overlap as well as training sets. The folds of one
    run share no test sample, and it takes their differences :math:`d = a - b` for more alike than they are: at a
    nominal 5% it rejects 2% of true nulls. Here the correction is scaled down to what simulations show,

    .. math:: t = \bar d \Big/ \sqrt{s_d^2 \left(\frac 1 k + 0.4 \, \frac{\rho}{1 - \rho}\right)}, \qquad
        \rho = \frac{n_2}{n_1 + n_2}

    on :math:`k - 1` degrees of freedom. With 0 in place of 0.4 this is the paired t test, with 1 the correction of
    Nadeau and Bengio (2003). The one factor keeps all levels: over five learners, 60 to 1,000 samples and two balances
    of the classes the mean size at 1%, 5% and 10% is close to nominal at k = 5 and k = 10.

    An evaluation of one run sets the same factor, ``overlap=0.4``, for what stands beside this test:
    `equivalence_test`, `correlated_t_posterior`, `model_confidence_set`, `intersection_union_test`, `max_t_test`,
    `hotelling_test` and `pareto_front`, and by the correlation that belongs to it the `effective_cases` of the
    dominance tests; searches and refit rules go by it too. Three keep the whole correction: the intervals of the
    models' own scores and `fold_error_rate_test`, whose folds are more alike than those of differences, and the looks
    of `StopRule`, for which one repeat is the first of several.

    Parameters
    ----------
    a, b : array_like of shape (n_folds,)
        Scores of the two models on the folds of one run, in any unit, larger better.
    test_fraction : float
        Test size over train plus test size, in (0, 1): 1/k.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: the mean of ``a - b`` is positive.
    null : float, default=0
        The difference ``a - b`` under the null hypothesis, in the units of `estimate`: what is tested is whether the
        true one differs from it, exceeds it (``"greater"``) or falls below it. With a positive one ``"greater"`` tests
        superiority by a margin, with a negative one non-inferiority.

    Returns
    -------
    TTestResult
        Its interval has the same variance.

    Raises
    ------
    ValueError
        If the scores are not finite, not paired or not one-dimensional, `test_fraction` is outside (0, 1) or
        `alternative` unknown.

    See Also
    --------
    corrected_t_test : for repeated k-fold, and test sets that overlap.

    References
    ----------
    C. Nadeau and Y. Bengio (2003), Inference for the generalization error, Machine Learning 52, 239-281,
    :doi:`10.1023/A:1024068626366`.

    Y. Bengio and Y. Grandvalet (2004), No unbiased estimator of the variance of k-fold cross-validation, JMLR 5,
    1089-1105.

    Examples
    --------
    >>> from skcompare.inference import k_fold_t_test
    >>> a = [0.82, 0.83, 0.79, 0.84, 0.80, 0.85, 0.81, 0.83, 0.82, 0.81]
    >>> result = k_fold_t_test(a, [0.80] * 10, test_fraction=1 / 10)
    >>> round(result.estimate, 4), round(result.pvalue, 4)
    (0.02, 0.0181)
    """
    against = validation.check_hypothesis(alternative, null)
    fraction = validation.check_number(test_fraction, "test_fraction", low=0, high=1, closed="neither")
    differences = records.paired_differences(*validation.check_pair(a, b, ndim=(1,)))
    return records.corrected_t(differences, Correction(test_fraction=fraction, overlap=OVERLAP), against, METHOD)


# The paired t test that takes folds for independent.


TOO_LIBERAL = Code.INDEPENDENCE(
    "the folds are taken for independent, and they are not: true nulls are rejected in about "
    "10% of cases on 10 folds and in more than 50% on 10x10 folds at a nominal 5%. Use k_fold_t_test on one run "
    "of folds, corrected_t_test on others."
)


def paired_t_test(
    a: ArrayLike, b: ArrayLike, *, alternative: Alternative = "two-sided", null: float = 0.0
) -> records.TTestResult:
    r"""Paired t test on fold scores, kept as a reference: it rejects too often.

    With :math:`d = a - b` over :math:`n` folds and :math:`s_d` the standard deviation of the differences,

    .. math:: t = \bar d \Big/ \sqrt{s_d^2 / n}

    on :math:`n - 1` degrees of freedom (Dietterich 1998, "k-fold cross-validated paired t test"; over random splits,
    his "resampled paired t test").

    Parameters
    ----------
    a, b : array_like of shape (n,) or (n_repeats, n_folds)
        Scores of the two models on the same folds, in any unit, larger better.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: the mean of ``a - b`` is positive.
    null : float, default=0
        The difference ``a - b`` under the null hypothesis, in the units of `estimate`: what is tested is whether the
        true one differs from it, exceeds it (``"greater"``) or falls below it. With a positive one ``"greater"`` tests
        superiority by a margin, with a negative one non-inferiority.

    Returns
    -------
    TTestResult
        With a warning: the test takes the folds for independent.

    Raises
    ------
    ValueError
        If the scores are not finite or not paired, or `alternative` is unknown.

    See Also
    --------
    corrected_t_test : the same with the correlation between folds allowed for.

    References
    ----------
    Student (1908), The probable error of a mean, Biometrika 6(1), 1-25, :doi:`10.1093/biomet/6.1.1`.

    T. G. Dietterich (1998), Approximate statistical tests for comparing supervised classification learning
    algorithms, Neural Computation 10(7), 1895-1923, :doi:`10.1162/089976698300017197`.

    Examples
    --------
    >>> from skcompare.inference import paired_t_test
    >>> result = paired_t_test([0.92, 0.90, 0.91, 0.93, 0.91], [0.90, 0.90, 0.92, 0.90, 0.89])
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (1.633, 0.1778)
    """
    against = validation.check_hypothesis(alternative, null)
    d = records.paired_differences(*validation.check_pair(a, b))
    n = d.values.size
    return records.t_test(d, d.std / n**0.5, n - 1.0, against, method="paired t test", warnings=(TOO_LIBERAL,))


# Bouckaert's calibrated t tests on repeated k-fold cross-validation.


Scheme = Literal["all", "folds", "runs", "sorted_runs"]

# Measured on 10x10 cross-validation. "all" and "sorted_runs" keep their size at every level with these;
# "folds" and "runs" have no one value that does.
DEFAULT_DF: dict[str, float] = {"all": 10.0, "sorted_runs": 10.0, "folds": 2.0, "runs": 2.0}
CALIBRATED_SHAPE = (10, 10)


def calibrated_t_test(
    a: ArrayLike,
    b: ArrayLike,
    *,
    scheme: Scheme = "all",
    df: float | None = None,
    alternative: Alternative = "two-sided",
    null: float = 0.0,
) -> records.TTestResult:
    r"""Calibrated t test on repeated k-fold cross-validation.

    The degrees of freedom are not counted but calibrated: the value at which simulated true nulls are
    rejected as often as they should be. They enter both the scale and the reference distribution,

    .. math:: t = \bar x \sqrt{\mathrm{df} + 1} \,/\, s,

    where :math:`x` is the sample that `scheme` makes from the differences ``a - b`` and :math:`s` its
    standard deviation (Bouckaert 2003). The mean is the same in all four schemes.

    Parameters
    ----------
    a, b : array_like of shape (n_repeats, n_folds)
        Scores of the two models on the same folds, larger better; a row is one run of k-fold. For ``"all"`` also of
        shape (n_splits,), of any resampling.
    scheme : {"all", "folds", "runs", "sorted_runs"}, default="all"
        The sample: all differences; per run, the mean over its folds; per fold index, the mean over the
        runs; the last after sorting the differences within each run.
    df : float, optional
        Degrees of freedom, positive and real. The default is 10 for ``"all"`` and ``"sorted_runs"``, as
        calibrated for 10x10, and 2 for ``"folds"`` and ``"runs"``, which no value calibrates well. `calibrate` finds
        them for other designs.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: the mean of ``a - b`` is positive.
    null : float, default=0
        The difference ``a - b`` under the null hypothesis, in the units of `estimate`: what is tested is whether the
        true one differs from it, exceeds it (``"greater"``) or falls below it. With a positive one ``"greater"`` tests
        superiority by a margin, with a negative one non-inferiority.

    Returns
    -------
    TTestResult
        With a warning where `df` was not calibrated for the shape or the scheme.

    Raises
    ------
    ValueError
        If the scores are not finite and paired, have another number of dimensions, or an option is out of range.

    References
    ----------
    R. R. Bouckaert (2003), Choosing between two learning algorithms based on calibrated tests, ICML, 51-58.

    R. R. Bouckaert (2004), Estimating replicability of classifier learning experiments, ICML,
    :doi:`10.1145/1015330.1015338`.

    Examples
    --------
    >>> import numpy as np
    >>> from skcompare.inference import calibrated_t_test
    >>> d = np.round(np.random.default_rng(42).normal(0.02, 0.05, (10, 10)), 3)
    >>> result = calibrated_t_test(d, np.zeros((10, 10)), scheme="sorted_runs")
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (1.5986, 0.141)
    """
    against = validation.check_hypothesis(alternative, null)
    validation.check_choice(scheme, "scheme", get_args(Scheme))
    given = df is not None
    df = validation.check_number(DEFAULT_DF[scheme] if df is None else df, "df", low=0, high=np.inf, closed="neither")
    a, b = validation.check_pair(a, b, ndim=(1, 2) if scheme == "all" else (2,))
    d = records.paired_differences(a, b)
    warnings: Warnings = ()
    if scheme in ("folds", "runs"):
        told = f"no df gives scheme {scheme!r} its nominal size at every level; use 'all' or 'sorted_runs'."
        warnings = (Code.NOT_CALIBRATED(told),)
    elif not given and a.shape != CALIBRATED_SHAPE:
        own = "x".join(map(str, a.shape)) if a.ndim == 2 else f"{a.size} splits"
        warnings = (Code.NOT_CALIBRATED(f"df 10 was calibrated for 10x10 folds, not for {own}."),)
    error = records.sample_std(sample(d.values[np.newaxis], scheme)[0], d.noise) / (df + 1) ** 0.5
    method, effect = f"calibrated t test (scheme {scheme}, df {df:g})", None if scheme == "all" else float("nan")
    return records.t_test(d, error, df, against, method=method, warnings=warnings, effect_size=effect)


def sample(d: FloatArray, scheme: str) -> FloatArray:
    """The samples of Bouckaert (2003) from differences of shape (n_datasets, n_repeats, n_folds), a row of each."""
    if scheme == "all":
        return d.reshape(len(d), -1)
    return np.asarray((np.sort(d, axis=2) if scheme == "sorted_runs" else d).mean(axis=2 if scheme == "folds" else 1))


# Dietterich's 5x2cv paired t test.


def five_by_two_t_test(
    a: ArrayLike, b: ArrayLike, *, alternative: Alternative = "two-sided", null: float = 0.0
) -> records.TTestResult:
    r"""5x2cv paired t test.

    With :math:`p_i^{(j)}` the difference ``a - b`` in repeat :math:`i`, fold :math:`j`, and :math:`s_i^2` the
    sum of squares of the two differences of repeat :math:`i` around their mean,

    .. math:: t = p_1^{(1)} \Big/ \sqrt{\tfrac 1 5 \sum_{i=1}^5 s_i^2}

    on 5 degrees of freedom (Dietterich 1998). Its numerator is the difference of the first fold
    alone: the result depends on the order of the folds.

    Parameters
    ----------
    a, b : array_like of shape (5, 2)
        Scores of the two models on the same folds, larger better; a row is one repeat of 2-fold.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: the mean of ``a - b`` is positive.
    null : float, default=0
        The difference ``a - b`` under the null hypothesis, in the units of `estimate`: what is tested is whether the
        true one differs from it, exceeds it (``"greater"``) or falls below it. With a positive one ``"greater"`` tests
        superiority by a margin, with a negative one non-inferiority.

    Returns
    -------
    TTestResult
        `estimate`, and the interval around it, is the first fold's difference; the mean of all ten is
        `mean_difference`.

    Raises
    ------
    ValueError
        If the scores are not finite, not paired or not of shape (5, 2), or `alternative` is unknown.

    References
    ----------
    T. G. Dietterich (1998), Approximate statistical tests for comparing supervised classification learning
    algorithms, Neural Computation 10(7), 1895-1923, :doi:`10.1162/089976698300017197`.

    Examples
    --------
    >>> from skcompare.inference import five_by_two_t_test
    >>> a = [[0.83, 0.81], [0.82, 0.84], [0.80, 0.82], [0.85, 0.81], [0.82, 0.82]]
    >>> result = five_by_two_t_test(a, [[0.80, 0.80]] * 5)
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (1.7928, 0.133)
    """
    against = validation.check_hypothesis(alternative, null)
    d = records.paired_differences(*validation.check_pair(a, b, ndim=(2,), shape=(5, 2)))
    return records.t_test(d, repeat_std(d), 5.0, against, method="5x2cv paired t test", estimate=float(d.values[0, 0]))


def repeat_std(d: records.Differences) -> float:
    """Root mean square of Dietterich's s_i; 0 where the folds of no repeat differ by more than rounding."""
    gaps = d.values[:, 0] - d.values[:, 1]
    if np.abs(gaps).max() <= d.noise:
        return 0.0
    unit = records.power_of_two(gaps)
    # two values around their mean: s_i^2 = (p1 - p2)^2 / 2
    return float((((gaps / unit) ** 2).mean() / 2) ** 0.5 * unit)


# Alpaydin's combined 5x2cv F test.


def five_by_two_f_test(a: ArrayLike, b: ArrayLike, *, alternative: Alternative = "two-sided") -> records.FTestResult:
    r"""Combined 5x2cv F test.

    With :math:`p_i^{(j)}` and :math:`s_i^2` as in :func:`five_by_two_t_test`,

    .. math:: f = \sum_{i=1}^5 \sum_{j=1}^2 \left(p_i^{(j)}\right)^2 \Big/ \left(2 \sum_{i=1}^5 s_i^2\right)

    on 10 and 5 degrees of freedom (Alpaydin 1999). Unlike the 5x2cv t test it does not depend on
    the order of the folds.

    Parameters
    ----------
    a, b : array_like of shape (5, 2)
        Scores of the two models on the same folds, larger better; a row is one repeat of 2-fold.
    alternative : {"two-sided"}, default="two-sided"
        An F test has no direction; no other value is accepted.

    Returns
    -------
    FTestResult
        `estimate` is the mean of all ten differences; there is no interval.

    Raises
    ------
    ValueError
        If the scores are not finite, not paired or not of shape (5, 2), or `alternative` is one-sided.

    References
    ----------
    E. Alpaydin (1999), Combined 5x2 cv F test for comparing supervised classification learning algorithms,
    Neural Computation 11(8), 1885-1892, :doi:`10.1162/089976699300016007`.

    Examples
    --------
    >>> from skcompare.inference import five_by_two_f_test
    >>> a = [[0.83, 0.81], [0.82, 0.84], [0.80, 0.82], [0.85, 0.81], [0.82, 0.82]]
    >>> result = five_by_two_f_test(a, [[0.80, 0.80]] * 5)
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (2.4286, 0.1697)
    """
    if not (isinstance(alternative, str) and alternative == "two-sided"):
        wanted = "alternative must be 'two-sided' for five_by_two_f_test, an F test without direction"
        raise ValueError(f"{wanted}; got {alternative!r}")
    d = records.paired_differences(*validation.check_pair(a, b, ndim=(2,), shape=(5, 2)))
    spread = repeat_std(d)
    warnings: Warnings = ()
    if spread == 0:
        differ = bool(np.abs(d.values).max() > d.noise)
        statistic, pvalue = (np.inf, 0.0) if differ else (0.0, 1.0)
        same = Code.ZERO_VARIANCE("the two differences of every repeat are equal.")
        warnings = (same if differ else records.zero_variance(0.0),)
    else:
        # Alpaydin (1999): the denominator 2 * sum of s_i^2 is 10 * spread^2
        statistic = float(((d.values / spread) ** 2).sum()) / 10
        pvalue = records.f_pvalue(statistic, (10.0, 5.0))
    return records.FTestResult(
        statistic=statistic,
        pvalue=pvalue,
        df=(10.0, 5.0),
        alternative=alternative,
        estimate=d.mean,
        effect_size=d.effect_size,
        n=d.values.size,
        method="combined 5x2cv F test",
        warnings=warnings,
    )


# The t test on blocked m x 2 cross-validation.


CONSERVATIVE = Code.NOT_AT_LEVEL(
    "the mean of all differences is taken to vary as much as one of them, which holds for strongly "
    "correlated partitions only: true nulls are rejected less often than the level says, and true differences missed."
)


def blocked_m_by_two_test(
    a: ArrayLike,
    b: ArrayLike,
    *,
    fold_correlation: tuple[float, float] | None = None,
    alternative: Alternative = "two-sided",
    null: float = 0.0,
) -> records.TTestResult:
    r"""Cross-validated t test on blocked m x 2 halves.

    The data are halved m times, each half trains once and is tested once, and the training sets of any two
    partitions share a quarter of the data: see `BlockedMByTwo`. With :math:`\bar d` the mean of the 2m differences
    and :math:`V` their mean squared deviation from it (divisor 2m), :math:`t = \bar d / (C_m \sqrt V)`. By default
    :math:`C_m = 1` on :math:`2m - 1` degrees of freedom (Wang, Wang, Jia and Li 2014 for m = 3). With correlations
    :math:`\rho_1` of the two differences of a partition and :math:`\rho_2` of those of different partitions,

    .. math::

        C_m^2 = \frac{1 + \rho_1 + 2 (m - 1) \rho_2}{2m - 1 - \rho_1 - 2 (m - 1) \rho_2}, \qquad
        f_m = \frac{(2m - 1 - \rho_1 - 2 (m - 1) \rho_2)^2}{m (1 - \rho_1)^2 + (m - 1) (1 + \rho_1 - 2 \rho_2)^2}

    with :math:`f_m` the degrees of freedom by Satterthwaite's approximation. Both correlations 0 give the paired t
    test.

    Parameters
    ----------
    a, b : array_like of shape (m, 2)
        Scores of the two models on the same halves, larger better; a row is one partition.
    fold_correlation : tuple of two floats, optional
        :math:`\rho_1` and :math:`\rho_2`, each in (-1, 1), such that 2m differences can have them. The default
        makes no use of them.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: the mean of ``a - b`` is positive.
    null : float, default=0
        The difference ``a - b`` under the null hypothesis, in the units of `estimate`: what is tested is whether the
        true one differs from it, exceeds it (``"greater"``) or falls below it. With a positive one ``"greater"`` tests
        superiority by a margin, with a negative one non-inferiority.

    Returns
    -------
    TTestResult
        Without `fold_correlation` with a warning: the test is conservative.

    Raises
    ------
    ValueError
        If the scores are not finite, not paired or not of shape (m, 2), `fold_correlation` is not a pair of possible
        correlations, or `alternative` is unknown.

    References
    ----------
    Y. Wang, R. Wang, H. Jia and J. Li (2014), Blocked 3x2 cross-validated t-test for comparing supervised
    classification learning algorithms, Neural Computation 26(1), 208-235, :doi:`10.1162/NECO_a_00532`.

    Examples
    --------
    >>> from skcompare.inference import blocked_m_by_two_test
    >>> a = [[0.83, 0.81], [0.82, 0.84], [0.80, 0.82]]
    >>> result = blocked_m_by_two_test(a, [[0.80, 0.80]] * 3)
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (1.5492, 0.182)
    """
    against = validation.check_hypothesis(alternative, null)
    x, y = validation.check_pair(a, b, ndim=(2,))
    if x.shape[1] != 2:
        raise ValueError(f"a and b must have shape (m, 2), a row per partition; got {x.shape}")
    m = x.shape[0]
    ratio, df = (1.0, 2.0 * m - 1) if fold_correlation is None else _correlated(fold_correlation, m)
    d = records.paired_differences(x, y)
    error = ratio**0.5 * d.std * ((2 * m - 1) / (2 * m)) ** 0.5  # the root of V: the divisor is 2m
    warnings = (CONSERVATIVE,) if fold_correlation is None else ()
    return records.t_test(d, error, df, against, method=f"blocked {m}x2 cross-validated t test", warnings=warnings)


def _correlated(fold_correlation: tuple[float, float], m: int) -> tuple[float, float]:
    """The square of C_m, and f_m."""
    pair = validation.as_tuple(fold_correlation)
    if len(pair) != 2 or not all(isinstance(one, Real) for one in pair):
        raise ValueError(f"fold_correlation must be a pair of numbers; got {validation.came(fold_correlation)}")
    within, across = (validation.check_number(x, "fold_correlation", low=-1, high=1, closed="neither") for x in pair)
    # eigenvalues of the correlation matrix: of the mean, of the means of partitions, of the differences within them
    mean, partitions = 1 + within + 2 * (m - 1) * across, 1 + within - 2 * across
    if mean <= 0 or (m > 1 and partitions < 0):
        raise ValueError(
            f"fold_correlation must be possible for {2 * m} differences; got {fold_correlation!r}, with which a "
            "variance would be negative"
        )
    deviations = 2 * m - mean
    df = deviations**2 / (m * (1 - within) ** 2 + (m - 1) * partitions**2)
    return mean / deviations, df
