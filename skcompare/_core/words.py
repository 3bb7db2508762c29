"""Words that agree with a number, and places in words."""

from __future__ import annotations

from collections.abc import Iterable

MAX_NAMED = 6


def counted(n: int | str, what: str) -> str:
    """A number of things, such as ``1 split`` or ``12 splits``; a text is a number as it will be read."""
    return f"{n} {what}{agreeing(n, '', 's')}"


def agreeing(n: int | str, one: str, many: str) -> str:
    """The word, or the ending, that goes with one thing or with several."""
    return one if str(n) == "1" else many


def briefly(names: Iterable[str]) -> str:
    """The names, of many the first and how many more there are."""
    return listed(names, MAX_NAMED)


def place_of(split: int, n_folds: int) -> str:
    """Which split of an evaluation."""
    repeat, fold = divmod(split, n_folds)
    return f"on split {split} (repeat {repeat}, fold {fold})"


def listed(names: Iterable[str], most: int | None = None) -> str:
    """``x, y and z``; of more names than `most` the first and how many more there are."""
    every = [*names]
    if most is not None and len(every) > most:
        return f"{', '.join(every[:most])} and {len(every) - most} more"
    return " and ".join(part for part in (", ".join(every[:-1]), *every[-1:]) if part) or "none"
