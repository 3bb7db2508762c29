"""Several fits per split with seeds of their own: the models that are fitted, and what becomes of their scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.base import clone

from skcompare._core.printable import check_name
from skcompare._core.validation import check_integer
from skcompare.evaluation._metrics import Failure
from skcompare.evaluation._scoring import Metric
from skcompare.evaluation._seeds import integer_seed, random_states

_OF_FITS = 1  # beside the seeds of the splits, which come of the same number
Fields = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class SeededModels:
    """Every estimator once per seed; one without a parameter ``random_state`` once.

    Attributes
    ----------
    given : mapping of str to estimator
        The estimators.
    seeds : tuple of int
        The same for all estimators and splits.
    models : mapping of str to estimator
        What is fitted, by name.
    labels : mapping of str to sequence of str
        The names there of every estimator, one per seed.
    """

    given: Mapping[str, Any]
    seeds: tuple[int, ...]
    models: Mapping[str, Any]
    labels: Mapping[str, Sequence[str]]

    @classmethod
    def of(cls, named: Mapping[str, Any], n_seeds: int, random_state: Any) -> SeededModels:
        """Copies with seeds that come of `random_state`; more seeds go on where fewer end."""
        seed = integer_seed(random_state) if not isinstance(random_state, np.random.RandomState) else None
        if seed is None:
            raise ValueError(
                f"random_state must be an int for n_seeds above 1, which are drawn from it; got {random_state!r:.80}"
            )
        drawn = np.random.SeedSequence([seed, _OF_FITS]).generate_state(n_seeds) >> np.uint32(1)
        seeds = tuple(int(one) for one in drawn)
        models: dict[str, Any] = {}
        labels = {}
        for name, estimator in named.items():
            parameters = random_states(estimator)
            labels[name] = [f"{name}, seed {one}" if parameters else name for one in seeds]
            if any(label in named and label != name for label in labels[name]):
                raise ValueError(f"estimators must have other names for n_seeds than those of its fits; got {name!r}")
            for label, one in zip(labels[name], seeds, strict=True):
                copied = clone(estimator).set_params(**dict.fromkeys(parameters, one)) if parameters else estimator
                models[check_name(label, "estimators")] = copied
        return cls(given=named, seeds=seeds, models=models, labels=labels)

    def with_given(self, metrics: Sequence[Metric]) -> tuple[Metric, ...]:
        """The metrics, those that are given by model with the number of every model that is fitted."""

        def numbers(metric: Metric) -> dict[str, float]:
            return {label: metric.source[name] for label, name in self.own.items()}

        return tuple(replace(one, source=numbers(one)) if one.kind == "given" else one for one in metrics)

    @property
    def own(self) -> dict[str, str]:
        """The estimator of every model."""
        return {label: name for name, labels in self.labels.items() for label in labels}

    def averaged(self, found: Fields) -> Fields:
        """The fields of a result of the models as one of the estimators: means over the seeds."""
        of_model = {label: i for i, label in enumerate(found["estimators"])}
        places = {name: [of_model[label] for label in labels] for name, labels in self.labels.items()}
        scores = np.stack([found["scores"][rows] for rows in places.values()])
        fitted_once = [len({*rows}) == 1 for rows in places.values()]
        means = {}
        for name, values in (
            ("scores", scores),
            *((times, np.stack([found[times][rows] for rows in places.values()])) for times in _TIMES),
        ):
            with np.errstate(invalid="ignore", over="ignore"):  # of scores that are not finite
                means[name] = np.where(_along(fitted_once, values.ndim - 1), values[:, 0], values.mean(axis=1))
        own = self.own
        failures: dict[tuple[str, int, str | None], Failure] = {}
        for failure in found["failures"]:
            one = replace(failure, estimator=own[failure.estimator])
            failures.setdefault((one.estimator, one.split, one.metric), one)
        return {
            **found,
            **means,
            "estimators": tuple(self.labels),
            "failures": tuple(failures.values()),
            "ill_defined": _most(found["ill_defined"], own),
            "fit_seeds": self.seeds,
            "seed_scores": scores,
        }


_TIMES = ("fit_times", "score_times")


def _along(flags: Sequence[bool], n_dimensions: int) -> Any:
    return np.reshape(flags, (-1, *(1,) * (n_dimensions - 1)))


def _most(counts: Mapping[str, Mapping[str, int]], own: Mapping[str, str]) -> dict[str, dict[str, int]]:
    """On how many splits a metric was 0/0 with one of the seeds, at most."""
    found: dict[str, dict[str, int]] = {}
    for label, by_metric in counts.items():
        of_estimator = found.setdefault(own[label], {})
        for metric, n in by_metric.items():
            of_estimator[metric] = max(n, of_estimator.get(metric, 0))
    return found


def check_n_seeds(n_seeds: Any, **others: Any) -> int:
    """The number of fits per split, or ValueError where they do not go with what else is asked."""
    n = check_integer(n_seeds, "n_seeds", low=1)
    for name, value in others.items() if n > 1 else ():
        if value is not None:
            raise ValueError(f"{name} must be None for n_seeds above 1: it is of single fits; got {value!r:.80}")
    return n
