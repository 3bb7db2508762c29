"""Refit rules: what they keep, which of it they take, and how they live inside scikit-learn's searches."""

import copy
import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcompare import SearchReport, best_by_dominance, simplest_within
from skcompare.inference import (
    corrected_t_test,
    correlated_t_posterior,
    dominance_counts,
    dominance_test,
    effective_cases,
    k_fold_t_test,
    model_confidence_set,
    pareto_front,
)
from skcompare.selection import Choice
from skcompare.selection._rules import joint_wins, pareto_optimal

RULES = ["margin", "corrected_t", "one_se", "rope", "signed_rank"]
DEPTHS = [1, 2, 3, None]


def searched(scores, params=None, **columns):
    """``cv_results_`` of scores by metric, or of one metric; each of shape (n_candidates, n_splits)."""
    by_metric = scores if isinstance(scores, dict) else {"score": scores}
    table = dict(columns)
    for metric, values in by_metric.items():
        values = np.asarray(values, dtype=float)
        table |= {f"split{i}_test_{metric}": column for i, column in enumerate(values.T)}
        table[f"mean_test_{metric}"] = values.mean(axis=1)
    return table | {"params": [{"size": i} for i in range(len(values))] if params is None else params}


def noisy(seed, n_candidates=6, n_splits=10, spread=0.02):
    rng = np.random.default_rng(seed)
    return (
        0.8
        + rng.normal(0, spread, (n_candidates, 1))
        + rng.normal(0, 0.02, n_splits)
        + rng.normal(0, 0.02, (n_candidates, n_splits))
    )


def chosen(rule, table):
    rule(table)
    return rule.choice_


@pytest.fixture(scope="module")
def data():
    return make_classification(120, 6, n_informative=3, flip_y=0.2, random_state=0)


# ---- which candidates are not worse than the best -------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize(("n_splits", "test"), [(10, k_fold_t_test), (50, corrected_t_test)])
def test_two_candidates_differ_significantly_as_by_the_default_test(seed, n_splits, test):
    scores = noisy(seed, n_candidates=2, n_splits=n_splits, spread=0.04)
    best = int(scores.mean(axis=1).argmax())
    pvalue = test(*scores, test_fraction=0.1).pvalue
    found = chosen(simplest_within(complexity="size", rule="corrected_t"), searched(scores))
    assert found.index == (best if pvalue < 0.05 else 0)
    assert found.candidates == ((best,) if pvalue < 0.05 else (0, 1))


def test_the_two_candidates_differ_significantly_in_some_of_these_cases_only():
    pvalues = [k_fold_t_test(*noisy(seed, n_candidates=2, spread=0.04), test_fraction=0.1).pvalue for seed in range(20)]
    assert 3 < sum(p < 0.05 for p in pvalues) < 17


@pytest.mark.parametrize("alpha", [0.01, 0.2])
@pytest.mark.parametrize("seed", range(4))
def test_corrected_t_keeps_the_model_confidence_set(seed, alpha):
    scores = noisy(seed, n_candidates=15)
    found = chosen(simplest_within(rule="corrected_t", alpha=alpha, test_fraction=0.3), searched(scores))
    kept = model_confidence_set(scores.T, test_fraction=0.3, names=[str(i) for i in range(15)]).members(alpha)
    assert [str(i) for i in found.candidates] == list(kept)


@pytest.mark.parametrize(("rope", "kept"), [(0.0126, (1,)), (0.0127, (0, 1))])
def test_margin_keeps_a_loss_that_is_within_it_with_one_corrected_standard_error(rope, kept):
    # mean loss 0.005, corrected standard error 0.02 sqrt(1/10 + 0.4/9) = 0.0076012: together 0.0126012
    found = chosen(simplest_within(margin=rope, test_fraction=0.1), searched(distant(0.005, 0.02)))
    assert found.candidates == kept


def test_the_default_loses_more_than_its_margin_hardly_more_often_than_the_highest_mean():
    """Ten candidates, each truly better than the one before by 0.004, and folds that overlap."""
    rng, true = np.random.default_rng(0), 0.8 + 0.004 * np.arange(10)
    lost = {"highest mean": [], "margin": [], "corrected_t": []}
    for _ in range(200):
        shared = rng.normal(0, 0.02 * (1 / 9) ** 0.5, (10, 1))  # the covariance that the corrected t test assumes
        scores = true[:, None] + shared + rng.normal(0, 0.02, (10, 10))
        taken = {rule: simplest_within(rule=rule, test_fraction=0.1)(searched(scores)) for rule in RULES[:2]}
        taken["highest mean"] = int(scores.mean(axis=1).argmax())
        for way, index in taken.items():
            lost[way].append(true.max() - true[index] > 0.01)
    shares = {way: np.mean(which) for way, which in lost.items()}
    assert shares["margin"] <= shares["highest mean"] + 0.05
    assert shares["corrected_t"] > 0.9


def test_one_se_keeps_what_is_within_a_standard_error_of_the_best():
    # scores 0.80, 0.82, ..., 0.88: mean 0.84, s = 0.02 sqrt(2.5), s / sqrt(5) = 0.01 sqrt(2) = 0.01414
    best = np.array([0.80, 0.82, 0.84, 0.86, 0.88])
    table = searched([best - 0.0142, best - 0.0141, best, best - 0.001])
    found = chosen(simplest_within(rule="one_se", complexity="size"), table)
    assert (found.index, found.best_index, found.candidates) == (1, 2, (1, 2, 3))
    assert found.difference == pytest.approx(-0.0141)


def test_a_candidate_exactly_one_standard_error_below_is_within_it():
    # 0.75 and 1.25 four times each: s / sqrt(8) = 0.25 sqrt(8 / 7) / sqrt(8) = 0.25 / sqrt(7)
    best = np.array([0.75, 1.25] * 4)
    table = searched([best - 0.25 / np.sqrt(7), best])
    assert simplest_within(rule="one_se")(table) == 0


@pytest.mark.parametrize(("loss", "kept"), [(0.009, (0, 1)), (0.011, (1,))])
def test_rope_keeps_a_constant_loss_within_it(loss, kept):
    best = noisy(0)[0]
    found = chosen(simplest_within(rule="rope", margin=0.01), searched([best - loss, best]))
    assert found.candidates == kept


@pytest.mark.parametrize("alpha", [0.05, 0.4])
def test_rope_keeps_by_the_posterior_probability_of_a_larger_loss(alpha):
    scores = noisy(3, n_candidates=30, spread=0.03)
    best = scores[scores.mean(axis=1).argmax()]
    found = chosen(simplest_within(rule="rope", margin=0.08, alpha=alpha, test_fraction=0.2), searched(scores))
    lost = [correlated_t_posterior(one, best, test_fraction=0.2, rope=0.08).left for one in scores]
    assert found.candidates == tuple(np.flatnonzero(np.array(lost) <= alpha))
    assert 1 < len(found.candidates) < 30


@pytest.mark.parametrize(("n_splits", "kept"), [(4, (0, 1)), (5, (1,))])
def test_signed_rank_drops_what_is_worse_on_each_of_five_splits(n_splits, kept):
    # the best is better on all n splits: p = 2**-n, 0.0625 for 4 and 0.03125 for 5
    best = 0.8 + 0.01 * np.arange(n_splits)
    worse = best - 0.001 * (1 + np.arange(n_splits))
    assert chosen(simplest_within(rule="signed_rank"), searched([worse, best])).candidates == kept


def test_signed_rank_is_one_sided():
    # p = 2**-5 one-sided, 2**-4 two-sided
    scores = searched([[0.79, 0.78, 0.77, 0.76, 0.75], [0.8] * 5])
    assert simplest_within(rule="signed_rank", alpha=0.04)(scores) == 1
    assert simplest_within(rule="signed_rank", alpha=0.03)(scores) == 0


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("seed", range(5))
def test_the_best_is_kept_and_the_first_kept_is_taken(rule, seed):
    scores = noisy(seed, n_candidates=12)
    found = chosen(simplest_within(rule=rule, margin=0), searched(scores))
    assert found.best_index == scores.mean(axis=1).argmax()
    assert found.best_index in found.candidates
    assert found.index == min(found.candidates)
    assert found.difference == pytest.approx(scores[found.index].mean() - scores.mean(axis=1).max())


@pytest.mark.parametrize("rule", RULES)
def test_scores_of_another_origin_and_order_choose_the_same(rule):
    scores = noisy(7, n_candidates=12)
    found = chosen(simplest_within(rule=rule, complexity="size"), searched(scores))
    shuffled = np.random.default_rng(0).permutation(scores - 3, axis=1)
    order = np.random.default_rng(1).permutation(12)
    again = chosen(
        simplest_within(rule=rule, complexity="size"), searched(shuffled[order], [{"size": int(i)} for i in order])
    )
    assert again.params == found.params
    assert sorted(order[list(again.candidates)]) == list(found.candidates)


# ---- what is simple -------------------------------------------------------------------------------------------

# no two differ on average, but the third is better than the others by 0.001
ALIKE = 0.8 + 0.01 * np.array([[1, -1, 1, -1, 0], [-1, 1, 0, 1, -1], [1.1, 0.1, -0.9, -0.9, 1.1], [0, 1, -1, -1, 1]])


@pytest.mark.parametrize(
    ("complexity", "params", "index"),
    [
        (None, [{"a": 4}, {"a": 3}, {"a": 2}, {"a": 1}], 0),
        ("a", [{"a": 4}, {"a": 1}, {"a": 2}, {"a": 3}], 1),
        ("-a", [{"a": 4}, {"a": 1}, {"a": 2}, {"a": 7}], 3),
        ("a", [{"a": None}, {"a": 1e9}, {"a": np.inf}, {"a": None}], 1),
        ("-a", [{"a": 1}, {"a": 1e9}, {"a": 3}, {"a": None}], 3),
        ("a", [{"a": True}, {"a": np.True_}, {"a": True}, {"a": np.False_}], 3),
        (["a", "-b"], [{"a": 2, "b": 9}, {"a": 1, "b": 1}, {"a": 1, "b": 2}, {"a": 1, "b": 3}], 3),
        (("a", "b"), [{"a": np.int64(2), "b": 0}, {"a": 1, "b": 0.5}, {"a": 1, "b": 2}, {"a": 1, "b": 3}], 1),
        (lambda params: -params["a"], [{"a": 4}, {"a": 5}, {"a": 2}, {"a": 1}], 1),
        (lambda params: (params["a"], -params["b"]), [{"a": 1, "b": i} for i in range(4)], 3),
        ("mean_fit_time", None, 2),
        ("-mean_fit_time", None, 1),
        ("param_a", [{"a": 4}, {"a": 1}, {"a": None}, {"a": 3}], 1),
        ("-param_a", [{"a": 4}, {"a": 1}, {"a": 2}, {"a": 7}], 3),
        (["param_a", "b"], [{"a": 1, "b": 9}, {"a": 1, "b": 1}, {"a": 2, "b": 0}, {"a": 3, "b": 0}], 1),
        (
            "param_a",
            [{"param_a": 2, "a": 1}, {"param_a": 1, "a": 2}, {"param_a": 3, "a": 3}, {"param_a": 4, "a": 4}],
            1,
        ),
    ],
)
def test_the_simplest_is_taken(complexity, params, index):
    table = searched(ALIKE, params, mean_fit_time=np.array([0.2, 0.9, 0.1, 0.3]))
    assert simplest_within(complexity=complexity, margin=0.1)(table) == index


def test_of_equally_simple_candidates_the_better_is_taken_and_then_the_earlier():
    rule = simplest_within(complexity="a", margin=0.1)
    assert rule(searched(ALIKE, [{"a": 1}] * 4)) == 2
    assert rule(searched(ALIKE[[0, 1, 3]], [{"a": 1}] * 3)) == 0


@pytest.mark.parametrize(
    ("complexity", "params", "message"),
    [
        ("b", [{"a": 1}, {"a": 2}], "complexity must name a parameter or a column of numbers; got 'b', not among 'a'"),
        ("a", [{"a": 1}, {"b": 2}], "complexity must name a parameter of every candidate; got 'a', which b=2 lacks"),
        (
            "a",
            [{"a": 1}, {"a": "sqrt"}],
            "complexity must be a number or None in a parameter; got a='sqrt'; a callable",
        ),
        ("a", [{"a": 1}, {"a": np.nan}], "complexity must be a number or None in a parameter; got a=nan"),
        ("a", [{"a": (1, 2)}, {"a": (1,)}], r"complexity must be a number or None in a parameter; got a=\(1, 2\)"),
        (lambda _: "much", [{"a": 1}, {"a": 2}], "complexity must be a number or None for a=1; got 'much'"),
    ],
)
def test_what_has_no_order_is_refused_by_name(complexity, params, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        simplest_within(complexity=complexity)(searched(noisy(0, 2), params))


# ---- which scores ---------------------------------------------------------------------------------------------


def test_a_candidate_that_failed_on_a_split_is_left_out_and_named():
    scores = noisy(0, n_candidates=4)
    scores[0, 3] = np.nan
    found = chosen(simplest_within(), searched(scores))
    assert 0 not in (found.index, *found.candidates)
    assert found.warnings[0].startswith(
        "MISSING_SCORES: left out: 1 of 4 candidates without a score on some split; the"
    )
    assert found.warnings[0].endswith("the first: size=0.")


@pytest.mark.parametrize("rule", [simplest_within(), best_by_dominance(["score", "f1"])], ids=["simplest", "dominance"])
def test_without_any_score_there_is_no_choice(rule):
    scores = np.full((3, 5), np.nan)
    table = searched({"score": scores} if rule == simplest_within() else {"score": scores, "f1": noisy(0, 3, 5)})
    with pytest.raises(ValueError, match=r"^the candidates must .* (f1|score)(, \w+)? on every .* none"):
        rule(table)


@pytest.mark.parametrize("rule", RULES)
def test_one_candidate_is_taken(rule):
    found = chosen(simplest_within(rule=rule), searched(noisy(0, 1), [{}]))
    assert (found.index, found.best_index, found.candidates, found.difference) == (0, 0, (0,), 0.0)


def test_a_metric_is_found_by_its_name():
    table = searched({"f1": noisy(0), "accuracy": noisy(1)})
    for metric in ("f1", "accuracy"):
        found = chosen(simplest_within(metric, rule="one_se"), table)
        assert found.metric == metric
        assert found.best_index == table[f"mean_test_{metric}"].argmax()


@pytest.mark.parametrize("metric", [None, "score", "f2"])
def test_of_several_metrics_one_is_named(metric):
    with pytest.raises(ValueError, match=r"^metric must be one of 'f1', 'accuracy'; got"):
        simplest_within(metric)(searched({"f1": noisy(0), "accuracy": noisy(1)}))


def test_the_only_metric_is_taken_for_any_that_is_named():
    plain = chosen(simplest_within(), searched(noisy(0)))
    named = chosen(simplest_within("roc_auc"), searched(noisy(0)))
    assert named.index == plain.index
    assert "The only metric there, 'score', is taken for 'roc_auc'." in named.reason
    assert "taken for" not in plain.reason + chosen(simplest_within("score"), searched(noisy(0))).reason


@pytest.mark.parametrize(
    ("n_splits", "fraction"),
    [(2, 1 / 2), (3, 1 / 3), (10, 1 / 10), (20, 1 / 10), (50, 1 / 10), (15, 1 / 5), (25, 1 / 5)],
)
def test_the_test_fraction_is_guessed_from_the_number_of_splits_and_the_choice_says_so(n_splits, fraction):
    scores = noisy(2, n_candidates=8, n_splits=n_splits, spread=0.03)
    guessed = chosen(simplest_within(rule="corrected_t", alpha=0.2), searched(scores))
    given = chosen(simplest_within(rule="corrected_t", alpha=0.2, test_fraction=fraction), searched(scores))
    assert guessed.candidates == given.candidates
    assert guessed.warnings[0].startswith(f"ASSUMED: the {n_splits} splits are taken for {round(1 / fraction)}-fold")
    assert not any("ASSUMED" in warning for warning in given.warnings)


def test_splits_that_fit_no_design_need_a_test_fraction():
    table = searched(noisy(0, n_splits=12))
    with pytest.raises(ValueError, match=r"^test_fraction must be given.*no repeated 10-fold or 5-fold"):
        simplest_within()(table)
    assert simplest_within(test_fraction=0.1).choose is not None
    for rule in (
        simplest_within(rule="one_se"),
        simplest_within(rule="signed_rank"),
        simplest_within(test_fraction=0.1),
    ):
        assert 0 <= rule(table) < 6


def test_one_split_tells_nothing():
    for rule in (simplest_within(), best_by_dominance(["score", "f1"])):
        with pytest.raises(ValueError, match=r"^search must have scores on at least two splits; got 1"):
            rule(searched({"score": noisy(0, n_splits=1), "f1": noisy(1, n_splits=1)}))


def test_a_split_without_any_score_is_left_out_and_said_so():
    scores = noisy(0, n_splits=11)
    scores[:, 4] = np.nan
    found = chosen(simplest_within(test_fraction=0.1), searched(scores))
    whole = chosen(simplest_within(test_fraction=0.1), searched(np.delete(scores, 4, axis=1)))
    assert (found.index, found.candidates, found.difference) == (whole.index, whole.candidates, whole.difference)
    assert found.warnings[0] == "MISSING_SCORES: left out: 1 of 11 splits without score."
    assert found.warnings[1:] == whole.warnings


def test_a_frame_of_the_results_does_too():
    pandas = pytest.importorskip("pandas")
    table = searched(noisy(0), mean_fit_time=np.arange(6.0))
    rule = simplest_within(complexity="-mean_fit_time")
    assert rule(pandas.DataFrame(table)) == rule(table)


def test_the_rules_that_ignore_the_overlap_say_so():
    for rule in ("one_se", "signed_rank"):
        assert [w.split(":")[0] for w in chosen(simplest_within(rule=rule), searched(noisy(0))).warnings] == [
            "INDEPENDENCE"
        ]


def test_a_candidate_that_is_left_out_does_not_move_the_order_of_the_others():
    scores = np.vstack([np.full(5, np.nan), ALIKE])
    assert simplest_within(complexity="a", margin=0.1)(searched(scores, [{"a": a} for a in (0, 3, 4, 1, 2)])) == 3


# ---- the price ------------------------------------------------------------------------------------------------


def distant(loss, spread, n_splits=10):
    """A first candidate that is worse than the best by a loss on average, with a deviation of the difference."""
    swing = np.tile([-1, 1], n_splits // 2) * spread * np.sqrt((n_splits - 1) / n_splits)
    best = 0.8 + np.linspace(-0.03, 0.03, n_splits)
    return np.array([best - loss + swing, best])


@pytest.mark.parametrize("rule", RULES)
def test_the_choice_tells_its_difference_to_the_best_with_an_interval(rule):
    # standard error 0.02 sqrt(1/10 + 0.4/9) = 0.0076012, t(9, 0.975) = 2.262157 by the tables: -0.005 -+ 0.017195
    table = searched(distant(0.005, 0.02))
    alpha, rope = 0.3 if rule == "rope" else 0.05, 0.015 if rule == "margin" else 0.01
    found = chosen(simplest_within(rule=rule, alpha=alpha, margin=rope, test_fraction=0.1), table)
    assert (found.index, found.best_index) == (0, 1)
    assert (found.difference, found.low, found.high) == pytest.approx((-0.005, -0.022195, 0.012195), abs=1e-6)
    assert found.reason.endswith(": a difference of -0.005, 95% interval [-0.0222, +0.0122].")
    assert found.warnings[-1] == (
        f"UNDECIDED: it may be worse than the best by up to 0.0222 (95% interval), beyond the margin of {rope:g}."
    )
    printed = " ".join(str(found).split())
    assert printed.startswith(f"Use size=0. {found.reason}")
    assert found.warnings[-1] in printed


def test_the_interval_of_a_rule_that_allows_for_all_comparisons_does_so_too():
    alone = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        scores = 0.7 + 0.004 * np.arange(12)[:, None] + rng.normal(0, 0.03, 10) + rng.normal(0, 0.01, (12, 10))
        found = chosen(simplest_within(rule="corrected_t", test_fraction=0.1), searched(scores))
        assert found.low <= 0 <= found.high  # "not significantly different from the best"
        assert found.index == found.best_index or "95% interval for all 11 comparisons [" in found.reason
        t = corrected_t_test(scores[found.index], scores[found.best_index], test_fraction=0.1)
        alone.append(t.confidence_interval().high < 0)
    assert any(alone)


@pytest.mark.parametrize(("rope", "warned"), [(0.0221, True), (0.0222, False)])
def test_a_loss_within_the_rope_has_no_warning(rope, warned):
    found = chosen(simplest_within(margin=rope, test_fraction=0.1), searched(distant(0.005, 0.02)))
    assert any(warning.startswith("UNDECIDED") for warning in found.warnings) == warned


def test_the_rules_that_do_without_the_test_fraction_guess_none():
    for rule in ("one_se", "signed_rank"):
        found = chosen(simplest_within(rule=rule), searched(distant(0.005, 0.02)))
        assert (found.index, found.low, found.high) == (0, None, None)
        assert found.reason.endswith(": a difference of -0.005.")


def test_the_best_costs_nothing():
    found = chosen(simplest_within(), searched(distant(0.1, 0.001)))
    assert (found.index, found.difference, found.low, found.high) == (1, 0, 0, 0)
    assert not any(warning.startswith("UNDECIDED") for warning in found.warnings)


def test_of_a_halving_search_the_last_round_is_chosen_from():
    first, last = noisy(0, n_candidates=4), distant(0, 0.02)
    first[0] += 9  # on other splits, with fewer resources
    params = [{"size": size} for size in (1, 2, 3, 4, 3, 4)]
    table = searched(np.vstack([first, last]), params, iter=np.array([0, 0, 0, 0, 1, 1]), n_resources=np.ones(6))
    found = chosen(simplest_within(complexity="-size", test_fraction=0.1), table)
    assert (found.index, found.candidates, found.params) == (5, (4, 5), {"size": 4})
    assert any(warning.startswith("SELECTED: the last round") for warning in found.warnings)


# ---- dominance ------------------------------------------------------------------------------------------------


def several(seed, n_candidates=12, n_splits=20, n_metrics=3, grid=40):
    """Scores on a coarse grid, so that there are ties."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(0.8, 0.1, (n_candidates, 1, 1)) + rng.normal(0, 0.02, (n_candidates, 1, n_metrics))
    scores = quality + rng.normal(0, 0.02, (n_candidates, n_splits, n_metrics))
    return np.round(scores * grid) / grid


@pytest.mark.parametrize("n_metrics", [2, 3, 5])
@pytest.mark.parametrize("seed", range(3))
def test_joint_wins_are_those_of_the_dominance_test(seed, n_metrics):
    scores = several(seed, n_metrics=n_metrics)
    n_effective, alpha = effective_cases(20, 0.1), 0.1
    beaten, share = joint_wins(scores, np.arange(12), n_effective=n_effective, alpha=alpha)
    for i in range(12):
        others = [j for j in range(12) if j != i]
        tests = [dominance_test(dominance_counts(scores[i], scores[j]), n_effective) for j in others]
        won = [bool(test.pvalue < alpha and test.statement == (True,) * n_metrics) for test in tests]
        assert beaten[i] == sum(won)
        better = [(scores[i] > scores[j] + 1e-9).all(axis=1).mean() for j in others]
        worse = [(scores[i] < scores[j] - 1e-9).all(axis=1).mean() for j in others]
        assert share[i] == pytest.approx(np.mean(np.subtract(better, worse)))
    assert 0 < beaten.sum() < 66


@pytest.mark.parametrize("seed", range(5))
def test_the_front_is_that_of_the_means(seed):
    scores = several(seed, n_candidates=20, n_splits=4, grid=10)
    front = pareto_front(scores, n_draws=1, rng=0)
    assert pareto_optimal(scores.mean(axis=1)).tolist() == front.on_front.tolist()


def test_a_candidate_that_is_better_on_all_metrics_everywhere_is_chosen():
    scores = several(0, n_candidates=8)
    scores[5] = scores.max(axis=0) + 0.05
    table = searched({f"m{j}": scores[:, :, j] for j in range(3)})
    found = chosen(best_by_dominance(["m0", "m1", "m2"]), table)
    assert (found.index, found.best_index, found.candidates, found.difference) == (5, 5, (5,), 0.0)
    assert "than 7 of 7 at 0.05" in found.reason


def test_the_one_that_beats_more_others_jointly_is_chosen_among_those_on_the_front():
    # on the front: 0 is best on "a" and worst on "b"; 1 is second on both, and above 2 to 5 on both
    a = [0.9, 0.8, 0.5, 0.5, 0.5, 0.5]
    b = [0.1, 0.8, 0.5, 0.5, 0.5, 0.5]
    noise = np.random.default_rng(0).normal(0, 0.001, (2, 6, 10))
    table = searched({"a": np.array(a)[:, None] + noise[0], "b": np.array(b)[:, None] + noise[1]})
    found = chosen(best_by_dominance(["a", "b"]), table)
    assert (found.index, found.best_index, found.candidates) == (1, 0, (0, 1))
    assert "than 4 of 5" in found.reason


def test_joint_wins_count_before_the_share_of_splits():
    # 1 is above 2 on both metrics on all ten splits; 0 is above 3, 4 and 5 on six, which no test of ten splits shows
    first, second, beaten = [0.3, 0.9], [0.9, 0.3], [0.85, 0.25]
    often = [[0.2, 0.8]] * 6 + [[0.2, 0.95]] * 4
    scores = np.array([[first] * 10, [second] * 10, [beaten] * 10, often, often, often])
    wins, share = joint_wins(scores, np.arange(2), n_effective=10, alpha=0.05)
    assert wins.tolist() == [0, 1]
    assert share == pytest.approx([3 * 0.6 / 5, 1 / 5])
    found = chosen(
        best_by_dominance(["a", "b"], test_fraction=0), searched({"a": scores[:, :, 0], "b": scores[:, :, 1]})
    )
    assert (found.index, found.candidates) == (1, (0, 1))


def test_without_a_joint_win_the_share_of_splits_decides_and_few_splits_say_so():
    # two splits are worth 1.5 cases; both are on the front, and on split 0 the second is better on both
    table = searched({"a": [[0.5, 0.9], [0.6, 0.75]], "b": [[0.5, 0.5], [0.9, 0.5]]})
    found = chosen(best_by_dominance(["a", "b"]), table)
    assert found.candidates == (0, 1)
    assert found.index == 1
    assert any(warning.startswith("CANNOT_REJECT: the splits are worth 1.5 ") for warning in found.warnings)
    assert dominance_test([0.0, effective_cases(2, 0.5)], effective_cases(2, 0.5)).pvalue > 0.05


def test_a_choice_without_any_joint_win_says_so():
    # ten splits, on which the first is better on both, worse on both or neither
    first = np.array([[0.9, 0.9]] * 4 + [[0.1, 0.1]] * 3 + [[0.9, 0.1]] * 3)
    second = np.full((10, 2), 0.5)
    scores = np.array([first, second])
    found = chosen(best_by_dominance(["a", "b"]), searched({"a": scores[:, :, 0], "b": scores[:, :, 1]}))
    assert "None is shown to be better than any other on all metrics at once; size=0 leads" in found.reason
    assert "10.0%" in found.reason
    assert [warning.split(":")[0] for warning in found.warnings] == ["ASSUMED", "UNDECIDED"]
    assert "the most others" not in found.reason


def test_a_choice_with_a_joint_win_has_no_such_warning():
    scores = np.array([[[0.9, 0.9]] * 10, [[0.5, 0.5]] * 10])
    found = chosen(best_by_dominance(["a", "b"]), searched({"a": scores[:, :, 0], "b": scores[:, :, 1]}))
    assert "better on all metrics at once than the other one at 0.05" in found.reason
    assert not any(warning.startswith("UNDECIDED") for warning in found.warnings)


def test_equal_candidates_leave_the_first():
    table = searched({"a": np.full((3, 5), 0.5), "b": np.full((3, 5), 0.5)})
    assert best_by_dominance(["a", "b"])(table) == 0


# ---- inside scikit-learn --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def search(data):
    tree = DecisionTreeClassifier(random_state=0)
    rule = simplest_within("accuracy", complexity="max_depth")
    grid = {"max_depth": DEPTHS[::-1]}
    return GridSearchCV(tree, grid, scoring=["accuracy", "roc_auc"], refit=rule, cv=5).fit(*data)


def test_a_grid_search_refits_the_chosen_candidate(search, data):
    found = search.refit.choice_
    assert isinstance(found, Choice)
    assert search.best_index_ == found.index
    assert search.best_params_ == found.params
    assert search.best_estimator_.get_params()["max_depth"] == found.params["max_depth"]
    assert found.best_index == search.cv_results_["mean_test_accuracy"].argmax()
    assert found.difference == pytest.approx(
        search.cv_results_["mean_test_accuracy"][found.index] - search.cv_results_["mean_test_accuracy"].max()
    )
    depths = [search.cv_results_["params"][i]["max_depth"] for i in found.candidates]
    assert found.params["max_depth"] == min(depths, key=lambda depth: np.inf if depth is None else depth)
    assert search.predict(data[0]).shape == (120,)


def test_the_choice_says_what_why_and_with_what_warning(search):
    found = search.refit.choice_
    assert " ".join(str(found).split()).startswith(f"Use {found.name}. {found.reason}")
    for part in (found.name, found.best_name, "at most 0.01 below the best", "mean accuracy"):
        assert part in found.reason
    assert found.rule == repr(search.refit)
    assert found.warnings[0].startswith("ASSUMED: the 5 splits are taken for 5-fold cross-validation")


def test_a_candidate_has_the_name_that_it_has_in_a_report(search):
    names = {candidate.index: candidate.name for candidate in SearchReport.from_search(search).ranking}
    found = search.refit.choice_
    assert (found.name, found.best_name) == (names[found.index], names[found.best_index])


def test_a_rule_can_be_asked_after_the_search(search):
    later = best_by_dominance(["accuracy", "roc_auc"])
    assert later(search.cv_results_) == later.choice_.index
    assert type(later(search.cv_results_)) is int


def test_a_randomized_search_with_one_metric_takes_a_rule(data):
    rule = simplest_within("accuracy", rule="one_se", complexity="-var_smoothing")
    search = RandomizedSearchCV(
        GaussianNB(), {"var_smoothing": np.logspace(-9, 0, 10)}, n_iter=4, refit=rule, cv=3, random_state=0
    ).fit(*data)
    assert search.best_params_ == rule.choice_.params
    assert rule.choice_.metric == "score"


def test_a_clone_has_the_settings_and_no_choice(search):
    rule = clone(search).refit
    assert rule == search.refit
    assert rule is not search.refit
    assert not hasattr(rule, "choice_")
    assert search.get_params()["refit"] is search.refit


@pytest.mark.parametrize(
    "copied", [copy.deepcopy, lambda rule: pickle.loads(pickle.dumps(rule))], ids=["copy", "pickle"]
)
def test_a_copy_keeps_the_choice(search, copied):
    again = copied(search.refit)
    assert again == search.refit
    assert again.choice_ == search.refit.choice_


def test_a_search_inside_a_cross_validation_in_worker_processes(search, data):
    outer = cross_validate(clone(search), *data, cv=2, scoring="accuracy", n_jobs=2, return_estimator=True)
    choices = [fitted.refit.choice_ for fitted in outer["estimator"]]
    assert [fitted.best_index_ for fitted in outer["estimator"]] == [found.index for found in choices]
    assert not hasattr(clone(search).refit, "choice_")


@pytest.mark.parametrize(
    "rule",
    [
        simplest_within(),
        simplest_within("f1", complexity=["a", "-b"], rule="rope", alpha=0.1, margin=0.02, test_fraction=0.2),
        best_by_dominance(["a", "b"], alpha=0.01),
    ],
)
def test_the_repr_is_the_call(rule):
    assert eval(repr(rule)) == rule
    assert hash(eval(repr(rule))) == hash(rule)
    assert rule != simplest_within(alpha=0.5)
    assert "\n" not in repr(rule)
