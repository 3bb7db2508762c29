"""Independent runs: read from a table, tested without pairs, and told as what they are in every view."""

from __future__ import annotations

import json
import re
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import accuracy_score, f1_score
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import StandardScaler

import skcompare as skc

WHY = "the same initial weights and order of the data"


def table(rng, models=None, n=5, tasks=None, metrics=("accuracy",), spread=0.01):
    """Runs of models of which each is better than the one before."""
    models = {"a": 0.90, "b": 0.92, "c": 0.95} if models is None else models
    rows = [
        {"task": task, "model": model, "seed": seed, "metric": metric, "score": mean + spread * rng.standard_normal()}
        for task in tasks or ["-"]
        for model, mean in models.items()
        for seed in range(n[model] if isinstance(n, dict) else n)
        for metric in metrics
    ]
    frame = pd.DataFrame(rows)
    return frame if tasks else frame.drop(columns="task")


@pytest.fixture(scope="module")
def networks():
    """Real runs: networks of two sizes with six seeds, on one split of real data."""
    rows = []
    for task, load in (("wine", load_wine), ("cancer", load_breast_cancer)):
        x, y = load(return_X_y=True)
        parts = train_test_split(StandardScaler().fit_transform(x), y, random_state=0, train_size=100)
        for name, size in (("small", 1), ("large", 12)):
            for seed in range(6):
                model = MLPClassifier(size, solver="lbfgs", max_iter=15, random_state=seed)
                with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):
                    predicted = model.fit(parts[0], parts[2]).predict(parts[1])
                rows += [
                    {"task": task, "model": name, "seed": seed, "metric": metric, "score": score}
                    for metric, score in (
                        ("accuracy", accuracy_score(parts[3], predicted)),
                        ("f1_macro", f1_score(parts[3], predicted, average="macro")),
                    )
                ]
    return pd.DataFrame(rows)


@pytest.fixture
def analyze(run):
    """Run the command; gives what it prints."""

    def analyze(*arguments):
        status, out, err = run("analyze", *arguments)
        assert (status, err) == (0, "")
        return out

    return analyze


# ---- from a table to every view -------------------------------------------------------------------------------------


def test_real_runs_through_text_page_and_command(networks, tmp_path, analyze):
    one = networks[networks["task"] == "wine"].drop(columns="task")
    result = skc.from_runs(one)
    assert result.design.kind == "runs"
    wide = one[one["metric"] == "accuracy"].pivot_table(index="seed", columns="model", values="score")
    peer = stats.ttest_ind(wide["small"], wide["large"], equal_var=False)
    assert result.test().pvalue == pytest.approx(peer.pvalue)
    text, full, methods = result.summary(), result.summary("full"), result.methods_text()
    page, markdown, document = result.to_html(), result.to_markdown(), json.loads(result.to_json())
    for view in (text, full, page, markdown, document["design"]["name"], methods):
        assert "6 independent runs of each model" in " ".join(view.split())
        assert "cross-validation" not in view
        assert "training and test sets" not in view
    assert "Welch" in methods
    assert "not paired" in methods
    assert "Runs of two models are not pairs." in " ".join(full.split())
    assert document["comparison"]["procedure"] == "welch_t_test"
    assert document["comparison"]["rows"][0]["pvalue"] == result.test().pvalue
    one.to_csv(tmp_path / "runs.csv", index=False)
    told = analyze(tmp_path / "runs.csv", "--html", tmp_path / "page.html")
    assert text.rpartition("More:")[0] in told
    assert "Read as: runs of 2 models (column 'model'), 6 runs of each (column 'seed')" in " ".join(told.split())
    assert "6 independent runs of each model" in (tmp_path / "page.html").read_text()
    result.save(tmp_path / "runs.skc")
    again = skc.load(tmp_path / "runs.skc")
    assert (again.design, again.summary("full")) == (result.design, full)
    assert skc.from_runs(result.to_frame()).summary("full") == full


def test_real_runs_of_several_tasks(networks, tmp_path, analyze):
    study = skc.from_runs(networks)
    assert isinstance(study, skc.StudyResult)
    assert study.datasets == ("wine", "cancer")
    assert "6 independent runs of each model" in " ".join(study.summary().split())
    assert "6 independent runs" in study.methods_text()
    assert "training and test sets" not in study.methods_text()
    networks.to_csv(tmp_path / "runs.csv", index=False)
    told = analyze(tmp_path / "runs.csv")
    assert study.summary().rpartition("More:")[0] in told
    assert "2 models (column 'model') on 2 data sets (column 'task')" in told
    assert skc.from_runs(study.to_frame()).summary() == study.summary()
    study.save(tmp_path / "study.skc")
    assert skc.load(tmp_path / "study.skc").designs == study.designs


@pytest.mark.parametrize("form", [dict, pd.DataFrame])
@pytest.mark.parametrize("paired", [None, WHY])
def test_one_array_per_model_has_the_runs_of_a_table(rng, form, paired):
    tidy = table(rng, n=6)
    own = {model: rows["score"].to_numpy() for model, rows in tidy.groupby("model")}
    plain = skc.from_runs(tidy.drop(columns="metric"), paired=paired)
    assert skc.from_runs(form(own), paired=paired).summary() == plain.summary()
    timed = form({**own, "a_time": 9 + rng.random(6)})
    assert skc.from_runs(timed, paired=paired).summary() == plain.summary()


def test_one_array_per_model_may_have_runs_of_its_own_number(rng):
    tidy = table(rng, n={"a": 4, "b": 7, "c": 5}).drop(columns="metric")
    own = {model: rows["score"].tolist() for model, rows in tidy.groupby("model")}
    assert skc.from_runs(own).summary() == skc.from_runs(tidy).summary()
    with pytest.raises(ValueError, match="the same runs"):
        skc.from_runs(own, paired=WHY)
    for other in ({"a_time": [9.0]}, {"score": [0.9]}, {"d": []}):  # no more runs of a model
        with pytest.raises(ValueError, match="columns of one length"):
            skc.from_runs({**own, **other})
    with pytest.raises(ValueError, match=r"'a' on 'run 1', in 1 of 14 runs$"):  # no call reads what is no table
        skc.from_runs({**own, "a": [0.9, None]})


@pytest.mark.parametrize("read", [skc.from_runs, skc.StudyResult.from_frame, skc.read])
def test_calls_for_rows_without_names_read_them(rng, read):
    frame = pd.DataFrame(rng.random((8, 2)), columns=["a", "b"])
    frame.loc[int(rng.integers(8)), "b"] = np.nan
    with pytest.raises(ValueError, match="skc") as refused:
        read(frame)
    assert refused.value.calls
    for what, options in refused.value.calls:
        found = skc.read(frame, **options)
        assert found.estimators == ("a", "b")
        assert options.get("run") == ("rows" if "run" in what.lower() else None)


# ---- what is tested -------------------------------------------------------------------------------------------------


def test_the_better_model_is_found_and_an_equal_one_is_not(rng):
    result = skc.from_runs(table(rng, {"good": 0.95, "twin": 0.95, "bad": 0.5}, n=8))
    said = {(row.a, row.b): row.winner for row in result.compare(metrics="accuracy")}
    assert said["good", "bad"] == "good"
    assert said["twin", "bad"] == "twin"
    for procedure in ("welch_t", "permutation", "almost_stochastic_order"):
        record = result.test(procedure, a="good", b="bad")
        assert getattr(record, "verdict", "better") == "better"
        assert record.estimate > 0.3
    less = skc.from_runs(table(rng, {"good": 0.1, "bad": 0.6}, n=4), greater_is_better=False)
    assert less.answer().metrics[0].leader == "good"


def test_unequal_numbers_of_runs_are_those_of_each_model(rng):
    runs = table(rng, n={"a": 3, "b": 5, "c": 10})
    result = skc.from_runs(runs)
    own = {name: part["score"].to_numpy() for name, part in runs.groupby("model")}
    assert result.design.n_runs == (3, 5, 10)
    for row in result.compare():
        assert (row.mean_a, row.mean_b) == pytest.approx((own[row.a].mean(), own[row.b].mean()))
        assert row.pvalue == pytest.approx(stats.ttest_ind(own[row.a], own[row.b], equal_var=False).pvalue)
        assert {warning.code for warning in row.warnings} <= {"INDEPENDENCE"}
    assert [one.score for one in result.intervals()] == pytest.approx([values.mean() for values in own.values()])
    for one, values in zip(result.intervals(), own.values(), strict=True):
        low, high = stats.t.interval(0.95, len(values) - 1, values.mean(), stats.sem(values))
        assert (one.low, one.high) == pytest.approx((low, high))
    assert "3 to 10 independent runs of each model" in " ".join(result.summary("full").split())
    assert "not defined" not in result.methods_text()
    assert "unknown (5 runs against 10" not in " ".join(result.summary().split())
    study = skc.from_runs(pd.concat([runs.assign(task="x"), runs.assign(task="y")]))
    assert study.means("accuracy")[0] == pytest.approx([values.mean() for values in own.values()])


def test_the_order_of_runs_and_their_names_play_no_part(rng):
    runs = table(rng)
    shuffled = runs.sample(frac=1, random_state=1).assign(seed=lambda one: "run " + one["seed"].astype(str))
    shuffled = pd.concat([part for _, part in shuffled.groupby("model")])
    assert skc.from_runs(shuffled).summary() == skc.from_runs(runs).summary()


def test_the_exact_unpaired_p_value():
    """50 of the 252 partitions, of the slides of CS 478 at Brigham Young University; scipy's test gives the same."""
    a, b = [92.0, 90, 91, 93, 91], [90.0, 90, 92, 90, 89]
    result = skc.from_runs({"model": ["a"] * 5 + ["b"] * 5, "run": [*range(5)] * 2, "score": a + b})
    record = result.test("permutation")
    peer = stats.permutation_test((a, b), lambda x, y: np.mean(x) - np.mean(y), permutation_type="independent")
    assert record.pvalue == pytest.approx(50 / 252) == pytest.approx(peer.pvalue)
    assert not any(warning.code == "PAIRING_IGNORED" for warning in record.warnings)


def test_runs_are_pairs_only_for_a_reason_that_is_told(rng):
    runs = table(rng, metrics=("accuracy", "f1"), spread=0.001)
    result = skc.from_runs(runs, paired=f"  {WHY}. ")
    assert result.compare().procedure == "paired_t_test"
    assert result.test("max_t_test").pvalue == 2 / 2**5
    assert result.dominance(metrics=["accuracy", "f1"], a="c", b="a").statement == (True, True)
    for view in (
        result.summary("full"),
        result.methods_text(),
        result.to_html(),
        json.loads(result.to_json())["design"]["paired"],
    ):
        assert WHY in " ".join(view.split())
    assert result.compare(margin=0.01)[0].rope is not None
    for first, second in zip(result.compare(), skc.from_runs(runs).compare(), strict=True):
        assert first.estimate == pytest.approx(second.estimate)


def test_what_needs_pairs_is_refused_of_runs(rng):
    result = skc.from_runs(table(rng, metrics=("accuracy", "f1")))
    for kind in ("posterior", "simplex", "dominance", "quadrants", "win_probabilities"):
        with pytest.raises(ValueError, match="independent runs are none"):
            result.plot(kind)
    front = result.pareto_front()
    assert front.front() == ("c",)
    assert np.isnan(front.probabilities).all()
    drawn = result.plot("scores")
    assert "5 independent runs each" in drawn.figure_.axes[0].get_title(loc="left") + str(drawn._title())
    assert "lines join" not in drawn.ax_.get_xlabel()


def test_few_tasks_are_said_to_show_nothing(rng):
    """Three models whose ranks on six tasks are 1, 2 and 3 each time: no pair could be significant."""
    study = skc.from_runs(table(rng, tasks=[f"task {i}" for i in range(6)], spread=0.001))
    assert study.rank().mean_ranks.tolist() == [3, 2, 1]
    assert study.summary().startswith("Too little data")
    assert "Intervals:" not in study.summary()  # there are no intervals
    assert any(text.startswith("CANNOT_REJECT") for text in study.explain().named("warnings").texts)


def test_one_run_of_each_model_concludes_nothing():
    result = skc.from_runs({"model": ["a", "b"], "run": [0, 0], "score": [0.9, 0.5]})
    for view in (result.summary(), result.to_html()):
        assert "No model can be named on score" in view
        assert "1 independent run of each model" in view
        assert "at least 2 runs of each model" in view
    assert result.compare()[0].outcome.value == "not comparable"


@pytest.mark.parametrize("score", [0.9, 0.0])
def test_the_own_score_of_a_model_that_seeds_do_not_change_is_no_difference(score):
    result = skc.from_runs(
        {"model": ["a"] * 3 + ["b"] * 3, "run": [0, 1, 2] * 2, "score": [score] * 3 + [0.5, 0.6, 0.7]}
    )
    still, other = result.intervals()
    assert [one.code for one in still.warnings] == ["ZERO_VARIANCE"]
    assert "score of 'a' does not vary" in still.warnings[0]
    assert not other.warnings
    assert (still.low, still.method, other.method) == (score, "t", "t")


# ---- several tasks --------------------------------------------------------------------------------------------------


def test_procedures_on_runs_of_tasks_take_all_runs(rng):
    runs = table(rng, tasks=["x", "y", "z"], n=4)
    study = skc.from_runs(runs)
    values = np.stack([[study.results[task].scores[m, :, 0] for task in "xyz"] for m in range(3)])
    names = list(study.estimators)
    expected = skc.inference.interquartile_mean(values, names=names, rng=0)
    np.testing.assert_array_equal(study.test("interquartile_mean", rng=0).estimates, expected.estimates)
    won = study.test("probability_of_improvement", a="c", b="a")
    assert won.estimate == skc.inference.probability_of_improvement(values[2], values[0], paired=False).estimate
    assert not won.paired
    assert study.test("performance_profile").n_runs == 4
    assert skc.from_runs(runs, paired=WHY).test("probability_of_improvement").paired
    posterior = skc.from_runs(runs, paired=WHY).test("hierarchical_posterior", a="c", b="a", margin=0.001)
    assert posterior.right > 0.5


def test_models_with_unequal_numbers_of_runs_on_tasks_are_compared_by_pairs(rng):
    study = skc.from_runs(table(rng, {"a": 0.9, "b": 0.95}, tasks=["x", "y"], n={"a": 5, "b": 3}))
    assert study.test("probability_of_improvement", a="b", b="a").n_runs == (3, 5)
    for procedure in ("interquartile_mean", "performance_profile"):
        with pytest.raises(ValueError, match=r"as many runs .* of every model; got 3, 5"):
            study.test(procedure)


@pytest.mark.parametrize(("n", "said"), [((3, 3), "3 runs"), ((3, 4), "3 or 4 runs"), ((3, 5), "3 to 5 runs")])
def test_the_numbers_of_runs_in_words(n, said, rng):
    result = skc.from_runs(table(rng, n={"a": n[0], "b": n[1], "c": n[1]}))
    assert result.design.name == said.replace("runs", "independent runs of each model")


@pytest.mark.parametrize("n", [{"a": 3, "b": 10}, {"a": 9, "b": 10}, {"a": 5, "b": 5, "c": 25}])
def test_of_unequal_numbers_of_runs_the_rate_is_predicted(n, rng):
    """The highest of all simulated shares, 14% of skewed scores of 3 runs against 10, is near the end of the range."""
    found = json.loads(skc.from_runs(table(rng, dict.fromkeys(n, 0.9), n=n)).to_json())["error_rates"]
    assert found["where"].startswith("3 to 30 runs of the model with fewer")
    rate = found["by_metric"]["accuracy"]
    assert 0.02 < rate["low"] < 0.05 < rate["mean"] < 0.07 < rate["high"] < 0.14


def test_of_numbers_of_runs_that_no_simulation_is_near_nothing_is_known(rng):
    found = json.loads(skc.from_runs(table(rng, {"a": 0.9, "b": 0.8}, n={"a": 3, "b": 80})).to_json())["error_rates"]
    assert found["reason"] == "3 runs against 80 were not simulated"


def test_a_claim_of_unequal_runs_is_fragile_unless_it_is_far_from_chance(rng):
    """Skewed scores of 3 runs against 10: 14% of true nulls."""
    found = []
    for lead in np.linspace(0.005, 0.06, 120):
        (row,) = skc.from_runs(table(rng, {"a": 0.1 + lead, "b": 0.1}, n={"a": 3, "b": 10})).compare()
        assert row.outcome.significant or not row.fragile
        found.append((row.outcome.significant, row.fragile))
    assert (True, True) in found
    assert (True, False) in found


def test_a_study_of_runs_speaks_of_tasks_and_of_no_splits(rng):
    runs = pd.concat([table(rng, n=4).assign(task=f"t{i}") for i in range(7)])
    study = skc.from_runs(runs)
    simulated = "over several data sets only normal scores of five equal models were simulated"
    full, methods = study.summary("full").split("Sources")[0], study.methods_text().split("@article")[0]
    for text in (full, methods, study.to_markdown(), study.summary(), study.to_html().split("Sources")[0]):
        said = " ".join(text.split())
        assert "7 tasks" in said
        assert not re.search("splits?|data sets?", said.replace(simulated, ""))
        assert (simulated in said) == (text in (full, methods) or "<html" in text)


def test_equivalence_of_runs_needs_no_pairs(rng):
    runs = table(rng, {"a": 0.9, "b": 0.9}, n={"a": 6, "b": 9})
    record = skc.from_runs(runs).test("equivalence_test", margin=0.05)
    own = [part["score"].to_numpy() for _, part in runs.groupby("model")]
    assert record.verdict == "equivalent"
    assert record.pvalue_difference == pytest.approx(stats.ttest_ind(*own, equal_var=False).pvalue)
    assert skc.from_runs(runs).test("equivalence_test", margin=0.001).verdict != "equivalent"
    paired = skc.from_runs(table(rng, {"a": 0.9, "b": 0.9}), paired=WHY).test("equivalence_test", margin=0.05)
    assert paired.df == 4


@pytest.mark.parametrize("task", [{}, {"task": ["x", "y"] * 5}])
def test_runs_that_are_no_pairs_need_no_names(rng, task):
    table = {"model": ["a"] * 6 + ["b"] * 4, "score": rng.normal(size=10), **task}
    named = {**table, "seed": [i // 2 if task else i for i in range(6)] + [i // 2 if task else i for i in range(4)]}
    found, known = skc.from_runs(table), skc.from_runs(named)
    assert type(found) is type(known)
    np.testing.assert_array_equal(found.scores, known.scores)
    with pytest.raises(ValueError, match="has several scores"):
        skc.from_runs(table, paired="the same initial weights")
    with pytest.raises(ValueError, match="rate"):
        skc.from_runs({**table, "rate": ([0.1] * 2 + [0.2] * 2) * 2 + [0.1] * 2})


@pytest.mark.parametrize(("n_a", "n_b", "wanted"), [(2, 2, True), (2, 5, True), (3, 3, False)])
def test_two_runs_of_a_model_are_said_to_tell_little_of_their_spread(n_a, n_b, wanted):
    """Of so few no error rate was measured, and a claim on them needs a caution beside it."""
    scores = [*np.linspace(0.80, 0.81, n_a), *np.linspace(0.70, 0.72, n_b)]
    result = skc.from_runs({"model": ["a"] * n_a + ["b"] * n_b, "score": scores})
    told = "2 runs hardly tell how much the scores vary. Take 5."
    assert (told in " ".join(str(result).split())) == wanted
    more = f"{told} Against more runs up to 13% of equal models are called different, of skewed scores 21%."
    assert (more in " ".join(str(result).split())) == (wanted and n_a != n_b)


@pytest.mark.parametrize("n", [3, 8, 20, 60])
def test_welch_on_two_runs_against_more_is_wrong_as_often_as_is_said(n, rng):
    """Of normal scores and of skewed ones, as `benchmarks.runs` has them, whatever their spreads."""
    for draw, most in ((rng.normal, 0.13), (lambda size: 1 - rng.exponential(size=size), 0.21)):
        for spread in (0.5, 0.7, 1, 2, 5):
            drawn = ((spread * draw(size=2), draw(size=n)) for _ in range(400))
            found = np.mean([skc.inference.welch_t_test(*pair).pvalue < 0.05 for pair in drawn])
            assert found < most + 4 * (most * (1 - most) / 400) ** 0.5
