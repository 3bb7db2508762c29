"""What is computed once for all pairs of a result equals the public procedures on two models, and plain numpy."""

import tracemalloc
from functools import partial
from itertools import product

import numpy as np
import pytest
from sklearn import metrics
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skcompare as skc
from skcompare import inference
from tests.inference.areas import delong_of_results

pytestmark = pytest.mark.sampled

SAME = {"rel": 1e-12, "abs": 1e-300, "nan_ok": True}
COLUMNS = {  # random tables, with ties and equal models, also far from 0, where squares would cancel
    "numbers": lambda rng, i, n: rng.normal(size=n) + 0.02 * i,
    "ties": lambda rng, i, n: np.round(rng.normal(size=n) + 0.1 * i, 1),
    "far_off": lambda rng, i, n: 1e6 + 1e-3 * rng.random(n) + 1e-5 * i,
    "passed": lambda rng, i, n: (rng.random(n) < 0.6 + 0.05 * i).astype(float),
}


def outcomes(rng, n, k=4):
    tables = {name: {f"m{i}": column(rng, i, n) for i in range(k)} for name, column in COLUMNS.items()}
    for table in tables.values():
        table["m3"] = table["m1"].copy()
    return tables


def ends(row, record):
    """The interval of a record at the level of its row: it holds 0 where the row is not significant, and only there."""
    interval = record.confidence_interval(row.confidence_level)
    low, high = interval.low, interval.high
    if row.winner is None:
        return min(low, 0.0), max(high, 0.0)
    return (max(low, 0.0), high) if row.winner == row.a else (low, min(high, 0.0))


def equal(row, record, a, b, *, items=False):
    """A row of a comparison has the numbers of the record of a pair, whose scores are greater where better."""
    numbers = (row.estimate, row.pvalue, row.low, row.high, row.effect_size)
    limits = ends(row, record)
    if items and row.procedure != "mcnemar_test" and np.array_equal(a, b):  # as far as other items may change them
        assert np.isnan(row.low) if np.ptp(a) == 0 else row.low == -row.high < 0
        limits = row.low, row.high
    assert numbers == pytest.approx((record.estimate, record.pvalue, *limits, record.effect_size), **SAME)
    if not items or np.ptp(a) > 0:
        assert row.record.standard_error == pytest.approx(record.standard_error, **SAME)
    tied = np.abs(a - b) <= 1e-12 * np.maximum(np.abs(a), np.abs(b))
    counts = (np.sum((a > b) & ~tied), np.sum(tied), np.sum((a < b) & ~tied))
    assert (row.wins, row.ties, row.losses) == counts


@pytest.mark.parametrize("n", [2, 9, 400, 40_001])
def test_every_pair_of_outcomes_is_the_test_of_two(rng, n):
    tables = outcomes(rng, n)
    result = skc.from_outcomes(tables, greater_is_better={name: name != "ties" for name in tables})
    for row in result.compare():
        sign = -1 if row.metric == "ties" else 1
        a, b = (sign * tables[row.metric][name] for name in (row.a, row.b))
        test, d = inference.mcnemar_test if row.metric == "passed" else inference.paired_t_test, a - b
        if test is inference.paired_t_test and np.ptp(d) < 1e-12 * np.abs(a).max() < abs(d[0]):
            assert not row.procedure  # two items can have one difference: without spread there is no test
            continue
        assert row.procedure == test.__name__
        equal(row, test(a, b), a, b, items=True)
        if test is inference.paired_t_test and d.std() > 1e-12 * np.abs(a).max():
            centred = d - d[0]  # exact up to the differences' own rounding
            assert row.record.mean_difference == pytest.approx(d[0] + centred.mean(), rel=1e-9, abs=1e-9 * d.std())
            assert row.record.standard_error == pytest.approx(centred.std(ddof=1) / n**0.5, rel=1e-9)


def test_every_pair_in_clusters_is_the_test_of_two(rng):
    tables, clusters = outcomes(rng, 20_000), rng.integers(0, 300, 20_000)
    result = skc.from_outcomes(tables, clusters=clusters, greater_is_better=True)
    for row in result.compare():
        a, b = (tables[row.metric][name] for name in (row.a, row.b))
        equal(row, inference.cluster_t_test(a, b, clusters=clusters), a, b, items=True)


def counted_one_by_one(a, b):
    """The patterns of wins, a tie being half of each."""
    counts = dict.fromkeys(product((0, 1), repeat=a.shape[1]), 0.0)
    for x, y in zip(a, b, strict=True):
        tied = np.abs(x - y) <= 1e-12 * np.maximum(np.abs(x), np.abs(y))
        for pattern in counts:
            counts[pattern] += np.prod(np.where(tied, 0.5, (x > y) == np.array(pattern)))
    return list(counts.values())


def test_patterns_of_wins_of_every_pair_are_those_counted_one_by_one(rng):
    tables = outcomes(rng, 300)
    result = skc.from_outcomes(tables, greater_is_better={name: name != "ties" for name in tables})
    sides = {m: np.column_stack([(-1) ** (t == "ties") * tables[t][m] for t in tables]) for m in tables["ties"]}
    for row in result.dominance("table"):
        counts = counted_one_by_one(sides[row.a], sides[row.b])
        test = inference.dominance_test(counts, metrics=list(tables))
        assert result.dominance(a=row.a, b=row.b).counts == pytest.approx(counts, **SAME)
        assert row.statement == test.statement
        assert row.pvalue == pytest.approx(test.pvalue, **SAME)


@pytest.mark.parametrize("n", [12, 20_000])
@pytest.mark.parametrize("labels", [["no", "yes"], [3, 1, 2]])
def test_every_pair_of_predictions_is_the_test_of_two(rng, n, labels):
    codes = np.append(np.arange(len(labels)), rng.integers(len(labels), size=n - len(labels)))
    y, binary = np.array(labels)[codes], len(labels) == 2
    named = {f"m{i}": np.where(rng.random(n) < 0.5 + 0.1 * i, y, rng.permutation(y)) for i in range(3)}
    scores = {name: np.round((x == labels[-1]) + rng.normal(size=n), 1) for name, x in named.items()}
    given = {name: {"prediction": named[name], **({"score": scores[name]} if binary else {})} for name in named}
    scoring = ["accuracy", "f1_macro", "matthews_corrcoef", *(["roc_auc", "recall"] if binary else [])]
    result = skc.from_predictions(y, given, scoring=scoring)
    positive = {"positive": result.details.positive_class} if binary else {}
    for row in result.compare():
        a, b = named[row.a], named[row.b]
        if row.metric == "accuracy":
            record = inference.mcnemar_test(a == y, b == y)
            assert (row.wins, row.losses) == (record.only_a_correct, record.only_b_correct)
        elif row.metric == "roc_auc":
            record = delong_of_results(y, scores[row.a], scores[row.b])
        else:
            name = "mcc" if row.metric == "matthews_corrcoef" else row.metric
            record = inference.paired_metric_test(y, a, b, name, rng=0, **positive)
        within = np.clip(ends(row, record), -1, 1) if row.metric != "matthews_corrcoef" else ends(row, record)
        wanted = (record.estimate, record.pvalue, *within, record.effect_size)
        assert (row.estimate, row.pvalue, row.low, row.high, row.effect_size) == pytest.approx(wanted, **SAME)
        assert row.record.standard_error == pytest.approx(record.standard_error, **SAME)
    for row in result.intervals(["f1_macro"]).rows:
        own = inference.metric_interval(y, named[row.model], "f1_macro", rng=0, **positive).confidence_interval()
        assert (row.low, row.high) == pytest.approx((own.low, own.high), **SAME)


class Sometimes(GaussianNB):
    """It fails on about half of the training sets."""

    def fit(self, X, y):
        if X[:, 0].sum() > 0:
            raise ValueError("no")
        return super().fit(X, y)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning")
def test_pairs_without_all_scores_have_the_tests_of_what_is_left(rng):
    X, y = rng.normal(size=(80, 2)), np.arange(80) % 2
    X[:, 0] -= X[:, 0].mean()
    models = {"all": GaussianNB(), "some": Sometimes(), "stump": DecisionTreeClassifier(max_depth=1)}
    evaluator = skc.PairedEvaluator(cv="4x5", scoring=["accuracy", "recall"], error_score=np.nan, random_state=0)
    result = evaluator.evaluate(models, X, y)
    for row in result.compare("paired_t_test"):
        a, b = result.score(row.a, row.metric), result.score(row.b, row.metric)
        kept = np.isfinite(a - b)
        assert row.record.n == kept.sum() == (result.design.n_splits if "some" not in (row.a, row.b) else kept.sum())
        equal(row, inference.paired_t_test(a[kept], b[kept]), a[kept], b[kept])
    assert 0 < np.isfinite(result.score("some", "recall")).sum() < 20
    with pytest.raises(ValueError, match="finite"):
        inference.paired_t_test(result.score("all", "recall"), result.score("some", "recall"))
    with pytest.raises(ValueError, match="finite"):
        skc.from_outcomes({name: result.score(name, "recall") for name in models})


def test_items_are_compared_without_copies(rng):
    """All pairs of 6 models on 3 metrics need memory for a few columns."""
    n, names = 100_000, [f"m{i}" for i in range(6)]
    result = skc.from_outcomes({f"x{j}": {name: rng.normal(size=n) for name in names} for j in range(3)})
    tracemalloc.start()
    result.summary()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 12 * 8 * n  # a copy of all scores is 18 columns


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (metrics.matthews_corrcoef, "mcc"),
        (metrics.cohen_kappa_score, "cohen_kappa"),
        (metrics.balanced_accuracy_score, "balanced_accuracy"),
        (partial(metrics.f1_score, average="macro"), "f1_macro"),
        (metrics.make_scorer(metrics.f1_score, average="macro"), "f1_macro"),
        (metrics.make_scorer(metrics.jaccard_score, average="weighted"), "jaccard_weighted"),
        (metrics.make_scorer(metrics.fbeta_score, beta=2, average="macro"), ""),
        (metrics.make_scorer(metrics.matthews_corrcoef, greater_is_better=False), ""),
    ],
)
def test_functions_that_counts_suffice_for_are_not_called_on_resamples(rng, function, name):
    """They are known by function and options, never by what a user calls them."""
    y, a, b = (rng.permutation([0, 1, 2] * 8) for _ in range(3))
    called = skc.from_predictions(y, {"a": a, "b": b}, scoring={"mine": function})
    record = called.test("paired_metric_test", n_resamples=50)
    assert (type(record.predictions).__name__ == "SummedPredictions") is bool(name)
    if name:
        assert record.score_a == pytest.approx(called.score("a", "mine")[0], rel=1e-12, abs=1e-15)
        assert record.pvalue == inference.paired_metric_test(y, a, b, name, n_resamples=50, rng=0).pvalue
