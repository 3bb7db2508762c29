"""What holds for every Display: scikit-learn's habits, no global state, and a picture that can be read."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

from skcompare import EvaluationResult, LearningCurveResult, SearchReport, StudyResult, from_frame, plotting
from skcompare.plotting import Display
from skcompare.plotting._kinds import KINDS

pytestmark = pytest.mark.sampled

# What a kind cannot show, and the words that say so.
NEEDS_TWO_METRICS = {"quadrants", "pareto", "weights", "dominance"}
OF_RESULTS = [kind for kind, row in KINDS.items() if "result" in row.of]
OF_STUDIES = [kind for kind, row in KINDS.items() if "study" in row.of]
OF_SEARCHES = [kind for kind, row in KINDS.items() if "search" in row.of]
OF_EXPERIMENTS = [kind for kind, row in KINDS.items() if "experiment" in row.of]
CASES = [(2, 1), (2, 10), (5, 2), (30, 2)]


def draw(result, kind, **options):
    if kind in NEEDS_TWO_METRICS - {"dominance"}:
        options["metrics"] = result.metrics[:2]
    return result.plot(kind, **options)


def cases(kinds):
    """Every kind with every number of models and metrics that it can show."""
    return [(kind, *case) for kind in kinds for case in CASES if case[1] > 1 or kind not in NEEDS_TWO_METRICS]


@pytest.fixture
def make_for(make_result, make_study, make_search, make_curve, make_experiment):
    """What a kind can be drawn of: three models, twelve candidates of a search, or nine settings of two factors."""

    def make(kind, names="short"):
        if "search" in KINDS[kind].of:
            return make_search(12, 2, names)
        if "curve" in KINDS[kind].of:
            return make_curve(3, 2, names)
        if "experiment" in KINDS[kind].of:
            return make_experiment(names)
        return make_result(3, 2, names) if "result" in KINDS[kind].of else make_study(3, 2, names)

    return make


def test_the_page_of_pictures_has_every_kind():
    page = (Path(__file__).parents[2] / "docs" / "reports.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    assert {kind for row in rows for kind in re.findall(r"`(\w+)`", row.split("|")[1])} == set(KINDS)


@pytest.mark.parametrize("kind", sorted(NEEDS_TWO_METRICS))
def test_one_metric_is_no_plane(make_result, make_study, kind):
    for result in (make_result(2, 1), make_study(2, 1)):
        with pytest.raises(ValueError, match=r"metrics must name (exactly )?two"):
            result.plot(kind)


@pytest.mark.parametrize(("kind", "n_models", "n_metrics"), cases(OF_RESULTS))
def test_pictures_of_results_can_be_read(make_result, assert_legible, kind, n_models, n_metrics):
    assert_legible(draw(make_result(n_models, n_metrics), kind))


@pytest.mark.parametrize(("kind", "n_models", "n_metrics"), cases(OF_STUDIES))
def test_pictures_of_studies_can_be_read(make_study, assert_legible, kind, n_models, n_metrics):
    assert_legible(draw(make_study(n_models, n_metrics), kind))


@pytest.mark.sampled("pictures")
@pytest.mark.parametrize("kind", OF_SEARCHES)
@pytest.mark.parametrize("names", ["short", "long", "nasty"])
@pytest.mark.parametrize(("n_candidates", "n_metrics"), [(2, 1), (5, 10), (30, 1), (100, 1)])
def test_pictures_of_searches_can_be_read(make_search, assert_legible, kind, names, n_candidates, n_metrics):
    report = make_search(n_candidates, n_metrics, names)
    if kind == "heatmap" and len(report.settings()) < 2:
        with pytest.raises(ValueError, match="two parameters with 2 to 30 values; there are 1"):
            report.plot(kind)
    else:
        assert_legible(report.plot(kind))


@pytest.mark.sampled("pictures")
@pytest.mark.parametrize("names", ["short", "long", "nasty"])
@pytest.mark.parametrize("n_models", [2, 5, 30])
def test_pictures_of_learning_curves_can_be_read(make_curve, assert_legible, names, n_models):
    assert_legible(make_curve(n_models, 1, names).plot())


def test_the_only_size_of_a_learning_curve_is_named(make_curve):
    curve = LearningCurveResult(results={48: make_curve(2).results[48]})
    assert [text.get_text() for text in curve.plot().ax_.get_xticklabels()] == ["48"]


@pytest.mark.sampled("pictures")
@pytest.mark.parametrize("kind", OF_EXPERIMENTS)
@pytest.mark.parametrize("names", ["short", "long", "nasty"])
def test_pictures_of_experiments_can_be_read(make_experiment, assert_legible, kind, names):
    assert_legible(make_experiment(names).plot(kind))


@pytest.mark.sampled("pictures")
@pytest.mark.parametrize("kind", OF_RESULTS)
@pytest.mark.parametrize("names", ["long", "nasty"])
@pytest.mark.parametrize("n_models", [2, 5, 30])
def test_names_of_models_in_results_are_text(make_result, assert_legible, kind, names, n_models):
    assert_legible(draw(make_result(n_models, 2, names), kind))


@pytest.mark.parametrize("kind", OF_STUDIES)
@pytest.mark.parametrize("names", ["long", "nasty"])
@pytest.mark.parametrize("n_models", [2, 5, 30])
def test_names_of_models_in_studies_are_text(make_study, assert_legible, kind, names, n_models):
    assert_legible(draw(make_study(n_models, 2, names), kind))


@pytest.mark.parametrize("kind", OF_RESULTS)
def test_missing_folds_are_no_obstacle(make_result, assert_legible, kind):
    assert_legible(draw(make_result(5, 2, missing=True), kind))


@pytest.mark.parametrize("kind", KINDS)
class TestHabits:
    def display(self, make_for, kind):
        return draw(make_for(kind), kind)

    def test_plot_returns_the_display_with_its_axes_and_figure(self, make_for, kind):
        display = self.display(make_for, kind)
        assert isinstance(display, Display)
        assert display.plot() is display
        assert display.ax_.figure is display.figure_
        assert "\n" not in repr(display)
        assert display._repr_png_().startswith(b"\x89PNG")

    def test_the_notes_are_drawn(self, make_for, kind):
        display = self.display(make_for, kind)
        ax = [display.ax_, *display.ax_.child_axes][-1]
        drawn = [ax.get_xlabel(), display.ax_.get_xlabel(), *(text.get_text() for text in display.ax_.texts)]
        for note in display._notes():
            assert note in " ".join(" ".join(drawn).split())

    @pytest.mark.parametrize("width", [3, 4, 8, 16])
    def test_the_title_has_two_lines_without_names_of_functions(self, make_for, kind, width):
        figure = Figure(figsize=(width, 4), layout="constrained")
        title = self.display(make_for, kind).plot(ax=figure.add_subplot()).ax_._left_title
        assert title.get_text().count("\n") < 2
        assert title.get_fontsize() >= 6
        assert not re.search(r"_test|_posterior|_t_", title.get_text())

    @pytest.mark.parametrize("size", [(3, 2), (4, 3)])
    def test_the_words_of_small_axes_stay_apart(self, make_for, assert_legible, kind, size):
        ax = Figure(figsize=size, layout="constrained").add_subplot()
        assert_legible(self.display(make_for, kind).plot(ax=ax), own_figure=False)
        legend, words = ax.get_legend(), [text.get_window_extent() for text in ax.texts if text.get_text()]
        assert legend is None or kind != "simplex" or legend.get_window_extent().count_overlaps(words) == 0

    def test_the_axes_that_are_given_are_used_and_no_others(self, make_for, kind):
        figure = Figure(figsize=(16, 8))
        left, right = figure.subplots(1, 2)
        place = right.get_position().bounds
        display = self.display(make_for, kind)
        assert display.plot(ax=left).ax_ is left
        assert display.figure_ is figure
        assert figure.axes == [left, right]
        assert not [*right.lines, *right.patches, *right.collections, *right.texts]
        assert right.get_position().bounds == place

    def test_nothing_global_is_touched(self, make_for, kind):
        settings, state = dict(mpl.rcParams), np.random.get_state()  # noqa: NPY002
        self.display(make_for, kind)
        assert dict(mpl.rcParams) == settings
        np.testing.assert_equal(np.random.get_state(), state)  # noqa: NPY002

    def test_drawing_twice_draws_the_same(self, make_for, kind):
        display = self.display(make_for, kind)
        first = display._repr_png_()
        assert display.plot()._repr_png_() == first

    def test_the_frame_has_what_is_drawn_under_full_names(self, make_for, kind):
        result = make_for(kind, "long")
        frame = draw(result, kind).frame()
        assert len(frame)
        text = " ".join(map(str, [*frame.columns, *frame.to_numpy(dtype=object).ravel()]))
        if "experiment" in KINDS[kind].of:
            assert all(name in text for name in result.design.factors)
        elif "search" in KINDS[kind].of:
            assert all(name in text for name in (result.names if kind == "candidates" else result.settings()))
        else:
            assert result.estimators[0] in text or kind == "size"

    def test_a_display_keeps_no_result_and_can_be_pickled(self, make_for, kind):
        display = self.display(make_for, kind)
        fresh = {k: v for k, v in vars(display).items() if not k.endswith("_")}
        assert not any(isinstance(value, (EvaluationResult, StudyResult, SearchReport)) for value in fresh.values())
        pickle.loads(pickle.dumps(fresh))

    def test_an_unknown_option_is_named_with_those_there_are(self, make_for, kind):
        result = make_for(kind)
        with pytest.raises(ValueError, match=rf"colour is no option of the plot '{kind}', which takes"):
            result.plot(kind, colour="red")


NEED_PREDICTIONS = {"roc", "precision_recall", "confusion", "reliability", "cost", "size"}


@pytest.mark.sampled
@pytest.mark.parametrize("size", [1e-9, 0.02, 1.0, 1e6])
@pytest.mark.parametrize("of", ["fold", "dataset"])
def test_scores_of_any_size_can_be_read(assert_legible, global_random_seed, of, size):
    """Ticks and rows stay apart, and no word says in powers of ten what a table writes out."""
    rng = np.random.default_rng(global_random_seed)
    table = {
        "model": np.repeat([f"model {i}" for i in range(5)], 20),
        "metric": np.tile(np.repeat(["money", "energy"], 10), 5),
        of: [f"data {i % 10}" if of == "dataset" else i % 10 for i in range(100)],
        "score": size * (rng.normal(0.7, 0.03, 100) + np.repeat(np.linspace(0, 0.1, 5), 20)),
    }
    result = StudyResult.from_frame(table) if of == "dataset" else from_frame(table)
    for kind in set(OF_STUDIES if of == "dataset" else OF_RESULTS) - NEED_PREDICTIONS:
        display = draw(result, kind)
        assert_legible(display)
        written = " ".join(text.get_text() for text in display.figure_.findobj(Text))
        assert size < 1 or not re.search(r"\de[+-]?\d", written)
        for inches in [(4, 3), *([(3, 2)] if kind == "differences" else [])]:
            axes = Figure(figsize=inches, layout="constrained").add_subplot()
            assert_legible(display.plot(ax=axes), own_figure=False)


LOSSES = {"neg_log_loss": "log loss", "neg_root_mean_squared_error": "RMSE"}


@pytest.mark.parametrize("kind", ["ranks", "scores", "differences", "pvalues", "dominance", "simplex", "pareto"])
@pytest.mark.parametrize("dpi", [50, 72, 300])
def test_titles_are_whole_at_any_resolution(make_result, kind, dpi):
    display = draw(make_result(3, 2, "long"), kind)
    display.figure_.set_dpi(dpi)
    display.figure_.draw_without_rendering()
    assert 0 <= display.ax_._left_title.get_window_extent().x0 <= 0.1 * dpi


def test_the_title_above_long_names_ends_within_a_narrow_figure():
    grid = {"max_depth": [1, 2, 3, 5, None], "min_samples_leaf": [1, 5, 20, 50]}
    search = GridSearchCV(DecisionTreeClassifier(random_state=0), grid, cv=3).fit(*load_iris(return_X_y=True))
    figure = Figure(figsize=(4.6, 7), layout="constrained")
    display = SearchReport.from_search(search).plot("candidates", ax=figure.add_subplot())
    figure.draw_without_rendering()
    assert "with the same scores" in display._title()
    assert display.ax_._left_title.get_window_extent().x1 <= figure.bbox.width


@pytest.fixture(scope="module")
def made_of_losses():
    """An evaluation, a study and a curve on two losses of scikit-learn's, and a search on one."""
    result = from_frame(loss_table("fold"))
    grid = {"max_depth": [1, 2, 3], "min_samples_leaf": [1, 5]}
    search = GridSearchCV(DecisionTreeClassifier(random_state=0), grid, scoring="neg_log_loss", cv=5)
    return {
        "result": result,
        "study": StudyResult.from_frame(loss_table("dataset")),
        "curve": LearningCurveResult(results={n: replace(result, scores=result.scores - 1 / n) for n in (12, 48)}),
        "search": SearchReport.from_search(search.fit(*load_iris(return_X_y=True))),
    }


def loss_table(case):
    """Ten cases of three models on two losses, as scikit-learn's scorers give them."""
    rng, n = np.random.default_rng(3), 60
    return {
        "model": np.repeat(["a", "b", "c"], 20),
        "metric": np.tile(np.repeat(list(LOSSES), 10), 3),
        case: [f"{case} {i % 10}" if case == "dataset" else i % 10 for i in range(n)],
        "score": -np.abs(rng.normal(0.5, 0.02, n)) - np.repeat([0.0, 0.1, 0.2], 20),
    }


@pytest.mark.parametrize(
    ("of", "kind"),
    [(of, kind) for of in ("result", "study", "curve", "search") for kind, row in KINDS.items() if of in row.of],
)
def test_losses_are_shown_positive_by_their_own_names(made_of_losses, of, kind):
    try:
        display = draw(made_of_losses[of], kind)
    except ValueError as error:
        assert re.search("predictions|simulated|measured", str(error))  # noqa: PT017
        return
    words = " ".join(text.get_text() for text in display.figure_.findobj(Text))
    assert "neg_" not in words + display._title() + " ".join(map(str, display.frame().columns))
    assert any(name in words for name in LOSSES.values())
    for field in ("scores", "means", "a_scores", "b_scores"):
        shown = getattr(display, field, 1.0)
        assert min(np.nanmin(part) for part in (shown if isinstance(shown, list) else [shown])) > 0
    assert not np.any(getattr(display, "greater_is_better", False))


def test_the_means_that_are_shown_are_those_of_the_result(made_of_losses):
    result = made_of_losses["result"]
    display = result.plot("scores")
    np.testing.assert_array_equal(display.scores, -result.scores[:, :, 0])
    np.testing.assert_allclose(display.means, -result.scores[:, :, 0].mean(axis=1))
    ends = [(-row.high, -row.low) for row in result.intervals("neg_log_loss")]
    np.testing.assert_allclose(display.limits, ends)
    front = result.plot("pareto")
    np.testing.assert_allclose(front.means, -result.scores.mean(axis=1))
    assert (front.low < front.means).all()
    assert (front.means < front.high).all()
    assert front.on_front.tolist() == [True, False, False]


@pytest.mark.parametrize("kind", KINDS)
def test_polar_axes_are_refused(make_for, kind):
    with pytest.raises(TypeError, match="two straight axes"):
        draw(make_for(kind), kind).plot(ax=Figure().add_subplot(projection="polar"))


def test_pyplot_is_not_even_imported():
    code = (
        "import sys, skcompare; from skcompare.plotting._kinds import KINDS;"
        "assert 'matplotlib' not in sys.modules;"
        "r = skcompare.from_frame({'model': list('aabb'), 'fold': [0, 1, 0, 1], 'score': [.1, .3, .2, .5]});"
        "r.plot(); assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_without_matplotlib_the_extra_is_named(make_table, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ImportError, match=r"pip install 'skcompare\[plot\]'"):
        make_table(2).plot()


def test_an_unknown_kind_is_refused_with_the_known_ones(make_table, make_study):
    with pytest.raises(ValueError, match=r"kind must be one of .*'differences'.*; got 'nonsense'"):
        make_table(2).plot("nonsense")
    with pytest.raises(ValueError, match="kind must be one of"):
        make_table(2).plot("critical_difference")
    with pytest.raises(ValueError, match="kind must be one of"):
        make_study(2).plot("roc")


def test_every_display_is_public_and_has_a_kind():
    classes = {name for name in plotting.__all__ if name.endswith("Display") and name != "Display"}
    assert {row.make.__self__.__name__ for row in KINDS.values()} == classes


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_result_of_another_kind_is_refused_by_name(kind, make_result, make_search):
    """A Display says what it cannot show, in place of what a private class lacks."""
    row = KINDS[kind]
    other = make_search(6, 2) if row.of & {"result", "study"} else make_result(3, 2)
    with pytest.raises(ValueError, match=rf"^result must be one that {row.display} can show; got \w+$"):
        row.make(other)
