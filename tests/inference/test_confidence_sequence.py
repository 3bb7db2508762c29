"""Confidence sequences, and the laws of the procedures in the form that they have: on bounded values, in order."""

import pickle
import time
from itertools import pairwise, product

import numpy as np
import pytest
from scipy import special

from skcompare import PairedEvaluator, from_outcomes, from_predictions
from skcompare.inference import confidence_sequence, mcnemar_test
from skcompare.inference.outcomes.confidence_sequence import BETS, Items, Totals, log_capital
from tests.lawful import ALTERNATIVES, MIRRORED, assert_lawful, codes

LEVELS = (0.5, 0.95)


def right(seed, n=400, only_a=0.15, only_b=0.05):
    """Right and wrong of two models, in order."""
    u = np.random.default_rng(seed).random(n)
    return (u > only_b).astype(float), ((u < only_b) | (u > only_b + only_a)).astype(float)


def graded(seed, n=300, effect=0.0):
    """Values in [0, 1] whose means differ by about `effect`."""
    rng = np.random.default_rng(seed)
    return np.clip(rng.beta(2, 3, n) + effect, 0, 1), rng.beta(2, 3, n)


def drifting(seed, n=200):
    """At first `a` is better, then `b`, by more."""
    a, b = right(seed, n, 0.3, 0.05)
    c, d = right(seed + 50, 3 * n, 0.05, 0.5)
    return np.r_[a, c], np.r_[b, d]


# ---- reference values


def test_right_and_wrong_give_the_e_value_of_a_mcnemar_table():
    """2^(b + c) B(b + 1, c + 1), the uniform mixture over the share of `a`; one-sided over shares above 1/2."""
    a, b = right(0)
    only_a, only_b = np.cumsum(a > b), np.cumsum(a < b)
    n, args = only_a + only_b, (only_a + 1, only_b + 1)
    both = np.exp(n * np.log(2) + special.betaln(*args))
    assert confidence_sequence(a, b).e_values == pytest.approx(both, rel=1e-9)
    above = special.betainc(args[1], args[0], 0.5)  # of a beta distribution with these parameters, above 1/2
    assert confidence_sequence(a, b, alternative="greater").e_values == pytest.approx(2 * both * above, rel=1e-9)
    assert confidence_sequence(a, b, alternative="less").e_values == pytest.approx(2 * both * (1 - above), rel=1e-7)


@pytest.mark.parametrize("null", [0.0, 0.1, -0.3])
def test_graded_items_give_the_capital_of_evenly_spaced_bets(null):
    """`dKelly_cs` of confseq (github.com/gostevehoward/confseq at 04e4464), bets spelt out, with many of them."""
    a, b = graded(1, n=40, effect=0.2)
    x, m, n_bets = (1 + a - b) / 2, (1 + null) / 2, 4000
    up, down = [], []
    for i in range(n_bets):
        up.append(np.cumprod(1 + (i + 1) / (m * (n_bets + 1)) * (x - m)))
        down.append(np.cumprod(1 - (i + 1) / ((1 - m) * (n_bets + 1)) * (x - m)))
    capital = np.mean(up, axis=0) / 2 + np.mean(down, axis=0) / 2
    assert confidence_sequence(a, b, null=null).e_values == pytest.approx(capital, rel=2e-3)


@pytest.mark.sampled
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("shares", [(0.2, 0.6, 0.2), (0.5, 0, 0.5), (0.25, 0.25, 0.5)])
def test_the_expected_capital_of_equal_models_is_one(shares, alternative):
    """All sequences of five items whose differences are -1, 0 and 1, or in the last case -1, -1 and 1."""
    values = (-1.0, -1.0, 1.0) if shares[2] > shares[0] else (-1.0, 0.0, 1.0)
    expected = 0.0
    for items in product(range(3), repeat=5):
        d = np.array([values[i] for i in items])
        weight = np.prod([shares[i] for i in items])
        if weight:
            expected += weight * confidence_sequence(d, 0 * d, bounds=(-1, 1), alternative=alternative).e_value
    # in a range twice as large as the differences
    assert expected == pytest.approx(1, rel=1e-9)


def test_limits_are_where_the_capital_is_one_over_alpha_up_to_their_rounding():
    """The set of all differences that no item has ruled out, searched on a grid with the null moved to each."""
    a, b = graded(2, effect=0.1)
    grid = np.linspace(-0.2, 0.4, 61)
    inside = [d for d in grid if confidence_sequence(a, b, null=d).pvalue >= 0.05]
    found = confidence_sequence(a, b)
    interval = found.confidence_interval()
    assert interval.low <= min(inside)
    assert interval.high >= max(inside)
    step = grid[1] - grid[0]
    slack = (found.estimate - min(inside)) / 16 + step  # two-sided each side has half of the capital
    assert interval.low >= min(inside) - slack
    assert interval.high <= max(inside) + slack


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("n", "sides"), [(2_000, (0.1, 0.1)), (2_000, (0.12, 0.08)), (2_000, (0.4, 0.1)), (300_000, (0.11, 0.1))]
)
def test_the_mixture_of_graded_items_is_near_the_integral(n, sides, global_random_seed):
    """Right and wrong through the nodes that serve all other values, beside the closed form."""
    a, b = right(global_random_seed, n, *sides)
    exact = confidence_sequence(a, b, bounds=(0, 1)).e_values
    nodes = np.exp(np.minimum(_log_mixture(a - b), 700))
    wanted, found = np.log(exact), np.log(nodes)
    below, above = wanted < 10, (wanted >= 10) & (wanted < 300)
    assert np.abs(found - wanted)[below].max() < 1e-4
    assert (np.abs(found - wanted)[above] < 0.01 * wanted[above]).all()


def _log_mixture(d):
    return np.logaddexp(log_capital(Items.of(d), 0.0), log_capital(Items.of(-d), 0.0)) - np.log(2)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_right_and_wrong_of_many_items_have_the_closed_form(alternative):
    """Also where one side has lost nearly all, whose capital falls like one over its losses."""
    a, b = right(0, 300_000, 0.11, 0.10)
    only_a, only_b = np.sum(a > b), np.sum(a < b)
    both = np.exp((only_a + only_b) * np.log(2) + special.betaln(only_a + 1, only_b + 1))
    found = confidence_sequence(a, b, alternative=alternative).e_value
    above = special.betainc(only_b + 1, only_a + 1, 0.5)
    share = {"two-sided": 1, "greater": 2 * above, "less": 2 * special.betainc(only_a + 1, only_b + 1, 0.5)}
    assert found == pytest.approx(both * share[alternative], rel=1e-6)
    n = 20_000
    lost = confidence_sequence(np.zeros(n), np.ones(n), alternative="greater").e_value
    assert lost == pytest.approx(1 / (n + 1), rel=1e-3)  # the integral of (1 - f)^n


# ---- at all times


@pytest.mark.sampled
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_intervals_of_a_higher_level_hold_those_of_a_lower_one(alternative, global_random_seed):
    """After each item, and also of levels that are nearly the same."""
    levels = (0.01, 0.3, 0.5, 0.9, 0.949, 0.95, 0.951, 0.96, 0.99, 0.999)
    for k in range(4):
        rng = np.random.default_rng(10 * global_random_seed + k)
        n = int(rng.integers(20, 300))
        a, b = (rng.random(n), rng.random(n) * 0.8) if k % 2 else right(k, n)
        record = confidence_sequence(a, b, alternative=alternative)
        rows = [record.intervals(level) for level in levels]
        for narrow, wide in pairwise(rows):
            assert (wide[:, 0] <= narrow[:, 0]).all()
            assert (wide[:, 1] >= narrow[:, 1]).all()
        assert (rows[-1] != rows[0]).any()


@pytest.mark.sampled
@pytest.mark.parametrize("make", [right, graded, drifting])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_each_row_is_what_the_items_up_to_it_say(make, alternative):
    a, b = make(3)
    whole = confidence_sequence(a, b, alternative=alternative, null=0.02)
    rows = {0.9: whole.intervals(0.9)}
    for t in (1, 50, len(a)):
        part = confidence_sequence(a[:t], b[:t], alternative=alternative, null=0.02)
        assert part.pvalue == pytest.approx(whole.pvalues[t - 1], rel=1e-9)
        assert part.e_value == pytest.approx(whole.e_values[t - 1], rel=1e-9)
        for level, limits in rows.items():
            interval = part.confidence_interval(level)
            assert (interval.low, interval.high) == pytest.approx(tuple(limits[t - 1]), abs=1e-9)
        decided = whole.decided_at
        assert part.decided_at == (decided if decided is not None and decided <= t else None)


@pytest.mark.parametrize("make", [right, graded])
def test_limits_never_grow_wider_and_hold_the_mean(make):
    a, b = make(4)
    record = confidence_sequence(a, b)
    low, high = record.intervals().T
    assert (np.diff(low) >= 0).all()
    assert (np.diff(high) <= 0).all()
    assert low[-1] < record.estimate < high[-1]
    wider, narrower = record.confidence_interval(0.99), record.confidence_interval(0.5)
    assert wider.low < narrower.low < narrower.high < wider.high


@pytest.mark.sampled
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_p_is_below_alpha_exactly_when_the_interval_leaves_out_the_null(alternative):
    said = set()
    for make, null in product((right, graded, drifting), (0.0, 0.05)):
        record = confidence_sequence(*make(0), alternative=alternative, null=null)
        rows = {level: record.intervals(level) for level in LEVELS}
        for level, limits in rows.items():
            out = (limits[:, 0] > null) | (limits[:, 1] < null)
            assert np.array_equal(out, record.pvalues < 1 - level)
            assert (limits[:, 0] <= limits[:, 1]).all()
            said |= set(out.tolist())
    assert said == {True, False}


def test_a_difference_that_changes_its_side_is_told_and_not_claimed_for_the_wrong_model():
    a, b = drifting(5)
    early, late = confidence_sequence(a[:200], b[:200]), confidence_sequence(a, b)
    assert early.pvalue < 0.05 < early.estimate + 0.05
    assert codes(early) == []
    assert codes(late) == ["TIME_ORDER"]
    assert late.decided_at == early.decided_at
    assert late.estimate < 0
    interval = late.confidence_interval()
    assert (late.pvalue < 0.05) == (interval.high < 0)
    assert interval.low < 0


def test_equal_models_are_not_called_different_at_any_of_many_items():
    """At most 5% of runs whoever stops at the worst moment; a test made once and looked at often is wrong in most."""
    decided = [confidence_sequence(*right(seed, 2000, 0.1, 0.1)).decided_at is not None for seed in range(40)]
    assert np.mean(decided) <= 0.175  # more in 0.1% of such samples at most
    looks = range(50, 3000, 150)
    a_test = []
    for seed in range(10):
        a, b = right(seed, 3000, 0.1, 0.1)
        a_test.append(any(mcnemar_test(a[:t], b[:t]).pvalue < 0.05 for t in looks))
    assert np.mean(a_test) >= 0.2


def test_models_that_differ_are_called_different_by_a_like_number_of_items():
    decided = [confidence_sequence(*right(seed, 2000)).decided_at for seed in range(10)]
    assert None not in decided
    assert max(decided) < 1000


def test_what_all_scores_share_is_taken_for_a_difference():
    """As with the folds of one data set, whose repeats are no new items: equal models, in the end always different."""
    decided = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        of_the_data = rng.normal(0, 0.03)  # how much the samples of this data set favour a by chance
        a, b = np.clip(rng.normal([[0.7 + of_the_data], [0.7]], 0.06, (2, 3000)), 0, 1)
        decided.append(confidence_sequence(a, b).decided_at is not None)
    assert np.mean(decided) > 0.5


# ---- the laws


@pytest.mark.sampled
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("make", [right, graded, drifting])
def test_swapping_the_models_mirrors_the_result(make, alternative):
    a, b = make(6)
    one = confidence_sequence(a, b, alternative=alternative, null=0.01)
    two = confidence_sequence(b, a, alternative=MIRRORED[alternative], null=-0.01)
    assert two.e_values == pytest.approx(one.e_values, rel=1e-9)
    assert (two.pvalue, two.estimate) == pytest.approx((one.pvalue, -one.estimate), rel=1e-9)
    assert two.intervals()[:, ::-1] == pytest.approx(-one.intervals(), rel=1e-9)
    assert (one.decided_at, one.n_ties) == (two.decided_at, two.n_ties)


@pytest.mark.parametrize("n", [1, 2, 500])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_a_model_never_differs_from_itself(n, alternative):
    a, _ = graded(7, n)
    record = confidence_sequence(a, a, alternative=alternative)
    assert (record.pvalue, record.estimate, record.decided_at, record.n_ties) == (1, 0, None, n)
    assert "NO_DIFFERENCE" in codes(record)
    interval = record.confidence_interval()
    assert interval.low < 0 or alternative == "less"
    assert interval.low <= 0 <= interval.high


@pytest.mark.parametrize(("alternative", "fewest"), [("two-sided", 8), ("greater", 7), ("less", 7)])
def test_too_few_items_cannot_decide_and_say_how_many_can(alternative, fewest):
    """All in favour of one model: 2^n / (n + 1), one-sided (2^(n + 1) - 1) / (n + 1)."""
    for n in range(1, 12):
        a, b = (np.ones(n), np.zeros(n))[:: -1 if alternative == "less" else 1]
        record = confidence_sequence(a, b, alternative=alternative)
        assert (record.pvalue < 0.05) == (n >= fewest)
        assert codes(record) == ([] if n >= fewest else ["CANNOT_REJECT"])
        if n < fewest:
            assert f"{fewest} can" in record.warnings[0]
    assert record.decided_at == fewest
    assert record.pvalue == pytest.approx(12 / 2**11 if alternative == "two-sided" else 12 / (2**12 - 1))


@pytest.mark.parametrize("unit", [1e-6, 3.7, 1e9])
def test_the_unit_of_the_values_is_irrelevant(unit):
    a, b = graded(8)
    one = confidence_sequence(a, b)
    two = confidence_sequence(unit * a - 5, unit * b - 5, bounds=(-5, unit - 5) if unit > 1 else (-5, -5 + 1.01 * unit))
    if unit > 1:
        assert two.pvalue == pytest.approx(one.pvalue, rel=1e-5)
        assert two.intervals() == pytest.approx(unit * one.intervals(), rel=1e-5, abs=1e-6 * unit)
    assert two.estimate == pytest.approx(unit * one.estimate, rel=1e-3)


def test_wider_bounds_are_valid_and_say_less():
    a, b = graded(9, effect=0.15)
    near, far = confidence_sequence(a, b), confidence_sequence(a, b, bounds=(-10, 10))
    assert near.pvalue < far.pvalue
    assert np.ptp(near.intervals()[-1]) < np.ptp(far.intervals()[-1])


def test_the_laws_of_every_record_whose_e_values_are_read_only():
    a, b = graded(10, effect=0.1)
    record = assert_lawful(confidence_sequence, a, b)
    assert np.array_equal(confidence_sequence(a, b, bounds=[0, 1]).e_values, record.e_values)
    assert np.array_equal(pickle.loads(pickle.dumps(record)).intervals(), record.intervals())
    with pytest.raises(ValueError, match="read-only"):
        record.e_values[0] = 2.0


@pytest.mark.parametrize(
    ("bounds", "message"),
    [
        ((1, 0), "bounds must be the smallest and the largest value"),
        ((0, 0), "bounds must be the smallest and the largest value"),
        (1, "bounds must be the smallest and the largest value"),
        ((0, np.inf), "bounds must be a number in"),
        ((np.nan, 1), "bounds must be a number in"),
        (("x", 1), "bounds must be a number in"),
        ((0.0, 0.5), r"a and b must lie within bounds, \(0, 0.5\); got 0.75 at position 1 \(2 such items\)"),
    ],
)
def test_bounds_are_refused_by_name(bounds, message):
    with pytest.raises(ValueError, match=message):
        confidence_sequence([0.5, 0.0, 0.6], [0.5, 0.75, 0.1], bounds=bounds)


@pytest.mark.parametrize(
    ("a", "b", "options", "message"),
    [
        ([1, np.nan], [0, 1], {}, "a must be finite; got nan at position 1"),
        ([1, 0], [0, 1, 1], {}, "a and b must be paired"),
        ([], [], {}, "a must hold at least one value"),
        ([[1, 0]], [[0, 1]], {}, "a must have 1 dimension"),
        ([1, 0], [0, 1], {"alternative": "bigger"}, "alternative must be"),
        ([1, 0], [0, 1], {"null": 1}, r"null must be a number in \(-1, 1\)"),
    ],
)
def test_bad_input_is_refused_by_name(a, b, options, message):
    with pytest.raises(ValueError, match=message):
        confidence_sequence(a, b, **options)


# ---- on results


def test_items_of_a_result_are_taken_in_their_order():
    a, b = right(11, 600)
    result = from_outcomes({"new": a, "old": b})
    record, wanted = result.test("confidence_sequence"), confidence_sequence(a, b)
    assert (record.pvalue, record.decided_at) == (wanted.pvalue, wanted.decided_at)
    assert str(record).startswith("new is significantly better than old")
    (row,) = result.compare(procedure="confidence_sequence").rows
    assert (row.pvalue, row.estimate) == (wanted.pvalue, wanted.estimate)
    turned = from_outcomes({"new": a[::-1], "old": b[::-1]}).test("confidence_sequence")
    assert turned.decided_at != record.decided_at


def test_losses_of_a_result_are_in_their_own_units():
    a, b = graded(12, effect=0.1)
    result = from_outcomes({"new": b, "old": a}, greater_is_better=False)
    record, wanted = result.test("confidence_sequence"), confidence_sequence(a, b)
    assert (record.pvalue, record.estimate) == pytest.approx((wanted.pvalue, wanted.estimate))
    assert record.estimate > 0
    large = from_outcomes({"new": 10 * b, "old": 10 * a}, greater_is_better=False)
    with pytest.raises(ValueError, match=r"a and b must lie within bounds, \(0, 1\)"):
        large.test("confidence_sequence")
    assert large.test("confidence_sequence", bounds=(0, 10)).pvalue == pytest.approx(wanted.pvalue, rel=1e-6)


def test_folds_and_clusters_are_refused_with_the_reason():
    from sklearn.datasets import load_iris
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=1)}
    folds = PairedEvaluator(cv=3, scoring="accuracy", random_state=0).evaluate(models, *load_iris(return_X_y=True))
    with pytest.raises(ValueError, match=r"'confidence_sequence' needs items, .* one test set, that do"):
        folds.test("confidence_sequence")
    a, b = right(13, 40)
    clustered = from_outcomes({"new": a, "old": b}, clusters=np.arange(40) // 4)
    with pytest.raises(ValueError, match=r"do not come in clusters, .* 40 items in 10 clusters"):
        clustered.test("confidence_sequence")


def test_the_capital_near_a_mean_is_that_of_the_items_summed(rng):
    d = rng.uniform(-1, 1, 6000)
    totals = Totals(Items.of(d))
    for stop, mean in ((10, -0.9), (5000, 0.1), (5003, 0.1004), (5900, 0.109), (6000, 0.15), (20, 0.15)):
        expected = np.log1p(np.multiply.outer((d[:stop] - mean) / (1 + mean), BETS)).sum(axis=0)
        np.testing.assert_allclose(totals.at(stop, mean), expected, rtol=1e-9, atol=1e-8)


def test_values_after_many_ties_have_their_intervals_soon(rng):
    a, b = (np.r_[np.zeros(4000), np.clip(rng.normal(mean, 0.2, 4000), 0, 1)] for mean in (0.6, 0.4))
    record = confidence_sequence(a, b)
    start = time.process_time()
    found = record.intervals()
    assert time.process_time() - start < 4
    for n in (5000, 8000):  # after so many items, by the capital itself
        path = log_capital(Items.of((a - b)[:n]), found[n - 1, 0])
        assert np.log(2 / 0.05) - 1e-6 < path.max() < np.log(2 / 0.05) + 1


def test_of_a_result_only_values_that_no_later_sample_changes_are_taken(rng):
    """F1 and weighted means are linearised around means of all samples: their first values are not those of before."""
    true = rng.integers(0, 2, 60)
    said = {name: np.where(rng.random(60) < right, true, 1 - true) for name, right in (("a", 0.9), ("b", 0.5))}
    result = from_predictions(true, said, scoring=["f1", "accuracy"])
    with pytest.raises(ValueError, match=r"metric must be a mean of .* for 'confidence_sequence'"):
        result.test("confidence_sequence", metric="f1", bounds=(-1, 3))
    untested, tested = result.compare("confidence_sequence")
    assert np.isnan(untested.pvalue)
    assert "f1 is not tested: this test takes only means of a value per sample." in untested.warnings[-1]
    assert tested.pvalue == confidence_sequence(said["a"] == true, said["b"] == true).pvalue
    weighted = from_predictions(true, said, scoring=["accuracy"], sample_weight=np.linspace(1, 2, 60))
    with pytest.raises(ValueError, match="'confidence_sequence' takes no weights"):
        weighted.test("confidence_sequence", bounds=(-2, 3))


def test_of_a_result_numbers_are_taken_and_r2_is_not(rng):
    true = rng.normal(size=40)
    result = from_predictions(true, {"a": true + 0.1, "b": true - 0.3}, scoring=["r2", "neg_mean_absolute_error"])
    with pytest.raises(ValueError, match="of 'r2' the value of a sample changes as others come"):
        result.test("confidence_sequence", metric="r2", bounds=(-500, 500))
    record = result.test("confidence_sequence", metric="neg_mean_absolute_error", bounds=(-1, 0))
    np.testing.assert_allclose(record.differences, 0.2)
