"""0/0: where a convention gives much of a mean, what is claimed of it says so in its second line."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris, make_classification
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import Ridge
from sklearn.metrics import make_scorer
from sklearn.model_selection import KFold, PredefinedSplit, StratifiedKFold, TimeSeriesSplit, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import skcompare as skc
from skcompare import RunOptions
from skcompare.inference import metric_interval, paired_metric_test
from tests.test_rare_classes import Column

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
CODE = "WEAK_METRIC"


def first_lines(result):
    return " ".join(result.summary().split("\n\n")[0].split())


def evaluate(models, X, y, cv=5, scoring="precision"):
    return skc.PairedEvaluator(cv=cv, scoring=scoring, random_state=0, options=RunOptions(check_data=False)).evaluate(
        models, X, y
    )


@pytest.fixture(scope="module")
def constant():
    X, y = make_classification(n_samples=200, weights=[0.7], random_state=0)
    models = {"constant": DummyClassifier(), "bayes": GaussianNB(), "same": GaussianNB(var_smoothing=2e-9)}
    return evaluate(models, X, y, scoring=["precision", "accuracy"])


def test_a_metric_that_is_undefined_everywhere_is_told_beside_the_answer(constant):
    said = "'constant' has 0/0 for precision on all 5 splits: 0 is scikit-learn's convention. Mend the model"
    assert any(row.winner for row in constant.compare() if "constant" in (row.a, row.b))
    assert f"{CODE}: {said}" in " ".join(constant.summary("full").split())
    assert said in " ".join(constant.methods_text().split())


def test_where_nothing_is_claimed_of_it_it_stands_with_the_others():
    """Models that are the same are not called different."""
    rest = skc.from_predictions(np.arange(40) % 2, {m: np.zeros(40, dtype=int) for m in "ab"}, scoring="precision")
    alike = {"one": DummyClassifier(), "two": DummyClassifier(strategy="prior")}
    X, y = make_classification(n_samples=200, weights=[0.7], random_state=0)
    for found in (rest, evaluate(alike, X, y, scoring=["precision", "accuracy"])):
        assert CODE in found.summary("full")


@pytest.mark.parametrize(("n_folds", "code"), [(1, CODE), (0, None)])
def test_a_tenth_of_the_folds_is_a_substantial_share(n_folds, code):
    y = np.arange(200) % 2
    splits = [(np.setdiff1d(np.arange(200), test), test) for test in np.arange(200).reshape(10, 20)]
    never = y.copy()
    never[: 20 * n_folds] = 0
    noisy = np.where(np.arange(200) % 5 < 2, 1 - y, y)
    result = evaluate({"a": Column(0), "b": Column(1)}, np.stack([never, noisy], axis=1), y, splits)
    found = [one for one in result.test().warnings if one.code in (CODE, "ILL_DEFINED")]
    assert [one.code for one in found] == ([code] if code else [])
    if code:
        assert found[0].sentence == (
            "'a' has 0/0 for precision on 1 of 10 splits. There 0 is scikit-learn's convention: "
            "decide on another metric."
        )
        assert found[0].sentence in " ".join(result.summary("full").split())


def test_fewer_folds_than_a_tenth_stay_in_the_full_text():
    y = np.arange(440) % 2
    splits = [(np.setdiff1d(np.arange(440), test), test) for test in np.arange(440).reshape(11, 40)]
    never = np.where(np.arange(440) < 40, 0, y)
    noisy = np.where(np.arange(440) % 5 < 2, 1 - y, y)
    result = evaluate({"a": Column(0), "b": Column(1)}, np.stack([never, noisy], axis=1), y, splits)
    assert "ILL_DEFINED: 'a' has 0/0 for precision on 1 of 11 splits." in result.test().warnings
    assert "0/0" not in first_lines(result)


def test_a_class_that_is_never_predicted_is_told_of_a_mean_over_classes():
    """Only one class of the macro average is 0/0."""
    y = np.arange(150) % 3
    two, noisy = np.where(y == 2, 0, y), np.where(np.arange(150) % 4 == 0, (y + 1) % 3, y)
    result = evaluate({"a": Column(0), "b": Column(1)}, np.stack([two, noisy], axis=1), y, 5, "precision_macro")
    said = "'a' has 0/0 for precision_macro of a class on 5 of 5 splits. There 0 is scikit-learn's convention: "
    said += "decide on another metric."
    assert f"{CODE}: {said}" in result.test().warnings
    assert said in " ".join(result.summary().split())
    weighted = evaluate({"a": Column(0), "b": Column(1)}, np.stack([two, noisy], axis=1), y, 5, "precision_weighted")
    assert "ILL_DEFINED: 'a' has 0/0 for precision_weighted on 5 of 5 splits." in weighted.test().warnings


@pytest.mark.parametrize(("n_empty", "code"), [(0, None), (5, "ILL_DEFINED"), (30, CODE)])
def test_samples_without_a_label_are_counted(n_empty, code, rng):
    y = np.ones((200, 3), dtype=int)
    y[:, 1:] = rng.random((200, 2)) < 0.5
    y[:n_empty] = 0
    guess = np.where(rng.random(y.shape) < 0.3, 1 - y, y)
    result = skc.from_predictions(y, {"a": y, "b": guess}, scoring=["accuracy", "f1_samples"])
    found = [one for one in result.test(metric="f1_samples").warnings if one.code in (CODE, "ILL_DEFINED")]
    assert [one.code for one in found] == ([code] if code else [])
    if code:
        assert found[0].sentence == (
            f"{n_empty} of 200 samples have no label. Where none is predicted f1_samples is 0/0, "
            "and 0 is scikit-learn's convention: leave them out, or decide on another metric."
        )


def held_out(scoring, guesses):
    y = np.arange(60) % 2
    return skc.from_predictions(y, {"never": 0 * y, "some": np.where(guesses, 1 - y, y)}, scoring=scoring)


def test_on_one_test_set_what_is_undefined_is_not_compared_and_has_no_interval():
    result = held_out(["accuracy", "precision"], np.arange(60) % 7 == 0)
    by_metric = {row.metric: row for row in result.compare()}
    row = by_metric["precision"]
    assert row.outcome.value == "not comparable"
    assert np.isnan([row.estimate, row.low, row.high, row.pvalue]).all()
    assert by_metric["accuracy"].winner == "some"
    assert result.compare().n_hypotheses == 1
    assert not [one for one in row.warnings if one.code == "MISSING_SCORES"]
    said = "'never' has 0/0 for precision: 0 is scikit-learn's convention. Mend the model, or decide on another"
    assert said in " ".join(result.summary("full").split())
    paragraph = result.methods_text().split("\n\n")[0]
    assert "One more comparison could not be made " in paragraph
    assert "a test of precision" not in paragraph
    intervals = {(one.model, one.metric): one for one in result.intervals()}
    assert np.isnan([intervals["never", "precision"].low, intervals["never", "precision"].high]).all()
    assert intervals["never", "precision"].method == ""
    assert 0 < intervals["some", "precision"].low < intervals["some", "precision"].high < 1
    asked = result.test(metric="precision").confidence_interval()
    assert np.isnan([asked.low, asked.high]).all()


def test_on_one_test_set_what_is_defined_is_compared():
    """Recall is defined where nothing is predicted, and so is a mean over classes of which one is 0/0."""
    result = held_out(["recall", "precision_macro"], np.arange(60) % 7 == 0)
    assert [row.outcome.value for row in result.compare()] == ["worse", "worse"]
    assert all(np.isfinite([row.low, row.high]).all() for row in result.compare())
    assert all(np.isfinite([one.low, one.high]).all() for one in result.intervals())


def test_the_interval_of_a_metric_that_is_undefined_is_nan():
    y, never, some = np.arange(40) % 2, np.zeros(40, dtype=int), np.arange(40) % 3 == 0
    for first, second in ((never, some.astype(int)), (some.astype(int), never)):
        found = paired_metric_test(y, first, second, "precision", rng=0).confidence_interval()
        assert np.isnan([found.low, found.high]).all()
    assert np.isnan(metric_interval(y, never, "precision", rng=0).confidence_interval().low)
    assert np.isfinite(metric_interval(y, some.astype(int), "precision", rng=0).confidence_interval().low)


# ---- metrics that lack a class or a second sample -----------------------------------------------------------------

MODELS = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2, random_state=0)}
NAMED = ["accuracy", "roc_auc_ovo", "roc_auc_ovr_weighted", "neg_log_loss", "average_precision", "matthews_corrcoef"]
RARE = pytest.mark.filterwarnings("ignore:The least populated class:UserWarning")


def undefined(warnings):
    return [one for one in warnings if one.code == "MISSING_SCORES"]


def rare(n_rare):
    X, y = load_iris(return_X_y=True)
    kept = np.r_[0:30, 50:80, 100 : 100 + n_rare]
    return X[kept], y[kept]


def scores_of_sklearn(result, models, X, y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        of_all = {m: cross_validate(one, X, y, cv=result.splits(), scoring=result.metrics) for m, one in models.items()}
    return np.array([[of_all[m][f"test_{metric}"] for metric in result.metrics] for m in models]).transpose(0, 2, 1)


@RARE
@settings(max_examples=8)
@given(
    n_rare=st.integers(1, 6),
    n_folds=st.integers(3, 6),
    seed=st.integers(0, 2**32 - 1),
    scoring=st.sampled_from([None, NAMED]),
)
def test_a_class_that_folds_lack_leaves_the_scores_of_cross_validate(n_rare, n_folds, seed, scoring):
    X, y = rare(n_rare)
    result = evaluate(MODELS, X, y, StratifiedKFold(n_folds, shuffle=True, random_state=seed), scoring)
    np.testing.assert_allclose(result.scores, scores_of_sklearn(result, MODELS, X, y), rtol=1e-9)
    missing = np.isnan(result.scores)
    assert not missing[:, :, 0].any()  # accuracy
    assert result.failures == ()
    found = undefined(result.warnings)
    lacking = [metric for m, metric in enumerate(result.metrics) if missing[:, :, m].any()]
    assert [one.about for one in found] == [(metric,) for metric in lacking]
    assert bool(lacking) == (n_rare < n_folds)
    for one in found:
        assert "class 2" in one.sentence
        assert f"scoring without {one.about[0]}" in one.sentence
        assert ("fewer folds" in one.sentence) == (n_rare > 1)
    for metric in result.metrics:
        assert undefined(result._scores.score_warnings(metric, *MODELS)) == [
            one for one in found if metric in one.about
        ]


@RARE
def test_what_a_default_metric_lacks_is_told_once_also_when_loaded_and_in_a_study(tmp_path):
    result = evaluate(MODELS, *rare(3), 5, None)
    said = "roc_auc_ovr is not defined on 2 of 5 splits, whose test sets lack class 2"
    assert " ".join(result.summary("full").split()).count(said) == 1
    result.save(tmp_path / "result.skcompare")
    loaded = skc.load(tmp_path / "result.skcompare")
    assert loaded.summary("full") == result.summary("full")
    for metric in result.metrics:
        assert loaded._scores.score_warnings(metric, *MODELS) == result._scores.score_warnings(metric, *MODELS)
    evaluator = skc.PairedEvaluator(5, random_state=0, options=RunOptions(check_data=False))
    study = evaluator.evaluate_datasets(MODELS, {"common": rare(20), "rare": rare(3)})
    assert [one.where for one in undefined(study.warnings)] == ["rare"]


def test_one_class_in_a_binary_test_set():
    X, y = make_classification(n_samples=60, random_state=0)
    order = np.argsort(y, kind="stable")
    result = evaluate(MODELS, X[order], y[order], KFold(5), None)
    np.testing.assert_allclose(result.scores, scores_of_sklearn(result, MODELS, X[order], y[order]), rtol=1e-9)
    (found,) = undefined(result.warnings)
    assert found.about == ("roc_auc",)
    assert "whose test sets lack class 0 or 1" in found.sentence


@pytest.mark.parametrize("scoring", [None, ["r2", "neg_mean_absolute_error"]])
def test_r2_of_one_sample(scoring, rng):
    X = rng.normal(size=(20, 2))
    models = {"ridge": Ridge(), "tree": DecisionTreeRegressor(random_state=0)}
    splits = [(np.arange(1, 20), [0]), (np.arange(10), np.arange(10, 20)), (np.arange(10, 20), np.arange(10))]
    result = evaluate(models, X, X[:, 0] + rng.normal(size=20), splits, scoring)
    assert np.isnan(result.scores[:, 0, 0]).all()
    assert np.isfinite(result.scores[:, 1:]).all()
    (found,) = undefined(result.warnings)
    assert "r2 is not defined on 1 of 3 splits, whose test sets are one sample each" in found.sentence


def test_a_constant_target_has_the_scores_of_cross_validate(rng):
    X, models = rng.normal(size=(20, 2)), {"ridge": Ridge(), "tree": DecisionTreeRegressor(random_state=0)}
    result = evaluate(models, X, np.full(20, 2.5), KFold(4), None)
    np.testing.assert_allclose(result.scores, scores_of_sklearn(result, models, X, np.full(20, 2.5)), atol=1e-12)
    assert undefined(result.warnings) == []


class NoProbabilities(DummyClassifier):
    def predict_proba(self, X):
        raise RuntimeError(f"no probabilities of {len(X)} samples.")


def test_a_metric_that_nobody_asked_for_ends_no_run():
    X, y = make_classification(n_samples=60, random_state=0)
    models = {"none": NoProbabilities(), "bayes": GaussianNB()}
    result = evaluate(models, X, y, 3, None)
    assert np.isnan(result.score("none", "roc_auc")).all()
    assert np.isfinite(np.delete(result.scores, 4, axis=2)).all()
    assert np.isfinite(result.score("bayes", "roc_auc")).all()
    (found,) = (one for one in undefined(result.warnings) if "could not be computed" in one)
    assert "roc_auc of 'none' could not be computed on 3 of 3 splits" in found.sentence
    assert ".." not in found.sentence
    assert "RuntimeError: no probabilities of 20 samples" in found.sentence
    with pytest.raises(skc.EstimatorFailedError, match="'none' failed in predict_proba"):
        evaluate(models, X, y, 3, "roc_auc")


def test_a_class_that_one_test_set_lacks_leaves_a_default_metric_out(rng):
    y = np.arange(60) % 2
    given = {name: rng.dirichlet([1, 1, 1], 60) for name in "ab"}
    result = skc.from_predictions(y, given, classes=[0, 1, 2])
    assert result.metrics == ("accuracy", "precision_macro", "recall_macro", "f1_macro")
    (found,) = undefined(result.warnings)
    assert found.sentence.startswith("roc_auc_ovr is not defined on the test set, which lacks class 2")
    with pytest.raises(ValueError, match="'roc_auc_ovr' reads scores, and no sample is of class 2"):
        skc.from_predictions(y, given, classes=[0, 1, 2], scoring="roc_auc_ovr")
    whole = skc.from_predictions(np.arange(60) % 3, given)
    assert whole.metrics[-1] == "roc_auc_ovr"
    assert undefined(whole.warnings) == []


class NotANumber(Ridge):
    def predict(self, X):
        return np.where(np.arange(len(X)) % 7, super().predict(X), np.nan)


def test_a_model_that_predicts_nan_ends_the_run_also_with_the_default_scoring(rng):
    X = rng.normal(size=(40, 2))
    with pytest.raises(skc.EstimatorFailedError, match="'bad' failed in score"):
        evaluate({"bad": NotANumber(), "ridge": Ridge()}, X, X[:, 0], KFold(4), None)


def refusing(model, X, y):
    raise ValueError(f"{model} is not scored on {X.shape} and {y.shape}")


@RARE
@pytest.mark.parametrize("scoring", [None, "accuracy", {"own": refusing}])
def test_models_and_scorers_that_fail_end_the_run_also_on_folds_that_lack_a_class(scoring):
    own = isinstance(scoring, dict)
    models = {"bad": GaussianNB(priors=None if own else [2.0]), "bayes": GaussianNB()}
    with pytest.raises(skc.EstimatorFailedError, match="'bad' failed in " + ("score" if own else "fit")):
        evaluate(models, *rare(2), 3, scoring)


def share_of_pairs(true, said):
    return np.mean(said[true == 1][:, None] > said[true == 0])


def of_both_classes(true, said):
    if len(set(true.tolist())) < 2:
        raise ValueError("one class")
    return share_of_pairs(true, said) ** 2


# Own metrics that some resample of a small test set leaves undefined: by nan, an error, or a division of numbers by 0.
UNDEFINED_ON_RESAMPLES = {
    "nan": lambda true, said: float(np.sqrt(share_of_pairs(true, said))) if 0 < sum(true) < len(true) else np.nan,
    "ValueError": of_both_classes,
    "ZeroDivisionError": lambda true, said: sum(said[true == 1].tolist()) / sum(true.tolist()),
    "LookupError": lambda true, said: float(said[true == 1][0]) + share_of_pairs(true, said),
}


@pytest.mark.parametrize("n_models", [1, 2, 3])
@pytest.mark.parametrize("how", UNDEFINED_ON_RESAMPLES)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_an_own_metric_that_is_undefined_on_a_resample_has_an_answer_without_interval(how, n_models):
    rng = np.random.default_rng([n_models, *how.encode()])
    y = rng.permutation(np.arange(int(rng.integers(4, 9))) % 2)
    said = {f"m{i}": rng.uniform(0.1, 0.9, len(y)) for i in range(n_models)}
    scorer = make_scorer(UNDEFINED_ON_RESAMPLES[how], response_method="predict_proba")
    result = skc.from_predictions(y, said, scoring={"own": scorer})
    assert all(word in str(result) for word in ("own", *said))
    assert "own scores" in str(result.explain())
    for row in [*result.intervals(), *(result.compare() if n_models > 1 else ())]:
        assert np.isnan([row.low, row.high]).all()


@pytest.mark.parametrize("cv", [TimeSeriesSplit(3), KFold(3), PredefinedSplit(np.repeat([-1, 0], 30))])
@pytest.mark.parametrize(
    "metric", ["neg_root_mean_squared_error", "neg_mean_absolute_error", "r2", "neg_median_absolute_error"]
)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_metric_of_numbers_that_all_texts_fail_leaves_an_answer(metric, cv, rng):
    X, y = rng.normal(size=(60, 2)), np.array(["bad", "good"])[np.arange(60) % 2]
    models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2)}
    options = {"cv": cv, "random_state": 0, "error_score": np.nan}
    for scoring in ([metric], ["accuracy", metric]):
        result = skc.compare(models, X, y, scoring=scoring, **options)
        rows = [row for row in result.compare() if row.metric == metric]
        assert [row.outcome.value for row in rows] == ["not comparable"]
        assert all(np.isnan(row.low) for row in result.intervals(metric))
        assert str(result.explain())


@pytest.mark.parametrize("metric", ["recall_macro", "balanced_accuracy", "f1", "precision"])
@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_model_whose_metric_failed_on_the_test_set_has_no_interval(metric, grouped, rng):
    X, y = rng.normal(size=(60, 2)), rng.normal(size=60)
    cv, groups = PredefinedSplit(np.repeat([-1, 0], 30)), np.arange(60) // 3 if grouped else None
    result = skc.compare({"ridge": Ridge()}, X, y, cv=cv, scoring=metric, groups=groups, error_score=np.nan)
    (row,) = result.intervals()
    assert np.isnan([row.score, row.low, row.high]).all()
    assert str(result.explain())


TRAINED_LATER = (TimeSeriesSplit(5), TimeSeriesSplit(3), PredefinedSplit(np.repeat([-1, 0], [60, 30])))


@pytest.mark.parametrize("cv", TRAINED_LATER)
@pytest.mark.parametrize("metric", ["roc_auc", "neg_log_loss", "neg_brier_score"])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_class_that_a_training_set_lacks_leaves_the_other_metrics_an_answer(cv, metric, n_classes, rng):
    """As where a class begins late in time."""
    begin = 60 if isinstance(cv, PredefinedSplit) else int(rng.integers(25, 40))
    y = np.where(np.arange(90) < begin, np.arange(90) % (n_classes - 1), rng.integers(0, n_classes, 90))
    names = np.array(["cold", "warm", "hot"])[rng.permutation(3)[:n_classes]]
    models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2, random_state=0)}
    metric = "roc_auc_ovr" if (metric, n_classes) == ("roc_auc", 3) else metric
    scoring = [str(one) for one in rng.permutation(["accuracy", metric])]
    options = {"cv": cv, "scoring": scoring, "random_state": 0, "error_score": np.nan}
    result = skc.compare(models, rng.normal(size=(90, 2)), names[y], **options)
    found = {row.metric: row for row in result.compare()}
    assert found["accuracy"].outcome.tested
    assert found[metric].outcome.value == "not comparable"
    assert str(result)
    assert str(result.explain())
    assert str(result.by(np.arange(90) % 2))
    if metric == "roc_auc":
        with pytest.raises(ValueError, match="has no score of some class on some split"):
            result.test("delong")
