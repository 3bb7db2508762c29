"""Several metrics at once on a result: dominance, its table, the front, and the joint procedures of `.test()`."""

import re
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from scipy import stats
from sklearn.datasets import make_classification
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from skcompare import PairedEvaluator, from_frame, inference
from skcompare.inference._rates import design_like, predicted
from tests.lawful import codes

DATA = make_classification(150, 6, n_informative=3, random_state=0)
METRICS = ["accuracy", "recall", "roc_auc"]
TIES = 0.1  # times that differ by less of the larger typical time


def evaluate(estimators, cv="10x10", scoring=METRICS, data=DATA, **options):
    return PairedEvaluator(cv=cv, scoring=scoring, random_state=0, **options).evaluate(estimators, *data)


@pytest.fixture(scope="module")
def three():
    return evaluate({"nb": GaussianNB(), "knn": KNeighborsClassifier(), "stump": DecisionTreeClassifier(max_depth=1)})


def table(scores, metrics, n_folds=10):
    """A result made from scores: {model: (n_splits, n_metrics)}."""
    rows = [
        (model, metric, i // n_folds, i % n_folds, values[i, m])
        for model, values in scores.items()
        for m, metric in enumerate(metrics)
        for i in range(len(values))
    ]
    names = ("model", "metric", "repeat", "fold", "score")
    return from_frame(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))


# ---- one pair -------------------------------------------------------------------------------------------------


def test_dominance_is_the_test_of_the_counts_on_effective_cases(three):
    a, b = (np.stack([three.score(name, metric) for metric in METRICS], axis=1) for name in ("nb", "knn"))
    expected = inference.dominance_test(
        inference.dominance_counts(a, b), inference.effective_cases(100, 0.1), metrics=METRICS
    )
    record = three.dominance()
    np.testing.assert_allclose(record.counts, expected.counts)
    assert record.pvalue == expected.pvalue
    assert record.statement == expected.statement
    named = re.sub(
        r"\b([ab])(?= better)|(?<=than )[ab]\b", lambda found: {"a": "nb", "b": "knn"}[found[0]], str(expected)
    )
    assert str(record).split() == named.split()
    assert record.metrics == tuple(METRICS)


@pytest.mark.parametrize("method", ["glrt", "dirichlet", "network"])
def test_every_method_is_corrected_for_folds_unless_told_otherwise(three, method):
    corrected, uncorrected = three.dominance(method), three.dominance(method, correct_folds=False)
    assert corrected.n_effective == pytest.approx(inference.effective_cases(100, 0.1))
    assert uncorrected.n_effective == 100
    assert "INDEPENDENCE" not in codes(corrected)
    assert "INDEPENDENCE" in codes(uncorrected)


@pytest.mark.sampled
@pytest.mark.parametrize("method", ["glrt", "dirichlet", "network"])
@pytest.mark.parametrize(("cv", "said"), [("5x2", True), ("10x10", False)])
def test_a_design_that_cannot_reject_says_so_once(method, cv, said):
    record = evaluate({"nb": GaussianNB(), "knn": KNeighborsClassifier()}, cv=cv).dominance(method)
    assert codes(record).count("CANNOT_REJECT") == said


def test_the_network_reports_what_the_other_two_methods_say(three):
    network = three.dominance("network")
    test, posterior = three.dominance("glrt"), three.dominance("dirichlet")
    assert network.saturated.pvalue == test.pvalue
    assert network.saturated.statement == test.statement
    np.testing.assert_array_equal(network.saturated_posterior.probabilities, posterior.probabilities)
    complete = three.dominance("network", structure="complete")
    assert complete.statement == test.statement
    assert complete.statistic == pytest.approx(test.statistic, abs=1e-9)
    np.testing.assert_allclose(complete.probabilities, posterior.probabilities, atol=1e-9)
    np.testing.assert_array_equal(network.probabilities, three.dominance("network").probabilities)


def test_options_reach_the_method_they_belong_to(three):
    assert three.dominance(statement=(True, True, True)).fixed
    assert three.dominance("dirichlet", prior="uniform").prior.tolist() == [1.0] * 8
    with pytest.raises(ValueError, match="prior is no option"):
        three.dominance(prior="uniform")
    with pytest.raises(ValueError, match="statement is no option of method 'dirichlet'"):
        three.dominance("dirichlet", statement=(True, True, True))


def test_differences_within_the_rope_are_ties(three):
    everything = three.dominance(margin=1.0)
    assert everything.statement is None
    assert everything.pvalue == 1
    np.testing.assert_allclose(everything.counts, everything.counts[0])
    free = three.dominance(margin={"recall": 1.0})
    on_recall = free.counts.reshape(2, 2, 2)
    np.testing.assert_allclose(on_recall[:, 0], on_recall[:, 1])  # recall says nothing
    for bad in (-1, {"f1": 0.1}, {"recall": np.nan}):
        with pytest.raises(ValueError, match="margin"):
            three.dominance(margin=bad)


# ---- costs ----------------------------------------------------------------------------------------------------


def n_parameters(estimator, X, y):  # noqa: ARG001
    return estimator.coef_.size + estimator.intercept_.size


def test_costs_stand_in_one_statement_with_accuracy():
    models = {"weak": LogisticRegression(C=1e-4), "small": OnTwoColumns()}
    scoring = {name: name for name in ("accuracy", "fit_time", "predict_time", "model_size")}
    result = evaluate(models, scoring={**scoring, "n_parameters": n_parameters})
    assert result.greater_is_better == (True, False, False, False, False)
    assert set(result.score("weak", "n_parameters")) == {7.0}
    assert set(result.score("small", "n_parameters")) == {3.0}
    record = result.dominance(metrics=["accuracy", "n_parameters"])
    assert record.statement[1] is False
    assert record.statement == (False, False)
    assert "small better than weak on both metrics" in str(record)
    assert len(result.dominance().counts) == 32


class OnTwoColumns(LogisticRegression):
    """Sees the first two columns only."""

    def fit(self, X, y):
        return super().fit(X[:, :2], y)

    def decision_function(self, X):
        return super().decision_function(X[:, :2])


def test_parameters_need_a_callable_that_counts_them():
    with pytest.raises(ValueError, match=r"scoring\[1\] must be .* scoring=\{'n_parameters': callable\}"):
        evaluate({"nb": GaussianNB(), "knn": KNeighborsClassifier()}, scoring=["accuracy", "n_parameters"])


def test_a_callable_that_gives_several_scores_may_count_parameters_too():
    def several(estimator, X, y):
        return {"right": estimator.score(X, y), "n_parameters": n_parameters(estimator, X, y)}

    result = evaluate({"weak": LogisticRegression(C=1e-4), "strong": LogisticRegression()}, cv=5, scoring=several)
    assert result.greater_is_better == (True, False)


def test_a_time_is_its_median_over_the_repeats_and_close_ones_are_ties():
    rng = np.random.default_rng(0)
    base = rng.uniform(1.0, 2.0, 10)
    fast = np.tile(base, 10)
    slow = np.tile(base * (1 + 3 * TIES), 10)
    slow[5::20] = 1e-6  # a clock that stutters now and then must not matter
    accuracy = rng.normal(0.8, 0.05, (2, 100))
    scores = {name: np.column_stack([a, t]) for name, a, t in zip("ab", accuracy, (fast, slow), strict=True)}
    record = table(scores, ["accuracy", "fit_time"]).dominance(metrics=["fit_time"])
    width = TIES * np.median(base) * (1 + 3 * TIES)
    expected = inference.dominance_counts(-fast[:10], -np.median(slow.reshape(10, 10), axis=0), rope=width)
    np.testing.assert_allclose(record.counts / record.counts.sum(), expected / expected.sum())
    assert "TIMES" in codes(record)
    assert "median over 10 repeats" in next(one for one in record.warnings if one.code == "TIMES")
    assert "10% of the larger typical time" in next(one for one in record.warnings if one.code == "TIMES")


def test_times_that_differ_by_noise_only_decide_nothing():
    rng = np.random.default_rng(1)
    noise = np.exp(rng.normal(0, 0.02, (2, 100)))  # within 10% for any seed, after medians
    accuracy = rng.normal(0.8, 0.05, (2, 100))
    scores = {name: np.column_stack([a, t]) for name, a, t in zip("ab", accuracy, noise, strict=True)}
    result = table(scores, ["accuracy", "fit_time"])
    assert result.dominance(metrics=["fit_time"]).statement is None
    no_rope = result.dominance(metrics=["fit_time"], margin={"fit_time": 0.0})
    assert no_rope.statement is not None
    assert "10%" not in no_rope.warnings[-1]


def test_medians_over_repeats_are_no_more_cases_than_folds():
    rng = np.random.default_rng(2)
    base = rng.uniform(1, 2, (100, 1))
    result = table({"a": base, "b": 1.5 * base}, ["fit_time"])
    assert result.dominance().n_effective == 10
    assert result.test("full_dominance").n_effective == 10
    assert table({"a": base, "b": 1.5 * base}, ["x"]).dominance().n_effective > 13


def test_one_width_for_all_metrics_is_not_meant_for_seconds():
    rng = np.random.default_rng(3)
    scores = {name: np.column_stack([rng.normal(0.8, 0.05, 100), rng.normal(1, 0.001, 100)]) for name in "ab"}
    record = table(scores, ["accuracy", "fit_time"]).dominance(margin=0.0001)
    assert "10% of the larger typical time" in next(w for w in record.warnings if w.startswith("TIMES"))


def test_the_front_takes_close_times_for_ties_and_says_so():
    rng = np.random.default_rng(4)
    accuracy = rng.normal(0.8, 0.02, (100, 1))
    times = {"one": 1.0, "other": 1.05, "slow": 2.0}
    scores = {name: np.hstack([accuracy, rng.normal(t, 0.001, (100, 1))]) for name, t in times.items()}
    front = table(scores, ["accuracy", "fit_time"]).pareto_front()
    assert front.front() == ("one", "other")
    assert front.probabilities.tolist() == [1, 1, 0]
    assert front.means[:, 1] == pytest.approx([1.0, 1.05, 2.0], abs=0.01)
    assert "TIMES" in codes(front)
    measured = table(scores, ["accuracy", "fit_time"]).pareto_front(margin={"fit_time": 0.0})
    assert measured.front() == ("one",)


def test_a_time_too_short_for_the_clock_is_the_shortest():
    rng = np.random.default_rng(8)
    scores = {"one": np.zeros((100, 1)), "other": rng.uniform(1, 2, (100, 1))}
    assert table(scores, ["fit_time"]).pareto_front().front() == ("one",)


def test_means_of_times_say_that_they_are_as_measured():
    rng = np.random.default_rng(5)
    scores = {name: rng.uniform(1, 2, (100, 2)) for name in "ab"}
    result = table(scores, ["accuracy", "fit_time"])
    for procedure in ("max_t", "hotelling", "intersection_union"):
        assert "TIMES: fit_time is taken as measured, once per split." in result.test(procedure).warnings


def test_a_metric_that_is_tied_everywhere_is_named():
    rng = np.random.default_rng(6)
    base = rng.normal(0.8, 0.01, 100)
    noise = rng.normal(0, 0.01, 100)
    scores = {name: np.column_stack([base + shift, np.ones(100)]) for name, shift in (("a", 0.1 + noise), ("b", 0.0))}
    result = table(scores, ["accuracy", "size"])
    for method in ("glrt", "dirichlet", "network"):
        record = result.dominance(method)
        assert "NO_DIFFERENCE: size may be tied in every case" in next(
            w for w in record.warnings if w.startswith("NO_DIFFERENCE")
        )
    assert "NO_DIFFERENCE" not in codes(result.dominance(metrics=["accuracy"]))
    assert result.dominance(metrics=["accuracy"]).pvalue < 0.05


def test_a_dominance_test_that_could_never_reject_among_so_many_says_so():
    rng = np.random.default_rng(7)
    base = rng.normal(0.8, 0.01, (8, 2))
    scores = {f"m{i}": base + 0.1 * i + rng.normal(0, 0.001, base.shape) for i in range(4)}
    rows = table(scores, ["x", "y"], n_folds=8).dominance("table")
    assert all(row.pvalue_adjusted > 0.05 for row in rows)
    assert all(row.established for row in rows)  # each part is: that is the comparisons' answer, not this test's
    assert all(sum("adjusted over 6 pairs" in warning for warning in row.warnings) == 1 for row in rows)


def test_a_model_that_failed_everywhere_is_left_out_of_the_front():
    models = {"nb": GaussianNB(), "broken": FailsAlways(), "knn": KNeighborsClassifier()}
    with pytest.warns(FitFailedWarning):
        front = evaluate(models, cv=5, error_score=np.nan).pareto_front()
    assert front.names == ("nb", "knn")
    assert "'broken' has no score" in front.warnings[0]


@pytest.mark.parametrize("metrics", [["accuracy", "fit_time"], ["fit_time", "accuracy"], ["accuracy", "recall"]])
def test_a_front_of_models_of_which_none_has_all_metrics_is_refused(rng, metrics):
    result = table({name: rng.uniform(1, 2, (10, 2)) for name in "abc"}, metrics)
    scores = result.scores.copy()
    scores[:, :, metrics.index("accuracy")] = np.nan
    with pytest.raises(ValueError, match="metrics must have a split"):
        replace(result, scores=scores).pareto_front()


def test_joint_tests_that_reject_too_often_on_folds_say_how_often(three):
    said = {}
    for name in ("max_t_test", "hotelling_test", "full_dominance_test", "intersection_union_test"):
        sizes = predicted(name, design_like(three.design), "binary")
        said[name] = "NOT_AT_LEVEL" in codes(three.test(name))
        assert said[name] == (max(size.high for size in sizes.values()) > 0.075)
    assert any(said.values())


def test_too_many_metrics_and_odd_options_are_refused_by_name(three):
    many = evaluate(
        {"nb": GaussianNB(), "knn": KNeighborsClassifier()},
        cv=3,
        scoring={f"accuracy {i}": "accuracy" for i in range(13)},
    )
    for call in (many.dominance, partial(many.dominance, "table"), lambda: many.test("full_dominance")):
        with pytest.raises(ValueError, match="metrics must be at most 12; got 13"):
            call()
    with pytest.raises(ValueError, match="metrics must be at most 8; got 9"):
        many.dominance("network", metrics=many.metrics[:9])
    assert "patterns of wins are not tested on more than 12 metrics" in " ".join(many.summary("full").split())
    with pytest.raises(ValueError, match="correct_folds must be True or False"):
        three.dominance(correct_folds="no")
    with pytest.raises(ValueError, match="metrics must be names of metrics; got 5"):
        three.dominance(metrics=5)
    with pytest.raises(ValueError, match=r"'dominance_network' is result.dominance\('network'\)"):
        three.test("dominance_network")


# ---- all pairs ------------------------------------------------------------------------------------------------


def test_the_table_holds_one_error_budget_over_all_pairs(three):
    rows = three.dominance("table")
    assert [(row.a, row.b) for row in rows] == [("nb", "knn"), ("nb", "stump"), ("knn", "stump")]
    tests = [three.dominance(a=row.a, b=row.b) for row in rows]
    assert [row.pvalue for row in rows] == pytest.approx([test.pvalue for test in tests], rel=1e-12)
    assert [row.statement for row in rows] == [test.statement for test in tests]
    assert [row.pvalue_adjusted for row in rows] == pytest.approx(
        inference.adjust_pvalues([t.pvalue for t in tests], "holm")
    )
    for row in rows:
        posterior = three.dominance("dirichlet", a=row.a, b=row.b)
        assert row.probability == posterior.probabilities.max()
        assert row.most_probable == posterior.statement
        assert row.established == (row.pvalue_adjusted < 0.05)


def test_the_table_against_a_baseline_and_on_some_metrics(three):
    rows = three.dominance("table", baseline="knn", metrics=["recall", "accuracy"], correction="bonferroni")
    assert [(row.a, row.b) for row in rows] == [("nb", "knn"), ("stump", "knn")]
    assert (rows.n_hypotheses, rows.correction) == (2, "bonferroni")
    assert all(row.metrics == ("recall", "accuracy") for row in rows)


def test_the_table_prints_and_becomes_a_frame(three):
    rows = three.dominance("table")
    assert str(rows).count("each part is significant") == 3
    n = sum(row.established for row in rows) or "none"
    assert f"is significant by itself for {n} of 3 pairs." in " ".join(str(rows).split())
    frame = rows.to_frame()
    assert " better " in frame["statement"][0]
    assert list(frame["a"]) == ["nb", "nb", "knn"]


class FailsAlways(GaussianNB):
    def fit(self, X, y):  # noqa: ARG002
        raise RuntimeError("no")


def test_a_pair_without_scores_is_undecided_and_the_others_are_not():
    models = {"nb": GaussianNB(), "broken": FailsAlways(), "knn": KNeighborsClassifier()}
    with pytest.warns(FitFailedWarning):
        rows = evaluate(models, cv=5, error_score=np.nan).dominance("table")
    assert [row.established is None for row in rows] == [True, False, True]
    assert rows.n_hypotheses == 1
    assert "MISSING_SCORES" in codes(rows[0])


# ---- Pareto front ---------------------------------------------------------------------------------------------


def test_the_front_of_a_result(three):
    front = three.pareto_front()
    assert front.names == three.estimators
    np.testing.assert_allclose(front.means, three.scores.mean(axis=1))
    for i, name in enumerate(front.names):
        others = np.delete(front.means, i, axis=0)
        beaten = ((others >= front.means[i]).all(axis=1) & (others > front.means[i]).any(axis=1)).any()
        assert (name in front.front()) == (not beaten)
    np.testing.assert_array_equal(front.probabilities, three.pareto_front().probabilities)


def test_the_front_knows_that_less_is_better_for_costs():
    rng = np.random.default_rng(0)
    scores = {"cheap": rng.normal([0.8, 1.0], 0.01, (10, 2)), "dear": rng.normal([0.8, 9.0], 0.01, (10, 2))}
    front = table(scores, ["accuracy", "fit_time"]).pareto_front(metrics=["fit_time"])
    assert front.front() == ("cheap",)
    assert front.means[1, 0] == pytest.approx(9, abs=0.1)


def test_the_front_takes_a_rope(three):
    assert three.pareto_front(margin=1.0).front() == three.estimators


# ---- joint procedures of test() -------------------------------------------------------------------------------


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("still", [1, -1])
@pytest.mark.parametrize("signs", [(0,), (1,), (1, -1), (-1, -1, 0), (1, 1, 1), (-1,), (0.1, 1), (-0.1, 1), (-0.1,)])
def test_the_p_of_all_metrics_is_known_where_the_claimed_model_is_not_ahead_on_one(signs, still, alternative, rng):
    """Also where one metric is not tested, as its differences do not vary: the largest p is then 0.5 at least."""
    columns = {f"m{i}": sign + (sign != 0) * stats.norm.ppf((np.arange(10) + 0.5) / 10) for i, sign in enumerate(signs)}
    scores, names = rng.random(10), ["still", *columns]
    frame = {"fold": [*range(10)] * 2 * len(names), "model": np.repeat(["a", "b"] * len(names), 10)}
    leads = np.array([np.full(10, still), *columns.values()])
    both = np.stack([scores + leads, np.tile(scores, (len(leads), 1))], axis=1)
    record = from_frame({**frame, "metric": np.repeat(names, 20), "score": both.ravel()}).test(
        "intersection_union_test", metric=names, alternative=alternative
    )
    every = np.array([still, *signs])
    behind = {"greater": every.min() <= 0, "less": every.max() >= 0}
    known = all(behind.values()) if alternative == "two-sided" else behind[alternative]
    assert np.isnan(record.pvalue) != known
    assert np.isnan(record.pvalues[0])
    assert ("not tested" in str(record)) != known
    against = still == {"greater": -1, "less": 1}.get(record.direction)
    if alternative != "two-sided" and known:
        assert record.pvalue == (1 if against else record.pvalues[1:].max()) >= 0.5
    elif known:
        assert record.pvalue == 1
    assert (record.weakest == "still") <= against


def test_a_joint_procedure_reads_metrics_and_test_fraction(three):
    a, b = (np.stack([three.score(name, metric) for metric in METRICS], axis=1) for name in ("nb", "knn"))
    assert three.test("hotelling").pvalue == inference.hotelling_test(a, b, test_fraction=0.1).pvalue
    some = three.test("intersection_union", metric=["roc_auc", "recall"], alternative="greater")
    expected = inference.intersection_union_test(a[:, [2, 1]], b[:, [2, 1]], test_fraction=0.1, alternative="greater")
    assert some.pvalue == expected.pvalue
    assert some.metrics == ("roc_auc", "recall")


def test_full_dominance_reads_the_effective_counts(three):
    record, test = three.test("full_dominance"), three.dominance()
    assert record.n_a == pytest.approx(test.counts[-1])
    assert record.n_b == pytest.approx(test.counts[0])
    assert record.n_effective == pytest.approx(test.n_effective)


def test_max_t_says_on_which_metrics_and_repeats_itself(three):
    record = three.test("max_t")
    assert record.metrics == tuple(METRICS)
    assert record.pvalues.tolist() == three.test("max_t").pvalues.tolist()
    single = three.test("max_t", metric=["accuracy"], n_resamples=20_000).pvalue
    # Monte Carlo: five standard errors
    expected = three.test("corrected_t", metric="accuracy").pvalue
    assert single == pytest.approx(expected, abs=5 * np.sqrt(expected * (1 - expected) / 20_000) + 1e-3)


def test_what_the_result_sets_cannot_be_set_twice(three):
    with pytest.raises(ValueError, match="is set by the design for 'hotelling_test'"):
        three.test("hotelling", test_fraction=0.2)
    with pytest.raises(ValueError, match=r"metrics must be given as metric=\[...\] for 'hotelling_test'"):
        three.test("hotelling", metrics=["accuracy"])
    with pytest.raises(ValueError, match="n_effective is no option"):
        three.test("full_dominance", n_effective=50)
    with pytest.raises(ValueError, match="alternative must be left out"):
        three.test("hotelling", alternative="greater")
    with pytest.raises(ValueError, match="metrics must be one of"):
        three.test("hotelling", metric=["acuracy"])
    with pytest.raises(ValueError, match="procedure must be a test of two models on one metric"):
        three.compare("hotelling")


def test_joint_procedures_speak_of_missing_scores():
    class FailsOnce(GaussianNB):
        def fit(self, X, y):
            if X[0, 0] != first:  # where the first sample is held out
                raise RuntimeError("no")
            return super().fit(X, y)

    first = DATA[0][0, 0]
    with pytest.warns(FitFailedWarning):
        result = evaluate({"nb": FailsOnce(), "knn": KNeighborsClassifier()}, cv=10, error_score=np.nan)
    assert np.isfinite(result.score("nb", "accuracy")).sum() == 9
    for record in (result.test("hotelling"), result.test("full_dominance"), result.dominance(), result.pareto_front()):
        assert "MISSING_SCORES" in codes(record)


def test_swapping_the_models_reverses_the_network_too(three):
    one, other = three.dominance("network"), three.dominance("network", a="knn", b="nb")
    assert one.statistic == pytest.approx(other.statistic)
    np.testing.assert_allclose(one.saturated_posterior.marginals, 1 - other.saturated_posterior.marginals)
    assert one.statement is None or one.statement == tuple(not bit for bit in other.statement)


def test_unanimous_folds_get_the_least_p_of_their_effective_cases():
    rng = np.random.default_rng(0)
    base = rng.normal(0.8, 0.01, (100, 2))
    record = table({"a": base + rng.uniform(0.1, 0.2, base.shape), "b": base}, ["x", "y"]).dominance()
    n = inference.effective_cases(100, 0.1)
    assert record.statement == (True, True)
    assert record.pvalue_exact == pytest.approx(2 * stats.beta.cdf(0.5, n, 1))
    assert record.pvalue == record.pvalue_midp < record.pvalue_exact
