"""The pictures of an experiment, and its response surface."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from skcompare import experiments, from_frame
from tests.drawn_words import told


def report_of(design, scores, greater_is_better=True):
    """Of scores of shape (n_splits, n_runs)."""
    n, k = scores.shape
    table = {"model": np.repeat(design.names, n), "fold": np.tile(np.arange(n), k), "score": scores.T.ravel()}
    return experiments.ExperimentReport.from_result(
        design, from_frame(table, test_fraction=1 / n, greater_is_better=greater_is_better)
    )


@pytest.fixture
def composite(rng):
    """A maximum at coded (0.5, -0.5) of log10 a and b."""
    design = experiments.central_composite({"a": (0.01, 100.0), "b": (0.0, 10.0)}, log=["a"])
    means = 0.9 - 0.1 * ((design.coded - [0.5, -0.5]) ** 2).sum(axis=1)
    return report_of(design, means + rng.normal(scale=0.001, size=(10, 9)))


def test_the_response_surface_finds_the_maximum(composite):
    found = composite.response_surface()
    assert found.optimum["a"] == pytest.approx(10, rel=0.1)
    assert found.optimum["b"] == pytest.approx(2.5, rel=0.1)
    assert found.nature == "maximum"


def test_the_pictures_of_continuous_factors_show_the_model_of_the_surface(composite):
    surface = composite.response_surface()
    shown = composite.plot("interactions", x="a", y="b")
    assert list(shown.x_values) == ["0.01", "1", "100"]
    assert list(shown.y_values) == ["0", "5", "10"]
    grid = np.array([[x, y] for y in (-1, 0, 1) for x in (-1, 0, 1)])
    np.testing.assert_allclose(shown.means.ravel(), surface.predict(grid))
    np.testing.assert_allclose(composite.plot("interactions", x="b", y="a").means, shown.means.T)
    effects = composite.plot("effects")
    at = list(effects.parameters).index("a")
    np.testing.assert_allclose(effects.means[at], surface.predict([[-1, 0], [0, 0], [1, 0]]))


def test_the_pictures_of_levels_show_means_of_settings(rng):
    design = experiments.full_factorial({"a": ("x", "y"), "b": (1, 2, 3)})
    report = report_of(design, rng.normal(size=(5, 6)), greater_is_better=False)
    means = report.scores[:, :, 0].mean(axis=1).reshape(2, 3)
    shown = report.plot("interactions", x="b", y="a")
    np.testing.assert_allclose(shown.means, means)
    assert shown.pvalue == report.effects().of("a:b").pvalue_adjusted
    effects = report.plot("effects")
    for name, own in zip(effects.parameters, effects.means, strict=True):
        np.testing.assert_allclose(own, means.mean(axis=1 if name == "a" else 0))
    assert not effects.greater_is_better
    assert 0 < effects.shares.sum() <= 1


def test_an_aliased_interaction_has_the_p_of_its_alias_in_pictures(rng):
    design = experiments.fractional_factorial(dict.fromkeys("abcd", (0, 1)), {"d": "a:b:c"})
    report = report_of(design, rng.normal(size=(6, 8)))
    assert report.plot("interactions", x="c", y="d").pvalue == report.effects().of("a:b").pvalue_adjusted


def of_another_shape(rng, design, factor=0):
    """Scores that fall by a step of one factor, so that no line and no parabola describes them."""
    steps = 0.9 - 0.2 * (design.coded[:, factor] > 0.5)
    return report_of(design, steps + rng.normal(scale=0.001, size=(10, len(steps))))


def test_pictures_say_where_the_fit_does_not_describe_the_settings(rng):
    report = of_another_shape(rng, experiments.central_composite({"a": (0.1, 1.0), "b": (0.1, 1.0)}))
    assert "these terms do not describe the settings" in report.effects()._sentence()
    effects, inner = report.plot("effects"), report.plot("interactions")
    assert effects.lacks_fit
    assert told(effects).endswith("the fit does not describe the settings: rely on none")
    assert told(inner).endswith("the fit does not describe the settings: rely on neither means nor p")
    assert "rely on neither star nor shade" in told(report.plot("surface"))


def test_pictures_of_a_fit_that_describes_the_settings_do_not(composite):
    assert not composite.plot("effects").lacks_fit
    assert told(composite.plot("effects")).endswith("over all other settings")
    assert told(composite.plot("interactions")).endswith("parallel lines: no interaction")


def test_means_of_levels_beside_a_line_that_does_not_fit_keep_their_name(rng):
    grid = [{"a": i, "b": j, "c": k} for i in range(10) for j in (0, 1) for k in (0, 1)]
    design = experiments.full_factorial({"a": tuple(range(10)), "b": (0, 1), "c": (0, 1)})
    design = type(design).of_runs({**design.factors, "a": (0, 9)}, grid, "search", continuous=("a",))
    shown = of_another_shape(rng, design).plot("interactions", x="b", y="c")
    assert not shown.fitted
    assert told(shown).endswith("the fit does not describe the settings: do not rely on p")


def test_each_metric_has_its_own_lack_of_fit(rng):
    design = experiments.central_composite({"a": (0.1, 1.0), "b": (0.1, 1.0)})
    good, bad = rng.normal(size=(10, 9)), of_another_shape(rng, design).scores[:, :, 0].T
    good -= good.mean(axis=0)  # no effect whatever the draw
    n, k = good.shape
    table = {"model": np.tile(np.repeat(design.names, n), 2), "fold": np.tile(np.arange(n), 2 * k)}
    table |= {"metric": np.repeat(["good", "bad"], n * k), "score": np.r_[good.T.ravel(), bad.T.ravel()]}
    found = experiments.ExperimentReport.from_result(design, from_frame(table)).effects(["good", "bad"])
    first, but, last = found._sentence().partition(" But these terms do not describe the settings.")
    assert "bad" in first
    assert (bool(but), last) == (True, "")
    assert [warning.where for warning in found.warnings if warning.code == "LACK_OF_FIT"] == ["bad"]
    turned = experiments.ExperimentReport.from_result(design, from_frame(table)).effects(["bad", "good"])._sentence()
    assert "settings. No effect on good" in turned


def test_means_by_least_squares_are_called_fitted(rng):
    design = experiments.full_factorial({"a": (0, 1), "b": ("x", "y", "z")})
    scores = rng.normal(size=(10, 6))
    assert not report_of(design, scores).plot("effects").fitted
    whole = report_of(design, scores).result
    lacking = experiments.ExperimentReport.from_result(
        type(design).of_runs(design.factors, design.runs[:5], "search"), whole
    )
    shown = lacking.plot("effects")
    assert shown.fitted
    assert "fitted mean" in told(shown)


def test_effects_of_a_latin_hypercube_speak_of_settings_that_were_run(rng):
    design = experiments.latin_hypercube({"a": (0.0, 1.0), "b": (0.0, 1.0)}, 9, rng=rng)
    noise, values = rng.normal(scale=0.01, size=(10, 9)), np.array([run["a"] for run in design.runs])
    # whose means are 0: how far chance moves an estimate depends on where the settings lie
    report = report_of(design, values + noise - noise.mean(axis=0))
    row = report.effects().of("a")
    assert row.levels == (f"{max(values):.6g} less {min(values):.6g}",)
    assert row.estimates[0] == pytest.approx(max(values) - min(values), abs=1e-9)


def test_a_way_out_of_a_lack_of_fit_is_one_that_is_there(rng):
    for log, way in ((("a", "b"), "take nearer ends or more"), (("a",), "a log scale of b or more")):
        report = of_another_shape(rng, experiments.central_composite({"a": (0.1, 1.0), "b": (0.1, 1.0)}, log=log))
        assert way in report.response_surface().warnings[1]
    below = of_another_shape(rng, experiments.central_composite({"a": (-1.0, 1.0), "b": (0.0, 1.0)}))
    assert "log" not in below.response_surface().warnings[1]


def test_an_optimum_beyond_the_settings_is_called_extrapolated(composite, rng):
    # Rotatable in two factors with one centre: leverage 1 - 7/8 r^2 + 11/32 r^4 at r from the centre, the corners of
    # the design at sqrt(2): 1 at the centre, 5/8 at all other runs, 3 at a corner of the ends (r = 2).
    assert not composite.response_surface().extrapolated
    assert "extrapolated" not in composite.response_surface()._sentence() + told(composite.plot("surface"))
    corner = report_of(composite.design, composite.design.coded.sum(axis=1) + rng.normal(scale=0.1, size=(10, 9)))
    assert corner.response_surface().on_edge == ("a", "b")
    assert "may be better ones, extrapolated beyond the settings" in corner.response_surface()._sentence()
    assert "star: best, but extrapolated, shaded" in told(corner.plot("surface"))
    box = experiments.full_factorial({"a": (1, 2, 3), "b": (1, 2, 3)})
    within = report_of(box, box.coded.sum(axis=1) + rng.normal(scale=0.1, size=(10, 9))).response_surface()
    assert within.on_edge == ("a", "b")
    assert not within.extrapolated


def test_a_rotatable_design_that_lost_its_centre_determines_no_quadratic(composite):
    scores = composite.scores.copy()
    scores[-1] = np.nan
    # all runs left are at one distance from the centre, so that the sum of the squares is constant
    with pytest.raises(ValueError, match=r"a quadratic in 2 factors needs 6 settings .* have scores"):
        replace(composite, scores=scores).response_surface()


def test_settings_with_equal_means_are_all_the_best():
    report = report_of(experiments.full_factorial({"a": (0, 1), "b": (0, 1)}), np.tile([0.5, 0.7, 0.6, 0.7], (5, 1)))
    assert "picked after looking: a=0, b=1; and a=1, b=1." in str(report)


def test_the_report_is_a_document_whose_line_and_table_are_the_effects(rng):
    for n_levels in (2, 2, 3, 3, 2):
        design = experiments.full_factorial({"a": (0, 1), "b": tuple(range(n_levels))})
        size = rng.choice([0.0, 0.3])
        report = report_of(design, rng.normal(scale=0.1, size=(8, 2 * n_levels)) + size * design.codes("a"))
        found, document = report.effects(), report.explain()
        grid = document.named("effects on score")
        assert document.named("answer").text == found._sentence()
        assert len(found._sentence().split()) <= 30
        assert [term for term in next(c for c in grid.columns if c.name == "effect").cells if term] == [
            row.named for row in found.rows
        ]
        assert " ".join(str(document).split()).startswith(" ".join(str(report).split()).partition(" More: ")[0])
        assert report.summary() == str(report)
        assert report._repr_html_().startswith('<div class="skcompare">')
        text = " ".join(str(document).split())
        assert all(str(warning) in text for warning in found.warnings)


def test_points_of_another_number_of_factors_are_refused(composite):
    surface = composite.response_surface()
    for ask in (surface.predict, surface.may_be_best):
        with pytest.raises(ValueError, match="coded must have a column for each of 2 factors; got 3"):
            ask([[0, 0, 0]])


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda report: report.plot("roc"), "kind must be one of 'effects', 'interactions', 'surface'"),
        (lambda report: report.plot("surface", color=1), "color is no option of the plot 'surface'"),
        (lambda report: report.plot(metric="f1"), "metric must be"),
        (lambda report: report.response_surface(), "numbers as levels; 'a' has others"),
    ],
    ids=range(4),
)
def test_what_is_refused(ask, message):
    report = report_of(
        experiments.full_factorial({"a": ("x", "y"), "b": (1, 2)}), np.random.default_rng(0).normal(size=(5, 4))
    )
    with pytest.raises(ValueError, match=message):
        ask(report)


def test_too_few_levels_for_a_quadratic_are_refused(rng):
    report = report_of(experiments.full_factorial({"a": (1, 2), "b": (1, 2)}), rng.normal(size=(5, 4)))
    with pytest.raises(ValueError, match="central_composite"):
        report.response_surface()
