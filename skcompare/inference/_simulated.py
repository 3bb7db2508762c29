"""Which simulations are like a run. A figure is quoted for what it was measured on, and for nothing else.

Like are runs of two classes with a simulated design, number of samples and share of positives, each within a factor of
two: half to twice the repeats, the folds, the test fraction of random splits, the smallest and largest number of
samples, and the odds of the positive class. Between the simulated values the nearest counts, as a ratio.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import log, nan

from skcompare._core.design import Design
from skcompare.inference._measured_sizes import (
    MEASURED_SIZES,
    MeasuredSize,
    elsewhere,
    families,
    in_groups,
    on_cases,
    on_columns,
    on_rare_classes,
    study,
)

TOLERANCE = 2.0
# Metrics that do not depend on which of the two classes is called positive.
OF_EITHER_CLASS = ("accuracy", "roc_auc", "accuracy and ROC AUC")
# The shares of the positive class in the study; on those of `elsewhere` with the numbers of samples.
_BALANCES = {"50/50": 0.5, "80/20": 0.2}
_ON_PREDICTIONS = ((200, 300), (0.3, 0.5))
_ON_SEVERAL = (50, 1000)
_LABELS, _OF_LABELS = 5, (0.1, 0.5)  # several labels, and the shares of the samples that have them
SEVERAL = {"multilabel": "5 labels", "multioutput": "3 numbers"}
_ON_CASES, _CLUSTERS = (50, 2000), (10, 30, 100)
_MEMBERS = 5  # samples of a simulated group
_ELSEWHERE = {"model_confidence_set": ((60, 1000), (0.5, 0.5))}


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulated:
    """The simulations that are like a run.

    Attributes
    ----------
    reason : str
        Why there is none, as a clause; empty where there is one.
    design, balance : str
        Of the simulations; the balance of the classes is empty where that of the run is not known, and where the
        larger class is the positive one.
    n_samples : int or None
        In a simulated data set.
    where : str
        The same in words.
    sizes : dict of metric to MeasuredSize
        Only metrics that were measured there.
    """

    reason: str = ""
    design: str = ""
    n_samples: int | None = None
    balance: str = ""
    where: str = ""
    sizes: dict[str, MeasuredSize] = field(default_factory=dict)


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
        return _like_columns(procedure, design, task)
    if procedure not in MEASURED_SIZES:
        return Simulated(reason="the test was not simulated")
    if design.n_groups is not None:
        return _like_groups(procedure, design, positive)
    alike = _design_like(design)
    if alike not in MEASURED_SIZES[procedure]:
        alike = {"30 resamples": "30 random splits"}.get(alike, alike)
        if alike not in MEASURED_SIZES[procedure]:
            return Simulated(reason=f"only {_designs(procedure)}")
    if procedure in elsewhere():
        return _like_elsewhere(procedure, alike, design.n_samples, positive)
    rare = None if positive is None else _like_rare(procedure, alike, design.n_samples, positive)
    if rare is not None:
        return rare
    cells = {c: size for c, size in study().items() if c.procedure == procedure and c.design == alike}
    where, n = [alike], None
    if design.n_samples is not None:
        simulated = sorted({c.n_samples for c in cells})
        if not within(design.n_samples, simulated[0], simulated[-1]):
            return Simulated(reason=f"only {simulated[0]:,} to {simulated[-1]:,} samples were simulated")
        n = min(simulated, key=lambda one: abs(log(one / design.n_samples)) if design.n_samples else 0)
        cells = {c: size for c, size in cells.items() if c.n_samples == n}
        where.append(f"{n:,} samples")
    balance = ""
    if positive is not None:
        balance = _balance_like(min(positive, 1 - positive))
        turned = not within(odds(positive), *(odds(share) for share in (0.2, 0.5)))
        cells = {
            c: size for c, size in cells.items() if c.balance == balance and (not turned or c.metric in OF_EITHER_CLASS)
        }
        if not cells:
            rarer = any((c.procedure, c.design) == (procedure, alike) for c in on_rare_classes())
            return Simulated(reason=f"only {'1% to' if rarer else '20% and'} 50% positives were simulated")
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
        some = f"{simulated[0]:,} to {simulated[-1]:,} samples"
        return Simulated(reason=f"only {some} were simulated with {known[balance]:.0%} positives")
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
    )


def worst_on_rare_classes(design: Design, rarer: float) -> str:
    """The highest rate of false differences on metrics of a rare class, as a clause; empty where none was simulated."""
    procedure, alike = ("corrected_t_test" if design.n_repeats > 1 else "k_fold_t_test"), _design_like(design)
    found = _like_rare(procedure, alike, design.n_samples, rarer) if design.kind == "folds" and rarer else None
    sizes = {} if found is None else {m: size for m, size in found.sizes.items() if m != "accuracy"}
    if not sizes or found is None:
        return ""
    highest = max(size.high for size in sizes.values())
    return f"; of equal models up to {highest:.0%} were called different on such metrics in simulations ({found.where})"


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
    unlike = _unlike_labels(design, task)
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


def family_size(procedure: str, simulated: Simulated, n_models: int, metrics: Iterable[str]) -> MeasuredSize | None:
    """How often so many equal models had any significant difference on the metrics."""
    cell = (procedure, simulated.design, simulated.n_samples, simulated.balance, n_models, frozenset(metrics))
    return families().get(cell)


def _design_like(design: Design) -> str:
    """The simulated design that a design is like, empty where there is none."""
    folds, repeats = design.n_folds, design.n_repeats
    if design.partition and repeats > 1:
        name, simulated = ("5x2", 5) if folds == 2 else ("10x5", 10) if folds <= 7 else ("10x10", 10)
        return name if within(repeats, simulated, simulated) and folds <= 20 else ""
    if design.partition:
        return ("5-fold" if folds <= 7 else "10-fold") if 3 <= folds <= 20 else ""
    if folds > 1 or not within(design.test_fraction, 1 / 3, 1 / 3):
        return ""
    return "one random split" if repeats == 1 else "30 resamples" if within(repeats, 30, 30) else ""


def _designs(procedure: str) -> str:
    named = [design.replace("resamples", "random splits") for design in MEASURED_SIZES[procedure]]
    return f"{listed(sorted(named, key=len))} {'was' if len(named) == 1 else 'were'} simulated"


def _like_elsewhere(procedure: str, alike: str, n: int | None, positive: float | None) -> Simulated:
    """What was measured outside the study, where only the lowest and the highest size were kept."""
    (fewest, most), (rare, common) = _ELSEWHERE.get(procedure, _ON_PREDICTIONS)
    samples = f"{fewest} samples" if fewest == most else f"{fewest} to {most} samples"
    if n is not None and not within(n, fewest, most):
        return Simulated(reason=f"only {samples} were simulated")
    positives = f"{common:.0%} positives" if rare == common else f"{rare:.0%} to {common:.0%} positives"
    if positive is not None and not within(odds(positive), odds(rare), odds(common)):
        return Simulated(reason=f"only {positives} were simulated")
    sizes = elsewhere()[procedure][alike]
    return Simulated(
        design=alike,
        where=f"{alike}, {samples}, {positives}",
        sizes={m: MeasuredSize(mean=nan, low=low, high=high, highest="", nulls=0) for m, (low, high) in sizes.items()},
    )


def _like_groups(procedure: str, design: Design, positive: float | None) -> Simulated:
    """The simulations that are like folds which keep groups of samples together."""
    alike, n_groups = _design_like(design), design.n_groups or 0
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


def _like_columns(procedure: str, design: Design, task: str) -> Simulated:
    """The simulations that are like folds of samples with several labels or numbers."""
    several, alike, n = SEVERAL[task], _design_like(design), design.n_samples or 0
    unlike = _unlike_labels(design, task)
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


def _unlike_labels(design: Design, task: str) -> str:
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
    return f"of several labels only {_LABELS} that {low:.0%} to {high:.0%} of the samples have were simulated"


def within(value: float, low: float, high: float) -> bool:
    """Whether a value is between two simulated ones, or within the tolerance of them."""
    slack = TOLERANCE * (1 + 1e-9)
    return low / slack <= value <= high * slack


def odds(share: float) -> float:
    """Of a share, which may be 1."""
    return share / (1 - share) if share < 1 else float("inf")


def _balance_like(minority: float) -> str:
    """The simulated balance that is nearest, as a ratio of odds; empty where none is within the tolerance."""
    near = [b for b, share in _BALANCES.items() if within(odds(minority), odds(share), odds(share))]
    return min(near, key=lambda b: abs(log(odds(minority) / odds(_BALANCES[b]))), default="")


def pooled(sizes: Iterable[MeasuredSize]) -> MeasuredSize:
    every = list(sizes)
    highest = max(every, key=lambda size: size.high)
    return MeasuredSize(
        mean=sum(size.mean for size in every) / len(every),
        low=min(size.low for size in every),
        high=highest.high,
        highest=highest.highest,
        nulls=sum(size.nulls for size in every),
    )


def listed(names: Iterable[str]) -> str:
    """``x, y and z``."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
