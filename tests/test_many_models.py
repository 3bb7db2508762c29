"""Many models: their pairs are tested at once, and reports show the leading ones."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import fields, replace
from itertools import product
from unittest.mock import Mock

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from skcompare import StudyResult, from_frame, from_judgments, from_predictions, read
from skcompare.comparison import dominance, pairs
from skcompare.comparison.answer import answer, in_reports
from skcompare.comparison.compare import compare, detectable_ranges, judged_pairs, smallest_difference
from skcompare.comparison.dominance import dominance_table
from skcompare.comparison.table import Outcome, adjusted, least_of, plain_row
from skcompare.inference import TTestResult, paired_metric_test, wald_test
from skcompare.inference._distributions import probabilities_largest, probability_largest, t_tail, t_tails
from tests.made_results import results
from tests.shown_tables import grids

METRICS = ("accuracy", "loss", "score")


def scored(seed, change=None, *, repeats=2, n_models=6, n_metrics=3):
    """Scores of models on three metrics, of which one is a loss; `change` spoils some of them."""
    rng = np.random.default_rng(seed)
    n = repeats * 5
    scores = 0.8 + rng.normal(0, 0.03, (1, n, 3)) + rng.normal(0, 0.02, (n_models, 1, 3))
    scores = scores + rng.normal(0, 0.02, (n_models, n, 3))
    if change is not None:
        change(scores)
    scores = scores[:, :, :n_metrics]
    model, split, metric = (places.ravel() for places in np.indices(scores.shape))
    return from_frame(
        test_fraction=0.2,
        frame={
            "model": [f"m{i}" for i in model],
            "repeat": split // 5,
            "fold": split % 5,
            "metric": [METRICS[i] for i in metric],
            "score": scores.ravel(),
        },
        greater_is_better={"loss": False} if n_metrics > 1 else None,
    )


def equal(scores):
    scores[1] = scores[0]
    scores[2] = scores[0] + 0.25  # differences that do not vary


def extreme(scores):
    scores[1] *= 1e200
    scores[2] *= 1e-200
    scores[3] += 1e5
    scores[4] = scores[3] + 1e-5 * np.arange(scores.shape[1])[:, None]
    scores[5] = scores[0] + 1 + 1e-11 * scores[5]  # statistics beyond the usual range


def far_off(scores):
    scores[4] = -1e12  # as of a regression that diverged


@pytest.fixture
def seed(rng):
    return int(rng.integers(2**31))


def same(one, other):
    """Whether two values are equal bit for bit, nan to nan."""
    if isinstance(one, TTestResult):
        return all(same(getattr(one, field.name), getattr(other, field.name)) for field in fields(one))
    return type(one) is type(other) and (one == other or (one != one and other != other))


@pytest.mark.sampled
@pytest.mark.parametrize("change", [None, equal, extreme])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("repeats", [1, 2])
def test_the_record_of_a_test_is_that_of_the_row(seed, change, alternative, repeats):
    """A row is made of all pairs tested at once, the record of a test of this pair alone."""
    result = scored(seed, change, repeats=repeats)
    null = 0.01 if alternative == "less" else 0.0
    for row in result.compare(alternative=alternative, null=null, metrics=METRICS[1:]):
        alone = result.test(metric=row.metric, a=row.a, b=row.b, alternative=alternative, null=null)
        for field in fields(alone):
            assert same(getattr(row.record, field.name), getattr(alone, field.name)), (row, field.name)
        assert same(row.pvalue, alone.pvalue)
        assert same(row.estimate, alone.estimate)
        if row.outcome.tested and not row.outcome.significant:
            interval = alone.confidence_interval(row.confidence_level)
            assert (row.low, row.high) == (min(interval.low, row.null), max(interval.high, row.null))


def test_pairs_that_do_not_vary_are_told_by_the_procedure(seed):
    rows = scored(seed, equal).compare(metrics="accuracy")
    codes = {(row.a, row.b): [one.code for one in row.warnings] for row in rows}
    assert codes["m0", "m1"] == ["NO_DIFFERENCE", "ASSUMED"]
    assert codes["m0", "m2"] == codes["m1", "m2"] == ["ZERO_VARIANCE", "ASSUMED"]


def test_pairs_that_do_not_vary_are_tested_at_once(monkeypatch, seed):
    """Not one by one, which took reports of 200 such models 50 times as long as of others."""
    result = scored(seed, lambda scores: np.copyto(scores, scores[:1] + np.arange(6)[:, None, None] // 2 / 8))
    monkeypatch.setattr(pairs.PairTests, "alone", None)
    assert {row.outcome for row in result.compare()} == {Outcome.UNDECIDED, Outcome.NOT_COMPARABLE}


@pytest.mark.parametrize("kind", ["accuracy", "neg_mean_absolute_error", "data sets"])
def test_equal_models_are_tested_at_once_on_cases_too(monkeypatch, rng, kind):
    y, names = rng.integers(0, 2, 40), [f"m{i}" for i in range(46)]
    y = y if kind == "accuracy" else y + rng.normal(size=40)
    predicted = dict.fromkeys(names, y + rng.choice([0.0, 0.1], 40) if y.dtype == float else rng.integers(0, 2, 40))
    result = from_predictions(y, predicted, scoring=kind) if kind != "data sets" else None
    if result is None:
        places = {"model": np.repeat(names, 40), "dataset": [f"d{i}" for i in range(40)] * 46}
        result = read({**places, "accuracy": np.tile(rng.uniform(0.5, 1, 40), 46)})
    record = Mock(side_effect=pairs.record_of)
    monkeypatch.setattr(pairs, "record_of", record)
    assert str(result)
    assert record.call_count <= 2 * len(names)  # of 1,035 pairs those that reports show


def tied_often(scores):
    scores[:] = np.round(scores, 1)
    scores[:2, :, 2] = 0.5  # a metric on which two models are tied everywhere


@pytest.mark.sampled
@pytest.mark.parametrize(
    "options", [{}, {"rope": {"accuracy": 0.02}}, {"metrics": ("score", "loss"), "baseline": "m3"}]
)
@pytest.mark.parametrize("change", [None, equal, tied_often])
@pytest.mark.parametrize("repeats", [1, 4])
def test_dominance_of_many_pairs_is_that_of_single_pairs(monkeypatch, seed, repeats, change, options):
    together = dominance_table(scored(seed, change, repeats=repeats, n_models=10)._scores, **options)
    row = Mock(side_effect=dominance._row)
    monkeypatch.setattr(dominance, "_row", row)
    monkeypatch.setattr(dominance, "_rows_together", lambda *_: {})
    single = dominance_table(scored(seed, change, repeats=repeats, n_models=10)._scores, **options)
    assert row.call_count == len(single) == len(together)
    for one, other in zip(together, single, strict=True):
        for field in fields(one):
            found, expected = getattr(one, field.name), getattr(other, field.name)
            if isinstance(expected, float):
                assert found == pytest.approx(expected, rel=1e-12, abs=1e-13), (one.a, one.b, field.name)
            else:
                assert found == expected, (one.a, one.b, field.name)


@pytest.mark.parametrize("change", ["fit_time", "uncorrected"])
def test_dominance_that_needs_single_pairs_takes_them(monkeypatch, seed, change):
    monkeypatch.setattr(dominance, "many_dominance", None)
    result = scored(seed, n_models=6)
    if change == "fit_time":
        result = replace(result, metrics=("accuracy", "fit_time", "score"))
    assert len(dominance_table(result._scores, correct_folds=change != "uncorrected")) == 15


@pytest.mark.parametrize("scale", [1, 30, 3000])
def test_the_largest_components_of_many_dirichlet_vectors(rng, scale):
    alphas = rng.integers(0, scale, (40, 8)) * rng.choice([0.137, 1.0], (40, 1)) + 1 / 8
    expected = np.array([probability_largest(alpha) for alpha in alphas])
    np.testing.assert_allclose(probabilities_largest(alphas), expected, rtol=1e-11, atol=1e-14)


@pytest.fixture
def without_pictures(monkeypatch):
    monkeypatch.setattr("skcompare._reportable.drawn", lambda *_: [])


@pytest.fixture
def many_models(seed):
    """31 models: one more than all pairs are shown of."""
    return scored(seed, n_models=31)


def pairs_shown(result):
    """The comparisons in the sections of `explain`, each with what is shown of it."""
    for grid in grids(result.explain(), "pairs on "):
        metric = grid.name.removeprefix("pairs on ")
        for a, b, *shown in zip(*(column.values for column in grid.columns), strict=True):
            yield (metric, a, b), shown


@pytest.mark.usefixtures("without_pictures")
def test_reports_of_many_models_show_the_leading_ones_against_all_others(many_models):
    """And their p-values are those of all pairs."""
    answer, known = many_models.answer(), {(row.metric, row.a, row.b): row for row in many_models.compare()}
    leaders, shown = {on.leader for on in answer.metrics}, dict(pairs_shown(many_models))
    assert {place for place, row in known.items() if {row.a, row.b} & leaders} <= {*shown}
    assert len(shown) < len(known) / 2
    for place, (estimate, *_, pvalue, _) in shown.items():
        assert (estimate, pvalue) == (known[place].estimate, known[place].pvalue_adjusted)
    told = many_models.explain().named("pairs shown").text
    assert told.startswith(f"Of 31 models these are the comparisons of {answer.metrics[0].leader}, ")
    assert told in many_models.to_html()
    assert len(json.loads(many_models.to_json())["comparison"]["rows"]) == len(known) == 465 * 3


@pytest.mark.usefixtures("without_pictures")
def test_reports_of_thirty_models_show_all_pairs(seed):
    result = scored(seed, n_models=30)
    assert {place for place, _ in pairs_shown(result)} == {(row.metric, row.a, row.b) for row in result.compare()}
    assert "these are the comparisons of" not in result.to_html()


# ---- more pairs than a report compares ---------------------------------------------------------------------------


def unequal(scores):
    """Of many models some are far ahead, some far behind, and each leads on one metric."""
    scores += np.linspace(0, 0.3, scores.shape[0])[:, None, None] ** 2
    scores[7, :, 1] += 0.4
    scores[11, :, 2] -= 0.4  # less is better there


@pytest.fixture
def pairwise(monkeypatch):
    """What is said where all pairs have their rows."""

    def pairwise(result, asked):
        with monkeypatch.context() as patch:
            patch.setattr("skcompare.comparison.compare.MOST_PAIRS", 10**9)
            return asked(replace(result, baseline=result.details.baseline))  # without what is kept

    return pairwise


@pytest.mark.sampled
@pytest.mark.parametrize(("change", "lacking"), [*product([None, equal, extreme, unequal], [False]), (unequal, True)])
@pytest.mark.parametrize("baseline", [None, "m0", "m45"])
def test_many_models_have_the_answer_of_all_pairs(pairwise, seed, change, lacking, baseline):
    result = replace(scored(seed, change, n_models=46), baseline=baseline)
    if lacking:
        scores = result.scores.copy()
        scores[3, 2, 0] = scores[5, :, 1] = np.nan
        result = replace(result, scores=scores)
    found, full = result.answer(), pairwise(result, lambda one: one.answer())
    assert len(full.pairs) == found.n_pairs == 46 * 45 // 2 > len(found.pairs)
    assert repr([*map(plain_row, found.metrics)]) == repr([*map(plain_row, full.metrics)])  # nan
    assert found._sentence() == full._sentence()
    assert {*found.pairs} <= {*full.pairs}
    always = {found.metrics[0].leader, baseline} - {None}
    for name, other in product(result.estimators, always):
        if name != other:
            assert found.pair(name, other) == full.pair(name, other)
    shown = {(row.metric, row.a, row.b): row for row in in_reports(result._scores)}
    known = {(row.metric, row.a, row.b): row for row in compare(result._scores)}
    assert len(known) == 3 * found.n_pairs
    leaders = {on.metric: {*always, on.leader} for on in found.metrics}
    assert {*shown} == {place for place in known if {*place[1:]} & leaders[place[0]]}
    assert in_reports(result._scores).n_hypotheses == compare(result._scores).n_hypotheses
    for place, row in shown.items():
        for field in fields(row):
            assert same(getattr(row, field.name), getattr(known[place], field.name)), (place, field.name)
    aside = next(pair for pair in full.pairs if not {pair.a, pair.b} & always)
    with pytest.raises(ValueError, match="a or b must be the leading model"):
        found.pair(aside.a, aside.b)


def _alike(scores):
    scores[:3, :, 0] = np.linspace(0.5, 0.6, scores.shape[1])  # three models are one, one is better by the same
    scores[3, :, 0] = scores[0, :, 0] + 0.25


def _few_values(scores):
    scores[:, :, 1] = np.round(scores[:, :, 1], 1)
    scores[:, :, 2] = np.arange(len(scores))[:, None] % 3  # of which no pair has a test


@pytest.mark.sampled
@pytest.mark.parametrize("metrics", [METRICS, ("n_parameters", "loss", "score")], ids=["scores", "a size"])
@pytest.mark.parametrize("share", [0, 0.1, 0.5])
@pytest.mark.parametrize("change", [None, equal, unequal, _alike, _few_values])
def test_the_answer_without_all_pairs_is_theirs(monkeypatch, pairwise, rng, seed, change, share, metrics):
    """Also where none leads, where some scores are missing, and where differences do not vary."""
    monkeypatch.setattr("skcompare.comparison.compare.MOST_PAIRS", 0)
    for baseline in (None, "m2", "m7"):
        whole = scored(seed, None if change is unequal else change, n_models=12)
        scores = np.where(rng.random(whole.scores.shape) < share, np.nan, whole.scores)
        if change is unequal:
            scores[:, :, 0] += np.linspace(0, 0.3, 12)[:, None] ** 2
        if share:
            scores[4] = scores[5, :, 0] = np.nan
        names = {"metrics": metrics, "greater_is_better": (metrics is METRICS, False, True)}
        result = replace(whole, scores=scores, baseline=baseline, **names)
        found, full = result.answer(), pairwise(result, lambda one: one.answer())
        assert repr([*map(plain_row, found.metrics)]) == repr([*map(plain_row, full.metrics)])  # nan
        assert found._sentence() == full._sentence()
        assert {*found.pairs} <= {*full.pairs}
        assert in_reports(result._scores).n_hypotheses == compare(result._scores).n_hypotheses


@pytest.mark.sampled
@given(result=results(most_models=8))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_reports_of_any_evidence_have_rows_of_all_pairs_without_making_them(result):
    """What is said of the models, and each row that is shown, with its warnings, is what all rows together say."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("skcompare.comparison.compare.MOST_PAIRS", 10**9)
        whole = replace(result._scores)  # without what is kept
        full, known = answer(whole), {(row.metric, row.a, row.b): row for row in compare(whole)}
        for module in ("compare", "pairs"):
            patch.setattr(f"skcompare.comparison.{module}.MOST_PAIRS", 0)
        found, shown = answer(result._scores), in_reports(result._scores)
    for one, other in zip(found.metrics, full.metrics, strict=True):
        assert repr(plain_row(one)) == repr(plain_row(replace(other, bound=one.bound)))  # nan
        assert one.bound == pytest.approx(other.bound, rel=1e-12, nan_ok=True)
    assert found.within_reach == full.within_reach
    assert {*found.pairs} <= {*full.pairs}
    for row in shown:
        for field in fields(row):
            one, other = getattr(row, field.name), getattr(known[row.metric, row.a, row.b], field.name)
            expected = pytest.approx(other, rel=1e-12, nan_ok=True) if isinstance(other, float) else other
            assert field.name == "record" or one == expected, (row.metric, row.a, row.b, field.name)


@pytest.mark.sampled
@pytest.mark.parametrize("repeats", [1, 2, 20])
@pytest.mark.parametrize("change", [None, equal, extreme, far_off, unequal, tied_often])
def test_products_of_scores_give_the_tests_of_single_pairs(seed, change, repeats):
    """Of pairs that differ little from each other too, which are subtracted."""
    scores = scored(seed, change, n_models=12, repeats=repeats).scores[:, :, 0].copy()
    scores[11] = scores[10] + np.random.default_rng(seed).normal(0, 1e-9, scores.shape[1])
    first, second = np.triu_indices(12, 1)
    exact, products = (pairs.records.many_differences(scores, first, second, exact=exact) for exact in (True, False))
    np.testing.assert_array_equal(products.ordinary, exact.ordinary)
    known = exact.ordinary
    largest = np.abs(scores).max(axis=1)
    noise = 1e-14 * np.maximum(largest[first], largest[second])[known]
    assert (np.abs(products.mean - exact.mean)[known] <= 1e-11 * exact.std[known] + noise).all()
    np.testing.assert_allclose(products.std[known], exact.std[known], rtol=1e-10)
    one, other = (pairs.records.many_corrected_t(found, 0.2, "two-sided") for found in (products, exact))
    tested = other.ordinary & (other.pvalue > 1e-200) & (exact.std > 1e-6 * np.maximum(largest[first], largest[second]))
    np.testing.assert_allclose(one.pvalue[tested], other.pvalue[tested], rtol=1e-8)


@pytest.mark.parametrize("df", [1, 2.5, 9, 99, 1e5])
def test_many_tails_are_single_ones(rng, df):
    t = np.concatenate(([0, 31.999, 32, 1e9, np.inf], np.abs(rng.normal(0, 4, 1000)), rng.uniform(0, 60, 1000)))
    alone = np.array([t_tail(one, df) for one in t])
    np.testing.assert_allclose(t_tails(t, df), alone, rtol=2e-12)


@pytest.mark.usefixtures("without_pictures")
@pytest.mark.parametrize("most", [45, 46])
def test_reports_of_more_models_leave_letters_to_rank(monkeypatch, seed, most):
    monkeypatch.setattr("skcompare.reporting.findings.MOST_LETTERED", most)
    result = scored(seed, unequal, n_models=46, n_metrics=1)
    (grid,) = grids(result.explain(), "ranks on ")
    lettered = [column.values for column in grid.columns if column.name == "group"]
    ranking = result.rank()
    assert lettered == ([] if most == 45 else [tuple(ranking.tier[i] for i in ranking.best_first)])
    assert ("rank() has letters too" in grid.caption) is (most == 45)
    assert len({*ranking.tier}) > 1


def test_where_none_leads_all_pairs_say_why(monkeypatch, pairwise):
    """On the two splits of all models one is the best that loses to another on all splits; the next best beats none."""
    monkeypatch.setattr("skcompare.comparison.compare.MOST_PAIRS", 0)
    whole = scored(0, repeats=4, n_models=8, n_metrics=1)
    scores = 0.5 + np.random.default_rng(0).normal(0, 0.2, whole.scores.shape)
    scores[1, :, 0] = scores[0, :, 0] + np.linspace(0.19, 0.21, 20)
    scores[:, 18:, 0] = np.linspace(0.907, 0.9, 8)[:, None] + [0.0, 0.01]
    scores[[1, 3], 18:] = scores[[3, 1], 18:]
    scores[2, :18] = np.nan
    result = replace(whole, scores=scores)
    found = result.answer()
    assert found.metrics[0].leader is None
    assert found._sentence() == pairwise(result, lambda one: one.answer()._sentence())


@pytest.mark.usefixtures("without_pictures")
def test_reports_of_many_models_say_with_whom_they_are_compared(seed):
    result = scored(seed, unequal, n_models=46, n_metrics=1)
    line = f"Of 46 models these are the comparisons of {result.answer().metrics[0].leader}; compare() has all."
    several = scored(seed, unequal, n_models=46)
    leaders = [on.leader for on in several.answer().metrics]
    each = f"the comparisons of {leaders[0]}, on each metric also of its leader; compare() has all."
    assert (each in " ".join(str(several.explain()).split())) is (len({*leaders}) > 1)
    for view in (result.summary("full"), result.to_html(), result.to_markdown(), result.to_latex()):
        plain = re.sub(r"\\(?=[_()])", "", " ".join(view.split()))
        assert line in plain
        assert "all 1,035 together" in plain
        assert not re.findall(r"1035", plain)
    document = json.loads(result.to_json())
    assert len(document["comparison"]["rows"]) == 45
    assert document["intervals"] is None
    assert "intervals() has their intervals." in result.to_html()
    assert "each for its own score alone" not in str(several.explain())
    assert len(result.compare()) == 1035
    few = scored(seed, unequal, n_models=45, n_metrics=1)
    assert len([*pairs_shown(few)]) < len(few.compare()) == 990
    assert len(json.loads(few.to_json())["intervals"]["rows"]) == 45


@pytest.mark.parametrize("bounded", [False, True])
def test_the_page_draws_no_picture_of_all_pairs_of_very_many_models(monkeypatch, seed, bounded):
    """But the differences from the leaders, adjusted over all pairs as everywhere, and the scores of the best."""
    if bounded:
        monkeypatch.setattr("skcompare.comparison.compare.MOST_PAIRS", 0)
    result = scored(seed, unequal, n_models=12)
    page, leaders = result.to_html(), {on.leader for on in result.answer().metrics}
    assert ("how probable each pattern of winners is" in page) is not bounded
    assert ("The scores of the 10 models that lead" in page) is bounded
    drawn = result.plot("differences").frame()
    about = [bool({row.a, row.b} & leaders) for row in drawn.itertuples()]
    assert all(about) is bounded
    known = {(row.metric, *sorted((row.a, row.b))): row.pvalue_adjusted for row in result.compare()}
    for row in drawn.itertuples():
        assert row.pvalue_adjusted == known[row.metric, *sorted((row.a, row.b))]


BIG = """
import re, sys, time
from skcompare import load
result = load(sys.argv[1])
for view in (result.summary, result.explain, result.to_json, result.to_html):
    str(view())
print(re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())[1], time.process_time())
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is counted in other units elsewhere")
def test_hundreds_of_models_are_shown_in_little_memory_and_time(tmp_path, rng):
    n = 800 if os.environ.get("SKCOMPARE_FULL") == "1" else 400
    scores = rng.normal(0, 0.02, (n, 1)) + rng.normal(0, 0.02, (n, 100))
    model, split = (places.ravel() for places in np.indices(scores.shape))
    table = {"model": [f"m{i}" for i in model], "repeat": split // 10, "fold": split % 10, "score": scores.ravel()}
    from_frame(table).save(tmp_path / "r.skc")
    done = subprocess.run([sys.executable, "-c", BIG, tmp_path / "r.skc"], capture_output=True, text=True, check=True)
    kib, seconds = map(float, done.stdout.split())
    assert kib < 256 * 1024
    assert seconds < 15


# ---- many pairs of labels on one test set ------------


@pytest.mark.parametrize("n", [2, 9, 60, 200])
@pytest.mark.parametrize("metric", ["precision", "f1", "recall", "specificity", "jaccard", "f1_macro", "mcc"])
def test_many_pairs_at_once_are_tested_as_each_alone(rng, metric, n):
    y = np.array([0, 1, *rng.integers(0, 2, n - 2)])
    predicted = np.array([np.where(rng.random(n) < rng.uniform(0.4, 1), y, 1 - y) for _ in range(7)])
    predicted[1:5] = predicted[0], y, np.ones(n), np.zeros(n)
    first, second = np.triu_indices(7, 1)
    found = pairs.many_metric_tests(y == 1, predicted == 1, metric, first, second)
    for i, (a, b) in enumerate(zip(first, second, strict=True)):
        alone = paired_metric_test(y, predicted[a], predicted[b], metric)
        assert found.pvalues[i] == pytest.approx(alone.pvalue, rel=1e-11)
        assert (found.estimates[i], found.n_differing[i]) == (alone.estimate, alone.n_differing)
        assert not found.drawn[i]


@pytest.mark.parametrize("metric", ["precision", "f1", "jaccard", "recall", "accuracy"])
def test_of_many_exchanges_few_are_looked_at(monkeypatch, rng, metric):
    n = 700
    y = rng.random(n) < rng.uniform(0.1, 0.9)
    alike, (called, other) = rng.random(n) < rng.uniform(0, 0.7), rng.random((2, 2, n)) < rng.random((2, 2, 1))
    called, other = (np.where(y, *one) for one in (called, other))
    predicted = np.array([called, np.where(alike, called, other), np.where(rng.random(n) < 0.8, called, ~called)])
    first, second = np.triu_indices(3, 1)
    alone = [paired_metric_test(1 * y, *(1 * predicted[[i, j]]), metric) for i, j in ((0, 1), (0, 2), (1, 2))]
    kind, rows = type(alone[0].predictions), []
    own = kind.studentised
    monkeypatch.setattr(kind, "studentised", lambda *one: rows.append(len(one[1])) or own(*one))
    found = pairs.many_metric_tests(y, predicted, metric, first, second)
    assert sum(rows) < 3 * 12 * n  # each row of exchanges by bisection; all of two groups can be 700 ** 2 / 4
    for pvalue, drawn, one in zip(found.pvalues, found.drawn, alone, strict=True):
        assert not drawn
        assert pvalue == pytest.approx(one.pvalue, rel=1e-11)


def test_the_standard_error_of_an_exact_and_a_constant_model_is_no_nan():
    """The sum of squares is below 0 by rounding."""
    y = np.repeat([0, 1], [28, 32])
    assert paired_metric_test(y, y, np.ones(60), "mcc").standard_error >= 0


def test_many_pairs_that_draw_exchanges_are_left_alone(rng):
    y = rng.integers(0, 2, 12_000)
    predicted = rng.integers(0, 2, (3, 12_000))
    found = pairs.many_metric_tests(y == 1, predicted == 1, "f1", np.array([0, 0]), np.array([1, 2]))
    assert found.drawn.all()
    assert np.isnan(found.pvalues).all()
    assert not pairs.many_metric_tests(y == 1, predicted == 1, "recall", np.array([0]), np.array([1])).drawn.any()


def labelled(rng, n_models=46, n=120):
    """Labels of many models on one test set, and two models that call all samples alike, and two that are equal."""
    y = rng.integers(0, 2, n)
    y[:2] = 0, 1
    models = {f"m{i}": np.where(rng.random(n) < 0.6 + 0.35 * i / n_models, y, 1 - y) for i in range(n_models)}
    return y, models | {"m1": np.ones(n, dtype=int), "m2": np.zeros(n, dtype=int), "m4": models["m3"]}


def close(one, other):
    """Whether two rows are equal, the adjusted p-values up to rounding."""
    equal = all(
        repr(getattr(one, field.name)) == repr(getattr(other, field.name))
        for field in fields(one)
        if field.name not in ("pvalue_adjusted", "record")
    )
    return equal and one.pvalue_adjusted == pytest.approx(other.pvalue_adjusted, rel=1e-10, nan_ok=True)


@pytest.mark.sampled
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("metric", ["f1", "recall", "matthews_corrcoef"])
def test_many_models_on_one_test_set_are_tested_as_single_pairs(monkeypatch, rng, metric):
    y, models = labelled(rng, n=40)
    result = from_predictions(y, models, scoring=metric)
    alone = Mock(side_effect=pairs.record_of)
    monkeypatch.setattr(pairs, "record_of", alone)
    found = in_reports(result._scores)
    assert alone.call_count < 46 * 45 / 4  # of rows that are shown, and of 0/0
    monkeypatch.setattr(pairs, "MOST_PAIRS", 10**9)
    known = {(row.metric, row.a, row.b): row for row in compare(replace(result, baseline=None)._scores)}
    assert len(known) > len(tuple(found))
    for row in found:
        assert close(row, known[row.metric, row.a, row.b]), row


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("judges", [None, 9])
def test_many_systems_that_are_judged_are_tested_as_single_pairs(monkeypatch, rng, judges):
    n, strengths = 3_000, rng.normal(size=46)
    a, b = rng.permuted(np.tile(np.arange(46), (n, 1)), axis=1)[:, :2].T
    ahead = rng.logistic(size=n) < strengths[a] - strengths[b]
    table = {"model_a": [f"m{i}" for i in a], "model_b": [f"m{i}" for i in b], "winner": np.where(ahead, "a", "b")}
    table |= {} if judges is None else {"judge": rng.integers(judges, size=n)}
    result = from_judgments(table, cluster=None if judges is None else "judge")
    alone = Mock(side_effect=pairs.record_of)
    monkeypatch.setattr(pairs, "record_of", alone)
    (judged,) = judged_pairs(result._scores)
    assert not alone.called
    (tests,), (adjusted_all,) = judged.tests, judged.pvalues
    monkeypatch.setattr(pairs, "MOST_PAIRS", 10**9)
    rows = compare(replace(result, baseline=None)._scores).rows
    assert tests.pvalues == pytest.approx([row.pvalue for row in rows], rel=1e-12)
    assert adjusted_all == pytest.approx([row.pvalue_adjusted for row in rows], rel=1e-12)
    assert tests.leads.tolist() == [np.sign(row.estimate) for row in rows]


def test_wald_tests_of_many_pairs_leave_alone_what_does_not_vary(rng):
    parts, df = np.zeros((2, 4, 4)), np.array([5.0, np.inf])
    parts[:] = [np.diag([v, 0, 0, 1e-30]) for v in rng.uniform(0.5, 2, size=2)]
    values, first, second = np.array([rng.normal(), 1.0, 2.0, np.nan]), np.array([0, 0, 1, 0]), np.array([1, 2, 2, 3])
    found = pairs.wald_pvalues(values, parts, df, first, second)
    for i in (0, 1):
        pair = [0, second[i]]
        one = wald_test(values[pair], parts[:, pair][:, :, pair], df=df)
        assert found[i] == pytest.approx(one.pvalue, rel=1e-13)
    assert np.isnan(found[2:]).all()
    assert np.isnan(pairs.wald_pvalues(np.array([0, 1e12, 0, 0]), parts, df, first[:1], second[:1])).all()


@pytest.mark.sampled
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("correction", ["holm", "bonferroni", "fdr_bh"])
def test_draws_that_cannot_be_significant_among_all_are_made_for_rows_alone(monkeypatch, rng, correction):
    """Of 99 exchanges no p-value is below 1/100, and of 1,035 such pairs none is significant."""
    for module in ("comparison.pairs", "inference.outcomes.predictions"):
        monkeypatch.setattr(f"skcompare.{module}.DEFAULT_DRAWS", 99)
    monkeypatch.setattr("skcompare.inference.outcomes.samples.MAX_OF_TWO", 30)
    y, models = labelled(rng)
    result = from_predictions(y, models, scoring=("accuracy", "f1", "recall"))
    (_, others) = judged_pairs(result._scores, correction=correction)
    assert any(tests.drawn is not None for tests in others.tests) is (correction != "fdr_bh")
    for tests, of_family in zip(others.tests, others.pvalues, strict=True):
        if tests.drawn is not None:
            assert np.count_nonzero(tests.drawn) > tests.drawn.max() == 99
            assert (of_family[tests.drawn > 0] == 1).all()
    each = [tests.each() for tests in others.tests]
    p = np.concatenate(each)
    expected = np.split(adjusted(p, correction)[0], 2)
    for own, known in zip(others.pvalues, expected, strict=True):
        np.testing.assert_allclose(own, known, rtol=1e-12)


def test_the_range_of_detectable_differences_is_that_of_all_pairs(monkeypatch, global_random_seed):
    rng = np.random.default_rng(global_random_seed)
    spreads = rng.uniform(0.01, 0.2, size=12)
    rows = [
        {"model": f"m{i}", "seed": run, "accuracy": 0.7 + spread * rng.normal()}
        for i, spread in enumerate(spreads)
        for run in range(rng.integers(4, 9))
    ]
    table = read({name: [row[name] for row in rows] for name in rows[0]}).compare()
    counted = Mock(side_effect=smallest_difference)
    monkeypatch.setattr("skcompare.comparison.compare.smallest_difference", counted)
    (found,) = detectable_ranges(table).values()
    sizes = [
        smallest_difference(row.record, 0.8, 1 - row.confidence_level)
        for row in table
        if row.outcome is Outcome.UNDECIDED
    ]
    assert found == (min(sizes), max(sizes))
    assert counted.call_count < len(sizes) / 2


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("n", [2, 6, 25, 210])
def test_many_models_on_data_sets_are_tested_as_single_pairs(monkeypatch, rng, n, alternative):
    scores = rng.integers(0, 12 if n < 20 else 900, (n, 12)) / 20.0
    scores[:, 1] = scores[:, 0]
    scores[:, 2] = scores[:, 0] + 0.1
    scores[: n // 2, 3] = scores[: n // 2, 0]
    frame = {"dataset": np.repeat(np.arange(n), 12), "model": [f"m{i}" for i in range(12)] * n, "score": scores.ravel()}
    frame["score"][5] = np.nan
    study = StudyResult.from_frame(frame, missing="keep")
    monkeypatch.setattr(pairs, "MOST_PAIRS", 5)
    null = float(rng.choice([0.0, 0.05]))
    (judged,) = judged_pairs(study._scores, "signed_rank_test", alternative=alternative, null=null)
    (tests,) = judged.tests
    assert (tests.discordant > 0).sum() > 30
    for i, (a, b) in enumerate(zip(tests.first, tests.second, strict=True)):
        record = tests.alone(i)
        assert tests.pvalues[i] == pytest.approx(record.pvalue, abs=0, nan_ok=True, rel=1e-14), (a, b)
        assert tests.leads[i] == pytest.approx(np.sign(record.rank_sum_a - record.rank_sum_b), nan_ok=True)
        assert len({getattr(least, "pvalue", least) for least in (tests.least(i), least_of(record))}) == 1


@pytest.mark.parametrize("kind", ["constant", "labels", "guesses"])
def test_of_very_many_warnings_with_one_code_some_are_listed(kind, rng):
    n_models = 30
    truth = rng.integers(0, 2, 90)
    names = [f"m{i}" for i in range(n_models)]
    if kind == "constant":
        columns = {"model": np.repeat(names, 10), "fold": [*range(10)] * n_models}
        result = from_frame({**columns, "score": np.repeat(rng.random(n_models), 10)})
    elif kind == "labels":
        result = from_predictions(
            truth, {one: np.where(rng.random(90) < 0.8, truth, 1 - truth) for one in names}, scoring=["accuracy"]
        )
    else:
        result = from_predictions(truth, {one: rng.random(90) for one in names}, scoring=["roc_auc"])
    for view, told in ((result.compare(), result.compare()._warnings()), (result.explain(), result.warnings)):
        lines = re.findall(r"(?m)^- ([A-Z_]{4,})", str(view))
        assert {*lines} >= {text.partition(":")[0].partition(" (")[0] for text in map(str, told)}
        assert max(map(lines.count, lines), default=0) <= 9
        assert len(told) < 30 or re.search(r"\d+ more with this code", str(view))


def test_many_models_have_the_average_precisions_of_pairs(rng):
    y = rng.random(600) < 0.4
    steps = rng.uniform(0, 2, size=8)
    scores = np.array([np.round(step * y + rng.normal(size=len(y)), i % 3) for i, step in enumerate(steps)])
    scores = np.r_[scores, scores[:1], scores[:1] + (np.arange(len(y)) < 3)]  # one twice, and one that few change
    first, second = np.triu_indices(len(scores), 1)
    pvalues, estimates, n_differing, drawn = pairs.many_precision_tests(y, scores, first, second)
    assert (n_differing == -1).all()  # that few pairs need exchanges
    assert not drawn.any()
    for i, j, pvalue, estimate in zip(first, second, pvalues, estimates, strict=True):
        alone = paired_metric_test(y, scores[i], scores[j], "average_precision", rng=0)
        assert estimate == pytest.approx(alone.estimate, abs=1e-12)
        assert alone.normal or np.isnan(pvalue)
        assert np.isnan(pvalue) or pvalue == pytest.approx(alone.pvalue, rel=1e-6)
    assert np.isfinite(pvalues).sum() > len(pvalues) / 2


@pytest.mark.parametrize("digits", [1, 9])
def test_average_precisions_that_no_draws_find_different_among_all_are_not_drawn(rng, digits, monkeypatch):
    y, few = rng.permutation(np.arange(150) % 2), 30  # samples too few for the normal distribution, and draws
    good = 2 * y + rng.normal(size=150) + rng.normal(size=(9, 150)) * rng.uniform(0, 0.3, size=(9, 1))
    names = [*"abcdefghijkl"]
    scores = np.round([*good, 9.0 * y, 9.0 * y + rng.random(150) / 2, good[0] + (np.arange(150) < 3)], digits) - 1
    monkeypatch.setitem(pairs.many_precision_tests.__globals__, "PRECISION_DRAWS", few)
    monkeypatch.setattr(pairs, "PRECISION_DRAWS", few)
    monkeypatch.setattr(pairs, "MOST_PAIRS", 10)
    first, second = np.triu_indices(12, 1)
    pvalues, estimates, n_differing, drawn = pairs.many_precision_tests(y == 1, scores, first, second)
    for i, (one, other) in enumerate(zip(first, second, strict=True)):
        alone = paired_metric_test(y, scores[one], scores[other], "average_precision", n_resamples=20, rng=0)
        assert n_differing[i] == alone.n_differing
        assert drawn[i] == (alone.n_differing > 14)
        assert estimates[i] == pytest.approx(alone.estimate, abs=1e-12)
        assert np.isnan(pvalues[i]) == (n_differing[i] > 0)
    assert drawn.sum() > few
    given = {name: {"score": own} for name, own in zip(names, scores, strict=True)}
    result = from_predictions(y, given, scoring=["average_precision"])
    for row in result.compare():
        record = result.test(a=row.a, b=row.b)
        assert row.record == record
        assert row.pvalue == record.pvalue
        assert np.sign(row.estimate) == np.sign(record.estimate)
