"""Memory of parallel evaluations, what measuring the peak of a fit costs, and what keeping a store costs.

Run from a checkout: ``python -m benchmarks.memory PART``, where the part is ``parallel``, ``peak``, ``store``; without
one it is ``parallel``.
"""

from __future__ import annotations

import argparse
import gc
import platform
import statistics
import subprocess
import sys
import tempfile
import threading
import warnings
from contextlib import suppress
from datetime import date
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter, process_time, sleep
from typing import Any

import numpy as np
import psutil
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, make_classification
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from benchmarks import machine, run_part
from skcompare import PairedEvaluator

# ---- parallel ---------------------------------------------------------------------------------------------------


N_FEATURES = 1024
ROWS = {
    "skcompare, 2 models": ("skcompare", 2, False),
    "skcompare, 5 models": ("skcompare", 5, False),
    "skcompare, 2 models, X a memory map": ("skcompare", 2, True),
    "skcompare, 5 models, X a memory map": ("skcompare", 5, True),
    "cross_validate, 1 model": ("cross_validate", 1, False),
    "cross_validate, 1 model, X a memory map": ("cross_validate", 1, True),
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
    from sklearn.linear_model import SGDClassifier
    from sklearn.model_selection import StratifiedKFold, cross_validate

    from skcompare import PairedEvaluator

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
    return f"{peak.peak / X.nbytes:.2f} | {(peak.peak - before) / X.nbytes:.2f}"


def main_of_parallel() -> None:
    """Peak memory of an evaluation of large data, beside scikit-learn's `cross_validate`.

    Run from a checkout: ``python -m benchmarks.memory``. Every row runs in a process of its own with two joblib workers
    and 5 folds. The peak is the largest sum, over the process and its workers, of the proportional set size: shared
    pages are divided among those that map them, so that the mapped X counts once. It is given in multiples of X, in
    all, and without what the process held before X was made or mapped (the interpreter and its libraries).
    """
    parser = argparse.ArgumentParser(description=main_of_parallel.__doc__)
    parser.add_argument("--gib", type=float, default=1.0, help="size of X")
    parser.add_argument("--one", nargs=3, metavar=("WHAT", "MODELS", "PATH"), help="what a row runs in its process")
    options = parser.parse_args()
    n_bytes = int(options.gib * 2**30)
    if options.one:
        what, n_models, path = options.one
        print(measure(what, int(n_models), path or None, n_bytes))
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "X.npy"
        n = n_bytes // (8 * N_FEATURES)
        np.save(path, np.random.default_rng(0).standard_normal((n, N_FEATURES)))
        print(f"X of {options.gib:g} GiB, 5 folds, 2 workers\n")
        print("| what | peak, times X | without the libraries |\n| --- | ---: | ---: |")
        for name, (what, n_models, mapped) in ROWS.items():
            one = ["--one", what, str(n_models), str(path) if mapped else ""]
            command = [sys.executable, "-m", "benchmarks.memory", "--gib", str(options.gib), *one]
            printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            print(f"| {name} | {printed.strip()} |", flush=True)


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
    parser = argparse.ArgumentParser(
        description=main_of_peak.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--samples", type=int, nargs="+", default=list(COLUMNS))
    rounds, sizes = (given := parser.parse_args()).rounds, given.samples
    warnings.simplefilter("ignore")
    print(f"{date.today()}, Python {platform.python_version()}, {FOLDS} folds, {rounds} rounds\n")
    print("| model | samples x columns | evaluation | fit_time | peak, MB | spread, kB | resident, MB |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for n_samples in sizes:
        n_columns = COLUMNS.get(n_samples, 20)
        X, y = make_classification(n_samples, n_columns, random_state=0)
        for name, model in MODELS.items():
            print(f"| {name} | {n_samples} x {n_columns} | {_row(model, X, y, rounds)} |", flush=True)


def _row(model: Any, X: Any, y: Any, rounds: int) -> str:
    seconds: dict[bool, list[float]] = {False: [], True: []}
    fits: dict[bool, list[float]] = {False: [], True: []}
    peaks = []
    for _ in range(rounds):
        for watched in (False, True):
            scoring = ["accuracy", "fit_time", *(["peak_memory"] if watched else [])]
            evaluator = PairedEvaluator(FOLDS, scoring, random_state=0, keep_predictions=False, check_data=False)
            start = process_time()
            result = evaluator.evaluate({"a": model, "b": clone(model)}, X, y)
            seconds[watched].append(process_time() - start)
            fits[watched] += result.scores[:, :, 1].ravel().tolist()
            if watched:
                peaks.append(result.scores[:, :, 2].ravel())
    ratios = statistics.median(seconds[True]) / statistics.median(seconds[False]), min(fits[True]) / min(fits[False])
    spread = max(max(of_fold) - min(of_fold) for of_fold in zip(*peaks, strict=True))
    peak = statistics.median(peaks[0].tolist())
    told = f"{ratios[0]:.2f} | {ratios[1]:.2f} | {peak / 1e6:.2f} | {spread / 1e3:.1f}"
    with get_context("spawn").Pool(1) as pool:
        resident = pool.apply(_resident, (model, X, y))
    return f"{told} | {'' if resident is None else f'{resident / 1e6:.2f}'}"


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


METRICS = ["accuracy", "precision", "recall", "f1", "roc_auc"]
SECONDS = 0.005
ROUNDS = 5


class FiveMilliseconds(GaussianNB):  # type: ignore[misc]
    """Takes 5 ms in all to be fitted, busy or asleep."""

    def fit(self, X: Any, y: Any) -> FiveMilliseconds:
        start = perf_counter()
        super().fit(X, y)
        sleep(max(0.0, SECONDS - (perf_counter() - start)))
        return self


def seconds_of(store: Path | None) -> float:
    X, y = load_breast_cancer(return_X_y=True)
    models = {"a": FiveMilliseconds(), "b": FiveMilliseconds(var_smoothing=1e-3)}
    evaluator = PairedEvaluator(cv="10x10", scoring=METRICS, random_state=0, store=store)
    gc.collect()
    start = perf_counter()
    evaluator.evaluate(models, X, y)
    return perf_counter() - start


def import_seconds() -> float:
    """Seconds that `import skcompare` adds to the start of an interpreter."""
    code = "from time import perf_counter; start = perf_counter(); import skcompare; print(perf_counter() - start)"
    return float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)


def main_of_store() -> None:
    """What a store costs while fits run, and what it saves when they are done.

    Run from a checkout: ``python -m benchmarks.memory store``. Two models whose fits take 5 ms each, 10x10 on
    breast_cancer, five metrics, n_jobs=1; with and without a store, interleaved, and the same call again on the
    finished store. Medians.
    """
    print(f"{machine()}\n")
    without, with_store, again = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        seconds_of(None)
        for i in range(ROUNDS):
            store = Path(folder) / f"{i}.sqlite"
            without.append(seconds_of(None))
            with_store.append(seconds_of(store))
            again.append(seconds_of(store))
        size = (Path(folder) / "0.sqlite").stat().st_size
    ratio = statistics.median(b / a for a, b in zip(without, with_store, strict=True))
    print("| what | |\n| --- | ---: |")
    print(f"| 200 fits of 5 ms, without a store | {statistics.median(without):.3f} s |")
    print(f"| with a store | {statistics.median(with_store):.3f} s, {ratio:.3f} times |")
    print(f"| the same call again, all 200 from the store | {statistics.median(again):.3f} s |")
    print(f"| size of the file | {size / 1e6:.2f} MB |")
    print(f"| import skcompare | {statistics.median(import_seconds() for _ in range(11)) * 1e3:.1f} ms |")


if __name__ == "__main__":
    run_part({"parallel": main_of_parallel, "peak": main_of_peak, "store": main_of_store})
