"""Which of many models are not told apart from the best: a confidence set from pairwise corrected t tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from skcompare._frames import import_pandas
from skcompare._record import Record
from skcompare._validation import FloatArray, check_number, check_scores
from skcompare.inference._base import ROUNDING
from skcompare.inference._studentized_range import studentized_range_pvalue

# Variances of differences below this part of those of the scores are computed again, from the differences.
_CANCELLED = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ModelConfidenceSet(Record):
    """Which models may be the best.

    Attributes
    ----------
    names : tuple of str
        The models, in the order of the columns.
    means : ndarray of shape (n_models,)
        Mean scores, in score units.
    pvalues : ndarray of shape (n_models,)
        In [0, 1]: of the hypothesis that a model is one of the best, adjusted for all comparisons of the models; 1 for
        the one with the best mean.
    statistics : ndarray of shape (n_models,)
        The largest corrected t statistic of another model over this one; negative for a model that leads all others.
    best : str
        The model with the best mean; the first of several.
    n : int
        Number of splits.
    method : str
        The procedure.
    warnings : tuple of str
        Reasons to doubt the result, each a code, a colon and a sentence.
    """

    names: tuple[str, ...]
    means: FloatArray
    pvalues: FloatArray
    statistics: FloatArray
    best: str
    n: int
    method: str
    warnings: tuple[str, ...] = ()

    def members(self, alpha: float = 0.05) -> tuple[str, ...]:
        """The models that are not told apart from the best; all best ones are among them with probability 1 - alpha."""
        alpha = check_number(alpha, "alpha", low=0, high=1, closed="neither")
        return tuple(name for name, p in zip(self.names, self.pvalues, strict=True) if not p < alpha)

    def to_frame(self) -> Any:
        """One row per model as a pandas DataFrame; needs pandas."""
        columns = {"mean": self.means, "statistic": self.statistics, "pvalue": self.pvalues}
        return import_pandas().DataFrame(columns, index=list(self.names))


def model_confidence_set(
    scores: ArrayLike,
    *,
    test_fraction: float,
    greater_is_better: bool = True,
    names: Sequence[str] | None = None,
) -> ModelConfidenceSet:
    """Placeholder: to be documented."""
    fraction = check_number(test_fraction, "test_fraction", low=0, high=1, closed="left")
    values = check_scores(scores, "scores", ndim=(2,))
    n, k = values.shape
    labels = tuple(map(str, range(k))) if names is None else tuple(names)
    means = values.mean(axis=0)
    oriented = values if greater_is_better else -values
    t = _t_statistics(oriented, fraction)
    return ModelConfidenceSet(
        names=labels,
        means=means,
        pvalues=_pvalues(t, n),
        statistics=np.where(np.eye(k, dtype=bool), -np.inf, t).max(axis=1),
        best=labels[int(oriented.mean(axis=0).argmax())],
        n=n,
        method=f"model confidence set of corrected t tests (test fraction {fraction:.3g})",
    )


def _t_statistics(scores: FloatArray, fraction: float) -> FloatArray:
    """Corrected t statistics of every model (column) over every other (row): positive where the column is better."""
    n, k = scores.shape
    means = scores.mean(axis=0)
    centred = scores - means
    covariance = centred.T @ centred / (n - 1)
    variances = np.diag(covariance)
    total = variances + variances[:, None]
    spread = total - 2 * covariance
    for i, j in np.argwhere(np.triu(spread < _CANCELLED * total, 1)):
        spread[i, j] = spread[j, i] = (scores[:, i] - scores[:, j]).var(ddof=1)
    differences = means - means[:, None]
    noise = ROUNDING * np.abs(scores).max()
    error = np.sqrt(np.where(spread <= noise**2, 0, spread) * (1 / n + fraction / (1 - fraction)))
    differences[np.abs(differences) <= noise] = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(differences == 0, 0.0, differences / error)


def _pvalues(t: FloatArray, n: int) -> FloatArray:
    """Adjusted p-values: the worst model leaves while the models that are left are told apart."""
    k = len(t)
    left = np.ones(k, dtype=bool)
    order, largest = [], []
    t = np.where(np.eye(k, dtype=bool), -np.inf, t)
    for _ in range(k - 1):
        over = np.where(left, t.max(axis=1), -np.inf)
        worst = int(over.argmax())
        order.append(worst)
        largest.append(over[worst])
        left[worst] = False
        t[:, worst] = -np.inf
    z = -special.ndtri(special.stdtr(n - 1, -np.array(largest)))
    steps = [studentized_range_pvalue(np.array([statistic * 2**0.5]), k - i)[0] for i, statistic in enumerate(z)]
    pvalues = np.ones(k)
    pvalues[order] = np.maximum.accumulate(steps)
    return pvalues
