"""Which simulations are like samples of one test set, or items."""

from __future__ import annotations

from collections.abc import Mapping
from math import log, nan

from skcompare._core.design import Design
from skcompare.inference._likeness import SEVERAL, Simulated, odds, within
from skcompare.inference._measured_sizes import MeasuredSize, on_cases
from skcompare.inference._simulated_on_columns import unlike_labels

_ON_SEVERAL = (50, 1000)
_ON_CASES, _CLUSTERS = (50, 2000), (10, 30, 100)


def simulations_of_cases(
    design: Design, tests: Mapping[str, tuple[str, str]], positive: float | None, task: str = ""
) -> Simulated:
    """The simulations that are like samples of one test set, or items.

    Parameters
    ----------
    design : Design
        Of the run.
    tests : mapping of metric to (str, str)
        The test of each, and the metric that it was simulated on.
    positive : float or None
        Share of the positive class; None where only right and wrong is known.
    task : str
        The kind of problem, where it is one with several labels or numbers per sample.
    """
    several = SEVERAL.get(task)
    unlike = unlike_labels(design, task)
    if unlike:
        return Simulated(reason=unlike)
    (fewest, most), n = _ON_CASES if several is None else _ON_SEVERAL, design.n_cases
    if not within(n, fewest, most):
        return Simulated(reason=f"only {fewest} to {most:,} samples were simulated")
    if positive is not None and not within(odds(positive), 1, 1):
        return Simulated(reason="only 50% positives were simulated")
    label, where = "one test set", "one test set"
    if several is not None and design.n_clusters is not None:
        return Simulated(reason=f"clusters of samples with {several} were not simulated")
    if design.n_clusters is not None:
        if not within(design.n_clusters, _CLUSTERS[0], _CLUSTERS[-1]):
            return Simulated(reason=f"only {_CLUSTERS[0]} to {_CLUSTERS[-1]} clusters were simulated")
        nearest = min(_CLUSTERS, key=lambda one: abs(log(one / (design.n_clusters or one))))
        label, where = f"{nearest} clusters", f"{nearest} clusters, intraclass correlation 0 to 0.5"
    if several is not None:
        label, where = several, f"one test set of {several}"
    known = {metric: on_cases().get(test, {}).get(label, {}).get(key) for metric, (test, key) in tests.items()}
    sizes = {
        metric: MeasuredSize(mean=nan, low=span[0], high=span[1], highest="", nulls=0)
        for metric, span in known.items()
        if span is not None
    }
    if not sizes:
        return Simulated(reason="these tests were not simulated on such scores")
    balance = ", 50% positives" if several is None else ""
    return Simulated(design=label, where=f"{where}, {fewest} to {most:,} samples{balance}", sizes=sizes)
