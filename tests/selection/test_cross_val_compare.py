"""`cross_val_compare`: each estimator's scores are those of scikit-learn's `cross_val_score`; the tests are ours."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import sklearn
from sklearn import model_selection
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

from skcompare import EstimatorFailedError, EvaluationResult, PairedEvaluator, cross_val_compare
from skcompare.inference import k_fold_t_test

X, Y = load_breast_cancer(return_X_y=True)
IRIS = load_iris(return_X_y=True)
DIABETES = tuple(part[:100] for part in load_diabetes(return_X_y=True))
TREE = DecisionTreeClassifier(max_depth=3, random_state=0)
GROUPS = np.arange(150) % 6
WEIGHTS = np.random.default_rng(0).uniform(0.1, 3, 150)
EACH = 1e-15


class Unscored(ClassifierMixin, BaseEstimator):
    """Has no score; fails where its training set has no sample of class 0 among the first ten."""

    score = property()

    def __init__(self, fragile=False):
        self.fragile = fragile

    def fit(self, X, y):
        if self.fragile and not (IRIS[0][0] == X).all(axis=1).any():
            raise RuntimeError("no first sample")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


SAME = {
    "defaults": (GaussianNB(), TREE, *IRIS, {}),
    "an int": (GaussianNB(), TREE, *IRIS, {"cv": 3}),
    "a numpy int": (GaussianNB(), TREE, *IRIS, {"cv": np.int64(3)}),
    "regressors": (Ridge(), KNeighborsRegressor(), *DIABETES, {}),
    "two targets": (Ridge(), KNeighborsRegressor(), DIABETES[0], np.c_[DIABETES[1], DIABETES[1] ** 2], {}),
    "pipeline": (make_pipeline(StandardScaler(), SVC()), TREE, *IRIS, {"cv": 4}),
    "a name": (GaussianNB(), TREE, *IRIS, {"scoring": "f1_macro"}),
    "a scorer": (GaussianNB(), TREE, *IRIS, {"scoring": make_scorer(accuracy_score)}),
    "labels": (GaussianNB(), TREE, IRIS[0], np.array(["a", "b", "c"])[IRIS[1]], {}),
    "a splitter": (GaussianNB(), TREE, *IRIS, {"cv": model_selection.ShuffleSplit(4, random_state=0)}),
    "groups": (GaussianNB(), TREE, *IRIS, {"cv": model_selection.GroupKFold(3), "groups": GROUPS}),
    "weights": (GaussianNB(), TREE, *IRIS, {"params": {"sample_weight": WEIGHTS}}),
    "lists": (GaussianNB(), TREE, IRIS[0].tolist(), IRIS[1].tolist(), {"cv": 3}),
    "a kernel": (SVC(kernel="precomputed"), SVC(kernel="precomputed", C=0.1), IRIS[0] @ IRIS[0].T, IRIS[1], {}),
    "two jobs": (GaussianNB(), TREE, *IRIS, {"n_jobs": 2}),
}


@pytest.mark.sampled
@pytest.mark.parametrize("name", SAME)
def test_the_scores_are_those_of_cross_val_score(name):
    estimator_a, estimator_b, X, y, arguments = SAME[name]
    result = cross_val_compare(estimator_a, estimator_b, X, y, **arguments)
    assert isinstance(result, EvaluationResult)
    metric = arguments["scoring"] if isinstance(arguments.get("scoring"), str) else "score"
    assert result.metrics == (metric,)
    for i, estimator in enumerate((estimator_a, estimator_b)):
        expected = cross_val_score(estimator, X, y, **arguments)
        np.testing.assert_allclose(result.score(result.estimators[i], metric), expected, rtol=0, atol=EACH)
    with pytest.raises(AssertionError):
        np.testing.assert_array_equal(result.scores[0], result.scores[1])  # they are not the same model


def test_several_metrics_are_those_of_cross_validate():
    metrics = ["accuracy", "roc_auc"]
    result = cross_val_compare(GaussianNB(), TREE, X, Y, scoring=metrics, cv=3)
    told = model_selection.cross_validate(TREE, X, Y, scoring=metrics, cv=3)
    for metric in metrics:
        found = result.score("decisiontreeclassifier", metric)
        np.testing.assert_allclose(found, told[f"test_{metric}"], rtol=0, atol=EACH)


def test_the_test_is_on_these_scores():
    """As a user of scikit-learn would do it by hand, with the training sets that 5 folds leave."""
    result = cross_val_compare(GaussianNB(), TREE, X, Y)
    a, b = (cross_val_score(estimator, X, Y) for estimator in (GaussianNB(), TREE))
    n_test, n_train = len(Y) / 5, len(Y) * 4 / 5
    t = np.mean(a - b) / np.sqrt(np.var(a - b, ddof=1) * (1 / 5 + 0.4 * n_test / n_train))
    assert result.test().statistic == pytest.approx(t, rel=1e-12)
    assert result.test().pvalue == pytest.approx(k_fold_t_test(a, b, test_fraction=0.2).pvalue, rel=1e-12)
    assert result.test().estimate > 0  # positive favours estimator_a


def test_the_names_are_those_of_the_classes():
    assert cross_val_compare(GaussianNB(), TREE, *IRIS, cv=2).estimators == ("gaussiannb", "decisiontreeclassifier")
    twice = cross_val_compare(GaussianNB(), GaussianNB(var_smoothing=0.1), *IRIS, cv=2)
    assert twice.estimators == ("gaussiannb-var_smoothing1e-09", "gaussiannb-var_smoothing0.1")


def test_it_is_the_evaluator_on_scikit_learns_folds():
    cv = model_selection.StratifiedKFold(5)
    expected = PairedEvaluator(cv=cv, scoring="accuracy").evaluate([GaussianNB(), TREE], X, Y)
    result = cross_val_compare(GaussianNB(), TREE, X, Y, scoring="accuracy")
    np.testing.assert_array_equal(result.scores, expected.scores)
    assert result.design == expected.design
    assert result.summary() == expected.summary()


def test_repeats_may_be_asked_for_by_name():
    assert cross_val_compare(GaussianNB(), TREE, *IRIS, cv="3x2").design.n_repeats == 3


def test_a_fit_that_fails_gets_the_error_score():
    arguments = {"scoring": "accuracy", "cv": 3}
    with pytest.warns(FitFailedWarning, match="1 of 6 fits failed"):
        result = cross_val_compare(Unscored(fragile=True), GaussianNB(), *IRIS, **arguments)
    with pytest.warns(FitFailedWarning):
        expected = cross_val_score(Unscored(fragile=True), *IRIS, **arguments)
    np.testing.assert_allclose(result.score("unscored", "accuracy"), expected, rtol=0, atol=EACH)
    assert np.isnan(expected).sum() == 1
    assert any("'unscored' failed on 1 of 3 splits" in warning for warning in result.test().warnings)
    with pytest.raises(EstimatorFailedError, match="'unscored' failed in fit on split 0"):
        cross_val_compare(Unscored(fragile=True), GaussianNB(), *IRIS, error_score="raise", **arguments)


def test_routed_weights_reach_those_that_ask():
    with sklearn.config_context(enable_metadata_routing=True):
        first = LogisticRegression(max_iter=500).set_fit_request(sample_weight=True)
        second = GaussianNB().set_fit_request(sample_weight=False)
        scorer = make_scorer(accuracy_score).set_score_request(sample_weight=False)
        arguments = {"scoring": scorer, "params": {"sample_weight": WEIGHTS}}
        result = cross_val_compare(first, second, *IRIS, **arguments)
        for name, estimator in zip(result.estimators, (first, second), strict=True):
            wanted = arguments if estimator is first else {"scoring": scorer}
            expected = cross_val_score(estimator, *IRIS, **wanted)
            np.testing.assert_allclose(result.score(name, "score"), expected, rtol=0, atol=EACH)


def test_what_is_printed(capsys):
    cross_val_compare(GaussianNB(), TREE, *IRIS, cv=2)
    assert capsys.readouterr() == ("", "")
    cross_val_compare(GaussianNB(), TREE, *IRIS, cv=2, verbose=True)
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("[CV] 4 of 4 fits done, elapsed: ")
    cross_val_compare(GaussianNB(), TREE, *IRIS, cv=2, verbose=2)
    assert capsys.readouterr().out.splitlines() == [
        "[CV] 1/4 END gaussiannb, repeat 0, fold 0",
        "[CV] 2/4 END decisiontreeclassifier, repeat 0, fold 0",
        "[CV] 3/4 END gaussiannb, repeat 0, fold 1",
        "[CV] 4/4 END decisiontreeclassifier, repeat 0, fold 1",
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FitFailedWarning)
        cross_val_compare(Unscored(fragile=True), TREE, *IRIS, cv=2, verbose=2, scoring="accuracy")
    assert "END unscored, repeat 0, fold 0; estimator 'unscored' failed in fit" in capsys.readouterr().out


REFUSED = {
    "no y": ({"y": None}, "y must be given; got None"),
    "a class": ({"estimator_b": GaussianNB}, r"estimators\['estimator_b'\] must be an estimator .* got a class"),
    "no predict": ({"estimator_a": StandardScaler()}, r"estimators\['estimator_a'\] must be an estimator .* without"),
    "no score": ({"estimator_b": Unscored()}, "scoring must be given, as estimator_b has no score of its own"),
    "both kinds": ({"estimator_b": LinearRegression()}, "all classifiers or all regressors"),
    "numbers for classes": ({"y": np.linspace(0, 1, 150)}, "y must hold classes for classifiers"),
    "cv": ({"cv": 1}, "cv must be"),
    "cv true": ({"cv": True}, "cv must be an int k, 'RxK', a splitter or .* got True"),
    "cv word": ({"cv": "ten"}, "cv must be an int k, 'RxK' .* got 'ten'"),
    "verbose": ({"verbose": -1}, "verbose must be"),
    "verbose word": ({"verbose": "yes"}, "verbose must be an integer of at least 0; got 'yes'"),
    "pre_dispatch": ({"pre_dispatch": "some"}, "pre_dispatch must be None, a positive integer or .* got 'some'"),
    "pre_dispatch 0": ({"pre_dispatch": 0}, "pre_dispatch must be None, a positive integer or .* got 0"),
    "error_score": ({"error_score": "skip"}, "error_score must be"),
    "n_jobs": ({"n_jobs": 0}, "n_jobs must be"),
    "params": ({"params": [1]}, "params must be None or a mapping"),
    "scoring": ({"scoring": "acuracy"}, "did you mean 'accuracy'.* scoring must be a scorer name"),
    "groups": ({"groups": GROUPS[1:]}, "groups must have one row per sample of X, 150; got 149"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_bad_input_is_refused_by_name(name):
    changed, words = REFUSED[name]
    arguments = {
        "estimator_a": GaussianNB(),
        "estimator_b": LinearSVC(),
        "X": IRIS[0],
        "y": IRIS[1],
        "cv": 3,
        **changed,
    }
    with pytest.raises(ValueError, match=words):
        cross_val_compare(**arguments)
