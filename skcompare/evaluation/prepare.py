"""X, y and estimators -> all that is checked and drawn before the first fit."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import combinations
from numbers import Integral, Number
from operator import attrgetter
from typing import Any

import numpy as np
import sklearn
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.metrics import check_scoring
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing

from skcompare._core import validation
from skcompare._core.record import Frozen
from skcompare._core.validation import DUMMY, check_aligned, check_choice, check_integer, check_name, refuse_masked
from skcompare.evaluation import input as inputs
from skcompare.evaluation.chunks import EstimatorSpec, FitPlan
from skcompare.evaluation.foreign_code import is_harmless, says_not_to_copy
from skcompare.evaluation.halves import HalvesSplit
from skcompare.evaluation.metrics import scoring as scorings
from skcompare.evaluation.metrics.batches import LABEL
from skcompare.evaluation.metrics.scoring import Failure, Metric
from skcompare.evaluation.splits import Splits, draw_splits, make_splitter
from skcompare.evaluation.store.checkpoint import remembered_seed

# The baseline of an evaluation: scikit-learn's dummy, added to the estimators, or one of them.


def with_baseline(models: Any, baseline: Any) -> dict[str, Any]:
    """The models by name, the dummy after them where it is the baseline; ValueError where an argument is none."""
    if baseline is not None and not isinstance(baseline, str):
        raise ValueError(f"baseline must be None, 'dummy' or the name of one of the models; got {baseline!r:.80}")
    named = inputs.name_estimators(models, argument="models")
    if baseline != DUMMY:
        if baseline is not None:
            check_choice(baseline, "baseline", (*named, DUMMY))
        return named
    if DUMMY in named:
        raise ValueError(
            "models must have other names than 'dummy', which baseline='dummy' adds; got one of that name: "
            "give it another name"
        )
    kinds = [is_classifier(estimator) or None if not is_regressor(estimator) else False for estimator in named.values()]
    if all(kind is None for kind in kinds):
        raise ValueError(
            "baseline must be None or the name of an estimator where no estimator is a classifier or a regressor; "
            "got 'dummy'"
        )
    # the most frequent class, and its share as the probability of each; of numbers the mean
    return {**named, DUMMY: DummyClassifier(strategy="prior") if any(kinds) else DummyRegressor()}


# Seeds of the splits and of the estimators.


def integer_seed(random_state: Any) -> int | None:
    """None or an int as given; one draw of a RandomState instance."""
    if random_state is None:
        return None
    if isinstance(random_state, Integral) and not isinstance(random_state, bool) and 0 <= int(random_state) < 2**32:
        return int(random_state)
    if isinstance(random_state, np.random.RandomState):
        return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))
    raise ValueError(
        f"random_state must be None, an int in [0, 2**32) or a RandomState; got {validation.came(random_state)}"
    )


def seed_of_splits(cv: Any, random_state: int | None, X: Any, y: Any, store: str | None) -> int | None:
    """The seed of the splits; the one that the store remembers where none is given."""
    if store is None or random_state is not None:
        return random_state
    if isinstance(cv, (Integral, str)):
        return remembered_seed(store, X, y, str(cv), lambda: secrets.randbits(32))
    if getattr(cv, "random_state", 0) is None and getattr(cv, "shuffle", True):
        raise ValueError(
            f"cv must draw the same splits in the next run for a store to be of use; got {cv!r:.200}: "
            f"give it a random_state"
        )
    return None


def split_seeds(random_state: int | Sequence[int], n_splits: int) -> list[int]:
    """One seed per split, independent of how many estimators there are or in which order they run."""
    seeds: list[int] = (np.random.SeedSequence(random_state).generate_state(n_splits) >> np.uint32(1)).tolist()
    return seeds


def random_states(estimator: Any, *, unset: bool = False) -> tuple[str, ...]:
    """Names of the parameters called random_state, nested ones too; on request those alone that are None."""
    found = []
    for name, value in estimator.get_params(deep=True).items():
        found += [name] if name.rpartition("__")[2] == "random_state" and (value is None or not unset) else []
    return tuple(found)


# Several fits per split with seeds of their own: the models that are fitted, and what becomes of their scores.


_SEEDS_OF_FITS = 1  # beside the seeds of the splits, which come of the same number
Fields = dict[str, Any]


def with_seeds(name: str, estimator: Any, seeds: Sequence[int]) -> list[tuple[str, Any]]:
    """An estimator with each of some seeds, under a name of its own; itself each time where it takes none."""
    states = random_states(estimator)
    if not states:
        return [(name, estimator)] * len(seeds)
    return [(f"{name}, seed {seed}", clone(estimator).set_params(**dict.fromkeys(states, seed))) for seed in seeds]


class SeededModels(Frozen):
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
        seeds = tuple(split_seeds([seed, _SEEDS_OF_FITS], n_seeds))
        models: dict[str, Any] = {}
        labels = {}
        for name, estimator in named.items():
            fits = with_seeds(name, estimator, seeds)
            labels[name] = [label for label, _ in fits]
            if any(label in named and label != name for label in labels[name]):
                raise ValueError(f"models must have other names for n_seeds than those of its fits; got {name!r}")
            models |= {check_name(label, "models"): model for label, model in fits}
        return cls(given=named, seeds=seeds, models=models, labels=labels)

    @property
    def own(self) -> dict[str, str]:
        """The estimator of every model."""
        return {label: name for name, labels in self.labels.items() for label in labels}

    def averaged(self, found: Fields) -> Fields:
        """The fields of a result of the models as one of the estimators: means over the seeds."""
        of_model = {label: i for i, label in enumerate(found["estimators"])}
        places = {name: [of_model[label] for label in labels] for name, labels in self.labels.items()}
        fitted_once = np.array([len({*rows}) == 1 for rows in places.values()])
        of_seeds, means = {}, {}
        for name in ("scores", "fit_times", "score_times"):
            values = of_seeds[name] = np.stack([found[name][rows] for rows in places.values()])
            once = fitted_once.reshape(-1, *[1] * (values.ndim - 2))
            with np.errstate(invalid="ignore", over="ignore"):  # of scores that are not finite
                means[name] = np.where(once, values[:, 0], values.mean(axis=1))
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
            "seed_scores": of_seeds["scores"],
        }


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


# Which of the given parameters go where.


PER_SAMPLE = ("sample_weight", "groups")  # of other parameters only their estimator knows


class Routing:
    """Which parameters go to the splitter, to each estimator's fit and to the scorers.

    Weights and groups that are not one per sample of X, and parameters with masked values, are a ValueError.
    """

    def __init__(
        self,
        named: Mapping[str, Any],
        splitter: Any,
        metrics: Sequence[Metric],
        *,
        X: Any,
        groups: Any,
        params: Mapping[str, Any] | None,
    ) -> None:
        if params is not None and not isinstance(params, Mapping):
            raise ValueError(f"params must be None or a mapping of name to value; got {params!r:.80}")
        params = {} if params is None else dict(params)
        if not sklearn.get_config()["enable_metadata_routing"]:
            self.split_params: Mapping[str, Any] = {"groups": groups}
            self.fit_params: Mapping[str, Mapping[str, Any]] = dict.fromkeys(named, params)
            self.score_params: Mapping[str, Any] = {}
        else:
            self._route(named, splitter, metrics, groups=groups, params=params)
        for given in (self.split_params, self.score_params, *self.fit_params.values()):
            for name, value in given.items():
                refuse_masked(value, name)
                if name.rpartition("__")[2] not in PER_SAMPLE or value is None or isinstance(value, Number):
                    continue
                inputs.check_lengths(X, **{name: value})
                check_aligned(**{"X": X, name: value})

    def _route(
        self, named: Mapping[str, Any], splitter: Any, metrics: Sequence[Metric], *, groups: Any, params: dict[str, Any]
    ) -> None:
        """By what splitter, estimators and scorers ask for."""
        if groups is not None:
            says = "groups must be None when metadata routing is enabled"
            raise ValueError(f"{says}; pass params={{'groups': ...}} instead")
        router = MetadataRouter(owner="PairedEvaluator")
        router.add(splitter=splitter, method_mapping=MethodMapping().add(caller="fit", callee="split"))
        for i, estimator in enumerate(named.values()):
            router.add(**{f"estimator_{i}": estimator}, method_mapping=MethodMapping().add(caller="fit", callee="fit"))
        if scorers := {m.name: m.source for m in metrics if m.routable}:
            scorer = check_scoring(scoring=scorers)
            router.add(scorer=scorer, method_mapping=MethodMapping().add(caller="fit", callee="score"))
        try:
            routed = process_routing(router, "fit", **params)
        except UnsetMetadataPassedError as error:
            raise UnsetMetadataPassedError(
                message=str(error).replace("PairedEvaluator.fit", "PairedEvaluator.evaluate"),
                unrequested_params=error.unrequested_params,
                routed_params=error.routed_params,
            ) from None
        self.split_params = routed["splitter"]["split"]
        self.fit_params = {name: routed[f"estimator_{i}"]["fit"] for i, name in enumerate(named)}
        self.score_params = routed["scorer"]["score"] if scorers else {}


_FIRST = 256  # training samples that are likely to be of all classes


class PreparedEvaluation(Frozen, slots=False):
    """The data, the estimators by name, the metrics and the splits, and where the given parameters go.

    Attributes
    ----------
    truth : ndarray
        The target as an array.
    random_state : int or None
        The seed of estimators.
    cut_from : Splits or None
        The splits whose training sets were made smaller, where that was done.
    seeded : SeededModels or None
        Where `named` has every estimator once per seed.
    of_halves : bool
        Whether the splits are those of a `HalvesSplit`.
    """

    named: Mapping[str, Any]
    X: Any
    y: Any
    truth: NDArray[Any]
    task: inputs.Task
    metrics: Sequence[Metric]
    splits: Splits
    routing: Routing
    random_state: int | None
    cut_from: Splits | None = None
    seeded: SeededModels | None = None
    of_halves: bool = False

    def specs(self) -> list[EstimatorSpec]:
        """The estimators as the fits need them."""
        specs = []
        for name, estimator in self.named.items():
            pairwise, harmless = bool(get_tags(estimator).input_tags.pairwise), is_harmless(estimator)
            if pairwise:
                inputs.check_square(self.X)
            specs.append(
                EstimatorSpec(
                    name=name,
                    estimator=estimator,
                    fit_params=self.routing.fit_params[name],
                    seeded=random_states(estimator, unset=True) if self.random_state is not None else (),
                    pairwise=pairwise,
                    from_sklearn=harmless,
                    leaves_input_unchanged=harmless and not says_not_to_copy(estimator),
                )
            )
        return specs

    @cached_property
    def clusters(self) -> NDArray[np.intp] | None:
        """The group of each sample, counted from 0; None where none were given, or some have none."""
        groups = np.asarray(self.routing.split_params.get("groups"))
        if groups.ndim != 1 or len(groups) != len(self.truth):
            return None
        named = groups.astype(np.str_) if groups.dtype.kind == "O" else groups
        if any(one is None or one != one for one in groups.tolist()):
            return None
        return np.asarray(np.unique(named, return_inverse=True)[1], dtype=np.intp)

    def train_scorer(self) -> Any:
        """What scores the training sets: a scikit-learn scorer, of all metrics that one knows."""
        if len(self.metrics) == 1 and self.metrics[0].name == "score":
            return self.metrics[0].source
        positive = inputs.positive_class(self.truth, self.task)
        named = {metric.name: metric.scorer(positive) for metric in self.metrics if metric.routable}
        return check_scoring(scoring=named, raise_exc=False) if named else None

    def plan(self, *, stop_on_error: bool, keep: bool = True) -> tuple[tuple[Metric, ...], FitPlan]:
        """What the workers collect; with routed score parameters every metric goes through its scorer.

        Where predictions are kept, so is all that any metric is known to read.
        """
        metrics, score_params = self.metrics, self.routing.score_params
        classes = np.unique(self.truth) if inputs.is_classification(self.task) else None
        if score_params:
            metrics = [replace(m, kind="scorer") if m.kind == "batched" and m.routable else m for m in metrics]
        elif "scorer" in map(attrgetter("kind"), metrics):
            known = scorings.batched(metrics, self.task, classes)
            metrics = known if known == [*metrics] or self._knows_all(classes) else metrics
        by_scorer, costs = dict[str, Any](), set[str]()
        for metric in metrics:
            if metric.kind == "scorer":
                by_scorer[metric.name] = metric.source
            elif metric.kind == "cost":
                costs.add(metric.source)
        scorer = None
        if by_scorer and len(metrics) == 1 and metrics[0].name == "score":
            scorer = metrics[0].source
        elif by_scorer:
            scorer = check_scoring(scoring=by_scorer, raise_exc=stop_on_error)
        keep = keep and self.task != "other"  # whose scores may have any form
        read = {*map(attrgetter("reads"), self.metrics)} if keep else {*map(attrgetter("response"), metrics)}
        return tuple(metrics), FitPlan(
            responses=tuple(sorted(read - {LABEL, ()})),
            costs=frozenset(costs),
            scorer=scorer,
            score_params=score_params,
            stop_on_error=stop_on_error,
            classes=classes,
            added=any(map(attrgetter("added"), metrics)),
            columns=self.truth.ndim > 1,
        )

    def _knows_all(self, classes: NDArray[Any] | None) -> bool:
        """Whether all models are classifiers that meet every class in training, as far as there are classes.

        Of others scikit-learn's scorers read something else, or nothing.
        """
        if classes is None:
            return True
        if not all(is_classifier(estimator) for estimator in self.named.values()):
            return False
        codes, splits = np.searchsorted(classes, self.truth), self.splits
        if splits.fold_ids is not None and np.bincount(codes).min() > max(splits.test_sizes):
            return True
        return all(_has_all(codes[train[:_FIRST]], classes) or _has_all(codes[train], classes) for train, _ in splits)


def _has_all(codes: NDArray[np.intp], classes: NDArray[Any]) -> bool:
    return bool(np.bincount(codes, minlength=len(classes)).all())


def prepare_evaluation(
    named: Mapping[str, Any],
    X: Any,
    y: Any,
    *,
    groups: Any,
    params: Mapping[str, Any] | None,
    cv: Any,
    scoring: Any,
    random_state: Any,
    store: str | None,
    n_seeds: int = 1,
    added: bool = False,
) -> PreparedEvaluation:
    """Check the data, resolve the metrics and draw the splits; ValueError where an argument does not fit.

    The metrics are `added` where no scoring was given, by whomever they were chosen then.
    """
    seeded = SeededModels.of(named, n_seeds, random_state) if n_seeds > 1 else None
    named = named if seeded is None else seeded.models
    X, y, groups = inputs.check_data(X, y, groups)
    truth = inputs.check_target(X, y)
    if truth.dtype.names is not None and isinstance(named.get(DUMMY), (DummyClassifier, DummyRegressor)):
        raise ValueError(
            "y must hold labels or numbers for scikit-learn's dummies; it holds records, such as events with times, of "
            "which 'dummy' knows nothing: add a model that predicts the same for every sample, and name it as baseline"
        )
    task = inputs.task_of(list(named.values()), truth)
    if inputs.is_classification(task) and len(np.unique(truth)) < 2:
        raise ValueError(f"y must have at least 2 classes; got only {truth[:1].tolist()[0]!r}")
    metrics = scorings.resolve_scoring(scoring, task, named if seeded is None else seeded.given)
    metrics = scorings.for_positive(metrics, inputs.positive_class(truth, task))
    metrics = tuple(map(partial(replace, added=added), metrics))
    scorings.check_complexity(metrics, named)
    if seeded is not None:  # numbers that are given by model are those of every fit of it
        own = [(label, name) for name, labels in seeded.labels.items() for label in labels]
        numbers = [{label: one.source[name] for label, name in own} if one.kind == "given" else {} for one in metrics]
        metrics = tuple(replace(one, source=of or one.source) for one, of in zip(metrics, numbers, strict=True))
    seed = integer_seed(random_state)
    splitter = make_splitter(
        cv,
        y,
        stratified=inputs.is_classification(task),
        random_state=seed_of_splits(cv, seed, X, y, store),
        grouped=groups is not None or (isinstance(params, Mapping) and params.get("groups") is not None),
    )
    routing = Routing(named, splitter, metrics, X=X, groups=groups, params=params)
    return PreparedEvaluation(
        named=named,
        X=X,
        y=y,
        truth=truth,
        task=task,
        metrics=metrics,
        splits=draw_splits(splitter, X, y, n_samples=len(truth), params=routing.split_params),
        routing=routing,
        random_state=seed,
        seeded=seeded,
        of_halves=isinstance(splitter, HalvesSplit),
    )


# The fits without two folds at a time that nested cross-validation takes beside the ordinary ones.


_SEEDS_OF_INNER_FITS = 2  # beside the seeds of the splits and of `n_seeds`, which come of the same number
FEWEST_FOLDS, FEWEST_SAMPLES = 3, 2


@dataclass(frozen=True, eq=False)
class InnerSplits(Splits):
    """Per repeat and pair of folds: trained without both, tested on both.

    One fit serves both orders of a pair, so that a repeat of K folds has K (K - 1) / 2 of these splits, in the order of
    `itertools.combinations`.

    Attributes
    ----------
    outer : Splits
        The folds.
    """

    outer: Splits

    @classmethod
    def of(cls, outer: Splits) -> InnerSplits:
        """The inner splits of k-fold splits."""
        n_pairs = outer.n_folds * (outer.n_folds - 1) // 2
        return cls(outer.n_samples, outer.n_repeats, n_pairs, False, None, None, outer)

    def __sizeof__(self) -> int:
        return super().__sizeof__() + self.outer.__sizeof__()

    @cached_property
    def folds(self) -> tuple[tuple[int, int], ...]:
        """The pairs of folds that a repeat leaves out."""
        return tuple(combinations(range(self.outer.n_folds), 2))

    def first(self, n_repeats: int) -> InnerSplits:
        """The splits of the first repeats."""
        return InnerSplits.of(self.outer.first(n_repeats))

    def place(self, split: int) -> str:
        """Which split, in words."""
        repeat, pair = divmod(split, self.n_folds)
        return "without folds {} and {} of repeat {}".format(*self.folds[pair], repeat)

    def _in_test(self, split: int) -> NDArray[np.bool_]:
        assert self.outer.fold_ids is not None
        repeat, pair = divmod(split, self.n_folds)
        return np.isin(self.outer.fold_ids[repeat], self.folds[pair])

    @cached_property
    def test_sizes(self) -> tuple[int, ...]:
        """Samples per test set."""
        sizes = np.reshape(self.outer.test_sizes, (self.n_repeats, -1))
        return tuple(sizes[:, np.array(self.folds)].sum(axis=2).ravel().tolist())


def inner_evaluation(prepared: PreparedEvaluation) -> PreparedEvaluation:
    """The same on the inner splits, with seeds of their own.

    Raises
    ------
    ValueError
        If nested cross-validation does not know such splits.
    """
    outer = prepared.splits
    if outer.fold_ids is None or outer.n_folds < FEWEST_FOLDS or min(outer.test_sizes) < FEWEST_SAMPLES:
        raise ValueError(
            f"intervals must be None for splits that are no k-fold cross-validation of {FEWEST_FOLDS} folds or more "
            f"with {FEWEST_SAMPLES} samples or more in each: the interval is of fits without two such folds; got "
            f"{outer.design.name}"
        )
    if prepared.routing.split_params.get("groups") is not None:
        raise ValueError(
            "intervals must be None where there are groups: the interval takes the losses of a fold for independent, "
            "and those of one group are not"
        )
    seed = prepared.random_state
    if seed is not None:
        seed = int(np.random.SeedSequence([seed, _SEEDS_OF_INNER_FITS]).generate_state(1)[0])
    return replace(prepared, splits=InnerSplits.of(outer), random_state=seed)
