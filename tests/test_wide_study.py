"""The wider calibration study: its learners, its nulls, its procedures and its tables are what they are said to be."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn import ensemble, metrics
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import Lasso, LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from benchmarks import wide_data as data
from benchmarks import wide_study, wide_tables
from benchmarks.wide_data import LEARNERS
from skcompare import StopRule, inference
from skcompare.comparison.stopping import SequentialMonitor

OF_CLASSES = {
    "naive Bayes": GaussianNB(),
    "LDA": LinearDiscriminantAnalysis(solver="lsqr"),
    "logistic regression": LogisticRegression(tol=1e-9, max_iter=5000),
    **{f"{k}-NN": KNeighborsClassifier(k) for k in (1, 5, 15)},
    "stump": DecisionTreeClassifier(max_depth=1),
}
OF_NUMBERS = {
    "ridge": Ridge(),
    "lasso": Lasso(0.1, tol=1e-10),
    **{f"{k}-NN": KNeighborsRegressor(k) for k in (1, 5, 15)},
    "stump": DecisionTreeRegressor(max_depth=1),
}
DESIGNS = (*wide_tables.FOLDS, "30 resamples")
RANDOM = {
    "tree of depth 4": (DecisionTreeClassifier(max_depth=4), DecisionTreeRegressor(max_depth=4)),
    "full tree": (DecisionTreeClassifier(), DecisionTreeRegressor()),
    "forest": (ensemble.RandomForestClassifier(), ensemble.RandomForestRegressor()),
    "boosting": (ensemble.GradientBoostingClassifier(), ensemble.GradientBoostingRegressor()),
}


def drawn(task, n, seed):
    """A data set and test sets of all designs, two of each."""
    rng = np.random.default_rng(seed)
    if task == "regression":
        X, y = data.number_blocks(n, "normal, independent, signal", 1, rng)
    else:
        X, y = data.class_blocks(task, n, 0.2, "correlated, signal", 1, rng)
    tests = data.drawn_splits(y, task, data.ALL, rng)
    return X[0], y, np.concatenate([own[:2] for own in tests.values()])


# ---- learners -------------------------------------------------------------------------------------------------


@pytest.mark.sampled
@pytest.mark.parametrize("task", ["binary", "4 classes"])
@pytest.mark.parametrize("name", OF_CLASSES)
def test_the_learners_of_classes_are_those_of_scikit_learn(global_random_seed, task, name):
    X, y, tests = drawn(task, 100, global_random_seed)
    found = LEARNERS[name].fit(X, np.eye(data.CLASSES[task])[y], ~tests, 0)
    for test, own in zip(tests, found, strict=True):
        model = OF_CLASSES[name].fit(X[~test], y[~test])
        if name == "stump" and not np.allclose(own[test], model.predict_proba(X[test])):  # another split as good
            copies = np.concatenate([~test, np.zeros(len(y), dtype=bool)])
            [twice] = LEARNERS[name].fit(
                np.tile(X, (2, 1)), np.tile(np.eye(data.CLASSES[task])[y], (2, 1)), copies[None], 0
            )
            purity = (twice[len(y) :][~test] ** 2).sum(axis=1).mean()
            assert purity == pytest.approx((model.predict_proba(X[~test]) ** 2).sum(axis=1).mean())
            continue
        np.testing.assert_array_equal(own[test].argmax(axis=1), model.predict(X[test]))
        if not (task == "binary" and name == "logistic regression"):  # whose values are log odds
            np.testing.assert_allclose(own[test], model.predict_proba(X[test]), atol=1e-5)


@pytest.mark.parametrize("name", OF_NUMBERS)
def test_the_learners_of_numbers_are_those_of_scikit_learn(global_random_seed, name):
    X, y, tests = drawn("regression", 100, global_random_seed)
    found = LEARNERS[name].fit(X, y[:, None], ~tests, 0)
    for test, own in zip(tests, found, strict=True):
        np.testing.assert_allclose(own[test, 0], OF_NUMBERS[name].fit(X[~test], y[~test]).predict(X[test]), atol=1e-6)


@pytest.mark.sampled
@pytest.mark.parametrize("task", ["3 classes", "regression"])
@pytest.mark.parametrize("name", RANDOM)
def test_what_is_drawn_by_chance_is_as_good_as_that_of_scikit_learn(global_random_seed, task, name):
    """Trees draw which of two equally good features is taken. The mean gap is within four standard errors."""
    gaps = []
    for seed in range(12 if "tree" in name else 5):
        X, y, tests = drawn(task, 60, (global_random_seed, seed))
        test = tests[6:7]  # a third of the samples
        score, _ = data.model_scores(X, y, test, name, task, seed)
        model = RANDOM[name][task == "regression"].set_params(random_state=seed).fit(X[~test[0]], y[~test[0]])
        own = model.predict(X[test[0]])[:, None] if task == "regression" else model.predict_proba(X[test[0]])
        values = np.zeros((1, len(y), own.shape[1]))
        values[0, test[0]] = own
        of = data.number_metrics(values[:, :, 0], y, test) if task == "regression" else None
        theirs = data.class_metrics(values, y, test, ranks=True) if of is None else of
        gaps.append((score - theirs)[0])
    error = np.std(gaps, axis=0, ddof=1) / len(gaps) ** 0.5
    assert (np.abs(np.mean(gaps, axis=0)) < 4 * error + 0.03).all()


def test_the_metrics_are_those_of_scikit_learn(rng):
    y = data.class_labels(60, data.shares("4 classes", 0), rng)
    tests = np.array(data.drawn_splits(y, "4 classes", ("10x10",), rng)["10x10"][:4])
    values = rng.dirichlet(np.ones(4), (4, 60)).round(1) + 0.0
    values /= values.sum(axis=2, keepdims=True)
    for test, own, found in zip(tests, values, data.class_metrics(values, y, tests, ranks=True), strict=True):
        true, predicted = y[test], own[test].argmax(axis=1)
        options = {"average": "macro", "zero_division": 0}
        expected = [
            metrics.accuracy_score(true, predicted),
            metrics.precision_score(true, predicted, **options),
            metrics.recall_score(true, predicted, **options),
            metrics.f1_score(true, predicted, **options),
            metrics.roc_auc_score(true, own[test], multi_class="ovr"),
        ]
        np.testing.assert_allclose(found, expected, rtol=1e-12)
    y, values = rng.normal(size=60), rng.normal(size=(4, 60))
    for test, own, found in zip(tests, values, data.number_metrics(values, y, tests), strict=True):
        expected = [
            metrics.r2_score(y[test], own[test]),
            -metrics.mean_absolute_error(y[test], own[test]),
            -metrics.root_mean_squared_error(y[test], own[test]),
        ]
        np.testing.assert_allclose(found, expected, rtol=1e-9)


# ---- nulls ----------------------------------------------------------------------------------------------------


def test_the_classes_have_exactly_their_shares_in_all_folds(rng):
    for task, positive in (("binary", 0.2), ("3 classes", 0), ("10 classes", 0)):
        y = data.class_labels(200, data.shares(task, positive), rng)
        assert np.ptp(np.bincount(y) / 200 - data.shares(task, positive)) < 0.01
        for test in data.drawn_splits(y, task, ("10x10",), rng)["10x10"]:
            assert len(np.unique(y[test])) == data.CLASSES[task]


def test_the_nearest_classes_are_as_far_apart_whatever_their_number():
    for n_classes in data.CLASSES.values():
        at = data.centres(n_classes)
        apart = np.sqrt(((at[:, None] - at) ** 2).sum(axis=2))
        assert apart[apart > 0].min() == pytest.approx(2)


@pytest.mark.parametrize(
    ("task", "generator", "learner"),
    [("4 classes", "correlated, signal", "5-NN"), ("regression", "lognormal, nuisance, signal", "ridge")],
)
def test_the_nulls_are_true_for_every_metric(global_random_seed, tmp_path, task, generator, learner):
    """No mean difference is further from 0 than four and a half standard errors."""
    one = data.Condition("five", task, 0.0, 60, generator, learner)
    scores = [wide_study.simulated(one, 1000 * global_random_seed + s, tmp_path)["scores, 10x10"] for s in range(40)]
    d = np.mean([found[:, 0] - found[:, 1] for found in scores], axis=1)
    assert (np.abs(d.mean(axis=0)) < 4.5 * d.std(axis=0, ddof=1) / len(d) ** 0.5).all()
    assert (d.std(axis=0) > 0).all()


@pytest.mark.sampled("simulations")
def test_different_learners_have_a_true_difference(global_random_seed, tmp_path):
    one = data.Condition("draws", "regression", 0.0, 60, "uneven errors", "all")
    names = wide_study.learners_of("regression", "quick")
    found = [wide_study.simulated(one, 1000 * global_random_seed + s, tmp_path)["scores, 5x2"] for s in range(20)]
    d = np.mean(found, axis=1)[:, names.index("ridge"), 0] - np.mean(found, axis=1)[:, names.index("1-NN"), 0]
    assert d.mean() > 4 * d.std(ddof=1) / len(d) ** 0.5


# ---- procedures -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("design", DESIGNS)
def test_the_tests_written_out_are_those_of_the_package(rng, design):
    n = {"10x10": 100, "10x5": 50, "5x2": 10, "30 resamples": 30, "10-fold": 10, "5-fold": 5}[design]
    d = rng.normal(0.2, 1, (10, n))
    found = wide_tables.pvalues(d, design)
    assert wide_tables.DEFAULT[design] in found
    for name, pvalues in found.items():
        options = {} if name == "five_by_two_f_test" else {"test_fraction": wide_tables.FRACTIONS[design]}
        shape = (5, 2) if name == "five_by_two_f_test" else (n,)
        expected = [getattr(inference, name)(one.reshape(shape), np.zeros(shape), **options).pvalue for one in d]
        np.testing.assert_allclose(pvalues, expected, rtol=1e-9)


def test_the_looks_are_those_of_a_stop_rule(rng):
    """Of two models, on data sets of which some are decided and some are not."""
    d = rng.normal(rng.normal(0, 0.6, (30, 1)), 1, (30, 100))
    ended, rule = 0, StopRule(10, spending="obrien_fleming")  # as published of the study
    for one in d:
        monitor = SequentialMonitor(rule, ["a", "b"], [SimpleNamespace(name="m", kind="scorer")], (10, 10))
        looks = (monitor.look(np.stack([one[:n], 0 * one[:n]])) for n in range(10, 101, 10))
        assert len([None for left in looks if left]) < 10
        ended += monitor.record().kind == "best"
    assert wide_tables.stopping(d)[:2] == (30, ended)
    assert 0 < ended < 30


def test_models_of_which_one_is_better_are_found(rng):
    """What counts false claims of equal models counts true ones of others."""
    scores = rng.normal(size=(10, 100, 5, 3)) + np.array([3.0, 0, 0, 0, 0])[:, None]
    found = {(name, metric): counts for name, metric, counts, *_ in wide_tables.of_many(scores, "10x10", ("a", "b"))}
    assert set(found) == {(f"model_confidence_set, {k} models", "a") for k in (3, 5)}
    assert all(counts == (10, 10, 10, 10) for counts in found.values())
    assert wide_tables.stopping(scores[:, :, 0, 0] - scores[:, :, 1, 0])[:2] == (10, 10)


# ---- tables ---------------------------------------------------------------------------------------------------


@pytest.mark.sampled("simulations")
def test_the_study_runs_from_end_to_end(tmp_path):
    cells = [
        data.Condition("blocks", "3 classes", 0.0, 60, "nuisance, signal", "5-NN"),
        data.Condition("blocks", "regression", 0.0, 60, "t3, independent, weak", "lasso"),
        data.Condition("draws", "regression", 0.0, 60, "friedman1", "all"),
        data.Condition("five", "regression", 0.0, 60, "t3, nuisance, weak", "ridge"),
    ]
    names = wide_study.learners_of("regression", "quick")
    rows = []
    for cell in cells:
        for start in (0, 3):
            wide_study.simulate_chunk(tmp_path, cell, start, 3)
        rows += wide_tables.tested(tmp_path, cell, names)
    assert {row["n_datasets"] for row in rows} == {"6"}
    assert {row["design"] for row in rows} == {*DESIGNS}
    assert {row["family"] for row in rows if row["kind"] == "draws"} == {
        *("linear", "neighbors", "mixed", "mixed with guessing")
    }
    assert {row["procedure"] for row in rows} >= {"corrected_t_test", "k_fold_t_test", "five_by_two_f_test"}
    # data sets of other seeds are added, those of the same are not counted twice
    again = [row | {"first_seed": "6", "n_datasets": "4", "rejected": "4"} for row in rows]
    both = wide_tables.joined(rows, again)
    assert len(both) == 2 * len(rows)
    assert wide_tables.joined(both, rows) == both


def row_of(first=0, n=100, rejected=5, **null):
    of = {"kind": "blocks", "task": "regression", "positive": "", "n_samples": "200", "generator": "g", "learner": "l"}
    of |= {"family": "linear", "design": "10x10", "procedure": "corrected_t_test", "metric": "r2"}
    return of | null | {"first_seed": str(first), "n_datasets": str(n), "rejected": str(rejected)}


def test_seeds_after_a_gap_are_not_counted(tmp_path):
    paths = [tmp_path / f"{start}.npz" for start in (50, 100, 200)]
    for path in paths:
        np.savez(path, first=int(path.stem), **{"scores, 10x10": np.full((50, 100, 2, 1), float(path.stem))})
    found, first = wide_tables.stored(paths)
    assert first == 50
    assert sorted(set(found["10x10"][:, 0, 0, 0])) == [50, 100]
    assert (len(found["10x10"]), found["10-fold"].shape[:2]) == (100, (100, 10))


@pytest.mark.parametrize(
    ("old", "new", "kept"),
    [
        ([(0, 100)], (0, 50), [(0, 100)]),
        ([(0, 50)], (0, 100), [(0, 100)]),
        ([(0, 50), (50, 50)], (50, 100), [(0, 50), (50, 100)]),
        ([(0, 50), (50, 100)], (0, 100), [(0, 50), (50, 100)]),
        ([(0, 50)], (50, 50), [(0, 50), (50, 50)]),
    ],
)
def test_of_counts_that_share_seeds_those_of_more_data_sets_stay(old, new, kept):
    other = row_of(0, 10, learner="other")
    rows = wide_tables.joined([*(row_of(*one) for one in old), other], [row_of(*new)])
    assert [(int(row["first_seed"]), int(row["n_datasets"])) for row in rows if row != other] == kept
    assert other in rows
    (again,) = wide_tables.joined([row_of(0, 50, 5)], [row_of(0, 50, 7)])
    assert again["rejected"] == "7"


def test_what_was_predicted_is_kept(tmp_path):
    """The scores of ten times ten folds can be made again of what is kept."""
    cell = data.Condition("blocks", "3 classes", 0.0, 60, "independent, weak", "naive Bayes")
    one = wide_study.simulated(cell, 0, tmp_path)
    for model in range(2):
        hits = one["values"][model].argmax(axis=2) == one["y"]
        made = [hits[s // 10][one["fold"][s // 10] == s % 10].mean() for s in range(100)]
        np.testing.assert_allclose(made, one["scores, 10x10"][:, model, 0])


def test_every_condition_is_named_once_and_its_file_tells_it(tmp_path):
    found = wide_study.conditions()
    assert len({c.file(tmp_path, 0) for c in found}) == len(found)
    assert found[0].file(tmp_path, 0) != replace(found[0], n=61).file(tmp_path, 0)
