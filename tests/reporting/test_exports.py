"""What leaves a result or a study as a string: tables in LaTeX and Markdown, and JSON with its schema."""

from __future__ import annotations

import copy
import doctest
import json
import re
import shutil
import subprocess
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification, make_regression
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcompare import PairedEvaluator, StudyResult, from_frame
from skcompare.reporting.latex import escape
from tests.made_results import results
from tests.shown_tables import assert_latex_balances, grids, in_latex, in_markdown, plain_of_latex, raw_cells

pytestmark = pytest.mark.sampled

X, Y = make_classification(90, random_state=0)
MODELS = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2), "blind": DummyClassifier()}
HOSTILE = [
    "<script>alert(1)</script>",
    r"\end{table}50%&$y_1$#~^\input",
    "a|b **c** `d` [e](http://f) @g",
    "†±",
]


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


def evaluate(models=MODELS, data=(X, Y), **options):
    options = {"cv": 5, "scoring": ["accuracy", "recall", "roc_auc"], **options}
    return PairedEvaluator(random_state=0, **options).evaluate(models, *data)


def table(scores, metric="score", greater_is_better=True):
    """A result from scores of shape (n_models, n_splits)."""
    models, splits = scores.shape
    columns = {
        "model": np.repeat([f"m{i}" for i in range(models)], splits),
        "fold": np.tile(np.arange(splits), models),
        "metric": [metric] * scores.size,
        "score": scores.ravel(),
    }
    return from_frame(columns, greater_is_better=greater_is_better)


def costs():
    return evaluate(scoring=["accuracy", "fit_time", "model_size"])


def failures():
    with pytest.warns(FitFailedWarning):
        return evaluate({**MODELS, "some": FailsOnSome()}, scoring=["accuracy", "recall"], error_score=np.nan)


def regression():
    data = make_regression(60, 4, noise=10, random_state=0)
    return evaluate({"lin": LinearRegression(), "ridge": Ridge()}, data=data, scoring=None)


def one_split():
    return evaluate(cv=[(np.arange(45), np.arange(45, 90))], scoring="accuracy")


def without_sizes():
    return table(np.random.default_rng(0).normal(size=(3, 5)))


def thirty():
    return table(np.random.default_rng(0).normal(size=(30, 5)))


def unscored():
    scores = evaluate(scoring=["accuracy", "recall"]).scores.copy()
    scores[:, :, 1] = np.nan
    scores[0, 0, 0] = np.nan
    return replace(evaluate(scoring=["accuracy", "recall"]), scores=scores)


def hostile():
    models = {name: LogisticRegression(C=10.0**-i) for i, name in enumerate(HOSTILE)}
    return evaluate(models, scoring={HOSTILE[1]: "accuracy", HOSTILE[2]: "recall"}, cv=3)


RESULTS = {
    make.__name__: make
    for make in (evaluate, costs, failures, regression, one_split, without_sizes, thirty, unscored, hostile)
}


def study():
    data = {f"d{i}": make_classification(60, random_state=i) for i in range(4)}
    return PairedEvaluator(random_state=0, cv=3, scoring=["accuracy", "fit_time"]).evaluate_datasets(MODELS, data)


def study_of_two():
    return StudyResult.from_frame({"dataset": ["d", "e", "f"], "a": [0.9, 0.8, 0.7], "b": [0.8, 0.8, 0.6]})


def study_with_gaps():
    rows = {"dataset": list("ddeeffgg"), "model": ["a", "b"] * 4, "score": [1.0, 2.0, 1.5, 2.5, 1.0, 3.0, np.nan, 1.0]}
    return StudyResult.from_frame(rows, missing="keep")


def hostile_study():
    scores = np.random.default_rng(0).normal(size=(len(HOSTILE), 5))
    names = {name: scores[i] for i, name in enumerate(HOSTILE)}
    return StudyResult.from_frame({"dataset": [*HOSTILE, "e"], **names})


STUDIES = {make.__name__: make for make in (study, study_of_two, study_with_gaps, hostile_study)}


@pytest.fixture(scope="module")
def made():
    """Results and studies by name, each made once."""
    known = {}

    def get(name):
        if name not in known:
            known[name] = (RESULTS | STUDIES)[name]()
        return known[name]

    return get


def schema_of(kind):
    return json.loads(files("skcompare.reporting").joinpath(f"schemas/{kind}.schema.json").read_text(encoding="utf-8"))


def strict(text):
    def refuse(constant):
        raise AssertionError(f"{constant} is not JSON")

    return json.loads(text, parse_constant=refuse)


# ---- JSON -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*RESULTS, *STUDIES])
def test_json_is_strict_and_fits_the_schema(made, name):
    kind = "study" if name in STUDIES else "result"
    document = strict(made(name).to_json())
    assert document["kind"] == kind
    jsonschema.Draft202012Validator(schema_of(kind)).validate(document)


@pytest.mark.parametrize("kind", ["result", "study"])
def test_the_schemas_are_schemas_and_close_every_object(kind):
    schema = schema_of(kind)
    jsonschema.Draft202012Validator.check_schema(schema)

    def walk(node):
        if isinstance(node, dict):
            if "properties" in node:
                assert node["additionalProperties"] is False
                assert set(node["required"]) == set(node["properties"])
            for part in node.values():
                walk(part)
        if isinstance(node, list):
            for part in node:
                walk(part)

    walk(schema)


def objects(node, path=()):
    """Every object of a document, with the way to it."""
    if isinstance(node, dict):
        yield path
    for key, part in node.items() if isinstance(node, dict) else enumerate(node):
        if isinstance(part, (dict, list)):
            yield from objects(part, (*path, key))


@pytest.mark.parametrize("name", ["costs", "failures", "study"])
def test_a_document_with_a_field_too_many_or_too_few_does_not_fit(made, name):
    document = strict(made(name).to_json())
    validator = jsonschema.Draft202012Validator(schema_of(document["kind"]))
    free = {("provenance", "estimators"), ("provenance", "versions"), ("error_rates", "by_metric")}
    for path in set(objects(document)) - free:
        changed = copy.deepcopy(document)
        node = changed
        for key in path:
            node = node[key]
        node["surplus"] = None
        assert not validator.is_valid(changed), path
        del node["surplus"]
        node.popitem()
        assert not validator.is_valid(changed), path


def test_json_tells_the_scores_and_the_tests_of_a_result(made):
    result = made("failures")
    document = strict(result.to_json())
    scores = np.array(document["scores"], dtype=np.float64)  # null becomes nan
    np.testing.assert_array_equal(scores, result.scores)
    assert np.isnan(scores).any()
    assert [metric["name"] for metric in document["metrics"]] == list(result.metrics)
    assert document["design"]["split_hash"] == result.design.split_hash
    assert document["provenance"]["random_state"] == 0
    assert [failure["estimator"] for failure in document["failures"]] == ["some"]
    for row, shown in zip(result.compare(), document["comparison"]["rows"], strict=True):
        assert (shown["a"], shown["b"], shown["metric"]) == (row.a, row.b, row.metric)
        assert (shown["pvalue"], shown["pvalue_adjusted"]) == (row.pvalue, row.pvalue_adjusted)
    for pair, shown in zip(result.dominance("table"), document["joint"], strict=True):
        assert shown["statement"] == (None if pair.statement is None else list(pair.statement))
    for family, shown in zip(result.compare().families, document["comparison"]["families"], strict=True):
        assert (shown["name"], shown["n"], shown["level"]) == (family.name, family.n, family.level)
        assert shown["metrics"] == list(family.metrics)
    keys = {citation["key"] for citation in document["citations"]}
    assert keys >= {key for procedure in document["procedures"] for key in procedure["references"]}


@pytest.mark.parametrize("name", [*RESULTS, *STUDIES])
def test_the_answer_and_the_grid_of_json_are_those_that_are_printed(made, name):
    document, shown = strict(made(name).to_json()), made(name).explain()
    grid = shown.named("metrics") or shown.named("models")
    assert document["answer"]["line"] == shown.named("answer").text
    for column, known in zip(document["grid"]["columns"], grid.columns, strict=True):
        assert (column["name"], column["head"], column["cells"]) == (known.name, known.head, list(known.cells))
        assert len(column["values"]) == grid.n_rows
        assert len(column["marks"]) in (0, grid.n_rows)


def agrees_with_itself(document):
    """Outcome, adjusted p-value and interval of every row say the same, and intervals have the level of the family."""
    found = document["comparison"]
    sequential = document["answer"]["sequential"]  # looks decided, each at a level of its own
    levels = {metric: family["level"] for family in found["families"] for metric in family["metrics"]}
    for row in found["rows"]:
        significant = row["winner"] is not None
        assert significant == (row["outcome"] in ("better", "worse"))
        assert sequential or significant == (
            row["pvalue_adjusted"] is not None and row["pvalue_adjusted"] < found["alpha"]
        )
        assert significant or not (row["open_at_null"] or row["fragile"])
        if not sequential and row["low"] is not None and row["high"] is not None:
            assert row["confidence_level"] == levels[row["metric"]]
            assert significant == (row["low"] > 0 or row["high"] < 0 or row["open_at_null"])


@pytest.mark.parametrize("name", [*RESULTS, *STUDIES])
def test_a_row_of_json_says_one_thing(made, name):
    agrees_with_itself(strict(made(name).to_json()))


@given(result=results())
@settings(max_examples=25, deadline=None)
def test_whatever_the_result_its_json_fits_the_schema_and_says_one_thing(result):
    document = strict(result.to_json())
    jsonschema.Draft202012Validator(schema_of(document["kind"])).validate(document)
    assert document["answer"]["line"] == result.explain().named("answer").text
    agrees_with_itself(document)


@pytest.mark.parametrize("name", ["failures", "unscored", "study_with_gaps"])
def test_a_warning_of_json_is_said_in_its_parts(made, name):
    document = strict(made(name).to_json())
    known = made(name).explain().named("warnings")
    said = [
        f"{one['code']} ({one['where']}): {one['sentence']}" if one["where"] else f"{one['code']}: {one['sentence']}"
        for one in document["warnings"]
    ]
    assert said == list(known.texts)


def test_json_tells_the_scores_of_every_data_set_of_a_study(made):
    document = strict(made("study").to_json())
    for i, dataset in enumerate(document["datasets"]):
        assert dataset["name"] == made("study").datasets[i]
        np.testing.assert_array_equal(np.array(dataset["scores"]), made("study").scores[i])
    means = [metric["means"] for metric in document["metrics"]]
    np.testing.assert_allclose(means, [made("study").means(m).mean(axis=0) for m in made("study").metrics])


@pytest.mark.parametrize("name", ["costs", "study"])
def test_json_leaves_many_scores_to_other_files(monkeypatch, made, name):
    """Scores are the only part that grows with the data: exactly as many as may be are there, one more is not."""
    size = made(name)._scores.scores.size
    for most, there in ((size, True), (size - 1, False)):
        monkeypatch.setattr("skcompare.reporting.json.MOST_SCORES", most)
        document = strict(made(name).to_json())
        jsonschema.Draft202012Validator(schema_of(document["kind"])).validate(document)
        parts = document.get("datasets", [document])
        assert [part["scores"] is not None for part in parts] == [there] * len(parts)


def test_json_tells_the_fits_that_failed_inside_the_data_sets_of_a_study():
    data = dict.fromkeys("de", (X, Y))
    with pytest.warns(FitFailedWarning):
        made = PairedEvaluator(random_state=0, cv=5, scoring="accuracy", error_score=0.0).evaluate_datasets(
            {**MODELS, "some": FailsOnSome()}, data
        )
    document = strict(made.to_json())
    jsonschema.Draft202012Validator(schema_of("study")).validate(document)
    assert document["failures"] == []
    for dataset in document["datasets"]:
        (failure,) = dataset["failures"]
        (known,) = made.results[dataset["name"]].failures
        assert (failure["estimator"], failure["split"], failure["metric"]) == ("some", known.split, None)


@pytest.mark.parametrize("name", ["costs", "study", "study_with_gaps"])
def test_json_is_the_same_every_time(made, name):
    assert made(name).to_json() == made(name).to_json()


# ---- tables ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["evaluate", "costs", "study", "failures", "regression", "hostile", "hostile_study"])
def test_marks_are_the_adjusted_p_values_of_all_pairs(made, name):
    """A star is a model that is significantly worse than the first one, a plus one that is better."""
    result = made(name)
    if len(result.estimators) == 2:
        return
    (table,) = grids(result.explain(), "models")
    columns = {column.name: column for column in table.columns}
    names = columns["model"].values
    assert result.answer().metrics[0].leader in (None, names[0])
    for metric in result.metrics:
        rows = [
            row for row in result.compare(metrics=metric) if names[0] in (row.a, row.b) and row.pvalue_adjusted < 0.05
        ]
        for sign, won in (("*", True), ("+", False)):
            wanted = {row.a if row.b == names[0] else row.b for row in rows if (row.winner == names[0]) == won}
            assert {name for name, cell in zip(names, columns[metric].cells, strict=True) if sign in cell} == wanted


def wide_apart(greater_is_better=True):
    """Three models, the last two far better than the first."""
    noise = np.array([[0.0, 1, 2, 3, 4], [1, 0, 3, 2, 4], [1, 0, 3, 2, 4]]) / 1000
    scores = np.array([[0.5], [0.9], [0.9 + 1e-7]]) + noise
    return table(scores if greater_is_better else 2 - scores, greater_is_better=greater_is_better)


@pytest.mark.parametrize("greater_is_better", [True, False])
def test_a_mark_is_in_every_table_and_in_the_legend(greater_is_better):
    result = wide_apart(greater_is_better)
    for view in (in_markdown(result.to_markdown()), in_latex(result.to_latex())):
        marked = {row[0]: row[1].endswith("*") for row in next(view)[1:]}
        assert marked == {"m0": True, "m1": False, "m2": False}
    for text in (result.to_markdown().replace("\\", ""), result.to_latex().replace("{*}", "*")):
        assert "* significantly worse than m2" in text
        assert ("Less is better for score" in text) == (not greater_is_better)


def test_a_difference_that_falls_to_the_other_comparisons_is_not_marked():
    first = 0.8085 + np.linspace(-0.01, 0.01, 10)
    rows = [
        (model, f"m{i}", fold, first[fold] if (model, i) == ("a", 1) else 0.8 if model != "c" else 0.79 + fold / 1000)
        for model in "abc"
        for i in range(8)
        for fold in range(10)
    ]
    columns = zip(("model", "metric", "fold", "score"), map(list, zip(*rows, strict=True)), strict=True)
    result = from_frame(dict(columns))
    (row,) = [row for row in result.compare() if (row.a, row.b, row.metric) == ("a", "b", "m1")]
    assert row.pvalue < 0.05 < row.pvalue_adjusted  # of the metrics beside the first
    names, shown = (
        next(c for c in grids(result.explain(), "models")[0].columns if c.name == of) for of in ("model", "m1")
    )
    cells = dict(zip(names.cells, shown.cells, strict=True))
    assert "*" not in cells["b"] + cells["a"]


def test_the_leader_is_who_wins_the_test_not_who_has_the_best_mean_rank():
    # B is a hair below A on 22 of 40 data sets and far above on the others; C is far below both
    gain = np.r_[-0.001 * np.arange(1, 23) / 22, 0.1 * (1 + np.arange(18) / 18)]
    base = np.full(40, 0.8)
    made = StudyResult.from_frame(
        {"dataset": [f"d{i}" for i in range(40)], "A": base, "B": base + gain, "C": base - 0.3}
    )
    assert made.answer().metrics[0].leader == made.compare()[0].winner == "B"
    assert made.to_markdown().startswith("**Use B: ")
    for view in (in_markdown(made.to_markdown()), in_latex(made.to_latex())):
        assert {row[0]: row[2].endswith("*") for row in next(view)[1:]} == {"A": True, "B": False, "C": True}


def with_gaps():
    """Three models on 10 folds, the last one on 2 of them only, where the first leads the second by a little."""
    noise = np.linspace(-0.001, 0.001, 10)
    scores = np.array([0.7 + noise, 0.9 + noise[::-1], 0.5 + noise])
    scores[0, :2] += 0.21
    scores[2, 2:] = np.nan
    return replace(table(np.nan_to_num(scores)), scores=scores[:, :, np.newaxis])


def test_where_scores_are_missing_the_caption_says_over_what_the_means_are(made):
    result = with_gaps()
    assert result.answer().metrics[0].leader == result.compare()[0].winner == "m1"
    marked = {row[0]: "*" in row[1] for row in next(in_markdown(result.to_markdown()))[1:]}
    assert marked == {"m0": True, "m1": False, "m2": True}
    for text in (result.to_markdown(), result.to_latex(), " ".join(result.summary().split())):
        assert "Means are over the 2 of 10 splits with all scores." in text
    assert "Means are over" not in made("evaluate").to_markdown()
    apart = np.full((2, 4, 1), np.nan)
    apart[0, :2], apart[1, 2:] = 0.5, 0.6
    text = replace(table(np.zeros((2, 4))), scores=apart).to_markdown()
    assert "Means are over each model's own splits." in text
    scores = np.array([result.scores[:, :, 0], [np.linspace(0.4, 0.5, 10)] * 3, [[np.nan] * 10] * 3])
    names = {"metrics": ("accuracy", "recall", "f1"), "greater_is_better": (True,) * 3, "single_metric": False}
    mixed = replace(result, scores=np.moveaxis(scores, 0, 2), **names).to_markdown()
    assert "Means of accuracy are over the 2 of 10 splits with all scores." in mixed
    assert mixed.count("Means") == 1


def test_a_study_shows_mean_ranks(made):
    ranks = dict(zip(MODELS, made("study").rank().mean_ranks, strict=True))
    shown = {row[0]: float(row[1]) for row in next(in_markdown(made("study").to_markdown()))[1:]}
    assert shown == pytest.approx(ranks, abs=0.0051)


def test_the_caption_names_the_data_and_what_the_intervals_hold_for(made):
    text = made("evaluate").to_latex().split("\n\n")[0]
    for words in ("90 samples", "5-fold", "95\\% for all 3 together", "K-fold t test"):
        assert words in text
    assert "4 data sets" in made("study").to_latex()
    assert "Signed-rank test" in made("study").to_latex()


@pytest.mark.parametrize("n", [10, 11, 30])
def test_many_pairs_are_left_to_the_comparison(n):
    result = table(np.random.default_rng(0).normal(size=(n, 5)))
    pairs = len(result.compare())
    assert result.to_latex().count(r"\begin{table}") == (2 if pairs <= 45 else 1)
    for read in (in_markdown(result.compare().to_markdown()), in_latex(result.compare().to_latex())):
        assert len(next(read)) == pairs + 1
    assert (r"\begin{longtable}" in result.compare().to_latex()) == (pairs > 45)


def test_a_comparison_shows_its_alternative(made):
    comparison = made("evaluate").compare(alternative="greater", margin=0.01, metrics="accuracy", correction="hommel")
    for text in (comparison.to_latex(), comparison.to_markdown()):
        assert "Hommel" in text
        assert "over 3 comparisons" in text
    assert r"\infty" not in comparison.to_latex()
    assert any(
        f"{word} $" in comparison.to_latex() or f"{word} +" in comparison.to_markdown() for word in ("from", "above")
    )


# ---- LaTeX and Markdown as languages --------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*RESULTS, *STUDIES])
def test_latex_is_well_formed(made, name):
    for text in (made(name).to_latex(), made(name).compare().to_latex()):
        assert_latex_balances(text)
        for columns, body in re.findall(r"\\begin{(?:tabular|longtable)}{([lr]+)}(.*?)\\end{", text, re.DOTALL):
            for line in body.splitlines():
                if line.endswith(r"\\") and not line.startswith(r"\caption"):
                    assert len(re.findall(r"(?<!\\)&", line)) + 1 == len(columns)


def test_every_panel_of_a_wide_latex_table_names_both_models(rng):
    names = [f"{way} of trees with fifty leaves and a depth of eight" for way in ("a forest", "boosting", "bagging")]
    scores = rng.normal(0.8, 0.02, 30)
    table = {"model": np.repeat(names, 10), "fold": np.tile(np.arange(10), 3), "score": scores}
    text = from_frame(table).to_latex()
    heads = re.findall(r"\\toprule\n(.*)", text.split(r"\begin{table}")[-1])
    assert len(heads) > 1
    assert [head for head in heads if not head.startswith("a & b & ")] == []


def test_every_panel_of_a_wide_latex_table_of_several_metrics_names_them(rng):
    """The metric was left out, and the second model stood there twice."""
    for n_metrics in (2, 3, 5):
        metrics = [f"metric {i}" for i in range(n_metrics)]
        model, dataset, metric = np.indices((2, 12, n_metrics)).reshape(3, -1)
        names = np.array(["random forest of trees", "logistic regression"])
        frame = {"model": names[model], "dataset": dataset.astype(str), "metric": np.array(metrics)[metric]}
        study = StudyResult.from_frame({**frame, "score": rng.normal(0.8, 0.02, model.size)})
        text = study.compare(margin=0.01).to_latex()
        heads = re.findall(r"\\toprule\n(.*)", text)
        assert len(heads) > 1
        assert [head for head in heads if not head.startswith("metric & a & b & ")] == []
        assert all(text.count(f"\n{name} & ") == len(heads) for name in metrics)


SAFE = r"\\(text[a-z]+|char34)\{\}|\\[&%$#_{}]|\{[\[\]*]\}"


@pytest.mark.parametrize("name", ["hostile", "hostile_study"])
def test_hostile_names_stay_text_in_latex(made, name):
    text = made(name).to_latex()
    assert r"\input" not in text
    assert text.count(r"\end{table}") == text.count(r"\begin{table}")
    assert {row[0] for row in next(in_latex(text))[1:]} == {*HOSTILE}
    bodies = re.findall(r"\\midrule(.*?)\\bottomrule", text, re.DOTALL)
    for shown in (line.split(" & ")[0] for body in bodies for line in body.strip().splitlines()):
        assert not set(re.sub(SAFE, "", shown)) & set("\\{}&%$#_^~<>[]*|`'\"")


@pytest.mark.parametrize("name", ["a--b---c", "`x' ``y''", "?`!`", '<<"q">>', "p|q,,r", "--- ---"])
def test_characters_are_not_joined_in_latex(name):
    shown = escape(name)
    assert plain_of_latex(shown) == name
    assert not re.search(r"--|,,|[`'\"|<>]", shown)


def many(names, metrics):
    rows = [(name, metric, fold) for name in names for metric in metrics for fold in range(5)]
    model, metric, fold = map(list, zip(*rows, strict=True))
    scores = np.random.default_rng(0).normal(0.8, 0.05, len(rows))
    return from_frame({"model": model, "metric": metric, "fold": fold, "score": scores}, greater_is_better=True)


LONG = [f"StandardScaler_PCA_GradientBoostingClassifier_{i}".ljust(80, "x") for i in range(30)]
METRICS = [f"metric_{i}" for i in range(10)]
WIDE = {
    "ten by ten": ([f"model{i}" for i in range(10)], METRICS),
    "thirty by ten": ([f"KNeighborsClassifier_{i}" for i in range(30)], METRICS),
    "sixty": ([f"model{i}" for i in range(60)], METRICS[:2]),
    "long models": (LONG[:4], METRICS[:3]),
    "long models on one metric": (LONG[:10], METRICS[:1]),
    "long metrics": (["nb", "tree"], LONG[:10]),
    "all long": (LONG, LONG[:10]),
    "many metrics": (["nb", "tree"], [f"metric{i}" for i in range(40)]),
    "usual": (["LogisticRegression", "RandomForestClassifier", "HistGradientBoosting"], METRICS[:5]),
}


@pytest.mark.parametrize("case", WIDE)
def test_no_column_is_lost_where_names_are_long_and_rows_left_out_are_counted(case):
    names, metrics = WIDE[case]
    text = many(names, metrics).to_latex()
    shown = next(in_latex(text))
    if len(names) == 2:
        assert [row[0] for row in shown[1:]] == metrics
    else:
        assert [{*row} >= {*metrics} for row in shown[:1]] == [True]
        left_out = re.search(r"(\d+) more models?: result\.compare", text)
        assert len(shown[1:]) + (int(left_out[1]) if left_out else 0) == len(names)
        assert len(shown[1:]) >= 3


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
@pytest.mark.parametrize("encoding", ["OT1", "T1"])
@pytest.mark.parametrize("case", [*WIDE, "hostile", "study", "rope"])
def test_tables_fit_the_page(made, tmp_path, case, encoding):
    names, metrics = WIDE.get(case, WIDE["usual"])
    result = made(case) if case in ("hostile", "study") else many(names, metrics)
    text = result.to_latex() + "\n\n" + result.compare(margin=0.01 if case == "rope" else None).to_latex()
    head = rf"\documentclass{{article}}\usepackage[{encoding}]{{fontenc}}\usepackage{{booktabs,longtable}}"
    (tmp_path / "t.tex").write_text(head + "\n\\begin{document}\n" + text + "\n\\end{document}\n", encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False, timeout=60)
    log = (tmp_path / "t.log").read_text(encoding="utf-8", errors="replace")
    assert run.returncode == 0, log[-2000:]
    assert not re.findall(r"Overfull .*|.*too large for page.*|Missing character.*", log)


@pytest.mark.parametrize("name", ["hostile", "hostile_study"])
def test_hostile_names_stay_text_in_markdown(made, name):
    text = made(name).to_markdown()
    assert "<script" not in re.sub(r"\\[!-/:-@[-`{-~]", "", text)
    assert {row[0] for row in next(in_markdown(text))[1:]} == {*HOSTILE}
    for line in text.splitlines():
        if line.startswith("|") and "---" not in line:
            assert not set(re.sub(r"\\[!-/:-@[-`{-~]", "", raw_cells(line)[0])) & set("`*_[]<>|~#$@")


# ---- frames ---------------------------------------------------------------------------------------------------


def test_everything_that_is_a_table_is_a_frame(made):
    result, several = made("costs"), made("study")
    assert len(result.to_frame()) == result.scores.size
    assert len(several.to_frame()) == several.scores.size
    assert len(result.compare().to_frame()) == 9
    assert len(result.dominance("table").to_frame()) == 3
    assert list(several.rank().to_frame()["name"]) == sorted(
        MODELS, key=lambda name: several.rank().mean_ranks[list(MODELS).index(name)]
    )


def test_the_page_on_json_is_true():
    page = Path(__file__).parents[2] / "docs" / "json.md"
    outcome = doctest.testfile(str(page), module_relative=False)
    assert outcome.attempted > 0
    assert outcome.failed == 0


def test_of_models_that_share_the_best_mean_the_one_leads_that_is_better_than_more():
    low = np.tile([0.4375, 0.453125], 10) - 0.0078125
    noisy, steady = np.array([0.25, 0.75] * 10), np.full(20, 0.5)
    table = {"model": np.repeat(["noisy", "steady", "low"], 20), "fold": [*range(20)] * 3}
    result = from_frame({**table, "score": np.concatenate([noisy, steady, low])})
    assert {(row.a, row.b): row.winner for row in result.compare()}["steady", "low"] == "steady"
    (first,) = result.answer().metrics
    assert (first.leader, first.worse) == ("steady", ("low",))
    marked = {row[0]: row[1].endswith("*") for row in next(in_markdown(result.to_markdown()))[1:]}
    assert marked == {"steady": False, "noisy": False, "low": True}
