"""What records say: the verdict, the estimate, its interval and its p-value, in one short sentence of each kind."""

from __future__ import annotations

import re

import numpy as np
import pytest

from skcompare import inference
from skcompare._core.numbers import equal_to, percent
from skcompare.inference._sentences import Claims, Values, as_exact_share


def said(record):
    text = record._sentence()
    assert text.endswith(".")
    assert "\n" not in text
    assert "\n" not in repr(record)
    return text


@pytest.mark.parametrize("shift", [-3.0, 0.0, 3.0])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_a_difference_says_who_is_better_by_how_much_and_how_sure(rng, shift, alternative):
    a = rng.normal(size=12)
    found = inference.paired_t_test(a + shift, a + rng.normal(0, 0.5, 12), alternative=alternative)
    text = said(found)
    assert ("not significantly" in text) == (found.pvalue >= 0.05)
    assert equal_to("p", found.pvalue) in text
    assert ("(one-sided)" in text) == (alternative != "two-sided")
    b_is_better = found.pvalue < 0.05 and found.estimate < 0 and alternative != "greater"
    assert text.startswith("b is significantly better") == b_is_better
    if alternative == "two-sided":
        low, high = map(float, re.search(r"95% interval \[(\S+), (\S+)\]", text).groups())
        interval = found.confidence_interval()
        assert (low, high) == (pytest.approx(interval.low, abs=1e-3), pytest.approx(interval.high, abs=1e-3))


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
        assert percent(share, words=True, decided=0.95) in said(found)


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
    assert percent(float(posterior.probabilities.max())) in said(posterior)


class Row:
    """Values beside their limits, one of them not known."""

    name, share, share_low, share_high, other = "x", 0.25, 0.1, 0.4, float("nan")


def test_plain_values_have_their_limits_and_leave_out_what_is_not_known():
    kind = Values({"hit": ("share", as_exact_share), "other": "other"}, of=("name",))
    assert kind.sentence(Row()) == "x: hit 25.0% (10.0% to 40.0%)."
    assert list(kind.table([Row()]).rows) == [["x", "25.0% (10.0% to 40.0%)", "n/a"]]
    assert Values({"other": "other"}).sentence(Row()) == "Other not known."
    assert Claims("name", {"y": "it is y"}, "it is {verdict}").sentence(Row()) == "it is x."


def test_a_record_that_holds_at_another_level_says_so(rng):
    a, b = rng.normal(size=10), rng.normal(size=10)
    found = inference.equivalence_test(a, b, margin=0.5, alpha=0.1, test_fraction=0.1)
    assert "(80% interval [" in said(found)
    assert equal_to("equivalence p", found.pvalue) in said(found)
