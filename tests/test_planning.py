"""How much evidence a difference needs, and what a run could have detected."""

from __future__ import annotations

import csv
import gzip
import re
from functools import partial
from math import ceil
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from scipy import stats
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection import TimeSeriesSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier
from statsmodels.stats.power import TTestPower

from skcompare import PairedEvaluator, StopRule, StudyResult, from_frame, from_outcomes, from_predictions, from_runs
from skcompare.cli import main as cli
from skcompare.inference import study_power
from skcompare.planning import (
    design_efficiency,
    detectable_difference,
    plan,
    plan_evaluation,
    plan_study,
    seed_variance,
)
from skcompare.reporting.explain import size as shown_size
from tests.lawful import FULL

ROOT = Path(__file__).parents[1]
MODELS = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2)}
RNG = np.random.default_rng(0)
Y = np.arange(80) % 2
X = RNG.normal(size=(80, 3)) + Y[:, None]


def evaluate(models=MODELS, **options):
    return PairedEvaluator(**{"cv": "3x5", "random_state": 0, **options}).evaluate(models, X, Y)


@pytest.fixture(scope="module")
def result():
    return evaluate(scoring=["accuracy", "roc_auc", "f1"])


def power_of(delta, std, n, overlap, alpha=0.05):
    """By scipy.stats.nct."""
    distance, critical = delta / (std * (1 / n + overlap) ** 0.5), stats.t.isf(alpha / 2, n - 1)
    return stats.nct.sf(critical, n - 1, distance) + np.nan_to_num(stats.nct.cdf(-critical, n - 1, distance))


# ---- one data set, from assumptions -----------------------------------------------------------------------------


def test_without_correlation_it_is_the_sample_size_of_statsmodels():
    """Reference: TTestPower.solve_power of the installed statsmodels."""
    found = plan_evaluation(0.02, std=0.05, n_train=90, n_test=10, n_folds=1, n_repeats=2, correlation=0)
    n = TTestPower().solve_power(effect_size=0.4, alpha=0.05, power=0.8)
    assert found.needed("repeats") == ceil(n)
    assert found.rows[0].floor == 0


@pytest.mark.parametrize("delta", [0.03, 0.045, 0.08])
def test_the_needed_repeats_are_the_first_that_suffice(delta):
    found = plan_evaluation(delta, std=0.04, n_train=90, n_test=10)
    n = found.needed("repeats")
    floor = (stats.norm.isf(0.025) + stats.norm.isf(0.2)) * 0.04 / 3  # overlap 1/9
    assert found.rows[0].floor == pytest.approx(floor, rel=1e-4)
    if delta < floor:
        assert n is None
    else:
        assert power_of(delta, 0.04, 10 * n, 1 / 9) >= 0.8
        assert n == 1 or power_of(delta, 0.04, 10 * (n - 1), 1 / 9) < 0.8
    assert found.current_power == pytest.approx(power_of(delta, 0.04, 100, 1 / 9), abs=1e-6)


def test_repeats_find_what_is_just_above_the_floor_and_nothing_below():
    floor = plan_evaluation(0.01, std=0.04, n_train=90, n_test=10).rows[0].floor
    needed = plan_evaluation(1.001 * floor, std=0.04, n_train=90, n_test=10).needed("repeats")
    assert needed > 50
    assert plan_evaluation(0.999 * floor, std=0.04, n_train=90, n_test=10).needed("repeats") is None


def test_the_needed_samples_and_folds_suffice_by_the_assumptions_that_are_stated():
    found = plan_evaluation(0.03, std=0.05, n_train=180, n_test=20, n_repeats=2)
    n = found.needed("samples")
    for samples, enough in ((n, True), (n - 10, False)):
        std = 0.05 * (200 / samples) ** 0.5
        assert (power_of(0.03, std, 20, 1 / 9) >= 0.8) == enough
    k = plan_evaluation(0.06, std=0.05, n_train=180, n_test=20, n_repeats=2).needed("folds")
    for folds, enough in ((k, True), (k - 1, False)):
        assert (power_of(0.06, 0.05 * (folds / 10) ** 0.5, 2 * folds, 1 / (folds - 1)) >= 0.8) == enough


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_a_direction_needs_less(alternative):
    both = plan_evaluation(0.03, std=0.05, n_train=180, n_test=20)
    one = plan_evaluation(0.03, std=0.05, n_train=180, n_test=20, alternative=alternative)
    assert one.needed("samples") < both.needed("samples")
    assert one.current_power > both.current_power


def tabled(std, n_samples, repeats, folds):
    """A result of these sizes, whose differences have this standard deviation."""
    d = np.random.default_rng(0).normal(size=repeats * folds)
    d = 0.01 + std * (d - d.mean()) / d.std(ddof=1)
    places = {"repeat": [*np.repeat(range(repeats), folds)] * 2, "fold": [*range(folds)] * 2 * repeats}
    n_test = n_samples // folds
    sizes = {"n_train": [n_samples - n_test] * 2 * d.size, "n_test": [n_test] * 2 * d.size}
    model = ["a"] * d.size + ["b"] * d.size
    return from_frame({"model": model, **places, **sizes, "score": [*(0.8 + d), *[0.8] * d.size]})


def power_by_the_result(std, n_samples, repeats, folds, delta, procedure="auto"):
    return detectable_difference(tabled(std, n_samples, repeats, folds), procedure=procedure).power_at(delta)


@pytest.mark.parametrize("repeats", [1, 3])
@pytest.mark.parametrize("delta", [0.03, 0.0405, 0.046, 0.06, 0.09])
def test_what_is_planned_suffices_by_the_default_test_of_that_very_design(repeats, delta):
    """4,000 samples, which every number of folds that is looked at divides nearly; 0.04 on 10 folds."""
    found = plan(tabled(0.04, 4000, repeats, 10), delta)
    n, k, samples = (found.needed(varies) for varies in ("repeats", "folds", "samples"))
    assert found.current_power == pytest.approx(power_by_the_result(0.04, 4000, repeats, 10, delta))
    for tried in range(1, min(n or 12, 12)):
        assert power_by_the_result(0.04, 4000, tried, 10, delta) < 0.8
    if n is not None:
        assert power_by_the_result(0.04, 4000, n, 10, delta) >= 0.8
    for tried in (2, 4, 5, 8, 10, 16, 20, 25, 40, 100):
        enough = power_by_the_result(0.04 * (tried / 10) ** 0.5, 4000, repeats, tried, delta) >= 0.8
        assert not enough or (k is not None and k <= tried)
    if k is not None:
        assert power_by_the_result(0.04 * (k / 10) ** 0.5, k * (4000 // k), repeats, k, delta) >= 0.8
    for size, enough in ((samples, True), (samples - 20, False)):
        std = 0.04 * (4000 / size) ** 0.5
        assert (power_by_the_result(std, 10 * (size // 10), repeats, 10, delta) >= 0.8) == enough or samples == 20


def test_repeats_do_not_carry_the_overlap_of_a_single_run():
    """Above the floor that 0.4 of the correction would have, 0.0249, and below the real one, 0.0374."""
    found = plan(tabled(0.04, 200, 1, 10), 0.034)
    assert found.needed("repeats") is None
    assert found.rows[0].floor == pytest.approx((stats.norm.isf(0.025) + stats.norm.isf(0.2)) * 0.04 / 3, rel=1e-4)
    assert found.rows[1].floor == pytest.approx(
        detectable_difference(tabled(0.04 * 2**0.5, 200, 1, 20)).difference, rel=1e-6
    )


def test_two_repeats_can_have_less_power_than_one():
    delta = detectable_difference(tabled(0.04, 200, 1, 20)).difference
    assert power_by_the_result(0.04, 200, 2, 20, delta) < 0.8
    assert plan(tabled(0.04, 200, 3, 20), delta + 1e-9).needed("repeats") == 1


def test_a_test_that_is_named_is_planned_throughout():
    pilot = tabled(0.04, 200, 1, 10)
    corrected, single = (plan(pilot, 0.048, procedure=name) for name in ("corrected_t_test", "k_fold_t_test"))
    assert corrected.needed("repeats") == next(
        n for n in range(1, 99) if power_by_the_result(0.04, 200, n, 10, 0.048, "corrected_t_test") >= 0.8
    )
    assert corrected.current_power < single.current_power
    assert [row.varies for row in single.rows] == ["folds", "samples"]
    assert any(warning.startswith("NOT_PLANNED: k_fold_t_test is for one run") for warning in single.warnings)
    for delta in (0.02, 0.0445, 0.045, 0.046, 0.1):
        assert (plan(pilot, delta, procedure="k_fold_t_test").needed("folds") or 3) in range(3, 21)


@pytest.mark.parametrize("repeats", [1, 2])
def test_a_pilot_and_equal_assumptions_agree(repeats):
    pilot = plan(tabled(0.04, 200, repeats, 10), 0.045)
    assumed = plan_evaluation(0.045, std=0.04, n_train=180, n_test=20, n_repeats=repeats)
    assert assumed.current_power == pytest.approx(pilot.current_power)
    assert assumed.method == pilot.method
    for one, other in zip(pilot.rows, assumed.rows, strict=True):
        assert (one.varies, one.current, one.needed) == (other.varies, other.current, other.needed)
        assert one.floor == pytest.approx(other.floor)


@pytest.mark.parametrize("delta", [1e-9, 1e-300, 1e300])
def test_differences_of_any_size_have_an_answer(delta):
    found = plan_evaluation(delta, std=0.04, n_train=180, n_test=20)
    of_many = plan_study(delta, std=0.0, within_error=0.02, n_datasets=10)
    assert found.needed("samples") == (20 if delta > 1 else None)
    assert of_many.needed("data sets") == (6 if delta > 1 else None)
    assert of_many.rows[1].needed > 0
    assert delta > 1 or re.search(r"\nsamples +\d+  more than 1e\+09 needed", str(found))


@pytest.mark.parametrize("std", [5e-324, 1e-300, 1e-160])
@pytest.mark.parametrize("alpha", [0.05, 1e-300])
def test_the_smallest_spreads_have_a_plan(std, alpha):
    found = plan_evaluation(0.02, std=std, n_train=180, n_test=20, correlation=0.02, alpha=alpha)
    assert (found.current_power, found.needed("repeats")) == (1, 1)


def test_more_splits_than_can_be_needed_are_refused():
    with pytest.raises(ValueError, match="n_repeats must give from 2 to 1,000,000,000 splits"):
        plan_evaluation(0.02, std=0.04, n_train=180, n_test=20, n_repeats=10**12, n_folds=10**12)


# ---- several data sets, from assumptions ------------------------------------------------------------------------


def test_the_needed_data_sets_of_the_t_test_are_those_of_statsmodels():
    n = TTestPower().solve_power(effect_size=2 / 3, alpha=0.05, power=0.8)
    assert plan_study(0.02, std=0.03, procedure="dataset_t_test").needed("data sets") == ceil(n)


@pytest.mark.parametrize("effect", [0.1, 0.5, 2.0, 9.0])
def test_the_needed_data_sets_of_the_signed_rank_test_suffice(effect):
    n = plan_study(effect, std=1.0).needed("data sets")
    assert study_power(effect, std=1.0, n_datasets=n) >= 0.8
    assert n == 6 or study_power(effect, std=1.0, n_datasets=n - 1) < 0.8
    assert n >= plan_study(effect, std=1.0, procedure="dataset_t_test").needed("data sets")


def test_the_standard_error_on_each_data_set_has_a_floor():
    few, many = (plan_study(0.02, std=0.03, within_error=0.04, n_datasets=n) for n in (10, 60))
    (_, of_few), (_, of_many) = few.rows, many.rows
    assert of_few.needed is None
    assert study_power(of_few.floor, std=0.03, n_datasets=10) == pytest.approx(0.8)
    total = np.hypot(0.03, of_many.needed)
    assert study_power(0.02, std=total, n_datasets=60) == pytest.approx(0.8)
    assert many.current_power == study_power(0.02, std=0.05, n_datasets=60)
    assert plan_study(0.02, std=0.03, within_error=0.04, n_datasets=5).rows[1].floor == np.inf


# ---- from a pilot -----------------------------------------------------------------------------------------------


def test_a_plan_from_a_result_is_that_from_its_spread(result):
    std = result.difference("accuracy").std(ddof=1)
    own, assumed = plan(result, 0.05), plan_evaluation(0.05, std=std, n_train=64, n_test=16, n_repeats=3)
    for row, other in zip(own.rows, assumed.rows, strict=True):
        assert (row.varies, row.current, row.needed) == (other.varies, other.current, other.needed)
        assert row.floor == pytest.approx(other.floor)
    detectable = detectable_difference(result, "accuracy")
    assert own.current_power == pytest.approx(detectable.power_at(0.05))
    assert any(warning.startswith("ESTIMATED_SPREAD") for warning in own.warnings)


def test_a_plan_of_cases_that_are_no_splits_counts_these(rng):
    numbers = {name: rng.normal(size=(12, 5)).ravel() for name in "ab"}
    y = rng.integers(2, size=60)
    chances = {name: rng.uniform(0.05, 0.95, size=60) for name in "ab"}
    series = PairedEvaluator(cv=TimeSeriesSplit(4), scoring="neg_brier_score", random_state=0)
    runs = {"model": ["a"] * 9 + ["b"] * 9, "seed": [*range(9)] * 2, "score": rng.normal(size=18)}
    for pilot, unit, n in (
        (from_outcomes({"k": numbers}), "items", 60),
        (from_outcomes({"k": numbers}, clusters=np.arange(60) // 5), "items", 60),
        (from_predictions(y, chances, scoring="neg_brier_score"), "samples", 60),
        (from_predictions(y, chances, scoring="neg_brier_score", sample_weight=rng.uniform(1, 2, 60)), "samples", 60),
        (series.evaluate(MODELS, rng.normal(size=(60, 3)), np.arange(60) % 2), "samples", 60),
        (from_runs(runs, paired="one order of the data"), "runs", 9),
    ):
        found, test = detectable_difference(pilot), pilot.test()
        margin = found.difference / rng.uniform(1.1, 9)
        planned = plan(pilot, margin)
        (row,) = planned.rows
        assert (row.varies, row.current) == (unit, n)
        assert planned.current_power == pytest.approx(found.power_at(margin), rel=1e-6)
        assert "split" not in str(planned)
        if test.df == test.n - 1:
            effect = margin / (test.standard_error * test.n**0.5)
            assert row.needed == ceil(TTestPower().solve_power(effect, power=0.8, alpha=0.05))
        else:
            assert row.needed == ceil(n * (found.difference / margin) ** 2)


def test_a_plan_uses_the_standard_error_of_the_test_that_is_asked_for(result):
    found = plan(result, 0.05, procedure="paired_t_test", metric="f1")
    assert found.rows[0].floor == pytest.approx(0, abs=1e-6)  # it knows of no correlation
    fixed = result.test("calibrated_t_test", df=6.0)
    detectable = detectable_difference(result, procedure="paired_t_test", metric="f1")
    assert found.current_power == pytest.approx(detectable.power_at(0.05))
    assert fixed.df == 6


def test_a_calibrated_test_is_planned_for_samples_only(rng):
    scores = rng.normal(0.8, 0.02, 200)
    places = {"repeat": [*np.repeat(range(10), 10)] * 2, "fold": [*range(10)] * 20}
    sizes = {"n_train": [90] * 200, "n_test": [10] * 200}
    table = from_frame({"model": ["a"] * 100 + ["b"] * 100, **places, **sizes, "score": scores})
    found = plan(table, 0.05, procedure="calibrated_t_test")
    assert [row.varies for row in found.rows] == ["samples"]
    assert any(warning.startswith("NOT_PLANNED") for warning in found.warnings)


def test_a_plan_from_a_table_without_sizes_has_no_samples(rng):
    scores = rng.normal(0.8, 0.02, 20)
    table = {"model": ["a"] * 10 + ["b"] * 10, "fold": [*range(10)] * 2, "score": scores}
    assert [row.varies for row in plan(from_frame(table), 0.01).rows] == ["repeats"]


def test_a_plan_from_a_study_takes_the_spread_between_its_data_sets(rng, result):
    values = rng.normal(0.8, 0.05, (2, 12))
    study = StudyResult.from_frame({"dataset": [f"d{i}" for i in range(12)], "a": values[0], "b": values[1]})
    std = float(np.std(values[0] - values[1], ddof=1))
    assert plan(study, 0.02).rows == plan_study(0.02, std=std, n_datasets=12).rows
    of_results = StudyResult.from_results({f"d{i}": evaluate(random_state=i, scoring="accuracy") for i in range(3)})
    found = plan(of_results, 0.02, procedure="dataset_t_test")
    errors = [one.test(metric="accuracy").standard_error for one in of_results.results.values()]
    assert found.rows[1].current == pytest.approx(np.sqrt(np.mean(np.square(errors))))
    assert found.current_power <= 1
    with pytest.raises(ValueError, match=r"procedure must be one of"):
        plan(study, 0.02, procedure="sign_test")
    assert result.metrics[0] == "accuracy"


def test_a_plan_can_be_read(result):
    found = plan(result, 0.05)
    frame = found.to_frame()
    assert frame["varies"].tolist() == [row.varies for row in found.rows]
    assert frame["needed"].fillna(-1).tolist() == [-1 if row.needed is None else row.needed for row in found.rows]
    for row in plan_evaluation(0.01, std=0.05, n_train=90, n_test=10).rows:
        assert ("cannot be reached by this alone" in str(row)) == (row.needed is None)
    for assumption in found.assumptions:
        assert assumption in " ".join(str(found).split())
        assert assumption in found._repr_html_()
    with pytest.raises(ValueError, match=r"^varies must be one of 'repeats', 'folds', 'samples'"):
        found.needed("data sets")
    large, small = (" ".join(str(plan(result, delta)).split()) for delta in (1e-4, 0.9))
    assert f" {plan(result, 1e-4).needed('samples'):,} samples. " in large
    assert "it takes 1 repeat or 2 folds or " in small


# ---- what a run could have detected ------------------------------------------------------------------------------


def test_reports_say_what_the_open_comparisons_could_have_detected(result):
    rows = [row for row in result.compare() if row.winner is None]
    first = result.metrics[0]
    levels = [0.05 if row.metric == first else 0.05 / 2 for row in rows]
    sizes = [
        detectable_difference(result, row.metric, alpha=level).difference
        for row, level in zip(rows, levels, strict=True)
    ]
    assert rows
    for report in (result.summary("full"), result.to_html()):
        said = " ".join(report.replace("\\", "").split())
        assert "Smallest detectable difference at 80% power: " in said
        for row, size in zip(rows, sizes, strict=True):
            assert f"{shown_size(size)} in {row.metric}" in said


def test_of_many_models_the_smallest_and_the_largest_are_said():
    models = {**MODELS, "stump": DecisionTreeClassifier(max_depth=1)}
    result = evaluate(models, scoring="accuracy")
    pairs = [(row.a, row.b) for row in result.compare() if row.winner is None]
    sizes = [detectable_difference(result, "accuracy", *pair, alpha=0.05 / 3).difference for pair in pairs]
    ends = dict.fromkeys(map(shown_size, (min(sizes), max(sizes))))
    assert f"at 80% power: {' to '.join(ends)} in accuracy." in result.explain().named("power").text


def test_nothing_is_said_where_nothing_is_open_or_known():
    same = evaluate({"a": GaussianNB(), "b": GaussianNB()}, scoring="accuracy")
    stopped = evaluate(scoring="accuracy", cv="3x5", stop=StopRule())
    for result in (same, stopped):
        assert result.explain().named("power") is None
    assert detectable_difference(same).difference == 0


def test_a_test_without_a_standard_error_is_refused(result):
    for call in (partial(detectable_difference, result), lambda **given: plan(result, 0.05, **given)):
        with pytest.raises(ValueError, match=r"^procedure must be a test by .*, with a standard error"):
            call(procedure="permutation_test")


# ---- learner seeds ----------------------------------------------------------------------------------------------


class Fake(ClassifierMixin, BaseEstimator):
    """Its score is a constant plus an effect of the split, of the seed and of both, of known standard deviations."""

    def __init__(self, base=0.0, split=1.0, seed=0.0, both=0.0, random_state=None):
        self.base = base
        self.split = split
        self.seed = seed
        self.both = both
        self.random_state = random_state

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        split = int(1e9 * X[:, 0].sum())
        effects = [
            np.random.default_rng([100 * round(self.base), 1, split]).normal(0, self.split),
            np.random.default_rng([100 * round(self.base), 2, self.random_state]).normal(0, self.seed),
            np.random.default_rng([100 * round(self.base), 3, split, self.random_state]).normal(0, self.both),
        ]
        self.score_ = self.base + sum(effects)
        return self

    def predict(self, X):
        return np.zeros(len(X), dtype=int)


def fake_score(estimator, X, y):  # noqa: ARG001
    return getattr(estimator, "score_", 0.0)


@pytest.fixture(scope="module")
def seeds():
    evaluator = PairedEvaluator(cv="10x3", scoring={"fake": fake_score}, random_state=1)
    X = np.random.default_rng(0).random((30, 1))
    models = {"a": Fake(1, 1.0, 0.5, 0.7), "b": Fake(2, 2.0), "nb": GaussianNB()}
    return seed_variance(evaluator, models, X, np.arange(30) % 2, n_seeds=12)


def test_the_components_are_those_of_a_known_truth(seeds):
    """The bounds are 5 standard errors of a variance on so many degrees of freedom: sqrt(2 / df) of its truth."""
    row, difference = seeds.row("fake", "a"), seeds.row("fake", "a", "b")
    assert abs(row.residual - 0.49) < 5 * 0.49 * (2 / (11 * 29)) ** 0.5
    for found, truth, df in ((row.split, 1.0, 29), (difference.split, 5.0, 29), (row.seed, 0.25, 11)):
        noise = 0.49 / (12 if df == 29 else 30)
        assert abs(found - truth) < 5 * (truth + noise) * (2 / df) ** 0.5
    assert (difference.seed, difference.residual) == pytest.approx((row.seed, row.residual))
    share = (row.seed + row.residual) / (row.seed + row.residual + row.split)
    assert row.seed_share == pytest.approx(share)
    assert row.removed_by(4) == pytest.approx(0.75 * share)
    assert row.removed_by(1) == 0
    assert difference.mean == pytest.approx(row.mean - seeds.row("fake", "b").mean)


def test_the_split_component_is_exact_where_it_is_all_there_is(seeds):
    row = seeds.row("fake", "b")
    assert row.seed == row.residual == row.seed_share == row.removed_by(9) == 0


def test_a_model_without_randomness_has_seed_variance_0_and_a_note(seeds):
    row = seeds.row("fake", "nb")
    assert (row.split, row.seed, row.residual) == (0, 0, 0)
    assert np.isnan(row.seed_share)
    assert str(row) == "fake, nb: does not vary."
    codes = [warning.split(":")[0] for warning in seeds.warnings]
    assert sorted(codes) == ["NO_RANDOMNESS", "NO_RANDOMNESS"]
    assert seeds.to_frame().shape == (6, 9)


def test_real_learners_nested_and_seeded_ones_too():
    evaluator = PairedEvaluator(cv=5, scoring=["accuracy", "roc_auc"], random_state=3)
    tree = ExtraTreeClassifier(max_depth=2, random_state=0)
    models = {"nb": GaussianNB(), "nested": make_pipeline(StandardScaler(), tree)}
    found, again = (seed_variance(evaluator, models, X, Y, n_seeds=3) for _ in range(2))
    assert found == again
    assert tree.random_state == 0
    assert evaluator.options is None
    assert len(set(found.seeds)) == 3
    nested = found.row("roc_auc", "nested")
    assert nested.seed + nested.residual > 0
    # the scores of one seed are those of an evaluation with that seed
    tree.set_params(random_state=found.seeds[0])
    scores = [
        evaluator.evaluate(
            {
                "nb": GaussianNB(),
                "t": make_pipeline(StandardScaler(), ExtraTreeClassifier(max_depth=2, random_state=s)),
            },
            X,
            Y,
        ).score("t", "roc_auc")
        for s in found.seeds
    ]
    assert nested.mean == pytest.approx(np.mean(scores))


def test_splits_on_which_a_seed_failed_are_left_out():
    class Sometimes(ExtraTreeClassifier):
        def fit(self, X, y):
            if len(X) == 63:
                raise RuntimeError("no")
            return super().fit(X, y)

    splits = [(np.arange(n, 80), np.arange(n)) for n in (15, 16, 17, 18)]
    evaluator = PairedEvaluator(cv=splits, scoring="accuracy", random_state=0, error_score=np.nan)
    with pytest.warns(FitFailedWarning):
        found = seed_variance(evaluator, {"a": Sometimes(max_depth=2), "nb": GaussianNB()}, X, Y, n_seeds=2)
    assert found.row("accuracy", "a").n_splits == 3
    assert found.row("accuracy", "nb").n_splits == 4
    assert any(warning.startswith("MISSING_SCORES") for warning in found.warnings)


# ---- the command ------------------------------------------------------------------------------------------------


def test_the_command_prints_the_plan(result, tmp_path):
    result.save(tmp_path / "result.skc")
    for arguments, expected in (
        ([tmp_path / "result.skc", "--metric", "f1"], plan(result, 0.03, metric="f1")),
        (["--sd", 0.05, "--n-train", 64, "--n-test", 16], plan_evaluation(0.03, std=0.05, n_train=64, n_test=16)),
        (
            [
                *("--sd", 0.05, "--n-train", 64, "--n-test", 16, "--repeats", 1, "--folds", 4),
                *("--correlation", 0.1, "--alternative", "less"),
            ],
            plan_evaluation(
                0.03, std=0.05, n_train=64, n_test=16, n_repeats=1, n_folds=4, correlation=0.1, alternative="less"
            ),
        ),
        (
            ["--sd-between", 0.03, "--within-error", 0.02, "--n-datasets", 10],
            plan_study(0.03, std=0.03, within_error=0.02, n_datasets=10),
        ),
    ):
        done = CliRunner().invoke(cli.command, ["plan", "--margin", "0.03", *map(str, arguments)])
        assert done.exit_code == 0
        assert done.output.split() == str(expected).split()
        assert max(map(len, done.output.splitlines())) <= 100


# ---- refused ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda **given: plan_evaluation(**{"margin": 0.1, "std": 1, "n_train": 9, "n_test": 1, **given}), "margin"),
        (lambda **given: plan_study(**{"margin": 0.1, "std": 1, **given}), "margin"),
    ],
)
def test_a_difference_that_is_not_positive_is_refused(call, name):
    for value in (0, -0.1, np.nan, np.inf, "x"):
        with pytest.raises(ValueError, match=f"^{name} must be"):
            call(**{name: value})


# ---- real fits --------------------------------------------------------------------------------------------------


@pytest.mark.sampled("simulations")
@pytest.mark.slow
def test_a_plan_keeps_its_word_with_real_fits():
    """Naive Bayes on 6 and on 3 features, planned on 200 samples for 800.

    On 20 data sets (400 if full) the standard error of the power is at most 0.112 (0.025) and that of the ratio of the
    standard deviations, each the root mean of variances on 9 degrees of freedom, sqrt(2 / 18 / 20) = 0.075 (0.017);
    the bounds are 4 of them, and 0.1 for the power and 0.05 for the ratio that the assumptions may be off. Without the
    scaling the ratio would be 0.5.
    """
    from benchmarks import planning as simulation

    n = 400 if FULL else 20
    pair = "naive Bayes on 6 and on 3 features"
    pilot = simulation.observe(pair, simulation.PILOT, n)
    target = (800, 1, 10)
    seen, spread = simulation.observe(pair, target, n), simulation.carried_over(pair, pilot, target)
    assert abs(seen.std / spread.std - 1) < 0.05 + 4 * (2 / 18 / n) ** 0.5
    planned = simulation.planned_power(spread, seen.difference)
    assert abs(seen.power - planned) < 0.1 + 4 * (0.25 / n) ** 0.5


DEFAULTS = {
    "5-fold": "k_fold_t_test",
    "10-fold": "k_fold_t_test",
    **dict.fromkeys(("5x2", "10x5", "10x10", "30 resamples"), "corrected_t_test"),
}


@pytest.mark.parametrize("design", DEFAULTS)
@pytest.mark.parametrize("n_samples", [60, 200])
def test_designs_are_wrong_and_find_as_often_as_the_calibration_study_says(design, n_samples):
    with gzip.open(ROOT / "docs/data/calibration_study.csv.gz", "rt", encoding="utf-8", newline="") as stream:
        kept = [
            row for row in csv.DictReader(stream) if row["procedure"] == DEFAULTS[design] and row["design"] == design
        ]
    for metric in ("accuracy", "recall", "roc_auc"):
        row = next(row for row in design_efficiency(metric=metric, n_samples=n_samples).rows if row.design == design)
        for null, share in (("signal", row.size), ("better", row.found)):
            cells = [
                int(cell["rejected"]) / int(cell["n_datasets"])
                for cell in kept
                if (cell["null"], cell["metric"], cell["n_samples"], cell["balance"])
                == (null, metric, str(n_samples), "50/50")
            ]
            assert len(cells) == 5  # learners
            drawn_anew = 0.006 * (n_samples == 60)  # the forests; two standard errors of 5,000 data sets
            assert share == pytest.approx(np.mean(cells), abs=6e-5 + drawn_anew)


def test_what_a_design_costs_and_finds():
    found = design_efficiency()
    rows = {row.design: row for row in found.rows}
    assert [row.cost for row in found.rows] == sorted(row.cost for row in found.rows)
    assert rows["5x2"].cost == 10 * 0.5
    assert {row.design: row.cost for row in design_efficiency(growth=0).rows}["5x2"] == 10
    assert found.within(9).design == "10-fold"
    assert found.within(8.9).design == "5x2"  # not what lies just above
    assert found.within(1000).design == "10x10"
    assert str(found).startswith("Tested at 5%, 10x10 finds most of the differences (47%); 10x5 finds 44% in 44%")
    assert list(found.to_frame()["design"]) == [row.design for row in found.rows]


@pytest.mark.parametrize("growth", [1.0, None])
def test_a_cost_as_it_is_printed_is_enough_for_its_design(growth, rng):
    found = design_efficiency(growth=rng.uniform(0, 3) if growth is None else growth)
    for row in found.rows:
        printed = float(re.search(r"cost ([\d.]+)", str(row)).group(1))
        assert found.within(printed).found == max(one.found for one in found.rows if one.cost <= row.cost)
    least = found.rows[0].cost
    with pytest.raises(ValueError, match="cost must be at least"):
        found.within(0.99 * least)


@pytest.mark.parametrize(
    ("old", "arguments"),
    [
        ("--delta", ("plan", "OPTION", "0.03", "--sd-between", "0.03")),
        ("--delta", ("plan", "OPTION=0.03", "--sd-between", "0.03")),
        ("--not-worse-by", ("check", "FILE", "--old", "a", "--new", "b", "--metric", "accuracy", "OPTION", "0.3")),
        ("--not-worse-by", ("check", "FILE", "--old", "a", "--new", "b", "OPTION=accuracy=0.3")),
    ],
)
def test_an_option_is_taken_by_its_old_name_with_a_warning(old, arguments, tmp_path):
    """The help has the new name alone."""
    path = tmp_path / "a.skc"
    evaluate({"a": GaussianNB(), "b": GaussianNB(var_smoothing=1e-3)}, scoring="accuracy").save(path)

    def said(option):
        words = [word.replace("OPTION", option).replace("FILE", str(path)) for word in arguments]
        done = CliRunner().invoke(cli.command, words)
        return done.exit_code, done.stdout, done.stderr

    status, printed, warned = said(old)
    told = f"skcompare: warning: {old} is an old name, and is taken until version 0.4: give --margin\n"
    assert warned == told + said("--margin")[2]  # one line, without a path of code
    assert (status, printed) == said("--margin")[:2]
    assert status == 0
    told = CliRunner().invoke(cli.command, [arguments[0], "--help"]).output
    assert ("--margin" in told, old in told) == (True, False)
