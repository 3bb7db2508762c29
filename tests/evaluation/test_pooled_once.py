"""Predictions are decoded once per model, and only those of the repeat that is used."""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcompare import PairedEvaluator
from skcompare.evaluation.predictions import KeptPredictions
from skcompare.inference import delong_test, mcnemar_test


@pytest.fixture(scope="module")
def result():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3))
    y = np.where(X[:, 0] + rng.normal(size=80) > 0, "yes", "no")
    models = {f"tree {depth}": DecisionTreeClassifier(max_depth=depth, random_state=0) for depth in (1, 2, 3)}
    evaluator = PairedEvaluator(cv="3x4", scoring=["accuracy", "roc_auc"], random_state=0)
    return evaluator.evaluate({**models, "nb": GaussianNB()}, X, y)


def pooled(result, name):
    """The first repeat by the public way, fold by fold."""
    folds = result.predictions(name)[:4]
    return tuple(
        np.concatenate([getattr(fold, part) for fold in folds]) for part in ("y_true", "y_pred", "predict_proba")
    )


@pytest.mark.parametrize("test", ["mcnemar_test", "delong_test", "paired_metric_test", "paired_bootstrap"])
def test_a_model_is_decoded_once_for_all_its_pairs(result, test, monkeypatch):
    read = []
    plain = KeptPredictions.of_repeat

    def counted(self, estimator, repeat, tested):
        read.append((estimator, repeat))
        return plain(self, estimator, repeat, tested)

    monkeypatch.setattr(KeptPredictions, "of_repeat", counted)
    result.compare(test, metrics="roc_auc" if test == "delong_test" else "accuracy")
    assert len(read) == len(set(read))
    assert {repeat for _, repeat in read} <= {0}


def test_pairs_are_those_of_the_folds_put_together(result):
    true, a, score_a = pooled(result, "tree 2")
    _, b, score_b = pooled(result, "nb")
    found = result.test("mcnemar", a="tree 2", b="nb")
    assert found.pvalue == mcnemar_test(a == true, b == true).pvalue
    found = result.test("delong", a="tree 2", b="nb")
    assert found.pvalue == pytest.approx(delong_test(true, score_a, score_b).pvalue, rel=1e-12)


def test_the_positive_class_can_be_the_other_one(result):
    # scores that speak for "yes" speak against "no": the areas are what is left to 1
    usual = result.test("delong", a="tree 2", b="nb")
    turned = result.test("delong", a="tree 2", b="nb", positive="no")
    assert turned.auc_a == pytest.approx(1 - usual.auc_a)
    assert turned.estimate == pytest.approx(-usual.estimate)


def test_class_scores_are_the_users_own(result):
    y, _ = result.class_scores("nb")
    before = result.test("delong", a="tree 2", b="nb").pvalue
    y[:] = y[0]
    assert set(result.class_scores("nb")[0]) == {"yes", "no"}
    assert result.test("delong", a="tree 2", b="nb").pvalue == before
