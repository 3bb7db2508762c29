"""Generators of data sets: what they draw, and where two models are equally good on it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB

from skcompare.calibration import ExchangeableBlocks, LabelPermutation, RandomData


@pytest.mark.parametrize("make", [RandomData, ExchangeableBlocks])
@pytest.mark.parametrize(("n", "positive", "n_positive"), [(60, 0.5, 30), (60, 0.2, 12), (7, 0.5, 4), (4, 0.25, 1)])
def test_labels_have_the_shares_asked_for(rng, make, n, positive, n_positive):
    X, y = make(n_samples=n, positive=positive).draw(rng)
    assert X.shape[0] == len(y) == n
    assert y.sum() == n_positive
    assert set(y.tolist()) == {0, 1}


def test_random_data_are_fair_coins_that_say_nothing_about_the_labels(rng):
    X, y = RandomData(n_samples=20_000, n_features=4).draw(rng)
    assert set(np.unique(X)) == {0.0, 1.0}
    together = np.corrcoef(np.column_stack([X, y]), rowvar=False)
    assert np.abs(together - np.eye(5)).max() < 5 / np.sqrt(20_000)
    assert np.abs(X.mean(axis=0) - 0.5).max() < 5 * 0.5 / np.sqrt(20_000)


def test_independent_labels_vary_in_number_and_never_have_one_class_only(rng):
    counts = [RandomData(n_samples=4, labels="independent").draw(rng)[1].sum() for _ in range(100)]
    assert set(counts) == {1, 2, 3}


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_blocks_are_drawn_alike_and_say_something_of_the_target(rng, task):
    X, y = ExchangeableBlocks(n_samples=20_000, n_features=2, signal=0.5, task=task).draw(rng)
    side = y if task == "regression" else 2 * y - 1
    slopes = X.T @ side / (side @ side)
    assert np.abs(slopes - 0.5).max() < 5 / np.sqrt(20_000)
    noise = X - np.outer(side, [0.5] * 4)
    assert np.abs(np.cov(noise, rowvar=False) - np.eye(4)).max() < 8 / np.sqrt(20_000)


def test_the_second_block_may_say_more(rng):
    generator = ExchangeableBlocks(n_samples=20_000, n_features=1, signal=0.1, signal_b=0.9)
    X, y = generator.draw(rng)
    slopes = X.T @ (2 * y - 1) / len(y)
    assert np.abs(slopes - [0.1, 0.9]).max() < 5 / np.sqrt(20_000)
    assert generator.is_alternative
    assert not ExchangeableBlocks(signal=0.3, signal_b=0.3).is_alternative


@pytest.mark.parametrize("estimator", [GaussianNB(), LogisticRegression()])
def test_each_model_of_the_blocks_sees_its_own_columns(rng, estimator):
    X, y = ExchangeableBlocks(n_samples=80, n_features=3).draw(rng)
    models = ExchangeableBlocks(n_samples=80, n_features=3).pair({"m": estimator})
    for model, columns in zip(models.values(), (slice(0, 3), slice(3, 6)), strict=True):
        alone = type(estimator)().fit(X[:, columns], y)
        np.testing.assert_array_equal(model.fit(X, y).predict(X), alone.predict(X[:, columns]))
        np.testing.assert_array_equal(model.predict_proba(X), alone.predict_proba(X[:, columns]))
        assert hasattr(model, "decision_function") == hasattr(estimator, "decision_function")
    assert not hasattr(estimator, "classes_")


def test_a_regressor_on_a_block_is_a_regressor():
    (model, _) = ExchangeableBlocks(task="regression").pair({"ridge": Ridge()}).values()
    assert model.__sklearn_tags__().estimator_type == "regressor"
    assert not hasattr(model, "predict_proba")


@pytest.mark.parametrize("kind", ["array", "frame", "sparse"])
def test_a_permutation_keeps_x_and_the_labels_but_not_their_order(rng, kind):
    values = np.arange(200.0).reshape(100, 2)
    X = {"array": values, "frame": pd.DataFrame(values), "sparse": sparse.csr_matrix(values)}[kind]
    y = np.array(["no", "yes"])[np.arange(100) % 2]
    drawn, shuffled = LabelPermutation(X=X, y=y).draw(rng)
    assert drawn is X or (drawn != X).nnz == 0
    assert sorted(shuffled) == sorted(y)
    assert (shuffled != y).any()


def test_a_permutation_does_not_follow_changes_of_the_labels():
    y = np.arange(10) % 2
    generator = LabelPermutation(X=np.zeros((10, 1)), y=y)
    y[:] = 0
    assert generator.y.sum() == 5


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: RandomData(n_samples=3), "n_samples must be an integer of at least 4; got 3"),
        (lambda: RandomData(n_features=0), "n_features must be an integer of at least 1; got 0"),
        (lambda: RandomData(positive=1.0), r"positive must be a number in \(0, 1\); got 1.0"),
        (lambda: RandomData(labels="fair"), "labels must be one of 'shares', 'independent'; got 'fair'"),
        (lambda: ExchangeableBlocks(n_samples=10, positive=0.01), "positive must leave a sample in either class of 10"),
        (lambda: ExchangeableBlocks(signal=np.nan), "signal must be"),
        (lambda: ExchangeableBlocks(task="ranking"), "task must be one of 'classification', 'regression'"),
        (lambda: LabelPermutation(X=np.zeros((4, 1)), y=[0, 1]), "y must have one row per sample of X, 4; got 2"),
        (lambda: LabelPermutation(X=np.zeros((4, 1)), y=[1] * 4), "y must have at least 2 different values"),
        (lambda: RandomData().pair({"a": GaussianNB()}), "models must be two for RandomData; got 1"),
        (lambda: ExchangeableBlocks().pair(dict.fromkeys("ab", GaussianNB())), "models must be one for"),
    ],
)
def test_bad_input_is_refused_by_name(make, message):
    with pytest.raises(ValueError, match=message):
        make()
