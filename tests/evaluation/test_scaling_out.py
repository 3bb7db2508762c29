"""The same call on a cluster: joblib's Dask backend, and ray's where it is installed."""

from __future__ import annotations

import os
import signal
from collections import Counter

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.datasets import make_classification
from sklearn.exceptions import FitFailedWarning
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcompare import PairedEvaluator

distributed = pytest.importorskip("distributed")

X, Y = make_classification(n_samples=400, n_features=40, random_state=0)
MODELS = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_features=5)}


@pytest.fixture(scope="module")
def client():
    """A client of two worker processes on this machine."""
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=60
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def evaluate(models=MODELS, X=X, y=Y, **options):
    options = {"cv": "4x5", "scoring": None, "random_state": 0, **options}
    return PairedEvaluator(**options).evaluate(models, X, y)


@pytest.mark.parametrize("data", [X, pd.DataFrame(X)], ids=["array", "frame"])
@pytest.mark.usefixtures("client")
def test_a_cluster_gives_the_same_bits(data):
    here = evaluate(X=data)
    with joblib.parallel_config(backend="dask"):
        there = evaluate(X=data)
    np.testing.assert_array_equal(there.scores, here.scores)
    for name in MODELS:
        for one, other in zip(there.predictions(name), here.predictions(name), strict=True):
            np.testing.assert_array_equal(one.y_pred, other.y_pred)
            np.testing.assert_array_equal(one.predict_proba, other.predict_proba)


@pytest.mark.usefixtures("client")
def test_the_fits_run_on_the_workers_and_no_more_often_than_needed():
    class Number(RegressorMixin, BaseEstimator):
        def fit(self, X, y):  # noqa: ARG002
            return self

        def predict(self, X):
            return np.full(len(X), float(os.getpid()))

    with joblib.parallel_config(backend="dask"):
        result = evaluate({"a": Number(), "b": Number()}, y=X[:, 0], scoring="r2")
    found = Counter(int(fold.y_pred[0]) for name in "ab" for fold in result.predictions(name))
    assert os.getpid() not in found
    assert found.total() == 40
    assert len(found) == 2


def test_data_and_splits_are_sent_to_the_cluster_once(client):
    sent = []
    scatter = type(client)._scatter

    async def count(self, data, *args, **kwargs):
        sent.append(type(data).__name__)
        return await scatter(self, data, *args, **kwargs)

    patch = pytest.MonkeyPatch()
    with patch.context() as context, joblib.parallel_config(backend="dask"):
        context.setattr(type(client), "_scatter", count)
        evaluate()
    assert Counter(sent) == {"ndarray": 2, "Splits": 1}


@pytest.mark.usefixtures("client")
def test_a_worker_of_the_cluster_that_dies_costs_one_fit():
    class Dies(ClassifierMixin, BaseEstimator):
        def fit(self, X, y):
            if not (X == FIRST).all(axis=1).any():
                os.kill(os.getpid(), signal.SIGKILL)
            self.classes_ = np.unique(y)
            return self

        def predict(self, X):
            return np.full(len(X), self.classes_[0])

    FIRST = X[0]
    models = {"dies": Dies(), "bayes": GaussianNB()}
    with joblib.parallel_config(backend="dask"), pytest.warns(FitFailedWarning, match="1 of 10 fits failed"):
        result = evaluate(models, cv=5, scoring="accuracy", error_score=np.nan)
    (failure,) = result.failures
    assert failure.estimator == "dies"
    assert "WorkerLostError: its process died twice" in failure.message
    assert np.isfinite(result.score("bayes", "accuracy")).all()


def test_ray_gives_the_same_bits():
    ray = pytest.importorskip("ray", reason="ray is not installed")
    from ray.util.joblib import register_ray

    register_ray()
    here = evaluate()
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        with joblib.parallel_config(backend="ray", n_jobs=2):
            there = evaluate()
    finally:
        ray.shutdown()
    np.testing.assert_array_equal(there.scores, here.scores)
