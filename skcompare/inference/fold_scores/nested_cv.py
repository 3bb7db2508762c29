"""The nested cross-validation interval of Bates, Hastie and Tibshirani."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from skcompare._core.numbers import counted
from skcompare._core.validation import FloatArray, check_number, check_scores
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference._kinds import DifferenceTest, HasNormalInterval
from skcompare.inference._records import LARGEST_DIFFERENCE, ROUNDING, power_of_two
from skcompare.inference._sentences import Difference, Estimate
from skcompare.inference.outcomes.proportions import z_test

# Fewer repeats leave the estimate of the mean squared error to chance; the default of the authors' code.
ENOUGH_REPEATS = 50


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class NestedCVResult(HasNormalInterval, DifferenceTest):
    """An estimate of the expected loss, or of a difference of losses, from nested cross-validation.

    `confidence_interval` is normal; it leaves out 0 exactly when ``pvalue < 1 - confidence_level``.

    Attributes
    ----------
    statistic : float
        `estimate` over `standard_error`; infinite where only the latter is 0.
    pvalue : float
        Two-sided, of a true value of 0, in [0, 1]. It is of use for differences of losses.
    estimate : float
        Mean of all inner losses less `bias`, in loss units.
    standard_error : float
        Of `estimate`: `inflation` times the standard deviation of the inner losses over the square root of the number
        of samples.
    bias : float
        What is taken off the mean of the inner losses, whose models had fewer samples to train on.
    inflation : float
        How much wider the interval is than one for independent losses, in [1, sqrt(n_folds)].
    mean_squared_error : float
        Of the mean of the inner losses of one repeat, in squared loss units, at least 0.
    inner_mean, outer_mean : float
        Mean of all inner losses and of all outer losses: the latter is the ordinary cross-validation estimate.
    n : int
        Number of samples.
    n_repeats, n_folds : int
        Random partitions, and folds in each.
    effect_size : float
        `estimate` over the standard deviation of the inner losses, Cohen's d_z of the samples; nan where that is 0.
    alternative : {"two-sided"}
        What was tested.
    """

    statistic: float
    pvalue: float
    estimate: float
    standard_error: float
    bias: float
    inflation: float
    mean_squared_error: float
    inner_mean: float
    outer_mean: float
    n: int
    n_repeats: int
    n_folds: int
    effect_size: float
    alternative: str = "two-sided"

    def _sentence(self) -> str:
        return (Difference() if self.compared.known else Estimate()).sentence(self)


def nested_cv_interval(
    outer_losses: Iterable[Iterable[Any]], inner_losses: Iterable[Iterable[Any]], *, bias_exponent: float = 1.0
) -> NestedCVResult:
    r"""Nested cross-validation estimate and interval from losses that were computed before.

    For each of R random partitions into K folds, and each fold f, the outer losses :math:`e^{out}` are those on f of
    the model fitted without f; the inner losses :math:`e^{in}` are those on every other fold g of the models fitted
    without f and g: K (K + 1) / 2 fits in all. Over all folds and repeats

    .. math::

        \widehat{\mathrm{MSE}} = \mathrm{mean}\left[(\bar e^{in} - \bar e^{out})^2 - s^2(e^{out}) / |f|\right]

    estimates the mean squared error of cross-validation, and the interval is
    :math:`\bar e^{in} - \mathrm{bias} \pm z \, \sqrt{\lfloor n (K - 1) / K \rfloor / n}
    \sqrt{\widehat{\mathrm{MSE}}}`, with the paper's factor :math:`\sqrt{(K - 1) / K}` where K divides n and the whole
    number of samples below :math:`n (K - 1) / K` elsewhere. It is no narrower than for independent losses and at most
    :math:`\sqrt K` times as wide. The bias, from training on fewer samples, is the mean inner less the mean outer loss,
    times :math:`1 + ((K - 2) / K)^q` (Bates, Hastie and Tibshirani 2024, Algorithm 1).

    To compare two models, pass the differences of their losses: the loss of `b` less the loss of `a`, so that a
    positive estimate favours `a`.

    Parameters
    ----------
    outer_losses : array_like of shape (n_repeats, n_folds, fold_size), or nested sequences
        Per repeat and fold, the losses of the samples of that fold, two or more. Folds may differ in size.
    inner_losses : array_like of shape (n_repeats, n_folds, n_folds - 1, fold_size), or nested sequences
        Per repeat and fold f, the losses on the other folds: one array per fold g, or one array of them all. Their
        number is that of the samples outside f; their order plays no part.
    bias_exponent : float, default=1.0
        The exponent q, at least 0: 1 in the paper, 1.5 in the authors' code.

    Returns
    -------
    NestedCVResult
        With a warning where fewer than 50 repeats were given, or the inflation was held at one of its limits.

    Raises
    ------
    ValueError
        If the losses are not finite, fold sizes of outer and inner losses do not fit, there are fewer than three
        folds, or `bias_exponent` is out of range.

    References
    ----------
    S. Bates, T. Hastie and R. Tibshirani (2024), Cross-validation: what does it estimate and how well does it do it?,
    JASA 119(546), 1434-1445, :doi:`10.1080/01621459.2023.2197686`.

    Examples
    --------
    >>> import numpy as np
    >>> from skcompare.inference import nested_cv_interval
    >>> losses = np.random.default_rng(0).normal(0.1, 1.0, (60, 100))
    >>> outer = losses.reshape(60, 5, 20)
    >>> inner = [[np.delete(repeat, fold, axis=0) for fold in range(5)] for repeat in outer]
    >>> result = nested_cv_interval(outer, inner)
    >>> result.n_folds, abs(result.bias) < 1e-12, 1 <= result.inflation <= 5**0.5
    (5, True, True)
    """
    exponent = check_number(bias_exponent, "bias_exponent", low=0, high=np.inf, closed="left")
    outer, inner = _check_losses(outer_losses, "outer_losses"), _check_losses(inner_losses, "inner_losses")
    n, n_folds = _check_sizes(outer, inner)
    all_outer, all_inner = _joined(outer), _joined(inner)
    largest = float(max(np.abs(all_outer).max(), np.abs(all_inner).max()))
    if largest > LARGEST_DIFFERENCE:
        raise ValueError(f"losses must be at most {LARGEST_DIFFERENCE:g} in size; got {largest:g}")
    unit, noise = power_of_two(np.array([largest])) or 1.0, ROUNDING * largest
    inner_mean, outer_mean = float((all_inner / unit).mean()), float((all_outer / unit).mean())
    # Bates et al. (2024), Algorithm 1: a - b, averaged over folds and repeats
    terms = [
        ((e_in / unit).mean() - (e_out / unit).mean()) ** 2 - (e_out / unit).var(ddof=1) / e_out.size
        for of_repeat in zip(outer, inner, strict=True)
        for e_out, e_in in zip(*of_repeat, strict=True)
    ]
    error = max(0.0, float(np.mean(terms)))
    spread = 0.0 if np.ptp(all_inner) <= noise else float((all_inner / unit).std(ddof=1))
    inflation, warnings = _inflation(error, spread, n, n_folds)
    bias = (inner_mean - outer_mean) * (1 + ((n_folds - 2) / n_folds) ** exponent)
    estimate = (inner_mean - bias) * unit
    estimate = 0.0 if abs(estimate) <= noise else estimate
    standard_error = inflation * spread / n**0.5 * unit
    if len(outer) < ENOUGH_REPEATS:
        warnings = (
            Code.TOO_LITTLE_DATA(
                f"{counted(len(outer), 'repeat')}; with fewer than {ENOUGH_REPEATS} the width of the interval is left "
                "to the luck of the partitions."
            ),
            *warnings,
        )
    statistic, pvalue = z_test(estimate, standard_error)
    if standard_error == 0 and estimate != 0:
        warnings += (Code.ZERO_VARIANCE(f"the inner losses do not vary around {inner_mean * unit:g}."),)
    return NestedCVResult(
        statistic=statistic,
        pvalue=pvalue,
        estimate=estimate,
        standard_error=standard_error,
        bias=bias * unit,
        inflation=inflation,
        mean_squared_error=error * unit * unit,
        inner_mean=inner_mean * unit,
        outer_mean=outer_mean * unit,
        n=n,
        n_repeats=len(outer),
        n_folds=n_folds,
        method=f"nested cross-validation interval (bias exponent {exponent:g})",
        effect_size=estimate / (spread * unit) if spread else float("nan"),
        warnings=warnings,
    )


def _check_losses(losses: Iterable[Iterable[Any]], name: str) -> list[list[FloatArray]]:
    """Losses as one flat array per repeat and fold."""
    try:
        repeats = [list(repeat) for repeat in losses]
    except TypeError as error:
        raise ValueError(f"{name} must hold a sequence of folds per repeat; got {losses!r:.80}") from error
    if not repeats or not all(repeats):
        raise ValueError(f"{name} must hold at least one repeat, and folds in each; got {losses!r:.80}")
    return [[_flat(fold, f"{name}[{r}][{f}]") for f, fold in enumerate(repeat)] for r, repeat in enumerate(repeats)]


def _flat(losses: Any, name: str) -> FloatArray:
    """One array of an array of any shape, or of a sequence of arrays of different lengths."""
    if isinstance(losses, Sequence) and not isinstance(losses, str) and any(np.ndim(part) > 0 for part in losses):
        return np.concatenate([check_scores(part, name, ndim=(1,)) for part in losses])
    return check_scores(losses, name, ndim=(1, 2)).ravel()


def _check_sizes(outer: list[list[FloatArray]], inner: list[list[FloatArray]]) -> tuple[int, int]:
    """Number of samples and of folds, the same in every repeat."""
    n_folds, n = len(outer[0]), sum(fold.size for fold in outer[0])
    if n_folds < 3:
        raise ValueError(f"outer_losses must hold at least 3 folds per repeat; got {n_folds}")
    if len(inner) != len(outer):
        raise ValueError(f"inner_losses must hold {counted(len(outer), 'repeat')}, as outer_losses; got {len(inner)}")
    for r, (of_outer, of_inner) in enumerate(zip(outer, inner, strict=True)):
        for name, folds in (("outer_losses", of_outer), ("inner_losses", of_inner)):
            if len(folds) != n_folds:
                raise ValueError(f"{name}[{r}] must hold {n_folds} folds, as outer_losses[0]; got {len(folds)}")
        if sum(fold.size for fold in of_outer) != n:
            raise ValueError(f"outer_losses[{r}] must hold {n} losses, as outer_losses[0]")
        for f, (e_out, e_in) in enumerate(zip(of_outer, of_inner, strict=True)):
            if e_out.size < 2:
                raise ValueError(f"outer_losses[{r}][{f}] must hold at least 2 losses; got {e_out.size}")
            if e_in.size != n - e_out.size:
                raise ValueError(
                    f"inner_losses[{r}][{f}] must hold {n - e_out.size} losses, one per sample outside the fold; got "
                    f"{e_in.size}"
                )
    return n, n_folds


def _joined(losses: list[list[FloatArray]]) -> FloatArray:
    return np.concatenate([fold for repeat in losses for fold in repeat])


def _inflation(error: float, spread: float, n: int, n_folds: int) -> tuple[float, tuple[CodedWarning, ...]]:
    """Root mean squared error over the standard error of independent losses, held to what is plausible."""
    if spread == 0:
        return 1.0, ()
    raw = error**0.5 / (spread / int(n * (n_folds - 1) / n_folds) ** 0.5)
    limited = min(max(raw, 1.0), n_folds**0.5)
    if raw == limited:
        return limited, ()
    return limited, (
        Code.APPROXIMATE(f"the estimated inflation, {raw:.3g}, was held at {limited:.3g}; more repeats help."),
    )
