"""How often `stability_t_test` and `corrected_t_test` reject true nulls on 10x10, and what they find.

Run from a checkout, after ``python -m benchmarks.wide_study simulate``, whose files hold what every model predicted:
``python -m benchmarks.instability --folder FOLDER``. The constants of the test were chosen on two classes (exchangeable
blocks, and draws from `make_classification`): ``--fit`` prints what each null of those calls for. All other tasks and
populations were left out whole. "Unknown" is the test with the constant of an unknown family: no null knows its own.

"within" is the share of nulls that are rejected in 3% to 7% of cases, "found" the share of differences of 2.8 standard
deviations of the mean difference that are found, 80% for a test that knows that deviation. Pairs with a tree of one
split are listed apart: `FRAGILE` is about those.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from joblib import Parallel, delayed
from scipy import special

from benchmarks import head, line, options, span, table, write_sizes
from benchmarks.fast_learners import Array
from benchmarks.wide_data import LEARNERS, Condition, metrics_of
from benchmarks.wide_study import conditions, learners_of
from skcompare.inference.fold_scores.stability import instability, much, of_families, own_correction

SHAPE = (10, 10)
SHIFT = 2.8  # standard deviations: a test that knows them finds 80%
LEVEL = 0.05
CHOSEN_ON = ("binary", "make_classification")


class Null(NamedTuple):
    """One pair of learners on one generator, one metric: shares of data sets."""

    condition: Condition
    learners: tuple[str, str]
    metric: str
    corrected: float
    stability: float
    unknown: float
    found_corrected: float
    found_stability: float
    found_unknown: float
    needed: float
    luck: float
    excess: float
    warned: float

    @property
    def stump(self) -> bool:
        return "stump" in self.learners

    @property
    def chosen_on(self) -> bool:
        c = self.condition
        return c.task == CHOSEN_ON[0] and (c.kind == "blocks" or c.generator == CHOSEN_ON[1])

    @property
    def group(self) -> tuple[str, ...]:
        c = self.condition
        where = "exchangeable blocks" if c.kind == "blocks" else f"draws from {c.generator}"
        return ("chosen on" if self.chosen_on else "left out", c.task, where, str(c.n), self.metric)


def losses_of(values: Array, y: Array, task: str) -> Array:
    """Losses (n_models, n_repeats, n_samples) of one data set."""
    if task == "regression":
        return np.abs(values[..., 0] - y)
    return (values.argmax(axis=-1) != y).astype(float)


def rejected(beyond: Array, error: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * special.stdtr(99, -np.abs(beyond) / error)
    return np.where(np.abs(beyond) < 1e-12, False, p < LEVEL)


def of_pair(c: Condition, names: tuple[str, str], d: Array, told: Array) -> Iterator[Null]:
    """Nulls of one pair by metric, from differences (n_datasets, 100, m) and its luck and excess (n_datasets, 2)."""
    training = [of_families([LEARNERS[name].family(c.n) for name in names]), of_families(["", ""])]
    own, general = (np.array([own_correction(*one, added, SHAPE) for one in told]) for added in training)
    for m, metric in enumerate(metrics_of(c.task)):
        if metric.startswith("roc_auc"):  # of ranks, of which the losses do not tell
            continue
        mean, spread = d[:, :, m].mean(axis=1), d[:, :, m].std(axis=1, ddof=1)
        if np.isnan(mean).any() or (spread == 0).mean() > LEVEL:  # hardly two models
            continue
        truth = 0.0 if c.kind == "blocks" else mean.mean()
        deviation = float(((mean - truth) ** 2).mean() ** 0.5)
        errors = [spread * (1 / 100 + share / 9) ** 0.5 for share in (1.0, own, general)]
        shares = [float(rejected(mean - truth, error).mean()) for error in errors]
        shifted = [
            float(np.mean([rejected(mean - truth + way * SHIFT * deviation, error) for way in (-1, 1)]))
            for error in errors
        ]
        needed = float((deviation**2 / (spread**2).mean() - 1 / 100) * 9)
        warned = float(np.mean([much(x, 100) for x in told[:, 1]]))
        yield Null(c, names, metric, *shares, *shifted, needed, *np.nanmean(told, axis=0).tolist(), warned)


def nulls_of(folder: Path, c: Condition, fewest: int) -> list[Null]:
    """All nulls of a condition whose predictions were kept of so many data sets."""
    loaded = [np.load(path) for path in c.parts(folder)]
    if sum(len(part["y"]) for part in loaded if "values" in part.files) < fewest:
        return []
    names = learners_of(c.task, "quick") if c.kind == "draws" else [c.learner] * 2
    pairs = list(itertools.combinations(range(len(names)), 2))
    told: dict[tuple[int, int], list[tuple[float, float]]] = defaultdict(list)
    for part in loaded:
        for values, fold, y in zip(part["values"], part["fold"].astype(np.intp), part["y"], strict=True):
            losses, folds = losses_of(values, y, c.task), fold + 10 * np.arange(10)[:, None]
            for i, j in pairs:
                told[i, j].append(instability(losses[j] - losses[i], folds))
    scores = np.concatenate([part["scores, 10x10"] for part in loaded])
    return [
        null
        for i, j in pairs
        for null in of_pair(c, (names[i], names[j]), scores[:, :, i] - scores[:, :, j], np.array(told[i, j]))
    ]


def summary(nulls: list[Null], procedure: str) -> tuple[str, str, str]:
    sizes = np.array([getattr(null, procedure) for null in nulls])
    found = np.mean([getattr(null, f"found_{procedure}") for null in nulls])
    return span(sizes), f"{100 * np.mean((sizes >= 0.03) & (sizes <= 0.07)):.0f}%", f"{100 * found:.0f}%"


MAIN = ("accuracy", "f1", "f1_macro", "r2", "neg_mean_absolute_error")


def report(nulls: list[Null]) -> None:
    """Markdown: the main metrics by task and models, then all that was left out together."""
    groups: dict[tuple[str, ...], list[Null]] = defaultdict(list)
    for null in nulls:
        if null.metric in MAIN:
            groups[(*null.group[:3], null.metric, "with a stump" if null.stump else "")].append(null)
    tests = ("corrected: size, %", "within", "found", "stability: size, %", "within", "found", "warned")
    print(head(("constants", "task", "models", "metric", "", "nulls", *tests), 5))
    for key, own in sorted(groups.items()):
        warned = f"{100 * np.mean([null.warned for null in own]):.0f}%"
        print(line(*key, len(own), *summary(own, "corrected"), *summary(own, "stability"), warned))
    print()
    stable = {
        " and ".join(metrics): [n for n in nulls if n.metric in metrics and not n.stump]
        for metrics in (MAIN[:3], MAIN[3:])
    }
    for metrics, every in stable.items():
        if own := [n for n in every if not n.chosen_on]:
            cells = (*summary(own, "corrected"), *summary(own, "stability"))
            print(line("all left out, without stumps", "", "", metrics, "", len(own), *cells, ""))
    print("\nAll without stumps, by what is known of the families:\n")
    kinds = {"of the families": "stability", "of an unknown family": "unknown"}
    rows = ((m, len(own), kind, *summary(own, p)) for m, own in stable.items() if own for kind, p in kinds.items())
    print(table(("metrics", "nulls", "constants", "size, %", "within", "found"), 3, rows))
    worst = sorted((n for n in nulls if not n.stump and n.metric in MAIN), key=lambda n: -n.stability)[:5]
    print(
        "\nHighest:",
        "; ".join(f"{n.stability:.0%} {' and '.join(n.learners)} ({', '.join(n.group[1:])})" for n in worst),
    )


def fit(nulls: list[Null]) -> None:
    """What the training sets add, by family, on the data that the constants were chosen on."""
    added = defaultdict(list)
    for null in nulls:
        families = [LEARNERS[name].family(null.condition.n) for name in null.learners]
        if null.chosen_on and not null.stump and null.metric in ("accuracy", "f1"):
            found = null.needed - (1 - 1 / SHAPE[0]) * (1 - 1 / SHAPE[1]) * (1 - null.luck)
            for family in families:
                added[family, null.condition.kind].append((found, null.excess, found / max(null.luck / 0.1, 1)))
    for (family, kind), values in sorted(added.items()):
        found = np.array(values)
        quarter = np.quantile(found[:, 0], (0.25, 0.5, 0.75))
        print(
            f"{family:12s} {kind:6s} {len(found):4d} nulls: added {quarter.round(2)}, excess {found[:, 1].mean():.3f}"
        )


def ship(nulls: list[Null]) -> None:
    """Lowest and highest size by metric into the shipped table."""
    rows = []
    for metric in ("accuracy", "precision", "recall", "f1"):
        own = [n.stability for n in nulls if n.metric == metric and n.condition.task == "binary"]
        rows += [("10x10", metric, f"{min(own):.3f}", f"{max(own):.3f}")] if own else []
    write_sizes("stability_t_test", rows)


def main() -> None:
    folder = Path("calibration-scores")
    given = options(__doc__, folder=folder, samples=[60, 200], fewest=200, jobs=2, fit=False, ship=False)
    wanted = [c for c in conditions() if c.n in given.samples and c.kind in ("blocks", "draws")]
    made = Parallel(n_jobs=given.jobs)(delayed(nulls_of)(given.folder, c, given.fewest) for c in wanted)
    nulls = [null for found in made for null in found]
    report(nulls)
    if given.fit:
        fit(nulls)
    if given.ship:
        ship(nulls)


if __name__ == "__main__":
    main()
