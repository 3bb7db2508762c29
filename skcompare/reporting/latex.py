"""Scores and comparisons as LaTeX tables for the booktabs package, for a page of ``article`` at 10 pt.

Names that hold letters outside Latin need xelatex or lualatex.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from math import ceil

from skcompare._core.numbers import pvalue
from skcompare.comparison.table import ComparisonRow, ComparisonTable
from skcompare.reporting.answer import against_baseline, compared_with, left_early, n_comparisons, of_forecasts
from skcompare.reporting.error_rate import error_rate
from skcompare.reporting.scores_table import WORSE, Cell, Column, legend, score_columns
from skcompare.reporting.summary.records import ComparedSummary
from skcompare.reporting.summary.study import StudySummary
from skcompare.reporting.words import (
    interval_of,
    joint_heading,
    joint_lines,
    legend_of,
    numbers,
    printable,
    rope_shares,
)

MAX_PAIR_ROWS = 45
# Text width and height in points, and a letter's width as a share of the type size.
_WIDTH, _HEIGHT, _LETTER = 345, 520, 0.58
# Sizes of type and the lines they are set on, in points.
_SMALL, _FOOTNOTE, _SCRIPT = ("small", 9, 11.0), ("footnotesize", 8, 9.5), ("scriptsize", 7, 8.0)
_GAP = {"small": 4, "footnotesize": 2, "scriptsize": 2}
# Longer names of models and metrics stand below the table of scores; fewer letters for a name than this are too few.
_MAX_MODEL, _MAX_METRIC, _MIN_NAME = 30, 20, 8
_MAX_WORD, _PIECE = 30, 12
_MARKS = {WORSE: "†"}
_COMMANDS = {"†": r"$^{\dagger}$", "±": r"$\pm$"}
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

Size = tuple[str, int, float]


def latex_report(summary: ComparedSummary) -> str:
    """The table of scores; then that of all pairs, or how to get it; the joint verdicts and the warnings below it."""
    summary = printable(summary)
    heading = joint_heading(summary)
    joint, tested = [f"{heading}: {line}." for line in joint_lines(summary)], error_rate(summary)
    shown = [text(compared_with(summary))] if compared_with(summary) else []
    notes = shown + [text(line) for line in (*joint, *([tested] if tested else []), *summary.warnings)]
    n_rows = len(summary.rows)
    if n_rows > MAX_PAIR_ROWS:
        what = "study" if isinstance(summary, StudySummary) else "result"
        where = rf"\texttt{{{what}.compare().to\_latex()}}"
        all_ = f"The {n_comparisons(summary)} comparisons of two models: {where}."
        return _scores(summary, [*_beside(summary), all_, *notes])
    return f"{_scores(summary, _beside(summary))}\n\n{_pairs(summary, notes)}"


def _beside(summary: ComparedSummary) -> list[str]:
    """What is compared in time order; who is better than the baseline, where something can be concluded."""
    answer, of_what = summary.answer, of_forecasts(summary)
    concluded = answer.baseline is not None and answer.within_reach and answer.metrics[0].leader is not None
    said = [*([of_what] if of_what else []), *([against_baseline(answer)] if concluded else [])]
    return [*map(text, said)]


def latex_comparison(table: ComparisonTable) -> str:
    """One row per metric and pair; a ``longtable`` where they are too many for a page."""
    table = printable(table)
    if len(table.rows) <= MAX_PAIR_ROWS:
        return _pairs(table, [])
    layout = _PairLayout(table)
    lines = longtable(layout.columns, layout.caption, layout.header, layout.lines(layout.rows))
    return "\n".join([_type(layout.size[0]), *lines, *map(note, layout.key)])


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


def _type(size: str) -> str:
    """The start of a group of small type and narrow columns."""
    return rf"{{\{size}\setlength{{\tabcolsep}}{{{_GAP[size]}pt}}"


# ---- floats ---------------------------------------------------------------------------------------------------


def _floats(caption: str, more: str, blocks: Sequence[tuple[list[str], float]], notes: Sequence[str]) -> str:
    """Tables of blocks of known height, as many as a page holds in each; the notes in the last or after it."""
    tables, content, room = [], list[str](), _HEIGHT - _caption_height(caption)
    for lines, height in blocks:
        if content and height > room:
            tables.append(table(caption, content))
            caption, content, room = more, [], _HEIGHT - _caption_height(more)
        content += [*([r"\par\medskip"] if content else []), *lines]
        room -= height
    small = [*map(note, notes)]
    fits = sum(ceil(len(words) / 70) * _FOOTNOTE[2] + 4 for words in notes) <= room
    tables.append(table(caption, [*content, *(small if fits else [])]))
    return "\n\n".join([*tables, *([] if fits or not small else ["\n".join(small)])])


def _caption_height(caption: str) -> float:
    return 50 + 12 * ceil(len(caption) / 60)


def _labels(names: Sequence[str], letter: str, limit: int) -> dict[str, str]:
    """Names as they stand in a table: those longer than `limit` as a letter with a number."""
    return {
        name: escape(name) if len(name) <= limit else f"${letter}_{{{i}}}$" for i, name in enumerate(names, start=1)
    }


def _key(*labels: Mapping[str, str]) -> list[str]:
    """What the letters stand for, as one note."""
    found = [f"{label}: {text(name)}" for part in labels for name, label in part.items() if label != escape(name)]
    return ["; ".join(found) + "."] if found else []


def _points(n_letters: int, size: Size) -> float:
    return n_letters * size[1] * _LETTER


# ---- scores ---------------------------------------------------------------------------------------------------


def _scores(summary: ComparedSummary, notes: Sequence[str]) -> str:
    """Metrics beside each other as far as the page is wide, and the others below them."""
    columns = score_columns(summary)
    caption = text(legend(summary, columns, _MARKS))
    for char, command in _COMMANDS.items():
        caption = caption.replace(char, command)
    models = _labels(summary.estimators, "m", _MAX_MODEL)
    metrics = _labels(list(dict.fromkeys(column.metric for column in columns)), "q", _MAX_METRIC)
    own = left_early(summary)
    shown = [f"{label} ({own[name]})" if name in own else label for name, label in models.items()]
    n_rows = max(5, int((_HEIGHT - _caption_height(caption)) / _SMALL[2]) - 5)
    blocks = []
    for start in range(0, len(models), n_rows):
        rows = dict(list(enumerate(shown))[start : start + n_rows])
        for panel in _panels(columns, rows, metrics):
            blocks.append((_panel(panel, rows, metrics), (len(rows) + 2) * _SMALL[2] + 20))
    return _floats(caption, "Scores, continued from the table before.", blocks, [*_key(models, metrics), *notes])


def _panels(
    columns: Sequence[Column], rows: Mapping[int, str], metrics: Mapping[str, str]
) -> Iterator[list[list[Column]]]:
    """The columns of each metric, for as many metrics as are no wider than the page."""
    panel: list[list[Column]] = []
    names = _points(max(map(_length, rows.values())), _SMALL) + 2 * _GAP["small"]
    width = names
    for metric, group in groupby(columns, lambda column: column.metric):
        shown = list(group)
        cells = sum(_column_width(column, rows) for column in shown)
        more = max(_points(_length(metrics[metric]), _SMALL) + 2 * _GAP["small"], cells)
        if panel and width + more > _WIDTH:
            yield panel
            panel, width = [], names
        panel.append(shown)
        width += more
    yield panel


def _column_width(column: Column, rows: Mapping[int, str]) -> float:
    cells = [column.cells[i] for i in rows]
    longest = max(len(cell.text) + (len(cell.spread) + 3 if cell.spread else len(cell.interval)) for cell in cells)
    return _points(max(longest, len("score")), _SMALL) + 2 * _GAP["small"]


def _length(label: str) -> int:
    """Letters that a label prints, about; wide ones count more."""
    letters = re.sub(r"\\[a-z]+\d*|[${}\\]", "", label)
    return len(letters) + label.count("\\") + sum(char.isupper() or char in "mw" for char in letters) // 2


_HEADINGS = {"mean score": "score", "mean rank": "rank"}


def _panel(panel: Sequence[Sequence[Column]], rows: Mapping[int, str], metrics: Mapping[str, str]) -> list[str]:
    each = len(panel[0])
    columns = [column for group in panel for column in group]
    header = ["model", *(rf"\multicolumn{{{each}}}{{r}}{{{metrics[group[0].metric]}}}" for group in panel)]
    second = [["", *(_HEADINGS[column.what] for column in columns)]] if each > 1 else []
    body = [[model, *(_cell(column.cells[i]) for column in columns)] for i, model in rows.items()]
    lines = tabular(f"l{'r' * len(columns)}", [*map(row, [header, *second])], [*map(row, body)], end="}")
    return [_type("small") + "%", *lines]


def _cell(cell: Cell) -> str:
    """The mark takes no room, so that the digits stay below each other."""
    shown = rf"\mathbf{{{cell.text}}}" if cell.best else cell.text
    spread = rf" \pm {cell.spread}" if cell.spread else rf"\ {cell.interval}" if cell.interval else ""
    mark = _COMMANDS[_MARKS[cell.standing]] if cell.standing in _MARKS else ""
    return f"${shown}{spread}$" + (rf"\rlap{{{mark}}}" if mark else "")


# ---- pairs ----------------------------------------------------------------------------------------------------


def _pairs(compared: ComparedSummary | ComparisonTable, notes: Sequence[str]) -> str:
    layout = _PairLayout(compared)
    n_lines = max(5, int((_HEIGHT - _caption_height(layout.caption)) / layout.size[2]) - 4)
    pages, height = layout.pages(n_lines), float(_HEIGHT)
    if len(pages) == 1:
        height = (len(layout.rows) + layout.n_headings(layout.rows) + 4) * layout.size[2]
    start = _type(layout.size[0]) + "%"
    blocks = [([start, *tabular(layout.columns, [layout.header], layout.lines(rows)), "}"], height) for rows in pages]
    return _floats(layout.caption, "Comparisons, continued from the table before.", blocks, [*layout.key, *notes])


class _PairLayout:
    """How the table of all pairs is set.

    Of several metrics each pair of models is a heading above its metrics; of one metric that is the heading, and the
    models are the first columns. Names that are too long for the page become letters.
    """

    def __init__(self, compared: ComparedSummary | ComparisonTable) -> None:
        self.rows = compared.rows
        self.sequential, self.alpha = compared.sequential, compared.alpha
        self.interval = interval_of(compared)
        self.rope = any(row.rope is not None for row in self.rows)
        metrics = list(dict.fromkeys(row.metric for row in self.rows))
        self.several = len(metrics) > 1
        heads, first = self._heads(), ["metric"] if self.several else ["$a$", "$b$"]
        self.columns, self.header = "l" * len(first) + "r" * len(heads), row([*first, *heads])
        self.size, limit = self._fit()
        seen = dict.fromkeys([row.a for row in self.rows] + [row.b for row in self.rows])
        names = compared.estimators if isinstance(compared, ComparedSummary) else tuple(seen)
        self.models = _labels(names, "m", _MAX_MODEL if self.several else limit)
        self.metrics = _labels(metrics, "q", limit if self.several else _MAX_MODEL)
        self.key = _key(self.models, self.metrics)
        legend = legend_of(compared)
        sign = "$a - b$ is positive where $a$ is better"
        rest = text(f"{legend.median}; in bold {legend.marked}{legend.level}{legend.rest}")
        self.caption = f"{text(legend.test)}. {sign}{rest}"

    def _fit(self) -> tuple[Size, int]:
        """The largest type that leaves room for names, and the letters that each may have."""
        n_names = 1 if self.several else 2
        lengths = [[_length(cell) for cell in self._numbers(row)] for row in self.rows]
        heads = [_length(head) for head in self._heads()]
        letters = sum(map(max, zip(heads, *lengths, strict=True)))
        for size in (_FOOTNOTE, _SCRIPT):
            room = _WIDTH - _points(letters, size) - 2 * _GAP[size[0]] * (len(heads) + n_names)
            limit = int(room / n_names / _points(1, size))
            if limit >= _MIN_NAME:
                break
        return size, limit

    def _heads(self) -> list[str]:
        heads = ["mean $a$", "mean $b$", "$a - b$", escape(self.interval)]
        heads += [] if self.sequential else ["$p$", "$p$ adj."]
        return [*heads, "$P(b)$", r"$P(\mathrm{equal})$", "$P(a)$"] if self.rope else heads

    def _numbers(self, row: ComparisonRow) -> list[str]:
        """The numbers of a row; a difference that holds is bold."""
        shown = {name: "$" + cell.replace("inf", r"\infty") + "$" for name, cell in numbers(row).items()}
        if row.outcome.significant:
            shown["estimate"] = rf"$\mathbf{{{shown['estimate'].strip('$')}}}$"
        pvalues = [f"${pvalue(p, self.alpha)}$" for p in (row.pvalue, row.pvalue_adjusted) if not self.sequential]
        shares = rope_shares(row, words=False)
        return [*shown.values(), *pvalues, *(map(escape, shares) if self.rope else ())]

    def _heading(self, row: ComparisonRow) -> str:
        if not self.several:
            return self.metrics[row.metric]
        return f"$a$: {self.models[row.a]}, $b$: {self.models[row.b]}"

    def n_headings(self, rows: Sequence[ComparisonRow]) -> int:
        return len(set(map(self._heading, rows)))

    def pages(self, n_lines: int) -> list[list[ComparisonRow]]:
        """The rows in parts of so many lines at most, headings included."""
        parts: list[list[ComparisonRow]] = [[]]
        for row in self.rows:
            if len(parts[-1]) + 1 + self.n_headings([*parts[-1], row]) > n_lines:
                parts.append([])
            parts[-1].append(row)
        return parts

    def lines(self, rows: Sequence[ComparisonRow]) -> list[str]:
        """Some rows below their headings."""
        body = []
        for heading, group in groupby(rows, self._heading):
            body.append(rf"\multicolumn{{{len(self.columns)}}}{{l}}{{\textit{{{heading}}}}} \\")
            for each in group:
                names = [self.metrics[each.metric]] if self.several else [self.models[each.a], self.models[each.b]]
                body.append(row([*names, *self._numbers(each)]))
        return body


# ---- text -----------------------------------------------------------------------------------------------------


def text(words: str) -> str:
    """Escaped text for a paragraph, whose long words may be broken."""
    return " ".join(escape(word) if len(word) <= _MAX_WORD else _broken(word) for word in words.split(" "))


def _broken(word: str) -> str:
    return r"\allowbreak{}".join(escape(word[i : i + _PIECE]) for i in range(0, len(word), _PIECE))


def escape(words: str) -> str:
    """Text that LaTeX prints as it is; a model's name cannot become a command, nor two of its characters one."""
    apart = re.sub(r"([-,])(?=\1)", "\\1\0", words)
    return "".join(_ESCAPES.get(char, char) for char in apart).replace("\0", "{}")
