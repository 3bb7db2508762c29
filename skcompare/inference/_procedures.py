"""The table of all procedures on one data set, and what ``"auto"`` stands for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from skcompare._core.design import Design
from skcompare._core.validation import check_choice
from skcompare.inference._procedure import Procedure
from skcompare.inference.fold_scores._procedures import FOLD_PROCEDURES, is_single_k_fold
from skcompare.inference.outcomes._procedures import PREDICTION_PROCEDURES

PROCEDURES = (*FOLD_PROCEDURES, *PREDICTION_PROCEDURES)
_BY_NAME = {alias: row for row in PROCEDURES for alias in (row.name, row.name.removesuffix("_test"))}


@dataclass(frozen=True, slots=True, kw_only=True)
class Default:
    """What ``procedure="auto"`` stands for: the first row of `DEFAULTS` that fits the design.

    Attributes
    ----------
    designs : str
        The designs, in words.
    fits : callable
        Whether a design is one of them.
    procedure : str
        The procedure chosen.
    reason : str
        Why.
    """

    designs: str
    fits: Callable[[Design], bool]
    procedure: str
    reason: str


DEFAULTS: tuple[Default, ...] = (
    Default(
        designs="one run of k-fold, k from 3 to 20",
        fits=lambda design: is_single_k_fold(design, {}),
        procedure="k_fold_t_test",
        reason="the folds of one run are less alike than the usual correction takes them for, and with the correlation "
        "as measured the mean size is close to nominal on all metrics",
    ),
    Default(
        designs="any other resampling of one data set",
        fits=lambda design: True,  # noqa: ARG005
        procedure="corrected_t_test",
        reason="it allows for the overlap of the training sets, and of the tests measured here it exceeds its level "
        "least",
    ),
)


_DOMINANCE = {
    "dominance": "glrt",
    "dominance_test": "glrt",
    "dominance_posterior": "dirichlet",
    "dominance_network": "network",
}


def default_for(design: Design) -> Default:
    """The default for a design."""
    return next(default for default in DEFAULTS if default.fits(design))


def find_procedure(name: str, design: Design, options: Mapping[str, Any] | None = None) -> Procedure:
    """The row called `name`, with or without a trailing ``_test``; ``"auto"`` is the default for the design.

    Raises
    ------
    ValueError
        If there is no such procedure, or it does not fit the design.
    """
    options = {} if options is None else options
    if name == "auto":
        name = default_for(design).procedure
    if name in _DOMINANCE:
        raise ValueError(f"procedure must be one of procedures(); {name!r} is result.dominance({_DOMINANCE[name]!r})")
    if name not in _BY_NAME:
        check_choice(name, "procedure", ("auto", *(row.name for row in PROCEDURES)))
    row = _BY_NAME[name]
    if not row.fits(design, options):
        fitting = ", ".join(repr(other.name) for other in PROCEDURES if other.fits(design, {}))
        raise ValueError(
            f"procedure must fit the design; {row.name!r} needs {row.designs}, and this is {design.name}. "
            f"These fit: {fitting}"
        )
    return row
