"""The corrected t test whose correction is read from how much the models change with their training sets."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from skcompare._core import validation
from skcompare._core.validation import Alternative, FloatArray
from skcompare._core.warnings import Code
from skcompare.inference._records import ROUNDING, TTestResult, paired_differences, t_test, widened

# How the losses of samples change from one repeat of cross-validation to the next.


class Changes(NamedTuple):
    """How the losses of the samples of one model, or their differences, change from one repeat to the next.

    Attributes
    ----------
    of_samples : ndarray of shape (n_repeats, n_samples)
        Around the mean of each sample over the repeats.
    of_folds : ndarray of shape (n_repeats * n_folds,)
        Their sums over each test fold.
    sizes : ndarray of that shape
        Samples of each.
    """

    of_samples: FloatArray
    of_folds: FloatArray
    sizes: NDArray[np.intp]

    @classmethod
    def of(cls, losses: FloatArray, folds: NDArray[np.intp]) -> Changes:
        """Those of losses of shape (n_repeats, n_samples), by folds that are counted through over the repeats."""
        of_samples = losses - losses.mean(axis=0)
        of_folds = np.asarray(np.bincount(folds.ravel(), of_samples.ravel()), dtype=float)
        return cls(of_samples, of_folds, np.bincount(folds.ravel()))

    def excess(self, other: Changes | None = None) -> float:
        """How much more the samples of a fold change together than alone, less 1; of the difference to another."""
        of_samples = self.of_samples if other is None else self.of_samples - other.of_samples
        of_folds = self.of_folds if other is None else self.of_folds - other.of_folds
        own = float(np.vdot(of_samples, of_samples)) / of_samples.size
        if own <= ROUNDING * float(np.vdot(self.of_samples, self.of_samples)) / of_samples.size:
            return 0.0
        return float((of_folds**2 / self.sizes).mean()) / own - 1


# What the training sets add to the variance of a mean, as a share of the variance of one repeat: by family of learner,
# and of all others. Read from simulations by ``python -m benchmarks.instability``.
TRAINING = MappingProxyType(
    {
        "linear": 0.32,
        "naive Bayes": 0.32,
        "neighbors": 0.47,
        "tree": 0.42,
        "shallow tree": 0.42,
        "forest": 0.20,
        "": 0.42,
    }
)
_MUCH = (
    "a new training set changes the losses of many samples at once ({:.1f} times the variance of independent changes): "
    "the difference varies more from one training set to another than this test allows for, as with trees of one split."
)
USUAL_EXCESS = 0.07  # of the learners simulated there
ENOUGH = 100  # splits, of which the excess is known to within 0.14: of fewer it counts less
MUCH_LUCK = 0.1  # models of less change so little that other training sets add less too
LEAST = 0.05


class StabilityTTestResult(TTestResult):
    """Result of `stability_t_test`.

    `confidence_interval` inverts the test: it leaves out `null` exactly when ``pvalue < 1 - confidence_level``.

    Attributes
    ----------
    statistic : float
        `estimate` less `null` over `standard_error`; infinite where all differences are one other value than `null`.
    pvalue : float
        In [0, 1].
    df : float
        Number of splits less one.
    alternative : {"two-sided", "greater", "less"}
        What was tested: the mean of ``a - b`` is not `null`, above it, below it.
    estimate : float
        Mean of all differences ``a - b``, in score units; positive favours `a`.
    mean_difference : float
        The same as `estimate`.
    standard_error : float
        Of `estimate`, in score units.
    effect_size : float
        Cohen's d_z, the mean over the standard deviation of the differences; nan where it is not defined.
    n : int
        Number of splits.
    correction : float
        What the test takes in place of the usual correction, as a multiple of it: below 1 for models that are alike or
        change little, above 1 for those that change much with their training sets. It is 1 where no loss differs.
    luck : float
        The share of the variance of the differences of single samples that is the luck of the partition, in [0, 1]: it
        averages out over the repeats. nan where no loss of the two models differs.
    excess : float
        How much more the differences of the samples of one test set change together than alone, less 1; 0 for models
        whose changes from one training set to the next do not depend on each other. nan where no loss differs.
    """

    correction: float
    luck: float
    excess: float


def stability_t_test(
    a: ArrayLike,
    b: ArrayLike,
    losses_a: ArrayLike,
    losses_b: ArrayLike,
    fold_ids: ArrayLike,
    *,
    families: Sequence[str] = ("", ""),
    alternative: Alternative = "two-sided",
    null: float = 0.0,
) -> StabilityTTestResult:
    r"""Corrected t test for repeated k-fold whose correction is read from the losses of the single samples.

    With the differences :math:`d` of the scores on :math:`R` repeats of :math:`K` folds,

    .. math:: t = \bar d \Big/ \sqrt{s_d^2 \left(\frac{1}{RK} + \frac{c}{K - 1}\right)}, \qquad
        c = \left(1 - \frac 1 K\right)\left(1 - \frac 1 R\right)(1 - q) + \tau

    on :math:`RK - 1` degrees of freedom. With :math:`c = 1` it is `corrected_t_test`. Of the losses of the samples the
    difference of sample :math:`i` in repeat :math:`r` is :math:`e_{ir}` around its mean over the repeats;
    :math:`q = \overline{e^2} R / (R - 1) / \sigma^2` is the part of their variance :math:`\sigma^2` that is the luck of
    the partition and averages out over repeats: without it the first term is the variance of the mean of independent
    samples, exactly. The second is what other training sets add,

    .. math:: \tau = \max(0.05, \ \min(1, 10 q) \tau_f + \min(1, RK / 100) (x - 0.07)), \qquad
        x = \frac{\overline{(\sum_{i \in F} e_{ir})^2 / |F|}}{\overline{e^2}} - 1

    where :math:`\tau_f` is the mean over both models of what was measured for their family of learners, and :math:`x`
    the excess with which the samples of one test set :math:`F` change together; models whose losses hardly change from
    one repeat to the next hardly depend on their training sets. One run tells :math:`x` to
    within about :math:`\sqrt{2 / (RK)}` only, 0.14 of ten times ten folds, more than learners differ: it may move the
    result but a little, of fewer splits less.

    The losses tell of metrics of the labels or numbers, such as accuracy, F1 and R2. ROC AUC depends on ranks, which
    may change where no label does.

    Parameters
    ----------
    a, b : array_like of shape (n_repeats, n_folds)
        Scores of the two models, in any unit, larger better; two repeats or more of five folds or more.
    losses_a, losses_b : array_like of shape (n_repeats, n_samples)
        Loss of each sample in each repeat, smaller better: 0/1 errors, absolute errors.
    fold_ids : array_like of shape (n_repeats, n_samples) of int
        The test fold of each sample in each repeat, 0 to n_folds - 1.
    families : pair of str, default=("", "")
        Family of each model: "linear", "naive Bayes", "neighbors", "tree", "shallow tree", "forest"; any other is taken
        for unknown.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: the mean of ``a - b`` is positive.
    null : float, default=0
        The difference ``a - b`` under the null hypothesis, in the units of `estimate`: what is tested is whether the
        true one differs from it, exceeds it (``"greater"``) or falls below it. With a positive one ``"greater"`` tests
        superiority by a margin, with a negative one non-inferiority.

    Returns
    -------
    StabilityTTestResult
        With a warning where the two models change together with their training sets far more than usual.

    Raises
    ------
    ValueError
        If scores or losses are not finite or not paired, shapes do not fit, `fold_ids` are not the folds of each
        repeat, there are fewer than two repeats or five folds, or an option is unknown.

    See Also
    --------
    corrected_t_test : the same with the correction of all learners.

    References
    ----------
    C. Nadeau and Y. Bengio (2003), Inference for the generalization error, Machine Learning 52, 239-281,
    :doi:`10.1023/A:1024068626366`.

    Examples
    --------
    >>> import numpy as np
    >>> from skcompare.inference import stability_t_test
    >>> rng = np.random.default_rng(0)
    >>> wrong_a, wrong_b = (np.tile(rng.random(100) < rate, (10, 1)) * 1.0 for rate in (0.1, 0.3))
    >>> folds = np.array([rng.permutation(100) % 10 for _ in range(10)])
    >>> a, b = ([[1 - x[k == f].mean() for f in range(10)] for x, k in zip(w, folds)] for w in (wrong_a, wrong_b))
    >>> result = stability_t_test(a, b, wrong_a, wrong_b, folds, families=("linear", "linear"))
    >>> round(result.estimate, 2), result.luck, round(result.correction, 2)  # the same losses in all repeats
    (0.18, 0.0, 0.86)
    """
    against = validation.check_hypothesis(alternative, null)
    validation.check_aligned(losses_a=losses_a, losses_b=losses_b, fold_ids=fold_ids)
    x, y = validation.check_pair(a, b, ndim=(2,))
    n_repeats, n_folds = x.shape
    if n_repeats < 2 or n_folds < 5:
        raise ValueError(f"a and b must have at least 2 repeats of at least 5 folds; got shape {x.shape}")
    given = {"losses_a": losses_a, "losses_b": losses_b}
    losses = [validation.check_scores(values, name, ndim=(2,)) for name, values in given.items()]
    for values, name in zip(losses, given, strict=True):
        if values.shape[0] != n_repeats or values.shape != losses[0].shape:
            raise ValueError(
                f"{name} must have a row per repeat and the samples of losses_a: {n_repeats} x {losses[0].shape[1]}; "
                f"got shape {values.shape}"
            )
    folds = _check_folds(fold_ids, losses[0].shape, n_folds)
    training = of_families(families)
    luck, excess = instability(losses[1] - losses[0], folds)
    correction = own_correction(luck, excess, training, x.shape)
    differences = paired_differences(x, y)
    error = float(differences.std * (1 / x.size + correction / (n_folds - 1)) ** 0.5)
    method = f"stability-corrected t test ({correction:.2f} of the usual correction)"
    warnings = (Code.FRAGILE(_MUCH.format(1 + excess)),) if much(excess, x.size) else ()
    record = t_test(differences, error, x.size - 1.0, against, method=method, warnings=warnings)
    return widened(record, StabilityTTestResult, correction=correction, luck=luck, excess=excess)


def _check_folds(fold_ids: ArrayLike, shape: tuple[int, ...], n_folds: int) -> NDArray[np.intp]:
    """The folds, counted through over the repeats."""
    validation.refuse_masked(fold_ids, "fold_ids")
    ids: NDArray[Any] = np.asarray(fold_ids)
    if ids.shape != shape or ids.dtype.kind not in "iu":
        got = f"got {ids.shape} of {ids.dtype}"
        raise ValueError(f"fold_ids must hold integers of the shape of the losses, {shape}; {got}")
    for r, own in enumerate(map(np.unique, ids)):
        if not np.array_equal(own, np.arange(n_folds)):
            got = f"got {own!r:.80} in repeat {r}"
            raise ValueError(f"fold_ids must name the folds 0 to {n_folds - 1} in each repeat; {got}")
    return np.asarray(ids + n_folds * np.arange(len(ids))[:, None], dtype=np.intp)


def of_families(families: Sequence[str]) -> float:
    """What the training sets add for two models of some families."""
    pair = validation.as_tuple(families)
    if isinstance(families, str) or len(pair) != 2 or not all(isinstance(name, str) for name in pair):
        raise ValueError(f"families must be a pair of str; got {families!r:.80}")
    return float(np.mean([TRAINING.get(name, TRAINING[""]) for name in pair]))


def instability(d: FloatArray, folds: NDArray[np.intp]) -> tuple[float, float]:
    """Share of the variance that is the luck of the partition, and the excess with which a fold changes together.

    Both are nan where no loss of the two models differs.
    """
    n_repeats = len(d)
    largest = float(np.abs(d).max())
    if largest == 0:
        return float("nan"), float("nan")
    d = d / largest
    changes, variance = Changes.of(d, folds), float(d.var())
    own = float((changes.of_samples**2).mean())
    if own <= ROUNDING * variance:
        return 0.0, 0.0
    return min(1.0, own * n_repeats / (n_repeats - 1) / variance), changes.excess()


def own_correction(luck: float, excess: float, training: float, shape: tuple[int, ...]) -> float:
    """What the test takes in place of the usual correction; the usual one where no loss differs."""
    if not np.isfinite(luck):
        return 1.0
    n_repeats, n_folds = shape
    told = min(1.0, n_repeats * n_folds / ENOUGH) * (excess - USUAL_EXCESS)
    added = max(LEAST, min(1.0, luck / MUCH_LUCK) * training + told)
    return (1 - 1 / n_folds) * (1 - 1 / n_repeats) * (1 - luck) + added


def much(excess: float, n_splits: int, n_pairs: int = 1) -> bool:
    """Whether two standard deviations of one run, more for one pair of many, do not explain an excess; not of nan."""
    deviations = -float(special.ndtri(special.ndtr(-2) / n_pairs))
    return bool(excess - USUAL_EXCESS > deviations * (2 / n_splits) ** 0.5)
