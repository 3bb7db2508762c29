"""Which simulations are like folds of samples with several labels or numbers."""

from __future__ import annotations

from math import log

from skcompare._core.design import Design
from skcompare._core.numbers import percent
from skcompare._core.words import listed
from skcompare.inference._likeness import SEVERAL, Simulated, design_like, odds, within
from skcompare.inference._measured_sizes import on_columns

_LABELS, _OF_LABELS = 5, (0.1, 0.5)  # several labels, and the shares of the samples that have them


def simulations_of_columns(procedure: str, design: Design, task: str) -> Simulated:
    """The simulations that are like folds of samples with several labels or numbers."""
    several, alike, n = SEVERAL[task], design_like(design), design.n_samples or 0
    unlike = unlike_labels(design, task)
    if unlike:
        return Simulated(reason=unlike)
    known = sorted(own for *cell, own in on_columns() if cell == [procedure, alike, task])
    if not known or design.n_groups is not None:
        designs = dict.fromkeys(f"{own} by {test}" for test, own, *_ in on_columns())
        return Simulated(reason=f"of {several} only {listed(designs)} were simulated")
    if not within(n, known[0], known[-1]):
        return Simulated(reason=f"of {several} only {known[0]} to {known[-1]:,} samples were simulated")
    nearest = min(known, key=lambda one: abs(log(one / n)))
    sizes = on_columns()[procedure, alike, task, nearest]
    return Simulated(design=alike, where=f"{alike}, {nearest:,} samples of {several}", sizes=sizes)


def unlike_labels(design: Design, task: str) -> str:
    """Why several labels are not like the simulated ones, which differ in how many samples have them."""
    if task != "multilabel":
        return ""
    if not design.class_counts:
        return "how many samples have each label is not known"
    low, high = _OF_LABELS
    shares = [one.total / design.n_samples if design.n_samples else 0.0 for one in design.class_counts]
    alike = all(within(odds(share), odds(low), odds(high)) for share in shares)
    if alike and within(len(shares), _LABELS, _LABELS):
        return ""
    return f"of several labels only {_LABELS} that {percent(low)} to {percent(high)} of the samples have were simulated"
