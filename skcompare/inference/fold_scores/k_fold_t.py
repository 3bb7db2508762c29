"""The t test for one run of k-fold cross-validation, with the correlation of its folds as measured."""

from __future__ import annotations

from numpy.typing import ArrayLike

from skcompare._core.validation import Alternative, check_alternative, check_null, check_number, check_pair
from skcompare.inference._base import TTestResult, corrected_t, paired_differences
from skcompare.inference._overlap import OVERLAP

METHOD = "k-fold t test"


def k_fold_t_test(
    a: ArrayLike, b: ArrayLike, *, test_fraction: float, alternative: Alternative = "two-sided", null: float = 0.0
) -> TTestResult:
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
    check_alternative(alternative)
    null = check_null(null)
    fraction = check_number(test_fraction, "test_fraction", low=0, high=1, closed="neither")
    differences = paired_differences(*check_pair(a, b, ndim=(1,)))
    return corrected_t(differences, fraction, alternative, null=null, overlap=OVERLAP, name=METHOD)
