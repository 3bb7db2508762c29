"""Results from judgments of two models at a time, and from a judge with few human labels."""

import json
from contextlib import suppress

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import skcompare as skc
from skcompare.inference import bradley_terry, prediction_powered_test
from tests.saved_files import with_content

ELO = 400 / np.log(10)


def arena(seed, n=600, k=4, judges=30):
    """Judgments as arenas publish them; the first model is far better, the others are alike."""
    rng = np.random.default_rng(seed)
    strengths = np.r_[1.5, np.zeros(k - 1)]
    a = rng.integers(k, size=n)
    b = (a + rng.integers(1, k, size=n)) % k
    first = rng.random(n) < 1 / (1 + np.exp(strengths[b] - strengths[a]))
    winner = np.where(first, "model_a", "model_b").astype(object)
    winner[rng.random(n) < 0.2] = "tie"
    names = np.array([f"llm {i}" for i in range(k)], dtype=object)
    return {"model_a": names[a], "model_b": names[b], "winner": winner, "judge": rng.integers(judges, size=n)}


@pytest.fixture
def result(global_random_seed):
    return skc.from_judgments(arena(global_random_seed), cluster="judge")


def test_scores_are_strengths_in_points_of_elo(global_random_seed):
    table = arena(global_random_seed)
    found = skc.from_judgments(table, cluster="judge")
    known = bradley_terry(table["model_a"], table["model_b"], table["winner"], clusters=table["judge"])
    assert found.estimators == known.names
    assert found.scores.ravel() == pytest.approx(1000 + ELO * known.strengths)
    assert found.scores.mean() == pytest.approx(1000)
    for row in found.compare(correction="none"):
        test = known.difference(row.a, row.b)
        assert (row.estimate, row.pvalue) == (pytest.approx(ELO * test.estimate), pytest.approx(test.pvalue))
        interval = test.confidence_interval()
        assert (row.low, row.high) == (pytest.approx(ELO * interval.low), pytest.approx(ELO * interval.high))


def test_the_leader_is_named_and_no_other(result):
    answer = result.answer()
    assert answer.metrics[0].leader == "llm 0"
    assert {row.winner for row in result.compare() if "llm 0" in (row.a, row.b)} == {"llm 0"}
    said = " ".join(str(result).split())
    assert said.startswith("Use llm 0")
    assert "600 judgments in 30 clusters. This is about these models on judgments like these." in said


def test_judgments_come_in_many_forms(global_random_seed, tmp_path):
    table = arena(global_random_seed)
    known = skc.from_judgments(table, cluster="judge").scores
    frame = pd.DataFrame(table)
    frame.to_csv(tmp_path / "arena.csv", index=False)
    renamed = frame.rename(columns={"model_a": "x", "model_b": "y", "winner": "better"})
    for found in (
        skc.from_judgments(frame, cluster="judge"),
        skc.from_judgments(frame.to_dict("records"), cluster="judge"),
        skc.from_judgments(renamed, a="x", b="y", winner="better", cluster="judge"),
        skc.read(frame, cluster="judge"),
        skc.read(tmp_path / "arena.csv", cluster="judge"),
    ):
        assert np.array_equal(found.scores, known)


SIDES = ["model_a model_b", "model_1 model_2", "model_x model_y", "A B", "Left Right", "left_model right_model"]
SIDES += [
    "agent_a agent_b",
    "generator_1 generator_2",
    "system_1 system_2",
    "modelA modelB",
    "answer_a_model answer_b_model",
]
CALLED = [("a", "b", "tie"), ("model_a", "model_b", "tie (inconsistent)"), ("[[A]]", "[[B]]", "neither"), (1, 0, 0.5)]
CALLED += [("A>B", "B>A", "A=B"), (1, -1, 0), (1.0, 2.0, 1.5), ("a", "b", "both bad")]


def test_sides_and_winners_are_called_in_many_ways(rng, tmp_path):
    table = arena(rng.integers(2**31))
    known = skc.from_judgments(table, cluster="judge")
    who = np.select([table["winner"] == "model_a", table["winner"] == "model_b"], [0, 1], 2)
    by_name = np.choose(who, [table["model_a"], table["model_b"], np.full(len(who), "tie", dtype=object)])
    for a, b in map(str.split, SIDES):
        parts = [x.replace("model", "").strip("_") for x in (a, b)]
        called = [(1, -1, 0), (a, b, "tie"), (*parts, "tie")][: 3 if parts[0].isalpha() else 2]
        called += [CALLED[i] for i in rng.permutation(len(CALLED))[:2]]
        winners = [by_name, *(np.array(x, dtype=object)[who] for x in called)][rng.integers(len(called) + 1)]
        winner = rng.choice(["winner", "preference", "Preferred", "vote", "judge_choice", "winning model"])
        frame = pd.DataFrame({a: table["model_a"], b: table["model_b"], winner: winners, "judge": table["judge"]})
        frame = frame.assign(turn=rng.integers(1, 3, len(who)), response_a="x", response_b="y")
        frame = frame[rng.permutation(frame.columns)]
        frame.to_csv(tmp_path / "votes.csv", index=False)
        for found in (skc.from_judgments(frame, cluster="judge"), skc.read(tmp_path / "votes.csv", cluster="judge")):
            strengths = [dict(zip(x.estimators, x.scores.ravel(), strict=True)) for x in (found, known)]
            assert strengths[0] == pytest.approx(strengths[1]), (a, b, winner, winners[:3])


@pytest.mark.parametrize("sides", [("home", "away"), ("away", "home"), ("baseline", "candidate"), ("team 1", "team 2")])
@pytest.mark.parametrize(
    "names", [("x", "y", "z", "w"), ("Model 1", "Model 2", "home", "away"), ("left", "right", "1", "2")]
)
def test_a_winner_is_the_model_of_its_name_or_that_of_the_named_column(sides, names, rng):
    table = arena(rng.integers(2**31))
    called = dict(zip(sorted({*table["model_a"]}), names, strict=True))
    a, b = ([called[x] for x in table[side]] for side in ("model_a", "model_b"))
    first = table["winner"] == "model_a"
    known = skc.from_judgments({"model_a": a, "model_b": b, "winner": np.where(first, a, b)})
    plain = skc.from_judgments(
        {"a": table["model_a"], "b": table["model_b"], "winner": np.where(first, table["model_a"], table["model_b"])}
    )
    assert known.scores.ravel() == pytest.approx(plain.scores.ravel())
    if {*sides}.isdisjoint(names):
        table = {sides[0]: a, sides[1]: b, "won": np.where(first, *sides)}
        found = skc.from_judgments(table, a=sides[0], b=sides[1], winner="won")
        assert found.scores.ravel() == pytest.approx(plain.scores.ravel())


@pytest.mark.parametrize("called", [("1", "2", "x"), (0, 1, 2), (1, 2, 0), ("x1", "x2", "x3")])
def test_winners_of_more_than_one_meaning_are_never_guessed(called, rng):
    table = arena(rng.integers(2**31))
    who = np.select([table["winner"] == "model_a", table["winner"] == "model_b"], [0, 1], 2)
    with pytest.raises(ValueError, match=r"winner must be one of the two models"):
        skc.read({**table, "winner": np.array(called, dtype=object)[who]}, cluster="judge")


def test_what_a_number_as_winner_means_is_said(rng):
    table = arena(rng.integers(2**31))
    first = table["winner"] == "model_a"
    for numbers in ((1, 0), (1, 2), (1, -1)):
        found = skc.read({**table, "winner": np.where(first, *numbers)}, cluster="judge")
        assert "A winner of 1 is model_a." in found.provenance["read_as"]


def test_tables_of_scores_with_two_sides_are_no_judgments(rng):
    teams = rng.choice(["ants", "bees", "cats"], (2, 30))
    scores = {"svm": rng.random(30), "tree": rng.random(30)}
    for sides, told in ((("white", "black"), "result"), (("chosen", "rejected"), "choice"), (("a", "b"), "outcome")):
        frame = {"id": np.arange(30), **dict(zip(sides, teams, strict=True)), told: rng.choice(["win", "loss"], 30)}
        with suppress(ValueError):  # some are asked about
            assert {*skc.read({**frame, **scores}).estimators} == {*scores}


def test_labels_that_two_models_predict_are_no_judgments(rng):
    truth = rng.choice(["cat", "dog"], 80)
    guesses = {name: np.where(rng.random(80) < 0.7, truth, "cat") for name in ("model_a", "model_b")}
    with pytest.warns(UserWarning, match="roc_auc is left out"):
        found = skc.read({"id": np.arange(80), "y_true": truth, **guesses})
    assert found.metrics[0] == "accuracy"


def test_judges_that_nothing_is_said_of_are_asked_about(global_random_seed):
    table = arena(global_random_seed)
    found, told = skc.from_judgments(table), skc.from_judgments(table, cluster="none")
    assert "cluster='judge'" in next(str(one) for one in found.warnings if one.code == "ASSUMED")
    assert not told.warnings
    assert not skc.from_judgments({name: table[name] for name in ("model_a", "model_b", "winner")}).warnings


def test_only_models_that_may_be_first_are_to_be_used():
    # the first model may be level with one that the second one beats: of three that share the lead two may be first
    table = arena(0, n=4000, k=5)
    table["winner"] = np.where(np.arange(4000) % 9 == 0, "tie", table["winner"])
    for seed in range(20):
        n_clusters = 2 + seed % 3
        rng = np.random.default_rng(seed)
        found = skc.from_judgments({**table, "group": rng.integers(n_clusters, size=4000)}, cluster="group")
        said = " ".join(found.summary().split("\n\n")[0].split())
        if (n := len(found.rank().may_be_first)) > 1:
            assert ("Use either" in said) == (n == 2), said


@pytest.mark.parametrize(("won", "said"), [("model_a", "gains"), ("model_b", "loses")])
def test_what_the_first_side_gains_is_said_in_points(won, said, global_random_seed):
    table = arena(global_random_seed)
    table["winner"][:200] = won
    found = skc.from_judgments(table, cluster="none", home=True)
    points = abs(ELO * bradley_terry(table["model_a"], table["model_b"], table["winner"], home=True).home)
    assert f"The first side {said} {points:.0f} points." in " ".join(str(found.explain()).split())
    assert "(it depends on who judges which models, and how often)." in " ".join(str(found.explain()).split())


@pytest.mark.parametrize(
    ("k", "judges", "said"),
    [
        (3, 20, ""),
        (5, 20, ""),
        (5, 10, "judges so few, or of so different numbers of judgments, were not simulated"),
        (4, 200, "only judges of 40 judgments each were simulated"),
        (4, 3, "only judges of 40 judgments each were simulated"),
        (14, 20, "only 3 to 6 models were simulated"),
        (4, None, "it depends on who judges which models, and how often"),
    ],
)
def test_error_rates_of_judges_are_quoted_where_such_were_simulated(k, judges, said, global_random_seed):
    table = arena(global_random_seed, k=k, judges=judges or 30)
    found = skc.from_judgments(table, cluster="none" if judges is None else "judge")
    told = " ".join(str(found.explain()).split())
    if said:
        assert f"({said})." in told
    else:
        assert "10 to 200 judges" in told
    assert ("error rate not measured" in str(found)) == bool(said)


def test_a_result_is_kept_and_shown_in_all_forms(result, tmp_path):
    result.save(tmp_path / "judged.skc")
    again = skc.load(tmp_path / "judged.skc")
    assert str(again) == str(result)
    assert str(again.compare()) == str(result.compare())
    assert json.loads(result.to_json())["design"]["kind"] == "judgments"
    assert "Bradley and Terry, 1952" in result.methods_text()
    assert "600 judgments in 30 clusters" in result.methods_text()
    assert result.plot("differences") is not None
    assert result.plot("scores").ax_.get_title("left") == "elo of 4 models on 600 judgments in 30 clusters"
    own = {row.model: row for row in result.intervals()}
    for name in result.estimators:
        assert own[name].low < own[name].score < own[name].high


@pytest.mark.parametrize("k", [3, 6])
def test_every_view_has_the_degrees_of_freedom_of_its_own_difference(k, rng, tmp_path):
    table = arena(rng.integers(2**31), k=k)
    of_pair = [sorted(pair) for pair in zip(table["model_a"], table["model_b"], strict=True)]
    table["judge"] = np.array([f"{a} {b} {i}" for (a, b), i in zip(of_pair, rng.integers(3, size=600), strict=True)])
    result = skc.from_judgments(table, cluster="judge")
    known = bradley_terry(table["model_a"], table["model_b"], table["winner"], clusters=table["judge"])
    result.save(tmp_path / "judged.skc")
    again = skc.load(tmp_path / "judged.skc")
    assert len({*known.df_of_differences.ravel().round(6)}) > 1
    for found in (result, again):
        for row in found.compare(correction="none"):
            test = known.difference(row.a, row.b)
            assert row.record.df == pytest.approx(test.df)
            assert row.pvalue == pytest.approx(test.pvalue)
            assert (row.low > 0 or row.high < 0) == (row.pvalue < 0.05)
        for i, row in enumerate(found.intervals(confidence_level=0.9)):
            reach = stats.t.ppf(0.95, known.df_of_differences[i, i]) * known.standard_errors[i]
            assert (row.low, row.high) == pytest.approx((row.score - ELO * reach, row.score + ELO * reach))


@pytest.mark.parametrize("df", [7.5, np.inf])
def test_files_with_one_number_of_degrees_of_freedom_are_read(df, result, tmp_path):
    def same(_, arrays):
        arrays["covariance_df"] = np.array([df])

    result.save(tmp_path / "judged.skc")
    again = skc.load(with_content(tmp_path / "judged.skc", same))
    assert [row.record.df for row in again.compare()] == pytest.approx([df] * 6)
    own = [(row.high - row.score) / (ELO * error) for row, error in zip(again.intervals(), errors(result), strict=True)]
    assert own == pytest.approx([stats.t.ppf(0.975, df)] * 4)


def errors(result):
    return np.diag(result._scores.covariances[0]) ** 0.5 / ELO


def test_what_needs_shared_cases_is_refused_by_name(result):
    for ask in (lambda: result.dominance(), lambda: result.plot("posterior"), lambda: result.difference("elo")):
        with pytest.raises(ValueError, match="judgments"):
            ask()
    with pytest.raises(ValueError, match="'wald_test'"):
        result.test("paired_t_test")


def test_many_models_are_compared_in_seconds():
    rng = np.random.default_rng(0)
    a = rng.integers(60, size=100_000)
    b = (a + rng.integers(1, 60, size=100_000)) % 60
    names = np.array([f"m{i}" for i in range(60)], dtype=object)
    found = skc.from_judgments({"a": names[a], "b": names[b], "winner": rng.integers(2, size=100_000)})
    assert found.compare().n_hypotheses == 60 * 59 // 2


# ---- a judge and few labels -------------------------------------------------------------------------------------


def judged(seed, n=600, labelled=80, models="ab"):
    """A judge that is too kind to the second model; in truth the first is the better one."""
    rng = np.random.default_rng(seed)
    truth = {name: (rng.random(n) < 0.8 - 0.3 * i).astype(float) for i, name in enumerate(models)}
    judge = {name: np.where(rng.random(n) < 0.9 - 0.2 * (name == "b"), x, 1.0) for name, x in truth.items()}
    human = {name: np.where(np.arange(n) < labelled, x, np.nan) for name, x in truth.items()}
    return judge, human


def test_two_models_are_compared_by_the_prediction_powered_test(global_random_seed):
    judge, human = judged(global_random_seed)
    for clusters in (None, np.arange(600) // 4):
        found = skc.from_judged(judge, human=human, cluster=clusters)
        known = prediction_powered_test(judge["a"] - judge["b"], human["a"] - human["b"], clusters=clusters)
        test = found.test()
        for name in ("estimate", "standard_error", "df", "pvalue"):
            assert getattr(test, name) == pytest.approx(getattr(known, name), rel=1e-9), name
        assert np.diff(found.scores.ravel()) == pytest.approx(-known.estimate)
    assert "600 judged items in 150 clusters, 80 with labels" in str(found)


@pytest.mark.parametrize(
    ("labelled", "clusters", "said"), [(60, None, "30 to 1,000 labelled items"), (60, 40, "not measured")]
)
def test_how_often_the_test_is_wrong_is_said_of_judged_items(labelled, clusters, said, rng):
    truth = rng.normal(size=(2, 500))
    human = np.where(np.arange(500) < labelled, truth, np.nan)
    judge = dict(zip("ab", truth + rng.normal(size=(2, 500)), strict=True))
    groups = None if clusters is None else np.arange(500) % clusters
    found = skc.from_judged(judge, human=dict(zip("ab", human, strict=True)), cluster=groups)
    assert said in " ".join(str(found.explain()).split())


@pytest.mark.parametrize("labelled", [12, 60])
@pytest.mark.parametrize("clusters", [False, True])
@pytest.mark.parametrize("wrong", [0.0, 1.0])
def test_labels_that_never_differ_leave_room_for_two_that_do(labelled, clusters, wrong, global_random_seed):
    """The standard error of Bonett and Price (2012): of n pairs without a discordant one sqrt(2) / (n + 2)."""
    judge, _ = judged(global_random_seed)
    human = {name: np.where(np.arange(600) < labelled, 1 - wrong * (name == "b"), np.nan) for name in "ab"}
    owner = np.arange(600) // 4 if clusters else None
    n = labelled // 4 if clusters else labelled
    found = skc.from_judged(judge, human=human, cluster=owner)
    test = prediction_powered_test(judge["a"] - judge["b"], human["a"] - human["b"], clusters=owner)
    for own in (test, found.test()):
        assert (own.estimate, own.standard_error) == (pytest.approx(wrong), pytest.approx(2**0.5 / (n + 2)))
    [row] = found.compare()
    assert row.low < wrong < row.high
    assert "have the same scores" not in str(found)
    caution = f"models have the same difference on all {labelled} labelled items"
    assert any(caution in warning for warning in found.warnings)
    human["b"][0] = 0.5
    assert not any(caution in warning for warning in skc.from_judged(judge, human=human).warnings)


def test_models_that_nobody_saw_differ_have_the_same_scores():
    """Neither the judge nor a label: there is nothing that could vary."""
    same = np.arange(100) % 2.0
    human = np.where(np.arange(100) < 40, same, np.nan)
    found = skc.from_judged({"a": same, "b": same}, human={"a": human, "b": human})
    assert str(found).startswith("a and b have the same scores")
    [row] = found.compare()
    assert (row.low, row.high) == (0, 0)


def test_models_that_won_as_often_may_differ():
    found = skc.from_judgments({"a": ["x"] * 20, "b": ["y"] * 20, "winner": ["x", "y"] * 10})
    assert str(found).startswith("No clear winner: x and y are equal on elo, and -")


def test_differences_of_many_models_add_up(global_random_seed):
    judge, human = judged(global_random_seed, models="abc")
    found = skc.from_judged(judge, human=human)
    rows = {(row.a, row.b): row.estimate for row in found.compare()}
    assert rows["a", "c"] == pytest.approx(rows["a", "b"] + rows["b", "c"])
    scores = dict(zip(found.estimators, found.scores.ravel(), strict=True))
    assert rows["a", "b"] == pytest.approx(scores["a"] - scores["b"])


def test_errors_are_better_where_they_are_less(global_random_seed):
    judge, human = judged(global_random_seed)
    wrong = [{name: 1 - x for name, x in part.items()} for part in (judge, human)]
    found = skc.from_judged(wrong[0], human=wrong[1], greater_is_better=False)
    known = skc.from_judged(judge, human=human).test()
    assert found.test().estimate == pytest.approx(known.estimate)
    assert found.test().pvalue == pytest.approx(known.pvalue)


def test_a_judged_result_is_kept_and_shown(global_random_seed, tmp_path):
    judge, human = judged(global_random_seed)
    found = skc.from_judged(pd.DataFrame(judge), human=pd.DataFrame(human))
    found.save(tmp_path / "judged.skc")
    assert str(skc.load(tmp_path / "judged.skc")) == str(found)
    assert json.loads(found.to_json())["design"]["kind"] == "judged items"
    assert "prediction-powered" in found.methods_text()
    assert "The judge counts with a weight of" in " ".join(str(found.explain()).split())
