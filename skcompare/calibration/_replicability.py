"""`replicability`: whether other splits of the same data give the same verdict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from skcompare._core.validation import check_integer
from skcompare.calibration._agreement import ReplicabilityEstimate, agreement
from skcompare.calibration._generators import Generator
from skcompare.calibration._measured import measure_pvalues


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
