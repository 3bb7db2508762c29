"""The correlation of the differences on two splits, from many data sets."""

from __future__ import annotations

import numpy as np
from scipy import stats

from skcompare._core.validation import FloatArray
from skcompare.inference._interval import ConfidenceInterval


def estimate_fold_correlation(d: FloatArray, confidence_level: float) -> tuple[float, ConfidenceInterval]:
    """The rho at which s2 (1/n + rho / (1 - rho)) is on average the variance of the mean.

    The interval takes the ratio of the two variances for a multiple of chi-squared, with the degrees of freedom that
    its variance by the delta method tells, at most those of normal means: few data sets show too few of the large ones.
    """
    n_datasets, n = d.shape
    means, within = d.mean(axis=1), d.var(axis=1, ddof=1)
    variance = float(means.var(ddof=1))
    if variance == 0 or within.max() == 0:
        nan = float("nan")
        return nan, ConfidenceInterval(low=nan, high=nan)
    ratio = variance / float(within.mean())
    influence = (means - means.mean()) ** 2 / variance - within / within.mean()
    df = 2 / max(float(influence.var(ddof=1)) / n_datasets, 2 / (n_datasets - 1))
    tail = (1 - confidence_level) / 2
    with np.errstate(divide="ignore"):
        multiples = df / stats.chi2.isf((tail, 1 - tail), df)

    def correlation(of_ratio: float) -> float:
        odds = of_ratio - 1 / n
        return float(odds / (1 + odds))

    low, high = (correlation(ratio * float(multiple)) for multiple in multiples)
    return correlation(ratio), ConfidenceInterval(low=low, high=high)
