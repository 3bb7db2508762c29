"""Targets of two texts: whatever metric has a name scores them as it does 0 and 1; the last one is positive.

And metrics that do not fit a target.
"""

from contextlib import suppress

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import StackingClassifier
from sklearn.metrics import get_scorer_names, jaccard_score, make_scorer
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold, cross_validate
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils.metaestimators import available_if

import skcompare as skc
from skcompare import RunOptions

OF_NUMBERS = ("d2_absolute_error_score", "explained_variance", "r2")  # and losses whose names end in error


def of_numbers(name):
    return name in OF_NUMBERS or name.endswith("_error") or "deviance" in name


@pytest.fixture(scope="module")
def two_classes():
    X, y = load_breast_cancer(return_X_y=True)
    return X[::3, :3], y[::3]


@pytest.mark.sampled
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", sorted(get_scorer_names()))
def test_targets_of_texts_have_the_scores_of_0_and_1(name, two_classes):
    X, y = two_classes
    folds = StratifiedKFold(3)
    models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3, random_state=0)}
    expected = {m: cross_validate(model, X, y, cv=folds, scoring=name)["test_score"] for m, model in models.items()}
    if not np.isfinite(list(expected.values())).all():
        pytest.skip("not a metric of 0 and 1")
    targets = [np.where(y == 1, ">50K", "<=50K"), np.where(y == 1, "yes", "no").astype(object)]
    targets += [] if of_numbers(name) else [2 * y, 2 * y - 1, y.astype(bool)]
    for target in targets:
        evaluator = skc.PairedEvaluator(folds, {"called": name, name: name}, options=RunOptions(check_data=False))
        if of_numbers(name):
            with pytest.raises(ValueError, match=r"scoring must fit the target, which is binary"):
                evaluator.evaluate(models, X, target)
            continue
        result = evaluator.evaluate(models, X, target)
        assert result._scores.read_as["called"] == result._scores.read_as[name]
        for m in models:
            np.testing.assert_allclose(result.score(m, name), expected[m], rtol=1e-12)
            np.testing.assert_array_equal(result.score(m, "called"), result.score(m, name))


@pytest.mark.parametrize("name", ["average_precision", "jaccard", "neg_brier_score", "f1"])
def test_predictions_of_texts_have_the_scores_of_0_and_1_too(name, two_classes):
    X, y = two_classes
    classes = np.array(["a", "b"])
    model = GaussianNB().fit(X[::2], y[::2])
    found = []
    for known in (np.array([0, 1]), classes):
        given = {"probability": model.predict_proba(X)} if name in ("average_precision", "neg_brier_score") else {}
        given = {"prediction": known[model.predict(X)], **given}
        given = {"model": given, "same": given}
        found.append(skc.from_predictions(known[y], given, scoring=name, classes=known).scores)
    np.testing.assert_array_equal(found[0], found[1])


def test_a_scorer_of_the_users_keeps_its_positive_class(two_classes):
    X, y = two_classes
    target = np.where(y == 1, "yes", "no")
    scoring = {"jaccard": make_scorer(jaccard_score, pos_label="no"), "ours": "jaccard"}
    models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    result = skc.PairedEvaluator(StratifiedKFold(3), scoring, options=RunOptions(check_data=False)).evaluate(
        models, X, target
    )
    expected = cross_validate(models["bayes"], X, target, cv=StratifiedKFold(3), scoring=scoring["jaccard"])
    np.testing.assert_array_equal(result.score("bayes", "jaccard"), expected["test_score"])
    assert result._scores.misnamed == {"jaccard"}
    assert result._scores.read_as == {"jaccard": "", "ours": "jaccard"}


# Metrics that do not fit are refused before the first fit: from the target's kind alone, whatever its values.

KINDS = {
    "0 and 1": lambda rng, n: rng.permutation(np.arange(n) % 2),
    "1 and 2": lambda rng, n: 1 + rng.permutation(np.arange(n) % 2),
    "truth values": lambda rng, n: rng.permutation(np.arange(n) % 2 == 1),
    "two texts": lambda rng, n: rng.permutation(np.array(["yes", "no"])[np.arange(n) % 2]),
    "three classes": lambda rng, n: rng.permutation(np.arange(n) % 3),
    "three texts": lambda rng, n: rng.permutation(np.array(["c", "a", "b"], dtype=object)[np.arange(n) % 3]),
    "positive numbers": lambda rng, n: 0.1 + rng.exponential(size=n),
    "numbers": lambda rng, n: rng.normal(size=n),
    "whole numbers": lambda rng, n: rng.integers(-9, 30, size=n).astype(float),
    "labels": lambda rng, n: rng.integers(0, 2, (n, 3)),
    "several numbers": lambda rng, n: 0.1 + rng.exponential(size=(n, 2)),
}


@pytest.fixture
def fits(monkeypatch):
    """The models of three classes of scikit-learn's that were fitted."""
    found = []
    for kind in (DecisionTreeClassifier, DecisionTreeRegressor, LinearSVC):

        def fit(self, X, y, *, own=kind.fit):
            found.append(self)
            return own(self, X, y)

        monkeypatch.setattr(kind, "fit", fit)
    return found


def learners_of(kind, rng):
    if "numbers" in kind:
        return [DecisionTreeRegressor(max_depth=int(rng.integers(1, 6))), DecisionTreeRegressor(max_depth=2)]
    margins = kind != "labels" and rng.random() < 0.4
    return [LinearSVC(C=c) if margins else DecisionTreeClassifier(max_depth=int(9 * c)) for c in (1.0, 0.3)]


@pytest.mark.sampled
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_refused_before_the_first_fit_would_never_have_had_a_score(kind, rng, fits):
    n, refused = int(rng.integers(40, 90)), []
    x, y, folds = rng.normal(size=(n, 3)), KINDS[kind](rng, n), KFold(3)
    for name in sorted(get_scorer_names()):
        models = dict(zip("ab", learners_of(kind, rng), strict=True))
        fits.clear()
        scoring = [name, {"called": name}, ["fit_time", name]][rng.integers(3)]
        evaluator = skc.PairedEvaluator(folds, scoring, options=RunOptions(check_data=False))
        with suppress(ValueError, skc.EstimatorFailedError):
            evaluator.evaluate(models, x, y)
        if fits:
            continue
        refused.append(name)
        with pytest.raises(ValueError, match=r"scoring must fit the"):
            evaluator.evaluate(models, x, y)
        with suppress(skc.EstimatorFailedError):  # of all fits: those that fail are to have another score
            result = evaluator.set_params(error_score=np.nan).evaluate(models, x, y)
            assert np.isnan(result.scores[:, :, -1]).all(), name
        assert fits
    one_of_two = ("0 and 1", "1 and 2", "truth values", "two texts", "whole numbers")
    assert ("f1" in refused) == (kind not in one_of_two)
    assert ("r2" in refused) == (kind in ("two texts", "three texts"))
    assert ("roc_auc" in refused) == (kind in ("three classes", "three texts") or "numbers" in kind)


class Wrapped(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        self.inner = GaussianNB().fit(X, y)
        self.classes_ = self.inner.classes_
        return self

    def predict(self, X):
        return self.inner.predict(X)


class ByName(Wrapped):
    def __getattr__(self, name):
        if name != "predict_proba" or "inner" not in vars(self):
            raise AttributeError(name)
        return self.inner.predict_proba


class ByProperty(Wrapped):
    @property
    def predict_proba(self):
        return self.inner.predict_proba


class ByState(Wrapped):
    @available_if(lambda self: "inner" in vars(self))
    def predict_proba(self, X):
        return self.inner.predict_proba(X)


class InFit(Wrapped):
    def fit(self, X, y):
        self.predict_proba = super().fit(X, y).inner.predict_proba
        return self


AROUND = {
    "alone": lambda model: model,
    "pipeline": lambda model: make_pipeline(StandardScaler(), model),
    "search": lambda model: GridSearchCV(make_pipeline(model), {}, cv=2),
    "stack": lambda model: StackingClassifier([("a", GaussianNB()), ("b", GaussianNB())], model, cv=2),
    "one class at a time": OneVsRestClassifier,
}


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("wrapper", [ByName, ByProperty, ByState, InFit])
def test_a_model_whose_method_is_there_after_its_fit_alone_is_not_refused(wrapper, around, two_classes, rng):
    metric = rng.choice(["neg_log_loss", "roc_auc", "roc_auc_ovr", "neg_brier_score"])
    models = {"wrapped": AROUND[around](wrapper()), "tree": DecisionTreeClassifier(max_depth=2, random_state=0)}
    result = skc.PairedEvaluator(3, metric, options=RunOptions(check_data=False)).evaluate(models, *two_classes)
    assert np.isfinite(result.scores).all()


@pytest.mark.parametrize("metric", ["jaccard", "f1", "precision", "recall"])
def test_the_reason_of_a_refusal_is_of_the_target_itself(metric, rng):
    models = {"a": DecisionTreeClassifier(), "b": DecisionTreeClassifier(max_depth=2)}
    y = KINDS["labels"](rng, 40)
    with pytest.raises(ValueError, match=r"which is multilabel; .* Target is multilabel-indicator"):
        skc.PairedEvaluator(2, metric).evaluate(models, rng.normal(size=(40, 3)), y)
