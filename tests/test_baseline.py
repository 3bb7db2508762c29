"""A baseline: who is not better than it is said in every view, and it is recommended nowhere."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from skcompare import EvaluationResult, PairedEvaluator, RunOptions, StopRule, StudyResult, load, merge

pytestmark = pytest.mark.sampled

CANCER = load_breast_cancer(return_X_y=True)
MODELS = {"nb": GaussianNB(), "stump": DecisionTreeClassifier(max_depth=1)}


def evaluate(models=MODELS, data=CANCER, **options):
    options = {"cv": 10, "scoring": "accuracy", "random_state": 0, "baseline": "dummy", **options}
    return PairedEvaluator(**options).evaluate(models, *data)


def of_scores(shifts, baseline, rng, n=10):
    """A result of models whose mean scores differ by just so much, with noise of their own."""
    noise = rng.normal(0, 0.01, (len(shifts), n))
    noise -= noise.mean(axis=1, keepdims=True)
    bare = evaluate(
        {"a": GaussianNB(), "b": GaussianNB()}, cv=n, baseline=None, options=RunOptions(keep_predictions=False)
    )
    scores = (0.5 + np.array([*shifts.values()])[:, None] + noise)[:, :, None]
    times = np.zeros(scores.shape[:2])
    changes = {"estimators": tuple(shifts), "scores": scores, "fit_times": times, "score_times": times.copy()}
    return replace(bare, **changes, baseline=baseline)


@pytest.fixture(scope="module")
def result():
    return evaluate()


def first_lines(result):
    """The answer as every view says it."""
    page = " ".join(result.to_html().split())
    return {
        "text": " ".join(result.summary().split("\n\n")[0].split()),
        "print": " ".join(str(result.answer()).split("\n\n")[0].split()),
        "JSON": json.loads(result.to_json())["answer"]["line"],
        "Markdown": " ".join(result.to_markdown().split()),
        "page": page.replace("&#39;", "'"),
        "notebook": result._repr_html_(),
    }


def test_no_view_cautions_against_models_that_are_better_than_guessing(result):
    assert not [view for view, text in first_lines(result).items() if "than guessing" in text]
    assert all("dummy" in str(view) for view in (result.summary(), result.to_markdown(), result.to_html()))
    assert result.answer().metrics[0].not_better == ()


def test_every_view_says_who_is_not_better():
    X, y = CANCER
    result = evaluate(data=(X, np.random.default_rng(0).permutation(y)))  # one draw in twenty would say otherwise
    said = "No model is significantly better than guessing."
    assert not [view for view, text in first_lines(result).items() if said not in text or "Use nb" in text]
    assert result.answer().metrics[0].not_better == ("nb", "stump")


@pytest.mark.parametrize(
    ("shifts", "not_better"),
    [
        ({"a": 0.3, "b": 0.1, "dummy": 0.0}, []),
        ({"a": 0.3, "b": 0.0, "dummy": 0.0}, ["b"]),
        ({"a": 0.0, "b": -0.3, "dummy": 0.0}, ["a", "b"]),
        ({"a": -0.2, "b": -0.3, "dummy": 0.0}, ["a", "b"]),
        ({"a": 0.3, "dummy": 0.0}, []),
        ({"a": -0.3, "dummy": 0.0}, ["a"]),
        ({"a": 0.3, "b": 0.2, "c": 0.1, "dummy": 0.0}, []),
        ({"a": 0.3, "b": -0.1, "c": 0.0, "dummy": 0.0}, ["b", "c"]),
        ({"old": 0.0, "a": 0.3, "b": -0.3}, ["b"]),
    ],
)
def test_what_is_said_of_the_models_and_the_baseline(shifts, not_better, rng):
    baseline = "old" if "old" in shifts else "dummy"
    what = "old" if baseline == "old" else "guessing"
    result = of_scores(shifts, baseline, rng)
    answer, models = result.answer(), [name for name in shifts if name != baseline]
    assert answer.metrics[0].not_better == tuple(not_better)
    for line in (str(answer).split("\n\n")[0], result.summary().split("\n\n")[0]):
        said = " ".join(line.split())
        assert f"Use {baseline}" not in said
        if not not_better:
            assert f"better than {what}" not in said
        elif not_better == models:
            assert f"No model is significantly better than {what}." in said
        else:
            assert f"Not significantly better than {what}: {' and '.join(not_better)}." in said
    beaten = all(shifts[name] < shifts[baseline] for name in models)
    assert answer.metrics[0].leader == (baseline if beaten else "a")


@pytest.mark.parametrize(("baseline", "what"), [("old", "old"), ("dummy", "guessing")])
def test_of_the_baseline_and_one_model_it_is_said_once_that_nothing_is_shown(baseline, what, rng):
    alike = of_scores({baseline: 0.0, "a": 0.001}, baseline, rng)
    start = f"No model is significantly better than {what}: a is 0.001"
    assert not [view for view, text in first_lines(alike).items() if start not in text or "No clear winner" in text]


@pytest.mark.parametrize(("baseline", "who"), [("old", "All 3 others"), ("dummy", "All 3 models")])
def test_a_baseline_that_is_a_model_is_one_of_those_that_may_be_first(baseline, who, rng):
    line = " ".join(of_scores(dict.fromkeys((baseline, *"abc"), 0.0), baseline, rng).summary().split())
    assert f"{who} may be first: " in line


@pytest.mark.parametrize("failed", ["old", "a"])
@pytest.mark.parametrize("others", [{"a": 0.3}, {"a": 0.3, "b": 0.1}])
def test_with_a_baseline_without_scores_nothing_can_be_compared(others, failed, rng):
    result = of_scores({"old": 0.3, **others}, "old", rng)
    scores = result.scores.copy()
    scores[result.estimators.index(failed)] = np.nan
    result = replace(result, scores=scores)
    apart = failed == "old" or len(others) == 1
    said = f"No model {'can be compared with' if apart else 'is significantly better than'} old."
    assert not [view for view, text in first_lines(result).items() if said not in text]
    scores = rng.random(10)[:, None] + np.arange(len(scores))[:, None, None]  # differences that do not vary
    still = replace(result, scores=scores)
    assert not [view for view, text in first_lines(still).items() if "can be compared with" in text]


def test_that_the_dummy_predicts_one_class_is_no_warning(result):
    assert "WEAK_METRIC" not in str(result.explain())
    assert "dummy predicted one value" not in " ".join(str(result.explain()).split())
    alone = evaluate({"nb": GaussianNB(), "constant": DummyClassifier()}, baseline=None)
    assert "WEAK_METRIC: 'constant' predicts class 1 everywhere" in " ".join(str(alone.explain()).split())
    assert "constant predicted one value for all samples on 10 of 10 splits" in " ".join(str(alone.explain()).split())


def test_it_is_one_of_the_pairs_of_one_family(result):
    rows = result.compare()
    assert rows.n_hypotheses == 3
    assert {(row.a, row.b) for row in rows} == {("nb", "stump"), ("nb", "dummy"), ("stump", "dummy")}
    assert len(result.compare(baseline="dummy")) == 2


def test_the_dummy_is_that_of_the_task():
    models = {"ridge": Ridge(), "tree": DecisionTreeRegressor(max_depth=2)}
    of_numbers = evaluate(models, load_diabetes(return_X_y=True), scoring="r2")
    own = evaluate({**models, "mean": DummyRegressor()}, load_diabetes(return_X_y=True), scoring="r2", baseline=None)
    np.testing.assert_array_equal(of_numbers.score("dummy", "r2"), own.score("mean", "r2"))
    prior = evaluate({**MODELS, "prior": DummyClassifier()}, scoring=["accuracy", "roc_auc"], baseline=None)
    added = evaluate(scoring=["accuracy", "roc_auc"])
    np.testing.assert_array_equal(added.scores, prior.scores)


def test_one_model_is_enough():
    assert evaluate({"nb": GaussianNB()}).estimators == ("nb", "dummy")


def test_the_picture_of_scores_has_its_line(result):
    drawn = result.plot("scores")
    (line,) = [line for line in drawn.ax_.lines if line.get_gid() == "baseline"]
    assert line.get_xdata()[0] == pytest.approx(result.score("dummy", "accuracy").mean())
    assert not [one for one in replace(result, baseline=None).plot("scores").ax_.lines if one.get_gid() == "baseline"]


def test_it_is_saved_and_merged(result, tmp_path):
    result.save(tmp_path / "x.skc")
    again = load(tmp_path / "x.skc")
    assert again.details.baseline == "dummy"
    assert again.summary() == result.summary()
    more = evaluate({"tree": DecisionTreeClassifier(max_depth=2), "deep": DecisionTreeClassifier()}, baseline=None)
    assert isinstance(merged := merge(result, more), EvaluationResult)
    assert merged.details.baseline == "dummy"


def test_a_study_has_that_of_its_data_sets():
    datasets = {f"part {i}": (CANCER[0][i::3], CANCER[1][i::3]) for i in range(3)}
    evaluator = PairedEvaluator(cv=3, scoring="accuracy", random_state=0, baseline="dummy")
    study = evaluator.evaluate_datasets(MODELS, datasets)
    assert study.baseline == study.answer().baseline == "dummy"
    assert study.estimators == ("nb", "stump", "dummy")


def test_that_guessing_is_worse_does_not_make_the_models_unequal(rng):
    """Friedman's test of a study finds the dummy, and the first line would speak of the models."""
    lead = ({"a": 0.3, "b": 0.2, "c": 0.1}, {"b": 0.3, "c": 0.2, "a": 0.1}, {"c": 0.3, "a": 0.2, "b": 0.1})
    shifts = [{name: own[name] for name in "abc"} | {"dummy": 0.0} for own in (*lead, *lead[:2])]
    results = {f"d{i}": of_scores(own, "dummy", rng) for i, own in enumerate(shifts)}
    study = StudyResult.from_results(results)
    assert study.test("friedman").pvalue < 0.05
    assert np.isnan(study.answer().metrics[0].omnibus)
    views = first_lines(study)
    assert views["text"].startswith("Too little data for a ")
    assert not [view for view, text in views.items() if "Not all are equal" in text]
    for text in (str(study.rank()), study.summary("full"), views["page"]):
        assert "That all, dummy included, are equal is rejected" in " ".join(text.split())
    bare = StudyResult.from_results({name: replace(result, baseline=None) for name, result in results.items()})
    assert "Not all are equal (Friedman test)" in first_lines(bare)["text"]
    assert "That all are equal is rejected" in " ".join(str(bare.rank()).split())


def test_latex_says_who_is_not_better_than_it():
    said = "Not significantly better than guessing: constant."
    constant = evaluate({"nb": GaussianNB(), "constant": DummyClassifier()})
    assert said in " ".join(constant.to_latex().split())
    assert "guessing" not in evaluate(baseline=None).to_latex()


@pytest.mark.parametrize(("entry", "baseline"), [('"dummy"', "dummy"), ('"stump"', "stump"), ("", None)])
def test_a_study_file_may_name_it(entry, baseline, tmp_path, run):
    config = tmp_path / "study.toml"
    line = f"baseline = {entry}\n" if entry else ""
    config.write_text(
        f'cv = 3\nscoring = ["accuracy"]\n{line}[models]\nnb = "sklearn.naive_bayes:GaussianNB"\n'
        'stump = "sklearn.tree:DecisionTreeClassifier(max_depth=1)"\n[datasets]\niris = "iris"\nwine = "wine"\n'
    )
    status, _, err = run("study", config, "--out", tmp_path / "study.skc")
    assert status == 0, err
    assert load(tmp_path / "study.skc").baseline == baseline


@pytest.mark.parametrize("entry", ['"other"', "1", "true"])
def test_a_study_file_with_another_baseline_is_refused(entry, tmp_path, run):
    config = tmp_path / "study.toml"
    config.write_text(
        f'baseline = {entry}\n[models]\nnb = "sklearn.naive_bayes:GaussianNB"\n[datasets]\niris = "iris"\n'
    )
    status, _, err = run("study", config)
    assert status == 2
    assert "baseline must be one of 'nb', 'dummy'; got" in " ".join(err.split())


def test_looks_and_a_baseline():
    constant = evaluate({"nb": GaussianNB(), "constant": DummyClassifier()}, cv="5x4", stop=StopRule(5))
    assert "Not significantly better than guessing: constant." in " ".join(constant.summary().split())
