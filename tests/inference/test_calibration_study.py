"""The calibration study: its learners, its procedures and its table are what they are said to be."""

from __future__ import annotations

import csv
import gzip
import re
from pathlib import Path

import numpy as np
import pytest
from sklearn import metrics
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from benchmarks import calibration as made
from benchmarks import fast_learners as fast
from skcompare import Design, inference
from skcompare.inference._procedures import PROCEDURES, default_for
from skcompare.inference._rates import MEASURED_SIZES
from tests.lawful import FULL

README = Path(__file__).parents[2] / "README.md"
CELLS = Path(__file__).parents[2] / "docs" / "data" / "calibration_study.csv.gz"
STUDY, TASKS = (CELLS.parents[1] / "study.md").read_text(encoding="utf-8"), ("binary", "multiclass", "regression")
EXACT = {
    "naive Bayes": GaussianNB(),
    "kNN": KNeighborsClassifier(5),
    "logistic regression": LogisticRegression(tol=1e-10, max_iter=1000),
}


@pytest.fixture(scope="module")
def rows():
    with gzip.open(CELLS, "rt", encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def dataset(n, seed, signal=0.3):
    rng = np.random.default_rng(seed)
    y = made.labels(n, "80/20", rng)
    X = rng.normal(size=(n, made.FEATURES)) + signal * (2 * y - 1)[:, None]
    return X, y, np.concatenate([tests[:3] for tests in made.designs(y, rng).values()])


def design_of(n_repeats, n_folds, n_samples=100, *, partition=True):
    return Design(
        n_samples=n_samples,
        n_repeats=n_repeats,
        n_folds=n_folds,
        n_splits=n_repeats * n_folds,
        train_sizes=(),
        test_sizes=(),
        test_fraction=1 / n_folds if partition else 1 / 3,
        partition=partition,
        split_hash="",
    )


# ---- learners -------------------------------------------------------------------------------------------------


@pytest.mark.sampled("simulated learners")
@pytest.mark.parametrize("name", EXACT)
def test_the_learners_decide_as_those_of_scikit_learn(global_random_seed, name):
    X, y, tests = dataset(90, global_random_seed)
    values = made.LEARNERS[name](X, y, ~tests, 0)
    for test, own in zip(tests, values, strict=True):
        model = EXACT[name].fit(X[~test], y[~test])
        probability = model.predict_proba(X[test])[:, 1]
        np.testing.assert_array_equal(own[test] > 0, model.predict(X[test]) == 1)
        order = np.argsort(own[test], kind="stable")
        assert (np.diff(probability[order]) > -1e-9).all()


@pytest.mark.sampled("simulated learners")
def test_trees_are_those_of_scikit_learn_but_for_ties_of_features(global_random_seed):
    """Where two features split a node equally well, scikit-learn draws one; the training scores are as good."""
    X, y, tests = dataset(150, global_random_seed)
    values = made.LEARNERS["tree"](X, y, ~tests, 0)
    same, gini = [], []
    for test, own in zip(tests, values, strict=True):
        model = DecisionTreeClassifier(max_depth=fast.MAX_DEPTH, random_state=0).fit(X[~test], y[~test])
        theirs = model.predict_proba(X)[:, 1] - 0.5
        same.append(np.mean(np.isclose(theirs, own)))
        gini.append(abs(np.mean((theirs**2)[~test]) - np.mean((own**2)[~test])))
    assert np.mean(same) > 0.8
    assert np.median(gini) < 0.01


@pytest.mark.sampled("simulated learners")
@pytest.mark.slow
def test_forests_are_as_good_as_those_of_scikit_learn(global_random_seed):
    """The mean difference in AUC over many data sets is within four standard errors of 0."""
    gaps = []
    for seed in range(60 if FULL else 30):
        X, y, tests = dataset(100, (global_random_seed, seed))
        test = tests[:1]
        ours = made.LEARNERS["forest"](X, y, ~test, seed)
        model = RandomForestClassifier(fast.N_TREES, max_depth=fast.MAX_DEPTH, random_state=seed)
        theirs = model.fit(X[~test[0]], y[~test[0]]).predict_proba(X)[None, :, 1] - 0.5
        gaps.append((fast.roc_auc(ours, y, test) - fast.roc_auc(theirs, y, test))[0])
    assert abs(np.mean(gaps)) < 4 * np.std(gaps, ddof=1) / len(gaps) ** 0.5 + 1e-12


def test_the_five_metrics_are_those_of_scikit_learn(global_random_seed):
    X, y, tests = dataset(80, global_random_seed)
    values = np.round(made.LEARNERS["naive Bayes"](X, y, ~tests, 0), 1)  # with ties
    for test, own, found in zip(tests, values, fast.five_metrics(values, y, tests), strict=True):
        predicted = (own[test] > 0).astype(int)
        expected = [
            metrics.accuracy_score(y[test], predicted),
            metrics.precision_score(y[test], predicted, zero_division=0),
            metrics.recall_score(y[test], predicted),
            metrics.f1_score(y[test], predicted),
            metrics.roc_auc_score(y[test], own[test]),
        ]
        np.testing.assert_allclose(found, expected, rtol=1e-12)


# ---- procedures -----------------------------------------------------------------------------------------------


def coarse(rng, n_datasets, n_splits, n_metrics=1):
    """Differences with ties, among them data sets without any difference."""
    d = rng.normal(0.01, 0.05, (n_datasets, n_splits, n_metrics)).round(2)
    d[0] = 0
    return d if n_metrics > 1 else d[:, :, 0]


@pytest.mark.parametrize("design", [*made.FOLDS, "30 resamples"])
def test_the_procedures_written_out_for_all_data_sets_are_those_of_the_package(rng, design):
    repeats, folds = made.FOLDS.get(design, (30, 1))
    fraction = {"test_fraction": made.FRACTIONS[design]}
    options = {
        "corrected_t_test": fraction,
        "k_fold_t_test": fraction,
        "calibrated_t_test, sorted runs": {"scheme": "sorted_runs"},
    }
    d = coarse(rng, 20, repeats * folds)
    for name, pvalues in made.fold_pvalues(d, design).items():
        procedure = getattr(inference, name.split(",")[0])
        flat = name in ("corrected_t_test", "k_fold_t_test", "paired_t_test", "permutation_test")
        for one, p in zip(d, pvalues, strict=True):
            one = one if flat else one.reshape(repeats, folds)
            expected = procedure(one, 0 * one, **options.get(name, {})).pvalue
            assert p == pytest.approx(expected, rel=1e-9, abs=1e-12), name


@pytest.mark.parametrize(("design", "n", "overlap"), [("10x10", 100, 1.0), ("10-fold", 10, 0.4)])
def test_the_joint_procedures_written_out_are_those_of_the_package(rng, design, n, overlap):
    d = coarse(rng, 12, n, 3)
    found = made.joint_pvalues(d, design, costly=False)
    for name in ("intersection_union_test", "hotelling_test"):
        tests = [getattr(inference, name)(one, 0 * one, test_fraction=0.1, overlap=overlap) for one in d]
        expected = [test.pvalue for test in tests]
        np.testing.assert_allclose(found[name], np.nan_to_num(expected, nan=1.0), rtol=1e-8)


# ---- nulls ----------------------------------------------------------------------------------------------------


@pytest.fixture
def fit_only(monkeypatch):
    """A function that spares fits on splits that a test does not read. All are drawn, so that the read ones stay."""
    drawn = made.designs

    def few(design):
        def designs(y, rng):
            all_of_them = drawn(y, rng)
            return {"10x10": all_of_them["10x10"][:10], design: all_of_them[design]}

        monkeypatch.setattr(made, "designs", designs)

    return few


@pytest.mark.sampled("simulations")
def test_the_nulls_of_blocks_are_true_for_every_metric(global_random_seed, fit_only):
    """No mean difference is further from 0 than four and a half standard errors; of 20 that is once in 7,000 runs."""
    fit_only("5x2")
    for name in ("naive Bayes", "tree"):
        for balance in made.POSITIVE:
            means = [
                made.blocks(60, balance, (0.3, 0.3), made.LEARNERS[name], global_random_seed + s)["5x2"].mean(0)
                for s in range(150)
            ]
            error = np.std(means, axis=0, ddof=1) / len(means) ** 0.5
            assert (np.abs(np.mean(means, axis=0)) < 4.5 * error).all(), (name, balance)


@pytest.mark.sampled("simulations")
def test_noise_is_no_null_for_the_recall_of_trees(global_random_seed, fit_only, monkeypatch):
    """A leaf with as many of either class is called negative: a tree predicts fewer positives; z is 8.9 on average."""
    fit_only("10-fold")
    monkeypatch.setattr(made, "LEARNERS", {name: made.LEARNERS[name] for name in ("naive Bayes", "tree")})
    found = [made.noise(60, global_random_seed + s)["naive Bayes and tree|10-fold"].mean(axis=0) for s in range(400)]
    z = np.mean(found, axis=0) / (np.std(found, axis=0, ddof=1) / len(found) ** 0.5)
    assert z[made.METRICS.index("recall")] > 4
    assert abs(z[made.METRICS.index("accuracy")]) < 4.5


# ---- the table ------------------------------------------------------------------------------------------------


def test_every_cell_has_a_thousand_data_sets(rows):
    assert min(int(row["n_datasets"]) for row in rows) >= 1000
    nulls = {(row["null"], row["balance"], row["n_samples"], row["learner"]) for row in rows}
    for null in made.SIGNALS:
        for balance in made.POSITIVE:
            for n in made.SIZES:
                for learner in made.LEARNERS:
                    assert (null, balance, str(n), learner) in nulls
    assert {row["design"] for row in rows} == {*made.FOLDS, "30 resamples"}
    assert not [row for row in rows if row["null"] == "noise" and row["metric"] not in made.PAIR]


def test_every_test_of_two_models_on_fold_scores_was_measured():
    unmeasured = {
        "equivalence_test": "its null hypothesis is a difference",
        "fold_error_rate_test": "of one model",
        "confidence_sequence": "its error rate is proved",
        "wald_test": "of judgments, not of folds",
    }
    for row in PROCEDURES:
        if row.takes.kind == "fold scores" and row.returns == "test" and row.name not in unmeasured:
            assert row.name in MEASURED_SIZES, row.name


def test_the_study_runs_from_end_to_end(tmp_path):
    cell = ("weak", "80/20", 60, "naive Bayes")
    made.simulate_chunk(tmp_path, cell, 0)
    before = made.file_of(tmp_path, cell, 0).read_bytes()
    made.simulate_chunk(tmp_path, cell, 0)  # what is there is kept
    assert made.file_of(tmp_path, cell, 0).read_bytes() == before
    found = made.tested(tmp_path, cell, joint=False)
    assert {row[4] for row in found} == {*made.FOLDS, "30 resamples"}
    assert {row[7] for row in found} == {made.CHUNK}
    assert {row[5] for row in found} >= {"corrected_t_test", "k_fold_t_test", "five_by_two_f_test"}


# ---- what is quoted -------------------------------------------------------------------------------------------


def sizes_of(rows, procedure, design, metrics=made.METRICS):
    """The share of rejected data sets of each null."""
    return [
        int(row["rejected"]) / int(row["n_datasets"])
        for row in rows
        if (row["procedure"], row["design"]) == (procedure, design)
        and row["metric"] in metrics
        and row["null"] not in made.BETTER
    ]


def test_the_default_of_a_single_run_is_nearer_to_nominal_than_the_usual_correction(rows):
    """What the choice of the default rests on."""
    for design in ("5-fold", "10-fold"):
        gap = {}
        assert 0.035 <= np.mean(sizes_of(rows, "k_fold_t_test", design)) < 0.055
        assert "4% to 6%" in default_for(design_of(1, int(design[:-5]))).reason
        assert all(3.5 <= mean < 6.5 for mean, _, _ in published("binary", design).values())
        for procedure in ("k_fold_t_test", "corrected_t_test"):
            gap[procedure] = abs(np.mean(sizes_of(rows, procedure, design)) - 0.05)
        assert gap["k_fold_t_test"] < 0.02 < gap["corrected_t_test"]


def published(task, design):
    """Of the default tests the mean, the lowest and the highest share of rejected data sets in percent, by metric."""
    table = STUDY.split("<!-- table sizes -->")[1].split("<!-- end of table -->")[0]
    [cells] = re.findall(rf"^\| {task} \| {design} \| (.*) \|$", table, flags=re.M)
    found = re.findall(r"(\w+) ([\d.]+) \(([\d.]+) to ([\d.]+)\)", cells)
    return {metric: [float(number) for number in numbers] for metric, *numbers in found}


def test_what_is_said_of_the_defaults_is_so_over_all_nulls():
    """Not over the older ones alone, on which other procedures were tried too."""
    means = [mean for task in TASKS for mean, _, _ in published(task, "10x10").values()]
    assert f"rejects {min(means):.0f}% to {max(means):.0f}% on average" in STUDY
    for page, designs in ((CELLS.parents[1] / "choosing.md", ("10x10", "10-fold")), (README, ("10x10",))):
        text = " ".join(page.read_text(encoding="utf-8").split())
        for design in designs:
            mean, low, high = published("binary", design)["accuracy"]
            assert f"{mean:.1f}% ({low:.0f}% to {high:.0f}%)" in text


@pytest.mark.parametrize(
    ("procedure", "design", "metric"),
    [
        ("corrected_t_test", "10x10", "accuracy"),
        ("corrected_t_test", "5x2", "accuracy"),
        ("corrected_t_test", "30 resamples", "accuracy"),
        ("k_fold_t_test", "10-fold", "accuracy"),
        ("calibrated_t_test", "10x10", "accuracy"),
        ("five_by_two_t_test", "5x2", "accuracy"),
        ("five_by_two_t_test", "5x2", "roc_auc"),
        ("five_by_two_f_test", "5x2", "accuracy"),
        ("five_by_two_f_test", "5x2", "roc_auc"),
        ("paired_t_test", "10x10", "accuracy"),
        ("paired_t_test", "10-fold", "accuracy"),
        ("dominance_test", "10x10", "all five"),
    ],
)
def test_the_figures_of_the_pages_are_those_of_the_study(rows, procedure, design, metric):
    shares = sizes_of(rows, procedure, design, (metric,))
    quoted = f"{100 * np.mean(shares):.1f}% ({100 * min(shares):.0f}% to {100 * max(shares):.0f}%)"
    assert quoted in (CELLS.parents[1] / "choosing.md").read_text(encoding="utf-8")
    if (procedure, design) in (("paired_t_test", "10x10"), ("corrected_t_test", "10x10")):
        assert quoted in " ".join(README.read_text(encoding="utf-8").split())


@pytest.mark.parametrize("design", ["10x10", "10x5", "5x2", "30 resamples"])
def test_the_corrected_test_has_the_lowest_error_rate_in_the_worst_case(rows, design):
    """The reason that summaries give for the default of all designs but a single run."""
    names = {row["procedure"] for row in rows if row["design"] == design and row["metric"] in made.METRICS}
    highest = {name: max(sizes_of(rows, name, design)) for name in names}
    assert min(highest, key=highest.get) == "corrected_t_test"
    assert len(highest) > 1
