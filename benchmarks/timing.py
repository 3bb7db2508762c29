"""How long calls take, side by side: contenders in turns in one process, or one call in a process of its own."""

from __future__ import annotations

import gc
import os
import resource
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import median
from time import perf_counter, process_time
from typing import Any

from joblib.externals.loky import get_reusable_executor
from sklearn.base import clone, is_classifier

from benchmarks import head, line, machine, options

Contenders = Mapping[str, Callable[[], Any]]
BINARY = ["accuracy", "precision", "recall", "f1", "roc_auc"]
MULTICLASS = ["accuracy", "precision_macro", "recall_macro", "f1_macro", "roc_auc_ovr"]


def timed(run: Callable[..., Any], *args: Any, **how: Any) -> tuple[float, float]:
    """Seconds of one call, by the clock and of processor time."""
    wall, cpu = perf_counter(), process_time()
    run(*args, **how)
    return perf_counter() - wall, process_time() - cpu


def end_workers() -> None:
    """End joblib's worker processes, so that the next call has to start them."""
    get_reusable_executor().shutdown(wait=True, kill_workers=True)


def interleaved(contenders: Contenders, rounds: int) -> dict[str, list[tuple[float, float]]]:
    """`timed` of every contender in every round, after one unmeasured round; their order turns round."""
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in contenders}
    for round_ in range(rounds + 1):
        for name in list(contenders)[:: 1 if round_ % 2 else -1]:
            gc.collect()
            found = timed(contenders[name])
            if round_:
                times[name].append(found)
    return times


def medians(contenders: Contenders, rounds: int) -> dict[str, tuple[float, float]]:
    """Median of the seconds, and of the ratio to the first of the same round."""
    times = {name: [wall for wall, _ in found] for name, found in interleaved(contenders, rounds).items()}
    base = next(iter(times.values()))
    return {
        name: (median(values), median([value / b for value, b in zip(values, base, strict=True)]))
        for name, values in times.items()
    }


Row = tuple[Sequence[object], Mapping[str, tuple[float, float]]]


def print_medians(names: Sequence[str], rows: Iterable[Row], *, ms: bool = False) -> None:
    """A table that has the words of each row, and of each of its contenders the median and the ratio to the first."""
    for number, (words, found) in enumerate(rows):
        if number == 0:
            print(head((*names, *found), len(names)))
        cells = (f"{1000 * s:.1f} ms, {ratio:.2f}" if ms else f"{s:.2f} s, {ratio:.2f}" for s, ratio in found.values())
        print(line(*words, *cells), flush=True)


def printed(*command: str) -> str:
    """What a new Python process prints, with one BLAS thread; modules are compiled once, as they are for users."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    run = [sys.executable, *command]
    return subprocess.run(run, check=True, capture_output=True, text=True, env={**env, "OMP_NUM_THREADS": "1"}).stdout


def numbers_printed(*command: str) -> list[float]:
    """The numbers that a new process prints."""
    return list(map(float, printed(*command).split()))


def floor(estimators: Mapping[str, Any], X: Any, y: Any, splits: Iterable[Any]) -> None:
    """Fits and predictions; of classifiers without probabilities their decision function."""
    rows = X.iloc if hasattr(X, "iloc") else X
    for train, test in splits:
        for estimator in estimators.values():
            fitted = clone(estimator).fit(rows[train], y[train])
            X_test = rows[test]
            fitted.predict(X_test)
            if is_classifier(fitted):
                getattr(fitted, "predict_proba" if hasattr(fitted, "predict_proba") else "decision_function")(X_test)


# ---- limits -----------------------------------------------------------------------------------------------------


def row(*cells: object) -> None:
    print(line(*cells), flush=True)


def once(what: str, aim: str, run: Callable[..., Any], *args: Any, **how: Any) -> None:
    """The row of one call."""
    wall, cpu = timed(run, *args, **how)
    row(what, f"{wall:.2f} ({cpu:.2f})", aim)


def peak_of(run: Callable[..., Any], *args: Any) -> float:
    """MB that one call allocates at most, beside what is there before."""
    gc.collect()
    tracemalloc.start()
    run(*args)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak / 1e6


def peak_rss() -> float:
    """MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def limits(description: str | None, *parts: Callable[[], None]) -> None:
    """Print the parts that the command line names, or all."""
    by_name = {part.__name__: part for part in parts}
    given = options(description, parts={"nargs": "*", "metavar": "PART", "default": [*by_name]})
    print(f"{machine()}\n")
    for name in given.parts:
        by_name[name]()
    print(f"\nload at the end {os.getloadavg()[0]:.1f}")
