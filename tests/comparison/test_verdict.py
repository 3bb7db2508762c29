"""The first line: which model leads, what is known of the others, and of whom nothing is known."""

from __future__ import annotations

import re
import warnings
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.datasets import load_breast_cancer
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import LeaveOneOut
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcompare import LearningCurveResult, Outcome, PairedEvaluator, StudyResult, from_frame, from_runs
from skcompare.comparison.answer import answer
from skcompare.comparison.means import metric_means
from tests.lawful import FULL


def first_line(result):
    """The first line, as every view has it."""
    return result.explain().named("answer").text


def drawn(rng, *leads, n=10):
    """Models A, B, ... that are worse than A by so much, with a little noise of their own."""
    base = 0.7 + 0.05 * rng.normal(size=n)
    names = [chr(65 + i) if len(leads) < 26 else f"m{i}" for i in range(len(leads))]
    return from_frame(
        scores_table({a: base - b + 0.004 * rng.normal(size=n) for a, b in zip(names, leads, strict=True)})
    )


N = r"[-+]\d[\d.]*"


@pytest.mark.parametrize(
    ("leads", "expected"),
    [
        ((0, 0.1), rf"Use A: {N} accuracy over B \(95% interval {N} to {N}\)\."),
        ((0, 0.1, 0.2), rf"Use A: {N} accuracy over B \(95% interval {N} to {N}\), {N} over C\."),
        (
            (0, 0.1, 0.2, 0.3),
            rf"Use A: {N} accuracy over B \(95% interval {N} to {N}\), at least as much over 2 others\.",
        ),
        ((0, *[0.1] * 49), r"Use m0: .*, at least as much over 48 others\."),
    ],
)
def test_who_is_better_than_all_is_to_be_used(rng, leads, expected):
    assert re.fullmatch(expected, first_line(drawn(rng, *leads)))


@pytest.mark.parametrize(
    ("models", "expected"),
    [
        (2, r"No clear winner: [AB] is [\d.]+ ahead of [AB] on accuracy, and -[\d.]+ to \+[\d.]+ remains possible\..*"),
        (3, r"All 3 models may be first: [ABC], [ABC] and [ABC]\. .*"),
        (50, r"All 50 models may be first: m\d+, m\d+, m\d+, m\d+ and 46 more\. .*"),
    ],
)
def test_where_nobody_is_better_there_is_no_clear_winner(models, expected):
    tilted = [0.0001 * (fold % 2) for fold in range(10)]  # as often ahead as behind, but for the size
    names = "ABC"[:models] if models < 26 else [f"m{i}" for i in range(models)]
    table = {
        name: [0.7 + (i % 3) * (step - 0.00005) * (-1) ** fold for fold, step in enumerate(tilted)]
        for i, name in enumerate(names)
    }
    rng = np.random.default_rng(0)
    table = {name: np.asarray(scores) + 0.1 * rng.normal(size=10) for name, scores in table.items()}
    assert re.fullmatch(expected, first_line(from_frame(scores_table(table))))


def test_those_that_share_the_lead_are_named_and_so_are_the_others(rng):
    one = rng.normal(size=10)
    one += 0.3 * one.std() - one.mean()  # A is ahead of B, not significantly
    result = from_frame(scores_table({"A": 0.7 + 0.03 * one, "B": 0.7 - 0.03 * one, "C": 0.3 + 0.01 * one}))
    tier = r"2 of 3 models may be first: ([AB]) and ([AB]); C is significantly worse\. "
    tier += r"\1 may be ahead of \2 by up to \+[\d.]+ accuracy\. Use either, or add samples\."
    assert re.fullmatch(tier, first_line(result))


# ---- of scores ----------------------------------------------------------------------------------------------------


def scores(values):
    """A result of three models, A, B and C, on ten times ten folds: scores of shape (3, 100)."""
    table = {"model": [], "repeat": [], "fold": [], "score": []}
    for model in "ABC":
        for i in range(100):
            for name, value in zip(table, (model, i // 10, i % 10, 0.5), strict=True):
                table[name].append(value)
    return replace(from_frame(table), scores=np.asarray(values, dtype=float)[:, :, None])


def first_of(scores):
    (found,) = answer(scores._scores).metrics
    return found


def test_the_best_mean_rank_that_loses_the_test_does_not_lead():
    """A beats B narrowly on 55 of 100 data sets and loses by far on the others; C comes between or last."""
    table = {"dataset": [f"d{i}" for i in range(100)], "A": [0.7] * 100, "B": [], "C": []}
    for i in range(100):
        wins = i < 55
        table["B"].append(0.7 - 0.001 * (1 + i / 1000) if wins else 0.7 + 0.1 * (1 + i / 1000))
        table["C"].append(0.6995 if wins else 0.5)
    study = StudyResult.from_frame(table)
    assert study.rank().mean_ranks.argmin() == 0
    assert study.compare(metrics="score")[0].winner == "B"
    assert first_of(study).leader == "B"
    assert str(study).startswith("Use B: ")


def test_the_best_mean_of_a_result_with_gaps_that_loses_the_test_does_not_lead(rng):
    easy = np.where(np.arange(100) < 50, 0.9, 0.5)
    values = easy + np.array([[0.0], [0.05], [-0.1]]) + rng.normal(0, 0.003, (3, 100))
    values[0, 50:] = values[2, :50] = np.nan  # A has the easy splits, C the others, B all
    found = first_of(scores(values))
    assert (found.leader, found.worse) == ("B", ("A", "C"))


def test_models_that_failed_everywhere_are_named(rng):
    values = rng.uniform(size=(3, 100))
    values[1:] = np.nan
    found = first_of(scores(values))
    assert (found.leader, found.not_comparable) == ("A", ("B", "C"))
    assert str(scores(values)).startswith("No model can be named on score: only A has scores.")


def test_models_with_the_same_scores_share_the_lead(rng):
    values = rng.uniform(size=(3, 100))
    values[1] = values[0] + 1e-17
    values[2] = values[0] - 0.5 + rng.normal(0, 0.01, 100)
    found = first_of(scores(values))
    assert (found.leader, found.not_different, found.worse) == ("A", ("B",), ("C",))


def test_no_leader_where_each_model_is_beaten():
    """Each model beats one and loses to another on two thirds of the data sets."""
    third, size = np.arange(300) % 3, 10.0 ** np.linspace(-5, -1, 300)  # sizes that differ more than the places do
    table = {"dataset": [f"d{i}" for i in range(300)]}
    for i, name in enumerate("ABC"):
        table[name] = (0.5 + size * ((third - i) % 3)).tolist()
    study = StudyResult.from_frame(table)
    assert {row.winner for row in study.compare()} == {"A", "B", "C"}
    assert first_of(study).leader is None
    assert str(study).startswith("No model can be named on score: ")


@st.composite
def results(draw):
    """Three models with gaps, ties and leads of all sizes."""
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    lead = np.array([draw(st.sampled_from([0.0, 0.01, 0.05, 0.3])) for _ in range(3)])
    values = (rng.normal(0, 0.05, (3, 100)) + lead[:, None]).round(draw(st.sampled_from([1, 3, 9])))
    for i in range(3):
        gap = draw(st.sampled_from([0, 0, 50, 99, 100]))
        values[i, rng.permutation(100)[:gap]] = np.nan
    return scores(values)


@given(results())
def test_nobody_leads_who_loses_and_everybody_is_in_one_group(result):
    found = first_of(result)
    rows = {frozenset((row.a, row.b)): row for row in result.compare()}
    if found.leader is None:
        return
    groups = (found.worse, found.not_different, found.equivalent, found.not_comparable)
    assert sorted([found.leader, *(name for group in groups for name in group)]) == ["A", "B", "C"]
    assert all(row.winner in (None, found.leader) for pair, row in rows.items() if found.leader in pair)
    for name in found.worse:
        assert rows[frozenset((name, found.leader))].winner == found.leader
        assert name in first_line(result)


@pytest.mark.parametrize("names", [("rf 1", "rf  1"), ("rf\u200b1", "rf\u200c1"), ("m 1", "m\u00a01", "other")])
def test_names_that_look_alike_are_not_taken_for_each_other(names):
    """The first is better than the second: with the two taken for one, both or neither would be."""
    table = {"model": [], "fold": [], "score": []}
    for i, name in enumerate(names):
        for fold in range(10):
            for key, value in zip(table, (name, fold, 0.9 - 0.2 * i + 0.001 * (fold % 3) * i), strict=True):
                table[key].append(value)
    result = from_frame(table)
    found = first_of(result)
    assert (found.leader, found.worse) == (names[0], names[1:])
    line = first_line(result)
    assert line.startswith("Use ")
    assert all(one.isprintable() for one in (*result.summary().splitlines(), result.to_html().splitlines()[0]))


def test_the_text_is_one_line_of_printable_characters(rng):
    table = {"model": [], "fold": [], "score": []}
    for name in ("thin\u2009space", "zero\u200bwidth"):
        for fold in range(5):
            for key, value in zip(table, (name, fold, float(rng.uniform())), strict=True):
                table[key].append(value)
    assert all(line.isprintable() for line in from_frame(table).summary().splitlines())


# ---- scores that do not vary, bounds that say nothing -----------------------------------------------------------


def scores_table(models, metric="accuracy", n=10):
    """Long data of models on the same folds."""
    rows = [(name, i, metric, value) for name, scores in models.items() for i, value in enumerate(scores[:n])]
    return dict(zip(("model", "fold", "metric", "score"), map(list, zip(*rows, strict=True)), strict=True))


def test_models_with_the_same_scores_are_called_so_and_others_are_not(rng):
    scores = rng.uniform(0.7, 0.9, 10)
    same = from_frame(scores_table(dict.fromkeys("ab", scores)), test_fraction=0.1)
    assert first_line(same) == "a and b have the same scores on accuracy. Use either."
    for names in ("ab", "abc", "abcdefgh"):
        near = {name: scores + 1e-3 * rng.normal(size=10) * (name != "a") for name in names}
        assert "the same scores" not in from_frame(scores_table(near), test_fraction=0.1).summary()


def test_ties_on_most_data_sets_are_not_the_same_scores():
    a = np.linspace(0.6, 0.9, 20)
    b = a.copy()
    b[0] -= 0.01
    study = StudyResult.from_frame({"dataset": [f"d{i}" for i in range(20)], "a": a, "b": b})
    assert study.answer().metrics[0].not_different
    assert "the same scores" not in study.summary()


def test_of_a_difference_that_is_the_same_everywhere_nothing_can_be_concluded(rng):
    scores = np.round(rng.uniform(0.6, 0.9, 10), 3)
    fixed = from_frame(scores_table({"a": scores + 0.05, "b": scores}), test_fraction=0.1)
    why = "a is 0.050 ahead of b on accuracy on all splits, so that no test is possible."
    for text in (fixed.summary(), fixed.summary("full"), fixed.to_markdown().replace("**", "")):
        assert " ".join(text.split()).startswith(why)
    varies = from_frame(scores_table({"a": scores + 0.05 + 1e-3 * rng.normal(size=10), "b": scores}), test_fraction=0.1)
    assert varies.summary().startswith("Use a: +0.0")


def test_no_bound_is_as_large_as_any_difference_can_be():
    few = {"a": [0.9, 0.8], "b": [0.7, 0.79], "c": [0.95, 0.6]}
    for metric, span in (("accuracy", 1), ("f1_macro", 1), ("mcc", 2), ("loss", np.inf)):
        result = from_frame(scores_table(few, metric), test_fraction=0.5, greater_is_better=True)
        (means,), (on,) = result._found().metrics, result.answer().metrics
        assert means.span == span
        assert not on.bound >= span
        assert (f"more than {span:g} in {metric}" in " ".join(result.summary("full").split())) == np.isfinite(span)
    percent = {name: [100 * score for score in scores] for name, scores in few.items()}
    result = from_frame(scores_table(percent), test_fraction=0.5)
    assert result.answer().metrics[0].bound > 1


# ---- who leads over data sets ------------------------------------------------------------------------------------


def drawn_study(rng):
    """A table with ties, gaps, several metrics and directions, and perhaps a model without any score on one metric."""
    n_models, n_datasets, n_metrics = int(rng.integers(2, 9)), int(rng.integers(3, 21)), int(rng.integers(1, 4))
    models, metrics = [f"m{i}" for i in range(n_models)], [f"s{m}" for m in range(n_metrics)]
    skill = rng.normal(0, rng.choice([0.0, 0.02, 0.1]), (n_models, n_metrics))
    scores = (
        0.6 + skill + rng.normal(0, 0.03, (n_datasets, n_models, n_metrics)) * rng.choice([1, 1, 8], (n_datasets, 1, 1))
    )
    scores = scores.round(int(rng.choice([1, 2, 6])))
    scores[rng.random(scores.shape) < rng.choice([0.0, 0.1, 0.5])] = np.nan
    if rng.random() < 0.3:
        scores[:, rng.integers(n_models), rng.integers(n_metrics)] = np.nan
    better = {metric: bool(rng.random() < 0.6) for metric in metrics}
    rows = [
        {"dataset": f"d{d}", "model": models[i], "metric": metrics[m], "score": float(score)}
        for (d, i, m), score in np.ndenumerate(scores)
    ]
    table = {name: [row[name] for row in rows] for name in ("dataset", "model", "metric", "score")}
    return table, better, scores


def mean_ranks_of(scores):
    """Skillings and Mack's (1981) mean ranks by scipy, where greater is better: of all data sets with two scores."""
    present = np.isfinite(scores) & (np.isfinite(scores).sum(axis=1) > 1)[:, None]
    k, found = int(present.any(axis=0).sum()), [[] for _ in scores.T]
    for row, there in zip(scores, present, strict=True):
        for i, rank in zip(np.flatnonzero(there), stats.rankdata(-row[there]), strict=True):
            found[i].append(rank * (k + 1) / (there.sum() + 1))
    return np.array([np.mean(ranks) if ranks else np.nan for ranks in found])


def adjusted_of(scores):
    """Model effects by numpy's least squares on dummies, where models lack data sets: else None; nan of one alone.

    Greater is better. All nan where data sets do not connect the models.
    """
    present = np.isfinite(scores) & (np.isfinite(scores).sum(axis=1) > 1)[:, None]
    ranked, used = present.any(axis=0), present.any(axis=1)
    if present[used][:, ranked].all():
        return None
    rows, columns = np.nonzero(present[used][:, ranked])
    dummies = np.hstack([np.eye(used.sum())[rows], np.eye(ranked.sum())[columns]])
    fit, _, rank, _ = np.linalg.lstsq(dummies, scores[used][:, ranked][rows, columns], rcond=1e-9)
    found = np.full(len(ranked), np.nan)
    if rank == dummies.shape[1] - 1:
        found[ranked] = fit[used.sum() :]
    return found


def check_leader(study, on, ranks, scores, sign):
    """Who leads is the best by mean ranks but for those that it is significantly better than; the rest is told.

    Where models lack data sets the best adjusted mean leads, and none where data sets do not connect them.
    """
    adjusted = adjusted_of(scores)
    shown = {one.name: one for one in metric_means(study._scores)}[on.metric]
    assert shown.adjusted == (adjusted is not None)
    if adjusted is not None:
        assert np.isnan(shown.means).tolist() == np.isnan(adjusted).tolist()
        if np.isnan(adjusted).all():
            assert on.leader is None
            return
        own = sign * np.array(shown.means)
        np.testing.assert_allclose(own - np.nanmean(own), adjusted - np.nanmean(adjusted), atol=1e-9)
    models, pairs = study.estimators, [row for row in study.compare() if row.metric == on.metric]
    place = {name: i for i, name in enumerate(models)}
    losers = {(row.a if row.winner == row.b else row.b): row.winner for row in pairs if row.winner is not None}
    compared = {name for row in pairs if row.outcome is not Outcome.NOT_COMPARABLE for name in (row.a, row.b)}
    if on.leader is None:
        assert not compared or (adjusted is None and models[int(np.nanargmin(ranks))] in losers)
        assert on.ahead == ()
        return
    assert on.leader not in losers
    own, behind = ranks[place[on.leader]], set()
    best = -ranks if adjusted is None else adjusted
    complete = scores[np.isfinite(scores[:, np.isfinite(scores).any(axis=0)]).all(axis=1)]
    for row in pairs:
        if on.leader in (row.a, row.b) and np.isfinite(row.estimate):
            side, other = (1, row.b) if row.a == on.leader else (-1, row.a)
            leads = [side * row.estimate, side * sign * (row.mean_a - row.mean_b)]
            leads.append(ranks[place[other]] - own)
            if adjusted is None and len(complete):
                leads.append(complete[:, place[on.leader]].mean() - complete[:, place[other]].mean())
            behind |= {other} if min(leads) < -1e-9 else set()
            if best[place[other]] > best[place[on.leader]] + 1e-9 and row.winner != on.leader:
                assert other not in compared
                assert on.metric != study.metrics[0] or not answer(study._scores).recommends
    assert set(on.ahead) == behind


@pytest.mark.slow
def test_over_data_sets_the_best_leads_and_what_disagrees_is_told(rng):
    told, n_draws = 0, 200 if FULL else 40
    for _ in range(n_draws):
        table, better, scores = drawn_study(rng)
        study = StudyResult.from_frame(table, missing="keep", greater_is_better=better)
        answer, means = study.answer(), {one.name: one for one in metric_means(study._scores)}
        for on in answer.metrics:
            m, sign = study._scores.metric_index(on.metric), 1 if better[on.metric] else -1
            ranks = mean_ranks_of(sign * scores[:, :, m])
            np.testing.assert_allclose(means[on.metric].mean_ranks, ranks)
            effects = adjusted_of(sign * scores[:, :, m])
            if effects is not None and len(effects) and np.isnan(effects).all():
                with pytest.raises(ValueError, match=r"^no data set has "):
                    study.rank(on.metric)
            elif (np.isfinite(scores[:, :, m]).sum(axis=1) > 1).any() and len(study.estimators) > 2:
                known = np.isfinite(ranks)
                np.testing.assert_allclose(study.rank(on.metric).mean_ranks, ranks[known])
                assert study.rank(on.metric).names == tuple(np.array(study.estimators)[known])
            check_leader(study, on, ranks, sign * scores[:, :, m], sign)
        told += bool(answer.metrics[0].ahead)
        for on in answer.metrics:
            assert not on.ahead or re.search(r"\bahead\b", str(answer).split("\n\n")[1])
    assert told > n_draws / 20  # the tables are such that some disagree


def test_who_won_where_it_ran_is_not_behind_who_ran_elsewhere():
    """'strong' beats 'middling' wherever both ran, which beats 'weak' on other data sets."""
    rng = np.random.default_rng(0)
    strong, middling, weak = (
        0.85 + rng.normal(0, 0.005, 20),
        0.6 + rng.normal(0, 0.02, 20),
        0.5 + rng.normal(0, 0.02, 20),
    )
    strong[5:], weak[:5] = np.nan, np.nan
    table = {"dataset": [f"set{i}" for i in range(20)], "strong": strong, "middling": middling, "weak": weak}
    for names in permutations(["strong", "middling", "weak"]):
        study = StudyResult.from_frame({"dataset": table["dataset"], **{n: table[n] for n in names}}, missing="keep")
        found = first_of(study)
        assert (found.leader, found.ahead) == ("strong", ())
        ranks = dict(zip(names, study.rank().mean_ranks.round(2).tolist(), strict=True))
        assert ranks == {"strong": 1.33, "middling": 1.67, "weak": 2.67}  # (k + 1) / (k_i + 1) times 1, 2 or 1, 2
        columns = {column.name: column.cells for column in study.explain().named("models").columns}
        assert columns["model"] == ("strong", "middling", "weak")
        assert columns["estimate"][1].startswith("+0.2")
        assert study.rank().omnibus.method == "Skillings-Mack test"


def test_of_a_leader_that_is_behind_by_median_the_answer_says_so():
    """Over seven data sets c wins most often, and narrowly."""
    b = [0.70, 0.71, 0.72, 0.73, 0.80, 0.81, 0.82]
    c = [0.71, 0.72, 0.73, 0.74, 0.60, 0.60, 0.60]
    study = StudyResult.from_frame({"dataset": list("tuvwxyz"), "a": [0.5] * 7, "b": b, "c": c})
    found = first_of(study)
    assert (found.leader, found.ahead) == ("c", ("b",))
    assert "ahead by mean" in " ".join(str(study.answer()).split())


@pytest.mark.parametrize("kind", ["study", "folds", "runs"])
def test_a_model_without_any_score_takes_nothing_from_the_others(kind, rng):
    values = rng.normal(0.8, 0.02, (3, 12)) + np.array([[0.1], [0.0], [0.05]])
    values[0, 3] = values[1, 7] = np.nan
    whole, lacking = values[:2], np.vstack([values[:2], np.full((1, 12), np.nan)])
    made = [_of_kind(kind, one) for one in (whole, lacking)]
    means = [metric_means(result._scores)[0] for result in made]
    np.testing.assert_allclose(means[1].means[:2], means[0].means)
    np.testing.assert_allclose(means[1].merits[:2], means[0].merits)
    assert means[0].n_common == means[1].n_common
    answers = [first_of(result) for result in made]
    assert answers[0].leader == answers[1].leader == "A"
    assert (answers[0].worse, answers[0].not_different) == (answers[1].worse, answers[1].not_different)
    assert answers[1].not_comparable == ("C",)
    assert np.isnan(means[1].means[2])


def _of_kind(kind, values):
    """A study, an evaluation or runs; scores that failed are put in where tables may have no gaps."""
    names = list("ABC")[: len(values)]
    if kind == "study":
        table = {"dataset": [f"d{i}" for i in range(values.shape[1])], **dict(zip(names, values, strict=True))}
        return StudyResult.from_frame(table, missing="keep")
    table = scores_table({name: np.arange(12) / 100 for name in names}, metric="score", n=12)
    if kind == "folds":
        return replace(from_frame(table), scores=values[:, :, None])
    return replace(from_runs({"run": table.pop("fold"), **table}), scores=values[:, :, None])


def test_the_first_metric_decides_also_where_no_test_of_it_is_possible():
    """Of one sample there is no area under the ROC curve."""
    X, y = load_breast_cancer(return_X_y=True)
    models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0), "dummy": DummyClassifier()}
    for names in (["nb", "tree"], ["nb", "tree", "dummy"]):
        chosen, results = {name: models[name] for name in names}, []
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for scoring in (["roc_auc", "accuracy", "precision"], ["accuracy", "roc_auc"]):
                evaluator = PairedEvaluator(cv=LeaveOneOut(), scoring=scoring)
                results.append(evaluator.evaluate(chosen, X[:40, :3], y[:40]))
        result, turned = results
        assert result.primary == result.answer().metrics[0].metric == "roc_auc"
        assert first_line(result) == "No model can be named on roc_auc: no model has scores."
        assert turned.answer().metrics[0].metric == "accuracy"
        assert "No model can be named" not in turned.summary()


@pytest.mark.parametrize("n", [2, 5, 8])
@pytest.mark.parametrize("of", ["folds", "data sets"])
def test_models_with_scores_on_different_cases_are_not_said_to_have_none(n, of, rng):
    first, names = int(rng.integers(1, n)), rng.permutation(["one", "two"])
    table = {"model": names[(np.arange(n) >= first).astype(int)], "acc": rng.uniform(0.5, 0.9, n)}
    if of == "folds":
        values = np.full((2, n, 1), np.nan)
        values[:, :, 0][(table["model"] == "two").astype(int), np.arange(n)] = table["acc"]
        whole = from_frame({"model": np.repeat(["one", "two"], n), "fold": [*range(n)] * 2, "acc": rng.random(2 * n)})
        result = replace(whole, scores=values)
    else:
        result = StudyResult.from_frame({"dataset": [f"d{i}" for i in range(n)], **table}, missing="keep")
    assert first_line(result) == "No model can be named on acc: no two models share enough scores for a test."


def with_sizes(n):
    """Two models on accuracy and on their sizes, which are the same on all five folds."""
    rows = [(model, "model_size", fold, n * size) for model, size in (("a", 1.0), ("b", 2.0)) for fold in range(5)]
    steps = [0.0, 0.02, 0.01, 0.03, 0.01]
    rows += [("a", "accuracy", fold, 0.8 + step) for fold, step in enumerate(steps)]
    rows += [("b", "accuracy", fold, 0.9 + 2 * step) for fold, step in enumerate(steps)]
    columns = dict(zip(("model", "metric", "fold", "score"), map(list, zip(*rows, strict=True)), strict=True))
    return from_frame(columns, greater_is_better={"accuracy": True, "model_size": False})


def test_a_size_is_no_difference_that_was_tested():
    said = " ".join(str(with_sizes(5).compare()).split())
    assert "The only difference that was tested is significant at 5%" in said
    sizes = with_sizes(5).compare(metrics="model_size")
    assert str(replace(sizes, rows=sizes.rows * 2)).startswith("No difference could be tested.")


def test_a_smaller_model_is_smaller_at_every_number_of_training_samples():
    rows = LearningCurveResult(results={n: with_sizes(n) for n in (10, 20)}).compare()
    said = [row._sentence() for row in rows if row.metric == "model_size"]
    assert said == [f"With {n} training samples a is smaller than b on model_size." for n in (10, 20)]


def test_a_fragile_claim_without_a_winner_has_its_mark_where_the_legend_explains_it():
    table = with_sizes(5).compare(metrics="accuracy", null=0.05, alternative="less")
    row, *_ = table
    assert (row.outcome, row.winner) == (Outcome.NOT_BETTER, None)
    for fragile in (False, True):
        rows = (replace(row, fragile=fragile),) * 2
        shown = str(replace(table, rows=rows))
        assert ("a not better~" in shown) == ("~ would not stand" in shown) == fragile
