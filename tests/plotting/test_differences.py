"""The forest plot shows what the comparison says."""

from __future__ import annotations

import os
from dataclasses import replace

import numpy as np
import pytest

from skcompare import StudyResult, from_frame
from skcompare.plotting import DifferencesDisplay
from skcompare.plotting._differences import MAX_ROWS
from skcompare.plotting._style import labels, look

SEED = int(os.environ["SKCOMPARE_SEED"])


def table(scores, metric="score"):
    """A result of 10 folds from scores by model."""
    n = len(scores) * 10
    return {
        "model": np.repeat(list(scores), 10),
        "metric": [metric] * n,
        "fold": np.tile(np.arange(10), len(scores)),
        "score": np.concatenate(list(scores.values())),
    }


@pytest.fixture(scope="module")
def result():
    rng = np.random.default_rng(SEED)
    base = rng.normal(0.8, 0.02, 10)
    return from_frame(
        table({"a": base, "b": base - 0.2 + rng.normal(0, 0.001, 10), "c": base + rng.normal(0, 0.05, 10)})
    )


def drawn(display):
    """Intervals and estimates of the rows of a drawn display, from top to bottom."""
    lines = [line for line in display.ax_.lines if len(set(line.get_ydata())) == 1 and len(line.get_xdata()) == 2]
    points = [line for line in display.ax_.lines if len(line.get_xdata()) == 1]
    return [tuple(line.get_xdata()) for line in lines], points


def test_rows_are_those_of_the_comparison(result):
    intervals, points = drawn(result.plot("differences"))
    rows = result.compare()
    np.testing.assert_allclose(intervals, [(row.low, row.high) for row in rows])
    np.testing.assert_allclose([point.get_xdata()[0] for point in points], [row.estimate for row in rows])
    shown = [label.get_text() for label in result.plot().ax_.get_yticklabels()]
    assert shown == [f"{row.a} - {row.b}" for row in rows]


def test_the_marker_points_to_the_better_model(result):
    _, points = drawn(result.plot("differences"))
    markers = {"better": ">", "worse": "<", "undecided": "o"}
    assert [point.get_marker() for point in points] == [markers[row.outcome.value] for row in result.compare()]
    assert points[0].get_marker() == ">"


def test_the_arrow_follows_the_winner_where_the_estimate_is_zero():
    difference = np.r_[np.linspace(0.01, 0.05, 8), np.zeros(22)]
    b = np.linspace(0.6, 0.9, 30)
    study = StudyResult.from_frame({"dataset": [f"d{i}" for i in range(30)], "a": b + difference, "b": b})
    (row,) = study.compare()
    assert (row.estimate, row.winner) == (pytest.approx(0), "a")
    (point,) = drawn(study.plot("differences"))[1]
    assert point.get_marker() == ">"
    assert study.plot("differences").frame()["better"].tolist() == ["a"]


def test_a_model_has_one_label_in_all_rows():
    long = [f"Pipeline({'x' * 30}, {step}, {'y' * 30})" for step in ("z" * 40, "v" * 40, "w" * 40)]
    rng = np.random.default_rng(SEED)
    names = from_frame(table({name: rng.normal(0.8, 0.02, 10) for name in long})).plot("differences")
    shown = [label.get_text().split(" - ") for label in names.ax_.get_yticklabels()]
    assert len({name for pair in shown for name in pair}) == 3
    assert [a == b for (a, _), (b, _) in [(shown[0], shown[1]), (shown[1], shown[2])]] == [True, False]


def test_the_metric_and_the_better_side_are_named():
    rng = np.random.default_rng(SEED)
    times = table({name: rng.normal(0.3, 0.02, 10) for name in "abc"}, "seconds")
    ax = from_frame(times, greater_is_better={"seconds": False}).plot("differences").ax_
    assert "of 3 differences on seconds" in ax.get_title(loc="left")
    assert "← second better    first better →" in ax.get_xlabel()


def test_rows_say_what_they_lack(make_result):
    study = StudyResult.from_frame({"dataset": ["only"], "a": [0.5], "b": [0.4]})
    assert [text.get_text() for text in study.plot("differences").ax_.texts] == ["no interval"]
    result = make_result(3)
    scores = result.scores.copy()
    scores[1] = np.nan
    lacking = [text.get_text() for text in replace(result, scores=scores).plot("differences").ax_.texts]
    assert lacking == ["no scores in common"] * 4


def test_the_region_of_practical_equivalence_is_shaded(result):
    display = result.plot("differences", rope=0.03)
    edges = [band.get_paths()[0].get_extents() for band in display.ax_.collections]
    assert len(edges) == 3
    np.testing.assert_allclose([(edge.x0, edge.x1) for edge in edges], [(-0.03, 0.03)] * 3)
    assert not result.plot("differences").ax_.collections


def test_metrics_of_different_units_have_axes_of_their_own(assert_legible):
    rng = np.random.default_rng(SEED)
    levels = {"accuracy": 0.8, "fit_time": 3.0, "roc_auc": 0.9, "neg_log_loss": -0.4}
    tables = [
        table({"a": level + rng.normal(0, 0.02, 10), "b": level + rng.normal(0, 0.02, 10)}, metric)
        for metric, level in levels.items()
    ]
    result = from_frame({key: np.concatenate([one[key] for one in tables]) for key in tables[0]})
    display = result.plot("differences")
    assert_legible(display)
    rows = {row.metric: row for row in result.compare()}
    shown = [[label.get_text() for label in panel.get_yticklabels()] for panel in display.ax_.child_axes]
    assert shown == [["accuracy", "roc_auc"], ["fit_time"], ["neg_log_loss"]]
    for panel, metrics in zip(display.ax_.child_axes, shown, strict=True):
        ends = [tuple(line.get_xdata()) for line in panel.lines if len(set(line.get_ydata())) == 1][::2]
        assert ends == [(rows[metric].low, rows[metric].high) for metric in metrics]
    assert display.ax_.child_axes[1].get_xlabel() == "difference on fit_time, seconds"
    assert not result.plot("differences", metrics=["accuracy", "roc_auc"]).ax_.child_axes


def test_metrics_without_a_unit_share_an_axis_unless_one_is_far_larger():
    rng = np.random.default_rng(SEED)
    one = table({"a": rng.normal(0.8, 0.02, 10), "b": rng.normal(0.8, 0.02, 10)}, "f1")
    other = table({"a": rng.normal(-900, 50, 10), "b": rng.normal(-1000, 50, 10)}, "r2")
    both = from_frame({key: np.concatenate([one[key], other[key]]) for key in one})
    assert len(both.plot("differences").ax_.child_axes) == 2


def test_which_metrics_are_shown_changes_no_outcome(make_study):
    study = make_study(5)
    every = study.plot("differences").frame()
    one = study.plot("differences", metrics="roc_auc").frame()
    expected = every[every.metric == "roc_auc"].reset_index(drop=True)
    assert one.equals(expected)
    assert study.plot("differences", metrics="roc_auc")._title().startswith("10 of 10 differences on roc_auc")


def test_of_very_many_rows_the_clearest_are_drawn(make_table):
    result = make_table(30)
    display = result.plot("differences")
    clearest = sorted(row.pvalue_adjusted for row in result.compare())[:MAX_ROWS]
    assert len(drawn(display)[0]) == MAX_ROWS
    assert len(display.frame()) == 435
    assert sorted(display.pvalues[i] for i in display._shown()) == clearest


def test_a_rope_for_an_unknown_metric_is_refused(result):
    with pytest.raises(ValueError, match="rope must be one of"):
        DifferencesDisplay.from_result(result, rope={"f1": 0.1})


def test_labels_keep_different_names_apart_and_are_no_mathematics():
    long = [f"{'x' * 50}{middle}{'y' * 50}" for middle in ("svm", "forest", "")]
    assert [label.strip("x…y") for label in labels(long)] == ["svm", "forest", ""]
    assert all(len(label) <= 28 for label in labels(long))
    very = [f"{'x' * 20}{i}{'z' * 30}{i}{'x' * 20}" for i in range(3)]
    assert [label[-4:] for label in labels(very)] == [" (1)", " (2)", " (3)"]
    assert labels(["$a$", "b", "b"]) == [r"\$a\$", "b", "b"]


def test_thirty_models_look_different():
    assert len({(look(i)["color"], str(look(i)["linestyle"])) for i in range(35)}) == 35
    assert len({(look(i)["color"], look(i)["marker"]) for i in range(35)}) == 35
