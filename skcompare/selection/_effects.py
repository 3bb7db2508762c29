"""Which parameter of a search mattered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._record import Record
from skcompare._validation import FloatArray
from skcompare.inference._base import ROUNDING
from skcompare.inference._multiplicity import adjust_pvalues
from skcompare.inference.fold_scores.model_confidence_set import model_confidence_set
from skcompare.selection._candidate_names import value_label

# More different numbers than this are put into so many groups.
MAX_NUMBERS, N_GROUPS = 8, 4
# Total variation between the values of another parameter in one group and in all, from which on it is a doubt.
UNBALANCED = 0.1
MAX_NAMED = 3

Groups = tuple[tuple[str, ...], NDArray[np.intp]]


@dataclass(frozen=True, eq=False, slots=True, kw_only=True, repr=False)
class ParameterEffect(Record):
    """What one parameter of a search does to the score, averaged over the others.

    Candidates with one value are a group, and each group has one mean score per split. Whether these series differ is
    tested like candidates: the p-value is that of the largest corrected t statistic of two groups, for so many groups
    (`model_confidence_set`), and is adjusted by Holm over the parameters.

    The share is the main effect in an analysis of variance of the candidates' mean scores: the part of their variance
    that lies between the groups. Functional ANOVA (Hutter, Hoos and Leyton-Brown 2014, An efficient approach for
    assessing hyperparameter importance, ICML, PMLR 32(1), 754-762) takes the same ratio over the whole space of
    parameters, from a forest fitted to the scores. Here only the candidates that were tried count: exact on a full
    grid, where the shares add up to at most 1 and what is left are interactions; elsewhere a group may owe its mean to
    other parameters, which a doubt says.

    Attributes
    ----------
    parameter : str
        Its name.
    values : tuple of str
        Its values in words: numbers first, rising, then others as they came. More than 8 different numbers are put
        into up to 4 groups of about equal size, "from to".
    n_candidates : tuple of int
        Candidates with each value.
    means : ndarray of shape (n_values,)
        Mean score of the candidates with each value, in score units.
    best : str
        The value with the best mean.
    difference : float
        Best mean less worst, in score units, at least 0.
    share : float
        Share of the variance of the candidates' mean scores that lies between the values, in [0, 1]. Of a parameter
        that only some candidates have the groups are among these, and the variance is that of all.
    pvalue : float
        Of the hypothesis that no value is better than another, in [0, 1].
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
    params: Sequence[Mapping[str, Any]],
    labels: Mapping[str, Sequence[str | None]],
    scores: FloatArray,
    test_fraction: float,
) -> tuple[ParameterEffect, ...]:
    """Effects of the parameters that vary, the largest share first.

    Parameters
    ----------
    params : sequence of mapping
        Parameters of the candidates.
    labels : mapping of str to sequence of str or None
        Of every parameter the candidates' values in words, None where a candidate lacks it.
    scores : ndarray of shape (n_candidates, n_splits)
        Without missing values, greater is better.
    test_fraction : float
        Of the splits.
    """
    groups = {name: _groups([of_one.get(name) for of_one in params], column) for name, column in labels.items()}
    groups = {name: found for name, found in groups.items() if len(found[0]) > 1}
    rows = [_row(name, groups, scores, test_fraction) for name in groups]
    if not rows:
        return ()
    adjusted = adjust_pvalues([row["pvalue"] for row in rows], "holm")
    effects = [ParameterEffect(**row, pvalue_adjusted=float(p)) for row, p in zip(rows, adjusted, strict=True)]
    return tuple(sorted(effects, key=lambda effect: -effect.share))


def _row(name: str, groups: Mapping[str, Groups], scores: FloatArray, test_fraction: float) -> dict[str, Any]:
    values, codes = groups[name]
    there = codes >= 0
    sizes = np.bincount(codes[there], minlength=len(values))
    by_value = _group_means(scores[there], codes[there], sizes)
    means = by_value.mean(axis=1)
    return {
        "parameter": name,
        "values": values,
        "n_candidates": tuple(map(int, sizes)),
        "means": means,
        "best": values[int(means.argmax())],
        "difference": float(np.ptp(means)),
        "share": _share(scores.mean(axis=1), there, means, sizes),
        "pvalue": float(model_confidence_set(by_value.T, test_fraction=test_fraction).pvalues.min()),
        "warnings": (*_partial(name, there), *_unbalanced(name, groups)),
    }


def _group_means(scores: FloatArray, codes: NDArray[np.intp], sizes: NDArray[np.intp]) -> FloatArray:
    """Mean scores of the groups, shape (n_groups, n_splits)."""
    member = np.arange(len(sizes))[:, None] == codes
    means: FloatArray = member.astype(np.float64) @ scores / sizes[:, None]
    return means


def _share(candidates: FloatArray, there: NDArray[np.bool_], means: FloatArray, sizes: NDArray[np.intp]) -> float:
    """Sum of squares between the groups over that between all candidates."""
    total = float(((candidates - candidates.mean()) ** 2).sum())
    noise = ROUNDING * float(np.abs(candidates).max())
    if total <= len(candidates) * noise**2:
        return 0.0
    return min(1.0, float((sizes * (means - candidates[there].mean()) ** 2).sum()) / total)


# ---- groups ---------------------------------------------------------------------------------------------------


def _groups(values: Sequence[Any], labels: Sequence[str | None]) -> Groups:
    """The values, or ranges of them, in order, and the place of each candidate's among these; -1 where it has none."""
    found = {label: value for value, label in zip(values, labels, strict=True) if label is not None}
    numbers = {label: float(value) for label, value in found.items() if _is_number(value)}
    rising = sorted(numbers, key=numbers.__getitem__)
    named = {label: label for label in rising}
    if len(rising) > MAX_NUMBERS:
        at = np.array([numbers[label] for label in labels if label in numbers])
        named = _ranges({label: numbers[label] for label in rising}, at, found)
    named |= {label: label for label in found if label not in numbers}
    place = {label: i for i, label in enumerate(dict.fromkeys(named.values()))}
    return tuple(place), np.array([-1 if label is None else place[named[label]] for label in labels])


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, (bool, np.bool_)) and isfinite(value)


def _ranges(numbers: Mapping[str, float], at: FloatArray, found: Mapping[str, Any]) -> dict[str, str]:
    """The numbers, rising, by the range of values that each is put into."""
    edges = np.quantile(at, np.arange(1, N_GROUPS) / N_GROUPS, method="inverted_cdf")
    places = np.searchsorted(edges, list(numbers.values()), side="left")
    ranges: dict[str, str] = {}
    for place in np.unique(places):
        members = [label for label, where in zip(numbers, places, strict=True) if where == place]
        first, last = (value_label(_short(found[members[i]])) for i in (0, -1))
        shown = first if len(members) == 1 else f"{first} to {last}"
        if shown in ranges.values():
            shown = f"{members[0]} to {members[-1]}"
        ranges |= dict.fromkeys(members, shown)
    return ranges


def _short(value: Any) -> Any:
    """A number to print as the end of a range."""
    return float(f"{float(value):.3g}") if not isinstance(value, (int, np.integer)) else int(value)


# ---- doubts ---------------------------------------------------------------------------------------------------


def _partial(name: str, there: NDArray[np.bool_]) -> list[str]:
    if there.all():
        return []
    return [f"PARTIAL: {int(there.sum())} of {len(there)} candidates have {name}; it is judged among these."]


def _unbalanced(name: str, groups: Mapping[str, Groups]) -> list[str]:
    """The parameters whose values are not spread alike over the groups of this one."""
    codes = groups[name][1]
    others = [other for other in groups if other != name and _distance(codes, groups[other][1]) > UNBALANCED]
    if not others:
        return []
    more = f" and {len(others) - MAX_NAMED} more" if len(others) > MAX_NAMED else ""
    return [
        f"UNBALANCED: candidates with different {name} also differ in {', '.join(others[:MAX_NAMED])}{more}, and its "
        f"effect may be theirs."
    ]


def _distance(codes: NDArray[np.intp], other: NDArray[np.intp]) -> float:
    """Largest total variation distance between the other parameter's values in one group and in all.

    Among the candidates that have both: a parameter that only one group has is no rival.
    """
    both = (codes >= 0) & (other >= 0)
    if not both.any():
        return 0.0
    counts = np.zeros((codes.max() + 1, other.max() + 1))
    np.add.at(counts, (codes[both], other[both]), 1)
    counts = counts[counts.any(axis=1)]
    in_all = counts.sum(axis=0) / counts.sum()
    in_group = counts / counts.sum(axis=1, keepdims=True)
    return float(np.abs(in_group - in_all).sum(axis=1).max() / 2)
