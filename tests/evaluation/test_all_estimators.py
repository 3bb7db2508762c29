"""Whatever scikit-learn's `cross_validate` takes: all its estimators, alone, at the end of a pipeline, in a search."""

import inspect

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, clone
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.decomposition import PCA, TruncatedSVD
from sklearn.ensemble import StackingClassifier, StackingRegressor
from sklearn.experimental import enable_halving_search_cv, enable_iterative_imputer  # noqa: F401
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer, TfidfVectorizer
from sklearn.impute import KNNImputer, SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, KFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor, LocalOutlierFactor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, OneHotEncoder, StandardScaler
from sklearn.semi_supervised import SelfTrainingClassifier
from sklearn.svm import LinearSVC
from sklearn.utils import all_estimators
from sklearn.utils.metaestimators import available_if

import skcompare as skc
from skcompare import RunOptions
from tests.lawful import FULL

pytestmark = pytest.mark.sampled

CLASSES = {name: cls for name, cls in all_estimators() if hasattr(cls, "predict")}
NO_FIT = {  # cross_validate cannot fit these as they come, or what they predict is no row per sample
    "LocalOutlierFactor": "has no predict unless novelty=True",
    "IsotonicRegression": "takes one column",
}
SMALLER = {
    "n_iter": 1,
    "max_iter": 20,
    "n_estimators": 3,
    "thresholds": 5,
    "max_subpopulation": 50,
    "Cs": 2,
    "alphas": 3,
}
WRAPPED = {
    "alone": clone,
    "in a pipeline": lambda model: make_pipeline(StandardScaler(with_mean=False), clone(model)),
    "in a search": lambda model: GridSearchCV(clone(model), {}, cv=2, scoring=lambda *_: 0.0),
}


def made(cls):
    """An instance; what has no default is the smallest there is."""
    inner = Ridge() if issubclass(cls, RegressorMixin) else LogisticRegression()
    needed = {
        "estimator": inner,
        "base_estimator": inner,
        "estimators": [("one", inner)],
        "steps": [("one", inner)],
        "param_grid": {},
        "param_distributions": {},
    }
    parameters = inspect.signature(cls).parameters.values()
    model = cls(**{p.name: needed[p.name] for p in parameters if p.name in needed and p.default is p.empty})
    found = model.get_params(deep=False)
    smaller = {name: n for name, n in SMALLER.items() if isinstance(found.get(name), int) and found[name] > n}
    fixed = {"random_state": 0, "cv": 2, "radius": 100.0}  # samples without neighbours have no prediction
    fixed = {name: value for name, value in fixed.items() if name in found}
    if isinstance(model, SelfTrainingClassifier):  # whose default cannot be fitted
        fixed["estimator"] = inner
    return model.set_params(**smaller, **fixed)


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.integers(1, 6, size=(48, 4)).astype(float)
    one = (X[:, 0] + rng.normal(size=48) > 3).astype(int)
    numbers = X[:, 0] + rng.random(48)
    return X, {
        "accuracy": [one, np.column_stack([one, rng.integers(0, 2, 48)])],
        "r2": [numbers, np.column_stack([numbers, numbers + rng.random(48)])],
    }


def scored_by_sklearn(model, X, targets):
    """The first target that scikit-learn can fit, its metric and the scores."""
    for scoring, y in ((scoring, y) for scoring, several in targets.items() for y in several):
        try:
            return y, scoring, cross_validate(model, X, y, cv=KFold(2), scoring=scoring, error_score="raise")
        except Exception:
            continue
    return None


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", sorted(CLASSES.keys() - NO_FIT.keys()))
def test_every_estimator_has_the_scores_of_cross_validate(name, data):
    X, targets = data
    for wrap in WRAPPED.values():
        model = wrap(made(CLASSES[name]))
        y, scoring, expected = scored_by_sklearn(model, X, targets)
        evaluator = skc.PairedEvaluator(KFold(2), scoring, options=RunOptions(check_data=False))
        found = evaluator.evaluate({"one": model, "other": clone(model)}, X, y)
        for of_one in found.scores[:, :, 0]:
            np.testing.assert_array_equal(of_one, expected["test_score"])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", sorted(NO_FIT.keys() & CLASSES.keys()))
def test_what_is_left_out_cannot_be_fitted_by_cross_validate(name, data):
    assert scored_by_sklearn(made(CLASSES[name]), *data) is None


def drawn_data(kind, numbers, rng):
    """Samples of the kind, their target, and the steps that make numbers of them."""
    n, p = int(rng.integers(40, 120)), int(rng.integers(2, 9))
    y = rng.permutation(np.arange(n) % rng.integers(2, 5))
    X = rng.normal(size=(n, p)) + y[:, None] * rng.random(p)
    y = X[:, 0] + rng.random(n) if numbers else np.array([f"class {label}" for label in y]) if rng.random() < 0.5 else y
    first = [StandardScaler(), MinMaxScaler(), PCA(2)]
    if kind == "numbers" and rng.random() < 0.5:
        X = np.round(X).astype(rng.choice([float, int]))
    if kind == "missing":
        X[rng.random(X.shape) < 0.1] = np.nan
        first = [SimpleImputer(), SimpleImputer(strategy="median", add_indicator=True), KNNImputer()]
    elif kind == "sparse":
        X = rng.choice([sparse.csr_matrix, sparse.csc_matrix])(np.where(rng.random(X.shape) < 0.6, 0, X))
        first = [MaxAbsScaler(), StandardScaler(with_mean=False), TruncatedSVD(2)]
    elif kind == "text":
        X = np.array([" ".join(f"w{j}" for j in np.flatnonzero(row > 0)) or "none" for row in X], dtype=object)
        first = [CountVectorizer(), TfidfVectorizer(), HashingVectorizer(n_features=16)]
    elif kind == "frame":
        X = pd.DataFrame(X).add_prefix("x").assign(colour=rng.choice(["red", "green", None], n))
        names = make_column_selector(dtype_exclude=np.number)
        first = [
            make_column_transformer((OneHotEncoder(handle_unknown="ignore"), names), remainder=rest)
            for rest in ("drop", "passthrough", StandardScaler())
        ]
    return X, y, [clone(first[int(i)]) for i in rng.choice(3, size=2, replace=False)]


def drawn_models(steps, cls, rng):
    """Models alone, after the same one or two steps, or with these in a search; the first three of neighbours."""
    names = [name for name in sorted(CLASSES.keys() - NO_FIT.keys()) if issubclass(CLASSES[name], cls)]
    neighbors = KNeighborsClassifier if cls is ClassifierMixin else KNeighborsRegressor
    models = [neighbors(int(k)) for k in rng.choice(np.arange(1, 9), size=3, replace=False)]
    models += [made(CLASSES[name]) for name in rng.choice(names, size=22 if FULL else 7, replace=False)]
    for i, model in enumerate(models):
        if "random_state" in model.get_params() and rng.random() < 0.5:
            model.set_params(random_state=None)
        form = rng.choice(["one step", "two steps", "alone", "search"], p=[0.3, 0.35, 0.2, 0.15])
        form = "two steps" if i in (3, 4) else form
        chain = [clone(steps[0]), *([MaxAbsScaler()] if form == "two steps" else [])]
        whole = model if form == "alone" or (i < 3 and rng.random() < 0.7) else make_pipeline(*chain, model)
        if form == "search":
            whole = GridSearchCV(make_pipeline(clone(steps[1]), model), {"memory": [None]}, cv=2)
        yield f"{i}: {type(model).__name__}, {form}", whole


def numbers_of(result):
    """Everything of a result but its times and what was shared."""
    kept = result._scores.kept_predictions.folds
    predicted = [(m, k, v.dtype, v.tobytes()) for m, folds in kept.items() for fold in folds for k, v in fold.items()]
    failed = [(f.estimator, f.split, f.metric, f.message) for f in result.failures]
    return result.scores.tobytes(), predicted, failed


@pytest.mark.sampled
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("numbers", [False, True])
@pytest.mark.parametrize("kind", ["numbers", "missing", "sparse", "text", "frame"])
@pytest.mark.parametrize("dataset", range(4))
def test_nothing_that_is_shared_changes_a_bit(kind, numbers, dataset, rng):
    """Scores, predictions and failures are those of each model alone; 40 data sets and 25 estimators in a full run."""
    X, y, steps = drawn_data(kind, numbers, rng)
    models = dict(drawn_models(steps, RegressorMixin if numbers else ClassifierMixin, rng))
    cv = "2x3" if dataset % 2 else 3
    found, alone = (
        skc.PairedEvaluator(
            cv, random_state=dataset, error_score=np.nan, options=RunOptions(check_data=False, share=share)
        ).evaluate(models, X, y)
        for share in (True, False)
    )
    assert numbers_of(found) == numbers_of(alone)
    assert found.provenance["shared_steps"]
    assert not alone.provenance.get("shared_steps")


class Hidden(ClassifierMixin, BaseEstimator):
    """A model of somebody else's, that has its methods after the fit alone."""

    def fit(self, X, y):
        self.model_ = GaussianNB().fit(X, y)
        self.classes_ = self.model_.classes_
        return self

    @available_if(lambda self: hasattr(self, "model_"))
    def predict(self, X):
        return self.model_.predict(X)

    @available_if(lambda self: self.model_ is not None)
    def predict_proba(self, X):
        return self.model_.predict_proba(X)


STACKED = StackingClassifier([("nb", GaussianNB())])


@pytest.mark.parametrize("load", [load_breast_cancer, load_iris])
@pytest.mark.parametrize("wrap", WRAPPED.values(), ids=WRAPPED)
@pytest.mark.parametrize("model", [STACKED, Hidden()], ids=["stacked", "of somebody else's"])
def test_methods_that_a_model_has_after_its_fit_alone_are_scored_by_default(model, wrap, load):
    X, y = load(return_X_y=True)
    X, y = X[::2], y[::2]
    result = skc.PairedEvaluator(3, random_state=0).evaluate({"late": wrap(model), "nb": GaussianNB()}, X, y)
    assert result.metrics[-1].startswith("roc_auc")
    expected = cross_validate(wrap(model), X, y, cv=result.splits(), scoring=result.metrics)
    for metric in result.metrics:
        np.testing.assert_allclose(result.score("late", metric), expected[f"test_{metric}"], rtol=1e-12)


@pytest.mark.parametrize("model", [STACKED, Hidden()], ids=["stacked", "of somebody else's"])
def test_a_store_has_the_fits_of_such_models(model, tmp_path):
    X, y = load_breast_cancer(return_X_y=True)
    reused = []
    for _ in range(2):
        told = []
        evaluator = skc.PairedEvaluator(
            3, random_state=0, store=tmp_path / "fits.sqlite", options=RunOptions(callback=told.append)
        )
        result = evaluator.evaluate({"late": model, "nb": GaussianNB()}, X, y)
        reused.append((sum(event.reused for event in told), result.scores))
    assert [n for n, _ in reused] == [0, 6]
    np.testing.assert_array_equal(reused[0][1], reused[1][1])


def test_a_stacked_regressor_is_taken(data):
    X, targets = data
    models = {"stacked": StackingRegressor([("ridge", Ridge())]), "ridge": Ridge()}
    assert np.isfinite(skc.PairedEvaluator(2, random_state=0).evaluate(models, X, targets["r2"][0]).scores).all()


@pytest.mark.parametrize(
    "model",
    [StandardScaler(), make_pipeline(StandardScaler()), GridSearchCV(PCA(), {}), LocalOutlierFactor()],
    ids=["a transformer", "a pipeline of it", "a search over it", "a detector of what it was fitted to"],
)
def test_what_never_predicts_is_refused_before_the_first_fit(model, data):
    X, targets = data
    with pytest.raises(ValueError, match=r"models\['a'\] must be an estimator with fit and predict"):
        skc.PairedEvaluator(2, "accuracy").evaluate({"a": model, "b": GaussianNB()}, X, targets["accuracy"][0])


@pytest.mark.filterwarnings("error")
def test_scores_that_a_model_never_gives_are_left_out_of_the_default():
    X, y = load_iris(return_X_y=True)
    with pytest.warns(UserWarning, match=r"roc_auc_ovr is left out .*, which 'svc' does not give"):
        result = skc.PairedEvaluator(3, random_state=0).evaluate({"svc": LinearSVC(), "nb": GaussianNB()}, X, y)
    assert result.metrics[-1] == "f1_macro"
