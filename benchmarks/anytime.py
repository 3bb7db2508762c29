"""How often `confidence_sequence` is wrong when it is looked at after every item, and what that costs in items.

Run from a checkout: ``python -m benchmarks.anytime --runs 1000`` (equal models), ``--power`` (models that differ),
``--folds`` (what happens where scores of folds are taken for items). Each row keeps its finished runs in a file of
``--store``, if given, from which a run that was ended goes on.

Equal models: the differences have mean 0 whatever came before. Each run is looked at after every one of 10,000 items,
and counts as wrong if the p-value was ever below 5%: whoever stops at the best moment is wrong as often. Beside it the
paired t test, looked at after every item from the 20th on.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping
from datetime import date
from functools import partial
from math import ceil
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import special

from benchmarks.racing import fitted_scores
from skcompare.inference import confidence_sequence

Values = NDArray[np.float64]
Pair = tuple[Values, Values]
Draw = Callable[[np.random.Generator, int], Pair]
ITEMS, LOOKS = 10_000, (100, 1_000, 10_000)
FIRST_LOOK = 20
ALPHA = 0.05


def answers(rng: np.random.Generator, n: int, *, only_a: float, only_b: float) -> Pair:
    """Right and wrong, with the probability that one model alone is right; both are on half of the others."""
    u = rng.random(n)
    both = u > 1 - (1 - only_a - only_b) / 2
    return (both | (u < only_a)) * 1.0, (both | ((u >= only_a) & (u < only_a + only_b))) * 1.0


def beta(rng: np.random.Generator, n: int, *, p: float, q: float) -> Pair:
    """Losses of two models by themselves, of one beta distribution: skewed, or at the ends."""
    return rng.beta(p, q, n), rng.beta(p, q, n)


def rare(rng: np.random.Generator, n: int, *, share: float) -> Pair:
    """`a` is far better on few items and a little worse on all others."""
    return np.where(rng.random(n) < share, 1.0, 0.0), np.full(n, share)


def bursts(rng: np.random.Generator, n: int) -> Pair:
    """The spread of a difference depends on the one before: calm stretches and wild ones."""
    signs = rng.choice([-1.0, 1.0], n)
    calm = (np.arange(n) // 50 + (np.cumsum(signs) > 0)) % 2 == 0
    size = np.r_[1.0, np.where(calm[:-1], 0.02, 1.0)]
    return (1 + signs * size) / 2, np.full(n, 0.5)


def discordant(share: float) -> Draw:
    return partial(answers, only_a=share / 2, only_b=share / 2)


EQUAL: Mapping[str, Draw] = {
    "right or wrong, 1% discordant": discordant(0.01),
    "right or wrong, 5% discordant": discordant(0.05),
    "right or wrong, 20% discordant": discordant(0.2),
    "right or wrong, 50% discordant": discordant(0.5),
    "right or wrong, all discordant": discordant(1.0),
    "losses, Beta(2, 5)": partial(beta, p=2.0, q=5.0),
    "losses, Beta(0.2, 2), skewed": partial(beta, p=0.2, q=2.0),
    "losses, Beta(0.1, 0.1), at the ends": partial(beta, p=0.1, q=0.1),
    "differences skewed: 1 of 20 far better": partial(rare, share=0.05),
    "differences skewed: 1 of 200 far better": partial(rare, share=0.005),
    "spread depends on the past": bursts,
}
# The shares of items on which a alone and b alone is right.
DIFFERENT = ((0.06, 0.04), (0.08, 0.02), (0.175, 0.125), (0.2, 0.1), (0.3, 0.2), (0.35, 0.15))


def kept(store: Path | None, name: str, runs: int, one: Callable[[int], Values], block: int = 50) -> Values:
    """One row of numbers per run; runs that a file holds are read from it."""
    file = None if store is None else store / f"{name.replace(' ', '_').replace('/', '_')}.npy"
    rows = [] if file is None or not file.exists() else list(np.load(file)[:runs])
    while len(rows) < runs:
        rows += [one(seed) for seed in range(len(rows), min(runs, len(rows) + block))]
        if file is not None:
            np.save(file, np.array(rows))
    return np.array(rows)


def looked_at(seed: int, draw: Draw) -> Values:
    """After how many items the two tests first said that equal models differ, infinity where never."""
    a, b = draw(np.random.default_rng(seed), ITEMS)
    decided = confidence_sequence(a, b).decided_at
    return np.array([np.inf if decided is None else decided, _first_t(a - b)])


def _first_t(d: Values) -> float:
    """The item after which the paired t test first has a p-value below 5%."""
    n = np.arange(1, d.size + 1)
    mean, square = np.cumsum(d) / n, np.cumsum(d**2) / n
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.abs(mean) / np.sqrt((square - mean**2) / (n - 1))
    below = t[FIRST_LOOK - 1 :] > special.stdtrit(n[FIRST_LOOK - 1 :] - 1, 1 - ALPHA / 2)
    return float(np.argmax(below) + FIRST_LOOK) if below.any() else np.inf


def equal_models(runs: int, store: Path | None) -> None:
    error = (ALPHA * (1 - ALPHA) / runs) ** 0.5
    print(f"Equal models; {runs:,} runs a row, standard error at 5%: {error:.1%}\n")
    looks = " | ".join(f"by item {n:,}" for n in LOOKS)
    print(f"| equal models | {looks} | paired t test, {looks.split('| ')[-1]} |\n| --- |{' ---: |' * 4}")
    for name, draw in EQUAL.items():
        found = kept(store, name, runs, partial(looked_at, draw=draw))
        shares = [f"{np.mean(found[:, 0] <= n):.1%}" for n in LOOKS]
        print(f"| {name} | {' | '.join(shares)} | {np.mean(found[:, 1] <= ITEMS):.1%} |", flush=True)


def needed_once(only_a: float, only_b: float, power: float = 0.9) -> int:
    """Items of McNemar's test made once, by the normal approximation (Connor 1987)."""
    share, gap = only_a + only_b, only_a - only_b
    z, y = special.ndtri(1 - ALPHA / 2), special.ndtri(power)
    return ceil((z * share**0.5 + y * (share - gap**2) ** 0.5) ** 2 / gap**2)


def different_models(runs: int, store: Path | None) -> None:
    print(f"\nModels that differ; {runs:,} runs a row, at most three times the items of the test made once.\n")
    print("| only a right | only b right | McNemar once, 90% power | confidence sequence: decided by then ", end="")
    print(f"| by twice as many | by three times | median items | wrong side |\n|{' ---: |' * 8}")
    for only_a, only_b in DIFFERENT:
        once = needed_once(only_a, only_b)

        def one(seed: int, a: float = only_a, b: float = only_b, n: int = 3 * once) -> Values:
            record = confidence_sequence(*answers(np.random.default_rng(seed), n, only_a=a, only_b=b))
            decided = record.decided_at
            if decided is None:
                return np.array([np.inf, 0.0])
            return np.array([decided, float(record.differences[:decided].mean() < 0)])

        found = kept(store, f"power {only_a} {only_b}", runs, one)
        by = " | ".join(f"{np.mean(found[:, 0] <= k * once):.1%}" for k in (1, 2, 3))
        wrong = f"{np.mean(found[:, 1]):.1%}"
        cells = f"{only_a:.1%} | {only_b:.1%} | {once:,} | {by} | {np.median(found[:, 0]):,.0f} | {wrong}"
        print(f"| {cells} |", flush=True)


def folds_as_items(runs: int, store: Path | None) -> None:
    """Two equal naive Bayes models, more and more repeats of 10 folds of one data set, folds taken for items."""
    print(f"\nFolds of one data set taken for items, equal naive Bayes models, 200 samples; {runs:,} data sets.\n")
    repeats = (1, 10, 100, 300)
    print(f"| {' | '.join(f'{r}x10' for r in repeats)} |\n|{' ---: |' * len(repeats)}")

    def one(seed: int) -> Values:
        parts = fitted_scores(np.random.default_rng(seed), (0.8, 0.8), 200, repeats=repeats[-1])
        decided = confidence_sequence(*parts).decided_at
        return np.array([np.inf if decided is None else decided])

    found = kept(store, "folds", runs, one, block=10)
    print(f"| {' | '.join(f'{np.mean(found[:, 0] <= 10 * r):.1%}' for r in repeats)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--power", action="store_true")
    parser.add_argument("--folds", action="store_true")
    parser.add_argument("--store", type=Path)
    options = parser.parse_args()
    if options.store is not None:
        options.store.mkdir(parents=True, exist_ok=True)
    print(date.today())
    start = time.process_time()
    part = different_models if options.power else folds_as_items if options.folds else equal_models
    part(options.runs, options.store)
    print(f"\n{time.process_time() - start:.0f} s of processor time")


if __name__ == "__main__":
    main()
