"""Numbers as every view shows them: one function for each kind, so that no two views say something else of one.

What is shown never crosses what decides: a p-value stays on its side of alpha, the end of an interval on its side of
the difference under the null hypothesis, and only what is exactly 0% or 100% is called so. Where the usual digits would
cross, more are shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import floor, inf, isfinite, isinf, log10, nan

MAX_DECIMALS, _USUAL = 9, 6  # of numbers that have no four digits in the usual ones
ROUNDING = 1e-12  # of a mean: what is smaller is left over from rounding
ALPHA = 0.05
SMALLEST_P = 0.001  # smaller ones are shown as less
_MORE = 3  # decimals more than usual; what needs still more is shown as less or more than what decides


def magnitude(size: float) -> int:
    """The power of ten of the first digit; of 0.91 - 0.9, which is a little less than 0.01, that of 0.01."""
    return floor(log10(size) + 1e-9)


def decimals(values: Iterable[float]) -> int:
    """Decimals for numbers that stand together, from the largest of them: 4 for a share, more where all are small."""
    size = max((abs(value) for value in values if isfinite(value)), default=0.0)
    if size > 1:
        return 3 if size < 10 else 2 if size < 1000 else 0
    return 4 if size == 0 else min(MAX_DECIMALS, max(4, 2 - magnitude(size)))


def number(value: float, places: int, *, signed: bool = False) -> str:
    """A score or a difference with so many decimals; zero has no sign, what is far too large or small an exponent.

    Of more than six decimals a number has as many as its first four digits take.
    """
    if value != value:
        return "n/a"
    if places > _USUAL and value and isfinite(value):
        places = min(places, max(_USUAL, 3 - magnitude(abs(value))))
    if abs(value) >= 1e12 or (places == MAX_DECIMALS and 0 < abs(value) < 10.0 ** (2 - places)):
        return f"{value:{'+' if signed else ''}.3g}"
    shown = f"{value:z.{places}f}"
    return f"+{shown}" if signed and float(shown) > 0 else shown


def short(value: float, digits: int = 3, *, signed: bool = False) -> str:
    """A few digits of a number that stands alone, written out as in tables: ``0.2``, ``-0.00667``, ``91800``."""
    size = abs(value)
    places = min(MAX_DECIMALS, max(0, digits - 1 - magnitude(size))) if size and isfinite(size) else 0
    shown = number(float(f"{value:.{digits}g}"), places, signed=signed)
    return shown.rstrip("0").rstrip(".") if "." in shown and "e" not in shown else shown


def decimals_of_difference(estimate: float, *means: float, ends: tuple[float, float] = (nan, nan)) -> int:
    """Decimals for a difference beside its means, which decide; three digits of one that they round to nothing.

    And two of half its interval.
    """
    places, size, half = decimals(means), abs(estimate), (ends[1] - ends[0]) / 2
    noise = ROUNDING * max((abs(mean) for mean in means if isfinite(mean)), default=0.0)
    if noise < size < 10.0**-places:
        places = max(places, 2 - magnitude(size))
    if isfinite(half) and half > noise:
        places = max(places, 1 - magnitude(half))
    return min(MAX_DECIMALS, places)


def bound(value: float, places: int, *, signed: bool = True, null: float = 0.0) -> str:
    """The end of an interval, on its own side of the difference under the null hypothesis."""
    for more in range(places, max(places, MAX_DECIMALS) + 1):
        shown = number(value, more, signed=signed)
        if value != value or _side(float(shown), null) == _side(value, null):
            return shown
    for digits in range(MAX_DECIMALS, 17):  # as few as tell
        shown = f"{value:{'+' if signed else ''}.{digits}g}"
        if _side(float(shown), null) == _side(value, null):
            return shown
    return f"{value:{'+' if signed else ''}.17g}"


def interval(low: float, high: float, places: int, *, signed: bool = True, null: float = 0.0, cut: bool = False) -> str:
    """Both ends of an interval, or the one that it has: ``[-0.02, +0.10]``, ``from +0.003``, ``below 0``.

    Ends of a difference have signs, and one that is cut at the null does not hold it.
    """
    if not isfinite(low) and not isfinite(high):
        return "n/a"
    ends = ["0" if cut and end == null == 0 else bound(end, places, signed=signed, null=null) for end in (low, high)]
    if not isfinite(high):
        return f"{'above' if cut and low == null else 'from'} {ends[0]}"
    if not isfinite(low):
        return f"{'below' if cut and high == null else 'up to'} {ends[1]}"
    opening, closing = "(" if cut and low == null else "[", ")" if cut and high == null else "]"
    return f"{opening}{', '.join(ends)}{closing}"


def as_decided(
    low: float, high: float, *, null: float, significant: bool, above: bool, widest: float = inf
) -> tuple[float, float, bool]:
    """An interval that leaves out the null where a difference is significant and nowhere else, and if it is cut there.

    `above`: the significant difference is greater than the null. `widest` is the largest difference that there can be.
    """
    if low != low or high != high:
        return nan, nan, False
    low = low if isinf(low) else min(max(low, -widest), widest)
    high = high if isinf(high) else min(max(high, -widest), widest)
    if (low <= null <= high) == (not significant):
        return low, high, False
    if not significant:
        return min(low, null), max(high, null), False
    low, high = (null, high) if above else (low, null)
    return (low, high, True) if low < high else (nan, nan, False)


def pvalue(value: float, alpha: float = ALPHA) -> str:
    """Three decimals, more where they would not tell whether it is below alpha; less than a bound below 0.001."""
    if value != value:
        return "n/a"
    least = min(SMALLEST_P, alpha)
    return f"<{least:g}" if value < least else _beside(value, 3, alpha)


def equal_to(name: str, value: float, alpha: float = ALPHA) -> str:
    """``p = 0.012``, ``p < 0.001``."""
    return f"{name} is not known" if value != value else f"{name} {related(pvalue(value, alpha))}"


def related(shown: str) -> str:
    """A number behind its name: ``= 0.123``, ``< 0.001``, ``> 0.999``."""
    return f"{shown[0]} {shown[1:]}" if shown[0] in "<>" else f"= {shown}"


def percent(share: float, places: int = 0, *, words: bool = False, decided: float | None = None) -> str:
    """A share or a probability in percent, on its own side of the one that `decided` a claim; on request in words."""
    if share != share:
        return "not known" if words else "n/a"
    shown, least = f"{100 * share:.{places}f}", 10.0**-places
    if share and not float(shown):
        return f"{'less than ' if words else '<'}{least:g}%"
    if share < 1 and float(shown) >= 100:
        return f"{'more than ' if words else '>'}{100 - least:g}%"
    return f"{shown if decided is None else _beside(100 * share, places, 100 * decided)}%"


def probability(value: float, places: int = 3) -> str:
    """A probability as a number; 0 and 1 only where it is exactly so."""
    if value != value:
        return "n/a"
    least = 10.0**-places
    if value in (0, 1):
        return f"{value:.0f}"
    return f"<{least:g}" if value < least else f">{1 - least:g}" if value > 1 - least else f"{value:.{places}f}"


def uncertain(share: float) -> float:
    """A posterior probability, not quite 0 or 1: no finite sample makes one certain, though all draws may agree."""
    return min(max(share, 1e-16), 1 - 1e-16)


def percent_of(share: float) -> str:
    """A level that was set, in percent: that of a test, of an interval, or a power."""
    short = f"{100 * share:.4g}"
    return f"{100 * share:.8g}%" if float(short) in (0, 100) else f"{short}%"  # a level near an end keeps its digits


def whole(count: int) -> str:
    """A count; one of more digits than a float has, however many, as a product."""
    if count < 10**15:
        return f"{count:,}"
    power = floor(log10(count) + 1 - log10(9.995))  # 9.995 is rounded to 10.0
    return f"{10 ** (log10(count) - power):.2f} x 10^{power}"


def _side(value: float, edge: float) -> int:
    return int(value > edge) - int(value < edge)


def _beside(value: float, places: int, edge: float) -> str:
    """A number with so many decimals, or as many more as tell on which side of an edge it is."""
    for more in range(places, places + _MORE + 1):
        shown = f"{value:.{more}f}"
        if _side(float(shown), edge) == _side(value, edge):
            return shown
    return f"{'<' if value < edge else '>'}{edge:.{places}f}"


# Words that agree with a number; names and places in words.


MAX_NAMED = 6


def counted(n: int | str, what: str) -> str:
    """A number of things, such as ``1 split`` or ``1,200 splits``; a text is a number as it will be read."""
    return f"{n if isinstance(n, str) else format(n, ',')} {what}{agreeing(n, '', 's')}"


def some_of(n: int, total: int, what: str) -> str:
    """How many of all there are: ``3 of 10 splits``, or ``the only split``."""
    return f"the only {what}" if n == total == 1 else f"{n:,} of {counted(total, what)}"


def agreeing(n: int | str, one: str, many: str) -> str:
    """The word, or the ending, that goes with one thing or with several."""
    return one if str(n) == "1" else many


def of_all(n: int, total: int) -> str:
    """How many of the models, as a sentence begins: ``2 of 3 models``, ``All 3 models`` or ``Both models``."""
    if n < total:
        return f"{n:,} of {total:,} models"
    return {1: "The only model", 2: "Both models"}.get(n, f"All {n:,} models")


_CASES = (
    *("split", "fold", "sample", "item", "run", "repeat", "data set", "task", "cluster", "case", "effective case"),
    *("judgment", "judged item"),
)


def one_of(cases: str) -> str:
    """The word for one of the cases that pairs of values are of; any other word stays."""
    return next((case for case in _CASES if cases == f"{case}s"), cases)


def briefly(names: Iterable[str]) -> str:
    """The names, of many the first and how many more there are."""
    return listed(names, MAX_NAMED)


def place_of(split: int, n_folds: int) -> str:
    """Which split of an evaluation."""
    repeat, fold = divmod(split, n_folds)
    return f"on split {split} (repeat {repeat}, fold {fold})"


def some_names(names: Sequence[str], most: int = 8) -> str:
    """The names, or the first of many and how many more there are."""
    more = len(names) - most
    return ", ".join(map(repr, names[:most])) + (f" and {more:,} more" if more > 0 else "")


def listed(names: Iterable[str], most: int | None = None) -> str:
    """``x, y and z``; of more names than `most` the first and how many more there are. Names with commas get ``;``."""
    every = [*names]
    if most is not None and len(every) > most:
        every[most:] = [f"{len(every) - most:,} more"]
    apart = "; " if any(", " in name for name in every) else ", "
    return f"{apart.strip(', ')} and ".join(filter(None, (apart.join(every[:-1]), *every[-1:]))) or "none"
