"""The record of an evaluation that could be stopped early: what was looked at and decided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from skcompare._core.html import Table
from skcompare._core.record import MAX_ITEMS, Record, few
from skcompare._core.validation import FloatArray
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference._references import SEQUENTIAL_REFERENCES
from skcompare.inference.fold_scores.alpha_spending import Spending

Kind = Literal["best", "equivalent", "undecided"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Look(Record):
    """What was seen of the models after a repeat.

    Attributes
    ----------
    repeat : int
        Repeats done.
    information : float
        In (0, 1]: the part of the information of all repeats that was there.
    level : float
        In (0, 1): a model is found worse where its p-value is below.
    names : tuple of str
        The models that were still in.
    pvalues : ndarray of shape (n_models,)
        In [0, 1]: the smallest of the corrected t tests of another model against this one, times the number of pairs;
        1 for the model with the best mean.
    equivalence_level : float or None
        In (0, 1): they are equivalent where `equivalence_pvalue` is below; None without a rope.
    equivalence_pvalue : float or None
        In [0, 1]: the largest of the one-sided tests of a difference of the rope, times the number of pairs at the
        start; None without a rope.
    """

    repeat: int
    information: float
    level: float
    names: tuple[str, ...]
    pvalues: FloatArray
    equivalence_level: float | None = None
    equivalence_pvalue: float | None = None

    def _sentence(self) -> str:
        worse = [name for name, p in zip(self.names, self.pvalues, strict=True) if p < self.level]
        which = f"{few(worse) or 'none'} {'are' if len(worse) > 1 else 'is'} significantly worse"
        when = f"After {self.repeat} repeat{'' if self.repeat == 1 else 's'}"
        return f"{when}, of {few(self.names)}: {which} at a level of {self.level:.2g}."


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Stopping(Record):
    """When and why an evaluation with a `StopRule` ended.

    Attributes
    ----------
    kind : {"best", "equivalent", "undecided"}
        One model is the best; those left are practically equivalent; or nothing was decided.
    names : tuple of str
        The best model, or those left.
    metric : str
        The metric that decided.
    looks : tuple of Look
        In order; several after one repeat where models left.
    worse : mapping of str to int
        The models that were found worse, each with the repeats done by then.
    unscored : mapping of str to int
        The models that left because they lack a score that another has, each with the repeats done by then; nothing
        is said of them.
    n_models, n_folds : int
        Models at the start, and folds per repeat.
    n_repeats, min_repeats, max_repeats : int
        Repeats done, those before the first look, and those of the full evaluation.
    alpha : float
        The error rate over all looks.
    rope : float or None
        Half width of the region of practical equivalence, in score units.
    spending : {"obrien_fleming", "pocock"}
        How `alpha` is spread over the looks.
    drop : bool
        Whether models found worse were fitted no more.
    """

    kind: Kind
    names: tuple[str, ...]
    metric: str
    looks: tuple[Look, ...]
    worse: Mapping[str, int]
    unscored: Mapping[str, int]
    n_models: int
    n_folds: int
    n_repeats: int
    min_repeats: int
    max_repeats: int
    alpha: float
    rope: float | None
    spending: Spending
    drop: bool

    def _tables(self) -> list[Table]:
        outcomes = {
            **dict.fromkeys(self.names, "left"),
            **dict.fromkeys(self.worse, "significantly worse"),
            **dict.fromkeys(self.unscored, "not compared"),
        }
        after = {**self.worse, **self.unscored}
        rows = [
            [name, outcome, str(after.get(name, self.n_repeats)), str(self.repeats_of(name))]
            for name, outcome in outcomes.items()
        ]
        return [Table(("model", "outcome", "after repeats", "fitted on repeats"), rows)]

    def _sentence(self) -> str:
        return f"{in_words(self)}."

    @property
    def verdict(self) -> str:
        """What was decided, in words."""
        return f"{self._outcome()}{self._set_aside()}"

    def _outcome(self) -> str:
        if self.kind == "equivalent":
            return f"{few(self.names)} are practically equivalent on {self.metric} (within {self.rope:g})"
        if self.kind == "best":
            n = len(self.worse) + 1
            if n == 2:
                return f"{self.names[0]} is significantly better than {next(iter(self.worse))} on {self.metric}"
            return f"{self.names[0]} is the best of {n} on {self.metric}, and the others are significantly worse"
        if len(self.names) < 2:
            return f"{few(self.names) or 'no model'} alone is left on {self.metric}, with nothing to compare it to"
        which = few(self.names) if len(self.names) <= MAX_ITEMS else f"{len(self.names)} models"
        left = "left and " if self.worse else ""
        return f"{which} are {left}not significantly different on {self.metric}"

    def _set_aside(self) -> str:
        if not self.unscored:
            return ""
        return f"; {self._who_lack_scores()} {'was' if len(self.unscored) == 1 else 'were'} not compared"

    def _who_lack_scores(self) -> str:
        which = few(tuple(self.unscored)) if len(self.unscored) <= MAX_ITEMS else f"{len(self.unscored)} models"
        return f"{which} {'lacks' if len(self.unscored) == 1 else 'lack'} scores of {self.metric} and"

    @property
    def n_fits(self) -> int:
        """Fits of this evaluation, those that a store had among them."""
        left_out = sum(self.n_repeats - self.repeats_of(name) for name in (*self.worse, *self.unscored))
        return self.n_folds * (self.n_models * self.n_repeats - left_out)

    @property
    def n_fits_saved(self) -> int:
        """Fits of the full evaluation that this one did without."""
        return self.n_folds * self.n_models * self.max_repeats - self.n_fits

    @property
    def method(self) -> str:
        """The procedure and its variant."""
        return f"corrected t tests of all pairs after every repeat, {self.spending} levels, Bonferroni over the pairs"

    @property
    def references(self) -> tuple[str, ...]:
        """Keys of the papers in references.toml."""
        return SEQUENTIAL_REFERENCES

    def repeats_of(self, name: str) -> int:
        """Repeats that a model was fitted on."""
        left = {**self.worse, **self.unscored} if self.drop else {}
        return int(left.get(name, self.n_repeats))

    def n_splits_of(self, name: str) -> int:
        """Splits that a model was fitted on, the first ones."""
        return self.repeats_of(name) * self.n_folds

    def in_to_the_end(self, name: str) -> bool:
        """Whether a model was fitted on all splits and compared to the end."""
        return name not in self.unscored and self.repeats_of(name) == self.n_repeats

    def warnings_of_tests(self) -> tuple[CodedWarning, ...]:
        """Why the tests of a result whose end may have been chosen by looking at it are to be doubted."""
        n = len({look.repeat for look in self.looks})
        seen = f"{n} look{'' if n == 1 else 's'} at {self.metric}"
        repeats = f"{self.n_repeats} repeat{'' if self.n_repeats == 1 else 's'}"
        found = []
        if n and self.n_repeats < self.max_repeats:
            how = f"the evaluation was ended after {repeats} by {seen}"
        elif n and self.worse and self.drop:
            how = f"models were dropped by {seen} in {repeats}"
        elif n:
            how = f"{seen} in {repeats} could have ended the evaluation"
        if n:
            found.append(
                Code.STOPPED(
                    f"{how}; p-values and intervals of this result do not allow for that, its sequential verdict "
                    f"does (result.stopping)."
                )
            )
        if self.unscored:
            were = "was" if len(self.unscored) == 1 else "were"
            fitted = " and fitted no more" if self.drop else ""
            found.append(
                Code.UNSCORED(f"{self._who_lack_scores()} {were} left out of the sequential comparison{fitted}.")
            )
        return tuple(found)


def in_words(stopping: Stopping) -> str:
    """What was decided, when, and at what cost."""
    when = "decided" if stopping.kind != "undecided" else "ended"
    return (
        f"{stopping.verdict}; {when} after {stopping.n_repeats} of {stopping.max_repeats} repeats, with "
        f"{stopping.n_fits} of {stopping.n_fits + stopping.n_fits_saved} fits"
    )


def plain_stopping(stopping: Stopping) -> dict[str, Any]:
    """The record as plain values, with what it says in words."""
    looks = [{**asdict(look), "pvalues": look.pvalues.tolist()} for look in stopping.looks]
    counts = {name: getattr(stopping, name) for name in ("n_fits", "n_fits_saved")}
    fitted = {name: stopping.n_splits_of(name) for name in (*stopping.names, *stopping.worse, *stopping.unscored)}
    return {**asdict(stopping), "looks": looks, **counts, "n_splits": fitted, "verdict": in_words(stopping)}
