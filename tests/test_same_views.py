"""What two views of one result say of the same thing: marks, decimals, counts and words."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_classification, make_regression
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import f1_score, make_scorer, precision_score, recall_score
from sklearn.model_selection import GridSearchCV, RepeatedStratifiedKFold, ShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier

import skcompare as skc
from skcompare.inference import paired_bootstrap, paired_metric_test
from tests.made_results import bare, evaluated, evaluation, items_of, runs_of, study_of
from tests.shown_tables import cells, grids


def drawn(rng, **given):
    """A recipe of scores, of which some claims are fragile: the design is assumed."""
    fixed = {
        "seed": int(rng.integers(2**32)),
        "n_models": int(rng.integers(3, 6)),
        "n_metrics": int(rng.integers(1, 4)),
    }
    return {**fixed, "flaw": "none", "spread": 3.0, "design": (10, 10), **given}


def lines_below(display):
    words = [display.ax_.get_xlabel(), *(one.get_xlabel() for one in display.ax_.child_axes)]
    return "\n".join([*words, *display._notes()])


@pytest.mark.parametrize("n_models", [2, 3, 5])
def test_pictures_mark_fragile_claims_as_tables_do(rng, n_models):
    """An arrow stood for "m0 better~" like for any other."""
    for _ in range(3):
        result = evaluation(drawn(rng, n_models=n_models, n_metrics=1, spread=1.5))
        rows = result.compare().rows
        fragile = {frozenset((row.a, row.b)) for row in rows if row.fragile}
        forest = result.plot("differences")
        named = [one.get_text() for one in forest.ax_.get_yticklabels()]
        assert sum(name.endswith("~") for name in named) == len(fragile)
        for kind in ("pvalues", "win_probabilities"):
            matrix = result.plot(kind)
            marked = {frozenset((matrix.names[i], matrix.names[j])) for i, j in np.argwhere(matrix.warnings != "")}
            assert marked == fragile
            assert sum(text.get_text().endswith("~") for text in matrix.ax_.texts) == 2 * len(fragile)
            assert ("~ would not stand if the splits were random halves" in lines_below(matrix)) == bool(fragile)
        assert ("~ would not stand if the splits were random halves" in lines_below(forest)) == bool(fragile)


def test_a_mean_has_the_same_decimals_in_all_tables(rng):
    """0.977 in the first table, 0.9772 among the ranks, and 0.70 against 0.704."""
    for design in ((10, 10), (5, 2), (1, 10)):
        result = evaluation(drawn(rng, design=design, spread=float(rng.choice([0.5, 3.0]))))
        found = {}
        document = result.explain()
        for grid in grids(document, "models"):
            head, *rows = cells(grid)
            for metric in {*result.metrics} & {*head}:
                found |= {(metric, row[0]): row[head.index(metric)].rstrip("*+~") for row in rows}
        for grid in grids(document, "ranks on "):
            head, *rows = cells(grid)
            metric = grid.name.removeprefix("ranks on ")
            assert {row[0]: row[head.index("mean")] for row in rows} == {row[0]: found[metric, row[0]] for row in rows}
        (own,) = grids(document, "scores")
        head, *rows = cells(own)
        for row in rows:
            shown = {metric: row[head.index(metric)].split()[0] for metric in {*result.metrics} & {*head}}
            assert shown == {metric: found[metric, row[0]] for metric in shown}


def test_the_intervals_of_one_model_stay_with_their_metrics(rng):
    """With another primary metric the interval of accuracy stood beside roc_auc."""
    y = rng.integers(0, 2, 80)
    names = rng.permutation(["accuracy", "roc_auc", "f1", "neg_log_loss", "recall"]).tolist()
    result = skc.from_predictions(y, {"a": np.clip(y * 0.3 + rng.uniform(0, 0.7, 80), 0.01, 0.99)}, scoring=names)
    known = {metric: result.intervals(metric)[0] for metric in names}
    for primary in names:
        (grid,) = grids(result.explain(primary=primary), "metrics")
        values = {column.name: column.values for column in grid.columns}
        assert values["metric"][0] == primary
        for metric, ends in zip(values["metric"], values["interval"], strict=True):
            assert ends == (known[metric].low, known[metric].high)


def test_text_and_picture_say_the_same_of_the_dominance_test(rng):
    """The text had "adjusted p = 1.000" where the picture said that there were too few cases."""
    said = set()
    for design in ((5, 2), (2, 5), (10, 10)):
        for n_models in (2, 3, 4):
            result = evaluation(drawn(rng, design=design, n_models=n_models, n_metrics=3, spread=8.0))
            line = result.explain().named("together")
            if line is None or "; " not in line.text:
                continue
            table = result.explain().named("models")
            a, b = [row[0] for row in table.rows()][:2] if table else (result.answer().metrics[0].leader, None)
            b = b or next(name for name in result.estimators if name != a)
            (note,) = result.plot("dominance", a=a, b=b)._notes()
            assert line.text.endswith(f"; {note}.")
            said.add(note.startswith("too few"))
    assert True in said


def test_marks_of_a_cell_do_not_overlap_in_latex(rng):
    result = evaluation(drawn(rng, spread=1.5, n_models=5, n_metrics=3))
    assert any(row.fragile for row in result.compare())
    assert "}\\rlap" not in result.to_latex()


def test_fragile_claims_are_one_warning_per_metric(rng):
    """A methods section had forty sentences about them."""
    result = evaluation(drawn(rng, n_models=9, n_metrics=3))
    fragile = [one for one in result.explain().named("warnings").texts if one.startswith("FRAGILE")]
    metrics = {row.metric for row in result.compare() if row.fragile}
    assert len(fragile) == len(metrics) > 0


@pytest.mark.parametrize("n_models", [2, 3])
@pytest.mark.parametrize("n_metrics", [1, 3])
def test_p_is_called_adjusted_where_it_is(rng, n_models, n_metrics):
    """The column was "p adj." where the test was "p not adjusted"."""
    for made in (
        evaluation(drawn(rng, n_models=n_models, n_metrics=n_metrics)),
        study_of(drawn(rng, n_models=n_models, n_metrics=n_metrics, n_datasets=12)),
        items_of(drawn(rng, n_models=n_models, n_metrics=n_metrics, n_samples=90)),
    ):
        document = made.explain()
        plain = "p not adjusted" in str(document)
        assert plain == (n_models == 2 and n_metrics == 1)
        heads = {cell for grid in (*grids(document, "metrics"), *grids(document, "pairs")) for cell in cells(grid)[0]}
        assert {"p", "p adj."} & heads == {"p" if plain else "p adj."}


class Broken(GaussianNB):
    def _partial_fit(self, *_, **__):
        raise ValueError("no fit")


@pytest.mark.filterwarnings("ignore")
def test_nothing_is_said_of_tests_that_were_not_made(global_random_seed):
    X, y = make_classification(120, random_state=global_random_seed)
    evaluator = skc.PairedEvaluator(cv="5x2", random_state=0, scoring="accuracy", error_score=np.nan)
    document = evaluator.evaluate({"nb": GaussianNB(), "broken": Broken()}, X, y).explain()
    titles = {block.title for block in document.blocks if hasattr(block, "blocks")}
    assert not titles & {"How often this test is wrong", "The test and what it assumes"}
    assert "p-value" not in str(document)
    assert "n/a n/a" not in str(document)


def test_a_curve_knows_error_rates_where_its_claims_are_marked_by_them(global_random_seed):
    """Claims were marked by simulations, beside "error rate not measured"."""
    X, y = make_classification(240, n_informative=4, flip_y=0.1, random_state=global_random_seed)
    models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    evaluator = skc.PairedEvaluator(cv="5x2", random_state=0, scoring="accuracy")
    for sizes in ([60, 110], [20, 40]):
        curve = evaluator.learning_curve(models, X, y, train_sizes=sizes)
        text = " ".join(str(curve.explain()).split())
        assert ("wrong in" in text) == (sizes[-1] > 60)
        assert "similar simulations" not in text or "not measured" not in text


def test_sizes_that_are_the_same_everywhere_are_written_out(rng):
    small, large = (int(size) for size in np.sort(rng.choice(np.arange(10_000, 3_000_000), 2, replace=False)))
    shares = rng.uniform(0.5, 0.9, 20)
    table = {
        "metric": ["accuracy"] * 20 + ["model_size"] * 20,
        "model": (["a"] * 10 + ["b"] * 10) * 2,
        "fold": [*range(10)] * 4,
        "score": [*shares, *[small] * 10, *[large] * 10],
    }
    result = skc.from_frame(table, greater_is_better={"accuracy": True, "model_size": False})
    text = " ".join(str(result.explain()).split())
    said = text.split("the difference is the same, ")[1].split(",")[0]
    assert "e" not in said
    assert abs(float(said)) == pytest.approx(large - small, rel=1e-4)


def test_each_interval_of_two_models_has_a_level(rng):
    """That of the first metric had none where others had one for all together."""
    for n_metrics in (1, 2, 3, 4):
        result = evaluation(drawn(rng, n_models=2, n_metrics=n_metrics, flaw="none"))
        (grid,) = grids(result.explain(), "metrics")
        said = f"{' '.join(column.head for column in grid.columns)} {grid.caption}"
        assert "95% interval" in said or "95% on accuracy, 95% for " in said


@pytest.mark.filterwarnings("ignore")
def test_the_explanation_says_why_each_model_failed(rng):
    """It named the attribute of a result, which a page has not."""
    y = np.arange(60) % 2
    names = rng.permutation(["<b>", "a_b", "tree 1", "模型"])[:3].tolist()
    models = {name: Broken() for name in names} | {"nb": GaussianNB()}
    evaluator = skc.PairedEvaluator(cv=5, scoring="accuracy", error_score=np.nan, random_state=0)
    result = evaluator.evaluate(models, rng.normal(size=(60, 3)), y)
    told = result.explain().named("fits").texts
    assert [name for line in told for name in names if f"{name!r} failed" in line] == names
    assert all(line.endswith("no fit.") for line in told)


@pytest.mark.parametrize("flaw", ["none", "failed"])
def test_text_picture_and_ranking_count_the_same_models(rng, flaw):
    """The text counted a model that failed, and the picture did not."""
    for _ in range(6):
        result = evaluation(drawn(rng, n_models=5, n_metrics=1, spread=0.5, flaw=flaw))
        counted = result.rank()._sentence().split(" may be first")[0]
        assert result.plot("ranks")._title().split(" may be first")[0] == counted
        if " may be first" in result.answer()._line:
            assert result.answer()._line.split(" may be first")[0] == counted


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e4])
def test_the_posterior_has_the_numbers_of_the_table(rng, scale):
    """[+0.0191, +0.0604] stood in the picture, [+0.019, +0.060] in the table."""
    scores = {"a": rng.normal(0.8, 0.02, 100), "b": rng.normal(rng.uniform(0.7, 0.8), 0.02, 100)}
    columns = {"repeat": np.repeat(np.arange(10), 10), "fold": np.tile(np.arange(10), 10)}
    table = {name: np.tile(column, 2) for name, column in columns.items()}
    table |= {"model": np.repeat(["a", "b"], 100), "score": scale * np.concatenate([*scores.values()])}
    result = skc.from_frame(table, greater_is_better=True)
    head, row = cells(*grids(result.explain(), "metrics"))
    shown = row[head.index("95% interval")]
    leader = result.answer().metrics[0].leader
    picture = result.plot("posterior", a=leader, b=next(name for name in "ab" if name != leader))
    assert f"credible interval {shown}, diamond: mean {row[head.index('lead')]}" in picture.ax_.get_xlabel()


@pytest.mark.parametrize("cv", [5, RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)])
def test_views_of_a_search_name_one_test_and_one_corrected_score(global_random_seed, cv):
    """A "corrected t test" here was a "k-fold t test" there, and 0.930 was 0.9297."""
    X, y = make_classification(150, flip_y=0.2, random_state=global_random_seed)
    grid = {"max_depth": [1, 2, 3], "min_samples_leaf": [1, 5]}
    search = GridSearchCV(DecisionTreeClassifier(random_state=0), grid, cv=cv, scoring="accuracy").fit(X, y)
    report = skc.SearchReport.from_search(search, X, y)
    document, test = report.explain(), report.plot("differences").procedure.split(",")[0]
    assert f"Model confidence set of {test}s" in str(document.named("test").text)
    picture = report.plot("candidates")
    corrected = picture.ax_.get_xlabel().split("less its selection bias, ")[1].split("\n")[0]
    told = " ".join(document.named("worth").texts)
    assert f"the bias-corrected score is {corrected}." in told or "shows no selection bias" in told
    if "bias-corrected" in document.named("answer").text:
        assert f"bias-corrected accuracy {corrected}" in document.named("answer").text
    means = {row[1] for row in cells(document.named("ranking"))[1:]}
    (best,) = [row[1] for row in cells(document.named("ranking"))[1:2]]
    assert {len(mean.rstrip("*+~")) for mean in means} == {len(best)} == {len(corrected)}


@pytest.mark.filterwarnings("ignore")
def test_pictures_say_what_a_question_mark_is(rng):
    result = evaluation(drawn(rng, n_models=4, n_metrics=1, flaw="failed"))
    for kind in ("pvalues", "win_probabilities"):
        matrix = result.plot(kind)
        assert "?" in {text.get_text() for text in matrix.ax_.texts}
        assert "?: no test" in matrix._notes()


def test_the_error_rate_does_not_depend_on_the_unit_of_the_target(global_random_seed):
    """Predictions of a small target counted as constant ones, and the rate was another one."""
    X, y = make_regression(120, 5, noise=20, random_state=global_random_seed)
    models = {"ridge": Ridge(), "knn": KNeighborsRegressor()}
    evaluator = skc.PairedEvaluator(cv="5x2", random_state=0, scoring="r2")
    told = [evaluator.evaluate(models, X, scale * y).explain().named("error rates") for scale in (1.0, 1e-9, 1e6)]
    assert [[*grid.rows()] for grid in told] == [[*told[0].rows()]] * 3


@pytest.mark.parametrize("flaw", ["none", "failed", "apart", "no metric"])
def test_the_forest_counts_the_differences_that_were_tested(rng, flaw):
    """Pairs without scores counted as tests, and what they lack stood between two rows."""
    for _ in range(3):
        result = evaluation(drawn(rng, n_models=3, n_metrics=3, flaw=flaw))
        rows = result.compare().rows
        forest = result.plot("differences")
        n = sum(row.outcome.tested for row in rows)
        if n > 1:
            assert f" of {n} differences " in forest._title()
        texts = [text for ax in (forest.ax_, *forest.ax_.child_axes) for text in ax.texts]
        bare = [one for one in texts if one.get_text() == "no scores in common"]
        assert len(bare) == sum(np.isnan(row.estimate) for row in rows)
        assert all(one.get_va() == "center" and one.xyann[1] == 0 for one in bare)


@pytest.mark.parametrize("n_models", [2, 4])
def test_data_sets_have_an_adjusted_p_where_there_are_other_comparisons(rng, n_models):
    result = study_of(drawn(rng, n_models=n_models, n_metrics=1, n_datasets=15))
    (note,) = result.plot("datasets")._notes()
    assert ("adjusted" in note) == (n_models > 2)


def test_candidates_whose_claims_are_fragile_are_marked_in_the_picture(rng, tmp_path):
    n, splits = int(rng.integers(4, 8)), rng.normal(0.8, 0.03, 10)
    scores = splits + rng.normal(0, 0.01, (n, 10)) - 0.012 * np.arange(n)[:, None]
    table = {"params": [{"depth": i} for i in range(n)], "param_depth": list(range(n))}
    table |= {f"split{k}_test_score": scores[:, k] for k in range(10)}
    table |= {"mean_test_score": scores.mean(axis=1), "std_test_score": scores.std(axis=1)}
    pd.DataFrame(table).to_csv(tmp_path / "search.csv", index=False)
    report = skc.SearchReport.read(tmp_path / "search.csv")
    fragile = [one.fragile for one in report.ranking]
    picture = report.plot("candidates")
    named = [one.get_text() for one in picture.ax_.get_yticklabels()][-n:]
    assert [name.endswith("~") for name in named] == fragile
    assert ("~ would not stand if the splits were random halves" in picture.ax_.get_xlabel()) == any(fragile)


@pytest.mark.parametrize("seed", [1, None])
def test_a_learning_curve_marks_fragile_claims_as_its_table_does(global_random_seed, seed):
    """A marker was filled like any other where the table had "nb better~"."""
    X, y = make_classification(
        240, n_informative=4, flip_y=0.1, random_state=global_random_seed if seed is None else seed
    )
    models = {"nb": GaussianNB(), "lr": LogisticRegression(), "tree": DecisionTreeClassifier(random_state=0)}
    evaluator = skc.PairedEvaluator(cv=5, random_state=0, scoring="accuracy")
    curve = evaluator.learning_curve(models, X, y, train_sizes=[60, 110, 192])
    picture, won = curve.plot("learning_curve"), [row for row in curve.compare() if row.winner]
    marked = {(picture.estimators[i], picture.sizes[j]) for i, j in np.argwhere(picture.fragile)}
    winners, firm = ({(row.winner, row.size) for row in own} for own in (won, [row for row in won if not row.fragile]))
    assert marked == winners - firm
    assert seed is None or marked
    assert sum(text.get_text() == "~" for text in picture.ax_.texts) == len(marked)
    assert ("~ would not stand in the worst of similar simulations" in lines_below(picture)) == bool(marked)


def test_the_sizes_of_a_table_say_what_is_not_known_of_it(rng):
    """The picture had a rate, where the text said that it was not measured for lack of the task."""
    table = {"fold": np.arange(10), "a": rng.uniform(0.6, 0.9, 10), "b": rng.uniform(0.6, 0.9, 10)}
    result = skc.read(table, metric=str(rng.choice(["accuracy", "f1", "roc_auc"])))
    assert "the task is not known" in str(result.explain())
    assert "of this run the task is not known" in lines_below(result.plot("size"))


@pytest.mark.parametrize("n_candidates", [12, 30])
def test_the_ranks_of_a_search_are_those_of_all_candidates(made_search, rng, n_candidates):
    """The picture said "All 10 models may be first", the report that 30 may be."""
    report = skc.SearchReport.from_search(made_search(n_candidates, seed=int(rng.integers(2**32))))
    picture, ranks = report.plot("ranks"), report.rank()
    assert picture._title().split(" may be first")[0] == ranks._sentence().split(" may be first")[0]
    assert len(report.plot("ranks", candidates=5).names) == 5


WITHOUT_A_VALUE = ("recall", "f1", "precision", "balanced_accuracy", "matthews_corrcoef", "recall_macro")


def two_of_one_test_set(rng, metrics, **options):
    """Two models that differ on few samples, and the result."""
    names = rng.permutation(["old", "new", "a<b"])[:2].tolist()
    y = rng.integers(0, 2, 400)
    a = np.where(rng.random(400) < 0.15, 1 - y, y)
    b = np.where(np.arange(400) < rng.integers(3, 40), 1 - y, a)
    return skc.from_predictions(y, dict(zip(names, (a, b), strict=True)), scoring=metrics, **options)


@pytest.mark.parametrize("views", ["str", "explain", "to_html", "to_json", "to_markdown"])
def test_a_share_of_samples_is_not_said_of_metrics_without_a_value_per_sample(rng, views):
    """ "old is ahead of new on both in 49% of samples" was said of models that differ on 3 of 400."""
    for n in (2, 3):
        result = two_of_one_test_set(rng, rng.permutation(WITHOUT_A_VALUE)[:n].tolist())
        text = " ".join(str(result if views == "str" else getattr(result, views)()).split())
        assert "metrics together:" not in text
        assert "pattern of wins" not in text


def test_all_that_speaks_of_single_samples_refuses_the_same_metrics(rng):
    names = rng.permutation(WITHOUT_A_VALUE).tolist()
    with_one = two_of_one_test_set(rng, ["accuracy", names[0]])
    for result, asked in ((two_of_one_test_set(rng, names[:2]), None), (with_one, [names[0]]), (with_one, names[:1])):
        for method in ("glrt", "dirichlet", "network", "table"):
            with pytest.raises(ValueError, match="must have a value on every sample"):
                result.dominance(method, metrics=asked)
        with pytest.raises(ValueError, match="must have a value on every sample"):
            result.plot("dominance", metrics=asked)
    assert with_one.dominance("table")[0].metrics == ("accuracy",)


@pytest.mark.parametrize("lacking", [0, 4, 12])
def test_a_share_of_splits_is_counted_over_all_splits(rng, lacking):
    """ "in 100% of splits" was said where one model had no scores on some of them."""
    metrics = rng.permutation(["accuracy", "recall", "f1"])[: rng.integers(2, 4)].tolist()
    base = rng.normal(0.7, 0.05, (50, len(metrics)))
    better = base + rng.normal(0.05, 0.02, base.shape)
    better[rng.permutation(50)[:lacking]] = np.nan
    result = evaluated(np.stack([base, better]), tuple(metrics), bare(5, 10))
    share = round(100 * float((better > base).all(axis=1).mean()))
    both = "both" if len(metrics) == 2 else "all three"
    assert f" m1 is ahead of m0 on {both} in {share}% of splits" in result.explain().named("together").text


def spelled_differently(positive, negative):
    """Of one quantity two names, or a name and a scorer, as people have them: labels come out of arrays of numpy."""
    of_one = {} if positive == 1 else {"pos_label": None}
    micro = [make_scorer(one, average="micro", **of_one) for one in (f1_score, precision_score)]
    of_two = {
        "specificity": make_scorer(recall_score, pos_label=negative),
        "recall": make_scorer(recall_score, pos_label=positive),
        "f1": make_scorer(f1_score, pos_label=positive),
    }
    return {"balanced_accuracy": "recall_macro", "accuracy": micro[0]}, {"accuracy": micro[1], **of_two}


@pytest.mark.parametrize("kind", [np.int64, np.str_])
@pytest.mark.parametrize("n_classes", [2, 4])
def test_one_quantity_under_two_names_has_one_answer(rng, kind, n_classes):
    """recall_macro was .0023, drawn, where balanced_accuracy was .0020, exact."""
    classes = np.sort(rng.choice(50, n_classes, replace=False) if kind is np.str_ else np.arange(n_classes)).astype(
        kind
    )
    y = rng.integers(n_classes, size=200)
    y[:n_classes] = np.arange(n_classes)
    a, b = (np.where(rng.random(200) < wrong, rng.integers(n_classes, size=200), y) for wrong in (0.15, 0.25))
    positive = np.sort(classes)[-1]
    of_several, of_two = spelled_differently(positive, next(one for one in classes if one != positive))
    for name, other in {**of_several, **(of_two if n_classes == 2 else {})}.items():
        models = {"a": classes[a], "b": classes[b]}
        result = skc.from_predictions(classes[y], models, scoring={"one": name, "other": other})
        one, same = result.compare(correction="none")
        assert (one.pvalue, one.low, one.high) == pytest.approx((same.pvalue, same.low, same.high), rel=1e-9)
        assert one.estimate == pytest.approx(same.estimate, abs=1e-12)


@pytest.mark.parametrize("names", [("recall_macro", "balanced_accuracy"), ("recall_weighted", "accuracy")])
def test_so_has_one_in_tests_of_arrays(rng, names):
    y, a, b = rng.integers(5, size=(3, 120))
    y[:5] = np.arange(5)
    for test in (paired_metric_test, paired_bootstrap):
        one, other = (test(y, np.where(y % 2, y, a), b, name, rng=0) for name in names)
        assert (one.pvalue, one.estimate) == pytest.approx((other.pvalue, other.estimate), rel=1e-12)
        ends = [(found.low, found.high) for found in (one.confidence_interval(), other.confidence_interval())]
        assert ends[0] == pytest.approx(ends[1], rel=1e-9)


@pytest.mark.parametrize("design", [(1, 2), (1, 3), (2, 2), (1, 5), (10, 10)])
@pytest.mark.parametrize("n_models", [2, 4])
def test_comparisons_say_that_splits_are_few_as_reports_do(rng, design, n_models):
    result = evaluation(drawn(rng, design=design, n_models=n_models))
    told = [any("hardly tell how much the scores vary" in one for one in result.explain().named("warnings").texts)]
    for view in (result.compare(), result.compare().to_markdown(), result.compare(metrics="accuracy")):
        told.append("hardly tell how much the scores vary" in " ".join(str(view).split()))
    assert told == [design[0] * design[1] < 5] * 4


@pytest.mark.parametrize("n_models", [2, 3, 6])
@pytest.mark.parametrize("whose", ["all", "one"])
def test_the_first_table_says_where_the_reason_of_a_lacking_mean_stands(rng, n_models, whose):
    """ "n/a" stood there, and nothing else."""
    scores = rng.normal(0.7, 0.05, (n_models, 10, 3))
    metrics = rng.permutation(["accuracy", "recall", "f1", "roc_auc"])[:3].tolist()
    lacking = int(rng.integers(1, 3))
    scores[slice(None) if whose == "all" else -1, :, lacking] = np.nan
    result = evaluated(scores, tuple(metrics), bare(1, 10))
    line = f"n/a: result.explain() says why {metrics[lacking]} is lacking."
    for view in (result, result.to_markdown(), result.to_html()):
        assert line in " ".join(str(view).replace("\\", "").split())
    assert any("MISSING_SCORES" in one and metrics[lacking] in one for one in result.explain().named("warnings").texts)
    whole = np.nan_to_num(scores, nan=0.5)
    assert "n/a" not in str(evaluated(whole, tuple(metrics), bare(1, 10)))


def unknown(estimator, X, y):
    """A scorer of which nothing is known."""
    return float((estimator.predict(X) == y).mean())


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("failing", [0, 1])
@pytest.mark.parametrize("n_models", [2, 3, 5])
def test_answer_ranks_and_picture_name_no_model_where_no_two_can_be_compared(rng, n_models, failing):
    """ "No model can be named" stood beside "nb has the best m. No test of lr against nb is possible"."""
    y = rng.integers(0, 2, 60)
    models = {f"m{i}": GaussianNB(var_smoothing=10.0**-i) for i in range(n_models)} | (
        {"broken": Broken()} if failing else {}
    )
    evaluator = skc.PairedEvaluator(
        cv=ShuffleSplit(1, random_state=0), scoring={"m": unknown}, error_score=np.nan, random_state=0
    )
    result = evaluator.evaluate(models, rng.normal(size=(60, 3)) + y[:, None], y)
    for view in (str(result), str(result.answer()), str(result.rank()), result.plot("ranks")._title().capitalize()):
        assert view.startswith("No model can be named on m")
    assert {*result.rank().untested} == {*models} - {"broken"}


# ---- words ---------------------------------------------------------------------------------------------------------

OF_PYTHON = {row.name for row in skc.procedures()}


@pytest.mark.parametrize("n_models", [2, 3, 5])
@pytest.mark.parametrize("make", [evaluation, study_of, runs_of, items_of])
def test_texts_call_tests_as_people_do(rng, make, n_models):
    """The explanation said "At 5% by paired_metric_test"."""
    for flaw in ("none", "equal models", "missing"):
        design = [(1, 10), (10, 10), (5, 2), (1, 2)][int(rng.integers(4))]
        recipe = drawn(rng, n_models=n_models, flaw=flaw, design=design, n_runs=8, n_datasets=12, n_samples=60)
        result = make(recipe)
        views = [str(result), result.summary("full"), result.to_markdown(), result.to_latex(), result._repr_html_()]
        for view in (*views, str(result.compare()), result.methods_text()):
            assert OF_PYTHON.isdisjoint(re.findall(r"\w+", view))
