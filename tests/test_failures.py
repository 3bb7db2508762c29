"""A failed fit is missing evidence: nothing but `to_cross_validate` depends on the number that stands for it."""

from __future__ import annotations

import re
import sys
import time
import warnings
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import get_scorer, make_scorer
from sklearn.model_selection import GridSearchCV, RepeatedKFold, StratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeRegressor

import skcompare as skc
from skcompare import EstimatorFailedError, RunOptions
from skcompare.testing import assert_not_worse, not_worse
from tests.saved_files import with_content

pytestmark = [pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning", "ignore:scoring failed")]

try:
    from joblib.externals import cloudpickle
except ImportError:  # not bundled any more
    import cloudpickle

cloudpickle.register_pickle_by_value(sys.modules[__name__])  # so that workers get its models

N = 60
X = np.column_stack([np.arange(N), np.random.default_rng(3).normal(size=(N, 3))])  # the first column numbers the rows
CONTINUOUS = X[:, 1] + 0.5 * X[:, 2] + np.random.default_rng(4).normal(size=N)
LABELS = (CONTINUOUS > 0.4).astype(int)
ERROR_SCORES = (0.0, -1e9, 1.0)
REGRESSION = ("r2", "neg_root_mean_squared_error", "neg_mean_absolute_error", "max_error")
CLASSES = ("accuracy", "roc_auc", "neg_log_loss", "false_alarm_rate")
FITS: list[tuple[float, int]] = []


class _Failing(BaseEstimator):
    """Fails where its training set lacks one of some rows; on every split where `lacks` is None."""

    def __init__(self, lacks=None, message="no fit", seconds=0.0, random_state=None):
        self.lacks, self.message, self.seconds, self.random_state = lacks, message, seconds, random_state

    def fit(self, X, y):
        FITS.append((float(X[:, 0].sum()), len(X)))
        if self.lacks is None or not {*self.lacks} <= {*X[:, 0].astype(int).tolist()}:
            time.sleep(self.seconds)
            raise RuntimeError(self.message.format(X[:, 0].sum()))
        self.model_ = self._model().fit(X[:, 1:], y)
        self.classes_ = getattr(self.model_, "classes_", None)
        return self

    def predict(self, X):
        return self.model_.predict(X[:, 1:])


class FailingRegressor(RegressorMixin, _Failing):
    def _model(self):
        return Ridge()


class FailingClassifier(ClassifierMixin, _Failing):
    def _model(self):
        return LogisticRegression()

    def predict_proba(self, X):
        return self.model_.predict_proba(X[:, 1:])


def evaluated(task, lacks, metrics, error_score, *, n_models=3, cv="2x5", **options):
    """Two models, or more, of which one fails where it lacks some rows; it comes first."""
    numbers = task == "regression"
    fails = FailingRegressor(lacks) if numbers else FailingClassifier(lacks)
    others = [Ridge(), Ridge(alpha=300), DecisionTreeRegressor(max_depth=2, random_state=0)]
    if not numbers:
        others = [LogisticRegression(), GaussianNB(), LogisticRegression(C=1e-3)]
    names = dict(zip(("good", "other", "third"), others, strict=True))
    models = {"broken": fails, **{name: names[name] for name in list(names)[: n_models - 1]}}
    options = {"random_state": 0, "options": RunOptions(keep_predictions=False), **options}
    evaluator = skc.PairedEvaluator(cv, scoring(metrics), error_score=error_score, **options)
    return evaluator.evaluate(models, X, CONTINUOUS if numbers else LABELS)


def scoring(metrics):
    """Of max_error less is better: a scorer of its own gives the negative, as scikit-learn's scorers do."""
    found = {name: get_scorer(f"neg_{name}") if name == "max_error" else name for name in metrics}
    return found if "max_error" in metrics else list(metrics)


def views(result):
    """All that is said of a result, without times."""
    names, first = result.estimators, result.metrics[0]
    gates = [not_worse(result, new, old, margin=0.5, metric=first) for new, old in (names[:2], names[1::-1])]
    said = {
        "summary": result.summary(),
        "markdown": result.to_markdown(),
        "methods": result.methods_text(),
        "answer": str(result.answer()),
        "compare": str(result.compare()),
        "intervals": str(result.intervals()),
        "frame": result.to_frame().to_csv(),
        "gates": [str(gate) for gate in gates],
    }
    if result.details.task == "regression":
        said |= {
            "latex": result.to_latex(),
            "with rope": str(result.compare(margin=0.1)),
            "dominance": str(result.dominance("table")),
            "front": str(result.pareto_front()) if len(names) > 2 else "",
        }
    return said


def lacking(n):
    """The rows that a model may not do without, more of them for more failures; None for a failure on every split."""
    return None if n > 7 else tuple(range(n))


# ---- no view depends on the number --------------------------------------------------------------------------------


@given(data=st.data(), error_score=st.sampled_from(ERROR_SCORES), n=st.integers(1, 8), n_models=st.integers(2, 4))
def test_no_view_depends_on_the_number_that_stands_for_a_failure(data, error_score, n, n_models):
    task, known = data.draw(st.sampled_from([("regression", REGRESSION), ("binary", CLASSES)]))
    metrics = data.draw(st.lists(st.sampled_from(known), min_size=1, max_size=3, unique=True))
    missing, shown = (evaluated(task, lacking(n), metrics, score, n_models=n_models) for score in (np.nan, error_score))
    assert missing.failures == shown.failures != ()
    np.testing.assert_array_equal(missing.scores, shown.scores)
    assert np.isnan(shown.scores[0][shown._scores.failed[0]]).all()
    assert views(missing) == views(shown)
    found, plain = shown.to_cross_validate("broken"), missing.to_cross_validate("broken")
    for name in found.keys() - {"fit_time", "score_time"}:
        np.testing.assert_array_equal(found[name], np.where(np.isnan(plain[name]), error_score, plain[name]))


@given(
    task=st.sampled_from(["regression", "binary"]),
    error_score=st.sampled_from([*ERROR_SCORES, np.nan]),
    n_models=st.integers(3, 4),
    data=st.data(),
)
def test_a_model_without_any_score_blanks_no_other_and_wins_nothing(task, error_score, n_models, data):
    metric = data.draw(st.sampled_from(REGRESSION if task == "regression" else CLASSES))
    result = evaluated(task, None, [metric], error_score, n_models=n_models)
    (answer,) = result.answer().metrics
    assert answer.leader not in ("broken", None)
    assert answer.not_comparable == ("broken",)
    assert all(row.winner != "broken" for row in result.compare())
    assert "broken" not in result.pareto_front().names
    assert "broken" not in result.test("friedman").names
    assert answer.leader == _only(result, result.estimators[1:]).answer().metrics[0].leader
    for name in result.estimators[1:]:  # their means are there
        assert re.search(rf"^{name} +[−-]?[0-9]", result.summary(), re.M), result.summary()


def _only(result, names):
    """A result of some of the models."""
    rows = [result.estimators.index(name) for name in names]
    return replace(
        result,
        estimators=tuple(names),
        scores=result.scores[rows],
        fit_times=result.details.fit_times[rows],
        score_times=result.details.score_times[rows],
        failures=(),
        kept_predictions=None,
    )


@cache
def looks_seeds_sizes_and_data_sets(error_score):
    models = {"broken": FailingClassifier((0, 1)), "good": LogisticRegression(), "other": GaussianNB()}
    common = {"scoring": "accuracy", "error_score": error_score, "random_state": 0}
    looked = skc.PairedEvaluator("4x5", stop=skc.StopRule(), **common).evaluate(models, X, LABELS)
    seeded = skc.PairedEvaluator("2x5", n_seeds=2, **common).evaluate(models, X, LABELS)
    plain = skc.PairedEvaluator("2x5", **common)
    curve = plain.learning_curve(models, X, LABELS, train_sizes=[20, 40])
    study = plain.evaluate_datasets(models, {"a": (X, LABELS), "b": (X[::-1], LABELS[::-1]), "c": (X, 1 - LABELS)})
    return looked, seeded, curve, study


@pytest.mark.sampled
@pytest.mark.parametrize("error_score", [0.0, 1.0])
def test_looks_seeds_sizes_and_data_sets_see_a_failure_as_missing(error_score):
    shown, missing = map(looks_seeds_sizes_and_data_sets, (error_score, np.nan))
    for one, other in zip(shown, missing, strict=True):
        assert one.summary() == other.summary()
        assert str(one.compare()) == str(other.compare())
    assert (
        shown[0].details.stopping.unscored == missing[0].details.stopping.unscored == {"broken": 2}
    )  # 10 splits, the first look
    assert str(shown[0].details.stopping) == str(missing[0].details.stopping)
    seeded = shown[1]
    assert np.isnan(seeded.scores[0][seeded._scores.failed[0]]).all()
    assert seeded._scores.failed[0].any()
    np.testing.assert_array_equal(shown[3].means("accuracy"), missing[3].means("accuracy"))


def test_a_model_that_fails_on_all_data_sets_blanks_no_ranking():
    def study(models):
        datasets = {f"d{i}": (X + i, CONTINUOUS * (i + 1) + X[:, 3]) for i in range(6)}
        return skc.PairedEvaluator(5, "r2", random_state=0, error_score=0.0).evaluate_datasets(models, datasets)

    models = {"a": Ridge(), "b": Ridge(alpha=30), "c": DecisionTreeRegressor(max_depth=2, random_state=0)}
    found, without = study({"broken": FailingRegressor(), **models}), study(models)
    assert found.rank().names == tuple(models)
    np.testing.assert_array_equal(found.rank().mean_ranks, without.rank().mean_ranks)
    assert found.test().pvalue == without.test().pvalue
    one, other = (result.answer().metrics[0] for result in (found, without))
    assert (one.leader, one.worse, one.not_different) == (other.leader, other.worse, other.not_different)
    assert one.not_comparable == ("broken",)
    assert found.pareto_front().names == tuple(models)


# ---- what is said of them -----------------------------------------------------------------------------------------


def told(result, metric, name="broken"):
    return [w for w in result._scores.score_warnings(metric, name) if w.code == "MISSING_SCORES"]


def test_failures_are_said_in_one_line_per_model():
    result = evaluated("binary", (0,), ["accuracy", "roc_auc"], 0.0)
    n = int(result._scores.failed[0, :, 0].sum())
    assert n == 2  # once per repeat
    first = int(np.flatnonzero(result._scores.failed[0, :, 0])[0])
    said = "failed on 2 of 10 splits, which are left out of its comparisons"
    line = f"MISSING_SCORES: 'broken' {said}. The first is split {first}: see result.failures."
    assert told(result, "accuracy") == told(result, "roc_auc") == [line]
    assert " ".join(result.summary().split()).count("failed on 2 of 10 splits") == 1
    moody = FailingClassifier(message="no fit {}")
    models = {"broken": moody, "good": GaussianNB()}
    result = skc.PairedEvaluator("2x5", ["accuracy", "f1"], error_score=0.0, random_state=0).evaluate(models, X, LABELS)
    assert told(result, "f1") == [
        "MISSING_SCORES: 'broken' failed on 10 of 10 splits and is left out: see result.failures."
    ]


@pytest.mark.parametrize("lacks", [(3,), (3, 40), None])
def test_means_over_fewer_splits_than_comparisons_say_so_wherever_they_stand(lacks):
    """Means are over the splits with all scores, comparisons over those of two models."""
    result = evaluated("binary", lacks, ("accuracy",), 0.0, options=None)
    n = 0 if lacks is None else int(np.isfinite(result.scores).all(axis=(0, 2)).sum())
    note = f"MISSING_SCORES: means of {{}} are over the {n} of 10 splits with all scores; each comparison is over"
    cost = result.expected_cost({(0, 1): 1, (1, 0): 5})
    for metric, shown in (("accuracy", result.rank()), ("accuracy", result.intervals()), ("neg_cost", cost)):
        assert (note.format(metric) in " ".join(str(shown).split())) == (n > 0)
    assert (f"Means are over the {n} of 10 splits" in " ".join(str(result).split())) == (n > 0)
    level = 100 * (1 - 0.05 / sum(row.outcome.tested for row in cost.comparison))
    assert f"{float(f'{level:.4g}'):g}% interval" in str(cost).split("pair")[1]


def test_where_one_comparison_is_left_the_head_has_the_level_of_its_interval():
    models = {"broken": FailingClassifier(message="no fit {}"), "good": GaussianNB(), "other": LogisticRegression()}
    scoring = ["accuracy", "f1", "recall"]  # of which the last two share an error rate
    text = skc.PairedEvaluator("2x5", scoring, error_score=0.0, random_state=0).evaluate(models, X, LABELS).summary()
    assert "95% interval  rank" in text
    assert "together" not in text.partition("All three metrics")[0]


def test_a_metric_that_fails_is_missing_alone():
    def fussy(y_true, y_pred):
        if y_pred.min() == y_pred.max():
            raise ValueError("one class")
        return float(np.mean(y_true == y_pred))

    models = {"broken": DummyClassifier(), "good": GaussianNB()}
    metrics = {"fussy": make_scorer(fussy), "accuracy": "accuracy"}
    result = skc.PairedEvaluator("2x5", metrics, error_score=1.0, random_state=0).evaluate(models, X, LABELS)
    said = "'broken' failed on 10 of 10 splits and is left out of comparisons by fussy: see result.failures."
    assert told(result, "fussy") == [f"MISSING_SCORES: {said}"]
    assert told(result, "accuracy") == []
    assert result.answer().metrics[0].not_comparable or "fussy" not in result.answer().metrics[0].metric
    assert result.to_cross_validate("broken")["test_fussy"].tolist() == [1.0] * 10


# ---- a model that is given up -------------------------------------------------------------------------------------


FIRST = range(5)
GIVEN_UP = "'broken' failed on its first 5 splits with the same message; its other 15 fits were not started"


def rows_of_the_first_repeat(cv="4x5"):
    """One row of each test set of the first repeat: who cannot do without them fails on these splits."""
    splits = skc.PairedEvaluator(cv, "r2", random_state=0).evaluate([Ridge(), Ridge(alpha=2)], X, CONTINUOUS).splits()
    return splits, tuple(int(test[0]) for _, test in splits[:5])


def given_up(**options):
    settings = {"cv": "4x5", "scoring": "r2", "random_state": 0, "error_score": 0.0, **options}
    models = {"broken": FailingRegressor(None), "good": Ridge(), "slow": FailingRegressor(())}
    FITS.clear()
    with pytest.warns(FitFailedWarning, match=GIVEN_UP):
        return skc.PairedEvaluator(**settings).evaluate(models, X, CONTINUOUS)


class _Mute(GaussianNB):
    """Gives probabilities and no labels."""

    def predict(self, X):  # noqa: ARG002
        raise ValueError("no labels")


@pytest.mark.parametrize("cv", [3, [(range(40), range(40, N))]])
def test_groups_are_scored_where_a_model_gives_probabilities_and_no_labels(cv):
    right = make_scorer(lambda y_true, y_pred: float((y_true == y_pred).mean()))
    evaluator = skc.PairedEvaluator(cv, {"auc": "roc_auc", "right": right}, random_state=0, error_score=np.nan)
    result = evaluator.evaluate({"mute": _Mute(), "nb": GaussianNB()}, X, LABELS)
    compared = {row.metric: bool(np.isfinite(row.estimate)) for row in result.by(np.arange(N) % 2).rows}
    assert compared == {"auc": cv == 3, "right": False}


@pytest.mark.parametrize("error_score", [0.0, np.nan, -1])
def test_after_five_equal_failures_the_other_fits_are_not_started(error_score):
    result = given_up(error_score=error_score)
    assert len(FITS) == 5 + 20  # of the model that fails, and of one that does not
    assert [one.started for one in result.failures] == [True] * 5 + [False] * 15
    assert [one.split for one in result.failures] == [*range(20)]
    assert result.failures[5].message == (
        "estimator 'broken' was not fitted on split 5 (repeat 1, fold 0): it failed on its first 5 splits with the "
        "same message"
    )
    assert told(result, "r2") == [f"MISSING_SCORES: {GIVEN_UP}, and it is left out. See result.failures."]
    assert GIVEN_UP in " ".join(result.summary().split())
    shown = result.to_cross_validate("broken")
    np.testing.assert_array_equal(shown["test_score"], [error_score] * 20)
    assert np.isfinite(shown["fit_time"]).tolist() == [True] * 5 + [False] * 15


def test_other_messages_a_success_and_five_splits_start_all():
    _, rows = rows_of_the_first_repeat()
    models = {
        "words": FailingRegressor(message="no fit {}"),
        "four": FailingRegressor(rows[1:]),
        "good": Ridge(),
    }
    FITS.clear()
    result = skc.PairedEvaluator("4x5", "r2", random_state=0, error_score=0.0).evaluate(models, X, CONTINUOUS)
    assert all(one.started for one in result.failures)
    assert len(FITS) == 40
    FITS.clear()
    models = {"broken": FailingRegressor(), "good": Ridge()}
    result = skc.PairedEvaluator(5, "r2", random_state=0, error_score=0.0).evaluate(models, X, CONTINUOUS)
    assert all(one.started for one in result.failures)
    assert len(FITS) == 5


def test_raise_stops_at_the_first_and_cross_val_score_tries_all():
    models = {"broken": FailingRegressor(), "good": Ridge()}
    FITS.clear()
    with pytest.raises(ValueError, match="'broken' failed in fit on split 0"):
        skc.PairedEvaluator("4x5", "r2", random_state=0).evaluate(models, X, CONTINUOUS)
    assert len(FITS) == 1
    _, rows = rows_of_the_first_repeat()
    cv = RepeatedKFold(n_splits=5, n_repeats=2, random_state=0)
    rows = tuple(int(test[0]) for _, test in list(cv.split(X))[:5])
    FITS.clear()
    scores = skc.selection.cross_val_score(FailingRegressor(rows), X, CONTINUOUS, cv=cv, error_score=-1e9)
    assert (scores[:5] == -1e9).all()
    assert len(scores) == len(FITS) == 10


def test_what_is_reported_depends_neither_on_workers_nor_on_a_store(tmp_path):
    """The model fails slowly on its first five splits and would be fitted on the others, which workers have started."""
    splits, rows = rows_of_the_first_repeat()
    models = {"broken": FailingRegressor(rows, seconds=0.02), "good": Ridge()}
    store = tmp_path / "fits.sqlite"
    evaluator = skc.PairedEvaluator(splits, "r2", random_state=0, error_score=0.0)
    plain = evaluator.evaluate(models, X, CONTINUOUS)
    later = [splits[i] for i in plain._scores.failed[0, :, 0].nonzero()[0] if i >= 5]
    assert len(later) == 15
    fitted = [split for split in splits[5:] if {*rows} <= {*split[0].tolist()}]
    assert fitted  # some later fits succeed where they are made
    kept = skc.PairedEvaluator(fitted, "r2", random_state=0, error_score=0.0, store=store).evaluate(
        models, X, CONTINUOUS
    )
    assert kept.failures == ()
    runs = [
        evaluator.set_params(n_jobs=n_jobs, store=given, options=RunOptions(keep_predictions=keep)).evaluate(
            models, X, CONTINUOUS
        )
        for n_jobs, given, keep in ((2, None, True), (1, store, False), (2, store, True), (1, store, True))
    ]
    for run in runs:
        assert run.failures == plain.failures
        np.testing.assert_array_equal(run.scores, plain.scores)
        assert run.summary() == plain.summary()


def test_events_add_up_where_fits_are_not_started():
    events = []
    given_up(options=RunOptions(callback=events.append))
    assert events[-1].n_done == events[-1].n_total == 5 + 20 + 20
    assert events[-1].n_failed == 5


def test_nothing_left_is_an_error_that_says_what_was_not_started():
    models = {"broken": FailingRegressor(), "other": FailingRegressor(message="nor this")}
    with pytest.raises(ValueError, match="all 10 fits failed, and the other 30 were not started"):
        skc.PairedEvaluator("4x5", "r2", random_state=0, error_score=0.0).evaluate(models, X, CONTINUOUS)


# ---- gates --------------------------------------------------------------------------------------------------------


@given(
    error_score=st.sampled_from([*ERROR_SCORES, np.nan]),
    n=st.integers(1, 8),
    task=st.sampled_from(["regression", "binary"]),
    margin=st.sampled_from([0.05, 1.0, 1e6]),
    data=st.data(),
)
def test_a_gate_never_passes_a_model_with_failures_of_its_own(error_score, n, task, margin, data):
    metric = data.draw(st.sampled_from(REGRESSION if task == "regression" else CLASSES))
    margin = margin if task == "regression" else min(margin, 0.99)  # less than these metrics can differ by
    result = evaluated(task, lacking(n), [metric], error_score)
    found = not_worse(result, "broken", "good", margin=margin)
    assert found.verdict in ("cannot be compared", "worse")
    if found.verdict == "cannot be compared":
        n_failed = int(result._scores.failed[0, :, 0].sum())
        said = f"broken cannot be compared with good: it failed on {n_failed} of 10 splits, where good did not fail"
        assert found._sentence().startswith(said)
        with pytest.raises(AssertionError, match="cannot be compared"):
            assert_not_worse(result, "broken", "good", margin=margin)
    back = not_worse(result, "good", "broken", margin=margin)  # the old one's failures are no reason
    assert back.reason == ""
    if margin == 1e6 and n <= 7:
        assert back.verdict == "not worse"


def test_a_gate_passes_a_model_that_fails_where_the_old_one_does():
    models = {"old": FailingRegressor((0, 1)), "new": FailingRegressor((0,)), "other": Ridge()}
    result = skc.PairedEvaluator("4x5", "r2", random_state=0, error_score=0.0).evaluate(models, X, CONTINUOUS)
    assert not_worse(result, "new", "old", margin=0.05).verdict == "not worse"
    assert not_worse(result, "old", "new", margin=10).verdict == "cannot be compared"


@given(seed=st.integers(0, 10**6), margin=st.sampled_from([0.2, 0.5]))
def test_a_gate_never_passes_a_model_that_predicts_one_class_alone(seed, margin):
    rng = np.random.default_rng(seed)
    y = (rng.random(300) < 0.1).astype(int)
    features = y[:, None] * 2.5 + rng.normal(size=(300, 2))
    models = {"old": LogisticRegression(), "new": DummyClassifier(), "twin": LogisticRegression(C=0.9)}
    cv = StratifiedKFold(10, shuffle=True, random_state=0)
    result = skc.PairedEvaluator(cv, "accuracy").evaluate(models, features, y)
    found = not_worse(result, "new", "old", margin=margin)
    assert found.verdict == "cannot be compared"
    assert "predicts only one class on " in found._sentence()
    equal = np.array_equal(result.score("twin", "accuracy"), result.score("old", "accuracy"))
    could_be = {"not worse", "undecided"} if equal else {"not worse"}  # where predictions differ no test is about it
    assert not_worse(result, "twin", "old", margin=margin).verdict in could_be
    assert not_worse(result, "old", "new", margin=margin).verdict == "not worse"
    labels = {"old": y, "new": np.zeros_like(y)}
    one = not_worse(skc.from_predictions(y, labels, scoring="accuracy"), "new", "old", margin=margin)
    assert one._sentence() == "new cannot be compared with old: it predicts only one class, where old predicts several."


@pytest.mark.parametrize("kind", [float, bool, object])
def test_nor_where_its_labels_are_of_another_type(kind):  # as in a column with gaps, where other models have scores
    y = np.arange(80) % 2
    result = skc.from_predictions(y, {"old": y, "new": np.zeros(80, kind)}, scoring="accuracy")
    assert not_worse(result, "new", "old", margin=0.9).verdict == "cannot be compared"


@pytest.mark.parametrize(
    "options",
    [
        {"options": RunOptions(keep_predictions=False)},
        {"n_seeds": 2},
        {"options": RunOptions(keep_predictions=False), "n_jobs": 2},
    ],
)
def test_nor_where_predictions_were_not_kept(tmp_path, options):
    rng = np.random.default_rng(0)
    y = (rng.random(200) < 0.2).astype(int)
    features = y[:, None] * 2.0 + rng.normal(size=(200, 2))
    models = {"old": LogisticRegression(), "new": DummyClassifier(), "twin": LogisticRegression(C=0.9)}
    result = skc.PairedEvaluator(5, "accuracy", random_state=0, **options).evaluate(models, features, y)
    result.save(tmp_path / "run.skc")
    for one in (result, skc.load(tmp_path / "run.skc")):
        assert not_worse(one, "new", "old", margin=0.9).verdict == "cannot be compared"
        assert not_worse(one, "old", "new", margin=0.9).verdict == "not worse"
        assert not_worse(one, "twin", "old", margin=0.9).verdict == "not worse"


def test_a_gate_over_data_sets_and_over_scores_of_other_tools_passes_no_failure_either():
    models = {"old": Ridge(), "new": FailingRegressor((0,))}
    evaluator = skc.PairedEvaluator(5, "r2", random_state=0, error_score=0.0)
    other = X.copy()
    other[:, 0] += 100  # there the model cannot do without rows that are not there
    datasets = {f"d{i}": (np.roll(X, i, axis=0), np.roll(CONTINUOUS, i)) for i in range(8)}
    study = evaluator.evaluate_datasets(models, datasets)
    found = not_worse(study, "new", "old", margin=10)
    assert found.verdict == "cannot be compared"
    assert "it failed on 8 of 8 data sets, where old did not fail; the first is 'd0'" in found._sentence()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        dicts = {
            name: cross_validate(model, X, CONTINUOUS, cv=5, scoring=["r2"], return_indices=True)
            for name, model in models.items()
        }
    given = skc.from_cross_validate(dicts)
    assert not_worse(given, "new", "old", margin=10).verdict == "cannot be compared"


# ---- searches -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", ["r2", "neg_root_mean_squared_error"])
@pytest.mark.parametrize("lacks", [None, (0,)], ids=["all", "some"])
def test_a_search_counts_what_stands_for_failures_as_missing(metric, lacks):
    def report(error_score):
        grid = {"lacks": [(), lacks], "message": ["a", "b"]}
        search = GridSearchCV(FailingRegressor(), grid, scoring=metric, cv=5, error_score=error_score, refit=False)
        return skc.SearchReport.from_search(search.fit(X, CONTINUOUS))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        missing, *shown = (report(score) for score in (np.nan, 0.0, -1e9, 1.0))
    for found in shown:
        np.testing.assert_array_equal(found.scores, missing.scores)
        assert [row.name for row in found.ranking] == [row.name for row in missing.ranking]
        assert "lacks=()" in found.best.name
        assert any("2 of 4 candidates without a score on some split" in one for one in found.warnings)
        guessed = lacks is not None  # of one without any score the search keeps that it never scored
        assert any("taken for missing" in one for one in found.warnings) == guessed
        assert str(found.result().answer()) == str(missing.result().answer())


def test_candidates_that_failed_on_every_split_are_known_from_the_table_alone():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        grid = {"lacks": [None, (0,), ()]}
        search = GridSearchCV(FailingRegressor(), grid, scoring="r2", cv=5, error_score=1.0, refit=False)
        table = search.fit(X, CONTINUOUS).cv_results_
    found = skc.from_cross_validate(table, n_folds=5)
    assert np.isnan(found.scores).all(axis=(1, 2)).tolist() == [True, False, False]


def test_a_rule_of_a_search_does_not_choose_what_failed_on_every_split():
    grid = {"lacks": [None, ()]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        search = GridSearchCV(
            FailingRegressor(),
            grid,
            scoring="neg_root_mean_squared_error",
            cv=5,
            error_score=0.0,
            refit=skc.simplest_within(complexity=lambda params: params["lacks"] is not None),
        ).fit(X, CONTINUOUS)
    assert search.best_params_ == {"lacks": ()}


# ---- saved files --------------------------------------------------------------------------------------------------


@given(error_score=st.sampled_from([*ERROR_SCORES, np.nan]), n=st.integers(1, 8))
def test_saved_failures_are_read_as_they_were(tmp_path_factory, error_score, n):
    path = tmp_path_factory.mktemp("saved") / "run.skc"
    result = evaluated("binary", lacking(n), ["accuracy", "roc_auc"], error_score)
    result.save(path)
    found = skc.load(path)
    assert found.failures == result.failures
    np.testing.assert_array_equal(found.scores, result.scores)
    for one, other in zip(
        found.to_cross_validate("broken").values(), result.to_cross_validate("broken").values(), strict=True
    ):
        np.testing.assert_array_equal(one, other)
    assert found.summary() == result.summary()


@given(error_score=st.sampled_from([*ERROR_SCORES, np.nan]), n=st.integers(1, 8))
def test_a_file_of_an_earlier_version_with_error_scores_among_its_scores_is_read_rightly(
    tmp_path_factory, error_score, n
):
    """As version 0.1 saved it: the number stands among the scores, and only the failures tell of it."""
    path = tmp_path_factory.mktemp("saved") / "run.skc"
    result = evaluated("binary", lacking(n), ["accuracy", "roc_auc"], error_score)
    result.save(path)

    def earlier(header, arrays):
        header.pop("error_score", None)
        for one in header["failures"]:
            one.pop("started")
        arrays["scores"] = np.where(result._scores.failed, error_score, result.scores)

    with_content(path, earlier)
    found = skc.load(path)
    np.testing.assert_array_equal(found.scores, result.scores)
    np.testing.assert_array_equal(found._scores.error_score, error_score)
    for one, other in zip(
        found.to_cross_validate("broken").values(), result.to_cross_validate("broken").values(), strict=True
    ):
        np.testing.assert_array_equal(one, other)
    assert str(found.compare()).split("MISSING_SCORES")[0] == str(result.compare()).split("MISSING_SCORES")[0]
    assert found.answer() == result.answer()


# ---- what is missing is not equal, and a masked score is missing ---------------------------------------------------


@pytest.mark.parametrize("metrics", [["r2"], ["r2", "neg_mean_absolute_error"]])
@pytest.mark.parametrize("n_models", [2, 3])
@pytest.mark.parametrize("n", [1, 3, 0])
def test_models_are_not_said_to_have_the_same_scores_on_splits_where_one_failed(n, n_models, metrics):
    models = {"one": FailingRegressor(lacking(n)), "other": FailingRegressor(()), "worse": Ridge(alpha=1e4)}
    evaluator = skc.PairedEvaluator("2x5", metrics, error_score=0.0, random_state=0)
    result = evaluator.evaluate({name: models[name] for name in [*models][:n_models]}, X, CONTINUOUS)
    assert result._scores.failed.any() == (n > 0)
    said = " ".join(f"{result.summary()} {result.answer()} {result.methods_text()}".split())
    if n or n_models == 2:  # of three, "worse" may be not significantly different either
        assert ("have the same scores on r2." in said) == (n == 0), said
    assert result.compare()[0].outcome is skc.Outcome.UNDECIDED


HIDDEN = np.ma.array(0.9, mask=True)  # of which `item` gives 0 or the number below the mask


def masked_alone(*_):
    return np.ma.masked


def masked_of_several(*_):
    return {"hidden": HIDDEN, "shown": np.ma.array(0.25, mask=False)}


def masked_constant(*_):
    return np.ma.masked


def masked_array(*_):
    return HIDDEN


@pytest.mark.parametrize("error_score", [np.nan, 0.0])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_masked_score_is_missing(error_score, n_jobs):
    functions = {"constant": make_scorer(masked_constant), "array": make_scorer(masked_array)}
    models = {"good": LogisticRegression(), "other": GaussianNB()}
    for given_, shown in (
        (masked_alone, ()),
        (masked_of_several, ("shown",)),
        (functions, ()),
        ({**functions, "shown": "f1"}, ("shown",)),
    ):
        evaluator = skc.PairedEvaluator(3, given_, error_score=error_score, n_jobs=n_jobs, random_state=0)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Warning: converting a masked element")
            result = evaluator.evaluate(models, X, LABELS)
        for metric in result.metrics:
            assert np.isfinite(result.score("good", metric)).all() == (metric in shown)
            if given_ is not functions:
                assert np.isnan(result.score("good", metric)).all() == (metric not in shown)
    with pytest.raises(EstimatorFailedError, match="must return a number"):
        skc.PairedEvaluator(3, masked_alone, n_jobs=n_jobs).evaluate(models, X, LABELS)
