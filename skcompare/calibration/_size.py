"""`size`, `power` and `replicability`: how often procedures reject on simulated data, and whether they agree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import nan, sqrt
from typing import Any

import numpy as np
from scipy.special import stdtrit

from skcompare._core.numbers import percent
from skcompare._core.record import Record
from skcompare._core.validation import FloatArray, check_integer, old_names
from skcompare._core.warnings import Code, CodedWarning, Warnings
from skcompare.calibration import _rates as rates
from skcompare.calibration._generators import Generator
from skcompare.calibration._simulation import Simulation
from skcompare.inference._sentences import Values, as_exact_share

# Of fewer data sets the check of the null hypothesis overlooks differences that matter.
_MANY = 100


@old_names(estimators="models")
def size(
    procedure: str | Sequence[str],
    design: Any,
    generator: Generator,
    metrics: Any = None,
    *,
    models: Any,
    alpha: float = 0.05,
    n_datasets: int = 1000,
    confidence_level: float = 0.95,
    n_jobs: int | None = None,
    random_state: int = 0,
    store: Any = None,
    progress: bool = False,
    **options: Any,
) -> rates.SizeEstimate:
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
    models : estimator, mapping or list
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
    ...              models=GaussianNB(), n_datasets=10)  # far too few, to be quick
    >>> len(found), found.null_holds
    (4, {'accuracy': True, 'recall': True})
    >>> corrected, naive = found[0], found[2]
    >>> naive.procedure, bool(naive.share > corrected.share)
    ('paired_t_test', True)
    """
    if getattr(generator, "is_alternative", False):
        raise ValueError(f"generator must be a null for a size; got {generator!r:.200}, of which `power` can be asked")
    measured = rates.measure_pvalues(**locals())
    few = Code.MONTE_CARLO(
        f"with {n_datasets} data sets the check misses mean differences of half a standard deviation of a data set's; "
        f"take {_MANY} or more."
    )
    return rates.SizeEstimate(**_rates(measured, generator), warnings=(few,) if n_datasets < _MANY else ())


@old_names(estimators="models")
def power(
    procedure: str | Sequence[str],
    design: Any,
    generator: Generator,
    metrics: Any = None,
    *,
    models: Any,
    alpha: float = 0.05,
    n_datasets: int = 1000,
    confidence_level: float = 0.95,
    n_jobs: int | None = None,
    random_state: int = 0,
    store: Any = None,
    progress: bool = False,
    **options: Any,
) -> rates.PowerEstimate:
    """How often procedures find a difference that is there: measured, on simulated data sets.

    Compare the power of procedures only where their sizes are alike: what rejects half of all true nulls finds much.

    Parameters
    ----------
    procedure, design : as in `size`
        What is measured, and how data sets are split.
    generator : Generator
        Draws data sets on which one model is better, such as ``ExchangeableBlocks(signal_b=0.6)``.
    metrics, models, alpha : as in `size`
        What is scored, the models and the nominal level.
    n_datasets : int, default=1000
        At least 2.
    confidence_level, n_jobs, random_state, store, progress : as in `size`
        The intervals, and how the data sets are evaluated.
    **options
        As in `size`.

    Returns
    -------
    PowerEstimate
        A row per procedure and metric, with the true mean difference and its standard error; with the warning
        MONTE_CARLO where the data sets do not show that there is a difference.

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
    >>> found = power("auto", "5x2", better, "accuracy", models=GaussianNB(), n_datasets=10)
    >>> found[0].procedure, bool(found[0].difference < 0), bool(found[0].share > 0.5)  # the sign is a - b
    ('corrected_t_test', True, True)
    """
    return rates.PowerEstimate(**_rates(rates.measure_pvalues(**locals())))


def _rates(measured: rates.Measured, null: Any = None) -> dict[str, Any]:
    """The fields of an estimate; with the generator of a null, sizes that are nan where the null does not hold."""
    readings, every, simulation, conditions = measured
    pvalues = every[:, :, 0].copy()
    differences = rates.metric_differences(simulation.scores, simulation.metrics)
    rows = []
    for reading, own in zip(readings, pvalues, strict=True):
        of_reading = [found for found in differences if found.metric in reading.metrics]
        warnings, n_undefined = tuple(_warnings(reading, own, of_reading, simulation, null)), int(np.isnan(own).sum())
        null_holds, (first, *_) = all(found.null_holds for found in of_reading), of_reading
        if null is not None and not null_holds:
            own[:] = np.nan
        share = rates.share_below(own, conditions["alpha"], conditions["confidence_level"])
        rows.append(
            rates.RejectionRate(
                procedure=reading.procedure,
                metric=reading.metric,
                **share._asdict(),
                n_datasets=len(own),
                n_undefined=n_undefined,
                difference=nan if reading.joint else first.difference,
                standard_error=nan if reading.joint else first.standard_error,
                null_holds=null_holds,
                warnings=warnings,
            )
        )
    pvalues.setflags(write=False)
    return {"rows": tuple(rows), "differences": differences, "pvalues": pvalues, **conditions}


def _warnings(
    reading: rates.Reading, pvalues: FloatArray, differences: Sequence[Any], simulation: Simulation, null: Any
) -> Iterator[CodedWarning]:
    """Reasons to distrust a row."""
    if null is not None:
        yield from (_not_a_null(found, null) for found in differences if not found.null_holds)
    elif all(found.null_holds for found in differences):
        said = "; ".join(map(rates.difference_in_words, differences))
        equal = "the models are equal as far as can be seen, and a rejection may be a false alarm"
        yield Code.MONTE_CARLO(f"{said}: {equal}.")
    if n_undefined := int(np.isnan(pvalues).sum()):
        yield Code.MISSING_SCORES(
            f"{reading.name} gave no p-value on {n_undefined} of {len(pvalues)} data sets; these count as not rejected."
        )
    n_fits = 2 * simulation.design.n_splits * len(pvalues)
    for metric in reading.metrics:
        ill_defined = float(simulation.ill_defined[:, simulation.metrics.index(metric)].sum()) / n_fits
        if ill_defined > 0:
            yield Code.ILL_DEFINED(f"{metric} is 0/0 in {percent(ill_defined, 2)} of the fits.")


def _not_a_null(found: rates.MetricDifference, generator: Any) -> CodedWarning:
    said = rates.difference_in_words(found)
    if not found.n_datasets:
        return Code.MISSING_SCORES(f"{said}.")
    exact = getattr(generator, "exact_for", "")
    known = f" {type(generator).__name__} is exact for {exact}." if exact else ""
    return Code.NOT_A_NULL(f"{said}: the models are not equally good, and a rejection is no false alarm.{known}")


# Whether other splits of the same data give the same verdict.


class Replicability(Record):
    """How well the verdicts of one procedure on one metric agree over splits.

    Attributes
    ----------
    procedure : str
        Its name.
    metric : str
        The metric, or ``"all metrics"``.
    replicability : float
        Bouckaert's R: the probability that two randomly chosen repeats on the same data set agree, averaged over data
        sets; in [0, 1], nan where no data set has all its p-values.
    low, high : float
        Interval of Student's t for the error of the simulation, cut to [0, 1]; where all data sets have the same R,
        that of Clopper and Pearson for a share of so many data sets.
    consistency : float
        Share of the data sets on which all repeats agree, in [0, 1].
    consistency_low, consistency_high : float
        Its interval (Clopper and Pearson).
    rejected : float
        Share of all p-values below the level, in [0, 1].
    n_datasets : int
        Data sets on which every repeat gave a p-value.
    n_undefined : int
        Data sets that are left out, since some repeat gave none.
    warnings : tuple of str
        Reasons to distrust the row.
    """

    procedure: str
    metric: str
    replicability: float
    low: float
    high: float
    consistency: float
    consistency_low: float
    consistency_high: float
    rejected: float
    n_datasets: int
    n_undefined: int
    warnings: Warnings = ()

    _kind = Values(
        {
            "two runs agree": ("replicability", as_exact_share),
            **{"all agree": ("consistency", as_exact_share), "rejected": ("rejected", as_exact_share)},
        },
        of=("procedure", "metric"),
    )


class ReplicabilityEstimate(rates.Estimate[Replicability], eq=False):
    """How well verdicts agree when the same data are split again.

    Attributes
    ----------
    rows : tuple of Replicability
        One per procedure and metric.
    alpha : float
        Nominal level, in (0, 1).
    confidence_level : float
        Of the intervals, in (0, 1).
    models : tuple of (str, str)
        Names of the two models.
    design : Design
        How the first data set was resampled; all are alike.
    generator : str
        What drew the data sets.
    pvalues : ndarray of shape (n_rows, n_datasets, n_repeats)
        In [0, 1], read-only; nan where a procedure gave none.
    warnings : tuple of str
        Reasons to distrust all rows.
    """

    warnings: Warnings = ()

    def _rows_at(self, alpha: float) -> tuple[Replicability, ...]:
        return tuple(
            agreement(row.procedure, row.metric, pvalues, alpha, self.confidence_level)
            for row, pvalues in zip(self.rows, self.pvalues, strict=True)
        )

    _says = ("replicability", "two runs agree in {}")


@old_names(estimators="models")
def replicability(
    procedure: str | Sequence[str],
    design: Any,
    generator: Generator,
    metrics: Any = None,
    *,
    models: Any,
    alpha: float = 0.05,
    n_datasets: int = 100,
    n_repeats: int = 10,
    confidence_level: float = 0.95,
    n_jobs: int | None = None,
    random_state: int = 0,
    store: Any = None,
    progress: bool = False,
    **options: Any,
) -> ReplicabilityEstimate:
    r"""Whether a procedure gives the same verdict when the same data are split again.

    Every data set is evaluated `n_repeats` times, with splits drawn anew. If c of n repeats reject, two of them chosen
    at random agree with probability

    .. math:: R = \frac{c (c - 1) + (n - c)(n - c - 1)}{n (n - 1)}

    (Bouckaert 2004), from about one half for verdicts at random to 1; its mean over data sets is reported. It
    depends on how hard the data are: where there is no difference or a large one, every sound test is replicable.

    Parameters
    ----------
    procedure : str or sequence of str
        As in `size`.
    design : int, str, splitter or iterable
        As in `size`; it must draw its splits at random.
    generator : Generator
        Draws the data sets; a null, or an alternative.
    metrics, models, alpha : as in `size`
        What is scored, the models and the nominal level.
    n_datasets : int, default=100
        At least 2.
    n_repeats : int, default=10
        How often each data set is split, at least 2.
    confidence_level, n_jobs, random_state, store, progress : as in `size`
        The intervals, and how the data sets are evaluated; the first repeat has the splits that `size` draws.
    **options
        As in `size`.

    Returns
    -------
    ReplicabilityEstimate
        A row per procedure and metric.

    Raises
    ------
    ValueError
        If an argument does not fit, the splits are the same every time, or a model fails on a data set, naming it.

    See Also
    --------
    size : how often a true null is rejected.

    References
    ----------
    R. R. Bouckaert (2004), Estimating replicability of classifier learning experiments, Proceedings of the 21st
    International Conference on Machine Learning, :doi:`10.1145/1015330.1015338`.

    R. R. Bouckaert and E. Frank (2004), Evaluating the replicability of significance tests for comparing learning
    algorithms, Advances in Knowledge Discovery and Data Mining, 3-12, :doi:`10.1007/978-3-540-24775-3_3`.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skcompare.calibration import ExchangeableBlocks, replicability
    >>> better = ExchangeableBlocks(n_samples=60, signal_b=0.8)
    >>> found = replicability("corrected_t_test", "5x2", better, "accuracy", models=GaussianNB(),
    ...                       n_datasets=4, n_repeats=2)
    >>> bool(found[0].consistency <= found[0].replicability <= 1)
    True
    """
    check_integer(n_repeats, "n_repeats", low=2)
    if not isinstance(design, (int, str)) and (
        getattr(design, "shuffle", None) is False or not hasattr(design, "random_state")
    ):
        raise ValueError(f"design must draw other splits every time; got {design!r:.200}")
    readings, pvalues, _, conditions = rates.measure_pvalues(**locals())
    pvalues.setflags(write=False)
    rows = tuple(
        agreement(reading.procedure, reading.metric, own, alpha, confidence_level)
        for reading, own in zip(readings, pvalues, strict=True)
    )
    return ReplicabilityEstimate(rows=rows, pvalues=pvalues, **conditions)


def agreement(procedure: str, metric: str, pvalues: FloatArray, alpha: float, confidence_level: float) -> Replicability:
    """Bouckaert's R and the consistency of the verdicts, from p-values of shape (n_datasets, n_repeats)."""
    complete = ~np.isnan(pvalues).any(axis=1)
    own, n_repeats = pvalues[complete], pvalues.shape[1]
    n, n_undefined = len(own), int((~complete).sum())
    undefined = Code.MISSING_SCORES(
        f"{procedure} on {metric} gave no p-value in some repeat of {n_undefined} of {len(pvalues)} "
        f"data sets; these are left out."
    )
    agreeing = consistent = rates.Share(nan, nan, nan)
    if n:
        count = (own < alpha).sum(axis=1)
        agreeing = _mean_share(replicability_of(count, n_repeats), confidence_level)
        consistent = rates.share_of(int(np.count_nonzero((count == 0) | (count == n_repeats))), n, confidence_level)
    return Replicability(
        procedure=procedure,
        metric=metric,
        replicability=agreeing.share,
        low=agreeing.low,
        high=agreeing.high,
        consistency=consistent.share,
        consistency_low=consistent.low,
        consistency_high=consistent.high,
        rejected=float((own < alpha).mean()) if n else nan,
        n_datasets=n,
        n_undefined=n_undefined,
        warnings=(undefined,) if n_undefined else (),
    )


def replicability_of(n_rejected: Any, n_repeats: int) -> FloatArray:
    """R, the probability that two of `n_repeats` verdicts agree of which `n_rejected` reject."""
    c, n = np.asarray(n_rejected, dtype=float), n_repeats
    return np.asarray((c * (c - 1) + (n - c) * (n - c - 1)) / (n * (n - 1)))


def _mean_share(values: FloatArray, confidence_level: float) -> rates.Share:
    """The mean of values in [0, 1], with its interval."""
    n, mean = len(values), float(values.mean())
    error = float(values.std(ddof=1)) / sqrt(n) if n > 1 and np.ptp(values) else 0.0
    if not error:
        _, low, high = rates.share_of(round(mean * n), n, confidence_level)
        return rates.Share(mean, min(low, mean), max(high, mean))
    half = -float(stdtrit(n - 1, (1 - confidence_level) / 2)) * error
    return rates.Share(mean, max(mean - half, 0.0), min(mean + half, 1.0))
