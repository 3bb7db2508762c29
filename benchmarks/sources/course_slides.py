"""The slides of a course: one data set, two algorithms, thresholds and ROC curves."""

from __future__ import annotations

import numpy as np
from scipy import stats
from sklearn import metrics

import skcompare as skc
from benchmarks.sources import Check, Document, Remark, Row, Text
from skcompare import inference as ours

# Slide 12: accuracies in percent on five tests.
FIRST, SECOND = [92, 90, 91, 93, 91], [90, 90, 92, 90, 89]
# Slide 24: 100 samples of either class at four levels, so that the thresholds .8, .5 and .3 give the slide's rates.
LEVELS = np.array([0.8, 0.5, 0.3, 0.0])
SCORE = np.concatenate([np.repeat(LEVELS, n) for n in ([38, 44, 13, 5], [2, 16, 25, 57])])
TRUE = np.repeat([1, 0], 100)

PAIRED = Remark("b")
OVERLAP = Remark("c")
ROUNDED = Remark("a", "rounded on the slide")
EQUAL_CLASSES = Remark("d")
CORNER = Remark("e")


def of_five() -> skc.EvaluationResult:
    scores = {"Alg 1": {"test_score": FIRST}, "Alg 2": {"test_score": SECOND}}
    return skc.from_cross_validate(scores, scoring="accuracy", n_folds=5)


def unpaired() -> tuple[int, int, float]:
    """Partitions with at least that difference, all partitions, and the share."""
    found = ours.permutation_test(FIRST, SECOND, paired=False)
    return found.n_extreme, found.n_rearrangements, found.pvalue


def exact(kind: str) -> float:
    def difference(a: np.ndarray, b: np.ndarray, axis: int) -> np.ndarray:
        return a.mean(axis=axis) - b.mean(axis=axis)

    found = stats.permutation_test((FIRST, SECOND), difference, permutation_type=kind, vectorized=True)
    return float(found.pvalue)


def of_thirty() -> ours.TTestResult:
    """Slide 9: a mean difference of 2 whose interval at 90% on 29 degrees of freedom is 1 wide on either side."""
    spread = np.repeat([-1.0, 1.0], 15)
    width = stats.sem(spread) * stats.t.isf(0.05, 29)
    return ours.paired_t_test(96 + spread / (2 * width), 94 - spread / (2 * width))


def ends(result: ours.TTestResult) -> list[float]:
    """Of the interval at 90%."""
    own = result.confidence_interval(0.90)
    return [own.low, own.high]


def extremes() -> list[float]:
    """The averages that are nearest and farthest when both move as far as the interval allows."""
    half = [end / 2 for end in ends(of_thirty())]
    return [95 - half[0], 95 + half[0], 95 - half[1], 95 + half[1]]


def corrected(low: float) -> float:
    d = np.subtract(FIRST, SECOND)
    return float(low * stats.t.sf(d.mean() / np.sqrt(d.var(ddof=1) * (1 / 5 + 0.2 / 0.8)), 4))


def reduction(n: int, errors_a: int, errors_b: int) -> list[float]:
    """In percent: absolute and relative."""
    found = ours.error_reduction(np.arange(n) >= errors_a, np.arange(n) >= errors_b)
    return [100 * found.absolute, 100 * found.relative]


def point(threshold: float) -> list[float]:
    """True and false positive rates at a threshold."""
    own = ours.roc_points(TRUE, SCORE)
    i = int(np.sum(own.thresholds >= threshold)) - 1
    return [own.true_positive_rate[i], own.false_positive_rate[i]]


def precisions() -> list[float]:
    own = ours.precision_recall_points(TRUE, SCORE)
    return [own.precision[int(np.sum(own.thresholds >= threshold)) - 1] for threshold in (0.8, 0.5, 0.3)]


def error_at(threshold: float, prevalence: float) -> float:
    missed, false_alarm = np.mean(SCORE[TRUE == 1] < threshold), np.mean(SCORE[TRUE == 0] >= threshold)
    return float(prevalence * missed + (1 - prevalence) * false_alarm)


def best_threshold(prevalence: float) -> float:
    """Of the three on the slide, by arithmetic."""
    return min((0.8, 0.5, 0.3), key=lambda threshold: error_at(threshold, prevalence))


def uninformed(threshold: float) -> list[float]:
    """The same of scores that are alike in both classes."""
    score = np.tile(np.arange(0.05, 1, 0.1), 2)
    own = ours.roc_points(np.repeat([1, 0], 10), score)
    i = int(np.sum(own.thresholds >= threshold)) - 1
    return [own.true_positive_rate[i], own.false_positive_rate[i]]


ROWS = (
    Row(Text("Slide 9", "193", "interval at 90%", "1, 3"), "paired_t_test", lambda: ends(of_thirty())),
    Row(Text("Slide 9", "193", "extreme averages of the two", "94.5, 95.5, 93.5, 96.5"), "paired_t_test", extremes),
    Row(
        Text("Slide 9", "195", 'its "best confidence value": the level at which the interval reaches 0'),
        "paired_t_test",
        lambda: 1 - of_thirty().pvalue,
        Check("scipy's t", lambda: 1 - 2 * stats.t.sf(2 * stats.t.isf(0.05, 29), 29)),
    ),
    Row(
        Text("Slide 11", "219", "permutations of ten folds", "1000"),
        "permutation_test",
        lambda: 2 / ours.permutation_test(np.arange(1.0, 11), np.zeros(10)).smallest_pvalue,
        Check("2¹⁰", lambda: 2**10),
        ROUNDED,
    ),
    Row(
        Text("Slide 12", "248-252", "differences of five tests", "2, 0, -1, 3, 2"),
        "EvaluationResult.difference",
        lambda: of_five().difference("accuracy"),
    ),
    Row(
        Text("Slide 12", "252", "averages of the two", "91.4, 90.2"),
        "EvaluationResult.score",
        lambda: [of_five().score(name, "accuracy").mean() for name in ("Alg 1", "Alg 2")],
    ),
    Row(
        Text("Slide 12", "252", "their difference", "1.2"),
        "permutation_test",
        lambda: ours.permutation_test(FIRST, SECOND, paired=False).estimate,
    ),
    Row(
        Text("Slide 12", "246", "partitions that differ as much, all partitions, p-value"),
        "permutation_test",
        unpaired,
        Check("scipy's permutation_test", lambda: (round(exact("independent") * 252), 252, exact("independent"))),
        PAIRED,
    ),
    Row(
        Text("Slide 12", "248-252", "p-value with the pairs kept"),
        "permutation_test",
        lambda: ours.permutation_test(FIRST, SECOND).pvalue,
        Check("scipy's permutation_test", lambda: exact("samples")),
        PAIRED,
    ),
    Row(
        Text("Slides 8 and 12", "180-182", "paired t test: p-value and interval at 90%"),
        "paired_t_test",
        lambda: (ours.paired_t_test(FIRST, SECOND).pvalue, *ends(ours.paired_t_test(FIRST, SECOND))),
        Check(
            "scipy's ttest_rel",
            lambda: (stats.ttest_rel(FIRST, SECOND).pvalue, *stats.ttest_rel(FIRST, SECOND).confidence_interval(0.90)),
        ),
    ),
    Row(
        Text("Slides 4 and 12", "108-110", "p-value corrected for the overlap of training sets"),
        "corrected_t_test",
        lambda: ours.corrected_t_test(FIRST, SECOND, test_fraction=0.2).pvalue,
        Check("scipy's t", lambda: corrected(2)),
        OVERLAP,
    ),
    Row(
        Text("Slide 15", "299-301", "99.90% to 99.99% accuracy: absolute and relative error reduction in %", ".09, 90"),
        "error_reduction",
        lambda: reduction(10000, 1, 10),
    ),
    Row(
        Text("Slide 15", "303-305", "the same of 50% to 75% accuracy", "25, 50"),
        "error_reduction",
        lambda: reduction(100, 25, 50),
    ),
    Row(
        Text("Slide 24", "452-456", "true and false positive rate at threshold 1", "0, 0"),
        "roc_points",
        lambda: point(1),
    ),
    Row(Text("Slide 24", "458-460", "rates at threshold 0", "1, 1"), "roc_points", lambda: point(0)),
    Row(Text("Slide 24", "462-464", "rates at threshold .8", ".38, .02"), "roc_points", lambda: point(0.8)),
    Row(Text("Slide 24", "468-470", "rates at threshold .5", ".82, .18"), "roc_points", lambda: point(0.5)),
    Row(Text("Slide 24", "474-476", "rates at threshold .3", ".95, .43"), "roc_points", lambda: point(0.3)),
    *(
        Row(
            Text(
                "Slide 24",
                line,
                f"rates at threshold {threshold:.1f} of scores that say nothing".replace("0.", "."),
                printed,
            ),
            "roc_points",
            lambda threshold=threshold: uninformed(threshold),
        )
        for line, threshold, printed in (("462", 0.8, ".2, .2"), ("468", 0.5, ".5, .5"), ("474", 0.3, ".7, .7"))
    ),
    Row(
        Text("Slide 24", "452-476", "area under the curve of these points"),
        "roc_points",
        lambda: ours.roc_points(TRUE, SCORE).area,
        Check("scikit-learn's roc_auc_score", lambda: metrics.roc_auc_score(TRUE, SCORE)),
    ),
    Row(
        Text("Slide 24", "466-478", "precision at the thresholds .8, .5 and .3"),
        "precision_recall_points",
        precisions,
        Check(
            "scikit-learn's precision_score",
            lambda: [metrics.precision_score(TRUE, threshold <= SCORE) for threshold in (0.8, 0.5, 0.3)],
        ),
        EQUAL_CLASSES,
    ),
    Row(
        Text("Slides 19 and 24", "363", "break-even point, where precision equals recall and F1"),
        "break_even_point",
        lambda: ours.break_even_point(TRUE, SCORE),
        Check("scikit-learn's f1_score", lambda: metrics.f1_score(TRUE, SCORE >= 0.5)),
        EQUAL_CLASSES,
    ),
    Row(
        Text("Slide 24", "482", "threshold that errs least: half positive, a tenth positive"),
        "expected_cost",
        lambda: [ours.expected_cost(TRUE, SCORE, prevalence=share).threshold for share in (0.5, 0.1)],
        Check("by arithmetic", lambda: [best_threshold(share) for share in (0.5, 0.1)]),
        CORNER,
    ),
    Row(
        Text("Slide 25", "493", "area of a perfect prediction", "1.0"),
        "roc_points",
        lambda: ours.roc_points(TRUE, TRUE).area,
    ),
    Row(
        Text("Slide 25", "493", "area of a random one", ".5"),
        "roc_points",
        lambda: ours.roc_points(np.tile([0, 1], 10), np.repeat(np.arange(10), 2)).area,
    ),
)

DOCUMENT = Document("course_slides", "CS 478", "slides of a course", ROWS)
