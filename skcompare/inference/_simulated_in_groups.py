"""Which simulations are like folds that keep groups of samples together."""

from __future__ import annotations

from math import log

from skcompare._core.design import Design
from skcompare._core.words import listed
from skcompare.inference._likeness import Simulated, design_like, odds, within
from skcompare.inference._measured_sizes import in_groups

_MEMBERS = 5  # samples of a simulated group


def simulations_in_groups(procedure: str, design: Design, positive: float | None) -> Simulated:
    """The simulations that are like folds which keep groups of samples together."""
    alike, n_groups = design_like(design), design.n_groups or 0
    known = sorted(n for own, simulated, n in in_groups() if (own, simulated) == (procedure, alike))
    if not known:
        designs = dict.fromkeys(f"{own} by {test}" for test, own, _ in in_groups())
        return Simulated(reason=f"of groups only {listed(designs)} were simulated")
    if not within(n_groups, known[0], known[-1]):
        return Simulated(reason=f"only {known[0]} to {known[-1]} groups of samples were simulated")
    members = (design.n_samples or 0) / n_groups
    if not within(members, _MEMBERS, _MEMBERS):
        return Simulated(reason=f"only groups of {_MEMBERS} samples were simulated")
    if positive is not None and not within(odds(positive), 1, 1):
        return Simulated(reason="of groups only 50% positives were simulated")
    nearest = min(known, key=lambda one: abs(log(one / n_groups)))
    return Simulated(
        design=alike,
        where=f"{alike}, {nearest} groups of {_MEMBERS} samples, intraclass correlation 0 to 0.5, 50% positives",
        sizes=in_groups()[procedure, alike, nearest],
    )
