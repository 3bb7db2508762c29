"""How often tests of independent runs are wrong: true nulls of normal and skewed scores, of equal and other spread.

    python -m benchmarks.runs

makes skcompare/inference/measured_on_runs.csv; docs/benchmarks.md quotes it. Two models have one mean and n runs each.
"""

from __future__ import annotations

import argparse
import csv
import sys

import numpy as np

from skcompare.inference import almost_stochastic_order, permutation_test, welch_t_test

N_RUNS = (3, 5, 10, 30)
RATIOS = (1.0, 3.0)  # standard deviation of the first model over that of the second
N_PAIRS = {"welch_t_test": 20_000, "permutation_test": 4_000, "almost_stochastic_order": 2_000}


def normal(rng: np.random.Generator, n: int) -> np.ndarray:
    """Scores of mean 0 and standard deviation 1."""
    return rng.standard_normal(n)


def skewed(rng: np.random.Generator, n: int) -> np.ndarray:
    """Scores of mean 0 and standard deviation 1 with a long tail downwards, as of runs that sometimes fail."""
    return 1.0 - rng.exponential(size=n)


SCORES = {"normal": normal, "skewed": skewed}


def rejects(procedure: str, a: np.ndarray, b: np.ndarray, seed: int) -> bool:
    """Whether a test at 5% calls two models different."""
    if procedure == "welch_t_test":
        return welch_t_test(a, b).pvalue < 0.05
    if procedure == "permutation_test":
        n_resamples = None if a.size <= 10 else 999
        return permutation_test(a, b, paired=False, n_resamples=n_resamples, rng=seed).pvalue < 0.05
    return almost_stochastic_order(a, b, n_resamples=200, rng=seed).verdict != "undecided"


def size(procedure: str, scores: str, ratio: float, n: int, n_pairs: int) -> float:
    """The share of true nulls that a test rejects at 5%."""
    rng = np.random.default_rng([n, int(ratio), len(scores), len(procedure)])
    draw = SCORES[scores]
    return sum(rejects(procedure, ratio * draw(rng, n), draw(rng, n), i) for i in range(n_pairs)) / n_pairs


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--procedure", choices=[*N_PAIRS], action="append", help="all by default")
    parser.add_argument("--divide", type=int, default=1, help="take so many times fewer pairs of models")
    given = parser.parse_args()
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["procedure", "n_runs", "scores", "ratio", "size"])
    for procedure in given.procedure or N_PAIRS:
        for n in N_RUNS:
            for scores in SCORES:
                for ratio in RATIOS:
                    found = size(procedure, scores, ratio, n, N_PAIRS[procedure] // given.divide)
                    table.writerow([procedure, n, scores, f"{ratio:g}", f"{found:.3f}"])
                    sys.stdout.flush()


if __name__ == "__main__":
    main()
