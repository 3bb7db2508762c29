"""Colours, markers and names: different in print and to the colour-blind, never longer than the room that axes have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from os.path import commonprefix
from typing import TYPE_CHECKING, Any
from unicodedata import east_asian_width

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.numbers import counted
from skcompare._core.text import one_line
from skcompare._core.validation import check_choice

if TYPE_CHECKING:
    from matplotlib.axes import Axes as Axes
else:
    Axes = Any  # matplotlib is imported where something is drawn


# Okabe and Ito (2008), without yellow, which is lost on white paper; black is for what is no model.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#7F7F7F")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">")
LINES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1, 1.2)), (0, (6, 2, 1, 2)), (0, (3, 1, 1, 1, 1, 1)))
BETTER, WORSE, NEUTRAL = "#0072B2", "#D55E00", "#7F7F7F"
ROPE = "#BBBBBB"
LONGEST = 28
MOST_LINES = 12  # models of which each has a curve
CHARACTER = 0.09  # inches of a character of a name


def ink(ax: Axes) -> Any:
    """The colour of the words of the axes, for what would be black on white paper."""
    return ax.xaxis.label.get_color()


def paper(ax: Axes) -> Any:
    """The colour behind the data."""
    return ax.get_facecolor()


def on_paper(ax: Axes) -> dict[str, Any]:
    """What is behind a text that a line would cross."""
    return {"facecolor": paper(ax), "edgecolor": "none", "pad": 1}


OPEN_END = "hollow end: significant by a later step of the adjustment"


def draw_open_end(ax: Axes, x: float, y: float, colour: Any) -> None:
    """The end of an interval that was cut off at the null value, which is no part of it."""
    ax.plot(x, y, marker="o", ms=4.5, mec=colour, mfc=paper(ax), gid=f"open end {y}")


def look(i: int) -> dict[str, Any]:
    """Colour, marker and line style of model `i`: no two of the first 35 share colour and line."""
    return {
        "color": COLOURS[i % len(COLOURS)],
        "marker": MARKERS[(i + i // len(COLOURS)) % len(MARKERS)],
        "linestyle": LINES[(i // len(COLOURS)) % len(LINES)],
    }


def drawn(values: ArrayLike) -> list[int]:
    """Of which models a picture has the curves, those of the smallest values first."""
    return [*map(int, np.argsort(values, kind="stable")[:MOST_LINES])]


def without_curve(n_models: int, others: str) -> list[str]:
    """What the picture says of the other models."""
    more = n_models - MOST_LINES
    return [f"{counted(more, 'more model')}, {others}, not shown"] if more > 0 else []


def labels(names: Sequence[str], longest: int = LONGEST) -> list[str]:
    """Names as matplotlib shall show them: in one line, without mathematics, long ones shortened.

    Different names stay different: of long ones that look alike at both ends the part that differs is shown. A name
    that occurs again gets the same label.
    """
    short = _short_forms(names, longest)
    for same in [text for text, n in Counter(short.values()).items() if n > 1]:
        alike = [name for name, text in short.items() if text == same]
        short |= {name: f"{same} ({i})" for i, name in enumerate(alike, start=1)}
    return [short[name].replace("$", r"\$") for name in names]


def shortest_labels(names: Sequence[str], lengths: Sequence[int]) -> list[str]:
    """Names no longer than the first of some lengths at which none needs a number to be different, or the last."""
    n = len(set(names))
    fits = (longest for longest in lengths if len(set(_short_forms(names, longest).values())) == n)
    return labels(names, next(fits, lengths[-1]))


def _short_forms(names: Sequence[str], longest: int) -> dict[str, str]:
    """By name; some may still be the same."""
    short = {name: shortened(one_line(name), longest) for name in names}
    for ends in [text for text, n in Counter(short.values()).items() if n > 1]:
        alike = [name for name, text in short.items() if text == ends]
        short |= dict(zip(alike, _what_differs([one_line(name) for name in alike], ends, longest), strict=True))
    return short


def shortened(text: str, longest: int) -> str:
    """Both ends of a text that is longer."""
    half = (longest - 1) // 2
    return text if len(text) <= longest else f"{text[:half]}…{text[-half:]}"


def _what_differs(names: Sequence[str], ends: str, longest: int) -> list[str]:
    """What differs between names, with a little of what stands before it, or numbered where that is too long."""
    start = len(commonprefix(names))  # noqa: RUF071 -- of characters is what is wanted
    stop = len(commonprefix([name[start:][::-1] for name in names]))  # noqa: RUF071
    middles = [name[start : len(name) - stop] for name in names]
    room = longest - 2 - max(map(len, middles))
    if room < 0 or len(set(middles)) < len(names):
        return [f"{ends} ({i})" for i in range(1, len(names) + 1)]
    before = names[0][max(0, start - room) : start]
    return [f"…{before}{middle}…" for middle in middles]


def down(values: Any) -> Any:
    """Values one below the other, one for each row of a matrix."""
    return np.reshape(values, (-1, 1))


def n_lines(text: str) -> int:
    """How many lines a text has."""
    return text.count("\n") + 1


def wrapped(text: str, room: int) -> list[str]:
    """A text in lines of at most so many narrow characters, where its words allow it; several blanks end one."""
    lines, is_long = [""], narrow(text) > room
    for word in text.rstrip().split(" "):
        joined = f"{lines[-1]} {word}".lstrip()
        if lines[-1] and (narrow(joined) > room or (is_long and not word)):
            lines.append(word)
        else:
            lines[-1] = joined
    return lines


def narrow(text: str) -> int:
    """Length of a text in narrow characters: Chinese, Japanese and Korean ones are as wide as two."""
    return sum(2 if east_asian_width(char) in "WF" else 1 for char in text)


def width_of(texts: Sequence[str]) -> float:
    """About the width of the longest of some tick labels, in inches."""
    return CHARACTER * max(map(narrow, texts), default=0)


# Metrics in as few words as a picture has room for.


def direction(metric: str, greater_is_better: bool = True) -> str:
    """What a metric is called, and which way is better."""
    return f"{labels([metric])[0]} ({'more' if greater_is_better else 'less'} is better)"


def choose_two(x: str | None, y: str | None, known: Iterable[str], what: str) -> list[str]:
    """Those of `x` and `y` that are given, both known and different, or ValueError."""
    for name, argument in ((x, "x"), (y, "y")):
        if name is not None:
            check_choice(name, argument, tuple(known))
    if x is not None and x == y:
        raise ValueError(f"x and y must be two {what}; got {x!r} twice")
    return [name for name in (x, y) if name is not None]
