"""Bayesian and robust summaries over many models: closed forms, quadrature, brute-force twins, published numbers."""

import csv
import dataclasses
import gzip
import itertools
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import special, stats

from skcompare.inference import (
    interquartile_mean,
    pairwise_posterior,
    performance_profile,
    plackett_luce_posterior,
    probability_of_improvement,
    sign_posterior,
    signed_rank_posterior,
)
from skcompare.inference.outcomes import samples
from skcompare.inference.outcomes.samples import drawn_counts
from tests.lawful import FULL, assert_value, codes

pytestmark = pytest.mark.sampled

DATA = Path(__file__).parents[2] / "docs" / "data"
SEEDS = (0, 1, 2)
# Monte Carlo errors have 19 degrees of freedom: beyond this many of them lies 1 estimate in 100,000
MANY_ERRORS = 6


@pytest.fixture(scope="module")
def demsar():
    """AUC of four variants of C4.5 on 14 data sets, Demsar (2006), table 6."""
    with (DATA / "demsar_2006_auc.csv").open() as file:
        return np.array([row[1:] for row in list(csv.reader(file))[1:]], dtype=float)


@pytest.fixture(scope="module")
def uci54():
    """Mean accuracy over ten times ten folds of five classifiers on 54 data sets, Benavoli et al. (2017)."""
    scores = defaultdict(list)
    with gzip.open(DATA / "uci54_10x10cv_accuracy.csv.gz", "rt") as file:
        for row in csv.DictReader(file):
            scores[row["dataset"], row["classifier"]].append(float(row["accuracy"]))
    names = list(dict.fromkeys(classifier for _, classifier in scores))
    datasets = list(dict.fromkeys(dataset for dataset, _ in scores))
    return names, np.array([[np.mean(scores[d, c]) for c in names] for d in datasets])


def runs(seed, shape=(3, 4, 12)):
    return np.random.default_rng(seed).normal(0.8, 0.05, shape)


def fields_equal(first, second, but=()):
    for field in dataclasses.fields(first):
        if field.name not in but:
            np.testing.assert_array_equal(getattr(first, field.name), getattr(second, field.name), err_msg=field.name)


def within_error(estimates, truth, errors, precision=1e-9):
    assert (np.abs(estimates - truth) <= MANY_ERRORS * errors + precision).all(), (estimates, truth, errors)


CALLS = {
    "pairwise": lambda x, **o: pairwise_posterior(x[:, :, 0].T, **{"rng": 0, "n_draws": 500, **o}),
    "plackett_luce": lambda x, **o: plackett_luce_posterior(x[:, :, 0].T, **{"rng": 0, "n_draws": 200, **o}),
    "iqm": lambda x, **o: interquartile_mean(x, **{"rng": 0, "n_resamples": 50, **o}),
    "profile": lambda x, **o: performance_profile(x, **{"rng": 0, "n_resamples": 50, **o}),
    "improvement": lambda x, **o: probability_of_improvement(x[0], x[1], **{"rng": 0, "n_resamples": 50, **o}),
}
everything = pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)


# Laws of all five


@everything
def test_same_seed_same_numbers_and_the_global_state_is_untouched(call):
    np.random.seed(1)  # noqa: NPY002
    before = np.random.get_state()  # noqa: NPY002
    x = runs(0)
    copy = x.copy()
    fields_equal(call(x, rng=5), call(x, rng=5))
    fields_equal(call(x, rng=np.random.default_rng(5)), call(x, rng=np.random.default_rng(5)))
    call(x, rng=None)
    np.testing.assert_equal(np.random.get_state(), before)  # noqa: NPY002
    np.testing.assert_array_equal(x, copy)


@everything
def test_records_are_values(call):
    assert_value(call(runs(0)))


def test_lists_and_float32_are_taken():
    x = np.round(runs(0), 3)
    rows, table = x[:, :, 0].T, x[:, :, 0].T.tolist()
    fields_equal(plackett_luce_posterior(rows, rng=0, n_draws=100), plackett_luce_posterior(table, rng=0, n_draws=100))
    fields_equal(pairwise_posterior(rows, method="sign"), pairwise_posterior(table, method="sign"))
    fields_equal(interquartile_mean(x, rng=0), interquartile_mean(x.tolist(), rng=0))
    fields_equal(performance_profile(x, rng=0), performance_profile(x.tolist(), rng=0))
    first, second = (v.tolist() for v in x[:2])
    fields_equal(probability_of_improvement(*x[:2], rng=0), probability_of_improvement(first, second, rng=0))
    for function in CALLS.values():
        single, double = function(runs(0).astype(np.float32)), function(runs(0))
        for field in dataclasses.fields(double):
            value = getattr(double, field.name)
            if isinstance(value, np.ndarray):
                np.testing.assert_allclose(getattr(single, field.name), value, rtol=1e-5, atol=1e-6)


@everything
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_scores_that_are_not_finite_are_refused(call, bad):
    x = runs(0)
    x[1, 2, 0] = bad
    if np.isnan(bad) and call is CALLS["plackett_luce"]:  # a model that was not run there
        assert call(x).n == x.shape[1]
        return
    with pytest.raises(ValueError, match="must be finite"):
        call(x)


BAD_OPTIONS = {
    "rng": [-1, "x"],
    "names": [["a"], ["a", "a", "b"], "abc", [1, 2, 3]],
    "n_draws": [0, 2.5, True],
    "n_resamples": [1, 2.5, True],
    "greater_is_better": [1, None],
    "rope": [-1, np.nan, "x"],
    "method": ["sing", None],
    "paired": ["no", 1],
    "thresholds": [[1, 1], [2, 1], [[1, 2]], [np.nan], []],
}
OPTIONS = {
    "pairwise": ("rng", "names", "n_draws", "greater_is_better", "rope", "method"),
    "plackett_luce": ("rng", "names", "n_draws", "greater_is_better"),
    "iqm": ("rng", "names", "n_resamples"),
    "profile": ("rng", "names", "n_resamples", "greater_is_better", "thresholds"),
    "improvement": ("rng", "n_resamples", "paired"),
}


@pytest.mark.parametrize(("name", "option"), [(name, option) for name in OPTIONS for option in OPTIONS[name]])
def test_bad_options_are_refused_by_name(name, option):
    for value in BAD_OPTIONS[option]:
        with pytest.raises(ValueError, match=rf"(^|\? ){option} must"):
            CALLS[name](runs(0), **{option: value})


@pytest.mark.parametrize("level", [0, 1, -0.1, np.nan, "x", None])
def test_bad_levels_are_refused(level):
    x = runs(0)
    for method in (
        interquartile_mean(x, rng=0, n_resamples=9).confidence_interval,
        performance_profile(x, rng=0, n_resamples=9).confidence_band,
        probability_of_improvement(x[0], x[1], rng=0, n_resamples=9).confidence_interval,
    ):
        with pytest.raises(ValueError, match="confidence_level"):
            method(level)
    with pytest.raises(ValueError, match="mass"):
        plackett_luce_posterior(x[:, :, 0].T, rng=0, n_draws=100).interval(level)


# All pairs


@pytest.mark.parametrize("seed", [3, np.int64(3)])
def test_each_pair_is_the_posterior_of_two_models(seed, demsar):
    result = pairwise_posterior(demsar, rope=0.005, rng=seed, n_draws=2000)
    signs = pairwise_posterior(demsar, rope=0.005, method="sign")
    for i, j in itertools.combinations(range(4), 2):
        one = signed_rank_posterior(demsar[:, i], demsar[:, j], rope=0.005, rng=3, n_draws=2000)
        assert (result.better[j, i], result.equivalent[i, j], result.better[i, j]) == (one.left, one.rope, one.right)
        assert result.standard_errors[i, j] == one.standard_error
        sign = sign_posterior(demsar[:, i], demsar[:, j], rope=0.005)
        assert (signs.better[j, i], signs.equivalent[i, j], signs.better[i, j]) == (sign.left, sign.rope, sign.right)
    assert (signs.n_draws, result.n_draws, result.n, result.rope_width) == (0, 2000, 14, 0.005)
    assert not signs.standard_errors.any()


# (b better, equivalent, a better), rope 0.01, as the notebook that goes with Benavoli et al. (2017) prints them
# (BayesianTestsML/tutorial)
SIGNED_RANK_54 = {
    ("nbc", "aode"): (0.877, 0.123, 0.000),
    ("nbc", "hnb"): (0.999, 0.001, 0.000),
    ("nbc", "j48"): (0.766, 0.006, 0.228),
    ("nbc", "j48gr"): (0.817, 0.004, 0.179),
    ("aode", "hnb"): (0.034, 0.965, 0.001),
    ("aode", "j48"): (0.062, 0.034, 0.904),
    ("aode", "j48gr"): (0.071, 0.046, 0.883),
    ("hnb", "j48"): (0.019, 0.020, 0.962),
    ("hnb", "j48gr"): (0.024, 0.026, 0.950),
    ("j48", "j48gr"): (0.0, 1.0, 0.0),
}


def test_published_numbers_of_54_data_sets(uci54):
    names, scores = uci54
    result = pairwise_posterior(scores, rope=0.01, names=names, rng=0)
    for (a, b), published in SIGNED_RANK_54.items():
        i, j = names.index(a), names.index(b)
        ours = result.better[j, i], result.equivalent[i, j], result.better[i, j]
        assert ours == pytest.approx(published, abs=0.01)
    assert result.decisions()["nbc", "hnb"] == "b better"
    assert result.decisions()["j48", "j48gr"] == "equivalent"
    assert result.decisions()["hnb", "j48"] == "a better"
    assert result.decisions()["nbc", "j48"] == "undecided"
    # Dirichlet(24, 28, 3): quadrature; baycomp 1.0.3 draws (.28703, .71297, 0)
    sign = pairwise_posterior(scores, rope=0.01, names=names, method="sign")
    i, j = names.index("nbc"), names.index("aode")
    assert sign.better[j, i] == pytest.approx(0.287925, abs=1e-6)
    assert sign.equivalent[i, j] == pytest.approx(0.712075, abs=1e-6)
    assert sign.better[i, j] == pytest.approx(3.3e-8, abs=1e-9)


@pytest.mark.parametrize("method", ["signed_rank", "sign"])
def test_permuting_models_permutes_pairs(method, demsar):
    options = {"rope": 0.005, "method": method, "rng": 1, "n_draws": 1000}
    order = [2, 0, 3, 1]
    result = pairwise_posterior(demsar, **options)
    permuted = pairwise_posterior(demsar[:, order], **options)
    for field in ("better", "equivalent", "standard_errors"):
        matrix = getattr(result, field)
        np.testing.assert_allclose(getattr(permuted, field), matrix[np.ix_(order, order)], atol=1e-12)
    fields_equal(result, pairwise_posterior(-demsar, greater_is_better=False, **options))
    fields_equal(result, pairwise_posterior(demsar[::-1], **options))


def test_probabilities_of_a_pair_sum_to_one_and_the_diagonal_is_equivalent(demsar):
    result = pairwise_posterior(demsar, rope=0.002, rng=0, n_draws=500)
    np.testing.assert_allclose(result.better + result.better.T + result.equivalent, 1, atol=1e-12)
    np.testing.assert_array_equal(np.diag(result.equivalent), 1)
    np.testing.assert_array_equal(result.equivalent, result.equivalent.T)


def test_equal_models_are_named(demsar):
    scores = np.column_stack([demsar[:, 0], demsar[:, 0], demsar[:, 1]])
    result = pairwise_posterior(scores, names=["x", "y", "z"], rng=0, n_draws=100)
    assert codes(result) == ["NO_DIFFERENCE"]
    assert "x and y." in result.warnings[0]
    assert result.better[0, 1] == result.better[1, 0]
    assert np.isfinite(result.better).all()


def test_the_frame_has_a_row_per_pair(demsar):
    frame = pairwise_posterior(demsar, method="sign", rope=0.005, names=list("wxyz")).to_frame()
    assert list(frame.columns) == ["a", "b", "left", "rope", "right"]
    assert list(zip(frame["a"], frame["b"], strict=True)) == list(itertools.combinations("wxyz", 2))
    np.testing.assert_allclose(frame[["left", "rope", "right"]].sum(axis=1), 1)


@pytest.mark.parametrize("threshold", [0.4, 1, np.nan, "x"])
def test_a_threshold_is_at_least_one_half(threshold, demsar):
    with pytest.raises(ValueError, match="threshold"):
        pairwise_posterior(demsar, method="sign").decisions(threshold)


@pytest.mark.parametrize("function", [pairwise_posterior, plackett_luce_posterior])
@pytest.mark.parametrize("bad", [[1, 2], [[1], [2]], [[]], "x", [[[1, 2]]]])
def test_a_table_has_two_models(function, bad):
    with pytest.raises(ValueError, match="scores must"):
        function(bad)


# Plackett-Luce


def brute_likelihood(weights, ranks):
    """Probability of each ranking of `ranks` under each row of weights: the sum over the orders that it leaves open."""
    likelihood = np.ones(len(weights))
    for row in ranks:
        total = np.zeros(len(weights))
        for order in map(list, itertools.permutations(range(weights.shape[1]))):
            if (np.diff(row[order]) >= 0).all():
                term = np.ones(len(weights))
                for place, model in enumerate(order):
                    term *= weights[:, model] / weights[:, order[place:]].sum(axis=1)
                total += term
        likelihood *= total
    return likelihood


@pytest.mark.parametrize("seed", SEEDS)
def test_two_models_have_a_beta_posterior(demsar, seed):
    # C4.5 against C4.5+m: 2 wins, 10 losses, 2 ties
    result = plackett_luce_posterior(demsar[:, :2], rng=seed)
    assert result.n_tied == 2
    assert codes(result) == ["APPROXIMATE"]
    within_error(result.expected_weights[0], 3 / 14, result.weight_errors[0])
    within_error(result.probability_best[0], 1 - special.betainc(3, 11, 0.5), result.best_errors[0])
    within_error(result.above[0, 1], 3 / 14, result.weight_errors[0])
    assert result.better[0, 1] == pytest.approx(result.probability_best[0])
    interval = result.interval(0.9)[0]
    assert interval.low == pytest.approx(special.betaincinv(3, 11, 0.05), abs=0.006)
    assert interval.high == pytest.approx(special.betaincinv(3, 11, 0.95), abs=0.012)


@pytest.mark.parametrize(("n", "k"), [(8, 5), (50, 20), (1, 3)])
def test_one_order_on_all_data_sets_breaks_a_stick(n, k):
    # the share of a model in what the models before it leave is Beta(1 + n, models after it), independently
    result = plackett_luce_posterior(np.tile(-np.arange(float(k)), (n, 1)), rng=0)
    after = np.arange(k - 1, -1, -1)
    share = (1 + n) / (1 + n + after)
    expected = share * np.concatenate([[1], np.cumprod(1 - share)[:-1]])
    within_error(result.expected_weights, expected, result.weight_errors)
    last = slice(k - 2, k)
    assert result.above[last, last][0, 1] == pytest.approx((n + 1) / (n + 2), abs=0.02)
    assert result.better[last, last][0, 1] == pytest.approx(1 - 0.5 ** (n + 1), abs=0.03)


THREE_MODELS = {
    "no ties": [[1, 2, 3], [1, 2, 3], [1, 3, 2], [2, 1, 3], [3, 2, 1], [1, 2, 3]],
    "ties": [[1, 2, 2], [2, 2, 1], [1, 2, 2], [1, 1, 1], [2, 3, 1], [1, 1, 3], [1, 1, 3]],
}


@pytest.mark.parametrize("case", THREE_MODELS)
def test_three_models_against_quadrature_on_the_simplex(case):
    ranks = np.array(THREE_MODELS[case], dtype=float)
    result = plackett_luce_posterior(ranks, greater_is_better=False, rng=0, n_draws=40_000)
    middle = (np.arange(600) + 0.5) / 600
    first, share = (grid.ravel() for grid in np.meshgrid(middle, middle))
    weights = np.stack([first, (1 - first) * share, (1 - first) * (1 - share)], axis=1)
    mass = brute_likelihood(weights, ranks) * (1 - first)
    mass /= mass.sum()
    within_error(result.expected_weights, mass @ weights, result.weight_errors, 1e-5)
    best = [mass[weights.argmax(axis=1) == i].sum() for i in range(3)]
    within_error(result.probability_best, best, result.best_errors, 1e-3)
    for i, j in itertools.permutations(range(3), 2):
        above = mass @ (weights[:, i] / (weights[:, i] + weights[:, j]))
        assert result.above[i, j] == pytest.approx(above, abs=0.01)
        assert result.better[i, j] == pytest.approx(mass[weights[:, i] > weights[:, j]].sum(), abs=0.02)
    ranks_of = 1 + (weights[:, :, None] < weights[:, None, :]).sum(axis=2)
    np.testing.assert_allclose(result.expected_ranks, mass @ ranks_of, atol=0.04)


@pytest.mark.sampled("simulations")
def test_four_models_with_ties_against_weighted_draws_of_the_prior():
    ranks = np.array([[1, 2.5, 2.5, 4], [1.5, 1.5, 3, 4], [2, 1, 3.5, 3.5], [1, 3, 3, 3], [4, 3, 2, 1], [2, 2, 2, 4]])
    result = plackett_luce_posterior(-ranks, rng=0)
    weights = np.random.default_rng(0).dirichlet(np.ones(4), 100_000)
    mass = brute_likelihood(weights, ranks)
    mass /= mass.sum()
    expected = mass @ weights
    oracle_errors = np.sqrt((mass**2) @ (weights - expected) ** 2)
    within_error(result.expected_weights, expected, np.hypot(result.weight_errors, oracle_errors))
    best = np.array([mass[weights.argmax(axis=1) == i].sum() for i in range(4)])
    within_error(result.probability_best, best, np.hypot(result.best_errors, 1 / np.sqrt(1 / (mass**2).sum())))


def test_the_table_of_demsar(demsar):
    # mean ranks 3.143, 2.000, 2.893, 1.964 (Demsar 2006, section 3.2.3): two models share the lead
    result = plackett_luce_posterior(demsar, names=["C4.5", "+m", "+cf", "+m+cf"], rng=0)
    assert result.probability_best[[1, 3]].sum() > 0.95
    assert np.argsort(result.expected_ranks).tolist() in ([3, 1, 2, 0], [1, 3, 2, 0])
    assert result.better[1, 0] > 0.95
    frame = result.to_frame()
    assert frame["model"].iloc[-1] == "C4.5"
    assert list(frame.columns) == ["model", "expected_weight", "probability_best", "expected_rank"]


@pytest.mark.parametrize("scores", [np.ones((6, 4)), [[0.1 + 0.2, 0.3, 0.3, 0.3]]])
def test_ties_alone_leave_the_prior(scores):
    result = plackett_luce_posterior(scores, rng=0)
    assert codes(result)[0] == "NO_DIFFERENCE"
    within_error(result.expected_weights, 1 / 4, result.weight_errors)
    within_error(result.probability_best, 1 / 4, result.best_errors)
    np.testing.assert_allclose(result.expected_ranks, 2.5, atol=0.1)


def test_only_the_rankings_matter(demsar):
    result = plackett_luce_posterior(demsar, rng=4, n_draws=200)
    for scores, greater in ((np.exp(5 * demsar), True), (-demsar, False), (demsar[::-1], True), (7 * demsar - 1, True)):
        fields_equal(result, plackett_luce_posterior(scores, greater_is_better=greater, rng=4, n_draws=200))


def test_permuting_models_permutes_the_posterior_up_to_drawing_error(demsar):
    order = [2, 0, 3, 1]
    result, permuted = (plackett_luce_posterior(x, rng=0) for x in (demsar, demsar[:, order]))
    for value, error in (("expected_weights", "weight_errors"), ("probability_best", "best_errors")):
        errors = np.hypot(getattr(result, error)[order], getattr(permuted, error))
        within_error(getattr(permuted, value), getattr(result, value)[order], errors)


def test_the_summaries_of_the_draws_agree(demsar):
    result = plackett_luce_posterior(demsar, rng=0, n_draws=1001)
    assert result.draws.shape == (1020, 4)
    assert "1020 draws" in result.method
    np.testing.assert_allclose(result.draws.sum(axis=1), 1)
    np.testing.assert_allclose(result.rank_probabilities.sum(axis=0), 1)
    np.testing.assert_allclose(result.rank_probabilities.sum(axis=1), 1)
    np.testing.assert_allclose(result.rank_probabilities @ np.arange(1, 5), result.expected_ranks)
    np.testing.assert_allclose(result.expected_ranks, 0.5 + result.better.sum(axis=0))
    np.testing.assert_allclose(result.above + result.above.T, 1)
    np.testing.assert_allclose(result.better + result.better.T, 1)
    assert (result.effective_draws <= 1020).all()


def test_few_draws_are_reported(demsar):
    assert "MONTE_CARLO" in codes(plackett_luce_posterior(demsar, rng=0, n_draws=100))
    assert "MONTE_CARLO" not in codes(plackett_luce_posterior(demsar, rng=0))


@pytest.mark.sampled("simulations")
@pytest.mark.slow
def test_the_stated_errors_are_those_between_seeds():
    # the closed form of one order; 19 degrees of freedom give a variance of 19 / 17
    n, k, n_seeds = 6, 4, 400 if FULL else 40
    expected = (1 + n) / (n + k)
    z = []
    for seed in range(n_seeds):
        result = plackett_luce_posterior(np.tile(-np.arange(float(k)), (n, 1)), rng=seed, n_draws=1000)
        z.append((result.expected_weights[0] - expected) / result.weight_errors[0])
    spread = np.sqrt(np.mean(np.square(z)))
    assert abs(spread - (19 / 17) ** 0.5) < 5 / (2 * n_seeds) ** 0.5


@given(arrays(np.float64, st.tuples(st.integers(1, 4), st.integers(2, 5)), elements=st.sampled_from([0.0, 0.5, 1.0])))
def test_any_table_has_a_posterior(scores):
    result = plackett_luce_posterior(scores, rng=0, n_draws=100)
    for array in (result.expected_weights, result.probability_best, result.above, result.better):
        assert ((array >= 0) & (array <= 1)).all()
    assert result.expected_weights.sum() == pytest.approx(1)


def test_extreme_separation_stays_finite():
    result = plackett_luce_posterior(np.tile(-np.arange(60.0), (40, 1)), rng=0, n_draws=100)
    assert np.isfinite(result.draws).all()
    assert np.isfinite(result.above).all()
    assert result.probability_best[0] > 0.99


# The stratified bootstrap


def test_runs_are_drawn_within_each_data_set(monkeypatch):
    whole = np.concatenate([counts for _, counts in drawn_counts(4000, 5, np.random.default_rng(0), 3)])
    assert whole.shape == (4000, 3, 5)
    np.testing.assert_array_equal(whole.sum(axis=2), 5)
    # multinomial: mean 1, variance 1 - 1/5, covariance -1/5 within a data set and 0 between
    covariance = np.cov(whole.reshape(4000, 15).T)
    np.testing.assert_allclose(whole.mean(axis=0), 1, atol=0.09)
    np.testing.assert_allclose(covariance, np.kron(np.eye(3), np.eye(5) - 1 / 5), atol=0.12)
    monkeypatch.setattr(samples, "_DRAWN", 100)
    blocks = list(drawn_counts(4000, 5, np.random.default_rng(0), 3))
    assert len(blocks) == 667
    np.testing.assert_array_equal(np.concatenate([counts for _, counts in blocks]), whole)


def resamples(values, n, seed):
    """The resampled scores themselves, from the counts of the runs."""
    for _, counts in drawn_counts(n, values.shape[1], np.random.default_rng(seed), len(values)):
        for count in counts.astype(int):
            yield np.stack([np.repeat(row, times) for row, times in zip(values, count, strict=True)])


# Interquartile mean


@pytest.mark.parametrize("shape", [(2, 1, 1), (1, 1, 3), (3, 3, 5), (2, 7, 6), (2, 4, 25)])
def test_interquartile_mean_is_the_trimmed_mean_of_scipy(shape):
    x = runs(1, shape)
    result = interquartile_mean(x, rng=0, n_resamples=20)
    np.testing.assert_allclose(result.estimates, [stats.trim_mean(model, 0.25, axis=None) for model in x], rtol=1e-14)
    for column, model in zip(result.distribution.T, x, strict=True):
        twins = [stats.trim_mean(sample, 0.25, axis=None) for sample in resamples(model, 20, 0)]
        np.testing.assert_allclose(column, twins, rtol=1e-13)


def test_interquartile_mean_of_rliable(demsar):
    # rliable 1.2.0, metrics.aggregate_iqm, each column a run
    result = interquartile_mean([demsar], rng=0, n_resamples=10)
    assert result.estimates[0] == pytest.approx(0.837607142857143, rel=1e-14)
    assert interquartile_mean([demsar[:, :2]], rng=0).estimates[0] == pytest.approx(0.8305, rel=1e-14)
    assert (result.n, result.n_datasets, result.n_runs) == (56, 14, 4)


def test_intervals_are_percentiles_and_of_differences_too():
    x = runs(2)
    result = interquartile_mean(x, names=["a", "b", "c"], rng=0, n_resamples=500)
    for interval, column in zip(result.confidence_interval(0.9), result.distribution.T, strict=True):
        assert (interval.low, interval.high) == pytest.approx(np.percentile(column, [5, 95]))
    np.testing.assert_allclose(result.standard_errors, result.distribution.std(axis=0, ddof=1))
    difference = result.difference_interval("a", "c", 0.9)
    expected = np.percentile(result.distribution[:, 0] - result.distribution[:, 2], [5, 95])
    assert (difference.low, difference.high) == pytest.approx(expected)
    mirrored = result.difference_interval("c", "a", 0.9)
    assert (mirrored.low, mirrored.high) == pytest.approx((-difference.high, -difference.low))
    same = result.difference_interval("a", "a")
    assert (same.low, same.high) == (0, 0)
    with pytest.raises(ValueError, match="b must be one of 'a', 'b', 'c'; got 'd'"):
        result.difference_interval("a", "d")


def test_shared_splits_cancel_in_a_difference():
    hard = np.random.default_rng(0).normal(0, 0.1, (5, 20))
    noise = np.random.default_rng(1).normal(0, 0.001, (2, 5, 20))
    result = interquartile_mean(0.8 + hard + noise, rng=0)
    difference = result.difference_interval("model 1", "model 2")
    single = result.confidence_interval()[0]
    assert difference.high - difference.low < (single.high - single.low) / 10


def test_interquartile_mean_is_affine_and_permutes():
    x = runs(3)
    result = interquartile_mean(x, rng=0, n_resamples=50)
    moved = interquartile_mean(3 - 2 * x, rng=0, n_resamples=50)
    np.testing.assert_allclose(moved.estimates, 3 - 2 * result.estimates)
    np.testing.assert_allclose(moved.distribution, 3 - 2 * result.distribution)
    permuted = interquartile_mean(x[[2, 0, 1]], rng=0, n_resamples=50)
    np.testing.assert_array_equal(permuted.distribution, result.distribution[:, [2, 0, 1]])
    np.testing.assert_allclose(interquartile_mean(x[:, ::-1, ::-1], rng=0).estimates, result.estimates)


def test_degenerate_runs_have_defined_answers():
    single = interquartile_mean(runs(0, (2, 4, 1)), rng=0)
    assert codes(single) == ["INDEPENDENT_RUNS", "TOO_LITTLE_DATA"]
    assert np.isnan(single.standard_errors).all()
    assert np.isnan(single.confidence_interval()[0].low)
    assert np.isfinite(single.estimates).all()
    constant = interquartile_mean(np.full((2, 3, 12), 0.3), rng=0)
    assert codes(constant) == ["INDEPENDENT_RUNS", "ZERO_VARIANCE"]
    np.testing.assert_array_equal(constant.standard_errors, 0)
    assert constant.confidence_interval()[1].low == pytest.approx(0.3)
    few = interquartile_mean(runs(0, (2, 4, 5)), rng=0)
    assert codes(few) == ["INDEPENDENT_RUNS", "TOO_LITTLE_DATA"]
    assert "11%" in few.warnings[1]
    huge = interquartile_mean(runs(0) * 1e299, rng=0, n_resamples=20)
    assert np.isfinite(huge.standard_errors).all()


@pytest.mark.parametrize("function", [interquartile_mean, performance_profile])
def test_runs_of_many_models_have_three_dimensions(function):
    for bad in (np.ones((3, 4)), np.ones(3), np.ones((1, 2, 3, 4)), np.ones((0, 2, 3)), "x", np.full((1, 2, 3), 2e300)):
        with pytest.raises(ValueError, match="scores must"):
            function(bad)


# Performance profiles


@pytest.mark.parametrize("greater", [True, False])
def test_a_profile_is_the_share_of_better_runs(greater):
    x = np.round(runs(4), 2)
    thresholds = [-1, 0.7, 0.75, 0.8, 0.81, 0.9, 2]
    result = performance_profile(x, thresholds=thresholds, greater_is_better=greater, rng=0, n_resamples=15)

    def share(scores):
        return [np.mean(scores > t + 1e-9 if greater else scores < t - 1e-9) for t in thresholds]

    np.testing.assert_allclose(result.profiles, [share(model) for model in x])
    for m, model in enumerate(x):
        twins = [share(sample) for sample in resamples(model, 15, 0)]
        np.testing.assert_allclose(result.distribution[:, m], twins, atol=1e-14)
    assert (np.diff(result.profiles, axis=1) * (-1 if greater else 1) >= 0).all()


def test_a_profile_turns_and_permutes():
    x = np.round(runs(5), 2)
    thresholds = np.array([0.7, 0.75, 0.8, 0.85])
    result = performance_profile(x, thresholds=thresholds, rng=0, n_resamples=30)
    turned = performance_profile(-x, thresholds=-thresholds[::-1], greater_is_better=False, rng=0, n_resamples=30)
    np.testing.assert_array_equal(turned.profiles, result.profiles[:, ::-1])
    np.testing.assert_array_equal(turned.distribution, result.distribution[:, :, ::-1])
    permuted = performance_profile(x[[2, 0, 1]], thresholds=thresholds, rng=0, n_resamples=30)
    np.testing.assert_array_equal(permuted.distribution, result.distribution[:, [2, 0, 1]])
    stretched = performance_profile(np.exp(x), thresholds=np.exp(thresholds), rng=0, n_resamples=30)
    np.testing.assert_array_equal(stretched.profiles, result.profiles)


def test_a_score_that_equals_a_threshold_is_not_better():
    result = performance_profile([[[0.1 + 0.2, 0.3]]], thresholds=[0.3], rng=0)
    assert result.profiles.tolist() == [[0.0]]
    assert performance_profile([[[0.31, 0.3]]], thresholds=[0.3], rng=0).profiles.tolist() == [[0.5]]


def test_the_default_thresholds_span_the_scores():
    x = runs(6)
    result = performance_profile(x, rng=0, n_resamples=40)
    assert result.thresholds.shape == (101,)
    assert (result.thresholds[0], result.thresholds[-1]) == (x.min(), x.max())
    np.testing.assert_allclose(result.standard_errors, result.distribution.std(axis=0, ddof=1), atol=1e-15)
    band = result.confidence_band(0.9)
    np.testing.assert_allclose(band.low, np.percentile(result.distribution, 5, axis=0))
    np.testing.assert_allclose(band.high, np.percentile(result.distribution, 95, axis=0))
    assert ((band.low >= 0) & (band.low <= band.high) & (band.high <= 1)).all()
    assert np.isnan(performance_profile(x[:, :, :1], rng=0).confidence_band().low).all()
    assert "ZERO_VARIANCE" in codes(performance_profile(np.ones((2, 3, 12)), rng=0))


# Probability of improvement


@pytest.mark.parametrize("seed", SEEDS)
def test_probability_of_improvement_is_the_mean_mann_whitney_share(seed):
    a, b = np.round(runs(seed, (2, 6, 9)), 2)
    result = probability_of_improvement(a, b[:, :7], paired=False, rng=0, n_resamples=9)
    share = [stats.mannwhitneyu(x, y).statistic / 63 for x, y in zip(a, b[:, :7], strict=True)]
    np.testing.assert_allclose(result.per_dataset, share)
    assert result.estimate == pytest.approx(np.mean(share))
    assert (result.n, result.n_runs, result.n_datasets) == (96, (9, 7), 6)


def test_probability_of_improvement_of_rliable(demsar):
    # rliable 1.2.0, metrics.probability_of_improvement, columns as runs
    first = probability_of_improvement(demsar[:, :2], demsar[:, 2:], paired=False, rng=0)
    assert first.estimate == pytest.approx(0.4642857142857143, rel=1e-14)
    second = probability_of_improvement(demsar[:, :3], demsar[:, 3:], paired=False, rng=0)
    assert second.estimate == pytest.approx(0.3095238095238095, rel=1e-14)


def games(a, b):
    """1, 1/2 or 0 for every run of a against every run of b."""
    return (a[:, :, None] > b[:, None, :]) + 0.5 * (a[:, :, None] == b[:, None, :])


@pytest.mark.parametrize("n_runs", [2, 3, 8])
def test_paired_runs_meet_all_but_their_own_and_are_drawn_together(n_runs):
    a, b = np.round(runs(7, (2, 3, n_runs)), 2)
    result = probability_of_improvement(a, b, rng=0, n_resamples=25)
    points, other = games(a, b), ~np.eye(n_runs, dtype=bool)
    np.testing.assert_allclose(result.per_dataset, [table[other].mean() for table in points])
    assert result.estimate == pytest.approx(result.per_dataset.mean())
    # where a run meets its own pair: the least-squares fit of a part of each run to the other games
    rows, columns = np.nonzero(other)
    design = np.eye(n_runs)[rows] + 1j * np.eye(n_runs)[columns]
    design = np.hstack([np.ones((len(rows), 1)), design.real, design.imag])
    full = np.hstack([np.ones((n_runs, 1)), np.eye(n_runs), np.eye(n_runs)])
    for table in points:
        fit = full @ np.linalg.lstsq(design, table[other], rcond=None)[0]
        table[~other] = fit if n_runs > 2 else table[other].mean()
    counts = next(drawn_counts(25, n_runs, np.random.default_rng(0), 3))[1]
    twins = np.clip(np.einsum("smr,mrt,smt->s", counts, points, counts) / points.size, 0, 1)
    np.testing.assert_allclose(result.distribution, twins, atol=1e-12)
    assert result.standard_error == pytest.approx(twins.std(ddof=1))
    interval = result.confidence_interval(0.8)
    assert (interval.low, interval.high) == pytest.approx(np.percentile(twins, [10, 90]))


def test_the_paired_bootstrap_is_centred_on_the_estimate():
    # no resample is cut off at 0 or 1 here, and then the mean over all resamples is the estimate
    a, b = runs(9, (2, 8, 4))
    result = probability_of_improvement(a, b, rng=0, n_resamples=20_000)
    assert result.distribution.min() > 0
    assert result.distribution.max() < 1
    assert abs(result.distribution.mean() - result.estimate) < 6 * result.standard_error / 20_000**0.5


def test_unpaired_runs_do_not(monkeypatch):
    a, b = np.round(runs(8, (2, 3, 8)), 2)
    b = b[:, :5]
    result = probability_of_improvement(a, b, paired=False, rng=0, n_resamples=30)
    generator = np.random.default_rng(0)
    counts_a, counts_b = (next(drawn_counts(30, n, generator, 3))[1] for n in (8, 5))
    wins = games(a, b)
    twins = np.einsum("smr,mrt,smt->s", counts_a, wins, counts_b) / wins.size
    np.testing.assert_allclose(result.distribution, twins)
    # blocks of the larger model's size hold all draws of the smaller one too
    monkeypatch.setattr(samples, "_DRAWN", 60)
    for first, second in ((a, b), (b, a)):
        blocks = probability_of_improvement(first, second, paired=False, rng=0, n_resamples=30)
        assert blocks.distribution.shape == (30,)
        assert np.isfinite(blocks.distribution).all()


@pytest.mark.parametrize("seed", SEEDS)
def test_swapping_mirrors_and_increasing_transforms_change_nothing(seed):
    a, b = np.round(runs(seed, (2, 5, 10)), 2)
    result = probability_of_improvement(a, b, rng=0, n_resamples=100)
    mirrored = probability_of_improvement(b, a, rng=0, n_resamples=100)
    assert mirrored.estimate == pytest.approx(1 - result.estimate)
    np.testing.assert_allclose(mirrored.distribution, 1 - result.distribution)
    scale = np.arange(1, 6)[:, None]
    transformed = probability_of_improvement(
        np.exp(scale * a) - scale, np.exp(scale * b) - scale, rng=0, n_resamples=100
    )
    fields_equal(result, transformed)
    assert probability_of_improvement(a[::-1], b[::-1], rng=0).estimate == pytest.approx(result.estimate)
    assert probability_of_improvement(a, a, rng=0).estimate == pytest.approx(0.5)


def test_degenerate_improvements_have_defined_answers():
    ones = np.ones((3, 12))
    equal = probability_of_improvement(ones * (0.1 + 0.2), ones * 0.3, rng=0)
    assert (equal.estimate, equal.standard_error) == (0.5, 0)
    assert codes(equal) == ["INDEPENDENT_RUNS", "ZERO_VARIANCE"]
    apart = probability_of_improvement(ones, 0 * ones, rng=0)
    assert (apart.estimate, apart.confidence_interval().low) == (1, 1)
    assert "ZERO_VARIANCE" in codes(apart)
    single = probability_of_improvement([[1.0]], [[0.5]], rng=0)
    assert codes(single) == ["INDEPENDENT_RUNS", "TOO_LITTLE_DATA"]
    assert np.isnan([single.standard_error, single.confidence_interval().high]).all()
    assert single.estimate == 1


@pytest.mark.parametrize(
    ("a", "b", "match"),
    [
        (np.ones((2, 3)), np.ones((2, 4)), "of one shape where paired=True"),
        (np.ones((2, 3)), np.ones((3, 3)), "of the same data sets"),
        (np.ones(3), np.ones(3), "a must have"),
        (np.ones((2, 3)), np.ones((1, 2, 3)), "b must have 2 dimensions"),
        (np.ones((2, 3)), np.full((2, 3), -2e300), "b must be at most 1e\\+300"),
    ],
)
def test_bad_runs_are_refused(a, b, match):
    with pytest.raises(ValueError, match=match):
        probability_of_improvement(a, b)


@given(
    st.tuples(st.integers(1, 3), st.integers(2, 5)).flatmap(
        lambda shape: arrays(np.float64, (2, *shape), elements=st.floats(-1e9, 1e9))
    )
)
def test_any_runs_have_intervals_in_range(x):
    improvement = probability_of_improvement(x[0], x[1], rng=0, n_resamples=20)
    interval = improvement.confidence_interval()
    assert 0 <= interval.low <= interval.high <= 1
    assert 0 <= improvement.estimate <= 1
    mean = interquartile_mean(x, rng=0, n_resamples=20)
    assert ((x.min(axis=(1, 2)) - 1e-3 <= mean.estimates) & (mean.estimates <= x.max(axis=(1, 2)) + 1e-3)).all()
    assert np.isfinite(mean.standard_errors).all()


# Simulations


def covers(interval, truth):
    return interval.low <= truth <= interval.high


def improvement_coverage(n_times, n_runs, split_sd, seed):
    """Coverage and mean width of 95% intervals, paired and not, and the mean error of the estimate of the former."""
    rng = np.random.default_rng(seed)
    truth = special.ndtr(1 / (2 * (split_sd**2 + 1)) ** 0.5)
    covered, widths, error = np.zeros(2), np.zeros(2), np.zeros(2)
    for _ in range(n_times):
        split = split_sd * rng.normal(size=(4, n_runs))
        a, b = split + rng.normal(1, 1, split.shape), split + rng.normal(0, 1, split.shape)
        for i, paired in enumerate((True, False)):
            result = probability_of_improvement(a, b, paired=paired, rng=rng, n_resamples=200)
            interval = result.confidence_interval()
            covered[i] += covers(interval, truth) / n_times
            widths[i] += (interval.high - interval.low) / n_times
            error[i] += (result.estimate - truth) / n_times
    return covered, widths, error


@pytest.mark.slow
def test_on_shared_splits_pairs_cover_and_single_runs_are_biased_and_too_wide():
    n_times = 2000 if FULL else 200
    covered, widths, error = improvement_coverage(n_times, 10, split_sd=3, seed=0)
    assert abs(covered[0] - 0.95) < 0.02 + 3 * (0.05 * 0.95 / n_times) ** 0.5
    assert abs(error[0]) < 5 * 0.03 / n_times**0.5
    # of ten games of a run one is on its own split, where the better model wins with 0.76 instead of 0.59
    assert error[1] == pytest.approx((special.ndtr(0.5**0.5) - special.ndtr(20**-0.5)) / 10, abs=0.15 / n_times**0.5)
    assert covered[1] > 0.99
    assert widths[1] > 1.5 * widths[0]


@pytest.mark.slow
def test_without_shared_splits_both_cover():
    n_times = 2000 if FULL else 200
    covered, _, error = improvement_coverage(n_times, 12, split_sd=0, seed=1)
    assert (np.abs(covered - 0.94) < 0.03 + 3 * (0.05 * 0.95 / n_times) ** 0.5).all()
    assert (np.abs(error) < 5 * 0.06 / n_times**0.5).all()


@pytest.mark.slow
def test_interquartile_means_cover_with_independent_runs_and_not_with_correlated_ones():
    n_times, rng = 2000 if FULL else 200, np.random.default_rng(2)
    levels = np.array([0.0, 0.5, 1.0, 3.0])[:, None]
    truth = stats.trim_mean(levels + stats.norm.ppf((np.arange(20_000) + 0.5) / 20_000), 0.25, axis=None)
    covered = np.zeros(2)
    for _ in range(n_times):
        # as over the folds of one data set, the second model's runs share a part of variance 1/10
        shared = np.sqrt([0.0, 0.1])[:, None, None] * rng.normal(size=(2, 4, 1))
        noise = np.sqrt([1.0, 0.9])[:, None, None] * rng.normal(size=(2, 4, 20))
        intervals = interquartile_mean(levels + shared + noise, rng=rng, n_resamples=200).confidence_interval()
        covered += [covers(interval, truth) / n_times for interval in intervals]
    assert abs(covered[0] - 0.93) < 0.03 + 3 * (0.05 * 0.95 / n_times) ** 0.5
    assert covered[1] < 0.85


def test_data_sets_that_lack_models_rank_the_others():
    """Against weights drawn from the prior, each with the probability of the rankings of those present."""
    rng = np.random.default_rng(0)
    ranks = np.array([stats.rankdata(row) for row in rng.normal([0, 0.5, 1, 1.5], 1, (8, 4))])
    ranks[:3, 0], ranks[2:5, 3], ranks[5, 1:3] = np.nan, np.nan, np.nan
    ranks[6, :2] = ranks[6, :2].mean()  # a tie
    weights = rng.dirichlet(np.ones(4), 400_000)
    likelihood = np.ones(len(weights))
    for row in ranks:
        there = np.isfinite(row)
        likelihood *= brute_likelihood(weights[:, there], row[None, there])
    expected = likelihood @ weights / likelihood.sum()
    found = plackett_luce_posterior(-ranks, rng=0, n_draws=40_000)
    np.testing.assert_allclose(found.expected_weights, expected, atol=0.01)
    assert (found.n, found.n_tied) == (8, 1)
    alone = np.vstack([ranks, [1, np.nan, np.nan, np.nan]])  # which ranks nobody
    fields_equal(found, plackett_luce_posterior(-alone, rng=0, n_draws=40_000))
    with pytest.raises(ValueError, match=r"connect all models: .* u and v and one of w"):
        plackett_luce_posterior([[1, 2, np.nan], [np.nan, np.nan, 1]], names=["u", "v", "w"])
