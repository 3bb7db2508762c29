"""Copies of unfitted estimators are those of scikit-learn's `clone`."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import sklearn
from sklearn.base import BaseEstimator, clone
from sklearn.ensemble import BaggingClassifier, BaggingRegressor, VotingClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, MinMaxScaler, StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import all_estimators

from skcompare import PairedEvaluator, RunOptions
from skcompare.evaluation import learners
from skcompare.evaluation.learners import cloned, seed_parameters

X, y = np.arange(12.0).reshape(6, 2), [0, 1] * 3


class Counted(BaseEstimator):
    """An estimator that somebody else wrote, whose constructor counts."""

    made = 0

    def __init__(self, alpha=1.0):
        self.alpha = alpha
        Counted.made += 1


@pytest.mark.filterwarnings("ignore")
def test_every_estimator_of_scikit_learn_is_copied_as_clone_does():
    compared = 0
    for _, kind in all_estimators():
        try:
            estimator = kind()
        except TypeError:  # it needs others
            continue
        compared += 1
        copied = cloned(estimator)
        assert type(copied) is kind
        assert copied is not estimator
        assert pickle.dumps(copied) == pickle.dumps(clone(estimator)), kind
    assert compared > 150


@pytest.mark.parametrize(
    "estimator",
    [
        make_pipeline(StandardScaler(), make_pipeline(MinMaxScaler((0, 2)), LogisticRegression(C=2))),
        Pipeline([("nothing", "passthrough"), ("tree", DecisionTreeClassifier(max_depth=2))]),
        Pipeline([("scaler", StandardScaler()), ("ridge", Ridge())], memory="somewhere"),
        BaggingClassifier(DecisionTreeClassifier()),
        make_pipeline(StandardScaler(), BaggingClassifier(DecisionTreeClassifier())),
        VotingClassifier([("one", GaussianNB())]),
        GaussianNB(priors=np.array([0.5, 0.5])),
        StandardScaler().set_output(transform="pandas"),
        FunctionTransformer().fit(X),
        GaussianNB().fit(X, y),
        make_pipeline(StandardScaler(), Ridge()).fit(X, y),
        FrozenEstimator(GaussianNB().fit(X, y)),
        Pipeline((("scaler", StandardScaler()), ("ridge", Ridge()))),
    ],
    ids=lambda estimator: repr(estimator).replace("\n", "")[:40],
)
def test_what_is_not_plain_is_copied_as_clone_does(estimator):
    assert pickle.dumps(cloned(estimator)) == pickle.dumps(clone(estimator))


def test_steps_are_copies():
    pipeline = make_pipeline(StandardScaler(), Ridge())
    cloned(pipeline).fit(X, y).set_params(ridge__alpha=3)
    assert not hasattr(pipeline[0], "mean_")
    assert pipeline[1].alpha == 1


def test_metadata_requests_are_kept():
    with sklearn.config_context(enable_metadata_routing=True):
        asking = Ridge().set_fit_request(sample_weight=True)
        assert cloned(asking)._metadata_request.fit.requests == {"sample_weight": True}


def test_the_constructor_of_others_is_called():
    model, Counted.made = Counted(), 0
    assert cloned(model).alpha == 1
    assert Counted.made == 1
    assert learners._parameters(FrozenEstimator) == frozenset()


def fits(monkeypatch, model, n_folds=4):
    """How often parameters are validated in an evaluation."""
    validated = []
    plain = Ridge._validate_params
    monkeypatch.setattr(Ridge, "_validate_params", lambda self: validated.append(self) or plain(self))
    evaluator = PairedEvaluator(cv=n_folds, scoring=["r2"], random_state=0, options=RunOptions(check_data=False))
    evaluator.evaluate(
        {"one": model, "other": LinearRegression()}, np.random.default_rng(0).random((40, 2)), np.arange(40.0)
    )
    return len(validated)


def test_plain_parameters_are_validated_once(monkeypatch):
    assert fits(monkeypatch, Ridge()) == 1
    assert fits(monkeypatch, make_pipeline(StandardScaler(), Ridge())) == 1


def test_others_are_validated_in_every_fit(monkeypatch):
    class OwnRidge(Ridge):
        pass

    assert fits(monkeypatch, OwnRidge()) == 4
    assert fits(monkeypatch, BaggingRegressor(Ridge(), 1)) == 4


def test_invalid_parameters_are_refused_in_every_fit():
    evaluator = PairedEvaluator(cv=4, scoring=["r2"], random_state=0, error_score=0.0)
    with pytest.warns(FitFailedWarning, match="4 of 8 fits failed"):
        result = evaluator.evaluate(
            {"one": Ridge(alpha="x"), "other": Ridge()}, np.random.default_rng(0).random((40, 2)), np.arange(40.0)
        )
    assert len(result.failures) == 4


@pytest.mark.parametrize(
    "estimator",
    [
        DecisionTreeClassifier(),
        make_pipeline(StandardScaler(), make_pipeline(StandardScaler(), LogisticRegression())),
        make_pipeline(StandardScaler(), BaggingClassifier(DecisionTreeClassifier())),
        VotingClassifier([("one", DecisionTreeClassifier())]),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_seeds_are_set_as_set_params_does(estimator):
    names = [name for name in estimator.get_params() if name.endswith("random_state")]
    assert names
    one, other = clone(estimator), clone(estimator).set_params(**dict.fromkeys(names, 7))
    seed_parameters(one, names, 7)
    assert repr(one) == repr(other)
    assert [one.get_params()[name] for name in names] == [7] * len(names)
