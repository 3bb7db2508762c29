"""The tables of docs/sources.md, in Markdown."""

from __future__ import annotations

from functools import partial

from benchmarks import ROOT, line, table
from benchmarks.sources import Document, Row, course_slides, many_datasets
from benchmarks.sources.articles import JOINT_ANALYSIS, ML_EXPERIMENTS, TWO_ALGORITHMS

PAGE = ROOT / "docs" / "sources.md"
DOCUMENTS = (JOINT_ANALYSIS, course_slides.DOCUMENT, TWO_ALGORITHMS, ML_EXPERIMENTS, many_datasets.DOCUMENT)

LONGEST = 10


def _listed(numbers: tuple[str, ...]) -> str:
    """Long ones cut, all alike once."""
    values = tuple(number if len(number) <= LONGEST else f"{number[:LONGEST]}…" for number in numbers)
    return f"{values[0]}, {len(values)} times" if len(set(values)) == 1 and len(values) > 2 else ", ".join(values)


def _said(row: Row) -> str:
    verdict = ("differs" if row.n_different else "equal") if row.numbers else ""
    check = f"{'ours ' if verdict else ''}as {row.check.by}" if row.check and verdict != "equal" else ""
    note = f"({row.remark.letter})" if row.remark else ""
    return ", ".join(filter(None, (f"**{verdict}**" if row.n_different else verdict, check, note)))


def section(document: Document) -> str:
    """The table of a document."""
    lines = [
        (
            f"{row.text.where} ({'lines' if '-' in row.text.lines else 'line'} {row.text.lines})",
            f"{row.text.what} (`{row.by}`)",
            *(_listed(row.numbers) or "-", _listed(row.shown), _said(row)),
        )
        for row in document.rows
    ]
    first, *rest = table(("Where", "What", "Printed", "skcompare", "Remark"), 2, lines).splitlines()
    return "\n".join([first, "| --- | --- | ---: | ---: | --- |", *rest[1:]])


def _sums(rows: tuple[Row, ...]) -> tuple[int, int, int, int]:
    """Numbers that are printed, that are equal, that differ, and that are not printed."""
    printed, equal = sum(len(row.numbers) for row in rows), sum(row.n_equal for row in rows)
    return printed, equal, printed - equal, sum(len(row.values) for row in rows if not row.numbers)


def counts() -> str:
    """How many numbers, how many equal, and why the others differ."""
    printed, equal, different, more = _sums(tuple(row for document in DOCUMENTS for row in document.rows))
    words = (
        f"They print {printed} numbers that a function of skcompare can give. **{equal} are equal** to all digits that "
        f"are printed (where 16 are, to the first 12), and **{different} differ**. Where a document prints rates "
        f"without their data, as two slides do, data with these rates were made. {more} more follow from their data or "
        "formulas and are not printed; ours are checked with other software or by hand."
    )
    sums = [(document.link, document.kind, *_sums(document.rows)) for document in DOCUMENTS]
    found: dict[tuple[str, str], list[Row]] = {}
    for document in DOCUMENTS:
        for row in document.rows:
            if row.n_different and row.remark:
                found.setdefault((document.link, row.remark.short), []).append(row)
    reasons = "\n".join(
        line(sum(r.n_different for r in own), f"{link}: {', '.join(dict.fromkeys(r.text.where for r in own))}", short)
        for (link, short), own in found.items()
    )
    by_document = table(("Document", "Kind", "Printed", "Equal", "Differ", "Not printed"), 2, sums)
    return f"{words}\n\n{by_document}\n\n| Numbers that differ | Where | Why |\n| ---: | --- | --- |\n{reasons}"


TABLES = {"counts": counts} | {document.mark: partial(section, document) for document in DOCUMENTS}
