"""The t test on blocked m x 2 cross-validation."""

from __future__ import annotations

from numbers import Real

from numpy.typing import ArrayLike

from skcompare._core.validation import Alternative, check_alternative, check_null, check_number, check_pair
from skcompare._core.warnings import Code
from skcompare.inference._base import TTestResult, paired_differences, t_test

CONSERVATIVE = Code.CONSERVATIVE(
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
) -> TTestResult:
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
    check_alternative(alternative)
    null = check_null(null)
    x, y = check_pair(a, b, ndim=(2,))
    if x.shape[1] != 2:
        raise ValueError(f"a and b must have shape (m, 2), a row per partition; got {x.shape}")
    m = x.shape[0]
    ratio, df = (1.0, 2.0 * m - 1) if fold_correlation is None else _correlated(fold_correlation, m)
    d = paired_differences(x, y)
    return t_test(
        d,
        # the square root of V: the divisor is 2m
        standard_error=ratio**0.5 * d.std * ((2 * m - 1) / (2 * m)) ** 0.5,
        df=df,
        alternative=alternative,
        null=null,
        method=f"blocked {m}x2 cross-validated t test",
        warnings=(CONSERVATIVE,) if fold_correlation is None else (),
    )


def _correlated(fold_correlation: tuple[float, float], m: int) -> tuple[float, float]:
    """The square of C_m, and f_m."""
    try:
        within, across = fold_correlation
    except (TypeError, ValueError) as error:
        raise ValueError(f"fold_correlation must be a pair of numbers; got {fold_correlation!r}") from error
    if not isinstance(within, Real) or not isinstance(across, Real):
        raise ValueError(f"fold_correlation must be a pair of numbers; got {fold_correlation!r}")
    within = check_number(within, "fold_correlation", low=-1, high=1, closed="neither")
    across = check_number(across, "fold_correlation", low=-1, high=1, closed="neither")
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
