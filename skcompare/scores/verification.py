"""What is found where a result is made again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from skcompare._core.html import Table
from skcompare._core.record import Record
from skcompare._core.text import item

TOLERANCE = 1e-12
Outcome = Literal["identical", "close", "different", "unverified"]
_SAID: dict[Outcome, str] = {
    "identical": "The result is confirmed: made again, it is the same bit for bit.",
    "close": f"The result is confirmed: made again, it is the same to {TOLERANCE:g}.",
    "different": "The result is not confirmed: made again, it is different.",
    "unverified": "The result cannot be verified; nothing was fitted.",
}


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Difference(Record):
    """Where a result differs when it is run again.

    Attributes
    ----------
    what : str
        ``"score"``, ``"predictions"``, or the attribute of the result.
    estimator, metric : str or None
        Where it is about one; for predictions `metric` is the method that gave them.
    split : int or None
        Counted from 0.
    saved, again : object
        Both values.
    """

    what: str
    estimator: str | None = None
    metric: str | None = None
    split: int | None = None
    saved: Any
    again: Any

    def _sentence(self) -> str:
        places = (("of", self.estimator), ("by", self.metric), ("on split", self.split))
        where = " ".join(f"{word} {place}" for word, place in places if place is not None)
        return (
            f"The first difference: {self.what} {where}".rstrip()
            + f" is {self.saved!r} in the result, {self.again!r} made again."
        )


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Verification(Record):
    """Whether a result comes out the same when it is run again.

    Attributes
    ----------
    outcome : {"identical", "close", "different", "unverified"}
        Bit for bit; to 1e-12, relative to scores larger than 1; not the same; or it cannot be verified.
    reasons : tuple of str
        All that keeps the result from being verified; nothing was fitted then.
    difference : Difference or None
        The first one beyond 1e-12.
    largest : float
        The largest absolute difference of a score; nan where nothing was compared.
    n_scores : int
        Scores that were compared.
    models : mapping of str to str
        What was fitted, by name.
    renamed : mapping of str to str
        The metrics of the result that are called otherwise than the scorer that makes them, with its name.
    versions : mapping of str to tuple of str
        Packages of which another version is here than the result was made with: that one, and this one.
    left_out : tuple of str
        What was not compared, or not warned of.
    """

    outcome: Outcome
    reasons: tuple[str, ...] = ()
    difference: Difference | None = None
    largest: float = float("nan")
    n_scores: int = 0
    models: Mapping[str, str] = field(default_factory=dict)
    renamed: Mapping[str, str] = field(default_factory=dict)
    versions: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()

    def __str__(self) -> str:
        said = [self._sentence(), *map(item, self.reasons)]
        said += [item(f"fitted {name}: {text}") for name, text in self.models.items()]
        said += [item(f"the metric called {name!r} is {scorer!r}") for name, scorer in self.renamed.items()]
        said += [
            item(f"{name} {saved} made the result, {here} is here") for name, (saved, here) in self.versions.items()
        ]
        return "\n".join([*said, *(item(f"not compared: {what}") for what in self.left_out)])

    def _sentence(self) -> str:
        counted = f" {self.n_scores} scores were compared." if self.n_scores else ""
        first = "" if self.difference is None else f" {self.difference._sentence()}"
        return f"{_SAID[self.outcome]}{first}{counted}"

    def _tables(self) -> list[Table]:
        return [Table(("package", "made with", "here"), [[name, *both] for name, both in self.versions.items()])]

    def _warnings(self) -> tuple[str, ...]:
        return self.reasons
