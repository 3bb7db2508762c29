"""Do learners and data that no study had reject true nulls as often as the summary of their runs says?

Run from a checkout: ``python -m benchmarks.fresh --n-datasets 200``. Both models are one learner on either of two
blocks of features that are drawn alike given y, so that they are equally good. The share of data sets in which the
default test at 5% calls them different stands beside what the summary of such a run quotes: its mean, and its range
over four fifths of the simulated nulls, or over all of few.
"""

from __future__ import annotations

import argparse
import json
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isnan
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from scipy.stats import binomtest
from sklearn.base import BaseEstimator, clone
from sklearn.compose import ColumnTransformer
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import BayesianRidge, RidgeClassifier
from sklearn.naive_bayes import MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.tree import ExtraTreeRegressor

from benchmarks.fast_learners import Array
from skcompare import PairedEvaluator
from skcompare.inference._measured_sizes import MeasuredSize
from skcompare.reporting.summary.error_rates import error_rates

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
    """A learner on data of a kind."""

    name: str
    learner: BaseEstimator
    draw: Draw
    n: int
    cv: str | int = "10x10"


FRESH = (
    Fresh("quadratic discriminant", QuadraticDiscriminantAnalysis(), heavy_tails, 200),
    Fresh("multinomial naive Bayes", MultinomialNB(), counts, 200),
    Fresh("ridge classifier", RidgeClassifier(), cubes, 150),
    Fresh("9-NN by distance", KNeighborsClassifier(9, weights="distance"), rings, 100),
    Fresh("9-NN by distance", KNeighborsClassifier(9, weights="distance"), counts, 60, 10),
    Fresh("extremely random trees", ExtraTreesClassifier(10, max_depth=5, random_state=0), counts, 100),
    Fresh("Bayesian ridge", BayesianRidge(), waves, 200),
    Fresh("kernel ridge", KernelRidge(kernel="rbf", gamma=0.2), waves, 150),
    Fresh("extremely random tree", ExtraTreeRegressor(max_depth=4, random_state=0), waves, 100),
)


def on_block(learner: BaseEstimator, columns: list[int]) -> Any:
    return make_pipeline(ColumnTransformer([("block", "passthrough", columns)]), clone(learner))


def one(case: Fresh, seed: int) -> tuple[dict[str, bool], dict[str, tuple[float, ...]]]:
    """Whether the default test calls the models different on each metric, and what is quoted for the run."""
    X, y = case.draw(case.n, np.random.default_rng([seed, 77]))
    half = X.shape[1] // 2
    models = {"a": on_block(case.learner, [*range(half)]), "b": on_block(case.learner, [*range(half, 2 * half)])}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = PairedEvaluator(cv=case.cv, random_state=seed).evaluate(models, X, y)
        table = result.compare()
        quoted = error_rates(result, table)
    found = {row.metric: bool(row.pvalue < 0.05) for row in table}
    told = {} if quoted is None else {metric: ends(size) for metric, size in quoted.by_metric.items()}
    return found, told


def ends(size: MeasuredSize) -> tuple[float, float, float]:
    """Mean, lowest and highest share that a summary quotes."""
    return (size.mean, size.low, size.high) if isnan(size.q10) else (size.mean, size.q10, size.q90)


def rejections(case: Fresh, n_datasets: int, n_jobs: int) -> dict[str, int]:
    """Of so many data sets, by metric."""
    runs = Parallel(n_jobs=n_jobs)(delayed(one)(case, seed) for seed in range(n_datasets))
    return {metric: sum(found[metric] for found, _ in runs) for metric in runs[0][0]}


def row(case: Fresh, metric: str, rejected: int, n_datasets: int, quoted: Mapping[str, tuple[float, ...]]) -> list[str]:
    low, high = binomtest(rejected, n_datasets).proportion_ci(0.95, method="exact")
    told, within = "not measured", ""
    if metric in quoted:
        mean, least, most = quoted[metric]
        told = f"{mean:.1%} ({least:.1%} to {most:.1%})"
        within = "yes" if low <= most and high >= least else "no"
    of = [case.name, case.draw.__name__.replace("_", " "), str(case.n), str(case.cv), metric]
    return [*of, f"{rejected / n_datasets:.1%} ({low:.1%} to {high:.1%})", told, within]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n-datasets", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=Path, default=Path("fresh"), help="folder of what was counted")
    options = parser.parse_args()
    n = options.n_datasets
    options.keep.mkdir(parents=True, exist_ok=True)
    print("| learner | data | samples | design | metric | rejected (95% interval) | quoted mean (range) | meets it |")
    print("| --- | --- | ---: | --- | --- | ---: | ---: | --- |")
    for i, case in enumerate(FRESH):
        path = options.keep / f"{i}-{n}.json"
        if not path.exists():
            path.write_text(json.dumps(rejections(case, n, options.jobs)), encoding="utf-8")
        _, quoted = one(case, 0)
        for metric, rejected in json.loads(path.read_text(encoding="utf-8")).items():
            print("| " + " | ".join(row(case, metric, rejected, n, quoted)) + " |", flush=True)


if __name__ == "__main__":
    main()
