"""Where and when the fits run: in this process, or in workers once these are worth their start."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing, nullcontext

from joblib import cpu_count, effective_n_jobs
from joblib.externals.loky import reusable_executor
from joblib.parallel import LokyBackend, get_active_backend

from skcompare.evaluation._copies import Copies
from skcompare.evaluation._inner_threads import limited_pools, threads_win
from skcompare.evaluation._predictions import fit_chunk, lasting
from skcompare.evaluation._work import Backlog, Finished, Work
from skcompare.evaluation._worker_start import WorkerStart
from skcompare.evaluation._workers import Workers

CHUNK_HERE, STORED_CHUNK_HERE = 0.05, 0.025  # seconds of work between two looks at what was finished
# Seconds that it costs to send work to worker processes, when they must be started and when they are there.
COLD_START, WARM_START = 1.2, 0.05


def run_fits(
    work: Work, backlog: Backlog, *, n_jobs: int | None, fit_timeout: float | None, stored: bool
) -> Generator[list[Finished], None, None]:
    """Do the fits, and give what is finished as it comes.

    Parameters
    ----------
    work : Work
        The data, the splits, and what to do with them.
    backlog : Backlog
        The fits to do, split by split.
    n_jobs : int or None
        Number of joblib workers.
    fit_timeout : float or None
        Seconds that a fit with its predictions and scores may take; it then runs in a worker process.
    stored : bool
        Whether every batch given is made durable, so that batches should be small.

    Yields
    ------
    list of Finished
        In the order of their end; a fit that was lost twice or took too long has the reason among its errors.
    """
    n_workers = effective_n_jobs(n_jobs)
    backend = get_active_backend()[0]
    threads, watched = False, "peak_memory" in work.plan.costs
    if watched and n_workers > 1 and getattr(backend, "uses_threads", False):
        raise ValueError(
            f"n_jobs must be 1 with the joblib backend {type(backend).__name__} where 'peak_memory' is a metric: all "
            f"threads share one count; got {n_workers}"
        )
    if fit_timeout is None:
        processes = isinstance(backend, LokyBackend)
        if n_workers == 1:
            yield from _run_here(work, backlog, stored=stored)
        elif processes and not watched and all(spec.from_sklearn for spec in work.specs):
            gain, start = 1 - 1 / n_workers, None

            def elsewhere() -> bool:
                nonlocal start
                if start is not None:
                    return start.done
                start_up = WARM_START if threads_win(work.specs, backlog) else _start_up(n_workers)
                worth_it = bool(backlog.expected() * gain > start_up)
                if worth_it and start_up > WARM_START:
                    start = WorkerStart(n_workers, [spec.estimator for spec in work.specs])
                    return False
                return worth_it

            share = max(1, cpu_count() // n_workers)  # what the workers will have: the numbers must not depend on where
            yield from _run_here(work, backlog, stored=stored, until=elsewhere, inner_limit=share)
            threads = threads_win(work.specs, backlog) and _start_up(n_workers) > WARM_START
    elif not isinstance(backend, LokyBackend):
        raise ValueError(
            f"fit_timeout must be None with the joblib backend {type(backend).__name__}; "
            f"only worker processes of this machine can be stopped; got {fit_timeout}"
        )
    elif effective_n_jobs(2) == 1:
        raise ValueError(
            f"fit_timeout must be None where joblib can start no worker processes, as in a daemonic process; "
            f"got {fit_timeout}"
        )
    if backlog:
        workers = Workers(work=work, backlog=backlog, n_jobs=n_jobs, fit_timeout=fit_timeout, threads=threads)
        with closing(workers):
            yield from workers.run()


def _run_here(
    work: Work,
    backlog: Backlog,
    *,
    stored: bool,
    until: Callable[[], bool] = lambda: False,
    inner_limit: int | None = None,
) -> Iterator[list[Finished]]:
    """Fits in the calling process."""
    specs = dict(enumerate(work.specs))
    copies = Copies(work.X, work.y, work.splits, lasting=lasting(work.specs, work.plan))
    while backlog and not until():
        fits = backlog.take(STORED_CHUNK_HERE if stored else CHUNK_HERE)
        with nullcontext() if inner_limit is None else limited_pools(inner_limit):
            outcomes = fit_chunk(copies, work.plan, specs, fits)
        yield backlog.finish(fits, outcomes)


def _start_up(n_workers: int) -> float:
    """Seconds until so many worker processes are ready; joblib keeps those of earlier calls, its own and others'."""
    executor = getattr(reusable_executor, "_executor", None)
    flags = getattr(executor, "_flags", None)
    usable = flags is not None and not flags.broken and not flags.shutdown
    ready = usable and len(getattr(executor, "_processes", None) or ()) >= n_workers
    return WARM_START if ready else COLD_START
