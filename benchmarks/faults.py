"""Runs that are killed and taken up again: a few times, and a thousand times over many processes.

Run from a checkout: ``python -m benchmarks.faults PART``, where the part is ``kills``, ``long_haul``; without one it is
``kills``.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import sqlite3
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from itertools import pairwise
from multiprocessing.process import BaseProcess
from multiprocessing.util import Finalize
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import psutil
from click.testing import CliRunner
from sklearn.datasets import load_breast_cancer
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from benchmarks import head, line, options, run_part
from benchmarks.timing import timed
from skcompare import EvaluationResult, PairedEvaluator, ProgressEvent, RunOptions, load
from skcompare.cli.main import store_commands

# ---- kills ------------------------------------------------------------------------------------------------------


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


def started(run: Callable[..., object], *args: object, **how: object) -> BaseProcess:
    """What is killed: a call in a process, and a process group, of its own."""
    process = FORKS.Process(target=_in_group, args=(run, *args), kwargs=how)
    process.start()
    return process


def _in_group(run: Callable[..., object], *args: object, **how: object) -> None:
    os.setsid()
    Finalize(None, threading._shutdown, exitpriority=100)  # as any script ends, so that joblib's workers end too
    run(*args, **how)


def kill_group(process: BaseProcess) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


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
    evaluator = PairedEvaluator(cv=cv, random_state=0, store=store, n_jobs=n_jobs, options=RunOptions(callback=note))
    return evaluator.evaluate(models, X, y)


def _session(session: int, *, folder: Path, **how: Any) -> None:
    os.environ["SESSION"] = str(session)
    evaluate(folder, stored=True, **how).save(folder / "saved")


def n_fits(store: Path) -> int:
    """Fits in a store; 0 where it is not made yet."""
    if not store.exists():
        return 0
    with closing(sqlite3.connect(store, timeout=60)) as connection, suppress(sqlite3.OperationalError):
        return int(connection.execute("SELECT count(*) FROM fits").fetchone()[0])
    return 0  # killed before the tables were made


def until_it_works(process: BaseProcess, store: Path, before: int, seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while process.is_alive() and n_fits(store) <= before and time.monotonic() < deadline:
        time.sleep(0.005)


def trial(folder: Path, *, kills: int, n_jobs: int, cv: str, seconds: float, seed: int) -> dict[str, Any]:
    """Kill and resume, then compare with an undisturbed run."""
    rng, store, n_kept = np.random.default_rng(seed), folder / "runs.sqlite", []
    expected = 2 * np.prod(list(map(int, cv.split("x")))) * seconds / n_jobs
    how: dict[str, Any] = {"n_jobs": n_jobs, "cv": cv, "seconds": seconds}
    for session in range(kills):
        before = n_fits(store)
        process = started(_session, session, folder=folder, **how)
        until_it_works(process, store, before)
        time.sleep(rng.uniform(0, 1.2 * expected / kills))
        (partial(kill_group, process) if rng.random() < 0.5 else process.kill)()
        process.join()
        n_kept.append(n_fits(store))
    process = started(_session, kills, folder=folder, **how)
    process.join()
    assert process.exitcode == 0
    result = load(folder / "saved")
    os.environ["SESSION"] = "undisturbed"
    undisturbed = evaluate(folder, stored=False, **how | {"n_jobs": 1, "seconds": 0.0})
    assert isinstance(result, EvaluationResult)
    return {
        "fits in the store after each kill": n_kept,
        "scores equal to an undisturbed run, bit for bit": bool(np.array_equal(result.scores, undisturbed.scores)),
        **_count_fits(folder, result, kills),
    }


def _count_fits(folder: Path, result: EvaluationResult, kills: int) -> dict[str, Any]:
    X = load_breast_cancer().data
    assert result._scores.kept_splits is not None
    split_of = {crc32(X[train].tobytes()): i for i, (train, _) in enumerate(result._scores.kept_splits)}
    name_of = {str(value): name for name, value in SMOOTHING.items()}
    began: dict[str, set[tuple[str, int]]] = defaultdict(set)
    for session, smoothing, rows in map(str.split, (folder / "fits").read_text().splitlines()):
        began[session].add((name_of[smoothing], split_of[int(rows)]))
    reused: dict[str, set[tuple[str, int]]] = defaultdict(set)
    for session, name, repeat, fold in map(str.split, (folder / "reused").read_text().splitlines()):
        if name in SMOOTHING:
            reused[session].add((name, int(repeat) * result.design.n_folds + int(fold)))
    sessions = list(map(str, range(kills + 1)))
    lost = max(len(began[s] - reused[after]) for s, after in pairwise(sessions))
    return {
        "fits started again although stored": sum(len(reused[s] & began[s]) for s in sessions),
        "fits once stored and then missing": sum(len(reused[s] - reused[after]) for s, after in pairwise(sessions)),
        "fits in flight when killed, at most": lost,
        "seconds of work in flight, at most": lost * result.details.fit_times[0, 0],
    }


def main_of_kills() -> None:
    """Kill an evaluation again and again, and see what the store kept.

    Run from a checkout: ``python -m benchmarks.faults --kills 20``. A run with a store is started in a process of its
    own and killed (SIGKILL; half of the times with its workers) at a random moment, then started again, until it has
    been killed so many times and finishes. Checked: the result equals that of an undisturbed run bit for bit, nothing
    that the store had was fitted again, and the store never had less than before. Fits started and not kept were in
    flight.
    """
    given = vars(options(main_of_kills.__doc__, kills=20, cv="10x10", seconds=0.02, seed=0, jobs=[1, 2]))
    for n_jobs in given.pop("jobs"):
        with tempfile.TemporaryDirectory() as folder:
            found = trial(Path(folder), n_jobs=n_jobs, **given)
        print(json.dumps({"n_jobs": n_jobs, **given, **found}, indent=1))


# ---- long haul --------------------------------------------------------------------------------------------------


PHASES = ("start-up", "run", "gc", "save")
TARGETS = ("group", "parent", "worker")


class FiveMilliseconds(GaussianNB):  # type: ignore[misc]
    """Takes that long to be fitted."""

    def fit(self, X: Any, y: Any) -> FiveMilliseconds:
        time.sleep(0.005)
        return super().fit(X, y)  # type: ignore[no-any-return]


def of_two(store: Path | None, *, cv: str = "20x10", n_jobs: int = 1, own: int = 0) -> EvaluationResult:
    """Two models, of which the second differs from one process to another."""
    X, y = load_breast_cancer(return_X_y=True)
    models = {"a": FiveMilliseconds(), "b": FiveMilliseconds(var_smoothing=1e-3 * (1 + own))}
    return PairedEvaluator(cv, "accuracy", random_state=0, store=store, n_jobs=n_jobs).evaluate(models, X, y)


def command(*words: object) -> None:
    """``skcompare store`` with so many words."""
    assert CliRunner().invoke(store_commands, list(map(str, words))).exit_code == 0


def clean_for_ever(store: Path) -> None:
    while True:
        command("gc", store, "--older-than", 1000)


def save_for_ever(store: Path) -> None:
    result = of_two(store)
    while True:
        result.save(store.parent / "saved")


def share(store: Path, seconds: float, counts: Any) -> None:
    """Evaluate beside other processes, and tell how often."""
    end, expected, n_runs = time.monotonic() + seconds, of_two(None, cv="2x10"), 0
    while time.monotonic() < end:
        found = of_two(store, cv="2x10", own=n_runs % 7)
        assert np.array_equal(found.score("a", "accuracy"), expected.score("a", "accuracy"))
        n_runs += 1
    counts.put(n_runs)


def kill(process: BaseProcess, target: str) -> str:
    """Kill a process, its group or one of its workers; gives what was killed."""
    children = psutil.Process(process.pid).children(recursive=True) if target == "worker" else []
    workers = [worker for worker in children if "loky" in " ".join(worker.cmdline())]
    if workers:
        workers[-1].kill()
        return target
    (partial(kill_group, process) if target == "group" else process.kill)()
    return "group" if target == "group" else "parent"


def kills(folder: Path, n: int, seed: int) -> dict[str, object]:
    """Kill runs, and look at the store and at a saved result after each."""
    rng, store, expected = np.random.default_rng(seed), folder / "runs.sqlite", of_two(None).scores
    runs = {"gc": clean_for_ever, "save": save_for_ever}
    done: Counter[str] = Counter()
    before, n_finished, seconds_left = 0, 0, [0.0]
    for i in range(n):
        phase, target = PHASES[i % len(PHASES)], TARGETS[i // len(PHASES) % len(TARGETS)]
        process = started(runs.get(phase, partial(of_two, n_jobs=2)), store)
        if phase == "run":
            until_it_works(process, store, before, 30)
        time.sleep(rng.uniform(*{"start-up": (0, 1.5), "run": (0, 1)}.get(phase, (1, 4))))
        killed = "over before"
        if process.is_alive():
            with suppress(psutil.NoSuchProcess):
                killed = kill(process, target)
        done[f"{phase}, {killed}"] += 1
        if target == "worker":
            process.join(20 if phase == "run" else 0.1)
            if process.is_alive():
                kill_group(process)
        process.join()
        seconds_left.append(seconds_until_gone(process.pid))
        kept = n_fits(store)
        assert kept >= before, f"{before - kept} fits are lost"
        if (folder / "saved").exists():
            assert np.array_equal(load(folder / "saved").scores, expected)
        before = kept
        if kept == expected.size or i == n - 1:
            assert np.array_equal(of_two(store).scores, expected)
            n_finished, before = n_finished + 1, 0
            store.unlink()
    return {
        **{f"kills: {what}": count for what, count in sorted(done.items())},
        "runs finished after kills, each bit for bit": n_finished,
        "seconds until all workers of a killed run were gone, at most": round(max(seconds_left), 2),
    }


def seconds_until_gone(group: int) -> float:
    """How long processes of a group go on; those that ended, and that nobody has waited for yet, do not."""
    start = time.monotonic()
    while time.monotonic() - start < 60 and any(in_group(process, group) for process in psutil.process_iter()):
        time.sleep(0.02)
    return time.monotonic() - start


def in_group(process: psutil.Process, group: int) -> bool:
    """Whether a process belongs to a group and runs."""
    with suppress(ProcessLookupError, psutil.NoSuchProcess):
        return os.getpgid(process.pid) == group and process.status() != psutil.STATUS_ZOMBIE
    return False


def shared(folder: Path, n: int, seconds: float) -> dict[str, object]:
    """Many processes, one store."""
    counts = FORKS.SimpleQueue()
    processes = [started(share, folder / "runs.sqlite", seconds, counts) for _ in range(n)]
    for process in processes:
        process.join()
    assert not any(process.exitcode for process in processes)
    runs = [counts.get() for _ in processes]
    with closing(sqlite3.connect(folder / "runs.sqlite")) as file:
        assert file.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    return {
        f"runs of {n} processes on one store in {seconds:g} s": sum(runs),
        "of the slowest process": min(runs),
        "files left beside it": len(list(folder.iterdir())) - 1,
    }


def filled(folder: Path, n: int) -> dict[str, object]:
    """A store with so many fits, made by repeating the rows of one run under other keys."""
    store = folder / "many.sqlite"
    of_two(store)
    first = n_fits(store)
    columns = "seed, fit_time, predict_time, score_time, model_size, scored, arrays, encoded, content, checksum"
    more = f"INSERT INTO fits (estimator, split, {columns}, created_at) SELECT estimator, randomblob(32), {columns}, "
    more += f"created_at FROM fits LIMIT {first}"
    with closing(sqlite3.connect(store, isolation_level=None)) as file:
        statements = ["BEGIN", *[more] * (max(0, n - first) // first), "COMMIT"]
        seconds = {"put there": timed(lambda: [file.execute(statement) for statement in statements])[0]}
    found = {"fits in one store": n_fits(store), "megabytes": round(store.stat().st_size / 1e6)}
    results: list[EvaluationResult] = []
    seconds["the run again, all fits found"] = timed(lambda: results.append(of_two(store)))[0]
    for name in ("ls", "gc"):
        seconds[f"skcompare store {name}"] = timed(command, name, store)[0]
    assert np.array_equal(results[0].scores, of_two(None).scores)
    return {**found, **{f"seconds: {name}": round(value, 2) for name, value in seconds.items()}}


def memory(folder: Path, n: int) -> dict[str, object]:
    """One process, one store, many evaluations; fits take no time."""
    X, y = load_breast_cancer(return_X_y=True)
    sizes, own, fits = [], psutil.Process(), 0
    while fits < n:
        models = {"a": GaussianNB(), "b": GaussianNB(var_smoothing=1e-9 * (2 + fits))}
        evaluator = PairedEvaluator("10x10", "accuracy", random_state=fits, store=folder / "memory.sqlite")
        evaluator.evaluate(models, X[:60], y[:60])
        fits += 200
        sizes.append(own.memory_info().rss / 1e6)
    return {
        f"megabytes after a tenth of {fits} fits": round(sizes[len(sizes) // 10], 1),
        "after all": round(sizes[-1], 1),
        "files open": own.num_fds(),
        "threads": own.num_threads(),
    }


def main_of_long_haul() -> None:
    """Kill runs at every moment, share one store, fill it, and repeat: nothing may be lost, wrong, locked or left to
    grow.

    Run from a checkout: ``python -m benchmarks.faults long_haul --kills 1000 --processes 20 --minutes 10 --fits
    1000000``. It prints a table; small figures make a small run of it.

    - Kills: a run in a process group of its own is killed (SIGKILL) in turn at its start, in its work, in a cleaning of
      its store and in a save, each time the group, the calling process or one of its workers. Then the run is done
      again with the same store: scores must be those of an undisturbed run bit for bit, and no fit that was there may
      be missing.
    - Processes: so many processes evaluate with one store, each another share of the models, for so many minutes.
    - Fits: so many are put into one store; then the time to open it, to find one fit and to clean it of nothing.
    - Memory: of one process that evaluates again and again with a store, after a tenth and after all of the fits.
    """
    given = options(main_of_long_haul.__doc__, kills=20, processes=3, minutes=0.3, fits=10_000, seed=0)
    print(head(("what", "")))
    for part, *how in (
        (kills, given.kills, given.seed),
        (shared, given.processes, 60 * given.minutes),
        (filled, given.fits),
        (memory, min(given.fits, 100_000)),
    ):
        with tempfile.TemporaryDirectory() as folder:
            for row in part(Path(folder), *how).items():
                print(line(*row), flush=True)


if __name__ == "__main__":
    run_part(main_of_kills, main_of_long_haul)
