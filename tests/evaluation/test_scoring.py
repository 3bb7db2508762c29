"""Scoring alone: equal to scikit-learn's functions, whatever the portions and the form in which predictions come."""

from __future__ import annotations

import warnings
import weakref
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as skm
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import make_scorer
from sklearn.model_selection import KFold, RepeatedKFold, ShuffleSplit

from skcompare import from_predictions
from skcompare.evaluation.metrics.scorers import MetricFunction
from skcompare.evaluation.metrics.scoring import (
    BATCHED,
    OWN_METRICS,
    FoldOutcome,
    Metric,
    Scoring,
    resolve_scoring,
)
from skcompare.evaluation.splits import splits_from_pairs
from skcompare.inference import metric_interval, paired_bootstrap, paired_metric_test

TOLERANCE = 1e-12
BINARY, MULTICLASS, REGRESSION = (
    [name for name, row in BATCHED.items() if task in row.tasks] for task in ("binary", "multiclass", "regression")
)
NAMES = ["a", "b"]


def score(scoring, y, splits, outcomes, task, *, portions=None):
    """The table, the splits given in some portions (lists of their numbers)."""
    metrics = resolve_scoring(scoring, task, {}) if not isinstance(scoring, tuple) else scoring
    scorer = Scoring(metrics, y, splits, task=task, names=NAMES[: len(outcomes[0])])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        for portion in [range(len(splits))] if portions is None else portions:
            scorer.add(portion, [outcomes[i] for i in portion])
        return scorer.table()


def assert_same_table(one, other):
    np.testing.assert_array_equal(one.scores, other.scores, strict=True)
    assert [metric.name for metric in one.metrics] == [metric.name for metric in other.metrics]
    assert one.ill_defined == other.ill_defined
    assert list(one.ill_defined) == list(other.ill_defined)
    assert list(one.failures.items()) == list(other.failures.items())


def encoded(outcome, classes):
    """The same outcome as a worker sends it, with labels as positions among the classes."""
    responses = dict(outcome.responses)
    labels = responses["predict"]
    codes = np.searchsorted(classes, labels).clip(max=len(classes) - 1)
    if not (classes[codes] == labels).all():
        return outcome
    responses["predict"] = codes.astype(np.min_scalar_type(len(classes) - 1))
    return FoldOutcome(responses=responses, errors=outcome.errors, encoded=True)


def classified(rng, y, labels, *, ties):
    """Labels and probabilities of a model with some skill, for true classes given as positions."""
    evidence = rng.normal(size=(len(y), len(labels)))
    evidence[np.arange(len(y)), y] += 1
    proba = np.exp(evidence)
    proba /= proba.sum(axis=1, keepdims=True)
    if ties:
        proba = rng.multinomial(4, proba) / 4
    scores = proba[:, 1].copy() if len(labels) == 2 else proba
    return FoldOutcome(responses={"predict": np.array(labels)[proba.argmax(axis=1)], "predict_proba": scores})


def drawn(labels, n_test, n_folds, seed, *, ties=False, repeats=2):
    """A target, splits, and what two models predicted on them."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, len(labels), n_test * n_folds)
    y[: len(labels)] = np.arange(len(labels))
    splitter = RepeatedKFold(n_splits=n_folds, n_repeats=repeats, random_state=seed)
    splits = splits_from_pairs(splitter.split(y), len(y))
    outcomes = [[classified(rng, y[test], labels, ties=ties) for _ in NAMES] for _, test in splits]
    return np.array(labels)[y], splits, outcomes


def negative_of(y, positive):
    return next(c for c in np.unique(y) if c != positive)


# What metrics must equal that scikit-learn has no scorer of: true and predicted values, and the positive class.
OWN = {
    "specificity": lambda y, p, positive: skm.recall_score(y, p, pos_label=negative_of(y, positive)),
    "false_alarm_rate": lambda y, p, positive: 1 - skm.recall_score(y, p, pos_label=negative_of(y, positive)),
}


def reference(name, y_true, outcome, positive):
    """scikit-learn's value of one metric on one fold."""
    labels, proba = outcome.responses["predict"], outcome.responses.get("predict_proba")
    if name in OWN:
        return OWN[name](y_true, labels, positive)
    if name in REGRESSION:
        scorer = skm.get_scorer(name)
        return scorer._sign * scorer._score_func(y_true, labels)
    if name.startswith("roc_auc"):
        return skm.roc_auc_score(y_true, proba, **({"multi_class": "ovr"} if proba.ndim == 2 else {}))
    if name == "accuracy":
        return skm.accuracy_score(y_true, labels)
    which, _, how = name.partition("_")
    functions = {"precision": skm.precision_score, "recall": skm.recall_score, "f1": skm.f1_score}
    assert which in functions, f"OWN must say what {name} equals"
    function = functions[which]
    options = {"average": how} if how else {"pos_label": positive}
    return function(y_true, labels, zero_division=0, **options)


def assert_equals_scikit_learn(table, y, splits, outcomes, positive=1):
    for m, metric in enumerate(table.metrics):
        for i, (_, test) in enumerate(splits):
            for e, outcome in enumerate(outcomes[i]):
                expected = reference(metric.name, y[test], outcome, positive)
                assert table.scores[e, i, m] == pytest.approx(expected, rel=TOLERANCE, abs=TOLERANCE), (metric.name, i)


def test_every_batched_metric_is_compared_with_another_function():
    assert set(BATCHED) == {*BINARY, *MULTICLASS, *REGRESSION}
    assert set(OWN) == set(OWN_METRICS)


# ---- equality ---------------------------------------------------------------------------------------------------


@given(st.integers(0, 2**32 - 1), st.integers(20, 60), st.booleans())
def test_binary_scores_equal_scikit_learns(seed, n_test, ties):
    y, splits, outcomes = drawn([0, 1], n_test, 3, seed, ties=ties, repeats=1)
    if min(len(np.unique(y[test])) for _, test in splits) == 2:
        assert_equals_scikit_learn(score(BINARY, y, splits, outcomes, "binary"), y, splits, outcomes)


@given(st.integers(0, 2**32 - 1), st.integers(3, 6), st.booleans())
def test_multiclass_scores_equal_scikit_learns(seed, n_classes, ties):
    y, splits, outcomes = drawn([*range(n_classes)], 50, 2, seed, ties=ties, repeats=1)
    if min(len(np.unique(y[test])) for _, test in splits) == n_classes:
        assert_equals_scikit_learn(score(MULTICLASS, y, splits, outcomes, "multiclass"), y, splits, outcomes)


@pytest.mark.sampled
@pytest.mark.parametrize("n_test", [1_000, 4_096, 40_000])
@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("labels", [[0, 1], ["ash", "birch", "oak"]])
def test_large_folds_equal_scikit_learns(labels, ties, n_test):
    y, splits, outcomes = drawn(labels, n_test, 2, n_test, ties=ties, repeats=1)
    task, scoring = ("binary", BINARY) if len(labels) == 2 else ("multiclass", MULTICLASS)
    assert_equals_scikit_learn(score(scoring, y, splits, outcomes, task), y, splits, outcomes)


ODD_SCORES = {
    "both zeros": lambda rng, n: rng.choice([-0.0, 0.0, 1.0, -1.0], n),
    "equal in single precision": lambda rng, n: 0.5 + rng.integers(0, 9, n) * 2.0**-50,
    "beyond single precision": lambda rng, n: rng.choice([-1e300, -1e200, 1e-300, 5e-324, 1e200, 1e300], n),
    "of both signs": lambda rng, n: rng.normal(size=n) * 10.0 ** rng.integers(-30, 30, n),
    "nearly constant": lambda rng, n: np.where(rng.random(n) < 0.001, 1.0, 0.0),
    "constant": lambda _, n: np.zeros(n),
    "of single precision": lambda rng, n: rng.normal(size=n).astype(np.float32),
    "of half precision": lambda rng, n: rng.normal(size=n).astype(np.float16),
    "sorted": lambda rng, n: np.sort(rng.normal(size=n)),
}


@pytest.mark.parametrize("n_test", [30, 5_000])
@pytest.mark.parametrize("kind", ODD_SCORES)
def test_odd_scores_are_ranked_as_scikit_learn_ranks_them(rng, kind, n_test):
    y = np.arange(2 * n_test) % 2
    splits = splits_from_pairs(KFold(2, shuffle=True).split(y), len(y))
    outcomes = [[FoldOutcome(responses={"decision_function": ODD_SCORES[kind](rng, n_test)})] for _ in splits]
    table = score(["roc_auc"], y, splits, outcomes, "binary")
    for i, (_, test) in enumerate(splits):
        expected = skm.roc_auc_score(y[test], outcomes[i][0].responses["decision_function"].astype(np.float64))
        assert table.scores[0, i, 0] == pytest.approx(expected, rel=0, abs=TOLERANCE)


# ---- portions ---------------------------------------------------------------------------------------------------


def awkward(labels, seed):
    """Folds of several sizes with everything that leads away from the ordinary path."""
    y, splits, outcomes = drawn(labels, 17, 5, seed, repeats=3)
    n = len(splits)
    outcomes[1][0] = FoldOutcome(errors={"fit": "Traceback: no"})
    outcomes[2][1] = FoldOutcome(errors={"predict": "Traceback: no"}, responses={})
    outcomes[n - 1][0].responses["predict"] = outcomes[n - 1][0].responses["predict"].astype(object)
    outcomes[n - 2][0].responses["predict_proba"][0] = np.nan
    outcomes[4][1].responses["predict"] = np.full_like(outcomes[4][1].responses["predict"], labels[0])
    stranger = outcomes[5][0].responses["predict"]
    outcomes[5][0].responses["predict"] = np.where(np.arange(len(stranger)) < 2, labels[-1] * 2, stranger)
    return y, splits, outcomes


CASES = {
    "binary": (awkward, [0, 1], "binary", [*BINARY, "fit_time"]),
    "strings": (awkward, ["no", "yes"], "binary", BINARY),
    "multiclass": (awkward, [0, 1, 2, 3], "multiclass", [*MULTICLASS, "precision"]),
    "many classes": (awkward, [*range(12)], "multiclass", MULTICLASS),
}


@given(data=st.data(), case=st.sampled_from(sorted(CASES)))
def test_portions_and_order_change_no_bit(data, case):
    make, labels, task, scoring = CASES[case]
    y, splits, outcomes = make(labels, data.draw(st.integers(0, 2**32 - 1)))
    whole = score(scoring, y, splits, outcomes, task)
    assert len(whole.failures) > 2
    assert_same_table(whole, score(scoring, y, splits, outcomes, task, portions=portions(data, len(splits))))


def portions(data, n_splits):
    order = data.draw(st.permutations(range(n_splits)))
    cuts = sorted(data.draw(st.sets(st.integers(1, n_splits - 1))))
    return [order[start:stop] for start, stop in zip([0, *cuts], [*cuts, n_splits], strict=True)]


@given(data=st.data(), n_test=st.integers(2, 40))
def test_portions_change_no_bit_of_regression_scores(data, n_test):
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    y = rng.normal(size=5 * n_test + 3)
    splits = splits_from_pairs(KFold(5).split(y), len(y))
    dtypes = (np.float64, np.float32, np.int64)
    made = [[(9 * rng.normal(size=len(test))).astype(d) for d in (np.float64, dtypes[i % 3])] for i, (_, test) in
            enumerate(splits)]  # fmt: skip
    outcomes = [[FoldOutcome(responses={"predict": values}) for values in of_fold] for of_fold in made]
    whole = score(REGRESSION, y, splits, outcomes, "regression")
    assert_same_table(whole, score(REGRESSION, y, splits, outcomes, "regression", portions=portions(data, 5)))
    assert_equals_scikit_learn(whole, y, splits, outcomes)


@pytest.mark.parametrize("case", CASES)
def test_encoded_labels_change_no_bit(case):
    make, labels, task, scoring = CASES[case]
    y, splits, outcomes = make(labels, 3)
    classes = np.unique(y)
    as_codes = [[encoded(o, classes) if "predict" in o.responses else o for o in of_fold] for of_fold in outcomes]
    assert sum(outcome.encoded for of_fold in as_codes for outcome in of_fold) > len(splits)
    plain, compact = (score(scoring, y, splits, form, task) for form in (outcomes, as_codes))
    np.testing.assert_array_equal(compact.scores, plain.scores, strict=True)
    assert compact.ill_defined == plain.ill_defined
    assert list(compact.failures) == list(plain.failures)


def test_folds_larger_than_a_block_and_random_splits_are_scored_in_any_portion(rng):
    y = rng.integers(0, 2, 60_000)
    splits = splits_from_pairs(ShuffleSplit(3, test_size=40_000, random_state=0).split(y), len(y))
    outcomes = [[classified(rng, y[test], [0, 1], ties=False)] for _, test in splits]
    whole = score(["accuracy", "f1", "roc_auc"], y, splits, outcomes, "binary")
    assert_equals_scikit_learn(whole, y, splits, outcomes)
    parts = score(["accuracy", "f1", "roc_auc"], y, splits, outcomes, "binary", portions=[[2], [0, 1]])
    assert_same_table(whole, parts)


def test_labels_of_another_kind_in_one_fold_are_not_taken_for_those_of_the_others():
    y = np.array(["1", "2"] * 6)
    splits = splits_from_pairs(KFold(3).split(y), len(y))
    outcomes = [[FoldOutcome(responses={"predict": y[test].copy()})] for _, test in splits]
    outcomes[1][0].responses["predict"] = y[splits.held_out(1)].astype(int)
    table = score(["accuracy"], y, splits, outcomes, "binary")
    right = [0, 2] if (0, 1, "accuracy") in table.failures else [0]
    assert (table.scores[0, right, 0] == 1).all()
    assert table.scores[0, 1, 0] != 1  # scikit-learn refuses, or calls all of them wrong


def test_nothing_of_the_predictions_is_kept():
    y, splits, outcomes = drawn([0, 1], 20, 3, 0)
    scorer = Scoring(resolve_scoring(BINARY, "binary", {}), y, splits, task="binary", names=NAMES)
    scorer.add(range(len(splits)), outcomes)
    alive = [weakref.ref(array) for of_fold in outcomes for outcome in of_fold for array in outcome.responses.values()]
    del outcomes
    assert not any(reference() is not None for reference in alive)
    assert np.isfinite(scorer.table().scores).all()


def test_a_table_before_all_splits_are_scored_is_refused():
    y, splits, outcomes = drawn([0, 1], 10, 3, 0)
    with pytest.raises(RuntimeError, match="5 splits are not scored; the first is 0"):
        score(["accuracy"], y, splits, outcomes, "binary", portions=[[3]])


# ---- scorers, costs, failures -------------------------------------------------------------------------------------


def scored_by_callable(answers):
    y = np.arange(2 * len(answers)) % 2
    splits = splits_from_pairs(KFold(len(answers)).split(y), len(y))
    outcomes = [
        [FoldOutcome(errors={"score": "Traceback: no"} if answer is None else {}, scored=answer)] for answer in answers
    ]
    metrics = (Metric(name="score", kind="scorer", source=len),)
    return partial(score, metrics, y, splits, outcomes, "binary")


@pytest.mark.parametrize("order", [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2]])
def test_the_first_dict_of_a_callable_names_the_columns_in_whatever_order_it_comes(order):
    run = scored_by_callable([None, {"p": 1.0, "n_parameters": 2}, {"n_parameters": 4, "p": 3}, {"q": 5}])
    table = run(portions=[[i] for i in order])
    assert [(metric.name, metric.greater_is_better) for metric in table.metrics] == [
        ("p", True),
        ("n_parameters", False),
    ]
    np.testing.assert_array_equal(table.scores[0], [[np.nan] * 2, [1, 2], [3, 4], [np.nan] * 2])
    assert [key[1:] for key in table.failures] == [(0, "p"), (3, "p"), (0, "n_parameters"), (3, "n_parameters")]
    assert table.failures[0, 3, "p"][1].endswith("scoring must return a number for 'p'; got None")


@pytest.mark.parametrize("answer", [{}, "high", 1j, [1.0], float])
def test_an_answer_that_is_no_number_is_a_failure(answer):
    table = scored_by_callable([0.5, answer])()
    assert table.scores[0, :, 0].tolist() == [0.5, pytest.approx(np.nan, nan_ok=True)]
    assert "scoring must return a number for 'score'; got " in table.failures[0, 1, "score"][1]


def test_undefined_metrics_are_counted_over_all_portions_and_said_once():
    y, splits, outcomes = drawn([0, 1], 15, 4, 1, repeats=1)
    for of_fold in outcomes:
        of_fold[1].responses["predict"] = np.zeros_like(of_fold[1].responses["predict"])
    metrics = resolve_scoring(["accuracy", "precision"], "binary", {})
    scorer = Scoring(metrics, y, splits, task="binary", names=NAMES)
    for i in (2, 0, 3, 1):
        scorer.add([i], [outcomes[i]])
    with pytest.warns(UndefinedMetricWarning, match="precision of 'b' is ill-defined on 4 of 4 folds") as record:
        assert scorer.table().ill_defined == {"b": {"precision": 4}}
    assert len(record) == 1


@pytest.mark.parametrize(
    "parts", [{"function": "get_scorer"}, {"function": "system"}, {"options": {"alpha": [0.5]}}, {"function": "auc"}]
)
def test_of_a_file_only_metrics_of_scikit_learn_are_taken(parts):
    known = MetricFunction(skm.make_scorer(skm.mean_pinball_loss, alpha=0.9, greater_is_better=False)).to_parts()
    assert MetricFunction.from_parts(**known).to_parts() == known
    with pytest.raises(ValueError, match="function must be a metric of scikit-learn with plain options"):
        MetricFunction.from_parts(**{**known, **parts})
    assert MetricFunction(skm.make_scorer(max)).to_parts() is None


def test_an_unknown_name_is_quoted_however_many_are_known(monkeypatch):
    monkeypatch.setattr("skcompare.evaluation.metrics.scoring.OWN_METRICS", tuple(f"metric_{i}" for i in range(99)))
    with pytest.raises(ValueError, match="got 'zzz'"):
        resolve_scoring("zzz", None, {})


OF_ROWS = {
    "max_error": {},
    "median_absolute_error": {},
    "explained_variance_score": {},
    "root_mean_squared_log_error": {},
    "mean_pinball_loss": {"alpha": 0.8},
    "r2_score": {},
    "d2_absolute_error_score": {},
    "d2_tweedie_score": {"power": 1.5},
    "mean_tweedie_deviance": {"power": 2.5},
}


@pytest.mark.parametrize("name", OF_ROWS)
@pytest.mark.parametrize("kind", ["numbers", "counts", "few", "clusters"])
def test_functions_of_numbers_are_computed_on_rows_as_scikit_learn_does_one_by_one(name, kind, rng):
    """Exchanges and bootstrap samples of 500 numbers took 7 to 22 seconds."""
    n, clusters = (9 if kind == "few" else 60), np.arange(60) // 4 if kind == "clusters" else None
    y = rng.gamma(2, 3, n) + 0.1
    a, b = (y * np.exp(rng.normal(0, spread, n)) for spread in (0.3, 0.4))
    b[:2] = a[:2]
    if kind == "counts":
        y, a, b = (np.ceil(x).astype(int) for x in (y, a, b))
    function = getattr(skm, name)
    known = MetricFunction(make_scorer(function, greater_is_better=name.endswith("score"), **OF_ROWS[name]))
    rows = [rng.integers(n, size=(5, n)) for _ in range(2)]
    each = [known(y[i], a[j]) for i, j in zip(*rows, strict=True)]
    assert known.of_rows(y[rows[0]], a[rows[1]]) == pytest.approx(each, rel=1e-12, abs=1e-12)

    def called(true, predicted):
        return known(true, predicted)

    options = {"n_resamples": 99, "rng": 3, "clusters": clusters}
    for test in (paired_metric_test, paired_bootstrap):
        one, other = (test(y, a, b, metric, **options) for metric in (known, called))
        for what in ("estimate", "pvalue", "standard_error"):
            assert getattr(one, what) == pytest.approx(getattr(other, what), rel=1e-9, nan_ok=True), what
    ends = [(x.low, x.high) for x in (one.confidence_interval(), other.confidence_interval())]  # of the bootstrap
    assert ends[0] == pytest.approx(ends[1], rel=1e-9, abs=1e-12)
    ends = [metric_interval(y, a, metric, **options).confidence_interval() for metric in (known, called)]
    assert (ends[0].low, ends[0].high) == pytest.approx((ends[1].low, ends[1].high), rel=1e-9, abs=1e-12)


def test_a_function_that_no_rows_are_known_of_is_called(rng):
    y = rng.gamma(2, 3, 20)
    asked = [make_scorer(skm.d2_tweedie_score, power=0.5), make_scorer(skm.f1_score)]
    asked.append(make_scorer(skm.mean_absolute_error, sample_weight=y))
    assert [MetricFunction(scorer).of_rows for scorer in asked] == [None] * 3
    largest = MetricFunction(make_scorer(skm.max_error))
    single = paired_metric_test(y.astype(np.float32), y + 1, y + 2, largest, n_resamples=50, rng=0)
    assert single.estimate == pytest.approx(-1, rel=1e-5)


AVERAGED = (skm.fbeta_score, skm.f1_score, skm.precision_score, skm.recall_score, skm.jaccard_score)
OF_LABELS = [(function, average) for function in AVERAGED for average in ("binary", "macro", "weighted", "micro")]
OF_LABELS += [(skm.cohen_kappa_score, weights) for weights in (None, "linear", "quadratic")]


@pytest.mark.sampled
@pytest.mark.parametrize(("function", "option"), OF_LABELS)
@pytest.mark.parametrize("names", [[0, 1, 2], ["no", "yes", "so"], [-1, 1, 5]])
def test_metrics_of_labels_are_computed_from_counts(names, function, option, rng, monkeypatch):
    """A pair on 500 samples took 50 to 60 seconds under F beta, and 172 under the weighted kappa."""
    n, k = 50, 2 if option == "binary" else 3
    y, a, b = (np.array(names)[codes] for codes in rng.integers(k, size=(3, n)))
    options = {"weights": option} if function is skm.cohen_kappa_score else {"average": option}
    options |= {"beta": rng.uniform(0.2, 4)} if function is skm.fbeta_score else {}
    options |= {"pos_label": np.array(names)[rng.integers(2)].item()} if option == "binary" else {}
    options |= {"zero_division": 1} if "average" in options and rng.random() < 0.5 else {}
    known = MetricFunction(make_scorer(function, **options))
    classes, tables = sorted(names[:k]), rng.integers(9, size=(40, k, k)) + np.eye(k, dtype=int)
    pairs = [
        np.repeat(np.array([(x, z) for x in classes for z in classes]), table.ravel(), axis=0).T for table in tables
    ]
    assert known.of_tables(tables.astype(float), classes) == pytest.approx([known(*one) for one in pairs], rel=1e-12)
    calls = []

    def own(true, predicted):
        calls.append(1)
        return known(true, predicted)

    of = {"n_resamples": 60, "rng": 1}
    for test in (paired_metric_test, paired_bootstrap):
        calls.clear()
        fast, counted = (test(y, a, b, metric, **of) for metric in (known, own))
        n_calls = len(calls)
        with monkeypatch.context() as patch:
            patch.setattr("skcompare.inference.outcomes.predictions._MOST_CELLS", 0)
            slow = test(y, a, b, own, **of)
        for one in (fast, counted):
            assert (one.estimate, one.pvalue) == pytest.approx((slow.estimate, slow.pvalue), rel=1e-9)
            if test is paired_bootstrap:
                assert one.distribution == pytest.approx(slow.distribution, rel=1e-9, abs=1e-12)
                ends = [(x.low, x.high) for x in (one.confidence_interval(), slow.confidence_interval())]
                np.testing.assert_allclose(*ends, atol=1e-12)
        assert n_calls <= len(calls)
    for unknown in ({"labels": [1]}, {"average": "samples"}, {"weights": "cubic", "labels": [1]}):
        assert MetricFunction(make_scorer(function, **{**options, **unknown})).of_tables is None


@pytest.mark.parametrize("clusters", [None, 12])
def test_a_metric_that_reads_the_order_of_the_samples_is_not_computed_from_counts(rng, clusters):
    """As one with weights of its own samples: those of sorted labels would be of others."""
    y, a, b = rng.integers(2, size=(3, 60))
    weights, seen = rng.random(60), []

    def weighted(true, predicted):
        seen.append(true.copy())
        return float(np.average(true == predicted, weights=weights))

    clusters = None if clusters is None else np.arange(60) % clusters
    found = paired_metric_test(y, a, b, weighted, n_resamples=200, rng=0, clusters=clusters)
    assert found.estimate == pytest.approx(weighted(y, a) - weighted(y, b))
    assert sum((one == y).all() for one in seen) > 200


@pytest.mark.parametrize("n", [300, 3_000])
def test_a_metric_of_counts_is_called_a_few_times_whatever_the_number_of_samples(n, rng):
    """Resamples are scored by their counts; own functions, which may read more, are called."""
    y = rng.integers(3, size=n)
    a, b = (np.where(rng.random(n) < 0.6, y, rng.integers(3, size=n)) for _ in "ab")
    calls = []

    def counted(function):
        def called(*given):
            calls.append(given)
            return function(*given)

        return called

    kappa = make_scorer(skm.cohen_kappa_score, weights="quadratic")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(MetricFunction, "__call__", counted(MetricFunction.__call__))
        str(from_predictions(y, {"a": a, "b": b}, scoring=kappa))
    assert len(calls) < 20
