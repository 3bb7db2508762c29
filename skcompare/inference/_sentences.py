"""What records say: one sentence for each kind of record, made of its values.

A record declares its `_kind`: what it claims, if it decides anything, and which of its values follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from skcompare._core import numbers
from skcompare._core.numbers import ALPHA
from skcompare._core.record import Frozen, Table
from skcompare._core.text import capital
from skcompare._core.warnings import Code

# How a value is written, with its limits where it has some.


class Limits(NamedTuple):
    """The ends of an interval, whether it is cut off at the null, and what it is called."""

    low: float
    high: float
    cut: bool = False
    called: str = "interval"


Form = Callable[..., str]
Shown = Mapping[str, str | tuple[str, Form]]  # what a value is called -> its field, and how it is written


def plain(value: Any, limits: Limits | None = None, null: float = 0.0, *, signed: bool = False) -> str:
    """A name, a count or a number."""
    if isinstance(value, (str, int, np.integer)):
        return str(value) if isinstance(value, str) else numbers.whole(int(value))
    if limits is not None and abs(value) < numbers.ROUNDING * min(map(abs, limits[:2])) < np.inf:
        value = 0.0  # what rounding left
    places = numbers.decimals_of_difference(value, value) if signed else numbers.decimals((value,))
    shown = numbers.number(value, places, signed=signed)
    if limits is None:
        return f"{value:zg}" if float(value).is_integer() and abs(value) < 1e6 and not signed else shown
    ends = from_to(limits.low, limits.high, places, signed=signed, null=null, cut=limits.cut)
    return f"{shown} ({limits.called} {ends})"


as_difference = partial(plain, signed=True)
_DIFFERENCE: Shown = {"{a} - {b} is": ("estimate", as_difference), "p": "pvalue"}


def as_share(value: float, limits: Limits | None = None, null: float = 0.0, *, places: int = 0) -> str:
    """A share or a probability in percent."""
    del null
    if limits is None or value != value:
        return numbers.percent(value, places)
    share, low, high = (numbers.percent(one, places) for one in (value, *limits[:2]))
    return f"{share} ({low} to {high})"


def as_posterior(value: float, limits: Limits | None = None, null: float = 0.0) -> str:
    """A posterior probability in percent."""
    return as_share(numbers.uncertain(value), limits, null)


as_exact_share = partial(as_share, places=1)


def as_level(value: float, *_: Any) -> str:
    """A level that was set."""
    return numbers.percent_of(value)


def as_count(values: Any, *_: Any) -> str:
    """How many there are."""
    return numbers.whole(len(values))


# The kinds.


class Kind(Frozen, slots=False):
    """A claim, if there is one, and the values behind it; those that are not known are left out, but for the first.

    What values are called may hold ``{a}``, ``{b}``, ``{on}`` and ``{between}`` for what was compared.
    """

    shown: Shown = field(default_factory=dict)

    def claim(self, record: Any) -> str:
        """What is decided, or what the values are of."""
        del record
        return ""

    def values(self, record: Any) -> Iterator[str]:
        """The values behind the claim."""
        names = _compared(record)
        for i, (called, (name, form)) in enumerate(self._fields()):
            value = getattr(record, name)
            called, unknown = called.format_map(names), isinstance(value, float) and value != value
            if name.startswith("pvalue"):
                yield f"{numbers.equal_to(called, value)}{self.about_p(record) if name == 'pvalue' else ''}"
            elif value is not None and not (i and unknown):
                shown = "not known" if unknown else form(value, _limits(record, name, i), _null(record))
                yield f"{called} {shown}".strip()

    def about_p(self, record: Any) -> str:
        """What is said of a p-value behind it."""
        return about_p(record)

    def _fields(self) -> list[tuple[str, tuple[str, Form]]]:
        return [(called, (what, plain) if isinstance(what, str) else what) for called, what in self.shown.items()]

    def sentence(self, record: Any) -> str:
        """What a record says."""
        return f"{': '.join(part for part in (self.claim(record), ', '.join(self.values(record))) if part)}."


class Values(Kind, kw_only=False, slots=False):
    """Plain values: of what the fields `of` name, or under a title."""

    shown: Shown = field(default_factory=dict)
    of: tuple[str, ...] = ()
    title: str = ""

    def claim(self, record: Any) -> str:
        return ", ".join([*([self.title] if self.title else []), *(str(getattr(record, name)) for name in self.of)])

    def values(self, record: Any) -> Iterator[str]:
        told = super().values(record)
        if not self.of and not self.title:
            yield capital(next(told))
        yield from told

    def table(self, rows: Sequence[Any]) -> Table:
        """The values of many such records below each other."""
        lines = [
            [*(str(getattr(row, name)) for name in self.of), *(_cell(row, name, form, i) for i, (name, form) in shown)]
            for shown in [[*enumerate(what for _, what in self._fields())]]
            for row in rows
        ]
        return Table((*(name.replace("_", " ") for name in self.of), *self.shown), lines)


class Difference(Kind, kw_only=False, slots=False):
    """A test of two models: which is better, by how much, with which p."""

    words: tuple[str, str] = ("better", "worse")
    noun: str = ""  # what is larger or smaller, where the metric is not known by name
    every: bool = field(default=False, kw_only=True)  # claimed of all metrics: models may differ, and neither be better
    shown: Shown = field(default_factory=lambda: _DIFFERENCE, kw_only=True)

    def claim(self, record: Any) -> str:
        of = record.compared
        a, b, on = of.a, of.b, _on(record) + " at once" * (self.every and len(getattr(record, "metrics", ())) > 1)
        if record.pvalue != record.pvalue and any(one.code == Code.ZERO_VARIANCE.name for one in record.warnings):
            return f"{a} and {b} are not tested{on}"
        if self.every and record.alternative == "two-sided" and record.pvalue >= ALPHA:
            return f"Neither {a} nor {b} is significantly {self.words[0]} than the other{on}"
        if self.noun:
            noun = of.metric or getattr(record, "metric", "") or self.noun
            a, b, on = f"{noun} of {a}", f"{noun} of {b}", ""
        side = getattr(record, "direction", record.alternative)
        estimate = getattr(record, "estimate", 0.0)
        return compared(a, b, estimate, record.pvalue, side, self.words, null=_null(record)) + on

    def about_p(self, record: Any) -> str:
        of = record.compared
        alone = of.known and record.pvalue == record.pvalue
        family = ", not adjusted for other comparisons" if alone else ""
        if alone and of.among is not None:
            adjusted, among = of.among()
            family = f", p adj. {numbers.pvalue(adjusted)} among {among}"
        return f"{about_p(record)}{family}"


class Estimate(Kind, kw_only=False, slots=False):
    """A test of one number against another one, with its interval."""

    noun: str = "estimate"
    shown: Shown = field(default_factory=lambda: {"": "estimate", "p": "pvalue"}, kw_only=True)

    def claim(self, record: Any) -> str:
        of = record.compared if hasattr(record, "compared") and record.compared.known else None
        where = {"greater": "above", "less": "below"}.get(record.alternative, "different from")
        whose = f" of {of.a}" if of else ""
        return f"The {self.noun}{whose} is {significantly(record.pvalue)} {where} {_null(record):g}"


class Omnibus(Kind, kw_only=False, slots=False):
    """One p-value of several models, metrics or contrasts."""

    subject: str = "The models"
    what: str = "different"
    shown: Shown = field(default_factory=lambda: {"p": "pvalue", "statistic": "statistic"}, kw_only=True)

    def claim(self, record: Any) -> str:
        on = f" on {numbers.counted(record.n, record.case)}" if hasattr(record, "case") else _on(record)
        on += " together" * (len(getattr(record, "metrics", ())) > 1)
        subject, p = self.subject.format(record=record, **_compared(record)), _decided_on(record)
        if p != p:
            return f"It is not known whether {subject[0].lower()}{subject[1:]} are {self.what}{on}"
        return f"{subject} are {significantly(p)} {self.what}{on}"

    def values(self, record: Any) -> Iterator[str]:
        if _decided_on(record) != _decided_on(record):
            return
        yield from super().values(record)
        if hasattr(record, "df"):
            yield f"df {' and '.join(f'{value:g}' for value in np.atleast_1d(record.df))}"


class Some(Kind, kw_only=False, slots=False):
    """Which of several models, or of their pairs, a property holds for: `found` names the field or the method."""

    noun: str
    what: str
    found: str

    def claim(self, record: Any) -> str:
        k = len(record.names)
        total = k * (k - 1) // 2 if self.noun == "pair" else k
        among = numbers.counted(total, self.noun)
        on = f" on {numbers.counted(record.n, record.case)}" if hasattr(record, "case") else ""
        what = self.what.format(record=record)
        pvalues = getattr(record, "pvalues", np.zeros(0))
        known = ~np.isnan(pvalues[~np.eye(k, dtype=np.bool_)] if pvalues.ndim > 1 else pvalues)
        if known.size and not known.any():
            which = "whether the only pair differs" if total == 1 else f"which of {among} differ"
            return f"It is not known {which}{on}"
        n = len(self._found(record))
        if total == 1:
            return f"The only {self.noun} is {'' if n else 'not '}{what}{on}"
        return f"{n or 'None'} of {among} {numbers.agreeing(n or 1, 'is', 'are')} {what}{on}"

    def values(self, record: Any) -> Iterator[str]:
        if found := self._found(record):
            yield numbers.briefly(found)
        yield from super().values(record)

    def _found(self, record: Any) -> tuple[str, ...]:
        found = getattr(record, self.found)
        return tuple(found() if callable(found) else found)


class Claims(Kind, kw_only=False, slots=False):
    """A claim for each value of a field, and one for all others."""

    verdict: str
    claims: Mapping[Any, str]
    other: str = ""

    def claim(self, record: Any) -> str:
        verdict = getattr(record, self.verdict)
        return self.claims.get(verdict, self.other).format_map(_compared(record) | {"verdict": verdict})


class Each(Kind, kw_only=False, slots=False):
    """A value for each model; the greatest first."""

    title: str
    each: str
    form: Form = plain

    def claim(self, record: Any) -> str:
        del record
        return self.title

    def values(self, record: Any) -> Iterator[str]:
        found = zip(record.names, getattr(record, self.each).tolist(), strict=True)
        yield numbers.briefly([f"{name} {self.form(x)}" for name, x in sorted(found, key=lambda pair: -pair[1])])


class Probabilities(Kind):
    """A posterior of two models."""

    def claim(self, record: Any) -> str:
        of = record.compared
        shares = [record.left, record.rope, record.right]
        if getattr(record, "scale", None) is None:  # shares of draws, which may all agree
            shares = [*map(numbers.uncertain, shares)]
        left, rope, right = (numbers.percent(one, words=True, decided=1 - ALPHA) for one in shares)
        return (
            f"{f'On {of.metric} the' if of.metric else 'The'} probability that {of.a} is better is {right}, that "
            f"{of.b} is better {left}, and that the two are practically equivalent {rope}"
        )


# What the kinds ask of a record.


def _cell(record: Any, name: str, form: Form, i: int) -> str:
    """A value as the cell of a table."""
    value = getattr(record, name)
    return "not given" if value is None else form(value, _limits(record, name, i))


def _compared(record: Any) -> dict[str, str]:
    """What a record calls what it compares."""
    of = getattr(record, "compared", None)
    if of is None:
        return {"a": "a", "b": "b", "on": "", "between": ""}
    return {"a": of.a, "b": of.b, "on": _on(record), "between": of.between()}


def _on(record: Any) -> str:
    """The metric, or all metrics, that a claim is about."""
    metrics = getattr(record, "metrics", ())
    return (
        f" on {numbers.briefly(metrics)}" if metrics else str(record.compared.on if hasattr(record, "compared") else "")
    )


def _null(record: Any) -> float:
    """The value under the null hypothesis."""
    return float(getattr(record, "threshold", getattr(record, "null", 0.0)))


def _decided_on(record: Any) -> float:
    """The p-value that decides: that adjusted for other records, if there is one."""
    return float(getattr(record, "pvalue_adjusted", record.pvalue))


def about_p(record: Any) -> str:
    """The side of a test, and the counts that its p-value is of."""
    about = [] if getattr(record, "alternative", "two-sided") == "two-sided" else ["one-sided"]
    n, n_extreme = getattr(record, "n_rearrangements", 0), getattr(record, "n_extreme", 0)
    if n > 1 and n_extreme:
        far, be = numbers.whole(n_extreme), numbers.agreeing(numbers.whole(n_extreme), "is", "are")
        about.append(f"{far} of {numbers.whole(n)} rearrangements {be} as far out")
    return f" ({'; '.join(about)})" if about else ""


def _limits(record: Any, name: str, i: int) -> Limits | None:
    """The interval that a record has for a value: that of its estimate, or fields beside it."""
    levelled = hasattr(record, "confidence_level")
    ends: Any = None
    if name == "estimate":
        ends, levelled = interval_of(record), True
    elif name == "difference" and hasattr(record, "interval"):
        ends, levelled = record.interval(), True
    elif (own := getattr(record, f"{name}_interval", None)) is not None:
        ends, levelled = own() if callable(own) else own, callable(own) or levelled
    elif isinstance(getattr(record, f"{name}_low", None), float):
        ends, levelled = Limits(getattr(record, f"{name}_low"), getattr(record, f"{name}_high")), False
    elif i == 0 and name != "low" and isinstance(getattr(record, "low", None), float):
        ends = record
    if ends is None or not ends.low <= ends.high:
        return None
    level = f"{numbers.percent_of(getattr(record, 'confidence_level', 0.95))} " if levelled else ""
    return Limits(ends.low, ends.high, getattr(ends, "cut", False), f"{level}interval")


# Words.


def compared(
    a: str,
    b: str,
    estimate: float,
    pvalue: float,
    alternative: str = "two-sided",
    words: tuple[str, str] = ("better", "worse"),
    *,
    null: float = 0.0,
) -> str:
    """What a test says of two models; positive estimates favour the first."""
    if pvalue != pvalue:
        return f"{a} and {b} are not comparable"
    side = alternative
    if side == "two-sided" and pvalue < ALPHA and estimate != null:
        side = "greater" if estimate > null else "less"
    if side == "two-sided":
        different = f"{significantly(pvalue)} different"
        return f"{a} - {b} is {different} from {null:+g}" if null else f"{a} and {b} are {different}"
    if null:
        claim = beyond(a, b, side, null, words)
        return claim if pvalue < ALPHA else f"It is not shown that {claim}"
    first, second = (a, b) if side == "greater" else (b, a)
    return f"{first} is {significantly(pvalue)} {words[0]} than {second}"


def beyond(a: str, b: str, side: str, null: float, words: tuple[str, str] = ("better", "worse")) -> str:
    """The claim that ``a - b`` is greater, or less, than a margin, in words that say who is better and by how much."""
    isnt = " not" if (side == "greater") != (null > 0) else ""
    return f"{a} is{isnt} {words[null < 0]} than {b} by more than {abs(null):g}"


def significantly(pvalue: float) -> str:
    """``significantly``, or ``not significantly``, at 5%."""
    return "significantly" if pvalue < ALPHA else "not significantly"


def interval_of(record: Any) -> Limits | None:
    """The 95% interval of a record, as its p-value decides; None where it has none, or the record allows none."""
    if not hasattr(record, "confidence_interval"):
        return None
    try:
        with np.errstate(all="ignore"):
            interval = record.confidence_interval()
    except (ValueError, ArithmeticError):  # a notebook still gets the rest
        return None
    found = Limits(interval.low, interval.high)
    if isinstance(record._kind, Difference) and record.pvalue == record.pvalue:
        null, one_sided = _null(record), record.alternative != "two-sided"
        above = record.alternative == "greater" if one_sided else record.estimate > null
        found = Limits(*numbers.as_decided(*found[:2], null=null, significant=record.pvalue < ALPHA, above=above))
    return found if found.low <= found.high else None


def from_to(
    low: float, high: float, places: int | None = None, *, signed: bool = False, null: float = 0.0, cut: bool = False
) -> str:
    """Both ends of an interval, or the one that it has; those of a difference have signs."""
    places = numbers.decimals((low, high)) if places is None else places
    if np.isinf(low) and np.isinf(high):
        return "without limits"
    return numbers.interval(low, high, places, signed=signed, null=null, cut=cut)
