"""Costs by true and predicted class: the metric, the tests of it, and where few samples carry the cost."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.metrics import accuracy_score, confusion_matrix, make_scorer
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcompare import PairedEvaluator, StopRule, cost_scorer, from_outcomes, from_predictions, load
from skcompare.inference import cluster_t_test, paired_t_test
from skcompare.scores.rare_classes import costs_of_samples, few_decide

# Duda, Hart and Stork (2001), section 2.2: the risk of an action is the sum of its losses over the classes.
COSTS = {("a", "b"): 1, ("a", "c"): 5, ("b", "a"): 2, ("b", "c"): 1, ("c", "a"): 10, ("c", "b"): 1}
MATRIX = [[0, 1, 5], [2, 0, 1], [10, 1, 0]]


def drawn(rng, n=300, right=0.6):
    y = rng.choice(["a", "b", "c"], n)
    return y, {name: np.where(rng.random(n) < right, y, rng.choice(["a", "b", "c"], n)) for name in ("one", "two")}


def codes(record):
    return {warning.code for warning in record.warnings}


def test_the_mean_cost_is_the_confusion_matrix_times_the_costs(rng):
    y, models = drawn(rng)
    result = from_predictions(y, models, scoring={"neg_cost": cost_scorer(COSTS)})
    for name, predicted in models.items():
        by_counts = (confusion_matrix(y, predicted) * MATRIX).sum() / len(y)
        assert result.score(name, "neg_cost")[0] == pytest.approx(-by_counts)
        row = next(row for row in result.expected_cost(COSTS) if row.estimator == name)
        assert row.cost == pytest.approx(by_counts)
        assert row.low < row.cost < row.high
    found = result.expected_cost(MATRIX)  # in the order of the classes
    assert found.costs.tolist() == MATRIX
    assert found.classes == ("a", "b", "c")


def test_warnings_that_are_not_printed_are_where_the_table_says(rng):
    """A table of results has none of its own: those of its rows are printed, the first ones."""
    y, models = np.repeat(["a", "b"], [20, 180]), {}
    for name in "uvwxyz":  # two rare and costly errors each
        models[name] = y.copy()
        models[name][rng.choice(20, 2, replace=False)] = "b"
        models[name][20 + rng.choice(180, 5, replace=False)] = "a"
    found = from_predictions(y, models, scoring="accuracy").expected_cost({("a", "b"): 100, ("b", "a"): 1})
    every = {warning for row in (*found, *found.comparison) for warning in row.warnings}
    assert not hasattr(found, "warnings")
    assert f"{len(every) - 4} more in the .warnings of its rows" in str(found)


def test_equal_costs_are_the_error_rate(rng):
    y, models = drawn(rng)
    found = from_predictions(y, models, scoring="accuracy").expected_cost(1 - np.eye(3))
    assert [row.cost for row in found] == pytest.approx([1 - accuracy_score(y, models[name]) for name in models])
    assert found.comparison[0].estimate == pytest.approx(found[1].cost - found[0].cost)  # positive favours the first


def test_an_array_needs_its_classes_and_their_order_is_that_of_its_rows(rng):
    y, models = drawn(rng)
    turned = np.array(MATRIX)[::-1, ::-1]
    scorers = {"x": cost_scorer(MATRIX, classes=["a", "b", "c"]), "y": cost_scorer(turned, classes=["c", "b", "a"])}
    result = from_predictions(y, models, scoring=scorers)
    assert result.score("one", "x") == pytest.approx(result.score("one", "y"))
    assert result.score("one", "x") != pytest.approx(
        from_predictions(y, models, scoring={"x": cost_scorer(turned, classes=["a", "b", "c"])}).score("one", "x")
    )


def test_the_tests_are_those_of_a_mean_over_samples_and_clusters(rng):
    y, models = drawn(rng)
    place = {"a": 0, "b": 1, "c": 2}
    costs = [[MATRIX[place[i]][place[j]] for i, j in zip(y, predicted, strict=True)] for predicted in models.values()]
    scoring = {"neg_cost": cost_scorer(COSTS)}
    by_hand = paired_t_test(np.negative(costs[0]), np.negative(costs[1]))
    found = from_predictions(y, models, scoring=scoring).test()
    assert (found.pvalue, found.estimate) == pytest.approx((by_hand.pvalue, by_hand.estimate))
    groups = np.arange(len(y)) // 5
    clustered = cluster_t_test(np.negative(costs[0]), np.negative(costs[1]), clusters=groups)
    in_groups = from_predictions(y, models, scoring=scoring, clusters=groups)
    assert in_groups.test().pvalue == pytest.approx(clustered.pvalue)
    assert in_groups.expected_cost(COSTS).comparison[0].pvalue == pytest.approx(clustered.pvalue)


@pytest.mark.parametrize("procedure", ["paired_bootstrap", "paired_metric_test"])
def test_exchanges_and_bootstrap_take_it_as_a_function_of_labels(rng, procedure):
    y, models = drawn(rng, 60)
    result = from_predictions(y, models, scoring={"neg_cost": cost_scorer(COSTS)})
    found = result.test(procedure, n_resamples=99, rng=0)
    assert found.estimate == pytest.approx(result.difference("neg_cost")[0])


def test_costs_asked_for_later_are_those_of_the_scorer_on_folds_too():
    X, y = load_wine(return_X_y=True)
    models = {
        "nb": GaussianNB(),
        "tree": DecisionTreeClassifier(max_depth=2),
        "stump": DecisionTreeClassifier(max_depth=1),
    }
    scorer = cost_scorer(MATRIX, classes=[0, 1, 2])
    result = PairedEvaluator(cv=5, scoring={"accuracy": "accuracy", "neg_cost": scorer}, random_state=0).evaluate(
        models, X, y
    )
    found = result.expected_cost(MATRIX, baseline="nb")
    assert [row.cost for row in found] == pytest.approx(-result.scores[:, :, 1].mean(axis=1))
    of_scorer = result.compare(metrics="neg_cost", baseline="nb")
    assert [row.pvalue for row in found.comparison] == pytest.approx([row.pvalue for row in of_scorer])
    assert [(row.a, row.b, row.winner) for row in found.comparison if row.winner] == [("tree", "nb", "nb")]
    assert found._sentence().endswith("significantly less than tree.")
    assert {"estimator", "cost", "low", "high", "method"} == set(found.to_frame().columns)
    assert "neg_cost" in result.dominance().metrics


def test_a_saved_result_has_its_costs(rng, tmp_path):
    y, models = drawn(rng)
    result = from_predictions(y, models, scoring={"neg_cost": cost_scorer(COSTS)})
    result.save(tmp_path / "one.skc")
    again = load(tmp_path / "one.skc")
    assert again.test().pvalue == result.test().pvalue
    assert again.intervals("neg_cost")[0].low == result.intervals("neg_cost")[0].low


def test_of_a_file_no_costs_are_taken_that_the_scorer_refuses(rng):
    function = from_predictions(*drawn(rng), scoring={"neg_cost": cost_scorer(COSTS)})._scores.metric_functions[
        "neg_cost"
    ]
    parts = function.to_parts()
    assert type(function).from_parts(**parts).equals(function)
    for wrong in ({"sign": 1}, {"options": {"cost": [[0]]}}, {"response": ["predict_proba"]}):
        with pytest.raises(ValueError, match="function must be a metric of scikit-learn"):
            type(function).from_parts(**{**parts, **wrong})
    with pytest.raises(ValueError, match="cost must"):
        type(function).from_parts(**{**parts, "options": {"cost": [[0]], "classes": ["a", "b"]}})


def skewed(rng, dear, n=400, n_missed=2):
    """One model makes cheap errors, the other misses samples of a rare class, which costs `dear` times as much."""
    y = np.where(np.arange(n) < 2 * n_missed, "rare", "common")
    cheap = np.where((y == "common") & (rng.random(n) < 0.2), "rare", y)
    missed = np.where(np.arange(n) < n_missed, "common", y)
    costs = {("common", "rare"): 1, ("rare", "common"): dear}
    return from_predictions(y, {"cheap": cheap, "missed": missed}, scoring={"neg_cost": cost_scorer(costs)})


def test_few_dear_errors_warn_in_every_view(rng):
    result = skewed(rng, 50)
    assert "WEAK_METRIC" in codes(result.test())
    assert "WEAK_METRIC" in codes(result.test("paired_bootstrap", n_resamples=99))
    assert all("WEAK_METRIC" in codes(row) for row in result.intervals("neg_cost"))
    assert "WEAK_METRIC" in codes(result.compare()[0])
    assert "WEAK_METRIC" in str(result.summary("full"))


def test_what_few_samples_decide_stands_beside_the_claim_and_in_the_methods():
    """One model makes cheap errors, the other one two dear ones."""
    y = np.repeat([0, 1], [996, 4])
    cheap, dear = np.where(np.arange(1000) < 80, 1, y), np.where(np.arange(1000) > 997, 0, y)
    result = from_predictions(y, {"a": cheap, "b": dear}, scoring={"neg_cost": cost_scorer({(0, 1): 1, (1, 0): 50})})
    assert "Caution: 3 samples carry" in result.summary()
    assert " ".join(result.methods_text().split()).count("of the variance of the difference in neg_cost") == 1
    alike = from_predictions(y, {"a": cheap, "b": cheap}, scoring={"neg_cost": cost_scorer({(0, 1): 1, (1, 0): 50})})
    assert "samples carry" not in alike.summary()


def test_many_pairs_that_few_samples_decide_are_one_line():
    y = np.repeat([0, 1], [900, 100])
    missed = {f"m{i}": np.where(np.arange(1000) == 999 - i, 0, y) for i in range(10)}
    result = from_predictions(y, missed, scoring={"neg_cost": cost_scorer({(0, 1): 1, (1, 0): 50})})
    assert sum("WEAK_METRIC" in codes(row) for row in result.compare()) == 45
    assert " ".join(result.summary().split()).count("3 samples carry") == 1
    for said in (result.explain().named("warnings").texts, [result.methods_text().split("@article")[0]]):
        assert "\n".join(said).count("3 samples carry") == 1
        assert "and 44 more pairs). Look at them" in "\n".join(said)


def test_the_pairs_that_few_samples_decide_are_counted_also_where_predictions_lack(rng):
    y, models = drawn(rng, n=2000)
    last = "a" if models["one"][-1] != "a" else "b"
    models |= {"same": models["one"], "near": np.append(models["one"][:-1], last), "gone": y}
    result = from_predictions(y, models, scoring={"neg_cost": cost_scorer(COSTS)})
    costs = costs_of_samples(result._scores)["neg_cost"].copy()
    costs[:, :-1][rng.random((len(costs), costs.shape[1] - 1)) < 0.3] = np.nan
    costs[-1] = np.nan
    told = {
        pair: [warning.sentence for warning in few_decide(result._scores, {"neg_cost": costs}, "neg_cost", pair)]
        for pair in combinations(result.estimators, 2)
    }
    assert {pair for pair, said in told.items() if said} == {("one", "near"), ("same", "near")}
    (warning,) = few_decide(result._scores, {"neg_cost": costs}, "neg_cost", result.estimators)
    assert warning.about == ("one", "same", "near", "neg_cost")
    assert [warning.sentence.replace(", and 1 more pair", "")] in told.values()
    assert not [*few_decide(result._scores, {"neg_cost": costs}, "neg_cost", ("two", "gone"))]


def test_dear_errors_that_nobody_made_warn_too(rng):
    y, models = drawn(rng)
    costs = {**COSTS, **{(one, "never seen"): 1 for one in "abc"}, **{("never seen", one): 1000 for one in "abc"}}
    assert "WEAK_METRIC" in codes(from_predictions(y, models, scoring={"neg_cost": cost_scorer(costs)}).test())


@pytest.mark.parametrize(("n_errors", "warned"), [(0, False), (2, True), (5, True), (12, False), (30, False)])
def test_the_costs_of_few_samples_are_judged_as_squared_errors_are(n_errors, warned, rng):
    """Of 60 samples 5 equal errors of one model are skewed by 3.0, 12 by 1.5: 25 times its square is 227 and 56."""
    right = np.array(["a", "b"] * 30)
    wrong = np.where(np.arange(60) < n_errors, np.where(right == "a", "b", "a"), right)
    equal = cost_scorer({("a", "b"): 2, ("b", "a"): 2})
    result = from_predictions(right, {"x": wrong, "y": right}, scoring={"c": equal})
    assert ("WEAK_METRIC" in codes(result.test())) is warned
    numbers = from_predictions(
        (right == "a") * 1.0, {"x": (wrong == "a") * 1.0, "y": (right == "a") * 1.0}, scoring="r2"
    )
    assert ("WEAK_METRIC" in codes(numbers.test())) is warned
    y, models = drawn(rng, 1000)
    assert "WEAK_METRIC" not in codes(from_predictions(y, models, scoring={"neg_cost": cost_scorer(COSTS)}).test())


def test_more_pairs_than_are_tested_together_warn_alike():
    X, y = load_wine(return_X_y=True)
    models = {f"tree {i}": DecisionTreeClassifier(max_depth=i, random_state=0) for i in range(1, 6)}
    scoring = {"neg_cost": cost_scorer(MATRIX, classes=[0, 1, 2])}
    result = PairedEvaluator(cv=3, scoring=scoring, random_state=0).evaluate(models, X, y)
    table = result.compare()
    alone = result.test(a=table[9].a, b=table[9].b)
    assert codes(table[9]) == codes(alone)
    assert table[9].pvalue == alone.pvalue


@pytest.mark.parametrize(
    ("cost", "classes", "said"),
    [
        ({("a", "b"): 1}, None, "cost must have every pair of different classes; it lacks \\('b', 'a'\\)"),
        ({"a": 1}, None, "cost must map pairs"),
        ({("a", "b"): 1, ("b", "a"): np.nan}, None, "cost must"),
        ({("a", "b"): 1, ("b", "a"): 1}, ["a", "b"], "classes must be left out"),
        ([[0, 1], [1, 0]], None, "classes must name the rows"),
        ([[0, 1], [1, 0]], ["a", "a"], "classes must name two or more numbers, or strings"),
        ([[0, 1], [1, 0]], [0.0, np.nan], "classes must name two or more numbers"),
        ([[0, 1, 2], [1, 0, 2]], ["a", "b"], "cost must have a row and a column per class"),
    ],
)
def test_costs_that_do_not_fit_are_refused(cost, classes, said):
    with pytest.raises(ValueError, match=said):
        cost_scorer(cost, classes=classes)


def test_what_has_no_costs_is_refused_by_name(rng):
    y, models = drawn(rng)
    with pytest.raises(ValueError, match="cost must name every class; y_true has 'c'"):
        from_predictions(y, models, scoring="accuracy").expected_cost({("a", "b"): 1, ("b", "a"): 1})
    with pytest.raises(ValueError, match=r"expected_cost\(\) needs predicted classes"):
        from_predictions([0.1, 0.2, 0.5], {"x": [0.1, 0.2, 0.4], "y": [0.3, 0.2, 0.4]}).expected_cost(COSTS)
    with pytest.raises(ValueError, match="made from outcomes"):
        from_outcomes({"x": [1, 0, 1], "y": [1, 1, 0]}).expected_cost(COSTS)
    weighted = from_predictions(y, models, scoring="accuracy", sample_weight=np.arange(1, 301))
    with pytest.raises(ValueError, match="give cost_scorer in scoring"):
        weighted.expected_cost(COSTS)


def test_a_model_may_decline_at_a_cost_of_its_own(rng):
    y, models = drawn(rng)
    models["two"] = np.where(rng.random(300) < 0.5, "reject", models["two"])
    declined = {(one, "reject"): 0.25 for one in "abc"} | {("reject", one): 0 for one in "abc"}
    result = from_predictions(y, models, scoring="accuracy", classes=["a", "b", "c", "reject"])
    of_two = result.expected_cost(COSTS | declined)[1].cost
    by_hand = [(COSTS | declined).get(pair, 0) for pair in zip(y, models["two"], strict=True)]
    assert of_two == pytest.approx(np.mean(by_hand))
    with pytest.raises(ValueError, match="y_pred has 'reject'"):
        result.expected_cost(COSTS)


def test_weights_of_samples_are_those_of_the_mean(rng):
    y, models = drawn(rng)
    weights = rng.random(len(y)) + 0.5
    result = from_predictions(y, models, scoring={"neg_cost": cost_scorer(COSTS)}, sample_weight=weights)
    place = {"a": 0, "b": 1, "c": 2}
    costs = [MATRIX[place[i]][place[j]] for i, j in zip(y, models["one"], strict=True)]
    assert result.score("one", "neg_cost")[0] == pytest.approx(-np.average(costs, weights=weights))
    assert result.test().pvalue <= 1


def test_a_run_that_was_looked_at_has_no_costs_afterwards():
    rule = StopRule(max_repeats=5, metric="accuracy", min_repeats=4)
    X, y = load_wine(return_X_y=True)
    models = {"nb": GaussianNB(), "stump": DecisionTreeClassifier(max_depth=1)}
    result = PairedEvaluator(cv=3, scoring=["accuracy"], random_state=0, stop=rule).evaluate(models, X, y)
    with pytest.raises(ValueError, match="none allows for the looks"):
        result.expected_cost(MATRIX)


@pytest.mark.parametrize("taken", ["accuracy", "f1_macro", {"one": 1, "two": 2}, accuracy_score])
def test_a_metric_of_the_same_name_is_not_taken_for_the_costs(rng, taken):
    y, models = drawn(rng)
    scoring = {"neg_cost": make_scorer(taken) if callable(taken) else taken, "accuracy": "accuracy"}
    found = from_predictions(y, models, scoring=scoring).expected_cost(COSTS)
    plain = from_predictions(y, models, scoring="accuracy").expected_cost(COSTS)
    assert all(row.low < row.cost < row.high for row in found)
    assert [(row.low, row.method) for row in found] == [(row.low, row.method) for row in plain]
    assert [row.procedure for row in found.comparison] == ["paired_t_test"]
    assert found.comparison[0].pvalue == plain.comparison[0].pvalue
    assert str(found) == str(plain)


def test_equal_costs_are_said_to_be_equal(rng):
    y, models = drawn(rng)
    found = from_predictions(y, {"one": models["one"], "again": models["one"]}, scoring="accuracy").expected_cost(COSTS)
    assert found._sentence().startswith("All models have the same mean cost per sample, ")
    other = from_predictions(y, {"one": models["one"], "right": y}, scoring="accuracy").expected_cost(COSTS)
    assert "right has the least mean cost per sample" in other._sentence()


def test_a_model_without_a_cost_is_no_model_without_a_difference(rng):
    y, models = drawn(rng)
    found = from_predictions(y, {"right": y, **models}, scoring="accuracy").expected_cost(COSTS)
    assert found._sentence().startswith("right has the least mean cost per sample, 0.000")
    assert found._sentence().endswith("significantly less than all others.")
    (own,) = [one for one in found[0].warnings if one.code != "WEAK_METRIC"]
    assert own.code == "ZERO_VARIANCE"
    assert "'right' does not vary" in own.sentence
    assert "NO_DIFFERENCE" not in str(found)


@pytest.mark.parametrize("unit", [1e-7, 1e-200, 1e200])
def test_the_unit_of_the_costs_is_irrelevant(rng, unit):
    y, models = drawn(rng, n=60)
    models["one"] = np.where(np.arange(60) < rng.integers(1, 4), np.where(y == "a", "c", "a"), y)  # few errors decide
    models["two"] = np.append(models["one"][:-1], "a" if models["one"][-1] != "a" else "b")
    result = from_predictions(y, models, scoring="accuracy")
    found, other = (result.expected_cost({pair: cost * size for pair, cost in COSTS.items()}) for size in (1, unit))
    assert codes(other[0]) == codes(found[0])
    assert "WEAK_METRIC" in codes(found[0])
    assert codes(other.comparison[0].record) == codes(found.comparison[0].record)
    assert other.comparison[0].pvalue == pytest.approx(found.comparison[0].pvalue)
    assert ("All models" in str(other)) == ("All models" in str(found))


def test_the_warning_says_how_many_samples_decide(rng):
    (warning,) = [one for one in skewed(rng, 50).test().warnings if one.code == "WEAK_METRIC"]
    assert "3 samples carry" in warning.sentence
    assert "collect more" in warning.sentence
