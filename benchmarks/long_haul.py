"""Kill runs at every moment, share one store, fill it, and repeat: nothing may be lost, wrong, locked or left to grow.

Run from a checkout: ``python -m benchmarks.long_haul --kills 1000 --processes 20 --minutes 10 --fits 1000000``. It
prints a table; small figures make a small run of it.

- Kills: a run in a process group of its own is killed (SIGKILL) in turn at its start, in its work, in a cleaning of its
  store and in a save, each time the group, the calling process or one of its workers. Then the run is done again with
  the same store: scores must be those of an undisturbed run bit for bit, and no fit that was there may be missing.
- Processes: so many processes evaluate with one store, each another share of the models, for so many minutes.
- Fits: so many are put into one store; then the time to open it, to find one fit and to clean it of nothing.
- Memory: of one process that evaluates again and again with a store, after a tenth and after all of the fits.
"""

from __future__ import annotations

import argparse
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from click.testing import CliRunner
from sklearn.datasets import load_breast_cancer
from sklearn.naive_bayes import GaussianNB

from benchmarks.store import FiveMilliseconds
from skcompare import EvaluationResult, PairedEvaluator, load
from skcompare.cli.main import main as command
from skcompare.cli.store import store_commands

CV = "20x10"
PHASES = ("start-up", "run", "gc", "save")
TARGETS = ("group", "parent", "worker")


def evaluate(store: Path | None, *, cv: str = CV, n_jobs: int = 1, own: int = 0) -> EvaluationResult:
    """Two models, of which the second differs from one process to another."""
    X, y = load_breast_cancer(return_X_y=True)
    models = {"a": FiveMilliseconds(), "b": FiveMilliseconds(var_smoothing=1e-3 * (1 + own))}
    return PairedEvaluator(cv, "accuracy", random_state=0, store=store, n_jobs=n_jobs).evaluate(models, X, y)


def n_fits(store: Path) -> int:
    """Fits in a store; 0 where it is not made yet."""
    if not store.exists():
        return 0
    with sqlite3.connect(store, timeout=60) as file:
        try:
            found = int(file.execute("SELECT count(*) FROM fits").fetchone()[0])
        except sqlite3.OperationalError:
            found = 0
    file.close()
    return found


def child(what: str, *arguments: object, **options: Any) -> subprocess.Popen[bytes]:
    """This file in a process group of its own."""
    line = [sys.executable, "-m", "benchmarks.long_haul", "--child", what, *map(str, arguments)]
    return subprocess.Popen(line, start_new_session=True, **options)


def in_child(what: str, folder: Path, number: int) -> None:
    """What is killed, or runs beside others."""
    store = folder / "runs.sqlite"
    if what == "run":
        evaluate(store, n_jobs=2)
    elif what == "gc":
        while True:
            sys.argv = ["skcompare", "store", "gc", str(store), "--older-than", "1000"]
            try:
                command()
            except SystemExit as stop:
                if stop.code:
                    raise
    elif what == "save":
        result = evaluate(store)
        while True:
            result.save(folder / "saved")
    elif what == "share":
        end, expected, n_runs = time.monotonic() + number, evaluate(None, cv="2x10"), 0
        while time.monotonic() < end:
            found = evaluate(store, cv="2x10", own=n_runs % 7)
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
    expected = evaluate(None).scores
    done: Counter[str] = Counter()
    before, n_finished, seconds_left = 0, 0, [0.0]
    for i in range(n):
        phase, target = PHASES[i % len(PHASES)], TARGETS[i // len(PHASES) % len(TARGETS)]
        process = child("run" if phase in ("start-up", "run") else phase, folder, 0, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 30
        while phase == "run" and process.poll() is None and n_fits(store) <= before and time.monotonic() < deadline:
            time.sleep(0.02)  # until it works
        time.sleep(rng.uniform(*{"start-up": (0, 1.5), "run": (0, 1)}.get(phase, (1, 4))))
        if process.poll() is None:
            try:
                done[f"{phase}, {kill(process, target)}"] += 1
            except psutil.NoSuchProcess:
                done[f"{phase}, over before"] += 1
        else:
            done[f"{phase}, over before"] += 1
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
            assert np.array_equal(evaluate(store).scores, expected)
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
    evaluate(store)
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
    result = evaluate(store)
    timed["the run again, all fits found"] = time.perf_counter() - start
    for name in ("ls", "gc"):
        start = time.perf_counter()
        assert CliRunner().invoke(store_commands, [name, str(store)]).exit_code == 0
        timed[f"skcompare store {name}"] = time.perf_counter() - start
    assert np.array_equal(result.scores, evaluate(None).scores)
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--processes", type=int, default=3)
    parser.add_argument("--minutes", type=float, default=0.3)
    parser.add_argument("--fits", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--child", nargs=3, metavar=("WHAT", "FOLDER", "NUMBER"), help="what is killed")
    options = parser.parse_args()
    if options.child:
        what, folder, number = options.child
        in_child(what, Path(folder), int(number))
        return
    print("| what | |\n| --- | ---: |")
    parts = (
        lambda folder: kills(folder, options.kills, np.random.default_rng(options.seed)),
        lambda folder: shared(folder, options.processes, 60 * options.minutes),
        lambda folder: filled(folder, options.fits),
        lambda folder: memory(folder, min(options.fits, 100_000)),
    )
    for part in parts:
        with tempfile.TemporaryDirectory() as folder:
            for name, value in part(Path(folder)).items():
                print(f"| {name} | {value} |", flush=True)


if __name__ == "__main__":
    main()
