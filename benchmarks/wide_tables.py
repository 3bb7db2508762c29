"""The procedures of `benchmarks.wide_study` and its tables.

How many data sets each procedure rejects at 5%, 1% and 10%; counts by null, the sizes that the package has, and the
tables of docs/study.md, in Markdown.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from scipy import special

from benchmarks import DATA, ROOT, read_rows, table, write_rows
from benchmarks import joined as arrays_of
from benchmarks import with_tables as with_marked
from benchmarks.calibration import FOLDS, FRACTIONS, corrected, five_by_two, rejections
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
    found = {"corrected_t_test": corrected(d, FRACTIONS[design])}
    if FOLDS.get(design, (0, 0))[0] == 1:
        found["k_fold_t_test"] = corrected(d, FRACTIONS[design], OVERLAP)
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


# ---- the page ---------------------------------------------------------------------------------------------------


PAGE = ROOT / "docs" / "study.md"
TASKS = {
    "several classes": ("3 classes", "4 classes", "10 classes"),
    "two classes": ("binary",),
    "numbers": ("regression",),
}
FULL = ("10x10", "10-fold")
WORST = 12
MAIN = ("accuracy or R2", "ROC AUC or MAE")
PLACE = ("design", "words", "n_samples")
Place = tuple[str, ...]


def in_words(task: str, positive: str | float) -> str:
    return f"{task}, {100 * float(positive):g}% positives" if positive else task


def nulls_of(rows: list[Row]) -> pd.DataFrame:
    """A line per null: the share of its data sets that rejected it at 5%, and its task in words."""
    every = ((*key, *counts) for key, counts in sorted(shares(rows).items()))
    found = pd.DataFrame(every, columns=[*NULL, "n", "rejected"])
    words = list(map(in_words, found["task"], found["positive"]))
    default = found["design"].map(DEFAULT) == found["procedure"]
    return found.assign(share=found["rejected"] / found["n"], words=words, default=default)


def percent(share: float) -> str:
    return f"{100 * share:.1f}"


def spread(nulls: pd.DataFrame) -> str:
    """Mean, and the quantiles at 10% and 90% without the noise of the simulation."""
    if nulls.empty:
        return ""
    own = nulls["share"].to_numpy()
    low, high = quantiles(own, nulls["n"].to_numpy())
    return f"{percent(float(own.mean()))} ({percent(low)} to {percent(high)})"


def highest(nulls: pd.DataFrame) -> pd.Series:
    return nulls.loc[nulls["share"].idxmax()]


def inside(nulls: pd.DataFrame) -> pd.Series:
    return nulls["share"].between(0.03, 0.07)


def places(nulls: pd.DataFrame, *more: str) -> list[tuple[Place, pd.DataFrame]]:
    """The nulls by design, task and number of samples, and by more, in the order of the designs."""

    def order(one: tuple[Place, pd.DataFrame]) -> tuple[object, ...]:
        design, task, n, *rest = one[0]
        digits = [int(part) for part in task.split()[:1] if part.isdigit()]
        return list(DEFAULT).index(design), str((digits, task)), int(n), rest

    return sorted(nulls.groupby([*PLACE, *more]), key=order)


def usual(nulls: pd.DataFrame) -> pd.DataFrame:
    """Those of the default test on 10x10 and 10-fold."""
    return nulls[nulls["default"] & nulls["design"].isin(FULL)]


def on(nulls: pd.DataFrame, metrics: Iterable[str]) -> list[pd.DataFrame]:
    return [nulls[nulls["metric"] == metric] for metric in metrics]


def of_blocks(nulls: pd.DataFrame, tasks: tuple[str, ...]) -> str:
    """A line per design, task and number of samples."""
    metrics, lines = metrics_of(tasks[0]), []
    shown = nulls["design"].isin(FULL) | (nulls["n_samples"] == "200")
    for place, own in places(nulls[nulls["task"].isin(tasks) & nulls["default"] & shown]):
        by_metric = on(own, metrics)
        sizes = sorted({min(by_metric[0]["n"]), max(by_metric[0]["n"])})
        lines.append((*place, len(by_metric[0]), " to ".join(map(str, sizes)), *map(spread, by_metric)))
    return table(("design", "task", "samples", "nulls", "data sets", *metrics), 2, lines)


def of_families(nulls: pd.DataFrame) -> str:
    """Of 200 samples: a line per family, a column per task and main metric."""
    columns = [(task, metric) for task in ("3 classes", "4 classes") for metric in ("accuracy", "roc_auc_ovr")]
    columns += [("binary", "accuracy"), ("binary", "roc_auc")]
    columns += [("regression", "r2"), ("regression", "neg_mean_absolute_error")]
    own = usual(nulls[nulls["n_samples"] == "200"])
    cells = {cell: f"{spread(one)}, {len(one)}" for cell, one in own.groupby(["design", "family", "task", "metric"])}
    lines = (
        (design, family, *(cells.get((design, family, *column), "") for column in columns))
        for design, family in itertools.product(FULL, sorted(set(own["family"])))
    )
    return table(("design", "family", *(f"{task}: {metric}" for task, metric in columns)), 2, lines)


def of_draws(nulls: pd.DataFrame) -> str:
    """A line per population and design: all pairs of learners."""
    lines = []
    for place, own in places(usual(nulls), "generator"):
        cells = list(place)
        for found in on(own, _main(own)):
            most, metric = highest(found), found["metric"].iloc[0]
            cells += [f"{metric}: {spread(found)}", f"{inside(found).sum()} of {len(found)}"]
            cells += [f"{percent(most['share'])}, {most['learner']}"]
        lines.append(cells)
    head = ("design", "task", "samples", "population", "missed, first metric", "3% to 7%", "most")
    return table((*head, "missed, second metric", "3% to 7%", "most"), 10, lines)


def of_mixed(nulls: pd.DataFrame) -> str:
    """A line per task, number of samples and design: pairs of two families, without and with a shallow tree."""
    lines = []
    for place, own in places(usual(nulls)):
        cells = list(place)
        for family in DIFFERENT:
            found = on(own[own["family"] == family], _main(own))
            cells += [str(len(found[0])), *map(spread, found)]
        lines.append(cells)
    both = (f"{family}: {what}" for family in DIFFERENT for what in ("pairs", *MAIN))
    return table(("design", "task", "samples", *both), 2, lines)


def of_all_mixed(nulls: pd.DataFrame) -> str:
    """A line per family of pairs: all populations, numbers of samples, metrics and both designs together."""
    lines = []
    for family in DIFFERENT:
        own = usual(nulls[nulls["family"] == family])
        if len(own):
            means = percent(np.mean(own["share"].to_numpy())), f"{100 * inside(own).mean():.0f}%"
            lines.append((family, len(own), *means, percent(own["share"].max())))
    return table(("pairs", "shares", "mean", "3% to 7%", "most"), 1, lines)


def _main(nulls: pd.DataFrame) -> tuple[str, str]:
    metrics = metrics_of(nulls["task"].iloc[0])
    return metrics[0], metrics[-1] if len(metrics) > 3 else metrics[1]


def worst(nulls: pd.DataFrame) -> str:
    """The nulls of the default tests whose interval, by Clopper and Pearson at 95%, begins highest.

    Each once, on the design and metric where it is worst.
    """
    own = nulls[nulls["default"]]
    n, k = (own[name].to_numpy() for name in ("n", "rejected"))
    low = np.where(k > 0, special.betaincinv(np.maximum(k, 1), n - k + 1, 0.025), 0.0)
    high = np.where(k < n, special.betaincinv(k + 1, np.maximum(n - k, 1), 0.975), 1.0)
    own = own.assign(low=low, high=high).iloc[np.argsort(-low, kind="stable")]
    lines = (
        (
            *(one["design"], one["words"], one["n_samples"], one["metric"], f"{one['learner']} ({one['generator']})"),
            *(percent(one["share"]), f"{percent(one['low'])} to {percent(one['high'])}", one["n"]),
        )
        for _, one in own.drop_duplicates(["task", "n_samples", "generator", "learner"])[:WORST].iterrows()
    )
    return table(("design", "task", "samples", "metric", "null", "size, %", "95% interval", "data sets"), 5, lines)


def of_companions(nulls: pd.DataFrame) -> str:
    own = nulls[~nulls["procedure"].isin([*DEFAULT.values(), "five_by_two_f_test"])]
    lines = []
    for (procedure, *cell), found in own.groupby(["procedure", "design", "words", "metric"]):
        most = highest(found)
        words = f"{percent(most['share'])}, {most['learner']} ({most['generator']})"
        lines.append((f"`{procedure}`", *cell, len(found), spread(found), words))
    return table(("procedure", "design", "task", "metric", "nulls", "share, %", "most"), 4, lines)


def tables(rows: list[Row]) -> str:
    nulls = nulls_of(rows)
    blocks, draws = (nulls[nulls["kind"] == kind] for kind in ("blocks", "draws"))
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
        lines[in_words(task, positive), f"{n:,}", ", ".join(sorted(families))].append(design)
    rows = [(task, n, ", ".join(sorted(own, key=list(DEFAULT).index)), of) for (task, n, of), own in lines.items()]
    return table(("task", "samples", "designs", "families"), 4, rows)


def with_tables(page: str, rows: list[Row]) -> str:
    """The page with the tables between its marks."""
    return with_marked(page, {"wide": partial(tables, rows), "quoted": quoted})
