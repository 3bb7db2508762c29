"""Factors -> the designs of an experiment; the fractions and the composite ones are pyDOE3's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import exp, floor, log
from typing import Any, Literal

import numpy as np
from scipy.stats import qmc

from skcompare._core.validation import FloatArray, check_choice, check_integer, check_rng
from skcompare.experiments._design import ExperimentDesign, are_integers
from skcompare.experiments._factors import check_factors
from skcompare.experiments._optimum import MAX_FACTORS
from skcompare.experiments._quadratic import determines, quadratic

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
    coded = _pydoe().ccdesign(len(limits), center=(0, 1), alpha=alpha, face=face)
    runs = _runs(limits, coded, logarithmic)
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
    drawn = qmc.LatinHypercube(d=len(limits), rng=check_rng(rng)).random(n_runs)
    runs = _runs(limits, 2 * drawn - 1, logarithmic)
    ends = {name: tuple(sorted({min(own), max(own)})) for name in limits for own in [[run[name] for run in runs]]}
    if all(len(found) < 2 for found in ends.values()):
        raise ValueError(
            f"factors must be so wide that settings differ after rounding to integers; got {limits!r:.100}"
        )
    wide = tuple(name for name in limits if len(ends[name]) > 1)
    return ExperimentDesign.of_runs(ends, runs, "Latin hypercube", continuous=wide, log=logarithmic)


# ---- from coded settings --------------------------------------------------------------------------------------


def _of_coded(levels: Mapping[str, tuple[Any, ...]], coded: FloatArray, log: tuple[str, ...]) -> ExperimentDesign:
    runs = [
        {name: pair[int(place > 0)] for (name, pair), place in zip(levels.items(), row, strict=True)} for row in coded
    ]
    return ExperimentDesign.of_runs(levels, runs, "fractional factorial", log=log)


def _runs(
    limits: Mapping[str, tuple[Any, ...]], coded: FloatArray, logarithmic: tuple[str, ...]
) -> list[dict[str, Any]]:
    return [
        {
            name: _natural(place, *pair, logarithmic=name in logarithmic)
            for (name, pair), place in zip(limits.items(), row.tolist(), strict=True)
        }
        for row in coded
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
    raise ValueError(
        f"factors must be so wide that a quadratic keeps {lost} after rounding to integers; got "
        f"{dict(design.factors)!r:.100}"
    )


def _natural(place: float, low: Any, high: Any, *, logarithmic: bool) -> Any:
    """The setting at a place on the coded scale, at the ends exactly low and high."""
    if abs(place) == 1:
        return high if place > 0 else low
    share = (place + 1) / 2
    value = exp(log(low) + share * (log(high) - log(low))) if logarithmic else low + share * (high - low)
    return floor(value + 0.5) if are_integers((low, high)) else float(value)


def _of_resolution(levels: Mapping[str, tuple[Any, ...]], resolution: int, log: tuple[str, ...]) -> ExperimentDesign:
    """The smallest fraction of the table with a resolution, or else the half."""
    n, doe = len(levels), _pydoe()
    if resolution > n:
        raise ValueError(f"resolution must be at most the number of factors, {n}; got {resolution}")
    for products in (*GENERATORS.get(n, ()), LETTERS[: n - 1]):
        free = LETTERS[: n - len(products.split())]
        design = _of_coded(levels, doe.fracfact(" ".join([*free, products])), log)
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
        sign, factors = "", [name]
        if name in generators:
            sign = "-" if generators[name].startswith("-") else ""
            factors = generators[name].removeprefix("-").split(":")
        if (
            len(set(factors)) < len(factors)
            or not set(factors) <= letters.keys()
            or (name in generators and len(factors) < 2)
        ):
            raise ValueError(
                f"generators must give products of two or more factors without a generator, {wanted}; got "
                f"{generators[name]!r} for {name!r}"
            )
        found.append(sign + "".join(letters[factor] for factor in factors))
    if len({word.removeprefix("-") for word in found}) < len(found) or not generators:
        raise ValueError(f"generators must be different products, at least one; got {dict(generators)!r:.100}")
    return " ".join(found)


def _pydoe() -> Any:
    try:
        import pyDOE3
    except ImportError as error:
        raise ImportError("this design needs pyDOE3: pip install 'skcompare[experiments]'") from error
    return pyDOE3
