"""What was prepared -> fits -> scores, as plain data."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, closing, nullcontext
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import partial
from itertools import chain, product
from numbers import Real
from operator import attrgetter
from threading import get_ident
from time import monotonic
from typing import Any

import numpy as np
from joblib import cpu_count, effective_n_jobs
from joblib.externals.loky import reusable_executor
from joblib.parallel import LokyBackend, get_active_backend
from sklearn.exceptions import FitFailedWarning

from skcompare._core.frames import period_of
from skcompare._core.numbers import counted
from skcompare._core.record import Frozen, Record
from skcompare._core.text import needs
from skcompare._core.warnings import warn
from skcompare.evaluation import fit as fitting
from skcompare.evaluation import sharing
from skcompare.evaluation.chunks import Backlog, Finished, Fit, FoldOutcome, Work, limited_pools, threads_win
from skcompare.evaluation.copies import Copies
from skcompare.evaluation.foreign_code import Draws
from skcompare.evaluation.input import RunSettings, class_counts, positive_class
from skcompare.evaluation.metrics.scoring import Failure, ScoreTable, Scoring, given_up, metric_functions
from skcompare.evaluation.predictions import KeptPredictions, Responses
from skcompare.evaluation.prepare import PreparedEvaluation, inner_evaluation, split_seeds
from skcompare.evaluation.splits import Splits
from skcompare.evaluation.store.checkpoint import Checkpoint
from skcompare.evaluation.workers import Workers, started_workers, workers_of_joblib

# What is told of a run while it goes on: a bar, and events for a callback.


class ProgressEvent(Record):
    """A finished fit of one model on one split, and how far the evaluation is.

    Attributes
    ----------
    dataset : str or None
        The data set of a study; None in `evaluate`.
    estimator : str
        Name of the estimator.
    repeat, fold : int
        Which split, counted from 0.
    reused : bool
        Whether the store had it.
    error : str or None
        What failed, in one line; None where nothing did.
    n_done, n_total, n_reused, n_failed : int
        Fits finished, fits in all (as far as is known: an evaluation may stop early), and those among the finished
        that the store had or that failed.
    elapsed : float
        Seconds since the first fit was sent off, after those that the store had.
    rate : float
        Fits per second, without those that the store had; 0 before the first.
    time_left : float or None
        Seconds still expected at that rate; None before the first.
    """

    dataset: str | None
    estimator: str
    repeat: int
    fold: int
    reused: bool
    error: str | None
    n_done: int
    n_total: int
    n_reused: int
    n_failed: int
    elapsed: float
    rate: float
    time_left: float | None


@dataclass
class Reporter:
    """Counts finished fits and tells a bar of tqdm, where there is one, and a callback of them."""

    names: Sequence[str]
    splits: Splits
    dataset: str | None
    _: KW_ONLY
    bar: Any
    callback: Callable[[ProgressEvent], Any] | None
    n_total: int
    _start: float = field(default_factory=lambda: monotonic(), init=False)
    _n_done: int = field(default=0, init=False)
    _n_reused: int = field(default=0, init=False)
    _n_failed: int = field(default=0, init=False)

    def tell(self, split: int, estimator: int, *, reused: bool = False, error: str | None = None) -> None:
        """A fit is finished."""
        self._n_done += 1
        self._n_reused += reused
        if self._n_done == self._n_reused:
            self._start = monotonic()  # reading the store is no fitting
        self._n_failed += error is not None
        if self.bar is not None:
            if reused and not self.bar.disable:
                self.bar.initial += 1  # it counts for neither the rate nor the smoothed rate, nor for the time
                self.bar.n += 1
                self.bar.last_print_n += 1
                if self._n_done == self._n_reused:
                    self.bar.unpause()
            else:
                self.bar.update()
            if error is not None:
                self.bar.set_postfix(failed=self._n_failed, refresh=False)
        if self.callback is not None:
            self.callback(self._event(split, estimator, reused, error))

    def leave_out(self, n_fits: int) -> None:
        """So many fits will not be made."""
        self.n_total -= n_fits
        if self.bar is not None and n_fits:
            self.bar.total = self.n_total
            self.bar.refresh()

    def _event(self, split: int, estimator: int, reused: bool, error: str | None) -> ProgressEvent:
        elapsed = monotonic() - self._start
        n_fitted = self._n_done - self._n_reused
        rate = n_fitted / elapsed if n_fitted and elapsed > 0 else 0.0
        repeat, fold = divmod(split, self.splits.n_folds)
        return ProgressEvent(
            dataset=self.dataset,
            estimator=self.names[estimator],
            repeat=repeat,
            fold=fold,
            reused=reused,
            error=error,
            n_done=self._n_done,
            n_total=self.n_total,
            n_reused=self._n_reused,
            n_failed=self._n_failed,
            elapsed=elapsed,
            rate=rate,
            time_left=(self.n_total - self._n_done) / rate if rate else None,
        )


def bar(total: int, **options: Any) -> Any:
    """A bar of tqdm, a context manager; ImportError with the pip line where there is none."""
    with needs("progress=True needs tqdm", "progress"):
        from tqdm.auto import tqdm
    return tqdm(total=total, **options)


# Where and when the fits run: in this process, or in workers once these are worth their start.


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
    backend = get_active_backend()[0]
    called = f"the joblib backend {type(backend).__name__}"
    draws = Draws.owner == get_ident()  # and threads that it starts would wait for it
    n_workers = 1 if draws and getattr(backend, "uses_threads", False) else effective_n_jobs(n_jobs)
    threads, watched = False, "peak_memory" in work.plan.costs
    if watched and n_workers > 1 and getattr(backend, "uses_threads", False):
        says = f"n_jobs must be 1 with {called} where 'peak_memory' is a metric"
        raise ValueError(f"{says}: all threads share one count; got {n_workers}")
    if fit_timeout is None:
        processes = isinstance(backend, LokyBackend)
        if n_workers == 1:
            yield from _run_here(work, backlog, stored=stored)
        elif processes and not watched and all(spec.from_sklearn for spec in work.specs):
            gain, start = 1 - 1 / n_workers, None

            def elsewhere() -> bool:
                nonlocal start
                if start is not None:
                    return not start.is_alive()
                start_up = WARM_START if threads_win(work, backlog) else _start_up(n_workers)
                worth_it = bool(backlog.expected() * gain > start_up)
                if worth_it and start_up > WARM_START:
                    start = started_workers(n_workers, [spec.estimator for spec in work.specs])
                    return False
                return worth_it

            share = max(1, cpu_count() // n_workers)  # what the workers will have: the numbers must not depend on where
            yield from _run_here(work, backlog, stored=stored, until=elsewhere, inner_limit=share)
            threads = threads_win(work, backlog) and _start_up(n_workers) > WARM_START
    elif not isinstance(backend, LokyBackend):
        only = "only worker processes of this machine can be stopped"
        raise ValueError(f"fit_timeout must be None with {called}; {only}; got {fit_timeout}")
    elif effective_n_jobs(2) == 1:
        where = "where joblib can start no worker processes, as in a daemonic process"
        raise ValueError(f"fit_timeout must be None {where}; got {fit_timeout}")
    if backlog:
        yield from Workers(work=work, backlog=backlog, n_jobs=n_jobs, fit_timeout=fit_timeout, threads=threads).run()


def _run_here(
    work: Work,
    backlog: Backlog,
    *,
    stored: bool,
    until: Callable[[], bool] | None = None,
    inner_limit: int | None = None,
) -> Iterator[list[Finished]]:
    """Fits in the calling process."""
    specs = dict(enumerate(work.specs))
    copies = Copies(work.X, work.y, work.splits, lasting=fitting.lasting(work.specs, work.plan))
    while backlog and not (until and until()):
        fits = backlog.take(STORED_CHUNK_HERE if stored else CHUNK_HERE)
        with nullcontext() if inner_limit is None else limited_pools(inner_limit):
            outcomes = fitting.fit_chunk(copies, work.plan, specs, fits)
        yield backlog.finish(fits, outcomes)


def _start_up(n_workers: int) -> float:
    """Seconds until so many worker processes are ready; joblib keeps those of earlier calls, its own and others'."""
    flags = getattr(getattr(reusable_executor, "_executor", None), "_flags", None)
    usable = flags is not None and not flags.broken and not flags.shutdown
    return WARM_START if usable and len(workers_of_joblib()) >= n_workers else COLD_START


# One evaluation's fits: what the store has, the rest from the engine, each kept, told and scored as it comes.


Monitor = Callable[[ScoreTable, Callable[[int], Sequence[Responses]]], Sequence[int]]
_BLOCK = 1 << 18  # test samples of complete splits that are scored, and their predictions dropped, together


@dataclass
class Run:
    """Fits every estimator on every split that the checkpoint does not have, and scores all.

    Parameters
    ----------
    work : Work
        The data, the splits and the estimators.
    settings : RunSettings
        How many jobs, for how long, and whether the outcomes keep their predictions after they are scored.
    seeds : sequence of int or None
        One per split, for the estimators' open ``random_state`` parameters; None leaves them open.
    checkpoint : Checkpoint or None
        Where finished fits are kept.
    reporter : Reporter
        Told of every finished fit.
    scoring : Scoring
        Given every complete split.
    near : bool
        Whether models that vote among neighbours may share the search for these.
    """

    work: Work
    settings: RunSettings
    seeds: Sequence[int] | None
    checkpoint: Checkpoint | None
    reporter: Reporter
    scoring: Scoring
    near: bool

    def __post_init__(self) -> None:
        self._stored = {} if self.checkpoint is None else self.checkpoint.finished()
        self._estimators: Sequence[int] = range(len(self.work.specs))  # those that go on
        self._table: defaultdict[int, dict[int, FoldOutcome]] = defaultdict(dict)
        self._first = fitting.FirstFits(0 if self.work.plan.stop_on_error else len(self.work.splits))
        self._complete: list[int] = []
        self._n_samples = 0
        self._searches = dict[float, Any]()

    def outcomes(self, monitor: Monitor | None = None) -> list[list[FoldOutcome]]:
        """Do it.

        Parameters
        ----------
        monitor : callable, optional
            Given the scores after every repeat, and what gives the predictions of an estimator, it says which
            estimators go on; none ends the run.

        Returns
        -------
        list of list of FoldOutcome
            Per split that was done, one outcome per estimator, an empty one where it was left out.

        Raises
        ------
        EstimatorFailedError
            At the first failure, where the plan says so.
        """
        n_splits, n_folds = len(self.work.splits), self.work.splits.n_folds
        step = n_splits if monitor is None else n_folds
        for end in range(step, n_splits + 1, step):
            self._fit(range(end - step, end))
            if monitor is not None:
                remaining = monitor(self.scoring.interim(end), self._predicted)
                self.reporter.leave_out((n_splits - end) * (len(self._estimators) - len(remaining)))
                self._estimators = remaining
            if not self._estimators:
                break
        outcomes, every = [], range(len(self.work.specs))
        for split in sorted(self._table):
            outcomes.append(list(map(defaultdict(FoldOutcome, self._table[split]).__getitem__, every)))
        return outcomes

    def _predicted(self, estimator: int) -> list[Responses]:
        """What an estimator gave so far, as far as it is kept."""
        return [row[estimator].responses for row in self._table.values()]

    def _fit(self, splits: range) -> None:
        """Every estimator that goes on, on every one of the splits."""
        missing, shared = [], self.work.shared
        order = sharing.in_groups(shared, self._estimators) if shared and self.seeds is not None else self._estimators
        for split, estimator in product(splits, order):
            if n_failed := self._first.failed(split, estimator):
                self._keep(split, estimator, fitting.not_started(n_failed))
                self.reporter.leave_out(1)
            elif (outcome := self._stored.get((split, estimator))) is not None:
                self._first.take(split, estimator, outcome)
                self._keep(split, estimator, outcome)
                self.reporter.tell(split, estimator, reused=True)
            else:
                missing.append(Fit(split, estimator, None if self.seeds is None else self.seeds[split]))
        if self.near:
            missing = self._look_up(missing)
        n_jobs, fit_timeout = self.settings.n_jobs, self.settings.fit_timeout
        stored = self.checkpoint is not None
        backlog = Backlog(missing, shared=shared, failed=self._first.failed)
        with closing(run_fits(self.work, backlog, n_jobs=n_jobs, fit_timeout=fit_timeout, stored=stored)) as batches:
            for batch in batches:
                for estimator in self._take(batch):
                    backlog.leave_out(estimator)
                    self._give_up(estimator, splits)
        self._score()

    def _look_up(self, fits: Sequence[Fit]) -> list[Fit]:
        """The fits that are left once neighbours were searched for all that need no more."""
        done = set[Fit]()
        for batch in sharing.answered(self.work, fits, self._searches):
            done.update(fit for fit, _ in batch)
            list(self._take(batch))  # none is given up
        return [fit for fit in fits if fit not in done]

    def _take(self, batch: Sequence[Finished]) -> Iterator[int]:
        """Keep what is finished, and tell of it; an estimator whose other fits are not to be started is given."""
        if self.checkpoint is not None:
            self.checkpoint.save([(fit.split, fit.estimator, outcome) for fit, outcome in batch])
        for (split, estimator, _), outcome in batch:
            if self._first.failed(split, estimator):
                continue  # it was started before
            error = None
            if outcome.errors:
                first = next(iter(outcome.errors.items()))
                error = fitting.failure_message(self.work.specs[estimator].name, self.work.splits, split, *first)
            self.reporter.tell(split, estimator, error=error)
            if error is not None and self.work.plan.ends_with(outcome.errors):
                raise fitting.EstimatorFailedError(error) from outcome.exception
            self._first.take(split, estimator, outcome)
            self._keep(split, estimator, outcome)
            if self._first.failed(len(self.work.splits), estimator):
                yield estimator

    def _give_up(self, estimator: int, splits: range) -> None:
        """The other fits of an estimator count as failed, those too that were started before."""
        for split in splits:
            if n_failed := self._first.failed(split, estimator):
                self.reporter.leave_out(estimator not in self._table[split])
                self._keep(split, estimator, fitting.not_started(n_failed))

    def _keep(self, split: int, estimator: int, outcome: FoldOutcome) -> None:
        """Complete splits are scored in blocks where predictions are not kept."""
        row, n = self._table[split], len(self._estimators)
        is_new = estimator not in row
        row[estimator] = outcome
        if is_new and len(row) == n:
            self._complete.append(split)
            self._n_samples += self.work.splits.test_sizes[split] * n
            if not self.settings.keep_predictions and self._n_samples >= _BLOCK:
                self._score()

    def _score(self) -> None:
        """Score what is complete, but for splits of which a fit may count as not started yet."""
        numbers, rows, left = list[int](), list[list[FoldOutcome]](), list[int]()
        for split in sorted(self._complete):
            if None in map(partial(self._first.failed, split), self._estimators):
                left.append(split)
            else:
                numbers.append(split)
                rows.append(list(map(self._table[split].__getitem__, self._estimators)))
        self.scoring.add(numbers, rows, self._estimators)
        if not self.settings.keep_predictions:
            for outcome in chain.from_iterable(rows):
                outcome.responses.clear()
        self._complete, self._n_samples = left, 0


class Measurement(Frozen):
    """What an evaluation gave.

    Attributes
    ----------
    table : ScoreTable
        The scores.
    splits : Splits
        The splits that were done.
    failures : tuple of Failure
        What failed.
    shared : list of dict
        The leading steps that models shared, and these models.
    health : dict of str to list
        Of every model the notes on its fits: kind, what it says more, on how many fits, and of how many.
    fields : dict of str to object
        Of a result: times, and what was to be kept of predictions, scores of training sets and fitted models.
    """

    table: ScoreTable
    splits: Splits
    failures: tuple[Failure, ...]
    shared: list[dict[str, list[str]]]
    health: dict[str, list[list[Any]]]
    fields: dict[str, Any]

    def described(self, prepared: PreparedEvaluation, *, sequential: bool) -> dict[str, Any]:
        """The fields of a result that say what was measured, and of what."""
        metrics, splits, clusters = self.table.metrics, self.splits, prepared.clusters
        predicted, n_groups, n_clusters = self.fields["kept_predictions"] is not None, None, None
        one_test_set = predicted and len(splits) == 1
        if clusters is not None and one_test_set:
            n_clusters = len(np.unique(clusters[splits.held_out(0)]))
        elif clusters is not None:
            n_groups = int(clusters.max()) + 1
        period = 1  # after how many tested samples losses may recur, where those between them are tested too
        if splits.time_order and np.all(np.diff(np.unique(np.concatenate([test for _, test in splits]))) == 1):
            period = period_of(prepared.X, prepared.y)
        design = replace(
            splits.design,
            kind="samples" if one_test_set else "folds",
            n_groups=n_groups,
            n_clusters=n_clusters,
            class_counts=class_counts(prepared.truth, splits, prepared.task),
            period=period,
            sequential=sequential,
        )
        if prepared.cut_from is not None and not one_test_set:  # what is left out makes no two splits more alike
            design = replace(design, test_fraction=prepared.cut_from.design.test_fraction)
        found = {
            "estimators": tuple(prepared.named),
            "metrics": tuple(map(attrgetter("name"), metrics)),
            "greater_is_better": tuple(map(attrgetter("greater_is_better"), metrics)),
            "design": design,
            "clusters": clusters if one_test_set else None,
            "metric_functions": metric_functions(prepared.metrics) if predicted else {},
            "scores": self.table.scores,
            "ill_defined": self.table.ill_defined,
            "failures": self.failures,
            "task": prepared.task,
            "positive_class": positive_class(prepared.truth, prepared.task),
            "kept_splits": splits,
            **self.fields,
        }
        return found if prepared.seeded is None else prepared.seeded.averaged(found)


def measure(
    prepared: PreparedEvaluation, settings: RunSettings, *, monitor: Monitor | None, dataset: str | None
) -> Measurement:
    """Fit every estimator on every split and score its predictions; the monitor may end that early.

    Raises
    ------
    EstimatorFailedError
        If an estimator fails, and the settings stop there.
    """
    names, inner = list(prepared.named), inner_evaluation(prepared) if settings.intervals else None
    n_more = 0 if inner is None else len(inner.splits)
    with ExitStack() as stack:
        n_fits = len(names) * (len(prepared.splits) + n_more)
        shown = stack.enter_context(bar(n_fits, unit="fit", desc=dataset or "fits")) if settings.progress else None
        told = Reporter(names, prepared.splits, dataset, bar=shown, callback=settings.callback, n_total=n_fits)
        found = _fits(prepared, settings, told, monitor)
        if inner is None:
            return found
        told.splits = inner.splits
        of_inner = _fits(inner, replace(settings, return_train_score=False, return_estimator=False), told, None)
    if lost := [one for one in of_inner.failures if one.metric is None]:
        report_failures(lost, settings, len(names) * n_more)
    found.fields["inner_predictions"] = of_inner.fields["kept_predictions"]
    return found


def _fits(prepared: PreparedEvaluation, settings: RunSettings, told: Reporter, monitor: Monitor | None) -> Measurement:
    """Fits on all splits, or on those that the monitor lets be made."""
    names, splits = list(prepared.named), prepared.splits
    metrics, plan = prepared.plan(stop_on_error=settings.stop_on_error, keep=settings.keep_predictions)
    if settings.return_train_score or settings.return_estimator:
        scorer = prepared.train_scorer() if settings.return_train_score else None
        plan = replace(plan, train_scorer=scorer, keep_estimator=settings.return_estimator)
    specs, shared, kinds = prepared.specs(), {}, str([*map(type, prepared.named.values())])
    if "Pipeline" in kinds or "SearchCV" in kinds:
        specs = sharing.sharing_steps(specs, metrics, plan, settings, seeded=prepared.random_state is not None)
        shared = {e: spec.shared for e, spec in enumerate(specs) if spec.shared}
    near = "KNeighbors" in kinds and not (plan.scorer or plan.costs or plan.keep_estimator or plan.train_scorer)
    near = near and sharing.may_share(metrics, plan, settings)
    keep, own = settings.keep_predictions, {} if prepared.seeded is None else prepared.seeded.own
    scoring = Scoring(metrics, prepared.truth, splits, task=prepared.task, names=names)
    seeds = None if prepared.random_state is None else split_seeds(prepared.random_state, len(splits))
    work = Work(specs=specs, X=prepared.X, y=prepared.y, splits=splits, plan=plan, shared=shared)
    with ExitStack() as stack:
        checkpoint = None
        if settings.store is not None:
            checkpoint = stack.enter_context(Checkpoint(settings.store, work, seeds))
        outcomes = Run(work, settings, seeds, checkpoint, told, scoring, near).outcomes(monitor)
    if len(outcomes) < len(splits):
        splits = splits.first(len(outcomes) // splits.n_folds)
    table = scoring.table(len(splits))
    times, told_of = np.empty((2, len(splits), len(names))), defaultdict[str, list[tuple[fitting.Note, ...]]](list)
    for i, row in enumerate(outcomes):
        for e, (name, fold) in enumerate(zip(names, row, strict=True)):
            times[:, i, e] = fold.fit_time, fold.score_time
            if not np.isnan(fold.fit_time):  # fits that were left out say nothing
                told_of[own.get(name, name)].append(fold.notes)
    fitted, train_scores = dict[str, tuple[Any, ...]](), None
    if settings.return_estimator:
        fitted = {name: tuple(row[e].estimator for row in outcomes) for e, name in enumerate(names)}
    if settings.return_train_score:  # nan where there is no number
        train_scores = np.full(table.scores.shape, np.nan)
        for (e, i, m), _ in np.ndenumerate(train_scores):
            score = (outcomes[i][e].train_scored or {}).get(table.metrics[m].name)
            train_scores[e, i, m] = score if isinstance(score, Real) else np.nan
    return Measurement(
        table=table,
        splits=splits,
        failures=_failures(table, names, splits) if table.failures else (),
        shared=sharing.shared_steps(specs, own) if shared else [],
        health=fitting.counted_notes(told_of),
        fields={
            **{"fit_times": times[0].T, "score_times": times[1].T, "train_scores": train_scores, "estimators_": fitted},
            "kept_predictions": KeptPredictions.from_outcomes(prepared.truth, outcomes, names) if keep else None,
        },
    )


def report_failures(failures: Sequence[Failure], settings: RunSettings, n_fits: int) -> None:
    """Raise where nothing may fail or everything did, else warn, in scikit-learn's categories."""
    if settings.stop_on_error:
        raise fitting.EstimatorFailedError(failures[0].message)
    fits = [failure for failure in failures if failure.metric is None]
    started = [failure for failure in fits if failure.started]
    if len(fits) == n_fits:
        others = "" if started == fits else f", and the other {n_fits - len(started)} were not started"
        raise fitting.EstimatorFailedError(f"all {len(started)} fits failed{others}; the first: {fits[0].message}")
    missing = "whose scores are missing; the first:"
    if fits:
        told = f"{len(started)} of {counted(n_fits, 'fit')} failed, {missing} {fits[0].message}"
        warn("; ".join([told, *given_up(fits).values()]), FitFailedWarning)
    if scorings := [failure for failure in failures if failure.metric is not None]:
        told = f"scoring failed {counted(len(scorings), 'time')}, {missing} {scorings[0].metric}: {scorings[0].message}"
        warn(told)


def _failures(table: ScoreTable, names: Sequence[str], splits: Splits) -> tuple[Failure, ...]:
    return tuple(
        Failure(
            estimator=names[e],
            split=i,
            metric=metric,
            message=fitting.failure_message(names[e], splits, i, *error),
            started=error[0] != fitting.START,
        )
        for (e, i, metric), error in sorted(table.failures.items(), key=lambda item: item[0][:2])
    )
