"""Generalised stochastic dominance: closed forms, brute force over up-sets and over all constraints, and its laws."""

import functools
import itertools
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import optimize

from skcompare.inference import StochasticDominanceResult, stochastic_dominance_test
from skcompare.inference.dominance import stochastic_dominance
from tests.lawful import ALTERNATIVES, FULL, MIRRORED, assert_lawful, codes

pytestmark = pytest.mark.sampled

MIRRORED_RELATION = {
    "a dominates": "b dominates",
    "b dominates": "a dominates",
    "equivalent": "equivalent",
    "incomparable": "incomparable",
}
FEW = {"n_resamples": 1}  # where only the statistics matter
KINDS = [
    {},
    {"cardinal": [True, False]},
    {"cardinal": True},
    {"regularization": 0.5},
    {"cardinal": True, "regularization": 1.0},
]
# every alternative where a statistic is fast, and every kind of it
SIDED_KINDS = [*(({}, x) for x in ALTERNATIVES), *((kind, "greater") for kind in KINDS[1:]), (KINDS[2], "two-sided")]


def score_pairs(max_cases=4, n_metrics=2, levels=4):
    """Scores of two models in steps of 0.1, so that ties are frequent."""
    shape = st.tuples(st.integers(1, max_cases), st.just(n_metrics))
    tenths = shape.flatmap(lambda s: arrays(np.int64, (2, *s), elements=st.integers(0, levels)))
    return tenths.map(lambda pair: pair / 10)


def statistics(record):
    return np.array([record.statistic, record.statistic_reverse])


def normal_scores(n, m, seed, effect=0.0):
    """Scores of two models on n data sets of different difficulty."""
    rng = np.random.default_rng(seed)
    difficulty = rng.normal(size=(n, 1))
    return difficulty + effect + rng.normal(size=(n, m)), difficulty + rng.normal(size=(n, m))


# Oracles


def by_thresholds(a, b):
    """One metric: smallest difference of the shares at or above a score, but for the lowest score of all."""
    thresholds = np.unique(np.concatenate((a, b)))[1:]
    return min((np.mean(a >= t) - np.mean(b >= t) for t in thresholds), default=0.0)


def by_up_sets(a, b):
    """Smallest difference of the shares in a set of outcomes that holds all better ones, the best and not the worst."""
    points = np.unique(np.round(10 * np.vstack((a, b))), axis=0)
    worst, best = points.min(axis=0), points.max(axis=0)
    better = (points[:, None] >= points).all(axis=2)
    smallest = np.inf
    for chosen in itertools.product([False, True], repeat=len(points)):
        inside = np.array(chosen)
        if (better & inside & ~inside[:, None]).any():
            continue
        held = {tuple(point) for point in points[inside]}
        if (tuple(worst) in held) or (tuple(best) in set(map(tuple, points)) and tuple(best) not in held):
            continue
        in_a, in_b = (sum(tuple(row) in held for row in np.round(10 * scores)) for scores in (a, b))
        smallest = min(smallest, (in_a - in_b) / len(a))
    return smallest if len(points) > 1 else 0.0


def by_all_constraints(a, b, cardinal, regularization=0.0):
    """The linear program with every constraint of the definition, in whole tenths, by another algorithm."""
    x, y = np.round(10 * a), np.round(10 * b)
    pooled = np.vstack((x, y))
    points = np.unique(np.vstack((pooled, pooled.min(axis=0), pooled.max(axis=0))), axis=0)
    unit = np.eye(len(points))
    cardinal = np.broadcast_to(cardinal, points.shape[1])
    pairs = [(i, j) for i, j in itertools.permutations(range(len(points)), 2) if (points[i] >= points[j]).all()]

    def at_least(p, q):
        (x, y), (z, w) = points[list(p)], points[list(q)]
        return np.where(cardinal, x - y >= z - w, (x >= z) & (y <= w)).all()

    rows, strict = [unit[i] - unit[j] for i, j in pairs], [1.0] * len(pairs)
    for p, q in itertools.permutations(pairs, 2):
        if at_least(p, q):
            rows.append(unit[p[0]] - unit[p[1]] - unit[q[0]] + unit[q[1]])
            strict.append(0.0 if at_least(q, p) else 1.0)
    worst, best = (
        int((points == extreme).all(axis=1).argmax()) for extreme in (points.min(axis=0), points.max(axis=0))
    )
    if worst == best:
        return 0.0
    bounds = [(float(i == best), float(i != worst)) for i in range(len(points))]

    def solved(cost, rows, least, bounds):
        return optimize.linprog(cost, A_ub=-rows, b_ub=-least, bounds=bounds, method="highs-ipm").fun

    rows, strict = np.array(rows), np.array(strict)
    slack = 0.0
    if regularization:
        largest = solved(
            np.append(0 * unit[0], -1.0), np.column_stack((rows, -strict)), 0 * strict, [*bounds, (0.0, 1.0)]
        )
        slack = -largest * regularization
    cost = sum(unit[(points == row).all(axis=1)][0] for row in x) - sum(
        unit[(points == row).all(axis=1)][0] for row in y
    )
    return solved(cost / len(a), rows, slack * strict * (1 - 1e-6), bounds)


def by_all_swaps(a, b, alternative, **options):
    """Exact p-value: the test's own statistics under every swap of the rows."""

    def statistic(x, y):
        forward, reverse = statistics(stochastic_dominance_test(x, y, **FEW, **options))
        return {"greater": forward, "less": reverse, "two-sided": max(forward, reverse)}[alternative]

    observed = statistic(a, b)
    swapped = [
        statistic(np.where(np.array(flip)[:, None], b, a), np.where(np.array(flip)[:, None], a, b))
        for flip in itertools.product([False, True], repeat=len(a))
    ]
    return np.mean(np.array(swapped) >= observed - 1e-7)


# By hand


@pytest.mark.parametrize(
    ("a", "b", "expected", "relation"),
    [
        # both thresholds above 1: 2/2 against 1/2, 1/2 against 0/2
        ([2, 3], [1, 2], (0.5, -0.5), "a dominates"),
        ([1, 3], [2, 2], (-0.5, -0.5), "incomparable"),
        ([1, 2], [2, 1], (0, 0), "equivalent"),
        ([1, 2], [2, 3], (-0.5, 0.5), "b dominates"),
        # at or above 3: 1/3 against 1/3; at or above 2: 3/3 against 2/3
        ([2, 2, 3], [1, 2, 3], (0, -1 / 3), "a dominates"),
        ([5], [4], (1, -1), "a dominates"),
        ([5], [5], (0, 0), "equivalent"),
    ],
    ids=str,
)
def test_one_metric_by_hand(a, b, expected, relation):
    result = stochastic_dominance_test(a, b)
    assert statistics(result) == pytest.approx(expected)
    assert result.relation == relation


@pytest.mark.parametrize(
    ("a", "b", "expected", "relation"),
    [
        # one case each, neither better: the outcome of b above a set without a's, and the other way round
        ([[1, 0]], [[0, 1]], (-1, -1), "incomparable"),
        ([[1, 1]], [[0, 0]], (1, -1), "a dominates"),
        # the best and the worst outcome are on no case, so that a may gain nothing
        ([[1, 2], [2, 1]], [[0, 2], [2, 0]], (0, -1), "a dominates"),
        # each metric alone is the same on both, the pairs are not: all but the worst hold 1/2 against 2/2, the best
        # alone 1/2 against 0/2
        ([[0, 0], [1, 1]], [[0, 1], [1, 0]], (-0.5, -0.5), "incomparable"),
    ],
    ids=str,
)
def test_two_metrics_by_hand(a, b, expected, relation):
    result = stochastic_dominance_test(a, b)
    assert statistics(result) == pytest.approx(expected)
    assert result.relation == relation


def test_differences_of_a_cardinal_metric_count():
    # 1 is missed once for 3 gained: with the sizes left open u(1) - u(0) may be everything; on equal steps
    # u is x / 4, and d the difference of the means over 4
    a, b = [0, 4, 2, 3], [1, 1, 2, 3]
    ordinal, cardinal = (stochastic_dominance_test(a, b, cardinal=c) for c in (False, True))
    assert statistics(ordinal) == pytest.approx([-0.25, -0.25])
    assert statistics(cardinal) == pytest.approx([0.125, -0.125])
    assert (ordinal.relation, cardinal.relation) == ("incomparable", "a dominates")


def test_a_robust_pvalue_by_hand():
    # the 8 swaps of three unanimous cases have d = 1/3 once (a is 2, 3, 4 and b is 1, 2, 3), 0 and less otherwise
    result = stochastic_dominance_test([2, 3, 4], [1, 2, 3], alternative="greater")
    np.testing.assert_allclose(sorted(result.null_distribution), sorted(expected_swaps()))
    assert result.pvalue == result.robust_pvalue(0) == 1 / 8
    for gamma in (0.1, 1 / 7, 0.15, 0.2, 1 / 3, 0.5, 0.9):
        least = 1 / 3 - 2 * gamma / (1 - gamma)
        assert result.robust_pvalue(gamma) == np.mean(np.array(expected_swaps()) >= least - 1e-7)
    assert result.robust_pvalue(0.9) == 1


def expected_swaps():
    """By thresholds, the statistics of all swaps of 2, 3, 4 with 1, 2, 3."""
    pairs = np.array([[2, 1], [3, 2], [4, 3]])
    flips = list(itertools.product([0, 1], repeat=3))
    return [by_thresholds(pairs[range(3), flip], pairs[range(3), [1 - f for f in flip]]) for flip in flips]


# Against the oracles


@settings(deadline=None)
@given(scores=score_pairs(max_cases=8, n_metrics=1, levels=9))
def test_one_metric_is_first_order_stochastic_dominance(scores):
    a, b = scores[..., 0]
    result = stochastic_dominance_test(a, b, **FEW)
    assert statistics(result) == pytest.approx([by_thresholds(a, b), by_thresholds(b, a)], abs=1e-12)


@given(scores=score_pairs())
def test_the_order_alone_gives_the_minimum_over_up_sets(scores):
    a, b = scores
    result = stochastic_dominance_test(a, b, **FEW)
    assert statistics(result) == pytest.approx([by_up_sets(a, b), by_up_sets(b, a)], abs=1e-12)


@given(
    scores=score_pairs(max_cases=3),
    cardinal=st.tuples(st.booleans(), st.booleans()),
    share=st.sampled_from([0, 0.3, 1]),
)
def test_the_program_has_all_constraints_of_the_definition(scores, cardinal, share):
    a, b = scores
    result = stochastic_dominance_test(a, b, cardinal=cardinal, regularization=share, **FEW)
    expected = [by_all_constraints(x, y, cardinal, share) for x, y in ((a, b), (b, a))]
    assert statistics(result) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("cardinal", [(True, True, True), (True, False, True)], ids=str)
def test_constraints_that_enter_when_broken_are_enough(cardinal, seed):
    a, b = (np.round(scores, 1) for scores in normal_scores(6, 3, seed, effect=0.4))
    result = stochastic_dominance_test(a, b, cardinal=cardinal, **FEW)
    expected = [by_all_constraints(x, y, cardinal) for x, y in ((a, b), (b, a))]
    assert statistics(result) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_on_equal_steps_a_cardinal_metric_compares_means(seed):
    # every step of the scale occurs, so that all steps gain the same
    rng = np.random.default_rng(seed)
    a, b = (np.append(rng.integers(0, 10, size=5), extra) for extra in (np.arange(0, 10, 2), np.arange(1, 10, 2)))
    result = stochastic_dominance_test(a / 10, b / 10, cardinal=True, **FEW)
    difference = (a.mean() - b.mean()) / 9
    assert statistics(result) == pytest.approx([difference, -difference], abs=1e-7)


@pytest.mark.parametrize("seed", range(3))
def test_on_a_grid_cardinal_metrics_compare_the_means_of_each(seed):
    # utilities are weighted sums of the metrics, and the worst weight is all on one of them
    rng = np.random.default_rng(seed)
    corners = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    a, b = (np.vstack((corners, corners[rng.integers(4, size=6)])) for _ in range(2))
    difference = (a - b).mean(axis=0)
    result = stochastic_dominance_test(a, b, cardinal=True, **FEW)
    assert statistics(result) == pytest.approx([difference.min(), -difference.max()], abs=1e-7)


@pytest.mark.parametrize("share", [0.25, 0.5, 1.0])
def test_regularization_on_one_metric_mixes_in_the_difference_of_ranks(share):
    # on a chain of L steps the largest slack is 1 / L: u is share * rank / L and (1 - share) of any utility
    a, b = np.array([0, 4, 2, 6, 2, 5]), np.array([1, 1, 3, 5, 0, 3])
    result = stochastic_dominance_test(a, b, regularization=share, **FEW)
    ranks = (a.mean() - b.mean()) / 6
    expected = [
        share * ranks + (1 - share) * by_thresholds(a, b),
        -share * ranks + (1 - share) * by_thresholds(b, a),
    ]
    assert statistics(result) == pytest.approx(expected, abs=2e-6)


@pytest.mark.parametrize(("options", "alternative"), SIDED_KINDS, ids=str)
def test_the_exact_pvalue_is_that_of_all_swaps(options, alternative):
    n = 3 if options else 6
    a, b = (np.round(scores, 1) for scores in normal_scores(n, 2, seed=1, effect=0.8))
    b[1] = a[1]
    result = stochastic_dominance_test(a, b, alternative=alternative, **options)
    assert (result.exact, result.n_resamples, result.n, result.n_different) == (True, 0, n, n - 1)
    assert result.pvalue == pytest.approx(by_all_swaps(a, b, alternative, **options))


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_drawn_swaps_come_near_the_exact_pvalue(alternative):
    a, b = normal_scores(8, 2, seed=4, effect=0.4)
    exact = stochastic_dominance_test(a, b, alternative=alternative)
    drawn = stochastic_dominance_test(a, b, alternative=alternative, n_resamples=2000, rng=0)
    assert (exact.exact, drawn.exact, drawn.n_resamples) == (True, False, 2000)
    # four Monte Carlo standard errors
    assert drawn.pvalue == pytest.approx(exact.pvalue, abs=4 * (exact.pvalue * (1 - exact.pvalue) / 2000) ** 0.5)
    assert np.isclose(drawn.pvalue * 2001, round(drawn.pvalue * 2001))


def test_all_swaps_are_counted_where_they_are_no_more_than_would_be_drawn(monkeypatch):
    monkeypatch.setattr(stochastic_dominance, "DEFAULT_MATCHINGS", 63)
    monkeypatch.setattr(stochastic_dominance, "DEFAULT_PROGRAMS", 7)
    a, b = normal_scores(7, 2, seed=0)
    for options, largest in (({}, 6), ({"cardinal": True}, 3), ({"regularization": 0.5}, 3)):
        exact, drawn = (stochastic_dominance_test(a[:n], b[:n], **options) for n in (largest, largest + 1))
        assert (exact.exact, exact.n_resamples, exact.null_distribution.size) == (True, 0, 2**largest)
        assert (drawn.exact, drawn.n_resamples, drawn.null_distribution.size) == (False, *[2**largest - 1] * 2)


# Laws


@given(scores=score_pairs(max_cases=4), options=st.sampled_from(KINDS), alternative=st.sampled_from(ALTERNATIVES))
def test_swapping_the_models_mirrors_the_result(scores, options, alternative):
    a, b = scores
    for drawn in ({}, {"n_resamples": 5, "rng": 3}):
        result = stochastic_dominance_test(a, b, alternative=alternative, **drawn, **options)
        swapped = stochastic_dominance_test(b, a, alternative=MIRRORED[alternative], **drawn, **options)
        assert swapped.pvalue == result.pvalue
        assert statistics(swapped) == pytest.approx(statistics(result)[::-1], abs=1e-6)
        assert swapped.relation == MIRRORED_RELATION[result.relation]


@given(scores=score_pairs(max_cases=4), options=st.sampled_from(KINDS), seed=st.integers(0, 50))
def test_the_order_of_the_cases_is_irrelevant(scores, options, seed):
    a, b = scores
    order = np.random.default_rng(seed).permutation(len(a))
    for drawn in ({}, {"n_resamples": 5, "rng": 3}):
        result = stochastic_dominance_test(a, b, **drawn, **options)
        assert stochastic_dominance_test(a[order], b[order], **drawn, **options).pvalue == result.pvalue


@pytest.mark.parametrize("options", KINDS, ids=str)
@pytest.mark.parametrize("n", [1, 2, 20])
def test_a_model_never_differs_from_itself(n, options):
    a, _ = normal_scores(n, 2, seed=0)
    for alternative in ALTERNATIVES:
        result = stochastic_dominance_test(a, a, alternative=alternative, **options)
        assert (result.pvalue, result.relation, result.n_different) == (1, "equivalent", 0)
        assert statistics(result).tolist() == [0, 0]
        assert codes(result) == ["NO_DIFFERENCE"]


@given(scores=score_pairs(max_cases=4), options=st.sampled_from(KINDS), alternative=st.sampled_from(ALTERNATIVES))
def test_statistics_and_pvalues_are_in_their_ranges(scores, options, alternative):
    result = stochastic_dominance_test(*scores, alternative=alternative, **options)
    assert -1 <= result.statistic <= 1
    assert result.statistic + result.statistic_reverse <= 1e-6
    assert 0 < result.pvalue <= 1
    robust = [result.robust_pvalue(gamma) for gamma in (0, 0.01, 0.1, 0.3, 0.6, 0.999)]
    assert robust[0] == result.pvalue
    assert np.all(np.diff(robust) >= 0)
    assert robust[-1] == 1
    if not result.regularization:
        dominance = (result.statistic >= 0, result.statistic_reverse >= 0)
        expected = {(True, False): "a dominates", (False, True): "b dominates", (True, True): "equivalent"}
        assert result.relation == expected.get(dominance, "incomparable")


@given(scores=score_pairs())
def test_more_is_known_of_utilities_the_larger_is_the_smallest_difference(scores):
    a, b = scores
    ordinal, mixed, cardinal = (
        statistics(stochastic_dominance_test(a, b, cardinal=c, **FEW)) for c in (False, (True, False), True)
    )
    assert np.all(mixed >= ordinal - 1e-7)
    assert np.all(cardinal >= mixed - 1e-7)
    for c in (False, True):
        by_share = [
            statistics(stochastic_dominance_test(a, b, cardinal=c, regularization=r, **FEW)) for r in (0.0, 0.4, 1.0)
        ]
        assert np.all(np.diff(by_share, axis=0) >= -1e-6)


@given(scores=score_pairs(max_cases=5))
def test_strictly_increasing_transforms_of_a_metric_change_nothing(scores):
    a, b = scores
    result = stochastic_dominance_test(a, b)
    for transform in (np.exp, np.cbrt, lambda x: x**3, lambda x: 1e6 * x - 3, lambda x: np.exp(40 * x)):
        moved = [np.column_stack((x[:, 0], transform(x[:, 1]))) for x in (a, b)]
        again = stochastic_dominance_test(*moved)
        assert (again.statistic, again.pvalue) == (result.statistic, result.pvalue)


@settings(deadline=None, max_examples=8)
@given(scores=score_pairs(max_cases=3))
def test_other_units_of_a_cardinal_metric_change_nothing(scores):
    a, b = scores
    result = stochastic_dominance_test(a, b, cardinal=True)
    for factor, shift in ((100, 0), (0.003, 1), (7, -3), (1e-300, 0), (1e300, 0)):
        moved = [np.column_stack((x[:, 0], factor * x[:, 1] + shift)) for x in (a, b)]
        again = stochastic_dominance_test(*moved, cardinal=True)
        assert statistics(again) == pytest.approx(statistics(result), abs=1e-6)
        assert (again.pvalue, again.n_constraints) == (result.pvalue, result.n_constraints)


@given(scores=score_pairs(max_cases=3), options=st.sampled_from(KINDS))
def test_a_flipped_direction_and_negated_scores_change_nothing(scores, options):
    a, b = scores
    flip = np.array([1, -1])
    flipped = stochastic_dominance_test(a * flip, b * flip, greater_is_better=[True, False], **options)
    assert flipped.pvalue == stochastic_dominance_test(a, b, **options).pvalue


def test_the_order_of_the_metrics_is_irrelevant():
    a, b = normal_scores(7, 3, seed=3, effect=0.3)
    options = {"alternative": "greater", "n_resamples": 19, "rng": 0}
    result = stochastic_dominance_test(a, b, cardinal=[True, False, False], **options)
    again = stochastic_dominance_test(a[:, ::-1], b[:, ::-1], cardinal=[False, False, True], **options)
    assert statistics(again) == pytest.approx(statistics(result), abs=1e-7)
    assert again.n_constraints == result.n_constraints


def test_rounding_is_a_tie():
    result = stochastic_dominance_test([0.1 + 0.2, 0.936 - 0.931], [0.3, 0.005])
    assert (result.relation, result.n_different) == ("equivalent", 0)


def test_rounding_is_a_tie_between_differences():
    # steps of 0.1 differ in the last digit: all have the same gain
    a, b = np.array([0.1, 0.3, 0.5, 0.7, 0.9]), np.array([0.2, 0.4, 0.6, 0.8, 1.0])
    result = stochastic_dominance_test(a, b, cardinal=True)
    assert statistics(result) == pytest.approx([-1 / 9, 1 / 9], abs=1e-7)


@pytest.mark.parametrize("largest", [1.7e308, 5e-324])
def test_scores_of_any_size_are_ordered(largest):
    for cardinal in (False, True):
        result = stochastic_dominance_test([largest, 0.0], [-largest, 0.0], cardinal=cardinal)
        assert statistics(result) == pytest.approx([0.5, -0.5])


@pytest.mark.parametrize(("options", "alternative"), SIDED_KINDS if FULL else SIDED_KINDS[:4], ids=str)
def test_the_size_of_the_exact_test_is_at_most_nominal(options, alternative):
    # exchangeable on each case: all ways to hand out the pairs of scores are equally likely
    n = 6 if FULL else 3 if options else 5
    high, low = (np.round(scores, 1) for scores in normal_scores(n, 2, seed=7))
    pvalues = []
    for flip in itertools.product([False, True], repeat=n):
        given_a = np.array(flip)[:, None]
        a, b = np.where(given_a, high, low), np.where(given_a, low, high)
        pvalues.append(stochastic_dominance_test(a, b, alternative=alternative, **options).pvalue)
    for alpha in np.unique(pvalues):
        assert np.mean(np.array(pvalues) <= alpha) <= alpha + 1e-12


@pytest.mark.sampled("simulations")
@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"cardinal": [True, False, False]}] if FULL else [{}], ids=str)
def test_the_size_of_the_drawn_test_is_at_most_nominal(options):
    n_samples = 2000 if FULL and not options else 200
    options = {"n_resamples": 39 if FULL else 19, "alternative": "greater", **options}
    pvalues = np.array(
        [
            stochastic_dominance_test(*normal_scores(15, 3, seed), rng=seed, **options).pvalue
            for seed in range(n_samples)
        ]
    )
    for alpha in (0.05, 0.1, 0.25, 0.5):
        # three Monte Carlo standard errors
        assert np.mean(pvalues <= alpha) <= alpha + 3 * (alpha * (1 - alpha) / n_samples) ** 0.5


def test_a_model_that_is_better_on_every_case_is_found():
    a, b = normal_scores(20, 3, seed=0)
    result = stochastic_dominance_test(b + np.abs(a - b), b, n_resamples=199, rng=0)
    assert result.relation == "a dominates"
    assert result.pvalue <= 0.01


# Records, side effects and bad input


@pytest.mark.parametrize("options", KINDS, ids=str)
def test_the_laws_of_every_record(options):
    test = functools.partial(stochastic_dominance_test, metrics=["accuracy", "time"], n_resamples=3)
    record = assert_lawful(test, *normal_scores(5, 2, seed=0), rng=0, **options)
    assert isinstance(record, StochasticDominanceResult)
    assert record.metrics == ("accuracy", "time")
    assert all(isinstance(counts, bool) for counts in record.cardinal)
    assert pickle.loads(pickle.dumps(record)).robust_pvalue(0.1) == record.robust_pvalue(0.1)


def test_the_method_says_what_was_done():
    a, b = normal_scores(5, 2, seed=0)
    name = "generalised stochastic dominance test"
    assert stochastic_dominance_test(a, b).method == f"{name} (ordinal, exact)"
    result = stochastic_dominance_test(a, b, cardinal=[True, False], regularization=0.5, n_resamples=7)
    assert result.method == f"{name} (1 of 2 metrics cardinal, regularization 0.5, 7 resamples)"
    assert (result.cardinal, result.regularization) == ((True, False), 0.5)


def test_too_few_cases_for_a_small_pvalue_are_told():
    a, b = normal_scores(9, 2, seed=0)
    assert codes(stochastic_dominance_test(a, b)) == []
    assert codes(stochastic_dominance_test(a[:7], b[:7])) == ["NOT_AT_LEVEL"]
    assert codes(stochastic_dominance_test(a[:7], b[:7], alternative="greater")) == []
    assert codes(stochastic_dominance_test(a[:4], b[:4])) == ["CANNOT_REJECT"]
    assert "below 0.0312." in stochastic_dominance_test(a[:6], b[:6]).warnings[0]
    assert codes(stochastic_dominance_test(a, b, n_resamples=9)) == ["CANNOT_REJECT"]


def test_float32_equals_float64_to_its_precision():
    a, b = (np.round(scores, 1) for scores in normal_scores(6, 2, seed=0))
    assert stochastic_dominance_test(np.float32(a), np.float32(b)).pvalue == stochastic_dominance_test(a, b).pvalue


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ([[0.1, np.nan]], [[0.1, 0.2]], "a must be finite"),
        ([[0.1, 0.2]], [[0.1, np.inf]], "b must be finite"),
        ([0.1, 0.2], [0.1], "a and b must be paired"),
        (["x"], [0.1], "a must be an array of numbers"),
        ([[[0.1]]], [[[0.1]]], r"a must have 1 or 2 dimensions"),
        ([], [], "a must hold at least one value"),
        (np.zeros(2001), np.zeros(2001), "a and b must have"),
    ],
    ids=lambda x: repr(x)[:20],
)
def test_what_are_no_paired_scores_is_refused_by_name(a, b, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        stochastic_dominance_test(a, b)


@pytest.mark.parametrize(
    ("option", "bad", "requirement"),
    [
        *(("greater_is_better", bad, "a bool or 2 of them") for bad in (1, "yes", None, [True], [True] * 3, [1, 0])),
        *(("cardinal", bad, "a bool or 2 of them") for bad in (1, "yes", None, [True], [True] * 3, [1, 0])),
        *(("alternative", bad, "one of 'two-sided', 'greater', 'less'") for bad in ("bigger", None, 1)),
        *(("regularization", bad, r"a number in \[0, 1\]") for bad in (-0.1, 1.1, np.nan, "x", None, True)),
        *(("n_resamples", bad, "an integer of at least 1") for bad in (0, -1, 1.5, "x", True)),
        *(("rng", bad, "None, a non-negative integer or a numpy Generator") for bad in (-1, "x", 1.5)),
        *(("metrics", bad, "") for bad in (["x"], "xy", [1, 2], ["x", "x"])),
    ],
    ids=str,
)
def test_bad_options_are_refused_by_name(option, bad, requirement):
    with pytest.raises(ValueError, match=f"^{option} must be {requirement}"):
        stochastic_dominance_test([[0.1, 0.2]], [[0.3, 0.1]], **{option: bad})


@pytest.mark.parametrize("bad", [-0.1, 1, np.nan, "x", None, True], ids=str)
def test_what_is_no_contamination_is_refused_by_name(bad):
    result = stochastic_dominance_test([0.2, 0.3], [0.1, 0.2])
    with pytest.raises(ValueError, match=r"^contamination must be a number in \[0, 1\)"):
        result.robust_pvalue(bad)


def test_too_many_pairs_for_cardinal_metrics_are_refused():
    scores = np.arange(140.0)
    with pytest.raises(ValueError, match=r"^cardinal metrics .* 8000 pairs .* 9730: pass cardinal=False"):
        stochastic_dominance_test(scores[::2], scores[1::2], cardinal=True)
    assert stochastic_dominance_test(scores[1::2], scores[::2], **FEW).relation == "a dominates"


@pytest.mark.sampled("simulations")
def test_62_cases_are_few_enough_for_cardinal_metrics():
    scores = np.arange(124.0) ** 1.5
    result = stochastic_dominance_test(scores[1::2], scores[::2], cardinal=True, alternative="greater", **FEW)
    assert result.relation == "a dominates"


def test_a_program_that_is_not_solved_is_an_error(monkeypatch):
    monkeypatch.setattr(optimize, "linprog", lambda *_, **__: optimize.OptimizeResult(status=4, message="trouble"))
    with pytest.raises(RuntimeError, match="was not solved: trouble"):
        stochastic_dominance_test([0.2, 0.3], [0.1, 0.2], cardinal=True)
