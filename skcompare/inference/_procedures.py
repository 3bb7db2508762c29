"""The table of all procedures on fold scores: what each needs, which designs it fits, what it assumes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from skcompare._design import Design
from skcompare._validation import check_choice
from skcompare.inference.fold_scores import (
    calibrated_t_test,
    corrected_t_test,
    correlated_t_posterior,
    five_by_two_f_test,
    five_by_two_t_test,
    paired_t_test,
)


def _any_design(design: Design, options: Mapping[str, Any]) -> bool:  # noqa: ARG001
    return True


def _calibrated(design: Design, options: Mapping[str, Any]) -> bool:
    """Ten by ten folds, or any repeated k-fold for which the user gives the degrees of freedom."""
    known = (design.n_repeats, design.n_folds) == (10, 10) or options.get("df") is not None
    return known and design.partition and design.n_folds > 1


def _five_by_two(design: Design, options: Mapping[str, Any]) -> bool:  # noqa: ARG001
    return design.partition and (design.n_repeats, design.n_folds) == (5, 2)


def _no_options(design: Design) -> Mapping[str, Any]:  # noqa: ARG001
    return {}


def _test_fraction(design: Design) -> Mapping[str, Any]:
    return {"test_fraction": design.test_fraction}


@dataclass(frozen=True, slots=True, kw_only=True)
class Procedure:
    """One row of the table.

    Attributes
    ----------
    name : str
        The function's name, under which results know it too.
    function : callable
        Called with the scores of two models and keyword options.
    shape : {"splits", "repeats x folds"}
        Shape of the scores it takes: flat, or a row per repeat.
    fits : callable
        Whether it fits a design, given the user's options.
    options : callable
        The options that it reads from a design.
    designs : str
        The designs it fits, in words.
    assumes : str
        What it takes for granted.
    returns : {"test", "posterior"}
        Whether its record has a p-value or posterior probabilities.
    """

    name: str
    function: Callable[..., Any]
    shape: Literal["splits", "repeats x folds"]
    fits: Callable[[Design, Mapping[str, Any]], bool]
    options: Callable[[Design], Mapping[str, Any]]
    designs: str
    assumes: str
    returns: Literal["test", "posterior"] = "test"


PROCEDURES: tuple[Procedure, ...] = (
    Procedure(
        name="corrected_t_test",
        function=corrected_t_test,
        shape="splits",
        fits=_any_design,
        options=_test_fraction,
        designs="any resampling of one data set",
        assumes="normal differences; a correlation of two splits equal to the test fraction",
    ),
    Procedure(
        name="calibrated_t_test",
        function=calibrated_t_test,
        shape="repeats x folds",
        fits=_calibrated,
        options=_no_options,
        designs="10x10, and other repeated k-fold with df=",
        assumes="normal differences; a correlation like that of the calibrating simulation",
    ),
    Procedure(
        name="five_by_two_t_test",
        function=five_by_two_t_test,
        shape="repeats x folds",
        fits=_five_by_two,
        options=_no_options,
        designs="5x2 only",
        assumes="normal differences; independent variance estimates of the five repeats",
    ),
    Procedure(
        name="five_by_two_f_test",
        function=five_by_two_f_test,
        shape="repeats x folds",
        fits=_five_by_two,
        options=_no_options,
        designs="5x2 only",
        assumes="normal differences; independent numerator and denominator",
    ),
    Procedure(
        name="paired_t_test",
        function=paired_t_test,
        shape="splits",
        fits=_any_design,
        options=_no_options,
        designs="any, as a reference only",
        assumes="independent splits, which they are not",
    ),
    Procedure(
        name="correlated_t_posterior",
        function=correlated_t_posterior,
        shape="splits",
        fits=_any_design,
        options=_test_fraction,
        designs="any resampling of one data set",
        assumes="normal differences; a correlation of two splits equal to the test fraction",
        returns="posterior",
    ),
)


def find_procedure(name: str, design: Design, options: Mapping[str, Any] | None = None) -> Procedure:
    """The row called `name`, with or without a trailing ``_test``; ``"auto"`` is the default for the design.

    The default is the corrected t test whatever the design: of the procedures here it is the only one whose measured
    size stays at or below 5% on accuracy in every design.

    Raises
    ------
    ValueError
        If there is no such procedure, or it does not fit the design.
    """
    if name == "auto":
        return PROCEDURES[0]
    options = {} if options is None else options
    rows = {alias: row for row in PROCEDURES for alias in (row.name, row.name.removesuffix("_test"))}
    if name not in rows:
        check_choice(name, "procedure", ("auto", *(row.name for row in PROCEDURES)))
    row = rows[name]
    if not row.fits(design, options):
        fitting = ", ".join(repr(other.name) for other in PROCEDURES if other.fits(design, {}))
        raise ValueError(
            f"procedure must fit the design; {row.name!r} needs {row.designs}, and this is {design.name}. "
            f"These fit: {fitting}"
        )
    return row
