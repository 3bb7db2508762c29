"""The pictures of a search show its ranking, its effects, and the candidates they say they show."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.colors import same_color
from matplotlib.figure import Figure
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

from skcompare import SearchReport, read
from skcompare.plotting import CandidatesDisplay, ParameterEffectsDisplay
from tests.drawn_words import told

pytestmark = pytest.mark.sampled


@pytest.fixture(scope="module")
def report(make_search):
    return make_search(36, 2, failed=(3, 7))


def found(display, start):
    """Artists of a drawn display by the rest of their gid."""
    return {
        str(artist.get_gid())[len(start) :].strip(): artist
        for artist in display.ax_.lines
        if str(artist.get_gid()).startswith(start)
    }


def is_filled(artist):
    return same_color(artist.get_markerfacecolor(), artist.get_markeredgecolor())


# ---- candidates ---------------------------------------------------------------------------------------------------


def test_dots_and_bars_are_those_of_the_ranking(report):
    display = report.plot()
    assert isinstance(display, CandidatesDisplay)
    dots, bars = found(display, "candidate"), found(display, "interval")
    first = report.ranking[:30]
    assert [dot.get_xdata()[0] for dot in dots.values()] == [row.mean for row in first]
    ends = [(report.best.mean + row.low, report.best.mean + row.high) for row in first[1:]]
    np.testing.assert_allclose([bar.get_xdata() for bar in bars.values()], ends)
    for row, bar in zip(first[1:], bars.values(), strict=True):  # it leaves out the line of the best where it is hollow
        low, high = bar.get_xdata()
        assert low <= row.mean <= high
        assert row.significantly_different == (high < report.best.mean or row.open_at_null)
    lines = {line.get_gid(): line.get_xdata()[0] for line in display.ax_.lines}
    assert (lines["best"], lines["corrected"]) == (report.best.mean, report.selection_bias.corrected)


def test_what_is_not_significantly_different_is_filled_and_bold(report):
    display = report.plot()
    dots = found(display, "candidate").values()
    alike = [not row.significantly_different for row in report.ranking[:30]]
    assert [is_filled(dot) for dot in dots] == alike
    assert set(alike) == {True, False}
    rows = display.ax_.get_yticklabels()[1:]
    assert [label.get_fontweight() == "bold" for label in rows] == alike


def test_the_frame_has_all_candidates_and_the_picture_says_which_it_leaves_out(report):
    display = report.plot()
    n = len(report.not_significantly_different()) - 1
    said = f"{n} of 35 other candidates are not significantly different from the best the first 30 shown, 2 failed"
    assert told(display) == said
    assert display.frame()["candidate"].tolist() == [row.name for row in report.ranking]
    assert np.isnan(display.frame()["mean"]).sum() == 2


def test_rows_are_named_by_rank_and_values_in_the_order_of_the_effects(make_search):
    report = make_search(12)
    order = [effect.parameter for effect in report.effects]
    head, *rows = [label.get_text() for label in report.plot().ax_.get_yticklabels()]
    assert head.replace("\n", " ").split(" · ") == order
    assert rows == [f"{row.rank}: {' · '.join(str(row.params[name]) for name in order)}" for row in report.ranking]


@pytest.mark.parametrize(
    ("scores", "said"), [((0.9, 0.5), "all others"), ((0.9, 0.5, 0.4, np.nan), "all others with scores")]
)
def test_a_search_that_is_settled_says_so(made_search, scores, said):
    """A candidate that failed is not tested, and so not called worse."""
    search = made_search(len(scores), seed=0)
    for i in range(10):
        search.cv_results_[f"split{i}_test_score"] = np.array(scores) + 0.001 * i
    search.cv_results_["split0_test_score"][0] -= 0.001
    report = SearchReport.from_search(search)
    assert f"{len(scores)} candidates; {said} are significantly worse" in repr(report.plot())
    assert len(scores) == 2 or f"; {said} are significantly worse." in " ".join(str(report).split())


@pytest.mark.parametrize("n", [2, 14, 60])
def test_narrow_pictures_explain_all_that_they_draw(made_search, assert_legible, n):
    display = SearchReport.from_search(made_search(n, 2, seed=0)).plot()
    wide = display.ax_.get_xlabel().split()
    assert_legible(display.plot(ax=display.narrow_axes()), own_figure=False)
    assert display.ax_.get_xlabel().split() == wide


def test_the_only_other_candidate_is_not_counted(made_search):
    report = SearchReport.from_search(made_search(2, seed=0))
    assert report.plot()._title() == "the other candidate is not significantly different from the best"


# ---- parameters ---------------------------------------------------------------------------------------------------


def test_means_by_value_are_those_of_the_effects(report):
    display = report.plot("parameters")
    scored = [row for row in report.ranking if np.isfinite(row.mean)]
    effects = {effect.parameter: dict(zip(effect.values, effect.means, strict=True)) for effect in report.effects}
    for p, (name, values, means) in enumerate(zip(display.parameters, display.values, display.means, strict=True)):
        wanted = [effects[name][value] for value in values]
        np.testing.assert_allclose(means, wanted)
        dots = found(display, f"value {p} ")
        np.testing.assert_allclose([dot.get_xdata()[0] for dot in dots.values()], wanted)
        assert [is_filled(dot) for dot in dots.values()] == [mean == max(means) for mean in means]
    (overall,) = found(display, "overall").values()
    assert overall.get_xdata()[0] == pytest.approx(np.mean([row.mean for row in scored]))


def test_share_and_p_stand_in_words(report):
    heads = [text.get_text() for text in report.plot("parameters").ax_.texts]
    first = report.effects[0]
    assert first.parameter == "max_depth"
    p = "< 0.001" if first.pvalue_adjusted < 0.001 else f"= {first.pvalue_adjusted:.3f}"
    assert heads[0] == f"max_depth: {100 * first.share:.0f}% of the variance, adjusted p {p}"


def test_of_many_parameters_and_values_the_first_and_the_best_are_drawn(rng, assert_legible):
    means = [rng.uniform(size=16) for _ in range(11)]
    display = ParameterEffectsDisplay(
        parameters=[f"parameter_{p}" for p in range(11)],
        values=[[f"value {i}" for i in range(16)]] * 11,
        n_candidates=[np.arange(1, 17)] * 11,
        means=means,
        shares=np.linspace(0.5, 0.0, 11),
        pvalues=np.full(11, 0.02),
        overall=0.5,
        metric="accuracy",
    ).plot()
    assert_legible(display)
    assert "the first 8 of 11 parameters" in repr(display)
    drawn = {int(gid) for gid in found(display, "value 0 ")}
    assert drawn == set(np.argsort(-means[0])[:10].tolist())
    assert "the 10 best of 16 values" in display.ax_.texts[0].get_text()
    assert len(display.frame()) == 11 * 16


# ---- heatmap ------------------------------------------------------------------------------------------------------


def test_cells_are_means_of_their_candidates(report):
    display = report.plot("heatmap", x="max_depth", y="criterion")
    for i, criterion in enumerate(display.y_values):
        for j, depth in enumerate(display.x_values):
            there = [
                row
                for row in report.ranking
                if (row.params["criterion"], str(row.params["max_depth"])) == (criterion, depth)
                and row.mean == row.mean
            ]
            assert display.means[i, j] == pytest.approx(np.mean([row.mean for row in there]))
            assert display.n_candidates[i, j] == len(there)
            assert display.not_different[i, j] == any(not row.significantly_different for row in there)
    i, j = display.best
    assert (display.y_values[i], display.x_values[j]) == (
        report.best.params["criterion"],
        str(report.best.params["max_depth"]),
    )
    lines = [line for line in display.ax_.lines if line.get_gid() == "marks"]
    marks = {(round(y), round(x)): line.get_marker() for line in lines for x, y in line.get_xydata()}
    assert marks == {
        cell: "*" if cell == display.best else "o" for cell in map(tuple, np.argwhere(display.not_different).tolist())
    }


def test_the_two_largest_effects_are_the_default(report):
    display = report.plot("heatmap")
    assert {display.x, display.y} == {effect.parameter for effect in report.effects[:2]}
    assert report.plot("heatmap", y="criterion").x == "max_depth"


def test_numbers_lie_in_order_and_empty_cells_are_said_to_be_empty(made_search):
    search = made_search(12, seed=0)
    depths = [10, 2, None, 1]
    for i, params in enumerate(search.cv_results_["params"]):
        params.clear()
        params.update({"min_samples_leaf": depths[i % 2] or 5, "max_depth": depths[i // 3]} | ({"a": i} if i else {}))
    report = SearchReport.from_search(search)
    display = report.plot("heatmap", x="a", y="min_samples_leaf")
    assert list(display.y_values) == ["2", "10"]
    assert list(display.x_values) == [str(i) for i in range(1, 12)]
    assert "grey: no candidate" in told(display)
    assert (display.n_candidates.sum(), display.n_candidates.max()) == (11, 1)
    assert (display.best is None) == ("a" not in report.best.params)


def test_parameters_that_cannot_be_shown_are_refused(report):
    with pytest.raises(ValueError, match=r"x must be one of .*'max_depth'.*; got 'depth'"):
        report.plot("heatmap", x="depth")
    with pytest.raises(ValueError, match="x and y must be two parameters; got 'max_depth' twice"):
        report.plot("heatmap", x="max_depth", y="max_depth")


# ---- pictures of the leading candidates ---------------------------------------------------------------------------


def test_kinds_of_results_show_the_leading_candidates_by_the_deciding_metric(report):
    by_accuracy = report.by_metric("accuracy")
    scores = by_accuracy.plot("scores")
    assert scores.metric == "accuracy"
    assert list(scores.estimators) == [row.name for row in by_accuracy.ranking[:10]]
    assert by_accuracy.plot("scores", metric="roc_auc", candidates=3).metric == "roc_auc"
    two = [report.names[0], report.names[5]]
    assert report.plot("posterior", candidates=two).frame() is not None
    assert list(report.plot("scores", candidates=two).estimators) == two


def test_options_of_other_kinds_are_refused(report):
    with pytest.raises(ValueError, match=r"candidates is no option of .*'heatmap', which takes x, y"):
        report.plot("heatmap", candidates=3)
    with pytest.raises(ValueError, match=r"colour is no option .*'scores', .*metric, .*candidates"):
        report.plot("scores", colour="red")
    with pytest.raises(ValueError, match=r"kind must be one of .*'candidates'.*; got 'datasets'"):
        report.plot("datasets")
    with pytest.raises(ValueError, match="kind must be one of"):
        report.result(2).plot("candidates")


def test_a_fitted_search_has_all_three():
    X = np.random.default_rng(0).normal(size=(60, 3))
    grid = {"max_depth": [1, 2], "min_samples_leaf": [1, 5]}
    search = GridSearchCV(DecisionTreeClassifier(random_state=0), grid, cv=4).fit(X, X[:, 0] > 0)
    report = SearchReport.from_search(search)
    for kind in ("candidates", "parameters", "heatmap"):
        assert report.plot(kind)._repr_png_().startswith(b"\x89PNG")


def test_the_differences_of_candidates_say_the_level_of_the_search(made_search):
    report = SearchReport.from_search(made_search(6), alpha=0.2)
    assert "p < 0.2" in report.plot("differences").ax_.get_xlabel()


def test_small_axes_show_as_many_rows_as_can_be_read(report):
    figure = Figure(figsize=(4, 3), layout="constrained")
    display = report.plot("differences", candidates=10, ax=figure.add_subplot())
    figure.canvas.draw()
    names = display.ax_.get_yticklabels()
    assert f"{90 - len(names)} more in compare()" in display.ax_.get_xlabel().split("\n")
    boxes = sorted(name.get_window_extent().y0 for name in names)
    assert len(names) < 45
    assert min(np.diff(boxes)) >= 6


@pytest.mark.parametrize("still", [True, False])
def test_a_parameter_without_a_test_is_not_tested_in_the_picture_as_in_the_report(rng, still):
    """The picture said "adjusted p is not known" where values differ by the same on all splits."""
    params = [{"a": a, "b": b} for a in (1, 2) for b in "xyz"]
    noise = rng.normal(0, 0.02, (3, 10))
    scores = [
        0.05 * one["a"] + noise["xyz".index(one["b"])] + rng.normal(0, 0 if still else 0.01, 10) for one in params
    ]
    table = {"params": params} | {f"split{i}_test_score": column for i, column in enumerate(np.transpose(scores))}
    table |= {f"mean_{part}_time": np.ones(6) for part in ("fit", "score")}
    report = read({**table, "mean_test_score": np.mean(scores, axis=1), "rank_test_score": np.arange(1, 7)})
    heads = [text.get_text() for text in report.plot("parameters").ax_.texts]
    (head,) = [head for head in heads if head.startswith("a:")]
    assert (
        head.endswith("not tested")
        == still
        == ("Values of a differ by the same on all" in " ".join(report.summary().split()))
    )
    assert not [head for head in heads if "not known" in head]


@pytest.mark.parametrize("n_values", [2, 3, 5, 8])
def test_the_only_parameter_has_all_of_the_variance(rng, n_values):
    """It had ">99%" where sums were rounded."""
    for _ in range(10):
        scores = rng.normal(0.7, 0.05, (n_values, 10))
        table = {"params": [{"a": i} for i in range(n_values)]}
        table |= {f"split{i}_test_score": column for i, column in enumerate(scores.T)}
        report = read({**table, "mean_test_score": scores.mean(axis=1), "rank_test_score": np.arange(n_values) + 1})
        assert report.effects[0].share == 1
