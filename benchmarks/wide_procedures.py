"""The procedures of `benchmarks.wide_study`: how many data sets each rejects at 5%, 1% and 10%."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import numpy as np

from benchmarks.calibration_procedures import FOLDS, FRACTIONS, correction, five_by_two, t_pvalues
from benchmarks.fast_learners import Array
from skcompare.inference import (
    almost_stochastic_order,
    alpha_spending,
    correlated_t_posterior,
    equivalence_test,
    model_confidence_set,
)
from skcompare.inference.fold_scores.t_tests import OVERLAP

LEVELS = (0.05, 0.01, 0.10)
DEFAULT = {design: "k_fold_t_test" if design in ("10-fold", "5-fold") else "corrected_t_test" for design in FRACTIONS}
RESAMPLES = 1000
FOR_ORDER = 20  # data sets whose stochastic order is judged
WIDE = 4.0  # margin of the equivalence test in standard deviations of the mean difference
Counts = tuple[int, ...]


def counted(p: Array) -> Counts:
    """Data sets, and those rejected at each of `LEVELS`."""
    return (len(p), *(int((p < level).sum()) for level in LEVELS))


def pvalues(d: Array, design: str) -> dict[str, Array]:
    """Of the tests of a mean difference, from differences (n_datasets, n_splits)."""
    n, fraction = d.shape[1], FRACTIONS[design]
    found = {"corrected_t_test": t_pvalues(d, correction(n, fraction), n - 1)}
    if FOLDS.get(design, (0, 0))[0] == 1:
        found["k_fold_t_test"] = t_pvalues(d, correction(n, fraction, OVERLAP), n - 1)
    if design == "5x2":
        found["five_by_two_f_test"] = five_by_two(d)["five_by_two_f_test"]
    return found


# ---- what is claimed of two equal models ----------------------------------------------------------------------


def equivalence(d: Array, fraction: float) -> Counts:
    """How often models whose true difference is the margin are called equivalent.

    The margin is `WIDE`, the worst case: with a smaller one the other side is not always rejected.
    """
    margin = WIDE * float(d.mean(axis=1).std(ddof=1))
    if margin < 1e-9:
        return ()
    return counted(
        np.array([equivalence_test(one + margin, 0 * one, margin=margin, test_fraction=fraction).pvalue for one in d])
    )


def posterior(d: Array, fraction: float) -> Counts:
    """How often a probability over 95% (99%, 90%) is given to either direction."""
    found = [correlated_t_posterior(one, 0 * one, test_fraction=fraction) for one in d]
    return counted(np.array([1 - max(one.left, one.right) for one in found]))


def stopping(d: Array) -> Counts:
    """How often a difference is found at any of the looks after each of ten repeats."""
    by_look = [t_pvalues(d[:, :n], correction(n, 1 / 10), n - 1) for n in range(10, 101, 10)]
    found = []
    for level in LEVELS:
        levels = alpha_spending(10, 10, alpha=level).levels
        found.append(int(np.any([p < own for p, own in zip(by_look, levels, strict=True)], axis=0).sum()))
    return (len(d), *found)


def order(scores: Array) -> Counts:
    """How often either order is claimed, from scores (n_datasets, n_splits, 2); there is one level."""
    claims = [
        almost_stochastic_order(a, b, n_resamples=RESAMPLES, rng=i).verdict != "undecided"
        for i, (a, b) in enumerate(np.moveaxis(scores[:FOR_ORDER], 2, 1))
    ]
    return len(claims), sum(claims), -1, -1


def companions(scores: Array, design: str, *, with_order: bool) -> Iterator[tuple[str, Counts]]:
    """Procedures beside the default, from scores (n_datasets, n_splits, 2)."""
    d, fraction = scores[:, :, 0] - scores[:, :, 1], FRACTIONS[design]
    tests: dict[str, Callable[[], Counts]] = {
        "equivalence_test": lambda: equivalence(d, fraction),
        "correlated_t_posterior": lambda: posterior(d, fraction),
    }
    if design == "10x10":
        tests["StopRule"] = lambda: stopping(d)
    if with_order:
        tests["almost_stochastic_order"] = lambda: order(scores)
    yield from ((name, found) for name, test in tests.items() if (found := test()))


# ---- many equal models ----------------------------------------------------------------------------------------


def confidence_set(scores: Array, fraction: float) -> Counts:
    """How often any of equal models is left out, from scores (n_datasets, n_splits, n_models)."""
    return counted(np.array([model_confidence_set(one, test_fraction=fraction).pvalues.min() for one in scores]))


def family_wise(scores: Array, design: str) -> Counts:
    """How often `compare` finds any difference by Holm's adjustment over all pairs and metrics.

    From scores (n_datasets, n_splits, n_models, n_metrics).
    """
    n_models, n_metrics = scores.shape[2:]
    p = [
        pvalues(scores[:, :, a, m] - scores[:, :, b, m], design)[DEFAULT[design]]
        for a, b in itertools.combinations(range(n_models), 2)
        for m in range(n_metrics)
    ]
    return counted(np.min(p, axis=0) * len(p))


def of_many(scores: Array, design: str, metrics: tuple[str, ...]) -> Iterator[tuple[str, str, Counts]]:
    """Procedure, metric and counts of 3 and 5 equal models, on the first metric and on three."""
    three = (0, 1, 2) if len(metrics) == 3 else (0, 3, 4)
    for n_models in (3, 5):
        own = scores[:, :, :n_models]
        yield f"model_confidence_set, {n_models} models", metrics[0], confidence_set(own[..., 0], FRACTIONS[design])
        for chosen in ((0,), three):
            label = "+".join(metrics[m] for m in chosen)
            yield f"compare, {n_models} models", label, family_wise(own[..., list(chosen)], design)
