"""The selection bias of the score of the best of many models, which was chosen for that score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.record import Record
from skcompare._core.validation import FloatArray, check_integer, check_number
from skcompare._core.warnings import Code, CodedWarning
from skcompare._core.words import counted
from skcompare.inference.fold_scores._table import SplitTable, check_splits

# Of overlapping splits, as of ten folds, a tenth of what they tell is left out of the choice.
_LEFT_OUT = 0.1


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SelectionBiasResult(Record):
    """The score of the model that looks best, with and without its selection bias.

    Attributes
    ----------
    best : str
        The model with the best mean; the first of several.
    apparent : float
        Its mean score.
    bias : float
        Estimate of its selection bias, in score units, at least 0: 0 where the same model wins whatever is left out.
        nan only with fewer than two splits.
    corrected : float
        The bias-corrected score: `apparent` less `bias` where greater is better, plus `bias` elsewhere.
    n_models, n : int
        Models that were compared, and splits.
    """

    best: str
    apparent: float
    bias: float
    corrected: float
    n_models: int
    n: int
    method: str
    warnings: tuple[CodedWarning, ...] = ()

    def _sentence(self) -> str:
        return (
            f"{self.best} is the best of {counted(self.n_models, 'model')} with a mean of {self.apparent:.4g}; its "
            f"bias-corrected score is {self.corrected:.4g}."
        )


def selection_bias(
    scores: ArrayLike,
    *,
    n_folds: int | None = None,
    test_fraction: float | None = None,
    greater_is_better: bool = True,
    names: Sequence[str] | None = None,
) -> SelectionBiasResult:
    r"""Estimate the selection bias of the mean score of the best of many models.

    The best of many means is biased upwards: it was picked for being high. As in nested cross-validation, the winner on
    all folds but one is scored on the fold left out, on which it was not chosen. With the scores :math:`x_{kj}` of
    model j on fold k and the model :math:`w(k)` that is best on average over the other folds,

    .. math:: \text{bias} = \max_j \bar x_j - \frac 1 n \sum_{k=1}^{n} x_{k \, w(k)}.

    It is at least 0 without being cut there, for on its fold :math:`w(k)` is never better than the overall winner.
    Models that tie for the best of the other folds are averaged over. In repeated cross-validation the other repeats
    test the samples of the left-out fold again: the choice is made within each repeat, and the repeats are averaged.

    The test sets of random splits (``n_folds=1``) overlap, so that the winner on the other splits was chosen on
    much of what it would be scored on: this would find a tenth of the bias. There the choice is made on
    :math:`\bar x + a (x_k - \bar x)` and the score taken from :math:`\bar x - b (x_k - \bar x)` for each split k and
    for both signs of a and b. With

    .. math:: a = \sqrt{\gamma v \frac{n}{n - 1}}, \quad b = a / \gamma, \quad v = \frac 1 n + \frac{\rho}{1 - \rho},

    these two are uncorrelated if two splits have the correlation :math:`\rho` of Nadeau and Bengio (2003), the test
    fraction; :math:`\gamma = 1/9` leaves as much out of the choice as one fold of ten is. With :math:`\rho = 0` and
    :math:`\gamma = 1 / (n - 1)` this is leaving out one fold, but for the signs.

    In simulations (`docs/benchmarks.md`) of 2 to 50 models on 5 folds, 10 folds, 10x10 and 30 random splits, with
    and without differences, the bias-corrected score was off by at most .009 on average, where the apparent one was
    biased by up to .057; it is too low where one of many models is somewhat better. The correction of Tibshirani and
    Tibshirani (2009), how much the best of each fold exceeds the winner there, is about right on 5 folds where the
    models are equal; on 10 folds it is 1.7 to 2.0 times too large for accuracy, and 1.0 to 1.9 times for ROC AUC. That
    of Tsamardinos et al. (2018), on folds drawn with replacement and scored on those not drawn, is as good on folds
    where the models are equal, and off by up to .020 where one is better; of random splits it finds a tenth.

    For one data set the estimate is as uncertain as the winner's mean itself. Folds that share their training data are
    taken for independent within a repeat. With learners that change much with their training data, such as trees, they
    are not, and half to five sixths of the bias were found.

    Parameters
    ----------
    scores : array_like of shape (n_splits, n_models)
        Scores of at least two models on the same splits, in any unit; split ``r * n_folds + f`` is fold f of repeat r.
    n_folds : int, optional
        Test sets per repeat, a divisor of `n_splits`; 1 for test sets that overlap, of random splits or where folds are
        missing. By default all splits are the folds of one cross-validation.
    test_fraction : float, optional
        Test size over train plus test size, in [0, 1); needed where `n_folds` is 1 and not used elsewhere.
    greater_is_better : bool, default=True
        Direction of the scores.
    names : sequence of str, optional
        Names of the models, all different; ``"model 1"`` and so on by default.

    Returns
    -------
    SelectionBiasResult
        Of models that are equal on every split the bias is 0.

    Raises
    ------
    ValueError
        If the scores are not finite or of fewer than two models, `n_folds` does not divide the number of splits,
        `test_fraction` is lacking, the names are not all different or not one per model, or an option is out of range.

    See Also
    --------
    model_confidence_set : which models are not significantly different from the best.

    References
    ----------
    C. Nadeau and Y. Bengio (2003), Inference for the generalization error, Machine Learning 52, 239-281,
    :doi:`10.1023/A:1024068626366`.

    R. J. Tibshirani and R. Tibshirani (2009), A bias correction for the minimum error rate in cross-validation, Annals
    of Applied Statistics 3(2), 822-829, :doi:`10.1214/08-AOAS224`.

    I. Tsamardinos, E. Greasidou and G. Borboudakis (2018), Bootstrapping the out-of-sample predictions for efficient
    and accurate cross-validation, Machine Learning 107(12), 1895-1922, :doi:`10.1007/s10994-018-5714-4`.

    Examples
    --------
    The first model wins by its third fold; on the others it is no better than the second:

    >>> from skcompare.inference import selection_bias
    >>> result = selection_bias([[0.80, 0.81], [0.79, 0.80], [0.90, 0.80], [0.80, 0.80]], names=["svm", "tree"])
    >>> result.best, round(result.apparent, 4), round(result.bias, 4), round(result.corrected, 4)
    ('svm', 0.8225, 0.025, 0.7975)
    """
    table = check_splits(scores, greater_is_better, names)
    n = table.oriented.shape[1]
    folds = n if n_folds is None else check_integer(n_folds, "n_folds", low=1)
    if n % folds:
        raise ValueError(f"n_folds must divide the number of splits, {n}; got {folds}")
    fraction = _check_fraction(test_fraction, needed=folds == 1 and n > 1)
    bias, method, warnings = _estimate(table, folds, fraction)
    apparent = float(table.means[table.best])
    return SelectionBiasResult(
        best=table.names[table.best],
        apparent=apparent,
        bias=bias,
        corrected=apparent - bias if greater_is_better else apparent + bias,
        n_models=len(table.names),
        n=n,
        method=method,
        warnings=warnings,
    )


def _check_fraction(test_fraction: float | None, *, needed: bool) -> float:
    if test_fraction is None and needed:
        raise ValueError("test_fraction must be given for test sets that overlap (n_folds=1)")
    return check_number(0.0 if test_fraction is None else test_fraction, "test_fraction", low=0, high=1, closed="left")


def _estimate(table: SplitTable, folds: int, fraction: float) -> tuple[float, str, tuple[CodedWarning, ...]]:
    """The bias, how it was estimated, and warnings."""
    n = table.oriented.shape[1]
    if folds > 1:
        repeats = table.oriented.T.reshape(-1, folds, len(table.names))
        bias = float(np.mean([_left_out(repeat, table.noise) for repeat in repeats]))
        where = "" if len(repeats) == 1 else f" of each of {len(repeats)} repeats"
        return bias, f"winners on the other folds{where}, scored on the fold left out", ()
    method = f"winners on splits moved apart (test fraction {fraction:.3g})"
    if n < 2:
        return float("nan"), method, (Code.TOO_FEW("a winner can be scored elsewhere with at least 2 splits only."),)
    warning = Code.OVERLAP(
        "the test sets overlap; how much the winner was chosen on what it is scored on is taken from the test "
        "fraction, not from the data."
    )
    return _moved_apart(table.oriented.T, fraction, table.noise), method, (warning,)


def _left_out(folds: FloatArray, noise: FloatArray) -> float:
    """Best mean less the scores on each fold of the winner on the others; folds has shape (n_folds, n_models)."""
    others = (folds.sum(axis=0) - folds) / (len(folds) - 1)
    return float(folds.mean(axis=0).max() - _of_winners(others, folds, noise).mean())


def _moved_apart(splits: FloatArray, fraction: float, noise: FloatArray) -> float:
    """Best mean less the scores of winners, each chosen and scored on means that are uncorrelated."""
    n = len(splits)
    means = splits.mean(axis=0)
    deviations = splits - means
    share = _LEFT_OUT / (1 - _LEFT_OUT)
    # Nadeau and Bengio (2003): n2/n1 = rho/(1 - rho)
    variance = 1 / n + fraction / (1 - fraction)
    away = (share * variance * n / (n - 1)) ** 0.5
    found = [
        _of_winners(means + side * away * deviations, means - side * away / share * deviations, noise).mean()
        for side in (1, -1)
    ]
    return float(means.max() - np.mean(found))


def _of_winners(chosen_by: FloatArray, scores: FloatArray, noise: FloatArray) -> FloatArray:
    """In every row the score of the model that is best by `chosen_by`, of several their mean."""
    leader = chosen_by.argmax(axis=1)
    behind = chosen_by.max(axis=1, keepdims=True) - chosen_by
    best = behind <= np.maximum(noise, noise[leader, None])
    return np.asarray((scores * best).sum(axis=1) / best.sum(axis=1))
