"""The pictures of an experiment, and its response surface."""

from __future__ import annotations

import numpy as np
import pytest

from skcompare import from_frame
from skcompare.experiments import ExperimentReport, central_composite, fractional_factorial, full_factorial


def report_of(design, scores, greater_is_better=True):
    """Of scores of shape (n_splits, n_runs)."""
    n, k = scores.shape
    table = {"model": np.repeat(design.names, n), "fold": np.tile(np.arange(n), k), "score": scores.T.ravel()}
    return ExperimentReport.from_result(design, from_frame(table, greater_is_better=greater_is_better))


@pytest.fixture
def composite(rng):
    """A maximum at coded (0.5, -0.5) of log10 a and b."""
    design = central_composite({"a": (0.01, 100.0), "b": (0.0, 10.0)}, log=["a"])
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
    design = full_factorial({"a": ("x", "y"), "b": (1, 2, 3)})
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
    design = fractional_factorial(dict.fromkeys("abcd", (0, 1)), {"d": "a:b:c"})
    report = report_of(design, rng.normal(size=(6, 8)))
    assert report.plot("interactions", x="c", y="d").pvalue == report.effects().of("a:b").pvalue_adjusted


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
    report = report_of(full_factorial({"a": ("x", "y"), "b": (1, 2)}), np.random.default_rng(0).normal(size=(5, 4)))
    with pytest.raises(ValueError, match=message):
        ask(report)


def test_too_few_levels_for_a_quadratic_are_refused(rng):
    report = report_of(full_factorial({"a": (1, 2), "b": (1, 2)}), rng.normal(size=(5, 4)))
    with pytest.raises(ValueError, match="central_composite"):
        report.response_surface()
