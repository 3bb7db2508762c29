"""Evaluations that stop when their verdict is reached, and drop models on the way."""

from __future__ import annotations

import dataclasses
import json
import pickle
import re
from importlib.resources import files
from itertools import combinations
from math import comb
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from scipy import special
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB

import skcompare
from benchmarks.racing import normal_scores, race
from skcompare import Outcome, PairedEvaluator, RunOptions, StopRule
from skcompare.inference import alpha_spending, corrected_t_test, model_confidence_set
from skcompare.plotting import ScoresDisplay
from tests.drawn_words import told
from tests.lawful import FULL
from tests.saved_files import with_header

Y = np.arange(120) % 2
X = np.random.default_rng(0).normal(size=(120, 8)) + np.array([2.0, 1.0, 0.9, 0.9, 0.0, 0.0, 0.0, 0.0]) * Y[:, None]


class On(ClassifierMixin, BaseEstimator):
    """Naive Bayes on some columns; counts its fits."""

    fits = 0

    def __init__(self, columns=(0,), fails=False):
        self.columns, self.fails = columns, fails

    def fit(self, X, y):
        type(self).fits += 1
        if self.fails:
            raise RuntimeError("no fit")
        self.fitted_ = GaussianNB().fit(X[:, list(self.columns)], y)
        self.classes_ = self.fitted_.classes_
        return self

    def predict(self, X):
        return self.fitted_.predict(X[:, list(self.columns)])


FIVE = {"good": On((0, 1)), "fair": On((0, 2)), "poor": On((1,)), "noise": On((4,)), "rubbish": On((5,))}


def evaluate(models=FIVE, *, cv="6x5", scoring="accuracy", stop=None, **options):
    evaluator = PairedEvaluator(cv=cv, scoring=scoring, random_state=0, stop=stop, **options)
    return evaluator.evaluate(models, X, Y)


@pytest.fixture(scope="module")
def full():
    return evaluate(scoring=["accuracy", "f1"])


@pytest.fixture(scope="module")
def raced():
    return evaluate(scoring=["accuracy", "f1"], stop=StopRule())


@pytest.fixture(scope="module")
def pair():
    return evaluate({"good": On((0, 1)), "noise": On((4,))}, stop=StopRule())


# ---- what is fitted -------------------------------------------------------------------------------------------------


def test_the_scores_are_those_of_the_first_repeats_of_the_full_evaluation(full, raced):
    stopping = raced.details.stopping
    assert set(stopping.worse) == {"noise", "rubbish", "poor"}
    assert stopping.kind == "undecided"
    for e, name in enumerate(raced.estimators):
        n = stopping.repeats_of(name) * 5
        assert np.array_equal(raced.scores[e, :n], full.scores[e, :n])
        assert np.isnan(raced.scores[e, n:]).all()
        assert np.isnan(raced.details.fit_times[e, n:]).all()
        assert np.isfinite(raced.details.fit_times[e, :n]).all()
    assert stopping.n_fits == np.isfinite(raced.details.fit_times).sum()
    assert stopping.n_fits + stopping.n_fits_saved == 5 * 5 * 6
    assert full.details.stopping is None


def test_a_verdict_ends_it(pair):
    stopping = pair.details.stopping
    assert (stopping.kind, stopping.names) == ("best", ("good",))
    assert stopping.verdict == "good is significantly better than noise on accuracy"
    assert stopping.n_repeats == pair.design.n_repeats < 6
    assert pair.design.n_splits == 5 * stopping.n_repeats
    assert len(pair.splits()) == pair.design.n_splits
    reference = evaluate({"good": On((0, 1)), "noise": On((4,))}, cv=f"{stopping.n_repeats}x5")
    assert pair.design == dataclasses.replace(reference.design, sequential=True)
    assert np.array_equal(pair.scores, reference.scores)


def test_it_ends_at_the_first_look_whose_p_value_is_below_its_level():
    result = evaluate({"a": On((0, 1)), "b": On((1, 2))}, stop=StopRule(min_repeats=2))
    levels = alpha_spending(5, 6, min_repeats=2, spending="late").levels
    a, b = result.scores[:, :, 0]
    for look, level in zip(result.details.stopping.looks, levels, strict=False):
        n = look.repeat * 5
        test = corrected_t_test(a[:n], b[:n], test_fraction=1 / 5)
        assert look.level == pytest.approx(level)
        assert look.pvalues[1 if test.estimate > 0 else 0] == pytest.approx(test.pvalue)
    decided = [look.repeat for look in result.details.stopping.looks if (look.pvalues < look.level).any()]
    assert decided in ([], [result.design.n_repeats])
    assert len(decided) == (result.details.stopping.kind == "best")


def test_p_values_are_those_of_the_model_confidence_set_of_who_is_left(raced):
    """Whose first p-value is of all pairs; those of the others are of fewer models, and at least the one before."""
    for look in raced.details.stopping.looks:
        scores = np.array([raced.score(name, "accuracy")[: look.repeat * 5] for name in look.names])
        expected = model_confidence_set(scores.T, test_fraction=1 / 5)
        assert look.pvalues.min() == pytest.approx(expected.pvalues.min())
        ahead = expected.statistics > 0
        assert (look.pvalues[~ahead] == 1).all()
        assert np.argsort(look.pvalues[ahead]).tolist() == np.argsort(-expected.statistics[ahead]).tolist()


def test_many_models_are_compared_by_a_sharper_test_than_that_of_separate_pairs(rng):
    """For two models it is that of the pair."""
    for k in (2, 3, 6, 20):
        scores = normal_scores(rng, [0.0] * (k - 1) + [-2.5])
        look = race(scores, StopRule()).looks[0]
        tests = (corrected_t_test(a[:10], b[:10], test_fraction=0.1) for a, b in combinations(scores, 2))
        smallest = min(test.pvalue for test in tests)
        assert smallest < look.pvalues.min() or k == 2
        assert look.pvalues.min() < comb(k, 2) * smallest if k > 2 else look.pvalues.min() == pytest.approx(smallest)


def test_without_dropping_the_verdict_is_the_same(full, raced):
    kept = evaluate(scoring=["accuracy", "f1"], stop=StopRule(drop=False))
    assert kept.details.stopping.worse == raced.details.stopping.worse
    assert kept.details.stopping.names == raced.details.stopping.names
    assert np.array_equal(kept.scores, full.scores[:, : kept.design.n_splits])
    assert kept.details.stopping.n_fits == kept.scores.shape[0] * kept.design.n_splits


def test_lower_is_better_for_costs():
    scores = {"n_parameters": lambda estimator, X, _: len(estimator.columns) * (1 + np.sum(X) * 1e-3)}
    result = evaluate({"small": On((0,)), "large": On((0, 1, 2))}, scoring=scores, stop=StopRule())
    assert result.details.stopping.names == ("small",)


# ---- practical equivalence ------------------------------------------------------------------------------------------


def test_models_within_the_rope_end_it_as_equivalent():
    result = evaluate({"a": On((0, 1)), "b": On((0, 1, 4))}, stop=StopRule(margin=0.2))
    assert (result.details.stopping.kind, result.details.stopping.names) == ("equivalent", ("a", "b"))
    assert str(result.details.stopping).startswith(
        "a and b are practically equivalent on accuracy (within 0.2); decided after 2"
    )
    for alpha, kind in ((0.05, "equivalent"), (1e-300, "undecided")):  # identical; 1e-300 leaves no look a level
        found = evaluate(
            {"a": On((0,)), "b": On((0,))}, stop=StopRule(margin=1e-6, alpha=alpha, spending="obrien_fleming")
        ).details.stopping
        assert (found.kind, {look.equivalence_pvalue for look in found.looks}) == (kind, {0})


class Constant(ClassifierMixin, BaseEstimator):
    """One class everywhere, with an even chance."""

    def __init__(self, label=0):
        self.label = label

    def fit(self, X, y):  # noqa: ARG002
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.label)

    def predict_proba(self, X):
        return np.full((len(X), 2), 0.5)


@pytest.mark.parametrize("scoring", ["accuracy", "roc_auc", {"own": lambda *_: 0.5}])
@pytest.mark.parametrize("labels", [(0, 0), (0, 1), (0, 0, 1)])
def test_equal_scores_are_equivalent_where_predictions_are_equal_too(scoring, labels):
    """As in `compare`, whatever the margin."""
    models = {f"m{i}": Constant(label) for i, label in enumerate(labels)}
    x, y = np.zeros((100, 1)), np.arange(100) % 2
    stop = StopRule(margin=0.2)
    looked = PairedEvaluator(cv="4x5", scoring=scoring, random_state=0, stop=stop).evaluate(models, x, y)
    whole = PairedEvaluator(cv="4x5", scoring=scoring, random_state=0).evaluate(models, x, y).compare(margin=0.2)
    alike = len({*labels}) == 1
    assert (looked.details.stopping.kind == "equivalent") == alike
    assert {row.outcome.value for row in looked.compare()} == {"equivalent" if alike else "undecided"}
    assert all(row.outcome.value == "equivalent" for row in whole) == alike


def test_equivalence_needs_both_one_sided_tests_at_a_level_of_their_own():
    result = evaluate({"a": On((0, 1)), "b": On((0, 2))}, stop=StopRule(margin=0.05))
    one_sided = alpha_spending(5, 6, min_repeats=2, spending="late", alternative="one-sided").levels
    a, b = result.scores[:, :, 0]
    for look, level in zip(result.details.stopping.looks, one_sided, strict=False):
        d = (a - b)[: look.repeat * 5]
        sides = [
            corrected_t_test(s * d + 0.05, np.zeros_like(d), test_fraction=0.2, alternative="greater") for s in (1, -1)
        ]
        assert look.equivalence_level == pytest.approx(level)
        if abs(d.mean()) < 0.05:
            assert look.equivalence_pvalue == pytest.approx(max(side.pvalue for side in sides))


# ---- what the tests and reports of the result say -------------------------------------------------------------------


def test_every_test_carries_the_warning(raced, pair):
    assert all("STOPPED: " in row.warnings[0] for row in raced.compare())
    assert "STOPPED" in str(pair.test().warnings)
    assert not any("intervals of this result" in one for row in raced.compare() for one in row.warnings)  # its own do
    assert "STOPPED" in str(pair.test("mcnemar").warnings)
    assert "STOPPED" in str(raced.dominance(a="good", b="fair").warnings)


def test_dropped_models_are_not_called_undefined(raced):
    record = raced.test(a="good", b="noise")
    n = raced.details.stopping.worse["noise"] * 5
    assert record.n == n
    assert f"MISSING_SCORES: 'noise' was fitted on the first {n} of {raced.design.n_splits} splits only" in str(
        record.warnings
    )
    assert "MISSING_SCORES" not in str(raced.summary())
    assert "not defined" not in raced.methods_text()


def test_means_of_the_models_that_are_left_are_over_all_their_splits(raced):
    accuracy = json.loads(raced.to_json())["metrics"][0]
    assert accuracy["means"] == pytest.approx(np.nanmean(raced.scores[:, :, 0], axis=1).tolist())
    stopping = raced.details.stopping
    n = stopping.worse["noise"] * 5
    early = [name for name in raced.estimators if stopping.repeats_of(name) < stopping.n_repeats]
    assert len(early) == 2
    assert {stopping.repeats_of(name) * 5 for name in early} == {n}
    for said in (raced.summary(), raced.to_html(), raced.to_markdown(), raced.to_latex()):
        said = " ".join(said.split())
        assert any(f"{a} and {b} (first {n} splits)" in said for a, b in (early, early[::-1]))
        assert "fair (" not in said
    assert f"noise: first {n} splits." in raced.explain().named("data").texts
    assert json.loads(raced.to_json())["stopping"]["n_splits"]["noise"] == n


def test_the_explanation_says_that_a_lead_which_ended_the_run_is_too_large(raced):
    assert raced.details.stopping.worse
    said = " ".join(str(raced.explain()).split())
    found = re.search(r"Leads that end a run are too large: in simulations by (\d+%) for strong, (\d+%) for weak", said)
    page = (Path(__file__).parents[1] / "docs/benchmarks.md").read_text(encoding="utf-8")
    rows = page.split("| lead then too large by |")[1].split("\n\n")[0].splitlines()[3:]
    measured = [row.strip("| ").split("| ")[-1] for row in rows]
    assert [f"+{end}" for end in found.groups()] == [measured[-1], measured[0]]
    ended = dataclasses.replace(raced.details.stopping, kind="undecided", worse={})
    undecided = dataclasses.replace(raced, stopping=ended)
    assert "too large" not in str(undecided.explain())


def test_a_dropped_model_never_leads_by_its_first_splits(raced):
    scores = raced.scores.copy()
    scores[3, :10] = 0.999  # far above the others, whose rows the record knows nothing of
    lucky = dataclasses.replace(raced, scores=scores)
    assert "noise leads" not in lucky.summary()
    assert "noise has the best" not in lucky.summary()
    row = next(line for line in lucky.to_markdown().splitlines() if line.startswith("| noise"))
    assert "**" not in row


def test_the_picture_of_the_scores_says_who_was_dropped(raced):
    display = ScoresDisplay.from_result(raced)
    n = raced.details.stopping.worse["noise"] * 5
    assert f"noise after {n}" in told(display)
    assert "missing" not in told(display)
    assert display.means == pytest.approx(np.nanmean(raced.scores[:, :, 0], axis=1))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, "STOPPED: the evaluation was ended after 2 repeats by 1 look at accuracy;"),
        ({"n_repeats": 6, "worse": {}}, "STOPPED: 1 look at accuracy in 6 repeats could have ended the evaluation;"),
        ({"n_repeats": 6}, "STOPPED: models were dropped by 1 look at accuracy in 6 repeats;"),
        ({"unscored": {"x": 2}}, "MISSING_SCORES: x lacks scores of accuracy and was left out"),
    ],
    ids=str,
)
def test_the_warning_says_what_the_looks_did(pair, changes, said):
    look = dataclasses.replace(pair.details.stopping.looks[0], repeat=2)
    fields = {"n_repeats": 2, "max_repeats": 6, "looks": (look,)} | changes
    assert said in str(dataclasses.replace(pair.details.stopping, **fields).warnings_of_tests())
    assert dataclasses.replace(pair.details.stopping, looks=(), unscored={}).warnings_of_tests() == ()


def test_the_predictions_of_a_dropped_model_are_those_of_its_splits(raced):
    n = raced.details.stopping.worse["noise"] * 5
    assert [part.y_pred is not None for part in raced.predictions("noise")] == [True] * n + [False] * (
        raced.design.n_splits - n
    )
    assert raced.test("mcnemar", a="good", b="noise").n == len(Y)


def test_reports_say_when_it_was_decided(raced, pair):
    for result in (raced, pair):
        line = json.loads(result.to_json())["answer"]["line"]
        assert " ".join(result.summary().split()).startswith(line)
        assert result.to_markdown().startswith(f"**{line}**")
        assert line in result._repr_html_()
        full = " ".join(result.summary("full").split())
        assert (
            f"after {result.details.stopping.n_repeats} of 6 repeats, with {result.details.stopping.n_fits} of " in full
        )
        assert "one error rate of 5% over all looks." in full
        assert f"The outcome: {result.details.stopping.verdict}" in result.methods_text()
        assert "only the sequential test decided which differences are significant" in result.methods_text().lower()
        assert "was called significant where" not in result.methods_text()
        assert "lan1983discrete" in result.methods_text()


def test_after_one_repeat_all_views_name_the_test_of_the_looks(tmp_path):
    """Ten folds alone have another default, which decided nothing; without a rule it stays."""
    models, early = {"good": On((0, 1)), "noise": On((4,))}, StopRule(10, drop=False, spending="pocock")
    one = evaluate(models, cv="10x10", stop=early)
    assert one.design.n_repeats == 1
    for text in (one.summary(), one.to_markdown(), one.to_latex()):
        assert "Corrected t test after every look" in " ".join(text.split())
    assert one.compare().procedure == "corrected_t_test"
    assert "corrected t tests of all pairs" in one.details.stopping.method
    (row,), whole = one.compare(), one.test("corrected_t_test")
    interval = whole.confidence_interval(row.confidence_level)
    assert (row.low, row.high) == (interval.low, interval.high)
    assert row.confidence_level == 1 - one.details.stopping.looks[-1].level
    assert one.test().pvalue == whole.pvalue
    assert "0.4 of the correction" not in one.methods_text()
    assert one.test("equivalence_test", margin=0.01).standard_error == pytest.approx(whole.standard_error)
    assert one.test("correlated_t_posterior").scale == pytest.approx(whole.standard_error)
    assert "0.4" not in one.intervals().about
    assert one.test("k_fold_t_test").standard_error < 0.9 * whole.standard_error  # by name it is itself
    alone = evaluate(models, cv="1x10")
    assert not alone.design.sequential
    assert alone.compare().procedure == "k_fold_t_test"
    assert alone.test("equivalence_test", margin=0.01).standard_error == pytest.approx(alone.test().standard_error)
    one.save(tmp_path / "one.skc")
    assert skcompare.load(tmp_path / "one.skc").test("correlated_t_posterior") == one.test("correlated_t_posterior")


def test_the_page_says_it(pair):
    page = pair.to_html()
    assert json.loads(pair.to_json())["answer"]["line"] in page
    assert "Discrete sequential boundaries" in page


def test_json_fits_its_schema(raced, full):
    schema = json.loads(files("skcompare.reporting").joinpath("schemas/result.schema.json").read_text(encoding="utf-8"))
    document = json.loads(raced.to_json())
    jsonschema.validate(document, schema)
    assert document["stopping"]["worse"] == raced.details.stopping.worse
    assert json.loads(full.to_json())["stopping"] is None


# ---- files ----------------------------------------------------------------------------------------------------------


def test_it_is_saved_and_loaded(raced, tmp_path):
    raced.save(tmp_path / "r.skc")
    loaded = skcompare.load(tmp_path / "r.skc")
    assert loaded.to_json() == raced.to_json()
    assert repr(loaded.details.stopping) == repr(raced.details.stopping)
    assert loaded.summary() == raced.summary()
    loaded.save(tmp_path / "s.skc")
    assert skcompare.load(tmp_path / "s.skc").to_json() == raced.to_json()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"kind": "won"}, "kind must be one of"),
        ({"metric": "roc_auc"}, "metric of stopping must be one of"),
        ({"alpha": 0.7}, "alpha of stopping must be"),
        ({"rope": -1}, "rope must be a number in"),
        ({"kind": "equivalent"}, "rope must be known"),
        ({"spending": "all"}, "spending must be one of"),
        ({"n_models": 4}, "every model of stopping must be left"),
        ({"n_repeats": 2}, "looks of stopping must be after one"),
        ({"max_repeats": 1}, "max_repeats must be at most 100"),
        ({"max_repeats": 10**9}, "max_repeats must be at most 100"),
        ({"drop": 1}, "drop must be true or false"),
        ({"names": ["good"]}, "every model of stopping must be left"),
        ({"names": ["good", "fair", "good"]}, "each named once"),
        ({"worse": {"noise": 0, "poor": 1, "rubbish": 1}}, "worse must be an integer"),
        ({"worse": {"nobody": 1, "poor": 1, "rubbish": 1}}, "looks of stopping must be at its models"),
        ({"worse": ["noise"]}, "worse must be a mapping"),
        ({"looks": [{"repeat": 1}]}, "it has no 'equivalence_level'"),
        ({"looks": 3}, "looks must be a list"),
        ({"extra": 1}, "it has 'extra', which is not known"),
        ({"kind": "best"}, "names must be one where a model is the best"),
        ({"rope": "wide"}, "rope must be a number"),
        ({"min_repeats": 0}, "min_repeats must be an integer"),
        ({"unscored": {"noise": 2}}, "each named once"),
        ({"unscored": {"noise": 99}, "worse": {"poor": 2, "rubbish": 2}}, "looks of stopping must be after one"),
    ],
    ids=str,
)
def test_a_file_of_another_form_is_refused(raced, tmp_path, changes, words):
    path = tmp_path / "r.skc"
    raced.save(path)
    with_header(path, lambda header: header["stopping"].update(changes))
    with pytest.raises(ValueError, match=f"damaged: .*{words}"):
        skcompare.load(path)


# ---- the run --------------------------------------------------------------------------------------------------------


def test_a_store_takes_it_up_again(raced, full, tmp_path):
    store = tmp_path / "runs.sqlite"
    options = {"scoring": ["accuracy", "f1"], "store": store}
    assert np.array_equal(evaluate(stop=StopRule(), **options).scores, raced.scores, equal_nan=True)
    before = On.fits
    assert np.array_equal(evaluate(stop=StopRule(), **options).scores, raced.scores, equal_nan=True)
    assert On.fits == before
    assert np.array_equal(evaluate(**options).scores, full.scores)
    assert On.fits == before + raced.details.stopping.n_fits_saved
    assert np.array_equal(evaluate(stop=StopRule(), **options).scores, raced.scores, equal_nan=True)


def test_without_a_seed_the_store_remembers_that_of_the_full_evaluation(tmp_path):
    models = {"good": On((0, 1)), "noise": On((4,))}
    options = {"scoring": "accuracy", "store": tmp_path / "runs.sqlite"}
    stopped = PairedEvaluator(5, stop=StopRule(6), **options).evaluate(models, X, Y)
    whole = PairedEvaluator("6x5", **options).evaluate(models, X, Y)
    assert np.array_equal(whole.scores[:, : stopped.design.n_splits], stopped.scores)
    before = On.fits
    once = PairedEvaluator(5, **options).evaluate(models, X, Y)
    assert np.array_equal(once.scores, whole.scores[:, :5])
    assert On.fits == before


def test_progress_counts_what_is_left():
    events = []
    result = evaluate(stop=StopRule(), options=RunOptions(callback=events.append))
    assert [event.n_done for event in events] == list(range(1, result.details.stopping.n_fits + 1))
    totals = [event.n_total for event in events]
    assert totals[0] == 150
    assert sorted(totals, reverse=True) == totals
    assert len(events) == result.details.stopping.n_fits <= totals[-1] < 150  # an early end is known after the last fit


def test_a_model_without_any_score_leaves():
    models = {"good": On((0, 1)), "fair": On((0, 2)), "broken": On((1,), fails=True)}
    with pytest.warns(FitFailedWarning, match=r"5 of .*its other 5 fits were not started"):
        result = evaluate(models, error_score=np.nan, stop=StopRule())
    assert result.details.stopping.unscored == {"broken": 2}
    assert "broken" not in result.details.stopping.worse
    two = {"good": On((0, 1)), "broken": On((1,), fails=True)}
    with pytest.warns(FitFailedWarning):
        alone = evaluate(two, error_score=np.nan, stop=StopRule())
    assert (
        alone.details.stopping.verdict
        == "good alone is left on accuracy, with nothing to compare it to; broken lacks scores and was not compared"
    )
    assert alone.design.n_repeats == 2


class LateFailure(On):
    """Cannot be fitted once it has been a number of times."""

    def fit(self, X, y):
        if type(self).fits == 12:
            raise RuntimeError("no fit")
        return super().fit(X, y)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning")
@pytest.mark.parametrize("drop", [True, False])
def test_nothing_is_said_of_a_model_that_was_looked_at_before_it_lacked_a_score(drop):
    """Not that it is not significantly different either."""
    LateFailure.fits = 0
    models = {"good": On((0, 1)), "fair": On((0, 4)), "late": LateFailure((0, 1, 3))}
    result = evaluate(models, error_score=np.nan, stop=StopRule(drop=drop))
    stopping = result.details.stopping
    assert [*stopping.unscored] == ["late"]
    assert any("late" in look.names for look in stopping.looks)
    outcomes = {row.outcome.value for row in result.compare() if "late" in (row.a, row.b)}
    assert outcomes == {"not tested"}
    assert result.answer().metrics[0].not_comparable == ("late",)


def test_a_model_that_lacks_a_score_is_set_aside_and_a_split_without_any_is_left_out():
    scores = normal_scores(np.random.default_rng(0), [0, 0, -9.0])
    scores[0, 3] = np.nan
    record = race(scores, StopRule())
    assert record.unscored == {"0": 1}
    assert record.verdict == "1 is significantly better than 2 on score; 0 lacks scores and was not compared"
    scores[:, 3] = np.nan
    record = race(scores, StopRule())
    assert record.unscored == {}
    assert record.looks[0].repeat == 2  # the first repeat has 9 splits
    assert "2" in record.worse


def test_who_is_left_is_not_the_best_of_models_that_another_beat():
    """The first finds the second worse, then fails; nothing says that the third is better than the second."""
    rng = np.random.default_rng(0)
    scores = np.array([[9.0], [0.0], [5.0], [5.0]]) + rng.normal(size=(4, 60)) * np.array(
        [[1.0], [1.0], [99.0], [99.0]]
    )
    scores[3, 10:] = scores[2, 10:] - 300 + rng.normal(size=50)
    assert race(scores, StopRule()).worse["1"] == 1
    scores[0, 15] = np.nan
    record = race(scores, StopRule())
    assert (record.kind, record.names, record.unscored) == ("undecided", ("2",), {"0": 2})
    assert set(record.worse) == {"1", "3"}


def test_predictions_need_not_be_kept(raced):
    result = evaluate(scoring=["accuracy", "f1"], stop=StopRule(), options=RunOptions(keep_predictions=False))
    assert np.array_equal(result.scores, raced.scores, equal_nan=True)
    with pytest.raises(ValueError, match="keep_predictions=False"):
        result.predictions("noise")


def test_the_metric_that_decides():
    models = {"good": On((0, 1)), "noise": On((4,))}
    result = evaluate(models, scoring=["accuracy", "f1"], stop=StopRule(metric="f1"))
    assert result.details.stopping.metric == "f1"
    before = On.fits
    with pytest.raises(ValueError, match=r"metric of stop must be one of 'accuracy', 'f1'; got 'f2'"):
        evaluate(models, scoring=["accuracy", "f1"], stop=StopRule(metric="f2"))
    assert On.fits == before

    def several(estimator, X, y):
        return {"first": estimator.score(X, y), "second": 0.5 + estimator.score(X, y) / 2}

    assert evaluate(models, scoring=several, stop=StopRule(metric="second")).details.stopping.kind == "best"
    with pytest.raises(ValueError, match="metric of stop must be one of 'first', 'second'; got 'third'"):
        evaluate(models, scoring=several, stop=StopRule(metric="third"))


# ---- the rule -------------------------------------------------------------------------------------------------------


def test_the_evaluator_is_cloned_with_its_rule():
    rule = StopRule(8, metric="f1", margin=0.01)
    evaluator = PairedEvaluator(stop=rule)
    copy = clone(evaluator)
    assert copy.stop == rule
    assert copy.set_params(stop=None).stop is None
    assert evaluator.get_params()["stop"] is rule
    assert "\n" not in repr(evaluator)
    assert "stop=StopRule(max_repeats=8" in repr(evaluator)
    assert pickle.loads(pickle.dumps(rule)) == rule
    assert "StopRule" in evaluator._repr_html()


def test_the_record_is_frozen_and_picklable(pair):
    with pytest.raises(AttributeError):
        pair.details.stopping.kind = "undecided"
    assert repr(pickle.loads(pickle.dumps(pair.details.stopping))) == repr(pair.details.stopping)


@pytest.mark.parametrize(
    ("cv", "rule", "design"),
    [("6x5", {}, (6, 5)), (5, {}, (10, 5)), ("6x5", {"max_repeats": 8}, (8, 5)), (np.int64(3), {}, (10, 3))],
)
def test_the_design_of_the_full_evaluation(cv, rule, design):
    assert StopRule(**rule).design(cv) == design


@pytest.mark.parametrize("cv", ["1x5", "5", True, KFold(5), [([0], [1])], "2x2", "101x10", "6x1"])
def test_a_design_without_a_choice_is_refused(cv):
    with pytest.raises(ValueError, match=r"^cv must (be an int k or 'RxK'|give from \d+ to 100 repeats)"):
        StopRule().design(cv)


def test_the_rule_says_which_repeats_are_too_few_or_many():
    with pytest.raises(ValueError, match=r"^min_repeats must be"):
        StopRule(3, min_repeats=5)
    with pytest.raises(ValueError, match=r"^min_repeats of stop must give 10 splits .* 5 repeats of 2"):
        StopRule(min_repeats=4).design("8x2")
    with pytest.raises(ValueError, match=r"^max_repeats of stop must give from 5 to 100 repeats"):
        StopRule(4).design("8x2")


def test_the_first_look_has_ten_splits():
    assert [StopRule().repeats_before_look(folds) for folds in (2, 3, 5, 9, 10, 20)] == [5, 4, 2, 2, 1, 1]
    assert StopRule(min_repeats=3).repeats_before_look(10) == 3


# ---- error rates ----------------------------------------------------------------------------------------------------


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize(
    ("means", "n_best", "runs"), [((0, 0), 2, 300), ((0, 0, 0, 0), 4, 80), ((0, 0, -1.5, -9), 2, 60)]
)
def test_a_best_model_is_dropped_in_at_most_5_percent(rng, means, n_best, runs):
    runs *= 50 if FULL else 1
    best = {str(i) for i in range(n_best)}
    wrong = np.mean([bool(best & set(race(normal_scores(rng, means), StopRule()).worse)) for _ in range(runs)])
    assert wrong < 0.05 + 4 * (0.05 * 0.95 / runs) ** 0.5


@pytest.mark.slow
def test_models_that_differ_by_the_rope_are_called_equivalent_in_at_most_5_percent(rng):
    runs = 5000 if FULL else 60
    rule = StopRule(margin=1.2)
    wrong = np.mean([race(normal_scores(rng, (0, -1.2)), rule).kind == "equivalent" for _ in range(runs)])
    assert wrong < 0.05 + 4 * (0.05 * 0.95 / runs) ** 0.5


@pytest.mark.sampled
@pytest.mark.parametrize(("k", "gap", "runs"), [(2, 1.32, 50), (5, 1.65, 20), (20, 2.0, 8)])
def test_a_difference_of_the_smallest_detectable_size_takes_half_of_the_fits(rng, k, gap, runs):
    """One is the best. In simulations the rule takes 43% to 50% of all fits and loses 0.9 to 1.4 points of power.

    The standard deviation of the loss is at most 20 points, that of the share of the fits 25.
    """
    runs *= 45 if FULL else 1
    fits, lost = [], []
    for _ in range(runs):
        scores = normal_scores(rng, [0.0] + [-gap] * (k - 1))
        stopping = race(scores, StopRule())
        found = model_confidence_set(scores.T, test_fraction=0.1).pvalues[1:] < 0.05
        fits.append(stopping.n_fits / (100 * k))
        lost.append(found.mean() - len(stopping.worse) / (k - 1))
    assert np.mean(fits) < 0.5 + 4 * 0.25 / runs**0.5
    assert np.mean(lost) < 0.03 + 4 * 0.2 / runs**0.5


def test_equal_models_end_early_and_by_the_chance_that_the_look_tells(rng):
    """Of equal models 68% of the fits are saved on average, with a standard deviation of 24%."""
    runs = 500 if FULL else 40
    records = [race(normal_scores(rng, (0, 0)), StopRule()) for _ in range(runs)]
    assert np.mean([record.n_fits / 200 for record in records]) < 0.32 + 4 * 0.24 / runs**0.5
    for record in records:
        *before, last = record.looks
        assert all(look.chance >= 0.02 for look in before)
        if record.kind == "undecided":
            assert (last.chance < 0.02) == (record.n_repeats < 10 or last.chance == 0)
            assert ("the others would hardly decide more" in str(record)) == (record.n_repeats < 10)


def test_the_chance_of_a_verdict_is_that_of_the_model(rng):
    """Whatever the difference is, of runs with nearly the same p-value now so many have a low one in the end."""
    n, last_level = 400_000, alpha_spending(10, 3, spending="late").levels[-1]
    noise = rng.normal(size=10)
    noise -= noise.mean()
    corrected = noise.std(ddof=1) * (1 / 10 + 1 / 9) ** 0.5
    for t in (0.2, 1.0, 2.0, 3.0):
        record = race(np.stack([np.tile(noise + t * corrected, 3), np.zeros(30)]), StopRule())
        look = record.looks[0]
        part, z = look.information, -special.ndtri(look.pvalues[1] / 2)
        drift = rng.uniform(-9, 9, n)
        now = drift * part**0.5 + rng.normal(size=n)
        last = now * part**0.5 + drift * (1 - part) + (1 - part) ** 0.5 * rng.normal(size=n)
        near = np.abs(now - z) < 0.05
        share = np.mean(last[near] > -special.ndtri(last_level / 2))
        assert look.chance == pytest.approx(share, abs=4.5 * (0.25 / near.sum()) ** 0.5 + 0.005)
    assert record.looks[-1].repeat < 3 or record.looks[-1].chance == 0


def test_a_race_saves_fits_where_many_are_clearly_worse():
    """Leads of 9 standard errors; at most one in 20 races errs, so that not two of three do but once in 140."""
    rng = np.random.default_rng(0)
    records = [race(normal_scores(rng, [0.0] * 3 + [-6.0] * 17), StopRule()) for _ in range(3)]
    assert all({str(i) for i in range(3, 20)} <= set(record.worse) for record in records)
    assert all(record.n_fits < record.n_fits_saved for record in records)


@pytest.mark.slow
@pytest.mark.sampled
def test_a_race_keeps_the_best_of_all_fits_with_a_quarter_of_them(rng):
    """Also where all are equal, of which the best of all fits is best by chance alone."""
    runs = 200 if FULL else 8
    rule = StopRule(drop="unlikely")
    for spread in (0.0, 0.6):
        kept, fits, wrong = [], [], []
        for _ in range(runs):
            scores = normal_scores(rng, spread * rng.normal(size=100))
            record = race(scores, rule)
            kept.append(str(scores.mean(axis=1).argmax()) in record.names)
            fits.append(record.n_fits / (record.n_fits + record.n_fits_saved))
            wrong.append(bool(record.worse))
        assert np.mean(kept) > 0.95 - 4 * (0.05 * 0.95 / runs) ** 0.5
        assert np.mean(fits) < 0.25 + 0.06 / runs**0.5
        assert spread or np.mean(wrong) < 0.05 + 4 * (0.05 * 0.95 / runs) ** 0.5


@pytest.mark.sampled
def test_who_is_unlikely_to_end_first_hardly_does(rng):
    """Two equal models: dropped is whom all fits put first in at most 0.5% of cases per look, of which there are 9."""
    runs = 4000 if FULL else 100
    wrong, ended = 0, 0
    for _ in range(runs):
        scores = normal_scores(rng, (0, 0))
        record = race(scores, StopRule(drop="unlikely"))
        ended += len(record.names) == 1
        wrong += str(scores.mean(axis=1).argmax()) not in record.names and not record.worse
    assert wrong / runs < 0.045 + 4 * (0.045 / runs) ** 0.5
    assert ended / runs > 0.5  # the wrong side: it does end


def test_a_race_says_whom_it_dropped_and_tests_no_less_strictly(tmp_path):
    raced = evaluate(cv="10x10", stop=StopRule(drop="unlikely"))
    stopping = raced.details.stopping
    assert stopping.unlikely
    assert not {*stopping.worse} & {*stopping.unlikely}
    assert {*stopping.names, *stopping.gone} == {*FIVE}
    assert stopping.n_fits == np.isfinite(raced.details.fit_times).sum()
    n = len(stopping.unlikely)
    assert f"{n} model{'s' if n > 1 else ''} would hardly have ended first" in stopping.verdict
    assert " ".join(raced.summary().split()).startswith(stopping.verdict)
    assert "0.5%" in raced.methods_text()
    for look in stopping.looks:
        before = sum(left < look.repeat for left in stopping.unlikely.values())
        assert stopping.n_compared(look) == len(look.names) + before
    not_worse = {row.winner for row in raced.compare() if {row.a, row.b} & {*stopping.unlikely} - {*stopping.worse}}
    assert not_worse <= {None, *stopping.names, *stopping.unlikely}
    raced.save(tmp_path / "raced.skc")
    assert repr(skcompare.load(tmp_path / "raced.skc").details.stopping) == repr(stopping)


@pytest.mark.parametrize("learns", [True, False])
def test_the_first_line_of_a_race_names_who_does_not_beat_the_baseline(learns):
    y = Y if learns else np.random.default_rng(1).permutation(Y)
    evaluator = PairedEvaluator(cv="10x10", scoring="accuracy", random_state=0, baseline="dummy")
    raced = evaluator.set_params(stop=StopRule(drop="unlikely")).evaluate(FIVE, X, y)
    stopping, found = raced.details.stopping, raced.answer()
    assert stopping.unlikely
    said = " ".join(raced.summary().split()).split(f" {len(Y)} samples")[0]
    not_better = [name for name in FIVE if found.metrics[0].metric not in found.pair(name, "dummy").better]
    assert bool(not_better) == ("significantly better than guessing" in said)
    assert learns or said.endswith("No model is significantly better than guessing.")
    assert said.count(" ") < 30


@pytest.mark.parametrize(("n", "metric", "options", "known"), [
    (120, "accuracy", {}, True),
    (60, "accuracy", {}, False),  # 40 samples were simulated, with more errors
    (120, "f1", {}, False),
    (120, "accuracy", {"alpha": 0.1}, False),
    (120, "accuracy", {"spending": "pocock"}, False),
    (120, "accuracy", {"spending": "obrien_fleming"}, False),
])  # fmt: skip
def test_the_published_share_of_wrong_looks_is_quoted_where_runs_are_alike(n, metric, options, known):
    """0.8% to 3.5%: docs/benchmarks.md, "How often sequential evaluation is wrong", naive Bayes, n=200."""
    evaluator = PairedEvaluator(cv="5x5", scoring=metric, random_state=0, stop=StopRule(**options))
    result = evaluator.evaluate(FIVE, X[:n], Y[:n])
    text, explained = " ".join(result.summary().split()), result.explain().named("error rate").text
    said = "ny of equal models was found worse in 0.8% to 3.5% of similar simulated runs"
    assert (said in text, said in explained) == (known, known)
    assert ("error rate not measured" in text, "Error rate not measured" in explained) == (not known, not known)


def test_metrics_that_the_rule_did_not_look_at_are_not_tested(raced):
    table, answer = raced.compare(), raced.answer()
    assert {row.outcome for row in table if row.metric == "f1"} == {Outcome.NOT_TESTED}
    assert Outcome.NOT_TESTED not in {row.outcome for row in table if row.metric == "accuracy"}
    assert all(pair.not_tested == ("f1",) for pair in answer.pairs)
    assert all("f1" not in (*pair.better, *pair.worse, *pair.undecided) for pair in answer.pairs)
    first = answer.pairs[0]
    assert f"{first.a} and {first.b} are not tested on f1." in " ".join(str(first).split())
    assert table.to_markdown().count("| not tested |") == len(table) // 2
    assert " not tested\n" in str(table)
    for text in (str(table), raced.summary(), raced.to_markdown(), raced.to_latex(), raced.methods_text()):
        assert "Of the metrics only accuracy was tested." in " ".join(text.split())


def test_what_all_looks_were_at_is_tested_and_what_none_was_at_is_not(pair):
    assert {row.outcome for row in pair.compare()} & {Outcome.NOT_TESTED} == set()
    assert "was tested" not in pair.summary()
