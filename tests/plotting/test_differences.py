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
from tests.drawn_words import told
from tests.test_families_of_comparisons import KINDS
from tests.test_families_of_comparisons import drawn as drawn_recipe

pytestmark = pytest.mark.sampled

SEED = int(os.environ["SKCOMPARE_SEED"])


def label_of(metric):
    return {"neg_log_loss": "log loss", "neg_brier_score": "Brier score"}.get(metric, metric)


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
    """Intervals, estimates and open ends of the rows of a drawn display, from top to bottom."""
    lines = [line for line in display.ax_.lines if len(set(line.get_ydata())) == 1 and len(line.get_xdata()) == 2]
    single = [line for line in display.ax_.lines if len(line.get_xdata()) == 1]
    is_end = [str(line.get_gid()).startswith("open end") for line in single]
    points = [line for line, end in zip(single, is_end, strict=True) if not end]
    ends = {int(line.get_ydata()[0]): line.get_xdata()[0] for line, end in zip(single, is_end, strict=True) if end}
    return [tuple(line.get_xdata()) for line in lines], points, ends


@pytest.fixture(scope="module", params=range(6))
def many(request):
    """Results with one to three metrics of two to six models on ten folds, some far apart and some alike."""
    rng = np.random.default_rng([SEED, request.param])
    metrics = list(rng.permutation(["accuracy", "neg_log_loss", "f1"])[: rng.integers(1, 4)])
    names = [f"m{i}" for i in rng.permutation(rng.integers(2, 7))]
    base = rng.normal(0, 0.02, 10)
    tables = []
    for metric in metrics:
        level = (-0.8 if metric == "neg_log_loss" else 0.8) + base
        steps = {name: level - rng.choice([0, 0.01, 0.03, 0.1]) for name in names}
        tables.append(table({name: mean + rng.normal(0, 0.01, 10) for name, mean in steps.items()}, metric))
    return from_frame({key: np.concatenate([one[key] for one in tables]) for key in tables[0]})


@pytest.mark.parametrize("kind", KINDS)
def test_rows_are_those_of_the_comparison(kind, rng):
    """Each row is one of `compare`, seen from one of its models, with the interval, the outcome and the open end."""
    for _ in range(6):
        result = KINDS[kind](drawn_recipe(rng))
        display = result.plot("differences")
        frame = display.frame()
        rows = {(label_of(row.metric), frozenset((row.a, row.b))): row for row in result.compare()}
        assert len(frame) == len(rows)
        for i, shown in enumerate(frame.itertuples()):
            row = rows[shown.metric, frozenset((shown.a, shown.b))]
            sign = 1 if shown.a == row.a else -1
            ends = (row.low, row.high) if sign == 1 else (-row.high, -row.low)
            found = [shown.estimate, shown.low, shown.high, shown.pvalue_adjusted]
            np.testing.assert_array_equal(found, [sign * row.estimate, *ends, row.pvalue_adjusted])
            assert {"a": shown.a, "b": shown.b}.get(shown.better) == row.winner
            assert display._is_cut(i) == row.open_at_null
            if np.isfinite(shown.low):
                assert (shown.low <= 0 <= shown.high and not row.open_at_null) == (row.winner is None)


def test_a_cut_interval_has_an_open_end_at_zero(many):
    for metric in many.metrics:
        display = many.plot("differences", metrics=metric)
        intervals, _, ends = drawn(display)
        cut = {frozenset((row.a, row.b)) for row in many.compare() if row.metric == metric and row.open_at_null}
        assert {frozenset((display.a[i], display.b[i])) for i in ends} == cut
        assert all(x == 0 and 0 in intervals[i] for i, x in ends.items())
        assert ("hollow end" in display.ax_.get_xlabel()) == bool(cut)


def test_holm_cuts_an_interval_and_the_picture_shows_it():
    """The second of two p-values, between 2.5% and 5%, is significant by the second step of Holm alone."""
    x = np.array([0.0, 0.01, -0.01, 0.02, -0.02, 0.015, -0.015, 0.005, -0.005, 0.0])
    p, step = 1.0, 0.0
    while not 0.03 < p < 0.045:
        step += 0.0002
        (row,) = from_frame(table({"a": 0.8 + step + x, "b": np.full(10, 0.8)})).compare()
        p = row.pvalue
    three = from_frame(table({"a": 0.8 + step + x, "b": np.full(10, 0.8), "c": 0.3 + x[::-1]}))
    display = three.plot("differences")
    assert drawn(display)[2] == {0: 0}
    assert (display.a[0], display.b[0], display.better[0], display.low[0]) == ("a", "b", "a", 0)


def test_rows_stand_by_metric_and_the_leader_first(many):
    frame = many.plot("differences").frame()
    answer = many.answer().metrics[0]
    assert list(dict.fromkeys(frame.metric)) == [label_of(metric) for metric in many.metrics]
    assert (frame.metric != frame.metric.shift()).sum() == len(many.metrics)
    for _, rows in frame.groupby("metric"):
        n = len(many.estimators) - 1
        leading = rows.a.iloc[0]
        assert answer.leader in (None, leading)
        assert rows.a.iloc[:n].tolist() == [leading] * n


def test_a_baseline_stays_the_second_model(many):
    baseline = many.estimators[-1]
    frame = many.plot("differences", baseline=baseline).frame()
    assert set(frame.b) == {baseline}
    assert len(frame) == (len(many.estimators) - 1) * len(many.metrics)


def test_the_intervals_say_for_how_many_they_hold_together():
    rng = np.random.default_rng(SEED)
    one = from_frame(table({name: rng.normal(0.8, 0.02, 10) for name in "abcd"}))
    assert "intervals, 95% for all 6 together" in " ".join(one.plot().ax_.get_xlabel().split())
    assert "adjusted over 6 comparisons" in told(one.plot())
    assert (
        "with 95% interval\n"
        in from_frame(table({name: one.score(name, "score") for name in "ab"})).plot().ax_.get_xlabel()
    )
    assert "each" not in one.plot("differences", correction="none").ax_.get_xlabel().split("←")[0]


def test_the_marker_points_to_the_better_model(many):
    for metric in many.metrics:
        display = many.plot("differences", metrics=metric)
        markers = {"a": ">", "b": "<", "": "o"}
        assert [point.get_marker() for point in drawn(display)[1]] == [markers[better] for better in display.better]


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


@pytest.mark.parametrize("n_datasets", [2, 3, 12])
def test_words_are_about_what_is_drawn(n_datasets):
    """Intervals and arrows are explained where there are any."""
    rng = np.random.default_rng(SEED)
    columns = {name: rng.normal(0.3 + 0.1 * i, 0.01, n_datasets) for i, name in enumerate("abc")}
    display = StudyResult.from_frame({"dataset": [f"d{i}" for i in range(n_datasets)], **columns}).plot("differences")
    drawn = bool(np.isfinite(display.low).any()), not {"a", "b"}.isdisjoint(display.better)
    assert drawn == (n_datasets == 12,) * 2
    assert ("interval" in display.ax_.get_xlabel(), "arrow" in display.ax_.get_xlabel()) == drawn


def test_rows_say_what_they_lack(make_result):
    study = StudyResult.from_frame({"dataset": ["only"], "a": [0.5], "b": [0.4]})
    assert [text.get_text() for text in study.plot("differences").ax_.texts] == ["no interval"]
    result = make_result(3)
    scores = result.scores.copy()
    scores[1] = np.nan
    lacking = [text.get_text() for text in replace(result, scores=scores).plot("differences").ax_.texts]
    assert lacking == ["no scores in common"] * 4


def test_the_region_of_practical_equivalence_is_shaded(result):
    display = result.plot("differences", margin=0.03)
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
    assert shown == [["accuracy", "roc_auc"], ["fit_time"], ["log loss"]]
    rows["log loss"] = rows["neg_log_loss"]
    for panel, metrics in zip(display.ax_.child_axes, shown, strict=True):
        ends = [tuple(line.get_xdata()) for line in panel.lines if len(line.get_xdata()) == 2][: len(metrics)]
        sign = 1 if display.a[0] == "a" else -1
        assert ends == [tuple(sorted((sign * rows[metric].low, sign * rows[metric].high))) for metric in metrics]
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
    for metric in study.metrics:
        one = study.plot("differences", metrics=metric)
        assert one.frame().equals(every[every.metric == metric].reset_index(drop=True))
        assert "adjusted over 10 comparisons" in told(one)


def test_of_very_many_rows_those_of_the_leader_are_drawn(make_table, assert_legible):
    result = make_table(30, 2)
    display = result.plot("differences")
    shown = display.frame().iloc[display._shown()]
    assert len(shown) == MAX_ROWS
    assert len(display.frame()) == 870
    leader = result.answer().metrics[0].leader or display.a[0]
    assert [*shown.metric] == ["roc_auc"] * 29 + ["accuracy"]
    assert {*shown.a} == {leader}
    assert "840 more in compare()" in display.ax_.get_xlabel()
    assert_legible(display)


def test_of_very_many_rows_of_the_leader_both_significant_and_open_ones_are_drawn(rng):
    near, far = rng.permutation(["", "a"]).tolist()
    n_near = int(rng.integers(16, 39))
    better = [near] * n_near + [far] * (39 - n_near)
    numbers = dict.fromkeys(("estimates", "low", "high", "pvalues", "ropes"), np.zeros(39))
    names = {"metrics": ["accuracy"] * 39, "a": ["m0"] * 39, "b": [f"m{i}" for i in range(1, 40)]}
    display = DifferencesDisplay(**names, **numbers, panels=[0] * 39, better=better, procedure="", decided_by="")
    shown = [better[i] for i in display._shown()]
    assert len(shown) == MAX_ROWS
    assert all(shown.count(one) >= min(better.count(one), MAX_ROWS // 2) for one in ("a", ""))
    assert shown == sorted(shown, key=better.index)  # in their order


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


def test_names_of_models_leave_readable_letters_on_a_page():
    names = [f"gradient boosting with a learning rate of 0.{i} and a depth of {i}" for i in range(1, 5)]
    rng = np.random.default_rng(SEED)
    display = DifferencesDisplay.from_result(from_frame(table({name: rng.normal(0.8, 0.02, 10) for name in names})))
    display.plot(display.narrow_axes())
    figure, names = display.figure_, display.ax_.get_yticklabels()
    figure.draw_without_rendering()
    assert min(name.get_fontsize() for name in names) >= 7.5
    assert display.ax_.get_window_extent().width >= 0.35 * figure.bbox.width


def test_numbers_of_differences_have_commas():
    rng = np.random.default_rng(SEED)
    scores = rng.normal(0.8, 0.02, (46, 10))
    title = DifferencesDisplay.from_result(
        from_frame(table(dict(zip(map("m{}".format, range(46)), scores, strict=True)))), metrics="score"
    )._title()
    assert " of 1,035 differences " in title
