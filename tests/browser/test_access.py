"""Everybody can read the page: by screen reader, by keyboard, in the dark, on a phone, on paper."""

from __future__ import annotations

import pytest

NAMES = ["two", "study", "hostile", "test_set"]


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


def violations(driver, axe):
    driver.execute_script(axe)
    found = driver.execute_async_script("axe.run().then(arguments[0], arguments[0])")
    return [
        f"{rule['id']} ({rule['impact']}): {[node['html'][:120] for node in rule['nodes'][:3]]}"
        for rule in found["violations"]
    ]


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("name", "scheme", "width"),
    [
        ("two", "light", 1200),
        ("study", "dark", 1200),
        ("hostile", "light", 360),
        ("two", "dark", 360),
        ("one_dataset", "dark", 1200),
        ("test_set", "dark", 400),
        ("items", "light", 1280),
    ],
)
def test_axe_finds_nothing(driver, axe, open_page, emulate, request, name, scheme, width):
    emulate(scheme, width)
    page = open_page(request.getfixturevalue(name))
    assert violations(driver, axe) == []
    page.choose(rope=0.01, alpha=0.1)
    page.choose(metric=0)
    assert violations(driver, axe) == []


CUT = """
return [...document.querySelectorAll(".scroll, svg, figure")]
    .filter((box) => box.scrollWidth > box.clientWidth + 1 || box.getBoundingClientRect().right > window.innerWidth)
    .map((box) => box.outerHTML.slice(0, 99));
"""


@pytest.mark.sampled
@pytest.mark.parametrize("width", [400, 800, 1280])
@pytest.mark.parametrize("name", [*NAMES, "many", "race"])
def test_nothing_is_cut_off_and_the_answer_is_seen_first(open_page, emulate, request, name, width):
    emulate(width=width)
    page = open_page(request.getfixturevalue(name))
    for rope in (0, 0.01):
        page.choose(rope=rope)
        assert page.run(CUT) == []
        assert page.run("return document.documentElement.scrollWidth") <= width
        shown = page.run(
            "return [...document.querySelectorAll('#comparison th, #comparison td')].map(c => c.offsetWidth)"
        )
        assert rope == 0 or min(shown) > 0
        assert page.run("return document.getElementById('verdict').getBoundingClientRect().bottom") < 800
    record = "return document.querySelector('#rows tr td:nth-last-child(4)').getBoundingClientRect().right"
    assert 0 < page.run(record) <= width


@pytest.mark.sampled
@pytest.mark.parametrize("name", [*NAMES, "many"])
def test_a_phone_scrolls_down_only(open_page, emulate, request, name):
    emulate(width=360)
    page = open_page(request.getfixturevalue(name))
    page.choose(rope=0.01)
    assert page.run("return document.documentElement.scrollWidth") <= 360
    assert page.run(CUT) == []


def test_the_dark_page_is_dark(open_page, emulate, two):
    colours = []
    page = open_page(two)
    for scheme in ("light", "dark"):
        emulate(scheme)
        colours.append(
            page.run(
                "const style = (selector) => getComputedStyle(document.querySelector(selector));"
                "return [style('body').backgroundColor, style('.plot svg text').fill]"
            )
        )
    light, dark = [[sum(map(int, colour[4:-1].split(","))) for colour in pair] for pair in colours]
    assert light[0] > 600 > 150 > light[1]
    assert dark[0] < 150 < 600 < dark[1]


def test_the_keyboard_reaches_everything(driver, open_page, two):
    from selenium.webdriver.common.keys import Keys

    page = open_page(two)
    page.run("document.body.focus()")
    seen = []
    while seen.count("#metric") < 2:  # after the last it begins again
        driver.switch_to.active_element.send_keys(Keys.TAB)
        name, outline = page.run(
            "const e = document.activeElement;"
            "return [e.id ? `#${e.id}` : e.textContent, getComputedStyle(e).outlineStyle]"
        )
        seen.append(name)
        assert outline != "none" or "Differences" in name  # all but the body
        assert len(seen) < 100
    seen.pop()
    controls = ("metric", "pair", "rope", "alpha", "reset", "filter", "copy-latex", "copy-markdown", "copy-csv")
    wanted = [f"#{name}" for name in controls]
    assert [name for name in seen if name in wanted] == wanted
    assert {"metric", "outcome"} <= set(seen)  # headings


def test_enter_sorts_and_the_verdict_is_told(driver, open_page, two):
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    page = open_page(two)
    driver.find_element(By.CSS_SELECTOR, "#column-estimate button").send_keys(Keys.ENTER)
    assert page.run("return document.getElementById('column-estimate').getAttribute('aria-sort')") == "ascending"
    assert page.run("return document.getElementById('verdict').getAttribute('aria-live')") == "polite"


def test_paper_has_the_warnings_and_no_controls(driver, open_page, two):
    page = open_page(two)
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    shown = page.run("return document.body.innerText")
    clipped = page.run(
        "return [...document.querySelectorAll('.scroll')].some((b) => getComputedStyle(b).overflowX !== 'visible')"
    )
    drawn = page.run("return document.querySelector('#forest svg').getBoundingClientRect().height")
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert "MISSING_SCORES" in shown
    assert "Copy as" not in shown
    assert not clipped
    assert drawn > 20
