"""Items in clusters: reference values, brute-force twins and special cases of every procedure that takes `clusters`."""

import dataclasses
import itertools
import time

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy import stats

from benchmarks.groups import members, outcomes, size_of_means
from skcompare.inference import cluster_t_test, paired_bootstrap, paired_metric_test, paired_t_test, permutation_test
from tests.lawful import ALTERNATIVES, FULL, MIRRORED, codes

BY_HAND = ([1, 1, 0, 1, 1, 1, 0, 1], [0, 0, 0, 1, 1, 0, 0, 0], ["x", "x", "y", "y", "z", "z", "w", "w"])


def f1(y, p):
    tp = np.sum((y == 1) & (p == 1))
    total = np.sum(y == 1) + np.sum(p == 1)
    return 2 * tp / total if total else 0.0


def limits(interval):
    return interval.low, interval.high


def against_zero(procedure, d, **options):
    return procedure(d, np.zeros_like(d), **options)


def same(record, other):
    """Whether two records agree to the bit, arrays too."""
    names = [field.name for field in dataclasses.fields(record) if field.compare and field.name != "n_clusters"]
    return all(np.array_equal(getattr(record, name), getattr(other, name)) for name in names)


def clustered(seed, n=60, n_clusters=12, spread=1.0):
    """Differences with effects of clusters of unequal sizes, none of them empty."""
    rng = np.random.default_rng(seed)
    clusters = rng.permutation(np.r_[np.arange(n_clusters), rng.integers(n_clusters, size=n - n_clusters)])
    return rng.normal(0.3, 1, n) + spread * rng.normal(size=n_clusters)[clusters], clusters


def predictions(seed, n=60, n_clusters=12):
    rng = np.random.default_rng(seed)
    _, clusters = clustered(seed, n, n_clusters)
    y = rng.integers(2, size=n)
    y[:2] = 0, 1
    return y, *(np.where(outcomes(rng, clusters, 0.3), y, 1 - y) for _ in range(2)), clusters


# The t test


def test_eight_items_in_four_clusters_by_hand():
    # d = 1 1 | 0 0 | 0 1 | 0 1, mean 1/2; sums of deviations 1, -1, 0, 0; variance 4/3 * 2 / 64 = 1/24, independent
    # (2/7) / 8 = 1/28. Mean squares: between 2 * (1/4 + 1/4) / 3 = 1/3, within (1/2 + 1/2) / 4 = 1/4, so that the
    # correlation is (1/3 - 1/4) / (1/3 + 1/4) = 1/7. 4 clusters are few, and one of 2 items is a quarter of 8, not more
    result = cluster_t_test(*BY_HAND[:2], clusters=BY_HAND[2])
    assert result.standard_error**2 == pytest.approx(1 / 24)
    assert result.statistic == pytest.approx(6**0.5)
    assert result.design_effect == pytest.approx(28 / 24)
    assert result.intraclass_correlation == pytest.approx(1 / 7)
    assert (result.n, result.n_clusters, result.df) == (8, 4, 3)
    assert codes(result) == ["TOO_LITTLE_DATA"]


def test_unequal_clusters_have_the_reference_values():
    # Bell and McCaffrey (2002), CR2 and Satterthwaite's degrees of freedom, of a constant fitted to these differences:
    # values that were computed apart from this code, by formulas that agree with R's clubSandwich
    d = [1, 0, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1, 0, -1, 0, 1, 1, 0, 1]
    result = against_zero(cluster_t_test, np.array(d), clusters=np.repeat(range(5), [1, 2, 3, 4, 10]))
    assert result.standard_error == pytest.approx(0.07995741901, rel=1e-9)
    assert result.df == pytest.approx(2.38083538084, rel=1e-9)
    assert result.pvalue == pytest.approx(0.01579570124, rel=1e-8)


@pytest.mark.parametrize("seed", range(5))
def test_unequal_clusters_are_cr2_by_matrices(seed):
    """Bell and McCaffrey (2002): residuals of each cluster times the inverse root of its part of I - H."""
    d, clusters = clustered(seed)
    x, n = np.ones((d.size, 1)), d.size
    hat = x @ x.T / n
    rows = []
    for cluster in range(clusters.max() + 1):
        own = clusters == cluster
        values, vectors = np.linalg.eigh((np.eye(n) - hat)[np.ix_(own, own)])
        rows.append((x[own].T @ vectors / values**0.5 @ vectors.T @ (np.eye(n) - hat)[own])[0] / n)
    of_rows = np.array(rows)
    result = against_zero(cluster_t_test, d, clusters=clusters)
    assert result.standard_error == pytest.approx(np.sum((of_rows @ d) ** 2) ** 0.5, rel=1e-9)
    spectrum = np.linalg.eigvalsh(of_rows @ of_rows.T)  # the variance is a sum of so many chi squares
    assert result.df == pytest.approx(spectrum.sum() ** 2 / np.sum(spectrum**2), rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("n_clusters", [10, 20])
def test_log_normal_clusters_keep_the_level(n_clusters, global_random_seed):
    # true sizes are 3.5% to 7%; the standard error of a share is 1.4% of 300 simulations and 0.4% of 4,000
    n_simulations = 4000 if FULL else 300
    error = 3 * (0.06 * 0.94 / n_simulations) ** 0.5
    size = size_of_means("normal", n_clusters, 0.5, n_simulations, equal=False, seed=global_random_seed)
    assert 0.035 - error < size < 0.07 + error


@pytest.mark.parametrize("seed", range(3))
def test_clusters_of_one_size_are_the_cluster_covariance_of_statsmodels(seed):
    # statsmodels 0.14: OLS on a constant, whose correction C / (C - 1) * (n - 1) / (n - 1) is the same
    d, clusters = clustered(seed)[0], np.random.default_rng(seed).permutation(60) % 12
    fit = sm.OLS(d, np.ones(d.size)).fit(
        cov_type="cluster", cov_kwds={"groups": clusters, "use_correction": True}, use_t=True
    )
    result = against_zero(cluster_t_test, d, clusters=clusters)
    found = (result.estimate, result.standard_error, result.pvalue, *limits(result.confidence_interval(0.9)))
    expected = (fit.params[0], fit.bse[0], fit.pvalues[0], *fit.conf_int(0.1)[0])
    assert found == pytest.approx(expected, rel=1e-9)
    assert result.df == pytest.approx(fit.df_resid_inference)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_one_item_per_cluster_is_the_paired_t_test(alternative):
    d, _ = clustered(0)
    record = against_zero(cluster_t_test, d, clusters=np.arange(d.size)[::-1], alternative=alternative)
    expected = against_zero(paired_t_test, d, alternative=alternative)
    for name in ("statistic", "pvalue", "df", "estimate", "standard_error", "effect_size"):
        assert getattr(record, name) == pytest.approx(getattr(expected, name), rel=1e-12)
    assert record.design_effect == pytest.approx(1)
    assert np.isnan(record.intraclass_correlation)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_clusters_of_one_size_are_the_t_test_on_their_sums(alternative):
    d = clustered(0)[0]
    record = against_zero(cluster_t_test, d, clusters=np.arange(60) % 12, alternative=alternative)
    sums = d.reshape(5, 12).sum(axis=0)
    peer = stats.ttest_1samp(sums, 0, alternative=alternative)
    assert (record.statistic, record.pvalue, record.df) == pytest.approx((peer.statistic, peer.pvalue, peer.df))
    assert record.standard_error == pytest.approx(stats.sem(sums) / 5)


def test_the_labels_decide_and_not_the_order_of_the_rows():
    d, clusters = clustered(0)
    expected = against_zero(cluster_t_test, d, clusters=clusters)
    order = np.random.default_rng(0).permutation(d.size)
    days = np.datetime64("2026-01-01") + clusters
    for labels in (clusters, -2.5 * clusters, clusters.astype(str), days):
        record = against_zero(cluster_t_test, d[order], clusters=labels[order])
        assert record.pvalue == pytest.approx(expected.pvalue, rel=1e-10)
        assert record.intraclass_correlation == pytest.approx(expected.intraclass_correlation, rel=1e-10)
    assert against_zero(cluster_t_test, d, clusters=list(days)).pvalue == expected.pvalue
    named = pd.Series(clusters, dtype="category").cat.rename_categories(lambda i: f"patient {i}")
    assert against_zero(cluster_t_test, d, clusters=named).pvalue == expected.pvalue
    assert against_zero(cluster_t_test, d, clusters=pd.to_datetime(pd.Series(days))).pvalue == expected.pvalue


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ([6] * 10, []),
        ([6] * 9, ["TOO_LITTLE_DATA"]),
        ([6] * 3, ["TOO_LITTLE_DATA"]),  # each is a third, as it must be
        ([6, 1, 1, 1], ["TOO_LITTLE_DATA", "TOO_LITTLE_DATA"]),
        ([10] + [2] * 20, []),
        ([20] + [2] * 20, ["TOO_LITTLE_DATA"]),  # a third of the items
        ([20] * 6 + [1] * 40, []),  # no more than 160**2 / 2440 = 10.5 equal ones
        ([20] * 6 + [1] * 14, ["TOO_LITTLE_DATA"]),  # no more than 134**2 / 2414 = 7.4
        ([60], ["TOO_LITTLE_DATA", "TOO_LITTLE_DATA"]),
    ],
)
def test_few_and_unequal_clusters_are_said_to_be(sizes, expected):
    clusters = np.repeat(np.arange(len(sizes)), sizes)
    d = np.random.default_rng(0).normal(size=clusters.size)
    assert codes(against_zero(cluster_t_test, d, clusters=clusters)) == expected
    y, right = np.arange(d.size) % 2, d > 0
    exchanged = paired_metric_test(y, np.where(right, y, 1 - y), 1 - y, "accuracy", clusters=clusters, n_resamples=99)
    drawn = paired_bootstrap(y, np.where(right, y, 1 - y), 1 - y, "accuracy", clusters=clusters, n_resamples=99, rng=0)
    flipped = against_zero(permutation_test, d, clusters=clusters)
    of_clusters = [code for code in expected if code != "TOO_LITTLE_DATA"]
    for record in (exchanged, drawn, flipped):
        assert [code for code in codes(record) if code.endswith("_CLUSTERS")] == of_clusters


def test_one_cluster_is_too_few():
    d, _ = clustered(0)
    record = against_zero(cluster_t_test, d, clusters=np.zeros(60))
    assert record.estimate == pytest.approx(d.mean())
    of_spread = (record.pvalue, record.df, record.design_effect, record.intraclass_correlation)
    assert np.isnan([*of_spread, *limits(record.confidence_interval())]).all()
    y, a, b, _ = predictions(0)
    bootstrap = paired_bootstrap(y, a, b, "f1", clusters=np.zeros(60), rng=0, n_resamples=9)
    assert codes(bootstrap) == ["TOO_LITTLE_DATA", "TOO_LITTLE_DATA"]
    assert np.isnan([bootstrap.pvalue, *limits(bootstrap.confidence_interval())]).all()
    assert paired_metric_test(y, a, b, "f1", clusters=np.zeros(60)).pvalue == 1
    assert against_zero(permutation_test, d, clusters=np.zeros(60)).pvalue == 1


def test_clusters_with_one_mean_do_not_vary():
    d, clusters = np.array([0.3, -0.1] * 12), np.repeat(np.arange(12), 2)
    assert codes(against_zero(cluster_t_test, d, clusters=clusters)) == ["ZERO_VARIANCE"]
    record = against_zero(cluster_t_test, d - d.mean(), clusters=clusters)
    assert (record.pvalue, record.statistic, record.design_effect) == (1, 0, 0)


# Exchanges of whole clusters


def all_exchanges(metric, y, a, b, clusters):
    differences = []
    for chosen in itertools.product([False, True], repeat=clusters.max() + 1):
        swap = np.array(chosen)[clusters]
        differences.append(metric(y, np.where(swap, b, a)) - metric(y, np.where(swap, a, b)))
    return np.array(differences)


def all_statistics(metric, y, a, b, clusters):
    found = []
    for chosen in itertools.product([False, True], repeat=clusters.max() + 1):
        swap = np.array(chosen)[clusters]
        exchanged = (np.where(swap, b, a), np.where(swap, a, b))
        found.append(paired_metric_test(y, *exchanged, metric, clusters=clusters).statistic)
    return np.array(found)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_all_exchanges_of_few_clusters_are_taken(alternative):
    y, a, b, clusters = predictions(1, n_clusters=8)
    differences, observed = all_exchanges(f1, y, a, b, clusters), f1(y, a) - f1(y, b)
    sides = {"two-sided": (abs(differences), abs(observed)), "greater": (differences, observed)}
    values, bound = sides.get(alternative, (-differences, -observed))
    of_function = np.mean(values >= bound - 1e-9)
    studentised = all_statistics("f1", y, a, b, clusters)
    t = paired_metric_test(y, a, b, "f1", clusters=clusters).statistic
    sides = {"two-sided": (abs(studentised), abs(t)), "greater": (studentised, t)}
    values, bound = sides.get(alternative, (-studentised, -t))
    for metric, share in (("f1", np.mean(values >= bound - 1e-6)), (f1, of_function)):
        record = paired_metric_test(y, a, b, metric, clusters=clusters, alternative=alternative)
        assert record.pvalue == pytest.approx(share)
        assert metric == "f1" or record.standard_error == pytest.approx(differences.std())
        assert (record.n, record.n_clusters, record.n_resamples) == (60, 8, 0)


def test_drawn_exchanges_of_clusters_approach_all():
    y, a, b, clusters = predictions(1, n=100, n_clusters=12)
    for metric in ("f1", f1):
        exact = paired_metric_test(y, a, b, metric, clusters=clusters)
        assert exact.n_resamples == 0
        error = (exact.pvalue * (1 - exact.pvalue) / 1999) ** 0.5
        drawn = paired_metric_test(y, a, b, metric, clusters=clusters, n_resamples=1999, rng=0)
        assert abs(drawn.pvalue - exact.pvalue) < 5 * error
        mirror = paired_metric_test(y, b, a, metric, clusters=clusters, n_resamples=1999, rng=0)
        assert mirror.pvalue == drawn.pvalue


@pytest.mark.parametrize("procedure", [paired_metric_test, paired_bootstrap])
def test_each_sample_its_own_cluster_is_no_cluster(procedure):
    y, a, b, _ = predictions(2)
    options = {"n_resamples": 99, "rng": 0}
    for metric in ("f1", "mcc"):
        own = procedure(y, a, b, metric, clusters=np.random.default_rng(0).permutation(60), **options)
        assert same(own, procedure(y, a, b, metric, **options))
        assert own.n_clusters == 60
    # a callable's draws go by the order of the labels
    own, none = (procedure(y, a, b, f1, clusters=clusters, **options) for clusters in (np.arange(60), None))
    assert own.pvalue == none.pvalue
    assert own.standard_error == none.standard_error


# Bootstrap of whole clusters


@pytest.mark.parametrize("metric", ["f1", f1])
def test_the_acceleration_is_that_of_the_jackknife_over_clusters(metric):
    y, a, b, clusters = predictions(3)
    left_out = np.array([f1(y[rest], a[rest]) - f1(y[rest], b[rest]) for rest in clusters != np.arange(12)[:, None]])
    influence = left_out.mean() - left_out
    acceleration = (influence**3).sum() / (6 * (influence**2).sum() ** 1.5)
    result = paired_bootstrap(y, a, b, metric, clusters=clusters, rng=0, n_resamples=50)
    assert result.acceleration == pytest.approx(acceleration, rel=1e-9)


def test_the_interval_agrees_with_scipys_bootstrap_over_clusters():
    # scipy's BCa bootstrap of the numbers of the clusters, with other draws
    y, a, b, clusters = predictions(4, n=200, n_clusters=40)
    of_each = [np.flatnonzero(clusters == i) for i in range(40)]

    def difference(drawn):
        rows = np.concatenate([of_each[i] for i in drawn])
        return f1(y[rows], a[rows]) - f1(y[rows], b[rows])

    peer = stats.bootstrap(
        (np.arange(40),), difference, vectorized=False, n_resamples=4000, rng=np.random.default_rng(0)
    )
    for metric, n_resamples in (("f1", 10_000), (f1, 2000)):
        result = paired_bootstrap(y, a, b, metric, clusters=clusters, rng=0, n_resamples=n_resamples)
        assert result.standard_error == pytest.approx(peer.standard_error, rel=0.1)
        expected = (peer.confidence_interval.low, peer.confidence_interval.high)
        assert limits(result.confidence_interval(method="bca")) == pytest.approx(
            expected, abs=0.3 * result.standard_error
        )


def test_the_accuracy_bootstrap_has_the_standard_error_of_the_t_test():
    # clusters of one size: the bootstrap divides by C where the t test divides by C - 1
    y, a, b, _ = predictions(5, n=400)
    clusters = np.arange(400) // 10
    result = paired_bootstrap(y, a, b, "accuracy", clusters=clusters, rng=0, n_resamples=20_000)
    of_means = cluster_t_test((a == y) * 1.0, (b == y) * 1.0, clusters=clusters)
    assert result.standard_error == pytest.approx(of_means.standard_error * (39 / 40) ** 0.5, rel=0.03)


# Sign flips of whole clusters


def by_brute_force(d, clusters, alternative):
    sums = np.bincount(clusters, weights=d)
    flipped = np.array(list(itertools.product((1, -1), repeat=sums.size))) @ sums
    sides = {"two-sided": (abs(flipped), abs(sums.sum())), "greater": (flipped, sums.sum())}
    values, bound = sides.get(alternative, (-flipped, -sums.sum()))
    return np.mean(values >= bound - 1e-9)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n_clusters", [7, 11])
def test_flipping_clusters_is_listing_the_signs_and_the_interval_inverts_it(alternative, n_clusters):
    d, clusters = clustered(n_clusters, n=40, n_clusters=n_clusters)
    record = against_zero(permutation_test, d, clusters=clusters, alternative=alternative)
    assert record.pvalue == by_brute_force(d, clusters, alternative)
    assert (record.estimate, record.n, record.n_clusters) == (pytest.approx(d.mean()), 40, n_clusters)
    interval = record.confidence_interval(0.9)
    for limit, outwards in ((interval.low, -1e-6), (interval.high, 1e-6)):
        if np.isfinite(limit):
            assert by_brute_force(d - limit - outwards, clusters, alternative) < 0.1
            assert by_brute_force(d - limit + outwards, clusters, alternative) >= 0.1
    for level in (0.3, 0.8, 0.95):
        interval = record.confidence_interval(level)
        assert (record.pvalue < 1 - level) == (not interval.low <= 0 <= interval.high)


def test_drawn_flips_of_clusters_approach_all():
    d, clusters = clustered(1)
    exact = against_zero(permutation_test, d, clusters=clusters)
    drawn = against_zero(permutation_test, d, clusters=clusters, n_resamples=20_000, rng=0)
    assert abs(drawn.pvalue - exact.pvalue) < 5 * (exact.pvalue * (1 - exact.pvalue) / 20_000) ** 0.5
    scale = 0.1 * (exact.confidence_interval().high - exact.confidence_interval().low)
    assert limits(drawn.confidence_interval()) == pytest.approx(limits(exact.confidence_interval()), abs=scale)


@pytest.mark.parametrize("n_resamples", [None, 99])
@pytest.mark.parametrize("digits", [0, 8])
def test_swapping_the_models_mirrors_the_flips_of_clusters(n_resamples, digits):
    for seed, alternative in itertools.product(range(4), ALTERNATIVES):
        d, clusters = clustered(seed)
        d = d.round(digits)  # many sums are then equal, or 0
        options = {"clusters": clusters, "n_resamples": n_resamples, "rng": seed}
        record = against_zero(permutation_test, d, alternative=alternative, **options)
        mirror = against_zero(permutation_test, -d, alternative=MIRRORED[alternative], **options)
        assert mirror.pvalue == record.pvalue
        interval, other = (x.confidence_interval(0.8) for x in (record, mirror))
        assert (other.low, other.high) == pytest.approx((-interval.high, -interval.low), rel=1e-9)


def test_each_pair_its_own_cluster_is_no_cluster():
    d = clustered(0, n=30)[0]
    for options in ({}, {"n_resamples": 99, "rng": 0}):
        own = against_zero(permutation_test, d, clusters=np.arange(30), **options)
        none = against_zero(permutation_test, d, **options)
        assert own.pvalue == none.pvalue
        assert limits(own.confidence_interval()) == pytest.approx(limits(none.confidence_interval()))
        assert "INDEPENDENCE" in codes(none)
        assert codes(own) == []


# Time, and the simulation behind the table of sizes


def test_ten_thousand_items_in_a_thousand_clusters_are_resampled_quickly():
    # measured on one core: 0.1 s and 0.6 s with clusters, below 0.03 s without
    rng = np.random.default_rng(0)
    y, clusters = rng.integers(2, size=10_000), rng.integers(1000, size=10_000)
    a, b = (np.where(rng.random(10_000) < 0.2, 1 - y, y) for _ in range(2))
    for procedure, given in itertools.product((paired_metric_test, paired_bootstrap), (None, clusters)):
        start = time.process_time()
        record = procedure(y, a, b, "f1", clusters=given, n_resamples=10_000, rng=0)
        assert time.process_time() - start < 2
        assert record.n_resamples == 10_000


@pytest.mark.parametrize("rho", [0.0, 0.5])
def test_the_simulated_outcomes_have_the_correlation_that_they_are_said_to_have(rho):
    clusters = members(20_000, 2000, unequal=False)
    assert np.bincount(clusters).tolist() == [10] * 2000
    rng = np.random.default_rng(0)
    record = cluster_t_test(*(outcomes(rng, clusters, rho) * 1.0 for _ in range(2)), clusters=clusters)
    assert record.intraclass_correlation == pytest.approx(rho, abs=0.05)
    assert record.design_effect == pytest.approx(1 + 9 * rho, rel=0.15)
    unequal = np.bincount(members(2000, 30, unequal=True))
    assert unequal.max() / unequal.min() == pytest.approx(9, rel=0.05)
