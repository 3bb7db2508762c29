"""Size and power on simulated data: laws, warnings, and numbers that do not depend on how they were computed."""

from __future__ import annotations

import math
import pickle
from dataclasses import replace

import numpy as np
import pytest
from joblib import parallel_config
from sklearn.linear_model import Ridge
from sklearn.model_selection import KFold, ShuffleSplit, TimeSeriesSplit
from sklearn.naive_bayes import GaussianNB

from skcompare.calibration import ExchangeableBlocks, LabelPermutation, RandomData, power, size
from skcompare.inference import proportion_interval
from skcompare.plotting import SizeDisplay
from tests.calibration.cheap_learners import Constant, FirstCoin, MeanDifference
from tests.lawful import FULL

BLOCKS = ExchangeableBlocks(n_samples=40)
METRICS = ["accuracy", "recall"]


def estimate(procedure="corrected_t_test", design="2x2", generator=BLOCKS, metrics=METRICS, **options):
    given = {"models": MeanDifference(), "n_datasets": 12, **options}
    return size(procedure, design, generator, metrics, **given)


@pytest.fixture(scope="module")
def table():
    return estimate(["corrected_t_test", "paired_t_test", "max_t_test", "dominance_test", "mcnemar_test"])


# ---- what a table says ----------------------------------------------------------------------------------------


def test_a_row_per_procedure_and_metric_and_one_for_all_metrics_together(table):
    assert table.names == (
        *("corrected_t_test on accuracy", "corrected_t_test on recall"),
        *("paired_t_test on accuracy", "paired_t_test on recall"),
        *("max_t_test on all metrics", "dominance_test on all metrics", "mcnemar_test on accuracy"),
    )
    assert table.models == ("meandifference on block 1", "meandifference on block 2")
    assert table.pvalues.shape == (7, 12)
    assert not table.pvalues.flags.writeable


@pytest.mark.parametrize("alpha", [0.05, 0.3])
def test_shares_and_intervals_are_those_of_the_p_values(table, alpha):
    for row, pvalues in zip(table.at(alpha), table.pvalues, strict=True):
        count = int((pvalues < alpha).sum())
        interval = proportion_interval(count, 12, method="clopper_pearson")
        assert (row.share, row.low, row.high) == (count / 12, interval.low, interval.high)


def test_p_values_are_those_of_the_procedures_on_the_evaluations(table):
    """Data set 3 drawn, split and tested by hand."""
    from skcompare import PairedEvaluator

    draw, split = np.random.SeedSequence(0).spawn(4)[3].spawn(2)
    X, y = BLOCKS.draw(np.random.default_rng(draw))
    evaluator = PairedEvaluator("2x2", METRICS, random_state=int(split.generate_state(1)[0]))
    result = evaluator.evaluate(BLOCKS.pair({"m": MeanDifference()}), X, y)
    expected = [
        *(result.test("corrected_t_test", metric=metric).pvalue for metric in METRICS),
        *(result.test("paired_t_test", metric=metric).pvalue for metric in METRICS),
        *(result.test("max_t_test").pvalue, result.dominance().pvalue, result.test("mcnemar_test").pvalue),
    ]
    np.testing.assert_array_equal(table.pvalues[:, 3], expected)


def test_it_is_a_record_that_prints_and_goes_into_frames_pictures_and_pickles(table):
    assert str(table).startswith("At 5% ")
    assert "\npaired_t_test " in str(table)
    assert table._repr_html_().count("<tr>") == 8
    assert list(table.to_frame()["share"]) == [row.share for row in table]
    display = table.plot(levels=[0.05, 0.5])
    assert isinstance(display, SizeDisplay)
    assert display.measured[:, 0].tolist() == [row.share for row in table]
    same = SizeDisplay.from_pvalues(table.pvalues, names=table.names, levels=[0.05, 0.5])
    np.testing.assert_array_equal(display.measured, same.measured)
    assert str(pickle.loads(pickle.dumps(table))) == str(table)


# ---- the same numbers -----------------------------------------------------------------------------------------


def test_numbers_do_not_depend_on_workers_or_on_how_many_data_sets_follow(table):
    with parallel_config("threading", n_jobs=2):
        again = estimate(["corrected_t_test", "mcnemar_test"], n_datasets=15)
    np.testing.assert_array_equal(again.pvalues[:, :12], table.pvalues[[0, 1, 6]])
    one, two = (estimate(models=GaussianNB(), n_jobs=n_jobs, n_datasets=4) for n_jobs in (1, 2))
    np.testing.assert_array_equal(one.pvalues, two.pvalues)
    assert (estimate(random_state=1).pvalues != table.pvalues[:2]).any()


def test_a_splitter_draws_other_splits_on_every_data_set_whatever_its_seed():
    found = [estimate(design=ShuffleSplit(4, random_state=seed)).pvalues for seed in (None, 3)]
    np.testing.assert_array_equal(*found)
    plain = estimate(design=KFold(4)), estimate(design=iter([(range(20), range(20, 40)), (range(20, 40), range(20))]))
    assert [own.n_datasets for own in plain] == [12, 12]


# ---- where the null hypothesis does not hold ------------------------------------------------------------------


def test_recall_on_random_data_is_no_null_for_models_that_predict_one_class_more_often():
    generator = RandomData(n_samples=40)
    models = {"leaning": Constant(1), "fair": FirstCoin()}
    found = size("paired_t_test", "2x2", generator, METRICS, models=models, n_datasets=40)
    assert found.null_holds == {"accuracy": True, "recall": False}
    accuracy, recall = found
    assert 0 <= accuracy.share <= 1
    assert math.isnan(recall.share)
    assert math.isnan(recall.low)
    assert math.isnan(found.at(0.5)[1].share)
    assert np.isnan(found.pvalues[1]).all()
    assert recall.warnings[0].startswith("NOT_A_NULL: the mean difference of recall is +0.")
    assert "n/a" in found._repr_html_()
    assert "At 5% an unknown share of true nulls are rejected" in str(replace(found, rows=found.rows[1:]))
    with pytest.raises(ValueError, match="pvalues must be finite"):
        SizeDisplay.from_pvalues(found.pvalues)
    assert found.plot(levels=[0.05]).names == ["paired_t_test on accuracy"]


def test_a_joint_procedure_has_no_size_where_one_of_its_metrics_is_no_null():
    models = {"leaning": Constant(1), "fair": FirstCoin()}
    found = size("max_t_test", "2x2", RandomData(n_samples=40), METRICS, models=models, n_datasets=40)
    assert math.isnan(found[0].share)
    with pytest.raises(ValueError, match="must have a row with a size to draw; got 1 without"):
        found.plot()


def test_unbalanced_labels_of_the_user_are_a_null_for_one_metric_only():
    generator = LabelPermutation(X=np.arange(80.0).reshape(40, 2) % 2, y=np.arange(40) % 4 == 0)
    models = {"one": Constant(True), "zero": Constant(False)}
    metrics = ["accuracy", "balanced_accuracy"]
    found = size("paired_t_test", "2x2", generator, metrics, models=models, n_datasets=10)
    assert found.null_holds == {"accuracy": False, "balanced_accuracy": True}
    assert found.differences[0].difference == pytest.approx(-0.5)


def test_few_data_sets_say_little_about_the_null():
    assert any(warning.startswith("MONTE_CARLO: ") for warning in estimate().warnings)


def test_a_metric_that_is_0_0_and_a_procedure_without_a_p_value_are_told():
    models = {"never": Constant(0), "never again": Constant(0)}
    found = size(["five_by_two_f_test"], "5x2", RandomData(n_samples=40), ["precision"], models=models, n_datasets=3)
    assert found[0].warnings[-1] == "ILL_DEFINED: precision is 0/0 in 100.00% of the fits."


def test_where_no_data_set_has_a_p_value_there_is_no_share_and_it_is_told():
    found = estimate("hotelling_test", metrics=["accuracy", "balanced_accuracy"])  # the same on balanced folds
    row = found[0]
    assert (row.n_undefined, math.isnan(row.share)) == (12, True)
    said = "MISSING_SCORES: hotelling_test on all metrics gave no p-value on 12 of 12"
    assert any(warning.startswith(said) for warning in row.warnings)


@pytest.mark.parametrize("alpha", [0.05, 0.3])
def test_a_missing_p_value_counts_as_not_rejected(table, alpha, rng):
    pvalues = np.where(rng.random(table.pvalues.shape) < 0.4, np.nan, table.pvalues)
    pvalues[:, :2] = 0.0, np.nan
    for row, own in zip(replace(table, pvalues=pvalues).at(alpha), pvalues, strict=True):
        assert row.share == np.sum(own < alpha) / 12


# ---- power ----------------------------------------------------------------------------------------------------


def test_power_tells_the_true_difference_and_rejects_more_the_larger_it_is():
    found = [
        power("auto", "5x2", ExchangeableBlocks(n_samples=40, signal=0.0, signal_b=b), METRICS,
              models=MeanDifference(), n_datasets=20)
        for b in (0.1, 2.0)
    ]  # fmt: skip
    small, large = (table[0] for table in found)
    assert large.share == 1
    assert small.share < 1
    assert large.difference == pytest.approx(-0.5, abs=0.05)
    assert large.standard_error == pytest.approx(found[1].differences[0].standard_error)


def test_power_without_a_true_difference_says_so():
    for signal_b, shown in ((0.0, False), (2.0, True)):
        blocks = ExchangeableBlocks(n_samples=40, signal=0.0, signal_b=signal_b)
        found = power("auto", "5x2", blocks, METRICS, models=MeanDifference(), n_datasets=20)
        assert any("equal as far as can be seen" in said for said in found[0].warnings) == (not shown)
        assert found[0].null_holds == (not shown)


def test_regression_and_costs_have_a_null_too():
    blocks = ExchangeableBlocks(n_samples=30, task="regression")
    found = size("auto", 3, blocks, ["r2", "neg_mean_absolute_error"], models=[("ridge", Ridge())], n_datasets=10)
    assert set(found.null_holds.values()) == {True}


# ---- what is refused ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"procedure": "t"}, "procedure must be "),
        ({"procedure": []}, r"procedure must be the name of a procedure, or several; got \[\]"),
        ({"procedure": "correlated_t_posterior"}, "procedure must be a test of two equal models; .* gives a posterior"),
        ({"procedure": "five_by_two_f_test"}, "procedure must fit the design; 'five_by_two_f_test' needs 5x2 only"),
        ({"procedure": "delong_test"}, "metrics must hold roc_auc for 'delong_test'; got accuracy, recall"),
        ({"procedure": "max_t_test", "metrics": "accuracy"}, "metrics must be two or more for 'max_t_test'"),
        ({"design": "2x"}, "design must be an int k"),
        ({"metrics": ["acuracy"]}, "metrics"),
        ({"df": 3.0}, "df is no option"),
        ({"n_datasets": 1}, "n_datasets must be"),
        ({"alpha": 0}, "alpha must be"),
        ({"confidence_level": 95}, "confidence_level must be"),
        ({"random_state": None}, "random_state must be an integer of at least 0; got None"),
        ({"models": [MeanDifference(), MeanDifference()]}, "models must be one for ExchangeableBlocks"),
        ({"models": {"a": 3}}, r"models\['a'\] must be an estimator with fit and predict; got int"),
        ({"generator": ExchangeableBlocks(signal_b=1.0)}, "generator must be a null for a size"),
        ({"generator": BLOCKS.draw}, r"generator must have methods draw\(rng\) and pair\(models\)"),
        ({"n_jobs": 0}, "n_jobs must be"),
        ({"store": 3}, "store must be"),
        ({"progress": "yes"}, "progress must be"),
    ],
)  # fmt: skip
def test_bad_input_is_refused_by_name_before_anything_is_fitted(given, message):
    with pytest.raises(ValueError, match=message):
        estimate(**given)


class Broken(MeanDifference):
    """Cannot be fitted."""

    def fit(self, X, y):  # noqa: ARG002
        raise RuntimeError("no")


def test_a_model_that_fails_is_named_with_its_data_set():
    with pytest.raises(ValueError, match=r"simulated data set 0: .*broken on block 1"):
        estimate(models=Broken())


# ---- laws -----------------------------------------------------------------------------------------------------


@pytest.mark.sampled("simulations")
@pytest.mark.slow
def test_on_10x10_the_plain_t_test_rejects_half_of_all_true_nulls_and_the_corrected_one_few():
    """Bounds of 4 standard errors about 50% and 5%; the plain test is known for 45% to 60% (Bouckaert 2003)."""
    n = 1000 if FULL else 40
    procedures = ["paired_t_test", "corrected_t_test"]
    found = estimate(procedures, "10x10", ExchangeableBlocks(n_samples=60), "accuracy", n_datasets=n)
    naive, corrected = (row.share for row in found)
    assert 0.45 - 4 * math.sqrt(0.25 / n) < naive < 0.60 + 4 * math.sqrt(0.25 / n)
    assert corrected < 0.05 + 4 * math.sqrt(0.05 * 0.95 / n)


@pytest.mark.parametrize("task", ["classification", "regression"])
@pytest.mark.parametrize("procedure", ["auto", "diebold_mariano_test"])
def test_the_default_in_time_order_has_the_losses_that_it_reads(procedure, task, rng):
    """Simulated scores alone have none, and no data set had a p-value."""
    metrics = {"classification": ["accuracy"], "regression": ["neg_mean_squared_error"]}[task]
    learner = {"classification": MeanDifference(), "regression": Ridge()}[task]
    generator, design = ExchangeableBlocks(n_samples=60, task=task), TimeSeriesSplit(int(rng.integers(3, 7)))
    found = estimate(procedure, design, generator, metrics, models=learner, random_state=int(rng.integers(1000)))
    for row in found:
        assert row.procedure == "diebold_mariano_test"
        assert np.isfinite(found.pvalues).all()
        assert not any("MISSING_SCORES" in warning for warning in row.warnings)
