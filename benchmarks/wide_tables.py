"""The procedures of `benchmarks.wide_study`: how many data sets each rejects at 5%, 1% and 10%, by null."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed

from benchmarks import DATA, read_rows, write_rows
from benchmarks import joined as arrays_of
from benchmarks.calibration import corrected, default_pvalues, each, rejections
from benchmarks.fast_learners import FOLDS, FRACTIONS, Array
from benchmarks.wide_data import CHANCE, GUESSING, LEARNERS, OF_NUMBERS, Condition, metrics_of, pair_family
from skcompare import inference
from skcompare.inference.fold_scores.t_tests import OVERLAP

# ---- wide procedures --------------------------------------------------------------------------------------------


LEVELS = (0.05, 0.01, 0.10)
DEFAULT = {design: "k_fold_t_test" if design in ("10-fold", "5-fold") else "corrected_t_test" for design in FRACTIONS}
RESAMPLES = 1000
FOR_ORDER = 20  # data sets whose stochastic order is judged
WIDE = 4.0  # margin of the equivalence test in standard deviations of the mean difference
Counts = tuple[int, ...]


def pvalues(d: Array, design: str) -> dict[str, Array]:
    """Of the tests of a mean difference, from differences (n_datasets, n_splits)."""
    found = {"corrected_t_test": corrected(d, FRACTIONS[design])}
    if FOLDS.get(design, (0, 0))[0] == 1:
        found["k_fold_t_test"] = corrected(d, FRACTIONS[design], OVERLAP)
    if design == "5x2":
        found["five_by_two_f_test"] = each(inference.five_by_two_f_test, d.reshape(-1, 5, 2))
    return found


# ---- what is claimed of two equal models ----------------------------------------------------------------------


def equivalence(d: Array, fraction: float) -> Counts:
    """How often models whose true difference is the margin are called equivalent.

    The margin is `WIDE`, the worst case: with a smaller one the other side is not always rejected.
    """
    margin = WIDE * float(d.mean(axis=1).std(ddof=1))
    if margin < 1e-9:
        return ()
    how = {"margin": margin, "test_fraction": fraction}
    return rejections(np.array([inference.equivalence_test(one + margin, 0 * one, **how).pvalue for one in d]))


def posterior(d: Array, fraction: float) -> Counts:
    """How often a probability over 95% (99%, 90%) is given to either direction."""
    found = [inference.correlated_t_posterior(one, 0 * one, test_fraction=fraction) for one in d]
    return rejections(np.array([1 - max(one.left, one.right) for one in found]))


def stopping(d: Array) -> Counts:
    """How often a difference is found at any of the looks after each of ten repeats."""
    by_look = [corrected(d[:, :n], 1 / 10) for n in range(10, 101, 10)]
    found = []
    for level in LEVELS:
        levels = inference.alpha_spending(10, 10, alpha=level).levels
        found.append(int(np.any([p < own for p, own in zip(by_look, levels, strict=True)], axis=0).sum()))
    return (len(d), *found)


def order(scores: Array) -> Counts:
    """How often either order is claimed, from scores (n_datasets, n_splits, 2); there is one level."""
    claims = [
        inference.almost_stochastic_order(a, b, n_resamples=RESAMPLES, rng=i).verdict != "undecided"
        for i, (a, b) in enumerate(np.moveaxis(scores[:FOR_ORDER], 2, 1))
    ]
    return len(claims), sum(claims), -1, -1


def companions(scores: Array, design: str, *, with_order: bool) -> Iterator[tuple[str, Counts]]:
    """Procedures beside the default, from scores (n_datasets, n_splits, 2)."""
    d, fraction = scores[:, :, 0] - scores[:, :, 1], FRACTIONS[design]
    tests: dict[str, Callable[[], Counts]] = {
        "equivalence_test": lambda: equivalence(d, fraction),
        "correlated_t_posterior": lambda: posterior(d, fraction),
    }
    if design == "10x10":
        tests["StopRule"] = lambda: stopping(d)
    if with_order:
        tests["almost_stochastic_order"] = lambda: order(scores)
    yield from ((name, found) for name, test in tests.items() if (found := test()))


# ---- many equal models ----------------------------------------------------------------------------------------


def confidence_set(scores: Array, fraction: float) -> Counts:
    """How often any of equal models is left out, from scores (n_datasets, n_splits, n_models)."""
    sets = (inference.model_confidence_set(one, test_fraction=fraction) for one in scores)
    return rejections(np.array([found.pvalues.min() for found in sets]))


def family_wise(scores: Array, design: str) -> Counts:
    """How often `compare` finds any difference by Holm's adjustment over all pairs and metrics.

    From scores (n_datasets, n_splits, n_models, n_metrics).
    """
    n_models, n_metrics = scores.shape[2:]
    p = [
        default_pvalues(scores[:, :, a, m] - scores[:, :, b, m], design)
        for a, b in itertools.combinations(range(n_models), 2)
        for m in range(n_metrics)
    ]
    return rejections(np.min(p, axis=0) * len(p))


def of_many(scores: Array, design: str, metrics: tuple[str, ...]) -> Iterator[tuple[str, str, Counts]]:
    """Procedure, metric and counts of 3 and 5 equal models, on the first metric and on three."""
    three = (0, 1, 2) if len(metrics) == 3 else (0, 3, 4)
    for n_models in (3, 5):
        own = scores[:, :, :n_models]
        yield f"model_confidence_set, {n_models} models", metrics[0], confidence_set(own[..., 0], FRACTIONS[design])
        for chosen in ((0,), three):
            label = "+".join(metrics[m] for m in chosen)
            yield f"compare, {n_models} models", label, family_wise(own[..., list(chosen)], design)


# ---- wide tables ------------------------------------------------------------------------------------------------


COUNTS = DATA / "wide_study.csv.gz"
NULL = ("kind", "task", "positive", "n_samples", "generator", "learner", "family", "design", "procedure", "metric")
COUNT_COLUMNS = (*NULL, "first_seed", "n_datasets", "rejected", "rejected_1", "rejected_10", "truth", "truth_error")
SIZE_OF_COMPANIONS = 200
OF_ORDER = ("4 classes", "regression")
# One design is the first runs of another.
FIRST_OF = {"10-fold": ("10x10", 10), "5-fold": ("10x5", 5)}
Row = dict[str, str]


# ---- counts ---------------------------------------------------------------------------------------------------


def stored(paths: list[Path]) -> tuple[dict[str, Array], int]:
    """Scores (n_datasets, n_splits, n_models, n_metrics) by design and the first seed, up to a gap in the seeds."""
    starts, chosen, after = [], [], None
    for path in paths:
        with np.load(path) as part:
            start = int(part["first"])
            n = len(part[next(name for name in part.files if name.startswith("scores, "))])
        if after is not None and start != after:
            break
        starts.append(start)
        chosen.append(path)
        after = start + n
    every = arrays_of(chosen, "scores, ")
    found = {name.removeprefix("scores, "): own for name, own in every.items()}
    found |= {name: found[whole][:, :first] for name, (whole, first) in FIRST_OF.items() if whole in found}
    return found, starts[0]


def of_pair(
    condition: Condition, scores: Array, design: str, truth: Array | None
) -> Iterator[tuple[str, str, tuple[int, ...], float, float]]:
    """Procedure, metric, counts, the true difference and its standard error; scores (n_datasets, n_splits, 2, m)."""
    for m, metric in enumerate(metrics_of(condition.task)):
        d = scores[:, :, 0, m] - scores[:, :, 1, m]
        if np.isnan(d).any():
            continue
        true, error = (0.0, 0.0) if truth is None else (truth[m], d.mean(axis=1).std(ddof=1) / len(d) ** 0.5)
        equal = (np.ptp(d, axis=1) < 1e-12) & (truth is not None)  # nothing is claimed of scores that do not differ
        for procedure, p in pvalues(d - true, design).items():
            yield procedure, metric, rejections(np.where(equal, 1.0, p)), true, error
        main = m in (0, len(OF_NUMBERS) - 2 if condition.task == "regression" else 4)
        if truth is None and main and condition.n == SIZE_OF_COMPANIONS and design in ("10x10", "10-fold"):
            with_order = m == 0 and condition.task in OF_ORDER
            for procedure, counts in companions(scores[..., m], design, with_order=with_order):
                yield procedure, metric, counts, 0.0, 0.0


def tested(folder: Path, c: Condition, learners: list[str]) -> list[Row]:
    """The counts of a condition; of draws those of all pairs of learners."""
    paths = c.parts(folder)
    if not paths:
        return []
    by_design, first = stored(paths)
    rows: list[Row] = []

    def add(learner: str, family: str, design: str, found: Iterable[tuple[object, ...]]) -> None:
        of_null = (c.kind, c.task, f"{c.positive:g}" if c.positive else "", c.n, c.generator, learner, family, design)
        for procedure, metric, counts, true, error in found:
            assert isinstance(counts, tuple)
            values = (*of_null, procedure, metric, first, *counts, f"{true:.5f}", f"{error:.5f}")
            rows.append(dict(zip(COUNT_COLUMNS, map(str, values), strict=True)))

    for design, scores in by_design.items():
        if c.kind == "five":
            many = ((p, m, counts, 0.0, 0.0) for p, m, counts in of_many(scores, design, metrics_of(c.task)))
            add(c.learner, LEARNERS[c.learner].family(c.n), design, many)
        elif c.kind == "blocks":
            add(c.learner, LEARNERS[c.learner].family(c.n), design, of_pair(c, scores, design, None))
        else:
            for (i, a), (j, b) in itertools.combinations(enumerate(learners), 2):
                own = scores[:, :, [i, j]]
                truth = (own[:, :, 0] - own[:, :, 1]).mean(axis=(0, 1))
                families = [_family(c, name, scores[:, :, k]) for k, name in ((i, a), (j, b))]
                add(f"{a} and {b}", pair_family(*families), design, of_pair(c, own, design, truth))
    return rows


def _family(c: Condition, name: str, scores: Array) -> str:
    """Of a learner whose scores are (n_datasets, n_splits, n_metrics)."""
    means = dict(zip(metrics_of(c.task), scores.mean(axis=(0, 1)), strict=True))
    guesses = any(means[metric] <= limit for metric, limit in CHANCE.items() if metric in means)
    return GUESSING if guesses else LEARNERS[name].family(c.n)


def key_of(row: Row) -> tuple[str, ...]:
    return tuple(row[name] for name in NULL)


def joined(old: list[Row], new: list[Row]) -> list[Row]:
    """The counts of both; of rows of one null that share seeds those of more data sets, of as many the new ones."""
    kept = defaultdict(list)
    for row in old:
        kept[key_of(row)].append(row)
    for row in new:
        own = kept[key_of(row)]
        shared = [one for one in own if _shares_seeds(one, row)]
        if sum(int(one["n_datasets"]) for one in shared) <= int(row["n_datasets"]):
            kept[key_of(row)] = [*(one for one in own if one not in shared), row]
    rows = [row for own in kept.values() for row in own]
    return sorted(rows, key=lambda row: (*key_of(row), int(row["first_seed"])))


def _shares_seeds(a: Row, b: Row) -> bool:
    (low, n), (other, m) = ((int(row["first_seed"]), int(row["n_datasets"])) for row in (a, b))
    return low < other + m and other < low + n


def read_counts(path: Path) -> list[Row]:
    return read_rows(path) if path.exists() else []


def test(folder: Path, conditions: list[Condition], learners: dict[str, list[str]], n_jobs: int) -> None:
    made = Parallel(n_jobs=n_jobs)(delayed(tested)(folder, c, learners[c.task]) for c in conditions)
    rows = joined(read_counts(COUNTS), [row for part in made for row in part])
    write_rows(COUNTS, [COUNT_COLUMNS, *(tuple(row[name] for name in COUNT_COLUMNS) for row in rows)])
