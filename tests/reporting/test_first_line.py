"""The first line on losses, on models that no test can reach and on equal ones, and the error rate of its claim."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from skcompare import SearchReport, StudyResult, from_frame, from_outcomes, from_predictions, from_runs
from skcompare.testing import not_worse
from tests.made_results import evaluation


def of(scores, metric="score", **options):
    """A result of one metric, from its scores by model."""
    rows = [(name, i, metric, value) for name, values in scores.items() for i, value in enumerate(values)]
    names = ("model", "fold", "metric", "score")
    return from_frame(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)), **options)


def line(result):
    return result._document().named("answer").text


@pytest.mark.parametrize("metric", ["neg_root_mean_squared_error", "fit_time"])
@pytest.mark.parametrize("lead", [2.0, 0.02])
def test_of_what_is_better_when_less_the_leader_is_lower(metric, lead, rng):
    """No sign stands in such a line, so that no number can be read as a gain of the loss."""
    sign = -1 if metric.startswith("neg") else 1
    common = rng.uniform(9, 11, 10)
    noise = rng.normal(0, 0.05, 10)
    low, high = common, common + lead + 0.05 * (noise - noise.mean()) / noise.std()  # 0.02 is not significant
    said = line(of({"high": sign * high, "low": sign * low}, metric, greater_is_better=sign < 0))
    name = "RMSE" if sign < 0 else metric
    assert not re.search(r"[+-]\d", said)
    if lead > 1:
        assert re.match(
            rf"Use low: {name} \d[.\d]* lower than high \(95% interval \d[.\d]* to \d[.\d]* lower\)\.", said
        )
    else:
        better, other = ("low", "high") if low.mean() < high.mean() else ("high", "low")
        said = said.replace("are equal on fit_time", "")
        start = rf"No clear winner: (?:{name} of {better} is \d[.\d]* lower than that of {other}|\w+ and \w+ ), and"
        assert re.match(rf"{start} \d[.\d]* higher to \d[.\d]* lower remains possible\.", said)


def test_a_gain_keeps_its_sign(rng):
    common = rng.uniform(0.6, 0.7, 10)
    said = line(of({"high": common + 0.2 + rng.normal(0, 0.01, 10), "low": common}, "accuracy"))
    assert re.match(r"Use high: \+0\.\d+ accuracy over low \(95% interval \+0\.\d+ to \+0\.\d+\)\.", said)


@pytest.mark.parametrize("metric", ["accuracy", "roc_auc", "f1_macro"])
@pytest.mark.parametrize("k", [2, 3])
def test_nothing_is_to_be_used_where_scores_leave_everything_possible(metric, k, rng):
    seen = set()
    for n in (*[2] * 7, 3, 4, *[10] * 5):
        result = of({name: rng.uniform(0.5, 0.8, n).round(3) for name in "abc"[:k]}, metric)
        rows = [row for row in result.compare() if result.answer().metrics[0].leader in (row.a, row.b)]
        if any(row.winner or np.isnan(row.low) for row in rows):  # nan of differences that do not vary
            continue
        everything = any(row.low == -1 or row.high == 1 for row in rows)
        use = "" if everything else f"Use {'any of them' if k > 2 else 'either'}, or "
        assert line(result).endswith(f". {use}{'add' if use else 'Add'} samples.")
        seen.add(everything)
    assert seen == {True, False}


def test_a_search_over_a_loss_has_no_negative_score(made_search):
    search = made_search(3, 1, folds=5, seed=0)
    search.scoring = "neg_mean_absolute_error"
    table = search.cv_results_
    for key in list(table):
        if "_test_" in key and not key.startswith("rank"):
            table[key] = -np.abs(np.asarray(table[key], dtype=float)) if "std" not in key else table[key]
    said = SearchReport.from_search(search)._document().named("answer").text
    assert not re.search(r"(?<!\w)-\d", said)


def test_a_model_that_is_ahead_everywhere_is_said_before_those_that_were_tested():
    result = of({"a": [0.9] * 5, "b": [0.8] * 5, "c": [0.8] * 5})
    assert line(result).startswith("a is ahead of b on all splits, untested. b and c have the same scores")
    assert not result.answer().recommends
    assert str(result.answer()).startswith("a is ahead of b on all splits, untested.")
    behind = of({"a": [0.7] * 5, "b": [0.8] * 5, "c": [0.8] * 5})
    assert line(behind) == "b and c have the same scores on score. Use either. a is behind on all splits."
    assert "untested" not in line(behind)


def test_a_model_that_is_behind_the_baseline_is_not_said_to_be_ahead():
    """A baseline leads only where it is significantly better; the sentence has the sign of the table."""
    recipe = {"seed": 0, "n_models": 2, "spread": 0.0, "flaw": "none", "n_metrics": 1, "design": (2, 3)}
    result = evaluation({**recipe, "baseline": "m0"})
    assert result.answer().metrics[0].leader == "m1"
    assert result.compare(baseline="m0")[0].estimate < 0
    assert "m1 is 0.026 behind m0 on accuracy, and -0.079 to +0.026 remains possible." in line(result)


def test_a_first_metric_without_a_test_is_what_the_first_line_speaks_of():
    """Metrics beside it, of which there are tests, do not change what is said, whatever they say."""
    for n in (6, 40):
        flat = {"a": np.ones(n), "b": np.full(n, 0.9)}
        for shift in (0.0, 9.0):
            other = {"a": np.arange(1, n + 1) % 3 + shift, "b": np.arange(n) % 3 + 0.0}
            alone, both = (from_outcomes(given) for given in ({"flat": flat}, {"flat": flat, "other": other}))
            assert (
                line(both) == line(alone) == "a is 0.10 ahead of b on flat on all items, so that no test is possible."
            )
            assert both.primary == both.answer().metrics[0].metric == both.rank().metric == "flat"
            assert both._document().named("test").text == "No test was made on flat."
            [row] = [row for row in both.compare() if row.metric == "other"]
            assert row.outcome.significant == (shift > 0)
            turned = line(from_outcomes({"other": other, "flat": flat}))
            assert turned.startswith("Use a: +9" if shift else "No clear winner: ")


def test_names_with_commas_are_kept_apart():
    item = np.arange(300)
    names = ["C=1, gamma=0.1", "C=1, gamma=1", "C=10, gamma=0.1", "C=10, gamma=1"]
    passed = [item % 10 != 0, item % 10 != 1, item % 10 < 5, item % 10 > 5]
    said = line(from_outcomes(dict(zip(names, passed, strict=True))))
    one, two, three, four = names
    assert said.startswith(f"2 of 4 models may be first: {one}; and {two}. {three}; and {four} are significantly worse")


@pytest.mark.parametrize("n_worse", [0, 1, 3])
def test_who_is_worse_is_none_of_them(rng, n_worse):
    """ "C is significantly worse. Use any of them" was read as if C might be used too."""
    n = int(rng.integers(3, 6))
    tables = {f"m{i}": rng.permutation(200) % 20 != 0 for i in range(n)}
    tables |= {f"w{i}": rng.permutation(200) % 5 == 0 for i in range(n_worse)}
    assert f" Use any of {f'the {n}' if n_worse else 'them'}, or add items." in line(from_outcomes(tables))


def test_three_equal_models_have_the_same_scores(rng):
    values = rng.uniform(0.6, 0.9, 10)
    assert line(of(dict.fromkeys("abc", values))) == "a, b and c have the same scores on score. Use any of them."


def test_differences_that_are_the_same_in_all_clusters_are_not_said_to_be_so_on_all_items():
    tables = {"a": [1, 1, 0, 0], "b": [1, 0, 0, 0], "c": [0, 1, 1, 0]}
    two, three = ({name: 2 * tables[name] for name in names} for names in ("ab", "abc"))
    three["c"][4:] = [1, 0, 1, 1]
    said = [line(from_outcomes(one, clusters=np.repeat([0, 1], 4))) for one in (two, three)]
    assert said[0] == "a is 0.25 ahead of b on score on all clusters, so that no test is possible."
    assert "items" not in said[1]


def test_where_one_model_may_be_first_and_one_that_is_not_significantly_worse_no_samples_are_asked_for():
    rng, k = np.random.default_rng(94), 5
    runs = {f"m{i}": 0.1 * i + rng.normal(0, 0.03, 2 if i == 1 else 8) for i in range(k)}
    runs |= {"m1": 0.1 + rng.normal(0, 0.06, 2), "m4": 0.4 + rng.normal(0, 0.05, 3)}
    result = from_runs(runs)
    assert result.answer().metrics[0].not_different == ("m1",)
    assert line(result) == "1 of 5 models may be first: m4; m0, m2 and m3 are significantly worse."


def test_models_that_are_behind_everywhere_are_left_out_of_a_line_that_is_too_long():
    recipe = {"seed": 18508, "n_models": 5, "spread": 8.0, "flaw": "coarse", "n_metrics": 1, "design": (1, 3)}
    said = line(evaluation({**recipe, "baseline": "m0"}))
    assert len(said.split()) <= 30
    assert said.endswith("Add samples. No model is significantly better than m0.")


def test_the_models_that_may_be_first_are_those_of_the_ranks():
    """Whether they can be compared with the leader or not; of one that cannot, it is not said that it can be used."""
    noise = np.linspace(0.01, -0.01, 6)
    rows = np.array([0.8 + noise, 0.79 + noise[::-1] / 2, 0.4 + noise[::-1], 0.77 + noise])
    rows[3, 1:] = np.nan
    result = replace(of(dict(zip("abcd", np.nan_to_num(rows), strict=True))), scores=rows[:, :, np.newaxis])
    assert result.rank().may_be_first == ("a", "b", "d")
    assert result.answer().metrics[0].not_comparable == ("d",)
    assert line(result).startswith("3 of 4 models may be first: a, b and d; c is significantly worse.")
    assert "Use" not in line(result)


def test_only_a_model_with_scores_is_named():
    recipe = {"seed": 1, "n_models": 2, "spread": 0.5, "flaw": "failed", "n_metrics": 1, "design": (1, 5)}
    result = evaluation(recipe)
    (name,) = (name for name in result.estimators if np.isfinite(result.score(name, "accuracy")).all())
    assert line(result) == f"No model can be named on accuracy: only {name} has scores."
    assert result._document().named("test").text == "No test was made on accuracy."


@pytest.mark.parametrize("metric", ["score", "neg_root_mean_squared_error"])
def test_of_a_lead_that_does_not_vary_it_is_said_who_has_it(metric):
    """No test is possible; with two models the lead is there, with more their names."""
    sign = -1.0 if metric.startswith("neg") else 1.0
    two = of({"b": [sign * 3.0] * 5, "a": [sign * 3.0 + 0.5] * 5}, metric)
    said = "RMSE of a is 0.5 lower than that of b" if sign < 0 else "a is 0.5 ahead of b on score"
    assert re.sub("0.50+", "0.5", line(two)) == f"{said} on all splits, so that no test is possible."
    name = "RMSE" if sign < 0 else "score"
    assert " ".join(str(two.answer()).split()).startswith(line(two))
    three = of({"b": [sign * 3.0] * 5, "a": [sign * 3.0 + 0.5] * 5, "c": [sign * 3.0 + 0.1] * 5}, metric)
    assert line(three) == f"a is ahead of b and c on {name} on all splits, so that no test is possible."
    assert not three.answer().pair("a", "b").better


def test_an_interval_that_is_cut_off_at_0_is_above_it(rng):
    """A difference that only a later step of Holm makes significant."""
    found = 0
    for size in np.linspace(0.3, 1.2, 40):
        one = rng.normal(size=10)
        one = (one - one.mean()) / one.std()
        result = of({"a": 0.8 + 0.02 * one, "b": 0.8 - 0.02 * size + 0 * one, "c": 0.3 + 0.001 * rng.normal(size=10)})
        (row,) = (row for row in result.compare() if {row.a, row.b} == {"a", "b"})
        if row.open_at_null and row.winner == "a":
            found += 1
            assert re.search(r"\(95% interval above 0 to \+0\.\d+\)", line(result))
        assert "interval 0 to" not in line(result)
    assert found


@pytest.mark.parametrize("kind", ["folds", "samples", "items", "runs", "data sets"])
def test_models_that_share_the_lead_come_with_a_next_step(kind, rng):
    """One of them can be used until there is more; where the baseline is as good none is."""
    y = np.arange(60) % 2
    right = {name: 1.0 * rng.permutation(np.arange(60) < k) for name, k in zip("abc", (42, 41, 40), strict=True)}
    values = rng.normal(0.7, 0.05, 12)  # of all, in another order, so that none is significantly worse
    scores = {name: rng.permutation(values) + shift for name, shift in zip("abc", (0.002, 0.001, 0.0), strict=True)}
    made = {
        "folds": lambda: of(scores, test_fraction=0.1),
        "samples": lambda: from_predictions(
            y, {k: np.where(v == 1, y, 1 - y) for k, v in right.items()}, scoring="accuracy"
        ),
        "items": lambda: from_outcomes(right),
        "runs": lambda: from_runs(
            {"model": np.repeat([*scores], 12), "run": [*range(12)] * 3, "score": np.concatenate([*scores.values()])}
        ),
        "data sets": lambda: StudyResult.from_frame({"dataset": [*map(str, range(12))], **scores}),
    }[kind]()
    add = {"folds": "samples", "samples": "test samples"}.get(kind, kind)
    assert "may be first" in line(made) or "ahead of" in line(made)
    assert re.search(
        rf" (Use (either|any of (them|the \d+)), or add|Add) {add}\.( Not all are equal|$)", line(made)
    ) or "significantly" in line(made)


def test_models_no_better_than_the_baseline_are_not_to_be_used(rng):
    result = replace(of({name: rng.normal(0.7, 0.05, 10) for name in "abc"}, "accuracy"), baseline="a")
    better = [name for name in "bc" if result.answer().pair(name, "a").better]
    assert len(better) == 2 or "Use" not in line(result)


@pytest.mark.parametrize("metric", ["accuracy", "rmse"])
def test_no_lead_of_a_first_line_is_negative(metric, rng):
    """A model may lead by its mean rank and be behind by the median of the differences, or the other way round."""
    behind = 0
    for _ in range(150):
        scores = rng.normal(0, 1, (8, 2)) * rng.uniform(0.1, 3, (8, 1))
        rows = [(f"d{i}", name, metric, x) for i, pair in enumerate(scores) for name, x in zip("ab", pair, strict=True)]
        names = ("dataset", "model", "metric", "score")
        study = StudyResult.from_frame(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
        [row] = study.compare()
        behind += row.estimate * (1 if row.a == study.answer().metrics[0].leader else -1) < 0
        assert not re.search(r"is -|-[\d.]+ (?:ahead|lower|higher) ", line(study))
    assert behind > 0  # it is met


@pytest.mark.parametrize("n_groups", [30, 200])
def test_what_would_settle_it_is_groups_where_samples_come_in_groups(n_groups, rng):
    noise, base = rng.normal(size=10), rng.uniform(0.6, 0.7, 10)
    noise = (noise - noise.mean()) / noise.std(ddof=1)
    made = of({"high": base + 0.01 + 0.04 * noise, "low": base}, "accuracy", test_fraction=0.1)
    told = {}
    for groups in (None, n_groups):
        design = replace(made.design, n_samples=600, n_groups=groups)
        n, unit = re.search(
            r" About ([\d,]+) (samples|groups) would settle it\.", line(replace(made, design=design))
        ).groups()
        told[unit] = int(n.replace(",", ""))
    assert told["groups"] == pytest.approx(told["samples"] * n_groups / 600, rel=0.11)  # both have two digits


def test_sentences_of_several_metrics_call_losses_by_their_names(rng):
    common, metrics = rng.uniform(9, 11, 10), ("neg_root_mean_squared_error", "neg_mean_absolute_error")
    rows = [
        (model, i, metric, -value - extra - rng.normal(0, 0.01))
        for model, extra in (("good", 0.0), ("poor", 2.0))
        for metric in metrics
        for i, value in enumerate(common)
    ]
    names = ("model", "fold", "metric", "score")
    result = from_frame(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
    assert str(result.compare()).startswith("good is significantly better than poor on RMSE and MAE.")
    said = str(not_worse(result, "good", "poor", margin=0.1)).splitlines()[0]
    assert said == "good is not worse than poor by more than 0.1 on RMSE and MAE."
