"""Error rates are quoted for runs like those simulated; every view says of any other that they are not known."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification, make_regression
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import Ridge
from sklearn.model_selection import GroupKFold, LeaveOneOut, TimeSeriesSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from benchmarks import families as made
from skcompare import PairedEvaluator, RunOptions, from_frame, from_outcomes, inference
from skcompare._core.document import Document
from skcompare.comparison.error_rates import stands, widening
from skcompare.inference._rates import Known, predicted
from skcompare.reporting.explain import explanation
from tests.lawful import FULL

pytestmark = pytest.mark.sampled

ROOT = Path(__file__).parents[2]
PAIR = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3, random_state=0)}
QUICK = {"nb": GaussianNB(), "most": DummyClassifier()}


def run(data=None, models=PAIR, **options):
    options = {"cv": 5, "scoring": ["accuracy", "roc_auc"], "random_state": 0, **options}
    groups = options.pop("groups", None)
    data = make_classification(100, random_state=0) if data is None else data
    return PairedEvaluator(**options).evaluate(models, *data, **({} if groups is None else {"groups": groups}))


def rare():
    X, _ = make_classification(1000, random_state=0)
    return X, (np.arange(1000) < 10).astype(int)


def of_items(n):
    return from_outcomes(dict(zip("ab", np.random.default_rng(n).normal(size=(2, n)), strict=True)))


UNLIKE = {
    "multiclass": (
        lambda: run(
            make_classification(150, n_classes=3, n_informative=4, weights=[0.8, 0.1], random_state=0),
            scoring="accuracy",
        ),
        "of several classes only equally frequent ones were simulated",
    ),
    "regression": (
        lambda: run(
            make_regression(100, random_state=0), {"ridge": Ridge(), "mean": DummyRegressor()}, scoring="neg_max_error"
        ),
        "only neg_mean_absolute_error, neg_root_mean_squared_error and r2 were simulated with 5-fold, 60 to 1,000 "
        "samples, regression",
    ),
    "20 samples": (
        lambda: run(make_classification(20, random_state=0)),
        "only 60 to 1,000 samples were simulated",
    ),
    "100,000 samples": (
        lambda: run(make_classification(100_000, 4, random_state=0), QUICK, scoring="accuracy"),
        "only 60 to 1,000 samples were simulated",
    ),
    "windows that move": (
        lambda: run(cv=TimeSeriesSplit(4, max_train_size=20)),
        "in time order only 5 to 10 training sets that grow by the test sets were simulated",
    ),
    "numbers in time": (
        lambda: run(
            make_regression(100, random_state=0),
            {"ridge": Ridge(), "mean": DummyRegressor()},
            cv=TimeSeriesSplit(4),
            scoring="r2",
        ),
        "in time order it depends on how far losses correlate",
    ),
    "one out": (lambda: run(cv=LeaveOneOut(), scoring="accuracy"), "30 random splits were simulated"),
    "few groups": (
        lambda: run(make_classification(40, random_state=0), QUICK, cv=GroupKFold(4), groups=np.arange(40) // 5),
        "only 20 to 100 groups of 5 samples, intraclass correlation 0 to 0.5 were simulated",
    ),
    "large groups": (
        lambda: run(make_classification(400, random_state=0), QUICK, cv=GroupKFold(4), groups=np.arange(400) // 20),
        "only groups of 5 samples were simulated",
    ),
    "groups in other designs": (
        lambda: run(cv="5x2", groups=np.arange(100) // 5),
        "5-fold, 10-fold, 10x10 by groups and 30 random splits were simulated",
    ),
    "another metric": (
        lambda: run(scoring="matthews_corrcoef"),
        "only accuracy, f1, precision, recall and roc_auc were simulated with 5-fold, 60 to 1,000 samples, 3% to 50% "
        "positives",
    ),
    "1% positives": (lambda: run(rare(), QUICK), "only 3% to 50% positives were simulated"),
    "a table": (
        lambda: from_frame({"model": ["a"] * 5 + ["b"] * 5, "fold": [*range(5)] * 2, "score": [*range(9), 3.5]}),
        "the task is not known",
    ),
    "a number of each of a few items": (lambda: of_items(5), "only accuracy was simulated"),
    "a number of each item": (
        lambda: of_items(100),
        "only accuracy was simulated with one test set, 50 to 2,000 samples, 50% positives",
    ),
}


OTHER = {"windows that move", "numbers in time", "few groups", "large groups", "groups in other designs", "a table"} | {
    "a number of each of a few items",
    "a number of each item",
}


@pytest.mark.parametrize("which", UNLIKE)
def test_of_a_run_like_none_of_the_simulations_every_view_says_that_the_error_rate_is_unknown(which):
    make, reason = UNLIKE[which]
    result = make()
    unknown = "Error rate not measured for runs like this ("
    for text in (result.summary("full"), str(result.explain())):
        flat = " ".join(text.split())
        remedy = "." if which in OTHER else "; calibrate measures it."
        assert flat.split(unknown)[1].split(")", 1)[0].endswith(reason)
        assert f"{reason}){remedy}" in flat
        assert "simulated null" not in flat
    assert "not measured" in result._document().named("test").text
    paragraph = " ".join(result.methods_text().split("\n\n")[0].split())
    assert f"{reason}." in paragraph.split("is not known from simulations: ")[1]
    rates = json.loads(result.to_json())["error_rates"]
    assert rates["reason"].endswith(reason)
    assert rates["by_metric"] == dict.fromkeys(result.metrics)


def test_figures_of_two_classes_stand_nowhere_beside_more():
    """Neither in a picture, nor in what a joint test is warned of; of two classes they do."""
    X, y = make_classification(400, n_classes=3, n_informative=4, weights=[0.5, 0.47], random_state=0)
    several = run((X, y), QUICK, cv="5x10", scoring=["accuracy", "recall_macro"])
    two = run((X, np.minimum(y, 1)), QUICK, cv="5x10", scoring=["accuracy", "recall"])
    codes = {name: str(result.test("hotelling").warnings) for name, result in (("3", several), ("2", two))}
    assert "NOT_AT_LEVEL" in codes["2"]
    assert "NOT_AT_LEVEL" not in codes["3"]
    rare = str(several.test(metric="recall_macro").warnings)
    assert "WEAK_METRIC" in rare
    assert "simulations" not in rare
    with pytest.raises(ValueError, match="must have been simulated on runs like this one"):
        several.plot("size")


def test_of_groups_those_of_groups_are_quoted():
    result = run(make_classification(220, random_state=0), QUICK, cv=10, scoring="accuracy", groups=np.arange(220) // 5)
    rate = predicted("k_fold_t_test", "10-fold by groups", "binary", Known(n=44))["accuracy"]
    shares = [f"{100 * rate.mean:.0f}%", rate.span]
    assert shares_of(result, "accuracy") == shares
    for text in (result.summary("full"), result.methods_text()):
        flat = " ".join(text.split())
        assert "10-fold, 20 to 100 groups of 5 samples, intraclass correlation 0 to 0.5, 50% positives" in flat
    assert f"was wrong in {shares[0]} ({shares[1]}) of single comparisons on accuracy" in result.methods_text()
    with pytest.raises(ValueError, match="for 'permutation_test' only"):
        result.plot("size", procedure="permutation_test")


def shares_of(result, metric):
    """The cells of a metric in the table of the simulations."""
    grid = result.explain().named("error rates")
    return next([*column.cells] for column in grid.columns if column.name == metric)


def test_what_was_not_simulated_of_a_run_is_named():
    mixed = run(scoring=["accuracy", "matthews_corrcoef"]).explain().named("error rates")
    assert [column.name for column in mixed.columns] == ["share", "accuracy"]
    assert mixed.caption.endswith("Not known for matthews_corrcoef.")
    many = {f"tree{i}": DecisionTreeClassifier(max_depth=i) for i in range(1, 7)}
    alone = run(models=many, scoring="accuracy").explain().named("error rates")
    assert [column.name for column in alone.columns] == ["share", "accuracy"]  # none of all comparisons together


def test_the_error_rates_are_one_small_table():
    """As many lines as with one metric, whatever was simulated: head, rule, two shares and a caption."""
    for options in ({"cv": "10x10"}, {"cv": "5x2"}, {"cv": 10, "scoring": "accuracy"}):
        result = run(make_classification(1500, 4, random_state=0), **{"scoring": None, **options})
        grid, rates = result.explain().named("error rates"), json.loads(result.to_json())["error_rates"]
        shown = {column.name: column.values for column in grid.columns[1:]}
        known = {metric: size for metric, size in rates["by_metric"].items() if size}
        assert shown == {metric: (size["mean"], size["high"]) for metric, size in known.items()}
        assert list(grid.columns[0].cells) == ["wrong in", "90% range"]
        assert len(str(Document(title="", blocks=(grid,))).splitlines()) <= 6
        for text in (str(result.explain()), result.methods_text()):
            flat = " ".join(text.split())
            assert not any(riddle in flat for riddle in ("four fifths", "simulated null", "learners of two"))
            assert rates["where"] in flat


def test_the_test_and_its_error_rate_are_one_short_sentence():
    for options in ({"cv": "10x10"}, {"cv": "5x2"}, {"cv": 10, "scoring": "accuracy"}, {"cv": TimeSeriesSplit(4)}):
        result = run(make_classification(1500, 4, random_state=0), **{"scoring": None, **options})
        assert len(result._document().named("test").text.split()) <= 20


# ---- how it was measured --------------------------------------------------------------------------------------


def test_a_false_difference_is_counted_where_compare_finds_one(global_random_seed):
    """On models that differ not, somewhat and much: the verdict of `compare` for any number of models."""
    found = {design: [] for design in made.DEFAULT}
    for seed, apart in enumerate((0.0, 0.08, 0.3)):
        for design, scores in made.scores(
            60 if FULL else 20, "50/50", 0.2, "naive Bayes", global_random_seed + seed
        ).items():
            found[design].append(np.clip(scores + np.random.default_rng(seed).normal(0, apart, 5)[:, None], 0, 1))
    seen = set()
    for design, drawn in found.items():
        p = made.pvalues(np.array(drawn), design)
        for models, metrics in itertools.product((2, 3, 5), (("accuracy",), ("recall", "roc_auc"), made.METRICS)):
            for scores, expected in zip(drawn, made.any_difference(p, models, metrics), strict=True):
                rows = table(scores[:, :models], metrics, design).compare(family="all")
                assert rows.procedure == made.DEFAULT[design]
                if any(row.pvalue != row.pvalue for row in rows):
                    continue  # a difference that does not vary has no test
                assert any(row.winner is not None for row in rows) == expected
                seen.add(bool(expected))
    assert seen == {True, False}


@pytest.mark.parametrize("design", made.DEFAULT)
def test_the_tests_of_all_models_are_counted_where_a_result_finds_a_difference(design, rng):
    """On models that differ, so that each does: the procedures of a result, and those that ignore the folds."""
    n, part = (100, 1.0) if design == "10x10" else (int(design.split("-")[0]), 0.4)
    drawn = rng.normal(0.8, 0.05, (4, n, 1)) + rng.normal(0, 0.05, (4, n, 5))
    drawn = np.round(drawn + np.linspace(0, 0.15, 4)[:, None, None] * np.array([1, 0, 0, 0, -0.5]), 2)
    for corrected in (True, False):
        fraction = made.FRACTIONS[design] if corrected else 0.0
        for scores, *counted in zip(drawn, *made.rejections(drawn, design, corrected=corrected).values(), strict=True):
            options = {"test_fraction": fraction, "overlap": part}
            expected = {
                "anova_test": inference.anova_test(scores, **options).pvalue < 0.05,
                "friedman_test": inference.friedman_test(scores, **options).pvalue < 0.05,
                "tukey_test": inference.tukey_test(scores, **options).pvalues.min() < 0.05,
                "nemenyi_test": inference.nemenyi_test(scores, **options).pvalues.min() < 0.05,
                "contrast_test": inference.contrast_test(scores, [[1, -1, -1, 1, 0]], **options).pvalue < 0.05,
            }
            names = made.rejections(drawn[:1], design)
            found = dict(zip(names, counted, strict=True))
            assert {name: bool(found[name]) for name in expected} == {k: bool(v) for k, v in expected.items()}


def table(scores, metrics, design):
    n_folds = 5 if design == "5-fold" else 10
    cells = [
        (f"m{m}", metric, s // n_folds, s % n_folds, scores[s, m, made.METRICS.index(metric)])
        for s, m, metric in itertools.product(range(len(scores)), range(scores.shape[1]), metrics)
    ]
    names = ("model", "metric", "repeat", "fold", "score")
    return from_frame(dict(zip(names, map(list, zip(*cells, strict=True)), strict=True)))


def test_a_calibrated_run_and_one_that_was_looked_at_quote_no_simulation():
    found = replace(run()._found(), error_rates=None)
    assert explanation(Document(title=""), found).named("error rates") is None


# ---- claims that would not stand in the worst of the simulations -------------------------------------------------


@pytest.mark.parametrize(
    ("share", "df", "factor"),
    [  # quotients of quantiles of Student's t: NIST/SEMATECH e-Handbook of Statistical Methods, section 1.3.6.7.2
        (0.1, 9, 2.262 / 1.833),
        (0.2, 10, 2.228 / 1.372),
        (0.1, np.inf, 1.960 / 1.645),
        (0.05, 9, 1.0),
        (0.02, 9, 1.0),
        (0.0, 9, 1.0),
    ],
)
def test_the_factor_of_a_standard_error_is_that_of_the_tables_of_t(share, df, factor):
    assert widening(share, df) == pytest.approx(factor, rel=1e-3)


def of_scores(rng, lead, n=10):
    noise = rng.normal(0, 0.05, (2, n)) + rng.normal(0, 0.05, n)
    scores = np.r_[noise[0] + 0.7 + lead, noise[1] + 0.7]
    table = {"model": ["a"] * n + ["b"] * n, "fold": [*range(n)] * 2, "score": scores}
    return from_frame(table, test_fraction=1 / n)


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
@pytest.mark.parametrize("high", [0.03, 0.08, 0.15, 0.4])
def test_a_claim_stands_where_its_interval_would_with_the_larger_standard_error(high, alternative, global_random_seed):
    """Against the interval of scipy's t distribution, at the level of one comparison."""
    rng = np.random.default_rng(global_random_seed)
    for lead in np.linspace(0.02, 0.1, 30):
        table = of_scores(rng, lead).compare(alternative=alternative)
        (row,) = table
        if not row.outcome.significant:
            continue
        sides = 2 if alternative == "two-sided" else 1
        tail = stats.t.isf(0.05 / sides, row.record.df)
        margin = tail * row.record.standard_error * max(1, stats.t.isf(0.025, 9) / stats.t.isf(high / 2, 9))
        side = 1 if sides == 1 else np.sign(row.estimate)
        assert stands(row, table, high) == (side * row.estimate > margin)
        assert stands(row, table, 0.05)


def test_where_nothing_was_simulated_no_claim_is_fragile(global_random_seed):
    rng = np.random.default_rng(global_random_seed)
    found = [row for lead in np.linspace(0.02, 0.1, 30) for row in of_scores(rng, lead).compare()]
    assert any(row.outcome.significant for row in found)
    assert not any(row.fragile for row in found)


class Column(ClassifierMixin, BaseEstimator):
    """Predicts what stands in a column of X."""

    def __init__(self, j=0):
        self.j = j

    def fit(self, X, y):  # noqa: ARG002
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return X[:, self.j].astype(int)


def claims_on_recall(seeds, *, fragile, metrics=("recall", "specificity")):
    """The first run whose difference on recall is significant, and fragile or not."""
    for seed in seeds:
        rng = np.random.default_rng(seed)
        y = (np.arange(400) < 80).astype(int)
        predicted = [np.where(rng.random(400) < wrong, 1 - y, y) for wrong in (0.1, rng.uniform(0.15, 0.4))]
        evaluator = PairedEvaluator(cv=10, scoring=[*metrics], random_state=seed, options=RunOptions(check_data=False))
        result = evaluator.evaluate({"a": Column(0), "b": Column(1)}, np.stack(predicted, axis=1), y)
        row = next(row for row in result.compare() if row.metric == "recall")
        if row.outcome.significant and row.fragile == fragile:
            return result, row
    raise AssertionError("no such run")


def test_a_fragile_claim_is_marked_in_every_table_and_warned_of_below_the_answer():
    result, row = claims_on_recall(range(200), fragile=True)
    high = json.loads(result.to_json())["error_rates"]["by_metric"]["recall"]["high"]
    assert high > 0.05
    for text in (result.summary(), str(result.compare()), result.to_markdown()):
        assert f"{row.winner} better~" in text.replace("\\", "")
        assert "~ would not stand in the worst of similar simulations" in " ".join(text.replace("\\", "").split())
    said = result._document().named("caution").text
    assert said.startswith("Caution: ")
    assert "on recall would not stand in the worst of similar simulations" in said
    assert "FRAGILE: " in str(result.explain())
    assert "would not stand" in " ".join(result.methods_text().split())
    assert all(not one.fragile for one in result.compare(null=0.001))


def test_a_claim_that_stands_has_neither_a_mark_nor_a_warning():
    result, _ = claims_on_recall(range(200), fragile=False)
    for text in (result.summary(), str(result.compare()), str(result.explain())):
        assert "better~" not in text
        assert "would not stand" not in text
    caution = result._document().named("caution")
    assert caution is None or "stand" not in caution.text


def test_of_a_fragile_claim_on_another_metric_the_line_of_caution_does_not_speak():
    result, _ = claims_on_recall(range(200), fragile=True, metrics=("specificity", "recall"))
    assert result.primary == "specificity"
    caution = result._document().named("caution")
    assert caution is None or "stand" not in caution.text
    assert "FRAGILE: " in str(result.explain())


def test_of_several_comparisons_it_is_said_that_no_rate_is_predicted():
    """And of single ones, which share no error rate, nothing."""
    said = "How often any of several is wrong is not predicted"
    for scoring, shares in ((["accuracy"], False), (["accuracy", "f1"], False), (["accuracy", "f1", "recall"], True)):
        result = run(make_classification(200, random_state=0), PAIR, scoring=scoring)
        assert (said in " ".join(str(result.explain()).split())) == shares
        assert said not in str(result)
