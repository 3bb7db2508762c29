"""Which simulations are like a run. A figure is quoted for what it was measured on, and for nothing else.

Like are runs of two classes with a simulated design, number of samples and share of positives, each within a factor of
two: half to twice the repeats, the folds, the test fraction of random splits, the smallest and largest number of
samples, and the odds of the positive class. Between the simulated values the nearest counts, as a ratio.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations
from math import inf, log, nan
from operator import attrgetter

from skcompare._core.design import Design
from skcompare._core.numbers import listed, percent
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference import _measured as measured

# Simulations that a run may be like, and what they share with it: a design, and numbers within a factor of two.


TOLERANCE = 2.0
# Metrics that do not depend on which of the two classes is called positive.
OF_EITHER_CLASS = ("accuracy", "roc_auc", "accuracy and ROC AUC")
_BETWEEN = 2.25  # the same between two simulated values, of which the numbers of samples are up to 5 times apart
SEVERAL = {"multilabel": "5 labels", "multioutput": "3 numbers"}


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
    by_family : dict of str to dict of metric to MeasuredSize
        Of pairs of learners of one family, and of "mixed" pairs, where that was kept.
    rarer : float
        Share of the rarer of two classes, 0 where that of the run is not known.
    """

    reason: str = ""
    design: str = ""
    n_samples: int | None = None
    balance: str = ""
    where: str = ""
    sizes: dict[str, measured.MeasuredSize] = field(default_factory=dict)
    by_family: dict[str, dict[str, measured.MeasuredSize]] = field(default_factory=dict)
    rarer: float = 0.0

    def size(self, metric: str, family: str = "") -> measured.MeasuredSize | None:
        """Of a metric the size for a family of learners, or that of all nulls where the family has none."""
        return self.by_family.get(family, {}).get(metric) or self.sizes.get(metric)


def design_like(design: Design) -> str:
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


def designs_in_words(designs: Iterable[str]) -> str:
    """What was simulated, as a clause."""
    named = [design.replace("resamples", "random splits") for design in designs]
    return f"{listed(sorted(named, key=len))} {'was' if len(named) == 1 else 'were'} simulated"


def within(value: float, low: float, high: float) -> bool:
    """Whether a value is between two simulated ones, or within the tolerance of them."""
    slack = TOLERANCE * (1 + 1e-9)
    return low / slack <= value <= high * slack


def odds(share: float) -> float:
    """Of a share, which may be 1."""
    return share / (1 - share) if share < 1 else float("inf")


def apart(one: float, other: float) -> float:
    """How far two values are from each other, as the logarithm of their ratio; one of 0 is far from all."""
    return abs(log(one / other)) if one > 0 < other else inf


def nearest(value: float, simulated: Iterable[float]) -> float | None:
    """The simulated value that is nearest, as a ratio; None where none is near.

    Near is within the tolerance of one, or between two that are nearly as near.
    """
    known = sorted(simulated)
    near = min(known, key=partial(apart, value), default=0.0)
    ends = near and within(value, known[0], known[-1])
    return near if ends and apart(value, near) <= log(_BETWEEN) else None


def pooled(sizes: Iterable[measured.MeasuredSize]) -> measured.MeasuredSize:
    every = list(sizes)
    highest = max(every, key=attrgetter("high"))
    return measured.MeasuredSize(
        mean=sum(map(attrgetter("mean"), every)) / len(every),
        low=min(map(attrgetter("low"), every)),
        high=highest.high,
        highest=highest.highest,
        nulls=sum(map(attrgetter("nulls"), every)),
    )


# Which simulations are like folds that keep groups of samples together.


_MEMBERS = 5  # samples of a simulated group


def simulations_in_groups(procedure: str, design: Design, positive: float | None) -> Simulated:
    """The simulations that are like folds which keep groups of samples together."""
    alike, n_groups = design_like(design), design.n_groups or 0
    known = sorted(n for own, simulated, n in measured.in_groups() if (own, simulated) == (procedure, alike))
    if not known:
        designs = dict.fromkeys(f"{own} by {test}" for test, own, _ in measured.in_groups())
        return Simulated(reason=f"of groups only {listed(designs)} were simulated")
    if not within(n_groups, known[0], known[-1]):
        return Simulated(reason=f"only {known[0]} to {known[-1]} groups of samples were simulated")
    members = (design.n_samples or 0) / n_groups
    if not within(members, _MEMBERS, _MEMBERS):
        return Simulated(reason=f"only groups of {_MEMBERS} samples were simulated")
    if positive is not None and not within(odds(positive), 1, 1):
        return Simulated(reason="of groups only 50% positives were simulated")
    nearest = min(known, key=partial(apart, other=n_groups))
    return Simulated(
        design=alike,
        where=f"{alike}, {nearest} groups of {_MEMBERS} samples, intraclass correlation 0 to 0.5, 50% positives",
        sizes=measured.in_groups()[procedure, alike, nearest],
    )


# Which simulations are like folds of samples with several labels or numbers.


_LABELS, _OF_LABELS = 5, (0.1, 0.5)  # several labels, and the shares of the samples that have them


def simulations_of_columns(procedure: str, design: Design, task: str) -> Simulated:
    """The simulations that are like folds of samples with several labels or numbers."""
    several, alike, n = SEVERAL[task], design_like(design), design.n_samples or 0
    unlike = unlike_labels(design, task)
    if unlike:
        return Simulated(reason=unlike)
    known = sorted(own for *cell, own in measured.on_columns() if cell == [procedure, alike, task])
    if not known or design.n_groups is not None:
        designs = dict.fromkeys(f"{own} by {test}" for test, own, *_ in measured.on_columns())
        return Simulated(reason=f"of {several} only {listed(designs)} were simulated")
    if not within(n, known[0], known[-1]):
        return Simulated(reason=f"of {several} only {known[0]} to {known[-1]:,} samples were simulated")
    nearest = min(known, key=partial(apart, other=n))
    sizes = measured.on_columns()[procedure, alike, task, nearest]
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


# Which simulations of the wide study are like a run: on two classes, on several equally frequent ones, or on numbers.
#
# Like are runs of the same task with a simulated design, within a factor of two of the simulated numbers of samples
# and
# classes and of the odds of the positive class. Between simulated values the nearest counts, as a ratio.


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
    known = measured.widely(procedure, alike, what)
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
    return _samples_like(measured.widely(procedure, alike, "binary"), positive)[1]


def _samples_like(known: measured.Cells, positive: float | None) -> tuple[float, list[int]]:
    """The simulated share of positives that is nearest, 0 of no two classes, with its numbers of samples, if any."""
    sizes: dict[float, list[int]] = {}
    for size, share in sorted(known):
        sizes.setdefault(share, []).append(size)
    shares = dict(zip(map(odds, sizes), sizes, strict=True))
    near = 0.0 if positive is None else nearest(odds(min(positive, 1 - positive)), shares)
    if near is None:
        return 0.0, []
    return shares.get(near, 0.0), sizes.get(shares.get(near, 0.0), [])


def _other_design(procedure: str, design: Design, what: str) -> str:
    if design.n_groups is not None:
        return f"for {what} groups of samples were not simulated"
    designs = measured.designs_of(procedure, what)
    if not designs:
        return f"the test was not simulated for {what}"
    return f"for {what} only {designs_in_words(designs)}"


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
    if procedure not in measured.MEASURED_SIZES:
        return Simulated(reason="the test was not simulated")
    if task in ("multiclass", "regression"):
        return simulations_widely(procedure, design, task)
    found = _like_study(procedure, design, positive)
    if positive is None or design.n_groups is not None:
        return found
    wide = simulations_widely(procedure, design, "binary", positive)
    if found.reason or wide.reason:
        return found if wide.reason else wide
    n, rarer = design.n_samples or 0, min(positive, 1 - positive)
    if (found.n_samples, found.rarer) != (wide.n_samples, wide.rarer):
        return min(found, wide, key=lambda one: apart(n, one.n_samples or n) + apart(odds(rarer), odds(one.rarer)))
    # of one cell metric by metric what is over more nulls
    more = {m: size for m, size in wide.sizes.items() if m not in found.sizes or size.nulls >= found.sizes[m].nulls}
    return replace(found, sizes={**found.sizes, **more}, by_family=wide.by_family)


def _like_study(procedure: str, design: Design, positive: float | None) -> Simulated:
    """Of the calibration study, of what was measured in groups or elsewhere, and where a class is rare."""
    if design.n_groups is not None:
        return simulations_in_groups(procedure, design, positive)
    alike = design_like(design)
    if alike not in measured.MEASURED_SIZES[procedure]:
        alike = {"30 resamples": "30 random splits"}.get(alike, alike)
        if alike not in measured.MEASURED_SIZES[procedure]:
            return Simulated(reason=f"only {designs_in_words(measured.MEASURED_SIZES[procedure])}")
    if procedure in measured.ELSEWHERE:
        return _like_elsewhere(procedure, alike, design.n_samples, positive)
    near = None if positive is None else _like_rare(procedure, alike, design.n_samples, positive)
    if near is not None:
        return near
    cells = {c: size for c, size in measured.study().items() if c.procedure == procedure and c.design == alike}
    where, n = [alike], None
    balance = "" if positive is None else _balance_like(min(positive, 1 - positive))
    rarer = _BALANCES.get(balance, 0.0)
    if design.n_samples is not None:
        simulated = sorted({*map(attrgetter("n_samples"), cells)})
        if not within(design.n_samples, simulated[0], simulated[-1]):
            return Simulated(reason=_only_samples(simulated, procedure, alike, rarer))
        n = min(simulated, key=partial(apart, other=design.n_samples))
        cells = {c: size for c, size in cells.items() if c.n_samples == n}
        where.append(f"{n:,} samples")
    if positive is not None:
        turned = not within(odds(positive), odds(0.2), odds(0.5))
        cells = {
            c: size for c, size in cells.items() if c.balance == balance and (not turned or c.metric in OF_EITHER_CLASS)
        }
        if not cells:
            rare = any((c.procedure, c.design) == (procedure, alike) for c in measured.on_rare_classes())
            return Simulated(reason=f"only {'1% to' if rare else '20% and'} 50% positives were simulated")
        if turned:  # the simulations of the other metrics have the smaller class for the positive one
            where.append("classes 20/80")
            balance = ""
        else:
            where.append(f"classes {balance}")
    by_metric: dict[str, list[measured.MeasuredSize]] = {}
    for c, size in cells.items():
        by_metric.setdefault(c.metric, []).append(size)
    return Simulated(
        design=alike,
        n_samples=n,
        balance=balance,
        where=", ".join(where),
        sizes={metric: pooled(sizes) for metric, sizes in by_metric.items()},
        rarer=rarer,
    )


def _like_rare(procedure: str, alike: str, n: int | None, positive: float) -> Simulated | None:
    """Where a class is rare; None where the simulations of the study are nearer, or none is near."""
    rarer = min(positive, 1 - positive)
    cells = {
        c: size for c, size in measured.on_rare_classes().items() if c.procedure == procedure and c.design == alike
    }
    known = {c.balance: int(c.balance.split("/")[1]) / 100 for c in cells} | _BALANCES
    balance = _balance_like(rarer, known)
    if not balance or balance in _BALANCES:
        return None
    simulated = sorted({c.n_samples for c in cells if c.balance == balance})
    if n is not None and not within(n, simulated[0], simulated[-1]):
        if _balance_like(rarer):
            return None
        return Simulated(reason=_only_samples(simulated, procedure, alike, known[balance]))
    near = simulated[0] if n is None else min(simulated, key=partial(apart, other=n))
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


def family_size(
    procedure: str, simulated: Simulated, n_models: int, metrics: Iterable[str]
) -> measured.MeasuredSize | None:
    """How often so many equal models had any significant difference on the metrics."""
    cell = (procedure, simulated.design, simulated.n_samples, simulated.balance, n_models, frozenset(metrics))
    return measured.families().get(cell)


def _like_elsewhere(procedure: str, alike: str, n: int | None, positive: float | None) -> Simulated:
    """What was measured outside the study, where only the lowest and the highest size were kept."""
    (fewest, most), (rare, common) = _ELSEWHERE.get(procedure, _ON_PREDICTIONS)
    samples = f"{fewest} samples" if fewest == most else f"{fewest} to {most} samples"
    if n is not None and not within(n, fewest, most):
        return Simulated(reason=f"only {samples} were simulated")
    positives = f"{percent(common)} positives" if rare == common else f"{percent(rare)} to {percent(common)} positives"
    if positive is not None and not within(odds(positive), odds(rare), odds(common)):
        return Simulated(reason=f"only {positives} were simulated")
    sizes = measured.ELSEWHERE[procedure][alike]
    return Simulated(
        design=alike,
        where=f"{alike}, {samples}, {positives}",
        sizes={m: measured.MeasuredSize(nan, low, high) for m, (low, high) in sizes.items()},
    )


def _balance_like(minority: float, shares: Mapping[str, float] = _BALANCES) -> str:
    """The simulated balance that is nearest, as a ratio of odds; empty where it is not within the tolerance."""
    balances = dict(zip(map(odds, shares.values()), shares, strict=True))
    near = min(balances, key=partial(apart, other=odds(minority)))
    return balances[near] if within(odds(minority), near, near) else ""


# Which simulations are like a run on test sets in time order, whose training sets grow.
#
# They are of independent samples; whether a run is like them in that is seen from its losses.


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
    known = measured.forecasts()
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
        min(windows, key=partial(apart, other=design.n_splits)),
        min(samples, key=partial(apart, other=n)),
        min(shares, key=lambda one: apart(odds(one), odds(rarer))),
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


# Which simulations are like samples of one test set, or items.


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
        nearest = min(_CLUSTERS, key=partial(apart, other=design.n_clusters))
        label, where = f"{nearest} clusters", f"{nearest} clusters, intraclass correlation 0 to 0.5"
    if several is not None:
        label, where = several, f"one test set of {several}"
    known = {metric: measured.on_cases().get(test, {}).get(label, {}).get(key) for metric, (test, key) in tests.items()}
    sizes = {metric: measured.MeasuredSize(nan, *span) for metric, span in known.items() if span is not None}
    if not sizes:
        return Simulated(reason="these tests were not simulated on such scores")
    balance = ", 50% positives" if several is None else ""
    return Simulated(design=label, where=f"{where}, {fewest} to {most:,} samples{balance}", sizes=sizes)


# Which simulations are like a run of independent runs.


def simulations_of_runs(procedure: str, design: Design, metrics: Iterable[str]) -> Simulated:
    """The simulations that are like independent runs of two models, on any metric.

    Of each pair of models the nearest simulated numbers of runs count, as ratios.
    """
    known = measured.on_runs().get(procedure, {})
    if not known:
        return Simulated(reason="the test was not simulated on runs")
    cells = {}
    for pair in sorted({*combinations(sorted(design.n_runs), 2)}):
        near = [cell for cell in known if pair[0] > 2 and all(map(within, pair, cell, cell))]
        if not near:
            (n, m), only = pair, f"only {min(known)[0]} to {max(known)[0]} runs were simulated"
            return Simulated(reason=only if n == m else f"{n} runs against {m} were not simulated")
        cells[min(near, key=lambda cell: sum(map(apart, cell, pair)))] = pair
    sizes = [one for cell in cells for one in known[cell]]
    every = (measured.MeasuredSize(x.size, x.size, x.size, x.scores, nulls=1) for x in sizes)
    runs = listed(f"{n} runs of each model" if n == m else f"{n} runs against {m}" for n, m in cells)
    where = f"{runs}, {listed(dict.fromkeys(one.scores for one in sizes))} scores, standard deviations"
    spread = f"equal or 1 to {max(one.ratio for one in sizes):g}"
    return Simulated(design="runs", where=f"{where} {spread}", sizes=dict.fromkeys(metrics, pooled(every)))


# Warnings of runs on which tests were measured to reject too often.


def time_order_warnings(design: Design) -> Iterator[CodedWarning]:
    """That a test which takes splits or samples for exchangeable is asked of test sets in time order."""
    if design.time_order:
        yield Code.TIME_ORDER(
            "every test set is later than its training set, and splits depend on each other: decide by "
            "diebold_mariano_test, which reads losses in their order."
        )


def joint_size_warnings(simulated: Simulated) -> Iterator[CodedWarning]:
    """What is known of a joint procedure that was measured to reject too often on folds; empty where it was not."""
    low = min((size.low for size in simulated.sizes.values()), default=0.0)
    worst = max(simulated.sizes.values(), key=lambda size: size.high, default=None)
    if worst is not None and not worst.high <= 0.075:
        yield Code.NOT_AT_LEVEL(
            f"on simulated folds of equal models (two classes, {simulated.where}) it rejected {percent(low)} to "
            f"{percent(worst.high)} at 5%, most for {worst.highest}."
        )
