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
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from contextlib import suppress
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
from benchmarks.memory import FiveMilliseconds
from skcompare import EvaluationResult, PairedEvaluator, ProgressEvent, load
from skcompare.cli.main import main as command
from skcompare.cli.store import store_commands

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


def n_fits(store: Path) -> int:
    """Fits in a store; 0 where it is not made yet."""
    if not store.exists():
        return 0
    connection = sqlite3.connect(store, timeout=60)
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
        start = n_fits(folder / "runs.sqlite")
        while process.is_alive() and n_fits(folder / "runs.sqlite") <= start:
            time.sleep(0.005)  # until it works
        time.sleep(rng.uniform(0, 1.2 * expected / kills))
        if rng.random() < 0.5:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
        process.join()
        n_kept.append(n_fits(folder / "runs.sqlite"))
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
    for record in (folder / "fits").read_text().splitlines():
        session, smoothing, rows = record.split()
        if session != "undisturbed":
            started[int(session)].append((name_of[smoothing], split_of[int(rows)]))
    reused: dict[int, set[tuple[str, int]]] = defaultdict(set)
    for record in (folder / "reused").read_text().splitlines():
        session, name, repeat, fold = record.split()
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


def main_of_kills() -> None:
    """Kill an evaluation again and again, and see what the store kept.

    Run from a checkout: ``python -m benchmarks.faults --kills 20``. A run with a store is started in a process of its
    own and killed (SIGKILL; half of the times with its workers) at a random moment, then started again, until it has
    been killed so many times and finishes. Checked: the result equals that of an undisturbed run bit for bit, nothing
    that the store had was fitted again, and the store never had less than before. Fits started and not kept were in
    flight.
    """
    given = options(main_of_kills.__doc__, kills=20, cv="10x10", seconds=0.02, seed=0, jobs=[1, 2])
    how = {"kills": given.kills, "cv": given.cv, "seconds": given.seconds, "seed": given.seed}
    for n_jobs in given.jobs:
        with tempfile.TemporaryDirectory() as folder:
            found = trial(Path(folder), n_jobs=n_jobs, **how)
        print(json.dumps({"n_jobs": n_jobs, **how, **found}, indent=1))


# ---- long haul --------------------------------------------------------------------------------------------------


CV = "20x10"
PHASES = ("start-up", "run", "gc", "save")
TARGETS = ("group", "parent", "worker")


def evaluate_of_long_haul(store: Path | None, *, cv: str = CV, n_jobs: int = 1, own: int = 0) -> EvaluationResult:
    """Two models, of which the second differs from one process to another."""
    X, y = load_breast_cancer(return_X_y=True)
    models = {"a": FiveMilliseconds(), "b": FiveMilliseconds(var_smoothing=1e-3 * (1 + own))}
    return PairedEvaluator(cv, "accuracy", random_state=0, store=store, n_jobs=n_jobs).evaluate(models, X, y)


def child(what: str, *arguments: object, **options: Any) -> subprocess.Popen[bytes]:
    """This file in a process group of its own."""
    line = [sys.executable, "-m", "benchmarks.faults", "long_haul", "--child", what, *map(str, arguments)]
    return subprocess.Popen(line, start_new_session=True, **options)


def in_child(what: str, folder: Path, number: int) -> None:
    """What is killed, or runs beside others."""
    store = folder / "runs.sqlite"
    if what == "run":
        evaluate_of_long_haul(store, n_jobs=2)
    elif what == "gc":
        while True:
            sys.argv = ["skcompare", "store", "gc", str(store), "--older-than", "1000"]
            try:
                command()
            except SystemExit as stop:
                if stop.code:
                    raise
    elif what == "save":
        result = evaluate_of_long_haul(store)
        while True:
            result.save(folder / "saved")
    elif what == "share":
        end, expected, n_runs = time.monotonic() + number, evaluate_of_long_haul(None, cv="2x10"), 0
        while time.monotonic() < end:
            found = evaluate_of_long_haul(store, cv="2x10", own=n_runs % 7)
            assert np.array_equal(found.score("a", "accuracy"), expected.score("a", "accuracy"))
            n_runs += 1
        print(n_runs)


def kill(process: subprocess.Popen[bytes], target: str) -> str:
    """Kill a process, its group or one of its workers; gives what was killed."""
    with_workers = psutil.Process(process.pid).children(recursive=True) if target == "worker" else []
    workers = [worker for worker in with_workers if "loky" in " ".join(worker.cmdline())]
    if target == "worker" and workers:
        workers[-1].kill()
        return target
    if target == "group":
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    return "group" if target == "group" else "parent"


def kills(folder: Path, n: int, rng: np.random.Generator) -> dict[str, object]:
    """Kill runs, and look at the store and at a saved result after each."""
    store = folder / "runs.sqlite"
    expected = evaluate_of_long_haul(None).scores
    done: Counter[str] = Counter()
    before, n_finished, seconds_left = 0, 0, [0.0]
    for i in range(n):
        phase, target = PHASES[i % len(PHASES)], TARGETS[i // len(PHASES) % len(TARGETS)]
        process = child("run" if phase in ("start-up", "run") else phase, folder, 0, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 30
        while phase == "run" and process.poll() is None and n_fits(store) <= before and time.monotonic() < deadline:
            time.sleep(0.02)  # until it works
        time.sleep(rng.uniform(*{"start-up": (0, 1.5), "run": (0, 1)}.get(phase, (1, 4))))
        killed = "over before"
        if process.poll() is None:
            with suppress(psutil.NoSuchProcess):
                killed = kill(process, target)
        done[f"{phase}, {killed}"] += 1
        if process.poll() is None and target == "worker":
            try:
                process.wait(20 if phase == "run" else 0.1)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        seconds_left.append(seconds_until_gone(process.pid))
        kept = n_fits(store)
        assert kept >= before, f"{before - kept} fits are lost"
        if (folder / "saved").exists():
            assert np.array_equal(load(folder / "saved").scores, expected)
        before = kept
        if kept == expected.size or i == n - 1:
            assert np.array_equal(evaluate_of_long_haul(store).scores, expected)
            n_finished += 1
            store.unlink()
            before = 0
    return {
        **{f"kills: {what}": count for what, count in sorted(done.items())},
        "runs finished after kills, each bit for bit": n_finished,
        "seconds until all workers of a killed run were gone, at most": round(max(seconds_left), 2),
    }


def seconds_until_gone(group: int) -> float:
    """How long processes of a group go on; those that ended, and that nobody has waited for yet, do not."""
    start = time.monotonic()
    while time.monotonic() - start < 60:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            break
        if not any(in_group(process, group) for process in psutil.process_iter()):
            break
        time.sleep(0.02)
    return time.monotonic() - start


def in_group(process: psutil.Process, group: int) -> bool:
    """Whether a process belongs to a group and runs."""
    try:
        return os.getpgid(process.pid) == group and process.status() != psutil.STATUS_ZOMBIE
    except (ProcessLookupError, psutil.NoSuchProcess):
        return False


def shared(folder: Path, n: int, seconds: float) -> dict[str, object]:
    """Many processes, one store."""
    started = [child("share", folder, int(seconds), stdout=subprocess.PIPE) for _ in range(n)]
    runs = [int(process.communicate()[0] or 0) for process in started]
    assert not any(process.returncode for process in started)
    with sqlite3.connect(folder / "runs.sqlite") as file:
        assert file.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    file.close()
    return {
        f"runs of {n} processes on one store in {seconds:g} s": sum(runs),
        "of the slowest process": min(runs),
        "files left beside it": len(list(folder.iterdir())) - 1,
    }


def filled(folder: Path, n: int) -> dict[str, object]:
    """A store with so many fits, made by repeating the rows of one run under other keys."""
    store = folder / "many.sqlite"
    evaluate_of_long_haul(store)
    with sqlite3.connect(store, isolation_level=None) as file:
        columns = "seed, fit_time, predict_time, score_time, model_size, scored, arrays, encoded, content, checksum"
        start, first = time.perf_counter(), n_fits(store)
        file.execute("BEGIN")
        for _ in range(max(0, n - first) // first):
            file.execute(
                f"INSERT INTO fits (estimator, split, {columns}, created_at) SELECT estimator, randomblob(32), "
                f"{columns}, created_at FROM fits LIMIT {first}"
            )
        file.execute("COMMIT")
        seconds = time.perf_counter() - start
    file.close()
    found = {"fits in one store": n_fits(store), "megabytes": round(store.stat().st_size / 1e6)}
    timed: dict[str, float] = {"put there": seconds}
    start = time.perf_counter()
    result = evaluate_of_long_haul(store)
    timed["the run again, all fits found"] = time.perf_counter() - start
    for name in ("ls", "gc"):
        start = time.perf_counter()
        assert CliRunner().invoke(store_commands, [name, str(store)]).exit_code == 0
        timed[f"skcompare store {name}"] = time.perf_counter() - start
    assert np.array_equal(result.scores, evaluate_of_long_haul(None).scores)
    return {**found, **{f"seconds: {name}": round(value, 2) for name, value in timed.items()}}


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
    tenth = sizes[len(sizes) // 10]
    return {
        f"megabytes after a tenth of {fits} fits": round(tenth, 1),
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
    child = {"nargs": 3, "metavar": ("WHAT", "FOLDER", "NUMBER"), "help": "what is killed"}
    given = options(main_of_long_haul.__doc__, kills=20, processes=3, minutes=0.3, fits=10_000, seed=0, child=child)
    if given.child:
        what, folder, number = given.child
        in_child(what, Path(folder), int(number))
        return
    print(head(("what", "")))
    parts = (
        lambda folder: kills(folder, given.kills, np.random.default_rng(given.seed)),
        lambda folder: shared(folder, given.processes, 60 * given.minutes),
        lambda folder: filled(folder, given.fits),
        lambda folder: memory(folder, min(given.fits, 100_000)),
    )
    for part in parts:
        with tempfile.TemporaryDirectory() as folder:
            for row in part(Path(folder)).items():
                print(line(*row), flush=True)


if __name__ == "__main__":
    run_part(main_of_kills, main_of_long_haul)
