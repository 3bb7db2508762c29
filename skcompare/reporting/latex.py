"""A document as LaTeX tables for the booktabs package, for a page of ``article`` at 10 pt.

Names that hold letters outside Latin need xelatex or lualatex.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from skcompare._core.document import Column, Document, Grid, Items, Paragraph, walked
from skcompare._core.text import one_line

MAX_ROWS = 45  # of a table that is no longtable
# Text width in points; type sizes with a letter's width and the room between columns.
WIDTH = 345
SIZES = {"small": (4.7, 6), "footnotesize": (4.3, 4), "scriptsize": (3.8, 4)}
_MAX_WORD, _PIECE = 30, 12
_ESCAPES = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
    "'": r"\textquotesingle{}",
    '"': r"\char34{}",  # \textquotedbl is missing in OT1
    "[": "{[}",  # after a line break it would open an argument
    "]": "{]}",
    "*": "{*}",  # after a line break it would belong to it
    **{char: f"\\{char}" for char in "&%$#_{}"},
}


def render(document: Document) -> str:
    """Each table as a float; the sentences before the first one are its caption, those after it stand below it."""
    before: list[str] = []
    parts: list[tuple[Grid, list[str], list[str]]] = []
    for block in walked(document.blocks):
        if isinstance(block, Grid):
            parts.append((block, before, []))
            before = []
        elif isinstance(block, (Paragraph, Items)):
            said = block.texts if isinstance(block, Items) else [block.text]
            (parts[-1][2] if parts else before).extend(said)
    return "\n\n".join(float_of(grid, said, notes) for grid, said, notes in parts)


def float_of(grid: Grid, said: Sequence[str] = (), notes: Sequence[str] = ()) -> str:
    """A table with its caption, and notes below it; more rows than a page holds as a ``longtable``."""
    title = f"{grid.title}." if grid.title else ""
    caption = rf"\caption{{{' '.join(filter(None, map(text, (*said, title, grid.caption))))}}}"
    note = r"{\par\smallskip\noindent\raggedright\footnotesize %s\par}"
    below = [note % text(one) for one in (*notes, grid.more) if one]
    size, panels = _panels(grid.columns)
    start = rf"{{\{size}\setlength{{\tabcolsep}}{{{SIZES[size][1] // 2}pt}}%"
    if grid.n_rows > MAX_ROWS and len(panels) == 1:
        begin, head, body = _lines(panels[0], "longtable")
        top = [start, begin, rf"{caption} \\", r"\toprule", head, r"\midrule", r"\endhead", r"\bottomrule", r"\endfoot"]
        return "\n".join([*top, *body, r"\end{longtable}}", *below])
    content: list[str] = []
    for panel in panels:
        begin, head, body = _lines(panel, "tabular")
        content += [r"\par\medskip"] if content else []
        content += [start, begin, r"\toprule", head, r"\midrule", *body, r"\bottomrule", r"\end{tabular}}"]
    return "\n".join([r"\begin{table}", r"\centering", caption, r"\par\medskip", *content, *below, r"\end{table}"])


def _lines(columns: Sequence[Column], kind: str) -> tuple[str, str, list[str]]:
    """The beginning of a table, its head and its rows."""
    begin = rf"\begin{{{kind}}}{{{''.join('l' if column.left else 'r' for column in columns)}}}"
    head = [escape(one_line(column.head).strip()) for column in columns]
    body = ([_cell(column, i) for column in columns] for i in range(len(columns[0].cells)))
    return begin, " & ".join(head) + r" \\", [" & ".join(cells) + r" \\" for cells in body]


def _panels(columns: Sequence[Column]) -> tuple[str, list[list[Column]]]:
    """The largest type with which all columns are as wide as the page; in the smallest in panels that name the rows."""
    for size in SIZES:
        if sum(_width(column, size) for column in columns) <= WIDTH:
            return size, [[*columns]]
    keys = [column for column in columns if column.name in ("metric", "a", "b")] or [columns[0]]  # of a row
    left = WIDTH - sum(_width(column, size) for column in keys)
    panels, room = [keys], left
    for column in (column for column in columns if column not in keys):
        room -= _width(column, size)
        if room < 0 and len(panels[-1]) > len(keys):
            panels, room = [*panels, keys], left - _width(column, size)
        panels[-1] = [*panels[-1], column]
    return size, panels


def _width(column: Column, size: str) -> float:
    letter, gap = SIZES[size]
    return letter * max(map(len, (column.head, *column.cells))) + gap


def _cell(column: Column, i: int) -> str:
    """Marks take no room, so that the digits stay below each other; numbers are set in math."""
    shown = one_line(column.cells[i]).strip()
    if column.left or not shown or shown == "n/a":
        return escape(shown)
    number, marks = shown.rstrip("*+~"), shown[len(shown.rstrip("*+~")) :]
    body = number.replace("inf", r"\infty").replace("%", r"\%")
    return f"${body}$" + (rf"\rlap{{$^{{{marks}}}$}}".replace("~", r"\sim") if marks else "")


# ---- text -----------------------------------------------------------------------------------------------------


def text(words: str) -> str:
    """Escaped text for a paragraph: one line of printable characters, whose long words may be broken."""
    return " ".join(escape(word) if len(word) <= _MAX_WORD else _broken(word) for word in one_line(words).split(" "))


def _broken(word: str) -> str:
    return r"\allowbreak{}".join(escape(word[i : i + _PIECE]) for i in range(0, len(word), _PIECE))


def escape(words: str) -> str:
    """Text that LaTeX prints as it is; a model's name cannot become a command, nor two of its characters one."""
    apart = re.sub(r"([-,])(?=\1)", "\\1\0", words)
    return "".join(_ESCAPES.get(char, char) for char in apart).replace("\0", "{}")
