"""The engine: the same numbers wherever the fits run, copies that nobody disturbs, threads that do not pile up."""

from __future__ import annotations

import copy
import os
import pickle
from dataclasses import asdict, fields
from threading import Lock
from types import SimpleNamespace

import joblib
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from joblib.externals.loky import get_reusable_executor
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, clone
from sklearn.datasets import make_classification
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_info, threadpool_limits

from skcompare import PairedEvaluator
from skcompare.evaluation import chunks, copies, engine
from skcompare.evaluation import workers as _workers
from skcompare.evaluation.chunks import Backlog, Fit, FoldOutcome, limited_jobs
from skcompare.evaluation.foreign_code import is_harmless, leaves_input_unchanged
from skcompare.evaluation.workers import started_workers, workers_of_joblib

X, Y = make_classification(n_samples=120, n_features=6, random_state=0)
MODELS = {
    "bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(random_state=0),
    "knn": KNeighborsClassifier(),
    "svc": make_pipeline(StandardScaler(), SVC()),
    "in place": make_pipeline(StandardScaler(copy=False), LogisticRegression()),
    "forest": RandomForestClassifier(5),
}


def evaluate(models=None, X=X, y=Y, *, cv="2x5", scoring=None, **options):
    return PairedEvaluator(cv=cv, scoring=scoring, random_state=0, **options).evaluate(models or MODELS, X, y)


def responses(result):
    """Everything that was predicted, as plain arrays."""
    folds = [(name, fold) for name in result.estimators for fold in result.predictions(name)]
    return {
        (name, fold.repeat, fold.fold): (fold.y_pred, fold.decision_function, fold.predict_proba)
        for name, fold in folds
    }


def assert_same_bits(a, b):
    np.testing.assert_array_equal(a.scores, b.scores)
    given, expected = responses(a), responses(b)
    assert given.keys() == expected.keys()
    for key, arrays in given.items():
        for one, other in zip(arrays, expected[key], strict=True):
            np.testing.assert_array_equal(one, other)


def stranger(cls=GaussianNB):
    """A class that is not scikit-learn's own, so that it never runs in the calling process beside workers."""

    class Stranger(cls):
        pass

    return Stranger()


# ---- the same numbers


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_workers_give_the_same_bits_as_the_calling_process(backend):
    models = {**MODELS, "stranger": stranger()}
    here = evaluate(models)
    with joblib.parallel_config(backend=backend, n_jobs=2):
        assert_same_bits(evaluate(models), here)


DATA = {
    "rows": X,
    "columns": np.asfortranarray(X),
    "single": X.astype(np.float32),
    "list": X.tolist(),
    "frame": pd.DataFrame(X, columns=list("abcdef")),
    "sparse": sparse.csr_matrix(X),
}


@pytest.mark.sampled
@pytest.mark.parametrize("kind", DATA)
@pytest.mark.parametrize("large", [False, True])
def test_estimators_are_fitted_on_the_rows_of_their_split_and_nothing_else(kind, large, monkeypatch):
    if large:
        monkeypatch.setattr(copies, "LARGE", 1)
    data = DATA[kind]
    models = {
        name: model
        for name, model in MODELS.items()
        if name != "forest" and not (kind == "sparse" and name in ("bayes", "svc", "in place"))
    }
    result = evaluate(models, data)
    for name, model in models.items():
        for fold, (train, test) in zip(result.predictions(name), result._scores.kept_splits, strict=True):
            rows = data if kind in ("rows", "columns", "single", "sparse") else np.asarray(data, dtype=object)
            if kind == "frame":
                part = [data.iloc[train], data.iloc[test]]
            elif kind == "list":
                part = [[data[i] for i in train], [data[i] for i in test]]
            else:
                part = [rows[train], rows[test]]
            alone = clone(model).fit(part[0], Y[train])
            np.testing.assert_array_equal(fold.y_pred, alone.predict(part[1]))


def test_an_estimator_that_changes_its_input_disturbs_nobody():
    class Wrecker(ClassifierMixin, BaseEstimator):
        def fit(self, X, y):
            X[:], y[:] = 0, 1
            self.classes_ = np.array([0, 1])
            return self

        def predict(self, X):
            X[:] = -1
            return np.ones(len(X), dtype=int)

    alone = evaluate({"a": GaussianNB(), "b": KNeighborsClassifier()}, scoring="accuracy")
    among = evaluate(
        {"w": Wrecker(), "a": GaussianNB(), "v": Wrecker(), "b": KNeighborsClassifier()}, scoring="accuracy"
    )
    for name in ("a", "b"):
        np.testing.assert_array_equal(among.score(name, "accuracy"), alone.score(name, "accuracy"))


def test_an_estimator_may_keep_what_it_was_given():
    kept = []

    class Keeper(GaussianNB):
        def fit(self, X, y):
            kept.append((X, X.copy(), y, y.copy()))
            return super().fit(X, y)

    evaluate({"keeper": Keeper(), "bayes": GaussianNB()})
    assert len(kept) == 10
    for X_kept, X_then, y_kept, y_then in kept:
        np.testing.assert_array_equal(X_kept, X_then)
        np.testing.assert_array_equal(y_kept, y_then)


def test_a_scorer_may_keep_what_it_was_given():
    kept = []

    def scorer(estimator, X, y):
        kept.append((X, X.copy()))
        return estimator.score(X, y)

    evaluate({"a": GaussianNB(), "b": DecisionTreeClassifier()}, scoring={"own": scorer})
    for X_kept, X_then in kept:
        np.testing.assert_array_equal(X_kept, X_then)


def test_the_training_part_of_large_data_is_gone_before_the_test_part_is_made(monkeypatch):
    monkeypatch.setattr(copies, "LARGE", 1)
    parts = []
    made = copies.Copies.features

    def features(self, part, **options):
        parts.append((part, sorted(self._shared)))
        return made(self, part, **options)

    monkeypatch.setattr(copies.Copies, "features", features)
    evaluate({"a": GaussianNB(), "b": DecisionTreeClassifier()}, cv=2)
    assert parts == [("train", []), ("test", [])] * 4


def test_harmless_and_leaving_input_unchanged_are_what_scikit_learn_made_and_vouches_for():
    assert all(is_harmless(model) for model in MODELS.values())
    assert [name for name, model in MODELS.items() if not leaves_input_unchanged(model)] == ["in place"]
    assert not is_harmless(stranger())
    assert not is_harmless(make_pipeline(StandardScaler(), stranger()))
    assert not is_harmless(FunctionTransformer(lambda X: X))
    assert is_harmless(FunctionTransformer(np.log1p))
    own_scorer = make_scorer(lambda true, predicted: float((true == predicted).mean()))
    search = GridSearchCV(LogisticRegression(), {"C": [1.0]}, scoring=own_scorer)
    assert not is_harmless(search)  # code of the user's may take the calling process down beside workers


# ---- where the fits run


def process_number():
    """Predicts the number of the process it runs in; a local class, so that workers get it."""

    class ProcessNumber(RegressorMixin, BaseEstimator):
        def fit(self, X, y):  # noqa: ARG002
            return self

        def predict(self, X):
            return np.full(len(X), float(os.getpid()))

    return ProcessNumber()


def processes(result, name):
    return {int(value) for fold in result.predictions(name) for value in fold.y_pred}


def test_unknown_code_runs_in_workers_if_there_are_any():
    models = {"a": process_number(), "b": process_number()}
    here = evaluate(models, y=X[:, 0], scoring="r2")
    assert processes(here, "a") == {os.getpid()}
    there = evaluate(models, y=X[:, 0], scoring="r2", n_jobs=2)
    assert os.getpid() not in processes(there, "a") | processes(there, "b")


def test_cheap_fits_of_known_estimators_stay_in_the_calling_process(monkeypatch):
    def refuse(**options):  # noqa: ARG001
        raise AssertionError("workers were asked")

    for start in ("COLD_START", "WARM_START"):  # so long that fits in a slow moment of the machine are cheap as well
        monkeypatch.setattr(engine, start, 100.0)
    monkeypatch.setattr(_workers, "Parallel", refuse)
    evaluate({"a": GaussianNB(), "b": DecisionTreeClassifier()}, n_jobs=2)
    with pytest.raises(AssertionError, match="workers were asked"):
        evaluate({"a": stranger(), "b": DecisionTreeClassifier()}, n_jobs=2)


def test_long_fits_outside_the_lock_go_to_threads_while_there_are_no_workers(monkeypatch):
    asked = []
    parallel = _workers.Parallel
    monkeypatch.setattr(_workers, "Parallel", lambda **options: asked.append(options) or parallel(**options))
    monkeypatch.setattr(engine, "WARM_START", 0.0)
    monkeypatch.setattr(engine, "_start_up", lambda _: 100.0)
    monkeypatch.setattr(chunks, "LONG_ENOUGH", 0.0)
    trees = {"a": DecisionTreeClassifier(random_state=0), "b": DecisionTreeClassifier(max_depth=2, random_state=0)}
    there = evaluate(trees, n_jobs=2)
    assert [options["backend"] for options in asked] == ["threading"]
    assert_same_bits(there, evaluate(trees))
    evaluate({"a": GaussianNB(), "b": KNeighborsClassifier()}, n_jobs=2)  # holds the lock
    assert len(asked) == 1


def test_fits_that_are_worth_it_go_to_workers_midway(monkeypatch):
    monkeypatch.setattr(engine, "COLD_START", 0.0)
    monkeypatch.setattr(engine, "WARM_START", 0.0)
    asked = []
    parallel = _workers.Parallel
    monkeypatch.setattr(_workers, "Parallel", lambda **options: asked.append(options) or parallel(**options))
    models = {"a": GaussianNB(), "b": DecisionTreeClassifier(random_state=0)}
    there = evaluate(models, n_jobs=2)
    assert len(asked) == 1
    assert_same_bits(there, evaluate(models))


class Slowly:
    """Workers that are ready when they were asked for so often."""

    def __init__(self, patience):
        self.started, self.asked, self.patience = [], 0, patience

    def __call__(self, n_workers, estimators):
        self.started.append((n_workers, [type(estimator) for estimator in estimators]))
        return self

    def is_alive(self):
        self.asked += 1
        return self.asked <= self.patience


@pytest.mark.parametrize(
    ("patience", "in_workers"), [(3, True), (10_000, False)], ids=["ready midway", "ready too late"]
)
def test_fits_go_on_here_while_workers_start(monkeypatch, patience, in_workers):
    start, asked, parallel = Slowly(patience), [], _workers.Parallel
    monkeypatch.setattr(engine, "CHUNK_HERE", 0.0)
    monkeypatch.setattr(engine, "COLD_START", 0.0)
    monkeypatch.setattr(engine, "WARM_START", -1.0)  # as if it cost nothing, but less where they are there
    monkeypatch.setattr(engine, "_start_up", lambda _: 0.0)
    monkeypatch.setattr(engine, "started_workers", start)
    monkeypatch.setattr(_workers, "Parallel", lambda **options: asked.append(options) or parallel(**options))
    models = {"a": GaussianNB(), "b": KNeighborsClassifier()}
    there = evaluate(models, n_jobs=2)
    assert start.started == [(2, [GaussianNB, KNeighborsClassifier])]
    assert start.asked > 3
    assert bool(asked) == in_workers
    assert_same_bits(there, evaluate(models))


@pytest.mark.sampled("what happens to workers")
def test_workers_that_were_started_are_those_that_are_used():
    get_reusable_executor().shutdown(wait=True, kill_workers=True)
    assert engine._start_up(2) == engine.COLD_START
    start = started_workers(2, [GaussianNB()])
    start.join(120)
    assert engine._start_up(2) == engine.WARM_START
    workers = workers_of_joblib()
    evaluate({"a": process_number(), "b": process_number()}, y=X[:, 0], scoring="r2", n_jobs=2)
    assert workers_of_joblib() == workers


@pytest.mark.sampled("what happens to workers")
def test_a_start_that_fails_is_left_to_the_fits_that_go_there():
    start = started_workers(2, [Lock()])  # which cannot be pickled
    start.join(120)
    assert not start.is_alive()


def threads():
    """Predicts how many threads BLAS, OpenMP and joblib may use."""

    class Threads(RegressorMixin, BaseEstimator):
        def fit(self, X, y):  # noqa: ARG002
            HistGradientBoostingClassifier(max_iter=1).fit(X[:10], np.arange(10) % 2)  # loads OpenMP
            self.pools_ = max(library["num_threads"] for library in threadpool_info())
            self.jobs_ = joblib.effective_n_jobs(-1)
            return self

        def predict(self, X):
            return np.resize([float(self.pools_), float(self.jobs_)], len(X))

    return Threads()


@pytest.mark.sampled("what happens to workers")
@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_workers_and_inner_threads_together_are_no_more_than_the_cores(backend, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "4")  # joblib leaves a limit alone that was set by hand

    with threadpool_limits(4), joblib.parallel_config(backend=backend, n_jobs=2):
        result = evaluate({"a": threads(), "b": threads()}, y=X[:, 0], scoring="r2", cv=4)
    share = max(1, joblib.cpu_count() // 2)
    found = {value for fold in result.predictions("a") for value in fold.y_pred}
    assert max(found) <= share


@pytest.mark.sampled("what happens to workers")
def test_a_share_of_threads_that_the_user_gives_is_kept():
    with joblib.parallel_config(backend="loky", n_jobs=2, inner_max_num_threads=1):
        result = evaluate({"a": threads(), "b": threads()}, y=X[:, 0], scoring="r2", cv=4)
    assert {value for fold in result.predictions("a") for value in fold.y_pred} == {1.0}


def test_the_n_jobs_of_an_estimator_gets_its_share_of_the_cores_in_a_worker():
    with limited_jobs(3):
        assert joblib.effective_n_jobs(64) == 3
        assert joblib.effective_n_jobs(2) == 2
        forest = RandomForestClassifier(5, n_jobs=64, random_state=0).fit(X, Y)
    np.testing.assert_array_equal(forest.predict(X), RandomForestClassifier(5, random_state=0).fit(X, Y).predict(X))
    with limited_jobs(1):
        assert joblib.effective_n_jobs(-1) == 1


@pytest.mark.sampled("what happens to workers")
def test_estimators_that_cannot_travel_are_refused_by_name():
    class Locked(GaussianNB):
        def __init__(self, lock=None):
            super().__init__()
            self.lock = lock

        def __deepcopy__(self, memo):
            return self

        def __reduce__(self):
            raise TypeError("I do not travel")

    with pytest.raises(ValueError, match=r"'locked'\] must be picklable.*I do not travel.*n_jobs=1"):
        evaluate({"locked": Locked(), "bayes": GaussianNB()}, n_jobs=2)


@pytest.mark.sampled("what happens to workers")
def test_what_workers_cannot_read_is_said_in_its_last_line():
    home = os.getpid()

    def read():
        if os.getpid() != home:
            raise ImportError("of a module\nthat is only here")
        return GaussianNB()

    class Far(GaussianNB):
        def __reduce__(self):
            return read, ()

    with pytest.raises(ValueError, match=r"to run there; that is only here\. Give n_jobs=1"):
        evaluate({"far": Far(), "bayes": GaussianNB()}, n_jobs=2)


# ---- the backlog

fits = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 3)), unique=True, max_size=60).map(
    lambda pairs: [Fit(split, estimator) for split, estimator in sorted(pairs)]
)


@given(fits, st.lists(st.floats(0, 10), max_size=4), st.floats(0.001, 5), st.integers(0, 3), st.integers(1, 5))
def test_every_fit_is_dealt_out_once_however_the_times_fall(todo, costs, seconds, n_returned, most_new):
    backlog = Backlog(todo)
    for estimator, cost in enumerate(costs):
        backlog.observe(estimator, cost)
    dealt = []
    while backlog:
        chunk = backlog.take(seconds, most_new)
        assert chunk
        timed = [backlog.cost(fit.estimator) for fit in chunk]
        if None in timed:  # one of each, by themselves
            assert set(timed) == {None}
            assert len({fit.estimator for fit in chunk}) == len(chunk) <= most_new
        else:
            assert len(chunk) == 1 or sum(timed) <= seconds
        if n_returned and len(chunk) > 1:
            backlog.put_back(chunk[1:])
            chunk, n_returned = chunk[:1], n_returned - 1
        dealt += chunk
    assert dealt == todo
    assert backlog.expected() == 0


@given(st.sampled_from([0.0, 1e-3, 60.0]))
@settings(max_examples=6)
def test_what_a_worker_has_not_begun_in_time_is_dealt_out_again(seconds):
    fitted = []

    class Counted(DecisionTreeClassifier):
        def fit(self, X, y):
            fitted.append(len(X))
            return super().fit(X, y)

    models = {str(depth): Counted(max_depth=depth, random_state=0) for depth in range(1, 6)}
    here = evaluate(models, scoring="accuracy")
    fitted.clear()
    with pytest.MonkeyPatch.context() as patch, joblib.parallel_config(backend="threading", n_jobs=2):
        patch.setattr(_workers, "MOST_SECONDS", seconds)
        assert_same_bits(evaluate(models, scoring="accuracy"), here)
    assert len(fitted) == 50


@given(st.integers(1, 12), st.integers(1, 40), st.integers(1, 8))
def test_a_cluster_gets_few_chunks_of_cheap_fits(n_models, n_splits, n_workers):
    """Its scheduler takes milliseconds for each; longer fits are spread over all workers from the first."""
    fits = [Fit(split, estimator) for split in range(n_splits) for estimator in range(n_models)]
    cluster = SimpleNamespace(backlog=Backlog(fits), n_workers=n_workers, processes=False, here=False)
    sizes = []
    for chunk in _workers.Workers._chunks(cluster):
        sizes.append(len(chunk))
        for fit in chunk:
            cluster.backlog.observe(fit.estimator, 0.001)
    assert sum(sizes) == len(fits)
    assert sizes[0] <= max(1, len(fits) // n_workers)
    n_first = 1 if sizes[0] == n_models else n_models
    assert len(sizes) <= n_first + 1 + len(fits) // 250


def test_an_outcome_is_read_back_as_it_was_sent():
    values = {one.name: number for number, one in enumerate(fields(FoldOutcome), 1)}
    sent = FoldOutcome(**values)
    assert asdict(pickle.loads(pickle.dumps(sent))) == asdict(copy.copy(sent)) == values


def test_the_first_fit_of_an_estimator_only_warms_up():
    backlog = Backlog([Fit(i, 0) for i in range(10)])
    for seconds in (9.0, 1.0, 2.0):
        backlog.observe(0, seconds)
    assert backlog.cost(0) == 1.5
    assert backlog.expected() == 15
