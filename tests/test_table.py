"""Results from tables of scores that another tool made."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_classification
from sklearn.metrics import get_scorer_names
from sklearn.model_selection import ShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skcompare as skc

X, Y = make_classification(n_samples=90, n_features=4, flip_y=0.2, random_state=0)


def evaluate(cv="3x5", scoring=("accuracy", "roc_auc", "fit_time")):
    models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2)}
    return skc.PairedEvaluator(cv=cv, scoring=list(scoring), random_state=0).evaluate(models, X, Y)


def table(n_repeats=2, n_folds=3, models=("a", "b"), metrics=("accuracy",)):
    index = pd.MultiIndex.from_product(
        [models, metrics, range(n_repeats), range(n_folds)], names=["model", "metric", "repeat", "fold"]
    )
    frame = index.to_frame(index=False)
    return frame.assign(score=np.random.default_rng(0).uniform(0.7, 0.9, len(frame)))


@pytest.mark.parametrize("cv", ["3x5", 4, ShuffleSplit(5, test_size=30, random_state=0)])
def test_a_result_and_its_table_give_the_same_tests(cv):
    result = evaluate(cv)
    again = skc.from_frame(result.to_frame())
    np.testing.assert_array_equal(again.scores, result.scores)
    assert again.greater_is_better == result.greater_is_better
    assert again.design.name == result.design.name
    assert again.design.test_fraction == result.design.test_fraction
    for metric in result.metrics:
        ours = result.test(metric=metric)
        of_table = again.test(metric=metric)
        assert {one.code for one in of_table.warnings} == {one.code for one in ours.warnings} | {"ASSUMED"}
        assert replace(of_table, warnings=ours.warnings) == ours
    assert again.dominance().pvalue == result.dominance().pvalue
    assert [row.outcome for row in again.compare()] == [row.outcome for row in result.compare()]


def test_the_order_of_the_rows_does_not_matter():
    frame = table()
    mixed = skc.from_frame(frame.sample(frac=1, random_state=0))
    plain = skc.from_frame(frame)
    for model in ("a", "b"):
        np.testing.assert_array_equal(mixed.score(model, "accuracy"), plain.score(model, "accuracy"))


def test_without_metric_and_repeat_there_is_one_of_each():
    frame = table(n_repeats=1).drop(columns=["metric", "repeat"])
    result = skc.from_frame(frame)
    assert result.metrics == ("score",)
    assert result.design.name == "3-fold cross-validation"
    assert result.design.test_fraction == 1 / 3
    assert result.design.n_samples is None
    assert "\n3-fold cross-validation (assumed).\n" in result.summary()
    assert result.provenance["assumed_design"] == "3-fold cross-validation"
    stated = skc.from_frame(frame, test_fraction=1 / 3)
    assert "\n3-fold cross-validation.\n" in stated.summary()
    assert "assumed_design" not in stated.provenance
    assert repr(result) == "<EvaluationResult: a and b, 3-fold cross-validation; score>"


def test_a_mapping_of_columns_will_do():
    frame = table()
    assert skc.from_frame({name: frame[name].tolist() for name in frame}).test() == skc.from_frame(frame).test()


def test_random_splits_need_a_test_fraction():
    frame = table(n_repeats=6, n_folds=1)
    with pytest.raises(ValueError, match=r"test_fraction must be given for .* n_train and n_test"):
        skc.from_frame(frame)
    given = skc.from_frame(frame, test_fraction=0.25)
    sized = skc.from_frame(frame.assign(n_train=75, n_test=25))
    assert given.design.test_fraction == sized.design.test_fraction == 0.25
    assert given.design.name == "6 overlapping splits"
    assert given.test() == sized.test()


def test_directions_are_given_or_known_by_name():
    frame = table(metrics=("accuracy", "loss", "fit_time"))
    frame["score"] -= min(0, frame["score"].min())
    assert skc.from_frame(frame).greater_is_better == (True, False, False)
    asked = [" ".join(skc.from_frame(frame).test(metric=name).warnings) for name in ("loss", "accuracy")]
    assert ["ASSUMED: less is taken for better on loss" in said for said in asked] == [True, False]
    negative = frame.assign(score=-1 - frame["score"])
    assert skc.from_frame(negative).greater_is_better == (True, True, False)
    assert "ASSUMED: more of loss is taken for better" in " ".join(skc.from_frame(negative).warnings)
    for given in (True, {"loss": False}):
        assert "taken for better" not in " ".join(skc.from_frame(frame, greater_is_better=given).warnings)
    assert skc.from_frame(frame, greater_is_better={"loss": False}).greater_is_better == (True, False, False)
    assert skc.from_frame(frame, greater_is_better={"fit_time": True}).greater_is_better == (True, False, True)


def test_procedures_that_need_predictions_say_so():
    result = skc.from_frame(table())
    with pytest.raises(ValueError, match=r"'mcnemar_test' needs predictions.*a table of scores"):
        result.test("mcnemar", metric="accuracy")
    with pytest.raises(ValueError, match="predictions are not known: this result was made from a table"):
        result.predictions("a")
    with pytest.raises(ValueError, match="splits are not known"):
        result.splits()


@pytest.mark.parametrize("sized", [False, True])
def test_results_from_tables_are_saved_and_loaded(tmp_path, sized):
    frame = table().assign(n_train=60, n_test=30) if sized else table()
    result = skc.from_frame(frame)
    result.save(tmp_path / "result.skc")
    again = skc.load(tmp_path / "result.skc")
    assert again.summary() == result.summary()
    assert again.design == result.design
    np.testing.assert_array_equal(again.to_frame()["score"], result.to_frame()["score"])


def without(frame, row):
    return frame.drop(index=row)


BAD = {
    "no score": (lambda f: f.drop(columns="score"), "no column of scores among 'model', 'metric', 'repeat', 'fold'"),
    "no model": (lambda f: f.drop(columns="model"), "nothing names models. A table needs a column per model"),
    "no fold": (lambda f: f.drop(columns="fold"), "repeat '0' has several scores, in rows 1 and 2"),
    "a missing pair": (
        lambda f: without(f, 4),
        "1 score is missing: 'a' on '1 1'",
    ),
    "a row twice": (
        lambda f: pd.concat([f, f.iloc[[2]]]),
        "model 'a', split '2', repeat '0' has several scores, in rows 3 and 13",
    ),
    "unequal folds": (
        lambda f: f[~((f["repeat"] == 1) & (f["fold"] == 2))],
        "as many folds in every repeat; repeat 0 has 3, repeat 1 has 2",
    ),
    "nan score": (
        lambda f: f.assign(score=f["score"].where(f.index != 3)),
        "1 score is missing: 'a' on '0 1'",
    ),
    "text score": (lambda f: f.assign(score="high"), "row 1, column 'score': 'high' is no number"),
    "numbered models": (
        lambda f: f.assign(model=f["model"] == "a"),
        "models of frame must be named by non-empty strings; got True",
    ),
    "two data sets": (lambda f: f.assign(dataset=np.arange(len(f)) % 2), "about one data set"),
    "missing fold": (
        lambda f: f.assign(fold=f["fold"].where(f.index != 3)),
        "row 4 has no name in column 'fold'",
    ),
    "sizes differ": (lambda f: f.assign(n_test=10 + f.index), "one n_test per split; .*same splits"),
    "sizes of zero": (lambda f: f.assign(n_train=0), "positive integers in its column 'n_train'"),
    "a scalar": (lambda f: {**f.to_dict("list"), "score": 1.0}, "one value per row in its column 'score'"),
    "no table": (lambda f: 3, "frame must be"),  # noqa: ARG005
    "no fold given": (lambda f: f.assign(fold=[None, *f["fold"][1:]]), "row 1 has no name in column 'fold'"),
    "complex": (lambda f: f.assign(score=f["score"] + 1j), r"row 1, column 'score': .* is no number"),
    "empty": (lambda f: f.iloc[:0], "no rows below its header"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_wrong_with_a_table_is_named(name):
    spoil, message = BAD[name]
    with pytest.raises(ValueError, match=message):
        skc.from_frame(spoil(table()))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"greater_is_better": {"acc": False}}, "greater_is_better must be one of 'accuracy'"),
        ({"greater_is_better": 1}, "greater_is_better must be a bool"),
        ({"test_fraction": 1.0}, r"test_fraction must be a number in \(0, 1\)"),
        ({"n_samples": 1}, "n_samples must be an integer of at least 2"),
        ({"n_samples": 7}, "n_samples must be at least n_train plus n_test, 90; got 7"),
    ],
)
def test_bad_options_are_refused_by_name(options, message):
    with pytest.raises(ValueError, match=message):
        skc.from_frame(table().assign(n_train=60, n_test=30), **options)


def test_analyze_prints_the_summary_and_saves_it(tmp_path, run):
    path, out = tmp_path / "scores.csv", tmp_path / "result.skc"
    table(metrics=("accuracy", "loss")).to_csv(path, index=False)
    code, printed, err = run("analyze", path, "--less-is-better", "loss", "--out", out)
    assert (code, err) == (0, "")
    result = skc.load(out)
    assert result.greater_is_better == (True, False)
    assert printed.partition("\n\n")[2].startswith(result.summary().rpartition("More:")[0])


@pytest.mark.parametrize(
    ("spoil", "arguments", "message"),
    [
        (lambda f: without(f, 4), (), "1 score is missing: 'a' on '1 1'"),
        (lambda f: f, ("--less-is-better", "los"), "--less-is-better must be one of 'accuracy'"),
        (lambda f: f, ("--test-fraction", "2"), "is not in the range 0<x<1"),
        (lambda f: f.drop(columns="score"), (), "it has no column of scores among 'model'"),
    ],
)
def test_analyze_names_what_is_wrong_in_one_line(tmp_path, run, spoil, arguments, message):
    path = tmp_path / "scores.csv"
    spoil(table()).to_csv(path, index=False)
    code, printed, err = run("analyze", path, *arguments)
    assert (code, printed) == (2, "")
    assert err.count("\n") == 1
    assert message in err


def test_analyze_needs_a_readable_file(tmp_path, run):
    code, _, err = run("analyze", tmp_path / "none.csv")
    assert code == 2
    assert err.startswith("skcompare: error: cannot read")


def test_the_procedures_command_lists_them(run):
    code, printed, _ = run("procedures")
    assert code == 0
    assert printed.rstrip("\n") == str(skc.procedures())


def test_test_sets_that_leave_samples_out_are_no_k_fold():
    folds = table(n_repeats=1).assign(n_train=60, n_test=20)
    result = skc.from_frame(folds)
    assert not result.design.partition
    assert result.design.name == "3 disjoint test sets that leave samples out"
    assert result.design.test_fraction == 0.25


def test_what_a_result_from_a_table_gives_is_a_table_again():
    result = skc.from_frame(table())
    again = skc.from_frame(result.to_frame())
    np.testing.assert_array_equal(again.scores, result.scores)
    assert again.design == result.design


@pytest.mark.parametrize("name", ["mean_squared_error", "log_loss", "rmse", "val loss", "MAE"])
def test_names_of_losses_are_recognised(name):
    said = f"ASSUMED: less is taken for better on {name}, by the name; give greater_is_better if it is otherwise."
    assert said in skc.from_frame(table(metrics=(name,))).warnings


@pytest.mark.parametrize("name", [*get_scorer_names(), "Test Accuracy (%)", "R^2", "win_rate", "neg_x", "fit_time"])
def test_names_of_metrics_say_what_is_better(name):
    found = skc.from_frame(table(metrics=(name,)).assign(score=lambda x: x.score * (1 - 2 * name.startswith("neg_"))))
    assert "taken for better" not in " ".join(found.warnings)


@pytest.mark.parametrize("name", [x for x in get_scorer_names() if x.startswith("neg_") and "likelihood" not in x])
@pytest.mark.parametrize("less", [None, False])
@pytest.mark.parametrize("read", [skc.from_frame, skc.read])
def test_scores_under_the_name_of_a_negated_loss_are_negative(read, name, less):
    """They are shown as losses, by the name: positive ones had their sign turned, and the worst model led."""
    options = {} if less is None else {"greater_is_better": less}
    with pytest.raises(ValueError, match=rf"{name}.* must be at most 0.*call them '"):
        read(table(metrics=(name,)), **options)
    losses = read(table(metrics=(name.removeprefix("neg_"),)), greater_is_better=False)
    turned = read(table(metrics=(name,)).assign(score=lambda x: -x.score))
    assert losses.answer().metrics[0].leader == turned.answer().metrics[0].leader


@pytest.mark.parametrize("names", [("zeal",), ("vim", "closseness"), ("accuracy", "terror_index")])
def test_more_of_a_metric_that_nothing_knows_is_assumed_to_be_better(names):
    unknown = [name for name in names if name != "accuracy"]
    for read in (skc.from_frame, skc.read):
        result = read(table(metrics=names))
        assert result.greater_is_better == (True,) * len(names)
        (said,) = [one for one in result.warnings if "taken for better" in one]
        assert said.startswith(f"ASSUMED: more of {' and '.join(unknown)} is taken for better")
        assert all(said in result.test(metric=name).warnings for name in unknown)
        for given in (True, dict.fromkeys(unknown, False)):
            told = read(table(metrics=names), greater_is_better=given)
            assert "taken for better" not in " ".join(told.warnings)


@pytest.mark.parametrize("right", [True, False])
def test_outcomes_that_are_right_or_wrong_have_a_direction(right):
    drawn = np.random.default_rng(1).random((2, 30))
    values = {"zeal": dict(zip("ab", drawn < 0.5 if right else drawn, strict=True))}
    assert ("taken for better" in " ".join(skc.from_outcomes(values).warnings)) != right


def test_a_column_of_true_values_is_no_model_too(rng):
    """It was read as a model that is always right."""
    y = rng.integers(0, 2, 40)
    frame = {"id": np.arange(40), "y": y, "a": rng.integers(0, 2, 40), "b": y}
    with pytest.raises(ValueError, match="models must name other columns than truth"):
        skc.read(frame, models=["a", "y"], truth="y")
    with pytest.raises(ValueError, match="models must name every column once"):
        skc.read(frame, models=["a", "a"], truth="y")
