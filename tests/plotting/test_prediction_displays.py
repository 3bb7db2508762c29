"""Pictures of predictions: confusion, calibration and cost curves show the numbers of the tables."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure
from sklearn.calibration import calibration_curve
from sklearn.datasets import load_digits, make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_curve
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcompare import PairedEvaluator, from_predictions
from skcompare.inference import expected_cost
from tests.drawn_words import told

pytestmark = pytest.mark.sampled

X, Y = make_classification(400, 6, flip_y=0.2, random_state=1)
MODELS = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3), "logistic": LogisticRegression()}
DESIGNS = {"one test set": [(np.arange(150), np.arange(150, 400))], "folds": 4}


@pytest.fixture(scope="module", params=DESIGNS)
def result(request):
    evaluator = PairedEvaluator(cv=DESIGNS[request.param], scoring=["roc_auc", "neg_log_loss"], random_state=0)
    return evaluator.evaluate(MODELS, X, Y)


def pooled(result, name):
    parts = result.predictions(name)
    return [np.concatenate([getattr(p, what) for p in parts]) for what in ("y_true", "predict_proba")]


def written(display):
    return [line for text in display.ax_.texts for line in text.get_text().split("\n")]


def test_the_matrix_of_one_model_has_counts_and_shares(result):
    display = result.plot("confusion", estimators="tree")
    counts = result.confusion_matrices().of("tree")
    assert written(display)[::2] == [str(n) for n in counts.ravel()]
    assert written(display)[1::2] == [f"{n:.0%}" for n in (counts / counts.sum(axis=1, keepdims=True)).ravel()]
    assert display.frame()["count"].tolist() == counts.ravel().tolist()


def test_the_matrix_of_two_models_has_their_difference(result, assert_legible):
    display = result.plot("confusion", estimators=["tree", "bayes"])
    found = result.confusion_matrices()
    difference = found.difference("tree", "bayes").ravel().tolist()
    assert written(display)[::2] == [f"{n:+d}" if n else "0" for n in difference]
    both = zip(found.of("tree").ravel(), found.of("bayes").ravel(), strict=True)
    assert written(display)[1::2] == [f"{a} | {b}" for a, b in both]
    good = np.where(np.eye(2, dtype=bool), 1, -1)
    assert (np.sign(display.shares) == np.sign(found.difference("tree", "bayes") * good)).all()
    assert_legible(display)
    assert told(display).endswith("one test set of 250 samples" if result.design.n_splits == 1 else "validation")


def test_what_has_no_room_on_one_line_stands_one_below_the_other(rng):
    y = rng.integers(0, 2, 60)
    names = [f"gradient boosting of {what} trees, tuned" for what in ("many small", "a few large")]
    given = {name: np.where(rng.random(60) < 0.8, y, 1 - y) for name in names}
    lines = from_predictions(y, given, scoring="accuracy").plot("confusion").ax_.get_xlabel().split("\n")
    assert [line.split(":")[0] for line in lines[1:5]] == ["above", "below", "blue", "orange"]


@pytest.mark.parametrize(
    ("width", "n_classes", "estimators"),
    [(4, 3, ["bayes", "tree"]), (4, 10, ["bayes", "tree"]), (8, 60, "bayes"), (16, 3, "tree")],
)
def test_matrices_of_many_classes_can_be_read(assert_legible, width, n_classes, estimators):
    x, y = load_digits(return_X_y=True)
    labels = y if n_classes == 10 else y % n_classes if n_classes < 10 else y + 10 * (np.arange(len(y)) % 6)
    models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=4, random_state=0)}
    result = PairedEvaluator(cv=2, scoring=["accuracy"], random_state=0).evaluate(models, x[:600], labels[:600])
    figure = Figure(figsize=(width, width), layout="constrained")
    assert_legible(result.plot("confusion", estimators=estimators, ax=figure.add_subplot()))


def test_calibration_curves_are_those_of_scikit_learn(result):
    display = result.plot("reliability", n_bins=5)
    for name, predicted, observed in zip(MODELS, display.predicted, display.observed, strict=True):
        share, mean = calibration_curve(*pooled(result, name), n_bins=5)
        assert np.allclose(observed, share)
        assert np.allclose(predicted, mean)
    rows = result.reliability(n_bins=5, n_resamples=2)
    assert display.errors.tolist() == [row.calibration_error for row in rows]
    frame = display.frame()
    assert (frame.low <= frame.observed + 1e-12).all()
    assert (frame.observed <= frame.high + 1e-12).all()


def test_of_many_models_the_first_ten_are_drawn():
    models = {f"m{i}": GaussianNB(var_smoothing=10.0**-i) for i in range(12)}
    result = PairedEvaluator(cv=2, scoring=["roc_auc"], random_state=0).evaluate(models, X, Y)
    display = result.plot("reliability")
    assert display._title().endswith(", 10 of 12 models")
    assert len(result.plot("cost").names) == 12


def test_the_cost_curve_is_the_least_cost_over_all_thresholds(result):
    display = result.plot("cost")
    for name, heights in zip(MODELS, display.y, strict=True):
        y, p = pooled(result, name)
        alarms, hits, _ = roc_curve(y, p, drop_intermediate=False)
        least = [(x * (1 - hits) + (1 - x) * alarms).min() for x in display.x]
        assert np.allclose(heights, least)
        for i in (20, 100, 170):  # the share of positives is 1/2 there, so that x is the share of the costs
            x = float(display.x[i])
            best = expected_cost(y, p, cost_false_negative=2 * x, cost_false_positive=2 - 2 * x, prevalence=0.5)
            assert heights[i] == pytest.approx(best.cost)
    assert display.share == y.mean()
