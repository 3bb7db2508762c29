"""What gives answers away is found before the first fit: rows on both sides of a split, columns that are the target."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.model_selection import KFold, ShuffleSplit
from sklearn.naive_bayes import GaussianNB

from benchmarks import leakage as made
from skcompare import PairedEvaluator, RunOptions, load, verify

pytestmark = pytest.mark.sampled

X, Y = load_breast_cancer(return_X_y=True)
CLASSIFIERS = {"most": DummyClassifier(), "any": DummyClassifier(strategy="stratified")}
REGRESSORS = {"mean": DummyRegressor(), "median": DummyRegressor(strategy="median")}
LEAKS = ("DO_NOT_USE", "DO_NOT_USE", "DO_NOT_USE")


def found(X, y, models=CLASSIFIERS, groups=None, **options):
    options = {"cv": 5, "scoring": ["accuracy"], "random_state": 0, **options}
    warnings = PairedEvaluator(**options).evaluate(models, X, y, groups=groups).warnings
    return [warning for warning in warnings if warning.code in LEAKS]


def frame(values):
    return pd.DataFrame(values, columns=[f"f{j}" for j in range(values.shape[1])])


FORMS = {
    "float64": lambda values: values,
    "float32": lambda values: values.astype(np.float32),
    "column by column": np.asfortranarray,
    "objects": lambda values: values.astype(object),
    "lists": lambda values: values.tolist(),
    "frame": frame,
    "frame with text": lambda values: frame(values).assign(size=np.where(values[:, 0] > 14, "large", "small")),
    "frame with gaps": lambda values: frame(np.where(values > 100, np.nan, values)),
    "sparse": sparse.csr_matrix,
    "sparse array": lambda values: sparse.csr_array(values),
}


@pytest.fixture
def copied(global_random_seed):
    """Rows with some of them again, in random order."""
    rng = np.random.default_rng(global_random_seed)
    return rng.permutation(np.r_[np.arange(len(Y)), rng.choice(len(Y), 30, replace=False)])


@pytest.mark.parametrize("form", FORMS)
def test_copies_on_both_sides_are_counted_in_whatever_form(form, copied):
    cv = list(KFold(5).split(copied))
    (warning,) = found(FORMS[form](X[copied]), Y[copied], cv=cv)
    n = sum(int(np.isin(copied[test], copied[train]).sum()) for train, test in cv)
    first, second = (int(word.strip(";")) for word in warning.split("(row ")[1].split(")")[0].split(" is row "))
    assert warning.startswith(f"DO_NOT_USE: {n} of 599 samples have a copy in the training set (row ")
    assert first < second
    assert copied[first] == copied[second]


@pytest.mark.parametrize("form", ["float64", "frame", "sparse"])
def test_copies_that_stay_together_are_no_leak(form, copied):
    assert found(FORMS[form](X[copied]), Y[copied], groups=copied) == []


def test_copies_of_a_random_split_are_counted(copied):
    cv = [*ShuffleSplit(20, test_size=300, random_state=0).split(copied)]
    (warning,) = found(X[copied], Y[copied], cv=cv)
    tested, twice = set(), set()
    for train, test in cv[:10]:
        tested |= {*test.tolist()}
        twice |= {*test[np.isin(copied[test], copied[train])].tolist()}
    assert f"DO_NOT_USE: {len(twice)} of {len(tested)} samples have a copy in the training set" in warning


def test_a_sample_that_repeats_test_again_counts_once(copied):
    cv = [*KFold(5, shuffle=True, random_state=0).split(copied), *KFold(5, shuffle=True, random_state=1).split(copied)]
    (warning,) = found(X[copied], Y[copied], cv=cv)
    assert " of 599 samples have a copy" in warning


@pytest.mark.parametrize("load", [load_breast_cancer, load_iris, load_wine, load_digits], ids=lambda f: f.__name__)
@pytest.mark.parametrize("as_frame", [False, True])
def test_nothing_is_said_of_data_as_they_are(load, as_frame):
    assert found(*load(return_X_y=True, as_frame=as_frame)) == []


@pytest.mark.parametrize("draw", made.DATA, ids=lambda draw: draw.__name__)
def test_rows_that_are_equal_by_chance_are_no_copies(draw, rng):
    drawn = draw(300, rng)
    assert found(drawn, np.arange(300) % 2) == []


def test_copies_of_texts_are_found_and_short_codes_are_not(rng):
    texts = [" ".join(rng.choice(list("abcdefghij"), 30)) for _ in range(200)]
    y = [i % 2 for i in range(220)]
    (warning,) = found(texts + texts[:20], y)
    assert warning.code == "DO_NOT_USE"
    assert found([text[:3] for text in texts + texts[:20]], y) == []


@pytest.mark.parametrize("name", ["patient_id", "ID", "userId", "customer id", "uuid"])
def test_an_identifier_on_both_sides_is_named(name, rng):
    patients = rng.integers(0, 150, len(Y))
    data = frame(X).assign(**{name: patients})
    (warning,) = found(data, Y)
    assert f"share a value of {name!r} with the training set" in warning
    assert found(data, Y, groups=patients) == []
    assert found(data.assign(**{name: np.arange(len(Y))}), Y) == []  # each sample has its own
    assert found(data.assign(**{name: patients % 10}), Y) == []  # few values: a category


@pytest.mark.parametrize("name", ["paid", "valid", "humid", "identity", "covid"])
def test_a_word_that_ends_alike_is_no_identifier(name, rng):
    assert found(frame(X).assign(**{name: rng.integers(0, 150, len(Y))}), Y) == []


def test_a_column_that_is_the_target_is_named(rng):
    (warning,) = found(np.c_[X, 3 - 7 * Y], Y)
    assert warning.startswith("DO_NOT_USE: column 30 of X has one value of its own for every class")
    (warning,) = found(frame(X).assign(outcome=np.where(Y, "well", "ill")), Y)
    assert "column 'outcome' of X" in warning
    assert found(np.c_[X, np.where(rng.random(len(Y)) < 0.01, 1 - Y, Y)], Y) == []  # nearly
    three = load_iris(return_X_y=True)
    assert found(np.c_[three[0], three[1] == 0], three[1]) == []  # one of three classes
    (warning,) = found(sparse.csr_matrix(np.c_[X, Y]), Y)
    assert warning.code == "DO_NOT_USE"


def test_a_column_that_fits_a_few_samples_is_no_wonder():
    assert found([[0, 1], [1, 1], [0, 0], [1, 0], [0, 2], [1, 1]], [0, 1, 0, 1, 0, 1], cv=2) == []


def test_a_number_that_is_the_target_in_other_units_is_named(rng):
    data, y = load_diabetes(return_X_y=True)
    (warning,) = found(np.c_[data, 32 - 1.8 * y, y], y, REGRESSORS, scoring=["r2"])
    assert "2 columns of X, the first is 10, are the target times a number, plus a number" in warning
    assert found(np.c_[data, y + rng.normal(size=len(y))], y, REGRESSORS, scoring=["r2"]) == []


@pytest.mark.parametrize(
    ("values", "y"),
    [
        ([{"a": 1}] * 15 + [{"b": 2}] * 15, [0, 1] * 15),
        ([[1, 2], [3]] * 15, [0, 1] * 15),
        (np.zeros((30, 0)), [0, 1] * 15),
        (np.ones((30, 2, 2)), [0, 1] * 15),
    ],
    ids=["mappings", "ragged", "no columns", "three dimensions"],
)
def test_of_what_cannot_be_compared_nothing_is_said(values, y):
    assert found(values, y) == []


def test_the_look_can_be_left_out(copied):
    assert found(np.c_[X, Y][copied], Y[copied], options=RunOptions(check_data=False)) == []


def test_the_look_changes_nothing_else(copied):
    values = X[copied]
    before = values.tobytes()
    with_look, without = (
        PairedEvaluator(cv=3, scoring=["accuracy"], random_state=0, options=RunOptions(check_data=look)).evaluate(
            CLASSIFIERS, values, Y[copied]
        )
        for look in (True, False)
    )
    assert values.tobytes() == before
    assert with_look.scores.tobytes() == without.scores.tobytes()
    assert with_look.warnings != without.warnings == ()


@pytest.mark.parametrize("look", [True, False])
def test_what_is_fitted_again_is_looked_at_as_before(copied, look, tmp_path):
    evaluator = PairedEvaluator(cv=3, scoring=["accuracy"], random_state=0, options=RunOptions(check_data=look))
    evaluator.evaluate({"nb": GaussianNB(), "most": DummyClassifier()}, X[copied], Y[copied]).save(tmp_path / "x.skc")
    saved = load(tmp_path / "x.skc")
    assert [warning.code for warning in saved.warnings] == ["DO_NOT_USE"] * look
    assert verify(saved, X[copied], Y[copied]).outcome == "identical"
