"""The tables of docs/sources.md, in Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from string import ascii_lowercase

from benchmarks import between
from benchmarks.sources import Document, Row, course_slides, many_datasets
from benchmarks.sources.articles import JOINT_ANALYSIS, ML_EXPERIMENTS, TWO_ALGORITHMS

PAGE = Path(__file__).parents[2] / "docs" / "sources.md"
START, END = "<!-- sources -->", "<!-- end of sources -->"
DOCUMENTS = (JOINT_ANALYSIS, course_slides.DOCUMENT, TWO_ALGORITHMS, ML_EXPERIMENTS, many_datasets.DOCUMENT)

LONGEST = 10


def table(head: tuple[str, ...], kinds: str, lines: list[tuple[str, ...]]) -> Iterator[str]:
    """`kinds` has an "r" for every column of numbers."""
    yield f"| {' | '.join(head)} |"
    yield f"| {' | '.join('---:' if kind == 'r' else '---' for kind in kinds)} |"
    yield from (f"| {' | '.join(line)} |" for line in lines)
    yield ""


def _listed(numbers: tuple[str, ...]) -> str:
    """Long ones cut, all alike once."""
    values = tuple(number if len(number) <= LONGEST else f"{number[:LONGEST]}…" for number in numbers)
    return f"{values[0]}, {len(values)} times" if len(set(values)) == 1 and len(values) > 2 else ", ".join(values)


def _said(row: Row, letter: str) -> str:
    verdict = ("differs" if row.n_different else "equal") if row.numbers else ""
    check = f"{'ours ' if verdict else ''}as {row.check.by}" if row.check and verdict != "equal" else ""
    return ", ".join(filter(None, (f"**{verdict}**" if row.n_different else verdict, check, letter)))


def section(document: Document) -> Iterator[str]:
    notes: dict[str, str] = {}
    for row in document.rows:
        if row.remark:
            notes.setdefault(row.remark.full, f"({ascii_lowercase[len(notes)]})")
    lines = [
        (
            f"{row.text.where} ({'lines' if '-' in row.text.lines else 'line'} {row.text.lines})",
            f"{row.text.what} (`{row.by}`)",
            _listed(row.numbers) or "-",
            _listed(row.shown),
            _said(row, notes[row.remark.full] if row.remark else ""),
        )
        for row in document.rows
    ]
    yield from (f"## {document.name}", "", f"**{document.title}**. {document.citation}", "", document.lead, "")
    yield from table(("Where", "What", "Printed", "skcompare", "Remark"), "llrrl", lines)
    if notes:
        yield from (*(f"- {letter} {full}" for full, letter in notes.items()), "")
    yield from ("Numbers without a counterpart:", "", *(f"- {line}" for line in document.left_out), "")


def _sums(rows: tuple[Row, ...]) -> tuple[int, int, int, int]:
    """Numbers that are printed, that are equal, that differ, and that are not printed."""
    printed, equal = sum(len(row.numbers) for row in rows), sum(row.n_equal for row in rows)
    return printed, equal, printed - equal, sum(len(row.values) for row in rows if not row.numbers)


def count() -> Iterator[str]:
    """How many numbers, how many equal, and why the others differ."""
    printed, equal, different, more = _sums(tuple(row for document in DOCUMENTS for row in document.rows))
    yield (
        f"They print {printed} numbers that a function of skcompare can give. **{equal} are equal** to all digits that "
        f"are printed (where 16 are, to the first 12), and **{different} differ**. Where a document prints rates "
        f"without their data, as two slides do, data with these rates were made. {more} more follow from their data or "
        "formulas and are not printed; ours are checked with other software or by hand."
    )
    yield ""
    sums = [(document.link, document.kind, *map(str, _sums(document.rows))) for document in DOCUMENTS]
    yield from table(("Document", "Kind", "Printed", "Equal", "Differ", "Not printed"), "llrrrr", sums)
    found: dict[tuple[str, str], list[Row]] = {}
    for document in DOCUMENTS:
        for row in document.rows:
            if row.n_different and row.remark:
                found.setdefault((document.link, row.remark.short), []).append(row)
    reasons = [
        (
            str(sum(row.n_different for row in own)),
            f"{link}: {', '.join(dict.fromkeys(row.text.where for row in own))}",
            short,
        )
        for (link, short), own in found.items()
    ]
    yield from table(("Numbers that differ", "Where", "Why"), "rll", reasons)


def tables() -> str:
    return "\n".join([*count(), *(line for document in DOCUMENTS for line in section(document))]).rstrip()


def with_tables(page: str) -> str:
    """The page with the tables between its marks."""
    return between(page, START, END, tables())
