"""What the estimates of size, power and replicability have in common: the p-values, a row per procedure and metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan
from typing import Any, NamedTuple, Self, TypeVar

import numpy as np

from skcompare._core.design import Design
from skcompare._core.frames import frame_of
from skcompare._core.html import cut
from skcompare._core.numbers import percent
from skcompare._core.printable import one_line
from skcompare._core.record import Record
from skcompare._core.validation import FloatArray, check_integer, check_number
from skcompare.calibration._job import first_evaluation, name_models
from skcompare.calibration._readings import Reading, choose_readings
from skcompare.calibration._simulation import Simulation, simulate
from skcompare.evaluation._settings import RunSettings
from skcompare.evaluator import PairedEvaluator
from skcompare.inference import proportion_interval

Row = TypeVar("Row", bound=Record)
_MAX_NAME = 200


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class Estimate(Record, Sequence[Row]):
    """Rows, and what they were measured with."""

    rows: tuple[Row, ...]
    alpha: float
    confidence_level: float
    models: tuple[str, str]
    design: Design
    generator: str

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: Any) -> Any:
        return self.rows[index]

    def at(self, alpha: float) -> Self:
        """The same at another level, from the same data sets.

        Parameters
        ----------
        alpha : float
            Nominal level, in (0, 1).

        Returns
        -------
        SizeEstimate, PowerEstimate or ReplicabilityEstimate
            As it was, but for what depends on the level.

        Raises
        ------
        ValueError
            If the level is out of range.
        """
        check_number(alpha, "alpha", low=0, high=1, closed="neither")
        return replace(self, alpha=float(alpha), rows=self._rows_at(float(alpha)))

    def to_frame(self) -> Any:
        """The rows as a pandas DataFrame; needs pandas.

        Returns
        -------
        pandas.DataFrame
            A row per procedure and metric, a column per field.
        """
        return frame_of(self.rows)

    def _rows_at(self, alpha: float) -> tuple[Row, ...]:
        raise NotImplementedError

    def _where(self, n_datasets: int) -> str:
        return f"{n_datasets} data sets of {self.generator}, {self.design.name}, {' against '.join(self.models)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredPValues:
    """The p-values, and what they were read from.

    Attributes
    ----------
    readings : tuple of Reading
        What each row is about.
    pvalues : ndarray of shape (n_rows, n_datasets, n_repeats)
        In [0, 1], nan where a procedure gave none.
    simulation : Simulation
        The scores of all data sets.
    conditions : mapping of str to object
        The fields that every estimate has: levels, models, design and generator.
    """

    readings: tuple[Reading, ...]
    pvalues: FloatArray
    simulation: Simulation
    conditions: Mapping[str, Any]


def measure_pvalues(
    procedure: Any,
    what: tuple[Any, Any, Any, Any],
    options: Mapping[str, Any],
    *,
    alpha: float,
    confidence_level: float,
    n_datasets: int,
    n_repeats: int = 1,
    random_state: int,
    **how: Any,
) -> MeasuredPValues:
    """Check all that can be without a fit, simulate, and read the p-values.

    `what` is design, generator, metrics and estimators; `how` are n_jobs, store and progress.
    """
    design, generator, metrics, estimators = what
    check_number(alpha, "alpha", low=0, high=1, closed="neither")
    check_number(confidence_level, "confidence_level", low=0, high=1, closed="neither")
    check_integer(n_datasets, "n_datasets", low=2)
    if isinstance(generator, type) or not all(callable(getattr(generator, name, None)) for name in ("draw", "pair")):
        raise ValueError(f"generator must have methods draw(rng) and pair(estimators); got {generator!r:.80}")
    check_integer(random_state, "random_state", low=0)
    named = name_models(estimators)
    models = generator.pair(named)
    if not isinstance(models, Mapping) or len(models) != 2:
        raise ValueError(f"generator must pair two models by name; {generator!r:.80} gives {models!r:.80}")
    if not hasattr(design, "split") and hasattr(design, "__iter__") and not isinstance(design, str):
        design = list(design)  # an iterator would be empty after the first data set
    task, resolved, own = first_evaluation(generator, models, design, metrics, random_state)
    RunSettings(**how)
    chosen = choose_readings(procedure, own, tuple(metric.name for metric in resolved), task, options)
    simulation = simulate(
        PairedEvaluator(cv=design, scoring=metrics, **how),
        named,
        generator,
        n_datasets=n_datasets,
        random_state=random_state,
        readings=chosen,
        n_repeats=n_repeats,
        from_predictions=any(reading.from_predictions for reading in chosen.readings),
    )
    pvalues = np.stack([simulation.readings[reading.name] for reading in chosen.readings])
    pvalues = pvalues.reshape(-1, n_datasets, n_repeats)
    if ((pvalues < 0) | (pvalues > 1)).any():
        raise ValueError("store must hold p-values in [0, 1]; it holds others")
    conditions = {
        "alpha": float(alpha),
        "confidence_level": float(confidence_level),
        "models": simulation.models,
        "design": simulation.design,
        "generator": cut(one_line(repr(generator)), _MAX_NAME),
    }
    return MeasuredPValues(readings=chosen.readings, pvalues=pvalues, simulation=simulation, conditions=conditions)


class Share(NamedTuple):
    """A share and its interval, all nan where it is not known."""

    share: float
    low: float
    high: float


def share_of(count: int, n: int, confidence_level: float) -> Share:
    """A share of `n`, with the interval of Clopper and Pearson."""
    interval = proportion_interval(count, n, confidence_level=confidence_level, method="clopper_pearson")
    return Share(count / n, interval.low, interval.high)


def span(shares: Sequence[float]) -> str:
    """The lowest and the highest of the shares that are known."""
    known = [share for share in shares if not isnan(share)]
    if not known:
        return "an unknown share"
    low, high = percent(min(known), 1), percent(max(known), 1)
    return low if low == high else f"{low} to {high}"
