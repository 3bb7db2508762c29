"""What a person reads of a result, and the tables and tests behind it."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris, make_classification, make_regression
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import FitFailedWarning, UndefinedMetricWarning
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold, LeaveOneOut, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier

from skcompare import Outcome, PairedEvaluator, from_frame, from_outcomes, load
from skcompare.inference import adjust_pvalues
from skcompare.reporting.page import page
from skcompare.reporting.short import MAX_TOGETHER
from tests.shown_tables import assert_latex_balances, grids, in_html, in_latex, in_markdown

pytestmark = pytest.mark.sampled

X, Y = make_classification(120, random_state=0)
MODELS = {"nb": GaussianNB(), "stump": DecisionTreeClassifier(max_depth=1)}
THREE = {**MODELS, "knn": KNeighborsClassifier(1)}
COSTS = ["accuracy", "fit_time", "predict_time", "model_size"]
TEN = [
    *("accuracy", "balanced_accuracy", "precision", "recall", "f1"),
    *("roc_auc", "precision_macro", "recall_macro", "f1_macro", "f1_weighted"),
]


def evaluate(models, *, data=(X, Y), **options):
    return PairedEvaluator(random_state=0, **{"cv": 5, **options}).evaluate(models, *data)


class FailsOnSome(ClassifierMixin, BaseEstimator):
    """Fits only where the training set holds the first sample."""

    def fit(self, X, y):
        if not (X[:, 0] == X_FIRST).any():
            raise RuntimeError("no first sample")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


X_FIRST = X[0, 0]


@pytest.fixture(scope="module")
def two():
    return evaluate(MODELS, cv="10x10")


@pytest.fixture(scope="module")
def three():
    return evaluate(THREE)


@pytest.fixture(scope="module")
def five_by_two():
    return evaluate(MODELS, cv="5x2", scoring=["accuracy", "recall"])


@pytest.fixture(scope="module")
def costs():
    return evaluate(MODELS, scoring=COSTS)


@pytest.fixture(scope="module")
def same():
    return evaluate({"one": GaussianNB(), "other": GaussianNB()})


@pytest.fixture(scope="module", params=[np.nan, 0.0], ids=["nan", "zero"])
def broken(request):
    """One of the two models fails on one of five folds; how it is scored there."""
    with pytest.warns(FitFailedWarning, match="1 of 10 fits failed"):
        return evaluate(
            {"some": FailsOnSome(), "nb": GaussianNB()}, scoring=["accuracy", "recall"], error_score=request.param
        ), request.param


@pytest.fixture(scope="module")
def odd():
    """Names that would be markup, and one far too long."""
    names = [
        "<script>alert(1)</script>",
        "$x_1 & 50%$ #{~^}",
        "a|b *c* `d` [e](f)",
        "two lines \\end{table}",
        "n" * 200,
    ]
    return evaluate({name: DecisionTreeClassifier(max_depth=i + 1) for i, name in enumerate(names)}, cv=3)


def one_line(text):
    return " ".join(text.split())


def columns_of(grid):
    return {column.name: column for column in grid.columns}


def mirrored(a, b):
    return (a.estimate, a.low, a.high) == pytest.approx((-b.estimate, -b.high, -b.low))


# ---- summary --------------------------------------------------------------------------------------------------


def test_the_summary_starts_with_the_answer_and_the_design(two):
    answer, design, *_ = two.explain().blocks
    assert (answer.name, design.name) == ("answer", "design")
    assert design.text == "120 samples (60 of class 0, 60 of class 1), 10x10 cross-validation."
    assert one_line(two.summary()).startswith(f"{answer.text} {design.text} metric ")


@pytest.mark.parametrize("name", ["two", "three", "costs", "five_by_two", "same"])
def test_tables_have_the_numbers_of_the_rows_and_print_them_rounded(request, name):
    result = request.getfixturevalue(name)
    rows = {(row.a, row.b, row.metric): row for row in result.compare()}
    for grid in grids(result.explain(), "pairs on"):
        columns = columns_of(grid)
        for i, pair in enumerate(zip(columns["a"].values, columns["b"].values, strict=True)):
            row = rows[*pair, grid.name.removeprefix("pairs on ")]
            shown = [columns[key].values[i] for key in ("estimate", "interval", "pvalue_adjusted", "outcome")]
            np.testing.assert_equal(shown, [row.estimate, (row.low, row.high), row.pvalue_adjusted, row.outcome.value])
    for column in (column for grid in grids(result.explain()) for column in grid.columns if not column.left):
        for cell, value in zip(column.cells, column.values, strict=True):
            numbers = re.findall(r"[-+]?\d+\.?\d*", cell)
            values = value if isinstance(value, tuple) else (value,)
            if len(numbers) == len(values) and "%" not in cell and "<" not in cell:
                places = [len(number.partition(".")[2]) for number in numbers]
                wanted = [pytest.approx(one, abs=0.51 * 10.0**-n) for one, n in zip(values, places, strict=True)]
                assert [float(number) for number in numbers] == wanted
                near = any(abs(one) < 0.51 * 10.0 ** -min(places) for one in values)  # one has digits until it is not 0
                assert column.name == "wins" or near or len({*places}) == 1  # all numbers of a cell are as exact


def test_the_sections_have_all_that_is_behind_the_answer(two, three):
    titles = [block.title for block in three.explain().blocks if hasattr(block, "title") and hasattr(block, "blocks")]
    assert titles[:4] == ["Every pair", "Ranks", "The models' own scores", "All metrics together"]
    assert {"The test and what it assumes", "To run it again", "Sources"} <= {*titles}
    full = one_line(two.summary("full"))
    assert "It assumes normal differences" in full
    assert full.count(". For: ") == full.count("For: ") > 0
    assert full.count(", doi:") == full.count("doi:") > 0
    assert "Positive class: 1." in full
    assert f"dominance test p = {two.dominance().pvalue:.3f}" in full or "no pattern of wins stands out" in full


@pytest.mark.parametrize("result", ["two", "five_by_two", "same"])
def test_the_summary_of_two_short_names_fits_110_columns(request, result):
    assert max(map(len, request.getfixturevalue(result).summary().splitlines())) <= 110


def test_the_summary_of_times_and_of_a_regression_fits_120_columns():
    rng = np.random.default_rng(0)
    times = {"model": np.repeat(["bayes", "tree"], 10), "metric": ["predict_time"] * 20}
    times |= {"fold": np.tile(np.arange(10), 2), "score": rng.uniform(1e-6, 2e-6, 20)}
    data = make_regression(100, 5, noise=20, random_state=0)
    regression = evaluate({"lin": LinearRegression(), "knn": KNeighborsRegressor()}, data=data)
    for result in (from_frame(times), regression):
        assert max(map(len, result.summary().splitlines())) <= 120
    assert "Positive class" not in regression.summary("full")


@pytest.mark.parametrize(
    ("scoring", "said"), [("accuracy", False), (TEN, True), ({f"accuracy {i}": "accuracy" for i in range(13)}, False)]
)
def test_all_metrics_together_are_spoken_of_from_two_to_twelve(scoring, said):
    result = evaluate(MODELS, scoring=scoring)
    n = 1 if isinstance(scoring, str) else len(scoring)
    assert result.explain().named("metrics").n_rows == n
    assert ("metrics together:" in one_line(result.summary())) == said
    assert len(result.summary().splitlines()) <= 11 + max(n, 5)


def test_a_pattern_of_wins_has_the_share_of_the_cases_that_show_it(rng):
    """The test splits ties; the sentence counts the cases that a reader of the scores counts."""
    told = 0
    for i in range(24):
        n, m = int(rng.integers(20, 60)), int(rng.integers(2, 4))
        skill = rng.uniform(size=(n, 1)) < rng.uniform(0.2, 0.6)
        scores = {"a": (rng.uniform(size=(n, m)) < 0.4) | skill, "b": rng.uniform(size=(n, m)) < 0.4}
        case, metric = (place.ravel() for place in np.indices((n, m)))
        table = {"model": np.repeat(["a", "b"], n * m), "metric": np.tile(np.array(["x", "y", "z"])[metric], 2)}
        values = 1.0 * np.concatenate([x.ravel() for x in scores.values()])
        if i % 2:
            result = from_outcomes({**table, "sample_id": np.tile(case, 2), "outcome": values})
        else:
            result = from_frame({**table, "fold": np.tile(case, 2), "score": 0.5 + values / 100}, test_fraction=1 / n)
        said = re.search(r"together: (\w) is ahead of (\w) on (?:both|all three) in (\S+)% of", one_line(str(result)))
        if said:
            told += 1
            assert float(said[3]) == round(100 * (scores[said[1]] & ~scores[said[2]]).all(axis=1).mean())
    assert told > 3


def test_only_the_short_text_says_where_there_is_more(three):
    assert "More: result.explain()" in " ".join(three.summary().split())
    assert "More:" not in str(three.explain())


def test_three_models_stand_below_each_other_and_each_pair_in_full(three):
    short = columns_of(three.explain().named("models"))
    leader = three.answer().metrics[0].leader
    assert {*short["model"].cells} == {*THREE}
    assert short["model"].cells[0] == leader
    for metric in three.metrics:
        pairs = columns_of(three.explain().named(f"pairs on {metric}"))
        found = zip(pairs["a"].cells, pairs["b"].cells, pairs["outcome"].cells, strict=True)
        rows = [row for row in three.compare() if row.metric == metric]
        assert [*found] == [
            (row.a, row.b, f"{row.winner} better{'~' * row.fragile}" if row.winner else "not significant")
            for row in rows
        ]
    statements = columns_of(three.explain().named("patterns"))["statement"].cells
    for a, b in combinations(THREE, 2):
        assert three.dominance(a=a, b=b).statement is None or any(a in said and b in said for said in statements)


def test_the_joint_verdicts_of_several_pairs_share_one_error_rate(three):
    raw = [three.dominance(a=a, b=b).pvalue for a, b in combinations(THREE, 2)]
    shown = [joint.pvalue_adjusted for joint in three._found().joint]
    assert shown == pytest.approx(adjust_pvalues(raw, "holm"))


@pytest.mark.parametrize("n", [10, 12, 15])
def test_many_models_get_a_summary_that_can_still_be_read(n):
    depths = {f"depth{d}": DecisionTreeClassifier(max_depth=d) for d in range(1, n + 1)}
    result = evaluate(depths, cv=3, scoring=["accuracy", "recall", "f1"])
    assert len(result.compare()) == n * (n - 1) // 2 * 3
    summary = result.summary()
    assert f"all {n * (n - 1) // 2} together" in one_line(summary)
    assert len(summary.splitlines()) <= 24
    assert max(map(len, summary.splitlines())) <= 80
    shown = result.explain().named("models")
    assert shown.n_rows == 10
    assert shown.more == (f"{n - 10} more models: result.compare()." if n > 10 else "")


def test_identical_models_show_no_difference_anywhere(same):
    rows = same.compare()
    assert {row.outcome for row in rows} == {Outcome.UNDECIDED}
    assert {row.pvalue for row in rows} == {row.pvalue_adjusted for row in rows} == {1.0}
    assert all(row.low <= 0 <= row.high for row in rows)
    assert same.dominance().statement is None
    assert same.dominance().pvalue == 1
    summary = one_line(same.summary("full"))
    assert summary.startswith("one and other have the same scores on accuracy.")
    assert {*columns_of(same.explain().named("metrics"))["outcome"].cells} == {"not significant"}
    assert "no pattern of wins stands out" in summary
    assert " better" not in summary


def test_small_numbers_keep_their_digits(costs, rng):
    frame, small = costs.to_frame(), 10.0 ** rng.integers(-5, -1)  # of drawn times: those of the fits hang on the load
    frame["score"] = np.where(frame["metric"] == "fit_time", small * rng.uniform(1, 2, len(frame)), frame["score"])
    columns = columns_of(from_frame(frame).explain().named("metrics"))
    (i,) = [i for i, name in enumerate(columns["metric"].values) if name == "fit_time"]
    means = [columns[name].cells[i] for name in MODELS]
    assert all(re.fullmatch(r"0\.0*[1-9]\d*", mean) for mean in means), means
    less = [
        name for name, cell in zip(columns["metric"].values, columns["metric"].cells, strict=True) if "(less)" in cell
    ]
    assert less == ["fit_time", "predict_time", "model_size"]


def test_one_split_is_one_test_set_and_speaks_of_the_fitted_models():
    evaluated = evaluate(MODELS, cv=[(np.arange(60), np.arange(60, 120))])
    assert {row.procedure for row in evaluated.compare()} <= {"mcnemar_test", "paired_metric_test", "delong_test"}
    words = one_line(evaluated.summary())
    assert "120 samples (60 of class 0, 60 of class 1), one test set of 60 samples" in words
    assert "This is about these fitted models" in one_line(evaluated.summary("full"))
    result = from_frame(evaluated.to_frame(), test_fraction=0.5)  # without the predictions nothing can be decided
    assert {row.outcome for row in result.compare()} == {Outcome.NOT_COMPARABLE}
    assert result.summary().startswith("No model can be named on accuracy: ")


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_a_metric_without_any_score_does_not_take_the_others_down():
    result = evaluate(MODELS, data=(X[:40], Y[:40]), cv=LeaveOneOut(), scoring=["accuracy", "recall", "roc_auc"])
    row = result.compare()[2]
    assert (row.metric, row.outcome) == ("roc_auc", Outcome.NOT_COMPARABLE)
    assert np.isnan([row.estimate, row.pvalue, row.pvalue_adjusted, row.low, row.high]).all()
    assert [family.n for family in result.compare().families] == [1, 1]
    words = one_line(result.summary("full"))
    assert words.count("roc_auc is not defined on 40 of 40 splits, whose test sets are one sample each") == 1
    assert columns_of(result.explain().named("metrics"))["outcome"].cells[2] == "not comparable"
    (joint,) = result.dominance("table")
    assert joint.metrics == ("accuracy", "recall")
    assert result.to_markdown()
    assert result.to_latex()
    with pytest.raises(ValueError, match="'roc_auc' has no pair of scores"):
        result.test(metric="roc_auc")


def test_a_leak_is_the_first_line_of_every_view_and_in_every_test():
    leak = [(np.arange(100), np.arange(80 - i, 120 - i)) for i in range(3)]
    result = evaluate(MODELS, cv=leak, scoring=["accuracy", "recall"])
    said = "Do not use this result: 3 of 3 splits test on samples they train on"
    for text in (result.summary(), result.to_markdown(), result.to_latex(), result._repr_html_()):
        assert said in one_line(text)
    for record in (result.test(), result.dominance(), *result.compare()):
        assert record.warnings != ()


# ---- names that would be markup -------------------------------------------------------------------------------


@pytest.mark.parametrize("result", ["two", "three", "odd", "costs", "same"])
def test_latex_braces_and_environments_balance(request, result):
    text = request.getfixturevalue(result).to_latex()
    assert_latex_balances(text)


def test_odd_names_stay_on_their_line_and_are_read_back_from_every_view(odd):
    names = {one_line(name) for name in odd.estimators}
    summary = odd.summary()
    assert all(sum(one_line(line).startswith(name) for line in summary.splitlines()) >= 1 for name in names)
    assert all(char.isprintable() or char == "\n" for char in summary)
    document = odd.explain()
    for view in (in_markdown(odd.to_markdown()), in_latex(odd.to_latex()), in_html(page(document, []))):
        assert {row[0] for row in next(view)[1:]} == names


# ---- compare --------------------------------------------------------------------------------------------------


def test_compare_has_a_row_per_pair_and_metric(three):
    rows = three.compare()
    assert [(row.a, row.b, row.metric) for row in rows] == [
        (a, b, metric) for a, b in combinations(THREE, 2) for metric in three.metrics
    ]
    assert len(rows) == 15
    assert rows.n_hypotheses == 3
    assert [(family.name, family.n) for family in rows.families] == [("first", 3), ("secondary", 12)]


def test_a_baseline_is_the_second_of_every_pair(three):
    rows = three.compare(baseline="stump", metrics="accuracy")
    assert [(row.a, row.b) for row in rows] == [("nb", "stump"), ("knn", "stump")]
    assert rows.n_hypotheses == 2


@pytest.mark.parametrize("correction", ["holm", "bonferroni", "hommel", "fdr_bh"])
@pytest.mark.parametrize("family", ["first", "all"])
def test_the_correction_is_over_all_rows_of_a_family(three, correction, family):
    table = three.compare(correction=correction, family=family)
    for one in table.families:
        rows = [row for row in table if row.metric in one.metrics]
        adjusted = adjust_pvalues([row.pvalue for row in rows], correction)
        assert [row.pvalue_adjusted for row in rows] == pytest.approx(adjusted)


def test_the_verdict_follows_the_adjusted_p_value(two):
    for row in two.compare():
        better, worse = (row.a, Outcome.BETTER), (row.b, Outcome.WORSE)
        found = better if row.estimate > 0 else worse
        assert (row.winner, row.outcome) == (found if row.pvalue_adjusted < 0.05 else (None, Outcome.UNDECIDED))


def test_every_row_is_what_test_gives_for_it(three):
    for row in three.compare():
        record = three.test(metric=row.metric, a=row.a, b=row.b)
        interval = record.confidence_interval(row.confidence_level)
        assert (row.estimate, row.pvalue) == (record.estimate, record.pvalue)
        if not row.open_at_null:
            assert (row.low, row.high) == (interval.low, interval.high)
        assert row.estimate == pytest.approx(row.mean_a - row.mean_b)


def test_a_rope_adds_three_probabilities_to_the_rows_of_its_metrics(three):
    for row in three.compare(margin=0.01):
        assert row.left + row.rope + row.right == pytest.approx(1)
        assert (row.right > row.left) == (row.estimate > 0)
    for row in three.compare(margin={"accuracy": 0.01}):
        assert (row.rope is not None) == (row.metric == "accuracy")


def test_swapping_the_estimators_mirrors_every_row(two):
    swapped = evaluate(dict(reversed(MODELS.items())), cv="10x10")
    for row, mirror in zip(two.compare(margin=0.01), swapped.compare(margin=0.01), strict=True):
        assert mirrored(row, mirror)
        assert row.pvalue == pytest.approx(mirror.pvalue)
        assert (row.left, row.right) == pytest.approx((mirror.right, mirror.left))
        assert row.winner == mirror.winner


def test_one_sided_p_values_of_both_directions_add_up_to_one(two):
    greater, less = two.compare(alternative="greater"), two.compare(alternative="less")
    for row, other in zip(greater, less, strict=True):
        assert row.pvalue + other.pvalue == pytest.approx(1)
        assert row.high == np.inf
        assert other.low == -np.inf


def test_the_comparison_is_a_sequence_and_a_frame(three):
    comparison = three.compare()
    frame = comparison.to_frame()
    assert list(frame["pvalue"]) == [row.pvalue for row in comparison] == [comparison[i].pvalue for i in range(15)]
    assert list(frame.columns) == [
        *(field.name for field in dataclasses.fields(comparison[0]) if field.name not in ("record", "turned"))
    ]


def test_the_f_test_has_no_interval_and_says_so(five_by_two):
    rows = five_by_two.compare("five_by_two_f_test")
    assert np.isnan([row.low for row in rows]).all()


# ---- test and dominance ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("procedure", ["five_by_two_t_test", "five_by_two_f_test", "five_by_two_t"])
def test_a_procedure_that_does_not_fit_the_design_is_refused_with_those_that_do(three, procedure):
    with pytest.raises(ValueError, match="5x2 only, and this is 5-fold cross-validation") as caught:
        three.test(procedure)
    fitting = str(caught.value).split("These fit: ")[1]
    assert "'corrected_t_test'" in fitting
    assert "five_by_two" not in fitting


def test_the_procedures_named_as_fitting_do_fit(three):
    with pytest.raises(ValueError, match="These fit") as caught:
        three.test("five_by_two_t_test")
    for name in re.findall(r"'(\w+)'", str(caught.value).split("These fit: ")[1]):
        if name == "nested_cv_interval":  # which the design fits, once the inner fits are made
            continue
        options = {"margin": 0.01} if name == "equivalence_test" else {}
        options |= {"threshold": 0.2} if "error_rate" in name else {}
        assert three.test(name, **options).method


def test_options_are_checked_by_name(two):
    with pytest.raises(ValueError, match="margin must be given"):
        two.test("equivalence_test")
    with pytest.raises(ValueError, match=r"schema is no option of 'calibrated_t_test', .* scheme, df"):
        two.test("calibrated_t_test", schema="all")
    with pytest.raises(ValueError, match="df is no option of 'corrected_t_test', which takes none"):
        two.test("corrected_t_test", df=3)
    with pytest.raises(ValueError, match="test_fraction is set by the design for 'corrected_t_test'"):
        two.test("corrected_t_test", test_fraction=0.0)


def test_five_by_two_procedures_read_their_shape_from_the_design(five_by_two):
    for procedure in ("five_by_two_t_test", "five_by_two_f_test"):
        assert 0 <= five_by_two.test(procedure).pvalue <= 1


def test_the_test_fraction_comes_from_the_design(two):
    assert "test fraction 0.1" in two.test("corrected_t_test").method


def test_the_sign_of_a_cost_favours_the_faster_and_the_smaller(costs):
    for metric in ("fit_time", "predict_time", "model_size"):
        raw = costs.score("nb", metric) - costs.score("stump", metric)
        np.testing.assert_array_equal(costs.difference(metric), -raw)
        assert costs.test(metric=metric).estimate == pytest.approx(-raw.mean())
    (row,) = costs.compare(metrics="model_size")
    assert (row.estimate > 0) == (row.mean_a < row.mean_b)
    assert row.winner is None  # they are the same on all splits, of which there is no test
    assert row.outcome is (Outcome.SMALLER if row.mean_a < row.mean_b else Outcome.LARGER)
    assert costs.greater_is_better == (True, False, False, False)


def test_dominance_counts_a_cost_in_its_own_direction(costs):
    smaller = bool(costs.score("nb", "model_size").mean() < costs.score("stump", "model_size").mean())
    assert costs.dominance(metrics=["model_size"]).statement == (smaller,)


def test_dominance_without_the_fold_correction_leaves_a_warning(two):
    corrected, uncorrected = two.dominance(), two.dominance(correct_folds=False)
    assert any(warning.startswith("INDEPENDENCE") for warning in uncorrected.warnings)
    assert not any(warning.startswith("INDEPENDENCE") for warning in corrected.warnings)
    assert corrected.n_effective < uncorrected.n_effective == 100


def test_dominance_on_five_by_two_folds_says_that_it_cannot_reject(five_by_two):
    record = five_by_two.dominance()
    assert record.pvalue >= 0.05
    (few,) = (warning for warning in record.warnings if warning.code == "CANNOT_REJECT")
    assert few.sentence.endswith("even if all agree; no number of repeats of 2 folds can, take more folds.")
    assert few in five_by_two.dominance("table")[0].warnings


def test_swapping_the_models_inverts_the_dominance_statement(two):
    record, mirror = two.dominance(), two.dominance(a="stump", b="nb")
    assert record.statement == tuple(not bit for bit in mirror.statement)
    assert record.pvalue == pytest.approx(mirror.pvalue)


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda result: result.test("t_test"), "procedure"),
        (lambda result: result.test(metric="acuracy"), "metric"),
        (lambda result: result.test(a="nobody"), "a"),
        (lambda result: result.test(b="nobody"), "b"),
        (lambda result: result.test(a="stump"), "a and b"),
        (lambda result: result.test(alternative="larger"), "alternative"),
        (lambda result: result.test("correlated_t_posterior", alternative="less"), "alternative"),
        (lambda result: result.compare(metrics=["accuracy", "nothing"]), "metrics"),
        (lambda result: result.compare(metrics=[]), "metrics"),
        (lambda result: result.compare(metrics=["f1", "f1"]), "metrics"),
        (lambda result: result.compare(baseline="nobody"), "baseline"),
        (lambda result: result.compare(correction="holms"), "correction"),
        (lambda result: result.compare(alternative="larger"), "alternative"),
        (lambda result: result.compare(margin=-1), "margin"),
        (lambda result: result.compare(margin={"nothing": 1}), "margin"),
        (lambda result: result.compare(margin={"accuracy": np.nan}), r"margin\['accuracy'\]"),
        (lambda result: result.dominance("networks"), "method"),
        (lambda result: result.dominance(metrics=["nothing"]), "metrics"),
        (lambda result: result.dominance(a="nobody"), "a"),
        (lambda result: result.score("nobody", "accuracy"), "estimator"),
        (lambda result: result.score("nb", "nothing"), "metric"),
        (lambda result: result.difference("nothing"), "metric"),
        (lambda result: result.predictions("nobody"), "estimator"),
        (lambda result: result.to_cross_validate("nobody"), "estimator"),
    ],
)
def test_a_bad_argument_is_refused_by_its_name(two, call, argument):
    with pytest.raises(ValueError, match=rf"(^|[?] ){argument} must"):
        call(two)


# ---- missing pairs --------------------------------------------------------------------------------------------


def test_every_test_that_meets_a_failed_fold_says_so(broken):
    result, _ = broken
    code = "MISSING_SCORES"
    records = [
        *(result.test(name) for name in ("corrected_t_test", "paired_t_test", "correlated_t_posterior")),
        *(result.dominance(method) for method in ("glrt", "dirichlet")),
        *result.compare(),
    ]
    for record in records:
        told = [warning for warning in record.warnings if warning.startswith(code)]
        assert told
        assert all("'some'" in warning and "on 1 of 5 splits" in warning for warning in told)
    assert f"{code}: 'some'" in one_line(result.summary("full"))


def test_a_missing_pair_is_left_out_and_an_error_score_is_shown_as_scikit_learn_shows_it(broken):
    result, score = broken
    assert result.test().n == 4
    (failure,) = result.failures
    assert (failure.estimator, failure.metric) == ("some", None)
    assert "'some'" in failure.message
    assert "no first sample" in failure.message
    others = np.delete(np.arange(5), failure.split)
    difference = result.score("some", "accuracy") - result.score("nb", "accuracy")
    assert result.test().estimate == pytest.approx(difference[others].mean())
    np.testing.assert_array_equal(result.to_cross_validate("some")["test_accuracy"][failure.split], score)


def test_a_pair_of_sound_models_says_nothing_of_the_third():
    with pytest.warns(FitFailedWarning):
        result = evaluate({**MODELS, "some": FailsOnSome()}, scoring=["accuracy", "recall"], error_score=np.nan)
    assert result.test(a="nb", b="stump").warnings == ()
    assert result.test(a="nb", b="some").warnings != ()


def test_a_design_with_missing_pairs_is_no_five_by_two():
    cv = [pair for seed in range(5) for pair in KFold(2, shuffle=True, random_state=seed).split(X)]
    with pytest.warns(FitFailedWarning):
        result = evaluate({"some": FailsOnSome(), "nb": GaussianNB()}, cv=cv, scoring=["accuracy"], error_score=np.nan)
    with pytest.raises(ValueError, match="MISSING_SCORES: 'some' failed on 5 of 10 splits"):
        result.test("five_by_two_t_test")


# ---- the data of a result -------------------------------------------------------------------------------------


def test_results_and_their_parts_are_frozen(two):
    comparison = two.compare()
    for record, name in [
        *((two, name) for name in ("scores", "design", "estimators", "warnings")),
        *((comparison, name) for name in ("rows", "procedure")),
        *((comparison[0], name) for name in ("pvalue", "outcome")),
        (two.design, "n_folds"),
        (two.test(), "pvalue"),
        (two.dominance(), "pvalue"),
        (two.predictions("nb")[0], "y_pred"),
    ]:
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(record, name, None)


def test_score_arrays_are_read_only(two):
    for array in (two.scores, two.details.fit_times, two.details.score_times, two.score("nb", "accuracy")):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0


def test_to_frame_is_tidy(three):
    frame = three.to_frame()
    assert list(frame.columns) == ["dataset", "estimator", "metric", "repeat", "fold", "n_train", "n_test", "score"]
    assert len(frame) == 3 * 5 * 5
    for name, metric in [("nb", "accuracy"), ("knn", "roc_auc")]:
        rows = frame[(frame["estimator"] == name) & (frame["metric"] == metric)]
        np.testing.assert_array_equal(rows["score"], three.score(name, metric))
        assert list(rows["fold"]) == [0, 1, 2, 3, 4]
        assert list(rows["n_train"] + rows["n_test"]) == [120] * 5


def test_to_frame_numbers_repeats_and_folds(five_by_two):
    frame = five_by_two.to_frame().query("estimator == 'nb' and metric == 'recall'")
    assert list(zip(frame["repeat"], frame["fold"], strict=True)) == [(r, f) for r in range(5) for f in range(2)]


@pytest.mark.parametrize("scoring", [["accuracy", "roc_auc"], "accuracy", {"mine": "recall"}])
def test_to_cross_validate_has_the_keys_and_scores_of_scikit_learn(scoring):
    result = evaluate(MODELS, scoring=scoring)
    theirs = cross_validate(GaussianNB(), X, Y, cv=result.splits(), scoring=scoring)
    ours = result.to_cross_validate("nb")
    assert ours.keys() == theirs.keys()
    for name in set(theirs) - {"fit_time", "score_time"}:
        np.testing.assert_allclose(ours[name], theirs[name], rtol=0, atol=1e-12)


def test_what_to_cross_validate_gives_is_the_users_own(two):
    two.to_cross_validate("nb")["test_accuracy"][:] = 0
    assert two.score("nb", "accuracy").min() > 0


def test_the_repr_says_what_was_compared_on_what(three):
    assert repr(three).startswith(
        "<EvaluationResult: nb, stump and knn on 120 samples, 5-fold cross-validation; accuracy"
    )


def test_multiclass_and_string_labels_read_as_well():
    data, target = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])
    summary = evaluate(MODELS, data=(data, names[target]), scoring=["accuracy", "roc_auc_ovr"]).summary("full")
    assert "roc_auc_ovr" in summary
    assert "Positive class" not in summary
    binary = evaluate(MODELS, data=(data[50:], names[target][50:])).summary("full")
    assert "Positive class: 'virginica'." in binary


# ---- one error budget, and the warnings -------------------------------------------------------------------------


def table_of(differences, metrics, folds=10):
    """Two models whose scores differ by given amounts per metric, with a little spread over the folds."""
    spread = np.linspace(-0.01, 0.01, folds)
    rows = [
        (model, metric, fold, 0.8 + (difference + spread[fold] if model == "a" else 0.0))
        for model in ("a", "b")
        for metric, difference in zip(metrics, differences, strict=True)
        for fold in range(folds)
    ]
    return from_frame(dict(zip(("model", "metric", "fold", "score"), map(list, zip(*rows, strict=True)), strict=True)))


def test_verdicts_follow_the_adjusted_p_value():
    metrics = [f"m{i}" for i in range(8)]
    rows = table_of([0.0085, 0.0085, *[0.0] * 6], metrics).compare()
    first, second, *_ = rows
    assert first.pvalue == first.pvalue_adjusted < 0.05  # the first metric pays for no other one
    assert first.winner == "a"
    assert second.pvalue < 0.05 < second.pvalue_adjusted
    assert second.outcome is Outcome.UNDECIDED


@pytest.mark.parametrize("n", [2, 4, MAX_TOGETHER, MAX_TOGETHER + 1])
def test_a_joint_verdict_holds_where_each_part_does_whatever_the_dominance_test_says(n):
    rng = np.random.default_rng(0)
    base = rng.normal(0.8, 0.01, (40, 2))
    models = {f"m{i}": base + 0.02 * i + rng.normal(0, 0.001, base.shape) for i in range(n)}
    rows = [
        (name, metric, r, f, scores[10 * r + f, m])
        for name, scores in models.items()
        for m, metric in enumerate(("x", "y"))
        for r in range(4)
        for f in range(10)
    ]
    names = ("model", "metric", "repeat", "fold", "score")
    result = from_frame(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
    joint = result._found().joint
    for pair in joint:
        parts = [row for row in result.compare() if (row.a, row.b) == (pair.a, pair.b)]
        assert pair.established is all(row.winner == pair.b for row in parts)
    # every pair is unanimous: p is the least that 7.3 effective cases can give, the same for each
    assert all(pair.pvalue_adjusted == pytest.approx(min(1, len(joint) * pair.pvalue)) for pair in joint)
    # of few models the line below the table has the p-value of the table of all pairs, of more none
    p = joint[-1].pvalue_adjusted
    adjusted = "adjusted p" if n > 2 else "p"
    said = f"{'' if p < 0.05 else 'not '}significantly the most frequent pattern: dominance test {adjusted}"
    shown = f"; {said} {'< 0.001' if p < 0.001 else f'= {p:.3f}'}" if n <= MAX_TOGETHER else ""
    for document in (result._document(), result.explain()):
        assert document.named("together").text.endswith(f"ahead of m{n - 2} on both in 100% of splits{shown}.")


def test_a_compared_row_tells_one_story():
    d = np.array([[0.3, 0.3], *[[-0.1, -0.1]] * 4]) + np.tile([0.0, 0.01], (5, 1))
    rows = [(m, r, f, 0.5 + (d[r, f] if m == "a" else 0)) for m in "ab" for r in range(5) for f in range(2)]
    names = ("model", "repeat", "fold", "score")
    result = from_frame(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
    row = result.compare("five_by_two_t_test")[0]
    assert row.low < row.estimate < row.high
    assert row.winner == "a"
    assert row.estimate > 0


def test_a_metric_that_is_zero_over_zero_has_a_warning_wherever_it_is_tested(tmp_path):
    X, y = make_classification(n_samples=80, weights=[0.8], random_state=0)
    with pytest.warns(UndefinedMetricWarning):
        result = PairedEvaluator(cv=4, scoring=["precision", "accuracy"], random_state=0).evaluate(
            {"constant": DummyClassifier(), "bayes": GaussianNB()}, X, y
        )
    warning = "WEAK_METRIC: 'constant' has 0/0 for precision on all 4 splits"
    assert any(one.startswith(warning) for one in result.test(metric="precision").warnings)
    assert not any(one.startswith(warning) for one in result.test(metric="accuracy").warnings)
    assert warning in " ".join(result.summary("full").split())
    result.save(tmp_path / "result.skc")
    assert load(tmp_path / "result.skc").details.ill_defined["constant"] == {"precision": 4}


def test_means_of_several_models_are_over_the_same_splits():
    """Two equal models, one of which lacks some scores, have equal means."""
    rng = np.random.default_rng(0)
    scores = rng.uniform(0.5, 1, (3, 10, 1))
    scores[1] = scores[0]
    scores[1, :4] = np.nan
    result = table_of([0.0], ["m"])
    three = replace(result, estimators=("x", "y", "z"), scores=scores, fit_times=np.zeros((3, 10)))
    first, second, _ = three._found().metrics[0].means
    assert first == second


def test_detectable_differences_have_two_digits_and_the_names_of_the_tables():
    scores = {"neg_log_loss": [-3.1, -9.2, -4.4, -7.3, -5.0], "accuracy": [0.8, 0.82, 0.79, 0.81, 0.8]}
    rows = [
        (model, metric, fold, score + (0.01 * score * fold if model == "b" else 0))
        for model in "ab"
        for metric, values in scores.items()
        for fold, score in enumerate(values)
    ]
    table = dict(zip(("model", "metric", "fold", "score"), map(list, zip(*rows, strict=True)), strict=True))
    said = from_frame(table).explain().named("power").text
    size = re.search(r"([\d.]+) in log loss", said)[1]
    assert len(size.replace(".", "").lstrip("0")) == 2, said


def test_what_holds_of_all_ranks_is_said_once():
    found = grids(evaluate(THREE, scoring=["accuracy", "f1"]).explain(), "ranks on")
    assert [bool(grid.caption) for grid in found] == [False, True]


def test_the_score_of_one_model_has_the_same_digits_in_all_tables():
    result = evaluate({"nb": GaussianNB()}, scoring=["accuracy"])
    (first,), (all_scores,) = grids(result.explain(), "metrics"), grids(result.explain(), "scores")
    score, limits = (column.cells[0] for column in first.columns[1:])
    assert all_scores.columns[1].cells[0] == f"{score} {limits}"


@pytest.mark.parametrize("power", [3, 0, -3, -6, -9, -200])
def test_small_scores_are_shown_with_digits_of_their_own(power, global_random_seed):
    """Squared errors of returns, or of lengths in metres, are far below the usual decimals."""
    rng = np.random.default_rng(global_random_seed)
    scale = 10.0**power
    scores = scale * (1 + np.repeat([0.2, 0.5], 10) + rng.uniform(0, 0.1, 20))
    frame = {"model": np.repeat(["a", "b"], 10), "fold": [*range(10)] * 2, "metric": ["MSE"] * 20}
    result = from_frame({**frame, "score": scores})
    (row,) = result.compare()
    for text in (str(result), str(result.compare()), result.to_markdown(), str(result.explain())):
        numbers = [float(one) for one in re.findall(r"[+-]?\d+\.?\d*(?:e[+-]\d+)?", text.replace(",", ""))]
        for value in (abs(row.estimate), abs(row.low), abs(row.high)):
            assert min(abs(abs(one) - value) for one in numbers) <= 0.1 * value
