"""What settings do not tell is not said: parts of a grid, aliases, settings and splits without scores."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

from skcompare import PairedEvaluator
from skcompare.experiments import (
    ExperimentReport,
    central_composite,
    fractional_factorial,
    full_factorial,
    latin_hypercube,
    run_experiment,
)
from skcompare.inference import anova_test, contrast_test
from tests.drawn_words import told
from tests.experiments.test_effects import report_of as report_of_all
from tests.lawful import codes


def report_of(design, scores, metrics=("accuracy",)):
    """Of scores of shape (n_splits, n_runs), nan where there is none."""
    filled = np.nan_to_num(scores)
    report = report_of_all(design, filled, metrics=metrics, test_fraction=1 / len(scores))
    return replace(report, scores=np.repeat(scores.T[:, :, None], len(metrics), axis=2))


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
    with pytest.raises(ValueError, match="none of splitter and max_depth is"):
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


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("n", [2, 3, 10])
def test_settings_that_differ_by_the_same_on_all_splits_are_not_tested(rng, n, dtype):
    common = np.round(rng.uniform(0.6, 0.8, (n, 1)), 2)
    limits = {"a": (0.1, 10.0), "b": (0.1, 10.0)}
    for design in (full_factorial(limits), central_composite(limits, log=["a", "b"])):
        bent = design.coded @ rng.uniform(0.01, 0.02, 2) - design.coded[:, 0] ** 2 * 0.03
        scores = (common + np.round(bent, 2)).astype(dtype).astype(float)
        report = report_of(design, scores)
        found = report.effects()
        first = found.of("a")
        assert np.isnan([first.pvalue, first.pvalue_adjusted, first.statistic, first.low[0], first.high[0]]).all()
        means = scores.mean(axis=0)
        assert first.estimates[0] == pytest.approx(2 * means @ design.coded[:, 0] / (design.coded[:, 0] ** 2).sum())
        assert not any(row.pvalue_adjusted < 0.05 for row in found.rows)
        assert "ZERO_VARIANCE" in codes(found)
        report.plot("interactions")
        for view in (report, report.explain(), report.to_markdown(), first):
            assert "not tested" in " ".join(str(view).split())
            assert "<0.001" not in str(view)
            assert "p < 0" not in str(view)
            assert "nan" not in str(view)
    surface = report.response_surface()  # of the last one
    assert not (surface.pvalues < 0.05).any()
    assert not min(surface.pvalue_curvature, surface.pvalue_lack_of_fit) < 0.05
    assert surface.may_be_best(design.coded).all()
    assert "ZERO_VARIANCE" in codes(surface)


def test_a_factor_whose_effect_is_the_same_on_all_splits_has_no_sure_place_beside_one_that_varies(rng):
    design = central_composite({"a": (0.1, 10.0), "b": (0.1, 10.0)})
    slope, common = rng.normal(0, 0.02, (10, 1)), rng.normal(0.7, 0.1, (10, 1))
    surface = report_of(design, common + 0.05 * design.coded[:, 0] + slope * design.coded[:, 1]).response_surface()
    assert np.isnan([surface.pvalues[1], surface.standard_errors[1]]).all()
    assert np.isfinite([surface.pvalues[2], surface.standard_errors[2]]).all()
    assert surface.may_be_best(design.coded).all()
    assert "a = 10 (0.1 to 10)" in " ".join(str(surface).split())


def test_of_effects_of_which_the_largest_alone_is_the_same_on_all_splits_the_others_are_tested(rng):
    design = full_factorial({"a": (1, 2), "b": (1, 2)})
    scores = rng.normal(0.7, 0.1, (8, 1)) + np.array([0, 0, 0.5, 0.5])
    scores[:, [1, 3]] += rng.normal(0.1, 0.01, (8, 1))
    found = report_of(design, scores).effects()
    (alone,) = contrast_test(scores, [[-1, 1, -1, 1]], test_fraction=1 / 8, overlap=0.4).pvalues
    assert found.of("b").pvalue == pytest.approx(alone)
    assert found.of("b").pvalue_adjusted == pytest.approx(2 * alone)  # of b and the interaction, which is 0
    assert np.isnan(found.of("a").pvalue)
    said = " ".join(str(found).split())
    assert "a has the largest effect on accuracy: 2 is 0.5 better than 1" in said
    assert "not tested; 1 other effect significant (adjusted over 2 effects)" in said


@pytest.mark.parametrize("size", [10.0, 1e3, 1e6])
def test_the_effects_on_a_metric_are_written_alike_beside_those_on_a_larger_one(rng, size):
    report = report_of(full_factorial({"a": (1, 2), "b": (1, 2)}), rng.uniform(0.6, 0.8, (6, 4)), ("accuracy", "bytes"))
    report = replace(report, scores=report.scores * np.array([1, size]))
    (alone,), (beside,) = (report.effects(asked)._tables() for asked in ("accuracy", ("accuracy", "bytes")))
    shown = [row[beside.header.index("estimate")] for row in beside.rows if row[0] == "accuracy"]
    assert shown == [row[alone.header.index("estimate")] for row in alone.rows]


@pytest.fixture
def aliased(rng):
    """Of resolution III, with c the opposite of a:b."""
    pytest.importorskip("pyDOE3")
    design = fractional_factorial(dict.fromkeys("abc", (0, 1)), {"c": "-a:b"})
    return report_of(design, rng.normal(size=(6, 4)))


def test_a_main_effect_is_not_drawn_as_the_interaction_it_is_aliased_with(aliased):
    shown = aliased.plot("interactions", x="a", y="b")
    assert np.isnan(shown.pvalue)
    assert shown.inseparable == ["c"]
    assert "interaction not separable from c; parallel" in told(shown)
    effects = aliased.plot("effects")
    assert sorted(effects.parameters) == ["a = -b:c", "b = -a:c", "c = -a:b"]
    assert any(text.get_text().startswith("c = -a:b: ") for text in effects.ax_.texts)


def test_an_interaction_aliased_with_another_has_its_p_and_says_so(rng):
    design = fractional_factorial(dict.fromkeys("abcd", (0, 1)), {"d": "a:b:c"})
    report = report_of(design, rng.normal(size=(6, 8)))
    shown = report.plot("interactions", x="c", y="d")
    assert shown.pvalue == report.effects().of("c:d").pvalue_adjusted
    assert "interaction not separable from a:b, adjusted p" in told(shown)


def test_an_interaction_of_its_own_names_no_other(rng):
    report = report_of(full_factorial({"a": (0, 1), "b": (0, 1)}), rng.normal(size=(6, 4)))
    shown = report.plot("interactions")
    assert shown.inseparable == []
    assert "separable" not in told(shown)
    assert not shown.fitted


def test_an_opposite_alias_is_asked_for_with_its_sign(aliased):
    found = aliased.effects()
    assert found.of("-b:a") is found.of("c")
    with pytest.raises(ValueError, match=r"with its sign; got 'a:b', .* 'c = -a:b' has the opposite"):
        found.of("a:b")
    with pytest.raises(ValueError, match="with its sign; got '-c'"):
        found.of("-c")


def test_fitted_values_are_called_so(rng):
    design = latin_hypercube({"a": (0.0, 1.0), "b": (0.0, 1.0)}, 9, rng=0)
    report = report_of(design, rng.normal(size=(6, 9)))
    assert report.plot("interactions").ax_.get_ylabel() == "fitted mean accuracy"
    assert "fitted mean score" in told(report.plot("effects"))


@pytest.mark.parametrize("levels", [(1, 20), (20, 1)], ids=["rising", "falling"])
def test_the_design_and_the_effects_name_the_same_aliases(levels, rng):
    design = fractional_factorial({"a": levels[::-1], "b": levels, "c": (0.3, 1.0)}, {"c": "a:b"})
    found = report_of(design, rng.normal(size=(6, 4))).effects()
    assert design.aliases()[1:] == tuple(row.named for row in found.rows) == ("a = b:c", "b = a:c", "c = a:b")
    assert found.of("a").levels == ("20 less 1",)


def test_a_continuous_factor_of_another_shape_is_said(rng):
    design = central_composite({"a": (0.0, 1.0), "b": (0.0, 1.0)})
    scores = rng.normal(scale=0.001, size=(10, 9))
    report = report_of(design, scores + design.coded[:, 0] ** 3)
    found = report.effects()
    assert codes(found) == ["ASSUMED", "LACK_OF_FIT"]
    assert found.warnings[1].about == ("accuracy",)
    assert "these terms do not describe the settings" in " ".join(str(found).split())
    assert report.response_surface().pvalue_lack_of_fit < 0.05
    straight = report_of(design, np.zeros((10, 9)) + design.coded[:, 0]).effects()
    assert "LACK_OF_FIT" not in codes(straight)
    assert "do not describe" not in str(straight)


def test_levels_have_no_lack_of_fit(rng):
    report = report_of(full_factorial(dict.fromkeys("abc", (0, 1))), rng.normal(size=(6, 8)) + 9 * (np.arange(8) == 7))
    assert "LACK_OF_FIT" not in codes(report.effects())


def test_a_level_that_never_had_a_score_is_not_spoken_of(rng):
    design = full_factorial({"a": (-1, 3, 8), "b": (1, 2)})
    scores = rng.normal(scale=0.01, size=(6, 6)) + np.array([0, 0, 0, 0, 1, 1])
    scores[:, :2] = np.nan
    report = report_of(design, scores)
    found = report.effects()
    assert found.of("a").levels == ("8 less 3",)
    assert found.of("a").estimates[0] == pytest.approx(np.nanmean(scores[:, 4:]) - np.nanmean(scores[:, 2:4]))
    assert found.of("a").worst == "3"
    assert codes(found) == ["ASSUMED", "MISSING_SCORES"]
    assert list(report.plot("interactions", x="a", y="b").x_values) == ["3", "8"]
    assert [values for values in report.plot("effects").values if "-1" in values] == []


def test_a_factor_with_one_level_left_is_not_estimable_and_the_sentence_says_so(rng):
    scores = rng.normal(size=(6, 6))
    scores[:, :4] = np.nan
    found = report_of(full_factorial({"a": (-1, 3, 8), "b": (1, 2)}), scores).effects()
    assert [row.term for row in found.rows] == ["b"]
    assert found.not_estimable == ("a", "a:b")
    assert "Not estimable from these settings: a." in str(found).replace("\n", " ")


def test_a_line_ends_where_the_scores_do(rng):
    design = latin_hypercube({"a": (-1, 12), "b": (0.0, 1.0)}, 14, rng=1)
    low = np.array([run["a"] < 3 for run in design.runs])
    scores = rng.normal(scale=0.1, size=(10, 14)) + design.coded[:, 0]
    whole = report_of(design, scores).effects().of("a")
    scores[:, low] = np.nan
    report = report_of(design, scores)
    row = report.effects().of("a")
    assert (whole.levels, row.levels) == (("12 less -1",), ("12 less 3",))
    assert row.estimates[0] == pytest.approx(2 * 9 / 13, abs=0.3)
    assert report.response_surface().axes[0].low == 3
    assert codes(report.response_surface())[:2] == ["ASSUMED", "MISSING_SCORES"]


def test_a_surface_has_the_warnings_of_its_report(rng):
    design = central_composite({"a": (0.0, 1.0), "b": (0.0, 1.0)})
    report = report_of(design, rng.normal(size=(10, 9)))
    about = anova_test([[1, 1], [1, 1]]).warnings[0]
    assert replace(report, warnings=(about,)).response_surface().warnings[0] == about
    assert about.code not in codes(report.response_surface())


def test_a_split_without_scores_is_left_out_everywhere_and_said(rng):
    pytest.importorskip("pandas")
    scores = rng.normal(size=(6, 4))
    scores[2] = np.nan
    report = report_of(full_factorial({"a": (0, 1), "b": (0, 1)}), scores)
    found = report.effects()
    assert codes(found) == ["ASSUMED", "MISSING_SCORES"]
    assert found.rows[0].n == 5
    np.testing.assert_allclose(report.to_frame()["accuracy"], np.nanmean(scores, axis=0))
    assert "picked after looking: none" not in str(report).replace("\n", " ")
    scores[:, 1] = np.nan
    lacking = report_of(report.design, scores).to_frame()["accuracy"].to_numpy()
    assert np.isnan(lacking).tolist() == [False, True, False, False]


def evaluated(design):
    X, y = load_breast_cancer(return_X_y=True)
    evaluator = PairedEvaluator(cv=3, scoring="accuracy", random_state=0)
    return evaluator.evaluate(design.estimators(DecisionTreeClassifier(random_state=0)), X[:100], y[:100])


def test_a_result_of_other_parameters_with_the_same_short_names_is_refused():
    design = full_factorial({"max_depth": (1, 2), "min_samples_leaf": (1, 5)})
    result = evaluated(design)
    report = ExperimentReport.from_result(design, result)
    assert report.result is result
    assert "ASSUMED" not in codes(report.effects())  # it was run here
    longer = full_factorial({"x__max_depth": (1, 2), "z__min_samples_leaf": (1, 5)})
    assert longer.names == design.names
    with pytest.raises(ValueError, match=r"'max_depth=1, .*leaf=1' does not have x__max_depth = 1"):
        ExperimentReport.from_result(longer, result)
    with pytest.raises(ValueError, match="does not have max_depth = 9"):
        ExperimentReport.from_result(
            replace(design, runs=({**design.runs[0], "max_depth": 9}, *design.runs[1:])), result
        )


def test_ten_factors_of_resolution_six_take_a_quarter():
    # i = abcde, j = abcfgh: the words abcdei, abcfghj and defghij have 6, 7 and 7 letters
    pytest.importorskip("pyDOE3")
    design = fractional_factorial(dict.fromkeys("abcdefghij", (0, 1)), resolution=6)
    assert (len(design.runs), design.resolution) == (256, 6)


TREE, DATA = DecisionTreeClassifier(), ([[0.0], [1.0]] * 4, [0, 1] * 4)
TWO = full_factorial({"max_depth": (1, 2), "min_samples_leaf": (1, 5)})


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda _: run_experiment("tree", TWO, *DATA), "estimator must be an estimator with get_params .* got 'tree'"),
        (lambda _: run_experiment(None, TWO, *DATA), "estimator must be .* got None"),
        (lambda _: run_experiment({"a": TREE}, TWO, *DATA), "estimator must be"),
        (lambda _: run_experiment(DecisionTreeClassifier, TWO, *DATA), "estimator must be .* got <class"),
        (lambda _: full_factorial({"a": (1, 2)}, log=5), "log must be a sequence of names of factors; got 5"),
        (lambda _: full_factorial({"a": (1, 2)}, log=None), "log must be a sequence"),
        (lambda _: full_factorial({"a": np.array(3)}), "factors must give a sequence of levels for 'a'; got 3"),
        (lambda _: full_factorial({"a": (-1e308, 1e308)}), "differences are finite for 'a'"),
        (lambda _: latin_hypercube({"a": (-1e308, 1e308)}, 5), "differences are finite for 'a'"),
        (lambda _: TWO.aliases("x"), "order must be an integer of at least 1; got 'x'"),
        (lambda _: TWO.aliases(0), "order must be an integer of at least 1; got 0"),
        (lambda report: report.effects().of(3), "term must be a name .* got 3"),
        (lambda report: report.effects().of(0), "term must be a name .* got 0"),
        (lambda report: report.effects(interactions=4), "interactions must be at most 3, of 3 factors; got 4"),
        (lambda report: ExperimentReport.from_result("x", report.result), "design must be an ExperimentDesign"),
        (lambda _: ExperimentReport.from_result(TWO, None), "result must be an EvaluationResult; got None"),
    ],
    ids=range(16),
)
def test_what_is_refused(ask, message):
    scores = np.random.default_rng(0).normal(size=(5, 8))
    with pytest.raises(ValueError, match=message):
        ask(report_of(full_factorial(dict.fromkeys("abc", (0, 1))), scores))


def test_all_factors_may_interact_and_one_alone_needs_no_other(rng):
    whole = report_of(full_factorial(dict.fromkeys("abc", (0, 1))), rng.normal(size=(5, 8)))
    assert whole.effects(interactions=3).rows[-1].term == "a:b:c"
    alone = report_of(full_factorial({"a": (0, 1)}), rng.normal(size=(5, 2)))
    assert [row.term for row in alone.effects().rows] == ["a"]


def test_a_mean_of_several_levels_says_what_it_is_less_of(rng):
    report = report_of(full_factorial({"a": (1, 2, 3), "b": (0, 1)}), rng.normal(size=(5, 6)))
    assert "1 less the mean of all" in str(report.effects())
    assert report.effects().of("a").levels == ("1", "2", "3")
    two = report_of(full_factorial({"a": (1, 2), "b": (0, 1)}), rng.normal(size=(5, 4)))
    assert "mean of all" not in str(two.effects())
