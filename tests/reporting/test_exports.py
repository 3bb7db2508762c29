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
from skcompare.reporting.latex import MAX_PAIR_ROWS, escape
from tests.made_results import results
from tests.shown_tables import columns_in_latex, columns_in_markdown

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


@pytest.mark.sampled
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


@pytest.mark.sampled
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
    for pair, shown in zip(result.dominance_table(), document["joint"], strict=True):
        assert shown["statement"] == (None if pair.statement is None else list(pair.statement))
    for family, shown in zip(result.compare().families, document["comparison"]["families"], strict=True):
        assert (shown["name"], shown["n"], shown["level"]) == (family.name, family.n, family.level)
        assert shown["metrics"] == list(family.metrics)
    keys = {citation["key"] for citation in document["citations"]}
    assert keys >= {key for procedure in document["procedures"] for key in procedure["references"]}


@pytest.mark.sampled
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


@pytest.mark.sampled
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


# ---- the table of scores --------------------------------------------------------------------------------------


def wide_apart(greater_is_better=True):
    """Three models, the last two far better than the first, whose means differ beyond what is printed."""
    noise = np.array([[0.0, 1, 2, 3, 4], [1, 0, 3, 2, 4], [1, 0, 3, 2, 4]]) / 1000
    scores = np.array([[0.5], [0.9], [0.9 + 1e-7]]) + noise
    return table(scores if greater_is_better else 2 - scores, greater_is_better=greater_is_better)


@pytest.mark.parametrize("greater_is_better", [True, False])
def test_all_that_print_like_the_best_are_bold_and_those_that_differ_are_marked(greater_is_better):
    result = wide_apart(greater_is_better)
    (row,) = [row for row in result.compare() if (row.a, row.b) == ("m0", "m2")]
    assert row.winner == "m2"
    markdown, latex = columns_in_markdown(result.to_markdown())[1], columns_in_latex(result.to_latex())[1]
    assert [cell.startswith("**") for cell in markdown] == [False, True, True]
    assert [r"\mathbf" in cell for cell in latex] == [False, True, True]
    assert markdown[0].endswith("†")
    assert r"\dagger" in latex[0]
    assert "less is better for score" in result.to_markdown() or greater_is_better


def test_a_difference_that_falls_to_the_other_comparisons_is_not_marked():
    first = 0.8085 + np.linspace(-0.01, 0.01, 10)
    rows = [
        (model, f"m{i}", fold, first[fold] if (model, i) == ("a", 1) else 0.8)
        for model in "ab"
        for i in range(8)
        for fold in range(10)
    ]
    result = from_frame(
        dict(zip(("model", "metric", "fold", "score"), map(list, zip(*rows, strict=True)), strict=True))
    )
    row = result.compare()[1]  # of the metrics beside the first
    assert row.pvalue < 0.05 < row.pvalue_adjusted
    assert "†" not in result.to_markdown()
    assert r"\dagger" not in result.to_latex()
    assert "None is significantly different" in result.to_latex()


@pytest.mark.parametrize("name", ["evaluate", "costs", "study", "failures", "regression", "hostile"])
def test_marks_are_the_adjusted_p_values_of_all_pairs(made, name):
    result = made(name)
    columns = columns_in_markdown(result.to_markdown())[1:]
    if name in STUDIES:
        columns = columns[1::2]  # the ranks carry the marks
    for on, column in zip(result.answer().metrics, columns, strict=True):
        apart = {
            row.a if row.b == on.leader else row.b
            for row in result.compare()
            if row.metric == on.metric and on.leader in (row.a, row.b) and row.pvalue_adjusted < 0.05
        }
        assert {model for model, cell in zip(result.estimators, column, strict=True) if cell.endswith("†")} == apart
        assert column[result.estimators.index(on.leader)].startswith("**")


def test_the_best_mean_rank_is_marked_where_its_model_is_worse_than_the_leader():
    # B is a hair below A on 22 of 40 data sets and far above on the others; C is far below both
    gain = np.r_[-0.001 * np.arange(1, 23) / 22, 0.1 * (1 + np.arange(18) / 18)]
    base = np.full(40, 0.8)
    made = StudyResult.from_frame(
        {"dataset": [f"d{i}" for i in range(40)], "A": base, "B": base + gain, "C": base - 0.3}
    )
    assert made.answer().metrics[0].leader == made.compare()[0].winner == "B"
    assert made.to_markdown().startswith("Use B. A and C are significantly worse.")
    ranks = columns_in_markdown(made.to_markdown())[2]
    assert [cell.endswith("†") for cell in ranks] == [True, False, True]
    assert "†: significantly worse than B" in made.to_markdown()
    latex = columns_in_latex(made.to_latex())[2]
    assert [r"{\dagger}" in cell for cell in latex] == [True, False, True]


def with_gaps():
    """Three models on 10 folds, the last one on 2 of them only, where the first leads the second by a little."""
    noise = np.linspace(-0.001, 0.001, 10)
    scores = np.array([0.7 + noise, 0.9 + noise[::-1], 0.5 + noise])
    scores[0, :2] += 0.21
    scores[2, 2:] = np.nan
    return replace(table(np.nan_to_num(scores)), scores=scores[:, :, np.newaxis])


def test_the_best_mean_over_the_shared_splits_is_marked_where_its_model_is_worse_than_the_leader():
    result = with_gaps()
    assert result.answer().metrics[0].leader == result.compare()[0].winner == "m1"
    cells = columns_in_markdown(result.to_markdown())[1]
    assert cells[0].startswith("**")
    assert [cell.endswith("†") for cell in cells] == [True, False, True]


def test_the_legend_tells_over_how_many_splits_the_means_are(made):
    assert "over the 2 of 10 splits on which all models have one" in with_gaps().to_markdown()
    assert "over the 2 of 10 splits on which all models have one" in with_gaps().to_latex()
    assert "on which all models" not in made("evaluate").to_markdown()
    apart = np.full((2, 4, 1), np.nan)
    apart[0, :2], apart[1, 2:] = 0.5, 0.6
    text = replace(table(np.zeros((2, 4))), scores=apart).to_markdown()
    assert "over each model's own splits where no split has scores of all models" in text


def test_where_nothing_could_be_tested_none_is_called_not_different():
    untested = evaluate(cv=[(np.arange(45), np.arange(45, 90))], scoring="accuracy", keep_predictions=False)
    for text in (untested.to_markdown(), untested.to_latex()):
        assert "Nothing could be tested against tree." in text
        assert "significantly different" not in text


def test_the_scores_are_means_and_deviations_over_the_splits(made):
    result = made("costs")
    for m, column in enumerate(columns_in_markdown(result.to_markdown())[1:]):
        for model, cell in zip(result.estimators, column, strict=True):
            mean, deviation = re.fullmatch(r"(?:\*\*)?([\d.]+)(?:\*\*)? ± ([\d.]+)†?", cell).groups()
            scores = result.score(model, result.metrics[m])
            half = 0.51 * 10.0 ** -len(mean.partition(".")[2])
            assert float(mean) == pytest.approx(scores.mean(), abs=half)
            assert float(deviation) == pytest.approx(scores.std(ddof=1), abs=half)


def test_latex_and_markdown_show_the_same_numbers(made):
    for name in ("evaluate", "costs", "study", "study_of_two", "one_split"):
        numbers = [
            [re.findall(r"\d+\.\d+|n/a", cell) for column in columns[1:] for cell in column]
            for columns in (columns_in_markdown(made(name).to_markdown()), columns_in_latex(made(name).to_latex()))
        ]
        assert numbers[0] == numbers[1]


def test_one_split_has_no_deviation(made):
    assert "±" not in made("one_split").to_markdown()
    assert "deviation" not in made("one_split").to_latex()


def test_a_study_shows_mean_ranks(made):
    shown = columns_in_markdown(made("study").to_markdown())[2]
    ranks = made("study").rank().mean_ranks
    assert [float(cell.strip("*†")) for cell in shown] == pytest.approx(ranks, abs=0.0051)


def test_the_caption_tells_data_test_adjustment_and_marks(made):
    text = made("evaluate").to_latex().split("\n\n")[0]
    for words in (
        "90 samples",
        "5-fold",
        r"k\_fold\_t\_test",
        "(holm) over 3 comparisons on accuracy and",
        "Bold",
        "no standard error",
    ):
        assert words in text
    assert "4 data sets" in made("study").to_latex()
    assert r"signed\_rank\_test" in made("study").to_latex()


def test_many_pairs_are_left_to_the_comparison(made):
    result = made("thirty")
    n = len(result.compare())
    assert n > MAX_PAIR_ROWS
    assert result.to_latex().count(r"\begin{table}") == 1
    assert f"The {n} comparisons of two models: " in result.to_latex()
    assert "`result.compare().to_markdown()`" in result.to_markdown()
    assert len(result.compare().to_markdown().split("\n\n")[0].splitlines()) == n + 2
    body = result.compare().to_latex().split(r"\endfoot")[1].split(r"\end{longtable}")[0]
    assert len(body.strip().splitlines()) == n + 1  # the metric is a heading


def test_a_comparison_shows_its_alternative_and_its_rope(made):
    comparison = made("evaluate").compare(alternative="greater", rope=0.01, metrics="accuracy", correction="hommel")
    for text in (comparison.to_latex(), comparison.to_markdown()):
        assert "one-sided: a better" in text
        assert "hommel over 3 comparisons" in text
        assert "%" in text
    assert r"\infty" in comparison.to_latex()
    assert len({line.count(" | ") for line in comparison.to_markdown().split("\n\n")[0].splitlines()}) == 1


# ---- LaTeX and Markdown as languages --------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*RESULTS, *STUDIES])
def test_latex_is_well_formed(made, name):
    for text in (made(name).to_latex(), made(name).compare().to_latex()):
        bare = re.sub(r"\\[{}\\$&%#_]", "", text)
        depth = np.cumsum([(char == "{") - (char == "}") for char in bare])
        assert depth.min() >= 0
        assert depth[-1] == 0
        assert bare.count("$") % 2 == 0
        open_ = []
        for what, environment in re.findall(r"\\(begin|end){(\w+)}", text):
            if what == "begin":
                open_.append(environment)
            else:
                assert open_.pop() == environment
        assert open_ == []
        for columns, body in re.findall(r"\\begin{tabular}{([lr]+)}(.*?)\\end{tabular}", text, re.DOTALL):
            for line in body.splitlines():
                if line.endswith(r"\\"):
                    spans = [int(n) - 1 for n in re.findall(r"\\multicolumn{(\d+)}", line)]
                    assert len(re.findall(r"(?<!\\)&", line)) + 1 + sum(spans) == len(columns)


NAMED = {
    "textbackslash": "\\",
    "textasciitilde": "~",
    "textasciicircum": "^",
    "textless": "<",
    "textgreater": ">",
    "textbar": "|",
    "textasciigrave": "`",
    "textquotesingle": "'",
    "char34": '"',
}
SAFE = rf"\\({'|'.join(NAMED)})\{{\}}|\\[&%$#_{{}}]|\{{[\[\]*]\}}"


def unescaped(shown):
    back = re.sub(r"\\([a-z]+(?:34)?)\{\}", lambda found: NAMED[found[1]], shown)
    return re.sub(r"\\([&%$#_{}])|\{([\[\]*])\}", r"\1\2", back.replace("-{}", "-").replace(",{}", ","))


@pytest.mark.parametrize("name", ["hostile", "hostile_study"])
def test_hostile_names_stay_text_in_latex(made, name):
    text = made(name).to_latex()
    assert r"\input" not in text
    assert text.count(r"\end{table}") == text.count(r"\begin{table}")
    models = columns_in_latex(text)[0]
    for model, shown in zip(HOSTILE, models, strict=True):
        assert not set(re.sub(SAFE, "", shown)) & set("\\{}&%$#_^~<>[]*|`'\"")
        assert unescaped(shown) == model


@pytest.mark.parametrize("name", ["a--b---c", "`x' ``y''", "?`!`", '<<"q">>', "p|q,,r", "--- ---"])
def test_characters_are_not_joined_in_latex(name):
    shown = escape(name)
    assert unescaped(shown) == name
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


@pytest.mark.sampled
@pytest.mark.parametrize("case", WIDE)
def test_long_names_are_named_below_the_table_and_no_row_is_lost(case):
    names, metrics = WIDE[case]
    text = many(names, metrics).to_latex()
    plain = text.replace(r"\allowbreak{}", "")
    assert all(escape(name) in plain for name in [*names, *metrics])
    bodies = [table.split(r"\midrule")[1:] for table in text.split(r"\end{table}")]
    lines = [line for panels in bodies for body in panels for line in body.split(r"\bottomrule")[0].splitlines()]
    assert sum(line.count(r" \pm ") for line in lines) == len(names) * len(metrics)


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
@pytest.mark.parametrize("encoding", ["OT1", "T1"])
@pytest.mark.parametrize("case", [*WIDE, "hostile", "study", "rope"])
def test_tables_fit_the_page(made, tmp_path, case, encoding):
    names, metrics = WIDE.get(case, WIDE["usual"])
    result = made(case) if case in ("hostile", "study") else many(names, metrics)
    text = result.to_latex() + "\n\n" + result.compare(rope=0.01 if case == "rope" else None).to_latex()
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
    for model, shown in zip(HOSTILE, columns_in_markdown(text)[0], strict=True):
        assert re.sub(r"\\([!-/:-@[-`{-~])", r"\1", shown).replace("&amp;", "&") == model
        assert not set(re.sub(r"\\[!-/:-@[-`{-~]", "", shown)) & set("`*_[]<>|~#$@")


# ---- frames ---------------------------------------------------------------------------------------------------


def test_everything_that_is_a_table_is_a_frame(made):
    result, several = made("costs"), made("study")
    assert len(result.to_frame()) == result.scores.size
    assert len(several.to_frame()) == several.scores.size
    assert len(result.compare().to_frame()) == 9
    assert len(result.dominance_table().to_frame()) == 3
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
    markdown = result.to_markdown()
    assert markdown.startswith("steady and noisy are not significantly different")
    assert "; low is significantly worse than steady." in markdown
    assert "significantly worse than steady" in markdown
    assert re.search(r"\| low \| 0\.4375[^|]*†", markdown)
