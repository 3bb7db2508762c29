"""On the same splits every score equals scikit-learn's `cross_validate` to 1e-12."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_diabetes, make_classification
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge, RidgeClassifier
from sklearn.metrics import f1_score, make_scorer, precision_score, recall_score
from sklearn.model_selection import cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.preprocessing import LabelEncoder
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from skcompare import PairedEvaluator

pytestmark = pytest.mark.sampled

TOLERANCE = 1e-12
LABEL_METRICS = ["accuracy", "precision", "recall", "f1"]
AVERAGED = [f"{which}_{how}" for which in ("precision", "recall", "f1") for how in ("macro", "weighted")]


class PredictOnly(ClassifierMixin, BaseEstimator):
    """A classifier without scores."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.model_ = GaussianNB().fit(X, y)
        return self

    def predict(self, X):
        return self.model_.predict(X)


class CoarseScores(PredictOnly):
    """A classifier whose scores are full of ties."""

    def predict_proba(self, X):
        proba = np.round(self.model_.predict_proba(X), 1)
        return proba / proba.sum(axis=1, keepdims=True)


CLASSIFIERS = {
    "naive Bayes": GaussianNB(),
    "ties": CoarseScores(),
    "tree, ties": DecisionTreeClassifier(max_depth=2, random_state=0),
    "neighbours, ties": KNeighborsClassifier(3),
    "decision_function first": LogisticRegression(max_iter=200),
    "decision_function only": RidgeClassifier(),
    "predict only": PredictOnly(),
    "constant": DummyClassifier(strategy="most_frequent"),
    "constant, rare class": DummyClassifier(strategy="constant", constant=1),
}


def binary(positive=0.5):
    return make_classification(n_samples=150, n_features=6, weights=[1 - positive], flip_y=0.1, random_state=0)


def multiclass(weights=None):
    return make_classification(
        n_samples=180, n_features=8, n_informative=5, n_classes=4, weights=weights, flip_y=0.1, random_state=1
    )


def relabelled(data, labels):
    X, y = data
    return X, np.array(labels)[LabelEncoder().fit_transform(y)]


BINARY_DATA = {
    "balanced": binary(),
    "imbalanced": binary(0.1),
    "labels -1 and 1": relabelled(binary(), [-1, 1]),
    "labels 1 and 2": relabelled(binary(), [1, 2]),
    "booleans": relabelled(binary(), [False, True]),
    "floats": relabelled(binary(), [0.0, 1.0]),
}
MULTICLASS_DATA = {
    "balanced": multiclass(),
    "imbalanced": multiclass([0.7, 0.15, 0.1, 0.05]),
    "strings": relabelled(multiclass(), ["ash", "birch", "cedar", "oak"]),
    "objects": relabelled(multiclass(), np.array(["ash", "birch", "cedar", "oak"], dtype=object)),
    "gaps": relabelled(multiclass(), [3, 7, 8, 100]),
}


def expected_scores(estimator, X, y, splits, scoring):
    """The scores of `cross_validate`, of all metrics at once where it can give them."""
    options = {"cv": splits, "error_score": np.nan}
    try:
        found = cross_validate(estimator, X, y, scoring=scoring, **options)
        return {name: found[f"test_{name}"] for name in scoring}
    except AttributeError:  # asked for several, it stops altogether where one needs a missing method
        return {
            name: cross_validate(estimator, X, y, scoring=scorer, **options)["test_score"]
            for name, scorer in scoring.items()
        }


def assert_equal_to_cross_validate(estimator, X, y, scoring, reference_scoring=None, cv="1x3"):
    """Evaluate against a second model on new splits, and compare with scikit-learn on those splits."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = PairedEvaluator(cv=cv, scoring=scoring, random_state=3, error_score=np.nan).evaluate(
            {"model": estimator, "other": GaussianNB()}, X, y
        )
        reference = reference_scoring or {name: name for name in scoring}
        expected = expected_scores(estimator, X, y, result.splits(), reference)
    assert result.metrics == tuple(expected)
    for name, scores in expected.items():
        np.testing.assert_allclose(result.score("model", name), scores, rtol=0, atol=TOLERANCE, err_msg=name)


def usable(model, y):
    """The constant of the constant classifier must be a label."""
    estimator = CLASSIFIERS[model]
    if model == "constant, rare class":
        labels, counts = np.unique(y, return_counts=True)
        estimator = DummyClassifier(strategy="constant", constant=labels.tolist()[counts.argmin()])
        if isinstance(estimator.constant, (bool, float)):
            estimator.set_params(constant=int(estimator.constant))
    return estimator


@pytest.mark.parametrize("model", CLASSIFIERS)
@pytest.mark.parametrize("data", BINARY_DATA)
def test_binary_scores_equal_cross_validate(data, model):
    X, y = BINARY_DATA[data]
    scoring = [*LABEL_METRICS, *AVERAGED, "roc_auc", "roc_auc_ovr", "balanced_accuracy", "neg_log_loss"]
    assert_equal_to_cross_validate(usable(model, y), X, y, scoring)


@pytest.mark.parametrize("model", CLASSIFIERS)
@pytest.mark.parametrize("data", MULTICLASS_DATA)
def test_multiclass_scores_equal_cross_validate(data, model):
    X, y = MULTICLASS_DATA[data]
    scoring = ["accuracy", *AVERAGED, "roc_auc_ovr", "matthews_corrcoef", "precision", "roc_auc"]
    assert_equal_to_cross_validate(usable(model, y), X, y, scoring)


@pytest.mark.parametrize("model", CLASSIFIERS)
@pytest.mark.parametrize("labels", [["no", "yes"], np.array(["no", "yes"], dtype=object), [0, 2]])
def test_the_positive_class_without_a_label_1_is_the_last_label(labels, model):
    X, y = relabelled(binary(0.2), labels)
    functions = {"precision": precision_score, "recall": recall_score, "f1": f1_score}
    positive = np.unique(y)[-1]
    reference = {name: make_scorer(function, pos_label=positive) for name, function in functions.items()}
    reference |= {name: name for name in ("accuracy", "f1_macro", "f1_weighted", "roc_auc")}
    assert_equal_to_cross_validate(usable(model, y), X, y, list(reference), reference)
    assert_equal_to_cross_validate(usable(model, y), X, y, reference, reference)


@pytest.mark.parametrize("cv", [5, "1x7", "3x2", "10x3"])
def test_equality_holds_for_every_fold_layout(cv):
    X, y = BINARY_DATA["imbalanced"]
    assert_equal_to_cross_validate(CoarseScores(), X, y, [*LABEL_METRICS, "roc_auc"], cv=cv)


@pytest.mark.parametrize("regressor", [LinearRegression(), DecisionTreeRegressor(random_state=0), DummyRegressor()])
def test_regression_scores_equal_cross_validate(regressor):
    X, y = load_diabetes(return_X_y=True)
    scoring = ["r2", "neg_mean_absolute_error", "neg_mean_squared_error", "neg_root_mean_squared_error", "max_error"]
    scoring[-1] = "neg_max_error"
    result = PairedEvaluator(cv=4, scoring=scoring, random_state=0).evaluate([regressor, LinearRegression()], X, y)
    expected = cross_validate(regressor, X, y, cv=result.splits(), scoring=scoring)
    for name in scoring:
        ours = result.score(result.estimators[0], name)
        np.testing.assert_allclose(ours, expected[f"test_{name}"], rtol=TOLERANCE, atol=TOLERANCE, err_msg=name)


def test_constant_target_in_a_fold_follows_scikit_learn():
    X = np.arange(24.0)[:, None]
    y = np.repeat([1.0, 2.0, 5.0, 5.0], 6)
    y[:6] += 0.1 * np.arange(6)
    folds = [(np.setdiff1d(np.arange(24), test), test) for test in np.arange(24).reshape(4, 6)]
    for regressor in (DummyRegressor(strategy="constant", constant=5.0), LinearRegression()):
        result = PairedEvaluator(cv=folds, scoring="r2").evaluate([regressor, DummyRegressor()], X, y)
        expected = cross_validate(regressor, X, y, cv=folds, scoring="r2")["test_score"]
        np.testing.assert_allclose(result.scores[0, :, 0], expected, rtol=TOLERANCE)


def test_one_class_in_a_test_set_gives_nan_and_one_warning_for_roc_auc():
    X, y = BINARY_DATA["balanced"]
    order = np.argsort(y, kind="stable")
    one_class, rest = order[:10], order[10:]
    folds = [(rest[::2], one_class), (np.r_[one_class, rest[::2]], rest[1::2])]
    with pytest.warns(UndefinedMetricWarning, match=r"roc_auc of '[ab]' is ill-defined on 1 of 2 folds") as record:
        result = PairedEvaluator(cv=folds, scoring=["roc_auc"]).evaluate({"a": GaussianNB(), "b": GaussianNB()}, X, y)
    assert len(record) == 2  # one for each estimator
    assert np.isnan(result.score("a", "roc_auc")).tolist() == [True, False]


def test_a_class_without_predictions_warns_like_scikit_learn():
    X, y = BINARY_DATA["imbalanced"]
    with pytest.warns(UndefinedMetricWarning, match="precision of 'constant' is ill-defined on 5 of 5 folds"):
        result = PairedEvaluator(cv=5, scoring=["precision"], random_state=0).evaluate(
            {"constant": DummyClassifier(strategy="most_frequent"), "bayes": GaussianNB()}, X, y
        )
    assert (result.score("constant", "precision") == 0).all()


def test_a_class_missing_from_the_training_set_follows_scikit_learn():
    X, y = MULTICLASS_DATA["balanced"]
    rare = np.flatnonzero(y == 3)
    rest = np.flatnonzero(y != 3)
    folds = [(rest[::2], np.r_[rare, rest[1::2]]), (np.r_[rare, rest[1::2]], rest[::2])]
    scoring = ["accuracy", *AVERAGED]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        result = PairedEvaluator(cv=folds, scoring=scoring).evaluate([GaussianNB(), KNeighborsClassifier()], X, y)
        expected = cross_validate(GaussianNB(), X, y, cv=folds, scoring=scoring)
    for name in scoring:
        np.testing.assert_allclose(result.score("gaussiannb", name), expected[f"test_{name}"], atol=TOLERANCE)


def test_predictions_outside_the_classes_are_scored_as_scikit_learn_scores_them():
    class Stranger(PredictOnly):
        def predict(self, X):
            labels = super().predict(X)
            labels[:3] = 9
            return labels

    X, y = MULTICLASS_DATA["balanced"]
    assert_equal_to_cross_validate(Stranger(), X, y, ["accuracy", "f1_macro", "recall_weighted"])


def test_extreme_and_tiny_scores_keep_their_order():
    class Tiny(PredictOnly):
        def predict_proba(self, X):
            second = self.model_.predict_proba(X)[:, 1] * 1e-300
            return np.column_stack([1 - second, second])

    X, y = BINARY_DATA["balanced"]
    assert_equal_to_cross_validate(Tiny(), X, y, ["roc_auc", "roc_auc_ovr"])


@pytest.mark.parametrize("n_samples", [1_500, 70_000])
def test_folds_larger_than_a_block_are_scored_the_same(n_samples):
    X, y = make_classification(n_samples=n_samples, n_features=4, random_state=0)
    result = PairedEvaluator(cv=2, scoring=[*LABEL_METRICS, "roc_auc"], random_state=0).evaluate(
        [CoarseScores(), GaussianNB()], X, y
    )
    expected = cross_validate(CoarseScores(), X, y, cv=result.splits(), scoring=[*LABEL_METRICS, "roc_auc"])
    for name in result.metrics:
        np.testing.assert_allclose(result.score("coarsescores", name), expected[f"test_{name}"], atol=TOLERANCE)


def test_forests_with_a_seed_give_the_same_scores():
    X, y = MULTICLASS_DATA["imbalanced"]
    forest = RandomForestClassifier(n_estimators=5, random_state=7)
    assert_equal_to_cross_validate(forest, X, y, ["accuracy", "f1_weighted", "roc_auc_ovr"], cv=3)


@pytest.mark.parametrize("data", BINARY_DATA)
def test_specificity_is_the_recall_of_the_other_class(data):
    X, y = BINARY_DATA[data]
    result = PairedEvaluator(cv=4, scoring=["specificity", "false_alarm_rate"], random_state=0).evaluate(
        [GaussianNB(), CoarseScores()], X, y
    )
    assert result.greater_is_better == (True, False)
    (other,) = (label for label in np.unique(y) if label != result.details.positive_class)
    expected = cross_validate(
        GaussianNB(), X, y, cv=result.splits(), scoring=make_scorer(recall_score, pos_label=other)
    )["test_score"]
    np.testing.assert_allclose(result.score("gaussiannb", "specificity"), expected, atol=TOLERANCE)
    np.testing.assert_allclose(result.score("gaussiannb", "false_alarm_rate"), 1 - expected, atol=TOLERANCE)


def test_specificity_without_a_negative_is_undefined():
    X, y = BINARY_DATA["balanced"]
    order = np.argsort(-y, kind="stable")
    folds = [(order[10:], order[:10]), (order[:-10], order[-10:])]
    with pytest.warns(UndefinedMetricWarning, match="specificity of '.*' is ill-defined on 1 of 2 folds"):
        result = PairedEvaluator(cv=folds, scoring="specificity").evaluate([GaussianNB(), GaussianNB()], X, y)
    assert np.isnan(result.scores[0, :, 0]).tolist() == [True, False]


@pytest.mark.parametrize(("X_dtype", "y_dtype"), [("f4", "f4"), ("f4", "f8"), ("f8", "f4"), ("f8", "i8")])
def test_regression_in_single_precision_equals_cross_validate(X_dtype, y_dtype):
    X, y = load_diabetes(return_X_y=True)
    X, y = X.astype(X_dtype), y.astype(y_dtype)
    scoring = ["r2", "neg_mean_absolute_error", "neg_mean_squared_error", "neg_root_mean_squared_error"]
    result = PairedEvaluator(cv=4, scoring=scoring, random_state=0).evaluate([Ridge(), KNeighborsRegressor()], X, y)
    expected = cross_validate(Ridge(), X, y, cv=result.splits(), scoring=scoring)
    for name in scoring:
        np.testing.assert_allclose(result.score("ridge", name), expected[f"test_{name}"], rtol=TOLERANCE, err_msg=name)


def test_a_decision_function_of_one_column_is_ranked():
    class OneColumn(PredictOnly):
        def decision_function(self, X):
            return self.model_.predict_proba(X)[:, 1:]

    X, y = BINARY_DATA["balanced"]
    assert_equal_to_cross_validate(OneColumn(), X, y, ["roc_auc"])
