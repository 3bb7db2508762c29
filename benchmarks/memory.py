"""Peak memory of an evaluation of large data, beside scikit-learn's `cross_validate`.

Run from a checkout: ``python -m benchmarks.memory``. Every row runs in a process of its own with two joblib workers and
5 folds. The peak is the largest sum, over the process and its workers, of the proportional set size: shared pages
are divided among those that map them, so that the mapped X counts once. It is given in multiples of X, in all, and
without what the process held before X was made or mapped (the interpreter and its libraries).
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

import numpy as np
import psutil

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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
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


if __name__ == "__main__":
    main()
