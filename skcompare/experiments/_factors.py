"""Factors -> the designs of an experiment; the fractions and the composite ones are pyDOE3's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product
from math import isfinite
from typing import Any, Literal, Self

import numpy as np
from scipy.stats import qmc
from sklearn.base import clone

from skcompare._core.frames import import_pandas
from skcompare._core.numbers import counted, listed
from skcompare._core.record import Record, Table
from skcompare._core.text import capital, needs
from skcompare._core.validation import BoolArray, FloatArray, Positions, check_choice, check_integer, check_rng
from skcompare.evaluation.cv_results import CvResults
from skcompare.evaluation.labels import candidate_names, value_key, value_labels, without_steps
from skcompare.experiments._surface import MAX_FACTORS, Axis, determines, quadratic
from skcompare.selection._effects import MAX_NUMBERS, NOT_SET, is_number

# ExperimentDesign: which settings of an estimator are tried, and which effects they can tell.


Kind = Literal["full factorial", "fractional factorial", "central composite", "Latin hypercube", "search"]
ROMAN = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")


class ExperimentDesign(Record, eq=False):
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
        coded = _coded(kept, factors, log)
        coded.setflags(write=False)
        short = dict(zip(kept[0], without_steps(list(kept[0])), strict=True))
        named = [{short[name]: value for name, value in _given(run).items()} for run in kept]
        return cls(
            factors=dict(factors),
            runs=kept,
            names=candidate_names(named, value_labels(named)),
            coded=coded,
            kind=kind,
            continuous=continuous,
            log=log,
            n_merged=len(runs) - len(kept),
        )

    def of_scored(self, kept: BoolArray) -> Self:
        """Some of the runs, of factors with the levels of these; a continuous one ends where the others lay beyond."""
        runs = tuple(run for run, there in zip(self.runs, kept, strict=True) if there)
        factors = {name: self._levels_of(name, [run[name] for run in runs]) for name in self.factors}
        return replace(
            self,
            factors=factors,
            runs=runs,
            names=tuple(name for name, there in zip(self.names, kept, strict=True) if there),
            coded=_coded(runs, factors, self.log),
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
        return tuple(" = ".join("-" * (sign < 0) + (":".join(one) or "I") for sign, one in group) for group in groups)

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
        return _labels(factor, self._values(factor))

    def codes(self, factor: str) -> np.ndarray[Any, np.dtype[np.intp]]:
        """Of every run the place of its level; ValueError of a continuous factor."""
        places = {value_key(value): i for i, value in enumerate(self._values(factor))}
        if factor in self.continuous:
            raise ValueError(f"factor must be one that has levels; {factor!r} is continuous")
        return np.array([places[value_key(run[factor])] for run in self.runs])

    def axes(self) -> list[Axis]:
        """The factors as axes of a response surface; ValueError where levels are no numbers."""
        return [self.axis(name) for name in self.factors]

    def axis(self, factor: str) -> Axis:
        """A factor as an axis; ValueError where its levels are no numbers."""
        levels = self._values(factor)
        if not all(map(is_number, levels)):
            raise ValueError(f"a response surface takes factors with numbers as levels; {factor!r} has others")
        return Axis.of(factor, levels, log=factor in self.log)

    def _values(self, factor: str) -> tuple[Any, ...]:
        check_choice(factor, "factor", [*self.factors])
        return self.factors[factor]

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
        able = all(callable(getattr(estimator, name, None)) for name in ("get_params", "set_params"))
        if isinstance(estimator, type) or not able:
            raise ValueError(f"estimator must be an estimator with get_params and set_params; got {estimator!r:.80}")
        known = estimator.get_params(deep=True)
        if unknown := [name for name in self.factors if name not in known]:
            kind = type(estimator).__name__
            raise ValueError(f"factors must name parameters of {kind}, as in get_params(); got {unknown[0]!r}")
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
        scale = "" if not self.log else f", {listed(self.log, 3)} on a logarithmic scale"
        kind = "Search" if self.kind == "search" else f"{capital(self.kind)} design"
        return f"{kind} of {counted(k, 'factor')}{scale}{exact}: {counted(n, 'run')}{merged}."

    def _tables(self) -> list[Table]:
        columns = [_labels(name, [run[name] for run in self.runs]) for name in self.factors]
        rows = [[str(i), *row] for i, row in enumerate(zip(*columns, strict=True), start=1)]
        return [Table(("run", *without_steps(list(self.factors))), rows)]


def _coded(runs: Sequence[Mapping[str, Any]], factors: Mapping[str, Sequence[Any]], log: Sequence[str]) -> FloatArray:
    """Where settings stand between the lowest and the highest level of each factor, shape (n_runs, n_factors)."""
    columns = []
    for name, levels in factors.items():
        values = [run[name] for run in runs]
        if not all(map(is_number, levels)):
            places = {value_key(level): i for i, level in enumerate(levels)}
            values, levels = [places[value_key(value)] for value in values], range(len(levels))
        axis = Axis.of(name, levels, log=name in log)
        columns.append([axis.coded(value) if axis.low < axis.high else 0.0 for value in values])
    return np.round(np.array(columns, dtype=np.float64).T, 12)


def _given(run: Mapping[str, Any]) -> dict[str, Any]:
    """A setting without what it leaves alone."""
    return {name: value for name, value in run.items() if not (isinstance(value, str) and value == NOT_SET)}


def _labels(name: str, values: Sequence[Any]) -> tuple[str, ...]:
    """Values of a factor in words that differ where they do."""
    labels = value_labels([_given({name: value}) for value in values], every=True)
    return tuple(NOT_SET if label is None else label for label in labels.get(name, [None] * len(values)))


# The factors that a design is made of, as users give them.


def check_factors(
    factors: Any, logarithmic: Any, *, continuous: bool = False
) -> tuple[dict[str, tuple[Any, ...]], tuple[str, ...]]:
    """Levels by factor, and the factors on a logarithmic scale, or ValueError."""
    if not isinstance(factors, Mapping) or not factors or not all(isinstance(name, str) for name in factors):
        raise ValueError(f"factors must be a mapping of parameters to levels; got {factors!r:.100}")
    found = {}
    for name, given in factors.items():
        given = given.tolist() if isinstance(given, np.ndarray) else given
        if isinstance(given, (str, bytes)) or not isinstance(given, Sequence):
            raise ValueError(f"factors must give a sequence of levels for {name!r}; got {given!r:.80}")
        numbers = all(map(is_number, given))
        found[name] = levels = tuple(sorted(given)) if numbers and not continuous else tuple(given)
        if len({value_key(value) for value in levels}) < max(2, len(levels)):
            raise ValueError(f"factors must give two or more different levels for {name!r}; got {given!r:.80}")
        if continuous and not (numbers and len(levels) == 2 and levels[0] < levels[1]):
            raise ValueError(f"factors must give two numbers for {name!r}, low and high; got {given!r:.80}")
        if numbers and not isfinite(float(max(levels)) - float(min(levels))):
            raise ValueError(f"factors must give levels whose differences are finite for {name!r}; got {given!r:.80}")
    return found, check_log(logarithmic, found)


def check_log(given: Any, factors: Mapping[str, tuple[Any, ...]]) -> tuple[str, ...]:
    """The factors on a logarithmic scale, or ValueError."""
    given = given.tolist() if isinstance(given, np.ndarray) else given
    if not isinstance(given, Iterable):
        raise ValueError(f"log must be a sequence of names of factors; got {given!r:.80}")
    chosen = (given,) if isinstance(given, str) else tuple(given)
    for name in chosen:
        check_choice(name, "log", tuple(factors))
        if not all(is_number(value) and value > 0 for value in factors[name]):
            raise ValueError(
                f"log must name factors with positive numbers as levels; got {name!r} with {factors[name]!r:.80}"
            )
    return chosen


LETTERS = "abcdefghij"
MAX_RUNS = 100_000
# By the number of factors the products that the last of them are, of fractions smaller than the half: the smallest
# first (NIST/SEMATECH e-Handbook of Statistical Methods, 5.3.3.4.7; 256 settings of ten: the words abcdei, abcfghj and
# defghij have six letters or more). pyDOE3's own choice, `fracfact_by_res`, is larger
# than these or misses the resolution asked for.
GENERATORS = {
    5: ("ab ac",),
    6: ("ab ac bc", "abc bcd"),
    7: ("ab ac bc abc", "abc bcd acd"),
    8: ("bcd acd abc abd", "abcd abef"),
    9: ("abc bcd acd abd abcd", "bcde acde abde abce", "acdfg bcefg"),
    10: ("abc bcd acd abd abcd ab", "abcd abce abde acde bcde", "abcg bcde acdf", "abcde abcfgh"),
}


def full_factorial(factors: Mapping[str, Sequence[Any]], *, log: Sequence[str] = ()) -> ExperimentDesign:
    """Every level of every factor with every level of the others.

    Parameters
    ----------
    factors : mapping of str to sequence
        Of every parameter, as ``set_params`` takes it (``svc__C`` too), two or more levels; numbers are sorted.
    log : sequence of str, default=()
        Factors that `coded` has on a logarithmic scale.

    Returns
    -------
    ExperimentDesign

    Raises
    ------
    ValueError
        If a factor has fewer than two levels or one twice, or a logarithm is asked of what is not positive.

    Examples
    --------
    >>> from skcompare.experiments import full_factorial
    >>> design = full_factorial({"max_depth": [2, 8], "min_samples_leaf": [1, 20]})
    >>> print(design)
    Full factorial design of 2 factors: 4 runs.
    <BLANKLINE>
    run  max_depth  min_samples_leaf
    --------------------------------
    1            2                 1
    2            2                20
    3            8                 1
    4            8                20
    """
    levels, logarithmic = check_factors(factors, log)
    n_runs = int(np.prod([len(values) for values in levels.values()], dtype=object))
    if n_runs > MAX_RUNS:
        raise ValueError(f"factors must have at most {MAX_RUNS:,} combinations of levels; got {n_runs:,}")
    runs = [dict(zip(levels, chosen, strict=True)) for chosen in product(*levels.values())]
    return ExperimentDesign.of_runs(levels, runs, "full factorial", log=logarithmic)


def fractional_factorial(
    factors: Mapping[str, Sequence[Any]],
    generators: Mapping[str, str] | None = None,
    resolution: int | None = None,
    *,
    log: Sequence[str] = (),
) -> ExperimentDesign:
    """A fraction of the settings of factors with two levels, by pyDOE3.

    Parameters
    ----------
    factors : mapping of str to sequence of length 2
        Of every parameter its low and its high level; 3 to 10 factors. Of two numbers the smaller is low.
    generators : mapping of str to str, optional
        The factors whose level is a product of others, such as ``{"e": "a:b:c:d"}``, or ``"-a:b"`` for its opposite.
    resolution : int, optional
        The smallest fraction with at least this resolution, 3 or more, instead of generators. Where neither is given
        the last factor is the product of all others: half of the settings.
    log : sequence of str, default=()
        Factors that `coded` has on a logarithmic scale.

    Returns
    -------
    ExperimentDesign
        Its `aliases` and `resolution` say which effects are aliased.

    Raises
    ------
    ImportError
        If pyDOE3 is not installed.
    ValueError
        If the factors, the generators or the resolution do not fit.

    Examples
    --------
    >>> from skcompare.experiments import fractional_factorial
    >>> levels = {name: (0, 1) for name in "abcde"}
    >>> design = fractional_factorial(levels, {"e": "a:b:c:d"})
    >>> len(design.runs), design.resolution
    (16, 5)
    >>> design.aliases()[:2], design.aliases()[-1]
    (('I = a:b:c:d:e', 'a = b:c:d:e'), 'd:e = a:b:c')
    """
    levels, logarithmic = check_factors(factors, log)
    if not 3 <= len(levels) <= len(LETTERS):
        raise ValueError(f"factors must be 3 to {len(LETTERS)}; got {len(levels)}")
    several = next((name for name, values in levels.items() if len(values) != 2), None)
    if several is not None:
        raise ValueError(f"factors must have two levels each; got {len(levels[several])} of {several!r}")
    if generators is not None and resolution is not None:
        raise ValueError("generators and resolution must not both be given")
    names = list(levels)
    if resolution is not None:
        return _of_resolution(levels, check_integer(resolution, "resolution", low=3), logarithmic)
    given = {names[-1]: ":".join(names[:-1])} if generators is None else generators
    return _of_coded(levels, _pydoe().fracfact(_in_letters(names, given)), logarithmic)


def central_composite(
    factors: Mapping[str, Sequence[float]],
    *,
    alpha: Literal["rotatable", "orthogonal"] = "rotatable",
    face: Literal["inscribed", "faced", "circumscribed"] = "inscribed",
    log: Sequence[str] = (),
) -> ExperimentDesign:
    """Corners, one point on either side of each axis, and the centre once, by pyDOE3: for response surfaces.

    Parameters
    ----------
    factors : mapping of str to (low, high)
        Two numbers each; what lies between two integers is rounded to integers, and equal settings are merged.
        2 to 8 factors, as many as a response surface takes.
    alpha : {"rotatable", "orthogonal"}, default="rotatable"
        The distance of the points on the axes, in units of that of the corners: the fourth root of the number of
        corners, or that with which squares are orthogonal. Of no effect where they are ``"faced"``.
    face : {"inscribed", "faced", "circumscribed"}, default="inscribed"
        Whether low and high are the points on the axes, these and the corners, or the corners, in which case the
        points on the axes lie beyond low and high.
    log : sequence of str, default=()
        Factors on a logarithmic scale.

    Returns
    -------
    ExperimentDesign
        ``2**k + 2 * k + 1`` runs of k factors.

    Raises
    ------
    ImportError
        If pyDOE3 is not installed.
    ValueError
        If there are fewer than two factors or more than eight, one is no pair of numbers, low first, its points on the
        axes would not be positive or 0 as low is, or too few integers are between low and high for a quadratic.

    Examples
    --------
    >>> from skcompare.experiments import central_composite
    >>> design = central_composite({"C": (0.1, 1000), "gamma": (1e-4, 1.0)}, log=["C", "gamma"])
    >>> len(design.runs), design.names[-1]
    (9, 'C=10, gamma=0.01')
    """
    limits, logarithmic = check_factors(factors, log, continuous=True)
    check_choice(alpha, "alpha", ("rotatable", "orthogonal"))
    check_choice(face, "face", ("inscribed", "faced", "circumscribed"))
    if not 2 <= len(limits) <= MAX_FACTORS:
        raise ValueError(f"factors must be 2 to {MAX_FACTORS}; got {len(limits)}")
    runs = _runs(limits, _pydoe().ccdesign(len(limits), center=(0, 1), alpha=alpha, face=face), logarithmic)
    _check_signs(limits, runs)
    design = ExperimentDesign.of_runs(limits, runs, "central composite", continuous=tuple(limits), log=logarithmic)
    _check_determines(design)
    return design


def latin_hypercube(
    factors: Mapping[str, Sequence[float]],
    n_runs: int,
    rng: np.random.Generator | int | None = None,
    *,
    log: Sequence[str] = (),
) -> ExperimentDesign:
    """Settings that fill the space: each factor takes one value in each of `n_runs` equal parts of its range.

    Parameters
    ----------
    factors : mapping of str to (low, high)
        Two numbers each; what lies between two integers is rounded to integers, and equal settings are merged. The
        factors of the design have the least and the largest value that was drawn.
    n_runs : int
        Number of settings, at least 2.
    rng : None, int or Generator, default=None
        Random numbers.
    log : sequence of str, default=()
        Factors on a logarithmic scale.

    Returns
    -------
    ExperimentDesign
        Drawn by `scipy.stats.qmc.LatinHypercube`.

    Raises
    ------
    ValueError
        If a factor is no pair of numbers, low first, `n_runs` is too small, or all settings are equal after rounding.

    Examples
    --------
    >>> from skcompare.experiments import latin_hypercube
    >>> design = latin_hypercube({"max_depth": (1, 10), "ccp_alpha": (1e-4, 1e-1)}, 5, rng=0, log=["ccp_alpha"])
    >>> len(design.runs), all(1 <= run["max_depth"] <= 10 for run in design.runs)
    (5, True)
    """
    limits, logarithmic = check_factors(factors, log, continuous=True)
    n_runs = check_integer(n_runs, "n_runs", low=2)
    runs = _runs(limits, 2 * qmc.LatinHypercube(d=len(limits), rng=check_rng(rng)).random(n_runs) - 1, logarithmic)
    ends = {name: tuple(sorted({min(own), max(own)})) for name in limits for own in [[run[name] for run in runs]]}
    if all(len(found) < 2 for found in ends.values()):
        says = f"factors must be so wide that settings differ after rounding to integers; got {limits!r:.100}"
        raise ValueError(says)
    wide = tuple(name for name in limits if len(ends[name]) > 1)
    return ExperimentDesign.of_runs(ends, runs, "Latin hypercube", continuous=wide, log=logarithmic)


# ---- from coded settings --------------------------------------------------------------------------------------


def _of_coded(levels: Mapping[str, tuple[Any, ...]], coded: FloatArray, log: tuple[str, ...]) -> ExperimentDesign:
    return ExperimentDesign.of_runs(levels, _runs(levels, coded, log), "fractional factorial", log=log)


def _runs(limits: Mapping[str, tuple[Any, ...]], coded: FloatArray, log: tuple[str, ...]) -> list[dict[str, Any]]:
    """The settings at places on the coded scale, at the ends exactly low and high."""
    return [
        {
            name: ends[int(place > 0)] if abs(place) == 1 else Axis.of(name, ends, log=name in log).shown(place)
            for (name, ends), place in zip(limits.items(), row, strict=True)
        }
        for row in np.asarray(coded).tolist()
    ]


def _check_signs(limits: Mapping[str, tuple[Any, ...]], runs: Sequence[Mapping[str, Any]]) -> None:
    """ValueError where points beyond low are negative or 0, and low is not."""
    for name, (low, high) in limits.items():
        least = min(run[name] for run in runs)
        if least < 0 <= low or least <= 0 < low:
            raise ValueError(
                f"factors must have a low end of {name!r} from which the points on the axes, beyond it, do not reach "
                f"{'0 or less' if low > 0 else 'below 0'}; got {(low, high)!r:.80}, of which one is at {least:.4g}: "
                f"face='inscribed' stays within"
            )


def _check_determines(design: ExperimentDesign) -> None:
    """ValueError where rounding leaves too few settings for a quadratic."""
    if determines(quadratic(design.coded)):
        return
    few = next((name for name in design.factors if len({run[name] for run in design.runs}) < 3), None)
    lost = "corners beside the centre" if few is None else f"three values of {few!r}"
    got = f"{dict(design.factors)!r:.100}"
    raise ValueError(f"factors must be so wide that a quadratic keeps {lost} after rounding to integers; got {got}")


def _of_resolution(levels: Mapping[str, tuple[Any, ...]], resolution: int, log: tuple[str, ...]) -> ExperimentDesign:
    """The smallest fraction of the table with a resolution, or else the half."""
    n, doe = len(levels), _pydoe()
    if resolution > n:
        raise ValueError(f"resolution must be at most the number of factors, {n}; got {resolution}")
    for products in (*GENERATORS.get(n, ()), LETTERS[: n - 1]):
        design = _of_coded(levels, doe.fracfact(" ".join([*LETTERS[: n - len(products.split())], products])), log)
        if (design.resolution or 0) >= resolution:
            break
    return design


def _in_letters(names: Sequence[str], generators: Mapping[str, str]) -> str:
    """Generators in the words of pyDOE3: one letter for each factor that is free."""
    wanted = 'such as {"e": "a:b:c:d"}'
    for name, words in generators.items() if isinstance(generators, Mapping) else [("", generators)]:
        if name not in names or not isinstance(words, str):
            raise ValueError(
                f"generators must be a mapping of factors to products of others, {wanted}; got {generators!r:.100}"
            )
    letters = dict(zip([name for name in names if name not in generators], LETTERS, strict=False))
    found = []
    for name in names:
        words = generators.get(name, name)
        sign = "-" if name in generators and words.startswith("-") else ""
        factors = words.removeprefix(sign).split(":") if name in generators else [name]
        least = 2 if name in generators else 1
        if not least <= len(letters.keys() & {*factors}) == len(factors):
            raise ValueError(
                f"generators must give products of two or more factors without a generator, {wanted}; got "
                f"{words!r} for {name!r}"
            )
        found.append(sign + "".join(letters[factor] for factor in factors))
    if len({word.removeprefix("-") for word in found}) < len(found) or not generators:
        raise ValueError(f"generators must be different products, at least one; got {dict(generators)!r:.100}")
    return " ".join(found)


def _pydoe() -> Any:
    with needs("this design needs pyDOE3", "experiments"):
        import pyDOE3
    return pyDOE3


# The candidates of a search as the runs of an experiment.


def search_design(table: CvResults, log: Sequence[str]) -> tuple[ExperimentDesign, Positions]:
    """The design, and which candidates are its runs: of equal ones the first.

    Raises
    ------
    ValueError
        If no parameter varies, or `log` names one that is not positive.
    """
    runs = [{name: params.get(name, NOT_SET) for name in table.labels} for params in table.params]
    if not table.labels:
        raise ValueError("search must have tried two or more values of some parameter")
    factors, continuous = {}, []
    for name in table.labels:
        values = list({value_key(run[name]): run[name] for run in reversed(runs)}.values())[::-1]
        numbers = sorted(filter(is_number, values))
        factors[name] = (*numbers, *(value for value in values if not is_number(value)))
        if len(numbers) == len(values) > MAX_NUMBERS:
            continuous.append(name)
            factors[name] = (numbers[0], numbers[-1])
    log = check_log(log, factors)
    design = ExperimentDesign.of_runs(factors, runs, "search", continuous=tuple(continuous), log=log)
    keys = [tuple(value_key(run[name]) for name in factors) for run in runs]
    return design, np.array([keys.index(key) for key in dict.fromkeys(keys)])
