"""The page of a search in a browser: its ranking can be searched and sorted, and everybody can read it."""

from __future__ import annotations

import pytest

from skcompare import SearchReport


@pytest.fixture(scope="module")
def report(made_search):
    return SearchReport.from_search(made_search(36, 2, kind="nasty", failed=(3,)))


@pytest.fixture
def emulate(driver):
    """Set the colour scheme and the width of the window."""

    def emulate(scheme="light", width=1200):
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    yield emulate
    emulate()


def column(page, place):
    """The cells of a column of the ranking that are to be seen."""
    return page.run(
        "return [...document.querySelectorAll('#ranking tbody tr')].filter((r) => !r.hidden)"
        ".map((r) => r.cells[arguments[0]].textContent)",
        place,
    )


def test_the_ranking_can_be_searched(open_page, report):
    page = open_page(report)
    names = column(page, 1)
    assert names == [candidate.name for candidate in report.ranking]
    page.choose(**{"find-candidate": " MAX_depth=2 "})
    wanted = [name for name in names if "max_depth=2" in name]
    assert column(page, 1) == wanted
    assert page.text("#ranking-count") == f"{len(wanted)} of 36 rows match."
    page.choose(**{"find-candidate": ""})
    assert (column(page, 1), page.text("#ranking-count")) == (names, "")


def test_the_ranking_can_be_sorted_by_numbers(open_page, report):
    page = open_page(report)
    page.click("#ranking thead th:last-child button")
    times = [float(text) for text in column(page, -1 + len(page.texts("#ranking thead th")))]
    assert times == sorted(times)
    page.click("#ranking thead th:nth-child(3) button")
    page.click("#ranking thead th:nth-child(3) button")
    assert column(page, 1)[:-1] == [candidate.name for candidate in report.ranking[:-1]]
    assert column(page, 2)[-1] == "n/a"


def test_the_script_shows_first_what_the_server_wrote(driver, pages, open_page, report):
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    driver.get(pages(report))
    shown = "return [...document.querySelectorAll('.verdict p, #rows td')].map((e) => e.textContent)"
    written = driver.execute_script(shown)
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    read = open_page(report).run(shown)
    assert read == written[: len(read)]
    assert len(read) > 450


def test_the_controls_change_the_leading_candidates_alone(open_page, report):
    page = open_page(report)
    above, below = page.texts("#search-heading + .verdict p"), page.verdict()
    page.choose(pair="0,1", rope=0.05)
    assert page.texts("#search-heading + .verdict p") == above
    assert page.verdict() != below
    assert len(page.rows()) == 2


@pytest.mark.parametrize(("scheme", "width"), [("light", 1200), ("dark", 360)])
def test_axe_finds_nothing_and_a_phone_scrolls_down_only(driver, axe, open_page, emulate, report, scheme, width):
    emulate(scheme, width)
    page = open_page(report)
    driver.execute_script(axe)
    found = driver.execute_async_script("axe.run().then(arguments[0], arguments[0])")
    assert [(rule["id"], [node["html"][:120] for node in rule["nodes"][:3]]) for rule in found["violations"]] == []
    assert page.run("return document.documentElement.scrollWidth") <= width
    assert [entry for entry in driver.get_log("browser") if entry["level"] == "SEVERE"] == []


def test_the_scores_of_a_heatmap_can_be_read_in_the_dark(open_page, emulate, report):
    emulate("dark")
    page = open_page(report)
    colours = page.run(
        "const texts = [...document.querySelectorAll('.plot svg')][2].querySelectorAll('text');"
        "return [...texts].filter((t) => /^0\\.\\d+$/.test(t.textContent)).map((t) => getComputedStyle(t).fill)"
    )
    assert len(colours) >= 6
    assert set(colours) == {"rgb(1, 1, 1)", "rgb(254, 254, 254)"}


def test_the_p_values_of_the_ranking_decide_who_is_worse_than_the_best(open_page, report):
    page = open_page(report)
    found = [row for row in page.rows() if row[0] == "roc_auc" and row[1].startswith("#1 ")]
    known = {candidate.rank: candidate.pvalue for candidate in report.ranking}
    assert len(found) == 9
    for row in found:
        rank = int(row[2].split()[0].removeprefix("#"))
        assert ("significantly better" in row[8]) == (known[rank] < report.alpha), row
