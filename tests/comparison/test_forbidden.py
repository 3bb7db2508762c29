"""A warning that forbids any conclusion is what every view and every decision says, whatever the scores are."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, ShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from skcompare import ComparisonSelector, PairedEvaluator, SearchReport, StopRule, from_predictions, load
from skcompare._core.warnings import Code
from skcompare.cli import main as cli
from skcompare.plotting import DifferencesDisplay, PairMatrixDisplay
from skcompare.reporting.page import page
from skcompare.testing import assert_not_worse, not_worse
from tests.made_results import results

WARNING = Code.DO_NOT_USE("7 of 70 samples have a copy in the training set (row 1 is row 2). Drop the copies.")
LINE = "Do not use this result"
FEW = settings(max_examples=30, deadline=None, suppress_health_check=[*HealthCheck])


def words(text):
    return " ".join(str(text).split())


def forbidden(result):
    """The same, with a reason not to use it."""
    return replace(result, warnings=(*result.warnings, WARNING))


def obeys(result):
    """Every view that is made quickly."""
    found = result.answer()
    assert found.forbidden.startswith(LINE)
    assert not found.recommends
    said = {
        "text": result.summary(),
        "explain": str(result.explain()),
        "markdown": result.to_markdown(),
        "answer": str(found),
        "claim": found._sentence(),
        "json": json.loads(result.to_json())["answer"]["line"],
    }
    for view, text in said.items():
        assert words(text).lstrip("*").startswith(LINE), view
        assert "Caution:" not in str(text), view
    assert LINE in words(result.to_latex())
    assert LINE in words(page(result.explain(), []))
    return found


@given(results())
@FEW
def test_every_view_of_a_result_obeys(drawn):
    result = forbidden(drawn)
    found = obeys(result)
    assert found.metrics == drawn.answer().metrics  # the numbers are there, for who knows better
    rows = [row for row in result.compare() if row.record is not None]  # others claim nothing
    assert words(result.compare()).startswith(LINE) or not rows
    assert all(words(row).startswith(LINE) for row in rows)
    assert not drawn.answer().forbidden
    assert not words(drawn.summary()).startswith(LINE)


@given(results())
@FEW
def test_a_gate_says_nothing_of_what_must_not_be_used(drawn):
    new, old = drawn.estimators[:2]
    if getattr(getattr(drawn, "details", None), "stopping", None) is not None and drawn.details.stopping.looks:
        return
    margin = {drawn.metrics[0]: 0.05}
    free = not_worse(drawn, new, old, margin=margin)
    found = not_worse(forbidden(drawn), new, old, margin=margin)
    assert found.verdict == "cannot be compared"
    assert words(found).startswith(LINE)
    assert found.reason.startswith(LINE)
    assert not words(free).startswith(LINE)
    assert not free.forbidden
    with pytest.raises(AssertionError, match=LINE):
        assert_not_worse(forbidden(drawn), new, old, margin=margin)


# ---- from the data to every way in ------------------------------------------------------------------------------

MODELS = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2, random_state=0)}
WINE = load_wine(return_X_y=True)


@pytest.fixture(scope="module")
def copied():
    """A data set with rows that stand in it twice."""
    X, y = load_breast_cancer(return_X_y=True)
    return np.r_[X, X[:40]], np.r_[y, y[:40]]


@pytest.fixture(scope="module")
def evaluator():
    return PairedEvaluator(cv=3, scoring="accuracy", random_state=0)


def test_one_evaluation_on_every_way_out(copied, evaluator, tmp_path):
    result = evaluator.evaluate(MODELS, *copied)
    obeys(result)
    assert words(result.test()).startswith(LINE)
    assert words(result.pareto_front()).startswith(LINE)
    assert words(result.methods_text()).startswith(LINE)
    path = tmp_path / "result.skc"
    result.save(path)
    obeys(load(path))
    asked = ["check", str(path), "--new", "nb", "--old", "tree", "--metric", "accuracy", "--margin", "0.5"]
    status = CliRunner().invoke(cli.command, asked)
    assert status.exit_code == 3
    assert words(status.output).startswith(LINE)
    clean = evaluator.evaluate(MODELS, *WINE)
    assert clean.answer().forbidden == ""
    clean.save(path)
    assert CliRunner().invoke(cli.command, asked).exit_code == 0


def test_a_picture_says_so_in_its_title(copied, evaluator):
    pytest.importorskip("matplotlib")
    result = evaluator.evaluate(MODELS, *copied)
    made = DifferencesDisplay.from_result(result), PairMatrixDisplay.from_posterior(result)
    for drawn in (result.plot("differences"), *(display.plot() for display in made)):
        assert drawn.ax_.get_title(loc="left").startswith("Do not use: ")
    assert not evaluator.evaluate(MODELS, *WINE).plot("differences").ax_.get_title(loc="left").startswith("Do not use")


def test_a_study_says_on_which_data_sets(copied, evaluator):
    study = evaluator.evaluate_datasets(MODELS, {"clean": WINE, "copied": copied})
    obeys(study)
    assert words(study.summary()).startswith("Do not use this result (copied): ")
    assert words(study.test()).startswith("Do not use this result (copied): ")
    both = evaluator.evaluate_datasets(MODELS, {"one": copied, "two": copied, "clean": WINE})
    assert words(both.summary()).startswith("Do not use this result (one and 1 other): ")
    assert evaluator.evaluate_datasets(MODELS, {"clean": WINE}).answer().forbidden == ""


@pytest.mark.parametrize("sizes", [(0.5, 1.0), (0.3, 0.5)])
def test_a_learning_curve_obeys_at_every_size_and_says_it_once(copied, evaluator, sizes):
    curve = evaluator.learning_curve(MODELS, *copied, train_sizes=sizes)
    text = words(curve)
    assert text.startswith(LINE)
    assert text.count("have a copy in the training set") == 1
    assert words(curve.compare()).startswith(LINE)
    assert words(curve.methods_text()).startswith(LINE)
    for result in curve.results.values():
        obeys(result)


def test_a_stopped_run_obeys(copied):
    evaluator = PairedEvaluator(cv="4x3", scoring="accuracy", random_state=0, stop=StopRule(), error_score="raise")
    result = evaluator.evaluate(MODELS, *copied)
    obeys(result)
    assert words(result.details.stopping).startswith(LINE)
    assert json.loads(result.to_json())["stopping"]["verdict"].startswith(LINE)
    clean = evaluator.evaluate(MODELS, *WINE)
    assert not words(clean.details.stopping).startswith(LINE)
    assert clean.details.stopping.warnings == ()


def test_a_selector_obeys(copied, evaluator):
    selector = ComparisonSelector(MODELS, evaluator=evaluator)
    assert words(selector.fit(*copied).choice_).startswith(LINE)
    assert words(selector.fit(*WINE).choice_).startswith("Use ")


def test_a_search_obeys():
    search = GridSearchCV(MODELS["tree"], {"max_depth": [1, 2, 3]}, cv=5).fit(*WINE)
    clean = SearchReport.from_search(search)
    report = replace(clean, warnings=(*clean.warnings, WARNING))
    assert report.answer().forbidden.startswith(LINE)
    assert not report.answer().recommends
    assert words(report).startswith(LINE)
    assert "Caution:" not in str(report)
    assert not words(clean).startswith(LINE)


# ---- too little data --------------------------------------------------------------------------------------------


@given(results())
@FEW
def test_one_metric_alone_has_the_same_first_line(drawn):
    sequential = getattr(getattr(drawn, "details", None), "stopping", None) is not None
    if sequential:
        return
    first = drawn.answer().metrics[0].metric
    assert first == drawn.primary  # also where no test of it is possible
    alone = _only(drawn, first)
    assert drawn._document().named("answer").text == alone._document().named("answer").text
    assert drawn.answer().within_reach == alone.answer().within_reach


def _only(result, metric):
    """The result with one of its metrics."""
    i = result.metrics.index(metric)
    changes = {"metrics": (metric,), "greater_is_better": (result.greater_is_better[i],)}
    if not hasattr(result, "results"):
        return replace(result, scores=result.scores[:, :, [i]], **changes)
    return replace(result, scores=result.scores[..., [i]], results={}, designs=(), **changes)


@pytest.mark.parametrize("n", [36, 54, 72])
def test_a_single_test_set_is_counted_by_its_samples(n):
    y = np.arange(n) % 3
    wrong = np.where(np.arange(n) < 3, (y + 1) % 3, y)  # three samples differ, which can give p = 0.25 at least
    table = {"a": y.tolist(), "b": wrong.tolist()}
    alone = from_predictions(y, table, scoring="accuracy")
    beside = from_predictions(y, table, scoring=["accuracy", "f1_macro"])
    lines = {one._document().named("answer").text for one in (alone, beside)}
    assert lines == {f"Too little data for a significant difference in accuracy on {n} samples. Add test samples."}


def test_a_part_of_the_data_that_is_tested_once_is_counted():
    cv = ShuffleSplit(1, test_size=72, random_state=0)
    scaled = make_pipeline(StandardScaler(), LogisticRegression())
    lines = set()
    for scoring in ("accuracy", None):
        result = PairedEvaluator(cv=cv, scoring=scoring).evaluate({"lr": scaled, "nb": GaussianNB()}, *WINE)
        lines.add(result._document().named("answer").text)
    assert lines == {"Too little data for a significant difference in accuracy on 72 samples. Add test samples."}
