"""One model is a result: its score with an interval in every view, and other models are added to it."""

from __future__ import annotations

import json
import pickle
import re
import subprocess
import sys
from importlib.resources import files

import jsonschema
import numpy as np
import pytest
import scipy.sparse
from click.testing import CliRunner
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.linear_model import Ridge
from sklearn.model_selection import GroupKFold, TimeSeriesSplit
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import skcompare as skc
from skcompare import RunOptions
from skcompare.cli import main as cli

CANCER = load_breast_cancer(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)
NAME = "m & <b>_1"


def scores_of(rng, n):
    return np.round(rng.uniform(0.6, 0.9, n), 3)


def labels(rng, n):
    y = rng.permutation(np.arange(n) % 2)
    return y, np.where(rng.random(n) < 0.8, y, 1 - y)


def predicted(rng):
    y, said = labels(rng, 80)
    return y, {NAME: said}


def in_columns(rng):
    y, said = labels(rng, 60)
    return {"sample_id": [*range(60)], "model": [NAME] * 60, "y_true": y, "prediction": said}


# ruff: noqa: ARG005 - every way is given random numbers
# From random numbers one model, by every way in.
WAYS = {
    "evaluate": lambda rng: skc.compare(
        {NAME: GaussianNB()}, *CANCER, cv="2x5", random_state=int(rng.integers(99)), scoring=["roc_auc", "accuracy"]
    ),
    "regression": lambda rng: skc.compare({NAME: Ridge()}, *DIABETES, cv=10, random_state=int(rng.integers(99))),
    "time order": lambda rng: skc.compare({NAME: Ridge()}, *DIABETES, cv=TimeSeriesSplit(5), scoring="r2"),
    "groups": lambda rng: skc.compare(
        {NAME: GaussianNB()}, *CANCER, cv=GroupKFold(5), groups=rng.integers(60, size=569), scoring="accuracy"
    ),
    "from_frame": lambda rng: skc.from_frame({"model": [NAME] * 9, "fold": [*range(9)], "score": scores_of(rng, 9)}),
    "from_predictions": lambda rng: skc.from_predictions(*predicted(rng), scoring="accuracy"),
    "samples in rows": lambda rng: skc.from_predictions(in_columns(rng), scoring="f1"),
    "from_outcomes": lambda rng: skc.from_outcomes({NAME: rng.random(50) < 0.7}),
    "outcomes that are numbers": lambda rng: skc.from_outcomes({NAME: scores_of(rng, 40)}, sample_id=[*range(40)]),
    "from_runs": lambda rng: skc.from_runs({"model": [NAME] * 6, "run": [*range(6)], "score": scores_of(rng, 6)}),
    "from_cross_validate": lambda rng: skc.from_cross_validate(
        skc.cross_validate({NAME: GaussianNB()}, *CANCER, return_indices=True), scoring="accuracy"
    ),
    "evaluate_datasets": lambda rng: skc.PairedEvaluator(cv=5, scoring="accuracy", random_state=0).evaluate_datasets(
        {NAME: GaussianNB()}, {"all": CANCER, "half": (CANCER[0][::2], CANCER[1][::2])}
    ),
    "runs of tasks": lambda rng: skc.from_runs(
        {"model": [NAME] * 6, "dataset": ["d", "e"] * 3, "run": [0, 0, 1, 1, 2, 2], "score": scores_of(rng, 6)}
    ),
}
STUDIES = ("evaluate_datasets", "runs of tasks")


@pytest.fixture(params=WAYS)
def one(request, rng):
    return request.param, WAYS[request.param](rng)


def test_the_first_line_is_the_score_with_its_interval(one):
    """Its numbers are those of the table of intervals."""
    way, result = one
    line = result.explain().named("answer").text
    assert line.startswith(f"{NAME}: ")
    assert len(line.split()) <= 30
    found = [float(number) for number in re.findall(r"-?\d+\.\d+(?!\d*%)", line.removeprefix(NAME))]
    if way in STUDIES:
        assert found[0] == pytest.approx(result.means(result.metrics[0]).mean(), abs=0.006)
        return
    [row] = result.intervals(result.metrics[0])
    assert "95% interval" in line
    assert len(found) == 3
    wanted = sorted(map(abs, (row.score, row.low, row.high)))
    np.testing.assert_allclose(sorted(map(abs, found)), wanted, rtol=0.02, atol=0.006)  # as they are rounded


@pytest.mark.sampled
def test_every_view_shows_one_model(one, tmp_path):
    way, result = one
    said = json.loads(result.to_json())
    kind = "study" if way in STUDIES else "result"
    schema = files("skcompare.reporting").joinpath(f"schemas/{kind}.schema.json").read_text(encoding="utf-8")
    jsonschema.validate(said, json.loads(schema))
    line, full = said["answer"]["line"], str(result.explain())
    assert line == result.explain().named("answer").text
    assert " ".join(full.split()).startswith(" ".join(line.split()))
    assert said["comparison"]["rows"] == []
    page = result.to_html()
    assert "lines join" not in page
    assert "m &amp; &lt;b&gt;_1: " in page
    assert "<b>_1" not in page
    for text in (result.to_markdown(), result.to_latex()):
        assert re.search(r"m (&amp;|\\&) ", text)
    methods = result.methods_text()
    assert methods.startswith("We evaluated one model")
    assert "Its mean score was" in methods
    assert "compar" not in methods.partition("@")[0].replace("compared with skcompare", "").replace("skcompare", "")
    result.save(tmp_path / "one.skc")
    assert str(skc.load(tmp_path / "one.skc")) == str(result)
    assert ("result.add(" in full) == (way in ("evaluate", "regression", "time order", "groups"))
    assert result.answer().models == (NAME,)
    assert " ".join(str(result.answer()).split()).startswith(result.explain().named("answer").text)
    assert "significant" not in full.partition("To run it again")[0]
    assert "every comparison" not in " ".join(full.split())
    if way not in STUDIES:
        assert result.to_frame()["estimator"].unique().tolist() == [NAME]


@pytest.mark.filterwarnings("ignore:roc_auc is left out")
def test_the_command_takes_one_model(tmp_path):
    model = ["--model", "nb=sklearn.naive_bayes:GaussianNB"]
    told = CliRunner().invoke(cli.command, ["compare", "--dataset", "iris", "--cv", "5", "--seed", "0", *model])
    assert told.exit_code == 0, told.output
    assert told.output.startswith("nb: accuracy 0.9")
    table = tmp_path / "said.csv"
    table.write_text("sample_id,y_true,nb\n" + "".join(f"{i},{i % 2},{i % 2 if i % 5 else 0}\n" for i in range(40)))
    told = CliRunner().invoke(cli.command, ["analyze", str(table)])
    assert told.exit_code == 0, told.output
    assert "\n\nnb: accuracy 0.900, 95% interval " in told.output


@pytest.mark.parametrize("test", ["error_rate_test", "fold_error_rate_test"])
def test_a_test_of_one_model_needs_no_other(test, rng):
    models, threshold = (
        {NAME: GaussianNB(), "other": DecisionTreeClassifier(max_depth=1)},
        float(rng.uniform(0.02, 0.3)),
    )
    of_two = skc.compare(models, *CANCER, cv=5, random_state=0, scoring="accuracy")
    alone = skc.compare({NAME: models[NAME]}, *CANCER, cv=5, random_state=0, scoring="accuracy")
    expected = of_two.test(test, a=NAME, threshold=threshold)
    assert alone.test(test, threshold=threshold).pvalue == expected.pvalue
    assert alone.test(test, a=NAME, threshold=threshold).pvalue == expected.pvalue


def test_a_baseline_is_another_model():
    result = skc.compare(GaussianNB(), *CANCER, cv=10, scoring="accuracy", baseline="dummy", random_state=0)
    assert result.estimators == ("gaussiannb", "dummy")
    assert result.compare()[0].winner == "gaussiannb"


# ---- another model, added later -------------------------------------------------------------------------------

MODELS = {"nb": GaussianNB(), "tree": DecisionTreeClassifier()}
ASKED = {
    "one metric": {"scoring": "accuracy", "cv": 10},
    "default metrics": {"cv": "2x5"},
    "a metric renamed, a cost": {"scoring": {"right": "accuracy", "size": "model_size"}, "cv": 5},
    "without predictions": {"cv": 5, "options": RunOptions(keep_predictions=False)},
    "a baseline": {"cv": 5, "baseline": "dummy"},
}


@pytest.mark.parametrize("name", ASKED)
@pytest.mark.parametrize("loaded", [False, True])
@pytest.mark.sampled
def test_a_model_that_is_added_was_as_good_as_there(name, loaded, tmp_path, global_random_seed):
    """The tree draws at random: it gets the seeds that it would have had."""
    asked = {**ASKED[name], "random_state": global_random_seed % 1000}
    one = skc.compare({"nb": MODELS["nb"]}, *CANCER, **asked)
    both = skc.compare(MODELS, *CANCER, **asked)
    if loaded:
        one.save(tmp_path / "one.skc")
        one = skc.load(tmp_path / "one.skc")
    added = one.add("tree", MODELS["tree"], *CANCER)
    assert set(added.estimators) == set(both.estimators)
    for model in both.estimators:
        for metric in both.metrics:
            np.testing.assert_array_equal(added.score(model, metric), both.score(model, metric))
    assert str(added) == str(both)
    assert "tree" not in one.estimators
    assert added.to_cross_validate("tree").keys() == both.to_cross_validate("tree").keys()
    three = added.add("stump", DecisionTreeClassifier(max_depth=1), *CANCER)
    assert len(three.estimators) == len(both.estimators) + 1


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "bsr"])
@pytest.mark.parametrize("dtype", [int, object])
def test_a_model_is_added_to_data_of_any_form_that_it_can_be_evaluated_on(form, dtype, rng):
    X = scipy.sparse.random_array((60, 4), density=0.5, rng=rng).asformat(form)
    y = np.arange(60).astype(dtype) % 2
    one = skc.compare({"nb": BernoulliNB()}, X, y, cv=3, random_state=0, scoring="accuracy")
    assert one.add("tree", DecisionTreeClassifier(), X, y).estimators == ("nb", "tree")
    with pytest.raises(ValueError, match="X must be the data of the result"):
        one.add("tree", DecisionTreeClassifier(), X * 2, y)


def test_one_model_can_be_merged():
    cv = skc.compare(GaussianNB(), *CANCER, cv=5, scoring="accuracy", random_state=0)
    other = skc.compare(DecisionTreeClassifier(random_state=0), *CANCER, cv=cv.splits(), scoring="accuracy")
    assert skc.merge(cv, other).estimators == ("gaussiannb", "decisiontreeclassifier")


@pytest.mark.parametrize("loaded", [False, True])
def test_a_model_is_fitted_again_on_all_of_the_data(loaded, tmp_path):
    model = DecisionTreeRegressor(max_depth=3, random_state=0)
    result = skc.compare({"tree": model, "ridge": Ridge()}, *DIABETES, cv=5, random_state=0)
    if loaded:
        result.save(tmp_path / "two.skc")
        result = skc.load(tmp_path / "two.skc")
    X, y = DIABETES
    np.testing.assert_array_equal(result.refit("tree", X, y).predict(X), model.fit(X, y).predict(X))
    weights = np.arange(len(y))
    weighted = result.refit("ridge", X, y, params={"sample_weight": weights})
    np.testing.assert_array_equal(weighted.coef_, Ridge().fit(X, y, sample_weight=weights).coef_)


@pytest.mark.parametrize("scoring", [None, "accuracy", ["roc_auc", "f1"]])
def test_compare_is_an_evaluator_for_one_call(scoring, global_random_seed):
    seed = global_random_seed % 1000
    at_once = skc.compare(MODELS, *CANCER, cv=5, scoring=scoring, random_state=seed, n_jobs=1)
    evaluator = skc.PairedEvaluator(cv=5, scoring=scoring, random_state=seed)
    assert str(at_once) == str(evaluator.evaluate(MODELS, *CANCER))


@pytest.mark.sampled
@pytest.mark.parametrize("way", ["pickled", "saved"])
def test_a_model_is_added_to_a_result_of_another_process(way, tmp_path):
    """Which knows of the evaluator only that it was imported, or that the file was loaded."""
    x, y = np.random.default_rng(0).normal(size=(40, 2)), np.arange(40) % 2
    result = skc.compare({"nb": GaussianNB()}, x, y, cv=3, scoring="accuracy", random_state=0)
    path = tmp_path / "result.skc"
    if way == "saved":
        result.save(path)
        read = f"skcompare.load({str(path)!r})"
    else:
        path.write_bytes(pickle.dumps(result))
        read = f"skcompare.PairedEvaluator and pickle.loads(open({str(path)!r}, 'rb').read())"
    code = (
        "import pickle, numpy as np, skcompare; from sklearn.dummy import DummyClassifier; "
        f"x, y = np.random.default_rng(0).normal(size=(40, 2)), np.arange(40) % 2; result = {read}; "
        "print(*result.add('most', DummyClassifier(), x, y).estimators)"
    )
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["nb", "most"]
