"""What each procedure answers, when to take it and when it misleads, in words; kept in ``guide.toml``."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from skcompare._core.numbers import listed, percent
from skcompare._core.record import Frozen
from skcompare.inference._rates import MEASURED_SIZES

_HERE = Path(__file__).parent
_SIZE = re.compile(r"\{(lowest|highest) ([^{}]+?) on ([^{}]+?)(?: of ([^{}]+))?\}")


class Guide(Frozen):
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
    assumes : tuple of str
        What it takes for granted.
    designs : str
        The designs it fits, in words, where they are not those of its kind of evidence.
    references : tuple of str
        The papers that a procedure of the tables comes from, keys of `references`.
    """

    name: str
    family: str
    question: str
    use: str
    misleads: str
    assumes: tuple[str, ...]
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
    own = {"misleads": misleads, "references": references, "assumes": tuple(entry["assumes"])}
    return Guide(name=name, family=family, **{**entry, **own})


@cache
def guides() -> Mapping[str, Guide]:
    """What to know of each procedure, by its name; read when it is first asked for."""
    families = [(family, named) for family, named in _table("guide").items() if family not in ("auto", "papers")]
    read = {name: _guide(family, name, entry) for family, named in families for name, entry in named.items()}
    return MappingProxyType(read)


def defaults() -> Mapping[str, Mapping[str, str]]:
    """Of each default of ``"auto"`` its designs and why it is taken there, by name."""
    found: Mapping[str, Mapping[str, str]] = _table("guide")["auto"]
    return found


@cache
def _table(name: str) -> dict[str, Any]:
    return tomllib.loads((_HERE / f"{name}.toml").read_text(encoding="utf-8"))


OF_FITTED_MODELS = ("speaks of the fitted models, not of their training", "speaks of the fitted models")  # as assumed
# Of a procedure without an entry; a test holds that every one has one.
UNKNOWN = Guide(name="", family="", question="", use="", misleads="", assumes=())


# The papers that the procedures rest on, as records that print as text and as BibTeX.


Kind = Literal["article", "inproceedings", "incollection", "book", "phdthesis", "misc"]

# What BibTeX calls the place where each kind of work appeared.
_VENUES: dict[Kind, str] = {
    "article": "journal",
    "inproceedings": "booktitle",
    "incollection": "booktitle",
    "book": "publisher",
    "phdthesis": "school",
    "misc": "howpublished",
}
_ACCENTS = {"\u0301": "'", "\u030c": "v", "\u0308": '"'}
_INITIALS = re.compile(r"((?:\w\.[ -]?)+)\s*(.+)")


class Reference(Frozen):
    """One paper or book.

    Attributes
    ----------
    key : str
        Its key in `references` and in BibTeX: first author, year, a word of the title.
    kind : str
        BibTeX's type of entry.
    authors : tuple of str
        Initials and family name of each.
    year : int
        Of publication.
    title : str
        In sentence case.
    venue : str
        Journal, proceedings or publisher.
    volume : str
        With the number in brackets; empty where there is none.
    publisher : str
        Of a chapter in a book; empty elsewhere.
    pages : str
        First and last, or the number of the article; empty where there are none.
    doi : str
        Empty where it has none, or it is not known.
    """

    key: str
    kind: Kind
    authors: tuple[str, ...]
    year: int
    title: str
    venue: str
    volume: str = ""
    publisher: str = ""
    pages: str = ""
    doi: str = ""

    @property
    def text(self) -> str:
        """Authors, year, title and venue in one line."""
        place = ", ".join(part for part in (f"{self.venue} {self.volume}".strip(), self.publisher, self.pages) if part)
        return f"{listed(self.authors)} ({self.year}), {self.title}{'' if self.title.endswith('?') else ','} {place}"

    @property
    def names(self) -> str:
        """The family names as a sentence cites them: one, two, or the first and others."""
        families = [_family_first(author)[0] for author in self.authors]
        return f"{families[0]} et al." if len(families) > 2 else " and ".join(families)

    @property
    def citation(self) -> str:
        """Author and year for use in brackets: ``Nadeau and Bengio, 2003``."""
        return f"{self.names}, {self.year}"

    def bibtex(self) -> str:
        """The BibTeX entry, in ASCII; its title keeps its capitals."""
        volume, number = re.fullmatch(r"([^(]*)(?:\((.*)\))?", self.volume).groups(default="")  # type: ignore[union-attr]
        fields = [
            ("author", " and ".join(", ".join(filter(None, _family_first(author))) for author in self.authors)),
            ("title", f"{{{self.title}}}"),
            (_VENUES[self.kind], self.venue),
            ("volume", volume),
            ("number", number),
            ("pages", self.pages.replace("-", "--")),
            ("publisher", self.publisher),
            ("year", str(self.year)),
        ]
        lines = [f"  {name} = {{{_latex(value)}}}" for name, value in fields if value]
        lines += [f"  doi = {{{self.doi}}}"] if self.doi else []
        return ",\n".join([f"@{self.kind}{{{self.key}", *lines]) + "\n}"


def _family_first(author: str) -> tuple[str, str]:
    """Family name and initials."""
    found = _INITIALS.fullmatch(author)
    return (found[2], found[1].strip()) if found else (author, "")


def _latex(text: str) -> str:
    """Accents as LaTeX commands, quotes as it sets them, and its special characters escaped."""
    text = re.sub(r'"([^"]*)"', r"``\1''", text)
    text = re.sub(r"[&%$#_]", r"\\\g<0>", text)
    return "".join(_letter(char) for char in text)


def _letter(char: str) -> str:
    parts = unicodedata.normalize("NFD", char)
    return f"{{\\{_ACCENTS[parts[1]]}{{{parts[0]}}}}}" if len(parts) > 1 else char


@cache
def references() -> Mapping[str, Reference]:
    """The papers by their keys."""
    read = {
        key: Reference(key=key, **{**entry, "authors": tuple(entry["authors"])})
        for key, entry in _table("references").items()
    }
    return MappingProxyType(read)


def papers_of(name: str) -> tuple[str, ...]:
    """Keys of the papers of a procedure, an adjustment or, without a name, of software; none of other names."""
    return tuple(_table("guide")["papers"].get(name, guides().get(name, UNKNOWN).references))
