"""What every data set of a simulation must have, so that others that a store holds are known for damage."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from skcompare._core.design import Design
from skcompare.calibration._generators import Generator
from skcompare.calibration._prepare import first_evaluation
from skcompare.evaluation.store._simulations import SimulatedScores
from skcompare.evaluator import PairedEvaluator

# Data sets of other sizes may have other test shares, by rounding.
_MAX_FRACTION_DIFFERENCE = 0.1
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationSpec:
    """The metrics and the design of a simulation.

    Attributes
    ----------
    directions : mapping of str to bool, or None
        By metric whether greater is better; None where the names are known only after a fit.
    design : Design
        Of the first data set, with splits of any seed.
    task : str
        The kind of problem.
    """

    directions: Mapping[str, bool] | None
    design: Design
    task: str

    def fits(self, found: SimulatedScores, seed: int) -> bool:
        """Whether scores can be those of a data set of this simulation whose splits have a seed."""
        own, design = found.design, self.design
        named = dict(zip(found.metrics, found.greater_is_better, strict=True))
        return (
            (self.directions is None or list(named.items()) == list(self.directions.items()))
            and (own.n_repeats, own.n_folds, own.partition) == (design.n_repeats, design.n_folds, design.partition)
            and abs(own.test_fraction - design.test_fraction) <= _MAX_FRACTION_DIFFERENCE
            and (found.task, found.seed) == (self.task, seed)
            and _is_consistent(own)
        )


def simulation_spec(
    evaluator: PairedEvaluator, models: Mapping[str, Any], generator: Generator, random_state: int
) -> SimulationSpec:
    """What a simulation asks for, from its first data set."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # the evaluation says again which metrics it leaves out
        task, metrics, design = first_evaluation(generator, models, evaluator.cv, evaluator.scoring, random_state)
    several = callable(evaluator.scoring) and not isinstance(evaluator.scoring, str)
    return SimulationSpec(
        directions=None if several else {metric.name: metric.greater_is_better for metric in metrics},
        design=design,
        task=task,
    )


def _is_consistent(design: Design) -> bool:
    """Whether sizes, test fraction and number of samples go together."""
    train, test = np.array(design.train_sizes), np.array(design.test_sizes)
    share = float(test.mean() / (train.mean() + test.mean()))
    n_samples = design.n_samples or 0
    return (
        abs(share - design.test_fraction) < _ROUNDING
        and int((train + test).max()) <= n_samples
        and (not design.partition or int(test.sum()) == n_samples * design.n_repeats)
    )
