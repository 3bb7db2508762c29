"""Where warnings stand in a report, and which way the differences of a cost point in every view of a study."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn import metrics as skm
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.metrics import fbeta_score, make_scorer
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcompare import PairedEvaluator, StudyResult, from_frame, from_predictions
from tests.shown_tables import in_html, in_latex, in_markdown

MODELS = {
    "nb": GaussianNB(),
    "tree": DecisionTreeClassifier(random_state=0),
    "stump": DecisionTreeClassifier(max_depth=1),
}


@pytest.fixture(scope="module")
def leaking():
    X, y = make_classification(80, 5, random_state=0)
    cv = [(np.arange(80), np.arange(20 * i, 20 * i + 20)) for i in range(3)]
    models = MODELS | {"coin": DummyClassifier(strategy="stratified")}
    return PairedEvaluator(cv=cv, scoring=["accuracy", "recall"], random_state=0).evaluate(models, X, y)


def test_what_forbids_the_conclusion_is_the_first_line_and_all_warnings_are_in_the_explanation(leaking):
    for text in (leaking.summary(), leaking.summary("full")):
        assert text.startswith("Do not use this result: ")
        assert "Caution: " not in text
    whole = " ".join(leaking.summary("full").split())
    for warning in leaking._found().warnings:
        assert f"- {warning.code}" in whole


COSTS = {"fit_time": False, "accuracy": True}


@pytest.fixture(scope="module")
def costly():
    """Twelve data sets on which "slow" takes five seconds more, and one where it takes an hour more."""
    rng = np.random.default_rng(0)
    rows = [(d, model, metric) for d in range(12) for model in ("slow", "fast") for metric in COSTS]
    extra = {("slow", "fit_time"): 5.0}
    scores = [rng.uniform(0.1, 0.2) + extra.get((model, metric), 0.0) for _, model, metric in rows]
    scores[0] += 3600
    names = {
        "dataset": [f"d{d}" for d, _, _ in rows],
        "model": [row[1] for row in rows],
        "metric": [row[2] for row in rows],
    }
    return StudyResult.from_frame({**names, "score": scores}, greater_is_better=COSTS)


def test_a_cost_has_one_winner_and_one_sign_in_every_view_of_a_study(costly):
    row = next(row for row in costly.compare() if row.metric == "fit_time")
    assert (row.a, row.b, row.winner) == ("slow", "fast", "fast")
    assert row.high < 0
    assert -5.2 < row.estimate < -4.8  # the median of the differences, not that of the means
    assert row.mean_a > row.mean_b + 100
    answer = costly.answer()
    assert (answer.metrics[0].leader, answer.metrics[0].worse) == ("fast", ("slow",))
    shown = f"{-row.estimate:+.3f}"
    assert costly.summary().startswith(f"Use fast: fit_time {-row.estimate:.3f} lower than slow")
    views = {in_html: costly._repr_html_(), in_markdown: costly.to_markdown(), in_latex: costly.to_latex()}
    (line,) = [line.split() for line in costly.summary().splitlines() if line.startswith("fit_time (less) ")]
    for read, view in views.items():
        (cells,) = [cells for table in read(view) for cells in table if cells[0] == "fit_time (less)"]
        assert " ".join(cells).split() == line
    assert line[4] == shown
    assert line[-2:] == ["fast", "better"]
    assert json.loads(costly.to_json())["comparison"]["rows"][0]["winner"] == "fast"
    assert costly.test(metric="fit_time").estimate == row.estimate
    assert str(costly.test(metric="fit_time")).startswith("fast is significantly better than slow on fit_time")
    ranking = costly.rank("fit_time")
    assert dict(zip(ranking.names, ranking.mean_ranks, strict=True)) == {"slow": 2, "fast": 1}
    frame = costly.plot("differences").frame()
    (drawn,) = frame[frame["metric"] == "fit_time"].itertuples()
    assert (drawn.a, drawn.estimate, drawn.better) == ("fast", -row.estimate, "a")


@pytest.mark.parametrize("n_metrics", range(1, 18))
def test_the_sign_of_a_cost_is_turned_and_nothing_else_whatever_stands_beside_it(n_metrics):
    """numpy 2.4.6 negates columns wrongly in place where there are eight of them."""
    rng = np.random.default_rng(n_metrics)
    scores = rng.uniform(1, 2, (2, 10, n_metrics))
    better = {f"m{m}": bool(m % 3 == 1) for m in range(n_metrics)}
    places = [(model, split, m) for model in (0, 1) for split in range(10) for m in range(n_metrics)]
    table = {
        "estimator": ["ab"[model] for model, _, _ in places],
        "fold": [split for _, split, _ in places],
        "metric": [f"m{m}" for _, _, m in places],
        "score": [scores[place] for place in places],
    }
    result = from_frame(table, greater_is_better=better)
    for m, (name, greater) in enumerate(better.items()):
        expected = (scores[0] - scores[1])[:, m] if greater else (scores[1] - scores[0])[:, m]
        np.testing.assert_allclose(result.difference(name), expected, rtol=0, atol=1e-15)


SHOWN_BY_NAME = ["neg_log_loss", "neg_brier_score", "fit_time", "model_size"]


@pytest.mark.parametrize("seed", range(4))
def test_what_a_metric_is_called_changes_its_name_alone(seed, global_random_seed):
    """The same scores under any name have the same numbers, signs and directions, or the name is refused."""
    rng = np.random.default_rng([seed, global_random_seed])
    X, y = make_classification(200, flip_y=0.3, random_state=int(rng.integers(1000)))  # no end is beyond 1
    scorers = ["balanced_accuracy", "average_precision", "f1_macro", "neg_log_loss", make_scorer(fbeta_score, beta=2)]
    of = scorers[rng.integers(len(scorers))]

    def evaluated(name):
        return PairedEvaluator(cv=5, scoring={name: of}, random_state=0).evaluate(MODELS, X, y)

    plain = evaluated("zzz")
    for name in ("accuracy", "roc_auc", "recall", "r2", "false_alarm_rate"):
        found = evaluated(name)
        own, other = (result.intervals() for result in (plain, found))
        assert [(row.low, row.high) for row in own] == [(row.low, row.high) for row in other]
        own, other = (str(result.answer()).partition("\n\n")[0] for result in (plain, found))
        assert own.replace("zzz", name).split() == other.split()
        assert plain.methods_text().replace("zzz", name) == found.methods_text()
    for name in {*SHOWN_BY_NAME} - {of}:
        with pytest.raises(ValueError, match=rf"scoring\['{name}'\] must be '{name}' or a "):
            evaluated(name)


def drawn_predictions(rng):
    """What is right of most samples and wrong of most, for each kind of target."""
    labels, sets, numbers = rng.integers(2, size=80), rng.integers(2, size=(80, 3)), rng.uniform(1, 5, 80)
    flipped = {name: np.where(rng.random((80, 3)) < part, 1 - sets, sets) for name, part in WRONG.items()}
    return {
        "labels": (labels, {name: np.where(x[:, 0] == sets[:, 0], labels, 1 - labels) for name, x in flipped.items()}),
        "sets": (sets, flipped),
        "numbers": (numbers, {name: numbers + rng.uniform(0, 2 * part, 80) for name, part in WRONG.items()}),
    }


WRONG = {"good": 0.1, "bad": 0.4}
# By scikit-learn's rule for the names of metrics, of which less is better.
LOSSES = [name for name in skm.__all__ if name.endswith(("_loss", "_error", "_deviance"))]


@pytest.mark.filterwarnings("ignore")  # of scikit-learn, on targets that a metric is not about
@pytest.mark.parametrize("metric", [name for name in skm.__all__ if name.endswith(("_score", "_corrcoef"))] + LOSSES)
def test_functions_of_scikit_learn_say_what_is_better_at_every_door(rng, metric):
    """from_predictions took more of a loss for better: "Use bad"."""
    function, found = getattr(skm, metric), []
    for y, models in drawn_predictions(rng).values():
        try:
            result = from_predictions(y, models, scoring={"own": function})
        except (TypeError, ValueError):  # it takes no such target
            continue
        good, bad = (result.score(name, "own")[0] for name in WRONG)
        assert np.isnan(good) or good >= bad
        assert not bad > 0 or metric not in LOSSES
        assert not [x for x in result.warnings if "taken for better" in str(x)]
        found.append(good)
        gains = from_predictions(y, models, scoring={"own": make_scorer(function)}).warnings
        assert [x.code for x in gains if "taken for better" in str(x)] == ["ASSUMED"] * (metric in LOSSES)
    rows = {"model": ["a", "b"] * 10, "fold": np.arange(20) // 2, metric: rng.uniform(0.1, 0.9, 20)}
    told = from_frame(rows)._scores.greater_is_better
    assert told == (metric not in (*LOSSES, "davies_bouldin_score"),)
    assert found or metric not in LOSSES or metric == "hinge_loss"


@pytest.mark.parametrize(("name", "less"), [("mse", True), ("my_loss", True), ("mine", False), ("1-AUC", True)])
def test_own_functions_have_the_direction_that_a_column_of_their_name_has(rng, name, less):
    y, models = drawn_predictions(rng)["numbers"]
    result = from_predictions(y, models, scoring={name: lambda y, p: np.abs(y - p).max()})
    assert (result.score("good", name)[0] < 0) == less
    assert [x.code for x in result.warnings] == ["ASSUMED"] * less
    rows = {"model": ["a", "b"] * 10, "fold": np.arange(20) // 2, name: rng.uniform(0.1, 0.9, 20)}
    assert from_frame(rows)._scores.greater_is_better == (not less,)


@pytest.mark.parametrize("metric", ["log_loss", "brier_score_loss", "hinge_loss", "roc_auc_score"])
def test_the_scorer_that_a_caution_gives_has_the_direction_of_its_function(metric):
    X, y = make_classification(60, 5, random_state=0)
    result = PairedEvaluator(cv=3, scoring={"own": make_scorer(getattr(skm, metric))}).evaluate(MODELS, X, y)
    (said,) = [str(x) for x in result.warnings if "of predicted labels" in str(x)]
    assert ("greater_is_better=False" in said) == metric.endswith("_loss")


def tied_in_rank(seed, less):
    """A study on which each of the first two of several models is ahead on half of the data sets, by other amounts."""
    rng = np.random.default_rng(seed)
    n, others = 2 * int(rng.integers(2, 9)), [f"m{i}" for i in range(int(rng.integers(0, 3)))]
    lead = rng.permutation(np.where(np.arange(n) % 2, 1, -1)) * rng.uniform(0.002, 0.05, n)
    base = rng.uniform(0.5, 0.8, n)
    scores = {"a": base + lead / 2, "b": base - lead / 2} | {name: base - 0.3 - 0.01 * len(name) for name in others}
    scores = {name: x + 0.001 * rng.normal() * (name in others) for name, x in scores.items()}
    return {name: 1 - x if less else x for name, x in scores.items()}


@pytest.mark.parametrize("less", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_of_models_with_one_mean_rank_that_with_the_better_mean_leads_in_whatever_order(seed, less, global_random_seed):
    scores = tied_in_rank([seed, less, global_random_seed], less)
    ahead = ("a", "b") if (scores["a"].mean() > scores["b"].mean()) != less else ("b", "a")
    said = set()
    for names in ([*scores], [*scores][::-1]):
        table = {"dataset": [f"d{i}" for i in range(len(scores["a"]))], **{name: scores[name] for name in names}}
        study = StudyResult.from_frame(table, greater_is_better=not less)
        ranks = dict(zip(study.rank().names, study.rank().mean_ranks, strict=True))
        assert ranks["a"] == pytest.approx(ranks["b"])
        assert study.answer().metrics[0].leader == ahead[0]
        assert study.answer().metrics[0].may_be_first[:2] == ahead
        assert "better mean rank" not in " ".join(str(study).split())
        said.add(" ".join(str(study).split()).partition("; ")[0].partition(". ")[0])
    assert len(said) == 1
