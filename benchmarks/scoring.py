"""Time of scoring alone beside scikit-learn's scorers.

Run from a checkout: ``python -m benchmarks.scoring``. Both score the same ready-made predictions of two models on
the same folds, five metrics, in one process, interleaved; the figures are medians over the rounds. scikit-learn's
side is its multi-metric scorer on an estimator whose ``predict`` and ``predict_proba`` give back an array, so that
it computes each of them once per fold as in `cross_validate`. Ours is everything that happens to a prediction after
it was made: finding the test samples, encoding labels, checks, metrics, the table.

``--quick`` has test sets of 50 only.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import sklearn.metrics as skm
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import RepeatedKFold

from benchmarks import head, line, machine, options
from benchmarks.timing import BINARY, MULTICLASS, timed
from skcompare.evaluation.chunks import FoldOutcome
from skcompare.evaluation.metrics.scoring import Scoring, resolve_scoring
from skcompare.evaluation.splits import Splits, draw_splits

MODELS = ("a", "b")
REFERENCE_FOLDS = 10  # that scikit-learn scores; its time per fold does not depend on their number


class Given(ClassifierMixin, BaseEstimator):
    """An estimator that gives back ready-made predictions."""

    labels: NDArray[Any]
    probabilities: NDArray[Any]

    def __init__(self, n_classes: int) -> None:
        self.n_classes = n_classes
        self.classes_ = np.arange(n_classes)

    def fit(self, X: Any, y: Any) -> Given:  # noqa: ARG002
        return self

    def predict(self, X: Any) -> NDArray[Any]:  # noqa: ARG002
        return self.labels

    def predict_proba(self, X: Any) -> Any:  # noqa: ARG002
        return self.probabilities


@dataclass(frozen=True)
class Case:
    """Two models' predictions on the folds of some data."""

    y: NDArray[Any]
    splits: Splits
    probabilities: list[list[NDArray[Any]]]

    @classmethod
    def draw(cls, n_classes: int, n_test: int, n_folds: int, *, ties: bool) -> Case:
        rng = np.random.default_rng(0)
        y = rng.integers(0, n_classes, n_test * 10)
        splitter = RepeatedKFold(n_splits=10, n_repeats=n_folds // 10, random_state=0)
        splits = draw_splits(splitter, y, y, n_samples=len(y), params={})
        made = [[_probabilities(y[test], n_classes, rng, ties=ties) for _ in MODELS] for _, test in splits]
        return cls(y, splits, made)

    def ours(self, names: list[str]) -> Callable[[], int]:
        task = "binary" if names is BINARY else "multiclass"
        metrics = resolve_scoring(names, task, {})
        outcomes = [[_outcome(p) for p in of_fold] for of_fold in self.probabilities]

        def run() -> int:
            scoring = Scoring(metrics, self.y, self.splits, task=task, names=MODELS)
            scoring.add(range(len(self.splits)), outcomes)
            scoring.table()
            return len(self.splits) * len(MODELS)

        return run

    def reference(self, names: list[str]) -> Callable[[], int]:
        scorer = skm.check_scoring(scoring=names)
        model = Given(len(np.unique(self.y)))
        chosen = range(0, len(self.splits), max(1, len(self.splits) // REFERENCE_FOLDS))
        folds = [(self.y[self.splits.held_out(i)], p, p.argmax(axis=1)) for i in chosen for p in self.probabilities[i]]

        def run() -> int:
            for y_test, probabilities, labels in folds:
                model.labels, model.probabilities = labels, probabilities
                scorer(model, probabilities, y_test)
            return len(folds)

        return run


def _probabilities(y: NDArray[Any], n_classes: int, rng: np.random.Generator, *, ties: bool) -> NDArray[Any]:
    """Of a model with some skill; with ties as k = 20 neighbours give them."""
    evidence = rng.normal(size=(len(y), n_classes))
    evidence[np.arange(len(y)), y] += 1.5
    shares = np.exp(evidence)
    shares /= shares.sum(axis=1, keepdims=True)
    return rng.multinomial(20, shares) / 20 if ties else shares


def _outcome(probabilities: NDArray[Any]) -> FoldOutcome:
    scores = probabilities[:, 1].copy() if probabilities.shape[1] == 2 else probabilities
    return FoldOutcome(responses={"predict": probabilities.argmax(axis=1), "predict_proba": scores})


def compare(case: Case, names: list[str], rounds: int) -> tuple[float, float, float]:
    """Microseconds per fold and model of scikit-learn and of ours, and the median ratio of a round."""
    times = []
    for _ in range(rounds + 1):
        pair = []
        for run in (case.reference(names), case.ours(names)):
            n_scored: list[int] = []
            seconds = timed(lambda run=run, n=n_scored: n.append(run()))[0]
            pair.append(seconds / n_scored[0] * 1e6)
        times.append((*pair, pair[0] / pair[1]))
    theirs, own, ratio = np.median(times[1:], axis=0)  # the first round is not measured
    return theirs, own, ratio


def main() -> None:
    given = options(__doc__, quick=False, rounds=5)
    warnings.simplefilter("ignore")
    print(f"{machine()}; microseconds per fold and model (medians)\n")
    print(head(("classes", "test samples", "folds", "scores", "scikit-learn", "skcompare", "times faster"), 0))
    sizes = ((50, 100), (200, 100), (1_000, 100), (100_000, 20))[: 1 if given.quick else None]
    for n_classes, (n_test, n_folds), ties in itertools.product((2, 3, 10), sizes, (False, True)):
        case = Case.draw(n_classes, n_test, n_folds, ties=ties)
        theirs, own, ratio = compare(case, BINARY if n_classes == 2 else MULTICLASS, given.rounds)
        words = (n_classes, f"{n_test:,}", n_folds, "with ties" if ties else "distinct")
        print(line(*words, f"{theirs:,.0f}", f"{own:,.1f}", f"{ratio:,.0f}"), flush=True)


if __name__ == "__main__":
    main()
