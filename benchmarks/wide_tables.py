"""The procedures of `benchmarks.wide_study`: how many data sets each rejects at 5%, 1% and 10%, by null."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed

from benchmarks import DATA, read_rows, write_rows
from benchmarks import joined as arrays_of
from benchmarks.calibration import corrected, each, rejections
from benchmarks.fast_learners import FOLDS, FRACTIONS, Array
from benchmarks.wide_data import CHANCE, GUESSING, LEARNERS, OF_NUMBERS, Condition, metrics_of, pair_family
from skcompare import inference
from skcompare.inference.fold_scores.t_tests import OVERLAP

# ---- wide procedures --------------------------------------------------------------------------------------------


LEVELS = (0.05, 0.01, 0.10)
DEFAULT = {design: "k_fold_t_test" if design in ("10-fold", "5-fold") else "corrected_t_test" for design in FRACTIONS}
Counts = tuple[int, ...]


def pvalues(d: Array, design: str) -> dict[str, Array]:
    """Of the tests of a mean difference, from differences (n_datasets, n_splits)."""
    found = {"corrected_t_test": corrected(d, FRACTIONS[design])}
    if FOLDS.get(design, (0, 0))[0] == 1:
        found["k_fold_t_test"] = corrected(d, FRACTIONS[design], OVERLAP)
    if design == "5x2":
        found["five_by_two_f_test"] = each(inference.five_by_two_f_test, d.reshape(-1, 5, 2))
    return found


# ---- what is claimed of equal models --------------------------------------------------------------------------


def stopping(d: Array) -> Counts:
    """How often a difference is found at any of the looks after each of ten repeats."""
    by_look = [corrected(d[:, :n], 1 / 10) for n in range(10, 101, 10)]
    found = []
    for level in LEVELS:
        levels = inference.alpha_spending(10, 10, alpha=level).levels
        found.append(int(np.any([p < own for p, own in zip(by_look, levels, strict=True)], axis=0).sum()))
    return (len(d), *found)


def of_many(scores: Array, design: str, metrics: tuple[str, ...]) -> Iterator[tuple[str, str, Counts, float, float]]:
    """How often any of 3 and 5 equal models is left out, on the first metric, as `of_pair` says it.

    From scores (n_datasets, n_splits, n_models, n_metrics).
    """
    for n_models in (3, 5):
        of_first = scores[:, :, :n_models, 0]
        sets = (inference.model_confidence_set(one, test_fraction=FRACTIONS[design]) for one in of_first)
        left_out = rejections(np.array([found.pvalues.min() for found in sets]))
        yield f"model_confidence_set, {n_models} models", metrics[0], left_out, 0.0, 0.0


# ---- wide tables ------------------------------------------------------------------------------------------------


COUNTS = DATA / "wide_study.csv.gz"
NULL = ("kind", "task", "positive", "n_samples", "generator", "learner", "family", "design", "procedure", "metric")
COUNT_COLUMNS = (*NULL, "first_seed", "n_datasets", "rejected", "rejected_1", "rejected_10", "truth", "truth_error")
SIZE_OF_STOPPED = 200
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
        if truth is None and main and condition.n == SIZE_OF_STOPPED and design == "10x10":
            yield "StopRule", metric, stopping(d), 0.0, 0.0


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
            add(c.learner, LEARNERS[c.learner].family(c.n), design, of_many(scores, design, metrics_of(c.task)))
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
