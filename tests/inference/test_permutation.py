"""Permutation tests: reference values, brute-force twins, and the laws of an exact test and of its interval."""

import itertools
import math
import time

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from skcompare.inference import paired_t_test, permutation_test
from skcompare.inference.fold_scores import permutation
from tests.lawful import ALTERNATIVES, MIRRORED, assert_lawful, codes

pytestmark = pytest.mark.sampled

LEVELS = (0.1, 0.5, 0.8, 0.9, 0.95, 0.99)

# Percent correct of two models on five folds, from the slides on performance measurement of CS 478,
# Brigham Young University
FIVE_FOLDS_A = np.array([92.0, 90, 91, 93, 91])
FIVE_FOLDS_B = np.array([90.0, 90, 92, 90, 89])

# Darwin's maize: heights of cross- less self-fertilised plants, in eighths of an inch. Fisher (1935), The Design of
# Experiments, section 21
DARWIN = np.array([49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48.0])

tenths = st.integers(-8, 8).map(lambda k: k / 10)
values = st.one_of(tenths, st.floats(-3, 3, width=32))
few_differences = arrays(np.float64, st.integers(1, 8), elements=values)
few_scores = arrays(np.float64, st.integers(1, 5), elements=values)


def against_zero(d, **options):
    return permutation_test(d, np.zeros_like(d), **options)


def brute_force(differences, alternative):
    """The share of extreme sign vectors, one by one."""
    sums = np.array([np.dot(e, differences) for e in itertools.product((1, -1), repeat=differences.size)])
    return extreme_share(sums, differences.sum(), np.abs(differences).sum(), alternative)


def brute_force_unpaired(a, b, alternative):
    """The share of extreme partitions of the pooled scores, one by one."""
    pooled = np.concatenate((a, b))
    differences = []
    for chosen in itertools.combinations(range(pooled.size), a.size):
        left_out = np.delete(pooled, chosen)
        differences.append(pooled[list(chosen)].mean() - left_out.mean())
    return extreme_share(np.array(differences), a.mean() - b.mean(), np.abs(pooled).sum(), alternative)


def extreme_share(sums, observed, size, alternative):
    slack = 1e-10 * size
    if alternative == "greater":
        return np.mean(sums >= observed - slack)
    if alternative == "less":
        return np.mean(sums <= observed + slack)
    return np.mean(np.abs(sums) >= abs(observed) - slack)


# Reference values


def test_paired_on_five_folds():
    # 8 of 32 sign vectors, 4 of them positive: by hand; scipy 1.17.1 permutation_test (permutation_type="samples")
    # gives the same
    assert permutation_test(FIVE_FOLDS_A, FIVE_FOLDS_B).pvalue == 8 / 32
    assert permutation_test(FIVE_FOLDS_A, FIVE_FOLDS_B, alternative="greater").pvalue == 4 / 32


def test_unpaired_on_five_folds():
    # 50 of the 252 partitions; scipy 1.17.1 permutation_test (permutation_type="independent") gives the same
    result = permutation_test(FIVE_FOLDS_A, FIVE_FOLDS_B, paired=False)
    assert result.pvalue == pytest.approx(50 / 252, rel=1e-12)
    assert result.estimate == pytest.approx(1.2)
    assert codes(result) == ["INDEPENDENCE", "PAIRING_IGNORED"]


def test_darwins_maize():
    # Fisher (1935), section 21: 863 of 32,768 sums are at least the observed one, 1,726 as large in size
    assert against_zero(DARWIN, alternative="greater").pvalue == 863 / 32768
    assert against_zero(DARWIN).pvalue == 1726 / 32768


def test_the_interval_of_darwins_maize_is_made_of_means_of_subsets():
    # Hartigan (1969): the sign-flip limits are order statistics of the means of all subsets of the differences. At
    # 95% they are the 819th smallest and largest of the 32,767: 820 counts, the empty subset one of them, are the
    # first to reach .025 * 32768 = 819.2
    means = sorted(DARWIN[list(s)].mean() for k in range(1, 16) for s in itertools.combinations(range(15), k))
    interval = against_zero(DARWIN).confidence_interval()
    assert (interval.low, interval.high) == pytest.approx((means[818], means[-819]), abs=1e-9)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_paired_agrees_with_scipy(alternative):
    rng = np.random.default_rng(5)
    a, b = rng.normal(0.3, 1, 11), rng.normal(0, 1, 11)
    peer = stats.permutation_test(
        (a, b),
        lambda x, y, axis: np.mean(x - y, axis=axis),
        permutation_type="samples",
        alternative=alternative,
        n_resamples=np.inf,
        vectorized=True,
    )
    assert permutation_test(a, b, alternative=alternative).pvalue == pytest.approx(peer.pvalue, rel=1e-12)


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_unpaired_agrees_with_scipy(alternative):
    # one-sided: for samples of unequal size scipy's two-sided p-value is twice the smaller tail, ours the share of
    # differences at least as large in size
    rng = np.random.default_rng(5)
    a, b = rng.normal(0.3, 1, 7), rng.normal(0, 1, 5)
    peer = stats.permutation_test(
        (a, b),
        lambda x, y, axis: np.mean(x, axis=axis) - np.mean(y, axis=axis),
        permutation_type="independent",
        alternative=alternative,
        n_resamples=np.inf,
        vectorized=True,
    )
    ours = permutation_test(a, b, paired=False, alternative=alternative)
    assert ours.pvalue == pytest.approx(peer.pvalue, rel=1e-12)


# Brute-force twins


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@given(d=few_differences)
def test_paired_is_brute_force(alternative, d):
    d = d.round(3)  # sums that differ by rounding only are one, and others differ by more
    assert against_zero(d, alternative=alternative).pvalue == pytest.approx(brute_force(d, alternative), rel=1e-12)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@given(a=few_scores, b=few_scores)
def test_unpaired_is_brute_force(alternative, a, b):
    a, b = a.round(3), b.round(3)
    ours = permutation_test(a, b, paired=False, alternative=alternative).pvalue
    assert ours == pytest.approx(brute_force_unpaired(a, b, alternative), rel=1e-12)


@given(k=arrays(np.int64, st.integers(25, 34), elements=st.integers(-60, 60)), amount=st.integers(-300, 300))
def test_counting_multiples_is_meeting_in_the_middle(k, amount):
    x = k * 0.001
    slack = 1e-9 * np.abs(x).sum()
    counted, total = permutation.count_flips(x, slack)
    left, right = (np.sort([np.dot(e, half) for e in bits(half.size)]) for half in (x[:12], x[12:24]))
    # the same subsets of the first 24 differences only, in the two ways
    both = np.searchsorted(right, amount * 0.001 + 1e-7 - left, side="right").sum()
    met, of = permutation.count_flips(x[:24], slack)
    assert met(amount * 0.001 + 1e-7) == both
    assert of == 2**24
    assert total == 2.0**x.size
    assert counted(x[x > 0].sum() + 1) == total
    assert counted(x[x < 0].sum() - 1) == 0


def bits(n):
    return (np.arange(2**n)[:, None] >> np.arange(n)) & 1


@given(k=arrays(np.int64, 26, elements=st.integers(-60, 60)), shift=st.sampled_from([0.0, 1e-7]))
def test_multiples_of_a_unit_have_the_pvalue_of_reals(k, shift):
    # noise of a size between rounding and the unit breaks the multiples, and with them the ties: the p-value with
    # noise lies between the shares of sums above and of sums at or above the observed one
    x = k * 0.01
    counts = permutation.count_flips(x, 1e-9 * np.abs(x).sum())
    assert counts is not None
    at_most, total = counts
    real = np.where(k == 0, 0.0, x + shift * np.random.default_rng(0).normal(size=x.size))
    with_noise = against_zero(real, alternative="greater").pvalue
    assert at_most(-0.005) / total - 1e-12 <= with_noise <= at_most(0.005) / total + 1e-12


@given(
    a=arrays(np.int64, st.integers(2, 7), elements=st.integers(0, 30)),
    b=arrays(np.int64, st.integers(2, 7), elements=st.integers(0, 30)),
    amount=st.integers(-50, 50),
)
def test_counting_partitions_is_meeting_in_the_middle(a, b, amount):
    x, y = a / 100, b / 100
    met, total = permutation.count_partitions(x, y, 1e-9)
    counted = permutation._counted_partitions(x, y, 1e-9)
    if np.ptp(np.concatenate((x, y))) == 0:
        assert counted is None
        return
    assert counted[0](amount / 100 + 1e-7) == met(amount / 100 + 1e-7)
    assert counted[1] == total == math.comb(a.size + b.size, a.size)


def test_a_common_unit_is_found_where_there_is_one():
    multiples, unit = permutation.as_integers(np.array([3, -7, 12, 0]) / 150, 1e-12, 1000)
    assert multiples.tolist() == [3, -7, 12, 0]
    assert unit == pytest.approx(1 / 150)
    assert permutation.as_integers(np.array([1.0, 2**0.5]), 1e-9, 10**6) is None
    assert permutation.as_integers(np.array([1.0, 1e-6]), 1e-9, 1000) is None
    assert permutation.as_integers(np.zeros(3), 1e-9, 1000) is None


@pytest.mark.parametrize(("n_a", "n_b"), [(26, 26), (40, 22)])
def test_large_unpaired_samples_of_multiples_are_exact(n_a, n_b):
    # the normal approximation of the rank-sum statistic is no oracle, but the exact rank-sum test is: on the ranks of
    # distinct scores the difference of means is a function of the rank sum. scipy mannwhitneyu(method="exact")
    rng = np.random.default_rng(0)
    ranks = rng.permutation(n_a + n_b).astype(float)
    a, b = ranks[:n_a], ranks[n_a:]
    ours = permutation_test(a, b, paired=False, alternative="greater")
    assert ours.exact
    peer = stats.mannwhitneyu(a, b, alternative="greater", method="exact")
    assert ours.pvalue == pytest.approx(peer.pvalue, rel=1e-9)


@pytest.mark.parametrize("n", [26, 40])
def test_large_paired_samples_are_exact_on_ranks(n):
    # on signed ranks without ties the sign-flip test is the exact signed-rank test: scipy wilcoxon(method="exact")
    signs = np.where(np.random.default_rng(n).random(n) < 0.65, 1, -1)
    d = signs * np.arange(1.0, n + 1)
    ours, peer = against_zero(d), stats.wilcoxon(d, method="exact")
    assert ours.exact
    assert ours.pvalue == pytest.approx(peer.pvalue, rel=1e-9)


# The interval


def pvalue_at(samples, difference, alternative):
    if len(samples) == 1:
        return brute_force(samples[0] - difference, alternative)
    return brute_force_unpaired(samples[0] - difference, samples[1], alternative)


def assert_interval_inverts(samples, record, level):
    """Inside an end the test does not reject, outside it does; an infinite end is one that no p-value reaches."""
    alpha = 1 - level
    interval = record.confidence_interval(level)
    if np.ptp(np.concatenate([*samples, *([[0.0]] if len(samples) == 1 else [])])) == 0:
        return  # equal scores, whose interval is 0 alone
    for end, inward in ((interval.low, 1), (interval.high, -1)):
        if np.isinf(end):
            far = -inward * 1e4
            one_sided = record.alternative == {1: "less", -1: "greater"}[inward]
            assert one_sided or pvalue_at(samples, far, record.alternative) >= alpha - 1e-12
        else:
            step = min(1e-6, (interval.high - interval.low) / 2)
            # rounding decides inside an interval of one point
            assert step < 1e-9 or pvalue_at(samples, end + inward * step, record.alternative) >= alpha - 1e-12
            assert pvalue_at(samples, end - inward * 1e-6, record.alternative) < alpha + 1e-12


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@given(d=arrays(np.float64, st.integers(1, 6), elements=tenths), level=st.sampled_from(LEVELS[1:5]))
def test_the_paired_interval_holds_what_is_not_rejected(alternative, d, level):
    assert_interval_inverts((d,), against_zero(d, alternative=alternative), level)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@given(
    a=arrays(np.float64, st.integers(2, 4), elements=tenths),
    b=arrays(np.float64, st.integers(2, 4), elements=tenths),
    level=st.sampled_from(LEVELS[1:5]),
)
def test_the_unpaired_interval_holds_what_is_not_rejected(alternative, a, b, level):
    assert_interval_inverts((a, b), permutation_test(a, b, paired=False, alternative=alternative), level)


@pytest.mark.parametrize(
    "options", [{}, {"paired": False}, {"n_resamples": 200}, {"paired": False, "n_resamples": 200}]
)
@given(d=arrays(np.float64, 6, elements=values))
@example(d=np.repeat([0.2, 0.92578125], 3))  # at the mean the count of partitions is rounded
def test_p_is_below_alpha_exactly_when_the_interval_leaves_out_zero(options, d):
    for alternative in ALTERNATIVES:
        record = permutation_test(d, np.zeros(6), alternative=alternative, rng=0, **options)
        for level in LEVELS:
            interval = record.confidence_interval(level)
            assert interval.low <= interval.high
            assert (record.pvalue < 1 - level) == (not interval.low <= 0 <= interval.high)


@pytest.mark.parametrize("shape", ["many zeros", "large multiples"])
def test_a_drawn_interval_agrees_with_its_exact_test_about_zero(shape):
    for seed, alternative in itertools.product(range(3), ALTERNATIVES):
        rng = np.random.default_rng(seed)
        if shape == "many zeros":
            record = against_zero(np.r_[rng.normal(0.4, 1, 15), np.zeros(30)], alternative=alternative, rng=seed)
        else:
            a, b = rng.integers(0, 9, 24) + rng.integers(0, 3), rng.integers(0, 9, 24)
            record = permutation_test(a, b, paired=False, alternative=alternative, rng=seed)
        assert record.exact
        assert record.n_resamples == 0
        levels = [*LEVELS, *(1 - record.pvalue * factor for factor in (0.98, 1.02) if record.pvalue * factor < 1)]
        for level in levels:
            interval = record.confidence_interval(level)
            assert (record.pvalue < 1 - level) == (not interval.low <= 0 <= interval.high)


def test_the_interval_is_near_that_of_the_t_test_on_normal_differences():
    d = np.random.default_rng(0).normal(0.5, 1, 60)
    drawn, t = against_zero(d, rng=0).confidence_interval(), paired_t_test(d, 0 * d).confidence_interval()
    assert (drawn.low, drawn.high) == pytest.approx((t.low, t.high), abs=0.03)
    exact, t = against_zero(d[:20]).confidence_interval(), paired_t_test(d[:20], 0 * d[:20]).confidence_interval()
    assert (exact.low, exact.high) == pytest.approx((t.low, t.high), abs=0.05)


def test_a_level_that_no_pvalue_reaches_gives_an_infinite_interval():
    record = permutation_test(FIVE_FOLDS_A, FIVE_FOLDS_B)
    assert (record.confidence_interval().low, record.confidence_interval().high) == (-np.inf, np.inf)
    assert np.isfinite(record.confidence_interval(0.9).low)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n", [2, 3, 5, 30])
@pytest.mark.parametrize("options", [{}, {"paired": False}, {"n_resamples": 99}, {"clusters": True}], ids=str)
def test_equal_scores_have_an_interval_of_the_null_alone_however_few(options, n, alternative):
    options = {**options, "clusters": np.arange(n)} if "clusters" in options else options
    for null in (0.0, 0.1):
        found = permutation_test(np.full(n, 0.8), np.full(n, 0.8) - null, null=null, alternative=alternative, **options)
        interval = found.confidence_interval()
        low, high = {"greater": (null, np.inf), "less": (-np.inf, null)}.get(alternative, (null, null))
        assert (found.pvalue, interval.low, interval.high) == (1, low, high)


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_the_exact_interval_of_many_differences_ends_where_p_crosses_alpha(alternative):
    d = np.random.default_rng(1).normal(0.4, 1, 38)
    record = against_zero(d, alternative=alternative)
    low = record.confidence_interval().low
    pvalues = [against_zero(d - low + step, alternative=alternative).pvalue for step in (1e-9, -1e-9)]
    assert pvalues == pytest.approx([0.05, 0.05], rel=1e-6)
    assert pvalues[0] < 0.05 <= pvalues[1]


@pytest.mark.parametrize("level", [0, 1, 2, -0.5, np.nan, "x", None])
def test_a_confidence_level_outside_0_to_1_is_refused(level):
    with pytest.raises(ValueError, match="confidence_level must be a number in"):
        permutation_test(FIVE_FOLDS_A, FIVE_FOLDS_B).confidence_interval(level)


# Laws


CASES = {
    "paired": ({}, 9, 9),
    "paired by Monte Carlo": ({"n_resamples": 300, "rng": 1}, 9, 9),
    "unpaired": ({"paired": False}, 6, 6),
    "unpaired of unequal sizes": ({"paired": False}, 7, 4),
    "unpaired by Monte Carlo": ({"paired": False, "n_resamples": 300, "rng": 1}, 7, 4),
    "beyond the exact": ({"rng": 1}, 45, 45),
}
every_case = pytest.mark.parametrize(("options", "n_a", "n_b"), CASES.values(), ids=CASES)


def scores(n_a, n_b, seed=0, decimals=None):
    rng = np.random.default_rng(seed)
    a, b = rng.normal(0.84, 0.05, n_a), rng.normal(0.80, 0.05, n_b)
    return (a, b) if decimals is None else (a.round(decimals), b.round(decimals))


@every_case
@pytest.mark.parametrize("decimals", [None, 2])
def test_swapping_the_models_mirrors_the_result(options, n_a, n_b, decimals):
    for seed, alternative in itertools.product(range(4), ALTERNATIVES):
        a, b = scores(n_a, n_b, seed, decimals)
        ours = permutation_test(a, b, alternative=alternative, **options)
        theirs = permutation_test(b, a, alternative=MIRRORED[alternative], **options)
        assert theirs.pvalue == ours.pvalue
        assert (theirs.statistic, theirs.estimate, theirs.effect_size) == pytest.approx(
            (-ours.statistic, -ours.estimate, -ours.effect_size), rel=1e-9
        )
        interval, mirror = ours.confidence_interval(0.9), theirs.confidence_interval(0.9)
        assert (mirror.low, mirror.high) == pytest.approx((-interval.high, -interval.low), rel=1e-9, abs=1e-12)


@every_case
@pytest.mark.parametrize("rounded", [False, True], ids=["identical", "up to rounding"])
def test_a_model_never_differs_from_itself(options, n_a, n_b, rounded):
    _, b = scores(n_a, n_b)
    a = (b * 3 + 1 - 1) / 3 if rounded else b
    for alternative in ALTERNATIVES:
        record = permutation_test(a, b, alternative=alternative, **options)
        assert (record.statistic, record.estimate, record.effect_size) == (0, 0, 0)
        if options.get("paired", True):
            # unpaired, one-sided, half of all partitions are as extreme
            assert record.pvalue == 1
        else:
            assert record.pvalue > 0.4 if alternative != "two-sided" else record.pvalue == 1
        interval = record.confidence_interval()
        assert interval.low <= 0 <= interval.high


@every_case
def test_the_order_of_the_scores_is_irrelevant(options, n_a, n_b):
    a, b = scores(n_a, n_b)
    rng = np.random.default_rng(3)
    order = rng.permutation(n_a)
    other = rng.permutation(n_b) if options.get("paired") is False else order
    for alternative in ALTERNATIVES:
        one = permutation_test(a, b, alternative=alternative, **options)
        two = permutation_test(a[order], b[other], alternative=alternative, **options)
        assert one.pvalue == two.pvalue
        assert one.estimate == pytest.approx(two.estimate, rel=1e-12)
        assert one.confidence_interval(0.9).low == pytest.approx(two.confidence_interval(0.9).low, rel=1e-9)


@every_case
@pytest.mark.parametrize("factor", [1e-6, 0.01, 100.0, 1e9])
def test_the_unit_of_the_scores_is_irrelevant(options, n_a, n_b, factor):
    a, b = scores(n_a, n_b, decimals=3)
    ours = permutation_test(a, b, **options)
    scaled = permutation_test(factor * a, factor * b, **options)
    assert scaled.pvalue == ours.pvalue
    assert scaled.estimate == pytest.approx(factor * ours.estimate, rel=1e-9)


@every_case
def test_a_constant_added_to_both_models_changes_nothing(options, n_a, n_b):
    a, b = scores(n_a, n_b, decimals=2)
    assert permutation_test(a + 25, b + 25, **options).pvalue == permutation_test(a, b, **options).pvalue


@every_case
def test_the_laws_of_every_record(options, n_a, n_b):
    assert_lawful(permutation_test, *scores(n_a, n_b), **{"rng": 0, **options})


def test_rows_of_repeats_are_flattened():
    a, b = scores(12, 12)
    shape = (3, 4)
    assert permutation_test(a.reshape(shape), b.reshape(shape), rng=0) == permutation_test(a, b, rng=0)


def test_without_differences_nothing_is_drawn():
    record = against_zero(np.zeros(100))
    assert record.exact
    assert (record.n, record.n_zero, record.smallest_pvalue) == (100, 100, 1)


def test_zero_differences_count_for_nothing():
    d = DARWIN[:9]
    record = against_zero(np.r_[d, np.zeros(50)])
    assert record.exact
    assert record.pvalue == against_zero(d).pvalue
    assert (record.n, record.n_zero) == (59, 50)


def test_ties_survive_rounding():
    # 0.1 + 0.2 - 0.3 is not 0 in floating point: half of all sign vectors tie with the observed one
    d = np.array([0.1, 0.2, -0.3])
    assert against_zero(d).pvalue == 1
    # multiples of 0.1 up to rounding, the same test as on the multiples
    k = np.array([3, -1, 2, 4, -3, 7.0])
    assert against_zero((0.7 + k * 0.1) - 0.7).pvalue == against_zero(k).pvalue


def test_one_score_each_says_nothing():
    for paired in (True, False):
        record = permutation_test([0.9], [0.8], paired=paired)
        assert (record.pvalue, record.smallest_pvalue) == (1, 1)
        assert "CANNOT_REJECT" in codes(record)
        assert record.confidence_interval().low == -np.inf


@pytest.mark.parametrize(("n", "smallest"), [(1, 1), (5, 0.0625), (6, 0.03125), (10, 0.001953125)])
def test_the_smallest_pvalue_is_reached_and_named(n, smallest):
    # by hand: two of 2^n sign vectors are the most extreme
    record = against_zero(np.arange(1.0, n + 1))
    assert record.pvalue == record.smallest_pvalue == smallest
    assert ("NOT_AT_LEVEL" in codes(record)) == (0.05 > smallest > 0.01)
    assert ("CANNOT_REJECT" in codes(record)) == (smallest >= 0.05)


def test_the_result_says_that_folds_are_not_exchangeable():
    assert codes(against_zero(DARWIN)) == ["INDEPENDENCE"]


# Monte Carlo


def test_a_monte_carlo_pvalue_is_never_zero():
    # (1 + b) / (1 + B) with b = 0
    d = np.linspace(1, 2, 60)
    for alternative in ("two-sided", "greater"):
        record = against_zero(d, alternative=alternative, n_resamples=99, rng=0)
        assert record.pvalue == record.smallest_pvalue == 1 / 100
        assert (record.exact, record.n_resamples) == (False, 99)
    assert against_zero(d, rng=0).pvalue == 1 / 10_000
    assert permutation_test(d, d - 9, paired=False, n_resamples=99, rng=0).pvalue == 1 / 100


@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_monte_carlo_is_near_the_exact_pvalue(paired, alternative):
    a, b = scores(9, 9, seed=4)
    exact = permutation_test(a, b, paired=paired, alternative=alternative).pvalue
    drawn = permutation_test(a, b, paired=paired, alternative=alternative, n_resamples=20_000, rng=0).pvalue
    # five standard errors
    assert drawn == pytest.approx(exact, abs=5 * (exact * (1 - exact) / 20_000) ** 0.5 + 1e-4)


def test_forty_differences_are_exact_and_forty_one_are_drawn():
    d = np.random.default_rng(0).normal(size=41)
    assert against_zero(d[:40]).exact
    assert not against_zero(d).exact


def test_the_same_seed_gives_the_same_result():
    d = np.random.default_rng(0).normal(0.1, 1, 50)
    assert against_zero(d, rng=7) == against_zero(d, rng=7) == against_zero(d, rng=np.random.default_rng(7))
    assert against_zero(d, rng=7).pvalue != against_zero(d, rng=8).pvalue
    assert against_zero(d, rng=7).confidence_interval() == against_zero(d, rng=7).confidence_interval()


# Bad input


@pytest.mark.parametrize(
    ("option", "values"),
    {
        "alternative": ["bigger", None, 1],
        "paired": ["yes", None, 1],
        "n_resamples": [0, -1, 1.5, "x", True],
        "rng": ["x", -1, 1.5],
    }.items(),
)
def test_an_option_out_of_range_is_refused_by_name(option, values):
    for value in values:
        with pytest.raises(ValueError, match=f"^{option} must be "):
            permutation_test(FIVE_FOLDS_A, FIVE_FOLDS_B, **{option: value})


@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize("name", ["a", "b"])
@pytest.mark.parametrize("bad", [[1, np.nan], [np.inf, 1], "good", [], None, np.zeros((2, 2, 2))], ids=repr)
def test_bad_scores_are_refused_by_name(paired, name, bad):
    given_scores = {"a": [0.5, 0.6], "b": [0.5, 0.6]} | {name: bad}
    with pytest.raises(ValueError, match=f"^{name} must "):
        permutation_test(**given_scores, paired=paired)


def test_unpaired_lengths_are_refused_only_where_pairs_are_needed():
    with pytest.raises(ValueError, match=r"^a and b must be paired"):
        permutation_test([0.5, 0.6], [0.5])
    assert permutation_test([0.5, 0.6], [0.5], paired=False).n == 3


EXTREME = st.one_of(
    st.floats(-1e299, 1e299), st.sampled_from([0.0, 0.3, 0.1 + 0.2, 1.0, 1 + 1e-13, 1e-200, 5e-324, 1e200, -1e299])
)


@pytest.mark.parametrize("options", [{}, {"n_resamples": 20}])
@pytest.mark.parametrize("paired", [True, False])
@given(a=arrays(np.float64, 5, elements=EXTREME), b=arrays(np.float64, 5, elements=EXTREME))
def test_extreme_input_never_gives_nan(options, paired, a, b):
    for alternative in ALTERNATIVES:
        record = permutation_test(a, b, paired=paired, alternative=alternative, rng=0, **options)
        assert 0 < record.pvalue <= 1
        interval = record.confidence_interval(0.8)
        assert interval.low <= interval.high
        assert (record.pvalue < 1 - 0.8) == (not interval.low <= 0 <= interval.high)


# Time, with ten times what it takes


def test_forty_real_differences_take_less_than_a_second():
    d = np.random.default_rng(1).normal(0.3, 1, 40)
    start = time.process_time()
    against_zero(d)
    assert time.process_time() - start < 1


def test_the_counts_behind_the_p_value(rng):
    a, b = FIVE_FOLDS_A, FIVE_FOLDS_B
    unpaired = permutation_test(a, b, paired=False)  # slide 12 there: .1984 of 10 choose 5
    assert (unpaired.n_extreme, unpaired.n_rearrangements) == (50, 252)
    assert "50 of 252 rearrangements" in str(unpaired).replace("\n", " ")
    paired = permutation_test(a, b)  # one difference is 0: four signs
    assert (paired.n_extreme, paired.n_rearrangements) == (4, 16)
    drawn = permutation_test(rng.normal(size=60), rng.normal(size=60), n_resamples=199, rng=0)
    assert drawn.n_rearrangements == 200
    assert drawn.n_extreme / drawn.n_rearrangements == pytest.approx(drawn.pvalue)
    many = permutation_test(rng.normal(size=32), np.zeros(32))
    assert many.n_extreme / many.n_rearrangements == many.pvalue
    assert f"{many.n_extreme:,} of 4,294,967,296 rearrangements are as far out" in str(many).replace("\n", " ")
    none = permutation_test(a, a)
    assert (none.n_extreme, none.n_rearrangements) == (1, 1)
    assert "rearrangement" not in str(none)


def counted_pvalue(values, delta, sides):
    """Of few different values: flips of so many of each, counted by their number."""
    kinds, many = np.unique(values, return_counts=True)
    extreme = 0
    for flipped in itertools.product(*(range(n + 1) for n in many)):
        if sum(k * (v - delta) for k, v in zip(flipped, kinds, strict=True)) <= 1e-12:
            extreme += math.prod(math.comb(int(n), k) for n, k in zip(many, flipped, strict=True))
    return min(1.0, sides * extreme / 2 ** len(values))


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_the_interval_of_forty_right_and_wrong_items_is_where_the_p_value_crosses(alternative, rng):
    a, b = (rng.random((2, 40)) < [[0.7], [0.4]]).astype(float)
    result = permutation_test(a, b, alternative=alternative)
    start = time.process_time()
    found = result.confidence_interval(0.9)
    assert time.process_time() - start < 0.5
    sides = 2 if alternative == "two-sided" else 1
    for limit, values in ((found.low, a - b), (-found.high, b - a))[:sides]:
        assert counted_pvalue(values, limit + 1e-9, sides) >= 0.1
        assert counted_pvalue(values, limit - 1e-9, sides) < 0.1


def test_the_interval_of_values_on_a_grid_is_that_of_the_same_values_off_it(rng):
    """Moved by less than rounds away, they have no common unit, and the search over differences is used."""
    d = rng.integers(-20, 40, 22) / 80
    off = d + rng.uniform(-1e-7, 1e-7, 22)
    found, searched = (permutation_test(x, np.zeros(22)).confidence_interval(0.9) for x in (d, off))
    assert (found.low, found.high) == pytest.approx((searched.low, searched.high), abs=1e-6)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("sizes", [(9, 9), (10, 7)])
def test_the_unpaired_interval_of_right_and_wrong_is_that_of_values_beside_them(alternative, sizes, rng):
    a, b = ((rng.random(n) < share).astype(float) for n, share in zip(sizes, (0.8, 0.3), strict=True))
    off = a + rng.uniform(-1e-7, 1e-7, a.size)
    for level in (0.8, 0.95):
        found, searched = (
            permutation_test(x, b, paired=False, alternative=alternative).confidence_interval(level) for x in (a, off)
        )
        assert (found.low, found.high) == pytest.approx((searched.low, searched.high), abs=1e-6)


def test_the_unpaired_interval_of_forty_right_and_wrong_answers_takes_no_seconds(rng):
    a, b = (rng.random((2, 20)) < [[0.7], [0.4]]).astype(float)
    result = permutation_test(a, b, paired=False)
    start = time.process_time()
    found = result.confidence_interval()
    assert time.process_time() - start < 0.5
    # about its ends the p-value of the shifted scores crosses 5%
    for limit, inward in ((found.low, 1e-9), (found.high, -1e-9)):
        assert pvalue_by_kinds(a - limit - inward, b) >= 0.05
        assert pvalue_by_kinds(a - limit + inward, b) < 0.05


def pvalue_by_kinds(a, b):
    """Two-sided, of two samples of at most two different values each, counted by how many of each kind are taken."""
    kinds = np.unique(np.r_[np.round(a, 12), np.round(b, 12)])
    many = [int((np.abs(np.r_[a, b] - kind) < 1e-11).sum()) for kind in kinds]
    total, extreme, n = float(np.sum(a) + np.sum(b)), 0, len(a)
    observed = abs(a.mean() - b.mean())
    for taken in itertools.product(*(range(k + 1) for k in many)):
        if sum(taken) == n:
            mean = sum(k * kind for k, kind in zip(taken, kinds, strict=True)) / n
            if abs(mean - (total - n * mean) / len(b)) >= observed - 1e-11:
                extreme += math.prod(math.comb(k, t) for k, t in zip(many, taken, strict=True))
    return extreme / math.comb(n + len(b), n)
