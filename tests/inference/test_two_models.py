"""Two models on many data sets, tests: published tables, brute force, scipy, the laws, degenerate and bad input."""

import csv
import gzip
import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from skcompare.inference import adjust_pvalues, pairwise_signed_rank_test, sign_test, signed_rank_test
from skcompare.inference.datasets.signed_rank import lower_tail
from tests.lawful import ALTERNATIVES, FULL, MIRRORED, assert_lawful, codes

DATA = Path(__file__).parents[2] / "docs" / "data"
LEVELS = (0.1, 0.5, 0.9, 0.9375, 0.95, 0.99)
METHODS = ("exact", "normal")
ZERO_METHODS = ("zsplit", "wilcox", "pratt")

# All tests of one pair, with every option that changes the formula.
TESTS = [(sign_test, {"ties": ties}) for ties in ("drop", "split")] + [
    (signed_rank_test, {"zero_method": zeros, "method": method})
    for zeros in ZERO_METHODS
    for method in ("exact", "normal")
]
every_test = pytest.mark.parametrize(
    ("test", "options"), TESTS, ids=lambda x: x.__name__ if callable(x) else "-".join(x.values())
)


def demsar():
    """AUC of C4.5 and three tuned variants on 14 data sets (Demsar 2006, Table 6)."""
    with (DATA / "demsar_2006_auc.csv").open() as file:
        return np.array([[float(cell) for cell in row[1:]] for row in itertools.islice(csv.reader(file), 1, None)])


def uci_means():
    """Accuracy of five classifiers on 54 data sets (Benavoli et al. 2017), the mean of 100 folds each."""
    sums = {}
    with gzip.open(DATA / "uci54_10x10cv_accuracy.csv.gz", "rt") as file:
        for row in csv.DictReader(file):
            scores = sums.setdefault(row["classifier"], {})
            scores[row["dataset"]] = scores.get(row["dataset"], 0.0) + float(row["accuracy"]) / 100
    return {classifier: np.array([scores[name] for name in sorted(scores)]) for classifier, scores in sums.items()}


def continuous(seed=0, n=14, shift=0.5):
    a, b = np.random.default_rng(seed).normal(size=(2, n))
    return a + shift, b


def with_ties(seed=0, n=14):
    a, b = np.random.default_rng(seed).integers(0, 5, (2, n)) / 10
    return a, b


def wins(n_wins, n_losses, n_ties=0):
    """Scores with so many wins and losses of `a`."""
    return np.repeat([1.0, -1.0, 0.0], [n_wins, n_losses, n_ties]), np.zeros(n_wins + n_losses + n_ties)


# Sign test


def test_sign_test_of_demsar():
    # C4.5+m against C4.5: 10 wins, 2 losses, 2 ties; scipy 1.17.1, binomtest(10, 12) and binomtest(11, 14)
    scores = demsar()
    dropped = sign_test(scores[:, 1], scores[:, 0])
    assert (dropped.wins, dropped.ties, dropped.losses, dropped.n_used) == (10, 2, 2, 12)
    assert dropped.pvalue == pytest.approx(0.0385742, abs=5e-8)
    assert dropped.effect_size == 10 / 12
    split = sign_test(scores[:, 1], scores[:, 0], ties="split")
    assert (split.statistic, split.n_used, split.effect_size) == (11, 14, 11 / 14)
    assert split.pvalue == pytest.approx(0.0573730, abs=5e-8)
    # Demsar's z, (w - n / 2) / (sqrt(n) / 2)
    assert (split.statistic - 7) / (14**0.5 / 2) == pytest.approx(2.1380899, abs=5e-8)


def test_critical_numbers_of_wins():
    # exact two-sided 5% critical wins for 6 to 25 data sets, from the binomial distribution; Demsar's Table 3 is that
    # of the two-sided 10% level
    critical = [6, 7, 8, 8, 9, 10, 10, 11, 12, 12, 13, 13, 14, 15, 15, 16, 17, 17, 18, 18]
    for n, least in zip(range(6, 26), critical, strict=True):
        assert sign_test(*wins(least, n - least)).pvalue <= 0.05 < sign_test(*wins(least - 1, n - least + 1)).pvalue
    assert sign_test(*wins(5, 0)).pvalue == 0.0625


@given(w=st.integers(0, 40), losses=st.integers(0, 40), tied=st.integers(0, 5))
def test_sign_test_agrees_with_scipy(w, losses, tied):
    if w + losses == 0:
        return
    a, b = wins(w, losses, tied)
    for alternative in ALTERNATIVES:
        for ties, shared in (("drop", 0), ("split", tied // 2)):
            ours = sign_test(a, b, alternative=alternative, ties=ties)
            theirs = stats.binomtest(w + shared, w + losses + 2 * shared, alternative=alternative)
            assert ours.pvalue == pytest.approx(theirs.pvalue, rel=1e-9)
            interval, limits = ours.share_interval(0.9), theirs.proportion_ci(0.9)
            assert (interval.low, interval.high) == pytest.approx((limits.low, limits.high), rel=1e-9)


@pytest.mark.parametrize("n", [6, 14, 25])
def test_interval_of_the_median_agrees_with_scipy(n):
    # scipy.stats.quantile_test: order statistics, two-sided; one-sided it states the opposite bound
    a, b = continuous(n=n)
    result = sign_test(a, b)
    for level in LEVELS:
        interval = result.confidence_interval(level)
        limits = stats.quantile_test(a - b, p=0.5).confidence_interval(level)
        assert (np.isnan(limits.low) and interval.low == -np.inf) or interval.low == pytest.approx(limits.low)
        assert (np.isnan(limits.high) and interval.high == np.inf) or interval.high == pytest.approx(limits.high)


def test_splitting_ties_is_the_more_conservative():
    for w, losses, tied in itertools.product(range(7), range(7), range(0, 7, 2)):
        a, b = wins(w, losses, tied)
        if a.size:
            assert sign_test(a, b, ties="split").pvalue >= sign_test(a, b).pvalue - 1e-12


def test_sign_test_knows_the_order_of_scores_only():
    a, b = with_ties()
    transformed = sign_test(np.exp(9 * a) + np.arange(14), np.exp(9 * b) + np.arange(14))
    assert transformed.pvalue == sign_test(a, b).pvalue


# Signed-rank test


def test_signed_ranks_of_demsar():
    scores = demsar()
    result = signed_rank_test(scores[:, 1], scores[:, 0])
    assert (result.rank_sum_a, result.rank_sum_b) == (93, 12)  # Demsar (2006), section 3.1.3
    assert (result.statistic, result.n, result.n_zero) == (93, 14, 2)
    assert result.pvalue == 0.0078125  # 64 / 2**13 by enumeration
    assert result.effect_size == (93 - 12) / 105
    # Demsar's z knows neither ties nor zeros
    z = (result.rank_sum_b - 14 * 15 / 4) / (14 * 15 * 29 / 24) ** 0.5
    assert z == pytest.approx(-2.5424475, abs=5e-8)
    assert 2 * stats.norm.cdf(z) == pytest.approx(0.0110079, abs=5e-8)
    # the variance given the ranks, a quarter of the sum of their squares, is 252.375
    normal = signed_rank_test(scores[:, 1], scores[:, 0], method="normal")
    assert normal.z == pytest.approx((93 - 52.5) / 252.375**0.5, rel=1e-12)
    assert normal.pvalue == pytest.approx(2 * stats.norm.sf(normal.z), rel=1e-9)


@pytest.mark.parametrize(
    ("zero_method", "smaller", "exact", "normal"),
    [("wilcox", 6.5, 0.0073242, 0.0107571), ("pratt", 10.5, 0.0078125, 0.0107920)],
)
def test_other_zero_methods_on_demsar(zero_method, smaller, exact, normal):
    # exact: by enumeration; normal: scipy 1.17.1, wilcoxon(method="approx"), whose variance is ours for these two
    a, b = demsar()[:, 1], demsar()[:, 0]
    result = signed_rank_test(a, b, zero_method=zero_method)
    assert min(result.rank_sum_a, result.rank_sum_b) == smaller
    assert result.pvalue == pytest.approx(exact, abs=5e-8)
    assert signed_rank_test(a, b, zero_method=zero_method, method="normal").pvalue == pytest.approx(normal, abs=5e-8)


@pytest.mark.parametrize(
    ("alpha", "first", "critical"),
    [
        (0.05, 6, [0, 2, 3, 5, 8, 10, 13, 17, 21, 25, 29, 34, 40, 46, 52, 58, 65, 73, 81, 89]),
        (0.01, 8, [0, 1, 3, 5, 7, 9, 12]),
    ],
)
def test_critical_rank_sums(alpha, first, critical):
    # exact two-sided tables; 21 for 14 data sets is in Demsar (2006), section 3.1.3
    for n, largest in enumerate(critical, first):
        tail = lower_tail(tuple(range(1, n + 1)), n * (n + 1) // 4)
        assert 2 * tail[largest] <= alpha < 2 * tail[largest + 1]


def test_54_data_sets():
    # normal p-values; Benavoli et al. (2017) print in their notebook, with zeros dropped and a continuity correction,
    # .000, .001, .463, .394, .654, .077, .106, .067 and .084
    means = uci_means()
    for pair, split, dropped in [
        (("nbc", "aode"), 0.0000, 0.0000),
        (("nbc", "hnb"), 0.0005, 0.0005),
        (("nbc", "j48"), 0.4435, 0.4607),
        (("nbc", "j48gr"), 0.3798, 0.3920),
        (("aode", "hnb"), 0.6512, 0.6512),
        (("aode", "j48"), 0.0747, 0.0758),
        (("aode", "j48gr"), 0.1055, 0.1050),
        (("hnb", "j48"), 0.0660, 0.0660),
        (("hnb", "j48gr"), 0.0827, 0.0827),
    ]:
        for zero_method, expected in (("zsplit", split), ("wilcox", dropped)):
            a, b = (means[name] for name in pair)
            result = signed_rank_test(a, b, method="normal", zero_method=zero_method)
            assert result.pvalue == pytest.approx(expected, abs=6e-5)
            exact = signed_rank_test(a, b, zero_method=zero_method)
            assert exact.exact
            assert exact.pvalue == pytest.approx(result.pvalue, abs=0.007)


def test_hollander_and_wolfe():
    # Hamilton depression scale of nine patients at two visits, Hollander and Wolfe (1973), page 29; the example of R's
    # wilcox.test: V = 40, one-sided p-value 0.01953, pseudomedian 0.46, 95 percent interval 0.010 to 0.786
    first = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
    second = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
    result = signed_rank_test(first, second, alternative="greater")
    assert (result.statistic, round(result.pvalue, 5)) == (40, 0.01953)
    assert result.estimate == pytest.approx(0.46)
    interval = signed_rank_test(first, second).confidence_interval()
    assert (interval.low, interval.high) == pytest.approx((0.010, 0.786))


def by_enumeration(d, zero_method, alternative):
    """The definition: all signs of the ranks of the differences that are not 0, given their ranks."""
    d = np.asarray(d)
    if zero_method == "wilcox" or (zero_method == "zsplit" and (d == 0).sum() % 2):
        drop = (d == 0).sum() if zero_method == "wilcox" else 1
        d = np.delete(d, np.flatnonzero(d == 0)[:drop])
    ranks = stats.rankdata(np.abs(d))[d != 0]
    signs = np.array(list(itertools.product([-1, 1], repeat=ranks.size)))
    observed, sums = np.sign(d[d != 0]) @ ranks, signs @ ranks
    greater, less = (sums >= observed).mean(), (sums <= observed).mean()
    return {"greater": greater, "less": less, "two-sided": min(1, 2 * min(greater, less))}[alternative]


@given(d=arrays(np.int64, st.integers(1, 9), elements=st.integers(-4, 4)))
def test_exact_pvalue_is_that_of_the_enumeration(d):
    b = np.full(d.size, 0.3)
    for zero_method, alternative in itertools.product(ZERO_METHODS, ALTERNATIVES):
        result = signed_rank_test(b + d / 10, b, zero_method=zero_method, alternative=alternative)
        assert result.pvalue == pytest.approx(by_enumeration(d, zero_method, alternative), rel=1e-12)


def test_the_counts_behind_an_exact_p_value(rng):
    # of the 16 subsets of the ranks 1 to 4 seven sum to at most 4, the smaller rank sum: 0, 1, 2, 3, 4, 1 + 2 and 1 + 3
    small = signed_rank_test([1.0, 2, 3, -4, 0], np.zeros(5))
    assert (small.n_extreme, small.n_rearrangements) == (14, 16)
    assert "14 of 16 rearrangements are as far out" in str(small).replace("\n", " ")
    sided = signed_rank_test([1.0, 2, 3], np.zeros(3), alternative="greater")
    assert (sided.n_extreme, sided.n_rearrangements) == (1, 8)
    assert "1 of 8 rearrangements is as far out" in str(sided).replace("\n", " ")
    many = signed_rank_test(rng.normal(0.2, 1, size=50), np.zeros(50))
    assert many.n_extreme / many.n_rearrangements == many.pvalue
    for none in (signed_rank_test([1.0, 2, 3], np.zeros(3), method="normal"), signed_rank_test([1.0], [1.0])):
        assert "rearrangement" not in str(none)
        assert (none.n_extreme, none.n_rearrangements) == ((1, 1) if none.exact else (0, 0))


@pytest.mark.parametrize("n", [3, 10, 40])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_without_ties_all_agree_with_scipy(n, alternative):
    a, b = continuous(n=n)
    theirs = stats.wilcoxon(a, b, alternative=alternative, method="exact")
    for zero_method in ZERO_METHODS:
        ours = signed_rank_test(a, b, alternative=alternative, zero_method=zero_method)
        assert ours.pvalue == pytest.approx(theirs.pvalue, rel=1e-9)
        assert ours.exact
    normal = signed_rank_test(a, b, alternative=alternative, method="normal")
    theirs = stats.wilcoxon(a, b, alternative=alternative, method="asymptotic", correction=False)
    assert normal.pvalue == pytest.approx(theirs.pvalue, rel=1e-9)


def test_interval_is_the_set_of_differences_that_are_not_rejected():
    for seed, alternative in itertools.product(range(5), ALTERNATIVES):
        a, b = continuous(seed, n=11)
        interval = signed_rank_test(a, b, alternative=alternative).confidence_interval(0.9)
        for limit, inwards in ((interval.low, 1), (interval.high, -1)):
            if np.isfinite(limit):
                for step, rejected in ((1e-9 * inwards, False), (-1e-9 * inwards, True)):
                    p = signed_rank_test(a - limit - step, b, alternative=alternative).pvalue
                    assert (p < 1 - 0.9) == rejected


def walsh_median(d):
    return np.median([(x + y) / 2 for x, y in itertools.combinations_with_replacement(d, 2)])


@pytest.mark.parametrize("zero_method", ["zsplit", "pratt"])
def test_the_estimate_is_of_all_data_sets_also_where_the_number_of_ties_is_odd(rng, zero_method):
    # by hand: of .01, .02, .03, .05, .06 and none to three zeros, the middle ones of 15, 21, 28 and 36 means of two
    for n_ties, median in enumerate((0.035, 0.03, 0.025, 0.02)):
        d = np.concatenate((np.zeros(n_ties), [0.01, 0.02, 0.03, 0.05, 0.06]))
        assert signed_rank_test(d, 0 * d, zero_method=zero_method).estimate == pytest.approx(median)
    for n_ties, null in itertools.product(range(5), (0.0, 0.125)):
        d = rng.permutation(np.concatenate((np.full(n_ties, null), rng.normal(0.3, 1, int(rng.integers(1, 12))))))
        result = signed_rank_test(d, 0 * d, zero_method=zero_method, null=null)
        assert (result.n, result.n_zero, len(result.differences)) == (d.size, n_ties, d.size)
        assert result.estimate == pytest.approx(walsh_median(d))
        pairs = pairwise_signed_rank_test(np.column_stack((d, 0 * d)), zero_method=zero_method)
        assert pairs.estimates[0, 1] == pytest.approx(walsh_median(d))


def test_ties_that_are_dropped_before_ranking_are_in_no_estimate(rng):
    d = np.concatenate((np.zeros(3), rng.normal(0.3, 1, 8)))
    for found in (d, d[3:]):
        assert signed_rank_test(found, 0 * found, zero_method="wilcox").estimate == pytest.approx(walsh_median(d[3:]))


@pytest.mark.sampled("simulations")
def test_the_interval_is_of_all_data_sets_and_leaves_out_0_where_the_test_rejects(rng):
    for _ in range(150):
        n_ties, digits = int(rng.integers(5)), int(rng.integers(1, 8))
        d = np.concatenate((np.zeros(n_ties), np.round(rng.normal(0.5, 1, int(rng.integers(2, 12))), digits)))
        options = {name: str(rng.choice(known)) for name, known in (("alternative", ALTERNATIVES), ("method", METHODS))}
        options |= {"zero_method": str(rng.choice(ZERO_METHODS)), "null": float(rng.choice([0.0, 0.25]))}
        result = signed_rank_test(d, 0 * d, **options)
        for level in (0.5, 0.8, 0.9, 0.95, 0.99, max(0.01, 1 - result.pvalue)):
            low, high = result.confidence_interval(level).low, result.confidence_interval(level).high
            rejected = result.pvalue < 1 - level
            left_out = low > result.null or high < result.null
            assert left_out == rejected or (rejected and result.null in (low, high))
            assert options["alternative"] != "two-sided" or low <= result.estimate <= high


def test_the_odd_tie_draws_the_interval_towards_0(rng):
    """Of positive differences the ends of the interval are no further from 0 than without the tie."""
    for n in (8, 12, 20):
        d = rng.uniform(0.1, 1, n)
        alone, tied = (signed_rank_test(x, 0 * x).confidence_interval(0.9) for x in (d, np.append(d, 0.0)))
        assert tied.low <= alone.low
        assert tied.high <= alone.high
        assert tied != alone


def test_auto_is_exact_up_to_200():
    for n, exact in ((200, True), (201, False)):
        result = signed_rank_test(*continuous(n=n, shift=0.2))
        assert (result.exact, "exact" in result.method, "normal" in result.method) == (exact, exact, not exact)
    a, b = continuous(n=400, shift=0.1)
    exact, normal = (signed_rank_test(a, b, method=method).pvalue for method in ("exact", "normal"))
    assert exact == pytest.approx(normal, rel=0.02)
    with pytest.raises(ValueError, match=r"^method must be 'normal' on more than 1000"):
        signed_rank_test(*continuous(n=1001), method="exact")


def test_counts_near_the_largest_float():
    result = signed_rank_test(np.arange(1, 1001), np.zeros(1000), method="exact")
    assert result.pvalue == 2.0**-999
    assert result.confidence_interval(0.95).low > 0


@pytest.mark.sampled("simulations")
@given(size=arrays(np.int64, 7, elements=st.integers(0, 4)))
def test_size_is_at_most_nominal_over_all_signs(size):
    signs = np.array(list(itertools.product([-1, 1], repeat=7)))
    for test, options in TESTS:
        if options.get("method") != "normal":
            pvalues = np.array([test(row, np.zeros(7), **options).pvalue for row in signs * size])
            for alpha in (0.05, 0.1, 0.25):
                assert (pvalues <= alpha).mean() <= alpha


@pytest.mark.sampled("simulations")
@pytest.mark.slow
@pytest.mark.parametrize("test", [sign_test, signed_rank_test])
def test_coverage_under_ties_and_zeros(rng, test):
    # differences rounded to whole numbers, symmetric around 1: about a quarter of them are ties in score
    repeats = 5000 if FULL else 1000
    covered = 0
    for _ in range(repeats):
        d = 1 + np.round(rng.normal(0, 1.5, 14))
        interval = test(d, np.zeros(14)).confidence_interval(0.9)
        covered += interval.low <= 1 <= interval.high
    assert covered / repeats >= 0.9 - 4 * (0.09 / repeats) ** 0.5


# Laws of both


@pytest.mark.sampled
@every_test
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("scores", [continuous, with_ties])
def test_swapping_the_models_mirrors_the_result(test, options, alternative, scores):
    for seed in range(5):
        a, b = scores(seed)
        ours = test(a, b, alternative=alternative, **options)
        theirs = test(b, a, alternative=MIRRORED[alternative], **options)
        assert (theirs.pvalue, theirs.estimate) == (ours.pvalue, -ours.estimate)
        for level in LEVELS:
            one, two = ours.confidence_interval(level), theirs.confidence_interval(level)
            assert (two.low, two.high) == (-one.high, -one.low)
        if test is sign_test:
            assert (theirs.wins, theirs.losses) == (ours.losses, ours.wins)
            assert theirs.effect_size == pytest.approx(1 - ours.effect_size)
        else:
            assert (theirs.rank_sum_a, theirs.z, theirs.effect_size) == (ours.rank_sum_b, -ours.z, -ours.effect_size)


@every_test
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n", [1, 2, 13])
def test_a_model_never_differs_from_itself(test, options, alternative, n):
    a, _ = continuous(n=n)
    for other in (a, (a * 3 + 1 - 1) / 3):
        result = test(other, a, alternative=alternative, **options)
        assert (result.pvalue, result.estimate) == (1, 0)
        assert "NO_DIFFERENCE" in codes(result)
        interval = result.confidence_interval()
        assert interval.low in (0, -np.inf)
        assert interval.high in (0, np.inf)
        assert (interval.low, interval.high) == (0, 0) or alternative != "two-sided"


@given(d=arrays(np.int64, st.integers(1, 12), elements=st.integers(-3, 5)), level=st.sampled_from(LEVELS))
def test_the_interval_agrees_with_the_test(d, level):
    b = np.full(d.size, 0.7)
    ties = (d == 0).any() or np.isin(-d, d).any()
    for (test, options), alternative in itertools.product(TESTS, ALTERNATIVES):
        result = test(b + d / 10, b, alternative=alternative, **options)
        interval = result.confidence_interval(level)
        assert interval.low <= interval.high
        rejected = result.pvalue < 1 - level
        if not d.any():
            continue
        if rejected:
            assert not interval.low < 0 < interval.high
            assert ties or not interval.low <= 0 <= interval.high
        else:
            assert interval.low <= 0 <= interval.high
        if alternative == "two-sided":
            assert interval.low <= result.estimate + 1e-12
            assert result.estimate <= interval.high + 1e-12


@pytest.mark.sampled("simulations")
@every_test
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_without_ties_the_interval_leaves_out_0_exactly_on_rejection(test, options, alternative):
    for seed, n in itertools.product(range(10), (1, 4, 9, 30)):
        result = test(*continuous(seed, n), alternative=alternative, **options)
        for level in (*LEVELS, 1 - 2 * result.pvalue / 3, 1 - result.pvalue):
            if 0 < level < 1:
                interval = result.confidence_interval(level)
                # in floating point 1 - (1 - p) may fall on the other side of p
                if abs(1 - level - result.pvalue) > 1e-12:
                    assert (result.pvalue < 1 - level) == (not interval.low <= 0 <= interval.high)
        if test is sign_test:
            for level in LEVELS:
                share = result.share_interval(level)
                assert (result.pvalue < 1 - level) == (not share.low <= 0.5 <= share.high)


@every_test
def test_order_and_units_are_irrelevant(rng, test, options):
    for scores in (continuous, with_ties):
        a, b = scores()
        result = test(a, b, **options)
        order = rng.permutation(14)
        assert test(a[order], b[order], **options) == result
        # signed ranks keep one linear transform of all scores, and another constant per data set
        moved = test(1000 * a + np.arange(14), 1000 * b + np.arange(14), **options)
        assert moved.pvalue == result.pvalue
        assert moved.estimate == pytest.approx(1000 * result.estimate)
        flipped = test(-b, -a, **options)
        assert (flipped.pvalue, flipped.estimate) == (result.pvalue, result.estimate)


@every_test
def test_the_laws_of_every_record(test, options):
    for scores in (continuous, with_ties):
        assert_lawful(test, *scores(), **options)


@every_test
def test_differences_within_rounding_are_ties(test, options):
    # 0.768 - 0.763 and 0.936 - 0.931 are one size, and 0.1 + 0.2 is 0.3
    a = [0.768, 0.931, 0.1 + 0.2, 0.9, 0.8, 0.7, 0.6]
    b = [0.763, 0.936, 0.3, 0.8, 0.6, 0.4, 0.2]
    result = test(a, b, **options)
    whole = test([5, 0, 0, 100, 200, 300, 400], [0, 5, 0, 0, 0, 0, 0], **options)
    assert result.pvalue == whole.pvalue
    assert result.estimate == pytest.approx(whole.estimate / 1000)


@every_test
def test_few_data_sets_cannot_reject(test, options):
    if options.get("method") == "normal":
        assert "APPROXIMATE" in codes(test(*wins(5, 0), **options))
        return
    for n, alternative, warned in ((5, "two-sided", True), (6, "two-sided", False), (4, "less", True)):
        a, b = -np.arange(1.0, n + 1), np.zeros(n)
        result = test(a, b, alternative=alternative, **options)
        assert (result.pvalue >= 0.05) == warned
        assert codes(result) == (["CANNOT_REJECT"] if warned else [])
        assert np.isinf(result.confidence_interval().high) == warned
    one = test([0.8], [0.7], **options)
    assert (one.pvalue, one.confidence_interval().low) == (1, -np.inf)


@every_test
@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ([1, np.nan], [1, 2], "a must be finite"),
        ([1, 2], [np.inf, 2], "b must be finite"),
        ([1, 2], [1, 2, 3], "a and b must be paired"),
        ([[1, 2]], [[1, 2]], r"a must have 1 dimension"),
        ([], [], "a must hold at least one value"),
        ("good", [1], "a must be an array of numbers"),
        ([1e308], [-1e308], "a and b must differ by at most 1e\\+300"),
    ],
)
def test_bad_scores_are_refused_by_name(test, options, a, b, message):
    with pytest.raises(ValueError, match="^" + message):
        test(a, b, **options)


@pytest.mark.parametrize(
    ("test", "option", "value"),
    [
        (sign_test, "ties", "zsplit"),
        (sign_test, "alternative", "bigger"),
        (signed_rank_test, "zero_method", "drop"),
        (signed_rank_test, "method", "asymptotic"),
        (signed_rank_test, "alternative", None),
    ],
)
def test_bad_options_are_refused_by_name(test, option, value):
    with pytest.raises(ValueError, match=f"(^|[?] ){option} must be one of"):
        test(*continuous(), **{option: value})
    for level in (0, 1, np.nan, "x"):
        with pytest.raises(ValueError, match=r"^confidence_level must be"):
            test(*continuous()).confidence_interval(level)


@given(
    a=arrays(np.float64, 6, elements=st.floats(-1e299, 1e299)),
    b=arrays(np.float64, 6, elements=st.one_of(st.floats(-1e299, 1e299), st.sampled_from([0.0, 5e-324, 1e-200]))),
)
def test_extreme_input_never_gives_nan(a, b):
    for test, options in TESTS:
        result = test(a, b, **options)
        interval = result.confidence_interval()
        assert 0 <= result.pvalue <= 1
        assert np.isfinite([result.estimate, result.effect_size, result.statistic]).all()
        assert interval.low <= result.estimate <= interval.high


# All pairs


def table(seed=0, n=14, k=4, decimals=None):
    scores = np.random.default_rng(seed).normal(size=(n, k)) + np.arange(k) / 2
    return scores if decimals is None else scores.round(decimals)


@pytest.mark.parametrize("zero_method", ZERO_METHODS)
@pytest.mark.parametrize("scores", [table(), table(1, 15, 5, 0), demsar(), table(2, 205, 3, 1)], ids=len)
def test_each_pair_is_tested_as_alone(zero_method, scores):
    result = pairwise_signed_rank_test(scores, zero_method=zero_method)
    for i, j in itertools.permutations(range(scores.shape[1]), 2):
        alone = signed_rank_test(scores[:, i], scores[:, j], zero_method=zero_method)
        assert result.pvalues_unadjusted[i, j] == pytest.approx(alone.pvalue, rel=1e-12)
        assert result.estimates[i, j] == alone.estimate
        assert result.statistics[i, j] == alone.rank_sum_a - alone.rank_sum_b
        assert ("exact" in result.method) == alone.exact
    assert (np.diag(result.pvalues) == 1).all()
    assert np.array_equal(result.pvalues, result.pvalues.T)
    upper = np.triu_indices(scores.shape[1], 1)
    assert np.array_equal(result.pvalues[upper], adjust_pvalues(result.pvalues_unadjusted[upper], "holm"))


def test_many_pairs_in_several_blocks(monkeypatch):
    scores = table(3, 12, 6, 1)
    whole = pairwise_signed_rank_test(scores)
    monkeypatch.setattr("skcompare.inference.datasets.signed_rank._BLOCK", 200)
    parts = pairwise_signed_rank_test(scores)
    assert np.array_equal(parts.pvalues, whole.pvalues)
    assert np.array_equal(parts.estimates, whole.estimates)


def test_permuting_models_or_data_sets_permutes_the_result(rng):
    for scores in (table(), table(1, 15, 5, 0)):
        result = pairwise_signed_rank_test(scores)
        models = rng.permutation(scores.shape[1])
        permuted = pairwise_signed_rank_test(scores[:, models])
        shuffled = pairwise_signed_rank_test(rng.permutation(scores))
        flipped = pairwise_signed_rank_test(-scores, greater_is_better=False)
        for name in ("pvalues", "pvalues_unadjusted", "estimates", "statistics"):
            expected = getattr(result, name)
            assert np.array_equal(getattr(permuted, name), expected[np.ix_(models, models)])
            assert np.array_equal(getattr(shuffled, name), expected)
            assert np.array_equal(getattr(flipped, name), expected)


@pytest.mark.parametrize("correction", ["none", "bonferroni", "holm", "shaffer", "bergmann", "hommel", "fdr_bh"])
def test_corrections_of_all_pairs(correction):
    result = pairwise_signed_rank_test(table(), correction=correction, names=list("abcd"))
    assert result.correction == correction
    assert (result.pvalues >= result.pvalues_unadjusted).all()
    assert result.rank().names == tuple("abcd")
    pytest.importorskip("pandas")
    assert len(result.to_frame()) == 6


def test_two_models_need_no_adjustment_and_equal_ones_no_difference():
    scores = table(k=2)
    result = pairwise_signed_rank_test(scores)
    assert np.array_equal(result.pvalues, result.pvalues_unadjusted)
    equal = pairwise_signed_rank_test(np.repeat(scores[:, :1], 3, axis=1))
    assert (equal.pvalues == 1).all()
    assert (equal.estimates == 0).all()
    assert (equal.statistics == 0).all()
    many = pairwise_signed_rank_test(np.ones((250, 3)))
    assert (many.pvalues == 1).all()
    assert codes(pairwise_signed_rank_test(table(n=5))) == ["CANNOT_REJECT"]
    assert (pairwise_signed_rank_test(table(n=1)).pvalues == 1).all()


def test_the_laws_of_every_record_of_pairs():
    assert_lawful(pairwise_signed_rank_test, table())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"correction": "tukey"}, "correction must be one of"),
        ({"zero_method": "drop"}, "zero_method must be one of"),
        ({"greater_is_better": "yes"}, "greater_is_better must be a bool"),
        ({"names": ["a"]}, "names must be 4 strings"),
        ({"scores": [[1.0, np.nan]]}, "scores must be finite"),
        ({"scores": [1.0, 2.0]}, r"scores must have 2 dimensions"),
        ({"scores": [[1.0]]}, "scores must have at least"),
        ({"scores": [[1e308, -1e308]]}, "scores must be at most 1e\\+300 in size"),
    ],
)
def test_bad_tables_are_refused_by_name(options, message):
    arguments = {"scores": table()} | options
    with pytest.raises(ValueError, match="^" + message):
        pairwise_signed_rank_test(arguments.pop("scores"), **arguments)


def test_a_level_that_no_p_value_of_so_many_differences_reaches_has_no_bounds_whatever_is_tied(rng):
    for _ in range(200):
        n, level = int(rng.integers(2, 12)), float(rng.choice([0.5, 0.9, 0.95, 0.99, 0.999]))
        d = rng.integers(-2, 4, n) / 8
        if not d.any():
            continue
        found = signed_rank_test(d, np.zeros(n)).confidence_interval(level)
        reached = 2.0 ** (1 - n) < 1 - level - 1e-12  # the smallest two-sided p-value of n differences
        assert [*np.isfinite([found.low, found.high])] == [reached, reached], (d, level)


@pytest.mark.parametrize("n", [2, 9, 40])
def test_limits_of_signed_ranks_are_the_same_from_all_averages_or_by_bisection(n, monkeypatch, global_random_seed):
    differences = np.random.default_rng(global_random_seed).normal(size=n).round(1)
    known = signed_rank_test(differences, np.zeros(n)).confidence_interval(0.95)
    monkeypatch.setattr("skcompare.inference.datasets.signed_rank.MOST_AVERAGES", 0)
    assert signed_rank_test(differences, np.zeros(n)).confidence_interval(0.95) == known
