"""The tables of `benchmarks.wide_study` for docs/study.md, in Markdown."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import special

from benchmarks.fast_learners import Array
from benchmarks.wide_data import metrics_of
from benchmarks.wide_procedures import DEFAULT
from benchmarks.wide_tables import NULL, ROOT, SHIPPED, Row, quantiles, shares
from skcompare.inference._measured import DIFFERENT, read_rows

PAGE = ROOT / "docs" / "study.md"
START, END = "<!-- wide tables -->", "<!-- end of wide tables -->"
START_QUOTED, END_QUOTED = "<!-- quoted -->", "<!-- end of quoted -->"
TASKS = {
    "several classes": ("3 classes", "4 classes", "10 classes"),
    "two classes": ("binary",),
    "numbers": ("regression",),
}
FULL = ("10x10", "10-fold")
WORST = 12
MAIN = ("accuracy or R2", "ROC AUC or MAE")


@dataclass(frozen=True)
class Null:
    """How often one null was rejected at 5%."""

    of: dict[str, str]
    n_datasets: int
    rejected: int

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


def nulls_of(rows: list[Row]) -> list[Null]:
    return [Null(dict(zip(NULL, key, strict=True)), n, rejected) for key, (n, rejected) in sorted(shares(rows).items())]


def percent(share: float) -> str:
    return f"{100 * share:.1f}"


def spread(nulls: list[Null]) -> str:
    """Mean, and the quantiles at 10% and 90% without the noise of the simulation."""
    if not nulls:
        return ""
    own = np.array([null.share for null in nulls])
    low, high = quantiles(own, np.array([null.n_datasets for null in nulls]))
    return f"{percent(float(own.mean()))} ({percent(low)} to {percent(high)})"


def table(head: tuple[str, ...], n_words: int, lines: list[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{' --- |' * n_words}{' ---: |' * (len(head) - n_words)}"
    yield from (f"| {' | '.join(line)} |" for line in lines)
    yield ""


Keys = tuple[str, ...]


def grouped(nulls: list[Null], key: Callable[[Null], Keys]) -> dict[Keys, list[Null]]:
    found: dict[Keys, list[Null]] = defaultdict(list)
    for null in nulls:
        found[key(null)].append(null)
    return found


def _place(null: Null) -> Keys:
    return null.of["design"], null.task, null.of["n_samples"]


def _sorted(keys: set[Keys]) -> list[Keys]:
    def order(key: Keys) -> tuple[object, ...]:
        design, task, n, *rest = key
        digits = [int(part) for part in task.split()[:1] if part.isdigit()]
        return (*design.split("x")[:1], design, digits, task, int(n), *rest)

    return sorted(keys, key=lambda key: (list(DEFAULT).index(key[0]), str(order(key)[2:4]), int(key[2]), key[3:]))


def of_blocks(nulls: list[Null], tasks: tuple[str, ...]) -> Iterator[str]:
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
    yield from table(("design", "task", "samples", "nulls", "data sets", *metrics), 2, lines)


def of_families(nulls: list[Null]) -> Iterator[str]:
    """Of 200 samples: a line per family, a column per task and main metric."""
    columns = [("3 classes", "accuracy"), ("3 classes", "roc_auc_ovr"), ("4 classes", "accuracy")]
    columns += [("4 classes", "roc_auc_ovr"), ("binary", "accuracy"), ("binary", "roc_auc")]
    columns += [("regression", "r2"), ("regression", "neg_mean_absolute_error")]
    own = [null for null in nulls if null.default and null.of["n_samples"] == "200" and null.of["design"] in FULL]
    cells = grouped(own, lambda null: tuple(null.of[name] for name in ("design", "family", "task", "metric")))
    lines = []
    for design in FULL:
        for family in sorted({cell[1] for cell in cells}):
            found = [cells.get((design, family, *column), []) for column in columns]
            lines.append((design, family, *(f"{spread(one)}, {len(one)}" if one else "" for one in found)))
    yield from table(("design", "family", *(f"{task}: {metric}" for task, metric in columns)), 2, lines)


def of_draws(nulls: list[Null]) -> Iterator[str]:
    """A line per population and design: all pairs of learners."""
    own = [null for null in nulls if null.default and null.of["design"] in FULL]
    cells = grouped(own, lambda null: (*_place(null), null.of["generator"]))
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
    yield from table((*head, "missed, second metric", "3% to 7%", "most"), 10, lines)


def of_mixed(nulls: list[Null]) -> Iterator[str]:
    """A line per task, number of samples and design: pairs of two families, without and with a shallow tree."""
    own = [null for null in nulls if null.default and null.of["design"] in FULL]
    cells = grouped(own, lambda null: (*_place(null), null.of["family"], null.of["metric"]))
    lines = []
    for place in _sorted({cell[:3] for cell in cells}):
        metrics = metrics_of("binary" if place[1].startswith("binary") else place[1])
        line = list(place)
        for family in DIFFERENT:
            found = [cells.get((*place, family, metric), []) for metric in _main(metrics)]
            line += [str(len(found[0])), *map(spread, found)]
        lines.append(tuple(line))
    both = tuple(f"{family}: {what}" for family in DIFFERENT for what in ("pairs", *MAIN))
    yield from table(("design", "task", "samples", *both), 2, lines)


def of_all_mixed(nulls: list[Null]) -> Iterator[str]:
    """A line per family of pairs: all populations, numbers of samples, metrics and both designs together."""
    lines = []
    for family in DIFFERENT:
        own = [
            null.share for null in nulls if null.default and null.of["design"] in FULL and null.of["family"] == family
        ]
        if own:
            inside = np.mean([0.03 <= share <= 0.07 for share in own])
            lines.append((family, str(len(own)), percent(np.mean(own)), f"{100 * inside:.0f}%", percent(max(own))))
    yield from table(("pairs", "shares", "mean", "3% to 7%", "most"), 1, lines)


def _main(metrics: tuple[str, ...]) -> tuple[str, str]:
    return metrics[0], metrics[-1] if len(metrics) > 3 else metrics[1]


def intervals(nulls: list[Null]) -> tuple[Array, Array]:
    """Clopper and Pearson's at 95%: lower and upper limits."""
    n, k = (np.array([getattr(null, name) for null in nulls]) for name in ("n_datasets", "rejected"))
    low = np.where(k > 0, special.betaincinv(np.maximum(k, 1), n - k + 1, 0.025), 0.0)
    return low, np.where(k < n, special.betaincinv(k + 1, np.maximum(n - k, 1), 0.975), 1.0)


def worst(nulls: list[Null]) -> Iterator[str]:
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
    yield from table(("design", "task", "samples", "metric", "null", "size, %", "95% interval", "data sets"), 5, lines)


def of_companions(nulls: list[Null]) -> Iterator[str]:
    own = [null for null in nulls if null.of["procedure"] not in (*DEFAULT.values(), "five_by_two_f_test")]
    cells = grouped(own, lambda null: (null.of["procedure"], null.of["design"], null.task, null.of["metric"]))
    lines = []
    for cell, found in sorted(cells.items()):
        most = max(found, key=lambda null: null.share)
        words = f"{percent(most.share)}, {most.of['learner']} ({most.of['generator']})"
        lines.append((f"`{cell[0]}`", *cell[1:], str(len(found)), spread(found), words))
    yield from table(("procedure", "design", "task", "metric", "nulls", "share, %", "most"), 4, lines)


def tables(rows: list[Row]) -> str:
    nulls = nulls_of(rows)
    blocks = [null for null in nulls if null.of["kind"] == "blocks"]
    draws = [null for null in nulls if null.of["kind"] == "draws"]
    lines = []
    for title, tasks in TASKS.items():
        lines += [f"### Equal models on {title}: sizes of the default at 5%, mean (10% to 90% of the nulls), in %", ""]
        lines += of_blocks(blocks, tasks)
    lines += ["### Equal models by family, 200 samples: mean (10% to 90% of the nulls), in %, and number of nulls", ""]
    lines += of_families(blocks)
    lines += ["### Different models: intervals at 95% that miss the true difference, in %", "", *of_draws(draws)]
    lines += ["### The same by families: mean (10% to 90% of the pairs), in %", "", *of_mixed(draws)]
    lines += ["All of them, on all metrics:", "", *of_all_mixed(draws)]
    lines += [f"### The {WORST} nulls of equal models that are rejected most often", "", *worst(blocks)]
    lines += [f"### The {WORST} pairs of different learners that are missed most often", "", *worst(draws)]
    lines += ["### Other procedures, 200 samples", "", *of_companions(nulls)]
    return "\n".join(lines).rstrip()


def quoted() -> str:
    """What the shipped table holds: a line per task and number of samples, of designs with the same families."""
    found: dict[tuple[str, float, int, str], set[str]] = defaultdict(set)
    for row in read_rows(SHIPPED.name):
        if row["procedure"] in DEFAULT.values():
            cell = row["task"], float(row["positive"] or 0), int(row["n_samples"]), row["design"]
            found[cell].update({row["family"]} - {""})
    lines: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for (task, positive, n, design), families in sorted(found.items()):
        words = f"{task}, {100 * positive:g}% positives" if positive else task
        lines[words, f"{n:,}", ", ".join(sorted(families))].append(design)
    rows = [(task, n, ", ".join(sorted(own, key=list(DEFAULT).index)), of) for (task, n, of), own in lines.items()]
    return "\n".join(table(("task", "samples", "designs", "families"), 4, rows)).rstrip()


def with_tables(page: str, rows: list[Row]) -> str:
    """The page with the tables between its marks."""
    for start, end, made in ((START, END, tables(rows)), (START_QUOTED, END_QUOTED, quoted())):
        before, rest = page.split(start)
        page = f"{before}{start}\n\n{made}\n\n{end}{rest.split(end)[1]}"
    return page
