"""Which simulations are like a run on test sets in time order, whose training sets grow.

They are of independent samples; whether a run is like them in that is seen from its losses.
"""

from __future__ import annotations

from collections.abc import Collection
from math import log

from skcompare._core.design import Design
from skcompare._core.numbers import percent
from skcompare.inference._likeness import OF_EITHER_CLASS, Simulated, odds, within
from skcompare.inference._measured_sizes import forecasts


def simulations_in_time(design: Design, positive: float, metrics: Collection[str]) -> Simulated:
    """The simulations of `diebold_mariano_test`, as the default has it, that are like a run on two classes.

    Parameters
    ----------
    design : Design
        Of the run, in time order.
    positive : float
        Share of the positive class.
    metrics : collection of str
        Those whose losses are as those of independent samples.
    """
    known = forecasts()
    windows, samples, shares = (sorted({cell[i] for cell in known}) for i in range(3))
    n, rarer = design.n_samples or 0, min(positive, 1 - positive)
    if not within(design.n_splits, windows[0], windows[-1]):
        return Simulated(reason=f"only {windows[0]:g} to {windows[-1]:g} test sets in time order were simulated")
    if not _grows(design):
        return Simulated(reason="in time order only training sets were simulated that grow by the test sets")
    if not within(n, samples[0], samples[-1]):
        return Simulated(reason=f"only {samples[0]:g} to {samples[-1]:,g} samples were simulated")
    if not within(odds(rarer), odds(shares[0]), odds(shares[-1])):
        return Simulated(reason=f"only {percent(shares[0])} to {percent(shares[-1])} positives were simulated")
    cell = (
        min(windows, key=lambda one: abs(log(one / design.n_splits))),
        min(samples, key=lambda one: abs(log(one / n))),
        min(shares, key=lambda one: abs(log(odds(one) / odds(rarer)))),
    )
    turned = not within(odds(positive), odds(shares[0]), odds(shares[-1]))
    sizes = {
        metric: size
        for metric, size in known.get(cell, {}).items()
        if metric in metrics and (not turned or metric in OF_EITHER_CLASS)
    }
    balance = f"{100 * (1 - cell[2]):.0f}/{100 * cell[2]:.0f}"
    where = f"{cell[0]:g} test sets in time order, {cell[1]:,g} independent samples, classes "
    return Simulated(
        reason="" if sizes else "of these metrics in time order nothing was simulated, or their losses stay alike",
        design=f"{cell[0]:g} test sets in time order",
        n_samples=int(cell[1]),
        balance=balance,
        where=where + "/".join(balance.split("/")[:: -1 if turned else 1]),
        sizes=sizes,
    )


def _grows(design: Design) -> bool:
    """Whether training sets are, nearly, all that is before the test sets, which follow one another."""
    if not design.train_sizes:
        return False
    (first, last), n = (min(design.train_sizes), max(design.train_sizes)), design.n_splits
    test = sum(design.test_sizes) / n
    return within(first, test, test) and within(last - first, test * (n - 1), test * (n - 1))
