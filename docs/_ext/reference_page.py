"""`references.md`, written from the papers that the package itself cites."""

from __future__ import annotations

from pathlib import Path

from sphinx.application import Sphinx

from skcompare.inference._guide import Reference, references
from skcompare.inference._procedures import PROCEDURES, STUDY_PROCEDURES

_HEAD = """\
# References

The papers that the procedures rest on. `result.methods_text()` gives the BibTeX entries of those that a result used.
"""


def _entry(paper: Reference) -> str:
    users = [row.name for row in (*PROCEDURES, *STUDY_PROCEDURES) if paper.key in row.guide.references]
    lines = [f"({paper.key})=", f"{paper.text}."]
    lines += [f"[doi:{paper.doi}](https://doi.org/{paper.doi})"] if paper.doi else []
    lines += [f"\\\nUsed by {', '.join(f'`{name}`' for name in users)}."] if users else []
    return "\n".join(lines)


def _by_author(paper: Reference) -> tuple[str, int]:
    return paper.citation.casefold(), paper.year


def _write(app: Sphinx) -> None:
    entries = [_entry(paper) for paper in sorted(references().values(), key=_by_author)]
    Path(app.srcdir, "references.md").write_text("\n\n".join([_HEAD, *entries]) + "\n", encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Write the page before the pages are read."""
    app.connect("builder-inited", _write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
