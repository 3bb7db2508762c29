"""One formatter for each kind of number: what is shown never crosses what decides, and every view shows the same."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from skcompare import from_frame
from skcompare._core.numbers import (
    ALPHA,
    as_decided,
    bound,
    decimals,
    equal_to,
    interval,
    percent,
    percent_of,
    probability,
    pvalue,
    short,
)
from skcompare.inference import correlated_t_posterior
from tests.shown_tables import in_html, in_latex, in_markdown

PACKAGE = Path(__file__).parents[2] / "skcompare"
ALPHAS = (0.05, 0.1, 0.01, 0.001, 0.0005, 0.2)


def near(rng, *edges, n=40):
    """Numbers at some edges, next to them, and at any distance from them."""
    found = [*edges]
    for edge in edges:
        sizes = 10.0 ** rng.uniform(-17, -1, n) * rng.choice([-1, 1], n)
        found += [edge + x for x in sizes] + [np.nextafter(edge, edge + 1), np.nextafter(edge, edge - 1)]
    return [float(x) for x in found]


def read(shown):
    """What a reader takes a number for: the least and the greatest that it can be."""
    text = shown.strip("%").replace("more than ", ">").replace("less than ", "<")
    value = float(text.strip("<>"))
    return (-np.inf if text[0] == "<" else value), (np.inf if text[0] == ">" else value), text[0] in "<>"


def side(value, edge):
    return (value > edge) - (value < edge)


def on_its_side(shown, value, edge):
    """Whether what is shown lies where the value does; a bound at the edge leaves it out."""
    low, high, is_bound = read(shown)
    if is_bound:
        return side(value, edge) == (1 if low >= edge else -1 if high <= edge else 0)
    return side(low, edge) == side(value, edge)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_a_pvalue_is_shown_on_its_side_of_alpha(rng, alpha):
    for value in near(rng, 0, alpha, 0.001, 0.0496, 0.0504, 0.995, 1):
        if 0 <= value <= 1:
            shown = pvalue(value, alpha)
            assert on_its_side(shown, value, alpha), (value, shown)
            low, high, is_bound = read(shown)
            assert low < value < high if is_bound else abs(low - value) <= 5.0001e-4
            assert len(shown) <= 8
            said = equal_to("p", value, alpha)
            assert said == f"p = {shown}".replace("= <", "< ").replace("= >", "> ")
    assert pvalue(np.nan, alpha) == "n/a"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        *((0, "<0.001"), (1e-7, "<0.001"), (0.0496, "0.0496"), (0.0504, "0.0504"), (0.05, "0.050"), (0.012, "0.012")),
        *((1, "1.000"), (0.0499999999, "<0.050"), (0.0500000001, ">0.050")),
    ],
)
def test_pvalues_as_they_are_read(value, shown):
    assert pvalue(value) == shown


@pytest.mark.parametrize("power", range(1, 9))
def test_a_difference_that_rounding_made_smaller_has_no_digit_more(power):
    """0.91 - 0.9 is a little less than 0.01, and shown as it is."""
    step = 10.0**-power
    ones = np.arange(1, 200) * step
    assert {decimals([one - (one - step)]) for one in ones} == {decimals([step])}


@pytest.mark.parametrize("places", [0, 1, 2])
def test_only_what_is_exactly_all_or_nothing_is_called_so(rng, places):
    for value in near(rng, 0, 1, 0.995, 0.005, 0.5):
        if 0 <= value <= 1:
            for words in (False, True):
                shown = percent(value, places, words=words)
                assert on_its_side(shown, 100 * value, 0) or value > 0
                low, high, is_bound = read(shown)
                assert (low, is_bound) == (100 * value, False) if value in (0, 1) else is_bound or 0 < low < 100
                assert low < 100 * value < high if is_bound else abs(low - 100 * value) <= 0.5001 * 10.0**-places
    assert (percent(0), percent(1), percent(1e-7), percent(0.9999999)) == ("0%", "100%", "<1%", ">99%")
    assert (percent(np.nan), percent(np.nan, words=True)) == ("n/a", "not known")


def test_a_probability_stays_on_its_side_of_what_decides(rng):
    for value in near(rng, 0.95, 0.05, 0.995):
        shown = percent(value, decided=0.95)
        assert on_its_side(shown, 100 * value, 100 * 0.95) or abs(value - 0.95) < 1e-15, (value, shown)
    assert (percent(0.9504, decided=0.95), percent(0.9496, decided=0.95)) == ("95.04%", "94.96%")


def test_a_probability_as_a_number_claims_no_certainty(rng):
    for value in near(rng, 0, 1, 0.001, 0.999):
        if 0 <= value <= 1:
            low, high, is_bound = read(probability(value))
            assert (low, is_bound) == (value, False) if value in (0, 1) else is_bound or 0 < low < 1
            assert low < value < high if is_bound else abs(low - value) <= 5.0001e-4


@pytest.mark.parametrize("null", [0.0, 0.01, -0.01, 0.25])
@pytest.mark.parametrize("places", [0, 3, 4, 9])
def test_the_end_of_an_interval_stays_on_its_side_of_the_null_hypothesis(rng, null, places):
    for value in near(rng, null, 0.0, 1e-4, -5e-5):
        for signed in (False, True):
            shown = bound(value, places, signed=signed, null=null)
            assert side(float(shown), null) == side(value, null), (value, shown)
            assert abs(float(shown) - value) <= max(0.5001 * 10.0**-places, 0.006 * abs(value))
    assert interval(1e-6, 0.02, 4) == "[+0.000001, +0.0200]"
    assert interval(-1e-6, 0.02, 4) == "[-0.000001, +0.0200]"
    assert interval(0.0, 0.02, 4) == "[0.0000, +0.0200]"
    assert interval(np.nan, np.nan, 4) == "n/a"
    assert interval(-np.inf, 0.02, 4) == "up to +0.0200"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        *((0.05, "5%"), (0.95, "95%"), (0.999, "99.9%"), (1 - 0.0001, "99.99%"), (0.07, "7%")),
        *((1 - 0.05 / 9, "99.44%"), (0.99999, "99.999%"), (0.00001, "0.001%")),
    ],
)
def test_a_level_keeps_its_digits_as_far_as_they_say_something(value, shown):
    assert percent_of(value) == shown


# ---- every view ---------------------------------------------------------------------------------------------------


def scaled(p, n=10):
    """Scores of two models on ten folds, of which the default test has a p-value, as near as can be."""
    d = np.random.default_rng(0).normal(size=n)
    low, high = -5.0, 5.0
    made = None
    for _ in range(60):
        shift = (low + high) / 2
        made = table(d - d.mean() + abs(shift))
        found = made.compare()[0].pvalue
        low, high = (shift, high) if found > p else (low, shift)
        low = max(low, 0.0)
    return made


def table(differences):
    n = len(differences)
    base = np.linspace(0.5, 0.6, n)
    scores = np.concatenate([base + differences / 100, base])
    return from_frame({"model": ["a"] * n + ["b"] * n, "fold": [*range(n)] * 2, "score": scores})


@pytest.mark.parametrize("n_models", [2, 3])
@pytest.mark.parametrize("level", [0.3, 1.0, 40.0, 5000.0])
@pytest.mark.parametrize("power", range(-9, -2))
def test_every_view_shows_digits_of_a_lead_however_small_beside_the_scores(power, level, n_models, rng, monkeypatch):
    """It was shown as 0.000000 from six decimals on."""
    monkeypatch.setattr("skcompare._reportable.drawn", lambda *_: [])
    names, n, lead = rng.permutation(list("abc"))[:n_models], 10, level * 10.0**power * rng.uniform(1, 9)
    means = level * (1 + 0.05 * rng.normal(size=n))
    scores = np.concatenate([means - i * lead * (1 + 0.2 * rng.random(n)) for i in range(n_models)])
    columns = {"model": np.repeat(names, n), "fold": np.tile(np.arange(n), n_models), "score": scores}
    result = from_frame(columns, greater_is_better=True)
    (row,) = (one for one in result.compare() if {one.a, one.b} == {*names[:2]})
    ends = sorted(abs(end) for end in (row.low, row.high))
    first = str(result).replace("\n", " ").split(" score over ")[0].split()[-1]
    assert float(first) == pytest.approx(abs(row.estimate), rel=0.06, abs=0)
    views = (str(row), str(result.compare()), str(row.record), str(result), result.summary("full"))
    views += (result.compare().to_markdown(), result.to_latex(), result.to_html())
    for view in views:
        found = [float(one) for one in re.findall(r"\d+\.?\d*(?:e[-+]\d+)?", view)]
        for value in (abs(row.estimate), *(ends if view in views[:2] else ())):
            assert any(one == pytest.approx(value, rel=0.06, abs=0) for one in found), view[:300]


@pytest.mark.sampled
@pytest.mark.parametrize("p", [0.0496, 0.0504, 0.04999, 0.05001, 0.0499996, 0.0500004, 0.0301])
def test_every_view_shows_the_pvalue_on_the_side_of_its_outcome(p, monkeypatch):
    monkeypatch.setattr("skcompare._reportable.drawn", lambda *_: [])
    result = scaled(p)
    row = result.compare()[0]
    shown = pvalue(row.pvalue)
    assert row.pvalue == pytest.approx(p, rel=1e-4)
    assert on_its_side(shown, row.pvalue, ALPHA)
    said = shown if shown[0].isdigit() else f"{shown[0]} {shown[1:]}"
    for view in (str(row), str(row.record), str(result.compare()), result.summary("full")):
        assert said in view or shown in view, view
    for view in (result.compare().to_markdown(), result.to_latex(), result.to_html(), result._repr_html_()):
        assert shown in view.replace("&lt;", "<").replace("&gt;", ">").replace("\\", ""), view[:500]


@pytest.mark.parametrize("shift", [0.0, 0.3, 1.0, 3.0, 30.0])
def test_every_view_shows_the_same_probabilities(shift, monkeypatch):
    monkeypatch.setattr("skcompare._reportable.drawn", lambda *_: [])
    d = np.random.default_rng(1).normal(size=10) + shift
    result = table(d)
    found = result.test("correlated_t_posterior", margin=0.01)
    row = result.compare(margin=0.01)[0]
    assert (row.left, row.rope, row.right) == (found.left, found.rope, found.right)
    shares = [percent(p, words=True, decided=1 - ALPHA) for p in (found.left, found.rope, found.right)]
    printed = " ".join(str(found).split())
    assert f"is better is {shares[2]}, that b is better {shares[0]}, and" in printed
    assert f"equivalent {shares[1]}." in printed
    short = [percent(p, decided=1 - ALPHA) for p in (found.left, found.rope, found.right)]
    compared = result.compare(margin=0.01)
    assert next(in_markdown(compared.to_markdown()))[1][-3:] == short
    assert next(in_latex(compared.to_latex()))[1][-3:] == short
    assert next(in_html(compared._repr_html_()))[1][-3:] == short
    assert short == str(compared).split("\n\n")[1].splitlines()[2].split()[-3:]


def test_a_certain_probability_is_said_to_be_certain_everywhere():
    found = correlated_t_posterior([1.0] * 10, [0.0] * 10, test_fraction=0.1, rope=0.01)
    assert "that a is better is 100%, that b is better 0%" in " ".join(str(found).split())


# ---- no second formatter ------------------------------------------------------------------------------------------

NAMES = "percent|whole_percent|share_text|listed|briefly|pvalue|pvalue_text|p_in_words|equal_to|percent_of"
FORBIDDEN = {
    rf"^def _?({NAMES})\b.*-> str": "a formatter of its own",
    r":\.\d%\}": "percent() or percent_of()",
    r":(\.\d)?[fg]\}\\?%": "percent() or percent_of()",
    r"<\s?0\.001\"|[\"']<1%|>\s?0\.999\"": "pvalue(), percent() or probability()",
}
# Numbers that are no percentages, though such a sign follows; lists of other things than names.
ALLOWED = {"_core/numbers.py"}
OTHER = {
    ("comparison/subgroups.py", "def _listed("),
    ("inference/_guide.py", "def _listed("),
    ("plotting/_scores.py", "def _listed("),
    ("selection/_search.py", "def _listed("),
}


@pytest.mark.parametrize("pattern", FORBIDDEN)
def test_numbers_are_written_in_one_place(pattern):
    found = [
        (path.relative_to(PACKAGE).as_posix(), line.strip())
        for path in sorted(PACKAGE.rglob("*.py"))
        if path.relative_to(PACKAGE).as_posix() not in ALLOWED
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(pattern, line)
    ]
    kept = [(path, line) for path, line in found if not any(path == p and line.startswith(d) for p, d in OTHER)]
    assert kept == [], f"say {FORBIDDEN[pattern]}"


def test_cutting_and_drawing_out_agree_with_the_verdict(rng):
    for _ in range(200):
        low, high = np.sort(rng.normal(0, 2, 2))
        null, significant = rng.choice([0.0, -0.1, 0.2]), bool(rng.integers(2))
        widest = rng.choice([0.5, 1.0, np.inf])
        new_low, new_high, _ = as_decided(
            low, high, null=null, significant=significant, above=low + high > 2 * null, widest=widest
        )
        if new_low == new_low:
            assert max(abs(new_low), abs(new_high)) <= max(widest, abs(null))
            if not significant:
                assert new_low <= null <= new_high


def test_a_second_formatter_would_be_found():
    lines = [
        ("def percent(share: float) -> str:", 0),
        ('x = f"{share:.0%}"', 1),
        ('x = f"{100 * share:.1f}%"', 2),
        ('return "<0.001" if p < 0.001 else f"{p:.3f}"', 3),
    ]
    for line, i in lines:
        assert re.search([*FORBIDDEN][i], line)


def test_a_few_digits_are_those_of_the_number_written_out(rng):
    for value in (*(10.0 ** rng.uniform(-6, 11, 200) * rng.choice([-1, 1], 200)), 0.0, 0.2, 91773.0, -0.0066712):
        for digits in (2, 3, 4):
            shown = short(float(value), digits, signed=True)
            assert "e" not in shown
            assert float(shown) == pytest.approx(float(f"{value:.{digits}g}"), abs=5e-10)
            assert shown.startswith("+" if float(shown) > 0 else "-" if float(shown) < 0 else "0")
    assert [short(x) for x in (0.2, 91773.0, 0.0, float("nan"))] == ["0.2", "91800", "0", "n/a"]
