"""The conservative z interval of Nadeau and Bengio, from scores on pairs of halves of the data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skcompare._core import validation
from skcompare._core.numbers import counted
from skcompare._core.validation import Alternative, FloatArray
from skcompare._core.warnings import Code, CodedWarning, Warnings
from skcompare.inference import _records as records
from skcompare.inference._kinds import DifferenceTest, HasNormalInterval, Result
from skcompare.inference._sentences import Difference, Estimate
from skcompare.inference.outcomes.proportions import z_test

# The usual number of halvings; with 5 the standard error alone is uncertain by a third.
ENOUGH_HALVINGS = 10


class ConservativeZResult(HasNormalInterval, Result):
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
    _kind = Estimate()


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
    own = validation.check_scores(scores, "scores")
    halves = validation.check_scores(half_scores, "half_scores", ndim=(3,))
    if halves.shape[1] != 2:
        raise ValueError(f"half_scores must have shape (n_halvings, 2, n_splits); got {halves.shape}")
    largest = records.check_size("scores", own, halves)
    unit, noise = records.power_of_two(np.array([largest])), records.ROUNDING * largest
    estimate = float((own / unit).mean()) * unit
    apart = np.diff((halves / unit).mean(axis=2), axis=1)[:, 0]
    standard_error = float((apart @ apart / (2 * len(apart))) ** 0.5) * unit
    estimate, standard_error = (0.0 if abs(value) <= noise else value for value in (estimate, standard_error))
    warnings: Warnings = ()
    if len(halves) < ENOUGH_HALVINGS:
        warnings += (_few(len(halves), "halving", ENOUGH_HALVINGS, "their luck"),)
    statistic, pvalue = z_test(estimate, standard_error)
    if standard_error == 0 and estimate != 0:
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


def _few(n: int, what: str, enough: int, luck: str) -> CodedWarning:
    """The warning of an interval from few draws of what it is estimated from."""
    few = f"{counted(n, what)}; with fewer than {enough} the width of the interval is left to {luck}."
    return Code.TOO_LITTLE_DATA(few)


# The central limit theorem for cross-validation, on the losses of single samples.


Variance = Literal["within", "all"]
_WORDS = {"within": "within the folds, pooled over them", "all": "of all samples"}

UNSTABLE_LEARNERS = Code.UNSTABLE_LEARNERS(
    "valid only where one training sample changes the difference of the losses by little beside its spread, which two "
    "models that are alike may fail though each is stable; with trees up to 13% of simulated nulls were rejected at a "
    "nominal 5%."
)
FITTED_MODELS = Code.FITTED_MODELS(
    "the target is the mean test loss of the models fitted on these folds, not that of the learning "
    "algorithms on other data."
)


def cv_clt_test(
    losses_a: ArrayLike,
    losses_b: ArrayLike,
    fold_ids: ArrayLike,
    *,
    variance: Variance = "within",
    alternative: Alternative = "two-sided",
    null: float = 0.0,
) -> records.TTestResult:
    r"""Test of two models by the central limit theorem for cross-validation.

    With :math:`e_i` the loss of `b` less the loss of `a` on sample :math:`i`, each predicted by the models that were
    fitted without its fold,

    .. math:: z = \frac{\bar e \sqrt n}{\hat\sigma}, \qquad
        \hat\sigma^2_{\mathrm{all}} = \frac 1 n \sum_i (e_i - \bar e)^2, \qquad
        \hat\sigma^2_{\mathrm{within}} = \frac{1}{n - k} \sum_{j=1}^k \sum_{i \in F_j} (e_i - \bar e_{F_j})^2

    is referred to the normal distribution (Bayle, Bayle, Janson and Mackey 2020). The variance is that of all
    :math:`e_i` around their mean, or the one within the :math:`k` folds :math:`F_j`, around their own means, pooled
    over the folds: of folds of one size it is the mean of their variances.

    The theorem is about the comparison: if one training sample is replaced, the differences :math:`e_i` must change by
    little beside their own standard deviation, ever less as :math:`n` grows. That each learner is stable is not enough.
    The losses of two models that are alike nearly cancel, and what is left of them may move with the training set as
    much as it varies over samples: with the lasso and with soft thresholding, each stable by itself, the intervals are
    invalid (Bayle, Janson and Mackey 2025).

    On 0/1 losses, where `b` alone errs on :math:`n_{01}` samples and `a` alone on :math:`n_{10}`, with
    ``variance="all"``, :math:`z^2 = (n_{01} - n_{10})^2 / (n_{01} + n_{10} - (n_{01} - n_{10})^2 / n)`: a little more
    than the statistic of McNemar's test on the pooled predictions.

    Parameters
    ----------
    losses_a, losses_b : array_like of shape (n_samples,)
        Loss of each sample under the two models, smaller better: 0/1 errors, squared errors.
    fold_ids : array_like of shape (n_samples,) of int
        The test fold of each sample in one k-fold cross-validation, two folds or more.
    variance : {"within", "all"}, default="within"
        Within the folds, pooled over them, or around the mean of all samples. For leave-one-out only ``"all"`` exists.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: the loss of `b` is the larger, `a` is better.
    null : float, default=0
        The difference ``a - b`` under the null hypothesis, in the units of `estimate`: what is tested is whether the
        true one differs from it, exceeds it (``"greater"``) or falls below it. With a positive one ``"greater"`` tests
        superiority by a margin, with a negative one non-inferiority.

    Returns
    -------
    TTestResult
        `estimate` is the mean loss of `b` less that of `a`, so that a positive one favours `a`; `df` is infinite: the
        reference is the normal distribution. Its warnings name what the theorem needs and what it is about.

    Raises
    ------
    ValueError
        If the losses are not finite or not paired, `fold_ids` are not integers of the same length that name at least
        two folds, or an option is unknown or does not fit.

    References
    ----------
    P. Bayle, A. Bayle, L. Janson and L. Mackey (2020), Cross-validation confidence intervals for test error,
    NeurIPS 33, 16339-16350, arXiv:2007.12671.

    A. Bayle, L. Janson and L. Mackey (2025), The relative instability of model comparison with cross-validation,
    arXiv:2508.04409, :doi:`10.48550/arXiv.2508.04409`.

    Examples
    --------
    >>> import numpy as np
    >>> from skcompare.inference import cv_clt_test
    >>> wrong_a, wrong_b = np.zeros(100), np.zeros(100)
    >>> wrong_a[:5], wrong_b[5:20] = 1, 1
    >>> result = cv_clt_test(wrong_a, wrong_b, np.arange(100) % 5, variance="all")
    >>> round(result.estimate, 4), round(result.statistic**2, 4)
    (0.1, 5.2632)
    """
    against = validation.check_hypothesis(alternative, null)
    validation.check_choice(variance, "variance", get_args(Variance))
    validation.check_aligned(losses_a=losses_a, losses_b=losses_b, fold_ids=fold_ids)
    loss_a, loss_b = validation.check_pair(losses_a, losses_b, ndim=(1,), names=("losses_a", "losses_b"))
    folds = _check_folds(fold_ids, loss_a.size)
    if variance == "within" and folds.max() + 1 == folds.size:
        raise ValueError("variance must be 'all' for leave-one-out, where folds have no variance; got 'within'")
    d = records.paired_differences(loss_b, loss_a)
    error, warnings = _deviation(d, folds, variance) / d.values.size**0.5, (UNSTABLE_LEARNERS, FITTED_MODELS)
    method = f"CV central limit theorem test (variance {_WORDS[variance]})"
    return records.t_test(d, error, float("inf"), against, method=method, warnings=warnings)


def _check_folds(fold_ids: ArrayLike, n_samples: int) -> NDArray[np.intp]:
    """Fold numbers 0, 1, ... of the samples."""
    validation.refuse_masked(fold_ids, "fold_ids")
    try:
        ids: NDArray[Any] = np.asarray(fold_ids)
    except ValueError as error:
        raise ValueError(f"fold_ids must hold one integer per sample; got {fold_ids!r:.80}") from error
    if ids.dtype.kind not in "iu" or ids.shape != (n_samples,):
        got = f"got shape {ids.shape} of {ids.dtype}"
        raise ValueError(f"fold_ids must hold one integer per sample, shape ({n_samples},); {got}")
    folds = np.unique(ids, return_inverse=True)[1].reshape(-1)
    if folds.max() < 1:
        raise ValueError(f"fold_ids must name at least 2 folds; got one, {ids[0]}, for all samples")
    return folds


def _deviation(d: records.Differences, folds: NDArray[np.intp], variance: str) -> float:
    """Standard deviation of Bayle et al. (2020): around the mean, or around the means of the folds."""
    unit = records.power_of_two(d.values)
    values: FloatArray = d.values / unit
    centre, freedom = np.full(values.size, values.mean()), values.size
    if variance == "within":
        sizes = np.bincount(folds)
        centre = (np.bincount(folds, weights=values) / sizes)[folds]
        freedom = values.size - sizes.size
    deviations = values - centre
    if np.abs(deviations).max() * unit <= d.noise:
        return 0.0
    return float(((deviations**2).sum() / freedom) ** 0.5 * unit)


# The nested cross-validation interval of Bates, Hastie and Tibshirani.

# Fewer repeats leave the estimate of the mean squared error to chance; the default of the authors' code.
ENOUGH_REPEATS = 50


class NestedCVResult(DifferenceTest, HasNormalInterval):
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
    standard_error: float
    bias: float
    inflation: float
    mean_squared_error: float
    inner_mean: float
    outer_mean: float
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
    exponent = validation.check_number(bias_exponent, "bias_exponent", low=0, high=np.inf, closed="left")
    outer, inner = _check_losses(outer_losses, "outer_losses"), _check_losses(inner_losses, "inner_losses")
    n, n_folds = _check_sizes(outer, inner)
    all_outer, all_inner = _joined(outer), _joined(inner)
    largest = records.check_size("losses", all_outer, all_inner)
    unit, noise = records.power_of_two(np.array([largest])), records.ROUNDING * largest
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
        warnings = (_few(len(outer), "repeat", ENOUGH_REPEATS, "the luck of the partitions"), *warnings)
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
        return np.concatenate([validation.check_scores(part, name, ndim=(1,)) for part in losses])
    return validation.check_scores(losses, name, ndim=(1, 2)).ravel()


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
        if (found := sum(fold.size for fold in of_outer)) != n:
            raise ValueError(f"outer_losses[{r}] must hold {n} losses, as outer_losses[0]; got {found}")
        for f, (e_out, e_in) in enumerate(zip(of_outer, of_inner, strict=True)):
            if e_out.size < 2:
                raise ValueError(f"outer_losses[{r}][{f}] must hold at least 2 losses; got {e_out.size}")
            if e_in.size != n - e_out.size:
                wanted = f"{n - e_out.size} losses, one per sample outside the fold"
                raise ValueError(f"inner_losses[{r}][{f}] must hold {wanted}; got {e_in.size}")
    return n, n_folds


def _joined(losses: list[list[FloatArray]]) -> FloatArray:
    return np.concatenate([fold for repeat in losses for fold in repeat])


def _inflation(error: float, spread: float, n: int, n_folds: int) -> tuple[float, Warnings]:
    """Root mean squared error over the standard error of independent losses, held to what is plausible."""
    if spread == 0:
        return 1.0, ()
    raw = error**0.5 / (spread / int(n * (n_folds - 1) / n_folds) ** 0.5)
    limited = min(max(raw, 1.0), n_folds**0.5)
    held = f"the estimated inflation, {raw:.3g}, was held at {limited:.3g}; more repeats help."
    return limited, () if raw == limited else (Code.APPROXIMATE(held),)
