"""What each procedure answers, when to take it and when it misleads, in words; kept in ``guide.toml``."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from skcompare._core.numbers import percent
from skcompare.inference._measured_sizes import MEASURED_SIZES

_SIZE = re.compile(r"\{(lowest|highest) ([^{}]+?) on ([^{}]+?)(?: of ([^{}]+))?\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Guide:
    """What to know of a procedure before taking it.

    Attributes
    ----------
    name : str
        The function of `skcompare.inference`.
    family : str
        The page under ``docs/procedures`` that it is on.
    question : str
        The question that it answers, in one sentence.
    use : str
        When to take it.
    misleads : str
        On which data it gives which wrong answer, with a measured figure where there is one.
    assumes : str
        What it takes for granted.
    designs : str
        The designs it fits, in words, where they are not those of its kind of evidence.
    references : tuple of str
        The papers that a procedure of the tables comes from, keys of `REFERENCES`.
    """

    name: str
    family: str
    question: str
    use: str
    misleads: str
    assumes: str
    designs: str = ""
    references: tuple[str, ...] = ()


def _with_sizes(text: str, name: str) -> str:
    """The text with each ``{highest recall on 10x10}`` replaced by that measured size, its own or ``of`` another."""

    def size(found: re.Match[str]) -> str:
        which, metric, design, other = found.groups()
        cell = MEASURED_SIZES.get(other or name, {}).get(design, {}).get(metric)
        return "(not measured)" if cell is None else percent(cell[which == "highest"])

    return _SIZE.sub(size, text)


def _guide(family: str, name: str, entry: dict[str, Any]) -> Guide:
    misleads, references = _with_sizes(entry["misleads"], name), tuple(entry.get("references", ()))
    return Guide(name=name, family=family, **{**entry, "misleads": misleads, "references": references})


def _read() -> dict[str, Guide]:
    families = tomllib.loads(files("skcompare.inference").joinpath("guide.toml").read_text(encoding="utf-8"))
    return {name: _guide(family, name, entry) for family, named in families.items() for name, entry in named.items()}


GUIDES = MappingProxyType(_read())
_UNKNOWN = Guide(name="", family="", question="", use="", misleads="", assumes="")


def guide(name: str) -> Guide:
    """What to know of the procedure `name`; a test holds that every one has an entry."""
    return GUIDES.get(name, _UNKNOWN)
