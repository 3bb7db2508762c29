"""What models share: equal leading steps of pipelines are fitted once per split, nearest neighbours searched once."""

from __future__ import annotations

import inspect
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import groupby
from numbers import Integral
from operator import attrgetter
from time import perf_counter
from typing import Any

import numpy as np
import sklearn
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.pipeline import Pipeline
from sklearn.utils.metadata_routing import process_routing

from skcompare._core.frames import IMMUTABLE
from skcompare._core.validation import Positions
from skcompare.evaluation import foreign_code as foreign
from skcompare.evaluation.chunks import EstimatorSpec, Finished, Fit, FitPlan, FoldOutcome, Work
from skcompare.evaluation.copies import NOTHING, Keys
from skcompare.evaluation.fit import found_out
from skcompare.evaluation.input import RunSettings, encode, without_complement
from skcompare.evaluation.learners import cloned, has_plain_parameters
from skcompare.evaluation.metrics.scoring import Metric
from skcompare.evaluation.prepare import random_states
from skcompare.evaluation.store.keys import identify

# Which pipelines of an evaluation begin with equal steps, so that these are fitted once per split.

DECLARATION = "skcompare_shareable"  # a class attribute: True says of a class what is known of scikit-learn's
_SPEAKING_OR_DRAWING = ("verbose", "sample_posterior")  # the latter draws whenever it transforms


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
    orders = {e: [places.setdefault(keys[:n], e) for n in range(1, len(keys) + 1)] for e, keys in shared.items()}
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
        shared_unchanged=all(map(foreign.leaves_input_unchanged, leading)),
        leaves_input_unchanged=all(map(foreign.leaves_input_unchanged, rest)),
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
                found.append(b"")  # no step has this key
                continue
            if not hasattr(step, "transform") or foreign.says_not_to_copy(step):
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
    if type(value) is dict or foreign.is_column_selector(value):
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
    if isinstance(value, type) and value.__module__.partition(".")[0] not in foreign.KNOWN_PACKAGES:
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


# Nearest neighbours of all samples among all samples, searched once for all folds and numbers of neighbours.
#
# Every fold takes those that are in its training set. Scikit-learn computes distances again for every fold, and what it
# rounds depends on the other samples there. So distances that differ by less than the rounding of either way count as
# equal. Where the answer depends on the order of equal distances, the fold is fitted as it was.

FEWEST_SEARCHES = 3  # of all samples, that the models make by themselves, for one to be worth while
SPARE = 6  # neighbours beyond those that decide, so that equal distances have an end
MOST_BYTES = 2**28
CHUNK = 2**20  # distances that are searched at a time
_NAMES = ("KNeighborsClassifier", "KNeighborsRegressor")
_TREES = ("kd_tree", "ball_tree")
_POWERS = {"l1": 1, "cityblock": 1, "manhattan": 1, "l2": 2, "euclidean": 2, "chebyshev": np.inf}


def is_neighbors(spec: EstimatorSpec) -> bool:
    """Whether an estimator is one of scikit-learn's that vote among a number of neighbours."""
    return type(spec.estimator).__name__ in _NAMES and spec.from_sklearn


def answered(work: Work, fits: Sequence[Fit], searches: dict[float, Search | None]) -> Iterator[list[Finished]]:
    """What the fits give that need no model, split by split.

    Parameters
    ----------
    work : Work
        The data, the splits and what to collect, which must be labels, numbers or probabilities.
    fits : sequence of Fit
        Split by split.
    searches : dict of float to Search
        By the power of the distance; filled.
    """
    by_power = defaultdict[float, set[int]](set)
    for e, spec in enumerate(work.specs):
        if (power := _power(spec)) is not None:
            by_power[power].add(e)
    for split, group in groupby(fits, key=attrgetter("split")):
        of_split, found = [*group], list[Finished]()
        for power, estimators in by_power.items():
            if power not in searches:
                searches[power] = Search.of(work, power, [work.specs[e].estimator.n_neighbors for e in estimators])
            wanted = [fit for fit in of_split if fit.estimator in estimators]
            search = searches[power]
            if search is not None and wanted:
                found += search.on(split, wanted)
        if found:
            yield found


def _power(spec: EstimatorSpec) -> float | None:
    """That of the Minkowski distance of a model whose neighbours have equal votes; None where it is another one."""
    model: Any = spec.estimator
    if not is_neighbors(spec) or spec.fit_params or not has_plain_parameters(model):
        return None
    numbers, jobs = (model.n_neighbors, model.leaf_size), model.n_jobs
    valid = all(type(number) is int and number > 0 for number in numbers)
    valid = valid and (jobs is None or (type(jobs) is int and jobs != 0))
    if not valid or model.algorithm not in ("auto", "brute", "kd_tree", "ball_tree"):
        return None
    if model.weights not in (None, "uniform") or model.metric_params is not None:
        return None
    power: Any = model.p if model.metric == "minkowski" else _POWERS.get(model.metric)
    proper = model.p is None or (type(model.p) in (int, float) and model.p > 0)
    return float(power) if proper and power in _POWERS.values() else None


def _features(X: Any) -> NDArray[Any] | None:
    """X where it is plain numbers, finite and of the precision that scikit-learn computes in."""
    if type(X).__module__.partition(".")[0] == "pandas" and hasattr(X, "dtypes"):
        if not X.columns.is_unique or not all(type(name) is str for name in X.columns):
            return None
        if not all(isinstance(dtype, np.dtype) and dtype.kind in "iuf" for dtype in X.dtypes):
            return None
        X = X.to_numpy()
    plain = type(X) is np.ndarray and X.ndim == 2 and X.shape[1] > 0
    if not plain or not (X.dtype == float or X.dtype.kind in "iu") or not np.isfinite(X).all():
        return None
    return np.asarray(X, dtype=float)


@dataclass(frozen=True, kw_only=True)
class Search:
    """The samples in the order of their distance from each one.

    Attributes
    ----------
    work : Work
        The data, the splits, and what to collect.
    target : ndarray of shape (n_samples,)
        The positions of the labels among the classes, or numbers.
    near : ndarray of shape (n_samples, n_found)
        The next samples, itself among them.
    ranks : ndarray of shape (n_samples, n_found)
        How far they are, counted from 0: the same for distances that may be equal.
    n_most : int
        The largest number of neighbours that is asked for.
    exact : bool
        Whether all computed distances are without rounding, up to a last root.
    seconds : float
        What the search took, by sample.
    """

    work: Work
    target: NDArray[Any]
    near: NDArray[np.int32]
    ranks: NDArray[np.int32]
    n_most: int
    exact: bool
    seconds: float

    @classmethod
    def of(cls, work: Work, power: float, n_neighbors: Sequence[int]) -> Search | None:
        """Search; None where that gains nothing, or the data are none for it."""
        n, n_most, tested = work.splits.n_samples, max(n_neighbors), work.splits.test_sizes
        part = 1 - min(work.splits.train_sizes) / n
        expected = (n_most + SPARE + 1) / max(1 - part, 1 / n)
        n_found = min(n, int(np.ceil(expected + 6 * np.sqrt(expected * part))))
        if len(n_neighbors) * sum(tested) < FEWEST_SEARCHES * n or 8 * n * n_found > MOST_BYTES:
            return None
        X, target = _features(work.X), _target(work)
        if X is None or target is None or sklearn.get_config()["array_api_dispatch"]:
            return None
        start = perf_counter()
        with np.errstate(all="ignore"):
            size = np.linalg.norm(X, ord=power, axis=1).max()
            largest = float(size**2 if power == 2 else size)
        if not np.isfinite(largest):
            return None
        rounding = max(16 * (X.shape[1] + 8) * np.finfo(float).eps * largest, 1e-290)
        model: Any = sys.modules["sklearn.neighbors"].NearestNeighbors(n_neighbors=n_found, p=power).fit(X)
        near, ranks = np.empty((2, n, n_found), dtype=np.int32)
        step = max(1, CHUNK // n_found)
        for begin in range(0, n, step):
            rows = slice(begin, begin + step)
            distances, near[rows] = model.kneighbors(X[rows])
            if power == 2:
                distances *= distances
            ranks[rows, 0] = 0
            np.cumsum(np.diff(distances, axis=1) > rounding, axis=1, out=ranks[rows, 1:])
        exact = 4 * largest < 2.0**53 and np.array_equal(X, np.rint(X))
        seconds = (perf_counter() - start) / n
        return cls(work=work, target=target, near=near, ranks=ranks, n_most=n_most, exact=exact, seconds=seconds)

    def on(self, split: int, fits: Sequence[Fit]) -> Iterator[Finished]:
        """What models give on a split, but for those of which the order of equal distances decides."""
        start, (train, test) = perf_counter(), self.work.splits[split]
        among = np.zeros(len(self.target), dtype=bool)
        among[train] = True
        n_kept, near = min(self.n_most + SPARE, len(train)), self.near[test]
        if np.count_nonzero(among) != len(train) or not self._has_all(train) or not len(test):
            return
        inside = among[near]
        inside &= np.cumsum(inside, axis=1, dtype=np.int32) <= n_kept
        if np.count_nonzero(inside) != n_kept * len(test):
            return
        targets = self.target[near[inside]].reshape(len(test), n_kept)
        ranks = self.ranks[test][inside].reshape(len(test), n_kept)
        differ = (ranks[:, 1:] == ranks[:, :-1]) & (targets[:, 1:] != targets[:, :-1])
        taken = perf_counter() - start + self.seconds * len(test)
        for fit in fits:
            start, model = perf_counter(), self.work.specs[fit.estimator].estimator
            k = model.n_neighbors
            if k >= n_kept:
                continue
            responses = self._responses(targets[:, :k])
            unsure = np.flatnonzero(self._unsure(ranks, differ, k))
            if len(unsure) and not self._settle(model, train, test, unsure, responses):
                continue
            outcome = FoldOutcome(fit_time=0.0, responses=responses, encoded=self.work.plan.classes is not None)
            outcome.notes = tuple(found_out(None, responses))
            outcome.score_time = taken + perf_counter() - start
            yield fit, outcome

    def _has_all(self, train: Positions) -> bool:
        """Whether a training set has every class, and not so many that scikit-learn warns of it."""
        if self.work.plan.classes is None:
            return True
        n_classes = len(self.work.plan.classes)
        return 2 * n_classes <= len(train) and bool(np.bincount(self.target[train], minlength=n_classes).all())

    def _unsure(self, ranks: NDArray[np.int32], differ: NDArray[np.bool_], k: int) -> NDArray[np.bool_]:
        """The samples whose answer depends on the order of equal distances, which of numbers matters inside too."""
        last, following = ranks[:, k - 1 : k], ranks[:, k : k + 1]
        numbers = self.work.plan.classes is None
        among = ranks[:, :-1] <= last if numbers else (ranks[:, :-1] == last) & (last == following)
        endless = (last == following) & (last == ranks[:, -1:])
        return np.asarray((differ & among).any(axis=1) | endless[:, 0])

    def _responses(self, targets: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """What scikit-learn computes of the targets of neighbours in the order of their distance."""
        classes = self.work.plan.classes
        if classes is None:
            return {"predict": np.mean(targets[:, :, None], axis=1).ravel()}
        (n, k), n_classes = targets.shape, len(classes)
        places = targets + n_classes * np.arange(n)[:, None]
        votes = np.bincount(places.ravel(), minlength=n * n_classes).reshape(n, n_classes)
        found = {"predict": votes.argmax(axis=1).astype(np.min_scalar_type(n_classes - 1))}
        if self.work.plan.responses:
            found["predict_proba"] = (votes[:, 1] if n_classes == 2 else votes) / k
        return found

    def _settle(
        self, model: Any, train: Positions, test: Positions, rows: Positions, responses: dict[str, NDArray[Any]]
    ) -> bool:
        """Let the fitted model answer for some samples; not where their company may change what it computes of them.

        A tree is asked sample by sample, and whole numbers leave nothing to round. Scikit-learn takes another way for
        very many samples.
        """
        X, y = self.work.X, self.work.y
        plain = type(X) is np.ndarray and type(y) is np.ndarray and len(test) <= min(len(train), 1000)
        if not plain or not (self.exact or X.shape[1] <= 15 or model.algorithm in _TREES):
            return False
        with sklearn.config_context(skip_parameter_validation=True):
            fitted = cloned(model).fit(X[train], y[train])
        if not (self.exact or getattr(fitted, "_fit_method", "") in _TREES):
            return False
        labels, shares = responses["predict"], responses.get("predict_proba")
        if shares is not None:
            given = fitted.predict_proba(X[test[rows]])
            labels[rows], shares[rows] = given.argmax(axis=1), without_complement(given, "predict_proba")
        else:
            given, classes = fitted.predict(X[test[rows]]), self.work.plan.classes
            labels[rows] = given if classes is None else encode(given, classes)[1]
        return True


def _target(work: Work) -> NDArray[Any] | None:
    """Positions among the classes, or numbers; None where something else is to be collected of them."""
    y, classes = np.asarray(work.y), work.plan.classes
    kind = _NAMES[classes is None]
    if y.ndim != 1 or any(is_neighbors(spec) and type(spec.estimator).__name__ != kind for spec in work.specs):
        return None
    if classes is None:
        return y if y.dtype.kind in "iuf" and not work.plan.responses and np.isfinite(y).all() else None
    if y.dtype != classes.dtype or not all("predict_proba" in names for names in work.plan.responses):
        return None
    if y.dtype.kind == "f" and not np.array_equal(classes, np.floor(classes)):
        return None
    known, codes = encode(y, classes)
    return codes.astype(np.intp) if known.all() else None
