"""The study of drawn nulls: its learners, metrics and nulls are what they are said to be, and its table grows."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.svm import LinearSVC

from benchmarks import rates_study as study
from benchmarks import read_rows
from benchmarks import wide_data as data
from benchmarks.rates_study import Null
from skcompare import inference
from tests.lawful import FULL

QUICK = ("LinearSVC", "logistic regression", "RidgeClassifier", "naive Bayes", "15-NN", "stump", "ridge")
MARGINS = {
    "LinearSVC": LinearSVC(tol=1e-10, max_iter=100_000),
    "balanced logistic regression": LogisticRegression(class_weight="balanced", tol=1e-9, max_iter=10_000),
    "RidgeClassifier": RidgeClassifier(),
}
# 14 raters give ten subjects one of five categories: Fleiss (1971) as printed in Wikipedia, "Fleiss' kappa", .210.
RATINGS = """0 0 0 0 14, 0 2 6 4 2, 0 0 3 5 6, 0 3 9 2 0, 2 2 8 1 1, 7 7 0 0 0, 3 2 6 3 0, 2 5 3 2 2, 6 5 2 1 0,
0 2 2 3 7"""


def quick_nulls(n_nulls, start=0):
    """Of the first ones, those with few samples and quick learners."""
    found = (one for one in study.nulls() if one.n <= 150 and one.learner in QUICK)
    return [*islice(found, start, start + n_nulls)]


def a_data_set(seed, learner="logistic regression", positive=0.35):
    null = Null("binary", "heavy tails, weak", learner, 100, positive)
    rng = np.random.default_rng(seed)
    X, y = study.two_blocks(null, rng)
    return null, X[0], y, data.drawn_splits(y, "binary", ("10x10",), rng)["10x10"][:6]


@pytest.mark.sampled("simulated learners")
@pytest.mark.parametrize("name", MARGINS)
def test_the_learners_are_those_of_scikit_learn(global_random_seed, name):
    _, X, y, tests = a_data_set(global_random_seed)
    found = study.OF_CLASSES[name].fit(X, np.eye(2)[y], ~tests, 0)
    for test, own in zip(tests, found, strict=True):
        expected = MARGINS[name].fit(X[~test], y[~test]).decision_function(X[test])
        np.testing.assert_allclose(own[test, 1] - own[test, 0], expected, atol=1e-5)


@pytest.mark.sampled("simulated learners")
@pytest.mark.parametrize("learner", ["logistic regression", "5-NN"])
def test_the_metrics_are_those_of_scikit_learn(global_random_seed, learner):
    null, X, y, tests = a_data_set(global_random_seed, learner, positive=0.2)
    values = null.own.fit(X, np.eye(2)[y], ~tests, 0)
    for test, own, found in zip(tests, values, study.scores_of(null, values, y, tests), strict=True):
        true, margin = y[test], own[test, 1] - own[test, 0]
        p = 1 / (1 + np.exp(-margin)) if learner == "logistic regression" else own[test, 1]
        expected = {
            "accuracy": metrics.accuracy_score(true, margin > 0),
            "precision": metrics.precision_score(true, margin > 0, zero_division=0),
            "recall": metrics.recall_score(true, margin > 0),
            "f1": metrics.f1_score(true, margin > 0, zero_division=0),
            "roc_auc": metrics.roc_auc_score(true, margin),
            "balanced_accuracy": metrics.balanced_accuracy_score(true, margin > 0),
            "mcc": metrics.matthews_corrcoef(true, margin > 0),
            "average_precision": metrics.average_precision_score(true, margin),
            "neg_brier_score": -metrics.brier_score_loss(true, p),
        }
        assert dict(zip(study.metrics_of(null), found, strict=True)) == pytest.approx(expected)


def test_instability_is_disagreement_beyond_chance(rng):
    counts = np.array([[*map(int, row.split())] for row in RATINGS.split(",")])
    ratings = np.array([rng.permutation(np.repeat(np.arange(5), row)) for row in counts]).T
    assert study.instability(np.eye(5)[ratings]) == pytest.approx(1 - 0.210, abs=5e-4)
    same = np.tile(rng.normal(size=(1, 30, 1)), (10, 1, 1))
    assert study.instability(same) == pytest.approx(0, abs=1e-12)
    assert study.instability(np.ones((10, 30, 2))) == 0
    assert study.instability(rng.normal(size=(10, 3000, 1))) == pytest.approx(1, abs=0.02)


def test_the_nulls_differ_and_their_order_stays():
    first = [*islice(study.nulls(), 300)]
    assert len({one.key for one in first}) == 300
    assert first[:50] == [*islice(study.nulls(), 50)]
    assert {one.positive for one in first if one.task == "binary"} == {*study.POSITIVES}
    assert {one.n for one in first} == {*study.SIZES}
    for one in first:
        _, y = study.two_blocks(one, np.random.default_rng(0))
        if one.task != "regression":
            assert np.bincount(y).min() >= study.FEWEST
        if one.task == "binary":
            assert y.mean() == pytest.approx(one.positive, abs=0.51 / one.n)


@pytest.mark.parametrize("link", ["signal", "interaction", "label noise"])
@pytest.mark.parametrize("kind", study.COMMON)
def test_both_models_see_the_features_that_they_share(rng, kind, link):
    (X, other), _ = study.two_blocks(Null("binary", f"{kind}, {link}", "forest of 10", 60, 0.5), rng)
    same = (other == X).all(axis=0)
    assert same[: study.COMMON[kind]].all()
    assert same.all() == (kind == "other seeds")


def pvalues_over_data_sets(null, n_datasets, first, metric=0):
    """Of a mean difference of 0, from independent data sets."""
    d = study.drawn(null, n_datasets, first)["10-fold"][:, :, metric].mean(axis=1)
    return 1.0 if np.ptp(d) == 0 else float(stats.ttest_1samp(d, 0).pvalue)


@pytest.mark.sampled("simulated learners")
@pytest.mark.sampled("simulations")
def test_the_nulls_are_true(global_random_seed):
    """A t test of independent data sets rejects no more and no fewer than its level."""
    n = 30 if FULL else 8
    chosen = quick_nulls(n, n * (global_random_seed % 50))
    p = np.array([pvalues_over_data_sets(one, 12, 100 * global_random_seed) for one in chosen])
    for level in (0.1, 0.5):
        low, high = stats.binom.ppf([1e-5, 1 - 1e-5], len(p), level)
        assert low <= (p < level).sum() <= high


def test_a_better_block_would_be_found(global_random_seed, monkeypatch):
    def unequal(null, rng, drawn=study.two_blocks):
        (a, b), y = drawn(null, rng)
        return np.stack([a, rng.permutation(b)]), y

    monkeypatch.setattr(study, "two_blocks", unequal)
    null = Null("binary", "independent, strong", "naive Bayes", 60, 0.4)
    assert pvalues_over_data_sets(null, 12, 100 * global_random_seed) < 1e-4


def test_the_counts_are_those_of_the_tests(rng):
    """On independent scores the paired t test would be right; the corrected ones reject no more."""
    null = Null("binary", "independent, noise", "LinearSVC", 60, 0.4)
    made = {name: rng.normal(size=(400, n, 8)) for name, n in (("10x10", 100), ("10-fold", 10), ("5x2", 10))}
    made |= {f"known, {design}": np.tile([0.25, 0.4], (400, 1)) for design in study.REPEATS}
    made["told"] = np.zeros((400, 2))
    rows = [dict(zip(study.COLUMNS, row, strict=True)) for row in study.rows_of(null, made)]
    assert {(row["design"], row["instability"], row["called_positive"]) for row in rows} == {
        *(("10x10", "0.250", "0.400"), ("10-fold", "", "0.400"), ("5x2", "0.250", "0.400"))
    }
    assert {row["metric"] for row in rows} == {*study.OF_TWO}
    for row in rows:
        assert int(row["rejected_1"]) <= int(row["rejected"]) <= int(row["rejected_10"])
        exact = row["procedure"] == "five_by_two_f_test"
        assert int(row["rejected"]) <= stats.binom.ppf(1 - 1e-6, 400, 0.06 if exact else 0.05)
    shifted = {name: own + 5 for name, own in made.items() if name in study.DESIGNS}
    for row in study.rows_of(null, made | shifted):
        assert int(row[-4]) > 390


def test_the_tests_written_out_are_those_of_the_package(rng):
    losses = rng.normal(size=(2, 10, 60))
    losses[:, :, :40] = losses[:, :1, :40]  # which no repeat changes
    folds = np.array([rng.permutation(60) % 10 for _ in range(10)])
    d, null = rng.normal(0.3, 1, (1, 100)), Null("binary", "shared, weak", "naive Bayes", 60, 0.5)
    told = study.luck_and_excess(losses[1] - losses[0], folds + 10 * np.arange(10)[:, None])
    found = study.pvalues(null, "f1", "10x10", d, np.array([told]))
    a, b = d.reshape(10, 10), np.zeros((10, 10))
    stable = inference.stability_t_test(a, b, *losses, folds, families=["naive Bayes"] * 2)
    assert found["stability_t_test"][0] == pytest.approx(stable.pvalue)
    assert found["corrected_t_test"][0] == pytest.approx(inference.corrected_t_test(a, b, test_fraction=0.1).pvalue)


def test_the_study_runs_and_is_taken_up_again(tmp_path, monkeypatch):
    table, folder = tmp_path / "table.csv.gz", tmp_path / "kept"
    folder.mkdir()
    every = quick_nulls(4)
    monkeypatch.setattr(study, "nulls", lambda: iter(every[:2]))
    study.simulate(table, 60, folder, 1, share=0.02)
    rows = read_rows(table)
    assert tuple(rows[0]) == study.COLUMNS
    assert {tuple(row[name] for name in study.NULL) for row in rows} == {one.key for one in every[:2]}
    assert {row["n_datasets"] for row in rows} <= {"1", "2"}
    assert len([*folder.iterdir()]) == 2
    for row in rows:
        assert 0 <= float(row["instability"] or 0) <= 1
        assert (row["instability"] == "") == (row["design"] == "10-fold")
    monkeypatch.setattr(study, "nulls", lambda: iter(every))
    study.simulate(table, 0, None, 1, share=0.02)
    assert read_rows(table) == rows
    study.simulate(table, 60, None, 1, share=0.02)
    again = read_rows(table)
    assert again[: len(rows)] == rows
    assert {tuple(row[name] for name in study.NULL) for row in again} == {one.key for one in every}


# ---- candidates for another default ---------------------------------------------------------------------------


def test_the_halves_are_apart_and_their_test_sets_a_tenth(rng):
    y = data.class_labels(200, data.shares("binary", 0.2), rng)
    test, train = study.halves(y, rng)
    assert test.shape == train.shape == (2 * study.M * study.J, 200)
    assert not (test & train).any()
    assert {*test.sum(axis=1)} == {20}
    assert {*(test & (y == 1)).sum(axis=1)} == {4}
    first, second = (test | train).reshape(study.M, 2, study.J, 200).swapaxes(0, 1)
    assert (first[:, :1] == first).all()
    assert (first ^ second).all()


def test_the_halves_are_counted_where_they_are_many_enough(tmp_path, monkeypatch):
    table, null = tmp_path / study.HALVES, Null("binary", "shared, weak", "LDA", 150, 0.35)
    monkeypatch.setattr(study, "nulls", lambda: iter([null, replace(null, n=60)]))
    study.simulate(table, 60, None, 1, share=0.02, of_halves=True)
    rows = read_rows(table)
    assert {(row["procedure"], row["n_samples"]) for row in rows} == {("conservative_z_interval", "150")}
    assert [row["metric"] for row in rows] == [*study.metrics_of(null)]


def test_what_is_kept_gives_the_counts_again(tmp_path, monkeypatch):
    null = Null("binary", "heavy tails, weak", "LDA", 60, 0.4)
    monkeypatch.setattr(study, "nulls", lambda: iter([null]))
    rows = [dict(zip(study.COLUMNS, row, strict=True)) for row in study.counted(null, tmp_path, 0.25)]
    for metric in study.THRESHOLD:
        [kept] = study.kept_of(tmp_path, metric)
        for test, scale in {"corrected_t_test": 1.0, "stability_t_test": kept.correction}.items():
            of = (row for row in rows if (row["design"], row["procedure"], row["metric"]) == ("10x10", test, metric))
            assert kept.rejected(scale).sum() == int(next(of)["rejected"])


def kept_null(rng, learner, generator):
    """Means that vary twice as much where the models are unstable."""
    unstable = rng.uniform(0, 1, 400)
    spread = np.full(400, 1.0)
    mean = rng.normal(size=400) * np.sqrt(1 / 100 + np.exp(2 * unstable) / 9)
    known = np.column_stack([np.ones(400), unstable - 0.2, *np.zeros((3, 400))])
    return study.Kept(Null("binary", generator, learner, 200, 0.5), mean, spread, known, np.ones(400))


def test_a_scale_that_holds_is_found_on_other_nulls(global_random_seed):
    rng = np.random.default_rng(global_random_seed)
    nulls = [kept_null(rng, learner, generator) for learner in "abcd" for generator in "efgh"]
    found = {name: np.mean([k / n for k, n in counts]) for name, counts in study.held_out(nulls).items()}
    assert found["scaled by instability"] == pytest.approx(0.05, abs=0.02)
    assert found["corrected_t_test"] > 0.12
    intercept, slope = study.fitted(nulls, 2)
    assert slope == pytest.approx(2, abs=0.5)
    assert intercept == pytest.approx(0.4, abs=0.25)


def test_sizes_are_judged_without_their_monte_carlo_error(global_random_seed):
    rng = np.random.default_rng(global_random_seed)
    n = np.full(2000, 100)
    mean, within, surely, _ = study.judged([*zip(rng.binomial(n, 0.05), n, strict=True)])
    assert (round(float(mean)), within, surely) == (5, "100%", "0%")
    true = rng.beta(2, 38, 2000)
    _, within, _, _ = study.judged([*zip(rng.binomial(n, true), n, strict=True)])
    assert float(within.strip("%")) == pytest.approx(100 * np.diff(stats.beta(2, 38).cdf([0.03, 0.07]))[0], abs=6)
    assert study.judged([*zip(rng.binomial(n, 0.4), n, strict=True)])[2] == "100%"


def test_the_published_table_is_of_this_study():
    rows = read_rows(study.TABLE)
    assert tuple(rows[0]) == study.COLUMNS
    known = {one.key for one in islice(study.nulls(), 5000)}
    found = {tuple(row[name] for name in study.NULL) for row in rows}
    assert found <= known
    assert len({tuple(row.values())[: -len(study.COUNTED)] for row in rows}) == len(rows)
    for row in rows:
        assert 0 <= int(row["rejected_1"]) <= int(row["rejected"]) <= int(row["rejected_10"]) <= int(row["n_datasets"])
