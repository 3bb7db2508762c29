"""How often tests of the expected cost reject a true null, and how often FEW_COSTLY warned.

Run from a checkout: ``python -m benchmarks.expected_costs --n-on-folds 0`` for one test set (a few minutes of one
core), ``python -m benchmarks.expected_costs --n-datasets 0 --store FOLDER`` for folds (a quarter of an hour; what the
folder has is not made again). They print the two tables of `docs/benchmarks.md`.

On one test set predictions are drawn, and the nulls are true by construction. "alike": three classes, and both models
make every error equally often, one independently of the other. "cheap against dear": a rare class whose errors cost
much; one model makes cheap errors on the other class, the other model half of the dear errors, and both cost the same
on average. On folds one learner is fitted to two blocks of five features that are drawn alike, one block per model, and
a missed sample of the rare class costs ten times a false alarm; "cheap against dear" is there too, as two rules that
learn nothing.
"""

from __future__ import annotations

import argparse
import json
import warnings
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.naive_bayes import GaussianNB

from benchmarks.size import BLOCK, OnColumns
from skcompare import PairedEvaluator, cost_scorer, from_predictions

Array = np.ndarray
ALIKE = {(0, 1): 1, (0, 2): 2, (1, 0): 1, (1, 2): 2, (2, 0): 4, (2, 1): 4}
# Of one rare class: samples, its share, and what missing one costs where a false alarm costs 1.
RARE = ((1000, 0.3, 2.0), (1000, 0.05, 5.0), (3000, 0.01, 20.0), (1000, 0.01, 20.0), (1000, 0.003, 50.0))
MISSED = 0.5  # of the rare class, by the model that makes the dear errors
SLOW = ("paired_bootstrap", "paired_metric_test")
N_RESAMPLES = 499


def alike(rng: np.random.Generator) -> tuple[Array, dict[str, Array], dict[tuple[int, int], float]]:
    y = rng.integers(0, 3, 300)
    models = {name: np.where(rng.random(300) < 0.85, y, rng.integers(0, 3, 300)) for name in "ab"}
    return y, models, ALIKE


def cheap_against_dear(
    rng: np.random.Generator, n: int, share: float, dear: float
) -> tuple[Array, dict[str, Array], dict[tuple[int, int], float]]:
    y = (rng.random(n) < share).astype(int)
    alarms = share * MISSED * dear / (1 - share)
    cheap = np.where((y == 0) & (rng.random(n) < alarms), 1, y)
    missed = np.where((y == 1) & (rng.random(n) < MISSED), 0, y)
    return y, {"a": cheap, "b": missed}, {(0, 1): 1.0, (1, 0): dear}


def nulls() -> Iterator[tuple[str, object]]:
    yield "alike, n=300", alike
    for n, share, dear in RARE:
        said = f"cheap against dear, n={n}, {share:.1%} rare, cost {dear:g}"
        yield said, lambda rng, n=n, share=share, dear=dear: cheap_against_dear(rng, n, share, dear)


def on_one_test_set(draw, n_datasets: int, n_slow: int) -> list[str]:
    """Cells of a row: size of the default, share that is warned, rejected without a warning, sizes of the slow ones."""
    rejected, warned, slow, missed = [], [], {name: [] for name in SLOW}, 0
    for i in range(n_datasets):
        y, models, cost = draw(np.random.default_rng((7, i)))
        if len(np.unique(y)) < 2:  # without the rare class nothing can be tested at all
            missed += 1
            continue
        result = from_predictions(y, models, scoring={"neg_cost": cost_scorer(cost)})
        record = result.test()
        rejected.append(record.pvalue < 0.05)
        warned.append(any(one.code == "FEW_COSTLY" for one in record.warnings))
        if i < n_slow:
            for name in SLOW:
                slow[name].append(result.test(name, n_resamples=N_RESAMPLES, rng=i).pvalue < 0.05)
    size, few = np.array(rejected), np.array(warned)
    shares = [size.mean(), few.mean(), (size & ~few).mean(), *(np.mean(slow[name]) for name in SLOW)]
    return [str(len(size)), *(f"{share:.3f}" for share in shares)]


class AsGiven(ClassifierMixin, BaseEstimator):
    """A rule whose answers are a column of X."""

    def fit(self, _: Array, y: Array) -> AsGiven:
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: Array) -> Array:
        return X[:, 0].astype(int)


def blocks(rng: np.random.Generator, n: int, share: float) -> tuple[Array, Array, GaussianNB, int, dict]:
    """X, y, the learner, how many columns each model sees, and the costs."""
    y = rng.permutation((np.arange(n) < round(share * n)).astype(int))
    X = rng.normal(size=(n, 2 * BLOCK)) + 0.45 * (2 * y[:, None] - 1)
    return X, y, GaussianNB(), BLOCK, {(0, 1): 1, (1, 0): 10}


def rules(rng: np.random.Generator, n: int, share: float, dear: float) -> tuple[Array, Array, AsGiven, int, dict]:
    y, models, cost = cheap_against_dear(rng, n, share, dear)
    return np.column_stack([models["a"], models["b"]]), y, AsGiven(), 1, cost


def nulls_on_folds() -> Iterator[tuple[str, object]]:
    for n, share in ((400, 0.1), (400, 0.03)):
        yield f"blocks, n={n}, {share:.0%} rare, cost 10", lambda rng, n=n, share=share: blocks(rng, n, share)
    for n, share, dear in (null for null in RARE if null in ((1000, 0.05, 5.0), (1000, 0.01, 20.0))):
        said = f"cheap against dear, n={n}, {share:.1%} rare, cost {dear:g}"
        yield said, lambda rng, n=n, share=share, dear=dear: rules(rng, n, share, dear)


def one_on_folds(draw, i: int) -> list[bool]:
    """Of 10 folds and of 10x10: whether the default test rejects, and whether it is warned."""
    X, y, learner, width, cost = draw(np.random.default_rng((11, i)))
    models = {"a": OnColumns(learner, 0, width), "b": OnColumns(learner, width, 2 * width)}
    found = []
    for cv in (10, "10x10"):
        evaluator = PairedEvaluator(cv, {"neg_cost": cost_scorer(cost)}, random_state=i)
        record = evaluator.evaluate(models, X, y).test()
        found += [bool(record.pvalue < 0.05), any(one.code == "FEW_COSTLY" for one in record.warnings)]
    return found


def on_folds(name: str, draw, n_datasets: int, store: Path | None) -> list[str]:
    """Cells of a row: by design the size, the share that is warned, and rejected without a warning."""
    path = store / f"{name}.jsonl" if store else None
    found = [json.loads(line) for line in path.read_text().splitlines()] if path and path.exists() else []
    for i in range(len(found), n_datasets):
        found.append(one_on_folds(draw, i))
        if path:
            with path.open("a") as file:
                file.write(f"{json.dumps(found[-1])}\n")
    rejected, warned = np.array(found[:n_datasets]).reshape(-1, 2, 2).transpose(2, 1, 0)
    shares = [cell for r, w in zip(rejected, warned, strict=True) for cell in (r.mean(), w.mean(), (r & ~w).mean())]
    return [str(n_datasets), *(f"{share:.3f}" for share in shares)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n-datasets", type=int, default=400, help="data sets per null on one test set; 0 for none")
    parser.add_argument("--n-slow", type=int, default=100, help="of them those for the slow procedures")
    parser.add_argument("--n-on-folds", type=int, default=300, help="data sets per null on folds; 0 for none")
    parser.add_argument("--null", default="", help="only nulls whose name has this")
    parser.add_argument("--store", type=Path, help="a folder that keeps the data sets on folds")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"{date.today()}; nominal level 5%\n")
    if given.n_datasets:
        print_test_sets(given.n_datasets, given.n_slow, given.null)
    if given.n_on_folds:
        print_folds(given.n_on_folds, given.null, given.store)


def print_test_sets(n_datasets: int, n_slow: int, only: str) -> None:
    print("| null | data sets | default | FEW_COSTLY | default, not warned | " + " | ".join(SLOW) + " |")
    print("| --- " + "| ---: " * 6 + "|")
    for name, draw in (null for null in nulls() if only in null[0]):
        print(f"| {name} | {' | '.join(on_one_test_set(draw, n_datasets, n_slow))} |", flush=True)


def print_folds(n_datasets: int, only: str, store: Path | None) -> None:
    if store:
        store.mkdir(parents=True, exist_ok=True)
    columns = (
        "null",
        "data sets",
        *(f"{cv}{of}" for cv in ("10-fold", "10x10") for of in ("", ", FEW_COSTLY", ", not warned")),
    )
    print(f"\n| {' | '.join(columns)} |")
    print("| --- " + "| ---: " * 7 + "|")
    for name, draw in (null for null in nulls_on_folds() if only in null[0]):
        print(f"| {name} | {' | '.join(on_folds(name, draw, n_datasets, store))} |", flush=True)


if __name__ == "__main__":
    main()
