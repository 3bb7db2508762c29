"""Plain text for a terminal: wrapped lines, list items, tables as wide as their cells, and the names of tests."""

from __future__ import annotations

import os
import re
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import repeat
from pathlib import Path

WIDTH = 80
MAX_CELL = 50


def one_line(text: str) -> str:
    """`text` as one line of printable characters, with ``?`` for all others."""
    joined = " ".join(text.split())
    return joined if joined.isprintable() else "".join(char if char.isprintable() else "?" for char in joined)


@contextmanager
def needs(what: str, extra: str) -> Iterator[None]:
    """Says what needs the libraries that are imported within, and how to install them, where one is lacking."""
    try:
        yield
    except ImportError as error:
        raise ImportError(f"{what}: pip install 'skcompare[{extra}]'") from error


def capital(text: str) -> str:
    """The text as the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def none_named(metric: str) -> str:
    """That no model is the best on a metric: the words of answers, ranks and pictures."""
    return f"No model can be named on {metric}"


def table(header: Sequence[str], lines: Sequence[Sequence[object]], *, left: Sequence[int]) -> str:
    """Columns as wide as their cells; names to the left, numbers to the right.

    Where it would be wider than `WIDTH`, long headings take two lines.
    """
    head, cells = list(map(one_line, header)), [list(map(one_line, map(str, line))) for line in lines]
    shown = _columns([head], cells, left)
    if width(shown) > WIDTH and cells:
        room = (1 + max(map(len, column)) for column in zip(*cells, strict=True))
        halves = [_halves(cell) if len(cell) > most else ("", cell) for cell, most in zip(head, room, strict=True)]
        upper, lower = zip(*halves, strict=True)
        shown = _columns([upper, lower], cells, left) if any(upper) else shown
    return shown


def width(text: str) -> int:
    """The characters of the longest line."""
    return max(map(len, text.splitlines()), default=0)


def _halves(heading: str) -> tuple[str, str]:
    """The words of a heading in two lines, the longer one as short as can be; a single word in the lower line."""
    words = re.split(r"(?<!-)(?<= )|(?<=_)(?!_)", heading)  # "- b" stays together
    halves = (("".join(words[:i]).rstrip(), "".join(words[i:])) for i in range(len(words)))
    return min(halves, key=lambda half: max(map(len, half)))


def _columns(heads: Sequence[Sequence[str]], lines: Sequence[Sequence[str]], left: Sequence[int]) -> str:
    columns = []
    for i, column in enumerate(zip(*heads, *lines, strict=True)):
        columns.append([*map(str.ljust if i in left else str.rjust, column, repeat(max(map(len, column))))])
    rows = [*map(str.rstrip, map("  ".join, zip(*columns, strict=True)))]
    return "\n".join([*rows[: len(heads)], "-" * max(map(len, rows)), *rows[len(heads) :]])


def wrap(line: str, indent: str = "") -> str:
    """Lines of at most `WIDTH` characters; a p-value stays on one of them, and so does a difference."""
    kept = re.sub(r"\bp ([=<]) ", "p\u00a0\\1\u00a0", one_line(line))
    kept = re.sub(r"(?<=\S) - (?=\S)", "\u00a0-\u00a0", kept)
    filled = textwrap.fill(kept, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return filled.replace("\u00a0", " ")


def item(line: str) -> str:
    return wrap(f"- {line}", indent="  ")


# What tests are called, beside those whose own names can be read.
_TESTS = {
    "k_fold_t_test": "k-fold t test",
    "five_by_two_t_test": "5x2 t test",
    "five_by_two_f_test": "5x2 F test",
    "blocked_m_by_two_test": "blocked m x 2 test",
    "welch_t_test": "Welch's t test",
    "wald_test": "Wald test",
    "diebold_mariano_test": "Diebold-Mariano test",
    "mcnemar_test": "McNemar's test",
    "delong_test": "DeLong's test",
    "paired_metric_test": "paired exchange test",
    "jackknife_z_test": "z test by the jackknife",
    "cv_clt_test": "central limit test of cross-validation",
    "signed_rank_test": "signed-rank test",
    "dataset_t_test": "t test over data sets",
    "adjusted_means_test": "t test of adjusted means",
    "nested_cv_interval": "nested cross-validation",
}


def name_of_test(procedure: str) -> str:
    """What a test is called in a sentence."""
    return _TESTS.get(procedure, procedure.replace("_", " "))


_OF_PERSONS = ("holm", "bonferroni", "hochberg", "hommel")  # adjustments of p-values that are called by who wrote them


def adjustment(correction: str) -> str:
    """What an adjustment of p-values is called in a sentence."""
    if correction == "none":
        return "no adjustment"
    return f"{correction.capitalize()}'s adjustment" if correction in _OF_PERSONS else f"the adjustment {correction!r}"


def parts_of(names: Sequence[str]) -> list[list[str]]:
    """The parts of names that are all pairs of two lists, as svm_iris and svm_wine; none of others."""
    ends = {name.rpartition("/")[2] for name in names}
    shared = os.path.commonpath(names) if all("/" in name for name in names) and len(names) > 1 else ""
    own = [os.path.relpath(name, shared) if shared else name for name in names]
    own = [str(Path(name).parent if len(ends) == 1 else Path(name).with_suffix("")) for name in own] if shared else own
    for sign, i in ((sign, i) for sign in "/_-." for i, letter in enumerate(own[0]) if letter == sign):
        head, tail = f"{own[0][:i]}{sign}", own[0][i:]
        heads = [name.removesuffix(tail) for name in own if name.endswith(tail)]
        tails = [name.removeprefix(head) for name in own if name.startswith(head)]
        pairs = {f"{one}{sign}{other}": [one, other] for one in heads for other in tails if one and other}
        if min(len(heads), len(tails)) > 1 and len(names) == len(pairs) and pairs.keys() == {*own}:
            return [pairs[name] for name in own]
    return []
