"""The same call on a cluster: joblib's Dask backend, and ray's where it is installed."""

from __future__ import annotations

import importlib
import itertools
import os
import pickle
import re
import signal
import subprocess
import sys
import textwrap
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType

import joblib
import numpy as np
import pandas as pd
import pytest
from joblib.parallel import ThreadingBackend
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.datasets import make_classification
from sklearn.exceptions import FitFailedWarning
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.tree import DecisionTreeClassifier

from skcompare import PairedEvaluator
from skcompare.calibration import ExchangeableBlocks, size

cloudpickle = pytest.importorskip("cloudpickle")
distributed = pytest.importorskip("distributed")

X, Y = make_classification(n_samples=400, n_features=40, random_state=0)
MODELS = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_features=5)}


@pytest.fixture(scope="module")
def client():
    """A client of two worker processes on this machine."""
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=60
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def evaluate(models=MODELS, X=X, y=Y, **options):
    options = {"cv": "4x5", "scoring": None, "random_state": 0, **options}
    return PairedEvaluator(**options).evaluate(models, X, y)


@pytest.mark.sampled("clusters of computers")
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


@pytest.mark.sampled("clusters of computers")
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


@pytest.mark.sampled("clusters of computers")
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
    assert sent == ["Work"]


@pytest.mark.sampled("clusters of computers")
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


@pytest.mark.sampled("clusters of computers")
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


# machines that lack something


MODULE = """
    from sklearn.naive_bayes import GaussianNB
    from sklearn.preprocessing import StandardScaler

    class Own(GaussianNB):
        pass

    class Scaler(StandardScaler):
        pass

    def hits(y_true, y_pred):
        return float((y_true == y_pred).mean())

    def doubled(X):
        return 2 * X
"""
# what of the module is used, where
USES = {
    "a model": lambda own: ({"a": own.Own(), "b": GaussianNB()}, "accuracy"),
    "a step": lambda own: ({"a": make_pipeline(own.Scaler(), GaussianNB()), "b": GaussianNB()}, "accuracy"),
    "a function of a step": lambda own: (
        {"a": make_pipeline(FunctionTransformer(own.doubled), GaussianNB()), "b": GaussianNB()},
        "accuracy",
    ),
    "a scorer": lambda own: (MODELS, {"hits": lambda model, X, y: own.hits(y, model.predict(X))}),
}


@pytest.fixture
def own(tmp_path, monkeypatch):
    """A module that this process can import and no machine of a cluster that is already there; its file too."""
    name = f"module_of_the_user_{next(NUMBERS)}"
    file = tmp_path / f"{name}.py"
    file.write_text(textwrap.dedent(MODULE))
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module(name), file
    sys.modules.pop(name, None)


NUMBERS = itertools.count()


def refused_soon(words, models=MODELS, **options):
    start = time.monotonic()
    with joblib.parallel_config(backend="dask"), pytest.raises(ValueError, match=words) as refused:
        evaluate(models, **options)
    assert time.monotonic() - start < 10
    return str(refused.value)


@pytest.mark.sampled("clusters of computers")
@pytest.mark.parametrize("use", USES)
def test_workers_that_lack_a_module_are_named_and_the_remedy_helps(client, own, use):
    module, file = own
    models, scoring = USES[use](module)
    told = refused_soon(f"'{module.__name__}', which the run needs", models, scoring=scoring)
    assert re.findall(r"worker (tcp://\S+?)[, ]", told) == list(client.scheduler_info()["workers"])
    assert "the scheduler cannot" not in told  # it runs in this process
    assert f"client.upload_file({str(file)!r})" in told
    client.upload_file(str(file))
    with joblib.parallel_config(backend="dask"):
        there = evaluate(models, scoring=scoring)
    np.testing.assert_array_equal(there.scores, evaluate(models, scoring=scoring).scores)


@pytest.mark.sampled("clusters of computers")
def test_a_worker_that_lacks_a_name_in_a_module_is_named_alone(client, own):
    """An older file of the same name on one machine."""
    module, file = own
    lacking, sound = client.scheduler_info()["workers"]
    client.upload_file(str(file))
    client.run(lambda: delattr(sys.modules[module.__name__], "Own"), workers=[lacking])
    told = refused_soon(module.__name__, USES["a model"](module)[0], scoring="accuracy")
    assert lacking in told
    assert sound not in told
    assert "AttributeError" in told


@pytest.mark.sampled("clusters of computers")
@pytest.mark.parametrize("package", ["skcompare", "sklearn", "numpy"])
def test_another_version_on_a_worker_is_refused_with_both(client, package):
    first = next(iter(client.scheduler_info()["workers"]))
    version = importlib.import_module(package).__version__

    def pretend(version):
        importlib.import_module(package).__version__ = version

    client.run(pretend, "0.0.1", workers=[first])
    try:
        told = refused_soon(f"{version}, the version that is here; 0.0.1 is on worker {re.escape(first)}: ")
    finally:
        client.run(pretend, version, workers=[first])
    assert {"sklearn": "scikit-learn"}.get(package, package) in told


@pytest.mark.sampled("clusters of computers")
def test_a_scheduler_that_lacks_a_module_is_named(tmp_path, own):
    """In a process of its own, as are its workers, which have the module."""
    module, _ = own
    contact = tmp_path / "scheduler.json"
    common = ["--dashboard-address", ":0", "--scheduler-file", str(contact)]
    path = os.pathsep.join([str(Path(__file__).parents[2]), str(tmp_path)])
    commands = {
        "scheduler": (["--port", "0"], {}),
        "worker": (["--nworkers", "2", "--nthreads", "1"], {"PYTHONPATH": path}),
    }
    with ExitStack() as stack:
        for name, (options, environment) in commands.items():
            process = subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.dask_{name}", *common, *options],
                env={**os.environ, **environment},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            stack.callback(process.wait)
            stack.callback(process.terminate)
        while not contact.exists():
            time.sleep(0.05)
        with distributed.Client(scheduler_file=str(contact), set_as_default=True) as client:
            client.wait_for_workers(2)
            told = refused_soon(module.__name__, USES["a model"](module)[0], scoring="accuracy")
    assert "the run needs; the scheduler cannot (" in told
    assert "tcp://" not in told


class OfAScript(GaussianNB):
    """Of the main script, where its module is called so."""


@pytest.mark.sampled("clusters of computers")
@pytest.mark.usefixtures("client")
def test_models_of_the_main_script_are_needed_nowhere(monkeypatch):
    monkeypatch.setattr(OfAScript, "__module__", "__main__")
    monkeypatch.setattr(sys.modules["__main__"], "OfAScript", OfAScript, raising=False)
    models = {"a": OfAScript(), "b": GaussianNB()}
    with joblib.parallel_config(backend="dask"):
        there = evaluate(models, scoring="accuracy")
    np.testing.assert_array_equal(there.scores, evaluate(models, scoring="accuracy").scores)


@pytest.mark.sampled("clusters of computers")
@pytest.mark.usefixtures("client")
def test_simulations_ask_the_cluster_too(own):
    module, _ = own
    with joblib.parallel_config(backend="dask"), pytest.raises(ValueError, match=f"{module.__name__}', which the run"):
        size(
            "corrected_t_test",
            "2x2",
            ExchangeableBlocks(n_samples=40),
            ["accuracy"],
            models=module.Own(),
            n_datasets=4,
        )


@pytest.mark.sampled("clusters of computers")
def test_a_cluster_that_does_not_answer_is_told_and_the_run_goes_on(client, monkeypatch):
    monkeypatch.setattr("skcompare.evaluation.cluster._PATIENCE", 0.0)
    monkeypatch.setattr(type(client), "get_versions", lambda _: time.sleep(0.3) or {})
    with joblib.parallel_config(backend="dask"), pytest.warns(UserWarning, match="the cluster has not said within"):
        there = evaluate(scoring="accuracy")
    np.testing.assert_array_equal(there.scores, evaluate(scoring="accuracy").scores)


class Node:
    """A machine of a ray cluster: this process, or one that has just started and lacks what only this one has."""

    def __init__(self, task):
        self.task, self.here = task, True

    def options(self, *, num_cpus, scheduling_strategy):
        assert num_cpus == 0
        self.here = scheduling_strategy == "sound"
        return self

    def remote(self):
        pickled = cloudpickle.dumps(self.task)
        if self.here:
            return pickle.loads(pickled)()
        code = "import pickle, sys; sys.stdout.buffer.write(pickle.dumps(pickle.load(sys.stdin.buffer)()))"
        return pickle.loads(
            subprocess.run([sys.executable, "-c", code], input=pickled, capture_output=True, check=True).stdout
        )


@pytest.mark.sampled("clusters of computers")
@pytest.mark.parametrize("others", ["sound", "lacking"])
def test_nodes_of_ray_are_asked_too(own, monkeypatch, others):
    """With the part of ray that asks; the real one is asked where it is installed."""
    module, file = own
    nodes = [
        {"NodeID": "sound", "NodeManagerAddress": "10.0.0.1", "Alive": True},
        {"NodeID": others, "NodeManagerAddress": "10.0.0.2", "Alive": True},
        {"NodeID": "lacking", "NodeManagerAddress": "10.0.0.3", "Alive": False},
    ]
    parts = {
        "ray": {"remote": Node, "get": lambda answers: answers, "nodes": lambda: nodes},
        "ray.cloudpickle": vars(cloudpickle),
        "ray.util.scheduling_strategies": {"NodeAffinitySchedulingStrategy": lambda node, soft: soft or node},
    }
    for name, content in parts.items():
        fake = ModuleType(name)
        vars(fake).update(content)
        monkeypatch.setitem(sys.modules, name, fake)
    kind = type("RayBackend", (ThreadingBackend,), {"__module__": "ray.util.joblib.ray_backend"})
    joblib.register_parallel_backend("fake_ray", kind)
    models = USES["a model"](module)[0]
    with joblib.parallel_config(backend="fake_ray", n_jobs=2):
        if others == "sound":
            there = evaluate(models, scoring="accuracy")
            np.testing.assert_array_equal(there.scores, evaluate(models, scoring="accuracy").scores)
            return
        with pytest.raises(ValueError, match=r"node 10\.0\.0\.2 cannot") as refused:
            evaluate(models, scoring="accuracy")
    assert f"'{module.__name__}'" in str(refused.value)
    assert f"ray.init(runtime_env={{'py_modules': [{str(file)!r}]}})" in str(refused.value)
    assert "10.0.0.1" not in str(refused.value)
