"""What a store keeps of a simulation."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from skcompare.calibration._job import Job
from skcompare.calibration._keys import readings_digest, simulation_key
from skcompare.calibration._simulation_spec import simulation_spec
from skcompare.evaluation._settings import RunSettings
from skcompare.evaluation.store._simulations import DataSetKey, SimulatedScores, SimulationStore
from skcompare.evaluator import PairedEvaluator


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
        key = simulation_key(job.evaluator, job.models, job.generator, job.random_state)
        digest = readings_digest(job.readings) if job.from_predictions else None
        with SimulationStore(path, digest=key.digest, context=key.context, description=key.description) as store:
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
        job = self._job
        spec = simulation_spec(job.evaluator, job.models, job.generator, job.random_state)
        fitting = {key: scores for key, scores in found.items() if spec.fits(scores, job.split_seed(key))}
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
