"""How the fits of an evaluation are run, checked before the first."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from numbers import Integral, Real
from pathlib import Path
from typing import Any

import numpy as np


@dataclass(frozen=True, kw_only=True)
class RunSettings:
    """Where and how fits are made, kept and told of; none of it changes a score.

    The attributes are the parameters of `PairedEvaluator`.

    Raises
    ------
    ValueError
        If one does not fit, naming it.
    """

    n_jobs: int | None = None
    error_score: Any = "raise"
    store: Any = None
    progress: bool = False
    fit_timeout: float | None = None
    keep_predictions: bool = True
    callback: Callable[[Any], Any] | None = None
    check_data: bool = True
    share: bool = True
    nested: bool = False

    @classmethod
    def of(cls, evaluator: Any) -> RunSettings:
        """Those of an evaluator; with several fits per split no predictions are kept."""
        settings = cls(**{field.name: getattr(evaluator, field.name) for field in fields(cls)})
        for name, plain in (("stop", None), ("n_seeds", 1)) if settings.nested else ():
            if getattr(evaluator, name) != plain:
                raise ValueError(
                    f"{name} must be {plain} for nested=True, which is of single fits on splits that are known before; "
                    f"got {getattr(evaluator, name)!r:.80}"
                )
        return settings if evaluator.n_seeds == 1 else replace(settings, keep_predictions=False)

    def __post_init__(self) -> None:
        seconds, n_jobs = self.fit_timeout, self.n_jobs
        if seconds is not None and not (_is_a(Real, seconds) and 0 < seconds < np.inf):
            raise ValueError(f"fit_timeout must be None or a positive number of seconds; got {seconds!r}")
        for name in ("progress", "keep_predictions", "check_data", "share", "nested"):
            if not isinstance(getattr(self, name), (bool, np.bool_)):
                raise ValueError(f"{name} must be True or False; got {getattr(self, name)!r}")
        if self.nested and not self.keep_predictions:
            raise ValueError(
                f"keep_predictions must be True for nested=True, whose losses are read from them; got "
                f"{self.keep_predictions!r}"
            )
        if self.callback is not None and not callable(self.callback):
            raise ValueError(f"callback must be None or a callable; got {self.callback!r:.80}")
        if n_jobs is not None and (not _is_a(Integral, n_jobs) or n_jobs == 0):
            raise ValueError(f"n_jobs must be None or a non-zero integer; got {n_jobs!r}")
        if not self.stop_on_error and not _is_a(Real, self.error_score):
            raise ValueError(f"error_score must be 'raise' or a number; got {self.error_score!r}")
        if self.store is not None and (not isinstance(self.store, (str, os.PathLike)) or not os.fspath(self.store)):
            raise ValueError(f"store must be None or the path of a file; got {self.store!r}")
        if self.store is not None:  # the same wherever an estimator may change to
            object.__setattr__(self, "store", str(Path(self.store).expanduser().absolute()))

    @property
    def stop_on_error(self) -> bool:
        """Whether the first failure ends the run."""
        return isinstance(self.error_score, str) and self.error_score == "raise"

    @property
    def shown_score(self) -> float:
        """What `to_cross_validate` shows where something failed, as scikit-learn does; all else has nan there."""
        return np.nan if self.stop_on_error else float(self.error_score)


def _is_a(kind: type, value: Any) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool)
