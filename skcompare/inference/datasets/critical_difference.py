"""The critical difference of mean ranks."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from scipy import special

from skcompare._core.validation import check_choice, check_integer, check_number
from skcompare.inference._studentized_range import studentized_range_quantile
from skcompare.inference.datasets._mean_ranks import rank_standard_error

CriticalDifferencePosthoc = Literal["nemenyi", "bonferroni_dunn"]


def critical_difference(
    n_models: int, n_datasets: int, alpha: float = 0.05, *, posthoc: CriticalDifferencePosthoc = "nemenyi"
) -> float:
    r"""The difference of two mean ranks from which on two models differ significantly.

    For k models on N data sets it is

    .. math:: CD = q_\alpha \sqrt{\frac{k (k + 1)}{6 N}}

    (Demsar 2006, section 3.2.2) where :math:`q_\alpha` is, for all pairs (Nemenyi), the quantile of the studentized
    range of k means over :math:`\sqrt 2` and, for comparisons with one control model (Bonferroni-Dunn), the normal
    quantile of the tail :math:`\alpha / (2 (k - 1))`. Mean ranks differ by at most :math:`k - 1`.

    Parameters
    ----------
    n_models : int
        At least 2.
    n_datasets : int
        At least 1.
    alpha : float, default=0.05
        Probability of at least one false rejection, in (0, 1).
    posthoc : {"nemenyi", "bonferroni_dunn"}, default="nemenyi"
        All pairs of models, or all models against one of them.

    Returns
    -------
    float
        In ranks.

    Raises
    ------
    ValueError
        If an argument is out of its range, or `posthoc` is unknown.

    See Also
    --------
    nemenyi_test, control_test : the tests.

    References
    ----------
    J. Demsar (2006), Statistical comparisons of classifiers over multiple data sets, Journal of Machine Learning
    Research 7, 1-30.

    O. J. Dunn (1961), Multiple comparisons among means, Journal of the American Statistical Association 56(293),
    52-64, :doi:`10.1080/01621459.1961.10482090`.

    Examples
    --------
    >>> from skcompare.inference import critical_difference
    >>> round(critical_difference(4, 14), 3), round(critical_difference(4, 14, posthoc="bonferroni_dunn"), 3)
    (1.254, 1.168)
    """
    k, n = check_integer(n_models, "n_models", low=2), check_integer(n_datasets, "n_datasets", low=1)
    alpha = check_number(alpha, "alpha", low=0, high=1, closed="neither")
    check_choice(posthoc, "posthoc", get_args(CriticalDifferencePosthoc))
    if posthoc == "nemenyi":
        quantile = studentized_range_quantile(alpha, k) / np.sqrt(2)
    else:
        quantile = -special.ndtri(alpha / (2 * (k - 1)))
    return float(quantile * rank_standard_error(k, n))
