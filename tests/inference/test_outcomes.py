"""Reference values and laws of the tests on right and wrong answers, on ROC areas and on error rates.

The tests of whole metrics are in test_outcomes_metrics.py.
"""

import dataclasses
import itertools
import pickle
import re

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import optimize, stats
from sklearn.metrics import roc_auc_score
from statsmodels.stats import contingency_tables, proportion

from skcompare import procedures
from skcompare.inference import (
    cochran_q_test,
    delong_test,
    error_rate_test,
    fold_error_rate_test,
    mcnemar_test,
    paired_bootstrap,
    paired_metric_test,
    proportion_interval,
)
from tests.lawful import ALTERNATIVES, MIRRORED, assert_lawful, codes

pytestmark = pytest.mark.sampled

ALPHAS = (0.001, 0.01, 0.05, 0.1, 0.5, 0.9)
MCNEMAR = ("midp", "exact", "chi2", "chi2_corrected")
ERROR_RATE = ("exact", "midp", "normal")
PROPORTION = ("wilson", "clopper_pearson", "jeffreys", "agresti_coull", "wald")

# Rows of right (1) and wrong (0) of three models
TWELVE_ROWS = [
    [int(x) for x in row]
    for row in ("111", "110", "101", "111", "100", "110", "010", "110", "100", "100", "111", "000")
]
# Labels and scores of two models
ELEVEN = (
    [1] * 5 + [0] * 6,
    [0.9, 0.8, 0.7, 0.55, 0.4, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1],
    [0.8, 0.6, 0.65, 0.3, 0.5, 0.7, 0.5, 0.45, 0.2, 0.35, 0.1],
)
# Error rates of ten folds
TEN_RATES = [0.01, 0.02, 0, 0.015, 0.01, 0.005, 0.02, 0.01, 0, 0.01]

flags = st.integers(1, 40).flatmap(lambda n: st.tuples(*[arrays(np.bool_, n)] * 2))


def table(b, c, both=59, neither=5):
    """Outcomes with `b` samples that a alone gets right and `c` that b alone does."""
    return [1] * both + [1] * b + [0] * c + [0] * neither, [1] * both + [0] * b + [1] * c + [0] * neither


def limits(interval):
    return interval.low, interval.high


# McNemar


@pytest.mark.parametrize(
    ("b", "c", "corrected", "plain", "exact", "midp"),
    [
        # statsmodels 0.15.0 mcnemar (corrected, plain: statistic and p; exact: p) on 100 samples; the mid-p value is
        # the exact one less the binomial probability of b from scipy 1.17.1 (Fagerland, Lydersen and Laake 2013)
        (25, 11, (4.694444, 0.0302603), (5.444444, 0.0196307), 0.0288167, 0.0200739),
        (10, 2, (4.083333, 0.0433081), (5.333333, 0.0209213), 0.0385742, 0.0224609),
        (15, 5, (4.05, 0.0441713), (5.0, 0.0253473), 0.0413895, 0.0266037),
    ],
)
def test_mcnemar_agrees_with_statsmodels(b, c, corrected, plain, exact, midp):
    results = {method: mcnemar_test(*table(b, c), method=method) for method in MCNEMAR}
    for method, (statistic, pvalue) in {"chi2_corrected": corrected, "chi2": plain}.items():
        assert results[method].statistic == pytest.approx(statistic, abs=5e-7)
        assert results[method].pvalue == pytest.approx(pvalue, abs=5e-8)
    assert results["exact"].pvalue == pytest.approx(exact, abs=5e-8)
    assert results["midp"].pvalue == pytest.approx(midp, abs=5e-8)
    assert all((r.only_a_correct, r.only_b_correct, r.n_discordant) == (b, c, b + c) for r in results.values())


def test_mcnemar_on_the_airway_data():
    # Bentur et al. (2009) as given by Fagerland, Lydersen and Laake (2013), table 1: 1 and 7 discordant of 21. By hand:
    # exact 2 (1 + 8) / 256, mid-p 2 (1 + 8 / 2) / 256. Tango's interval: R package ratesci, source of pairbinci,
    # (-0.517, -0.026)
    a, b = table(1, 7, both=1, neither=12)
    assert mcnemar_test(a, b, method="exact").pvalue == pytest.approx(18 / 256)
    result = mcnemar_test(a, b)
    assert result.pvalue == pytest.approx(10 / 256)
    assert limits(result.confidence_interval()) == pytest.approx((-0.517, -0.026), abs=5e-4)


def test_tango_interval_agrees_with_propcis():
    # R package PropCIs, scoreci.mp(25, 28, 618) at 90%, for (28 - 25) / 618: -0.0148, 0.0247
    result = mcnemar_test(*table(28, 25, both=500, neither=65))
    assert result.n == 618
    assert limits(result.confidence_interval(0.9)) == pytest.approx((-0.0148, 0.0247), abs=5e-5)


def test_equal_discordant_counts_are_no_evidence():
    # the correction is clamped at 0: mlxtend 0.25.0 mcnemar gives (|0| - 1)^2 / 10 = 0.1 here
    for method in MCNEMAR:
        assert mcnemar_test(*table(5, 5), method=method).pvalue == 1
    assert mcnemar_test(*table(5, 5), method="chi2_corrected").statistic == 0


def test_one_discordant_sample():
    # by hand: chi-squared 1 (p from tables 0.317311), corrected 0, exact 1, mid-p 2 (1/2) / 2
    assert mcnemar_test(*table(1, 0), method="chi2").pvalue == pytest.approx(0.317311, abs=5e-7)
    assert mcnemar_test(*table(1, 0), method="chi2_corrected").pvalue == 1
    assert mcnemar_test(*table(1, 0), method="exact").pvalue == 1
    assert mcnemar_test(*table(1, 0), method="midp").pvalue == 0.5


def test_mcnemar_effects_and_intervals():
    # D = .14; Wald: .14 -+ 1.959964 sqrt(36 - 196 / 100) / 100; g = 25/36 - 1/2; odds ratio 25/11, its interval
    # p / (1 - p) with p from scipy 1.17.1 binomtest(25, 36).proportion_ci()
    result = mcnemar_test(*table(25, 11))
    assert result.estimate == pytest.approx(0.14)
    assert limits(result.wald_interval()) == pytest.approx((0.0256482, 0.2543518), abs=5e-8)
    assert result.effect_size == pytest.approx(0.194444, abs=5e-7)
    assert result.odds_ratio == pytest.approx(25 / 11)
    share = stats.binomtest(25, 36).proportion_ci()
    odds = (share.low / (1 - share.low), share.high / (1 - share.high))
    assert limits(result.odds_ratio_interval()) == pytest.approx(odds)
    assert odds == pytest.approx((1.0786968, 5.1171813), abs=5e-8)


def score_of_a_difference(b, c, n, difference):
    """Tango's statistic, with the likelihood under the given difference maximised numerically."""
    low, high = max(0.0, -difference), (1 - difference) / 2

    def loss(q):
        cells = [(b, q + difference), (c, q), (n - b - c, 1 - 2 * q - difference)]
        return -sum(count * np.log(max(p, 1e-300)) for count, p in cells if count)

    q = optimize.minimize_scalar(loss, bounds=(low, high), method="bounded", options={"xatol": 1e-12}).x
    return (b - c - n * difference) / (n * (2 * q + difference * (1 - difference))) ** 0.5


@pytest.mark.parametrize(
    ("b", "c", "n"), [(25, 11, 100), (1, 7, 21), (3, 3, 50), (5, 0, 20), (40, 20, 160), (9, 8, 17)]
)
@pytest.mark.parametrize("level", [0.5, 0.9, 0.99])
def test_the_score_statistic_at_both_limits_of_the_tango_interval_is_the_quantile(b, c, n, level):
    interval = mcnemar_test(*table(b, c, both=n - b - c, neither=0)).confidence_interval(level)
    z = stats.norm.ppf((1 + level) / 2)
    assert score_of_a_difference(b, c, n, interval.low) == pytest.approx(z, abs=1e-5)
    assert score_of_a_difference(b, c, n, interval.high) == pytest.approx(-z, abs=1e-5)


def test_tango_interval_without_discordant_samples_has_a_width():
    # with b = c = 0 the statistic is n D / sqrt(n (|D| - D^2)), so that |D| = z^2 / (n + z^2)
    interval = mcnemar_test([1] * 50, [1] * 50).confidence_interval()
    end = stats.norm.ppf(0.975) ** 2 / (50 + stats.norm.ppf(0.975) ** 2)
    assert limits(interval) == pytest.approx((-end, end))


@pytest.mark.parametrize(("b", "c"), [(25, 11), (11, 25), (3, 0), (0, 3), (4, 4)])
def test_one_sided_tails(b, c):
    # the exact tails are scipy's binomtest; the chi-squared ones are those of the signed root
    for alternative in ("greater", "less"):
        peer = stats.binomtest(b, b + c, alternative=alternative).pvalue
        assert mcnemar_test(*table(b, c), method="exact", alternative=alternative).pvalue == pytest.approx(peer)
        sign = 1 if alternative == "greater" else -1
        root = (b - c) / (b + c) ** 0.5
        plain = mcnemar_test(*table(b, c), method="chi2", alternative=alternative).pvalue
        assert plain == pytest.approx(stats.norm.sf(sign * root))
        corrected = mcnemar_test(*table(b, c), method="chi2_corrected", alternative=alternative).pvalue
        assert corrected == pytest.approx(stats.norm.sf((sign * (b - c) - 1) / (b + c) ** 0.5))
        midp = mcnemar_test(*table(b, c), alternative=alternative).pvalue
        assert midp == pytest.approx(peer - stats.binom.pmf(b, b + c, 0.5) / 2)


@pytest.mark.parametrize("method", MCNEMAR)
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_models_that_are_right_on_the_same_samples_do_not_differ(method, alternative):
    for correct in ([1, 0, 1], [1], [0], [1] * 30):
        result = mcnemar_test(correct, correct, method=method, alternative=alternative)
        assert (result.statistic, result.pvalue, result.estimate, result.effect_size) == (0, 1, 0, 0)
        assert codes(result) == ["NO_DIFFERENCE"]
        assert result.odds_ratio == 1
        interval, odds = result.confidence_interval(), result.odds_ratio_interval()
        assert interval.low <= 0 <= interval.high
        assert limits(odds) == (0, np.inf)
        assert limits(result.wald_interval()) in [(0, 0), (-np.inf, 0), (0, np.inf)]


@settings(deadline=None)
@example(outcomes=(np.array([False]), np.array([True])), level=0.1)
@given(outcomes=flags, level=st.sampled_from([1 - alpha for alpha in ALPHAS]))
def test_mcnemar_and_its_intervals_agree(outcomes, level):
    """Tango's interval inverts the plain chi-squared test and the odds ratio's the exact one, at every level.

    Mid-p and corrected values have no interval here that inverts them.
    """
    for alternative in ALTERNATIVES:
        plain, exact = (mcnemar_test(*outcomes, method=m, alternative=alternative) for m in ("chi2", "exact"))
        interval, odds = plain.confidence_interval(level), exact.odds_ratio_interval(level)
        assert -1 <= max(interval.low, -1) <= min(interval.high, 1) <= 1
        assert 0 <= odds.low <= odds.high
        if abs(plain.pvalue - (1 - level)) > 1e-9 and plain.n_discordant:
            assert (plain.pvalue < 1 - level) == (not interval.low <= 0 <= interval.high)
        if abs(exact.pvalue - (1 - level)) > 1e-9 and exact.n_discordant:
            assert (exact.pvalue < 1 - level) == (not odds.low <= 1 <= odds.high)


@settings(deadline=None)
@given(outcomes=flags)
def test_mcnemar_is_never_nan_and_its_methods_are_ordered(outcomes):
    for alternative in ALTERNATIVES:
        p = {m: mcnemar_test(*outcomes, method=m, alternative=alternative).pvalue for m in MCNEMAR}
        assert all(0 <= value <= 1 for value in p.values())
        assert p["midp"] <= p["exact"]
        assert p["chi2"] <= p["chi2_corrected"]


@pytest.mark.parametrize("n", [60, 200, 1000])
@pytest.mark.parametrize(("discordant", "share"), [(5, 0.025), (20, 0.046)])
def test_mcnemar_rejects_as_rarely_as_its_guide_says_where_few_samples_tell_models_apart(n, discordant, share):
    """Exactly, over how many of the samples only one of two equal models has right."""

    def size(m):
        wins = np.arange(m + 1)
        pvalues = [mcnemar_test(np.arange(m) < k, np.arange(m) >= k).pvalue for k in wins] if m else [1.0]
        return stats.binom.pmf(wins, m, 0.5)[np.array(pvalues) < 0.05].sum()

    counts = np.arange(4 * discordant)
    exact = stats.binom.pmf(counts, n, discordant / n) @ [size(m) for m in counts.tolist()]
    assert exact == pytest.approx(share, abs=0.004)
    told = next(row for row in procedures() if row.name == "mcnemar_test").misleads
    assert f"{share:.1%}" in told


def test_mcnemar_says_when_it_cannot_reject_or_approximates_badly():
    assert codes(mcnemar_test(*table(5, 0), method="exact")) == ["CANNOT_REJECT"]
    assert codes(mcnemar_test(*table(6, 0), method="exact")) == []
    assert codes(mcnemar_test(*table(4, 0))) == ["CANNOT_REJECT"]
    assert codes(mcnemar_test(*table(5, 0))) == []
    for alternative in ("greater", "less"):
        assert codes(mcnemar_test(*table(4, 0), method="exact", alternative=alternative)) == ["CANNOT_REJECT"]
        assert codes(mcnemar_test(*table(5, 0), method="exact", alternative=alternative)) == []
    assert codes(mcnemar_test(*table(20, 4), method="chi2")) == ["APPROXIMATE"]
    assert codes(mcnemar_test(*table(20, 5), method="chi2")) == []


# Cochran's Q


def test_cochran_agrees_with_statsmodels():
    # statsmodels 0.15.0 cochrans_q: Q = 6.75, p = 0.0342181; Q of the first two columns 1.8
    result = cochran_q_test(TWELVE_ROWS)
    assert result.statistic == pytest.approx(6.75)
    assert result.pvalue == pytest.approx(0.0342181, abs=5e-8)
    assert result.accuracies == pytest.approx((10 / 12, 7 / 12, 4 / 12))
    assert (result.df, result.n, result.n_informative) == (2, 12, 8)
    assert cochran_q_test(np.array(TWELVE_ROWS)[:, :2]).statistic == pytest.approx(1.8)


def exact_by_brute_force(correct):
    """Share of all arrangements within rows whose column totals are at least as uneven."""
    rows = np.array(correct)
    ways = [sorted(set(itertools.permutations(row))) for row in rows.tolist()]
    squares = [(np.sum(arrangement, axis=0) ** 2).sum() for arrangement in itertools.product(*ways)]
    return np.mean(np.array(squares) >= (rows.sum(axis=0) ** 2).sum())


@pytest.mark.parametrize("seed", range(6))
def test_cochran_exact_is_the_enumeration_of_all_arrangements(seed):
    correct = (np.random.default_rng(seed).random((6, 3 + seed % 2)) < 0.6).astype(int)
    assert cochran_q_test(correct, method="exact").pvalue == pytest.approx(exact_by_brute_force(correct))


def test_cochran_exact_on_twelve_rows():
    # by enumeration, as above: 8 informative rows of three models, 3^8 = 6561 arrangements, 234 of them as uneven
    informative = [row for row in TWELVE_ROWS if 0 < sum(row) < 3]
    assert exact_by_brute_force(informative) == pytest.approx(234 / 6561)
    result = cochran_q_test(TWELVE_ROWS, method="exact")
    assert result.pvalue == pytest.approx(234 / 6561)
    assert (result.n_extreme, result.n_rearrangements) == (234, 6561)
    assert "234 of 6,561 rearrangements are as far out" in str(result).replace("\n", " ")
    assert "rearrangement" not in str(cochran_q_test(TWELVE_ROWS))
    assert "rearrangement" not in str(cochran_q_test(np.ones((4, 3)), method="exact"))
    assert (result.method, cochran_q_test(TWELVE_ROWS).method) == (
        "Cochran's Q test, exact",
        "Cochran's Q test, chi-squared",
    )


@settings(deadline=None)
@given(outcomes=flags)
def test_cochran_of_two_models_is_mcnemar(outcomes):
    columns = np.column_stack(outcomes)
    q, plain = cochran_q_test(columns), mcnemar_test(*outcomes, method="chi2")
    assert (q.statistic, q.pvalue) == pytest.approx((plain.statistic, plain.pvalue), rel=1e-12, abs=1e-300)
    exact, binomial = cochran_q_test(columns, method="exact"), mcnemar_test(*outcomes, method="exact")
    assert exact.pvalue == pytest.approx(binomial.pvalue, rel=1e-9)


@given(
    correct=st.tuples(st.integers(1, 25), st.integers(2, 6)).flatmap(lambda shape: arrays(np.bool_, shape)),
    seed=st.integers(0, 5),
)
def test_cochran_on_any_outcomes(correct, seed):
    rng = np.random.default_rng(seed)
    n, k = correct.shape
    for method in ("chi2", "exact"):
        result = cochran_q_test(correct, method=method)
        assert 0 <= result.pvalue <= 1
        assert 0 <= result.effect_size <= 1 + 1e-12
        shuffled = cochran_q_test(correct[rng.permutation(n)][:, rng.permutation(k)], method=method)
        assert (shuffled.statistic, shuffled.pvalue) == pytest.approx((result.statistic, result.pvalue))
        constant_rows = np.vstack([correct, np.ones((3, k), bool), np.zeros((2, k), bool)])
        assert cochran_q_test(constant_rows, method=method).pvalue == pytest.approx(result.pvalue)
    if result.n_informative:
        peer = contingency_tables.cochrans_q(correct.astype(int))
        chi2 = cochran_q_test(correct)
        assert (chi2.statistic, chi2.pvalue) == pytest.approx((peer.statistic, peer.pvalue))


@pytest.mark.parametrize("method", ["chi2", "exact"])
def test_models_that_are_all_right_on_the_same_samples_do_not_differ(method):
    for correct in ([[1, 1, 1]], [[0, 0], [1, 1]], np.ones((20, 4), bool)):
        result = cochran_q_test(correct, method=method)
        assert (result.statistic, result.pvalue, result.effect_size) == (0, 1, 0)
        assert codes(result) == ["NO_DIFFERENCE"]


def test_the_largest_q_has_effect_size_one():
    assert cochran_q_test([[1, 0, 0, 1]] * 7).effect_size == pytest.approx(1)


def test_cochran_says_when_it_approximates_badly():
    assert codes(cochran_q_test([[1, 0, 0]] * 7)) == ["APPROXIMATE"]
    assert codes(cochran_q_test([[1, 0, 0]] * 8)) == []
    assert codes(cochran_q_test([[1, 0, 0]] * 7, method="exact")) == []


@pytest.mark.parametrize("bad", [[1, 0, 1], [[1], [0]], [[[1, 0]]], [], [[0.5, 1]], [[np.nan, 1]], "good", None])
def test_cochran_refuses_bad_outcomes_by_name(bad):
    with pytest.raises(ValueError, match=r"^correct must "):
        cochran_q_test(bad)


# DeLong


def brute_force_delong(y, a, b):
    """DeLong, DeLong and Clarke-Pearson (1988), equations 1 to 6, with all pairs."""
    y = np.asarray(y, dtype=bool)
    components = []
    for scores in (np.asarray(a), np.asarray(b)):
        difference = np.subtract.outer(scores[y], scores[~y])
        psi = (np.sign(difference) + 1) / 2
        components.append((psi.mean(), psi.mean(axis=1), psi.mean(axis=0)))
    areas, v10, v01 = zip(*components, strict=True)
    s = np.cov(v10) / y.sum() + np.cov(v01) / (~y).sum()
    return areas, s


def test_delong_agrees_with_all_pairs_by_hand():
    # psi over all 30 pairs by DeLong, DeLong and Clarke-Pearson (1988), evaluated with numpy 2.4.6; the same from
    # fastDeLong of yandexdataschool/roc_comparison: areas .8833333 and .75, variance .016, z = 1.0540926, p = .2918405
    result = delong_test(*ELEVEN)
    assert (result.auc_a, result.auc_b) == pytest.approx((0.8833333, 0.75), abs=5e-8)
    assert result.standard_error == pytest.approx(0.016**0.5)
    assert (result.standard_error_a**2, result.standard_error_b**2) == pytest.approx((0.01094444, 0.027), abs=5e-9)
    assert result.statistic == pytest.approx(1.0540926, abs=5e-8)
    assert result.pvalue == pytest.approx(0.2918405, abs=5e-8)
    assert (result.n, result.n_positive, result.n_negative) == (11, 5, 6)


@pytest.mark.parametrize("seed", range(20))
def test_delong_is_its_brute_force_twin(seed):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(40) < rng.integers(2, 39))
    # few distinct values, so that there are ties
    a, b = (np.round(rng.normal(size=40) + y, seed % 3) for _ in range(2))
    areas, s = brute_force_delong(y, a, b)
    result = delong_test(y, a, b)
    assert (result.auc_a, result.auc_b) == pytest.approx(areas, rel=1e-12)
    assert (result.standard_error_a**2, result.standard_error_b**2) == pytest.approx(np.diag(s), rel=1e-10)
    assert result.standard_error**2 == pytest.approx(s[0, 0] + s[1, 1] - 2 * s[0, 1], rel=1e-10)


@pytest.mark.parametrize("seed", range(5))
def test_the_area_is_that_of_mann_whitney_and_of_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    y = np.arange(60) % 3 == 0
    a, b = (np.round(rng.normal(size=60) + y, 1) for _ in range(2))
    result = delong_test(y, a, b)
    for scores, area in ((a, result.auc_a), (b, result.auc_b)):
        u = stats.mannwhitneyu(scores[y], scores[~y]).statistic
        assert area == pytest.approx(u / (20 * 40), rel=1e-12)
        assert area == pytest.approx(roc_auc_score(y, scores), rel=1e-12)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_delong_interval_inverts_the_test(alternative):
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    for _ in range(30):
        result = delong_test(y, rng.normal(size=60) + y, rng.normal(size=60) + y, alternative=alternative)
        for alpha in ALPHAS:
            interval = result.confidence_interval(1 - alpha)
            assert (result.pvalue < alpha) == (not interval.low <= 0 <= interval.high)


def interval_of(area, m, n, level):
    of_area = dataclasses.replace(delong_test(*ELEVEN), auc_a=area, n_positive=m, n_negative=n)
    return of_area.auc_intervals(level)[0]


@pytest.mark.parametrize(
    ("area", "m", "n", "low", "high"),
    [
        (0.9, 20, 20, 0.746511, 0.962097),
        (0.9, 13, 487, 0.770749, 0.957378),
        (0.97, 20, 980, 0.899050, 0.991029),
        (1.0, 15, 15, 0.864758, 1.0),
    ],
)
def test_the_intervals_of_the_areas_are_those_of_newcombe(area, m, n, low, high):
    """Newcombe (2006), method 5, to six digits: its equation solved by scipy 1.17's `brentq` on either side of A."""
    found = interval_of(area, m, n, 0.95)
    assert limits(found) == pytest.approx((low, high), abs=6e-7)
    mirrored = interval_of(1 - area, n, m, 0.95)
    assert limits(mirrored) == pytest.approx((1 - high, 1 - low), abs=6e-7)


@given(m=st.integers(1, 10**6), n=st.integers(1, 10**6), share=st.floats(0, 1), level=st.floats(0.1, 1 - 1e-9))
def test_the_limits_of_an_area_solve_the_equation(m, n, share, level):
    area = round(share * m * n) / (m * n)
    z, more = stats.norm.ppf((1 + level) / 2), (m + n) / 2 - 1
    found = interval_of(area, m, n, level)
    assert 0 <= found.low <= area <= found.high <= 1
    for t in limits(found):
        variance = t * (1 - t) / (m * n) * (1 + more * (1 - t) / (2 - t) + more * t / (1 + t))
        assert (area - t) ** 2 == pytest.approx(z**2 * variance, rel=1e-5, abs=1e-13)
    assert (found.low == 0) == (area == 0)
    assert (found.high == 1) == (area == 1)


def test_any_two_labels_and_either_one_as_positive():
    y, a, b = ELEVEN
    result = delong_test(y, a, b)
    for labels in (("cat", "dog"), (-1, 1), (False, True), (2.5, 7.0)):
        named = np.array(labels)[y]
        assert delong_test(named, a, b) == result
        assert delong_test(named.tolist(), a, b, positive=labels[1]) == result
        other = delong_test(named, a, b, positive=labels[0])
        assert (other.auc_a, other.auc_b) == pytest.approx((1 - result.auc_a, 1 - result.auc_b))
        assert other.standard_error == pytest.approx(result.standard_error)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_equal_rankings_do_not_differ(alternative):
    y, a, _ = ELEVEN
    for other in (a, np.exp(a), 3 * np.array(a) + 7):
        result = delong_test(y, a, other, alternative=alternative)
        assert (result.statistic, result.pvalue, result.estimate, result.standard_error) == (0, 1, 0, 0)
        interval = result.confidence_interval()
        assert interval.low <= 0 <= interval.high
    constant = delong_test(y, [0.5] * 11, [1.0] * 11)
    assert (constant.pvalue, constant.auc_a, constant.standard_error) == (1, 0.5, 0)
    low, high = limits(constant.auc_intervals()[0])
    assert low < 0.5 < high


def test_perfect_separation_one_way_and_the_other():
    y = [0, 0, 0, 1, 1, 1]
    result = delong_test(y, [1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1])
    assert (result.estimate, result.statistic, result.pvalue, result.standard_error) == (1, np.inf, 0, 0)
    assert codes(result) == ["ZERO_VARIANCE"]
    assert limits(result.confidence_interval()) == (1, 1)
    assert result.auc_intervals()[0].low < 0.7
    assert delong_test(y, [1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1], alternative="less").pvalue == 1
    same = delong_test(y, [1, 2, 3, 4, 5, 6], [1, 2, 3, 14, 15, 16])
    assert (same.pvalue, codes(same)) == (1, ["NO_DIFFERENCE"])


def test_one_sample_of_a_class_is_too_few():
    result = delong_test([1, 0, 0], [0.3, 0.2, 0.1], [0.1, 0.2, 0.3])
    assert codes(result) == ["TOO_LITTLE_DATA"]
    assert np.isnan([result.pvalue, result.statistic, result.confidence_interval().low]).all()
    assert result.estimate == 1


@settings(deadline=None)
@given(
    y=st.lists(st.booleans(), min_size=4, max_size=30).filter(lambda y: 2 <= sum(y) <= len(y) - 2),
    data=st.data(),
)
def test_delong_on_any_scores(y, data):
    values = st.sampled_from([0.0, -0.0, 0.25, 0.5, 1.0, 1e308, -1e308, 5e-324])
    a, b = (data.draw(st.lists(values, min_size=len(y), max_size=len(y))) for _ in range(2))
    for alternative in ALTERNATIVES:
        result = delong_test(y, a, b, alternative=alternative)
        assert 0 <= result.pvalue <= 1
        interval = result.confidence_interval()
        assert interval.low <= result.estimate <= interval.high
        assert (result.pvalue < 0.05) == (not interval.low <= 0 <= interval.high)
    for area in result.auc_intervals():
        assert 0 <= area.low <= area.high <= 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1, 1, 1], [1, 2, 3], [1, 2, 3]), "y_true must hold two labels; got 1"),
        (([0, 1, 2], [1, 2, 3], [1, 2, 3]), "y_true must hold two labels; got 3"),
        (
            ([0, 1, None], [1, 2, 3], [1, 2, 3]),
            "y_true must not have missing or infinite values; got None",
        ),
        (([0, 1, np.nan], [1, 2, 3], [1, 2, 3]), "y_true must not have missing"),
        (([[0, 1]], [1, 2], [1, 2]), "y_true must have 1 dimension"),
        (([0, 1], [1, np.inf], [1, 2]), "score_a must be finite"),
        (([0, 1], [1, 2], [1, "x"]), "score_b must be an array of numbers"),
        (([0, 1, 1], [1, 2], [1, 2, 3]), "y_true, score_a and score_b must be paired, of one length; got 3, 2 and 3"),
        (([0, 1], [[1, 2]], [1, 2]), "score_a must have 1 dimension"),
    ],
)
def test_delong_refuses_bad_input_by_name(arguments, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        delong_test(*arguments)


def test_delong_refuses_a_positive_label_that_does_not_occur():
    with pytest.raises(ValueError, match=r"^positive must be one of the labels 0, 1; got 'yes'"):
        delong_test(*ELEVEN, positive="yes")


# Error rates


@pytest.mark.parametrize(
    ("errors", "n", "exact", "midp", "normal"),
    [
        # against 0.02, scipy 1.17.1: binom.cdf(e), (binom.cdf(e - 1) + binom.cdf(e)) / 2, and norm.cdf(z) with its z
        (1, 200, 0.0893755, 0.0534817, (-1.5152288, 0.0648572)),
        (0, 150, 0.0482960, 0.0241480, None),
        (3, 500, 0.0098122, None, (-2.2360680, 0.0126737)),
        (10, 1000, 0.0102365, None, None),
    ],
)
def test_error_rates_below_two_percent(errors, n, exact, midp, normal):
    result = error_rate_test(errors, n, threshold=0.02)
    assert result.pvalue == pytest.approx(exact, abs=5e-8)
    assert (result.statistic, result.n_errors, result.n, result.estimate) == (errors, errors, n, errors / n)
    if midp:
        assert error_rate_test(errors, n, threshold=0.02, method="midp").pvalue == pytest.approx(midp, abs=5e-8)
    if normal:
        result = error_rate_test(errors, n, threshold=0.02, method="normal")
        assert (result.statistic, result.pvalue) == pytest.approx(normal, abs=5e-8)


@pytest.mark.parametrize("errors", [0, 1, 7, 29, 30])
@pytest.mark.parametrize("threshold", [0.02, 0.5, 0.9])
def test_the_exact_tails_and_limits_are_those_of_scipy(errors, threshold):
    for alternative in ALTERNATIVES:
        result = error_rate_test(errors, 30, threshold=threshold, alternative=alternative)
        peer = stats.binomtest(errors, 30, threshold, alternative=alternative)
        if alternative != "two-sided":  # scipy's two-sided test orders outcomes by their probability
            assert result.pvalue == pytest.approx(peer.pvalue)
        interval = peer.proportion_ci(0.9)
        assert limits(result.confidence_interval(0.9)) == pytest.approx((interval.low, interval.high))


def test_the_number_of_errorless_samples_that_is_needed():
    # ceil(log .05 / log .98) = 149; mid-p has half the probability: ceil(log .1 / log .98) = 114; normal:
    # 1.644854^2 * 49 = 132.6
    assert [error_rate_test(0, 10, threshold=0.02, method=m).n_needed() for m in ERROR_RATE] == [149, 114, 133]
    assert error_rate_test(5, 10, threshold=0.02).n_needed(0.01) == 228  # ceil(log .01 / log .98)
    assert error_rate_test(0, 10, threshold=0.5).n_needed(0.125) == 4  # three give exactly 1/8, not less


@pytest.mark.parametrize("method", ERROR_RATE)
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("threshold", [0.01, 0.1, 0.5, 0.97])
@pytest.mark.parametrize("alpha", [0.001, 0.05, 0.6])
def test_the_number_needed_can_reject_and_one_less_cannot(method, alternative, threshold, alpha):
    def smallest_pvalue(n):
        return min(
            error_rate_test(errors, n, threshold=threshold, method=method, alternative=alternative).pvalue
            for errors in (0, n)
        )

    needed = error_rate_test(0, 1, threshold=threshold, method=method, alternative=alternative).n_needed(alpha)
    assert smallest_pvalue(needed) < alpha
    assert needed == 1 or smallest_pvalue(needed - 1) >= alpha


def test_error_rate_says_when_it_cannot_reject_or_approximates_badly():
    assert codes(error_rate_test(0, 148, threshold=0.02)) == ["CANNOT_REJECT"]
    assert codes(error_rate_test(0, 149, threshold=0.02)) == []
    assert codes(error_rate_test(0, 100, threshold=0.02, method="normal")) == ["CANNOT_REJECT", "APPROXIMATE"]
    assert codes(error_rate_test(0, 256, threshold=0.02, method="normal")) == []
    assert "149 can." in error_rate_test(0, 148, threshold=0.02).warnings[0]


def test_cohens_h():
    # Cohen (1988), chapter 6: h = 2 arcsin sqrt(p1) - 2 arcsin sqrt(p2); pi / 2 between 1/2 and 0
    assert error_rate_test(0, 10, threshold=0.5).effect_size == pytest.approx(-np.pi / 2)


@settings(deadline=None)
@given(
    n=st.one_of(st.integers(1, 30), st.integers(1, 10**6)),
    share=st.floats(0, 1),
    threshold=st.one_of(st.floats(0.001, 0.999), st.floats(1e-250, 1 - 1e-15)),
    alpha=st.sampled_from(ALPHAS),
)
def test_error_rate_tests_and_their_intervals_agree(n, share, threshold, alpha):
    errors = round(share * n)
    for method, alternative in itertools.product(ERROR_RATE, ALTERNATIVES):
        result = error_rate_test(errors, n, threshold=threshold, method=method, alternative=alternative)
        assert 0 <= result.pvalue <= 1
        assert result.n_needed() >= 1
        interval = result.confidence_interval(1 - alpha)
        assert 0 <= interval.low <= 1
        assert 0 <= interval.high <= 1
        nearest = min(abs(interval.low - threshold), abs(interval.high - threshold))
        if abs(result.pvalue - alpha) > 1e-9 and nearest > 1e-12:
            assert (result.pvalue < alpha) == (not interval.low <= threshold <= interval.high)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((-1, 10), {}, "n_errors must be an integer of at least 0; got -1"),
        ((11, 10), {}, "n_errors must be"),
        ((1.5, 10), {}, "n_errors must be an integer"),
        ((True, 10), {}, "n_errors must be an integer"),
        ((0, 0), {}, "n must be an integer of at least 1; got 0"),
        ((0, 10), {"threshold": 0}, "threshold must be a number in"),
        ((0, 10), {"threshold": 1}, "threshold must be a number in"),
        ((0, 10), {"threshold": np.nan}, "threshold must be a number in"),
        ((0, 10), {"method": "mid"}, "method must be one of"),
        ((0, 10), {"alternative": "lower"}, "alternative must be one of"),
    ],
)
def test_error_rate_refuses_bad_input_by_name(arguments, options, message):
    with pytest.raises(ValueError, match=f"(^|[?] ){message}"):
        error_rate_test(*arguments, **{"threshold": 0.02, **options})


def test_numpy_integers_are_counts():
    assert error_rate_test(np.int64(3), np.int32(500), threshold=np.float32(0.5)).n_errors == 3


# Error rates of folds


def test_fold_error_rates_below_two_percent():
    # scipy 1.17.1 ttest_1samp(rates, .02, alternative="less"): t = -4.4721360, p = .00077494
    result = fold_error_rate_test(TEN_RATES, threshold=0.02, test_fraction=0)
    assert (result.statistic, result.pvalue) == pytest.approx((-4.4721360, 0.00077494), abs=5e-8)
    assert (result.estimate, result.df, result.n) == (pytest.approx(0.01), 9, 10)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_without_overlap_the_fold_test_is_the_t_test_of_scipy(alternative):
    result = fold_error_rate_test(TEN_RATES, threshold=0.013, test_fraction=0, alternative=alternative)
    peer = stats.ttest_1samp(TEN_RATES, 0.013, alternative=alternative)
    assert (result.statistic, result.pvalue) == pytest.approx((peer.statistic, peer.pvalue))
    interval = peer.confidence_interval(0.9)
    expected = np.clip([interval.low, interval.high], 0, 1)
    assert limits(result.confidence_interval(0.9)) == pytest.approx(expected)


def test_the_overlap_of_training_sets_widens_the_standard_error():
    # Nadeau and Bengio (2003): 1/n + n2/n1 = 1/10 + 1/9 in place of 1/10
    plain, corrected = (fold_error_rate_test(TEN_RATES, threshold=0.02, test_fraction=f) for f in (0, 0.1))
    assert corrected.standard_error / plain.standard_error == pytest.approx(((1 / 10 + 1 / 9) / (1 / 10)) ** 0.5)
    assert corrected.pvalue > plain.pvalue


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_fold_test_and_interval_agree(alternative):
    rng = np.random.default_rng(0)
    for _ in range(30):
        rates = rng.beta(2, 30, (2, 5))
        result = fold_error_rate_test(rates, threshold=0.06, test_fraction=0.2, alternative=alternative)
        for alpha in ALPHAS:
            interval = result.confidence_interval(1 - alpha)
            assert (result.pvalue < alpha) == (not interval.low <= 0.06 <= interval.high)


def test_equal_error_rates():
    at, below = (fold_error_rate_test([rate] * 5, threshold=0.25, test_fraction=0.2) for rate in (0.25, 0.125))
    assert (at.statistic, at.pvalue, [said.split(":")[0] for said in at.warnings]) == (0, 1, ["NO_DIFFERENCE"])
    assert (below.statistic, below.pvalue, codes(below)) == (-np.inf, 0, ["ZERO_VARIANCE"])
    assert below.confidence_interval().high == 0.125


def test_one_fold_is_too_few():
    result = fold_error_rate_test([0.1], threshold=0.2, test_fraction=0.2)
    assert np.isnan(result.pvalue)
    assert codes(result) == ["TOO_LITTLE_DATA"]


@pytest.mark.parametrize(
    ("rates", "options", "message"),
    [
        ([0.1, 1.1], {}, r"error_rates must be in \[0, 1\]; got 1.1 at position 1"),
        ([0.1, np.nan], {}, "error_rates must be finite"),
        ([], {}, "error_rates must hold at least one value"),
        ([0.1, 0.2], {"test_fraction": 1}, "test_fraction must be a number in"),
        ([0.1, 0.2], {"threshold": 0}, "threshold must be a number in"),
        ([0.1, 0.2], {"alternative": "x"}, "alternative must be one of"),
    ],
)
def test_fold_error_rates_refuse_bad_input_by_name(rates, options, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        fold_error_rate_test(rates, **{"threshold": 0.02, "test_fraction": 0.1, **options})


# Intervals for proportions


@pytest.mark.parametrize(
    ("k", "n", "method", "expected"),
    [
        # statsmodels 0.15.0 proportion_confint, methods normal, wilson, beta, jeffreys and agresti_coull
        (94, 100, "wald", (0.8934534, 0.9865466)),
        (94, 100, "wilson", (0.8752318, 0.9722139)),
        (94, 100, "clopper_pearson", (0.8739701, 0.9776651)),
        (94, 100, "jeffreys", (0.8805253, 0.9745707)),
        (94, 100, "agresti_coull", (0.8726687, 0.9747770)),
        (10, 10, "wald", (1, 1)),
        (10, 10, "wilson", (0.7224672, 1)),
        (10, 10, "clopper_pearson", (0.6915029, 1)),
        (10, 10, "agresti_coull", (0.6791127, 1)),
        (1, 200, "wilson", (0.000883169, 0.0277737)),
        (1, 200, "clopper_pearson", (0.000126581, 0.0275419)),
    ],
)
def test_proportion_intervals_agree_with_statsmodels(k, n, method, expected):
    interval = proportion_interval(k, n, method=method)
    assert limits(interval) == pytest.approx(expected, abs=6e-8)


@pytest.mark.parametrize("method", PROPORTION)
@pytest.mark.parametrize("level", [0.5, 0.9, 0.99])
def test_proportion_intervals_are_those_of_statsmodels(method, level):
    names = {"wald": "normal", "clopper_pearson": "beta"}
    for n in (1, 2, 17, 1000):
        for k in {0, 1, n // 3, n - 1, n}:
            interval = proportion_interval(k, n, confidence_level=level, method=method)
            low, high = proportion.proportion_confint(k, n, alpha=1 - level, method=names.get(method, method))
            if method == "jeffreys":  # Brown, Cai and DasGupta (2001) put the ends at 0 and 1 here
                low, high = 0 if k == 0 else low, 1 if k == n else high
            assert limits(interval) == pytest.approx((low, high), abs=1e-12)


@settings(deadline=None)
@given(
    n=st.integers(1, 10**7), share=st.floats(0, 1), level=st.floats(0.001, 0.999), method=st.sampled_from(PROPORTION)
)
def test_proportion_intervals_lie_in_their_range_and_mirror(n, share, level, method):
    k = round(share * n)
    interval = proportion_interval(k, n, confidence_level=level, method=method)
    assert 0 <= interval.low <= interval.high <= 1
    mirror = proportion_interval(n - k, n, confidence_level=level, method=method)
    assert limits(mirror) == pytest.approx((1 - interval.high, 1 - interval.low), abs=1e-9)
    if method in ("wilson", "clopper_pearson", "wald"):
        assert interval.low - 1e-12 <= k / n <= interval.high + 1e-12


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((11, 10), {}, "n_successes must be at most n, which is 10; got 11"),
        ((-1, 10), {}, "n_successes must be an integer of at least 0"),
        ((0.5, 10), {}, "n_successes must be an integer"),
        ((0, 0), {}, "n must be an integer of at least 1"),
        ((1, 10), {"confidence_level": 1}, "confidence_level must be a number in"),
        ((1, 10), {"method": "wilsom"}, "did you mean 'wilson'\\? method must be one of"),
    ],
)
def test_proportion_interval_refuses_bad_input_by_name(arguments, options, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        proportion_interval(*arguments, **options)


# Laws of every procedure on two models


@dataclasses.dataclass(frozen=True)
class Case:
    """A procedure on the outcomes of two models; `kind` says what it takes of them."""

    name: str
    function: object
    kind: str
    options: dict = dataclasses.field(default_factory=dict)

    def outcomes(self, seed, n=60):
        """What the procedure takes before the two models, and the two models."""
        rng = np.random.default_rng(seed)
        y = rng.permutation(np.arange(n) % 2)
        score_a, score_b = rng.normal(size=n) + 1.5 * y, rng.normal(size=n) + y
        if self.kind == "scores":
            return (y,), score_a, score_b
        pred_a, pred_b = ((score > 0.5).astype(int) for score in (score_a, score_b))
        return ((), pred_a == y, pred_b == y) if self.kind == "correct" else ((y,), pred_a, pred_b)

    def run(self, given, a, b, **options):
        return self.function(*given, a, b, **{**self.options, **options})


def mean_agreement(y_true, y_pred):
    return float(np.mean(y_true == y_pred))


CASES = [
    *(Case(f"mcnemar {m}", mcnemar_test, "correct", {"method": m}) for m in MCNEMAR),
    Case("delong", delong_test, "scores"),
    *(
        Case(f"metric {m}", paired_metric_test, "predictions", {"metric": m})
        for m in ("accuracy", "precision", "recall", "f1", "balanced_accuracy", "mcc", "specificity")
    ),
    Case("metric drawn", paired_metric_test, "predictions", {"metric": "f1", "n_resamples": 99, "rng": 0}),
    Case("metric called", paired_metric_test, "predictions", {"metric": mean_agreement, "n_resamples": 99, "rng": 0}),
    Case("bootstrap f1", paired_bootstrap, "predictions", {"metric": "f1", "n_resamples": 200, "rng": 0}),
    Case("bootstrap called", paired_bootstrap, "predictions", {"metric": mean_agreement, "n_resamples": 99, "rng": 0}),
]
every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
# Draws go by position where a callable cannot be taken apart into counts: in another order the same draws fall on
# other samples, and only the distribution stays
by_count = pytest.mark.parametrize(
    "case", [c for c in CASES if not c.name.endswith("called")], ids=lambda case: case.name
)


def assert_same(actual, expected, rel=1e-12, abs=1e-12):  # noqa: A002
    assert type(actual) is type(expected)
    for field in filter(lambda one: one.compare, dataclasses.fields(actual)):
        x, y = getattr(actual, field.name), getattr(expected, field.name)
        if isinstance(x, (float, np.ndarray)):
            y = pytest.approx(y, rel=rel, abs=abs, nan_ok=True)
        assert np.all(x == y), field.name


@every_case
@pytest.mark.parametrize("seed", range(5))
def test_swapping_the_models_mirrors_the_result(case, seed):
    given_, a, b = case.outcomes(seed)
    for alternative in ALTERNATIVES:
        record = case.run(given_, a, b, alternative=alternative)
        mirror = case.run(given_, b, a, alternative=MIRRORED[alternative])
        assert mirror.pvalue == pytest.approx(record.pvalue, rel=1e-12)
        assert (mirror.estimate, mirror.effect_size) == pytest.approx((-record.estimate, -record.effect_size))
        assert mirror.standard_error == pytest.approx(record.standard_error)
        if hasattr(record, "confidence_interval"):
            interval, mirrored = record.confidence_interval(0.9), mirror.confidence_interval(0.9)
            assert limits(mirrored) == pytest.approx((-interval.high, -interval.low), rel=1e-6, abs=1e-12)


@every_case
def test_a_model_never_differs_from_itself(case):
    given_, a, _ = case.outcomes(0)
    for alternative in ALTERNATIVES:
        record = case.run(given_, a, a, alternative=alternative)
        assert (record.pvalue, record.estimate, record.statistic, record.effect_size) == (1, 0, 0, 0)
        if hasattr(record, "confidence_interval"):
            interval = record.confidence_interval()
            assert interval.low <= 0 <= interval.high


@by_count
def test_the_order_of_the_samples_is_irrelevant(case):
    given_, a, b = case.outcomes(0)
    order = np.random.default_rng(1).permutation(len(a))
    assert_same(case.run([x[order] for x in given_], a[order], b[order]), case.run(given_, a, b))


@every_case
def test_the_laws_of_every_record(case):
    given_, a, b = case.outcomes(0)
    record = assert_lawful(lambda a, b, *given_: case.run(given_, a, b), a, b, *given_)
    if hasattr(record, "confidence_interval"):
        assert pickle.loads(pickle.dumps(record)).confidence_interval(0.8) == record.confidence_interval(0.8)


@every_case
def test_unpaired_outcomes_are_refused_by_name(case):
    given_, a, b = case.outcomes(0)
    with pytest.raises(ValueError, match="must be paired, of one length; got "):
        case.run(given_, a, b[:-1])


@every_case
@pytest.mark.parametrize("alternative", ["bigger", "two_sided", None, 1])
def test_an_unknown_alternative_is_refused(case, alternative):
    with pytest.raises(ValueError, match=r"(^|[?] )alternative must be one of"):
        case.run(*case.outcomes(0), alternative=alternative)


@every_case
@pytest.mark.parametrize("level", [0, 1, 2, -0.5, np.nan, "x", None])
def test_a_confidence_level_outside_0_to_1_is_refused(case, level):
    record = case.run(*case.outcomes(0))
    for method in ("confidence_interval", "wald_interval", "odds_ratio_interval", "auc_intervals"):
        if hasattr(record, method):
            with pytest.raises(ValueError, match="confidence_level must be a number in"):
                getattr(record, method)(level)


@every_case
def test_every_warning_is_a_code_and_a_sentence(case):
    given_, a, b = case.outcomes(0)
    short, few = slice(4), slice(6)
    runs = [case.run(given_, a, a), case.run(given_, a, b), case.run([x[few] for x in given_], a[few], b[few])]
    if case.kind != "scores":
        runs.append(case.run([x[short] for x in given_], a[short], b[short]))
    for warning in itertools.chain(*(record.warnings for record in runs)):
        assert re.fullmatch(r"[A-Z]+(_[A-Z]+)*: \S.*\.", warning)


@pytest.mark.parametrize("name", ["correct_a", "correct_b"])
@pytest.mark.parametrize("bad", [[0, 2], [0.5, 1], [np.nan, 1], [[0, 1]], [], "good", None, ["x", "y"]], ids=repr)
def test_mcnemar_refuses_what_is_neither_right_nor_wrong_by_name(name, bad):
    arguments = {"correct_a": [0, 1], "correct_b": [0, 1]} | {name: bad}
    with pytest.raises(ValueError, match=f"^{name} must "):
        mcnemar_test(**arguments)
