"""Words that agree with a number, and places in words."""

from __future__ import annotations


def counted(n: int | str, what: str) -> str:
    """A number of things, such as ``1 split`` or ``12 splits``; a text is a number as it will be read."""
    return f"{n} {what}{agreeing(n, '', 's')}"


def agreeing(n: int | str, one: str, many: str) -> str:
    """The word, or the ending, that goes with one thing or with several."""
    return one if str(n) == "1" else many


def place_of(split: int, n_folds: int) -> str:
    """Which split of an evaluation."""
    repeat, fold = divmod(split, n_folds)
    return f"on split {split} (repeat {repeat}, fold {fold})"
