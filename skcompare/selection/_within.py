"""Which candidates are not worse than the best: the four rules of `simplest_within`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from skcompare._core.validation import FloatArray
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference import correlated_t_posterior, model_confidence_set, signed_rank_test
from skcompare.inference._base import ROUNDING
from skcompare.inference._measured_sizes import MEASURED_SIZES

# Whether each candidate is kept, what those are that are, and reasons to doubt it.
Kept = tuple[NDArray[np.bool_], str, tuple[CodedWarning, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """Candidates with their scores on one metric, greater is better.

    Attributes
    ----------
    names : tuple of str
        In words.
    values : ndarray of shape (n_candidates, n_splits)
        Scores, at least 2 of each.
    best : int
        Position of the one with the best mean.
    test_fraction : float
        Test size over train plus test size; the rules that allow for the overlap need it, for the others it may be nan.
    """

    names: tuple[str, ...]
    values: FloatArray
    best: int
    test_fraction: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Level, and largest loss that does not matter."""

    alpha: float
    rope: float


def _corrected_t(scored: Scored, settings: Settings) -> Kept:
    kept = np.ones(len(scored.names), dtype=bool)
    warnings: tuple[CodedWarning, ...] = ()
    if len(kept) > 1:
        found = model_confidence_set(scored.values.T, test_fraction=scored.test_fraction, names=scored.names)
        kept, warnings = ~(found.pvalues < settings.alpha), found.warnings
    what = f"not significantly different from the best at {settings.alpha:g}, all comparisons allowed for"
    return kept, what, warnings


def _one_se(scored: Scored, settings: Settings) -> Kept:  # noqa: ARG001
    values, best = scored.values, scored.best
    means, error = values.mean(axis=1), float(values[best].std(ddof=1) / np.sqrt(values.shape[1]))
    kept = means >= means[best] - error - ROUNDING * np.abs(values).max()
    warning = Code.OVERLAP(
        "the standard error takes the splits for independent; they share training samples, so that it is too "
        "small, the more so the more repeats there are."
    )
    return kept, f"within one standard error, {error:.3g}, of the best", (warning,)


def _rope(scored: Scored, settings: Settings) -> Kept:
    best = scored.values[scored.best]
    posteriors = [
        correlated_t_posterior(one, best, test_fraction=scored.test_fraction, rope=settings.rope)
        for one in scored.values
    ]
    kept = np.array([posterior.left <= settings.alpha for posterior in posteriors])
    kept[scored.best] = True  # with rope 0 it is as probably worse than itself as better
    what = f"shown to lose at most {settings.rope:g} to the best (more with probability {settings.alpha:g} at most)"
    return kept, what, ()


def _signed_rank(scored: Scored, settings: Settings) -> Kept:
    best = scored.values[scored.best]
    tests = [signed_rank_test(best, one, alternative="greater") for one in scored.values]
    measured = [
        f"{low:.0%} to {high:.0%} ({design})"
        for design in ("10-fold", "10x10")
        for low, high in [MEASURED_SIZES["paired_t_test"][design]["accuracy"]]
    ]
    warning = Code.OVERLAP(
        f"the signed-rank test takes the splits for independent; they share training samples, so that it "
        f"drops good candidates too often. The paired t-test, which does the same, was measured to call equal models "
        f"different at 5% in {' and '.join(measured)} of cases."
    )
    kept = np.array([not test.pvalue < settings.alpha for test in tests])
    return kept, f"not worse than the best at {settings.alpha:g} by the signed-rank test", (warning,)


# The rules that allow for the overlap of the training sets, and have to know the test fraction.
KNOWING = frozenset({"corrected_t", "rope"})
WITHIN: dict[str, Callable[[Scored, Settings], Kept]] = {
    "corrected_t": _corrected_t,
    "one_se": _one_se,
    "rope": _rope,
    "signed_rank": _signed_rank,
}
