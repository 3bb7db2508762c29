"""The smallest difference that a t test finds, the power of tests over data sets, and tails too heavy for t tests."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.power import TTestPower

from skcompare.inference import calibrated_t_test, corrected_t_test, detectable_difference, k_fold_t_test, study_power
from skcompare.inference._distributions import heavy_tailed, t_power, t_quantile, tail_of
from skcompare.inference.fold_scores.power import detectable_by
from tests.lawful import ALTERNATIVES, assert_lawful

# what statsmodels calls them
THEIRS = {"two-sided": "two-sided", "greater": "larger", "less": "smaller"}


@pytest.fixture
def scores(rng):
    b = rng.normal(0.8, 0.05, 30)
    return b + rng.normal(0.01, 0.03, 30), b


# ---- reference: independent differences -------------------------------------------------------------------------


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize(("n", "alpha", "power"), [(5, 0.05, 0.8), (10, 0.01, 0.9), (30, 0.05, 0.5), (100, 0.001, 0.8)])
def test_at_correlation_0_it_is_the_t_test_of_statsmodels(rng, n, alpha, power, alternative):
    """Reference: TTestPower of statsmodels, computed here by the installed version."""
    d = rng.normal(0, 3, n)
    found = detectable_difference(d, np.zeros(n), test_fraction=0, power=power, alpha=alpha, alternative=alternative)
    sign = -1 if alternative == "less" else 1
    theirs = TTestPower()
    effect = sign * found.difference / d.std(ddof=1)
    assert theirs.power(effect, n, alpha, alternative=THEIRS[alternative]) == pytest.approx(power, abs=1e-7)
    for delta in (-2.0, -0.1, 0.0, 1.0):
        expected = theirs.power(delta / d.std(ddof=1), n, alpha, alternative=THEIRS[alternative])
        # nan far in the tails, where it is nearly 0
        assert found.power_at(delta) == pytest.approx(np.nan_to_num(expected), abs=1e-7)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n", [3, 12, 50])
def test_the_t_test_over_data_sets_is_that_of_statsmodels_too(n, alternative):
    for delta in (-0.03, 0.0, 0.02, 0.05):
        ours = study_power(
            delta, std=0.04, n_datasets=n, procedure="dataset_t_test", alpha=0.02, alternative=alternative
        )
        theirs = TTestPower().power(delta / 0.04, n, 0.02, alternative=THEIRS[alternative])
        assert ours == pytest.approx(np.nan_to_num(theirs), abs=1e-7)  # nan far in the tails, where it is nearly 0


@pytest.mark.sampled
@pytest.mark.parametrize("df", [0.5, 1, 9, 99, 1e6])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_the_power_is_a_probability_and_grows_far_into_the_tails(df, alternative):
    sign = -1 if alternative == "less" else 1
    distances = np.r_[np.linspace(-60, 60, 49), 1e3, 1e4]
    powers = [t_power(sign * float(distance), df, 1e-4, alternative) for distance in distances]
    assert all(0 <= power <= 1 for power in powers)
    from_0 = [p for p, distance in zip(powers, distances, strict=True) if distance >= 0 or alternative != "two-sided"]
    assert np.diff(from_0).min() > -1e-7


def test_infinite_degrees_of_freedom_are_the_normal_distribution():
    expected = stats.norm.sf(stats.norm.isf(0.025) - 2) + stats.norm.cdf(-stats.norm.isf(0.025) - 2)
    assert t_power(2.0, np.inf, 0.05, "two-sided") == pytest.approx(expected, rel=1e-12)
    assert t_power(2.0, 1e9, 0.05, "two-sided") == pytest.approx(expected, rel=1e-6)


# ---- the model of the corrected test ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "rho", "alternative"), [(10, 0.1, "two-sided"), (30, 1 / 3, "greater"), (4, 0.5, "less")]
)
def test_correlated_normal_differences_are_found_with_that_power(rng, n, rho, alternative):
    """Simulated: 20,000 samples of equally correlated differences; the bound is 5 standard errors."""
    n_samples, sigma = 20_000, 0.04
    sign = -1 if alternative == "less" else 1
    # the test estimates sigma**2 * (1 - rho) by the sample variance, so that this is its expected standard error
    error = sigma * ((1 - rho) / n + rho) ** 0.5
    delta = sign * 2.5 * error
    shared = rng.normal(0, sigma * rho**0.5, (n_samples, 1))
    d = delta + shared + rng.normal(0, sigma * (1 - rho) ** 0.5, (n_samples, n))
    t = d.mean(axis=1) / (d.std(axis=1, ddof=1) * (1 / n + rho / (1 - rho)) ** 0.5)
    p = {"two-sided": 2 * stats.t.sf(abs(t), n - 1), "greater": stats.t.sf(t, n - 1), "less": stats.t.cdf(t, n - 1)}
    rejected = (p[alternative] < 0.05).mean()
    found = detectable_by(
        corrected_t_test(d[0], np.zeros(n), test_fraction=rho, alternative=alternative), power=0.8, alpha=0.05
    )
    planned = t_power(delta / error, n - 1, 0.05, alternative)
    assert found.power_at(2.5 * sign * found.standard_error) == pytest.approx(planned, abs=1e-9)
    assert abs(rejected - planned) < 5 * (planned * (1 - planned) / n_samples) ** 0.5


def test_the_interval_holds_the_difference_of_the_true_spread(rng):
    """2,000 samples; the bound is 5 standard errors of a coverage of 95%."""
    n = 12
    zeros = np.zeros(n)
    true = detectable_difference([-1, 1] * 6, zeros, test_fraction=0.1)
    scale = np.std([-1, 1] * 6, ddof=1)
    covered = 0
    for d in rng.normal(0, scale, (2000, n)):
        interval = detectable_difference(d, zeros, test_fraction=0.1).interval()
        covered += interval.low <= true.difference <= interval.high
    assert abs(covered / 2000 - 0.95) < 5 * (0.95 * 0.05 / 2000) ** 0.5


# ---- laws -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_the_power_at_the_difference_is_the_power_asked_for(scores, alternative):
    for power in (0.06, 0.5, 0.8, 0.999):
        found = detectable_difference(*scores, test_fraction=0.1, power=power, alternative=alternative)
        sign = -1 if alternative == "less" else 1
        assert found.power_at(sign * found.difference) == pytest.approx(power, abs=1e-9)
        assert found.power_at(0) == pytest.approx(0.05, abs=1e-9)


def test_swapping_the_models_mirrors_it(scores):
    a, b = scores
    for one, other in (("two-sided", "two-sided"), ("greater", "less")):
        first = detectable_difference(a, b, test_fraction=0.1, alternative=one)
        second = detectable_difference(b, a, test_fraction=0.1, alternative=other)
        assert first.difference == pytest.approx(second.difference, rel=1e-9)
        assert first.power_at(0.02) == pytest.approx(second.power_at(-0.02), rel=1e-9)


def test_it_depends_on_the_spread_only_and_in_its_unit(scores):
    a, b = scores
    found = detectable_difference(a, b, test_fraction=0.1).difference
    assert detectable_difference(a + 0.3, b, test_fraction=0.1).difference == pytest.approx(found, rel=1e-9)
    assert detectable_difference(100 * a, 100 * b, test_fraction=0.1).difference == pytest.approx(100 * found, rel=1e-9)
    assert detectable_difference(a[::-1], b[::-1], test_fraction=0.1).difference == pytest.approx(found, rel=1e-9)


def test_more_power_smaller_levels_and_more_overlap_need_larger_differences(scores):
    def differences(option, values):
        fixed = {"test_fraction": 0.1, "power": 0.8, "alpha": 0.05}
        return [detectable_difference(*scores, **{**fixed, option: value}).difference for value in values]

    for option, values in {
        "power": (0.2, 0.5, 0.8, 0.95),
        "alpha": (0.2, 0.05, 0.01, 0.001),
        "test_fraction": (0, 0.1, 1 / 3, 0.5),
    }.items():
        assert all(small < large for small, large in pairwise(differences(option, values)))


def test_another_test_gives_its_own_standard_error_and_degrees_of_freedom(scores):
    a, b = (x.reshape(3, 10) for x in scores)
    record = calibrated_t_test(a, b, df=7.5)
    found = detectable_by(record, power=0.8, alpha=0.05)
    assert (found.standard_error, found.df, found.method) == (record.standard_error, 7.5, record.method)
    assert t_power(found.difference / record.standard_error, 7.5, 0.05, "two-sided") == pytest.approx(0.8)


def test_of_a_single_run_it_can_be_that_of_its_default_test(scores):
    a, b = (x[:10] for x in scores)
    found = detectable_difference(a, b, test_fraction=0.1, procedure="k_fold_t_test")
    assert found == detectable_by(k_fold_t_test(a, b, test_fraction=0.1), power=0.8, alpha=0.05)
    with pytest.raises(ValueError, match=r"\? procedure must be one of 'corrected_t_test'"):
        detectable_difference(a, b, test_fraction=0.1, procedure="paired_t_test")


def test_the_laws_of_every_record_which_says_what_it_found(scores):
    found = assert_lawful(detectable_difference, *scores, test_fraction=0.1)
    assert f"{found.difference:.3g}" in str(found)
    interval = found.interval()
    assert interval.low < found.difference < interval.high


# ---- degenerate and bad input -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("shift", "code"), [(0.0, "NO_DIFFERENCE"), (0.1, "ZERO_VARIANCE")])
def test_where_the_differences_do_not_vary_any_difference_is_found(shift, code):
    b = np.array([0.8, 0.7, 0.9])
    found = detectable_difference(b + shift, b, test_fraction=0.1)
    assert found.difference == found.interval().low == found.interval().high == 0
    assert found.warnings[0].startswith(code)
    assert (found.power_at(0), found.power_at(1e-9), found.power_at(-1e-9)) == (0, 1, 1)
    one_sided = detectable_difference(b + shift, b, test_fraction=0.1, alternative="less")
    assert (one_sided.power_at(0.1), one_sided.power_at(-0.1)) == (0, 1)


def test_one_pair_of_scores_gives_no_number_and_says_so():
    found = detectable_difference([0.8], [0.7], test_fraction=0.1)
    assert np.isnan([found.difference, found.power_at(1), found.interval().low]).all()
    assert found.warnings[0].startswith("TOO_LITTLE_DATA")
    assert "not known" in str(found)


@pytest.mark.parametrize(
    ("option", "values"),
    [("power", [0.05, 0.01, 1, np.nan, "x"]), ("alpha", [0, 1, np.nan, None]), ("alternative", ["bigger", None])],
)
def test_options_out_of_range_are_refused_by_name(scores, option, values):
    for value in values:
        with pytest.raises(ValueError, match=f"^{option} must be"):
            detectable_difference(*scores, test_fraction=0.1, **{option: value})


@pytest.mark.parametrize(
    ("option", "value"),
    [("delta", np.nan), ("std", 0), ("n_datasets", 1), ("procedure", "t"), ("alpha", 1), ("alternative", "two")],
)
def test_study_power_refuses_by_name(option, value):
    with pytest.raises(ValueError, match=f"(^|[?] ){option} must be"):
        study_power(**{"delta": 0.1, "std": 0.1, "n_datasets": 9, option: value})


# ---- the signed-rank test ---------------------------------------------------------------------------------------


def test_too_few_data_sets_have_no_power_at_all():
    """The smallest two-sided p-value on 5 data sets is 2 / 32."""
    assert study_power(10, std=1, n_datasets=5) == 0
    assert study_power(10, std=1, n_datasets=5, alternative="greater") == pytest.approx(1)
    assert study_power(10, std=1, n_datasets=6) == pytest.approx(1)


def test_where_only_unanimous_signs_reject_the_power_is_theirs():
    p = stats.norm.cdf(0.7)
    assert study_power(0.7, std=1, n_datasets=6) == pytest.approx(p**6 + (1 - p) ** 6)
    assert study_power(0.7, std=1, n_datasets=6, alternative="less") == pytest.approx(
        t_power(-0.7 * (18 / np.pi) ** 0.5, 18 / np.pi - 1, 3 / 64, "greater"), abs=1e-9
    )  # one-sided the rank sums 0, 1 and 2 are significant, 3 of 64 sign patterns


@pytest.mark.parametrize(("n", "effect"), [(7, 1.0), (10, 0.8), (10, 0.4), (20, 0.6), (40, 0.4)])
def test_the_power_of_the_signed_rank_test_is_that_of_simulated_data_sets(rng, n, effect):
    """4,000 studies of normal differences, tested by scipy.stats.wilcoxon; the bound is 0.03 and 4 standard errors."""
    d = rng.normal(effect, 1, (4000, n))
    rejected = (stats.wilcoxon(d, axis=1, method="exact").pvalue < 0.05).mean()
    assert abs(study_power(effect, std=1, n_datasets=n) - rejected) < 0.03 + 4 * (0.25 / 4000) ** 0.5


def test_the_power_of_the_signed_rank_test_is_even_and_grows():
    powers = [study_power(effect, std=1, n_datasets=12) for effect in (0, 0.2, 0.5, 1, 2)]
    assert powers == sorted(powers)
    assert study_power(-0.5, std=1, n_datasets=12) == pytest.approx(powers[2], rel=1e-12)
    assert study_power(0.2, std=1, n_datasets=201) == pytest.approx(study_power(0.2, std=1, n_datasets=200), abs=0.01)


@pytest.mark.parametrize("most", [0.1, 4.0])  # degrees of freedom: the quantiles of so few need more than scipy has
def test_a_quantile_of_the_upper_tail_mirrors_that_of_the_lower(most, rng):
    for df, k in zip(rng.uniform(0.02, most, size=20), rng.integers(30, 53, size=20), strict=True):
        assert t_quantile(df, 1 - 0.5**k) == pytest.approx(-t_quantile(df, 0.5**k), rel=1e-9)


# Where the largest differences tell of larger ones that were not seen.


@pytest.mark.parametrize("shape", [-0.4, -0.1, 0.0, 0.2, 0.4])
def test_the_index_of_a_tail_is_that_of_the_law_it_was_made_for(shape):
    """Of the quantiles of scipy's generalised Pareto law, in any unit and from anywhere."""
    quantiles = stats.genpareto(shape).ppf((np.arange(20_000) + 0.5) / 20_000)[::-1]
    for unit, start in ((1e-9, 0.0), (1.0, -3.0), (1e9, 2e9)):
        index, n, total = tail_of(np.append(start + unit * quantiles, start))
        assert index == pytest.approx(shape, abs=0.02)
        assert (n, total) == (20_000, pytest.approx(unit * quantiles.sum(), rel=1e-6))


def rare_losses(rng, n):
    known = (np.arange(n) + 0.5) / n
    heavy = stats.t(2.5).ppf(0.0005 + 0.999 * known) ** 2 / 5
    return rng.permutation(stats.norm.ppf(known) ** 2) - rng.permutation(heavy)


def test_a_heavy_tail_does_not_depend_on_unit_side_or_order(rng):
    found = set()
    for i, n in enumerate(rng.integers(300, 3000, 20)):
        differences = rare_losses(rng, n) if i % 3 else rng.normal(size=n)
        of_this = heavy_tailed(differences)
        found.add(of_this)
        for unit in (-1.0, 1e-150, -1e150, 1e300, rng.uniform(0.1, 9)):
            assert heavy_tailed(rng.permutation(unit * differences)) == of_this
    assert found == {True, False}


def test_few_values_few_cases_and_what_is_left_over_from_rounding_have_no_tail(rng):
    for n in (0, 1, 5, 59, 400, 3000):
        grades = rng.choice([0, 0.25, 0.5, 0.75, 1.0], (2, n), p=[0.05, 0.1, 0.15, 0.3, 0.4])
        few = rng.normal(size=n) * (np.arange(n) % 100 == 0)
        for differences in (np.zeros(n), grades[0] - grades[1], few, few + 1e-17 * rng.normal(size=n)):
            assert not heavy_tailed(differences)
    assert not heavy_tailed(rare_losses(rng, 50))
