"""What settings do not tell is not said: parts of a grid, aliases, settings and splits without scores."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

from skcompare import from_frame
from skcompare.experiments import ExperimentReport, fractional_factorial, full_factorial, latin_hypercube


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


@pytest.fixture
def aliased(rng):
    """Of resolution III, with c the opposite of a:b."""
    design = fractional_factorial(dict.fromkeys("abc", (0, 1)), {"c": "-a:b"})
    return report_of(design, rng.normal(size=(6, 4)))


def test_a_main_effect_is_not_drawn_as_the_interaction_it_is_aliased_with(aliased):
    shown = aliased.plot("interactions", x="a", y="b")
    assert np.isnan(shown.pvalue)
    assert shown.inseparable == ["c"]
    assert "Interaction not separable from c; parallel" in shown._title()
    effects = aliased.plot("effects")
    assert sorted(effects.parameters) == ["a = -b:c", "b = -a:c", "c = -a:b"]
    assert any(text.get_text().startswith("c = -a:b: ") for text in effects.ax_.texts)


def test_an_interaction_aliased_with_another_has_its_p_and_says_so(rng):
    design = fractional_factorial(dict.fromkeys("abcd", (0, 1)), {"d": "a:b:c"})
    report = report_of(design, rng.normal(size=(6, 8)))
    shown = report.plot("interactions", x="c", y="d")
    assert shown.pvalue == report.effects().of("c:d").pvalue_adjusted
    assert "Interaction not separable from a:b, adjusted p" in shown._title()


def test_an_interaction_of_its_own_names_no_other(rng):
    report = report_of(full_factorial({"a": (0, 1), "b": (0, 1)}), rng.normal(size=(6, 4)))
    shown = report.plot("interactions")
    assert shown.inseparable == []
    assert "separable" not in shown._title()
    assert not shown.fitted


def test_an_opposite_alias_is_asked_for_with_its_sign(aliased):
    found = aliased.effects()
    assert found.of("-b:a") is found.of("c")
    with pytest.raises(ValueError, match="with its sign; got 'a:b', of which the row 'c = -a:b' has the opposite"):
        found.of("a:b")
    with pytest.raises(ValueError, match="with its sign; got '-c'"):
        found.of("-c")


def test_fitted_values_are_called_so(rng):
    design = latin_hypercube({"a": (0.0, 1.0), "b": (0.0, 1.0)}, 9, rng=0)
    report = report_of(design, rng.normal(size=(6, 9)))
    assert report.plot("interactions").ax_.get_ylabel() == "fitted mean accuracy"
    assert "fitted mean score" in report.plot("effects")._title()


@pytest.mark.parametrize("levels", [(1, 20), (20, 1)], ids=["rising", "falling"])
def test_the_design_and_the_effects_name_the_same_aliases(levels, rng):
    design = fractional_factorial({"a": levels[::-1], "b": levels, "c": (0.3, 1.0)}, {"c": "a:b"})
    found = report_of(design, rng.normal(size=(6, 4))).effects()
    assert design.aliases()[1:] == tuple(row.named for row in found.rows) == ("a = b:c", "b = a:c", "c = a:b")
    assert found.of("a").levels == ("20 less 1",)
