"""One evaluation's fits: what the store has, the rest from the engine, each kept, told and scored as it comes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import product

from skcompare.evaluation._engine import run_fits
from skcompare.evaluation._metrics import ScoreTable, Scoring
from skcompare.evaluation._predictions import EstimatorFailedError, Fit, FoldOutcome, failure_message
from skcompare.evaluation._progress import Reporter
from skcompare.evaluation._settings import RunSettings
from skcompare.evaluation._splits import Splits
from skcompare.evaluation._work import Work
from skcompare.evaluation.store._checkpoint import Checkpoint

Monitor = Callable[[ScoreTable], Sequence[int]]
_BLOCK = 1 << 18  # test samples of complete splits that are scored, and their predictions dropped, together


def run(
    work: Work,
    settings: RunSettings,
    *,
    seeds: Sequence[int] | None,
    checkpoint: Checkpoint | None,
    reporter: Reporter,
    scoring: Scoring,
    monitor: Monitor | None = None,
) -> list[list[FoldOutcome]]:
    """Fit every estimator on every split that the checkpoint does not have, and score all.

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
    collected = _Collected(work, scoring, keep_predictions=settings.keep_predictions)
    stored = {} if checkpoint is None else checkpoint.finished()

    def fit(splits: range, estimators: Sequence[int]) -> None:
        """Every one of the estimators on every one of the splits."""
        collected.expect(splits, estimators)
        missing = []
        for split, estimator in product(splits, estimators):
            if (split, estimator) in stored:
                collected.put(split, estimator, stored[split, estimator])
                reporter.tell(split, estimator, reused=True)
            else:
                missing.append(Fit(split, estimator, None if seeds is None else seeds[split]))
        batches = run_fits(
            work, missing, n_jobs=settings.n_jobs, fit_timeout=settings.fit_timeout, stored=checkpoint is not None
        )
        with closing(batches):
            for batch in batches:
                if checkpoint is not None:
                    checkpoint.save([(done.fit.split, done.fit.estimator, done.outcome) for done in batch])
                for done in batch:
                    error = _first_error(work, done.fit, done.outcome)
                    reporter.tell(done.fit.split, done.fit.estimator, error=error)
                    if error is not None and work.plan.stop_on_error:
                        raise EstimatorFailedError(error) from done.outcome.exception
                    collected.put(done.fit.split, done.fit.estimator, done.outcome)

    everyone = range(len(work.specs))
    if monitor is None:
        fit(range(len(work.splits)), everyone)
    else:
        _in_repeats(work.splits, everyone, fit, monitor, collected, reporter)
    return collected.outcomes()


def _in_repeats(
    splits: Splits,
    estimators: Sequence[int],
    fit: Callable[[range, Sequence[int]], None],
    monitor: Monitor,
    collected: _Collected,
    reporter: Reporter,
) -> None:
    """Repeat by repeat, with the estimators that the monitor lets go on, until there are none."""
    for end in range(splits.n_folds, len(splits) + 1, splits.n_folds):
        fit(range(end - splits.n_folds, end), estimators)
        remaining = monitor(collected.scores(end))
        reporter.leave_out((len(splits) - end) * (len(estimators) - len(remaining)))
        estimators = remaining
        if not estimators:
            return


def _first_error(work: Work, fit: Fit, outcome: FoldOutcome) -> str | None:
    name = work.specs[fit.estimator].name
    failed = (failure_message(name, work.splits, fit.split, *error) for error in outcome.errors.items())
    return next(failed, None)


class _Collected:
    """Outcomes by split and estimator; complete splits are scored in blocks where predictions are not kept."""

    def __init__(self, work: Work, scoring: Scoring, *, keep_predictions: bool) -> None:
        self._n_estimators = len(work.specs)
        self._table: dict[int, dict[int, FoldOutcome]] = {}
        self._estimators: Sequence[int] = ()
        self._scoring, self._keep = scoring, keep_predictions
        self._sizes = work.splits.test_sizes
        self._complete: list[int] = []
        self._n_samples = 0

    def expect(self, splits: Sequence[int], estimators: Sequence[int]) -> None:
        """These come next; `Scoring` raises in the end where one is missing."""
        self._score()
        self._estimators = estimators
        self._table.update({split: {} for split in splits})

    def put(self, split: int, estimator: int, outcome: FoldOutcome) -> None:
        row = self._table[split]
        row[estimator] = outcome
        if len(row) == len(self._estimators):
            self._complete.append(split)
            self._n_samples += self._sizes[split] * len(row)
            if not self._keep and self._n_samples >= _BLOCK:
                self._score()

    def scores(self, n_splits: int) -> ScoreTable:
        """The scores of the first splits."""
        self._score()
        return self._scoring.interim(n_splits)

    def outcomes(self) -> list[list[FoldOutcome]]:
        """Per split, one outcome per estimator, all scored."""
        self._score()
        return [
            [row[estimator] if estimator in row else FoldOutcome() for estimator in range(self._n_estimators)]
            for row in self._table.values()
        ]

    def _score(self) -> None:
        numbers = sorted(self._complete)
        rows = [[self._table[split][estimator] for estimator in self._estimators] for split in numbers]
        self._scoring.add(numbers, rows, self._estimators)
        if not self._keep:
            for row in rows:
                for outcome in row:
                    outcome.responses.clear()
        self._complete.clear()
        self._n_samples = 0
