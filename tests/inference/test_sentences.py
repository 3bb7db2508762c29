"""What records say: the verdict, the estimate, its interval and its p-value, in one short sentence of each kind."""

from __future__ import annotations

import re

import numpy as np
import pytest

from skcompare import inference


def said(record):
    text = record._sentence()
    assert text.endswith(".")
    assert "\n" not in text
    assert "\n" not in repr(record)
    return text


def has_p(text, value, name="p"):
    """Whether a text has a p-value, to three digits or as less than 0.001."""
    shown = re.search(rf"\b{name} ([=<]) ([\d.]+\d)", text)
    if shown[1] == "<":
        return value < float(shown[2])
    return float(shown[2]) == pytest.approx(value, abs=6e-4)


def has_share(text, value):
    """Whether a text has a probability in percent, to the whole percent or as less or more than a bound."""
    found = re.findall(r"(less than |more than |<|>)?([\d.]+)%", text)
    return any(abs(float(shown) - 100 * value) <= (1.0 if side else 0.51) for side, shown in found)


@pytest.mark.parametrize("shift", [-3.0, 0.0, 3.0])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_a_difference_says_who_is_better_by_how_much_and_how_sure(rng, shift, alternative):
    a = rng.normal(size=12)
    found = inference.paired_t_test(a + shift, a + rng.normal(0, 0.5, 12), alternative=alternative)
    text = said(found)
    assert ("not significantly" in text) == (found.pvalue >= 0.05)
    assert has_p(text, found.pvalue)
    assert ("(one-sided)" in text) == (alternative != "two-sided")
    b_is_better = found.pvalue < 0.05 and found.estimate < 0 and alternative != "greater"
    assert text.startswith("b is significantly better") == b_is_better
    if alternative == "two-sided":
        low, high = map(float, re.search(r"95% interval \[(\S+), (\S+)\]", text).groups())
        interval = found.confidence_interval()
        assert (low, high) == (pytest.approx(interval.low, abs=1e-3), pytest.approx(interval.high, abs=1e-3))


def test_a_difference_that_rounding_left_is_zero():
    for scale in (1.0, 1e-6, 1e6):
        n, noise = 40, np.linspace(-1, 1, 40) * scale
        found = inference.paired_t_test(noise + 2e-17 * scale, np.zeros(n))
        assert 0 < abs(found.estimate) < 1e-15 * scale
        assert re.search(r"a - b is 0\.?0* \(", said(found)), said(found)
    near = inference.paired_t_test(noise + 1e-6 * scale, np.zeros(n))
    assert "a - b is +" in said(near)
    few = inference.permutation_test([0.9, 0.8, 0.7], [0.5, 0.4, 0.3], paired=False)
    assert re.search(r"a - b is \+0\.40* \(95% interval without limits\)", said(few)), said(few)


@pytest.mark.parametrize(
    ("found", "interval"),
    [
        (inference.signed_rank_test([0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0, -0.01], [0] * 8), "(0, +0.0500]"),
        (inference.sign_test([-0.01, -0.02, 0, 0, 0, *range(1, 11)], [0] * 15), "(0, +7.000]"),
        (inference.mcnemar_test([1] * 24, [0] * 4 + [1] * 20, method="exact"), "[0.0000, +0.3585]"),
        (inference.mcnemar_test([1] * 24, [0] * 4 + [1] * 20, method="exact", alternative="greater"), "from 0.0000"),
    ],
)
def test_the_printed_interval_leaves_out_no_difference_where_the_claim_is_significant_alone(found, interval):
    own = found.confidence_interval()
    assert (own.low <= 0) == (found.pvalue < 0.05)  # a p-value of another method, or an end that ties put on 0
    assert f"(95% interval {interval})" in said(found)


def test_several_models_say_who_differs_and_on_how_many(rng):
    scores = np.array([0.0, 9.0, 9.0]) + rng.normal(size=(15, 1)) + rng.normal(0, 0.1, (15, 3))
    pairs = inference.nemenyi_test(scores, names=["low", "high", "other"])
    n = len(re.findall(r"better than", said(pairs)))
    assert said(pairs).startswith(f"{n} of 3 pairs ")
    assert "15 data sets" in said(pairs)
    found = inference.friedman_test(scores)
    assert said(found).startswith("The models are significantly different on 15 data sets: p < 0.001")
    same = inference.friedman_test(np.tile(scores[:, :1], 3))
    assert "not significantly different" in said(same)
    assert "p = 1.000" in said(same)
    one = inference.nemenyi_test(scores[:1])
    assert said(one) == "It is not known which of 3 pairs differ on 1 data set."


def test_probabilities_are_those_of_the_record(rng):
    found = inference.correlated_t_posterior(rng.normal(size=10), np.zeros(10), rope=0.1, test_fraction=0.1)
    for share in (found.left, found.rope, found.right):
        assert has_share(said(found), share)


@pytest.mark.parametrize("counts", [[0, 0, 0, 20], [20, 0, 0, 0], [3, 2, 1, 4], [2, 0, 0, 2]])
def test_a_pattern_is_tested_or_probable_and_a_tie_is_said(counts):
    test, posterior = inference.dominance_test(counts), inference.dominance_posterior(counts)
    if test.statement is None:
        assert said(test) == "No pattern of wins is more frequent than all others."
        return
    words = inference.format_statement(test.statement)
    assert words in said(test)
    assert ("is significantly more frequent" in said(test)) == (test.pvalue < 0.05)
    assert words in said(posterior)
    assert has_share(said(posterior), float(posterior.probabilities.max()))


def test_plain_values_are_those_of_the_record(rng):
    y, scores = np.arange(40) % 2, rng.random(40)
    curve, cost = inference.roc_points(y, scores), inference.expected_cost(y, scores)
    assert float(re.search(r"Area under the curve ([\d.]+\d)\.", said(curve))[1]) == pytest.approx(curve.area, abs=1e-4)
    assert said(inference.precision_recall_points(y, scores)).startswith("Precision and recall: thresholds ")
    shown = re.search(r"cost per sample ([\d.]+), threshold ([\d.]+|inf)\.", said(cost))
    assert float(shown[1]) == pytest.approx(cost.cost, abs=1e-3)
    unknown = inference.detectable_difference([0.5], [0.4], test_fraction=0.1)
    assert said(unknown).startswith("Smallest detectable difference not known, power 80%")


def test_a_record_that_holds_at_another_level_says_so(rng):
    a, b = rng.normal(size=10), rng.normal(size=10)
    found = inference.equivalence_test(a, b, margin=0.5, alpha=0.1, test_fraction=0.1)
    assert "(80% interval [" in said(found)
    assert has_p(said(found), found.pvalue, "equivalence p")


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("signs", [(1, 1), (1, -1), (-1, -1)])
def test_what_is_claimed_of_all_metrics_is_no_claim_that_models_are_alike(rng, signs, alternative):
    b = rng.normal(size=(12, 2))
    a = b + np.array(signs) * rng.uniform(3, 4, (12, 2))  # the models differ on both metrics
    asked = {"greater": {1}, "less": {-1}}.get(alternative, {1, -1})
    on_any = said(inference.max_t_test(a, b, alternative=alternative))
    assert on_any.startswith("a is significantly") == (1 in asked & {*signs})
    assert "b is significantly better than a on" in on_any or -1 not in asked & {*signs}
    assert (" is not significantly better than " in on_any) == (not asked & {*signs})
    for found in (
        inference.intersection_union_test(a, b, alternative=alternative),
        inference.full_dominance_test(inference.dominance_counts(a, b), alternative=alternative),
    ):
        either = len({*signs}) > 1 and alternative == "two-sided"
        assert said(found).startswith("Neither a nor b is significantly ") == either
        assert (" is significantly " in said(found).replace("Neither a nor b is", "")) == (
            len({*signs}) == 1 and {*signs} <= asked
        )
    for text in (on_any, said(found)):
        assert "not significantly different" not in text
        assert ("(one-sided)" in text) == (alternative != "two-sided")


def test_what_one_case_says_of_several_metrics_is_not_known():
    assert said(inference.max_t_test([[1.0, 2.0]], [[0.5, 0.5]])).startswith("a and b are not comparable on any metric")


@pytest.mark.parametrize("shift", [-3.0, 3.0])
def test_a_value_of_one_direction_names_both_models(rng, shift):
    """Whoever is better: "b is larger: violation ratio 1" was read as that of the claim."""
    a = rng.normal(size=(12, 2))
    b = a + shift + rng.normal(0, 0.1, (12, 2))
    order = inference.almost_stochastic_order(a[:, 0], b[:, 0], rng=0)
    assert said(order).startswith("b is almost" if shift > 0 else "a is almost")
    shown = re.search(r"violation ratio of a over b (\S+), at most (\S+), of b over a at most (\S+)\.$", said(order))
    values = (order.epsilon, order.epsilon_min, order.epsilon_min_reverse)
    assert [*map(float, shown.groups())] == pytest.approx(values, rel=1e-3, abs=1e-3)
    found = inference.stochastic_dominance_test(a, b, n_resamples=9, rng=0)
    leads = re.search(r"least lead of a in utility (\S+), of b (\S+),", said(found)).groups()
    assert [*map(float, leads)] == pytest.approx([found.statistic, found.statistic_reverse], abs=1e-3)
    assert (found.statistic > found.statistic_reverse) == (shift < 0)


@pytest.mark.parametrize(
    "test",
    ["nemenyi_test", "dunn_test", "conover_test", "quade_posthoc_test", "aligned_ranks_posthoc_test", "step_down_test",
     "tukey_test", "pairwise_signed_rank_test", "control_test"],
)  # fmt: skip
def test_a_table_of_pairs_shows_the_lead_of_the_first(rng, test):
    """A lower mean rank is better: "a - b (mean rank)" above a positive number was the other way round."""
    names = rng.permutation(["best", "mid", "worst"]).tolist()
    merit = np.array([{"best": 0.9, "mid": 0.8, "worst": 0.7}[name] for name in names])
    scores = merit + rng.normal(0, 0.01, (12, 3))
    options = {"control": str(rng.choice(names))} if test == "control_test" else {}
    [table] = getattr(inference, test)(scores, names=names, **options)._tables()
    assert tuple(table.header[:2]) == ("a", "b")
    assert re.fullmatch(r"lead of a \(.+\)", table.header[2])
    assert table.header[-1].startswith("p adj. (")
    for a, b, lead, *_ in table.rows:
        assert (float(lead) > 0) == (merit[names.index(a)] > merit[names.index(b)])
