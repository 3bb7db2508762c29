"""The tables of a document, and the same read back from what each view prints of it."""

from __future__ import annotations

import html
import re
from itertools import accumulate

LATEX = {
    "textbackslash": "\\",
    "textasciitilde": "~",
    "textasciicircum": "^",
    "textless": "<",
    "textgreater": ">",
    "textbar": "|",
    "textasciigrave": "`",
    "textquotesingle": "'",
    "char34": '"',
}


def grids(document, start=""):
    """The tables of a document, those of its sections too, whose names start so."""
    found = []
    for block in document.blocks:
        found += grids(block, start) if hasattr(block, "blocks") else [block] if hasattr(block, "columns") else []
    return [grid for grid in found if grid.name.startswith(start)]


def cells(grid):
    """Heading and rows, as a view may show them: without blanks at the ends."""
    return [[cell.strip() for cell in row] for row in ([column.head for column in grid.columns], *grid.rows())]


def in_html(page):
    """The tables of a page or of a notebook."""
    for table in re.findall(r"<table.*?</table>", page, re.DOTALL):
        rows = re.findall(r"<tr.*?</tr>", table, re.DOTALL)
        found = (re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in rows)
        yield [[html.unescape(re.sub("<[^>]*>", "", cell)).strip() for cell in row] for row in found]


def in_markdown(text):
    for block in text.split("\n\n"):
        if block.startswith("|"):
            head, _, *lines = block.splitlines()
            yield [[plain_of_markdown(cell) for cell in raw_cells(line)] for line in (head, *lines)]


def raw_cells(line):
    """The cells of a line of Markdown, as they stand there."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def plain_of_markdown(text):
    bare = re.sub(r"^\*\*(.*)\*\*$", r"\1", text)
    return re.sub(r"\\([!-/:-@[-`{-~])", r"\1", bare).replace("&amp;", "&")


def in_latex(text):
    """The tables of LaTeX; panels below each other are one table."""
    for table in re.findall(r"\\begin{(?:long)?table}.*?\\end{(?:long)?table}", text, re.DOTALL):
        panels = [[*_rows_of_panel(panel)] for panel in table.split(r"\toprule")[1:]]
        yield [[*row, *(cell for more in others for cell in more[1:])] for row, *others in zip(*panels, strict=True)]


def _rows_of_panel(panel):
    for line in panel.split(r"\bottomrule" if r"\endfoot" not in panel else r"\end{longtable}")[0].splitlines():
        if line.endswith(r"\\"):
            yield [plain_of_latex(cell) for cell in re.split(r"(?<!\\) ?& ?", line.removesuffix(r" \\"))]


def plain_of_latex(text):
    """What LaTeX prints, marks behind a number."""
    shown = re.sub(r"\\rlap{\$\^{(.*?)}\$}", lambda mark: mark[1].replace(r"\sim", "~"), text)
    shown = re.sub(r"^\$(.*?)(?<!\\)\$", r"\1", shown).replace(r"\infty", "inf")
    shown = re.sub(r"\\mathbf{(.*)}", r"\1", shown).replace(r"\allowbreak{}", "")
    shown = re.sub(r"\\([a-z]+(?:34)?){}", lambda found: LATEX[found[1]], shown).replace("-{}", "-").replace(",{}", ",")
    return re.sub(r"\\([&%$#_{}])|{([\[\]*])}", lambda found: found[1] or found[2], shown).strip()


def stand_in_text(rows, text):
    """Whether a terminal shows these rows, below each other, with all their cells; a wide head takes several lines."""
    (head, *body), lines = rows, [re.sub(r"\s+", " ", line).strip() for line in text.splitlines()]
    found = iter(lines)
    below = all(any(line == " ".join(" ".join(row).split()) for line in found) for row in body)
    parts, shown = ({*re.findall(r"[^\s_]*_+|[^\s_]+", " ".join(text))} for text in (head, lines))
    return below and parts <= shown


def assert_latex_balances(text):
    """Braces, environments and the signs of formulas come in pairs."""
    bare = re.sub(r"\\[{}\\$&%#_]", "", text)
    depth = list(accumulate((char == "{") - (char == "}") for char in bare))
    assert min(depth) >= 0
    assert depth[-1] == 0
    assert bare.count("$") % 2 == 0
    open_ = []
    for what, environment in re.findall(r"\\(begin|end){(\w+)}", text):
        if what == "begin":
            open_.append(environment)
        else:
            assert open_.pop() == environment
    assert open_ == []
