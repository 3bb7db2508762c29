"""The Diebold-Mariano test of two models on losses in time order."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.validation import (
    Alternative,
    FloatArray,
    check_aligned,
    check_alternative,
    check_integer,
    check_null,
    check_scores,
)
from skcompare._core.warnings import Code, CodedWarning
from skcompare._core.words import counted
from skcompare.inference._base import Differences, TTestResult, paired_differences, power_of_two, t_test
from skcompare.inference._measured_sizes import in_time

Weights = Literal["equal", "Bartlett"]
# A correlation beyond the horizon is named where it is that many of its standard errors, 1 / sqrt(n), from 0.
_STANDARD_ERRORS = 2.0
# Equal weights may leave nothing of a variance but rounding.
_POSITIVE = 1e-9
# With fewer times per step of the horizon, beyond the first, the variance is too small.
_FEWEST = 20


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DieboldMarianoResult(TTestResult):
    """Result of a Diebold-Mariano test.

    `confidence_interval` inverts the test: it leaves out `null` exactly when ``pvalue < 1 - confidence_level``.

    Attributes
    ----------
    statistic : float
        `estimate` less `null` over `standard_error`: that of Diebold and Mariano with the factor of Harvey, Leybourne
        and Newbold; infinite where all differences are one other value than `null`.
    pvalue : float
        In [0, 1]; nan only with fewer than two times.
    df : float
        Number of times less one; nan only with fewer than two.
    alternative : {"two-sided", "greater", "less"}
        What was tested: the mean loss of `b` less that of `a` is not `null`, above it, below it.
    estimate : float
        Mean loss of `b` less that of `a`, in units of the loss; positive favours `a`.
    mean_difference : float
        The same as `estimate`.
    standard_error : float
        Of `estimate`, in units of the loss, allowing for the correlation of times that are less than `horizon` apart.
    effect_size : float
        Cohen's d_z over the times, the mean over the standard deviation of the differences; nan where it is not
        defined.
    n : int
        Number of times.
    horizon : int
        Steps ahead of the forecasts; correlations up to ``horizon - 1`` steps count.
    weights : {"equal", "Bartlett"}
        Of these correlations in the variance; Bartlett's, which fall with the distance, where equal ones give a
        variance that is not positive.
    autocorrelation : float
        Of differences that are `horizon` steps apart, in [-1, 1]: the first that the variance does not allow for, about
        0 where the horizon is right; nan where it is not defined.
    """

    horizon: int
    weights: Weights
    autocorrelation: float


def diebold_mariano_test(
    losses_a: ArrayLike,
    losses_b: ArrayLike,
    *,
    horizon: int = 1,
    alternative: Alternative = "two-sided",
    null: float = 0.0,
) -> DieboldMarianoResult:
    r"""Diebold-Mariano test of two forecasts, on their losses in time order.

    Losses of neighbouring times are alike, so the variance of their mean is not that of independent cases. With
    :math:`d_t` the loss of `b` less the loss of `a` at time :math:`t` of :math:`n`, the horizon :math:`h`, and the
    autocovariances :math:`\hat\gamma_k = n^{-1} \sum_{t > k} (d_t - \bar d)(d_{t-k} - \bar d)`,

    .. math:: t = \sqrt{\frac{n + 1 - 2h + h(h - 1)/n}{n}} \; \bar d \Big/ \sqrt{\hat V / n}, \qquad
        \hat V = \hat\gamma_0 + 2 \sum_{k=1}^{h-1} \hat\gamma_k

    (Diebold and Mariano 1995), where the first factor is that of Harvey, Leybourne and Newbold (1997), who refer it to
    Student's t on :math:`n - 1` degrees of freedom. Good forecasts :math:`h` steps ahead have errors that are
    correlated over less than :math:`h` steps. A sum that is not positive is replaced by the one with Bartlett's
    weights :math:`1 - k/h`, which always is. With ``horizon=1`` it is the paired t test.

    What it is about depends on the training. Where models are fitted anew on a window of fixed length that moves on,
    it compares forecasting methods, with what fitting them costs, and nested models too (Giacomini and White 2006). On
    training sets that grow it is about the forecasts that were made; for nested models, whose losses become equal in
    the end, it then rejects too seldom.

    Parameters
    ----------
    losses_a, losses_b : array_like of shape (n_times,)
        Loss of each forecast of the two models, in time order and equally spaced, smaller better: squared or absolute
        errors, 0/1 errors.
    horizon : int, default=1
        Steps ahead of the forecasts, in [1, n_times).
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: the loss of `b` is the larger, `a` is better.
    null : float, default=0
        The difference ``a - b`` under the null hypothesis, in the units of `estimate`: what is tested is whether the
        true one differs from it, exceeds it (``"greater"``) or falls below it. With a positive one ``"greater"`` tests
        superiority by a margin, with a negative one non-inferiority.

    Returns
    -------
    DieboldMarianoResult
        With the warning AUTOCORRELATED and its measured error rate where the differences are correlated over `horizon`
        steps or more, SMALL_SAMPLE below 20 times per step of a horizon of 2 or more, NOT_POSITIVE where Bartlett's
        weights were taken, and TOO_FEW and nan for a single time.

    Raises
    ------
    ValueError
        If the losses are not finite or not paired, or an option is out of range.

    References
    ----------
    F. X. Diebold and R. S. Mariano (1995), Comparing predictive accuracy, Journal of Business and Economic Statistics
    13(3), 253-263, :doi:`10.1080/07350015.1995.10524599`.

    D. Harvey, S. Leybourne and P. Newbold (1997), Testing the equality of prediction mean squared errors, International
    Journal of Forecasting 13(2), 281-291, :doi:`10.1016/S0169-2070(96)00719-4`.

    R. Giacomini and H. White (2006), Tests of conditional predictive ability, Econometrica 74(6), 1545-1578,
    :doi:`10.1111/j.1468-0262.2006.00718.x`.

    Examples
    --------
    >>> from skcompare.inference import diebold_mariano_test
    >>> squared_a = [1.0, 0.5, 0.2, 1.1, 0.4, 0.3, 0.9, 0.6]
    >>> squared_b = [1.6, 0.9, 0.1, 1.0, 0.9, 0.8, 1.0, 1.1]
    >>> result = diebold_mariano_test(squared_a, squared_b, horizon=2)
    >>> round(result.estimate, 4), round(result.statistic, 4), round(result.pvalue, 4)
    (0.3, 2.4303, 0.0454)
    """
    check_alternative(alternative)
    null = check_null(null)
    check_aligned(losses_a=losses_a, losses_b=losses_b)
    loss_a, loss_b = (check_scores(x, name, ndim=(1,)) for x, name in ((losses_a, "losses_a"), (losses_b, "losses_b")))
    if loss_a.shape != loss_b.shape:
        raise ValueError(
            f"losses_a and losses_b must be paired, of one shape; got losses_a {loss_a.shape} and losses_b "
            f"{loss_b.shape}"
        )
    n = loss_a.size
    horizon = check_integer(horizon, "horizon", low=1)
    if horizon >= max(n, 2):
        raise ValueError(f"horizon must be less than the number of times, {n}; got {horizon}")
    d = paired_differences(loss_b, loss_a)
    standard_error, weights, beyond = _spread(d, horizon)
    result = t_test(
        d,
        standard_error=standard_error,
        df=float(n - 1),
        alternative=alternative,
        null=null,
        method=f"Diebold-Mariano test (horizon {horizon})",
        warnings=(*_not_positive(weights, horizon), *_few(n, horizon), *_correlated(beyond, n, horizon)),
        needs="at least 2 times",
    )
    return DieboldMarianoResult(
        **{field.name: getattr(result, field.name) for field in fields(result)},
        horizon=horizon,
        weights=weights,
        autocorrelation=beyond,
    )


def _spread(d: Differences, horizon: int) -> tuple[float, Weights, float]:
    """Standard error of the mean with the small-sample factor, its weights, and the correlation at the horizon."""
    n = d.values.size
    if n < 2 or d.std == 0:
        return (float("nan") if n < 2 else 0.0), "equal", float("nan")
    unit = power_of_two(d.values)
    scaled: FloatArray = d.values / unit
    scaled = scaled - scaled.mean()
    gamma = np.array([scaled[k:] @ scaled[: n - k] / n for k in range(horizon + 1)])
    weights: Weights = "equal"
    variance = gamma[0] + 2 * gamma[1:horizon].sum()
    if variance <= _POSITIVE * gamma[0]:
        weights = "Bartlett"
        variance = gamma[0] + 2 * (1 - np.arange(1, horizon) / horizon) @ gamma[1:horizon]
    factor = (n - horizon) * (n - horizon + 1) / n**2  # Harvey, Leybourne and Newbold (1997), equation 8
    return float((variance / n / factor) ** 0.5 * unit), weights, float(gamma[horizon] / gamma[0])


def _not_positive(weights: Weights, horizon: int) -> tuple[CodedWarning, ...]:
    if weights == "equal":
        return ()
    return (
        Code.NOT_POSITIVE(
            f"the variance from the correlations up to {counted(horizon - 1, 'step')} apart is not positive; "
            "Bartlett's weights were taken, which make it positive."
        ),
    )


def _few(n: int, horizon: int) -> tuple[CodedWarning, ...]:
    """That the variance from several correlations is uncertain, with the size measured without any correlation."""
    if horizon == 1 or not 1 < n < _FEWEST * horizon:
        return ()
    near = in_time("diebold_mariano_test", horizon, 0.0, n)
    return (
        Code.SMALL_SAMPLE(
            f"{n} times are few for a horizon of {horizon}; of {near.n_times} differences without any correlation, "
            f"{near.size:.0%} of true nulls were rejected at 5% with horizon {near.horizon}."
        ),
    )


def _correlated(correlation: float, n: int, horizon: int) -> tuple[CodedWarning, ...]:
    """That differences are correlated over more steps than the variance allows for, with the size measured for it."""
    if not correlation * n**0.5 > _STANDARD_ERRORS:
        return ()
    near = in_time("diebold_mariano_test", horizon, correlation ** (1 / horizon), n)
    return (
        Code.AUTOCORRELATED(
            f"{near.size:.0%} of true nulls were rejected at 5% where differences correlate by {near.correlation:g} "
            f"from each of {near.n_times:,} times to the next (horizon {near.horizon}); here the correlation over "
            f"{counted(horizon, 'step')}, which the variance does not allow for, is {correlation:.2f}. "
            "A larger horizon= allows for more."
        ),
    )
