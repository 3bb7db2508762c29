"""Test sets in time order, from the splits to every view: the losses of samples in their order, or no test."""

import json
from functools import cache

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GroupKFold, KFold, ShuffleSplit, TimeSeriesSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeRegressor

import skcompare as skc
from skcompare.inference import diebold_mariano_test

N = 240
RNG = np.random.default_rng(7)
X = RNG.normal(size=(N, 3))
NOISE = RNG.normal(size=N)
REGRESSION = X, X[:, 0] + NOISE
CLASSES = X, (X[:, 0] + NOISE > 0).astype(int)
REGRESSORS = {"ridge": Ridge(), "tree": DecisionTreeRegressor(random_state=0)}
CLASSIFIERS = {
    "bayes": GaussianNB(),
    "logistic": LogisticRegression(),
    "chance": DummyClassifier(strategy="stratified", random_state=0),
}
MOVING = [(np.arange(i - 60, i), np.arange(i, i + 20)) for i in range(60, N, 20)]
GROWING_ONE_BY_ONE = [(np.arange(i), [i]) for i in range(N - 30, N)]
IN_TIME = {
    "growing": TimeSeriesSplit(5),
    "with a gap": TimeSeriesSplit(4, gap=3),
    "moving": MOVING,
    "moving, of scikit-learn": TimeSeriesSplit(6, max_train_size=50, test_size=10),
    "one by one": GROWING_ONE_BY_ONE,
}
NOT_IN_TIME = {
    "folds in order": KFold(5),
    "shuffled folds": KFold(5, shuffle=True, random_state=0),
    "random splits": ShuffleSplit(4, random_state=0),
    "one split": [(np.arange(180), np.arange(180, N))],
    "groups": GroupKFold(4),
    "the same test set twice": [(np.arange(i, 100), np.arange(100, N)) for i in range(2)],
    "backwards": MOVING[::-1],
}


def codes(record):
    return [warning.code for warning in record.warnings]


@cache
def evaluated(task="regression", cv="growing", keep=True):
    models, data = (REGRESSORS, REGRESSION) if task == "regression" else (CLASSIFIERS, CLASSES)
    scoring = ["neg_mean_absolute_error"] if cv == "one by one" else None
    evaluator = skc.PairedEvaluator(cv=IN_TIME[cv], scoring=scoring, random_state=0, keep_predictions=keep)
    return evaluator.evaluate(models, *data)


@pytest.mark.parametrize("cv", IN_TIME)
def test_windows_that_grow_or_move_on_are_recognised_from_the_splits(cv):
    result = evaluated(cv=cv)
    assert result.design.time_order
    assert result.design.name == f"{result.design.n_splits} test sets in time order"


@pytest.mark.parametrize("cv", NOT_IN_TIME)
def test_no_other_splits_are_taken_for_time_order(cv):
    evaluator = skc.PairedEvaluator(cv=NOT_IN_TIME[cv], scoring="r2", random_state=0)
    result = evaluator.evaluate(REGRESSORS, *REGRESSION, groups=np.arange(N) // 20 if cv == "groups" else None)
    assert not result.design.time_order
    assert "time order" not in result.summary()


@pytest.mark.parametrize("cv", IN_TIME)
def test_the_default_is_the_test_on_the_losses_of_the_samples_in_their_order(cv):
    result = evaluated(cv=cv)
    by_time = {}
    for name in result.estimators:
        parts = zip(result.splits(), result.predictions(name), strict=True)
        by_time[name] = {
            t: abs(y - p) for (_, at), part in parts for t, y, p in zip(at, part.y_true, part.y_pred, strict=True)
        }
    losses = [[errors[t] for t in sorted(errors)] for errors in by_time.values()]
    for horizon in (None, 1, 4):
        wanted = diebold_mariano_test(*losses, horizon=horizon)
        found = result.test(metric="neg_mean_absolute_error", horizon=horizon)
        assert found.pvalue == pytest.approx(wanted.pvalue)
        assert found.estimate == pytest.approx(wanted.estimate)
        assert codes(found) == codes(wanted)
    row = next(row for row in result.compare() if row.metric == "neg_mean_absolute_error")
    assert row.procedure == "diebold_mariano_test"
    assert -row.mean_a == pytest.approx(np.mean(losses[0]))


def test_the_order_of_the_rows_of_a_test_set_does_not_matter():
    cv = [(train, test[::-1]) for train, test in TimeSeriesSplit(5).split(X)]
    turned = skc.PairedEvaluator(cv=cv, random_state=0).evaluate(REGRESSORS, *REGRESSION)
    metric = "neg_mean_absolute_error"
    assert turned.test(metric=metric, horizon=3).pvalue == pytest.approx(
        evaluated().test(metric=metric, horizon=3).pvalue
    )


@pytest.mark.parametrize("task", ["regression", "classes"])
def test_functions_of_means_are_linearised_within_each_test_set(task):
    result = evaluated(task)
    for row in result.compare():
        if row.record is not None:
            differences = result.difference(row.metric, row.a, row.b)
            assert row.estimate == pytest.approx(differences.mean())  # test sets of one size
    metric = "neg_root_mean_squared_error" if task == "regression" else "roc_auc"
    assert isinstance(result.test(metric=metric).pvalue, float)


def test_a_metric_without_values_per_sample_is_not_comparable_and_says_why():
    evaluator = skc.PairedEvaluator(cv=IN_TIME["growing"], scoring=["accuracy", "average_precision"], random_state=0)
    result = evaluator.evaluate(CLASSIFIERS, *CLASSES)
    rows = {row.metric: row for row in result.compare(baseline="bayes")}
    assert rows["average_precision"].outcome.value == "not comparable"
    assert rows["average_precision"].warnings[0].sentence == (
        "average_precision is not tested: in time order a test needs a value of each sample, which it has not."
    )
    with pytest.raises(ValueError, match="has no value per sample"):
        result.test(metric="average_precision")
    assert rows["accuracy"].outcome.value != "not comparable"


def test_without_predictions_and_where_test_sets_overlap_there_is_no_test():
    lacking = evaluated(keep=False)
    assert {row.outcome.value for row in lacking.compare()} == {"not comparable"}
    assert "losses of single samples, which are not known here" in lacking.compare()[0].warnings[0]
    cv = [(np.arange(i), np.arange(i, i + 20)) for i in range(60, 220, 10)]
    overlapping = skc.PairedEvaluator(cv=cv, scoring="r2").evaluate(REGRESSORS, *REGRESSION)
    assert overlapping.design.time_order
    assert "the test sets overlap in time" in overlapping.compare()[0].warnings[0]
    with pytest.raises(ValueError, match="overlap in time"):
        overlapping.test()


OF_FOLDS = [
    ("corrected_t", {}),
    ("paired_t", {}),
    ("permutation", {}),
    ("equivalence", {"margin": 0.1}),
    ("correlated_t_posterior", {}),
    ("mcnemar", {}),
    ("paired_metric", {}),
    ("hotelling", {}),
    ("model_confidence_set", {}),
    ("cochran_q", {}),
    ("fold_error_rate", {"threshold": 0.4}),
]


@pytest.mark.parametrize(("procedure", "options"), OF_FOLDS, ids=[name for name, _ in OF_FOLDS])
def test_every_other_test_on_such_splits_says_time_order(procedure, options):
    warnings = [w for w in evaluated("classes").test(procedure, **options).warnings if w.code == "TIME_ORDER"]
    assert len(warnings) == 1
    assert "the corrected t test on 5 test sets rejected" in warnings[0]
    shuffled = skc.PairedEvaluator(cv=5, random_state=0).evaluate(CLASSIFIERS, *CLASSES)
    assert "TIME_ORDER" not in codes(shuffled.test(procedure, **options))


def test_dominance_and_intervals_say_time_order_and_equivalence_by_a_posterior_is_refused():
    result = evaluated()
    assert "TIME_ORDER" in codes(result.dominance())
    assert "TIME_ORDER" in codes(result.intervals().rows[0])
    with pytest.raises(ValueError, match="rope must be None in time order"):
        result.compare(rope=0.1)


def test_every_view_speaks_alike(tmp_path):
    result = evaluated("classes")
    views = {
        "summary": result.summary("full"),
        "page": result.to_html(),
        "markdown": result.to_markdown(),
        "latex": result.to_latex(),
        "methods": result.methods_text(),
        "json": result.to_json(),
    }
    document = json.loads(views["json"])
    del document["intervals"]  # of each model alone, over the test sets, which say so
    for name, text in {**views, "json": json.dumps(document)}.items():
        flat = " ".join(text.split())
        assert "in time order" in flat, name
        assert "TIME_ORDER" not in flat, name
        assert "pattern of wins" not in flat, name
    assert "Diebold-Mariano test" in views["methods"]
    assert document["design"]["time_order"] is True
    assert document["error_rates"]["reason"] == "in time order it depends on how long losses stay alike"
    result.save(tmp_path / "result.skc")
    again = skc.load(tmp_path / "result.skc")
    assert again.design == result.design
    assert again.summary("full") == views["summary"]


def test_losses_that_stay_alike_stand_beside_the_answer():
    rng = np.random.default_rng(3)
    drift = rng.normal(size=N)
    for t in range(1, N):
        drift[t] = 0.97 * drift[t - 1] + 0.25 * drift[t]
    models = {"forest": RandomForestRegressor(5, max_depth=2, random_state=0), "ridge": Ridge()}
    evaluator = skc.PairedEvaluator(cv=TimeSeriesSplit(5), scoring="neg_mean_absolute_error", random_state=0)
    result = evaluator.evaluate(models, np.column_stack([X, np.arange(N)]), 3 * drift + X[:, 0])
    assert "AUTOCORRELATED" in codes(result.test())
    first = result.summary().splitlines()
    assert any(line.startswith("- AUTOCORRELATED: ") and "of true nulls were rejected" in line for line in first[:4])


def test_rare_classes_and_base_rates_are_told_in_time_order_too(rng):
    X = rng.normal(size=(300, 3))
    y = (np.arange(300) % 5 == 0).astype(int)
    result = skc.PairedEvaluator(cv=TimeSeriesSplit(5), scoring="accuracy").evaluate(
        {"chance": DummyClassifier(strategy="stratified", random_state=0), "constant": DummyClassifier()}, X, y
    )
    assert "'chance' has accuracy" in " ".join(w for w in result.test().warnings if w.code == "BASE_RATE")
    assert {"ONE_CLASS", "BASE_RATE"} & {*codes(result.compare()[0])} == {"ONE_CLASS", "BASE_RATE"}


def test_a_study_over_data_sets_takes_each_for_one_case():
    data = {f"set {i}": (np.roll(X, i, axis=0), REGRESSION[1]) for i in range(3)}
    study = skc.PairedEvaluator(cv=TimeSeriesSplit(3), scoring="r2").evaluate_datasets(REGRESSORS, data)
    assert "TIME_ORDER" not in codes(study.compare()[0])
    assert "3 test sets in time order" in study.summary()
