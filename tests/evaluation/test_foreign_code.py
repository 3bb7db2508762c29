"""Whatever a model, a scorer or a metric writes into what it is given, nobody else sees it.

The reference is scikit-learn's `cross_validate` of one model with one scorer: nobody else is there.
"""

from __future__ import annotations

import itertools
import os
import pickle
import random
import sys
import time
import warnings
from concurrent.futures import ThreadPoolExecutor

import joblib
import numpy as np
import pandas as pd
import pytest
import scipy.fft
import scipy.sparse
import sklearn
from sklearn import metrics as skm
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.feature_selection import SelectKBest
from sklearn.impute import SimpleImputer
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.tree import DecisionTreeClassifier

import skcompare as skc
from skcompare import ComparisonSelector, PairedEvaluator, from_predictions

pytestmark = pytest.mark.sampled

try:
    from joblib.externals import cloudpickle
except ImportError:  # not bundled any more
    import cloudpickle

cloudpickle.register_pickle_by_value(sys.modules[__name__])  # so that workers get its functions
N_DRAWS, N, N_FEATURES = 30, 48, 4


def spoil(value):
    """Write into data of any kind, and into what stands in its cells."""
    if isinstance(value, (pd.DataFrame, pd.Series)):
        value.iloc[:] = value.iloc[::-1].to_numpy() * 0 + 1
    elif scipy.sparse.issparse(value):
        value.data[:] = 7
    elif isinstance(value, list):
        for cell in value:
            if isinstance(cell, (list, np.ndarray)):
                cell[:] = [5] * len(cell)
        value[:] = value[::-1]
    elif value.flags.writeable:
        value[...] = 1


def accuracy(model, X, y):
    return float(np.mean(np.asarray(model.predict(X)) == np.asarray(y)))


# ---- scorers that write; local functions, so that workers get them


def writing_scorers():
    """By name: into X, y, both, the model, labels, probabilities and options; the last ones write nothing."""

    def writes(into_X, into_y):
        def scorer(model, X, y):
            score = accuracy(model, X, y)
            for value in [X] * into_X + [y] * into_y:
                spoil(value)
            return score

        return scorer

    def breaks_the_model(model, X, y):
        score = accuracy(model, X, y)
        vars(model).clear()
        return score

    def refits_the_model(model, X, y):
        score = accuracy(model, X, y)
        model.fit(X, np.array(y)[::-1].copy())
        return score

    def of_arrays(*spoiled):
        def function(y_true, y_pred):
            score = float(np.mean(np.asarray(y_true) * np.asarray(y_pred) + np.asarray(y_pred) / 7))
            for i in spoiled:
                spoil((y_true, y_pred)[i])
            return score

        return function

    proba = {"response_method": "predict_proba"}
    return {
        "writes X": writes(True, False),
        "writes y": writes(False, True),
        "writes both": writes(True, True),
        "breaks the model": breaks_the_model,
        "refits the model": refits_the_model,
        "sorts y": skm.make_scorer(of_arrays(0)),
        "spoils labels": skm.make_scorer(of_arrays(1)),
        "spoils both": skm.make_scorer(of_arrays(0, 1)),
        "spoils probabilities": skm.make_scorer(of_arrays(0, 1), **proba),
        "pure": skm.make_scorer(of_arrays()),
        "pure probabilities": skm.make_scorer(of_arrays(), **proba),
        "accuracy": "accuracy",
    }


# ---- models that write


def vandal():
    """Predicts by its nearest mean, and writes into all that it is given."""

    class Vandal(ClassifierMixin, BaseEstimator):
        def fit(self, X, y):
            rows, labels = self._rows(X), np.array(y)
            self.classes_ = np.unique(labels)
            self.means_ = np.stack([rows[labels == c].mean(axis=0) for c in self.classes_])
            spoil(X)
            spoil(y)
            return self

        def predict_proba(self, X):
            distances = np.exp(-np.abs(self._rows(X)[:, None] - self.means_).sum(axis=2))
            spoil(X)
            return distances / distances.sum(axis=1, keepdims=True)

        def predict(self, X):
            return self.classes_[self.predict_proba(X).argmax(axis=1)]

        def _rows(self, X):
            return np.array(X.toarray() if scipy.sparse.issparse(X) else X, dtype=float)

    return Vandal()


def score_of_features():
    """For `SelectKBest`."""

    def function(X, y):
        scores = np.abs(np.asarray(X)).sum(axis=0)
        if y.flags.writeable:
            y[:] = y[::-1].copy()
        X += 1
        return scores

    return function


def models_of(kind):
    """By name; some begin with equal steps, one of which cannot be known to leave its input as it is."""
    tree = DecisionTreeClassifier(random_state=0)
    found = {"tree": tree, "twin": clone(tree), "knn": KNeighborsClassifier(3), "vandal": vandal()}
    if kind in ("sparse", "list", "arrays"):
        return found | {"nearest": make_pipeline(KNeighborsClassifier(1))}
    found |= {
        "bayes": GaussianNB(),
        "scaled": make_pipeline(StandardScaler(), GaussianNB()),
        "scaled tree": make_pipeline(StandardScaler(), DecisionTreeClassifier(random_state=0)),
        "scaled vandal": make_pipeline(StandardScaler(), vandal()),
        "in place": make_pipeline(StandardScaler(copy=False), GaussianNB()),
        "in place tree": make_pipeline(StandardScaler(copy=False), DecisionTreeClassifier(random_state=0)),
        "clipped": make_pipeline(FunctionTransformer(np.clip, kw_args={"a_min": 0, "a_max": 1}), clone(tree)),
        "clipped twice": make_pipeline(FunctionTransformer(np.clip, kw_args={"a_min": 0, "a_max": 1}), GaussianNB()),
    }
    if kind == "frame":  # whose arrays cannot be written into
        return found
    return found | {
        "transform": make_pipeline(
            FunctionTransformer(scipy.fft.dct, kw_args={"overwrite_x": True, "axis": 0}), clone(tree)
        ),
        "zeros": make_pipeline(FunctionTransformer(np.nan_to_num, kw_args={"copy": False}), clone(tree)),
        "selected": make_pipeline(StandardScaler(), SelectKBest(score_of_features(), k=2), GaussianNB()),
    }


def data_of(kind, rng):
    X, y = rng.normal(size=(N, N_FEATURES)), np.tile([0, 1], N // 2)
    X[:, 0] += y
    as_kind = {
        "rows": lambda: X,
        "columns": lambda: np.asfortranarray(X),
        "frame": lambda: pd.DataFrame(X, columns=list("abcd")),
        "list": lambda: X.tolist(),
        "arrays": lambda: list(X),
        "sparse": lambda: scipy.sparse.csr_matrix(X),
    }[kind]()
    return as_kind, pd.Series(y) if kind == "frame" else y.tolist() if kind == "list" else y


class Untouched:
    """That values are bit for bit what they were."""

    def __init__(self, *values):
        self.values, self.before = values, pickle.dumps(values)

    def check(self):
        assert pickle.dumps(self.values) == self.before


def alone(model, X, y, splits, scorer):
    """The scores of one model by one scorer, with scikit-learn on copies that nobody else has."""
    X, y = pickle.loads(pickle.dumps((X, y)))
    if isinstance(X, list):  # whose rows would be shared by the splits
        parts = []
        for train, test in splits:
            own = pickle.loads(pickle.dumps(X))
            parts.append(cross_validate(model, own, list(y), cv=[(train, test)], scoring=scorer, error_score="raise"))
        return np.concatenate([part["test_score"] for part in parts])
    return cross_validate(model, X, y, cv=splits, scoring=scorer, error_score="raise")["test_score"]


KINDS = ("rows", "columns", "frame", "list", "arrays", "sparse", "rows")


@pytest.mark.parametrize("draw", range(N_DRAWS))
def test_nobody_sees_what_another_one_wrote(draw, rng):
    kind = KINDS[draw % len(KINDS)]
    X, y = data_of(kind, rng)
    splits = [*StratifiedKFold(2, shuffle=True, random_state=int(rng.integers(1000))).split(np.zeros(N), y)]
    known, scorers = models_of(kind), writing_scorers()
    models = [str(name) for name in rng.permutation([*known])[: int(rng.integers(2, 4))]]
    metrics = [str(name) for name in rng.permutation([*scorers])[: int(rng.integers(1, 4))]]
    scoring = {name: scorers[name] for name in metrics}
    expected = {(m, s): alone(known[m], X, y, splits, scorers[s]) for m in models for s in metrics}
    given = Untouched(X, y)
    for order, n_jobs in itertools.product(itertools.permutations(models), (1, 2)):
        evaluator = PairedEvaluator(cv=splits, scoring=scoring, random_state=None if draw % 2 else 0)
        with joblib.parallel_config(backend="threading", n_jobs=n_jobs):
            result = evaluator.evaluate({name: known[name] for name in order}, X, y)
        for (model, metric), scores in expected.items():
            np.testing.assert_array_equal(result.score(model, metric), scores, f"{model}, {metric}, {order}, {n_jobs}")
        given.check()


def test_nor_does_anybody_in_processes_of_their_own(rng):
    X, y = data_of("rows", rng)
    splits = [*StratifiedKFold(3).split(X, y)]
    known, scorers = models_of("rows"), writing_scorers()
    given = Untouched(X, y)
    result = PairedEvaluator(cv=splits, scoring=scorers, n_jobs=2).evaluate(known, X, y)
    for model, metric in itertools.product(known, scorers):
        expected = alone(known[model], X, y, splits, scorers[metric])
        np.testing.assert_array_equal(result.score(model, metric), expected, f"{model}, {metric}")
    given.check()


SETTINGS = {
    "filters": lambda: warnings.simplefilter("error"),
    "errors of numpy": lambda: np.seterr(all="raise"),
    "finite": lambda: sklearn.set_config(assume_finite=True),
    "frames": lambda: sklearn.set_config(transform_output="pandas"),
    "routing": lambda: sklearn.set_config(enable_metadata_routing=True),
}


def setting(what, where, settings):
    """A model that sets something, in its fit or when it predicts, and a scorer that may."""

    class Sets(ClassifierMixin, BaseEstimator):
        def fit(self, X, y):  # noqa: ARG002
            if where == "fit":
                settings[what]()
            self.classes_ = np.unique(y)
            return self

        def predict(self, X):
            if where == "predict":
                settings[what]()
            return np.full(len(X), self.classes_[0])

    def scorer(model, X, y):
        score = accuracy(model, X, y)
        if where == "score":
            settings[what]()
        return score

    return Sets(), scorer


@pytest.mark.parametrize("where", ["fit", "predict", "score"])
@pytest.mark.parametrize("what", [*SETTINGS])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_what_a_model_or_scorer_sets_for_the_whole_process_ends_with_it(what, where, n_jobs, rng):
    X, y = data_of("rows", rng)
    X[7, 1] = np.nan
    others = {
        "slow": make_pipeline(SimpleImputer(), StandardScaler(), MLPClassifier(max_iter=2, random_state=0)),
        "fails": GaussianNB(),
        "scaled": make_pipeline(SimpleImputer(), StandardScaler(), KNeighborsClassifier(3)),
    }

    def evaluated(settings):
        sets, scorer = setting(what, where, settings)
        scoring = {"accuracy": "accuracy", "own": scorer}
        evaluator = PairedEvaluator(cv=3, scoring=scoring, random_state=0, error_score=np.nan, n_jobs=n_jobs)
        found = evaluator.evaluate({"sets": sets, **others}, X, y)
        return [found.score(name, "accuracy") for name in others], found.failures

    def told():
        return [*warnings.filters], np.geterr(), sklearn.get_config()

    with warnings.catch_warnings(), np.errstate(), sklearn.config_context():
        warnings.simplefilter("ignore")
        before = told()
        alone_, failures = evaluated(dict.fromkeys(SETTINGS, lambda: None))
        scores, failed = evaluated(SETTINGS)
        assert told() == before
    np.testing.assert_array_equal(scores, alone_)
    assert failed == failures


def of_the_process(seed):
    """Models that predict by what the process is set to, and models that set it."""

    class Reads(ClassifierMixin, BaseEstimator):
        def fit(self, X, y):
            self.classes_ = np.unique(y)
            if "VANDAL" in os.environ or os.getcwd() == os.path.sep:  # noqa: PTH109
                self.classes_ = self.classes_[::-1]
            self.tree_ = DecisionTreeClassifier(max_features=1).fit(X, y)  # which draws
            return self

        def predict(self, X):
            draws = np.random.random(len(X)) + [random.random() for _ in range(len(X))]  # noqa: NPY002
            return np.where(draws < 1.5, self.tree_.predict(X), self.classes_[0])

    class Sets(Reads):
        def fit(self, X, y):
            super().fit(X, y)
            os.environ["VANDAL"] = "here"
            os.environ.pop("USER", None)
            os.chdir(os.path.sep)
            random.seed(seed)
            np.random.seed(seed)  # noqa: NPY002
            return self

    return {"reads": Reads(), "sets": Sets(), "reads too": make_pipeline(StandardScaler(), Reads())}


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_no_score_depends_on_what_another_model_draws_or_sets(n_jobs, rng):
    X, y = data_of("rows", rng)
    known, seed = of_the_process(int(rng.integers(100))), int(rng.integers(100))
    evaluator = PairedEvaluator(cv="2x3", scoring="accuracy", random_state=seed)

    def told():
        return dict(os.environ), os.getcwd(), random.getstate(), str(np.random.get_state())  # noqa: NPY002, PTH109

    before = told()
    expected = {name: evaluator.evaluate({name: model}, X, y).scores[0] for name, model in known.items()}
    for order in (rng.permutation([*known]).tolist(), [*known]):
        found = clone(evaluator).set_params(n_jobs=n_jobs).evaluate({name: known[name] for name in order}, X, y)
        for name in known:
            np.testing.assert_array_equal(
                found.scores[found.estimators.index(name)], expected[name], str((name, order))
            )
    assert told() == before


class Drawn(ClassifierMixin, BaseEstimator):
    """Draws from numpy's and Python's numbers, and lets go of Python's lock between; with more models in its fit."""

    def __init__(self, models=None):
        self.models = models

    def fit(self, X, y):
        self.classes_, self.sum_ = np.unique(y), 0.0
        if self.models:
            inner = PairedEvaluator(cv=2, scoring="accuracy", random_state=0)
            with joblib.parallel_config(backend="threading", n_jobs=2):
                self.sum_ = inner.evaluate(self.models, X, y).scores.sum()
        for _ in range(20):
            self.sum_ += np.random.random() + random.random()  # noqa: NPY002
            time.sleep(1e-4)
        return self

    def predict(self, X):
        return self.classes_[(np.arange(len(X)) * self.sum_ % 1 > 0.5).astype(int)]


@pytest.mark.parametrize("where", ["threads", "a thread of the user's", "threads within threads"])
def test_no_score_depends_on_what_is_drawn_in_other_threads(where, rng):
    X, y = data_of("rows", rng)
    known = {"a": Drawn(), "b": make_pipeline(StandardScaler(), Drawn()), "tree": DecisionTreeClassifier()}
    if where == "threads within threads":
        known["c"] = Drawn({"one": Drawn(), "other": Drawn()})
    evaluator = PairedEvaluator(cv="2x3", scoring="accuracy", random_state=int(rng.integers(100)))
    alone = [evaluator.evaluate({name: model}, X, y).scores[0] for name, model in known.items()]
    before = random.getstate(), str(np.random.get_state())  # noqa: NPY002
    if where == "a thread of the user's":
        with ThreadPoolExecutor() as pool:
            parts = [pool.submit(evaluator.evaluate, {name: model}, X, y) for name, model in known.items()]
        scores = [part.result().scores[0] for part in parts]
    else:
        with joblib.parallel_config(backend="threading", n_jobs=2):
            scores = evaluator.evaluate(known, X, y).scores
    np.testing.assert_array_equal(scores, alone)
    assert (random.getstate(), str(np.random.get_state())) == before  # noqa: NPY002


def test_entries_that_scipy_sorts_in_place_are_sorted_for_one_model_alone(rng):
    X, y = data_of("rows", rng)
    X = scipy.sparse.csr_array(np.where(X > 0, X, 0))
    for begin, end in itertools.pairwise(X.indptr):
        X.indices[begin:end], X.data[begin:end] = X.indices[begin:end][::-1].copy(), X.data[begin:end][::-1].copy()
    X.has_sorted_indices = False
    known = {
        "sorts": make_pipeline(FunctionTransformer(np.abs), DecisionTreeClassifier(random_state=0)),
        "reads as they stand": KNeighborsClassifier(3, p=1),
        "scales": make_pipeline(StandardScaler(with_mean=False), KNeighborsClassifier(5)),
    }
    splits = [*StratifiedKFold(3).split(np.zeros(N), y)]
    expected = {name: alone(model, X, y, splits, "neg_log_loss") for name, model in known.items()}
    for order in itertools.permutations(known):
        models = {name: known[name] for name in order}
        result = PairedEvaluator(splits, "neg_log_loss").evaluate(models, X, y)
        for name, scores in expected.items():
            np.testing.assert_allclose(result.score(name, "neg_log_loss"), scores, 1e-12, err_msg=str((name, order)))


@pytest.mark.filterwarnings("ignore:scoring failed")
def test_predictions_below_a_mask_are_no_predictions():
    class Masks(GaussianNB):
        def predict(self, X):
            return np.ma.array(super().predict(X), mask=np.arange(len(X)) < 2)

    X, y = np.arange(40.0)[:, None], np.arange(40) // 20
    result = PairedEvaluator(3, "accuracy", error_score=np.nan).evaluate({"nb": GaussianNB(), "masks": Masks()}, X, y)
    assert np.isnan(result.score("masks", "accuracy")).all()
    assert "what predict gives must not have masked values" in result.failures[0].message


def test_one_model_twice_has_no_better_one(rng):
    X, y = data_of("rows", rng)

    def scorer(model, X, y):
        score = accuracy(model, X, y)
        X += 3
        return score

    tree = DecisionTreeClassifier(random_state=0)
    result = PairedEvaluator(cv="3x5", scoring={"own": scorer}, random_state=0).evaluate({"a": tree, "b": tree}, X, y)
    assert result.test().pvalue == 1
    np.testing.assert_array_equal(result.score("a", "own"), result.score("b", "own"))


def test_a_scorer_may_write_where_others_fail(rng):
    X, y = data_of("rows", rng)
    scorers = writing_scorers()

    def fails(model, X, y):
        spoil(X)
        spoil(y)
        vars(model).clear()
        raise ValueError("it fails")

    scoring = {"fails": fails, **scorers}
    splits = [*StratifiedKFold(3).split(X, y)]
    with warnings.catch_warnings(action="ignore"):
        result = PairedEvaluator(cv=splits, scoring=scoring, error_score=np.nan).evaluate(
            [GaussianNB(), vandal()], X, y
        )
    assert np.isnan(result.score("gaussiannb", "fails")).all()
    for name, scorer in scorers.items():
        np.testing.assert_array_equal(result.score("gaussiannb", name), alone(GaussianNB(), X, y, splits, scorer))
        np.testing.assert_array_equal(result.score("vandal", name), alone(vandal(), X, y, splits, scorer))


def test_a_single_callable_and_what_is_measured_of_the_model_after_it(rng):
    X, y = data_of("rows", rng)
    breaks = writing_scorers()["breaks the model"]
    metrics = {"own": breaks, "model_size": "model_size", "complexity": "complexity"}
    tree = DecisionTreeClassifier(random_state=0)
    measured = PairedEvaluator(cv="1x3", random_state=0, scoring=metrics).evaluate([tree, tree], X, y)
    without = PairedEvaluator(cv="1x3", random_state=0, scoring=list(metrics)[1:]).evaluate([tree, tree], X, y)
    for metric in without.metrics:
        np.testing.assert_array_equal(
            measured.score("decisiontreeclassifier-1", metric), without.score("decisiontreeclassifier-1", metric)
        )
    alone_there = PairedEvaluator(cv="1x3", random_state=0, scoring=breaks).evaluate([tree, tree], X, y)
    np.testing.assert_array_equal(alone_there.scores[..., 0], measured.scores[..., 0])


def test_training_scores_and_kept_models_are_those_of_the_model_before_a_scorer_changed_it(rng):
    X, y = data_of("rows", rng)
    scoring = {"own": writing_scorers()["refits the model"], "accuracy": "accuracy"}
    tree, kept = DecisionTreeClassifier(max_depth=1, random_state=0), {"return_train_score": True}
    wanted = PairedEvaluator(cv="1x3", random_state=0, scoring=["accuracy"], **kept).evaluate([tree], X, y)
    result = PairedEvaluator(cv="1x3", random_state=0, scoring=scoring, return_estimator=True, **kept).evaluate(
        [tree], X, y
    )
    found, expected = (one.to_cross_validate("decisiontreeclassifier") for one in (result, wanted))
    np.testing.assert_array_equal(found["train_accuracy"], expected["train_accuracy"])
    for fitted, score, (_, test) in zip(found["estimator"], found["test_accuracy"], result.splits(), strict=True):
        assert accuracy(fitted, X[test], y[test]) == score


# ---- weights, parameters, groups and options


def weighted_vandal():
    class WeightedVandal(BaseEstimator, ClassifierMixin):
        def fit(self, X, y, sample_weight=None, extra=None):
            self.classes_ = np.unique(y)
            shares = [sample_weight[np.asarray(y) == c].sum() for c in self.classes_]
            self.best_ = self.classes_[int(np.argmax(shares))] if extra[0].sum() > 0 else -1
            for value in (X, y, sample_weight, extra[0]):
                spoil(value)
            extra[0][:] = -1
            return self

        def predict(self, X):
            return np.full(len(X), self.best_)

    return WeightedVandal()


def test_weights_and_other_parameters_stay_as_they_were(rng):
    X, y = data_of("rows", rng)
    params = {"sample_weight": rng.uniform(size=N), "extra": [np.ones(3)]}
    given = Untouched(X, y, params)
    models = {"a": weighted_vandal(), "b": weighted_vandal()}
    result = PairedEvaluator(cv="2x3", scoring="accuracy", random_state=0).evaluate(models, X, y, params=params)
    given.check()
    np.testing.assert_array_equal(result.score("a", "accuracy"), result.score("b", "accuracy"))
    assert all((fold.y_pred >= 0).all() for fold in result.predictions("b"))


def test_routed_weights_stay_as_they_were(rng):
    X, y = data_of("rows", rng)

    def function(y_true, y_pred, sample_weight=None):
        score = float(np.average(y_true == y_pred, weights=sample_weight))
        spoil(sample_weight)
        spoil(y_true)
        return score

    def opaque(model, X, y):
        score = accuracy(model, X, y)
        spoil(X)
        return score

    weights = rng.uniform(size=N)
    given = Untouched(X, y, weights)
    splits = [*StratifiedKFold(3).split(X, y)]
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = skm.make_scorer(function).set_score_request(sample_weight=True)
        known = skm.make_scorer(skm.accuracy_score).set_score_request(sample_weight=True)
        models = {
            name: model.set_fit_request(sample_weight=True)
            for name, model in {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}.items()
        }
        scoring = {"own": scorer, "opaque": opaque, "again": scorer, "known": known}
        params = {"sample_weight": weights}
        evaluator = PairedEvaluator(cv=splits, scoring=scoring)
        result = evaluator.evaluate(models, X, y, params=params)
        for name, model in models.items():
            for metric, one in scoring.items():
                expected = cross_validate(model, X, y, cv=splits, scoring={"it": one}, params=params)["test_it"]
                np.testing.assert_array_equal(result.score(name, metric), expected)
    given.check()


def test_options_of_a_metric_are_the_same_on_every_fold(rng):
    X, y = data_of("rows", rng)

    def function(y_true, y_pred, *, factor):
        score = float(np.mean(y_true == y_pred) * factor[0])
        factor[:] = -1
        return score

    factor = np.ones(1)
    scoring = {"own": skm.make_scorer(function, factor=factor), "accuracy": "accuracy"}
    result = PairedEvaluator(cv="2x3", scoring=scoring, random_state=0).evaluate([GaussianNB(), vandal()], X, y)
    np.testing.assert_array_equal(result.scores[..., 0], result.scores[..., 1])
    assert factor[0] == 1


def test_a_splitter_that_writes_leaves_the_data_as_they_were(rng):
    class Writes(StratifiedKFold):
        def split(self, X, y=None, groups=None):
            pairs = [*super().split(X, y)]
            for value in (X, y, groups):
                spoil(value)
            return iter(pairs)

    X, y = data_of("rows", rng)
    groups = np.arange(N)
    given = Untouched(X, y, groups)
    expected = PairedEvaluator(cv=StratifiedKFold(3), scoring="accuracy").evaluate([GaussianNB(), vandal()], X, y)
    result = PairedEvaluator(cv=Writes(3), scoring="accuracy").evaluate([GaussianNB(), vandal()], X, y, groups=groups)
    given.check()
    np.testing.assert_array_equal(result.scores, expected.scores)
    scores = skc.cross_val_score(GaussianNB(), X, y, cv=Writes(3), groups=groups)
    np.testing.assert_array_equal(scores, expected.score("gaussiannb", "accuracy"))
    given.check()


class OneBuffer:
    """Writes every split into the same arrays, as a splitter, or as what can be iterated."""

    def __init__(self, splits):
        self.splits = splits

    def __iter__(self):
        train, test = (part.copy() for part in self.splits[0])
        for train[:], test[:] in self.splits:
            yield train, test

    def as_splitter(self):
        methods = {"split": lambda *_, **__: iter(self), "get_n_splits": lambda *_: len(self.splits)}
        return type("Splitter", (), methods)()


@pytest.mark.parametrize("disjoint", [True, False])
@pytest.mark.parametrize("how", ["splitter", "generator", "iterable"])
def test_a_splitter_may_write_all_its_splits_into_the_same_arrays(how, disjoint, rng):
    X, y = data_of("arrays", rng)
    parts = np.array_split(rng.permutation(N), 4) if disjoint else [rng.permutation(N)[:12] for _ in range(4)]
    splits = [(np.setdiff1d(np.arange(N), test), test) for test in parts]
    models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    drawn = OneBuffer(splits)
    cv = {"splitter": drawn.as_splitter, "generator": lambda: iter(drawn), "iterable": lambda: drawn}[how]
    found = PairedEvaluator(cv=cv(), scoring="accuracy").evaluate(models, X, y)
    expected = PairedEvaluator(cv=splits, scoring="accuracy").evaluate(models, X, y)
    np.testing.assert_array_equal(found.scores, expected.scores)
    if how == "splitter":
        for name, scores in skc.cross_val_score(models, X, y, cv=cv()).items():
            np.testing.assert_array_equal(scores, expected.score(name, "accuracy"))
            np.testing.assert_array_equal(scores, skc.cross_val_score(models[name], X, y, cv=cv()))


# ---- other ways in


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_cross_val_score_gives_each_scorer_what_it_would_get_alone(n_jobs, rng):
    scorers = writing_scorers()
    for kind in ("rows", "frame", "list", "arrays"):
        X, y = data_of(kind, rng)
        splits = [*StratifiedKFold(3).split(np.zeros(N), y)]
        given = Untouched(X, y)
        for model in (GaussianNB(), vandal()):
            with joblib.parallel_config(backend="threading"):
                found = skc.cross_val_score(model, X, y, cv=splits, scoring=scorers, n_jobs=n_jobs)
            given.check()
            for name, scorer in scorers.items():
                np.testing.assert_array_equal(found[name], alone(model, X, y, splits, scorer), f"{kind}, {name}")


def test_a_search_with_a_scorer_that_writes_is_what_it_is_alone(rng):
    X, y = data_of("rows", rng)
    search = GridSearchCV(
        DecisionTreeClassifier(random_state=0), {"max_depth": [1, 3]}, cv=3, scoring=writing_scorers()["writes both"]
    )
    listed = GridSearchCV(make_pipeline(GaussianNB()), {"gaussiannb": [make_pipeline(vandal())]}, cv=3)
    models = {"search": search, "listed": listed, "bayes": GaussianNB()}
    splits = [*StratifiedKFold(3).split(X, y)]
    given = Untouched(X, y)
    for order in itertools.permutations(models):
        result = PairedEvaluator(cv=splits, scoring="accuracy").evaluate({name: models[name] for name in order}, X, y)
        for name, model in models.items():
            np.testing.assert_array_equal(result.score(name, "accuracy"), alone(model, X, y, splits, "accuracy"))
    given.check()


def test_learning_curves_inner_fits_seeds_and_baselines_see_nothing_of_it(rng):
    X, y = data_of("rows", rng)
    scoring = {name: writing_scorers()[name] for name in ("writes both", "sorts y", "breaks the model")}
    given = Untouched(X, y)
    models = {"tree": DecisionTreeClassifier(), "twin": DecisionTreeClassifier(), "vandal": vandal()}

    def orders(evaluate):
        results = [evaluate({name: models[name] for name in order}) for order in itertools.permutations(models)]
        for result, metric, name in itertools.product(results, scoring, models):
            np.testing.assert_array_equal(result.score(name, metric), results[0].score(name, metric))
        np.testing.assert_array_equal(results[0].score("tree", "sorts y"), results[0].score("twin", "sorts y"))

    plain = {"scoring": scoring, "random_state": 0}
    orders(lambda named: PairedEvaluator(cv="1x3", n_seeds=2, baseline="dummy", **plain).evaluate(named, X, y))
    orders(lambda named: PairedEvaluator(cv="4x3", stop=skc.StopRule(), **plain).evaluate(named, X, y))
    curves = [
        PairedEvaluator(cv="1x3", **plain).learning_curve({n: models[n] for n in order}, X, y, train_sizes=[12, 24])
        for order in itertools.permutations(models)
    ]
    key = ["size", "estimator", "metric", "repeat", "fold"]
    frames = [curve.to_frame().set_index(key).sort_index()["score"] for curve in curves]
    for frame in frames:
        pd.testing.assert_series_equal(frame, frames[0], check_exact=True)
    given.check()


def test_a_selector_leaves_the_data_as_they_were(rng):
    X, y = data_of("rows", rng)
    given = Untouched(X, y)
    evaluator = PairedEvaluator(cv="1x3", scoring=writing_scorers()["writes both"], random_state=0)
    chosen = ComparisonSelector({"a": vandal(), "b": vandal()}, evaluator=evaluator).fit(X, y)
    given.check()
    expected = vandal().fit(X.copy(), y.copy())
    np.testing.assert_array_equal(chosen.predict(X.copy()), expected.predict(X.copy()))


# ---- scores of predictions that are kept or given


def pure_and_writing():
    def pure(y_true, y_pred):
        return float(np.mean(np.asarray(y_true) == np.asarray(y_pred)) + np.asarray(y_pred).mean() / 3)

    def writing(y_true, y_pred):
        score = pure(y_true, y_pred)
        y_true.sort()
        y_pred[...] = 0
        return score

    return pure, writing


def test_given_predictions_are_scored_as_by_functions_that_write_nothing(rng):
    pure, writing = pure_and_writing()
    y, groups = np.tile([0, 0, 1, 1], 7), np.tile([0, 1], 14)
    predictions = {name: np.where(rng.uniform(size=28) < 0.8, y, 1 - y) for name in "ab"}

    def opaque(model, X, y):
        score = pure(y, model.predict(X))
        spoil(X)
        spoil(y)
        return score

    given = Untouched(y, predictions, groups)
    scoring = {"one": writing, "two": writing, "three": opaque, "four": writing, "accuracy": "accuracy"}
    result = from_predictions(y, predictions, scoring=scoring)
    expected = from_predictions(y, predictions, scoring=dict.fromkeys(("one", "two", "three", "four"), pure))
    np.testing.assert_array_equal(result.scores[..., :4], expected.scores)
    given.check()
    written = from_predictions(y, predictions, scoring={"own": writing})
    clean = from_predictions(y, predictions, scoring={"own": pure})
    assert str(written.intervals()) == str(clean.intervals())
    assert [row.pvalue for row in written.by(groups).rows] == [row.pvalue for row in clean.by(groups).rows]
    assert written.test("paired_metric_test", rng=0).pvalue == clean.test("paired_metric_test", rng=0).pvalue
    options = {"rng": 0, "n_resamples": 50}
    assert written.test("paired_bootstrap", **options).pvalue == clean.test("paired_bootstrap", **options).pvalue
    np.testing.assert_array_equal(written.scores, clean.scores)
    given.check()


def test_kept_predictions_are_not_changed_by_later_metrics(rng):
    pure, writing = pure_and_writing()
    X, y = data_of("rows", rng)
    scoring = {"own": skm.make_scorer(writing)}
    result = PairedEvaluator(cv="1x3", scoring=scoring, random_state=0).evaluate([GaussianNB(), vandal()], X, y)
    before = pickle.dumps([result.predictions(name) for name in result.estimators])
    clean = PairedEvaluator(cv="1x3", scoring={"own": skm.make_scorer(pure)}, random_state=0).evaluate(
        [GaussianNB(), vandal()], X, y
    )
    groups = np.repeat([0, 1], N // 2)
    rows = [[(row.estimate, row.mean_a) for row in one.by(groups).rows] for one in (result, clean)]
    assert rows[0] == rows[1]
    assert pickle.dumps([result.predictions(name) for name in result.estimators]) == before


# ---- what is known


def test_the_metrics_that_are_known_write_into_nothing():
    """Those of scikit-learn, by its names: they are handed what is shared."""
    for task, y in (("classes", np.tile([0, 1], 10)), ("numbers", np.linspace(1, 2, 20))):
        X = np.column_stack([np.linspace(0, 1, 20), y])
        known = GaussianNB() if task == "classes" else KNeighborsRegressor(2)
        model = known.fit(X, y)
        for name in skm.get_scorer_names():
            given = Untouched(X, y)
            with warnings.catch_warnings(action="ignore"):
                try:
                    skm.get_scorer(name)(model, X, y)
                except (ValueError, AttributeError, TypeError):
                    continue  # it is for another kind of target
            given.check()
