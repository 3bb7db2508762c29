"""Absolute and relative reduction of the error."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from skcompare._core.validation import check_aligned, refuse_masked
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference._interval import ConfidenceInterval, interval_tail
from skcompare.inference._kinds import OfModels


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ErrorReduction(OfModels):
    """How much of the error of `b` the model `a` avoids.

    Attributes
    ----------
    absolute : float
        Accuracy of `a` minus accuracy of `b`, in [-1, 1].
    relative : float
        The same as a share of the error rate of `b`; at most 1, negative where `a` errs more often, nan where `b`
        makes no error.
    n_errors_a, n_errors_b, n_errors_both : int
        Errors of `a`, of `b`, and samples that both get wrong.
    n : int
        Number of samples.
    """

    absolute: float
    relative: float
    n_errors_a: int
    n_errors_b: int
    n_errors_both: int
    n: int
    method: str
    warnings: tuple[CodedWarning, ...] = ()

    def _sentence(self) -> str:
        a, b = self.compared.a, self.compared.b
        return (
            f"{a} makes {self.n_errors_a} errors, {b} {self.n_errors_b}, on {self.n} samples: {a} avoids "
            f"{self.relative:.3g} of the errors of {b}."
        )

    def absolute_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Wald interval of the absolute reduction for paired samples.

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1).

        Returns
        -------
        ConfidenceInterval
            In [-1, 1].
        """
        z = -float(special.ndtri(interval_tail(confidence_level, "two-sided")))
        discordant = self.n_errors_a + self.n_errors_b - 2 * self.n_errors_both
        gain = self.n_errors_b - self.n_errors_a
        margin = float(z * np.sqrt(discordant - gain**2 / self.n) / self.n)
        return ConfidenceInterval(low=max(-1.0, self.absolute - margin), high=min(1.0, self.absolute + margin))

    def relative_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Interval of the relative reduction, from the paired log ratio of the error rates by the delta method.

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1).

        Returns
        -------
        ConfidenceInterval
            At most 1; without an error of `a` the lower limit is that of one half error, without one of `b` both
            limits are nan.
        """
        z = -float(special.ndtri(interval_tail(confidence_level, "two-sided")))
        if self.n_errors_b == 0:
            return ConfidenceInterval(low=float("nan"), high=float("nan"))
        errors_a = max(self.n_errors_a, 0.5)
        discordant = self.n_errors_a + self.n_errors_b - 2 * self.n_errors_both
        spread = z * np.sqrt(discordant / (errors_a * self.n_errors_b))
        ratio = errors_a / self.n_errors_b
        high = 1.0 if self.n_errors_a == 0 else 1 - ratio * np.exp(-spread)
        return ConfidenceInterval(low=float(1 - ratio * np.exp(spread)), high=float(high))


def error_reduction(correct_a: ArrayLike, correct_b: ArrayLike) -> ErrorReduction:
    r"""Absolute and relative reduction of the error rate of `b` by `a`.

    With the error rates :math:`e_a` and :math:`e_b`

    .. math:: \text{absolute} = e_b - e_a, \qquad \text{relative} = 1 - \frac{e_a}{e_b}.

    From 50% to 75% accuracy and from 99.90% to 99.99% differ in absolute reduction (25 and 0.09 percentage points)
    and in relative reduction (50% and 90% of the errors).

    Parameters
    ----------
    correct_a, correct_b : array_like of shape (n_samples,)
        Whether each model was right on each sample: booleans, or 0 and 1.

    Returns
    -------
    ErrorReduction

    Raises
    ------
    ValueError
        If the arrays are not boolean or not of one length.

    Examples
    --------
    >>> from skcompare.inference import error_reduction
    >>> result = error_reduction([True, True, True, False], [True, True, False, False])
    >>> result.absolute, result.relative
    (0.25, 0.5)
    """
    check_aligned(correct_a=correct_a, correct_b=correct_b)
    a, b = _check_correct(correct_a, "correct_a"), _check_correct(correct_b, "correct_b")
    if a.shape != b.shape:
        raise ValueError(f"correct_a and correct_b must have one length; got {a.shape} and {b.shape}")
    errors_a, errors_b, n = int((~a).sum()), int((~b).sum()), len(a)
    warnings = () if errors_b else (Code.NO_ERRORS("the baseline makes no error, so there is nothing to reduce."),)
    return ErrorReduction(
        absolute=(errors_b - errors_a) / n,
        relative=1 - errors_a / errors_b if errors_b else float("nan"),
        n_errors_a=errors_a,
        n_errors_b=errors_b,
        n_errors_both=int((~a & ~b).sum()),
        n=n,
        method="error reduction",
        warnings=warnings,
    )


def _check_correct(values: ArrayLike, name: str) -> NDArray[np.bool_]:
    refuse_masked(values, name)
    array = np.asarray(values)
    if array.ndim != 1 or array.size == 0 or array.dtype.kind not in "biuf" or not np.isin(array, (0, 1)).all():
        raise ValueError(f"{name} must be a non-empty list of booleans; got {values!r:.80}")
    return array.astype(bool)
