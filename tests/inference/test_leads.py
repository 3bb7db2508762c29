"""The largest t over each of many models: that of all pairs in any order, also where models nearly agree."""

import numpy as np
import pytest
from scipy import special, stats

from skcompare.inference import corrected_t_test, model_confidence_set
from skcompare.inference._records import check_splits
from skcompare.inference.fold_scores import best_set

pytestmark = pytest.mark.sampled

CORRECTION = best_set.Correction(test_fraction=0.1)
KINDS = ("scattered", "in steps", "several alike", "alike but for a constant", "huge or tiny", "next to each other")


def scores_of(kind, rng):
    k, n = int(rng.integers(2, 60)), int(rng.integers(2, 30))
    split, own = rng.normal(0.8, 0.03, (1, n)), 10.0 ** rng.integers(-12, 0)
    scores = split + rng.normal(0, own, (k, n)) + rng.normal(0, 10.0 ** rng.integers(-4, 0), (k, 1))
    if kind == "in steps":
        return np.round(scores * 50) / 50
    few = scores[rng.integers(0, max(1, k // 3), k)]
    if kind == "several alike":
        return few
    if kind == "alike but for a constant":
        return few + rng.choice([0, 0.01, -0.02], k)[:, None]
    if kind == "next to each other":
        return few * (1 + rng.integers(-3, 4, few.shape) * np.finfo(float).eps)
    return scores * 10.0 ** rng.integers(-200, 200) if kind == "huge or tiny" else scores


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("certain", [True, False])
def test_the_largest_of_each_model_does_not_depend_on_the_order_of_the_models(kind, certain, rng):
    for _ in range(20):
        scores = scores_of(kind, rng)
        order = rng.permutation(len(scores))
        found, other = (
            best_set.largest_leads(check_splits(one.T, True, None), CORRECTION, certain=certain).statistics
            for one in (scores, scores[order])
        )
        np.testing.assert_allclose(found[order], other, rtol=1e-12, atol=1e-12)


def test_the_largest_of_each_model_is_that_of_the_tests_of_two_models(rng):
    for _ in range(5):
        scores = rng.normal(size=(8, 20))
        found = best_set.largest_leads(check_splits(scores.T, True, None), CORRECTION).statistics
        for i, lead in enumerate(found):
            others = (corrected_t_test(one, scores[i], test_fraction=0.1) for one in np.delete(scores, i, axis=0))
            assert lead == pytest.approx(max(test.statistic for test in others))


def test_of_many_models_few_pairs_are_compared(rng, monkeypatch):
    """All pairs of 2,000 models are 4 million; those that may be the largest over a model are few."""
    compared, made = [], best_set._t_tests

    def counting(*args, **options):
        t_tests = made(*args, **options)
        return lambda i, others: compared.append(len(others)) or t_tests(i, others)

    monkeypatch.setattr(best_set, "_t_tests", counting)
    scores = rng.normal(size=(2000, 1)) + rng.normal(size=(1, 10)) + rng.normal(size=(2000, 10))
    best_set.largest_leads(check_splits(scores.T, True, None), CORRECTION)
    assert 2000 <= sum(compared) <= 4000


@pytest.mark.parametrize("kind", ["several alike", "alike but for a constant", "scattered"])
def test_pairs_that_do_not_vary_are_counted_as_the_test_of_two_models_warns(kind, rng):
    scores = scores_of(kind, rng)[:12]
    found = best_set.largest_leads(check_splits(scores.T, True, None), CORRECTION)
    pairs = [(i, j) for i in range(len(scores)) for j in range(i + 1, len(scores))]
    codes = {
        (i, j): {w.code for w in corrected_t_test(scores[i], scores[j], test_fraction=0.1).warnings} for i, j in pairs
    }
    fixed = [pair for pair in pairs if "ZERO_VARIANCE" in codes[pair]]
    assert found.n_fixed == len(fixed)
    assert found.first_fixed == (fixed[0] if fixed else None)
    assert found.n_constant == len(fixed) + sum("NO_DIFFERENCE" in codes[pair] for pair in pairs)


def test_the_t_of_a_close_pair_is_that_of_the_test_of_two_models():
    # one model above the other by next to nothing on every split, far from a third: their t is the largest
    base = np.linspace(0.7, 0.9, 10)
    scores = np.stack([base, base + 1e-9 * (1 + 1e-3 * np.arange(10)), base[::-1] * 0.5])
    found = model_confidence_set(scores.T, test_fraction=0.1)
    alone = corrected_t_test(scores[1], scores[0], test_fraction=0.1)
    assert alone.statistic > 100
    assert found.statistics[0] == pytest.approx(alone.statistic, rel=1e-9)


@pytest.mark.parametrize("n_models", [2, 3, 8, 20, 150])
def test_the_level_of_a_pair_is_that_of_the_studentized_range(n_models, rng):
    """With many splits, that of scipy 1.16; with any number the largest t has the p-value that was asked for."""
    for level in (0.05, 0.01):
        t = stats.studentized_range.ppf(1 - level, n_models, np.inf) / 2**0.5
        assert best_set.level_of_pair(level, 10**7, n_models) == pytest.approx(2 * special.ndtr(-t), rel=1e-4)
    for _ in range(30):
        level, df = 10.0 ** rng.uniform(rng.choice([-3, -200]), -0.31), int(10 ** rng.uniform(1, 6))
        pair = best_set.level_of_pair(level, df, n_models)
        assert level / (n_models * (n_models - 1) / 2) <= pair * (1 + 1e-9)
        assert pair <= level * (1 + 1e-9)
        found = best_set.pvalues_of_leads(-special.stdtrit(df, np.array([pair / 2])), df, np.array([n_models]))
        assert found == pytest.approx([level], rel=1e-5)


def test_a_level_of_0_is_that_of_no_pair():
    assert best_set.level_of_pair(0.0, 99, 5) == 0
