"""`size` and `power`: how often procedures reject on simulated data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from skcompare._core.html import cut
from skcompare._core.printable import one_line
from skcompare._core.validation import FloatArray, check_integer, check_number
from skcompare._core.warnings import Code, CodedWarning
from skcompare.calibration._generators import Generator
from skcompare.calibration._null_check import MetricDifference, metric_differences
from skcompare.calibration._prepare import PreparedSimulation, prepare_simulation
from skcompare.calibration._rates import PowerEstimate, RejectionRate, SizeEstimate, share_below
from skcompare.calibration._readings import PValues, Reading, choose_readings
from skcompare.calibration._simulation import Simulation, simulate

_MAX_NAME = 200
# Of fewer data sets the check of the null hypothesis overlooks differences that matter.
_MANY = 100


def size(
    procedure: str | Sequence[str],
    design: Any,
    generator: Generator,
    metrics: Any = None,
    *,
    estimators: Any,
    alpha: float = 0.05,
    n_datasets: int = 1000,
    confidence_level: float = 0.95,
    n_jobs: int | None = None,
    random_state: int = 0,
    store: Any = None,
    progress: bool = False,
    **options: Any,
) -> SizeEstimate:
    """How often procedures reject a true null hypothesis: measured, on simulated data sets.

    Every data set is drawn, split and evaluated anew, and tested. A share is called a size only where the null
    hypothesis holds: where the mean difference of the two models on the metric is within 3 standard errors of 0 (some
    more for several metrics, see `MetricDifference`). Elsewhere it is nan and the row says why.

    Parameters
    ----------
    procedure : str or sequence of str
        As in `EvaluationResult.test`, ``"auto"`` too, or ``"dominance_test"``; several share their fits. Procedures on
        several metrics at once have one row.
    design : int, str, splitter or iterable
        What `PairedEvaluator` takes as `cv`. A splitter that shuffles draws other splits on every data set, whatever
        its own random state.
    generator : Generator
        Draws data sets on which two models are equally good: `ExchangeableBlocks`, `RandomData`, `LabelPermutation`,
        or one of your own.
    metrics : None, str, list, dict or callable, default=None
        What `PairedEvaluator` takes as `scoring`.
    estimators : estimator, mapping or list
        Named as for `PairedEvaluator`: two, or one for `ExchangeableBlocks`.
    alpha : float, default=0.05
        Nominal level, in (0, 1); other levels can be asked for later.
    n_datasets : int, default=1000
        At least 2. The interval of a size near 5% is about 1.4 points to either side for 1,000, 0.7 for 4,000.
    confidence_level : float, default=0.95
        Of the intervals, in (0, 1).
    n_jobs : int or None, default=None
        Number of joblib workers, over data sets; None is 1 unless a `joblib.parallel_config` says otherwise. The
        numbers do not depend on it.
    random_state : int, default=0
        Seed of data sets, splits and models; data set i depends on it and on i alone.
    store : None or path-like, default=None
        A file in which every finished data set is kept, as `PairedEvaluator` keeps fits: the same call does only what
        is missing, more data sets reuse those there, and other procedures on scores take the stored ones.
    progress : bool, default=False
        Show data sets done; needs tqdm.
    **options
        Options of the procedures, such as ``df=9.5`` or ``alternative="greater"``, given to those that take them.

    Returns
    -------
    SizeEstimate
        A row per procedure and metric.

    Raises
    ------
    ValueError
        If an argument does not fit, the generator is an alternative, or a model fails on a data set, naming it.

    See Also
    --------
    power : how often a difference is found.
    replicability : whether other splits give the same verdict.

    References
    ----------
    R. R. Bouckaert (2003), Choosing between two learning algorithms based on calibrated tests, Proceedings of the 20th
    International Conference on Machine Learning, 51-58.

    C. J. Clopper and E. S. Pearson (1934), The use of confidence or fiducial limits illustrated in the case of
    the binomial, Biometrika 26, 404-413, :doi:`10.1093/biomet/26.4.404`.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skcompare.calibration import ExchangeableBlocks, size
    >>> blocks = ExchangeableBlocks(n_samples=60)
    >>> found = size(["corrected_t_test", "paired_t_test"], "5x2", blocks, ["accuracy", "recall"],
    ...              estimators=GaussianNB(), n_datasets=50)  # far too few, to be quick
    >>> len(found), found.null_holds
    (4, {'accuracy': True, 'recall': True})
    >>> corrected, naive = found[0], found[2]
    >>> naive.procedure, bool(naive.share > corrected.share)
    ('paired_t_test', True)
    """
    _check(alpha, n_datasets, confidence_level)
    if getattr(generator, "is_alternative", False):
        raise ValueError(f"generator must be a null for a size; got {generator!r:.200}, of which `power` can be asked")
    plan, reading, simulation = _simulated(
        procedure, (design, generator, metrics, estimators), n_datasets, options,
        n_jobs=n_jobs, random_state=random_state, store=store, progress=progress,
    )  # fmt: skip
    differences = metric_differences(simulation.scores, simulation.metrics)
    pvalues = _pvalues(reading, simulation)
    undefined = np.isnan(pvalues).sum(axis=1)
    held = [_holds(row, differences) for row in reading.readings]
    pvalues[~np.array(held)] = np.nan
    pvalues.setflags(write=False)
    rows = tuple(
        _row(row, own, int(lacking), differences, simulation, plan, (alpha, confidence_level), generator=generator)
        for row, own, lacking in zip(reading.readings, pvalues, undefined, strict=True)
    )
    few = Code.FEW(
        f"of {n_datasets} data sets the check overlooks mean differences of half a standard deviation of a data "
        f"set's; take {_MANY} or more."
    )
    return SizeEstimate(
        rows=rows,
        alpha=float(alpha),
        confidence_level=float(confidence_level),
        models=simulation.models,
        design=simulation.design,
        generator=in_words(generator),
        differences=differences,
        pvalues=pvalues,
        warnings=(few,) if n_datasets < _MANY else (),
    )


def power(
    procedure: str | Sequence[str],
    design: Any,
    generator: Generator,
    metrics: Any = None,
    *,
    estimators: Any,
    alpha: float = 0.05,
    n_datasets: int = 1000,
    confidence_level: float = 0.95,
    n_jobs: int | None = None,
    random_state: int = 0,
    store: Any = None,
    progress: bool = False,
    **options: Any,
) -> PowerEstimate:
    """How often procedures find a difference that is there: measured, on simulated data sets.

    Compare the power of procedures only where their sizes are alike: what rejects half of all true nulls finds much.

    Parameters
    ----------
    procedure : str or sequence of str
        As in `size`.
    design : int, str, splitter or iterable
        As in `size`.
    generator : Generator
        Draws data sets on which one model is better, such as ``ExchangeableBlocks(signal_b=0.6)``.
    metrics : None, str, list, dict or callable, default=None
        What `PairedEvaluator` takes as `scoring`.
    estimators : estimator, mapping or list
        As in `size`.
    alpha : float, default=0.05
        Nominal level, in (0, 1); other levels can be asked for later.
    n_datasets : int, default=1000
        At least 2.
    confidence_level : float, default=0.95
        Of the intervals, in (0, 1).
    n_jobs : int or None, default=None
        As in `size`.
    random_state : int, default=0
        As in `size`.
    store : None or path-like, default=None
        As in `size`.
    progress : bool, default=False
        As in `size`.
    **options
        As in `size`.

    Returns
    -------
    PowerEstimate
        A row per procedure and metric, with the true mean difference and its standard error.

    Raises
    ------
    ValueError
        If an argument does not fit, or a model fails on a data set, naming it.

    See Also
    --------
    size : how often a true null is rejected.

    References
    ----------
    C. J. Clopper and E. S. Pearson (1934), The use of confidence or fiducial limits illustrated in the case of
    the binomial, Biometrika 26, 404-413, :doi:`10.1093/biomet/26.4.404`.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skcompare.calibration import ExchangeableBlocks, power
    >>> better = ExchangeableBlocks(n_samples=60, signal=0.2, signal_b=1.0)
    >>> found = power("auto", "5x2", better, "accuracy", estimators=GaussianNB(), n_datasets=20)
    >>> found[0].procedure, bool(found[0].difference < 0), bool(found[0].share > 0.5)  # the sign is a - b
    ('corrected_t_test', True, True)
    """
    _check(alpha, n_datasets, confidence_level)
    plan, reading, simulation = _simulated(
        procedure, (design, generator, metrics, estimators), n_datasets, options,
        n_jobs=n_jobs, random_state=random_state, store=store, progress=progress,
    )  # fmt: skip
    differences = metric_differences(simulation.scores, simulation.metrics)
    pvalues = _pvalues(reading, simulation)
    pvalues.setflags(write=False)
    rows = tuple(
        _row(row, own, int(np.isnan(own).sum()), differences, simulation, plan, (alpha, confidence_level))
        for row, own in zip(reading.readings, pvalues, strict=True)
    )
    return PowerEstimate(
        rows=rows,
        alpha=float(alpha),
        confidence_level=float(confidence_level),
        models=simulation.models,
        design=simulation.design,
        generator=in_words(generator),
        differences=differences,
        pvalues=pvalues,
    )


def in_words(generator: Any) -> str:
    """What a generator is, in one line."""
    return cut(one_line(repr(generator)), _MAX_NAME)


def _check(alpha: Any, n_datasets: Any, confidence_level: Any) -> None:
    check_number(alpha, "alpha", low=0, high=1, closed="neither")
    check_number(confidence_level, "confidence_level", low=0, high=1, closed="neither")
    check_integer(n_datasets, "n_datasets", low=2)


def _simulated(
    procedure: Any, what: tuple[Any, Any, Any, Any], n_datasets: int, options: dict[str, Any], **how: Any
) -> tuple[PreparedSimulation, PValues, Simulation]:
    design, generator, metrics, estimators = what
    plan = prepare_simulation(design, generator, metrics, estimators, **how)
    reading = choose_readings(procedure, plan.design, plan.metrics, plan.task, options)
    simulation = simulate(
        plan.evaluator,
        plan.estimators,
        generator,
        n_datasets=n_datasets,
        random_state=how["random_state"],
        readings=reading,
        from_predictions=any(row.from_predictions for row in reading.readings),
    )
    return plan, reading, simulation


def _pvalues(reading: PValues, simulation: Simulation) -> FloatArray:
    """One row per reading, shape (n_rows, n_datasets)."""
    pvalues = np.array([simulation.readings[row.name] for row in reading.readings])
    if ((pvalues < 0) | (pvalues > 1)).any():
        raise ValueError("store must hold p-values in [0, 1]; it holds others")
    return pvalues


def _holds(row: Reading, differences: Sequence[MetricDifference]) -> bool:
    return all(found.null_holds for found in differences if found.metric in row.metrics)


def _row(
    row: Reading,
    pvalues: FloatArray,
    n_undefined: int,
    differences: Sequence[MetricDifference],
    simulation: Simulation,
    plan: PreparedSimulation,
    levels: tuple[float, float],
    *,
    generator: Any = None,
) -> RejectionRate:
    """One row; of a size where the generator is given."""
    own = [found for found in differences if found.metric in row.metrics]
    doubts = [] if generator is None else [_not_a_null(found, generator) for found in own if not found.null_holds]
    if n_undefined:
        doubts.append(
            Code.UNDEFINED(
                f"{row.name} gave no p-value on {n_undefined} of {len(pvalues)} data sets; these count as not rejected."
            )
        )
    for metric in row.metrics:
        n_fits = 2 * plan.design.n_splits * len(pvalues)
        ill_defined = float(simulation.ill_defined[:, plan.metrics.index(metric)].sum()) / n_fits
        if ill_defined > 0:
            doubts.append(Code.ILL_DEFINED(f"{metric} is 0/0 in {ill_defined:.2%} of the fits.", (metric,)))
    share, low, high = share_below(pvalues, *levels)
    return RejectionRate(
        procedure=row.procedure,
        metric=row.metric,
        share=share,
        low=low,
        high=high,
        n_datasets=len(pvalues),
        n_undefined=n_undefined,
        difference=np.nan if row.joint else own[0].difference,
        standard_error=np.nan if row.joint else own[0].standard_error,
        null_holds=all(found.null_holds for found in own),
        warnings=tuple(doubts),
    )


def _not_a_null(found: MetricDifference, generator: Any) -> CodedWarning:
    if not found.n_datasets:
        return Code.UNDEFINED(f"{found}.")
    exact = getattr(generator, "exact_for", "")
    known = f" {type(generator).__name__} is exact for {exact}." if exact else ""
    return Code.NOT_A_NULL(f"{found}: the models are not equally good, and a rejection is no false alarm.{known}")
