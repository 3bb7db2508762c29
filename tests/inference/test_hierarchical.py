"""The hierarchical posterior: published and sampled reference values, twins of its integrals, and laws."""

import csv
import dataclasses
import functools
import gzip
import itertools
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import integrate, optimize, special, stats

from skcompare.inference import hierarchical_posterior
from skcompare.inference.datasets import hierarchical as grids
from tests.lawful import FULL, assert_lawful

pytestmark = pytest.mark.sampled

DATA = Path(__file__).parents[2] / "docs" / "data"
HYPERPRIORS = {"corani2017": ((0.5, 5.0), (0.05, 0.15)), "baycomp": ((1.0, 2.0), (0.01, 0.1))}


@functools.cache
def uci_scores(classifier):
    with gzip.open(DATA / "uci54_10x10cv_accuracy.csv.gz", "rt") as file:
        rows = [row for row in csv.DictReader(file) if row["classifier"] == classifier]
    sets = {}
    for row in rows:
        sets.setdefault(row["dataset"], []).append(float(row["accuracy"]))
    return np.array([sets[name] for name in sorted(sets)])


def simulated(n_datasets, n_splits=100, mean=0.01, between=0.01, within=0.04, rho=0.1, seed=0):
    rng = np.random.default_rng(seed)
    shared = np.sqrt(rho) * rng.standard_normal((n_datasets, 1))
    own = np.sqrt(1 - rho) * rng.standard_normal((n_datasets, n_splits))
    return mean + between * rng.standard_normal((n_datasets, 1)) + within * (shared + own)


def against_zero(d, *, test_fraction=0.1, rope=0.01, **options):
    return hierarchical_posterior(d, np.zeros_like(d), test_fraction=test_fraction, rope=rope, **options)


def most_probable(result):
    return np.array([result.left, result.rope, result.right])


def predictive(result):
    return np.array([result.predictive_left, result.predictive_rope, result.predictive_right])


def of_datasets(result):
    return np.stack([result.dataset_left, result.dataset_rope, result.dataset_right], axis=1)


def standardised(d, rho=0.1):
    """Sets in score units, without the treatment of data sets that do not vary."""
    stds = d.std(axis=1, ddof=1)
    return grids.StandardisedSets(
        means=d.mean(axis=1),
        stds=stds,
        n_splits=d.shape[1],
        test_fraction=rho,
        largest_location=np.abs(d).max(),
        largest_scale=1000 * d.mean(axis=1).std(ddof=1),
        largest_std=1000 * stds.mean(),
    )


# Accuracies of 54 data sets (Benavoli et al. 2017, JMLR 18(77)), rope 0.01, from Metropolis-within-Gibbs chains of the
# model of Corani et al. (2017), 200,000 draws from two seeds; b - a of the first two columns, tolerance 0.02.
@pytest.mark.parametrize(
    ("prior", "left", "rope", "right", "of_next", "df"),
    [
        ("corani2017", 0.0, 0.3735, 0.6265, (0.125, 0.413, 0.462), 1.95),
        ("baycomp", 0.0, 0.2755, 0.7245, (0.125, 0.389, 0.486), 2.28),
    ],
)
def test_54_data_sets(prior, left, rope, right, of_next, df):
    result = hierarchical_posterior(uci_scores("aode"), uci_scores("nbc"), test_fraction=0.1, rope=0.01, prior=prior)
    np.testing.assert_allclose(most_probable(result), [left, rope, right], atol=0.008)
    np.testing.assert_allclose(predictive(result), of_next, atol=0.002)
    assert result.df == pytest.approx(df, abs=0.03)
    if prior == "corani2017":
        assert result.mean == pytest.approx(0.0093, abs=1e-4)
        assert result.scale == pytest.approx(0.0113, abs=1e-4)
    assert "2 data sets" in result.warnings[0]


# As above, 20,000 draws
@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("nbc", "hnb", (0.0, 0.004, 0.996)),
        ("nbc", "j48", (0.186, 0.023, 0.791)),
        ("aode", "hnb", (0.0, 1.0, 0.0)),
        ("aode", "j48", (0.356, 0.626, 0.017)),
        ("hnb", "j48", (0.864, 0.106, 0.030)),
        ("j48", "j48gr", (0.0, 1.0, 0.0)),
    ],
)
def test_54_data_sets_of_other_pairs(first, second, expected):
    start = time.process_time()
    result = hierarchical_posterior(uci_scores(second), uci_scores(first), test_fraction=0.1, rope=0.01)
    assert time.process_time() - start < 10
    np.testing.assert_allclose(most_probable(result), expected, atol=0.02)
    assert result.error < 1e-3


def sample(d, rope, prior, n_chains, n_draws, seed, rho=0.1):
    """Triples of both kinds, E delta0, E sigma0, E nu, set means and P(right) of each set: mean and standard error.

    Metropolis within Gibbs on delta_i, sigma_i, mixture weights, delta_0, sigma_0, nu, alpha and beta, many chains at
    once; the standard error is that of independent chains.
    """
    rng = np.random.default_rng(seed)
    unit = d.std(axis=1, ddof=1).mean()
    x, rope = d / unit, rope / unit
    q, n = x.shape
    means, squares = x.mean(axis=1), (n - 1) * x.var(axis=1, ddof=1) / (1 - rho)
    kappa = (1 + (n - 1) * rho) / n
    bound, largest = np.abs(x).max(), 1000 * means.std(ddof=1)
    (shape_low, shape_high), (rate_low, rate_high) = HYPERPRIORS[prior]
    delta = means + 0.3 * rng.standard_normal((n_chains, q))
    delta0, sigma0 = delta.mean(axis=1), delta.std(axis=1)
    nu, alpha, beta = (
        rng.uniform(*ends, n_chains) for ends in ((2, 30), (shape_low, shape_high), (rate_low, rate_high))
    )
    sums, kept = 0.0, 0

    def log_nu(nu, alpha, beta, z):
        return stats.gamma.logpdf(nu - 1, alpha, scale=1 / beta) + stats.t.logpdf(z, nu[:, None]).sum(axis=1)

    for draw in range(n_draws):
        sigma2 = (squares + (means - delta) ** 2 / kappa) / 2 / rng.gamma((n - 1) / 2, size=(n_chains, q))
        z = (delta - delta0[:, None]) / sigma0[:, None]
        proposal = 1 + (nu - 1) * np.exp(rng.standard_normal(n_chains))
        ratio = log_nu(proposal, alpha, beta, z) - log_nu(nu, alpha, beta, z) + np.log((proposal - 1) / (nu - 1))
        nu = np.where(np.log(rng.random(n_chains)) < ratio, proposal, nu)
        new_alpha, new_beta = rng.uniform(shape_low, shape_high, n_chains), rng.uniform(rate_low, rate_high, n_chains)
        ratio = stats.gamma.logpdf(nu - 1, new_alpha, scale=1 / new_beta)
        ratio -= stats.gamma.logpdf(nu - 1, alpha, scale=1 / beta)
        accept = np.log(rng.random(n_chains)) < ratio
        alpha, beta = np.where(accept, new_alpha, alpha), np.where(accept, new_beta, beta)
        w = rng.gamma((nu[:, None] + 1) / 2, size=(n_chains, q)) / ((nu[:, None] + z**2) / 2)
        # location with the means of the sets integrated out, then the means: they move together
        precision = 1 / (sigma2 * kappa + sigma0[:, None] ** 2 / w)
        total = precision.sum(axis=1)
        proposal = (precision * means).sum(axis=1) / total + rng.standard_normal(n_chains) / np.sqrt(total)
        delta0 = np.where(np.abs(proposal) <= bound, proposal, delta0)
        # scale likewise
        proposal = sigma0 * np.exp(rng.standard_normal(n_chains))

        def log_scale(scale, w=w, sigma2=sigma2, delta0=delta0):
            variance = sigma2 * kappa + scale[:, None] ** 2 / w
            return np.log(scale) - (np.log(variance) + (means - delta0[:, None]) ** 2 / variance).sum(axis=1) / 2

        accept = np.log(rng.random(n_chains)) < log_scale(proposal) - log_scale(sigma0)
        sigma0 = np.where(accept & (proposal <= largest), proposal, sigma0)
        precision = w / sigma0[:, None] ** 2 + 1 / (sigma2 * kappa)
        centre = (w / sigma0[:, None] ** 2 * delta0[:, None] + means / (sigma2 * kappa)) / precision
        delta = centre + rng.standard_normal((n_chains, q)) / np.sqrt(precision)
        if draw >= n_draws // 5:
            left = stats.t.cdf((-rope - delta0) / sigma0, nu)
            right = stats.t.sf((rope - delta0) / sigma0, nu)
            triple = np.stack([left, 1 - left - right, right], axis=1)
            best = np.eye(3)[triple.argmax(axis=1)]
            others = np.stack([delta0 * unit, sigma0 * unit, nu], axis=1)
            sums = sums + np.hstack([best, triple, others, delta * unit, delta > rope])
            kept += 1
    chains = sums / kept
    return chains.mean(axis=0), chains.std(axis=0, ddof=1) / n_chains**0.5


SETTINGS = {
    "10 sets": (simulated(10), "corani2017"),
    "10 sets, baycomp": (simulated(10, between=0.03, seed=1), "baycomp"),
    "equal means": (simulated(10) - simulated(10).mean(axis=1, keepdims=True) + 0.005, "corani2017"),
    "5 sets of 5 splits": (simulated(5, n_splits=5, seed=2), "corani2017"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SETTINGS if FULL else ["10 sets", "equal means"])
def test_agrees_with_a_sampler(name):
    d, prior = SETTINGS[name]
    if name == "equal means":
        d = d + np.linspace(-0.002, 0.002, 10)[:, None]
    result = against_zero(d, prior=prior)
    ours = np.concatenate(
        [
            most_probable(result),
            predictive(result),
            [result.mean, result.scale, result.df],
            result.dataset_means,
            result.dataset_right,
        ]
    )
    sampled, error = sample(d, 0.01, prior, n_chains=200, n_draws=6000 if FULL else 600, seed=3)
    # of 29 numbers, none 5 standard errors off, plus the error that the quadrature may have
    assert (np.abs(ours - sampled) < 5 * error + 1e-4 * np.maximum(1, sampled)).all()


@pytest.mark.parametrize("n_splits", [2, 3, 10, 100])
def test_the_tables_are_the_integrals_of_the_model(n_splits):
    """For given location, scale and df: quadrature of the t times the likelihood of Corani et al. (2017)."""
    d = simulated(1, n_splits, mean=0.3, within=1.0, seed=4)
    rho = 0.1
    given = {"means": d.mean(axis=1), "stds": d.std(axis=1, ddof=1), "largest_std": 1000.0}
    sets = standardised(np.vstack([d, d + 0.1]))._replace(**given)
    ranges = ((-2.0, 2.0), (np.log(0.05), np.log(5.0)), (-3.0, 5.0))
    grid = grids.make_grid(sets, ranges, (9, 6, 5), spread_step=0.15, mixture_step=0.6)
    table = grids.normal_tables(sets, grid, *grids.likelihood_mixture(sets, 0.6))[0]
    ours = grids._mixed(table, grid).reshape(9, 6, 5)
    mean, square = d.mean(), d.var(ddof=1)

    def likelihood(delta):
        a = (n_splits - 1) * square / (1 - rho) + n_splits * (mean - delta) ** 2 / (1 + (n_splits - 1) * rho)
        return a ** (-(n_splits - 1) / 2) * special.gammaincc((n_splits - 1) / 2, a / (2 * 1000.0**2))

    def population(delta, location, scale, df):
        constant = special.gamma((df + 1) / 2) / special.gamma(df / 2) / (df * np.pi) ** 0.5 / scale
        return constant * (1 + ((delta - location) / scale) ** 2 / df) ** (-(df + 1) / 2)

    # the tables are normalised, which a constant per data set does not change
    at = [(1, 0, 0), (4, 2, 3), (8, 3, 4), (4, 0, 4)]
    theirs = []
    for i, j, k in at:
        location, scale, df = grid.locations[i], np.exp(grid.log_scales[j]), 1 + np.exp(grid.log_dfs[k])
        points = np.sort([location, mean, *(location + scale * np.array([-5, 5])), *(mean + np.array([-1, 1]))])
        pieces = [-1e6, -1e3, -30, *points, 30, 1e3, 1e6]
        theirs.append(
            sum(
                integrate.quad(lambda x: likelihood(x) * population(x, location, scale, df), *piece, epsabs=0)[0]  # noqa: B023
                for piece in itertools.pairwise(pieces)
            )
        )
    ratio = np.array([ours[index] for index in at]) / theirs
    np.testing.assert_allclose(ratio / ratio[0], 1, rtol=2e-3 if n_splits == 2 else 1e-4)


@pytest.mark.parametrize("prior", HYPERPRIORS)
def test_prior_of_df(prior):
    (shape_low, shape_high), (rate_low, rate_high) = HYPERPRIORS[prior]
    area = (shape_high - shape_low) * (rate_high - rate_low)
    nodes = np.array([-2.0, 1.0, 3.5, 5.0])
    density, below = grids._df_prior(nodes, prior)
    for node, value in zip(nodes, density, strict=True):
        y = np.exp(node)
        theirs = integrate.dblquad(
            lambda beta, alpha: y * stats.gamma.pdf(y, alpha, scale=1 / beta),  # noqa: B023
            shape_low, shape_high, rate_low, rate_high,
        )[0] / area  # fmt: skip
        assert value == pytest.approx(theirs, rel=1e-6)
    fine = np.linspace(-2, 9, 4001)
    assert integrate.simpson(grids._df_prior(fine, prior)[0], x=fine) + below == pytest.approx(1, abs=1e-6)


def test_the_rope_wins_up_to_the_root():
    for scale, df in [(0.5, 1.2), (1.0, 30.0), (1.5, 3.0), (5.0, 2.0)]:

        def excess(location, scale=scale, df=df):
            right = stats.t.sf(1, df, location, scale)
            return right - (stats.t.cdf(1, df, location, scale) - stats.t.cdf(-1, df, location, scale))

        expected = 0.0 if excess(0) >= 0 else optimize.brentq(excess, 0, 1)
        assert grids._rope_wins_up_to(np.array([scale]), df, 1.0)[0] == pytest.approx(expected, abs=1e-7)


REFINED = {
    "54 sets": lambda: uci_scores("j48") - uci_scores("aode"),
    "10": lambda: simulated(10),
    "3": lambda: simulated(3),
    "1": lambda: simulated(1),
    "3 splits": lambda: simulated(10, 3),
    "one precise": lambda: simulated(10) * np.array([1e-3] + [1.0] * 9)[:, None],
    "4 still": lambda: simulated(10) * np.array([0.0] * 4 + [1.0] * 6)[:, None],
}


@pytest.mark.parametrize("name", REFINED)
def test_refinement_changes_less_than_a_thousandth(name, monkeypatch):
    d = REFINED[name]()
    ours = against_zero(d)
    monkeypatch.setattr(grids, "REFINEMENTS", (2.0, 2.4))
    finer = against_zero(d)
    for read in (most_probable, predictive, of_datasets):
        np.testing.assert_allclose(read(ours), read(finer), atol=1e-3)
    assert ours.error < 1e-3
    assert ours.df == pytest.approx(finer.df, rel=1e-2)
    if len(d) > 1:
        assert ours.scale == pytest.approx(finer.scale, rel=1e-2)


def same(x, y, exact=True):
    for field in dataclasses.fields(x):
        ours, theirs = getattr(x, field.name), getattr(y, field.name)
        if isinstance(ours, (float, np.ndarray)) and not exact:
            np.testing.assert_allclose(ours, theirs, rtol=1e-8, atol=1e-12)
        else:
            np.testing.assert_array_equal(ours, theirs)


def test_swap_mirrors_exactly():
    d = simulated(6, 10)
    d[1:3] -= 0.05
    d[2] = 0.03
    a, b = 0.8 + d, np.full_like(d, 0.8)
    there = hierarchical_posterior(a, b, test_fraction=0.1, rope=0.01)
    back = hierarchical_posterior(b, a, test_fraction=0.1, rope=0.01)
    np.testing.assert_array_equal(most_probable(there), most_probable(back)[::-1])
    np.testing.assert_array_equal(predictive(there), predictive(back)[::-1])
    np.testing.assert_array_equal(of_datasets(there), of_datasets(back)[:, ::-1])
    np.testing.assert_array_equal(there.dataset_means, -back.dataset_means)
    assert (there.mean, there.scale, there.df) == (-back.mean, back.scale, back.df)
    ours, theirs = there.interval(0.9), back.interval(0.9)
    np.testing.assert_allclose([ours.low, ours.high], [-theirs.high, -theirs.low], rtol=1e-6)


def test_order_of_data_sets_and_splits_is_irrelevant():
    rng = np.random.default_rng(5)
    d = simulated(6, 10)
    d[2] = 0.03
    result = against_zero(d)
    order = rng.permutation(6)
    other = against_zero(rng.permuted(d[order], axis=1))
    for name in ("dataset_means", "dataset_left", "dataset_rope", "dataset_right"):
        np.testing.assert_array_equal(getattr(result, name)[order], getattr(other, name))
        other = dataclasses.replace(other, **{name: getattr(result, name)})
    same(result, other)


@pytest.mark.parametrize("factor", [2.0**-40, 100.0, 1e280])
def test_a_change_of_unit_changes_nothing(factor):
    d = simulated(5, 10)
    one, other = against_zero(d), against_zero(d * factor, rope=0.01 * factor)
    for read in (most_probable, predictive, of_datasets):
        np.testing.assert_allclose(read(one), read(other), atol=1e-9)
    np.testing.assert_allclose(one.dataset_means * factor, other.dataset_means, rtol=1e-9)
    assert other.scale == pytest.approx(one.scale * factor)
    assert other.interval().low == pytest.approx(one.interval().low * factor)


def test_more_data_sets_with_the_same_effect_sharpen():
    d = simulated(4, 20, mean=0.02, seed=6)
    few, more, many = (against_zero(np.tile(d, (k, 1))) for k in (1, 3, 12))
    widths = [r.interval().high - r.interval().low for r in (few, more, many)]
    assert widths[0] > widths[1] > widths[2]
    assert few.right < more.right < many.right


def test_data_sets_are_shrunk_to_each_other():
    d = simulated(10, between=0.005)
    result = against_zero(d)
    assert np.ptp(result.dataset_means) < 0.8 * np.ptp(d.mean(axis=1))
    np.testing.assert_array_equal(np.argsort(result.dataset_means)[[0, -1]], np.argsort(d.mean(axis=1))[[0, -1]])


def test_interval_and_density():
    result = against_zero(simulated(10))
    assert integrate.trapezoid(result.density, result.locations) == pytest.approx(1, abs=2e-3)
    half, most = result.interval(0.5), result.interval(0.99)
    assert most.low < half.low < result.mean < half.high < most.high
    with pytest.raises(ValueError, match="mass must be a number in"):
        result.interval(1)
    # two splits say so little that the density is about the same everywhere: its ends are outside the interval
    flat = against_zero([[0.1, 0.3]])
    ends = flat.interval(0.998)
    outside = flat.density[[0, -1]] * (ends.low - flat.locations[0], flat.locations[-1] - ends.high)
    np.testing.assert_allclose(outside, 0.001, rtol=0.01)


@pytest.mark.parametrize("n_datasets", [1, 2, 3])
def test_few_data_sets_are_answered_with_a_warning(n_datasets):
    result = against_zero(simulated(n_datasets))
    assert result.warnings[0].startswith(
        f"TOO_LITTLE_DATA: the scale of the population hardly shows on {n_datasets} data set"
    )
    assert result.error < 1e-3
    assert result.n == n_datasets


def test_one_split_has_no_answer():
    result = against_zero(np.ones((3, 1)))
    assert np.isnan(most_probable(result)).all()
    assert np.isnan(result.interval().low)
    assert result.warnings[0].startswith("TOO_LITTLE_DATA: 1 split")


@pytest.mark.parametrize("rope", [0.0, 0.01])
def test_a_model_against_itself(rope):
    result = against_zero(np.zeros((5, 10)), rope=rope)
    assert result.left == pytest.approx(result.right)
    assert result.mean == pytest.approx(0, abs=1e-12)
    assert result.rope > 0.99 if rope else result.left == pytest.approx(0.5)
    assert result.warnings == ("NO_DIFFERENCE: the differences are all 0.",)


def test_data_sets_that_do_not_vary_keep_their_mean():
    d = simulated(8, 10)
    d[:2] = 0.2
    result = against_zero(d)
    np.testing.assert_allclose(result.dataset_means[:2], 0.2, atol=0.005)
    # the noise of the authors' code, drawn many times: in the mean of squares it is what is used here
    rng = np.random.default_rng(7)
    noise = rng.uniform(-0.01, 0.01, (100_000, 5))
    noise = np.hstack([noise, -noise])
    fixed = d.copy()
    fixed[:2] = 0.2 + np.sqrt(noise.var(axis=1, ddof=1).mean() * 0.9) * np.array([1.0, -1.0] * 5)
    drawn = against_zero(fixed)
    np.testing.assert_allclose(most_probable(result), most_probable(drawn), atol=0.003)
    assert result.warnings == ("ZERO_VARIANCE: the differences of 2 data sets do not vary; each keeps its mean.",)


def test_a_small_rope_is_close_to_none():
    d = simulated(6, 10)
    d[:3] = 0
    np.testing.assert_allclose(
        most_probable(against_zero(d, rope=1e-9)), most_probable(against_zero(d, rope=0)), atol=1e-4
    )
    assert against_zero(d, rope=0).rope == 0


def test_equal_means_or_equal_data_sets():
    d = simulated(1, 20)
    result = against_zero(np.repeat(d, 8, axis=0))
    nearly = against_zero(np.repeat(d, 8, axis=0) + 1e-9 * np.arange(8)[:, None])
    np.testing.assert_allclose(most_probable(result), most_probable(nearly), atol=1e-4)
    np.testing.assert_allclose(result.dataset_means, result.dataset_means[0], rtol=1e-6)
    # no sign of a spread between data sets: its scale is below the standard error of one mean
    assert result.scale < d.std() * (1 / 20 + 1 / 9) ** 0.5


values = st.one_of(st.integers(-3, 3).map(lambda k: k / 10), st.floats(-3, 3, width=32))


@settings(max_examples=12 if FULL else 4, deadline=None)
@given(
    arrays(np.float64, st.tuples(st.integers(1, 5), st.integers(2, 4)), elements=values),
    st.sampled_from([0.0, 0.01, 0.5]),
    st.sampled_from([0.0, 0.1, 0.5]),
)
def test_every_input_has_an_answer(d, rope, fraction):
    result = against_zero(d, rope=rope, test_fraction=fraction)
    for triple in (most_probable(result)[None], predictive(result)[None], of_datasets(result)):
        assert ((triple >= 0) & (triple <= 1)).all()
        np.testing.assert_allclose(triple.sum(axis=1), 1)
    assert np.isfinite([result.mean, result.scale, result.df, result.error]).all()
    assert result.scale >= 0
    assert result.df > 1
    limits = result.interval()
    assert limits.low <= limits.high


@pytest.mark.parametrize("seed", range(24))
def test_standard_deviations_of_very_different_sizes(seed):
    """The scale is positive and the interval in order, and what is too small to be resolved does not decide."""
    rng = np.random.default_rng(seed)
    n_sets, n_splits = rng.integers(2, 5, 2)
    sizes = 10.0 ** rng.uniform(-40, -10, n_sets)
    sizes[0] = 1.0
    d = rng.permutation(sizes)[:, None] * rng.uniform(-1, 1, (n_sets, n_splits))
    result = against_zero(d, rope=rng.choice([0.0, 0.01, 1e3]), test_fraction=rng.choice([0.0, 0.1, 0.5]))
    assert 0 < result.scale < 1e7
    limits = result.interval()
    assert -1e4 <= limits.low <= result.mean <= limits.high <= 1e4


@pytest.mark.parametrize("small", [1e-10, 1e-16, 1e-20, 1.2e-38, 1e-60])
@pytest.mark.parametrize("rope", [0.0, 0.01])
def test_a_standard_deviation_too_small_to_be_resolved(small, rope):
    differences = np.array([[0, 0.1], [0, small]])
    result, least = (against_zero(d, rope=rope) for d in (differences, np.array([[0, 0.1], [0, 1e-9]])))
    if rope == 0:
        np.testing.assert_allclose(most_probable(result), most_probable(least), atol=1e-3)
        assert result.scale == pytest.approx(least.scale, rel=1e-2)
    assert result.scale > 0
    assert result.interval().low < 0 < result.interval().high


@pytest.mark.parametrize("rope", [0.01, 0.5])
def test_differences_that_vanish_beside_the_rope_do_not_vary(rope):
    differences = np.array([[0, 0], [0, 5.6201062e-18]])
    result, still = (against_zero(d, rope=rope, test_fraction=0.0) for d in (differences, np.zeros((2, 2))))
    assert result.rope == pytest.approx(still.rope)
    assert result.scale == pytest.approx(still.scale)


def test_the_laws_of_every_record():
    a = 0.8 + simulated(4, 6)
    result = assert_lawful(hierarchical_posterior, a, np.full_like(a, 0.8), test_fraction=0.1, rope=0.01)
    assert result.method == "hierarchical Bayesian correlated t test (prior corani2017, test fraction 0.1)"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"a": [0.1, 0.2]}, "a must have 2 dimension"),
        ({"a": [[0.1, np.nan], [0.2, 0.3]]}, r"a must be finite; got nan at position \(0, 1\)"),
        ({"a": [[0.1, 0.2]]}, "a and b must be paired"),
        ({"rope": -0.01}, r"rope must be a number in \[0, inf\)"),
        ({"rope": np.inf}, "rope must be a number"),
        ({"test_fraction": 1}, "test_fraction must be a number"),
        ({"prior": "corani"}, "did you mean 'corani2017'.* prior must be one of 'corani2017', 'baycomp'; got 'corani'"),
    ],
)
def test_bad_input_is_named(change, message):
    arguments = {"a": [[0.1, 0.2], [0.2, 0.3]], "b": [[0.1, 0.3], [0.2, 0.2]], "test_fraction": 0.1, "rope": 0.01}
    with pytest.raises(ValueError, match=message):
        hierarchical_posterior(**{**arguments, **change})
