"""What the page computes is what Python computes."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest
from scipy import special

from skcompare._core.numbers import number, percent, pvalue
from skcompare.inference import adjust_pvalues, sign_posterior

DFS = [1.0, 2.0, 3.5, 9.0, 99.0, 400.25, 1000.0]
WITHIN = 1e-6  # absolute, what is promised; relative errors are held to far less


@pytest.fixture(scope="module")
def page(driver, pages, two):
    driver.get(pages(two))
    return driver


def evaluate(page, expression, arguments):
    """The values of a JavaScript expression in `x`, one per argument; JSON knows no nan."""
    code = f"return arguments[0].map((x) => {expression}).flat().map((y) => Number.isNaN(y) ? null : y)"
    found = page.execute_script(code, arguments)
    return np.array([np.nan if value is None else value for value in found], dtype=float)


@pytest.mark.parametrize("df", DFS)
def test_pvalues_down_to_1e_12_are_those_of_scipy(page, df):
    wanted = np.concatenate((np.geomspace(1e-12, 0.5, 60), np.linspace(0.5, 1, 41)))
    statistics = -special.stdtrit(df, wanted / 2)
    found = evaluate(page, f"Numbers.tPvalue(x, 1, {df})", statistics.tolist())
    assert found == pytest.approx(2 * special.stdtr(df, -np.abs(statistics)), rel=1e-9, abs=0)
    assert evaluate(page, f"Numbers.tPvalue(-x, 1, {df})", statistics.tolist()) == pytest.approx(found, rel=0, abs=0)


@pytest.mark.parametrize("df", DFS)
def test_intervals_are_those_of_scipy(page, df):
    alphas = [0.5, 0.1, 0.05, 0.01, 1e-3, 1e-6]
    found = evaluate(page, f"Numbers.tInterval(0.25, 0.01, {df}, x)", alphas).reshape(-1, 2)
    margin = -0.01 * special.stdtrit(df, np.array(alphas) / 2)
    assert found[:, 0] == pytest.approx(0.25 - margin, rel=1e-9, abs=1e-12)
    assert found[:, 1] == pytest.approx(0.25 + margin, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("df", DFS)
def test_posterior_probabilities_are_those_of_scipy(page, df):
    means = np.linspace(-0.2, 0.2, 41)
    found = evaluate(page, f"Numbers.tPosterior(x, 0.013, {df}, 0.01)", means.tolist()).reshape(-1, 3)
    left, right = special.stdtr(df, (-0.01 - means) / 0.013), special.stdtr(df, (means - 0.01) / 0.013)
    assert found == pytest.approx(np.stack((left, 1 - left - right, right), axis=1), rel=0, abs=1e-12)


def test_what_does_not_vary_or_is_not_known_has_pythons_answer(page):
    def one(code):
        return evaluate(page, code, [0]).tolist()

    assert one("Numbers.tPvalue(0, 0, 9)") == [1]
    assert one("Numbers.tPvalue(0.1, 0, 9)") == [0]
    assert np.isnan(one("Numbers.tPvalue(0.1, NaN, NaN)")).all()
    assert one("Numbers.tInterval(0.1, 0, 9, 0.05)") == [0.1, 0.1]
    assert np.isnan(one("Numbers.tInterval(0.1, NaN, NaN, 0.05)")).all()
    assert one("Numbers.tPosterior(0.1, 0, 9, 0.2)") == [0, 1, 0]
    assert one("Numbers.tPosterior(0.1, 0, 9, 0.05)") == [0, 0, 1]
    assert one("Numbers.tPosterior(0, 0, 9, 0)") == [0.5, 0, 0.5]
    assert np.isnan(one("Numbers.tPosterior(0.1, NaN, NaN, 0)")).all()


def test_adjusted_pvalues_are_those_of_holm(rng, page):
    pvalues = rng.uniform(0, 0.3, 30) ** 3
    pvalues[[3, 4]] = pvalues[5]
    unknown = [None if i in (0, 17) else p for i, p in enumerate(pvalues.tolist())]
    found = evaluate(page, "Numbers.holm(x.map((p) => p === null ? NaN : p))", [unknown])
    known = np.isfinite(found)
    assert np.flatnonzero(~known).tolist() == [0, 17]
    assert found[known] == pytest.approx(adjust_pvalues(pvalues[known]), rel=1e-14)


@pytest.mark.parametrize("counts", [(0, 0, 1), (0, 1, 0), (3, 0, 9), (5, 5, 5), (0, 1, 30), (60, 2, 55), (250, 1, 249)])
def test_the_sign_posterior_is_that_of_python(page, counts):
    differences = np.repeat([-1.0, 0.0, 1.0], counts)
    wanted = sign_posterior(differences, np.zeros_like(differences), rope=0.5)
    assert wanted.counts == counts
    found = evaluate(page, f"Numbers.signPosterior({list(counts)})", [0])
    assert found == pytest.approx([wanted.left, wanted.rope, wanted.right], rel=0, abs=1e-9)


def test_scores_on_the_edge_of_the_rope_are_counted_as_python_counts_them(page):
    a, b = np.array([0.83, 0.8, 0.9, 0.7, 0.5]), np.array([0.82, 0.81, 0.9, 0.72, 0.5 + 1e-14])
    for width in (0.0, 0.01, 0.02):
        found = evaluate(page, f"Numbers.signCounts({a.tolist()}, {b.tolist()}, {width})", [0])
        assert tuple(found) == sign_posterior(a, b, rope=width).counts


VALUES = [
    *(0.0, -0.0, 0.00005, 0.00015, 0.5, 2.5, 0.125, 0.78125, 0.90625, 1.00005, -0.00004, 0.99995, 12.345, 999.5),
    *(-123456.5, 1e-9, 2.5e-8, 1.5e-12, -3e-7, 1e12, -1.2345e15, 1e21, float("inf"), float("-inf"), float("nan")),
]


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("places", [0, 2, 3, 4, 9])
def test_numbers_are_written_as_python_writes_them(page, places, signed):
    texts = [str(value).replace("inf", "Infinity").replace("nan", "NaN") for value in VALUES]
    code = f"return arguments[0].map((x) => Words.number(Number(x), {places}, {str(signed).lower()}))"
    assert page.execute_script(code, texts) == [number(value, places, signed=signed) for value in VALUES]


def test_probabilities_and_pvalues_are_written_as_python_writes_them(page):
    values = [0.0, 0.004, 0.005, 0.045, 0.125, 0.995, 0.9951, 1.0, 0.0005, 0.00099999, 0.0625, 0.0015]
    written = page.execute_script("return arguments[0].map((x) => [Words.percent(x), Words.pvalue(x)])", values)
    assert written == [[percent(value, words=True), pvalue(value)] for value in values]


# ---- through the controls ---------------------------------------------------------------------------------------


def numbers(page):
    """The rows of the comparison, unrounded, as they are copied."""
    rows = csv.DictReader(io.StringIO(page.copied("csv"), newline=""))
    return [
        {
            key: float(value or "nan")
            for key, value in row.items()
            if key not in ("metric", "a", "b", "outcome", "w/t/l")
        }
        for row in rows
    ]


@pytest.mark.parametrize(("rope", "alpha"), [(0.004, 0.05), (0.02, 0.01), (1e-6, 0.3)])
def test_every_number_of_the_page_is_that_of_compare(open_page, two, rope, alpha):
    page = open_page(two)
    page.choose(rope=rope, alpha=alpha)
    found, wanted = numbers(page), two.compare(rope=rope)
    assert len(found) == len(wanted) == 3
    for shown, row in zip(found, wanted, strict=True):
        interval = two.test(metric=row.metric).confidence_interval(1 - alpha)
        assert list(shown.values()) == pytest.approx(
            [
                *(row.mean_a, row.mean_b, row.estimate, interval.low, interval.high, row.pvalue_adjusted),
                *(row.left, row.rope, row.right),
            ],
            rel=1e-9,
            abs=WITHIN,
        )


def test_the_posterior_on_one_run_of_folds_is_that_of_compare(open_page, one_run):
    page = open_page(one_run)
    page.choose(rope=0.01)
    for shown, row in zip(numbers(page), one_run.compare(rope=0.01), strict=True):
        assert list(shown.values())[6:9] == pytest.approx([row.left, row.rope, row.right], abs=WITHIN)


@pytest.mark.sampled
@pytest.mark.parametrize(("rope", "alpha"), [(0.05, 0.05), (0.3, 0.001), (0.01, 0.1)])
@pytest.mark.parametrize("name", ["test_set", "items"])
def test_every_number_of_one_test_set_is_that_of_its_own_test(open_page, request, name, rope, alpha):
    result = request.getfixturevalue(name)
    page = open_page(result)
    page.choose(rope=rope, alpha=alpha)
    found, wanted = numbers(page), result.compare(rope=rope)
    assert len(found) == len(wanted)
    for shown, row in zip(found, wanted, strict=True):
        ends = (np.nan, np.nan)
        if row.low == row.low:
            interval = row.record.confidence_interval(1 - alpha)
            ends = (interval.low, interval.high)
        shares = [np.nan if share is None else share for share in (row.left, row.rope, row.right)]
        values = [row.mean_a, row.mean_b, row.estimate, *ends, row.pvalue_adjusted, *shares]
        assert list(shown.values()) == pytest.approx(values, rel=1e-9, abs=WITHIN, nan_ok=True)


@pytest.mark.parametrize(("rope", "alpha"), [(0.005, 0.05), (0.03, 0.001)])
def test_every_number_of_a_study_is_that_of_compare(open_page, study, rope, alpha):
    page = open_page(study)
    page.choose(rope=rope, alpha=alpha)
    found, wanted = numbers(page), study.compare()
    assert len(found) == len(wanted) == 6
    for shown, row in zip(found, wanted, strict=True):
        names = {"metric": row.metric, "a": row.a, "b": row.b}
        interval = study.test("signed_rank_test", **names).confidence_interval(1 - alpha)
        posterior = study.test("sign_posterior", **names, rope=rope)
        assert list(shown.values()) == pytest.approx(
            [
                *(row.mean_a, row.mean_b, row.estimate, interval.low, interval.high, row.pvalue_adjusted),
                *(posterior.left, posterior.rope, posterior.right),
            ],
            rel=0,
            abs=WITHIN,
        )
