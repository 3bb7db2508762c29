"""Adjusted p-values: published examples, oracles by enumeration and the laws that every method obeys."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.polynomial import Polynomial
from scipy import optimize, special, stats

from skcompare.inference import _multiplicity, adjust_pvalues

METHODS = tuple(_multiplicity._METHODS)
every_method = pytest.mark.parametrize("method", METHODS)

# The ten comparisons of five classifiers on 30 data sets of Garcia and Herrera (2008), JMLR 9, section 3: the
# differences of their mean ranks, in sixtieths, over the standard error sqrt(5 * 6 / (6 * 30)); z is 5.4705,
# 5.2256, 2.9802, 2.8169, 2.6536, 2.5720, 2.4903, 2.2454, 0.3266 and 0.2449
GARCIA_HERRERA_Z = np.array([134, 128, 73, 69, 65, 63, 61, 55, 8, 6]) / 60 / (30 / 180) ** 0.5
GARCIA_HERRERA = {
    # statsmodels 0.15.0 multipletests, methods "bonferroni", "holm", "simes-hochberg", "hommel", "holm-sidak", "fdr_bh"
    "bonferroni": [4.487e-7, 1.7361e-6, 0.028805, 0.048488, 0.079635, 0.10112, 0.12763, 0.24745, 1, 1],
    "holm": [4.487e-7, 1.5625e-6, 0.023044, 0.033941, 0.047781, 0.050562, 0.051052, 0.074234, 1, 1],
    "hochberg": [4.487e-7, 1.5625e-6, 0.023044, 0.033941, 0.047781, 0.050562, 0.051052, 0.074234, 0.8065, 0.8065],
    "hommel": [4.487e-7, 1.5625e-6, 0.020163, 0.025526, 0.031908, 0.040449, 0.049489, 0.074234, 0.8065, 0.8065],
    "holland": [4.487e-7, 1.5625e-6, 0.022813, 0.033452, 0.04684, 0.049549, 0.050083, 0.072412, 0.93445, 0.93445],
    "fdr_bh": [4.487e-7, 8.6806e-7, 0.0096016, 0.012122, 0.015927, 0.016854, 0.018233, 0.030931, 0.8065, 0.8065],
    # the formulas of Finner and of Li as Garcia et al. (2010), Information Sciences 180, give them, by hand
    "finner": [4.487e-7, 8.6806e-7, 0.0095694, 0.012078, 0.015864, 0.016797, 0.018183, 0.030835, 0.77994, 0.8065],
    "li": [2.3188e-7, 8.972e-7, 0.014668, 0.024445, 0.039527, 0.049664, 0.061876, 0.11338, 0.79359, 0.8065],
}

# The comparisons of three variants with C4.5 on 14 data sets of Demsar (2006), JMLR 7, section 3.2.2
DEMSAR_Z = [2.342160, 0.512348, 2.415353]
DEMSAR = {
    # statsmodels 0.15.0 multipletests, methods "holm", "simes-hochberg", "hommel" and "holm-sidak"
    "holm": [0.047160, 0.608408, 0.047160],
    "hochberg": [0.038345, 0.608408, 0.038345],
    "hommel": [0.038345, 0.608408, 0.031440],
    "holland": [0.046422, 0.608408, 0.046422],
    # as for Holland, the smallest p-value decides for the second smallest too: 1 - (1 - 0.015720)^3
    "finner": [0.046422, 0.608408, 0.046422],
    # p / (p + 1 - 0.608408)
    "li": [0.046675, 0.608408, 0.038594],
}

pvalue = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 1.0, 0.01, 0.05, 1e-300, 1e-30]), st.floats(0, 1e-3))
families = st.lists(pvalue, min_size=1, max_size=8)


def two_sided(z):
    return 2 * stats.norm.sf(z)


@pytest.mark.parametrize("method", GARCIA_HERRERA)
def test_garcia_and_herrera_2008(method):
    adjusted = adjust_pvalues(two_sided(GARCIA_HERRERA_Z), method)
    np.testing.assert_allclose(adjusted, GARCIA_HERRERA[method], rtol=5e-5)


@pytest.mark.parametrize("method", DEMSAR)
def test_demsar_2006_against_a_control(method):
    np.testing.assert_allclose(adjust_pvalues(two_sided(DEMSAR_Z), method), DEMSAR[method], atol=1e-6)


def test_holm_is_the_default():
    p = two_sided(GARCIA_HERRERA_Z)
    np.testing.assert_array_equal(adjust_pvalues(p), adjust_pvalues(p, "holm"))


# Oracles that share nothing with the implementation


@settings(deadline=None)
@given(p=families)
@pytest.mark.parametrize(("method", "peer"), [("fdr_bh", "bh"), ("fdr_by", "by")])
def test_false_discovery_rate_agrees_with_scipy(method, peer, p):
    np.testing.assert_allclose(adjust_pvalues(p, method), stats.false_discovery_control(p, method=peer), rtol=1e-12)


def closed_test(p, intersection_test):
    """Marcus, Peritz and Gabriel (1976): the largest p-value of all intersections that hold a hypothesis."""
    adjusted = np.zeros(len(p))
    for size in range(1, len(p) + 1):
        for subset in map(list, combinations(range(len(p)), size)):
            adjusted[subset] = np.maximum(adjusted[subset], intersection_test(np.sort(np.array(p)[subset])))
    return adjusted


def simes(p):
    return min(1.0, (p.size * p / np.arange(1, p.size + 1)).min())


def bonferroni(p):
    return min(1.0, p.size * p[0])


@given(p=st.lists(pvalue, min_size=1, max_size=6))
@pytest.mark.parametrize(("method", "local"), [("hommel", simes), ("holm", bonferroni)])
def test_hommel_and_holm_are_the_closed_tests_of_simes_and_bonferroni(method, local, p):
    np.testing.assert_allclose(adjust_pvalues(p, method), closed_test(p, local), rtol=1e-12)


def size_under_independence(critical):
    """Probability that ordered independent uniform p-values fall below increasing critical values anywhere."""
    inside = Polynomial([1.0])
    for value in critical:
        inside = inside.integ(lbnd=value)
    return 1 - special.factorial(len(critical)) * inside(1.0)


@given(p=families, at_once=st.integers(1, 9))
def test_holm_in_parts_is_holm(p, at_once):
    """Holm (1979): step by step, from the smallest."""
    steps = np.argsort(p, kind="stable")
    left = np.maximum.accumulate(np.arange(len(p), 0, -1) * np.asarray(p)[steps])
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("skcompare.inference._multiplicity._AT_ONCE", at_once)
        found = adjust_pvalues(p, "holm")
    assert found[steps].tolist() == np.minimum(left, 1.0).tolist()


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
def test_roms_critical_values_exhaust_the_level_under_independence(alpha):
    # Rom (1990): the critical values for which the step-up procedure has size alpha exactly
    critical = [alpha]
    for m in range(2, 7):
        smallest = optimize.brentq(
            lambda c: size_under_independence([c, *critical]) - alpha,
            0,
            critical[0],
            xtol=1e-16,
        )
        critical.insert(0, smallest)
        # all p-values at the m-th critical value: rejected at level alpha and at no smaller one
        adjusted = adjust_pvalues([smallest] * 1 + [1.0] * (m - 1), "rom")
        assert adjusted[0] == pytest.approx(alpha, rel=1e-9)


@pytest.mark.parametrize("alpha", [0.001, 0.05, 0.3])
def test_roms_third_critical_value_in_closed_form(alpha):
    # Rom (1990), eq. 6 for three hypotheses: (alpha + alpha^2 - 3 (alpha / 2)^2) / 3
    smallest = (alpha + alpha**2 / 4) / 3
    assert adjust_pvalues([1.0, smallest, 1.0], "rom")[1] == pytest.approx(alpha, rel=1e-9)


# Laws


@every_method
@given(p=families)
def test_adjusted_pvalues_lie_between_the_raw_ones_and_1(method, p):
    adjusted = adjust_pvalues(p, method)
    assert np.all(adjusted >= p)
    assert np.all(adjusted <= 1)


@every_method
@given(p=families, seed=st.integers(0, 1000))
def test_the_order_of_the_hypotheses_is_irrelevant(method, p, seed):
    order = np.random.default_rng(seed).permutation(len(p))
    np.testing.assert_allclose(adjust_pvalues(np.array(p)[order], method), adjust_pvalues(p, method)[order], rtol=1e-12)


@every_method
@given(p=families)
@pytest.mark.sampled
def test_a_smaller_raw_pvalue_is_never_adjusted_above_a_larger_one(method, p):
    adjusted = adjust_pvalues(p, method)[np.argsort(p)]
    assert np.all(np.diff(adjusted) >= -1e-12 * adjusted[1:])


@every_method
@given(p=families, share=st.floats(0, 1), data=st.data())
def test_raising_a_raw_pvalue_lowers_no_adjusted_one(method, p, share, data):
    at = data.draw(st.integers(0, len(p) - 1))
    raised = list(p)
    raised[at] += share * (1 - p[at])
    before, after = adjust_pvalues(p, method), adjust_pvalues(raised, method)
    assert np.all(after >= before * (1 - 1e-9))


@every_method
@given(p=pvalue)
def test_a_single_pvalue_is_not_changed(method, p):
    assert adjust_pvalues([p], method) == pytest.approx([p], rel=1e-12, abs=0)


@every_method
@given(p=pvalue, m=st.integers(2, 6))
def test_equal_pvalues_stay_equal(method, p, m):
    adjusted = adjust_pvalues([p] * m, method)
    np.testing.assert_allclose(adjusted, adjusted[0], rtol=1e-12)


# From the most cautious: each is never below its successor
CHAINS = [
    ("bonferroni", "holm", "hochberg", "hommel", "fdr_bh"),
    ("hochberg", "rom"),
    ("holm", "holland", "finner"),
    ("fdr_by", "fdr_bh"),
]


@pytest.mark.parametrize("chain", CHAINS, ids=" >= ".join)
@given(p=families)
def test_more_cautious_methods_are_never_below_less_cautious_ones(chain, p):
    adjusted = [adjust_pvalues(p, method) for method in chain]
    for cautious, bold in pairwise(adjusted):
        assert np.all(cautious >= bold * (1 - 1e-12))


@every_method
def test_inputs_are_not_touched_and_lists_equal_arrays(method):
    p = np.array([0.04, 0.01, 0.03])
    adjusted = adjust_pvalues(p, method)
    assert p.tolist() == [0.04, 0.01, 0.03]
    assert not np.shares_memory(p, adjusted)
    np.testing.assert_array_equal(adjusted, adjust_pvalues([0.04, 0.01, 0.03], method))


@every_method
@pytest.mark.sampled
def test_many_hypotheses(method):
    p = np.linspace(0, 1, 60)
    assert np.all(np.isfinite(adjust_pvalues(p, method)))


@pytest.mark.parametrize(
    "bad", [[0.1, np.nan], [0.1, np.inf], [-0.1, 0.5], [0.5, 1.1], [], [[0.1, 0.2]], 0.1, ["x"], None], ids=repr
)
def test_what_are_no_pvalues_is_refused_by_name(bad):
    with pytest.raises(ValueError, match=r"^pvalues must "):
        adjust_pvalues(bad)


@pytest.mark.parametrize("bad", ["bonferoni", "", None, 1])
def test_an_unknown_method_is_refused_by_name(bad):
    with pytest.raises(ValueError, match=r"(^|[?] )method must be one of 'bonferroni', "):
        adjust_pvalues([0.1], bad)


def test_an_unknown_method_is_answered_with_the_nearest():
    with pytest.raises(ValueError, match=r"did you mean 'bonferroni'\?"):
        adjust_pvalues([0.1], "bonferoni")


def test_that_no_number_of_cases_is_enough_is_said():
    said = _multiplicity.by_cases(3, "data set", "two-sided").cannot(lambda _: False, 2).sentence
    assert said == "3 data sets cannot give an adjusted p < 0.05 among 2 comparisons, even if all agree; nor can more."
