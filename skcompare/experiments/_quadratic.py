"""The terms of a quadratic in coded factors."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement

import numpy as np

from skcompare._core.validation import FloatArray
from skcompare._core.words import counted

# Columns of length 1 that stick out by less than this are combinations of others.
FLAT = 1e-8


def quadratic(coded: FloatArray) -> FloatArray:
    """The terms of the model, shape (n_settings, n_terms)."""
    products = [coded[:, i] * coded[:, j] for i, j in pairs(coded.shape[1])]
    return np.column_stack([np.ones(len(coded)), coded, *products])


def names_of_terms(factors: Sequence[str]) -> tuple[str, ...]:
    """As in a formula."""
    second = [f"{factors[i]}^2" if i == j else f"{factors[i]}:{factors[j]}" for i, j in pairs(len(factors))]
    return ("1", *factors, *second)


def pairs(k: int) -> list[tuple[int, int]]:
    """Squares first, then products."""
    every = list(combinations_with_replacement(range(k), 2))
    return [(i, i) for i in range(k)] + [(i, j) for i, j in every if i != j]


def second_order(b: FloatArray, k: int) -> FloatArray:
    """The symmetric matrix of the second-order coefficients."""
    found = np.zeros((k, k))
    for (i, j), value in zip(pairs(k), b[1 + k :], strict=True):
        found[i, j] += value / 2
        found[j, i] += value / 2
    return found


def left_over(design: FloatArray) -> FloatArray:
    """Orthonormal contrasts of the settings that a model leaves out, one per row."""
    u, s, _ = np.linalg.svd(design, full_matrices=True)
    return u[:, len(s) :].T


def determines(terms: FloatArray) -> bool:
    """Whether settings determine all terms of a quadratic; coded values are rounded."""
    sizes = np.linalg.svd(terms, compute_uv=False)
    return len(terms) >= terms.shape[1] and bool(sizes[-1] > FLAT * sizes[0])


def check_enough(design: FloatArray, coded: FloatArray, factors: Sequence[str]) -> None:
    """ValueError where the settings do not determine all terms."""
    if not determines(design):
        few = next((name for name, own in zip(factors, coded.T, strict=True) if len(np.unique(own)) < 3), None)
        lacking = "" if few is None else f", of which {few!r} has fewer"
        raise ValueError(
            f"a quadratic in {counted(len(factors), 'factor')} needs {design.shape[1]} settings that determine its "
            f"terms, three values of each factor among them; got {len(np.unique(coded, axis=0))} different settings"
            f"{lacking}: central_composite makes enough, if all of them have scores"
        )
