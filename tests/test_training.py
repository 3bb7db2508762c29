"""Scores of the training sets and fitted models, where an evaluator is asked for them."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import Ridge
from sklearn.metrics import fbeta_score, make_scorer
from sklearn.model_selection import cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import skcompare as skc
from skcompare import RunOptions

X, Y = (part[:200] for part in load_breast_cancer(return_X_y=True))
DIABETES = load_diabetes(return_X_y=True)
MODELS = {
    "nb": GaussianNB(),
    "tree": DecisionTreeClassifier(random_state=0),
    "knn": make_pipeline(StandardScaler(), KNeighborsClassifier()),
    "scaled": make_pipeline(StandardScaler(), GaussianNB()),  # shares its first step
}
SCORING = {"accuracy": "accuracy", "auc": "roc_auc", "f1": "f1", "f2": make_scorer(fbeta_score, beta=2)}
both = partial(skc.compare, return_train_score=True, return_estimator=True)


@pytest.mark.parametrize(("n_jobs", "keep"), [(1, False), (1, True), (2, True)])
def test_training_scores_are_scikit_learns(n_jobs, keep, global_random_seed):
    result = both(
        MODELS,
        X,
        Y,
        cv=4,
        scoring=SCORING,
        random_state=global_random_seed,
        n_jobs=n_jobs,
        options=RunOptions(keep_predictions=keep),
    )
    assert result.train_scores.shape == result.scores.shape
    for e, (name, model) in enumerate(MODELS.items()):
        theirs = cross_validate(model, X, Y, cv=result.splits(), scoring=SCORING, return_train_score=True)
        ours = result.to_cross_validate(name)
        assert ours.keys() - {"estimator"} == theirs.keys()
        for m, metric in enumerate(SCORING):
            np.testing.assert_allclose(result.train_scores[e, :, m], theirs[f"train_{metric}"], rtol=1e-12)
            np.testing.assert_array_equal(ours[f"train_{metric}"], result.train_scores[e, :, m])


def test_the_positive_class_of_texts_is_that_of_the_test_sets(global_random_seed):
    texts = np.array(["benign", "malign"])[Y]
    asked = {"cv": 3, "scoring": ["f1", "recall", "roc_auc"], "random_state": global_random_seed}
    named = both(MODELS, X, texts, **asked)
    numbered = both(MODELS, X, Y, **asked)
    np.testing.assert_allclose(named.train_scores, numbered.train_scores)


def test_costs_have_no_training_score():
    result = both(MODELS, X, Y, cv=3, scoring=["fit_time", "model_size", "accuracy"])
    assert np.isnan(result.train_scores[:, :, :2]).all()
    assert np.isfinite(result.train_scores[:, :, 2]).all()


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_fitted_models_are_kept_split_by_split(n_jobs):
    """Also those that keep a reference to their training set."""
    result = both(MODELS, X, Y, cv=4, random_state=0, n_jobs=n_jobs, scoring="accuracy")
    for name, kept in result.estimators_.items():
        scores = [model.score(X[test], Y[test]) for model, (_, test) in zip(kept, result.splits(), strict=True)]
        np.testing.assert_array_equal(scores, result.score(name, "accuracy"))
    assert {*map(id, result.estimators_["nb"])}.isdisjoint(map(id, MODELS.values()))


class OfNoPackage(GaussianNB):
    """Whose class a file does not tell."""


def test_a_model_that_was_kept_can_be_refitted():
    asked = {"cv": 3, "scoring": "accuracy"}
    result = both({"own": OfNoPackage(var_smoothing=0.1)}, X, Y, **asked)
    assert result.refit("own", X, Y).var_smoothing == 0.1
    with pytest.raises(ValueError, match="return_estimator=True"):
        skc.compare({"own": OfNoPackage()}, X, Y, **asked).refit("own", X, Y)


def test_nothing_is_kept_unless_it_is_asked_for():
    result = skc.compare(MODELS, X, Y, cv=3)
    assert result.train_scores is None
    assert not result.estimators_
    assert "Training and test sets" not in str(result.explain())
    assert not {"estimator", "train_accuracy"} & result.to_cross_validate("nb").keys()


def test_training_scores_are_saved_and_models_are_not(tmp_path):
    result = both(MODELS, X, Y, cv=3, random_state=0)
    result.save(tmp_path / "x.skc")
    loaded = skc.load(tmp_path / "x.skc")
    np.testing.assert_array_equal(loaded.train_scores, result.train_scores)
    assert not loaded.estimators_
    assert str(loaded.explain()) == str(result.explain())


def test_they_come_with_a_model_that_is_added():
    one = both({"nb": MODELS["nb"]}, X, Y, cv=3, random_state=0)
    added = one.add("tree", MODELS["tree"], X, Y)
    together = both({name: MODELS[name] for name in ("nb", "tree")}, X, Y, cv=3, random_state=0)
    np.testing.assert_array_equal(added.train_scores, together.train_scores)
    assert [*added.estimators_] == ["nb", "tree"]
    assert str(added.explain()).partition("To run it")[0] == str(together.explain()).partition("To run it")[0]


class Fragile(DummyClassifier):
    """Cannot be scored where it was trained."""

    def fit(self, X, y):
        self.seen_ = len(X)
        return super().fit(X, y)

    def predict(self, X):
        if len(X) == self.seen_:
            raise ValueError("no")
        return super().predict(X)


def test_a_training_score_that_fails_ends_nothing():
    result = both({"a": Fragile(), "nb": GaussianNB()}, X, Y, cv=3, scoring="accuracy")
    assert np.isnan(result.train_scores[0]).all()
    assert np.isfinite(result.train_scores[1]).all()
    assert np.isfinite(result.scores).all()


def section(result):
    rest = str(result.explain()).split("Training and test sets\n")[1].partition("\n")[2]
    return re.split(r"\n\n.+\n=+\n", rest)[0]


@pytest.mark.parametrize("scoring", ["accuracy", "neg_log_loss"])
def test_the_gap_of_each_model_is_told(scoring):
    models = {name: MODELS[name] for name in ("nb", "tree")}
    result = both(models, X, Y, cv=5, scoring=scoring, random_state=0)
    told = section(result)
    for e, name in enumerate(models):
        [row] = [line for line in told.splitlines() if line.startswith(f"{name} ")]
        shown = re.findall(r"[-+]?\d+\.\d+", row)
        sign = -1 if scoring.startswith("neg_") else 1
        for text, scores in zip(
            shown, (result.train_scores[e], result.train_scores[e] - result.scores[e]), strict=True
        ):
            last = 10.0 ** -len(text.partition(".")[2])
            assert float(text) == pytest.approx(sign * scores.mean(), abs=0.51 * last)


def test_a_model_that_only_learns_by_heart_is_named():
    models = {"ridge": Ridge(), "tree": DecisionTreeRegressor(random_state=0)}
    for scoring in ("r2", "neg_mean_absolute_error"):
        told = section(both(models, *DIABETES, cv=5, scoring=scoring, random_state=0))
        assert "Caution: tree is best on the training sets, but not on the test sets." in " ".join(told.split())
    stump = DecisionTreeRegressor(max_depth=1)
    assert "Caution" not in section(both({"ridge": Ridge(), "stump": stump}, *DIABETES, cv=5, scoring="r2"))
    assert "Caution" not in section(both({"tree": models["tree"]}, *DIABETES, cv=5, scoring="r2"))


@settings(max_examples=15)
@given(trained=st.permutations([0.7, 0.8, 0.9]), tested=st.permutations([0.5, 0.6, 0.65]), loss=st.booleans())
def test_the_caution_stands_exactly_where_the_best_in_training_is_not_the_best_in_tests(trained, tested, loss):
    """Also of losses, which are kept as their negatives."""
    rng = np.random.default_rng(0)
    metric = "neg_mean_absolute_error" if loss else "accuracy"
    names = ["a", "b", "c"]
    noise = rng.normal(scale=1e-3, size=(3, 5))
    noise -= noise.mean(axis=1, keepdims=True)
    of_tests, of_training = (np.array(means)[:, None] - loss + noise for means in (tested, trained))
    table = {"model": np.repeat(names, 5), "fold": np.tile(np.arange(5), 3), metric: np.ravel(of_tests)}
    result = replace(skc.from_frame(table, test_fraction=0.2), train_scores=of_training[:, :, None])
    first, best = names[int(np.argmax(trained))], names[int(np.argmax(tested))]
    said = f"Caution: {first} is best on the training sets, but not on the test sets."
    assert (said in " ".join(section(result).split())) == (first != best)
    assert ("Caution" in section(result)) == (first != best)


OPTIONS = {
    "stopped": {"cv": "10x5", "stop": skc.StopRule()},
    "nested": {"cv": "2x3", "intervals": "nested"},
    "a model that fails": {"cv": 4, "error_score": np.nan, "baseline": "dummy"},
}


@pytest.mark.filterwarnings("ignore:.*fits failed:sklearn.exceptions.FitFailedWarning")
@pytest.mark.parametrize("name", OPTIONS)
def test_they_go_with_other_options(name):
    models = {"nb": MODELS["nb"], "tree": MODELS["tree"], "guess": DummyClassifier()}
    if name == "a model that fails":
        models["guess"] = DummyClassifier(strategy="constant", constant=9)
    result = both(models, X, Y, scoring="accuracy", random_state=0, **OPTIONS[name])
    assert result.train_scores.shape == result.scores.shape
    assert {len(kept) for kept in result.estimators_.values()} == {result.design.n_splits}
    np.testing.assert_array_equal(np.isnan(result.train_scores), np.isnan(result.scores))
    assert "Training and test sets" in str(result.explain())


def test_metrics_that_are_merged_keep_them():
    one = both(MODELS, X, Y, cv=3, scoring="accuracy", random_state=0)
    other = both(MODELS, X, Y, cv=one.splits(), scoring="roc_auc", random_state=0)
    merged = skc.merge(one, other)
    np.testing.assert_array_equal(merged.train_scores, np.concatenate([one.train_scores, other.train_scores], axis=2))
