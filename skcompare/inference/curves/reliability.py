"""Points of the calibration curve: whether events of probability p happen with frequency p."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skcompare._core.record import Record
from skcompare._core.validation import FloatArray, check_choice, check_integer
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference._sentences import Values
from skcompare.inference.curves.roc import check_labels

Strategy = Literal["uniform", "quantile"]
# Probabilities are kept so far from 0 and 1 in the log loss, as scikit-learn keeps them.
CLIP = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ReliabilityCurve(Record):
    """Calibration curve (reliability diagram) of one model, and three numbers that say how good its probabilities are.

    Attributes
    ----------
    predicted : ndarray of shape (n_bins,)
        Mean probability in each bin that is not empty, ascending.
    observed : ndarray of shape (n_bins,)
        Share of positive samples in the same bins.
    counts : ndarray of shape (n_bins,)
        Number of samples in the same bins.
    brier : float
        Brier score, the mean squared error of the probabilities, in [0, 1]; smaller is better.
    log_loss : float
        Mean negative log-likelihood in nats, at least 0; smaller is better.
    calibration_error : float
        Expected calibration error: the mean of the absolute differences between observed and predicted, weighted by
        the counts, in [0, 1]. It depends on the bins, and chance alone makes it greater than 0.
    n : int
        Number of samples.
    """

    predicted: FloatArray
    observed: FloatArray
    counts: NDArray[np.int64]
    brier: float
    log_loss: float
    calibration_error: float
    n: int
    warnings: tuple[CodedWarning, ...] = ()
    _kind = Values(
        {
            **{"Brier score": "brier", "log loss": "log_loss", "expected calibration error": "calibration_error"},
            "samples": "n",
        }
    )


def reliability_points(
    y_true: ArrayLike, probability: ArrayLike, *, n_bins: int = 10, strategy: Strategy = "uniform", positive: Any = None
) -> ReliabilityCurve:
    r"""Points of the calibration curve, with the Brier score, the log loss and the expected calibration error.

    Samples are put into bins by their probability; in bin :math:`B_k` the mean probability :math:`\bar p_k` stands
    against the share :math:`\bar y_k` of positive samples, as in scikit-learn's ``calibration_curve``. The expected
    calibration error is

    .. math:: ECE = \sum_k \frac{|B_k|}{n} \, |\bar y_k - \bar p_k|

    (Naeini, Cooper and Hauskrecht 2015). The Brier score and the log loss are proper: they are smallest for the true
    probabilities. The calibration error is not: a model that gives every sample the share of positives has none.

    Parameters
    ----------
    y_true : array_like of shape (n_samples,)
        Labels of two classes.
    probability : array_like of shape (n_samples,)
        Probability of the positive class, in [0, 1].
    n_bins : int, default=10
        Number of bins, at least 1; empty ones are left out.
    strategy : {"uniform", "quantile"}, default="uniform"
        Bins of equal width, or with about equal numbers of samples.
    positive : label, optional
        The positive class; the greater of the two labels by default.

    Returns
    -------
    ReliabilityCurve
        With the warning WEAK_METRIC where a probability of exactly 0 or 1 was wrong: the log loss would be infinite.

    Raises
    ------
    ValueError
        If the probabilities are not in [0, 1], the lengths differ, `y_true` does not hold two classes, or an option is
        out of range.

    References
    ----------
    M. P. Naeini, G. F. Cooper and M. Hauskrecht (2015), Obtaining well calibrated probabilities using Bayesian
    binning, AAAI 29, 2901-2907, :doi:`10.1609/aaai.v29i1.9602`.

    Examples
    --------
    >>> from skcompare.inference import reliability_points
    >>> curve = reliability_points([0, 1, 0, 1], [0.2, 0.2, 0.6, 0.9], n_bins=2)
    >>> curve.predicted.tolist(), curve.observed.tolist(), round(curve.calibration_error, 4)
    ([0.2, 0.75], [0.5, 0.5], 0.275)
    """
    n_bins = check_integer(n_bins, "n_bins", low=1)
    check_choice(strategy, "strategy", get_args(Strategy))
    is_positive, p = check_probabilities(y_true, probability, positive)
    bins = bins_of(p, n_bins, strategy)
    counts = np.bincount(bins)
    used = counts > 0
    predicted, observed = (np.bincount(bins, weights=x)[used] / counts[used] for x in (p, is_positive))
    return ReliabilityCurve(
        predicted=predicted,
        observed=observed,
        counts=counts[used],
        brier=float(squared_errors(is_positive, p).mean()),
        log_loss=float(log_losses(is_positive, p).mean()),
        calibration_error=float(counts[used] @ np.abs(observed - predicted) / p.size),
        n=p.size,
        warnings=clipped(is_positive, p),
    )


def check_probabilities(
    y_true: ArrayLike, probability: ArrayLike, positive: Any, name: str = "probability"
) -> tuple[NDArray[np.bool_], FloatArray]:
    """Which samples are positive, and their probabilities; ValueError unless these are in [0, 1]."""
    is_positive, p = check_labels(y_true, probability, positive, name)
    if p.min() < 0 or p.max() > 1:
        raise ValueError(f"{name} must be in [0, 1]; got {p.min():g} to {p.max():g}")
    return is_positive, p


def bins_of(p: FloatArray, n_bins: int, strategy: str) -> NDArray[np.intp]:
    """The bin of each probability, as scikit-learn's ``calibration_curve`` has them."""
    inner = np.linspace(0, 1, n_bins + 1)[1:-1]
    if strategy == "quantile":
        inner = np.percentile(p, inner * 100)
    return np.searchsorted(inner, p)


def squared_errors(is_positive: NDArray[np.bool_], p: FloatArray) -> FloatArray:
    """The squared error of each sample, of which the Brier score is the mean."""
    return np.square(is_positive - p)


def log_losses(is_positive: NDArray[np.bool_], p: FloatArray) -> FloatArray:
    """The log loss of each sample."""
    of_truth: FloatArray = np.clip(np.where(is_positive, p, 1 - p), CLIP, 1 - CLIP)
    return -np.log(of_truth)


def clipped(is_positive: NDArray[np.bool_], p: FloatArray, *model: str) -> tuple[CodedWarning, ...]:
    """The warning for samples whose true class had the probability 0, by a model whose name may be known."""
    n = int(np.count_nonzero(p[~is_positive] == 1) + np.count_nonzero(p[is_positive] == 0))
    if not n:
        return ()
    samples, whose = "1 sample" if n == 1 else f"{n} samples", f" by {model[0]!r}" if model else ""
    return (
        Code.WEAK_METRIC(
            f"the true class of {samples} had the probability 0{whose}, which the log loss takes for {CLIP:.2g}: its "
            f"value rests on that number.",
            model,
        ),
    )
