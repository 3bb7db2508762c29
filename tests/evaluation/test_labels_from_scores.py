"""Labels that follow from scores are those of `predict`, to the bit; with any doubt `predict` is asked."""

from __future__ import annotations

import warnings
from functools import wraps

import numpy as np
import pytest
from sklearn import ensemble, linear_model
from sklearn.calibration import CalibratedClassifierCV
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, ComplementNB, GaussianNB, MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.semi_supervised import LabelPropagation, LabelSpreading
from sklearn.svm import SVC, LinearSVC, NuSVC
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier

from skcompare import PairedEvaluator, RunOptions
from skcompare.evaluation import learners
from skcompare.evaluation.learners import RULES, giving_labels, labels_from

TREE = DecisionTreeClassifier(max_depth=2, random_state=0)
CLASSIFIERS = [
    KNeighborsClassifier(4),
    KNeighborsClassifier(6, algorithm="kd_tree"),
    KNeighborsClassifier(4, algorithm="brute", metric="manhattan"),
    KNeighborsClassifier(4, algorithm="brute", metric="euclidean"),
    KNeighborsClassifier(4, weights="distance"),
    GaussianNB(),
    MultinomialNB(),
    ComplementNB(),
    BernoulliNB(binarize=1.0),
    CategoricalNB(min_categories=8),
    TREE,
    ExtraTreeClassifier(max_depth=3, random_state=0),
    ensemble.RandomForestClassifier(2, max_depth=2, random_state=0),
    ensemble.ExtraTreesClassifier(2, max_depth=2, random_state=0),
    ensemble.BaggingClassifier(TREE, 2, random_state=0),
    ensemble.VotingClassifier([("tree", TREE), ("nb", GaussianNB())], voting="soft"),
    CalibratedClassifierCV(TREE, cv=2, ensemble=False),
    LabelPropagation(max_iter=50),
    LabelSpreading(max_iter=5),
    linear_model.LogisticRegression(max_iter=20),
    linear_model.LogisticRegression(C=1e6, max_iter=30),
    linear_model.LogisticRegressionCV(Cs=1, cv=2, max_iter=5),
    linear_model.SGDClassifier(loss="modified_huber", max_iter=20, random_state=0),
    LinearDiscriminantAnalysis(),
    QuadraticDiscriminantAnalysis(reg_param=0.1),
    ensemble.AdaBoostClassifier(n_estimators=2, random_state=0),
    LinearSVC(max_iter=50, random_state=0),
    linear_model.RidgeClassifier(),
    linear_model.RidgeClassifierCV(),
    linear_model.Perceptron(max_iter=20, random_state=0),
    SVC(),
    SVC(kernel="linear", probability=True, random_state=0),
    NuSVC(nu=0.1),
    make_pipeline(
        StandardScaler(), make_pipeline(StandardScaler(with_mean=False), linear_model.LogisticRegression(max_iter=20))
    ),
]
N_DATASETS = 20


def drawn(rng, kind):
    """Training data, test data; of whole numbers and with rows that stand twice, of either class."""
    n_classes = 1 if kind == 0 else 2 + kind % 4
    X = rng.integers(0, 6 if kind % 2 else 3, (44, 3)).astype(np.float32 if kind % 5 == 4 else np.float64)
    if kind % 4 == 3:
        X += rng.random(X.shape)
    X[20:34] = X[6:20]
    y = rng.integers(n_classes, size=44)
    y[:n_classes] = np.arange(n_classes)
    if kind % 3 == 1:
        y = np.array(["a", "bb", "ccc", "d", "e"])[y]
    return X[:30], y[:30], X[14:]


@pytest.mark.sampled
@pytest.mark.parametrize("model", CLASSIFIERS, ids=lambda model: repr(model).replace("\n", "")[:50])
@pytest.mark.filterwarnings("ignore")
def test_the_labels_are_those_of_predict(model, rng):
    certain = 0
    for kind in range(N_DATASETS):
        X, y, X_test = drawn(rng, kind)
        methods = [name for name in ("decision_function", "predict_proba") if giving_labels(model, [(name,)])]
        assert methods
        try:
            fitted = model.fit(X, y)
            predicted = fitted.predict(X_test)
            scores = {method: getattr(fitted, method)(X_test) for method in methods}
        except ValueError:  # one class, or a share of support vectors that cannot be
            continue
        for method in methods:
            labels = labels_from(fitted, method, scores[method])
            if labels is not None:
                certain += 1
                assert labels.dtype == predicted.dtype, (kind, method)
                np.testing.assert_array_equal(labels, predicted, err_msg=f"{kind} {method}")
    assert certain, "no data set on which the labels follow from the scores"


def test_every_class_of_the_table_is_tested():
    tested = {type(model).__name__ for model in CLASSIFIERS}
    assert tested - {"Pipeline", "KNeighborsClassifier"} == set(RULES)


def test_a_predict_that_was_replaced_is_asked(monkeypatch):
    assert giving_labels(GaussianNB(), [("predict_proba",)]) == "predict_proba"
    monkeypatch.setattr(GaussianNB, "predict", lambda self, X: self.classes_[:1].repeat(len(X)))
    assert giving_labels(GaussianNB(), [("predict_proba",)]) is None


def test_what_is_not_certain_is_not_decided():
    nb = GaussianNB().fit([[0], [1], [0], [1]], [0, 1, 0, 1])
    assert labels_from(nb, "predict_proba", np.array([[0.5, 0.5], [0.1, 0.9]])) is None
    assert labels_from(nb, "predict_proba", np.array([[0.4, 0.6], [0.1, 0.9]])).tolist() == [1, 1]
    assert labels_from(nb, "predict_proba", np.array([[np.nan, np.nan], [0.1, 0.9]])) is None
    assert labels_from(nb, "predict_proba", np.full((2, 3), 1 / 3)) is None  # of other classes than it knows
    ridge = linear_model.RidgeClassifier().fit([[0], [1]], [0, 1])
    assert labels_from(ridge, "decision_function", np.array([0.0, 1.0])) is None
    assert labels_from(ridge, "decision_function", np.array([-1.0, 1.0])).tolist() == [0, 1]


class Contrary(GaussianNB):
    """It predicts the smallest."""

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmin(axis=1)]


def test_only_the_exact_classes_count():
    X, y = np.arange(8.0)[:, None], [0, 1] * 4
    probability = [("predict_proba",)]
    assert giving_labels(GaussianNB().fit(X, y), probability) == "predict_proba"
    assert giving_labels(Contrary().fit(X, y), probability) is None
    assert giving_labels(make_pipeline(StandardScaler(), Contrary()).fit(X, y), probability) is None
    assert giving_labels(KNeighborsClassifier(3, weights=lambda d: d + 1).fit(X, y), probability) is None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        assert giving_labels(SVC(probability=True).fit(X, y), probability) is None


def calls(monkeypatch, model, **settings):
    """The result of an evaluation, and how many samples `predict` was asked for."""
    asked = []
    plain = type(model).predict
    counting = wraps(plain)(lambda self, X: asked.append(len(X)) or plain(self, X))  # of the same module
    monkeypatch.setattr(type(model), "predict", counting)
    X, y = np.random.default_rng(0).integers(0, 9, (60, 3)).astype(float), np.arange(60) % 2
    given = {"scoring": ["accuracy", "roc_auc"], "cv": "2x5", "random_state": 0, **settings}
    return PairedEvaluator(**given).evaluate({"one": model, "other": TREE}, X, y), sum(asked)


def test_predict_is_asked_on_the_first_split_alone(monkeypatch):
    together, asked = calls(monkeypatch, KNeighborsClassifier())
    assert asked == 12
    monkeypatch.setattr(learners, "RULES", {})
    monkeypatch.setattr(learners, "_NEIGHBORS", {})
    plain, asked = calls(monkeypatch, KNeighborsClassifier())
    assert asked == 120
    np.testing.assert_array_equal(together.scores, plain.scores)
    for name in ("one", "other"):
        for one, other in zip(together.predictions(name), plain.predictions(name), strict=True):
            np.testing.assert_array_equal(one.y_pred, other.y_pred)
            np.testing.assert_array_equal(one.predict_proba, other.predict_proba)


@pytest.mark.parametrize(
    "settings",
    [
        {"scoring": ["accuracy", "predict_time"]},
        {"scoring": ["accuracy"], "options": RunOptions(keep_predictions=False)},
    ],
    ids=["time of predicting", "no scores"],
)
def test_predict_is_asked_where_its_time_is_measured_or_no_scores_are(monkeypatch, settings):
    assert calls(monkeypatch, KNeighborsClassifier(), **settings)[1] == 120


def test_predict_is_asked_of_what_changes_its_input(monkeypatch):
    assert calls(monkeypatch, make_pipeline(StandardScaler(), GaussianNB()))[1] == 12
    assert calls(monkeypatch, make_pipeline(StandardScaler(copy=False), GaussianNB()))[1] == 120


def test_a_class_that_predicts_otherwise_is_found_on_the_first_split(monkeypatch):
    first = wraps(KNeighborsClassifier.predict)(lambda self, X: self.classes_[np.zeros(len(X), dtype=int)])
    monkeypatch.setattr(KNeighborsClassifier, "predict", first)
    result, asked = calls(monkeypatch, KNeighborsClassifier())
    assert asked == 12 + 120
    accuracy = result.scores[0, :, 0]
    np.testing.assert_allclose(accuracy, 0.5, atol=0.1)  # of one class


def test_a_stored_fit_without_its_time_of_predicting_is_fitted_again(monkeypatch, tmp_path):
    store = tmp_path / "fits"
    assert calls(monkeypatch, KNeighborsClassifier(), store=store)[1] == 12
    timed, asked = calls(monkeypatch, KNeighborsClassifier(), store=store, scoring=["accuracy", "predict_time"])
    assert asked == 120
    assert np.all(timed.scores[:, :, 1] > 0)
