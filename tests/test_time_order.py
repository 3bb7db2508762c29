"""Test sets in time order, from the splits to every view: the losses of samples in their order, or no test."""

import json
import re
from functools import cache
from operator import itemgetter

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import RandomForestRegressor
from sklearn.exceptions import FitFailedWarning, UndefinedMetricWarning
from sklearn.linear_model import Lasso, LogisticRegression, Ridge
from sklearn.metrics import fbeta_score, make_scorer, matthews_corrcoef, recall_score
from sklearn.model_selection import GroupKFold, KFold, ShuffleSplit, TimeSeriesSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import skcompare as skc
from skcompare import RunOptions
from skcompare.inference import diebold_mariano_test
from tests.lawful import codes

N = 240
RNG = np.random.default_rng(7)
X = RNG.normal(size=(N, 3))
NOISE = RNG.normal(size=N)
REGRESSION = X, X[:, 0] + NOISE
CLASSES = X, (X[:, 0] + NOISE > 0).astype(int)
REGRESSORS = {"ridge": Ridge(), "tree": DecisionTreeRegressor(random_state=0)}
CLASSIFIERS = {
    "bayes": GaussianNB(),
    "logistic": LogisticRegression(),
    "chance": DummyClassifier(strategy="stratified", random_state=0),
}
MOVING = [(np.arange(i - 60, i), np.arange(i, i + 20)) for i in range(60, N, 20)]
GROWING_ONE_BY_ONE = [(np.arange(i), [i]) for i in range(N - 30, N)]
IN_TIME = {
    "growing": TimeSeriesSplit(5),
    "with a gap": TimeSeriesSplit(4, gap=3),
    "moving": MOVING,
    "moving, of scikit-learn": TimeSeriesSplit(6, max_train_size=50, test_size=10),
    "one by one": GROWING_ONE_BY_ONE,
    "the newest window first": MOVING[::-1],
    "the newest sample first": [(N - 1 - train, N - 1 - test) for train, test in TimeSeriesSplit(5).split(X)],
}
NOT_IN_TIME = {
    "folds in order": KFold(5),
    "shuffled folds": KFold(5, shuffle=True, random_state=0),
    "random splits": ShuffleSplit(4, random_state=0),
    "one split": [(np.arange(180), np.arange(180, N))],
    "groups": GroupKFold(4),
    "the same test set twice": [(np.arange(i, 100), np.arange(100, N)) for i in range(2)],
    "some training sets before, some after": [*MOVING[:4], (np.arange(200, N), np.arange(160, 180))],
}


@cache
def _of_the_test(result):
    """The first warning of a comparison that is not about how good a model is."""
    return next(one for one in result.compare()[0].warnings if one.code != "BASE_RATE")


def evaluated(task="regression", cv="growing", keep=True):
    models, data = (REGRESSORS, REGRESSION) if task == "regression" else (CLASSIFIERS, CLASSES)
    scoring = ["neg_mean_absolute_error"] if cv == "one by one" else None
    evaluator = skc.PairedEvaluator(
        cv=IN_TIME[cv], scoring=scoring, random_state=0, options=RunOptions(keep_predictions=keep)
    )
    return evaluator.evaluate(models, *data)


@pytest.mark.parametrize("cv", IN_TIME)
def test_windows_that_grow_or_move_on_are_recognised_from_the_splits(cv):
    result = evaluated(cv=cv)
    assert result.design.time_order
    assert result.design.name == f"{result.design.n_splits} test sets in time order"


def test_of_training_sets_that_grow_the_smallest_and_the_largest_are_said():
    sizes = evaluated().design.train_sizes
    said = f"5 splits: trained on {min(sizes)} to {max(sizes)}, tested on {min(evaluated().design.test_sizes)} samples."
    assert said in " ".join(str(evaluated().explain()).split())


def test_groups_in_time_order_are_refused_with_what_keeps_the_order():
    evaluator = skc.PairedEvaluator(cv=TimeSeriesSplit(5), scoring="r2")
    with pytest.raises(ValueError, match="TimeSeriesSplit ignores groups") as refused:
        evaluator.evaluate(REGRESSORS, *REGRESSION, groups=np.arange(N) % 4)
    assert "Draw them on the times" in str(refused.value)
    assert "gives up the order in time" in str(refused.value)
    by_time = [(np.arange(i), np.arange(i, i + 40)) for i in range(80, N, 40)]  # four groups at each time
    result = skc.PairedEvaluator(cv=by_time, scoring="r2", options=RunOptions(check_data=False)).evaluate(
        REGRESSORS, *REGRESSION
    )
    assert result.design.time_order


DAYS = pd.date_range("2026-01-01", periods=40, freq="D")
DATED = {
    "an index of X": lambda X, y: (X.set_index(DAYS), y),
    "an index of X in a time zone": lambda X, y: (X.set_index(DAYS.tz_localize("Europe/Berlin")), y),
    "an index of X that is shuffled": lambda X, y: (X.set_index(DAYS[np.argsort(y)]), y),
    "periods": lambda X, y: (X.set_index(DAYS.to_period()), y),
    "an index of y": lambda X, y: (X.to_numpy(), pd.Series(y, DAYS)),
    "a column that rises": lambda X, y: (X.assign(day=DAYS), y),
    "a column that falls": lambda X, y: (X.assign(day=DAYS[::-1]), y),
    "a column of periods": lambda X, y: (X.assign(day=DAYS.to_period()), y),
}
MEANS = {"mean": DummyRegressor(), "median": DummyRegressor(strategy="median")}


@pytest.mark.parametrize("dated", DATED)
@pytest.mark.parametrize("cv", [5, np.int64(4), "2x3"], ids=str)
def test_that_times_are_shuffled_is_said_and_changes_no_split(dated, cv, rng):
    X, y = pd.DataFrame(rng.normal(size=(40, 2)), columns=["a", "b"]), rng.normal(size=40)
    plain, result = (
        skc.PairedEvaluator(cv, "r2", random_state=0).evaluate(MEANS, *data) for data in ((X, y), DATED[dated](X, y))
    )
    assert result.design == plain.design
    np.testing.assert_array_equal(result.scores, plain.scores)
    [said] = [one.sentence for one in result.warnings if one.code == "TIME_ORDER"]
    where = "column 'day'" if "column" in dated else "the index"
    assert said.startswith(f"{where} of the data has times, and cv shuffles them.")
    assert "TIME_ORDER" not in codes(plain)


def test_of_times_that_nothing_shuffles_or_that_tell_no_order_nothing_is_said(rng):
    X, y = pd.DataFrame(rng.normal(size=(40, 2)), columns=["a", "b"]), rng.normal(size=40)
    for cv in (KFold(5), KFold(5, shuffle=True, random_state=0), TimeSeriesSplit(4)):  # which the user chose
        assert "TIME_ORDER" not in codes(skc.PairedEvaluator(cv, "r2").evaluate(MEANS, X.set_index(DAYS), y))
    for days in (DAYS[:1].repeat(40), DAYS[np.r_[20:40, :20]]):  # all one day; dates of birth
        assert "TIME_ORDER" not in codes(skc.PairedEvaluator(5, "r2").evaluate(MEANS, X.assign(day=days), y))


@pytest.mark.parametrize("cv", NOT_IN_TIME)
def test_no_other_splits_are_taken_for_time_order(cv):
    evaluator = skc.PairedEvaluator(cv=NOT_IN_TIME[cv], scoring="r2", random_state=0)
    result = evaluator.evaluate(REGRESSORS, *REGRESSION, groups=np.arange(N) // 20 if cv == "groups" else None)
    assert not result.design.time_order
    assert "time order" not in result.summary()


@pytest.mark.parametrize("cv", IN_TIME)
def test_the_default_is_the_test_on_the_losses_of_the_samples_in_their_order(cv):
    result = evaluated(cv=cv)
    by_time = {}
    for name in result.estimators:
        parts = zip(result.splits(), result.predictions(name), strict=True)
        by_time[name] = {
            t: abs(y - p) for (_, at), part in parts for t, y, p in zip(at, part.y_true, part.y_pred, strict=True)
        }
    losses = [[errors[t] for t in sorted(errors)] for errors in by_time.values()]
    for options in ({}, {"horizon": 1}, {"horizon": 4}, {"period": 12}, {"period": 7, "horizon": 2}):
        wanted = diebold_mariano_test(*losses, **options)
        found = result.test(metric="neg_mean_absolute_error", **options)
        assert found.pvalue == pytest.approx(wanted.pvalue)
        assert found.estimate == pytest.approx(wanted.estimate)
        assert codes(found) == codes(wanted)
    row = next(row for row in result.compare() if row.metric == "neg_mean_absolute_error")
    assert row.procedure == "diebold_mariano_test"
    assert -row.mean_a == pytest.approx(np.mean(losses[0]))


def recurring(n, period, seed, index=None):
    """Forecasts whose losses recur: in every period the same times are hard for one model, and never for the other."""
    rng = np.random.default_rng(seed)
    hard = np.resize(rng.normal(size=period) > 0.3, n)
    y = pd.Series(rng.normal(size=n), index=index)
    return y, {"a": y + rng.normal(size=n) * (1 + hard), "b": y + rng.normal(size=n) * (2 - hard)}


class Remembered(RegressorMixin, BaseEstimator):
    """Predicts what was written down for the time that X holds."""

    def __init__(self, values):
        self.values = values

    def fit(self, X, y):  # noqa: ARG002
        return self

    def predict(self, X):
        return self.values[np.asarray(X)[:, 0].astype(int)]


def dates(kind, freq, n):
    return getattr(pd, f"{kind}_range")("2020-01-01", periods=n, freq=freq)


@pytest.mark.parametrize(
    ("kind", "freq", "period"),
    [
        *(("date", "h", 24), ("date", "D", 7), ("date", "MS", 12), ("date", "ME", 12), ("date", "QS", 4)),
        *(("period", "h", 24), ("period", "D", 7), ("period", "M", 12), ("period", "Q", 4), ("date", "BME", 12)),
        *(("date", "2h", 1), ("date", "B", 1), ("date", "W", 1), ("date", "YS", 1), ("date", "15min", 1)),
    ],
)
@pytest.mark.sampled
def test_the_period_is_that_of_a_regular_index_and_no_other(kind, freq, period, rng):
    index = dates(kind, freq, N)
    X, y = pd.DataFrame(REGRESSION[0], index=index), pd.Series(REGRESSION[1], index=index)
    evaluator = skc.PairedEvaluator(cv=TimeSeriesSplit(5), scoring="neg_mean_absolute_error", random_state=0)
    given = ((X, y), (X, y.to_numpy()), (X.to_numpy(), y), (X[::-1], y[::-1]))
    for data in given[int(rng.integers(4)) :][:1]:
        result = evaluator.evaluate(REGRESSORS, *data)
        assert result.design.period == period == result.test().period == result.compare()[0].record.period
        assert (f", period {period}" in result.design.name) == (period > 1) == (", period" in result.summary())
        assert result.test(period=1).period == 1 == result.compare(period=1)[0].record.period  # what is stated wins
        assert result.test(period=3).pvalue == result.compare(period=3)[0].record.pvalue
    at = rng.permutation(N) if rng.random() < 0.5 else np.delete(np.arange(N), 17)
    irregular = evaluator.evaluate(REGRESSORS, X.iloc[at], y.iloc[at])
    assert irregular.design.period == 1
    assert skc.PairedEvaluator(cv=KFold(5), scoring="r2").evaluate(REGRESSORS, X, y).design.period == 1


def test_clocks_that_are_put_forward_leave_hours_and_days_regular():
    def period_by(index):
        y = pd.Series(np.arange(float(len(index))), index=index)
        return skc.from_predictions(y, {"a": y + 1}, scoring="r2", task="regression").design.period

    for freq, period in (("h", 24), ("D", 7)):
        assert period_by(pd.date_range("2024-03-01", periods=80, freq=freq, tz="Europe/Berlin")) == period
    for index in (range(9), dates("date", "D", 2), pd.DatetimeIndex(["2020-01-01", None, "2020-01-03", "2020-01-04"])):
        assert period_by(index) == 1


def test_samples_that_are_not_tested_in_between_have_no_period():
    X, y = pd.DataFrame(REGRESSION[0], index=dates("date", "D", N)), REGRESSION[1]
    cv = [(np.arange(i - 60, i), np.arange(i, i + 5)) for i in range(60, N, 20)]
    evaluator = skc.PairedEvaluator(cv=cv, scoring="neg_mean_absolute_error", random_state=0)
    assert evaluator.evaluate(REGRESSORS, X, y).design.period == 1


def test_predictions_have_the_period_of_their_index_and_files_keep_it(tmp_path):
    y, models = recurring(200, 7, 0, dates("date", "D", 200))
    result = skc.from_predictions(y, models, scoring="neg_mean_absolute_error")
    assert result.design.period == 7
    assert result.test("diebold_mariano_test").period == 7
    result.save(tmp_path / "kept.skc")
    assert skc.load(tmp_path / "kept.skc").design.period == 7
    plain = skc.from_predictions(y.to_numpy(), models, scoring="neg_mean_absolute_error")
    assert plain.test("diebold_mariano_test").period == 1
    with pytest.raises(ValueError, match="period must be None for 'paired_t_test'"):
        result.compare("paired_t_test", period=7)


def test_claims_on_losses_that_recur_are_fragile_and_those_of_whole_periods_are_not():
    """One model is better in the first months of every year, so that single months are not independent."""
    n, year = 240, 12
    better = np.where(np.arange(n) % year < 8, 1.0, -0.5) + 0.2 * np.random.default_rng(0).normal(size=n)
    y = pd.Series(np.zeros(n))
    X = np.arange(n)[:, None]
    models = {"a": Remembered(np.full(n, 1.0)), "b": Remembered(1.0 + better)}

    def compared(index):
        cv = [(np.arange(i), np.arange(i, i + year)) for i in range(year, n, year)]
        evaluator = skc.PairedEvaluator(cv=cv, scoring="neg_mean_absolute_error", random_state=0)
        return evaluator.evaluate(models, X, y.set_axis(index))

    single = compared(np.arange(n)).compare()[0]
    assert single.outcome.significant
    assert "TIME_ORDER" in codes(single.record)
    assert single.fragile
    whole = compared(dates("date", "MS", n)).compare()[0]
    assert whole.record.period == year
    assert whole.fragile == ("TIME_ORDER" in codes(whole.record)) is False


def test_the_order_of_the_rows_of_a_test_set_does_not_matter():
    cv = [(train, test[::-1]) for train, test in TimeSeriesSplit(5).split(X)]
    turned = skc.PairedEvaluator(cv=cv, random_state=0).evaluate(REGRESSORS, *REGRESSION)
    metric = "neg_mean_absolute_error"
    assert turned.test(metric=metric, horizon=3).pvalue == pytest.approx(
        evaluated().test(metric=metric, horizon=3).pvalue
    )


@pytest.mark.parametrize("task", ["regression", "classes"])
def test_functions_of_means_are_linearised_within_each_test_set(task):
    result = evaluated(task)
    for row in result.compare():
        if row.record is not None:
            differences = result.difference(row.metric, row.a, row.b)
            assert row.estimate == pytest.approx(differences.mean())  # test sets of one size
    metric = "neg_root_mean_squared_error" if task == "regression" else "roc_auc"
    assert isinstance(result.test(metric=metric).pvalue, float)


def test_a_metric_without_values_per_sample_is_not_comparable_and_says_why():
    evaluator = skc.PairedEvaluator(cv=IN_TIME["growing"], scoring=["accuracy", "average_precision"], random_state=0)
    result = evaluator.evaluate(CLASSIFIERS, *CLASSES)
    rows = {row.metric: row for row in result.compare(baseline="bayes")}
    assert rows["average_precision"].outcome.value == "not comparable"
    assert rows["average_precision"].warnings[0].sentence == (
        "average_precision is not tested: in time order a test needs a value of each sample, which it has not."
    )
    with pytest.raises(ValueError, match="has no value per sample"):
        result.test(metric="average_precision")
    assert rows["accuracy"].outcome.value != "not comparable"


class Late(GaussianNB):
    """Fails on the first training set."""

    def fit(self, X, y):
        if len(X) < 60:
            raise ValueError("too few samples")
        return super().fit(X, y)


def precision_of(models, error_score="raise"):
    """Of `CLASSES` with a third of positives."""
    evaluator = skc.PairedEvaluator(cv=TimeSeriesSplit(5), scoring=["precision"], error_score=error_score)
    return evaluator.evaluate(models, X, (X[:, 0] + NOISE > 0.6).astype(int))


def test_a_model_without_the_metric_takes_no_verdict_from_the_others():
    two = {name: CLASSIFIERS[name] for name in ("bayes", "logistic")}
    alone = precision_of(two).compare()[0]
    with pytest.warns(UndefinedMetricWarning):
        result = precision_of({**two, "constant": DummyClassifier()})
    rows = {(row.a, row.b): row for row in result.compare()}
    assert rows["bayes", "logistic"].pvalue == alone.pvalue
    refused = rows["bayes", "constant"]
    assert refused.outcome.value == "not comparable"
    assert refused.warnings[-1].sentence == "precision is not tested: precision of 'constant' is 0/0."
    assert "Two more comparisons could not be made because precision was 0/0." in result.methods_text()
    with pytest.raises(ValueError, match="precision of 'constant' is 0/0"):
        result.test(metric="precision", a="bayes", b="constant")
    assert not [w for w in rows["bayes", "logistic"].warnings if "constant" in w]


def test_a_model_that_failed_on_a_test_set_leaves_it_to_the_others():
    two = {name: CLASSIFIERS[name] for name in ("bayes", "logistic")}
    with pytest.warns(FitFailedWarning):
        result = precision_of({**two, "late": Late()}, error_score=np.nan)
    rows = {(row.a, row.b): row for row in result.compare()}
    assert rows["bayes", "logistic"].pvalue == precision_of(two).compare()[0].pvalue
    assert rows["bayes", "late"].record.n == 160 < rows["bayes", "logistic"].record.n == 200
    assert "'late' has no finite precision on 40 of 200 items" in " ".join(rows["bayes", "late"].warnings)


def test_without_predictions_and_where_test_sets_overlap_there_is_no_test():
    lacking = evaluated(keep=False)
    assert {row.outcome.value for row in lacking.compare()} == {"not comparable"}
    assert "losses of single samples, which are not known here" in _of_the_test(lacking)
    cv = [(np.arange(i), np.arange(i, i + 20)) for i in range(60, 220, 10)]
    overlapping = skc.PairedEvaluator(cv=cv, scoring="r2").evaluate(REGRESSORS, *REGRESSION)
    assert overlapping.design.time_order
    assert "the test sets overlap in time" in _of_the_test(overlapping)
    with pytest.raises(ValueError, match="overlap in time"):
        overlapping.test()


OF_FOLDS = [
    ("corrected_t", {}),
    ("paired_t", {}),
    ("permutation", {}),
    ("equivalence", {"margin": 0.1}),
    ("correlated_t_posterior", {}),
    ("mcnemar", {}),
    ("paired_metric", {}),
    ("hotelling", {}),
    ("model_confidence_set", {}),
    ("anova", {}),
    ("friedman", {}),
    ("tukey", {}),
    ("nemenyi", {}),
    ("cochran_q", {}),
    ("fold_error_rate", {"threshold": 0.4}),
]


@pytest.mark.parametrize(("procedure", "options"), OF_FOLDS, ids=[name for name, _ in OF_FOLDS])
def test_every_other_test_on_such_splits_says_time_order(procedure, options):
    warnings = [w for w in evaluated("classes").test(procedure, **options).warnings if w.code == "TIME_ORDER"]
    assert len(warnings) == 1
    assert "decide by diebold_mariano_test" in warnings[0]
    assert "%" not in warnings[0]  # no figure of another test
    shuffled = skc.PairedEvaluator(cv=5, random_state=0).evaluate(CLASSIFIERS, *CLASSES)
    assert "TIME_ORDER" not in codes(shuffled.test(procedure, **options))


def test_dominance_and_intervals_say_time_order_and_equivalence_by_a_posterior_is_refused():
    result = evaluated()
    assert "TIME_ORDER" in codes(result.dominance())
    assert "TIME_ORDER" in codes(result.intervals().rows[0])
    with pytest.raises(ValueError, match="margin must be None in time order"):
        result.compare(margin=0.1)
    for asked in ({}, {"margin": 0.1}, {"metric": "neg_mean_absolute_error"}):  # nobody need have given a margin
        with pytest.raises(ValueError, match=r"^result must not be in time order.*'pvalues'"):
            result.plot("win_probabilities", **asked)
    result.plot("pvalues")


def test_every_view_speaks_alike(tmp_path):
    result = evaluated("classes")
    views = {
        "summary": result.summary("full"),
        "page": result.to_html(),
        "markdown": result.to_markdown(),
        "latex": result.to_latex(),
        "methods": result.methods_text(),
        "json": result.to_json(),
    }
    document = json.loads(views["json"])
    del document["intervals"]  # of each model alone, over the test sets, which say so
    for name, text in {**views, "json": json.dumps(document)}.items():
        flat = " ".join(text.split())
        assert "in time order" in flat, name
        assert "TIME_ORDER" not in flat, name
        assert "pattern of wins" not in flat, name
    assert "Diebold-Mariano test" in views["methods"]
    assert document["design"]["time_order"] is True
    assert set(document["error_rates"]["by_metric"]) >= {"accuracy", "recall", "f1"}
    said = "This is about the forecasts that these fitted models made, not about the algorithms."
    allowed = "On recall and f1 the variance of the test allows for other training sets"
    for name in ("summary", "page", "markdown", "latex", "methods"):
        assert said in " ".join(views[name].split()), name
    assert f"{said} {allowed}" in " ".join(views["methods"].split())
    for name in ("summary", "page"):  # what stands in the first lines is not said again
        flat = " ".join(views[name].split())
        assert (flat.count(said), flat.count(allowed)) == (1, 1), name
    assert views["methods"].count("allows for other training sets") == 1
    full = " ".join(views["summary"].split())
    assert "as if test sets in time order were exchangeable" in full
    assert "about the algorithms on training sets" not in full
    result.save(tmp_path / "result.skc")
    again = skc.load(tmp_path / "result.skc")
    assert again.design == result.design
    assert again.summary("full") == views["summary"]


def test_what_it_is_about_depends_on_the_metrics():
    models, X, y = equal_algorithms(0)
    forecasts, allowed = "the forecasts that these fitted models made", "allows for other training sets"
    for scoring, wanted in (
        (["accuracy"], (True, False)),
        (["recall"], (False, True)),
        (["accuracy", "f1"], (True, True)),
    ):
        result = skc.PairedEvaluator(
            cv=TimeSeriesSplit(5), scoring=scoring, options=RunOptions(check_data=False)
        ).evaluate(models, X, y)
        for text in (result.summary("full"), result.methods_text()):
            flat = " ".join(text.split())
            assert (forecasts in flat, allowed in flat) == wanted, scoring
        for text in (result.summary(), result.to_latex()):  # of the first metric
            flat = " ".join(text.split())
            assert (forecasts in flat, allowed in flat) == (wanted[0], scoring == ["recall"]), scoring
    shuffled = skc.PairedEvaluator(cv=5, scoring=["accuracy"], options=RunOptions(check_data=False)).evaluate(
        models, X, y
    )
    assert forecasts not in " ".join(shuffled.summary().split())


def test_every_view_of_a_learning_curve_says_what_it_is_about():
    models, X, y = equal_algorithms(0)
    evaluator = skc.PairedEvaluator(
        cv=TimeSeriesSplit(5), scoring=["roc_auc", "f1"], options=RunOptions(check_data=False)
    )
    curve = evaluator.learning_curve(models, X, y, train_sizes=[40, 100])
    said = "not about the algorithms. On f1 the variance of the test allows for other training sets"
    for view in (curve.summary, curve.to_html, curve.to_markdown, curve.to_latex, curve.methods_text):
        assert " ".join(view().split()).count(said) == 1, view.__name__


def test_losses_that_stay_alike_stand_beside_the_answer():
    rng = np.random.default_rng(3)
    drift = rng.normal(size=N)
    for t in range(1, N):
        drift[t] = 0.97 * drift[t - 1] + 0.25 * drift[t]
    models = {"forest": RandomForestRegressor(5, max_depth=2, random_state=0), "ridge": Ridge()}
    evaluator = skc.PairedEvaluator(cv=TimeSeriesSplit(5), scoring="neg_mean_absolute_error", random_state=0)
    result = evaluator.evaluate(models, np.column_stack([X, np.arange(N)]), 3 * drift + X[:, 0])
    assert "TIME_ORDER" in codes(result.test())
    caution = result.explain().named("caution").text
    assert "of true nulls were rejected" in caution
    assert caution in " ".join(result.summary().split())


def test_what_rests_on_a_standard_error_that_is_said_to_be_too_small_is_not_told():
    """Neither how many samples would settle it nor what could have been found."""
    rng, told = np.random.default_rng(1), []
    for rho in (0.0, 0.9):
        noise = np.zeros(400)
        for t in range(1, 400):
            noise[t] = rho * noise[t - 1] + rng.normal()
        inputs = np.column_stack([np.arange(400) / 400, rng.normal(size=400)])
        evaluator = skc.PairedEvaluator(cv=TimeSeriesSplit(5), scoring="neg_mean_absolute_error")
        result = evaluator.evaluate({"ridge": Ridge(), "lasso": Lasso(0.003)}, inputs, 3 * inputs[:, 0] + noise)
        alike = "TIME_ORDER" in codes(result.test())
        assert result.compare()[0].outcome.value == "undecided"
        said = " ".join(str(result.explain()).split())
        told.append((alike, "would settle it" in said, "Smallest detectable difference" in said))
    assert told == [(False, True, True), (True, False, False)]


def test_rare_classes_and_base_rates_are_told_in_time_order_too(rng):
    X = rng.normal(size=(300, 3))
    y = (np.arange(300) % 5 == 0).astype(int)
    result = skc.PairedEvaluator(cv=TimeSeriesSplit(5), scoring="accuracy").evaluate(
        {"chance": DummyClassifier(strategy="stratified", random_state=0), "constant": DummyClassifier()}, X, y
    )
    assert "'chance' is not shown to be better than always predicting" in " ".join(
        w for w in result.test().warnings if w.code == "BASE_RATE"
    )
    assert {"WEAK_METRIC", "BASE_RATE"} & {*codes(result.compare()[0])} == {"WEAK_METRIC", "BASE_RATE"}


def equal_algorithms(seed):
    """Naive Bayes on two blocks of features that are drawn alike, 30% positives, and both models."""
    rng = np.random.default_rng(seed)
    y = (rng.random(300) < 0.3).astype(int)
    blocks = {"a": itemgetter((slice(None), slice(2))), "b": itemgetter((slice(None), slice(2, 4)))}
    models = {name: make_pipeline(FunctionTransformer(block), GaussianNB()) for name, block in blocks.items()}
    return models, rng.normal(size=(300, 4)) + 0.6 * y[:, None], y


def test_on_what_moves_with_the_training_set_other_training_sets_count():
    """n = 50 k; sums over pairs of the nested training sets: sum of 1 / max(i, j) over 5 x 5, times 1/25 and 5."""
    result = skc.PairedEvaluator(cv=TimeSeriesSplit(5), options=RunOptions(check_data=False)).evaluate(
        *equal_algorithms(0)
    )
    wanted = 5 / 25 * sum(1 / max(i, j) for i in range(1, 6) for j in range(1, 6))
    found = {row.metric: row.record.training_variance for row in result.compare()}
    assert found == {
        "accuracy": 0,
        "precision": 0,
        "recall": pytest.approx(wanted),
        "f1": found["recall"],
        "roc_auc": 0,
    }
    assert "On recall and f1 the variance of the test allows for other training sets (Nadeau" in result.methods_text()
    with pytest.raises(ValueError, match="training_variance is set by the design"):
        result.test(metric="recall", training_variance=0.0)
    one_test_set = skc.PairedEvaluator(cv=[(np.arange(200), np.arange(200, 300))]).evaluate(*equal_algorithms(0))
    assert one_test_set.test("diebold_mariano", metric="accuracy").training_variance == 0


RENAMED = {
    "auc": ("roc_auc", "roc_auc"),
    "acc": ("accuracy", "accuracy"),
    "f1": ("recall", "recall"),
    "log loss": ("neg_log_loss", "neg_log_loss"),
    "hits": (make_scorer(recall_score, pos_label="yes"), "recall"),
    "agreement": (make_scorer(matthews_corrcoef), "matthews_corrcoef"),
}
SCORING = {name: source for name, (source, _) in RENAMED.items()}
ONE_TEST_SET = [(np.arange(180), np.arange(180, N))]


@pytest.mark.parametrize("cv", [TimeSeriesSplit(5), ONE_TEST_SET], ids=["in time order", "one test set"])
def test_a_metric_is_tested_as_what_it_is_whatever_it_is_called(cv, tmp_path):
    y = np.where(CLASSES[1], "yes", "no")
    models = {"bayes": GaussianNB(), "logistic": LogisticRegression(C=0.1)}
    alone = {"twofold": make_scorer(fbeta_score, beta=2, pos_label="yes")} if cv is not ONE_TEST_SET else {}
    scoring = {**SCORING, **alone}
    result = skc.PairedEvaluator(cv=cv, scoring=scoring, options=RunOptions(check_data=False)).evaluate(models, X, y)
    found = {row.metric: row for row in result.compare()}
    plain = sorted({name for _, name in RENAMED.values()})
    own = skc.PairedEvaluator(cv=cv, scoring=plain, options=RunOptions(check_data=False)).evaluate(models, X, y)
    wanted = {row.metric: row for row in own.compare()}
    result.save(tmp_path / "renamed.skc")
    loaded = {row.metric: row for row in skc.load(tmp_path / "renamed.skc").compare()}
    for name, (source, of) in RENAMED.items():
        assert found[name].procedure == wanted[of].procedure != "", name
        assert found[name].estimate == wanted[of].estimate, name
        assert found[name].record.pvalue == wanted[of].record.pvalue, name
        if isinstance(source, str):
            assert loaded[name].record.pvalue == wanted[of].record.pvalue, name
    if result.design.time_order:
        assert found["twofold"].outcome.value == "not comparable"
        with pytest.raises(ValueError, match=r"'twofold' has no value per sample.*: 'accuracy'"):
            result.test(metric="twofold")  # and no test is named that takes samples for exchangeable


@pytest.mark.parametrize("n_classes", [2, 3])
def test_metrics_that_equal_accuracy_have_its_test(n_classes):
    y = np.digitize(REGRESSION[1], [-0.5, 0.5][: n_classes - 1])
    alike = ["accuracy", "recall_weighted", "f1_micro", "precision_micro", "recall_micro"]
    models = {"bayes": GaussianNB(), "logistic": LogisticRegression(C=0.01)}
    evaluator = skc.PairedEvaluator(
        cv=TimeSeriesSplit(5), scoring=[*alike, "recall_macro"], options=RunOptions(check_data=False)
    )
    rows = {row.metric: row for row in evaluator.evaluate(models, X, y).compare()}
    for name in alike:
        assert (rows[name].record.pvalue, rows[name].record.training_variance) == (rows["accuracy"].record.pvalue, 0)
    assert rows["recall_macro"].record.training_variance > 1


def test_several_labels_are_right_all_together_or_one_by_one():
    """Of several labels micro averages are no accuracy, and depend on the training set."""
    Y = (X[:, :2] + RNG.normal(size=(N, 2)) > 0).astype(int)
    models = {"trees": DecisionTreeClassifier(max_depth=3, random_state=0), "near": KNeighborsClassifier()}
    evaluator = skc.PairedEvaluator(
        cv=TimeSeriesSplit(5), scoring=["accuracy", "f1_micro"], options=RunOptions(check_data=False)
    )
    one, other = evaluator.evaluate(models, X, Y).compare()
    assert (one.record.training_variance, other.record.training_variance > 1) == (0, True)


def test_what_is_said_of_a_metric_is_said_of_it_by_another_name():
    models, X, y = equal_algorithms(0)
    models["constant"] = DummyClassifier()
    evaluator = skc.PairedEvaluator(cv=TimeSeriesSplit(5), scoring={"hits": "accuracy", "f1": "recall"})
    result = evaluator.evaluate(models, X, y)
    rates = json.loads(result.to_json())["error_rates"]["by_metric"]
    plain = skc.PairedEvaluator(cv=TimeSeriesSplit(5), scoring=["accuracy", "recall"]).evaluate(models, X, y)
    wanted = json.loads(plain.to_json())["error_rates"]["by_metric"]
    assert rates == {"hits": wanted["accuracy"], "f1": wanted["recall"]}
    said = {(w.code, w.about) for row in result.compare() for w in row.warnings}
    assert ("BASE_RATE", ("b", "hits")) in said
    assert ("WEAK_METRIC", ("constant", "f1")) in said


def test_equal_algorithms_seldom_differ_on_recall():
    """Without the correction 26% did."""
    evaluator = skc.PairedEvaluator(cv=TimeSeriesSplit(5), scoring="recall", options=RunOptions(check_data=False))
    rejected = [evaluator.evaluate(*equal_algorithms(seed)).test().pvalue < 0.05 for seed in range(16)]
    assert sum(rejected) <= 3


def test_stumps_differ_too_often_on_recall_and_a_claim_that_would_not_stand_says_so():
    """Each on three of six columns of which the label is a noisy sum; 23% of equal ones differed."""
    halves = {"a": itemgetter((slice(None), slice(3))), "b": itemgetter((slice(None), slice(3, 6)))}
    models = {
        name: make_pipeline(FunctionTransformer(half), DecisionTreeClassifier(max_depth=1))
        for name, half in halves.items()
    }
    evaluator = skc.PairedEvaluator(cv=TimeSeriesSplit(5), scoring="recall", options=RunOptions(check_data=False))
    n_claims = 0
    for seed in range(12):
        rng = np.random.default_rng((seed, 300))
        X = rng.normal(size=(300, 6))
        result = evaluator.evaluate(models, X, (0.6 * X.sum(axis=1) + rng.normal(size=300) > 0).astype(int))
        (row,) = result.compare()
        n_claims += row.outcome.significant
        assert row.outcome.significant or not row.fragile
        assert bool(re.search("on recall (would|may) not stand", " ".join(result.summary().split()))) == row.fragile
        known = result.compare(horizon=1)[0]  # which was not simulated
        assert known.fragile == (known.outcome.significant and "TIME_ORDER" in codes(known.record))
    assert n_claims


def test_error_rates_are_those_of_independent_samples_only():
    models, X, y = equal_algorithms(1)
    evaluator = skc.PairedEvaluator(
        cv=TimeSeriesSplit(5), scoring=["accuracy", "recall"], options=RunOptions(check_data=False)
    )
    result = evaluator.evaluate(models, X, y)
    assert "of similar simulations" in " ".join(result.summary().split())
    grid, where = result.explain().named("error rates"), "150 to 300 independent samples, 10% to 50% positives"
    wanted = json.loads(result.to_json())["error_rates"]["by_metric"]
    for column in grid.columns[1:]:
        assert column.values == (wanted[column.name]["mean"], wanted[column.name]["high"])
        assert column.cells[0] == f"{wanted[column.name]['mean']:.0%}"
    assert where in grid.caption
    methods = " ".join(result.methods_text().split())
    assert f"{where}) the test at 5% was wrong" in methods
    at = np.argsort(y + 0.01 * X[:, 0] * (np.arange(300) % 2))  # all negatives first: losses stay alike
    order = np.concatenate([at[i::6] for i in range(6)])
    alike = {
        "a": DummyClassifier(strategy="constant", constant=0),
        "b": DummyClassifier(strategy="constant", constant=1),
    }
    result = evaluator.evaluate(alike, X[order], y[order])
    assert "error rate not measured." in " ".join(result.summary().split())
    why = "not measured for runs like this (in time order it depends on how far losses correlate)."
    assert why in result.explain().named("error rate").text
    assert result.explain().named("error rates") is None


def test_a_comparison_takes_a_horizon():
    result = evaluated()
    metric = "neg_mean_absolute_error"
    (row,) = result.compare(metrics=metric, horizon=3)
    assert row.pvalue == result.test(metric=metric, horizon=3).pvalue != result.compare(metrics=metric)[0].pvalue
    assert row.record.horizon == 3
    with pytest.raises(ValueError, match=r"horizon must be None .*'diebold_mariano_test' has one"):
        result.compare("corrected_t", horizon=3)
    with pytest.raises(ValueError, match="horizon must be an integer"):
        result.compare(horizon=0)


def test_the_order_in_which_windows_are_listed_changes_no_test():
    one, other = (
        skc.PairedEvaluator(cv=cv, scoring="neg_mean_absolute_error", random_state=0).evaluate(REGRESSORS, *REGRESSION)
        for cv in (MOVING, MOVING[::-1])
    )
    assert other.test().pvalue == pytest.approx(one.test().pvalue)


def test_a_study_over_data_sets_takes_each_for_one_case():
    data = {f"set {i}": (np.roll(X, i, axis=0), REGRESSION[1]) for i in range(3)}
    study = skc.PairedEvaluator(cv=TimeSeriesSplit(3), scoring="r2").evaluate_datasets(REGRESSORS, data)
    assert "TIME_ORDER" not in codes(study.compare()[0])
    assert "3 test sets in time order" in study.summary()
