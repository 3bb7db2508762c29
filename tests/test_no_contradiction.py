"""No two views of one result contradict each other, whatever the scores are; and what the views are, at most, long."""

from __future__ import annotations

import html
import json
import os
import re
from dataclasses import asdict, replace
from functools import lru_cache

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st
from skcompare.reporting.answer import first_line, sentences, unvaried
from skcompare.reporting.html import html_page
from sklearn.datasets import load_breast_cancer, make_regression
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from skcompare import Outcome, PairedEvaluator, SearchReport, StudyResult, from_frame, load
from skcompare.cli import main as cli
from skcompare.comparison.dominance import dominance_said
from skcompare.plotting import CriticalDifferenceDisplay, DifferencesDisplay, DominanceDisplay, ScoresDisplay
from skcompare.reporting.mlflow import run_tags
from skcompare.reporting.search import search_html_page
from skcompare.reporting.words import joint_verdict
from skcompare.selection._search_report import search_page
from tests import claims
from tests.made_results import METRICS, evaluation, items_of, on_a_test_set, search_of, stopped_run, study_of

FULL = os.environ.get("SKCOMPARE_FULL") == "1"
N_MODELS = (2, 2, 3, 3, 4, 5, 7, 10)
FLAWS = ("none", "none", "equal models", "coarse", "missing", "failed", "no metric", "apart", "still")


def examples(full, few):
    phases = [phase for phase in Phase if phase not in (Phase.shrink, Phase.explain)]  # a recipe is short as it is
    return settings(
        max_examples=full if FULL else few, deadline=None, phases=phases, suppress_health_check=[*HealthCheck]
    )


# ---- what may come ---------------------------------------------------------------------------------------------


def recipes(**more):
    """What scores are made of; short to read where a law fails."""
    return st.fixed_dictionaries(
        {
            "seed": st.integers(0, 2**32 - 1),
            "n_models": st.sampled_from(N_MODELS),
            "spread": st.sampled_from([0.0, 0.5, 2.0, 8.0]),
            "flaw": st.sampled_from(FLAWS),
            "n_metrics": st.integers(1, len(METRICS)),
            **more,
        }
    )


EVALUATIONS = recipes(design=st.sampled_from([(1, 3), (1, 5), (1, 10), (2, 5), (10, 10)]))
STOPPED = recipes(
    n_metrics=st.integers(1, 2),
    design=st.sampled_from([(6, 5), (4, 10), (3, 5)]),
    flaw=st.sampled_from(["none", "none", "equal models", "coarse", "one missing", "still"]),
    rope=st.sampled_from([None, None, 0.05]),
    alpha=st.sampled_from([0.01, 0.05, 0.2]),
    drop=st.booleans(),
)
CASES = recipes(
    flaw=st.sampled_from(["none", "none", "equal models", "coarse", "twins"]),
    n_samples=st.sampled_from([6, 20, 60, 200, 500]),
    n_metrics=st.integers(1, 4),
)
STUDIES = recipes(
    n_metrics=st.integers(1, 3),
    n_datasets=st.sampled_from([2, 4, 6, 8, 12, 20]),
    flaw=st.sampled_from([flaw for flaw in FLAWS if flaw != "no metric"]),
)


SEARCHES = st.fixed_dictionaries(
    {
        "seed": st.integers(0, 2**32 - 1),
        "n_candidates": st.sampled_from([2, 3, 6, 12, 40]),
        "n_metrics": st.integers(1, 3),
        "design": st.sampled_from([(3, 1), (5, 1), (10, 1), (5, 2)]),
        "n_failed": st.sampled_from([0, 0, 1, 2]),
        "ties": st.booleans(),
        "alpha": st.sampled_from([0.01, 0.05, 0.3]),
    }
)


# ---- what is asked of every view --------------------------------------------------------------------------------


def agrees(found, answer):
    """What a view claims, and that it claims something."""
    found = list(found)
    assert claims.contradictions(found, answer) == []
    return found


@lru_cache(maxsize=1)
def page_of(result):
    """The page without its pictures."""
    return html_page(result._views.page(result, result._views.detailed(result), []))


def all_pairs(answer):
    return {pair[:3] for pair in claims.of_answer(answer)}


PICTURED = {"a": "better", "b": "worse", "not tested": "untested", "no test": "no test"}


def agree_with_rows(result, answer):
    """Rows, frames, JSON and the tables of all pairs have each pair on each metric."""
    rows, frame, document = result.compare(), result.compare().to_frame(), json.loads(result.to_json())
    everything = {(row.a, row.b, row.metric) for row in rows}
    assert {place for place in all_pairs(answer) if place in everything} == everything
    views = [rows, frame.astype(object).where(frame.notna(), None).to_dict("records"), document["comparison"]["rows"]]
    for view in views:
        assert len(agrees(claims.of_rows(view), answer)) == len(everything)
    assert without_bounds(document["answer"]) == without_bounds(json.loads(json.dumps(asdict(answer))))
    assert len(agrees(claims.of_markdown_pairs(rows.to_markdown()), answer)) == len(everything)
    assert len(agrees(claims.of_pair_table(result, result.summary("full")), answer)) == len(everything)
    picture = DifferencesDisplay.from_result(result).frame()
    drawn = [claims.Claim(row.a, row.b, row.metric, PICTURED.get(row.better, "alike")) for row in picture.itertuples()]
    assert len(agrees(drawn, answer)) == len(everything)


def without_bounds(answer):
    """An answer of JSON without the numbers, which may be nan."""
    return {**answer, "metrics": [{**on, "bound": None, "omnibus": None} for on in answer["metrics"]]}


def agree_on_all_metrics(result, answer):
    """A statement on all metrics is established exactly when each of its parts is."""
    if len(result.metrics) < 2:
        return
    known = claims.of_answer(answer)
    for row in result.dominance_table():
        if row.established is not None:
            parts = zip(row.statement or (), row.metrics, strict=False)
            wanted = [(known[row.a, row.b, metric], "better" if wins else "worse") for wins, metric in parts]
            assert row.established == (row.statement is not None and all(is_ == want for is_, want in wanted))
    agree_on_the_dominance_test(result)


def agree_on_the_dominance_test(result):
    """The picture of a pair has the p-value of the texts, and beside no probability stands a p-value alone."""
    full = " ".join(result.summary("full").split())
    for row in result._views.summarise(result).joint[:3]:
        picture = DominanceDisplay.from_result(result, metrics=row.metrics, a=row.a, b=row.b)
        np.testing.assert_equal(picture.pvalue, row.pvalue_adjusted)
        if row.statement is not None:
            said = dominance_said(row.pvalue_adjusted, within_reach=row.within_reach())
            assert said in joint_verdict(row)
            assert said in picture._title() or row.statement != row.most_probable
    for p in re.findall(r"posterior [^()]*% *(?:before any adjustment)?, dominance test p [=<] ([0-9.]+)", full):
        assert float(p) <= 0.05


def agree_on_the_first_line(result, answer, folder):
    """Every view begins with the same line, and what it says is the answer."""
    summary = result._views.summarise(result)
    first, said = first_line(answer), " ".join(sentences(summary))
    assert said.startswith(first)
    agrees(claims.of_first_line(answer, first), answer)
    result.save(folder / "result.skc")
    loaded = load(folder / "result.skc")
    shown = CliRunner().invoke(cli.command, ["show", str(folder / "result.skc")])
    assert shown.exit_code == 0
    assert " ".join(str(answer).split("\n\n")[0].split()) == " ".join(filter(None, (first, unvaried(answer))))
    texts = [result.summary(), result.summary("full"), str(result), str(loaded), shown.output]
    assert {" ".join(text.split("\n\n")[0].split("\n- ")[0].split()) for text in texts} == {said}
    assert json.loads(result.to_json())["verdict"] == sentences(summary)
    assert run_tags(summary, {}, ())["verdict"] == said
    markdown = result.to_markdown().replace("\\", "")
    assert markdown.split("\n\n| model |")[0].replace("\n\n", " ") == said
    page = page_of(result)
    for view in (result._repr_html_(), page.split("<script")[0]):
        assert all(sentence in html.unescape(view) for sentence in sentences(summary))
    agrees(claims.of_page(page, result), answer)


def agree_on_own_scores(result):
    """Every view has the scores and intervals of `intervals`, but for deviations in the tables for papers on folds."""
    own, n = result.intervals(), len(result.estimators)
    document = json.loads(result.to_json())["intervals"]["rows"]
    assert [(row["model"], row["metric"]) for row in document] == [(row.model, row.metric) for row in own]
    for name in ("score", "low", "high"):
        np.testing.assert_array_equal(
            np.array([row[name] for row in document], dtype=float), [getattr(row, name) for row in own]
        )
    for view, columns in claims.own_scores(result, page_of(result)):
        cells = [cell for column in columns for cell in column]
        for cell, row in zip(cells, own, strict=True):
            score, *limits = claims.own_score(cell)
            assert claims.rounds_to(score, row.score), view
            if limits[0] is not None:
                assert [*map(claims.rounds_to, limits, (row.low, row.high))] == [True, True], view
            else:
                assert np.isnan(row.low) or (result.design.kind == "folds" and view in ("Markdown", "LaTeX")), view
    shown = [
        metric for m, metric in enumerate(result.metrics) if any(row.score == row.score for row in own[m * n :][:n])
    ]
    for metric in shown[:1]:
        drawn = ScoresDisplay.from_result(result, metric=metric)
        wanted = [(row.low, row.high) for row in own if row.metric == metric]
        np.testing.assert_array_equal(drawn.limits, wanted)


def agree_on_the_leader(result, answer, *, ranked):
    """The table of the leader and the daggers."""
    agrees(claims.of_groups(answer), answer)
    if len(result.estimators) > 2:
        agrees(claims.of_leader_table(answer, result.summary()), answer)
    agrees(claims.of_score_columns(answer, result, ranked=ranked), answer)


def agree_on_the_level(result, answer):
    """The error rate, and by what a difference is significant: in every caption, and in every p-value beside it."""
    rows, document = result.compare(), json.loads(result.to_json())
    assert {rows.alpha, document["comparison"]["alpha"], document["answer"]["alpha"]} == {answer.alpha}
    assert rows.sequential == answer.sequential
    for row in rows:
        if answer.sequential:
            assert np.isnan(row.pvalue_adjusted)
        else:
            assert row.outcome is not Outcome.NOT_TESTED
            assert (row.pvalue_adjusted < answer.alpha) == (row.winner is not None)
    page = page_of(result).split("<script")[0]
    captions = {
        "print": str(rows),
        "text": result.summary(),
        "full": result.summary("full"),
        "Markdown": result.to_markdown(),
        "pairs": rows.to_markdown(),
        "LaTeX": result.to_latex().replace("\\%", "%"),
        "page": html.unescape(page),
        "methods": result.methods_text(),
        "picture": DifferencesDisplay.from_result(result)._title(),
    }
    rate = f"{100 * answer.alpha:g}%"
    for view, text in captions.items():
        said = " ".join(text.replace("\\", "").split())
        if answer.sequential:
            assert re.search(rf"sequential (verdict|test).*{rate}", said), view
            own = re.split("[Mm]ost (?:probable|frequent) pattern", said)[0]
            assert not re.search(r"[Hh]olm|p adj|below 0\.05", own), view
        else:
            assert "sequential verdict" not in said, view
            told = rate in said or f"{answer.alpha:g}" in said
            assert told or view in ("page", "picture") or not rows.n_hypotheses, view


def bounds_say_something(result, answer):
    """No bound is as large as any difference can be, and a bound of 0 is of the very same scores."""
    spans = {means.name: means.span for means in result._views.summarise(result).metrics}
    for on in answer.metrics:
        assert not on.bound >= spans[on.metric]
        facing = [row for row in result.compare() if row.metric == on.metric and on.leader in (row.a, row.b)]
        alike = [row for row in facing if {row.a, row.b} & {*on.not_different}]
        assert on.bound != 0 or all(row.wins == row.losses == 0 for row in alike)


def is_short(result):
    """The lines of the short summary, and how wide they are."""
    assert len(result.summary().splitlines()) <= (23 if len(result.estimators) == 2 else 35)
    names = 2 * max(14, *map(len, result.estimators)) + max(map(len, result.metrics))
    for detail in ("short", "full"):
        is_narrow(result.summary(detail), 60 + names)


def is_narrow(text, widest):
    """Prose fits a terminal of 80 columns, and so do tables unless names or numbers are long."""
    for line in text.splitlines():
        in_table = "  " in line.strip() or not line.strip("-")
        assert len(line) <= (widest if in_table else 80)


# ---- the laws ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("saved")


def agree_in_every_view(result, answer, folder, *, ranked):
    agree_with_rows(result, answer)
    agree_on_all_metrics(result, answer)
    agree_on_the_leader(result, answer, ranked=ranked)
    agree_on_the_first_line(result, answer, folder)
    agree_on_the_level(result, answer)
    bounds_say_something(result, answer)
    if not ranked:
        agree_on_own_scores(result)
    is_short(result)


@examples(300, 6)
@given(recipe=EVALUATIONS)
def test_the_views_of_an_evaluation_agree(folder, recipe):
    result = evaluation(recipe)
    answer = result.answer()
    agree_in_every_view(result, answer, folder, ranked=False)


@examples(200, 3)
@given(recipe=CASES)
def test_the_views_of_one_test_set_agree(folder, recipe):
    result = on_a_test_set(recipe)
    agree_in_every_view(result, result.answer(), folder, ranked=False)


@examples(200, 5)
@given(recipe=CASES)
def test_the_views_of_items_agree(folder, recipe):
    result = items_of(recipe)
    agree_in_every_view(result, result.answer(), folder, ranked=False)


WITHOUT_LEADER = {"n_metrics": 3, "spread": 0.0, "seed": 193408, "n_models": 7, "flaw": "failed", "n_datasets": 12}


@examples(200, 5)
@given(recipe=STUDIES, alpha=st.sampled_from([0.01, 0.05, 0.2]))
@example(recipe=WITHOUT_LEADER, alpha=0.05)
def test_the_views_of_a_study_agree(folder, recipe, alpha):
    study = study_of(recipe)
    answer = study.answer()
    agree_in_every_view(study, answer, folder, ranked=True)
    for metric in study.metrics:
        agree_on_the_ranks(study, answer, metric, alpha)


def agree_on_the_ranks(study, answer, metric, alpha):
    """Letters and bars, at 5% those of the answer, at another level those of the adjusted p-values."""
    try:
        ranking = study.rank(metric)
        agree_on_all_equal(study, ranking)
    except ValueError:  # no data set with scores of all models
        return
    agrees(claims.of_letters(metric, ranking.groups), answer)
    significant = {
        frozenset((row.a, row.b)) for row in study.compare() if row.metric == metric and row.pvalue_adjusted < alpha
    }
    for groups in (study.rank(metric, alpha=alpha).groups, letters_of_bars(study, metric, alpha)):
        apart = {frozenset((a, b)) for a, b, _, outcome in claims.of_letters(metric, groups) if outcome == "apart"}
        assert groups == {} or apart == significant
    for summary in study._views.summarise(study).rankings:
        if summary.metric == metric:
            agrees(claims.of_letters(metric, {model.name: model.group for model in summary.models}), answer)


def agree_on_all_equal(study, ranking):
    """The omnibus line beside letters; a test of one metric is the same in each view."""
    on = next(on for on in study.answer().metrics if on.metric == ranking.metric)
    told = " ".join(str(ranking).split())
    if len(study.estimators) > 2:
        gaps = bool(np.isnan(ranking.ranks).any())
        assert on.omnibus_test == ("Skillings-Mack test" if gaps else "Friedman test")
        if ranking.names == study.estimators:  # a model without any score is left out
            test = study.test("skillings_mack_test" if gaps else "friedman_test", metric=ranking.metric)
            assert on.omnibus == pytest.approx(test.pvalue, nan_ok=True)
        assert (on.n_datasets, on.omnibus < 0.05) == (len(ranking.ranks), "That all are equal is rejected" in told)
    shared = set.intersection(*map(set, ranking.groups.values()))
    rejected = ranking.omnibus.pvalue < 0.05
    assert ("though no pair differs significantly" in told) == (rejected and bool(shared))
    if len(study.estimators) > 2:
        assert told.split("That all")[1].split(". ")[0] in " ".join(study.summary("full").split())


def letters_of_bars(study, metric, alpha):
    """The letters that a critical-difference diagram draws as bars; empty where it cannot be drawn."""
    try:
        frame = CriticalDifferenceDisplay.from_result(study, metric=metric, alpha=alpha).frame()
    except ValueError:
        return {}
    return dict(zip(frame["model"], frame["group"], strict=True))


@examples(50, 3)
@given(recipe=STOPPED)
def test_the_views_of_a_stopped_run_agree(folder, recipe):
    result = stopped_run(recipe)
    answer, stopping = result.answer(), result.stopping
    assert answer.sequential == bool(stopping.looks)
    agree_in_every_view(result, answer, folder, ranked=False)
    if stopping.looks:
        (on,) = answer.metrics
        assert {*stopping.worse} == {*on.worse}
        untested = (*on.unvarying, *on.smaller, *on.larger)  # the looks found no difference of these either
        left = {name for name in (on.leader, *on.not_different, *on.equivalent, *untested) if name is not None}
        assert left == {*stopping.names}
        assert (stopping.kind == "equivalent") == bool(on.equivalent)
        assert stopping.kind != "best" or not (on.not_different or untested)
        assert ("not significantly different" in stopping.verdict) == bool(on.not_different or untested)
        assert stopping.verdict.split("; ")[0] in result.methods_text()


@examples(100, 3)
@given(recipe=SEARCHES)
def test_the_views_of_a_search_agree(made_search, recipe):
    report = SearchReport.from_search(search_of(recipe, made_search), alpha=recipe["alpha"])
    answer = report.answer()
    (on,) = answer.metrics
    assert (on.leader, on.metric) == (report.best.name, report.metric)
    agrees(claims.of_groups(answer), answer)
    for found in claims.of_search(report, on):
        assert len(agrees(found, answer)) > 0
    summary, said = report._views.summarise(report), first_line(answer)
    page = search_html_page(replace(search_page(report), figures=()))
    starts = [report.summary(), str(report), report.summary("full"), report.to_markdown(), str(answer)]
    assert all(" ".join(text.replace("\\", "").split()).startswith(said) for text in starts)
    assert all(said in html.unescape(view) for view in (report._repr_html_(), page.split("<script")[0]))
    assert len(report.summary().splitlines()) <= 35
    widest = 80 + max(len(name) for name in report.confidence_set.names)
    is_narrow(report.summary(), widest)
    is_narrow(report.summary("full"), widest)
    assert summary.alpha == answer.alpha == recipe["alpha"]
    leaders = report.result(min(4, len(report.confidence_set.names)))
    of_leaders = leaders.answer()
    agree_with_rows(leaders, of_leaders)
    agree_on_all_metrics(leaders, of_leaders)
    agree_on_the_leader(leaders, of_leaders, ranked=False)
    first = of_leaders.metrics[0]
    assert (first.leader, first.metric) == (on.leader, on.metric)
    assert {*first.worse} == {*on.worse} & {*leaders.estimators}
    assert {*first.not_different} == {*on.not_different} & {*leaders.estimators}


# ---- contradictions that were seen ------------------------------------------------------------------------------


def test_who_is_better_on_every_metric_is_better_on_all_whatever_the_dominance_test_says():
    models = {
        "lr": make_pipeline(StandardScaler(), LogisticRegression()),
        "nb": GaussianNB(),
        "tree": DecisionTreeClassifier(random_state=0),
    }
    scoring = ["accuracy", "recall", "f1", "roc_auc"]
    evaluator = PairedEvaluator(cv="3x5", scoring=scoring, random_state=0)
    result = evaluator.evaluate(models, *load_breast_cancer(return_X_y=True))
    assert result.answer().pair("lr", "tree").better == tuple(scoring)
    (row,) = [row for row in result.dominance_table() if (row.a, row.b) == ("lr", "tree")]
    assert row.pvalue_adjusted > 0.05
    assert row.established
    full = " ".join(result.summary("full").split())
    assert "lr better than tree on all 4 metrics (posterior" in full
    assert "; each part is significant above: there the size of wins counts, here their number" in full


def test_a_picture_and_the_texts_have_one_p_value_for_a_pattern():
    models = {"lr": make_pipeline(StandardScaler(), LogisticRegression()), "nb": GaussianNB()}
    models["tree"] = DecisionTreeClassifier(random_state=0)
    evaluator = PairedEvaluator(cv="2x5", scoring=["accuracy", "roc_auc", "recall"], random_state=0)
    result = evaluator.evaluate(models, *load_breast_cancer(return_X_y=True))
    pair = result.dominance_table()[0]
    assert pair.pvalue < pair.pvalue_adjusted
    assert not pair.within_reach()
    for kind in ("dominance", "quadrants"):
        picture = result.plot(kind)
        assert "too few cases for a" in " ".join(picture.ax_.get_title(loc="left").split())
    assert result.plot("dominance").pvalue == pair.pvalue_adjusted
    alone = PairedEvaluator(cv="10x10", scoring=["accuracy", "roc_auc"], random_state=0).evaluate(
        {"lr": models["lr"], "nb": models["nb"]}, *load_breast_cancer(return_X_y=True)
    )
    (pair,) = alone.dominance_table()
    assert alone.plot("dominance").pvalue == pair.pvalue == pair.pvalue_adjusted
    assert f"dominance test p = {pair.pvalue:.3f}" in " ".join(alone.summary("full").split()) or pair.pvalue >= 0.001


def test_letters_rows_and_patterns_of_a_study_share_one_error_budget():
    """Each of four models wins every one of eight data sets against the next: enough for 6 comparisons, not for 12."""
    level = 0.9 - 0.1 * np.arange(4)[:, None] + np.random.default_rng(0).uniform(0, 0.05, 8)
    rows = [
        (f"m{i}", f"d{j}", m, level[i, j]) for i in range(4) for j in range(8) for m in ("accuracy", "recall", "f1")
    ]
    columns = zip(("model", "dataset", "metric", "score"), zip(*rows, strict=True), strict=True)
    study = StudyResult.from_frame({name: list(column) for name, column in columns})
    assert all(row.pvalue_adjusted < 0.05 for row in study.compare(metrics="accuracy"))
    others = ("recall", "f1")
    assert all(row.pvalue * 6 < 0.05 < row.pvalue_adjusted for row in study.compare(metrics=others))
    for metric in others:
        assert set(study.rank(metric).groups.values()) == {"a"}
        picture = CriticalDifferenceDisplay.from_result(study, metric=metric).frame()
        assert set(picture["group"]) == {"a"}
    assert {row.established for row in study.dominance_table()} == {False}
    said = "Use m0. m1, m2 and m3 are significantly worse on accuracy."
    assert " ".join(study.summary().split()).startswith(said)


def test_a_stopped_run_names_who_is_left_once_and_has_a_row_for_each():
    design = {"design": (6, 5), "rope": None, "alpha": 0.05, "drop": True}
    recipe = {"seed": 6, "n_models": 5, "spread": 2.0, "flaw": "none", "n_metrics": 1, **design}
    result = stopped_run(recipe)
    left = result.stopping.names
    assert len(left) == 3
    assert result.stopping.kind == "undecided"
    first = result.answer().metrics[0]
    assert {first.leader, *first.not_different} == {*left}
    lines = claims.table_cells(result.summary(), "accuracy")[1:]
    outcomes = {cells[0]: cells[-1] for cells in lines if cells[0] in left}
    assert outcomes == {first.leader: "leads"} | dict.fromkeys(first.not_different, "not significant")
    assert result.summary().split("\n\n")[0].count("not significantly different") == 1


def test_the_two_best_of_several_models_have_a_row():
    result = evaluation({"seed": 1, "n_models": 5, "spread": 0.5, "flaw": "none", "n_metrics": 2, "design": (2, 5)})
    (means, _) = result._views.summarise(result).metrics
    best, second = (result.estimators[i] for i in np.argsort(means.merits)[:-3:-1])
    lines = claims.table_cells(result.summary(), "accuracy")
    assert [cells[0] for cells in lines[1:3]] == [best, second]
    (row,) = [row for row in result.compare() if row.metric == "accuracy" and {row.a, row.b} == {best, second}]
    lead = abs(row.estimate)
    assert float(lines[2][2]) == pytest.approx(lead, abs=1e-4)
    assert lines[2][-1] == "not significant"


@pytest.mark.sampled
@pytest.mark.parametrize("n_significant", [0, 1, 5, 20])
@pytest.mark.parametrize("names", [("lr", "nb"), ("a pipeline with a name", "another one of the same")], ids=len)
def test_two_models_on_many_metrics_are_short_and_show_what_is_significant(n_significant, names):
    rng = np.random.default_rng(0)
    metrics = [f"metric {m}" for m in range(20)]
    lead = {m: 0.2 if i >= 20 - n_significant else 0.0 for i, m in enumerate(metrics)}
    rows = [
        (name, f, m, 0.6 + lead[m] * (name == names[0]) + rng.normal(0, 0.02))
        for name in names
        for f in range(10)
        for m in metrics
    ]
    columns = zip(("model", "fold", "metric", "score"), zip(*rows, strict=True), strict=True)
    result = from_frame({name: list(column) for name, column in columns})
    assert len(result.answer().pairs[0].better) == n_significant
    is_short(result)
    cells = claims.table_cells(result.summary(), "metric")
    shown = {metric: outcome for metric, *_, outcome in (line for line in cells if line[0] in metrics)}
    found = [metric for metric, outcome in shown.items() if outcome == f"{names[0]} better"]
    assert metrics[0] in shown
    assert set(found) <= set(result.answer().pairs[0].better)
    assert n_significant > 3 or len(found) == n_significant
    assert f'\n{len(metrics) - len(shown)} more metrics: summary(detail="full").\n' in result.summary()
    assert all(metric in result.summary("full").split("\n\n")[2] for metric in metrics)
    agrees(claims.of_pair_table(result, result.summary("full")), result.answer())


def test_no_error_rate_is_quoted_for_a_study():
    study = study_of({"seed": 0, "n_models": 3, "spread": 2.0, "flaw": "none", "n_metrics": 2, "n_datasets": 8})
    page = html_page(study._views.page(study, study._views.summarise(study), []))
    for text in (study.summary(), study.summary("full"), page):
        assert "Error rate not measured for runs like this" in " ".join(text.split())
    assert "How often the test is wrong on such data is not known from simulations" in study.methods_text()


@pytest.mark.usefixtures("without_wide_study")
def test_no_error_rate_of_two_classes_is_quoted_for_a_regression():
    models = {"lin": LinearRegression(), "tree": DecisionTreeRegressor(random_state=0)}
    result = PairedEvaluator(cv=5, random_state=0).evaluate(models, *make_regression(100, 5, noise=9, random_state=0))
    for detail in ("short", "full"):
        text = " ".join(result.summary(detail).split())
        assert "Error rate not measured for runs like this" in text
        assert "simulated nulls" not in text
