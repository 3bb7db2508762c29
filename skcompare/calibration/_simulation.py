"""Many simulated data sets through one evaluator."""

from __future__ import annotations

import copy
import json
import os
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import field, fields, is_dataclass, replace
from hashlib import sha256
from itertools import product, starmap
from numbers import Integral
from typing import Any

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from joblib.parallel import get_active_backend
from sklearn.base import clone
from sklearn.exceptions import UndefinedMetricWarning

from skcompare._core.design import Design
from skcompare._core.record import Frozen, picked
from skcompare._core.validation import FloatArray, check_integer
from skcompare._core.version import __version__
from skcompare._core.warnings import warn
from skcompare.calibration._generators import Generator
from skcompare.evaluation import input as inputs
from skcompare.evaluation.cluster import check_cluster
from skcompare.evaluation.engine import bar
from skcompare.evaluation.fit import EstimatorFailedError
from skcompare.evaluation.metrics.scoring import Metric, resolve_scoring
from skcompare.evaluation.splits import draw_splits, make_splitter
from skcompare.evaluation.store.file import KEYS
from skcompare.evaluation.store.keys import config, environment, identify
from skcompare.evaluation.store.simulations import DataSetKey, SimulatedScores, SimulationStore
from skcompare.evaluation.workers import end_with_parent, given_up_quietly
from skcompare.evaluator import PairedEvaluator
from skcompare.results import EvaluationResult

# What a simulation will be by its first data set, and the work on each, in whatever process.


# What is asked of every evaluation besides its scores: numbers by name, e.g. p-values of procedures.
Readings = Callable[[EvaluationResult], Mapping[str, float]]
Found = tuple[SimulatedScores, Mapping[str, float]]
Done = tuple[DataSetKey, SimulatedScores, Mapping[str, float]]
# The evaluations of a data set; with scores only the reading is left to do.
Tasks = Mapping[DataSetKey, SimulatedScores | None]


def name_models(estimators: Any) -> Mapping[str, Any]:
    """One estimator or more by name, as `PairedEvaluator` names them."""
    if hasattr(estimators, "fit") and not isinstance(estimators, (Mapping, Sequence)):
        estimators = [estimators]
    if not isinstance(estimators, (Mapping, list, tuple)) or len(estimators) != 1:
        return inputs.name_estimators(estimators, fewest=2, argument="models")
    if isinstance(estimators, Mapping):
        ((name, estimator),) = estimators.items()
    else:
        is_named = isinstance(estimators[0], tuple) and len(estimators[0]) == 2
        ((name, estimator),) = estimators if is_named else inputs.name_by_difference(estimators)
    inputs.name_estimators([(name, estimator), (f"{name} again", estimator)], argument="models")
    return {name: estimator}


def first_dataset(generator: Generator, random_state: int) -> tuple[Any, Any, np.ndarray[Any, Any]]:
    """X, y, and y as an array."""
    data = generator.draw(np.random.default_rng(np.random.SeedSequence(random_state, spawn_key=(0, 0))))
    if not inputs.is_data(data) or len(data) != 2:
        raise ValueError(f"generator must draw (X, y); {generator!r:.80} gave {type(data).__name__}")
    X, y, _ = inputs.check_data(*data, None)
    return X, y, inputs.check_target(X, y)


def first_evaluation(
    generator: Generator, models: Mapping[str, Any], design: Any, metrics: Any, random_state: int
) -> tuple[inputs.Task, Sequence[Metric], Design]:
    """The kind of problem, the metrics and the design of the first data set."""
    X, y, truth = first_dataset(generator, random_state)
    task = inputs.task_of(list(models.values()), truth)
    with _renamed("cv", "design"):
        splitter = make_splitter(design, y, stratified=inputs.is_classification(task), random_state=random_state)
    with _renamed("scoring", "metrics"):
        resolved = resolve_scoring(metrics, task, models)
    return task, resolved, draw_splits(splitter, X, y, n_samples=len(truth), params={}).design


@contextmanager
def _renamed(theirs: str, ours: str) -> Iterator[None]:
    """Let errors name the argument of the caller instead of that of the evaluator."""
    try:
        yield
    except ValueError as error:
        hint, asked, rest = str(error).rpartition("? ")  # what may have been meant comes first
        if not rest.startswith(theirs):
            raise
        raise ValueError(f"{hint}{asked}{rest.replace(theirs, ours, 1)}") from error


class Job(Frozen):
    """What all data sets of a simulation have in common."""

    evaluator: PairedEvaluator
    models: Mapping[str, Any]
    generator: Generator
    readings: Readings
    from_predictions: bool
    random_state: int
    n_repeats: int
    parent: int = field(default_factory=os.getpid)

    def seed(self, number: int, what: int) -> np.random.SeedSequence:
        """What a data set (0) or its splits (1) are drawn with."""
        return np.random.SeedSequence(self.random_state, spawn_key=(number, what))

    def split_seed(self, key: DataSetKey) -> int:
        """The seed of the splits of one evaluation."""
        return int(self.seed(key.number, 1).generate_state(key.again + 1)[key.again])

    def run(self, number: int, tasks: Tasks) -> list[Done]:
        """All evaluations that are missing of one data set."""
        if os.getppid() == self.parent:
            end_with_parent(self.parent)
        data: tuple[Any, Any] | None = None
        done: list[Done] = []
        with nullcontext() if os.getpid() == self.parent else counted_not_told():
            for key, scores in tasks.items():
                result = None
                if scores is None:
                    if data is None:
                        data = self.generator.draw(np.random.default_rng(self.seed(number, 0)))
                    result = self._evaluate(key, *data)
                    scores = _scores_of(result)
                if result is None or not self.from_predictions:
                    result = rebuilt(scores, tuple(self.models))
                done.append((key, scores, {name: float(value) for name, value in self.readings(result).items()}))
        return done

    def _evaluate(self, key: DataSetKey, X: Any, y: Any) -> EvaluationResult:
        split = self.split_seed(key)
        own: PairedEvaluator = clone(self.evaluator, safe=False)
        cv = self.evaluator.cv
        cv = cv if getattr(cv, "shuffle", True) is False else with_seed(cv, split)
        own._set_options(check_data=False).set_params(random_state=split, cv=cv)
        try:
            return own.evaluate(self.models, X, y)
        except ValueError as error:
            kind = EstimatorFailedError if isinstance(error, EstimatorFailedError) else ValueError
            raise kind(f"simulated data set {key.number}: {error}") from error


def with_seed(cv: Any, seed: int | None) -> Any:
    """A splitter that draws its splits with a seed; any other `cv` as it is."""
    if hasattr(cv, "split") and hasattr(cv, "random_state"):
        cv = copy.copy(cv)
        cv.random_state = seed
    return cv


def counted_not_told() -> AbstractContextManager[Any]:
    """Ignore warnings of metrics that are 0/0, which are counted; filters belong to the process."""
    return warnings.catch_warnings(action="ignore", category=UndefinedMetricWarning)


def _scores_of(result: EvaluationResult) -> SimulatedScores:
    first, second = (result._scores.ill_defined.get(name, {}) for name in result.estimators)
    return SimulatedScores(
        metrics=result.metrics,
        greater_is_better=tuple(bool(flag) for flag in result.greater_is_better),
        design=replace(result.design, class_counts=()),  # which are the generator's
        scores=result.scores,
        ill_defined=tuple((int(first.get(name, 0)), int(second.get(name, 0))) for name in result.metrics),
        task=result._scores.task,
        seed=result.provenance["random_state"],
    )


def rebuilt(found: SimulatedScores, models: tuple[str, ...]) -> EvaluationResult:
    """A result without predictions, as good as the first for every procedure on scores."""
    return EvaluationResult(
        estimators=models,
        **picked(found, "metrics", "greater_is_better", "design", "task"),
        scores=found.scores.copy(),
        ill_defined={
            name: {metric: counts[i] for metric, counts in zip(found.metrics, found.ill_defined, strict=True)}
            for i, name in enumerate(models)
        },
        provenance={"random_state": found.seed},
    )


# What a store keeps of a simulation: what it is found by, and what it must be.


# Data sets of other sizes may have other test shares, by rounding.
_MAX_FRACTION_DIFFERENCE = 0.1
_ROUNDING = 1e-9


def _kept(
    store: SimulationStore, job: Job, keys: Sequence[DataSetKey], digest: bytes | None
) -> tuple[dict[DataSetKey, SimulatedScores], Mapping[DataSetKey, Mapping[str, float]]]:
    """Stored scores and p-values; a data set whose predictions are needed and not read counts as missing."""
    found = store.finished(keys)
    fits = _check_of(job) if found else None
    scores = {key: own for key, own in found.items() if fits is not None and fits(key, own)}
    if len(scores) < len(found):  # whatever their checksums say
        warn(
            f"store: {len(found) - len(scores)} simulated data sets have other metrics or another design than "
            f"asked for; they are damaged and are simulated again"
        )
    if digest is None:
        return scores, {}
    read = store.read(digest, list(scores))
    return {key: scores[key] for key in read}, read


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
        "generator": identify(_opened(job.generator), "generator", complete=True),
        "models": identify(list(job.models.values()), "models"),
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


def _opened(value: Any) -> Any:
    """An object, with dataclasses in it as their class and fields, since they may have slots."""
    if is_dataclass(value) and not isinstance(value, type):
        return type(value), {field.name: _opened(getattr(value, field.name)) for field in fields(value)}
    return tuple(map(_opened, value)) if type(value) is tuple else value


def _check_of(job: Job) -> Callable[[DataSetKey, SimulatedScores], bool]:
    """A function that says whether stored scores fit the first data set of this simulation."""
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


class Simulation(Frozen):
    """The scores of all simulated data sets.

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
    of_datasets = range(check_integer(n_datasets, "n_datasets", low=1))
    keys = list(starmap(DataSetKey, product(of_datasets, range(job.n_repeats))))
    path = inputs.RunSettings(store=evaluator.store).store
    scores: dict[DataSetKey, SimulatedScores] = {}
    read: Mapping[DataSetKey, Mapping[str, float]] = {}
    keyed = from_predictions and path is not None
    digest = identify(_opened(readings), "readings", complete=True).digest if keyed else None
    with ExitStack() as stack:
        if path is not None:
            store = stack.enter_context(SimulationStore(path, **_simulation_key(job)))
            scores, read = _kept(store, job, keys, digest)
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
                if path is not None and key not in scores:
                    store.save(key, own, numbers, digest)
            if shown is not None:
                shown.update()
    n_reused = len(scores) if not from_predictions else len(read)
    return _assembled([found[key] for key in keys], tuple(job.models), n_reused=n_reused)


def _bare(evaluator: PairedEvaluator, *, keep_predictions: bool) -> PairedEvaluator:
    """The evaluator as the workers use it: one job, and nothing to tell or to keep."""
    if (n := evaluator.n_seeds) != 1:
        raise ValueError(f"evaluator must have n_seeds=1 to be simulated, one fit per split; got {n!r:.80}")
    cv = evaluator.cv
    if not isinstance(cv, (int, str)) and not hasattr(cv, "split") and hasattr(cv, "__iter__"):
        cv = list(cv)  # an iterator would be empty after the first data set
    own: PairedEvaluator = clone(evaluator, safe=False)
    own._set_options(callback=None, keep_predictions=keep_predictions)
    return own.set_params(cv=cv, n_jobs=1, store=None, progress=False, intervals=None)


def _run(job: Job, missing: Mapping[int, Tasks], *, n_jobs: int | None) -> Iterator[list[Done]]:
    """Evaluate the data sets in workers and yield each when it is finished."""
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
    return Simulation(
        scores=np.stack([own.scores for own, _ in found]) * np.where(first.greater_is_better, 1.0, -1.0),
        metrics=first.metrics,
        design=first.design,
        readings={name: np.array([read[name] for _, read in found]) for name in readings},
        models=(models[0], models[1]),
        ill_defined=np.array([np.sum(own.ill_defined, axis=1) for own, _ in found], dtype=float),
        n_reused=n_reused,
    )
