"""Effects by hand, against statsmodels, under the null, with aliases, and from searches."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.datasets import load_breast_cancer, make_friedman1
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV, RepeatedStratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler
from sklearn.tree import DecisionTreeClassifier
from statsmodels.formula.api import ols
from statsmodels.stats.anova import AnovaRM

from skcompare import PairedEvaluator, SearchReport, from_frame
from skcompare.experiments import (
    ExperimentReport,
    fractional_factorial,
    full_factorial,
    latin_hypercube,
    run_experiment,
)
from skcompare.inference import k_fold_t_test
from tests.lawful import FULL


def report_of(design, scores, *, metrics=("accuracy",), test_fraction=None, greater=True):
    """Of scores of shape (n_splits, n_runs), the same for all metrics."""
    n, k = scores.shape
    table = {
        "model": np.tile(np.repeat(design.names, n), len(metrics)),
        "fold": np.tile(np.arange(n), k * len(metrics)),
        "metric": np.repeat(metrics, n * k),
        "score": np.tile(scores.T.ravel(), len(metrics)),
    }
    result = from_frame(table, test_fraction=test_fraction, greater_is_better=greater)
    return ExperimentReport.from_result(design, result)


def effects_of(design, scores, *, interactions=2, greater=True):
    """Of scores of shape (n_splits, n_runs) on splits that are as good as independent."""
    report = report_of(design, scores, test_fraction=1e-12, greater=greater)
    return report.effects(interactions=interactions)


def noisy(means, rng, n=10, sd=0.01):
    return np.asarray(means) + rng.normal(scale=sd, size=(n, len(means)))


def test_two_factors_by_hand():
    # Montgomery, Design and Analysis of Experiments, figure 6.1, as in data/Figure6.1.R of the R package MontgomeryDAE
    # (github.com/ehassler/MontgomeryDAE). By hand: totals (1) 80, a 100, b 60, ab 90 of three replicates, so that
    # A = (90 + 100 - 60 - 80) / 6, B = (90 + 60 - 100 - 80) / 6, AB = (90 + 80 - 100 - 60) / 6. Runs here are in the
    # order (1), b, a, ab.
    replicates = np.array([[28, 18, 36, 31], [25, 19, 32, 30], [27, 23, 32, 29]], dtype=float)
    found = effects_of(full_factorial({"a": (15, 25), "b": (1, 2)}), replicates)
    assert [round(float(row.estimates[0]), 2) for row in found.rows] == [8.33, -5.0, 1.67]
    assert [row.term for row in found.rows] == ["a", "b", "a:b"]
    assert (found.of("a").best, found.of("b").best) == ("25", "1")


def test_three_factors_by_hand():
    # Box, Hunter and Hunter (2005), Statistics for Experimenters, section 5.2 (pilot plant: temperature, concentration,
    # catalyst), two replicates in standard order: chemplant of the R package scidesignR 1.0.0. By hand, from sums
    # of the two, T = (144 + 136 + 166 + 160 - 120 - 108 - 104 - 90) / 8 = 23, others with their signs
    standard = np.array([[59, 74, 50, 69, 50, 81, 46, 79], [61, 70, 58, 67, 54, 85, 44, 81]], dtype=float)
    design = full_factorial({"T": (160, 180), "C": (20, 40), "K": ("A", "B")})
    order = [0, 4, 2, 6, 1, 5, 3, 7]  # the last factor changes fastest here
    found = effects_of(design, standard[:, order], interactions=3)
    estimates = {row.term: round(float(row.estimates[0]), 9) for row in found.rows}
    assert estimates == {"T": 23, "C": -5, "K": 1.5, "T:C": 1.5, "T:K": 10, "C:K": 0, "T:C:K": 0.5}


def test_independent_splits_give_the_repeated_measures_analysis_of_statsmodels(rng):
    design = full_factorial({"a": (0, 1), "b": ("x", "y", "z")})
    scores = rng.normal(loc=[0, 0.5, 1, 0, 1, 0.2], size=(12, 6))
    rows = [
        {"split": i, "a": run["a"], "b": run["b"], "y": scores[i, j]}
        for i in range(12)
        for j, run in enumerate(design.runs)
    ]
    table = AnovaRM(pd.DataFrame(rows), "y", "split", within=["a", "b"]).fit().anova_table
    found = effects_of(design, scores)
    for term in ("a", "b", "a:b"):
        assert found.of(term).statistic == pytest.approx(table.loc[term, "F Value"])
    assert found.of("a").pvalue == pytest.approx(table.loc["a", "Pr > F"])
    fitted = ols("y ~ C(a, Sum) * C(b, Sum)", pd.DataFrame(rows)).fit().params
    assert found.of("a").estimates[0] == pytest.approx(-2 * fitted["C(a, Sum)[S.0]"])
    assert found.of("b").estimates[:2] == pytest.approx(fitted[["C(b, Sum)[S.x]", "C(b, Sum)[S.y]"]].to_numpy())


def test_unequal_runs_give_the_least_squares_of_statsmodels(rng):
    design = latin_hypercube({"a": (0.0, 1.0), "b": (0.0, 1.0)}, 12, rng=rng)
    scores = rng.normal(size=(5, 12))
    frame = pd.DataFrame(design.coded, columns=["a", "b"]).assign(y=scores.mean(axis=0))
    fitted = ols("y ~ a * b + I(a**2) + I(b**2)", frame).fit().params
    found = effects_of(design, scores)
    expected = [2 * fitted["a"], 2 * fitted["b"], fitted["I(a ** 2)"], fitted["I(b ** 2)"], 2 * fitted["a:b"]]
    assert [float(row.estimates[0]) for row in found.rows] == pytest.approx(expected)
    assert [row.term for row in found.rows] == ["a", "b", "a^2", "b^2", "a:b"]


def test_an_effect_of_two_levels_is_the_t_test_of_the_default(rng):
    design = full_factorial({"a": (0, 1), "b": (0, 1)})
    scores = rng.normal(size=(10, 4))
    row = report_of(design, scores).effects().of("a")
    pair = k_fold_t_test(scores[:, 2:].mean(axis=1), scores[:, :2].mean(axis=1), test_fraction=0.1)
    assert row.pvalue == pytest.approx(pair.pvalue)
    interval = pair.confidence_interval()
    assert (row.low[0], row.high[0]) == pytest.approx((interval.low, interval.high))


def test_holm_over_all_effects_and_metrics(rng):
    design = full_factorial({"a": (0, 1), "b": (0, 1)})
    report = report_of(design, rng.normal(size=(10, 4)), metrics=("accuracy", "f1"))
    both = report.effects(["accuracy", "f1"])
    smallest = min(both.rows, key=lambda row: row.pvalue)
    assert len(both.rows) == 6
    assert smallest.pvalue_adjusted == pytest.approx(min(1, 6 * smallest.pvalue))
    assert [row.metric for row in report.effects().rows] == ["accuracy"] * 3
    assert report.effects(interactions=1).rows[-1].term == "b"
    assert "UNBALANCED" not in {warning.code for warning in both.warnings}


def test_an_interaction_is_found_and_one_that_is_not_there_is_not(rng):
    design = full_factorial({"a": (0, 1), "b": (0, 1), "c": (0, 1)})
    means = [0.8 + 0.05 * (run["a"] ^ run["b"]) + 0.03 * run["c"] for run in design.runs]
    found = report_of(design, noisy(means, rng, sd=0.004)).effects()
    assert [row.term for row in found.rows if row.pvalue_adjusted < 0.05 and row.kind == "interaction"][:1] == ["a:b"]
    assert found.of("a:b").pvalue_adjusted < 1e-4
    assert found.of("c").pvalue_adjusted < 1e-4
    assert found.of("b:c").pvalue_adjusted > 1e-4
    assert abs(found.of("b:c").estimates[0]) < 0.02


def test_three_levels_have_a_mean_each_and_a_loss_is_turned():
    design = full_factorial({"a": (1, 2, 3), "b": ("x", "y")})
    means = np.array([3.0, 3.0, 1.0, 1.0, 2.0, 2.0])
    scores = means + np.linspace(-0.1, 0.1, 8)[:, None] * np.array([1, -1, 2, 1, -2, 1])
    row = effects_of(design, scores, greater=False).of("a")
    assert row.levels == ("1", "2", "3")
    np.testing.assert_allclose(row.estimates, [1, -1, 0], atol=1e-12)
    assert (row.best, row.worst, row.difference) == ("2", "1", pytest.approx(2.0))
    assert row.df[0] <= 2


def test_aliased_effects_are_named_together_and_their_sum_is_estimated():
    design = fractional_factorial({"a": (0, 1), "b": (0, 1), "c": (0, 1)}, {"c": "-a:b"})
    scores = np.array([[0.0, 1.0, 2.0, 5.0]]) + np.linspace(-0.1, 0.1, 6)[:, None] * np.array([1, -1, 1, 2])
    found = effects_of(design, scores)
    assert [row.named for row in found.rows] == ["a = -b:c", "b = -a:c", "c = -a:b"]
    assert found.of("-b:a") is found.of("c")
    assert found.not_estimable == ()


def test_the_pairs_of_a_resolution_iv_fraction_stand_together(rng):
    design = fractional_factorial(dict.fromkeys("abcd", (0, 1)), {"d": "a:b:c"})
    names = [row.named for row in effects_of(design, rng.normal(size=(5, 8))).rows]
    assert names == ["a", "b", "c", "d", "a:b = c:d", "a:c = b:d", "a:d = b:c"]


def test_what_cannot_be_estimated_is_listed(rng):
    design = latin_hypercube(dict.fromkeys("abcd", (0.0, 1.0)), 7, rng=0)
    found = effects_of(design, rng.normal(size=(5, 7)))
    assert [row.term for row in found.rows] == ["a", "b", "c", "d"]
    assert len(found.not_estimable) == 4 + 6
    assert "not estimable" in str(found)
    assert [warning.code for warning in found.warnings if warning.code == "UNBALANCED"] == ["UNBALANCED"]


def test_the_summary_says_what_matters_most(rng):
    design = full_factorial({"max_depth": (2, 8), "min_samples_leaf": (1, 20)})
    shown = report_of(design, noisy([0.8, 0.8, 0.9, 0.82], rng, sd=0.002)).summary().replace("\n", " ")
    assert shown.startswith("max_depth matters most on accuracy: 8 is 0.0")
    assert "better than 2 (p < 0.001, adjusted over 3 effects); its effect depends on min_samples_leaf" in shown
    nothing = report_of(design, rng.normal(size=(5, 4))).summary().replace("\n", " ")
    assert "matters most" not in nothing or "p = 0.0" in nothing


def test_a_crossing_without_main_effects_is_said():
    design = full_factorial({"a": (0, 1), "b": (0, 1)})
    noise = np.linspace(-0.01, 0.01, 10)[:, None] * np.array([1, -1, -1, 1]) * [[(-1) ** i] for i in range(10)]
    wobble = np.tile(
        [[0.1, 0.1, -0.1, -0.1], [-0.1, -0.1, 0.1, 0.1], [0.1, -0.1, 0.1, -0.1], [-0.1, 0.1, -0.1, 0.1]], (3, 1)
    )
    scores = np.array([1.0, 0, 0, 1]) + noise[:8] + wobble[:8] * 0.1
    shown = report_of(design, scores).summary().replace("\n", " ")
    assert shown.startswith("No factor matters on its own on accuracy")
    assert "the effect of a depends on b" in shown


def test_markdown_and_frames(rng):
    report = report_of(full_factorial({"a__x": (0, 1), "a__y": (0, 1)}), rng.normal(size=(5, 4)))
    text = report.to_markdown()
    assert text.count("\n| ") == 5
    assert r"a\_\_x:a\_\_y" in text
    frame = report.to_frame()
    np.testing.assert_allclose(frame["accuracy"], report.scores[:, :, 0].mean(axis=1))
    assert len(report.effects().to_frame()) == 3


def test_an_experiment_runs_all_settings_on_the_same_splits_and_leaves_the_estimator():
    X, y = load_breast_cancer(return_X_y=True)
    tree = DecisionTreeClassifier(random_state=0)
    evaluator = PairedEvaluator(cv=5, scoring=["accuracy"], random_state=0, baseline="dummy")
    design = full_factorial({"max_depth": (1, 3), "min_samples_leaf": (1, 80)})
    report = run_experiment(tree, design, X, y, evaluator=evaluator)
    assert report.result.estimators[:4] == design.names
    assert report.scores.shape == (4, 5, 1)
    assert tree.max_depth is None
    assert report.effects().of("max_depth").best == "3"


def test_settings_that_fail_are_left_out_and_said():
    X, y = load_breast_cancer(return_X_y=True)
    design = full_factorial({"max_depth": (1, 2, -1), "min_samples_leaf": (1, 80)})
    evaluator = PairedEvaluator(cv=5, scoring=["accuracy"], random_state=0, error_score=np.nan)
    with pytest.warns(FitFailedWarning, match="fits failed"):
        report = run_experiment(DecisionTreeClassifier(random_state=0), design, X, y, evaluator=evaluator)
    found = report.effects()
    assert found.n_runs == 4
    assert any(warning.code == "MISSING_SCORES" and "2 settings" in warning for warning in found.warnings)


def test_a_grid_search_gives_the_effects_of_the_same_evaluation():
    X, y = load_breast_cancer(return_X_y=True)
    tree, levels = DecisionTreeClassifier(random_state=0), {"max_depth": [1, 3], "min_samples_leaf": [1, 80]}
    cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
    search = GridSearchCV(tree, levels, cv=cv, scoring="accuracy").fit(X, y)
    ours = run_experiment(tree, full_factorial(levels), X, y, evaluator=PairedEvaluator(cv=cv, scoring=["accuracy"]))
    for given in (search, SearchReport.from_search(search)):
        found = ExperimentReport.from_search(given).effects()
        for row in ours.effects().rows:
            assert found.of(row.term).pvalue == pytest.approx(row.pvalue)
            np.testing.assert_allclose(found.of(row.term).estimates, row.estimates)
    # with two levels the largest t of a search report is the same test
    for effect in SearchReport.from_search(search).effects:
        row = ours.effects().of(effect.parameter)
        assert (effect.best, effect.difference) == (row.best, pytest.approx(row.difference))
        assert effect.pvalue == pytest.approx(row.pvalue, abs=1e-6)


def test_a_random_search_has_lines_for_numbers_and_levels_for_words():
    X, y = load_breast_cancer(return_X_y=True)
    space = {"ccp_alpha": stats.loguniform(1e-4, 1e-1), "criterion": ["gini", "entropy"], "max_depth": [1, 2, 3]}
    tree = DecisionTreeClassifier(random_state=0)
    search = RandomizedSearchCV(tree, space, n_iter=16, cv=5, random_state=0).fit(X[:250], y[:250])
    report = ExperimentReport.from_search(search, log=["ccp_alpha"])
    assert report.design.continuous == ("ccp_alpha",)
    found = report.effects()
    assert [row.term for row in found.rows][:4] == ["ccp_alpha", "criterion", "max_depth", "ccp_alpha^2"]
    assert found.of("max_depth").levels == ("1", "2", "3")
    assert found.of("ccp_alpha").levels[0].startswith("0.0")


def test_one_factor_at_a_time_finds_less():
    """The example of docs/experiments.md: both steps alone are worse, both together better."""
    X, y = make_friedman1(150, n_features=8, noise=1, random_state=0)
    model = make_pipeline(PolynomialFeatures(include_bias=False), StandardScaler(), Ridge())
    evaluator = PairedEvaluator(cv=10, scoring="r2", random_state=0)
    design = full_factorial({"polynomialfeatures__degree": (1, 3), "ridge__alpha": (0.001, 100)})
    start, alpha, degree, both = run_experiment(model, design, X, y, evaluator=evaluator).scores[:, :, 0].mean(axis=1)
    extra = full_factorial({"polynomialfeatures__degree": (1, 3), "ridge__alpha": (1, 10)})
    fourth = run_experiment(model, extra, X, y, evaluator=evaluator).scores[0, :, 0].mean()
    assert max(alpha, degree) < start
    assert both > max(start, fourth) + 0.04


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda report: report.effects("f2"), "metric must be"),
        (lambda report: report.effects(interactions=0), "interactions must be"),
        (lambda report: report.effects(confidence_level=1), "confidence_level must be"),
        (lambda report: report.effects().of("z"), "term and metric must be among"),
        (lambda report: ExperimentReport.from_result(full_factorial({"q": (1, 2)}), report.result), "got none for q=1"),
        (
            lambda _: run_experiment(DecisionTreeClassifier(), {"a": 1}, [[1]], [1]),
            "design must be an ExperimentDesign",
        ),
        (
            lambda report: run_experiment(DecisionTreeClassifier(), report.design, [[1]], [1], evaluator=5),
            "evaluator must be",
        ),
        (lambda _: ExperimentReport.from_search(5), "search must be a fitted search"),
    ],
    ids=range(8),
)
def test_what_is_refused(change, message):
    report = report_of(full_factorial({"a": (0, 1), "b": (0, 1)}), np.random.default_rng(0).normal(size=(5, 4)))
    with pytest.raises(ValueError, match=message):
        change(report)


@pytest.mark.slow
def test_equal_settings_have_effects_at_most_as_often_as_the_level_says(rng):
    """Scores of splits that share what is common to all settings; family-wise over main effects and interactions."""
    design = full_factorial({"a": (0, 1), "b": (0, 1, 2)})
    n = 2000 if FULL else 150
    rejected = sum(
        any(
            row.pvalue_adjusted < 0.05
            for row in effects_of(design, rng.normal(size=(10, 6)) + rng.normal(size=(10, 1))).rows
        )
        for _ in range(n)
    )
    assert rejected <= stats.binom.ppf(0.9999, n, 0.05)
