"""Which simulations of the wide study are like a run: on two classes, on several equally frequent ones, or on numbers.

Like are runs of the same task with a simulated design, within a factor of two of the simulated numbers of samples and
classes and of the odds of the positive class. Between simulated values the nearest counts, as a ratio.
"""

from __future__ import annotations

from skcompare._core.design import Design
from skcompare._core.words import listed
from skcompare.inference._likeness import (
    OF_EITHER_CLASS,
    Simulated,
    design_like,
    designs_in_words,
    nearest,
    odds,
    within,
)
from skcompare.inference._measured_widely import Cells, designs_of, widely

_CLASSES = (3, 4, 10)


def simulations_widely(procedure: str, design: Design, task: str, positive: float | None = None) -> Simulated:
    """The simulations that are like folds of one label or number per sample.

    Parameters
    ----------
    procedure : str
        Its name.
    design : Design
        Of the run, with its classes where there are several.
    task : {"binary", "multiclass", "regression"}
        The kind of problem.
    positive : float, optional
        Share of the positive class of two.
    """
    what, unlike = _classes_like(design) if task == "multiclass" else (task, "")
    alike, n = design_like(design), design.n_samples or 0
    known = widely(procedure, alike, what)
    if unlike or design.n_groups is not None or not known:
        return Simulated(reason=unlike or _other_design(procedure, design, what))
    share, simulated = _samples_like(known, positive)
    if not simulated:
        return Simulated(reason="only other shares of positives were simulated")
    near = nearest(n, simulated)
    if near is None:
        some = " to ".join(f"{one:,}" for one in sorted({*simulated[:1], *simulated[-1:]}))
        return Simulated(reason=f"for {what} only {some} samples were simulated")
    sizes = known[int(near), share]
    turned = positive is not None and not within(odds(positive), odds(share), odds(share))
    balance = f"{100 * (1 - share):g}/{100 * share:g}" if share else ""
    classes = f"classes {'/'.join(balance.split('/')[:: -1 if turned else 1])}" if share else what
    if turned:  # the simulations of the other metrics have the smaller class for the positive one
        sizes = {family: {m: own[m] for m in own if m in OF_EITHER_CLASS} for family, own in sizes.items()}
    return Simulated(
        design=alike,
        n_samples=int(near),
        balance="" if turned else balance,
        where=f"{alike}, {near:,.0f} samples, {classes}",
        sizes=sizes.get("", {}),
        by_family={family: own for family, own in sizes.items() if family},
        rarer=share,
    )


def _classes_like(design: Design) -> tuple[str, str]:
    """The simulated number of classes that is nearest, in words, or why there is none."""
    counts = [one.total for one in design.class_counts]
    if not counts:
        return "", "the number of classes is not known"
    near, share = nearest(len(counts), _CLASSES), 1 / len(counts)
    if near is None:
        return "", f"only {listed(map(str, _CLASSES))} classes were simulated"
    if not all(within(odds(one / sum(counts)), odds(share), odds(share)) for one in counts):
        return "", "of several classes only equally frequent ones were simulated"
    return f"{near:g} classes", ""


def samples_widely(procedure: str, alike: str, positive: float) -> list[int]:
    """The numbers of samples of two classes that were simulated with such a share of positives."""
    return _samples_like(widely(procedure, alike, "binary"), positive)[1]


def _samples_like(known: Cells, positive: float | None) -> tuple[float, list[int]]:
    """The simulated share of positives that is nearest, 0 of no two classes, with its numbers of samples, if any."""
    shares = {odds(share): share for _, share in known}
    near = 0.0 if positive is None else nearest(odds(min(positive, 1 - positive)), shares)
    share = 0.0 if near is None else shares.get(near, 0.0)
    return share, [] if near is None else sorted(size for size, one in known if one == share)


def _other_design(procedure: str, design: Design, what: str) -> str:
    if design.n_groups is not None:
        return f"for {what} groups of samples were not simulated"
    designs = designs_of(procedure, what)
    if not designs:
        return f"the test was not simulated for {what}"
    return f"for {what} only {designs_in_words(designs)}"
