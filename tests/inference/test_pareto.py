"""The Pareto front: examples by hand, twins in loops, scipy's distributions and the laws of a front."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from skcompare.inference import correlated_t_posterior, pareto_front
from skcompare.inference.dominance import posterior, weights
from tests.lawful import assert_lawful, codes

FEW = 200  # draws where the probabilities are not looked at, or are compared draw by draw


def simulated(n_models, n_cases, n_metrics, seed=0, spread=0.5):
    """Normal scores whose models, cases and metrics have something in common."""
    rng = np.random.default_rng(seed)
    models = spread * rng.normal(size=(n_models, 1, n_metrics))
    cases = rng.normal(size=(1, n_cases, 1))
    return models + cases + rng.normal(size=(n_models, n_cases, n_metrics))


def score_tables(max_models=5, n_metrics=3, min_cases=1):
    """Whole numbers, so that ties are frequent."""
    shape = st.tuples(st.integers(1, max_models), st.integers(min_cases, 4), st.just(n_metrics))
    return shape.flatmap(lambda s: arrays(np.int64, s, elements=st.integers(-3, 3)))


def loops(means, rope):
    """Who dominates whom and who is on the front, model by model and metric by metric."""
    k, m = len(means), len(means[0])
    dominates = np.zeros((k, k), dtype=bool)
    for i in range(k):
        for j in range(k):
            differences = [means[i][metric] - means[j][metric] for metric in range(m)]
            no_worse = all(differences[metric] >= -rope[metric] for metric in range(m))
            better = any(differences[metric] > rope[metric] for metric in range(m))
            dominates[i, j] = no_worse and better
    return dominates, ~dominates.any(axis=0)


def assert_same(record, other, models=slice(None), others=slice(None)):
    """The two records say the same of the models in that order."""
    for field in ("on_front", "probabilities"):
        np.testing.assert_array_equal(getattr(record, field)[models], getattr(other, field)[others])
    for field in ("dominates", "dominance_probabilities"):
        square, other_square = getattr(record, field), getattr(other, field)
        np.testing.assert_array_equal(square[models][:, models], other_square[others][:, others])


# The observed front

# accuracy and seconds on two data sets; the means are (0.875, 2), (0.75, 1), (0.75, 2), (0.875, 2) and (0.5, 1.5)
HAND_MADE = [
    [[0.75, 1.0], [1.0, 3.0]],
    [[0.5, 1.0], [1.0, 1.0]],
    [[0.75, 2.0], [0.75, 2.0]],
    [[1.0, 2.0], [0.75, 2.0]],
    [[0.5, 1.0], [0.5, 2.0]],
]
NAMES = ["forest", "linear", "kernel", "boosting", "dummy"]


def test_the_front_of_an_example_by_hand():
    result = pareto_front(HAND_MADE, [True, False], names=NAMES, metrics=["accuracy", "seconds"], n_draws=FEW, rng=0)
    assert result.means.tolist() == [[0.875, 2], [0.75, 1], [0.75, 2], [0.875, 2], [0.5, 1.5]]
    assert result.front() == ("forest", "linear", "boosting")
    assert result.on_front.tolist() == [True, True, False, True, False]
    # forest and boosting have equal means; the kernel is slower than linear, and less accurate than the other two
    assert np.argwhere(result.dominates).tolist() == [[0, 2], [1, 2], [1, 4], [3, 2]]
    assert (result.names, result.metrics) == (tuple(NAMES), ("accuracy", "seconds"))
    assert (result.n, result.n_draws) == (2, FEW)


def test_the_front_in_print():
    result = pareto_front(HAND_MADE, [True, False], names=NAMES, n_draws=FEW, rope=[0, 0.25], test_fraction=0.1)
    assert str(result).startswith("3 of 5 models are on the Pareto front: forest, linear and boosting.")
    assert "\nMethod: Pareto front, joint t posterior (test fraction 0.1, rope 0, 0.25).\n" in str(result)
    many = pareto_front([[[i, -i]] for i in range(12)])
    assert str(many).startswith("12 of 12 models are on the Pareto front: model 1, model 2, model 3,")
    assert "model 6 and 6 more." in " ".join(str(many).split())


@given(scores=score_tables(), rope=st.lists(st.integers(0, 3), min_size=3, max_size=3))
def test_the_observed_front_is_that_of_loops_over_exact_fractions(scores, rope):
    tenths = [[Fraction(int(x), 10 * scores.shape[1]) for x in model] for model in scores.sum(axis=1)]
    dominates, on_front = loops(tenths, [Fraction(x, 10) for x in rope])
    result = pareto_front(scores / 10, rope=np.array(rope) / 10, n_draws=1)
    np.testing.assert_array_equal(result.dominates, dominates)
    np.testing.assert_array_equal(result.on_front, on_front)
    assert ("UNDECIDED" in codes(result)) == (not on_front.any())


@given(scores=score_tables(max_models=8))
def test_without_a_rope_dominance_is_a_strict_partial_order_and_the_front_is_not_empty(scores):
    result = pareto_front(scores, n_draws=1)
    d = result.dominates.astype(int)
    assert result.on_front.any()
    assert not np.any(d * d.T)
    assert not np.any((d @ d > 0) & (d == 0))
    # what is off the front is dominated by a model on it
    np.testing.assert_array_equal(result.dominates[result.on_front].any(axis=0), ~result.on_front)


def test_a_rope_is_not_transitive():
    chain = pareto_front([[[0.2]], [[0.1]], [[0.0]]], rope=0.15)
    assert np.argwhere(chain.dominates).tolist() == [[0, 2]]
    assert chain.on_front.tolist() == [True, True, False]
    # each is two better than the next one on one metric, and one worse on the two others
    circle = pareto_front([[[2, 1, 0]], [[0, 2, 1]], [[1, 0, 2]]], rope=1)
    assert np.argwhere(circle.dominates).tolist() == [[0, 1], [1, 2], [2, 0]]
    assert circle.front() == ()
    assert codes(circle) == ["TOO_LITTLE_DATA", "UNDECIDED"]
    assert str(circle).startswith("None of 3 models is on the Pareto front.")


def test_rounding_is_a_tie_and_so_is_a_difference_as_large_as_the_rope():
    result = pareto_front([[[0.1 + 0.2, 1]], [[0.3, 1]]])
    assert not result.dominates.any()
    assert 0.8 - 0.7 > 0.1
    assert not pareto_front([[[0.8]], [[0.7]]], rope=0.1).dominates.any()


def test_a_model_that_diverged_makes_no_ties_between_the_others():
    result = pareto_front([[[0.020]], [[0.025]], [[1e200]]], greater_is_better=False)
    assert result.front() == ("model 1",)
    assert result.dominates[1].tolist() == [False, False, True]


def test_extreme_scores_do_not_overflow():
    result = pareto_front([[[1.7e308], [1.6e308]], [[-1.7e308], [-1.6e308]]], rng=0, n_draws=FEW)
    assert result.means.ravel().tolist() == [pytest.approx(1.65e308), pytest.approx(-1.65e308)]
    assert result.dominates[0, 1]
    assert np.all(result.probabilities + result.probabilities[::-1] == 1)
    tiny = pareto_front([[[5e-324], [1e-323]], [[0], [0]]], rng=0, n_draws=FEW, rope=1e300)
    assert tiny.probabilities.tolist() == [1, 1]
    assert pareto_front([[[5e-324], [1e-323]], [[0], [0]]], n_draws=FEW).dominates[0, 1]


# The probabilities: reference values


@pytest.mark.parametrize("rope", [0.0, 0.1])
@pytest.mark.parametrize("test_fraction", [0.0, 0.1, 0.5])
def test_two_models_on_one_metric_have_the_correlated_t_posterior(rope, test_fraction):
    scores = simulated(2, 10, 1, seed=3)
    result = pareto_front(scores, rope=rope, test_fraction=test_fraction, n_draws=40_000, rng=0)
    expected = correlated_t_posterior(*scores[:, :, 0], test_fraction=test_fraction, rope=rope)
    assert result.standard_error == 0.5 / 40_000**0.5
    # five Monte Carlo standard errors
    margin = 5 * result.standard_error
    assert result.dominance_probabilities[0, 1] == pytest.approx(expected.right, abs=margin)
    assert result.dominance_probabilities[1, 0] == pytest.approx(expected.left, abs=margin)
    np.testing.assert_allclose(result.probabilities, [1 - expected.left, 1 - expected.right], atol=margin)


@pytest.mark.parametrize("test_fraction", [0.0, 0.1])
def test_two_models_on_two_metrics_have_the_orthant_probabilities_of_scipy(test_fraction):
    scores = simulated(2, 30, 2, seed=1, spread=0.1)
    result = pareto_front(scores, test_fraction=test_fraction, n_draws=40_000, rng=0)
    d = scores[0] - scores[1]
    scale = np.cov(d.T) * (1 / 30 + test_fraction / (1 - test_fraction))
    # P(all differences > 0) is the distribution function of b - a at 0
    for sign, (i, j) in ((1, (0, 1)), (-1, (1, 0))):
        t = stats.multivariate_t(loc=-sign * d.mean(axis=0), shape=scale, df=29, seed=0)
        expected = t.cdf([0, 0])
        assert 0.02 < expected < 0.98
        # five Monte Carlo standard errors, and what scipy's own integration is allowed
        margin = 5 * np.sqrt(expected * (1 - expected) / 40_000) + 1e-4
        assert result.dominance_probabilities[i, j] == pytest.approx(expected, abs=margin)
        assert result.probabilities[j] == pytest.approx(1 - expected, abs=margin)


@pytest.mark.parametrize("rope", [0.0, 0.3])
def test_probabilities_agree_with_loops_over_draws_of_scipys_multivariate_t(rope):
    k, n, m, n_draws = 3, 30, 2, 5_000
    scores = simulated(k, n, m, seed=1, spread=0.2)
    flat = scores.transpose(1, 0, 2).reshape(n, k * m)
    t = stats.multivariate_t(loc=flat.mean(axis=0), shape=np.cov(flat.T) / n, df=n - 1, seed=0)
    pairs, front = np.zeros((k, k)), np.zeros(k)
    for draw in t.rvs(n_draws).reshape(n_draws, k, m):
        dominates, on_front = loops(draw.tolist(), [rope] * m)
        pairs += dominates
        front += on_front
    result = pareto_front(scores, rope=rope, n_draws=n_draws, rng=1)
    # five Monte Carlo standard errors of a difference of two estimates
    margin = 5 * 2**0.5 * result.standard_error
    np.testing.assert_allclose(result.dominance_probabilities, pairs / n_draws, atol=margin)
    np.testing.assert_allclose(result.probabilities, front / n_draws, atol=margin)


@pytest.mark.parametrize("shape", [(4, 5, 3), (1, 3, 2), (6, 2, 1), (3, 40, 2)], ids=str)
@pytest.mark.parametrize("rope", [0.0, 0.4])
def test_draw_by_draw_the_front_is_that_of_loops(shape, rope):
    scores = simulated(*shape)
    n = shape[1]
    rng = np.random.default_rng(7)
    chi2, normal = rng.chisquare(n - 1, size=FEW), rng.standard_normal((FEW, n))
    means = scores.mean(axis=1)
    pairs, front = np.zeros((shape[0], shape[0])), np.zeros(shape[0])
    for c, z in zip(chi2, normal, strict=True):
        # the residuals times z have covariance S (n - 1); over the root of chi2 / (n - 1) they are Student t
        t = np.einsum("c,kcm->km", z, scores - means[:, None]) / np.sqrt(n - 1) / np.sqrt(c / (n - 1))
        dominates, on_front = loops((means + np.sqrt(1 / n + 0.2 / 0.8) * t).tolist(), [rope] * shape[2])
        pairs += dominates
        front += on_front
    result = pareto_front(scores, rope=rope, test_fraction=0.2, n_draws=FEW, rng=7)
    np.testing.assert_array_equal(result.dominance_probabilities, pairs / FEW)
    np.testing.assert_array_equal(result.probabilities, front / FEW)


def test_a_metric_that_does_not_vary_is_known_exactly():
    # a is the smaller model in every case: it dominates where it is the more accurate one, and b never does
    accuracy = simulated(2, 10, 1, seed=3)
    size = np.broadcast_to([[[1.0]], [[2.0]]], (2, 10, 1))
    result = pareto_front(np.concatenate([accuracy, size], axis=2), [True, False], n_draws=40_000, rng=0)
    expected = correlated_t_posterior(*accuracy[:, :, 0], test_fraction=0).right
    # five Monte Carlo standard errors
    assert result.dominance_probabilities[0, 1] == pytest.approx(expected, abs=5 * result.standard_error)
    assert result.dominance_probabilities[1, 0] == 0
    assert result.probabilities[0] == 1
    assert result.warnings == ()


@pytest.mark.parametrize("block", [1, 50, 1000])
def test_blocks_change_nothing(monkeypatch, block):
    scores = simulated(20, 6, 3)
    whole = pareto_front(scores, n_draws=600, rng=0, rope=0.1)
    monkeypatch.setattr(posterior, "_BLOCK", block)
    in_blocks = pareto_front(scores, n_draws=600, rng=0, rope=0.1)
    assert_same(in_blocks, whole)


def test_more_models_than_small_integers_can_rank():
    # in each draw at least one model is on the front
    result = pareto_front(simulated(300, 8, 2), n_draws=FEW, rng=0)
    better = result.means[:, None] > result.means[None]
    np.testing.assert_array_equal(result.dominates, better.all(axis=2))
    assert result.dominance_probabilities.shape == (300, 300)
    assert 1 <= result.probabilities.sum() < 300
    assert np.all(result.probabilities <= 1 - result.dominance_probabilities.max(axis=0) + 1e-12)


# The probabilities: laws


@given(scores=score_tables(min_cases=2), rope=st.sampled_from([0.0, 1.0]))
def test_probabilities_are_probabilities(scores, rope):
    result = pareto_front(scores, rope=rope, n_draws=50, rng=0)
    p, pairs = result.probabilities, result.dominance_probabilities
    assert np.all((p >= 0) & (p <= 1) & (pairs >= 0))
    assert np.all(pairs + pairs.T <= 1)
    assert not pairs.diagonal().any()
    assert np.all(p <= 1 - pairs.max(axis=0) + 1e-12)
    assert np.all(p >= 1 - pairs.sum(axis=0) - 1e-12)
    if rope == 0:
        assert p.sum() >= 1 - 1e-12


@given(scores=score_tables(min_cases=2), seed=st.integers(0, 100), rope=st.sampled_from([0.0, 0.5]))
def test_permuting_the_models_permutes_the_result(scores, seed, rope):
    order = np.random.default_rng(seed).permutation(len(scores))
    result = pareto_front(scores, rope=rope, n_draws=50, rng=0)
    assert_same(pareto_front(scores[order], rope=rope, n_draws=50, rng=0), result, others=order)


@given(scores=score_tables(min_cases=2), rope=st.sampled_from([0.0, 0.5]))
def test_a_flipped_direction_and_negated_scores_change_nothing(scores, rope):
    flipped = pareto_front(scores * [1, -1, 1], [True, False, True], rope=rope, n_draws=50, rng=0)
    assert_same(flipped, pareto_front(scores, rope=rope, n_draws=50, rng=0))


@given(scores=score_tables(min_cases=2))
def test_strictly_increasing_affine_transforms_change_nothing(scores):
    factor, shift = np.array([1e6, 0.1, 1e-9]), np.array([-3.0, 0.7, 1e-8])
    moved = pareto_front(factor * scores + shift, rope=factor / 2, n_draws=50, rng=0)
    assert_same(moved, pareto_front(scores, rope=0.5, n_draws=50, rng=0))


def test_the_order_of_the_metrics_is_irrelevant():
    scores = simulated(4, 6, 3)
    result = pareto_front(scores, [True, False, True], rope=[0, 0.1, 0.2], n_draws=FEW, rng=0)
    reordered = pareto_front(scores[:, :, [2, 0, 1]], [True, True, False], rope=[0.2, 0, 0.1], n_draws=FEW, rng=0)
    assert_same(reordered, result)


@given(scores=score_tables(min_cases=2), seed=st.integers(0, 100))
def test_the_order_of_the_cases_is_irrelevant_for_what_is_observed(scores, seed):
    order = np.random.default_rng(seed).permutation(scores.shape[1])
    result, other = pareto_front(scores / 10, n_draws=1), pareto_front(scores[:, order] / 10, n_draws=1)
    np.testing.assert_array_equal(other.dominates, result.dominates)
    np.testing.assert_array_equal(other.on_front, result.on_front)
    np.testing.assert_allclose(other.means, result.means, atol=1e-15)


def test_the_order_of_the_cases_is_irrelevant_for_the_probabilities():
    scores = simulated(5, 8, 2)
    result, other = (pareto_front(x, n_draws=5_000, rng=0) for x in (scores, scores[:, ::-1]))
    # five Monte Carlo standard errors of a difference of two estimates
    margin = 5 * 2**0.5 * result.standard_error
    np.testing.assert_allclose(other.probabilities, result.probabilities, atol=margin)
    np.testing.assert_allclose(other.dominance_probabilities, result.dominance_probabilities, atol=margin)


@given(scores=score_tables(min_cases=2), rope=st.sampled_from([0.0, 0.5]), data=st.data())
def test_a_clone_is_on_the_front_exactly_when_its_twin_is(scores, rope, data):
    twin = data.draw(st.integers(0, len(scores) - 1))
    alone = pareto_front(scores, rope=rope, n_draws=50, rng=0)
    result = pareto_front([*scores, scores[twin]], rope=rope, n_draws=50, rng=0)
    assert_same(result, alone, models=slice(len(scores)))
    assert result.on_front[-1] == result.on_front[twin]
    assert result.probabilities[-1] == result.probabilities[twin]
    assert result.dominance_probabilities[twin, -1] == result.dominance_probabilities[-1, twin] == 0


@pytest.mark.parametrize("n", [2, 5, 50])
def test_a_clone_up_to_rounding_is_tied_in_every_draw(n):
    scores = simulated(3, n, 2)
    clone = scores[:1] * (1 + 4e-13 * (-1.0) ** np.arange(n))[:, None]
    result = pareto_front(np.concatenate([scores, clone]), n_draws=10_000, rng=0, test_fraction=0.5)
    assert result.dominance_probabilities[0, 3] == result.dominance_probabilities[3, 0] == 0
    assert result.probabilities[3] == result.probabilities[0]


def test_what_is_said_of_two_models_does_not_depend_on_the_others():
    scores = simulated(7, 5, 2)
    result, pair = (pareto_front(x, n_draws=FEW, rng=0) for x in (scores, scores[[2, 6]]))
    np.testing.assert_array_equal(result.dominance_probabilities[[2, 6]][:, [2, 6]], pair.dominance_probabilities)


@pytest.mark.parametrize("n", [2, 3, 20])
def test_on_a_single_metric_one_model_is_on_the_front(n):
    result = pareto_front(simulated(6, n, 1), n_draws=1_000, rng=0)
    assert result.probabilities.sum() == pytest.approx(1, abs=1e-12)
    assert result.on_front.sum() == 1


@pytest.mark.parametrize("n", [2, 10])
def test_identical_models_are_all_on_the_front(n):
    result = pareto_front(np.repeat(simulated(1, n, 3), 4, axis=0), n_draws=FEW, rng=0)
    assert result.on_front.all()
    assert result.probabilities.tolist() == [1, 1, 1, 1]
    assert not result.dominance_probabilities.any()


def test_correlated_cases_move_the_probabilities_towards_one_half():
    scores = simulated(2, 10, 1, seed=3)
    fractions = [0, 0.1, 0.3, 0.6, 0.9, 0.99999]
    p = np.array([pareto_front(scores, test_fraction=f, n_draws=2_000, rng=0).probabilities.max() for f in fractions])
    # with the same draws the order is exact; the limit holds up to five Monte Carlo standard errors
    assert np.all(np.diff(p) < 0)
    assert p[-1] == pytest.approx(0.5, abs=5 * 0.5 / 2_000**0.5)


# Degenerate input


def test_a_single_case_has_a_front_without_probabilities():
    result = pareto_front([[[1.0, 0.0]], [[0.0, 1.0]], [[0.0, 0.0]]])
    assert result.on_front.tolist() == [True, True, False]
    assert np.isnan(result.probabilities).all()
    assert np.isnan(result.dominance_probabilities).all()
    assert np.isnan(result.standard_error)
    assert codes(result) == ["TOO_LITTLE_DATA"]


def test_a_single_model_is_on_the_front():
    result = pareto_front(simulated(1, 5, 2), n_draws=FEW)
    assert (result.front(), result.probabilities.tolist(), result.standard_error) == (("model 1",), [1], 0)
    assert result.warnings == ()


def test_differences_that_do_not_vary_have_a_posterior_that_is_a_point():
    scores = simulated(1, 5, 2) + np.array([[[0.3, 0.0]], [[0.1, 0.0]], [[0.0, 0.1]]])
    result = pareto_front(scores)
    assert result.probabilities.tolist() == [1, 0, 1]
    assert np.argwhere(result.dominance_probabilities).tolist() == [[0, 1]]
    assert result.standard_error == 0
    assert codes(result) == ["ZERO_VARIANCE"]


# Records, side effects and bad input


@pytest.mark.parametrize("shape", [(3, 5, 2), (1, 1, 1), (2, 1, 3)], ids=str)
def test_the_laws_of_every_record(shape):
    scores = simulated(*shape)
    record = assert_lawful(pareto_front, scores, n_draws=FEW, rng=0)
    assert_same(pareto_front(np.asfortranarray(scores), n_draws=FEW, rng=np.random.default_rng(0)), record)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scores": [[[0.9, np.nan], [0.8, 1]]]}, r"scores must be finite; got nan at position \(0, 0, 1\)"),
        ({"scores": [[[0.9, np.inf], [0.8, 1]]]}, "scores must be finite"),
        ({"scores": [[0.9, 0.8], [0.7, 0.6]]}, r"scores must have 3 dimensions; got shape \(2, 2\)"),
        ({"scores": np.zeros((2, 0, 2))}, "scores must hold at least one value"),
        ({"scores": [[["x"]]]}, "scores must be an array of numbers"),
        ({"scores": [[[1], [2]], [[1]]]}, "scores must be an array of numbers"),
        ({"greater_is_better": [True]}, "greater_is_better must be a bool or 2 of them"),
        ({"greater_is_better": 1}, "greater_is_better must be a bool"),
        ({"greater_is_better": None}, "greater_is_better must be a bool"),
        ({"test_fraction": 1}, r"test_fraction must be a number in \[0, 1\)"),
        ({"test_fraction": -0.1}, "test_fraction must be a number"),
        ({"test_fraction": np.nan}, "test_fraction must be a number"),
        ({"rope": -1}, "rope must be a number, at least 0"),
        ({"rope": [0, -1]}, "rope must be a number, at least 0"),
        ({"rope": [0, 0, 0]}, "rope must be a number, at least 0, or 2 of them"),
        ({"rope": np.inf}, "rope must be finite"),
        ({"rope": "x"}, "rope must be"),
        ({"n_draws": 0}, "n_draws must be an integer of at least 1; got 0"),
        ({"n_draws": 1e4}, "n_draws must be an integer"),
        ({"n_draws": True}, "n_draws must be an integer"),
        ({"rng": "x"}, "rng must be None"),
        ({"rng": -1}, "rng must be None"),
        ({"names": ["a", "b"]}, "names must be 3 strings, one per model"),
        ({"names": ["a", "b", "a"]}, "names must be different"),
        ({"names": "abc"}, "names must be 3 strings"),
        ({"names": ["a", "b", 3]}, "names must be 3 strings"),
        ({"metrics": ["a"]}, "metrics must be 2 strings, one per metric"),
        ({"metrics": ["a", "a"]}, "metrics must be different"),
    ],
)
def test_bad_input_is_refused_by_name(options, message):
    arguments = {"scores": simulated(3, 4, 2), "n_draws": FEW} | options
    with pytest.raises(ValueError, match=f"^{message}"):
        pareto_front(**arguments)


@pytest.mark.parametrize("n_metrics", [2, 3])
@pytest.mark.parametrize("size", [1e-9, 1.0, 1e9])
@pytest.mark.parametrize("spread", [1.0, 1e-3, 1e-6])
def test_every_front_says_the_same_where_means_differ_by_rounding(size, spread, n_metrics, rng):
    """Of the means, of the posterior, and of the weights: those that differ by rounding alone win with the same."""
    for _ in range(20):
        means = 1 + spread * rng.integers(1, 4, size=(5, n_metrics)) / 3.0
        near = 1 + rng.choice([0, 1e-15, -1e-15, 1e-13, -1e-13], size=means.shape)
        means = size * np.concatenate([means, means * near])
        front = posterior.pareto_optimal(means)
        assert front.tolist() == pareto_front(means[:, None], n_draws=1, rng=0).on_front.tolist()
        assert front[:5].tolist() == front[5:].tolist()
        names = [f"m{i}" for i in range(len(means))]
        won = weights.winners_of(means, names, [f"x{i}" for i in range(n_metrics)], "range")
        np.testing.assert_array_equal(won.share[:5], won.share[5:])
        assert {*won.winner.tolist()} <= {*np.flatnonzero(front).tolist()}
