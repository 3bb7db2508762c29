"""Results, stopped runs and studies from random scores, whatever can be wrong with them, for laws about their views."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from types import SimpleNamespace

import numpy as np
from hypothesis import strategies as st

from skcompare import StopRule, StudyResult, from_frame, from_judgments, from_outcomes, from_predictions, from_runs
from skcompare.comparison.stopping import SequentialMonitor

METRICS = ("accuracy", "fit_time", "recall", "model_size")
COSTS = ("fit_time", "model_size")


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
    if flaw == "still":
        scores[-1] = scores[0] + rng.choice([-0.05, 0.0, 0.05], len(metrics))
    less = np.isin(metrics, COSTS)
    scores = np.where(less, np.exp(5 * (1 - scores)), scores)
    if flaw == "still":  # as sizes are, but for one model
        scores[1:, :, np.equal(metrics, "model_size")] = scores[1:, :1, np.equal(metrics, "model_size")]
    return scores


@cache
def bare(repeats, folds):
    """A result of two models on one metric, for its design."""
    columns = {"repeat": np.repeat(np.arange(repeats), folds), "fold": np.tile(np.arange(folds), repeats)}
    both = {name: np.tile(column, 2) for name, column in columns.items()}
    n = repeats * folds
    return from_frame({"model": np.repeat(["a", "b"], n), **both, "score": np.linspace(0, 1, 2 * n)})


@cache
def bare_runs(n):
    """Two models on runs with the same names, for its design."""
    return from_runs({"model": np.repeat(["a", "b"], n), "run": [*range(n)] * 2, "score": np.linspace(0, 1, 2 * n)})


def evaluated(scores, metrics, made, **changes):
    times = np.ones(scores.shape[:2])
    return replace(
        made,
        estimators=tuple(f"m{i}" for i in range(len(scores))),
        metrics=metrics,
        greater_is_better=tuple(metric not in COSTS for metric in metrics),
        scores=scores,
        fit_times=times,
        score_times=times.copy(),
        single_metric=False,
        **changes,
    )


def scores_of(recipe, n):
    """The scores of a recipe, its metrics, and the random numbers that are left."""
    rng, metrics = np.random.default_rng(recipe["seed"]), METRICS[: recipe["n_metrics"]]
    scores = made_scores(rng, recipe["n_models"], metrics, n, spread=recipe["spread"], flaw=recipe["flaw"])
    return scores, metrics, rng


def evaluation(recipe):
    scores, metrics, _ = scores_of(recipe, recipe["design"][0] * recipe["design"][1])
    return evaluated(scores, metrics, bare(*recipe["design"]), baseline=recipe.get("baseline"))


def runs_of(recipe):
    scores, metrics, _ = scores_of(recipe, recipe["n_runs"])
    made = bare_runs(recipe["n_runs"])
    return evaluated(scores, metrics, made, design=replace(made.design, n_runs=made.design.n_runs[:1] * len(scores)))


def stopped_run(recipe):
    """What an evaluation with a `StopRule` leaves: the looks are those of its own monitor."""
    most, folds = recipe["design"]
    scores, metrics, rng = scores_of(recipe, most * folds)
    n_models = len(scores)
    for _ in range(recipe.get("n_missing", 1) if recipe["flaw"] == "one missing" else 0):
        scores[rng.integers(n_models), rng.integers(most * folds)] = np.nan
    rule = StopRule(alpha=recipe["alpha"], margin=recipe["rope"], drop=recipe["drop"])
    names = tuple(f"m{i}" for i in range(n_models))
    kinds = [SimpleNamespace(name=name, kind="batched") for name in metrics]
    monitor = SequentialMonitor(rule, names, kinds, (most, folds))
    fitted, done = list(range(n_models)), 0
    while fitted:
        left = [i for i in range(n_models) if i not in fitted]
        scores[left, done * folds :] = np.nan
        done += 1
        fitted = monitor.look(scores[:, : done * folds, 0])
    made = evaluated(scores[:, : done * folds], metrics, bare(done, folds), stopping=monitor.record())
    return replace(made, design=replace(made.design, sequential=bool(made.details.stopping.looks)))


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


def search_of(recipe, made_search):
    folds, repeats = recipe["design"]
    n, n_failed = recipe["n_candidates"], min(recipe["n_failed"], recipe["n_candidates"] - 2)
    rng = np.random.default_rng(recipe["seed"])
    failed = (1 + rng.choice(max(1, n - 2), n_failed, replace=False)).tolist()
    search = made_search(n, recipe["n_metrics"], folds=folds, repeats=repeats, failed=failed, seed=recipe["seed"])
    if recipe["ties"]:
        table = search.cv_results_
        for key in table:
            if "_test_" in key:
                table[key][-1] = table[key][0]
    return search


PREDICTED = ("accuracy", "f1", "roc_auc", "neg_log_loss", "average_precision", "balanced_accuracy", "neg_brier_score")


def on_a_test_set(recipe):
    """Models on one test set: each metric has a test of its own."""
    rng = np.random.default_rng(recipe["seed"])
    n, names = recipe["n_samples"], [f"m{i}" for i in range(recipe["n_models"])]
    y = np.arange(n) % 2
    common = rng.normal(size=n)
    flaw, given = recipe["flaw"], {}
    for i, name in enumerate(names):
        skill = 0.0 if flaw == "equal models" else recipe["spread"] * i / 10
        values = 1 / (1 + np.exp(-((2 * y - 1) * (0.5 + skill) + common + 0.7 * rng.normal(size=n))))
        given[name] = np.clip(np.round(values, 1), 0.1, 0.9) if flaw == "coarse" else values  # 0 and 1 are labels
    if flaw == "twins":
        given[names[1]] = given[names[0]]
    known = [metric for metric in PREDICTED if len(names) == 2 or metric != "average_precision"]  # a second per pair
    metrics = rng.permutation(known)[: recipe["n_metrics"]].tolist()
    return from_predictions(y, given, scoring=metrics)


def items_of(recipe):
    """Models on items, on which some metrics are shares, some means, some costs."""
    rng = np.random.default_rng(recipe["seed"])
    n, flaw = recipe["n_samples"], recipe["flaw"]
    names = [f"m{i}" for i in range(recipe["n_models"])]
    kinds = ["passed", "grade", "cost", "other"][: recipe["n_metrics"]]
    tables = {}
    for metric in kinds:
        common = rng.normal(size=n)
        table = {}
        for i, name in enumerate(names):
            shift = 0.0 if flaw == "equal models" else recipe["spread"] * i / 10
            values = common + shift + rng.normal(size=n)
            values = (values > 0).astype(float) if metric == "passed" else values
            table[name] = np.round(values) if flaw == "coarse" else values
        if flaw == "twins":
            table[names[1]] = table[names[0]]
        tables[metric] = table
    clusters = np.arange(n) // 3 if recipe.get("clusters") else None
    return from_outcomes(tables, greater_is_better={metric: metric != "cost" for metric in kinds}, clusters=clusters)


def judgments_of(recipe):
    """Models that judges compared two at a time: each met the next one, and lost to it, at least once."""
    rng = np.random.default_rng(recipe["seed"])
    k, n = recipe["n_models"], 8 * recipe["n_samples"]
    spread = 0.0 if recipe["flaw"] == "equal models" else recipe["spread"]
    a = rng.integers(k, size=n)
    b = (a + rng.integers(1, k, size=n)) % k
    winner = np.where(rng.random(n) < 1 / (1 + np.exp(spread * (b - a) / 5)), 1.0, 0.0)
    winner[rng.random(n) < 0.2] = 0.5
    a[:k], b[:k], winner[:k] = np.arange(k), (np.arange(k) + 1) % k, 0.0
    table = {"model_a": [f"m{i}" for i in a], "model_b": [f"m{i}" for i in b], "winner": winner}
    clusters = {"judge": np.arange(n) % 40} if recipe.get("clusters") else {}
    return from_judgments({**table, **clusters}, cluster="judge" if clusters else None)


OF_SCORES = ("none", "equal models", "coarse", "missing", "failed", "no metric", "apart", "still")
OF_CASES = ("none", "equal models", "coarse", "twins")
OF_STOPPED = ("none", "equal models", "one missing")


@st.composite
def results(draw, most_models=4):
    """A result of any kind, a stopped run or a study, with whatever can be wrong with it."""
    kinds = {evaluation: OF_SCORES, study_of: OF_SCORES, on_a_test_set: OF_CASES, items_of: OF_CASES}
    kinds |= {judgments_of: ("none", "equal models")}
    make, flaws = draw(st.sampled_from([*{**kinds, stopped_run: OF_STOPPED}.items()]))
    fields = {
        "seed": st.integers(0, 2**32 - 1),
        "n_models": st.integers(2, most_models),
        "n_metrics": st.integers(1, 4),
        "spread": st.sampled_from([0.0, 1.0, 3.0]),
        "flaw": st.sampled_from(flaws),
        "design": st.sampled_from([(4, 3)] if make is stopped_run else [(1, 5), (2, 3)]),
        "n_samples": st.just(60),
        "n_datasets": st.integers(2, 12),
        "alpha": st.just(0.05),
        "rope": st.sampled_from([None, 0.02]),
        "drop": st.booleans(),
        "clusters": st.booleans(),
    }
    return make({name: draw(values) for name, values in fields.items()})


# ---- a gate ---------------------------------------------------------------------------------------------------

HOSTILE = (
    "a_b*c",
    "<b>&amp;\"'",
    "[x](http://x)|`y`",
    "]]> --",
    "$(touch made) \\ @me #2",
    "ünï 模型",
)  # names of models


def gated(rng, verdict):
    """True labels, and those that an old and a new model predict, in any order.

    They are made for one verdict of a gate with a margin of 0.01 on accuracy.
    """
    n = 200
    y, old, new = (np.arange(n) % 2 for _ in range(3))
    if verdict in ("not worse", "worse"):
        old[:80] = 1 - old[:80]  # 60% right against 97%
        new[:6] = 1 - new[:6]
    elif verdict == "undecided":
        old[:20], new[20:40] = 1 - old[:20], 1 - new[20:40]  # a difference of 0, give or take 0.06
    else:
        y, old, new = (np.ones(n, dtype=int) for _ in range(3))
        y[:20], old[10:30] = 0, 0  # both are right on 90%, the new one by the larger class alone
    order = rng.permutation(n)
    y, old, new = y[order], old[order], new[order]
    return (y, new, old) if verdict == "worse" else (y, old, new)
