"""ComparisonSelector as a transformer, tuned by searches, and what it refuses before anything is fitted."""

import pickle

import numpy as np
import pytest
import sklearn
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.datasets import make_classification
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, make_scorer, recall_score
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import (
    check_estimator,
    check_get_feature_names_out_error,
    check_global_output_transform_pandas,
    check_set_output_transform,
)

from skcompare import ComparisonSelector, PairedEvaluator, StopRule, best_by_dominance, simplest_within
from skcompare.selection._choice import of_search


def evaluator(**options):
    return PairedEvaluator(**{"cv": 3, "scoring": "accuracy", "random_state": 0, **options})


MODELS = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2, random_state=0)}
LDAS = {"svd": LinearDiscriminantAnalysis(), "eigen": LinearDiscriminantAnalysis(solver="eigen")}
FITS = []


class Counted(GaussianNB):
    """Tells when it is fitted."""

    def fit(self, X, y, sample_weight=None):
        FITS.append(len(X))
        return super().fit(X, y, sample_weight)


@pytest.fixture(scope="module")
def data():
    return make_classification(90, 4, n_informative=3, n_redundant=0, flip_y=0.2, random_state=1)


@pytest.fixture
def fits():
    FITS.clear()
    return FITS


# ---- transforming ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def ldas(data):
    return ComparisonSelector(LDAS, evaluator()).fit(*data)


def test_the_names_of_new_columns_are_those_of_the_chosen_one(ldas, data):
    assert ldas.get_feature_names_out().tolist() == ["lineardiscriminantanalysis0"]
    pipe = make_pipeline(StandardScaler(), clone(ldas)).fit(*data)
    assert pipe.get_feature_names_out().tolist() == ["lineardiscriminantanalysis0"]


@pytest.mark.parametrize("fit_first", [True, False])
def test_the_output_is_what_was_set_before_and_after_fit_and_in_a_clone(fit_first, data):
    pandas = pytest.importorskip("pandas")
    selector = ComparisonSelector(LDAS, evaluator())
    if fit_first:
        selector.fit(*data)
    assert selector.set_output(transform="pandas") is selector
    frame = selector.fit(*data).transform(data[0]) if not fit_first else selector.transform(data[0])
    assert isinstance(frame, pandas.DataFrame)
    assert frame.columns.tolist() == selector.get_feature_names_out().tolist()
    assert isinstance(clone(selector).fit(*data).transform(data[0]), pandas.DataFrame)
    assert isinstance(selector.set_output().transform(data[0]), pandas.DataFrame)
    assert isinstance(selector.set_output(transform="default").transform(data[0]), np.ndarray)
    assert not hasattr(LDAS["svd"], "_sklearn_output_config")


def test_in_pipelines_and_column_transformers_that_give_frames(data):
    pandas = pytest.importorskip("pandas")
    X, y = pandas.DataFrame(data[0], columns=list("abcd")), data[1]
    pipe = make_pipeline(ComparisonSelector(LDAS, evaluator()), LogisticRegression()).set_output(transform="pandas")
    assert pipe.fit(X, y)[-1].feature_names_in_.tolist() == ["lineardiscriminantanalysis0"]
    columns = ColumnTransformer([("lda", ComparisonSelector(LDAS, evaluator()), ["a", "c"])], remainder="passthrough")
    frame = columns.set_output(transform="pandas").fit(X, y).transform(X)
    assert frame.columns.tolist() == columns.get_feature_names_out().tolist()
    assert frame.columns.tolist() == ["lda__lineardiscriminantanalysis0", "remainder__b", "remainder__d"]


@pytest.mark.parametrize(
    "estimators",
    [MODELS, {"lda": LDAS["svd"], "nb": GaussianNB()}, [make_pipeline(StandardScaler(), GaussianNB()), LDAS["svd"]]],
    ids=["none transforms", "one transforms", "a pipeline that does not"],
)
def test_where_an_estimator_does_not_transform_there_is_no_output_to_set(estimators):
    selector = ComparisonSelector(estimators)
    assert not hasattr(selector, "transform")
    assert not hasattr(selector, "set_output")
    assert not hasattr(selector, "get_feature_names_out")


class WeightedLda(LinearDiscriminantAnalysis):
    """Knows whether it was given weights."""

    def fit(self, X, y, sample_weight=None):
        self.given_ = sample_weight
        return super().fit(X, y)


@pytest.mark.parametrize("routing", [True, False])
def test_weights_reach_the_refit_of_a_step_that_transforms(routing, data):
    weights = np.arange(1.0, 91)
    lda = ComparisonSelector([WeightedLda(), WeightedLda(solver="eigen")], evaluator())
    with sklearn.config_context(enable_metadata_routing=routing):
        if routing:
            unweighted = make_scorer(accuracy_score).set_score_request(sample_weight=False)
            asking = [estimator.set_fit_request(sample_weight=True) for estimator in lda.estimators]
            lda = ComparisonSelector(asking, evaluator(scoring=unweighted))
        pipe = make_pipeline(lda, GaussianNB().set_fit_request(sample_weight=False) if routing else GaussianNB())
        pipe.fit(*data, **{"sample_weight" if routing else "comparisonselector__sample_weight": weights})
        if routing:
            assert lda.get_metadata_routing().consumes("fit_transform", ["sample_weight"]) == {"sample_weight"}
    assert np.array_equal(pipe[0].estimator_.given_, weights)


@pytest.mark.sampled("checks of scikit-learn")
@pytest.mark.filterwarnings("ignore")
def test_as_a_transformer_it_passes_the_checks_of_scikit_learn():
    expected = {"check_dtype_object": "a TypeError arrives as EstimatorFailedError, a ValueError"}
    selector = ComparisonSelector(LDAS, evaluator())
    rows = check_estimator(selector, expected_failed_checks=expected, on_fail=None, on_skip=None)
    assert {row["check_name"]: row["exception"] for row in rows if row["status"] == "failed"} == {}
    passed = {row["check_name"] for row in rows if row["status"] == "passed"}
    assert {"check_transformer_general", "check_transformer_preserve_dtypes"} <= passed
    for check in (check_set_output_transform, check_get_feature_names_out_error, check_global_output_transform_pandas):
        check("ComparisonSelector", clone(selector))


# ---- tuned ----------------------------------------------------------------------------------------------------


def test_parameters_of_an_evaluator_that_is_not_given_make_one(data):
    selector = ComparisonSelector(MODELS)
    tuned = clone(selector).set_params(evaluator__cv=3, evaluator__random_state=0)
    assert tuned.get_params()["evaluator__cv"] == 3
    assert selector.evaluator is None
    assert clone(tuned).evaluator.cv == 3
    search = GridSearchCV(selector, {"evaluator__cv": [2, 3]}, cv=2).fit(*data)
    assert search.best_estimator_.result_.design.n_splits == search.best_params_["evaluator__cv"]
    assert selector.evaluator is None


def test_an_evaluator_and_its_parameters_may_be_set_at_once():
    both = ComparisonSelector(MODELS).set_params(evaluator__cv=4, evaluator=evaluator(scoring="f1"))
    assert (both.evaluator.cv, both.evaluator.scoring) == (4, "f1")
    assert ComparisonSelector(MODELS, evaluator()).set_params(evaluator=None, evaluator__cv=4).evaluator.scoring is None


def test_parameters_of_no_evaluator_are_refused():
    with pytest.raises(ValueError, match="evaluator must be None or a PairedEvaluator; got KFold"):
        ComparisonSelector(MODELS, KFold(3)).set_params(evaluator__n_splits=4)
    with pytest.raises(ValueError, match="Invalid parameter 'folds' for estimator PairedEvaluator"):
        ComparisonSelector(MODELS).set_params(evaluator__folds=4)


def test_rules_are_tuned_as_a_whole(data):
    rules = [simplest_within(alpha=0.1), simplest_within(rule="one_se"), "rope"]
    selector = ComparisonSelector(MODELS, evaluator(), rules[0])
    search = GridSearchCV(selector, {"rule": rules}, cv=2).fit(*data)
    assert search.best_params_["rule"] in rules
    assert [repr(rule) for rule in search.cv_results_["param_rule"]] == [repr(rule) for rule in rules]
    with pytest.raises(ValueError, match=r"rule must be set as a whole, .*alpha=0.1\); got 'rule__"):
        GridSearchCV(selector, {"rule__alpha": [0.1, 0.2]}, cv=2).fit(*data)


# ---- fit parameters and labels --------------------------------------------------------------------------------


@pytest.mark.parametrize("n_weights", [80, 91])
def test_weights_of_another_length_are_refused_before_any_fit(n_weights, data, fits):
    models, weights = {"a": Counted(), "b": Counted(var_smoothing=1e-3)}, np.ones(n_weights)
    message = f"^sample_weight must have one row per sample of X, 90; got {n_weights}$"
    with pytest.raises(ValueError, match=message):
        ComparisonSelector(models, evaluator()).fit(*data, sample_weight=weights)
    with pytest.raises(ValueError, match=message):
        evaluator().evaluate(models, *data, params={"sample_weight": weights.tolist()})
    with sklearn.config_context(enable_metadata_routing=True):
        routed = {name: clone(model).set_fit_request(sample_weight="w") for name, model in models.items()}
        with pytest.raises(ValueError, match=message):
            evaluator().evaluate(routed, *data, params={"w": weights})
    assert fits == []


def test_weights_of_a_step_are_checked_too(data):
    pipes = [make_pipeline(Counted()), make_pipeline(Counted(), memory=None)]
    with pytest.raises(ValueError, match=r"^counted__sample_weight must have .* of X, 90; got 5$"):
        ComparisonSelector(pipes, evaluator()).fit(*data, counted__sample_weight=np.ones(5))


def test_weights_of_the_right_length_no_weights_and_other_parameters_pass(data):
    class Told(GaussianNB):
        def fit(self, X, y, sample_weight=None, costs=None):
            self.told_ = sample_weight, costs
            return super().fit(X, y, sample_weight)

    models = {"a": Told(), "b": Told(var_smoothing=1e-3)}
    for weights in (None, np.ones(90), [1.0] * 90, np.ones((90,), dtype=int)):
        chosen = ComparisonSelector(models, evaluator()).fit(*data, sample_weight=weights, costs=[1, 2]).estimator_
        assert chosen.told_[1] == [1, 2]
        assert weights is None or len(chosen.told_[0]) == 90
    one = {"a": LogisticRegression(), "b": LogisticRegression(C=2)}
    assert evaluator().evaluate(one, *data, params={"sample_weight": 2.0}).failures == ()


@pytest.mark.parametrize(
    ("missing", "labels"),
    [(None, [0, 1]), (np.nan, [0.0, 1.0]), (np.inf, [0.0, 1.0]), (None, ["a", "b"]), (np.nan, ["a", "b"])],
)
def test_missing_labels_are_refused_as_the_evaluator_does(missing, labels, data, fits):
    X, y = data
    y = np.array(labels, dtype=float if isinstance(labels[0], float) else object)[y]
    y[3] = missing
    models = {"a": Counted(), "b": Counted(var_smoothing=1e-3)}
    message = f"^y must not have missing or infinite values; got {missing!r} at position 3$"
    with pytest.raises(ValueError, match=message):
        ComparisonSelector(models, evaluator()).fit(X, y)
    with pytest.raises(ValueError, match=message):
        evaluator().evaluate(models, X, y)
    assert fits == []


# ---- the rule and what is scored ------------------------------------------------------------------------------


def single_metric(n_splits=10):
    scores = np.random.default_rng(0).random((2, n_splits))
    return {f"split{i}_test_score": column for i, column in enumerate(scores.T)} | {"params": [{"C": 1}, {"C": 2}]}


@pytest.mark.parametrize("metrics", [["accuracy", "recall"], ["score", "recall"]])
def test_one_metric_is_not_compared_with_itself(metrics):
    rule = best_by_dominance(metrics)
    with pytest.raises(ValueError, match=f"^metrics must be scored by .*'{metrics[0]}', 'recall'; it has only 'score'"):
        rule(single_metric())
    with pytest.raises(ValueError, match="it has only 'score'"):
        rule.choose(of_search(single_metric()))
    assert not hasattr(rule, "choice_")


def _single(estimator, X, y):
    return accuracy_score(y, estimator.predict(X))


def _both(estimator, X, y):
    predicted = estimator.predict(X)
    return {"acc": accuracy_score(y, predicted), "rec": recall_score(y, predicted)}


def test_the_metrics_of_a_callable_are_known_after_the_fits(data):
    both = evaluator(scoring=_both, cv="2x5")
    assert ComparisonSelector(MODELS, both, best_by_dominance(["acc", "rec"])).fit(*data).choice_.metric == "acc"
    assert ComparisonSelector(MODELS, both, simplest_within("rec")).fit(*data).choice_.metric == "rec"
    with pytest.raises(ValueError, match="it has only 'score'"):
        ComparisonSelector(MODELS, evaluator(scoring=_single), best_by_dominance(["acc", "rec"])).fit(*data)
    stop = evaluator(scoring=_both, cv="2x5", stop=StopRule())
    with pytest.raises(ValueError, match=r"evaluator must stop by .* rule, 'rec'; .* by 'acc'"):
        ComparisonSelector(MODELS, stop, simplest_within("rec")).fit(*data)
    assert ComparisonSelector(MODELS, stop, simplest_within("acc")).fit(*data).choice_.metric == "acc"


# ---- the rule and the stop ------------------------------------------------------------------------------------

TWO = ["accuracy", "recall"]


def stopping(**options):
    return evaluator(cv="2x5", scoring=TWO, stop=StopRule(**options))


@pytest.mark.parametrize(
    ("stop", "rule", "message"),
    [
        ({}, simplest_within("recall"), "the metric of rule, 'recall'; .* by 'accuracy'"),
        ({"metric": "recall"}, simplest_within("accuracy"), "the metric of rule, 'accuracy'; .* by 'recall'"),
        ({"metric": "recall"}, "one_se", "the metric of rule, 'accuracy'; .* by 'recall'"),
        ({}, best_by_dominance(TWO), "evaluator must keep all models for rule"),
        ({"metric": "f1"}, simplest_within("recall"), "metric of stop must be one of 'accuracy', 'recall'; got 'f1'"),
    ],
)  # fmt: skip
def test_a_stop_by_another_metric_than_the_rules_is_refused_before_any_fit(stop, rule, message, data, fits):
    models = {"a": Counted(), "b": Counted(var_smoothing=1e-3)}
    with pytest.raises(ValueError, match=message):
        ComparisonSelector(models, stopping(**stop), rule).fit(*data)
    assert fits == []


@pytest.mark.parametrize(
    ("stop", "rule"),
    [
        ({}, "corrected_t"),
        ({}, simplest_within("accuracy")),
        ({"metric": "recall"}, simplest_within("recall")),
        ({"drop": False}, simplest_within("recall")),
        ({"drop": False}, best_by_dominance(TWO)),
    ],
)
def test_a_stop_that_takes_nothing_from_the_rule_is_allowed(stop, rule, data):
    selector = ComparisonSelector(MODELS, stopping(**stop), rule).fit(*data)
    assert selector.selected_ in MODELS
    assert selector.result_.details.stopping is not None


# ---- its choice -----------------------------------------------------------------------------------------------


def test_a_choice_among_pipelines_is_equal_after_pickling(data):
    models = {"a": make_pipeline(StandardScaler(), LogisticRegression()), "b": GaussianNB()}
    choice = ComparisonSelector(models, evaluator()).fit(*data).choice_
    again = pickle.loads(pickle.dumps(choice))
    assert again == choice
    assert hash(again) == hash(choice)
    other = ComparisonSelector({"b": models["b"], "a": models["a"]}, evaluator()).fit(*data).choice_
    assert other != choice
