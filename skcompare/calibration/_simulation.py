"""Many simulated data sets through one evaluator."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from joblib.parallel import get_active_backend
from sklearn.base import clone

from skcompare._core.design import Design
from skcompare._core.validation import FloatArray, check_integer
from skcompare.calibration._generators import Generator
from skcompare.calibration._job import Done, Found, Job, Readings, Tasks, counted_not_told
from skcompare.calibration._kept import KeptSimulation
from skcompare.evaluation._cluster import check_cluster
from skcompare.evaluation._progress import bar
from skcompare.evaluation._workers import given_up_quietly
from skcompare.evaluation.store._simulations import DataSetKey, SimulatedScores
from skcompare.evaluator import PairedEvaluator
from skcompare.results import EvaluationResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulation:
    """What came of all data sets.

    Attributes
    ----------
    scores : ndarray of shape (n_datasets * n_repeats, 2, n_splits, n_metrics)
        Greater is better; the repeats of a data set stand together.
    metrics : tuple of str
        Names of the metrics.
    design : Design
        How the first data set was resampled; all are alike.
    readings : dict of str to ndarray of shape (n_datasets * n_repeats,)
        What was read from every evaluation.
    models : tuple of str
        Names of the two models.
    ill_defined : ndarray of shape (n_datasets * n_repeats, n_metrics)
        On how many splits a metric was 0/0 for one of the models or both, counted by model.
    n_reused : int
        Evaluations that the store had.
    """

    scores: FloatArray
    metrics: tuple[str, ...]
    design: Design
    readings: Mapping[str, FloatArray]
    models: tuple[str, str]
    ill_defined: FloatArray
    n_reused: int = 0

    def differences(self, metric: str) -> FloatArray:
        """Differences ``a - b``, shape (n_datasets * n_repeats, n_splits)."""
        own = self.scores[:, :, :, self.metrics.index(metric)]
        return np.asarray(own[:, 0] - own[:, 1])


def no_readings(result: EvaluationResult) -> Mapping[str, float]:  # noqa: ARG001
    """Nothing besides the scores."""
    return {}


def simulate(
    evaluator: PairedEvaluator,
    estimators: Mapping[str, Any],
    generator: Generator,
    *,
    n_datasets: int,
    random_state: int,
    readings: Readings = no_readings,
    n_repeats: int = 1,
    from_predictions: bool = False,
) -> Simulation:
    """Draw data sets, evaluate the two models on each, and read off what is asked.

    Data set i and its splits depend on `random_state` and i alone. The evaluator's `n_jobs` is over data sets, its
    `store` keeps what is finished, its `progress` counts data sets.

    Parameters
    ----------
    evaluator : PairedEvaluator
        How to split and score; the random state of a splitter is drawn anew for every data set.
    estimators : mapping of name to estimator
        What `generator.pair` makes two models of.
    generator : Generator
        Draws the data sets.
    n_datasets : int
        How many.
    random_state : int
        Seed of all.
    readings : callable
        Gives numbers by name for a result that has the scores and the design, and the predictions only on request.
    n_repeats : int, default=1
        How often each data set is evaluated, with splits drawn anew.
    from_predictions : bool, default=False
        Whether `readings` needs the predictions. A store then keeps what was read; otherwise it is read again from the
        stored scores.

    Returns
    -------
    Simulation

    Raises
    ------
    EstimatorFailedError
        If an evaluation fails, with the number of the data set; a ValueError.
    """
    job = Job(
        evaluator=_bare(evaluator, keep_predictions=from_predictions),
        models=generator.pair(estimators),
        generator=generator,
        readings=readings,
        from_predictions=from_predictions,
        random_state=check_integer(random_state, "random_state", low=0),
        n_repeats=check_integer(n_repeats, "n_repeats", low=1),
    )
    if len(job.models) != 2:
        raise ValueError(f"generator must give two models to compare; {generator!r:.80} gives {len(job.models)}")
    keys = [
        DataSetKey(number, again)
        for number in range(check_integer(n_datasets, "n_datasets", low=1))
        for again in range(job.n_repeats)
    ]
    with ExitStack() as stack:
        kept = stack.enter_context(KeptSimulation.open(evaluator, job))
        scores, read = kept.finished(keys)
        found: dict[DataSetKey, Found] = {key: (scores[key], read[key]) for key in read}
        missing: dict[int, dict[DataSetKey, SimulatedScores | None]] = {}
        for key in keys:
            if key not in found:
                missing.setdefault(key.number, {})[key] = scores.get(key)
        shown = None
        if evaluator.progress:
            n_done = n_datasets - len(missing)
            shown = stack.enter_context(bar(n_datasets, initial=n_done, unit="data set", desc="data sets"))
        for done in _run(job, missing, n_jobs=evaluator.n_jobs):
            for key, own, numbers in done:
                found[key] = own, numbers
                if key not in scores:
                    kept.save(key, own, numbers)
            if shown is not None:
                shown.update()
    n_reused = len(scores) if not from_predictions else len(read)
    return _assembled([found[key] for key in keys], tuple(job.models), n_reused=n_reused)


def _bare(evaluator: PairedEvaluator, *, keep_predictions: bool) -> PairedEvaluator:
    """The evaluator as the workers use it: one job, and nothing to tell or to keep."""
    if evaluator.n_seeds != 1:
        raise ValueError(
            f"evaluator must have n_seeds=1 to be simulated, one fit per split; got {evaluator.n_seeds!r:.80}"
        )
    cv = evaluator.cv
    if not isinstance(cv, (int, str)) and not hasattr(cv, "split") and hasattr(cv, "__iter__"):
        cv = list(cv)  # an iterator would be empty after the first data set
    own: PairedEvaluator = clone(evaluator, safe=False)
    quiet = {"n_jobs": 1, "store": None, "progress": False, "callback": None, "nested": False}
    return own.set_params(cv=cv, keep_predictions=keep_predictions, **quiet)


def _run(job: Job, missing: Mapping[int, Tasks], *, n_jobs: int | None) -> Iterator[list[Done]]:
    """Finished data sets as they come."""
    backend, _ = get_active_backend()
    streams = getattr(backend, "supports_return_generator", False)
    parallel = Parallel(n_jobs=n_jobs, return_as="generator_unordered" if streams else "list")
    if effective_n_jobs(n_jobs) > 1:
        check_cluster(backend, job)
    calls = (delayed(job.run)(number, tasks) for number, tasks in missing.items())
    with counted_not_told(), given_up_quietly(parallel(calls)) as results:
        yield from results


def _assembled(found: Sequence[Found], models: tuple[str, ...], *, n_reused: int) -> Simulation:
    first, readings = found[0]
    for number, (own, _) in enumerate(found):
        if own.metrics != first.metrics or own.scores.shape != first.scores.shape:
            raise ValueError(
                f"design must give every data set the same splits and metrics; the first has {first.scores.shape[1]} "
                f"splits and {', '.join(first.metrics)}, number {number} has {own.scores.shape[1]} and "
                f"{', '.join(own.metrics)}"
            )
    sign = np.where(first.greater_is_better, 1.0, -1.0)
    return Simulation(
        scores=np.stack([own.scores for own, _ in found]) * sign,
        metrics=first.metrics,
        design=first.design,
        readings={name: np.array([read[name] for _, read in found]) for name in readings},
        models=(models[0], models[1]),
        ill_defined=np.array([np.sum(own.ill_defined, axis=1) for own, _ in found], dtype=float),
        n_reused=n_reused,
    )
