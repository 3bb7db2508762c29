"""Results from the dicts that scikit-learn's `cross_validate` returned, and from ``cv_results_``."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn import model_selection
from sklearn.datasets import make_classification
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skcompare as skc

X, Y = make_classification(n_samples=90, n_features=4, flip_y=0.2, random_state=0)
MODELS = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2, random_state=0)}
DESIGNS = {
    "5-fold": model_selection.KFold(5),
    "repeated": model_selection.RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0),
    "random": model_selection.ShuffleSplit(6, test_size=30, random_state=0),
    "in time": model_selection.TimeSeriesSplit(4),
}


def dicts(cv=DESIGNS["5-fold"], scoring=("accuracy", "roc_auc"), *, indices=True, **options):
    given = scoring if scoring is None or isinstance(scoring, str) else list(scoring)
    options = {"cv": cv, "scoring": given, "return_indices": indices, **options}
    return {name: model_selection.cross_validate(model, X, Y, **options) for name, model in MODELS.items()}


@pytest.mark.parametrize("name", DESIGNS)
def test_a_result_of_dicts_is_that_of_an_evaluation(name):
    """Scores, design and tests are those of our own evaluation on the same splits."""
    found = skc.from_cross_validate(given := dicts(DESIGNS[name]))
    ours = skc.PairedEvaluator(cv=DESIGNS[name], scoring=["accuracy", "roc_auc"]).evaluate(MODELS, X, Y)
    np.testing.assert_allclose(found.scores, ours.scores, rtol=1e-12)  # areas are added up in another order
    np.testing.assert_array_equal(found.scores[:, :, 0], ours.scores[:, :, 0])
    assert found.design == replace(ours.design, class_counts=())  # the dicts have no classes
    assert (found.warnings, found.metrics) == (ours.warnings, ours.metrics)
    if found.design.time_order:  # where scores alone have no test
        assert found.test("corrected_t", metric="accuracy") == ours.test("corrected_t", metric="accuracy")
        assert {row.outcome.value for row in found.compare()} == {"not comparable"}
    else:
        assert found.test(metric="accuracy") == ours.test(metric="accuracy")
        assert str(found.answer()) == str(ours.answer())
    for model, table in given.items():
        again = found.to_cross_validate(model)
        assert set(again) == {"fit_time", "score_time", "test_accuracy", "test_roc_auc"}
        assert all(np.array_equal(again[key], table[key]) for key in again)
    for i, (train, test) in enumerate(found.splits()):
        np.testing.assert_array_equal(train, given["tree"]["indices"]["train"][i])
        np.testing.assert_array_equal(test, given["tree"]["indices"]["test"][i])


def test_it_is_saved_and_loaded(tmp_path):
    result = skc.from_cross_validate(dicts(DESIGNS["repeated"]))
    result.save(tmp_path / "result.skc")
    again = skc.load(tmp_path / "result.skc")
    assert (again.summary(detail="full"), again.design) == (result.summary(detail="full"), result.design)
    for one in (result, again):
        with pytest.raises(ValueError, match=r"needs predictions; .* made from a table of scores"):
            one.test("mcnemar", metric="accuracy")


def test_a_single_metric_has_the_name_that_is_given():
    given = dicts(scoring=None, return_train_score=True, return_estimator=True)
    assert skc.from_cross_validate(given).metrics == ("score",)
    result = skc.from_cross_validate(given, scoring="accuracy")
    assert result.metrics == ("accuracy",)
    np.testing.assert_array_equal(result.to_cross_validate("tree")["test_score"], given["tree"]["test_score"])
    loss = skc.from_cross_validate(given, scoring="log_loss")
    assert [warning.code for warning in loss.warnings] == ["ASSUMED"]
    assert skc.from_cross_validate(given, scoring="log_loss", greater_is_better=False).greater_is_better == (False,)


def test_without_indices_equal_splits_are_to_be_made_sure_of():
    with_indices = skc.from_cross_validate(dicts())
    result = skc.from_cross_validate(dicts(indices=False), n_folds=5, n_samples=90)
    np.testing.assert_array_equal(result.scores, with_indices.scores)
    assert [warning.code for warning in result.warnings] == ["ASSUMED"]
    assert "Caution: make sure that 'bayes' and 'tree' had the same splits" in " ".join(result.summary().split())
    assert result.design.name == with_indices.design.name
    assert result.test().pvalue == with_indices.test().pvalue
    with pytest.raises(ValueError, match="splits are not known"):
        result.splits()


@pytest.mark.parametrize(
    ("name", "sizes", "design"),
    [
        ("repeated", {"n_folds": 3}, "2x3 cross-validation"),
        ("random", {"test_fraction": 1 / 3}, "6 overlapping splits"),
        ("in time", {"n_folds": 4, "test_fraction": 2 / 7}, "4 disjoint test sets that leave samples out"),
    ],
)
def test_sizes_that_are_given_tell_the_design(name, sizes, design):
    result = skc.from_cross_validate(dicts(DESIGNS[name], indices=False), **sizes)
    known = skc.from_cross_validate(dicts(DESIGNS[name])).design
    assert result.design.name == design
    assert known.name == ("4 test sets in time order" if name == "in time" else design)
    assert result.design.test_fraction == pytest.approx(known.test_fraction, rel=0.01)
    assert result.design.partition == known.partition


def test_other_splits_are_refused():
    """The classical mistake: an unseeded splitter draws other splits for every model."""
    given = {
        name: model_selection.cross_validate(
            model, X, Y, cv=model_selection.StratifiedKFold(5, shuffle=True, random_state=i), return_indices=True
        )
        for i, (name, model) in enumerate(MODELS.items())
    }
    with pytest.raises(ValueError, match="must share their splits; the training sets of split 0"):
        skc.from_cross_validate(given)


def test_missing_scores_are_left_out_and_said():
    given = dicts()
    given["tree"]["test_accuracy"][2] = np.nan
    result = skc.from_cross_validate(given)
    test = result.test(metric="accuracy")
    assert test.n == 4
    assert any("'tree' has no finite accuracy on 1 of 5 splits" in warning for warning in test.warnings)
    assert result.test(metric="roc_auc").n == 5
    given["tree"]["test_accuracy"][:] = np.nan
    assert skc.from_cross_validate(given).compare(metrics="accuracy")[0].outcome == skc.Outcome.NOT_COMPARABLE


def search(**options):
    grid = {"max_depth": [1, 2, 3]}
    return model_selection.GridSearchCV(
        MODELS["tree"], grid, cv=model_selection.RepeatedKFold(n_splits=4, n_repeats=2, random_state=0), **options
    ).fit(X, Y)


@pytest.mark.parametrize("as_table", [dict, pd.DataFrame])
def test_candidates_of_a_search_are_models(as_table):
    fitted = search(scoring=["accuracy", "roc_auc"], refit=False)
    result = skc.from_cross_validate(as_table(fitted.cv_results_), n_folds=4)
    report = skc.SearchReport.from_search(fitted)
    assert result.estimators == report.names == ("max_depth=1", "max_depth=2", "max_depth=3")
    np.testing.assert_array_equal(result.scores, report.scores)
    assert result.design.name == report.design.name == "2x4 cross-validation"
    assert [warning.code for warning in result.warnings] == ["ASSUMED"]
    assert result._scores.selected is None
    named = skc.from_cross_validate(as_table(fitted.cv_results_), n_folds=4, names=["stump", "small", "tree"])
    assert named.estimators == ("stump", "small", "tree")
    np.testing.assert_array_equal(named.scores, result.scores)


def test_a_table_of_splits_needs_names_only():
    """What another tool wrote as a table: no parameters, one row per model."""
    table = pd.DataFrame(search().cv_results_).filter(regex="split")
    result = skc.from_cross_validate(table, n_folds=4, names=["a", "b", "c"], scoring="accuracy")
    assert (result.estimators, result.metrics) == (("a", "b", "c"), ("accuracy",))
    with pytest.raises(ValueError, match="names"):
        skc.from_cross_validate(table, n_folds=4, names=["a", "b"])
