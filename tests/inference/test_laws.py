"""The laws that every procedure on fold scores obeys: one table of procedures, one set of laws.

A new row of the table is tested without a change here. Exceptions are listed with their reason, and they are
strict: one that no longer applies fails.
"""

import dataclasses
import inspect
import itertools
import pickle
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import skcompare.inference
from skcompare import Design
from skcompare.inference import Compared, ConfidenceInterval, TTestResult
from skcompare.inference._procedures import PROCEDURES, SPLITS, Procedure, find_procedure
from tests.lawful import ALTERNATIVES, FULL, MIRRORED, assert_lawful

pytestmark = pytest.mark.sampled

ALPHAS = (0.001, 0.01, 0.05, 0.1, 0.5, 0.9)
SEEDS = (0, 1, 2)


def partition(n_repeats, n_folds):
    n_splits, test_size = n_repeats * n_folds, 240 // n_folds
    return Design(
        n_samples=240,
        n_repeats=n_repeats,
        n_folds=n_folds,
        n_splits=n_splits,
        train_sizes=(240 - test_size,) * n_splits,
        test_sizes=(test_size,) * n_splits,
        test_fraction=1 / n_folds,
        partition=True,
        split_hash="",
    )


def runs(n):
    return Design(n_repeats=n, n_folds=1, n_splits=n, test_fraction=0.0, partition=False, kind="runs", n_runs=(n, n))


# A procedure is tested on the first design that it fits; the second list is for the many small examples.
DESIGNS = (partition(10, 10), partition(5, 2), partition(1, 10), runs(10))
SMALL_DESIGNS = (partition(2, 3), partition(5, 2), partition(1, 6))

# Further values of options that change the formula; every other row runs once, with its defaults.
VARIANTS = {
    "calibrated_t_test": [{"scheme": s} for s in ("all", "folds", "runs", "sorted_runs")],
    "correlated_t_posterior": [{"rope": 0.0}, {"rope": 0.01}],
    "cluster_t_test": [{"clusters": "single"}, {"clusters": "pairs"}],
}
# Labels of the clusters of `n` scores: each its own, or two by two.
CLUSTERS = {"single": np.arange, "pairs": lambda n: np.arange(n) // 2}
OPTIONS_IN_SCORE_UNITS = ("rope",)
BAD_OPTIONS = {
    "test_fraction": [1, 1.5, -0.1, "x", None, np.nan, True],
    "df": [0, -1, np.nan, np.inf, "x"],
    "rope": [-1, np.nan, np.inf, "x", None],
    "overlap": [-0.1, 1.1, np.nan, "x", None, True],
    "scheme": ["averages", None, 1],
    "fold_correlation": [0.5, (0.5,), (2, 0), ("x", 0), (0, 0, 0)],
    "null": [np.nan, np.inf, "x", None, True],
    "clusters": [],  # an array: see the end of this file
    "alternative": ["bigger", "two_sided", None, 1],
}


@dataclasses.dataclass(frozen=True)
class Case:
    """A procedure with fixed options, on scores of one design."""

    procedure: Procedure
    variant: dict
    designs: tuple = DESIGNS

    @property
    def name(self):
        return "-".join([self.procedure.name, *map(str, self.variant.values())])

    @property
    def design(self):
        return next(design for design in self.designs if self.procedure.fits(design, {"df": 10.0}))

    @property
    def small(self):
        return dataclasses.replace(self, designs=SMALL_DESIGNS)

    @property
    def shape(self):
        design = self.design
        return (design.n_splits,) if self.procedure.takes.words == "splits" else (design.n_repeats, design.n_folds)

    @property
    def sided(self):
        """The keyword options that choose what is tested: one per alternative, none where it has none."""
        return [{"alternative": x} for x in ALTERNATIVES] if self.name not in NO_DIRECTION else [{}]

    def run(self, a, b, **options):
        variant = {x: CLUSTERS[y](np.size(a)) if x == "clusters" else y for x, y in self.variant.items()}
        return self.procedure.function(a, b, **{**self.procedure.options(self.design), **variant, **options})

    def scores(self, seed, effect=0.02):
        rng = np.random.default_rng(seed)
        b = rng.normal(0.8, 0.05, self.shape)
        return b + rng.normal(effect, 0.03, self.shape), b


# Rows whose records have another form: their files of tests run the same laws in that form.
TESTED_ELSEWHERE = {
    "permutation_test": "test_permutation.py",  # discrete: its p-values and intervals step
    "nested_cv_interval": "test_nested_cv.py",  # on losses of nested fits
    "welch_t_test": "test_welch_t.py",  # its scores are no pairs
    "equivalence_test": "test_equivalence.py",  # its null hypothesis is a difference
    "almost_stochastic_order": "test_almost_stochastic_order.py",  # no p-value
    "cv_clt_test": "test_cv_clt.py",  # on losses, as the next
    "diebold_mariano_test": "test_diebold_mariano.py",
    "confidence_sequence": "test_confidence_sequence.py",  # of bounded values in order
    "stability_t_test": "test_stability.py",  # on losses too
    "model_confidence_set": "test_model_confidence_set.py",  # on all models, as the next
    "selection_bias": "test_selection_bias.py",
    **dict.fromkeys(("anova_test", "friedman_test", "tukey_test", "nemenyi_test"), "test_models_on_folds.py"),
    "fold_error_rate_test": "test_outcomes.py",  # on one model
    "mcnemar_test": "test_outcomes.py",
    "cochran_q_test": "test_outcomes.py",
    "delong_test": "test_outcomes.py",
    "error_rate_test": "test_outcomes.py",
    "paired_metric_test": "test_outcomes_metrics.py",
    "paired_bootstrap": "test_outcomes_metrics.py",
    "full_dominance_test": "test_joint_tests.py",  # on counts of statements
    "intersection_union_test": "test_joint_tests.py",  # on several metrics, as the next two
    "max_t_test": "test_joint_tests.py",
    "hotelling_test": "test_joint_tests.py",
    "wald_test": "test_judgments.py",  # on estimates with their covariance
    "error_reduction": "test_curves.py",
    "roc_dominance": "test_curves.py",
}
NO_ROWS = (Procedure("cluster_t_test", takes=SPLITS),)  # of cases in clusters, not of folds
CASES = [
    Case(row, variant)
    for row in (*(row for row in PROCEDURES if not row.needs_clusters), *NO_ROWS)
    if row.name not in TESTED_ELSEWHERE
    for variant in VARIANTS.get(row.name, [{}])
]


@pytest.mark.parametrize("name", TESTED_ELSEWHERE)
def test_what_is_tested_elsewhere_is_tested_there(name):
    assert name in {row.name for row in PROCEDURES}
    tests = (Path(__file__).parent / TESTED_ELSEWHERE[name]).read_text(encoding="utf-8")
    assert tests.count(f"{name}(") > 1


# Exceptions to a law: the case, the reason, and the error that must be the outcome.
POSTERIOR = ("a posterior has no alternative hypothesis and its interval inverts no test", TypeError)
NO_DIRECTION = {
    "five_by_two_f_test": ("an F test has no direction", ValueError),
    "correlated_t_posterior-0.0": POSTERIOR,
    "correlated_t_posterior-0.01": POSTERIOR,
}
NO_TEST_INTERVAL = {
    "five_by_two_f_test": ("an F test has no interval", AttributeError),
    "correlated_t_posterior-0.0": POSTERIOR,
    "correlated_t_posterior-0.01": POSTERIOR,
}
CLUSTERS_STAY = {
    "cluster_t_test-pairs": ("the clusters belong to the rows, which are moved without them", AssertionError)
}
DEPENDS_ON_ORDER = {
    **CLUSTERS_STAY,
    "five_by_two_t_test": ("its numerator is the difference of the first fold alone", AssertionError),
}
DEPENDS_ON_FOLD_ORDER = {
    **DEPENDS_ON_ORDER,
    "calibrated_t_test-runs": ("it averages over the runs fold index by fold index", AssertionError),
}
FIXED_SHAPE = {
    "five_by_two_t_test": ("it takes 5x2 differences only", ValueError),
    "five_by_two_f_test": ("it takes 5x2 differences only", ValueError),
}
SAYS_OTHERWISE = {
    "correlated_t_posterior-0.0": ("a posterior says ZERO_VARIANCE", AssertionError),
    "correlated_t_posterior-0.01": ("a posterior says ZERO_VARIANCE", AssertionError),
}
NOT_OF_ONE = {**FIXED_SHAPE, "blocked_m_by_two_test": ("it takes m x 2 differences only", ValueError)}


def every_case(exceptions=()):
    """All cases as parameters; those in `exceptions` must fail, with the error given there."""
    unknown = set(exceptions) - {case.name for case in CASES}
    assert not unknown, f"exceptions for procedures that do not exist: {unknown}"
    return pytest.mark.parametrize(
        "case",
        [
            pytest.param(
                case,
                id=case.name,
                marks=[pytest.mark.xfail(strict=True, reason=exceptions[case.name][0], raises=exceptions[case.name][1])]
                if case.name in exceptions
                else [],
            )
            for case in CASES
        ],
    )


def assert_same(actual, expected, rel=1e-9, abs=1e-12, but=()):  # noqa: A002
    """Two records agree: numbers up to rounding, the rest exactly."""
    assert type(actual) is type(expected)
    for field in dataclasses.fields(actual):
        x, y = getattr(actual, field.name), getattr(expected, field.name)
        if field.name in but:
            continue
        if isinstance(x, float):
            y = pytest.approx(y, rel=rel, abs=abs, nan_ok=True)
        assert x == y, field.name


def opposite(side):
    return {"alternative": MIRRORED[side["alternative"]]} if side else {}


def mirrored(record):
    """What the record must say after the two models have changed places."""
    names = {field.name for field in dataclasses.fields(record)}
    negated = {"estimate", "mean_difference", "effect_size", "mean"} & names
    if isinstance(record, TTestResult):
        negated.add("statistic")
    changes = {name: -getattr(record, name) for name in negated}
    if "left" in names:
        changes |= {"left": record.right, "right": record.left}
    if "alternative" in names:
        changes["alternative"] = MIRRORED[record.alternative]
    return dataclasses.replace(record, **changes)


def interval_of(record, level=0.95):
    if hasattr(record, "confidence_interval"):
        return record.confidence_interval(level)
    return record.interval(level) if hasattr(record, "interval") else ConfidenceInterval(low=-np.inf, high=np.inf)


def probabilities_of(record):
    return [record.pvalue] if hasattr(record, "pvalue") else [record.left, record.rope, record.right]


# The table


@pytest.mark.parametrize("row", PROCEDURES, ids=lambda row: row.name)
def test_every_row_names_a_public_function(row):
    assert row.function.__name__ == row.name
    assert getattr(skcompare.inference, row.name) is row.function
    assert row.name in skcompare.inference.__all__


@pytest.mark.parametrize("row", PROCEDURES, ids=lambda row: row.name)
@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.name)
def test_a_row_is_found_where_it_fits_and_refused_elsewhere_with_those_that_fit(row, design):
    if row.fits(design, {}):
        assert find_procedure(row.name, design) is row
        assert find_procedure(row.name.removesuffix("_test"), design) is row
    else:
        fitting = next(other.name for other in PROCEDURES if other.fits(design, {}))
        with pytest.raises(ValueError, match=f"procedure must fit the design.*{fitting}"):
            find_procedure(row.name, design)


def test_the_default_procedure_fits_every_design():
    assert all(find_procedure("auto", design).fits(design, {}) for design in DESIGNS)


@pytest.mark.parametrize("row", dict.fromkeys(case.procedure for case in CASES), ids=lambda row: row.name)
def test_every_option_of_a_row_has_bad_values_to_be_refused(row):
    assert set(list(inspect.signature(row.function).parameters)[2:]) <= set(BAD_OPTIONS)


# Two models change places


@every_case()
@pytest.mark.parametrize("seed", SEEDS)
def test_swapping_the_models_mirrors_the_result(case, seed):
    a, b = case.scores(seed)
    for side in case.sided:
        assert_same(case.run(b, a, **opposite(side)), mirrored(case.run(a, b, **side)))


@every_case()
@pytest.mark.parametrize("seed", SEEDS)
def test_swapping_the_models_mirrors_the_interval(case, seed):
    a, b = case.scores(seed)
    for side in case.sided:
        interval = interval_of(case.run(a, b, **side))
        mirror = interval_of(case.run(b, a, **opposite(side)))
        assert (mirror.low, mirror.high) == pytest.approx((-interval.high, -interval.low), rel=1e-9)


@every_case(NO_DIRECTION)
def test_swapping_the_models_exchanges_the_one_sided_tails(case):
    for seed in SEEDS:
        a, b = case.scores(seed)
        two, greater, less = (case.run(a, b, alternative=x).pvalue for x in ALTERNATIVES)
        assert case.run(b, a, alternative="greater").pvalue == pytest.approx(less, rel=1e-9)
        assert greater + less == pytest.approx(1, rel=1e-9)
        assert two == pytest.approx(2 * min(greater, less), rel=1e-9)


# A model against itself


@every_case()
@pytest.mark.parametrize("rounded", [False, True], ids=["identical", "up to rounding"])
def test_a_model_never_differs_from_itself(case, rounded):
    _, b = case.scores(0)
    a = (b * 3 + 1 - 1) / 3 if rounded else b
    for side in case.sided:
        record = case.run(a, b, **side)
        if hasattr(record, "pvalue"):
            assert (record.pvalue, record.statistic, record.estimate) == (1, 0, 0)
        else:
            assert (record.mean, record.left) == (0, record.right)
        interval = interval_of(record)
        assert interval.low <= 0 <= interval.high


# Order


@every_case(DEPENDS_ON_ORDER)
def test_the_order_of_the_repeats_is_irrelevant(case):
    for seed in SEEDS:
        a, b = case.scores(seed)
        order = np.roll(np.random.default_rng(seed).permutation(len(a) - 1) + 1, 1)
        order = np.append(order, 0)
        assert_same(case.run(a[order], b[order]), case.run(a, b))


@every_case(DEPENDS_ON_FOLD_ORDER)
def test_the_order_of_the_folds_within_each_repeat_is_irrelevant(case):
    for seed in SEEDS:
        a, b = case.scores(seed)
        rng = np.random.default_rng(seed)
        design = case.design
        order = np.array([rng.permutation(design.n_folds) for _ in range(design.n_repeats)])
        order[0] = np.roll(np.arange(design.n_folds), 1)
        shuffled = [np.take_along_axis(x.reshape(order.shape), order, axis=1).reshape(case.shape) for x in (a, b)]
        assert_same(case.run(*shuffled), case.run(a, b))


# Test and interval say the same


@every_case(NO_TEST_INTERVAL)
def test_p_is_below_alpha_exactly_when_the_interval_leaves_out_zero(case):
    for seed, effect, alternative in itertools.product(range(10), (-0.02, 0.0, 0.005, 0.02), ALTERNATIVES):
        record = case.run(*case.scores(seed, effect), alternative=alternative)
        for alpha in ALPHAS:
            interval = record.confidence_interval(1 - alpha)
            assert (record.pvalue < alpha) == (not interval.low <= 0 <= interval.high)


@every_case(NO_TEST_INTERVAL)
def test_the_interval_at_one_minus_p_ends_at_zero(case):
    for seed, alternative in itertools.product(SEEDS, ALTERNATIVES):
        record = case.run(*case.scores(seed, 0.005), alternative=alternative)
        interval = record.confidence_interval(1 - record.pvalue)
        nearest = min(abs(interval.low), abs(interval.high))
        assert nearest == pytest.approx(0, abs=1e-6 * record.standard_error)


@every_case()
def test_the_interval_contains_the_estimate_and_grows_with_its_level(case):
    record = case.run(*case.scores(0))
    centre = record.estimate if hasattr(record, "estimate") else record.mean
    inner, outer = interval_of(record, 0.8), interval_of(record, 0.99)
    assert outer.low <= inner.low <= centre <= inner.high <= outer.high


@pytest.mark.parametrize("level", [0, 1, 2, -0.5, np.nan, "x", None])
def test_a_confidence_level_outside_0_to_1_is_refused(level):
    for case in CASES:
        record = case.run(*case.scores(0))
        if hasattr(record, "confidence_interval"):
            with pytest.raises(ValueError, match="confidence_level must be a number in"):
                record.confidence_interval(level)


@pytest.mark.parametrize("mass", [0, 1, 2, np.nan, "x"])
def test_a_credible_mass_outside_0_to_1_is_refused(mass):
    for case in CASES:
        if case.procedure.returns == "posterior":
            with pytest.raises(ValueError, match="mass must be a number in"):
                case.run(*case.scores(0)).interval(mass)


# Records and side effects


@every_case()
def test_the_laws_of_every_record(case):
    record = assert_lawful(case.run, *case.scores(0))
    assert interval_of(pickle.loads(pickle.dumps(record))) == interval_of(record)


@every_case()
def test_the_record_holds_plain_python_values(case):
    record = case.run(*case.scores(0))
    for field in dataclasses.fields(record):
        assert type(getattr(record, field.name)) in (float, int, str, tuple, Compared), field.name


@every_case()
def test_the_memory_layout_is_irrelevant(case):
    a, b = case.scores(0)
    wide = np.stack([a, b], axis=-1)
    assert_same(case.run(np.asfortranarray(a), wide[..., 1]), case.run(a, b))


@every_case()
def test_every_warning_is_a_code_and_a_sentence(case):
    a, b = case.scores(0)
    for record in (case.run(a, b), case.run(b + 0.125, b), case.run(b, b)):
        assert isinstance(record.warnings, tuple)
        for warning in record.warnings:
            assert re.fullmatch(r"[A-Z]+(_[A-Z]+)*: \S.*\.", warning)


# Invariances


@every_case()
@pytest.mark.parametrize("factor", [1e-6, 0.01, 3.7, 100.0, 1e9])
def test_the_unit_of_the_scores_is_irrelevant(case, factor):
    a, b = case.scores(0)
    in_units = {name: x * factor for name, x in case.variant.items() if name in OPTIONS_IN_SCORE_UNITS}
    for side in case.sided:
        record, scaled = case.run(a, b, **side), case.run(factor * a, factor * b, **side, **in_units)
        assert probabilities_of(scaled) == pytest.approx(probabilities_of(record), rel=1e-9)
        if hasattr(record, "statistic"):
            assert scaled.statistic == pytest.approx(record.statistic, rel=1e-9)
            assert scaled.estimate == pytest.approx(factor * record.estimate, rel=1e-9)
            assert scaled.effect_size == pytest.approx(record.effect_size, rel=1e-9, nan_ok=True)


@every_case()
@pytest.mark.parametrize("constant", [-0.8, 0.1, 25.0])
def test_a_constant_added_to_both_models_changes_nothing(case, constant):
    a, b = case.scores(0)
    for side in case.sided:
        assert_same(case.run(a + constant, b + constant, **side), case.run(a, b, **side), rel=1e-9)


# Degenerate input has a defined answer


@every_case()
@pytest.mark.parametrize("sign", [1, -1], ids=["a better", "b better"])
def test_a_constant_difference_is_certain_and_says_so(case, sign):
    _, b = case.scores(0)
    record = case.run(b + sign * 0.125, b)
    assert any(warning.startswith("ZERO_VARIANCE: ") for warning in record.warnings)
    if hasattr(record, "pvalue"):
        assert record.pvalue == 0
        assert np.isinf(record.statistic)
    else:
        assert (record.left, record.rope, record.right) == (sign < 0, 0, sign > 0)


@every_case({"five_by_two_f_test": NO_TEST_INTERVAL["five_by_two_f_test"]})
@pytest.mark.parametrize("difference", [0.125, -0.125])
def test_a_constant_difference_has_an_interval_of_one_point(case, difference):
    _, b = case.scores(0)
    record = case.run(b + difference, b)
    interval = record.confidence_interval() if case.procedure.returns == "test" else record.interval()
    assert interval.low == interval.high == pytest.approx(difference, rel=1e-12)


@every_case(NO_DIRECTION)
def test_a_constant_difference_is_certain_on_its_own_side_only(case):
    _, b = case.scores(0)
    assert case.run(b + 0.125, b, alternative="greater").pvalue == 0
    less = case.run(b + 0.125, b, alternative="less")
    assert less.pvalue == 1
    assert less.confidence_interval().high == pytest.approx(0.125, rel=1e-12)


@every_case(SAYS_OTHERWISE)
def test_identical_models_are_said_to_be(case):
    scores = case.scores(0)[0]
    assert any(w.startswith("NO_DIFFERENCE: ") for w in case.run(scores, scores).warnings)


EQUAL_AS_WELL = {
    "flips": lambda scores: skcompare.inference.permutation_test(scores, scores),
    "drawn flips": lambda scores: skcompare.inference.permutation_test(scores, scores, n_resamples=50, rng=0),
    "flips of clusters": lambda scores: skcompare.inference.permutation_test(
        scores, scores, clusters=np.arange(12) % 4
    ),
    "areas": lambda scores: skcompare.inference.delong_test(np.arange(12) % 2, scores, scores**3),
}


@pytest.mark.parametrize("test", EQUAL_AS_WELL.values(), ids=EQUAL_AS_WELL)
def test_models_that_do_not_differ_to_a_test_of_other_evidence_are_said_to_be_equal(test, rng):
    record = test(rng.random(12))
    assert record.pvalue == 1
    assert [w for w in record.warnings if w.startswith("NO_DIFFERENCE: ")]
    assert not [w for w in record.warnings if w.startswith(("ZERO_VARIANCE", "CANNOT_REJECT"))]


@every_case(NOT_OF_ONE)
def test_one_difference_is_too_few(case):
    one = (1,) * len(case.shape)
    record = case.run(np.full(one, 0.9), np.full(one, 0.8))
    assert record.n == 1
    assert np.all(np.isnan(probabilities_of(record)))
    assert np.isnan(record.df)
    assert any(warning.startswith("TOO_LITTLE_DATA: ") for warning in record.warnings)
    assert np.isnan(interval_of(record).low)


EXTREME = st.one_of(
    st.floats(-1, 1),
    st.floats(-1e299, 1e299),
    st.sampled_from([0.0, 0.3, 0.1 + 0.2, 0.5, 1.0, 1 + 1e-13, 1e-200, 5e-324, -5e-324, 1e200, -1e299]),
)


@every_case()
@given(data=st.data())
def test_extreme_input_never_gives_nan(case, data):
    small = case.small
    a = data.draw(arrays(np.float64, small.shape, elements=EXTREME, fill=st.sampled_from([0.5, 1e-200, 1e299])))
    b = data.draw(st.one_of(st.just(a), arrays(np.float64, small.shape, elements=EXTREME)))
    for side in case.sided:
        record = small.run(a, b, **side)
        assert np.all([0 <= p <= 1 for p in probabilities_of(record)])
        interval = interval_of(record)
        assert interval.low <= interval.high
        if case.procedure.returns == "posterior":
            assert sum(probabilities_of(record)) == pytest.approx(1, abs=1e-12)
        elif hasattr(record, "confidence_interval"):
            assert (record.pvalue < 0.05) == (not interval.low <= 0 <= interval.high)


@every_case()
@given(data=st.data())
def test_swapping_the_models_mirrors_the_result_on_coarse_scores_too(case, data):
    small = case.small
    hundredths = arrays(np.int64, small.shape, elements=st.integers(0, 100))
    a, b = (data.draw(hundredths) / 100 for _ in range(2))
    assert_same(small.run(b, a), mirrored(small.run(a, b)), but=("warnings",))


# Bad input is refused by name


def spoilt(array, value):
    array = array.astype(type(value) if isinstance(value, str) else np.float64).astype(object)
    array[(-1,) * array.ndim] = value
    return array


@every_case()
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf], ids=str)
@pytest.mark.parametrize("name", ["a", "b"])
def test_scores_that_are_not_finite_are_refused_by_name(case, name, value):
    scores = dict(zip("ab", case.scores(0), strict=True))
    scores[name] = spoilt(scores[name], value)
    with pytest.raises(ValueError, match=rf"^{name} must be finite; got {value} at position"):
        case.run(scores["a"], scores["b"])


@every_case()
@pytest.mark.parametrize("bad", ["good", [["x"]], None, {}, [], 0.5, np.zeros((2, 3, 4))], ids=repr)
@pytest.mark.parametrize("name", ["a", "b"])
def test_what_is_no_array_of_scores_is_refused_by_name(case, name, bad):
    scores = dict(zip("ab", case.scores(0), strict=True)) | {name: bad}
    with pytest.raises(ValueError, match=rf"^{name} must "):
        case.run(scores["a"], scores["b"])


@every_case()
def test_unpaired_scores_are_refused_by_name(case):
    a, b = case.scores(0)
    with pytest.raises(ValueError, match=r"^a and b must be paired, of one shape; got a "):
        case.run(a, b[:-1])


@pytest.mark.parametrize(
    "case",
    [
        c for c in CASES if c.procedure.takes.words != "splits" and c.variant.get("scheme") != "all"
    ],  # "all" takes any shape
    ids=lambda case: case.name,
)
def test_flat_scores_are_refused_where_repeats_matter(case):
    a, b = case.scores(0)
    with pytest.raises(ValueError, match=r"^a must have 2 dimension"):
        case.run(a.ravel(), b.ravel())


@pytest.mark.parametrize("name", FIXED_SHAPE)
@pytest.mark.parametrize("shape", [(2, 5), (10, 2), (5, 3), (1, 1)])
def test_a_procedure_of_fixed_shape_refuses_others_by_name(name, shape):
    case = next(case for case in CASES if case.name == name)
    with pytest.raises(ValueError, match=r"^a and b must have shape \(5, 2\); got"):
        case.run(np.zeros(shape), np.ones(shape))


@every_case()
def test_differences_that_overflow_are_refused_by_name(case):
    with pytest.raises(ValueError, match=r"^a and b must differ by at most"):
        case.run(np.full(case.shape, 1.7e308), np.full(case.shape, -1.7e308))


@pytest.mark.parametrize(
    ("case", "option", "value"),
    [
        pytest.param(case, option, value, id=f"{case.name}-{option}-{value}")
        for case in CASES
        for option, values in BAD_OPTIONS.items()
        if option in inspect.signature(case.procedure.function).parameters
        for value in values
    ],
)
def test_an_option_out_of_range_is_refused_by_name(case, option, value):
    with pytest.raises(ValueError, match=f"(^|[?] ){option} must be "):
        case.run(*case.scores(0), **{option: value})


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_an_f_test_refuses_a_direction_by_name(alternative):
    case = next(case for case in CASES if case.name == "five_by_two_f_test")
    with pytest.raises(ValueError, match=r"^alternative must be 'two-sided' for five_by_two_f_test"):
        case.run(*case.scores(0), alternative=alternative)


# The least value of every count, as the docstrings say, from which its procedure has an answer.
ONE, OTHER = np.array([3.0, 1.0, 4.0, 1.5, 5.0, 9.0]), np.array([2.0, 7.0, 1.0, 8.0, 2.5, 8.5])
CLASSES, RIGHT, WRONG = [0, 1, 0, 1], [0, 1, 0, 1], [0, 1, 1, 0]
TABLE, RUNS = np.column_stack([ONE, OTHER]), np.array([[ONE, OTHER], [OTHER, ONE]])
DRAWN = {"rng": 0}
LEAST = {
    ("almost_stochastic_order", "n_resamples"): (2, (ONE, OTHER), DRAWN),
    ("almost_stochastic_order", "n_comparisons"): (1, (ONE, OTHER), DRAWN),
    ("alpha_spending", "n_folds"): (2, (), {"n_repeats": 2}),
    ("alpha_spending", "n_repeats"): (1, (5,), {}),
    ("alpha_spending", "min_repeats"): (1, (5, 2), {}),
    ("alpha_spending", "n_comparisons"): (1, (5, 2), {}),
    ("calibration_error_test", "n_bins"): (1, (CLASSES, [0.1, 0.9, 0.5, 0.7], [0.5, 0.6, 0.4, 0.8]), DRAWN),
    ("calibration_error_test", "n_resamples"): (2, (CLASSES, [0.1, 0.9, 0.5, 0.7], [0.5, 0.6, 0.4, 0.8]), DRAWN),
    ("critical_difference", "n_models"): (2, (), {"n_datasets": 3}),
    ("critical_difference", "n_datasets"): (1, (3,), {}),
    ("diebold_mariano_test", "horizon"): (1, (ONE, OTHER), {}),
    ("diebold_mariano_test", "period"): (1, (ONE, OTHER), {}),
    ("dominance_network", "n_draws"): (1, (TABLE, TABLE[::-1]), DRAWN),
    ("metric_interval", "n_resamples"): (2, (CLASSES, CLASSES, "accuracy"), {"rng": 0}),
    ("effective_cases", "n"): (1, (), {"fold_correlation": 0.1}),
    ("error_rate_test", "n"): (1, (0,), {"threshold": 0.1}),
    ("error_rate_test", "n_errors"): (0, (), {"n": 3, "threshold": 0.1}),
    ("interquartile_mean", "n_resamples"): (2, (RUNS,), DRAWN),
    ("max_t_test", "n_resamples"): (1, (TABLE, TABLE[::-1]), DRAWN),
    ("paired_bootstrap", "n_resamples"): (2, (CLASSES, RIGHT, WRONG, "accuracy"), DRAWN),
    ("paired_metric_test", "n_resamples"): (1, (CLASSES, RIGHT, WRONG, "accuracy"), DRAWN),
    ("pairwise_posterior", "n_draws"): (1, (TABLE,), DRAWN),
    ("pareto_front", "n_draws"): (1, (RUNS,), DRAWN),
    ("performance_profile", "n_resamples"): (2, (RUNS,), DRAWN),
    ("permutation_test", "n_resamples"): (1, (ONE, OTHER), DRAWN),
    ("plackett_luce_posterior", "n_draws"): (100, (TABLE,), DRAWN),
    ("probability_of_improvement", "n_resamples"): (2, (RUNS[0], RUNS[1]), DRAWN),
    ("proportion_interval", "n"): (1, (0,), {}),
    ("proportion_interval", "n_successes"): (0, (), {"n": 3}),
    ("reliability_points", "n_bins"): (1, (CLASSES, [0.1, 0.9, 0.5, 0.7]), {}),
    ("selection_bias", "n_folds"): (1, (TABLE,), {"test_fraction": 0.1}),
    ("signed_rank_posterior", "n_draws"): (1, (ONE, OTHER), DRAWN),
    ("step_down_test", "n_resamples"): (1, (TABLE,), DRAWN),
    ("stochastic_dominance_test", "n_resamples"): (1, (TABLE, TABLE[::-1]), DRAWN),
    ("study_power", "n_datasets"): (2, (1.0,), {"std": 1.0}),
    ("wald_test", "n"): (1, ([0.5, 0.2], [[0.1, 0.0], [0.0, 0.1]]), {}),
}


def test_every_count_has_a_least_value():
    counts = {
        (name, argument)
        for name in skcompare.inference.__all__
        if inspect.isfunction(function := getattr(skcompare.inference, name))
        for argument, parameter in inspect.signature(function).parameters.items()
        if parameter.annotation in ("int", "int | None")
    }
    assert counts == set(LEAST)


@pytest.mark.parametrize(("name", "argument"), LEAST, ids=" ".join)
def test_a_count_is_accepted_from_its_least_value_on(name, argument):
    least, arguments, options = LEAST[name, argument]
    function = getattr(skcompare.inference, name)
    assert function(*arguments, **options, **{argument: least}) is not None
    with pytest.raises(ValueError, match=f"^{argument} must be an integer of at least {least}; got {least - 1}$"):
        function(*arguments, **options, **{argument: least - 1})


# Size


@pytest.mark.sampled("simulations")
@pytest.mark.slow
@pytest.mark.parametrize("case", [c for c in CASES if c.procedure.returns == "test"], ids=lambda case: case.name)
def test_true_nulls_are_not_rejected_too_often_where_the_differences_are_independent(case):
    n, alpha = (4000 if FULL else 400), 0.05
    zeros = np.zeros(case.shape)
    rng = np.random.default_rng(0)
    rejected = sum(case.run(rng.normal(size=case.shape), zeros).pvalue < alpha for _ in range(n))
    # five binomial standard errors above the nominal size
    assert rejected / n <= alpha + 5 * (alpha * (1 - alpha) / n) ** 0.5


# What every array of every public function refuses


def arrays_of(function):
    parameters = inspect.signature(function).parameters.values() if inspect.isfunction(function) else ()
    return [p.name for p in parameters if "ArrayLike" in str(p.annotation)]


ARRAYS = {name: arrays_of(getattr(skcompare.inference, name)) for name in skcompare.inference.__all__}
ARRAYS = {name: found for name, found in ARRAYS.items() if found}
LABELS = {
    "y_true": np.arange(20) % 2,
    "y_pred": np.arange(20) % 2,
    "pred_a": np.arange(20) % 2,
    "pred_b": np.arange(20) // 10,
}
SPECIAL = {
    **LABELS,
    "correct_a": np.arange(20) % 2,
    "correct_b": np.arange(20) // 10,
    "correct": np.arange(20).reshape(10, 2) % 2,
    "fold_ids": np.arange(20) % 4,
    "counts": np.arange(4),
    "contrasts": np.array([[1.0, -1.0]]),
    "differences": np.random.default_rng(0).normal(size=(20, 3)),
    "thresholds": np.array([0.1, 0.5]),
    "clusters": np.arange(20) // 2,
    "half_scores": np.random.default_rng(0).uniform(size=(10, 2, 3)),
    "labels": np.where(np.arange(20) < 8, np.linspace(-1, 1, 20), np.nan),
    "estimates": np.array([0.5, 0.2]),
    "covariance": np.array([[0.1, 0.02], [0.02, 0.1]]),
    "df": np.array([7.0]),
}
JUDGMENTS = {"a": 5 + np.arange(20) % 2, "b": 6 - np.arange(20) % 2, "winner": np.arange(20) // 3 % 2}
TAKEN = {
    **dict.fromkeys(["five_by_two_f_test", "five_by_two_t_test"], (5, 2)),
    **dict.fromkeys(["blocked_m_by_two_test", "probability_of_improvement"], (10, 2)),
    **dict.fromkeys(["hierarchical_posterior", "plackett_luce_posterior"], (3, 2)),  # slow ones
    **dict.fromkeys(["stochastic_dominance_test"], (5,)),
    **dict.fromkeys(["adjust_pairs"], (4, 4)),
    **dict.fromkeys(["stability_t_test"], (5, 5)),
    **dict.fromkeys(["welch_from_summary"], (2,)),
    **dict.fromkeys(["interquartile_mean", "pareto_front", "performance_profile"], (4, 3, 5)),
}
NEEDED = {
    "correction": "holm",
    "control": 0,
    "test_fraction": 0.1,
    "margin": 0.1,
    "threshold": 0.5,
    "rope": 0.01,
    "metric": "accuracy",
}
NOT_PAIRED = {
    "almost_stochastic_order": "of two samples",
    "welch_t_test": "of two samples",
    "welch_from_summary": "its values are of two models, not of splits",
    "performance_profile": "its thresholds are no scores",
    "conservative_z_interval": "of other splits",
    "contrast_test": "its contrasts are no scores",
    "wald_test": "its covariance is of both estimates",
}


def call(name, options=None, **changes):
    """A public function on arrays that it takes, some of them changed, with some `options`."""
    function = getattr(skcompare.inference, name)
    parameters = inspect.signature(function).parameters
    shape = TAKEN.get(name, (10, 2) if "scores" in parameters else (20,))
    special = SPECIAL | (JUDGMENTS if name == "bradley_terry" else {})
    given = {x: special.get(x, np.random.default_rng(i).uniform(size=shape)) for i, x in enumerate(ARRAYS[name])}
    if name == "adjust_pairs":
        given = {x: (values + values.T) / 2 for x, values in given.items()}
    if name == "welch_from_summary":
        given["n"] = np.array([5.0, 7.0])
    if name == "stability_t_test":
        given["fold_ids"] = np.tile(np.arange(5), (5, 1))
    given = {x: changes.get(x, lambda values: values)(values) for x, values in given.items()}
    needed = {x: NEEDED[x] for x, p in parameters.items() if x in NEEDED and p.default is p.empty}
    return function(**given, **needed | (options or {}))


def each_array(known=()):
    places = [(name, x) for name, found in ARRAYS.items() for x in found if not {x, (name, x)} & {*known}]
    return pytest.mark.parametrize(("name", "array"), places, ids=lambda x: x)


def holding_the_masked_constant(values):
    """An array of objects, of which the first is the constant that a masked array gives for one value."""
    found = np.asarray(values).astype(object)
    found[(0,) * found.ndim] = np.ma.masked
    return found


def masked(values):
    return np.ma.masked_array(values, mask=np.arange(np.size(values)).reshape(np.shape(values)) == 0)


@each_array()
def test_masked_values_are_refused_by_name(name, array):
    for form in (masked, lambda values: list(masked(values)), holding_the_masked_constant):
        with pytest.raises(ValueError, match=f"^{array} must not have masked values"):
            call(name, **{array: form})


NO_VALUES = {
    "masked": np.ma.masked,
    "masked, 0-d": np.ma.array(0.5, mask=True),
    "masked in a list": [np.ma.masked, 0.5],
    "masked array": np.ma.array([0.5, 0.2], mask=[True, False]),
    "complex": 0.5j,
    "complex, numpy": np.complex128(0.5),
    "complex, 0-d": np.array(0.5 + 0j),
    "complex array": np.array([0.5 + 0j, 0.2]),
}


@pytest.mark.parametrize("what", NO_VALUES)
def test_no_option_of_any_public_function_takes_masked_or_complex_values(what):
    for name, found in ARRAYS.items():
        for option in inspect.signature(getattr(skcompare.inference, name)).parameters:
            if option not in found:
                with pytest.raises(ValueError, match=rf"^{option}\b"):
                    call(name, {option: NO_VALUES[what]})
    for (name, argument), (least, arguments, options) in LEAST.items():
        function = getattr(skcompare.inference, name)
        names = [x for x in inspect.signature(function).parameters if x != argument]
        given = {**dict(zip(names, arguments, strict=False)), **options, argument: max(least, 2)}
        for option in inspect.signature(function).parameters:
            with pytest.raises(ValueError, match=rf"^{option}\b"):
                function(**given | {option: NO_VALUES[what]})


@each_array()
def test_a_masked_array_without_masked_values_is_an_array(name, array):
    call(name, **{array: np.ma.masked_array})


@each_array((*LABELS, "clusters", *(("bradley_terry", side) for side in JUDGMENTS)))
@pytest.mark.parametrize("kind", ["U", "S", "M8[D]", "m8[s]", "c16"])
def test_text_dates_times_and_complex_numbers_are_refused_by_name(name, array, kind):
    for form in (
        lambda values: np.asarray(values).astype(kind),
        lambda values: np.asarray(values).astype(kind).tolist(),
    ):
        with pytest.raises(ValueError, match=f"^{array} must "):
            call(name, **{array: form})
    with pytest.raises(ValueError, match=f"^{array} must "):
        call(name, **{array: lambda values: np.asarray(values).astype(kind).astype(object)})


@pytest.mark.parametrize("name", [name for name, found in ARRAYS.items() if len(found) > 1 and name not in NOT_PAIRED])
def test_series_that_are_paired_have_one_index(name):
    def labelled(values):
        return (pd.Series if np.ndim(values) == 1 else pd.DataFrame)(values)

    *_, last = ARRAYS[name]
    call(name, **dict.fromkeys(ARRAYS[name], labelled))
    call(name, **{last: lambda values: labelled(values)[::-1]})  # beside arrays
    for other in (lambda frame: frame[::-1], lambda frame: frame.set_axis(frame.index + 1)):
        with pytest.raises(ValueError, match=f"and {last} must have the same index"):
            call(name, **dict.fromkeys(ARRAYS[name], labelled) | {last: lambda v, other=other: other(labelled(v))})
