"""Who wins a weighted sum, for all weights: against sums by hand and at random weights."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.text import Text

from skcompare import StudyResult, from_frame
from skcompare.plotting import WeightsDisplay
from tests.drawn_words import told

pytestmark = pytest.mark.sampled

# Benavoli and de Campos (2016), introduction: the best of a weighted sum "strongly depends on that particular weight
# function", and criteria may not be commensurable. Three models of which each is the best somewhere.
BY_HAND = {"fast": (0.90, 0.1), "between": (0.94, 0.2), "accurate": (0.96, 0.5)}


def study(table, metrics=("accuracy", "fit_time"), n=2):
    """Models with the same means on every data set."""
    rows = [
        {"dataset": f"d{d}", "model": model, "metric": metric, "score": value}
        for d in range(n)
        for model, values in table.items()
        for metric, value in zip(metrics, values, strict=True)
    ]
    return StudyResult.from_frame({name: [row[name] for row in rows] for name in rows[0]})


def drawn(rng, n_models, metrics):
    return {f"m{i}": rng.random(len(metrics)) for i in range(n_models)}


def shares(display):
    return dict(zip(display.names, display.share.tolist(), strict=True))


def test_two_metrics_by_hand():
    display = study(BY_HAND).plot("weights")
    # scaled to their ranges: (0, 1), (2/3, 3/4) and (1, 0); w is the weight of the accuracy
    first, second = 3 / 11, 9 / 13  # 2/3 w = 1/4 (1 - w) and 1/3 w = 3/4 (1 - w)
    assert shares(display) == pytest.approx({"fast": first, "between": second - first, "accurate": 1 - second})
    assert display.units == pytest.approx([0.06, 0.4])
    own = display.weights[display.winner == 1]
    assert sorted(own[:, 0]) == pytest.approx([first, second])


def test_a_given_scale_decides_as_well():
    display = study(BY_HAND).plot("weights", scale={"accuracy": 0.01, "fit_time": 1.0})
    first, second = 1 / 41, 3 / 23  # 4 w = 0.1 (1 - w) and 2 w = 0.3 (1 - w)
    assert shares(display) == pytest.approx({"fast": first, "between": second - first, "accurate": 1 - second})


@pytest.mark.parametrize("n_metrics", [2, 3])
def test_shares_are_those_of_random_weights(rng, n_metrics):
    metrics = ("accuracy", "recall", "precision")[:n_metrics]
    table = drawn(rng, 6, metrics)
    display = study(table, metrics).plot("weights")
    values = np.array(list(table.values()))
    scaled = (values - values.min(axis=0)) / np.ptp(values, axis=0)
    won = (rng.dirichlet(np.ones(n_metrics), 40_000) @ scaled.T).argmax(axis=1)
    assert display.share == pytest.approx(np.bincount(won, minlength=6) / 40_000, abs=0.013)
    assert display.share.sum() == pytest.approx(1)
    for i in range(6):
        corners = display.weights[display.winner == i]
        assert corners.sum(axis=1) == pytest.approx(np.ones(len(corners)))
        assert (corners @ scaled.T <= (corners @ scaled[i])[:, None] + 1e-9).all()


@pytest.mark.parametrize("n_metrics", [2, 3])
def test_the_winner_for_all_weights_is_the_best_on_every_metric(rng, n_metrics):
    metrics = ("accuracy", "recall", "precision")[:n_metrics]
    for _ in range(6):
        table = drawn(rng, 3, metrics)
        values = np.array(list(table.values()))
        display = WeightsDisplay.from_result(study(table, metrics))
        best = np.unique(values.argmax(axis=0))
        assert (display.share.max() > 1 - 1e-9) == (len(best) == 1)
    table["best"] = np.ones(n_metrics)
    display = study(table, metrics).plot("weights")
    assert shares(display)["best"] == pytest.approx(1)
    assert told(display).startswith("best has the greatest weighted sum for all weights means, no test")
    assert "best: 100%" in [text.get_text() for text in display.figure_.findobj(Text)]


def test_the_range_makes_units_irrelevant(rng):
    metrics = ("accuracy", "recall", "precision")
    table = drawn(rng, 5, metrics)
    other = {name: values * [100, 1, 0.001] + [3, -1, 0] for name, values in table.items()}
    one, two = (study(t, ("x", "y", "z")).plot("weights") for t in (table, other))
    assert one.share == pytest.approx(two.share, abs=1e-9)


def test_less_of_a_cost_is_better():
    display = study({"a": (0.9, 1.0), "b": (0.9, 2.0)}).plot("weights")
    assert shares(display) == pytest.approx({"a": 1, "b": 0})
    display = study({"a": (0.9, 1.0), "b": (0.9, 2.0)}, ("accuracy", "recall")).plot("weights")
    assert shares(display) == pytest.approx({"a": 0, "b": 1})


def test_models_with_the_same_means_win_together():
    display = study({"a": (0.9, 0.1), "b": (0.8, 0.5), "c": (0.9, 0.1)}, ("x", "y")).plot("weights")
    assert display.share[0] == display.share[2] == pytest.approx(1 - display.share[1])
    assert display.first.tolist() == [0, 1, 0]
    frame = display.frame()
    assert set(frame["model"]) == {"a", "b", "c"}
    assert "a (= 1 more)" in display._named([0])
    everywhere = study({"a": (0.9, 0.1), "b": (0.9, 0.1)}, ("x", "y")).plot("weights")
    assert everywhere.share.tolist() == [1, 1]


def test_a_model_on_the_pareto_front_may_win_for_no_weights():
    result = study({"a": (0.0, 1.0), "b": (0.4, 0.4), "c": (1.0, 0.0)}, ("x", "y"))
    assert "b" in result.pareto_front().front()
    display = result.plot("weights")
    assert shares(display) == pytest.approx({"a": 0.5, "b": 0, "c": 0.5})
    assert display.frame().query("model == 'b'")["weight of x"].isna().all()


def test_models_without_scores_of_a_metric_are_left_out():
    rows = {
        "model": ["a", "b", "c"] * 2,
        "metric": ["x"] * 3 + ["y"] * 3,
        "fold": [0] * 6,
        "n_train": [8] * 6,
        "n_test": [2] * 6,
    }
    whole = from_frame({**rows, "score": [0.1, 0.2, 0.3, 0.3, 0.2, 0.1]})
    scores = whole.scores.copy()
    scores[2, 0, 1] = np.nan
    display = replace(whole, scores=scores).plot("weights")
    assert list(display.left_out) == ["c"]
    assert "left out: 1 model without scores" in told(display)


def test_many_models_take_no_long_time(rng):
    display = study(drawn(rng, 150, ("x", "y", "z")), ("x", "y", "z"), n=1).plot("weights")
    assert display.share.sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"metrics": ["accuracy"]}, "metrics must name two metrics, or three"),
        ({"scale": "ranks"}, "scale must be 'range' or a mapping of every metric to a difference; got 'ranks'"),
        ({"scale": None}, "scale must be 'range' or a mapping of every metric to a difference; got None"),
        ({"scale": {"accuracy": 1e-320, "fit_time": 1e308}}, "scale must not be so small"),
        ({"scale": {"accuracy": 1.0}}, "scale must have a difference for every metric; it lacks 'fit_time'"),
        ({"scale": {"accuracy": 1.0, "fit_time": 0}}, r"scale\['fit_time'\] must be"),
        ({"scale": {"recall": 1.0}}, "scale must be one of 'accuracy', 'fit_time'"),
    ],
)
def test_what_does_not_fit_is_refused(options, said):
    with pytest.raises(ValueError, match=said):
        WeightsDisplay.from_result(study(BY_HAND), **options)
