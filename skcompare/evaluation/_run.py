"""One evaluation's fits: what the store has, the rest from the engine, each kept, told and scored as it comes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import product

from skcompare.evaluation._engine import run_fits
from skcompare.evaluation._equal_steps import in_groups
from skcompare.evaluation._failures import FirstFits, failure_message, not_started
from skcompare.evaluation._metrics import ScoreTable, Scoring
from skcompare.evaluation._predictions import EstimatorFailedError, Fit, FoldOutcome
from skcompare.evaluation._progress import Reporter
from skcompare.evaluation._settings import RunSettings
from skcompare.evaluation._work import Backlog, Finished, Work
from skcompare.evaluation.store._checkpoint import Checkpoint

Monitor = Callable[[ScoreTable], Sequence[int]]
_BLOCK = 1 << 18  # test samples of complete splits that are scored, and their predictions dropped, together


@dataclass(kw_only=True)
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
    """

    work: Work
    settings: RunSettings
    seeds: Sequence[int] | None
    checkpoint: Checkpoint | None
    reporter: Reporter
    scoring: Scoring

    def __post_init__(self) -> None:
        self._stored = {} if self.checkpoint is None else self.checkpoint.finished()
        self._estimators: Sequence[int] = range(len(self.work.specs))  # those that go on
        self._table: dict[int, dict[int, FoldOutcome]] = {}
        self._first = FirstFits(0 if self.work.plan.stop_on_error else len(self.work.splits))
        self._held: dict[int, dict[int, FoldOutcome]] = {}  # by estimator and split, until its first fits are known
        self._complete: list[int] = []
        self._n_samples = 0

    def outcomes(self, monitor: Monitor | None = None) -> list[list[FoldOutcome]]:
        """Do it.

        Parameters
        ----------
        monitor : callable, optional
            Given the scores after every repeat, it says which estimators go on; none ends the run.

        Returns
        -------
        list of list of FoldOutcome
            Per split that was done, one outcome per estimator, an empty one where it was left out.

        Raises
        ------
        EstimatorFailedError
            At the first failure, where the plan says so.
        """
        if monitor is None:
            self._fit(range(len(self.work.splits)))
        else:
            self._in_repeats(monitor)
        everyone = range(len(self.work.specs))
        return [[row[e] if e in row else FoldOutcome() for e in everyone] for row in self._table.values()]

    def _in_repeats(self, monitor: Monitor) -> None:
        """Repeat by repeat, with the estimators that the monitor lets go on, until there are none."""
        n_splits, n_folds = len(self.work.splits), self.work.splits.n_folds
        for end in range(n_folds, n_splits + 1, n_folds):
            self._fit(range(end - n_folds, end))
            remaining = monitor(self.scoring.interim(end))
            self.reporter.leave_out((n_splits - end) * (len(self._estimators) - len(remaining)))
            self._estimators = remaining
            if not remaining:
                return

    def _fit(self, splits: range) -> None:
        """Every estimator that goes on, on every one of the splits."""
        self._table.update({split: {} for split in splits})
        missing = []
        order = self._estimators if self.seeds is None else in_groups(self.work.specs, self._estimators)
        for split, estimator in product(splits, order):
            if self._first.gave_up(split, estimator):
                self._keep(split, estimator, not_started())
                self.reporter.leave_out(1)
            elif (split, estimator) in self._stored:
                self._put(split, estimator, self._stored[split, estimator])
                self.reporter.tell(split, estimator, reused=True)
            else:
                missing.append(Fit(split, estimator, None if self.seeds is None else self.seeds[split]))
        n_jobs, fit_timeout = self.settings.n_jobs, self.settings.fit_timeout
        stored = self.checkpoint is not None
        shared = {e: spec.shared for e, spec in enumerate(self.work.specs)}
        backlog = Backlog(missing, shared=shared, waits=lambda fit: self._first.hold(fit.split, fit.estimator))
        with closing(run_fits(self.work, backlog, n_jobs=n_jobs, fit_timeout=fit_timeout, stored=stored)) as batches:
            for batch in batches:
                for estimator in self._take(batch):
                    backlog.leave_out(estimator)
                    self._give_up(estimator, splits)
        self._score()

    def _take(self, batch: Sequence[Finished]) -> Iterator[int]:
        """Keep what is finished, and tell of it; an estimator whose other fits are not to be started is given."""
        if self.checkpoint is not None:
            self.checkpoint.save([(done.fit.split, done.fit.estimator, done.outcome) for done in batch])
        for done in batch:
            split, estimator, _ = done.fit
            if self._first.gave_up(split, estimator):
                continue  # it was started before
            name, errors = self.work.specs[estimator].name, done.outcome.errors.items()
            error = next((failure_message(name, self.work.splits, split, *failed) for failed in errors), None)
            self.reporter.tell(split, estimator, error=error)
            if error is not None and self.work.plan.ends_with(done.outcome.errors):
                raise EstimatorFailedError(error) from done.outcome.exception
            self._put(split, estimator, done.outcome)
            if self._first.gave_up(len(self.work.splits), estimator):
                yield estimator

    def _put(self, split: int, estimator: int, outcome: FoldOutcome) -> None:
        """Keep an outcome once it is known whether its fit was to be started."""
        self._first.take(split, estimator, outcome)
        held = self._held.setdefault(estimator, {})
        if self._first.hold(split, estimator):
            held[split] = outcome
            return
        self._keep(split, estimator, outcome)
        if held and not self._first.hold(max(held), estimator) and not self._first.gave_up(max(held), estimator):
            for later in sorted(held):
                self._keep(later, estimator, held.pop(later))

    def _give_up(self, estimator: int, splits: range) -> None:
        """The other fits of an estimator count as failed, those too that were started before."""
        held = self._held.pop(estimator, {})
        for split in splits:
            if self._first.gave_up(split, estimator):
                self._keep(split, estimator, not_started())
                self.reporter.leave_out(split not in held)

    def _keep(self, split: int, estimator: int, outcome: FoldOutcome) -> None:
        """Complete splits are scored in blocks where predictions are not kept."""
        row = self._table[split]
        row[estimator] = outcome
        if len(row) == len(self._estimators):
            self._complete.append(split)
            self._n_samples += self.work.splits.test_sizes[split] * len(row)
            if not self.settings.keep_predictions and self._n_samples >= _BLOCK:
                self._score()

    def _score(self) -> None:
        numbers = sorted(self._complete)
        rows = [[self._table[split][estimator] for estimator in self._estimators] for split in numbers]
        self.scoring.add(numbers, rows, self._estimators)
        if not self.settings.keep_predictions:
            for row in rows:
                for outcome in row:
                    outcome.responses.clear()
        self._complete.clear()
        self._n_samples = 0
