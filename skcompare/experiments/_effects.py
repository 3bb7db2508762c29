"""Main effects and interactions of a designed experiment, tested with the correction for splits that share samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from functools import reduce
from itertools import combinations
from typing import Any, Literal

import numpy as np

from skcompare._core.document import Block, Paragraph
from skcompare._core.frames import frame_of
from skcompare._core.numbers import ALPHA, counted, decimals, equal_to, interval, listed, number, percent_of, pvalue
from skcompare._core.record import MAX_PAGE_CELL, Frozen, Table, grid_of, narrowest, picked
from skcompare._core.validation import FloatArray
from skcompare._core.warnings import Code, CodedWarning
from skcompare.experiments._factors import ExperimentDesign
from skcompare.experiments._surface import FLAT, contrasts_of, left_over
from skcompare.inference._distributions import t_quantile
from skcompare.inference._kinds import Result
from skcompare.inference._records import ROUNDING, Correction
from skcompare.inference._sentences import significantly

MAX_LINES = 30


class Effect(Result, eq=False):
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
        Interval of each alone, by Student's t; nan where there is no test.
    best, worst : str
        Of a main effect the levels with the best and the worst mean, "none better" and "none worse" where all are
        equal; else "".
    difference : float
        Best mean less worst, in score units, at least 0; nan where it is no main effect.
    statistic : float
        F, that all estimates are 0; nan, as both p-values are, where they are the same on all splits and not 0.
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

    @property
    def named(self) -> str:
        """The term with those that it cannot be told from."""
        return " = ".join([self.term, *self.aliases])

    @property
    def is_tested(self) -> bool:
        """Whether it varies over the splits, or is 0 on all of them."""
        return not np.isnan(self.pvalue)

    @property
    def terms(self) -> tuple[str, ...]:
        """The names of the term and of its aliases, without signs."""
        return (self.term, *(alias.removeprefix("-") for alias in self.aliases))

    def _sentence(self) -> str:
        adjusted = f"different from 0, adjusted {equal_to('p', self.pvalue_adjusted)}"
        tested = f"{significantly(self.pvalue_adjusted)} {adjusted}" if self.is_tested else "not tested"
        if self.kind == "main effect":
            return f"{self.named}: {_better(self)} on {self.metric}, {tested}."
        return f"{self.named}: the {self.kind} on {self.metric} is {tested}."


class Effects(Result, eq=False):
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
            known = [_in_order(name) for name in (row.term, *row.aliases) if row.metric == metric]
            if (negative, factors) in known:
                return row
            if (not negative, factors) in known:
                raise ValueError(
                    f"term must name an effect as its row does, with its sign; got {term!r}, of which the row "
                    f"{row.named!r} has the opposite"
                )
        terms = f"{listed([row.term for row in self.rows], 3)} on {listed(self.metrics, 3)}"
        raise ValueError(f"term and metric must be among {terms}; got {term!r} on {metric!r}")

    def to_frame(self) -> Any:
        """The rows as a pandas DataFrame, one per effect and metric, the fields of `Effect` as columns."""
        return frame_of(self.rows)

    def _sentence(self) -> str:
        lost = [name for name in self.not_estimable if ":" not in name and not name.endswith("^2")]
        but = " But these terms do not describe the settings."
        told = " ".join(self._of_metric(one) + (but if self._lacks_fit(one) else "") for one in self.metrics)
        return f"{told} Not estimable from these settings: {listed(lost, 3)}." if self.rows and lost else told

    def _lacks_fit(self, metric: str) -> bool:
        return any(one.code == Code.LACK_OF_FIT.name and metric in one.about for one in self.warnings)

    def _of_metric(self, metric: str) -> str:
        rows = [row for row in self.rows if row.metric == metric]
        family = f"adjusted over {counted(sum(row.is_tested for row in self.rows), 'effect')}"
        main = sorted((row for row in rows if row.kind == "main effect"), key=lambda row: -row.difference)
        if not main:
            return f"No effect of a factor on {metric} can be estimated."
        found = [row for row in main if row.pvalue_adjusted < ALPHA]
        others = sorted((row for row in rows if row.kind != "main effect"), key=lambda row: row.pvalue_adjusted)
        others = [row for row in others if row.pvalue_adjusted < ALPHA]
        first = main[0]
        if not first.is_tested:
            told = f"{first.named} has the largest effect on {metric}: {_better(first)}; it is the same on all splits"
            more = counted(len(found) + len(others), "other effect")
            rest = f"; {more} significant ({family})" if found or others else ""
            return f"{told}, and so not tested{rest}."
        if not found and not others:
            largest = f"{first.named}: {_better(first)} ({equal_to('p', first.pvalue_adjusted)}, {family})"
            return f"No effect on {metric} is significant; the largest is that of {largest}."
        if not found:
            but = "; ".join(_dependence(row) for row in others[:2])
            return f"No factor matters on its own on {metric} ({family}), but {but}."
        first = found[0]
        p = equal_to("p", first.pvalue_adjusted)
        told = f"{first.named} matters most on {metric}: {_better(first)} ({p}, {family})"
        own = [row for row in others if first.term in _factors(row)]
        return f"{told}; {'; '.join(_dependence(row, first.term) for row in own[:2])}." if own else f"{told}."

    def _tables(self) -> list[Table]:
        level = f"{percent_of(self.confidence_level)} interval"
        header = ("metric", "effect", "of", "estimate", level, "F", "df", "p", "p adj.")
        own = {name: [one for row in self.rows if row.metric == name for one in row.estimates] for name in self.metrics}
        lines = [cells for row in self.rows for cells in _cells(row, decimals(own[row.metric]))]
        first = 0 if len(self.metrics) > 1 else 1
        lost = [Table(("not estimable",), [[name] for name in self.not_estimable])] if self.not_estimable else []
        widths = [
            Table([header[i] for i in shown], [[line[i] for i in shown] for line in lines], limit=MAX_LINES)
            for shown in ([*range(first, 9)], [*range(first, 5), 7, 8], [*range(first, 4), 8])
        ]
        return [narrowest(*widths), *lost]

    def _blocks(self) -> list[Block]:
        """What they say, and their tables."""
        said = Paragraph(name="effects", text=self._first_line())
        name, more = f"effects on {listed(self.metrics)}", "{} more: effects()."
        return [said, *(grid_of(table, name, MAX_PAGE_CELL, more) for table in self._tables())]


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


def _dependence(row: Effect, of: str = "") -> str:
    """What an effect is curved in or depends on: that of a factor named before, or of the first of the term."""
    first = of or _factors(row)[0]
    p, its = equal_to("p", row.pvalue_adjusted), "its effect" if of else f"the effect of {first}"
    if row.kind == "curvature":
        return f"{its} is curved ({p})"
    rest = " and ".join(name for name in _factors(row) if name != first)
    shown = f"{' = '.join(['interaction', *row.aliases])}{'' if of else ','} {p}"
    return f"{its} depends on {rest} ({shown})"


def _cells(row: Effect, places: int) -> list[list[str]]:
    """A line per estimate; the test stands in the first."""
    f = f"{row.statistic:.4g}" if row.is_tested else "n/a"
    tests = [f, "{:.3g}, {:.4g}".format(*row.df), *map(pvalue, (row.pvalue, row.pvalue_adjusted))]
    lines = []
    beside = " less the mean of all" if row.kind == "main effect" and len(row.levels) > 1 else ""
    for i, label in enumerate(row.levels):
        ends = interval(float(row.low[i]), float(row.high[i]), places)
        estimate = number(float(row.estimates[i]), places, signed=True)
        own = [row.named if not i else "", f"{label}{beside}", estimate, ends]
        lines.append([row.metric, *own, *(tests if not i else [""] * 4)])
    return lines


# Effects as columns of a least-squares model, and which of them a design can estimate.


# Correlation between columns of two effects from which on settings that differ in one differ in the other too.
UNBALANCED = 0.1


class Term(Frozen, eq=False):
    """A main effect, a curvature or an interaction.

    Attributes
    ----------
    factors : tuple of str
        One, or those that interact.
    kind : {"main effect", "curvature", "interaction"}
        Which of them.
    columns : ndarray of shape (n_runs, df)
        In the model.
    expand : ndarray of shape (n_estimates, df)
        What makes the estimates of the coefficients.
    levels : tuple of str
        What the estimates are of.
    weights : ndarray of shape (df, n_runs)
        What makes its coefficients of the mean scores of the runs, in the model that it is a term of.
    aliases : tuple of str
        The terms with the same columns, with a minus where these are the opposite.
    """

    factors: tuple[str, ...]
    kind: Literal["main effect", "curvature", "interaction"]
    columns: FloatArray
    expand: FloatArray
    levels: tuple[str, ...]
    weights: FloatArray = field(default_factory=lambda: np.empty((0, 0)))
    aliases: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Such as ``max_depth``, ``C^2`` or ``C:gamma``."""
        return ":".join(self.factors) + ("^2" if self.kind == "curvature" else "")

    @property
    def names(self) -> tuple[str, ...]:
        """Its name and those of the terms with the same columns."""
        return (self.name, *(alias.removeprefix("-") for alias in self.aliases))


class Model(Frozen, eq=False):
    """The terms that can be estimated, and the names of the others."""

    terms: tuple[Term, ...]
    not_estimable: tuple[str, ...]

    @property
    def is_balanced(self) -> bool:
        """Whether main effects and interactions are estimated without regard to each other, or nearly so."""
        parts = [term.columns - term.columns.mean(axis=0) for term in self.terms if term.kind != "curvature"]
        scaled = [part / np.linalg.norm(part, axis=0) for part in parts]
        return all(float(np.abs(a.T @ b).max()) <= UNBALANCED for a, b in combinations(scaled, 2))


def fit_model(design: ExperimentDesign, order: int) -> Model:
    """The least-squares model of a design with the interactions of up to `order` factors.

    Main effects come first, then curvatures, then interactions by their number of factors. A term with the columns of
    one before it is aliased with it; one that depends in another way on those before it and beside it is not estimable,
    and no curvature or interaction is of which a part is not, or of which a combination of levels was not run.
    """
    main = [_main(design, name) for name in design.factors]
    curved = [_curvature(design, name) for name in design.continuous]
    curved = [term for term in curved if len(np.unique(term.columns.round(9))) > 1]
    inner = [[_interaction(chosen) for chosen in combinations(main, size)] for size in range(2, order + 1)]
    accepted: list[Term] = []
    lost: list[str] = []
    for together in (main, curved, *inner):
        accepted, failed = _estimable(accepted, together, design)
        lost += failed
    matrix = np.column_stack([np.ones(len(design.runs)), *(term.columns for term in accepted)])
    parts = np.split(np.linalg.pinv(matrix), np.cumsum([1, *(term.columns.shape[1] for term in accepted)]))[1:]
    terms = (replace(term, weights=part) for term, part in zip(accepted, parts, strict=False))
    return Model(terms=tuple(terms), not_estimable=tuple(lost))


def _main(design: ExperimentDesign, name: str) -> Term:
    levels = design.levels(name)
    continuous = name in design.continuous
    coding = positions(design, name)
    single = coding.shape[1] == 1
    return Term(
        factors=(name,),
        kind="main effect",
        columns=design.coded[:, [list(design.factors).index(name)]] if continuous else coding[design.codes(name)],
        expand=np.array([[2.0]]) if single else coding,
        levels=(f"{levels[-1]} less {levels[0]}",) if single else levels,
    )


def positions(design: ExperimentDesign, name: str) -> FloatArray:
    """The columns of a factor at its levels, which sum to 0; at low, middle and high of a continuous one."""
    if name in design.continuous:
        return np.array([[-1.0], [0.0], [1.0]])
    n = len(design.factors[name])
    return np.vstack([-np.ones(n - 1), np.eye(n - 1)])


def _curvature(design: ExperimentDesign, name: str) -> Term:
    squares, one = design.coded[:, [list(design.factors).index(name)]] ** 2, np.array([[1.0]])
    return Term(factors=(name,), kind="curvature", columns=squares, expand=one, levels=("ends less centre",))


def _interaction(terms: Sequence[Term]) -> Term:
    """Products of the columns; of single ones half the difference of the differences."""
    columns = products([term.columns for term in terms])
    single = columns.shape[1] == 1
    labels = reduce(lambda a, b: [f"{x}, {y}" for x in a for y in b], [list(term.levels) for term in terms])
    return Term(
        factors=tuple(term.factors[0] for term in terms),
        kind="interaction",
        columns=columns,
        expand=np.array([[2.0]])
        if single
        else reduce(lambda a, b: np.asarray(np.kron(a, b), dtype=np.float64), [term.expand for term in terms]),
        levels=("interaction",) if single else tuple(labels),
    )


def products(parts: Sequence[FloatArray]) -> FloatArray:
    """Each column of the first by each of the second, these by each of the third, and so on."""
    return reduce(lambda a, b: (a[:, :, None] * b[:, None, :]).reshape(len(a), -1), parts)


# ---- what can be estimated -----------------------------------------------------------------------------------


def _estimable(before: list[Term], together: list[Term], design: ExperimentDesign) -> tuple[list[Term], list[str]]:
    """The terms of one class that do not depend on each other and on those before them, and the others."""
    known_names = {name for term in before for name in term.names}
    candidates = list(before)
    for term in together:
        at = next((i for i, known in enumerate(candidates) if _same(known, term)), None)
        if at is None:
            candidates.append(term)
            continue
        sign = "-" if float((candidates[at].columns * term.columns).sum()) < 0 else ""
        candidates[at] = replace(candidates[at], aliases=(*candidates[at].aliases, f"{sign}{term.name}"))
    ones = np.ones((len(design.runs), 1))
    accepted = candidates[: len(before)]
    lost: list[str] = []
    for term in candidates[len(before) :]:
        others = [ones, *(known.columns for known in candidates if known is not term)]
        whole = known_names.issuperset(_parts(term)) and _has_all_cells(design, term)
        if whole and _sticks_out(term.columns, np.hstack(others)):
            accepted.append(term)
        else:
            lost += term.names
    return accepted, lost


def _parts(term: Term) -> list[str]:
    """What a term is added to: of a curvature the line, of an interaction those of one factor less."""
    if term.kind == "curvature":
        return [term.factors[0]]
    n = len(term.factors) - 1
    return [":".join(chosen) for chosen in combinations(term.factors, n)] if n else []


def _has_all_cells(design: ExperimentDesign, term: Term) -> bool:
    """Whether every combination of the levels of its factors was run, continuous ones apart."""
    own = [name for name in term.factors if name not in design.continuous]
    cells = set(zip(*(design.codes(name).tolist() for name in own), strict=True))
    return not own or len(cells) == np.prod([len(design.factors[name]) for name in own])


def _same(known: Term, term: Term) -> bool:
    """Whether two terms have the same columns, up to what mixes these among themselves."""
    alike = known.columns.shape == term.columns.shape and term.columns.size > 0
    return alike and float(np.abs(_beyond(known.columns, term.columns)).max()) < FLAT


def _sticks_out(columns: FloatArray, others: FloatArray) -> bool:
    """Whether no combination of the columns is one of the others."""
    lengths = np.linalg.norm(columns, axis=0)
    if not lengths.size or not lengths.all():
        return False
    return bool(np.linalg.matrix_rank(_beyond(others, columns / lengths), tol=FLAT) == columns.shape[1])


def _beyond(known: FloatArray, columns: FloatArray) -> FloatArray:
    """What of some columns is no combination of those that are known."""
    return np.asarray(columns - known @ np.linalg.lstsq(known, columns, rcond=None)[0])


# The fit of a least-squares model to the scores of designed settings, and the tests of its terms.


def lack_of_fit(
    design: ExperimentDesign, model: Model, scores: FloatArray, metrics: tuple[str, ...], correction: Correction
) -> list[CodedWarning]:
    """Where the runs show that lines and curvatures of continuous factors do not describe them."""
    if not design.continuous or not model.terms:
        return []
    left = left_over(np.column_stack([np.ones(len(design.runs)), *(term.columns for term in model.terms)]))
    if not len(left):
        return []
    pvalues = [contrasts_of(own, left, correction).pvalue for own in scores.T]
    return [
        Code.LACK_OF_FIT(
            f"lines, curvatures and the interactions asked for do not describe the settings ({equal_to('p', p)}), so "
            f"that an effect may have another shape.",
            about=[metric],
        ).at(metric if len(metrics) > 1 else "")
        for metric, p in zip(metrics, pvalues, strict=True)
        if p < ALPHA
    ]


def effect_of(
    design: ExperimentDesign,
    term: Term,
    scores: FloatArray,
    metric: str,
    greater: bool,
    correction: Correction,
    confidence_level: float,
) -> Effect:
    """The effect of one term on one metric, its p-value not adjusted yet."""
    found = contrasts_of(scores, term.weights, correction)
    estimates = term.expand @ found.estimates
    errors = np.sqrt(np.clip(np.einsum("ij,jk,ik->i", term.expand, found.covariance, term.expand), 0, None))
    margin = -t_quantile(found.n - 1.0, (1 - confidence_level) / 2) * errors
    best, worst, difference = "", "", float("nan")
    if term.kind == "main effect":
        levels = design.levels(term.factors[0])
        means = estimates if len(estimates) > 1 else np.array([0.0, estimates[0]])
        oriented = means if greater else -means
        best, worst, difference = levels[int(oriented.argmax())], levels[int(oriented.argmin())], float(np.ptp(means))
        if difference <= ROUNDING * float(np.abs(scores).max()):
            best, worst, difference = "none better", "none worse", 0.0
    return Effect(
        term=term.name,
        metric=metric,
        **picked(term, "kind", "aliases", "levels"),
        estimates=estimates,
        low=estimates - margin,
        high=estimates + margin,
        best=best,
        worst=worst,
        difference=difference,
        pvalue_adjusted=found.pvalue,
        **picked(found, "statistic", "df", "pvalue", "n", "method"),
        warnings=tuple(warning.at(term.name) for warning in found.warnings),
    )


# Which settings and splits have scores.


def scored(
    design: ExperimentDesign, scores: FloatArray, metrics: Sequence[str]
) -> tuple[ExperimentDesign, FloatArray, list[CodedWarning]]:
    """The settings with scores on all splits that have any, these scores, and what is left out.

    Of scores of shape (n_runs, n_splits, n_metrics); ValueError for fewer than two settings or splits.
    """
    finite = np.all(np.isfinite(scores), axis=2)
    used = np.any(finite, axis=0)
    complete = np.all(finite[:, used], axis=1)
    if not used.any() or complete.sum() < 2 or used.sum() < 2:
        got = f"{int(complete.sum())} on {int(used.sum())} for {listed(list(metrics), 3)}"
        raise ValueError(f"scores must be there of two or more settings on two or more splits; got {got}")
    lost = [name for name, there in zip(design.names, complete, strict=True) if not there]
    found = []
    if lost:
        said = f"{counted(len(lost), 'setting')} without a score on some split left out ({listed(lost, 3)})."
        found.append(Code.MISSING_SCORES(said))
    if not used.all():
        splits = counted(int((~used).sum()), "split")
        found.append(Code.MISSING_SCORES(f"{splits} on which no setting has all its scores left out."))
    return design.of_scored(complete), scores[complete][:, used], found


def mean_scores(scores: FloatArray) -> FloatArray:
    """The means of scores of shape (n_runs, n_splits) over the splits that have any; nan where a setting lacks one."""
    used = np.isfinite(scores).any(axis=0)
    return np.asarray(scores[:, used].mean(axis=1)) if used.any() else np.full(len(scores), np.nan)
