"""Fit and predict: what reaches the estimators, what is kept, what fails and how."""

from __future__ import annotations

import re
import time
import warnings
from dataclasses import replace
from functools import partial
from inspect import signature

import joblib
import numpy as np
import pandas as pd
import pytest
import sklearn
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_diabetes, load_iris, make_classification
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import FitFailedWarning, UndefinedMetricWarning, UnsetMetadataPassedError
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.metrics import accuracy_score, get_scorer, make_scorer
from sklearn.model_selection import GridSearchCV, GroupKFold, KFold, StratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import skcompare as skc
from skcompare import EstimatorFailedError, PairedEvaluator, RunOptions, compare

X, Y = make_classification(n_samples=90, n_features=5, random_state=0)
MODELS = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3, random_state=0)}


def evaluate(models=None, X=X, y=Y, *, cv=3, scoring="accuracy", groups=None, params=None, **options):
    evaluator = PairedEvaluator(cv=cv, scoring=scoring, **{"random_state": 0, **options})
    return evaluator.evaluate(MODELS if models is None else models, X, y, groups=groups, params=params)


class Recorder(ClassifierMixin, BaseEstimator):
    """Notes what its methods are called with; the notes are shared by all clones."""

    calls: list

    def fit(self, X, y, sample_weight=None):
        type(self).calls.append(("fit", len(X), None if sample_weight is None else np.asarray(sample_weight).copy()))
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        type(self).calls.append(("predict", len(X), None))
        return np.resize(self.classes_, len(X))


def fails_on_split(sample=0, step="fit"):
    """An estimator that fails where its training set lacks a given sample; a local class, so that workers get it."""

    class FailsOnSplit(ClassifierMixin, BaseEstimator):
        def __init__(self, sample=0, step="fit"):
            self.sample = sample
            self.step = step

        def fit(self, X, y):
            self.classes_ = np.unique(y)
            self.bad_ = not (self.sample == X).all(axis=1).any()
            if self.bad_ and self.step == "fit":
                raise RuntimeError("the training set is not to my taste")
            return self

        def predict(self, X):
            if self.bad_ and self.step == "predict":
                raise RuntimeError("no prediction today")
            return np.resize(self.classes_, len(X))

    return FailsOnSplit(sample, step)


# ---- estimators and their names


def test_estimators_by_mapping_by_pairs_and_by_class():
    assert evaluate().estimators == ("bayes", "tree")
    assert evaluate(list(MODELS.items())).estimators == ("bayes", "tree")
    assert evaluate([GaussianNB(), DecisionTreeClassifier()]).estimators == ("gaussiannb", "decisiontreeclassifier")
    assert evaluate((GaussianNB(), KNeighborsClassifier(), GaussianNB())).estimators == (
        "gaussiannb-1",
        "kneighborsclassifier",
        "gaussiannb-2",
    )


class Noted(DummyClassifier):
    def __init__(self, note=None):
        super().__init__()
        self.note = note


def scaled(*steps):
    return make_pipeline(StandardScaler(), *steps)


@pytest.mark.parametrize(
    ("models", "names"),
    [
        ([scaled(SVC(C=10)), scaled(SVC(C=1.0))], ("svc-c10", "svc-c1")),
        ([scaled(SVC()), SVC(), GaussianNB()], ("svc-standardscaler", "svc", "gaussiannb")),
        ([scaled(SVC()), scaled(LogisticRegression())], ("svc", "logisticregression")),
        ([scaled(scaled(SVC(kernel="linear"))), SVC()], ("svc-linear-standardscaler", "svc-rbf")),
        ([GridSearchCV(SVC(), {}), GridSearchCV(GaussianNB(), {})], ("gridsearchcv-svc", "gridsearchcv-gaussiannb")),
        # no short text distinguishes them all
        ([SVC(), SVC()], ("svc-1", "svc-2")),
        ([SVC(C=1), SVC(C=1.0), SVC(C=2)], ("svc-1", "svc-2", "svc-3")),
        ([GaussianNB(priors=[0.5, 0.5]), GaussianNB(priors=[0.4, 0.6])], ("gaussiannb-1", "gaussiannb-2")),
        ([Noted("a" * 40), Noted()], ("noted-1", "noted-2")),
        ([Noted("\x1b[0m"), Noted("")], ("noted-1", "noted-2")),
    ],
)
def test_bare_models_are_named_by_what_differs(models, names):
    assert evaluate(models, cv=2).estimators == names
    assert sorted(evaluate(models[::-1], cv=2).estimators) == sorted(names)


def test_grids_of_models_have_distinct_short_names(rng):
    grid = [(c, kernel) for c in rng.permutation(np.arange(1, 90))[:3] / 10 for kernel in ("rbf", "linear")]
    names = evaluate([scaled(SVC(C=c, kernel=kernel)) for c, kernel in grid], cv=2).estimators
    assert names == tuple(f"svc-c{c:g}-{kernel}" for c, kernel in grid)


def test_estimators_are_cloned_never_fitted_in_place():
    models = {name: clone(model) for name, model in MODELS.items()}
    evaluate(models)
    assert not any(hasattr(model, "classes_") for model in models.values())


def test_every_estimator_is_fitted_and_asked_once_per_split():
    class Counted(Recorder):
        calls = []  # noqa: RUF012

    evaluate({"a": Counted(), "b": GaussianNB()}, cv="2x3", scoring=["accuracy", "f1_macro", "precision_macro"])
    assert [name for name, _, _ in Counted.calls] == ["fit", "predict"] * 6


@pytest.mark.parametrize("method", ["evaluate", "learning_curve", "evaluate_datasets"])
def test_the_old_keyword_is_told_of_and_means_the_same(method):
    ask = getattr(PairedEvaluator(cv=3, scoring="accuracy", random_state=0), method)
    data = {"datasets": {"d": (X, Y), "e": (X, 1 - Y)}} if method == "evaluate_datasets" else {"X": X, "y": Y}
    with pytest.warns(FutureWarning, match="give models=") as told:
        old = ask(estimators=MODELS, **data)
    assert told[0].filename == __file__
    with warnings.catch_warnings(action="error", category=FutureWarning):
        by_place, by_name = ask(MODELS, *data.values()), ask(models=MODELS, **data)
    assert old.to_frame().equals(by_name.to_frame())
    assert old.to_frame().equals(by_place.to_frame())
    with pytest.raises(TypeError, match="estimators"):
        ask(models=MODELS, estimators=MODELS, **data)
    with pytest.raises(TypeError, match="cv must be given to the evaluator"):
        ask(MODELS, *data.values(), cv=3)


def test_one_call_takes_all_by_keyword_or_place():
    named = compare(models=MODELS, X=X, y=Y, cv=3, scoring="accuracy", random_state=0)
    np.testing.assert_array_equal(named.scores, evaluate().scores)
    placed = compare(MODELS, X, Y, 3, "accuracy", random_state=0)
    np.testing.assert_array_equal(placed.scores, named.scores)


@pytest.mark.parametrize(
    ("models", "message"),
    [
        ({}, "models must be one or more"),
        ([], "models must be one or more"),
        (GaussianNB, "models must be a mapping"),
        ([("a", GaussianNB()), ("a", GaussianNB())], "distinct names; got 'a' 2 times"),
        ({"a": GaussianNB, "b": GaussianNB()}, r"models\['a'\] must be an estimator.*class"),
        ({"a": StandardScaler(), "b": GaussianNB()}, r"models\['a'\].*StandardScaler without predict"),
        ({1: GaussianNB(), "b": GaussianNB()}, "named by non-empty strings; got 1"),
        ({"": GaussianNB(), "b": GaussianNB()}, "non-empty strings"),
        ({"a": GaussianNB(), "b": LinearRegression()}, "all classifiers or all regressors"),
        (None, "models must be a mapping"),
    ],
)
def test_bad_models_are_refused_by_name(models, message):
    with pytest.raises(ValueError, match=message):
        PairedEvaluator().evaluate(models, X, Y)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (None, "y must be given"),
        (Y[:-1], "(?i)inconsistent|y must have one row per sample"),
        (np.zeros(90, dtype=int), "y must have at least 2 classes; got only"),
        (np.where(np.arange(90) == 7, np.nan, Y), "y must not have missing.*position 7"),
        (np.where(np.arange(90) == 7, np.inf, Y), "y must not have missing or infinite.*position 7"),
        (np.where(np.arange(90) == 7, None, Y.astype(str)), "y must not have missing.*position 7"),
        (np.zeros((90, 2, 2)), "y must have one row per sample"),
    ],
)
def test_bad_targets_are_refused_by_name(y, message):
    with pytest.raises(ValueError, match=message):
        evaluate(y=y)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scoring": "acuracy"}, "^did you mean 'accuracy'.* scoring must be a scorer name.*'acuracy'"),
        ({"scoring": ["accuracy", "nope"]}, r"scoring\[1\] must be"),
        ({"scoring": {"x": 3}}, r"scoring\['x'\] must be a name or a callable"),
        ({"scoring": []}, "scoring must name at least one metric"),
        ({"scoring": ["f1", "f1"]}, "scoring must name each metric once"),
        ({"scoring": [get_scorer("f1")]}, "a scorer needs a dict"),
        ({"scoring": 3}, "scoring must be None, a name"),
        ({"error_score": "rise"}, "error_score must be 'raise' or a number; got 'rise'"),
        ({"error_score": None}, "error_score must be"),
        ({"n_jobs": 0}, "n_jobs must be"),
        ({"n_jobs": 1.5}, "n_jobs must be"),
        ({"random_state": "x"}, "random_state must be None, an int"),
        ({"random_state": -1}, "random_state must be"),
        ({"store": 3}, "store must be"),
        ({"store": ""}, "store must be None or the path of a file; got ''"),
        ({"progress": "yes"}, "progress must be"),
        ({"intervals": True}, "intervals must be None or 'nested'; got True"),
        (
            {"options": {"share": True}},
            r"options must be None or RunOptions\(...\); got {'share': True}",
        ),
    ],
)
def test_bad_options_are_refused_by_name(options, message):
    with pytest.raises(ValueError, match=message):
        evaluate(**options)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *[("fit_timeout", value) for value in (0, True, float("inf"))],
        *(("keep_predictions", 1), ("check_data", "no"), ("share", None), ("callback", 3)),
    ],
)
def test_bad_run_options_are_refused_by_name(name, value):
    with pytest.raises(ValueError, match=f"^{name} must be"):
        RunOptions(**{name: value})
    with (
        pytest.warns(FutureWarning, match=f"^{name}= is an old name"),
        pytest.raises(ValueError, match=f"^{name} must be"),
    ):
        PairedEvaluator(**{name: value})


@pytest.mark.parametrize("value", [True, False])
@pytest.mark.parametrize("name", ["keep_predictions", "check_data", "share", "nested"])
def test_parameters_that_moved_are_taken_with_a_warning(name, value):
    """By the constructor, `set_params` and `compare`, beside other options, and clones have them without one."""
    now = f"give options=RunOptions\\({name}=" if name != "nested" else "give intervals='nested'"
    told, others = f"^{name}= is an old name, and is taken until version 0.4: {now}", RunOptions(fit_timeout=60.0)
    with pytest.warns(FutureWarning, match=told):
        made = PairedEvaluator(cv=3, options=others, **{name: value})
    with pytest.warns(FutureWarning, match=told):
        changed = PairedEvaluator(cv=3).set_params(options=others, **{name: value})
    for one in (made, changed, clone(made)):
        assert one.intervals == ("nested" if name == "nested" and value else None)
        assert one.options == (others if name == "nested" else replace(others, **{name: value}))
        assert name not in one.get_params()
    with pytest.warns(FutureWarning, match=told):
        result = compare(MODELS, X, Y, cv=3, scoring="accuracy", random_state=0, **{name: value})
    expected = evaluate(cv=3, scoring="accuracy", random_state=0)
    np.testing.assert_array_equal(result.scores, expected.scores)
    assert (result._scores.kept_predictions is None) == (name == "keep_predictions" and not value)


def test_an_unknown_parameter_is_refused():
    for name, meant in {
        **dict.fromkeys(["shares", "share_"], r"options=RunOptions\(share="),
        "Scoring": "scoring",
    }.items():
        for call in (PairedEvaluator, partial(compare, MODELS, X, Y)):
            with pytest.raises(TypeError, match=rf"PairedEvaluator has no parameter '{name}'; did you mean {meant}"):
                call(**{name: True})
    elsewhere = {"group": r"groups of evaluate\(\)", "fit_params": r"params of evaluate\(\)"}
    for name, meant in {"seed": "random_state", "folds": "cv", "metrics": "scoring", **elsewhere}.items():
        with pytest.raises(TypeError, match=rf"has no parameter '{name}'; did you mean {meant}\?"):
            PairedEvaluator(**{name: 3})
    with pytest.raises(TypeError, match=r"PairedEvaluator has no parameter 'qqq'$"):
        PairedEvaluator(qqq=True)
    with pytest.raises(ValueError, match="options must be set as a whole"):
        PairedEvaluator().set_params(options__share=True)


@pytest.mark.parametrize("value", [True, False])
def test_an_old_name_beside_the_new_one_is_refused(value):
    for make in (PairedEvaluator, PairedEvaluator().set_params):
        with pytest.raises(TypeError, match="nested is the old name of intervals, which is given too"):
            make(intervals="nested", nested=value)


@pytest.mark.parametrize(
    ("name", "value"), [("share", False), ("keep_predictions", False), ("check_data", False), ("fit_timeout", 5.0)]
)
def test_an_old_name_beside_options_that_say_otherwise_is_refused(name, value):
    usual = getattr(RunOptions(), name)
    for make in (PairedEvaluator, PairedEvaluator().set_params):
        with pytest.raises(
            TypeError, match=rf"{name} is the old name of options=RunOptions\({name}=...\), which is given"
        ):
            make(options=RunOptions(**{name: value}), **{name: usual})
        for options, other in ((RunOptions(**{name: value}), value), (RunOptions(), value), (None, value)):
            with pytest.warns(FutureWarning, match=name):
                assert getattr(make(options=options, **{name: other}).options, name) == value


@pytest.mark.parametrize("name", [*vars(RunOptions()), "nested"])
@pytest.mark.parametrize("options", [None, RunOptions(fit_timeout=5.0, keep_predictions=False, share=False)])
def test_parameters_that_moved_are_read_and_set_as_attributes_with_a_warning(name, options):
    evaluator, value = PairedEvaluator(options=options), {"fit_timeout": 7, "callback": print}.get(name, True)
    told = rf"{name}\W.*is taken until version 0\.4"
    with pytest.warns(FutureWarning, match=told):
        found = getattr(evaluator, name)
    assert found == (False if name == "nested" else getattr(options or RunOptions(), name))
    with pytest.warns(FutureWarning, match=told):
        setattr(evaluator, name, value)
    with pytest.warns(FutureWarning, match=told):
        assert getattr(evaluator, name) == value
    assert name not in vars(evaluator)
    assert evaluator.options == (options if name == "nested" else replace(options or RunOptions(), **{name: value}))
    with pytest.raises(AttributeError, match="'PairedEvaluator' object has no attribute 'keep_prediction'"):
        evaluator.keep_prediction  # noqa: B018


def test_the_global_random_state_is_drawn_from_without_a_random_state_alone(rng):
    seed = int(rng.integers(2**31))

    def states(random_state, **options):
        np.random.seed(seed)  # noqa: NPY002
        before = np.random.get_state()[1:3]  # noqa: NPY002
        result = compare(MODELS, X, Y, scoring="accuracy", random_state=random_state, **options)
        str(result), result.test()
        after = np.random.get_state()[1:3]  # noqa: NPY002
        return all(map(np.array_equal, before, after)), result

    for cv in (3, "2x3"):
        assert states(0, cv=cv)[0]
        (same, one), (_, other) = (states(None, cv=cv) for _ in range(2))
        assert not same
        np.testing.assert_array_equal(one.scores, other.scores)
    assert states(None, cv=KFold(3))[0]


def test_what_matters_is_asked_first():
    assert [*signature(PairedEvaluator).parameters][:4] == ["cv", "scoring", "n_jobs", "random_state"]


def test_the_evaluator_is_a_scikit_learn_object():
    evaluator = PairedEvaluator(cv=4, scoring="f1", n_jobs=2, random_state=1, error_score=0.0, progress=True)
    assert clone(evaluator).get_params() == evaluator.get_params()
    assert evaluator.set_params(cv=7).cv == 7
    assert "PairedEvaluator" in repr(evaluator)
    assert "<div" in evaluator._repr_html_()


# ---- data


def test_pandas_pipelines_and_string_labels():
    frame = pd.DataFrame({"size": X[:, 0], "colour": np.where(X[:, 1] > 0, "red", "blue")}, index=np.arange(90) + 1000)
    target = pd.Series(np.where(Y == 1, "yes", "no"), index=frame.index, name="target")
    prepare = make_column_transformer((StandardScaler(), ["size"]), (OneHotEncoder(), ["colour"]))
    models = {"logistic": make_pipeline(prepare, LogisticRegression()), "tree": make_pipeline(prepare, MODELS["tree"])}
    result = evaluate(models, frame, target, scoring=None)
    assert result.metrics == ("accuracy", "precision", "recall", "f1", "roc_auc")
    assert result.details.positive_class == "yes"
    expected = cross_validate(models["logistic"], frame, target, cv=result.splits())["test_score"]
    np.testing.assert_allclose(result.score("logistic", "accuracy"), expected, atol=1e-12)


@pytest.mark.parametrize("make", [sparse.csr_matrix, sparse.csc_matrix, sparse.coo_matrix, sparse.csr_array])
def test_sparse_data(make):
    counts = np.random.default_rng(0).poisson(1, (90, 6))
    models = {"multinomial": MultinomialNB(), "logistic": LogisticRegression(max_iter=500)}
    dense, thin = evaluate(models, counts.astype(float)), evaluate(models, make(counts.astype(float)))
    np.testing.assert_allclose(thin.score("multinomial", "accuracy"), dense.score("multinomial", "accuracy"))


def test_lists_are_data():
    result = evaluate(X=X.tolist(), y=Y.tolist())
    np.testing.assert_array_equal(result.scores, evaluate().scores)


def test_precomputed_kernels_are_cut_to_train_by_train():
    kernel = X @ X.T
    direct = evaluate({"a": SVC(kernel="linear"), "b": GaussianNB()}, X)
    given = evaluate({"a": SVC(kernel="precomputed"), "b": SVC(kernel="precomputed", C=2.0)}, kernel)
    np.testing.assert_allclose(given.score("a", "accuracy"), direct.score("a", "accuracy"))


def test_default_metrics_by_task():
    iris = load_iris(return_X_y=True)
    assert evaluate(X=iris[0], y=iris[1], scoring=None).metrics == (
        "accuracy",
        "precision_macro",
        "recall_macro",
        "f1_macro",
        "roc_auc_ovr",
    )
    diabetes = load_diabetes(return_X_y=True)
    assert evaluate([Ridge(), LinearRegression()], *diabetes, scoring=None).metrics == (
        "r2",
        "neg_mean_absolute_error",
        "neg_root_mean_squared_error",
    )


def test_the_default_leaves_roc_auc_out_where_a_model_has_no_scores():
    class Silent(Recorder):
        calls = []  # noqa: RUF012

    with pytest.warns(UserWarning, match="roc_auc is left out .* which 'silent' does not give"):
        result = evaluate({"silent": Silent(), "bayes": GaussianNB()}, scoring=None)
    assert result.metrics == ("accuracy", "precision", "recall", "f1")


def test_in_place_preprocessing_of_one_model_does_not_reach_the_next():
    spoiler = make_pipeline(StandardScaler(copy=False), GaussianNB())
    alone = evaluate({"a": KNeighborsClassifier(), "b": GaussianNB()})
    behind = evaluate({"spoiler": spoiler, "a": KNeighborsClassifier()})
    np.testing.assert_array_equal(behind.score("a", "accuracy"), alone.score("a", "accuracy"))


def test_inputs_are_untouched():
    before_X, before_y = X.copy(), Y.copy()
    evaluate({"spoiler": make_pipeline(StandardScaler(copy=False), GaussianNB()), "bayes": GaussianNB()})
    np.testing.assert_array_equal(before_X, X)
    np.testing.assert_array_equal(before_y, Y)


# ---- metrics that are not batched


def test_scorers_callables_and_costs_side_by_side():
    def share_of_ones(estimator, X, y):  # noqa: ARG001
        return float((estimator.predict(X) == 1).mean())

    scoring = {
        "accuracy": "accuracy",
        "scorer": make_scorer(accuracy_score),
        "callable": share_of_ones,
        "mcc": "matthews_corrcoef",
        "seconds": "fit_time",
        "predict_time": "predict_time",
        "bytes": "model_size",
    }
    result = evaluate(scoring=scoring)
    assert result.metrics == tuple(scoring)
    assert result.greater_is_better == (True, True, True, True, False, False, False)
    np.testing.assert_array_equal(result.score("tree", "accuracy"), result.score("tree", "scorer"))
    for name in ("seconds", "predict_time", "bytes"):
        assert (result.score("bayes", name) > 0).all()
    assert (result.score("tree", "bytes") == result.score("tree", "bytes").round()).all()


def test_the_sign_of_a_cost_favours_the_cheaper_model():
    result = evaluate(scoring=["model_size"], models={"small": GaussianNB(), "large": KNeighborsClassifier()})
    assert (result.score("small", "model_size") < result.score("large", "model_size")).all()
    assert (result.difference("model_size") > 0).all()
    assert result.test(metric="model_size").estimate > 0


def test_a_callable_that_gives_several_scores():
    def several(estimator, X, y):
        predicted = estimator.predict(X)
        return {"right": float((predicted == y).mean()), "wrong": -float((predicted != y).mean())}

    result = evaluate(scoring=several)
    assert result.metrics == ("right", "wrong")
    expected = cross_validate(MODELS["tree"], X, Y, cv=result.splits(), scoring=several)
    for name in result.metrics:
        np.testing.assert_allclose(result.score("tree", name), expected[f"test_{name}"])


def test_a_callable_that_gives_one_score_is_called_score():
    result = evaluate(scoring=lambda estimator, X, y: estimator.score(X, y))
    assert result.metrics == ("score",)
    assert list(result.to_cross_validate("tree")) == ["fit_time", "score_time", "test_score"]


def test_a_scorer_that_gives_no_number_is_named():
    with pytest.raises(EstimatorFailedError, match=r"'bayes'.*scoring must return a number .*; got 'good'"):
        evaluate(scoring={"words": lambda *_: "good"})


@pytest.mark.parametrize("kind", [np.float32, np.array, np.atleast_1d, np.atleast_2d, lambda score: pd.Series([score])])
def test_one_number_is_a_score_in_whatever_holds_it(kind):
    scoring = {"own": lambda model, X, y: kind(np.mean(model.predict(X) == y))}
    model, cv = GaussianNB(), StratifiedKFold(3)
    found = PairedEvaluator(cv, scoring).evaluate({"nb": model, "again": model}, X, Y)
    expected = cross_validate(model, X, Y, cv=cv, scoring=scoring)
    np.testing.assert_array_equal(found.score("nb", "own"), expected["test_own"])
    np.testing.assert_array_equal(
        skc.cross_validate(model, X, Y, cv=cv, scoring=scoring)["test_own"], found.score("nb", "own")
    )


# ---- groups and metadata


def test_fit_parameters_reach_fit_cut_to_the_training_samples():
    class Weighed(Recorder):
        calls = []  # noqa: RUF012

    weights = np.linspace(0.1, 1, 90)
    result = evaluate({"a": Weighed(), "b": GaussianNB()}, params={"sample_weight": weights})
    fits = [call for call in Weighed.calls if call[0] == "fit"]
    for (_, _, given), (train, _) in zip(fits, result.splits(), strict=True):
        np.testing.assert_array_equal(given, weights[train])
    expected = cross_validate(GaussianNB(), X, Y, cv=result.splits(), params={"sample_weight": weights})
    np.testing.assert_allclose(result.score("b", "accuracy"), expected["test_score"])


def test_parameters_that_are_not_per_sample_are_passed_whole():
    result = evaluate(
        {"a": make_pipeline(StandardScaler(), GaussianNB()), "b": make_pipeline(GaussianNB())},
        params={"gaussiannb__sample_weight": pd.Series(np.ones(90))},
    )
    assert np.isfinite(result.scores).all()


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


@pytest.mark.usefixtures("routing")
def test_routed_metadata_reaches_fit_split_and_score_as_in_cross_validate():
    weights, groups = np.linspace(0.1, 1, 90), np.arange(90) // 6
    bayes = GaussianNB().set_fit_request(sample_weight=True)
    tree = MODELS["tree"].__class__(random_state=0).set_fit_request(sample_weight=False)
    scorer = get_scorer("accuracy").set_score_request(sample_weight=True)
    f1 = get_scorer("f1").set_score_request(sample_weight=False)
    params = {"sample_weight": weights, "groups": groups}
    result = evaluate(
        {"bayes": bayes, "tree": tree}, cv=GroupKFold(3), scoring={"accuracy": scorer, "f1": f1}, params=params
    )
    for name, estimator in (("bayes", bayes), ("tree", tree)):
        expected = cross_validate(
            estimator, X, Y, cv=GroupKFold(3), scoring={"accuracy": scorer, "f1": f1}, params=params
        )
        for metric in ("accuracy", "f1"):
            np.testing.assert_allclose(result.score(name, metric), expected[f"test_{metric}"])


@pytest.mark.usefixtures("routing")
def test_routing_refuses_what_nobody_asked_for():
    with pytest.raises(UnsetMetadataPassedError, match="sample_weight"):
        evaluate(params={"sample_weight": np.ones(90)})
    with pytest.raises(ValueError, match="groups must be None when metadata routing is enabled"):
        evaluate(cv=GroupKFold(3), groups=np.arange(90) // 6)
    assert np.isfinite(evaluate(cv=GroupKFold(3), params={"groups": np.arange(90) // 6}).scores).all()


# ---- same seed, same numbers


def random_models():
    return {
        "forest": RandomForestClassifier(n_estimators=3),
        "pipeline": make_pipeline(StandardScaler(), DecisionTreeClassifier(splitter="random")),
    }


@pytest.mark.sampled
@pytest.mark.parametrize("backend", ["loky", "threading", "multiprocessing"])
def test_the_numbers_do_not_depend_on_workers_or_backend(backend):
    alone = evaluate(random_models(), cv="2x4", scoring=None)
    with joblib.parallel_config(backend=backend, n_jobs=2):
        together = evaluate(random_models(), cv="2x4", scoring=None)
    np.testing.assert_array_equal(alone.scores, together.scores)
    for a, b in zip(alone.predictions("forest"), together.predictions("forest"), strict=True):
        np.testing.assert_array_equal(a.predict_proba, b.predict_proba)


def test_a_seed_fixes_open_random_states_whatever_the_order_and_company():
    models = random_models()
    first = evaluate(models)
    turned = evaluate({"tree": DecisionTreeClassifier(), **dict(reversed(models.items()))})
    for name in models:
        np.testing.assert_array_equal(first.score(name, "accuracy"), turned.score(name, "accuracy"))
    twins = evaluate({"a": RandomForestClassifier(n_estimators=3), "b": RandomForestClassifier(n_estimators=3)})
    assert twins.test().pvalue == 1.0


def test_a_given_random_state_is_left_alone():
    tree = DecisionTreeClassifier(splitter="random", random_state=5)
    result = evaluate({"tree": tree, "bayes": GaussianNB()}, random_state=3)
    expected = cross_validate(tree, X, Y, cv=result.splits())["test_score"]
    np.testing.assert_array_equal(result.score("tree", "accuracy"), expected)


def test_a_random_state_instance_is_a_seed_drawn_once():
    a = evaluate(random_models(), random_state=np.random.RandomState(4))
    b = evaluate(random_models(), random_state=np.random.RandomState(4))
    np.testing.assert_array_equal(a.scores, b.scores)
    assert a.design.split_hash == b.design.split_hash


def test_global_random_state_is_untouched_by_a_seeded_evaluation():
    before = np.random.get_state()  # noqa: NPY002
    evaluate(random_models())
    np.testing.assert_equal(np.random.get_state(), before)  # noqa: NPY002


# ---- what is kept


def test_predictions_are_kept_fold_by_fold():
    result = evaluate(scoring=["accuracy", "roc_auc"], cv="2x3")
    kept = result.predictions("tree")
    assert len(kept) == 6
    for i, (fold, (train, test)) in enumerate(zip(kept, result.splits(), strict=True)):
        assert (fold.repeat, fold.fold) == divmod(i, 3)
        np.testing.assert_array_equal(fold.test_indices, test)
        np.testing.assert_array_equal(fold.y_true, Y[test])
        fitted = clone(MODELS["tree"]).fit(X[train], Y[train])
        np.testing.assert_array_equal(fold.y_pred, fitted.predict(X[test]))
        np.testing.assert_array_equal(fold.predict_proba, fitted.predict_proba(X[test])[:, 1])
        assert fold.decision_function is None


def test_scores_are_kept_only_where_a_metric_reads_them():
    assert all(fold.predict_proba is None for fold in evaluate().predictions("bayes"))


# ---- failures


def data_with_a_marked_sample():
    marked = X.copy()
    marked[0] = 0
    return marked


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("step", ["fit", "predict"])
def test_a_failure_stops_with_the_estimators_name_and_the_fold(step, n_jobs):
    message = rf"estimator 'fussy' failed in {step} on split \d \(repeat 0, fold \d\): RuntimeError: "
    models = {"bayes": GaussianNB(), "fussy": fails_on_split(step=step)}
    with pytest.raises(EstimatorFailedError, match=message) as caught:
        evaluate(models, data_with_a_marked_sample(), n_jobs=n_jobs)
    assert isinstance(caught.value.__cause__, RuntimeError)


@pytest.mark.parametrize("error_score", [np.nan, 0.0, -1])
def test_a_failed_fit_is_missing_whatever_stands_for_it_and_every_other_fold_kept(error_score):
    with pytest.warns(FitFailedWarning, match="1 of 6 fits failed"):
        result = evaluate(
            {"bayes": GaussianNB(), "fussy": fails_on_split()}, data_with_a_marked_sample(), error_score=error_score
        )
    (failure,) = result.failures
    assert (failure.estimator, failure.metric) == ("fussy", None)
    assert "not to my taste" in failure.message
    assert np.isnan(result.score("fussy", "accuracy")[failure.split])
    np.testing.assert_array_equal(result.to_cross_validate("fussy")["test_score"][failure.split], error_score)
    assert np.isfinite(np.delete(result.score("fussy", "accuracy"), failure.split)).all()
    assert np.isfinite(result.score("bayes", "accuracy")).all()
    said = "MISSING_SCORES: 'fussy' failed on 1 of 3 splits, which is left out of its comparisons. The first is split "
    assert f"{said}{failure.split}: see result.failures." in result.test().warnings
    assert result.test().n == 2
    assert "'fussy' failed on 1 of 3 splits" in " ".join(str(result.explain()).split())
    assert result.predictions("fussy")[failure.split].y_pred is None


def test_a_failed_prediction_takes_only_the_metrics_that_need_it():
    with pytest.warns(UserWarning, match="scoring failed 2 time"):
        result = evaluate(
            {"bayes": GaussianNB(), "fussy": fails_on_split(step="predict")},
            data_with_a_marked_sample(),
            scoring=["accuracy", "predict_time", "fit_time"],
            error_score=np.nan,
        )
    missing = np.isnan(result.scores[1]).sum(axis=0)
    assert missing.tolist() == [1, 1, 0]
    assert {failure.metric for failure in result.failures} == {"accuracy", "predict_time"}


def test_a_test_part_that_cannot_be_taken_takes_no_time():
    class Rows:
        shape = X.shape

        def __getitem__(self, rows):
            if np.size(rows[0]) < 2 * len(X) / 5:
                raise OSError("gone")
            return X[rows]

    with pytest.warns(UserWarning, match="scoring failed"):
        result = evaluate({"a": GaussianNB(), "b": DummyClassifier()}, Rows(), error_score=np.nan)
    for found in map(result.to_cross_validate, result.estimators):
        assert found["score_time"].tolist() == [0, 0, 0]
        assert np.isnan(found["test_score"]).all()


def test_a_training_set_of_one_class_gives_one_column():
    splits = [(np.flatnonzero(Y == 1), np.arange(9)), *KFold(2).split(X)]
    models = {"a": GaussianNB(), "b": DummyClassifier()}
    for error_score in ("raise", np.nan):
        with pytest.warns(UndefinedMetricWarning, match="roc_auc of '[ab]' is ill-defined on 1 of 3 folds"):
            result = evaluate(models, cv=splits, scoring="roc_auc", error_score=error_score)
        assert np.isnan(result.scores[:, 0]).all()
        assert np.isfinite(result.scores[:, 1:]).all()
        assert result.failures == ()


class OneColumn(DummyClassifier):
    """Gives a column less than there are classes."""

    def predict_proba(self, X):
        return super().predict_proba(X)[:, :1]


def test_one_column_of_two_classes_is_the_fault_of_the_model():
    with pytest.raises(EstimatorFailedError, match=r"predict_proba must give a column per class; got one$"):
        evaluate({"a": GaussianNB(), "b": OneColumn()}, scoring="roc_auc")


def test_nothing_left_is_an_error_whatever_the_error_score():
    with pytest.raises(EstimatorFailedError, match="all 6 fits failed; the first: estimator 'a'"):
        evaluate({"a": fails_on_split(99), "b": fails_on_split(99)}, error_score=np.nan)


def test_one_estimator_failing_everywhere_leaves_the_others():
    models = {"a": GaussianNB(), "b": DecisionTreeClassifier(), "broken": fails_on_split(99)}
    with pytest.warns(FitFailedWarning, match="3 of 9 fits failed"):
        result = evaluate(models, error_score=np.nan)
    assert np.isfinite(result.test(a="a", b="b").pvalue)
    with pytest.raises(ValueError, match="no pair of scores of 'a' and 'broken' left"):
        result.test(b="broken")
    assert "broken" in result.summary()


def test_a_missing_score_method_is_a_scoring_failure():
    class Silent(Recorder):
        calls = []  # noqa: RUF012

    models = {"silent": Silent(), "bayes": GaussianNB()}
    with pytest.raises(EstimatorFailedError, match=r"'silent'.*no decision_function or predict_proba"):
        evaluate(models, scoring=["roc_auc"])
    with pytest.warns(UserWarning, match="scoring failed"):
        result = evaluate(models, scoring=["accuracy", "roc_auc", "neg_log_loss", "balanced_accuracy"], error_score=0.5)
    shown = result.to_cross_validate("silent")
    for metric in ("roc_auc", "neg_log_loss"):
        assert np.isnan(result.score("silent", metric)).all()
        assert (shown[f"test_{metric}"] == 0.5).all()
        said = f"'silent' failed on 3 of 3 splits and is left out of comparisons by {metric}: see result.failures."
        assert f"MISSING_SCORES: {said}" in result._scores.score_warnings(metric, "silent")
    assert np.isfinite(shown["test_accuracy"]).all()
    expected = cross_validate(GaussianNB(), X, Y, cv=result.splits(), scoring="balanced_accuracy")["test_score"]
    np.testing.assert_allclose(result.score("bayes", "balanced_accuracy"), expected)


def test_an_estimator_that_cannot_be_pickled_fails_model_size_by_name():
    class Hermit(Recorder):
        calls = []  # noqa: RUF012

        def fit(self, X, y):
            self.secret_ = lambda: None
            return super().fit(X, y)

    with pytest.raises(EstimatorFailedError, match="'hermit' failed in model_size"):
        evaluate({"hermit": Hermit(), "bayes": GaussianNB()}, scoring=["model_size"])


def test_warnings_of_estimators_are_not_swallowed():
    class Warner(Recorder):
        calls = []  # noqa: RUF012

        def fit(self, X, y):
            warnings.warn("I am not sure about this", RuntimeWarning, stacklevel=2)
            return super().fit(X, y)

    with pytest.warns(RuntimeWarning, match="not sure"):
        evaluate({"warner": Warner(), "bayes": GaussianNB()})


@pytest.mark.parametrize("given", [np.zeros(3), np.zeros((2, 30)), 1.0])
def test_predictions_of_the_wrong_length_are_refused_by_name(given):
    class Miscounts(Recorder):
        calls = []  # noqa: RUF012

        def predict(self, X):  # noqa: ARG002
            return given

    message = r"'miscounts' failed in predict.*ValueError: predict must give one row per sample, 30; got shape"
    with pytest.raises(EstimatorFailedError, match=message):
        evaluate({"miscounts": Miscounts(), "bayes": GaussianNB()})


def _of_several_classes(scoring):
    y = np.digitize(X[:, 0], np.quantile(X[:, 0], [0.3, 0.6]))
    return PairedEvaluator(cv=3, scoring=scoring, random_state=0).evaluate([GaussianNB()], X, y)


def test_scorers_of_two_classes_say_what_to_take_for_several_and_that_works():
    for scoring in ("f1", "precision", "recall", "jaccard"):
        with pytest.raises(ValueError, match="Take a scorer of several classes, such as 'f1_macro'"):
            _of_several_classes(scoring)
    with pytest.raises(ValueError, match="Take 'roc_auc_ovr' or 'roc_auc_ovo'"):
        _of_several_classes("roc_auc")
    assert not _of_several_classes(["f1_macro", "roc_auc_ovr", "roc_auc_ovo"]).failures


@pytest.mark.parametrize("metric", [accuracy_score, lambda true, predicted: float(np.mean(true == predicted))])
def test_a_metric_in_the_place_of_a_scorer_is_told_what_makes_one_of_it_and_that_works(metric):
    with pytest.raises(EstimatorFailedError, match=r"\. Take make_scorer\(metric\)"):
        evaluate(scoring=metric)
    assert not evaluate(scoring=make_scorer(metric)).failures


def test_a_metric_of_classes_for_a_model_of_numbers_says_what_to_take():
    with pytest.raises(EstimatorFailedError, match=r"targets\. Take a metric of numbers"):
        evaluate({"ridge": Ridge()}, scoring="accuracy")


@pytest.mark.parametrize(
    "as_given",
    [lambda frame: frame, lambda frame: frame.astype({"word": "category"}), lambda frame: frame.to_numpy(dtype=object)],
)
@pytest.mark.parametrize(
    "model", [LogisticRegression(), DecisionTreeClassifier(random_state=0), SVC(), LinearRegression()]
)
def test_texts_for_a_learner_of_numbers_say_how_to_encode_them_and_that_works(model, as_given, rng):
    frame = pd.DataFrame({"number": X[:, 0], "word": rng.choice(["a", "b", "c"], len(X)).astype(object)})
    given, y = as_given(frame), X[:, 1] if model.__class__ is LinearRegression else Y
    evaluator = PairedEvaluator(cv=3, random_state=0)
    with pytest.raises(EstimatorFailedError, match=r"\. Encode the columns of texts: (.*)\.") as raised:
        evaluator.evaluate([model], given, y)
    advice = re.search(r"Encode the columns of texts: (.*)\.", str(raised.value))[1]
    names = {
        "make_pipeline": make_pipeline,
        "make_column_transformer": make_column_transformer,
        "OneHotEncoder": OneHotEncoder,
        "columns": ["word"] if given is frame or hasattr(given, "columns") else [1],
    }
    assert not evaluator.evaluate([eval(advice, names | {"model": model})], given, y).failures


@pytest.mark.parametrize("unit", ["s", "us", "ns"])
@pytest.mark.parametrize("kind", [None, object])
@pytest.mark.parametrize("model", [DecisionTreeClassifier(random_state=0), LinearRegression()])
def test_dates_for_a_learner_of_numbers_say_how_to_make_numbers_and_that_works(model, kind, unit, rng):
    days = pd.Series(np.datetime64("2020-01-01") + rng.integers(0, 900, len(X)).astype("m8[D]")).astype(f"M8[{unit}]")
    frame, evaluator = pd.DataFrame({"number": X[:, 0], "when": days.astype(kind or days.dtype)}), PairedEvaluator(cv=3)
    with pytest.raises(EstimatorFailedError, match=r"\. Make numbers of dates: (.*)\.") as raised:
        evaluator.evaluate([model], frame, Y)
    advice = re.search(r"Make numbers of dates: (.*)\.", str(raised.value))[1]
    numbers = eval(advice, {"pandas": pd, "X": frame, "name": "when"})
    assert not evaluator.evaluate([model], frame.assign(when=numbers), Y).failures


def test_a_scorer_that_meets_texts_is_not_told_to_encode_columns():
    y = np.array(["a", "b"])[Y]
    with pytest.raises(ValueError, match="could not convert string") as raised:
        PairedEvaluator(cv=3, scoring="neg_mean_absolute_error").evaluate([GaussianNB()], X, y)
    assert "Encode" not in str(raised.value)


def test_the_positive_class_keeps_the_labels_type():
    assert evaluate(y=Y.astype(bool)).details.positive_class is True
    assert evaluate(y=np.where(Y == 1, "yes", "no")).details.positive_class == "yes"
    assert evaluate(y=Y + 1).details.positive_class == 1
    assert evaluate(y=2 * Y).details.positive_class == 2


def test_times_are_those_of_the_calls():
    class Slow(Recorder):
        calls = []  # noqa: RUF012

        def fit(self, X, y):
            time.sleep(0.02)
            return super().fit(X, y)

        def predict(self, X):
            time.sleep(0.04)
            return super().predict(X)

    result = evaluate({"slow": Slow(), "bayes": GaussianNB()}, scoring=["fit_time", "predict_time"])
    assert (result.score("slow", "fit_time") >= 0.02).all()
    assert (result.score("slow", "predict_time") >= 0.04).all()
    assert np.median(result.score("bayes", "predict_time")) < 0.02
    np.testing.assert_array_equal(result.to_cross_validate("slow")["fit_time"], result.score("slow", "fit_time"))


def test_regression_with_several_targets_has_defaults():
    rng = np.random.default_rng(0)
    y = X[:, :2] + rng.normal(size=(90, 2))
    result = evaluate([Ridge(), LinearRegression()], y=y, scoring=None)
    assert result.metrics == ("r2", "neg_mean_absolute_error", "neg_root_mean_squared_error")
    expected = cross_validate(Ridge(), X, y, cv=result.splits(), scoring="r2")["test_score"]
    np.testing.assert_allclose(result.score("ridge", "r2"), expected)


def test_messages_show_values_as_people_write_them():
    with pytest.raises(ValueError, match=r"got only 0$"):
        evaluate(y=np.zeros(90, dtype=int))
    with pytest.raises(ValueError, match="got inf at position 0"):
        evaluate(y=np.full(90, np.inf))
