"""Score strips, posterior densities and simplexes show the numbers of the result."""

from __future__ import annotations

import math
import os
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from scipy import integrate, stats

from skcompare import StudyResult, from_frame
from skcompare.inference import correlated_t_posterior, sign_posterior, signed_rank_posterior
from skcompare.plotting import PosteriorDisplay, ScoresDisplay, SimplexDisplay
from tests.drawn_words import told

pytestmark = pytest.mark.sampled

SEED = int(os.environ["SKCOMPARE_SEED"])
CORNERS = {"b": (0, 0), "equivalent": (0.5, 3**0.5 / 2), "a": (1, 0)}


def table(scores, metric="score"):
    """Columns of a table of n folds from scores by model."""
    n = len(next(iter(scores.values())))
    return {
        "model": np.repeat(list(scores), n),
        "metric": [metric] * n * len(scores),
        "fold": np.tile(np.arange(n), len(scores)),
        "score": np.concatenate(list(scores.values())),
    }


def with_gaps(result, *gaps):
    """The result without the scores at some (estimator, split, metric)."""
    scores = result.scores.copy()
    for gap in gaps:
        scores[gap] = np.nan
    return replace(result, scores=scores)


@pytest.fixture
def result():
    rng = np.random.default_rng(SEED)
    base = rng.normal(0.8, 0.02, 10)
    return from_frame(
        table({"a": base + rng.normal(0, 0.02, 10), "b": base, "c": base + rng.normal(0, 0.02, 10)}),
        greater_is_better=True,
    )


@pytest.fixture
def cost():
    """Seconds: a is the faster one, by 0.4 on average."""
    return from_frame(
        table({"a": [1.0, 1.1, 1.2, 1.3], "b": [1.4, 1.4, 1.7, 1.7]}, metric="fit_time"), greater_is_better=False
    )


def written(display):
    return [text.get_text() for text in display.ax_.texts]


# ---- score strips ---------------------------------------------------------------------------------------------


def strips(display):
    """The points of each model, from the top."""
    return [line for line in display.ax_.lines if line.get_linestyle() == "None"]


def bars(display):
    """Where the means are marked, from the top."""
    dark = [line for line in display.ax_.lines if line.get_color() == "black"]
    return [line.get_xdata()[0] for line in dark if not str(line.get_gid()).startswith("interval ")]


def joining(display):
    """One line per split, through the models that have its score."""
    return [line for line in display.ax_.lines if str(line.get_gid()).startswith("split ")]


def test_points_are_the_scores_and_bars_their_means(result):
    display = result.plot("scores")
    for k, (name, strip) in enumerate(zip(result.estimators, strips(display), strict=True)):
        np.testing.assert_array_equal(strip.get_xdata(), result.score(name, "score"))
        assert (abs(strip.get_ydata() - k) < 0.5).all()
    np.testing.assert_allclose(bars(display), result.scores[:, :, 0].mean(axis=1))
    assert [label.get_text() for label in display.ax_.get_yticklabels()] == ["a", "b", "c"]
    assert display.ax_.yaxis_inverted()


def test_a_line_joins_the_points_of_one_split(result):
    display = result.plot("scores")
    lines = joining(display)
    assert len(lines) == 10
    for i, line in enumerate(lines):
        np.testing.assert_array_equal(line.get_xdata(), result.scores[:, i, 0])
        points = [(strip.get_xdata()[i], strip.get_ydata()[i]) for strip in strips(display)]
        np.testing.assert_array_equal(line.get_xydata(), points)


def test_chosen_estimators_keep_their_order(result):
    display = result.plot("scores", estimators=["c", "a"])
    np.testing.assert_array_equal([strip.get_xdata() for strip in strips(display)], result.scores[[2, 0], :, 0])
    assert [label.get_text() for label in display.ax_.get_yticklabels()] == ["c", "a"]
    assert told(result.plot("scores", estimators=["b"])) == "score of 1 model on 10 splits"


def test_a_line_passes_over_missing_scores_and_the_title_counts_them(result):
    result = with_gaps(result, (0, 3, 0), (1, 3, 0), (1, 7, 0))
    display = result.plot("scores")
    assert "2 of 10 splits are missing" in told(display)
    lines = joining(display)
    np.testing.assert_array_equal(lines[3].get_xdata(), result.scores[[2], 3, 0])
    np.testing.assert_array_equal(lines[7].get_xdata(), result.scores[[0, 2], 7, 0])
    ends = [(strips(display)[i].get_xdata()[7], strips(display)[i].get_ydata()[7]) for i in (0, 2)]
    np.testing.assert_array_equal(lines[7].get_xydata(), ends)
    whole = [i for i in range(10) if i not in (3, 7)]
    np.testing.assert_allclose(bars(display), result.scores[:, whole, 0].mean(axis=1))


def test_a_model_without_scores_has_an_empty_row_that_says_so(result):
    result = with_gaps(result, (1, slice(None), 0))
    display = result.plot("scores")
    assert written(display) == ["no scores"]
    assert "missing" not in told(display)
    np.testing.assert_allclose(np.array(bars(display))[[0, 2]], result.scores[[0, 2], :, 0].mean(axis=1))
    assert np.isnan(bars(display)[1])
    for i, line in enumerate(joining(display)):
        np.testing.assert_array_equal(line.get_xdata(), result.scores[[0, 2], i, 0])


def test_the_axis_says_which_direction_is_better(result, cost):
    said = ["score (more is better)", "bars: means with 95% intervals; lines join the same split"]
    assert result.plot("scores").ax_.get_xlabel().split("\n") == said
    assert cost.plot("scores").ax_.get_xlabel().startswith("fit_time (less is better)\n")


def test_only_costs_of_several_orders_of_magnitude_are_logarithmic(cost):
    wide = {"a": [0.001, 0.002], "b": [1.0, 2.0]}
    assert cost.plot("scores").ax_.get_xscale() == "linear"
    assert from_frame(table(wide), greater_is_better=False).plot("scores").ax_.get_xscale() == "log"
    assert from_frame(table(wide), greater_is_better=True).plot("scores").ax_.get_xscale() == "linear"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metric": "nonsense"}, r"metric must be one of 'score'; got 'nonsense'"),
        ({"estimators": ["a", "d"]}, r"estimators must be one of 'a', 'b', 'c'; got 'd'"),
        ({"estimators": ["a", "a"]}, r"each once; got \['a', 'a'\]"),
        ({"estimators": []}, r"at least one estimator, each once; got \[\]"),
        ({"estimators": 1}, r"estimators must be names of estimators; got 1"),
    ],
)
def test_strips_of_what_is_not_there_are_refused(result, options, message):
    with pytest.raises(ValueError, match=message):
        result.plot("scores", **options)


def test_strips_without_any_score_are_refused(result):
    with pytest.raises(ValueError, match="metric must have a score of an estimator to draw"):
        with_gaps(result, slice(None)).plot("scores")


def test_one_split_is_drawn():
    display = ScoresDisplay(
        estimators=["a", "b"],
        scores=np.array([[0.5], [0.6]]),
        means=np.array([0.5, 0.6]),
        metric="m",
        greater_is_better=True,
    ).plot()
    np.testing.assert_array_equal(np.concatenate([s.get_xydata() for s in strips(display)]), [[0.5, 0], [0.6, 1]])


def test_the_frame_of_strips_is_tidy(result):
    frame = ScoresDisplay.from_result(result).frame()
    assert list(frame.columns) == ["metric", "estimator", "split", "score", "mean", "low", "high"]
    lines = {line.get_gid(): line for line in result.plot("scores").ax_.lines}
    for i, (name, own) in enumerate(zip(result.estimators, result.intervals(), strict=True)):
        assert {*frame[frame.estimator == name].low} == {own.low}
        np.testing.assert_array_equal(lines[f"interval {i}"].get_xdata(), [own.low, own.high])
        np.testing.assert_array_equal(frame[frame.estimator == name].score, result.score(name, "score"))


# ---- the density of a posterior -------------------------------------------------------------------------------


def posterior(n, rope=0.0):
    d = np.where(np.arange(n) % 2, 0.03, -0.01) + np.linspace(0, 0.005, n)
    return correlated_t_posterior(d, np.zeros(n), test_fraction=0.1, rope=rope)


@pytest.mark.parametrize("n", [2, 3, 10, 100])
def test_the_density_integrates_to_the_probabilities(n):
    record = posterior(n, rope=0.01)
    centre = (record.mean - record.scale, record.mean + record.scale)
    left = integrate.quad(record.density, -np.inf, -0.01)[0]
    middle = integrate.quad(record.density, -0.01, 0.01, points=[x for x in centre if abs(x) < 0.01] or None)[0]
    right = integrate.quad(record.density, 0.01, np.inf)[0]
    assert (left, middle, right) == pytest.approx((record.left, record.rope, record.right), abs=1e-6)
    assert left + middle + right == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("n", [2, 10, 100])
def test_the_density_is_the_location_scale_t_of_scipy(n):
    record = posterior(n)
    x = record.mean + record.scale * np.linspace(-30, 30, 13).reshape(1, -1)
    expected = stats.t.pdf(x, record.df, loc=record.mean, scale=record.scale)
    assert record.density(x).shape == x.shape
    np.testing.assert_allclose(record.density(x), expected, rtol=1e-9)
    assert record.density(1e308) == 0 or n == 2


def test_the_density_of_a_point_is_infinite_there_and_nowhere_else():
    record = correlated_t_posterior([0.75, 0.75, 0.75], [0.5, 0.5, 0.5], test_fraction=0.1)
    np.testing.assert_array_equal(record.density([0.0, 0.25, 0.3]), [0, np.inf, 0])


def test_the_density_of_one_difference_is_unknown():
    assert np.isnan(correlated_t_posterior([0.75], [0.5], test_fraction=0.1).density(0.25))


@pytest.mark.parametrize("x", [np.nan, [0.0, np.inf], [], "zero"])
def test_the_density_at_no_number_is_refused(x):
    with pytest.raises(ValueError, match="x must"):
        posterior(5).density(x)


def curve(display):
    return next(line for line in display.ax_.lines if len(line.get_xdata()) > 100)


@pytest.mark.parametrize("rope", [0.0, 0.01])
def test_the_curve_holds_the_probabilities_that_are_written(result, rope):
    display = result.plot("posterior", a="c", b="a", margin=rope)
    record = result.test("correlated_t_posterior", a="c", b="a", margin=rope)
    x, y = curve(display).get_data()
    shares = [integrate.trapezoid(y[side], x[side]) for side in (x <= -rope, abs(x) <= rope, x >= rope)]
    # the axis leaves out at most 0.5% of the posterior
    assert shares == pytest.approx((record.left, record.rope, record.right), abs=0.006)
    expected = {"P(a better)": record.left, "P(c better)": record.right}
    if rope:
        expected["P(equivalent)"] = record.rope
    texts = dict(text.split("\n") for text in written(display))
    assert texts.keys() == expected.keys()
    for event, p in expected.items():
        assert texts[event] in (f"= {p:.3f}", "< 0.001", "> 0.999")


def test_the_better_model_stands_on_the_side_of_its_area(result):
    display = result.plot("posterior", a="c", b="a", margin=0.01)
    places = {text.get_text().split("\n")[0]: text.get_position()[0] for text in display.ax_.texts}
    assert places["P(a better)"] < places["P(equivalent)"] < places["P(c better)"]
    assert "advantage of c over a; positive: the first is better" in display.ax_.get_xlabel()


def test_the_interval_and_the_region_are_those_of_the_record(result):
    display = result.plot("posterior", margin=0.015)
    interval = result.test("correlated_t_posterior", margin=0.015).interval(0.95)
    bar = next(line for line in display.ax_.lines if line.get_linewidth() == 3)
    np.testing.assert_allclose(bar.get_xdata(), [interval.low, interval.high])
    edges = [line.get_xdata()[0] for line in display.ax_.lines if line.get_xdata()[0] == line.get_xdata()[-1]]
    assert {-0.015, 0.0, 0.015} <= set(edges)
    places = 1 - math.floor(math.log10((interval.high - interval.low) / 2))  # two digits of half its width
    assert f"[{interval.low:+.{places}f}, {interval.high:+.{places}f}]" in display.ax_.get_xlabel()
    assert "equivalent within 0.015" in told(display)


def test_exchanging_the_models_mirrors_the_curve(result):
    one, other = (PosteriorDisplay.from_result(result, a=a, b=b, margin=0.01) for a, b in ("ab", "ba"))
    peak = one.density.max()
    np.testing.assert_allclose(one.density, np.interp(-one.x, other.x, other.density), atol=0.01 * peak)
    assert (one.left, one.rope, one.right) == pytest.approx((other.right, other.rope, other.left))
    assert (one.low, one.mean, one.high) == pytest.approx((-other.high, -other.mean, -other.low))


def test_less_of_a_cost_is_an_advantage(cost):
    display = PosteriorDisplay.from_result(cost)
    assert display.mean == pytest.approx(0.4)
    assert display.right > 0.9


def test_a_posterior_that_is_a_point_is_a_spike_and_says_so():
    equal = from_frame(table({"a": [0.75] * 5, "b": [0.75] * 5}), greater_is_better=True)
    display = equal.plot("posterior", margin=0.01)
    spike = next(line for line in display.ax_.lines if line.get_marker() == "^")
    assert spike.get_xdata()[0] == 0
    assert "all differences are equal" in told(display)
    assert {text.split("\n")[1] for text in written(display)} == {"= 0", "= 1"}


def test_a_posterior_reads_the_pairs_that_are_there(result):
    result = with_gaps(result, (0, 3, 0), (1, 7, 0))
    display = result.plot("posterior")
    assert "on 8 splits" in told(display)
    whole = [i for i in range(10) if i not in (3, 7)]
    assert display.mean == pytest.approx((result.scores[0] - result.scores[1])[whole].mean())


@pytest.mark.parametrize("left", [0, 1])
def test_a_posterior_of_too_few_pairs_is_refused(result, left):
    with pytest.raises(ValueError, match=r"at least 2 splits|no pair of scores"):
        with_gaps(result, (0, slice(left, None), 0)).plot("posterior")


@pytest.mark.parametrize("options", [{"margin": -1}, {"margin": np.nan}, {"metric": "f2"}, {"a": "d"}, {"a": "b"}])
def test_posteriors_of_what_is_not_there_are_refused(result, options):
    with pytest.raises(ValueError, match=f"{next(iter(options))} "):
        result.plot("posterior", **options)


def test_the_frame_of_a_posterior_has_curve_and_probabilities(result):
    display = PosteriorDisplay.from_result(result, margin=0.01)
    frame = display.frame()
    np.testing.assert_array_equal(frame.density, display.density)
    assert (frame.difference.diff().dropna() > 0).all()
    assert set(frame.right) == {display.right}


# ---- draws from the posteriors over data sets -----------------------------------------------------------------


def differences(n=12):
    return np.random.default_rng(SEED).normal(0.005, 0.02, n)


def test_draws_of_the_signed_rank_posterior_are_those_that_it_counted():
    d = differences()
    for sign in (1, -1):
        record = signed_rank_posterior(sign * d, np.zeros(12), rope=0.01, n_draws=5000, rng=4)
        draws = record.draws(5000, rng=4)
        counted = np.bincount(draws.argmax(axis=1), minlength=3) / 5000
        # draws in which two outcomes are equally probable are shared
        assert counted == pytest.approx((record.left, record.rope, record.right), abs=2e-3)
        assert draws.sum(axis=1) == pytest.approx(1)
        assert draws.min() >= 0
        assert draws.mean(axis=0) == pytest.approx(record.mean, abs=5 * draws.std(axis=0).max() / 5000**0.5)


def test_draws_of_the_sign_posterior_have_the_moments_of_its_dirichlet():
    record = sign_posterior(differences(), np.zeros(12), rope=0.01)
    draws = record.draws(20_000, rng=int(SEED))
    alpha = np.add(record.counts, record.prior)
    assert draws.shape == (20_000, 3)
    assert draws.sum(axis=1) == pytest.approx(1)
    expected = stats.dirichlet(alpha[alpha > 0])
    assert draws[:, alpha > 0].mean(axis=0) == pytest.approx(expected.mean(), abs=5 * 0.5 / 20_000**0.5)
    np.testing.assert_allclose(draws[:, alpha > 0].var(axis=0), np.ravel(expected.var()), rtol=0.15, atol=1e-4)


def test_an_outcome_without_data_and_prior_is_never_drawn():
    draws = sign_posterior([1.0, 1.0], [0.0, 0.0], prior_place="right").draws(50)
    np.testing.assert_array_equal(draws, [[0, 0, 1]] * 50)


@pytest.mark.parametrize("posterior", [sign_posterior, signed_rank_posterior])
def test_draws_are_repeated_by_their_seed_and_refuse_nonsense(posterior):
    record = posterior(differences(), np.zeros(12), rope=0.01)
    np.testing.assert_array_equal(record.draws(30, rng=1), record.draws(30, rng=1))
    assert record.draws().shape == (2000, 3)
    for options in ({"n_draws": 0}, {"n_draws": 1.5}, {"rng": "seed"}):
        with pytest.raises(ValueError, match=f"{next(iter(options))} must be"):
            record.draws(**options)


# ---- the simplex ----------------------------------------------------------------------------------------------


@pytest.fixture
def study():
    """Two metrics on 8 data sets of 10 folds; a is better on most, c is so on all."""
    rng = np.random.default_rng(SEED)
    models, lead = ["a", "b", "c"], [0.01, 0.0, 0.2]
    scores = 0.7 + np.array(lead)[:, None] + rng.normal(0, 0.02, (8, 2, 3, 10))
    return StudyResult.from_frame(
        {
            "dataset": np.repeat([f"d{i}" for i in range(8)], 60),
            "metric": np.tile(np.repeat(["accuracy", "f1"], 30), 8),
            "model": np.tile(np.repeat(models, 10), 16),
            "fold": np.tile(np.arange(10), 48),
            "score": scores.ravel(),
        }
    )


def drawn_points(display):
    """Probabilities of left, rope and right at the positions of the points drawn."""
    lines = [line for line in display.ax_.lines if line.get_linestyle() == "None" and line.get_marker() != "*"]
    x, y = np.concatenate([line.get_xydata() for line in lines]).T
    equivalent = y / CORNERS["equivalent"][1]
    right = x - equivalent / 2
    return np.stack([1 - equivalent - right, equivalent, right], axis=1)


def star(display):
    return next(line.get_xydata()[0] for line in display.ax_.lines if line.get_marker() == "*")


@pytest.mark.parametrize("procedure", ["signed_rank_posterior", "sign_posterior"])
def test_a_cloud_of_draws_lies_in_the_regions_as_often_as_the_record_says(study, procedure):
    display = study.plot("simplex", margin=0.01, procedure=procedure)
    record = study.test(procedure, a="a", b="b", margin=0.01)
    points = drawn_points(display)
    np.testing.assert_allclose(points, display.points, atol=1e-12)
    shares = np.bincount(points.argmax(axis=1), minlength=3) / len(points)
    assert shares == pytest.approx((record.left, record.rope, record.right), abs=5 * 0.5 / len(points) ** 0.5)
    np.testing.assert_allclose(
        star(display), np.array(record.mean) @ np.array([CORNERS["b"], CORNERS["equivalent"], CORNERS["a"]])
    )


def test_the_corners_name_the_models_and_their_probabilities(study):
    display = study.plot("simplex", a="c", b="a", margin=0.01)
    texts = {text.get_text().split("\n")[0]: text for text in display.ax_.texts if text.get_gid() != "notes"}
    assert texts.keys() == {"a better", "equivalent", "c better"}
    for label, corner in (("a better", "b"), ("equivalent", "equivalent"), ("c better", "a")):
        assert texts[label].get_position() == pytest.approx(CORNERS[corner], abs=0.05)
    assert texts["c better"].get_text().split("\n")[1] == "P > 0.999"
    assert texts["a better"].get_text().split("\n")[1] == "P < 0.001"
    points = drawn_points(display)
    assert (points[:, 2] > 0.5).mean() > 0.9


def test_the_borders_part_the_regions(study):
    display = study.plot("simplex", margin=0.01)
    borders = [line.get_xydata() for line in display.ax_.lines if line.is_dashed()]
    assert len(borders) == 3
    for line in borders:
        (x, y) = line.mean(axis=0)
        distances = sorted(np.hypot(x - cx, y - cy) for cx, cy in CORNERS.values())
        assert distances[0] == pytest.approx(distances[1])  # two outcomes are equally probable
        assert distances[2] > distances[1] + 0.1


def test_of_a_result_every_metric_is_a_point(make_result):
    result = make_result(3, 4)
    display = result.plot("simplex", margin={"f1": 0.02} if "f1" in result.metrics else 0.02, a="model 2")
    expected = []
    for metric in result.metrics:
        rope = 0.02 if metric == "f1" or "f1" not in result.metrics else 0.0
        record = result.test("correlated_t_posterior", metric=metric, a="model 2", margin=rope)
        expected.append((record.left, record.rope, record.right))
    np.testing.assert_allclose(drawn_points(display), expected, atol=1e-12)
    assert [text.get_text() for text in display.ax_.get_legend().get_texts()] == list(result.metrics)


def test_one_rope_is_not_meant_for_seconds():
    rng = np.random.default_rng(SEED)
    columns = {"model": np.repeat(["a", "b"], 20), "metric": np.tile(np.repeat(["accuracy", "fit_time"], 10), 2)}
    columns |= {"fold": np.tile(np.arange(10), 4), "score": rng.normal(0.5, 0.02, 40)}
    timed = from_frame(columns)
    display = timed.plot("simplex", margin=0.5)
    assert display.ropes.tolist() == [0.5, 0]
    assert display.points[0, 1] > 0.9
    assert display.points[1, 1] < 1e-9
    assert told(display).endswith("equivalent within 0.5, but not on fit_time")
    both = timed.plot("simplex", margin={"accuracy": 0.5, "fit_time": 0.1})
    assert both.ropes.tolist() == [0.5, 0.1]
    assert told(both).endswith("equivalent within 0.1 to 0.5")


def test_without_a_region_of_equivalence_the_picture_asks_for_one(make_result):
    drawn = [make_result(2).plot("simplex", margin=rope).ax_.texts for rope in (0, 0.1)]
    asked = [[text.get_text() for text in texts if text.get_gid() == "asked"] for texts in drawn]
    assert asked == [["no region of\nequivalence:\ngive margin="], []]


def test_of_the_hierarchical_posterior_every_data_set_is_a_point(study):
    display = study.plot("simplex", procedure="hierarchical_posterior", margin=0.01)
    record = study.test("hierarchical_posterior", a="a", b="b", margin=0.01)
    expected = np.stack([record.dataset_left, record.dataset_rope, record.dataset_right], axis=1)
    np.testing.assert_allclose(drawn_points(display), expected, atol=1e-12)
    assert display.frame().dataset.tolist() == list(study.datasets)


def test_data_sets_with_gaps_are_left_out_and_counted(study):
    scores = study.scores.copy()
    scores[2, 0, 4, 0] = np.nan
    study = replace(study, scores=scores)
    display = study.plot("simplex", procedure="hierarchical_posterior", margin=0.01)
    assert display.names == [f"d{i}" for i in range(8) if i != 2]
    assert "1 of 8 data sets is missing" in told(display)


def test_metrics_without_pairs_are_left_out_and_counted(make_result):
    result = with_gaps(make_result(2, 3), (0, slice(1, None), 1))
    display = result.plot("simplex", margin=0.02)
    assert list(display.names) == [result.metrics[0], result.metrics[2]]
    assert "1 of 3 metrics is missing" in told(display)
    with pytest.raises(ValueError, match="metric must name one of which 'model 0' and 'model 1' share"):
        result.plot("simplex", metric=result.metrics[1])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metric": "f2"}, "metric must be one of"),
        ({"metric": ["accuracy", "f1"]}, "metric must be one of"),
        ({"margin": -0.1}, "margin must be a number in"),
        ({"margin": {"f1": -0.1}, "metric": "f1"}, r"margin\['f1'\] must be a number in"),
        ({"margin": {"f1": 0.1}}, "margin must be one of 'accuracy'; got 'f1'"),
        ({"procedure": "signed_rank_test"}, "procedure must be one of 'signed_rank_posterior'"),
        ({"a": "b"}, "a and b must be two different estimators"),
    ],
)
def test_simplexes_of_what_is_not_there_are_refused(study, options, message):
    with pytest.raises(ValueError, match=message):
        study.plot("simplex", **options)


def test_a_result_has_one_procedure_for_its_simplex(result):
    with pytest.raises(ValueError, match=r"procedure must be one .*_t_posterior'; got 'sign_posterior'"):
        result.plot("simplex", procedure="sign_posterior")
    assert SimplexDisplay.from_result(result, procedure="correlated_t_posterior").kind == "metric"


# ---- all three ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "options"), [("scores", {}), ("posterior", {"margin": 0.01}), ("simplex", {"margin": 0.01})]
)
@pytest.mark.parametrize("names", ["short", "long", "nasty"])
def test_small_axes_are_legible_too(make_result, assert_legible, kind, options, names):
    figure = Figure(figsize=(10, 4), layout="constrained")
    FigureCanvasAgg(figure)
    ax = figure.subplots(1, 2)[0]
    assert_legible(make_result(5, 3, names).plot(kind, ax=ax, **options), own_figure=False)


@pytest.mark.parametrize("kind", ["scores", "posterior"])
def test_several_metrics_for_one_are_refused(make_result, kind):
    with pytest.raises(ValueError, match=r"metric must be one of .*; got \['accuracy', 'roc_auc'\]"):
        make_result(2, 2).plot(kind, metric=["accuracy", "roc_auc"])


@pytest.mark.parametrize("figsize", [(8, 6), (6.4, 4.8)])
@pytest.mark.parametrize(("kind", "options"), [("simplex", {"margin": 0.01}), ("size", {}), ("posterior", {})])
def test_legends_leave_the_axes_of_a_grid_their_room(make_result, kind, options, figsize):
    figure = Figure(figsize=figsize, layout="constrained")
    FigureCanvasAgg(figure)
    for ax in figure.subplots(2, 2).ravel():
        make_result(5, 10, "long").plot(kind, ax=ax, **options)
    figure.canvas.draw()
    for ax in figure.axes:
        assert ax.get_position().width > 0.15


def test_the_legend_of_a_figure_of_its_own_is_in_its_layout(make_result):
    for kind in ("simplex", "size"):
        assert make_result(2, 5).plot(kind).ax_.get_legend().get_in_layout()


@pytest.mark.parametrize("procedure", ["sign_posterior", "hierarchical_posterior"])
def test_simplexes_of_other_procedures_are_legible(study, assert_legible, procedure):
    assert_legible(study.plot("simplex", procedure=procedure, margin=0.01))


def test_the_means_are_those_of_the_tables_whichever_models_are_drawn(make_result):
    """A model without any score takes no split from the others, and neither do models that are not drawn."""
    result = make_result(4)
    scores = result.scores.copy()
    scores[0] = np.nan
    scores[1, 3], scores[2, :2] = np.nan, np.nan
    result = replace(result, scores=scores)
    means = {row.model: row.score for row in result.intervals("roc_auc")}
    for names in (result.estimators, result.estimators[2:]):
        display = ScoresDisplay.from_result(result, metric="roc_auc", estimators=names)
        np.testing.assert_allclose(display.means, [means[name] for name in names])
