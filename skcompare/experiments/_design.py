"""ExperimentDesign: which settings of an estimator are tried, and which effects they can tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import isfinite, log
from numbers import Integral, Real
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from skcompare._core.frames import import_pandas
from skcompare._core.html import Table
from skcompare._core.record import Record
from skcompare._core.validation import FloatArray, check_integer
from skcompare._core.words import counted
from skcompare.experiments._optimum import Axis
from skcompare.selection._effects import NOT_SET
from skcompare.tables.candidate_names import candidate_names, first_of, value_key, value_label, value_labels

Kind = Literal["full factorial", "fractional factorial", "central composite", "Latin hypercube", "search"]
ROMAN = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")


@dataclass(frozen=True, eq=False, slots=True, kw_only=True, repr=False)
class ExperimentDesign(Record):
    """Settings of an estimator to be tried together; made by the functions of `skcompare.experiments`.

    No setting is repeated, the centre neither: the same model on the same splits has the same scores. The noise that
    effects are compared with is that of the splits.

    Attributes
    ----------
    factors : mapping of str to tuple
        Of every parameter its levels in order, or low and high where it is continuous: of a Latin hypercube or a search
        the least and the largest value of all settings.
    runs : tuple of mapping
        The settings, as ``set_params`` takes them.
    names : tuple of str
        A short name for each, with the step of a pipeline left out where the rest is clear.
    coded : ndarray of shape (n_runs, n_factors)
        The settings on a scale on which low is -1 and high is 1, of a factor in `log` on its logarithm; levels that
        are no numbers stand at equal distances. Rounded settings stand where they are.
    kind : {"full factorial", "fractional factorial", "central composite", "Latin hypercube", "search"}
        How the settings were chosen.
    continuous : tuple of str
        The factors whose effect is that of a line from low to high; of all others every level counts for itself.
    log : tuple of str
        The factors on a logarithmic scale.
    n_merged : int
        Settings that were left out, since they were equal to others after rounding to integers.
    """

    factors: Mapping[str, tuple[Any, ...]]
    runs: tuple[Mapping[str, Any], ...]
    names: tuple[str, ...]
    coded: FloatArray
    kind: Kind
    continuous: tuple[str, ...] = ()
    log: tuple[str, ...] = ()
    n_merged: int = 0

    @classmethod
    def of_runs(
        cls,
        factors: Mapping[str, tuple[Any, ...]],
        runs: Sequence[Mapping[str, Any]],
        kind: Kind,
        *,
        continuous: tuple[str, ...] = (),
        log: tuple[str, ...] = (),
    ) -> Self:
        """The design of some settings, of equal ones the first."""
        different = {tuple(value_key(run[name]) for name in factors): run for run in reversed(runs)}
        kept = tuple(reversed(different.values()))
        coded = np.column_stack(
            [_coded([run[name] for run in kept], levels, name in log) for name, levels in factors.items()]
        )
        coded.setflags(write=False)
        return cls(
            factors=dict(factors),
            runs=kept,
            names=_run_names(kept),
            coded=coded,
            kind=kind,
            continuous=continuous,
            log=log,
            n_merged=len(runs) - len(kept),
        )

    def of_scored(self, kept: NDArray[np.bool_]) -> Self:
        """Some of the runs, of factors with the levels of these; a continuous one ends where the others lay beyond."""
        if kept.all():
            return self
        runs = tuple(run for run, there in zip(self.runs, kept, strict=True) if there)
        factors = {name: self._levels_of(name, [run[name] for run in runs]) for name in self.factors}
        coded = [_coded([run[name] for run in runs], levels, name in self.log) for name, levels in factors.items()]
        return replace(
            self,
            factors=factors,
            runs=runs,
            names=tuple(name for name, there in zip(self.names, kept, strict=True) if there),
            coded=np.column_stack(coded),
            continuous=tuple(name for name in self.continuous if len(factors[name]) > 1),
        )

    def _levels_of(self, factor: str, values: Sequence[Any]) -> tuple[Any, ...]:
        """The levels of a factor among some settings, or their ends."""
        if factor not in self.continuous:
            there = set(map(value_key, values))
            return tuple(level for level in self.factors[factor] if value_key(level) in there)
        (low, high), every = self.factors[factor], [run[factor] for run in self.runs]
        low = max(low, min(values)) if min(values) > min(every) else low
        high = min(high, max(values)) if max(values) < max(every) else high
        return (low, high) if low < high else (low,)

    @property
    def resolution(self) -> int | None:
        """Of a fraction the number of factors in the shortest product that is constant; None of other designs.

        With resolution 3 main effects are aliased with interactions of two factors, with 4 such interactions with each
        other, with 5 neither.
        """
        if self.kind != "fractional factorial":
            return None
        return min((len(members[1][1]) for members in self._alias_groups() if not members[0][1]), default=None)

    def aliases(self, order: int = 2) -> tuple[str, ...]:
        """Which effects of a fraction are aliased: only their sum is estimated.

        Parameters
        ----------
        order : int, default=2
            The largest number of factors in the first effect of a group.

        Returns
        -------
        tuple of str
            Such as ``"a:b = c:d:e"``, or ``"a = -b:c"`` where the sum is not known but the difference; first those
            whose product is constant, ``"I = a:b:c:d:e"``. Empty where none are aliased, and of designs that are
            no fractions.

        Raises
        ------
        ValueError
            If `order` is no integer of at least 1.
        """
        order = check_integer(order, "order", low=1)
        groups = [group for group in self._alias_groups() if len(group) > 1 and len(group[0][1]) <= order]
        return tuple(" = ".join(_signed(*member) for member in group) for group in groups)

    def _alias_groups(self) -> list[list[tuple[int, tuple[str, ...]]]]:
        """Effects with equal columns up to the sign, each a sign relative to the first and its factors."""
        if self.kind != "fractional factorial":
            return []
        signs = np.where(self.coded > 0, 1, -1)
        groups: dict[bytes, list[tuple[int, tuple[str, ...]]]] = {}
        names = list(self.factors)
        for size in range(len(names) + 1):
            for chosen in combinations(range(len(names)), size):
                column = signs[:, list(chosen)].prod(axis=1)
                first = groups.setdefault((column * column[0]).astype(np.int8).tobytes(), [])
                first.append((int(column[0]), tuple(names[i] for i in chosen)))
        return [[(sign * group[0][0], effect) for sign, effect in group] for group in groups.values()]

    def levels(self, factor: str) -> tuple[str, ...]:
        """The levels of a factor in words, in their order; low and high of a continuous one."""
        labels = value_labels([_given({factor: value}) for value in self.factors[factor]]).get(factor)
        if labels is None:
            return tuple(map(_in_words, self.factors[factor]))
        return tuple(NOT_SET if label is None else label for label in labels)

    def codes(self, factor: str) -> np.ndarray[Any, np.dtype[np.intp]]:
        """Of every run the place of its level; ValueError of a continuous factor."""
        places = {value_key(value): i for i, value in enumerate(self.factors[factor])}
        return np.array([places[value_key(run[factor])] for run in self.runs])

    def axes(self) -> list[Axis]:
        """The factors as axes of a response surface; ValueError where levels are no numbers."""
        words = next((name for name in self.factors if not all(map(is_number, self.factors[name]))), None)
        if words is not None:
            raise ValueError(f"a response surface takes factors with numbers as levels; {words!r} has others")
        return [self.axis(name) for name in self.factors]

    def axis(self, factor: str) -> Axis:
        """A factor with numbers as levels as an axis."""
        levels = self.factors[factor]
        return Axis(
            name=factor,
            low=float(min(levels)),
            high=float(max(levels)),
            log=factor in self.log,
            integer=are_integers(levels),
        )

    def estimators(self, estimator: Any) -> dict[str, Any]:
        """A clone of an estimator with each of the settings, by name.

        Parameters
        ----------
        estimator : estimator
            Its ``set_params`` takes the factors.

        Returns
        -------
        dict of str to estimator

        Raises
        ------
        ValueError
            If it is no estimator or has no such parameter.
        """
        if isinstance(estimator, type) or not all(
            callable(getattr(estimator, name, None)) for name in ("get_params", "set_params")
        ):
            raise ValueError(f"estimator must be an estimator with get_params and set_params; got {estimator!r:.80}")
        known = estimator.get_params(deep=True)
        unknown = [name for name in self.factors if name not in known]
        if unknown:
            raise ValueError(
                f"factors must name parameters of {type(estimator).__name__}, as in get_params(); got {unknown[0]!r}"
            )
        settings = (clone(dict(run), safe=False) for run in self.runs)
        return {name: clone(estimator).set_params(**given) for name, given in zip(self.names, settings, strict=True)}

    def to_frame(self) -> Any:
        """The settings as a pandas DataFrame, one row per run with its name as index; needs pandas."""
        return import_pandas().DataFrame([dict(run) for run in self.runs], index=list(self.names))

    def _sentence(self) -> str:
        n, k = len(self.runs), len(self.factors)
        found = self.resolution
        exact = "" if found is None else f", resolution {ROMAN[found]}"
        merged = "" if not self.n_merged else f", {counted(self.n_merged, 'setting')} equal to others after rounding"
        scale = "" if not self.log else f", {first_of(self.log)} on a logarithmic scale"
        kind = "Search" if self.kind == "search" else f"{self.kind[0].upper()}{self.kind[1:]} design"
        return f"{kind} of {counted(k, 'factor')}{scale}{exact}: {counted(n, 'run')}{merged}."

    def _tables(self) -> list[Table]:
        rows = [[str(i + 1), *(_in_words(run[name]) for name in self.factors)] for i, run in enumerate(self.runs)]
        return [Table(("run", *_short(list(self.factors))), rows)]


def is_number(value: Any) -> bool:
    """Whether a level is a finite number."""
    return isinstance(value, Real) and not isinstance(value, (bool, np.bool_)) and isfinite(value)


def are_integers(values: Sequence[Any]) -> bool:
    """Whether levels are integers, so that what lies between is rounded."""
    return all(isinstance(value, Integral) and not isinstance(value, bool) for value in values)


def _coded(values: Sequence[Any], levels: Sequence[Any], logarithmic: bool) -> FloatArray:
    """Where settings stand between the lowest and the highest level."""
    if not all(map(is_number, levels)):
        places = {value_key(level): i for i, level in enumerate(levels)}
        found = np.array([places[value_key(value)] for value in values], dtype=np.float64)
        low, high = 0.0, float(len(levels) - 1)
    else:
        low, high = float(min(levels)), float(max(levels))
        found = np.array(values, dtype=np.float64)
        if logarithmic:
            low, high, found = log(low), log(high), np.log(found)
    return np.round(2 * (found - low) / (high - low) - 1, 12) if high > low else np.zeros(len(found))


def _run_names(runs: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    short = dict(zip(runs[0], _short(list(runs[0])), strict=True))
    named = [{short[name]: value for name, value in _given(run).items()} for run in runs]
    return candidate_names(named, value_labels(named))


def _is_set(value: Any) -> bool:
    return not (isinstance(value, str) and value == NOT_SET)


def _given(run: Mapping[str, Any]) -> dict[str, Any]:
    """A setting without what it leaves alone."""
    return {name: value for name, value in run.items() if _is_set(value)}


def _in_words(value: Any) -> str:
    return value_label(value) if _is_set(value) else NOT_SET


def _short(names: Sequence[str]) -> list[str]:
    """Parameters without the steps of a pipeline, where the rest names each of them."""
    last = [name.rpartition("__")[2] for name in names]
    return [
        end if count == 1 else name for end, name, count in zip(last, names, map(Counter(last).get, last), strict=True)
    ]


def _signed(sign: int, effect: tuple[str, ...]) -> str:
    return f"{'-' if sign < 0 else ''}{':'.join(effect) or 'I'}"
