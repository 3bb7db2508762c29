"""Time of scoring alone beside scikit-learn's scorers, and of drawing and keeping splits.

Run from a checkout: ``python -m benchmarks.scoring``. Both score the same ready-made predictions of two models on
the same folds, five metrics, in one process, interleaved; the figures are medians over the rounds. scikit-learn's
side is its multi-metric scorer on an estimator whose ``predict`` and ``predict_proba`` give back an array, so that
it computes each of them once per fold as in `cross_validate`. Ours is everything that happens to a prediction after
it was made: finding the test samples, encoding labels, checks, metrics, the table.

``--metrics`` prints the processor time of each metric alone instead, ``--quick`` test sets of 50 and small splits only.
"""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import sklearn.metrics as skm
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.model_selection import RepeatedKFold

from benchmarks import head, line, machine, options
from benchmarks.timing import BINARY, MULTICLASS, timed
from skcompare.evaluation.chunks import FoldOutcome
from skcompare.evaluation.input import Task
from skcompare.evaluation.metrics.scoring import Metric, Scoring, batched, resolve_scoring
from skcompare.evaluation.splits import Splits, draw_splits, make_splitter, splits_from_pairs

_MADE = {
    "fbeta_score(beta=2)": skm.make_scorer(skm.fbeta_score, beta=2),
    "cohen_kappa_score": skm.make_scorer(skm.cohen_kappa_score),
    "cohen_kappa_score(quadratic)": skm.make_scorer(skm.cohen_kappa_score, weights="quadratic"),
    "recall_score(pos_label=0)": skm.make_scorer(skm.recall_score, pos_label=0),
    "mean_pinball_loss(alpha=0.9)": skm.make_scorer(skm.mean_pinball_loss, alpha=0.9),
    "d2_tweedie_score(power=1)": skm.make_scorer(skm.d2_tweedie_score, power=1),
    "hamming_loss": skm.make_scorer(skm.hamming_loss),
}
_NAMED = {
    "binary": "balanced_accuracy matthews_corrcoef jaccard f1_micro precision_weighted neg_log_loss neg_brier_score "
    "average_precision d2_log_loss_score fbeta_score(beta=2) cohen_kappa_score recall_score(pos_label=0)",
    "multiclass": "balanced_accuracy matthews_corrcoef jaccard_macro f1_weighted neg_log_loss roc_auc_ovo "
    "roc_auc_ovr_weighted top_k_accuracy cohen_kappa_score(quadratic)",
    "multilabel": "accuracy f1_micro f1_samples jaccard_samples hamming_loss",
    "regression": "explained_variance neg_median_absolute_error neg_max_error neg_mean_absolute_percentage_error "
    "neg_mean_squared_log_error neg_mean_poisson_deviance neg_mean_gamma_deviance d2_absolute_error_score "
    "mean_pinball_loss(alpha=0.9) d2_tweedie_score(power=1)",
}
METRICS: dict[Task, dict[str, Any]] = {
    task: {name: _MADE.get(name) or skm.get_scorer(name) for name in names.split()}
    for task, names in _NAMED.items()  # type: ignore[misc]
}
MODELS = ("a", "b")
REFERENCE_FOLDS = 10  # that scikit-learn scores; its time per fold does not depend on their number


class Given(ClassifierMixin, BaseEstimator):
    """An estimator that gives back ready-made predictions."""

    def __init__(self, n_classes: int) -> None:
        self.n_classes = n_classes
        self.classes_ = np.arange(n_classes)

    def fit(self, X: Any, y: Any) -> Given:  # noqa: ARG002
        return self

    def set_predictions(self, labels: NDArray[Any], probabilities: NDArray[Any] | None = None) -> None:
        self._labels, self._probabilities = labels, probabilities

    def predict(self, X: Any) -> NDArray[Any]:  # noqa: ARG002
        return self._labels

    def predict_proba(self, X: Any) -> Any:  # noqa: ARG002
        return self._probabilities


class GivenNumbers(RegressorMixin, Given):
    """The same of numbers."""


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
                model.set_predictions(labels, probabilities)
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


def one_by_one(rounds: int, n_test: int = 57, n_folds: int = 30) -> Iterator[str]:
    """Rows of the table of single metrics: processor time per fold of scikit-learn's scorer, and per fold here."""
    rng = np.random.default_rng(0)
    for task, scorers in METRICS.items():
        n_classes = {"binary": 2, "multiclass": 3}.get(task, 0)
        tests = [np.arange(i * n_test, (i + 1) * n_test) for i in range(n_folds)]
        splits = splits_from_pairs([(tests[i - 1], test) for i, test in enumerate(tests)], n_folds * n_test)
        y, given = _drawn(task, n_folds * n_test, n_classes, rng)
        kind = GivenNumbers if task == "regression" else Given
        model = kind(n_classes or y.shape[-1])
        metrics = batched([Metric(name=n, kind="scorer", source=s) for n, s in scorers.items()], task, np.unique(y))
        outcomes = [[_outcome_of(given, test)] for test in tests]
        rows = [(metric.name, [scorers[metric.name]], [metric]) for metric in metrics]
        for name, called, columns in [*rows, (f"all {len(rows)} together", list(scorers.values()), metrics)]:
            reference = partial(_called, called, model, y, given, tests[:REFERENCE_FOLDS])
            ours = partial(_scored, columns, y, splits, task, outcomes)
            pairs = [(timed(reference)[1] / REFERENCE_FOLDS, timed(ours)[1] / n_folds) for _ in range(rounds)]
            theirs, own = 1e6 * np.median(pairs, axis=0)
            yield line(name, task, f"{theirs:,.0f}", f"{own:,.1f}", f"{theirs / own:,.0f}")


def _called(scorers: list[Any], model: Given, y: NDArray[Any], given: list[NDArray[Any]], tests: list[Any]) -> None:
    for test in tests:
        model.set_predictions(*(values[test] for values in given))
        for scorer in scorers:
            scorer(model, test, y[test])


def _scored(metrics: list[Any], y: NDArray[Any], splits: Splits, task: Task, outcomes: list[Any]) -> None:
    scoring = Scoring(metrics, y, splits, task=task, names=["a"])
    scoring.add(range(len(outcomes)), outcomes)


def _drawn(task: str, n: int, n_classes: int, rng: np.random.Generator) -> tuple[NDArray[Any], list[NDArray[Any]]]:
    """A target, and what is predicted of it: labels and probabilities, labels alone, or numbers."""
    if task == "regression":
        y = rng.gamma(2.0, size=n)
        return y, [y * rng.gamma(8.0, 1 / 8, size=n)]
    if task == "multilabel":
        y = rng.integers(0, 2, (n, 5))
        return y, [np.where(rng.random(y.shape) < 0.8, y, 1 - y)]
    y = rng.integers(0, n_classes, n)
    probabilities = _probabilities(y, n_classes, rng, ties=False)
    return y, [probabilities.argmax(axis=1), probabilities]


def _outcome_of(given: list[NDArray[Any]], test: NDArray[np.intp]) -> FoldOutcome:
    if len(given) == 2:
        return _outcome(given[1][test])
    return FoldOutcome(responses={"predict": given[0][test]})


def cases(thorough: bool) -> Iterator[tuple[int, int, int, bool]]:
    """Classes, test samples, folds, ties."""
    sizes = ((50, 100), (200, 100), (1_000, 100), (100_000, 20)) if thorough else ((50, 100),)
    for n_classes in (2, 3, 10):
        for n_test, n_folds in sizes:
            for ties in (False, True):
                yield n_classes, n_test, n_folds, ties


def draw(n_samples: int) -> str:
    """A row of the table of splits: 10x10 drawn as a list of pairs, and as it is kept here."""
    y = np.random.default_rng(0).integers(0, 2, n_samples)
    splitter = make_splitter("10x10", y, stratified=True, random_state=0)
    sizes: list[int] = []

    def listed() -> None:
        sizes.append(sum(train.nbytes + test.nbytes for train, test in list(splitter.split(y, y))))

    def drawn() -> None:
        sizes.append(len(pickle.dumps(draw_splits(splitter, y, y, n_samples=n_samples, params={}), protocol=5)))

    times = timed(listed)[0], timed(drawn)[0]
    cells = (f"{seconds:.2f} s, {n / 1e6:,.0f} MB" for seconds, n in zip(times, sizes, strict=True))
    return line(f"{n_samples:,}", *cells)


def main() -> None:
    given = options(__doc__, quick=False, metrics=False, rounds=5)
    warnings.simplefilter("ignore")
    print(f"{machine()}; microseconds per fold and model (medians)\n")
    sides = ("scikit-learn", "skcompare", "times faster")
    if given.metrics:
        print(head(("metric", "target", *sides), 2))
        for row in one_by_one(given.rounds):
            print(row, flush=True)
        return
    print(head(("classes", "test samples", "folds", "scores", *sides), 0))
    for n_classes, n_test, n_folds, ties in cases(not given.quick):
        case = Case.draw(n_classes, n_test, n_folds, ties=ties)
        theirs, own, ratio = compare(case, BINARY if n_classes == 2 else MULTICLASS, given.rounds)
        words = (n_classes, f"{n_test:,}", n_folds, "with ties" if ties else "distinct")
        print(line(*words, f"{theirs:,.0f}", f"{own:,.1f}", f"{ratio:,.0f}"), flush=True)
    print(f"\n{head(('samples', '10x10 as a list of pairs', 'as kept and sent here'), 0)}")
    for n_samples in (10_000,) if given.quick else (100_000, 1_000_000):
        print(draw(n_samples), flush=True)


if __name__ == "__main__":
    main()
