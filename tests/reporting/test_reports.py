"""What a person reads of a result, and the tables and tests behind it."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from skcompare.reporting.answer import first_line
from skcompare.reporting.text import text_report
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris, make_classification, make_regression
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import FitFailedWarning, UndefinedMetricWarning
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold, LeaveOneOut, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier

from skcompare import Outcome, PairedEvaluator, from_frame, load
from skcompare.inference import adjust_pvalues
from skcompare.reporting.summary.evaluation import summarise
from tests.shown_tables import pairs_in_latex, pairs_in_markdown

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


@pytest.fixture
def of_unknown_learners(two):
    """The same scores without what is quoted of shallow trees, which warns."""
    return replace(two, provenance={**two.provenance, "families": {}})


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


def lines_starting(text, start):
    return [line for line in text.splitlines() if line.startswith(start)]


def mirrored(a, b):
    return (a.estimate, a.low, a.high) == pytest.approx((-b.estimate, -b.high, -b.low))


# ---- summary --------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("without_wide_study")
def test_the_summary_starts_with_the_answer_and_the_design(of_unknown_learners):
    summary = of_unknown_learners.summary()
    first, second = (" ".join(block.split()) for block in summary.split("\n\n")[:2])
    assert first.startswith(first_line(summarise(of_unknown_learners).answer))
    assert second == (
        "nb against stump: 120 samples, 10x10 cross-validation (100 splits, trained on 108 and tested on 12 samples)"
    )


@pytest.mark.usefixtures("without_wide_study")
def test_the_summary_has_one_line_per_metric_with_means_difference_interval_p_and_verdict(of_unknown_learners):
    table = of_unknown_learners.summary("full").split("\n\n")[2]
    for row in of_unknown_learners.compare():
        (line,) = lines_starting(table, f"{row.metric} ")
        means, difference = [float(n) for n in line.split()[1:3]], float(line.split()[3])
        assert means == pytest.approx([row.mean_a, row.mean_b], abs=5.1e-5)
        assert difference == pytest.approx(row.estimate, abs=5.1e-5)
        low, high = (float(n) for n in re.search(r"[\[(](\S+), (\S+)[\])]", line).groups())
        assert (low, high) == pytest.approx((row.low, row.high), abs=5.1e-5)
        shown, value = re.split(r"[\])]", line)[1].split()[0], row.pvalue_adjusted
        assert value < 0.001 if shown == "<0.001" else float(shown) == pytest.approx(value, abs=5.1e-4)
        assert line.endswith(f"{row.winner} better" if row.winner else "not significant")


def test_the_full_summary_tells_the_dominance_test_with_its_probability(two):
    summary = " ".join(two.summary("full").split())
    posterior = two.dominance("dirichlet")
    assert "all metrics together: - nb better on roc_auc, stump better on" in summary
    assert f"dominance test not significant, p = {two.dominance().pvalue:.3f}" in summary
    share = 100 * posterior.probabilities.max()
    assert f"(posterior {'more than 99' if share > 99.5 else format(share, '.0f')}%, " in summary


def test_the_full_summary_tells_the_test_its_assumptions_and_the_adjustment(two):
    summary = " ".join(two.summary("full").split())
    assert "Test: corrected_t_test" in summary
    assert "It assumes normal differences" in summary
    assert "p adj. (holm) and intervals (95%) over the 4 other metrics" in summary
    assert "Positive class: 1." in summary


@pytest.mark.parametrize("result", ["two", "five_by_two", "same"])
def test_the_summary_of_two_short_names_fits_110_columns(request, result):
    assert max(map(len, request.getfixturevalue(result).summary().splitlines())) <= 110


def test_the_summary_of_times_fits_120_columns():
    rng = np.random.default_rng(0)
    table = {
        "model": np.repeat(["bayes", "tree"], 10),
        "metric": ["predict_time"] * 20,
        "fold": np.tile(np.arange(10), 2),
        "score": rng.uniform(1e-6, 2e-6, 20),
    }
    assert max(map(len, from_frame(table).summary().splitlines())) <= 120


def test_the_summary_of_a_regression_fits_110_columns():
    data = make_regression(100, 5, noise=20, random_state=0)
    result = evaluate({"lin": LinearRegression(), "knn": KNeighborsRegressor()}, data=data)
    assert max(map(len, result.summary().splitlines())) <= 110
    assert "Positive class" not in result.summary()


def test_the_summary_of_one_metric_has_one_verdict_and_no_joint_one():
    result = evaluate(MODELS, scoring="accuracy")
    summary = result.summary()
    assert len(lines_starting(summary.split("\n\n")[2], "accuracy ")) == 1
    assert "together" not in result.summary("full")
    assert "Test: k_fold_t_test at 5%." in summary


def test_the_full_summary_of_ten_metrics_has_ten_lines_and_a_joint_verdict():
    result = evaluate(MODELS, scoring=TEN)
    for metric in TEN:
        assert len(lines_starting(result.summary("full").split("\n\n")[2], f"{metric} ")) == 1
    assert len(result.summary().splitlines()) <= 23
    assert "all metrics together:" in result.summary("full")


def test_thirteen_metrics_are_too_many_for_a_joint_verdict_but_not_for_a_summary():
    scoring = {f"accuracy {i}": "accuracy" for i in range(13)}
    assert "together:" not in evaluate(MODELS, scoring=scoring).summary("full")


def test_the_summary_of_three_models_names_both_sides_of_every_pair(three):
    blocks = three.summary("full").split("\n\n")
    summary = " ".join(three.summary("full").split())
    assert blocks[1].startswith("nb, stump and knn: 120 samples, 5-fold cross-validation")
    for name in THREE:
        assert len(lines_starting(three.summary().split("\n\n")[2], f"{name} ")) == 1
    pairs = {block.split(":")[0]: block for block in blocks if block.startswith("Pairs on ")}
    for row in three.compare():
        (line,) = lines_starting(pairs[f"Pairs on {row.metric}"], f"{row.a:5}  {row.b:5}  ")
        assert re.search(f"{row.winner} (significantly )?better$" if row.winner else "not significant", line)
    for a, b in combinations(THREE, 2):
        assert re.search(rf"- ({a} better than {b}|{b} better than {a}|{a} and {b}: no pattern)", summary)
    assert "over 3 comparisons on accuracy and 12 on the other metrics" in summary
    assert "over 3 pairs" in summary


def test_the_joint_verdicts_of_several_pairs_share_one_error_rate(three):
    raw = [three.dominance(a=a, b=b).pvalue for a, b in combinations(THREE, 2)]
    shown = [joint.pvalue_adjusted for joint in summarise(three).joint]
    assert shown == pytest.approx(adjust_pvalues(raw, "holm"))


def test_twelve_models_get_a_summary_that_can_still_be_read():
    result = evaluate({f"depth{d}": DecisionTreeClassifier(max_depth=d) for d in range(1, 13)}, cv=3)
    summary = result.summary()
    assert len(result.compare()) == 66 * 5
    assert "over 66 comparisons on accuracy and 264 on the other metrics" in " ".join(summary.split())
    assert "over 66 pairs" in " ".join(result.summary("full").split())
    assert len(summary.splitlines()) <= 35
    assert max(map(len, summary.splitlines())) <= 80


def test_several_models_are_listed_against_the_leader_and_all_pairs_in_full():
    models = {"nb": GaussianNB(), "blind": DummyClassifier(), "again": GaussianNB()}
    result = evaluate(models, cv="5x5", scoring=["accuracy", "balanced_accuracy"])
    short, full = (" ".join(result.summary(detail).split()) for detail in ("short", "full"))
    assert re.search(r"blind 0\.\d+ \+0\.\S+ \[.*\] <0.001 (significantly )?worse", short)
    assert "balanced_accuracy" not in short.split("Test:")[0].split("Of 2 metrics")[0].split("outcome")[1]
    assert re.search(r"Pairs on balanced_accuracy: .* blind again -0\.", full)
    assert "Of 2 metrics nb is significantly better than blind on 2." in short


def test_identical_models_show_no_difference_anywhere(same):
    rows = same.compare()
    assert {row.outcome for row in rows} == {Outcome.UNDECIDED}
    assert {row.pvalue for row in rows} == {row.pvalue_adjusted for row in rows} == {1.0}
    assert all(row.low <= 0 <= row.high for row in rows)
    assert same.dominance().statement is None
    assert same.dominance().pvalue == 1
    summary = same.summary("full")
    assert " ".join(summary.split()).startswith("one and other have the same scores on all splits on accuracy")
    assert summary.count("  not significant\n") == 5
    assert "one and other: no pattern is more frequent than all others" in " ".join(summary.split())
    assert " better" not in summary


def test_a_row_of_small_numbers_keeps_its_digits(costs):
    (line,) = [line for line in lines_starting(costs.summary("full"), "fit_time ") if "[" in line]
    numbers = re.findall(r"[-+]?\d+\.\d+", line.split("]")[0])
    assert len(numbers) == 5
    assert len({len(number.split(".")[1]) for number in numbers}) == 1
    assert all(re.search("[1-9]", number) for number in numbers[:2])
    assert "e-" not in line


def test_a_cost_is_said_to_be_turned_round(costs):
    assert "Less is better for fit_time, predict_time and model_size" in " ".join(costs.summary("full").split())


def test_one_split_is_one_test_set_and_speaks_of_the_fitted_models():
    result = evaluate(MODELS, cv=[(np.arange(60), np.arange(60, 120))])
    assert {row.procedure for row in result.compare()} <= {"mcnemar_test", "paired_metric_test", "delong_test"}
    words = " ".join(result.summary().split())
    assert "one test set of 60 samples, trained on 60 others. This is about these fitted models" in words


def test_one_split_without_its_predictions_decides_nothing_and_says_why():
    evaluated = evaluate(MODELS, cv=[(np.arange(60), np.arange(60, 120))])
    result = from_frame(evaluated.to_frame(), test_fraction=0.5)
    assert {row.outcome for row in result.compare()} == {Outcome.NOT_COMPARABLE}
    assert result.summary().startswith("Nothing can be concluded: no two models can be compared on accuracy.")
    assert "TOO_LITTLE_DATA" in result.summary()


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_a_metric_without_any_score_does_not_take_the_others_down():
    result = evaluate(MODELS, data=(X[:40], Y[:40]), cv=LeaveOneOut(), scoring=["accuracy", "recall", "roc_auc"])
    row = result.compare()[2]
    assert (row.metric, row.outcome) == ("roc_auc", Outcome.NOT_COMPARABLE)
    assert np.isnan([row.estimate, row.pvalue, row.pvalue_adjusted, row.low, row.high]).all()
    assert [family.n for family in result.compare().families] == [1, 1]
    words = " ".join(result.summary("full").split())
    assert words.count("roc_auc is not defined on 40 of 40 splits, whose test sets are one sample each") == 1
    assert "Nothing can be said of roc_auc." in words
    (joint,) = result.dominance_table()
    assert joint.metrics == ("accuracy", "recall")
    assert result.to_markdown()
    assert result.to_latex()
    with pytest.raises(ValueError, match="'roc_auc' has no pair of scores"):
        result.test(metric="roc_auc")


def test_a_leak_is_told_in_every_report_and_by_every_test():
    leak = [(np.arange(100), np.arange(80 - i, 120 - i)) for i in range(3)]
    result = evaluate(MODELS, cv=leak, scoring=["accuracy", "recall"])
    for text in (result.summary(), result.to_markdown(), result.to_latex()):
        assert "3 of 3 splits test on samples they train on" in " ".join(text.split())
    for record in (result.test(), result.dominance(), *result.compare()):
        assert any(warning.startswith("DO_NOT_USE") for warning in record.warnings)


# ---- Markdown and LaTeX ---------------------------------------------------------------------------------------


@pytest.mark.usefixtures("without_wide_study")
def test_markdown_is_scores_and_pairs_each_with_a_legend_and_a_list_of_the_rest(three):
    first, scores, about_scores, pairs, about_pairs, notes = three.to_markdown().split("\n\n")
    assert first.replace("\\", "") == " ".join(three.summary().split("\n\n")[0].split())
    assert len(scores.splitlines()) == 2 + 3
    assert len(pairs.splitlines()) == 2 + 15
    for table in (scores, pairs):
        assert len({line.count(" | ") for line in table.splitlines()}) == 1
        assert all(line.startswith("| ") and line.endswith(" |") for line in table.splitlines())
    assert about_scores.startswith("Mean scores")
    assert "over 3 comparisons on accuracy and 12 on the other metrics" in about_pairs
    assert all(note.startswith("- ") for note in notes.splitlines())
    assert notes.count("all metrics together, p adjusted") == 3


def test_latex_has_a_line_per_pair_and_metric(three):
    body = pairs_in_latex(three.to_latex())
    body = [line for line in body if not line.startswith(r"\multicolumn")]
    assert len(body) == 15
    assert all(line.endswith(r" \\") and line.count(" & ") == 6 for line in body)
    assert three.to_latex().count("all metrics together, p adjusted") == 3


def test_latex_and_markdown_mark_exactly_the_differences_that_hold(two):
    held = sum(row.pvalue_adjusted < 0.05 for row in two.compare())
    assert sum(r"\mathbf" in line for line in pairs_in_latex(two.to_latex())) == held
    assert sum("**" in line for line in pairs_in_markdown(two.to_markdown())) == held


def unescaped(text, characters):
    return re.findall(rf"(?<!\\)[{re.escape(characters)}]", text)


def test_odd_names_stay_text_in_markdown(odd):
    table = odd.compare().to_markdown().split("\n\n")[0]
    for line in table.splitlines()[2:]:
        cells = re.split(r"(?<!\\)\|", line.strip("|"))
        assert len(cells) == 10
        for cell in cells[1:3]:
            assert not unescaped(cell, "<>*_`$#~|[]")
            assert not re.search(r"&(?!amp;)", cell)
    assert r"\<script\>alert(1)\</script\>" in table
    assert "two lines" in table
    assert "n" * 200 in table


def test_odd_names_stay_text_in_latex(odd):
    body = odd.compare().to_latex().split(r"\endfoot")[1]
    named = [line for line in body.splitlines() if line.startswith(r"\multicolumn")]
    for line in named:
        names = re.sub(r"\$([abmq]|m_\{\d+\})\$", "", line.partition(r"\textit{")[2])
        assert not unescaped(names, "&%$#_~^<>")
        assert set(re.findall(r"\\[a-z]+", names)) <= {
            *(r"\textbackslash", r"\textasciitilde", r"\textasciicircum", r"\textless", r"\textgreater"),
            *(r"\textbar", r"\textasciigrave", r"\textquotesingle", r"\allowbreak"),
        }
    assert r"\$x\_1 \& 50\%\$ \#\{\textasciitilde{}\textasciicircum{}\}" in body
    assert r"two lines \textbackslash{}end\{table\}" in body
    assert odd.to_latex().count(r"\end{table}") == 1


@pytest.mark.parametrize("result", ["two", "three", "odd", "costs", "same"])
def test_latex_braces_and_environments_balance(request, result):
    text = request.getfixturevalue(result).to_latex()
    bare = re.sub(r"\\[{}\\]", "", text)
    depth = np.cumsum([(char == "{") - (char == "}") for char in bare])
    assert depth.min() >= 0
    assert depth[-1] == 0
    open_ = []
    for what, name in re.findall(r"\\(begin|end){(\w+)}", text):
        if what == "begin":
            open_.append(name)
        else:
            assert open_.pop() == name
    assert open_ == []
    assert bare.replace(r"\$", "").count("$") % 2 == 0


def test_a_name_that_looks_like_a_table_head_does_not_move_the_columns():
    summary = evaluate({"a": GaussianNB(), "b": GaussianNB()}, scoring=["accuracy", "recall"]).summary()
    header, _, line, *_ = summary.split("\n\n")[2].splitlines()
    for name in ("a", "b", "a - b"):
        end = re.search(rf"(?<=  ){name}(?=  )", header).end()
        assert line[end - 1].isdigit()
        assert line[end : end + 2] == "  "


def test_odd_names_stay_on_their_line_in_the_summary(odd):
    summary = odd.summary()
    assert len(lines_starting(summary, "two lines")) == 1
    assert all(char.isprintable() or char == "\n" for char in summary)


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
    for row in three.compare(rope=0.01):
        assert row.left + row.rope + row.right == pytest.approx(1)
        assert (row.right > row.left) == (row.estimate > 0)
    for row in three.compare(rope={"accuracy": 0.01}):
        assert (row.rope is not None) == (row.metric == "accuracy")


def test_swapping_the_estimators_mirrors_every_row(two):
    swapped = evaluate(dict(reversed(MODELS.items())), cv="10x10")
    for row, mirror in zip(two.compare(rope=0.01), swapped.compare(rope=0.01), strict=True):
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
        *(field.name for field in dataclasses.fields(comparison[0]) if field.name != "record")
    ]


def test_the_f_test_has_no_interval_and_says_so(five_by_two):
    rows = five_by_two.compare("five_by_two_f_test")
    assert np.isnan([row.low for row in rows]).all()


def test_a_posterior_is_no_comparison(two):
    with pytest.raises(ValueError, match="procedure must be a test of two models on one metric"):
        two.compare("correlated_t_posterior")


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
    assert few in five_by_two.dominance_table()[0].warnings
    full = five_by_two.summary("full")  # where nobody asked for the test it stands beside the pattern alone
    assert "CANNOT_REJECT" not in full + five_by_two.to_markdown()
    assert "too few cases for a significant dominance test" in " ".join(full.split())


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
        (lambda result: result.compare(rope=-1), "rope"),
        (lambda result: result.compare(rope={"nothing": 1}), "rope"),
        (lambda result: result.compare(rope={"accuracy": np.nan}), r"rope\['accuracy'\]"),
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
    for text in (result.summary(), result.to_markdown(), result.to_latex()):
        assert code.replace("_", "") in text.replace("\\", "").replace("_", "")


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
    for array in (two.scores, two.fit_times, two.score_times, two.score("nb", "accuracy")):
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
    rows = table_of([0.0085, *[0.0] * 7], metrics).compare()
    first = rows[0]
    assert first.pvalue < 0.05 < first.pvalue_adjusted
    assert first.outcome is Outcome.UNDECIDED
    assert table_of([0.0085], ["m0"]).compare()[0].winner == "a"


def test_a_joint_verdict_holds_where_each_part_does_whatever_the_dominance_test_says():
    rng = np.random.default_rng(0)
    base = rng.normal(0.8, 0.01, (100, 2))
    models = {f"m{i}": base + 0.02 * i + rng.normal(0, 0.001, base.shape) for i in range(4)}
    rows = [
        (name, metric, r, f, scores[10 * r + f, m])
        for name, scores in models.items()
        for m, metric in enumerate(("x", "y"))
        for r in range(10)
        for f in range(10)
    ]
    names = ("model", "metric", "repeat", "fold", "score")
    result = from_frame(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
    joint = summarise(result).joint
    for pair in joint:
        parts = [row for row in result.compare() if (row.a, row.b) == (pair.a, pair.b)]
        assert pair.established is all(row.winner == pair.b for row in parts)
    # every pair is unanimous: p is the least that 13.7 effective cases can give, and stays below 5% after six
    assert all(pair.pvalue_adjusted == pytest.approx(6 * pair.pvalue) for pair in joint)
    differ = "each part is significant above: there the size of wins counts, here their number"
    full = " ".join(result.summary("full").split())
    assert full.count(differ) == sum(pair.established != (pair.pvalue_adjusted < 0.05) for pair in joint)
    loosened = tuple(replace(pair, pvalue_adjusted=0.5) for pair in joint)
    full = " ".join(text_report(replace(summarise(result), joint=loosened), "full").split())
    assert full.count(f"; {differ}") == sum(pair.established for pair in joint)


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
    warning = (
        "WEAK_METRIC: 'constant' has 0/0 for precision on all 4 splits: it is undefined, "
        "and 0 is scikit-learn's convention."
    )
    assert warning in result.test(metric="precision").warnings
    assert warning not in result.test(metric="accuracy").warnings
    assert warning in " ".join(result.summary("full").split())
    result.save(tmp_path / "result.skc")
    assert load(tmp_path / "result.skc").ill_defined["constant"] == {"precision": 4}


def test_means_of_several_models_are_over_the_same_splits():
    """Two equal models, one of which lacks some scores, have equal means."""
    rng = np.random.default_rng(0)
    scores = rng.uniform(0.5, 1, (3, 10, 1))
    scores[1] = scores[0]
    scores[1, :4] = np.nan
    result = table_of([0.0], ["m"])
    three = replace(result, estimators=("x", "y", "z"), scores=scores, fit_times=np.zeros((3, 10)))
    first, second, _ = summarise(three).metrics[0].means
    assert first == second
