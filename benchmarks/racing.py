"""How often sequential evaluation is wrong, and what it saves: equal models, small samples, racing, two models.

Run from a checkout: ``python -m benchmarks.racing``. Scores are normal with the correlation that the corrected t test
assumes, or those of Gaussian naive Bayes fitted for real, each candidate on a block of five features of its own; blocks
of equal signal are exchangeable, so that their models are equally good. The decisions are those of the evaluator
(`skcompare.comparison.stopping.SequentialMonitor`).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import get_args

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skcompare import StopRule
from skcompare.comparison.stopping import SequentialMonitor
from skcompare.evaluation.metrics.scoring import Metric
from skcompare.inference import corrected_t_test, model_confidence_set
from skcompare.inference.fold_scores.alpha_spending import Spending
from skcompare.scores.stopping import Stopping

REPEATS, FOLDS = 10, 10
BLOCK = 5
METRIC = Metric(name="accuracy", kind="batched", source="accuracy")
ALPHA = 0.05
Scores = NDArray[np.float64]


def normal_scores(rng: np.random.Generator, n_models: int) -> Scores:
    """Scores of equal models on all splits, any two splits correlated by the test fraction."""
    shared = 1 / FOLDS
    noise = rng.normal(size=(n_models, REPEATS * FOLDS))
    return shared**0.5 * rng.normal(size=(n_models, 1)) + (1 - shared) ** 0.5 * noise


def fitted_scores(rng: np.random.Generator, accuracies: Sequence[float], n: int, *, repeats: int = REPEATS) -> Scores:
    """Accuracies of naive Bayes on all splits of one data set, a model per wanted accuracy on unlimited data."""
    y = np.arange(n) % 2
    tests = np.concatenate([_folds(rng, y) for _ in range(repeats)])
    signals = special.ndtri(accuracies) / BLOCK**0.5
    return np.array([_naive_bayes(rng.normal((2 * y[:, None] - 1) * s, size=(n, BLOCK)), y, tests) for s in signals])


def _folds(rng: np.random.Generator, y: NDArray[np.int_]) -> NDArray[np.bool_]:
    """The test sets of one stratified and shuffled cross-validation, one per row."""
    fold = np.empty(len(y), dtype=int)
    for label in (0, 1):
        members = np.flatnonzero(y == label)
        fold[rng.permutation(members)] = np.arange(len(members)) % FOLDS
    return fold == np.arange(FOLDS)[:, None]


def _naive_bayes(X: Scores, y: NDArray[np.int_], tests: NDArray[np.bool_]) -> Scores:
    """Accuracy of Gaussian naive Bayes on every test set, fitted to the rest."""
    log_odds = np.zeros(tests.shape)
    for label, sign in ((1, 1), (0, -1)):
        train = (~tests & (y == label)).astype(float)
        count = train.sum(axis=1, keepdims=True)
        mean = train @ X / count
        variance = train @ X**2 / count - mean**2
        square = (X[None] - mean[:, None]) ** 2 / variance[:, None]
        log_odds += sign * (np.log(count) - 0.5 * (square + np.log(variance[:, None])).sum(axis=2))
    right = (log_odds > 0) == y
    return np.asarray((right & tests).sum(axis=1) / tests.sum(axis=1))


def race(scores: Scores, rule: StopRule) -> Stopping:
    """What the evaluator would have decided."""
    names = [str(i) for i in range(len(scores))]
    running = SequentialMonitor(rule, names, [METRIC], (REPEATS, FOLDS))
    for repeat in range(1, REPEATS + 1):
        if not running.look(scores[:, : repeat * FOLDS]):
            break
    return running.record()


@dataclass(frozen=True)
class Tally:
    """What came of many runs; the first `n_best` models are the best, equally good."""

    wrong: float
    found: float
    share: float
    repeats: float
    wrong_full: float
    found_full: float


def tally(tables: Iterator[Scores], n_best: int, rule: StopRule) -> Tally:
    """Of the race, and of all repeats tested once: errors and finds."""
    rows = []
    for scores in tables:
        stopping = race(scores, rule)
        worse = np.isin(np.arange(len(scores)), [int(name) for name in stopping.worse])
        excluded = model_confidence_set(scores.T, test_fraction=1 / FOLDS).pvalues < ALPHA
        share = stopping.n_fits / (stopping.n_fits + stopping.n_fits_saved)
        wrong = [found[:n_best].any() for found in (worse, excluded)]
        others = [found[n_best:].mean() if len(scores) > n_best else 0.0 for found in (worse, excluded)]
        rows.append((wrong[0], others[0], share, stopping.n_repeats, wrong[1], others[1]))
    return Tally(*np.mean(rows, axis=0).tolist())


def repeated(make: Callable[[np.random.Generator], Scores], runs: int) -> Iterator[Scores]:
    return (make(np.random.default_rng(seed)) for seed in range(runs))


def equal_models(runs: int) -> None:
    """Size: any model found worse, among equal ones."""
    print("\n| equal models | scores | runs | sequential | standard error | one test of 10x10 |")
    print("| ---: | --- | ---: | ---: | ---: | ---: |")
    for k in (2, 5, 20):
        kinds: dict[str, Callable[[np.random.Generator], Scores]] = {
            "normal": lambda rng, k=k: normal_scores(rng, k),
            "naive Bayes, n=200": lambda rng, k=k: fitted_scores(rng, [0.84] * k, 200),
        }
        for kind, make in kinds.items():
            n = runs * 2 if k == 2 else runs
            t = tally(repeated(make, n), k, StopRule())
            error = (t.wrong * (1 - t.wrong) / n) ** 0.5
            cells = (f"{t.wrong:.1%}", f"{error:.1%}", f"{t.wrong_full:.1%}")
            print(f"| {k} | {kind} | {n} | {' | '.join(cells)} |", flush=True)


def small_samples(runs: int) -> None:
    """Size where accuracy moves in steps of 1/2 and 1/4, and where scores are missing."""
    print("\n| equal models | naive Bayes | runs | sequential | standard error |")
    print("| ---: | --- | ---: | ---: | ---: |")
    for n in (20, 40):
        for k in (2, 5, 20, 50):
            _print_size(k, f"n={n}", repeated(lambda rng, k=k, n=n: fitted_scores(rng, [0.84] * k, n), runs), runs)
    for k in (2, 5):
        _print_size(
            k, "n=100, one model fails on 80% of splits", repeated(lambda rng, k=k: _failing(rng, k), runs), runs
        )


def _failing(rng: np.random.Generator, n_models: int) -> Scores:
    scores = fitted_scores(rng, [0.84] * n_models, 100)
    scores[0, rng.random(scores.shape[1]) < 0.8] = np.nan
    return scores


def _print_size(k: int, what: str, tables: Iterator[Scores], runs: int) -> None:
    wrong = float(np.mean([bool(race(scores, StopRule()).worse) for scores in tables]))
    print(f"| {k} | {what} | {runs} | {wrong:.1%} | {(wrong * (1 - wrong) / runs) ** 0.5:.1%} |", flush=True)


def careless_looks(runs: int) -> None:
    """Two equal models tested at 5% after every repeat."""
    print("\n| two equal models, tested at 5% after every repeat | runs | called different | standard error |")
    print("| --- | ---: | ---: | ---: |")
    kinds: dict[str, Callable[[np.random.Generator], Scores]] = {
        "normal": lambda rng: normal_scores(rng, 2),
        "naive Bayes, n=200": lambda rng: fitted_scores(rng, [0.84] * 2, 200),
    }
    for kind, make in kinds.items():
        wrong = float(np.mean([_ever_below(a - b) for a, b in repeated(make, runs)]))
        error = (wrong * (1 - wrong) / runs) ** 0.5
        print(f"| {kind} | {runs} | {wrong:.1%} | {error:.1%} |", flush=True)


def _ever_below(differences: Scores) -> bool:
    looks = (differences[: repeat * FOLDS] for repeat in range(1, REPEATS + 1))
    zero = np.zeros(REPEATS * FOLDS)
    return any(corrected_t_test(d, zero[: len(d)], test_fraction=1 / FOLDS).pvalue < ALPHA for d in looks)


def racing(runs: int) -> None:
    """Three equally good candidates and 17 worse ones."""
    print("\n| 17 of 20 are worse by | fits | a best one dropped | with all fits | worse ones found | with all fits |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    gaps = {f"{gap:.2f}": [gap] * 17 for gap in (0.05, 0.10, 0.15, 0.20)}
    gaps["0.04 to 0.20"] = np.linspace(0.04, 0.20, 17).tolist()
    for name, worse in gaps.items():
        accuracies = [0.88] * 3 + [0.88 - gap for gap in worse]
        t = tally(repeated(lambda rng, a=accuracies: fitted_scores(rng, a, 400), runs), 3, StopRule())
        cells = (t.share, t.wrong, t.wrong_full, t.found, t.found_full)
        print(f"| {name} | {' | '.join(f'{cell:.1%}' for cell in cells)} |", flush=True)


def two_models(runs: int) -> None:
    """Repeats used, and power."""
    print("\n| difference of two models | mean repeats | found different | with all 10 |")
    print("| --- | ---: | ---: | ---: |")
    for gap in (0.0, 0.03, 0.06, 0.10):
        accuracies = [0.88, 0.88 - gap]
        t = tally(repeated(lambda rng, a=accuracies: fitted_scores(rng, a, 400), runs), 2 - (gap > 0), StopRule())
        found = (t.found, t.found_full) if gap else (t.wrong, t.wrong_full)
        print(f"| {gap:.2f} | {t.repeats:.1f} | {found[0]:.1%} | {found[1]:.1%} |", flush=True)


def spendings(runs: int) -> None:
    """Repeats used and power of two models by either way to spend the error rate."""
    print("\n| spending | difference of two models | mean repeats | found different |")
    print("| --- | ---: | ---: | ---: |")
    for spending in get_args(Spending):
        for gap in (0.06, 0.10, 0.20):
            tables = repeated(lambda rng, gap=gap: fitted_scores(rng, [0.88, 0.88 - gap], 400), runs)
            t = tally(tables, 1, StopRule(spending=spending))
            print(f"| {spending} | {gap:.2f} | {t.repeats:.2f} | {t.found:.1%} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--runs", type=int, default=1000, help="of equal models; twice as many of two, half of small samples"
    )
    parser.add_argument("--races", type=int, default=300)
    options = parser.parse_args()
    print(f"{date.today()}; {REPEATS}x{FOLDS} folds, alpha {ALPHA:.0%}, accuracy; racing {options.races} runs each")
    equal_models(options.runs)
    careless_looks(options.runs * 2)
    small_samples(options.runs // 2)
    racing(options.races)
    two_models(options.runs)
    spendings(options.races // 2)


if __name__ == "__main__":
    main()
