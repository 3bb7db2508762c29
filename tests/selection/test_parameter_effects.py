"""Which parameter mattered: groups of values, shares of the variance, tests and warnings."""

from __future__ import annotations

import os
from itertools import pairwise, permutations, product

import numpy as np
import pytest
from scipy import stats

from benchmarks.selection import drawn_search, effects
from skcompare import SearchReport
from skcompare.inference import adjust_pvalues, k_fold_t_test, model_confidence_set
from skcompare.selection._effects import deals, dealt_pvalue, nuisance
from tests.lawful import codes

GRID = [{"depth": d, "leaf": leaf} for d, leaf in product([1, 2, 4], ["a", "b"])]


def effects_of(plain, params, scores):
    report = SearchReport.from_search(plain(np.asarray(scores), params))
    return {effect.parameter: effect for effect in report.effects}


def noise(rng, n, scale=0.02, splits=10):
    return rng.normal(0.8, 0.05, splits) + rng.normal(0, scale, (n, splits))


# ---- a full grid ----------------------------------------------------------------------------------------------


def test_means_share_and_difference_by_hand(rng, plain):
    # depth adds 0, 0.2, 0.4 and leaf 0, 0.1: sums of squares 2 * (0.04 + 0 + 0.04) and 6 * 0.0025
    level = np.array([0.2 * i + 0.1 * j for i, j in product(range(3), range(2))])
    found = effects_of(plain, GRID, level[:, None] + np.zeros(5) + rng.normal(0, 0.1, 5))
    depth, leaf = found["depth"], found["leaf"]
    assert depth.values == ("1", "2", "4")
    assert leaf.values == ("a", "b")
    assert (depth.best, leaf.best) == ("4", "b")
    np.testing.assert_allclose(np.diff(depth.means), 0.2)
    assert (depth.difference, leaf.difference) == pytest.approx((0.4, 0.1))
    assert (depth.share, leaf.share) == pytest.approx((0.16 / 0.175, 0.015 / 0.175))
    assert (depth.n_candidates, leaf.n_candidates) == ((2, 2, 2), (3, 3))


def test_on_a_full_grid_shares_add_up_to_one_at_most_and_no_warning_is_given(rng, plain):
    params = [{"a": i, "b": j, "c": k} for i, j, k in product(range(3), range(2), range(4))]
    found = effects_of(plain, params, noise(rng, 24, 0.1))
    assert 0 < sum(effect.share for effect in found.values()) <= 1
    assert [effect.warnings for effect in found.values()] == [()] * 3
    shares = [effect.share for effect in found.values()]
    assert shares == sorted(shares, reverse=True)


def test_the_p_value_is_that_of_the_groups_and_of_holm(rng, plain):
    scores = noise(rng, 6)
    found = effects_of(plain, GRID, scores)
    by_depth = scores.reshape(3, 2, -1).mean(axis=1)
    expected = model_confidence_set(by_depth.T, test_fraction=1 / 10, overlap=0.4).pvalues.min()
    assert found["depth"].pvalue == pytest.approx(expected)
    by_leaf = scores.reshape(3, 2, -1).mean(axis=0)  # two groups: the default t test itself
    assert found["leaf"].pvalue == pytest.approx(k_fold_t_test(*by_leaf, test_fraction=1 / 10).pvalue, rel=1e-6)
    raw = [effect.pvalue for effect in found.values()]
    np.testing.assert_allclose([effect.pvalue_adjusted for effect in found.values()], adjust_pvalues(raw, "holm"))


def test_a_parameter_that_does_nothing_has_no_share(rng, plain):
    scores = np.repeat(noise(rng, 3, 0.1), 2, axis=0)
    leaf = effects_of(plain, GRID, scores)["leaf"]
    assert leaf.share == pytest.approx(0, abs=1e-12)
    assert (leaf.difference, leaf.pvalue) == (pytest.approx(0, abs=1e-12), 1.0)


def test_equal_candidates_have_no_effects(rng, plain):
    for effect in effects_of(plain, GRID, np.tile(rng.normal(0.8, 0.05, 10), (6, 1))).values():
        assert (effect.share, effect.difference, effect.pvalue) == (0, 0, 1)


def test_where_no_value_differs_none_is_called_best(rng, plain):
    scores = np.repeat(noise(rng, 3), 2, axis=0)
    report = SearchReport.from_search(plain(scores, GRID))
    leaf = next(effect for effect in report.effects if effect.parameter == "leaf")
    assert (leaf.best, leaf.worst) == ("none better", "none worse")
    assert "none better" in report.summary("full")
    depth = next(effect for effect in report.effects if effect.parameter == "depth")
    assert (depth.best, depth.worst) == (depth.values[depth.means.argmax()], depth.values[depth.means.argmin()])


# ---- candidates that differ in several parameters -------------------------------------------------------------


def drawn(rng, n):
    """A random search in which C matters, and gamma with it, and degree does nothing; like settings share luck."""
    params, scores = drawn_search(n, 0.0025, rng)
    return params, scores[:, :10]


def squares_left(target, *factors):
    """By least squares on indicators."""
    columns = [np.ones(len(target)), *(np.asarray(factor) == value for factor in factors for value in set(factor))]
    design = np.stack(columns, axis=1).astype(float)
    return ((target - design @ np.linalg.lstsq(design, target, rcond=None)[0]) ** 2).sum()


def test_identical_candidates_under_two_values_have_no_effect(rng, plain):
    """By hand: linear 0.8 with both gamma, rbf 0.9; sums of squares: 1/150 in all, 1/200 of the kernel after gamma."""
    params = [{"kernel": "linear", "gamma": 0.1}, {"kernel": "linear", "gamma": 1.0}, {"kernel": "rbf", "gamma": 0.1}]
    means = np.array([[0.8], [0.8], [0.9]])
    found = effects_of(plain, params, means + rng.normal(0, 0.01, 10))
    assert (found["gamma"].share, found["gamma"].pvalue) == (pytest.approx(0, abs=1e-12), 1)
    assert found["kernel"].share == pytest.approx(0.75)
    assert found["kernel"].difference == pytest.approx(0.1)
    assert np.isnan(found["kernel"].pvalue)  # the same difference on all splits
    varied = effects_of(plain, params, means + rng.normal(0, 0.01, (3, 10)))
    assert varied["kernel"].pvalue > 0.3  # three ways to deal two values to three candidates


def test_means_of_an_unbalanced_search_are_those_of_an_additive_model(rng, plain):
    a, b = rng.permutation(np.repeat([0, 1, 2], [3, 4, 5])), rng.integers(0, 2, 12)
    b[:2] = 0, 1
    b[2] = b[0]
    a[:3] = 0, 0, 1  # so that no value of one is that of another
    level = 0.5 + 0.1 * a + 0.04 * b
    luck = rng.normal(0, 0.01, 10)
    found = effects_of(plain, [{"a": int(i), "b": int(j)} for i, j in zip(a, b, strict=True)], level[:, None] + luck)
    assert np.diff(found["b"].means) == pytest.approx([0.04])
    assert np.diff(found["a"].means) == pytest.approx([0.1] * (len(found["a"].values) - 1))
    for effect in found.values():
        sizes = np.array(effect.n_candidates)
        assert sizes @ effect.means / 12 == pytest.approx((level[:, None] + luck).mean())


def test_shares_of_an_unbalanced_search_are_of_type_two(rng, plain):
    a, b, c = rng.integers(0, 3, 40), rng.integers(0, 2, 40), rng.integers(0, 4, 40)
    scores = noise(rng, 40) + 0.05 * (a == b)[:, None] + 0.02 * c[:, None]
    found = effects_of(
        plain, [{"a": int(i), "b": int(j), "c": int(k)} for i, j, k in zip(a, b, c, strict=True)], scores
    )
    target, factors = scores.mean(axis=1), {"a": a, "b": b, "c": c}
    for name, effect in found.items():
        others = [factor for other, factor in factors.items() if other != name]
        explained = squares_left(target, *others) - squares_left(target, *factors.values())
        assert effect.share == pytest.approx(explained / squares_left(target), abs=1e-9)


def test_what_is_the_same_but_for_rounding_counts_for_neither(rng, plain):
    params = [{"a": i, "b": i} for i in (0, 0, 0, 1, 1, 1)]
    for effect in effects_of(plain, params, noise(rng, 6) + np.repeat([0, 0.5], 3)[:, None]).values():
        assert (effect.pvalue, effect.share) == (1, pytest.approx(0, abs=1e-12))
        assert codes(effect) == ["UNBALANCED"]


def test_the_interaction_of_two_is_not_the_effect_of_a_third(rng, plain):
    """Of a half fraction: all pairs of parameters are balanced, c is a times b."""
    params = [{"a": i, "b": j, "c": i ^ j} for i, j in product(range(2), range(2))]
    scores = noise(rng, 4, 0.001) + 0.1 * np.array([one["c"] for one in params])[:, None]
    assert effects_of(plain, params, scores)["c"].pvalue > 0.05


def test_the_p_value_of_dealing_is_near_that_of_all_deals(rng):
    scores, values = rng.normal(size=7), np.array([0, 0, 0, 1, 1, 2, 2])
    other = np.array([0, 1, 0, 1, 0, 1, 0])
    basis = nuisance(scores, [other])
    left = scores - np.where(other, scores[other == 1].mean(), scores[other == 0].mean())

    def distance(dealt):
        return sum(dealt[values == value].sum() ** 2 / (values == value).sum() for value in range(3))

    all_deals = [distance(left[list(deal)]) for deal in permutations(range(7))]
    exact = np.mean(np.array(all_deals) >= distance(left) * (1 - 1e-9))
    error = (exact * (1 - exact) / 999) ** 0.5
    assert dealt_pvalue(scores, values, basis, deals(len(scores))) == pytest.approx(exact, abs=5 * error + 0.001)


def test_a_search_gives_the_same_p_values_again_and_none_below_one_in_a_thousand(rng, plain):
    params, scores = drawn(rng, 60)
    first, second = effects_of(plain, params, scores), effects_of(plain, params, scores)
    assert [effect.pvalue for effect in first.values()] == [effect.pvalue for effect in second.values()]
    assert min(effect.pvalue for effect in first.values()) >= 0.001
    assert first["C"].pvalue_adjusted < 0.05


def test_a_parameter_with_a_value_for_each_candidate_does_not_hide_the_others(rng, plain):
    params, scores = drawn(rng, 60)
    found = effects_of(plain, [{**one, "layers": (i, i)} for i, one in enumerate(params)], scores)
    assert found["C"].pvalue_adjusted < 0.05
    assert found["layers"].pvalue == 1


@pytest.mark.parametrize("values", [[1], [1, 2]])
def test_a_parameter_that_only_some_set_is_judged_against_its_default(rng, plain, values):
    params = [{"leaf": leaf} for leaf in (1, 2)] + [{"leaf": leaf, "p": p} for leaf, p in product((1, 2), values)]
    scores = noise(rng, len(params))
    found = effects_of(plain, params, scores)["p"]
    assert found.values == (*map(str, values), "(not set)")
    assert found.n_candidates == (2,) * (len(values) + 1)
    assert found.means[-1] == pytest.approx(scores[:2].mean())
    assert found.warnings == ()


def test_a_parameter_that_is_all_that_differs_is_judged(rng, plain):
    scores = noise(rng, 2)
    found = effects_of(plain, [{"leaf": 1}, {"leaf": 1, "p": 1}], scores)["p"]
    assert found.share == pytest.approx(1)
    assert found.pvalue == pytest.approx(k_fold_t_test(*scores, test_fraction=1 / 10).pvalue, rel=1e-6)


# ---- groups ---------------------------------------------------------------------------------------------------


def test_numbers_rise_and_other_values_follow(rng, plain):
    params = [{"p": value} for value in (None, 10, "auto", 2.5, 1)]
    assert effects_of(plain, params, noise(rng, 5))["p"].values == ("1", "2.5", "10", "None", "auto")


def test_many_numbers_become_four_groups_of_about_equal_size(rng, plain):
    draws = stats.loguniform(1e-3, 1e3).rvs(40, random_state=rng)
    effect = effects_of(plain, [{"C": value} for value in draws], noise(rng, 40))["C"]
    assert effect.n_candidates == (10, 10, 10, 10)
    ends = [tuple(map(float, shown.split(" to "))) for shown in effect.values]
    assert ends == sorted(ends)
    assert ends[0][0] == pytest.approx(draws.min(), rel=0.005)
    assert ends[-1][1] == pytest.approx(draws.max(), rel=0.005)
    for (low, high), (next_low, _) in pairwise(ends):
        assert low < high <= next_low


def test_eight_numbers_stay_values_and_nine_become_groups(rng, plain):
    assert len(effects_of(plain, [{"p": i} for i in range(8)], noise(rng, 8))["p"].values) == 8
    assert effects_of(plain, [{"p": i} for i in range(9)], noise(rng, 9))["p"].values == (
        "0 to 2",
        "3 to 4",
        "5 to 6",
        "7 to 8",
    )


def test_other_values_stay_beside_groups_of_numbers(rng, plain):
    values = [*range(12), None, None]
    effect = effects_of(plain, [{"depth": value} for value in values], noise(rng, 14))["depth"]
    assert effect.values == ("0 to 2", "3 to 5", "6 to 8", "9 to 11", "None")
    assert effect.n_candidates == (3, 3, 3, 3, 2)


def test_many_equal_numbers_are_one_group(rng, plain):
    values = [1] * 20 + list(range(2, 12))
    effect = effects_of(plain, [{"p": value} for value in values], noise(rng, 30))["p"]
    assert effect.values[0] == "1"
    assert effect.n_candidates[0] == 20
    assert sum(effect.n_candidates) == 30


def test_numbers_that_look_alike_stay_apart(rng, plain):
    values = 1 + 1e-9 * np.arange(12)
    effect = effects_of(plain, [{"p": value} for value in values], noise(rng, 12))["p"]
    assert effect.n_candidates == (3, 3, 3, 3)
    assert len(set(effect.values)) == 4


@pytest.mark.parametrize(
    "values",
    [[np.array([1, 2]), np.array([3, 4])], [[1], [2]], [{"a": 1}, {"a": 2}], [object(), object()], [True, False]],
)
def test_values_need_not_be_hashable_or_numbers(rng, plain, values):
    effect = effects_of(plain, [{"p": value} for value in values * 2], noise(rng, 4))["p"]
    assert effect.n_candidates == (2, 2)


# ---- warnings -------------------------------------------------------------------------------------------------


def test_a_parameter_of_some_candidates_is_judged_among_these(rng, plain):
    params = [{"kernel": "rbf"}, {"kernel": "rbf"}, *({"kernel": "poly", "degree": degree} for degree in (2, 3, 2, 3))]
    scores = noise(rng, 6)
    found = effects_of(plain, params, scores)
    assert found["degree"].n_candidates == (2, 2)
    assert found["degree"].warnings == ("PARTIAL: 4 of 6 candidates have degree; it is judged among these.",)
    alone = effects_of(plain, [{"degree": degree} for degree in (2, 3, 2, 3)], scores[2:])["degree"]
    assert found["degree"].pvalue == alone.pvalue
    assert found["kernel"].warnings == ()


def test_the_shares_of_nested_parameters_add_up(rng, plain):
    """By hand: rbf 0.9, poly of degree 2 and 3 0.5 and 0.7; sums of squares 0.08 = 0.06 + 0.02."""
    params = [{"kernel": "rbf"}, {"kernel": "poly", "degree": 2}, {"kernel": "poly", "degree": 3}]
    found = effects_of(plain, params, np.array([[0.9], [0.5], [0.7]]) + rng.normal(0, 0.1, 5))
    assert (found["kernel"].share, found["degree"].share) == pytest.approx((0.75, 0.25))


def test_a_parameter_with_one_value_among_those_that_have_it_has_no_effect(rng, plain):
    params = [{"kernel": "rbf"}, {"kernel": "linear"}, {"kernel": "poly", "degree": 2}]
    assert set(effects_of(plain, params, noise(rng, 3))) == {"kernel"}


def test_confounded_parameters_are_warned_of(rng, plain):
    params = [{"a": i % 2, "b": i % 2 if i < 6 else 1 - i % 2, "c": i // 4} for i in range(8)]
    found = effects_of(plain, params, noise(rng, 8))
    assert codes(found["a"]) == ["UNBALANCED"]
    assert "candidates with different a also differ in b, and" in found["a"].warnings[0]
    params = [{"a": i % 2, "b": (i // 2) % 2} for i in range(8)]
    assert [effect.warnings for effect in effects_of(plain, params, noise(rng, 8)).values()] == [(), ()]


def test_a_large_random_search_is_balanced_enough_and_a_small_one_is_not(rng, plain):
    def search(n):
        rng = np.random.default_rng(0)  # the seed draws a search, not its scores
        return [{"C": rng.uniform(), "kernel": str(rng.choice(["rbf", "linear"]))} for _ in range(n)]

    for n, warning in ((1000, []), (12, ["UNBALANCED"])):
        assert codes(effects_of(plain, search(n), noise(rng, n))["C"]) == warning


def test_failed_candidates_count_for_nothing(rng, plain):
    scores = noise(rng, 6)
    without = effects_of(plain, GRID[:4], scores[:4])
    scores[4:] = np.nan
    found = effects_of(plain, GRID, scores)
    assert {name: effect.n_candidates for name, effect in found.items()} == {"depth": (2, 2), "leaf": (2, 2)}
    assert found["depth"].pvalue == without["depth"].pvalue


def test_several_unbalanced_parameters_are_one_warning(rng, plain):
    params = [{"a": int(i < 4), "b": int(i < 5), "c": int(i < 3)} for i in range(8)]
    document = SearchReport.from_search(plain(noise(rng, 8), params)).explain()
    assert sum(text.startswith("UNBALANCED") for text in document.named("warnings").texts) == 1


# ---- size -----------------------------------------------------------------------------------------------------


@pytest.mark.sampled("simulations")
@pytest.mark.slow
def test_parameters_that_do_nothing_are_rarely_called_important(rng, plain):
    """Twelve equal candidates, folds correlated as the test assumes; 5% nominal for both parameters together."""
    rho = (0.4 / 9) / (1 + 0.4 / 9)
    params = [{"a": i, "b": j} for i, j in product(range(4), range(3))]
    n_runs = 2000 if os.environ.get("SKCOMPARE_FULL") == "1" else 200
    found = 0
    for _ in range(n_runs):
        common = rng.normal(0, rho**0.5, (12, 1))
        scores = common + rng.normal(0, (1 - rho) ** 0.5, (12, 10))
        found += any(effect.pvalue_adjusted < 0.05 for effect in effects_of(plain, params, scores).values())
    assert found / n_runs < 0.05 + 4 * (0.05 * 0.95 / n_runs) ** 0.5


@pytest.mark.slow
def test_a_parameter_that_does_nothing_is_rarely_called_important_in_a_random_search(rng, plain):
    """Beside one that matters much, whose values it did not get in equal parts; 5% nominal."""
    n_runs = 2000 if os.environ.get("SKCOMPARE_FULL") == "1" else 50
    hits = {"C": 0, "degree": 0, "gamma": 0}
    for _ in range(n_runs):
        for name, effect in effects_of(plain, *drawn(rng, 30)).items():
            hits[name] += effect.pvalue_adjusted < 0.05
    assert hits["degree"] / n_runs < 0.05 + 4 * (0.05 * 0.95 / n_runs) ** 0.5
    assert hits["C"] > n_runs / 2


def test_the_simulation_of_effects_runs(capsys):
    effects(1)
    assert capsys.readouterr().out.count("\n| with C |") == 3
