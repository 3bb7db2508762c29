"""Paired differences of score vectors, one score per metric, that the joint tests share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skcompare._core.validation import FloatArray
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference._base import paired_differences
from skcompare.inference.dominance.statements import check_cases, check_metric_names, per_metric_bool

TOO_FEW = Code.TOO_FEW("a test needs a sample of at least 2 values.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreVectors:
    """Scores of two models on n cases and m metrics, larger better, and their differences ``a - b``.

    Differences that are rounding only are 0, and those that vary by rounding only are one value, whose `stds` is 0.
    """

    a: FloatArray
    b: FloatArray
    differences: FloatArray
    means: FloatArray
    stds: FloatArray
    metrics: tuple[str, ...]

    @property
    def n(self) -> int:
        """Number of cases."""
        return len(self.differences)

    @property
    def equal(self) -> NDArray[np.bool_]:
        """The metrics on which all differences are 0."""
        return np.asarray(~self.differences.any(axis=0))

    @property
    def constant(self) -> NDArray[np.bool_]:
        """The metrics on which all differences are one value that is not 0."""
        return np.asarray((self.stds == 0) & ~self.equal)

    def names(self, chosen: NDArray[np.bool_]) -> str:
        """The names of the chosen metrics, in print."""
        return ", ".join(self._chosen(chosen))

    def _chosen(self, chosen: NDArray[np.bool_]) -> list[str]:
        return [name for name, choose in zip(self.metrics, chosen, strict=True) if choose]

    def no_difference(self, equal: NDArray[np.bool_]) -> Iterator[CodedWarning]:
        """The warning that names the metrics on which the models are equal, if there are any."""
        if equal.any():
            yield Code.NO_DIFFERENCE(f"the differences on {self.names(equal)} are all 0.", self._chosen(equal))

    def zero_variance(self) -> Iterator[CodedWarning]:
        """The warning that names the metrics whose differences do not vary, if there are any."""
        if self.constant.any():
            yield Code.ZERO_VARIANCE(
                f"the differences on {self.names(self.constant)} do not vary, so nothing tells how sure they are.",
                about=self._chosen(self.constant),
            )


def score_vectors(
    a: ArrayLike, b: ArrayLike, greater_is_better: bool | Sequence[bool], metrics: Sequence[str] | None
) -> ScoreVectors:
    """Scores of shape (n_cases, n_metrics) or (n_cases,), checked and turned so that larger is better."""
    a, b = check_cases(a, b)
    m = a.shape[1]
    sign = np.where(per_metric_bool(greater_is_better, m), 1.0, -1.0)
    a, b = sign * a, sign * b
    columns, means, stds = np.empty_like(a), np.empty(m), np.empty(m)
    for j in range(m):
        d = paired_differences(a[:, j], b[:, j])
        columns[:, j] = np.where(np.abs(d.values) <= d.noise, 0.0, d.values)
        # where all that is left is 0, the mean and the deviation were rounding too
        means[j], stds[j] = (d.mean, d.std) if columns[:, j].any() else (0.0, d.std * 0.0)
    return ScoreVectors(a=a, b=b, differences=columns, means=means, stds=stds, metrics=check_metric_names(metrics, m))
