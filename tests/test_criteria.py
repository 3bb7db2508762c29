"""Criteria beyond error in every view: complexities in their units, and numbers that the user gave for each model."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris, make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcompare import Outcome, PairedEvaluator, StopRule, from_predictions, load, verify

X, Y = make_classification(200, 6, n_informative=4, random_state=0)
MODELS = {"nb": GaussianNB(), "stump": DecisionTreeClassifier(max_depth=1), "lr": LogisticRegression()}
GIVEN = {"nb": 2, "stump": 1, "lr": 1}


def evaluate(scoring, models=MODELS, cv=5, **options):
    return PairedEvaluator(cv, scoring, random_state=0, **options).evaluate(models, X, Y)


def of_given(**options):
    return evaluate({"interpretability": GIVEN, "accuracy": "accuracy", "complexity": "complexity"}, **options)


def codes(warnings):
    return [one.code for one in warnings]


@pytest.fixture(scope="module")
def judged():
    return of_given()


# ---- complexity -----------------------------------------------------------------------------------------------


def test_equal_complexities_are_no_difference():
    models = {"gini": MODELS["stump"], "entropy": DecisionTreeClassifier(criterion="entropy", max_depth=1)}
    result = evaluate(["accuracy", "complexity"], models)
    record = result.test(metric="complexity")
    assert record.pvalue == 1
    assert "NO_DIFFERENCE" in codes(record.warnings)
    assert result.compare(metrics="complexity")[0].winner is None
    assert result.pareto_front(metrics=["complexity"]).front() == ("gini", "entropy")


def test_a_difference_that_does_not_vary_is_said_to_be_so(judged):
    record = judged.test(metric="complexity", a="nb", b="lr")  # 2 * 2 * 6 + 2 estimates, 6 coefficients
    assert record.estimate == -(26 - 6)
    assert np.isnan([record.pvalue, record.confidence_interval().low, record.confidence_interval().high]).all()
    assert sorted(codes(record.warnings)) == ["DIFFERENT_UNITS", "ZERO_VARIANCE"]


def test_different_units_are_said_where_they_differ_and_only_there(judged):
    (record,) = [row.record for row in judged.compare(metrics="complexity") if {row.a, row.b} == {"nb", "stump"}]
    (warning,) = [one for one in record.warnings if one.code == "DIFFERENT_UNITS"]
    assert warning.sentence == "complexity is not in one unit: estimates of nb, leaves of stump."
    for view in (judged.dominance(metrics=["accuracy", "complexity"]), judged.pareto_front()):
        assert "DIFFERENT_UNITS" in codes(view.warnings)
    trees = {"stump": MODELS["stump"], "forest": RandomForestClassifier(3, random_state=0)}
    same = evaluate(["complexity", "accuracy"], trees)
    for view in (same.test(metric="complexity"), same.dominance(), same.pareto_front()):
        assert "DIFFERENT_UNITS" not in codes(view.warnings)
    assert "DIFFERENT_UNITS" not in codes(judged.test(metric="accuracy").warnings)


def test_different_units_stand_beside_the_answer_and_in_the_methods():
    models = {name: MODELS[name] for name in ("nb", "lr")}
    result = evaluate("complexity", models, "2x5")
    assert result.compare()[0].outcome is Outcome.NOT_COMPARABLE  # 26 estimates are not more than 6 coefficients
    assert result.summary().startswith("complexity of lr is 20 lower than that of nb")
    assert "It assumes" not in result.summary("full")  # there was no test
    warnings = " ".join(result.explain().named("warnings").texts)
    assert "DIFFERENT_UNITS: complexity is not in one unit" in warnings
    assert result.methods_text().count("omplexity is not in one unit: estimates of nb, coefficients of lr.") == 1
    alike = evaluate("complexity", dict.fromkeys(("nb", "again"), MODELS["nb"]), "2x5")
    assert "one unit" not in alike.summary() + alike.methods_text()
    trees = {"deep": DecisionTreeClassifier(random_state=0), "stump": MODELS["stump"]}
    answer = evaluate("complexity", trees).answer()
    assert (answer.recommends, answer.metrics[0].leader) == (True, "stump")


@pytest.mark.parametrize(
    ("other", "words"),
    [("nb", "complexity of stump is 24 lower than that of nb on all splits, so"), ("deep", "Use stump")],
)
def test_no_curve_recommends_a_model_for_another_unit(other, words):
    models = {"stump": MODELS["stump"], other: {**MODELS, "deep": DecisionTreeClassifier(random_state=0)}[other]}
    curve = PairedEvaluator("2x5", "complexity", random_state=0).learning_curve(models, X, Y, train_sizes=[0.5, 1.0])
    for text in (curve.summary(), curve.to_markdown().removeprefix("**"), str(curve)):
        assert " ".join(text.split()).startswith(words)


def test_a_number_that_is_too_large_is_refused_in_few_words():
    with pytest.raises(ValueError, match=r"scoring\['rank'\]\['nb'\] must be a number") as refused:
        evaluate({"rank": {**GIVEN, "nb": 10**400}})
    assert len(str(refused.value)) < 200


class FailsWith(GaussianNB):
    """Fails where a sample is in the training set: on all splits but one."""

    def __init__(self, sample=None):
        super().__init__()
        self.sample = sample

    def fit(self, X, y):
        if (self.sample == X).all(axis=1).any():
            raise ValueError("not with this sample")
        return super().fit(X, y)


@pytest.mark.filterwarnings("ignore:4 of 20 fits failed")
def test_why_no_model_is_named_is_that_the_numbers_were_given(rng):
    models = {**MODELS, "fails": FailsWith(X[rng.integers(len(X))])}
    scoring = {"accuracy": "accuracy", "ease": {**GIVEN, "fails": 3}}
    for own in (MODELS, models):
        given = {**scoring, "ease": {name: scoring["ease"][name] for name in own}}
        told = " ".join(evaluate(given, own, error_score=np.nan).summary(primary="ease").split())
        assert told.startswith("No model can be named on ease: it was given for each model, not measured.")


def test_a_number_that_was_given_is_no_time():
    """Differences of measured times within a tenth are ties; those of a rank are not, whatever it is called."""
    numbers = {**GIVEN, "nb": 20, "stump": 19}
    time, rank = (evaluate({"accuracy": "accuracy", name: numbers}, cv="2x5") for name in ("fit_time", "rank"))
    found = time.dominance(a="nb", b="stump")
    assert "TIMES" not in codes(found.warnings)
    assert found.counts.tolist() == rank.dominance(a="nb", b="stump").counts.tolist()
    assert time.pareto_front().front() == rank.pareto_front().front()


def test_units_of_many_models_and_of_several_data_sets():
    depths = {f"tree{i}": DecisionTreeClassifier(max_depth=i) for i in range(1, 5)}
    many = evaluate(["accuracy", "complexity"], {**depths, "nb": GaussianNB()}, cv="2x3")
    told = {(row.a, row.b): "DIFFERENT_UNITS" in codes(row.warnings) for row in many.compare(metrics="complexity")}
    assert told == {pair: "nb" in pair for pair in told}
    assert any("DIFFERENT_UNITS" in codes(row.warnings) for row in many.dominance("table"))
    study = PairedEvaluator(3, ["complexity", "accuracy"], random_state=0).evaluate_datasets(
        MODELS, {"made": (X, Y), "iris": load_iris(return_X_y=True), "again": (X[::-1], Y[::-1])}
    )
    assert "DIFFERENT_UNITS" in codes(study.test("signed_rank", metric="complexity").warnings)
    assert "DIFFERENT_UNITS" not in codes(study.test("signed_rank", metric="accuracy").warnings)


def test_a_complexity_by_another_name_keeps_its_units(tmp_path):
    result = evaluate({"accuracy": "accuracy", "parts": "complexity"})
    assert result.greater_is_better == (True, False)
    result.save(tmp_path / "result.skc")
    assert "DIFFERENT_UNITS" in codes(load(tmp_path / "result.skc").test(metric="parts").warnings)
    assert {row.metric for row in result.by(np.arange(len(Y)) % 2).rows} == {"accuracy"}  # others are of whole fits


def test_the_baseline_has_a_complexity():
    result = evaluate(["accuracy", "complexity"], {"lr": MODELS["lr"], "nb": MODELS["nb"]}, baseline="dummy")
    assert result.score("dummy", "complexity").tolist() == [2.0] * 5


# ---- numbers that were given ----------------------------------------------------------------------------------


def test_less_is_better_and_every_split_has_the_number(judged):
    assert judged.greater_is_better == (False, True, False)
    assert judged.scores[:, :, 0].tolist() == [[2.0] * 5, [1.0] * 5, [1.0] * 5]


def test_no_view_tests_what_was_given(judged):
    rows = judged.compare(metrics="interpretability")
    assert {(row.outcome.value, row.winner) for row in rows} == {("not comparable", None)}
    assert all(np.isnan([row.pvalue, row.estimate, row.low]).all() and row.wins == row.losses == 0 for row in rows)
    assert all(codes(row.warnings) == ["JUDGED"] for row in rows)
    tested = [row for row in judged.compare() if row.outcome.tested]  # neither given nor the same on all splits
    assert judged.compare().n_hypotheses == len(tested) < 2 * 3
    assert {row.metric for row in judged.compare()} - {row.metric for row in tested} >= {"interpretability"}
    for procedure in ("auto", "permutation_test", "equivalence_test", "correlated_t_posterior"):
        options = {"margin": 0.1} if procedure == "equivalence_test" else {}
        with pytest.raises(ValueError, match="metric must be measured"):
            judged.test(procedure, metric="interpretability", **options)
    with pytest.raises(ValueError, match="metrics must be measured"):
        judged.dominance(metrics=["interpretability"])
    assert all(np.isnan([row.low, row.high]).all() for row in judged.intervals("interpretability").rows)
    with pytest.raises(ValueError, match="metric must be measured"):
        judged.plot("posterior", metric="interpretability")


@pytest.mark.parametrize("procedure", ["max_t", "hotelling", "intersection_union"])
def test_tests_of_several_metrics_leave_out_what_was_given(procedure):
    """Two equal models: of ranks that were made up nothing is significant."""
    models = {"a": MODELS["stump"], "b": MODELS["stump"]}
    scoring = {"accuracy": "accuracy", "rank": {"a": 1, "b": 2}, "f1": "f1"}
    result = evaluate(scoring, models, "2x5")
    record = result.test(procedure)
    assert "rank" not in str(record)
    assert str(record) == str(evaluate(["accuracy", "f1"], models, "2x5").test(procedure))
    for metric in (["accuracy", "rank"], "rank"):
        with pytest.raises(ValueError, match="metric must be measured for a test; 'rank' was given"):
            result.test(procedure, metric=metric)
    with pytest.raises(ValueError, match="metric must be measured for a test; 'rank' was given"):
        evaluate({"rank": {"a": 1, "b": 2}}, models, "2x5").test(procedure)


def test_what_was_measured_is_spoken_of_first(judged):
    assert str(judged.test()).startswith(str(judged.test(metric="accuracy")))
    assert "accuracy" in str(judged.answer()).partition("\n\n")[0]
    assert any(text.startswith("JUDGED") for text in judged.explain().named("warnings").texts)
    assert "interpretability was given for each model, not measured" in judged.methods_text()
    assert {row.metric for row in judged.by(np.arange(len(Y)) % 2).rows} == {"accuracy"}


def test_dominance_and_the_front_take_what_was_given(judged):
    record = judged.dominance(metrics=["interpretability", "accuracy"], a="nb", b="lr")
    assert record.statement[0] is False
    assert "JUDGED" in codes(record.warnings)
    tied = judged.dominance(metrics=["interpretability", "accuracy"], a="stump", b="lr")
    assert tied.statement is None
    assert "NO_DIFFERENCE" in codes(tied.warnings)
    front = judged.pareto_front(metrics=["interpretability", "accuracy"])
    assert front.front() == ("lr",)  # as easy to read as the stump, and better
    assert judged.pareto_front(metrics=["interpretability"]).front() == ("stump", "lr")


def test_the_number_of_a_rank_turns_the_front():
    turned = {"interpretability": {"nb": -2, "stump": -1, "lr": -1}}
    assert evaluate({"accuracy": "accuracy", **turned}).pareto_front(metrics=["interpretability"]).front() == ("nb",)


def test_every_report_and_the_file_have_it(judged, tmp_path):
    for text in (judged.to_html(), judged.to_markdown(), judged.to_latex(), judged.to_json(), judged.summary("full")):
        assert "interpretability" in str(text)
    judged.save(tmp_path / "result.skc")
    loaded = load(tmp_path / "result.skc")
    assert str(loaded) == str(judged)
    assert loaded.to_json() == judged.to_json()
    with pytest.raises(ValueError, match="metric must be measured"):
        loaded.test(metric="interpretability")
    assert any("interpretability" in reason for reason in verify(loaded, X, Y).reasons)


def test_memory_is_left_out_where_a_result_is_made_again():
    found = verify(evaluate(["accuracy", "complexity", "peak_memory"], {"nb": GaussianNB(), "lr": MODELS["lr"]}), X, Y)
    assert found.outcome == "identical"
    assert "peak_memory, memory" in found.left_out


def test_seeds_stops_and_sizes():
    models = {**MODELS, "stump": DecisionTreeClassifier(max_depth=1, splitter="random")}
    seeded = evaluate({"accuracy": "accuracy", "interpretability": GIVEN}, models, n_seeds=2)
    assert seeded.score("nb", "interpretability").tolist() == [2.0] * 5
    with pytest.raises(ValueError, match="metric of stop must be measured"):
        of_given(cv="10x5", stop=StopRule())
    stopped = of_given(cv="10x5", stop=StopRule(metric="accuracy"))
    assert {row.metric for row in stopped.compare() if row.outcome.tested} == {"accuracy"}
    assert stopped.summary().splitlines()[0].startswith("Use lr: ")
    curve = PairedEvaluator(3, {"accuracy": "accuracy", "interpretability": GIVEN}, random_state=0).learning_curve(
        MODELS, X, Y, train_sizes=[0.5, 1.0]
    )
    assert "accuracy" in str(curve)


def test_a_metric_that_was_given_is_said_to_be_so_once_for_all_data_sets():
    study = PairedEvaluator(3, {"interpretability": GIVEN, "accuracy": "accuracy"}, random_state=0).evaluate_datasets(
        MODELS, {"made": (X, Y), "iris": load_iris(return_X_y=True)}
    )
    for view in (study.dominance(a="nb", b="lr"), study.pareto_front(), study.dominance("table")[0]):
        assert codes(view.warnings).count("JUDGED") == 1


def test_several_data_sets_are_not_ranked_by_what_was_given():
    evaluator = PairedEvaluator(3, {"interpretability": GIVEN, "accuracy": "accuracy"}, random_state=0)
    study = evaluator.evaluate_datasets(MODELS, {"made": (X, Y), "iris": load_iris(return_X_y=True)})
    assert study.rank().metric == "accuracy"
    for ask in (study.rank, lambda metric: study.test("friedman_test", metric=metric)):
        with pytest.raises(ValueError, match="metric must be measured"):
            ask("interpretability")
    rows = study.compare(metrics="interpretability")
    assert [(row.mean_a, row.mean_b) for row in rows] == [(2, 1), (2, 1), (1, 1)]
    assert all(codes(row.warnings) == ["JUDGED"] for row in rows)
    assert "interpretability" in study.to_html()
    assert study.pareto_front(metrics=["interpretability"]).front() == ("stump", "lr")


def test_predictions_take_given_numbers_too():
    y_true = [0, 1] * 30
    predictions = {"a": [0, 1, 1, 1] * 15, "b": y_true}
    result = from_predictions(y_true, predictions, scoring={"cost": {"a": 1, "b": 9}, "accuracy": "accuracy"})
    assert [row.winner for row in result.compare()] == [None, "b"]
    assert "accuracy" in str(result.answer()).partition("\n\n")[0]
