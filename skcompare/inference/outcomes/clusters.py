"""The paired t test on items that come in clusters."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.numbers import counted
from skcompare._core.validation import Alternative, check_aligned, check_hypothesis, check_pair
from skcompare.inference._records import Differences, TTestResult, paired_differences, power_of_two, t_test
from skcompare.inference.outcomes.samples import Clusters, read_clusters


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ClusterTTestResult(TTestResult):
    """Result of a paired t test with a standard error that allows for clusters.

    `confidence_interval` inverts the test: it leaves out 0 exactly when ``pvalue < 1 - confidence_level``.

    Attributes
    ----------
    statistic : float
        `estimate` over `standard_error`; infinite where the mean of every cluster is one non-zero value.
    pvalue : float
        In [0, 1]; nan only with fewer than two clusters.
    df : float
        Number of clusters less one; nan only with fewer than two clusters.
    alternative : {"two-sided", "greater", "less"}
        What was tested: the mean of ``a - b`` is not zero, positive, negative.
    estimate : float
        Mean of all differences ``a - b``, each item with the same weight, in units of the values; positive favours `a`.
    mean_difference : float
        The same as `estimate`.
    standard_error : float
        Of `estimate`, in units of the values, allowing for clusters.
    effect_size : float
        Cohen's d_z over the items, the mean over the standard deviation of the differences; nan where it is not
        defined.
    n : int
        Number of items.
    n_clusters : int
        Number of clusters.
    design_effect : float
        The variance of the mean over what it would be for independent items, at least 0; 1 where each item is a cluster
        of its own; nan where either variance is 0 or not known.
    intraclass_correlation : float
        Of the differences of two items of one cluster, by the analysis of variance, at most 1; nan where each item is a
        cluster of its own, and where it is not defined.
    """

    n_clusters: int
    design_effect: float
    intraclass_correlation: float


def cluster_t_test(
    a: ArrayLike, b: ArrayLike, *, clusters: ArrayLike, alternative: Alternative = "two-sided", null: float = 0.0
) -> ClusterTTestResult:
    r"""Paired t test on one value per item, with items of one cluster that depend on each other.

    Several items of one patient, document or question, or several runs of one item, tell less than as many independent
    ones. With the differences :math:`d_i = a_i - b_i` of :math:`n` items in :math:`C` clusters and their mean
    :math:`\bar d`,

    .. math:: t = \bar d \Big/ \sqrt{ \frac{C}{C - 1} \, \frac{1}{n^2} \sum_{c = 1}^{C}
        \left( \sum_{i \in c} (d_i - \bar d) \right)^2 }

    on :math:`C - 1` degrees of freedom: the cluster-robust variance of a mean (Miller 2024, for paired differences)
    with the usual correction for few clusters (Cameron and Miller 2015). With one item per cluster it is the paired t
    test; with clusters of one size, the t test on their means.

    It is about the models whose values these are, on items and clusters like these.

    Parameters
    ----------
    a, b : array_like of shape (n_items,)
        One value per item for each model, such as a loss, a score or right and wrong as 1 and 0; larger is better.
    clusters : array_like of shape (n_items,)
        Labels of the clusters: numbers, strings, dates or other values that have an order.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: the mean of ``a - b`` is positive.
    null : float, default=0
        The difference ``a - b`` under the null hypothesis, in the units of `estimate`: what is tested is whether the
        true one differs from it, exceeds it (``"greater"``) or falls below it. With a positive one ``"greater"`` tests
        superiority by a margin, with a negative one non-inferiority.

    Returns
    -------
    ClusterTTestResult
        With the warning TOO_LITTLE_DATA below 10 clusters, where one holds more than a quarter of the items, and where
        all tell no more than 10 clusters of equal size; with nan too for a single cluster.

    Raises
    ------
    ValueError
        If the values are not finite or not paired, `clusters` are missing or not one per item, or `alternative` is
        unknown.

    See Also
    --------
    paired_metric_test : exchanges whole clusters, for any metric.
    paired_bootstrap : an interval for the difference of any metric, from whole clusters.
    permutation_test : flips the signs of whole clusters.

    References
    ----------
    A. C. Cameron and D. L. Miller (2015), A practitioner's guide to cluster-robust inference, Journal of Human
    Resources 50(2), 317-372, :doi:`10.3368/jhr.50.2.317`.

    E. Miller (2024), Adding error bars to evals: a statistical approach to language model evaluations, arXiv
    2411.00640, :doi:`10.48550/arXiv.2411.00640`.

    Examples
    --------
    >>> from skcompare.inference import cluster_t_test
    >>> a, b = [1, 1, 0, 1, 1, 1, 0, 1], [0, 0, 0, 1, 1, 0, 0, 0]
    >>> result = cluster_t_test(a, b, clusters=["x", "x", "y", "y", "z", "z", "w", "w"])
    >>> result.n_clusters, result.df, round(result.statistic, 4), round(result.pvalue, 4)
    (4, 3.0, 2.4495, 0.0917)
    """
    against = check_hypothesis(alternative, null)
    check_aligned(a=a, b=b, clusters=clusters)
    d = paired_differences(*check_pair(a, b, ndim=(1,)))
    units = read_clusters(clusters, d.values.size)
    standard_error, between, within = _spread(d, units)
    result = t_test(
        d,
        standard_error=standard_error,
        df=float(len(units) - 1),
        against=against,
        method=f"cluster-robust paired t test ({counted(len(units), 'cluster')})",
        warnings=units.warnings(),
        needs="at least 2 clusters",
    )
    independent = d.std / d.values.size**0.5 if d.std > 0 else float("nan")
    return ClusterTTestResult(
        **{field.name: getattr(result, field.name) for field in fields(result)},
        n_clusters=len(units),
        design_effect=(standard_error / independent) ** 2,
        intraclass_correlation=_intraclass(units, between, within),
    )


def _spread(d: Differences, units: Clusters) -> tuple[float, float, float]:
    """The standard error of the mean; sums of squares between and within the clusters, in a unit of their own."""
    n, n_clusters = d.values.size, len(units)
    unit = power_of_two(d.values) or 1.0
    scaled = d.values / unit
    scaled -= scaled.mean()
    sums = units.sums(scaled)
    sums[np.abs(sums) <= d.noise / unit * units.sizes] = 0.0  # rounding
    means = sums / units.sizes
    between, within = float(sums @ means), float(((scaled - means[units.codes]) ** 2).sum())
    if n_clusters < 2:
        return float("nan"), between, within
    return float((sums @ sums * n_clusters / (n_clusters - 1)) ** 0.5) / n * unit, between, within


def _intraclass(units: Clusters, between: float, within: float) -> float:
    """The estimate by the analysis of variance, for clusters of unequal sizes too."""
    n, n_clusters = int(units.sizes.sum()), len(units)
    if not 1 < n_clusters < n or between + within == 0:
        return float("nan")
    size = (n - float((units.sizes.astype(np.float64) ** 2).sum()) / n) / (n_clusters - 1)
    mean_between, mean_within = between / (n_clusters - 1), within / (n - n_clusters)
    return (mean_between - mean_within) / (mean_between + (size - 1) * mean_within)
