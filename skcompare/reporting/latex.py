"""A document as LaTeX tables for the booktabs package, for a page of ``article`` at 10 pt.

Names that hold letters outside Latin need xelatex or lualatex.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from skcompare._core.printable import one_line
from skcompare.reporting.document import Column, Document, Grid, Items, Paragraph, walked

MAX_ROWS = 45  # of a table that is no longtable
# Text width in points; type sizes with a letter's width and the room between columns.
WIDTH = 345
SIZES = {"small": (4.7, 6), "footnotesize": (4.3, 4), "scriptsize": (3.8, 4)}
_MAX_WORD, _PIECE = 30, 12
_MARKS = {"*": r"\rlap{$^{*}$}", "+": r"\rlap{$^{+}$}", "~": r"\rlap{$^{\sim}$}"}
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
    caption = " ".join(
        filter(None, [*map(text, said), text(f"{grid.title}." if grid.title else ""), text(grid.caption)])
    )
    below = [note(text(one)) for one in (*notes, grid.more) if one]
    size, panels = _panels(grid.columns)
    start = rf"{{\{size}\setlength{{\tabcolsep}}{{{SIZES[size][1] // 2}pt}}%"
    if grid.n_rows > MAX_ROWS and len(panels) == 1:
        [columns] = panels
        lines = longtable(_alignment(columns), caption, _head(columns), [*_body(columns)])
        return "\n".join([start, *lines, *below])
    blocks = [[start, *tabular(_alignment(panel), [_head(panel)], [*_body(panel)], end="}")] for panel in panels]
    content = [line for i, block in enumerate(blocks) for line in ([r"\par\medskip"] if i else []) + block]
    return table(caption, [*content, *below])


def _panels(columns: Sequence[Column]) -> tuple[str, list[list[Column]]]:
    """The largest type with which all columns are as wide as the page; in the smallest they stand in several panels."""
    for size in SIZES:
        if sum(_width(column, size) for column in columns) <= WIDTH:
            return size, [[*columns]]
    first, *others = columns
    panels, room = [[first]], 0.0
    for column in others:
        room -= _width(column, size)
        if room < 0 and len(panels[-1]) > 1:
            panels.append([first])
        if len(panels[-1]) == 1:
            room = WIDTH - _width(first, size) - _width(column, size)
        panels[-1].append(column)
    return size, panels


def _width(column: Column, size: str) -> float:
    letter, gap = SIZES[size]
    return letter * max(map(len, (column.head, *column.cells))) + gap


def _alignment(columns: Sequence[Column]) -> str:
    return "".join("l" if column.left else "r" for column in columns)


def _head(columns: Sequence[Column]) -> str:
    return row([escape(one_line(column.head).strip()) for column in columns])


def _body(columns: Sequence[Column]) -> Iterator[str]:
    for i in range(len(columns[0].cells)):
        yield row([_cell(column, i) for column in columns])


def _cell(column: Column, i: int) -> str:
    """A mark takes no room, so that the digits stay below each other; numbers are set in math."""
    shown = one_line(column.cells[i]).strip()
    if column.left or not shown or shown == "n/a":
        return escape(shown)
    number, marks = shown.rstrip("*+~"), shown[len(shown.rstrip("*+~")) :]
    body = number.replace("inf", r"\infty").replace("%", r"\%").replace("<", "<")
    if column.marks and "best" in column.marks[i]:
        body = rf"\mathbf{{{body}}}"
    return f"${body}$" + "".join(_MARKS[mark] for mark in marks)


def table(caption: str, content: Sequence[str]) -> str:
    """A float."""
    top = [r"\begin{table}", r"\centering", rf"\caption{{{caption}}}", r"\par\medskip"]
    return "\n".join([*top, *content, r"\end{table}"])


def tabular(columns: str, head: Sequence[str], body: Sequence[str], end: str = "") -> list[str]:
    """Lines below a heading."""
    top = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", *head, r"\midrule"]
    return [*top, *body, r"\bottomrule", r"\end{tabular}" + end]


def longtable(columns: str, caption: str, header: str, body: Sequence[str]) -> list[str]:
    """Lines below a heading, over several pages, and the end of the group that they stand in."""
    top = [rf"\begin{{longtable}}{{{columns}}}", rf"\caption{{{caption}}} \\", r"\toprule", header, r"\midrule"]
    return [*top, r"\endhead", r"\bottomrule", r"\endfoot", *body, r"\end{longtable}}"]


def row(cells: Sequence[str]) -> str:
    """A line of a table."""
    return " & ".join(cells) + r" \\"


def note(words: str) -> str:
    """A small paragraph below a table."""
    return rf"{{\par\smallskip\noindent\raggedright\footnotesize {words}\par}}"


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
