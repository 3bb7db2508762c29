"""How often procedures reject, and whether the two models are equally good: the records of `size` and `power`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from inspect import Parameter
from math import copysign, inf, isnan, nan, sqrt
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self, TypeVar

import numpy as np
from scipy.special import ndtr, stdtrit

from skcompare._core.design import Design, repeated_folds
from skcompare._core.frames import frame_of
from skcompare._core.numbers import listed, percent, percent_of
from skcompare._core.record import Frozen, Record, Rows, cut
from skcompare._core.text import one_line
from skcompare._core.validation import FloatArray, Options, check_integer, check_number, take_old
from skcompare._core.warnings import Warnings
from skcompare.calibration._simulation import Simulation, first_evaluation, name_models, simulate
from skcompare.comparison.cases import check_metric_count, rope_widths
from skcompare.comparison.table import check_widths
from skcompare.evaluation.input import RunSettings, is_classification
from skcompare.evaluation.metrics.scorers import known_scorer
from skcompare.evaluation.metrics.scoring import check_metric_name
from skcompare.evaluation.metrics.table import named_scorer
from skcompare.evaluator import PairedEvaluator
from skcompare.inference import proportion_interval
from skcompare.inference._procedures import IN_TIME, Procedure, find_procedure
from skcompare.inference._rates import Known, PredictedRate, design_like, predicted, why_not
from skcompare.inference._sentences import Values, as_difference, as_exact_share
from skcompare.results import EvaluationResult

if TYPE_CHECKING:
    from skcompare.plotting import SizeDisplay


# What is predicted of the simulations that were made before.


_DESIGN = re.compile(r"(?:(\d{1,9})x(\d{1,9})|(\d{1,9})(?:-fold)?|(\d{1,9}) random splits)", re.ASCII)
_TEST_FRACTION = 1 / 3  # of random splits


def predicted_error_rate(
    metric: str,
    design: int | str = "10x10",
    *,
    n_samples: int,
    positives: float | None = None,
    called_positive: float | None = None,
    n_classes: int = 2,
    instability: float | None = None,
    procedure: str = "auto",
) -> PredictedRate:
    """How often a test at 5% calls two equal models different, predicted for a learner and data that nobody simulated.

    A hierarchical model of the nulls of the :doc:`calibration study </study>`: they differ, mostly by learner, and the
    range is what holds 90% of new ones. What is left out is integrated out.

    Parameters
    ----------
    metric : str
        Its name in scikit-learn, as ``"recall"``.
    design : int or str, default="10x10"
        The folds k, ``"RxK"`` or ``"30 random splits"``, which test on a third; of the simulated designs the one that
        is like it.
    n_samples : int
        Samples in the data set.
    positives : float, optional
        Share of the positive class of two, in (0, 1).
    called_positive : float, optional
        Share that both models together call positive, in (0, 1); of use with `positives`.
    n_classes : int, default=2
        Of equal frequency where there are more than two. Metrics of numbers have neither classes nor positives.
    instability : float, optional
        Share of the samples whose predicted label changes from one repeat to the next, the mean of the models, in
        [0, 1].
    procedure : str, default="auto"
        As in `EvaluationResult.test`.

    Returns
    -------
    PredictedRate
        With `mean`, `low` and `high`; these are nan, and `reason` says why, where nothing like it was simulated.

    Raises
    ------
    ValueError
        If an argument is out of range, no metric has the name, or the procedure does not fit the design.

    Examples
    --------
    >>> from skcompare.calibration import predicted_error_rate
    >>> found = predicted_error_rate("accuracy", "10x10", n_samples=200, positives=0.5)
    >>> 0 <= found.low < found.mean < found.high < 0.3
    True
    """
    if not isinstance(metric, str):
        raise ValueError(f"metric must be the name of a metric; got {metric!r:.80}")
    shares = {"positives": positives, "called_positive": called_positive, "instability": instability}
    for name, share in ((name, share) for name, share in shares.items() if share is not None):
        shares[name] = check_number(share, name, low=0, high=1, closed="both" if name == "instability" else "neither")
    n, k = check_integer(n_samples, "n_samples", low=2), check_integer(n_classes, "n_classes", low=2)
    numbers = known_scorer(named_scorer(metric), "regression", None) is not None
    if numbers and (positives, called_positive, k) != (None, None, 2):
        says = f"positives, called_positive and n_classes must be left out of {metric!r}, a metric of numbers"
        raise ValueError(says)
    if k > 2 and (positives, called_positive) != (None, None):
        raise ValueError(f"positives and called_positive must be None with more than two classes; got {k} classes")
    found = _DESIGN.fullmatch(str(design)) if type(design) in (int, str) else None
    repeats, folds = (1, 0) if found is None else (int(found[1] or found[4] or 1), int(found[2] or found[3] or 1))
    partition = found is not None and found[4] is None
    if found is None or repeats < 1 or folds < 1 + partition:
        raise ValueError(f"design must be an int k, 'RxK', 'k-fold' or '30 random splits'; got {design!r:.80}")
    own = repeated_folds(repeats, folds, 1 / folds if partition else _TEST_FRACTION, partition=partition)
    name = find_procedure(procedure, own).name
    known = Known(n, shares["positives"], shares["called_positive"], k if k > 2 else None, shares["instability"])
    task = "regression" if numbers else "multiclass" if k > 2 else "binary"
    rates = predicted(name, design_like(own), task, known)
    if metric in rates:
        return rates[metric]
    check_metric_name(metric, "metric")
    return PredictedRate(reason=f"only {listed(sorted(rates))} were simulated" if rates else why_not(name, task))


# Which p-values are read from every simulated data set.


ALL_METRICS = "all metrics"
_DOMINANCE = ("dominance_test", "dominance")
# Verdicts whose p-value is about two equal models, as that of a test is.
_ABOUT_EQUALITY = ("full_dominance_test", "intersection_union_test", "max_t_test", "hotelling_test", "cochran_q_test")


class Reading(Frozen):
    """One p-value: which procedure, on which metrics, with which options.

    Attributes
    ----------
    procedure : str
        Its full name.
    metrics : tuple of str
        The metrics that it speaks of.
    joint : bool
        Whether it speaks of all of them at once.
    from_predictions : bool
        Whether it needs the predictions.
    options : dict of str to object
        The options that it takes of those given.
    """

    procedure: str
    metrics: tuple[str, ...]
    joint: bool = False
    from_predictions: bool = False
    options: Options

    @property
    def metric(self) -> str:
        """The metric, or "all metrics" of a joint procedure."""
        return ALL_METRICS if self.joint else self.metrics[0]

    @property
    def name(self) -> str:
        """Procedure and metric, the key of the p-value."""
        return f"{self.procedure} on {self.metric}"

    def pvalue(self, result: EvaluationResult) -> float:
        """The p-value, nan where the procedure refuses these scores."""
        try:
            metrics: Any = list(self.metrics) if self.joint else self.metrics[0]
            if self.procedure == _DOMINANCE[0]:
                record: Any = result.dominance(metrics=metrics, **self.options)
            else:
                test: Any = result.test  # of any procedure
                record = test(self.procedure, metric=metrics, **self.options)
        except ValueError:
            return nan
        return float(record.pvalue)


class PValues(Frozen):
    """All p-values of a simulation, read from one result."""

    readings: tuple[Reading, ...]

    def __call__(self, result: EvaluationResult) -> dict[str, float]:
        return {reading.name: reading.pvalue(result) for reading in self.readings}


def choose_readings(procedure: Any, design: Design, metrics: tuple[str, ...], task: str, options: Options) -> PValues:
    """What is to be read, or ValueError where a procedure is unknown, has no p-value, or does not fit."""
    names = [procedure] if isinstance(procedure, str) else procedure
    if not isinstance(names, Sequence) or not names or not all(isinstance(name, str) for name in names):
        raise ValueError(f"procedure must be the name of a procedure, or several; got {procedure!r:.80}")
    every = [reading for name in names for reading in _of_procedure(name, design, metrics, task, options)]
    found = {reading.name: reading for reading in every}
    for name in options:
        if not any(name in reading.options for reading in every):
            raise ValueError(f"{name} is no option of {', '.join(repr(r.procedure) for r in found.values())}")
    return PValues(readings=tuple(found.values()))


def _of_procedure(name: str, design: Design, metrics: tuple[str, ...], task: str, options: Options) -> list[Reading]:
    if name in _DOMINANCE:
        options = dict(options)
        take_old(options, {"rope": "margin"})
        own = {option: value for option, value in options.items() if option in ("correct_folds", "margin", "statement")}
        _check_several(name, metrics)
        check_metric_count(metrics)
        rope_widths(own.get("margin"), metrics, np.empty(0))
        return [Reading(procedure=_DOMINANCE[0], metrics=metrics, joint=True, options=own)]
    procedure = find_procedure(name, design, options)
    if procedure.returns != "test" and procedure.name not in _ABOUT_EQUALITY:
        says = f"procedure must be a test of two equal models; {procedure.name!r} gives a {procedure.returns}"
        raise ValueError(says)
    predicted = procedure.takes.kind == "predictions"
    if predicted and not is_classification(task):
        raise ValueError(f"procedure {procedure.name!r} needs predicted classes; the task of the data sets is {task!r}")
    own = _options_of(procedure, design, options)
    reading = partial(Reading, procedure=procedure.name, options=own)
    if procedure.takes.joint:
        _check_several(procedure.name, metrics)
        return [reading(metrics=metrics, joint=True)]
    spoken = tuple(metric for metric in metrics if not procedure.metrics or metric in procedure.metrics)
    if not spoken:
        raise ValueError(
            f"metrics must hold {' or '.join(procedure.metrics)} for {procedure.name!r}; got {', '.join(metrics)}"
        )
    for metric in spoken:
        check_widths(own, np.empty(0), metric)
    return [reading(metrics=(metric,), from_predictions=predicted or procedure.takes is IN_TIME) for metric in spoken]


def _options_of(procedure: Procedure, design: Design, options: Options) -> dict[str, Any]:
    """Those of the options that a procedure takes and the design leaves open; ValueError where one is lacking."""
    set_by_result = {*procedure.options(design), "names", "greater_is_better", "metrics", "positive", "n_effective"}
    own = {name: value for name, value in options.items() if name in procedure.keywords and name not in set_by_result}
    for name, default in procedure.keywords.items():
        if default is Parameter.empty and name not in own and name not in set_by_result:
            raise ValueError(f"{name} must be given for {procedure.name!r}")
    return own


def _check_several(name: str, metrics: tuple[str, ...]) -> None:
    if len(metrics) < 2:
        raise ValueError(f"metrics must be two or more for {name!r}, which is about all of them; got {metrics[0]!r}")


# What the estimates of size, power and replicability have in common: the p-values, a row per procedure and metric.


Row = TypeVar("Row", bound=Record)


class Estimate(Rows[Row], eq=False):
    """Rows, and what they were measured with."""

    rows: tuple[Row, ...]
    alpha: float
    confidence_level: float
    models: tuple[str, str]
    design: Design
    generator: str
    pvalues: FloatArray
    _says: ClassVar[tuple[str, str]]  # the share that the rows have, and what it is of

    def at(self, alpha: float) -> Self:
        """The same at another level, from the same data sets.

        Parameters
        ----------
        alpha : float
            Nominal level, in (0, 1).

        Returns
        -------
        SizeEstimate, PowerEstimate or ReplicabilityEstimate
            As it was, but for what depends on the level.

        Raises
        ------
        ValueError
            If the level is out of range.
        """
        check_number(alpha, "alpha", low=0, high=1, closed="neither")
        return replace(self, alpha=float(alpha), rows=self._rows_at(float(alpha)))

    def to_frame(self) -> Any:
        """The rows as a pandas DataFrame; needs pandas.

        Returns
        -------
        pandas.DataFrame
            A row per procedure and metric, a column per field.
        """
        return frame_of(self.rows)

    def _rows_at(self, alpha: float) -> tuple[Row, ...]:
        raise NotImplementedError

    def _sentence(self) -> str:
        field, what = self._says
        known = [share for share in (getattr(row, field) for row in self.rows) if not isnan(share)]
        ends = {percent(share, 1): None for share in (min(known), max(known))} if known else ["an unknown share"]
        where = f"on {self.pvalues.shape[1]} data sets of {self.generator}"
        return f"At {percent_of(self.alpha)} {what.format(' to '.join(ends))}, {where}."


# What each row is about; the p-values, shape (n_rows, n_datasets, n_repeats), nan where there is none; the scores
# of all data sets, and the fields that every estimate has.
Measured = tuple[tuple[Reading, ...], FloatArray, Simulation, Mapping[str, Any]]


def measure_pvalues(
    *,
    procedure: Any,
    design: Any,
    generator: Any,
    metrics: Any,
    models: Any,
    options: Options,
    alpha: float,
    confidence_level: float,
    n_datasets: int,
    n_repeats: int = 1,
    random_state: int,
    **how: Any,
) -> Measured:
    """Check the arguments, simulate the data sets, and collect the p-values.

    They are those of the public functions; `how` are n_jobs, store and progress.
    """
    check_number(alpha, "alpha", low=0, high=1, closed="neither")
    check_number(confidence_level, "confidence_level", low=0, high=1, closed="neither")
    check_integer(n_datasets, "n_datasets", low=2)
    if isinstance(generator, type) or not all(callable(getattr(generator, name, None)) for name in ("draw", "pair")):
        raise ValueError(f"generator must have methods draw(rng) and pair(models); got {generator!r:.80}")
    check_integer(random_state, "random_state", low=0)
    named = name_models(models)
    models = generator.pair(named)
    if not isinstance(models, Mapping) or len(models) != 2:
        raise ValueError(f"generator must pair two models by name; {generator!r:.80} gives {models!r:.80}")
    if not hasattr(design, "split") and hasattr(design, "__iter__") and not isinstance(design, str):
        design = list(design)  # an iterator would be empty after the first data set
    task, resolved, own = first_evaluation(generator, models, design, metrics, random_state)
    RunSettings(**how)
    chosen = choose_readings(procedure, own, tuple(metric.name for metric in resolved), task, options)
    predicted = any(reading.from_predictions for reading in chosen.readings)
    how_many = {"n_datasets": n_datasets, "n_repeats": n_repeats, "random_state": random_state}
    evaluator = PairedEvaluator(cv=design, scoring=metrics, **how)
    simulation = simulate(evaluator, named, generator, readings=chosen, from_predictions=predicted, **how_many)
    pvalues = np.stack([simulation.readings[reading.name] for reading in chosen.readings])
    pvalues = pvalues.reshape(-1, n_datasets, n_repeats)
    if ((pvalues < 0) | (pvalues > 1)).any():
        raise ValueError("store must hold p-values in [0, 1]; it holds others")
    conditions = {
        "alpha": float(alpha),
        "confidence_level": float(confidence_level),
        "models": simulation.models,
        "design": simulation.design,
        "generator": cut(one_line(repr(generator))),
    }
    return chosen.readings, pvalues, simulation, conditions


class Share(NamedTuple):
    """A share and its interval, all nan where it is not known."""

    share: float
    low: float
    high: float


def share_of(count: int, n: int, confidence_level: float) -> Share:
    """A share of `n`, with the interval of Clopper and Pearson."""
    interval = proportion_interval(count, n, confidence_level=confidence_level, method="clopper_pearson")
    return Share(count / n, interval.low, interval.high)


# A mean difference may be so many standard errors from 0, where one metric is looked at.
STANDARD_ERRORS = 3.0
# Differences that are this small a share of the largest are rounding.
_ROUNDING = 1e-12


class MetricDifference(Record):
    """The true mean difference of two models on a metric, as the simulated data sets show it.

    Attributes
    ----------
    metric : str
        The metric.
    difference : float
        Mean of the mean differences ``a - b``; positive favours `a`, whatever the direction of the metric.
    standard_error : float
        Of `difference`, over data sets; nan for fewer than two.
    bound : float
        How many standard errors from 0 it may be. For one metric it is 3, for several so much more that equal models
        pass on all of them as often as on one, in 99.73%; for few data sets it is the quantile of Student's t.
    null_holds : bool
        Whether it is within the bound.
    n_datasets : int
        Data sets on which the metric is defined.
    """

    metric: str
    difference: float
    standard_error: float
    bound: float
    null_holds: bool
    n_datasets: int

    @property
    def distance(self) -> float:
        """Standard errors between the mean difference and 0."""
        if self.difference == 0:
            return 0.0
        return self.difference / self.standard_error if self.standard_error else copysign(inf, self.difference)

    _kind = Values(
        {"mean difference": ("difference", as_difference)}
        | {"data sets": "n_datasets", "standard errors from 0": "distance", "bound": "bound"},
        of=("metric",),
    )


class RejectionRate(Record):
    """How often one procedure rejects on one metric.

    Attributes
    ----------
    procedure : str
        Its name.
    metric : str
        The metric, or ``"all metrics"`` of a procedure that takes them together.
    share : float
        Of the data sets on which its p-value is below the level, in [0, 1]; nan where that would be no size, or where
        it gave no p-value at all.
    low, high : float
        Interval of Clopper and Pearson for the error of the simulation, in [0, 1]; nan with `share`.
    n_datasets : int
        Data sets.
    n_undefined : int
        Those on which it gave no p-value; they count as not rejected.
    difference : float
        True mean difference ``a - b`` on the metric, positive favours `a`; nan for all metrics together.
    standard_error : float
        Of `difference`.
    null_holds : bool
        Whether the mean difference, of all its metrics, is that of equal models.
    warnings : tuple of str
        Reasons to distrust the row.
    """

    procedure: str
    metric: str
    share: float
    low: float
    high: float
    n_datasets: int
    n_undefined: int
    difference: float
    standard_error: float
    null_holds: bool
    warnings: Warnings = ()

    @property
    def name(self) -> str:
        """Procedure and metric."""
        return f"{self.procedure} on {self.metric}"

    _kind = Values(
        {"rejected": ("share", as_exact_share), "a - b": ("difference", as_difference), "SE": "standard_error"},
        of=("procedure", "metric"),
    )


class _Rates(Estimate[RejectionRate], eq=False):
    """What size and power have in common."""

    differences: tuple[MetricDifference, ...]
    warnings: Warnings = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Procedure and metric of every row, as `pvalues` has them."""
        return tuple(row.name for row in self.rows)

    @property
    def n_datasets(self) -> int:
        """Simulated data sets."""
        return int(self.pvalues.shape[1])

    def _rows_at(self, alpha: float) -> tuple[RejectionRate, ...]:
        found = [share_below(pvalues, alpha, self.confidence_level) for pvalues in self.pvalues]
        return tuple(replace(row, **own._asdict()) for row, own in zip(self.rows, found, strict=True))


class SizeEstimate(_Rates, eq=False):
    """How often procedures reject a true null hypothesis.

    Attributes
    ----------
    rows : tuple of RejectionRate
        One per procedure and metric.
    alpha : float
        Nominal level, in (0, 1).
    confidence_level : float
        Of the intervals, in (0, 1).
    models : tuple of (str, str)
        Names of the two models, `a` and `b`.
    design : Design
        How the first data set was resampled; all are alike.
    generator : str
        What drew the data sets.
    differences : tuple of MetricDifference
        Per metric whether the null hypothesis holds.
    pvalues : ndarray of shape (n_rows, n_datasets)
        In [0, 1], read-only; nan where a procedure gave none, and in rows where the null hypothesis does not hold.
    warnings : tuple of str
        Reasons to distrust all rows.
    """

    @property
    def null_holds(self) -> dict[str, bool]:
        """By metric whether the two models are equally good."""
        return {found.metric: found.null_holds for found in self.differences}

    def plot(self, *, ax: Any = None, levels: Sequence[float] | None = None) -> SizeDisplay:
        """Draw the measured size against the nominal level.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw.
        levels : sequence of float, optional
            Nominal levels in (0, 1); five up to 20% by default.

        Returns
        -------
        SizeDisplay
            Of the rows that have a size; a p-value that is not there counts as not rejected.

        Raises
        ------
        ValueError
            If no row has a size, or a level is out of range.
        ImportError
            If matplotlib is not installed.
        """
        from skcompare.plotting import SizeDisplay

        sound = [i for i, row in enumerate(self.rows) if not isnan(row.share)]
        if not sound:
            raise ValueError(f"the estimate must have a row with a size to draw; got {len(self.rows)} without")
        pvalues = np.nan_to_num(self.pvalues[sound], nan=1.0)
        given = {} if levels is None else {"levels": levels}
        return SizeDisplay.from_pvalues(pvalues, names=[self.names[i] for i in sound], **given).plot(ax=ax)

    _says = ("share", "{} of true nulls are rejected")


class PowerEstimate(_Rates, eq=False):
    """How often procedures find a difference that is there.

    Attributes
    ----------
    rows : tuple of RejectionRate
        One per procedure and metric.
    alpha : float
        Nominal level, in (0, 1).
    confidence_level : float
        Of the intervals, in (0, 1).
    models : tuple of (str, str)
        Names of the two models, `a` and `b`.
    design : Design
        How the first data set was resampled; all are alike.
    generator : str
        What drew the data sets.
    differences : tuple of MetricDifference
        The true mean difference per metric.
    pvalues : ndarray of shape (n_rows, n_datasets)
        In [0, 1], read-only; nan where a procedure gave none.
    warnings : tuple of str
        Reasons to distrust all rows.
    """

    _says = ("share", "{} of true differences are found")


def share_below(pvalues: FloatArray, alpha: float, confidence_level: float) -> Share:
    """Share of the p-values below a level; those that are not there count as not below, unless all are."""
    if np.isnan(pvalues).all():
        return Share(nan, nan, nan)
    return share_of(int(np.count_nonzero(pvalues < alpha)), len(pvalues), confidence_level)


def difference_in_words(found: MetricDifference) -> str:
    """The mean difference on a metric, as a part of a sentence."""
    if not found.n_datasets:
        return f"{found.metric} is undefined on all data sets"
    return (
        f"the mean difference of {found.metric} is {found.difference:+.3g} over {found.n_datasets} data sets, "
        f"{abs(found.distance):.1f} standard errors from 0 (bound {found.bound:.2f})"
    )


def metric_differences(scores: FloatArray, metrics: Sequence[str]) -> tuple[MetricDifference, ...]:
    """The mean difference of every metric, against 0.

    Parameters
    ----------
    scores : ndarray of shape (n_datasets, 2, n_splits, n_metrics)
        Greater is better; nan where undefined.
    metrics : sequence of str of length n_metrics
        Names.
    """
    found = []
    for metric, differences in zip(metrics, np.moveaxis(scores[:, 0] - scores[:, 1], 2, 0), strict=True):
        defined = np.isfinite(differences)
        n_defined = defined.sum(axis=1)
        means = np.where(defined, differences, 0.0).sum(axis=1)[n_defined > 0] / n_defined[n_defined > 0]
        n = len(means)
        mean, error = float(means.mean()) if n else nan, float(means.std(ddof=1)) / sqrt(n) if n > 1 else nan
        noise = _ROUNDING * float(np.abs(means).max(initial=0.0))
        mean, error = (0.0 if abs(value) <= noise else value for value in (mean, error))
        most = bound(n, len(metrics))
        holds = n > 1 and abs(mean) <= most * error
        own: dict[str, Any] = {"difference": mean, "standard_error": error, "bound": most}
        found.append(MetricDifference(metric=metric, **own, null_holds=holds, n_datasets=n))
    return tuple(found)


def bound(n_datasets: int, n_metrics: int) -> float:
    """How many standard errors from 0 the mean difference of equal models may be."""
    return inf if n_datasets < 2 else -float(stdtrit(n_datasets - 1, ndtr(-STANDARD_ERRORS) / n_metrics))
