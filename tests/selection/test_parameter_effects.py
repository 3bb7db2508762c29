"""Which parameter mattered: groups of values, shares of the variance, tests and doubts."""

from __future__ import annotations

import os
from itertools import pairwise, product

import numpy as np
import pytest
from scipy import stats

from skcompare import SearchReport
from skcompare.inference import adjust_pvalues, corrected_t_test, model_confidence_set

RNG = np.random.default_rng()
GRID = [{"depth": d, "leaf": leaf} for d, leaf in product([1, 2, 4], ["a", "b"])]


def effects_of(plain, params, scores):
    report = SearchReport.from_search(plain(np.asarray(scores), params))
    return {effect.parameter: effect for effect in report.effects}


def noise(n, scale=0.02, splits=10):
    return RNG.normal(0.8, 0.05, splits) + RNG.normal(0, scale, (n, splits))


def codes(effect):
    return [warning.split(":")[0] for warning in effect.warnings]


# ---- a full grid ----------------------------------------------------------------------------------------------


def test_means_share_and_difference_by_hand(plain):
    # depth adds 0, 0.2, 0.4 and leaf 0, 0.1: sums of squares 2 * (0.04 + 0 + 0.04) and 6 * 0.0025
    level = np.array([0.2 * i + 0.1 * j for i, j in product(range(3), range(2))])
    found = effects_of(plain, GRID, level[:, None] + np.zeros(5) + RNG.normal(0, 0.1, 5))
    depth, leaf = found["depth"], found["leaf"]
    assert depth.values == ("1", "2", "4")
    assert leaf.values == ("a", "b")
    assert (depth.best, leaf.best) == ("4", "b")
    np.testing.assert_allclose(np.diff(depth.means), 0.2)
    assert (depth.difference, leaf.difference) == pytest.approx((0.4, 0.1))
    assert (depth.share, leaf.share) == pytest.approx((0.16 / 0.175, 0.015 / 0.175))
    assert (depth.n_candidates, leaf.n_candidates) == ((2, 2, 2), (3, 3))


def test_on_a_full_grid_shares_add_up_to_one_at_most_and_nothing_is_in_doubt(plain):
    params = [{"a": i, "b": j, "c": k} for i, j, k in product(range(3), range(2), range(4))]
    found = effects_of(plain, params, noise(24, 0.1))
    assert 0 < sum(effect.share for effect in found.values()) <= 1
    assert [effect.warnings for effect in found.values()] == [()] * 3
    shares = [effect.share for effect in found.values()]
    assert shares == sorted(shares, reverse=True)


def test_the_p_value_is_that_of_the_groups_and_of_holm(plain):
    scores = noise(6)
    found = effects_of(plain, GRID, scores)
    by_depth = scores.reshape(3, 2, -1).mean(axis=1)
    expected = model_confidence_set(by_depth.T, test_fraction=1 / 10).pvalues.min()
    assert found["depth"].pvalue == pytest.approx(expected)
    by_leaf = scores.reshape(3, 2, -1).mean(axis=0)  # two groups: the corrected t test itself
    assert found["leaf"].pvalue == pytest.approx(corrected_t_test(*by_leaf, test_fraction=1 / 10).pvalue, rel=1e-6)
    raw = [effect.pvalue for effect in found.values()]
    np.testing.assert_allclose([effect.pvalue_adjusted for effect in found.values()], adjust_pvalues(raw, "holm"))


def test_a_parameter_that_does_nothing_has_no_share(plain):
    scores = np.repeat(noise(3, 0.1), 2, axis=0)
    leaf = effects_of(plain, GRID, scores)["leaf"]
    assert leaf.share == pytest.approx(0, abs=1e-12)
    assert (leaf.difference, leaf.pvalue) == (pytest.approx(0, abs=1e-12), 1.0)


def test_equal_candidates_have_no_effects(plain):
    for effect in effects_of(plain, GRID, np.tile(RNG.normal(0.8, 0.05, 10), (6, 1))).values():
        assert (effect.share, effect.difference, effect.pvalue) == (0, 0, 1)


# ---- groups ---------------------------------------------------------------------------------------------------


def test_numbers_rise_and_other_values_follow(plain):
    params = [{"p": value} for value in (None, 10, "auto", 2.5, 1)]
    assert effects_of(plain, params, noise(5))["p"].values == ("1", "2.5", "10", "None", "auto")


def test_many_numbers_become_four_groups_of_about_equal_size(plain):
    draws = stats.loguniform(1e-3, 1e3).rvs(40, random_state=RNG)
    effect = effects_of(plain, [{"C": value} for value in draws], noise(40))["C"]
    assert effect.n_candidates == (10, 10, 10, 10)
    ends = [tuple(map(float, shown.split(" to "))) for shown in effect.values]
    assert ends == sorted(ends)
    assert ends[0][0] == pytest.approx(draws.min(), rel=0.005)
    assert ends[-1][1] == pytest.approx(draws.max(), rel=0.005)
    for (low, high), (next_low, _) in pairwise(ends):
        assert low < high <= next_low


def test_eight_numbers_stay_values_and_nine_become_groups(plain):
    assert len(effects_of(plain, [{"p": i} for i in range(8)], noise(8))["p"].values) == 8
    assert effects_of(plain, [{"p": i} for i in range(9)], noise(9))["p"].values == (
        "0 to 2",
        "3 to 4",
        "5 to 6",
        "7 to 8",
    )


def test_other_values_stay_beside_groups_of_numbers(plain):
    values = [*range(12), None, None]
    effect = effects_of(plain, [{"depth": value} for value in values], noise(14))["depth"]
    assert effect.values == ("0 to 2", "3 to 5", "6 to 8", "9 to 11", "None")
    assert effect.n_candidates == (3, 3, 3, 3, 2)


def test_many_equal_numbers_are_one_group(plain):
    values = [1] * 20 + list(range(2, 12))
    effect = effects_of(plain, [{"p": value} for value in values], noise(30))["p"]
    assert effect.values[0] == "1"
    assert effect.n_candidates[0] == 20
    assert sum(effect.n_candidates) == 30


def test_numbers_that_look_alike_stay_apart(plain):
    values = 1 + 1e-9 * np.arange(12)
    effect = effects_of(plain, [{"p": value} for value in values], noise(12))["p"]
    assert effect.n_candidates == (3, 3, 3, 3)
    assert len(set(effect.values)) == 4


@pytest.mark.parametrize(
    "values",
    [[np.array([1, 2]), np.array([3, 4])], [[1], [2]], [{"a": 1}, {"a": 2}], [object(), object()], [True, False]],
)
def test_values_need_not_be_hashable_or_numbers(plain, values):
    effect = effects_of(plain, [{"p": value} for value in values * 2], noise(4))["p"]
    assert effect.n_candidates == (2, 2)


# ---- doubts ---------------------------------------------------------------------------------------------------


def test_a_parameter_of_some_candidates_is_judged_among_these(plain):
    params = [{"kernel": "rbf"}, {"kernel": "rbf"}, *({"kernel": "poly", "degree": degree} for degree in (2, 3, 2, 3))]
    scores = noise(6)
    found = effects_of(plain, params, scores)
    assert found["degree"].n_candidates == (2, 2)
    assert found["degree"].warnings == ("PARTIAL: 4 of 6 candidates have degree; it is judged among these.",)
    alone = effects_of(plain, [{"degree": degree} for degree in (2, 3, 2, 3)], scores[2:])["degree"]
    assert found["degree"].pvalue == alone.pvalue
    assert found["kernel"].warnings == ()


def test_the_shares_of_nested_parameters_add_up(plain):
    """By hand: rbf 0.9, poly of degree 2 and 3 0.5 and 0.7; sums of squares 0.08 = 0.06 + 0.02."""
    params = [{"kernel": "rbf"}, {"kernel": "poly", "degree": 2}, {"kernel": "poly", "degree": 3}]
    found = effects_of(plain, params, np.array([[0.9], [0.5], [0.7]]) + RNG.normal(0, 0.1, 5))
    assert (found["kernel"].share, found["degree"].share) == pytest.approx((0.75, 0.25))


def test_a_parameter_with_one_value_among_those_that_have_it_has_no_effect(plain):
    params = [{"kernel": "rbf"}, {"kernel": "linear"}, {"kernel": "poly", "degree": 2}]
    assert set(effects_of(plain, params, noise(3))) == {"kernel"}


def test_confounded_parameters_are_in_doubt(plain):
    params = [{"a": i % 2, "b": i % 2 if i < 6 else 1 - i % 2, "c": i // 4} for i in range(8)]
    found = effects_of(plain, params, noise(8))
    assert codes(found["a"]) == ["UNBALANCED"]
    assert "candidates with different a also differ in b, and" in found["a"].warnings[0]
    params = [{"a": i % 2, "b": (i // 2) % 2} for i in range(8)]
    assert [effect.warnings for effect in effects_of(plain, params, noise(8)).values()] == [(), ()]


def test_a_large_random_search_is_balanced_enough_and_a_small_one_is_not(plain):
    def drawn(n):
        rng = np.random.default_rng(0)  # the seed draws a search, not its scores
        return [{"C": rng.uniform(), "kernel": str(rng.choice(["rbf", "linear"]))} for _ in range(n)]

    for n, doubt in ((1000, []), (12, ["UNBALANCED"])):
        assert codes(effects_of(plain, drawn(n), noise(n))["C"]) == doubt


def test_failed_candidates_count_for_nothing(plain):
    scores = noise(6)
    without = effects_of(plain, GRID[:4], scores[:4])
    scores[4:] = np.nan
    found = effects_of(plain, GRID, scores)
    assert {name: effect.n_candidates for name, effect in found.items()} == {"depth": (2, 2), "leaf": (2, 2)}
    assert found["depth"].pvalue == without["depth"].pvalue


def test_several_unbalanced_parameters_are_one_line_of_the_summary(plain):
    params = [{"a": int(i < 4), "b": int(i < 5), "c": int(i < 3)} for i in range(8)]
    text = " ".join(SearchReport.from_search(plain(noise(8), params)).summary().split())
    assert text.count("UNBALANCED") == 1
    assert "UNBALANCED (" in text


# ---- size -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_parameters_that_do_nothing_are_rarely_called_important(plain):
    """Twelve equal candidates, folds correlated as the test assumes; 5% nominal for both parameters together."""
    params = [{"a": i, "b": j} for i, j in product(range(4), range(3))]
    n_runs = 2000 if os.environ.get("SKCOMPARE_FULL") == "1" else 200
    found = 0
    for _ in range(n_runs):
        common = RNG.normal(0, 0.1**0.5, (12, 1))
        scores = common + RNG.normal(0, 0.9**0.5, (12, 10))
        found += any(effect.pvalue_adjusted < 0.05 for effect in effects_of(plain, params, scores).values())
    assert found / n_runs < 0.05 + 4 * (0.05 * 0.95 / n_runs) ** 0.5
