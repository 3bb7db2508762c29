"""Memory grows no faster than the input, for every public function; more than there is is refused."""

import tracemalloc
from time import process_time

import numpy as np
import pytest

from benchmarks.resources import COUNTS, FACTOR, arguments, dimensions, exponent, functions, measure
from skcompare import inference

SMALL = 2**20  # bytes: what is smaller is no growth yet
FIRST = 512


def is_quick(function, dimension):
    """Whether a few cases take no time: the others are measured by the benchmark alone."""
    for size in (16, 64):
        start = process_time()
        measure(function, dimension, size, timed=False)
        if process_time() - start > 0.05:
            return False
    return True


@pytest.mark.sampled
@pytest.mark.parametrize("name", functions())
@pytest.mark.sampled
def test_memory_grows_no_faster_than_the_input(name):
    function = functions()[name]
    for dimension in set(dimensions(function)) & {"n", "n_samples", "n_datasets", "n_cases", "n_splits", *COUNTS}:
        try:
            if not is_quick(function, dimension):
                continue
            first, second = (measure(function, dimension, size, timed=False) for size in (FIRST, FACTOR * FIRST))
        except ValueError:  # a size that the function does not take
            continue
        assert second.n_bytes < SMALL or exponent(first.n_bytes, second.n_bytes) < 1.3, dimension


def test_every_required_parameter_has_a_value():
    for function in functions().values():
        assert arguments(function, {}) is not None


def test_a_signed_rank_test_of_many_data_sets_is_small(rng):
    a, b = rng.normal(size=(2, 20_000))
    tracemalloc.start()
    result = inference.signed_rank_test(a, b)
    result.confidence_interval()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2**24
    assert result.confidence_interval(0.5).low <= result.estimate <= result.confidence_interval(0.5).high


@pytest.mark.parametrize("decimals", [1, 16])
def test_the_estimate_of_many_data_sets_is_the_median_of_all_walsh_averages(rng, decimals):
    a, b = rng.normal(size=(2, 500)).round(decimals)
    d = np.where(np.abs(a - b) <= 1e-12 * np.maximum(np.abs(a), np.abs(b)), 0, a - b)
    result = inference.signed_rank_test(a, b, zero_method="pratt")
    first, second = np.triu_indices(500)
    assert result.estimate == pytest.approx(np.median((d[first] + d[second]) / 2), abs=1e-12)


def test_the_posterior_of_many_data_sets_is_that_of_all_pairs(rng):
    a, b = rng.normal(size=(2, 300)).round(1)
    d = np.r_[0, a - b]
    sums = (d[:, None] + d).round(6)
    result = inference.signed_rank_posterior(a, b, rope=0.1, prior_strength=1, n_draws=1, rng=0)
    right = np.heaviside((sums - 0.2).round(6), 0.5)
    n = d.size
    assert result.mean[2] == pytest.approx((right.sum() + np.trace(right)) / (n * (n + 1)), abs=1e-12)


@pytest.mark.parametrize("function", [inference.dunn_test, inference.nemenyi_test, inference.tukey_test])
def test_results_for_all_pairs_of_too_many_models_are_refused_with_their_size(function):
    with pytest.raises(MemoryError, match=r"scores: .* GiB, more than half of the .* GiB"):
        function(np.zeros((1, 2_000_000)))


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("n_resamples", lambda d, n: inference.permutation_test(d, -d, n_resamples=n)),
        ("n_resamples", lambda d, n: inference.permutation_test(d, -d, n_resamples=n, paired=False)),
        ("n_resamples", lambda d, n: inference.almost_stochastic_order(d, -d, n_resamples=n)),
        ("n_resamples", lambda d, n: inference.paired_bootstrap(d > 0, d > 1, d < 1, "recall", n_resamples=n)),
        ("n_resamples", lambda d, n: inference.interquartile_mean(d.reshape(2, 5, 4), n_resamples=n)),
        ("n_resamples", lambda d, n: inference.performance_profile(d.reshape(2, 5, 4), n_resamples=n)),
        (
            "n_resamples",
            lambda d, n: inference.probability_of_improvement(d.reshape(4, 10), -d.reshape(4, 10), n_resamples=n),
        ),
        (
            "n_resamples",
            lambda d, n: inference.stochastic_dominance_test(d.reshape(20, 2), -d.reshape(20, 2), n_resamples=n),
        ),
        ("n_draws", lambda d, n: inference.pareto_front(d.reshape(2, 5, 4), n_draws=n)),
        ("n_draws", lambda d, n: inference.plackett_luce_posterior(d.reshape(10, 4), n_draws=n)),
    ],
)
def test_draws_that_would_fill_the_memory_are_refused_with_their_size(rng, name, call):
    with pytest.raises(MemoryError, match=rf"^{name}=\d+ would take .* GiB, more than half of .*; take fewer$"):
        call(rng.normal(size=40), 10**15)


def test_the_advice_to_convert_texts_is_given_where_it_works_alone():
    with pytest.raises(ValueError, match=r"'\.9': convert it, as in np.asarray\(a, dtype=float\)$"):
        inference.paired_t_test([".9", "1e-3"], [1, 2])
    for odd in ("n/a", "tree", "0,9"):
        with pytest.raises(ValueError, match=f"got text such as '{odd}': give a number in its place$"):
            inference.paired_t_test([".9", odd], [1, 2])
