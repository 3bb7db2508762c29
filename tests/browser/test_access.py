"""Everybody can read the page: by screen reader, by keyboard, in the dark, on a phone, on paper."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.sampled

NAMES = ["two", "five", "many", "study", "hostile", "long", "test_set", "items", "race", "search", "curve"]


def violations(driver, axe):
    driver.execute_script(axe)
    found = driver.execute_async_script("axe.run().then(arguments[0], arguments[0])")
    return [
        f"{rule['id']} ({rule['impact']}): {[node['html'][:120] for node in rule['nodes'][:3]]}"
        for rule in found["violations"]
    ]


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", [name for name in NAMES if name != "many"])
def test_axe_finds_nothing(driver, axe, open_page, emulate, request, name, scheme, width):
    emulate(scheme, width)
    page = open_page(request.getfixturevalue(name))
    page.unfold()
    assert violations(driver, axe) == []


# ---- widths -----------------------------------------------------------------------------------------------------

CUT = """
return [...document.querySelectorAll(".scroll, svg, figure, p, h1, h2, h3, .controls > *")]
    .filter((box) => box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).display !== "inline"
        || box.getBoundingClientRect().right > window.innerWidth)
    .map((box) => box.outerHTML.slice(0, 99));
"""
FORMS = "return [...new Set([...document.querySelectorAll('main table')].map((t) => getComputedStyle(t).display))]"


@pytest.mark.parametrize("width", [360, 400, 800, 1280])
@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_cut_off_and_the_answer_is_seen_first(open_page, emulate, request, name, width):
    emulate(width=width)
    page = open_page(request.getfixturevalue(name))
    top, bottom = page.run(
        "const b = document.querySelector('.answer').getBoundingClientRect(); return [b.top, b.bottom]"
    )
    assert top < 200
    assert bottom < 800 or name == "long"
    page.unfold()
    assert page.run(CUT) == []
    assert page.run("return document.documentElement.scrollWidth") <= width
    assert page.run(FORMS) == (["table"] if width == 1280 else ["block"])


@pytest.mark.parametrize(("name", "most"), [("two", 2500), ("five", 3500)])
def test_the_page_is_short(open_page, emulate, request, name, most):
    emulate(width=1280)
    page = open_page(request.getfixturevalue(name))
    assert 500 < page.run("return document.documentElement.scrollHeight") < most


def test_on_a_phone_every_cell_stands_by_its_heading(open_page, emulate, five):
    emulate(width=400)
    page = open_page(five)
    page.unfold()
    heads = page.run(
        "return [...document.querySelectorAll('td')].map((cell) =>"
        "[cell.textContent, cell.offsetHeight > 0, getComputedStyle(cell, '::before').content])"
    )
    assert len(heads) > 250
    assert all(seen == bool(text) for text, seen, _ in heads)
    shown = {head.strip('" ') for _, _, head in heads}
    assert {"accuracy", "roc_auc", "lead", "interval", "p adj.", "outcome"} <= shown


CROSSING = """
const svg = document.querySelector("main > figure svg");
const boxes = (selector) => [...svg.querySelectorAll(selector)].map((e) => [e, e.getBoundingClientRect()]);
const lines = boxes("path").filter(([, box]) => box.width < 3 && box.height > 15);
return [lines.length, boxes("text").filter(([, text]) => lines.some(([, line]) =>
    text.left < line.left && text.right > line.right && text.top < line.bottom && text.bottom > line.top))
    .map(([e]) => e.textContent)];
"""


@pytest.mark.parametrize("name", ["two", "five", "many", "study", "test_set", "items", "hostile"])
def test_no_label_crosses_the_zero_line_on_a_phone(open_page, emulate, request, name):
    emulate(width=400)
    n_lines, crossing = open_page(request.getfixturevalue(name)).run(CROSSING)
    assert n_lines >= 1
    assert crossing == []


LETTERS = """
const svg = document.querySelector("main > figure svg");
const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
return Math.max(...[...svg.querySelectorAll("text")].map((e) => scale * parseFloat(getComputedStyle(e).fontSize)));
"""


@pytest.mark.parametrize("name", ["two", "items", "study"])
def test_letters_of_a_picture_are_as_large_as_those_of_the_page(open_page, emulate, request, name):
    emulate(width=1280)
    assert open_page(request.getfixturevalue(name)).run(LETTERS) == pytest.approx(16, rel=0.01)


def test_blanks_in_pictures_keep_words_apart(open_page, five):
    shown = "return [...document.querySelectorAll('svg text')].map((e) => [e.textContent, e.getNumberOfChars()]);"
    texts = open_page(five).run(shown)
    assert any("    " in text for text, _ in texts)
    assert [text for text, n in texts if n != len(text)] == []


# ---- colours ----------------------------------------------------------------------------------------------------


def test_the_dark_page_is_dark(open_page, emulate, two):
    colours = []
    page = open_page(two)
    for scheme in ("light", "dark"):
        emulate(scheme)
        colours.append(
            page.run(
                "const style = (selector) => getComputedStyle(document.querySelector(selector));"
                "return [style('body').backgroundColor, style('figure svg text').fill]"
            )
        )
    light, dark = [[sum(map(int, colour[4:-1].split(","))) for colour in pair] for pair in colours]
    assert light[0] > 600 > 150 > light[1]
    assert dark[0] < 150 < 600 < dark[1]


def test_the_scores_of_a_heatmap_can_be_read_in_the_dark(open_page, emulate, search):
    emulate("dark")
    page = open_page(search)
    colours = page.run(
        "const texts = [...document.querySelectorAll('figure svg')][2].querySelectorAll('text');"
        "return [...texts].filter((t) => /^0\\.\\d+$/.test(t.textContent)).map((t) => getComputedStyle(t).fill)"
    )
    assert len(colours) >= 6
    assert set(colours) == {"rgb(1, 1, 1)", "rgb(254, 254, 254)"}


# ---- keyboard and paper -----------------------------------------------------------------------------------------


def test_the_keyboard_reaches_everything(driver, open_page, study):
    from selenium.webdriver.common.keys import Keys

    page = open_page(study)
    page.run("document.querySelector('#Every-pair').open = true")
    wanted = page.run(
        "window.wanted = [...document.querySelectorAll('summary, .short button, .short .scroll, #Every-pair select,"
        " #Every-pair input, #Every-pair button, #Every-pair .scroll')]; return window.wanted.length"
    )
    seen = set()
    for _ in range(2 * wanted):
        driver.switch_to.active_element.send_keys(Keys.TAB)
        place, outline = page.run(
            "const e = document.activeElement; return [window.wanted.indexOf(e), getComputedStyle(e).outlineStyle]"
        )
        seen.add(place)
        assert place < 0 or outline != "none"
    assert set(range(wanted)) <= seen


def test_enter_sorts_and_unfolds(driver, open_page, two):
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    page = open_page(two)
    driver.find_element(By.CSS_SELECTOR, ".short th[data-head=lead] button").send_keys(Keys.ENTER)
    assert page.run("return document.querySelector('.short [aria-sort]').dataset.head") == "lead"
    driver.find_element(By.CSS_SELECTOR, "summary").send_keys(Keys.ENTER)
    assert page.run("return document.querySelector('details').open")
    assert set(page.run("return [...document.querySelectorAll('.controls .note')].map((n) => n.role)")) == {"status"}


@pytest.mark.parametrize("script", [True, False])
def test_paper_has_all_sections_and_no_controls(driver, pages, two, script):
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not script})
    driver.get(pages(two))
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    if script:
        driver.execute_script("window.dispatchEvent(new Event('beforeprint'))")
    shown = driver.execute_script(
        "const boxes = (one) => [...document.querySelectorAll(one)].map((e) => e.getBoundingClientRect().height > 0);"
        "return [boxes('details > *:not(.controls)'), boxes('details svg'), boxes('.controls'),"
        "[...document.querySelectorAll('.scroll')].map((b) => getComputedStyle(b).overflowX),"
        "[...document.querySelectorAll('thead th button')].map((b) => getComputedStyle(b).display),"
        "[...document.querySelectorAll('summary')].map((b) => getComputedStyle(b).breakAfter)]"
    )
    if script:
        driver.execute_script("window.dispatchEvent(new Event('afterprint'))")
    still_open = driver.execute_script("return document.querySelectorAll('details[open]').length")
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    sections, pictures, controls, overflow, heads, above = shown
    assert len(sections) > 10
    assert all(sections)
    assert all(pictures)
    assert not any(controls)
    assert set(overflow) == {"visible"}
    assert set(heads) == ({"contents"} if script else set())  # boxes keep the headings from the next page of a table
    assert set(above) == {"avoid"}
    assert still_open == 0
