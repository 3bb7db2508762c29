"""Bradley-Terry models, prediction-powered means and Wald tests: reference values, laws, and what is refused."""

import time
import tracemalloc
from itertools import combinations

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats

from skcompare.inference import bradley_terry, cluster_t_test, prediction_powered_test, wald_test, welch_t_test

# Home team, away team, wins of either: American League 1987, Agresti (2002), Categorical Data Analysis, table 10.10;
# data/baseball.csv of the R package BradleyTerry2.
BASEBALL = """
Milwaukee,Detroit,4,3 Milwaukee,Toronto,4,2 Milwaukee,New_York,4,3 Milwaukee,Boston,6,1 Milwaukee,Cleveland,4,2
Milwaukee,Baltimore,6,0 Detroit,Milwaukee,3,3 Detroit,Toronto,4,2 Detroit,New_York,4,3 Detroit,Boston,6,0
Detroit,Cleveland,6,1 Detroit,Baltimore,4,3 Toronto,Milwaukee,2,5 Toronto,Detroit,4,3 Toronto,New_York,2,4
Toronto,Boston,4,3 Toronto,Cleveland,4,2 Toronto,Baltimore,6,0 New_York,Milwaukee,3,3 New_York,Detroit,5,1
New_York,Toronto,2,5 New_York,Boston,4,3 New_York,Cleveland,4,2 New_York,Baltimore,6,1 Boston,Milwaukee,5,1
Boston,Detroit,2,5 Boston,Toronto,3,3 Boston,New_York,4,2 Boston,Cleveland,5,2 Boston,Baltimore,6,0
Cleveland,Milwaukee,2,5 Cleveland,Detroit,3,3 Cleveland,Toronto,3,4 Cleveland,New_York,4,3 Cleveland,Boston,4,2
Cleveland,Baltimore,2,4 Baltimore,Milwaukee,2,5 Baltimore,Detroit,1,5 Baltimore,Toronto,1,6 Baltimore,New_York,2,4
Baltimore,Boston,1,6 Baltimore,Cleveland,3,4
"""
# summary() of BTm with Baltimore as the reference, with and without at.home; tests/baseball.Rout.save of BradleyTerry2.
WITHOUT_HOME = {
    "Boston": (1.1077, 0.3339, 0.000908),
    "Cleveland": (0.6839, 0.3319, 0.039345),
    "Detroit": (1.4364, 0.3396, 2.34e-05),
    "Milwaukee": (1.5814, 0.3433, 4.09e-06),
    "New_York": (1.2476, 0.3359, 0.000203),
    "Toronto": (1.2945, 0.3367, 0.000121),
}
WITH_HOME = {
    "Boston": (1.1438, 0.3378, 0.000710),
    "Cleveland": (0.7047, 0.3350, 0.035417),
    "Detroit": (1.4754, 0.3446, 1.85e-05),
    "Milwaukee": (1.6196, 0.3474, 3.13e-06),
    "New_York": (1.2813, 0.3404, 0.000167),
    "Toronto": (1.3271, 0.3403, 9.64e-05),
}
# Brands i and j of chocolate pudding, preferences for i, for j, and for neither: Davidson (1970), table 2.
PUDDING = """
1 2 19 22 16, 1 3 16 19 12, 2 3 19 19 10, 1 4 18 23 13, 2 4 23 19 9, 3 4 19 20 15, 1 5 13 19 18, 2 5 16 20 12,
3 5 16 15 17, 4 5 17 14 16, 1 6 18 21 12, 2 6 22 20 12, 3 6 13 18 10, 4 6 14 19 18, 5 6 11 21 12
"""


def repeated(rows):
    """Arrays of judgments, of rows of both sides, the winner and how often that was."""
    sides = [[x for row in rows for x in [row[i]] * row[3]] for i in range(3)]
    return [np.array(side) for side in sides]


def baseball():
    rows = [row.split(",") for row in BASEBALL.split()]
    return repeated([(a, b, (a, b)[i], int(n[i])) for a, b, *n in rows for i in (0, 1)])


def pudding():
    rows = [list(map(int, row.split())) for row in PUDDING.split(",")]
    winners = [("a", 0), ("b", 1), ("tie", 2)]
    return repeated([(f"brand {a}", f"brand {b}", what, n[i]) for a, b, *n in rows for what, i in winners])


def drawn(seed, n=400, k=5, ties=0.2):
    rng = np.random.default_rng(seed)
    strengths = rng.normal(0, 0.7, k)
    a = rng.integers(k, size=n)
    b = (a + rng.integers(1, k, size=n)) % k
    first = rng.random(n) < 1 / (1 + np.exp(strengths[b] - strengths[a]))
    winner = np.where(rng.random(n) < ties, 0.5, first)
    winner[: 2 * k] = 0.5  # so that all are connected
    a[: 2 * k], b[: 2 * k] = np.tile(np.arange(k), 2), np.tile((np.arange(k) + 1) % k, 2)
    return np.array([f"m{i}" for i in a]), np.array([f"m{i}" for i in b]), winner


def test_judges_of_unequal_diligence_tell_as_much_as_a_few():
    """The degrees of freedom of tests/inference/test_clusters.py, of equal clusters their number less 1."""
    judge = np.repeat(np.arange(5), [1, 2, 3, 4, 10])
    a, b, winner = np.full(20, "x"), np.full(20, "y"), np.arange(20) % 2
    assert bradley_terry(a, b, winner, clusters=judge).df == pytest.approx(2.38083538, abs=1e-8)
    assert bradley_terry(a, b, winner, clusters=np.arange(20) // 4).df == pytest.approx(4)
    labels = np.r_[winner - 0.5, np.full(20, np.nan)]
    found = prediction_powered_test(np.zeros(40), labels, clusters=np.r_[judge, np.arange(20) + 5])
    assert found.df == pytest.approx(2.38083538, abs=1e-8)


@pytest.mark.parametrize(("home", "known"), [(False, WITHOUT_HOME), (True, WITH_HOME)], ids=["neutral", "home"])
def test_the_baseball_season_has_the_published_estimates(home, known):
    found = bradley_terry(*baseball(), home=home)
    for team, (estimate, error, p) in known.items():
        test = found.difference(team, "Baltimore")
        assert test.estimate == pytest.approx(estimate, abs=6e-5)
        assert test.standard_error == pytest.approx(error, abs=6e-5)
        assert test.pvalue == pytest.approx(p, rel=5e-3)
    assert found.strengths.sum() == pytest.approx(0, abs=1e-9)
    if home:  # at.home of the same summary
        assert (found.home, found.home_error) == (pytest.approx(0.3023, abs=6e-5), pytest.approx(0.1309, abs=6e-5))


def test_ties_are_those_of_davidson():
    """Worths and the parameter of ties after seven steps, by PlackettLuce 0.4.3 (R) as in Davidson (1970), table 3."""
    found = bradley_terry(*pudding())
    worths = np.exp(found.strengths) / np.exp(found.strengths).sum()
    named = [worths[found.names.index(f"brand {i}")] for i in range(1, 7)]
    assert named == pytest.approx([0.1388005, 0.1729985, 0.1617420, 0.1653930, 0.1586805, 0.2023855], abs=3e-5)
    assert found.tie == pytest.approx(0.7468147, abs=3e-5)


def largest_likelihood(a, b, y, names, home):
    """The maximum of the likelihood as it is written down, judgment by judgment, by scipy's BFGS and its gradient."""
    i, j = (np.array([names.index(x) for x in side]) for side in (a, b))
    k = len(names)

    def log_odds(x):
        first = x[i] - x[j] + (x[k] if home else 0)
        return np.stack([np.zeros(len(i)), first / 2 + x[-1], first])

    def loss(x):
        eta = log_odds(x)
        return float((np.logaddexp.reduce(eta) - eta[(2 * y).astype(int), np.arange(len(i))]).sum()) + x[:k].sum() ** 2

    found = optimize.minimize(loss, np.zeros(k + home + 1), method="BFGS", options={"gtol": 1e-7})
    return found.x


@pytest.mark.parametrize("home", [False, True], ids=["neutral", "home"])
def test_estimates_maximise_the_likelihood(home, global_random_seed):
    a, b, y = drawn(global_random_seed)
    found = bradley_terry(a, b, y, home=home)
    x = largest_likelihood(a, b, y, found.names, home)
    assert found.strengths == pytest.approx(x[:5], abs=2e-5)
    assert np.log(found.tie) == pytest.approx(x[-1], abs=2e-5)
    if home:
        assert found.home == pytest.approx(x[5], abs=2e-5)


def root_of(matrix, power=0.5):
    """The symmetric root of a covariance matrix, or of its generalised inverse."""
    values, vectors = np.linalg.eigh(matrix)
    kept = values > 1e-9
    return vectors[:, kept] * values[kept] ** power @ vectors[:, kept].T


def cr2(x, residuals, clusters, contrast):
    """Variance and degrees of freedom of least squares by the definition of Bell and McCaffrey (2002), row by row.

    Every cluster's residuals are multiplied by the root of the inverse of their part of 1 - H.
    """
    bread = np.linalg.pinv(x.T @ x, rcond=1e-9, hermitian=True)
    left = np.eye(len(x)) - x @ bread @ x.T
    summands = []
    for c in np.unique(clusters):
        own = clusters == c
        summands.append(root_of(left[np.ix_(own, own)], -0.5) @ x[own] @ bread @ contrast @ left[own])
    summands = np.array(summands)
    products = summands @ summands.T
    return ((summands @ residuals) ** 2).sum(), np.trace(products) ** 2 / (products**2).sum()


def in_units(a, b, y, found):
    """Each judgment as two rows of a regression whose errors have unit variance, and their residuals."""
    k, home, tied = len(found.names), not np.isnan(found.home), found.tie > 0
    i, j = (np.array([found.names.index(x) for x in side]) for side in (a, b))
    lever = np.zeros((len(y), k + home + tied))
    lever[np.arange(len(y)), i], lever[np.arange(len(y)), j] = 1, -1
    lever[:, k : k + home] = 1
    of_ties = np.eye(1, lever.shape[1], lever.shape[1] - 1)[0] * tied
    win = found.strengths[i] - found.strengths[j] + (found.home if home else 0)
    odds = np.exp([np.zeros(len(y)), win / 2, win]) * [[1], [found.tie], [1]]
    known = {0: [0, 0], 1: [0.5, 1], 2: [1, 0]}
    rows, residuals = [], []
    for t, shares in enumerate((odds / odds.sum(axis=0)).T):
        outcomes = np.array([*known.values()])
        centred = outcomes - shares @ outcomes
        spread = centred.T @ (shares[:, None] * centred)
        rows.append(root_of(spread) @ np.array([lever[t], of_ties]))
        residuals.append(root_of(spread, -0.5) @ centred[int(2 * y[t])])
    return np.concatenate(rows), np.concatenate(residuals)


def test_without_ties_it_is_statsmodels_logit(global_random_seed):
    a, b, y = drawn(global_random_seed)
    decided = y != 0.5
    decided[:10], y[:5], y[5:10] = True, 1, 0
    a, b, y = a[decided], b[decided], y[decided]
    units = np.random.default_rng(global_random_seed).integers(40, size=len(y))
    found, in_clusters = bradley_terry(a, b, y), bradley_terry(a, b, y, clusters=units)
    x = np.array([(a == name).astype(float) - (b == name) for name in found.names[1:]]).T
    fit = sm.Logit(y, x).fit(disp=0, tol=1e-12)
    spread = (fit.predict() * (1 - fit.predict())) ** 0.5
    for i, name in enumerate(found.names[1:]):
        test, robust = found.difference(name, found.names[0]), in_clusters.difference(name, found.names[0])
        assert test.estimate == robust.estimate == pytest.approx(fit.params[i], abs=1e-6)
        assert (test.standard_error, test.df) == (pytest.approx(fit.bse[i], rel=1e-6), np.inf)
        variance, df = cr2(x * spread[:, None], fit.resid_response / spread, units, np.eye(4)[i])
        assert (robust.standard_error, robust.df) == pytest.approx((variance**0.5, df), rel=1e-6)


@pytest.mark.parametrize("home", [False, True], ids=["neutral", "home"])
@pytest.mark.parametrize("ties", [0.0, 0.3, 0.7])
def test_in_clusters_it_is_the_bias_reduced_covariance(home, ties, rng):
    for n_clusters in rng.integers(3, 30, size=3).tolist():
        a, b, y = drawn(rng.integers(2**31), n=int(rng.integers(90, 150)), k=int(rng.integers(2, 5)), ties=ties)
        y[y == 0.5] = y[y == 0.5] if ties else rng.permutation(np.arange((y == 0.5).sum()) % 2)
        units = rng.choice(n_clusters, size=len(y), p=rng.dirichlet(np.ones(n_clusters)) * 0.9 + 0.1 / n_clusters)
        found = bradley_terry(a, b, y, clusters=units, home=home)
        if "single cluster" in str(found.warnings):  # beyond the definition
            continue
        rows, residuals = in_units(a, b, y, found)
        for first, second in combinations(range(len(found.names)), 2):
            contrast = np.zeros(rows.shape[1])
            contrast[[first, second]] = 1, -1
            variance, df = cr2(rows, residuals, np.repeat(units, 2), contrast)
            test = found.difference(found.names[first], found.names[second])
            assert (test.standard_error, test.df) == pytest.approx((variance**0.5, df), rel=1e-5)
            assert found.df <= test.df


def test_of_two_models_it_is_the_cluster_t_test(rng):
    for n_clusters in rng.integers(2, 40, size=10).tolist():
        units = np.r_[np.arange(n_clusters), rng.integers(n_clusters, size=80) ** 2 // n_clusters]
        y = rng.permutation(np.arange(len(units)) % int(rng.integers(2, 5)) > 0)
        found = bradley_terry(np.full(len(y), "x"), np.full(len(y), "y"), y, clusters=units)
        known = cluster_t_test(y, np.zeros(len(y)), clusters=units)
        slope = y.mean() * (1 - y.mean())
        assert found.difference("x", "y").standard_error == pytest.approx(known.standard_error / slope, rel=1e-9)
        assert found.df == pytest.approx(known.df, rel=1e-9)
        assert found.df_of_differences == pytest.approx(np.full((2, 2), known.df), rel=1e-9)


def judged_in_turn(rng, n_judges, k, pairs, taste):
    """Judgments of equal models by judges who each see so many of their pairs, and like some more than others."""
    every = rng.permutation([*combinations(range(k), 2)])
    judge = np.repeat(np.arange(n_judges), 40)
    a, b = every[(judge + rng.integers(pairs, size=judge.size)) % len(every)].T
    liked = taste * rng.normal(size=(n_judges, k))
    odds = np.exp(liked[judge, a] - liked[judge, b])
    place = rng.random(judge.size) * (1 + odds + 0.5 * odds**0.5)
    return a, b, np.select([place < odds, place < odds + 0.5 * odds**0.5], [1, 0.5], 0), judge


@pytest.mark.parametrize(("n_judges", "k"), [(15, 6), (30, 6), (12, 5)])
def test_judges_who_each_see_one_pair_reject_no_more_than_others(n_judges, k, rng):
    found = []
    for i in range(150):
        a, b, y, judge = judged_in_turn(rng, n_judges, k, 1, taste=i % 2)
        one = bradley_terry(a.astype(str), b.astype(str), y, clusters=judge)
        found += [one.difference(*pair).pvalue < 0.05 for pair in combinations(one.names, 2)]
    assert np.mean(found) < 0.075  # 5%, and 3 standard errors of sets whose pairs go together


@pytest.mark.parametrize("n_judges", [4, 15])
def test_what_a_single_judge_tells_is_not_taken_for_sure(n_judges, rng):
    found = []
    for i in range(40):
        k = 5 + i % 2
        a, b, y, judge = judged_in_turn(rng, n_judges, 4, 6, taste=1)
        alone = np.repeat(np.arange(4, k), 80)  # each of these models by a judge of its own
        many = rng.integers(5, 95, size=k)[alone] > rng.integers(100, size=len(alone))
        a, b, y = np.r_[a, alone], np.r_[b, rng.integers(4, size=len(alone))], np.r_[y, many]
        one = bradley_terry(a.astype(str), b.astype(str), y, clusters=np.r_[judge, alone - 4])
        (told,) = (str(x) for x in one.warnings if "a single cluster compares" in str(x))
        assert all(repr(str(model)) in told for model in range(4, k))
        found += [one.difference(str(model), "0").pvalue < 0.05 for model in range(4, k)]
    assert np.mean(found) < 0.1


def test_beyond_what_is_summed_degrees_of_freedom_are_a_lower_bound(monkeypatch, rng):
    for k, pairs in ((2, 1), (3, 1), (6, 1), (6, 4), (6, 15)):
        a, b, y, judge = judged_in_turn(rng, int(rng.integers(15, 60)), k, pairs, taste=1)
        known = bradley_terry(a.astype(str), b.astype(str), y, clusters=judge)
        with monkeypatch.context() as limited:
            limited.setattr("skcompare.inference.outcomes.samples._MOST_PRODUCTS", 0)
            found = bradley_terry(a.astype(str), b.astype(str), y, clusters=judge)
        assert found.covariance == pytest.approx(known.covariance, rel=1e-9, abs=1e-12)
        assert (found.df_of_differences <= known.df_of_differences * (1 + 1e-9)).all()
        assert (found.df_of_differences > known.df_of_differences * 0.5).all()


def test_winners_may_be_called_in_many_ways(global_random_seed):
    a, b, y = drawn(global_random_seed)
    sides = {1.0: 0, 0.5: 1, 0.0: 2}
    ways = [
        [("model_a", "tie", "model_b")[sides[x]] for x in y],
        [("model_a", "tie (bothbad)", "model_b")[sides[x]] for x in y],
        [(name, "Tie", other)[sides[x]] for name, other, x in zip(a, b, y, strict=True)],
        [("A", "draw", "B")[sides[x]] for x in y],
        [("1", "0.5", "0")[sides[x]] for x in y],
    ]
    known = bradley_terry(a, b, y)
    for winner in ways:
        assert np.array_equal(bradley_terry(a, b, winner).strengths, known.strengths)


@given(st.integers(0, 2**32 - 1))
def test_laws_of_judgments(seed):
    a, b, y = drawn(seed)
    clusters, order = (
        np.random.default_rng(seed).integers(30, size=len(y)),
        np.random.default_rng(seed).permutation(len(y)),
    )
    known = bradley_terry(a, b, y, clusters=clusters)
    first, second = known.names[:2]
    test = known.difference(first, second)
    for other in (
        bradley_terry(b, a, 1 - y, clusters=clusters),
        bradley_terry(a[order], b[order], y[order], clusters=clusters[order]),
    ):
        again = other.difference(first, second)
        assert (again.estimate, again.standard_error) == pytest.approx((test.estimate, test.standard_error), abs=1e-8)
    turned = bradley_terry(a, b, 1 - y, clusters=clusters).difference(first, second)
    assert turned.estimate == pytest.approx(-test.estimate, abs=1e-8)
    assert turned.pvalue == pytest.approx(test.pvalue, abs=1e-8)
    same = known.difference(first, first)
    assert (same.pvalue, same.estimate) == (1, 0)
    level = 1 - max(test.pvalue, 1e-6)
    interval = test.confidence_interval(min(max(level, 1e-6), 1 - 1e-6))
    assert test.pvalue < 1e-6 or test.pvalue > 1 - 1e-6 or min(abs(interval.low), abs(interval.high)) < 1e-6


def test_a_million_judgments_take_seconds():
    rng = np.random.default_rng(0)
    n, k = 10**6, 100
    a = rng.integers(k, size=n)
    b = (a + rng.integers(1, k, size=n)) % k
    names = np.array([f"model {i}" for i in range(k)], dtype=object)
    winner = np.array(["model_a", "model_b", "tie"])[rng.integers(3, size=n)]
    start = time.perf_counter()
    found = bradley_terry(names[a], names[b], winner, clusters=rng.integers(20_000, size=n))
    assert time.perf_counter() - start < 30  # 3 s on one free core
    assert np.abs(found.strengths).max() < 0.1


def test_one_judge_of_all_pairs_among_many_of_one_takes_little_memory(rng):
    first, second = np.array([*combinations(range(60), 2)]).T
    n = 4000
    a = np.r_[first, rng.integers(60, size=n)]
    b = np.r_[second, (a[-n:] + rng.integers(1, 60, size=n)) % 60]
    judge = np.r_[np.zeros(len(first), dtype=int), 1 + np.arange(n)]
    y = rng.integers(3, size=len(a)) / 2
    tracemalloc.start()
    found = bradley_terry(a.astype(str), b.astype(str), y, clusters=judge)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 2**28
    assert 1 < found.df < 4000


# ---- prediction-powered -----------------------------------------------------------------------------------------


def labelled(seed, n=60, others=500, bias=0.3, noise=0.5):
    rng = np.random.default_rng(seed)
    truth = rng.normal(0.1, 1, n + others)
    judged = truth + bias + rng.normal(0, noise, n + others)
    return judged, np.where(np.arange(n + others) < n, truth, np.nan), truth


def ppi_mean(y, f, other):
    """`ppi_mean_pointestimate` and `ppi_mean_ci` of ppi_py 0.2 with the tuned weight, in its own order of steps."""
    n, rest = len(y), len(other)
    start = other.mean() + (y - f).mean()
    grads, grads_hat = y - start, f - start
    crossed = 2 * (grads - grads.mean()) @ (grads_hat - grads_hat.mean()) / n
    variance = np.cov(np.concatenate([grads_hat, other - start]))
    weight = np.clip(crossed / (2 * (1 + n / rest) * variance), 0, 1)
    estimate = (weight * other).mean() + (y - weight * f).mean()
    return weight, estimate, (weight * other).std() / rest**0.5, (y - weight * f).std() / n**0.5


def test_prediction_powered_means_are_those_of_ppi_py(global_random_seed):
    judged, labels, _ = labelled(global_random_seed)
    found = prediction_powered_test(judged, labels)
    known = ~np.isnan(labels)
    weight, estimate, imputed, rectifier = ppi_mean(labels[known], judged[known], judged[~known])
    assert found.weight == pytest.approx(weight, abs=1e-9)
    assert found.estimate == pytest.approx(estimate, abs=1e-9)
    n, rest = 60, 500  # its variances are divided by the number of values, ours by one less
    parts = np.array([imputed**2 * rest / (rest - 1), rectifier**2 * n / (n - 1)])
    assert found.standard_error == pytest.approx(parts.sum() ** 0.5, abs=1e-9)
    assert found.df == pytest.approx(parts.sum() ** 2 / (parts**2 / [rest - 1, n - 1]).sum())


def test_a_useless_judge_costs_nothing_and_a_biased_one_no_error(global_random_seed):
    judged, labels, _ = labelled(global_random_seed, n=200)
    rng = np.random.default_rng(global_random_seed)
    noise = prediction_powered_test(rng.normal(size=len(labels)), labels)
    alone = np.nanstd(labels, ddof=1) / 200**0.5
    assert noise.standard_error < 1.1 * alone
    found, moved = prediction_powered_test(judged, labels), prediction_powered_test(judged + 100, labels)
    assert found.standard_error < 0.8 * alone
    assert moved.estimate == pytest.approx(found.estimate, abs=1e-9)
    constant = prediction_powered_test(np.ones(len(labels)), labels)
    assert (constant.weight, constant.estimate) == (0, pytest.approx(np.nanmean(labels)))


def test_labels_in_clusters_of_one_are_labels_alone(global_random_seed):
    judged, labels, _ = labelled(global_random_seed)
    alone = prediction_powered_test(judged, labels)
    single = prediction_powered_test(judged, labels, clusters=np.arange(len(labels)))
    assert single.estimate == alone.estimate
    assert single.standard_error == pytest.approx(alone.standard_error, rel=0.02)
    # all items five times over: a cluster of copies tells no more than one of them
    five = prediction_powered_test(np.tile(judged, 5), np.tile(labels, 5), clusters=np.tile(np.arange(len(labels)), 5))
    assert five.standard_error == pytest.approx(single.standard_error, rel=0.05)


@pytest.mark.parametrize("unit", [2.0**-900, 2.0**-530, 2.0**530, 2.0**900])
def test_the_unit_of_judged_differences_changes_no_verdict(unit, global_random_seed):
    judged, labels, _ = labelled(global_random_seed)
    for clusters in (None, np.arange(len(labels)) % 80):
        plain = prediction_powered_test(judged, labels, clusters=clusters)
        found = prediction_powered_test(judged * unit, labels * unit, clusters=clusters)
        assert found.warnings == plain.warnings
        for name in ("pvalue", "df", "weight"):
            assert getattr(found, name) == pytest.approx(getattr(plain, name), rel=1e-9)
        for name in ("estimate", "standard_error", "mean_labelled", "mean_judged"):
            assert getattr(found, name) / unit == pytest.approx(getattr(plain, name), rel=1e-9)


def test_with_the_judge_left_out_clusters_are_those_of_the_cluster_test(global_random_seed):
    """A constant judge has no weight: what is left is the mean of the labels, with CR1 in place of CR2."""
    rng = np.random.default_rng(global_random_seed)
    labels, clusters = rng.normal(0.2, 1, 120), np.repeat(np.arange(60), 2)
    labels[60:] = np.nan
    found = prediction_powered_test(np.zeros(120), labels, clusters=clusters)
    known = cluster_t_test(labels[:60], np.zeros(60), clusters=clusters[:60])
    assert (found.estimate, found.df) == (pytest.approx(known.estimate), 29)
    assert found.standard_error == pytest.approx(known.standard_error, rel=1e-9)


@pytest.mark.sampled("simulations")
@pytest.mark.slow
@pytest.mark.parametrize("n", [50, 200])
@pytest.mark.parametrize("noise", [0.3, 1.0, 3.0])
def test_intervals_hold_the_mean_of_the_labels(n, noise):
    runs = 400
    held = 0
    for seed in range(runs):
        judged, labels, _ = labelled(seed, n=n, others=2000, noise=noise)
        interval = prediction_powered_test(judged, labels).confidence_interval()
        held += interval.low <= 0.1 <= interval.high
    # four binomial standard errors around 93% to 97%
    assert 0.93 - 4 * (0.05 * 0.95 / runs) ** 0.5 < held / runs < 0.97 + 4 * (0.05 * 0.95 / runs) ** 0.5


# ---- the Wald test ----------------------------------------------------------------------------------------------


def test_two_independent_means_are_those_of_welch(global_random_seed):
    rng = np.random.default_rng(global_random_seed)
    a, b = rng.normal(0.5, 1, 12), rng.normal(0, 2, 20)
    parts = np.zeros((2, 2, 2))
    parts[0, 0, 0], parts[1, 1, 1] = a.var(ddof=1) / 12, b.var(ddof=1) / 20
    for tail in ("two-sided", "greater", "less"):
        found = wald_test([a.mean(), b.mean()], parts, df=[11, 19], alternative=tail, null=0.2)
        known = welch_t_test(a, b, alternative=tail, null=0.2)
        for name in ("estimate", "standard_error", "df", "pvalue"):
            assert getattr(found, name) == pytest.approx(getattr(known, name), rel=1e-9)
        ours, theirs = found.confidence_interval(0.9), known.confidence_interval(0.9)
        assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high))


def test_infinite_degrees_are_the_normal_test():
    found = wald_test([0.8, 0.3], [[0.02, 0.005], [0.005, 0.03]])
    assert found.pvalue == pytest.approx(2 * stats.norm.sf(0.5 / 0.2), rel=1e-12)
    interval = found.confidence_interval()
    assert (interval.low, interval.high) == pytest.approx((0.5 - 1.959964 * 0.2, 0.5 + 1.959964 * 0.2), abs=1e-6)


def test_an_estimate_never_differs_from_itself():
    found = wald_test([0.8, 0.8], np.full((2, 2), 0.3))
    assert (found.pvalue, found.estimate, found.standard_error) == (1, 0, 0)
    assert "NO_DIFFERENCE" in [warning.code for warning in found.warnings]
