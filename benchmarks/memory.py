"""Memory of parallel evaluations, what measuring the peak of a fit costs, and what keeping a store costs.

Run from a checkout: ``python -m benchmarks.memory PART``, where the part is ``parallel``, ``peak``, ``store``; without
one it is ``parallel``.
"""

from __future__ import annotations

import itertools
import tempfile
import threading
import warnings
from contextlib import suppress
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from time import perf_counter, sleep
from typing import Any

import numpy as np
import psutil
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, make_classification
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
from benchmarks.timing import BINARY, interleaved, numbers_printed, timed
from skcompare import PairedEvaluator

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
            found = numbers_printed(["-m", "benchmarks.memory", "--gib", str(given.gib), *own])
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
    """What it costs to measure the memory of fits, how far two measurements differ, and what they do not see.

    Run from a checkout: ``python -m benchmarks.memory peak``. Medians over interleaved rounds: the processor time of an
    evaluation with `peak_memory` over one without, and the least `fit_time` of the two. Resident is how far the
    resident set of a fresh process rose above what it was before one fit (Linux): memory that C code allocates for
    itself is in it, and memory that the process had already is not.
    """
    given = options(main_of_peak.__doc__, rounds=5, samples=[*COLUMNS])
    warnings.simplefilter("ignore")
    names = ("evaluation", "fit_time", "peak, MB", "spread, kB", "resident, MB")
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
            evaluator = PairedEvaluator(FOLDS, scoring, random_state=0, keep_predictions=False, check_data=False)
            run, made = partial(evaluator.evaluate, {"a": model, "b": clone(model)}, X, y), results[watched]
            seconds[watched].append(timed(lambda run=run, made=made: made.append(run()))[1])
    peaks = np.array([result.scores[:, :, 2].ravel() for result in results[True]])
    least, watched_least = (min(result.scores[:, :, 1].min() for result in results[w]) for w in (False, True))
    with get_context("spawn").Pool(1) as pool:
        resident = pool.apply(_resident, (model, X, y))
    ratios = median(seconds[True]) / median(seconds[False]), watched_least / least, np.median(peaks[0]) / 1e6
    shown = "" if resident is None else f"{resident / 1e6:.2f}"
    return (*(f"{ratio:.2f}" for ratio in ratios), f"{np.ptp(peaks, axis=0).max() / 1e3:.1f}", shown)


def _resident(model: Any, X: Any, y: Any) -> int | None:
    """Bytes that a fit on as many samples as a fold trains on adds to the resident set; None where that is not told."""
    warnings.simplefilter("ignore")
    clone(model).fit(X[:60], y[:60])  # imports
    n_train = len(y) * (FOLDS - 1) // FOLDS
    X, y = X[:n_train].copy(), y[:n_train].copy()
    with suppress(OSError):
        before = _status("VmRSS")
        Path("/proc/self/clear_refs").write_text("5")  # the peak starts anew
        clone(model).fit(X, y)
        return _status("VmHWM") - before
    return None


def _status(name: str) -> int:
    """A number of bytes in the status of this process."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:")) * 1024


# ---- store ------------------------------------------------------------------------------------------------------


SECONDS = 0.005


class FiveMilliseconds(GaussianNB):  # type: ignore[misc]
    """Takes 5 ms in all to be fitted, busy or asleep."""

    def fit(self, X: Any, y: Any) -> FiveMilliseconds:
        start = perf_counter()
        super().fit(X, y)
        sleep(max(0.0, SECONDS - (perf_counter() - start)))
        return self


def evaluate(store: Path | None) -> None:
    models = {"a": FiveMilliseconds(), "b": FiveMilliseconds(var_smoothing=1e-3)}
    evaluator = PairedEvaluator(cv="10x10", scoring=BINARY, random_state=0, store=store)
    evaluator.evaluate(models, *load_breast_cancer(return_X_y=True))


IMPORT = "from time import perf_counter; start = perf_counter(); import skcompare; print(perf_counter() - start)"


def main_of_store() -> None:
    """What a store costs while fits run, and what it saves when they are done.

    Run from a checkout: ``python -m benchmarks.memory store``. Two models whose fits take 5 ms each, 10x10 on
    breast_cancer, five metrics, n_jobs=1; with and without a store, interleaved, and the same call again on the
    finished store. Medians.
    """
    print(f"{machine()}\n\n{head(('what', ''))}")
    with tempfile.TemporaryDirectory() as folder:
        stores = (Path(folder) / f"{i}.sqlite" for i in itertools.count())
        contenders = {"without": lambda: evaluate(None), "with": lambda: evaluate(next(stores))}
        times = {name: [wall for wall, _ in found] for name, found in interleaved(contenders, 5).items()}
        first = Path(folder) / "0.sqlite"
        size, again = first.stat().st_size, [timed(lambda: evaluate(first))[0] for _ in range(5)]
    ratio = median(b / a for a, b in zip(*times.values(), strict=True))
    print(line("200 fits of 5 ms, without a store", f"{median(times['without']):.3f} s"))
    print(line("with a store", f"{median(times['with']):.3f} s, {ratio:.3f} times"))
    print(line("the same call again, all 200 from the store", f"{median(again):.3f} s"))
    print(line("size of the file", f"{size / 1e6:.2f} MB"))
    imports = median(numbers_printed(["-c", IMPORT])[0] for _ in range(11))
    print(line("import skcompare", f"{imports * 1e3:.1f} ms"))


if __name__ == "__main__":
    run_part(main_of_parallel, main_of_peak, main_of_store)
