"""`replicability`: whether other splits of the same data give the same verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan, sqrt
from typing import Any

import numpy as np
from scipy.special import stdtrit

from skcompare._core.record import Record
from skcompare._core.validation import FloatArray, check_integer
from skcompare._core.warnings import Code, CodedWarning
from skcompare.calibration._generators import Generator
from skcompare.calibration._rates import Estimate, Share, measure_pvalues, share_of
from skcompare.inference._sentences import Values, as_exact_share


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
    warnings: tuple[CodedWarning, ...] = ()
    _kind = Values(
        {
            "two runs agree": ("replicability", as_exact_share),
            **{"all agree": ("consistency", as_exact_share), "rejected": ("rejected", as_exact_share)},
        },
        of=("procedure", "metric"),
    )


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class ReplicabilityEstimate(Estimate[Replicability]):
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

    pvalues: FloatArray
    warnings: tuple[CodedWarning, ...] = ()

    def _rows_at(self, alpha: float) -> tuple[Replicability, ...]:
        return tuple(
            agreement(row.procedure, row.metric, pvalues, alpha, self.confidence_level)
            for row, pvalues in zip(self.rows, self.pvalues, strict=True)
        )

    _says = ("replicability", "two runs agree in {}")


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
    metrics, estimators, alpha : as in `size`
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
    >>> found = replicability("corrected_t_test", "5x2", better, "accuracy", estimators=GaussianNB(),
    ...                       n_datasets=5, n_repeats=3)
    >>> bool(found[0].consistency <= found[0].replicability <= 1)
    True
    """
    check_integer(n_repeats, "n_repeats", low=2)
    if not isinstance(design, (int, str)) and (
        getattr(design, "shuffle", None) is False or not hasattr(design, "random_state")
    ):
        raise ValueError(f"design must draw other splits every time; got {design!r:.200}")
    measured = measure_pvalues(
        procedure, (design, generator, metrics, estimators), options,
        alpha=alpha, confidence_level=confidence_level, n_datasets=n_datasets, n_repeats=n_repeats,
        n_jobs=n_jobs, random_state=random_state, store=store, progress=progress,
    )  # fmt: skip
    measured.pvalues.setflags(write=False)
    rows = tuple(
        agreement(reading.procedure, reading.metric, own, alpha, confidence_level)
        for reading, own in zip(measured.readings, measured.pvalues, strict=True)
    )
    return ReplicabilityEstimate(rows=rows, pvalues=measured.pvalues, **measured.conditions)


def agreement(procedure: str, metric: str, pvalues: FloatArray, alpha: float, confidence_level: float) -> Replicability:
    """Bouckaert's R and the consistency of the verdicts, from p-values of shape (n_datasets, n_repeats)."""
    complete = ~np.isnan(pvalues).any(axis=1)
    own, n_repeats = pvalues[complete], pvalues.shape[1]
    n, n_undefined = len(own), int((~complete).sum())
    undefined = Code.UNDEFINED(
        f"{procedure} on {metric} gave no p-value in some repeat of {n_undefined} of {len(pvalues)} "
        f"data sets; these are left out."
    )
    agreeing = consistent = Share(nan, nan, nan)
    if n:
        count = (own < alpha).sum(axis=1)
        agreeing = _mean_share(replicability_of(count, n_repeats), confidence_level)
        consistent = share_of(int(np.count_nonzero((count == 0) | (count == n_repeats))), n, confidence_level)
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


def _mean_share(values: FloatArray, confidence_level: float) -> Share:
    """The mean of values in [0, 1], with its interval."""
    n, mean = len(values), float(values.mean())
    error = float(values.std(ddof=1)) / sqrt(n) if n > 1 and np.ptp(values) else 0.0
    if not error:
        _, low, high = share_of(round(mean * n), n, confidence_level)
        return Share(mean, min(low, mean), max(high, mean))
    half = -float(stdtrit(n - 1, (1 - confidence_level) / 2)) * error
    return Share(mean, max(mean - half, 0.0), min(mean + half, 1.0))
