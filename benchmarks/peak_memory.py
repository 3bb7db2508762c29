"""What it costs to measure the memory of fits, how far two measurements differ, and what they do not see.

Run from a checkout: ``python -m benchmarks.peak_memory``. Medians over interleaved rounds: the processor time of an
evaluation with `peak_memory` over one without, and the least `fit_time` of the two. Resident is how far the resident
set of a fresh process rose above what it was before one fit (Linux): memory that C code allocates for itself is in it,
and memory that the process had already is not.
"""

from __future__ import annotations

import argparse
import platform
import statistics
import warnings
from contextlib import suppress
from datetime import date
from multiprocessing import get_context
from pathlib import Path
from time import process_time
from typing import Any

from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from skcompare import PairedEvaluator

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


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
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


if __name__ == "__main__":
    main()
