"""Warnings of runs on which tests were measured to reject too often."""

from __future__ import annotations

from skcompare._core.design import Design
from skcompare._core.numbers import percent
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference._likeness import Simulated


def time_order_warnings(design: Design) -> tuple[CodedWarning, ...]:
    """That a test which takes splits or samples for exchangeable is asked of test sets in time order."""
    if not design.time_order:
        return ()
    return (
        Code.TIME_ORDER(
            "every test set is later than its training set and depends on the one before, so that neither samples nor "
            "splits are exchangeable; how often what takes them so is wrong on such models was not measured. "
            "diebold_mariano_test reads the losses in their order."
        ),
    )


def joint_size_warnings(simulated: Simulated) -> tuple[CodedWarning, ...]:
    """What is known of a joint procedure that was measured to reject too often on folds; empty where it was not."""
    low = min((size.low for size in simulated.sizes.values()), default=0.0)
    worst = max(simulated.sizes.values(), key=lambda size: size.high, default=None)
    if worst is None or worst.high <= 0.075:
        return ()
    return (
        Code.MEASURED(
            f"on simulated folds of equal models (two classes, {simulated.where}) it rejected {percent(low)} to "
            f"{percent(worst.high)} at 5%, most for {worst.highest}."
        ),
    )
