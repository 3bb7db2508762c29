"""What a store costs while fits run, and what it saves when they are done.

Run from a checkout: ``python -m benchmarks.store``. Two models whose fits take 5 ms each, 10x10 on breast_cancer, five
metrics, n_jobs=1; with and without a store, interleaved, and the same call again on the finished store. Medians.
"""

from __future__ import annotations

import gc
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

from sklearn.datasets import load_breast_cancer
from sklearn.naive_bayes import GaussianNB

from skcompare import PairedEvaluator

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


def main() -> None:
    print(f"{date.today()}, {os.cpu_count()} cores, Python {platform.python_version()}\n")
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
    main()
