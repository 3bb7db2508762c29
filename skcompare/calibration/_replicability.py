"""`replicability`: whether other splits of the same data give the same verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from math import nan, sqrt
from typing import Any

import numpy as np
from scipy.special import stdtrit

from skcompare._core.design import Design
from skcompare._core.frames import import_pandas
from skcompare._core.html import Table
from skcompare._core.record import Record
from skcompare._core.validation import FloatArray, check_integer, check_number
from skcompare._core.warnings import Code, CodedWarning
from skcompare.calibration._generators import Generator
from skcompare.calibration._prepare import prepare_simulation
from skcompare.calibration._rates import percent
from skcompare.calibration._readings import choose_readings
from skcompare.calibration._simulation import simulate
from skcompare.calibration._size import in_words
from skcompare.inference import proportion_interval


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
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
        Reasons to doubt the row.
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
    warnings: tuple[CodedWarning, ...] = ()

    def __str__(self) -> str:
        return (
            f"{self.procedure} on {self.metric}: two runs agree in {percent(self.replicability)} "
            f"({percent(self.low)} to {percent(self.high)}), all in {percent(self.consistency)}; "
            f"rejected {percent(self.rejected)}"
        )


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class ReplicabilityEstimate(Record, Sequence[Replicability]):
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
        Reasons to doubt all rows.
    """

    rows: tuple[Replicability, ...]
    alpha: float
    confidence_level: float
    models: tuple[str, str]
    design: Design
    generator: str
    pvalues: FloatArray
    warnings: tuple[CodedWarning, ...] = ()

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: Any) -> Any:
        return self.rows[index]

    def __iter__(self) -> Iterator[Replicability]:
        return iter(self.rows)

    def at(self, alpha: float) -> ReplicabilityEstimate:
        """The same at another level, from the same data sets.

        Parameters
        ----------
        alpha : float
            Nominal level, in (0, 1).

        Returns
        -------
        ReplicabilityEstimate
            As it was, but for what depends on the level.

        Raises
        ------
        ValueError
            If the level is out of range.
        """
        check_number(alpha, "alpha", low=0, high=1, closed="neither")
        rows = tuple(
            agreement(row.procedure, row.metric, pvalues, alpha, self.confidence_level)
            for row, pvalues in zip(self.rows, self.pvalues, strict=True)
        )
        return replace(self, alpha=float(alpha), rows=rows)

    def to_frame(self) -> Any:
        """The rows as a pandas DataFrame; needs pandas.

        Returns
        -------
        pandas.DataFrame
            A row per procedure and metric, a column per field.
        """
        names = [field.name for field in fields(Replicability)]
        return import_pandas().DataFrame([[getattr(row, name) for name in names] for row in self.rows], columns=names)

    def __str__(self) -> str:
        return "\n".join([self._sentence(), *map(str, self.rows), *(f"  {doubt}" for doubt in self._doubts())])

    def _tables(self) -> list[Table]:
        level = f"{self.confidence_level:.0%} interval"
        rows = [
            [
                *(row.procedure, row.metric, percent(row.replicability), f"{percent(row.low)} to {percent(row.high)}"),
                *(percent(row.consistency), percent(row.rejected)),
            ]
            for row in self.rows
        ]
        return [Table(("procedure", "metric", "two agree", level, "all agree", "rejected"), rows)]

    def _sentence(self) -> str:
        _, n_datasets, n_repeats = self.pvalues.shape
        return (
            f"Agreement of {n_repeats} runs at {self.alpha:g} ({n_datasets} data sets of {self.generator}, "
            f"{self.design.name}, {' against '.join(self.models)})."
        )


def replicability(
    procedure: str | Sequence[str],
    design: Any,
    generator: Generator,
    metrics: Any = None,
    *,
    estimators: Any,
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
    metrics : None, str, list, dict or callable, default=None
        What `PairedEvaluator` takes as `scoring`.
    estimators : estimator, mapping or list
        As in `size`.
    alpha : float, default=0.05
        Nominal level, in (0, 1); other levels can be asked for later.
    n_datasets : int, default=100
        At least 2.
    n_repeats : int, default=10
        How often each data set is split, at least 2.
    confidence_level : float, default=0.95
        Of the intervals, in (0, 1).
    n_jobs : int or None, default=None
        As in `size`.
    random_state : int, default=0
        As in `size`; the first repeat has the splits that `size` draws.
    store : None or path-like, default=None
        As in `size`.
    progress : bool, default=False
        As in `size`.
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
    >>> found = replicability("corrected_t_test", "5x2", better, "accuracy", estimators=GaussianNB(),
    ...                       n_datasets=5, n_repeats=3)
    >>> bool(found[0].consistency <= found[0].replicability <= 1)
    True
    """
    check_number(alpha, "alpha", low=0, high=1, closed="neither")
    check_number(confidence_level, "confidence_level", low=0, high=1, closed="neither")
    check_integer(n_datasets, "n_datasets", low=2)
    check_integer(n_repeats, "n_repeats", low=2)
    if not isinstance(design, (int, str)) and (
        getattr(design, "shuffle", None) is False or not hasattr(design, "random_state")
    ):
        raise ValueError(f"design must draw other splits every time; got {design!r:.200}")
    plan = prepare_simulation(
        design, generator, metrics, estimators,
        n_jobs=n_jobs, random_state=random_state, store=store, progress=progress,
    )  # fmt: skip
    reading = choose_readings(procedure, plan.design, plan.metrics, plan.task, options)
    simulation = simulate(
        plan.evaluator,
        plan.estimators,
        generator,
        n_datasets=n_datasets,
        random_state=random_state,
        readings=reading,
        n_repeats=n_repeats,
        from_predictions=any(row.from_predictions for row in reading.readings),
    )
    pvalues = np.array([simulation.readings[row.name].reshape(n_datasets, n_repeats) for row in reading.readings])
    if ((pvalues < 0) | (pvalues > 1)).any():
        raise ValueError("store must hold p-values in [0, 1]; it holds others")
    pvalues.setflags(write=False)
    return ReplicabilityEstimate(
        rows=tuple(
            agreement(row.procedure, row.metric, own, alpha, confidence_level)
            for row, own in zip(reading.readings, pvalues, strict=True)
        ),
        alpha=float(alpha),
        confidence_level=float(confidence_level),
        models=simulation.models,
        design=simulation.design,
        generator=in_words(generator),
        pvalues=pvalues,
    )


def agreement(procedure: str, metric: str, pvalues: FloatArray, alpha: float, confidence_level: float) -> Replicability:
    """Bouckaert's R and the consistency of the verdicts, from p-values of shape (n_datasets, n_repeats)."""
    whole = ~np.isnan(pvalues).any(axis=1)
    own, n_repeats = pvalues[whole], pvalues.shape[1]
    n, n_undefined = len(own), int((~whole).sum())
    doubts = []
    if n_undefined:
        doubts.append(
            Code.UNDEFINED(
                f"{procedure} on {metric} gave no p-value in some repeat of {n_undefined} of {len(pvalues)} "
                f"data sets; these are left out."
            )
        )
    if not n:
        low = high = mean = consistent = rejected = c_low = c_high = nan
    else:
        count = (own < alpha).sum(axis=1)
        found = replicability_of(count, n_repeats)
        mean = float(found.mean())
        low, high = _mean_interval(found, confidence_level)
        n_consistent = int(np.count_nonzero((count == 0) | (count == n_repeats)))
        interval = proportion_interval(n_consistent, n, confidence_level=confidence_level, method="clopper_pearson")
        consistent, c_low, c_high = n_consistent / n, interval.low, interval.high
        rejected = float(count.sum()) / own.size
    return Replicability(
        procedure=procedure,
        metric=metric,
        replicability=mean,
        low=low,
        high=high,
        consistency=consistent,
        consistency_low=c_low,
        consistency_high=c_high,
        rejected=rejected,
        n_datasets=n,
        n_undefined=n_undefined,
        warnings=tuple(doubts),
    )


def replicability_of(n_rejected: Any, n_repeats: int) -> FloatArray:
    """R, the probability that two of `n_repeats` verdicts agree of which `n_rejected` reject."""
    c, n = np.asarray(n_rejected, dtype=float), n_repeats
    return np.asarray((c * (c - 1) + (n - c) * (n - c - 1)) / (n * (n - 1)))


def _mean_interval(values: FloatArray, confidence_level: float) -> tuple[float, float]:
    """Interval for the mean of values in [0, 1]."""
    n, mean = len(values), float(values.mean())
    error = float(values.std(ddof=1)) / sqrt(n) if n > 1 and np.ptp(values) else 0.0
    if not error:
        k = round(mean * n)
        interval = proportion_interval(k, n, confidence_level=confidence_level, method="clopper_pearson")
        return min(interval.low, mean), max(interval.high, mean)
    half = -float(stdtrit(n - 1, (1 - confidence_level) / 2)) * error
    return max(mean - half, 0.0), min(mean + half, 1.0)
