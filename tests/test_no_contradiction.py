"""No two views of one result contradict each other, whatever the scores are; and what the views are, at most, long."""

from __future__ import annotations

import html
import json
import os
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from skcompare import StopRule, StudyResult, from_frame, load
from skcompare.cli.main import command
from skcompare.comparison.stopping import SequentialMonitor
from skcompare.evaluation._scoring import Metric
from skcompare.plotting import CriticalDifferenceDisplay, DifferencesDisplay
from skcompare.reporting.answer import first_line
from skcompare.reporting.html import html_page
from skcompare.reporting.mlflow import _tags
from skcompare.reporting.verdict import sentences
from tests import claims

FULL = os.environ.get("SKCOMPARE_FULL") == "1"
N_MODELS = (2, 2, 3, 3, 4, 5, 7, 10)
METRICS = ("accuracy", "fit_time", "recall", "model_size")
COSTS = ("fit_time", "model_size")
FLAWS = ("none", "none", "equal models", "coarse", "missing", "failed", "no metric", "apart")


def examples(full, few):
    phases = [phase for phase in Phase if phase not in (Phase.shrink, Phase.explain)]  # a recipe is short as it is
    return settings(
        max_examples=full if FULL else few, deadline=None, phases=phases, suppress_health_check=[*HealthCheck]
    )


# ---- scores that may come ---------------------------------------------------------------------------------------


def made_scores(rng, n_models, metrics, n, *, spread, flaw):
    """Scores of shape (n_models, n, n_metrics): models that differ by about `spread` noises, and what can be wrong."""
    strength = rng.normal(0, 0.02 * spread, (n_models, 1, len(metrics)))
    noise = rng.normal(0, 0.02, (n_models, n, len(metrics))) + rng.normal(0, 0.03, (1, n, len(metrics)))
    scores = 0.7 + strength + noise
    if flaw == "equal models":
        scores[-1] = scores[0]
    if flaw == "coarse":
        scores = np.round(scores, 1)
    if flaw == "missing":
        scores[rng.random(scores.shape) < 0.2] = np.nan
    if flaw == "failed":
        scores[rng.integers(n_models)] = np.nan
    if flaw == "no metric":
        scores[:, :, rng.integers(len(metrics))] = np.nan
    if flaw == "apart":
        scores[0, : n // 2], scores[1, n // 2 :] = np.nan, np.nan
    less = np.isin(metrics, COSTS)
    return np.where(less, np.exp(5 * (1 - scores)), scores)


@cache
def bare(repeats, folds):
    """A result of two models on one metric, for its design."""
    columns = {"repeat": np.repeat(np.arange(repeats), folds), "fold": np.tile(np.arange(folds), repeats)}
    both = {name: np.tile(column, 2) for name, column in columns.items()}
    n = repeats * folds
    return from_frame({"model": np.repeat(["a", "b"], n), **both, "score": np.linspace(0, 1, 2 * n)})


def evaluated(scores, metrics, repeats, folds, **changes):
    times = np.ones(scores.shape[:2])
    return replace(
        bare(repeats, folds),
        estimators=tuple(f"m{i}" for i in range(len(scores))),
        metrics=metrics,
        greater_is_better=tuple(metric not in COSTS for metric in metrics),
        scores=scores,
        fit_times=times,
        score_times=times.copy(),
        single_metric=False,
        **changes,
    )


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


def scores_of(recipe, n):
    """The scores of a recipe, its metrics, and the random numbers that are left."""
    rng, metrics = np.random.default_rng(recipe["seed"]), METRICS[: recipe["n_metrics"]]
    scores = made_scores(rng, recipe["n_models"], metrics, n, spread=recipe["spread"], flaw=recipe["flaw"])
    return scores, metrics, rng


EVALUATIONS = recipes(design=st.sampled_from([(1, 3), (1, 5), (1, 10), (2, 5), (10, 10)]))
STOPPED = recipes(
    n_metrics=st.integers(1, 2),
    design=st.sampled_from([(6, 5), (4, 10), (3, 5)]),
    flaw=st.sampled_from(["none", "none", "equal models", "coarse", "one missing"]),
    rope=st.sampled_from([None, None, 0.05]),
    alpha=st.sampled_from([0.01, 0.05, 0.2]),
    drop=st.booleans(),
)
STUDIES = recipes(
    n_metrics=st.integers(1, 3),
    n_datasets=st.sampled_from([2, 4, 6, 8, 12, 20]),
    flaw=st.sampled_from([flaw for flaw in FLAWS if flaw != "no metric"]),
)


def evaluation(recipe):
    scores, metrics, _ = scores_of(recipe, recipe["design"][0] * recipe["design"][1])
    return evaluated(scores, metrics, *recipe["design"])


def stopped_run(recipe):
    """What an evaluation with a `StopRule` leaves: the looks are those of its own monitor."""
    most, folds = recipe["design"]
    scores, metrics, rng = scores_of(recipe, most * folds)
    n_models = len(scores)
    if recipe["flaw"] == "one missing":
        scores[rng.integers(n_models), rng.integers(most * folds)] = np.nan
    rule = StopRule(alpha=recipe["alpha"], rope=recipe["rope"], drop=recipe["drop"])
    names = tuple(f"m{i}" for i in range(n_models))
    kinds = [Metric(name=name, kind="batched", source=None, greater_is_better=name not in COSTS) for name in metrics]
    monitor = SequentialMonitor(rule, names, kinds, (most, folds))
    fitted, done = list(range(n_models)), 0
    while fitted:
        left = [i for i in range(n_models) if i not in fitted]
        scores[left, done * folds :] = np.nan
        done += 1
        fitted = monitor.look(scores[:, : done * folds, 0])
    return evaluated(scores[:, : done * folds], metrics, done, folds, stopping=monitor.record())


def study_of(recipe):
    n = recipe["n_datasets"]
    scores, metrics, _ = scores_of(recipe, n)
    model, dataset, metric = np.indices(scores.shape).reshape(3, -1)
    frame = {
        "model": np.char.add("m", model.astype(str)),
        "dataset": np.char.add("d", dataset.astype(str)),
        "metric": np.array(metrics)[metric],
        "score": scores.ravel(),
    }
    directions = {name: name not in COSTS for name in metrics}
    return StudyResult.from_frame(frame, missing="keep", greater_is_better=directions)


# ---- what is asked of every view --------------------------------------------------------------------------------


def agrees(found, answer):
    """What a view claims, and that it claims something."""
    found = list(found)
    assert claims.contradictions(found, answer) == []
    return found


def all_pairs(answer):
    return {pair[:3] for pair in claims.of_answer(answer)}


def agree_with_rows(result, answer):
    """Rows, frames, JSON and the tables of all pairs have each pair on each metric."""
    rows, frame, document = result.compare(), result.compare().to_frame(), json.loads(result.to_json())
    everything = {(row.a, row.b, row.metric) for row in rows}
    assert {place for place in all_pairs(answer) if place in everything} == everything
    views = [rows, frame.astype(object).where(frame.notna(), None).to_dict("records"), document["comparison"]["rows"]]
    for view in views:
        assert len(agrees(claims.of_rows(view), answer)) == len(everything)
    said = answer_of_json(document["answer"])
    assert said == answer_of_json(json.loads(json.dumps(plain(answer))))
    assert len(agrees(claims.of_markdown_pairs(rows.to_markdown()), answer)) == len(everything)
    assert len(agrees(claims.of_pair_table(result, result.summary("full")), answer)) == len(everything)
    picture = DifferencesDisplay.from_result(result).frame()
    drawn = [
        claims.Claim(row.a, row.b, row.metric, {"a": "better", "b": "worse"}.get(row.better, "alike"))
        for row in picture.itertuples()
    ]
    assert len(agrees(drawn, answer)) == len(everything)


def plain(answer):
    return {
        "metrics": [
            [on.metric, on.leader, on.worse, on.not_different, on.equivalent, on.not_comparable]
            for on in answer.metrics
        ],
        "pairs": [
            [pair.a, pair.b, pair.better, pair.worse, pair.undecided, pair.not_comparable] for pair in answer.pairs
        ],
    }


def answer_of_json(document):
    """The lists of names, whether they come with the names of their fields or not."""
    drop = ("bound",)
    return {
        part: [
            [value for name, value in one.items() if name not in drop] if isinstance(one, dict) else one
            for one in document[part]
        ]
        for part in ("metrics", "pairs")
    }


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


def agree_on_the_first_line(result, answer, folder):
    """Every view begins with the same line, and what it says is the answer."""
    summary = result._views.summarise(result)
    first, said = first_line(answer), " ".join(sentences(summary))
    assert said.startswith(first)
    agrees(claims.of_first_line(answer, first), answer)
    result.save(folder / "result.skc")
    loaded = load(folder / "result.skc")
    shown = CliRunner().invoke(command, ["show", str(folder / "result.skc")])
    assert shown.exit_code == 0
    assert " ".join(str(answer).split("\n\n")[0].split()) == first
    texts = [result.summary(), result.summary("full"), str(result), str(loaded), shown.output]
    assert {" ".join(text.split("\n\n")[0].split("\n- ")[0].split()) for text in texts} == {said}
    assert json.loads(result.to_json())["verdict"] == sentences(summary)
    assert _tags(summary, {}, ())["verdict"] == said
    markdown = result.to_markdown().replace("\\", "")
    assert markdown.split("\n\n| model |")[0].replace("\n\n", " ") == said
    page = html_page(result._views.page(result, summary, []))
    for view in (result._repr_html_(), page.split("<script")[0]):
        assert all(sentence in html.unescape(view) for sentence in sentences(summary))
    agrees(claims.of_page(page, result), answer)


def agree_on_the_leader(result, answer, *, ranked):
    """The table of the leader and the daggers."""
    agrees(claims.of_groups(answer), answer)
    if len(result.estimators) > 2:
        agrees(claims.of_leader_table(answer, result.summary()), answer)
    agrees(claims.of_score_columns(answer, result, ranked=ranked), answer)


def is_short(result):
    """The lines of the short summary."""
    assert len(result.summary().splitlines()) <= (22 if len(result.estimators) == 2 else 35)


# ---- the laws ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("saved")


@examples(300, 12)
@given(recipe=EVALUATIONS)
def test_the_views_of_an_evaluation_agree(folder, recipe):
    result = evaluation(recipe)
    answer = result.answer()
    agree_with_rows(result, answer)
    agree_on_all_metrics(result, answer)
    agree_on_the_leader(result, answer, ranked=False)
    agree_on_the_first_line(result, answer, folder)
    is_short(result)


@examples(200, 8)
@given(recipe=STUDIES, alpha=st.sampled_from([0.01, 0.05, 0.2]))
def test_the_views_of_a_study_agree(folder, recipe, alpha):
    study = study_of(recipe)
    answer = study.answer()
    agree_with_rows(study, answer)
    agree_on_all_metrics(study, answer)
    agree_on_the_leader(study, answer, ranked=True)
    agree_on_the_first_line(study, answer, folder)
    is_short(study)
    for metric in study.metrics:
        agree_on_the_ranks(study, answer, metric, alpha)


def agree_on_the_ranks(study, answer, metric, alpha):
    """Letters and bars, at 5% those of the answer, at another level those of the adjusted p-values."""
    try:
        ranking = study.rank(metric)
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


def letters_of_bars(study, metric, alpha):
    """The letters that a critical-difference diagram draws as bars; empty where it cannot be drawn."""
    try:
        frame = CriticalDifferenceDisplay.from_result(study, metric=metric, alpha=alpha).frame()
    except ValueError:
        return {}
    return dict(zip(frame["model"], frame["group"], strict=True))


@examples(50, 6)
@given(recipe=STOPPED)
def test_the_views_of_a_stopped_run_agree(folder, recipe):
    result = stopped_run(recipe)
    answer, stopping = result.answer(), result.stopping
    assert answer.sequential == bool(stopping.looks)
    agree_with_rows(result, answer)
    agree_on_all_metrics(result, answer)
    agree_on_the_leader(result, answer, ranked=False)
    agree_on_the_first_line(result, answer, folder)
    is_short(result)
    if stopping.looks:
        (on,) = answer.metrics
        assert {*stopping.worse} == {*on.worse}
        left = {name for name in (on.leader, *on.not_different, *on.equivalent) if name is not None}
        assert left == {*stopping.names}
        assert (stopping.kind == "equivalent") == bool(on.equivalent)
        assert stopping.kind != "best" or not on.not_different
        assert ("not significantly different" in stopping.verdict) == bool(on.not_different)
        assert stopping.verdict.split("; ")[0] in result.methods_text()
