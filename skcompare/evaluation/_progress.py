"""What is told of a run while it goes on: a bar, and events for a callback."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any

from skcompare._core.record import Record
from skcompare.evaluation._splits import Splits


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ProgressEvent(Record):
    """A finished fit of one estimator on one split, and how far the evaluation is.

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


@dataclass(kw_only=True)
class Reporter:
    """Counts finished fits and tells a bar of tqdm, where there is one, and a callback of them."""

    names: Sequence[str]
    splits: Splits
    dataset: str | None
    bar: Any
    callback: Callable[[ProgressEvent], Any] | None
    n_splits_to_come: int = 0

    def __post_init__(self) -> None:
        self._start = monotonic()
        self._n_total = len(self.names) * (len(self.splits) + self.n_splits_to_come)
        self._n_done = self._n_reused = self._n_failed = 0

    def tell(self, split: int, estimator: int, *, reused: bool = False, error: str | None = None) -> None:
        """A fit is finished."""
        self._n_done += 1
        self._n_reused += reused
        if self._n_done == self._n_reused:
            self._start = monotonic()  # reading the store is no fitting
        self._n_failed += error is not None
        if self.bar is not None:
            if reused and not self.bar.disable:
                self._advance_unrated()
            else:
                self.bar.update()
            if error is not None:
                self.bar.set_postfix(failed=self._n_failed, refresh=False)
        if self.callback is not None:
            self.callback(self._event(split, estimator, reused, error))

    def _advance_unrated(self) -> None:
        """Move the bar on by a fit that counts for neither its rate nor its smoothed rate, nor for the time of both."""
        self.bar.initial += 1
        self.bar.n += 1
        self.bar.last_print_n += 1
        if self._n_done == self._n_reused:
            self.bar.unpause()

    def leave_out(self, n_fits: int) -> None:
        """So many fits will not be made."""
        self._n_total -= n_fits
        if self.bar is not None and n_fits:
            self.bar.total = self._n_total
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
            n_total=self._n_total,
            n_reused=self._n_reused,
            n_failed=self._n_failed,
            elapsed=elapsed,
            rate=rate,
            time_left=(self._n_total - self._n_done) / rate if rate else None,
        )


def bar(total: int, **options: Any) -> Any:
    """A bar of tqdm, a context manager; ImportError with the pip line where there is none."""
    try:
        from tqdm.auto import tqdm
    except ImportError as error:
        raise ImportError("progress=True needs tqdm: pip install 'skcompare[progress]'") from error
    return tqdm(total=total, **options)
