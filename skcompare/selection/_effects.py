"""Which parameter of a search mattered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from skcompare._record import Record
from skcompare._validation import FloatArray
from skcompare.inference._multiplicity import adjust_pvalues
from skcompare.inference.fold_scores.model_confidence_set import model_confidence_set


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ParameterEffect(Record):
    """What one parameter of a search does to the score, averaged over the others.

    Attributes
    ----------
    parameter : str
        Its name.
    values : tuple of str
        Its values, or ranges of values, in order.
    n_candidates : tuple of int
        Candidates with each value.
    means : ndarray of shape (n_values,)
        Mean score of the candidates with each value, in score units.
    best : str
        The value with the best mean.
    difference : float
        Best mean less worst, in score units, at least 0.
    share : float
        Share of the variance of the candidates' mean scores that lies between the values, in [0, 1].
    pvalue : float
        Of the hypothesis that no value is better than another.
    pvalue_adjusted : float
        Adjusted over the parameters.
    warnings : tuple of str
        Reasons to doubt the row, each a code, a colon and a sentence.
    """

    parameter: str
    values: tuple[str, ...]
    n_candidates: tuple[int, ...]
    means: FloatArray
    best: str
    difference: float
    share: float
    pvalue: float
    pvalue_adjusted: float
    warnings: tuple[str, ...] = ()


def parameter_effects(
    params: Sequence[Mapping[str, Any]], scores: FloatArray, test_fraction: float
) -> tuple[ParameterEffect, ...]:
    """Effects of the parameters that vary, on scores of shape (n_candidates, n_splits), greater is better."""
    rows: list[dict[str, Any]] = []
    for name in dict.fromkeys(name for of_one in params for name in of_one):
        labels = [repr(of_one[name]) for of_one in params]
        values = tuple(dict.fromkeys(labels))
        if len(values) < 2:
            continue
        groups = [np.array([label == value for label in labels]) for value in values]
        by_value = np.stack([scores[group].mean(axis=0) for group in groups], axis=1)
        means = by_value.mean(axis=0)
        sizes = np.array([group.sum() for group in groups])
        total = scores.mean(axis=1).var()
        between = float((sizes * (means - scores.mean()) ** 2).sum() / len(params))
        rows.append(
            {
                "parameter": name,
                "values": values,
                "n_candidates": tuple(int(size) for size in sizes),
                "means": means,
                "best": values[int(means.argmax())],
                "difference": float(np.ptp(means)),
                "share": between / total if total else 0.0,
                "pvalue": float(model_confidence_set(by_value, test_fraction=test_fraction).pvalues.min()),
            }
        )
    if not rows:
        return ()
    adjusted = adjust_pvalues([row["pvalue"] for row in rows], "holm")
    return tuple(ParameterEffect(**row, pvalue_adjusted=float(p)) for row, p in zip(rows, adjusted, strict=True))
