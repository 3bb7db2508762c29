"""Targets of two texts: whatever metric has a name scores them as it does 0 and 1; the last one is positive."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import get_scorer_names, jaccard_score, make_scorer
from sklearn.model_selection import StratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

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
            with pytest.raises(skc.EstimatorFailedError):
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
