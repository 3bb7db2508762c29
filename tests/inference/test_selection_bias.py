"""The bias of the winner: by hand, an oracle, laws, and that it is unbiased where the folds are as assumed."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks import selection
from skcompare import from_frame
from skcompare.inference import selection_bias
from tests.lawful import codes

SEEDS = (0, 1, 2)


def table(seed, n=10, k=6, step=None):
    rng = np.random.default_rng(seed)
    scores = rng.normal(0.8, 0.03, (n, 1)) + rng.normal(0, 0.03, (n, k))
    return scores if step is None else np.round(scores / step) * step


# By hand and by definition


def test_leaving_out_one_fold_by_hand():
    # The others of fold 1 choose b (0.5 to 0.6), of fold 2 b (0.7 to 0.75), of fold 3 a (0.8 to 0.65):
    # the chosen have 0.8, 0.5 and 0.2 there.
    result = selection_bias([[0.9, 0.8], [0.7, 0.5], [0.2, 0.7]], names=["a", "b"])
    left = {0: [0.45, 0.6], 1: [0.55, 0.75], 2: [0.8, 0.65]}
    assert [int(np.argmax(means)) for means in left.values()] == [1, 1, 0]
    assert (result.best, result.n_models, result.n) == ("b", 2, 3)
    assert result.apparent == pytest.approx(2 / 3)
    assert result.corrected == pytest.approx((0.8 + 0.5 + 0.2) / 3)
    assert result.bias == pytest.approx(2 / 3 - 0.5)
    assert result.warnings == ()


def test_models_that_tie_on_the_other_folds_are_averaged_over():
    # Without fold 1 all are 0.5; without fold 2 a and b are 0.6, c is 0.5.
    scores = [[0.6, 0.6, 0.5], [0.5, 0.2 + 0.3, 0.5]]
    result = selection_bias(scores)
    assert result.corrected == pytest.approx(((0.6 + 0.6 + 0.5) / 3 + 0.5) / 2)
    assert selection_bias(np.array(scores)[:, [2, 1, 0]]).corrected == pytest.approx(result.corrected)


@pytest.mark.parametrize("options", [{}, {"n_folds": 5}, {"n_folds": 1, "test_fraction": 0.2}])
def test_it_is_0_where_one_model_always_wins_and_never_less(options):
    ahead = table(0)
    ahead[:, 2] += 1
    assert selection_bias(ahead, **options).bias == pytest.approx(0, abs=1e-12)
    found = [selection_bias(table(seed, step=0.05), **options).bias for seed in range(50)]
    assert -1e-12 < min(found) < max(found)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("greater", [True, False])
def test_repeats_are_averaged_over_and_the_choice_is_made_within_each(seed, greater):
    scores, gaps = table(seed, n=15), []
    sign = 1 if greater else -1
    for repeat in sign * scores.reshape(3, 5, 6):
        chosen = [np.delete(repeat, fold, axis=0).mean(axis=0).argmax() for fold in range(5)]
        gaps.append(repeat.mean(axis=0).max() - np.mean([repeat[fold, j] for fold, j in enumerate(chosen)]))
    result = selection_bias(scores, n_folds=5, greater_is_better=greater)
    best = (sign * scores).mean(axis=0).argmax()
    assert result.best == f"model {best + 1}"
    assert result.apparent == pytest.approx(scores[:, best].mean())
    assert result.bias == pytest.approx(np.mean(gaps))
    assert result.corrected == pytest.approx(result.apparent - sign * np.mean(gaps))
    assert "each of 3 repeats" in result.method


@pytest.mark.parametrize("seed", SEEDS)
def test_overlapping_splits_by_the_formula(seed):
    scores, rho, gamma = table(seed, n=8), 0.3, 1 / 9
    v = 1 / 8 + rho / (1 - rho)
    a = (gamma * v * 8 / 7) ** 0.5
    b = a / gamma
    mean, found = scores.mean(axis=0), []
    for split in scores:
        for side in (1, -1):
            winner = (mean + side * a * (split - mean)).argmax()
            found.append((mean - side * b * (split - mean))[winner])
    result = selection_bias(scores, n_folds=1, test_fraction=rho)
    assert result.corrected == pytest.approx(np.mean(found))
    assert result.bias == pytest.approx(mean.max() - np.mean(found))
    assert codes(result) == ["INDEPENDENCE"]


# Laws

DESIGNS = [{}, {"n_folds": 5}, {"n_folds": 1, "test_fraction": 0.2}]


@pytest.mark.parametrize("options", DESIGNS)
@pytest.mark.parametrize("step", [None, 0.02])
def test_order_units_level_and_direction_are_irrelevant(options, step):
    for seed in SEEDS:
        scores, rng = table(seed, step=step), np.random.default_rng(seed)
        result = selection_bias(scores, **options)
        whole = scores.reshape(-1, 5, 6)
        folds = np.concatenate([rng.permutation(repeat) for repeat in whole[::-1]])
        for other in (folds, scores[:, rng.permutation(6)], scores + 5):
            assert selection_bias(other, **options).bias == pytest.approx(result.bias, abs=1e-9)
        for unit in (1e200, 1e-200):
            bias = selection_bias(scores * unit, **options).bias / unit
            assert bias == pytest.approx(result.bias, abs=1e-9)
        turned = selection_bias(1 - scores, greater_is_better=False, **options)
        assert turned.bias == pytest.approx(result.bias, abs=1e-9)
        assert turned.corrected == pytest.approx(1 - result.corrected, abs=1e-9)


@pytest.mark.parametrize("options", DESIGNS)
def test_equal_models_have_no_bias_and_one_that_diverged_does_not_matter(options):
    scores = table(0)
    assert selection_bias(np.repeat(scores[:, :1], 3, axis=1), **options).bias == pytest.approx(0, abs=1e-12)
    lost = np.column_stack([scores, np.full(10, -1e250)])
    assert selection_bias(lost, **options).bias == pytest.approx(selection_bias(scores, **options).bias)


@pytest.mark.parametrize("options", [{}, {"n_folds": 1}])
def test_one_split_says_nothing(options):
    result = selection_bias([[0.8, 0.9]], **options)
    assert np.isnan([result.bias, result.corrected]).all()
    assert (result.best, result.apparent, codes(result)) == ("model 2", 0.9, ["TOO_LITTLE_DATA"])


# Where the folds are as assumed, the mean of the corrected scores is the true score of equal models, which is 0 here. A
# mean of n runs lies further from it than 4.5 of its standard errors once in 150,000 times.


def assert_no_bias(rng, draw, options, n_runs=1500):
    runs = [selection_bias(draw(rng), **options) for _ in range(n_runs)]
    corrected, apparent = np.array([(run.corrected, run.apparent) for run in runs]).T
    error = corrected.std(ddof=1) / n_runs**0.5
    assert abs(corrected.mean()) < 4.5 * error < apparent.mean() / 2


@pytest.mark.parametrize(("n", "k"), [(2, 5), (5, 10), (10, 40)])
def test_independent_folds_give_no_bias(rng, n, k):
    assert_no_bias(rng, lambda rng: rng.normal(size=(n, k)), {})


def test_splits_with_the_correlation_of_the_test_fraction_give_no_bias(rng):
    rho, n, k = 0.2, 12, 10

    def draw(rng):
        return rng.normal(size=(n, k)) + (rho / (1 - rho)) ** 0.5 * rng.normal(size=k)

    assert_no_bias(rng, draw, {"n_folds": 1, "test_fraction": rho})


# Refused


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_folds": 3}, "n_folds must divide the number of splits, 10; got 3"),
        ({"n_folds": 0}, "n_folds must be an integer of at least 1"),
        ({"n_folds": 2.0}, "n_folds must be an integer of at least 1"),
        ({"n_folds": 1}, "test_fraction must be given for test sets that overlap"),
        ({"test_fraction": 1}, r"test_fraction must be a number in \[0, 1\)"),
        ({"names": ["a"]}, "names must be 6 strings"),
        ({"greater_is_better": None}, "greater_is_better must be a bool"),
    ],
)
def test_bad_options_are_refused_by_name(options, message):
    with pytest.raises(ValueError, match=message):
        selection_bias(table(0), **options)


@pytest.mark.parametrize("bad", [[[0.1], [0.2]], [[0.1, np.inf]], [0.1, 0.2]])
def test_bad_scores_are_refused(bad):
    with pytest.raises(ValueError, match="scores must"):
        selection_bias(bad)


# On a result


def result_of(scores, repeats):
    n, k = scores.shape
    split = np.arange(n)
    columns = {
        "model": np.repeat([f"m{j}" for j in range(k)], n),
        "repeat": np.tile(split // (n // repeats), k),
        "fold": np.tile(split % (n // repeats), k),
        "score": scores.T.ravel(),
    }
    return from_frame({name: column.tolist() for name, column in columns.items()})


@pytest.mark.parametrize("repeats", [1, 2])
def test_a_result_knows_its_folds(repeats):
    scores = table(0)
    found = result_of(scores, repeats).test("selection_bias")
    assert found.bias == selection_bias(scores, n_folds=10 // repeats).bias
    assert found.best.startswith("m")
    assert f"bias-corrected score {found.corrected:.4f}" in found._sentence()


@pytest.mark.parametrize("repeats", [1, 2])
def test_of_a_result_with_gaps_the_splits_that_are_left_are_used(repeats):
    scores = table(0)
    whole = result_of(scores, repeats)
    gap = whole.scores.copy()
    gap[2, 3] = np.nan
    found = replace(whole, scores=gap).test("selection_bias")
    options = {"n_folds": 9} if repeats == 1 else {"n_folds": 1, "test_fraction": 1 / 5}
    assert found.bias == selection_bias(np.delete(scores, 3, axis=0), **options).bias
    assert "MISSING_SCORES" in codes(found)


@pytest.mark.sampled("simulations")
def test_the_simulations_run(capsys, monkeypatch):
    monkeypatch.setattr(selection, "TRUTHS", {"equal": np.full(50, selection.SIGNAL)})
    selection.bias(2)
    assert capsys.readouterr().out.count("±") == 4 * (4 * 2 * 3 + 2 * 2 + 2 * 3 * 2 * 3)
    scores = np.linspace(0.8, 0.9, 5)[:, None] + np.array([0.0, 0.05, 0.051])  # the last is the best by a hair
    assert [selection.choice(scores, way, 0.2) for way in ("highest mean", "margin")] == [2, 1]
