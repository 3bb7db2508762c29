"""What settings do not tell is not said: parts of a grid, aliases, settings and splits without scores."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

from skcompare import from_frame
from skcompare.experiments import ExperimentReport, full_factorial


def report_of(design, scores, metrics=("accuracy",)):
    """Of scores of shape (n_splits, n_runs), nan where there is none."""
    (n, k), filled = scores.shape, np.nan_to_num(scores)
    table = {
        "model": np.tile(np.repeat(design.names, n), len(metrics)),
        "fold": np.tile(np.arange(n), k * len(metrics)),
        "metric": np.repeat(metrics, n * k),
        "score": np.tile(filled.T.ravel(), len(metrics)),
    }
    report = ExperimentReport.from_result(design, from_frame(table))
    return replace(report, scores=np.repeat(scores.T[:, :, None], len(metrics), axis=2))


def codes(record):
    return [warning.code for warning in record.warnings]


def searched(grid):
    X, y = load_breast_cancer(return_X_y=True)
    tree = DecisionTreeClassifier(random_state=0)
    return ExperimentReport.from_search(GridSearchCV(tree, grid, cv=5).fit(X[:200], y[:200]))


def test_grids_that_set_different_parameters_have_no_interaction_of_what_was_not_run():
    report = searched([{"splitter": ["random"]}, {"splitter": ["best"], "max_depth": [1, 6]}])
    found = report.effects()
    assert found.rows == ()
    assert found.not_estimable == ("splitter", "max_depth", "splitter:max_depth")
    assert codes(found) == ["PARTIAL"]
    assert "No effect of a factor on score can be estimated" in report.summary().replace("\n", " ")
    assert report.design.levels("max_depth") == ("1", "6", "(not set)")
    assert report.design.names[0] == "splitter=random"
    with pytest.raises(ValueError, match="none of splitter, max_depth is"):
        report.plot()


def test_a_whole_grid_has_all_its_effects():
    found = searched(
        [{"splitter": ["random"], "max_depth": [1, 6]}, {"splitter": ["best"], "max_depth": [1, 6]}]
    ).effects()
    assert [row.term for row in found.rows] == ["max_depth", "splitter", "max_depth:splitter"]
    assert found.not_estimable == ()
    assert "PARTIAL" not in codes(found)


def test_a_combination_without_a_score_loses_the_interaction_and_no_main_effect(rng):
    scores = rng.normal(size=(6, 6))
    scores[:, 5] = np.nan
    found = report_of(full_factorial({"a": (1, 2), "b": (1, 2, 3)}), scores).effects()
    assert [row.term for row in found.rows] == ["a", "b"]
    assert found.not_estimable == ("a:b",)
