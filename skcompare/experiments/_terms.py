"""Effects as columns of a least-squares model, and which of them a design can estimate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import combinations
from typing import Literal

import numpy as np

from skcompare._core.validation import FloatArray
from skcompare.experiments._design import ExperimentDesign
from skcompare.experiments._quadratic import FLAT, left_over

TermKind = Literal["main effect", "curvature", "interaction"]
# Correlation between columns of two effects from which on settings that differ in one differ in the other too.
UNBALANCED = 0.1


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Term:
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
    aliases : tuple of str
        The terms with the same columns, with a minus where these are the opposite.
    """

    factors: tuple[str, ...]
    kind: TermKind
    columns: FloatArray
    expand: FloatArray
    levels: tuple[str, ...]
    aliases: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Such as ``max_depth``, ``C^2`` or ``C:gamma``."""
        return ":".join(self.factors) + ("^2" if self.kind == "curvature" else "")


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Model:
    """The terms that can be estimated, and their weights: what makes coefficients of the mean scores of the runs."""

    terms: tuple[Term, ...]
    weights: tuple[FloatArray, ...]
    not_estimable: tuple[str, ...]

    @property
    def left_over(self) -> FloatArray:
        """Orthonormal contrasts of the runs that the terms leave out, one per row."""
        columns = [term.columns for term in self.terms]
        return (
            left_over(np.column_stack([np.ones(self.weights[0].shape[1]), *columns])) if columns else np.empty((0, 0))
        )

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
    accepted: list[Term] = []
    lost: list[str] = []
    for together in _classes(design, order):
        found, failed = _estimable(accepted, together, design)
        accepted, lost = found, [*lost, *failed]
    matrix = np.column_stack([np.ones(len(design.runs)), *(term.columns for term in accepted)])
    inverse = np.linalg.pinv(matrix)[1:]
    ends = np.cumsum([term.columns.shape[1] for term in accepted])
    parts = np.split(inverse, ends[:-1]) if accepted else []
    return Model(terms=tuple(accepted), weights=tuple(parts), not_estimable=tuple(lost))


def _classes(design: ExperimentDesign, order: int) -> list[list[Term]]:
    """Terms by what they are, the simple ones first."""
    main = [_main(design, name) for name in design.factors]
    curved = [_curvature(design, name) for name in design.continuous]
    curved = [term for term in curved if len(np.unique(term.columns.round(9))) > 1]
    inner = [[_interaction(chosen) for chosen in combinations(main, size)] for size in range(2, order + 1)]
    return [main, curved, *inner]


def _main(design: ExperimentDesign, name: str) -> Term:
    levels = design.levels(name)
    continuous = name in design.continuous
    coding = positions(design, name)
    single = coding.shape[1] == 1
    at_runs = design.coded[:, [list(design.factors).index(name)]] if continuous else coding[design.codes(name)]
    return Term(
        factors=(name,),
        kind="main effect",
        columns=at_runs,
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
    squares = design.coded[:, [list(design.factors).index(name)]] ** 2
    return Term(
        factors=(name,), kind="curvature", columns=squares, expand=np.array([[1.0]]), levels=("ends less centre",)
    )


def _interaction(terms: Sequence[Term]) -> Term:
    """Products of the columns; of single ones half the difference of the differences."""
    columns: FloatArray = reduce(
        lambda a, b: (a[:, :, None] * b[:, None, :]).reshape(len(a), -1), [term.columns for term in terms]
    )
    single = columns.shape[1] == 1
    expand: FloatArray = terms[0].expand
    for term in terms[1:]:
        expand = np.asarray(np.kron(expand, term.expand), dtype=np.float64)
    labels = reduce(lambda a, b: [f"{x}, {y}" for x in a for y in b], [list(term.levels) for term in terms])
    return Term(
        factors=tuple(term.factors[0] for term in terms),
        kind="interaction",
        columns=columns,
        expand=np.array([[2.0]]) if single else expand,
        levels=("interaction",) if single else tuple(labels),
    )


# ---- what can be estimated -----------------------------------------------------------------------------------


def _estimable(before: list[Term], together: list[Term], design: ExperimentDesign) -> tuple[list[Term], list[str]]:
    """The terms of one class that do not depend on each other and on those before them, and the others."""
    accepted = list(before)
    known_names = {
        name for term in before for name in (term.name, *(alias.removeprefix("-") for alias in term.aliases))
    }
    candidates: list[Term] = []
    for term in together:
        at = next((i for i, known in enumerate([*accepted, *candidates]) if _same(known, term)), None)
        if at is None:
            candidates.append(term)
            continue
        group = accepted if at < len(accepted) else candidates
        at -= 0 if group is accepted else len(accepted)
        sign = "-" if float((group[at].columns * term.columns).sum()) < 0 else ""
        group[at] = replace(group[at], aliases=(*group[at].aliases, f"{sign}{term.name}"))
    ones = np.ones((len(design.runs), 1))
    lost: list[str] = []
    for term in candidates:
        others = [ones, *(known.columns for known in (*before, *candidates) if known is not term)]
        whole = known_names.issuperset(_parts(term)) and _has_all_cells(design, term)
        if whole and _sticks_out(term.columns, np.hstack(others)):
            accepted.append(term)
        else:
            lost += [term.name, *(alias.removeprefix("-") for alias in term.aliases)]
    return accepted, lost


def _parts(term: Term) -> list[str]:
    """What a term is added to: of an interaction those of one factor less."""
    if term.kind == "main effect":
        return []
    if term.kind == "curvature":
        return [term.factors[0]]
    return [":".join(chosen) for chosen in combinations(term.factors, len(term.factors) - 1)]


def _has_all_cells(design: ExperimentDesign, term: Term) -> bool:
    """Whether every combination of the levels of its factors was run, continuous ones apart."""
    own = [name for name in term.factors if name not in design.continuous]
    if not own:
        return True
    cells = np.column_stack([design.codes(name) for name in own])
    return len(np.unique(cells, axis=0)) == np.prod([len(design.factors[name]) for name in own])


def _same(known: Term, term: Term) -> bool:
    """Whether two terms have the same columns, up to what mixes these among themselves."""
    if known.columns.shape != term.columns.shape or not term.columns.size:
        return False
    left = term.columns - known.columns @ np.linalg.lstsq(known.columns, term.columns, rcond=None)[0]
    return float(np.abs(left).max()) < FLAT


def _sticks_out(columns: FloatArray, others: FloatArray) -> bool:
    """Whether no combination of the columns is one of the others."""
    lengths = np.linalg.norm(columns, axis=0)
    if not lengths.size or not lengths.all():
        return False
    scaled = columns / lengths
    left = scaled - others @ np.linalg.lstsq(others, scaled, rcond=None)[0]
    return bool((np.linalg.svd(left, compute_uv=False) > FLAT).sum() == columns.shape[1])
