"""Procedures, a design, a generator and two models -> the p-values on many simulated data sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from skcompare._core.html import cut
from skcompare._core.printable import one_line
from skcompare._core.validation import FloatArray, check_integer, check_number
from skcompare.calibration._prepare import prepare_simulation
from skcompare.calibration._readings import Reading, choose_readings
from skcompare.calibration._simulation import Simulation, simulate

_MAX_NAME = 200


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
    """Check all arguments, simulate, and read the p-values; `what` is design, generator, metrics and estimators."""
    check_number(alpha, "alpha", low=0, high=1, closed="neither")
    check_number(confidence_level, "confidence_level", low=0, high=1, closed="neither")
    check_integer(n_datasets, "n_datasets", low=2)
    prepared = prepare_simulation(*what, random_state=random_state, **how)
    chosen = choose_readings(procedure, prepared.design, prepared.metrics, prepared.task, options)
    simulation = simulate(
        prepared.evaluator,
        prepared.estimators,
        what[1],
        n_datasets=n_datasets,
        random_state=random_state,
        readings=chosen,
        n_repeats=n_repeats,
        from_predictions=any(reading.from_predictions for reading in chosen.readings),
    )
    pvalues = np.array(
        [simulation.readings[reading.name].reshape(n_datasets, n_repeats) for reading in chosen.readings]
    )
    if ((pvalues < 0) | (pvalues > 1)).any():
        raise ValueError("store must hold p-values in [0, 1]; it holds others")
    return MeasuredPValues(
        readings=chosen.readings,
        pvalues=pvalues,
        simulation=simulation,
        conditions={
            "alpha": float(alpha),
            "confidence_level": float(confidence_level),
            "models": simulation.models,
            "design": simulation.design,
            "generator": cut(one_line(repr(what[1])), _MAX_NAME),
        },
    )
