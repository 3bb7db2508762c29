"""Which pipelines of an evaluation begin with equal steps, so that these are fitted once per split."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import groupby
from numbers import Integral
from typing import Any

import numpy as np
import sklearn
from sklearn.base import BaseEstimator
from sklearn.pipeline import Pipeline
from sklearn.utils.metadata_routing import process_routing

from skcompare._core.frames import IMMUTABLE
from skcompare.evaluation.chunks import EstimatorSpec, FitPlan
from skcompare.evaluation.copies import NOTHING, Keys
from skcompare.evaluation.foreign_code import (
    KNOWN_PACKAGES,
    is_column_selector,
    leaves_input_unchanged,
    says_not_to_copy,
)
from skcompare.evaluation.input import RunSettings
from skcompare.evaluation.metrics.scoring import Metric
from skcompare.evaluation.prepare import random_states
from skcompare.evaluation.store.keys import identify

DECLARATION = "skcompare_shareable"  # a class attribute: True says of a class what is known of scikit-learn's
_SPEAKING_OR_DRAWING = ("verbose", "sample_posterior")  # the latter draws whenever it transforms
_NOTHING_KEY = b""


class _UnclearError(ValueError):
    """A step that may give something else when it is fitted again, or does more than to transform."""


def sharing_steps(
    specs: Sequence[EstimatorSpec], metrics: Sequence[Metric], plan: FitPlan, settings: RunSettings, *, seeded: bool
) -> list[EstimatorSpec]:
    """The estimators, with the keys of the leading steps that another one has too.

    Of searches among pipelines it says which may fit equal leading steps on equal samples once.

    Parameters
    ----------
    specs : sequence of EstimatorSpec
        The estimators.
    metrics, plan, settings : sequence of Metric, FitPlan, RunSettings
        What is measured, and how; some of it needs every model to be fitted alone.
    seeded : bool
        Whether open random states get the split's seed.
    """
    if not may_share(metrics, plan, settings):
        return list(specs)
    pipelines = [spec for spec in specs if type(spec.estimator) is Pipeline and _is_plain(spec)]
    first = Counter(type(spec.estimator.steps[0][1]) for spec in pipelines)
    chains: dict[str, Keys] = {
        spec.name: _keys(spec, seeded=seeded) for spec in pipelines if first[type(spec.estimator.steps[0][1])] > 1
    }
    counts = Counter(keys[:n] for keys in chains.values() for n in range(1, len(keys) + 1))
    found = []
    for spec in specs:
        remembers = not (plan.costs or plan.keep_estimator) and _remembers(spec, seeded=seeded)
        found.append(replace(_with_shared(spec, chains.get(spec.name, ()), counts), remembers=remembers))
    return found


_SEARCHES = ("GridSearchCV", "RandomizedSearchCV")


def _remembers(spec: EstimatorSpec, *, seeded: bool) -> bool:
    """Whether the pipelines of a search give the same where equal steps are fitted once."""
    search: Any = spec.estimator
    if type(search).__name__ not in _SEARCHES or not spec.leaves_input_unchanged or spec.fit_params:
        return False
    if type(search.estimator) is not Pipeline or search.n_jobs not in (None, 1) or search.verbose:
        return False
    inner = replace(spec, estimator=search.estimator)
    tried = search.param_grid if type(search).__name__ == _SEARCHES[0] else search.param_distributions
    grids = [tried] if isinstance(tried, dict) else tried
    if not _is_plain(inner) or any("__" not in name for grid in grids for name in grid):
        return False
    try:
        fixed = _open_states(tried, "grid") == 0
    except ValueError:
        return False
    return fixed and len(_keys(inner, seeded=seeded)) == len(search.estimator.steps) - 1 > 0


def in_groups(shared: Mapping[int, Keys], estimators: Iterable[int]) -> list[int]:
    """Estimators with common steps one after the other, those with fewer first, and all others in their places."""
    places: dict[Keys, int] = {}
    orders: dict[int, list[int]] = {}
    for e, keys in shared.items():
        orders[e] = [places.setdefault(keys[:n], e) for n in range(1, len(keys) + 1)]
    return sorted(estimators, key=lambda e: orders.get(e, [e]))


def shared_steps(specs: Iterable[EstimatorSpec], of_label: Mapping[str, str]) -> list[dict[str, list[str]]]:
    """The classes of the leading steps that were shared and the names of the models with them, for the provenance.

    Parameters
    ----------
    specs : iterable of EstimatorSpec
        The estimators.
    of_label : mapping of str to str
        The names of models that are fitted under other ones.
    """
    groups: dict[Keys, tuple[list[str], dict[str, None]]] = {}
    for spec in specs:
        if spec.shared:
            steps = [type(step).__name__ for _, step in spec.estimator.steps[: len(spec.shared)] if step not in NOTHING]
            groups.setdefault(spec.shared, (steps, {}))[1][of_label.get(spec.name, spec.name)] = None
    found = ({"steps": steps, "models": list(models)} for steps, models in groups.values())
    return [group for group, _ in groupby(found)]  # models of several seeds are one


def _with_shared(spec: EstimatorSpec, keys: Keys, counts: Mapping[Keys, int]) -> EstimatorSpec:
    """With as many leading steps as another pipeline has too, if one of them does anything."""
    n = max((n for n in range(1, len(keys) + 1) if counts[keys[:n]] > 1), default=0)
    if not any(keys[:n]):
        return spec
    steps = spec.estimator.steps
    leading, rest = ([step for _, step in part if step not in NOTHING] for part in (steps[:n], steps[n:]))
    return replace(
        spec,
        shared=keys[:n],
        shared_unchanged=all(map(leaves_input_unchanged, leading)),
        leaves_input_unchanged=all(map(leaves_input_unchanged, rest)),
    )


def may_share(metrics: Sequence[Metric], plan: FitPlan, settings: RunSettings) -> bool:
    """Whether that is wanted, no metric is a time, and none sees the fitted models but by their predictions."""
    if not settings.share or settings.fit_timeout is not None:
        return False
    times = any(metric.kind == "cost" and metric.source in ("fit_time", "predict_time") for metric in metrics)
    scorers = [type(metric.source).__module__.partition(".")[0] for metric in metrics if metric.kind == "scorer"]
    unknown = plan.scorer is not None and plan.scorers.unknown
    return not times and not plan.score_params and not unknown and {"sklearn", "skcompare"}.issuperset(scorers)


def _is_plain(spec: EstimatorSpec) -> bool:
    """Whether the fit of a pipeline does nothing but to fit the steps."""
    pipeline = spec.estimator
    unusual = spec.pairwise or pipeline.verbose or getattr(pipeline, "_skl_callbacks", None)
    if unusual or (pipeline.memory, pipeline.transform_input) != (None, None):
        return False
    steps = pipeline.steps if isinstance(pipeline.steps, list) else []
    return len(steps) > 0 and all(isinstance(step, tuple) and len(step) == 2 for step in steps)


def _keys(spec: EstimatorSpec, *, seeded: bool) -> Keys:
    """What stands for each leading step, up to the first that is not to be shared; never for the last step."""
    found: list[bytes] = []
    routed = {name.partition("__")[0] for name in spec.fit_params}  # the steps to whose fit metadata go
    with suppress(ValueError):  # of metadata the fit meets it too
        if routed and sklearn.get_config()["enable_metadata_routing"]:
            by_step = process_routing(spec.estimator, "fit", **spec.fit_params)
            routed = {name for name, methods in by_step.items() if any(methods.values())}
        for name, step in spec.estimator.steps[:-1]:
            if name in routed:
                break
            if step in NOTHING:
                found.append(_NOTHING_KEY)
                continue
            if not hasattr(step, "transform") or says_not_to_copy(step):
                break
            if _open_states(step, name) != (len(random_states(step, unset=True)) if seeded else 0):
                break
            found.append(identify(step, name).digest)
    return tuple(found)


def _open_states(value: Any, name: str) -> int:
    """How many random states are None in a step; _UnclearError where fitting it twice might not be fitting it once."""
    if name.rpartition("__")[2] == "random_state" and not isinstance(value, (list, tuple)):
        if value is None or (isinstance(value, Integral) and not isinstance(value, bool)):
            return int(value is None)
        raise _UnclearError("random_state")  # it may draw anew in every fit
    if value is None or type(value) is slice or (isinstance(value, np.ndarray) and not value.dtype.hasobject):
        return 0
    if isinstance(value, (*IMMUTABLE, np.generic, np.dtype, type)) or _is_known_function(value):
        return _checked(value, name)
    if isinstance(value, np.ndarray) or type(value) in (list, tuple, set, frozenset):
        return sum(_open_states(item, name) for item in (value.flat if isinstance(value, np.ndarray) else value))
    if type(value) is dict or is_column_selector(value):
        parts = value if isinstance(value, dict) else vars(value)
        return sum(_open_states(item, str(key)) for key, item in parts.items())
    if isinstance(value, BaseEstimator):
        return _open_states_of_estimator(value)
    raise _UnclearError(name)


def _open_states_of_estimator(value: BaseEstimator) -> int:
    cls = type(value)
    known = cls.__module__.partition(".")[0] == "sklearn" or vars(cls).get(DECLARATION) is True
    clones = getattr(cls, "__sklearn_clone__", None) is BaseEstimator.__sklearn_clone__
    if not known or not clones or getattr(value, "_skl_callbacks", None):
        raise _UnclearError(cls.__name__)
    params = value.get_params(deep=False)
    if params.get("shuffle") and "random_state" not in params:
        raise _UnclearError("shuffle")
    return sum(_open_states(part, key) for key, part in params.items())


def _checked(value: Any, name: str) -> int:
    """Nothing is open in a parameter, unless with it a step prints, keeps files or draws anew."""
    if name == "memory" or (name in _SPEAKING_OR_DRAWING and value):
        raise _UnclearError(name)
    if isinstance(value, type) and value.__module__.partition(".")[0] not in KNOWN_PACKAGES:
        raise _UnclearError(name)
    return 0


def _is_known_function(value: Any) -> bool:
    """A function of numpy or scikit-learn that draws nothing at random."""
    if isinstance(value, np.ufunc):
        return True
    package, _, inner = str(getattr(value, "__module__", "")).partition(".")
    if not callable(value) or not hasattr(value, "__qualname__") or package not in ("numpy", "sklearn"):
        return False
    try:
        return inner != "random" and "random_state" not in inspect.signature(value).parameters
    except (TypeError, ValueError):
        return False
