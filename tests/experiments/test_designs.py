"""Designs: points and aliases against published tables and pyDOE3's own, scales, and what is refused."""

from __future__ import annotations

import sys
from itertools import product

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from skcompare.experiments import central_composite, fractional_factorial, full_factorial, latin_hypercube

pydoe = pytest.importorskip("pyDOE3")


def two_levels(names):
    return dict.fromkeys(names, (0, 1))


def test_a_full_factorial_has_every_combination_once():
    levels = {"a": (1, 2), "b": ("x", "y", "z"), "c": (True, False)}
    design = full_factorial(levels)
    assert [tuple(run.values()) for run in design.runs] == list(product(*levels.values()))
    np.testing.assert_array_equal(np.unique(design.coded[:, 1]), [-1, 0, 1])
    assert design.aliases() == ()
    assert design.resolution is None


@pytest.mark.parametrize("n", [3, 4, 5])
def test_the_default_fraction_is_the_half_of_highest_resolution(n):
    # NIST/SEMATECH e-Handbook of Statistical Methods, 5.3.3.4.7: 2^(3-1) III, 2^(4-1) IV, 2^(5-1) V
    design = fractional_factorial(two_levels("abcde"[:n]))
    assert (len(design.runs), design.resolution) == (2 ** (n - 1), n)


def test_the_aliases_of_the_half_of_five_factors():
    # 2^(5-1) with E = ABCD, I = ABCDE: each main effect with a four-factor interaction, each two-factor one with a
    # three-factor one (Montgomery, Design and Analysis of Experiments, 8th ed., section 8.2, example 8.2)
    found = fractional_factorial(two_levels("abcde"), {"e": "a:b:c:d"}).aliases()
    main = ("a = b:c:d:e", "b = a:c:d:e", "c = a:b:d:e", "d = a:b:c:e", "e = a:b:c:d")
    pairs = ("a:b = c:d:e", "a:c = b:d:e", "a:d = b:c:e", "a:e = b:c:d", "b:c = a:d:e")
    others = ("b:d = a:c:e", "b:e = a:c:d", "c:d = a:b:e", "c:e = a:b:d", "d:e = a:b:c")
    assert found == ("I = a:b:c:d:e", *main, *pairs, *others)


@pytest.mark.parametrize("words", ["a b c ab ac", "a b c d abc bcd", "a b ab", "a b c d abcd"])
def test_aliases_are_those_of_pydoe(words):
    coded = pydoe.fracfact(words)
    names = "abcdefghi"[: coded.shape[1]]
    letters = iter("abcdefghi")
    base = {letter: names[i] for i, letter in enumerate(words.split()) if len(letter) == 1}
    generators = {names[i]: ":".join(base[x] for x in word) for i, word in enumerate(words.split()) if len(word) > 1}
    assert next(letters) == "a"
    ours = fractional_factorial(two_levels(names), generators)
    np.testing.assert_array_equal(ours.coded, coded)
    theirs = {frozenset(group.split(" = ")) for group in pydoe.fracfact_aliasing(coded)[0]}
    found = {frozenset(x.replace(":", "") for x in group.split(" = ")) for group in ours.aliases(order=len(names))}
    constant = next(group for group in found if "I" in group)
    assert constant - {"I"} in theirs
    assert found - {constant} == {group for group in theirs if len(group) > 1} - {constant - {"I"}}


def test_a_negative_generator_has_the_opposite_runs_and_signs():
    plus = fractional_factorial(two_levels("abc"), {"c": "a:b"})
    minus = fractional_factorial(two_levels("abc"), {"c": "-a:b"})
    np.testing.assert_array_equal(plus.coded[:, :2], minus.coded[:, :2])
    np.testing.assert_array_equal(plus.coded[:, 2], -minus.coded[:, 2])
    assert plus.aliases() == ("I = a:b:c", "a = b:c", "b = a:c", "c = a:b")
    assert minus.aliases() == ("I = -a:b:c", "a = -b:c", "b = -a:c", "c = -a:b")


# NIST/SEMATECH e-Handbook of Statistical Methods, table 5.3.3.4.7 (useful fractional factorial designs); those of
# resolution IV as in NIST's index of minimal designs too (Dataplot, DEXRES4.TXT)
SIZES = [(3, 4, 0, 0), (4, 8, 8, 0), (5, 8, 16, 16), (6, 8, 16, 32), (7, 8, 16, 64), (8, 16, 16, 64), (9, 16, 32, 128)]


@pytest.mark.parametrize(
    ("n", "resolution", "n_runs"),
    [(n, 3 + i, size) for n, *sizes in [*SIZES, (10, 16, 32, 128)] for i, size in enumerate(sizes) if size],
)
def test_fractions_of_a_resolution_have_the_size_of_the_table(n, resolution, n_runs):
    design = fractional_factorial(two_levels("abcdefghij"[:n]), resolution=resolution)
    assert design.resolution >= resolution
    assert len(design.runs) == n_runs


@pytest.mark.parametrize("k", [2, 3, 4])
def test_the_points_of_a_central_composite_design(k):
    # 2^k + 2k + 1 points; rotatable with alpha = (2^k)^(1/4) (Box and Hunter 1957; NIST e-Handbook 5.3.3.6.1)
    factors = {f"x{i}": (-1.0, 1.0) for i in range(k)}
    design = central_composite(factors, face="circumscribed")
    assert len(design.runs) == 2**k + 2 * k + 1
    alpha = 2 ** (k / 4)
    assert np.abs(design.coded).max() == pytest.approx(alpha)
    corners = design.coded[(np.abs(design.coded) == 1).all(axis=1)]
    assert len(np.unique(corners, axis=0)) == 2**k
    assert (design.coded == 0).all(axis=1).sum() == 1
    inscribed = central_composite(factors)
    np.testing.assert_allclose(inscribed.coded * alpha, design.coded, atol=1e-9)
    assert np.abs(central_composite(factors, face="faced").coded).max() == 1


def test_settings_on_a_logarithmic_scale_and_their_short_names():
    design = central_composite({"svc__C": (0.1, 1000), "svc__gamma": (1e-4, 1.0)}, log=["svc__C", "svc__gamma"])
    assert design.runs[-1] == {"svc__C": pytest.approx(10), "svc__gamma": pytest.approx(0.01)}
    assert {0.1, 1000} <= {run["svc__C"] for run in design.runs}
    assert design.names[-1] == "C=10, gamma=0.01"
    assert len(set(design.names)) == 9
    models = design.estimators(make_pipeline(StandardScaler(), SVC()))
    assert list(models) == list(design.names)
    assert models[design.names[0]].get_params()["svc__C"] == design.runs[0]["svc__C"]


def test_steps_stay_in_names_that_would_be_the_same_without():
    design = full_factorial({"a__C": (1, 2), "b__C": (1, 2)})
    assert design.names[0] == "a__C=1, b__C=1"


def test_integers_are_rounded_and_equal_settings_merged():
    design = latin_hypercube({"a": (1, 3), "b": (1, 2)}, 12, rng=0)
    assert all(isinstance(value, int) for run in design.runs for value in run.values())
    assert (len(design.runs), design.n_merged) == (6, 6)
    assert "6 settings equal to others after rounding" in str(design).replace("\n", " ")
    np.testing.assert_array_equal(design.coded, [[2 * (run["a"] - 1) / 2 - 1, 2 * run["b"] - 3] for run in design.runs])


def test_a_latin_hypercube_fills_every_part_once(global_random_seed):
    design = latin_hypercube({"a": (0.0, 1.0), "b": (1e-4, 1e4)}, 8, rng=global_random_seed, log="b")
    drawn = np.array([[run["a"], np.log10(run["b"]) / 8 + 0.5] for run in design.runs])
    for column in drawn.T:
        np.testing.assert_array_equal(np.sort(np.floor(column * 8)), np.arange(8))
    again = latin_hypercube({"a": (0.0, 1.0), "b": (1e-4, 1e4)}, 8, rng=global_random_seed, log="b")
    np.testing.assert_array_equal(again.coded, design.coded)


def test_a_latin_hypercube_ends_at_settings_that_are_run(global_random_seed):
    design = latin_hypercube({"a": (0.0, 1.0), "b": (1, 100)}, 5, rng=global_random_seed, log="b")
    for name, ends in design.factors.items():
        own = [run[name] for run in design.runs]
        assert ends == (min(own), max(own))
    np.testing.assert_array_equal(design.coded.min(axis=0), [-1, -1])
    np.testing.assert_array_equal(design.coded.max(axis=0), [1, 1])


def test_a_latin_hypercube_that_draws_one_integer_has_no_line_of_it():
    # of both halves of 1 to 3 some draws round to 2
    drawn = [latin_hypercube({"a": (1, 3), "b": (0.0, 1.0)}, 2, rng=seed) for seed in range(40)]
    design = next(design for design in drawn if design.factors["a"] == (2,))
    assert design.continuous == ("b",)
    with pytest.raises(ValueError, match="factors must be so wide that settings differ after rounding"):
        [latin_hypercube({"a": (1, 3)}, 2, rng=seed) for seed in range(40)]


def test_points_on_the_axes_may_be_negative_where_low_is():
    design = central_composite({"a": (-1, 3), "b": (0.5, 0.6)}, face="circumscribed")
    assert min(run["a"] for run in design.runs) == -2


def test_a_frame_of_the_settings():
    frame = full_factorial({"a": (1, 2), "b": ("x", "y")}).to_frame()
    assert list(frame.columns) == ["a", "b"]
    assert frame.shape == (4, 2)


def beyond(factors, **options):
    return central_composite(factors, face="circumscribed", **options)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: full_factorial({}), "factors must be a mapping"),
        (lambda: full_factorial({"a": 3}), "sequence of levels for 'a'; got 3"),
        (lambda: full_factorial({"a": (1, 1)}), "two or more different levels for 'a'"),
        (lambda: full_factorial({"a": (0, 1)}, log=["a"]), "log must name factors with positive numbers"),
        (lambda: full_factorial({"a": (0, 1)}, log=["b"]), "log must be"),
        (lambda: full_factorial({f"a{i}": (0, 1) for i in range(20)}), "at most 100,000 combinations"),
        (lambda: fractional_factorial(two_levels("ab")), "factors must be 3 to 10; got 2"),
        (lambda: fractional_factorial({**two_levels("ab"), "c": (1, 2, 3)}), "two levels each; got 3 of 'c'"),
        (lambda: fractional_factorial(two_levels("abc"), {"c": "a:b"}, 3), "must not both be given"),
        (lambda: fractional_factorial(two_levels("abc"), {"c": "a:x"}), "got 'a:x' for 'c'"),
        (lambda: fractional_factorial(two_levels("abc"), {"c": "a"}), "got 'a' for 'c'"),
        (lambda: fractional_factorial(two_levels("abcd"), {"c": "a:b", "d": "a:b"}), "must be different products"),
        (lambda: fractional_factorial(two_levels("abc"), "ab"), "generators must be a mapping"),
        (lambda: fractional_factorial(two_levels("abc"), {}), "at least one"),
        (lambda: fractional_factorial(two_levels("abc"), resolution=4), "at most the number of factors, 3; got 4"),
        (lambda: central_composite({"a": (1, 2)}), "factors must be 2 to 8; got 1"),
        (lambda: beyond({"max_depth": (1, 5), "b": (0.1, 0.2)}), r"'max_depth' .* 0 or less; got \(1, 5\), .* at 0:"),
        (lambda: beyond({"a": (5, 9), "b": (0.01, 20)}), "low end of 'b' .* of which one is at -4.13"),
        (lambda: beyond({"a": (5, 9), "b": (0.0, 0.1)}), "low end of 'b' .* do not reach below 0"),
        (lambda: beyond({"a": (1, 20), "b": (1, 2.0), "c": (1, 2.0)}, log="a"), "'a' .* 0 or less"),
        (lambda: central_composite({"a": (0.0, 1.0), "b": (1, 2)}), "keeps three values of 'b' after rounding"),
        (
            lambda: central_composite(dict.fromkeys("abcdefgh", (1, 3))),
            "keeps corners beside the centre after rounding",
        ),
        (lambda: central_composite({"a": (1, 2), "b": ("x", "y")}), "two numbers for 'b', low and high"),
        (lambda: central_composite({"a": (1, 2), "b": (3, 2)}), "two numbers for 'b', low and high"),
        (lambda: central_composite({"a": (1, 2), "b": (1, 2)}, face="round"), "face must be"),
        (lambda: latin_hypercube({"a": (1, 2)}, 1), "n_runs must be"),
    ],
    ids=range(26),
)
def test_what_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_an_unknown_parameter_is_refused():
    with pytest.raises(ValueError, match=r"parameters of DecisionTreeClassifier, .*; got 'depth'"):
        full_factorial({"depth": (1, 2)}).estimators(DecisionTreeClassifier())


def test_a_design_without_pydoe_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyDOE3", None)
    with pytest.raises(ImportError, match=r"pip install 'skcompare\[experiments\]'"):
        fractional_factorial(two_levels("abc"))
    assert len(full_factorial({"a": (1, 2)}).runs) == 2


@pytest.mark.parametrize("ask", ["axis", "levels", "codes"])
@pytest.mark.parametrize("factor", ["depth ", None, 3, float("nan")])
def test_a_factor_that_is_none_is_refused(ask, factor):
    design = full_factorial({"depth": [1, 2, 3], "kernel": ["rbf", "linear"]})
    with pytest.raises(ValueError, match="factor must be one of 'depth', 'kernel'"):
        getattr(design, ask)(factor)


def test_an_axis_has_numbers_and_a_code_has_levels():
    design = full_factorial({"depth": [1, 2, 3], "kernel": ["rbf", "linear"]})
    assert design.codes("kernel").tolist() == [0, 1] * 3
    for ask in (lambda: design.axis("kernel"), design.axes):
        with pytest.raises(ValueError, match="factors with numbers as levels; 'kernel' has others"):
            ask()
    with pytest.raises(ValueError, match="'depth' is continuous"):
        central_composite({"depth": (2, 9), "leaf": (1, 20)}).codes("depth")
