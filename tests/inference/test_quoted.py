"""What is quoted of the wide study: only for runs like its simulations, by family of learners, the same in every view.

The sizes of these tests are made up, so that each is known by its number; the shipped table is looked at by itself.
"""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import make_classification, make_regression
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import ShuffleSplit, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier

import skcompare as skc
from skcompare import PairedEvaluator, RunOptions, inference
from skcompare._core.design import ClassCount, Design
from skcompare.inference import _measured
from skcompare.inference._measured import ELSEWHERE, MeasuredSize, designs_of, pair_family, read_rows, study, widely
from skcompare.inference._simulated import simulations_like
from tests.evaluation.test_families import Ours

MEANS = {"": 0.05, "neighbors": 0.09, "tree": 0.06, "naive Bayes": 0.02, "mixed": 0.03}
MEANS |= {"shallow tree": 0.065, "mixed with a shallow tree": 0.08, "mixed with guessing": 0.085}
NEAR = {"five": KNeighborsClassifier(), "one": KNeighborsClassifier(1)}
METRICS = ("accuracy", "roc_auc_ovr", "r2", "recall", "roc_auc")


def size(mean, learners="", nulls=12):
    spread = {"low": mean / 10, "q10": mean / 2, "q90": 1.5 * mean, "high": 2 * mean}
    return MeasuredSize(mean=mean, **spread, nulls=nulls, highest=f"the worst of {learners}", learners=learners)


def cell(shift=0.0, **means):
    sizes = {**MEANS, **means}
    return {family: {m: size(mean + shift, family) for m in METRICS} for family, mean in sizes.items()}


@pytest.fixture
def made_up(monkeypatch):
    """Every kind of problem at 200 samples on 10 folds, some also at other numbers."""
    several = {("k_fold_t_test", "10-fold", f"{k} classes"): {(200, 0.0): cell(k / 1000)} for k in (3, 4, 10)}
    several["k_fold_t_test", "10-fold", "3 classes"][1000, 0.0] = cell(0.007)
    others = {
        ("corrected_t_test", "10x10", "3 classes"): {(200, 0.0): cell()},
        ("k_fold_t_test", "10-fold", "regression"): {(200, 0.0): cell()},
        ("k_fold_t_test", "10-fold", "binary"): {
            (200, 0.5): cell(),
            (200, 0.1): cell(),
            (1000, 0.5): cell(**{"shallow tree": 0.2}),
        },
        ("correlated_t_posterior", "10-fold", "3 classes"): {(200, 0.0): cell()},
    }
    shipped_instead(monkeypatch, {**several, **others})


def shipped_instead(monkeypatch, made):
    """Cells by procedure, design and task in place of those of the package."""
    monkeypatch.setattr(_measured, "widely", lambda *key: made.get(key, {}))
    monkeypatch.setattr(
        _measured, "designs_of", lambda test, task: [key[1] for key in made if key[::2] == (test, task)]
    )


def design_of(n_repeats=1, n_folds=10, n=200, classes=(), **more):
    counts = tuple(ClassCount(label=str(i), total=total, test_counts=(1,)) for i, total in enumerate(classes))
    shape = {"n_repeats": n_repeats, "n_folds": n_folds, "n_splits": n_repeats * n_folds}
    known = {"n_samples": n, "test_fraction": 1 / n_folds, "partition": True, "class_counts": counts}
    return Design(**shape, **{**known, **more})


def found_for(classes, test="k_fold_t_test", **options):
    return simulations_like(test, design_of(classes=classes, **options), task="multiclass")


# ---- the distance ----------------------------------------------------------------------------------------------

EQUAL = {k: (100,) * k for k in (3, 4, 5, 6, 7, 20, 21)}
NOT_EQUAL = "of several classes only equally frequent ones were simulated"


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize(
    ("found", "where"),
    [
        (lambda: found_for(EQUAL[3]), "10-fold, 200 samples, 3 classes"),
        (lambda: found_for(EQUAL[4]), "10-fold, 200 samples, 4 classes"),
        (lambda: found_for(EQUAL[6]), "10-fold, 200 samples, 4 classes"),
        (lambda: found_for(EQUAL[7]), "10-fold, 200 samples, 10 classes"),
        (lambda: found_for(EQUAL[20]), "10-fold, 200 samples, 10 classes"),
        (lambda: found_for(EQUAL[21]), "only 3, 4 and 10 classes were simulated"),
        (lambda: found_for(()), "the number of classes is not known"),
        (lambda: found_for((100, 100, 51)), "10-fold, 200 samples, 3 classes"),
        (lambda: found_for((100, 100, 40)), NOT_EQUAL),
        (lambda: found_for((106, 50, 50)), NOT_EQUAL),
        (lambda: found_for(EQUAL[3], n=100), "10-fold, 200 samples, 3 classes"),
        (lambda: found_for(EQUAL[3], n=99), "for 3 classes only 200 to 1,000 samples were simulated"),
        (lambda: found_for(EQUAL[3], n=448), "10-fold, 1,000 samples, 3 classes"),
        (lambda: found_for(EQUAL[3], n=2001), "for 3 classes only 200 to 1,000 samples were simulated"),
        (lambda: found_for(EQUAL[4], n=401), "for 4 classes only 200 samples were simulated"),
        (lambda: found_for(EQUAL[3], n=None), "for 3 classes only 200 to 1,000 samples were simulated"),
        (lambda: found_for(EQUAL[3], n_folds=20), "10-fold, 200 samples, 3 classes"),
        (lambda: found_for(EQUAL[3], n_folds=21), "for 3 classes only 10-fold was simulated"),
        (lambda: found_for(EQUAL[3], n_folds=7), "for 3 classes only 10-fold was simulated"),
        (lambda: found_for(EQUAL[3], "corrected_t_test", n_repeats=5), "10x10, 200 samples, 3 classes"),
        (lambda: found_for(EQUAL[3], "corrected_t_test", n_repeats=4), "for 3 classes only 10x10 was simulated"),
        (lambda: found_for(EQUAL[4], "corrected_t_test"), "the test was not simulated for 4 classes"),
        (lambda: found_for(EQUAL[3], "correlated_t_posterior"), "the test was not simulated"),  # no true nulls
        (lambda: found_for(EQUAL[3], n_groups=40), "for 3 classes groups of samples were not simulated"),
        (lambda: found_for(EQUAL[3], partition=False), "for 3 classes only 10-fold was simulated"),
        (lambda: simulations_like("k_fold_t_test", design_of(), task="regression"), "10-fold, 200 samples, regression"),
        (lambda: simulations_like("k_fold_t_test", design_of(1, 5), task="regression"), "for regression only 10-fold"),
    ],
)
def test_a_run_within_the_distance_is_quoted_and_one_outside_is_not(found, where):
    made = found()
    assert (made.where or made.reason).startswith(where)
    assert bool(made.sizes) == bool(made.where) == (not made.reason)


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize(
    ("positive", "n", "where", "wide"),
    [
        (0.5, 200, "10-fold, 200 samples, classes 50/50", True),
        (0.1, 200, "10-fold, 200 samples, classes 90/10", True),  # the older study of rare classes has 1,000
        (0.1, 1000, "10-fold, 1,000 samples, classes 90/10", False),
        (0.2, 200, "10-fold, 200 samples, classes 80/20", False),
        (0.9, 200, "10-fold, 200 samples, classes 10/90", True),
        (0.5, 80, "10-fold, 60 samples, classes 50/50", False),
    ],
)
def test_of_two_classes_the_nearer_cell_is_quoted(positive, n, where, wide):
    found = simulations_like("k_fold_t_test", design_of(n=n), positive, "binary")
    assert found.where == where
    assert bool(found.by_family) == wide
    if positive == 0.9:
        assert set(found.sizes) == {"accuracy", "roc_auc"} & set(METRICS)


@pytest.mark.usefixtures("made_up")
def test_of_one_cell_what_is_over_more_nulls_is_quoted():
    """Of accuracy the older study has 20 nulls and no quantiles, of recall 10, and these cells have 12 of both."""
    found = simulations_like("k_fold_t_test", design_of(), 0.5, "binary")
    assert (found.sizes["accuracy"].nulls, found.sizes["recall"].nulls) == (20, 12)
    assert np.isnan(found.sizes["accuracy"].q90)
    assert found.sizes["recall"].q90 == pytest.approx(0.075)
    assert {"precision", "f1"} <= set(found.sizes)  # of the older study alone


# ---- families --------------------------------------------------------------------------------------------------


def run(models=NEAR, data=None, **options):
    options = {"cv": 10, "scoring": "accuracy", "random_state": 0, "options": RunOptions(check_data=False), **options}
    data = make_classification(200, n_classes=3, n_informative=4, random_state=0) if data is None else data
    return PairedEvaluator(**options).evaluate(models, *data)


def rates(result):
    return json.loads(result.to_json())["error_rates"]


def views(result):
    """The text of every view that says how often the test is wrong, on one line."""
    return [" ".join(text.split()) for text in (result.summary("full"), result.methods_text())]


def quoted(result):
    """The mean and the highest share of each metric, of whole runs as "any of them"; every view has the same."""
    grid = result.explain().named("error rates")
    shown = {column.name: column.values for column in grid.columns[1:]}
    found, (full, methods) = rates(result), views(result)
    known = {**found["by_metric"], "any of them": found["any_false_difference"]}
    assert shown == {name: (one["mean"], one["high"]) for name, one in known.items() if one}
    assert found["where"] in grid.caption
    assert f"{' '.join(cell for row in grid.rows() for cell in row)} {grid.caption}" in full
    assert f"In simulations like this run ({found['where']}) the test at 5% was wrong in" in methods
    for column in grid.columns[1:]:
        wrong, most = column.cells
        of = " of single comparisons" if column is grid.columns[1] else ""
        said = f" {{}} (at most {{}}){of} on {column.name}"
        if column.name == "any of them":
            said = "Of whole runs of equal models {} (at most {}) had a false difference."
        assert said.format(wrong, most) in methods
    return shown


def made(learners="", shift=0.0):
    """The mean and the highest share of a family in the cells that are made up here."""
    return pytest.approx((MEANS[learners] + shift, 2 * (MEANS[learners] + shift)))


def learners_of(result):
    return {metric: one["learners"] for metric, one in rates(result)["by_metric"].items()}


def test_the_family_of_a_pair():
    assert pair_family("tree", "tree") == "tree"
    assert pair_family("tree", "linear") == "mixed"
    assert pair_family("shallow tree", "tree") == pair_family("linear", "shallow tree") == "mixed with a shallow tree"
    assert pair_family("shallow tree", "shallow tree") == "shallow tree"
    assert pair_family("guessing", "guessing") == pair_family("shallow tree", "guessing") == "mixed with guessing"
    assert pair_family("guessing", "") == ""
    assert pair_family("tree", "") == pair_family("", "tree") == pair_family("", "") == ""


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize(
    ("models", "learners"),
    [
        (NEAR, "neighbors"),
        ({"near": KNeighborsClassifier(), "tree": DecisionTreeClassifier(random_state=0)}, "mixed"),
        ({"near": KNeighborsClassifier(), "stump": DecisionTreeClassifier(max_depth=1)}, "mixed with a shallow tree"),
        ({"near": KNeighborsClassifier(), "ours": Ours()}, None),
        ({"near": KNeighborsClassifier(), "most": DummyClassifier()}, None),
        ({"a": LogisticRegression(), "b": LogisticRegression(C=0.01)}, None),  # a family that was not simulated
    ],
)
def test_the_rate_of_the_family_is_quoted_where_it_was_simulated(models, learners):
    result = run(models)
    assert learners_of(result) == {"accuracy": learners}
    assert quoted(result) == {"accuracy": made(learners or "", 0.003)}


@pytest.mark.usefixtures("made_up")
def test_of_several_families_the_worst_that_is_compared_is_quoted():
    models = {"nb": GaussianNB(), "wide": GaussianNB(var_smoothing=0.1), "tree": DecisionTreeClassifier(random_state=0)}
    assert rates(run(models))["by_metric"]["accuracy"]["learners"] == "mixed"
    near = run({**models, **NEAR})
    assert rates(near)["by_metric"]["accuracy"]["learners"] == "neighbors"
    assert near.plot("size").measured[0, 0] == rates(near)["by_metric"]["accuracy"]["mean"]


@pytest.mark.usefixtures("made_up")
def test_every_view_quotes_the_same(tmp_path):
    result = run()
    result.save(tmp_path / "near.skc")
    for one in (result, skc.load(tmp_path / "near.skc")):
        assert quoted(one) == {"accuracy": made("neighbors", 0.003)}
        full, methods = views(one)
        where = "10-fold, 200 samples, 3 classes"
        assert f"wrong in 9% at most 19% Share of wrong single comparisons in simulations: {where}." in full
        assert f"({where}) the test at 5% was wrong in 9% (at most 19%) of single comparisons on accuracy" in methods
        assert "wrong in 9% of similar simulations" in " ".join(one.summary().split())
        found = rates(one)["by_metric"]["accuracy"]
        assert found == {
            **{name: pytest.approx(k * 0.093) for name, k in (("mean", 1), ("low", 0.1), ("q10", 0.5), ("q90", 1.5))},
            "high": pytest.approx(0.186),
            "nulls": 12,
            "highest": "the worst of neighbors",
            "learners": "neighbors",
        }
        display = one.plot("size")
        assert (display.low[0, 0], display.high[0, 0]) == (found["low"], found["high"])


@pytest.mark.usefixtures("made_up")
def test_merged_models_are_a_pair_of_their_families():
    two = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    assert rates(skc.merge(run(), run(two)))["by_metric"]["accuracy"]["learners"] == "neighbors"
    again = skc.merge(run({**NEAR, **two}), run({"other": DecisionTreeClassifier(max_depth=1), "some": GaussianNB()}))
    assert again.families["other"] == "shallow tree"


TWO = {"near": KNeighborsClassifier(), "tree": DecisionTreeClassifier(random_state=0)}


@pytest.mark.usefixtures("made_up")
def test_pairs_of_two_families_differ_by_what_is_known():
    """So the figures are those of such pairs, where no difference that is found is a false one in itself."""
    result = run(TWO)
    assert learners_of(result) == {"accuracy": "mixed"}
    assert quoted(result) == {"accuracy": made("mixed", 0.003)}
    assert "wrong in 3% of similar simulations" in " ".join(result.summary().split())
    assert not any("false difference" in text for text in views(result))


def test_no_range_is_of_two_populations(monkeypatch):
    """Of accuracy pairs of two families were simulated, of recall_macro all learners alone."""
    sizes = cell()
    sizes[""]["recall_macro"] = size(0.07, nulls=57)
    shipped_instead(monkeypatch, {("corrected_t_test", "10x10", "3 classes"): {(200, 0.0): sizes}})
    result = run(TWO, cv="10x10", scoring=["accuracy", "recall_macro"])
    assert learners_of(result) == {"accuracy": "mixed", "recall_macro": None}
    assert quoted(result) == {"accuracy": made("mixed"), "recall_macro": pytest.approx((0.07, 0.14))}
    full, methods = views(result)
    assert "wrong in 3% 7% at most 6% 14%" in full
    assert "wrong in 3% (at most 6%) of single comparisons on accuracy and 7% (at most 14%) on recall_macro" in methods
    alone = run(TWO, cv="10x10", scoring=["accuracy", "roc_auc_ovr"])
    assert quoted(alone) == dict.fromkeys(["accuracy", "roc_auc_ovr"], made("mixed"))


@pytest.mark.parametrize(
    ("more", "scoring"),
    [({}, ["accuracy", "f1"]), ({"near": KNeighborsClassifier()}, "accuracy")],
    ids=["two", "three"],
)
def test_pairs_of_two_families_are_never_called_equal_models(more, scoring, rng):
    """Also beside whole runs of equal models, of which three models on one metric have a figure."""
    y = np.arange(200) % 2
    data = rng.normal(size=(200, 3)) + y[:, None], y
    result = run({"linear": LogisticRegression(), "nb": GaussianNB(), **more}, data, scoring=scoring)
    assert {*learners_of(result).values()} == {"mixed"}
    assert ("any of them" in quoted(result)) == bool(more)
    _, of_single = views(result)[1].split("In simulations like this run ")
    assert "equal" not in of_single.split(". ")[0]
    assert "equal" not in result.explain().named("error rates").caption


@pytest.mark.sampled
@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize("scoring", ["roc_auc", ["accuracy", "roc_auc"], "accuracy"])
def test_a_model_that_only_guesses_counts_by_itself_where_a_score_shows_it(scoring):
    """A line sees nothing of two circles around a point, nearest neighbours and naive Bayes do."""
    y = np.arange(200) % 2
    angle = 2 * np.pi * (np.arange(200) // 2) / 100
    data = (1 + 2 * y)[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]), y
    result = run({"line": LogisticRegression(), "near": KNeighborsClassifier()}, data, scoring=scoring)
    metrics = np.atleast_1d(scoring).tolist()
    learners = {metric: "mixed" if metric == "accuracy" else "mixed with guessing" for metric in metrics}
    assert learners_of(result) == learners
    assert quoted(result) == {metric: made(learners[metric]) for metric in metrics}
    for metric in metrics:  # whatever stands beside it
        alone = run({"line": LogisticRegression(), "near": KNeighborsClassifier()}, data, scoring=[metric])
        said = [one._document(primary=metric).named("test").text for one in (alone, result)]
        assert said[0] == said[1]
        assert "wrong in " in said[0]
    both = run({"nb": GaussianNB(), "near": KNeighborsClassifier()}, data, scoring=scoring)
    assert learners_of(both) == dict.fromkeys(metrics, "mixed")
    assert quoted(both) == dict.fromkeys(metrics, made("mixed"))


@pytest.mark.usefixtures("made_up")
def test_numbers_are_quoted_for_numbers():
    X, y = make_regression(200, 5, noise=20, random_state=0)
    near = {"five": KNeighborsRegressor(), "one": KNeighborsRegressor(1)}
    assert rates(run(near, (X, y), scoring="r2"))["by_metric"]["r2"]["mean"] == MEANS["neighbors"]
    other = run({"ridge": Ridge(), "near": KNeighborsRegressor()}, (X, y), scoring="neg_mean_absolute_error")
    only = "only accuracy, roc_auc_ovr, r2, recall and roc_auc were simulated with 10-fold, 200 samples, regression"
    assert rates(other)["reason"] == only


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize(("classes", "like"), [((150, 30, 20), False), ((80, 70, 50), True)])
def test_of_classes_that_are_not_equally_frequent_every_view_says_that_nothing_was_measured(classes, like, rng):
    y = np.repeat(np.arange(3), classes)
    result = run(data=(rng.normal(size=(200, 3)) + y[:, None], y))
    assert rates(result)["reason"] == (None if like else NOT_EQUAL)
    assert (rates(result)["by_metric"]["accuracy"] is None) != like
    if like:
        assert quoted(result) == {"accuracy": made("neighbors", 0.003)}
        return
    full, methods = views(result)
    assert f"not measured for runs like this ({NOT_EQUAL}); calibrate measures it." in full
    assert f"is not known from simulations: {NOT_EQUAL}." in methods
    assert result.explain().named("error rates") is None
    assert not any("wrong in" in text for text in (full, methods))


# ---- a test that is wrong too often ----------------------------------------------------------------------------


def fragile(result):
    return {(row.a, row.b) for row in result.compare() if row.fragile}


def test_a_claim_within_a_family_that_is_wrong_too_often_is_fragile_and_others_are_not(monkeypatch):
    X, y = make_classification(200, n_classes=3, n_informative=4, flip_y=0.4, class_sep=2, random_state=0)
    near = {"many": KNeighborsClassifier(15), "one": KNeighborsClassifier(1)}
    models = {**near, "nb": GaussianNB(), "wide": GaussianNB(var_smoothing=100)}
    for often, expected in ((0.4, {("many", "one")}), (0.04, set())):
        cells = {(200, 0.0): cell(neighbors=often)}
        shipped_instead(monkeypatch, {("k_fold_t_test", "10-fold", "3 classes"): cells})
        result = run(models, (X, y))
        claims = {(row.a, row.b) for row in result.compare() if row.winner}
        assert {("many", "one"), ("nb", "wide")} <= claims
        assert fragile(result) == expected
    assert fragile(run({name: models[name] for name in ("nb", "wide")}, (X, y))) == set()


@pytest.mark.usefixtures("made_up")
def test_with_balanced_classes_the_family_counts_whatever_whole_runs_gave(rng):
    y = np.arange(1000) % 2
    X = rng.normal(size=(1000, 1)) + y[:, None]
    models = {"even": DecisionTreeClassifier(max_depth=1), "shy": DecisionTreeClassifier(max_depth=1)}
    models["shy"].set_params(class_weight={0: 8, 1: 1})
    trees = run(models, (X, y), scoring=["recall", "accuracy"])
    assert {row.metric for row in trees.compare() if row.winner} == {"recall", "accuracy"}
    assert learners_of(trees) == dict.fromkeys(["recall", "accuracy"], "shallow tree")
    assert quoted(trees) == dict.fromkeys(["recall", "accuracy"], pytest.approx((0.2, 0.4)))
    unknown = replace(trees, provenance={**trees.provenance, "families": {}})
    assert learners_of(unknown) == dict.fromkeys(["recall", "accuracy"])
    where = ("k_fold_t_test", "10-fold", 1000, "50/50", "accuracy")
    (older,) = (one for key, one in study().items() if (key[:4], key.metric) == (where[:4], where[4]))
    assert quoted(unknown) == {"recall": made(), "accuracy": (older.mean, older.high)}


# ---- the shipped table ------------------------------------------------------------------------------------------


def shipped():
    return read_rows("measured_widely.csv.gz")


def test_the_shipped_table_is_in_order():
    rows = shipped()
    families = {"", "linear", "naive Bayes", "neighbors", "tree", "forest", "boosting", "kernel", "network", "mixed"}
    families |= {"shallow tree", "mixed with a shallow tree", "mixed with guessing"}
    keys = [tuple(row[name] for name in list(row)[:7]) for row in rows]
    assert len(keys) == len(set(keys))
    for row in rows:
        low, q10, mean, q90, high = (float(row[name]) for name in ("low", "q10", "mean", "q90", "high"))
        assert 0 <= low <= q10 <= q90 <= high <= 1
        assert low <= mean <= high
        assert int(row["nulls"]) > 0 < int(row["datasets"])
        assert row["highest"]
        assert row["family"] in families
        assert row["task"] in ("binary", "regression", *(f"{k} classes" for k in (3, 4, 10)))
        assert (row["positive"] != "") == (row["task"] == "binary")
    assert Path(inference.__file__).with_name("measured_widely.csv.gz").stat().st_size < 200_000


def test_what_is_quoted_of_several_classes_is_what_the_shipped_table_says():
    """The cell of every default test, asked for by a run in the middle of it."""
    rows = [row for row in shipped() if row["task"].endswith("classes")]
    cells = itertools.groupby(
        rows, key=lambda row: [row[name] for name in ("procedure", "design", "task", "n_samples")]
    )
    asked = set()
    for (test, design, task, n), group in cells:
        if test not in ("corrected_t_test", "k_fold_t_test") or "x" not in design + "x" * ("fold" in design):
            continue
        repeats, folds = (1, int(design[:-5])) if "fold" in design else map(int, design.split("x"))
        repeats, folds = (5, 2) if design == "5x2" else (repeats, folds)
        like = design_of(repeats, folds, int(n), (int(n),) * int(task.split()[0]))
        found = simulations_like(test, like, task="multiclass")
        for row in group:
            own = found.size(row["metric"], row["family"])
            assert (own.mean, own.q90, own.nulls) == (float(row["mean"]), float(row["q90"]), int(row["nulls"]))
            asked.add(task)
    assert asked == {row["task"] for row in rows}
    every = {(row["procedure"], row["design"], row["task"]) for row in shipped()}
    assert all(widely(*one) and one[1] in designs_of(one[0], one[2]) for one in every)


@pytest.mark.usefixtures("made_up")
def test_nothing_is_quoted_of_fits_with_weights():
    """Nor of a result that has such fits among others; `calibrate` fits without them."""
    models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    X, y = make_classification(200, n_classes=3, n_informative=4, random_state=0)
    evaluator = PairedEvaluator(10, "accuracy", random_state=0, options=RunOptions(check_data=False))
    weighted = evaluator.evaluate(models, X, y, params={"sample_weight": np.linspace(1, 2, 200)})
    for result in (weighted, skc.merge(run(data=(X, y)), weighted)):
        assert "weights, were not simulated)." in views(result)[0]
        assert rates(result)["by_metric"]["accuracy"] is None
    assert rates(run(models, (X, y)))["by_metric"]["accuracy"] is not None


def cut(keep, repeats=1):
    """Folds whose training sets are the first part of what is not tested."""
    made = (StratifiedKFold(10, shuffle=True, random_state=r).split(X_TWO, Y_TWO) for r in range(repeats))
    return [(train[: round(keep * len(train))], test) for folds in made for train, test in folds]


X_TWO, Y_TWO = make_classification(200, 5, random_state=0)
SMALL = "the simulations train on all samples outside the test sets"


@pytest.mark.parametrize(
    ("cv", "reason"),
    [
        (cut(1), None),
        (cut(0.6), None),
        (cut(0.4), SMALL),
        (ShuffleSplit(30, test_size=0.2, random_state=0), None),
        (ShuffleSplit(30, test_size=10, train_size=20, random_state=0), SMALL),
        ([(np.r_[train, test[:5]], test) for train, test in cut(0.9)], "test samples that are trained on were not"),
    ],
    ids=["all", "most", "few", "random splits", "few random", "leak"],
)
def test_nothing_is_quoted_of_other_training_sets(cv, reason):
    result = run(TWO, (X_TWO, Y_TWO), cv=cv)
    found = rates(result)
    assert (found["by_metric"]["accuracy"] is None) == (reason is not None)
    assert (found["reason"] or "").startswith(reason or "")
    of_folds = len(result.design.test_sizes) == 10
    assert bool(result.intervals()[0].coverage) == (of_folds and reason is None)
    assert ("calibrate measures it" in views(result)[0]) == (reason == SMALL)


def test_copies_on_both_sides_are_as_samples_that_are_trained_on():
    copies = np.repeat(X_TWO[:20], 10, axis=0), np.repeat(Y_TWO[:20], 10)
    found = rates(run(TWO, copies, options=RunOptions(check_data=True)))
    assert found["reason"] == "test samples that are trained on were not simulated"


class Unwilling(GaussianNB):
    def fit(self, X, y):
        if X[0, 0] > 0:
            raise ValueError("no")
        return super().fit(X, y)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning")
@pytest.mark.parametrize("score", [0.0, np.nan])
def test_nothing_is_quoted_where_fits_failed(score):
    result = run({**TWO, "no": Unwilling()}, (X_TWO, Y_TWO), cv="5x10", error_score=score)
    assert 0 < len(result.failures) < 50
    assert rates(result)["reason"] == "fits that failed were not simulated"
    assert {row.coverage for row in result.intervals()} == {""}


def test_the_warning_of_the_central_limit_theorem_has_the_highest_share_that_was_measured(rng):
    _, highest = ELSEWHERE["cv_clt_test"]["10-fold"]["accuracy"]
    warned = skc.inference.cv_clt_test(*rng.random((2, 60)), np.arange(60) % 5).warnings[0]
    assert f"with trees up to {highest:.0%} of simulated nulls" in warned
