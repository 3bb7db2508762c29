"""Several fits per split: their means are the scores, they are kept, and the seeds' part of the variance is told."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris, load_wine
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import ExtraTreeClassifier

import skcompare as skc
from skcompare import RunOptions
from skcompare.planning import seed_variance

X, Y = load_wine(return_X_y=True)
MODELS = {"nb": GaussianNB(), "extra": ExtraTreeClassifier(max_depth=2, random_state=7)}


def evaluated(n_seeds=3, models=MODELS, **options):
    evaluator = skc.PairedEvaluator(cv=4, scoring=["accuracy"], random_state=0, n_seeds=n_seeds, **options)
    return evaluator.evaluate(models, X, Y)


class Fragile(ClassifierMixin, BaseEstimator):
    """Fails where its seed is odd."""

    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, x, y):
        if self.random_state % 2:
            raise RuntimeError(f"an odd seed for {len(x)} samples")
        self.classes_ = np.unique(y)
        return self

    def predict(self, x):
        return np.full(len(x), self.classes_[0])


def test_scores_are_the_means_of_the_fits_with_each_seed():
    result = evaluated()
    assert result.details.seed_scores.shape == (2, 3, 4, 1)
    assert len(set(result.details.fit_seeds)) == 3
    for s, seed in enumerate(result.details.fit_seeds):
        model = ExtraTreeClassifier(max_depth=2, random_state=seed)
        np.testing.assert_allclose(
            result.details.seed_scores[1, s, :, 0], cross_val_score(model, X, Y, cv=result.splits())
        )
    np.testing.assert_allclose(result.scores[1], result.details.seed_scores[1].mean(axis=0))
    plain = skc.PairedEvaluator(cv=4, scoring=["accuracy"], random_state=0).evaluate(MODELS, X, Y)
    np.testing.assert_array_equal(result.score("nb", "accuracy"), plain.score("nb", "accuracy"))
    assert (plain.details.fit_seeds, plain.details.seed_scores) == ((), None)
    assert result.design.split_hash == plain.design.split_hash


def test_every_view_says_so(tmp_path):
    result = evaluated()
    share = json.loads(result.to_json())["seeds"]["rows"]
    expected = seed_variance(skc.PairedEvaluator(cv=4, scoring=["accuracy"], random_state=0), MODELS, X, Y, n_seeds=3)
    assert share[0]["seed_share"] == expected.row("accuracy", "nb").seed_share == 0
    assert 0.2 < share[1]["seed_share"] <= 1
    own = result.details.seed_scores[1, :, :, 0]
    left = own - own.mean(axis=0) - own.mean(axis=1, keepdims=True) + own.mean()
    assert share[1]["residual"] == pytest.approx((left**2).sum() / 6)  # two-way analysis of variance, 2 x 3 df
    full = " ".join(result.summary("full").split())
    said = f"0% of nb and {100 * share[1]['seed_share']:.0f}% of extra"
    assert said in full
    for view in (full, " ".join(result.to_html().split())):
        assert "Each score is the mean of 3 fits with seeds of their own" in view
    assert "three random seeds" in result.methods_text()
    assert "several seeds were not simulated" in full
    result.save(tmp_path / "seeds.skc")
    again = skc.load(tmp_path / "seeds.skc")
    assert again.details.fit_seeds == result.details.fit_seeds
    np.testing.assert_array_equal(again.details.seed_scores, result.details.seed_scores)
    assert again.summary("full") == result.summary("full")
    assert skc.verify(again, X, Y).outcome == "identical"


def test_one_seed_is_an_evaluation_without_them():
    assert evaluated(1).summary("full") == evaluated(1, options=RunOptions(keep_predictions=True)).summary("full")
    assert json.loads(evaluated(1).to_json())["seeds"] is None


def test_each_fit_is_one_entry_of_the_store(tmp_path):
    known = []
    options = {
        "store": str(tmp_path / "fits"),
        "options": RunOptions(callback=lambda event: known.append(event.reused)),
    }
    first = evaluated(2, **options)
    assert known.count(True) == 0
    assert len(known) == 4 * (1 + 2)
    known.clear()
    more = evaluated(3, **options)  # what is there is not fitted again
    assert (known.count(True), len(known)) == (12, 16)
    np.testing.assert_array_equal(more.details.seed_scores[:, :2], first.details.seed_scores)
    assert more.details.fit_seeds[:2] == first.details.fit_seeds


def test_workers_and_order_change_nothing():
    one = evaluated()
    other = evaluated(models=dict(reversed(MODELS.items())), n_jobs=2)
    np.testing.assert_array_equal(one.details.seed_scores, other.details.seed_scores[::-1])


def test_a_seed_that_fails_is_told_of_its_estimator():
    with pytest.warns(FitFailedWarning, match="'fragile, seed [0-9]+' failed in fit on split 0"):
        result = evaluated(4, {"nb": GaussianNB(), "fragile": Fragile()}, error_score=np.nan)
    odd = [seed % 2 for seed in result.details.fit_seeds]
    assert {failure.estimator for failure in result.failures} == {"fragile"}  # whatever the session's seed
    assert np.isnan(result.details.seed_scores[1, :, 0, 0]).tolist() == [bool(one) for one in odd]


def test_a_study_has_the_seeds_of_every_data_set():
    data = {"wine": (X, Y), "iris": load_iris(return_X_y=True)}
    evaluator = skc.PairedEvaluator(cv=3, scoring="accuracy", random_state=0, n_seeds=2)
    study = evaluator.evaluate_datasets(MODELS, data)
    assert all(result.details.seed_scores.shape == (2, 2, 3, 1) for result in study.results.values())
    assert "two random seeds" in study.methods_text()


def test_predictions_are_not_kept_since_there_are_several():
    with pytest.raises(ValueError, match="several seeds"):
        evaluated().predictions("nb")
