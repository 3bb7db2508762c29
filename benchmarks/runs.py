"""How often tests of independent runs are wrong: true nulls of normal and skewed scores, of equal and other spread.

    python -m benchmarks.runs

makes docs/data/measured_on_runs.csv; docs/benchmarks.md quotes it. Two models have one mean, and 3 to 30 runs
each, or 3 against 10 and 5 against 30 (``--unequal``: these alone). ``--failing`` prints how often the default test is
wrong where one run in ten of one model fails, ``--two`` where one model has two runs.
"""

from __future__ import annotations

import csv
import itertools
import sys

import numpy as np

from benchmarks import options
from skcompare.inference import almost_stochastic_order, permutation_test, welch_t_test

N_RUNS = ((3, 3), (5, 5), (10, 10), (30, 30), (3, 10), (5, 30))
RATIOS = (1.0, 3.0)  # standard deviation of the first model over that of the second
UNEQUAL_RATIOS = (1 / 3, 1.0, 3.0)  # the first model has fewer runs
TWO_RATIOS = (0.2, 0.5, 0.7, 1.0, 2.0, 3.0, 5.0)
N_PAIRS = {"welch_t_test": 20_000, "permutation_test": 4_000, "almost_stochastic_order": 2_000}


def normal(rng: np.random.Generator, n: int) -> np.ndarray:
    """Scores of mean 0 and standard deviation 1."""
    return rng.standard_normal(n)


def skewed(rng: np.random.Generator, n: int) -> np.ndarray:
    """Scores of mean 0 and standard deviation 1 with a long tail downwards, as of runs that sometimes fail."""
    return 1.0 - rng.exponential(size=n)


SCORES = {"normal": normal, "skewed": skewed}


def rejected_where_runs_fail(n: int, n_pairs: int = 4_000) -> float:
    """The share of true nulls that the default test rejects: one model's runs score 0.9, or 0.1 in one of ten."""
    rng = np.random.default_rng([n, 10])
    own, other = 0.01 * rng.normal(size=(2, n_pairs, n)) + 0.82
    own += np.where(rng.random(own.shape) < 0.1, -0.72, 0.08)
    return float(np.mean([welch_t_test(a, b).pvalue < 0.05 for a, b in zip(own, other, strict=True)]))


def sizes_of_two(n: int, scores: str, n_pairs: int = 20_000) -> float:
    """The largest share of true nulls that Welch's test rejects, two runs against `n`, over `TWO_RATIOS` of spreads."""
    return max(size("welch_t_test", scores, ratio, (2, n), n_pairs) for ratio in TWO_RATIOS)


def rejects(procedure: str, a: np.ndarray, b: np.ndarray, seed: int) -> bool:
    """Whether a test at 5% calls two models different."""
    if procedure == "welch_t_test":
        return welch_t_test(a, b).pvalue < 0.05
    if procedure == "permutation_test":
        n_resamples = None if max(a.size, b.size) <= 10 else 999
        return permutation_test(a, b, paired=False, n_resamples=n_resamples, rng=seed).pvalue < 0.05
    return almost_stochastic_order(a, b, n_resamples=200, rng=seed).verdict != "undecided"


def size(procedure: str, scores: str, ratio: float, n_runs: tuple[int, int], n_pairs: int) -> float:
    """The share of true nulls that a test rejects at 5%."""
    n, m = n_runs
    own = [n] if n == m else [n, m]
    rng = np.random.default_rng([*own, int(ratio), len(scores), len(procedure)])
    draw = SCORES[scores]
    return sum(rejects(procedure, ratio * draw(rng, n), draw(rng, m), i) for i in range(n_pairs)) / n_pairs


def main() -> None:
    """Print the table."""
    given = options(__doc__, unequal=False, failing=False, two=False)
    if given.failing:
        print(", ".join(f"{n} runs: {rejected_where_runs_fail(n):.1%}" for n in (3, 5, 10, 30, 60)))
        return
    if given.two:
        for n in (2, 3, 5, 10, 30, 60):
            print(f"| 2 against {n} | {sizes_of_two(n, 'normal'):.1%} | {sizes_of_two(n, 'skewed'):.1%} |", flush=True)
        return
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["procedure", "n_runs", "n_runs_b", "scores", "ratio", "size"])
    runs = N_RUNS[4:] if given.unequal else N_RUNS
    for (procedure, n_pairs), (n, m), scores in itertools.product(N_PAIRS.items(), runs, SCORES):
        for ratio in RATIOS if n == m else UNEQUAL_RATIOS:
            found = size(procedure, scores, ratio, (n, m), n_pairs)
            table.writerow([procedure, n, m, scores, f"{ratio:.3g}", f"{found:.3f}"])
            sys.stdout.flush()


if __name__ == "__main__":
    main()
