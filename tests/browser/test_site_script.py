"""The script and the style of the documentation site, on a page like those that are built."""

from __future__ import annotations

from pathlib import Path

import pytest

STATIC = Path(__file__).parents[2] / "docs" / "_static"
NAMES = [f"a_rather_long_name_of_a_procedure_{i}" for i in range(4)]


@pytest.fixture
def page(driver, emulate, tmp_path):
    head, row = ("".join(f"<{tag}>{name}</{tag}>" for name in NAMES) for tag in ("th", "td"))
    path = tmp_path / "page.html"
    path.write_text(
        f"""<!DOCTYPE html><html lang="en"><title>x</title>
        <link rel="stylesheet" href="{(STATIC / "site.css").as_uri()}">
        <script src="{(STATIC / "site.js").as_uri()}"></script>
        <article style="width: 700px">
        <div class="table-wrapper"><table class="docutils"><thead><tr>{head}</tr></thead><tr>{row}</tr></table></div>
        <div class="highlight"><pre>{"wide " * 99}</pre><pre>narrow</pre></div></article>"""
    )
    emulate(width=1300)
    driver.get(path.as_uri())
    return driver


def test_names_in_tables_break_and_stay_whole(page):
    shown = "const t = document.querySelector('.table-wrapper'); return [t.scrollWidth <= t.clientWidth, t.innerText]"
    fits, text = page.execute_script(shown)
    assert fits
    assert all(text.count(name) == 2 for name in NAMES)


def test_the_keyboard_reaches_what_scrolls(page):
    wide, narrow = page.execute_script("return [...document.querySelectorAll('pre')].map((one) => one.tabIndex)")
    assert (wide, narrow) == (0, -1)
