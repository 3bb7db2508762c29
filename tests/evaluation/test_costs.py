"""Memory and complexity of fitted models: what is counted, and that it is the same wherever a model is fitted."""

from __future__ import annotations

import random
import tracemalloc
import warnings

import joblib
import numpy as np
import pytest
from sklearn import ensemble
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_diabetes, load_iris
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.dummy import DummyClassifier
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.linear_model import Lasso, LogisticRegression, SGDClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier, OutputCodeClassifier
from sklearn.naive_bayes import CategoricalNB, GaussianNB, MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from skcompare import PairedEvaluator, RunOptions, load
from skcompare.evaluation.learners import complexity_of, unit_of

X, Y = load_iris(return_X_y=True)
NUMBERS = load_diabetes(return_X_y=True)
STUMP = DecisionTreeClassifier(max_depth=1)


def evaluate(models, X=X, y=Y, *, scoring=("accuracy", "peak_memory"), cv=3, **options):
    return PairedEvaluator(cv, list(scoring), random_state=0, **options).evaluate(models, X, y)


# ---- complexity -----------------------------------------------------------------------------------------------


# Counted by hand: iris has 150 samples of 4 columns and 3 classes; each stump has 2 leaves.
@pytest.mark.parametrize(
    ("model", "unit", "expected"),
    [
        (STUMP, "leaves", 2),
        (DecisionTreeClassifier(max_leaf_nodes=5), "leaves", 5),
        (ensemble.RandomForestClassifier(7, max_depth=1), "leaves", 7 * 2),
        (ensemble.GradientBoostingClassifier(n_estimators=4, max_depth=1), "leaves", 4 * 3 * 2),
        (ensemble.HistGradientBoostingClassifier(max_iter=4, max_leaf_nodes=2), "leaves", 4 * 3 * 2),
        (ensemble.AdaBoostClassifier(n_estimators=3), "leaves", 3 * 2),
        (ensemble.AdaBoostClassifier(LogisticRegression(), n_estimators=2), "coefficients", 2 * 3 * 4),
        (LogisticRegression(), "coefficients", 3 * 4),
        (LinearSVC(), "coefficients", 3 * 4),
        (OneVsRestClassifier(LogisticRegression()), "coefficients", 3 * 4),
        (OneVsOneClassifier(STUMP), "leaves", 3 * 2),
        (CalibratedClassifierCV(STUMP, cv=2), "leaves", 2 * 2),
        (GaussianNB(), "estimates", 2 * 3 * 4 + 3),
        (MultinomialNB(), "estimates", 3 * 4 + 3),
        (DummyClassifier(), "estimates", 3),
        (KNeighborsClassifier(), "stored samples", 150),
        (MLPClassifier((5,), max_iter=2), "weights", 4 * 5 + 5 + 5 * 3 + 3),
        (make_pipeline(StandardScaler(), STUMP), "leaves", 2),
        (GridSearchCV(DecisionTreeClassifier(), {"max_depth": [1]}, cv=2), "leaves", 2),
        (make_pipeline(StandardScaler(), GridSearchCV(STUMP, {"criterion": ["gini", "entropy"]}, cv=2)), "leaves", 2),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseEstimator) else None,
)
def test_what_a_model_is_made_of_is_counted(model, unit, expected):
    assert unit_of(model) == unit
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert complexity_of(model.fit(X, Y)) == expected


def test_counts_are_those_of_the_models_own_attributes():
    for kernel in ("rbf", "linear"):
        machine = SVC(kernel=kernel).fit(X, Y)
        assert unit_of(machine) == "support vectors"
        assert complexity_of(machine) == machine.n_support_.sum() < 150
    lasso = Lasso(alpha=0.5).fit(*NUMBERS)
    assert complexity_of(lasso) == (lasso.coef_ != 0).sum() < NUMBERS[0].shape[1]
    sparse = SGDClassifier(penalty="l1", random_state=0).fit(X, Y)
    dense = complexity_of(sparse)
    assert complexity_of(sparse.sparsify()) == dense
    trees = ensemble.BaggingRegressor(DecisionTreeRegressor(max_depth=3), 3, random_state=0).fit(*NUMBERS)
    assert complexity_of(trees) == sum(tree.get_n_leaves() for tree in trees.estimators_)
    counts = CategoricalNB().fit(X.round(), Y)
    assert complexity_of(counts) == sum(3 * n for n in counts.n_categories_) + 3


def test_a_class_that_is_the_same_everywhere_adds_nothing():
    with pytest.warns(UserWarning, match="Label"):
        ones = OneVsRestClassifier(STUMP).fit(X, np.c_[np.ones(len(Y), int), Y == 0])
    assert complexity_of(ones) == 2


class Mine(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):  # noqa: ARG002
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


class MyTree(DecisionTreeClassifier):
    pass


@pytest.mark.parametrize(
    "model",
    [
        Mine(),
        MyTree(),
        QuadraticDiscriminantAnalysis(),
        GaussianProcessClassifier(),
        ensemble.VotingClassifier([("a", STUMP), ("b", GaussianNB())]),
        make_pipeline(StandardScaler(), Mine()),
        GridSearchCV(make_pipeline(StandardScaler(), STUMP), {"decisiontreeclassifier": [GaussianNB(), STUMP]}),
        OutputCodeClassifier(Mine()),
    ],
    ids=lambda model: type(model).__name__,
)
def test_what_is_not_known_is_refused_before_any_fit(model, monkeypatch):
    monkeypatch.setattr(DecisionTreeClassifier, "fit", lambda *_: pytest.fail("fitted"))
    assert not unit_of(model)
    with pytest.raises(ValueError, match=r"callable.* 'other' .* is not known"):
        evaluate({"tree": STUMP, "other": model}, scoring=["complexity"])
    with pytest.raises(ValueError, match="is not known"):
        PairedEvaluator(3, ["complexity"]).evaluate_datasets({"tree": STUMP, "other": model}, {"iris": (X, Y)})


def test_searching_a_transformer_is_no_choice_of_learners():
    pipeline = make_pipeline(StandardScaler(), LogisticRegression())
    assert unit_of(GridSearchCV(pipeline, {"standardscaler": [StandardScaler(), MinMaxScaler()]})) == "coefficients"


def test_a_callable_counts_where_nothing_is_known():
    scoring = {"accuracy": "accuracy", "complexity": lambda model, X, y: 7 if isinstance(model, Mine) else 2}  # noqa: ARG005
    result = PairedEvaluator(3, scoring).evaluate({"mine": Mine(), "tree": STUMP}, X, Y)
    assert result.greater_is_better == (True, False)
    assert result.scores[:, :, 1].tolist() == [[7] * 3, [2] * 3]
    assert not any(one.code == "DIFFERENT_UNITS" for one in result.compare(metrics="complexity")[0].warnings)


# ---- memory ---------------------------------------------------------------------------------------------------


class Holds(ClassifierMixin, BaseEstimator):
    """Holds so many numbers while it is fitted, draws at random, warns, and counts its fits."""

    def __init__(self, n=1, random_state=None):
        self.n = n
        self.random_state = random_state

    def fit(self, X, y):  # noqa: ARG002
        held = np.ones(self.n)
        warnings.warn("held", UserWarning, stacklevel=2)
        self.drawn_ = np.random.random() + random.random() + held[0]  # noqa: NPY002
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[int(self.drawn_ * 997) % len(self.classes_)])


@pytest.mark.parametrize("tracing", [False, True])
def test_memory_is_the_most_that_a_fit_holds(tracing):
    if tracing:
        tracemalloc.start()
    try:
        with pytest.warns(UserWarning, match="held") as told:
            result = evaluate({"small": Holds(10**5), "large": Holds(10**6)})
        assert tracemalloc.is_tracing() == tracing
    finally:
        tracemalloc.stop()
    assert len(told) == 2 * 3  # the second fit says nothing
    for name, n in {"small": 10**5, "large": 10**6}.items():
        found = result.score(name, "peak_memory")
        assert (8 * n <= found).all()
        assert (found < 8 * n + 10**5).all()


def test_measuring_memory_changes_no_other_number():
    def scores(scoring):
        random.seed(3)
        np.random.seed(3)  # noqa: NPY002
        evaluator = PairedEvaluator([(np.arange(100), np.arange(100, 150))] * 4, scoring)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return evaluator.evaluate({"a": Holds(), "b": Holds(2)}, X, Y).score("b", "accuracy")

    assert scores(["accuracy"]).tolist() == scores(["accuracy", "peak_memory"]).tolist()


def test_shared_steps_count_for_each_model():
    step = StandardScaler()
    models = {"knn": make_pipeline(step, KNeighborsClassifier()), "nb": make_pipeline(step, GaussianNB())}
    large = np.tile(X, (40, 1)), np.tile(Y, 40)
    shared = evaluate(models, *large)
    assert "shared_steps" in shared.provenance
    alone = evaluate(models, *large, options=RunOptions(share=False))
    for name in models:
        ours, theirs = (result.score(name, "peak_memory") for result in (shared, alone))
        assert (ours > 8 * large[0].size * 2 / 3).all()  # what the scaler makes
        np.testing.assert_allclose(ours, theirs, rtol=0.1)
    assert (shared.score("nb", "accuracy") == alone.score("nb", "accuracy")).all()


def test_workers_count_the_same_and_threads_are_refused():
    models = {"nb": make_pipeline(StandardScaler(), GaussianNB()), "tree": STUMP}
    here, there = evaluate(models), evaluate(models, n_jobs=2)
    np.testing.assert_allclose(here.scores[:, :, 1], there.scores[:, :, 1], atol=20_000)  # of objects of Python
    with joblib.parallel_config(backend="threading"):
        with pytest.raises(ValueError, match=r"n_jobs must be 1 .*peak_memory"):
            evaluate(models, n_jobs=2)
        assert np.isfinite(evaluate(models, n_jobs=1).scores).all()
        assert np.isfinite(evaluate(models, scoring=["accuracy", "complexity"], n_jobs=2).scores).all()


def test_a_fit_that_fails_the_second_time_is_a_failure_of_this_metric(monkeypatch):
    fits = []

    def fail_second(self, X, y):  # noqa: ARG001
        fits.append(len(fits))
        if fits[-1] % 2:
            raise MemoryError("none left")
        self.drawn_, self.classes_ = 0.0, np.unique(y)
        return self

    monkeypatch.setattr(Holds, "fit", fail_second)
    with pytest.warns(UserWarning, match="peak_memory"):
        result = evaluate({"a": Holds(), "b": STUMP}, error_score=np.nan)
    assert np.isnan(result.score("a", "peak_memory")).all()
    assert np.isfinite(result.score("a", "accuracy")).all()
    assert {failure.metric for failure in result.failures} == {"peak_memory"}


def test_both_come_back_from_a_store_and_a_file(tmp_path):
    models = {"lr": LogisticRegression(max_iter=500), "tree": STUMP}
    scoring = ["accuracy", "peak_memory", "complexity", "model_size"]
    kept = {"store": tmp_path / "fits.db"}
    first = evaluate(models, scoring=scoring, **kept)
    again = evaluate(models, scoring=scoring, **kept)
    assert (first.scores == again.scores).all()  # memory too: nothing was fitted again
    assert (evaluate(models, scoring=["accuracy"], **kept).scores[:, :, 0] == first.scores[:, :, 0]).all()
    assert (
        evaluate(models, scoring=["accuracy", "complexity"], **kept).score("tree", "complexity").tolist() == [2.0] * 3
    )
    first.save(tmp_path / "result.skc")
    loaded = load(tmp_path / "result.skc")
    assert (loaded.scores == first.scores).all()
    assert loaded.greater_is_better == (True, False, False, False)
    assert str(loaded.compare()) == str(first.compare())


def test_texts_have_memory_too():
    texts = np.array(["good", "bad thing", "good thing", "bad"] * 12, dtype=object)
    models = {"nb": make_pipeline(CountVectorizer(), MultinomialNB()), "dummy": DummyClassifier()}
    result = evaluate(models, texts, [1, 0, 1, 0] * 12, scoring=["accuracy", "peak_memory", "complexity"])
    assert (result.score("nb", "peak_memory") > result.score("dummy", "peak_memory")).all()
    assert result.score("nb", "complexity").tolist() == [2 * 3 + 2] * 3
