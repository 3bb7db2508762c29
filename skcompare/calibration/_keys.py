"""What simulated data sets are found by in a store."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from hashlib import sha256
from numbers import Integral
from typing import Any, NamedTuple

from skcompare._core.version import __version__
from skcompare.evaluation.store._file import FORMAT
from skcompare.evaluation.store._identity import Identity, identify
from skcompare.evaluation.store._released import config, environment


class SimulationKey(NamedTuple):
    """A digest of all that the scores depend on, the same in JSON, and the simulation in words."""

    digest: bytes
    context: str
    description: str


def simulation_key(evaluator: Any, models: Mapping[str, Any], generator: Any, random_state: int) -> SimulationKey:
    """The key of a simulation; neither the number of data sets nor the procedures are part of it.

    Raises
    ------
    ValueError
        If the generator, a model, the design or a metric cannot be told from others.
    """
    parts = {
        "generator": _identity_of(generator),
        "models": identify(list(models.values()), "estimators"),
        "design": identify(_without_seed(evaluator.cv), "design", complete=True),
        "metrics": identify(evaluator.scoring, "metrics", complete=True),
    }
    packages = {name: version for part in parts.values() for name, version in part.packages.items()}
    context = json.dumps(
        {
            "format": FORMAT,
            **{name: sha256(part.text.encode()).hexdigest() for name, part in parts.items()},
            "random_state": random_state,
            "error_score": repr(evaluator.error_score),
            "config": config(),
            "versions": {**packages, **environment(), "skcompare": __version__},
        },
        sort_keys=True,
    )
    described = f"{generator!r}; {', '.join(models)}; {evaluator.cv!r}"
    return SimulationKey(sha256(context.encode()).digest(), context, " ".join(described.split())[:2000])


def readings_digest(readings: Any) -> bytes:
    """What is read from predictions, told from other readings; ValueError where it cannot be."""
    return _identity_of(readings, "readings").digest


def _identity_of(value: Any, what: str = "generator") -> Identity:
    """The identity of an object, of dataclasses in it by class and fields, since they may have slots."""
    return identify(_opened(value), what, complete=True)


def _opened(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return type(value), {field.name: _opened(getattr(value, field.name)) for field in fields(value)}
    return tuple(map(_opened, value)) if type(value) is tuple else value


def _without_seed(cv: Any) -> Any:
    """The design but for the seed of a splitter, which every data set has its own of."""
    if isinstance(cv, Integral):
        return int(cv)
    if hasattr(cv, "split") and hasattr(cv, "random_state"):
        cv = copy.copy(cv)
        cv.random_state = None
    return cv
