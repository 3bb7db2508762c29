"""docs/sources.md: ours equals what the documents print, or what others give where that is wrong or missing."""

from __future__ import annotations

import re
from functools import partial

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.libqsturng import psturng, qsturng

import skcompare
from benchmarks import DATA, MARKED, read_rows, sources
from skcompare import inference

ROWS = {f"{mark}, {row.of['name']}": row for mark in sources.DOCUMENTS for row in sources.rows_of(mark)}


@pytest.mark.sampled
@pytest.mark.parametrize("name", ROWS)
def test_ours_is_what_is_printed_or_what_others_give(name):
    row = ROWS[name]
    if row.numbers:
        assert len(row.values) == len(row.numbers)
    if row.n_different or not row.numbers:
        assert row.check, "a number that is not the printed one needs another that it is"
    assert bool(row.n_different) == bool(row.of["why"]), "it differs, and the table says why"
    assert bool(row.check) == bool(row.of["check"]), "a check has a name"
    if row.check:
        checks = np.ravel(row.check()).astype(float).tolist()
        assert list(row.values) == pytest.approx(checks, rel=0, abs=0.5 * 10 ** -int(row.of["digits"]))


@pytest.mark.parametrize("name", ROWS)
def test_the_function_is_public_and_the_line_a_line(name):
    row = ROWS[name]
    first, _, rest = row.of["by"].partition(".")
    assert first in (*inference.__all__, *skcompare.__all__)
    assert not rest or hasattr(getattr(skcompare, first), rest)
    assert re.fullmatch(r"\d+(-\d+)?", row.of["lines"])


def test_every_line_of_the_table_is_a_row_and_every_function_has_a_line():
    lines = [(row["document"], row["name"]) for row in read_rows(DATA / "sources.csv")]
    assert len(set(lines)) == len(lines) == len(ROWS)
    assert set(lines) == {(mark, name) for mark, (*_, own) in sources.DOCUMENTS.items() for name in own}


def row(ours, printed="", **rest):
    return sources.Row({"printed": printed, "check": "scipy's t", "remark": "a"} | rest, ours)


def test_a_number_is_compared_to_its_last_digit():
    assert row(lambda: 0.01344, "0.013").n_different == 0
    assert row(lambda: 0.01236, "0.013").n_different == 1
    assert row(lambda: 0.01236, "0.013").shown == ("0.0124",)
    assert row(lambda: (0.1, 0.3), ".1, .2").n_equal == 1
    assert row(lambda: -1e-17, "0.000").shown == ("0.000",)
    assert row(lambda: 1024.0, "1000").shown == ("1024",)
    with pytest.raises(ValueError, match="zip"):
        _ = row(lambda: (1.0, 2.0), "1").n_equal


def test_of_sixteen_digits_twelve_are_compared():
    assert row(lambda: 69 / 7, "9.857142857142824").n_different == 0
    assert row(lambda: 69 / 7 + 1e-10, "9.857142857142824").n_different == 1
    assert row(lambda: 0.00907331746856, "0.009073317468563076").n_different == 0
    assert row(lambda: 0.00907331746956, "0.009073317468563076").n_different == 1


def test_the_remark_names_the_check_where_ours_is_not_printed():
    of = partial(row, lambda: 1.0)
    assert of().said == "as scipy's t, (a)"
    assert of("1", remark="").said == "equal"
    assert of("2").said == "**differs**, ours as scipy's t, (a)"


# ---- why they differ ------------------------------------------------------------------------------------------


def printed(by, what=""):
    """What the article has, of one function, in its order."""
    rows = [row for row in sources.rows_of("many_datasets") if row.of["by"] == by and what in row.of["what"]]
    return [float(number) for row in rows for number in row.numbers]


def test_the_error_of_scikit_posthocs_gives_what_is_printed():
    # posthoc_conover_friedman of scikit-posthocs 0.7.0, the line of T2; corrected in 0.8.1
    assert sources.conover(slip=True) == pytest.approx(printed("conover_test"), abs=5e-7)
    assert sources.conover() != pytest.approx(printed("conover_test"), abs=1e-3)


def test_the_interpolation_of_statsmodels_gives_the_printed_intervals():
    # statsmodels 0.15.0 libqsturng, which pairwise_tukeyhsd took until scipy had the distribution
    error = np.sqrt(sources.THREE.var(axis=0, ddof=1).mean() / 5)
    half = float(qsturng(0.95, 3, 12) * error)
    means = sources.THREE.mean(axis=0)
    middles = [means[j] - means[i] for i, j in ((0, 1), (0, 2), (1, 2))]
    ends = [middle + sign * half for middle in middles for sign in (-1, 1)]
    assert ends == pytest.approx(printed("tukey_test", "interval"), abs=5e-5)


def test_the_interpolation_of_statsmodels_gives_printed_p_values():
    means = sources.ranks().mean(axis=0)
    gaps = [abs(means[i] - means[j]) / sources.error_of_ranks() * np.sqrt(2) for i, j in sources.PAIRS]
    found = psturng(np.array(gaps), 4, np.inf)
    assert np.minimum(found, 0.9).tolist() == pytest.approx(printed("nemenyi_test"), abs=3e-4)
    assert found[2] == pytest.approx(0.061744, abs=5e-7)


def test_zeros_taken_for_a_tie_give_the_printed_p_value():
    d = (sources.WITH_M - sources.TREE).round(6)
    (p,) = printed("signed_rank_test", "normal law")
    assert stats.wilcoxon(d, zero_method="zsplit", method="asymptotic").pvalue == pytest.approx(p, rel=1e-12)
    ranks = stats.rankdata(abs(d))
    ties = np.unique(ranks, return_counts=True)[1]
    variances = (14 * 15 * 29 - (ties**3 - ties).sum() / 2) / 24, (ranks[d != 0] ** 2).sum() / 4
    assert variances == (253.5, 252.375)
    (note,) = (one for one in section_of("Article on Demsar").splitlines() if one.startswith("- (a) "))
    assert ROWS["many_datasets, normal"].of["remark"] == "a"
    assert all(str(variance) in note for variance in variances)


def test_ranks_taken_for_independent_give_the_error_of_the_article():
    # sqrt((K - 1)(K + 1) / 6N) for K = 4, N = 14
    one = np.var(range(4)) / 14
    assert f"{np.sqrt(2 * one):.4f}" == f"{np.sqrt(3 * 5 / (6 * 14)):.4f}" == "0.4226"


# ---- the page --------------------------------------------------------------------------------------------------


def section_of(name):
    return sources.PAGE.read_text(encoding="utf-8").split(f"\n## {name}\n")[1].split("\n## ")[0]


def test_the_page_is_what_the_command_makes(monkeypatch, tmp_path):
    shown = sources.PAGE.read_text(encoding="utf-8")
    assert MARKED.findall(shown) == list(sources.TABLES)
    monkeypatch.setattr(sources, "PAGE", tmp_path / "sources.md")
    emptied = MARKED.sub(r"<!-- table \1 -->\n<!-- end of table -->", shown)
    sources.PAGE.write_text(emptied, encoding="utf-8")
    sources.main()
    assert sources.PAGE.read_text(encoding="utf-8") == shown


@pytest.mark.parametrize("mark", sources.DOCUMENTS)
def test_the_notes_below_a_table_are_those_of_its_rows(mark):
    letters = dict.fromkeys(row.of["remark"] for row in sources.rows_of(mark) if row.of["remark"])
    assert re.findall(r"^- \((\w)\) ", section_of(sources.DOCUMENTS[mark][0]), re.MULTILINE) == list(letters)


def test_the_page_counts_what_it_shows():
    shown = sources.PAGE.read_text(encoding="utf-8")
    n = sum(len(row.numbers) for row in ROWS.values())
    differ = sum(row.n_different for row in ROWS.values())
    assert f"print {n} numbers" in shown
    assert f"**{differ} differ**" in shown
    assert shown.count("| **differs**, ") == sum(bool(row.n_different) for row in ROWS.values())
