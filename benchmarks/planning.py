"""Whether plans for more samples or data sets hold, and learning curves of equal models.

Run from a checkout: ``python -m benchmarks.planning PART``, where the part is ``plans``, ``learning_curves``; without
one it is ``plans``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from math import log
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from benchmarks import on_columns, options, run_part
from benchmarks.fast_learners import k_fold
from skcompare import EvaluationResult, PairedEvaluator, RunOptions
from skcompare._core.design import Design
from skcompare.comparison.learning_curve import compare_sizes, crossing
from skcompare.planning._folds import Goal, Spread
from skcompare.planning._pilot import pilot_spread
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.study import LearningCurveScores

# ---- plans ------------------------------------------------------------------------------------------------------


N_FEATURES, SHIFT, ALPHA = 6, 0.45, 0.05


PAIRS = {
    "naive Bayes on 6 and on 3 features": (GaussianNB(), on_columns(GaussianNB(), range(3))),
    "logistic regression and tree": (LogisticRegression(), DecisionTreeClassifier(max_depth=4)),
}
PILOT = (200, 1, 10)
# Samples, repeats and folds.
DESIGNS = (PILOT, (200, 2, 10), (200, 10, 10), (200, 2, 5), (200, 1, 20), (200, 1, 40))
DESIGNS += ((100, 1, 10), (400, 1, 10), (800, 1, 10))


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
    cv = f"{n_repeats}x{n_folds}"
    evaluator = PairedEvaluator(cv, scoring="accuracy", random_state=seed, options=RunOptions(keep_predictions=False))
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
    std, error = float(variances.mean() ** 0.5), float(means.std(ddof=1))
    return Observed(float(means.mean()), std, error, float(rejected.mean()), n_datasets)


def carried_over(pair: str, pilot: Observed, design: tuple[int, int, int]) -> Spread:
    """The spread that a plan from the pilot expects of a design."""
    n_samples, n_repeats, n_folds = design
    result = evaluate(pair, *PILOT, seed=0)
    spread, _ = pilot_spread(result, result.test(), result.difference("accuracy"), "auto")
    spread = replace(spread, std=pilot.std)  # of one data set it is known badly
    found = spread.with_repeats(n_repeats).with_folds(n_folds)
    # the same on another number of samples: test sets of another size
    own = replace(found.design, n_samples=n_samples)
    return replace(found, design=own, std=found.std * (PILOT[0] / n_samples) ** 0.5)


def planned_power(spread: Spread, difference: float) -> float:
    """What the plan expects."""
    return spread.power(Goal(delta=abs(difference), power=0.8, alpha=ALPHA, alternative="two-sided"))


def main_of_plans() -> None:
    """Does a plan keep its word? Power planned from one design against power observed on others, with real fits.

    Per pair of models and design many data sets are drawn from one population. The plan knows the standard deviation of
    the differences of the pilot design alone (single 10-fold on 200 samples), carried over as `skcompare.planning.plan`
    does, and the true difference, which is the mean over all data sets of the design. Observed is how often the default
    test of the design rejects.

        python -m benchmarks.planning [--n-datasets 500] [--pair 0] [--jobs 1]
    """
    given = options(main_of_plans.__doc__, n_datasets=500, jobs=1, pair={"type": int, "choices": range(len(PAIRS))})
    for pair in PAIRS if given.pair is None else [list(PAIRS)[given.pair]]:
        print(f"\n{pair}, {given.n_datasets} data sets per design")
        print("design       difference  std planned, seen   error planned, seen   power planned, seen", flush=True)
        pilot = None
        for design in DESIGNS:
            seen = observe(pair, design, given.n_datasets, given.jobs)
            pilot = seen if pilot is None else pilot
            spread = carried_over(pair, pilot, design)
            planned = planned_power(spread, seen.difference)
            pairs = f"{spread.std:10.4f} {seen.std:8.4f}    {spread.error:10.4f} {seen.error:8.4f}"
            power = f"{planned:10.3f} {seen.power:.3f} +- {seen.power_error:.3f}"
            print(f"{design[1]}x{design[2]}, {design[0]:<6} {seen.difference:10.4f}  {pairs}   {power}", flush=True)


# ---- learning curves --------------------------------------------------------------------------------------------


SHARES = (0.1, 0.2, 0.4, 0.7, 1.0)
FEW = (0.03, 0.06, 0.12, 0.2, 0.3)
FEATURES = {"null": ((8, 0.25), (8, 0.25)), "crossing": ((2, 0.7), (60, 0.16))}
NULLS = ((100, 1, SHARES), (300, 1, SHARES), (300, 10, SHARES))  # samples, repeats of 10 folds, shares trained on
CROSSINGS = ((300, 1, SHARES), (300, 10, SHARES), (1000, 1, FEW))
N_FOLDS = 10


def scores(rng, n_samples, n_repeats, kind, shares):
    """Accuracies of the two models on one simulated data set, shape (n_sizes, n_splits, 2)."""
    y = np.repeat([0, 1], n_samples // 2)
    signs = np.where(y == 1, 1.0, -1.0)[:, None]
    data = [rng.normal(size=(n_samples, p)) + strength * signs for p, strength in FEATURES[kind]]
    found = np.empty((len(shares), n_repeats * N_FOLDS, 2))
    for split in range(n_repeats * N_FOLDS):
        if split % N_FOLDS == 0:
            folds = np.argmax(k_fold(y, N_FOLDS, rng), axis=0)
        train, test = np.flatnonzero(folds != split % N_FOLDS), np.flatnonzero(folds == split % N_FOLDS)
        order = train[np.argsort(_spread(rng, y[train]), kind="stable")]
        for i, share in enumerate(shares):
            part = order[: int(share * len(train) + 1e-9)]
            found[i, split] = [_accuracy(X, y, part, test) for X in data]
    return found


def _spread(rng, y):
    place = np.empty(len(y))
    for label in (0, 1):
        members = np.flatnonzero(y == label)
        place[rng.permutation(members)] = (np.arange(len(members)) + rng.random()) / len(members)
    return place


def _accuracy(X, y, train, test):
    one, zero = X[train][y[train] == 1].mean(axis=0), X[train][y[train] == 0].mean(axis=0)
    weights = one - zero
    return np.mean((X[test] @ weights > (one + zero) @ weights / 2) == (y[test] == 1))


def curve(found, n_samples, n_repeats, shares):
    """The scores as those of a learning curve."""
    how = {"n_repeats": n_repeats, "n_folds": N_FOLDS, "n_splits": n_repeats * N_FOLDS}
    design = Design(n_samples=n_samples, test_fraction=1 / N_FOLDS, partition=True, **how)
    times = np.zeros((2, design.n_splits))
    shared = {"design": design, "fit_times": times, "score_times": times, "greater_is_better": (True,)}
    results = {
        size: EvaluationScores(estimators=("a", "b"), metrics=("accuracy",), scores=one.T[:, :, None].copy(), **shared)
        for size, one in zip(sizes(n_samples, shares), found, strict=True)
    }
    return LearningCurveScores(results=results)


def sizes(n_samples, shares):
    return [int(share * (n_samples - n_samples // N_FOLDS) + 1e-9) for share in shares]


def root(at, differences):
    """Where the mean difference changes its sign, on straight lines in the logarithm of the size."""
    i = next(i for i, (one, other) in enumerate(pairwise(differences)) if (one > 0) != (other > 0))
    share = differences[i] / (differences[i] - differences[i + 1])
    return float(np.exp(log(at[i]) + share * log(at[i + 1] / at[i])))


def null(n_samples, n_repeats, shares, n_datasets):
    """Shares of data sets with a rejection at each size alone, and with one at any size after adjustment."""
    rng = np.random.default_rng([n_samples, n_repeats, 1])
    alone, together = [], []
    for _ in range(n_datasets):
        rows = compare_sizes(curve(scores(rng, n_samples, n_repeats, "null", shares), n_samples, n_repeats, shares))
        alone.append([row.pvalue < 0.05 for row in rows])
        together.append(any(row.winner for row in rows))
    return np.mean(alone, axis=0), np.mean(together)


def coverage(n_samples, n_repeats, shares, n_datasets):
    """How often the interval holds the crossing of the expected curves, and how often it has two ends."""
    rng = np.random.default_rng([n_samples, n_repeats, 2])
    drawn = [scores(rng, n_samples, n_repeats, "crossing", shares) for _ in range(n_datasets)]
    fine = tuple(np.geomspace(shares[0], shares[-1], 15))
    dense = [scores(rng, n_samples, 1, "crossing", fine) for _ in range(800)]
    joined, curves = (
        root(sizes(n_samples, at), np.mean([one[:, :, 0] - one[:, :, 1] for one in some], axis=(0, 2)))
        for at, some in ((shares, drawn), (fine, dense))
    )
    records = [crossing(curve(one, n_samples, n_repeats, shares)) for one in drawn]
    seen, ended = ([one for one in records if one.n_changes], [one for one in records if one.bounded])
    return {
        "crossing of the curves joined by lines": joined,
        "of the curves": curves,
        "interval holds the first": np.mean([one.low <= joined <= one.high for one in records]),
        "interval holds the second": np.mean([one.low <= curves <= one.high for one in records]),
        "where a crossing is seen": np.mean([one.low <= joined <= one.high for one in seen]),
        "where it has two ends": np.mean([one.low <= joined <= one.high for one in ended]) if ended else np.nan,
        "crossing seen": len(seen) / n_datasets,
        "two ends": len(ended) / n_datasets,
        "quartiles of the estimate": np.percentile([one.estimate for one in seen], [25, 50, 75]).round(0).tolist(),
    }


def main_of_learning_curves() -> None:
    """Learning curves on simulated data: how often a difference at any size is found where there is none, and how often
    the interval of a crossing holds it.

    Two nearest-mean classifiers on different features of the same samples. Under the null hypothesis both have eight
    features with the same signal, so that they are equally good at every size; for the crossing one has 2 strong
    features and the other 60 weak ones, so that it needs more samples.

        python -m benchmarks.planning learning_curves 3000
    """
    n_datasets = options(
        main_of_learning_curves.__doc__, n_datasets={"nargs": "?", "type": int, "default": 100}
    ).n_datasets
    for n_samples, n_repeats, shares in NULLS:
        n = n_datasets if n_repeats == 1 else n_datasets // 5
        alone, together = null(n_samples, n_repeats, shares, n)
        told = ", ".join(f"{100 * share:.1f}%" for share in alone)
        where = f"{n_samples} samples, {n_repeats}x10, {n} data sets"
        print(f"null, {where}: {told}; any {100 * together:.1f}%", flush=True)
    for n_samples, n_repeats, shares in CROSSINGS:
        n = n_datasets if n_repeats == 1 else n_datasets // 5
        print(f"crossing, {n_samples} samples, {n_repeats}x10, {n} data sets:", flush=True)
        for name, value in coverage(n_samples, n_repeats, shares, n).items():
            print(f"  {name}: {value if isinstance(value, list) else round(float(value), 3)}", flush=True)


if __name__ == "__main__":
    run_part(main_of_plans, main_of_learning_curves)
