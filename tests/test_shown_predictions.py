"""What a result shows of its predictions: rates, confusion, disagreements and probabilities, against scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris, make_classification
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, confusion_matrix, log_loss, precision_score, recall_score
from sklearn.model_selection import PredefinedSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcompare import PairedEvaluator, from_frame, from_predictions, load
from skcompare.inference import calibration_error_test, paired_t_test, proportion_interval, reliability_points

X, Y = make_classification(240, 5, flip_y=0.2, random_state=0)
MODELS = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2), "logistic": LogisticRegression()}
ONE = [(np.arange(100), np.arange(100, 240))]
THRESHOLDS = [0.3, 0.5, 0.8]
RATES = ("true_positive_rate", "false_positive_rate", "precision")


class Told(ClassifierMixin, BaseEstimator):
    """Gives a column of X as probability; fails on a training set where it is told to."""

    def __init__(self, column=0, fails=False):
        self.column, self.fails = column, fails

    def fit(self, X, y):
        if self.fails and X[0, -1] == 1:
            raise RuntimeError("told to fail")
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return np.column_stack([1 - X[:, self.column], X[:, self.column]])

    def predict(self, X):
        return self.classes_[(X[:, self.column] >= 0.5).astype(int)]


def evaluate(cv=5, y=Y, models=MODELS, scoring=("accuracy", "roc_auc", "neg_log_loss"), **options):
    return PairedEvaluator(cv=cv, scoring=list(scoring), random_state=0, **options).evaluate(models, X, y)


@pytest.fixture(scope="module")
def folds():
    return evaluate()


@pytest.fixture(scope="module", params=["folds", "one test set", "repeats", "text"])
def any_result(request):
    text = np.where(Y == 1, "sick", "well")
    return {
        "folds": lambda: evaluate(),
        "one test set": lambda: evaluate(ONE),
        "repeats": lambda: evaluate("2x4"),
        "text": lambda: evaluate(3, text),
    }[request.param]()


def pooled(result, name):
    parts = result.predictions(name)[: result.design.n_folds]
    return [np.concatenate([getattr(p, what) for p in parts]) for what in ("y_true", "y_pred", "predict_proba")]


def given(*probabilities, y):
    """A result of one test set with these probabilities."""
    x = np.column_stack([*probabilities, np.zeros(len(y))])
    x, y = np.vstack([np.zeros((4, x.shape[1])), x]), np.r_[0, 1, 0, 1, y]
    models = {f"m{i}": Told(i) for i in range(len(probabilities))}
    cv = [(np.arange(4), np.arange(4, len(y)))]
    return PairedEvaluator(cv=cv, scoring=["accuracy", "roc_auc"], random_state=0).evaluate(models, x, y)


# ---- rates ----------------------------------------------------------------------------------------------------


def test_rates_are_those_of_scikit_learn_with_wilson_intervals(any_result):
    table = any_result.rates(THRESHOLDS)
    assert [(row.estimator, row.threshold) for row in table] == [(n, t) for n in MODELS for t in THRESHOLDS]
    for row in table:
        y, _, p = pooled(any_result, row.estimator)
        called = np.where(p >= row.threshold, *(np.unique(Y) if y.dtype.kind == "i" else ["sick", "well"])[::-1])
        tn, fp, fn, tp = confusion_matrix(y, called).ravel().tolist()
        assert (row.true_negatives, row.false_positives, row.false_negatives, row.true_positives) == (tn, fp, fn, tp)
        positive = any_result.details.positive_class
        assert row.true_positive_rate == pytest.approx(recall_score(y, called, pos_label=positive))
        assert row.precision == pytest.approx(precision_score(y, called, pos_label=positive))
        assert row.false_positive_rate == pytest.approx(fp / (fp + tn))
        wilson = proportion_interval(tp, tp + fp)
        assert (row.precision_low, row.precision_high) == (wilson.low, wilson.high)
    assert table.n_positive == (y == any_result.details.positive_class).sum()
    codes = [w.code for w in table.warnings]
    assert codes == {1: [], 3: ["POOLED"], 5: ["POOLED"], 8: ["POOLED", "POOLED"]}[any_result.design.n_splits]


def test_the_positive_class_may_be_the_lesser_label():
    result = evaluate(ONE, np.where(Y == 1, 1, 2))
    assert result.details.positive_class == 1
    other = evaluate(ONE)
    for row, same in zip(result.rates(THRESHOLDS), other.rates(THRESHOLDS), strict=True):
        assert [getattr(row, rate) for rate in RATES] == pytest.approx([getattr(same, rate) for rate in RATES])
    assert [r.brier for r in result.reliability()] == pytest.approx([r.brier for r in other.reliability()])


def test_a_rate_that_is_0_by_0_is_nan_and_told():
    result = given([0.1, 0.2, 0.7], [0.1, 0.2, 0.9], y=[0, 1, 1])
    table = result.rates([0.8, 0.9])
    assert [row.precision != row.precision for row in table] == [True, True, False, False]
    assert table[3].true_positives == 1  # at least the threshold
    assert [w.code for w in table[0].warnings] == ["WEAK_METRIC"]
    assert "precision of 'm0' at 0.8 is 0/0, since no sample is called positive" in " ".join(str(table).split())
    assert np.isnan(table[0].precision_low)
    assert table[2].warnings == ()


def test_decision_values_are_told_where_no_probabilities_were_kept():
    result = evaluate(scoring=("roc_auc",))
    table = result.rates([0.5])
    assert [row.scale for row in table] == ["probability", "probability", "decision value"]
    (told,) = [w for w in table.warnings if w.code == "DIFFERENT_UNITS"]
    assert told.about == ("logistic",)
    assert [row.threshold for row in result.rates()] == [0.5, 0.5, 0.0]
    y, predicted, _ = (
        np.concatenate([getattr(p, w) for p in result.predictions("logistic")]) for w in ("y_true", "y_pred", "y_pred")
    )
    assert result.rates()[2].true_positives == ((predicted == 1) & (y == 1)).sum()
    assert result.rates(2.0, estimators="logistic")[0].threshold == 2.0


def test_shares_of_a_class_have_one_interval_in_rates_and_in_the_scores(rng):
    shares = {"recall": RATES[0], "false_alarm_rate": RATES[1], "precision": RATES[2], "specificity": "", "jaccard": ""}
    for n in (12, 30, 100, 400):
        y = rng.permutation(np.arange(n) < rng.integers(4, n - 4))
        predicted = 1 / (1 + np.exp(rng.normal(size=n) - 2 * y))
        result = from_predictions(y.astype(int), {"one": predicted}, scoring=list(shares))
        level, called = rng.uniform(0.5, 0.99), predicted > 0.5
        hits, of, union = (y & called).sum(), (~y & ~called).sum(), (y | called).sum()
        (rates,) = result.rates([0.5], confidence_level=level)
        for row in result.intervals(confidence_level=level):
            assert row.method == "Wilson"
            if rate := shares[row.metric]:
                expected = [getattr(rates, f"{rate}{end}") for end in ("_low", "", "_high")]
            else:
                k, size = (hits, union) if row.metric == "jaccard" else (of, (~y).sum())
                found = stats.binomtest(int(k), int(size)).proportion_ci(level, method="wilson")
                expected = [found.low, k / size, found.high]
            assert [row.low, row.score, row.high] == pytest.approx(expected, rel=1e-9)


def test_rates_print_and_have_a_frame(folds):
    table = folds.rates(THRESHOLDS, estimators=["tree", "bayes"], confidence_level=0.9)
    said = " ".join(str(table).split())
    assert said.startswith("True and false positive rate and precision of tree and bayes, with thresholds on the prob")
    assert f"their 90% Wilson intervals; {Y.sum()} of 240 samples are of the positive class 1." in said
    frame = table.to_frame()
    assert list(frame["estimator"]) == ["tree"] * 3 + ["bayes"] * 3
    assert {*RATES, "true_positives", "precision_high", "scale"} <= set(frame.columns)
    assert str(table[0]).startswith("tree with the threshold 0.3 on the probability: the true positive rate 0.")


def test_hits_misses_false_alarms_and_correct_rejections_by_name():
    # the words of the slides of CS 478, 'Statistical significance and performance measures', slide 16
    y, score = [1] * 10 + [0] * 20, [0.9] * 8 + [0.1] * 2 + [0.9] * 5 + [0.1] * 15
    row = given(score, score, y=y).rates(0.5)[0]
    assert (row.hits, row.misses, row.false_alarms, row.correct_rejections) == (8, 2, 5, 15)
    cells = {cells[0]: cells[1:] for cells in row._tables()[0].rows}
    for word, (n, n_class) in {"misses": (2, 10), "correct rejections": (15, 20)}.items():
        limits = proportion_interval(n, n_class)
        assert cells[word] == [str(n), f"{n / n_class:.3f} [{limits.low:.3f}, {limits.high:.3f}]"]


# ---- confusion ------------------------------------------------------------------------------------------------


def test_confusion_matrices_are_those_of_scikit_learn(any_result):
    found = any_result.confusion_matrices()
    for name in MODELS:
        y, predicted, _ = pooled(any_result, name)
        assert (found.of(name) == confusion_matrix(y, predicted, labels=list(found.labels))).all()
    assert (found.difference() == found.of("bayes") - found.of("tree")).all()
    assert (found.difference("tree", "bayes") == -found.difference("bayes", "tree")).all()
    assert not found.difference().sum(axis=1).any()
    frame = found.to_frame()
    cell = frame[(frame.estimator == "tree") & (frame.y_true == found.labels[0]) & (frame.y_pred == found.labels[1])]
    assert cell["count"].tolist() == [found.of("tree")[0, 1]]


def test_many_classes_and_a_prediction_that_is_none_of_them():
    class Strange(GaussianNB):
        def predict(self, X):
            labels = super().predict(X)
            labels[0] = 7
            return labels

    x, y = load_iris(return_X_y=True)
    models = {"bayes": GaussianNB(), "strange": Strange()}
    result = PairedEvaluator(cv=5, scoring=["accuracy"], random_state=0).evaluate(models, x, y)
    found = result.confusion_matrices()
    assert found.labels == (0, 1, 2, 7)
    for name in models:
        parts = result.predictions(name)
        both = [np.concatenate([getattr(p, what) for p in parts]) for what in ("y_true", "y_pred")]
        assert (found.of(name) == confusion_matrix(*both, labels=[0, 1, 2, 7])).all()
    assert found.of("strange")[:, 3].sum() == 5
    assert (result.disagreements()["prediction_b"] == 7).sum() == 5
    assert result.confusion_matrices(estimators="bayes").labels == (0, 1, 2)
    assert "the most frequent error is to take class" in " ".join(str(found).split())


def test_no_error_at_all_is_said():
    found = given([0.1, 0.9], [0.2, 0.8], y=[0, 1]).confusion_matrices()
    assert str(found).startswith("Of 2 samples m0 is right on 2 and m1 on 2: no class is taken for another one.")


# ---- disagreements --------------------------------------------------------------------------------------------


def test_disagreements_are_the_samples_on_which_the_labels_differ(any_result):
    frame = any_result.disagreements("tree", "logistic")
    y = np.where(Y == 1, "sick", "well") if any_result.details.positive_class == "well" else Y
    parts = {name: any_result.predictions(name)[: any_result.design.n_folds] for name in ("tree", "logistic")}
    of = {
        name: dict(
            zip(
                np.concatenate([p.test_indices for p in of_model]).tolist(),
                np.concatenate([p.y_pred for p in of_model]).tolist(),
                strict=True,
            )
        )
        for name, of_model in parts.items()
    }
    expected = sorted(i for i in of["tree"] if of["tree"][i] != of["logistic"][i])
    assert frame["sample"].tolist() == expected
    assert frame["prediction_a"].tolist() == [of["tree"][i] for i in expected]
    assert frame["prediction_b"].tolist() == [of["logistic"][i] for i in expected]
    assert frame["y_true"].tolist() == y[expected].tolist()
    assert frame["right"].tolist() == ["tree" if of["tree"][i] == y[i] else "logistic" for i in expected]
    swapped = any_result.disagreements("logistic", "tree")
    assert swapped["sample"].tolist() == expected
    assert swapped["right"].tolist() == frame["right"].tolist()


def test_nobody_may_be_right_and_two_may_agree():
    x, y = load_iris(return_X_y=True)
    models = {"a": DecisionTreeClassifier(max_depth=1), "b": GaussianNB(), "c": GaussianNB()}
    result = PairedEvaluator(cv=5, scoring=["accuracy"], random_state=0).evaluate(models, x, y)
    assert result.disagreements("b", "c").empty
    assert list(result.disagreements("b", "c").columns) == ["sample", "y_true", "prediction_a", "prediction_b", "right"]
    frame = result.disagreements("a", "b")
    neither = (frame.prediction_a != frame.y_true) & (frame.prediction_b != frame.y_true)
    assert (frame["right"].isna() == neither).all()


def test_folds_on_which_a_model_failed_are_left_out_for_all():
    x = np.column_stack([np.tile([0.1, 0.9], 20), np.tile([0.9, 0.2], 20), np.repeat([1, 0], 20)])
    cv = [(np.arange(0, 20), np.arange(20, 40)), (np.arange(20, 40), np.arange(0, 20))]
    evaluator = PairedEvaluator(cv=cv, scoring=["accuracy", "roc_auc"], random_state=0, error_score=np.nan)
    models = {"a": Told(0), "b": Told(1, fails=True)}
    with pytest.warns((FitFailedWarning, RuntimeWarning, UserWarning)):
        result = evaluator.evaluate(models, x, np.tile([0, 1], 20))
    assert result.disagreements()["sample"].tolist() == list(range(20))
    table = result.rates(0.5)
    assert {row.true_positives + row.false_negatives for row in table} == {10}
    assert "MISSING_SCORES" in [w.code for w in table.warnings]
    assert result.rates(0.5, estimators="a").n == 40


# ---- probabilities --------------------------------------------------------------------------------------------


class Broken(DecisionTreeClassifier):
    def __init__(self, step="fit"):
        super().__init__()
        self.step = step

    def fit(self, *data):
        return super().fit(*data) if self.step == "predict" else self.predict()

    def predict(self, *_):
        raise RuntimeError("told to fail")


@pytest.mark.parametrize("step", ["fit", "predict"])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_model_that_predicted_nothing_blanks_no_other(step, place):
    whole = {"logistic": LogisticRegression(), "bayes": GaussianNB()}
    names = [*whole]
    names.insert(place, "broken")
    scoring = ("accuracy", "neg_log_loss", "roc_auc")
    with pytest.warns(FitFailedWarning if step == "fit" else UserWarning, match="told to fail"):
        result = evaluate(
            models={name: whole.get(name, Broken(step)) for name in names}, scoring=scoring, error_score=np.nan
        )
    without = evaluate(models=whole, scoring=scoring)
    for ask in ("rates", "reliability", "confusion_matrices"):
        found, known = (getattr(one, ask)() for one in (result, without))
        assert found.to_frame().equals(known.to_frame())
        assert any("'broken' has no predictions" in one for one in found.warnings)
        with pytest.raises(ValueError, match="have no split in common"):
            getattr(result, ask)(estimators=names)
    for kind in ("reliability", "cost", "confusion"):
        assert result.plot(kind).frame().equals(without.plot(kind).frame())


def test_reliability_has_scikit_learns_numbers_and_the_tests_of_single_losses(any_result):
    found = any_result.reliability("tree", "logistic", n_resamples=200)
    p, wins = {}, {}
    for row in found:
        y, _, p[row.estimator] = pooled(any_result, row.estimator)
        wins = y == any_result.details.positive_class
        assert row.brier == pytest.approx(brier_score_loss(wins, p[row.estimator]))
        assert row.log_loss == pytest.approx(log_loss(wins, p[row.estimator]))
        assert row.calibration_error == reliability_points(wins, p[row.estimator]).calibration_error
    brier, loss, error = found.differences
    alone = paired_t_test(*(-((wins - p[name]) ** 2) for name in ("tree", "logistic")))
    assert (brier.estimate, brier.pvalue) == pytest.approx((alone.estimate, alone.pvalue))
    assert brier.estimate == pytest.approx(found[2].brier - found[1].brier)
    assert loss.estimate == pytest.approx(found[2].log_loss - found[1].log_loss)
    again = calibration_error_test(wins, p["tree"], p["logistic"], rng=0, n_resamples=200)
    assert (error.estimate, error.pvalue) == (again.estimate, again.pvalue)
    by_size = sorted(row.pvalue for row in found.differences)
    assert min(row.pvalue_adjusted for row in found.differences) == pytest.approx(min(1, 3 * by_size[0]))
    assert not any("folds" in row.record.method or "INDEPENDENCE" in str(row.record) for row in found.differences)


def test_swapping_the_models_mirrors_the_differences(folds):
    one, other = folds.reliability("bayes", "tree"), folds.reliability("tree", "bayes")
    for row, mirrored in zip(one.differences, other.differences, strict=True):
        assert row.estimate == pytest.approx(-mirrored.estimate)
        assert row.pvalue_adjusted == pytest.approx(mirrored.pvalue_adjusted)
        assert row.winner == mirrored.winner
        assert row.low == pytest.approx(-mirrored.high)


def test_a_badly_calibrated_model_is_shown_to_be_worse_and_one_like_it_is_not(rng):
    true = rng.random(600)
    y = (rng.random(600) < true).astype(int)
    result = given(true, true**4, np.clip(true + rng.normal(0, 0.001, 600), 0, 1), y=y)
    bad = result.reliability("m0", "m1")
    # m1 is also what scikit-learn's scorers would have to be given: roc_auc cannot see the difference
    assert [row.winner for row in bad.differences] == ["m0", "m0", "m0"]
    assert " ".join(str(bad).split()).startswith(
        "Probabilities of class 1: m0 is significantly better than m1 on the Brier score, the log"
    )
    like = result.reliability("m0", "m2")
    assert [row.winner for row in like.differences if row.measure == "calibration_error"] == [None]
    alone = result.reliability(estimators="m1")
    assert alone.differences == ()
    assert str(alone).startswith("The probabilities of m1: Brier score 0.")


def test_scorers_of_probabilities_keep_them_and_scores_are_unchanged():
    scoring = ["neg_log_loss", "neg_brier_score"]
    result, other = evaluate(scoring=scoring), evaluate(scoring=[*scoring, "roc_auc_ovr"])
    for name in MODELS:
        assert (result.score(name, "neg_log_loss") == other.score(name, "neg_log_loss")).all()
        for part, same in zip(result.predictions(name), other.predictions(name), strict=True):
            assert (part.predict_proba == same.predict_proba).all()
            own = -log_loss(part.y_true, part.predict_proba)
            assert result.score(name, "neg_log_loss")[part.fold] == pytest.approx(own)


def test_a_saved_result_shows_the_same(folds, tmp_path):
    folds.save(tmp_path / "result.skc")
    again = load(tmp_path / "result.skc")
    assert again.rates(THRESHOLDS) == folds.rates(THRESHOLDS)
    assert (again.confusion_matrices().counts == folds.confusion_matrices().counts).all()
    assert again.disagreements().equals(folds.disagreements())
    assert [row.pvalue for row in again.reliability().differences] == [
        r.pvalue for r in folds.reliability().differences
    ]


def test_the_order_of_the_rows_is_irrelevant(rng):
    p, y = rng.random((2, 80)).round(2), rng.integers(0, 2, 80)
    order = rng.permutation(80)
    one, other = given(*p, y=y), given(*p[:, order], y=y[order])
    assert one.rates(THRESHOLDS) == other.rates(THRESHOLDS)
    assert (one.confusion_matrices().counts == other.confusion_matrices().counts).all()
    assert len(one.disagreements()) == len(other.disagreements())
    for row, same in zip(one.reliability().differences, other.reliability().differences, strict=True):
        assert row.pvalue == pytest.approx(same.pvalue)


def test_one_of_several_classes_stands_against_the_rest_as_in_scikit_learn():
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    evaluator = PairedEvaluator(cv=3, scoring=["accuracy", "neg_log_loss"], random_state=0)
    result = evaluator.evaluate({"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=1)}, X, names)
    folds = result.predictions("tree")
    truth = np.concatenate([fold.y_true for fold in folds]) == "virginica"
    p = np.concatenate([fold.predict_proba for fold in folds])[:, 2]
    (row,) = result.rates(0.4, estimators="tree", positive="virginica")
    assert row.precision == pytest.approx(precision_score(truth, p >= 0.4))
    assert row.true_positive_rate == pytest.approx(recall_score(truth, p >= 0.4))
    found = result.reliability("bayes", "tree", positive="virginica", n_resamples=50)
    assert (found.positive, found.n_positive) == ("virginica", 50)
    assert (found[1].brier, found[1].log_loss) == pytest.approx((brier_score_loss(truth, p), log_loss(truth, p)))
    assert result.plot("reliability", positive="virginica").brier[1] == found[1].brier
    assert result.plot("cost", positive="virginica").share == pytest.approx(1 / 3)


def test_of_two_classes_the_other_one_can_be_meant(folds):
    low, high = folds.rates(0.3, positive=0, estimators="tree")[0], folds.rates(0.7, estimators="tree")[0]
    missed = high.false_negatives + high.true_negatives  # not called positive: called negative, but for equal scores
    assert low.true_positives + low.false_positives == pytest.approx(missed, abs=5)
    assert low.true_positives + low.false_negatives == high.false_positives + high.true_negatives


@pytest.mark.parametrize("ask", ["rates", "disagreements", "confusion_matrices", "reliability"])
def test_a_table_of_scores_has_no_predictions(ask):
    table = from_frame({"model": list("aabb"), "fold": [0, 1, 0, 1], "score": [0.1, 0.3, 0.2, 0.5]})
    with pytest.raises(ValueError, match="predictions are not known"):
        getattr(table, ask)()


@pytest.mark.parametrize("threshold", [True, [True, False], np.True_])
def test_a_threshold_is_no_truth_value(threshold):
    models = {"a": [0.9, 0.2] * 20, "b": [0.6, 0.7] * 20}
    result = from_predictions([1, 0] * 20, models, scoring="neg_brier_score")
    with pytest.raises(ValueError, match="threshold must be numbers; got"):
        result.rates(threshold)
    assert result.rates(1).rows


@pytest.mark.parametrize("lacked", [0, 1, 2])
@pytest.mark.parametrize("model", [GaussianNB(), LogisticRegression()])
@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_scores_of_two_classes_are_not_shown_as_those_of_any_of_three(lacked, model, rng):
    """Of the training set's two classes the scores of the second are known, whichever of three is asked about."""
    names = np.array(["cold", "mild", "warm"])[rng.permutation(3)]
    trained = np.flatnonzero(np.arange(3) != lacked)
    y = names[np.concatenate([trained[np.arange(40) % 2], rng.integers(0, 3, 40)])]
    cv, scoring = PredefinedSplit(np.repeat([-1, 0], 40)), ["accuracy", "neg_log_loss", "roc_auc_ovr"]
    given = {"cv": cv, "scoring": scoring, "error_score": np.nan, "random_state": 0}
    result = PairedEvaluator(**given).evaluate({"one": model, "two": DummyClassifier()}, rng.normal(size=(80, 2)), y)
    for positive in names:
        for ask in (
            lambda positive=positive: result.rates(threshold=[0.5], positive=positive),
            lambda positive=positive: result.reliability("one", positive=positive),
            lambda: result.class_scores("one"),
        ):
            with pytest.raises(ValueError, match="has none"):
                ask()
