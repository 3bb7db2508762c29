"""How often `stability_t_test` and `corrected_t_test` reject true nulls on 10x10, and what they find.

Run from a checkout, after ``python -m benchmarks.wide_study simulate``, whose files hold what every model predicted:
``python -m benchmarks.instability --folder FOLDER``. The constants of the test were chosen on two classes (exchangeable
blocks, and draws from `make_classification`): ``--fit`` prints what each null of those calls for. All other tasks and
populations were left out whole.

"within" is the share of nulls that are rejected in 3% to 7% of cases, "found" the share of differences of 2.8 standard
deviations of the mean difference that are found, 80% for a test that knows that deviation. Pairs with a tree of one
split are listed apart: `FRAGILE` is about those.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from scipy import special

from benchmarks import head, line, options, span, write_sizes
from benchmarks.fast_learners import Array
from benchmarks.wide_data import LEARNERS, Condition, metrics_of
from benchmarks.wide_study import conditions, learners_of
from skcompare.inference.fold_scores.stability import instability, much, of_families, own_correction

SHAPE = (10, 10)
SHIFT = 2.8  # standard deviations: a test that knows them finds 80%
LEVEL = 0.05
CHOSEN_ON = ("binary", "make_classification")
METRICS = ("accuracy", "precision", "recall", "f1")
Null = dict[str, Any]


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
    """Nulls of one pair by metric, from differences (n_datasets, 100, m) and its luck and excess (n_datasets, 2).

    "corrected" and "stability" are the shares of data sets that each test rejects, "found ..." those of shifted
    differences.
    """
    families = [LEARNERS[name].family(c.n) for name in names]
    own = np.array([own_correction(*one, of_families(families), SHAPE) for one in told])
    luck, excess = np.nanmean(told, axis=0)
    chosen = c.task == CHOSEN_ON[0] and (c.kind == "blocks" or c.generator == CHOSEN_ON[1])
    of = {
        "constants": "chosen on" if chosen else "left out",
        "task": c.task,
        "models": "exchangeable blocks" if c.kind == "blocks" else f"draws from {c.generator}",
        "n": str(c.n),
        "stump": "with a stump" if "stump" in names else "",
        "learners": " and ".join(names),
        "kind": c.kind,
        "families": families,
        "luck": luck,
        "excess": excess,
        "warned": float(np.mean([much(x, 100) for x in told[:, 1]])),
    }
    for m, metric in enumerate(metrics_of(c.task)):
        mean, spread = d[:, :, m].mean(axis=1), d[:, :, m].std(axis=1, ddof=1)
        # areas are of ranks, of which the losses do not tell; models that hardly ever differ are hardly two
        if metric.startswith("roc_auc") or np.isnan(mean).any() or (spread == 0).mean() > LEVEL:
            continue
        truth = 0.0 if c.kind == "blocks" else mean.mean()
        deviation = float(((mean - truth) ** 2).mean() ** 0.5)
        found: dict[str, float] = {"needed": float((deviation**2 / (spread**2).mean() - 1 / 100) * 9)}
        for test, share in {"corrected": 1.0, "stability": own}.items():
            error = spread * (1 / 100 + share / 9) ** 0.5
            shifts = [rejected(mean - truth + way * SHIFT * deviation, error) for way in (-1, 1)]
            found |= {test: float(rejected(mean - truth, error).mean()), f"found {test}": float(np.mean(shifts))}
        yield of | {"metric": metric} | found


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


def summary(nulls: pd.DataFrame, test: str) -> tuple[str, str, str]:
    sizes, found = nulls[test].to_numpy(), nulls[f"found {test}"].mean()
    return span(sizes), f"{100 * np.mean((sizes >= 0.03) & (sizes <= 0.07)):.0f}%", f"{100 * found:.0f}%"


LABELS, NUMBERS = ("accuracy", "f1", "f1_macro"), ("r2", "neg_mean_absolute_error")
BY = ["constants", "task", "models", "metric", "stump"]


def report(nulls: pd.DataFrame) -> None:
    """Markdown: the main metrics by task and models, then all that was left out together."""
    main = nulls[nulls["metric"].isin((*LABELS, *NUMBERS))]
    tests = ("corrected: size, %", "within", "found", "stability: size, %", "within", "found", "warned")
    print(head((*BY[:4], "", "nulls", *tests), 5))
    for key, own in main.groupby(BY):
        warned = f"{100 * own['warned'].mean():.0f}%"
        print(line(*key, len(own), *summary(own, "corrected"), *summary(own, "stability"), warned))
    print()
    left_out = main[(main["stump"] == "") & (main["constants"] == "left out")]
    for metrics in (LABELS, NUMBERS):
        own = left_out[left_out["metric"].isin(metrics)]
        if len(own):
            cells = (*summary(own, "corrected"), *summary(own, "stability"))
            print(line("all left out, without stumps", "", "", " and ".join(metrics), "", len(own), *cells, ""))


def fit(nulls: pd.DataFrame) -> None:
    """What the training sets add, by family, on the data that the constants were chosen on."""
    chosen = nulls["constants"].eq("chosen on") & nulls["stump"].eq("") & nulls["metric"].isin(("accuracy", "f1"))
    own = nulls[chosen].explode("families")
    added = own["needed"] - (1 - 1 / SHAPE[0]) * (1 - 1 / SHAPE[1]) * (1 - own["luck"])
    for (family, kind), found in own.assign(added=added).groupby(["families", "kind"]):
        quarter, excess = np.quantile(found["added"], (0.25, 0.5, 0.75)).round(2), found["excess"].mean()
        print(f"{family:12s} {kind:6s} {len(found):4d} nulls: added {quarter}, excess {excess:.3f}")


def ship(nulls: pd.DataFrame) -> None:
    """Lowest and highest size by metric into the shipped table."""
    binary = nulls[nulls["task"] == "binary"].groupby("metric")["stability"]
    rows = ((metric, *binary.get_group(metric).agg(["min", "max"])) for metric in METRICS if metric in binary.groups)
    write_sizes("stability_t_test", [("10x10", metric, f"{low:.3f}", f"{high:.3f}") for metric, low, high in rows])


def main() -> None:
    folder = Path("calibration-scores")
    given = options(__doc__, folder=folder, samples=[60, 200], fewest=200, jobs=2, fit=False, ship=False)
    wanted = [c for c in conditions() if c.n in given.samples and c.kind in ("blocks", "draws")]
    made = Parallel(n_jobs=given.jobs)(delayed(nulls_of)(given.folder, c, given.fewest) for c in wanted)
    nulls = pd.DataFrame([null for found in made for null in found])
    report(nulls)
    if given.fit:
        fit(nulls)
    if given.ship:
        ship(nulls)


if __name__ == "__main__":
    main()
