"""What effects rest on: settings that were measured on all splits, and no others."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import FitFailedWarning
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.model_selection import GridSearchCV, HalvingGridSearchCV, TimeSeriesSplit
from sklearn.tree import DecisionTreeClassifier

from skcompare import PairedEvaluator, SearchReport, StopRule
from skcompare.experiments import ExperimentReport, full_factorial, run_experiment
from tests.lawful import codes

TREE = DecisionTreeClassifier(random_state=0)
X, Y = (part[:200] for part in load_breast_cancer(return_X_y=True))
DESIGN = full_factorial({"max_depth": (1, 4), "min_samples_leaf": (1, 20)})


def evaluator(**options):
    return PairedEvaluator(**{"cv": 5, "scoring": "accuracy", "random_state": 0, **options})


def test_looks_that_drop_settings_are_refused_before_any_fit():
    rule = StopRule()
    with pytest.raises(ValueError, match=r"evaluator must have no stop, .*; got StopRule"):
        run_experiment("no estimator", DESIGN, X, Y, evaluator=evaluator(cv="3x10", stop=rule))
    result = evaluator(cv="3x10", stop=rule).evaluate(DESIGN.estimators(TREE), X, Y)
    with pytest.raises(ValueError, match=r"result must be of a run without stop, .*; got one of"):
        ExperimentReport.from_result(DESIGN, result)


@pytest.mark.parametrize("error_score", [np.nan, 0.0], ids=["nan", "number"])
@pytest.mark.filterwarnings("ignore:.*failed")
def test_a_number_for_a_fit_that_failed_is_no_score(error_score):
    design = full_factorial({"max_depth": (-1, 1, 4), "min_samples_leaf": (1, 20)})
    found = run_experiment(TREE, design, X, Y, evaluator=evaluator(error_score=error_score))
    assert np.isnan(found.scores[:2]).all()
    effects = found.effects()
    assert effects.of("max_depth").levels == ("4 less 1",)
    assert codes(effects) == ["MISSING_SCORES"]
    alone = run_experiment(TREE, DESIGN, X, Y, evaluator=evaluator()).effects()
    assert [row.pvalue for row in effects.rows] == [row.pvalue for row in alone.rows]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning", "ignore:One or more of the test scores")
@pytest.mark.parametrize("error_score", [np.nan, 0.0, -1e9], ids=["nan", "0", "-1e9"])
def test_failed_fits_of_a_search_are_left_out_whatever_stands_for_them(error_score):
    grid = {"max_depth": [-1, 1, 4], "min_samples_leaf": [1, 20]}
    search = GridSearchCV(TREE, grid, cv=5, error_score=error_score).fit(X, Y)
    found = ExperimentReport.from_search(search).effects()
    assert codes(found) == ["MISSING_SCORES"]
    assert "MISSING_SCORES" in codes(SearchReport.from_search(search))
    assert "2 settings" in found.warnings[0] or "2 candidates" in found.warnings[0]
    assert "max_depth=-1, min_samples_leaf=1; and max_depth=-1, min_samples_leaf=20" in found.warnings[0]
    whole = GridSearchCV(TREE, {**grid, "max_depth": [1, 4]}, cv=5).fit(X, Y)
    alone = ExperimentReport.from_search(whole).effects()
    assert "MISSING_SCORES" not in codes(alone)
    assert [row.pvalue for row in found.rows] == [row.pvalue for row in alone.rows]


def test_a_search_of_which_one_setting_is_left_says_why():
    grid = {"max_depth": [-1, 4], "min_samples_leaf": [0, 20]}
    with pytest.warns((FitFailedWarning, UserWarning)):
        report = ExperimentReport.from_search(GridSearchCV(TREE, grid, cv=5).fit(X, Y))
    with pytest.raises(ValueError, match=r"two or more settings on two .*; got 1 on 5 for score"):
        report.effects()
    assert "No effect can be estimated: scores must be there of two or more settings" in report._sentence()


def test_of_a_halving_search_the_last_round_counts_and_the_others_are_said():
    grid = {"max_depth": [1, 2, 4, 8], "min_samples_leaf": [1, 5, 20]}
    search = HalvingGridSearchCV(TREE, grid, cv=5, random_state=0, factor=2).fit(X, Y)
    table = search.cv_results_
    last = table["iter"] == table["iter"].max()
    report = ExperimentReport.from_search(search)
    assert len(report.design.runs) == last.sum() > 1
    np.testing.assert_array_equal(report.scores[:, :, 0].T, [table[f"split{i}_test_score"][last] for i in range(5)])
    assert codes(report.effects())[0] == "SELECTED"
    assert f"{12 - last.sum()} more fell out in earlier rounds" in report.effects().warnings[0]


def test_a_metric_that_was_given_has_no_effects():
    given = dict(zip(DESIGN.names, range(4), strict=True))
    scoring = {"accuracy": "accuracy", "interpretability": given}
    report = run_experiment(TREE, DESIGN, X, Y, evaluator=evaluator(scoring=scoring))
    assert len(report.effects().rows) == 3
    for ask in (report.effects, report.response_surface):
        with pytest.raises(ValueError, match="must be measured for a test; 'interpretability' was given"):
            ask("interpretability")
    with pytest.raises(ValueError, match="'interpretability' was given"):
        report.effects(["accuracy", "interpretability"])


def test_the_first_metric_is_one_that_was_measured():
    given = dict(zip(DESIGN.names, range(4), strict=True))
    scoring = {"interpretability": given, "accuracy": "accuracy", "false_alarm_rate": "false_alarm_rate"}
    report = run_experiment(TREE, DESIGN, X, Y, evaluator=evaluator(scoring=scoring))
    assert report.metrics == ("accuracy", "false_alarm_rate", "interpretability")
    assert report.greater_is_better == (True, False, False)
    for metric, better, scores in zip(report.metrics, report.greater_is_better, report.scores.T, strict=True):
        assert better == report.result.greater_is_better[report.result.metrics.index(metric)]
        np.testing.assert_array_equal(scores.T, [report.result.score(name, metric) for name in DESIGN.names])
    alone = run_experiment(TREE, DESIGN, X, Y, evaluator=evaluator()).effects()
    assert [row.pvalue for row in report.effects().rows] == [row.pvalue for row in alone.rows]
    assert "Best mean accuracy" in str(report)


def test_effects_warn_of_what_their_scores_rest_on():
    report = run_experiment(TREE, DESIGN, X, Y, evaluator=evaluator(cv=TimeSeriesSplit(5)))
    assert "TIME_ORDER" in codes(report.effects())
    assert "TIME_ORDER" in str(report.explain())
    assert "TIME_ORDER" not in codes(run_experiment(TREE, DESIGN, X, Y, evaluator=evaluator()).effects())
    few = run_experiment(TREE, DESIGN, X, Y, evaluator=evaluator(cv=2)).effects()
    assert "TOO_LITTLE_DATA" in codes(few)
