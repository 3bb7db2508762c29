"""The user's own calibration: degrees of freedom on data sets of equal models."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

import numpy as np

from skcompare._core.record import cut
from skcompare._core.validation import FloatArray, check_choice, check_integer, check_number, old_names
from skcompare.calibration._generators import Generator, LabelPermutation
from skcompare.calibration._simulation import first_dataset, name_models, simulate
from skcompare.evaluation.input import feature_count, is_classification, task_of
from skcompare.evaluation.metrics.scoring import resolve_scoring
from skcompare.evaluation.provenance import library_versions
from skcompare.evaluator import PairedEvaluator
from skcompare.inference import CalibrationResult
from skcompare.inference import calibrate as calibrate_differences
from skcompare.inference.fold_scores.calibrate import check_null, fewest_datasets
from skcompare.inference.fold_scores.t_tests import Scheme
from skcompare.scores.calibration import Calibration as Calibration
from skcompare.scores.calibration import class_shares, identity_of, metric_identity


@old_names(estimators="models")
def calibrate(
    evaluator: Any,
    models: Mapping[str, Any] | Sequence[Any],
    X: Any = None,
    y: Any = None,
    *,
    generator: Generator | None = None,
    metrics: str | Sequence[str] | None = None,
    scheme: Scheme = "all",
    alpha: float = 0.05,
    n_datasets: int = 1000,
    confidence_level: float = 0.95,
    random_state: int | None = None,
) -> Calibration:
    """Calibrate the t test of two models for your data, design and metrics.

    Both models are evaluated on many data sets on which they are equally good: by default your own, its labels shuffled
    (``LabelPermutation``), so that no model can do better than chance. Per metric those degrees of freedom are found
    with which the calibrated t test rejects the share `alpha` of these data sets. Shuffled labels do not make all
    metrics equal: with unbalanced classes, or for recall, precision and F1, two models that predict the positive class
    with different frequency differ on average. Metrics on which they do are left uncalibrated, and the record says so.

    Parameters
    ----------
    evaluator : PairedEvaluator or cv
        What the models will be evaluated with: its `cv` and `scoring` make the design and the metrics; its `n_jobs` is
        over data sets, its `store` keeps what is finished, so that the same call goes on where it was stopped, and its
        `progress` counts data sets. A `cv` alone stands for ``PairedEvaluator(cv)``.
    models : mapping of name to estimator, list of (name, estimator), or list of estimators
        The two models, or what `generator` makes two models of.
    X, y : array-like, optional
        The data whose labels are shuffled; not with `generator`.
    generator : Generator, optional
        Makes other data sets of equal models, e.g. ``RandomData()`` or ``ExchangeableBlocks()``.
    metrics : str or sequence of str, optional
        Used in place of the evaluator's `scoring`; names in it where that is a dict.
    scheme : {"all", "folds", "runs", "sorted_runs"}, default="all"
        As in `calibrated_t_test`; all but ``"all"`` are for repeated k-fold.
    alpha : float, default=0.05
        The size that the test is to have, in (0, 1).
    n_datasets : int, default=1000
        Data sets, or permutations; at least 19 for ``alpha=0.05``. With 200 the size at 5% is known to about 3 points,
        with 1000 to 1.4.
    confidence_level : float, default=0.95
        Of the intervals, in (0, 1).
    random_state : int, optional
        The seed of data sets, splits and models; the evaluator's where that is an int, else 0.

    Returns
    -------
    Calibration
        ``calibration[metric]`` is the `CalibrationResult` of a metric, and ``calibration.df`` that of the first.
        ``evaluator.evaluate(..., calibration=calibration)`` uses it.

    Raises
    ------
    ValueError
        If an argument does not fit, naming it, or no metric can be calibrated, with the numbers.

    References
    ----------
    R. R. Bouckaert (2003), Choosing between two learning algorithms based on calibrated tests, ICML, 51-58.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import BernoulliNB, GaussianNB
    >>> from skcompare import PairedEvaluator
    >>> from skcompare.calibration import calibrate
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> models = {"gauss": GaussianNB(), "coins": BernoulliNB(binarize=0.1)}
    >>> evaluator = PairedEvaluator(cv=5, scoring="roc_auc", random_state=0)
    >>> calibration = calibrate(evaluator, models, X, y, n_datasets=20)  # far too few, to be quick
    >>> result = evaluator.evaluate(models, X, y, calibration=calibration)
    >>> result.test().df == calibration.df
    True
    """
    check_choice(scheme, "scheme", get_args(Scheme))
    alpha = check_number(alpha, "alpha", low=0, high=1, closed="neither")
    check_number(confidence_level, "confidence_level", low=0, high=1, closed="neither")
    n_datasets = check_integer(n_datasets, "n_datasets", low=fewest_datasets(alpha))
    evaluator = _evaluator(evaluator, metrics)
    if random_state is None:
        random_state = evaluator.random_state if isinstance(evaluator.random_state, int) else 0
    random_state = check_integer(random_state, "random_state", low=0)
    generator = _generator(generator, X, y)
    named = name_models(models)
    models = generator.pair(named)
    identities = tuple(identity_of(model) for model in models.values())
    data, _, truth = first_dataset(generator, random_state)
    task = task_of(list(models.values()), truth)
    with warnings.catch_warnings(action="ignore", category=UserWarning):  # the evaluation says which it leaves out
        known = resolve_scoring(evaluator.scoring, task, models)
    # A callable that gives several scores has one identity, under its own name.
    told = {metric.name: metric_identity(metric) for metric in known}
    simulation = simulate(evaluator, named, generator, n_datasets=n_datasets, random_state=random_state)
    design = replace(simulation.design, split_hash="")
    found: dict[str, CalibrationResult] = {}
    lacking: dict[str, str] = {}
    for metric in simulation.metrics:
        d = simulation.differences(metric).reshape(n_datasets, design.n_repeats, design.n_folds)
        try:
            _check_comparable(d)
            found[metric] = calibrate_differences(d, scheme=scheme, alpha=alpha, confidence_level=confidence_level)
        except ValueError as error:  # they are not comparable, or no degrees of freedom serve the metric
            lacking[metric] = str(error)
    if not found:
        reasons = "; ".join(f"{metric}: {reason}" for metric, reason in lacking.items())
        raise ValueError(f"no metric can be calibrated on {_in_words(generator)}: {reasons}")
    return Calibration(
        estimators=tuple(models),
        identities=identities,
        metrics=simulation.metrics,
        calibrations=found,
        uncalibrated=lacking,
        scheme=scheme,
        alpha=alpha,
        generator=_in_words(generator),
        design=design,
        n_datasets=n_datasets,
        random_state=random_state,
        versions={name: version for name, version in library_versions().items() if name != "joblib"},
        metric_identities={name: told.get(name, told[next(iter(told))]) for name in simulation.metrics},
        class_shares=class_shares(truth) if is_classification(task) else (),
        n_features=feature_count(data),
    )


def _evaluator(evaluator: Any, metrics: str | Sequence[str] | None) -> PairedEvaluator:
    """An evaluator of its own, with the metrics asked for."""
    own = copy.copy(evaluator) if isinstance(evaluator, PairedEvaluator) else PairedEvaluator(evaluator)
    if own.stop is not None:
        raise ValueError(f"evaluator must have no stop, which makes designs of several sizes; got {own.stop!r}")
    if metrics is not None:
        scoring: Any = metrics if isinstance(metrics, str) else list(metrics)
        if isinstance(own.scoring, Mapping):
            names = [metrics] if isinstance(metrics, str) else metrics
            for name in names:
                check_choice(name, "metrics", tuple(own.scoring))
            scoring = {name: own.scoring[name] for name in names}
        own.set_params(scoring=scoring)
    return own._set_options(keep_predictions=False).set_params(intervals=None)


def _generator(generator: Generator | None, X: Any, y: Any) -> Generator:
    if generator is None:
        if X is None or y is None:
            raise ValueError("X and y must be given where generator is not; got None")
        return LabelPermutation(X=X, y=y)
    if X is not None or y is not None:
        raise ValueError(f"X and y must be left out with generator={_in_words(generator)}, which makes data of its own")
    if not all(callable(getattr(generator, name, None)) for name in ("draw", "pair")):
        raise ValueError(f"generator must have draw and pair, as RandomData() has; got {generator!r:.80}")
    if getattr(generator, "is_alternative", False):
        raise ValueError(
            f"generator must make equally good models; got {_in_words(generator)}, under which one is better"
        )
    return generator


def _check_comparable(d: FloatArray) -> None:
    """Raise ValueError where the differences of a metric are not those of equal models."""
    missing = int(np.count_nonzero(~np.isfinite(d)))
    if missing == d.size:
        raise ValueError("it is undefined on all data sets")
    if missing:
        raise ValueError(f"its difference is not a finite number on {missing} of {d.size} splits")
    check_null(d, "the models are not equal there")


def _in_words(generator: Generator) -> str:
    if isinstance(generator, LabelPermutation):
        return f"permuted labels of {len(generator.y)} samples"
    return cut(" ".join(repr(generator).split()))
