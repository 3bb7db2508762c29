"""Splits are drawn once, recognised, hashed and given back exactly."""

from __future__ import annotations

import pickle
import re
import weakref
from hashlib import sha256

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import config_context, model_selection
from sklearn.datasets import load_iris
from sklearn.dummy import DummyRegressor
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from skcompare import PairedEvaluator
from skcompare.evaluation.splits import draw_splits, make_splitter, splits_from_pairs

pytestmark = pytest.mark.sampled

N = 60
X, Y = (array[::2][:N] for array in load_iris(return_X_y=True))
Y = np.arange(N) % 3
GROUPS = np.arange(N) // 5
MODELS = {"bayes": GaussianNB(), "neighbours": KNeighborsClassifier(3)}


def evaluate(cv, random_state=0, **options):
    return PairedEvaluator(cv=cv, scoring="accuracy", random_state=random_state).evaluate(MODELS, X, Y, **options)


def assert_same_splits(ours, expected):
    expected = list(expected)
    assert len(ours) == len(expected)
    for (train, test), (wanted_train, wanted_test) in zip(ours, expected, strict=True):
        np.testing.assert_array_equal(train, wanted_train)
        np.testing.assert_array_equal(test, wanted_test)


SPLITTERS = {
    "KFold": (model_selection.KFold(4), (1, 4, True)),
    "shuffled KFold": (model_selection.KFold(4, shuffle=True, random_state=1), (1, 4, True)),
    "uneven KFold": (model_selection.KFold(7), (1, 7, True)),
    "StratifiedKFold": (model_selection.StratifiedKFold(5), (1, 5, True)),
    "RepeatedKFold": (model_selection.RepeatedKFold(n_splits=3, n_repeats=2, random_state=1), (2, 3, True)),
    "RepeatedStratifiedKFold": (
        model_selection.RepeatedStratifiedKFold(n_splits=3, n_repeats=4, random_state=1),
        (4, 3, True),
    ),
    "GroupKFold": (model_selection.GroupKFold(4), (1, 4, True)),
    "StratifiedGroupKFold": (model_selection.StratifiedGroupKFold(3), (1, 3, True)),
    "LeaveOneGroupOut": (model_selection.LeaveOneGroupOut(), (1, 12, True)),
    "LeaveOneOut": (model_selection.LeaveOneOut(), (1, N, True)),
    "PredefinedSplit": (model_selection.PredefinedSplit(np.arange(N) % 4), (1, 4, True)),
    "PredefinedSplit, some never tested": (model_selection.PredefinedSplit(np.arange(N) % 4 - 1), (1, 3, False)),
    "ShuffleSplit": (model_selection.ShuffleSplit(6, test_size=0.3, random_state=1), (6, 1, False)),
    "StratifiedShuffleSplit": (model_selection.StratifiedShuffleSplit(6, test_size=0.3, random_state=1), (6, 1, False)),
    "GroupShuffleSplit": (model_selection.GroupShuffleSplit(6, test_size=0.3, random_state=1), (6, 1, False)),
    "TimeSeriesSplit": (model_selection.TimeSeriesSplit(4), (1, 4, False)),
    "one holdout": (model_selection.ShuffleSplit(1, test_size=0.3, random_state=1), (1, 1, False)),
}


@pytest.mark.parametrize("name", SPLITTERS)
def test_every_splitter_is_taken_as_it_is_and_its_design_recognised(name):
    splitter, (n_repeats, n_folds, partition) = SPLITTERS[name]
    groups = GROUPS if "Group" in name else None
    result = evaluate(splitter, groups=groups)
    expected = list(splitter.split(X, Y, groups))
    assert_same_splits(result.splits(), expected)
    design = result.design
    assert (design.n_repeats, design.n_folds, design.partition) == (n_repeats, n_folds, partition)
    assert design.n_splits == len(expected) == n_repeats * n_folds
    assert design.train_sizes == tuple(len(train) for train, _ in expected)
    assert design.test_sizes == tuple(len(test) for _, test in expected)
    mean_train, mean_test = np.mean(design.train_sizes), np.mean(design.test_sizes)
    assert design.test_fraction == pytest.approx(mean_test / (mean_train + mean_test))


def test_leave_p_out_overlaps_and_counts_as_random_splits():
    few = np.arange(8)
    pairs = list(model_selection.LeavePOut(2).split(few))
    splits = splits_from_pairs(pairs, 8)
    assert (splits.n_repeats, splits.n_folds, splits.partition) == (len(pairs), 1, False)


@pytest.mark.parametrize(
    ("cv", "twin"),
    [
        (5, model_selection.StratifiedKFold(5, shuffle=True, random_state=0)),
        ("10x10", model_selection.RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)),
        ("5x2", model_selection.RepeatedStratifiedKFold(n_splits=2, n_repeats=5, random_state=0)),
        ("3x4", model_selection.RepeatedStratifiedKFold(n_splits=4, n_repeats=3, random_state=0)),
    ],
)
def test_int_and_rxk_are_scikit_learns_stratified_splitters(cv, twin):
    result, same = evaluate(cv), evaluate(twin)
    assert_same_splits(result.splits(), twin.split(X, Y))
    assert result.design == same.design
    np.testing.assert_array_equal(result.scores, same.scores)


def test_pairs_generators_and_masks_are_taken_as_they_are():
    pairs = list(model_selection.KFold(3, shuffle=True, random_state=2).split(X))
    masks = [(np.isin(np.arange(N), train), np.isin(np.arange(N), test)) for train, test in pairs]
    lists = [(train.tolist(), test.tolist()) for train, test in pairs]
    hashes = {evaluate(cv).design.split_hash for cv in (pairs, (pair for pair in pairs), masks, lists)}
    assert len(hashes) == 1


def test_order_within_a_part_is_kept():
    train, test = np.arange(N)[::-1][:40], np.arange(N)[::-1][40:]
    assert_same_splits(evaluate([(train, test), (test, train)]).splits(), [(train, test), (test, train)])


@pytest.mark.parametrize("random_state", [None, "instance"])
@pytest.mark.parametrize("kind", [model_selection.KFold, model_selection.ShuffleSplit])
def test_a_random_splitter_is_consumed_exactly_once(kind, random_state):
    class Counting(kind):
        calls = 0

        def split(self, *args, **kwargs):
            type(self).calls += 1
            return super().split(*args, **kwargs)

    options = {"shuffle": True} if kind is model_selection.KFold else {}
    state = np.random.RandomState(0) if random_state == "instance" else None
    result = evaluate(Counting(3, random_state=state, **options))
    assert Counting.calls == 1
    # both models were tested on the same samples
    for a, b in zip(result.predictions("bayes"), result.predictions("neighbours"), strict=True):
        np.testing.assert_array_equal(a.test_indices, b.test_indices)


def test_the_hash_tells_splits_apart():
    assert evaluate("2x3", random_state=0).design.split_hash == evaluate("2x3", random_state=0).design.split_hash
    different = {evaluate(cv, random_state=seed).design.split_hash for cv in ("2x3", "3x2", 3) for seed in (0, 1)}
    assert len(different) == 6


def test_the_hash_does_not_depend_on_the_integer_type():
    pairs = list(model_selection.ShuffleSplit(3, random_state=0).split(X))
    narrow = [(train.astype(np.int32), test.astype(np.int16)) for train, test in pairs]
    assert evaluate(pairs).design.split_hash == evaluate(narrow).design.split_hash


def test_plain_k_fold_designs_are_kept_compactly():
    pairs = list(model_selection.RepeatedKFold(n_splits=10, n_repeats=10, random_state=0).split(np.zeros(10_000)))
    splits = splits_from_pairs(pairs, 10_000)
    assert splits.pairs is None
    assert splits.fold_ids is not None
    assert splits.fold_ids.nbytes == 10 * 10_000
    assert len(pickle.dumps(splits, protocol=5)) < 11 * 10_000
    assert_same_splits(list(splits), pairs)


@pytest.mark.parametrize(
    "kind",
    [
        model_selection.RepeatedKFold(n_splits=4, n_repeats=3, random_state=0),
        model_selection.ShuffleSplit(8),
        model_selection.TimeSeriesSplit(),
    ],
)
def test_test_indices_are_told_without_the_training_indices(kind):
    splits = splits_from_pairs(kind.split(X), N)
    tests = [test for _, test in splits]
    by_repeat = [test for repeat in range(splits.n_repeats) for test in splits.all_held_out(repeat)]
    for i, test in enumerate(tests):
        np.testing.assert_array_equal(splits.held_out(i), test, strict=True)
        np.testing.assert_array_equal(by_repeat[i], test, strict=True)


class Watched(model_selection.RepeatedKFold):
    """Remembers how many of the index arrays that it gave were alive at once."""

    most_alive = 0

    def split(self, X, y=None, groups=None):
        given = []
        for train, test in super().split(X, y, groups):
            given += [weakref.ref(train), weakref.ref(test)]
            self.most_alive = max(self.most_alive, sum(reference() is not None for reference in given))
            yield train, test


def test_plain_k_fold_designs_are_drawn_one_split_at_a_time():
    splitter = Watched(n_splits=5, n_repeats=4, random_state=0)
    splits = draw_splits(splitter, X, Y, n_samples=N, params={})
    assert splits.fold_ids is not None
    assert splitter.most_alive <= 6  # this split's, and what is left of the one before


def odd_tails():
    """Index pairs that begin as two repeats of three folds and then cannot be told as fold numbers."""
    pairs = [pair for seed in (0, 1) for pair in model_selection.KFold(3, shuffle=True, random_state=seed).split(X)]
    yield "ends within a repeat", [*pairs, pairs[0]]
    yield "more folds", [*pairs, *model_selection.KFold(4).split(X)]
    yield "fewer folds", [*pairs, *model_selection.KFold(2).split(X)]
    yield "random splits", [*pairs, *model_selection.ShuffleSplit(3, random_state=0).split(X)]
    yield "a test set again", [*pairs[:4], *pairs[3:6]]
    yield "another order", [*pairs[:-1], (pairs[-1][0][::-1], pairs[-1][1])]
    yield "fewer training samples", [*pairs[:-1], (pairs[-1][0][1:], pairs[-1][1])]
    yield "a training sample twice", [*pairs[:-1], (np.r_[pairs[-1][0][:-1], pairs[-1][0][0]], pairs[-1][1])]
    yield "a test sample twice", [*pairs[:-1], (pairs[-1][0], np.r_[pairs[-1][1], pairs[-1][1][-1:]])]


@pytest.mark.parametrize(
    ("name", "pairs"), list(odd_tails()), ids=lambda value: value if isinstance(value, str) else ""
)
def test_what_fold_numbers_cannot_say_is_given_back_exactly(name, pairs):
    splits = splits_from_pairs(iter(pairs), N)
    assert splits.fold_ids is None, name
    assert {part.dtype for pair in splits.pairs for part in pair} == {np.dtype(np.uint32)}
    assert {part.dtype for pair in splits for part in pair} == {np.dtype(np.intp)}
    assert_same_splits(splits, pairs)
    regular = name in ("another order", "fewer training samples", "a training sample twice")
    expected = (2, 3, True) if regular else (len(pairs), 1, False)
    assert (splits.n_repeats, splits.n_folds, splits.partition) == expected


@given(st.integers(0, 2**32 - 1), st.integers(2, 6), st.integers(1, 4), st.booleans())
def test_any_run_of_folds_is_given_back_exactly(seed, n_folds, n_repeats, swapped):
    splitter = model_selection.RepeatedKFold(n_splits=n_folds, n_repeats=n_repeats, random_state=seed)
    pairs = list(splitter.split(np.zeros(23)))
    if swapped:
        i = seed % len(pairs)
        pairs[i] = pairs[i][::-1]
    assert_same_splits(splits_from_pairs(pairs, 23), pairs)


def test_the_hash_is_that_of_saved_results():
    pairs = list(model_selection.KFold(3, shuffle=True, random_state=0).split(X))
    ids = np.empty(N, dtype="<u4")
    for fold, (_, test) in enumerate(pairs):
        ids[test] = fold
    digest = sha256(f"{N} 1 3".encode() + ids.tobytes())
    assert splits_from_pairs(pairs, N).split_hash == digest.hexdigest()
    holdout = pairs[:1]
    digest = sha256(f"{N} 1 1".encode())
    for part in holdout[0]:
        digest.update(len(part).to_bytes(8, "little") + part.astype("<u8").tobytes())
    assert splits_from_pairs(holdout, N).split_hash == digest.hexdigest()


def test_testing_on_training_samples_is_said_in_every_test():
    everything = np.arange(N)
    result = evaluate([(everything, everything[:30]), (everything, everything[30:])])
    assert any(w.startswith("DO_NOT_USE: 2 of 2 splits") for w in result.test().warnings)
    assert result.summary().startswith("Do not use this result: 2 of 2 splits")


class Yields:
    """A splitter that yields what it was given."""

    def __init__(self, items):
        self.items = items

    def split(self, X, y=None, groups=None):  # noqa: ARG002
        yield from self.items

    def get_n_splits(self, X=None, y=None, groups=None):  # noqa: ARG002
        return len(self.items)


@pytest.mark.parametrize(
    ("cv", "message"),
    [
        ("10by10", r"cv must be an int k, 'RxK'.*'10by10'"),
        ("0x3", r"cv must be.*'0x3'"),
        ("3x1", r"cv must be.*at least 2 folds.*'3x1'"),
        (1, "cv must be"),
        (True, r"cv must be.*True"),
        (None, r"cv must be.*None"),
        (2.5, r"cv must be.*2\.5"),
        ([], r"cv must yield at least one"),
        ([([0, 1], [])], r"test indices of split 0 of cv must be a non-empty list"),
        ([([], [1])], r"train indices of split 0 of cv must be a non-empty"),
        ([([0, 1], [N])], r"test indices of split 0 of cv must be in \[0, 60\); got 60"),
        ([([0, 1], [-1])], r"test indices of split 0 of cv must be in \[0, 60\); got -1"),
        ([([0.5], [1])], r"train indices of split 0 of cv must be.*integers"),
        ([([0, 1], [2]), 3], r"cv must yield \(train, test\) pairs; got 3 as split 1"),
        (Yields([(np.arange(3), np.arange(3, 6)), 3]), r"cv must yield \(train, test\) pairs; got 3 as split 1"),
        (Yields([]), r"cv must yield at least one"),
        (N + 1, r"cv must be able to split this data: .*n_splits=61"),
    ],
)
def test_bad_cv_is_refused_by_name(cv, message):
    with pytest.raises(ValueError, match=message):
        evaluate(cv)


def test_a_used_up_generator_is_named():
    pairs = iter(list(model_selection.KFold(3).split(X)))
    evaluator = PairedEvaluator(cv=pairs, scoring="accuracy")
    evaluator.evaluate(MODELS, X, Y)
    with pytest.raises(ValueError, match="already used up"):
        evaluator.evaluate(MODELS, X, Y)


@pytest.mark.parametrize("cv", [4, "3x4", model_selection.GroupKFold(4)], ids=str)
@pytest.mark.parametrize("target", ["classes", "numbers"])
def test_groups_do_not_straddle_train_and_test(cv, target):
    y = Y if target == "classes" else X.sum(axis=1)
    models = MODELS if target == "classes" else {"mean": DummyRegressor(), "median": DummyRegressor(strategy="median")}
    metric = "accuracy" if target == "classes" else "r2"
    result = PairedEvaluator(cv=cv, scoring=metric, random_state=0).evaluate(models, X, y, groups=GROUPS)
    for train, test in result.splits():
        assert not set(GROUPS[train]) & set(GROUPS[test])
    assert result.design.name == f"{'3x4' if cv == '3x4' else '4-fold'} cross-validation of {len(set(GROUPS))} groups"
    assert result.design.name in " ".join(result.summary().split())
    assert result.warnings == ()


def test_repeats_draw_the_folds_of_groups_anew():
    first, second = (evaluate("2x4", groups=GROUPS).splits() for _ in range(2))
    for (train, test), (same_train, same_test) in zip(first, second, strict=True):
        np.testing.assert_array_equal(train, same_train)
        np.testing.assert_array_equal(test, same_test)
    of_repeats = [{frozenset(GROUPS[test]) for _, test in first[start : start + 4]} for start in (0, 4)]
    assert of_repeats[0] != of_repeats[1]


def test_groups_on_both_sides_and_few_groups_are_told():
    pairs = list(model_selection.KFold(3, shuffle=True, random_state=0).split(X))
    (leak,) = evaluate(pairs, groups=GROUPS).warnings
    assert leak.code == "DO_NOT_USE"
    assert "3 of 3 splits test on groups they train on" in leak
    (few,) = evaluate(4, groups=np.arange(N) % 7).warnings
    assert few.code == "TOO_LITTLE_DATA"
    assert "7 groups are fewer than two per fold" in few
    assert evaluate(pairs).warnings == ()


def test_groups_with_metadata_routing_are_kept_together():
    with config_context(enable_metadata_routing=True):
        result = PairedEvaluator(cv="2x4", scoring="accuracy", random_state=0).evaluate(
            MODELS, X, Y, params={"groups": GROUPS}
        )
    assert all(not set(GROUPS[train]) & set(GROUPS[test]) for train, test in result.splits())


@pytest.mark.parametrize(
    ("written", "meant"),
    [("5X5", "'5x5'"), ("10 x 10", "'10x10'"), ("5", "5"), (" 3x2 ", "'3x2'"), ("10-fold", "10"), ("4 * 3", "'4x3'")],
)
def test_a_design_that_is_almost_written_as_one_is_refused_with_what_to_write(written, meant):
    with pytest.raises(ValueError, match=rf"cv must be .*got {re.escape(repr(written))}: write {meant}$"):
        make_splitter(written, None, stratified=False, random_state=0)
    for other in ("5x1", "0x5", "x", "1", "5x5x5", "²", "9" * 5000):
        with pytest.raises(ValueError, match=r"cv must be an int k, 'RxK'(?!.*write)"):
            make_splitter(other, None, stratified=False, random_state=0)


@pytest.mark.parametrize("groups", [None, GROUPS])
def test_more_splits_than_anybody_means_are_refused_before_they_are_drawn(rng, groups):
    many = int(rng.integers(10**6, 10**9))
    asked = [f"{many}x2", f"1{'0' * many.bit_length()}x3", f"{'9' * 5000}x2", f"3x{many}"]
    if groups is None:
        asked += [model_selection.RepeatedKFold(n_repeats=many), model_selection.ShuffleSplit(many)]
        asked.append(model_selection.LeavePOut(7))
    for cv in asked:
        with pytest.raises(ValueError, match=r"^cv must give at most 1,000,000 splits; got more$"):
            evaluate(cv, groups=groups)
    assert evaluate("2x2", groups=groups).scores.shape == (2, 4, 1)
