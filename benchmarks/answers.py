"""What answers claim: families of comparisons under known truth, and the runs of a data analyst.

Run from a checkout: ``python -m benchmarks.answers [--draws N] [--cache FOLDER] [--part simulated|runs]``.

``simulated``: scores under the model of the default test, two metrics, 3, 5 or 10 models, all of them equal or in
groups that differ; the share of families whose intervals all hold the true differences at once, and the share with a
false claim. ``runs``: 48 runs on nine data sets, of which the significant pairs on accuracy are counted: with one
budget over all metrics, with that of the first metric, and with accuracy as the only metric. The folder keeps the fits.
"""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine, make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from benchmarks import line, options
from skcompare import PairedEvaluator, from_frame

FOLDS, PART = 10, 0.4  # of the correction that the default test on one run takes
METRICS = ("first", "other")
MODELS = (3, 5, 10)
NOISE = 0.02


def scores(rng: np.random.Generator, truth: NDArray[np.float64]) -> Any:
    """A result whose scores vary as the default test on one run of folds takes for granted."""
    k = len(truth)
    shared = PART / (FOLDS - 1)  # variance that all folds have in common, over that of each
    error = rng.normal(size=(k, FOLDS, len(METRICS))) + np.sqrt(shared) * rng.normal(size=(k, 1, len(METRICS)))
    values = 0.8 + truth[:, None, None] + NOISE * error
    model, fold, metric = (place.ravel() for place in np.indices(values.shape))
    names = {"model": np.char.add("m", model.astype(str)), "metric": np.array(METRICS)[metric]}
    return from_frame({**names, "fold": fold, "score": values.ravel()}, greater_is_better=True)


def holds(row: Any, true: float) -> bool:
    """Whether the interval of a row holds the true difference; one that is cut does not hold 0."""
    return bool(row.low <= true <= row.high and not (row.open_at_null and true == row.null))


def false(row: Any, true: float) -> bool:
    """Whether a row claims a difference that is not there, or has the other sign."""
    return row.winner is not None and (true == 0 or (true > 0) != (row.winner == row.a))


def simulated(draws: int, seed: int = 0) -> Iterator[str]:
    """One line per number of models and truth: families that hold at once, and with a false claim."""
    yield line("comparisons", "models differ by", "intervals all hold", "also cut ones", "false claims")
    yield "| ---: | --- | ---: | ---: | ---: |"
    for k, step in product(MODELS, (0.0, 1.0, 2.0)):
        rng = np.random.default_rng([seed, k, int(10 * step)])
        truth, found = NOISE * step * (np.arange(k) // 2), []
        for _ in range(draws):
            table = scores(rng, truth).compare()
            for metric in METRICS:
                rows = [(row, truth[int(row.a[1:])] - truth[int(row.b[1:])]) for row in table if row.metric == metric]
                cut, wrong = any(row.open_at_null for row, _ in rows), any(false(*one) for one in rows)
                found.append((all(holds(*one) for one in rows), cut, wrong))
        whole, cut, wrong = np.array(found).T
        of_cut = f"{100 * whole[cut].mean():.1f}% of {cut.sum()}" if cut.any() else "none"
        differ = f"{step:g} standard deviations of a fold" if step else "nothing"
        yield line(k * (k - 1) // 2, differ, f"{100 * whole.mean():.1f}%", of_cut, f"{100 * wrong.mean():.1f}%")


def datasets() -> dict[str, tuple[Any, Any]]:
    """Nine small data sets, four of them bundled."""
    bundled = (load_breast_cancer, load_wine, load_iris)
    found = {loader.__name__.removeprefix("load_"): loader(return_X_y=True) for loader in bundled}
    found["digits"] = tuple(part[:600] for part in load_digits(return_X_y=True))
    made = ((200, 3, 0.1), (400, 5, 0.05), (600, 8, 0.1), (300, 2, 0.2), (500, 10, 0.02))
    for i, (n, informative, flip) in enumerate(made):
        shape = {"n_informative": informative, "n_redundant": 2, "flip_y": flip, "random_state": i}
        found[f"made {i}"] = make_classification(n, 15, **shape)
    return found


def runs(cache: Path) -> Iterator[str]:
    """The significant pairs on accuracy of 48 runs, asked in three ways."""
    four = {
        "lr": make_pipeline(StandardScaler(), LogisticRegression()),
        "nb": GaussianNB(),
        "tree": DecisionTreeClassifier(random_state=0),
        "knn": make_pipeline(StandardScaler(), KNeighborsClassifier()),
    }
    three = {name: four[name] for name in ("lr", "nb", "tree")}
    data = datasets()
    asked = [(name, cv, models) for name in data for cv in (10, "3x10") for models in (three, four)]
    asked += [(name, 5, three) for name in data]
    asked += [(name, "10x10", three) for name in ("breast_cancer", "wine", "iris")]
    counts, n_pairs, differ = np.zeros(3, dtype=int), 0, 0
    for name, cv, models in asked:
        kept = {"random_state": 0, "store": cache / "fits.sqlite"}
        result = PairedEvaluator(cv, **kept).evaluate(models, *data[name])
        alone = PairedEvaluator(cv, scoring="accuracy", **kept).evaluate(models, *data[name])
        tables = (result.compare(family="all", metrics="accuracy"), result.compare(metrics="accuracy"), alone.compare())
        found = [[row.winner for row in table] for table in tables]
        counts += [sum(winner is not None for winner in winners) for winners in found]
        n_pairs, differ = n_pairs + len(found[0]), differ + (found[1] != found[2])
    one, own, only = counts
    yield f"{len(asked)} runs, {n_pairs} pairs on accuracy; significant with one budget over all metrics: {one},"
    yield f"with the first metric's own: {own}, with accuracy alone: {only}; {differ} runs differ in the last two."


def main() -> None:
    """Print the tables."""
    cache, part = Path(tempfile.gettempdir()), {"choices": ["simulated", "runs"]}
    given = options(__doc__, draws=1000, cache=cache, part=part)
    warnings.simplefilter("ignore")
    if given.part != "runs":
        print(*simulated(given.draws), sep="\n", flush=True)
    if given.part != "simulated":
        print(*runs(given.cache), sep="\n")


if __name__ == "__main__":
    main()
