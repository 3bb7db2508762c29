"""Scores that do not vary tell nothing of other data: no view of a result claims anything from them."""

from __future__ import annotations

import re
from inspect import Parameter, signature

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skcompare as skc
from skcompare.inference import corrected_t_test, k_fold_t_test, signed_rank_test, welch_t_test
from skcompare.testing import assert_not_worse, not_worse

FOLDS = [(1, 3), (1, 10), (2, 5), (5, 2), (10, 10)]
RUNS = [(3, ""), (5, ""), (12, ""), (4, "the same initial weights")]
NEEDED = {"margin": 0.2, "rope": 0.01, "threshold": 0.01}


def exactly(scores, rng):  # noqa: ARG001
    return scores


def in_float32(scores, rng):  # noqa: ARG001
    return scores.astype(np.float32).astype(np.float64)


def jittered(scores, rng):
    """Off by an unlucky sum of many numbers, as a mean over samples is."""
    return scores * (1 + rng.uniform(-2e-13, 2e-13, scores.shape))


DIGITS = [exactly, in_float32, jittered]


def of_folds(scores, repeats, folds, metric="score", **options):
    """Scores of shape (n_models, n_splits)."""
    assert scores.shape[1] == repeats * folds
    model, split = (places.ravel() for places in np.indices(scores.shape))
    table = {"model": [f"m{i}" for i in model], "repeat": split // folds, "fold": split % folds}
    table |= {"metric": [metric] * scores.size, "score": scores.ravel()}
    return skc.from_frame(table, test_fraction=1 / folds, **options)


def of_runs(scores, paired=""):
    model, run = (places.ravel() for places in np.indices(scores.shape))
    table = {"model": [f"m{i}" for i in model], "seed": run, "score": scores.ravel()}
    return skc.from_runs(table, paired=paired or None)


def made(design, scores):
    """Scores of shape (n_models, n_splits or n_runs) as a result of a design."""
    return of_folds(scores, *design) if isinstance(design[1], int) else of_runs(scores, design[1])


def still(design, rng, n_models=2):
    """Models whose differences are the same everywhere; of independent runs each model has one score."""
    n = design[0] * design[1] if isinstance(design[1], int) else design[0]
    apart = design[1] == ""
    common = np.full(n, 0.7) if apart else np.round(rng.uniform(0.6, 0.8, n), 2)
    return common + np.round(0.03 * rng.permutation(n_models) + 0.01, 2)[:, None]


def claims_nothing(result):
    """No row, answer, record, sentence or gate says that one model is better."""
    for row in result.compare():
        assert (row.outcome, row.winner) == (skc.Outcome.NOT_COMPARABLE, None)
        assert np.isnan([row.pvalue, row.pvalue_adjusted, row.low, row.high]).all()
        assert row.estimate == pytest.approx(row.mean_a - row.mean_b)
        assert [one.code for one in row.warnings].count("ZERO_VARIANCE") == 1
        record = result.test(a=row.a, b=row.b)
        assert np.isnan([record.pvalue, record.confidence_interval().low, record.confidence_interval().high]).all()
        assert "not tested" in str(record)
        assert not_worse(result, row.a, row.b, margin=0.2).verdict == "undecided"
    (on,) = result.answer().metrics
    assert (on.worse, on.not_different, on.equivalent) == ((), (), ())
    assert {on.leader, *on.unvarying} == {*result.estimators}
    assert not any(row.rope for row in rows_with_a_rope(result))
    # a picture's key says what an arrow would mean
    page = re.sub("<script.*?</script>|<svg.*?</svg>", "", result.to_html(), flags=re.DOTALL)
    for view in (result.summary(), result.summary("full"), str(result.answer()), result.to_markdown(), page):
        assert re.search("no test is possible|No model can be named on score", " ".join(view.split()))
    for view in (result.compare(), result.test(), result.methods_text(), result.summary("full"), page):
        assert not re.search(r"significantly (better|worse)|<0\.001|p < 0|&lt;0\.001", " ".join(str(view).split()))
    assert "were the same on all" in result.methods_text()


def rows_with_a_rope(result):
    """With a region of practical equivalence, which independent runs have none of."""
    return result.compare() if result.design.apart else result.compare(margin=0.2)


@pytest.mark.sampled
@pytest.mark.parametrize("digits", DIGITS)
@pytest.mark.parametrize("design", FOLDS + RUNS, ids=str)
def test_two_models_that_differ_by_the_same_everywhere_are_not_compared(rng, design, digits):
    claims_nothing(made(design, digits(still(design, rng), rng)))


@pytest.mark.sampled
@pytest.mark.parametrize("digits", DIGITS)
@pytest.mark.parametrize("n_models", [3, 6])
@pytest.mark.parametrize("design", [(1, 5), (3, "")], ids=str)
def test_nor_are_more_models_also_where_many_pairs_are_tested_together(rng, design, n_models, digits):
    claims_nothing(made(design, digits(still(design, rng, n_models), rng)))


def test_three_equal_runs_of_each_model_are_one_run():
    result = of_runs(np.array([[0.91] * 3, [0.9] * 3]))
    claims_nothing(result)
    assert "that is one run of each, and no test" in " ".join(str(result.compare()).split())
    # the exact permutation test of three against three scores: 2 of 20 divisions are as far out
    assert result.test("permutation_test").pvalue == pytest.approx(0.1)
    assert result.compare("permutation_test")[0].winner is None


@pytest.mark.parametrize("design", FOLDS + RUNS, ids=str)
def test_no_procedure_claims_a_difference_but_those_that_count_cases(rng, design):
    result = made(design, still(design, rng))
    on_folds = [row for row in skc.procedures() if row.evidence == "fold scores"]
    left_out = ("stability_t_test", "nested_cv_interval", "fold_error_rate_test", "selection_bias")  # of other evidence
    if result.design.kind == "runs":
        left_out += ("full_dominance_test",)  # a sign test of pairs of runs
    if result.design.paired:
        left_out += ("welch_t_test",)  # which reads the spread of each model's own runs, and these vary
    n_asked = 0
    for row in (row for row in on_folds if row.name not in left_out):
        keywords = signature(getattr(skc.inference, row.name)).parameters
        lacking = {name for name, one in keywords.items() if one.default is Parameter.empty}
        needed = {name: value for name, value in NEEDED.items() if name in lacking}
        try:
            record = result.test(row.name, **needed)
        except ValueError as error:
            if not str(error).startswith("procedure must fit the design"):
                raise
            continue
        n_asked += 1
        if row.name in ("permutation_test", "max_t_test") and result.design.kind == "runs":
            continue  # exact tests of the runs, as they are
        pvalues = np.atleast_1d(getattr(record, "pvalues", getattr(record, "pvalue", np.nan)))
        assert not (pvalues < 0.05).any(), row.name
        assert getattr(record, "verdict", "undecided") == "undecided"
        assert np.isnan([getattr(record, name, np.nan) for name in ("left", "rope", "right")]).all()
        assert not re.search(r"significantly (better|worse)|100%", str(record)), row.name
    assert n_asked >= 4


def test_an_exact_test_of_many_cases_may_still_speak():
    """Items, runs and data sets are cases, each of which is evidence; the p-values are those of all agreeing signs."""
    n = 10
    items = skc.from_outcomes({"a": np.linspace(0.5, 0.6, n) + 0.03, "b": np.linspace(0.5, 0.6, n)})
    assert items.compare()[0].outcome is skc.Outcome.NOT_COMPARABLE  # a paired t test
    assert items.compare("permutation_test")[0].pvalue == pytest.approx(2 ** (1 - n))
    runs = of_runs(np.array([[0.91] * 6, [0.9] * 6]))
    assert runs.test("permutation_test").pvalue == pytest.approx(2 / 924)  # of 12 scores six
    assert np.isnan(runs.test().pvalue)


@pytest.mark.parametrize("n", [4, 5, 6, 12])
def test_equal_leads_on_data_sets_are_counted_as_signs_are(rng, n):
    scores = np.round(rng.uniform(0.6, 0.9, n), 2)
    study = skc.StudyResult.from_frame({"dataset": [f"d{i}" for i in range(n)], "a": scores + 0.02, "b": scores})
    (row,) = study.compare()
    assert row.pvalue == pytest.approx(2 ** (1 - n))
    assert (row.winner == "a") == (2 ** (1 - n) < 0.05)
    for procedure in ("dataset_t_test", "anova_test"):  # whose p-value would be 0
        record = study.test(procedure)
        assert np.isnan(record.pvalue)
        assert "significantly" not in str(record)
        assert study.test("friedman_test").pvalue == pytest.approx(2 ** (1 - n))
    assert study.compare("dataset_t_test")[0].outcome is skc.Outcome.NOT_COMPARABLE


# ---- the wrong side ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1e-3, 1e-6, 1e-9])
@pytest.mark.parametrize("design", FOLDS + RUNS[:3], ids=str)
def test_scores_with_a_real_spread_are_tested_as_before(rng, design, size):
    scores = still(design, rng) + rng.normal(0, size, still(design, rng).shape)
    result = made(design, scores)
    (row,) = result.compare()
    a, b = scores
    if design[1] == "":
        record = welch_t_test(a, b)
    else:
        test = k_fold_t_test if design[0] == 1 else corrected_t_test
        record = test(a, b, test_fraction=1 / design[1])
    assert row.pvalue == record.pvalue == result.test().pvalue
    assert (row.low, row.high) == (record.confidence_interval().low, record.confidence_interval().high)
    assert (row.winner is None) == (record.pvalue >= 0.05)
    assert not any(one.code == "ZERO_VARIANCE" for one in row.warnings)


@pytest.mark.parametrize("digits", [exactly, in_float32])
def test_one_model_that_varies_is_enough_of_runs(rng, digits):
    scores = digits(np.array([[0.91] * 4, [0.8, 0.81, 0.79, 0.8]]), rng)
    (row,) = of_runs(scores).compare()
    assert row.pvalue == welch_t_test(*scores).pvalue < 0.05
    assert row.winner == "m0"


def test_paired_runs_are_no_less_independent_for_welch(rng):
    scores = rng.normal(0.7, 0.01, 6) + np.array([[0.05], [0.0]])
    result = of_runs(scores, "the same data")
    assert result.test("welch_t_test").pvalue == welch_t_test(*scores).pvalue
    assert np.isnan(result.test().pvalue)


def test_steps_of_integers_and_of_dyadic_shares_are_no_rounding():
    """All are float32 numbers; a step of 1 of 10 millions, and of 1 sample of a million, is a difference."""
    large = np.array([[1e7, 1e7 + 1, 1e7 + 2, 1e7], [1e7 + 5, 1e7 + 5, 1e7 + 5, 1e7 + 6]])
    shares = 0.5 + np.array([[1, 2, 1, 3], [9, 9, 8, 9]]) / 2**20
    for scores in (large, shares):
        (row,) = of_folds(scores, 1, 4).compare()
        assert row.pvalue == k_fold_t_test(*scores, test_fraction=0.25).pvalue


@pytest.mark.parametrize("design", FOLDS + RUNS, ids=str)
def test_a_model_never_differs_from_itself(rng, design):
    scores = still(design, rng)
    result = made(design, np.array([scores[0], scores[0]]))
    (row,) = result.compare()
    assert (row.pvalue, row.estimate, row.low, row.high, row.outcome) == (1, 0, 0, 0, skc.Outcome.UNDECIDED)
    assert result.answer().metrics[0].not_different == ("m1",)
    assert "m0 and m1 have the same scores on score" in " ".join(result.summary().split())
    assert_not_worse(result, "m0", "m1", margin=0.01)


# ---- sizes ---------------------------------------------------------------------------------------------------------


def of_trees(scoring, cv="2x5", **options):
    X, y = make_classification(200, 6, n_informative=4, random_state=0)
    models = {"stump": DecisionTreeClassifier(max_depth=1), "tree": DecisionTreeClassifier(max_depth=2)}
    models |= {name: DecisionTreeClassifier(**given) for name, given in options.pop("more", {}).items()}
    return skc.PairedEvaluator(cv, scoring, random_state=0, **options).evaluate(models, X, y)


def test_a_size_that_is_the_same_on_every_split_is_smaller_or_larger_without_a_test():
    result = of_trees(["accuracy", "complexity"])
    row = result.compare(metrics="complexity")[0]
    assert (row.outcome, row.winner, row.mean_a, row.mean_b) == (skc.Outcome.SMALLER, None, 2, 4)
    assert np.isnan([row.pvalue, row.pvalue_adjusted, row.low, row.high]).all()
    assert result.compare(metrics="complexity", baseline="stump")[0].outcome is skc.Outcome.LARGER
    on = result.answer().metrics[1]
    assert (on.leader, on.larger, on.not_comparable) == ("stump", ("tree",), ())
    assert result.answer().pair("tree", "stump").larger == ("complexity",)
    metrics = result.explain().named("metrics")
    assert [*metrics.rows()][1] == ("complexity (less)", "4.0", "2.0", "-2.0", "", "", "tree larger")
    for view in (result.summary(), result.to_markdown(), result.to_html()):
        assert "tree larger" in view
    complexity = of_trees(["complexity"])
    assert complexity.summary().startswith("stump leads on complexity; tree is larger on all splits.")
    assert "complexity" not in re.sub(r"They were measured by.*?\.", "", result.methods_text()).split("because")[0]
    assert result.compare().n_hypotheses == 1


def test_the_smallest_of_several_leads_on_its_size():
    more = {"deep": {"random_state": 0}, "other": {"max_depth": 1, "class_weight": "balanced"}}
    result = of_trees(["complexity", "accuracy"], more=more)
    (on,) = [one for one in result.answer().metrics if one.metric == "complexity"]
    assert (on.leader, on.larger, on.not_different, on.worse) == ("stump", ("tree",), ("other",), ("deep",))
    shown = result.explain()
    assert {name: lead for name, _, lead, *_ in shown.named("models").rows() if name != "deep"} == {
        "stump": "",
        "other": "0.0",
        "tree": "+2.0",
    }
    outcomes = {row[:2]: row[-1] for row in shown.named("pairs on complexity").rows()}
    assert outcomes["stump", "tree"] == "stump smaller"
    assert "may be ahead" not in shown.named("answer").text  # of a model with the same scores


def test_a_gate_sets_a_size_beside_the_margin_as_it_is():
    result = of_trees(["accuracy", "complexity"])
    assert_not_worse(result, "stump", "tree", margin={"complexity": 0.5})
    assert_not_worse(result, "tree", "stump", margin={"complexity": 2})
    found = not_worse(result, "tree", "stump", margin={"complexity": 1})
    assert found.verdict == "worse"
    assert "-2" in str(found)


def test_scores_that_carry_the_name_of_a_size_are_sizes_and_no_others():
    scores = np.array([[120.0] * 5, [100.0] * 5])
    for metric, outcome in (("model_size", skc.Outcome.LARGER), ("errors", skc.Outcome.NOT_COMPARABLE)):
        (row,) = of_folds(scores, 1, 5, metric, greater_is_better=False).compare()
        assert row.outcome is outcome


# ---- elsewhere -----------------------------------------------------------------------------------------------------


def test_looks_at_a_run_take_no_lead_that_does_not_vary_for_evidence():
    """Sizes that vary from fold to fold, and by the same for both models."""
    X, y = make_classification(120, 5, random_state=0)
    size = {"n_parameters": lambda model, X, _: model.max_depth + np.round(np.sum(X), 2)}
    models = {"small": DecisionTreeClassifier(max_depth=1), "large": DecisionTreeClassifier(max_depth=3)}
    found = skc.PairedEvaluator("6x5", size, stop=skc.StopRule(), random_state=0).evaluate(models, X, y)
    assert found.details.stopping.names == ("small", "large")
    assert not any(row.outcome.tested for row in found.compare())


def test_groups_of_samples_claim_nothing_of_equal_leads():
    passed = np.tile([[1.0, 0.5], [0.9, 0.4]], (20, 1))  # both groups: one lead
    result = skc.from_outcomes({"a": passed[:, 0], "b": passed[:, 1]})
    found = result.by(["easy", "hard"] * 20)
    assert all(row.winner is None for row in found.rows)
    assert all(not row.interaction_pvalue < 0.05 for row in found.rows)


def test_a_learning_curve_claims_nothing_of_a_size_that_does_not_vary():
    X, y = make_classification(200, 6, n_informative=4, random_state=0)
    models = {"stump": DecisionTreeClassifier(max_depth=1), "tree": DecisionTreeClassifier(max_leaf_nodes=3)}
    curve = skc.PairedEvaluator("2x5", "complexity", random_state=0).learning_curve(
        models, X, y, train_sizes=[0.6, 1.0]
    )
    assert {row.outcome for row in curve.compare()} == {skc.Outcome.SMALLER}
    assert curve.summary().startswith(
        "stump leads on complexity; tree is larger on all splits. The same at every size."
    )
    apart = skc.PairedEvaluator("2x5", "complexity", random_state=0).learning_curve(
        {"stump": models["stump"], "nb": GaussianNB()}, X, y, train_sizes=[0.6, 1.0]
    )
    assert "significantly" not in apart.summary().split("\n\n")[0]


@pytest.mark.parametrize("repeats", [1, 2, 10])
def test_a_pattern_of_wins_that_is_the_same_everywhere_is_one_case(rng, repeats):
    scores = np.round(rng.uniform(0.6, 0.8, (3, 5 * repeats)), 2)
    leads = np.array([0.05, 0.02, -0.03])
    values = np.stack((scores.T, scores.T - leads))  # (models, splits, metrics)
    model, split, metric = (places.ravel() for places in np.indices(values.shape))
    table = {"model": [f"m{i}" for i in model], "repeat": split // 5, "fold": split % 5}
    names = np.array(["accuracy", "recall", "f1"])
    result = skc.from_frame({**table, "metric": names[metric], "score": values.ravel()}, test_fraction=0.2)
    assert result.dominance().n_effective <= 1
    assert not result.dominance().pvalue < 0.05
    (pattern,) = result.explain().named("patterns").rows()
    assert float(pattern[-1]) >= 0.05


def test_the_functions_keep_their_defined_answers_where_a_result_claims_nothing(rng):
    a = rng.uniform(0.6, 0.8, 8)
    record = corrected_t_test(a + 0.02, a, test_fraction=0.1)
    assert (record.pvalue, record.statistic) == (0, np.inf)
    assert signed_rank_test(a + 0.02, a).pvalue == pytest.approx(2**-7)
