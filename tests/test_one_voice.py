"""What stands beside the default test of a design rests on its variance, also on one run of k folds."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import special, stats

from skcompare import from_frame
from skcompare.inference import corrected_t_test, effective_cases, k_fold_t_test
from skcompare.planning import detectable_difference, plan

# By name: repeats, folds, test fraction where no fold tells it, what else the design is, whether it is a single run.
DESIGNS = {
    "10x10": (10, 10, None, {}, False),
    "2x10": (2, 10, None, {}, False),
    "5x2": (5, 2, None, {}, False),
    "10-fold": (1, 10, None, {}, True),
    "5-fold": (1, 5, None, {}, True),
    "3-fold": (1, 3, None, {}, True),
    "20-fold": (1, 20, None, {}, True),
    "21-fold": (1, 21, None, {}, False),
    "2-fold": (1, 2, None, {}, False),
    "30 random splits": (30, 1, 1 / 3, {}, False),
    "10 folds of 40 groups": (1, 10, None, {"n_groups": 40}, True),
    "10 folds that leave samples out": (1, 10, None, {"partition": False}, False),
    "in time order": (1, 10, None, {"partition": False, "time_order": True}, False),
}
METRICS = ("accuracy", "y")
SINGLE = [name for name, (*_, single) in DESIGNS.items() if single]
OTHERS = [name for name in DESIGNS if name not in SINGLE]


def result_of(name, rng, shift=0.02):
    """Two models on two metrics."""
    repeats, folds, fraction, more, _ = DESIGNS[name]
    n = repeats * folds
    scores = 0.8 + rng.normal(0, 0.03, (2, 2, n)) + np.array([shift, 0.0])[:, None, None]
    rows = [
        (model, metric, s // folds, s % folds, scores[i, m, s])
        for i, model in enumerate("ab")
        for m, metric in enumerate(METRICS)
        for s in range(n)
    ]
    columns = ("model", "metric", "repeat", "fold", "score")
    frame = dict(zip(columns, map(list, zip(*rows, strict=True)), strict=True))
    result = from_frame(frame, test_fraction=fraction)
    return replace(result, design=replace(result.design, **more)) if more else result


def default_test(result, **options):
    """The t test that is the default of the design, in time order the one that would be."""
    return result.test("corrected_t_test" if result.design.time_order else "auto", **options)


@pytest.fixture(params=list(DESIGNS))
def name(request):
    return request.param


@pytest.fixture
def result(name, rng):
    return result_of(name, rng)


def test_a_single_run_is_where_the_default_is_the_k_fold_test(result, name):
    if not result.design.time_order:
        default = k_fold_t_test if name in SINGLE else corrected_t_test
        a, b = (result.score(model, "accuracy") for model in "ab")
        expected = default(a, b, test_fraction=result.design.test_fraction)
        assert result.test().standard_error == pytest.approx(expected.standard_error, rel=1e-12)


def test_the_standard_errors_of_all_are_that_of_the_default(result):
    error = default_test(result).standard_error
    assert result.test("equivalence_test", margin=0.01).standard_error == pytest.approx(error, rel=1e-12)
    assert result.test("correlated_t_posterior").scale == pytest.approx(error, rel=1e-12)
    if not result.design.time_order:  # where `compare` takes no rope
        posterior = result.test("correlated_t_posterior", margin=0.01)
        assert result.compare("corrected_t_test", margin=0.01)[0].right == pytest.approx(posterior.right, rel=1e-12)
    if result.design.n_splits > 2:
        both = [default_test(result, metric=metric).standard_error for metric in METRICS]
        assert result.test("hotelling_test").standard_errors == pytest.approx(both, rel=1e-12)
    procedure = "corrected_t_test" if result.design.time_order else "auto"
    assert detectable_difference(result, procedure=procedure).standard_error == pytest.approx(error, rel=1e-12)


def test_the_p_values_of_all_are_those_of_the_default(result):
    tests = [default_test(result, metric=metric) for metric in METRICS]
    assert result.test("model_confidence_set").pvalues.min() == pytest.approx(tests[0].pvalue, rel=1e-6)
    greater = [default_test(result, metric=metric, alternative="greater").pvalue for metric in METRICS]
    found = result.test("intersection_union_test", alternative="greater")
    assert found.pvalues == pytest.approx(greater, rel=1e-9)
    assert result.test("max_t_test", n_resamples=9).statistics == pytest.approx([t.statistic for t in tests], rel=1e-9)


def test_the_effective_cases_go_by_the_correlation_that_the_default_takes(result):
    n, std = result.design.n_splits, np.std(result.score("a", "accuracy") - result.score("b", "accuracy"), ddof=1)
    added = (default_test(result).standard_error / std) ** 2 - 1 / n
    correlation = added / (1 + added)
    worth = min(effective_cases(n, correlation), n)
    assert result.dominance().n_effective == pytest.approx(worth, rel=1e-9)
    assert result.test("full_dominance_test").n_effective == pytest.approx(worth, rel=1e-9)
    assert result.dominance("table")[0].n_effective == pytest.approx(worth, rel=1e-9)


def test_the_interval_of_the_default_decides_on_equivalence(result):
    test = default_test(result)
    interval = test.confidence_interval(0.9)
    margin = max(abs(interval.low), abs(interval.high))
    for factor, shown in ((1 + 1e-6, True), (1 - 1e-6, False)):
        found = result.test("equivalence_test", margin=factor * margin)
        assert (found.pvalue < 0.05) == shown
        assert found.pvalue_difference == pytest.approx(test.pvalue, rel=1e-9)


def test_the_interval_of_the_flat_posterior_is_that_of_the_default(result):
    interval, posterior = default_test(result).confidence_interval(0.95), result.test("correlated_t_posterior")
    found = posterior.interval(0.95)
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high), rel=1e-9)
    assert posterior.left == pytest.approx(default_test(result, alternative="greater").pvalue, rel=1e-9)


def test_over_95_percent_in_either_direction_is_a_test_at_10_percent(result):
    posterior = result.test("correlated_t_posterior")
    assert (max(posterior.left, posterior.right) > 0.95) == (default_test(result).pvalue < 0.1)


def test_the_front_of_two_models_has_the_posterior_of_their_difference(result):
    front = result.pareto_front(metrics=["accuracy"], n_draws=20_000, rng=0)
    posterior = result.test("correlated_t_posterior")
    assert front.dominance_probabilities[0, 1] == pytest.approx(posterior.right, abs=5 * front.standard_error)


def test_every_view_has_the_interval_of_the_default(result):
    (shown,) = (column for column in result.explain().named("metrics").columns if column.name == "interval")
    if result.design.time_order:  # without predictions there is no test
        assert np.isnan(shown.values[0]).all()
        return
    interval = result.test().confidence_interval(0.95)
    low, high = np.clip([interval.low, interval.high], -1, 1)  # as far as a difference of two accuracies can be
    swapped = (-high, -low)  # where the leader is the second model
    assert shown.values[0] in (pytest.approx((low, high), rel=1e-9), pytest.approx(swapped, rel=1e-9))


def test_a_plan_takes_the_error_of_the_default(result):
    if not result.design.time_order:
        test = result.test()
        found = plan(result, 0.02)
        distance, critical = 0.02 / test.standard_error, stats.t.ppf(0.975, test.df)
        tails = [stats.nct(test.df, way * distance).sf(critical) for way in (1, -1)]  # scipy's cdf is nan for some
        assert found.current_power == pytest.approx(sum(tails), abs=1e-6)


def test_missing_folds_do_not_change_the_part(rng):
    result = result_of("3-fold", rng)
    gap = result.scores.copy()
    gap[:, 1, :] = np.nan
    left = replace(result, scores=gap)
    assert left.test("model_confidence_set").pvalues.min() == pytest.approx(left.test().pvalue, rel=1e-6)
    assert left.test("correlated_t_posterior").scale == pytest.approx(left.test().standard_error)


@pytest.mark.parametrize("name", SINGLE)
def test_the_published_test_and_the_intervals_of_own_scores_keep_all_of_the_correction(name, rng):
    result = result_of(name, rng)
    a, b = (result.score(model, "accuracy") for model in "ab")
    fraction = result.design.test_fraction
    published = corrected_t_test(a, b, test_fraction=fraction)
    assert result.test("corrected_t_test").standard_error == published.standard_error > result.test().standard_error
    own = corrected_t_test(a, np.zeros(len(a)), test_fraction=fraction).confidence_interval()
    score, reach = own.low / 2 + own.high / 2, (own.high - own.low) / 2  # by the delta method on the logit
    wanted = special.expit(special.logit(score) - reach / (score * (1 - score))) if score < 1 else own.low
    assert result.intervals("accuracy")[0].low == pytest.approx(wanted)
    errors = result.test("fold_error_rate_test", threshold=0.2, alternative="two-sided").confidence_interval()
    assert (1 - errors.high, 1 - errors.low) == pytest.approx((max(own.low, 0), min(own.high, 1)))  # of shares


@pytest.mark.parametrize("name", OTHERS)
def test_other_designs_take_all_of_the_correction(name, rng):
    result = result_of(name, rng)
    assert "of the correction" not in result.test("correlated_t_posterior").method


@pytest.mark.parametrize(
    ("procedure", "options"),
    [
        ("correlated_t_posterior", {}),
        ("equivalence_test", {"margin": 0.01}),
        ("model_confidence_set", {}),
        ("anova_test", {}),
        ("friedman_test", {}),
        ("tukey_test", {}),
        ("nemenyi_test", {}),
        ("intersection_union_test", {}),
        ("max_t_test", {}),
        ("hotelling_test", {}),
    ],
)
def test_the_part_is_set_by_the_design_and_nobody_else(procedure, options, rng):
    for name in ("10-fold", "10x10"):
        with pytest.raises(ValueError, match=f"overlap is set by the design for '{procedure}'"):
            result_of(name, rng).test(procedure, overlap=0.4, **options)


@pytest.mark.parametrize("name", ["10-fold", "10x10"])
def test_the_records_say_which_part_they_took(name, rng):
    result = result_of(name, rng)
    for procedure in ("model_confidence_set", "anova", "friedman", "tukey", "nemenyi"):
        said = "0.4 of the correction" in result.test(procedure).method
        assert said == (name == "10-fold")
