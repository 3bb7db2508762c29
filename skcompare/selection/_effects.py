"""Which parameter of a search mattered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from math import isfinite
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats.contingency import crosstab

from skcompare._core.numbers import agreeing, listed
from skcompare._core.record import Record
from skcompare._core.validation import FloatArray
from skcompare._core.warnings import Code, CodedWarning, Warnings
from skcompare.comparison.table import adjusted, all_unvarying
from skcompare.evaluation.labels import value_label
from skcompare.inference._records import ROUNDING, Correction, check_splits
from skcompare.inference._sentences import Omnibus, as_share
from skcompare.inference.fold_scores.best_set import confidence_set

# What the values of one parameter add to the score, where candidates may differ in other parameters too.


Codes = NDArray[np.intp]

N_DEALS = 999
# Dealing is random, its seed is fixed: the same search gives the same p-value.
SEED = 0
# Directions of a design that are shorter than this part of the longest are none.
FLAT = 1e-9


def is_balanced(codes: Codes, others: Sequence[Codes]) -> bool:
    """Whether the values were tried in one proportion with every setting of the other parameters."""
    if not others:
        return True
    settings = np.unique(np.stack(others, axis=1), axis=0, return_inverse=True)[1].ravel()
    if len(codes) < (settings.max() + 1) * (codes.max() + 1):  # not every value with every setting
        return False
    counts = crosstab(settings, codes).count
    return bool((counts * len(codes) == np.outer(counts.sum(axis=1), counts.sum(axis=0))).all())


def indicators(codes: Codes) -> FloatArray:
    """A column per value, 1 for the candidates that have it; without any value (-1) a row of zeros."""
    return np.asarray(codes[:, None] == np.arange(codes.max() + 1), dtype=np.float64)


def nuisance(scores: FloatArray, others: Sequence[Codes]) -> FloatArray:
    """Orthonormal columns of the general mean and the values of other parameters, those that matter most first.

    Of a parameter that some candidates lack only the differences among the others count. Parameters that would take
    more than half of the candidates' degrees of freedom are left out, or nothing would be left to judge by.
    """
    n, centred = len(scores), scores - scores.mean()
    centred = centred / (np.abs(centred).max() or 1.0)
    columns, n_columns = [np.ones((n, 1))], 1
    blocks = []
    for codes in others:  # indicators less their means over the candidates that have any
        block, there = indicators(codes), codes >= 0
        block[there] -= block[there].mean(axis=0)
        blocks.append(block)
    for block in sorted(blocks, key=lambda block: -float(((_orthonormal(block).T @ centred) ** 2).sum())):
        if n_columns + block.shape[1] - 1 <= max(2, n // 2):
            columns.append(block)
            n_columns += block.shape[1] - 1
    return _orthonormal(np.hstack(columns))


def adjusted_means(scores: FloatArray, codes: Codes, basis: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Means of the values per split, adjusted for the nuisance, and the sums of squares that they explain.

    What cannot be told from the nuisance counts for that. The explained sum of squares is of type II.
    """
    member = indicators(codes)
    apart = member - basis @ (basis.T @ member)
    apart[np.abs(apart) < FLAT] = 0.0
    unit = np.abs(scores).max() or 1.0
    left = apart.T @ (scores / unit)
    effects = np.linalg.pinv(apart.T @ apart, rcond=FLAT, hermitian=True) @ left
    effects[np.abs(effects) < ROUNDING] = 0.0
    centre = scores.mean(axis=0) - member.mean(axis=0) @ effects * unit
    return centre + effects * unit, np.maximum((effects * left).sum(axis=0), 0.0) * unit * unit


def deals(n: int) -> Codes:
    """Orders of so many candidates: that in which they are, then those in which values are dealt out to them."""
    orders = np.tile(np.arange(n), (1 + N_DEALS, 1))
    np.random.default_rng(SEED).permuted(orders[1:], axis=1, out=orders[1:])
    return orders


def dealt_pvalue(scores: FloatArray, codes: Codes, basis: FloatArray, orders: Codes) -> float:
    """P-value of a permutation test: how often values dealt out at random explain as much of the scores.

    The distance is the sum of squares between the values of what an additive model of the other parameters leaves of
    the candidates' scores. Exact, whatever the others do, where the values were drawn independently of them.
    """
    unit = np.abs(scores).max() or 1.0
    left = scores / unit - basis @ (basis.T @ (scores / unit))
    if np.abs(left).max() < ROUNDING:
        return 1.0
    left /= np.abs(left).max()
    member = indicators(codes)
    distances = ((left[orders] @ member) ** 2 / member.sum(axis=0)).sum(axis=1)
    return float((distances >= distances[0] - FLAT * float(left @ left)).mean())


def _orthonormal(columns: FloatArray) -> FloatArray:
    """Orthonormal columns that span the same."""
    left, sizes, _ = np.linalg.svd(columns, full_matrices=False)
    return np.asarray(left[:, sizes > FLAT * sizes.max(initial=0.0)])


# More different numbers than this are put into so many groups.
MAX_NUMBERS, N_GROUPS = 8, 4
# Total variation between the values of another parameter in one group and in all, from which on there is a warning.
UNBALANCED = 0.1

NOT_SET = "(not set)"


class Factor(NamedTuple):
    """The values of a parameter, or ranges of them, and which of them each candidate has; -1 for none.

    `exact` is the same without ranges.
    """

    values: tuple[str, ...]
    codes: Codes
    exact: Codes

    def among(self, there: NDArray[np.bool_]) -> Factor:
        """The same for some of the candidates."""
        return Factor(self.values, self.codes[there], self.exact[there])


class ParameterEffect(Record, eq=False):
    """What one parameter of a search does to the score, averaged over the others.

    The same of designed settings, with the interactions of parameters and one error budget for all, is asked of
    `skcompare.experiments.ExperimentReport.effects`; there an effect is one F test of a least-squares model.

    Candidates with one value are a group, and each group has one mean score per split. Whether these series differ is
    tested like candidates: the p-value is that of the largest corrected t statistic of two groups, for so many groups
    (`model_confidence_set`), and is adjusted by Holm over the parameters.

    Where the values were not tried in one proportion with every setting of the other parameters, as in a random
    search, groups differ by what else was drawn. There the means are those of an additive model with the values of the
    others, and the p-value is the larger of two: of these means as above, and of dealing the values out at random over
    the candidates (999 deals, statistic: the sum of squares between the values after the others; so at least 0.001).

    The share is the main effect in an analysis of variance of the candidates' mean scores: the part of their variance
    that lies between the groups, elsewhere than on a full grid after the other parameters (sum of squares of type II).
    Functional ANOVA (Hutter, Hoos and Leyton-Brown 2014, An efficient approach for assessing hyperparameter importance,
    ICML, PMLR 32(1), 754-762) takes the same ratio over the whole space of parameters, from a forest fitted to the
    scores. Here only the candidates that were tried count: exact on a full grid, where the shares add up to at most 1
    and what is left are interactions.

    Attributes
    ----------
    parameter : str
        Its name.
    values : tuple of str
        Its values in words: numbers first, rising, then others as they came. More than 8 different numbers are put
        into up to 4 groups of about equal size, "from to". Candidates without the parameter have the value
        "(not set)" where no other parameter decides whether they have it.
    n_candidates : tuple of int
        Candidates with each value.
    means : ndarray of shape (n_values,)
        Mean score of the candidates with each value, in score units, adjusted for the others where that is needed.
    best, worst : str
        The values with the best and the worst mean, the first of several; "none better" and "none worse" where all
        means are equal.
    difference : float
        Best mean less worst, in score units, at least 0.
    share : float
        Share of the variance of the candidates' mean scores that lies between the values, in [0, 1]. Of a parameter
        that another one decides about the groups are among the candidates that have it, the variance is that of all.
    pvalue : float
        Of the hypothesis that no value is better than another, in [0, 1]; nan where the values differ by the same on
        all splits, so that there is no test.
    pvalue_adjusted : float
        Adjusted over the parameters.
    fragile : bool
        Whether it is shown to matter at the report's level, but would not be if the splits, whose design was assumed,
        were random halves.
    warnings : tuple of str
        Reasons to doubt the row, each a code, a colon and a sentence.
    """

    parameter: str
    values: tuple[str, ...]
    n_candidates: tuple[int, ...]
    means: FloatArray
    best: str
    worst: str
    difference: float
    share: float
    pvalue: float
    pvalue_adjusted: float
    fragile: bool = False
    warnings: Warnings = ()
    _kind = Omnibus(
        "The values of {record.parameter}",
        shown={"adjusted p": "pvalue_adjusted", "best": "best", "worst": "worst", "difference": "difference"}
        | {"of the variance": ("share", as_share)},
    )


def parameter_effects(
    params: Sequence[Mapping[str, Any]],
    labels: Mapping[str, Sequence[str | None]],
    scores: FloatArray,
    correction: Correction,
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
    correction : Correction
        Of the splits.
    """
    found = {name: _factor([of_one.get(name) for of_one in params], column) for name, column in labels.items()}
    factors = {name: _with_default(name, found) for name in found}
    factors = {name: factor for name, factor in factors.items() if len(factor.values) > 1}
    known = lru_cache(maxsize=1)(deals)  # most parameters are judged among the same candidates
    rows = [_effect(name, factors, scores, correction, known) for name in factors]
    pvalues, _ = adjusted([row.pvalue for row in rows], "holm")
    effects = [replace(row, pvalue_adjusted=float(p)) for row, p in zip(rows, pvalues, strict=True)]
    return tuple(sorted(effects, key=lambda effect: -effect.share))


def with_fragile(
    effects: Sequence[ParameterEffect], as_halves: Sequence[ParameterEffect], alpha: float
) -> tuple[ParameterEffect, ...]:
    """Effects, of which those at a level are `fragile` that are not so `as_halves`, the same on random halves."""
    known, found = {effect.parameter: effect.pvalue_adjusted for effect in as_halves}, list[ParameterEffect]()
    for effect in effects:
        fragile, said = effect.pvalue_adjusted < alpha <= known[effect.parameter], f"the effect of {effect.parameter}"
        why = Code.FRAGILE(f"{said} would not stand if the splits were random halves. Give their design.")
        found.append(replace(effect, fragile=fragile, warnings=(*effect.warnings, *[why] * fragile)))
    return tuple(found)


def _effect(
    name: str, factors: Mapping[str, Factor], scores: FloatArray, correction: Correction, deals: Callable[[int], Codes]
) -> ParameterEffect:
    """The effect of one parameter, its p-value not adjusted yet."""
    there = factors[name].codes >= 0
    own = factors[name].among(there)
    others = {other: factor.among(there) for other, factor in factors.items() if other != name}
    by_value, explained, luck = _judged(scores[there], own, list(others.values()), deals)
    means = by_value.mean(axis=1)
    pvalue = max(float(confidence_set(check_splits(by_value.T, True, None), correction).pvalues.min()), luck)
    pvalue = np.nan if all_unvarying(by_value.T) else pvalue
    best, worst = own.values[int(means.argmax())], own.values[int(means.argmin())]
    if np.ptp(means) <= ROUNDING * np.abs(means).max():
        best, worst = "none better", "none worse"
    candidates = scores.mean(axis=1)
    total = float(((candidates - candidates.mean()) ** 2).sum())
    noise, left = ROUNDING * float(np.abs(candidates).max()), total - explained
    return ParameterEffect(
        parameter=name,
        values=own.values,
        n_candidates=tuple(map(int, np.bincount(own.codes, minlength=len(own.values)))),
        means=means,
        best=best,
        worst=worst,
        difference=float(np.ptp(means)),
        share=0.0 if total <= len(candidates) * noise**2 else 1.0 if left <= ROUNDING * total else explained / total,
        pvalue=pvalue,
        pvalue_adjusted=pvalue,
        warnings=tuple(_warnings(name, there, own, others)),
    )


def _judged(
    scores: FloatArray, own: Factor, others: Sequence[Factor], deals: Callable[[int], Codes]
) -> tuple[FloatArray, float, float]:
    """Means of the values on the splits, the sum of squares they explain, and the p-value of the draw of candidates."""
    candidates = scores.mean(axis=1)
    rivals = [other for other in others if not _decides(own.codes, other.codes)]
    if is_balanced(own.codes, [other.exact for other in rivals]):
        member = indicators(own.codes)
        by_value = np.asarray(member.T @ scores / member.sum(axis=0)[:, None])
        apart = by_value.mean(axis=1) - candidates.mean()
        return by_value, float((np.bincount(own.codes) * apart**2).sum()), 0.0
    basis = nuisance(candidates, [other.codes for other in others if np.ptp(other.codes) > 0])
    by_value, _ = adjusted_means(scores, own.codes, basis)
    explained = adjusted_means(candidates[:, None], own.codes, basis)[1].item()
    return by_value, explained, dealt_pvalue(candidates, own.codes, basis, deals(len(candidates)))


def _decides(codes: Codes, other: Codes) -> bool:
    """Whether the value of one parameter decides which candidates have the other one."""
    there = other >= 0
    return not there.all() and not set(codes[there]) & set(codes[~there])


# ---- groups ---------------------------------------------------------------------------------------------------


def _factor(values: Sequence[Any], labels: Sequence[str | None]) -> Factor:
    """The values, or ranges of them, in order, and the place of each candidate's among these."""
    found = {label: value for value, label in zip(values, labels, strict=True) if label is not None}
    numbers = {label: float(value) for label, value in found.items() if is_number(value)}
    rising = sorted(numbers, key=numbers.__getitem__)
    named = {label: label for label in rising}
    if len(rising) > MAX_NUMBERS:
        at = np.array([numbers[label] for label in labels if label in numbers])
        named = _ranges({label: numbers[label] for label in rising}, at, found)
    named |= {label: label for label in found if label not in numbers}
    place = {label: i for i, label in enumerate(dict.fromkeys(named.values()))}
    exact = {label: i for i, label in enumerate(found)}
    codes = [[-1, -1] if label is None else [place[named[label]], exact[label]] for label in labels]
    return Factor(tuple(place), *np.array(codes).T)


def _with_default(name: str, factors: Mapping[str, Factor]) -> Factor:
    """The factor with its default as one more value, unless another parameter decides which candidates have it."""
    own = factors[name]
    there = own.codes >= 0
    deciding = (factor for other, factor in factors.items() if other != name and len(factor.values) > 1)
    if there.all() or any(_decides(factor.codes, own.codes) for factor in deciding):
        return own
    codes, exact = np.where(there, own.codes, len(own.values)), np.where(there, own.exact, own.exact.max() + 1)
    return Factor((*own.values, NOT_SET), codes, exact)


def is_number(value: Any) -> bool:
    """Whether a value is a finite number."""
    return isinstance(value, Real) and not isinstance(value, (bool, np.bool_)) and isfinite(value)


def _ranges(numbers: Mapping[str, float], at: FloatArray, found: Mapping[str, Any]) -> dict[str, str]:
    """The numbers, rising, by the range of values that each is put into."""
    edges = np.quantile(at, np.arange(1, N_GROUPS) / N_GROUPS, method="inverted_cdf")
    places = np.searchsorted(edges, list(numbers.values()), side="left")
    ranges: dict[str, str] = {}
    for place in np.unique(places):
        members = [label for label, where in zip(numbers, places, strict=True) if where == place]
        ends = (found[members[i]] for i in (0, -1))
        short = [int(x) if isinstance(x, (int, np.integer)) else float(f"{float(x):.3g}") for x in ends]
        first, last = map(value_label, short)
        shown = first if len(members) == 1 else f"{first} to {last}"
        if shown in ranges.values():
            shown = f"{members[0]} to {members[-1]}"
        ranges |= dict.fromkeys(members, shown)
    return ranges


# ---- warnings ---------------------------------------------------------------------------------------------------


def _warnings(name: str, there: NDArray[np.bool_], own: Factor, others: Mapping[str, Factor]) -> Iterator[CodedWarning]:
    """That some candidates lack the parameter, and that others are not spread alike over its groups."""
    if not there.all():
        n = int(there.sum())
        having = f"{n:,} of {len(there):,} candidates {agreeing(n, 'has', 'have')} {name}"
        yield Code.PARTIAL(f"{having}; it is judged among these.", (name,))
    if found := [other for other, factor in others.items() if _distance(own.codes, factor.codes) > UNBALANCED]:
        differing = f"candidates with different {name} also differ in {listed(found, 3)}"
        yield Code.UNBALANCED(f"{differing}, and an additive model separates their effects.", about=(name, *found))


def _distance(codes: Codes, other: Codes) -> float:
    """Largest total variation distance between the other parameter's values in one group and in all.

    Among the candidates that have both: a parameter that only one group has is no rival.
    """
    both = (codes >= 0) & (other >= 0)
    if not both.any():
        return 0.0
    counts = crosstab(codes[both], other[both]).count
    in_all = counts.sum(axis=0) / counts.sum()
    return float(np.abs(counts / counts.sum(axis=1, keepdims=True) - in_all).sum(axis=1).max() / 2)
