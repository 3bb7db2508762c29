"""What a store keeps of a simulation: what it is found by, and what it must be."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from hashlib import sha256
from numbers import Integral
from typing import Any

import numpy as np

from skcompare._core.design import Design
from skcompare._core.version import __version__
from skcompare.calibration._job import Job, first_evaluation, with_seed
from skcompare.evaluation._settings import RunSettings
from skcompare.evaluation.store._file import KEYS
from skcompare.evaluation.store._identity import Identity, identify
from skcompare.evaluation.store._released import config, environment
from skcompare.evaluation.store._simulations import DataSetKey, SimulatedScores, SimulationStore
from skcompare.evaluator import PairedEvaluator

# Data sets of other sizes may have other test shares, by rounding.
_MAX_FRACTION_DIFFERENCE = 0.1
_ROUNDING = 1e-9


class KeptSimulation:
    """What a store keeps of a simulation; without a store nothing."""

    def __init__(self, store: SimulationStore | None, job: Job, digest: bytes | None) -> None:
        self._store, self._job, self._digest = store, job, digest

    @classmethod
    @contextmanager
    def open(cls, evaluator: PairedEvaluator, job: Job) -> Iterator[KeptSimulation]:
        """The part of the evaluator's store that belongs to this simulation."""
        path = RunSettings(store=evaluator.store).store
        if path is None:
            yield cls(None, job, None)
            return
        digest = _identity_of(job.readings, "readings").digest if job.from_predictions else None
        with SimulationStore(path, **_simulation_key(job)) as store:
            yield cls(store, job, digest)

    def finished(
        self, keys: Sequence[DataSetKey]
    ) -> tuple[dict[DataSetKey, SimulatedScores], dict[DataSetKey, Mapping[str, float]]]:
        """Scores that are there, and of these the readings; what lacks its predictions is not there."""
        if self._store is None:
            return {}, {}
        scores = self._fitting(self._store.finished(keys))
        if self._digest is None:
            return scores, {}
        read = self._store.read(self._digest, list(scores))
        return {key: scores[key] for key in read}, dict(read)

    def _fitting(self, found: dict[DataSetKey, SimulatedScores]) -> dict[DataSetKey, SimulatedScores]:
        """Those of this simulation; others are damaged, whatever their checksums say."""
        if not found:
            return found
        fits = _check_of(self._job)
        fitting = {key: scores for key, scores in found.items() if fits(key, scores)}
        if len(fitting) < len(found):
            warnings.warn(
                f"store: {len(found) - len(fitting)} simulated data sets have other metrics or another design than "
                f"asked for; they are damaged and are simulated again",
                UserWarning,
                stacklevel=4,
            )
        return fitting

    def save(self, key: DataSetKey, scores: SimulatedScores, numbers: Mapping[str, float]) -> None:
        """Keep a finished data set."""
        if self._store is not None:
            self._store.save(key, scores, numbers, self._digest)


def _simulation_key(job: Job) -> dict[str, Any]:
    """What a store finds a simulation by; neither the number of data sets nor the procedures are part of it.

    Returns
    -------
    dict
        digest : of all that the scores depend on. context : the same in JSON. description : the simulation in words.

    Raises
    ------
    ValueError
        If the generator, a model, the design or a metric cannot be told from others.
    """
    cv = job.evaluator.cv
    parts = {
        "generator": _identity_of(job.generator, "generator"),
        "models": identify(list(job.models.values()), "estimators"),
        # every data set has a seed of its own for its splits
        "design": identify(int(cv) if isinstance(cv, Integral) else with_seed(cv, None), "design", complete=True),
        "metrics": identify(job.evaluator.scoring, "metrics", complete=True),
    }
    packages = {name: version for part in parts.values() for name, version in part.packages.items()}
    context = json.dumps(
        {
            "format": KEYS,
            **{name: sha256(part.text.encode()).hexdigest() for name, part in parts.items()},
            "random_state": job.random_state,
            "error_score": repr(job.evaluator.error_score),
            "config": config(),
            "versions": {**packages, **environment(), "skcompare": __version__},
        },
        sort_keys=True,
    )
    described = " ".join(f"{job.generator!r}; {', '.join(job.models)}; {cv!r}".split())
    return {"digest": sha256(context.encode()).digest(), "context": context, "description": described[:2000]}


def _identity_of(value: Any, what: str) -> Identity:
    """The identity of an object, of dataclasses in it by class and fields, since they may have slots."""
    return identify(_opened(value), what, complete=True)


def _opened(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return type(value), {field.name: _opened(getattr(value, field.name)) for field in fields(value)}
    return tuple(map(_opened, value)) if type(value) is tuple else value


def _check_of(job: Job) -> Callable[[DataSetKey, SimulatedScores], bool]:
    """What says whether scores can be those of a data set of this simulation, from its first data set."""
    cv, scoring = job.evaluator.cv, job.evaluator.scoring
    with warnings.catch_warnings(action="ignore", category=UserWarning):  # the evaluation says again what it leaves out
        task, metrics, design = first_evaluation(job.generator, job.models, cv, scoring, job.random_state)
    known = [(metric.name, metric.greater_is_better) for metric in metrics]

    def fits(key: DataSetKey, scores: SimulatedScores) -> bool:
        own = scores.design
        return (
            # the metrics of a callable are known only after a fit
            (callable(scoring) or list(zip(scores.metrics, scores.greater_is_better, strict=True)) == known)
            and (own.n_repeats, own.n_folds, own.partition) == (design.n_repeats, design.n_folds, design.partition)
            and abs(own.test_fraction - design.test_fraction) <= _MAX_FRACTION_DIFFERENCE
            and (scores.task, scores.seed) == (task, job.split_seed(key))
            and _is_consistent(own)
        )

    return fits


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
