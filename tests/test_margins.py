"""Margins: a null hypothesis other than 0, and whether a new model may replace an old one."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skcompare as skc
from skcompare.calibration import ExchangeableBlocks
from skcompare.planning import plan
from skcompare.plotting import DifferencesDisplay, PairMatrixDisplay, PosteriorDisplay, SimplexDisplay
from skcompare.testing import assert_not_worse, not_worse

MODELS = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2, random_state=0), "base": DummyClassifier()}


@cache
def folds(cv="2x5"):
    X, y = make_classification(200, 5, n_informative=3, class_sep=1.5, random_state=0)
    return skc.PairedEvaluator(cv=cv, scoring=["accuracy", "roc_auc", "model_size"], random_state=0).evaluate(
        MODELS, X, y
    )


@cache
def samples(n=400):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n)
    odds = {
        name: (2 * y - 1) * s + 1.5 * rng.normal(size=n) for name, s in (("good", 1.2), ("weak", 0.6), ("like", 0.65))
    }
    found = {name: 1 / (1 + np.exp(-x)) for name, x in odds.items()}
    return skc.from_predictions(y, found, scoring=["accuracy", "f1", "roc_auc", "neg_log_loss"])


def items(mean, *, n=100, seed=0, names=("new", "old"), metrics=("grade",), spread=0.1):
    """Outcomes whose differences have exactly these means and spreads."""
    rng = np.random.default_rng(seed)
    found = {}
    for metric, centre in zip(metrics, np.broadcast_to(mean, len(metrics)), strict=True):
        d = rng.normal(size=n)
        d = centre + spread * (d - d.mean()) / d.std(ddof=1)
        old = rng.normal(5, 1, n)
        found[metric] = dict(zip(names, (old + d, old), strict=True))
    return skc.from_outcomes(found)


@cache
def study():
    rng = np.random.default_rng(0)
    b = rng.uniform(0.7, 0.9, 20)
    a = b + 0.03 + 0.005 * rng.normal(size=20)
    return skc.StudyResult.from_frame(
        {"dataset": [f"d{i}" for i in range(20)], "a": a, "b": b, "c": b + 0.001 * rng.normal(size=20)}
    )


def text(record):
    """What is printed, in one line."""
    return " ".join(str(record).split())


# ---- test(null=) ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", ["accuracy", "f1", "roc_auc", "neg_log_loss"])
def test_a_margin_is_shown_where_the_difference_is_larger_and_not_where_it_is_smaller(metric):
    ask = {"metric": metric, "a": "good", "b": "weak", "alternative": "greater"}
    assert samples().test(null=0.01, **ask).pvalue < 0.05
    assert samples().test(null=0.3, **ask).pvalue > 0.5
    assert samples().test(null=-0.01, **{**ask, "a": "weak", "b": "good"}).pvalue > 0.95


def test_the_words_say_the_margin():
    shown = samples().test(null=0.01, alternative="greater")
    assert text(shown).startswith("good is better than weak by more than 0.01 on accuracy: good - weak is +0.1750")
    assert "p < 0.001 (one-sided)" in text(shown)
    not_shown = samples().test(null=0.3, alternative="greater")
    assert text(not_shown).startswith("It is not shown that good is better than weak by more than 0.3 on accuracy: ")
    not_inferior = samples().test(null=-0.1, a="like", b="weak", alternative="greater")
    assert text(not_inferior).startswith("like is not worse than weak by more than 0.1 on accuracy: ")
    assert "Tango score test of a difference of -0.1" in text(not_inferior)


def test_auto_takes_a_test_on_the_same_evidence_that_can_test_a_margin():
    assert type(samples().test(metric="f1")).__name__ == "PairedMetricResult"
    assert type(samples().test(metric="f1", null=0.01)).__name__ == "PairedBootstrapResult"
    assert type(samples().test(metric="accuracy", null=0.01)).__name__ == "McNemarResult"


def test_a_cost_is_oriented_as_everywhere():
    smaller = folds().test(metric="model_size", a="base", b="tree", null=10, alternative="greater")
    assert smaller.estimate > 10
    assert smaller.pvalue < 0.05
    assert folds().test(metric="model_size", a="tree", b="base", null=10, alternative="greater").pvalue > 0.95


def test_a_study_tests_a_margin_over_its_data_sets():
    found = study().test(null=0.01, alternative="greater")
    assert type(found).__name__ == "SignedRankResult"
    assert found.pvalue < 0.001
    assert study().test("dataset_t", a="a", b="b", null=0.1, alternative="greater").pvalue > 0.5


ABLE = {
    "evaluation": (folds, "5x2", "five_by_two_f_test"),
    "samples": (samples, None, "paired_metric_test"),
    "study": (study, None, "friedman_test"),
}


@pytest.mark.parametrize("what", ABLE)
def test_a_test_that_cannot_is_refused_with_those_that_can(what):
    make, cv, name = ABLE[what]
    result = make(cv) if cv else make()
    with pytest.raises(ValueError, match=rf"null must be 0 for '{name}', which tests no other; got 0.01. These can: '"):
        result.test(name, null=0.01)


def test_every_test_that_is_named_can_be_asked_about_a_margin():
    with pytest.raises(ValueError, match="These can") as told:
        samples().test("paired_metric", null=0.01)
    for name in str(told.value).partition("These can: ")[2].split(", "):
        metric = {"'delong_test'": "roc_auc"}.get(name, "accuracy")
        assert samples().test(name.strip("'"), metric=metric, null=0.01).null == 0.01


# ---- compare(null=) -------------------------------------------------------------------------------------------------


def test_outcomes_say_what_was_shown_and_name_no_winner_where_a_margin_alone_holds():
    found = {(row.a, row.b): row for row in samples().compare(metrics="accuracy", null=-0.1)}
    assert found["good", "weak"].outcome is skc.Outcome.NOT_WORSE
    assert found["good", "weak"].winner is None
    assert found["weak", "like"].outcome is skc.Outcome.NOT_WORSE
    worse = samples().compare(metrics="accuracy", null=-0.05, baseline="good")
    assert {row.outcome for row in worse} == {skc.Outcome.WORSE}
    assert {row.winner for row in worse} == {"good"}
    better = samples().compare(metrics="accuracy", null=0.05, baseline="weak")
    assert [row.outcome for row in better] == [skc.Outcome.BETTER, skc.Outcome.UNDECIDED]
    assert better[0].winner == "good"
    not_better = samples().compare(metrics="accuracy", null=0.1, baseline="weak", alternative="less")
    assert [row.outcome for row in not_better] == [skc.Outcome.UNDECIDED, skc.Outcome.NOT_BETTER]


def test_every_view_of_a_comparison_says_the_margin():
    found = samples().compare(metrics="accuracy", null={"accuracy": -0.1}, baseline="weak")
    assert text(found).startswith(
        "good is not worse than weak by more than 0.1 on accuracy. like is not worse than weak"
    )
    assert "significantly better" not in text(found)
    assert found.to_frame()["null"].tolist() == [-0.1, -0.1]
    assert found.to_frame()["outcome"].tolist() == ["not worse", "not worse"]
    for said in (text(found), found.to_markdown(), found.to_latex().replace("\\%", "%")):
        assert "good is not worse than weak by more than 0.1 on accuracy" in said
        assert "2 of 2 differences are significantly different from -0.1 at 5%" in said
        assert "good not worse" in said
    row = text(found[0])
    assert row.startswith("good is not worse than weak by more than 0.1 on accuracy: ")
    undecided = text(samples().compare(metrics="accuracy", null=0.01, baseline="weak", alternative="greater")[1])
    assert undecided.startswith("It is not shown that like is better than weak by more than 0.01 on accuracy: ")


def test_a_mapping_leaves_the_other_metrics_at_0():
    found = {row.metric: row for row in samples().compare(null={"f1": 0.02}, baseline="weak") if row.a == "good"}
    assert {metric: row.null for metric, row in found.items()} == dict.fromkeys(found, 0.0) | {"f1": 0.02}
    plain = {row.metric: row for row in samples().compare(baseline="weak") if row.a == "good"}
    assert found["accuracy"].pvalue == plain["accuracy"].pvalue
    assert found["accuracy"].procedure == plain["accuracy"].procedure
    assert "of the metric" in " ".join(str(samples().compare(null={"f1": 0.02})).split())


@pytest.mark.parametrize("make", [folds, samples, study])
def test_a_null_of_0_is_the_comparison_without(make):
    asked, plain = make().compare(null=0).rows, make().compare().rows
    assert [*map(repr, asked)] == [*map(repr, plain)]  # nan is not equal to itself


def test_rows_and_tests_agree():
    for row in folds().compare(null=-0.02, baseline="base", alternative="greater"):
        record = folds().test(metric=row.metric, a=row.a, b=row.b, null=-0.02, alternative="greater")
        assert (row.estimate, row.null) == (record.estimate, record.null)
        np.testing.assert_equal(row.pvalue, record.pvalue)  # nan of sizes


def test_a_run_that_was_stopped_has_its_own_verdict():
    X, y = make_classification(200, 5, n_informative=3, class_sep=1.5, random_state=0)
    evaluator = skc.PairedEvaluator(cv="4x3", scoring="accuracy", random_state=0, stop=skc.StopRule())
    stopped = evaluator.evaluate(MODELS, X, y)
    with pytest.raises(ValueError, match="null must be 0 for a stopped run, whose own verdict"):
        stopped.compare(null=0.01)
    assert stopped.test(null=0.01).null == 0.01
    for name, wanted, got in (
        ("alternative", "'two-sided'", "greater"),
        ("margin", "None", 0.05),
        ("margin", "None", 0),
    ):
        with pytest.raises(ValueError, match=f"{name} must be {wanted} for a stopped run, whose own verdict"):
            stopped.compare(**{name: got})
    with pytest.raises(ValueError, match="procedure must be 'auto' for a stopped run"):
        stopped.compare("paired_t_test")
    assert repr(stopped.compare("corrected_t_test").rows) == repr(stopped.compare().rows)  # nan is not nan
    with pytest.raises(ValueError, match="result must not be a stopped run"):
        not_worse(stopped, *stopped.estimators[:2], margin=0.01)
    assert evaluator.set_params(stop=None).evaluate(MODELS, X, y).compare(alternative="greater", margin=0.05).rows


# ---- not_worse ------------------------------------------------------------------------------------------------------

CASES = {  # the mean of the differences: spread 0.1 on 100 items, so that the half width of an interval is 0.0198
    0.0: "not worse",
    -0.029: "not worse",
    -0.031: "undecided",
    -0.05: "undecided",
    -0.069: "undecided",
    -0.071: "worse",
    -1.0: "worse",
}


@pytest.mark.parametrize("mean", CASES)
def test_the_three_verdicts_are_where_the_interval_lies(mean):
    found = not_worse(items(mean), "new", "old", margin=0.05)
    assert found.verdict == CASES[mean]
    row = found.comparison[0]
    expected = "not worse" if row.low > -0.05 else "worse" if row.high < -0.05 else "undecided"
    assert found.verdict == expected


@pytest.mark.parametrize("mean", CASES)
def test_the_assertion_passes_only_where_it_is_shown_and_its_message_is_the_first_line(mean):
    result = items(mean)
    answer = " ".join(str(not_worse(result, "new", "old", margin=0.05)).split("\n\n")[0].split())
    if CASES[mean] == "not worse":
        assert_not_worse(result, "new", "old", margin=0.05)
        assert answer.startswith("new is not worse than old by more than 0.05 on grade: new - old is ")
        return
    with pytest.raises(AssertionError) as told:
        assert_not_worse(result, "new", "old", margin=0.05)
    assert str(told.value) == answer
    start = {"worse": "new is worse", "undecided": "It is not decided whether new is worse"}[CASES[mean]]
    assert answer.startswith(f"{start} than old by more than 0.05 on grade: new - old is ")


def test_not_worse_on_every_metric_costs_nothing_and_one_undecided_metric_is_enough_against_it():
    metrics = tuple(f"m{i}" for i in range(8))
    result = items(-0.0295, metrics=metrics)  # each p-value is a little below 5%
    assert max(row.pvalue for row in not_worse(result, "new", "old", margin=0.05).comparison) > 0.03
    assert not_worse(result, "new", "old", margin=0.05).verdict == "not worse"
    one = items([-0.0295] * 7 + [-0.05], metrics=metrics)
    found = not_worse(one, "new", "old", margin=0.05)
    assert found.verdict == "undecided"
    assert [row.outcome for row in found.comparison][-1] is skc.Outcome.UNDECIDED
    assert not_worse(one, "new", "old", margin=0.05, metric=metrics[:7]).verdict == "not worse"


def test_worse_on_one_of_many_metrics_is_adjusted_for_their_number():
    metrics = tuple(f"m{i}" for i in range(8))
    barely = items([0.0] * 7 + [-0.0705], metrics=metrics)
    assert not_worse(barely, "new", "old", margin=0.05).verdict == "worse"  # all others are decided too
    open_others = items([-0.05] * 7 + [-0.0705], metrics=metrics)
    assert not_worse(open_others, "new", "old", margin=0.05).verdict == "undecided"
    clearly = items([-0.05] * 7 + [-0.2], metrics=metrics)
    assert not_worse(clearly, "new", "old", margin=0.05).verdict == "worse"
    assert str(not_worse(clearly, "new", "old", margin=0.05)).startswith(
        "new is worse than old by more than 0.05 on m7"
    )


def test_margins_by_metric_and_metrics_of_a_margin():
    result = items([-0.1, 0.0], metrics=("x", "y"))
    assert not_worse(result, "new", "old", margin={"x": 0.2, "y": 0.05}).verdict == "not worse"
    assert not_worse(result, "new", "old", margin={"x": 0.05, "y": 0.05}).verdict == "worse"
    assert not_worse(result, "new", "old", margin={"y": 0.05}).verdict == "not worse"
    said = str(not_worse(result, "new", "old", margin={"x": 0.2, "y": 0.05})).replace("\n", " ")
    assert said.startswith("new is not worse than old by more than 0.2 on x, by more than 0.05 on y.")


def test_other_models_of_the_result_play_no_part():
    alone = skc.from_predictions(*_two(), scoring=["accuracy", "roc_auc"])
    one = not_worse(samples(), "like", "weak", margin=0.05, metric=["accuracy", "roc_auc"])
    two = not_worse(alone, "like", "weak", margin=0.05)
    assert [row.pvalue_adjusted for row in one.comparison] == [row.pvalue_adjusted for row in two.comparison]


def _two():
    kept = samples().predictions
    (weak,), (like,) = kept("weak"), kept("like")
    return weak.y_true, {"weak": weak.predict_proba, "like": like.predict_proba}


def test_a_metric_that_cannot_be_compared_is_not_shown():
    scoring = {"accuracy": "accuracy", "own": lambda model, X, y: model.score(X, y)}
    result = skc.from_predictions(*_two(), scoring=scoring)
    found = not_worse(result, "like", "weak", margin=0.2)
    assert [row.outcome for row in found.comparison] == [skc.Outcome.NOT_WORSE, skc.Outcome.NOT_COMPARABLE]
    assert found.verdict == "undecided"
    assert "on own: they are not comparable." in " ".join(str(found).split())


def test_studies_and_folds_are_asked_alike():
    assert not_worse(study(), "a", "b", margin=0.01).verdict == "not worse"
    assert not_worse(study(), "b", "a", margin=0.01).verdict == "worse"
    assert not_worse(study(), "b", "a", margin=0.03).verdict == "undecided"
    assert not_worse(folds(), "nb", "base", margin=0.01, metric="accuracy").verdict == "not worse"
    assert not_worse(folds(), "base", "nb", margin=0.01, metric="accuracy").verdict == "worse"
    assert not_worse(folds(), "nb", "tree", margin=0.001, metric="accuracy").verdict == "undecided"


def test_either_answer_is_wrong_in_at_most_the_level_where_the_loss_is_the_margin():
    verdicts = []
    rng = np.random.default_rng(0)
    for _ in range(200):
        old = rng.normal(size=(2, 60))
        new = old - 0.05 + 0.1 * rng.normal(size=(2, 60))
        result = skc.from_outcomes({m: {"new": x, "old": y} for m, x, y in zip("xy", new, old, strict=True)})
        verdicts.append(not_worse(result, "new", "old", margin=0.05).verdict)
    assert verdicts.count("not worse") / 200 < 0.02  # 2.5% on each metric, on both less
    assert verdicts.count("worse") / 200 < 0.06  # nominal 2.5%


@pytest.mark.parametrize("metric", ["accuracy", "roc_auc", "recall", "false_alarm_rate", "matthews_corrcoef"])
def test_a_margin_that_no_difference_reaches_is_refused(rng, metric):
    """Of a margin in percent every model would be "not worse", and any two models equivalent."""
    span, less = 2 if metric == "matthews_corrcoef" else 1, metric == "false_alarm_rate"
    good, bad = (rng.uniform(low, low + 0.1, 50) for low in ((0.1, 0.8) if less else (0.8, 0.1)))
    frame = {"model": ["good"] * 50 + ["bad"] * 50, "fold": [*range(50)] * 2, metric: [*good, *bad]}
    result = skc.read(frame, design="5x10")
    ropes = {  # of which the largest difference may be one, as all are ties then
        f"margin['{metric}']": lambda width: result.dominance(margin={metric: width}),
        "margin": lambda width: (result.compare(margin=width), result.pareto_front(margin=width)),
        "rope": lambda width: result.test("correlated_t_posterior", rope=width),
    }
    shown = [PosteriorDisplay.from_result, SimplexDisplay.from_result, DifferencesDisplay.from_result]
    for ask in (*shown, PairMatrixDisplay.from_posterior):
        with pytest.raises(ValueError, match=rf"^margin must be a difference that {metric} .* at most {span} "):
            ask(result._scores, margin=float(rng.choice([2, 5, 100])) * 1.01)
        ask(result._scores, margin=float(span))
    others = (
        ("margin", lambda width: not_worse(result, "bad", "good", margin=width)),
        ("null", lambda width: result.test(null=-width, alternative="greater", a="bad", b="good")),
        (f"null['{metric}']", lambda width: result.compare(null={metric: width})),
        ("margin", lambda width: result.test("equivalence_test", margin=width)),
        ("margin", lambda width: plan(result, width)),
    )
    can = f"must be a difference that {metric} can have"
    for name, asked in (*ropes.items(), *others):
        whole = (name, asked) in ropes.items()
        too_wide = span * float(rng.choice([1.01, 2, 5, 100] if whole else [1, 2, 5, 100]))
        wanted = f"{name} {can}, {'at most' if whole else 'less than'} {span} in size; got "
        with pytest.raises(ValueError, match=f"^{re.escape(wanted)}"):
            asked(too_wide)
        asked(0.3 * span)
        if whole:
            asked(float(span))
    assert result.pareto_front(margin=float(span)).front() == ("good", "bad")
    assert not_worse(result, "bad", "good", margin=0.3).verdict == "worse"
    in_percent = skc.read({**frame, metric: [100 * x for x in frame[metric]]}, design="5x10")
    assert not_worse(in_percent, "bad", "good", margin=5).verdict == "worse"


def test_a_rule_to_stop_refuses_it_before_anything_is_fitted():
    evaluator = skc.PairedEvaluator("10x10", "accuracy", random_state=0, stop=skc.StopRule(margin=5))
    with pytest.raises(ValueError, match=r"^margin of stop must be a difference that accuracy"):
        evaluator.evaluate(MODELS, np.zeros((100, 2)), [0, 1] * 50)


def both(model, X, y):
    return {"accuracy": model.score(X, y), "recall": 0.5}


@pytest.mark.parametrize("metric", [None, "recall"])
def test_a_rule_to_stop_refuses_it_where_the_metrics_have_their_names_with_the_first_scores(metric):
    evaluator = skc.PairedEvaluator("10x10", both, random_state=0, stop=skc.StopRule(margin=5, metric=metric))
    with pytest.raises(ValueError, match=rf"^margin of stop must be a difference that {metric or 'accuracy'}"):
        evaluator.evaluate(MODELS, np.random.default_rng(0).normal(size=(100, 2)), [0, 1] * 50)


@pytest.mark.parametrize("rule", ["margin", "rope", "corrected_t"])
def test_a_rule_to_choose_refuses_a_margin_that_no_difference_reaches(rule, rng):
    wide, fits = (
        skc.simplest_within("roc_auc", rule=rule, margin=width) for width in (float(rng.choice([1.01, 2, 5, 100])), 1)
    )
    X, y = rng.normal(size=(60, 2)), np.arange(60) % 2
    refused = r"^margin must be a difference that roc_auc can have, at most 1 "
    for scoring in (["accuracy", "roc_auc"], "roc_auc"):  # a search calls a single one "score"
        search = GridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2]}, scoring=scoring, cv=5)
        with pytest.raises(ValueError, match=refused):
            search.set_params(refit=wide).fit(X, y)
        search.set_params(refit=fits).fit(X, y)
        evaluator = skc.PairedEvaluator(5, scoring, random_state=0)
        with pytest.raises(ValueError, match=refused):
            skc.ComparisonSelector(MODELS, evaluator, rule=wide).fit(X, y)
        skc.ComparisonSelector(MODELS, evaluator, rule=fits).fit(X, y)


@pytest.mark.parametrize("measure", [skc.calibration.size, skc.calibration.power, skc.calibration.replicability])
def test_a_measured_error_rate_refuses_a_width_that_no_difference_reaches(measure, rng):
    """It gave no p-value on any data set, which only a warning told after all of them."""
    wide = float(rng.choice([1.01, 2, 5, 100]))
    for procedure, name, width in (
        ("corrected_t_test", "null", {"null": wide}),
        ("corrected_t_test", "null", {"null": -wide}),
        ("dominance_test", "margin", {"margin": wide}),
        ("dominance_test", r"margin\['recall'\]", {"margin": {"recall": wide}}),
    ):
        with pytest.raises(ValueError, match=f"^{name} must be a difference that (accuracy|recall) can have"):
            measure(
                procedure, "5x2", ExchangeableBlocks(n_samples=60), ["accuracy", "recall"], models=GaussianNB(), **width
            )


def test_markdown_is_for_a_pull_request():
    text = not_worse(items(0.0, names=("new_v2", "old_v1")), "new_v2", "old_v1", margin=0.05).to_markdown()
    first, _, table, *_ = text.split("\n")
    assert first.startswith(r"**new\_v2 is not worse than old\_v1 by more than 0.05 on grade")
    assert table.startswith("| a | b |")


def test_a_gate_is_a_document(rng):
    """Its line is short, its numbers stand in the table, and a row is decided as its interval lies by the margin."""
    for _ in range(40):
        shift, margin = rng.normal(0, 0.05), float(rng.choice([0.01, 0.05, 0.2]))
        scores = {name: rng.normal(0.5, 0.05, size=(2, 40)) for name in ("new", "old")}
        given = {m: {"new": scores["new"][i] + shift, "old": scores["old"][i]} for i, m in enumerate("xy")}
        found = not_worse(skc.from_outcomes(given), "new", "old", margin=margin)
        document = found.explain()
        line, grid = document.named("answer").text, document.named("comparisons")
        assert line == found._sentence()
        assert len(line.split()) <= 30
        numbers = re.findall(r"[-+]?\d+\.\d+", line)
        shown = " ".join([grid.caption, *map(" ".join, grid.rows())])
        assert all(number.lstrip("+-") in shown for number in numbers), (line, shown)
        assert " ".join(str(document).split()).startswith(" ".join(str(found).split()).partition(" More: ")[0])
        assert "The test and what it assumes" in str(document)
        assert found._repr_html_().startswith('<div class="skcompare">')
        for row in found.comparison:
            assert (row.pvalue_adjusted < 0.05) == row.outcome.significant
            beyond = row.low > -margin or row.high < -margin or row.open_at_null
            assert beyond == row.outcome.significant


def test_the_module_is_public():
    assert skc.testing.__all__ == ["NotWorse", "assert_not_worse", "not_worse"]


class _Column(ClassifierMixin, BaseEstimator):
    """Predicts what stands in a column, so that predictions can be drawn."""

    def __init__(self, column=0):
        self.column = column

    def fit(self, X, y):  # noqa: ARG002
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return X[:, self.column].astype(int)


@pytest.mark.parametrize("kept", [True, False])
@pytest.mark.parametrize("cv", [3, "10x10"])
@pytest.mark.parametrize("same", [True, False])
def test_equal_scores_of_models_that_predict_otherwise_are_no_proof(rng, same, cv, kept):
    """Both are wrong on the same samples, with one and the same class or with another one."""
    y = rng.integers(0, 3, 120)
    wrong = rng.random(len(y)) < rng.uniform(0.1, 0.4)
    old, new = ((y + step * wrong) % 3 for step in (1, 1 if same else 2))
    models = {"old": _Column(0), "new": _Column(1)}
    options = skc.RunOptions(keep_predictions=kept)
    evaluator = skc.PairedEvaluator(cv=cv, scoring="accuracy", random_state=0, options=options)
    result = evaluator.evaluate(models, np.column_stack([old, new]), y)
    assert not result.difference("accuracy", "new", "old").any()
    found = not_worse(result, "new", "old", margin=rng.uniform(0.001, 0.3))
    assert found.verdict == ("not worse" if same or not kept else "undecided")
    assert ("ASSUMED" in {one.code for one in found.comparison[0].warnings}) == (not kept)
    assert ("one and the same model" in str(found)) == (found.verdict == "not worse")
    assert result.compare()[0].pvalue == 1  # equal scores are not significantly different, whatever was predicted
    row, equivalent = result.compare(margin=0.1)[0], same or not kept
    assert row.outcome is (skc.Outcome.EQUIVALENT if equivalent else skc.Outcome.UNDECIDED)
    assert (row.pvalue, row.rope) == (1, 1 if equivalent else None)
    assert ("ASSUMED" in {one.code for one in row.warnings}) == (not kept)
    assert result.test("equivalence_test", margin=0.1).verdict == ("equivalent" if equivalent else "undecided")
    assert (result.test("correlated_t_posterior", margin=0.1).rope == 1) == equivalent
    one_sided = {"a": "new", "b": "old", "null": -0.1, "alternative": "greater"}
    names = ["auto"] if cv == 3 else ["auto", "permutation_test"]  # which tells nothing on 3 splits
    tests = [result.test(name, **one_sided) for name in names]
    for found in (result.compare(null=-0.1, alternative="greater")[0], *tests):
        assert (found.pvalue < 0.05) == equivalent
        assert ("ASSUMED" in {one.code for one in found.warnings}) == (not kept)


@pytest.mark.parametrize("kept", [True, False])
@pytest.mark.parametrize("same", [True, False])
@pytest.mark.parametrize("n_models", [2, 3])
def test_looks_at_equal_scores_say_what_they_take_for_one(rng, n_models, same, kept):
    y = rng.integers(0, 3, 90)
    wrong = rng.random(len(y)) < rng.uniform(0.1, 0.4)
    columns = [(y + (1 if same else 1 + i % 2) * wrong) % 3 for i in range(n_models)]
    models = {f"m{i}": _Column(i) for i in range(n_models)}
    evaluator = skc.PairedEvaluator(cv="10x5", scoring="accuracy", random_state=0, stop=skc.StopRule(margin=0.1))
    result = evaluator.set_params(options=skc.RunOptions(keep_predictions=kept)).evaluate(
        models, np.column_stack(columns), y
    )
    equivalent = same or not kept
    assert ("practically equivalent" in str(result)) == equivalent
    assumed = equivalent and not kept
    assert {"ASSUMED" in {one.code for one in row.warnings} for row in result.compare()} == {assumed}
    for text in (str(result), str(result.explain()), result.to_json(), result.to_markdown(), result.methods_text()):
        assert ("no predictions are known" in " ".join(text.split())) == assumed


@pytest.mark.parametrize("n", [3, 5, 100])
def test_equal_scores_of_a_table_pass_and_it_is_said_that_no_predictions_are_known(rng, n):
    scores = rng.uniform(0.5, 1, n).round(3)
    table = {"model": ["old"] * n + ["new"] * n, "fold": [*range(n)] * 2, "accuracy": [*scores, *scores]}
    found = not_worse(skc.read(table, design=f"{n}-fold"), "new", "old", margin=rng.uniform(0.001, 0.3))
    assert found.verdict == "not worse"
    [told] = [one.sentence for one in found.comparison[0].warnings if "no predictions are known" in one]
    weightiest = told if n >= 5 else "3 splits hardly tell how much the scores vary."
    assert f"Caution: {weightiest}" in " ".join(str(found).split())
    assert told in " ".join(str(found.explain()).split())


def test_errors_of_equal_size_and_opposite_sign_are_no_proof(rng):
    y, error = rng.normal(size=50), rng.uniform(0.1, 1, 50)
    for new, verdict in ((y - error, "undecided"), (y + error, "not worse")):
        result = skc.from_predictions(y, {"old": y + error, "new": new}, scoring="neg_mean_absolute_error")
        assert not_worse(result, "new", "old", margin=0.01).verdict == "undecided"  # of 50 samples alone
        assert not_worse(result, "new", "old", margin=0.5).verdict == verdict


@pytest.mark.parametrize("n_models", [2, 7, 30])
def test_that_equal_models_are_taken_for_one_is_said_once(n_models):
    names = [f"m{i}" for i in range(n_models)]
    table = {"model": np.repeat(names, 10), "fold": [*range(10)] * n_models, "score": 0.5}
    comparison = skc.from_frame({name: np.broadcast_to(x, 10 * n_models) for name, x in table.items()}).compare(
        margin=0.01
    )
    assert {row.outcome for row in comparison} == {skc.Outcome.EQUIVALENT}
    assert len([one for one in comparison._warnings() if "no predictions are known" in one]) == 1


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
@pytest.mark.parametrize("seed", range(3))
def test_models_are_equivalent_where_the_interval_lies_in_the_margin_whatever_the_metric(seed, alpha):
    """On one test set f1 and roc_auc stayed undecided, as a mean over samples did not."""
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=150)
    one = np.clip(0.25 + 0.5 * y + rng.normal(0, 0.2, 150), 0.01, 0.99)
    models = {"a": one, "b": np.clip(one + rng.normal(0, 0.02, 150), 0.01, 0.99), "twin": one.copy()}
    result = skc.from_predictions(y, models, scoring=["roc_auc", "f1", "accuracy", "balanced_accuracy", "neg_log_loss"])
    ends = {row.metric: max(abs(row.low), abs(row.high)) for row in result.compare(alpha=alpha) if row.b == "b"}
    for factor in (1.001, 0.999):
        widths = {metric: factor * end for metric, end in ends.items()}
        for row in result.compare(margin=widths, alpha=alpha):
            inside = -widths[row.metric] < row.low and row.high < widths[row.metric]
            if row.b == "b" and row.winner is None:
                assert inside == (factor > 1)
            if row.winner is None and row.b != "twin":
                assert (row.outcome is skc.Outcome.EQUIVALENT) == inside
        drawn = DifferencesDisplay.from_result(result, margin=widths).frame()
        rows = result.compare(margin=widths)
        assert (drawn["better"] == "equivalent").sum() == sum(row.outcome is skc.Outcome.EQUIVALENT for row in rows)


def of_search():
    X, y = make_classification(60, random_state=0)
    grid = GridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2, 3]}, cv=5, scoring="accuracy")
    return skc.SearchReport.from_search(grid.fit(X, y)).result()


ASKED = {
    "right or wrong": lambda: skc.from_outcomes(
        {"right": {m: np.random.default_rng(0).integers(2, size=40) for m in "ab"}}
    ),
    "grades": lambda: items([0.1]),
    "folds": folds,
    "samples": samples,
    "study": lambda: study(),
    "search": of_search,
}


@pytest.mark.parametrize(
    "width", [1.0, 1.2, 50.0, 1e301, -0.1, np.nan, np.inf, "x", True, [0.1], pytest.param(10**400, id="huge")]
)
@pytest.mark.parametrize("what", ASKED)
def test_a_refusal_names_the_argument_that_was_given(what, width):
    """A margin was told as a null of -1.2, and that of a posterior as its rope."""
    result = ASKED[what]()
    a, b = result.estimators[:2]
    metric = result.metrics[0]
    asked = {
        "not_worse": (lambda: not_worse(result, a, b, margin=width, metric=metric), ("margin", "result")),
        "by metric": (lambda: not_worse(result, a, b, margin={metric: width}), (f"margin['{metric}']", "result")),
        "compare": (lambda: result.compare(margin=width), ("margin",)),
        "compare, null": (lambda: result.compare(null=width, metrics=metric), ("null",)),
        "test, null": (lambda: result.test(metric=metric, a=a, b=b, null=width), ("null",)),
    }
    if what != "study":
        named = {"margin": width, "metric": metric, "a": a, "b": b}
        asked["equivalence"] = (lambda: result.test("equivalence_test", **named), ("margin", "procedure"))
        asked["posterior"] = (lambda: result.test("correlated_t_posterior", **named), ("margin", "procedure"))
    else:
        asked["posterior"] = (lambda: result.test("signed_rank_posterior", margin=width, a=a, b=b), ("margin",))
    for call, names in asked.values():
        said = refused(call)
        assert said.startswith((*(f"{name} must " for name in names), "taken")), said
        assert "less than inf" not in said


def refused(call):
    """Why; "taken" where it is not."""
    try:
        call()
    except ValueError as error:
        return str(error)
    return "taken"


@pytest.mark.parametrize("what", ["right or wrong", "samples", "folds"])
@pytest.mark.parametrize("width", [1.0, 1.2, 50.0])
def test_a_margin_that_no_difference_exceeds_is_refused(what, width):
    result = ASKED[what]()
    with pytest.raises(ValueError, match=rf"margin must be a difference .* less than 1 in size; got {width:g}$"):
        not_worse(result, *result.estimators[:2], margin=width, metric=result.metrics[0])


@pytest.mark.parametrize("what", ["folds", "samples", "study"])
def test_a_test_that_takes_no_margin_is_refused_by_its_name(what):
    result, name = ASKED[what](), {"folds": "five_by_two_f_test", "study": "friedman_test"}.get(what, "paired_metric")
    if what == "folds":
        result = folds("5x2")
    with pytest.raises(ValueError, match=r"^procedure must test a margin, as 'auto' does; '"):
        not_worse(result, *result.estimators[:2], margin=0.05, metric=result.metrics[0], procedure=name)
