"""Does a plan keep its word? Power planned from one design against power observed on others, with real fits.

Per pair of models and design many data sets are drawn from one population. The plan knows the standard deviation of the
differences of the pilot design alone (single 10-fold on 200 samples), carried over by the assumptions that a plan
states, and the true difference, which is the mean over all data sets of the design. Observed is how often the corrected
t test rejects.

    python -m benchmarks.planning [--data-sets 500] [--jobs 1]
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcompare import PairedEvaluator
from skcompare.planning._evaluation import Spread

N_FEATURES, SHIFT, ALPHA = 6, 0.45, 0.05


class OnThreeFeatures(GaussianNB):  # type: ignore[misc]
    """Naive Bayes that sees the first three features only."""

    def fit(self, X: Any, y: Any) -> OnThreeFeatures:
        """On the first three columns."""
        super().fit(X[:, :3], y)
        return self

    def predict(self, X: Any) -> Any:
        """From the first three columns."""
        return super().predict(X[:, :3])


PAIRS = {
    "naive Bayes on 6 and on 3 features": (GaussianNB(), OnThreeFeatures()),
    "logistic regression and tree": (LogisticRegression(), DecisionTreeClassifier(max_depth=4)),
}
PILOT = (200, 1, 10)
DESIGNS = ((200, 1, 10), (200, 3, 10), (200, 10, 10), (200, 2, 5), (100, 1, 10), (400, 1, 10), (800, 1, 10))


@dataclass(frozen=True)
class Observed:
    """What many data sets of one design gave."""

    difference: float
    std: float
    error: float
    power: float
    n_data_sets: int

    @property
    def power_error(self) -> float:
        """Monte Carlo standard error of `power`."""
        return float((self.power * (1 - self.power) / self.n_data_sets) ** 0.5)


def draw(n_samples: int, seed: int) -> tuple[Any, Any]:
    """Two normal classes that differ by the same shift in every feature."""
    rng = np.random.default_rng(seed)
    y = np.arange(n_samples) % 2
    return rng.normal(size=(n_samples, N_FEATURES)) + SHIFT * (2 * y[:, None] - 1), y


def one(pair: str, n_samples: int, n_repeats: int, n_folds: int, seed: int) -> tuple[float, float, bool]:
    """Mean and variance of the differences on one data set, and whether the test rejects."""
    evaluator = PairedEvaluator(
        cv=f"{n_repeats}x{n_folds}", scoring="accuracy", random_state=seed, keep_predictions=False
    )
    result = evaluator.evaluate(PAIRS[pair], *draw(n_samples, seed))
    test = result.test("corrected_t_test")
    return test.estimate, float(result.difference("accuracy").var(ddof=1)), test.pvalue < ALPHA


def observe(pair: str, design: tuple[int, int, int], n_data_sets: int, n_jobs: int = 1) -> Observed:
    """Many data sets of one design."""
    found = Parallel(n_jobs)(delayed(one)(pair, *design, seed) for seed in range(n_data_sets))
    means, variances, rejected = map(np.array, zip(*found, strict=True))
    return Observed(
        difference=float(means.mean()),
        std=float(variances.mean() ** 0.5),
        error=float(means.std(ddof=1)),
        power=float(rejected.mean()),
        n_data_sets=n_data_sets,
    )


def carried_over(pilot: Observed, design: tuple[int, int, int]) -> Spread:
    """The spread that a plan expects of a design."""
    n_samples, n_repeats, n_folds = design
    spread = Spread(
        std=pilot.std, overlap=1 / (PILOT[2] - 1), n_repeats=n_repeats, n_folds=PILOT[2], n_samples=PILOT[0]
    )
    return spread.with_folds(n_folds).with_samples(n_samples)


def main() -> None:
    """Print one table per pair."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data-sets", type=int, default=500)
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    for pair in PAIRS:
        print(f"\n{pair}, {given.data_sets} data sets per design")
        print("design       difference  std planned, seen   error planned, seen   power planned, seen", flush=True)
        pilot = None
        for design in DESIGNS:
            seen = observe(pair, design, given.data_sets, given.jobs)
            pilot = seen if pilot is None else pilot
            spread = carried_over(pilot, design)
            planned = spread.power(seen.difference, ALPHA, "two-sided")
            print(
                f"{design[1]}x{design[2]}, {design[0]:<6} {seen.difference:10.4f}"
                f"  {spread.std:10.4f} {seen.std:8.4f}    {spread.error:10.4f} {seen.error:8.4f}"
                f"   {planned:10.3f} {seen.power:.3f} +- {seen.power_error:.3f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
