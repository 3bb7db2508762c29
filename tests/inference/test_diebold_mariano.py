"""The Diebold-Mariano test, and the laws of the procedures in the form that it has: on losses, in order."""

import random
import re

import numpy as np
import pytest
from scipy.signal import lfilter
from statsmodels.stats.diagnostic import acorr_ljungbox
from statsmodels.stats.sandwich_covariance import S_hac_simple
from statsmodels.tsa.stattools import acf

from skcompare import procedures
from skcompare.inference import diebold_mariano_test, paired_t_test
from tests.lawful import ALTERNATIVES, assert_lawful, codes

HORIZONS = (1, 2, 5)
VARIANCES = (None, *HORIZONS)
SIZES = next(row for row in procedures() if row.name == "diebold_mariano_test").measured_size


def losses(seed, n=60, effect=0.3):
    """Two series; those of the second are larger."""
    rng = np.random.default_rng(seed)
    shocks = rng.normal(size=(2, n + 1))
    a, b = np.abs(shocks[:, 1:] + 0.6 * shocks[:, :-1])
    return a, b + effect


def by_hand(a, b, h):
    """Harvey, Leybourne and Newbold (1997), equations 4, 6 and 9, term by term."""
    d = [y - x for x, y in zip(a, b, strict=True)]
    n, mean = len(d), sum(d) / len(d)
    gamma = [sum((d[t] - mean) * (d[t - k] - mean) for t in range(k, n)) / n for k in range(h)]
    variance = (gamma[0] + 2 * sum(gamma[1:])) / n
    return mean / variance**0.5 * ((n + 1 - 2 * h + h * (h - 1) / n) / n) ** 0.5


# ---- reference values


@pytest.mark.parametrize(
    ("loss", "statistic", "pvalue"),
    [
        (abs, 1.3275742446369585, 0.18737195617455585),
        (lambda error: error**2.0, 1.2112523589452902, 0.22868210381769466),
        (lambda error: error**4.0, 0.9124498079287283, 0.36374861695187799),
    ],
    ids=["MAD", "MSE", "poly"],
)
def test_it_gives_the_published_example_of_another_implementation(loss, statistic, pvalue):
    """github.com/johntwk/Diebold-Mariano-Test, README, run with Python 2: its `random.sample` is spelt out here."""
    generator = random.Random(123)

    def sample():
        pool, found = list(range(100)), []
        for i in range(100):
            j = int(generator.random() * (100 - i))
            found.append(pool[j])
            pool[j] = pool[99 - i]
        return np.array(found)

    actual, first, second = sample(), sample(), sample()
    record = diebold_mariano_test(loss(actual - first), loss(actual - second), horizon=1)
    assert record.statistic == pytest.approx(-statistic, rel=1e-12)  # theirs favours the second
    assert record.pvalue == pytest.approx(pvalue, rel=1e-9)


def test_cosines_by_hand():
    """d = 1, 2, 3, 2: one cosine, sqrt(1/2) (cos 22.5 + 2 cos 67.5 - 3 cos 67.5 - 2 cos 22.5 degrees) = -0.9239."""
    record = diebold_mariano_test([0, 0, 0, 0], [1, 2, 3, 2])
    assert record.standard_error == pytest.approx(np.cos(np.pi / 8) / 2)
    assert (record.n, record.df, record.estimate, record.autocorrelation) == (4, 1, 2, 0)
    assert record.pvalue == pytest.approx(1 - 2 / np.pi * np.arctan(4 / np.cos(np.pi / 8)))  # Cauchy


def test_the_cosines_are_the_formula_term_by_term():
    a, b = losses(1)
    d, n = b - a, len(a)
    t = np.arange(1, n + 1)
    squares = [2 / n * (d @ np.cos(np.pi * j * (t - 0.5) / n)) ** 2 for j in range(1, 7)]  # 0.4 * 60^(2/3) = 6.1
    record = diebold_mariano_test(a, b)
    assert record.standard_error**2 == pytest.approx(np.mean(squares) / n, rel=1e-9)
    assert record.df == 6


def test_differences_without_slow_cosines_say_so():
    t = np.arange(40)
    d = np.cos(np.pi * 30 * (t + 0.5) / 40)
    record = diebold_mariano_test(np.zeros(40), 1 + d)
    assert "APPROXIMATE" in codes(record)
    assert record.standard_error == pytest.approx(d.std() / 40**0.5)


def test_by_hand():
    """d = 1, 2, 3, 2: mean 2, g0 = 2/4, g1 = 0; the factor for h = 2 is (4 + 1 - 4 + 2/4)/4 = .375."""
    record = diebold_mariano_test([0, 0, 0, 0], [1, 2, 3, 2], horizon=2)
    assert record.statistic == pytest.approx(2 / (0.5 / 4) ** 0.5 * 0.375**0.5)
    assert (record.n, record.df, record.estimate, record.autocorrelation) == (4, 3, 2, -0.5)


@pytest.mark.parametrize("horizon", HORIZONS)
def test_it_is_the_formula_term_by_term(horizon):
    for seed in range(5):
        a, b = losses(seed)
        assert diebold_mariano_test(a, b, horizon=horizon).statistic == pytest.approx(by_hand(a, b, horizon), rel=1e-9)


@pytest.mark.parametrize("horizon", HORIZONS)
def test_the_variance_is_that_of_statsmodels(horizon):
    a, b = losses(3)
    d, n = b - a, len(a)
    factor = (n + 1 - 2 * horizon + horizon * (horizon - 1) / n) / n
    equal = S_hac_simple(d - d.mean(), nlags=horizon - 1, weights_func=lambda lags: np.ones(lags + 1))
    record = diebold_mariano_test(a, b, horizon=horizon)
    assert record.standard_error**2 == pytest.approx(float(equal.squeeze()) / n**2 / factor, rel=1e-9)


def test_a_variance_that_is_not_positive_takes_bartletts_weights_and_says_so():
    d = np.tile([1.0, -0.8], 20) + 0.001 * np.arange(40)
    record = diebold_mariano_test(np.zeros(40), d, horizon=2)
    centred = d - d.mean()
    variance = (centred @ centred + 2 * centred[1:] @ centred[:-1] / 2) / 40
    assert centred @ centred + 2 * centred[1:] @ centred[:-1] < 0
    assert record.weights == "Bartlett"
    assert "APPROXIMATE" in codes(record)
    assert record.standard_error == pytest.approx((variance / 40 / ((40 - 2) * (40 - 1) / 40**2)) ** 0.5)
    assert float(S_hac_simple(centred, nlags=1).squeeze()) / 40 == pytest.approx(variance)  # statsmodels' Bartlett


def test_with_horizon_1_it_is_the_paired_t_test():
    a, b = losses(0)
    one, other = diebold_mariano_test(a, b, horizon=1), paired_t_test(b, a)
    for field in ("statistic", "pvalue", "df", "estimate", "standard_error", "effect_size", "n"):
        assert getattr(one, field) == pytest.approx(getattr(other, field), rel=1e-9)


# ---- laws


@pytest.mark.parametrize("horizon", VARIANCES)
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_swapping_the_models_mirrors_the_result_and_its_interval(horizon, alternative):
    a, b = losses(1)
    other = {"two-sided": "two-sided", "greater": "less", "less": "greater"}[alternative]
    one = diebold_mariano_test(a, b, horizon=horizon, alternative=alternative)
    two = diebold_mariano_test(b, a, horizon=horizon, alternative=other)
    assert (two.estimate, two.statistic) == pytest.approx((-one.estimate, -one.statistic))
    assert two.pvalue == pytest.approx(one.pvalue)
    ours, theirs = one.confidence_interval(), two.confidence_interval()
    assert (theirs.low, theirs.high) == pytest.approx((-ours.high, -ours.low))


@pytest.mark.parametrize("horizon", VARIANCES)
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_p_is_below_alpha_exactly_when_the_interval_leaves_out_the_null(horizon, alternative):
    for seed in range(6):
        for null in (0.0, 0.2):
            record = diebold_mariano_test(*losses(seed), horizon=horizon, alternative=alternative, null=null)
            for alpha in (0.001, 0.05, 0.5):
                interval = record.confidence_interval(1 - alpha)
                assert (record.pvalue < alpha) == (not interval.low <= null <= interval.high)


@pytest.mark.parametrize("horizon", VARIANCES)
def test_a_model_never_differs_from_itself(horizon):
    a, _ = losses(0)
    record = diebold_mariano_test(a, a, horizon=horizon)
    assert (record.pvalue, record.statistic, record.estimate) == (1, 0, 0)
    assert codes(record)[-1:] == ["NO_DIFFERENCE"]
    assert diebold_mariano_test(a, a + 1, horizon=horizon).pvalue == 0  # the same everywhere
    assert "ZERO_VARIANCE" in codes(diebold_mariano_test(a, a + 1, horizon=horizon))


def test_the_model_with_the_smaller_losses_is_favoured():
    a, b = losses(0, effect=2.0)
    record = diebold_mariano_test(a, b)
    assert record.estimate > 0
    assert record.pvalue < 0.001
    assert str(record).startswith("a is significantly better than b: a - b is +")


def test_the_order_matters_beyond_one_step_and_time_may_run_backwards():
    a, b = losses(0)
    order = np.random.default_rng(0).permutation(len(a))
    one = diebold_mariano_test(a, b, horizon=1)
    assert diebold_mariano_test(a[order], b[order], horizon=1).pvalue == pytest.approx(one.pvalue)
    for horizon in (None, 3):
        there = diebold_mariano_test(a, b, horizon=horizon)
        assert diebold_mariano_test(a[order], b[order], horizon=horizon).pvalue != pytest.approx(there.pvalue)
        assert diebold_mariano_test(a[::-1], b[::-1], horizon=horizon).pvalue == pytest.approx(there.pvalue)


def test_the_laws_of_every_record_and_units_do_not_matter():
    a, b = losses(0)
    record = assert_lawful(diebold_mariano_test, a, b, horizon=2)
    for unit in (1e-200, 1e6, 1e200):
        assert diebold_mariano_test(a * unit, b * unit, horizon=2).pvalue == pytest.approx(record.pvalue, rel=1e-9)


# ---- warnings


def test_one_time_tells_nothing():
    record = diebold_mariano_test([1.0], [2.0])
    assert np.isnan(record.pvalue)
    assert codes(record) == ["TOO_LITTLE_DATA"]


def autoregressive(rho, n, seed):
    d = np.random.default_rng(seed).normal(size=n)
    for t in range(1, n):
        d[t] = rho * d[t - 1] + (1 - rho**2) ** 0.5 * d[t]
    return d


def test_differences_that_stay_alike_are_named_with_the_size_that_was_measured():
    for seed in range(5):
        record = diebold_mariano_test(np.zeros(1000), autoregressive(0.95, 1000, seed))
        (warning,) = record.warnings
        assert warning.code == "TIME_ORDER"
        share, rho = re.match(
            r"(\d+)% of true nulls .* correlate by (\S+) from each of 1,000 times", warning.sentence
        ).groups()
        low, high = SIZES[f"correlation {rho}"]
        assert low - 0.01 < int(share) / 100 < high + 0.01
        assert abs(float(rho) - record.autocorrelation) <= min(
            abs(x - record.autocorrelation) for x in (0, 0.3, 0.7, 0.8, 0.9, 0.95)
        )
        independent = diebold_mariano_test(np.zeros(1000), autoregressive(0.0, 1000, seed + 10))
        assert not independent.warnings
        short = diebold_mariano_test(np.zeros(50), autoregressive(0.95, 50, seed), horizon=1)
        assert re.search(
            r"to the next \(horizon 1\); .* Without horizon= it allows for more\.", short.warnings[0].sentence
        )


@pytest.mark.parametrize(("n", "size"), [(50, 21), (200, 16), (1000, 10)])
def test_a_correlation_of_nine_tenths_has_a_size_of_its_own(n, size):
    """Neither the 8% of 0.7, which is no reason to warn, nor the 38% of 0.95."""
    records = (diebold_mariano_test(np.zeros(n), autoregressive(0.92, n, seed)) for seed in range(100))
    record = next(one for one in records if 0.87 < one.autocorrelation < 0.91)
    assert (
        f"{size}% of true nulls were rejected at 5% where differences correlate by 0.9 " in record.warnings[0].sentence
    )


def test_few_times_for_the_horizon_are_named():
    rng = np.random.default_rng(0)
    assert codes(diebold_mariano_test(np.zeros(99), rng.normal(size=99), horizon=5)) == ["APPROXIMATE"]
    assert not diebold_mariano_test(np.zeros(100), rng.normal(size=100), horizon=5).warnings
    assert not diebold_mariano_test(np.zeros(10), rng.normal(size=10)).warnings


@pytest.mark.parametrize("n", [2, 3, 4, 7])
def test_few_times_without_a_horizon_are_named(n, rng):
    assert "APPROXIMATE" in codes(diebold_mariano_test(np.zeros(n), rng.normal(size=n)))


@pytest.mark.parametrize("horizon", [None, 1, 3])
def test_other_training_sets_add_to_the_variance(horizon):
    a, b = losses(2)
    one, other = (diebold_mariano_test(a, b, horizon=horizon, training_variance=t) for t in (0, 3))
    assert other.standard_error == pytest.approx(2 * one.standard_error)
    assert (other.estimate, other.df) == (one.estimate, one.df)
    assert other.method.endswith(", corrected for the training sets)")
    with pytest.raises(ValueError, match=r"training_variance must be a number in \[0, inf\]; got -1"):
        diebold_mariano_test(a, b, training_variance=-1)


def test_the_shipped_sizes_are_near_the_level_without_correlations_only():
    for rho, most in (("0", 0.06), ("0.3", 0.06), ("0.7", 0.08)):
        assert SIZES[f"correlation {rho}"][1] < most
    assert SIZES["correlation 0, horizon 1"] == pytest.approx((0.05, 0.05), abs=0.009)  # four standard errors
    assert SIZES["correlation 0.95, horizon 1"][0] > 0.7
    assert SIZES["correlation 0.7, horizon 5"][1] < SIZES["correlation 0.7, horizon 1"][0]


def test_it_keeps_its_level_on_moving_averages_of_its_horizon():
    rng, n, rejected = np.random.default_rng(5), 300, 0
    for _ in range(400):
        shocks = rng.normal(size=n + 2)
        d = shocks[2:] + shocks[1:-1] + shocks[:-2]
        rejected += diebold_mariano_test(np.zeros(n), d, horizon=3).pvalue < 0.05
    assert 0.02 < rejected / 400 < 0.10


@pytest.mark.parametrize(("rho", "low", "high"), [(0.0, 0.023, 0.079), (0.7, 0.034, 0.096), (0.9, 0.114, 0.206)])
def test_without_a_horizon_it_keeps_its_level_where_losses_stay_alike(rho, low, high, rng):
    """Four standard errors from the measured 5.1%, 6.5% and 16%; the paired t test rejects 41% at 0.7."""
    n = 200
    rejected = 0
    for _ in range(1000):
        d = lfilter([1.0], [1.0, -rho], rng.normal(size=n + 50))[50:]
        rejected += diebold_mariano_test(np.zeros(n), d).pvalue < 0.05
    assert low < rejected / 1000 < high


# ---- losses that recur


def recurring(rng, n, period=12, phi=0.7):
    """Differences of mean 0 that follow those of the period before: equal models."""
    shocks = rng.normal(size=n + 30 * period)
    return lfilter([1.0], [1.0, *[0.0] * (period - 1), -phi], shocks)[30 * period :]


def test_means_of_whole_periods_are_the_test_of_these_means(rng):
    n, period = int(rng.integers(40, 200)), int(rng.integers(2, 9))
    a, b = rng.normal(size=(2, n)) ** 2
    whole = [[sum(loss[i : i + period]) / period for i in range(n % period, n, period)] for loss in (a, b)]
    for horizon in VARIANCES:
        found = diebold_mariano_test(a, b, period=period, horizon=horizon)
        wanted = diebold_mariano_test(*whole, horizon=horizon)
        assert (found.pvalue, found.estimate, found.df) == pytest.approx((wanted.pvalue, wanted.estimate, wanted.df))
        assert (found.n, found.period, wanted.period) == (n // period, period, 1)
    one = diebold_mariano_test(a, b, period=period, horizon=1)
    assert one.pvalue == pytest.approx(paired_t_test(whole[1], whole[0]).pvalue)
    assert one.method == f"Diebold-Mariano test (means of {period} times, horizon 1)"


def test_of_single_times_it_is_ljung_and_boxs_test(rng):
    """As in statsmodels: with horizon 1 the variance has no correlations, and the statistic has all of them."""
    for n in rng.integers(60, 180, size=60).tolist():
        d = recurring(rng, n, 12, phi=float(rng.choice([0.0, 0.3, 0.4])))
        record = diebold_mariano_test(np.zeros(n), d, horizon=1)
        if record.autocorrelation * n**0.5 > 2:
            continue
        pvalue, found = acorr_ljungbox(d, lags=n // 4).lb_pvalue.iloc[-1], acf(d, nlags=n // 4, fft=False)[1:]
        at = np.argmax(np.abs(found))
        told = [one.sentence for one in record.warnings if one.code == "TIME_ORDER"]
        assert bool(told) == (pvalue < 0.01 and found[at] > 0)
        if told:
            assert f"differences {at + 1} times apart correlate by {found[at]:.2f}" in told[0]


@pytest.mark.parametrize(("period", "n"), [(12, 120), (7, 365), (24, 480)])
def test_losses_that_recur_are_named_and_the_period_with_them(period, n, rng):
    told = [diebold_mariano_test(np.zeros(n), recurring(rng, n, period)).warnings for _ in range(20)]
    assert sum(any(one.code == "TIME_ORDER" for one in warnings) for warnings in told) >= 17  # 98% and more
    named = [one.sentence for warnings in told for one in warnings if f"test(period={period})" in one.sentence]
    assert len(named) >= 12


def test_independent_losses_and_those_that_alternate_are_not(rng):
    """Four standard errors above 3%, the most that was simulated for the 1% of the approximation."""
    for n in (20, 120, 1000):
        told = [codes(diebold_mariano_test(np.zeros(n), rng.normal(size=n))) for _ in range(100)]
        assert sum("TIME_ORDER" in one for one in told) <= 9
    assert not diebold_mariano_test(np.zeros(240), recurring(rng, 240, 12, phi=-0.7)).warnings


def test_means_of_periods_reject_far_less_where_losses_recur(rng):
    """Lag 12, 120 times, correlation .7, 5%: 42% of single times and 11% of means; 4 standard errors of 400 series."""
    rejected = np.zeros(2)
    for _ in range(400):
        d = recurring(rng, 120)
        rejected += [diebold_mariano_test(np.zeros(120), d, period=p).pvalue < 0.05 for p in (1, 12)]
    assert rejected[0] / 400 > 0.32
    assert rejected[1] / 400 < 0.18
