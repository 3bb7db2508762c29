"""Procedures on the kept predictions of a result."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_iris, make_classification, make_regression
from sklearn.exceptions import FitFailedWarning, UndefinedMetricWarning
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.metrics import balanced_accuracy_score, f1_score, matthews_corrcoef, recall_score, roc_auc_score
from sklearn.model_selection import LeaveOneOut, ShuffleSplit, TimeSeriesSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skcompare as skc
from skcompare import PairedEvaluator, inference
from skcompare.evaluation.chunks import FoldOutcome
from skcompare.evaluation.predictions import KeptPredictions
from skcompare.inference._procedures import DEFAULTS, PROCEDURES

X, Y = make_classification(n_samples=120, n_features=5, flip_y=0.2, random_state=0)
MODELS = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2), "logistic": LogisticRegression()}
ON_PREDICTIONS = [row.name for row in PROCEDURES if row.takes.kind == "predictions"]
NEEDED = {"error_rate_test": {"threshold": 0.2}, "fold_error_rate_test": {"threshold": 0.2}}


def evaluate(cv, y=Y, scoring=("accuracy", "f1", "roc_auc")):
    return PairedEvaluator(cv=cv, scoring=list(scoring), random_state=0).evaluate(MODELS, X, y)


@pytest.fixture(scope="module")
def folds():
    return evaluate(5)


def pooled_labels(result, name):
    predictions = result.predictions(name)[: result.design.n_folds]
    return np.concatenate([p.y_pred for p in predictions]), np.concatenate([p.y_true for p in predictions])


def test_mcnemar_is_fed_with_who_was_right_on_each_sample(folds):
    bayes, truth = pooled_labels(folds, "bayes")
    tree, _ = pooled_labels(folds, "tree")
    expected = inference.mcnemar_test(bayes == truth, tree == truth)
    result = folds.test("mcnemar")
    assert (result.pvalue, result.estimate, result.n) == (expected.pvalue, expected.estimate, 120)
    assert folds.test("mcnemar_test", method="exact").method != result.method
    assert result.warnings[-1].startswith("POOLED: the predictions of 5 folds")


def test_delong_is_fed_with_the_scores_that_roc_auc_reads(folds):
    result = folds.test("delong", b="logistic")
    parts = folds.predictions("logistic")
    scores = np.concatenate([part.decision_function for part in parts])
    truth = np.concatenate([part.y_true for part in parts])
    assert result.auc_b == pytest.approx(roc_auc_score(truth, scores))


def test_the_paired_metric_test_takes_the_metric_and_the_positive_class():
    result = evaluate(4, np.where(Y == 1, "sick", "well"))
    assert result.details.positive_class == "well"
    labels = [pooled_labels(result, name)[0] for name in ("bayes", "tree")]
    truth = pooled_labels(result, "bayes")[1]
    expected = inference.paired_metric_test(truth, *labels, "f1", positive="well")
    record = result.test("paired_metric_test", metric="f1")
    assert (record.pvalue, record.estimate) == (expected.pvalue, expected.estimate)
    assert result.test("paired_bootstrap", metric="f1", rng=0).estimate == pytest.approx(record.estimate)


def test_procedures_on_one_and_on_all_models(folds):
    bayes, truth = pooled_labels(folds, "tree")
    n_errors = int((bayes != truth).sum())
    record = folds.test("error_rate_test", a="tree", threshold=0.5, alternative="less")
    assert record.n_errors == n_errors
    assert record.pvalue == inference.error_rate_test(n_errors, 120, threshold=0.5).pvalue
    rates = 1 - folds.score("bayes", "accuracy")
    by_fold = folds.test("fold_error_rate_test", threshold=0.5, alternative="less")
    assert by_fold.pvalue == inference.fold_error_rate_test(rates, threshold=0.5, test_fraction=0.2).pvalue
    assert len(folds.test("cochran_q").accuracies) == 3


def test_the_fold_clt_test_gets_the_losses_of_one_repeat():
    result = evaluate("3x4")
    record = result.test("cv_clt_test")
    assert record.n == 120
    first = np.mean([p.y_pred == p.y_true for fold in (0, 1, 2, 3) for p in [result.predictions("bayes")[fold]]])
    second = np.mean([p.y_pred == p.y_true for fold in (0, 1, 2, 3) for p in [result.predictions("tree")[fold]]])
    assert record.estimate == pytest.approx(first - second)
    assert any(w.startswith("POOLED: only repeat 0 of 3 is used") for w in record.warnings)


def test_of_random_splits_the_first_test_set_is_used():
    result = evaluate(ShuffleSplit(6, test_size=40, random_state=0))
    record = result.test("mcnemar")
    assert record.n == 40
    first = [result.predictions(name)[0] for name in ("bayes", "tree")]
    alone = inference.mcnemar_test(*(part.y_pred == part.y_true for part in first))
    own = [w.partition(":")[0] for w in alone.warnings]
    assert [w.partition(":")[0] for w in record.warnings] == [*own, "POOLED"]
    with pytest.raises(ValueError, match="'cv_clt_test' needs k-fold"):
        result.test("cv_clt_test")


def clustered():
    rng = np.random.default_rng(0)
    return skc.from_outcomes({name: rng.normal(size=60) for name in ("bayes", "tree")}, clusters=np.arange(60) // 3)


def in_runs():
    rng = np.random.default_rng(0)
    table = {"model": ["bayes"] * 6 + ["tree"] * 6, "run": [*range(6)] * 2, "score": rng.normal(size=12)}
    return skc.from_runs(table)


def items():
    rng = np.random.default_rng(0)
    return skc.from_outcomes({name: rng.integers(0, 2, 60) for name in ("bayes", "tree")})


def judged():
    winners = np.random.default_rng(0).choice(["bayes", "tree"], size=60)
    return skc.from_judgments({"a": ["bayes"] * 60, "b": ["tree"] * 60, "winner": winners})


def nested():
    models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3, random_state=0)}
    evaluator = skc.PairedEvaluator(cv=3, scoring=["accuracy"], random_state=0, intervals="nested")
    return evaluator.evaluate(models, X[:120], Y[:120])


# Those that do not fit 5x2
DESIGNS = {"k_fold_t_test": 5, "cluster_t_test": clustered, "diebold_mariano_test": TimeSeriesSplit(3)}
DESIGNS |= {
    "welch_t_test": in_runs,
    "stability_t_test": "2x5",
    "nested_cv_interval": nested,
    "confidence_sequence": items,
    "wald_test": judged,
}


@pytest.mark.sampled
@pytest.mark.parametrize("name", [row.name for row in PROCEDURES])
def test_every_procedure_can_be_asked_for_by_name(name):
    result = DESIGNS[name]() if callable(DESIGNS.get(name)) else evaluate(DESIGNS.get(name, "5x2"))
    options = dict(NEEDED.get(name, {}))
    options |= {"df": 3.5} if name == "calibrated_t_test" else {}
    options |= {"margin": 0.05} if name == "equivalence_test" else {}
    record = result.test(name, **options)
    assert isinstance(record.method, str)
    assert isinstance(record.warnings, tuple)
    assert type(result.test(name.removesuffix("_test"), **options)) is type(record)


@pytest.mark.sampled
@pytest.mark.parametrize(
    "name", [row.name for row in PROCEDURES if row.returns == "test" and row.name != "calibrated_t_test"]
)
def test_swapping_the_models_mirrors_what_a_result_tests(name):
    result = DESIGNS[name]() if callable(DESIGNS.get(name)) else evaluate(DESIGNS.get(name, "5x2"))
    one, other = result.test(name), result.test(name, a="tree", b="bayes")
    assert one.pvalue == pytest.approx(other.pvalue)
    assert one.estimate == pytest.approx(-other.estimate)


def test_a_procedure_speaks_of_its_own_metrics_only(folds):
    with pytest.raises(ValueError, match="metric must be accuracy for 'mcnemar_test'; got 'f1'"):
        folds.test("mcnemar", metric="f1")
    with pytest.raises(ValueError, match="metric must be roc_auc for 'delong_test'"):
        folds.test("delong", metric="accuracy")
    with pytest.raises(ValueError, match="metrics must be among accuracy for 'mcnemar_test'"):
        folds.compare("mcnemar", metrics=["f1"])
    with pytest.raises(ValueError, match="alternative must be left out for 'cochran_q_test'"):
        folds.test("cochran_q", alternative="less")
    with pytest.raises(ValueError, match="procedure must be a test of two models"):
        folds.compare("equivalence_test")


def test_compare_runs_on_predictions_too(folds):
    rows = folds.compare("mcnemar_test")
    assert [(row.a, row.b) for row in rows] == [("bayes", "tree"), ("bayes", "logistic"), ("tree", "logistic")]
    assert {row.metric for row in rows} == {"accuracy"}
    assert rows[0].pvalue == folds.test("mcnemar").pvalue
    assert rows.n_hypotheses == 3


def test_class_scores_that_were_not_kept_are_named():
    with pytest.raises(ValueError, match=r"include 'roc_auc' or 'average_precision'.*'bayes' has none"):
        evaluate(3, scoring=["accuracy"]).test("delong")
    iris = load_iris(return_X_y=True)
    many = PairedEvaluator(cv=3, random_state=0).evaluate([GaussianNB(), DecisionTreeClassifier()], *iris)
    with pytest.raises(ValueError, match="scoring must include 'roc_auc' or 'average_precision' on two"):
        many.test("delong")


def test_wins_ties_and_superiority_stand_next_to_every_p(folds):
    row = folds.compare(metrics="accuracy")[0]
    d = folds.difference("accuracy", row.a, row.b)
    assert (row.wins, row.ties, row.losses) == ((d > 0).sum(), (d == 0).sum(), (d < 0).sum())
    assert row.probability_of_superiority == pytest.approx(((d > 0).sum() + (d == 0).sum() / 2) / 5)
    assert row.effect_size == folds.test(metric="accuracy").effect_size


def test_the_list_of_procedures_is_complete_and_prints():
    table = skc.procedures()
    assert [row.name for row in table if row.evidence != "data sets"] == [row.name for row in PROCEDURES]
    text = str(table)
    frame = table.to_frame()
    assert list(frame["name"]) == [row.name for row in table]
    for row in table:
        assert row.name in text
        assert row.evidence in ("fold scores", "predictions", "data sets")
    assert table.to_markdown().count("\n") == len(table) + 1


def test_class_scores_feed_curves_and_costs(folds):
    y_true, scores = folds.class_scores("logistic")
    assert inference.roc_points(y_true, scores).area == pytest.approx(roc_auc_score(y_true, scores))
    assert 0 <= inference.break_even_point(y_true, scores) <= 1
    assert inference.expected_cost(y_true, scores).cost <= min(np.mean(y_true == 1), np.mean(y_true == 0))
    with pytest.raises(ValueError, match="estimator must be one of"):
        folds.class_scores("nobody")


def test_the_documented_table_of_procedures_is_the_real_one():
    text = (Path(__file__).parents[1] / "docs" / "procedures.md").read_text(encoding="utf-8")
    assert skc.procedures().to_markdown() in text
    for default in DEFAULTS:
        assert f"| {default.designs} | `{default.procedure}` | {default.reason} |" in text


def test_procedures_on_classes_refuse_other_tasks():
    data = make_regression(60, 4, noise=3, random_state=0)
    result = PairedEvaluator(cv=5, random_state=0).evaluate({"a": Ridge(), "b": LinearRegression()}, *data)
    for name in {*ON_PREDICTIONS} - {
        "paired_metric_test",
        "paired_bootstrap",
    }:  # which take any function of y_true, y_pred
        with pytest.raises(
            ValueError, match=f"'{name}' needs predicted classes; the task of this result is 'regression'"
        ):
            result.test(name, **NEEDED.get(name, {}))


@pytest.mark.sampled
@pytest.mark.parametrize("metric", ["mcc", "matthews_corrcoef", "balanced_accuracy", "f1_macro", "recall_weighted"])
def test_label_procedures_take_further_metrics(metric):
    iris = load_iris(return_X_y=True)
    models = {"bayes": GaussianNB(), "stump": DecisionTreeClassifier(max_depth=1)}
    result = PairedEvaluator(cv=4, scoring="accuracy", random_state=0).evaluate(models, *iris)
    record = result.test("paired_metric_test", metric=metric, n_resamples=99)
    truth = pooled_labels(result, "bayes")[1]
    functions = {
        "mcc": matthews_corrcoef,
        "matthews_corrcoef": matthews_corrcoef,
        "balanced_accuracy": balanced_accuracy_score,
        "f1_macro": partial(f1_score, average="macro"),
        "recall_weighted": partial(recall_score, average="weighted"),
    }
    expected = [functions[metric](truth, pooled_labels(result, name)[0]) for name in models]
    assert record.estimate == pytest.approx(expected[0] - expected[1])
    by_callable = result.test("paired_metric_test", metric=functions[metric], n_resamples=99)
    assert by_callable.estimate == pytest.approx(record.estimate)


@pytest.mark.parametrize("procedure", ["auto", "paired_metric_test", "paired_bootstrap"])
def test_a_function_is_a_metric_of_one_test_set(procedure):
    truth, a, b = np.repeat([0, 1], 40), np.tile([0, 1], 40), np.repeat([0, 1, 1, 1], 20)
    result = skc.from_predictions(truth, {"a": a, "b": b}, scoring="f1")
    record = result.test(procedure, metric=balanced_accuracy_score, n_resamples=99)
    assert record.estimate == balanced_accuracy_score(truth, a) - balanced_accuracy_score(truth, b)
    assert "balanced_accuracy_score" in record.method
    with pytest.raises(ValueError, match="metric must be accuracy for 'mcnemar_test'"):
        result.test("mcnemar_test", metric=balanced_accuracy_score)


def test_the_same_call_gives_the_same_numbers():
    result = evaluate("5x10")
    for name, options in (("permutation_test", {}), ("paired_bootstrap", {"metrics": "f1"})):
        once, again = (result.compare(name, **options) for _ in range(2))
        assert [row.pvalue for row in once] == [row.pvalue for row in again]


def test_rounding_is_no_win():
    scores = [0.1 + 0.2] * 5 + [0.3] * 5
    row = skc.from_frame({"model": ["a"] * 5 + ["b"] * 5, "fold": [*range(5)] * 2, "score": scores}).compare()[0]
    assert (row.wins, row.ties, row.losses, row.probability_of_superiority) == (0, 5, 0, 0.5)


class FailsTwice(LogisticRegression):
    """Fails on its first two fits."""

    fits = 0

    def fit(self, X, y):
        FailsTwice.fits += 1
        if FailsTwice.fits <= 2:
            raise RuntimeError("not yet")
        return super().fit(X, y)


def failing(cv):
    """Of three models, of which one fails on its first fits."""
    FailsTwice.fits = 0
    models = {"late": FailsTwice(), "bayes": GaussianNB(), "tree": MODELS["tree"]}
    evaluator = PairedEvaluator(cv=cv, scoring="accuracy", random_state=0, error_score=np.nan)
    with pytest.warns(FitFailedWarning):
        return evaluator.evaluate(models, X, Y)


def test_a_failed_first_repeat_leaves_the_next_one_and_the_other_pairs():
    result = failing("2x2")
    record = result.test("mcnemar")
    assert record.n == 120
    assert any(w.startswith("POOLED: only repeat 1 of 2 is used") for w in record.warnings)
    assert all(np.isfinite(row.pvalue) for row in result.compare("mcnemar"))


def test_pairs_without_evidence_are_undecided_and_the_others_tested():
    result = failing("5x2")
    rows = result.compare("five_by_two_t_test")
    assert [row.outcome.value == "not comparable" for row in rows] == [True, True, False]
    assert rows.n_hypotheses == 1
    assert any(w.startswith("MISSING_SCORES: 'late'") for w in rows[0].warnings)


def test_folds_without_predictions_are_missed_and_said_to_be():
    FailsTwice.fits = 1
    models = {"late": FailsTwice(), "bayes": GaussianNB()}
    with pytest.warns(FitFailedWarning):
        result = PairedEvaluator(cv=4, scoring="accuracy", random_state=0, error_score=0.0).evaluate(models, X, Y)
    record = result.test("mcnemar")
    assert record.n == 90
    assert "MISSING_SCORES: 1 fold on which an estimator failed is left out." in record.warnings
    row = result.compare("mcnemar")[0]
    assert row.mean_a - row.mean_b == pytest.approx(row.estimate)


def test_what_is_pooled_is_said_as_far_as_it_matters(folds):
    def codes(name, **options):
        return [w.partition(":")[0] for w in folds.test(name, **options).warnings]

    assert "POOLED" in codes("mcnemar")
    assert "POOLED" not in codes("cv_clt")
    assert "nominal" not in folds.test("roc_dominance").warnings[-1]
    assert "at a nominal 5%, true nulls were rejected" in folds.test("delong").warnings[-1]


def test_leave_one_out_has_predictions_though_no_fold_scores():
    with pytest.warns(UndefinedMetricWarning):
        result = PairedEvaluator(cv=LeaveOneOut(), scoring="roc_auc").evaluate(MODELS, X[:40], Y[:40])
    row = result.compare("delong")[0]
    assert row.pvalue == result.test("delong").pvalue
    assert row.mean_a == result.test("delong").auc_a


def test_the_error_rate_over_folds_says_what_failed():
    FailsTwice.fits = 1
    evaluator = PairedEvaluator(cv=4, scoring="accuracy", random_state=0, error_score=np.nan)
    with pytest.warns(FitFailedWarning):
        result = evaluator.evaluate({"late": FailsTwice(), "bayes": GaussianNB()}, X, Y)
    record = result.test("fold_error_rate_test", threshold=0.4)
    assert record.n == 3
    assert any(w.startswith("MISSING_SCORES: 'late' failed on 1 of 4 splits") for w in record.warnings)


# ---- forms of kept predictions --------------------------------------------------------------------------------------


def outcomes_of(result, *, encoded):
    """The kept predictions as a run gives them, labels encoded or not (of one fold never)."""
    classes = np.unique(np.concatenate([part.y_true for part in result.predictions("bayes")]))
    outcomes = [[] for _ in range(result.design.n_splits)]
    for name in result.estimators:
        for i, part in enumerate(result.predictions(name)):
            codes = np.searchsorted(classes, part.y_pred).astype(np.uint8)
            as_codes = part.y_pred.dtype == classes.dtype and (encoded == "all" or (encoded == "most" and i != 1))
            scores = {m: v for m in ("decision_function", "predict_proba") if (v := getattr(part, m)) is not None}
            responses = {"predict": codes if as_codes else part.y_pred, **scores}
            outcomes[i].append(FoldOutcome(responses=responses, encoded=as_codes))
    return outcomes


@pytest.mark.sampled
@pytest.mark.parametrize(
    "labels", [[0, 1], [-1, 7], ["no", "yes"], np.array(["no", "yes"], dtype=object), [False, True]]
)
@pytest.mark.parametrize("encoded", ["none", "most", "all"])
def test_labels_are_shown_and_saved_alike_however_they_are_kept(encoded, labels, tmp_path):
    y = np.array(labels)[Y]
    result = evaluate(4, y)
    kept = KeptPredictions.from_outcomes(y, outcomes_of(result, encoded=encoded), result.estimators)
    again = replace(result, kept_predictions=kept)
    again.save(tmp_path / "result.skc")
    loaded = skc.load(tmp_path / "result.skc")
    for name in result.estimators:
        for part, shown, saved in zip(
            result.predictions(name), again.predictions(name), loaded.predictions(name), strict=True
        ):
            for field in ("y_pred", "y_true", "decision_function", "predict_proba", "test_indices"):
                for other in (shown, saved):
                    np.testing.assert_array_equal(getattr(other, field), getattr(part, field), strict=True)
    assert again.test("mcnemar") == loaded.test("mcnemar") == result.test("mcnemar")


def test_encoded_labels_are_kept_in_one_byte_a_file_too(tmp_path):
    result = evaluate(4, np.where(Y == 1, "malignant", "benign"))
    kept = KeptPredictions.from_outcomes(
        result._scores.kept_predictions.y, outcomes_of(result, encoded="all"), result.estimators
    )
    replace(result, kept_predictions=kept).save(tmp_path / "result.skc")
    for predictions in (kept, skc.load(tmp_path / "result.skc")._scores.kept_predictions):
        arrays = [fold["codes"] for folds in predictions.folds.values() for fold in folds]
        assert {array.dtype for array in arrays} == {np.dtype(np.uint8)}


@pytest.mark.parametrize("codes", [np.full(120, 2, dtype=np.uint8), np.zeros(120, dtype=np.int64), np.zeros(120)])
def test_saved_labels_that_are_no_classes_are_refused(codes):
    result = evaluate(4)
    kept = KeptPredictions.from_outcomes(Y, outcomes_of(result, encoded="all"), result.estimators)
    arrays = {**kept.to_arrays(), "estimator1_predict_values": codes}
    with pytest.raises(ValueError, match=r"the saved predict of 'tree' .* positions among the classes"):
        KeptPredictions.from_arrays(arrays, result.estimators, result.design.test_sizes)


@pytest.mark.parametrize("cv", [5, "2x3", ShuffleSplit(4, random_state=0)])
def test_a_result_without_predictions_has_its_splits_and_its_scores(cv, tmp_path):
    result = evaluate(cv)
    without = replace(result, kept_predictions=None)
    without.save(tmp_path / "result.skc")
    loaded = skc.load(tmp_path / "result.skc")
    assert loaded.design == result.design
    for pair, expected in zip(loaded.splits(), result.splits(), strict=True):
        for part, expected_part in zip(pair, expected, strict=True):
            np.testing.assert_array_equal(part, expected_part, strict=True)
    np.testing.assert_array_equal(loaded.scores, result.scores)
    assert loaded.test(metric="f1") == result.test(metric="f1")
    for one in (without, loaded):
        for ask in (one.predictions, one.class_scores):
            with pytest.raises(ValueError, match=r"^predictions are.*RunOptions\(keep_predictions=False\)"):
                ask("bayes")
        for name in ("mcnemar_test", "delong_test", "paired_metric_test"):
            with pytest.raises(ValueError, match=r"needs pred.*RunOptions\(keep_predictions=False\)"):
                one.test(name)
    with pytest.raises(ValueError, match="estimator must be one of"):
        without.predictions("nobody")


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("scoring", [None, ["roc_auc", "accuracy"]])
def test_a_tree_that_is_sure_of_all_has_probabilities_beside_those_of_others(order, scoring, rng):
    """roc_auc was refused, or left out, for floats 0 and 1; integers are labels."""
    y = rng.permutation(np.arange(60) % 2)
    shares, sure = rng.random(60), np.where(rng.random(60) < 0.8, y, 1 - y).astype(float)
    given = dict([("nb", shares), ("tree", sure)][::order])
    result = skc.from_predictions(y, given, scoring=scoring)
    assert np.mean(result.score("tree", "roc_auc")) == pytest.approx(roc_auc_score(y, sure))
    assert np.mean(result.score("tree", "accuracy")) == pytest.approx(np.mean(sure == y))
    labels = skc.from_predictions(y, {**given, "tree": sure.astype(int)}, scoring="accuracy")
    assert np.mean(labels.score("tree", "accuracy")) == pytest.approx(np.mean(sure == y))
    with pytest.raises(ValueError, match="roc_auc"):
        skc.from_predictions(y, {"nb": sure, "tree": 1 - sure}, scoring="roc_auc")
