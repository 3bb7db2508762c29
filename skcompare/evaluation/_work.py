"""What is to be fitted, and what a fit gave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from skcompare.evaluation._backlog import Backlog
from skcompare.evaluation._predictions import EstimatorSpec, Fit, FitPlan, FoldOutcome
from skcompare.evaluation._splits import Splits


@dataclass(frozen=True, kw_only=True)
class Work:
    """The data, the splits, and what to do with them."""

    specs: Sequence[EstimatorSpec]
    X: Any
    y: Any
    splits: Splits
    plan: FitPlan


@dataclass(frozen=True, slots=True)
class Finished:
    """A fit and what it gave."""

    fit: Fit
    outcome: FoldOutcome


def finished_fits(fits: Sequence[Fit], outcomes: Sequence[FoldOutcome], backlog: Backlog) -> list[Finished]:
    for fit, outcome in zip(fits, outcomes, strict=False):
        backlog.observe(fit.estimator, outcome.fit_time + outcome.score_time)
    return [Finished(fit, outcome) for fit, outcome in zip(fits, outcomes, strict=False)]
