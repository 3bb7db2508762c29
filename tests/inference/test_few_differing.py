"""Intervals on one test set where so few samples differ, or none, that no exchange can reject at their level."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics

import skcompare as skc
from skcompare.inference import cluster_t_test, delong_test, mcnemar_test, paired_bootstrap, paired_metric_test
from skcompare.testing import not_worse
from tests.lawful import ALTERNATIVES, FULL

# The level is 95%: of six samples that differ all on one side have p = 0.03.
MOST_UNABLE = 5
OF_TWO_CLASSES = ("recall", "precision", "f1", "jaccard", "specificity", "false_alarm_rate")
OF_CLASSES = ("accuracy", "f1_macro", "precision_macro", "recall_weighted", "f1_weighted", "balanced_accuracy", "mcc")
OF_CLASSES += ("cohen_kappa", "quadratic_kappa")
OF_SETS = ("accuracy", "f1_micro", "f1_macro", "f1_samples", "jaccard_samples", "neg_hamming_loss")
WEIGHTED = {
    "accuracy": metrics.accuracy_score,
    "recall": metrics.recall_score,
    "precision": metrics.precision_score,
    "f1": metrics.f1_score,
    "f1_macro": lambda *labels, **weights: metrics.f1_score(*labels, average="macro", **weights),
    "mcc": metrics.matthews_corrcoef,
}


def limits(record, level=0.95):
    interval = record.confidence_interval(level)
    return interval.low, interval.high


def drawn(rng, n, n_classes=2, error=0.2):
    """True labels, every class among them, and the predictions of one model."""
    y = rng.permutation(np.arange(n) % n_classes)
    return y, np.where(rng.random(n) < error, rng.integers(n_classes, size=n), y)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_equal_accuracies_have_the_score_interval(alternative, rng):
    for n, level in zip(rng.integers(2, 500, size=8), rng.uniform(0.6, 0.999, size=8), strict=True):
        y, p = drawn(rng, n)
        record = paired_metric_test(y, p, p, "accuracy", alternative=alternative)
        score = mcnemar_test(p == y, p == y, alternative=alternative)
        assert limits(record, level) == pytest.approx(limits(score, level))


@pytest.mark.parametrize("n", [40, 200, 3000])
def test_few_differing_samples_have_about_the_width_of_the_score_interval(n, rng):
    for n_differing in range(1, MOST_UNABLE - 1):
        y, a = drawn(rng, n)
        b = a.copy()
        b[rng.choice(n, n_differing, replace=False)] ^= 1
        low, high = limits(paired_metric_test(y, a, b, "accuracy"))
        least, most = limits(mcnemar_test(a == y, b == y))
        assert 0.9 < (high - low) / (most - least) < 1.1


@pytest.mark.parametrize(("metric", "label"), [("recall", 1), ("specificity", 0)])
def test_recall_is_the_accuracy_on_the_positive_samples_alone(metric, label, rng):
    y, p = drawn(rng, int(rng.integers(20, 300)))
    chosen = p[y == label] == label
    assert limits(paired_metric_test(y, p, p, metric)) == pytest.approx(limits(mcnemar_test(chosen, chosen)))


def test_clusters_are_as_many_samples_where_all_of_one_are_alike(rng):
    y, p = drawn(rng, 30)
    right = p == y
    whole = [np.repeat(of_each, 4) for of_each in (y, p, p, np.arange(30))]
    record = paired_metric_test(*whole[:3], "accuracy", clusters=whole[3])
    assert limits(record) == pytest.approx(limits(mcnemar_test(right, right)))


@pytest.mark.parametrize("name", [*OF_TWO_CLASSES, *OF_CLASSES])
def test_every_metric_of_labels_tells_less_of_fewer_samples(name, rng):
    n_classes = 2 if name in OF_TWO_CLASSES else 3
    y, p = drawn(rng, 30, n_classes)
    p[:6] = y[:6] = np.arange(6) % n_classes
    lengths = [np.ptp(limits(paired_metric_test(np.tile(y, k), *[np.tile(p, k)] * 2, name))) for k in (1, 2, 5, 20)]
    assert (np.diff(lengths) < 0).all()
    assert 0 < lengths[-1] < 0.2


@pytest.mark.parametrize("name", OF_SETS)
def test_every_metric_of_sets_tells_less_of_fewer_samples(name, rng):
    y = np.vstack([np.eye(3, dtype=int), rng.integers(2, size=(27, 3))])
    p = np.where(rng.random(y.shape) < 0.2, 1 - y, y)
    lengths = [
        np.ptp(limits(paired_metric_test(np.tile(y, (k, 1)), *[np.tile(p, (k, 1))] * 2, name))) for k in (1, 2, 5, 20)
    ]
    assert (np.diff(lengths) < 0).all()
    assert 0 < lengths[-1] < 0.2


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("name", ["accuracy", "recall", "precision", "f1", "f1_macro", "mcc"])
def test_the_limits_hold_0_mirror_each_other_and_nest(name, alternative, rng):
    y, a = drawn(rng, 60)
    b = a.copy()
    b[rng.choice(60, int(rng.integers(0, MOST_UNABLE)), replace=False)] ^= 1
    record = paired_metric_test(y, a, b, name, alternative=alternative)
    mirrored = {"greater": "less", "less": "greater"}.get(alternative, alternative)
    turned = paired_metric_test(y, b, a, name, alternative=mirrored)
    low, high = limits(record)
    assert low < 0 < high
    assert (low, high) == pytest.approx([-one for one in limits(turned)[::-1]])
    at_levels = np.array([limits(record, level) for level in (0.5, 0.8, 0.9, 0.95, 0.99, 0.9999)])
    assert (at_levels[1:] * [-1, 1] >= at_levels[:-1] * [-1, 1]).all()


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("name", ["recall", "f1", "f1_macro"])
def test_a_margin_within_the_limits_is_not_rejected(name, alternative, rng):
    y, p = drawn(rng, 80)
    width = limits(paired_metric_test(y, p, p, name))[1]
    assert limits(paired_bootstrap(y, p, p, name, rng=0)) == pytest.approx((-width, width))
    for null in width * np.array([-1.6, -1.1, -0.9, -0.5, 0.5, 0.9, 1.1, 1.6]):
        record = paired_bootstrap(y, p, p, name, rng=0, null=null, alternative=alternative)
        low, high = limits(record)
        assert (record.pvalue < 0.05) == (not low <= null <= high)


@pytest.mark.parametrize(("n", "margin", "verdict"), [(40, 0.05, "undecided"), (1000, 0.02, "not worse")])
def test_the_views_of_equal_predictions_agree_on_all_metrics(n, margin, verdict, rng):
    y, p = drawn(rng, n)
    names = ["accuracy", "recall", "precision", "f1", "f1_macro"]
    result = skc.from_predictions(y, {"old": p, "new": p}, scoring=names)
    for row in result.compare():
        assert (row.low, row.high) == pytest.approx(limits(row.record, row.confidence_level))
        assert row.low == -row.high < 0
        assert not_worse(result, "new", "old", margin=margin, metric=row.metric).verdict == verdict


@pytest.mark.parametrize("n_clusters", [3, 12, 40])
def test_accuracy_in_clusters_has_the_interval_of_other_metrics_where_none_differs(n_clusters, rng):
    """It was [0, 0], where recall of the same predictions was plus or minus 0.14."""
    y, p = drawn(rng, 120)
    clusters = rng.permutation(np.arange(120) % n_clusters)
    right = (y == p).astype(float)
    for level in (0.8, 0.95, 0.999):
        found = limits(cluster_t_test(right, right, clusters=clusters), level)
        assert found == pytest.approx(limits(paired_metric_test(y, p, p, "accuracy", clusters=clusters), level))
        assert found[0] == -found[1] < 0
    values = right + 0.5  # of which it is not known what others would change
    assert limits(cluster_t_test(values, values, clusters=clusters)) == (0, 0)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_few_clusters_that_differ_widen_an_interval_that_holds_0_alone(alternative, rng):
    for n_differing in range(12):
        y, p = drawn(rng, 120)
        right, clusters = (y == p).astype(float), np.arange(120) // 4
        other = right.copy()
        worse = rng.permutation(30)[:n_differing]
        other[4 * worse] = 1 - other[4 * worse]
        record = cluster_t_test(right, other, clusters=clusters, alternative=alternative)
        low, high = limits(record)
        plain = limits(replace(record, changes=()))
        assert low <= plain[0] <= plain[1] <= high
        assert (record.pvalue < 0.05) == (not low <= 0 <= high)


def test_no_interval_is_given_where_none_differs_and_it_is_not_known_what_would_change(rng):
    """Average precision and callables had [0, 0], or none beside that of a margin."""
    y, p = drawn(rng, 60)
    for metric, scores in (("average_precision", rng.random(60)), (lambda t, s: float(np.mean(t == s) ** 2), p)):
        record = paired_metric_test(y, scores, scores, metric, rng=0)
        assert record.pvalue == 1
        assert limits(record)[0] == -limits(record)[1] < 0
        assert limits(paired_bootstrap(y, scores, scores, metric, rng=0)) == limits(record)
    for metric, given in ((lambda *_: 0.5, p), (metrics.median_absolute_error, rng.normal(size=1100))):
        truth = np.resize(y, len(given))
        assert np.isnan(limits(paired_metric_test(truth, given, given, metric, rng=0))).all()


@pytest.mark.parametrize("in_clusters", [False, True])
@pytest.mark.parametrize("distance", [0, 2, 9])
def test_equal_average_precision_allows_for_other_scores_of_each_sample(distance, in_clusters, rng):
    """What samples change when they are left out told nothing of good models: next to [0, 0], or no interval."""
    for n, digits in ((13, 1), (30, 9), (47, 0)):
        y = rng.permutation(np.arange(n) % 3 == 0)
        a = np.round(distance * y + rng.normal(size=n), digits)
        clusters = rng.permutation(np.arange(n) % 9) if in_clusters else np.arange(n)
        sizes = np.zeros(clusters.max() + 1)
        for i, one in enumerate(clusters):
            others = [np.where(np.arange(n) == i, end, a) for end in (-99, 99)]
            moved = [metrics.average_precision_score(y, x) for x in (*others, a)]
            sizes[one] += np.abs(np.subtract(moved[:2], moved[2])).max()
        units, square = 1 + np.arange(len(sizes)), stats.norm.isf(0.025) ** 2
        expected = (np.sort(sizes)[::-1] * units * square / (units + square)).max()
        given = {"clusters": clusters} if in_clusters else {}
        for procedure in (paired_metric_test, paired_bootstrap):
            found = limits(procedure(y, a, a.copy(), "average_precision", **given))
            assert found == pytest.approx((-min(1, expected), min(1, expected)))


@pytest.mark.parametrize("n", [80, 300, 1000])
def test_equal_average_precision_covers_differences_that_seldom_show_nothing(n, rng):
    """One of two good models ranks a share of the negative samples first, so that they are equal on 5% of test sets.

    These intervals hold the difference on the population, here of 50,000 samples, so that at most 5% miss it.
    """
    y, scores = np.arange(50_000) % 2, 3 * (np.arange(50_000) % 2) + rng.normal(size=50_000)
    share = 1 - 0.05 ** (2 / n)
    other = np.where((y == 0) & (rng.random(50_000) < share), 99 + rng.random(50_000), scores)
    truth = metrics.average_precision_score(y, scores) - metrics.average_precision_score(y, other)
    chosen = rng.choice(np.flatnonzero(scores == other), n, replace=False)
    record = paired_metric_test(y[chosen], scores[chosen], scores[chosen], "average_precision")
    assert record.confidence_interval().high > truth


def truth(name, share, error=0.15, positive=0.4):
    """The difference of a metric where so many samples of those that one model has right are wrong by the other."""
    y, right, differs = np.indices((2, 2, 2)).reshape(3, -1)
    weights = np.where(y, positive, 1 - positive) * np.where(right, 1 - error, error)
    weights = weights * np.where(right, np.where(differs, share, 1 - share), 1 - differs)
    a, b = (np.where(correct, y, 1 - y) for correct in (right == 1, (right == 1) & (differs == 0)))
    return WEIGHTED[name](y, a, sample_weight=weights) - WEIGHTED[name](y, b, sample_weight=weights)


@pytest.mark.slow
@pytest.mark.parametrize("name", WEIGHTED)
def test_intervals_cover_a_small_difference(name, rng):
    # 100 data sets: 0.95 less three standard errors of 0.022; docs/benchmarks.md has what they covered before
    cells = list(product((20, 40, 100), (0.005, 0.01, 0.02, 0.05)))
    for n, share in cells if FULL else rng.permutation(cells)[:1]:
        held, difference, n = [], truth(name, share), int(n)
        for _ in range(100):
            y = (rng.random(n) < 0.4).astype(int)
            y[:2] = 0, 1
            a = np.where(rng.random(n) < 0.85, y, 1 - y)
            b = np.where((a == y) & (rng.random(n) < share), 1 - a, a)
            low, high = limits(paired_metric_test(y, a, b, name))
            held.append(np.isnan(low) or low <= difference <= high)
        assert np.mean(held) > 0.95 - 3 * 0.022, (n, share)


def test_scores_that_rank_all_samples_alike_have_an_interval_of_the_area(rng):
    """It was [0, 0]. What one sample changes is found by giving it the highest and the lowest score."""
    y = rng.permutation(np.arange(int(rng.integers(8, 40))) % 2)
    scores = np.round(rng.normal(size=len(y)) + y, 1)
    changed = np.zeros(len(y))
    for i, extreme in product(range(len(y)), (-99, 99)):
        other = np.where(np.arange(len(y)) == i, extreme, scores)
        step = abs(metrics.roc_auc_score(y, other) - metrics.roc_auc_score(y, scores))
        changed[i] = max(changed[i], step)
    record = delong_test(y, scores, 2 * scores)
    assert record.changes == pytest.approx(np.sort(changed)[::-1].tolist())
    widths = [limits(delong_test(np.tile(y, k), *[np.tile(scores, k)] * 2))[1] for k in (1, 3, 9)]
    assert (np.diff(widths) < 0).all()
    assert record.pvalue == 1


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_equal_values_of_one_test_set_invert_their_test(alternative, rng):
    y = rng.permutation(np.arange(80) % 2)
    scores, clusters, right = rng.normal(size=80) + y, rng.integers(15, size=80), (rng.random(80) < 0.8) * 1.0
    for level, null in zip(rng.uniform(0.6, 0.99, 20), rng.uniform(-0.4, 0.4, 20), strict=True):
        for record in (
            delong_test(y, scores, scores, alternative=alternative, null=null),
            cluster_t_test(right, right, clusters=clusters, alternative=alternative, null=null),
        ):
            low, high = limits(record, level)
            assert (record.pvalue < 1 - level) == (not low <= null <= high)


def test_brier_scores_of_models_that_are_sure_and_right_have_the_interval_of_the_accuracy(rng):
    y = rng.permutation(np.arange(int(rng.integers(10, 200))) % 2)
    result = skc.from_predictions(y, dict.fromkeys("ab", np.column_stack([1.0 - y, y])), scoring="neg_brier_score")
    (row,) = result.compare()
    assert (row.low, row.high) == pytest.approx(limits(mcnemar_test(y == y, y == y)))


OF_SCORES = (
    "accuracy",
    "roc_auc",
    "roc_auc_ovr",
    "average_precision",
    "neg_log_loss",
    "neg_brier_score",
    "d2_brier_score",
)
OF_NUMBERS = ("neg_mean_squared_error", "neg_mean_absolute_error", "r2", "neg_root_mean_squared_error")
OF_NUMBERS += ("neg_median_absolute_error", "explained_variance")


@pytest.mark.parametrize("in_clusters", [False, True])
@pytest.mark.parametrize("metric", [*OF_SCORES, *OF_NUMBERS])
def test_all_views_of_equal_predictions_have_one_interval(metric, in_clusters, rng):
    """compare() had no interval of average precision, where a gate had [0, 0] and passed however few samples it had."""
    n = 60
    y, values = rng.permutation(np.arange(n) % 2), rng.normal(size=n)
    predicted = np.clip(0.3 * y + rng.uniform(0, 0.7, n), 0.01, 0.99)
    if metric in OF_NUMBERS:
        y, predicted = values, values + rng.normal(size=n)
    clusters = rng.permutation(np.arange(n) % 20) if in_clusters else None
    result = skc.from_predictions(y, {"old": predicted, "new": predicted.copy()}, scoring=metric, clusters=clusters)
    (row,) = result.compare()
    assert row.low == -row.high < 0
    assert limits(result.test(a=row.a, b=row.b)) == (row.low, row.high)
    assert "remains possible" in " ".join(str(result).split())
    (shown,) = result.compare().to_frame().to_dict("records")
    assert (shown["low"], shown["high"], shown["outcome"]) == (row.low, row.high, "undecided")
    for share in (0.5, 0.9, 1.1, 2.0):
        most = 0.999 if metric == "average_precision" else np.inf  # which no two models differ by
        found = not_worse(result, "new", "old", margin=min(share * row.high, most))
        (own,) = found.comparison
        assert (own.low, own.high) == pytest.approx((row.low, row.high), rel=1e-6)
        assert found.verdict == ("not worse" if share > 1 else "undecided")
        assert "everywhere" not in str(found)


@pytest.mark.parametrize("in_clusters", [False, True])
@pytest.mark.parametrize("loss", [False, True])
def test_equal_outcomes_of_items_have_the_interval_of_what_another_item_may_change(loss, in_clusters, rng):
    """They had [0, 0], "the same scores", and passed a gate at any margin, however few they were."""
    widths = []
    for n in (24, 240):
        grades = rng.permutation(np.resize([0.0, 0.25, 0.5, 1.0], n))
        clusters = np.arange(n) // 2 if in_clusters else None
        given = {"old": grades, "new": grades.copy()}
        said = {"greater_is_better": not loss, "clusters": clusters, "sample_id": np.arange(n)}
        result = skc.from_outcomes(given, **said)
        (row,) = result.compare()
        assert row.low == -row.high < 0
        assert row.record.pvalue == 1
        assert limits(result.test()) == (row.low, row.high)
        assert "remains possible" in " ".join(str(result).split())
        for share, verdict in ((0.9, "undecided"), (1.1, "not worse")):
            assert not_worse(result, "new", "old", margin=share * row.high).verdict == verdict
        widths.append(row.high)
    assert widths[1] < widths[0] / 5


def test_equal_grades_of_right_and_wrong_are_as_far_apart_as_accuracies(rng):
    y, p = drawn(rng, 90)
    wide = {"old": (p == y).astype(float), "new": (p == y).astype(float)}
    both = (skc.from_outcomes(wide), skc.from_predictions(y, {"old": p, "new": p.copy()}, scoring="accuracy"))
    of_items, of_labels = (result.compare()[0] for result in both)
    assert (of_items.low, of_items.high) == pytest.approx((of_labels.low, of_labels.high))


def test_how_far_others_may_be_apart_is_not_known_of_models_without_any_error(rng):
    y = rng.normal(size=50)
    for metric in ("neg_mean_absolute_error", "neg_median_absolute_error"):
        result = skc.from_predictions(y, {"old": y, "new": y.copy()}, scoring=metric)
        (row,) = result.compare()
        assert np.isnan([row.low, row.high]).all()
        assert not_worse(result, "new", "old", margin=0.1).verdict == "undecided"


# Where some samples differ, and few: the estimate is skewed, and the plain interval too short on that side.

OF_SKEWED = (
    "grades",
    "grades in clusters",
    "rates in clusters",
    "neg_brier_score",
    "neg_mean_squared_error",
    "roc_auc",
)


def of_few(rng, kind, n, share=0.02, worse=1.0):
    """Two models of which one is worse on a share of the samples, and better on the others that differ, as a result."""
    y, log_odds = rng.permutation(np.arange(n) % 2), 2 + rng.normal(size=n)
    truth, a = y, 1 / (1 + np.exp(np.where(y == 1, -1, 1) * log_odds))
    other = 1 - a
    if kind.startswith(("grades", "rates")):
        a, other = rng.choice([kind.startswith("grades") / 2, 1.0], n, p=[0.1, 0.9]), np.zeros(n)
    elif kind == "neg_mean_squared_error":
        truth, errors = rng.normal(size=n), rng.normal(size=n)
        a, other = truth + errors, truth + errors + 4 * np.sign(errors)
    differ, turned = rng.random(n) < share, rng.random(n) >= worse
    models = {"a": np.where(differ & turned, other, a), "b": np.where(differ & ~turned, other, a)}
    if kind.startswith(("grades", "rates")):
        clusters = np.arange(n) // 3 if kind.endswith("clusters") else None
        return skc.from_outcomes(models, clusters=clusters, sample_id=np.arange(n))
    return skc.from_predictions(truth, models, scoring=kind)


@pytest.mark.parametrize("kind", OF_SKEWED)
def test_a_skewed_difference_has_a_longer_interval_that_inverts_its_test(kind, rng):
    found = []
    for n, share, worse in product((90, 600), (0.01, 0.03, 0.2), (1.0, 0.5)):
        result, level = of_few(rng, kind, n, share, worse), float(rng.uniform(0.6, 0.995))
        for alternative, null in product(ALTERNATIVES, (0.0, *rng.normal(0, 0.02, 3))):
            record = result.test(a="a", b="b", alternative=alternative, null=null)
            plain = replace(record, skewness=0.0)
            (low, high), ends = limits(record, level), limits(plain, level)
            assert (record.pvalue < 1 - level) == (not low <= null <= high)
            if not record.skewness:
                assert (low, high) == ends
                continue
            assert low <= ends[0] <= ends[1] <= high
            assert (low == ends[0]) if record.skewness > 0 else (high == ends[1])
            turned = {"greater": "less", "less": "greater"}.get(alternative, alternative)
            mirrored = result.test(a="b", b="a", alternative=turned, null=-null)
            assert (mirrored.pvalue, *limits(mirrored, level)) == pytest.approx((record.pvalue, -high, -low))
            at_levels = np.array([limits(record, one) for one in (0.6, 0.8, 0.95, 0.999)])
            assert (at_levels[1:] * [-1, 1] >= at_levels[:-1] * [-1, 1]).all()
            found.append(high - low > ends[1] - ends[0] or alternative != "two-sided" or bool(record.changes))
    assert found
    assert all(found)


def test_the_function_is_the_test_of_delong_and_a_result_allows_for_skewness(rng):
    y = rng.permutation(np.arange(300) % 2)
    scores = (rng.random(300) + y) / 2
    other = np.where(np.arange(300) % 50 == 0, 1 - scores, scores)
    result = skc.from_predictions(y, {"a": scores, "b": other}, scoring="roc_auc")
    found, record = delong_test(y, scores, other), result.test("delong_test", a="a", b="b")
    z = stats.norm.isf(0.025) * found.standard_error  # DeLong, DeLong and Clarke-Pearson (1988)
    assert limits(found) == pytest.approx((found.estimate - z, found.estimate + z))
    assert found.pvalue == pytest.approx(2 * stats.norm.sf(abs(found.statistic)))
    assert (record.estimate, record.statistic) == (found.estimate, found.statistic)
    assert record.skewness > 0 == found.skewness
    assert limits(record)[1] > limits(found)[1]


@pytest.mark.parametrize("kind", ["grades", "neg_brier_score", "neg_mean_squared_error"])
def test_equivalence_of_a_skewed_difference_is_that_of_its_interval(kind, rng):
    """It took the plain interval, and called equivalent what the comparison left open."""
    result = of_few(rng, kind, 500, 0.012)
    record = result.test(a="a", b="b")
    assert record.skewness > 0
    low, high = limits(record, 0.9)
    for share in (0.5, 0.8, 0.98, 1.02, 1.2, 2):
        found = result.test("equivalence_test", a="a", b="b", margin=share * max(high, -low))
        assert limits(found, 0.9) == pytest.approx((low, high))
        assert (found.pvalue < 0.05) == (found.verdict == "equivalent") == (share > 1)
        assert found.pvalue_difference == pytest.approx(record.pvalue)


@pytest.mark.parametrize("n", [200, 1000, 5000])
def test_of_few_cases_that_differ_alike_it_is_about_the_score_interval(n):
    """Wilson's, of a share; the plain interval reached half as far for one case (Brown, Cai and DasGupta 2003)."""
    for k in range(1, 6):
        wrong = np.arange(n) < k
        result = skc.from_outcomes({"a": np.full(n, 0.75), "b": 0.75 - 0.5 * wrong}, sample_id=np.arange(n))
        high = limits(result.test(a="a", b="b"))[1]
        wilson = stats.binomtest(k, n).proportion_ci(method="wilson").high / 2
        assert high == pytest.approx(wilson, rel=0.04)


@pytest.mark.parametrize("law", ["normal", "uniform", "t of 12", "half of them 1"])
def test_of_differences_without_much_skewness_nothing_changes(law, rng):
    """Up to the rule of Cochran (1977), 25 times the squared skewness; scipy has the plain interval."""
    for n in (60, 150, 900):
        drawn_so = {"normal": rng.normal(size=n), "uniform": rng.random(n), "t of 12": rng.standard_t(12, n)}
        d = drawn_so.get(law, (rng.random(n) < 0.5) * 1.5)
        record = skc.from_outcomes({"a": d, "b": np.zeros(n)}, sample_id=np.arange(n)).test(a="a", b="b")
        ends = stats.ttest_1samp(d, 0).confidence_interval()
        assert 25 * stats.skew(d) ** 2 > n or record.skewness == 0
        assert record.skewness != 0 or limits(record) == pytest.approx((ends.low, ends.high), rel=1e-12)


def test_many_pairs_have_the_p_values_of_single_ones_where_few_samples_lead(rng):
    """Small gains on all samples against large losses on few: the plain test is sure of the gains."""
    n, models = 400, {}
    for i in range(7):
        loses = rng.random(n) < 0.003 * i
        models[f"m{i}"] = 0.6 + 0.01 * i + rng.normal(0, 0.02, n) - 0.5 * loses
    result, changed = skc.from_outcomes(models, sample_id=np.arange(n)), 0
    for row in result.compare(correction="none"):
        alone = result.test(a=row.a, b=row.b)
        assert row.pvalue == row.record.pvalue == alone.pvalue
        plain = stats.ttest_rel(models[row.a], models[row.b]).pvalue
        assert alone.pvalue >= plain * (1 - 1e-9)
        changed += alone.pvalue > plain * (1 + 1e-9)
    assert changed


@pytest.mark.parametrize("name", ["accuracy", "f1", "precision", "recall", "mcc"])
def test_exchanges_of_few_samples_reach_as_far_as_the_skewness_asks(name, rng):
    for n, differ in product((150, 900), (7, 9, 14)):
        y, a = drawn(rng, n)
        b = a.copy()
        worse = rng.choice(np.flatnonzero(a == y), differ, replace=False)
        b[worse] ^= 1
        record = paired_metric_test(y, a, b, name)
        low, high = limits(record)
        assert (record.pvalue < 0.05) == (not low <= 0 <= high)
        if record.n_differing > MOST_UNABLE and record.predictions.skewness > 0.2:
            assert high - record.estimate > 1.1 * (record.estimate - low)


@pytest.mark.slow
@pytest.mark.parametrize("kind", OF_SKEWED)
def test_intervals_cover_the_difference_of_models_that_differ_on_few_samples(kind):
    # 0.95 less three standard errors, as many more rejections; docs/benchmarks.md has more
    n_sets, error = (300, 0.0126) if FULL else (100, 0.0218)
    for n, differ in product((100, 600) if FULL else (100,), (4, 6, 10) if FULL else (6,)):
        for worse in (1.0, 0.5):
            rng = np.random.default_rng([n, differ, int(2 * worse)])
            whole = of_few(rng, kind.removesuffix(" in clusters"), 60_000, differ / n, worse)
            truth = whole.test(a="a", b="b").estimate if worse == 1 else 0.0
            records = [of_few(rng, kind, n, differ / n, worse).test(a="a", b="b") for _ in range(n_sets)]
            ends = np.array([limits(record) for record in records])
            assert np.mean((ends[:, 0] <= truth) & (truth <= ends[:, 1])) > 0.95 - 3 * error, (n, differ, worse)
            rejected = np.mean([record.pvalue < 0.05 for record in records])
            assert worse == 1 or rejected < 0.05 + 3 * error


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n_positive", [3, 5, 8])
def test_areas_of_few_samples_of_a_class_are_tested_as_by_brunner_and_munzel(n_positive, alternative, rng):
    """A score that is the same for all samples has area 1/2: then DeLong's variance is theirs, as is the test.

    The reference is `scipy.stats.brunnermunzel`.
    """
    n = int(rng.integers(2 * n_positive, 20))  # with fewer than 20 samples nothing allows for a skewness
    y, names = rng.permutation(np.arange(n) < n_positive).astype(int), rng.permutation(["model", "chance"]).tolist()
    scores = {"model": rng.permutation(np.linspace(0.01, 0.99, n)).round(2), "chance": np.full(n, 0.5)}
    while metrics.roc_auc_score(y, scores["model"]) in (0, 1):  # where scipy divides by 0
        scores["model"] = rng.permutation(scores["model"])
    test = skc.from_predictions(y, {name: scores[name] for name in names}, scoring="roc_auc").test(
        a="model", b="chance", alternative=alternative
    )
    ours, others = scores["model"][y == 1], scores["model"][y == 0]
    known = stats.brunnermunzel(ours, others, alternative=alternative)
    assert test.pvalue == pytest.approx(known.pvalue, rel=1e-9)
    if test.pvalue < 1:
        low, high = limits(test, 1 - test.pvalue)
        assert min(abs(low), abs(high)) < 1e-9 or test.pvalue > 1 - 1e-9


@pytest.mark.parametrize(("n_positive", "n_negative"), [(3, 30), (3, 97), (5, 95), (40, 4), (10, 190)])
def test_equal_areas_are_seldom_found_to_differ_with_few_samples_of_a_class(n_positive, n_negative, rng):
    """Without degrees of freedom 11% to 15% were with 3, 9% to 11% with 5, 8% with 10 samples of a class."""
    y, n_sets = np.repeat([1, 0], (n_positive, n_negative)), 1500 if FULL else 300
    found = []
    for _ in range(n_sets):
        p = rng.random((2, y.size))
        result = skc.from_predictions(y, {"a": p[0], "b": (p[0] + p[1]) / 2}, scoring="roc_auc")
        (row,) = result.compare()
        found.append(row.winner is not None)
        assert (row.low <= 0 <= row.high) == (row.winner is None)
    assert np.mean(found) <= 0.06 + 4 * (0.06 * 0.94 / n_sets) ** 0.5  # 6% with 3 samples, 5% with more


@pytest.mark.parametrize("n", [19, 20, 45, 160])
def test_a_difference_that_never_varies_is_tested_where_what_others_can_change_is_bounded(n, rng):
    """Of a perfect ranking against a constant, and of two certain models; on fewer than 20 samples there is no test.

    The reference is Wilson's interval of n of n, since the Brier scores of certain models are shares of samples.
    """
    y, names = rng.permutation(np.arange(n) % 2), rng.permutation(["one", "other"]).tolist()
    sure, low, numbers = rng.uniform(0.6, 0.9), rng.uniform(0.1, 0.4), rng.normal(size=n)
    for metric, given in {
        "roc_auc": (np.where(y, sure, low), np.full(n, 0.5)),
        "neg_brier_score": (np.column_stack([1.0 - y, y]), np.column_stack([y, 1.0 - y])),
        "neg_mean_absolute_error": (numbers + 1, numbers + 1.5),
    }.items():
        true, models = numbers if "error" in metric else y, dict(zip(names, given, strict=True))
        result = skc.from_predictions(true, models, scoring=metric)
        (row,), tested = result.compare(), n >= 20 and "error" not in metric
        assert np.isfinite(row.pvalue) == np.isfinite(row.low) == tested
        assert ("no test is possible" in " ".join(str(result).split())) != tested
        if tested:
            assert row.winner == names[0]
            assert row.pvalue == result.test().pvalue < 0.05
            assert limits(result.test())[0] * limits(result.test())[1] > 0
        if tested and metric == "neg_brier_score":
            low_end = min(map(abs, limits(result.test())))
            assert low_end == pytest.approx(2 * stats.binomtest(n, n).proportion_ci(method="wilson").low - 1)


def test_probabilities_are_tested_alike_by_the_comparison_and_by_reliability(rng):
    """Also where few samples carry the difference, on either side, and where it never varies."""
    seen = set()
    for n, k in ((200, 5), (300, 8), (60, 0)):
        y = rng.permutation(np.arange(n) % 2)
        p = np.where(y, 0.9, 0.1) if not k else np.clip(np.where(y, 0.85, 0.15) + rng.normal(0, 0.03, n), 0.01, 0.99)
        q = np.where(y, 0.8, 0.2) if not k else p + 0.02 * (2 * y - 1) * (p > 0.05) * (p < 0.95)
        wrong = rng.choice(n, k, replace=False)
        q[wrong] = 1 - q[wrong]
        result = skc.from_predictions(y, {"a": p, "b": q}, scoring=["neg_brier_score", "neg_log_loss"])
        found = {row.measure: row for row in result.reliability("a", "b").differences}
        for metric, measure in (("neg_brier_score", "brier"), ("neg_log_loss", "log_loss")):
            record, own = result.test(metric=metric), found[measure]
            assert own.pvalue == pytest.approx(record.pvalue, nan_ok=True)
            assert (own.low, own.high) == pytest.approx(limits(record), nan_ok=True)
            seen.add(bool(getattr(record, "skewness", 0)))
    assert seen == {True, False}
