"""How often the look at the data warns where rows are equal by chance, how often it finds copies, and what it costs.

Run from a checkout: ``python -m benchmarks.leakage`` (two minutes). Without copies every warning is a false one. With
copies a fiftieth of the rows, but at least five, are copied to random places.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import numpy as np
from scipy import sparse
from sklearn.datasets import load_breast_cancer
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks import head, line, options
from benchmarks.fast_learners import Array
from benchmarks.timing import timed
from skcompare import PairedEvaluator, RunOptions
from skcompare.evaluation.cautions import leakage
from skcompare.evaluation.prepare import PreparedEvaluation, prepare_evaluation

Draw = Callable[[int, np.random.Generator], Array]


def coins(n: int, rng: np.random.Generator) -> Array:
    """Ten independent coins."""
    return rng.integers(0, 2, (n, 10))


def levels(n: int, rng: np.random.Generator) -> Array:
    """Six independent columns of five unequal levels."""
    return rng.choice(5, p=[0.5, 0.2, 0.15, 0.1, 0.05], size=(n, 6))


def indicators(n: int, rng: np.random.Generator) -> Array:
    """Five columns of six levels as 30 indicators."""
    return np.eye(6)[rng.integers(0, 6, (n, 5))].reshape(n, -1)


def types(n: int, rng: np.random.Generator) -> Array:
    """Twelve questions with four answers, which depend on which of five types of people answers."""
    usual = rng.integers(0, 4, (5, 12))[rng.integers(0, 5, n)]
    return np.where(rng.random((n, 12)) < 0.8, usual, rng.integers(0, 4, (n, 12)))


def measures(n: int, rng: np.random.Generator) -> Array:
    """Four lengths to a tenth, correlated, as of flowers."""
    size = rng.normal(size=(n, 1))
    return np.round(5 + 0.7 * size + 0.4 * rng.normal(size=(n, 4)), 1)


def twins(n: int, rng: np.random.Generator) -> Array:
    """Three columns of few values, each twice and once more in other units."""
    own = rng.integers(0, 8, (n, 3))
    return np.hstack([own, own, 2.54 * own])


def words(n: int, rng: np.random.Generator) -> Array:
    """Short texts as counts of 300 words, some of them frequent."""
    weights = 1 / np.arange(1, 301)
    return rng.multinomial(4, weights / weights.sum(), size=n)


def numbers(n: int, rng: np.random.Generator) -> Array:
    """Ten numbers."""
    return rng.normal(size=(n, 10))


def sparse_words(n: int, rng: np.random.Generator) -> Array:
    """Longer texts as a sparse matrix of 2,000 words."""
    weights = 1 / np.arange(1, 2001)
    return sparse.csr_matrix(rng.multinomial(40, weights / weights.sum(), size=n))


DATA: tuple[Draw, ...] = (coins, levels, indicators, types, measures, twins, words, numbers, sparse_words)


def prepared(X: Array, y: Array) -> PreparedEvaluation:
    models = {"a": DummyClassifier(), "b": DummyClassifier()}
    how = {"groups": None, "params": None, "cv": 10, "scoring": None, "random_state": 0, "store": None}
    return prepare_evaluation(models, X, y, **how)


def copied(X: Array, y: Array, rng: np.random.Generator) -> tuple[Array, Array]:
    """The same with copies."""
    rows = np.r_[np.arange(len(y)), rng.choice(len(y), max(5, len(y) // 50), replace=False)]
    return X[rows], y[rows]


def alarms(draw: Draw, n: int, n_datasets: int) -> tuple[float, float, float]:
    """Shares of data sets with equal rows, with a warning, and with a warning once rows were copied."""
    counts = np.zeros(3)
    for seed in range(n_datasets):
        rng = np.random.default_rng((seed, n))
        X, y = draw(n, rng), rng.permutation(np.arange(n) % 2)
        dense = X.toarray() if sparse.issparse(X) else X
        counts[0] += len(np.unique(dense, axis=0)) < n
        counts[1] += bool(leakage(prepared(X, y)))
        counts[2] += bool(leakage(prepared(*copied(X, y, rng))))
    return tuple((counts / n_datasets).tolist())  # type: ignore[return-value]


def cost(name: str, X: Array, y: Array, models: list[object], cv: object) -> str:
    """A line of the table of times: without the look, and the look alone, the best of three."""
    evaluator = PairedEvaluator(cv=cv, scoring=["accuracy"], random_state=0, options=RunOptions(check_data=False))
    own = prepared(X, y)
    fits, looks = (
        min(timed(run)[0] for _ in range(3)) for run in (lambda: evaluator.evaluate(models, X, y), lambda: leakage(own))
    )
    return line(name, f"{fits:.2f} s", f"{1000 * looks:.1f} ms", f"{looks / fits:.2%}")


def main() -> None:
    n_datasets = options(__doc__, n_datasets=200).n_datasets
    print(f"{date.today()}; {n_datasets} data sets per line\n")
    print(head(("data", "rows", "equal rows", "false warnings", "with copies")))
    for draw in DATA:
        for n in (100, 1000):
            shares = (f"{share:.1%}" for share in alarms(draw, n, n_datasets))
            print(line(str(draw.__doc__).removesuffix("."), f"{n:,}", *shares), flush=True)
    print(f"\n{head(('data, models', 'fits', 'look', 'share'))}")
    rng = np.random.default_rng(0)
    X, y = load_breast_cancer(return_X_y=True)
    scaled = make_pipeline(StandardScaler(), LogisticRegression())
    print(cost("breast_cancer, 10-fold, logistic regression and naive Bayes", X, y, [scaled, GaussianNB()], 10))
    X, y = rng.normal(size=(100_000, 50)), rng.integers(0, 2, 100_000)
    print(cost("100,000 x 50, 10-fold, two naive Bayes", X, y, [GaussianNB(), GaussianNB()], 10))
    print(cost("100,000 x 50, 2-fold, two naive Bayes", X, y, [GaussianNB(), GaussianNB()], 2))
    print(cost("the same with 10 folds and 2,000 copies", *copied(X, y, rng), [GaussianNB(), GaussianNB()], 10))


if __name__ == "__main__":
    main()
