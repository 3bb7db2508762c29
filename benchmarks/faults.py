"""Kill an evaluation again and again, and see what the store kept.

Run from a checkout: ``python -m benchmarks.faults --kills 20``. A run with a store is started in a process of its own
and killed (SIGKILL; half of the times with its workers) at a random moment, then started again, until it has been
killed so many times and finishes. Checked: the result equals that of an undisturbed run bit for bit, nothing that the
store had was fitted again, and the store never had less than before. Fits started and not kept were in flight.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import signal
import sqlite3
import tempfile
import threading
import time
from collections import defaultdict
from contextlib import suppress
from multiprocessing.util import Finalize
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcompare import EvaluationResult, PairedEvaluator, ProgressEvent, load


class Logged(GaussianNB):  # type: ignore[misc]
    """Notes every fit in a file, then takes its time."""

    def __init__(self, log: str = "", seconds: float = 0.01, *, var_smoothing: float = 1e-9) -> None:
        super().__init__(var_smoothing=var_smoothing)
        self.log = log
        self.seconds = seconds

    def fit(self, X: Any, y: Any) -> Logged:
        with Path(self.log).open("a") as log:
            log.write(f"{os.environ['SESSION']} {self.var_smoothing} {crc32(X.tobytes())}\n")
        time.sleep(self.seconds)
        super().fit(X, y)
        return self


# Each run is a process of its own, which starts as a copy of one that has imported scikit-learn.
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["skcompare.evaluator", "skcompare.evaluation.store", "sklearn.naive_bayes"])
SMOOTHING = {"a": 1e-9, "b": 1e-3}


def evaluate(folder: Path, *, stored: bool, n_jobs: int, cv: str, seconds: float) -> EvaluationResult:
    X, y = load_breast_cancer(return_X_y=True)
    log = str(folder / "fits")
    models: dict[str, Any] = {name: Logged(log, seconds, var_smoothing=value) for name, value in SMOOTHING.items()}
    models["tree"] = DecisionTreeClassifier(max_depth=2)

    def note(event: ProgressEvent) -> None:
        if event.reused:
            with (folder / "reused").open("a") as reused:
                reused.write(f"{os.environ['SESSION']} {event.estimator} {event.repeat} {event.fold}\n")

    store = folder / "runs.sqlite" if stored else None
    evaluator = PairedEvaluator(cv=cv, random_state=0, store=store, n_jobs=n_jobs, callback=note)
    return evaluator.evaluate(models, X, y)


def _session(session: int, *, folder: Path, n_jobs: int, cv: str, seconds: float) -> None:
    """What is killed."""
    os.setsid()
    os.environ["SESSION"] = str(session)
    Finalize(None, threading._shutdown, exitpriority=100)  # as any script ends, so that joblib's workers end too
    evaluate(folder, stored=True, n_jobs=n_jobs, cv=cv, seconds=seconds).save(folder / "saved")


def n_stored(store: Path) -> int:
    if not store.exists():
        return 0
    connection = sqlite3.connect(store, timeout=30)
    try:
        return int(connection.execute("SELECT count(*) FROM fits").fetchone()[0])
    except sqlite3.OperationalError:  # killed before the tables were made
        return 0
    finally:
        connection.close()


def trial(folder: Path, *, kills: int, n_jobs: int, cv: str, seconds: float, seed: int) -> dict[str, Any]:
    """Kill and resume, then compare with an undisturbed run."""
    rng = np.random.default_rng(seed)
    n_repeats, n_folds = (int(part) for part in cv.split("x"))
    expected = 2 * n_repeats * n_folds * seconds / n_jobs
    one = {"folder": folder, "n_jobs": n_jobs, "cv": cv, "seconds": seconds}
    n_kept = []
    for session in range(kills):
        process = FORKS.Process(target=_session, args=(session,), kwargs=one)
        process.start()
        start = n_stored(folder / "runs.sqlite")
        while process.is_alive() and n_stored(folder / "runs.sqlite") <= start:
            time.sleep(0.005)  # until it works
        time.sleep(rng.uniform(0, 1.2 * expected / kills))
        if rng.random() < 0.5:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
        process.join()
        n_kept.append(n_stored(folder / "runs.sqlite"))
    process = FORKS.Process(target=_session, args=(kills,), kwargs=one)
    process.start()
    process.join()
    assert process.exitcode == 0
    result = load(folder / "saved")
    os.environ["SESSION"] = "undisturbed"
    undisturbed = evaluate(folder, stored=False, n_jobs=1, cv=cv, seconds=0.0)
    assert isinstance(result, EvaluationResult)
    return {
        "fits in the store after each kill": n_kept,
        "scores equal to an undisturbed run, bit for bit": bool(np.array_equal(result.scores, undisturbed.scores)),
        **_count_fits(folder, result, kills),
    }


def _count_fits(folder: Path, result: EvaluationResult, kills: int) -> dict[str, Any]:
    X = load_breast_cancer().data
    assert result.kept_splits is not None
    split_of = {crc32(X[train].tobytes()): i for i, (train, _) in enumerate(result.kept_splits)}
    name_of = {str(value): name for name, value in SMOOTHING.items()}
    started: dict[int, list[tuple[str, int]]] = defaultdict(list)
    for line in (folder / "fits").read_text().splitlines():
        session, smoothing, rows = line.split()
        if session != "undisturbed":
            started[int(session)].append((name_of[smoothing], split_of[int(rows)]))
    reused: dict[int, set[tuple[str, int]]] = defaultdict(set)
    for line in (folder / "reused").read_text().splitlines():
        session, name, repeat, fold = line.split()
        if name in SMOOTHING:
            reused[int(session)].add((name, int(repeat) * result.design.n_folds + int(fold)))
    sessions = range(kills)
    lost = [len(set(started[s]) - reused[s + 1]) for s in sessions]
    return {
        "fits started again although stored": sum(len(reused[s] & set(started[s])) for s in range(kills + 1)),
        "fits once stored and then missing": sum(len(reused[s] - reused[s + 1]) for s in sessions),
        "fits in flight when killed, at most": max(lost),
        "seconds of work in flight, at most": max(lost) * result.fit_times[0, 0],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--cv", default="10x10")
    parser.add_argument("--seconds", type=float, default=0.02, help="of a fit")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, nargs="+", default=[1, 2])
    options = parser.parse_args()
    how = {"kills": options.kills, "cv": options.cv, "seconds": options.seconds, "seed": options.seed}
    for n_jobs in options.jobs:
        with tempfile.TemporaryDirectory() as folder:
            found = trial(Path(folder), n_jobs=n_jobs, **how)
        print(json.dumps({"n_jobs": n_jobs, **how, **found}, indent=1))


if __name__ == "__main__":
    main()
