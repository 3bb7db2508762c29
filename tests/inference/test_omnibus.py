"""Reference values and laws of the tests that many models do equally well on many data sets."""

import csv
import dataclasses
import gzip
import itertools
import math
from fractions import Fraction
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy import stats

from skcompare.inference import (
    OmnibusResult,
    aligned_ranks_test,
    anova_test,
    friedman_test,
    kruskal_test,
    quade_test,
    skillings_mack_test,
)
from skcompare.inference.outcomes.agreement import rearranged_pvalue
from tests.lawful import assert_lawful, codes

pytestmark = pytest.mark.sampled

DATA = Path(__file__).parents[2] / "docs" / "data"
nan = math.nan

asymptotic_friedman = partial(friedman_test, method="asymptotic")
one_way = partial(anova_test, repeated=False)

PROCEDURES = {
    "friedman": friedman_test,
    "friedman f": asymptotic_friedman,
    "friedman chi2": partial(asymptotic_friedman, statistic="chi2"),
    "friedman exact": partial(friedman_test, method="exact"),
    "friedman Demsar": partial(asymptotic_friedman, statistic="chi2", tie_correction=False),
    "aligned ranks": aligned_ranks_test,
    "aligned ranks Garcia": partial(aligned_ranks_test, tie_correction=False),
    "quade": quade_test,
    "quade untied": partial(quade_test, tie_correction=False),
    "anova": anova_test,
    "anova spherical": partial(anova_test, sphericity=None),
    "anova huynh_feldt": partial(anova_test, sphericity="huynh_feldt"),
    "one-way": one_way,
    "kruskal": kruskal_test,
    "skillings_mack": skillings_mack_test,
    "skillings_mack paper": partial(skillings_mack_test, tie_correction=False),
}
EVERY = pytest.mark.parametrize("test", PROCEDURES.values(), ids=PROCEDURES)
UNPAIRED = {"one-way", "kruskal"}
# within a data set only the order of the scores counts
WITHIN = {name for name in PROCEDURES if name.startswith(("friedman", "skillings"))}

# Scores of small whole numbers, full of ties
tied_tables = arrays(
    np.float64, array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=5), elements=st.integers(0, 3)
)
# Scores without ties or rounding: small whole numbers in any order
plain_tables = st.tuples(st.integers(2, 7), st.integers(2, 5)).flatmap(
    lambda shape: st.permutations(range(shape[0] * shape[1])).map(lambda p: np.reshape(p, shape).astype(float))
)


def read(name):
    """The scores of a published table."""
    with (DATA / f"{name}.csv").open() as file:
        return np.array([[float(x) for x in row[1:]] for row in list(csv.reader(file))[1:]])


def read_54_sets():
    """Mean accuracy of the classifiers on 54 data sets."""
    sums = {}
    with gzip.open(DATA / "uci54_10x10cv_accuracy.csv.gz", "rt") as file:
        for row in csv.DictReader(file):
            sums.setdefault(row["dataset"], {}).setdefault(row["classifier"], []).append(float(row["accuracy"]))
    return np.array([[np.mean(s[c]) for c in ("nbc", "aode", "hnb", "j48", "j48gr")] for s in sums.values()])


DEMSAR, GH2008, GH2010 = read("demsar_2006_auc"), read("garcia_herrera_2008"), read("garcia_2010")
# The three groups of a textbook example of one-way analysis of variance, taken as models on five data sets
GROUPS = np.transpose([[24.5, 23.5, 26.4, 27.1, 29.9], [28.4, 34.2, 29.5, 32.2, 30.1], [26.1, 28.3, 24.3, 26.2, 27.8]])
# Skillings and Mack (1981), table 1: minutes to assemble a product in four ways
ASSEMBLY = [
    [3.2, 4.1, 3.8, 4.2],
    [3.1, 3.9, 3.4, 4.0],
    [4.3, 3.5, 4.6, 4.8],
    [3.5, 3.6, 3.9, 4.0],
    [3.6, 4.2, 3.7, 3.9],
    [4.5, 4.7, 3.7, nan],
    [nan, 4.2, 3.4, nan],
    [4.3, 4.6, 4.4, 4.9],
    [3.5, nan, 3.7, 3.9],
]


def same(a, b, rel=1e-9):
    """Whether two results tell the same, up to rounding."""
    for field in ("statistic", "pvalue", "df", "effect_size"):
        assert getattr(a, field) == pytest.approx(getattr(b, field), rel=rel, abs=1e-12, nan_ok=True), field
    np.testing.assert_allclose(a.means, b.means, rtol=rel, atol=1e-12)
    assert (a.exact, a.n, a.method, a.warnings) == (b.exact, b.n, b.method, b.warnings)
    return True


# Reference values. Where no other source is named they were computed apart from this code by the formulas of the papers
# (scipy 1.17.1, statsmodels 0.15.0 and scikit-posthocs 0.17.1 agree where they have the procedure).


@pytest.mark.parametrize(
    ("scores", "mean_ranks", "chi2", "chi2_tied", "f", "f_tied"),
    [
        # Demsar (2006), table 6 as printed, with "voting" tied; the tied one is scipy 1.17.1's
        (DEMSAR, [3.142857, 2, 2.928571, 1.928571], 9.857143, 10.952381, 3.986667, 4.585890),
        # Garcia and Herrera (2008), the data of scmamp
        (GH2008, [2.1, 3.25, 2.2, 4.3333, 3.1167], 39.646667, 39.912752, 14.308720, None),
        # Garcia et al. (2010)
        (GH2010, [1.770833, 2.479167, 2.479167, 3.270833], 16.225, None, 6.690722, None),
        # Benavoli et al. (2017)
        (read_54_sets(), [3.685185, 2.444444, 2.703704, 3.25, 2.916667], 20.203704, 20.840497, None, None),
    ],
    ids=["Demsar", "GH2008", "GH2010", "54 sets"],
)
def test_friedman_on_published_tables(scores, mean_ranks, chi2, chi2_tied, f, f_tied):
    n, k = scores.shape
    for tie_correction, expected_chi2, expected_f in ((False, chi2, f), (True, chi2_tied, f_tied)):
        by_chi2 = friedman_test(scores, statistic="chi2", tie_correction=tie_correction, method="asymptotic")
        by_f = friedman_test(scores, tie_correction=tie_correction, method="asymptotic")
        np.testing.assert_allclose(by_f.means, mean_ranks, atol=5e-5)
        assert expected_chi2 is None or by_chi2.statistic == pytest.approx(expected_chi2, abs=5e-7)
        assert expected_f is None or by_f.statistic == pytest.approx(expected_f, abs=5e-7)
        assert by_chi2.df == (k - 1,)
        assert by_f.df == (k - 1, (k - 1) * (n - 1))
        assert by_f.effect_size == pytest.approx(by_chi2.statistic / (n * (k - 1)), rel=1e-12)
        assert not by_f.exact


def test_friedmans_pvalues_on_published_tables():
    demsar = partial(asymptotic_friedman, DEMSAR)
    assert demsar(statistic="chi2", tie_correction=False).pvalue == pytest.approx(0.0198203, abs=5e-8)
    assert demsar(statistic="chi2").pvalue == pytest.approx(0.0119862, abs=5e-8)
    assert demsar(tie_correction=False).pvalue == pytest.approx(0.0143524, abs=5e-8)
    assert demsar().pvalue == pytest.approx(0.0076288, abs=5e-8)
    garcia = partial(asymptotic_friedman, tie_correction=False)
    assert garcia(GH2008, statistic="chi2").pvalue == pytest.approx(5.12e-8, rel=5e-4)
    assert garcia(GH2008).pvalue == pytest.approx(1.593e-9, rel=5e-4)
    assert garcia(GH2010, statistic="chi2").pvalue == pytest.approx(0.00101967, abs=5e-9)
    assert garcia(GH2010).pvalue == pytest.approx(0.000497, abs=5e-7)
    assert asymptotic_friedman(read_54_sets(), statistic="chi2").pvalue == pytest.approx(0.00034058, abs=5e-9)


def test_demsars_own_ranks_of_voting():
    # Demsar (2006), section 3.2.2, from unrounded areas: chi-squared 9.28, F 3.69
    scores = DEMSAR.copy()
    scores[12] = [0.972, 0.981, 0.9754, 0.9751]
    result = friedman_test(scores, statistic="chi2", tie_correction=False, method="asymptotic")
    assert result.statistic == pytest.approx(9.278571, abs=5e-7)
    assert result.means == pytest.approx([3.142857, 2.0, 2.892857, 1.964286], abs=5e-7)
    assert asymptotic_friedman(scores, tie_correction=False).statistic == pytest.approx(3.686313, abs=5e-7)


def test_friedman_agrees_with_r():
    # R's help page of friedman.test, Hollander and Wolfe's rounding of first base: chi-squared 11.143, p 0.003805
    times = """5.40 5.50 5.55 5.85 5.70 5.75 5.20 5.60 5.50 5.55 5.50 5.40 5.90 5.85 5.70 5.45 5.55 5.60 5.40 5.40 5.35
        5.45 5.50 5.35 5.25 5.15 5.00 5.85 5.80 5.70 5.25 5.20 5.10 5.65 5.55 5.45 5.60 5.35 5.45 5.05 5.00 4.95 5.50
        5.50 5.40 5.45 5.55 5.50 5.55 5.55 5.35 5.45 5.50 5.55 5.50 5.45 5.25 5.65 5.60 5.40 5.70 5.65 5.55 6.30 6.30
        6.25"""
    scores = np.reshape([float(x) for x in times.split()], (22, 3))
    result = asymptotic_friedman(scores, statistic="chi2", greater_is_better=False)
    assert result.statistic == pytest.approx(11.143, abs=5e-4)
    assert result.pvalue == pytest.approx(0.003805, abs=5e-7)


@pytest.mark.parametrize("options", [{}, {"statistic": "chi2"}, {"tie_correction": False}])
def test_the_exact_pvalue_of_demsars_table(options):
    result = friedman_test(DEMSAR, method="exact", **options)
    assert result.pvalue == pytest.approx(0.0091250, abs=5e-8)
    assert result.exact


def test_exact_pvalues_of_four_data_sets_and_three_models():
    # the tables of Friedman (1937): chi-squared 6.5 has probability 0.042, and 8 has 0.0046
    table = -np.array([[1, 2, 3], [1, 2, 3], [1, 2, 3], [1, 3, 2]])
    result = friedman_test(table, statistic="chi2", method="auto")
    assert (result.statistic, result.exact) == (pytest.approx(6.5), True)
    assert result.pvalue == pytest.approx(0.0416667, abs=5e-8)
    assert asymptotic_friedman(table, statistic="chi2").pvalue == pytest.approx(0.0388, abs=5e-5)
    assert friedman_test(table[[0, 1, 2, 2]], statistic="chi2", method="auto").pvalue == pytest.approx(
        0.0046296, abs=5e-8
    )


def test_aligned_ranks_on_published_tables():
    # Garcia et al.'s formula without a correction for ties, as in scmamp
    result = aligned_ranks_test(DEMSAR, tie_correction=False)
    assert result.means == pytest.approx([38.25, 22.964286, 34.785714, 18], abs=5e-7)
    assert result.statistic == pytest.approx(11.6404894, abs=5e-8)
    assert result.pvalue == pytest.approx(0.0087219, abs=5e-8)
    assert aligned_ranks_test(GH2008, tie_correction=False).statistic == pytest.approx(41.7283779, abs=5e-8)
    result = aligned_ranks_test(GH2010, tie_correction=False)
    assert result.statistic == pytest.approx(22.2671085, abs=5e-8)
    assert result.pvalue == pytest.approx(5.74e-5, rel=5e-4)


def test_quade_on_published_tables():
    assert quade_test(DEMSAR).statistic == pytest.approx(4.6279052, abs=5e-8)
    assert quade_test(DEMSAR).pvalue == pytest.approx(0.0073027, abs=5e-8)
    assert quade_test(DEMSAR, tie_correction=False).statistic == pytest.approx(4.4935369, abs=5e-8)
    assert quade_test(DEMSAR, tie_correction=False).pvalue == pytest.approx(0.0084003, abs=5e-8)
    assert quade_test(GH2008).statistic == pytest.approx(10.9434041, abs=5e-8)
    assert quade_test(GH2008).pvalue == pytest.approx(1.455e-7, rel=5e-4)
    # in exact fractions
    assert quade_test(GH2010).statistic == pytest.approx(11.767101928445536, rel=1e-12)
    assert quade_test(GH2010).pvalue == pytest.approx(2.580e-6, rel=5e-4)


def test_quade_agrees_with_r():
    # R's help page of quade.test, Conover's hand lotions in seven stores: F 3.8293 on 4 and 24, p 0.01519
    sold = [
        [5, 4, 7, 10, 12],
        [1, 3, 1, 0, 2],
        [16, 12, 22, 22, 35],
        [5, 4, 3, 5, 4],
        [10, 9, 7, 13, 10],
        [19, 18, 28, 37, 58],
        [10, 7, 6, 8, 7],
    ]
    result = quade_test(sold)
    assert result.statistic == pytest.approx(3.8293, abs=5e-5)
    assert result.pvalue == pytest.approx(0.01519, abs=5e-6)
    assert result.df == (4, 24)


def test_analysis_of_variance_of_a_textbook_example():
    result = one_way(GROUPS)
    assert (result.statistic, result.df) == (pytest.approx(7.1378278, abs=5e-8), (2, 12))
    assert result.pvalue == pytest.approx(0.0090733, abs=5e-8)
    # statsmodels 0.15.0, AnovaRM
    spherical = anova_test(GROUPS, sphericity=None)
    assert (spherical.statistic, spherical.df) == (pytest.approx(7.3710627, abs=5e-8), (2, 8))
    assert spherical.pvalue == pytest.approx(0.0153121, abs=5e-8)
    corrected = anova_test(GROUPS)
    assert corrected.statistic == spherical.statistic
    assert corrected.df[0] / 2 == pytest.approx(0.6567956, abs=5e-8)
    assert corrected.pvalue == pytest.approx(0.0357419, abs=5e-8)
    assert anova_test(GROUPS, sphericity="huynh_feldt").df[0] / 2 == pytest.approx(0.8501974, abs=5e-8)
    assert corrected.means == pytest.approx(GROUPS.mean(axis=0))
    assert corrected.means_of == "score"


def test_kruskal_and_wallis_of_a_textbook_example():
    result = kruskal_test(GROUPS)
    assert result.statistic == pytest.approx(7.94, abs=5e-9)
    assert result.pvalue == pytest.approx(0.0188734, abs=5e-8)
    # on shared data sets it sees nothing (scipy 1.17.1)
    result = kruskal_test(DEMSAR)
    assert result.statistic == pytest.approx(0.4864, abs=5e-5)
    assert result.pvalue == pytest.approx(0.922, abs=5e-4)


def test_skillings_and_macks_example():
    # the statistic and p-value that R's Skillings.Mack 1.10 prints for table 1 of the paper
    result = skillings_mack_test(ASSEMBLY, greater_is_better=False)
    assert result.statistic == pytest.approx(15.493049, abs=5e-7)
    assert result.pvalue == pytest.approx(0.001440296302, abs=5e-13)
    assert (result.df, result.n) == ((3,), 9)
    assert result.statistic == pytest.approx(skillings_mack_test(ASSEMBLY, tie_correction=False).statistic)


def test_skillings_and_mack_agrees_with_pmcmrplus():
    # Hollander and Wolfe's example on the help page of PMCMRplus' skillingsMackTest, with the values that the tests of
    # tlsfuzzer quote from it
    table = np.transpose([[3, 1, 5, 2, 0, 0, 0, 0], [5, 3, 4, nan, 2, 2, 3, 2], [15, 18, 21, 6, 17, 10, 8, 13]])
    result = skillings_mack_test(table)
    assert result.statistic == pytest.approx(13.28095, abs=5e-6)
    assert result.pvalue == pytest.approx(0.001306405, abs=5e-10)


def test_skillings_and_mack_with_many_scores_missing_and_a_tie():
    # from the tests of tlsfuzzer's skillings_mack_test, which does not allow for ties
    table = [
        [3, 5, 15, nan, 4],
        [1, 3, nan, nan, nan],
        [5, 4, 21, 5, nan],
        [2, nan, 6, nan, nan],
        [0, 2, 17, nan, nan],
        [0, 2, 10, nan, nan],
        [0, 3, nan, 5, nan],
        [0, 2, 13, nan, nan],
    ]
    result = skillings_mack_test(table, tie_correction=False)
    assert (result.statistic, result.df) == (pytest.approx(12.53551, abs=5e-6), (4,))
    assert result.pvalue == pytest.approx(0.01378318, abs=5e-9)
    assert skillings_mack_test(table).statistic > result.statistic


# Independent oracles


@given(tied_tables)
def test_friedman_agrees_with_scipy(scores):
    assume(scores.shape[1] > 2 and (np.ptp(scores, axis=1) > 0).any())
    statistic, pvalue = stats.friedmanchisquare(*scores.T)
    result = asymptotic_friedman(scores, statistic="chi2")
    assert result.statistic == pytest.approx(statistic, rel=1e-9, abs=1e-12)
    assert result.pvalue == pytest.approx(pvalue, rel=1e-9)


@given(tied_tables)
def test_kruskal_and_one_way_agree_with_scipy(scores):
    assume(np.ptp(scores) > 0 and (np.ptp(scores, axis=1) > 0).any() and (np.ptp(scores, axis=0) > 0).any())
    for test, peer in ((kruskal_test, stats.kruskal), (one_way, stats.f_oneway)):
        statistic, pvalue = peer(*scores.T)
        result = test(scores)
        assert result.statistic == pytest.approx(statistic, rel=1e-9, abs=1e-9)
        # scipy has nan for a statistic of equal means that rounding makes negative, of which all others are as large
        assert result.pvalue == pytest.approx(1.0 if statistic < 0 else pvalue, rel=1e-8)


def test_repeated_measures_agree_with_statsmodels():
    pandas = pytest.importorskip("pandas")
    from statsmodels.stats.anova import AnovaRM

    for scores in (DEMSAR, GH2010):
        n, k = scores.shape
        frame = pandas.DataFrame(
            {"score": scores.ravel(), "data": np.repeat(np.arange(n), k), "model": np.tile(np.arange(k), n)}
        )
        row = AnovaRM(frame, "score", "data", within=["model"]).fit().anova_table.iloc[0]
        result = anova_test(scores, sphericity=None)
        assert result.statistic == pytest.approx(row["F Value"], rel=1e-9)
        assert result.pvalue == pytest.approx(row["Pr > F"], rel=1e-8)
        assert result.df == (row["Num DF"], row["Den DF"])


@pytest.mark.parametrize("seed", range(5))
def test_epsilon_from_orthonormal_contrasts(seed):
    scores = np.random.default_rng(seed).normal(size=(12, 5)) * [1, 2, 3, 4, 5]
    contrasts = np.linalg.qr(np.column_stack([np.ones(5), np.eye(5)[:, :4]]))[0][:, 1:]
    covariance = np.cov(scores @ contrasts, rowvar=False)
    epsilon = np.trace(covariance) ** 2 / (4 * np.trace(covariance @ covariance))
    result = anova_test(scores)
    assert result.df == pytest.approx((4 * epsilon, 44 * epsilon), rel=1e-9)
    assert result.pvalue == pytest.approx(stats.f.sf(result.statistic, *result.df), rel=1e-9)
    larger = min(1, (12 * 4 * epsilon - 2) / (4 * (11 - 4 * epsilon)))
    assert anova_test(scores, sphericity="huynh_feldt").df[0] == pytest.approx(4 * larger, rel=1e-9)


def arrangements(scores):
    """All tables with the same scores on each data set, in all orders."""
    return itertools.product(*(itertools.permutations(row) for row in scores))


def brute_force_exact(scores):
    """Share of the arrangements with rank sums at least as uneven, in fractions."""
    ranks = [[Fraction(2 * r).limit_denominator(1) for r in stats.rankdata(row)] for row in scores]

    def unevenness(table):
        return sum(sum(column) ** 2 for column in zip(*table, strict=True))

    observed = unevenness(ranks)
    counts = [unevenness(table) >= observed for table in arrangements(ranks)]
    return Fraction(sum(counts), len(counts))


@given(arrays(np.float64, st.sampled_from([(2, 2), (4, 2), (2, 3), (3, 3), (2, 4)]), elements=st.integers(0, 3)))
@example(np.array([[1.0, 1, 2], [1, 1, 2], [1, 1, 2]]))
def test_the_exact_pvalue_is_the_share_of_all_arrangements(scores):
    expected = float(brute_force_exact(scores))
    for method in ("auto", "exact"):
        result = friedman_test(scores, method=method)
        assert result.exact
        assert result.pvalue == pytest.approx(expected, rel=1e-12)
        assert result.n_rearrangements == len(set(arrangements(scores.tolist())))
        assert Fraction(result.n_extreme, result.n_rearrangements) == brute_force_exact(scores)


def test_the_counts_behind_an_exact_p_value_are_printed_and_those_of_a_distribution_are_not(rng):
    scores = rng.normal(size=(5, 3))
    result = friedman_test(scores, method="exact")
    assert result.n_rearrangements == 6**5
    assert f"{result.n_extreme:,} of 7,776 rearrangements are as far out" in str(result).replace("\n", " ")
    for other in (friedman_test(scores), friedman_test(scores, test_fraction=0.2), anova_test(scores)):
        assert (other.n_extreme, other.n_rearrangements) == (0, 0)
        assert "rearrangement" not in str(other)
    # all alike: each of the 6 orders, on 20,000 data sets too, where the p-value is below all floats
    alike = friedman_test(np.tile([3.0, 2, 1], (20_000, 1)))
    assert (alike.pvalue, alike.n_extreme, alike.n_rearrangements) == (0, 6, 6**20_000)
    assert "6 of 1.06 x 10^15563 rearrangements" in str(alike).replace("\n", " ")  # 20,000 log10 6 = 15563.025


@settings(max_examples=8)
@given(arrays(np.float64, st.sampled_from([(2, 3), (3, 3)]), elements=st.integers(0, 3)))
def test_statistics_that_allow_for_ties_have_their_degrees_of_freedom_as_mean(scores):
    # the mean of a quadratic form over the arrangements, when its matrix is the inverse of their covariance
    assume((np.ptp(scores, axis=1) > 0).any())
    aligned = partial(aligned_ranks_test, tie_correction=True)
    for test in (partial(asymptotic_friedman, statistic="chi2"), aligned, skillings_mack_test):
        values = [test(table).statistic for table in arrangements(scores)]
        assert np.mean(values) == pytest.approx(scores.shape[1] - 1, rel=1e-9)


@pytest.mark.parametrize(
    "scores",
    [
        [[1, 2, 3, nan], [4, nan, 4, 1], [nan, nan, 1, 2]],
        [[1, 1, 2, nan], [nan, 4, 4, 1], [2, 1, nan, nan]],
        [[1, 2, nan, nan], [nan, nan, 3, 1], [2, 1, nan, nan]],
        [[1, 2, nan], [nan, 3, 3], [4, 6, nan]],
    ],
    ids=["gaps", "ties", "two sets of models", "a model that is only tied"],
)
def test_gaps_leave_the_mean_of_the_statistic_at_its_degrees_of_freedom(scores):
    rows = np.array(scores)

    def gapped(row):
        for order in itertools.permutations(row[~np.isnan(row)]):
            new = row.copy()
            new[~np.isnan(row)] = order
            yield new

    results = [skillings_mack_test(table) for table in itertools.product(*map(gapped, rows))]
    assert np.mean([r.statistic for r in results]) == pytest.approx(results[0].df[0], rel=1e-9)


@given(tied_tables, st.data())
def test_skillings_and_mack_by_a_pseudoinverse(scores, data):
    missing = data.draw(arrays(np.bool_, scores.shape))
    assume((missing.mean(axis=0) < 1).all() and ((~missing).sum(axis=1) > 1).sum() > 1)
    table = np.where(missing, nan, scores)
    sums, covariance = np.zeros(scores.shape[1]), np.zeros((scores.shape[1],) * 2)
    for row in table:
        here = np.flatnonzero(~np.isnan(row))
        if len(here) > 1:
            sums[here] += np.sqrt(12 / (len(here) + 1)) * (stats.rankdata(-row[here]) - (len(here) + 1) / 2)
            covariance[np.ix_(here, here)] -= 1
    covariance -= np.diag(covariance.sum(axis=1))
    result = skillings_mack_test(table, tie_correction=False)
    assert result.statistic == pytest.approx(sums @ np.linalg.pinv(covariance, hermitian=True) @ sums, abs=1e-9)
    assert 0 <= result.effect_size <= 1 + 1e-12
    assert 0 <= skillings_mack_test(table).effect_size <= 1 + 1e-12
    assert skillings_mack_test(table).statistic >= result.statistic - 1e-9 or result.df != skillings_mack_test(table).df


@given(tied_tables)
def test_quade_by_loops(scores):
    n, k = scores.shape
    weights = stats.rankdata(np.ptp(scores, axis=1))
    s = [[q * (r - (k + 1) / 2) for r in stats.rankdata(-row)] for q, row in zip(weights, scores, strict=True)]
    a = sum(x * x for row in s for x in row)
    b = sum(sum(column) ** 2 for column in zip(*s, strict=True)) / n
    assume(a > 0)
    result = quade_test(scores)
    if math.isinf(result.statistic):
        assert a == pytest.approx(b, rel=1e-12)
    else:
        assert result.statistic == pytest.approx((n - 1) * b / (a - b), rel=1e-9)


# Two models


@given(arrays(np.float64, st.integers(2, 12), elements=st.integers(-5, 5)))
def test_friedman_for_two_models_is_the_sign_test(differences):
    differences = differences[differences != 0]
    assume(len(differences) > 1)
    scores = np.column_stack([differences, np.zeros_like(differences)])
    n, wins = len(differences), int((differences > 0).sum())
    chi2 = asymptotic_friedman(scores, statistic="chi2").statistic
    assert chi2 == pytest.approx((2 * wins - n) ** 2 / n, abs=1e-12)
    assert skillings_mack_test(scores).statistic == pytest.approx(chi2, abs=1e-12)
    assert friedman_test(scores, method="exact").pvalue == pytest.approx(stats.binomtest(wins, n).pvalue, rel=1e-9)


def test_one_data_set_that_ranks_the_models_says_nothing_exact():
    for tie_correction in (True, False):
        result = friedman_test([[1, 2, 3], [2, 2, 2]], method="exact", tie_correction=tie_correction)
        assert result.pvalue == 1


@pytest.mark.parametrize("sphericity", [None, "greenhouse_geisser", "huynh_feldt"])
def test_analysis_of_variance_of_two_models_is_the_t_test(sphericity):
    for a, b in itertools.combinations(range(4), 2):
        result = anova_test(DEMSAR[:, [a, b]], sphericity=sphericity)
        paired = stats.ttest_rel(DEMSAR[:, a], DEMSAR[:, b])
        assert result.statistic == pytest.approx(paired.statistic**2, rel=1e-9)
        assert result.pvalue == pytest.approx(paired.pvalue, rel=1e-9)
        assert result.df == (1, 13)
        unpaired = stats.ttest_ind(DEMSAR[:, a], DEMSAR[:, b])
        assert one_way(DEMSAR[:, [a, b]]).statistic == pytest.approx(unpaired.statistic**2, rel=1e-9)


@given(arrays(np.float64, st.integers(2, 12), elements=st.integers(-50, 50)))
def test_quade_for_two_models_is_the_t_test_of_the_signed_ranks(differences):
    signed = np.sign(differences) * stats.rankdata(np.abs(differences))
    assume(np.ptp(signed) > 0)
    result = quade_test(np.column_stack([differences, np.zeros_like(differences)]))
    assert result.statistic == pytest.approx(stats.ttest_1samp(signed, 0).statistic ** 2, rel=1e-9, abs=1e-12)


def test_gaps_between_two_models_drop_the_data_set():
    scores = DEMSAR[:, :2].copy()
    scores[[2, 5, 7], [0, 1, 1]] = nan
    result = skillings_mack_test(scores)
    complete = asymptotic_friedman(scores[~np.isnan(scores).any(axis=1)], statistic="chi2")
    assert result.statistic == pytest.approx(complete.statistic, rel=1e-12)
    assert (result.n, codes(result)) == (11, ["MISSING_SCORES"])


# Laws


@EVERY
@settings(max_examples=6)
@given(scores=plain_tables, seed=st.integers(0, 99))
def test_the_order_of_data_sets_and_models_is_irrelevant(test, scores, seed):
    rng = np.random.default_rng(seed)
    result = test(scores)
    assert same(test(scores[rng.permutation(len(scores))]), result)
    order = rng.permutation(scores.shape[1])
    permuted = test(scores[:, order])
    assert same(permuted, dataclasses.replace(result, means=result.means[order]))


@EVERY
@settings(max_examples=6)
@given(scores=tied_tables)
def test_other_direction_and_sign_change_nothing(test, scores):
    result, turned = test(scores), test(-scores, greater_is_better=False)
    sign = -1 if result.means_of == "score" else 1
    assert same(turned, dataclasses.replace(result, means=sign * result.means))


@pytest.mark.parametrize("name", sorted(WITHIN))
@settings(max_examples=6)
@given(scores=tied_tables)
def test_ranks_within_data_sets_bear_any_increasing_transformation(name, scores):
    result = PROCEDURES[name](scores)
    by_row = np.exp(scores) * (1 + np.arange(len(scores)))[:, None] + 10.0 ** np.arange(len(scores))[:, None]
    assert same(PROCEDURES[name](by_row), result)


@EVERY
@pytest.mark.parametrize(("scale", "shift"), [(4.0, 0.0), (0.3, 7.0), (1e-200, 0.0), (1e200, 0.0)])
def test_affine_transformations_change_nothing(test, scale, shift):
    scores = np.round(DEMSAR * 1000)
    result, moved = test(scores), test(scores * scale + shift)
    means = result.means * scale + shift if result.means_of == "score" else result.means
    assert same(moved, dataclasses.replace(result, means=means), rel=1e-7)


@pytest.mark.parametrize("name", sorted(set(PROCEDURES) - UNPAIRED))
def test_how_hard_a_data_set_is_does_not_matter(name):
    scores = np.round(DEMSAR * 1000)
    result, moved = PROCEDURES[name](scores), PROCEDURES[name](scores + 50.0 * np.arange(14)[:, None])
    assert same(moved, dataclasses.replace(result, means=moved.means))


@pytest.mark.parametrize("name", sorted(UNPAIRED))
def test_where_it_matters_the_result_says_so(name):
    scores = np.round(DEMSAR * 1000)
    result, moved = PROCEDURES[name](scores), PROCEDURES[name](scores + 50.0 * np.arange(14)[:, None])
    assert codes(result) == ["PAIRING_IGNORED"]
    assert result.statistic != pytest.approx(moved.statistic)


@EVERY
def test_differences_within_rounding_are_ties(test):
    # of three decimals, some of which are equal, or differ by as much, but for rounding
    rounded = np.array([[0.768, 0.763, 0.5], [0.936, 0.931, 0.668], [0.3, 0.1 + 0.2, 0.1], [0.7, 0.9, 0.8]])
    thousandths, result = test(np.round(rounded * 1000)), test(rounded)
    assert same(dataclasses.replace(result, means=thousandths.means), thousandths)


@EVERY
@given(
    scores=st.one_of(
        arrays(np.float64, (3, 3), elements=st.floats(-1e300, 1e300)),
        arrays(np.float64, (4, 2), elements=st.floats(-1, 1)),
        tied_tables,
    )
)
@example(scores=np.full((3, 3), 1e300))
@example(scores=np.full((3, 3), 5e-324))  # numpy 1.26 divides 1 by what nine numbers are divided by
@example(scores=np.array([[1e-320, 0.0], [0.0, 1e-320]]))
def test_any_scores_have_an_answer(test, scores):
    result = test(scores)
    assert result.statistic >= 0
    assert 0 <= result.pvalue <= 1
    assert 0 <= result.effect_size <= 1 + 1e-12
    assert all(d >= 0 for d in result.df)
    assert np.isfinite(result.means).all()
    assert all(warning.split(":")[0].isupper() for warning in result.warnings)


@EVERY
def test_the_laws_of_every_record(test):
    assert_lawful(test, DEMSAR)


@EVERY
def test_the_record_is_named(test):
    result = test(DEMSAR, names=["C4.5", "+m", "+cf", "+m+cf"])
    assert type(result) is OmnibusResult
    assert result.names == ("C4.5", "+m", "+cf", "+m+cf")
    assert test(DEMSAR).names == ("model 1", "model 2", "model 3", "model 4")
    assert result.means.shape == (4,)
    assert result.n == 14
    assert isinstance(result.exact, bool)
    assert isinstance(result.warnings, tuple)
    for field in ("statistic", "pvalue", "effect_size"):
        assert type(getattr(result, field)) is float
    assert all(type(d) is float for d in result.df)


# Where there is little to compute


@EVERY
def test_one_data_set_says_nothing(test):
    result = test([[0.9, 0.8, 0.7]])
    assert math.isnan(result.statistic)
    assert math.isnan(result.pvalue)
    assert math.isnan(result.effect_size)
    assert not result.exact
    assert "TOO_LITTLE_DATA" in codes(result)


@EVERY
@pytest.mark.parametrize("column", [[0.9, 0.8, 0.7], [0.5, 0.5, 0.5], [0.0, 0.0, 0.0]])
def test_identical_models_do_not_differ(test, column):
    result = test(np.column_stack([column] * 3))
    assert (result.statistic, result.pvalue, result.effect_size) == (0, 1, 0)
    assert "NO_DIFFERENCE" in codes(result)


def test_constant_different_models():
    scores = [[3.0, 2.0, 1.0]] * 4
    for test in (anova_test, one_way):
        result = test(scores)
        assert (result.statistic, result.pvalue, result.effect_size) == (math.inf, 0, 1)
        assert "ZERO_VARIANCE" in codes(result)
    for test in (friedman_test, asymptotic_friedman, quade_test):
        result = test(scores)
        assert (result.statistic, result.effect_size, result.exact) == (math.inf, 1, True)
        assert result.pvalue == pytest.approx(6.0**-3, rel=1e-12)
    for name in ("friedman chi2", "aligned ranks", "skillings_mack"):
        result = PROCEDURES[name](scores, tie_correction=True)
        assert result.statistic == pytest.approx(8)
        assert result.effect_size == pytest.approx(1)


def test_agreement_with_ties_has_fewer_arrangements():
    # (1, 2.5, 2.5, 4) has 12 orders and not 4!
    scores = [[9, 5, 5, 1]] * 3
    for test in (friedman_test, asymptotic_friedman, quade_test):
        assert test(scores).statistic == math.inf
        assert test(scores).pvalue == pytest.approx(1 / 144, rel=1e-12)
    assert brute_force_exact(scores) == Fraction(1, 144)


def test_agreement_of_many_data_sets_does_not_underflow_into_an_error():
    scores = np.tile(np.arange(50.0), (300, 1))
    assert friedman_test(scores).pvalue == 0


def test_models_that_do_equally_well_in_the_mean():
    scores = np.array([[1.0, 2.0, 3.0], [2.0, 3.0, 1.0], [3.0, 1.0, 2.0]])
    for name, test in PROCEDURES.items():
        result = test(scores)
        assert result.statistic == pytest.approx(0, abs=1e-12), name
        assert result.pvalue == pytest.approx(1), name
        assert "NO_DIFFERENCE" not in codes(result)


def test_huynh_and_feldts_estimate_of_few_data_sets():
    rng = np.random.default_rng(0)
    for n in (2, 3, 4):
        scores = rng.normal(size=(n, 6))
        cautious, bold = anova_test(scores), anova_test(scores, sphericity="huynh_feldt")
        assert 1 - 1e-12 <= cautious.df[0] <= bold.df[0] + 1e-12 <= 5 + 1e-9
    assert anova_test(rng.normal(size=(2, 6))).df == pytest.approx((1, 1))


def test_auto_is_exact_for_small_tables_only():
    rng = np.random.default_rng(0)
    for shape, exact in (((20, 4), True), ((7, 5), True), ((3, 6), True), ((30, 5), False), ((3, 12), False)):
        result = friedman_test(rng.random(shape), method="auto")
        assert result.exact is exact
        assert ("exact" in result.method) is exact
    with pytest.raises(ValueError, match="method must be 'auto' or 'asymptotic' where 30 data sets"):
        friedman_test(rng.random((30, 5)), method="exact")
    assert rearranged_pvalue(2 * np.argsort(rng.random((4, 4))) - 3, 10) is None


def test_the_chi_squared_approximation_is_warned_of_for_small_tables():
    rng = np.random.default_rng(0)
    chi2 = PROCEDURES["friedman chi2"]
    assert codes(chi2(rng.random((10, 6)))) == codes(chi2(rng.random((11, 5)))) == ["APPROXIMATE"]
    assert codes(chi2(rng.random((11, 6)))) == []
    assert codes(friedman_test(rng.random((5, 3)), statistic="chi2", method="auto")) == []


# Gaps


def test_a_complete_table_has_no_gaps_to_allow_for():
    for tie_correction in (True, False):
        for scores in (DEMSAR, GH2008, GH2010):
            gapped = skillings_mack_test(scores, tie_correction=tie_correction)
            complete = asymptotic_friedman(scores, statistic="chi2", tie_correction=tie_correction)
            for field in ("statistic", "pvalue", "df", "effect_size", "means"):
                assert getattr(gapped, field) == pytest.approx(getattr(complete, field), rel=1e-9)


def test_data_sets_with_fewer_than_two_scores_are_dropped():
    gaps = [[nan, 0.5, nan, nan], [nan, nan, nan, nan]]
    result = skillings_mack_test(np.vstack([DEMSAR, gaps]))
    assert codes(result) == ["MISSING_SCORES"]
    assert same(dataclasses.replace(result, warnings=()), skillings_mack_test(DEMSAR))
    assert codes(skillings_mack_test([[1.0, 2.0, 3.0], *[[1.0, nan, nan]] * 4])) == [
        "MISSING_SCORES",
        "TOO_LITTLE_DATA",
    ]
    nothing = skillings_mack_test([[1.0, nan], [nan, 1.0]])
    assert (nothing.n, codes(nothing)) == (0, ["MISSING_SCORES", "MISSING_SCORES", "TOO_LITTLE_DATA"])
    assert np.isnan(nothing.means).all()


def test_models_without_a_common_data_set_are_not_compared():
    left, right = DEMSAR[:7].copy(), DEMSAR[7:].copy()
    left[:, 2:], right[:, :2] = nan, nan
    result = skillings_mack_test(np.vstack([left, right]))
    assert (result.df, codes(result)) == ((2,), ["MISSING_SCORES"])
    parts = skillings_mack_test(left[:, :2]).statistic + skillings_mack_test(right[:, 2:]).statistic
    assert result.statistic == pytest.approx(parts, rel=1e-9)


@EVERY
@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([0.1, 0.2], "scores must have 2 dimension"),
        ([[0.1], [0.2]], "scores must have at least 1 row.* and 2 columns"),
        ([["a", "b"]], "scores must be an array of numbers"),
        ([[0.1, math.inf], [0.1, 0.2]], "scores must be finite; got inf at position"),
        (np.empty((0, 3)), "scores must hold at least one value"),
        ([[0.1, nan], [0.1, nan]], "scores must (be finite; got nan|have a number for each model; got only nan)"),
    ],
)
def test_bad_scores_are_refused_by_name(test, scores, message):
    with pytest.raises(ValueError, match=message):
        test(scores)


@EVERY
def test_bad_names_and_directions_are_refused_by_name(test):
    with pytest.raises(ValueError, match="names must be 4 strings"):
        test(DEMSAR, names=["a", "b"])
    with pytest.raises(ValueError, match="greater_is_better must be a bool"):
        test(DEMSAR, greater_is_better="yes")
    with pytest.raises(TypeError):
        test(DEMSAR, False)


@pytest.mark.parametrize(
    ("test", "options", "message"),
    [
        (friedman_test, {"statistic": "F"}, "statistic must be one of 'f', 'chi2'; got 'F'"),
        (friedman_test, {"method": "exakt"}, "did you mean 'exact'\\? method must be one of"),
        (friedman_test, {"tie_correction": 1}, "tie_correction must be"),
        (aligned_ranks_test, {"tie_correction": None}, "tie_correction must be a bool"),
        (quade_test, {"tie_correction": "no"}, "tie_correction must be a bool"),
        (skillings_mack_test, {"tie_correction": 0}, "tie_correction must be a bool"),
        (anova_test, {"repeated": 1}, "repeated must be a bool"),
        (anova_test, {"sphericity": "greenhouse"}, "sphericity must be one of 'greenhouse_geisser', 'huynh_feldt'"),
        (anova_test, {"sphericity": False}, "sphericity must be one of"),
    ],
)
def test_bad_options_are_refused_by_name(test, options, message):
    with pytest.raises(ValueError, match=message):
        test(DEMSAR, **options)
