"""Blocked m x 2 cross-validation: orthogonal halves, exact overlaps, class proportions, scikit-learn's protocol."""

import itertools
import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB

from skcompare import BlockedMByTwo
from skcompare.evaluation.halves import LARGEST_M, _hadamard, blocked_halves
from skcompare.evaluation.splits import draw_splits
from skcompare.inference import blocked_m_by_two_test

M = (1, 2, 3, 4, 7, 8, 11, 12, 19, 27)


def n_blocks(m):
    """The smallest multiple of 4 above m."""
    return 4 * (m // 4 + 1)


def halves(m, n_samples, y=None, **options):
    splits = list(BlockedMByTwo(m, **options).split(np.zeros((n_samples, 1)), y))
    return [train for train, _ in splits[::2]]


@pytest.mark.parametrize("order", [1, 2, *range(4, 49, 4)])
def test_hadamard_matrices_are_orthogonal(order):
    matrix = _hadamard(order)
    assert set(np.unique(matrix)) <= {-1, 1}
    np.testing.assert_array_equal(matrix @ matrix.T, order * np.eye(order))
    assert (matrix[0] == 1).all()


@pytest.mark.parametrize("m", range(1, LARGEST_M + 1))
def test_the_halves_are_a_two_level_orthogonal_array(m):
    # strength 2: in any two partitions each of the four combinations of halves has a quarter of the blocks
    half = blocked_halves(m)
    assert half.shape == (m, n_blocks(m))
    assert (half.sum(axis=1) == n_blocks(m) // 2).all()
    signs = 2 * half.astype(int) - 1
    np.testing.assert_array_equal(signs @ signs.T, n_blocks(m) * np.eye(m))


def test_three_partitions_are_the_pairings_of_four_blocks():
    # Wang et al. (2014): four blocks have three pairings into two halves
    half = blocked_halves(3)
    pairings = {frozenset({frozenset(np.flatnonzero(row)), frozenset(np.flatnonzero(~row))}) for row in half}
    wanted = [({0, 1}, {2, 3}), ({0, 2}, {1, 3}), ({0, 3}, {1, 2})]
    assert pairings == {frozenset(map(frozenset, pair)) for pair in wanted}


@pytest.mark.parametrize("m", M)
def test_training_sets_overlap_by_a_quarter_exactly(m):
    n = 5 * n_blocks(m)
    splits = list(BlockedMByTwo(m, random_state=0).split(np.zeros((n, 1))))
    for (i, one), (j, two) in itertools.combinations(enumerate(splits), 2):
        expected = 0 if i // 2 == j // 2 else n / 4
        assert len(np.intersect1d(one[0], two[0])) == expected
        assert len(np.intersect1d(one[0], two[1])) == (n / 2 - expected)


@pytest.mark.parametrize("m", M)
@pytest.mark.parametrize("extra", [1, 3, 7])
def test_other_sizes_come_near(m, extra):
    n = 5 * n_blocks(m) + extra % n_blocks(m)
    drawn = halves(m, n, random_state=0)
    assert len(drawn) == m
    # each block has one sample more or less at most
    assert max(abs(len(one) - n / 2) for one in drawn) <= n_blocks(m) / 2
    for one, two in itertools.combinations(drawn, 2):
        assert abs(len(np.intersect1d(one, two)) - n / 4) <= n_blocks(m) / 4


@pytest.mark.parametrize("m", M)
def test_every_partition_tests_each_sample_once(m):
    n = 3 * n_blocks(m) + 2
    splits = list(BlockedMByTwo(m, random_state=0).split(np.zeros((n, 1))))
    assert len(splits) == 2 * m == BlockedMByTwo(m).get_n_splits()
    for (train, test), (swapped_train, swapped_test) in zip(splits[::2], splits[1::2], strict=True):
        np.testing.assert_array_equal(np.sort(np.concatenate((train, test))), np.arange(n))
        np.testing.assert_array_equal(train, swapped_test)
        np.testing.assert_array_equal(test, swapped_train)
        assert (np.diff(train) > 0).all()
        assert (np.diff(test) > 0).all()


@pytest.mark.parametrize("labels", [[0, 1], ["no", "maybe", "yes"], [True, False], [1.0, 2.0]])
@pytest.mark.parametrize("m", [3, 7])
def test_class_proportions_are_kept_in_every_overlap(labels, m):
    rng = np.random.default_rng(0)
    counts = rng.integers(2, 6, len(labels)) * n_blocks(m)
    y = rng.permutation(np.repeat(labels, counts))
    for one in halves(m, y.size, y, random_state=0):
        for label, count in zip(labels, counts, strict=True):
            assert (y[one] == label).sum() == count / 2
    for one, two in itertools.combinations(halves(m, y.size, y, random_state=0), 2):
        both = np.intersect1d(one, two)
        assert [(y[both] == label).sum() for label in labels] == (counts / 4).tolist()


def test_uneven_classes_are_dealt_to_within_one_sample_per_block():
    y = np.repeat([0, 1, 2], [37, 21, 5])
    for one in halves(3, y.size, y, random_state=1):
        for label, count in ((0, 37), (1, 21), (2, 5)):
            assert abs((y[one] == label).sum() - count / 2) <= 1
        assert abs(one.size - y.size / 2) <= 1


def test_a_continuous_target_is_not_stratified():
    y = np.random.default_rng(0).normal(size=40)
    one, two = halves(3, 40, random_state=0), halves(3, 40, y, random_state=0)
    np.testing.assert_array_equal(one, two)


def test_the_same_state_gives_the_same_splits_and_another_gives_others():
    one, two, other = (halves(3, 40, random_state=seed) for seed in (0, 0, 1))
    np.testing.assert_array_equal(one, two)
    assert not np.array_equal(one, other)
    np.testing.assert_array_equal(one, halves(3, 40, random_state=np.random.RandomState(0)))
    np.testing.assert_array_equal(halves(3, 40, shuffle=False), halves(3, 40, shuffle=False))


def test_the_global_random_state_is_not_touched():
    before = np.random.get_state()  # noqa: NPY002
    one, two = halves(3, 400), halves(3, 400)
    np.testing.assert_equal(np.random.get_state(), before)  # noqa: NPY002
    assert not np.array_equal(one, two)


def test_it_is_a_scikit_learn_splitter():
    X, y = load_iris(return_X_y=True)
    splitter = BlockedMByTwo(m=5, random_state=0)
    assert repr(splitter) == "BlockedMByTwo(m=5, random_state=0, shuffle=True)"
    assert cross_val_score(GaussianNB(), X, y, cv=splitter).shape == (10,)
    again = pickle.loads(pickle.dumps(splitter))
    for (one, _), (two, _) in zip(again.split(X, y), splitter.split(X, y), strict=True):
        np.testing.assert_array_equal(one, two)
    assert clone(splitter, safe=False).m == 5


def test_its_scores_have_the_shape_that_the_test_takes():
    X, y = load_iris(return_X_y=True)
    splits = draw_splits(BlockedMByTwo(random_state=0), X, y, n_samples=150, params={})
    assert (splits.n_repeats, splits.n_folds, splits.partition) == (3, 2, True)
    a, b = (
        cross_val_score(GaussianNB(var_smoothing=v), X, y, cv=list(splits)).reshape(splits.n_repeats, splits.n_folds)
        for v in (1e-9, 1.0)
    )
    assert blocked_m_by_two_test(a, b).n == 6


@pytest.mark.parametrize("m", [0, -1, 48, 2.5, "3", None, True])
def test_a_bad_m_is_refused_by_name(m):
    with pytest.raises(ValueError, match=r"^m must be "):
        BlockedMByTwo(m).get_n_splits()
    with pytest.raises(ValueError, match=r"^m must be "):
        next(BlockedMByTwo(m).split(np.zeros((100, 1))))


def test_bad_data_and_options_are_refused_by_name():
    with pytest.raises(ValueError, match=r"^m=3 needs at least 4 samples"):
        next(BlockedMByTwo(3).split(np.zeros((3, 1))))
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        next(BlockedMByTwo(3).split(np.zeros((8, 1)), np.zeros(7)))
    with pytest.raises(ValueError, match=r"^shuffle must be True or False"):
        next(BlockedMByTwo(3, shuffle="yes").split(np.zeros((8, 1))))
    with pytest.raises(ValueError, match=r"^random_state must be None, an integer or"):
        next(BlockedMByTwo(3, random_state="x").split(np.zeros((8, 1))))
    with pytest.raises(ValueError, match=r"^random_state must be None where shuffle is False"):
        next(BlockedMByTwo(3, shuffle=False, random_state=0).split(np.zeros((8, 1))))
