"""Memory of parallel evaluations, and what measuring the peak of a fit costs.

Run from a checkout: ``python -m benchmarks.memory PART``, where the part is ``parallel``, ``peak``; without one it is
``parallel``.
"""

from __future__ import annotations

import tempfile
import threading
import warnings
from contextlib import suppress
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import psutil
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.model_selection import StratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from benchmarks import head, line, machine, options, run_part
from benchmarks.timing import numbers_printed, timed
from skcompare import PairedEvaluator, RunOptions

# ---- parallel ---------------------------------------------------------------------------------------------------


N_FEATURES = 1024
ROWS = {
    f"{what}, {n} model{'s' * (n > 1)}{', X a memory map' * mapped}": (what, n, mapped)
    for what, counts in (("skcompare", (2, 5)), ("cross_validate", (1,)))
    for mapped in (False, True)
    for n in counts
}


class Peak(threading.Thread):
    """Samples the memory of this process and its children."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.peak = 0
        self.done = threading.Event()

    def run(self) -> None:
        while not self.done.wait(0.01):
            self.peak = max(self.peak, held())


def held() -> int:
    """Bytes of this process and its children."""
    process = psutil.Process()
    total = 0
    for one in [process, *process.children(recursive=True)]:
        with suppress(psutil.Error):
            total += one.memory_full_info().pss
    return total


def measure(what: str, n_models: int, path: str | None, n_bytes: int) -> str:
    before = held()
    n = n_bytes // (8 * N_FEATURES)
    y = np.arange(n) % 2
    X = np.random.default_rng(0).standard_normal((n, N_FEATURES)) if path is None else np.load(path, mmap_mode="r")
    peak = Peak()
    peak.start()
    models = {f"m{i}": SGDClassifier(max_iter=1, tol=None, alpha=10.0**-i) for i in range(n_models)}
    if what == "skcompare":
        PairedEvaluator(cv=5, scoring="accuracy", n_jobs=2, random_state=0).evaluate(models, X, y)
    else:
        cv = StratifiedKFold(5, shuffle=True, random_state=0)
        cross_validate(models["m0"], X, y, cv=cv, scoring="accuracy", n_jobs=2)
    peak.done.set()
    peak.join()
    return f"{peak.peak / X.nbytes} {(peak.peak - before) / X.nbytes}"


def main_of_parallel() -> None:
    """Peak memory of an evaluation of large data, beside scikit-learn's `cross_validate`.

    Run from a checkout: ``python -m benchmarks.memory``. Every row runs in a process of its own with two joblib workers
    and 5 folds. The peak is the largest sum, over the process and its workers, of the proportional set size: shared
    pages are divided among those that map them, so that the mapped X counts once. It is given in multiples of X, in
    all, and without what the process held before X was made or mapped (the interpreter and its libraries).
    """
    one = {"nargs": 3, "metavar": ("WHAT", "MODELS", "PATH"), "help": "what a row runs in its process"}
    given = options(main_of_parallel.__doc__, gib=1.0, one=one)
    n_bytes = int(given.gib * 2**30)
    if given.one:
        what, n_models, path = given.one
        print(measure(what, int(n_models), path or None, n_bytes))
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "X.npy"
        np.save(path, np.random.default_rng(0).standard_normal((n_bytes // (8 * N_FEATURES), N_FEATURES)))
        names = ("what", "peak, times X", "without the libraries")
        print(f"X of {given.gib:g} GiB, 5 folds, 2 workers\n\n{head(names)}")
        for name, (what, n_models, mapped) in ROWS.items():
            own = ["--one", what, str(n_models), str(path) if mapped else ""]
            found = numbers_printed("-m", "benchmarks.memory", "--gib", str(given.gib), *own)
            print(line(name, *(f"{times:.2f}" for times in found)), flush=True)


# ---- peak -------------------------------------------------------------------------------------------------------


MODELS: dict[str, Any] = {
    "GaussianNB": GaussianNB(),
    "scaler + LR": make_pipeline(StandardScaler(), LogisticRegression()),
    "kNN": KNeighborsClassifier(),
    "SVC": SVC(),
    "tree": DecisionTreeClassifier(random_state=0),
    "forest of 20": RandomForestClassifier(20, random_state=0),
    "boosting, 20 iterations": HistGradientBoostingClassifier(max_iter=20, random_state=0),
    "MLP, 20 epochs": MLPClassifier(max_iter=20, random_state=0),
}
COLUMNS = {500: 20, 5000: 50}  # by the number of samples
FOLDS = 3


def main_of_peak() -> None:
    """What it costs to measure the memory of fits, and how far two measurements differ.

    Run from a checkout: ``python -m benchmarks.memory peak``. Medians over interleaved rounds: the processor time of an
    evaluation with `peak_memory` over one without, and the least `fit_time` of the two.
    """
    given = options(main_of_peak.__doc__, rounds=5, samples=[*COLUMNS])
    warnings.simplefilter("ignore")
    names = ("evaluation", "fit_time", "peak, MB", "spread, kB")
    print(f"{machine()}, {FOLDS} folds, {given.rounds} rounds\n\n{head(('model', 'samples x columns', *names))}")
    for n_samples in given.samples:
        n_columns = COLUMNS.get(n_samples, 20)
        X, y = make_classification(n_samples, n_columns, random_state=0)
        for name, model in MODELS.items():
            print(line(name, f"{n_samples} x {n_columns}", *_row(model, X, y, given.rounds)), flush=True)


def _row(model: Any, X: Any, y: Any, rounds: int) -> tuple[str, ...]:
    results: dict[bool, list[Any]] = {False: [], True: []}
    seconds: dict[bool, list[float]] = {False: [], True: []}
    for _ in range(rounds):
        for watched in (False, True):
            scoring = ["accuracy", "fit_time", *(["peak_memory"] if watched else [])]
            evaluator = PairedEvaluator(
                FOLDS, scoring, random_state=0, options=RunOptions(keep_predictions=False, check_data=False)
            )
            run, made = partial(evaluator.evaluate, {"a": model, "b": clone(model)}, X, y), results[watched]
            seconds[watched].append(timed(lambda run=run, made=made: made.append(run()))[1])
    peaks = np.array([result.scores[:, :, 2].ravel() for result in results[True]])
    least, watched_least = (min(result.scores[:, :, 1].min() for result in results[w]) for w in (False, True))
    ratios = median(seconds[True]) / median(seconds[False]), watched_least / least, np.median(peaks[0]) / 1e6
    return (*(f"{ratio:.2f}" for ratio in ratios), f"{np.ptp(peaks, axis=0).max() / 1e3:.1f}")


if __name__ == "__main__":
    run_part(main_of_parallel, main_of_peak)
