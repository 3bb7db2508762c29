"""Fits in joblib's workers, in chunks, through lost workers and time limits."""

from __future__ import annotations

import os
import pickle
import re
import signal
import tempfile
import threading
import warnings
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from itertools import count
from time import monotonic, sleep
from typing import Any

import numpy as np
from joblib import cpu_count, effective_n_jobs, wrap_non_picklable_objects
from joblib.parallel import LokyBackend, ThreadingBackend, get_active_backend
from sklearn.utils.parallel import Parallel, delayed

from skcompare.evaluation._cluster import check_cluster
from skcompare.evaluation._copies import Copies
from skcompare.evaluation._folder import RunFolder, sweep
from skcompare.evaluation._inner_threads import limited_jobs, limited_pools
from skcompare.evaluation._journal import Journal, watched_from_the_start, workers_of_joblib
from skcompare.evaluation._predictions import (
    EstimatorSpec,
    Fit,
    FitPlan,
    FoldOutcome,
    fit_chunk,
    lasting,
)
from skcompare.evaluation._splits import Splits
from skcompare.evaluation._work import Backlog, Finished, Work, keep_portable

# Seconds of work in a chunk. Results come back chunk by chunk, so that the longest is what a killed worker can lose.
LONGEST_CHUNK, SHORTEST_CHUNK = 0.25, 0.05
CHUNKS_PER_WORKER = 4
# Arrays of so many bytes are mapped by the workers instead of travelling with every chunk, by joblib from the second
# figure on. Messages then fit into a pipe as a whole: no worker waits for the rest of one whose sender was killed.
# Another ``max_nbytes`` for joblib would make it start new workers at every change between this and other work.
SMALLEST_MAPPED, MAPPED_BY_JOBLIB = 16 * 2**10, 2**20
MOST_FOLDERS_LOST = 3
REPLACEMENT_TIMEOUT = 60.0  # for a cluster to replace a lost worker

# What other backends raise for a worker that died; joblib's own raise a BrokenExecutor.
LOST_ELSEWHERE = frozenset({"KilledWorker", "CancelledError", "FutureCancelledError", "WorkerCrashedError"})

# joblib has one pool of worker processes: a worker lost in one thread's evaluation would break that of another
POOL = threading.RLock()


@dataclass(kw_only=True)
class Workers:
    """Fits in joblib's workers, in rounds: a round ends when all is done or a worker is lost."""

    work: Work
    backlog: Backlog
    n_jobs: int | None
    fit_timeout: float | None
    threads: bool
    in_flight: dict[int, list[Fit]] = field(default_factory=dict, init=False)
    suspects: deque[Fit] = field(default_factory=deque, init=False)
    overdue: set[tuple[int, int]] = field(default_factory=set, init=False)

    def __post_init__(self) -> None:
        self.backend = ThreadingBackend() if self.threads else get_active_backend()[0]
        self.n_workers = effective_n_jobs(self.n_jobs)
        self.processes = isinstance(self.backend, LokyBackend)
        if self.processes:
            sweep()
        self.folder = RunFolder() if self.processes else None
        self.here = getattr(self.backend, "supports_sharedmem", False)
        # of a cluster's machines nothing is known
        share = max(1, cpu_count() // self.n_workers) if self.processes or self.here else 1
        self.inner_limit = getattr(self.backend, "inner_max_num_threads", None) or share
        self.numbers = count()
        self.lost_folders: list[str] = []
        self._map()

    def _map(self) -> None:
        self.X, self.y = self._mapped("X", self.work.X), self._mapped("y", self.work.y)

    def _mapped(self, name: str, values: Any) -> Any:
        """A plain array as a read-only map of a file, for worker processes."""
        if self.folder is None or type(values) is not np.ndarray or values.dtype.kind not in "biufc":
            return values
        if not SMALLEST_MAPPED <= values.nbytes < MAPPED_BY_JOBLIB:
            return values
        path = self.folder.path / f"{name}.npy"
        np.save(path, values)
        return np.load(path, mmap_mode="r")

    def close(self) -> None:
        """Remove what was written on the way."""
        if self.folder is not None:
            self.folder.remove()

    def run(self) -> Iterator[list[Finished]]:
        """All fits of the backlog.

        Raises
        ------
        ValueError
            If a machine of a cluster cannot read what it would be sent; before the first fit.
        """
        sent = (_run_chunk, list(self.work.specs), self.work.plan, type(self.X), type(self.y))
        check_cluster(self.backend, sent)
        with POOL if self.processes else nullcontext():
            yield from self._rounds()

    def _rounds(self) -> Iterator[list[Finished]]:
        while self.backlog or self.suspects:
            journal = self._new_journal()
            alone = self.suspects.popleft() if self.suspects else None
            try:
                with self._time_limit(journal):
                    yield from self._round(journal, alone)
            except (Exception, SystemExit) as error:  # the latter where an estimator exits while it is pickled
                if self._lost_folder(error):
                    self.backlog.put_back(fit for fits in self.in_flight.values() for fit in fits)
                    self.in_flight.clear()
                    continue
                _check_transport(error, self.work)
                if not _is_loss(error) or not self.in_flight:
                    raise
                yield self._after_loss(journal, alone, error)
                if not self.processes:
                    self._await_replacement(error)

    def _new_journal(self) -> Journal | None:
        while self.folder is not None:
            if not self.folder.is_gone():
                with suppress(FileNotFoundError):
                    return Journal(tempfile.mkdtemp(dir=self.folder.path))
            self._renew_folder()
        return None

    def _lost_folder(self, error: BaseException) -> bool:
        """Whether an error comes from a temporary folder that someone removed; there is a new one then."""
        if self.folder is None or isinstance(error, SystemExit):
            return False
        said = f"{error} {error.__cause__}"
        if self.folder.is_gone() or (str(self.folder.path) in said and "FileNotFoundError" in said):
            self._renew_folder()
            return True
        return any(folder in said for folder in self.lost_folders)  # a task of the round before

    def _renew_folder(self) -> None:
        """Another temporary folder in place of one that someone removed, as programs that clean up do."""
        assert self.folder is not None
        self.lost_folders.append(str(self.folder.path))
        if len(self.lost_folders) > MOST_FOLDERS_LOST:
            raise OSError(
                f"the temporary folder of the run must stay until its end; {self.folder.path} was removed, as were "
                f"{MOST_FOLDERS_LOST} before. Set TMPDIR to a folder that nothing cleans"
            )
        self.folder.remove()
        self.folder = RunFolder()
        self._map()

    def _await_replacement(self, error: BaseException) -> None:
        """Wait until a cluster has workers again; with a single one joblib would run the suspects in this process."""
        deadline = monotonic() + REPLACEMENT_TIMEOUT
        while effective_n_jobs(self.n_jobs) < 2:
            if monotonic() > deadline:
                raise RuntimeError(
                    f"the joblib backend {type(self.backend).__name__} lost workers and has fewer than 2 left after "
                    f"{REPLACEMENT_TIMEOUT:.0f} seconds"
                ) from error
            sleep(0.1)

    def _round(self, journal: Journal | None, alone: Fit | None) -> Iterator[list[Finished]]:
        """Send chunks and give what comes back, until nothing is left; a suspect goes alone."""
        one_at_a_time = alone is not None or (self.fit_timeout is not None and self.n_workers == 1)
        streams = getattr(self.backend, "supports_return_generator", False)
        parallel = Parallel(
            backend="threading" if self.threads else None,
            n_jobs=max(self.n_workers, 2) if self.processes else self.n_jobs,  # joblib runs a single job right here
            return_as="generator_unordered" if streams else "list",
            pre_dispatch=1 if one_at_a_time else "2*n_jobs",
            batch_size=1,
        )
        chunks = self._chunks() if alone is None else iter([[alone]])
        # BLAS counts its threads by process, so that the end of one task must not lift the limit of another
        limits = limited_pools(self.inner_limit) if self.here else nullcontext()
        watched = watched_from_the_start(parallel) if self.processes else nullcontext()
        with limits, watched, given_up_quietly(parallel(self._calls(chunks, journal))) as results:
            for number, outcomes in results:
                fits = self.in_flight.pop(number)
                yield self.backlog.finish(fits, outcomes)

    def _chunks(self) -> Iterator[list[Fit]]:
        while self.backlog:
            even = self.backlog.expected() / (CHUNKS_PER_WORKER * self.n_workers)
            fits = self.backlog.take(min(max(even, SHORTEST_CHUNK), LONGEST_CHUNK))
            if fits:
                yield fits

    def _calls(self, chunks: Iterable[list[Fit]], journal: Journal | None) -> Iterator[Any]:
        work = self.work
        for fits in chunks:
            number = next(self.numbers)
            self.in_flight[number] = fits
            specs = {fit.estimator: work.specs[fit.estimator] for fit in fits}
            yield delayed(_run_chunk)(
                number, self.X, self.y, work.splits, work.plan, specs, fits, self.inner_limit, self.here, journal
            )

    @contextmanager
    def _time_limit(self, journal: Journal | None) -> Iterator[None]:
        """Stop a worker whose fit takes longer than allowed; the round then ends as one with a lost worker."""
        if self.fit_timeout is None or journal is None:
            yield
            return
        stop = threading.Event()
        watcher = threading.Thread(target=self._stop_overdue, args=(journal, stop), daemon=True)
        watcher.start()
        try:
            yield
        finally:
            stop.set()
            watcher.join()

    def _stop_overdue(self, journal: Journal, stop: threading.Event) -> None:
        assert self.fit_timeout is not None
        assert self.folder is not None
        while not stop.wait(min(0.05, self.fit_timeout / 5)):
            if self.folder.is_gone() or journal.is_gone():  # what the workers do cannot be known any more
                for pid in workers_of_joblib():
                    _kill(pid)
                return
            for running in journal.running():
                if running.seconds > self.fit_timeout:
                    self.overdue.add((running.split, running.estimator))
                    _kill(running.pid)
                    return

    def _after_loss(self, journal: Journal | None, alone: Fit | None, error: BaseException) -> list[Finished]:
        """What is certain after a worker was lost; the fits it ran are suspects, the rest is done again."""
        lost = [fit for fits in self.in_flight.values() for fit in fits]
        self.in_flight.clear()
        overdue = [fit for fit in lost if fit[:2] in self.overdue]
        if overdue:
            reason = f"TimeoutError: not done within fit_timeout={self.fit_timeout} seconds; its process was stopped"
            self.backlog.put_back(fit for fit in lost if fit not in overdue)
            return [Finished(fit, _failed(reason, self.fit_timeout)) for fit in overdue]
        if alone is not None:
            reason = f"WorkerLostError: its process died twice{_exit_codes(error)}"
            return [Finished(fit, _failed(reason)) for fit in lost]
        running = set() if journal is None else {(entry.split, entry.estimator) for entry in journal.running()}
        suspects = [fit for fit in lost if fit[:2] in running] or lost
        self.suspects.extend(suspects)
        self.backlog.put_back(fit for fit in lost if fit not in suspects)
        return []


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, getattr(signal, "SIGKILL", signal.SIGTERM))


def _failed(reason: str, seconds: float | None = None) -> FoldOutcome:
    return FoldOutcome(fit_time=np.nan if seconds is None else seconds, score_time=0.0, errors={"fit": reason})


def _is_loss(error: BaseException) -> bool:
    """Whether an exception says that a worker died."""
    return isinstance(error, BrokenExecutor) or type(error).__name__ in LOST_ELSEWHERE


def _exit_codes(error: BaseException) -> str:
    found = re.search(r"exit codes of the workers are (\{.*?\})", str(error))
    return f", exit codes {found[1]}" if found else ""


def _check_transport(error: BaseException, work: Work) -> None:
    """Raise ValueError, by name, where workers cannot be sent what they need or cannot read it."""
    unreadable = isinstance(error, BrokenExecutor) and "un-serialize" in str(error)
    if not unreadable and not isinstance(error, (pickle.PicklingError, SystemExit)):
        return
    for spec in work.specs:
        try:
            pickle.dumps(wrap_non_picklable_objects(spec))
        except (Exception, SystemExit) as cause:
            raise ValueError(
                f"estimators[{spec.name!r}] must be picklable to run in other processes; "
                f"{type(cause).__name__}: {cause}. Give n_jobs=1 to run it in this one"
            ) from error
    if isinstance(error, SystemExit):
        return  # not by pickling
    reason = str(error.__cause__ or error).strip('" \n').splitlines()[-1]
    raise ValueError(
        f"estimators, X, y and scoring must be picklable, and importable in other processes, to run there; {reason}. "
        f"Give n_jobs=1 to run them in this one"
    ) from error


@contextmanager
def given_up_quietly(results: Any) -> Iterator[Any]:
    """What joblib gives; where it is left before its end, joblib need not warn that the rest is cancelled."""
    try:
        yield results
    finally:
        if hasattr(results, "close"):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)
                results.close()


@contextmanager
def _left_to_the_caller(home: int) -> Iterator[None]:
    """Ctrl-C reaches a worker too, where it is the calling process that ends the run."""
    if os.getpid() == home or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL if before is None else before)


def _run_chunk(
    number: int,
    X: Any,
    y: Any,
    splits: Splits,
    plan: FitPlan,
    specs: Mapping[int, EstimatorSpec],
    fits: Sequence[Fit],
    inner_limit: int,
    here: bool,
    journal: Journal | None,
) -> tuple[int, list[FoldOutcome]]:
    """A chunk in a worker; its number tells the calling process which one it was."""
    try:
        with limited_jobs(inner_limit), limited_pools(inner_limit), _left_to_the_caller(plan.home):
            copies = Copies(X, y, splits, lasting=lasting(specs.values(), plan))
            outcomes = fit_chunk(copies, plan, specs, fits, None if journal is None else journal.start)
        for outcome in () if here else outcomes:
            keep_portable(outcome)
        return number, outcomes
    finally:
        if journal is not None:
            journal.stop()
