"""The quadratic surface over the factors of an experiment: its optimum, its nature, and how sure these are."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
import statsmodels.api as sm

from skcompare.experiments import central_composite
from skcompare.experiments._surface import Axis, best_in_box, quadratic, response_surface
from skcompare.inference._records import Correction
from skcompare.plotting import SurfaceDisplay
from tests.lawful import FULL

FOLDS = Correction(test_fraction=0.1)
# Schneider and Stockett (1963) in P. W. M. John, Statistical Design and Analysis of Experiments (1971), as in the
# SAS/STAT User's Guide, The RSREG Procedure, Getting Started: odor by temperature, gas-liquid ratio, packing height.
ODOR = [66, 39, 43, 49, 58, 17, -5, -40, 65, 7, 43, -22, -31, -35, -26]
SETTINGS = [
    *[(40, 0.3, 4), (120, 0.3, 4), (40, 0.7, 4), (120, 0.7, 4), (40, 0.5, 2), (120, 0.5, 2), (40, 0.5, 6)],
    *[(120, 0.5, 6), (80, 0.3, 2), (80, 0.7, 2), (80, 0.3, 6), (80, 0.7, 6), (80, 0.5, 4), (80, 0.5, 4), (80, 0.5, 4)],
]
CHEMICAL = (Axis(name="T", low=40, high=120), Axis(name="R", low=0.3, high=0.7), Axis(name="H", low=2, high=6))


def axes(k):
    return tuple(Axis(name="abcdefgh"[i], low=0, high=10) for i in range(k))


def levels(k, values=(-1, 0, 1)):
    return np.array(list(product(values, repeat=k)), dtype=float)


def scores_of(truth, coded, rng, n=100, sd=0.02):
    """Of splits: what all settings share, and noise of their own."""
    return truth(coded) + rng.normal(0, 0.05, (n, 1)) + rng.normal(0, sd, (n, len(coded)))


def bowl(coded):
    """A maximum at (0.3, -0.2), or at 0.3 of one factor."""
    centre = np.array([0.3, -0.2, 0.0, 0.1])[: coded.shape[1]]
    return 0.9 - 0.1 * ((coded - centre) ** 2).sum(axis=1)


def fitted(truth, rng, *, k=2, coded=None, correction=FOLDS, **options):
    coded = levels(k) if coded is None else coded
    return response_surface(
        coded, scores_of(truth, coded, rng, **options), axes(coded.shape[1]), correction=correction, metric="accuracy"
    )


def test_the_stationary_point_of_a_textbook(rng):
    settings = np.array(SETTINGS)
    coded = (settings - [80, 0.5, 4]) / [40, 0.2, 2]
    noise = rng.normal(0, 5, (30, len(coded)))
    scores = np.array(ODOR) + noise - noise.mean(axis=0)
    options = {"correction": FOLDS, "metric": "odor", "greater_is_better": False}
    found = response_surface(coded, scores, CHEMICAL, **options)
    # SAS/STAT User's Guide, The RSREG Procedure, Getting Started: canonical analysis of the response surface
    assert found.stationary == pytest.approx([0.121913, 0.199575, 1.770525], abs=5e-7)
    assert sorted(found.curvatures) == pytest.approx([6.037732, 31.103461, 48.858807], abs=5e-7)
    assert found.predict([found.stationary]) == pytest.approx([-52.024631], abs=5e-7)
    assert found.nature == "minimum"
    assert [axis.value(c) for axis, c in zip(CHEMICAL, found.stationary, strict=True)] == pytest.approx(
        [84.876502, 0.539915, 7.541050], abs=5e-6
    )
    # it lies outside: the best setting of the experiment is on its edge
    assert found.on_edge == ("H",)
    assert found.optimum["H"] == 6
    assert "on the edge of the experiment in H" in str(found) or "does not fit" in str(found)


def test_coefficients_are_those_of_least_squares(rng):
    coded = np.vstack([levels(3, (-1, 1)), rng.uniform(-1, 1, (12, 3))])
    scores = scores_of(bowl, coded, rng)
    found = response_surface(coded, scores, axes(3), correction=FOLDS, metric="accuracy")
    fit = sm.OLS(scores.mean(axis=0), quadratic(coded)).fit()
    np.testing.assert_allclose(found.coefficients, fit.params, rtol=1e-9)
    assert found.r_squared == pytest.approx(fit.rsquared)
    assert found.terms == ("1", "a", "b", "c", "a^2", "b^2", "c^2", "a:b", "a:c", "b:c")
    # each is a mean over the splits, whose t test is the one-sample one where splits are independent
    alone = response_surface(coded, scores, axes(3), correction=Correction(test_fraction=0), metric="accuracy")
    own = sm.OLS(scores.T, quadratic(coded)).fit().params.T
    np.testing.assert_allclose(alone.standard_errors[1:], own.std(axis=0, ddof=1)[1:] / 10, rtol=1e-9)
    wider = np.sqrt(1 + 100 * 0.1 / 0.9)
    np.testing.assert_allclose(found.standard_errors[1:], wider * alone.standard_errors[1:], rtol=1e-9)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_a_maximum_inside_is_found(rng, k):
    found = fitted(bowl, rng, k=k, sd=0.005, coded=levels(k, (-1, -0.5, 0.5, 1)))
    assert (found.nature, found.on_edge) == ("maximum", ())
    for name, truth in zip(found.optimum, (6.5, 4.0, 5.0), strict=False):
        assert found.optimum_low[name] <= truth <= found.optimum_high[name]
        assert 0 < found.optimum_high[name] - found.optimum_low[name] < 5
    assert found.predicted == pytest.approx(0.9, abs=0.03)


@pytest.mark.parametrize(
    ("truth", "nature"),
    [
        (lambda x: x[:, 0] ** 2 - x[:, 1] ** 2, "saddle"),
        (lambda x: x[:, 0] ** 2 + x[:, 1] ** 2, "minimum"),
        (lambda x: -((x[:, 0] - x[:, 1]) ** 2), "ridge"),
        (lambda x: x[:, 0] + 2 * x[:, 1], "plane"),
    ],
)
def test_the_nature_of_surfaces_without_a_maximum(rng, truth, nature):
    coded = levels(2, (-1, -0.5, 0, 0.5, 1))
    scores = truth(coded) * 0.1 + rng.normal(0, 0.05, (100, 1))
    scores += (noise := rng.normal(0, 0.02, (100, len(coded)))) - noise.mean(axis=0)
    found = response_surface(coded, scores, axes(2), correction=FOLDS, metric="accuracy")
    assert found.nature == nature
    assert f"a {nature} inside" not in str(found)
    assert found.on_edge or nature == "ridge"


def test_noise_has_no_sure_optimum(rng):
    """The wrong side: where all settings are equal, any of them may be the best."""
    found = fitted(lambda x: np.full(len(x), 0.8), rng)
    assert all(found.optimum_high[name] - found.optimum_low[name] > 5 for name in "ab")


def test_a_surface_that_is_no_quadratic_is_not_relied_on(rng):
    found = fitted(lambda x: 0.5 + 0.4 * (x[:, 0] > 0.4), rng, coded=levels(2, (-1, -0.5, 0, 0.5, 1)))
    assert found.pvalue_lack_of_fit < 0.001
    assert [warning.code for warning in found.warnings] == ["LACK_OF_FIT"]
    assert str(found).startswith("A quadratic does not fit accuracy")
    assert found.best_run["a"] in (7.5, 10)
    assert "does not fit" in SurfaceDisplay.from_result(found).plot().ax_.get_title(loc="left")


def test_without_settings_to_spare_no_fit_is_tested(rng):
    coded = np.array([[-1, -1], [1, -1], [-1, 1], [1, 1], [0, 0], [1, 0]], dtype=float)
    found = fitted(bowl, rng, coded=coded)
    assert np.isnan(found.pvalue_lack_of_fit)
    assert "no settings are left" in str(found).replace("\n", " ")


def test_few_splits_leave_all_settings(rng):
    found = fitted(bowl, rng, n=5)
    lack = ["LACK_OF_FIT"] * bool(found.pvalue_lack_of_fit < 0.05)  # true of one seed in twenty
    assert [warning.code for warning in found.warnings] == [*lack, "TOO_LITTLE_DATA"]
    assert (found.optimum_low["a"], found.optimum_high["a"]) == (0, 10)


def test_a_logarithmic_factor_has_its_own_units(rng):
    log = Axis(name="C", low=0.01, high=100, log=True)
    assert [log.value(c) for c in (-1, 0, 1)] == pytest.approx([0.01, 1, 100])
    coded = levels(1, (-1, -0.5, 0, 0.5, 1))
    found = response_surface(coded, scores_of(bowl, coded, rng), (log,), correction=FOLDS, metric="accuracy")
    assert found.optimum["C"] == pytest.approx(log.value(found.best[0]))


def test_integers_have_integers_for_an_optimum(rng):
    whole = (
        Axis(name="depth", low=1, high=8, integer=True),
        Axis(name="leaf", low=1, high=100, log=True, integer=True),
    )
    coded = levels(2)
    found = response_surface(coded, scores_of(bowl, coded, rng), whole, correction=FOLDS, metric="accuracy")
    assert [type(value) for value in found.optimum.values()] == [int, int]
    assert found.optimum["depth"] in (5, 6)  # 5.55 without
    assert [axis.value(x) for axis, x in zip(whole, found.best, strict=True)] == pytest.approx(
        [*found.optimum.values()]
    )
    around = [[whole[0].coded(n), found.best[1]] for n in range(1, 9)]
    assert found.predict(around).max() == pytest.approx(found.predicted)


def test_too_few_settings_are_refused(rng):
    coded = levels(2, (-1, 1))
    with pytest.raises(ValueError, match=r"a quadratic in 2 factors needs 6 settings .* got 4 diff"):
        fitted(bowl, rng, coded=coded)


def test_the_best_point_of_a_box_is_the_best_of_many(rng):
    for _ in range(50):
        k = int(rng.integers(1, 5))
        matrix = rng.normal(size=(k, k))
        matrix = matrix + matrix.T
        slope, low, high = rng.normal(size=k), -np.ones(k), np.ones(k)

        def value(x, slope=slope, matrix=matrix):
            return x @ slope + np.einsum("...i,ij,...j", x, matrix, x)

        best = best_in_box(slope, matrix, low, high)
        assert value(best) >= value(rng.uniform(-1, 1, (2000, k))).max() - 1e-12
        assert (np.abs(best) <= 1).all()


def test_losses_have_their_optimum_below(rng):
    coded = levels(2)
    scores = scores_of(bowl, coded, rng)
    up = response_surface(coded, scores, axes(2), correction=FOLDS, metric="accuracy")
    down = response_surface(coded, -scores, axes(2), correction=FOLDS, metric="loss", greater_is_better=False)
    assert up.optimum == down.optimum
    assert up.optimum_low == down.optimum_low
    assert up.predicted == pytest.approx(-down.predicted)


@pytest.mark.slow
def test_the_region_holds_the_true_optimum(rng):
    """Of 60 or 400 experiments at most so many lie outside as 5% gives with a probability of a thousandth."""
    n = 400 if FULL else 60
    misses = 0
    for _ in range(n):
        found = fitted(bowl, rng, k=1, sd=0.05, n=20, correction=Correction(test_fraction=0))
        misses += not found.optimum_low["a"] <= 6.5 <= found.optimum_high["a"]
    assert misses <= 0.05 * n + 3.1 * np.sqrt(0.05 * 0.95 * n)


class TestPicture:
    def test_has_the_numbers_of_the_surface(self, rng):
        found = fitted(bowl, rng)
        display = SurfaceDisplay.from_result(found).plot()
        frame = display.frame()
        assert set(frame.columns) == {"x", "y", "x_value", "y_value", "metric", "predicted", "may_be_best"}
        assert frame.predicted.max() <= found.predicted + 1e-9
        assert display.optimum == tuple(found.optimum.values())
        assert len(display.runs) == 9

    def test_other_factors_are_held_at_their_best(self, rng):
        found = fitted(bowl, rng, k=3)
        display = SurfaceDisplay.from_result(found, x="c", y="a")
        assert display.held == {"b": found.optimum["b"]}
        assert (display.x, display.y) == ("c", "a")

    def test_refusals(self, rng):
        two = fitted(bowl, rng)
        with pytest.raises(ValueError, match="x and y must be two factors; got 'a' twice"):
            SurfaceDisplay.from_result(two, x="a", y="a")
        with pytest.raises(ValueError, match="x must be one of"):
            SurfaceDisplay.from_result(two, x="z")
        with pytest.raises(ValueError, match="needs two numeric factors; there is a"):
            SurfaceDisplay.from_result(fitted(bowl, rng, k=1))


@pytest.mark.parametrize(("low", "high"), [(1, 4), (2, 5), (1, 8)])
def test_halves_are_rounded_as_designs_round_them(low, high):
    design = central_composite({"n": (low, high), "m": (0, 100)}, face="faced")
    centre = design.runs[-1]["n"]
    assert Axis(name="n", low=low, high=high, integer=True).shown(0.0) == centre == (low + high + 1) // 2
