"""Joint tests on several metrics: published numbers, independent oracles, brute force and the laws of every test."""

import dataclasses
import functools
import itertools
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from skcompare.inference import (
    corrected_t_test,
    dominance_counts,
    effective_cases,
    full_dominance_test,
    hotelling_test,
    intersection_union_test,
    max_t_test,
    permutation_test,
)
from skcompare.inference.dominance.max_t import LARGEST_EXACT
from tests.lawful import ALTERNATIVES, FULL, MIRRORED, assert_lawful, codes

pytestmark = pytest.mark.sampled

SEEDS = (0, 1, 2)
NAMES = ("accuracy", "recall", "time")
DIRECTIONS = (True, True, False)

# Benavoli and de Campos (2016), Example 1: accuracy and time of their B and their A on twelve data sets
BETTER = np.column_stack([[84, 86, 86, 92, 92, 92] + [95] * 6, [9, 10, 10, 13, 13, 13] + [15] * 6])
WORSE = np.column_stack([[85, 87, 87, 91, 91, 91] + [94] * 6, [8, 11, 11, 12, 12, 12] + [16] * 6])

# Differences on two metrics of the folds of a 10-fold cross-validation
FOLDS = np.array(
    [
        (0.02, 0.01),
        (0.03, -0.01),
        (-0.01, 0.02),
        (0.04, 0),
        (0, 0.03),
        (0.05, 0.01),
        (0.01, 0.02),
        (0.03, 0),
        (0.02, 0.01),
        (0.01, -0.02),
    ]
)


@dataclasses.dataclass(frozen=True)
class Case:
    """A test of score vectors with fixed options."""

    name: str
    function: object
    options: dict
    sided: tuple = ALTERNATIVES
    size: int = 9

    def run(self, a, b, greater_is_better=DIRECTIONS, **options):
        return self.function(a, b, greater_is_better, **{"metrics": NAMES, **self.options, **options})

    def sides(self):
        return [{"alternative": x} for x in self.sided] if len(self.sided) > 1 else [{}]

    def scores(self, seed, effect=0.02):
        rng = np.random.default_rng(seed)
        b = rng.normal(0.8, 0.05, (self.size, 3))
        return b + rng.normal(effect, 0.03, (self.size, 3)), b


CASES = [
    Case("intersection-union t", intersection_union_test, {"test_fraction": 0.1}),
    Case("intersection-union sign", intersection_union_test, {"marginal": "sign"}),
    Case("Hotelling", hotelling_test, {"test_fraction": 0.1}, sided=("two-sided",)),
    Case("max-T exact", max_t_test, {}),
    Case("max-T drawn", max_t_test, {"n_resamples": 499, "rng": 0}),
    Case("max-T many", max_t_test, {"n_resamples": 499, "rng": 0}, size=40),
    Case("max-T folds", max_t_test, {"n_resamples": 499, "rng": 0, "test_fraction": 0.1}),
]
every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


def assert_same(actual, expected, rel=1e-9, atol=1e-12, but=()):
    """Two records agree: numbers up to rounding, the rest exactly."""
    assert type(actual) is type(expected)
    for field in dataclasses.fields(actual):
        x, y = getattr(actual, field.name), getattr(expected, field.name)
        if field.name in but:
            continue
        if isinstance(x, (float, np.ndarray)):
            np.testing.assert_allclose(x, y, rtol=rel, atol=atol, err_msg=field.name)
        else:
            assert x == y, field.name


def mirrored(record):
    """What the record must say after the two models have changed places."""
    names = {field.name for field in dataclasses.fields(record)}
    changes = {name: -getattr(record, name) for name in {"estimates", "statistics", "estimate"} & names}
    changes |= {name: MIRRORED[getattr(record, name)] for name in {"alternative", "direction"} & names}
    return dataclasses.replace(record, **changes)


def pvalues_of(record):
    return np.append(record.pvalue, getattr(record, "pvalues", []))


# The intersection-union test


def test_sign_tests_of_example_1():
    # P(Bin(12, 1/2) >= 9) and P(Bin(12, 1/2) >= 8) from scipy 1.17.1 binomtest
    result = intersection_union_test(
        BETTER, WORSE, [True, False], marginal="sign", alternative="greater", metrics=["accuracy", "time"]
    )
    np.testing.assert_allclose(result.pvalues, [0.0729980, 0.1938477], atol=5e-8)
    assert result.pvalue == pytest.approx(stats.binomtest(8, 12, alternative="greater").pvalue, rel=1e-12)
    assert (result.weakest, result.direction, result.n) == ("time", "greater", 12)
    # by hand: accuracy is 1 more on nine data sets and 1 less on three, time 1 less on eight and 1 more on four
    np.testing.assert_allclose(result.estimates, [6 / 12, 4 / 12])


def test_the_two_sided_test_doubles_the_smaller_of_both_claims():
    for better, worse, direction in ((BETTER, WORSE, "greater"), (WORSE, BETTER, "less")):
        result = intersection_union_test(better, worse, [True, False], marginal="sign")
        assert result.pvalue == pytest.approx(2 * 0.19384765625, rel=1e-12)
        assert result.direction == direction


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_the_t_version_is_the_largest_pvalue_of_scipy(alternative):
    a, b = CASES[0].scores(1)
    expected = stats.ttest_rel(a, b, alternative=alternative).pvalue
    result = intersection_union_test(a, b, alternative=alternative)
    np.testing.assert_allclose(result.pvalues, expected, rtol=1e-9)
    assert result.pvalue == pytest.approx(expected.max(), rel=1e-9)


def test_on_folds_each_metric_has_the_corrected_t_test():
    d = FOLDS[:, 0]
    # Nadeau and Bengio (2003) by hand, with scipy's t
    expected = stats.t.sf(d.mean() / (d.std(ddof=1) * np.sqrt(1 / 10 + 1 / 9)), 9)
    result = intersection_union_test(FOLDS, np.zeros_like(FOLDS), test_fraction=0.1)
    assert result.pvalues[0] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_of_a_single_metric_it_is_the_test_of_that_metric(alternative):
    for seed in SEEDS:
        a, b = (x[:, 0] for x in CASES[0].scores(seed))
        result = intersection_union_test(a, b, test_fraction=0.1, alternative=alternative)
        expected = corrected_t_test(a, b, test_fraction=0.1, alternative=alternative).pvalue
        assert result.pvalue == pytest.approx(expected, rel=1e-12)


def test_the_sign_test_drops_ties_and_knows_the_scale_of_each_case():
    # 5 wins, 1 loss and 2 ties, on data sets whose scores differ by orders of magnitude
    b = np.array([1e12, 1.0, 1e-6, 1.0, 1.0, 1.0, 0.3, 0.5])
    a = np.array([2e12, 1.5, 2e-6, 1.5, 1.5, 0.5, 0.1 + 0.2, 0.5])
    result = intersection_union_test(a, b, marginal="sign", alternative="greater")
    assert result.pvalue == pytest.approx(stats.binomtest(5, 6, alternative="greater").pvalue, rel=1e-12)


@pytest.mark.parametrize("marginal", ["t", "sign"])
def test_a_metric_on_which_the_models_are_equal_fails_the_claim(marginal):
    a, b = (x.copy() for x in CASES[0].scores(0, effect=0.2))
    a[:, 1] = b[:, 1]
    result = intersection_union_test(a, b, marginal=marginal, metrics=NAMES)
    assert (result.pvalue, result.weakest) == (1, "recall")
    assert result.warnings == ("NO_DIFFERENCE: the differences on recall are all 0.",)


def test_a_constant_difference_is_certain_and_says_so():
    a, b = (x.copy() for x in CASES[0].scores(0))
    a[:, 1] = b[:, 1] + 0.125
    result = intersection_union_test(a, b, metrics=NAMES)
    assert result.pvalues[1] == 0
    assert result.weakest != "recall"
    assert codes(result) == ["ZERO_VARIANCE"]


@pytest.mark.parametrize(
    ("n", "alternative", "able"), [(4, "greater", False), (5, "greater", True), (5, "two-sided", False)]
)
def test_few_signs_cannot_reject_and_say_so(n, alternative, able):
    result = intersection_union_test(np.ones((n, 2)), np.zeros((n, 2)), marginal="sign", alternative=alternative)
    assert (result.pvalue < 0.05) == able
    assert codes(result) == ([] if able else ["CANNOT_REJECT"])


# Full dominance


def test_full_dominance_of_example_1():
    # 2 P(Bin(7, 1/2) >= 6) = 16 / 128; mid-p 2 (1 + 7 / 2) / 128
    result = full_dominance_test(dominance_counts(BETTER, WORSE, [True, False]))
    assert (result.n_a, result.n_b, result.n) == (6, 1, 12)
    assert result.pvalue == result.pvalue_exact == pytest.approx(0.125, rel=1e-12)
    assert result.pvalue_midp == pytest.approx(9 / 128, rel=1e-12)
    assert result.estimate == pytest.approx(5 / 12)
    assert result.warnings == ()


@given(n_a=st.integers(0, 100), n_b=st.integers(0, 100), others=st.integers(0, 100))
def test_full_dominance_agrees_with_scipy(n_a, n_b, others):
    for alternative in ALTERNATIVES:
        result = full_dominance_test([n_b, others, 0, n_a], alternative=alternative)
        if n_a + n_b == 0:
            assert result.pvalue == 1
            continue
        expected = stats.binomtest(n_a, n_a + n_b, alternative=alternative)
        assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-9)
        interval, limits = result.confidence_interval(0.9), expected.proportion_ci(0.9)
        assert (interval.low, interval.high) == pytest.approx((limits.low, limits.high), abs=1e-9)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n_effective", [None, 7.5])
def test_full_dominance_is_below_alpha_exactly_when_the_interval_leaves_out_one_half(alternative, n_effective):
    for n_a, n_b in itertools.product(range(8), repeat=2):
        counts = [n_b, 4, 4, n_a]
        result = full_dominance_test(counts, n_effective, alternative=alternative)
        for alpha in (0.001, 0.05, 0.1, 0.4, 0.9):
            interval = result.confidence_interval(1 - alpha)
            assert (result.pvalue < alpha) == (not interval.low <= 0.5 <= interval.high)
        said = str(result).replace("\n", " ")
        assert (re.search(r"[Nn]either|not significantly", said) is not None) == (result.pvalue >= 0.05)


def test_full_dominance_on_folds_decides_on_the_midp_of_effective_cases():
    n_effective = effective_cases(100, 0.1)
    result = full_dominance_test([10, 15, 15, 60], n_effective)
    assert (result.decided_on, result.pvalue) == ("midp", result.pvalue_midp)
    assert (result.n, result.n_effective) == (100, pytest.approx(13.674, abs=5e-4))
    by_hand = full_dominance_test(np.array([10, 15, 15, 60]) * n_effective / 100)
    assert result.pvalue_midp == pytest.approx(by_hand.pvalue_midp, rel=1e-12)
    assert result.estimate == pytest.approx(0.5)


@given(counts=st.lists(st.integers(0, 30), min_size=8, max_size=8))
def test_swapping_the_models_mirrors_full_dominance(counts):
    for alternative in ALTERNATIVES:
        result = full_dominance_test(counts, alternative=alternative)
        swapped = full_dominance_test(counts[::-1], alternative=MIRRORED[alternative])
        assert_same(dataclasses.replace(swapped, n_a=swapped.n_b, n_b=swapped.n_a), mirrored(result))
        assert 0 <= result.pvalue_midp <= result.pvalue_exact <= 1
        low, high = dataclasses.astuple(result.confidence_interval())
        assert dataclasses.astuple(swapped.confidence_interval()) == pytest.approx((1 - high, 1 - low), abs=1e-12)


@pytest.mark.parametrize("counts", [[0, 0, 0, 0], [0, 5, 5, 0], [3, 1, 2, 3], [2.5] * 4], ids=str)
def test_as_many_cases_for_either_model_are_no_evidence(counts):
    result = full_dominance_test(counts)
    assert (result.pvalue, result.estimate) == (1, 0)
    interval = result.confidence_interval()
    assert interval.low < 0.5 < interval.high


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (([0, 0, 0, 0],), ["TOO_LITTLE_DATA"]),
        (([0, 0, 0, 5],), ["CANNOT_REJECT"]),
        (([0, 0, 0, 6],), []),
        (([0, 0, 0, 10], effective_cases(10, 0.5)), ["CANNOT_REJECT"]),
        (([0.25, 0.25, 2.25, 9.25],), ["APPROXIMATE"]),
        # only cases of full dominance are tested, so only a split tie among them matters: for either model
        (([0.5, 3, 3, 9],), ["APPROXIMATE"]),
        (([0, 3, 3, 9.5],), ["APPROXIMATE"]),
        (([1, 2.5, 2.5, 9],), []),
        (([0.25, 0.25, 2.25, 97.25], 13.0), []),
    ],
    ids=str,
)
def test_warnings_about_full_dominance(arguments, expected):
    assert codes(full_dominance_test(*arguments)) == expected


def test_one_sided_full_dominance_needs_one_case_less():
    assert codes(full_dominance_test([0, 0, 0, 5], alternative="greater")) == []


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.1])
def test_full_dominance_keeps_its_size_by_enumeration(alpha):
    # all outcomes of 12 cases, with probabilities q for either model to dominate
    for q in (0.05, 0.2, 0.35, 0.5):
        size = 0.0
        for n_a, n_b in itertools.product(range(13), repeat=2):
            if n_a + n_b <= 12 and full_dominance_test([n_b, 12 - n_a - n_b, 0, n_a]).pvalue <= alpha:
                size += stats.multinomial.pmf([n_a, n_b, 12 - n_a - n_b], 12, [q, q, 1 - 2 * q])
        assert size <= alpha


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"counts": [1, 2, 3]}, "counts"),
        ({"counts": [1, -1]}, "counts"),
        ({"counts": [1, np.nan]}, "counts"),
        ({"n_effective": 12.1}, "n_effective"),
        ({"n_effective": "x"}, "n_effective"),
        ({"alternative": "bigger"}, "alternative"),
        ({"alternative": None}, "alternative"),
    ],
)
def test_bad_counts_and_options_are_refused_by_name(options, name):
    with pytest.raises(ValueError, match=f"^{name} must "):
        full_dominance_test(**{"counts": [1, 2, 3, 6], **options})


# Hotelling's test


@pytest.mark.parametrize(
    ("test_fraction", "expected"),
    # Hotelling (1931); independent cases as statsmodels 0.15.0 test_mvmean, folds with 1/n + 1/9 in place of 1/n
    [(0, (22.0258449, 9.7892644, 0.0070807)), (0.1, (10.4332950, 4.6370200, 0.0460028))],
)
def test_hotelling_on_ten_folds(test_fraction, expected):
    result = hotelling_test(FOLDS, np.zeros_like(FOLDS), test_fraction=test_fraction)
    assert (result.statistic, result.f_statistic, result.pvalue) == pytest.approx(expected, abs=5e-8)
    assert result.df == (2, 8)
    # the distance is T2 over n
    assert result.effect_size == pytest.approx((22.0258449 / 10) ** 0.5, abs=5e-8)
    np.testing.assert_allclose(result.estimates, FOLDS.mean(axis=0))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("n", "m"), [(4, 3), (10, 5), (100, 7)])
def test_hotelling_agrees_with_statsmodels(n, m, seed):
    multivariate = pytest.importorskip("statsmodels.stats.multivariate")
    rng = np.random.default_rng(seed)
    d = rng.normal(0.3, 1, (n, m)) @ rng.normal(size=(m, m))
    result, expected = hotelling_test(d, np.zeros_like(d)), multivariate.test_mvmean(d, np.zeros(m))
    assert result.statistic == pytest.approx(expected.t2, rel=1e-7)
    assert (result.f_statistic, result.pvalue) == pytest.approx((expected.statistic, expected.pvalue), rel=1e-7)
    interval = result.confidence_interval(0.9)
    # with the unbiased covariance: statsmodels' own function of the data divides by n
    covariance = np.cov(d, rowvar=False)
    low, high, *_ = multivariate.confint_mvmean_fromstats(d.mean(axis=0), covariance, n, np.eye(m), 0.1, simult=True)
    np.testing.assert_allclose([interval.low, interval.high], [low, high], rtol=1e-7, atol=1e-12)


def test_hotelling_intervals_on_folds_have_the_corrected_variance():
    d = FOLDS
    interval = hotelling_test(d, np.zeros_like(d), test_fraction=0.1).confidence_interval(0.95)
    # Hotelling (1931) with Nadeau and Bengio's variance, scipy's F
    half = np.sqrt(2 * 9 / 8 * stats.f.ppf(0.95, 2, 8) * d.var(axis=0, ddof=1) * (1 / 10 + 1 / 9))
    np.testing.assert_allclose(interval.high - interval.low, 2 * half, rtol=1e-9)
    np.testing.assert_allclose(interval.high + interval.low, 2 * d.mean(axis=0), atol=1e-12)


@given(seed=st.integers(0, 1000), alpha=st.floats(0.001, 0.999))
def test_an_interval_of_hotelling_leaves_out_zero_only_where_the_test_rejects(seed, alpha):
    result = CASES[2].run(*CASES[2].scores(seed))
    interval = result.confidence_interval(1 - alpha)
    if np.any((interval.low > 0) | (interval.high < 0)):
        assert result.pvalue < alpha


@pytest.mark.parametrize("test_fraction", [0, 0.1, 0.5])
def test_hotelling_of_a_single_metric_is_the_squared_t_test(test_fraction):
    for seed in SEEDS:
        a, b = (x[:, 0] for x in CASES[2].scores(seed))
        result, single = (f(a, b, test_fraction=test_fraction) for f in (hotelling_test, corrected_t_test))
        assert result.statistic == pytest.approx(single.statistic**2, rel=1e-9)
        assert result.pvalue == pytest.approx(single.pvalue, rel=1e-9)
        assert result.effect_size == pytest.approx(abs(single.effect_size), rel=1e-9)
        interval, expected = result.confidence_interval(0.9), single.confidence_interval(0.9)
        assert (interval.low[0], interval.high[0]) == pytest.approx((expected.low, expected.high), rel=1e-7)


@given(seed=st.integers(0, 1000))
def test_hotelling_is_the_same_for_other_metrics_that_say_the_same(seed):
    rng = np.random.default_rng(seed)
    mix = rng.normal(size=(3, 3)) + 3 * np.eye(3)
    a, b = CASES[2].scores(seed)
    result, mixed = hotelling_test(a, b), hotelling_test(a @ mix, b @ mix)
    assert mixed.statistic == pytest.approx(result.statistic, rel=1e-6)


def test_hotelling_is_about_a_difference_and_not_about_dominance():
    opposed = FOLDS * [1, -1]
    result, other = (hotelling_test(d, np.zeros_like(d)) for d in (FOLDS, opposed))
    assert other.pvalue == pytest.approx(result.pvalue, rel=1e-9)


def with_error_rate(seed=0):
    """Four metrics: accuracy, its complement, an unrelated one, and another."""
    a, b = (np.insert(x, 1, 1 - x[:, 0], axis=1) for x in CASES[2].scores(seed))
    return a, b, ("accuracy", "error", "recall", "time")


def test_hotelling_names_metrics_that_are_linearly_dependent():
    a, b, names = with_error_rate()
    result = hotelling_test(a, b, [True, False, True, True], metrics=names)
    assert np.all(np.isnan([result.statistic, result.f_statistic, result.pvalue, result.effect_size]))
    assert result.warnings == (
        "SINGULAR: the differences on accuracy, error are linearly dependent; leave out one of these metrics.",
    )
    assert np.all(np.isnan(result.confidence_interval().low))
    assert np.isfinite(hotelling_test(a[:, 1:], b[:, 1:], metrics=names[1:]).pvalue)


def test_hotelling_names_all_of_three_dependent_metrics_of_any_unit():
    a, b, _ = with_error_rate(1)
    for x in (a, b):
        x[:, 3] = 1e6 * x[:, 0] - 1e3 * x[:, 2]
    result = hotelling_test(np.delete(a, 1, axis=1), np.delete(b, 1, axis=1), metrics=("accuracy", "recall", "time"))
    assert "accuracy, recall, time are linearly dependent" in result.warnings[0]


@pytest.mark.parametrize(("shift", "code"), [(0, "NO_DIFFERENCE"), (0.125, "ZERO_VARIANCE")])
def test_hotelling_names_a_metric_without_variance(shift, code):
    a, b = (x.copy() for x in CASES[2].scores(0))
    a[:, 1] = b[:, 1] + shift
    result = hotelling_test(a, b, metrics=NAMES)
    assert np.isnan(result.pvalue)
    assert codes(result) == [code]
    assert "recall" in result.warnings[0]
    assert "accuracy" not in result.warnings[0]


@pytest.mark.parametrize("n", [2, 3])
def test_hotelling_needs_more_cases_than_metrics(n):
    a, b = (x[:n] for x in CASES[2].scores(0))
    result = hotelling_test(a, b)
    assert np.isnan(result.pvalue)
    assert result.df[0] == 3
    assert codes(result) == ["TOO_LITTLE_DATA"]
    same = hotelling_test(a, a)
    assert (same.pvalue, codes(same)) == (1, ["NO_DIFFERENCE"])


# The max-T test


def brute_force(d, alternative):
    """Adjusted and unadjusted p-values: all sign flips, the t statistic of each by its formula, step by step."""
    n, m = d.shape
    flips = np.array(list(itertools.product([1, -1], repeat=n)))

    def towards(t):
        return {"two-sided": abs(t), "greater": t, "less": -t}[alternative]

    def t(x):
        return towards(np.sqrt(n) * x.mean(axis=0) / x.std(axis=0, ddof=1))

    observed = t(d)
    null = np.array([t(signs[:, None] * d) for signs in flips])
    order = np.argsort(-observed)
    adjusted, smallest = np.empty(m), 0.0
    for step, j in enumerate(order):
        largest = null[:, order[step:]].max(axis=1)
        smallest = max(smallest, (largest >= observed[j] - 1e-9).mean())
        adjusted[j] = smallest
    return adjusted, (null >= observed - 1e-9).mean(axis=0)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("seed", range(5))
def test_the_exact_max_t_test_is_the_one_by_brute_force(seed, alternative):
    rng = np.random.default_rng(seed)
    d = rng.normal([0.8, 0.2, 0.0], 1, (7, 3)) @ [[1, 0.5, 0], [0, 1, 0.5], [0, 0, 1]]
    result = max_t_test(d, np.zeros_like(d), alternative=alternative)
    adjusted, unadjusted = brute_force(d, alternative)
    assert result.exact
    np.testing.assert_allclose(result.pvalues, adjusted, rtol=1e-12)
    np.testing.assert_allclose(result.pvalues_unadjusted, unadjusted, rtol=1e-12)
    assert result.pvalue == adjusted.min()
    np.testing.assert_allclose(result.statistics, stats.ttest_1samp(d, 0).statistic, rtol=1e-9)


@given(tenths=arrays(np.int64, st.tuples(st.integers(2, 9), st.just(1)), elements=st.integers(-5, 5)))
def test_of_a_single_metric_the_exact_test_is_the_permutation_test(tenths):
    a, b = tenths / 10 + 0.3, np.full(tenths.shape, 0.3)
    for alternative in ALTERNATIVES:
        result = max_t_test(a, b, alternative=alternative)
        expected = permutation_test(a, b, alternative=alternative).pvalue
        assert result.pvalue == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_drawn_flips_agree_with_all_flips(alternative):
    a, b = CASES[3].scores(4, effect=0.015)
    exact = max_t_test(a, b, alternative=alternative)
    drawn = max_t_test(a, b, alternative=alternative, n_resamples=40_000, rng=1)
    assert (drawn.exact, drawn.n_resamples) == (False, 40_000)
    # five Monte Carlo standard errors
    p = exact.pvalues
    assert np.all(np.abs(drawn.pvalues - p) <= 5 * np.sqrt(p * (1 - p) / 40_000) + 1 / 40_000)


def test_all_flips_are_counted_as_far_as_that_is_feasible():
    d = np.random.default_rng(0).normal(size=(LARGEST_EXACT + 1, 2))
    zeros = np.zeros_like(d)
    assert max_t_test(d[:-1], zeros[:-1]).exact
    drawn = max_t_test(d, zeros, rng=0)
    assert (drawn.exact, drawn.n_resamples) == (False, 10_000)
    # a case without differences has nothing to flip
    d[3] = 0
    assert max_t_test(d, zeros).exact


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("effect", [0.0, 0.01, 0.03])
def test_of_a_single_metric_on_folds_the_pvalue_is_that_of_the_corrected_t_test(effect, alternative):
    a, b = (x[:, 0] for x in CASES[6].scores(2, effect))
    result = max_t_test(a, b, test_fraction=0.1, alternative=alternative, n_resamples=40_000, rng=0)
    single = corrected_t_test(a, b, test_fraction=0.1, alternative=alternative)
    assert result.statistics[0] == pytest.approx(single.statistic, rel=1e-9)
    p = single.pvalue
    assert abs(result.pvalue - p) <= 5 * np.sqrt(p * (1 - p) / 40_000) + 1 / 40_000


# contrasts that are orthogonal to each other and to the mean: uncorrelated differences
UNCORRELATED = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]])


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_uncorrelated_metrics_on_folds_have_a_closed_form(alternative):
    # the largest of three independent t statistics: 1 - (1 - p)^3, at a later step 1 - (1 - p)^k
    d = UNCORRELATED + np.array([4.0, 2.0, 0.9])
    result = max_t_test(d, np.zeros_like(d), test_fraction=0.1, alternative=alternative, n_resamples=40_000, rng=0)
    single = np.array([corrected_t_test(x, 0 * x, test_fraction=0.1, alternative=alternative).pvalue for x in d.T])
    expected = 1 - (1 - single) ** np.array([3, 2, 1])
    assert np.all(np.diff(expected) > 0)
    assert np.all(np.abs(result.pvalues - expected) <= 5 * np.sqrt(expected * (1 - expected) / 40_000))


def test_the_same_metric_twice_on_folds_costs_nothing():
    d = FOLDS[:, [0, 0]] * [1, 100]
    result = max_t_test(d, np.zeros_like(d), test_fraction=0.1, rng=0)
    np.testing.assert_allclose(result.pvalues, result.pvalues_unadjusted)


@pytest.mark.parametrize("case", [c for c in CASES if c.function is max_t_test], ids=lambda case: case.name)
@pytest.mark.parametrize("seed", SEEDS)
def test_adjusted_pvalues_are_in_the_order_of_the_statistics_and_at_least_the_raw_ones(case, seed):
    result = case.run(*case.scores(seed))
    order = np.argsort(-np.abs(result.statistics))
    assert np.all(np.diff(result.pvalues[order]) >= 0)
    assert np.all(result.pvalues >= result.pvalues_unadjusted)
    # and no more than the sum of the raw ones
    assert np.all(result.pvalues <= result.pvalues_unadjusted.sum() + 1e-12)


@pytest.mark.parametrize("test_fraction", [0, 0.1])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_metrics_without_variance_do_not_disturb_the_others(test_fraction, alternative):
    a, b = CASES[3].scores(0)
    options = {"test_fraction": test_fraction, "alternative": alternative, "rng": 0}
    alone = max_t_test(a, b, **options)
    for shift in (0, 0.125, -0.125):
        wider = [np.insert(x, 1, y, axis=1) for x, y in ((a, 0.5 + shift), (b, 0.5))]
        result = max_t_test(*wider, **options)
        if test_fraction or shift == 0:
            np.testing.assert_array_equal(np.delete(result.pvalues, 1), alone.pvalues)
        np.testing.assert_array_equal(np.delete(result.statistics, 1), alone.statistics)
        towards = {"two-sided": abs(shift), "greater": shift, "less": -shift}[alternative]
        if shift == 0:
            assert (result.statistics[1], result.pvalues[1]) == (0, 1)
            assert codes(result) == ["NO_DIFFERENCE"]
        elif test_fraction:
            assert result.statistics[1] == np.copysign(np.inf, shift)
            assert result.pvalues[1] == (1 / 10_001 if towards > 0 else 1)
            assert codes(result) == ["ZERO_VARIANCE"]
        else:
            # all flips of equal differences: only those that keep, or reverse, all signs are as extreme
            smallest = (2 if alternative == "two-sided" else 1) / 2**9
            assert result.pvalues_unadjusted[1] == (smallest if towards > 0 else 1)


def test_rounding_is_nothing_to_flip():
    a, b = np.array([0.1 + 0.2, 1, 2, 3, 4, 5]), np.array([0.3, 0, 0, 0, 0, 0])
    assert codes(max_t_test(a, b)) == ["CANNOT_REJECT"]


@pytest.mark.parametrize("options", [{}, {"test_fraction": 0.1}], ids=str)
@pytest.mark.parametrize("function", [intersection_union_test, hotelling_test, max_t_test])
def test_differences_within_rounding_are_no_differences_whatever_their_signs(function, options):
    d = 0.9e-12 * np.array([1, -1, 1, 1, 1, 1, 1, 1])
    result = function(1 + d, np.ones(8), **options)
    assert (result.pvalue, result.estimates[0], codes(result)) == (1, 0, ["NO_DIFFERENCE"])


@pytest.mark.parametrize(
    ("n", "alternative", "able"), [(5, "two-sided", False), (6, "two-sided", True), (5, "less", True)]
)
def test_few_flips_cannot_reject_and_say_so(n, alternative, able):
    b = np.arange(1.0, n + 1)[:, None] * [1, 2]
    result = max_t_test(np.zeros((n, 2)), b, alternative=alternative)
    assert (result.pvalue < 0.05) == able
    assert codes(result) == ([] if able else ["CANNOT_REJECT"])


@pytest.mark.parametrize("test_fraction", [0, 0.1])
def test_few_resamples_cannot_reject_and_say_so(test_fraction):
    a, b = CASES[3].scores(0)
    for n_resamples, expected in ((18, ["CANNOT_REJECT"]), (19, ["CANNOT_REJECT"]), (20, [])):
        result = max_t_test(a, b, test_fraction=test_fraction, n_resamples=n_resamples, rng=0)
        assert codes(result) == expected
        assert result.pvalue >= 1 / (1 + n_resamples)


def test_significant_metrics_are_named():
    a, b = (x.copy() for x in CASES[3].scores(0))
    a[:, 0] = b[:, 0] + np.linspace(0.1, 0.2, 9)
    result = max_t_test(a, b, metrics=NAMES)
    assert result.significant() == tuple(x for x, p in zip(NAMES, result.pvalues, strict=True) if p < 0.05)
    assert "accuracy" in result.significant(0.01)
    assert result.significant(0.001) == ()
    for bad in (0, 1, np.nan, "x"):
        with pytest.raises(ValueError, match=r"^alpha must be a number in"):
            result.significant(bad)


def test_the_same_seed_gives_the_same_draws():
    a, b = CASES[5].scores(0, effect=0.005)
    for test_fraction in (0, 0.1):
        draw = functools.partial(max_t_test, a, b, test_fraction=test_fraction)
        assert_same(draw(rng=3), draw(rng=np.random.default_rng(3)), rel=0, atol=0)
        assert np.any(draw(rng=3).pvalues != draw(rng=4).pvalues)


# Laws of the tests on score vectors


@every_case
@pytest.mark.parametrize("seed", SEEDS)
def test_swapping_the_models_mirrors_the_result(case, seed):
    for effect in (0.02, 0.05):
        a, b = case.scores(seed, effect)
        for side in case.sides():
            record = case.run(a, b, (True, True, True), **side)
            opposite = {"alternative": MIRRORED[side["alternative"]]} if side else {}
            but = ("direction", "pvalues", "weakest") if record.pvalue == 1 else ()
            assert_same(case.run(b, a, (True, True, True), **opposite), mirrored(record), but=but)


@every_case
@pytest.mark.parametrize("rounded", [False, True], ids=["identical", "up to rounding"])
def test_a_model_never_differs_from_itself(case, rounded):
    _, b = case.scores(0)
    a = (b * 3 + 1 - 1) / 3 if rounded else b
    for side in case.sides():
        record = case.run(a, b, **side)
        assert np.all(pvalues_of(record) == 1)
        assert np.all(record.estimates == 0)
        assert codes(record) == ["NO_DIFFERENCE"]
        for statistic in ("statistic", "statistics", "effect_size"):
            assert np.all(getattr(record, statistic, 0) == 0)


@every_case
@pytest.mark.parametrize("seed", SEEDS)
def test_the_order_of_the_cases_is_irrelevant(case, seed):
    a, b = case.scores(seed)
    order = np.random.default_rng(seed).permutation(case.size)
    for side in case.sides():
        assert_same(case.run(a[order], b[order], **side), case.run(a, b, **side))


@every_case
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("order", [[1, 2, 0], [2, 1, 0]], ids=str)
def test_permuting_the_metrics_permutes_the_result(case, order, seed):
    a, b = case.scores(seed)
    for side in case.sides():
        record = case.run(a, b, **side)
        permuted = case.run(
            a[:, order],
            b[:, order],
            [DIRECTIONS[j] for j in order],
            metrics=[NAMES[j] for j in order],
            **side,
        )
        arranged = {
            field.name: getattr(record, field.name)[order]
            for field in dataclasses.fields(record)
            if isinstance(getattr(record, field.name), np.ndarray)
        }
        arranged["metrics"] = tuple(NAMES[j] for j in order)
        assert_same(permuted, dataclasses.replace(record, **arranged))


@every_case
@pytest.mark.parametrize("unit", [(1e-6, 1, 1e9), (100, 3.7, 0.01)], ids=str)
def test_the_unit_of_a_metric_is_irrelevant(case, unit):
    a, b = case.scores(0)
    unit = np.array(unit)
    for side in case.sides():
        record, scaled = case.run(a, b, **side), case.run(unit * a, unit * b, **side)
        np.testing.assert_allclose(scaled.estimates, unit * record.estimates, rtol=1e-9)
        assert_same(scaled, record, but=("estimates", "standard_errors"))


@every_case
def test_a_flipped_direction_and_negated_scores_change_nothing(case):
    a, b = case.scores(0)
    flip = np.array([1, -1, 1])
    for side in case.sides():
        assert_same(case.run(flip * a, flip * b, (True, False, False), **side), case.run(a, b, **side))


@every_case
def test_a_constant_added_to_both_models_changes_nothing(case):
    a, b = case.scores(0)
    assert_same(case.run(a + 25, b + 25), case.run(a, b))


@every_case
def test_the_laws_of_every_record(case):
    a, b = case.scores(0)
    assert_same(case.run(np.asfortranarray(a), b), assert_lawful(case.run, a, b))


@every_case
def test_flat_scores_are_one_metric(case):
    a, b = (x[:, 0] for x in case.scores(0))
    flat = case.run(a, b, True, metrics=None)
    assert flat.metrics == ("metric 1",)
    assert_same(flat, case.run(a[:, None], b[:, None], [True], metrics=["metric 1"]), rel=0, atol=0)


def test_the_laws_of_every_record_of_full_dominance():
    assert_lawful(full_dominance_test, [1, 2, 3, 6])


@every_case
def test_every_warning_is_a_code_and_a_sentence(case):
    a, b = case.scores(0)
    shifted = b + np.array([0.125, 0, 0.125])
    for pair in ((a, b), (b, b), (shifted, b), (a[:3], b[:3]), (a[:1], b[:1])):
        for warning in case.run(*pair).warnings:
            assert re.fullmatch(r"[A-Z]+(_[A-Z]+)*: \S.*\.", warning)


@every_case
def test_one_case_is_too_few(case):
    a, b = (x[:1] for x in case.scores(0))
    record = case.run(a, b)
    if "sign" in case.name:
        assert record.pvalue == 1
        assert codes(record) == ["CANNOT_REJECT"]
    else:
        assert np.all(np.isnan(pvalues_of(record)))
        assert codes(record) == ["TOO_LITTLE_DATA"]


@every_case
@pytest.mark.parametrize("magnitude", [1e-300, 1e-150, 1e150, 1e298])
def test_scores_of_extreme_magnitude_give_the_same_pvalues(case, magnitude):
    a, b = case.scores(0)
    for side in case.sides():
        record, extreme = case.run(a, b, **side), case.run(a * magnitude, b * magnitude, **side)
        np.testing.assert_allclose(pvalues_of(extreme), pvalues_of(record), rtol=1e-9)
        np.testing.assert_allclose(extreme.estimates, record.estimates * magnitude, rtol=1e-9)


EXTREME = st.one_of(
    st.floats(-1, 1),
    st.floats(-1e299, 1e299),
    st.sampled_from([0.0, 0.3, 0.1 + 0.2, 0.5, 1.0, 1 + 1e-13, 1e-200, 5e-324, -5e-324, 1e200, -1e299]),
)


@every_case
@given(data=st.data())
def test_pvalues_are_probabilities_whatever_the_scores(case, data):
    shape = (data.draw(st.integers(2, 6)), 2)
    a = data.draw(arrays(np.float64, shape, elements=EXTREME, fill=st.sampled_from([0.5, 1e-200, 1e299])))
    b = data.draw(st.one_of(st.just(a), arrays(np.float64, shape, elements=EXTREME)))
    options = {"n_resamples": 19} if case.options.get("n_resamples") else {}
    for side in case.sides():
        record = case.run(a, b, (True, False), metrics=None, **options, **side)
        if case.function is hotelling_test and np.isnan(record.pvalue):
            assert {"TOO_LITTLE_DATA", "SINGULAR", "ZERO_VARIANCE", "NO_DIFFERENCE"} & set(codes(record))
            continue
        assert np.all((pvalues_of(record) >= 0) & (pvalues_of(record) <= 1))
        assert np.all(np.isfinite(record.estimates))
        if case.function is max_t_test:
            assert record.pvalue == record.pvalues.min() > 0
            assert not np.any(np.isnan(record.statistics))


@given(tenths=arrays(np.int64, (2, 5, 3), elements=st.integers(-3, 3)))
def test_swapping_the_models_mirrors_the_result_on_coarse_scores_too(tenths):
    a, b = tenths / 10
    for case in CASES:
        options = {"n_resamples": 19} if case.options.get("n_resamples") else {}
        for side in case.sides():
            record = case.run(a, b, **side, **options)
            opposite = {"alternative": MIRRORED[side["alternative"]]} if side else {}
            but = ("direction", "pvalues", "weakest", "warnings") if record.pvalue == 1 else ()
            assert_same(case.run(b, a, **opposite, **options), mirrored(record), but=but)


# Bad input is refused by name


@every_case
@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"a": np.full((9, 3), np.nan)}, "a"),
        ({"b": np.full((9, 3), np.inf)}, "b"),
        ({"a": [["x", "y", "z"]]}, "a"),
        ({"a": []}, "a"),
        ({"a": 0.5}, "a"),
        ({"b": np.zeros((2, 3, 4))}, "b"),
        ({"a": np.zeros((8, 3))}, "a and b"),
        ({"a": np.full((9, 3), 1e301)}, "a and b"),
        ({"greater_is_better": [True, False]}, "greater_is_better"),
        ({"greater_is_better": 1}, "greater_is_better"),
        ({"greater_is_better": "yes"}, "greater_is_better"),
        ({"metrics": ["accuracy"]}, "metrics"),
        ({"metrics": ["x", "x", "y"]}, "metrics"),
        ({"test_fraction": 1}, "test_fraction"),
        ({"test_fraction": -0.1}, "test_fraction"),
        ({"test_fraction": np.nan}, "test_fraction"),
        ({"test_fraction": True}, "test_fraction"),
        ({"test_fraction": None}, "test_fraction"),
    ],
)
def test_bad_scores_directions_names_and_fractions_are_refused_by_name(case, options, name):
    scores = dict(zip("ab", (x[:9] for x in case.scores(0)), strict=True))
    with pytest.raises(ValueError, match=f"^{name} must "):
        case.run(**{**scores, **options})


@pytest.mark.parametrize("case", [case for case in CASES if len(case.sided) > 1], ids=lambda case: case.name)
@pytest.mark.parametrize("bad", ["bigger", "two_sided", None, 1])
def test_an_unknown_alternative_is_refused_by_name(case, bad):
    with pytest.raises(ValueError, match=r"(^|[?] )alternative must be one of"):
        case.run(*case.scores(0), alternative=bad)


@pytest.mark.parametrize(
    ("function", "options", "name"),
    [
        (intersection_union_test, {"marginal": "wilcoxon"}, "marginal"),
        (intersection_union_test, {"marginal": None}, "marginal"),
        (max_t_test, {"n_resamples": 0}, "n_resamples"),
        (max_t_test, {"n_resamples": 1.5}, "n_resamples"),
        (max_t_test, {"n_resamples": True}, "n_resamples"),
        (max_t_test, {"rng": "x"}, "rng"),
        (max_t_test, {"rng": -1}, "rng"),
    ],
)
def test_bad_options_are_refused_by_name(function, options, name):
    with pytest.raises(ValueError, match=f"^{name} must be "):
        function(FOLDS, -FOLDS, **options)


@pytest.mark.parametrize(
    "record", [hotelling_test(FOLDS, -FOLDS), full_dominance_test([1, 2, 3, 6])], ids=["Hotelling", "full dominance"]
)
def test_confidence_levels_outside_0_to_1_are_refused_by_name(record):
    for level in (0, 1, 2, np.nan, "x", None):
        with pytest.raises(ValueError, match=r"^confidence_level must be a number in"):
            record.confidence_interval(level)


# Size: at most nominal plus Monte Carlo error where no null hypothesis is false, or only some are

ROOT = np.linalg.cholesky(np.array([[1, 0.7, 0.0], [0.7, 1, 0.3], [0.0, 0.3, 1]])).T


def at_most(rejections, alpha=0.05):
    """Whether a rate of rejections is at most `alpha`, to three Monte Carlo standard errors."""
    return np.mean(rejections) <= alpha + 3 * np.sqrt(alpha * (1 - alpha) / len(rejections))


def null_cases(rng, n, means=(0, 0, 0)):
    """Independent cases with heavy tails and correlated metrics."""
    return rng.standard_t(3, (n, 3)) @ ROOT + means


def null_folds(rng, n, fraction):
    """Folds whose differences have the correlation `fraction`, and no mean."""
    shared, own = rng.standard_normal((1, 3)), rng.standard_normal((n, 3))
    return (np.sqrt(fraction) * shared + np.sqrt(1 - fraction) * own) @ ROOT


@pytest.mark.slow
@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
@pytest.mark.parametrize("means", [(0, 0, 0), (0, 5, 0)], ids=["complete null", "one difference"])
def test_the_exact_max_t_test_keeps_its_familywise_error_rate(means, alternative):
    rng = np.random.default_rng(0)
    true_nulls = np.array(means) == 0
    results = [
        max_t_test(d, np.zeros_like(d), alternative=alternative).pvalues[true_nulls].min()
        for d in (null_cases(rng, 8, means) for _ in range(10_000 if FULL else 600))
    ]
    assert at_most(np.array(results) <= 0.05)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "fraction"), [(10, 0.1), (5, 0.2)] if FULL else [(10, 0.1)])
def test_the_max_t_test_on_folds_keeps_its_familywise_error_rate(n, fraction):
    rng = np.random.default_rng(1)
    results = [
        max_t_test(d, np.zeros_like(d), test_fraction=fraction, n_resamples=399, rng=rng).pvalue
        for d in (null_folds(rng, n, fraction) for _ in range(10_000 if FULL else 500))
    ]
    # the estimated correlation makes it approximate
    assert at_most(np.array(results) <= 0.05, 0.06)


@pytest.mark.slow
def test_hotelling_keeps_its_size_on_folds():
    rng = np.random.default_rng(2)
    folds = (null_folds(rng, 10, 0.1) for _ in range(20_000 if FULL else 2000))
    results = [hotelling_test(d, np.zeros_like(d), test_fraction=0.1).pvalue for d in folds]
    assert at_most(np.array(results) <= 0.05)


@pytest.mark.slow
@pytest.mark.parametrize("marginal", ["t", "sign"])
@pytest.mark.parametrize("means", [(0, 0, 0), (0, 50, 50)], ids=["no difference", "all metrics but one"])
def test_the_intersection_union_test_keeps_its_size(means, marginal):
    rng = np.random.default_rng(3)
    cases = (null_cases(rng, 12, means) for _ in range(10_000 if FULL else 600))
    results = [intersection_union_test(d, np.zeros_like(d), marginal=marginal).pvalue for d in cases]
    assert at_most(np.array(results) <= 0.05)
