"""The line of caution: at most one, about the claim above it, with what to do."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import FitFailedWarning, UndefinedMetricWarning
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, ShuffleSplit, TimeSeriesSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from skcompare import PairedEvaluator, SearchReport, StudyResult, from_runs, load
from skcompare._core.document import Paragraph
from skcompare._core.warnings import CAUTIONS, Code
from skcompare.reporting.findings import find
from skcompare.reporting.opening import claimed
from skcompare.reporting.short import caution, left_early
from skcompare.testing import not_worse
from tests.made_results import bare, evaluated, evaluation, stopped_run, study_of
from tests.saved_files import with_header

PAIR = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3, random_state=0)}


@pytest.fixture(scope="module")
def three():
    X, y = make_classification(120, random_state=0)
    return PairedEvaluator(5, ["accuracy", "f1"], random_state=0, baseline="dummy").evaluate(PAIR, X, y)


def with_warnings(found, *warnings):
    """What is found of a run whose rows have no warnings, with these."""
    rows = tuple(replace(row, warnings=()) for row in found.comparison)
    return replace(found, comparison=replace(found.comparison, rows=rows), warnings=warnings)


def line(result, *warnings):
    return caution(with_warnings(find(result._scores), *warnings))


def test_a_model_that_cannot_be_compared_for_lack_of_scores_comes_before_few_splits():
    recipe = {"seed": 1, "n_models": 3, "spread": 0.5, "flaw": "failed", "n_metrics": 1, "design": (1, 3)}
    result = evaluation(recipe)
    [lost] = result.answer().metrics[0].not_comparable
    assert f"Caution: {lost!r} has no finite accuracy on 3 of 3 splits" in " ".join(str(result).split())
    assert "Caution: 3 splits hardly tell" in " ".join(str(evaluation({**recipe, "flaw": "none"})).split())


@given(order=st.permutations([code for code in CAUTIONS if code not in ("DO_NOT_USE", "FRAGILE")]))
def test_the_weightiest_of_several_stands_whatever_their_order(three, order):
    for n in range(1, len(order) + 1):
        given_codes = order[:n]
        said = line(three, *(Code[name](f"of {name}.") for name in given_codes))
        assert said == f"Caution: of {min(given_codes, key=CAUTIONS.index)}."


@pytest.mark.parametrize("code", [code for code in Code if code.name not in CAUTIONS], ids=lambda code: code.name)
def test_no_note_of_a_record_stands_under_an_answer(three, code):
    assert line(three, code("of a record.")) == ""


@pytest.mark.parametrize(
    ("about", "stands"),
    [
        ((), True),
        (("accuracy",), True),
        (("nb", "accuracy"), True),
        (("nb", "tree", "accuracy"), True),
        (("f1",), False),
        (("nb", "f1"), False),
        (("dummy",), False),
        (("dummy", "accuracy"), False),
    ],
)
def test_it_is_about_the_metric_and_the_models_of_the_claim(three, about, stands):
    assert bool(line(three, Code.WEAK_METRIC("of something.", about))) == stands


@pytest.mark.parametrize("about", [(), ("accuracy",), ("f1",), ("nb", "f1"), ("dummy",), ("tree", "accuracy")])
def test_it_is_the_same_after_saving_and_loading(three, tmp_path, about):
    result = replace(three, warnings=(Code.TIME_ORDER("of something: wait.", about),))
    result.save(tmp_path / "result.skc")
    loaded = load(tmp_path / "result.skc")
    assert [one.about for one in loaded.warnings] == [about]
    assert loaded.warnings == result.warnings
    assert str(loaded) == str(result)


def test_a_file_in_which_warnings_are_texts_alone_still_loads(three, tmp_path):
    result = replace(three, warnings=(Code.TIME_ORDER("of something: wait.", ("f1",)),))
    result.save(tmp_path / "result.skc")
    with_header(tmp_path / "result.skc", lambda header: header.update(warnings=[*map(str, result.warnings)]))
    loaded = load(tmp_path / "result.skc")
    assert (loaded.warnings, loaded.warnings[0].about) == (result.warnings, ())
    for wrong in ({"text": "TIME_ORDER: x."}, {"text": 1, "about": []}, {"text": "TIME_ORDER: x.", "about": [1]}):
        with_header(tmp_path / "result.skc", lambda header, one=wrong: header.update(warnings=[one]))
        with pytest.raises(ValueError, match=r"(warnings|about) must be a text; got"):
            load(tmp_path / "result.skc")


def test_it_is_about_no_model_that_the_first_line_does_not_name():
    X, y = make_classification(120, random_state=0)
    models = {f"nb{i}": GaussianNB(var_smoothing=10.0**-i) for i in range(9)}
    result = PairedEvaluator(5, "accuracy", random_state=0).evaluate(models, X, y)
    near = claimed(find(result._scores))
    assert 1 < len(near) < 9
    for name in models:
        assert bool(line(result, Code.NOT_CONVERGED("it did not converge.", (name,)))) == (name in near)


@given(
    n_models=st.sampled_from([3, 7, 12, 47]),
    place=st.integers(0, 59),
    lacking=st.integers(0, 2),
    seed=st.integers(0, 2**16),
    metric=st.sampled_from(["accuracy", "neg_log_loss"]),
)
def test_of_many_models_that_which_lacks_scores_is_named_wherever_it_stands(n_models, place, lacking, seed, metric):
    rng, place = np.random.default_rng(seed), place % n_models
    values = rng.permutation(n_models)[:, None] / 50 + rng.normal(0, 0.01, (n_models, 10))
    values[place, :lacking] = np.nan
    values -= 2 * metric.startswith("neg_")  # a negated loss is never positive
    result = evaluated(values[:, :, None], (metric,), bare(1, 10), provenance={})
    said = line_of(result)
    name = f"m{place}"
    assert (f"'{name}' has no finite {metric} on {lacking} of 10 splits" in said) == bool(lacking)
    assert ("mend the metric, or leave it out" in said) == bool(lacking)


def line_of(result):
    return " ".join(str(result).split()).partition("Caution: ")[2]


def test_of_many_models_one_that_failed_is_named_though_it_is_far_behind():
    class Failing(DummyClassifier):
        def __init__(self, row=0.0):
            super().__init__()
            self.row = row

        def fit(self, X, y):
            if self.row not in X[:, 0]:
                raise ValueError("no fit")
            return super().fit(X, y)

    X, y = make_classification(200, random_state=0, class_sep=2.0)
    models = {f"tree{i}": DecisionTreeClassifier(random_state=i) for i in range(20)}
    evaluator = PairedEvaluator("2x5", "accuracy", random_state=0, error_score=np.nan)
    with pytest.warns(FitFailedWarning):
        result = evaluator.evaluate({**models, "failing": Failing(X[0, 0])}, X, y)
    assert "failing" not in claimed(find(result._scores))
    assert line_of(result).startswith("'failing' failed on 2 of 10 splits")
    assert "see result.failures" in line_of(result)


@given(seed=st.integers(0, 2**16), n_models=st.integers(5, 7), spread=st.sampled_from([3.0, 10.0]))
def test_models_that_looks_dropped_lack_scores_on_purpose(seed, n_models, spread):
    recipe = {"seed": seed, "n_models": n_models, "spread": spread, "n_metrics": 1, "flaw": "none", "drop": True}
    result = stopped_run({**recipe, "design": (8, 5), "alpha": 0.05, "rope": None})
    found = find(result._scores)
    others = {*left_early(found)} - {*claimed(found)}
    said = line_of(result)
    assert not any(f"'{name}' was fitted" in said for name in others)


def test_a_warning_of_a_part_of_the_result_and_a_fragile_claim_elsewhere_do_not_stand(three):
    assert line(three, Code.TOO_LITTLE_DATA("of a part.").at("f1 of nb and tree")) == ""
    assert line(three, Code.FRAGILE("of another claim.", ("accuracy", "nb", "tree"))) == ""


def test_that_the_leader_may_be_guessing_is_said_before_that_its_lead_is_fragile():
    recipe = {"n_models": 2, "n_metrics": 1, "spread": 1.0, "flaw": "none", "design": (2, 5)}
    every = (find(evaluation({**recipe, "seed": seed})._scores) for seed in range(100))
    found = next(one for one in every if "would not stand" in caution(one))
    for name in found.models:
        guessing = Code.BASE_RATE("of guessing.", (name, found.first.metric))
        said = caution(with_warnings(found, guessing))
        assert said == "Caution: of guessing." if name == found.first.leader else "would not stand" in said


def test_what_forbids_the_conclusion_is_the_first_line_and_has_no_caution_below():
    X, y = make_classification(120, random_state=0)
    twice = np.r_[X, X], np.r_[y, y]
    result = PairedEvaluator(5, "accuracy", random_state=0).evaluate(PAIR, *twice)
    document = result._document()
    first = document.blocks[0]
    assert isinstance(first, Paragraph)
    assert first.text.startswith("Do not use this result: ")
    assert len(first.text.split()) <= 30
    assert document.named("caution") is None


@given(
    recipe=st.fixed_dictionaries(
        {
            "seed": st.integers(0, 2**32 - 1),
            "n_models": st.integers(2, 5),
            "spread": st.sampled_from([0.0, 2.0, 8.0]),
            "flaw": st.sampled_from(["", "equal models", "coarse", "missing", "failed", "no metric", "apart", "still"]),
            "n_metrics": st.integers(1, 4),
            "design": st.sampled_from([(1, 3), (1, 10), (2, 5)]),
        }
    )
)
def test_of_any_result_at_most_one_caution_stands_and_it_is_in_the_explanation(recipe):
    result = evaluation(recipe)
    document = result._document()
    cautions = [block for block in document.blocks if getattr(block, "name", "") == "caution"]
    assert len(cautions) <= 1
    found = find(result._scores)
    whole = {one.sentence for one in (*found.warnings, *(one for row in found.comparison for one in row.warnings))}
    for one in cautions:
        assert one.text.removeprefix("Caution: ") in whole
        assert "..." not in one.text


def test_a_warning_of_several_metrics_is_a_sentence_of_several():
    X, y = make_classification(120, random_state=0)
    models = {**PAIR, "one class": DummyClassifier()}
    result = PairedEvaluator(5, ["accuracy", "f1"], random_state=0).evaluate(models, X, y)
    said = [one.sentence for one in find(result._scores).warnings if one.code == Code.WEAK_METRIC.name]
    assert [one for one in said if "accuracy and f1 show the shares" in one]
    assert not [one for one in said if "and f1 shows" in one]


@pytest.mark.parametrize("design", [(1, 2), (1, 3), (1, 4), (2, 2), (3, 1)])  # of 3 and 4 folds errors were measured
def test_few_splits_are_said_by_the_result_the_gate_and_the_learning_curve(design, rng):
    repeats, folds = design
    X, y = make_classification(120, random_state=0)
    evaluator = PairedEvaluator(ShuffleSplit(repeats, random_state=0) if folds == 1 else f"{repeats}x{folds}", "f1")
    old, new = rng.permutation([*PAIR])
    result = evaluator.evaluate(PAIR, X, y)
    said, measured = f"Caution: {repeats * folds} splits hardly tell how much the scores vary.", folds > 2
    gate = not_worse(result, new, old, margin=rng.uniform(0.01, 0.9))
    for view in (result, gate, gate.to_markdown(), evaluator.learning_curve(PAIR, X, y, train_sizes=[20, 50])):
        assert (said in " ".join(str(view).split())) != measured
    assert ("TOO_LITTLE_DATA" in gate.to_json()) != measured


def test_two_runs_are_said_by_the_gate_too(rng):
    scores = {"model": ["a", "a", "b", "b"], "run": [0, 1, 0, 1], "score": rng.uniform(0.7, 0.8, 4)}
    gate = not_worse(from_runs(scores), "a", "b", margin=0.2)
    assert "Caution: 2 runs hardly tell" in str(gate)


@pytest.mark.parametrize("n_located", [1, 6])  # of many alike the rest is a number
def test_what_holds_on_some_data_sets_alone_is_no_caution_without_their_names(n_located):
    study = study_of({"seed": 5, "n_datasets": 9, "n_models": 2, "n_metrics": 1, "spread": 0.0, "flaw": ""})
    own = [Code.MISSING_SCORES("a score is missing.", ("accuracy",)).at(f"d{i}") for i in range(n_located)]
    study = StudyResult(_scores=study._scores, warnings=tuple(own))
    gate = not_worse(study, "m0", "m1", margin=0.2)
    assert own[0] in gate._warnings()
    assert own[0] in find(study._scores).warnings
    assert "Caution" not in f"{gate}{study}"


class _HasNoScores(GaussianNB):
    def predict_proba(self, X):
        return super().predict_proba(X) * np.nan


@pytest.mark.parametrize("n_models", [2, 3])
@pytest.mark.parametrize("n_datasets", [0, 7])
def test_a_metric_that_could_not_be_computed_weakens_no_claim_on_another(n_models, n_datasets):
    models = {"old": GaussianNB(), "new": _HasNoScores(), "third": DecisionTreeClassifier()}
    models = {name: models[name] for name in [*models][:n_models]}
    evaluator = PairedEvaluator(5, random_state=0)
    X, y = make_classification(120, random_state=0)
    data = {f"d{i}": (X[i:], y[i:]) for i in range(n_datasets)}
    with pytest.warns(UndefinedMetricWarning):
        result = evaluator.evaluate_datasets(models, data) if data else evaluator.evaluate(models, X, y)
    gate = not_worse(result, "new", "old", margin=0.2, metric="accuracy")
    told = [block.text for view in (result._document(), gate._document()) if (block := view.named("caution"))]
    assert not [text for text in told if "could not be computed" in text]
    assert "could not be computed" in " ".join(str(result.explain()).split())


@pytest.mark.parametrize("n_splits", [2, 3, 4])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_of_few_test_sets_in_time_order_no_repeats_are_advised(n_splits, rng):
    """Repeats of folds would train on what comes later."""
    X, y = make_classification(120, random_state=int(rng.integers(100)))
    grid = {"var_smoothing": [1e-9, float(rng.uniform(0.1, 1))]}
    search = GridSearchCV(GaussianNB(), grid, cv=TimeSeriesSplit(n_splits)).fit(X, y)
    result = PairedEvaluator(TimeSeriesSplit(n_splits), "accuracy", random_state=0).evaluate(PAIR, X, y)
    told = f"TOO_LITTLE_DATA: {n_splits} test sets hardly tell how much the scores vary. Take 5."
    assert all(told in row.warnings for row in result.intervals())
    assert told in SearchReport.from_search(search).warnings
    untested = PairedEvaluator(TimeSeriesSplit(n_splits), "average_precision", random_state=0).evaluate(PAIR, X, y)
    assert "10x10" not in f"{result.explain()}{untested.explain()}"


@pytest.mark.parametrize("loss", [True, False])
def test_a_metric_without_a_value_per_sample_is_sent_to_those_of_its_kind_of_target(loss, rng):
    X, y = rng.normal(size=(60, 2)), rng.normal(size=60)
    metric, models = "neg_median_absolute_error", {"ridge": Ridge(), "tree": DecisionTreeRegressor(max_depth=2)}
    if not loss:
        y, metric, models = np.arange(60) % 2, "average_precision", PAIR
    result = PairedEvaluator(TimeSeriesSplit(5), metric, random_state=0).evaluate(models, X, y)
    with pytest.raises(ValueError, match="no value per sample") as refused:
        result.test(metric=metric)
    named = re.findall(r"'(\w+)'", str(refused.value).split("these have one")[1])
    assert ("neg_mean_absolute_error" in named, "f1" in named) == (loss, not loss)
