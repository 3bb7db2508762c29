"""ROC and precision-recall pictures show the folds' curves; the size picture, how often true nulls are rejected."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from matplotlib.figure import Figure
from scipy.stats import binomtest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import average_precision_score, roc_auc_score
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcompare import PairedEvaluator, RunOptions, from_frame
from skcompare.calibration import predicted_error_rate
from skcompare.plotting import PrecisionRecallDisplay, RocCurveDisplay, SizeDisplay
from tests.drawn_words import told

pytestmark = pytest.mark.sampled

BOTH = ("roc", "precision_recall")


class Given(ClassifierMixin, BaseEstimator):
    """A model whose scores are a column of X; it fails where it is told to."""

    def __init__(self, column=0, fails_from=np.inf):
        self.column = column
        self.fails_from = fails_from

    def fit(self, X, y):  # noqa: ARG002
        self.classes_ = np.unique(y)
        return self

    def decision_function(self, X):
        if X[0, -1] >= self.fails_from:
            raise RuntimeError("told to fail")
        return X[:, self.column] - 0.5

    def predict(self, X):
        return self.classes_[(self.decision_function(X) > 0).astype(int)]


def evaluate(folds, models=None, labels=(0, 1), **options):
    """A result of given scores: per fold the labels as 0 and 1, then the scores of each model."""
    n_train = 4
    blocks = [np.zeros((n_train, len(folds[0])))]
    targets = [np.tile([0, 1], n_train // 2)]
    for i, (truth, *scores) in enumerate(folds):
        blocks.append(np.column_stack([*scores, np.full(len(truth), float(i))]))
        targets.append(np.asarray(truth))
    ends = np.cumsum([len(block) for block in blocks])
    splits = [(np.arange(n_train), np.arange(a, b)) for a, b in pairwise(ends)]
    models = {f"m{i}": Given(i) for i in range(len(folds[0]) - 1)} if models is None else models
    y = np.array(labels)[np.concatenate(targets)]
    options = {"scoring": ["accuracy", "roc_auc"], "random_state": 0, **options}
    return PairedEvaluator(cv=splits, **options).evaluate(models, np.vstack(blocks), y)


def random_folds(rng, n_folds=4, n=30, n_models=2):
    """Folds with ties among their scores and both classes."""
    for _ in range(n_folds):
        truth = rng.permutation(np.r_[0, 1, rng.integers(0, 2, n - 2)])
        yield (truth, *(np.round(rng.normal(truth, 2), 1) for _ in range(n_models)))


def displays(result, **options):
    return [result.plot(kind, **options) for kind in BOTH]


def legend(display):
    return [text.get_text() for text in display.ax_.get_legend().get_texts()]


# ---- curves ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("labels", [(0, 1), (-1, 1), ("a", "b"), (False, True)])
def test_areas_are_those_of_scikit_learn(rng, labels):
    folds = list(random_folds(rng))
    roc, precision_recall = displays(evaluate(folds, labels=labels))
    for truth, *scores in folds:
        positive = np.asarray(truth) == 1
        for of_model in scores:
            assert RocCurveDisplay._curve(positive, of_model)[1] == pytest.approx(roc_auc_score(truth, of_model))
            expected = average_precision_score(truth, of_model)
            assert PrecisionRecallDisplay._curve(positive, of_model)[1] == pytest.approx(expected)
    for display, score in ((roc, roc_auc_score), (precision_recall, average_precision_score)):
        expected = [np.mean([score(fold[0], fold[1 + m]) for fold in folds]) for m in range(2)]
        np.testing.assert_allclose(display.areas, expected, rtol=1e-12)
        shown = [float(text.split()[-1]) for text in legend(display)[:2]]
        np.testing.assert_allclose(shown, expected, atol=6e-4)


@pytest.mark.parametrize("model", [GaussianNB(), DecisionTreeClassifier(max_depth=2, random_state=0)])
def test_areas_of_probabilities_are_the_scores_of_the_result(rng, model):
    X, y = rng.normal(size=(60, 2)), np.tile([0, 1], 30)
    scoring = {"roc_auc": "roc_auc", "ap": "average_precision"}
    result = PairedEvaluator(cv=3, scoring=scoring, random_state=0).evaluate({"a": model, "b": GaussianNB()}, X, y)
    for display, metric in zip(displays(result), scoring, strict=True):
        np.testing.assert_allclose(display.areas, [result.score(name, metric).mean() for name in "ab"], rtol=1e-12)


def test_roc_curves_are_vertical_averages_of_the_folds():
    """By hand: the first fold climbs to 1/2 at 0 and to 1 at 1/2; the second is perfect, so the mean is 3/4, then 1."""
    truth = [0, 0, 1, 1]
    half, perfect = [0.1, 0.4, 0.35, 0.8], [0.1, 0.2, 0.7, 0.8]
    display = evaluate([(truth, half, perfect), (truth, perfect, perfect)]).plot("roc")
    np.testing.assert_allclose(display.y[0][display.x < 0.5], 0.75)
    np.testing.assert_allclose(display.y[0][display.x >= 0.5], 1)
    np.testing.assert_allclose(display.y[1], 1)
    assert (display.x[0], display.x[-1]) == (0, 1)


def test_tied_scores_make_a_slope():
    display = evaluate([([0, 0, 1, 1], [0.3] * 4, [0.3] * 4)]).plot("roc")
    np.testing.assert_allclose(display.y, [display.x] * 2)


def test_precision_is_that_of_the_first_threshold_that_reaches_the_recall():
    """By hand: precisions 1, 1/2, 2/3, 1/2 at recalls 1/2, 1/2, 1, 1."""
    truth, scores = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
    display = evaluate([(truth, scores, scores)]).plot("precision_recall")
    np.testing.assert_allclose(display.y[0][display.x <= 0.5], 1)
    np.testing.assert_allclose(display.y[0][display.x > 0.5], 2 / 3)


def test_precision_starts_with_the_first_positive_found():
    """By hand: the first sample called is negative, the second positive."""
    display = evaluate([([1, 0, 0, 0], [0.8, 0.9, 0.1, 0.1], [0.5] * 4)]).plot("precision_recall")
    np.testing.assert_allclose(display.y[0], 0.5)
    np.testing.assert_allclose(display.y[1], 0.25)
    assert display.chance == 0.25
    assert "chance (25% are positive)" in legend(display)


def test_the_band_is_a_quantile_of_the_folds_and_says_so():
    """Perfect on one of 21 folds, wrong on 20: at each rate 0 but for the greatest value, so that 95% is at 0."""
    truth, good, bad = [0, 0, 1, 1], [0.1, 0.2, 0.8, 0.9], [0.9, 0.8, 0.2, 0.1]
    display = evaluate([(truth, good, bad)] * 2 + [(truth, bad, bad)] * 19).plot("roc")
    inside = display.x < 1
    np.testing.assert_allclose(display.y[0][inside], 2 / 21)
    np.testing.assert_allclose(display.low[0][inside], 0)
    np.testing.assert_allclose(display.high[0][inside], 1)
    np.testing.assert_allclose(display.high[1][inside], 0)
    assert legend(display)[-1] == "band: 5% to 95% quantile\nof the folds (no confidence band)"


@pytest.mark.parametrize("kind", BOTH)
def test_what_is_drawn_is_what_the_display_holds(rng, kind):
    display = evaluate(list(random_folds(rng, n_models=3))).plot(kind)
    for line, y in zip(display.ax_.lines, display.y, strict=False):
        np.testing.assert_array_equal(line.get_data(), (display.x, y))
    bands = display.ax_.collections[:3]
    for band, low, high in zip(bands, display.low, display.high, strict=True):
        points = {tuple(point) for point in band.get_paths()[0].vertices}
        assert points == {*zip(display.x, low, strict=True), *zip(display.x, high, strict=True)}
    frame = display.frame()
    assert frame["estimator"].unique().tolist() == ["m0", "m1", "m2"]
    np.testing.assert_array_equal(frame.iloc[:, 2], display.y.ravel())


# ---- crossings ------------------------------------------------------------------------------------------------


def crossing_folds():
    """A: half of the positives first, the rest tied, y = (1 + x) / 2. B: y = 2x up to 1/2. They meet at (1/3, 2/3)."""
    truth = [1] * 4 + [0] * 4
    return [(truth, [0.9, 0.9] + [0.2] * 6, [0.8] * 4 + [0.8] * 2 + [0.1] * 2)]


def test_crossings_are_where_the_means_cross():
    display = evaluate(crossing_folds()).plot("roc")
    np.testing.assert_allclose(display.crossings, [[1 / 3, 2 / 3]])
    points = [line for line in display.ax_.lines if line.get_markerfacecolor() == "none"]
    np.testing.assert_allclose(points[0].get_xydata(), display.crossings)
    assert "curves cross" in legend(display)


def test_curves_that_do_not_cross_have_no_crossing():
    truth = [1] * 4 + [0] * 4
    same = [0.9, 0.9] + [0.2] * 6
    display = evaluate([(truth, same, same)]).plot("roc")
    assert display.crossings.shape == (0, 2)
    assert not any("cross" in text for text in legend(display))
    better = evaluate([(truth, truth, same)])
    assert all(len(shown.crossings) == 0 for shown in displays(better))


def test_curves_that_share_a_piece_cross_in_its_middle():
    """A: 1/2 from 0, 3/4 from 3/4. B: 1/4 from 0, 1/2 from 1/4, 1 from 1/2: they share the piece from 1/4 to 1/2."""
    truth = np.array([1, 1, 0, 0, 0, 1, 0, 1])
    a = np.arange(8, 0, -1.0)
    order = [0, 2, 1, 3, 5, 7, 4, 6]
    b = np.empty(8)
    b[order] = np.arange(8, 0, -1.0)
    crossing = evaluate([(truth, a, b)]).plot("roc").crossings
    np.testing.assert_allclose(crossing, [[0.375, 0.5]], atol=1 / 256)


def test_the_crossings_are_those_of_the_pair_that_is_asked_for():
    (truth, a, b) = crossing_folds()[0]
    result = evaluate([(truth, truth, a, b)])
    assert len(result.plot("roc").crossings) == 0
    display = result.plot("roc", a="m2", b="m1")
    np.testing.assert_allclose(display.crossings, [[1 / 3, 2 / 3]])
    assert "curves of m2\nand m1 cross (1)" in legend(display)
    assert len(result.plot("roc", estimators=["m1", "m2"]).crossings) == 1
    assert result.plot("roc", estimators="m1").a is None


# ---- which class, which folds ---------------------------------------------------------------------------------


def test_labels_one_and_two_are_taken_as_by_the_metrics(rng):
    """ROC AUC is about the greater label; precision and recall are about 1 where it is a label."""
    folds = list(random_folds(rng))
    roc, precision_recall = displays(evaluate(folds, labels=(1, 2)))
    assert (roc.positive, precision_recall.positive) == ("2", "1")
    assert roc.ax_.get_ylabel().startswith("true positive rate of class 2")
    assert precision_recall.ax_.get_xlabel() == "recall of class 1"
    np.testing.assert_allclose(roc.areas[0], np.mean([roc_auc_score(t, s) for t, s, _ in folds]))
    of_ones = np.mean([average_precision_score(1 - t, -s) for t, s, _ in folds])
    np.testing.assert_allclose(precision_recall.areas[0], of_ones)
    assert precision_recall.chance == pytest.approx(np.mean([1 - t.mean() for t, _, _ in folds]))


@pytest.mark.filterwarnings("ignore:roc_auc of", "ignore:scoring failed")
@pytest.mark.parametrize("kind", BOTH)
def test_folds_that_cannot_have_a_curve_are_left_out_and_told(rng, kind):
    folds = list(random_folds(rng, n_folds=4))
    single = (np.ones(5, dtype=int), np.linspace(0, 1, 5), np.linspace(0, 1, 5))
    models = {"a": Given(0), "b": Given(1, fails_from=4)}
    display = evaluate([single, *folds], models, error_score=np.nan).plot(kind)
    assert display.n_folds == 3
    assert "left out: 1 with one class only; left out: 1 without scores of all models" in told(display)
    np.testing.assert_allclose(display.y, evaluate(folds[:3]).plot(kind).y)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_scores_that_are_no_numbers_leave_the_fold_out(rng, bad):
    folds = list(random_folds(rng, n_folds=3))
    result = evaluate(folds)
    kept = result._scores.kept_predictions.folds["m1"][1]["decision_function"]
    kept[0] = bad
    for display, whole in zip(displays(result), displays(evaluate([folds[0], folds[2]])), strict=True):
        assert display.n_folds == 2
        np.testing.assert_allclose(display.y, whole.y)


@pytest.mark.filterwarnings("ignore:scoring failed")
def test_a_model_without_any_scores_is_named_and_the_others_drawn(rng):
    folds = list(random_folds(rng))
    models = {"a": Given(0), "$b_": Given(1, fails_from=0), "c": Given(1)}
    result = evaluate(folds, models, error_score=np.nan)
    for display in displays(result):
        assert list(display.names) == ["a", "c"]
        assert display.n_folds == 4
        assert (display.a, display.b, len(display.crossings)) == (None, None, 0)
        assert "no scores at all: $b_" in told(display)


def test_models_without_a_fold_in_common_are_refused_together(rng):
    folds = list(random_folds(rng, n_folds=2))
    result = evaluate(folds)
    for name, fold in (("m0", 0), ("m1", 1)):
        result._scores.kept_predictions.folds[name][fold]["decision_function"][:] = np.nan
    with pytest.raises(ValueError, match=r"scores of all models; got none.*estimators="):
        result.plot("roc")
    for i, name in enumerate(("m0", "m1")):
        truth, *scores = folds[1 - i]
        assert result.plot("roc", estimators=name).areas[0] == pytest.approx(roc_auc_score(truth, scores[i]))


# ---- many models, and what is lacking -------------------------------------------------------------------------


@pytest.mark.parametrize("kind", BOTH)
@pytest.mark.parametrize(("n_models", "n_bands"), [(2, 2), (5, 5), (6, 2), (30, 2)])
def test_bands_of_many_models_are_those_of_the_pair(make_result, assert_legible, kind, n_models, n_bands):
    display = make_result(n_models, 2).plot(kind)
    bands = [band for band in display.ax_.collections if len(band.get_paths()[0].vertices) > 3]
    assert len(bands) == n_bands
    assert len(display.ax_.lines) >= min(n_models, 12) + 1
    assert_legible(display)


@pytest.mark.parametrize("kind", BOTH)
def test_what_is_lacking_is_said(rng, kind):
    folds = list(random_folds(rng))
    with pytest.raises(ValueError, match=r"scoring must include 'roc_auc'.*has none of 'm0', 'm1'$"):
        evaluate(folds, scoring="accuracy").plot(kind)
    with pytest.raises(ValueError, match="keep_predictions=False"):
        evaluate(folds, options=RunOptions(keep_predictions=False)).plot(kind)
    with pytest.raises(ValueError, match="made from a table of scores"):
        from_frame({"model": list("aabb"), "fold": [0, 1] * 2, "score": [0.1, 0.2, 0.3, 0.5]}).plot(kind)
    y = np.tile([0, 1, 2], 20)
    X = rng.normal(size=(60, 2)) + 5 * y[:, None]  # every class is predicted
    three = PairedEvaluator(cv=2, random_state=0).evaluate([GaussianNB(), GaussianNB()], X, y)
    with pytest.raises(ValueError, match="need a target of two classes; the task here is 'multiclass'"):
        three.plot(kind)


@pytest.mark.filterwarnings("ignore:roc_auc of")
def test_test_sets_of_one_class_have_no_curve():
    singles = [(np.full(3, k), np.arange(3.0), np.arange(3.0)) for k in (0, 1)]
    with pytest.raises(ValueError, match="both classes and with scores of all models; got none"):
        evaluate(singles, error_score=np.nan).plot("roc")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"estimators": ["m0", "mm"]}, "estimators must be one of 'm0', 'm1'.*got 'mm'"),
        ({"estimators": ["m0", "m0"]}, "each once"),
        ({"estimators": []}, "at least one estimator"),
        ({"estimators": 3}, "names of estimators; got 3"),
        ({"a": "m1", "b": "m1"}, "two different estimators"),
        ({"estimators": ["m0"], "a": "m1", "b": "m0"}, "a must be one of 'm0'; got 'm1'"),
    ],
)
def test_unknown_names_are_refused(options, message):
    result = evaluate(crossing_folds())
    for kind in BOTH:
        with pytest.raises(ValueError, match=message):
            result.plot(kind, **options)


# ---- size -----------------------------------------------------------------------------------------------------


def test_measured_sizes_are_shares_of_pvalues_with_exact_intervals(rng):
    pvalues = rng.uniform(size=(2, 200))
    display = SizeDisplay.from_pvalues(pvalues, names=["one", "other"], levels=[0.1, 0.05])
    assert display.levels.tolist() == [0.05, 0.1]
    for i, j in np.ndindex(2, 2):
        k = sum(p < display.levels[j] for p in pvalues[i])
        exact = binomtest(k, 200).proportion_ci(method="exact")
        assert display.measured[i, j] == k / 200
        np.testing.assert_allclose((display.low[i, j], display.high[i, j]), exact, atol=1e-9)
    assert display.frame()["name"].tolist() == ["one", "one", "other", "other"]


def test_exactly_uniform_pvalues_are_on_the_line():
    display = SizeDisplay.from_pvalues((np.arange(1000) + 0.5) / 1000).plot()
    np.testing.assert_allclose(display.measured[0], display.levels)
    diagonal, line = display.ax_.lines
    assert (diagonal.get_xdata() == diagonal.get_ydata()).all()
    np.testing.assert_allclose(line.get_ydata(), display.measured[0])


@pytest.mark.parametrize("n", [2, 5])
def test_bars_stand_beside_each_other_at_their_level(rng, n):
    display = SizeDisplay.from_pvalues(rng.uniform(size=(n, 100))).plot()
    bars = display.ax_.collections[:n]
    for i, bar in enumerate(bars):
        ends = np.array([path.vertices for path in bar.get_paths()])
        np.testing.assert_allclose(ends[:, 0, 1], display.low[i])
        np.testing.assert_allclose(ends[:, 1, 1], display.high[i])
        np.testing.assert_allclose(ends[:, 0, 0], display.ax_.lines[1 + i].get_xdata())
    places = np.sort([line.get_xdata() for line in display.ax_.lines[1:]], axis=0)
    assert (np.diff(places, axis=0) > 0).all()
    assert (np.abs(places - display.levels) < 0.005).all()


def published(procedure):
    rate = predicted_error_rate("accuracy", "5x4", n_samples=60, positives=0.5, procedure=procedure)
    return rate.low, rate.high


def test_the_sizes_are_those_that_are_predicted(make_result):
    display = make_result(2, 5).plot("size")  # 5 x 4 folds
    assert list(display.names) == ["roc_auc", "accuracy", "precision", "recall", "f1"]
    known = json.loads(make_result(2, 5).to_json())["error_rates"]["by_metric"]
    assert [*display.high[:, 0]] == [known[name]["high"] for name in display.names]
    assert "measured on 10x5" in told(display)
    (ranges,) = display.ax_.collections
    ends = np.array([path.vertices[:, 1] for path in ranges.get_paths()])
    np.testing.assert_allclose(ends, np.column_stack([display.low, display.high]))
    nominal = display.ax_.lines[0].get_ydata()
    assert list(nominal) == [0.05, 0.05]
    tolerated = display.ax_.patches[0].get_extents().transformed(display.ax_.transData.inverted())
    np.testing.assert_allclose((tolerated.y0, tolerated.y1), (0.03, 0.07))
    reference = make_result(2, 2).plot("size", procedure="paired_t")
    assert (reference.low[1, 0], reference.high[1, 0]) == published("paired_t")
    joint = make_result(2, 2).plot("size", procedure="dominance_test")
    assert list(joint.names) == ["accuracy and ROC AUC", "all five"]


@pytest.mark.parametrize("levels", [(0.05,), (0.01, 0.05, 0.1)])
@pytest.mark.parametrize(
    ("n", "name"), [(1, "p"), (2, "paired $t$ {"), (5, "_hidden"), (30, "x" * 200), (30, "procedure")]
)
def test_size_pictures_say_what_is_better_and_can_be_read(rng, assert_legible, levels, n, name):
    pvalues = rng.uniform(size=(n, 50))
    display = SizeDisplay.from_pvalues(pvalues, names=[f"{name}{i}" for i in range(n)], levels=levels).plot()
    assert "above the line: too many false alarms\nbelow it: conservative" in display.ax_.get_xlabel()
    assert any("exactly calibrated" in text for text in legend(display))
    assert_legible(display)


def test_the_words_of_sizes_stay_apart_in_small_axes(rng, assert_legible):
    names = ["accuracy", "roc_auc", "average_precision", "balanced_accuracy"]
    figure = Figure(figsize=(4, 3), layout="constrained")
    display = SizeDisplay.from_pvalues(rng.uniform(size=(4, 50)), names=names, levels=[0.05])
    assert_legible(display.plot(figure.add_subplot()))
    assert {label.get_rotation() for label in display.ax_.get_xticklabels()} == {90.0}


@pytest.mark.parametrize(
    ("pvalues", "options", "message"),
    [
        ([0.1, 1.2], {}, r"pvalues must be in \[0, 1\]; got 0.1 to 1.2"),
        ([0.1, -0.2], {}, r"pvalues must be in \[0, 1\]"),
        ([0.1, np.nan], {}, "pvalues must be finite; got nan at position 1"),
        ([], {}, "at least one value"),
        (np.ones((2, 2, 2)), {}, "1 or 2 dimension"),
        ([0.1], {"levels": [0.0, 0.5]}, r"levels must be in \(0, 1\); got 0 to 0.5"),
        ([0.1], {"levels": [1.0]}, r"levels must be in \(0, 1\)"),
        ([0.1], {"levels": []}, "levels must hold at least one value"),
        ([[0.1], [0.2]], {"names": ["one"]}, "names must be 2 strings, one per procedure"),
        ([[0.1], [0.2]], {"names": ["one", "one"]}, "names must be different"),
        ([0.1], {"names": [3]}, "names must be 1 strings, one per procedure"),
    ],
)
def test_bad_pvalues_levels_and_names_are_refused(pvalues, options, message):
    with pytest.raises(ValueError, match=message):
        SizeDisplay.from_pvalues(pvalues, **options)


def test_what_was_not_measured_is_refused(make_result, make_table):
    with pytest.raises(ValueError, match="for 'equivalence_test' the test was not simulated"):
        make_result(2).plot("size", procedure="equivalence_test")
    with pytest.raises(ValueError, match="for 'mcnemar_test' only 10-fold and one random split were"):
        make_result(2).plot("size", procedure="mcnemar_test")
    with pytest.raises(ValueError, match="procedure must be"):
        make_result(2).plot("size", procedure="nonsense")
    with pytest.raises(ValueError, match="metrics must hold one that 'k_fold_t_test' was measured on"):
        from_frame({"model": ["a"] * 5 + ["b"] * 5, "fold": [*range(5)] * 2, "score": [0.1, 0.2] * 5}).plot("size")
    rare = replace(make_result(2), kept_predictions=None)
    counts = [replace(one, total=total) for one, total in zip(rare.design.class_counts, (299, 1), strict=True)]
    rare = replace(rare, design=replace(rare.design, class_counts=tuple(counts)))
    with pytest.raises(ValueError, match="50% positives were simulated"):
        rare.plot("size")
    assert list(make_table(2).plot("size").names) == ["roc_auc"]


@pytest.mark.parametrize("kind", ["roc", "precision_recall", "cost", "reliability", "pareto", "learning_curve"])
def test_a_small_legend_names_as_many_models_as_can_be_read(make_result, make_curve, kind):
    """First those of which the picture says most: the pair, the front, the cheapest ones."""
    n = 20 if kind == "pareto" else 10
    result = make_curve(n) if kind == "learning_curve" else make_result(n)
    figure = Figure(figsize=(4, 3), layout="constrained")
    pair = {"a": "model 8", "b": "model 9"} if kind in ("roc", "precision_recall") else {}
    display = result.plot(kind, ax=figure.add_subplot(), **pair)
    texts = display.ax_.get_legend().get_texts()
    assert min(text.get_fontsize() for text in texts) >= 6
    said = [text.get_text() for text in texts]
    named = [re.match(r"model \d+", text)[0] for text in said if text.startswith("model ")]
    assert {*pair.values()} <= {*named}
    if kind == "pareto":
        assert {name for name, on in zip(display.names, display.on_front, strict=True) if on} <= {*named}
    if kind == "cost":
        assert display.names[display.y.mean(axis=1).argmin()] in named
    assert f"and {n - len(named)} more models" in said
    assert len(result.plot(kind).ax_.get_legend().get_texts()) >= n


@pytest.mark.parametrize("kind", ["roc", "precision_recall", "cost", "learning_curve"])
@pytest.mark.parametrize("n_models", [13, 20, 40])
def test_of_many_curves_the_best_are_drawn_and_the_others_counted(make_result, make_curve, kind, n_models):
    result = make_curve(n_models) if kind == "learning_curve" else make_result(n_models)
    display = result.plot(kind)
    said = "\n".join(text.get_text() for text in display.ax_.get_legend().get_texts())
    drawn = [*re.findall(r"^model \d+", said, re.MULTILINE)]
    frame = display.frame().groupby("estimator", sort=False).mean(numeric_only=True)
    value = {"roc": "roc_auc", "precision_recall": "average_precision", "cost": "normalised_cost"}.get(kind, "means")
    best = frame[value].rank(ascending=kind == "cost") <= 10
    assert len(drawn) == 12
    assert {*frame.index[best]} <= {*drawn}
    assert f"{n_models - 12} more model" in display.ax_.get_xlabel()
    assert len(frame) == n_models
