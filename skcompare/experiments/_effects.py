"""Main effects and interactions of a designed experiment, tested with the correction for splits that share samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from skcompare._core.frames import frame_of
from skcompare._core.html import Table
from skcompare._core.numbers import decimals, equal_to, interval, number, percent_of, pvalue
from skcompare._core.record import Record
from skcompare._core.text import narrowest
from skcompare._core.validation import FloatArray
from skcompare._core.warnings import Code, CodedWarning
from skcompare._core.words import counted
from skcompare.inference._kinds import ALPHA, significantly
from skcompare.tables.candidate_names import first_of

MAX_LINES = 30


@dataclass(frozen=True, eq=False, slots=True, kw_only=True, repr=False)
class Effect(Record):
    """What one factor of an experiment does to a metric, or how the effects of several depend on each other.

    Attributes
    ----------
    term : str
        The factor, ``C^2`` for the curvature of a continuous one, ``C:gamma`` for an interaction.
    metric : str
        In whose units the estimates are.
    kind : {"main effect", "curvature", "interaction"}
        Which of them.
    aliases : tuple of str
        Effects that the design cannot tell from this one; what is estimated is their sum, with a minus the difference.
    levels : tuple of str
        What the estimates are of.
    estimates : ndarray of shape (n_estimates,)
        Of a factor with two levels, or a continuous one, the mean at high less that at low, averaged over the others;
        of several levels the mean of each less the mean of all. Of an interaction of two such differences half the
        difference of the differences; of a difference and several levels what it has more at each of these than on
        average; of several levels with several the deviation of every cell from the sum of the main effects. Of a
        curvature the mean of the two ends less the centre.
    low, high : ndarray of shape (n_estimates,)
        Interval of each alone, by Student's t.
    best, worst : str
        Of a main effect the levels with the best and the worst mean, "none better" and "none worse" where all are
        equal; else "".
    difference : float
        Best mean less worst, in score units, at least 0; nan where it is no main effect.
    statistic : float
        F, that all estimates are 0.
    df : tuple of float
        Its degrees of freedom.
    pvalue, pvalue_adjusted : float
        Of the effect alone, and adjusted by Holm over all effects and metrics asked for.
    n : int
        Number of splits.
    """

    term: str
    metric: str
    kind: str
    aliases: tuple[str, ...]
    levels: tuple[str, ...]
    estimates: FloatArray
    low: FloatArray
    high: FloatArray
    best: str
    worst: str
    difference: float
    statistic: float
    df: tuple[float, float]
    pvalue: float
    pvalue_adjusted: float
    n: int
    method: str
    warnings: tuple[CodedWarning, ...] = ()

    @property
    def named(self) -> str:
        """The term with those that it cannot be told from."""
        return " = ".join([self.term, *self.aliases])

    @property
    def terms(self) -> tuple[str, ...]:
        """The term and those that it cannot be told from, without signs."""
        return (self.term, *(alias.removeprefix("-") for alias in self.aliases))

    def _sentence(self) -> str:
        tested = f"{significantly(self.pvalue_adjusted)} different from 0"
        adjusted = f"adjusted {equal_to('p', self.pvalue_adjusted)}"
        if self.kind == "main effect":
            return f"{self.named}: {_better(self)} on {self.metric}, {tested}, {adjusted}."
        return f"{self.named}: the {self.kind} on {self.metric} is {tested}, {adjusted}."


@dataclass(frozen=True, eq=False, slots=True, kw_only=True, repr=False)
class Effects(Record):
    """Main effects and interactions of an experiment, under one error budget.

    The search report's `ParameterEffect` asks which values of one parameter are different, by the largest t of two
    of them, also where the settings were drawn at random; it has no interactions and adjusts over the parameters
    alone. Here each effect is one F test of a least-squares model, and all effects share the error budget. On a full
    grid the means agree, and with two levels the p-values before adjustment too.

    Attributes
    ----------
    rows : tuple of Effect
        By metric main effects, then curvatures, then interactions.
    metrics : tuple of str
        What was asked for.
    not_estimable : tuple of str
        Terms that depend on the others in these runs, or whose settings were not all run; they are taken for 0.
    confidence_level : float
        Of the intervals, each alone.
    n_runs : int
        Settings with scores.
    """

    rows: tuple[Effect, ...]
    metrics: tuple[str, ...]
    not_estimable: tuple[str, ...]
    confidence_level: float
    n_runs: int
    method: str
    warnings: tuple[CodedWarning, ...] = ()

    def of(self, term: str, metric: str | None = None) -> Effect:
        """The effect of a term, also by one of its aliases as the row has it.

        Parameters
        ----------
        term : str
            Such as ``"max_depth"`` or ``"C:gamma"``, the factors in any order; ``"-C:gamma"`` of an alias whose
            effect is the opposite of the row's.
        metric : str, optional
            The first by default.

        Returns
        -------
        Effect

        Raises
        ------
        ValueError
            If there is none.
        """
        metric = self.metrics[0] if metric is None else metric
        if not isinstance(term, str):
            raise ValueError(f"term must be a name such as 'a' or 'a:b'; got {term!r:.80}")
        negative, factors = _in_order(term)
        for row in self.rows:
            known = [_in_order(name) for name in (row.term, *row.aliases)]
            if row.metric != metric or factors not in [own for _, own in known]:
                continue
            if (negative, factors) in known:
                return row
            raise ValueError(
                f"term must name an effect as its row does, with its sign; got {term!r}, of which the row "
                f"{row.named!r} has the opposite"
            )
        raise ValueError(
            f"term and metric must be among {first_of([row.term for row in self.rows])} on {first_of(self.metrics)}; "
            f"got {term!r} on {metric!r}"
        )

    def to_frame(self) -> Any:
        """The rows as a pandas DataFrame, one per effect and metric, the fields of `Effect` as columns."""
        return frame_of(self.rows)

    def _sentence(self) -> str:
        lost = [name for name in self.not_estimable if ":" not in name and not name.endswith("^2")]
        but = " But these terms do not describe the settings."
        told = " ".join(self._of_metric(one) + (but if self._lacks_fit(one) else "") for one in self.metrics)
        return f"{told} Not estimable from these settings: {first_of(lost)}." if self.rows and lost else told

    def _lacks_fit(self, metric: str) -> bool:
        return any(one.code == Code.LACK_OF_FIT.name and metric in one.about for one in self.warnings)

    def _of_metric(self, metric: str) -> str:
        rows = [row for row in self.rows if row.metric == metric]
        family = f"adjusted over {counted(len(self.rows), 'effect')}"
        main = sorted((row for row in rows if row.kind == "main effect"), key=lambda row: -row.difference)
        if not main:
            return f"No effect of a factor on {metric} can be estimated."
        found = [row for row in main if row.pvalue_adjusted < ALPHA]
        others = sorted((row for row in rows if row.kind != "main effect"), key=lambda row: row.pvalue_adjusted)
        others = [row for row in others if row.pvalue_adjusted < ALPHA]
        if not found and not others:
            first = main[0]
            return (
                f"No effect on {metric} is significant; the largest is that of {first.named}: {_better(first)} "
                f"({equal_to('p', first.pvalue_adjusted)}, {family})."
            )
        if not found:
            told = f"No factor matters on its own on {metric} ({family})"
            return f"{told}, but {'; '.join(map(_dependence, others[:2]))}."
        first = found[0]
        p = equal_to("p", first.pvalue_adjusted)
        told = f"{first.named} matters most on {metric}: {_better(first)} ({p}, {family})"
        own = [row for row in others if first.term in _factors(row)]
        return f"{told}; {'; '.join(_of_first(row, first.term) for row in own[:2])}." if own else f"{told}."

    def _tables(self) -> list[Table]:
        header = (
            "metric",
            "effect",
            "of",
            "estimate",
            f"{percent_of(self.confidence_level)} interval",
            "F",
            "df",
            "p",
            "p adj.",
        )
        places = decimals(float(value) for row in self.rows for value in row.estimates)
        lines = [cells for row in self.rows for cells in _cells(row, places)]
        first = 0 if len(self.metrics) > 1 else 1
        lost = [Table(("not estimable",), [[name] for name in self.not_estimable])] if self.not_estimable else []
        widths = [
            Table([header[i] for i in shown], [[line[i] for i in shown] for line in lines], limit=MAX_LINES)
            for shown in ([*range(first, 9)], [*range(first, 5), 7, 8], [*range(first, 4), 8])
        ]
        return [narrowest(*widths), *lost]


# ---- words ----------------------------------------------------------------------------------------------------


def _in_order(term: str) -> tuple[bool, list[str]]:
    """The sign of a term, and its factors in an order of their own."""
    return term.startswith("-"), sorted(term.removeprefix("-").split(":"))


def _factors(row: Effect) -> list[str]:
    return row.term.removesuffix("^2").split(":")


def _better(row: Effect) -> str:
    if row.difference == 0:
        return "all levels are equal"
    return f"{row.best} is {row.difference:.3g} better than {row.worst}"


def _dependence(row: Effect) -> str:
    first, *rest = _factors(row)
    if row.kind == "curvature":
        return f"{first} is curved ({equal_to('p', row.pvalue_adjusted)})"
    shown = f" ({' = '.join(['interaction', *row.aliases])}, {equal_to('p', row.pvalue_adjusted)})"
    return f"the effect of {first} depends on {' and '.join(rest)}{shown}"


def _of_first(row: Effect, factor: str) -> str:
    rest = [name for name in _factors(row) if name != factor]
    if not rest:
        return f"its effect is curved ({equal_to('p', row.pvalue_adjusted)})"
    what = " = ".join(["interaction", *row.aliases])
    return f"its effect depends on {' and '.join(rest)} ({what} {equal_to('p', row.pvalue_adjusted)})"


def _cells(row: Effect, places: int) -> list[list[str]]:
    """A line per estimate; the test stands in the first."""
    tests = [
        f"{row.statistic:.4g}",
        f"{row.df[0]:.3g}, {row.df[1]:.4g}",
        pvalue(row.pvalue),
        pvalue(row.pvalue_adjusted),
    ]
    lines = []
    beside = " less the mean of all" if row.kind == "main effect" and len(row.levels) > 1 else ""
    for i, label in enumerate(row.levels):
        ends = interval(float(row.low[i]), float(row.high[i]), places)
        own = [
            row.named if not i else "",
            f"{label}{beside}",
            number(float(row.estimates[i]), places, signed=True),
            ends,
        ]
        lines.append([row.metric, *own, *(tests if not i else [""] * 4)])
    return lines
