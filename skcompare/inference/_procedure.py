"""What a row of the tables of procedures says, and the forms of evidence that procedures take."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from inspect import Parameter, signature
from typing import Any, Literal

from skcompare._core.design import Design, Evidence
from skcompare._core.meanings import cut, did_you_mean, meaning, nearest
from skcompare._core.warnings import CodedWarning
from skcompare.inference._guide import GUIDES, Guide, guide
from skcompare.inference._many_pairs import ManyTTests

Kind = Literal["fold scores", "predictions", "data sets"]
Subject = Literal["pair", "one model", "all models"]
Returns = Literal["test", "posterior", "verdict", "description", "omnibus", "pairs", "control"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Arguments:
    """What a procedure is called with.

    Attributes
    ----------
    positional : tuple
        In order.
    options : mapping of str to object
        Keywords that the evidence sets; what the user gave comes over them.
    warnings : tuple of str
        What is wrong with the evidence; added to the record's.
    """

    positional: tuple[Any, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[CodedWarning, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A form of evidence.

    Attributes
    ----------
    words : str
        What it is, in words.
    kind : {"fold scores", "predictions", "data sets"}
        Where it comes from.
    subject : {"pair", "one model", "all models"}
        Whom a procedure that takes it is about.
    arguments : callable
        Turns the evidence for a question into the `Arguments` of a procedure.
    joint : bool
        Whether it holds several metrics at once.
    set_by_evidence : tuple of str
        The options that `arguments` sets and nobody may give.
    """

    words: str
    kind: Kind
    subject: Subject = "pair"
    arguments: Callable[[Any], Arguments]
    joint: bool = False
    set_by_evidence: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.words


# The designs that procedures of a kind fit, unless their guide says otherwise; on data sets their form says it.
_DESIGNS: Mapping[Kind, str] = {
    "fold scores": "any resampling of one data set",
    "predictions": "one test set; folds are pooled with a warning",
}


def _any_design(design: Design, options: Mapping[str, Any]) -> bool:  # noqa: ARG001
    return True


def _no_options(design: Design) -> Mapping[str, Any]:  # noqa: ARG001
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Procedure:
    """One row of a table.

    Attributes
    ----------
    function : callable
        The function of `skcompare.inference`.
    takes : Form
        The evidence it needs, and how it becomes arguments.
    returns : {"test", "posterior", "verdict", "description", "omnibus", "pairs", "control"}
        Whether its record has a p-value for two models, posterior probabilities, another verdict, or none; of all
        models also one p-value for all, one for each pair, or one for each against a control.
    metrics : tuple of str
        The metrics that it can speak of; empty where any.
    shape : callable
        Whether it fits the repeats and folds of a design, given the user's options.
    kinds : tuple of {"folds", "samples", "items", "runs", "paired runs"}
        What it fits, as in `Design.evidence`; by default folds, and of predictions samples too.
    options : callable
        The options that it reads from a design.
    many : callable or None
        The same of many pairs whose scores lack nothing, from their `ManyDifferences`.
    """

    function: Callable[..., Any]
    takes: Form
    returns: Returns = "test"
    metrics: tuple[str, ...] = ()
    shape: Callable[[Design, Mapping[str, Any]], bool] = _any_design
    kinds: tuple[Evidence, ...] = ()
    options: Callable[[Design], Mapping[str, Any]] = _no_options
    many: Callable[..., ManyTTests] | None = None

    @property
    def name(self) -> str:
        """The function's name, under which results know it too."""
        return self.function.__name__

    def fits(self, design: Design, options: Mapping[str, Any]) -> bool:
        """Whether it fits a design, given the user's options."""
        kinds = self.kinds or (("folds", "samples") if self.takes.kind == "predictions" else ("folds",))
        return design.evidence in kinds and self.shape(design, options)

    @property
    def guide(self) -> Guide:
        """What to know of it before taking it."""
        return guide(self.name)

    @property
    def designs(self) -> str:
        """The designs it fits, in words."""
        return self.guide.designs or _DESIGNS.get(self.takes.kind, self.takes.words)

    @property
    def keywords(self) -> Mapping[str, Any]:
        """Its options with their own defaults, `Parameter.empty` where there is none."""
        return _keywords(self.function)

    @property
    def directed(self) -> bool:
        """Whether it takes an `alternative`; where several are allowed each names its own default."""
        return self.takes.subject != "all models" and "alternative" in self.keywords

    @property
    def takes_null(self) -> bool:
        """Whether it can test a difference other than 0."""
        return "null" in self.keywords

    @property
    def needs_clusters(self) -> bool:
        """Whether it is of items in clusters alone."""
        return self.keywords.get("clusters") is Parameter.empty

    def check_options(self, given: Mapping[str, Any], taken: set[str], by: str) -> None:
        """Raise ValueError for an option that it does not have, that is `taken` (set by what), or that is lacking."""
        taken = taken | {"alternative", "null"}
        names = [name for name in self.keywords if name not in taken]
        for name in given:
            if name not in names:
                why = f"is set by the {by} for" if name in taken else "is no option of"
                raise ValueError(f"{name} {why} {self.name!r}, which takes {', '.join(names) or 'none'}")
        for name in names:
            if self.keywords[name] is Parameter.empty and name not in given:
                raise ValueError(f"{name} must be given for {self.name!r}")


@cache
def _keywords(function: Callable[..., Any]) -> Mapping[str, Any]:
    parameters = signature(function).parameters.values()
    return {p.name: p.default for p in parameters if p.kind is Parameter.KEYWORD_ONLY}


def unknown_procedure(
    name: Any, known: Sequence[str], *, default: str, of: str, elsewhere: str, families: Collection[str]
) -> str:
    """The refusal of a name: first what it means among the known ones, or among those of other evidence."""
    others = [row.name for row in GUIDES.values() if row.family in families and row.name not in known]
    meant = meaning(name) or tuple(other for other in others if name in (other, other.removesuffix("_test")))
    near = nearest(name, known)
    if meant and not set(meant) & set(known):
        hint = f"{meant[0]!r} is for {elsewhere}. "
    elif default in near:
        hint = f"did you mean {default!r}, the default? "
    else:
        hint = did_you_mean(near)
    return cut(f"{hint}procedure must be 'auto' or one that procedures() lists for {of}; got {name!r}")
