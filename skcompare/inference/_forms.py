"""What a row of the tables of procedures says, and the forms of evidence that procedures take."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cache, partial
from inspect import Parameter, signature
from operator import methodcaller
from typing import Any, Literal

import numpy as np

from skcompare import inference
from skcompare._core.design import Design, Evidence
from skcompare._core.validation import cut, did_you_mean, meaning, nearest
from skcompare._core.warnings import CodedWarning
from skcompare.inference._guide import UNKNOWN, Guide, guides
from skcompare.inference._records import ManyTTests

Kind = Literal["fold scores", "predictions", "data sets"]
Subject = Literal["pair", "one model", "all models"]
Shape = Callable[[Design, Mapping[str, Any]], bool]
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


@dataclass(frozen=True, slots=True)
class Procedure:
    """One row of a table.

    Attributes
    ----------
    name : str
        The function of `skcompare.inference`, which is loaded when it is called; results know it by this name too.
    takes : Form
        The evidence it needs, and how it becomes arguments.
    returns : {"test", "posterior", "verdict", "description", "omnibus", "pairs", "control"}
        Whether its record has a p-value for two models, posterior probabilities, another verdict, or none; of all
        models also one p-value for all, one for each pair, or one for each against a control.
    metrics : tuple of str
        The metrics that it can speak of; empty where any.
    shape : callable or None
        Whether it fits the repeats and folds of a design, given the user's options; None where it fits any.
    kinds : tuple of {"folds", "samples", "items", "runs", "paired runs", "judgments", "judged items"}
        What it fits, as in `Design.evidence`; by default folds, and of predictions samples too.
    options : callable
        The options that it reads from a design.
    many : callable or None
        The same of many pairs whose scores lack nothing, from their `ManyDifferences`.
    """

    name: str
    takes: Form
    returns: Returns = "test"
    _: KW_ONLY
    metrics: tuple[str, ...] = ()
    shape: Shape | None = None
    kinds: tuple[Evidence, ...] = ()
    options: Callable[[Design], Mapping[str, Any]] = lambda design: {}  # noqa: ARG005
    many: Callable[..., ManyTTests] | None = None

    @property
    def function(self) -> Callable[..., Any]:
        """The function."""
        found: Callable[..., Any] = getattr(inference, self.name)
        return found

    def fits(self, design: Design, options: Mapping[str, Any]) -> bool:
        """Whether it fits a design, given the user's options."""
        kinds = self.kinds or (("folds", "samples") if self.takes.kind == "predictions" else ("folds",))
        return design.evidence in kinds and (self.shape is None or self.shape(design, options))

    @property
    def guide(self) -> Guide:
        """What to know of it before taking it."""
        return guides().get(self.name, UNKNOWN)

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
    others = [row.name for row in guides().values() if row.family in families and row.name not in known]
    meant = meaning(name) or tuple(other for other in others if name in (other, other.removesuffix("_test")))
    near = nearest(name, known)
    if meant and not set(meant) & set(known):
        hint = f"{meant[0]!r} is for {elsewhere}. "
    elif default in near:
        hint = f"did you mean {default!r}, the default? "
    else:
        hint = did_you_mean(near)
    return cut(f"{hint}procedure must be 'auto' or one that procedures() lists for {of}; got {name!r}")


# The forms of evidence that the procedures of the tables take, and how each becomes the arguments of a function.
#
# What stands behind `evidence` is made where scores are known (`skcompare.comparison`): of the splits of one data set
# it gives scores (`pair`, `error_rates`, `every_model`, `score_vectors`, `statement_counts`), of predictions outcomes
# (`correct`, `labels`, `class_scores` of a model), of several data sets mean scores (`pair`, `pair_splits`, `table`).


_folds = partial(Form, kind="fold scores")
_predictions = partial(Form, kind="predictions")
_datasets = partial(Form, kind="data sets")
_OF_ALL: Mapping[str, Any] = {"subject": "all models", "set_by_evidence": ("names", "greater_is_better")}


def _losses_in_time(evidence: Any) -> Arguments:
    """Scores as losses, what other training sets add to their variance, and after how many times they may recur."""
    found: Arguments = evidence.pair()
    design, n = evidence.scores.design, np.size(found.positional[0])
    period = design.period if 2 * design.period <= n == design.n_splits else 1  # without gaps
    options = {**found.options, "training_variance": evidence.training_variance, "period": period}
    return replace(found, positional=tuple(-values for values in found.positional), options=options)


def _in_order(evidence: Any) -> Arguments:
    """Values in their own units, on whose bounds it rests: of losses those of the second model come first."""
    found: Arguments = evidence.pair()
    if evidence.greater_is_better:
        return found
    a, b = found.positional
    return replace(found, positional=(-b, -a))


# ---- scores of the splits of one data set
SPLITS = _folds(words="splits", arguments=methodcaller("pair"))
REPEATS_AND_LOSSES = _folds(
    words="repeats x folds, and the losses of the samples",
    arguments=methodcaller("repeats_and_losses"),
    set_by_evidence=("families",),
)
REPEATS = _folds(words="repeats x folds", arguments=methodcaller("pair", by_repeat=True))
NESTED = _folds(words="values of the samples in nested fits", arguments=methodcaller("nested_differences"))
ERROR_RATES = _folds(words="fold error rates", subject="one model", arguments=methodcaller("error_rates"))
SPLITS_OF_ALL = _folds(words="splits of all", arguments=methodcaller("every_model"), **_OF_ALL)
REPEATS_OF_ALL = _folds(words="repeats x folds of all", arguments=methodcaller("every_model"), **_OF_ALL)
SCORE_VECTORS = _folds(words="score vectors", joint=True, arguments=methodcaller("score_vectors"))
IN_TIME = _folds(words="losses in time order", arguments=_losses_in_time, set_by_evidence=("training_variance",))
IN_ORDER = _folds(words="values in order of arrival", arguments=_in_order)
ESTIMATES = _folds(words="estimates", arguments=methodcaller("estimates"), set_by_evidence=("df", "n"))
STATEMENT_COUNTS = _folds(words="statement counts", joint=True, arguments=methodcaller("statement_counts"))


# ---- predictions of one test set
def _given(evidence: Any, *positional: Any, **options: Any) -> Arguments:
    return Arguments(positional=positional, options=options, warnings=evidence.warnings)


def _number_of_errors(evidence: Any) -> Arguments:
    correct = evidence.correct(evidence.a)
    return _given(evidence, int((~correct).sum()), len(correct))


def _labels(evidence: Any) -> Arguments:
    labels, positive = evidence.labelled()
    in_clusters = {} if evidence.clusters is None else {"clusters": evidence.clusters}
    return _given(evidence, *labels, evidence.metric_function, **positive, **in_clusters)


def _losses(evidence: Any) -> Arguments:
    losses = (1.0 - evidence.correct(evidence.a), 1.0 - evidence.correct(evidence.b))
    return _given(evidence, *losses, evidence.folds)


CORRECTNESS = _predictions(words="correctness", arguments=lambda of: _given(of, of.correct(of.a), of.correct(of.b)))
CORRECTNESS_OF_ALL = _predictions(
    words="correctness of all",
    subject="all models",
    arguments=lambda of: _given(of, np.column_stack([*map(of.correct, of.names)])),
)
NUMBER_OF_ERRORS = _predictions(words="number of errors", subject="one model", arguments=_number_of_errors)
CLASS_SCORES = _predictions(
    words="class scores", arguments=lambda of: _given(of, of.y_true, of.class_scores(of.a), of.class_scores(of.b))
)
LABELS = _predictions(words="labels", arguments=_labels)
LOSSES = _predictions(words="losses", arguments=_losses)

# ---- scores on several data sets
PAIR = _datasets(words="two models, one score per data set", arguments=methodcaller("pair"))
PAIR_SPLITS = _datasets(
    words="two models, all splits of every data set",
    arguments=methodcaller("pair_splits"),
    set_by_evidence=("test_fraction",),
)
RUNS_OF_PAIR = _datasets(
    words="two models, independent runs on every data set",
    arguments=methodcaller("pair_runs"),
    set_by_evidence=("paired",),
)
RUNS = _datasets(words="all models, independent runs on every data set", arguments=methodcaller("runs"), **_OF_ALL)
TABLE = _datasets(
    words="all models, one score per data set",
    subject="all models",
    arguments=methodcaller("table"),
    set_by_evidence=("names", "greater_is_better", "test_fraction", "overlap"),
)
PAIR_IN_TABLE = _datasets(
    words="two models, all models' scores with gaps",
    arguments=methodcaller("table", gaps=True, of_pair=True),
    set_by_evidence=("a", "b", "names", "greater_is_better"),
)
TABLE_OR_RUNS = _datasets(
    words="all models, one score per data set or independent runs, some missing",
    arguments=methodcaller("table", gaps=True, of_runs=True),
    **_OF_ALL,
)
TABLE_WITH_GAPS = _datasets(
    words="all models, one score per data set, some missing", arguments=methodcaller("table", gaps=True), **_OF_ALL
)
