"""The procedures of `benchmarks.wide_study` and its tables.

How many data sets each procedure rejects at 5%, 1% and 10%; counts by null, the sizes that the package has, and the
tables of docs/study.md, in Markdown.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, partial
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed
from scipy import special

from benchmarks import DATA, ROOT, read_rows, table, write_rows
from benchmarks import joined as arrays_of
from benchmarks import with_tables as with_marked
from benchmarks.calibration import FOLDS, FRACTIONS, correction, five_by_two, rejections, t_pvalues
from benchmarks.fast_learners import Array
from benchmarks.wide_data import LEARNERS, OF_NUMBERS, Condition, metrics_of
from skcompare import inference
from skcompare.inference._measured import CHANCE, DIFFERENT, GUESSING, pair_family
from skcompare.inference._measured import read_rows as quoted_rows
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
    n, fraction = d.shape[1], FRACTIONS[design]
    found = {"corrected_t_test": t_pvalues(d, correction(n, fraction), n - 1)}
    if FOLDS.get(design, (0, 0))[0] == 1:
        found["k_fold_t_test"] = t_pvalues(d, correction(n, fraction, OVERLAP), n - 1)
    if design == "5x2":
        found["five_by_two_f_test"] = five_by_two(d)["five_by_two_f_test"]
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
    by_look = [t_pvalues(d[:, :n], correction(n, 1 / 10), n - 1) for n in range(10, 101, 10)]
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
        pvalues(scores[:, :, a, m] - scores[:, :, b, m], design)[DEFAULT[design]]
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
SHIPPED = ROOT / "skcompare" / "inference" / "measured_widely.csv.gz"
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
    write_rows(COUNTS, [COUNT_COLUMNS, *(tuple(row[name] for name in COUNT_COLUMNS) for row in rows)])
    write_rows(SHIPPED, [SHIPPED_COLUMNS, *summarised(rows)])


# ---- wide page --------------------------------------------------------------------------------------------------


PAGE = ROOT / "docs" / "study.md"
TASKS = {
    "several classes": ("3 classes", "4 classes", "10 classes"),
    "two classes": ("binary",),
    "numbers": ("regression",),
}
FULL = ("10x10", "10-fold")
WORST = 12
MAIN = ("accuracy or R2", "ROC AUC or MAE")


class NullOfWidePage:
    """How often one null was rejected at 5%."""

    def __init__(self, key: tuple[str, ...], n_datasets: int, rejected: int) -> None:
        self.of, self.n_datasets, self.rejected = dict(zip(NULL, key, strict=True)), n_datasets, rejected

    @cached_property
    def share(self) -> float:
        return self.rejected / self.n_datasets

    @property
    def default(self) -> bool:
        return DEFAULT[self.of["design"]] == self.of["procedure"]

    @property
    def task(self) -> str:
        positive = self.of["positive"]
        return f"{self.of['task']}, {100 * float(positive):g}% positives" if positive else self.of["task"]


def nulls_of(rows: list[Row]) -> list[NullOfWidePage]:
    return [NullOfWidePage(key, *found) for key, found in sorted(shares(rows).items())]


def percent(share: float) -> str:
    return f"{100 * share:.1f}"


def spread(nulls: list[NullOfWidePage]) -> str:
    """Mean, and the quantiles at 10% and 90% without the noise of the simulation."""
    if not nulls:
        return ""
    own = np.array([null.share for null in nulls])
    low, high = quantiles(own, np.array([null.n_datasets for null in nulls]))
    return f"{percent(float(own.mean()))} ({percent(low)} to {percent(high)})"


Keys = tuple[str, ...]


def grouped(nulls: list[NullOfWidePage], key: Callable[[NullOfWidePage], Keys]) -> dict[Keys, list[NullOfWidePage]]:
    found: dict[Keys, list[NullOfWidePage]] = defaultdict(list)
    for null in nulls:
        found[key(null)].append(null)
    return found


def _place(null: NullOfWidePage) -> Keys:
    return null.of["design"], null.task, null.of["n_samples"]


def _sorted(keys: set[Keys]) -> list[Keys]:
    def order(key: Keys) -> tuple[object, ...]:
        design, task, n, *rest = key
        digits = [int(part) for part in task.split()[:1] if part.isdigit()]
        return list(DEFAULT).index(design), str((digits, task)), int(n), rest

    return sorted(keys, key=order)


def usual(nulls: list[NullOfWidePage]) -> list[NullOfWidePage]:
    """Those of the default test on 10x10 and 10-fold."""
    return [null for null in nulls if null.default and null.of["design"] in FULL]


def of_blocks(nulls: list[NullOfWidePage], tasks: tuple[str, ...]) -> str:
    """A line per design, task and number of samples."""
    metrics = metrics_of(tasks[0])
    own = [
        null
        for null in nulls
        if null.of["task"] in tasks and null.default and (null.of["design"] in FULL or null.of["n_samples"] == "200")
    ]
    cells = grouped(own, lambda null: (*_place(null), null.of["metric"]))
    lines = []
    for place in _sorted({cell[:3] for cell in cells}):
        first = cells[*place, metrics[0]]
        sizes = sorted({null.n_datasets for null in first})
        times = f"{sizes[0]}" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
        spans = (spread(cells.get((*place, metric), [])) for metric in metrics)
        lines.append((*place, str(len(first)), times, *spans))
    return table(("design", "task", "samples", "nulls", "data sets", *metrics), 2, lines)


def of_families(nulls: list[NullOfWidePage]) -> str:
    """Of 200 samples: a line per family, a column per task and main metric."""
    columns = [("3 classes", "accuracy"), ("3 classes", "roc_auc_ovr"), ("4 classes", "accuracy")]
    columns += [("4 classes", "roc_auc_ovr"), ("binary", "accuracy"), ("binary", "roc_auc")]
    columns += [("regression", "r2"), ("regression", "neg_mean_absolute_error")]
    own = [null for null in usual(nulls) if null.of["n_samples"] == "200"]
    cells = grouped(own, lambda null: tuple(null.of[name] for name in ("design", "family", "task", "metric")))
    lines = []
    for design in FULL:
        for family in sorted({cell[1] for cell in cells}):
            found = [cells.get((design, family, *column), []) for column in columns]
            lines.append((design, family, *(f"{spread(one)}, {len(one)}" if one else "" for one in found)))
    return table(("design", "family", *(f"{task}: {metric}" for task, metric in columns)), 2, lines)


def of_draws(nulls: list[NullOfWidePage]) -> str:
    """A line per population and design: all pairs of learners."""
    cells = grouped(usual(nulls), lambda null: (*_place(null), null.of["generator"]))
    lines = []
    for place in _sorted(set(cells)):
        metrics = metrics_of(cells[place][0].of["task"])
        line = list(place)
        for metric in _main(metrics):
            found = [null for null in cells[place] if null.of["metric"] == metric]
            inside = sum(0.03 <= null.share <= 0.07 for null in found)
            most = max(found, key=lambda null: null.share)
            line += [f"{metric}: {spread(found)}", f"{inside} of {len(found)}"]
            line += [f"{percent(most.share)}, {most.of['learner']}"]
        lines.append(tuple(line))
    head = ("design", "task", "samples", "population", "missed, first metric", "3% to 7%", "most")
    return table((*head, "missed, second metric", "3% to 7%", "most"), 10, lines)


def of_mixed(nulls: list[NullOfWidePage]) -> str:
    """A line per task, number of samples and design: pairs of two families, without and with a shallow tree."""
    cells = grouped(usual(nulls), lambda null: (*_place(null), null.of["family"], null.of["metric"]))
    lines = []
    for place in _sorted({cell[:3] for cell in cells}):
        metrics = metrics_of("binary" if place[1].startswith("binary") else place[1])
        line = list(place)
        for family in DIFFERENT:
            found = [cells.get((*place, family, metric), []) for metric in _main(metrics)]
            line += [str(len(found[0])), *map(spread, found)]
        lines.append(tuple(line))
    both = tuple(f"{family}: {what}" for family in DIFFERENT for what in ("pairs", *MAIN))
    return table(("design", "task", "samples", *both), 2, lines)


def of_all_mixed(nulls: list[NullOfWidePage]) -> str:
    """A line per family of pairs: all populations, numbers of samples, metrics and both designs together."""
    lines = []
    for family in DIFFERENT:
        own = [null.share for null in usual(nulls) if null.of["family"] == family]
        if own:
            inside = np.mean([0.03 <= share <= 0.07 for share in own])
            lines.append((family, str(len(own)), percent(np.mean(own)), f"{100 * inside:.0f}%", percent(max(own))))
    return table(("pairs", "shares", "mean", "3% to 7%", "most"), 1, lines)


def _main(metrics: tuple[str, ...]) -> tuple[str, str]:
    return metrics[0], metrics[-1] if len(metrics) > 3 else metrics[1]


def intervals(nulls: list[NullOfWidePage]) -> tuple[Array, Array]:
    """Clopper and Pearson's at 95%: lower and upper limits."""
    n, k = (np.array([getattr(null, name) for null in nulls]) for name in ("n_datasets", "rejected"))
    low = np.where(k > 0, special.betaincinv(np.maximum(k, 1), n - k + 1, 0.025), 0.0)
    return low, np.where(k < n, special.betaincinv(k + 1, np.maximum(n - k, 1), 0.975), 1.0)


def worst(nulls: list[NullOfWidePage]) -> str:
    """The nulls of the default tests whose interval begins highest."""
    own = [null for null in nulls if null.default]
    lows, highs = intervals(own)
    lines, seen = [], set()
    for i in np.argsort(-lows, kind="stable"):
        null = own[i]
        name = tuple(null.of[part] for part in ("task", "n_samples", "generator", "learner"))
        if name in seen:  # once, on the design and metric where it is worst
            continue
        seen.add(name)
        where = (null.of["design"], null.task, null.of["n_samples"], null.of["metric"])
        words = f"{null.of['learner']} ({null.of['generator']})"
        span = f"{percent(lows[i])} to {percent(highs[i])}"
        lines.append((*where, words, percent(null.share), span, str(null.n_datasets)))
        if len(lines) == WORST:
            break
    return table(("design", "task", "samples", "metric", "null", "size, %", "95% interval", "data sets"), 5, lines)


def of_companions(nulls: list[NullOfWidePage]) -> str:
    own = [null for null in nulls if null.of["procedure"] not in (*DEFAULT.values(), "five_by_two_f_test")]
    cells = grouped(own, lambda null: (null.of["procedure"], null.of["design"], null.task, null.of["metric"]))
    lines = []
    for cell, found in sorted(cells.items()):
        most = max(found, key=lambda null: null.share)
        words = f"{percent(most.share)}, {most.of['learner']} ({most.of['generator']})"
        lines.append((f"`{cell[0]}`", *cell[1:], str(len(found)), spread(found), words))
    return table(("procedure", "design", "task", "metric", "nulls", "share, %", "most"), 4, lines)


def tables(rows: list[Row]) -> str:
    nulls = nulls_of(rows)
    blocks = [null for null in nulls if null.of["kind"] == "blocks"]
    draws = [null for null in nulls if null.of["kind"] == "draws"]
    sizes = "mean (10% to 90% of the nulls), in %"
    parts = {
        f"Equal models on {title}: sizes of the default at 5%, {sizes}": of_blocks(blocks, own)
        for title, own in TASKS.items()
    }
    mixed = f"{of_mixed(draws)}\n\nAll of them, on all metrics:\n\n{of_all_mixed(draws)}"
    parts |= {
        f"Equal models by family, 200 samples: {sizes}, and number of nulls": of_families(blocks),
        "Different models: intervals at 95% that miss the true difference, in %": of_draws(draws),
        "The same by families: mean (10% to 90% of the pairs), in %": mixed,
        f"The {WORST} nulls of equal models that are rejected most often": worst(blocks),
        f"The {WORST} pairs of different learners that are missed most often": worst(draws),
        "Other procedures, 200 samples": of_companions(nulls),
    }
    return "\n\n".join(f"### {title}\n\n{made}" for title, made in parts.items())


def quoted() -> str:
    """What the shipped table holds: a line per task and number of samples, of designs with the same families."""
    found: dict[tuple[str, float, int, str], set[str]] = defaultdict(set)
    for row in quoted_rows(SHIPPED.name):
        if row["procedure"] in DEFAULT.values():
            cell = row["task"], float(row["positive"] or 0), int(row["n_samples"]), row["design"]
            found[cell].update({row["family"]} - {""})
    lines: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for (task, positive, n, design), families in sorted(found.items()):
        words = f"{task}, {100 * positive:g}% positives" if positive else task
        lines[words, f"{n:,}", ", ".join(sorted(families))].append(design)
    rows = [(task, n, ", ".join(sorted(own, key=list(DEFAULT).index)), of) for (task, n, of), own in lines.items()]
    return table(("task", "samples", "designs", "families"), 4, rows)


def with_tables(page: str, rows: list[Row]) -> str:
    """The page with the tables between its marks."""
    return with_marked(page, {"wide": partial(tables, rows), "quoted": quoted})
