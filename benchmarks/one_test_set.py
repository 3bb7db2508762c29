"""How often tests of scores on one test set reject a true null, and intervals of one model's score hold the truth.

Run from a checkout: ``python -m benchmarks.one_test_set --n-simulations 1000``. Two models score samples of two
classes, half of each, equally well on average: the log odds of a sample are 1 or -1 by its class, plus noise that is
shared by half. The scores of the second one are the exponential of three times its log odds, another scale by far.
"""

from __future__ import annotations

import argparse
import warnings
from datetime import date
from typing import Any

import numpy as np
from sklearn.metrics import average_precision_score, f1_score, roc_auc_score

from skcompare import from_predictions
from skcompare.inference import (
    calibration_error_test,
    delong_test,
    metric_interval,
    paired_metric_test,
    proportion_interval,
)

SAMPLES = (50, 200, 2000)
N_RESAMPLES = 199  # of tests; intervals take five times as many
COLUMNS = (
    "average_precision, exchanges",
    "delong_test",
    "calibration_error_test",
    "by(), accuracy",
    "coverage, accuracy (Wilson)",
    "coverage, roc_auc (DeLong)",
    "coverage, f1 (bootstrap)",
    "coverage, average_precision (bootstrap)",
)


def draw(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Labels and the log odds of both models."""
    y = rng.permutation(n) % 2
    shared = rng.normal(size=n)
    a, b = (2 * y - 1 + (shared + rng.normal(size=n)) for _ in range(2))
    return y, a, b


def truth(n: int = 1_000_000) -> dict[str, float]:
    """The scores of a model on very many samples."""
    y, a, _ = draw(np.random.default_rng(0), n)
    return {
        "accuracy": float(np.mean((a > 0) == y)),
        "roc_auc": float(roc_auc_score(y, a)),
        "f1": float(f1_score(y, a > 0)),
        "average_precision": float(average_precision_score(y, a)),
    }


def one(seed: list[int], n: int, true: dict[str, float]) -> list[bool]:
    """What each column says of one simulated test set: rejected, or held."""
    rng = np.random.default_rng(seed)
    y, a, b = draw(rng, n)
    options: dict[str, Any] = {"n_resamples": N_RESAMPLES, "rng": rng}
    probabilities = [1 / (1 + np.exp(-2 * x)) for x in (a, b)]
    result = from_predictions(y, {"a": (a > 0).astype(int), "b": (b > 0).astype(int)}, scoring=["accuracy"])
    by_group = result.by(rng.integers(2, size=n))
    pvalues = [
        paired_metric_test(y, a, np.exp(3 * b), "average_precision", **options).pvalue,
        delong_test(y, a, b).pvalue,
        calibration_error_test(y, *probabilities, **options).pvalue,
        next(row.interaction_pvalue for row in by_group),
    ]
    options["n_resamples"] = 5 * N_RESAMPLES
    intervals = {
        "accuracy": proportion_interval(int(((a > 0) == y).sum()), n),
        "roc_auc": delong_test(y, a, a).auc_intervals(0.95)[0],
        "f1": metric_interval(y, (a > 0).astype(int), "f1", **options).confidence_interval(),
        "average_precision": metric_interval(y, a, "average_precision", **options).confidence_interval(),
    }
    held = [bool(interval.low <= true[metric] <= interval.high) for metric, interval in intervals.items()]
    return [bool(p < 0.05 + 1e-12) for p in pvalues] + held


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n-simulations", type=int, default=1000)
    parser.add_argument("--samples", type=int, nargs="+", default=SAMPLES)
    options = parser.parse_args()
    n = options.n_simulations
    warnings.simplefilter("ignore")
    error = (0.05 * 0.95 / n) ** 0.5
    print(f"{date.today()}; {n} simulations per row; standard error at 5% and 95%: {error:.1%}\n")
    print(f"| samples | {' | '.join(COLUMNS)} |")
    print(f"|{' ---: |' * (1 + len(COLUMNS))}")
    true = truth()
    for n_samples in options.samples:
        found = [one([seed, n_samples], n_samples, true) for seed in range(n)]
        print(f"| {n_samples:,} | {' | '.join(f'{share:.1%}' for share in np.mean(found, axis=0))} |", flush=True)


if __name__ == "__main__":
    main()
