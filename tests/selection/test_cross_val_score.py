"""`cross_val_score`, `cross_validate` and `cross_val_predict` are scikit-learn's, on the cases of its own tests.

Floats, warnings, errors and what is printed.
"""

# ruff: noqa: ARG001, ARG002, ARG005 - estimators and scorers take what they are given

from __future__ import annotations

import contextlib
import io
import os
import re
import signal
import warnings
from functools import partial

import joblib
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import sklearn
import sklearn.metrics as skm
from sklearn import datasets, model_selection
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import HistGradientBoostingRegressor, RandomForestClassifier, StackingRegressor
from sklearn.exceptions import FitFailedWarning
from sklearn.impute import SimpleImputer
from sklearn.linear_model import Lasso, LinearRegression, LogisticRegression, Ridge, SGDClassifier
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KernelDensity, KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import skcompare as skc
from skcompare import cross_val_score

pytestmark = pytest.mark.sampled

IRIS = datasets.load_iris(return_X_y=True)
DIABETES = tuple(part[:80] for part in datasets.load_diabetes(return_X_y=True))
ONES = np.ones((15, 2))
FIVES = np.repeat([1, 2, 3], 5)
TRIPLES = np.array([0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 6])
LINE = np.arange(1, 10)
GROUPS = np.arange(150) % 7
SHUFFLED = np.random.default_rng(0).permutation(150)
KERNEL = IRIS[0] @ IRIS[0].T
DISTANCES = 1 + np.abs(IRIS[0][:, :1] - IRIS[0][:, 0])
LABELS = np.array(["setosa", "versicolor", "virginica"])
TREE = DecisionTreeClassifier(random_state=0)
rng = np.random.default_rng(0)
WEIGHTS = rng.uniform(0.1, 3, 150)


def by_value():
    """Estimators and a scorer that joblib sends to workers as they are, since workers cannot import this module."""

    class Plain(ClassifierMixin, BaseEstimator):
        """Its score is made of its parameter; fit takes metadata of every kind, as in scikit-learn's tests."""

        def __init__(self, a=0, allow_nd=False):
            self.a = a
            self.allow_nd = allow_nd

        def fit(self, X, y=None, *, sample_weight=None, class_prior=None, sparse_weight=None, sparse=None, text=None):
            if np.ndim(X) >= 3 and not self.allow_nd:
                raise ValueError("X cannot be d")
            for per_sample in (sample_weight, sparse_weight):
                assert per_sample is None or per_sample.shape[0] == X.shape[0]
            assert class_prior is None or len(class_prior) == 7
            assert sparse is None or sparse.shape == (5, 5)
            assert text is None or text == "42"
            self.classes_ = np.unique(y)
            return self

        def predict(self, X):
            return X.reshape(len(X), -1)[:, 0]

        def score(self, X=None, y=None):
            return 1.0 / (1 + np.abs(self.a))

    class Checking(ClassifierMixin, BaseEstimator):
        """Fails unless it is given data of some types."""

        def __init__(self, X_type=object, y_type=object):
            self.X_type, self.y_type = X_type, y_type

        def fit(self, X, y):
            assert isinstance(X, self.X_type)
            assert isinstance(y, self.y_type)
            self.classes_ = np.unique(y)
            return self

        def score(self, X, y):
            assert isinstance(X, self.X_type)
            assert isinstance(y, self.y_type)
            return float(len(X))

    class Failing(BaseEstimator):
        """Fails where its training set has a value above the limit."""

        def __init__(self, limit=8):
            self.limit = limit

        def fit(self, X, y=None):
            if (np.asarray(X) > self.limit).any():
                raise ValueError(f"Classifier fit failed with {(np.asarray(X) > self.limit).sum()} values too high")
            return self

        def score(self, X=None, y=None):
            return 0.0

    def failing_scorer(estimator, X, y, *, marked=None):
        if marked is None or marked in y:
            raise ValueError("This scorer is supposed to fail!!!")
        return 1.0

    return Plain, Checking, Failing, failing_scorer


Plain, Checking, Failing, failing_scorer = by_value()


class NoParameters:
    """Cannot be cloned."""

    def fit(self, X, y):
        return self

    def score(self, X, y):
        return 1.0


def of_integers(estimator, X, y):
    return len(X)


def of_arrays(estimator, X, y):
    return np.array(0.25, dtype=np.float32)


def of_several(estimator, X, y):
    matrix = skm.confusion_matrix(y, estimator.predict(X))
    return {"tn": matrix[0, 0], "tp": matrix[1, 1]}


def masks(n, n_splits):
    for train, test in KFold(n_splits).split(np.empty(n)):
        yield np.isin(np.arange(n), train), np.isin(np.arange(n), test)


def breaks_off(n):
    yield from list(KFold(3).split(np.empty(n)))[:2]
    raise RuntimeError("no more splits")


# Every case: estimator, X, y and the other arguments, made anew for each of the two functions.
VALID = {
    "five folds": lambda: (TREE, *IRIS, {}),
    "an int": lambda: (SVC(), *IRIS, {"cv": 3}),
    "regressor": lambda: (Ridge(), *DIABETES, {}),
    "r2": lambda: (Ridge(), *DIABETES, {"scoring": "r2"}),
    "made scorer": lambda: (Ridge(), *DIABETES, {"scoring": skm.make_scorer(skm.explained_variance_score)}),
    "named labels": lambda: (GaussianNB(), IRIS[0], LABELS[IRIS[1]], {"scoring": "f1_macro"}),
    "object labels": lambda: (GaussianNB(), IRIS[0], LABELS.astype(object)[IRIS[1]], {}),
    "sparse X": lambda: (LogisticRegression(max_iter=500), sp.coo_array(IRIS[0]), IRIS[1], {"cv": 3}),
    "sparse X, own score": lambda: (Plain(a=3), sp.coo_matrix(ONES), FIVES, {}),
    "two targets": lambda: (Plain(a=-2), ONES, np.column_stack([FIVES, FIVES[::-1]]), {}),
    "two targets of a regressor": lambda: (KNeighborsRegressor(), DIABETES[0], np.c_[DIABETES[1], DIABETES[1]], {}),
    "lists": lambda: (Checking(list, list), ONES.tolist(), FIVES.tolist(), {"cv": 3, "error_score": "raise"}),
    "y a list": lambda: (Checking(np.ndarray, list), ONES, FIVES.tolist(), {"cv": 3, "error_score": "raise"}),
    "frames": lambda: (
        Checking(pd.DataFrame, pd.Series),
        pd.DataFrame(ONES),
        pd.Series(FIVES),
        {"error_score": "raise"},
    ),
    "frame of categories": lambda: (
        make_pipeline(FunctionTransformer(pd.get_dummies), GaussianNB()),
        pd.DataFrame({"a": LABELS[IRIS[1]], "b": IRIS[0][:, 0]}),
        pd.Series(IRIS[1], index=range(1000, 1150)),
        {},
    ),
    "X of three axes": lambda: (Plain(allow_nd=True), ONES[:, :, None], FIVES, {}),
    "X of strings": lambda: (DummyClassifier(), np.array(["a", "b", "c"] * 5), FIVES, {}),
    "X in columns' order": lambda: (LinearRegression(), np.asfortranarray(DIABETES[0]), DIABETES[1], {}),
    "float32": lambda: (Ridge(), DIABETES[0].astype(np.float32), DIABETES[1].astype(np.float32), {}),
    "y in a column": lambda: (KNeighborsClassifier(), IRIS[0], IRIS[1][:, None], {}),
    "multilabel": lambda: (
        KNeighborsClassifier(1),
        IRIS[0][:10],
        np.array([[1, 1], [0, 1], [0, 1], [0, 1], [1, 1], [0, 1], [1, 0], [1, 1], [1, 0], [0, 0]]),
        {"scoring": skm.make_scorer(skm.precision_score, average="samples", zero_division=0)},
    ),
    "missing values": lambda: (
        make_pipeline(SimpleImputer(), GaussianNB()),
        np.where(np.arange(600).reshape(150, 4) % 11 == 0, np.nan, IRIS[0]),
        IRIS[1],
        {},
    ),
    "precomputed kernel": lambda: (SVC(kernel="precomputed"), KERNEL, IRIS[1], {}),
    "precomputed distances": lambda: (KNeighborsClassifier(metric="precomputed"), DISTANCES, IRIS[1], {}),
    "callable kernel": lambda: (SVC(kernel=lambda a, b: a @ b.T), *IRIS, {}),
    "no target, no predict": lambda: (KernelDensity(), IRIS[0], None, {}),
    "no target, transformer": lambda: (PCA(2), IRIS[0], None, {"cv": 3}),
    "no target, clusters": lambda: (KMeans(3, n_init=2, random_state=0), IRIS[0], None, {"cv": 3}),
    "search": lambda: (GridSearchCV(SVC(), {"C": [1, 10]}, cv=2), *IRIS, {"cv": 3}),
    "weights": lambda: (LogisticRegression(max_iter=500), *IRIS, {"params": {"sample_weight": WEIGHTS}}),
    "params of all kinds": lambda: (
        Plain(),
        ONES,
        FIVES,
        {
            "params": {
                "sample_weight": np.ones(15),
                "class_prior": np.full(7, 1 / 7),
                "sparse_weight": sp.coo_matrix(np.eye(15)),
                "sparse": sp.coo_matrix(np.eye(5)),
                "text": "42",
            },
            "error_score": "raise",
        },
    ),
    "masks": lambda: (SVC(), *IRIS, {"cv": masks(150, 4)}),
    "a generator of splits": lambda: (TREE, *IRIS, {"cv": KFold(4).split(IRIS[0])}),
    "lists of indices": lambda: (
        TREE,
        *IRIS,
        {"cv": [([*range(0, 150, 2)], [1, 3, 51, 53, 101]), ([7, 60, 140], [8])]},
    ),
    "negative and repeated indices": lambda: (TREE, *IRIS, {"cv": [([-1, 0, 0, 60], [5, 5, -2])]}),
    "one split": lambda: (TREE, *IRIS, {"cv": [(np.arange(0, 150, 2), np.arange(1, 150, 2))]}),
    "integer scores": lambda: (TREE, *IRIS, {"scoring": of_integers, "cv": 4}),
    "scores in arrays": lambda: (TREE, *IRIS, {"scoring": of_arrays}),
    "numpy arguments": lambda: (TREE, *IRIS, {"cv": np.int64(3), "n_jobs": np.int64(1), "error_score": np.float64(0)}),
    "other arguments": lambda: (
        TREE,
        *IRIS,
        {"pre_dispatch": "all", "verbose": False, "params": {}, "error_score": -1},
    ),
    "arithmetic": lambda: (TREE, *IRIS, {"pre_dispatch": "3 + n_jobs // 1"}),
}
WARNS = {
    "precomputed distances, sparse": lambda: (
        KNeighborsClassifier(metric="precomputed"),
        sp.csr_matrix(DISTANCES),
        IRIS[1],
        {},
    ),
    "some fits fail": lambda: (Failing(), LINE, np.ones(9), {"cv": 3}),
    "some fits fail, score 0": lambda: (Failing(), LINE, np.ones(9), {"cv": 3, "error_score": 0}),
    "scorer fails": lambda: (GaussianNB(), *IRIS, {"scoring": failing_scorer, "cv": 3}),
    "scorer fails, score 0": lambda: (GaussianNB(), *IRIS, {"scoring": failing_scorer, "error_score": 0}),
    "scorer fails once": lambda: (TREE, *IRIS, {"scoring": partial(failing_scorer, marked=0), "cv": KFold(3)}),
    "binary scorer, three classes": lambda: (GaussianNB(), *IRIS, {"scoring": "precision"}),
    "a class too rare": lambda: (TREE, ONES, TRIPLES, {"cv": 3}),
    "estimator warns": lambda: (SGDClassifier(max_iter=1, tol=1e-9, random_state=0), *IRIS, {"cv": 3}),
    "undefined metric": lambda: (DummyClassifier(), *IRIS, {"scoring": "precision_macro", "cv": 3}),
    "one class in a test set": lambda: (GaussianNB(), *IRIS, {"scoring": "roc_auc_ovr", "cv": KFold(3)}),
    "params that a failed fit does not take": lambda: (
        Failing(100),
        LINE,
        np.ones(9),
        {"cv": 3, "scoring": failing_scorer, "error_score": 2},
    ),
}
REFUSED = {
    "estimator without fit": lambda: (3, *IRIS, {}),
    "estimator a class": lambda: (SVC, *IRIS, {}),
    "estimator not to be cloned": lambda: (NoParameters(), *IRIS, {}),
    "estimator without score": lambda: (StandardScaler(), *IRIS, {}),
    "X a number": lambda: (TREE, 3, IRIS[1], {}),
    "X a string": lambda: (TREE, "abc", IRIS[1], {}),
    "y a number": lambda: (TREE, IRIS[0], 3, {}),
    "y sparse": lambda: (TREE, IRIS[0], sp.csr_matrix(IRIS[1][:, None]), {}),
    "y too short": lambda: (TREE, IRIS[0], IRIS[1][:-1], {}),
    "no y": lambda: (TREE, IRIS[0], None, {}),
    "groups a number": lambda: (TREE, *IRIS, {"groups": 3}),
    "groups too short": lambda: (TREE, *IRIS, {"groups": GROUPS[1:], "cv": model_selection.GroupKFold(3)}),
    "scoring unknown": lambda: (TREE, *IRIS, {"scoring": "acuracy"}),
    "scoring a metric": lambda: (TREE, *IRIS, {"scoring": skm.accuracy_score}),
    "scoring a number": lambda: (TREE, *IRIS, {"scoring": 3}),
    "scoring a set": lambda: (TREE, *IRIS, {"scoring": {"accuracy"}}),
    "cv one": lambda: (TREE, *IRIS, {"cv": 1}),
    "cv a string": lambda: (TREE, *IRIS, {"cv": "10x10"}),
    "cv a number": lambda: (TREE, *IRIS, {"cv": 2.5}),
    "cv of numbers": lambda: (TREE, *IRIS, {"cv": [1, 2]}),
    "cv empty": lambda: (TREE, *IRIS, {"cv": []}),
    "cv breaks off": lambda: (TREE, *IRIS, {"cv": breaks_off(150)}),
    "cv beyond the data": lambda: (TREE, *IRIS, {"cv": [([0, 60, 120], [150])]}),
    "cv of floats": lambda: (TREE, *IRIS, {"cv": [([0.0, 60.0], [1.0])]}),
    "cv with nothing to train on": lambda: (TREE, *IRIS, {"cv": [([], [1])]}),
    "cv of short masks": lambda: (TREE, *IRIS, {"cv": [([True, False], [False, True])]}),
    "more folds than members": lambda: (TREE, ONES, TRIPLES, {"cv": 4}),
    "more folds than samples": lambda: (Ridge(), *DIABETES, {"cv": 81}),
    "n_jobs a string": lambda: (TREE, *IRIS, {"n_jobs": "2"}),
    "n_jobs zero": lambda: (TREE, *IRIS, {"n_jobs": 0}),
    "verbose negative": lambda: (TREE, *IRIS, {"verbose": -1}),
    "params a list": lambda: (TREE, *IRIS, {"params": [1]}),
    "params unknown": lambda: (TREE, *IRIS, {"params": {"nothing": 1}}),
    "pre_dispatch None": lambda: (TREE, *IRIS, {"pre_dispatch": None}),
    "pre_dispatch a float": lambda: (TREE, *IRIS, {"pre_dispatch": 1.5}),
    "pre_dispatch no arithmetic": lambda: (TREE, *IRIS, {"pre_dispatch": "many", "n_jobs": 2}),
    "error_score a word": lambda: (TREE, *IRIS, {"error_score": "skip"}),
    "error_score None": lambda: (TREE, *IRIS, {"error_score": None}),
    "every fit fails": lambda: (Failing(0), LINE, np.ones(9), {"cv": 7}),
    "every fit fails, score 0": lambda: (Failing(0), LINE, np.ones(9), {"cv": 7, "error_score": 0}),
    "X of three axes fails": lambda: (Plain(), ONES[:, :, None], FIVES, {}),
    "a fit raises": lambda: (Failing(), LINE, np.ones(9), {"cv": 3, "error_score": "raise"}),
    "X of three axes raises": lambda: (Plain(), ONES[:, :, None], FIVES, {"error_score": "raise"}),
    "a scorer raises": lambda: (GaussianNB(), *IRIS, {"scoring": failing_scorer, "error_score": "raise"}),
    "a scorer of tuples": lambda: (
        GaussianNB(),
        *IRIS,
        {"scoring": skm.make_scorer(skm.precision_recall_fscore_support)},
    ),
    "a scorer of several": lambda: (GaussianNB(), IRIS[0], IRIS[1] == 0, {"scoring": of_several}),
    "a scorer of nothing": lambda: (TREE, *IRIS, {"scoring": lambda estimator, X, y: None}),
    "a scorer of arrays": lambda: (TREE, *IRIS, {"scoring": lambda estimator, X, y: np.arange(2.0)}),
    "kernel not square": lambda: (SVC(kernel="precomputed"), *IRIS, {}),
    "kernel a list": lambda: (SVC(kernel="precomputed"), KERNEL.tolist(), IRIS[1], {}),
    "no groups": lambda: (TREE, *IRIS, {"cv": model_selection.GroupKFold()}),
    "no groups to leave out": lambda: (TREE, *IRIS, {"cv": model_selection.LeaveOneGroupOut()}),
}


def answer(function, estimator, X, y, arguments, *, seed=0):
    """What a call gives, warns of, raises and prints."""
    np.random.seed(seed)  # noqa: NPY002 - scikit-learn's
    values = error = None
    printed = io.StringIO()
    with warnings.catch_warnings(record=True) as warned, contextlib.redirect_stdout(printed):
        warnings.simplefilter("always")
        with contextlib.redirect_stderr(io.StringIO()):
            try:
                values = function(estimator, X, y, **arguments)
            except Exception as raised:
                error = (type(raised).__name__, type(raised).__mro__[1].__name__, without_frames(str(raised)))
    told = [(warning.category.__name__, without_frames(str(warning.message))) for warning in warned]
    return values, error, told, re.sub(r"time= *\d+\.\ds", "time=", printed.getvalue())


def without_frames(message, more="(?!)"):
    """A message without the lines of a traceback that name who called, and where in memory something is."""
    message = re.sub(rf'  File ".*(_validation\.py|skcompare/.*|{more})".*\n(    .*\n)*', "", message)
    message = re.sub(r"str among \{.*?\}", "str among names", message)  # in no order
    return re.sub(r"0x[0-9a-f]+", "0x", message)


def assert_equal_answers(case, *, seed=0):
    theirs = answer(model_selection.cross_val_score, *case(), seed=seed)
    ours = answer(cross_val_score, *case(), seed=seed)
    assert ours[1:] == theirs[1:]
    if theirs[0] is None:
        assert ours[0] is None
    else:
        assert type(ours[0]) is type(theirs[0]) is np.ndarray
        assert ours[0].dtype == theirs[0].dtype
        np.testing.assert_array_equal(ours[0], theirs[0])
    return theirs


@pytest.mark.parametrize("name", VALID)
def test_the_floats_are_scikit_learns(name):
    values, error, warned, _ = assert_equal_answers(VALID[name])
    assert error is None
    assert warned == [] or name == "y in a column"
    assert np.isfinite(values).all()


@pytest.mark.parametrize("name", WARNS)
def test_the_warnings_are_scikit_learns(name):
    values, _, warned, _ = assert_equal_answers(WARNS[name])
    assert values is not None
    assert warned


@pytest.mark.parametrize("name", REFUSED)
def test_the_errors_are_scikit_learns(name):
    values, error, _, _ = assert_equal_answers(REFUSED[name])
    assert values is None
    assert error is not None


# ---- splitters, scorers, random states ------------------------------------------------------------------------


SPLITTERS = {
    "GroupKFold": {"n_splits": 3},
    "GroupShuffleSplit": {"n_splits": 3, "random_state": 0},
    "KFold": {"n_splits": 4, "shuffle": True, "random_state": 0},
    "LeaveOneGroupOut": {},
    "LeaveOneOut": {},
    "LeavePGroupsOut": {"n_groups": 2},
    "LeavePOut": {"p": 2},
    "PredefinedSplit": {"test_fold": np.arange(150) % 4 - 1},
    "RepeatedKFold": {"n_splits": 2, "n_repeats": 2, "random_state": 0},
    "RepeatedStratifiedKFold": {"n_splits": 2, "n_repeats": 2, "random_state": 0},
    "ShuffleSplit": {"n_splits": 3, "random_state": 0},
    "StratifiedGroupKFold": {"n_splits": 3},
    "StratifiedKFold": {"n_splits": 4},
    "StratifiedShuffleSplit": {"n_splits": 3, "random_state": 0},
    "TimeSeriesSplit": {"n_splits": 3},
}


def test_every_public_splitter_is_among_the_cases():
    public = {name for name in model_selection.__all__ if name.endswith(("Fold", "Out", "Split"))}
    assert set(SPLITTERS) == public - {"BaseShuffleSplit"}


@pytest.mark.parametrize("name", SPLITTERS)
def test_every_splitter(name):
    keep = slice(0, 150, {"LeavePOut": 13, "LeaveOneOut": 5}.get(name, 1))
    X, y = IRIS[0][keep], IRIS[1][keep]
    splitter = getattr(model_selection, name)(**SPLITTERS[name])
    values, _, _, _ = assert_equal_answers(
        lambda: (KNeighborsClassifier(3), X, y, {"cv": splitter, "groups": GROUPS[keep]})
    )
    assert values is not None


PROBLEMS = {
    "binary": (LogisticRegression(), IRIS[0], (IRIS[1] == 1).astype(int)),
    "multiclass": (GaussianNB(), IRIS[0], IRIS[1]),
    "regression": (DecisionTreeRegressor(max_depth=2, random_state=0), *DIABETES),
    "multilabel": (KNeighborsClassifier(3), IRIS[0], np.c_[IRIS[1] == 1, IRIS[0][:, 0] > 5].astype(int)),
    "clusters": (KMeans(3, n_init=1, random_state=0), IRIS[0], IRIS[1]),
}


@pytest.mark.parametrize("scoring", skm.get_scorer_names())
def test_every_scorer(scoring):
    """Also where it does not fit the problem: then the warnings or errors are equal."""
    found = [
        assert_equal_answers(
            lambda problem=problem: (
                *PROBLEMS[problem],
                {"scoring": scoring, "cv": KFold(2, shuffle=True, random_state=0)},
            )
        )
        for problem in PROBLEMS
    ]
    assert any(values is not None and np.isfinite(values).all() for values, _, _, _ in found)


OPEN = {
    "forest": lambda: (RandomForestClassifier(3), *IRIS, {}),
    "forest, one state": lambda: (RandomForestClassifier(3, random_state=np.random.RandomState(0)), *IRIS, {}),
    "shuffled folds": lambda: (TREE, *IRIS, {"cv": KFold(3, shuffle=True)}),
    "both": lambda: (RandomForestClassifier(3), *IRIS, {"cv": model_selection.ShuffleSplit(4)}),
    "both, scores too": lambda: (
        SGDClassifier(loss="log_loss"),
        *IRIS,
        {
            "cv": model_selection.StratifiedShuffleSplit(3),
            "scoring": lambda estimator, X, y: np.random.rand(),  # noqa: NPY002
        },
    ),
}


@pytest.mark.parametrize("name", OPEN)
def test_an_equal_global_seed_gives_equal_floats(name):
    first, _, _, _ = assert_equal_answers(OPEN[name], seed=1)
    after = np.random.rand()  # noqa: NPY002
    answer(model_selection.cross_val_score, *OPEN[name](), seed=1)
    assert after == np.random.rand()  # noqa: NPY002 - nothing more was drawn
    if name not in ("forest, one state", "shuffled folds"):
        assert not np.array_equal(first, answer(cross_val_score, *OPEN[name](), seed=2)[0])


# ---- metadata routing -----------------------------------------------------------------------------------------


def weighted(fit=True, score=True):
    return LogisticRegression(max_iter=500).set_fit_request(sample_weight=fit).set_score_request(sample_weight=score)


ROUTED = {
    "nothing": lambda: (LogisticRegression(max_iter=500), *IRIS, {"params": None}),
    "fit and score": lambda: (weighted(), *IRIS, {"params": {"sample_weight": WEIGHTS}}),
    "fit": lambda: (weighted(score=False), *IRIS, {"params": {"sample_weight": WEIGHTS}}),
    "by another name": lambda: (weighted("w", "v"), *IRIS, {"params": {"w": WEIGHTS, "v": WEIGHTS[::-1]}}),
    "scorer": lambda: (
        weighted(score=None),
        *IRIS,
        {
            "params": {"sample_weight": WEIGHTS},
            "scoring": skm.make_scorer(skm.accuracy_score).set_score_request(sample_weight=True),
        },
    ),
    "groups": lambda: (TREE, *IRIS, {"params": {"groups": GROUPS}, "cv": model_selection.GroupKFold(3)}),
    "groups in their own argument": lambda: (TREE, *IRIS, {"groups": GROUPS}),
    "no groups": lambda: (TREE, *IRIS, {"cv": model_selection.GroupKFold(3)}),
    "not requested by fit": lambda: (weighted(None), *IRIS, {"params": {"sample_weight": WEIGHTS}}),
    "not requested by score": lambda: (weighted(score=None), *IRIS, {"params": {"sample_weight": WEIGHTS}}),
    "not requested, splits used up": lambda: (
        weighted(None),
        *IRIS,
        {"params": {"sample_weight": WEIGHTS}, "cv": KFold(3).split(IRIS[0])},
    ),
    "unknown": lambda: (TREE, *IRIS, {"params": {"metadata": WEIGHTS}}),
    "a function": lambda: (weighted(score=None), *IRIS, {"params": {"sample_weight": WEIGHTS}, "scoring": of_integers}),
}


@pytest.mark.parametrize("name", ROUTED)
def test_metadata_are_routed(name):
    with sklearn.config_context(enable_metadata_routing=True):
        values, error, _, _ = assert_equal_answers(ROUTED[name])
    expected_error = name.startswith(("not requested", "unknown", "no groups", "groups in"))
    assert (error is not None) == expected_error
    assert (values is None) == expected_error


def test_weights_that_are_routed_reach_fit_and_score():
    with sklearn.config_context(enable_metadata_routing=True):
        found = {name: answer(cross_val_score, *ROUTED[name]())[0] for name in ("nothing", "fit", "fit and score")}
    assert len({tuple(values) for values in found.values()}) == 3


# ---- what is printed ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("verbose", "n_lines"), [(0, 0), (1, 0), (True, 0), (2, 3), (3, 3), (10, 6)])
@pytest.mark.parametrize("estimator", [TREE, Failing(6)], ids=["fits", "fails"])
def test_the_lines_are_scikit_learns(estimator, verbose, n_lines):
    printed = assert_equal_answers(lambda: (estimator, *IRIS, {"cv": KFold(3), "verbose": verbose}))[3]
    assert printed.count("\n") == n_lines


def test_the_lines_of_several_metrics_are_those_of_cross_validate():
    arguments = {"scoring": ["accuracy", "f1_macro"], "cv": 2, "verbose": 3}
    theirs = answer(cross_validate, TREE, *IRIS, arguments)[3]
    assert answer(cross_val_score, TREE, *IRIS, arguments)[3] == theirs
    assert theirs.count("f1_macro") == 2


@pytest.mark.parametrize("verbose", [0, 1])
def test_a_closing_line_goes_to_standard_error(verbose, capsys):
    cross_val_score(TREE, *IRIS, verbose=verbose)
    printed = capsys.readouterr()
    assert printed.out == ""
    assert re.fullmatch(r"\[CV\] 5 of 5 fits done, elapsed: +\d\.\ds\n" if verbose else "", printed.err)


# ---- several metrics ------------------------------------------------------------------------------------------

SEVERAL = {
    "list": lambda: (TREE, *IRIS, {"scoring": ["accuracy", "f1_macro", "roc_auc_ovr"]}),
    "tuple": lambda: (Lasso(), *DIABETES, {"scoring": ("r2", "neg_mean_absolute_error")}),
    "dict": lambda: (TREE, *IRIS, {"scoring": {"right": "accuracy", "own": skm.make_scorer(skm.accuracy_score)}}),
    "integers": lambda: (TREE, *IRIS, {"scoring": {"n": of_integers, "accuracy": skm.make_scorer(skm.accuracy_score)}}),
    "one": lambda: (TREE, *IRIS, {"scoring": ["accuracy"]}),
    "one fails": lambda: (TREE, *IRIS, {"scoring": {"bad": failing_scorer, "n": of_integers}, "error_score": 7}),
    "some fits fail": lambda: (Failing(6), *IRIS, {"scoring": {"n": of_integers, "m": of_arrays}, "cv": KFold(3)}),
    "no metrics": lambda: (TREE, *IRIS, {"scoring": []}),
    "no metrics by name": lambda: (TREE, *IRIS, {"scoring": {}}),
    "the same twice": lambda: (TREE, *IRIS, {"scoring": ("f1_micro", "f1_micro")}),
    "callables without names": lambda: (TREE, *IRIS, {"scoring": [skm.make_scorer(skm.accuracy_score)]}),
    "lists of lists": lambda: (TREE, *IRIS, {"scoring": [["accuracy"]]}),
    "unknown": lambda: (TREE, *IRIS, {"scoring": ["acuracy"]}),
    "cv one": lambda: (TREE, *IRIS, {"scoring": ["accuracy"], "cv": 1}),
}


@pytest.mark.parametrize("name", SEVERAL)
def test_several_metrics_are_those_of_cross_validate(name):
    theirs = answer(cross_validate, *SEVERAL[name]())
    ours = answer(cross_val_score, *SEVERAL[name]())
    assert ours[1:] == theirs[1:]
    assert (ours[0] is None) == (theirs[0] is None)
    if theirs[0] is not None:
        expected = {key.removeprefix("test_"): value for key, value in theirs[0].items() if key.startswith("test_")}
        assert list(ours[0]) == list(expected)
        for key, values in expected.items():
            assert ours[0][key].dtype == values.dtype
            np.testing.assert_array_equal(ours[0][key], values)


def test_several_metrics_share_their_predictions():
    class Counting(GaussianNB):
        predicted = 0

        def predict(self, X):
            Counting.predicted += 1
            return super().predict(X)

    cross_val_score(Counting(), *IRIS, scoring=["accuracy", "precision_macro", "f1_macro"])
    assert Counting.predicted == 5


# ---- two jobs -------------------------------------------------------------------------------------------------

TWO_JOBS = {
    "here": lambda: (TREE, *IRIS, {"cv": 20}),
    "here, kernel": lambda: (SVC(kernel="precomputed"), KERNEL, IRIS[1], {"cv": 3}),
    "workers": lambda: (Plain(a=4), ONES, FIVES, {}),
    "workers, no target": lambda: (make_pipeline(Checking(object), KernelDensity())[1:], IRIS[0], None, {}),
    "workers, masks": lambda: (Plain(), ONES, FIVES, {"cv": masks(15, 3)}),
    "workers, failing": lambda: (Failing(), LINE, np.ones(9), {"cv": 3, "error_score": 0.5}),
    "workers, all failing": lambda: (Failing(0), LINE, np.ones(9), {"cv": 3}),
    "workers, raising": lambda: (Failing(), LINE, np.ones(9), {"cv": 3, "error_score": "raise"}),
    "workers, shuffled": lambda: (Checking(), *IRIS, {"cv": model_selection.ShuffleSplit(5)}),
    "workers, beyond the data": lambda: (Plain(), ONES, FIVES, {"cv": [([0, 6, 11], [15]), ([0, 6], [1])]}),
    "workers, not to be pickled": lambda: (Plain(a=(i for i in ())), ONES, FIVES, {}),
}


@pytest.mark.parametrize("name", TWO_JOBS)
def test_two_jobs_give_the_same(name):
    def case():
        estimator, X, y, arguments = TWO_JOBS[name]()
        return estimator, X, y, {**arguments, "n_jobs": 2}

    error = assert_equal_answers(case)[1]
    assert error is None or "un-serialize" not in error[2]


def test_threads_give_the_same():
    with joblib.parallel_config(backend="threading", n_jobs=2):
        assert_equal_answers(lambda: (make_pipeline(StandardScaler(), SVC()), *IRIS, {"scoring": "f1_macro"}))


def test_failed_scores_of_workers_are_told_in_this_process():
    """scikit-learn's warning stays in the worker."""
    with pytest.warns(UserWarning, match="Scoring failed") as warned:
        scores = cross_val_score(Plain(), ONES, FIVES, scoring=failing_scorer, n_jobs=2, error_score=0.5)
    assert len(warned) == 5
    np.testing.assert_array_equal(scores, 0.5)


@pytest.mark.sampled("ended processes")
def test_a_worker_that_dies_costs_its_fit_and_not_the_call():
    class Deadly(GaussianNB):
        def fit(self, X, y):
            if not (IRIS[0][0] == X).all(axis=1).any():
                os.kill(os.getpid(), signal.SIGKILL)
            return super().fit(X, y)

    with pytest.warns(FitFailedWarning, match="1 fits failed out of a total of 3(.|\n)*WorkerLostError"):
        scores = cross_val_score(Deadly(), *IRIS, cv=3, n_jobs=2)
    expected = model_selection.cross_val_score(GaussianNB(), *IRIS, cv=3)
    np.testing.assert_array_equal(scores, [np.nan, *expected[1:]])


# ---- cross_validate: the same cases, with all that it may return ----------------------------------------------

FLAGS = ("return_train_score", "return_estimator", "return_indices")
MORE = {
    "train scores printed": lambda: (TREE, *IRIS, {"verbose": 3, "cv": 3, "return_train_score": True}),
    "several printed": lambda: (
        TREE,
        *IRIS,
        {"verbose": 10, "scoring": ["r2", "accuracy"], "return_train_score": True},
    ),
    "one printed": lambda: (TREE, *IRIS, {"verbose": 3, "cv": 3, "return_train_score": False}),
    "a function of several": lambda: (TREE, IRIS[0], IRIS[1] == 0, {"scoring": of_several}),
    "a function of several, trained": lambda: (
        TREE,
        IRIS[0],
        IRIS[1] == 0,
        {"scoring": of_several, "return_train_score": True},
    ),
    "a function of several, printed": lambda: (TREE, IRIS[0], IRIS[1] == 0, {"scoring": of_several, "verbose": 3}),
    "a function of several, some fits fail": lambda: (
        Failing(6),
        *IRIS,
        {"scoring": lambda estimator, X, y: {"n": len(y), "m": 0.5}, "cv": KFold(3), "error_score": 3},
    ),
    "a function of several, the first fit fails": lambda: (
        Failing(3),
        *IRIS,
        {"scoring": lambda estimator, X, y: {"n": len(y), "m": 0.5}, "cv": KFold(4), "return_train_score": True},
    ),
    "a function of several, every fit fails": lambda: (Failing(0), *IRIS, {"scoring": of_several, "cv": KFold(3)}),
    "a function of words": lambda: (TREE, *IRIS, {"scoring": lambda estimator, X, y: {"a": 1.0, "b": "no"}}),
    "a function of one word": lambda: (TREE, *IRIS, {"scoring": lambda estimator, X, y: "no"}),
    "a function of other names": lambda: (
        TREE,
        *IRIS,
        {"scoring": lambda estimator, X, y: {"a" if y[0] else "b": 1.0}, "cv": KFold(3)},
    ),
    "a function fails": lambda: (GaussianNB(), *IRIS, {"scoring": partial(failing_scorer, marked=0), "cv": KFold(3)}),
    "a function of nothing": lambda: (TREE, *IRIS, {"scoring": lambda estimator, X, y: {}}),
    "a flag that is none": lambda: (TREE, *IRIS, {"return_train_score": "yes"}),
    "splits that are used up": lambda: (TREE, *IRIS, {"cv": KFold(3).split(IRIS[0]), "return_indices": True}),
    "a scorer of the training set fails": lambda: (
        TREE,
        *IRIS,
        {"scoring": {"bad": failing_scorer, "n": of_integers}, "error_score": 7, "return_train_score": True},
    ),
}
CALLS = {"valid": VALID, "warns": WARNS, "refused": REFUSED, "several": SEVERAL, "more": MORE, "two jobs": TWO_JOBS}


def equal_dicts(ours, theirs):
    assert list(ours) == list(theirs)
    for name, values in theirs.items():
        if name == "indices":
            assert list(ours[name]) == list(values)
            assert all(
                np.array_equal(a, b) for part in values for a, b in zip(ours[name][part], values[part], strict=True)
            )
        elif name == "estimator":
            assert [without_frames(repr(one)) for one in ours[name]] == [without_frames(repr(one)) for one in values]
            assert [vars(one).keys() for one in ours[name]] == [vars(one).keys() for one in values]
        else:
            assert type(ours[name]) is type(values)
            assert ours[name].dtype == values.dtype
            assert ours[name].shape == values.shape
            if not name.endswith("_time"):
                np.testing.assert_array_equal(ours[name], values)


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind, cases in CALLS.items() for name in cases])
def test_cross_validate_is_scikit_learns(kind, name, global_random_seed):
    flags = {flag: bool(global_random_seed >> i & 1) for i, flag in enumerate(FLAGS)}
    more = {"n_jobs": 2} if kind == "two jobs" else {}

    def asked(function):
        estimator, X, y, arguments = CALLS[kind][name]()
        return answer(function, estimator, X, y, {**flags, **more, **arguments})

    theirs, ours = asked(cross_validate), asked(skc.cross_validate)
    assert ours[1] == theirs[1]
    assert ours[3] == theirs[3]
    if kind != "two jobs":  # scikit-learn's warnings of scores stay in the worker
        told = [[(kind, without_frames(text, ".*")) for kind, text in one[2]] for one in (ours, theirs)]
        assert told[0] == told[1]
    assert (ours[0] is None) == (theirs[0] is None)
    if theirs[0] is not None:
        equal_dicts(ours[0], theirs[0])


@pytest.mark.parametrize("flag", FLAGS)
def test_without_a_split_it_ends_as_scikit_learns(flag):
    theirs, ours = (answer(one, TREE, *IRIS, {"cv": [], flag: True}) for one in (cross_validate, skc.cross_validate))
    assert ours[1] == theirs[1] is not None


@pytest.mark.parametrize("name", ROUTED)
def test_cross_validate_routes_metadata(name):
    with sklearn.config_context(enable_metadata_routing=True):
        theirs, ours = (answer(one, *ROUTED[name]()) for one in (cross_validate, skc.cross_validate))
    assert ours[1:] == theirs[1:]
    if theirs[0] is not None:
        equal_dicts(ours[0], theirs[0])


def test_fitted_estimators_predict_what_was_scored():
    found = skc.cross_validate(TREE, *IRIS, return_estimator=True, return_indices=True, return_train_score=True)
    X, y = IRIS
    for part in ("train", "test"):
        scores = [m.score(X[i], y[i]) for m, i in zip(found["estimator"], found["indices"][part], strict=True)]
        np.testing.assert_array_equal(found[f"{part}_score"], scores)


METHODS = ["predict", "predict_proba", "predict_log_proba", "decision_function", "transform"]


def assert_same_predictions(case, **more):
    estimator, X, y, arguments = case()
    arguments = {name: value for name, value in arguments.items() if name not in ("scoring", "error_score")} | more
    theirs = answer(model_selection.cross_val_predict, estimator, X, y, arguments)
    estimator, X, y, again = case()  # generators of splits are used up
    ours = answer(
        skc.cross_val_predict, estimator, X, y, {**arguments, **({"cv": again["cv"]} if "cv" in again else {})}
    )
    # ours joins after all fits, so that where joining fails more of these have warned
    told = [sorted(one[2]) if theirs[1] is None else set(one[2]) for one in (ours, theirs)]
    assert (ours[1], told[0], ours[3]) == (theirs[1], told[1], theirs[3])
    assert type(ours[0]) is type(theirs[0])
    both = [found if isinstance(found, list) else [found] for found in (ours[0], theirs[0])]
    for one, other in zip(*both, strict=True):
        if one is not None:
            assert (type(one), one.dtype, one.shape) == (type(other), other.dtype, other.shape)
            np.testing.assert_array_equal(*(x.toarray() if sp.issparse(x) else x for x in (one, other)))
    return theirs


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("shuffle", [False, True])
def test_cross_val_predict_is_scikit_learns(method, shuffle):
    cv = KFold(3, shuffle=shuffle, random_state=0 if shuffle else None)  # without: a class is in no training set
    for model in (LogisticRegression(max_iter=500), SVC(), SVC(decision_function_shape="ovo"), TREE):
        assert_same_predictions(lambda model=model: (model, *IRIS, {"method": method, "cv": cv}))


@pytest.mark.parametrize("method", ["predict", "predict_proba"])
@pytest.mark.parametrize("name", [*VALID, *WARNS, *REFUSED])
def test_predictions_warnings_and_errors_are_scikit_learns(name, method):
    assert_same_predictions({**VALID, **WARNS, **REFUSED}[name], method=method)


@pytest.mark.parametrize("name", TWO_JOBS)
def test_two_jobs_predict_the_same(name):
    assert_same_predictions(TWO_JOBS[name], n_jobs=2)


PARTITIONS = {
    "in another order": lambda: (TREE, *IRIS, {"cv": [(SHUFFLED[50:], SHUFFLED[:50]), (SHUFFLED[:50], SHUFFLED[50:])]}),
    "draws": lambda: (DecisionTreeClassifier(max_features=1), *IRIS, {"cv": KFold(4, shuffle=True)}),
    "words of a class": lambda: (GaussianNB(), IRIS[0], LABELS[IRIS[1]], {"method": "predict_proba"}),
    "two targets": lambda: (
        KNeighborsClassifier(),
        IRIS[0],
        np.column_stack([LABELS[IRIS[1]], LABELS[IRIS[1] // 2]]),
        {"method": "predict_proba", "cv": KFold(3)},
    ),
    "sparse": lambda: (SparsePredictions(), IRIS[0], np.eye(3)[IRIS[1]], {"cv": 3}),
    "groups": lambda: (TREE, *IRIS, {"cv": model_selection.GroupKFold(3), "groups": GROUPS}),
    "weights": lambda: (TREE, *IRIS, {"params": {"sample_weight": WEIGHTS}}),
    "told": lambda: (TREE, *IRIS, {"verbose": 1}),
    "no classes": lambda: (NoClasses(), *IRIS, {"method": "predict_proba"}),
}


class SparsePredictions(BaseEstimator):
    def fit(self, X, y):
        self.columns_ = y.shape[1]
        return self

    def predict(self, X):
        return sp.csr_matrix(np.arange(len(X) * self.columns_).reshape(len(X), -1) % 3)


class NoClasses(BaseEstimator):
    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.zeros(len(X))

    def predict_proba(self, X):
        return np.zeros((len(X), 3))


@pytest.mark.parametrize("name", PARTITIONS)
def test_predictions_of_all_kinds_are_joined(name):
    error = assert_same_predictions(PARTITIONS[name])[1]
    assert (error is None) == (name != "no classes")


def test_predictions_do_not_wait_for_workers_that_do_not_pay(monkeypatch):
    """Such fits are done here, while scikit-learn's loop starts two processes."""
    monkeypatch.setattr(joblib, "Parallel", None)
    assert skc.cross_val_predict(GaussianNB(), *IRIS, n_jobs=2).shape == (150,)


MODELS = {"tree": TREE, "nb": GaussianNB()}
FUNCTIONS = {
    "cross_validate": lambda found: found["test_score"],
    "cross_val_score": lambda found: found,
    "cross_val_predict": lambda found: found,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_models_by_name_share_their_splits(name, global_random_seed):
    """Of a splitter without a seed too: equal models have equal scores."""
    function, read = getattr(skc, name), FUNCTIONS[name]
    cv = KFold(4, shuffle=True)
    found = function({**MODELS, "again": TREE}, *IRIS, cv=cv)
    assert list(found) == [*MODELS, "again"]
    np.testing.assert_array_equal(read(found["tree"]), read(found["again"]))
    fixed = KFold(4, shuffle=True, random_state=global_random_seed)
    both = function(MODELS, *IRIS, cv=fixed)
    for model, one in MODELS.items():
        np.testing.assert_array_equal(read(both[model]), read(getattr(model_selection, name)(one, *IRIS, cv=fixed)))
    with pytest.raises(ValueError, match=r"estimator must be .* a mapping of one or more"):
        function({}, *IRIS)


def test_models_by_name_share_groups_that_are_routed():
    given = {"cv": model_selection.GroupKFold(3), "params": {"groups": GROUPS}}
    with sklearn.config_context(enable_metadata_routing=True):
        found = skc.cross_validate(MODELS, *IRIS, **given)
        alone = cross_validate(TREE, *IRIS, **given)
    np.testing.assert_array_equal(found["tree"]["test_score"], alone["test_score"])


def test_dicts_of_models_are_compared():
    cv = KFold(5, shuffle=True, random_state=0)
    result = skc.from_cross_validate(skc.cross_validate(MODELS, *IRIS, cv=cv, return_indices=True))
    assert result.estimators == tuple(MODELS)


# ---- scripts of users: the calls of scikit-learn's gallery, from one module or the other ----------------------------

DIGITS = tuple(part[:300] for part in datasets.load_digits(return_X_y=True))
CANCER = tuple(part[:200] for part in datasets.load_breast_cancer(return_X_y=True))
SVM = SVC(kernel="linear", C=1, random_state=42)


def nested_and_flat(ms):
    grid = {"C": [1, 100], "gamma": [0.01, 0.1]}
    inner, outer = (KFold(n_splits=4, shuffle=True, random_state=i) for i in (0, 1))
    search = GridSearchCV(SVC(kernel="rbf"), grid, cv=inner)
    flat = search.fit(*IRIS).best_score_
    return flat, ms.cross_val_score(search, *IRIS, cv=outer)


def search_over_several_metrics(ms):
    scoring = {"AUC": "roc_auc", "Accuracy": skm.make_scorer(skm.accuracy_score)}
    tree = DecisionTreeClassifier(random_state=42)
    grid = {"min_samples_split": range(2, 40, 20)}
    search = GridSearchCV(tree, grid, scoring=scoring, refit="AUC", cv=3)
    return untimed(ms.cross_validate(search, *CANCER, cv=3, scoring="roc_auc"))


def stacking(ms):
    models = {"ridge": Ridge(), "tree": DecisionTreeRegressor(random_state=0)}
    stacked = StackingRegressor([*models.items()], final_estimator=Ridge())
    both = {"r2": "r2", "error": "neg_mean_absolute_error"}
    return [untimed(ms.cross_validate(one, *DIABETES, scoring=both)) for one in (*models.values(), stacked)]


def calibrated(ms):
    return ms.cross_val_predict(CalibratedClassifierCV(GaussianNB(), cv=3), *CANCER, cv=4, method="predict_proba")


def permuted(ms):
    rng = np.random.RandomState(0)
    return [ms.cross_val_score(SVM, IRIS[0], rng.permutation(IRIS[1]), cv=StratifiedKFold(2)) for _ in range(3)]


def own_scorer(ms):
    def macro(model, X, y):
        found = model.predict(X)
        return {"right": float((found == y).mean()), "first": float((found == 0).mean())}

    return untimed(ms.cross_validate(SVM, *IRIS, cv=3, scoring=macro))


def kept(ms):
    found = ms.cross_validate(Ridge(), *DIABETES, cv=3, return_estimator=True, return_indices=True)
    tests = zip(found["estimator"], found["indices"]["test"], strict=True)
    return [model.coef_ for model, _ in tests], [len(test) for _, test in tests]


def validation_curve_by_hand(ms):
    found = [ms.cross_val_score(SVC(gamma=gamma), *DIGITS, cv=3) for gamma in np.logspace(-4, -2, 3)]
    return np.mean(found, axis=1), np.std(found, axis=1)


def in_time(ms):
    model = HistGradientBoostingRegressor(max_iter=5, early_stopping=False)
    splits = model_selection.TimeSeriesSplit(n_splits=3, gap=2, test_size=10)
    scoring = ["neg_mean_absolute_error", "neg_root_mean_squared_error"]
    return untimed(ms.cross_validate(model, *DIABETES, cv=splits, scoring=scoring, return_train_score=True))


GALLERY = {
    "scores of five folds": lambda ms: ms.cross_val_score(SVM, *IRIS, cv=5),
    "another score": lambda ms: ms.cross_val_score(SVM, *IRIS, cv=5, scoring="f1_macro"),
    "random splits": lambda ms: ms.cross_val_score(
        SVM, *IRIS, cv=model_selection.ShuffleSplit(n_splits=5, test_size=0.3, random_state=0)
    ),
    "splits of one's own": lambda ms: ms.cross_val_score(SVM, *IRIS, cv=[(np.arange(0, 150, 2), np.arange(1, 150, 2))]),
    "scaled in the fold": lambda ms: ms.cross_val_score(make_pipeline(StandardScaler(), SVC(C=1)), *IRIS),
    "several scores": lambda ms: untimed(ms.cross_validate(SVM, *IRIS, scoring=["precision_macro", "recall_macro"])),
    "scores of training": lambda ms: untimed(ms.cross_validate(SVM, *IRIS, scoring="recall_macro", cv=3)),
    "predictions": lambda ms: ms.cross_val_predict(Ridge(), *DIABETES, cv=10),
    "residuals": lambda ms: DIABETES[1] - ms.cross_val_predict(Ridge(), *DIABETES, cv=5),
    "decisions": lambda ms: ms.cross_val_predict(SVM, *CANCER, cv=3, method="decision_function"),
    "groups": lambda ms: ms.cross_val_score(SVM, *IRIS, groups=GROUPS, cv=model_selection.GroupKFold(3)),
    "leave one group out": lambda ms: ms.cross_val_score(
        SVM, *IRIS, groups=GROUPS, cv=model_selection.LeaveOneGroupOut(), scoring="accuracy"
    ),
    "repeats": lambda ms: ms.cross_val_score(
        GaussianNB(), *IRIS, cv=model_selection.RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0)
    ),
    "nested and flat": nested_and_flat,
    "a search over several metrics": search_over_several_metrics,
    "stacking": stacking,
    "calibrated": calibrated,
    "permuted targets": permuted,
    "a scorer of one's own": own_scorer,
    "kept models": kept,
    "a curve by hand": validation_curve_by_hand,
    "in time": in_time,
}


def untimed(found):
    return {name: values for name, values in found.items() if not name.endswith("_time")}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", GALLERY)
def test_a_script_runs_with_either_import_and_gives_the_same_digits(name):
    ours, theirs = GALLERY[name](skc), GALLERY[name](model_selection)
    np.testing.assert_equal(ours, theirs)
    assert repr(ours) == repr(theirs)
