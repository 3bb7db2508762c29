"""ComparisonSelector: an estimator that compares others, chooses one by a stated rule and is that one from then on."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np
import sklearn
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone, is_classifier, is_regressor
from sklearn.ensemble import VotingClassifier
from sklearn.metrics import get_scorer
from sklearn.utils import TransformerTags, get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from skcompare._core.frames import own_copy
from skcompare._core.record import MAX_REPR, cut
from skcompare._core.text import one_line
from skcompare.evaluation.foreign_code import leaves_input_unchanged
from skcompare.evaluation.input import check_data, check_target, n_rows, name_estimators, pairs_of, task_of
from skcompare.evaluation.metrics.scoring import resolve_scoring
from skcompare.evaluation.prepare import random_states, split_seeds
from skcompare.evaluator import PairedEvaluator
from skcompare.results import EvaluationResult
from skcompare.scores.stopping import StopRule
from skcompare.selection._choice import Candidates, Choice, Rule, before_scores, of_result
from skcompare.selection._rules import RULES, simplest_within

# What an estimator does that is another one once it is fitted.


Method = TypeVar("Method", bound=Callable[..., Any])


def _delegated(*methods: str) -> Callable[[Method], Method]:
    """Make a method be there where the chosen estimator has these; before `fit`, where all estimators have them."""

    def has(selector: ComparisonSelector) -> bool:
        chosen = getattr(selector, "estimator_", None)
        asked = list(selector._named().values()) if chosen is None else [chosen]
        return bool(asked) and all(hasattr(estimator, method) for estimator in asked for method in methods)

    decorator: Callable[[Method], Method] = available_if(has)
    return decorator


# What `ComparisonSelector.fit` is given, checked before anything is fitted.


def check_samples(X: Any, y: Any, *, classify: bool) -> tuple[Any, Any]:
    """X and y as something with rows, or ValueError, in scikit-learn's words where it looks for them."""
    if y is None:
        raise ValueError("y must be given: ComparisonSelector requires y to be passed, but the target y is None")
    X, y = (np.asarray(data) if _is_array_only(data) else data for data in (X, y))
    X, y, _ = check_data(X, y, None)
    if np.iscomplexobj(X) or np.iscomplexobj(y):
        raise ValueError("X and y must be real; got complex numbers. Complex data not supported: give X.real, y.real")
    if n_rows(X, "X") < 2:
        raise ValueError(f"X must have 2 samples or more; got n_samples = {n_rows(X, 'X')}")
    check_target(X, y)
    if classify:
        check_classification_targets(y)
    return X, y


def _is_array_only(data: Any) -> bool:
    """Whether something can be made an array, and nothing else."""
    return hasattr(data, "__array__") and not hasattr(data, "__len__") and not hasattr(data, "shape")


def check_rule_fits(rule: Rule, evaluator: PairedEvaluator, named: Mapping[str, Any], X: Any, y: Any) -> None:
    """Raise ValueError before any fit where the rule cannot be applied to this evaluation."""
    task = task_of(list(named.values()), check_target(X, y), "estimators")
    with warnings.catch_warnings(action="ignore"):  # the evaluator says it too
        metrics = [metric.name for metric in resolve_scoring(evaluator.scoring, task, named)]
    if callable(evaluator.scoring):  # whose names are those that it gives with the first scores
        metrics = list(rule.asked()) or metrics
    cv = evaluator.cv  # whether there will be one split only, as far as one can tell
    single = (len(cv) if isinstance(cv, (list, tuple)) else getattr(cv, "n_splits", 2)) == 1
    candidates = before_scores(named, metrics, 1 if single else 2)
    rule.choose(candidates)
    if isinstance(evaluator.stop, StopRule):
        check_stop_fits(rule, evaluator.stop, candidates)


def check_stop_fits(rule: Rule, stop: StopRule, candidates: Candidates) -> None:
    """Raise ValueError where a model that the rule would choose may be dropped by another metric."""
    decides = candidates.metrics[0] if stop.metric is None else stop.metric
    wanted = [candidates.metrics[m] for m in rule.deciding(candidates)]
    if not stop.drop or decides not in candidates.metrics or wanted == [decides]:
        return
    if len(wanted) > 1:
        raise ValueError(
            f"evaluator must keep all models for rule, which decides by {', '.join(map(repr, wanted))}; its StopRule "
            f"drops models by {decides!r} alone: give StopRule(drop=False)"
        )
    raise ValueError(
        f"evaluator must stop by the metric of rule, {wanted[0]!r}; its StopRule decides by {decides!r}: "
        f"give StopRule(metric={wanted[0]!r}), or drop=False"
    )


class ComparisonSelector(MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """Compare models on the same splits, choose one by a rule, and refit it on all data.

    Parameters
    ----------
    estimators : mapping of name to estimator, list of (name, estimator), or list of estimators
        Two or more classifiers, or regressors; bare ones are named by their class in lower case. Unless the rule says
        otherwise they are listed from the simplest. They are cloned, never fitted in place. ``set_params`` reaches
        them, and their parameters, by name: ``tree=...``, ``tree__max_depth=3``.
    evaluator : PairedEvaluator or None, default=None
        How to compare; None is ``PairedEvaluator()``, 10x10 cross-validation. Its `scoring` names the metrics, of which
        the first decides unless the rule names another; its `random_state` also seeds the refit. A `stop` that drops
        models must decide by the metric of the rule.
    rule : str or refit rule, default="margin"
        ``"margin"``, ``"corrected_t"``, ``"one_se"``, ``"rope"`` and ``"signed_rank"`` stand for `simplest_within` with
        that rule and its other defaults: by ``"margin"`` the first estimator that loses at most 0.01 to the best, as
        far as the splits can tell. For all else give a rule, such as
        ``simplest_within("roc_auc", complexity="model_size", margin=0.02)`` or
        ``best_by_dominance(["accuracy", "recall"])``. A complexity may then name a metric of the evaluator,
        ``"fit_time"``, ``"score_time"`` or a parameter that all estimators have; a callable takes the estimator, before
        it is fitted. The test fraction is that of the splits.

    Attributes
    ----------
    estimator_ : estimator
        A clone of the chosen one, fitted on all data.
    selected_ : str
        Its name.
    choice_ : Choice
        Why it was chosen.
    result_ : EvaluationResult
        The comparison.
    classes_ : ndarray of shape (n_classes,)
        Of `estimator_`; only for classifiers.
    n_features_in_ : int
        Of `estimator_`.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Of `estimator_`; only where X had names.

    See Also
    --------
    simplest_within : the rules in detail.
    PairedEvaluator : the comparison alone.

    Notes
    -----
    The scores in `result_` are those that the choice was made by, so that the chosen one's have a selection bias:
    evaluate the selector itself, as in ``cross_val_score(selector, X, y)``, for what to expect of it.

    An estimator that failed on a split (with a number as the evaluator's `error_score`) is never chosen. With a
    `StopRule` one that was found worse on the metric that decides is not either: the choice is made among those left,
    and where one is left it is chosen without the rule.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcompare import ComparisonSelector, PairedEvaluator
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> models = {"stump": DecisionTreeClassifier(max_depth=1), "tree": DecisionTreeClassifier(max_depth=4)}
    >>> evaluator = PairedEvaluator(cv=10, scoring=["roc_auc", "accuracy"], random_state=0)
    >>> selector = ComparisonSelector(models, evaluator).fit(X, y)
    >>> selector.selected_
    'tree'
    """

    _sklearn_output_config: dict[str, str]  # so called because `sklearn.base.clone` keeps it

    def __init__(self, estimators: Any, evaluator: PairedEvaluator | None = None, rule: Any = "margin") -> None:
        self.estimators = estimators
        self.evaluator = evaluator
        self.rule = rule

    # ---- parameters -----------------------------------------------------------------------------------------

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters by name.

        Parameters
        ----------
        deep : bool, default=True
            With the estimators by name, and their parameters and the evaluator's as ``name__parameter``.

        Returns
        -------
        dict
        """
        params: dict[str, Any] = super().get_params(deep=deep)
        if not deep:
            return params
        for name, estimator in self._named().items():
            params[name] = estimator
            if hasattr(estimator, "get_params") and not isinstance(estimator, type):
                params |= {f"{name}__{key}": value for key, value in estimator.get_params(deep=True).items()}
        return params

    def set_params(self, **params: Any) -> ComparisonSelector:
        """Set parameters, estimators by name, and their parameters.

        Parameters
        ----------
        **params
            As `get_params` names them. The evaluator's own, as in ``evaluator__cv=5``, make one where there is none; a
            rule is set as a whole, as in ``rule=simplest_within(alpha=0.1)``.

        Returns
        -------
        ComparisonSelector
            Itself.
        """
        if inside := [key for key in params if key.startswith("rule__")]:
            raise ValueError(f"rule must be set as a whole, as in rule=simplest_within(alpha=0.1); got {inside[0]!r}")
        for name in ("estimators", "evaluator"):
            if name in params:
                setattr(self, name, params.pop(name))
        if any(key.startswith("evaluator__") for key in params):
            self.evaluator = self._check_evaluator()
        named = self._named()
        replaced = {name: params.pop(name) for name in named if name in params}
        if replaced:  # in a copy; bare estimators have names from now on, since theirs follow their class
            named |= replaced
            self.estimators = named if isinstance(self.estimators, Mapping) else list(named.items())
        super().set_params(**params)
        return self

    def _named(self) -> dict[str, Any]:
        """The estimators by name, as far as they have names: they are checked in `fit`."""
        pairs = pairs_of(self.estimators, by_class=True) or ()  # names that no parameter of theirs changes
        return {name: estimator for name, estimator in pairs if isinstance(name, str)}

    # ---- fit ------------------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any, **params: Any) -> ComparisonSelector:
        """Compare the estimators, choose one by the rule, and fit it on all data.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The data: anything that the estimators accept and that can be indexed by row.
        y : array-like of shape (n_samples,)
            The target.
        **params
            Given to every fit, cut to the training samples, and to the refit, such as ``sample_weight``; ``groups``
            goes to the splitter. With metadata routing enabled each goes where it is requested.

        Returns
        -------
        ComparisonSelector
            Itself.

        Raises
        ------
        ValueError
            If a parameter or the data does not fit, naming it, or no estimator can be chosen.
        EstimatorFailedError
            If an estimator fails and the evaluator's `error_score` is ``"raise"``; a ValueError.
        """
        named, evaluator, rule = self._check_named(), self._check_evaluator(), self._check_rule()
        X, y = check_samples(X, y, classify=is_classifier(self))
        check_rule_fits(rule, evaluator, named, X, y)
        groups, fit_params = None, dict.fromkeys(named, params)
        if sklearn.get_config()["enable_metadata_routing"]:
            routed = process_routing(self, "fit", **params)
            fit_params = {name: routed[f"estimator_{i}"].fit for i, name in enumerate(named)}
        else:
            groups = params.pop("groups", None)
        result: EvaluationResult = evaluator.evaluate(named, X, y, groups=groups, params=params)
        candidates = of_result(result, named)
        if evaluator.stop is not None:  # again, since a callable's metrics have their names only now
            check_stop_fits(rule, evaluator.stop, candidates)
        choice: Choice = rule.choose(candidates)
        estimator = _seeded(clone(named[choice.name]), result)
        self._pass_output(estimator)
        given, own_params = (X, y), fit_params[choice.name]
        if not leaves_input_unchanged(estimator):
            given, own_params = own_copy(given), own_copy(dict(own_params))
        self.estimator_ = estimator.fit(*given, **own_params)
        self.selected_, self.choice_, self.result_ = choice.name, choice, result
        return self

    def _check_named(self) -> dict[str, Any]:
        named = name_estimators(pairs_of(self.estimators, by_class=True) or self.estimators, fewest=2)
        own = self.get_params(deep=False)
        for name in named:
            if name in own or "__" in name:
                wanted = f"names without '__' that are not parameters of the selector, {', '.join(own)}"
                raise ValueError(f"estimators must have {wanted}; got {name!r}")
        return named

    def _check_evaluator(self) -> PairedEvaluator:
        if self.evaluator is None:
            return PairedEvaluator()
        if not isinstance(self.evaluator, PairedEvaluator):
            raise ValueError(f"evaluator must be None or a PairedEvaluator; got {one_line(repr(self.evaluator)):.80}")
        return self.evaluator

    def _check_rule(self) -> Rule:
        if isinstance(self.rule, Rule):
            return self.rule
        if isinstance(self.rule, str) and self.rule in RULES:
            return simplest_within(rule=self.rule)
        raise ValueError(
            f"rule must be one of {', '.join(map(repr, RULES))}, or made by simplest_within or best_by_dominance; "
            f"got {one_line(repr(self.rule)):.80}"
        )

    # ---- what the chosen estimator does ---------------------------------------------------------------------

    @_delegated("predict")
    def predict(self, X: Any) -> Any:
        """Predictions of the chosen estimator.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The data.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return self._fitted().predict(X)

    @_delegated("predict_proba")
    def predict_proba(self, X: Any) -> Any:
        """Probabilities of the classes, by the chosen estimator; there if it has them.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The data.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            In the order of `classes_`.
        """
        return self._fitted().predict_proba(X)

    @_delegated("predict_log_proba")
    def predict_log_proba(self, X: Any) -> Any:
        """Logarithms of the probabilities of the classes, by the chosen estimator; there if it has them.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The data.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            In the order of `classes_`.
        """
        return self._fitted().predict_log_proba(X)

    @_delegated("decision_function")
    def decision_function(self, X: Any) -> Any:
        """Decision values of the chosen estimator; there if it has them.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The data.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
        """
        return self._fitted().decision_function(X)

    @_delegated("transform")
    def transform(self, X: Any) -> Any:
        """The data transformed by the chosen estimator; there if it can.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The data.

        Returns
        -------
        array-like of shape (n_samples, n_new_features)
        """
        return self._fitted().transform(X)

    @_delegated("transform")
    def fit_transform(self, X: Any, y: Any, **params: Any) -> Any:
        """`fit`, then `transform`; there if the estimators transform.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The data.
        y : array-like of shape (n_samples,)
            The target.
        **params
            As for `fit`.

        Returns
        -------
        array-like of shape (n_samples, n_new_features)
        """
        return self.fit(X, y, **params).transform(X)

    @_delegated("transform", "get_feature_names_out")
    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Names of the columns that `transform` gives; there if the chosen estimator transforms and names them.

        Parameters
        ----------
        input_features : array-like of str or None, default=None
            Names of the columns of X; by default those of `fit`.

        Returns
        -------
        ndarray of str of shape (n_new_features,)
        """
        return self._fitted().get_feature_names_out(input_features)

    @_delegated("transform", "set_output")
    def set_output(self, *, transform: str | None = None) -> Any:
        """Set what `transform` gives, before or after `fit`; there if the estimators transform.

        Parameters
        ----------
        transform : {"default", "pandas", "polars"} or None, default=None
            The container; None leaves it as it is.

        Returns
        -------
        ComparisonSelector
            Itself.
        """
        if transform is not None:
            self._sklearn_output_config = {"transform": transform}
            self._pass_output(getattr(self, "estimator_", None))
        return self

    def _pass_output(self, estimator: Any) -> None:
        """Tell an estimator that transforms what `set_output` was told, if anything."""
        output: dict[str, str] = getattr(self, "_sklearn_output_config", {})
        if output and hasattr(estimator, "transform"):
            estimator.set_output(**output)

    @_delegated("score")
    def score(self, X: Any, y: Any, **params: Any) -> float:
        """The chosen estimator's own score: accuracy of classifiers, R squared of regressors.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The data.
        y : array-like of shape (n_samples,)
            The target.
        **params
            Given to its `score`, such as ``sample_weight``; with metadata routing enabled, where it is requested.

        Returns
        -------
        float
            Greater is better.
        """
        chosen = self._fitted()
        if params and sklearn.get_config()["enable_metadata_routing"]:
            place = list(self._named()).index(self.selected_)
            params = process_routing(self, "score", **params)[f"estimator_{place}"].score
        return float(chosen.score(X, y, **params))

    @property
    def classes_(self) -> Any:
        """Labels of the classes, of the chosen estimator."""
        return self._of_chosen("classes_")

    @property
    def n_features_in_(self) -> int:
        """Number of columns of X in `fit`."""
        return int(self._of_chosen("n_features_in_"))

    @property
    def feature_names_in_(self) -> Any:
        """Names of the columns of X in `fit`; there if they were strings."""
        return self._of_chosen("feature_names_in_")

    def _fitted(self) -> Any:
        check_is_fitted(self, "estimator_")
        return self.estimator_

    def _of_chosen(self, name: str) -> Any:
        """An attribute of the chosen estimator, which is not there before `fit`."""
        if "estimator_" not in vars(self):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r} before it is fitted")
        return getattr(self.estimator_, name)

    # ---- what scikit-learn asks -----------------------------------------------------------------------------

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        estimators = list(self._named().values())
        try:
            children = [get_tags(estimator) for estimator in estimators]
        except Exception:  # told in fit
            return tags
        if not children:
            return tags
        if all(map(is_classifier, estimators)) or all(map(is_regressor, estimators)):
            tags.estimator_type = children[0].estimator_type
            tags.classifier_tags = children[0].classifier_tags
            tags.regressor_tags = children[0].regressor_tags
        transforming = [child.transformer_tags for child in children]
        if all(transforming):
            preserved = [set(child.preserves_dtype) for child in transforming]
            tags.transformer_tags = TransformerTags(preserves_dtype=sorted(set.intersection(*preserved)))
        for name in ("sparse", "allow_nan", "string", "categorical", "three_d_array"):
            setattr(tags.input_tags, name, all(getattr(child.input_tags, name) for child in children))
        for name in ("pairwise", "positive_only"):
            setattr(tags.input_tags, name, any(getattr(child.input_tags, name) for child in children))
        for name in ("multi_output", "single_output"):
            setattr(tags.target_tags, name, all(getattr(child.target_tags, name) for child in children))
        tags.target_tags.positive_only = any(child.target_tags.positive_only for child in children)
        tags.non_deterministic = any(child.non_deterministic for child in children)
        return tags

    def get_metadata_routing(self) -> MetadataRouter:
        """Which parameters of `fit` and `score` go to the estimators, the splitter and the scorers.

        Returns
        -------
        sklearn.utils.metadata_routing.MetadataRouter
        """
        router = MetadataRouter(owner=type(self).__name__)
        to_estimators = _while_fitting("fit").add(caller="score", callee="score")
        for i, estimator in enumerate(self._named().values()):
            router.add(**{f"estimator_{i}": estimator}, method_mapping=to_estimators)
        evaluator = self._check_evaluator()
        if hasattr(evaluator.cv, "get_metadata_routing"):
            router.add(splitter=evaluator.cv, method_mapping=_while_fitting("split"))
        for metric in resolve_scoring(evaluator.scoring, "regression" if is_regressor(self) else "binary", {}):
            scorer = get_scorer(metric.source) if metric.routable else None
            if hasattr(scorer, "get_metadata_routing"):
                router.add(**{f"scorer_{metric.name}": scorer}, method_mapping=_while_fitting("score"))
        return router

    def __repr__(self, N_CHAR_MAX: int = MAX_REPR) -> str:
        # scikit-learn's own would sort a mapping of estimators, whose order says which is simpler
        given = [f"estimators={self.estimators!r}"]
        given += [] if self.evaluator is None else [f"evaluator={self.evaluator!r}"]
        given += [] if isinstance(self.rule, str) and self.rule == "margin" else [f"rule={self.rule!r}"]
        return cut(one_line(f"{type(self).__name__}({', '.join(given)})"), N_CHAR_MAX)

    def _sk_visual_block_(self) -> Any:
        """The estimators side by side; scikit-learn's class for that is private, its ensembles are not."""
        return VotingClassifier(list(self._named().items()))._sk_visual_block_()


def _while_fitting(callee: str) -> MethodMapping:
    """A mapping of metadata for a method that `fit` and `fit_transform` call."""
    return MethodMapping().add(caller="fit", callee=callee).add(caller="fit_transform", callee=callee)


def _seeded(estimator: Any, result: EvaluationResult) -> Any:
    """The estimator with a seed for its open random states, which no split has used, if the evaluator has one."""
    random_state, stopping = result.provenance["random_state"], result._scores.stopping
    if random_state is not None and (open_states := random_states(estimator, unset=True)):
        n_splits = result.design.n_splits if stopping is None else stopping.max_repeats * stopping.n_folds
        estimator.set_params(**dict.fromkeys(open_states, split_seeds(random_state, n_splits + 1)[-1]))
    return estimator
