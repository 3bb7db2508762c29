"""What the page on coming from another tool says of both sides, where no example of the page runs it.

Numbers of the other side: mlxtend 0.25.0, scikit-posthocs 0.17.1 and autorank 1.3.0, run once with scikit-learn 1.9.1;
baycomp and scipy are run here.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import KFold, RepeatedStratifiedKFold, cross_val_score, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcompare import PairedEvaluator, StudyResult, cross_val_compare, from_frame, inference

X, Y = load_breast_cancer(return_X_y=True)
NB, TREE = GaussianNB(), DecisionTreeClassifier(max_depth=3, random_state=0)
DEMSAR = pd.read_csv(Path(__file__).parents[2] / "docs" / "data" / "demsar_2006_auc.csv", comment="#")
AUC = DEMSAR.drop(columns="dataset").to_numpy()


@pytest.fixture(scope="module")
def result():
    cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
    return cross_val_compare(NB, TREE, X, Y, scoring="accuracy", cv=cv)


@pytest.fixture(scope="module")
def scores(result):
    return tuple(result.score(name, "accuracy") for name in result.estimators)


def draws_of_mlxtend(n_rounds, test_size, *, swapped):
    """The splits of mlxtend's functions with random_seed=0."""
    seeds = np.random.RandomState(0)
    for _ in range(n_rounds):
        seed = seeds.randint(low=0, high=32767)
        train, test = train_test_split(np.arange(len(Y)), test_size=test_size, random_state=seed)
        yield train, test
        if swapped:
            yield test, train


def on(cv):
    return PairedEvaluator(cv=cv, scoring="accuracy").evaluate([NB, TREE], X, Y)


def test_plain_t_is_scipys(result, scores):
    theirs = stats.ttest_rel(*scores)
    assert result.test("paired_t_test").statistic == pytest.approx(theirs.statistic, rel=1e-12)
    assert result.test("paired_t_test").pvalue == pytest.approx(theirs.pvalue, rel=1e-9)


def test_mlxtends_statistics_on_its_own_splits():
    halves = on(list(draws_of_mlxtend(5, 0.5, swapped=True)))
    assert halves.test("five_by_two_t_test").pvalue == pytest.approx(0.8929783397678482, rel=1e-12)
    assert halves.test("five_by_two_f_test").pvalue == pytest.approx(0.43382734914896537, rel=1e-12)
    folds = on(KFold(10))
    assert folds.test("paired_t_test").pvalue == pytest.approx(0.45007716345153004, rel=1e-12)
    assert folds.test().pvalue == pytest.approx(0.528, abs=5e-4)
    assert folds.test("corrected_t_test").pvalue == pytest.approx(0.600, abs=5e-4)
    random = on(list(draws_of_mlxtend(30, 0.3, swapped=False)))
    assert random.test("paired_t_test").pvalue == pytest.approx(0.0014509793762579972, rel=1e-11)
    assert random.test().statistic == pytest.approx(0.944, abs=5e-4)
    assert random.test().pvalue == pytest.approx(0.353, abs=5e-4)


def test_two_by_five_of_ours():
    result = PairedEvaluator(cv="5x2", scoring="accuracy", random_state=0).evaluate([NB, TREE], X, Y)
    assert result.test("five_by_two_t_test").pvalue == pytest.approx(0.545, abs=5e-4)
    assert result.test("five_by_two_f_test").pvalue == pytest.approx(0.378, abs=5e-4)


def test_baycomps_first_number_is_our_right(scores):
    import baycomp

    for rope in (0.0, 0.01):
        ours = inference.correlated_t_posterior(*scores, test_fraction=0.1, rope=rope)
        expected = (ours.right, ours.rope, ours.left) if rope else (ours.right, ours.left)
        np.testing.assert_allclose(baycomp.two_on_single(*scores, rope=rope, runs=10), expected, rtol=0, atol=1e-9)
    # Without `runs` it takes the scores for one run of 100 folds.
    theirs = baycomp.two_on_single(*scores, rope=0.01)
    np.testing.assert_allclose(theirs, [0.922, 0.078, 0.0], atol=5e-4)
    of_hundred = inference.correlated_t_posterior(*scores, test_fraction=0.01, rope=0.01)
    np.testing.assert_allclose(theirs, [of_hundred.right, of_hundred.rope, of_hundred.left], rtol=0, atol=1e-9)


def test_the_sign_posterior_of_the_page():
    assert inference.sign_posterior(AUC[:, 0], AUC[:, 1], rope=0.01).rope == pytest.approx(0.788, abs=5e-4)


POSTHOC = {
    "posthoc_nemenyi_friedman": (0.088673, inference.nemenyi_test(AUC)),
    "posthoc_siegel_friedman": (0.019172, inference.nemenyi_test(AUC, correction="none")),
    "posthoc_conover_friedman": (0.008605, inference.conover_test(AUC, correction="none")),
    "posthoc_conover_friedman, holm": (0.043025, inference.conover_test(AUC)),
    "posthoc_quade": (0.03905, inference.quade_posthoc_test(AUC, correction="none")),
    "posthoc_dunn": (0.618217, inference.dunn_test(AUC, correction="none")),
    "posthoc_tukey_hsd": (0.994055, inference.tukey_test(AUC, repeated=False)),
}


@pytest.mark.parametrize("name", POSTHOC)
def test_the_same_question_has_the_pvalue_of_scikit_posthocs(name):
    theirs, ours = POSTHOC[name]
    assert ours.pvalues[0, 1] == pytest.approx(theirs, abs=5e-7)


def test_where_scikit_posthocs_is_not_followed():
    normal = inference.quade_posthoc_test(AUC, correction="none", reference="normal")
    assert normal.pvalues[0, 1] == pytest.approx(0.0570, abs=5e-5)  # theirs: 0.0024
    assert inference.tukey_test(AUC).pvalues[0, 1] == pytest.approx(0.129, abs=5e-4)  # theirs: 0.994
    # Exact by all 2**14 signs of the ranked differences; theirs, by the normal approximation: 0.0108
    assert inference.pairwise_signed_rank_test(AUC, correction="none").pvalues[0, 1] == pytest.approx(
        128 / 2**14, rel=1e-12
    )


def test_autoranks_numbers():
    study = StudyResult.from_frame(DEMSAR)
    assert study.test("friedman", statistic="chi2").pvalue == pytest.approx(0.011986176325417788, rel=1e-9)
    assert inference.critical_difference(4, 14) == pytest.approx(
        1.2535512603486423, abs=1e-4
    )  # from q rounded to 3 digits
    assert study.test().pvalue == pytest.approx(0.0076, abs=5e-5)
    anova = study.test("anova")
    assert stats.f.sf(anova.statistic, 3, 39) == pytest.approx(0.008817717191133868, rel=1e-9)
    assert anova.pvalue == pytest.approx(0.0168, abs=5e-5)
    # Wilcoxon's test in the direction of the larger median, as scipy computes it
    theirs = stats.wilcoxon(AUC[:, 1], AUC[:, 0], alternative="greater").pvalue
    assert theirs == pytest.approx(0.0054, abs=5e-5)
    assert inference.signed_rank_test(AUC[:, 0], AUC[:, 1]).pvalue == pytest.approx(0.0078, abs=5e-5)


def test_a_results_file_of_weka_has_the_sizes(scores):
    """Runs and folds counted from 1, scores in percent."""
    columns = {"repeat": np.repeat(np.arange(1, 11), 10), "fold": np.tile(np.arange(1, 11), 10)}
    sizes = {"n_train": 512, "n_test": 57}
    frame = pd.concat(
        pd.DataFrame({"model": name, "score": 100 * values, **columns, **sizes})
        for name, values in zip("ab", scores, strict=True)
    )
    found = from_frame(frame).test("corrected_t_test")
    difference = 100 * (scores[0] - scores[1])
    t = difference.mean() / np.sqrt(difference.var(ddof=1) * (1 / 100 + 57 / 512))
    assert found.statistic == pytest.approx(t, rel=1e-12)
    assert found.pvalue == pytest.approx(stats.f.sf(t**2, 1, 99), rel=1e-9)  # as PairedStatsCorrected has it


def test_the_scores_of_a_comparison_are_those_of_cross_val_score(result, scores):
    cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
    np.testing.assert_allclose(cross_val_score(NB, X, Y, cv=cv), scores[0], rtol=0, atol=1e-15)
    assert result.test().pvalue == pytest.approx(0.123, abs=5e-4)
