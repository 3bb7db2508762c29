"""The controls change what they should, and nothing leaves the page."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from dataclasses import replace

import numpy as np
import pytest

from skcompare import StudyResult, from_frame
from skcompare._core.numbers import probability

PATIENCE = 4 if os.environ.get("CI") else 1  # what the suite runs on there may be busy
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


@pytest.mark.sampled
@pytest.mark.parametrize(
    "name",
    ["two", "many", "study", "hostile", "costs", "equal", "gaps", "alike", "one_dataset", "test_set", "items"],
)
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
    assert written[0]
    assert written[1]


@pytest.mark.sampled
@pytest.mark.parametrize("name", ["two", "many", "study", "hostile", "test_set"])
def test_nothing_is_asked_of_the_network_and_nothing_is_complained_of(driver, open_page, pages, request, name):
    result = request.getfixturevalue(name)
    requests(driver)
    console(driver)
    page = open_page(result)
    page.choose(metric=1, rope=0.01)
    page.click("#copy-latex")
    assert requests(driver) == [pages(result)]
    assert console(driver) == []


INJECT = """
const script = document.createElement("script");
script.textContent = "window.injected = true";
const style = document.createElement("style");
style.textContent = "h1 { color: rgb(1, 2, 3) }";
document.head.append(script, style);
document.querySelector("h1").setAttribute("style", "background: rgb(1, 2, 3)");
const looks = getComputedStyle(document.querySelector("h1"));
return [window.injected === undefined, looks.color, looks.backgroundColor];
"""


def test_a_script_or_style_that_is_not_the_page_s_own_does_nothing(driver, open_page, two):
    kept, *colours = open_page(two).run(INJECT)
    assert kept
    assert "rgb(1, 2, 3)" not in colours
    assert len(console(driver)) >= 3  # the browser tells that it refused them


def test_without_the_script_the_page_has_its_table_and_no_dead_controls(driver, pages, two):
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    driver.get(pages(two))
    shown = driver.execute_script("return document.body.innerText")
    buttons = driver.execute_script(
        "return [...document.querySelectorAll('button, input')].filter(b => b.offsetHeight)"
    )
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    for words in ("Answer", "accuracy", "95% interval", "Where each number comes from", "MISSING_SCORES"):
        assert words in shown
    assert buttons == []


# ---- metric, pair, rope, alpha ------------------------------------------------------------------------------------


def test_a_metric_and_a_pair_choose_the_rows_of_verdict_table_and_forest(open_page, study):
    page = open_page(study)
    assert len(page.rows()) == len(forest(page)) == 6
    page.choose(metric=1)
    assert {row[0] for row in page.rows()} == {"loss"}
    assert len(forest(page)) == 3
    assert page.verdict()[0].count(" on ") == 0
    page.choose(pair="1,2")
    assert [row[:3] for row in page.rows()] == [["loss", "tree", "knn"]]
    assert len(forest(page)) == 1
    assert "tree" in page.verdict()[0]
    assert "nb" not in page.verdict()[0]


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
    assert row[8:11] == ["<0.001", ">0.999", "<0.001"]
    assert "practically equivalent with more than 99%" in page.verdict()[-1]
    assert page.run("return document.querySelectorAll('#forest .rope').length") == 1
    page.click("#reset")
    assert len(page.rows()[0]) == n_columns
    assert len(page.verdict()) == n_sentences


def test_with_a_rope_the_wins_of_a_study_are_counted_anew(open_page, study):
    page = open_page(study)
    page.choose(rope=1000)
    assert {row[9] for row in page.rows()} == {"0/12/0"}


def test_the_warnings_of_the_posteriors_stand_by_the_verdict(open_page, equal, one_dataset):
    page = open_page(one_dataset)
    assert page.texts("#rope-warnings li") == []
    page.choose(rope=0.05)
    posterior = one_dataset.test("sign_posterior", rope=0.05)
    assert page.texts("#rope-warnings li") == list(posterior.warnings)
    assert page.run("return document.getElementById('rope-warnings').offsetHeight") > 0
    assert page.verdict()[-1] == "Of practical equivalence nothing can be said."
    assert not any("%" in line for line in page.verdict())
    page.click("#reset")
    assert page.run("return document.getElementById('rope-warnings').offsetHeight") == 0

    page = open_page(equal)
    page.choose(rope=0.05, pair="0,1", metric=1)
    posterior = equal.test("correlated_t_posterior", metric="f1", a="nb", b="again", rope=0.05)
    (warning,) = set(posterior.warnings) - set(equal.warnings)  # those of the result stand elsewhere
    assert page.texts("#rope-warnings li") == [warning]
    assert "practically equivalent with 100%" in page.verdict()[-1]  # a point
    page.choose(pair="", metric="")
    assert page.texts("#rope-warnings li") == [warning.replace(":", " (2 of 6 comparisons):", 1)]


def test_of_differences_that_do_not_vary_no_rope_says_anything(open_page):
    scores = {"a": [0.75] * 5, "b": [0.5] * 5, "c": [0.5, 0.6, 0.7, 0.8, 0.4]}
    frame = {"model": np.repeat(list(scores), 5), "fold": [*range(5)] * 3, "score": np.concatenate([*scores.values()])}
    page = open_page(from_frame(frame))
    page.choose(rope=0.05)
    assert page.rows()[0][10:] == ["n/a"] * 3
    assert "0 of 2 comparisons are practically equivalent" in page.verdict()[-1]
    page.choose(pair="0,1")
    assert page.verdict()[-1] == "Of practical equivalence nothing can be said."


def test_equal_scores_on_all_data_sets_are_told(open_page):
    same = StudyResult.from_frame({"dataset": ["x", "y"], "nb": [0.5, 0.6], "tree": [0.5, 0.6 + 1e-15]})
    page = open_page(same)
    page.choose(rope=0.05)
    assert page.texts("#rope-warnings li") == list(same.test("sign_posterior", rope=0.05).warnings)


def test_a_rope_is_not_for_costs_beside_other_metrics(open_page, costs):
    page = open_page(costs)
    assert "fit_time and model_size have none unless chosen as the metric" in page.text("#rope-hint")
    page.choose(rope=0.5)
    wanted = {row.metric: row for row in costs.compare(rope=0.5)}
    for row in page.rows():
        shares = wanted[row[0]]
        shown = [probability(shares.left), probability(shares.rope), probability(shares.right)]
        assert row[8:11] == (shown if row[0] == "accuracy" else ["n/a"] * 3)
    assert "1 of 1 comparison is practically equivalent" in page.verdict()[-1]
    assert page.run("return document.querySelectorAll('#forest .rope').length") == 1
    assert "none for fit_time and model_size" in page.copied("latex").replace("\\_", "_")
    page.choose(metric=1)
    assert "n/a" not in page.rows()[0][8:11]
    assert page.run("return document.querySelectorAll('#forest .rope').length") == 1


def test_the_hint_of_one_metric_says_nothing_of_others(open_page, one_dataset):
    assert open_page(one_dataset).text("#rope-hint") == "ROPE half width in score units; 0 leaves it out."


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
    assert float(lines[0]["median a − b"]) == study.compare(metrics="accuracy")[0].estimate


@pytest.mark.parametrize("name", ["two", "study", "many", "costs", "equal", "one_dataset", "test_set"])
def test_latex_of_plain_names_is_ascii_and_has_no_text_in_math(open_page, request, name):
    page = open_page(request.getfixturevalue(name))
    for width in (0, 0.01):
        page.choose(rope=width)
        latex = page.copied("latex")
        assert latex.isascii()
        assert latex.count("$") % 2 == 0
        math = latex.split("$")[1::2]
        assert not any(re.search(r"\\text|[_^&%#~]", part) for part in math)
        assert not any(char in text for text in latex.split("$")[::2] for char in "<>")


def test_what_is_copied_says_its_state(open_page, two, study, one_dataset):
    page = open_page(study)
    page.choose(alpha=0.01)
    for form, mark in (("latex", "in bold"), ("markdown", "a difference is significant")):
        text = page.copied(form).replace("\\", "")
        assert "a - b is positive where a is better, and a median over the data sets" in text
        assert f"; {mark} where p adj. is below 0.01." in text
        assert "p adj.: holm over 6 comparisons" in text
        assert "Less is better for loss: there the sign of the difference is reversed." in text
        assert "ROPE" not in text
    page.choose(rope=0.02, metric=0)
    for form in ("latex", "markdown"):
        text = page.copied(form).replace("\\", "")
        assert "P(equivalent): differences of up to 0.02 (ROPE half width), Bayesian sign test." in text
        assert "Less is better" not in text
    page = open_page(two)
    page.choose(rope=0.02)
    text = page.copied("markdown")
    assert "nb - tree is positive where nb is better" in text
    assert "(ROPE half width), correlated t posterior." in text
    page = open_page(one_dataset)
    assert "p not adjusted" in page.copied("markdown")
    assert "p adj. is below" not in page.copied("latex")


@pytest.mark.parametrize("change", [{"alpha": 0.01}, {"filter": "f1"}, {"metric": 1}, {"rope": 0.1}, "sort", "#reset"])
def test_what_is_told_of_a_copy_goes_when_the_table_changes(open_page, two, change):
    page = open_page(two)
    page.run("navigator.clipboard.writeText = () => Promise.reject(new Error('denied'))")
    page.run("document.execCommand = () => false")
    page.click("#copy-csv")
    page.driver.execute_async_script("setTimeout(arguments[0], 50)")
    assert "Ctrl+C" in page.text("#copied")
    if isinstance(change, dict):
        page.choose(**change)
    else:
        page.click("#column-estimate button" if change == "sort" else change)
    assert page.text("#copied") == ""
    assert page.run("return document.getElementById('copy-text').offsetHeight") == 0
    assert page.run("return document.getElementById('copy-text').value") == ""


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


def test_names_that_look_alike_keep_their_own_verdicts(open_page, alike):
    page = open_page(alike)
    page.choose(pair="0,1")
    assert page.verdict()[0] == "Use rf 1. rf 1 is significantly worse on f 1 and f 1."
    assert page.run("return document.querySelectorAll('#rows tr.better').length") == 2
    page.choose(pair="", metric=1)
    assert page.verdict()[0] == "Use rf 1. rf 1 and svc are significantly worse."


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


def test_a_large_page_opens_and_answers_quickly(driver, open_page, pages, many):
    """By the least of five times each: what else the machine does only adds to it."""
    opened = []
    for _ in range(5):
        driver.get(pages(many))
        opened.append(driver.execute_script("return performance.getEntriesByType('navigation')[0].loadEventEnd"))
    assert 0 < min(opened) < OPEN_MS
    page = open_page(many)
    for control, values in {"alpha": [0.01, 0.2], "rope": [0.01, 0.02], "metric": [1, ""], "pair": ["0,1", ""]}.items():
        times = [page.run(TIMED, control, str(value)) for value in values * 5]
        assert min(times[::2]) < ANSWER_MS
        assert min(times[1::2]) < ANSWER_MS


def test_of_many_rows_those_of_the_leader_are_drawn(rng, open_page):
    names = [f"m{i}" for i in range(12)]
    table = {"model": np.repeat(names, 10), "fold": [*range(10)] * 12}
    score = (0.6 + 0.02 * np.arange(12)[:, None] + rng.normal(0, 0.01, 10) + rng.normal(0, 0.002, (12, 10))).ravel()
    result = from_frame({**table, "score": score})
    gaps = result.scores.copy()
    gaps[[3, 7]] = np.nan
    page = open_page(replace(result, scores=gaps))
    drawn = forest(page)
    assert len(drawn) == 9
    assert all(" m11:" in row for row in drawn)
    assert "Shown is m11 against each other model; 57 more comparisons are in the table." in page.text("#forest-note")
    assert not [row for row in drawn if "m3" in row.split() or "m7" in row.split()]
