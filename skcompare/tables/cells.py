"""The text of a cell -> a number, its deviation, or nothing; a whole column at once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.validation import FloatArray

_NOTHING = "na n/a #n/a #na n.a. nan -nan none null <na> nil - -- --- \u2013 \u2014 ? . missing nd n.d. #div/0! #value!"
MISSING = frozenset({"", *_NOTHING.split(" ")})
_DIGITS = r"(?:\d+(?:[ \u00a0\u202f'\u2019]\d{3})*(?:[.,]\d+)*[.,]?|[.,]\d+)(?:[eE][-+]?\d+)?"
_NUMBER = rf"[-+\u2212]?{_DIGITS}"
_CELL = re.compile(
    rf"(?P<value>{_NUMBER}|[-+]?inf(?:inity)?)\s*(?P<percent>%?)\s*"
    rf"(?:(?P<plus>\u00b1|\+/-|\+-|\\pm)\s*(?P<after>{_NUMBER})"
    rf"|\(\s*(?:\u00b1|\+/-)?\s*(?P<inside>{_NUMBER})\s*(?P<percent_inside>%?)\s*\)"
    rf"|(?P<range>\[\s*{_NUMBER}\s*%?\s*(?:[,;\u2013-]|to|\.\.)\s*{_NUMBER}\s*%?\s*\]))?"
    r"\s*(?P<percent_after>%?)",
    re.IGNORECASE,
)
# What makes a cell bold or marks it: it changes no number.
_MARKUP = re.compile(
    r"\\(?:mathbf|textbf|underline|emph|textit|bm)|</?\w+>|[*_{}$\u2020\u2021\u2191\u2193\u25b2\u25bc]+"
)
_MARK = re.compile(r"(?<=\d)\s+[v\u2022\u25e6\u25cf\u25cb]$")
_GROUPED = re.compile(r"[-+\u2212]?[1-9]\d{0,2}(?:,\d{3})+")
_WORDS = {"true": 1.0, "false": 0.0, "yes": 1.0, "no": 0.0, "pass": 1.0, "fail": 0.0, "passed": 1.0, "failed": 0.0}
_WORDS |= {"correct": 1.0, "incorrect": 0.0, "wrong": 0.0, "right": 1.0}


@dataclass(frozen=True, eq=False, kw_only=True)
class Numbers:
    """The numbers of a column.

    Attributes
    ----------
    values : ndarray of shape (n_rows,)
        nan where a cell is missing, or is no number.
    beside : ndarray of shape (n_rows,) or None
        Numbers behind a plus-minus sign or in parentheses; None where no cell has one.
    bad : int or None
        The first row whose cell is neither a number nor missing; None where there is none.
    share : float
        Of the cells that are not missing the share that are numbers.
    percent : ndarray of shape (n_rows,)
        Which cells had a percent sign; they are divided by 100.
    words : bool
        Whether the cells are words such as true and false.
    """

    values: FloatArray
    beside: FloatArray | None = None
    bad: int | None = None
    share: float = 1.0
    percent: NDArray[np.bool_]
    words: bool = False


def is_missing(cell: Any) -> bool:
    """Whether a cell holds nothing."""
    if isinstance(cell, str):
        return cell.strip().lower() in MISSING
    return cell is None or bool(cell != cell)


def numbers_of(cells: NDArray[Any], decimal: str) -> Numbers:
    """A column as numbers, as far as it holds some."""
    if cells.dtype.kind in "biuf":
        no = np.zeros(len(cells), dtype=bool)
        return Numbers(values=cells.astype(np.float64), percent=no, words=cells.dtype.kind == "b")
    given = cells.tolist()
    found = [_number(cell, decimal) for cell in given]
    values, beside, percent = (
        np.array(x) for x in zip(*(one or (np.nan, np.nan, False) for one in found), strict=True)
    )
    wrong = np.array([one is None for one in found])
    n_bad, there = int(wrong.sum()), sum(not is_missing(cell) for cell in given)
    words = sum(isinstance(x, bool) or (isinstance(x, str) and x.strip().lower() in _WORDS) for x in given)
    bad = int(wrong.argmax()) if n_bad else 0 if 0 < words < there else None  # words among numbers are names
    second = np.isfinite(beside)
    if second.any() and bad is None:
        alone = np.isfinite(values) & ~second  # one cell of another form has another meaning
        if alone.any():
            bad, n_bad = int((second if alone.sum() >= second.sum() else alone).argmax()), 1
    return Numbers(
        values=values,
        beside=beside if second.any() else None,
        bad=bad,
        share=1 - n_bad / there if there else 0.0,
        percent=percent,
        words=bool(words) and bad is None,
    )


def _number(cell: Any, decimal: str) -> tuple[float, float, bool] | None:
    """Number, what stands beside it, and whether it is a percentage; nan where it is missing, None of no number."""
    nan = float("nan")
    if is_missing(cell):
        return nan, nan, False
    if not isinstance(cell, str):
        try:
            return (float(cell), nan, False) if isinstance(cell, (int, float, np.number, np.bool_)) else None
        except (OverflowError, TypeError):  # of an integer without end, and of a complex number
            return None
    if cell.strip().lower() in _WORDS:
        return _WORDS[cell.strip().lower()], nan, False
    text = _MARK.sub("", _MARKUP.sub("", cell).strip())
    match = _CELL.fullmatch(text.strip())
    if match is None:
        return None
    value, beside = (_float(match[name], decimal) for name in ("value", "after" if match["plus"] else "inside"))
    if value is None or (beside is None and (match["after"] or match["inside"])):
        return None
    percent = any(match[name] for name in ("percent", "percent_inside", "percent_after"))
    scale = 100.0 if percent else 1.0
    return value / scale, nan if beside is None else beside / scale, percent


def _float(text: str | None, decimal: str) -> float | None:
    """A number in the usual form; None of no number, and of one with the other decimal mark."""
    if text is None:
        return None
    plain = re.sub(r"(?<=\d)[ \u00a0\u202f'\u2019](?=\d{3})", "", text.replace("\u2212", "-"))
    other = "." if decimal == "," else ","
    whole, mark, rest = plain.rpartition(decimal)
    if mark and other in rest:
        return None
    head = whole if mark else plain
    if other in head and not re.fullmatch(rf"[-+]?\d{{1,3}}(?:{re.escape(other)}\d{{3}})+", head):
        return None
    try:
        return float(plain.replace(other, "").replace(decimal, "."))
    except ValueError:
        return None


def decimal_of(columns: Sequence[NDArray[Any]]) -> str | None:
    """The decimal mark of a table: a comma where numbers are written so; None where both readings are possible."""
    cells = [x for column in columns if column.dtype.kind in "OU" for x in column.tolist()]
    texts = [x.strip() for x in cells if isinstance(x, str)]
    found = [match[0] for x in texts if re.match(rf"{_NUMBER}(?![\w/])", x) and (match := re.match(_NUMBER, x))]
    numbers = [x for x in found if "," in x]
    if not numbers:
        return "."
    by_comma = [x for x in numbers if not _GROUPED.fullmatch(x) and "." not in x.rpartition(",")[2]]
    if by_comma:
        return ","
    points = [x for x in texts if re.fullmatch(r"[-+]?\d*\.\d+(?:[eE][-+]?\d+)?%?", x)]
    return "." if points or any("." in x for x in numbers) or any(x.count(",") > 1 for x in numbers) else None
