"""Is the default test wrong on learners and data that no study had as often as the summary of their runs says?

Run from a checkout: ``python -m benchmarks.fresh --n-datasets 200``. One learner is on either of two blocks of features
that are drawn alike given y, so that both models are equally good; of two learners the true difference is the mean over
the data sets. The share of data sets whose 95% interval misses it stands beside what the summary of such a run quotes:
its mean, and its range over four fifths of the simulated nulls, or over all of few.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isnan

import numpy as np
from joblib import Parallel, delayed
from scipy.stats import binomtest
from sklearn.base import BaseEstimator
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import BayesianRidge, RidgeClassifier
from sklearn.naive_bayes import MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier, ExtraTreeRegressor

from benchmarks import head, line, on_columns, options
from benchmarks.fast_learners import Array
from skcompare import PairedEvaluator
from skcompare.comparison.error_rates import error_rates
from skcompare.inference._measured import MeasuredSize

Draw = Callable[[int, np.random.Generator], tuple[Array, Array]]


def heavy_tails(n: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Two classes, four features of Student's t with 3 degrees of freedom, of one class twice as wide."""
    y = rng.permutation(np.arange(n) % 2)
    return rng.standard_t(3, (n, 8)) * (1 + y[:, None]) + 0.6 * y[:, None], y


def counts(n: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Three classes, twenty words whose Poisson rates depend on the class."""
    y = rng.permutation(np.arange(n) % 3)
    rates = 0.6 + 0.5 * (np.arange(20) % 3 == y[:, None])
    return rng.poisson(np.hstack([rates, rates])).astype(float), y


def cubes(n: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Four classes, six uniform features that are moved by the class."""
    y = rng.permutation(np.arange(n) % 4)
    moved = 0.25 * np.array([[i, j] * 3 for i in (0, 1) for j in (0, 1)])[y]
    return rng.uniform(-1, 1, (n, 12)) + np.hstack([moved, moved]), y


def rings(n: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Two classes, a fifth positive, on two rings in the plane."""
    y = rng.permutation(np.arange(n) % 5 == 0).astype(int)
    angles = rng.uniform(0, 2 * np.pi, (n, 2))
    radius = 1 + y[:, None] + rng.normal(0, 0.5, (n, 2))
    return np.column_stack([radius * np.cos(angles), radius * np.sin(angles)])[:, [0, 2, 1, 3]], y


def waves(n: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Numbers, and five features that are waves of them with errors."""
    y = rng.uniform(-2, 2, n)
    waves = np.sin(np.outer(y, 1 + np.arange(5) / 2))
    return np.hstack([waves, waves]) + rng.normal(0, 0.8, (n, 10)), y


@dataclass(frozen=True)
class Fresh:
    """A learner, or two, on data of a kind."""

    name: str
    learner: BaseEstimator
    draw: Draw
    n: int
    cv: str | int = "10x10"
    other: BaseEstimator | None = None


TREE, TREE_2, TREE_3 = (DecisionTreeClassifier(max_depth=depth, random_state=0) for depth in (None, 2, 3))
TREES = ExtraTreesClassifier(10, max_depth=5, random_state=0)
ANY_TREE = ExtraTreeRegressor(random_state=0)
NEAR = KNeighborsClassifier(9, weights="distance")
FRESH = (
    Fresh("quadratic discriminant", QuadraticDiscriminantAnalysis(), heavy_tails, 200),
    Fresh("multinomial naive Bayes", MultinomialNB(), counts, 200),
    Fresh("ridge classifier", RidgeClassifier(), cubes, 150),
    Fresh("9-NN by distance", NEAR, rings, 100),
    Fresh("9-NN by distance", NEAR, counts, 60, 10),
    Fresh("extremely random trees", TREES, counts, 100),
    Fresh("Bayesian ridge", BayesianRidge(), waves, 200),
    Fresh("kernel ridge", KernelRidge(kernel="rbf", gamma=0.2), waves, 150),
    Fresh("extremely random tree", ExtraTreeRegressor(max_depth=4, random_state=0), waves, 100),
    Fresh("ridge classifier, multinomial naive Bayes", RidgeClassifier(), counts, 200, other=MultinomialNB()),
    Fresh("9-NN by distance, ridge classifier", NEAR, cubes, 1000, other=RidgeClassifier()),
    Fresh("9-NN by distance, extremely random trees", NEAR, rings, 1000, other=TREES),
    Fresh("full tree, ridge classifier", TREE, heavy_tails, 1000, other=RidgeClassifier()),
    Fresh("tree of depth 3, ridge classifier", TREE_3, heavy_tails, 1000, other=RidgeClassifier()),
    Fresh("tree of depth 2, 9-NN by distance", TREE_2, cubes, 200, other=NEAR),
    Fresh("tree of depth 2, multinomial naive Bayes", TREE_2, counts, 200, other=MultinomialNB()),
    Fresh("kernel ridge, Bayesian ridge", KernelRidge(kernel="rbf", gamma=0.2), waves, 200, other=BayesianRidge()),
    Fresh("extremely random tree, Bayesian ridge", ANY_TREE, waves, 1000, other=BayesianRidge()),
)


def one(case: Fresh, seed: int) -> tuple[dict[str, list[float]], dict[str, tuple[float, ...]]]:
    """The difference on each metric with the limits of its interval, and what is quoted for the run."""
    X, y = case.draw(case.n, np.random.default_rng([seed, 77]))
    half = X.shape[1] // 2
    models = {"a": case.learner, "b": case.other}
    if case.other is None:
        models = {"a": on_columns(case.learner, range(half)), "b": on_columns(case.learner, range(half, 2 * half))}
    with warnings.catch_warnings(action="ignore"):
        result = PairedEvaluator(cv=case.cv, random_state=seed).evaluate(models, X, y)
        table = result.compare()
        quoted = error_rates(result._scores, table)
    found = {row.metric: [row.estimate, row.low, row.high] for row in table}
    return found, {} if quoted is None else {metric: ends(size) for metric, size in quoted.by_metric.items()}


def ends(size: MeasuredSize) -> tuple[float, float, float]:
    """Mean, lowest and highest share that a summary quotes."""
    return (size.mean, size.low, size.high) if isnan(size.q10) else (size.mean, size.q10, size.q90)


def misses(case: Fresh, n_datasets: int, n_jobs: int) -> dict[str, int]:
    """In how many of so many data sets the interval misses the true difference, by metric."""
    runs = Parallel(n_jobs=n_jobs)(delayed(one)(case, seed) for seed in range(n_datasets))
    counts = {}
    for metric in runs[0][0]:
        estimate, low, high = np.array([found[metric] for found, _ in runs]).T
        truth = 0.0 if case.other is None else estimate.mean()
        counts[metric] = int(((truth < low) | (truth > high)).sum())
    return counts


def row(case: Fresh, metric: str, missed: int, n_datasets: int, quoted: Mapping[str, tuple[float, ...]]) -> list[str]:
    low, high = binomtest(missed, n_datasets).proportion_ci(0.95, method="exact")
    told, within = "not measured", ""
    if metric in quoted:
        mean, least, most = quoted[metric]
        told = f"{mean:.1%} ({least:.1%} to {most:.1%})"
        within = "yes" if low <= most and high >= least else "no"
    of = [case.name, case.draw.__name__.replace("_", " "), str(case.n), str(case.cv), metric]
    return [*of, f"{missed / n_datasets:.1%} ({low:.1%} to {high:.1%})", told, within]


def main() -> None:
    given = options(__doc__, n_datasets=200, jobs=2)
    n = given.n_datasets
    words = ("learner", "data", "samples", "design", "metric")
    print(head((*words, "wrong (95% interval)", "quoted mean (range)", "meets it"), 5))
    for case in FRESH:
        _, quoted = one(case, 0)
        for metric, missed in misses(case, n, given.jobs).items():
            print(line(*row(case, metric, missed, n, quoted)), flush=True)


if __name__ == "__main__":
    main()
