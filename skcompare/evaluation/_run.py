"""One evaluation's fits: what the store has, the rest from the engine, each kept, told and scored as it comes."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing

from skcompare.evaluation._engine import Work, run_fits
from skcompare.evaluation._metrics import Scoring
from skcompare.evaluation._predictions import EstimatorFailedError, Fit, FoldOutcome, failure_message
from skcompare.evaluation._progress import Reporter
from skcompare.evaluation.store._checkpoint import Checkpoint

_BLOCK = 1 << 18  # test samples of complete splits that are scored, and their predictions dropped, together


def run(
    work: Work,
    *,
    seeds: Sequence[int] | None,
    n_jobs: int | None,
    fit_timeout: float | None,
    checkpoint: Checkpoint | None,
    reporter: Reporter,
    scoring: Scoring,
    keep_predictions: bool,
) -> list[list[FoldOutcome]]:
    """Fit every estimator on every split that the checkpoint does not have, and score all.

    Parameters
    ----------
    work : Work
        The data, the splits and the estimators.
    seeds : sequence of int or None
        One per split, for the estimators' open ``random_state`` parameters; None leaves them open.
    n_jobs, fit_timeout : int or None, float or None
        As in `run_fits`.
    checkpoint : Checkpoint or None
        Where finished fits are kept.
    reporter : Reporter
        Told of every finished fit.
    scoring : Scoring
        Given every complete split.
    keep_predictions : bool
        Whether the outcomes keep their predictions after they are scored.

    Returns
    -------
    list of list of FoldOutcome
        Per split, one outcome per estimator.

    Raises
    ------
    EstimatorFailedError
        At the first failure, where the plan says so.
    """
    collected = _Collected(work, scoring, keep_predictions=keep_predictions)
    stored = {} if checkpoint is None else checkpoint.finished()
    for (split, estimator), outcome in sorted(stored.items(), key=lambda item: item[0]):
        collected.put(split, estimator, outcome)
        reporter.tell(split, estimator, reused=True)
    missing = [
        Fit(split, estimator, None if seeds is None else seeds[split])
        for split in range(len(work.splits))
        for estimator in range(len(work.contestants))
        if (split, estimator) not in stored
    ]
    batches = run_fits(work, missing, n_jobs=n_jobs, fit_timeout=fit_timeout, stored=checkpoint is not None)
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
    return collected.outcomes()


def _first_error(work: Work, fit: Fit, outcome: FoldOutcome) -> str | None:
    for step, traceback in outcome.errors.items():
        return failure_message(work.contestants[fit.estimator].name, work.splits, fit.split, step, traceback)
    return None


class _Collected:
    """Outcomes by split and estimator; complete splits are scored in blocks where predictions are not kept."""

    def __init__(self, work: Work, scoring: Scoring, *, keep_predictions: bool) -> None:
        n_estimators = len(work.contestants)
        self._table: list[list[FoldOutcome | None]] = [[None] * n_estimators for _ in range(len(work.splits))]
        self._left = [n_estimators] * len(work.splits)
        self._scoring, self._keep = scoring, keep_predictions
        self._sizes = work.splits.test_sizes
        self._complete: list[int] = []
        self._n_samples = 0

    def put(self, split: int, estimator: int, outcome: FoldOutcome) -> None:
        self._table[split][estimator] = outcome
        self._left[split] -= 1
        if self._left[split] == 0:
            self._complete.append(split)
            self._n_samples += self._sizes[split] * len(self._table[split])
            if not self._keep and self._n_samples >= _BLOCK:
                self._score()

    def outcomes(self) -> list[list[FoldOutcome]]:
        """Per split, one outcome per estimator, all scored."""
        self._score()
        return [_all_there(row) for row in self._table]

    def _score(self) -> None:
        numbers = sorted(self._complete)
        rows = [_all_there(self._table[split]) for split in numbers]
        self._scoring.add(numbers, rows)
        if not self._keep:
            for row in rows:
                for outcome in row:
                    outcome.responses.clear()
        self._complete.clear()
        self._n_samples = 0


def _all_there(row: Sequence[FoldOutcome | None]) -> list[FoldOutcome]:
    outcomes = [outcome for outcome in row if outcome is not None]
    assert len(outcomes) == len(row), "a fit was neither done nor failed"
    return outcomes
