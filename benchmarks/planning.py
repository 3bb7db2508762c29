"""Does a plan keep its word? Power planned from one design against power observed on others, with real fits.

Per pair of models and design many data sets are drawn from one population. The plan knows the standard deviation of the
differences of the pilot design alone (single 10-fold on 200 samples), carried over as `skcompare.planning.plan` does,
and the true difference, which is the mean over all data sets of the design. Observed is how often the default test of
the design rejects.

    python -m benchmarks.planning [--n-datasets 500] [--pair 0] [--jobs 1]
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcompare import EvaluationResult, PairedEvaluator
from skcompare.planning._folds import Spread
from skcompare.planning._pilot import pilot_spread
from skcompare.planning._plan import Goal

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
DESIGNS = (
    PILOT,
    (200, 2, 10),
    (200, 10, 10),
    (200, 2, 5),
    (200, 1, 20),
    (200, 1, 40),
    (100, 1, 10),
    (400, 1, 10),
    (800, 1, 10),
)


@dataclass(frozen=True)
class Observed:
    """What many data sets of one design gave."""

    difference: float
    std: float
    error: float
    power: float
    n_datasets: int

    @property
    def power_error(self) -> float:
        """Monte Carlo standard error of `power`."""
        return float((self.power * (1 - self.power) / self.n_datasets) ** 0.5)


def draw(n_samples: int, seed: int) -> tuple[Any, Any]:
    """Two normal classes that differ by the same shift in every feature."""
    rng = np.random.default_rng(seed)
    y = np.arange(n_samples) % 2
    return rng.normal(size=(n_samples, N_FEATURES)) + SHIFT * (2 * y[:, None] - 1), y


def evaluate(pair: str, n_samples: int, n_repeats: int, n_folds: int, seed: int) -> EvaluationResult:
    """One data set of one design."""
    evaluator = PairedEvaluator(
        cv=f"{n_repeats}x{n_folds}", scoring="accuracy", random_state=seed, keep_predictions=False
    )
    return evaluator.evaluate(PAIRS[pair], *draw(n_samples, seed))


def one(pair: str, n_samples: int, n_repeats: int, n_folds: int, seed: int) -> tuple[float, float, bool]:
    """Mean and variance of the differences on one data set, and whether the test rejects."""
    result = evaluate(pair, n_samples, n_repeats, n_folds, seed)
    test = result.test()
    return test.estimate, float(result.difference("accuracy").var(ddof=1)), test.pvalue < ALPHA


def observe(pair: str, design: tuple[int, int, int], n_datasets: int, n_jobs: int = 1) -> Observed:
    """Many data sets of one design."""
    found = Parallel(n_jobs)(delayed(one)(pair, *design, seed) for seed in range(n_datasets))
    means, variances, rejected = map(np.array, zip(*found, strict=True))
    return Observed(
        difference=float(means.mean()),
        std=float(variances.mean() ** 0.5),
        error=float(means.std(ddof=1)),
        power=float(rejected.mean()),
        n_datasets=n_datasets,
    )


def carried_over(pair: str, pilot: Observed, design: tuple[int, int, int]) -> Spread:
    """The spread that a plan from the pilot expects of a design."""
    n_samples, n_repeats, n_folds = design
    result = evaluate(pair, *PILOT, seed=0)
    spread, _ = pilot_spread(result, result.test(), result.difference("accuracy"), "auto")
    spread = replace(spread, std=pilot.std)  # of one data set it is known badly
    found = spread.with_repeats(n_repeats).with_folds(n_folds)
    # the same on another number of samples: test sets of another size
    return replace(found, n_samples=n_samples, std=found.std * (PILOT[0] / n_samples) ** 0.5)


def planned_power(spread: Spread, difference: float) -> float:
    """What the plan expects."""
    return spread.power(Goal(delta=abs(difference), power=0.8, alpha=ALPHA, alternative="two-sided"))


def main() -> None:
    """Print one table per pair."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n-datasets", type=int, default=500)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--pair", type=int, choices=range(len(PAIRS)), help="one pair only")
    given = parser.parse_args()
    for pair in PAIRS if given.pair is None else [list(PAIRS)[given.pair]]:
        print(f"\n{pair}, {given.n_datasets} data sets per design")
        print("design       difference  std planned, seen   error planned, seen   power planned, seen", flush=True)
        pilot = None
        for design in DESIGNS:
            seen = observe(pair, design, given.n_datasets, given.jobs)
            pilot = seen if pilot is None else pilot
            spread = carried_over(pair, pilot, design)
            planned = planned_power(spread, seen.difference)
            print(
                f"{design[1]}x{design[2]}, {design[0]:<6} {seen.difference:10.4f}"
                f"  {spread.std:10.4f} {seen.std:8.4f}    {spread.error:10.4f} {seen.error:8.4f}"
                f"   {planned:10.3f} {seen.power:.3f} +- {seen.power_error:.3f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
