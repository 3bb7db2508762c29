"""What a notebook shows of evaluators, results, studies and records, and their repr."""

from __future__ import annotations

import dataclasses
import os
import pickle
import re
from html.parser import HTMLParser
from types import FunctionType
from typing import get_type_hints

import numpy as np
import pytest
import sklearn
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skcompare
from skcompare import (
    Design,
    Details,
    LearningCurveResult,
    PairedEvaluator,
    RunOptions,
    SearchReport,
    StopRule,
    StudyResult,
    calibration,
    from_frame,
    inference,
    procedures,
    simplest_within,
)
from skcompare._core.record import MAX_REPR, MAX_ROWS, MAX_WARNINGS, Record
from skcompare._core.text import WIDTH, wrap
from skcompare._core.warnings import Code
from skcompare.evaluation.predictions import FoldPrediction
from skcompare.experiments import ExperimentReport, full_factorial
from skcompare.inference.fold_scores.z_tests import NestedCVResult
from skcompare.planning import SeedVariance, SeedVarianceRow, design_efficiency, plan_evaluation
from skcompare.selection._choice import of_search
from skcompare.testing import not_worse
from tests.shown_tables import cells, grids

pytestmark = pytest.mark.sampled

EVIL = '<script>alert("x")</script>'
SPLITS = {"test_fraction": 0.1}
LONGEST_LINE = 110
SEED = int(os.environ["SKCOMPARE_SEED"])
FOLDED = ("details", "summary", "h3")
SCROLLS = {"role", "aria-label", "tabindex"}  # of what is around a wide table
MODELS = {"nb": GaussianNB(), "stump": DecisionTreeClassifier(max_depth=1)}
X, Y = make_classification(120, random_state=0)


class Page(HTMLParser):
    """A piece of HTML whose tags must be closed in order: its tags, texts and rows of cells."""

    def __init__(self, html):
        super().__init__()
        self.open, self.tags, self.rows, self.paragraphs = [], [], [], []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.tags.append((tag, dict(attrs)))
        if tag == "tr":
            self.rows.append([])
        if tag in ("th", "td"):
            self.rows[-1].append("")
        if tag in ("p", "li"):
            self.paragraphs.append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if {"th", "td"} & {*self.open}:
            self.rows[-1][-1] += data
        else:
            self.paragraphs[-1] += data


def check(shown):
    """What holds for everything that is shown: plain tags, nothing that could reach beyond it, a repr of one line."""
    page = Page(shown._repr_html_())
    names = [tag for tag, _ in page.tags]
    assert set(names) <= {
        "div",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "p",
        "strong",
        "span",
        "ul",
        "li",
        *FOLDED,
    }
    for tag, attributes in page.tags:
        assert set(attributes) <= {"class", "style", "scope"} | (SCROLLS if tag == "div" else set())
        assert (tag == "th") == (attributes.get("scope") in ("col", "row"))
        assert not re.search(r"color|url|position", attributes.get("style", ""))
    answers = "strong" in names  # what has an answer begins with it
    assert not {"p", "table"} <= {*names} or (names.index("p") < names.index("table")) == answers
    plain = repr(shown)
    assert plain.isprintable()
    assert len(plain) <= MAX_REPR
    return page


def public_dataclasses():
    """Those of the public names, and those that public procedures return."""
    values = {getattr(module, name) for module in (skcompare, inference) for name in module.__all__}
    procedures_ = (getattr(inference, name) for name in inference.__all__)
    functions = [value for value in procedures_ if isinstance(value, FunctionType)]
    values |= {get_type_hints(function).get("return") for function in functions}
    named = (value for value in values if isinstance(value, type) and not value.__name__.startswith("_"))
    return {value for value in named if dataclasses.is_dataclass(value)}


def kinds(base=Record):
    """All dataclasses that derive from Record; of one that was made twice, with slots, the last."""
    below = (found for child in base.__subclasses__() for found in kinds(child))
    return {*below, *({base} if "__dataclass_fields__" in vars(base) else ())}


def records_of_fold_scores():
    rng = np.random.default_rng(SEED)
    a, b = rng.normal(0.80, 0.05, (10, 10)), rng.normal(0.78, 0.05, (10, 10))
    t = inference.corrected_t_test(a, b, **SPLITS)
    ones = dict.fromkeys(("statistic", "estimate", "standard_error", "bias", "inflation", "mean_squared_error"), 1.0)
    return [
        t,
        t.confidence_interval(),
        inference.five_by_two_f_test(a[:5, :2], b[:5, :2]),
        inference.stability_t_test(a, b, a**2, b**2, np.tile(np.arange(10), (10, 1))),
        inference.correlated_t_posterior(a, b, rope=0.01, **SPLITS),
        inference.permutation_test(a[0], b[0]),
        inference.welch_t_test(a[0], b[0]),
        inference.equivalence_test(a, b, margin=0.01, **SPLITS),
        inference.almost_stochastic_order(a[0], b[0], n_resamples=50, rng=0),
        NestedCVResult(
            **ones,
            pvalue=0.3,
            inner_mean=1.0,
            outer_mean=1.0,
            n=9,
            n_repeats=1,
            n_folds=3,
            method="nested",
            effect_size=1.0,
        ),
        inference.conservative_z_interval(a, b.reshape(10, 2, 5)),
        inference.model_confidence_set(np.stack([a[0], b[0], b[1]], axis=1), **SPLITS),
        inference.contrast_test(np.stack([a[0], b[0], b[1]], axis=1), [[1, -1, 0]], **SPLITS),
        inference.selection_bias(np.stack([a[0], b[0], b[1]], axis=1)),
        inference.alpha_spending(10, 4),
        inference.detectable_difference(a, b, **SPLITS),
    ]


def records_of_outcomes():
    rng = np.random.default_rng(SEED)
    y = np.arange(60) % 2
    first, second = np.where(np.arange(60) < 7, 1 - y, y), np.where(np.arange(60) > 48, 1 - y, y)
    scores_a, scores_b = rng.random(60), rng.random(60)
    return [
        inference.mcnemar_test(first == y, second == y),
        inference.cochran_q_test(np.stack([first == y, second == y, y == 1], axis=1)),
        inference.delong_test(y, scores_a, scores_b),
        inference.error_rate_test(3, 100, threshold=0.05),
        inference.fold_error_rate_test([0.1, 0.2, 0.15], threshold=0.1, **SPLITS),
        inference.cluster_t_test(first == y, second == y, clusters=np.arange(60) // 4),
        inference.prediction_powered_test((first == y) * 1.0, np.where(np.arange(60) < 40, second == y, np.nan)),
        inference.bradley_terry(["a"] * 4, ["b"] * 4, [1, 1, 0, 0.5]),
        inference.diebold_mariano_test(np.abs(scores_a), np.abs(scores_b), horizon=2),
        inference.confidence_sequence(first == y, second == y),
        inference.paired_metric_test(y, first, second, "f1", n_resamples=50, rng=0),
        inference.metric_interval(y, first, "f1", n_resamples=50, rng=0),
        inference.paired_bootstrap(y, first, second, "f1", n_resamples=50, rng=0),
        inference.roc_points(y, scores_a),
        inference.roc_dominance(y, scores_a, scores_b),
        inference.precision_recall_points(y, scores_a),
        inference.expected_cost(y, scores_a),
        inference.error_reduction(first == y, second == y),
        inference.reliability_points(y, scores_a),
        inference.calibration_error_test(y, scores_a, scores_b, n_resamples=50, rng=0),
    ]


def records_of_dominance():
    rng = np.random.default_rng(SEED)
    a, b = rng.random((40, 3)), rng.random((40, 3))
    counts = inference.dominance_counts(a, b)
    posterior, hotelling = inference.dominance_posterior(counts), inference.hotelling_test(a, b)
    return [
        inference.dominance_test(counts),
        posterior,
        posterior.sensitivity(),
        inference.dominance_network(a, b, n_draws=200, rng=0),
        inference.full_dominance_test(counts),
        inference.intersection_union_test(a, b),
        inference.max_t_test(a, b, n_resamples=50, rng=0),
        hotelling,
        hotelling.confidence_interval(),
        inference.pareto_front(rng.random((3, 12, 2)), n_draws=100, rng=0),
        inference.stochastic_dominance_test(a[:8], b[:8], n_resamples=20, rng=0),
    ]


def records_of_datasets():
    rng = np.random.default_rng(SEED)
    table, runs = rng.random((8, 4)), rng.random((3, 5, 2))
    a, b = table[:, 0], table[:, 1]
    profile = inference.performance_profile(runs, thresholds=[0.2, 0.5], n_resamples=50, rng=0)
    return [
        inference.friedman_test(table),
        inference.mixed_model_test(table),
        inference.nemenyi_test(table),
        inference.control_test(table, control=0),
        inference.pairwise_posterior(table, rope=0.01, n_draws=200, rng=0),
        inference.plackett_luce_posterior(table, n_draws=500, rng=0),
        inference.sign_test(a, b),
        inference.sign_posterior(a, b, rope=0.01),
        inference.signed_rank_test(a, b),
        inference.signed_rank_posterior(a, b, rope=0.01, n_draws=200, rng=0),
        inference.hierarchical_posterior(table[:, :3], table[:, 1:], rope=0.01, **SPLITS),
        inference.interquartile_mean(runs, n_resamples=50, rng=0),
        profile,
        profile.confidence_band(),
        inference.probability_of_improvement(runs[0], runs[1], n_resamples=50, rng=0),
    ]


def records_of_calibration():
    differences = np.random.default_rng(SEED).normal(0, 0.05, (40, 3, 2))
    differences = np.concatenate([differences, -differences])  # the null hypothesis holds
    found = inference.calibrate(differences)
    predicted = calibration.predicted_error_rate("accuracy", n_samples=200)
    whole = calibration.Calibration(
        estimators=("a", "b"),
        identities=("A()", "B()"),
        metrics=("accuracy",),
        calibrations={"accuracy": found},
        uncalibrated={},
        scheme="all",
        alpha=0.05,
        generator="shuffled labels",
        design=Design(
            n_samples=20,
            n_repeats=3,
            n_folds=2,
            n_splits=6,
            train_sizes=(10,) * 6,
            test_sizes=(10,) * 6,
            test_fraction=0.5,
            partition=True,
            split_hash="",
        ),
        n_datasets=80,
        random_state=0,
        versions={},
    )
    return [found, whole, predicted]


def records_of_simulations():
    given = ("paired_t_test", "2x2", calibration.ExchangeableBlocks(n_samples=40), ["accuracy", "recall"])
    options = {"models": GaussianNB(), "n_datasets": 3}
    sizes, again = calibration.size(*given, **options), calibration.replicability(*given, n_repeats=2, **options)
    return [sizes, sizes[0], sizes.differences[0], calibration.power(*given, **options), again, again[0]]


def records_of_planning():
    plan = plan_evaluation(0.01, std=0.05, n_train=90, n_test=10)
    row = SeedVarianceRow(metric="f1", a="nb", b="tree", mean=0.1, split=1.0, seed=0.2, residual=0.3, n_splits=9)
    designs = design_efficiency()
    return [plan, plan.rows[0], SeedVariance(rows=(row, row), seeds=(1, 2)), row, designs, designs.rows[0]]


def records_of_experiments():
    design = full_factorial({"max_depth": (1, 2, 3), "min_samples_leaf": (1, 10, 30)})
    scores = np.random.default_rng(0).normal(size=90)
    table = {"model": np.repeat(design.names, 10), "fold": np.tile(np.arange(10), 9), "score": scores}
    report = ExperimentReport.from_result(design, from_frame(table))
    return [design, report, report.effects(), *report.effects().rows[1:], report.response_surface()]


RECORDS = [
    *(*records_of_fold_scores(), *records_of_outcomes(), *records_of_dominance(), *records_of_datasets()),
    *records_of_calibration(),
    *records_of_simulations(),
    *records_of_planning(),
    *records_of_experiments(),
]
# Settings, data and what another module prints in its own way.
SETTINGS = (
    StopRule,
    Details,
    RunOptions,
    calibration.ExchangeableBlocks,
    calibration.RandomData,
    calibration.LabelPermutation,
    FoldPrediction,
    SearchReport,
)
WITHOUT_WORDS = [
    *(record.levels[0] for record in RECORDS if isinstance(record, inference.CalibrationResult)),
    *(calibration.ExchangeableBlocks(), calibration.RandomData(), calibration.LabelPermutation(X=X, y=Y)),
]


def evaluate(models=MODELS, **options):
    return PairedEvaluator(random_state=0, **{"cv": 5, **options}).evaluate(models, X, Y)


@pytest.fixture(scope="module")
def two():
    return evaluate()


@pytest.fixture(scope="module")
def study(global_random_seed):
    rng = np.random.default_rng(global_random_seed)
    columns = {name: rng.random(9) for name in ("nb", "tree", "knn")}
    return StudyResult.from_frame({"dataset": [f"d{i}" for i in range(9)], **columns})


@pytest.fixture(scope="module")
def stopped():
    return evaluate(cv="4x5", stop=StopRule()).details.stopping


@pytest.fixture(scope="module")
def search(made_search):
    searched = made_search(6)
    return SearchReport.from_search(searched), simplest_within().choose(of_search(searched.cv_results_))


@pytest.fixture(scope="module")
def tables(two, study, stopped, search):
    comparison, joint, all_procedures = two.compare(), two.dominance("table"), procedures()
    report, choice = search
    curve = PairedEvaluator(cv=5, scoring="accuracy", random_state=0).learning_curve(MODELS, X, Y)
    replaced = not_worse(two, *two.estimators[:2], margin=0.05, metric="accuracy")
    return [
        *(stopped, stopped.looks[0], StopRule(), report, report.best, report.effects[0], choice),
        *(comparison, comparison[0], joint, joint[0], all_procedures, all_procedures[0]),
        *(study.rank(), two.design, two.predictions("nb")[0], skcompare.verify(two, allow=())),
        *(two.answer(), two.answer().metrics[0], two.answer().pairs[0], two.details, RunOptions(share=False)),
        *(curve.compare(), curve.compare()[0], curve.crossing()),
        *(two.by(Y), two.by(Y)[0], two.intervals(), two.intervals()[0]),
        replaced,
        *(two.rates(0.5), two.rates(0.5)[0], two.confusion_matrices()),
        *(two.expected_cost([[0, 1], [2, 0]]), two.expected_cost([[0, 1], [2, 0]])[0]),
        *(two.reliability(), two.reliability()[0], two.reliability().differences[0]),
        *WITHOUT_WORDS,
    ]


# ---- records --------------------------------------------------------------------------------------------------


def test_every_public_record_derives_from_the_base_and_keeps_its_repr():
    results = {skcompare.EvaluationResult, StudyResult, skcompare.LearningCurveResult}
    for kind in public_dataclasses() - results:
        assert issubclass(kind, Record), f"{kind.__name__} must derive from Record"
    for kind in kinds():
        assert kind.__repr__ is Record.__repr__, f"{kind.__name__} must be declared with repr=False"


def test_the_examples_here_hold_a_record_of_every_kind(tables):
    shown = {type(record).__name__ for record in (*RECORDS, *tables)}
    events = {
        "ClassCount",
        "Failure",
        "DatasetFailure",
        "ProgressEvent",
        "Selected",
        "Compared",
        "Difference",
    }  # facts of other records
    # met as Comparison, SearchReport, the estimates, and what records of a kind share
    bases = {"AgainstNull", "SubgroupTable", "ComparisonTable", "SearchFindings", "Estimate", "OfModels", "Result"}
    bases |= {
        "DifferenceTest",
        "MetricTest",
        "RateTest",
        "OmnibusTest",
        "Posterior",
        "JointTest",
        "OfStatements",
        "RankedResult",
        "RunSettings",
    }
    public = {kind.__name__ for kind in kinds() if not kind.__name__.startswith("_")}
    assert public - events - bases == shown


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: type(record).__name__)
def test_a_record_is_shown_as_a_table_with_a_sentence_below(record):
    page = check(record)
    assert page.paragraphs[0].endswith(".")
    assert len(page.rows) > 1


def test_the_tables_are_shown(tables):
    for table in tables:
        check(table)


@pytest.mark.parametrize("record", [*RECORDS, *WITHOUT_WORDS], ids=lambda record: type(record).__name__)
def test_records_keep_slots_and_pickle(record):
    assert not hasattr(record, "__dict__")
    assert repr(pickle.loads(pickle.dumps(record))) == repr(record)
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(record, dataclasses.fields(record)[0].name, None)


def damaged(record, number):
    """The record with all its numbers replaced, and no statement."""
    changes = {}
    for field in dataclasses.fields(record):
        value = getattr(record, field.name)
        if isinstance(value, float):
            changes[field.name] = number
        elif isinstance(value, np.ndarray) and value.dtype.kind == "f":
            changes[field.name] = np.full(value.shape, np.nan if np.isinf(number) else number)  # no curve is infinite
        elif field.name in ("statement", "most_probable", "robust"):
            changes[field.name] = None
        elif field.name == "warnings":
            changes[field.name] = (Code.MISSING_SCORES(EVIL),) * 9
        elif field.name == "uncalibrated":
            changes[field.name] = {EVIL: EVIL}
    return dataclasses.replace(record, **changes)


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf, 0.0, 1.0, 5e-324])
def test_degenerate_records_are_shown_too(number):
    for record in RECORDS:
        broken = damaged(record, number)
        page = check(broken)
        if isinstance(record, calibration.Calibration):  # its warnings are made of its fields
            assert f"NOT_CALIBRATED: {EVIL}: {EVIL}." in page.paragraphs
        elif hasattr(record, "warnings"):
            assert "warnings=(MISSING_SCORES)" in repr(broken) or "warnings=..." in repr(broken)
            told = f"Caution: {EVIL}" if isinstance(record, ExperimentReport) else f"MISSING_SCORES: {EVIL}"
            assert told in page.paragraphs


def test_names_are_text_whatever_they_are(rng):
    scores = rng.random((9, 3))
    names = [EVIL, "a\nb\x1b[31m", "'\"&amp;"]
    for record in (
        *(inference.friedman_test(scores, names=names), inference.nemenyi_test(scores, names=names)),
        inference.dominance_test(inference.dominance_counts(scores, scores[::-1])),
        inference.max_t_test(scores, scores[::-1], metrics=[EVIL, "b", "c"]),
        inference.control_test(scores, names=names, control=EVIL),
    ):
        check(record)
    page = check(inference.friedman_test(scores, names=names))
    assert {EVIL, "a b?[31m", "'\"&amp;"} <= {row[0] for row in page.rows}


def test_the_repr_shortens_what_is_long(rng):
    record = inference.nemenyi_test(rng.random((9, 5)))
    assert "pvalues=array(5, 5)" in repr(record)
    assert "low=0.1, high=0.25)" in repr(inference.ConfidenceInterval(low=0.1, high=0.25))
    limits = inference.SimultaneousIntervals(low=np.array([0.1, np.nan]), high=np.arange(9.0))
    assert repr(limits) == "SimultaneousIntervals(low=[0.1, nan], high=array(9))"


def test_the_repr_names_the_warnings_and_drops_the_longest_fields_first():
    posterior = inference.sign_posterior([1, 2, 3], [1, 2, 3], rope=0)
    full = repr(posterior)
    code = posterior.warnings[0].code
    assert f"warnings=({code}" in full
    long = repr(dataclasses.replace(posterior, method="x" * 999, warnings=(Code.MONTE_CARLO("it is long."),) * 50))
    assert "warnings=(MONTE_CARLO)" in long
    assert len(long) <= MAX_REPR


def printed(record):
    """What holds for what a record prints: a sentence, then at most small tables and the reasons to doubt it."""
    text = str(record)
    sentence, *rest = text.split("\n\n")
    first = sentence.split("\nMethod: ")[0].split("\n- ")[0]
    assert first.endswith((".", ":", "?"))
    assert text != repr(record)
    lines = text.splitlines()
    assert max(map(len, lines)) <= LONGEST_LINE
    assert all(len(line) <= WIDTH for line in lines if "  " not in line.strip() and line.strip("-"))
    assert all(len(part.splitlines()) <= MAX_ROWS + 3 for part in rest if not part.startswith("Warnings:"))
    assert not re.search(r"not established|no difference shown|undecided among| [<>] ·|p = nan", text)


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: type(record).__name__)
def test_a_record_prints_a_sentence_and_small_tables(record):
    printed(record)
    if isinstance(record, ExperimentReport):  # a document: its warnings are in its explanation
        assert all(warning.code in str(record.explain()) for warning in record.warnings)
        return
    for warning in getattr(record, "warnings", ())[:MAX_WARNINGS]:
        assert warning.code in str(record)


def test_the_tables_print_a_sentence_too(tables, two, study):
    for record in (*tables, study.answer(), study.compare(), study.test(), two.test()):
        if not isinstance(record, SETTINGS):
            printed(record)


def test_settings_print_their_repr():
    assert str(StopRule()) == repr(StopRule())


def test_a_pvalue_stays_on_one_line():
    for n in range(60, 80):
        assert "p = 0.012" in wrap(f"{'x' * n} with p = 0.012")
        assert "a - b" in wrap(f"{'x' * n} with a - b")


# ---- sentences ------------------------------------------------------------------------------------------------


def sentence(record):
    return Page(record._repr_html_()).paragraphs[0]


def t_test(**changes):
    fields = {"statistic": 1.0, "pvalue": 0.12, "df": np.inf, "alternative": "two-sided", "estimate": 0.012}
    fields |= {"mean_difference": 0.012, "standard_error": 0.01, "effect_size": 1.0, "n": 10, "method": "t"}
    return inference.TTestResult(**{**fields, **changes})


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        # 0.012 -+ 1.96 * 0.01, the 97.5% quantile of the normal distribution being 1.96
        ({}, "a and b are not significantly different: a - b is +0.0120 (95% interval [-0.0076, +0.0316]), p = 0.120."),
        ({"pvalue": 0.0004, "standard_error": 0.003},
         "a is significantly better than b: a - b is +0.0120 (95% interval [+0.0061, +0.0179]), p < 0.001."),
        ({"pvalue": 0.01, "estimate": -0.1, "standard_error": 0.0},
         "b is significantly better than a: a - b is -0.1000 (95% interval [-0.1000, -0.1000]), p = 0.010."),
        ({"alternative": "greater", "pvalue": 0.01, "standard_error": 0.0},
         "a is significantly better than b: a - b is +0.0120 (95% interval from +0.0120), p = 0.010 (one-sided)."),
        ({"pvalue": np.nan, "estimate": np.nan}, "a and b are not comparable: a - b is not known, p is not known."),
    ],
)  # fmt: skip
def test_the_sentence_of_a_test(changes, expected):
    assert sentence(t_test(**changes)) == expected


def test_the_sentence_of_a_posterior():
    fields = {"mean": 0.0, "scale": 1.0, "df": 9.0, "rope_width": 0.01, "n": 10, "method": "t"}
    record = inference.DifferencePosterior(left=0.03, rope=0.1, right=0.87, **fields)
    assert sentence(record) == (
        "The probability that a is better is 87%, that b is better 3%, and that the two are practically equivalent 10%."
    )


def test_the_sentence_of_a_dominance_test():
    unanimous = inference.dominance_test([0, 0, 0, 20])
    assert sentence(unanimous).startswith(
        "The most frequent pattern of wins, a better than b on both metrics, is significantly more frequent"
    )
    assert "not significantly more frequent" in sentence(inference.dominance_test([0, 0, 1, 2]))
    assert sentence(inference.dominance_test([2, 0, 0, 2])).startswith("No pattern of wins is more frequent than all")


def test_the_sentence_of_all_pairs_says_who_is_better():
    scores = np.arange(20.0)[:, None] + [0.0, 1.0, 1.0]
    record = inference.nemenyi_test(scores, names=["low", "high", "other"])
    assert sentence(record) == (
        "2 of 3 pairs are significantly different on 20 data sets: high better than low and other better than low."
    )


# ---- results, studies, evaluators -----------------------------------------------------------------------------


def shown_as(result):
    """The page of a result but for what is folded; its first paragraph and tables are those of its document."""
    check(result)
    page, document = Page(result._repr_html_().partition("<details>")[0] + "</div>"), result._document()
    texts = [block.text for block in document.blocks if hasattr(block, "text")]
    (table,) = grids(document)
    assert page.paragraphs[0] == texts[0]
    assert {*texts} <= {*page.paragraphs}
    assert [[cell.strip() for cell in row] for row in page.rows] == cells(table)
    return page


def test_two_models_are_shown_with_the_answer_and_the_comparison(two):
    page = shown_as(two)
    leader = two.answer().metrics[0].leader
    assert [row[0] for row in page.rows[1:]] == list(two.metrics)
    assert page.rows[0][1] == leader
    assert [row[-1] for row in page.rows[1:]] == [
        f"{row.winner} better" if row.winner else "not significant" for row in two.compare()
    ]


def test_many_models_are_shown_in_a_short_table():
    table = [
        {"model": f"m{i:02}", "metric": f"metric{j}", "fold": fold, "score": (i + j + fold * (i % 3)) / 99}
        for i in range(30)
        for j in range(10)
        for fold in range(5)
    ]
    result = from_frame({name: [row[name] for row in table] for name in table[0]}, test_fraction=0.2)
    page = shown_as(result)
    assert len(page.rows) <= MAX_ROWS + 1
    assert page.rows[1][0].strip() == result.answer().metrics[0].leader
    assert any("20 more models" in paragraph for paragraph in page.paragraphs)
    assert repr(result).count(" more") == 2


def test_studies_are_shown_with_ranks_or_with_wins(study):
    ranks = dict(zip(study.estimators, study.rank().mean_ranks, strict=True))
    assert {row[0]: float(row[1]) for row in shown_as(study).rows[1:]} == pytest.approx(ranks, abs=0.0051)
    table = {"dataset": [f"d{i}" for i in range(9)], "x": study.means("score")[:, 0], "y": study.means("score")[:, 1]}
    head, (_, *cells) = shown_as(StudyResult.from_frame(table)).rows
    assert {*head[1:3]} == {"x", "y"}
    assert sum(map(int, cells[head.index("w/t/l") - 1].split("/"))) == 9


def test_names_in_results_are_text():
    table = {
        "model": [EVIL, "b"] * 5,
        "metric": ["<b>m</b>"] * 10,
        "fold": np.repeat(np.arange(5), 2),
        "score": np.arange(10.0) ** 2,
    }
    page = shown_as(from_frame(table, test_fraction=0.2))
    assert EVIL in page.rows[0][1:3]
    assert page.rows[1][0] == "<b>m</b>"
    assert any(EVIL in paragraph for paragraph in page.paragraphs)


def test_a_result_without_an_answer_is_shown():
    table = {"model": ["a", "b"] * 3, "fold": [0, 0, 1, 1, 2, 2], "score": [0.5] * 6}
    result = from_frame(table, test_fraction=0.3)
    page = shown_as(dataclasses.replace(result, scores=np.full_like(result.scores, np.nan)))
    assert page.paragraphs[0].startswith("No model can be named on score: ")


def test_an_evaluator_shows_its_parameters_and_what_it_will_do():
    evaluator = PairedEvaluator(cv="10x10", scoring=["accuracy", EVIL], random_state=0)
    page = check(evaluator)
    assert sorted(row[0] for row in page.rows[1:]) == sorted(evaluator.get_params())
    assert {row[0] for row in page.rows if row[-1] == "set"} == {"scoring", "random_state"}
    assert page.paragraphs == [
        "evaluate() fits every model on the same splits (10x10 cross-validation) and scores accuracy and "
        f"{EVIL} from the same predictions."
    ]


@pytest.mark.parametrize("cv", [5, "5x2", RepeatedStratifiedKFold(), [([0], [1])] * 99, None, np.arange(3), EVIL])
@pytest.mark.parametrize("scoring", [None, "f1", max, {"x": max}, [], 3, list("abcdefghij") * 9])
def test_an_evaluator_is_shown_whatever_it_was_given(cv, scoring):
    check(PairedEvaluator(cv=cv, scoring=scoring, store="a\nb"))


def test_an_evaluator_is_still_an_estimator_of_scikit_learn():
    evaluator = PairedEvaluator(cv=RepeatedStratifiedKFold(n_splits=3), scoring=["accuracy"] * 40, random_state=1)
    assert repr(clone(evaluator)) == repr(evaluator)
    assert repr(PairedEvaluator(cv=3)) == "PairedEvaluator(cv=3)"
    assert evaluator._repr_mimebundle_(include=None, exclude=None) == {
        "text/plain": repr(evaluator),
        "text/html": evaluator._repr_html_(),
    }
    with sklearn.config_context(display="text"):
        assert not hasattr(evaluator, "_repr_html_")
        assert list(evaluator._repr_mimebundle_()) == ["text/plain"]
    assert "PairedEvaluator" in sklearn.utils.estimator_html_repr(evaluator)


@pytest.mark.parametrize("cls", [skcompare.EvaluationResult, StudyResult, LearningCurveResult, SearchReport])
def test_help_has_every_public_name_in_one_group(cls, capsys):
    assert cls.__new__(cls).help() is None
    title, *lines = capsys.readouterr().out.splitlines()
    assert title == cls.__name__
    assert max(map(len, lines)) <= 80
    group, found = "", {}
    text = "\n".join(lines).replace("\n        ", " ")
    assert " ..." not in text
    for indent, name, told in (re.fullmatch(r"( +)([^ :]+): (\S.*)", line).groups() for line in text.splitlines()):
        assert told.strip(" .")
        if len(indent) == 2:
            group = name
        else:
            assert name not in found
            found[name] = group
    names = {*dir(cls), *(field.name for field in dataclasses.fields(cls))}
    assert len([name for name in names if not name.startswith("_")]) <= 45
    assert {name.removesuffix("()") for name in found} == {name for name in names if not name.startswith("_")}
    assert {*found.values()} == {"look", "ask", "export", "data"}
    known = {"plot()": "look", "compare()": "ask", "to_frame()": "export", "warnings": "data"}
    assert {name: found[name] for name in known} == known
    methods = {name for name in dir(cls) if isinstance(getattr(cls, name), FunctionType) and not name.startswith("_")}
    assert {f"{name}()" for name in methods} == {name for name in found if name.endswith("()")}


def test_a_made_result_has_the_names_of_its_class(two, study):
    """And those of the contract; nothing that only the package reads."""
    for result in (two, study):
        assert [name for name in dir(result) if name not in dir(type(result))] == ["_scores"]
        assert not {"misnamed", "ill_defined", "why_no_predictions", "has_all", "kept_splits"} & {*dir(result)}
    asked = {"test", "compare", "dominance", "intervals", "by", "rates", "disagreements", "primary", "explain", "help"}
    given = {"estimators", "metrics", "greater_is_better", "design", "scores", "score", "difference", "predictions"}
    exported = {"to_frame", "to_cross_validate", "to_markdown", "to_latex", "to_html", "summary", "plot", "save"}
    kept = {"train_scores", "refit", "add", "provenance", "estimators_", "failures", "warnings", "splits", "details"}
    assert asked | given | exported | kept <= {*dir(two)}


def test_a_result_cannot_be_changed(two, study):
    for result in (two, study):
        for name in ("estimators", "_scores", "another"):
            with pytest.raises(dataclasses.FrozenInstanceError):
                setattr(result, name, None)
        again = pickle.loads(pickle.dumps(result))
        assert str(again) == str(result)
        assert not hasattr(result, "nothing")
    other = dataclasses.replace(two, estimators=("x", "y"), baseline="x")
    assert (other.estimators, other.details.baseline, other.scores is two.scores) == (("x", "y"), "x", True)


@pytest.mark.parametrize("name", [field.name for field in dataclasses.fields(Details)])
def test_what_is_in_details_has_its_old_name_for_one_version_more(two, name):
    with pytest.warns(FutureWarning, match=rf"^\.{name} of a result is an old name.*: read \.details"):
        assert getattr(two, name) is getattr(two.details, name)


def test_other_names_that_were_public_warn_too(two, study):
    with pytest.warns(FutureWarning, match="it is the package's own"):
        assert two.misnamed == frozenset()
    for result in (two, study):
        with pytest.warns(FutureWarning, match=r'until version 0\.4: dominance\("table"\)'):
            assert str(result.dominance_table()) == str(result.dominance("table"))
    with pytest.warns(FutureWarning, match=r"skcompare\.planning\.detectable_difference\(result\)"):
        old = two.detectable_difference("accuracy")
    assert old == skcompare.planning.detectable_difference(two, "accuracy")
    with pytest.raises(AttributeError, match="'StudyResult' object has no attribute 'task'"):
        study.task  # noqa: B018


def test_help_groups_by_what_a_name_does(capsys):
    from_frame({"model": ["a", "a", "b", "b"], "fold": [0, 1, 0, 1], "score": [0.1, 0.2, 0.3, 0.5]}).help()
    printed = capsys.readouterr().out
    look, ask, export, data = re.split(r"\n  (?=ask|export|data)", printed)
    for name, group in {"explain()": look, "test()": ask, "save()": export, "score()": data, "scores": data}.items():
        assert [f"\n    {name}: " in one for one in (look, ask, export, data)].count(True) == 1
        assert f"\n    {name}: " in group


# ---- names that arguments had ---------------------------------------------------------------------------------------


RENAMED = {
    "compare": ("rope", "margin", 0.01, lambda two, **own: two.compare(**own)),
    "dominance": ("rope", "margin", 0.01, lambda two, **own: two.dominance(**own)),
    "the table": ("rope", "margin", 0.01, lambda two, **own: two.dominance("table", **own)),
    "pareto_front": ("rope", "margin", {"accuracy": 0.01}, lambda two, **own: two.pareto_front(**own)),
    "plot": ("rope", "margin", 0.02, lambda two, **own: two.plot("posterior", **own).frame().to_csv()),
    "StopRule": ("rope", "margin", 0.02, lambda _, **own: StopRule(**own)),
    "simplest_within": ("rope", "margin", 0.02, lambda _, **own: simplest_within(**own)),
    "plan": ("delta", "margin", 0.05, lambda two, **own: skcompare.planning.plan(two, metric="accuracy", **own)),
    "plan_study": ("delta", "margin", 0.1, lambda _, **own: skcompare.planning.plan_study(std=0.1, **own)),
    "plan_evaluation": (
        "delta",
        "margin",
        0.1,
        lambda _, **own: plan_evaluation(std=0.1, n_train=90, n_test=10, **own),
    ),
    "size": (
        "estimators",
        "models",
        GaussianNB(),
        lambda _, **own: calibration.size("auto", 3, BLOCKS, "accuracy", **QUICK, **own),
    ),
}
BLOCKS, QUICK = calibration.ExchangeableBlocks(n_samples=60), {"n_datasets": 3, "random_state": 0}


@pytest.mark.parametrize("what", RENAMED)
def test_an_argument_is_taken_by_its_old_name_with_a_warning(two, what):
    old, new, value, ask = RENAMED[what]
    with pytest.warns(FutureWarning, match=f"^{old}= is an old name, and is taken until version 0.4: give {new}=$"):
        found = ask(two, **{old: value})
    assert str(found) == str(ask(two, **{new: value}))
    with pytest.raises((TypeError, ValueError), match=old):
        ask(two, **{old: value, new: value})


def test_a_procedure_takes_the_margin_by_its_own_word_too(two, study):
    for result, name in ((two, "correlated_t_posterior"), (study, "signed_rank_posterior")):
        asked = {"rng": 0} if result is study else {}
        assert result.test(name, margin=0.01, **asked) == result.test(name, rope=0.01, **asked)
        assert result.test(name, margin=0.01, **asked).rope > result.test(name, **asked).rope
    assert two.test("equivalence_test", margin=0.5).pvalue < 0.05
