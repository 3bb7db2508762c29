"""The samples that a permutation test rearranges, less the difference under its null hypothesis."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.validation import FloatArray, check_aligned, check_pair
from skcompare.inference._base import ROUNDING, Differences, paired_differences, power_of_two
from skcompare.inference._clusters import Clusters, read_clusters
from skcompare.inference.fold_scores._rearrangements import Samples
from skcompare.inference.fold_scores._table import check_unpaired


def _less(differences: Differences, null: float) -> Differences:
    """Differences from the one under the null hypothesis."""
    if not null:
        return differences
    noise = differences.noise + ROUNDING * abs(null)
    return replace(differences, values=differences.values - null, mean=differences.mean - null, noise=noise)


def paired_samples(a: ArrayLike, b: ArrayLike, null: float) -> tuple[Samples, float, float]:
    """The differences, their mean and the effect size."""
    d = paired_differences(*check_pair(a, b))
    beyond = _less(d, null)
    values = np.where(np.abs(beyond.values) <= beyond.noise, 0.0, beyond.values).ravel()
    values.sort()
    return (values,), d.mean, 0.0 if d.mean == 0 else d.effect_size


def clustered_samples(
    a: ArrayLike, b: ArrayLike, clusters: ArrayLike, null: float
) -> tuple[Clusters, Samples, FloatArray, float, float]:
    """Sums of the differences over clusters, and the sizes of these where they differ; both over the mean size."""
    check_aligned(a=a, b=b, clusters=clusters)
    d = paired_differences(*check_pair(a, b, ndim=(1,)))
    units = read_clusters(clusters, d.values.size)
    mean_size = d.values.size / len(units)
    beyond = _less(d, null)
    unit = power_of_two(beyond.values) or 1.0
    sums = units.sums(beyond.values / unit)
    values = np.where(np.abs(sums) <= beyond.noise / unit * units.sizes, 0.0, sums / mean_size * unit)
    order = np.lexsort((units.sizes, values))
    sizes = units.sizes[order] / mean_size if np.ptp(units.sizes) else np.ones(0)
    return units, (values[order],), sizes, d.mean, 0.0 if d.mean == 0 else d.effect_size


def unpaired_samples(a: ArrayLike, b: ArrayLike, null: float) -> tuple[Samples, float, float]:
    """The scores of both, the difference of their means and the effect size."""
    x, y, unit, noise, difference = check_unpaired(a, b)
    effect_size = float("nan") if difference else 0.0
    if difference and max(np.ptp(x), np.ptp(y)) > noise:
        squares = sum(((values / unit - (values / unit).mean()) ** 2).sum() for values in (x, y))
        effect_size = difference / float((squares / (x.size + y.size - 2)) ** 0.5 * unit)
    return (x - null, y), difference, effect_size
