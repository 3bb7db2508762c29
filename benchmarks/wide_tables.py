"""The tables of `benchmarks.wide_study`: counts by null, the sizes that the package has, and those of the page."""

from __future__ import annotations

import csv
import gzip
import io
import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from joblib import Parallel, delayed

import skcompare
from benchmarks.fast_learners import Array
from benchmarks.wide_data import OF_NUMBERS, metrics_of
from benchmarks.wide_learners import LEARNERS
from benchmarks.wide_procedures import DEFAULT, companions, counted, of_many, pvalues
from skcompare.inference._measured import CHANCE, DIFFERENT, GUESSING, pair_family

if TYPE_CHECKING:
    from benchmarks.wide_study import Condition

ROOT = Path(__file__).parents[1]
COUNTS = ROOT / "docs" / "data" / "wide_study.csv.gz"
SHIPPED = Path(skcompare.__file__).parent / "inference" / "measured_widely.csv.gz"
NULL = ("kind", "task", "positive", "n_samples", "generator", "learner", "family", "design", "procedure", "metric")
COUNT_COLUMNS = (*NULL, "first_seed", "n_datasets", "rejected", "rejected_1", "rejected_10", "truth", "truth_error")
CELL = ("procedure", "design", "task", "n_samples", "positive", "metric")
SHIPPED_COLUMNS = (*CELL, "family", "nulls", "datasets", "mean", "low", "q10", "q90", "high", "highest")
SIZE_OF_COMPANIONS = 200
OF_ORDER = ("4 classes", "regression")
FEWEST = 3  # nulls of a family
ENOUGH = 200  # data sets of a null that is shipped
# One design is the first runs of another.
FIRST_OF = {"10-fold": ("10x10", 10), "5-fold": ("10x5", 5)}
Row = dict[str, str]


# ---- counts ---------------------------------------------------------------------------------------------------


def stored(paths: list[Path]) -> tuple[dict[str, Array], int]:
    """Scores (n_datasets, n_splits, n_models, n_metrics) by design and the first seed, up to a gap in the seeds."""
    loaded, first, after = [], 0, None
    for path in paths:
        part = np.load(path)
        start = int(part["first"])
        if after is None:
            first = start
        elif start != after:
            break
        loaded.append(part)
        after = start + len(part[next(name for name in part.files if name.startswith("scores, "))])
    names = [name for name in loaded[0].files if name.startswith("scores, ")]
    found = {name.removeprefix("scores, "): np.concatenate([part[name] for part in loaded]) for name in names}
    found |= {name: found[whole][:, :first] for name, (whole, first) in FIRST_OF.items() if whole in found}
    return found, first


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
            yield procedure, metric, counted(np.where(equal, 1.0, p)), true, error
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
    if not path.exists():
        return []
    with gzip.open(path, "rt", encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


# ---- sizes ----------------------------------------------------------------------------------------------------


def shares(rows: list[Row]) -> dict[tuple[str, ...], tuple[int, int]]:
    """Data sets and rejections at 5% of every null, over all of its seeds."""
    found: dict[tuple[str, ...], tuple[int, int]] = {}
    for row in rows:
        n, rejected = found.get(key_of(row), (0, 0))
        found[key_of(row)] = n + int(row["n_datasets"]), rejected + int(row["rejected"])
    return found


Null = tuple[float, int, str]  # the share of data sets rejected, their number, the null in words


def cells(rows: list[Row]) -> dict[tuple[str, ...], list[Null]]:
    """The nulls of every cell, `CELL` with "" for all equal models, with their family, or with that of a mixed pair.

    Pairs of different learners of one family are in none: what equal models of a family give is not what they give.
    """
    found: dict[tuple[str, ...], list[Null]] = defaultdict(list)
    for key, (n, rejected) in shares(rows).items():
        null = dict(zip(NULL, key, strict=True))
        one = rejected / n, n, f"{null['learner']} ({null['generator']})"
        cell, equal = tuple(null[name] for name in CELL), null["kind"] != "draws"
        if equal:
            found[*cell, ""].append(one)
        if DEFAULT[null["design"]] == null["procedure"] and equal != (null["family"] in DIFFERENT):
            found[*cell, null["family"]].append(one)
    return found


def quantiles(sizes: Array, n_datasets: Array) -> tuple[float, float]:
    """At 10% and 90%, of shares drawn in to their mean until they vary as without the binomial noise."""
    mean = sizes.mean()
    varies = sizes.var(ddof=1) if len(sizes) > 1 else 0.0
    noise = np.mean(sizes * (1 - sizes) / n_datasets)
    kept = max(0.0, 1 - noise / varies) ** 0.5 if varies else 0.0
    low, high = mean + kept * (np.quantile(sizes, [0.1, 0.9]) - mean)
    return float(low), float(high)


def is_shipped(cell: tuple[str, ...]) -> bool:
    """The default tests and, of all equal models, their companions."""
    procedure, design, *_, family = cell
    return bool(family) or procedure != "corrected_t_test" or DEFAULT[design] == procedure


def summarised(rows: list[Row]) -> list[tuple[object, ...]]:
    """Rows of `SHIPPED_COLUMNS`, of the nulls with at least `ENOUGH` data sets.

    Mean, low, high and highest are as counted, q10 and q90 without the noise of the simulation.
    """
    found = []
    for cell, every in sorted(cells(rows).items(), key=lambda one: _order(one[0])):
        nulls = [null for null in every if null[1] >= ENOUGH]
        if not is_shipped(cell) or len(nulls) < (FEWEST if cell[-1] else 1):
            continue
        sizes, counts = (np.array([null[i] for null in nulls]) for i in (0, 1))
        spans = (sizes.mean(), sizes.min(), *quantiles(sizes, counts), sizes.max())
        figures = tuple(f"{x:.4f}" for x in spans)
        found.append((*cell, len(nulls), counts.min(), *figures, max(nulls)[2]))
    return found


def _order(cell: tuple[str, ...]) -> tuple[object, ...]:
    procedure, design, task, n, positive, metric, family = cell
    return procedure, design, task, float(positive or 0), int(n), metric, family


def test(folder: Path, conditions: list[Condition], learners: dict[str, list[str]], n_jobs: int) -> None:
    made = Parallel(n_jobs=n_jobs)(delayed(tested)(folder, c, learners[c.task]) for c in conditions)
    rows = joined(read_counts(COUNTS), [row for part in made for row in part])
    with gzip.open(COUNTS, "wt", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, COUNT_COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    ship(rows)


def ship(rows: list[Row]) -> None:
    """Write the table that the package has; the same rows make the same bytes."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows([SHIPPED_COLUMNS, *summarised(rows)])
    SHIPPED.write_bytes(gzip.compress(text.getvalue().encode(), mtime=0))
