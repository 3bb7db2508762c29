"""The tables of docs/sources.md, in Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from string import ascii_lowercase

from benchmarks.sources import course_slides, joint_analysis, many_datasets, ml_experiments, two_algorithms
from benchmarks.sources.row import Document, Remark, Row

PAGE = Path(__file__).parents[2] / "docs" / "sources.md"
START, END = "<!-- sources -->", "<!-- end of sources -->"
DOCUMENTS = tuple(
    module.DOCUMENT for module in (joint_analysis, course_slides, two_algorithms, ml_experiments, many_datasets)
)
HEAD = ("Where", "What", "Printed", "skcompare", "Function", "Remark")


def rows() -> tuple[Row, ...]:
    return tuple(row for document in DOCUMENTS for row in document.rows)


def _listed(values: tuple[str, ...]) -> str:
    """All alike once."""
    return f"{values[0]}, {len(values)} times" if len(set(values)) == 1 and len(values) > 2 else ", ".join(values)


def _line(row: Row, letter: str) -> str:
    lines = f"lines {row.lines}" if "-" in row.lines else f"line {row.lines}"
    said = "equal" if row.numbers and not row.n_different else "**differs**" if row.numbers else ""
    said = ", ".join(filter(None, (said, f"({letter})" if letter else "")))
    printed = _listed(row.numbers) if row.numbers else "-"
    return f"| {row.where}, {lines} | {row.what} | {printed} | {_listed(row.shown)} | `{row.by}` | {said} |"


def _notes(document: Document) -> dict[tuple[str, str], str]:
    """A letter to every remark with the check that stands for it, in the order of the rows."""
    found: dict[tuple[str, str], str] = {}
    for row in document.rows:
        if row.remark or not row.numbers:
            found.setdefault(_key(row), ascii_lowercase[len(found)])
    return found


def _key(row: Row) -> tuple[str, str]:
    checked = row.check.by if row.check and (row.n_different or not row.numbers) else ""
    return row.remark.full if row.remark else "", checked


def _note(letter: str, key: tuple[str, str]) -> str:
    full, by = key
    return f"- ({letter}) {' '.join(filter(None, (full, f'Checked with {by}.' if by else '')))}"


def section(document: Document) -> Iterator[str]:
    yield from (f"({document.anchor})=", f"## {document.title}", "", document.citation, "", document.lead, "")
    yield f"| {' | '.join(HEAD)} |"
    yield "| --- | --- | ---: | ---: | --- | --- |"
    notes = _notes(document)
    yield from (_line(row, notes.get(_key(row), "")) for row in document.rows)
    yield from ("", *(_note(letter, key) for key, letter in notes.items()), "")
    yield from ("Without a counterpart:", "", *(f"- {line}" for line in document.left_out), "")


def count() -> Iterator[str]:
    """How many numbers, how many equal, and what differs."""
    every = rows()
    printed = sum(len(row.numbers) for row in every)
    equal = sum(row.n_equal for row in every)
    more = sum(len(row.values) for row in every if not row.numbers)
    yield (
        f"The five print {printed} numbers that a function of skcompare can give. **{equal} of them are equal**, to "
        f"all digits that are printed (of 16 to 12), and {printed - equal} differ. {more} more follow from their data "
        "or formulas; they are checked with other software."
    )
    yield from ("", "| Numbers that differ | Where | Because |", "| ---: | --- | --- |")
    for document in DOCUMENTS:
        reasons: dict[Remark, list[Row]] = {}
        for row in document.rows:
            if row.n_different and row.remark:
                reasons.setdefault(row.remark, []).append(row)
        for remark, own in reasons.items():
            places = ", ".join(dict.fromkeys(row.where for row in own))
            n = sum(row.n_different for row in own)
            yield f"| {n} | [{document.title}](#{document.anchor}): {places} | {remark.short} |"
    yield ""


def tables() -> str:
    return "\n".join([*count(), *(line for document in DOCUMENTS for line in section(document))]).rstrip()


def with_tables(page: str) -> str:
    """The page with the tables between its marks."""
    before, rest = page.split(START)
    return f"{before}{START}\n\n{tables()}\n\n{END}{rest.split(END)[1]}"
