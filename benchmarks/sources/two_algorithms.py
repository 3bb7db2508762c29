"""Refaeilzadeh's lecture: tests of two algorithms on cross-validation."""

from __future__ import annotations

import numpy as np
from scipy import stats

from benchmarks.sources.row import Check, Document, Remark, Row
from skcompare.inference import calibrated_t_test, corrected_t_test, five_by_two_t_test, paired_t_test

# The lecture has no data. Differences in accuracy on 10 repeats of 10 folds, and on 5 repeats of 2.
HUNDRED = np.random.default_rng(42).normal(0.02, 0.05, (10, 10)).round(3)
FIVE_BY_TWO = np.array([[0.03, 0.01], [0.02, 0.04], [0, 0.02], [0.05, 0.01], [0.02, 0.02]])

FIRST_FOLD = Remark(
    "The lecture takes the mean difference from the first of the five replications. Dietterich (1998) takes its first "
    "fold alone, and so does skcompare.",
)
CALIBRATED = Remark(
    "The ten degrees of freedom stand in the scale of Bouckaert's statistic too: the mean difference over the standard "
    "deviation of all 100, times the square root of 11.",
)
RESAMPLED = Remark(
    "The lecture says that the test on 30 random splits should never be used. Allowing for the overlap of the training "
    "sets divides its t by 4: by the square root of (1/30 + 1/2) / (1/30).",
)


def five_by_two() -> float:
    variances = FIVE_BY_TWO.var(axis=1, ddof=1)
    return float(FIVE_BY_TWO[0, 0] / np.sqrt(variances.mean()))


def ratio_of_resampled() -> float:
    """On 30 splits with a third as test set."""
    d = HUNDRED[:3].ravel()
    plain, corrected = paired_t_test(d, 0 * d), corrected_t_test(d, 0 * d, test_fraction=1 / 3)
    return plain.statistic / corrected.statistic


ROWS = (
    Row(
        "Calibrated tests",
        "204-205",
        "degrees of freedom of 10 repeats of 10 folds",
        "calibrated_t_test",
        lambda: calibrated_t_test(HUNDRED, 0 * HUNDRED).df,
        "10",
    ),
    Row(
        "Calibrated tests",
        "204-205",
        "t and p-value on such differences",
        "calibrated_t_test",
        lambda: [getattr(calibrated_t_test(HUNDRED, 0 * HUNDRED), name) for name in ("statistic", "pvalue")],
        check=Check(
            "scipy's t",
            lambda: (
                t := HUNDRED.mean() * np.sqrt(11) / HUNDRED.std(ddof=1),
                2 * stats.t.sf(t, 10),
            ),
        ),
        remark=CALIBRATED,
    ),
    Row(
        "Cross validated t-test",
        "100-101",
        "n − 1 degrees of freedom of ten folds, t and p-value",
        "paired_t_test",
        lambda: [getattr(paired_t_test(HUNDRED[0], 0 * HUNDRED[0]), name) for name in ("df", "statistic", "pvalue")],
        check=Check("scipy's ttest_1samp", lambda: (9, *stats.ttest_1samp(HUNDRED[0], 0))),
    ),
    Row(
        "5x2 cross validated t-test",
        "169-172",
        "t and p-value on 5 repeats of 2 folds",
        "five_by_two_t_test",
        lambda: [getattr(five_by_two_t_test(FIVE_BY_TWO, 0 * FIVE_BY_TWO), name) for name in ("statistic", "pvalue")],
        check=Check("scipy's t", lambda: (five_by_two(), 2 * stats.t.sf(five_by_two(), 5))),
        remark=FIRST_FOLD,
    ),
    Row(
        "Re-sampled t-test",
        "186-192",
        "t of 30 splits of 2/3 and 1/3, over the t that allows for their overlap",
        "corrected_t_test",
        ratio_of_resampled,
        check=Check("√(1 + 30/2)", lambda: np.sqrt(1 + 30 / 2)),
        remark=RESAMPLED,
    ),
)

DOCUMENT = Document(
    "Refaeilzadeh",
    "lecture",
    "Statistical comparison of two learning algorithms",
    "Lecture presented by P. Refaeilzadeh, after Dietterich (1998), Bouckaert (2003) and Montgomery et al. (2001).",
    "The lecture has formulas and advice and no data. The rows below are its formulas on differences that are drawn "
    "once and kept with the command.",
    ROWS,
    (
        "µ = 30 kg: an example of a hypothesis, without data.",
        "Somewhat elevated, lowest and very high error rates: words. [Measured ones](study.md) are ours.",
    ),
)
