"""Neighbours of all samples are searched once for all folds and numbers of neighbours, and no number changes by it."""

from __future__ import annotations

import os

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_digits, load_iris, make_classification
from sklearn.model_selection import KFold, ShuffleSplit
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcompare import PairedEvaluator, RunOptions

pytestmark = [
    pytest.mark.sampled,
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning"),
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),  # of numbers that overflow when they are squared
]

X, Y = make_classification(120, n_features=6, random_state=0)
SEVERAL = {f"k={k}": KNeighborsClassifier(k) for k in (1, 4, 11)}


def evaluate(models, X=X, y=Y, *, share=True, cv="2x5", scoring=None, n_jobs=None, **options):
    run = RunOptions(share=share, check_data=False)
    return PairedEvaluator(cv=cv, random_state=0, scoring=scoring, n_jobs=n_jobs, options=run, **options).evaluate(
        models, X, y
    )


def is_looked_up(result):
    """By model and split: nothing is fitted there."""
    return result.details.fit_times == 0


def numbers_of(result):
    """Everything of a result but its times."""
    kept = result._scores.kept_predictions.folds
    predicted = [(m, k, v.dtype, v.tobytes()) for m, folds in kept.items() for fold in folds for k, v in fold.items()]
    failed = [(f.estimator, f.split, f.metric, f.message) for f in result.failures]
    return result.scores.tobytes(), predicted, failed, result.provenance.get("health")


def check_equal(models, X=X, y=Y, **how):
    """The result, which is the same without what is shared."""
    found, alone = evaluate(models, X, y, **how), evaluate(models, X, y, share=False, **how)
    assert not is_looked_up(alone).any()
    assert numbers_of(found) == numbers_of(alone)
    return is_looked_up(found)


def samples(kind, rng):
    """Features."""
    n, p = rng.integers(30, 90), rng.integers(1, 20)
    X = rng.normal(size=(n, p))
    if kind == "tenths":
        X = np.round(X, 1)
    elif kind == "whole":
        X = rng.integers(0, rng.integers(2, 20), size=(n, p)).astype(rng.choice([float, int]))
    elif kind == "duplicates":
        X = X[rng.integers(0, n // 2, size=n)]
    elif kind == "scaled":
        X *= 10.0 ** rng.integers(-170, 150)
    elif kind == "outlier":
        X[rng.integers(n)] *= 1e9
    elif kind == "far":
        X += 1e7
    elif kind == "constant":
        X[:] = 1.0
    return X


@settings(deadline=None, max_examples=40 if os.environ.get("SKCOMPARE_FULL") == "1" else 8)
@given(
    seed=st.integers(0, 2**32 - 1),
    kind=st.sampled_from(["smooth", "tenths", "whole", "duplicates", "scaled", "outlier", "far", "constant"]),
    algorithm=st.sampled_from(["auto", "brute", "kd_tree", "ball_tree"]),
    p=st.sampled_from([1, 2, np.inf]),
    numbers=st.booleans(),
)
def test_scores_and_predictions_are_those_of_the_models_alone(seed, kind, algorithm, p, numbers):
    rng = np.random.default_rng(seed)
    X = samples(kind, rng)
    model = KNeighborsRegressor if numbers else KNeighborsClassifier
    y = rng.normal(size=len(X)) if numbers else rng.permutation(np.arange(len(X)) % rng.integers(2, 5))
    ks = rng.choice(np.arange(1, 15), size=3, replace=False).tolist()
    check_equal({f"k={k}": model(k, algorithm=algorithm, p=p) for k in ks}, X, y)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_nothing_is_fitted_where_neighbors_are_clear(n_jobs):
    """Distances of drawn numbers are never equal."""
    assert check_equal(SEVERAL, n_jobs=n_jobs).all()
    frame = pd.DataFrame(X, columns=list("abcdef"))
    assert check_equal(SEVERAL, frame, pd.Series(np.where(Y == 1, "yes", "no")), n_jobs=n_jobs).all()


@pytest.mark.parametrize(
    "cv", [KFold(4), ShuffleSplit(9, test_size=0.4, random_state=0), [(np.arange(60, 120), np.arange(50))] * 9]
)
def test_any_splits_will_do(cv):
    assert check_equal(SEVERAL, cv=cv, scoring="accuracy").all()


def test_a_training_set_with_samples_twice_is_fitted():
    twice = [(np.r_[np.arange(60, 120), np.arange(60, 120)], np.arange(50))] * 9
    assert not check_equal(SEVERAL, cv=twice, scoring="accuracy").any()


@pytest.mark.parametrize("load", [load_iris, load_digits])
def test_equal_distances_are_left_to_the_model(load, monkeypatch):
    """Of data in tenths or whole numbers; the models are asked for the samples alone that need it."""
    X, y = load(return_X_y=True)
    rows = np.random.default_rng(0).permutation(len(X))[:600]
    asked, predict_proba = [], KNeighborsClassifier.predict_proba
    X, y = X[rows], y[rows]
    with monkeypatch.context() as patched:
        patched.setattr(KNeighborsClassifier, "predict_proba", lambda *a: asked.append(len(a[1])) or predict_proba(*a))
        found = evaluate(SEVERAL, X, y)
    assert is_looked_up(found).all()
    assert 0 < sum(asked) < 0.3 * found.scores[0].size * len(X) / 5
    check_equal(SEVERAL, X, y)


LEFT_ALONE = {
    "weights by distance": {"weights": "distance"},
    "a metric of the user's": {"metric": lambda a, b: np.abs(a - b).sum()},
    "a metric with parameters": {"metric_params": {"w": np.arange(1, 7)}},
    "another metric": {"metric": "canberra", "algorithm": "brute"},
    "another power": {"p": 3},
}


@pytest.mark.parametrize("params", LEFT_ALONE.values(), ids=LEFT_ALONE)
def test_other_neighbors_are_fitted(params):
    models = {name: clone(model).set_params(**params) for name, model in SEVERAL.items()}
    assert not check_equal(models).any()


class Heir(KNeighborsClassifier):
    """Which may do anything."""

    def predict(self, X):
        return 1 - super().predict(X)


def test_what_sees_the_model_or_asks_for_its_time_has_it_fitted():
    scored = {"own": lambda model, X, y: float(hasattr(model, "_fit_X")) * np.mean(X) * np.mean(y)}
    for how in ({"scoring": scored}, {"scoring": ["accuracy", "fit_time"]}, {"scoring": ["accuracy", "complexity"]}):
        assert not is_looked_up(evaluate(SEVERAL, **how)).any()
    assert not is_looked_up(evaluate(SEVERAL, return_estimator=True)).any()
    assert not is_looked_up(evaluate(SEVERAL, return_train_score=True)).any()
    assert not check_equal({name: Heir(model.n_neighbors) for name, model in SEVERAL.items()}).any()
    assert not check_equal({name: make_pipeline(StandardScaler(), model) for name, model in SEVERAL.items()}).any()


def test_one_search_is_made_only_where_it_saves_others():
    assert not check_equal({"a": KNeighborsClassifier(3), "b": KNeighborsClassifier(5)}, cv="1x5").any()
    assert check_equal({"a": KNeighborsClassifier(3), "b": KNeighborsClassifier(5)}, cv="2x5").all()


def test_a_class_that_a_training_set_lacks_and_too_few_samples_are_left_to_the_model():
    y = np.r_[np.zeros(100, dtype=int), np.ones(18, dtype=int), 2, 2]
    looked_up = check_equal(SEVERAL, X, y, cv=[(np.arange(0, 120, 2), np.arange(1, 120, 2))] * 8, scoring="accuracy")
    assert looked_up.all()
    lacking = [(np.arange(118), np.arange(100, 120))] * 20
    assert not check_equal(SEVERAL, X, y, cv=lacking, scoring="accuracy").any()


@pytest.mark.filterwarnings("ignore:scoring failed")
def test_failures_are_those_of_the_models():
    looked_up = check_equal({**SEVERAL, "too many": KNeighborsClassifier(110, algorithm="kd_tree")}, error_score=np.nan)
    assert looked_up[:3].all()
    assert not looked_up[3].any()


@pytest.mark.filterwarnings("ignore:Some fits failed")
def test_columns_that_scikit_learn_may_refuse_are_left_to_it():
    """Names that occur twice: scikit-learn's answer depends on its version."""

    class Always(ClassifierMixin, BaseEstimator):
        def fit(self, _X, y):
            self.classes_ = np.unique(y)
            return self

        def predict(self, X):
            return np.full(len(X), self.classes_[0])

    frame = pd.DataFrame(X, columns=list("abccde"))
    check_equal({**SEVERAL, "always": Always()}, frame, scoring="accuracy", error_score=np.nan)


def test_a_store_has_the_same_fits(tmp_path):
    path = tmp_path / "runs.sqlite"
    first = evaluate(SEVERAL, store=path)
    assert is_looked_up(first).all()
    assert numbers_of(evaluate(SEVERAL, store=path, share=False)) == numbers_of(first)
    later = evaluate(SEVERAL | {"k=7": KNeighborsClassifier(7)}, store=path)
    assert numbers_of(later) == numbers_of(evaluate(SEVERAL | {"k=7": KNeighborsClassifier(7)}, share=False))
