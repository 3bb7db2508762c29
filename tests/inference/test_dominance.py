"""Several metrics at once: published examples, independent oracles and the laws of counts, test and posterior."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import special, stats

from skcompare.inference import dominance_counts, dominance_posterior, dominance_test, effective_cases, format_statement
from skcompare.inference._distributions import probability_largest
from tests.lawful import FULL, assert_lawful, codes

# Benavoli and de Campos (2016), Example 1: two metrics on twelve data sets
EXAMPLE_1 = [1, 2, 3, 6]

# EBO against jSO on 29 benchmark functions of CEC 2017 in dimensions 10, 30, 50 and 100, with 6, 4, 3 and 0 ties;
# data set "cec17.final" of the R package rNPBST
BENCHMARKS = [8.25, 2.625, 1.25, 0.125, 1.25, 0.125, 1.25, 3.125, 0.75, 1.625, 1.25, 0.125, 0.75, 0.125, 1.25, 5.125]


def count_vectors(largest=30, lengths=(2, 4, 8)):
    return st.sampled_from(lengths).flatmap(
        lambda size: st.lists(st.integers(0, largest), min_size=size, max_size=size).map(np.array)
    )


def score_pairs(max_cases=6, n_metrics=3):
    """Scores of two models in steps of 0.1, so that ties are frequent."""
    shape = st.tuples(st.integers(1, max_cases), st.just(n_metrics))
    tenths = shape.flatmap(lambda s: arrays(np.int64, (2, *s), elements=st.integers(-5, 5)))
    return tenths.map(lambda pair: pair / 10)


# Statements


def test_a_statement_prints_as_it_is_read():
    assert format_statement((True, True, False), ["accuracy", "recall", "fit_time"]) == (
        "a better on accuracy and recall, b better on fit_time"
    )
    assert format_statement([False]) == "b better than a on metric 1"


@pytest.mark.parametrize("bad", [(), (1, 0), [[True]], "yes", None, True])
def test_what_is_no_statement_is_not_printed(bad):
    with pytest.raises(ValueError, match="statement must be booleans"):
        format_statement(bad)


@pytest.mark.parametrize("bad", [["x"], ["x", "x"], "xy", ["x", 1], ["x", "y", "z"]])
@pytest.mark.parametrize("procedure", [dominance_test, dominance_posterior])
def test_what_are_no_names_of_metrics_is_refused_by_name(procedure, bad):
    with pytest.raises(ValueError, match="metrics must be"):
        procedure(EXAMPLE_1, metrics=bad)


def test_records_print_their_statement_and_list_all_of_them():
    names = ["accuracy", "time"]
    for record in (dominance_test(EXAMPLE_1, metrics=names), dominance_posterior(EXAMPLE_1, metrics=names)):
        assert str(record).startswith("The most")
        assert record.metrics == tuple(names)
        assert record.statements == (
            "b better than a on both metrics",
            "a better on time, b better on accuracy",
            "a better on accuracy, b better on time",
            "a better than b on both metrics",
        )
    assert str(dominance_test([1, 3, 3, 0])).startswith("No pattern of wins is more frequent than all others")
    assert str(dominance_posterior([1, 3, 3, 0])).startswith("No pattern of wins is more probable")


# Counts


def test_statements_are_binary_numbers_whose_first_metric_is_the_most_significant_bit():
    # Benavoli and de Campos (2016), Definition 1: neither, the second only, the first only, both
    for bits, index in {(0, 0): 0, (0, 1): 1, (1, 0): 2, (1, 1): 3}.items():
        assert dominance_counts([bits], [[0.5, 0.5]])[index] == 1


def example_1_with_ties():
    """Scores whose reduction is Example 1 with one case tied on the first metric and one tied on both."""
    better = [[0, 1]] * 2 + [[1, 0]] * 3 + [[1, 1]] * 5 + [[0.5, 0]] + [[0.5, 0.5]]
    return np.array(better), np.full((12, 2), 0.5)


def test_ties_are_split_as_in_the_footnote_of_benavoli_and_de_campos():
    # by hand, footnote 3: the untied cases are [0, 2, 3, 5]; half a case to (no, no) and (yes, no); a quarter to all
    assert dominance_counts(*example_1_with_ties()).tolist() == [0.75, 2.25, 3.75, 5.25]


def test_rounding_is_a_tie():
    assert dominance_counts([0.1 + 0.2, 0.936 - 0.931], [0.3, 0.005]).tolist() == [1, 1]


def test_the_scale_of_one_case_makes_no_ties_in_another():
    # squared errors of two data sets whose targets differ by seven orders of magnitude
    assert dominance_counts([0.020, 1e12], [0.025, 2e12], greater_is_better=False).tolist() == [0, 2]


@pytest.mark.parametrize(("rope", "expected"), [(0, [0, 2]), (0.0625, [0.5, 1.5]), (0.5, [1, 1])])
def test_differences_up_to_the_rope_are_ties(rope, expected):
    assert dominance_counts([0.5625, 0.75], [0.5, 0.25], rope=rope).tolist() == expected


def test_a_difference_as_large_as_the_rope_up_to_rounding_is_a_tie():
    assert 0.8 - 0.7 > 0.1
    assert dominance_counts([0.8, 0.7], [0.7, 0.8], rope=0.1).tolist() == [1, 1]


def test_each_metric_may_have_its_own_direction_and_rope():
    a, b = [[0.9, 3.0]], [[0.8, 2.0]]
    assert dominance_counts(a, b, [True, False]).tolist() == [0, 0, 1, 0]
    assert dominance_counts(a, b, [True, False], rope=[0, 1]).tolist() == [0, 0, 0.5, 0.5]


@given(scores=score_pairs())
def test_ties_are_shared_as_one_product_over_the_metrics(scores):
    a, b = scores
    expected = np.zeros(8)
    for case in np.sign(a - b):
        shares = {-1: (1, 0), 0: (0.5, 0.5), 1: (0, 1)}
        first, second, third = (shares[int(sign)] for sign in case)
        expected += np.einsum("i,j,k->ijk", first, second, third).ravel()
    np.testing.assert_allclose(dominance_counts(a, b), expected, rtol=1e-13, atol=1e-13)


def test_twelve_metrics_with_ties_are_counted_case_by_case_in_little_memory():
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 3, (2, 20_000, 12)).astype(float)
    tracemalloc.start()
    counts = dominance_counts(a, b)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert counts.sum() == pytest.approx(20_000, rel=1e-12)
    assert peak < 100e6  # 2**12 cells of 20,000 cases would be 655 MB
    first = (a > b).sum(axis=0) + (a == b).sum(axis=0) / 2
    bits = np.array([[int(bit) for bit in f"{k:012b}"] for k in range(2**12)])
    np.testing.assert_allclose(counts @ bits, first, rtol=1e-10)


@given(scores=score_pairs())
def test_swapping_the_models_reverses_the_counts(scores):
    a, b = scores
    np.testing.assert_array_equal(dominance_counts(b, a), dominance_counts(a, b)[::-1])


@given(scores=score_pairs())
def test_counts_add_up_to_the_number_of_cases(scores):
    counts = dominance_counts(*scores)
    assert counts.shape == (8,)
    assert counts.min() >= 0
    assert counts.sum() == pytest.approx(scores.shape[1], rel=1e-12)


@given(scores=score_pairs())
def test_strictly_increasing_transforms_of_a_metric_change_nothing(scores):
    a, b = scores
    counts = dominance_counts(a, b)
    for transform in (np.exp, np.cbrt, lambda x: x**3, lambda x: 1e6 * x - 3, lambda x: np.exp(40 * x)):
        moved = [np.column_stack([x[:, 0], transform(x[:, 1]), x[:, 2]]) for x in (a, b)]
        np.testing.assert_array_equal(dominance_counts(*moved), counts)


@given(scores=score_pairs())
def test_a_flipped_direction_and_negated_scores_change_nothing(scores):
    a, b = scores
    flip = np.array([1, -1, 1])
    flipped = dominance_counts(flip * a, flip * b, greater_is_better=[True, False, True])
    np.testing.assert_array_equal(flipped, dominance_counts(a, b))


@given(scores=score_pairs())
def test_a_case_tied_on_every_metric_adds_as_much_to_each_statement(scores):
    with_tie = np.concatenate([scores, np.zeros((2, 1, 3))], axis=1)
    np.testing.assert_allclose(dominance_counts(*with_tie), dominance_counts(*scores) + 1 / 8, rtol=1e-12)


@given(scores=score_pairs(), seed=st.integers(0, 100))
def test_the_order_of_the_cases_is_irrelevant(scores, seed):
    order = np.random.default_rng(seed).permutation(scores.shape[1])
    np.testing.assert_allclose(dominance_counts(*scores[:, order]), dominance_counts(*scores), rtol=1e-12)


def test_flat_scores_are_one_metric_and_lists_equal_arrays():
    a, b = np.array([0.9, 0.8, 0.7]), np.array([0.8, 0.8, 0.8])
    assert dominance_counts(a, b).tolist() == [1.5, 1.5]
    assert dominance_counts(a[:, None].tolist(), b[:, None].tolist()).tolist() == [1.5, 1.5]


def test_extreme_scores_are_counted():
    assert dominance_counts([1.7e308, 5e-324, -1.7e308], [-1.7e308, 0, 1.7e308]).tolist() == [1, 2]


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"a": [[np.nan, 1]]}, "a"),
        ({"b": [[np.inf, 1]]}, "b"),
        ({"a": [[1, 2], [1, 2]]}, "a and b"),
        ({"a": [["x", 1]]}, "a"),
        ({"a": np.zeros((2, 13)), "b": np.ones((2, 13))}, "a and b"),
        ({"greater_is_better": [True]}, "greater_is_better"),
        ({"greater_is_better": 1}, "greater_is_better"),
        ({"greater_is_better": "yes"}, "greater_is_better"),
        ({"greater_is_better": None}, "greater_is_better"),
        ({"greater_is_better": np.array("2020", dtype="datetime64[Y]")}, "greater_is_better"),
        ({"rope": -1}, "rope"),
        ({"rope": [0, -1]}, "rope"),
        ({"rope": [0, 0, 0]}, "rope"),
        ({"rope": np.nan}, "rope"),
        ({"rope": "x"}, "rope"),
    ],
)
def test_bad_scores_directions_and_ropes_are_refused_by_name(options, name):
    arguments = {"a": [[0.9, 0.8]], "b": [[0.8, 0.9]]} | options
    with pytest.raises(ValueError, match=f"^{name} must "):
        dominance_counts(**arguments)


# Effective cases


@pytest.mark.parametrize(
    ("n", "correlation", "expected"),
    # n / (1 + (n - 1) (2 / pi) arcsin(correlation)) by hand; for 5x2 arcsin(1 / 2) = pi / 6 makes it 10 / 4
    [(100, 0.1, 13.674), (10, 0.1, 6.354), (10, 0.5, 2.5), (50, 0.2, 6.867)],
    ids=["10x10", "10-fold", "5x2", "10x5"],
)
def test_effective_cases_of_the_usual_designs(n, correlation, expected):
    assert effective_cases(n, correlation) == pytest.approx(expected, abs=5e-4)


@pytest.mark.parametrize("rho", [0.05, 0.1, 0.2, 0.5, 0.9])
def test_effective_cases_rest_on_the_correlation_of_normal_signs(rho):
    # correlation of two signs: P(equal) - P(different) = 4 P(both negative) - 1, from scipy's bivariate normal
    both = stats.multivariate_normal.cdf([0, 0], mean=[0, 0], cov=[[1, rho], [rho, 1]])
    assert effective_cases(2, rho) == pytest.approx(2 / (1 + 4 * both - 1), rel=1e-5)


@given(n=st.integers(1, 10**6), rho=st.floats(0, 1))
def test_effective_cases_lie_between_1_and_n(n, rho):
    assert 1 - 1e-12 <= effective_cases(n, rho) <= n
    assert effective_cases(n, 0) == n
    assert effective_cases(n, 1) == pytest.approx(1)


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ((0, 0.1), "n"),
        ((1.5, 0.1), "n"),
        ((True, 0.1), "n"),
        ((10, -0.1), "fold_correlation"),
        ((10, 1.1), "fold_correlation"),
        ((10, np.nan), "fold_correlation"),
        ((10, "x"), "fold_correlation"),
    ],
)
def test_bad_numbers_of_folds_are_refused_by_name(arguments, name):
    with pytest.raises(ValueError, match=f"^{name} must be "):
        effective_cases(*arguments)


# The likelihood-ratio test: reference values


def test_likelihood_ratio_of_example_1():
    # Benavoli and de Campos (2016), Example 1: lambda = 0.6, p = 0.313; with more digits from the paper's formula,
    # lambda = 4.5^9 / (6^6 3^3) = 0.6006775
    result = dominance_test(EXAMPLE_1)
    assert result.statement == (True, True)
    assert np.exp(-result.statistic / 2) == pytest.approx(4.5**9 / (6**6 * 3**3), rel=1e-12)
    assert result.pvalue_chi2 == pytest.approx(0.313, abs=5e-4)
    assert result.pvalue_chi2 == pytest.approx(stats.chi2.sf(result.statistic, 1), rel=1e-12)
    assert result.effect_size == pytest.approx((6 - 3) / 12)


def test_binomial_pvalues_of_example_1():
    # P(Bin(9, 1/2) >= 6) = 130 / 512, P(Bin(9, 1/2) = 6) = 84 / 512
    result = dominance_test(EXAMPLE_1)
    assert result.pvalue_exact == pytest.approx(260 / 512, rel=1e-12)
    assert result.pvalue_midp == pytest.approx((260 - 84) / 512, rel=1e-12)


def test_likelihood_ratio_with_ties():
    # Benavoli and de Campos (2016), section 3, evaluated for (5.25, 3.75) with scipy 1.17.1 chi2.sf
    result = dominance_test(dominance_counts(*example_1_with_ties()))
    assert result.statistic == pytest.approx(0.2511705, abs=5e-8)
    assert result.pvalue_chi2 == pytest.approx(0.6162521, abs=5e-8)
    assert codes(result) == ["APPROXIMATE"]


def test_likelihood_ratio_on_real_benchmarks():
    # Benavoli and de Campos (2016), section 3: lambda = (n / 2)^n / (8.25^8.25 5.125^5.125) with n = 13.375 is
    # 0.6917945; p with scipy 1.17.1 chi2.sf
    result = dominance_test(BENCHMARKS)
    assert result.statement == (False, False, False, False)
    assert np.exp(-result.statistic / 2) == pytest.approx(0.6917945, abs=5e-8)
    assert result.pvalue_chi2 == pytest.approx(0.3906452, abs=5e-8)


@pytest.mark.parametrize(("n", "chi2"), [(2, 0.0959), (3, 0.0414), (4, 0.0185), (5, 0.0085), (6, 0.0039)])
def test_unanimous_cases(n, chi2):
    # T = 2 n ln 2, its tail from scipy 1.17.1 chi2.sf; the exact p-value is 2 / 2^n
    result = dominance_test([0, 0, 0, n])
    assert result.statistic == pytest.approx(2 * n * np.log(2))
    assert result.pvalue_chi2 == pytest.approx(chi2, abs=5e-5)
    assert result.pvalue_exact == pytest.approx(2.0 ** (1 - n))
    assert codes(result) == (["CANNOT_REJECT"] if n < 6 else [])


@given(n_a=st.integers(0, 200), n_b=st.integers(0, 200))
def test_binomial_pvalues_agree_with_scipy(n_a, n_b):
    n_a, n_b = max(n_a, n_b), min(n_a, n_b)
    result = dominance_test([n_b, n_a])
    if n_a > n_b:
        n = n_a + n_b
        assert result.pvalue_exact == pytest.approx(stats.binomtest(n_a, n).pvalue, rel=1e-9)
        midp = stats.binomtest(n_a, n).pvalue - stats.binom.pmf(n_a, n, 0.5)
        assert result.pvalue_midp == pytest.approx(midp, rel=1e-9)


# The likelihood-ratio test: laws


@given(counts=count_vectors())
def test_swapping_the_models_reverses_the_statement(counts):
    result, swapped = dominance_test(counts), dominance_test(counts[::-1])
    assert swapped.pvalue == result.pvalue
    assert swapped.statistic == result.statistic
    if result.statement is not None:
        assert swapped.statement == tuple(not x for x in result.statement)


@given(counts=count_vectors(largest=10**6))
def test_without_a_single_most_frequent_statement_there_is_no_claim(counts):
    result = dominance_test(counts)
    second, first = np.sort(counts)[-2:]
    assert (result.statement is None) == (first == second)
    assert (result.pvalue_chi2 == 1) == (first == second)
    assert (result.statistic == 0) == (first == second)
    if first == second:
        assert (result.pvalue, result.pvalue_exact, result.pvalue_midp) == (1, 1, 1)


@given(counts=count_vectors(), data=st.data())
def test_only_the_two_largest_counts_matter(counts, data):
    smallest = np.sort(counts)[-2]
    others = [data.draw(st.integers(0, int(min(n, smallest)))) if n < smallest else n for n in counts]
    result, other = dominance_test(counts), dominance_test(others)
    assert (other.statistic, other.pvalue) == (result.statistic, result.pvalue)
    assert other.statement == result.statement


@given(counts=count_vectors(), factor=st.floats(0.01, 1000))
def test_the_statistic_grows_in_proportion_to_the_cases(counts, factor):
    assert dominance_test(factor * counts).statistic == pytest.approx(
        factor * dominance_test(counts).statistic, rel=1e-9, abs=1e-12
    )


def test_nearly_equal_large_counts_do_not_cancel():
    # for a small relative difference T is (n_a - n_b)^2 / (n_a + n_b), Pearson's statistic
    assert dominance_test([10**6, 10**6 - 1]).statistic == pytest.approx(1 / (2e6 - 1), rel=1e-9)


@given(counts=count_vectors(largest=100))
def test_the_exact_pvalue_is_never_below_the_asymptotic_one(counts):
    result = dominance_test(counts)
    assert result.pvalue_exact >= result.pvalue_chi2 * (1 - 1e-12)


@settings(deadline=None)
@given(counts=count_vectors(largest=10**6, lengths=(2, 4, 8, 64)))
def test_pvalues_are_probabilities_and_large_counts_do_not_overflow(counts):
    result = dominance_test(counts)
    for p in (result.pvalue, result.pvalue_chi2, result.pvalue_exact, result.pvalue_midp):
        assert 0 <= p <= 1
    assert result.pvalue_midp <= result.pvalue_exact
    assert np.isfinite(result.statistic)


def test_equal_large_counts_do_not_overflow():
    assert dominance_test([1e6] * 4).pvalue == 1
    assert dominance_test([1e6, 0, 0, 0]).pvalue == 0


@given(counts=count_vectors())
def test_a_statement_fixed_in_advance_has_half_the_pvalues(counts):
    found = dominance_test(counts)
    if found.statement is not None:
        fixed = dominance_test(counts, statement=found.statement)
        assert fixed.pvalue_chi2 == pytest.approx(found.pvalue_chi2 / 2, rel=1e-12)
        # the binomial tails are doubled and cut at 1 where the statement was not fixed
        assert min(1, 2 * fixed.pvalue_exact) == pytest.approx(found.pvalue_exact, rel=1e-12)
        assert min(1, 2 * fixed.pvalue_midp) == pytest.approx(found.pvalue_midp, rel=1e-12)


def test_a_statement_fixed_in_advance_that_is_not_ahead_is_not_claimed():
    result = dominance_test(EXAMPLE_1, statement=(True, False))
    assert result.statement == (True, False)
    assert (result.statistic, result.pvalue_chi2) == (0, 1)
    assert result.effect_size == pytest.approx((3 - 6) / 12)
    # P(Bin(9, 1/2) >= 3) from scipy
    assert result.pvalue_exact == pytest.approx(stats.binom.sf(2, 9, 0.5), rel=1e-12)


def compositions(n, parts):
    """All vectors of `parts` counts that add up to n."""
    if parts == 1:
        return np.array([[n]])
    return np.vstack([np.insert(compositions(n - first, parts - 1), 0, first, axis=1) for first in range(n + 1)])


# Nulls for four statements, (p, p, q, 1 - 2 p - q): no statement is the single most probable one
NULLS = [
    (p, p, q, max(0.0, 1 - 2 * p - q))
    for p in np.linspace(0.25, 0.5, 11)
    for q in np.linspace(max(0, 1 - 3 * p), (1 - 2 * p) / 2, 4)
]


def size_of_the_exact_test(n, alpha):
    """Largest probability over the nulls that the test calls any statement significant."""
    outcomes = compositions(n, 4)
    # the test sees the two largest counts only
    pvalues = {}
    for first, second in {tuple(np.sort(row)[:-3:-1]) for row in outcomes}:
        pvalues[first, second] = dominance_test([first, second, 0, 0]).pvalue_exact
    rejected = np.array([pvalues[tuple(np.sort(row)[:-3:-1])] <= alpha for row in outcomes])
    return np.max([stats.multinomial.pmf(outcomes[rejected], n, null).sum() for null in NULLS])


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.1])
def test_the_exact_test_keeps_its_size(alpha):
    assert size_of_the_exact_test(12, alpha) <= alpha


def test_size_of_the_exact_test_where_two_statements_share_all_cases():
    # P(Bin(12, 1/2) <= 2 or >= 10) = 158 / 4096
    assert size_of_the_exact_test(12, 0.05) >= 158 / 4096 - 1e-12


@pytest.mark.slow
@pytest.mark.parametrize("n", range(5, 31) if FULL else [8, 10, 20])
def test_the_exact_test_keeps_its_size_for_more_cases(n):
    assert size_of_the_exact_test(n, 0.05) <= 0.05


def tied_nulls(n_nulls):
    """Probabilities of the nine patterns (loss, tie, win) x (loss, tie, win) that stay the same when the first metric,
    or both, are turned round: no statement is the single most probable one, whatever the ties."""
    rng = np.random.default_rng(0)
    for i in range(n_nulls):
        pattern = rng.dirichlet(np.full(9, (0.1, 0.3, 1.0)[i % 3])).reshape(3, 3)
        yield (pattern + (pattern[::-1] if i % 2 else pattern[::-1, ::-1])).ravel() / 2


@pytest.mark.slow
@pytest.mark.parametrize("n", [5, 6, 8] if FULL else [6])
def test_the_exact_test_keeps_its_size_where_ties_are_split(n):
    outcomes = compositions(n, 9)
    shares = np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]])
    counts = outcomes @ np.array([np.kron(first, second) for first in shares for second in shares])
    largest = [tuple(row) for row in np.sort(counts, axis=1)[:, :-3:-1]]
    pvalues = {pair: dominance_test([*pair, 0, 0]).pvalue_exact for pair in set(largest)}
    rejected = outcomes[[pvalues[pair] <= 0.05 for pair in largest]]
    for null in tied_nulls(300 if FULL else 30):
        assert stats.multinomial.pmf(rejected, n, null).sum() <= 0.05


def test_the_interval_on_cases_is_that_of_clopper_and_pearson():
    interval = dominance_test(EXAMPLE_1).confidence_interval(0.9)
    expected = stats.binomtest(6, 9).proportion_ci(0.9, method="exact")
    assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high), abs=1e-12)


@pytest.mark.parametrize("n_effective", [None, 0.5])
@given(counts=count_vectors(), alpha=st.floats(0.001, 0.9))
def test_the_interval_leaves_out_one_half_exactly_when_the_test_rejects(n_effective, counts, alpha):
    share = n_effective and n_effective * float(counts.sum())
    result = dominance_test(counts, n_effective=share)
    interval = result.confidence_interval(1 - alpha)
    assert 0 <= interval.low <= interval.high <= 1
    if abs(result.pvalue - alpha) > 1e-9:
        assert (interval.low > 0.5) == (result.pvalue < alpha)
    assert interval.high >= 0.5


@given(counts=count_vectors(lengths=(4,)), alpha=st.floats(0.001, 0.9))
def test_the_interval_of_a_statement_fixed_in_advance_is_one_sided(counts, alpha):
    result = dominance_test(counts, statement=(True, False))
    interval = result.confidence_interval(1 - alpha)
    assert interval.high == 1
    if abs(result.pvalue - alpha) > 1e-9:
        assert (interval.low > 0.5) == (result.pvalue < alpha)


# Folds of one data set


def test_the_deciding_pvalue_is_exact_on_cases_and_midp_on_effective_cases():
    counts = [5, 10, 15, 70]
    on_cases, on_folds = dominance_test(counts), dominance_test(counts, n_effective=13.674)
    assert on_cases.pvalue == on_cases.pvalue_exact
    assert on_folds.pvalue == on_folds.pvalue_midp
    assert (on_folds.n, on_folds.n_effective) == (100, pytest.approx(13.674))


@given(counts=count_vectors(), share=st.floats(0.01, 1))
def test_effective_cases_scale_the_counts(counts, share):
    if counts.sum():
        n_effective = share * float(counts.sum())
        scaled = dominance_test(counts, n_effective=n_effective)
        by_hand = dominance_test(share * counts)
        np.testing.assert_allclose(scaled.counts, share * counts, rtol=1e-12)
        assert scaled.pvalue_midp == pytest.approx(by_hand.pvalue_midp, rel=1e-9)
        assert scaled.statistic == pytest.approx(by_hand.statistic, rel=1e-9, abs=1e-12)
        assert scaled.statement == by_hand.statement


def test_five_times_two_folds_cannot_reject_and_say_so():
    result = dominance_test([0, 0, 0, 10], n_effective=effective_cases(10, 0.5))
    assert result.pvalue > 0.05
    assert codes(result) == ["CANNOT_REJECT"]


def test_ten_times_ten_folds_can_reject():
    result = dominance_test([0, 0, 0, 100], n_effective=effective_cases(100, 0.1))
    assert result.pvalue < 0.001
    assert result.warnings == ()


def test_no_cases_are_too_few():
    result = dominance_test([0, 0, 0, 0])
    assert (result.statement, result.pvalue, result.effect_size) == (None, 1, 0)
    assert codes(result) == ["TOO_LITTLE_DATA"]
    assert codes(dominance_posterior([0, 0])) == ["TOO_LITTLE_DATA"]


# The posterior: reference values


def test_posterior_of_example_1():
    # Benavoli and de Campos (2016), section 4, by Monte Carlo: .013, .051, .136, .80; scipy 1.17.1 integrate.quad of
    # the gamma density times the other gamma distribution functions: .01236333, .05192299, .13750009, .79821359
    posterior = dominance_posterior(EXAMPLE_1)
    np.testing.assert_allclose(posterior.probabilities, [0.013, 0.051, 0.136, 0.80], atol=0.006)
    np.testing.assert_allclose(posterior.probabilities, [0.01236333, 0.05192299, 0.13750009, 0.79821359], atol=5e-9)
    assert posterior.statement == (True, True)


@pytest.mark.parametrize(
    ("counts", "prior", "expected"),
    # scipy 1.17.1 integrate.quad of the gamma density times the other gamma distribution functions
    [
        (EXAMPLE_1, "jeffreys", [0.01517652, 0.05655311, 0.142358, 0.78591237]),
        (EXAMPLE_1, "uniform", [0.02079424, 0.0650929, 0.15092276, 0.76319011]),
        ([0.75, 2.25, 3.75, 5.25], None, [0.00884527, 0.07878041, 0.27399292, 0.63838139]),
        (
            [9, 1, 1, 1, 0, 0, 0, 0],
            None,
            [0.992968853] + [0.002271564] * 3 + [0.0000541140] * 4,
        ),
    ],
    ids=["Jeffreys", "uniform", "ties", "three metrics"],
)
def test_posterior_agrees_with_quadrature_by_scipy(counts, prior, expected):
    np.testing.assert_allclose(dominance_posterior(counts, prior).probabilities, expected, atol=5.1e-9)


def test_posterior_on_real_benchmarks():
    # scipy 1.17.1 integrate.quad as above
    probabilities = dominance_posterior(BENCHMARKS).probabilities
    assert (probabilities[0], probabilities[-1]) == pytest.approx((0.757716182, 0.169258484), abs=5e-9)


def test_posterior_with_many_empty_statements():
    # scipy 1.17.1 integrate.quad as above
    probabilities = dominance_posterior([20, 15, 10] + [0] * 29).probabilities
    np.testing.assert_allclose(probabilities[:3], [0.790995134, 0.190605750, 0.0183991056], rtol=1e-8)
    np.testing.assert_allclose(probabilities[3:], 3.66298e-10, rtol=1e-5)


@pytest.mark.parametrize(
    "counts", [EXAMPLE_1, [20, 15, 10] + [0] * 29, BENCHMARKS, [2, 0], [0.3, 0.1, 0.2, 0]], ids=str
)
def test_posterior_agrees_with_sampling(counts):
    n, K = 40_000, len(counts)
    draws = np.random.default_rng(0).dirichlet(np.array(counts) + 1 / K, size=n)
    sampled = np.bincount(draws.argmax(axis=1), minlength=K) / n
    p = dominance_posterior(counts).probabilities
    # five Monte Carlo standard errors, and one draw for probabilities below 1/n
    assert np.all(np.abs(sampled - p) <= 5 * np.sqrt(p * (1 - p) / n) + 1 / n)


# P(Beta(a, b) > 1/2), the closed form for two statements; one of them is Dirichlet(7.5, 4.5), 0.8165786
@pytest.mark.parametrize("alpha", [(7.5, 4.5), (1, 1), (0.25, 3), (0.01, 0.03), (0.001, 0.5), (1e-8, 3e-8), (40, 0.1)])
def test_two_statements_have_a_closed_form(alpha):
    p = dominance_posterior([0, 0], prior=alpha).probabilities
    expected = stats.beta.sf(0.5, *alpha), stats.beta.cdf(0.5, *alpha)
    np.testing.assert_allclose(p, expected, rtol=1e-10, atol=1e-13)


@settings(deadline=None)
@given(first=st.integers(0, 10**6), gap=st.floats(-4, 4))
def test_two_statements_have_a_closed_form_for_large_counts(first, gap):
    second = max(0.0, first + gap * first**0.5)
    p = dominance_posterior([first, second], prior="jeffreys").probabilities
    assert p[0] == pytest.approx(stats.beta.sf(0.5, first + 0.5, second + 0.5), abs=2e-9)


def test_marginals_of_example_1():
    # P(Beta(3 + 6 + 1/2, 1 + 2 + 1/2) > 1/2) and P(Beta(2 + 6 + 1/2, 1 + 3 + 1/2) > 1/2) from scipy
    expected = [stats.beta.sf(0.5, 9.5, 3.5), stats.beta.sf(0.5, 8.5, 4.5)]
    np.testing.assert_allclose(dominance_posterior(EXAMPLE_1).marginals, expected, rtol=1e-12)


# The posterior: laws


@settings(deadline=None)
@given(counts=count_vectors(largest=10**6))
def test_posterior_adds_up_to_1(counts):
    posterior = dominance_posterior(counts)
    assert posterior.probabilities.sum() == pytest.approx(1, abs=1e-10)
    assert posterior.mean.sum() == pytest.approx(1, abs=1e-10)
    assert np.all(posterior.probabilities >= 0)


@pytest.mark.parametrize("m", [1, 2, 3, 5, 12])
@pytest.mark.parametrize("prior", [None, "jeffreys", "uniform", 1e-3, 50.0])
def test_without_cases_all_statements_are_equally_probable(m, prior):
    posterior = dominance_posterior(np.zeros(2**m), prior)
    np.testing.assert_allclose(posterior.probabilities, 2.0**-m, rtol=1e-10)
    np.testing.assert_allclose(posterior.marginals, 0.5, rtol=1e-10)
    assert posterior.statement is None


@settings(deadline=None)
@given(counts=count_vectors(), seed=st.integers(0, 100))
def test_permuting_the_counts_permutes_the_posterior(counts, seed):
    order = np.random.default_rng(seed).permutation(counts.size)
    np.testing.assert_allclose(
        dominance_posterior(counts[order]).probabilities, dominance_posterior(counts).probabilities[order], rtol=1e-9
    )


@settings(deadline=None)
@given(counts=count_vectors())
def test_swapping_the_models_reverses_the_posterior(counts):
    posterior, swapped = dominance_posterior(counts), dominance_posterior(counts[::-1])
    np.testing.assert_allclose(swapped.probabilities, posterior.probabilities[::-1], rtol=1e-9)
    np.testing.assert_allclose(swapped.marginals, 1 - posterior.marginals, atol=1e-12)
    if posterior.statement is not None:
        assert swapped.statement == tuple(not x for x in posterior.statement)


@settings(deadline=None)
@given(counts=count_vectors(lengths=(8,)))
def test_marginals_are_beta_tails(counts):
    marginals = dominance_posterior(counts).marginals
    bits = np.array([[k >> 2 & 1, k >> 1 & 1, k & 1] for k in range(8)], dtype=bool)
    for metric in range(3):
        better = counts[bits[:, metric]].sum() + 0.5
        worse = counts[~bits[:, metric]].sum() + 0.5
        assert marginals[metric] == pytest.approx(stats.beta.sf(0.5, better, worse), rel=1e-9)


@settings(deadline=None)
@given(counts=count_vectors(largest=50))
def test_more_frequent_statements_are_more_probable(counts):
    p = dominance_posterior(counts).probabilities
    order = np.argsort(counts)
    assert np.all(np.diff(p[order]) >= -1e-12)


def test_a_tied_case_weighs_as_much_as_the_default_prior():
    # Benavoli and de Campos (2016): the prior is one observation, spread evenly
    a, b = np.array([[0.9, 0.8], [0.7, 0.7]]), np.array([[0.8, 0.9], [0.7, 0.7]])
    with_tie = dominance_posterior(dominance_counts(a, b), prior=1e-12)
    without = dominance_posterior(dominance_counts(a[:1], b[:1]))
    np.testing.assert_allclose(with_tie.probabilities, without.probabilities, rtol=1e-9)


def test_effective_cases_scale_the_counts_of_the_posterior():
    on_folds = dominance_posterior([5, 10, 15, 70], n_effective=10)
    np.testing.assert_allclose(on_folds.counts, [0.5, 1, 1.5, 7])
    by_hand = dominance_posterior([0.5, 1, 1.5, 7])
    np.testing.assert_array_equal(on_folds.probabilities, by_hand.probabilities)


def test_a_prior_per_statement_enters_as_counts():
    with_prior = dominance_posterior([1, 2, 3, 6], prior=[4, 3, 2, 1])
    as_counts = dominance_posterior([4, 4, 4, 6], prior=1.0)
    np.testing.assert_allclose(with_prior.mean, as_counts.mean)
    np.testing.assert_allclose(with_prior.probabilities, as_counts.probabilities)


# Records, side effects and bad input


@pytest.mark.parametrize("procedure", [dominance_test, dominance_posterior])
@pytest.mark.parametrize("counts", [EXAMPLE_1, [0, 0], [1, 1], [0.5, 2.5], [0, 5]], ids=str)
def test_the_laws_of_every_record_which_keeps_counts_of_its_own(procedure, counts):
    assert_lawful(procedure, counts)
    own = np.array(counts, dtype=float)
    assert not np.shares_memory(procedure(own).counts, own)


@pytest.mark.parametrize("procedure", [dominance_test, dominance_posterior])
@pytest.mark.parametrize(
    "bad",
    [[1, 2, 3], [1], [], [1, -1], [1, np.nan], [1, np.inf], [[1, 2], [3, 4]], 3, None, ["x", 1], np.ones(2**13)],
    ids=lambda bad: repr(bad)[:30],
)
def test_what_are_no_counts_is_refused_by_name(procedure, bad):
    with pytest.raises(ValueError, match=r"^counts must "):
        procedure(bad)


@pytest.mark.parametrize("procedure", [dominance_test, dominance_posterior])
@pytest.mark.parametrize("bad", [-1, 12.1, np.nan, np.inf, "x", True], ids=str)
def test_more_effective_cases_than_cases_are_refused_by_name(procedure, bad):
    with pytest.raises(ValueError, match=r"^n_effective must be a number in \[0, 12\]"):
        procedure(EXAMPLE_1, n_effective=bad)


@pytest.mark.parametrize("bad", [(True,), (True, True, True), (1, 0), "yes", True, [[True, False]]], ids=str)
def test_what_is_no_statement_is_refused_by_name(bad):
    with pytest.raises(ValueError, match=r"^statement must be 2 booleans"):
        dominance_test(EXAMPLE_1, statement=bad)


@pytest.mark.parametrize(
    "bad", ["jeffrey", 0, -1, np.nan, np.inf, True, [1, 1], [1, 1, 1, 0], [1, 1, 1, np.nan], [[1] * 4]], ids=str
)
def test_what_is_no_prior_is_refused_by_name(bad):
    with pytest.raises(ValueError, match=r"(^|[?] )prior must "):
        dominance_posterior(EXAMPLE_1, prior=bad)


@pytest.mark.parametrize("scale", [1e2, 1e4, 1e8, 1e12, 1e15])
def test_the_posterior_of_huge_counts_is_that_of_two_normals(scale):
    # Of two large gamma parameters the difference is normal: P = Phi((a - b) / sqrt(a + b)) up to O(1 / sqrt(a)).
    a, b = scale + 0.7 * np.sqrt(2 * scale), scale
    probability = dominance_posterior([a, b]).probabilities[0]
    assert probability == pytest.approx(special.ndtr((a - b) / np.sqrt(a + b)), abs=0.5 / np.sqrt(scale) + 1e-6)
    # and for two cells exactly the tail of a beta variate, where that is accurate
    if scale <= 1e8:
        assert probability == pytest.approx(special.betaincc(a + 0.5, b + 0.5, 0.5), abs=1e-9)


@pytest.mark.parametrize("m", [1, 2, 5, 8, 12])
@pytest.mark.parametrize("largest", [0, 1, 30, 1e3, 1e6])
def test_the_quadrature_adds_up_to_1_without_being_made_to(m, largest):
    rng = np.random.default_rng(m)
    counts = np.zeros(2**m)
    filled = min(40, counts.size)
    for values in (rng.integers(0, largest + 1, filled), rng.random(filled) * largest, np.full(filled, largest)):
        counts[:filled] = values
        for prior in (1 / counts.size, 0.5, 1.0):
            assert probability_largest(counts + prior).sum() == pytest.approx(1, abs=1e-10)


def test_every_statement_equally_often_is_equally_probable():
    np.testing.assert_allclose(probability_largest(np.full(4096, 1e6)), 1 / 4096, rtol=1e-9)


# Decision and sensitivity


def test_a_statement_is_decided_on_above_the_threshold_only():
    posterior = dominance_posterior(EXAMPLE_1)
    assert posterior.decision() is None
    assert posterior.decision(0.79) == (True, True)
    assert posterior.decision(0.8) is None
    for bad in (0.4, 1.0, np.nan, "0.95"):
        with pytest.raises(ValueError, match="threshold must be a number in"):
            posterior.decision(bad)


@given(counts=count_vectors(largest=4, lengths=(2, 4)))
def test_sensitivity_is_what_the_prior_on_one_statement_gives(counts):
    """Against the definition: the whole prior on each statement in turn, and almost none elsewhere."""
    posterior = dominance_posterior(counts)
    limits = posterior.sensitivity()
    almost = 1e-9
    moved = [
        dominance_posterior(counts, prior=np.where(np.arange(counts.size) == k, 1.0, almost)).probabilities
        for k in range(counts.size)
    ]
    np.testing.assert_allclose(limits.low, np.min(moved, axis=0), atol=1e-6)
    np.testing.assert_allclose(limits.high, np.max(moved, axis=0), atol=1e-6)
    winners = {int(p.argmax()) if np.sort(p)[-2] < p.max() - 1e-6 else None for p in moved}
    assert (limits.robust is not None) == (len(winners) == 1 and None not in winners)
    assert (limits.low <= posterior.probabilities + 1e-9).all()
    assert (limits.high >= posterior.probabilities - 1e-9).all()


def test_a_clear_majority_is_robust_and_no_cases_are_not():
    assert dominance_posterior([0, 1, 0, 12]).sensitivity().robust == (True, True)
    nothing = dominance_posterior([0, 0, 0, 0]).sensitivity()
    assert nothing.robust is None
    assert (nothing.low == 0).all()
    assert nothing.high == pytest.approx(np.ones(4), abs=1e-12)


@pytest.mark.parametrize("counts", [[1e300, 1e299, 0, 0], [1e20, 1, 0, 0]])
def test_counts_that_double_precision_cannot_resolve_are_refused(counts):
    with pytest.raises(ValueError, match=r"counts plus prior must add up to at most 1e\+16"):
        dominance_posterior(counts)
    assert dominance_test(counts).pvalue == 0


def test_complex_scores_are_refused():
    with pytest.raises(ValueError, match="a must be an array of numbers"):
        dominance_counts([1 + 2j], [0.5])
