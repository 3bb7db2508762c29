"""Numbers as every view shows them: one rule for the decimals of what stands together, one notation of intervals."""

from __future__ import annotations

from collections.abc import Iterable
from math import floor, isfinite, log10

MAX_DECIMALS = 9
ROUNDING = 1e-12  # of a mean: what is smaller is left over from rounding


def decimals(values: Iterable[float]) -> int:
    """Decimals for numbers that stand together, from the largest of them: 4 for a share, more where all are small."""
    size = max((abs(value) for value in values if isfinite(value)), default=0.0)
    if size > 1:
        return 3 if size < 10 else 2 if size < 1000 else 0
    return 4 if size == 0 else min(MAX_DECIMALS, max(4, 2 - floor(log10(size))))


def number(value: float, places: int, *, signed: bool = False) -> str:
    """A number with so many decimals; zero has no sign, and what is far too large or small an exponent."""
    if value != value:
        return "n/a"
    if abs(value) >= 1e12 or (places == MAX_DECIMALS and 0 < abs(value) < 10.0 ** (2 - places)):
        return f"{value:{'+' if signed else ''}.3g}"
    shown = f"{value:z.{places}f}"
    return f"+{shown}" if signed and float(shown) > 0 else shown


def decimals_of_difference(estimate: float, *means: float) -> int:
    """Decimals for a difference beside its means, which decide; two digits of one that they would round to nothing."""
    places = decimals(means)
    size = abs(estimate)
    noise = ROUNDING * max((abs(mean) for mean in means if isfinite(mean)), default=0.0)
    if noise < size < 10.0**-places:
        return min(MAX_DECIMALS, max(places, 1 - floor(log10(size))), places + 4)
    return places


def interval(low: float, high: float, places: int, *, signed: bool = True) -> str:
    """Both ends of an interval; those of a difference have signs."""
    ends = [number(end, places, signed=signed) for end in (low, high)]
    return "n/a" if not isfinite(low) and not isfinite(high) else f"[{', '.join(ends)}]"


def whole(count: int) -> str:
    """A count; one of more digits than a float has, however many, as a product."""
    if count < 10**15:
        return f"{count:,}"
    power = floor(log10(count) + 1 - log10(9.995))  # 9.995 is rounded to 10.0
    return f"{10 ** (log10(count) - power):.2f} x 10^{power}"


def percent_of(level: float) -> str:
    """A level in percent, such as ``95%``."""
    return f"{100 * level:g}%"
