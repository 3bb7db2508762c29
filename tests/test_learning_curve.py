"""Learning curves of a comparison: nested training sets, one error budget over sizes, and where two models cross."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from importlib.resources import files
from itertools import pairwise
from math import inf, isnan, log

import jsonschema
import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import TimeSeriesSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from skcompare import LearningCurveResult, PairedEvaluator, RunOptions, load, verify
from skcompare.cli import main as cli
from skcompare.inference import k_fold_t_test
from tests.lawful import FULL
from tests.shown_tables import cells, grids, in_html, in_latex, in_markdown

CANCER = load_breast_cancer(return_X_y=True)
MODELS = {"nb": GaussianNB(), "stump": DecisionTreeClassifier(max_depth=1)}
SIZES = (0.1, 0.3, 1.0)


def curve_of(models=MODELS, data=CANCER, sizes=SIZES, **options):
    options = {"cv": 10, "scoring": "roc_auc", "random_state": 0, **options}
    return PairedEvaluator(**options).learning_curve(models, *data, train_sizes=sizes)


@pytest.fixture(scope="module")
def curve():
    return curve_of()


@pytest.fixture(scope="module")
def three():
    models = {**MODELS, "lr": make_pipeline(StandardScaler(), LogisticRegression())}
    return curve_of(models, scoring=["accuracy", "roc_auc"], baseline="dummy")


def with_scores(curve, differences, rng, noise=0.01):
    """The learning curve of two models with these mean differences, which vary over the splits."""
    results = {}
    for size, difference in zip(curve.sizes, differences, strict=True):
        base = 0.8 + rng.normal(0, noise, curve.results[size].design.n_splits)
        spread = rng.normal(0, noise, len(base))
        a = base + difference + spread - spread.mean()
        scores = np.stack([a, base])[:, :, None]
        results[size] = replace(curve.results[size], scores=scores, kept_predictions=None)
    return LearningCurveResult(results=results)


# ---- the splits -----------------------------------------------------------------------------------------------


def test_all_training_samples_give_the_scores_of_evaluate(curve):
    whole = PairedEvaluator(cv=10, scoring="roc_auc", random_state=0).evaluate(MODELS, *CANCER)
    np.testing.assert_array_equal(curve.results[curve.sizes[-1]].scores, whole.scores)
    assert curve.results[curve.sizes[-1]].design == whole.design


def test_training_sets_are_nested_and_test_sets_the_same(curve):
    by_size = [result.splits() for result in curve.results.values()]
    for smaller, larger in pairwise(by_size):
        for (train, test), (more, same) in zip(smaller, larger, strict=True):
            np.testing.assert_array_equal(test, same)
            assert set(train) < set(more)
    assert [len(one[0][0]) for one in by_size] == [51, 153, 512]
    assert curve.sizes == (51, 153, 512)
    assert {result.design.test_fraction for result in curve.results.values()} == {
        curve.results[curve.sizes[-1]].design.test_fraction
    }


def test_classes_keep_their_shares(curve):
    y = CANCER[1]
    for train, _ in curve.results[51].splits():
        assert abs(y[train].mean() - y.mean()) <= 1.5 / len(train)


def test_in_time_order_the_samples_just_before_are_trained_on():
    found = curve_of(cv=TimeSeriesSplit(5), sizes=(0.5, 1.0), scoring="accuracy")
    smaller, larger = (result.splits() for result in found.results.values())
    for (train, _), (more, _) in zip(smaller, larger, strict=True):
        np.testing.assert_array_equal(train, more[-len(train) :])
    assert all(result.design.time_order for result in found.results.values())
    assert "Diebold-Mariano test" in found.summary()


def test_sizes_may_be_numbers_and_come_in_any_order():
    found = curve_of(sizes=[200, 50])
    assert found.sizes == (50, 200)
    assert {len(train) for train, _ in found.results[50].splits()} == {50}


def test_the_same_seed_gives_the_same_numbers_and_another_one_others(curve):
    np.testing.assert_array_equal(curve_of().results[51].scores, curve.results[51].scores)
    assert not np.array_equal(curve_of(random_state=1).results[51].scores, curve.results[51].scores)


def test_training_sets_without_a_class_are_told():
    y = np.r_[np.zeros(80, int), np.ones(10, int)]
    X = np.random.default_rng(0).normal(size=(90, 2)) + 3 * y[:, None]
    found = curve_of(data=(X, y), cv=5, sizes=[4, 70], scoring="accuracy")
    assert [warning.code for warning in found.warnings] == ["TOO_LITTLE_DATA"]
    lacking = "of 5 training sets of 4 samples: take larger ones."
    assert lacking in " ".join(found.summary().split())
    assert lacking not in curve_of(data=(X, y), cv=5, sizes=[40, 70], scoring="accuracy").summary()


def test_the_store_is_shared_and_only_what_is_missing_is_done(tmp_path):
    done = []
    evaluator = PairedEvaluator(
        cv=5, scoring="accuracy", random_state=0, store=tmp_path / "x", options=RunOptions(callback=done.append)
    )

    def new_fits(sizes):
        done.clear()
        found = evaluator.learning_curve(MODELS, *CANCER, train_sizes=sizes)
        return found, sum(not event.reused for event in done)

    evaluator.evaluate(MODELS, *CANCER)
    assert sum(not event.reused for event in done) == 10
    first, n = new_fits((0.3, 1.0))
    assert n == 10
    again, n = new_fits((0.2, 0.3, 1.0))
    assert n == 10
    np.testing.assert_array_equal(again.results[first.sizes[0]].scores, first.results[first.sizes[0]].scores)


# ---- comparisons ----------------------------------------------------------------------------------------------


def test_a_size_costs_nothing_and_is_tested_after_all_larger_ones(three):
    table = three.compare()
    assert len(table) == 3 * 2 * 6
    assert table.n_hypotheses == 6  # the pairs on accuracy
    for row in table:
        larger = [one for one in table if (one.metric, one.a, one.b) == (row.metric, row.a, row.b)]
        most = max(one.pvalue for one in larger if one.size >= row.size)
        assert row.pvalue_adjusted == pytest.approx(min(1.0, 6 * most))
    alone = {(row.metric, row.a, row.b): row.pvalue for row in three.results[51].compare()}
    assert {(row.metric, row.a, row.b): row.pvalue for row in table if row.size == 51} == alone
    assert len(three.compare(metrics="accuracy", baseline="dummy")) == 3 * 3


def test_a_smaller_training_set_does_not_make_the_test_blunt(curve):
    rows = [row for row in curve.compare() if row.size == 51]
    a, b = (curve.results[51].score(name, "roc_auc") for name in MODELS)
    assert rows[0].pvalue == pytest.approx(k_fold_t_test(a, b, test_fraction=57 / 569).pvalue, rel=0.02)


@pytest.mark.parametrize(
    ("differences", "start", "end"),
    [
        ((0.1, 0.1, 0.1), "Use nb: +0.1", "The same at every size."),
        ((0.0, 0.0, 0.0), "No clear winner: ", " The same at every size."),
        ((0.0, 0.1, 0.1), "Use nb: +0.1", "The same from 153 training samples on."),
        ((-0.1, 0.0, 0.1), "Use nb: +0.1", "Not so with fewer training samples."),
        ((0.1, 0.1, -0.1), "Use stump: +0.1", "Up to 153 training samples use nb."),
    ],
)
def test_the_first_line_is_that_of_the_largest_size_and_says_where_it_holds(curve, differences, start, end, rng):
    found = with_scores(curve, differences, rng)
    line = answer_of(found)
    assert line.startswith(start)
    assert end in line
    alone = found.results[found.sizes[-1]].explain().blocks[0].text
    assert alone.split(" (")[0].split(". ")[0] == line.split(" (")[0].split(". ")[0]


def answer_of(found):
    return found.explain().blocks[0].text


def drawn_curves(curve, three, rng):
    """Learning curves of two models, or of three and a baseline on two metrics, with differences of every size."""
    for i in range(60 if FULL else 16):
        made, results = (curve, three)[i % 2], {}
        shape = made.results[made.sizes[-1]].scores.shape
        base = 0.7 + 0.1 * rng.random((shape[0], 1, 1)) * rng.choice([0, 0.3, 1])
        noise = float(rng.choice([0.003, 0.02, 0.1]))
        for size, result in made.results.items():
            base = base + 0.03 * rng.normal(size=(shape[0], 1, 1)) * rng.choice([0, 1])
            scores = base + noise * rng.normal(size=shape)
            results[size] = replace(result, scores=scores, kept_predictions=None)
        yield LearningCurveResult(results=results)


def test_the_first_line_and_the_table_say_what_the_comparisons_say(curve, three, rng):
    for found in drawn_curves(curve, three, rng):
        document, full = found.explain(), found.sizes[-1]
        grid, line = document.named("sizes"), answer_of(found)
        assert len(line.split()) <= 30, line
        to_do = re.sub(r"About [\d,]+ samples", "", line)
        numbers = re.findall(r"(?<![\w.])[-+]?\d+(?:\.\d+)?", to_do)
        assert len(numbers) <= 5, line
        shown = " ".join(
            [grid.caption, *(cell for row in grid.rows() for cell in row), *(c.head for c in grid.columns)]
        )
        assert all(number.lstrip("+-") in shown for number in numbers), (line, shown)
        first = [row for row in found.compare() if row.metric == found.metrics[0]]
        rows = {(row.size, frozenset((row.a, row.b))): row for row in first}
        for row in rows.values():
            significant = row.pvalue_adjusted < 0.05
            assert significant == (row.winner is not None) == (row.low > 0 or row.high < 0 or row.open_at_null)
        names = [name for name in found.estimators if name != found._scores.largest.baseline]
        used = re.match(r"Use (\w+): .*?\. (?:The same at (every) size|The same from (\d+)|Not so|Up to|With \d)", line)
        wins = {
            name: sum(rows[full, frozenset((name, o))].winner == name for o in names if o != name) for name in names
        }
        assert bool(used) <= (max(wins.values()) >= len(names) - 1), line
        if used:
            assert wins[used[1]] >= len(names) - 1
            first = int(used[3] or (found.sizes[0] if used[2] else full))
            for size in [size for size in found.sizes if size >= first]:
                assert all(rows[size, frozenset((used[1], o))].winner == used[1] for o in names if o != used[1]), line
        if line.startswith("No clear winner"):
            leader = grid.columns[1].name if len(names) == 2 == len(found.estimators) else grid.columns[0].values[0]
            assert not any(rows[full, frozenset((leader, o))].winner for o in names if o != leader), line
        if len(found.estimators) > 2:  # the marks of every size are the comparisons with the first model
            leader, *others = grid.columns[0].values
            for column in grid.columns[1 : 1 + len(found.sizes)]:
                for name, mark in zip(others, column.marks[1:], strict=True):
                    winner = rows[int(column.name), frozenset((leader, name))].winner
                    assert {*mark.split()} - {"fragile"} == (
                        {"worse" if winner == leader else "better"} if winner else set()
                    )


def test_sizes_are_said_to_be_the_same_where_the_same_models_may_be_first(curve, three, rng):
    for found in drawn_curves(curve, three, rng):
        line, metric = answer_of(found), found.metrics[0]
        won = {size: set() for size in found.sizes}
        for row in found.compare():
            if row.metric == metric and row.winner:
                won[row.size].add((row.winner, row.a if row.winner == row.b else row.b))
        baseline = found._scores.largest.baseline
        verdicts = [
            (
                {name for name in found.estimators if not any(lost == name for _, lost in own)} - {baseline},
                {name for name, lost in own if lost == baseline},
            )
            for own in won.values()
        ]
        same = re.search(r"The same (?:at every size|from (\d+) training samples on)", line)
        if same:
            start = found.sizes.index(int(same[1])) if same[1] else 0
            assert all(verdict == verdicts[-1] for verdict in verdicts[start:]), line
        if all(own == won[found.sizes[-1]] for own in won.values()):
            assert "The same at every size." in line


def test_sizes_at_which_another_model_is_better_are_named(curve, rng):
    for differences, told in (
        ((0.0, 0.1, -0.1), "With 153 training samples use nb."),
        ((0.1, 0.1, -0.1), "Up to 153 training samples use nb."),
        ((0.1, 0.0, -0.1), "Not so with fewer training samples."),  # a smaller size than one without a difference
    ):
        assert answer_of(with_scores(curve, differences, rng)).endswith(told)


def test_the_short_text_is_short_and_all_pairs_are_behind_it(three):
    assert len(three.summary().splitlines()) <= 24
    assert str(three.explain()) == three.summary("full")
    pairs = [three.explain().named(f"pairs on {metric}") for metric in three.metrics]
    assert sum(grid.n_rows for grid in pairs) == len(three.compare())


def test_more_models_and_a_baseline(three, rng):
    assert "Use dummy" not in three.summary()
    assert "guessing" not in answer_of(three)  # all are better than it
    scores = {size: rng.normal(0.5, 0.1, one.scores.shape) for size, one in three.results.items()}
    alike = LearningCurveResult(
        results={size: replace(one, scores=scores[size], kept_predictions=None) for size, one in three.results.items()}
    )
    assert answer_of(alike).startswith("No model is significantly better than guessing. ")


# ---- crossing -------------------------------------------------------------------------------------------------


def test_the_crossing_lies_on_a_line_in_the_logarithm(curve, rng):
    found = with_scores(curve, (-0.1, 0.05, 0.1), rng, noise=1e-4).crossing()
    by_hand = np.exp(log(51) + 2 / 3 * (log(153) - log(51)))
    assert found.estimate == pytest.approx(by_hand, rel=0.01)
    assert found.low < found.estimate < found.high
    assert found.bounded
    assert (found.better_before, found.better_after, found.n_changes) == ("stump", "nb", 1)


def test_the_interval_inverts_the_test(curve, rng):
    made = with_scores(curve, (-0.02, 0.005, 0.03), rng)
    found = made.crossing()
    for size, result in made.results.items():
        inside = found.low <= size <= found.high
        assert inside == (result.test().pvalue >= 0.05)


def test_models_that_do_not_cross(curve, rng):
    apart = with_scores(curve, (0.1, 0.1, 0.1), rng).crossing()
    assert isnan(apart.estimate)
    assert isnan(apart.low)
    assert "do not cross" in str(apart)
    alike = with_scores(curve, (0.001, 0.0005, 0.001), rng).crossing()
    assert isnan(alike.estimate)
    assert (alike.low, alike.high) == (0, inf)
    assert "at any size is not excluded" in " ".join(str(alike).split())


def test_less_is_better_turns_the_sign(curve, rng):
    made = with_scores(curve, (-0.1, 0.0, 0.1), rng)
    turned = LearningCurveResult(
        results={size: replace(one, greater_is_better=(False,)) for size, one in made.results.items()}
    )
    assert (turned.crossing().better_before, made.crossing().better_before) == ("nb", "stump")
    assert turned.crossing().estimate == pytest.approx(made.crossing().estimate)
    swapped = made.crossing(a="stump", b="nb")
    assert (swapped.low, swapped.high) == pytest.approx((made.crossing().low, made.crossing().high))


# ---- error rates and warnings ---------------------------------------------------------------------------------


def views(found):
    """The text of every view on one line."""
    texts = (found.summary("full"), found.to_html())
    plain = [re.sub(r"\\(?=[_%\[\]()<>])", "", text) for text in (*texts, found.methods_text().split("\n\n")[0])]
    return [" ".join(text.replace("&#39;", "'").replace(r"\textquotesingle{}", "'").split()) for text in plain]


def caution_of(found):
    """The line of caution under the table."""
    block = found.explain().named("caution")
    return "" if block is None else block.text


def rarely(share, rng, n=600):
    X = rng.normal(size=(n, 4))
    y = (np.argsort(np.argsort(X[:, 0] + 0.2 * rng.normal(size=n))) >= n * (1 - share)).astype(int)
    return X, y


def test_the_error_rate_is_that_of_all_training_samples(curve):
    whole = json.loads(curve.results[curve.sizes[-1]].to_json())["error_rates"]
    assert whole["by_metric"]["roc_auc"] is not None
    assert json.loads(curve.to_json())["error_rates"] == whole
    for text in views(curve):
        assert whole["where"] in text
        assert "nown for fewer training samples." in text


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"sizes": [50, 200]}, "the simulations train on all samples outside the test sets"),
        (
            {"data": [part[:120] for part in load_iris(return_X_y=True)], "scoring": "accuracy"},
            "of several classes only equally frequent ones were simulated",
        ),
        ({"scoring": "matthews_corrcoef", "cv": 5}, "only accuracy, f1, precision, recall and roc_auc were simulated"),
        (
            {"cv": TimeSeriesSplit(5), "sizes": [20, 40], "scoring": "accuracy"},
            "the simulations train on all samples outside the test sets",
        ),
    ],
)
def test_where_it_is_unknown_every_view_says_why(options, reason):
    found = curve_of(**options)
    assert json.loads(found.to_json())["error_rates"]["reason"].startswith(reason)
    for text in views(found):
        assert f"not measured for runs like this ({reason}" in text or f"not known from simulations: {reason}" in text


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_what_few_samples_decide_stands_below_the_table(rng):
    X, y = rarely(0.03, rng)
    models = {"tree": DecisionTreeClassifier(max_depth=1), "nb": GaussianNB(), "same": GaussianNB(var_smoothing=2e-9)}
    data = {"data": (X, y), "sizes": [60, 540], "cv": 10}
    found = curve_of(scoring=["recall", "f1"], **data)
    rare = f"{y.sum()} samples of class 1 decide recall"
    for one in (found, curve_of({name: models[name] for name in ("nb", "same")}, scoring=["recall", "f1"], **data)):
        assert rare in " ".join(str(one.explain()).split())
        if "would not stand" not in caution_of(one):  # a claim that is fragile goes before the classes
            assert caution_of(one).startswith(f"Caution: {rare}")
            assert all(rare in text for text in views(one))
    of_many = caution_of(curve_of({"tree": models["tree"], "nb": models["nb"]}, scoring="accuracy", cv=10))
    assert "decide" not in of_many
    assert not of_many or "would not stand" in of_many  # a warning of the claim, not of the classes


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_the_methods_name_what_is_undefined_at_a_smaller_size(rng):
    X, y = rarely(0.1, rng, 200)
    models = {"nb": GaussianNB(), "lr": LogisticRegression(C=1e-3)}
    found = curve_of(models, data=(X, y), cv=5, sizes=[30, 160], scoring="precision")
    assert found.results[30].details.ill_defined["lr"]["precision"] == 5
    paragraph = found.methods_text().split("\n\n")[0]
    assert "'lr' has 0/0 for precision on all 5 splits: " in paragraph


# ---- views ----------------------------------------------------------------------------------------------------


def test_every_view_says_the_same(three, tmp_path):
    document = json.loads(three.to_json())
    name = "schemas/learning_curve.schema.json"
    jsonschema.validate(document, json.loads(files("skcompare.reporting").joinpath(name).read_text(encoding="utf-8")))
    said, *_ = document["verdict"]
    assert " ".join(three.summary().split()).startswith(said)
    assert said in three._repr_html_()
    page = three.to_html(tmp_path / "page.html")
    assert said in page
    assert page.count("<svg") == 1
    outcomes = [row["outcome"] for row in document["comparison"]["rows"]]
    assert outcomes == [row.outcome.value for row in three.compare()] == three.compare().to_frame().outcome.tolist()
    full = three.summary("full")
    assert all(f"{row.metric}" in full for row in three.compare())


def test_markdown_latex_and_the_methods_text(three):
    said = json.loads(three.to_json())["verdict"][:1]
    flat = {"md": three.to_markdown().replace("\\", ""), "tex": three.to_latex().replace("\\_", "_")}
    for text in flat.values():
        assert all(sentence in text for sentence in said)
        assert re.search(r"^(?:\|  \|| &) *" + r" *[|&] *".join(map(str, three.sizes)), text, re.MULTILINE)
    assert len(re.findall(r"^\| ---", three.to_markdown(), re.MULTILINE)) == 1
    assert flat["tex"].count(r"\begin{tabular}") == flat["tex"].count(r"\end{table}") == 1
    paragraph = three.methods_text().split("\n\n")[0]
    *smaller, largest = map(str, three.sizes)
    assert f"Every model was trained on {', '.join(smaller)} and {largest} of the training samples" in paragraph
    assert "families of comparisons, 6 on accuracy and 6 on the other" in paragraph
    assert "with a smaller training set only where it was significant with all larger ones" in paragraph
    assert "on average 57 samples" in paragraph
    assert "samples for training" not in paragraph
    assert "The baseline was dummy, which guesses without the features." in paragraph


def test_a_model_that_fails_with_few_samples_is_named_with_the_size():
    X, y = load_iris(return_X_y=True)
    models = {"nb": GaussianNB(), "near": KNeighborsClassifier(5)}
    with pytest.raises(ValueError, match="4 training samples estimator 'near' failed in predict on"):
        PairedEvaluator(cv=3, random_state=0).learning_curve(models, X, y, train_sizes=[4, 90])
    assert PairedEvaluator(cv=3, random_state=0).learning_curve(models, X, y, train_sizes=[9, 90]).sizes == (9, 90)


def test_the_picture_marks_what_is_significant(curve, rng):
    drawn = with_scores(curve, (-0.1, 0.0, 0.1), rng).plot()
    assert drawn.significant.tolist() == [[False, False, True], [False, False, False]]  # at 51 after 153 alone
    assert drawn.crossing is not None
    assert {line.get_gid() for line in drawn.ax_.lines} > {"crossing"}
    assert with_scores(curve, (0.1, 0.1, 0.1), rng).plot().crossing is None
    assert list(drawn.frame().columns) == ["metric", "estimator", "size", "means", "low", "high", "significant"]


def test_it_is_saved(three, tmp_path):
    three.save(tmp_path / "x.skc")
    again = load(tmp_path / "x.skc")
    assert isinstance(again, LearningCurveResult)
    assert again.summary("full") == three.summary("full")
    assert again.to_json() == three.to_json()
    three.results[51].save(tmp_path / "one.skc")
    assert load(tmp_path / "one.skc").design == three.results[51].design


def test_the_result_of_one_size_is_verified(tmp_path):
    for result in curve_of(cv=5, scoring="accuracy", sizes=[0.2, 1.0]).results.values():
        result.save(tmp_path / "one.skc")
        assert verify(load(tmp_path / "one.skc"), *CANCER).outcome == "identical"


def test_the_frame_has_every_score(curve):
    frame = curve.to_frame()
    assert len(frame) == 3 * 2 * 10
    assert frame.columns[0] == "size"


def test_regression_and_one_model_with_a_baseline():
    found = curve_of({"ridge": Ridge()}, load_diabetes(return_X_y=True), scoring="r2", baseline="dummy")
    assert answer_of(found).startswith("Use ridge: +")
    assert " r2 over dummy " in answer_of(found)
    models = {"ridge": Ridge(), "tree": DecisionTreeRegressor(max_depth=3)}
    assert curve_of(models, load_diabetes(return_X_y=True), scoring="r2").estimators == ("ridge", "tree")


@pytest.mark.parametrize("metric", ["r2", "neg_root_mean_squared_error"])
def test_one_model_has_its_score_with_its_interval_at_every_size(metric, rng, tmp_path):
    X = rng.normal(size=(120, 3))
    y = X[:, 0] + rng.normal(size=120)
    metrics = [metric, "neg_mean_absolute_error"]
    alone = curve_of({"ridge": Ridge()}, (X, y), scoring=metrics, cv=5, random_state=int(rng.integers(2**32)))
    columns = {column.head: column.cells for column in alone._document().named("sizes").columns}
    assert columns["training samples"] == tuple(map(str, alone.sizes))
    for i, one in enumerate(alone.results.values()):
        [row] = one.intervals(metric).rows
        sign = -1 if metric.startswith("neg_") else 1
        assert float(columns["ridge"][i]) == pytest.approx(sign * row.score, abs=0.05)
        low, high = map(float, columns["95% interval"][i].strip("[]").split(", "))
        assert sorted([sign * row.low, sign * row.high]) == pytest.approx([low, high], abs=0.05)
    assert answer_of(alone) == str(alone.results[alone.sizes[-1]]).split("\n", maxsplit=1)[0]
    for text in (alone.summary("full"), alone.to_markdown(), alone.to_latex(), alone.methods_text(), alone.to_html()):
        assert not re.search(r"differ(ence|s)|Every model|positive lead|downward", text.split("@article")[0])
        assert all(str(size) in text for size in alone.sizes)
    name = "schemas/learning_curve.schema.json"
    schema = json.loads(files("skcompare.reporting").joinpath(name).read_text(encoding="utf-8"))
    jsonschema.validate(json.loads(alone.to_json()), schema)
    assert "significantly" not in alone.plot().ax_.get_xlabel()
    alone.save(tmp_path / "x.skc")
    assert str(load(tmp_path / "x.skc")) == str(alone)
    with pytest.raises(ValueError, match="only 'ridge': give learning_curve two or more"):
        alone.compare()


def test_the_command(tmp_path, monkeypatch, capsys):
    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["skcompare", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        assert stop.value.code == 0
        return capsys.readouterr().out

    models = (
        "--model",
        "nb=sklearn.naive_bayes:GaussianNB",
        "--model",
        "stump=sklearn.tree:DecisionTreeClassifier(max_depth=1)",
    )
    written = ("--out", tmp_path / "c.skc", "--html", tmp_path / "c.html")
    options = ("--cv", "10", "--scoring", "roc_auc", "--sizes", "0.1,0.3,1.0")
    out = run("curve", "--dataset", "breast_cancer", *options, *models, *written)
    found = load(tmp_path / "c.skc")
    answer = found.summary().rpartition("More:")[0]
    assert out.startswith(answer)
    assert run("show", tmp_path / "c.skc").startswith(answer)
    assert " ".join(run("explain", tmp_path / "c.skc").split()) == " ".join(str(found.explain()).split())
    assert run("report", tmp_path / "c.skc", "--out", tmp_path / "d.html").startswith(answer)
    assert answer_of(found) in (tmp_path / "d.html").read_text(encoding="utf-8")
    assert (tmp_path / "c.html").read_text(encoding="utf-8") == (tmp_path / "d.html").read_text(encoding="utf-8")


def test_the_comparison_of_all_sizes_is_a_document_like_that_of_one(three):
    """Its cells are the rows, in text, Markdown, LaTeX and a notebook; its intervals say for what they hold."""
    table = three.compare()
    (grid,) = grids(table._document())
    columns = {column.name: column.values for column in grid.columns}
    rows = {(row.metric, row.a, row.b, row.size): (row.estimate, row.outcome.value) for row in table}
    places = zip(*(columns[name] for name in ("metric", "a", "b", "size")), strict=True)
    assert dict(zip(places, zip(columns["estimate"], columns["outcome"], strict=True), strict=True)) == rows
    text = str(table)
    assert text == str(table._document())
    assert text.startswith(f"{sum(row.winner is not None for row in table)} of {len(table)} differences ")
    assert [*in_markdown(table.to_markdown())] == [*in_html(table._repr_html_())] == [cells(grid)]
    assert [*in_latex(table.to_latex())] == [cells(grid)]
    first, others = table.families
    held = f"95% for all {first.n} on {first.metrics[0]}, 95% for all {others.n} others together."
    assert f"Intervals: {held}" in " ".join(text.split())


@pytest.mark.parametrize(("metric", "shown"), [("neg_log_loss", "log loss"), ("neg_brier_score", "Brier score")])
def test_a_crossing_names_its_metric_as_all_views_do(metric, shown):
    X, y = CANCER[0][::4], CANCER[1][::4]
    models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=4, random_state=0)}
    evaluator = PairedEvaluator(5, metric, random_state=0)
    found = evaluator.learning_curve(models, X, y, train_sizes=(0.2, 0.5, 1.0))
    assert f"On {shown} the curves of nb and tree " in " ".join(str(found.crossing()).split())
