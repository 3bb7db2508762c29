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


def _any_design(design: Design) -> bool:  # noqa: ARG001
    return True


def _repeated_k_fold(design: Design) -> bool:
    return design.partition and design.n_folds > 1


def _five_by_two(design: Design) -> bool:
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
        Whether it fits a design.
    options : callable
        The options that it reads from a design.
    designs : str
        The designs it fits, in words.
    assumes : str
        What it takes for granted.
    measured_size : str
        Share of true nulls it rejects at a nominal 5%, measured by simulation.
    returns : {"test", "posterior"}
        Whether its record has a p-value or posterior probabilities.
    """

    name: str
    function: Callable[..., Any]
    shape: Literal["splits", "repeats x folds"]
    fits: Callable[[Design], bool]
    options: Callable[[Design], Mapping[str, Any]]
    designs: str
    assumes: str
    measured_size: str
    returns: Literal["test", "posterior"] = "test"


PROCEDURES: tuple[Procedure, ...] = (
    Procedure(
        name="corrected_t_test",
        function=corrected_t_test,
        shape="splits",
        fits=_any_design,
        options=_test_fraction,
        designs="any resampling of one data set",
        assumes="normal differences; correlation of two splits equal to the test fraction",
        measured_size="accuracy 3% to 5%, AUC 7%, recall 1% to 25% on 10x10; accuracy 1% to 3% on 10 folds",
    ),
    Procedure(
        name="calibrated_t_test",
        function=calibrated_t_test,
        shape="repeats x folds",
        fits=_repeated_k_fold,
        options=_no_options,
        designs="repeated k-fold; its default degrees of freedom are those of 10x10",
        assumes="normal differences; a correlation like that of the calibrating simulation",
        measured_size="accuracy 3% to 6%, AUC 7%, recall 1% to 26% on 10x10",
    ),
    Procedure(
        name="five_by_two_t_test",
        function=five_by_two_t_test,
        shape="repeats x folds",
        fits=_five_by_two,
        options=_no_options,
        designs="5x2 only",
        assumes="normal differences; independent variance estimates of the five repeats",
        measured_size="accuracy 7%, AUC 12%",
    ),
    Procedure(
        name="five_by_two_f_test",
        function=five_by_two_f_test,
        shape="repeats x folds",
        fits=_five_by_two,
        options=_no_options,
        designs="5x2 only",
        assumes="normal differences; independent numerator and denominator",
        measured_size="accuracy 7% to 8%, AUC 15%",
    ),
    Procedure(
        name="paired_t_test",
        function=paired_t_test,
        shape="splits",
        fits=_any_design,
        options=_no_options,
        designs="any, as a reference only",
        assumes="independent splits, which they are not",
        measured_size="accuracy 6% to 10% on 10 folds, 53% to 56% on 10x10",
    ),
    Procedure(
        name="correlated_t_posterior",
        function=correlated_t_posterior,
        shape="splits",
        fits=_any_design,
        options=_test_fraction,
        designs="any resampling of one data set",
        assumes="normal differences; correlation of two splits equal to the test fraction",
        measured_size="that of corrected_t_test, where a one-sided probability is read as a p-value",
        returns="posterior",
    ),
)


def find_procedure(name: str, design: Design) -> Procedure:
    """The row called `name`, with or without a trailing ``_test``; ``"auto"`` is the default for the design.

    Raises
    ------
    ValueError
        If there is no such procedure, or it does not fit the design.
    """
    if name == "auto":
        return PROCEDURES[0]
    rows = {alias: row for row in PROCEDURES for alias in (row.name, row.name.removesuffix("_test"))}
    if name not in rows:
        check_choice(name, "procedure", ("auto", *(row.name for row in PROCEDURES)))
    row = rows[name]
    if not row.fits(design):
        fitting = ", ".join(repr(other.name) for other in PROCEDURES if other.fits(design))
        raise ValueError(
            f"procedure must fit the design; {row.name!r} needs {row.designs}, and this is {design.name}. "
            f"These fit: {fitting}"
        )
    return row
