"""The conservative z interval: by hand, its law, and the splits of halves that it takes."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

from skcompare import HalvesSplit, PairedEvaluator
from skcompare.inference import conservative_z_interval

SEED = 20


def test_by_hand():
    # half means .80 and .75 apart by .05, then .80 and .85: sqrt((.05^2 + .05^2) / 4) = .035355; z = 1.959964
    halves = [[[0.75, 0.85], [0.70, 0.80]], [[0.80, 0.80], [0.85, 0.85]]]
    found = conservative_z_interval([0.80, 0.82, 0.84], halves)
    assert (found.estimate, found.standard_error) == pytest.approx((0.82, 0.0353553), rel=1e-5)
    interval = found.confidence_interval()
    assert (interval.low, interval.high) == pytest.approx((0.82 - 1.959964 * 0.0353553, 0.82 + 1.959964 * 0.0353553))
    assert (found.n, found.n_halvings, found.n_splits) == (3, 2, 2)
    assert [warning.split(":")[0] for warning in found.warnings] == ["TOO_LITTLE_DATA"]


def test_the_variance_is_that_of_half_of_the_data_on_average():
    # means of independent halves with standard deviation .1: E[variance] = .01, chi squared on 4,000 degrees of freedom
    means = np.random.default_rng(SEED).normal(0.8, 0.1, (4000, 2, 1))
    found = conservative_z_interval([0.8], means)
    assert found.standard_error**2 == pytest.approx(0.01, rel=5 * (2 / 4000) ** 0.5)


def test_swapped_models_mirror_it_and_p_agrees_with_the_interval():
    rng = np.random.default_rng(SEED)
    for shift in (0.0, 0.05, 0.2):
        own, halves = rng.normal(shift, 0.05, 100), rng.normal(shift, 0.1, (10, 2, 15))
        found, turned = conservative_z_interval(own, halves), conservative_z_interval(-own, -halves)
        assert (turned.estimate, turned.pvalue) == pytest.approx((-found.estimate, found.pvalue))
        for alpha in (0.01, 0.05, 0.5):
            interval = found.confidence_interval(1 - alpha)
            assert (found.pvalue < alpha) == (interval.low > 0 or interval.high < 0)


def test_equal_models_and_constant_differences():
    nothing = conservative_z_interval(np.zeros(10), np.zeros((10, 2, 3)))
    assert (nothing.estimate, nothing.pvalue, nothing.standard_error) == (0, 1, 0)
    constant = conservative_z_interval(np.full(10, 0.1), np.full((10, 2, 3), 0.1))
    assert (constant.pvalue, constant.statistic) == (0, np.inf)
    assert any(warning.startswith("ZERO_VARIANCE") for warning in constant.warnings)


@pytest.mark.parametrize("shape", [(10, 3, 2), (10, 2), (10, 1, 4)])
def test_other_shapes_are_refused(shape):
    with pytest.raises(ValueError, match="half_scores must have"):
        conservative_z_interval([0.5], np.zeros(shape))


# ---- the splits -----------------------------------------------------------------------------------------------


def test_splits_stay_in_their_half_and_keep_the_classes():
    y = np.repeat([0, 1], [80, 20])
    splits = list(HalvesSplit(3, 4, test_size=0.1, random_state=0).split(np.zeros((100, 1)), y))
    assert len(splits) == HalvesSplit(3, 4).get_n_splits() == 24
    for halving in range(3):
        members = []
        for half in range(2):
            own = splits[halving * 8 + half * 4 : halving * 8 + half * 4 + 4]
            joined = {tuple(np.sort(np.concatenate(pair))) for pair in own}
            assert len(joined) == 1  # every split uses its half, all of it
            members.append(next(iter(joined)))
            for train, test in own:
                assert (len(train), len(test)) == (40, 10)
                assert y[test].sum() == 2
        assert sorted(np.concatenate(members)) == [*range(100)]
        assert abs(y[list(members[0])].sum() - 10) <= 1


def test_halves_differ_and_seeds_repeat_them():
    X = np.zeros((41, 1))

    def drawn(seed):
        return [pair[1].tolist() for pair in HalvesSplit(2, 3, random_state=seed).split(X)]

    assert drawn(0) == drawn(0) != drawn(1)
    assert len({tuple(test) for test in drawn(0)}) > 6


@pytest.mark.parametrize(
    ("options", "n", "name"),
    [
        ({"n_halvings": 0}, 40, "n_halvings"),
        ({"n_splits": 1.5}, 40, "n_splits"),
        ({"test_size": 0.5}, 40, "test_size"),
        ({"test_size": 0.45}, 40, "test_size=0.45 of 40 samples is 18, and leaves"),
        ({}, 5, "test_size=0.1 of 5 samples is 1, and leaves"),
    ],
)
def test_what_cannot_be_split_is_refused(options, n, name):
    splitter = HalvesSplit(**options)
    if name.startswith("test_size=0.45"):
        assert len(list(splitter.split(np.zeros((n, 1))))) == 300  # two are left to train on
        n = 20
        name = "test_size=0.45 of 20 samples is 9, and leaves"
    with pytest.raises(ValueError, match=name):
        list(splitter.split(np.zeros((n, 1))))


def test_groups_are_refused_and_comparisons_of_such_scores_warn():
    y = np.repeat([0, 1], 40)
    X = np.random.default_rng(0).normal(size=(80, 2)) + y[:, None]
    with pytest.raises(ValueError, match="groups must be None for HalvesSplit"):
        list(HalvesSplit(2, 2).split(X, y, np.arange(80) // 2))
    models = {"nb": GaussianNB(), "wide": GaussianNB(var_smoothing=1.0)}
    said = "of use for conservative_z_interval alone"
    halves, plain = (PairedEvaluator(cv, "accuracy", random_state=0) for cv in (HalvesSplit(2, 2, random_state=0), 5))
    result = halves.evaluate(models, X, y)
    assert any(said in str(warning) for warning in result.test().warnings)
    assert said in " ".join(result.summary("full").split())
    assert not any(said in str(warning) for warning in plain.evaluate(models, X, y).test().warnings)
