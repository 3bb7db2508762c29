"""The ranking of a search as a Markdown or a LaTeX table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from skcompare._core.numbers import decimals, number, percent_of
from skcompare.reporting import latex, markdown
from skcompare.reporting._words import interval_at, printable
from skcompare.reporting.answer import first_line
from skcompare.reporting.search_text import against_best, failed
from skcompare.reporting.summary.search import SearchSummary

MAX_LATEX_ROWS = 40
# Points: text width of ``article``, a digit in ``footnotesize``, the space beside a column, the least for the names.
_WIDTH, _LETTER, _GAP, _LEAST = 345, 4.7, 3, 60
_PIECES = re.compile(r"[^=_]{0,10}[=_]|[^=_]{1,10}")


def search_markdown(search: SearchSummary) -> str:
    """The answer, one row per candidate, and a legend; the warnings as a list."""
    search = printable(search)
    rank, candidate, *rest = _head(search)
    header = [rank, candidate, markdown.escape(search.metric), *rest]
    lines = [header, ["---:", "---", *["---:"] * 4]]
    for row, cells in zip(search.ranking, _cells(search), strict=True):
        rank, name, mean, *rest = map(markdown.escape, cells)
        shown = f"**{mean}**" if row.rank == 1 else f"{mean}†" if row.significantly_different else mean
        lines.append([rank, name, shown, *rest])
    table = "\n".join(map(markdown.row, lines))
    notes = "\n".join(f"- {markdown.escape(warning)}" for warning in search.warnings)
    said = markdown.escape(first_line(search.answer))
    return "\n\n".join(part for part in (said, table, markdown.escape(_legend(search, "†")), notes) if part)


def search_latex(search: SearchSummary) -> str:
    """One row per candidate in a ``table``, or a ``longtable`` where they are many; the warnings as notes below it."""
    search = printable(search)
    rows = [_latex_row(row, cells) for row, cells in zip(search.ranking, _cells(search), strict=True)]
    first, second, *rest = map(latex.escape, _head(search))
    header = latex.row([first, second, "mean", *rest])
    caption = (
        latex.text(f"{first_line(search.answer)} {_legend(search, '†')}")
        .replace("†", r"$^{\dagger}$")
        .replace("±", r"$\pm$")
    )
    notes = [latex.note(latex.text(warning)) for warning in search.warnings]
    columns = rf"rp{{{_room(search)}pt}}rrrr"
    small = r"\footnotesize\setlength{\tabcolsep}{3pt}"
    if len(rows) > MAX_LATEX_ROWS:
        return "\n".join([rf"{{{small}", *latex.longtable(columns, caption, header, rows), *notes])
    return latex.table(caption, [rf"{{{small}%", *latex.tabular(columns, [header], rows, end="}"), *notes])


def _cells(search: SearchSummary) -> list[list[str]]:
    rows = search.ranking
    places = decimals([row.mean for row in rows])
    means = ["n/a" if failed(row) else f"{number(row.mean, places)} ± {number(row.deviation, places)}" for row in rows]
    alpha = search.alpha
    return [
        [str(row.rank), row.name, mean, *against_best(row, places, alpha)]
        for row, mean in zip(rows, means, strict=True)
    ]


def _head(search: SearchSummary) -> list[str]:
    return ["rank", "candidate", "difference", interval_at(1 - search.alpha), "p adj."]


def _room(search: SearchSummary) -> int:
    """Points that the numbers leave to the names."""
    first, second, *rest = _head(search)
    columns = list(zip([first, second, "mean", *rest], *_cells(search), strict=True))
    letters = sum(max(map(len, column)) for column in (columns[0], *columns[2:]))
    return max(_LEAST, int(_WIDTH - letters * _LETTER - 2 * len(columns) * _GAP))


def _latex_row(row: Any, cells: Sequence[str]) -> str:
    rank, name, mean, *rest = cells
    mean = mean.replace("±", r"\pm")
    shown = rf"$\mathbf{{{mean}}}$" if row.rank == 1 else f"${mean}$" if not failed(row) else mean
    mark = r"\rlap{$^{\dagger}$}" if row.significantly_different else ""
    numbers = [f"${cell}$" if cell not in ("", "n/a") else cell for cell in rest]
    return latex.row([rank, rf"\raggedright {_breakable(name)}", shown + mark, *numbers])


def _breakable(name: str) -> str:
    """A name for a narrow column: it may be broken after ``=`` and ``_``, and every ten letters."""
    words = [_PIECES.findall(word) for word in name.split(" ")]
    return " ".join(r"\allowbreak{}".join(map(latex.escape, pieces)) for pieces in words)


def _legend(search: SearchSummary, mark: str) -> str:
    n, shown = search.n_candidates, len(search.ranking)
    which = f"{n} candidates" if shown == n else f"The first {shown} of {n} candidates"
    return (
        f"{which} of a search, {search.design}: mean {search.metric} ± standard deviation over the splits, "
        f"difference to the best with its {interval_at(1 - search.alpha)}, each for its own candidate alone. "
        f"Bold: the best. {mark}: significantly worse at {percent_of(search.alpha)}, all comparisons of the candidates "
        f"allowed for ({search.procedure})."
    )
