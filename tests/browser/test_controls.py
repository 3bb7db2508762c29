"""The controls change what they should, and nothing leaves the page."""

from __future__ import annotations

import csv
import io
import json
import os

import pytest

from skcompare._summary import summarise
from skcompare.reporting.verdict import sentences

# Ours are promised on a quiet machine; what the suite runs on may be busy.
PATIENCE = 8 if os.environ.get("CI") else 4
OPEN_MS, ANSWER_MS = 1000 * PATIENCE, 50 * PATIENCE


def console(driver):
    return [entry["message"] for entry in driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]


def requests(driver):
    """Addresses that were asked for since the last call."""
    messages = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    return [
        message["params"]["request"]["url"] for message in messages if message["method"] == "Network.requestWillBeSent"
    ]


def forest(page):
    return page.texts("#forest g > title")


# ---- as it is opened ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["two", "many", "study", "hostile"])
def test_the_script_shows_first_what_the_server_wrote(driver, pages, request, name):
    """The table and the verdict before the script ran are those after it, so both count and round alike."""
    address = pages(request.getfixturevalue(name))
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    driver.get(address)
    cells = "[...document.querySelectorAll('#rows tr')].map(r => [...r.cells].map(c => c.textContent)).slice(0, 50)"
    code = f"return [{cells}, [...document.querySelectorAll('#verdict p')].map((p) => p.textContent)]"
    written = driver.execute_script(code)
    live = driver.execute_script("return document.documentElement.classList.contains('live')")
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    assert not live
    driver.get(address)
    assert driver.execute_script("return document.documentElement.classList.contains('live')")
    assert driver.execute_script(code) == written
    assert len(written[0]) > 1


@pytest.mark.parametrize("name", ["two", "many", "study", "hostile"])
def test_nothing_is_asked_of_the_network_and_nothing_is_complained_of(driver, open_page, pages, request, name):
    result = request.getfixturevalue(name)
    requests(driver)
    console(driver)
    page = open_page(result)
    page.choose(metric=1, rope=0.01)
    page.click("#copy-latex")
    assert requests(driver) == [pages(result)]
    assert console(driver) == []


def test_without_the_script_the_page_has_its_table_and_no_dead_controls(driver, pages, two):
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    driver.get(pages(two))
    shown = driver.execute_script("return document.body.innerText")
    buttons = driver.execute_script(
        "return [...document.querySelectorAll('button, input')].filter(b => b.offsetHeight)"
    )
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    for words in ("Verdict", "accuracy", "95% interval", "Where each number comes from", "UNDEFINED"):
        assert words in shown
    assert buttons == []


# ---- metric, pair, rope, alpha ------------------------------------------------------------------------------------


def test_a_metric_and_a_pair_choose_the_rows_of_verdict_table_and_forest(open_page, study):
    page = open_page(study)
    assert len(page.rows()) == len(forest(page)) == 6
    page.choose(metric=1)
    assert {row[0] for row in page.rows()} == {"loss"}
    assert len(forest(page)) == 3
    assert page.verdict()[0].startswith("On loss, nb ") or page.verdict()[0].startswith("On loss, tree ")
    page.choose(pair="1,2")
    assert [row[:3] for row in page.rows()] == [["loss", "tree", "knn"]]
    assert len(forest(page)) == 1
    assert "tree" in page.verdict()[0]
    assert "nb" not in page.verdict()[0]


def test_the_verdict_of_a_level_is_that_of_a_summary_at_that_level(open_page, two):
    page = open_page(two)
    rows = two.compare()
    for alpha in (0.5, 0.05, 1e-6):
        page.choose(alpha=alpha)
        summary = summarise(two) | {"alpha": alpha}
        for row, given in zip(summary["rows"], rows, strict=True):
            better = row["a"] if row["estimate"] > 0 else row["b"]
            row["verdict"] = f"{better} better" if given.pvalue_adjusted < alpha else "no difference shown"
        assert page.verdict() == sentences(summary)
        assert [row[6] for row in page.rows()] == [row["verdict"] for row in summary["rows"]]
        assert page.text("#column-interval") == f"{100 - 100 * alpha:g}% interval"


def test_a_wider_level_makes_wider_lines_in_the_forest(open_page, two):
    page = open_page(two)
    length = (
        "return [...document.querySelectorAll('#forest g line')].map(l => l.getAttribute('x2') - l.getAttribute('x1'))"
    )
    page.choose(metric=0, alpha=0.5)
    before = page.texts("#forest g > title")[0]
    page.choose(alpha=0.001)
    assert page.texts("#forest g > title")[0] != before
    assert page.run(length)[0] > 0


def test_a_rope_adds_probabilities_a_sentence_and_a_shade(open_page, two):
    page = open_page(two)
    assert page.run("return document.querySelectorAll('#forest .rope').length") == 0
    n_columns, n_sentences = len(page.rows()[0]), len(page.verdict())
    page.choose(metric=0, rope=0.5)
    row = page.rows()[0]
    assert len(row) == n_columns + 3
    assert row[7:10] == ["0.000", "1.000", "0.000"]
    assert "practically equal with more than 99%" in page.verdict()[-1]
    assert page.run("return document.querySelectorAll('#forest .rope').length") == 1
    page.click("#reset")
    assert len(page.rows()[0]) == n_columns
    assert len(page.verdict()) == n_sentences


def test_with_a_rope_the_wins_of_a_study_are_counted_anew(open_page, study):
    page = open_page(study)
    page.choose(rope=1000)
    assert {row[-1] for row in page.rows()} == {"0/12/0"}


def test_what_is_no_number_is_refused_and_the_last_one_kept(open_page, two):
    page = open_page(two)
    before = page.rows()
    for control, value in (("rope", "-1"), ("rope", ""), ("alpha", "0.9"), ("alpha", "0")):
        page.choose(**{control: value})
        assert page.run("return document.getElementById(arguments[0]).getAttribute('aria-invalid')", control) == "true"
        assert page.run("return document.getElementById(arguments[0]).offsetHeight", f"{control}-error") > 0
        assert page.rows() == before
        page.click("#reset")
    assert page.run("return document.getElementById('rope').getAttribute('aria-invalid')") == "false"


# ---- table --------------------------------------------------------------------------------------------------------


def test_headings_sort_up_and_down_by_number_and_by_text(open_page, many):
    page = open_page(many)
    page.choose(pair="0,9")
    for column, place in (("estimate", 5), ("metric", 0)):
        for direction in ("ascending", "descending"):
            page.click(f"#column-{column} button")
            assert (
                page.run("return document.getElementById(arguments[0]).getAttribute('aria-sort')", f"column-{column}")
                == direction
            )
            cells = [row[place] for row in page.rows()]
            key = float if column == "estimate" else str
            assert cells == sorted(cells, key=key, reverse=direction == "descending")
    assert page.run("return document.querySelectorAll('#comparison [aria-sort]').length") == 1


def test_the_other_tables_sort_too(open_page, many):
    page = open_page(many)
    names = "return [...document.querySelectorAll('table.sortable tbody th')].map(h => h.textContent)"
    page.run("document.querySelectorAll('table.sortable thead button')[1].click()")
    by_mean = page.run(names)
    means = {name: many.score(name, "m0").mean() for name in many.estimators}
    assert by_mean == sorted(means, key=means.get)


def test_rows_are_found_by_words_and_come_in_pages(open_page, many):
    page = open_page(many)
    assert len(page.rows()) == 50
    assert page.text("#count") == "Rows 1 to 50 of 450"
    page.click("#next")
    assert page.text("#count") == "Rows 51 to 100 of 450"
    page.choose(filter="MODEL9")
    assert {"model9"} <= {name for row in page.rows() for name in row[1:3]}
    assert page.text("#count") == "Rows 1 to 50 of 90"
    page.choose(filter="no such thing")
    assert page.rows() == []
    assert page.text("#count") == "No row matches."


def test_all_rows_are_there_in_print(driver, open_page, many):
    page = open_page(many)
    page.run(
        "window.seen = []; window.addEventListener('beforeprint', () => window.seen.push("
        "document.querySelectorAll('#rows tr').length))"
    )
    driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})
    assert page.run("return window.seen") == [450]
    assert len(page.rows()) == 50


# ---- copying ------------------------------------------------------------------------------------------------------


def test_what_is_shown_is_copied_in_three_forms(open_page, study):
    page = open_page(study)
    page.choose(metric=0, alpha=0.01)
    rows = page.rows()
    markdown = page.copied("markdown").splitlines()
    assert markdown[2:5] == [
        f"| {' | '.join(row)} |".replace("<", "\\<").replace("[", "\\[").replace("]", "\\]") for row in rows
    ]
    assert page.text("#copied") == "Copied 3 rows as Markdown."
    latex = page.copied("latex").splitlines()
    assert [line for line in latex if line.startswith("accuracy & ")] == latex[7:10]
    assert "99\\% interval" in latex[5]
    lines = list(csv.DictReader(io.StringIO(page.copied("csv"), newline="")))
    assert [line["b"] for line in lines] == [row[2] for row in rows]
    assert float(lines[0]["a − b"]) == study.compare(metrics="accuracy")[0].estimate


def test_without_a_clipboard_the_text_is_offered(open_page, two):
    page = open_page(two)
    page.run("navigator.clipboard.writeText = () => Promise.reject(new Error('denied'))")
    page.run("document.execCommand = () => false")
    page.click("#copy-csv")
    page.driver.execute_async_script("setTimeout(arguments[0], 50)")
    area = page.run("const t = document.getElementById('copy-text'); return [t.offsetHeight > 0, t.value]")
    assert area[0]
    assert area[1].startswith("metric,mean of nb,")
    assert "Ctrl+C" in page.text("#copied")


# ---- names --------------------------------------------------------------------------------------------------------


def test_hostile_names_are_text_everywhere(open_page, hostile):
    page = open_page(hostile)  # an alert would make every later call fail
    assert page.run("return document.querySelectorAll('img, main script, main b').length") == 0
    n_scripts = page.run("return document.scripts.length")
    page.choose(pair="0,1", rope=0.01)
    page.choose(metric=1)
    assert page.run("return document.scripts.length") == n_scripts
    assert page.run("return document.querySelectorAll('img, main script, main b').length") == 0
    assert page.rows()[0][:3] == ["<b>f1</b>", *hostile.estimators[:2]]
    assert set(hostile.estimators) <= set(page.texts("table.sortable tbody th"))
    assert any("</script" in text for text in page.texts(".plot svg text"))


def test_hostile_names_are_text_in_what_is_copied(open_page, hostile):
    page = open_page(hostile)
    page.choose(metric=0, pair="0,2")
    assert "\\<script\\>alert(1)\\</script\\>" in page.copied("markdown")
    latex = page.copied("latex")
    assert "\\textless{}script\\textgreater{}" in latex
    assert "<" not in latex.replace("$<", "")
    row = next(csv.DictReader(io.StringIO(page.copied("csv"), newline="")))
    assert row["a"] == hostile.estimators[0]
    assert row["b"] == f"'{hostile.estimators[2]}"


TIMED = """
const control = document.getElementById(arguments[0]);
const start = performance.now();
control.value = arguments[1];
control.dispatchEvent(new Event("input", {bubbles: true}));
document.body.getBoundingClientRect();
return performance.now() - start;
"""


# ---- speed --------------------------------------------------------------------------------------------------------


def test_a_large_page_opens_and_answers_quickly(open_page, many):
    page = open_page(many)
    assert page.run("return performance.getEntriesByType('navigation')[0].loadEventEnd") < OPEN_MS
    for control, values in {"alpha": [0.01, 0.2], "rope": [0.01, 0.02], "metric": [1, ""], "pair": ["0,1", ""]}.items():
        times = [page.run(TIMED, control, str(value)) for value in values * 3]
        assert min(times[::2]) < ANSWER_MS
        assert min(times[1::2]) < ANSWER_MS
