"""What the tests of pictures share: results to draw, and whether a picture can be read."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.naive_bayes import GaussianNB

from skcompare import LearningCurveResult, PairedEvaluator, SearchReport, StudyResult, from_frame
from skcompare.experiments import ExperimentReport, full_factorial

SCORERS = [
    *("roc_auc", "accuracy", "precision", "recall", "f1", "balanced_accuracy"),
    *("precision_macro", "recall_macro", "f1_macro", "f1_weighted"),
]
NASTY = ["$x_i$ {", "_hidden", "<script>alert(1)</script>", r"\frac{1}{2}", "$" * 3, "100% of *it*"]
# Pixels that the boxes of two texts may share: a box is a little larger than its letters.
TOUCH = 1.5


def model_names(n, kind="short"):
    """Names of n models: short, of 200 characters that differ in the middle, or hard to print."""
    if kind == "long":
        return [f"{'preprocessing_and_' * 5}{i:03d}{'_with_many_settings' * 5}"[:200] for i in range(n)]
    if kind == "nasty":
        return [(NASTY * n)[i] + f" {i}" for i in range(n)]
    return [f"model {i}" for i in range(n)]


@pytest.fixture(scope="session")
def make_result():
    """A result with predictions: n models on n metrics of 60 samples, 5 x 4 folds; under any names the same fits."""
    X, y = make_classification(60, random_state=3)

    @cache
    def evaluated(n_models, n_metrics):
        models = {f"model {i}": GaussianNB(var_smoothing=10.0 ** (i / 4 - 1)) for i in range(n_models)}
        return PairedEvaluator(cv="5x4", scoring=SCORERS[:n_metrics], random_state=0).evaluate(models, X, y)

    @cache
    def named(n_models, n_metrics, names):
        result, own = evaluated(n_models, n_metrics), model_names(n_models, names)
        kept = result._scores.kept_predictions
        predicted = type(kept)(kept.y, dict(zip(own, kept.folds.values(), strict=True)))
        return replace(result, estimators=tuple(own), kept_predictions=predicted)

    def make(n_models, n_metrics=2, names="short", missing=False):
        result = copy(named(n_models, n_metrics, names))
        if missing:
            scores = result.scores.copy()
            scores[0, :2] = np.nan
            scores[1, 5, 0] = np.nan
            result = replace(result, scores=scores)
        return result

    return make


@pytest.fixture(scope="session")
def make_curve(make_result):
    """A learning curve of n models on n metrics, of three sizes whose scores rise."""

    def make(n_models, n_metrics=1, names="short"):
        result = make_result(n_models, n_metrics, names)
        at = {12: -0.1, 24: -0.05, 48: 0.0}
        return LearningCurveResult(results={n: replace(result, scores=result.scores + more) for n, more in at.items()})

    return make


@pytest.fixture(scope="session")
def make_table():
    """A result without predictions, from a table of scores: 10 folds."""

    def make(n_models, n_metrics=1):
        rng = np.random.default_rng(n_models)
        names = np.repeat(model_names(n_models), 10 * n_metrics)
        metrics = np.tile(np.repeat(SCORERS[:n_metrics], 10), n_models)
        folds = np.tile(np.arange(10), n_models * n_metrics)
        return from_frame(
            {"model": names, "metric": metrics, "fold": folds, "score": rng.normal(0.8, 0.05, len(names))}
        )

    return make


@pytest.fixture(scope="session")
def make_study():
    """A study: one score per data set, model and metric on 12 data sets."""

    @cache
    def make(n_models, n_metrics=2, names="short"):
        rng = np.random.default_rng(n_models)
        models = model_names(n_models, names)
        d, k = 12, n_metrics
        level = np.linspace(0.7, 0.9, n_models)[None, :, None]
        scores = level + rng.normal(0, 0.03, (d, n_models, k)) + rng.normal(0, 0.1, (d, 1, 1))
        return StudyResult.from_frame(
            {
                "dataset": np.repeat([f"data {i}" for i in range(d)], n_models * k),
                "model": np.tile(np.repeat(models, k), d),
                "metric": np.tile(SCORERS[:k], d * n_models),
                "score": scores.ravel(),
            }
        )

    return make


@pytest.fixture(scope="session")
def make_search(made_search):
    """A report of a search: n candidates of three parameters on 10 folds."""

    @cache
    def make(n_candidates, n_metrics=1, names="short", failed=()):
        return SearchReport.from_search(made_search(n_candidates, n_metrics, kind=names, failed=failed, seed=0))

    return make


@pytest.fixture(scope="session")
def make_experiment():
    """A report of nine settings of two factors on ten splits."""

    def make(names="short"):
        design = full_factorial(dict.fromkeys(model_names(2, names), (1, 2, 3)))
        means = 0.9 - 0.02 * design.coded[:, 0] ** 2 + 0.01 * design.coded.prod(axis=1)
        scores = means[:, None] + np.random.default_rng(0).normal(scale=0.01, size=(9, 10))
        table = {"model": np.repeat(design.names, 10), "fold": np.tile(np.arange(10), 9), "score": scores.ravel()}
        return ExperimentReport.from_result(design, from_frame(table))

    return make


def texts(ax):
    """All texts that can be seen of the axes, with their boxes in pixels."""
    figure = ax.figure
    figure.draw_without_rendering()  # places every text as drawing does
    found = [*ax.texts, ax.title, ax.xaxis.label, ax.yaxis.label, ax._left_title, ax._right_title]
    found += [label for axis in (ax.xaxis, ax.yaxis) for label in axis.get_ticklabels(which="both")]
    legend = ax.get_legend()
    found += [] if legend is None else list(legend.get_texts())
    for child in ax.child_axes:
        found += child.texts
    low_x, high_x = sorted(ax.get_xlim())
    low_y, high_y = sorted(ax.get_ylim())
    ticks = {id(label) for label in ax.get_xticklabels() if not low_x <= label.get_position()[0] <= high_x}
    ticks |= {id(label) for label in ax.get_yticklabels() if not low_y <= label.get_position()[1] <= high_y}
    shown = [text for text in found if text.get_visible() and text.get_text().strip() and id(text) not in ticks]
    return [(text.get_text(), text.get_window_extent()) for text in shown]


@pytest.fixture
def assert_legible():
    """A check that no two texts of a display overlap, and none leaves a figure of its own; its title is one line."""

    def check(display, own_figure=True):
        boxes = texts(display.ax_)
        assert boxes, "a picture without a word"
        if own_figure:
            title = display.ax_.get_title(loc="left")
            assert "\n" not in title
            assert not title.endswith(" …")
        low, high = (np.array([getattr(box, corner) for _, box in boxes]) for corner in ("min", "max"))
        shared = np.minimum(high[:, None], high) - np.maximum(low[:, None], low)  # wide and high, of any two
        overlaps = [
            f"{boxes[i][0]!r} and {boxes[j][0]!r}: {shared[i, j].round()} pixels"
            for i, j in np.argwhere(np.triu((shared > TOUCH).all(axis=2), 1))
        ]
        assert not overlaps
        if own_figure:
            whole = display.figure_.bbox
            for text, box in boxes:
                inside = box.x0 >= -1 and box.y0 >= -1 and box.x1 <= whole.x1 + 1 and box.y1 <= whole.y1 + 1
                assert inside, f"{text!r} leaves the figure: {box} in {whole}"

    return check
