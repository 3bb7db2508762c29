"""Fits in joblib's workers, in chunks, through lost workers and time limits."""

from __future__ import annotations

import json
import os
import pickle
import re
import shutil
import signal
import struct
import tempfile
import threading
import warnings
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import cache
from io import FileIO
from itertools import count
from numbers import Real
from operator import attrgetter
from pathlib import Path
from time import monotonic, sleep
from typing import Any, NamedTuple

import numpy as np
from joblib import cpu_count, effective_n_jobs, wrap_non_picklable_objects
from joblib.externals.loky import reusable_executor
from joblib.parallel import LokyBackend, ThreadingBackend, get_active_backend
from sklearn.utils.parallel import Parallel, delayed

from skcompare.evaluation import chunks
from skcompare.evaluation.chunks import Finished
from skcompare.evaluation.cluster import check_cluster
from skcompare.evaluation.copies import Copies
from skcompare.evaluation.fit import LOST, fit_chunk, lasting, travels

# The temporary folder of a run, which says whether its process lives, and the removal of those whose process died.


try:
    import fcntl
except ImportError:  # Windows, where an open file cannot be removed either
    fcntl = None  # type: ignore[assignment]

PREFIX, OWNER = "skcompare-", "owner"


class RunFolder:
    """A new folder with a file that is locked as long as this process lives; the system unlocks it at its death."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix=PREFIX))
        self._file, name = tempfile.mkstemp(dir=self.path)
        os.write(self._file, json.dumps({"pid": os.getpid(), "processes": _namespace()}).encode())
        if fcntl is not None:
            with suppress(OSError):  # a file system without locks: the folder then is left to its process
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                Path(name).replace(self.path / OWNER)  # there once it is locked, so that none without lock is found

    def is_gone(self) -> bool:
        """Whether someone removed it, or began to."""
        return not self.path.is_dir() or os.fstat(self._file).st_nlink == 0

    def remove(self) -> None:
        """Remove it with all that is in it."""
        with suppress(OSError):
            os.close(self._file)
        self._file = -1
        shutil.rmtree(self.path, ignore_errors=True)


def sweep() -> None:
    """Remove the folders of this user's runs whose process died, and what joblib left in shared memory for them."""
    if fcntl is None:
        return
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError, ValueError):
            _remove_if_dead(folder)


def _remove_if_dead(folder: Path) -> None:
    """Also what joblib names by the number of its process, which must not be in use again."""
    if not _is_mine(folder) or not folder.is_dir():
        return
    file = os.open(folder / OWNER, os.O_RDONLY | os.O_NOFOLLOW)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # OSError while its process lives
        told = json.loads(os.read(file, 1000))
        shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(file)
    pid = told.get("pid") if isinstance(told, dict) and told.get("processes") == _namespace() is not None else None
    if type(pid) is not int or pid <= 0 or Path(f"/proc/{pid}").exists():
        return
    for root in map(Path, {tempfile.gettempdir(), "/dev/shm", os.environ.get("JOBLIB_TEMP_FOLDER") or "/dev/shm"}):
        left = [*root.glob(f"joblib_memmapping_folder_{pid}_*"), *root.glob(f"sem.loky-{pid}-*")]
        for path in filter(_is_mine, left):
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink()


def _is_mine(path: Path) -> bool:
    return path.lstat().st_uid == os.getuid() and not path.is_symlink()


def _namespace() -> int | None:
    """In which set of numbers this process has its own; another container has another; None where nobody can tell."""
    try:
        return Path("/proc/self/ns/pid").stat().st_ino
    except OSError:
        return None


# What the worker processes of this machine are doing now, for the process that waits for them.


_ENTRY = struct.Struct("<qqd")
_IDLE = -1
_LOOK = 0.5  # seconds between two looks at the parent


class Running(NamedTuple):
    """A fit in progress: where, which, and for how many seconds."""

    pid: int
    split: int
    estimator: int
    seconds: float


class Journal:
    """A folder with a file per worker process, which says what that process is fitting and since when."""

    latest = ""  # the folder of the journal that this process wrote last

    def __init__(self, folder: str, parent: int | None = None) -> None:
        self._folder = folder
        self._parent = os.getpid() if parent is None else parent
        self._file: FileIO | None = None

    def __reduce__(self) -> tuple[type[Journal], tuple[str, int]]:
        return Journal, (self._folder, self._parent)

    def start(self, split: int, estimator: int) -> None:
        """Say that this process starts a fit."""
        if self._file is None:
            Journal.latest = self._folder
            end_with_parent(self._parent)
            self._file = FileIO(Path(self._folder) / str(os.getpid()), "w")
        self._write(split, estimator)

    def stop(self) -> None:
        """Say that this process does nothing."""
        if self._file is not None:
            self._write(_IDLE, _IDLE)
            self._file.close()
            self._file = None

    def _write(self, split: int, estimator: int) -> None:
        assert self._file is not None
        self._file.seek(0)
        self._file.write(_ENTRY.pack(split, estimator, monotonic()))

    def running(self) -> Iterator[Running]:
        """The fits in progress."""
        with suppress(OSError):  # the folder was removed
            for path in Path(self._folder).iterdir():
                content = path.read_bytes()
                if len(content) == _ENTRY.size:
                    split, estimator, since = _ENTRY.unpack(content)
                    if split != _IDLE:
                        yield Running(int(path.name), split, estimator, monotonic() - since)

    def is_gone(self) -> bool:
        """Whether someone removed the folder."""
        return not Path(self._folder).is_dir()


def workers_of_joblib() -> list[int]:
    """The process numbers of the workers that joblib has for this process; none where there are none yet."""
    return list(getattr(getattr(reusable_executor, "_executor", None), "_processes", None) or ())


@cache
def end_with_parent(parent: int) -> None:
    """End this process soon after its parent; joblib's workers may wait for ever for one that was killed."""
    if os.name == "nt" or os.getpid() == parent:
        return  # on Windows a process keeps the number of its parent

    def watch() -> None:
        while os.getppid() == parent:
            sleep(_LOOK)
        if Journal.latest:
            shutil.rmtree(Path(Journal.latest).parent, ignore_errors=True)
        os._exit(1)

    threading.Thread(target=watch, name="end_with_parent", daemon=True).start()


@contextmanager
def watched_from_the_start(parallel: Any) -> Iterator[None]:
    """Let joblib's workers watch this process from their start, not from their first task.

    joblib has an argument for this, but it would start new workers at every change between this and other work.
    """
    backend = getattr(parallel, "_backend", None)
    if backend is None:
        yield
        return
    configure = backend.configure

    def configure_and_watch(*args: Any, **kwargs: Any) -> Any:
        n_jobs = configure(*args, **kwargs)
        executor = backend._workers
        if getattr(executor, "_initializer", False) is None:
            executor._initializer, executor._initargs = end_with_parent, (os.getpid(),)
        return n_jobs

    backend.configure = configure_and_watch
    try:
        yield
    finally:
        vars(backend).pop("configure", None)


# Seconds of work in a chunk. Results come back chunk by chunk, so that the longest is what a killed worker can lose.
# A cluster takes some milliseconds of the calling process for each, so that it gets none that is shorter. Where fits
# take longer than was thought a worker gives back what it has not begun.
LONGEST_CHUNK, SHORTEST_CHUNK, MOST_SECONDS = 0.25, 0.05, 1.0
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

    work: chunks.Work
    backlog: chunks.Backlog
    n_jobs: int | None
    fit_timeout: float | None
    threads: bool
    in_flight: dict[int, list[chunks.Fit]] = field(default_factory=dict, init=False)
    suspects: deque[chunks.Fit] = field(default_factory=deque, init=False)
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
        """Plain arrays as read-only maps of files, for worker processes."""
        mapped, folder = dict[str, Any](), self.folder
        for name, values in (("X", self.work.X), ("y", self.work.y)):
            plain = type(values) is np.ndarray and values.dtype.kind in "biufc"
            if folder is not None and plain and SMALLEST_MAPPED <= values.nbytes < MAPPED_BY_JOBLIB:
                path = folder.path / f"{name}.npy"
                np.save(path, values)
                mapped[name] = np.load(path, mmap_mode="r")
        self.sent = replace(self.work, specs=(), shared={}, **mapped)

    def run(self) -> Iterator[list[Finished]]:
        """All fits of the backlog.

        Raises
        ------
        ValueError
            If a machine of a cluster cannot read what it would be sent; before the first fit.
        """
        models = list(map(attrgetter("estimator"), self.work.specs))
        needed = (models, self.work.plan, _run_chunk, list(self.work.specs), type(self.work.X), type(self.work.y))
        try:
            check_cluster(self.backend, needed)
            with POOL if self.processes else nullcontext():
                yield from self._rounds()
        finally:
            if self.folder is not None:
                self.folder.remove()

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
                is_loss = isinstance(error, BrokenExecutor) or type(error).__name__ in LOST_ELSEWHERE
                if not is_loss or not self.in_flight:
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

    def _round(self, journal: Journal | None, alone: chunks.Fit | None) -> Iterator[list[Finished]]:
        """Send chunks and give what comes back, until nothing is left; a suspect goes alone."""
        one_at_a_time = alone is not None or (self.fit_timeout is not None and self.n_workers == 1)
        parallel = Parallel(
            backend="threading" if self.threads else None,
            n_jobs=max(self.n_workers, 2) if self.processes else self.n_jobs,  # joblib runs a single job right here
            return_as="generator_unordered" if getattr(self.backend, "supports_return_generator", False) else "list",
            pre_dispatch=1 if one_at_a_time else "2*n_jobs",
            batch_size=1,
        )
        parts = self._chunks() if alone is None else iter([[alone]])
        # BLAS counts its threads by process, so that the end of one task must not lift the limit of another
        limits = chunks.limited_pools(self.inner_limit) if self.here else nullcontext()
        watched = watched_from_the_start(parallel) if self.processes else nullcontext()
        with limits, watched, given_up_quietly(parallel(self._calls(parts, journal))) as results:
            for number, outcomes in results:
                yield self.backlog.finish(self.in_flight.pop(number), outcomes)

    def _chunks(self) -> Iterator[list[chunks.Fit]]:
        shortest = SHORTEST_CHUNK if self.processes or self.here else LONGEST_CHUNK
        n_parts = CHUNKS_PER_WORKER * self.n_workers
        while self.backlog:
            even = self.backlog.expected() / n_parts
            # a process that dies on the first fit of one model takes what it did before for others with it
            most_new = 1 if self.processes else max(1, len(self.backlog) // n_parts)
            fits = self.backlog.take(min(max(even, shortest), LONGEST_CHUNK), most_new)
            if fits:
                yield fits

    def _calls(self, parts: Iterable[list[chunks.Fit]], journal: Journal | None) -> Iterator[Any]:
        for fits in parts:
            number = next(self.numbers)
            self.in_flight[number] = fits
            specs = {fit.estimator: self.work.specs[fit.estimator] for fit in fits}
            listed = pickle.dumps(fits)  # which Dask and cloudpickle would take apart, tuple by tuple
            yield delayed(_run_chunk)(number, self.sent, specs, listed, self.inner_limit, self.here, journal)

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

    def _after_loss(self, journal: Journal | None, alone: chunks.Fit | None, error: BaseException) -> list[Finished]:
        """What is certain after a worker was lost; the fits it ran are suspects, the rest is done again."""
        lost = [fit for fits in self.in_flight.values() for fit in fits]
        self.in_flight.clear()
        if overdue := [fit for fit in lost if fit[:2] in self.overdue]:
            reason = f"TimeoutError: not done within fit_timeout={self.fit_timeout} seconds; its process was stopped"
            self.backlog.put_back(fit for fit in lost if fit not in overdue)
            return [(fit, _failed(reason, self.fit_timeout)) for fit in overdue]
        if alone is not None:
            codes = re.search(r"exit codes of the workers are (\{.*?\})", str(error))
            reason = f"{LOST}{f', exit codes {codes[1]}' if codes else ''}"
            return [(fit, _failed(reason)) for fit in lost]
        running = set() if journal is None else {(entry.split, entry.estimator) for entry in journal.running()}
        suspects = [fit for fit in lost if fit[:2] in running] or lost
        self.suspects.extend(suspects)
        self.backlog.put_back(fit for fit in lost if fit not in suspects)
        return []


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, getattr(signal, "SIGKILL", signal.SIGTERM))


def _failed(reason: str, seconds: float | None = None) -> chunks.FoldOutcome:
    return chunks.FoldOutcome(fit_time=np.nan if seconds is None else seconds, score_time=0.0, errors={"fit": reason})


def _check_transport(error: BaseException, work: chunks.Work) -> None:
    """Raise ValueError, by name, where workers cannot be sent what they need or cannot read it."""
    unreadable = isinstance(error, BrokenExecutor) and "un-serialize" in str(error)
    if not unreadable and not isinstance(error, (pickle.PicklingError, SystemExit)):
        return
    for spec in work.specs:
        try:
            pickle.dumps(wrap_non_picklable_objects(spec))
        except (Exception, SystemExit) as cause:
            raise ValueError(
                f"models[{spec.name!r}] must be picklable to run in other processes; "
                f"{type(cause).__name__}: {cause}. Give n_jobs=1 to run it in this one"
            ) from error
    if isinstance(error, SystemExit):
        return  # not by pickling
    reason = str(error.__cause__ or error).strip('" \n').splitlines()[-1]
    raise ValueError(
        f"models, X, y and scoring must be picklable, and importable in other processes, to run there; {reason}. "
        f"Give n_jobs=1 to run them in this one"
    ) from error


@contextmanager
def given_up_quietly(results: Any) -> Iterator[Any]:
    """What joblib gives; where it is left before its end, joblib need not warn that the rest is cancelled."""
    try:
        yield results
    finally:
        if hasattr(results, "close"):
            with warnings.catch_warnings(action="ignore", category=UserWarning):
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


def _keep_portable(outcome: chunks.FoldOutcome) -> None:
    """Make errors of predictions and scores that cannot travel between processes."""
    for method, values in list(outcome.responses.items()):
        if values.dtype.kind == "O" and not travels(values):
            del outcome.responses[method]
            outcome.errors[method] = f"TypeError: {method} gave objects that cannot be pickled"
    if not isinstance(outcome.scored, (type(None), Real)) and not travels(outcome.scored):
        outcome.scored = None
        outcome.errors["score"] = "TypeError: the scorer gave an object that cannot be pickled"


def _run_chunk(
    number: int,
    work: chunks.Work,
    specs: Mapping[int, chunks.EstimatorSpec],
    listed: bytes,
    inner_limit: int,
    here: bool,
    journal: Journal | None,
) -> tuple[int, list[chunks.FoldOutcome]]:
    """A chunk in a worker; its number tells the calling process which one it was."""
    try:
        with chunks.limited_jobs(inner_limit), chunks.limited_pools(inner_limit), _left_to_the_caller(work.plan.home):
            copies = Copies(work.X, work.y, work.splits, lasting=lasting(specs.values(), work.plan))
            on_start = None if journal is None else journal.start
            outcomes = fit_chunk(copies, work.plan, specs, pickle.loads(listed), on_start, MOST_SECONDS)
        for outcome in () if here else outcomes:
            _keep_portable(outcome)
        return number, outcomes
    finally:
        if journal is not None:
            journal.stop()


# Worker processes that start while the calling process goes on with its fits.


def started_workers(n_workers: int, estimators: Sequence[Any]) -> threading.Thread:
    """A thread that lives until joblib's workers are ready, the same that the next call of joblib's uses.

    They import what the estimators need. Where they cannot be started, the fits that go there then say why.
    """
    parallel = Parallel(n_jobs=n_workers, pre_dispatch="all", batch_size=1)

    def start() -> None:
        with POOL, suppress(Exception), watched_from_the_start(parallel):
            parallel(delayed(len)(list(estimators)) for _ in range(n_workers))

    thread = threading.Thread(target=start)
    thread.start()
    return thread
