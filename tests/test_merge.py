"""Results that were made apart are one result."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.metrics import accuracy_score, f1_score, fbeta_score, make_scorer, precision_score
from sklearn.model_selection import RepeatedStratifiedKFold, ShuffleSplit, StratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skcompare as skc
from skcompare import RunOptions

pytestmark = [
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning"),
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning"),
]
X, Y = make_classification(n_samples=120, n_features=5, flip_y=0.2, random_state=0)
METRICS = ("accuracy", "roc_auc", "f1")


class Moody(GaussianNB):
    """Cannot be fitted where the first training sample is the second of all."""

    def fit(self, X, y):
        if X[0, 0] == FIRST:
            raise RuntimeError("not today")
        return super().fit(X, y)


class Sometimes(GaussianNB):
    """Cannot be fitted once, while it shall fail."""

    def fit(self, X, y):
        if FAILING and FAILING.pop():
            raise RuntimeError("not today")
        return super().fit(X, y)


FIRST, FAILING = X[1, 0], []
MODELS = {
    "nb": GaussianNB(),
    "tree": DecisionTreeClassifier(max_depth=2),
    "moody": Moody(),
    "sometimes": Sometimes(),
    "dummy": DummyClassifier(strategy="most_frequent"),
    "dummynb": DummyClassifier(strategy="stratified"),
    "dummytree": DummyClassifier(strategy="uniform"),
    "dummymoody": DummyClassifier(strategy="prior"),
}


def evaluate(names=("nb", "tree", "moody", "dummy"), scoring=METRICS, cv="2x5", seed=0, y=Y, data=X, **options):
    models = {name: MODELS[name] for name in names}
    given = scoring if isinstance(scoring, str) else list(scoring)
    evaluator = skc.PairedEvaluator(cv=cv, scoring=given, random_state=seed, error_score=np.nan, **options)
    return evaluator.evaluate(models, data, y)


def everything(result):
    """All that an evaluation measured and says, but for its times and where it came from."""
    kept = {} if result._scores.kept_predictions is None else result._scores.kept_predictions.to_arrays()
    return {
        "scores": result.scores.tobytes(),
        "names": (result.estimators, result.metrics, result.greater_is_better),
        "design": result.design,
        "failures": result.failures,
        "kind": (result.details.task, result.details.positive_class, result._scores.single_metric),
        "ill_defined": result.details.ill_defined,
        "warnings": result.warnings,
        "predictions": {name: (array.dtype, array.shape, array.tolist()) for name, array in kept.items()},
        "summary": result.summary(detail="full"),
        "methods": str(result.methods_text()),
        "answer": str(result.answer()),
    }


def assert_same(merged, at_once):
    one, other = everything(merged), everything(at_once)
    for name in one:
        assert one[name] == other[name], name


def halves(how):
    """Parts of an evaluation, and the whole."""
    if how == "models":
        return [evaluate(("nb", "moody")), evaluate(("tree", "dummy"))], evaluate(("nb", "moody", "tree", "dummy"))
    if how == "metrics":
        return [evaluate(scoring="roc_auc"), evaluate(scoring=["f1", "accuracy"])], evaluate(
            scoring=["roc_auc", "f1", "accuracy"]
        )
    names = ("nb", "moody", "dummy")  # without a seed of their own, so that the number of the split does not matter
    pairs = list(RepeatedStratifiedKFold(n_splits=4, n_repeats=3, random_state=0).split(X, Y))
    return [evaluate(names, cv=part) for part in (pairs[:4], pairs[4:])], evaluate(names, cv=pairs)


@pytest.mark.sampled
@pytest.mark.parametrize("how", ["models", "metrics", "repeats"])
def test_parts_and_the_whole_are_the_same(how, tmp_path):
    parts, whole = halves(how)
    merged = skc.merge(*parts)
    assert_same(merged, whole)
    assert whole.failures
    assert len(merged.provenance["merged"]) == 2
    merged.save(tmp_path / "merged.skc")
    assert_same(skc.load(tmp_path / "merged.skc"), whole)
    np.testing.assert_array_equal(skc.load(tmp_path / "merged.skc").details.fit_times, merged.details.fit_times)


@pytest.mark.parametrize("how", ["models", "metrics", "repeats"])
def test_the_other_order_gives_the_same_up_to_order(how):
    parts, _ = halves(how)
    one, other = skc.merge(*parts), skc.merge(*parts[::-1])
    for model in one.estimators:
        for metric in one.metrics:
            np.testing.assert_array_equal(np.sort(one.score(model, metric)), np.sort(other.score(model, metric)))
    assert one.details.ill_defined == other.details.ill_defined
    assert (set(one.estimators), set(one.metrics)) == (set(other.estimators), set(other.metrics))
    assert {(f.estimator, f.metric) for f in one.failures} == {(f.estimator, f.metric) for f in other.failures}
    assert len(one.failures) == len(other.failures)


def test_models_and_metrics_in_another_order_are_found_by_name():
    tidy = evaluate(("nb", "tree"), scoring=["accuracy", "f1"])
    more = skc.merge(tidy, evaluate(("tree", "nb"), scoring="roc_auc"))
    assert_same(more, evaluate(("nb", "tree"), scoring=["accuracy", "f1", "roc_auc"]))
    swapped = skc.merge(tidy, evaluate(("dummy", "moody"), scoring=["f1", "accuracy"]))
    np.testing.assert_array_equal(swapped.score("dummy", "f1"), evaluate().score("dummy", "f1"))


def test_many_results_are_merged_at_once_or_one_by_one():
    parts = [evaluate((name, "dummy" + name), scoring="accuracy") for name in ("nb", "tree", "moody")]
    one_by_one = skc.merge(skc.merge(parts[0], parts[1]), parts[2])
    assert_same(one_by_one, skc.merge(*parts))
    assert one_by_one.provenance == skc.merge(*parts).provenance
    assert len(one_by_one.provenance["merged"]) == 3


@pytest.mark.parametrize("how", ["models", "metrics"])
def test_a_merged_result_is_verified(how):
    """All that its fits need is known; of repeats the seeds of the fits are not."""
    parts = {
        "models": [evaluate(("nb", "tree")), evaluate(("dummy", "dummynb"))],
        "metrics": [evaluate(("nb", "tree"), scoring=[name]) for name in ("f1", "accuracy")],
    }[how]
    assert skc.verify(skc.merge(*parts), X, Y).outcome == "identical"


def test_a_merged_result_of_repeats_or_seeds_is_not_verified():
    pair = ("nb", "tree")
    repeats = skc.merge(evaluate(pair), evaluate(pair, seed=1))
    assert repeats.design.name == "4x5 cross-validation"
    assert repeats.provenance["cv"] == "4x5"
    assert repeats._scores.seed == 0
    found = skc.verify(repeats, X, Y)
    assert found.outcome == "unverified"
    assert any("merged of repeats" in why for why in found.reasons)


def test_more_repeats_are_the_usual_workflow():
    """What was run with one seed is carried on with another, and every view of the result works."""
    pair = ("nb", "tree")
    few, more = evaluate(pair), evaluate(pair, seed=1)
    merged = skc.merge(few, more)
    np.testing.assert_array_equal(merged.scores, np.concatenate([few.scores, more.scores], axis=1))
    np.testing.assert_array_equal(
        merged.details.fit_times, np.concatenate([few.details.fit_times, more.details.fit_times], axis=1)
    )
    assert "4x5 cross-validation" in merged.summary()
    assert "stratified" in str(merged.methods_text())
    of_table = skc.from_frame(merged.to_frame()).test()
    assert replace(of_table, warnings=merged.test().warnings) == merged.test()
    assert [part.repeat for part in merged.predictions("nb")] == sorted(list(range(4)) * 5)


def test_fits_that_failed_on_some_metrics_alone_are_failures_of_these():
    """A fit that failed in one run, not in the other, leaves the scores of the other."""
    cv = StratifiedKFold(4)
    FAILING.append(True)
    with pytest.warns(FitFailedWarning, match="1 of 8 fits failed"):
        failed = evaluate(("nb", "sometimes"), scoring="f1", cv=cv)
    merged = skc.merge(evaluate(("nb", "sometimes"), scoring="accuracy", cv=cv), failed)
    assert {failure.metric for failure in merged.failures} == {"f1"}
    assert np.isfinite(merged.score("sometimes", "accuracy")).all()
    assert "'sometimes' failed on 1 of 4 splits" in " ".join(merged._scores.score_warnings("f1", "sometimes"))
    assert merged._scores.score_warnings("accuracy", "sometimes") == ()


def test_without_predictions_in_one_there_are_none_in_the_merged():
    merged = skc.merge(
        evaluate(("nb", "tree")), evaluate(("dummy", "dummynb"), options=RunOptions(keep_predictions=False))
    )
    assert merged._scores.kept_predictions is None
    assert merged.warnings == ()  # the targets are the same by their digest


def test_results_of_other_tools_are_merged_on_trust_that_the_data_are_the_same():
    dicts = {
        name: cross_validate(model, X, Y, cv=StratifiedKFold(5), return_indices=True)
        for name, model in MODELS.items()
        if name != "moody"
    }
    pair = skc.from_cross_validate({name: dicts[name] for name in ("nb", "tree")}, scoring="accuracy")
    ours = evaluate(("dummy", "moody"), scoring="accuracy", cv=StratifiedKFold(5))
    merged = skc.merge(pair, ours)
    assert [warning.code for warning in merged.warnings] == ["ASSUMED"]
    np.testing.assert_array_equal(merged.score("dummy", "accuracy"), dicts["dummy"]["test_score"])
    assert merged.details.task == "binary"


def test_models_of_other_data_are_merged_with_a_caution_that_every_view_has(rng):
    one, other = X.copy(), X.copy()
    one[rng.integers(120), rng.integers(5)] += 1
    same_class = np.flatnonzero(rng.integers(2) == Y)
    other[same_class] = X[rng.permutation(same_class)]  # no target tells
    first = evaluate(("nb",), scoring="accuracy", cv="2x5")
    for data in (one, other, X[:, :3]):
        merged = skc.merge(first, evaluate(("tree",), scoring="accuracy", cv="2x5", data=data))
        assert [warning.code for warning in merged.warnings] == ["ASSUMED"]
        for said in (merged.summary(), str(merged.explain()), merged.to_markdown()):
            assert "X of result 1 and result 2 differ by their digests" in " ".join(said.split())
        reasons = skc.verify(merged, X, Y).reasons
        assert "it was merged of results on different data" in reasons
        assert not any("that of the result" in why for why in reasons)
    assert skc.merge(first, evaluate(("tree",), scoring="accuracy", cv="2x5")).warnings == ()


TRUTH = np.random.default_rng(0).integers(0, 2, 200)
PREDICTED = {
    name: np.where(np.random.default_rng(i).random(200) < share, TRUTH, 1 - TRUTH)
    for i, (name, share) in enumerate({"a": 0.9, "b": 0.8, "c": 0.7, "d": 0.85}.items())
}
SAMPLES = {"sample_id": np.arange(200), "clusters": np.repeat(np.arange(40), 5)}


@pytest.mark.sampled
@pytest.mark.parametrize("known", [{}, SAMPLES], ids=["bare", "ids and clusters"])
def test_predictions_on_one_test_set_are_merged(known, tmp_path):
    def of(names, scoring=("accuracy", "f1")):
        predicted = {name: PREDICTED[name] for name in names}
        return skc.from_predictions(TRUTH, predicted, scoring=list(scoring), **known)

    merged = skc.merge(of("ab"), of("cd"))
    assert_same(merged, of("abcd"))
    assert_same(skc.merge(of("ab", ["f1"]), of("ab", ["accuracy"])), of("ab", ["f1", "accuracy"]))
    merged.save(tmp_path / "merged.skc")
    assert_same(skc.load(tmp_path / "merged.skc"), of("abcd"))


def test_outcomes_of_items_are_merged_by_the_names_of_the_items(tmp_path):
    def of(names):
        return skc.from_outcomes(
            {name: 1.0 * (PREDICTED[name] == TRUTH) for name in names}, sample_id=SAMPLES["sample_id"]
        )

    merged = skc.merge(of("ab"), of("cd"))
    assert_same(merged, of("abcd"))
    merged.save(tmp_path / "merged.skc")
    assert_same(skc.load(tmp_path / "merged.skc"), of("abcd"))


def test_one_test_set_without_predictions_is_one_score(tmp_path):
    """A single split that came as a score, or whose predictions were not kept, is no sample of cases."""
    cv = ShuffleSplit(1, test_size=40, random_state=0)
    without = evaluate(("nb", "tree"), cv=cv, options=RunOptions(keep_predictions=False))
    table = {name: cross_validate(MODELS[name], X, Y, cv=cv, return_indices=True) for name in ("nb", "tree")}
    half = skc.merge(
        evaluate(("nb", "tree"), cv=cv),
        evaluate(("dummy", "dummynb"), cv=cv, options=RunOptions(keep_predictions=False)),
    )
    for result in (without, skc.from_cross_validate(table), half):
        assert result.design.kind == "folds"
        outcomes = {(row.outcome.tested, row.pvalue == row.pvalue) for row in result.compare()}
        assert outcomes == {(False, False)}
        assert result.summary().startswith("No model can be named")
        result.save(tmp_path / "one.skc")
        assert skc.load(tmp_path / "one.skc").design == result.design


def test_what_renamed_metrics_are_is_known_of_a_merged_result():
    y = np.where(Y == 1, "yes", "no")
    cv = [(np.arange(0, len(Y), 2), np.arange(1, len(Y), 2))]
    parts = [
        skc.PairedEvaluator(cv=cv, scoring=scoring, random_state=0).evaluate(
            {n: MODELS[n] for n in ("nb", "tree")}, X, y
        )
        for scoring in ({"hits": "recall", "f1": "recall_macro"}, ["accuracy", "recall", "recall_macro"])
    ]
    merged = skc.merge(*parts)
    assert merged._scores.read_as == {
        "hits": "recall",
        "f1": "recall_macro",
        "accuracy": "accuracy",
        "recall": "recall",
        "recall_macro": "recall_macro",
    }
    rows = {row.metric: row for row in merged.compare()}
    assert rows["hits"].pvalue == rows["recall"].pvalue
    assert rows["f1"].pvalue == rows["recall_macro"].pvalue


@pytest.mark.parametrize("how", ["models", "metrics", "repeats"])
def test_inner_fits_are_merged_where_all_have_them(how):
    """The interval is that of one evaluation of everything; of repeats the inner fits stand in their order."""
    both, again = ("nb", "tree"), StratifiedKFold(3, shuffle=True, random_state=5)
    first, second, options = {
        "models": (("nb", "dummy"), ("tree", "dummynb"), {}),
        "metrics": (both, both, {"scoring": "neg_brier_score"}),
        "repeats": (both, both, {"cv": again}),
    }[how]
    options = {"scoring": "accuracy", "cv": 3, **options}
    one = evaluate(first, scoring="accuracy", cv=3, intervals="nested")
    other = evaluate(second, intervals="nested", **options)
    merged = skc.merge(one, other)
    assert len(merged.intervals(method="nested")) == len(merged.estimators) * len(merged.metrics)
    if how == "repeats":
        whole, before, after = (found._scores.inner_predictions.folds["nb"] for found in (merged, one, other))
        for got, given in zip(whole, [*before, *after], strict=True):
            for response, values in given.items():
                np.testing.assert_array_equal(got[response], values)
    else:
        whole = evaluate(
            merged.estimators, scoring=dict.fromkeys(("accuracy", options["scoring"])), cv=3, intervals="nested"
        )
        assert merged.test("nested_cv_interval", a="nb", b="tree") == whole.test("nested_cv_interval", a="nb", b="tree")


def test_joined_models_keep_their_own_inner_fits(tmp_path):
    one = evaluate(("nb", "dummy"), scoring="accuracy", cv=3, intervals="nested")
    merged = skc.merge(evaluate(("tree", "dummynb"), scoring="accuracy", cv=3), one)
    merged.save(tmp_path / "merged.skc")
    for found in (merged, skc.load(tmp_path / "merged.skc")):
        pair = {"a": "nb", "b": "dummy"}
        assert found.test("nested_cv_interval", **pair) == one.test("nested_cv_interval", **pair)
        with pytest.raises(ValueError, match="'tree' has no inner fits"):
            found.test("nested_cv_interval", a="nb", b="tree")
        low = {row.model: row.low for row in found.intervals(method="nested")}
        assert np.isfinite([low["nb"], low["dummy"]]).all()
        assert np.isnan([low["tree"], low["dummynb"]]).all()
        assert found.test(a="nb", b="tree") == evaluate(("nb", "tree"), scoring="accuracy", cv=3).test()


@pytest.mark.parametrize("how", ["metrics", "repeats"])
def test_metrics_and_repeats_are_not_joined_where_some_alone_have_inner_fits(how):
    both, again = ("nb", "tree"), StratifiedKFold(3, shuffle=True, random_state=5)
    options = {"scoring": "accuracy", "cv": 3}
    other = evaluate(both, **{**options, **({"scoring": "f1"} if how == "metrics" else {"cv": again})})
    one = evaluate(both, intervals="nested", **options)
    with pytest.raises(ValueError, match=f"inner fits of intervals='nested' to join {how}.*result 2 has none"):
        skc.merge(one, other)
    assert skc.merge(replace(one, inner_predictions=None), other)._scores.inner_predictions is None


def judged(numbers, seed=0, **metrics):
    return skc.PairedEvaluator("2x5", {**metrics, "rank": numbers}, random_state=seed).evaluate(
        {name: MODELS[name] for name in numbers}, X, Y
    )


def test_what_was_given_for_models_stays_so():
    """No test is about numbers of one result, so none is about those of a merged one."""
    one = judged({"nb": 1, "tree": 2}, accuracy="accuracy", complexity="complexity")
    two = judged({"dummy": 7, "dummynb": 7}, accuracy="accuracy", complexity="complexity")
    again = judged({"nb": 1, "tree": 2}, 1, accuracy="accuracy", complexity="complexity")
    alone = evaluate(("nb", "tree"), "f1")
    for merged in (skc.merge(one, two), skc.merge(one, again), skc.merge(alone, one), skc.merge(one, alone)):
        assert "JUDGED" in {warning.code for row in merged.compare(metrics="rank") for warning in row.warnings}
        assert not [row for row in merged.compare() if row.metric == "rank" and row.record is not None]
        assert list(merged.provenance["units"]["complexity"]) == list(merged.estimators)
    rows = {(row.a, row.b): row for row in skc.merge(one, two).compare(metrics="complexity")}
    assert "DIFFERENT_UNITS" in {warning.code for warning in rows["tree", "dummy"].warnings}


def test_numbers_that_were_given_must_agree():
    one = judged({"nb": 1, "tree": 2})
    with pytest.raises(ValueError, match="'rank' of 'nb' is 1 in result 1 and 5 in result 2"):
        skc.merge(one, judged({"nb": 5, "tree": 2}, seed=1))
    measured = skc.PairedEvaluator("2x5", {"rank": "complexity"}, random_state=0).evaluate(
        {"d": MODELS["dummy"], "e": MODELS["dummynb"]}, X, Y
    )
    for parts, told in (((one, measured), (1, 2)), ((measured, one), (2, 1))):
        with pytest.raises(
            ValueError, match=f"given for each model in result {told[0]} and measured in result {told[1]}"
        ):
            skc.merge(*parts)


def counted(estimator, X, y):  # noqa: ARG001
    return 3.0


def scored_by(option):
    """A function whose value depends on its surroundings."""
    return make_scorer(lambda y, predicted: option * float((y == predicted).mean()))


COSTS = {(0, 1): 1, (1, 0): 50}
DIFFERENT = {
    "costs": (skc.cost_scorer(COSTS), skc.cost_scorer({(0, 1): 50, (1, 0): 1})),
    "options": (make_scorer(fbeta_score, beta=1), make_scorer(fbeta_score, beta=5)),
    "functions": (make_scorer(f1_score), make_scorer(precision_score)),
    "names": ("accuracy", "f1"),
    "a name and a function": ("f1", make_scorer(precision_score)),
    "surroundings": (scored_by(1), scored_by(2)),
    "complexity": ("complexity", counted),
}
SAME = {
    "costs": (skc.cost_scorer(COSTS), skc.cost_scorer(COSTS)),
    "options": (make_scorer(fbeta_score, beta=5, labels=np.arange(2)), make_scorer(fbeta_score, labels=[0, 1], beta=5)),
    "a default": (make_scorer(f1_score), make_scorer(f1_score, average="binary")),
    "a name and its function": ("accuracy", make_scorer(accuracy_score)),
    "a callable": (counted, counted),
    "lines": tuple(make_scorer(lambda y, predicted: float((y == predicted).mean())) for _ in range(2)),
}


def scored(scoring, name, seed):
    return skc.PairedEvaluator(
        "2x5", {"complexity" if scoring in ("complexity", counted) else "mine": scoring}, random_state=seed
    ).evaluate({name: MODELS[name], f"{name}2": MODELS[name]}, X, Y)


@pytest.mark.sampled
@pytest.mark.parametrize("what", DIFFERENT)
def test_models_and_repeats_of_other_metrics_by_one_name_are_refused(what):
    one, two = DIFFERENT[what]
    for name, seed in (("tree", 0), ("nb", 1)):
        with pytest.raises(ValueError, match="is another function, or has other options, in result 2"):
            skc.merge(scored(one, "nb", 0), scored(two, name, seed))


@pytest.mark.sampled
@pytest.mark.parametrize("what", SAME)
def test_one_metric_written_twice_is_one(what, tmp_path):
    one, two = SAME[what]
    first = scored(one, "nb", 0)
    assert skc.merge(first, scored(two, "tree", 0)).design.n_splits == 10
    first.save(tmp_path / "one.skc")
    assert skc.merge(skc.load(tmp_path / "one.skc"), scored(two, "tree", 0)).design.n_splits == 10


@pytest.mark.parametrize(("role", "reader"), [("seed", "from_runs"), ("fold", "from_frame")])
def test_tables_that_cannot_be_merged_name_the_function_that_takes_them_joined(role, reader, rng):
    tables = [{"model": [name] * 6, role: [*range(6)], "score": rng.random(6)} for name in rng.permutation(["a", "b"])]
    read = getattr(skc, reader)
    with pytest.raises(ValueError, match=f"join the tables, and give {reader} all rows at once"):
        skc.merge(*map(read, tables))
    joined = {name: np.concatenate([table[name] for table in tables]) for name in tables[0]}
    assert {*read(joined).estimators} == {"a", "b"}
