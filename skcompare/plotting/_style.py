"""Colours, markers and names: different in print and to the colour-blind, never longer than the room that axes have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from os.path import commonprefix
from typing import TYPE_CHECKING, Any
from unicodedata import east_asian_width

import numpy as np

from skcompare._core.names import choose_metrics
from skcompare._core.numbers import percent, probability
from skcompare._core.printable import one_line
from skcompare._core.validation import FloatArray
from skcompare.comparison.dominance import dominance_said
from skcompare.comparison.pairs import Scores
from skcompare.inference.dominance.statements import statement_bits
from skcompare.scores.study import StudyScores

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.legend import Legend


# Okabe and Ito (2008), without yellow, which is lost on white paper; black is for what is no model.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#7F7F7F")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">")
LINES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1, 1.2)), (0, (6, 2, 1, 2)), (0, (3, 1, 1, 1, 1, 1)))
BETTER, WORSE, NEUTRAL = "#0072B2", "#D55E00", "#7F7F7F"
ROPE = "#BBBBBB"
LONGEST = 28
# Of titles: characters per inch at their own size, of texts whose width is measured the range of that, a part of the
# room that is used, and how many lines.
PER_INCH, FEWEST_PER_INCH, MOST_PER_INCH, USED, TITLE_LINES = 11.0, 8.0, 14.0, 0.9, 2
FIRST_UNMEASURED = 0x2100  # code of the first character that a font may lack
# Inches beside axes that are alone in their figure: without and with ticks on the left.
MARGIN, WITH_TICKS = 0.2, 0.8
BARE = MARGIN - WITH_TICKS  # what axes without ticks need less beside their title
ABOVE_NAMES = 0.75  # of the width of names: how far to the left of the axes a title begins above them
SMALLEST_LEGEND = SMALLEST_NAME = 4.0  # points
READABLE, LEGEND_PART = 6.0, 0.36  # points of letters; of the height of small axes, what a legend's letters may take
LINE = 1.15  # of names below each other, in font sizes
# Inches of a character of a name; what names leave of the axes at least, in inches and as a part; the shortest.
CHARACTER, LEAST_LEFT, LEAST_PART, SHORTEST_NAME = 0.09, 2.2, 0.55, 8
TITLE_SCALES = (1.0, 0.9, 0.8, 0.7)
# Points from one tick to the next that labels such as "-0.100" need.
TICK_ROOM = 45


def ink(ax: Axes) -> Any:
    """The colour of the words of the axes, for what would be black on white paper."""
    return ax.xaxis.label.get_color()


def paper(ax: Axes) -> Any:
    """The colour behind the data."""
    return ax.get_facecolor()


def look(i: int) -> dict[str, Any]:
    """Colour, marker and line style of model `i`: no two of the first 35 share colour and line."""
    return {
        "color": COLOURS[i % len(COLOURS)],
        "marker": MARKERS[(i + i // len(COLOURS)) % len(MARKERS)],
        "linestyle": LINES[(i // len(COLOURS)) % len(LINES)],
    }


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
    short = {name: _shortened(one_line(name), longest) for name in names}
    for ends in [text for text, n in Counter(short.values()).items() if n > 1]:
        alike = [name for name, text in short.items() if text == ends]
        short |= dict(zip(alike, _what_differs([one_line(name) for name in alike], ends, longest), strict=True))
    return short


def _shortened(text: str, longest: int) -> str:
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


def add_legend(ax: Axes, handles: Sequence[Any], texts: Sequence[str], **options: Any) -> Legend:
    """A legend of any texts beside the axes; matplotlib itself leaves out those that begin with an underscore."""
    beside = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0), "frameon": False}
    legend = ax.legend(handles, [" "] * len(handles), **{**beside, **options})
    for shown, text in zip(legend.get_texts(), texts, strict=True):
        shown.set_text(text)
    return legend


def legend_lines(ax: Axes) -> int:
    """How many lines of letters that can be read a legend in small axes may have."""
    return int(72 * inches(ax)[1] * LEGEND_PART / READABLE) - 1  # its title is a line


def legend_in(
    ax: Axes, handles: Sequence[Any], texts: Sequence[str], *, roomy: bool, title: str | None = None
) -> Legend:
    """A legend beside roomy axes; in small ones where they are emptiest, in letters that fit."""
    if roomy:
        return add_legend(ax, handles, texts, fontsize="small", title=title, title_fontsize="small")
    width, height = (72 * side for side in inches(ax))
    n_lines = len(lines_of([*texts, title or ""]))
    longest = max(map(narrow, lines_of(texts)))
    font = max(
        SMALLEST_LEGEND, min(points("x-small"), height * LEGEND_PART / n_lines, 0.6 * width / (0.6 * longest + 3))
    )
    inside: dict[str, Any] = {"loc": "best", "bbox_to_anchor": None, "labelspacing": 0.2, "title_fontsize": font}
    inside |= {"frameon": True, "framealpha": 0.8, "edgecolor": "none", "borderpad": 0.2}  # lines run behind it
    legend = add_legend(ax, handles, texts, fontsize=font, title=title, **inside)
    legend.set_in_layout(False)
    return legend


def set_title(ax: Axes, title: str, *, beside: float = 0.0, names: float = 0.0) -> None:
    """A title in at most two lines: in small letters if need be, and without its end where even these are too large.

    `beside` inches of the axes' width go to the labels beside them; it begins above names that are `names` inches wide.
    """
    from matplotlib.transforms import ScaledTranslation

    shift = ABOVE_NAMES * names
    text = one_line(title).replace(r"\$", "$")
    room = max(20.0, _per_inch(text) * (_room_above(ax, names) - beside + shift))
    scale = next((part for part in TITLE_SCALES if _n_lines(text, room / part) <= TITLE_LINES), TITLE_SCALES[-1])
    lines = wrapped(text, int(room / scale)).split("\n")
    if len(lines) > TITLE_LINES:
        lines = [*lines[: TITLE_LINES - 1], f"{lines[TITLE_LINES - 1]} …"]
    size = scale * points("medium")
    shown = ax.set_title("\n".join(lines), fontsize=size, loc="left", parse_math=False)
    if shift:
        shown.set_transform(shown.get_transform() + ScaledTranslation(-shift, 0, ax.figure.dpi_scale_trans))


def _room_above(ax: Axes, names: float) -> float:
    """Inches from the axes' left to the end of what a title may take, beside names of a width."""
    alone = len(ax.figure.axes) == 1 and ax.figure.get_layout_engine() is not None
    whole = ax.figure.bbox.width / ax.figure.dpi
    return max(inches(ax)[0] - names, whole - names - (MARGIN if names else WITH_TICKS) if alone else 0.0)


def _per_inch(text: str) -> float:
    """Characters of a text that an inch has room for, in letters of medium size."""
    if any(ord(char) >= FIRST_UNMEASURED for char in text):
        return PER_INCH
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    width, _, _ = text_to_path.get_text_width_height_descent(text, FontProperties(size="medium"), ismath=False)
    return min(MOST_PER_INCH, max(FEWEST_PER_INCH, USED * 72 * len(text) / max(width, 1.0)))


def _n_lines(text: str, room: float) -> int:
    return wrapped(text, int(room)).count("\n") + 1


def name_rows(ax: Axes, places: Sequence[float], names: Sequence[str], title: str, *, shorten: bool = True) -> float:
    """Rows with their names on the left, a title above, and no line but the one below; the names' width in inches."""
    shown, scale = fitted_names(ax, names, shorten=shorten)
    ax.set_yticks(places, shown)
    ax.tick_params(axis="y", length=0, labelsize=scale * points("medium"))
    ax.spines[["top", "right", "left"]].set_visible(False)
    width = scale * width_of(lines_of(shown))
    set_title(ax, title, names=width)
    return width


def fitted_names(ax: Axes, names: Sequence[str], *, by: float = 1.0, shorten: bool = True) -> tuple[list[str], float]:
    """Names beside rows and the scale of their letters: small, then shortened, where they leave the rows no room.

    `by` is the scale where there is room; without `shorten` the names stay whole.
    """
    (width, height), needed = inches(ax), width_of(lines_of(names))
    room = max(0.0, width - min(LEAST_LEFT, LEAST_PART * width))
    by = max(SMALLEST_NAME / points("medium"), min(by, 72 * height / points("medium") / LINE / (len(names) + 0.5)))
    if by * needed <= room:
        return list(names), by
    scale = min(by, max(TITLE_SCALES[-1], room / needed))
    longest = max(SHORTEST_NAME, int(room / scale / CHARACTER))
    if not shorten or scale * needed <= room or any("\n" in name for name in names):
        return list(names), scale
    return labels([name.replace(r"\$", "$") for name in names], longest), scale


def set_below(ax: Axes, lines: Sequence[str], *, beside: float = 0.0, size: str = "medium") -> None:
    """Words below the axes, each line in small letters or in several lines if need be."""
    room = max(12.0, PER_INCH * points("medium") / points(size) * (_room_above(ax, ABOVE_NAMES * beside)))
    longest = max(narrow(line) for line in lines)
    scale = next((part for part in TITLE_SCALES if longest <= room / part), TITLE_SCALES[-1])
    shown: list[str] = []
    for line in lines:
        fits = narrow(line) <= room / scale
        parts = [line] if fits else [wrapped(part, int(room / scale)) for part in line.split("    ")]
        shown += parts
    ax.set_xlabel("\n".join(shown), fontsize=scale * points(size))


def lines_of(names: Sequence[str]) -> list[str]:
    """All lines of some names."""
    return [line for name in names for line in name.split("\n")]


def points(size: str) -> float:
    """A named size of letters in points."""
    from matplotlib.font_manager import FontProperties

    return float(FontProperties(size=size).get_size_in_points())


def wrapped(text: str, room: int) -> str:
    """Text in lines of at most so many narrow characters, where its words allow it."""
    lines = [""]
    for word in text.split():
        joined = f"{lines[-1]} {word}".lstrip()
        if lines[-1] and narrow(joined) > room:
            lines.append(word)
        else:
            lines[-1] = joined
    return "\n".join(lines)


def narrow(text: str) -> int:
    """Length of a text in narrow characters: Chinese, Japanese and Korean ones are as wide as two."""
    return sum(2 if east_asian_width(char) in "WF" else 1 for char in text)


def width_of(texts: Sequence[str]) -> float:
    """About the width of the longest of some tick labels, in inches."""
    return CHARACTER * max(map(narrow, texts), default=0)


def inches(ax: Axes) -> tuple[float, float]:
    """Width and height of the axes."""
    place, whole = ax.get_position(), ax.figure.bbox
    return place.width * whole.width / ax.figure.dpi, place.height * whole.height / ax.figure.dpi


def spread_ticks(ax: Axes) -> None:
    """Let the ticks that matplotlib chooses for the horizontal axis be so few that their labels stay apart."""
    from matplotlib.ticker import AutoLocator

    locator = ax.xaxis.get_major_locator()
    if isinstance(locator, AutoLocator):
        locator.set_params(nbins=min(9, max(2, int(inches(ax)[0] * 72 / TICK_ROOM))))


# Places for names near their points, where they hide no other name.


# Beside the point first: intervals are drawn to the right and left of it, and above and below.
_DIRECTIONS = [
    *((1, 1), (1, -1), (-1, 1), (-1, -1), (1, 0), (-1, 0), (0, 1), (0, -1)),
    *((1, 0.5), (1, -0.5), (-1, 0.5), (-1, -0.5), (0.5, 1), (0.5, -1), (-0.5, 1), (-0.5, -1)),
]
_STEP = 0.06
Box = tuple[float, float, float, float]


def place_labels(
    points: FloatArray, sizes: FloatArray, room: tuple[float, float], clearance: float
) -> list[tuple[float, float] | None]:
    """The nearest free place of each label, one after the other.

    Parameters
    ----------
    points : ndarray of shape (n, 2)
        What the labels belong to.
    sizes : ndarray of shape (n, 2)
        Widths and heights of the labels.
    room : tuple of float
        Width and height within which they must be; all lengths in one unit.
    clearance : float
        Half the side of the square at each point that labels leave free.

    Returns
    -------
    list of (float, float) or None
        Centres of the labels; None where there is no place. In a larger room, with all places scaled, they do not
        overlap either.
    """
    taken: list[Box] = [(x - clearance, x + clearance, y - clearance, y + clearance) for x, y in points]
    places: list[tuple[float, float] | None] = []
    for (x, y), (width, height) in zip(points, sizes, strict=True):
        place = _first_free((x, y), (width, height), room, clearance, taken)
        places.append(place)
        if place is not None:
            taken.append(_box(place, (width, height)))
    return places


def _first_free(
    point: tuple[float, float], size: tuple[float, float], room: tuple[float, float], gap: float, taken: Sequence[Box]
) -> tuple[float, float] | None:
    for distance in np.arange(gap, max(room), _STEP):
        for along, across in _DIRECTIONS:
            place = (point[0] + along * (distance + size[0] / 2), point[1] + across * (distance + size[1] / 2))
            left, right, low, high = box = _box(place, size)
            inside = left >= 0 and low >= 0 and right <= room[0] and high <= room[1]
            if inside and not any(_overlap(box, other) for other in taken):
                return place
    return None


def _box(place: tuple[float, float], size: tuple[float, float]) -> Box:
    return place[0] - size[0] / 2, place[0] + size[0] / 2, place[1] - size[1] / 2, place[1] + size[1] / 2


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[1] and other[0] < one[1] and one[2] < other[3] and other[2] < one[3]


# Patterns of wins, procedures, p-values and probabilities in as few words as a picture has room for.


LONGEST_NAME = 16
LONGEST_METRIC = 18
_LONGEST_LIST = 26


def probability_text(p: float) -> str:
    """``= 0.123``, ``< 0.001``, ``> 0.999``, after the name of an event."""
    return f"= {probability(p)}".replace("= <", "< ").replace("= >", "> ")


def in_words(procedure: str) -> str:
    """The name of a procedure in words: ``"k-fold t test"`` of ``"k_fold_t_test"``."""
    words = procedure.replace("_", " ")
    for plain, spelled in (("k fold", "k-fold"), ("signed rank", "signed-rank"), ("five by two", "5x2")):
        words = words.replace(plain, spelled)
    return words


def short_statement(statement: Sequence[bool], metrics: Sequence[str], a: str, b: str) -> str:
    """Who is better on what: the better one on most, and on what it is not.

    Exceptions that have no room are given by their numbers, from 1.
    """
    names = labels(metrics, longest=LONGEST_METRIC)
    a, b = labels([a, b], longest=LONGEST_NAME)
    winner = a if 2 * sum(statement) >= len(names) else b
    exceptions = [i for i, better in enumerate(statement) if better != (winner == a)]
    if not exceptions:
        return (
            f"{winner} better on {names[0] if len(names) == 1 else 'both' if len(names) == 2 else f'all {len(names)}'}"
        )
    if len(names) == 2:
        return f"{winner} better on {names[1 - exceptions[0]]} only"
    listed = ", ".join(names[i] for i in exceptions)
    if len(listed) > _LONGEST_LIST:
        listed = f"nos. {', '.join(str(i + 1) for i in exceptions)}"
    return f"{winner} better on all but {listed}"


def pattern_title(
    statement: Sequence[bool] | None,
    metrics: Sequence[str],
    a: str,
    b: str,
    *,
    probabilities: FloatArray,
    pvalue: float,
    within_reach: bool,
) -> str:
    """The most probable pattern of wins of one pair in a line, or that there is none."""
    if statement is None:
        return "{} and {}: no pattern of wins is more frequent than all others".format(*labels([a, b], LONGEST_NAME))
    most_probable = statement_bits(len(metrics))[int(np.argmax(probabilities))].tolist()
    found = f"posterior {percent(float(np.max(probabilities)))}"
    if most_probable == [bool(better) for better in statement]:
        found += f", {dominance_said(pvalue, within_reach=within_reach)}"
    return f"most probable pattern of wins: {short_statement(most_probable, metrics, a, b)} ({found})"


def unit_of(scores: Scores) -> str:
    """What dominance counts: data sets, samples or items, or the independent cases that splits are worth."""
    if isinstance(scores, StudyScores):
        return "data sets"
    alone = scores.design.kind != "folds" and scores.design.n_clusters is None
    return scores.design.cases if alone else "effective cases"


def two_metrics(metrics: Sequence[str] | None, known: tuple[str, ...]) -> tuple[str, str]:
    """The two metrics of a plane, the first two by default, or ValueError."""
    names = choose_metrics(metrics, known)
    chosen = names[:2] if metrics is None else names
    if len(chosen) != 2:
        raise ValueError(f"metrics must name exactly two metrics; got {', '.join(map(repr, chosen))}")
    return chosen[0], chosen[1]
