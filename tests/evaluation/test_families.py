"""The family of a learner: of scikit-learn's classes, of what is around them, and kept with the scores."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import (
    calibration,
    cross_decomposition,
    discriminant_analysis,
    dummy,
    ensemble,
    gaussian_process,
    kernel_ridge,
    linear_model,
    model_selection,
    multiclass,
    naive_bayes,
    neighbors,
    neural_network,
    svm,
    tree,
)
from sklearn.compose import TransformedTargetRegressor
from sklearn.datasets import make_classification
from sklearn.feature_selection import RFE
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

import skcompare as skc
from benchmarks.wide_data import LEARNERS
from skcompare import PairedEvaluator
from skcompare.evaluation.learners import family_of

N = 1000  # samples, at which a tree of 5 levels is shallow
FAMILIES = {
    "linear": [
        linear_model.LogisticRegression(),
        linear_model.Ridge(),
        linear_model.RidgeClassifier(),
        linear_model.Lasso(),
        linear_model.ElasticNetCV(),
        linear_model.SGDClassifier(),
        linear_model.HuberRegressor(),
        discriminant_analysis.LinearDiscriminantAnalysis(),
        cross_decomposition.PLSRegression(),
        svm.LinearSVC(),
        svm.SVC(kernel="linear"),
    ],
    "naive Bayes": [naive_bayes.GaussianNB(), naive_bayes.MultinomialNB(), naive_bayes.BernoulliNB()],
    "neighbors": [
        neighbors.KNeighborsClassifier(1),
        neighbors.KNeighborsRegressor(),
        neighbors.RadiusNeighborsClassifier(),
    ],
    "tree": [
        tree.DecisionTreeClassifier(),
        tree.DecisionTreeClassifier(max_depth=6, max_leaf_nodes=41, min_samples_leaf=24),
        tree.DecisionTreeRegressor(max_depth=2000, min_samples_leaf=0.024),
        tree.DecisionTreeRegressor(),
        tree.ExtraTreeClassifier(),
    ],
    "shallow tree": [
        tree.DecisionTreeClassifier(max_depth=1),
        tree.DecisionTreeRegressor(max_depth=5),
        tree.ExtraTreeRegressor(max_leaf_nodes=40),
        tree.DecisionTreeClassifier(min_samples_leaf=25),
        tree.DecisionTreeClassifier(max_depth=6, min_samples_leaf=0.025),
        tree.DecisionTreeClassifier(ccp_alpha=0.01),
        tree.DecisionTreeRegressor(min_impurity_decrease=0.1),
        model_selection.GridSearchCV(tree.DecisionTreeClassifier(max_depth=3), {"criterion": ["gini", "entropy"]}),
    ],
    "forest": [
        ensemble.RandomForestClassifier(),
        ensemble.RandomForestRegressor(),
        ensemble.ExtraTreesClassifier(),
        ensemble.BaggingRegressor(),
    ],
    "boosting": [
        ensemble.GradientBoostingRegressor(),
        ensemble.HistGradientBoostingClassifier(),
        ensemble.AdaBoostClassifier(),
    ],
    "kernel": [
        svm.SVC(),
        svm.NuSVR(),
        kernel_ridge.KernelRidge(),
        gaussian_process.GaussianProcessClassifier(),
    ],
    "network": [neural_network.MLPClassifier(), neural_network.MLPRegressor()],
}
PAIRS = [("nb", naive_bayes.GaussianNB()), ("tree", tree.DecisionTreeClassifier())]


class Ours(naive_bayes.GaussianNB):
    """A learner of somebody else's: what it overrides is not known."""


UNKNOWN = [
    Ours(),
    make_pipeline(StandardScaler(), Ours()),
    dummy.DummyClassifier(),
    discriminant_analysis.QuadraticDiscriminantAnalysis(),
    neighbors.NearestCentroid(),
    ensemble.VotingClassifier(PAIRS),
    ensemble.StackingClassifier(PAIRS),
    Pipeline([("scale", StandardScaler()), ("last", "passthrough")]),
    model_selection.GridSearchCV(Pipeline([("m", svm.SVC())]), {"m": [svm.SVC(), tree.DecisionTreeClassifier()]}),
    model_selection.GridSearchCV(tree.DecisionTreeClassifier(), {"max_depth": [1, None]}),
    model_selection.RandomizedSearchCV(
        make_pipeline(tree.DecisionTreeRegressor()), [{"treeregressor__ccp_alpha": [0, 1]}]
    ),
    "no estimator",
]
AROUND = [
    (make_pipeline(StandardScaler(), svm.SVC()), "kernel"),
    (model_selection.GridSearchCV(svm.SVC(), {"C": [1, 10]}), "kernel"),
    (model_selection.RandomizedSearchCV(make_pipeline(Ours(), svm.SVR()), [{"svr__C": [1]}]), "kernel"),
    (calibration.CalibratedClassifierCV(naive_bayes.GaussianNB()), "naive Bayes"),
    (calibration.CalibratedClassifierCV(), "linear"),  # of which LinearSVC is the default
    (TransformedTargetRegressor(regressor=neighbors.KNeighborsRegressor()), "neighbors"),
    (ensemble.BaggingClassifier(neighbors.KNeighborsClassifier()), "neighbors"),
    (ensemble.BaggingClassifier(tree.DecisionTreeClassifier()), "forest"),
    (ensemble.BaggingClassifier(tree.DecisionTreeClassifier(max_depth=1)), "forest"),
    (model_selection.GridSearchCV(tree.DecisionTreeClassifier(), {"criterion": ["gini", "entropy"]}), "tree"),
    (multiclass.OneVsRestClassifier(svm.SVC()), "kernel"),
    (RFE(svm.LinearSVC()), "linear"),
    (model_selection.GridSearchCV(calibration.CalibratedClassifierCV(svm.SVC()), {"cv": [3, 5]}), "kernel"),
]


@pytest.mark.parametrize("family", FAMILIES)
def test_every_class_has_the_family_that_it_is_called_by(family):
    assert {repr(model): family_of(model, N) for model in FAMILIES[family]} == {
        repr(m): family for m in FAMILIES[family]
    }


def test_what_is_around_a_learner_has_its_family():
    assert [family_of(model, N) for model, _ in AROUND] == [family for _, family in AROUND]


@pytest.mark.parametrize(("depth", "n"), [(1, 50), (2, 100), (3, 200), (4, 400), (5, 800), (6, 1600)])
def test_a_tree_is_shallow_where_each_of_its_leaves_could_have_25_samples(depth, n):
    model = tree.DecisionTreeClassifier(max_depth=depth)
    assert [family_of(model, samples) for samples in (n - 1, n)] == ["tree", "shallow tree"]


def test_limits_that_no_tree_takes_are_no_error_here():
    for wrong in ("one", None, -1, 0, float("nan")):
        for name in ("max_depth", "max_leaf_nodes", "min_samples_leaf", "ccp_alpha", "min_impurity_decrease"):
            assert family_of(tree.DecisionTreeClassifier(**{name: wrong}), N) in ("tree", "shallow tree")


def test_trees_of_the_study_have_the_family_of_those_of_a_run():
    for name, depth in (("stump", 1), ("tree of depth 4", 4), ("full tree", None)):
        given = tree.DecisionTreeClassifier(max_depth=depth)
        for n in (49, 50, 200, 399, 400, 3000):
            assert LEARNERS[name].family(n) == family_of(given, n)


def test_of_others_it_is_not_known():
    assert [family_of(model, N) for model in UNKNOWN] == [""] * len(UNKNOWN)


def test_thirty_classes_are_looked_at():
    assert len({type(model) for models in FAMILIES.values() for model in models}) >= 30


# ---- kept with the scores --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def result():
    models = {"nb": naive_bayes.GaussianNB(), "near": neighbors.KNeighborsClassifier(), "ours": Ours()}
    return PairedEvaluator(cv=5, scoring="accuracy", random_state=0).evaluate(
        models, *make_classification(100, random_state=0)
    )


def test_families_are_kept_saved_and_read(result, tmp_path):
    assert result._scores.families == {"nb": "naive Bayes", "near": "neighbors", "ours": ""}
    result.save(tmp_path / "one.skc")
    assert skc.load(tmp_path / "one.skc")._scores.families == result._scores.families


def test_families_are_merged_with_the_models(result):
    other = PairedEvaluator(cv=5, scoring="accuracy", random_state=0).evaluate(
        {"tree": tree.DecisionTreeClassifier(), "most": dummy.DummyClassifier()},
        *make_classification(100, random_state=0),
    )
    merged = skc.merge(result, other)
    assert merged._scores.families == {**result._scores.families, "tree": "tree", "most": ""}


def test_of_a_table_they_are_not_known():
    table = {"model": ["tree"] * 5 + ["nb"] * 5, "fold": [*range(5)] * 2, "score": np.arange(10) / 10}
    assert skc.from_frame(table)._scores.families == {"tree": "", "nb": ""}
