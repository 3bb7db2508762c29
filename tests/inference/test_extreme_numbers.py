"""Probabilities far in the tails, against mpmath with 50 digits: a relative error of at most 1e-8, down to 1e-300."""

import mpmath as mp
import numpy as np
import pytest

from skcompare import inference

pytestmark = pytest.mark.sampled

mp.mp.dps = 50
CLOSE = 1e-8


def beta_tail(a, b, x):
    """The regularised incomplete beta function I_x(a, b), by its series, which has positive terms."""
    a, b, x = (mp.mpf(float(value)) if not isinstance(value, mp.mpf) else value for value in (a, b, x))
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_tail(b, a, 1 - x)
    term = total = mp.mpf(1)
    n = 0
    while term > total * mp.mpf(10) ** -45:
        term *= (a + b + n) * x / (a + 1 + n)
        total += term
        n += 1
    return mp.exp(a * mp.log(x) + b * mp.log1p(-x) - mp.log(a)) / mp.beta(a, b) * total


def t_tail(statistic, df):
    t, df = mp.mpf(float(statistic)), mp.mpf(float(df))
    return beta_tail(df / 2, mp.mpf(1) / 2, df / (df + t * t)) / 2


def is_close(found, expected):
    return abs(mp.mpf(float(found)) - expected) <= CLOSE * expected


@pytest.mark.parametrize("n", [2, 3, 5, 12, 60])
@pytest.mark.parametrize("size", [1e-3, 1.0, 30.0, 1e4, 1e9])
def test_t_test(n, size):
    d = size + np.linspace(-1, 1, n)
    result = inference.paired_t_test(d, np.zeros(n))
    assert is_close(result.pvalue, 2 * t_tail(result.statistic, n - 1)) or result.pvalue == 0


@pytest.mark.parametrize("n", [2, 3])
def test_t_statistic_whose_square_overflows(n):
    d = np.linspace(1, 1 + 1e-11, n)
    result = inference.paired_t_test(1e280 * d, np.zeros(n))
    assert result.pvalue == 0 or is_close(result.pvalue, 2 * t_tail(result.statistic, n - 1))


@pytest.mark.parametrize("margin", [1e100, 1e160, 1e250])
def test_a_margin_many_standard_errors_away(margin):
    # with one degree of freedom the tail is Cauchy's, 1 / (pi t) far out; the standard error is 0.05
    result = inference.equivalence_test([0.1, 0.2], [0.0, 0.0], margin=margin, test_fraction=0)
    assert result.pvalue == pytest.approx(0.05 / (np.pi * margin), rel=1e-9, abs=0)
    found = inference.correlated_t_posterior([0.1, 0.2], [0.0, 0.0], rope=margin, test_fraction=0)
    assert [found.left, found.right] == pytest.approx([0.05 / (np.pi * margin)] * 2, rel=1e-9, abs=0)


@pytest.mark.parametrize("level", [1e-8, 1e-50, 1e-100, 1e-200, 1e-300])
@pytest.mark.parametrize("n", [2, 4, 10, 40])
def test_the_detectable_difference_has_its_power_at_any_level(n, level):
    d = np.linspace(-1, 1, n)
    found = inference.detectable_difference(
        d, np.zeros(n), test_fraction=0.1, power=0.5, alpha=level, alternative="greater"
    )
    assert found.difference > 0


@pytest.mark.parametrize(("n", "k"), [(10, 10), (60, 55), (400, 390), (1000, 1000)])
def test_binomial_tests(n, k):
    a = np.r_[np.ones(k), -np.ones(n - k)]
    exact = mp.mpf(sum(mp.binomial(n, i) for i in range(k, n + 1))) / mp.mpf(2) ** n
    assert is_close(inference.sign_test(a, np.zeros(n), alternative="greater").pvalue, exact)
    found = inference.mcnemar_test(a > 0, a < 0, method="exact", alternative="greater")
    assert is_close(found.pvalue, exact)
    assert is_close(inference.error_rate_test(n - k, n, threshold=0.5).pvalue, exact)


@pytest.mark.parametrize("n", [5, 50, 400])
def test_chi_squared(n):
    scores = np.column_stack([np.arange(n), n + np.arange(n), 2 * n + np.arange(n)])
    result = inference.kruskal_test(scores)
    assert is_close(result.pvalue, mp.exp(-mp.mpf(result.statistic) / 2))


@pytest.mark.parametrize(("n", "size"), [(3, 0.1), (3, 1e5), (6, 50.0), (30, 3.0)])
def test_studentised_range_of_two_models_is_t(n, size):
    noise = np.linspace(-1, 1, n) ** 3
    result = inference.tukey_test(np.column_stack([size + noise, -noise]))
    q, df = float(result.statistics[0, 1]), n - 1
    assert is_close(result.pvalues[0, 1], 2 * t_tail(abs(q) / np.sqrt(2), df)) or result.pvalues[0, 1] == 0


@pytest.mark.parametrize("alpha", [0.05, 1e-10, 1e-100])
def test_studentised_range_with_known_variance(alpha):
    width = inference.critical_difference(2, 6, alpha=alpha)  # over the studentised range: the root of 1 / 12
    assert is_close(alpha, mp.erfc(mp.mpf(width) * mp.sqrt(3)))


@pytest.mark.parametrize("prior", [5e-324, 1e-310, 1e-200, 1e-12, 1.0])
def test_dirichlet_probabilities_at_any_prior(prior):
    assert inference.dominance_posterior([0, 0, 0, 0], prior=prior).probabilities == pytest.approx(
        [0.25] * 4, rel=1e-10
    )
    found = inference.dominance_posterior([0, 0, 0, 0], prior=[prior, 1, 1, 1]).probabilities
    expected = [0.25] * 4 if prior == 1 else [0, 1 / 3, 1 / 3, 1 / 3]
    assert found == pytest.approx(expected, abs=1e-11)


@pytest.mark.parametrize("counts", [(1, 1), (8, 2), (100, 40), (1000, 900)])
def test_dirichlet_probabilities(counts):
    found = inference.dominance_posterior(counts, prior=0.5).probabilities
    a, b = (count + mp.mpf("0.5") for count in counts)
    assert abs(mp.mpf(float(found[1])) - beta_tail(a, b, mp.mpf("0.5"))) < 1e-13


def test_the_likelihood_ratio_of_many_cases():
    result = inference.dominance_test([0, 900])
    assert is_close(result.pvalue_exact, mp.mpf(2) ** -899) or is_close(result.pvalue_exact, mp.mpf(2) ** -900)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("alpha", [5e-324, 1e-310, 1e-300, 1e-20])
def test_a_level_near_the_smallest_float_has_a_detectable_difference(alpha, alternative):
    a, b = np.linspace(0, 1, 10), np.linspace(0, 1, 10) ** 2
    found = inference.detectable_difference(a, b, test_fraction=0.1, power=0.2, alpha=alpha, alternative=alternative)
    assert found.difference > 0


@pytest.mark.parametrize("scale", [1e-300, 1e290])
def test_hierarchical_posterior_does_not_depend_on_the_unit(scale):
    a = np.array([[1.0, 2, 4, 3], [2, 1, 3, 5], [0, 1, 1, 2]])
    b = np.array([[1.0, 1, 2, 3], [1, 1, 2, 2], [0, 1, 2, 1]])
    one = inference.hierarchical_posterior(a, b, test_fraction=0.1, rope=0.1)
    other = inference.hierarchical_posterior(a * scale, b * scale, test_fraction=0.1, rope=0.1 * scale)
    assert [other.left, other.rope, other.right] == pytest.approx([one.left, one.rope, one.right], rel=1e-6)


@pytest.mark.parametrize(("sizes", "rope"), [((1e-300,), 0.1), ((10, 1e180), 1e308)])
def test_differences_that_a_rope_swallows_are_none(sizes, rope):
    """What is far below the last digit of the rope answers as 0 does: there is no jump between the two."""
    d = np.outer(sizes, [0.3, -1.0, 2.0, 0.1])
    found, none = (inference.hierarchical_posterior(x, 0 * d, test_fraction=0.1, rope=rope) for x in (d, 0 * d))
    assert [found.left, found.rope, found.right] == pytest.approx([none.left, none.rope, none.right], abs=1e-9)


def test_hierarchical_posterior_of_data_sets_of_very_different_sizes():
    d = np.outer([1e-222, 1.0], [0.3, -1.0, 2.0, 0.1])
    found = inference.hierarchical_posterior(d, np.zeros_like(d), test_fraction=0.1, rope=1e-3)
    assert found.left + found.rope + found.right == pytest.approx(1)


@pytest.mark.parametrize("size", [1e13, 1e61, 5e73])
def test_hierarchical_posterior_of_a_data_set_that_is_the_same_everywhere(size):
    found = inference.hierarchical_posterior(np.full((1, 4), size), np.zeros((1, 4)), test_fraction=0.1, rope=0.1)
    assert found.right == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize("correction", ["none", "shaffer", "bergmann", "holm"])
@pytest.mark.parametrize("pvalues", [[0.1, 0.2], {"a": 1}, np.ones((2, 3)), [[1, 0.1], [0.2, 1]], [[1, 2], [2, 1]]])
def test_what_is_no_matrix_of_pvalues_is_refused(pvalues, correction):
    with pytest.raises(ValueError, match="pvalues"):
        inference.adjust_pairs(pvalues, correction)
