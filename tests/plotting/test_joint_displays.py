"""Dominance, quadrants and Pareto front show what the result says of several metrics at once."""

from __future__ import annotations

import os
from dataclasses import replace
from itertools import permutations, product

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from scipy import stats
from sklearn.datasets import make_classification
from sklearn.linear_model import Perceptron
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcompare import PairedEvaluator, StudyResult, from_frame
from skcompare._core.numbers import percent, uncertain
from skcompare.inference import format_statement
from skcompare.plotting import DominanceDisplay, ParetoDisplay, QuadrantsDisplay
from skcompare.plotting._dominance import short_statement
from skcompare.plotting._style import paper
from tests.drawn_words import told

pytestmark = pytest.mark.sampled

STATEMENTS = np.indices((2, 2)).reshape(2, -1).T.astype(bool)  # which of two metrics are better, a row each
SEED = int(os.environ["SKCOMPARE_SEED"])


@pytest.fixture
def rng():
    return np.random.default_rng(SEED)


def table(scores, n_folds=None, **options):
    """A result from scores by model and metric: ``{model: {metric: [score of each split]}}``."""
    rows = [
        (model, metric, i // (n_folds or len(values)), i % (n_folds or len(values)), value)
        for model, by_metric in scores.items()
        for metric, values in by_metric.items()
        for i, value in enumerate(values)
    ]
    columns = zip(*rows, strict=True)
    frame = dict(zip(("model", "metric", "repeat", "fold", "score"), columns, strict=True))
    return from_frame(frame, **options)


def study(scores, **options):
    """A study with one score per data set: ``{model: {metric: [score on each data set]}}``."""
    rows = [
        (model, metric, f"data {i}", value)
        for model, by_metric in scores.items()
        for metric, values in by_metric.items()
        for i, value in enumerate(values)
    ]
    columns = zip(*rows, strict=True)
    frame = dict(zip(("model", "metric", "dataset", "score"), columns, strict=True))
    return StudyResult.from_frame(frame, **options)


@pytest.fixture(scope="module")
def timed():
    """A result on 3 x 4 folds with times, whose repeats share their medians."""
    X, y = make_classification(80, random_state=1)
    models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2), "deep": DecisionTreeClassifier()}
    scoring = ["accuracy", "fit_time", "f1", "model_size"]
    return PairedEvaluator(cv="3x4", scoring=scoring, random_state=0).evaluate(models, X, y)


def random_result(rng, n_metrics, n_models=2, n=20):
    names = [f"metric {j}" for j in range(n_metrics)]
    return table({f"model {i}": {name: rng.normal(0.8, 0.05, n) for name in names} for i in range(n_models)})


# ---- dominance -------------------------------------------------------------------------------------------------


def bars(display):
    """Widths of the bars by label, of the metrics and of the statements."""
    names = [label.get_text() for label in display.ax_.get_yticklabels()]
    widths = dict(zip(names, (bar.get_width() for bar in display.ax_.patches), strict=True))
    m = len(display.metrics)
    return dict(list(widths.items())[:m]), dict(list(widths.items())[m:])


def test_the_bars_are_the_posterior_of_two_metrics(rng):
    result = random_result(rng, 2)
    posterior = result.dominance("dirichlet")
    marginals, statements = bars(result.plot("dominance"))
    np.testing.assert_allclose(list(marginals.values()), posterior.marginals)
    assert list(marginals) == list(result.metrics)
    said = [short_statement(bits, result.metrics, *result.estimators) for bits in STATEMENTS.tolist()]
    assert statements == pytest.approx(dict(zip(said, posterior.probabilities, strict=True)))
    assert list(statements.values()) == sorted(statements.values(), reverse=True)


@pytest.mark.parametrize("n_metrics", [2, 3, 4, 10, 12])
def test_the_statements_that_are_shown_and_the_others_add_up(rng, n_metrics, assert_legible):
    display = random_result(rng, n_metrics).plot("dominance")
    _, statements = bars(display)
    assert sum(statements.values()) == pytest.approx(1)
    others = [name for name in statements if name.startswith("the other ")]
    shown = len(statements) - len(others)
    assert shown <= 12
    assert others == [f"the other {2**n_metrics - shown} patterns"] * (shown < 2**n_metrics)
    shown_probabilities = list(statements.values())[:shown]
    assert shown_probabilities == sorted(display.probabilities, reverse=True)[:shown]
    assert len(display.frame()) == n_metrics + 2**n_metrics
    assert_legible(display)


def test_every_bar_has_its_value(rng):
    display = random_result(rng, 3).plot("dominance")
    written = {round(text.xy[1], 3): text for text in display.ax_.texts}
    for bar in display.ax_.patches:
        text = written[round(bar.get_y() + bar.get_height() / 2, 3)]
        assert text.get_text() == percent(bar.get_width())
        assert text.xy[0] == pytest.approx(bar.get_width())
        assert 0 < text.get_position()[0] < 6  # points to the right of its end


def test_the_title_is_the_most_probable_pattern_of_wins():
    better, worse = np.linspace(0.8, 0.9, 100), np.linspace(0.75, 0.7, 100)
    metrics = {"accuracy": better, "recall": worse}
    result = table({"a": metrics, "b": {"accuracy": worse, "recall": better}}, n_folds=10)
    test = result.dominance()
    said = told(result.plot("dominance"))
    assert test.pvalue < 0.05
    share = percent(result.dominance("dirichlet").probabilities.max())
    tested = "significantly the most frequent pattern: dominance test p "
    assert said.startswith(f"most probable: a better on accuracy only ({share}) {tested}")
    assert "from 13.7 effective cases" in result.plot("dominance").ax_.get_xlabel().replace("\n", " ")
    few = study({"a": {"x": [1, 2, 3], "y": [1, 2, 3]}, "b": {"x": [0, 0, 0], "y": [0, 0, 0]}}).plot("dominance")
    found = f"({percent(few.probabilities.max())}) too few cases for a significant dominance test"
    assert told(few) == f"most probable: a better on both {found}"
    assert not any(word in told(few) for word in ("established", "likelihood", "_"))


@pytest.mark.parametrize("kind", ["dominance", "quadrants"])
def test_a_p_adjusted_over_pairs_says_so_beside_a_probability_that_is_not(rng, kind):
    """A posterior of 96% stood above "p = 1.000" without a reason."""
    n = int(rng.integers(2, 7))
    means = np.linspace(0.75, 0.85, n)
    scores = {f"m{i}": {x: rng.normal(mean, 0.01, 100) for x in "xy"} for i, mean in enumerate(means)}
    display = table(scores, n_folds=10).plot(kind, a="m0", b=f"m{n - 1}")
    n_pairs = n * (n - 1) // 2
    assert display.n_pairs == n_pairs
    assert ("adjusted p" in told(display)) == (n > 2)


def test_better_is_less_of_a_cost():
    scores = {
        "slow": {"f1": [0.8, 0.9, 0.7], "fit_time": [5, 6, 7]},
        "fast": {"f1": [0.7, 0.8, 0.6], "fit_time": [1] * 3},
    }
    display = table(scores).plot("dominance")
    assert display.statement == (True, False)
    assert display.marginals[0] > 0.5 > display.marginals[1]
    assert [label.get_text() for label in display.ax_.get_yticklabels()][2] == "slow better on f1 only"


def test_the_pair_and_the_metrics_can_be_chosen(rng):
    result = random_result(rng, 3, n_models=3)
    asked = {"metrics": ["metric 2", "metric 0"], "a": "model 2", "b": "model 1", "margin": 0.02}
    display = result.plot("dominance", **asked)
    posterior = result.dominance("dirichlet", **asked)
    np.testing.assert_array_equal(display.probabilities, posterior.probabilities)
    test = result.dominance("glrt", **asked)
    table = result.dominance("table", metrics=asked["metrics"], margin=asked["margin"])
    (among,) = [row for row in table if {row.a, row.b} == {"model 1", "model 2"}]
    assert display.pvalue == among.pvalue_adjusted >= test.pvalue
    assert (display.statement, display.n_cases) == (test.statement, test.n_effective)
    frame = display.frame()
    assert frame["a"].unique().tolist() == ["model 2"]
    by_name = dict(zip(frame["name"], frame["probability"], strict=True))
    for bits, p in zip(STATEMENTS, posterior.probabilities, strict=True):
        assert by_name[format_statement(bits, asked["metrics"], a="model 2", b="model 1")] == p


def test_statements_on_many_metrics_name_the_exceptions():
    metrics = ["accuracy", "recall", "f1", "fit_time", "roc_auc"]
    assert short_statement([True, False], metrics[:2], "nb", "tree") == "nb better on accuracy only"
    assert short_statement([False, True], metrics[:2], "nb", "tree") == "nb better on recall only"
    assert short_statement([False, False], metrics[:2], "nb", "tree") == "tree better on both"
    assert short_statement([True] * 5, metrics, "nb", "tree") == "nb better on all 5"
    assert short_statement([False] * 5, metrics, "nb", "tree") == "tree better on all 5"
    assert short_statement([True, False, True, True, True], metrics, "nb", "tree") == "nb better on all but recall"
    assert (
        short_statement([False, False, True, False, True], metrics, "nb", "tree")
        == "tree better on all but f1, roc_auc"
    )
    long = [f"{name}_weighted_by_support" for name in metrics]
    assert short_statement([False, False, True, False, True], long, "nb", "tree") == "tree better on all but nos. 3, 5"
    assert short_statement([True, False] * 2, metrics[:4], "nb", "tree") == "nb better on all but recall, fit_time"


def test_a_title_without_a_pattern_says_so():
    known = {"a": "a", "b": "b", "metrics": ["x", "y"], "probabilities": np.full(4, 0.25), "pvalue": np.nan}
    display = DominanceDisplay(**known, statement=None, marginals=np.full(2, 0.5), n_cases=5.0, cases="splits")
    assert display._title() == "a and b: no pattern of wins stands out"


def test_probabilities_claim_no_certainty():
    assert [percent(p) for p in (1.0, 0.996, 0.994, 0.5, 0.006, 0.004, 0.0, np.nan)] == [
        *("100%", ">99%", "99%", "50%", "1%", "<1%", "0%", "n/a")
    ]


# ---- quadrants -------------------------------------------------------------------------------------------------


def counts_of(outcomes):
    """Cases per quadrant, ties split equally: by hand from the outcomes of single cases."""
    counts = np.zeros(4)
    for first, second in outcomes:
        for x, y in product((0, 1), repeat=2):
            share = (first == 0 or x == (first > 0)) * (second == 0 or y == (second > 0))
            counts[2 * x + y] += share * (0.5 if first == 0 else 1) * (0.5 if second == 0 else 1)
    return counts


def points(display):
    """Places of the markers with the number of cases of each, filled and hollow."""
    found = []
    areas = np.concatenate([c.get_sizes() for c in display.ax_.collections])
    for collection in display.ax_.collections:
        for place, area in zip(collection.get_offsets(), collection.get_sizes(), strict=True):
            found += [tuple(place)] * round(area / areas.min())
    return found


def test_points_are_the_differences_in_favour_of_a():
    scores = {
        "a": {"accuracy": [0.9, 0.8, 0.7, 0.7], "error": [0.1, 0.3, 0.2, 0.2]},
        "b": {"accuracy": [0.8, 0.9, 0.7, 0.6], "error": [0.2, 0.1, 0.3, 0.2]},
    }
    display = table(scores, greater_is_better={"error": False}).plot("quadrants")
    np.testing.assert_allclose(display.differences, [(0.1, 0.1), (-0.1, -0.2), (0, 0.1), (0.1, 0)], atol=1e-15)
    assert display.outcomes.tolist() == [[1, 1], [-1, -1], [0, 1], [1, 0]]
    np.testing.assert_allclose(sorted(points(display)), sorted(map(tuple, display.differences)))
    hollow = [c for c in display.ax_.collections if not len(c.get_facecolor())]
    assert [len(c.get_offsets()) for c in hollow] == [2]
    np.testing.assert_allclose(display.counts, counts_of(display.outcomes) * display.counts.sum() / 4)


@pytest.mark.parametrize("metrics", [["accuracy", "f1"], ["accuracy", "fit_time"], ["fit_time", "model_size"]])
@pytest.mark.parametrize("rope", [None, 0.05, {"fit_time": 1e-5}])
def test_points_and_counts_tell_the_same_of_folds(timed, metrics, rope):
    if isinstance(rope, dict) and "fit_time" not in metrics:
        rope = {"accuracy": 0.1}
    display = QuadrantsDisplay.from_result(timed, metrics=metrics, margin=rope)
    posterior = timed.dominance("dirichlet", metrics=metrics, margin=rope)
    np.testing.assert_array_equal(display.counts, posterior.counts)
    np.testing.assert_array_equal(display.probabilities, posterior.probabilities)
    assert len(display.cases) == len(display.differences) == 12
    np.testing.assert_allclose(counts_of(display.outcomes) / 12, display.counts / display.counts.sum())


def test_times_of_folds_are_medians_over_the_repeats(timed):
    display = QuadrantsDisplay.from_result(timed, metrics=["accuracy", "fit_time"])
    medians = [np.median(timed.score(name, "fit_time").reshape(3, 4), axis=0) for name in ("nb", "tree")]
    np.testing.assert_allclose(display.differences[:, 1], np.tile(medians[1] - medians[0], 3))
    assert display.ropes.tolist() == [0, pytest.approx(0.1 * max(map(np.median, medians)))]


def test_points_and_counts_tell_the_same_of_data_sets(rng):
    scores = {name: {m: rng.normal(0.8, 0.02, 9).round(2) for m in ("x", "fit_time")} for name in "ab"}
    display = study(scores).plot("quadrants", margin=0.01)
    assert display.ropes.tolist() == [0.01, 0.01]
    np.testing.assert_allclose(counts_of(display.outcomes), display.counts)
    assert display.cases == [f"data {i}" for i in range(9)]
    assert "of 9 data sets" in display.ax_.texts[0].get_text()


def test_quadrants_are_labelled_with_their_statement_count_and_probability(rng):
    display = random_result(rng, 2).plot("quadrants")
    labels = {(x > 0.5, y > 0.5): text.get_text() for text in display.ax_.texts for x, y in [text.get_position()]}
    total = display.counts.sum()
    for k, (first, second) in enumerate(STATEMENTS):
        lines = labels[first, second].split("\n")
        winner = "model 0" if first or second else "model 1"
        where = "both" if first == second else f"metric {0 if first else 1} only"
        assert lines[:2] == [f"{winner} better", f"on {where}"]
        assert lines[2] == f"{display.counts[k]:.3g} of {total:.3g} effective cases"
        assert lines[3] == f"posterior {percent(display.probabilities[k])}"


def test_swapping_the_models_mirrors_the_picture(rng):
    result = random_result(rng, 2)
    one, other = (result.plot("quadrants", a=a, b=b) for a, b in (result.estimators, result.estimators[::-1]))
    np.testing.assert_array_equal(one.differences, -other.differences)
    np.testing.assert_allclose(one.counts, other.counts[::-1])
    np.testing.assert_allclose(one.probabilities, other.probabilities[::-1])
    for display in (one, other):
        for low, high in (display.ax_.get_xlim(), display.ax_.get_ylim()):
            assert low == -high
    assert "model 1 better" in one.ax_.get_xlabel()[: one.ax_.get_xlabel().index("model 0 better")]
    if "stands out" in told(one):
        assert "stands out" in told(other)
    elif one.statement in ((True, True), (False, False)):
        assert told(one) == told(other)
    elif one.statement is not None:  # the first model is the subject
        assert told(one).split(" (")[1] == told(other).split(" (")[1]
        assert told(one) == told(other).replace("model 1", "model 0").replace(
            *(("metric 1", "metric 0") if one.statement[0] else ("metric 0", "metric 1"))
        )


def test_ties_are_shaded_on_both_axes(rng):
    result = random_result(rng, 2)
    display = result.plot("quadrants", margin={"metric 0": 0.01, "metric 1": 0.02})
    vertical, horizontal = (
        band.get_extents().transformed(display.ax_.transData.inverted()) for band in display.ax_.patches
    )
    assert (vertical.x0, vertical.x1) == pytest.approx((-0.01, 0.01))
    assert (horizontal.y0, horizontal.y1) == pytest.approx((-0.02, 0.02))
    assert not result.plot("quadrants").ax_.patches


def test_models_without_a_difference_are_all_ties(assert_legible):
    same = {"x": [0.5, 0.6, 0.7], "y": [0.1, 0.2, 0.3]}
    display = table({"a": same, "b": same}).plot("quadrants")
    assert not display.outcomes.any()
    np.testing.assert_allclose(display.probabilities, 0.25)
    assert "no pattern of wins stands out" in told(display)
    assert_legible(display)


@pytest.mark.parametrize("size", [(10, 7.5), (8, 6)])
def test_the_words_of_quadrants_stay_apart_in_small_axes(rng, assert_legible, size):
    figure = Figure(figsize=size, layout="constrained")
    FigureCanvasAgg(figure)
    ax = figure.subplots(2, 2)[0, 0]
    names = ["balanced_accuracy", "average_precision"]
    scores = {model: {name: rng.normal(0.8, 0.05, 20) for name in names} for model in ("gradient boosting", "nb")}
    assert_legible(table(scores).plot("quadrants", ax=ax), own_figure=False)


def test_one_data_set_is_counted_as_one():
    display = study({"a": {"x": [1], "y": [2]}, "b": {"x": [2], "y": [1]}}).plot("quadrants")
    assert all("of 1 data set\n" in text.get_text() for text in display.ax_.texts)


def test_folds_without_a_score_are_no_points(make_result):
    result = make_result(2, 2, missing=True)
    display = result.plot("quadrants")
    lacking = {0, 1, 5}
    assert display.cases == [f"repeat {i // 4}, fold {i % 4}" for i in range(20) if i not in lacking]
    kept = [i for i in range(20) if i not in lacking]
    np.testing.assert_array_equal(display.differences[:, 0], result.difference(result.metrics[0])[kept])
    assert display.frame()["case"].tolist() == display.cases


@pytest.mark.parametrize("kind", ["quadrants", "pareto"])
def test_a_plane_has_two_metrics(rng, kind):
    result = random_result(rng, 3)
    assert result.plot(kind).metrics == ("metric 0", "metric 1")
    assert result.plot(kind, metrics=["metric 2", "metric 1"]).metrics == ("metric 2", "metric 1")
    for metrics in (["metric 0"], "metric 0", result.metrics):
        with pytest.raises(ValueError, match="metrics must name exactly two metrics; got 'metric 0'"):
            result.plot(kind, metrics=metrics)
    with pytest.raises(ValueError, match=r"exactly two metrics; got 'metric 0'$"):
        random_result(rng, 1).plot(kind)
    with pytest.raises(ValueError, match="metrics must be one of"):
        result.plot(kind, metrics=["metric 0", "f1"])


# ---- Pareto front ----------------------------------------------------------------------------------------------


def t_interval(values, fraction):
    """Corani and Benavoli (2015): t with n - 1 degrees of freedom, variance s^2 (1/n + rho / (1 - rho))."""
    n = len(values)
    half = stats.t.ppf(0.975, n - 1) * np.std(values, ddof=1) * np.sqrt(1 / n + fraction / (1 - fraction))
    return np.mean(values) - half, np.mean(values) + half


def markers(display):
    """Places of the models and whether each marker is filled."""
    lines = [line for line in display.ax_.lines if line.get_marker() != "None"]
    return [(line.get_xdata()[0], line.get_ydata()[0]) for line in lines], [
        line.get_markerfacecolor() != paper(display.ax_) for line in lines
    ]


def staircase(display):
    line = max(display.ax_.lines, key=lambda line: line.get_linewidth())
    return list(zip(*line.get_data(), strict=True))


@pytest.mark.parametrize(("cv", "said"), [(5, True), ("2x5", False)])
def test_of_one_run_the_picture_says_that_its_bars_take_all_of_the_correction(cv, said):
    """They are the intervals of the scores, not those of the posterior of the differences."""
    X, y = make_classification(100, random_state=0)
    models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2)}
    result = PairedEvaluator(cv, ["accuracy", "roc_auc"], random_state=0).evaluate(models, X, y)
    display = result.plot("pareto")
    assert ("all of the correction, of which probabilities take 0.4" in told(display)) == said
    expected = t_interval(result.score("nb", "roc_auc"), result.design.test_fraction)
    assert (display.low[0, 1], display.high[0, 1]) == pytest.approx(expected)


def test_means_intervals_and_probabilities_are_those_of_the_front(rng):
    result = random_result(rng, 2, n_models=5)
    display, front = result.plot("pareto"), result.pareto_front()
    np.testing.assert_allclose(display.means, front.means)
    np.testing.assert_array_equal(display.on_front, front.on_front)
    np.testing.assert_array_equal(display.probabilities, front.probabilities)
    for i, name in enumerate(result.estimators):
        for j, metric in enumerate(result.metrics):
            expected = t_interval(result.score(name, metric), result.design.test_fraction)
            assert (display.low[i, j], display.high[i, j]) == pytest.approx(expected)
    places, filled = markers(display)
    np.testing.assert_allclose(places, display.means)
    assert filled == display.on_front.tolist()
    drawn = [line.get_data() for line in display.ax_.lines if line.get_linewidth() == 0.9]
    for i, (across, upright) in enumerate(zip(drawn[::2], drawn[1::2], strict=True)):
        np.testing.assert_allclose(across[0], (display.low[i, 0], display.high[i, 0]))
        np.testing.assert_allclose(upright[1], (display.low[i, 1], display.high[i, 1]))


def test_data_sets_are_independent_cases(rng):
    found = study({name: {m: rng.normal(0.8, 0.02, 7) for m in ("x", "fit_time")} for name in "abc"})
    display = found.plot("pareto")
    np.testing.assert_allclose(display.means, found.pareto_front().means)
    assert display.averages == ["mean", "mean"]
    assert (display.low[2, 1], display.high[2, 1]) == pytest.approx(t_interval(found.means("fit_time")[:, 2], 0.0))


def test_times_of_folds_are_compared_by_ratio(timed):
    display = timed.plot("pareto", metrics=["fit_time", "accuracy"])
    for i, name in enumerate(timed.estimators):
        medians = np.tile(np.median(timed.score(name, "fit_time").reshape(3, 4), axis=0), 3)
        assert display.means[i, 0] == pytest.approx(stats.gmean(medians))
        expected = np.exp(t_interval(np.log(medians), timed.design.test_fraction))
        assert (display.low[i, 0], display.high[i, 0]) == pytest.approx(tuple(expected))
    label, *_ = display.ax_.get_xlabel().split("\n")
    assert label == "geometric mean fit_time in seconds (\N{LEFTWARDS ARROW}\N{NO-BREAK SPACE}better)"
    assert display.ax_.get_ylabel() == "mean accuracy (better\N{NO-BREAK SPACE}\N{RIGHTWARDS ARROW})"
    given = timed.plot("pareto", metrics=["fit_time", "accuracy"], margin={"fit_time": 0.001})
    medians = np.median(timed.score("nb", "fit_time").reshape(3, 4), axis=0)
    assert given.averages[0] == "mean"
    assert given.means[0, 0] == pytest.approx(medians.mean())


@pytest.mark.parametrize(("greater_x", "greater_y"), list(product([True, False], repeat=2)))
def test_the_staircase_bounds_what_the_front_dominates(greater_x, greater_y):
    sx, sy = (1 if greater else -1 for greater in (greater_x, greater_y))
    ideal = {"p": (3.0, 1.0), "q": (2.0, 2.0), "r": (1.0, 3.0), "s": (1.5, 1.5)}
    scores = {name: {"x": [sx * x] * 3, "y": [sy * y] * 3} for name, (x, y) in ideal.items()}
    result = table(scores, greater_is_better={"x": greater_x, "y": greater_y})
    display = result.plot("pareto")
    assert display.on_front.tolist() == [True, True, True, False]
    worst_x = display.ax_.get_xlim()[0 if greater_x else 1] * sx
    worst_y = display.ax_.get_ylim()[0 if greater_y else 1] * sy
    corners = [(3, worst_y), (3, 1), (2, 1), (2, 2), (1, 2), (1, 3), (worst_x, 3)]
    np.testing.assert_allclose(staircase(display), [(sx * x, sy * y) for x, y in corners])
    assert worst_x < 1
    assert worst_y < 1


def test_a_tie_on_the_front_is_inside_the_staircase():
    scores = {"p": {"x": [2.0] * 3, "y": [2.0] * 3}, "q": {"x": [1.95] * 3, "y": [1.95] * 3}}
    display = table(scores).plot("pareto", margin=0.1)
    assert display.on_front.all()
    assert (1.95, 1.95) not in staircase(display)
    assert (2.0, 2.0) in staircase(display)


@pytest.mark.parametrize(
    ("factor", "metric", "scale"), [(21, "model_size", "log"), (19, "model_size", "linear"), (21, "f1", "linear")]
)
def test_costs_that_span_much_are_on_a_logarithmic_axis(factor, metric, scale, assert_legible):
    scores = {
        "a": {metric: [10, 11, 12], "x": [1, 2, 3]},
        "b": {metric: [10 * factor, 11 * factor, 12 * factor], "x": [3, 4, 5]},
    }
    display = table(scores).plot("pareto", metrics=[metric, "x"])
    assert display.ax_.get_xscale() == scale
    assert display.ax_.get_yscale() == "linear"
    assert_legible(display)


def test_intervals_that_reach_zero_leave_a_logarithmic_axis():
    scores = {"a": {"model_size": [1, 2, 30], "x": [1, 2, 3]}, "b": {"model_size": [1000] * 3, "x": [3, 4, 5]}}
    display = table(scores).plot("pareto")
    assert display.low[0, 0] < 0
    low, high = display.ax_.get_xlim()
    assert 0 < low < 11 < 1000 < high


def test_an_interval_that_nearly_reaches_zero_does_not_stretch_a_logarithmic_axis():
    display = ParetoDisplay(
        names=["a", "b"],
        metrics=["model_size", "x"],
        greater_is_better=[False, True],
        averages=["mean", "mean"],
        means=np.array([[10.0, 1.0], [1000.0, 2.0]]),
        low=np.array([[1e-9, 0.5], [900.0, 1.5]]),
        high=np.array([[20.0, 1.5], [1100.0, 2.5]]),
        on_front=np.array([True, True]),
        probabilities=np.array([1.0, 1.0]),
        log=[True, False],
    ).plot()
    assert 0.1 < display.ax_.get_xlim()[0] < 10


def looks(line):
    return line.get_marker(), line.get_color(), line.get_markerfacecolor()


@pytest.mark.parametrize("n_models", [4, 12, 30])
def test_the_legend_has_the_marker_of_every_model_those_on_the_front_first(rng, n_models):
    display = random_result(rng, 2, n_models=n_models).plot("pareto")
    legend = display.ax_.get_legend()
    lines = [text.get_text() for text in legend.get_texts()]
    known = dict(zip(display.names, display.probabilities.tolist(), strict=True))
    assert {*lines} == {f"{name}: {percent(uncertain(p))}" for name, p in known.items()}
    markers = [line for line in display.ax_.lines if line.get_marker() != "None"]
    at = {tuple(np.ravel(line.get_xydata())): looks(line) for line in markers}
    assert len({*at.values()}) == n_models  # no two look alike
    drawn = {name: at[tuple(mean)] for name, mean in zip(display.names, display.means, strict=True)}
    named = [line.split(":")[0] for line in lines]
    assert [looks(handle) for handle in legend.legend_handles] == [drawn[name] for name in named]
    on_front = dict(zip(display.names, display.on_front.tolist(), strict=True))
    filled = [face != paper(display.ax_) for _, _, face in map(drawn.get, named)]
    assert filled == [on_front[name] for name in named] == sorted(filled, reverse=True)


def test_models_without_scores_are_left_out_and_counted(make_result):
    result = make_result(3)
    scores = result.scores.copy()
    scores[1, :, 0] = np.nan
    result = replace(result, scores=scores)
    display = result.plot("pareto")
    assert display.left_out == ["model 1"]
    assert display.frame()["model"].tolist() == ["model 0", "model 2"]
    assert "left out: 1 model without scores" in told(display)


def test_means_are_over_the_folds_that_all_models_have(make_result):
    result = make_result(5, 2, missing=True)
    display = result.plot("pareto")
    kept = [i for i in range(20) if i not in (0, 1, 5)]
    expected = [[result.score(name, metric)[kept].mean() for metric in result.metrics] for name in result.estimators]
    np.testing.assert_allclose(display.means, expected)


def test_one_data_set_has_means_without_intervals(assert_legible):
    display = study({"a": {"x": [1], "y": [2]}, "b": {"x": [2], "y": [1]}}).plot("pareto")
    assert np.isnan(display.low).all()
    assert display.on_front.all()
    assert {text.get_text() for text in display.ax_.get_legend().get_texts()} == {"a: n/a", "b: n/a"}
    assert_legible(display)


def test_thirty_models_at_one_point_are_all_named(assert_legible):
    same = {"x": [0.5, 0.6, 0.7], "y": [0.1, 0.2, 0.3]}
    display = table({f"a rather long name of a model, {i}": same for i in range(30)}).plot("pareto")
    shown = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert len({*shown}) == len(shown) == 30
    assert_legible(display)


@pytest.mark.parametrize("kind", ["dominance", "quadrants", "pareto"])
def test_long_names_of_metrics_can_be_read(rng, kind, assert_legible):
    for end in ("_", "$x_1$"):
        names = [f"_{j}{'area_under_the_curve_' * 9}{end}" for j in range(3)]
        result = table({f"m{i}": {name: rng.normal(0.8, 0.05, 10) for name in names} for i in range(5)})
        display = result.plot(kind)
        assert_legible(display)
        assert any(names[0] in str(value) for value in [*display.frame().columns, *display.frame().to_numpy().ravel()])


# ---- what is refused -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("display", [DominanceDisplay, QuadrantsDisplay, ParetoDisplay])
def test_what_dominance_refuses_is_refused(rng, display):
    with pytest.raises(ValueError, match="margin"):
        display.from_result(random_result(rng, 2), margin=-0.1)
    with pytest.raises(ValueError, match="margin must be one of"):
        display.from_result(random_result(rng, 2), margin={"f1": 0.1})


@pytest.mark.parametrize("display", [DominanceDisplay, QuadrantsDisplay])
def test_unknown_models_are_refused(rng, display):
    with pytest.raises(ValueError, match="a must be one of"):
        display.from_result(random_result(rng, 2), a="nobody")
    with pytest.raises(ValueError, match="two different estimators"):
        display.from_result(random_result(rng, 2), a="model 1")


@pytest.mark.parametrize("kind", ["pareto", "weights", "dominance", "differences"])
def test_two_metrics_that_are_called_the_same_have_names_of_their_own(kind, rng):
    """`MAE` is what the loss of scikit-learn is called, and here what another metric is called too."""
    names = ("neg_mean_absolute_error", "MAE", "r2")
    rows = [(m, metric, f, -float(rng.exponential())) for m in "ab" for metric in names for f in range(8)]
    table = dict(zip(("model", "metric", "fold", "score"), map(list, zip(*rows, strict=True)), strict=True))
    result = from_frame(table, greater_is_better={"MAE": False})
    two = result.plot(kind, metrics=[*names[:2]])
    alone = result.plot(kind, metrics=["neg_mean_absolute_error", "r2"])
    assert [*two.metrics] == [*names[:2]]
    assert [*alone.metrics] == ["MAE", "r2"]
    assert not two.frame().columns.duplicated().any()
    if kind in ("pareto", "weights"):
        assert len(two.frame().columns) == len(alone.frame().columns)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("names", [*permutations(["accuracy", "neg_brier_score", "roc_auc", "model_size"], 3)])
def test_the_front_is_drawn_on_the_metrics_of_the_record(rng, names):
    """Without probabilities of one model the picture took the Brier score, and left that model out."""
    X, y = make_classification(120, flip_y=0.2, random_state=int(rng.integers(1000)))
    models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2), "perceptron": Perceptron()}
    evaluator = PairedEvaluator(
        cv=[(np.arange(60), np.arange(60, 120))], scoring=[*names], random_state=0, error_score=np.nan
    )
    result = evaluator.evaluate(models, X, y)
    front, display = result.pareto_front(), ParetoDisplay.from_result(result)
    assert [*display.metrics] == [{"neg_brier_score": "Brier score"}.get(name, name) for name in front.metrics[:2]]
    assert {*display.names} >= {*front.names}
