"""Predictions on one test set and outcomes of items: every form gives one result, by the known tests."""

from __future__ import annotations

import re

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics as skm
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold
from sklearn.naive_bayes import GaussianNB

from skcompare import PairedEvaluator, from_outcomes, from_predictions, inference, load
from tests.drawn_words import told
from tests.inference.areas import delong_of_results

pytestmark = pytest.mark.sampled

pd = pytest.importorskip("pandas")
N = 120
LABELS = ["accuracy", "f1", "balanced_accuracy", "precision"]
SCORED = ["accuracy", "f1", "roc_auc", "neg_log_loss", "neg_brier_score"]


@pytest.fixture
def binary(rng):
    """True labels, and the probabilities of two models."""
    y = np.arange(N) % 2
    return y, {name: 1 / (1 + np.exp(-((2 * y - 1) * s + rng.normal(size=N)))) for name, s in (("a", 1.2), ("b", 0.4))}


@pytest.fixture
def three_classes(rng):
    y = np.arange(N) % 3
    found = {}
    for name, s in (("a", 1.5), ("b", 0.8)):
        z = np.exp(s * np.eye(3)[y] + rng.normal(size=(N, 3)))
        found[name] = z / z.sum(axis=1, keepdims=True)
    return y, found


def numbers(result):
    """All that a comparison says, without its records."""
    return [
        (row.metric, row.a, row.b, row.mean_a, row.estimate, row.low, row.high, row.pvalue_adjusted, row.outcome)
        for row in result.compare()
    ]


def same(one, other):
    assert len(numbers(one)) == len(numbers(other)) > 0
    for first, second in zip(numbers(one), numbers(other), strict=True):
        assert first[:3] == second[:3]
        assert first[3:-1] == pytest.approx(second[3:-1], nan_ok=True, rel=1e-9, abs=1e-12)
        assert first[-1] == second[-1]


def tidy(y, given, column, names=None):
    """A row per sample and model."""
    names = np.arange(len(y)) if names is None else names
    parts = [{"sample_id": names, "model": [model] * len(y), "y_true": y, column: x} for model, x in given.items()]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


# ---- forms ------------------------------------------------------------------------------------------------------


def test_probabilities_of_one_column_of_both_classes_and_with_their_labels_are_one_result(binary):
    y, given = binary
    wanted = from_predictions(y, given, scoring=SCORED)
    both = {name: np.column_stack([1 - p, p]) for name, p in given.items()}
    named = {name: {"probability": p, "prediction": (p > 0.5).astype(int)} for name, p in given.items()}
    for other in (both, named, {name: list(p) for name, p in given.items()}):
        same(from_predictions(y, other, scoring=SCORED), wanted)


def test_a_tidy_table_in_any_order_of_its_rows_is_the_same_result(binary, rng):
    y, given = binary
    wanted = from_predictions(y, given, scoring=SCORED)
    table = tidy(y, given, "probability")
    order = rng.permutation(len(table["model"]))
    shuffled = {name: x[order] for name, x in table.items()}
    first = {name: x[np.argsort(shuffled["model"], kind="stable")] for name, x in shuffled.items()}
    for form in (table, first, pd.DataFrame(table), pd.DataFrame(first)):
        same(from_predictions(form, scoring=SCORED), wanted)


def test_a_polars_frame_is_read_too(binary):
    polars = pytest.importorskip("polars")
    y, given = binary
    same(
        from_predictions(polars.DataFrame(tidy(y, given, "probability")), scoring=SCORED),
        from_predictions(y, given, scoring=SCORED),
    )


def test_ids_align_pandas_objects_whatever_their_order(binary, rng):
    y, given = binary
    names = np.array([f"s{i}" for i in range(N)])
    order = rng.permutation(N)
    moved = {name: pd.Series(p[order], index=names[order]) for name, p in given.items()}
    same(from_predictions(y, moved, sample_id=names, scoring=SCORED), from_predictions(y, given, scoring=SCORED))


def test_labels_may_be_strings_and_the_order_of_the_classes_may_be_given(binary):
    y, given = binary
    words = np.array(["no", "yes"])
    labels = {name: (p > 0.5).astype(int) for name, p in given.items()}
    plain = from_predictions(y, labels, scoring=["accuracy", "balanced_accuracy"])
    same(from_predictions(words[y], {n: words[x] for n, x in labels.items()}, scoring=list(plain.metrics)), plain)
    both = {name: np.column_stack([p, 1 - p]) for name, p in given.items()}  # the second class first
    turned = from_predictions(words[y], both, classes=["yes", "no"], scoring=["accuracy", "neg_log_loss"])
    same(turned, from_predictions(y, given, scoring=["accuracy", "neg_log_loss"]))


def test_a_table_may_have_a_column_per_class(three_classes):
    y, given = three_classes
    columns = {f"probability_{k}": {name: p[:, k] for name, p in given.items()} for k in range(3)}
    table = tidy(y, columns["probability_0"], "probability_0")
    table |= {name: tidy(y, column, name)[name] for name, column in columns.items()}
    scoring = ["accuracy", "f1_macro", "neg_log_loss"]
    same(from_predictions(table, scoring=scoring), from_predictions(y, given, scoring=scoring))


def test_a_task_may_be_given(rng):
    counts = rng.integers(0, 4, N)
    given = {"a": rng.integers(0, 4, N), "b": rng.integers(0, 4, N)}
    assert from_predictions(counts, given, scoring="accuracy").details.task == "multiclass"
    assert from_predictions(counts, given, task="regression").details.task == "regression"
    assert from_predictions(counts, {name: x + 0.25 for name, x in given.items()}).details.task == "regression"


def test_swapped_models_give_the_mirrored_rows(binary):
    y, given = binary
    one, other = (from_predictions(y, dict(items), scoring=SCORED) for items in (given.items(), [*given.items()][::-1]))
    for row, turned in zip(one.compare(), other.compare(), strict=True):
        assert (row.estimate, row.low, row.high) == pytest.approx(
            (-turned.estimate, -turned.high, -turned.low), nan_ok=True, abs=1e-9
        )
        assert row.winner == turned.winner
        assert row.pvalue == pytest.approx(turned.pvalue, rel=0.2, abs=0.01)  # some of it drawn


# ---- values -----------------------------------------------------------------------------------------------------


def test_scores_are_those_of_scikit_learn(binary, three_classes):
    y, given = binary
    result = from_predictions(y, given, scoring=[*SCORED, *LABELS[2:]])
    for name, p in given.items():
        labels = (p > 0.5).astype(int)
        wanted = {
            "accuracy": skm.accuracy_score(y, labels),
            "f1": skm.f1_score(y, labels),
            "roc_auc": skm.roc_auc_score(y, p),
            "neg_log_loss": -skm.log_loss(y, p),
            "neg_brier_score": -skm.brier_score_loss(y, p),
            "balanced_accuracy": skm.balanced_accuracy_score(y, labels),
            "precision": skm.precision_score(y, labels),
        }
        for metric, score in wanted.items():
            assert result.score(name, metric) == pytest.approx([score]), metric
    y, given = three_classes
    result = from_predictions(y, given, scoring=["f1_macro", "precision_weighted"])
    for name, p in given.items():
        labels = p.argmax(axis=1)
        assert result.score(name, "f1_macro") == pytest.approx([skm.f1_score(y, labels, average="macro")])


def test_any_function_of_labels_is_a_metric(binary):
    y, given = binary
    result = from_predictions(y, given, scoring={"kappa": skm.cohen_kappa_score})
    assert result.score("a", "kappa") == pytest.approx([skm.cohen_kappa_score(y, given["a"] > 0.5)])


def test_tests_are_those_of_the_arrays(binary):
    y, given = binary
    result = from_predictions(y, given, scoring=SCORED)
    right = [(p > 0.5) == y for p in given.values()]
    rows = {row.metric: row for row in result.compare()}
    assert rows["accuracy"].pvalue == inference.mcnemar_test(*right).pvalue
    delong = delong_of_results(y, given["a"], given["b"])
    assert (rows["roc_auc"].pvalue, rows["roc_auc"].estimate) == pytest.approx((delong.pvalue, delong.estimate))
    losses = [np.log(np.where(y == 1, p, 1 - p)) for p in given.values()]
    assert rows["neg_log_loss"].pvalue == pytest.approx(stats.ttest_rel(*losses).pvalue)
    squares = [-((y - p) ** 2) for p in given.values()]
    interval = stats.ttest_rel(*squares).confidence_interval(rows["neg_brier_score"].confidence_level)
    assert (rows["neg_brier_score"].low, rows["neg_brier_score"].high) == pytest.approx([*interval])
    labels = [(p > 0.5).astype(int) for p in given.values()]
    assert rows["f1"].pvalue == inference.paired_metric_test(y, *labels, "f1", rng=result._scores.seed).pvalue
    assert {row.procedure for row in rows.values()} == {
        *("mcnemar_test", "delong_test", "paired_t_test", "paired_metric_test")
    }


def test_mcnemar_is_that_of_statsmodels(binary):
    contingency = pytest.importorskip("statsmodels.stats.contingency_tables")
    y, given = binary
    result = from_predictions(y, given, scoring="accuracy")
    right = [(p > 0.5) == y for p in given.values()]
    table = [[np.sum((right[0] == i) & (right[1] == j)) for j in (True, False)] for i in (True, False)]
    exact = result.test("mcnemar", method="exact").pvalue
    assert exact == pytest.approx(contingency.mcnemar(table, exact=True).pvalue)


@pytest.mark.parametrize("metric", ["precision_macro", "recall_macro", "f1_macro", "f1_weighted", "recall_weighted"])
def test_macro_averages_are_those_of_a_callable(three_classes, metric):
    y, given = three_classes
    labels = [p.argmax(axis=1) for p in given.values()]
    which, average = metric.split("_")
    function = getattr(skm, f"{which}_score")
    named = inference.paired_metric_test(y, *labels, metric, n_resamples=2000, rng=0)
    called = inference.paired_metric_test(
        y, *labels, lambda t, p: function(t, p, average=average, zero_division=0), n_resamples=30, rng=0
    )
    assert (named.score_a, named.score_b) == pytest.approx((called.score_a, called.score_b))
    assert named.standard_error == pytest.approx(called.standard_error, rel=0.6)  # of 30 draws, to 4.6 standard errors


def test_regression_metrics_are_tested_on_the_samples(rng):
    y = rng.normal(size=N)
    given = {"a": y + 0.5 * rng.normal(size=N), "b": y + 0.9 * rng.normal(size=N)}
    result = from_predictions(y, given, scoring=["neg_mean_absolute_error", "neg_root_mean_squared_error", "r2"])
    rows = {row.metric: row for row in result.compare()}
    errors = [-np.abs(y - x) for x in given.values()]
    assert rows["neg_mean_absolute_error"].pvalue == pytest.approx(stats.ttest_rel(*errors).pvalue)
    r2 = skm.r2_score(y, given["a"]) - skm.r2_score(y, given["b"])
    assert rows["r2"].estimate == pytest.approx(r2)
    assert {row.procedure for row in rows.values()} == {"paired_t_test"}


def test_an_evaluation_on_the_same_split_says_the_same(rng):
    X = rng.normal(size=(200, 4))
    y = (X[:, 0] + rng.normal(size=200) > 0).astype(int)
    models = {"lr": LogisticRegression(), "nb": GaussianNB()}
    split = (np.arange(100), np.arange(100, 200))
    evaluated = PairedEvaluator(cv=[split], scoring=SCORED, random_state=0).evaluate(models, X, y)
    given = {name: model.fit(X[:100], y[:100]).predict_proba(X[100:]) for name, model in models.items()}
    stored = from_predictions(y[100:], given, scoring=SCORED)
    assert evaluated.design.name == stored.design.name == "one test set of 100 samples"
    assert evaluated.scores == pytest.approx(stored.scores)
    for row, wanted in zip(evaluated.compare(), stored.compare(), strict=True):
        if row.record is None:  # an evaluation keeps of some models other scores
            assert row.metric in ("neg_log_loss", "neg_brier_score")
        else:
            assert (row.estimate, row.pvalue) == pytest.approx((wanted.estimate, wanted.pvalue))


# ---- items ------------------------------------------------------------------------------------------------------


def test_outcomes_are_tested_as_what_they_are(rng):
    passed = {name: (rng.random(80) < p).astype(int) for name, p in (("a", 0.8), ("b", 0.6))}
    grades = {name: rng.normal(m, 1, 80) for name, m in (("a", 0.3), ("b", 0.0))}
    result = from_outcomes({"passed": passed, "grade": grades})
    rows = {row.metric: row for row in result.compare()}
    assert rows["passed"].pvalue == inference.mcnemar_test(passed["a"], passed["b"]).pvalue
    assert rows["grade"].pvalue == pytest.approx(stats.ttest_rel(grades["a"], grades["b"]).pvalue)
    wins = np.sign(np.stack([passed["a"] - passed["b"], grades["a"] - grades["b"]], axis=1))
    assert len(wins) == result.design.n_splits == 80


def test_a_table_of_items_in_any_order_is_the_same_result(rng):
    grades = {name: rng.normal(size=40) for name in "ab"}
    rows = {
        "item": np.tile(np.arange(40), 2),
        "model": np.repeat(["a", "b"], 40),
        "outcome": np.concatenate([*grades.values()]),
    }
    order = rng.permutation(80)
    order = order[np.argsort(rows["model"][order], kind="stable")]
    wanted = from_outcomes(grades)
    for form in (rows, {name: x[order] for name, x in rows.items()}, pd.DataFrame(rows)):
        same(from_outcomes(form), wanted)


def test_runs_of_an_item_are_averaged(rng):
    runs = {name: rng.random((30, 5)) for name in "ab"}
    same(from_outcomes(runs), from_outcomes({name: x.mean(axis=1) for name, x in runs.items()}))
    tidy_runs = {
        "item": np.tile(np.repeat(np.arange(30), 5), 2),
        "run": np.tile(np.arange(5), 60),
        "model": np.repeat(["a", "b"], 150),
        "score": np.concatenate([x.ravel() for x in runs.values()]),
    }
    same(from_outcomes(tidy_runs), from_outcomes(runs))


def test_costs_are_turned(rng):
    costs = {"cheap": rng.random(50), "dear": rng.random(50) + 1}
    (row,) = from_outcomes(costs, greater_is_better=False).compare()
    assert row.winner == "cheap"
    assert row.estimate > 0


# ---- saving, and views ------------------------------------------------------------------------------------------


def test_what_is_saved_says_the_same(binary, rng, tmp_path):
    y, given = binary
    names = [f"s{i}" for i in range(N)]
    results = [
        from_predictions(y, given, sample_id=names, scoring=SCORED),
        from_outcomes({name: rng.normal(size=20) for name in "ab"}),
    ]
    for result in results:
        result.save(tmp_path / "r.skc")
        loaded = load(tmp_path / "r.skc")
        assert loaded.design == result.design
        assert loaded.summary("full") == result.summary("full")
        same(loaded, result)


def test_a_metric_without_a_test_is_named_and_called_nothing_else(binary):
    y, given = binary
    scoring = {"own": lambda model, X, y: model.score(X, y), "accuracy": "accuracy"}
    result = from_predictions(y, given, scoring=scoring)
    (row, tested) = result.compare()
    assert (row.outcome.value, row.procedure) == ("not comparable", "")
    assert tested.procedure == "mcnemar_test"
    assert "own" not in result.compare().procedure
    for text in (result.summary("full"), str(result.compare())):
        assert "nor a scorer of make_scorer" in " ".join(text.split())
    assert "No model can be named on own: no test of it is possible." in result.to_markdown()
    assert "lack of a test of own" in result.methods_text()
    assert " ahead " not in result.summary().split("\n\n")[0]
    three = from_predictions(y, {**given, "c": given["b"][::-1]}, scoring=scoring)
    assert "Nothing can be concluded" not in three.summary()


@pytest.mark.parametrize("kind", ["samples", "items"])
def test_nothing_is_said_of_splits_and_of_training(binary, rng, kind):
    y, given = binary
    grades = {name: rng.normal(size=50) for name in "abc"}
    one = from_predictions(y, given, scoring=SCORED) if kind == "samples" else from_outcomes({"x": grades, "y": grades})
    texts = [
        *(one.summary("full"), str(one.compare()), one.to_markdown(), one.to_latex(), one.methods_text()),
        *(str(one.dominance()), str(one.dominance("table")), str(one.pareto_front()), repr(one)),
    ]
    for text in texts:
        said = " ".join(text.split("@")[0].split())
        assert "split" not in said.replace("ties were split", "")
        assert " folds" not in said
        assert "overlap" not in said


@pytest.mark.parametrize("kind", ["posterior", "simplex", "dominance", "quadrants", "pareto", "win_probabilities"])
def test_pictures_of_cases_take_the_metrics_with_a_value_per_sample(binary, kind):
    y, given = binary
    result = from_predictions(y, given, scoring=["f1", "accuracy", "neg_log_loss"])
    title = " ".join(result.plot(kind).ax_.get_title(loc="left").split())
    assert "f1" not in title
    only = from_predictions(y, given, scoring=["f1", "precision"])
    if kind == "pareto":
        assert "no intervals" in told(result.plot(kind, metrics=["f1", "accuracy"]))
    else:
        with pytest.raises(ValueError, match="value on every sample"):
            only.plot(kind)


def test_times_of_items_are_outcomes_like_others(rng):
    times = {"fast": rng.random(40), "slow": rng.random(40) + 0.2}
    right = {name: rng.random(40) for name in times}
    named = from_outcomes({"right": right, "fit_time": times}, greater_is_better={"fit_time": False, "right": True})
    other = from_outcomes({"right": right, "seconds": times}, greater_is_better={"seconds": False, "right": True})
    assert named.dominance().pvalue == other.dominance().pvalue
    assert named.pareto_front().probabilities == pytest.approx(other.pareto_front().probabilities)


def test_ids_decide_where_indexes_differ_and_one_table_stays_as_it_stands(rng):
    pandas = pytest.importorskip("pandas")
    ids = np.array([f"s{i}" for i in range(60)])
    y, a, b = rng.integers(0, 2, 60), rng.integers(0, 2, 60), rng.integers(0, 2, 60)
    y[:2], number = [0, 1], rng.permutation(60)
    plain = from_predictions(y, {"a": a, "b": b}, scoring="accuracy").scores
    order = rng.permutation(60)
    series = [pandas.Series(x, index=ids) for x in (y, a, b)]
    by_id = from_predictions(series[0], {"a": series[1].iloc[order], "b": b}, scoring="accuracy", sample_id=ids)
    assert np.array_equal(by_id.scores, plain)
    table = pandas.DataFrame({"id": number, "y": y, "a": a, "b": b})  # ids that are positions of other rows
    one = from_predictions(table.y, {"a": table.a, "b": table.b}, scoring="accuracy", sample_id=table.id)
    assert np.array_equal(one.scores, plain)
    for wrong, word in ((series[1].iloc[1:], "lacks"), (pandas.concat([series[1], series[1].iloc[:1]]), "has twice")):
        with pytest.raises(ValueError, match=rf"every sample_id once in its index; it {word} \['s0'\]"):
            from_predictions(series[0], {"a": wrong, "b": b}, sample_id=ids)
    keep = ids != "s9"
    with pytest.raises(ValueError, match=r"it has besides \['s9'\]"):
        from_predictions(y[keep], {"a": series[1], "b": b[keep]}, sample_id=ids[keep])


# ---- scores, weights, groups ------------------------------------------------------------------------------------


def test_metrics_of_scores_are_tested_by_exchanges(binary):
    y, given = binary
    spread = {
        name: {"score": np.log(p / (1 - p)) * scale} for (name, p), scale in zip(given.items(), (1, 50), strict=True)
    }
    result = from_predictions(y, spread, scoring=["average_precision"])
    record = result.test()
    direct = inference.paired_metric_test(y, given["a"], given["b"], "average_precision", rng=0)
    assert (record.pvalue, record.estimate) == (direct.pvalue, direct.estimate)
    (row,) = result.compare()
    assert row.procedure == "paired_metric_test"
    assert row.low < row.estimate < row.high
    scorer = skm.make_scorer(skm.brier_score_loss, response_method="predict_proba", greater_is_better=False)
    own = from_predictions(y[:40], {name: p[:40] for name, p in given.items()}, scoring={"own": scorer})
    record = own.test("paired_metric_test", n_resamples=50)
    assert record.estimate == pytest.approx(own.difference("own")[0])
    assert "random exchanges" in record.method


WEIGHED = ["accuracy", "f1", "matthews_corrcoef", "precision_macro", "roc_auc", "neg_log_loss", "average_precision"]


def weighed(y, p, w):
    labels = p > 0.5
    return {
        "accuracy": skm.accuracy_score(y, labels, sample_weight=w),
        "f1": skm.f1_score(y, labels, sample_weight=w),
        "matthews_corrcoef": skm.matthews_corrcoef(y, labels, sample_weight=w),
        "precision_macro": skm.precision_score(y, labels, average="macro", sample_weight=w),
        "roc_auc": skm.roc_auc_score(y, p, sample_weight=w),
        "neg_log_loss": -skm.log_loss(y, p, sample_weight=w),
        "average_precision": skm.average_precision_score(y, p, sample_weight=w),
    }


def test_weighted_scores_are_those_of_scikit_learn_and_their_tests_linearised(binary, rng):
    n = 40
    y, given = binary[0][:n], {name: p[:n] for name, p in binary[1].items()}
    w = rng.exponential(size=n)
    result = from_predictions(y, given, scoring=WEIGHED, sample_weight=w)
    for name, p in given.items():
        for metric, score in weighed(y, p, w).items():
            assert result.score(name, metric) == pytest.approx([score]), metric
    influences = {metric: np.empty(n) for metric in WEIGHED}
    before = [weighed(y, p, w) for p in given.values()]
    for i in range(n):  # the infinitesimal jackknife: each sample a little heavier
        heavier = w * (1 + 1e-4 * (np.arange(n) == i))
        after = [weighed(y, p, heavier) for p in given.values()]
        for metric, found in influences.items():
            found[i] = (after[0][metric] - before[0][metric] - after[1][metric] + before[1][metric]) / 1e-4
    rows = {row.metric: row for row in result.compare()}
    for metric in WEIGHED[:-1]:
        assert rows[metric].procedure == "paired_t_test"
        record = result.test(metric=metric)
        assert record.estimate == pytest.approx(result.difference(metric)[0])
        expected = (influences[metric] ** 2).sum() ** 0.5 * (n / (n - 1)) ** 0.5
        assert record.standard_error == pytest.approx(expected, rel=1e-2)
    assert rows["average_precision"].outcome.value == "not comparable"
    assert "weights" in str(rows["average_precision"].warnings)
    table = {**tidy(y, given, "probability"), "weight": np.tile(w, 2)}
    same(from_predictions(table, scoring=WEIGHED), result)


def test_equal_weights_are_none_and_weights_may_be_saved(binary, tmp_path):
    y, given = binary
    plain = from_predictions(y, given, scoring=["neg_log_loss", "f1"])
    equal = from_predictions(y, given, scoring=["neg_log_loss", "f1"], sample_weight=np.full(N, 3.0))
    for metric in plain.metrics:
        one, other = (x.test("paired_t_test", metric=metric) for x in (plain, equal))
        assert (one.estimate, one.standard_error) == pytest.approx((other.estimate, other.standard_error))
    equal.save(tmp_path / "weighted.skc")
    loaded = load(tmp_path / "weighted.skc")
    assert loaded.details.sample_weight.tolist() == [3.0] * N
    assert loaded.summary("full") == equal.summary("full")
    assert equal.to_html()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda r: r.test("mcnemar"), "mcnemar_test counts every sample alike.*'paired_t_test'"),
        (lambda r: r.test("paired_metric_test", metric="accuracy"), "paired_metric_test counts every sample alike"),
        (lambda r: r.by(np.arange(N) % 2), "by.. counts every sample alike"),
        (lambda r: r.confusion_matrices(), "counts every sample alike"),
        (lambda r: r.dominance(), "value on every sample"),
    ],
)
def test_what_takes_no_weights_says_so(binary, call, words):
    y, given = binary
    with pytest.raises(ValueError, match=words):
        call(from_predictions(y, given, scoring="accuracy", sample_weight=np.arange(N) + 1.0))


def test_weights_in_clusters_are_those_of_the_cluster_test(binary, rng):
    y, given = binary
    w, clusters = rng.exponential(size=N), np.arange(N) // 4
    result = from_predictions(y, given, scoring="accuracy", sample_weight=w, clusters=clusters)
    d = ((given["a"] > 0.5) == y) * 1.0 - ((given["b"] > 0.5) == y)
    mean = np.average(d, weights=w)
    sums = np.bincount(clusters, weights=w * (d - mean))
    record = result.test()
    assert record.estimate == pytest.approx(mean)
    assert record.standard_error == pytest.approx(((sums @ sums) * 30 / 29) ** 0.5 / w.sum())


def test_label_metrics_are_linearised_for_the_cluster_test(binary):
    y, given = binary
    clusters = np.arange(N) // 4
    result = from_predictions(y, given, scoring=["f1", "average_precision"], clusters=clusters)
    record = result.test("cluster_t_test", metric="f1")
    assert record.estimate == pytest.approx(result.difference("f1")[0])
    influence = np.zeros(N)
    for sign, p in zip((1, -1), given.values(), strict=True):
        labels = p > 0.5
        total, found = y.sum() + labels.sum(), skm.f1_score(y, labels)
        influence += sign * (2 * y * labels - found * (y + labels)) / total
    sums = np.bincount(clusters, weights=influence)
    assert record.standard_error == pytest.approx(((sums @ sums) * 30 / 29) ** 0.5)
    with pytest.raises(ValueError, match="'paired_metric_test' and 'paired_bootstrap' need none"):
        result.test("cluster_t_test", metric="average_precision")


def test_groups_of_one_test_set_are_its_clusters(rng, tmp_path):
    X, y, groups = rng.normal(size=(N, 2)), np.arange(N) % 2, np.arange(N) // 5
    models = {"lr": LogisticRegression(), "nb": GaussianNB()}
    test = np.flatnonzero(groups % 2)
    split = [(np.setdiff1d(np.arange(N), test), test)]
    scoring = ["accuracy", "average_precision"]
    result = PairedEvaluator(cv=split, scoring=scoring).evaluate(models, X, y, groups=groups)
    assert result.design.n_clusters == len(np.unique(groups[test]))
    result.save(tmp_path / "grouped.skc")
    assert load(tmp_path / "grouped.skc").design == result.design
    right = {name: (result.predictions(name)[0].y_pred == y[test]) * 1.0 for name in models}
    direct = inference.cluster_t_test(right["lr"], right["nb"], clusters=groups[test])
    assert result.test().pvalue == direct.pvalue
    assert result.test(metric="average_precision", n_resamples=50).n_clusters == result.design.n_clusters
    assert "CLUSTERS_IGNORED" in str(result.test("mcnemar").warnings)
    folds = PairedEvaluator(cv=GroupKFold(3), scoring="accuracy", random_state=0)
    assert "CLUSTERS_IGNORED" in str(folds.evaluate(models, X, y, groups=groups).test("mcnemar").warnings)
    assert "CLUSTERS_IGNORED" not in str(folds.evaluate(models, X, y, groups=np.arange(N)).test("mcnemar").warnings)
    alone = PairedEvaluator(cv=split, scoring="accuracy").evaluate(models, X, y)
    assert alone.compare().procedure == "mcnemar_test"


def test_joint_tests_and_the_front_take_clusters_for_cases(rng):
    values = {metric: {name: rng.normal(size=20) for name in "abc"} for metric in ("x", "y")}
    thrice = {metric: {name: np.repeat(v, 3) for name, v in table.items()} for metric, table in values.items()}
    alone, clustered = from_outcomes(values), from_outcomes(thrice, clusters=np.repeat(np.arange(20), 3))
    one, other = alone.pareto_front(), clustered.pareto_front()
    assert (other.n, other.names) == (20, one.names)
    assert other.probabilities == pytest.approx(one.probabilities)
    for name in ("intersection_union_test", "max_t_test", "hotelling_test"):
        assert clustered.test(name).pvalue == pytest.approx(alone.test(name).pvalue)
    few = from_outcomes(thrice, clusters=np.arange(60) % 5)
    assert "TOO_LITTLE_DATA" in str(few.pareto_front().warnings)


def test_error_rates_are_quoted_for_one_test_set(binary):
    y, given = binary
    clustered = from_predictions(y, given, scoring="accuracy", clusters=np.arange(N) // 4)
    known = {
        "one test set, 50 to 2,000 samples": (
            from_predictions(y, given, scoring=["accuracy", "f1"]),
            ("accuracy", "f1"),
        ),
        "10 to 100 clusters, intraclass correlation 0 to 0.5": (clustered, ("accuracy",)),
    }
    for where, (result, metrics) in known.items():
        assert re.search(r"wrong in \d+% \(\d+ to \d+%\) of similar simulations", " ".join(result.summary().split()))
        grid, methods = result.explain().named("error rates"), " ".join(result.methods_text().split())
        assert grid.columns[0].cells == ("wrong in", "90% range")
        shares = {column.name: column.cells for column in grid.columns[1:]}
        assert tuple(shares) == metrics
        assert grid.caption.startswith(f"Share of wrong single comparisons in simulations: {where}")
        assert f"In simulations like this run ({where}" in methods
        [(first, (mean, span)), *others] = shares.items()
        assert f"{mean} ({span}) of single comparisons on {first}" in methods
        assert all(f"{mean} ({span}) on {metric}" in methods for metric, (mean, span) in others)
    for unlike in ({"sample_weight": np.arange(N) + 1.0}, {"clusters": np.arange(N) // 30}):
        result = from_predictions(y, given, scoring="accuracy", **unlike)
        assert "error rate not measured." in " ".join(result.summary().split())
        assert "Error rate not measured for runs like this (" in result.explain().named("error rate").text
        assert result.explain().named("error rates") is None


# ---- names that belong to other metrics -----------------------------------------------------------------------


def hits(y_true, y_pred):
    return float(np.mean((y_pred == 1) & (y_true == 1)))


@pytest.mark.parametrize(
    ("name", "source", "read"),
    [
        ("accuracy", hits, hits),
        ("f1", "f1_macro", "f1_macro"),
        ("precision", skm.make_scorer(skm.f1_score, average="macro"), "f1_macro"),
    ],
    ids=["a function", "a name", "a scorer"],
)
def test_a_metric_with_the_name_of_another_is_tested_as_what_it_is(rng, tmp_path, name, source, read):
    y = rng.integers(2, size=200)
    predictions = {model: np.where(rng.random(200) < share, 1 - y, y) for model, share in (("a", 0.2), ("b", 0.5))}
    result = from_predictions(y, predictions, scoring={name: source})
    (row,) = result.compare().rows
    own = inference.paired_metric_test(y, *predictions.values(), read, rng=0)
    assert row.procedure == "paired_metric_test"
    assert (row.estimate, row.pvalue) == pytest.approx((own.estimate, own.pvalue))
    result.save(tmp_path / "named.skc")
    (again,) = load(tmp_path / "named.skc").compare().rows  # own functions are not saved
    if source is not hits:
        assert again.pvalue == row.pvalue
        return
    assert np.isnan(again.pvalue)
    assert "a file does not keep its function" in again.warnings[0]


@pytest.mark.parametrize(
    ("name", "scorer", "test"),
    [
        ("accuracy", skm.make_scorer(skm.accuracy_score), "mcnemar_test"),
        ("f1", skm.make_scorer(skm.f1_score, average="binary"), "paired_metric_test"),
        ("roc_auc", skm.make_scorer(skm.roc_auc_score, response_method="predict_proba"), "delong_test"),
    ],
)
def test_a_scorer_of_the_metric_that_it_is_called_by_has_its_test(rng, name, scorer, test):
    y = rng.integers(2, size=100)
    scores = {model: np.clip(y * 0.2 + rng.random(100) * 0.8, 0, 1) for model in "ab"}
    named, plain = (from_predictions(y, scores, scoring=scoring).compare()[0] for scoring in ({name: scorer}, [name]))
    assert (named.procedure, named.pvalue) == (plain.procedure, plain.pvalue)
    assert named.procedure == test


def test_the_name_of_another_metric_does_not_mislead_a_test_on_pooled_folds(rng):
    y = rng.integers(2, size=90)
    X = rng.normal(size=(90, 2)) + y[:, None]
    models = {"nb": GaussianNB(), "chance": DummyClassifier(strategy="stratified", random_state=0)}
    result = PairedEvaluator(3, {"f1": "f1_macro"}, random_state=0).evaluate(models, X, y)
    folds = result.predictions("nb")
    true, labels = (np.concatenate([getattr(fold, part) for fold in folds]) for part in ("y_true", "y_pred"))
    pooled = skm.f1_score(true, labels, average="macro")
    assert result.test("paired_metric").score_a == pytest.approx(pooled)


@pytest.mark.parametrize("per_cluster", [None, 4])
def test_a_loss_of_labels_is_tested_as_the_share_that_it_complements(rng, per_cluster):
    y = rng.integers(0, 2, 200)
    models = {name: np.where(rng.random(200) < share, 1 - y, y) for name, share in (("a", 0.05), ("b", 0.5))}
    clusters = None if per_cluster is None else np.arange(200) // per_cluster
    scoring = ["specificity", "false_alarm_rate"]
    result = from_predictions(y, {**models, "c": models["a"]}, scoring=scoring, clusters=clusters)
    for procedure in ("auto", "paired_metric_test", "cluster_t_test"):
        if procedure == "cluster_t_test" and per_cluster is None:
            continue
        of_share, of_loss = (result.test(procedure, metric=metric, a="a", b="b") for metric in scoring)
        assert of_loss.pvalue == pytest.approx(of_share.pvalue, abs=1e-9)
        assert of_loss.estimate == pytest.approx(of_share.estimate, abs=1e-9)
        assert of_loss.estimate > 0  # `a` has fewer false alarms
        assert result.test(procedure, metric=scoring[1], a="a", b="c").pvalue == 1
    for share, loss in zip(*(result.intervals(metric) for metric in scoring), strict=True):
        assert loss.low <= loss.score <= loss.high
        assert (loss.low, loss.score, loss.high) == pytest.approx((1 - share.high, 1 - share.score, 1 - share.low))


@pytest.fixture(params=["outcomes", "predictions", "clusters"])
def of_differences(request):
    """Makes a result of two models whose differences on the cases, or in the clusters, are given."""

    def made(differences):
        n = len(differences)
        if request.param == "predictions":
            truth = np.linspace(0.1, 0.9, n)
            models = {"a": truth + 1e6 + differences, "b": truth + 1e6}  # absolute errors differ by what is given
            return from_predictions(truth, models, scoring="neg_mean_absolute_error")
        clusters = np.repeat(np.arange(n), 3) if request.param == "clusters" else np.arange(n)
        models = {"a": np.asarray(differences)[clusters], "b": np.zeros(len(clusters))}
        if request.param == "clusters":
            return from_outcomes(models, clusters=clusters)
        return from_outcomes(models, sample_id=[f"question {i}" for i in range(n)])

    return made


def of_few(result):
    return [one.sentence for one in result.test().warnings if one.code == "WEAK_METRIC"]


@pytest.mark.parametrize("scale", [-1e3, -1e-3, 1.0])
def test_skewed_differences_of_few_cases_warn_beside_the_answer(rng, of_differences, scale):
    """More than 25 times the squared skewness are enough: exponential values are skewed by 2, so 400 of them are."""
    for n, laws, warned in (
        (20, (stats.expon, stats.lognorm(1.5)), True),
        (int(rng.integers(21, 60)), (stats.expon, stats.lognorm(1.5)), True),
        (int(rng.integers(20, 99)), (stats.norm, stats.uniform, stats.logistic), False),
        (400, (stats.norm, stats.expon), False),
    ):
        for law in laws:
            result = of_differences(scale * rng.permutation(law.ppf((np.arange(n) + 0.5) / n)))
            assert bool(of_few(result)) is warned, (n, law)
            assert (f"Caution: {n} " in result.summary()) is warned


def test_few_cases_do_not_tell_whether_their_differences_are_skewed(rng):
    """A sample of 15 outcomes shows no rare one; numbers that may be folds are told of as such."""
    n, ids = int(rng.integers(5, 20)), [f"question {i}" for i in range(20)]
    outcomes = {"a": rng.normal(size=n), "b": rng.normal(size=n)}
    assert of_few(from_outcomes(outcomes, sample_id=ids[:n]))[0].startswith(f"{n} cases are few")
    assert not of_few(from_outcomes(outcomes))
    assert not of_few(from_outcomes({name: one > 0 for name, one in outcomes.items()}, sample_id=ids[:n]))
    rare = np.where(np.arange(50) == 7, 1e200, rng.normal(size=50))  # of which no power overflows
    assert of_few(from_outcomes({"a": rare, "b": np.zeros(50)}, sample_id=range(50)))


@pytest.mark.parametrize("name", ["own", "f2", "a metric"])
@pytest.mark.parametrize("n_models", [2, 3])
def test_of_an_own_scorer_that_a_file_did_not_keep_it_is_said(name, n_models, tmp_path, rng):
    y = np.arange(60) % 2
    found = {f"m{i}": np.where(rng.random(60) < 0.7, y, 1 - y) for i in range(n_models)}
    scorer = skm.make_scorer(lambda true, labels: float(np.sum(true == labels)) ** 2)
    result = from_predictions(y, found, scoring={name: scorer})
    assert result.compare().rows[0].outcome.tested
    result.save(tmp_path / "result.skc")
    found = load(tmp_path / "result.skc")
    assert not found.compare().rows[0].outcome.tested
    said = f"{name} is not tested: a file does not keep its function, and its pairs count all the same; compare before"
    assert said in " ".join(str(found).split())


def of_heavy_tail(rng, n):
    """Differences of squares, the normal ones less those of t with 2.5 degrees of freedom, none of the rarest 0.1%."""
    known = (np.arange(n) + 0.5) / n
    light, heavy = stats.norm.ppf(known) ** 2, stats.t(2.5).ppf(0.0005 + 0.999 * known) ** 2 / 5
    return rng.permutation(light) - rng.permutation(heavy)


def is_told_of_tail(result):
    return any("a t test of heavy-tailed differences. Look" in one for one in of_few(result))


@pytest.mark.parametrize("scale", [-1e3, 1.0, 1e3])
def test_a_heavy_tail_of_differences_warns_in_every_view(rng, of_differences, scale):
    """The better model is far worse on rare cases; the sides and the unit do not matter."""
    n = int(rng.integers(1500, 3000))
    result = of_differences(scale * of_heavy_tail(rng, n))
    assert is_told_of_tail(result)
    for view in (result.summary(), result.to_markdown(), result.to_html(), result.to_json(), result.methods_text()):
        assert "few for a t test of heavy-tailed differences" in " ".join(view.replace("\\n", " ").split())
    swapped = result.test(a="b", b="a")
    assert [one.code for one in swapped.warnings] == [one.code for one in result.test(a="a", b="b").warnings]


@pytest.mark.parametrize("law", [stats.norm, stats.laplace, stats.uniform, stats.logistic, stats.t(10)])
def test_light_tails_do_not_warn_of_heavy_ones(rng, of_differences, law):
    """Of errors, their sizes and their squares, at any distance of the models."""
    known = (np.arange(n := int(rng.integers(70, 3000))) + 0.5) / n
    errors, usual = (rng.permutation(own.ppf(known)) for own in (law, stats.norm))
    for power in (1, 2):
        a, b = (np.abs(own) ** power / np.mean(np.abs(own) ** power) for own in (errors, usual))
        for lead in rng.uniform(-0.2, 0.2, 2):
            assert not is_told_of_tail(of_differences(rng.choice([-1e3, 1.0, 1e3]) * (a - b + lead)))


def test_a_heavy_tail_that_cannot_turn_the_lead_is_none(rng, of_differences):
    """Nor one of the side that lies behind."""
    differences = of_heavy_tail(rng, int(rng.integers(1500, 3000)))
    for lead, warned in ((0.02, True), (3.0, False), (-3.0, False)):
        assert is_told_of_tail(of_differences(differences - differences.mean() + lead)) is warned
