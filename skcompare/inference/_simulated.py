"""Which simulations are like a run. A figure is quoted for what it was measured on, and for nothing else.

Like are runs of two classes with a simulated design, number of samples and share of positives, each within a factor of
two: half to twice the repeats, the folds, the test fraction of random splits, the smallest and largest number of
samples, and the odds of the positive class. Between the simulated values the nearest counts, as a ratio.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import log, nan

from skcompare._core.design import Design
from skcompare._core.numbers import percent
from skcompare.inference._likeness import (
    OF_EITHER_CLASS,
    SEVERAL,
    Simulated,
    apart,
    design_like,
    designs_in_words,
    odds,
    pooled,
    within,
)
from skcompare.inference._measured_sizes import (
    MEASURED_SIZES,
    MeasuredSize,
    elsewhere,
    families,
    on_rare_classes,
    study,
)
from skcompare.inference._simulated_in_groups import simulations_in_groups
from skcompare.inference._simulated_on_columns import simulations_of_columns
from skcompare.inference._simulated_widely import samples_widely, simulations_widely

# The shares of the positive class in the study; on those of `elsewhere` with the numbers of samples.
_BALANCES = {"50/50": 0.5, "80/20": 0.2}
_ON_PREDICTIONS = ((200, 300), (0.3, 0.5))
_ELSEWHERE = {
    "model_confidence_set": ((60, 1000), (0.5, 0.5)),
    "nested_cv_interval": ((60, 200), (0.5, 0.5)),
    "stability_t_test": ((200, 200), (0.2, 0.5)),
    **dict.fromkeys(("anova_test", "friedman_test", "tukey_test", "nemenyi_test"), ((60, 200), (0.2, 0.5))),
}


def simulations_like(procedure: str, design: Design, positive: float | None = None, task: str = "") -> Simulated:
    """The simulations of a procedure that are like a run on two classes, or on several labels or numbers per sample.

    Parameters
    ----------
    procedure : str
        Its name.
    design : Design
        Of the run. Where its number of samples is not known, those of all sizes count.
    positive : float, optional
        Share of the positive class; both balances of the study count where it is not known.
    task : str
        The kind of problem, where it is one with several labels or numbers per sample.
    """
    if task in SEVERAL:
        return simulations_of_columns(procedure, design, task)
    if procedure not in MEASURED_SIZES:
        return Simulated(reason="the test was not simulated")
    if task in ("multiclass", "regression"):
        return simulations_widely(procedure, design, task)
    found = _like_study(procedure, design, positive)
    if positive is None or design.n_groups is not None:
        return found
    wide = simulations_widely(procedure, design, "binary", positive)
    if found.reason or wide.reason:
        return found if wide.reason else wide
    return _nearer(found, wide, design.n_samples or 0, min(positive, 1 - positive))


def _nearer(found: Simulated, wide: Simulated, n: int, rarer: float) -> Simulated:
    """The nearer of two simulations; where they are of one cell, metric by metric what is over more nulls."""
    if (found.n_samples, found.rarer) != (wide.n_samples, wide.rarer):
        return min(found, wide, key=lambda one: apart(n, one.n_samples or n) + apart(odds(rarer), odds(one.rarer)))
    more = {m: size for m, size in wide.sizes.items() if m not in found.sizes or size.nulls >= found.sizes[m].nulls}
    return replace(found, sizes={**found.sizes, **more}, by_family=wide.by_family)


def _like_study(procedure: str, design: Design, positive: float | None) -> Simulated:
    """Of the calibration study, of what was measured in groups or elsewhere, and where a class is rare."""
    if design.n_groups is not None:
        return simulations_in_groups(procedure, design, positive)
    alike = design_like(design)
    if alike not in MEASURED_SIZES[procedure]:
        alike = {"30 resamples": "30 random splits"}.get(alike, alike)
        if alike not in MEASURED_SIZES[procedure]:
            return Simulated(reason=f"only {designs_in_words(MEASURED_SIZES[procedure])}")
    if procedure in elsewhere():
        return _like_elsewhere(procedure, alike, design.n_samples, positive)
    near = None if positive is None else _like_rare(procedure, alike, design.n_samples, positive)
    if near is not None:
        return near
    cells = {c: size for c, size in study().items() if c.procedure == procedure and c.design == alike}
    where, n = [alike], None
    balance = "" if positive is None else _balance_like(min(positive, 1 - positive))
    rarer = _BALANCES.get(balance, 0.0)
    if design.n_samples is not None:
        simulated = sorted({c.n_samples for c in cells})
        if not within(design.n_samples, simulated[0], simulated[-1]):
            return Simulated(reason=_only_samples(simulated, procedure, alike, rarer))
        n = min(simulated, key=lambda one: abs(log(one / design.n_samples)) if design.n_samples else 0)
        cells = {c: size for c, size in cells.items() if c.n_samples == n}
        where.append(f"{n:,} samples")
    if positive is not None:
        turned = not within(odds(positive), *(odds(share) for share in (0.2, 0.5)))
        cells = {
            c: size for c, size in cells.items() if c.balance == balance and (not turned or c.metric in OF_EITHER_CLASS)
        }
        if not cells:
            rare = any((c.procedure, c.design) == (procedure, alike) for c in on_rare_classes())
            return Simulated(reason=f"only {'1% to' if rare else '20% and'} 50% positives were simulated")
        if turned:  # the simulations of the other metrics have the smaller class for the positive one
            where.append("classes 20/80")
            balance = ""
        else:
            where.append(f"classes {balance}")
    metrics = dict.fromkeys(c.metric for c in cells)
    return Simulated(
        design=alike,
        n_samples=n,
        balance=balance,
        where=", ".join(where),
        sizes={metric: pooled(size for c, size in cells.items() if c.metric == metric) for metric in metrics},
        rarer=rarer,
    )


def _like_rare(procedure: str, alike: str, n: int | None, positive: float) -> Simulated | None:
    """Where a class is rare; None where the simulations of the study are nearer, or none is near."""
    rarer = min(positive, 1 - positive)
    cells = {c: size for c, size in on_rare_classes().items() if c.procedure == procedure and c.design == alike}
    known = {c.balance: int(c.balance.split("/")[1]) / 100 for c in cells} | _BALANCES
    balance = min(known, key=lambda b: abs(log(odds(known[b]) / max(odds(rarer), 1e-9))))
    if balance in _BALANCES or not within(odds(rarer), odds(known[balance]), odds(known[balance])):
        return None
    simulated = sorted({c.n_samples for c in cells if c.balance == balance})
    if n is not None and not within(n, simulated[0], simulated[-1]):
        if _balance_like(rarer):
            return None
        return Simulated(reason=_only_samples(simulated, procedure, alike, known[balance]))
    near = simulated[0] if n is None else min(simulated, key=lambda one: abs(log(one / n)))
    turned = positive > 0.5
    return Simulated(
        design=alike,
        n_samples=near,
        balance="" if turned else balance,
        where=f"{alike}, {near:,} samples, classes {'/'.join(balance.split('/')[:: -1 if turned else 1])}",
        sizes={
            c.metric: size
            for c, size in cells.items()
            if c.balance == balance and c.n_samples == near and (not turned or c.metric in OF_EITHER_CLASS)
        },
        rarer=known[balance],
    )


def _only_samples(simulated: list[int], procedure: str, alike: str, share: float) -> str:
    """Why a run of another size is like none of those with such a share of positives (0: not known)."""
    every = [*simulated, *(samples_widely(procedure, alike, share) if share else [])]
    some = f"only {min(every):,} to {max(every):,} samples were simulated"
    return f"{some} with {percent(share)} positives" if share else some


def worst_on_rare_classes(design: Design, rarer: float) -> str:
    """The highest rate of false differences on metrics of a rare class, as a clause; empty where none was simulated."""
    if design.kind != "folds" or design.n_groups is not None or not rarer:
        return ""
    found = simulations_like("corrected_t_test" if design.n_repeats > 1 else "k_fold_t_test", design, rarer)
    highs = [size.high for metric, size in found.sizes.items() if metric != "accuracy"]
    if not highs or found.rarer >= min(_BALANCES.values()):
        return ""
    said = f"of equal models up to {percent(max(highs))} were called different on such metrics in simulations"
    return f"; {said} ({found.where})"


def family_size(procedure: str, simulated: Simulated, n_models: int, metrics: Iterable[str]) -> MeasuredSize | None:
    """How often so many equal models had any significant difference on the metrics."""
    cell = (procedure, simulated.design, simulated.n_samples, simulated.balance, n_models, frozenset(metrics))
    return families().get(cell)


def _like_elsewhere(procedure: str, alike: str, n: int | None, positive: float | None) -> Simulated:
    """What was measured outside the study, where only the lowest and the highest size were kept."""
    (fewest, most), (rare, common) = _ELSEWHERE.get(procedure, _ON_PREDICTIONS)
    samples = f"{fewest} samples" if fewest == most else f"{fewest} to {most} samples"
    if n is not None and not within(n, fewest, most):
        return Simulated(reason=f"only {samples} were simulated")
    positives = f"{percent(common)} positives" if rare == common else f"{percent(rare)} to {percent(common)} positives"
    if positive is not None and not within(odds(positive), odds(rare), odds(common)):
        return Simulated(reason=f"only {positives} were simulated")
    sizes = elsewhere()[procedure][alike]
    return Simulated(
        design=alike,
        where=f"{alike}, {samples}, {positives}",
        sizes={m: MeasuredSize(mean=nan, low=low, high=high, highest="", nulls=0) for m, (low, high) in sizes.items()},
    )


def _balance_like(minority: float) -> str:
    """The simulated balance that is nearest, as a ratio of odds; empty where none is within the tolerance."""
    near = [b for b, share in _BALANCES.items() if within(odds(minority), odds(share), odds(share))]
    return min(near, key=lambda b: abs(log(odds(minority) / odds(_BALANCES[b]))), default="")
