"""Two models on many data sets, posteriors: published results, closed forms, baycomp, the laws, bad input."""

import csv
import itertools
import re
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import special

from skcompare import StudyResult
from skcompare.inference import sign_posterior, signed_rank_posterior
from skcompare.plotting import SimplexDisplay
from tests.inference.test_two_models import uci_means
from tests.lawful import assert_lawful, codes

pytestmark = pytest.mark.sampled

DATA = Path(__file__).parents[2] / "docs" / "data"
PLACES = ("rope", "left", "right", "spread")
both = pytest.mark.parametrize("posterior", [sign_posterior, signed_rank_posterior])


@pytest.fixture(scope="module")
def uci():
    """Accuracy of five classifiers on 54 data sets (Benavoli et al. 2017), the mean of 100 folds each."""
    return uci_means()


def demsar():
    """AUC of C4.5 and C4.5+m on 14 data sets (Demsar 2006, Table 6)."""
    with (DATA / "demsar_2006_auc.csv").open() as file:
        rows = list(csv.reader(file))[1:]
    return np.array([float(row[1]) for row in rows]), np.array([float(row[2]) for row in rows])


def triple(result):
    return result.left, result.rope, result.right


def outcomes(left, rope, right):
    """Scores with so many data sets of each outcome, for a region of 0.5."""
    return np.repeat([-1.0, 0.0, 1.0], [left, rope, right]), np.zeros(left + rope + right)


# Sign


def test_sign_posterior_of_54_data_sets(uci):
    # nbc against aode: Dirichlet(24, 28, 3), by quadrature .287925, .712075, 3.3e-8; baycomp 1.0.3, 200,000 draws,
    # (.28703, .71297, 0)
    result = sign_posterior(uci["nbc"], uci["aode"], rope=0.01)
    assert result.counts == (24, 27, 3)
    assert triple(result) == pytest.approx((0.287925, 0.712075, 3.3e-8), abs=5e-7)
    assert result.mean == pytest.approx((24 / 55, 28 / 55, 3 / 55))
    assert result.n == 54


@given(x=st.integers(0, 300), y=st.integers(0, 300))
def test_two_outcomes_are_an_incomplete_beta_function(x, y):
    a, b = outcomes(0, x, y)
    if a.size and y:
        result = sign_posterior(a, b, rope=0.5)
        assert result.left == 0
        assert result.right == pytest.approx(special.betainc(x + 1, y, 0.5), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("counts", [(3, 2, 4), (10, 2, 2), (1, 0, 0), (0, 0, 7)])
def test_sign_posterior_is_the_share_of_dirichlet_draws(rng, place, counts):
    result = sign_posterior(*outcomes(*counts), rope=0.5, prior_strength=2, prior_place=place)
    assert sum(result.prior) == pytest.approx(2)
    draws = rng.gamma(np.maximum(np.add(counts, result.prior), 1e-300), size=(40_000, 3))
    share = np.bincount(draws.argmax(axis=1), minlength=3) / 40_000
    assert triple(result) == pytest.approx(share, abs=5 * 0.5 / 200)


def test_without_rope_ties_are_an_outcome_of_their_own():
    # other software drops it and rescales: with 10 wins, 9 losses and 1,000 ties that claims .988 for the winner
    # (gamma quadrature), against P(Beta(10, 9) > 1/2) = .593 without the ties
    a, b = outcomes(9, 1000, 10)
    result = sign_posterior(a, b)
    assert result.rope == pytest.approx(1)
    assert result.left + result.right < 1e-300
    few = sign_posterior(*outcomes(9, 0, 10))
    assert few.right / (few.left + few.right) == pytest.approx(special.betainc(9, 10, 0.5), abs=1e-4)


def test_sign_posterior_agrees_with_baycomp(uci):
    baycomp = pytest.importorskip("baycomp")
    a, b = demsar()
    for x, y, rope in ((uci["aode"], uci["hnb"], 0.01), (a, b, 0.0053), (a, b, 0.0)):
        theirs = baycomp.SignTest.probs(x, y, rope, nsamples=100_000)
        result = sign_posterior(y, x, rope=rope)
        ours = triple(result) if rope else np.array([result.left, result.right]) / (result.left + result.right)
        assert ours == pytest.approx(theirs, abs=5 * 0.5 / 100_000**0.5)


def test_a_difference_as_large_as_the_rope_is_equivalent():
    a, b = np.array([0.81, 0.82, 0.79, 0.5]), np.array([0.80, 0.80, 0.80, 0.5])
    assert sign_posterior(a, b, rope=0.01).counts == (0, 3, 1)
    assert sign_posterior(1e6 * a, 1e6 * b, rope=1e4).counts == (0, 3, 1)
    assert sign_posterior(a, b).counts == (1, 1, 2)


# Signed ranks


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        (("nbc", "aode"), (0.000, 0.123, 0.877)),
        (("nbc", "hnb"), (0.000, 0.001, 0.999)),
        (("nbc", "j48"), (0.228, 0.006, 0.766)),
        (("nbc", "j48gr"), (0.179, 0.004, 0.817)),
        (("aode", "hnb"), (0.001, 0.965, 0.034)),
        (("aode", "j48"), (0.904, 0.034, 0.062)),
        (("aode", "j48gr"), (0.883, 0.046, 0.071)),
        (("hnb", "j48"), (0.962, 0.020, 0.019)),
        (("hnb", "j48gr"), (0.950, 0.026, 0.024)),
        (("j48", "j48gr"), (0.000, 1.000, 0.000)),
    ],
)
def test_signed_rank_posterior_of_54_data_sets(uci, pair, expected):
    # the notebook of Benavoli et al. (2017), which subtracts the first from the second; its own draws and ours have a
    # standard error of .002
    first, second = pair
    result = signed_rank_posterior(uci[second], uci[first], rope=0.01)
    assert triple(result) == pytest.approx(expected, abs=0.01)


def test_one_data_set_in_closed_form():
    # derived: with one difference d the pairs of weights w0^2, 2 w0 w1, w1^2 have means 0 + 0, d and 2 d; w0 is
    # Beta(s, 1), P(w0^2 < 1/2) = 2^(-s / 2), E w0^2 = s / (s + 2), E w1^2 = 2 / ((s + 1)(s + 2))
    for s in (0.5, 2.0):
        large = signed_rank_posterior([1.0], [0.0], rope=0.4, prior_strength=s)
        share = 2 ** (-s / 2)
        assert triple(large) == pytest.approx((0, 1 - share, share), abs=5 * 0.5 / 50_000**0.5)
        assert large.mean == pytest.approx((0, s / (s + 2), 2 / (s + 2)))
        assert large.standard_error == pytest.approx((large.right * large.rope / 50_000) ** 0.5)
        limit = signed_rank_posterior([0.81], [0.80], rope=0.01, prior_strength=s)
        assert limit.mean[2] == pytest.approx(0.5 * 2 / (s + 1) / (s + 2))
        half = signed_rank_posterior([1.0], [0.0], prior_strength=s)
        assert triple(half) == (0, 0, 1)
        assert half.mean == pytest.approx((s / (s + 2) / 2, 0, 1 - s / (s + 2) / 2))


def test_one_data_set_each_way():
    # by symmetry
    result = signed_rank_posterior([1.0, 0.0], [0.0, 1.0])
    assert triple(result) == pytest.approx((0.5, 0, 0.5), abs=5 * 0.5 / 50_000**0.5)
    assert result.mean == pytest.approx((0.5, 0, 0.5))


def test_draws_and_means_are_those_of_the_definition(rng):
    a, b = demsar()
    for rope in (0.0, 0.005):
        z = np.append(0, np.round(b - a, 12))
        weights = rng.dirichlet([0.5] + [1] * 14, 4000)
        theta = np.zeros((4000, 3))
        for i, j in itertools.product(range(15), repeat=2):
            mean = np.round((z[i] + z[j]) / 2, 12)
            product = weights[:, i] * weights[:, j]
            theta[:, 2] += product * (0.5 if mean == rope else mean > rope)
            theta[:, 0] += product * (0.5 if mean == -rope else mean < -rope)
        theta[:, 1] = 1 - theta.sum(axis=1)
        result = signed_rank_posterior(b, a, rope=rope)
        share = np.bincount(theta.argmax(axis=1), minlength=3) / 4000
        assert triple(result) == pytest.approx(share, abs=5 * 0.5 / 4000**0.5)
        assert result.mean == pytest.approx(theta.mean(axis=0), abs=5 * 0.5 / 4000**0.5)


def test_signed_rank_posterior_agrees_with_baycomp():
    baycomp = pytest.importorskip("baycomp")
    a, b = demsar()
    # at limits of the region that no mean of two differences is on: baycomp does not allow for rounding
    for rope in (0.0, 0.0053, 0.0107):
        theirs = baycomp.SignedRankTest.probs(a, b, rope, nsamples=10_000)
        result = signed_rank_posterior(b, a, rope=rope)
        ours = triple(result) if rope else (result.left, result.right)
        assert ours == pytest.approx(theirs, abs=5 * 0.5 * (1 / 10_000 + 1 / 50_000) ** 0.5)


def test_same_seed_same_result_in_any_order_and_mirrored(rng):
    for scores in (demsar(), rng.normal(size=(2, 30)), np.array([[1.0, 0, 2], [0, 1, 2]])):
        a, b = scores
        result = signed_rank_posterior(a, b, rope=0.005, rng=3, n_draws=2000)
        order = rng.permutation(a.size)
        assert signed_rank_posterior(a[order], b[order], rope=0.005, rng=3, n_draws=2000) == result
        mirrored = signed_rank_posterior(b, a, rope=0.005, rng=3, n_draws=2000)
        if not np.array_equal(np.sort(a - b), np.sort(b - a)):
            assert triple(mirrored) == triple(result)[::-1]
        assert mirrored.mean == pytest.approx(result.mean[::-1])
        generator = np.random.default_rng(3)
        assert signed_rank_posterior(a, b, rope=0.005, rng=generator, n_draws=2000) == result
        assert signed_rank_posterior(a, b, rope=0.005, rng=generator, n_draws=1999) != result


def test_draws_are_made_in_blocks_of_bounded_memory(rng):
    a, b = rng.normal(size=(2, 54))
    tracemalloc.start()
    try:
        signed_rank_posterior(a, b, n_draws=300_000)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 60e6


# Laws of both


@both
@given(
    d=arrays(np.int64, st.integers(1, 8), elements=st.integers(-3, 3)),
    rope=st.sampled_from([0.0, 0.1, 0.15]),
    strength=st.sampled_from([1e-3, 0.5, 5.0]),
)
@example(d=np.zeros(2, dtype=np.int64), rope=0.1, strength=0.5)  # rounding alone
def test_probabilities_add_up_and_swapping_mirrors(posterior, d, rope, strength):
    b = np.full(d.size, 0.7)
    options = {"rope": rope, "prior_strength": strength}
    if posterior is signed_rank_posterior:
        options |= {"n_draws": 500, "rng": 0}
    ours, theirs = posterior(b + d / 10, b, **options), posterior(b, b + d / 10, **options)
    for values in (triple(ours), ours.mean):
        assert sum(values) == pytest.approx(1, abs=1e-10)
        assert min(values) >= 0
    assert theirs.mean == pytest.approx(ours.mean[::-1], abs=1e-12)
    if posterior is sign_posterior or not np.array_equal(np.sort(d), np.sort(-d)):
        assert triple(theirs) == pytest.approx(triple(ours)[::-1], abs=1e-12)
    if np.array_equal(np.sort(d), np.sort(-d)):
        return  # which model comes first is for rounding to decide, and the draws are not symmetric
    scaled = posterior(1000 * (b + d / 10), 1000 * b, **(options | {"rope": 1000 * rope}))
    assert triple(scaled) == pytest.approx(triple(ours), abs=1e-12)


@both
@pytest.mark.parametrize("n", [1, 7])
def test_a_model_never_differs_from_itself(posterior, n):
    a = np.random.default_rng(0).normal(size=n)
    for other in (a, (a * 3 + 1 - 1) / 3):
        result = posterior(other, a)
        assert result.left == pytest.approx(result.right)
        assert codes(result) == ["NO_DIFFERENCE", *(["TOO_LITTLE_DATA"] if n == 1 else [])]
        assert posterior(other, a, rope=0.1).rope == 1
    assert triple(signed_rank_posterior(a, a)) == (0.5, 0, 0.5)


@both
def test_a_positive_difference_favours_a(posterior):
    b = np.linspace(0.5, 0.9, 10)
    result = posterior(b + 0.05, b, rope=0.01)
    assert result.right > 0.95
    assert posterior(b + 0.05, b, rope=0.2).rope > 0.95


@both
def test_more_prior_on_the_rope_more_rope(posterior):
    a, b = demsar()
    ropes = [posterior(b, a, rope=0.004, prior_strength=s).rope for s in (0.1, 2, 10, 1000)]
    assert np.all(np.diff(ropes) >= -0.01)
    assert ropes[-1] == pytest.approx(1)


@both
def test_the_laws_of_every_record(posterior):
    options = {"rng": 1, "n_draws": 1000} if posterior is signed_rank_posterior else {}
    result = assert_lawful(posterior, *demsar(), rope=0.01, **options)
    assert posterior(*demsar(), rope=np.float32(0.01), **options).right == pytest.approx(result.right)
    assert all(type(value) is float for value in (*triple(result), *result.mean))


@both
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"a": [1, np.nan]}, "a must be finite"),
        ({"b": [1, 2, 3]}, "a and b must be paired"),
        ({"a": [[1, 2]]}, r"a must have 1 dimension"),
        ({"a": []}, "a must hold at least one value"),
        ({"a": [1e308, 0], "b": [-1e308, 0]}, "a and b must differ by at most"),
        ({"rope": -0.1}, "rope must be a number in"),
        ({"rope": np.inf}, "rope must be a number in"),
        ({"rope": "wide"}, "rope must be a number in"),
        ({"prior_strength": 0}, "prior_strength must be a number in"),
        ({"prior_strength": 1e7}, "prior_strength must be a number in"),
        ({"prior_strength": np.nan}, "prior_strength must be a number in"),
        ({"prior_place": "middle"}, "prior_place must be one of"),
        ({"n_draws": 0}, "n_draws must be an integer of at least 1"),
        ({"rng": "seed"}, "rng must be None"),
    ],
)
def test_bad_input_is_refused_by_name(posterior, options, message):
    only = {"prior_place": sign_posterior, "n_draws": signed_rank_posterior, "rng": signed_rank_posterior}
    if all(only.get(name, posterior) is posterior for name in options):
        with pytest.raises(ValueError, match="^" + message):
            posterior(**({"a": [1, 2], "b": [0, 0]} | options))


@both
@given(
    a=arrays(np.float64, 5, elements=st.floats(-1e299, 1e299)),
    rope=st.sampled_from([0.0, 5e-324, 1.0, 1e299, 1.7e308]),
    strength=st.sampled_from([1e-300, 1e-5, 1e5]),
)
def test_extreme_input_never_gives_nan(posterior, a, rope, strength):
    options = {"n_draws": 20} if posterior is signed_rank_posterior else {}
    result = posterior(a, np.zeros(5), rope=rope, prior_strength=strength, **options)
    assert np.isfinite([*triple(result), *result.mean]).all()
    assert sum(triple(result)) == pytest.approx(1)


@pytest.mark.parametrize("n", [12, 40, 75])
@pytest.mark.parametrize("name", ["sign_posterior", "signed_rank_posterior"])
def test_no_posterior_is_called_certain(n, name, rng):
    """All draws agree where one model is far better on every data set; a finite sample is no proof."""
    lead = 0.2 + 0.05 * rng.random(n)
    frame = {"dataset": [f"d{i}" for i in range(n)], "x": (0.7 + lead).tolist(), "y": (0.7 - lead).tolist()}
    study = StudyResult.from_frame(frame)
    record = study.test(name, margin=0.01)
    claims = " ".join(str(record).split())
    assert not re.search(r"(?<![\d.])(?:100|0)%", claims.split("Method:")[0])
    display = SimplexDisplay.from_result(study, margin=0.01).plot()
    shown = " ".join(text.get_text() for ax in display.figure_.axes for text in ax.texts)
    assert not re.search(r"(?<![\d.])(?:100|0)%", shown)
