"""What a store holds, for a person, and what can be removed from it; every value in it may come from a stranger."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import inf, nan
from typing import Any

from skcompare.evaluation.store._file import KEYS, has_simulations
from skcompare.evaluation.store._released import environment, installed_version
from skcompare.evaluation.store._store import Store

_FIT_BYTES = "length(fits.content) + length(fits.arrays) + length(fits.scored) + 200"
_DATASET_BYTES = "length(simulated.content) + length(simulated.header) + 100"
_DAY = 86_400.0


@dataclass(frozen=True, kw_only=True)
class StoredEvaluation:
    """The fits on one data set, made with the same libraries and scored alike."""

    number: int
    created_at: float
    used_at: float
    n_samples: int
    n_features: int | None
    models: tuple[str, ...]
    n_fits: int
    n_bytes: int
    context: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class StoredModel:
    """One model of an evaluation; `fit_time` is the mean in seconds."""

    name: str
    description: str
    n_fits: int
    fit_time: float
    packages: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class StoredSimulation:
    """The finished data sets of one simulation."""

    number: int
    used_at: float
    description: str
    n_datasets: int
    n_bytes: int
    context: Mapping[str, Any]


@dataclass(kw_only=True)
class Removal:
    """Fits and simulated data sets of no more use, and why."""

    reason: str
    estimators: list[int] = field(default_factory=list)
    n_fits: int = 0
    simulations: list[int] = field(default_factory=list)
    n_datasets: int = 0
    n_bytes: int = 0


def stored_evaluations(store: Store) -> list[StoredEvaluation]:
    """All evaluations, the last used first."""
    rows = store.connection.execute(
        "SELECT evaluations.id, evaluations.created_at, evaluations.used_at, n_samples, n_features, context, "
        f"count(fits.id), coalesce(sum({_FIT_BYTES}), 0) FROM evaluations "
        "LEFT JOIN estimators ON estimators.evaluation = evaluations.id "
        "LEFT JOIN fits ON fits.estimator = estimators.id "
        "GROUP BY evaluations.id ORDER BY evaluations.used_at DESC, evaluations.id DESC"
    ).fetchall()
    names: dict[int, list[str]] = {}
    for number, name in store.connection.execute("SELECT evaluation, name FROM estimators ORDER BY id"):
        names.setdefault(number, []).append(str(name))
    return [
        StoredEvaluation(
            number=number,
            created_at=_number(created_at),
            used_at=_number(used_at),
            n_samples=n_samples if type(n_samples) is int else 0,
            n_features=n_features if type(n_features) is int else None,
            models=tuple(names.get(number, ())),
            n_fits=n_fits,
            n_bytes=int(n_bytes),
            context=_object(context),
        )
        for number, created_at, used_at, n_samples, n_features, context, n_fits, n_bytes in rows
    ]


def stored_models(store: Store, evaluation: int) -> list[StoredModel]:
    """The models of an evaluation, in the order in which they came."""
    rows = store.connection.execute(
        "SELECT estimators.name, models.description, models.packages, count(fits.id), avg(fits.fit_time) "
        "FROM estimators JOIN models ON models.id = estimators.model "
        "LEFT JOIN fits ON fits.estimator = estimators.id "
        "WHERE estimators.evaluation = ? GROUP BY estimators.id ORDER BY estimators.id",
        (evaluation,),
    )
    return [
        StoredModel(
            name=str(name),
            description=str(description),
            n_fits=n_fits,
            fit_time=_number(fit_time),
            packages=_versions(_object(packages)),
        )
        for name, description, packages, n_fits, fit_time in rows
    ]


def stored_simulations(store: Store) -> list[StoredSimulation]:
    """All simulations, the last used first."""
    if not has_simulations(store.connection):
        return []
    rows = store.connection.execute(
        "SELECT simulations.id, used_at, description, context, count(simulated.number), "
        f"coalesce(sum({_DATASET_BYTES}), 0) FROM simulations "
        "LEFT JOIN simulated ON simulated.simulation = simulations.id "
        "GROUP BY simulations.id ORDER BY used_at DESC, simulations.id DESC"
    )
    return [
        StoredSimulation(
            number=number,
            used_at=_number(used_at),
            description=str(description),
            n_datasets=n_datasets,
            n_bytes=int(n_bytes),
            context=_object(context),
        )
        for number, used_at, description, context, n_datasets, n_bytes in rows
    ]


def versions_of(evaluation: StoredEvaluation) -> dict[str, str]:
    """Library versions by distribution."""
    return _versions(evaluation.context.get("versions"))


def removable(store: Store, *, older_than: float | None) -> list[Removal]:
    """What was made with other library versions than this environment has, or not used for so many days."""
    rows = store.connection.execute(
        "SELECT estimators.id, estimators.used_at, evaluations.context, models.packages, "
        f"count(fits.id), coalesce(sum({_FIT_BYTES}), 0) FROM estimators "
        "JOIN evaluations ON evaluations.id = estimators.evaluation JOIN models ON models.id = estimators.model "
        "LEFT JOIN fits ON fits.estimator = estimators.id GROUP BY estimators.id"
    ).fetchall()
    oldest = -inf if older_than is None else time.time() - older_than * _DAY
    found: dict[str, Removal] = {}
    for number, used_at, context_text, packages, n_fits, n_bytes in rows:
        reason = _reason(_object(context_text), _object(packages), _number(used_at), oldest, older_than)
        if reason:
            removal = found.setdefault(reason, Removal(reason=reason))
            removal.estimators.append(number)
            removal.n_fits += n_fits
            removal.n_bytes += int(n_bytes)
    for simulation in stored_simulations(store):
        reason = _reason(simulation.context, {}, simulation.used_at, oldest, older_than)
        if reason:
            removal = found.setdefault(reason, Removal(reason=reason))
            removal.simulations.append(simulation.number)
            removal.n_datasets += simulation.n_datasets
            removal.n_bytes += simulation.n_bytes
    return list(found.values())


def _reason(
    context: Mapping[str, Any], packages: Mapping[str, Any], used_at: float, oldest: float, older_than: float | None
) -> str:
    """Why something can go; empty where it cannot."""
    told = (_versions(context.get("versions")), _versions(packages))
    others = list(dict.fromkeys(other for versions in told for other in _other_versions(versions)))
    if context.get("format", KEYS) != KEYS:
        return "made by another version of skcompare"
    if others:
        return f"made with {', '.join(others)}"
    return f"not used for {older_than:g} days" if used_at < oldest else ""


def remove(store: Store, removals: list[Removal], *, older_than: float | None) -> None:
    """Delete fits, what then refers to nothing and simulations, and give the space back."""
    with store.transaction(durable=True) as db:
        for removal in removals:
            for table, column in (("fits", "estimator"), ("estimators", "id")):
                db.executemany(f"DELETE FROM {table} WHERE {column} = ?", [(n,) for n in removal.estimators])
            for number in removal.simulations:  # their tables are there where a simulation is
                for table, column in (("simulated", "simulation"), ("readings", "simulation"), ("simulations", "id")):
                    db.execute(f"DELETE FROM {table} WHERE {column} = ?", (number,))
        db.execute("DELETE FROM evaluations WHERE id NOT IN (SELECT evaluation FROM estimators)")
        db.execute("DELETE FROM models WHERE id NOT IN (SELECT model FROM estimators)")
        if older_than is not None:
            db.execute("DELETE FROM seeds WHERE created_at < ?", (time.time() - older_than * _DAY,))
    store.connection.execute("VACUUM")
    store.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _other_versions(versions: Mapping[str, str]) -> Iterator[str]:
    """Where this environment has another version; a package that it does not know may be there under another name."""
    here = environment()
    for name, version in versions.items():
        current = here.get(name) or installed_version(name)
        if current is not None and current != version:
            yield f"{name} {version} (here {current})"


def _number(value: Any) -> float:
    return float(value) if isinstance(value, (int, float)) else nan


def _object(text: Any) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (TypeError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _versions(value: Any) -> dict[str, str]:
    items = value.items() if isinstance(value, dict) else ()
    return {name: version for name, version in items if isinstance(version, str)}
