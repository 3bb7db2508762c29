"""The conservative z interval of Nadeau and Bengio, from scores on pairs of halves of the data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from skcompare._core.numbers import equal_to
from skcompare._core.validation import check_scores
from skcompare._core.warnings import Code, CodedWarning
from skcompare._core.words import counted
from skcompare.inference._base import LARGEST_DIFFERENCE, ROUNDING, power_of_two
from skcompare.inference._interval import HasNormalInterval
from skcompare.inference._kinds import interval_in_words, significantly

# The usual number of halvings; with 5 the standard error alone is uncertain by a third.
ENOUGH_HALVINGS = 10


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ConservativeZResult(HasNormalInterval):
    """A mean score, or a mean difference of scores, with the conservative standard error of Nadeau and Bengio.

    `confidence_interval` is normal; it leaves out 0 exactly when ``pvalue < 1 - confidence_level``.

    Attributes
    ----------
    statistic : float
        `estimate` over `standard_error`; infinite where only the latter is 0.
    pvalue : float
        Two-sided, of a true value of 0, in [0, 1]. It is of use for differences of scores.
    estimate : float
        Mean of the scores on all of the data, in score units.
    standard_error : float
        Of `estimate`: the standard deviation of the mean score on half of the data.
    n : int
        Number of scores on all of the data.
    n_halvings, n_splits : int
        Pairs of halves, and splits of each half.
    """

    statistic: float
    pvalue: float
    estimate: float
    standard_error: float
    n: int
    n_halvings: int
    n_splits: int
    method: str
    warnings: tuple[CodedWarning, ...] = ()

    def _sentence(self) -> str:
        found = f"is {significantly(self.pvalue)} different from 0, {equal_to('p', self.pvalue)}"
        return f"The estimate {self.estimate:.3g}{interval_in_words(self)} {found}."


def conservative_z_interval(scores: ArrayLike, half_scores: ArrayLike) -> ConservativeZResult:
    r"""Conservative z interval for a mean score, of any metric, or for a mean difference of two models' scores.

    The data are cut M times into halves :math:`D_m, D_m^c`, and each half is split J times at random into a training
    and a test set, the latter as large as those of `scores`. With :math:`\hat\mu_m, \hat\mu_m^c` the means over the J
    splits of each half,

    .. math:: \hat\sigma^2 = \frac{1}{2M} \sum_{m=1}^{M} (\hat\mu_m - \hat\mu_m^c)^2

    is the variance of such a mean on half of the data without bias, as the two halves of a pair are independent; on all
    of the data the variance is smaller, as far as scores vary less with larger training sets. The interval is the mean
    of `scores` :math:`\pm z \, \hat\sigma` (Nadeau and Bengio 2003). `HalvesSplit` draws the splits:
    2 M J fits.

    Parameters
    ----------
    scores : array_like of shape (n,) or (n_repeats, n_folds)
        Scores, or differences ``a - b``, on splits of all of the data.
    half_scores : array_like of shape (n_halvings, 2, n_splits)
        The same on the splits of both halves, in the order of `HalvesSplit`.

    Returns
    -------
    ConservativeZResult
        With a warning where there are fewer than 10 halvings.

    Raises
    ------
    ValueError
        If the scores are not finite, or `half_scores` does not have that shape.

    See Also
    --------
    skcompare.HalvesSplit : the splits.
    corrected_t_test : without further fits.

    References
    ----------
    C. Nadeau and Y. Bengio (2003), Inference for the generalization error, Machine Learning 52, 239-281,
    :doi:`10.1023/A:1024068626366`.

    Examples
    --------
    >>> from skcompare.inference import conservative_z_interval
    >>> halves = [[[0.75, 0.85], [0.70, 0.80]], [[0.80, 0.80], [0.85, 0.85]]]
    >>> result = conservative_z_interval([0.80, 0.82, 0.84], halves)
    >>> round(result.estimate, 3), round(result.standard_error, 4)  # the root of (.05**2 + .05**2) / 4
    (0.82, 0.0354)
    """
    own, halves = check_scores(scores, "scores"), check_scores(half_scores, "half_scores", ndim=(3,))
    if halves.shape[1] != 2:
        raise ValueError(f"half_scores must have shape (n_halvings, 2, n_splits); got {halves.shape}")
    largest = float(max(np.abs(own).max(), np.abs(halves).max()))
    if largest > LARGEST_DIFFERENCE:
        raise ValueError(f"scores must be at most {LARGEST_DIFFERENCE:g} in size; got {largest:g}")
    unit, noise = power_of_two(np.array([largest])) or 1.0, ROUNDING * largest
    estimate = float((own / unit).mean()) * unit
    apart = np.diff((halves / unit).mean(axis=2), axis=1)[:, 0]
    standard_error = float((apart @ apart / (2 * len(apart))) ** 0.5) * unit
    estimate, standard_error = (0.0 if abs(value) <= noise else value for value in (estimate, standard_error))
    warnings: tuple[CodedWarning, ...] = ()
    if len(halves) < ENOUGH_HALVINGS:
        warnings += (
            Code.FEW_REPEATS(
                f"{counted(len(halves), 'halving')}; with fewer than {ENOUGH_HALVINGS} the width of the interval is "
                "left to their luck."
            ),
        )
    statistic, pvalue = 0.0, 1.0
    if standard_error > 0:
        statistic = estimate / standard_error
        pvalue = min(1.0, 2 * float(special.ndtr(-abs(statistic))))
    elif estimate != 0:
        statistic, pvalue = float(np.copysign(np.inf, estimate)), 0.0
        warnings += (Code.ZERO_VARIANCE("the means of the two halves are the same in every halving."),)
    return ConservativeZResult(
        statistic=statistic,
        pvalue=pvalue,
        estimate=estimate,
        standard_error=standard_error,
        n=own.size,
        n_halvings=len(halves),
        n_splits=halves.shape[2],
        method="conservative z interval",
        warnings=warnings,
    )
