"""Every comparison is computed once, whatever is asked of a result, a study or a search."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from functools import partial, wraps

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import skcompare
from skcompare import Outcome, PairedEvaluator, SearchReport, from_frame
from skcompare.inference._procedures import PROCEDURES, STUDY_PROCEDURES

EXPORTS = ("summary", "explain", "to_html", "to_json", "to_latex", "to_markdown", "methods_text", "_repr_html_")
X, Y = make_classification(90, random_state=0)
MODELS = {"nb": GaussianNB(), "stump": DecisionTreeClassifier(max_depth=1), "knn": KNeighborsClassifier(1)}
METRICS = ["accuracy", "recall"]


@pytest.fixture
def count(request):
    """Counts from now on the calls of a procedure's function, which its row takes from `skcompare.inference`."""

    def count(name, which="function"):
        calls = []
        row = next(row for row in (*PROCEDURES, *STUDY_PROCEDURES) if row.name == name)
        owner, attribute = (skcompare.inference, name) if which == "function" else (row, which)
        function = getattr(owner, attribute)

        @wraps(function)
        def counted(*args, **kwargs):
            calls.append(name)
            return function(*args, **kwargs)

        put = setattr if which == "function" else object.__setattr__  # rows are frozen, and stand in several tables
        put(owner, attribute, counted)
        request.addfinalizer(lambda: put(owner, attribute, function))
        return calls

    return count


def test_all_exports_of_an_evaluation_read_the_same_rows(count):
    calls = count("corrected_t_test", "many")  # all pairs on a metric at once
    result = PairedEvaluator(cv="2x3", scoring=METRICS, random_state=0).evaluate(MODELS, X, Y)
    for export in EXPORTS:
        getattr(result, export)()
    result.plot("differences")
    assert len(calls) == len(METRICS)
    assert len(result.compare()) == 6


def test_all_exports_of_a_study_read_the_same_rows(count):
    calls = count("signed_rank_test")
    data = {f"d{i}": make_classification(60, random_state=i) for i in range(6)}
    study = PairedEvaluator(cv=3, scoring=METRICS, random_state=0).evaluate_datasets(MODELS, data)
    for export in EXPORTS:
        getattr(study, export)()
    study.plot("differences")
    assert len(calls) == 6


def test_all_exports_of_a_search_read_the_same_rows(count):
    calls = count("k_fold_t_test", "many")
    grid = {"max_depth": [1, 2, 4]}
    search = GridSearchCV(DecisionTreeClassifier(random_state=0), grid, cv=5, scoring=METRICS, refit="accuracy")
    report = SearchReport.from_search(search.fit(X, Y))
    for export in ("summary", "explain", "to_html", "to_latex", "to_markdown", "_repr_html_"):
        getattr(report, export)()
    assert len(calls) == 2 * len(METRICS)  # of the leading candidates, and of the first two for their patterns


def given_scores(kind):
    """Two models on ten folds, or on ten data sets."""
    columns = {"model": ["a"] * 10 + ["b"] * 10, kind: [*range(10)] * 2, "acc": [*range(10), *range(1, 11)]}
    return skcompare.read(columns)


EQUALS = [(1, True), (0.0, False), (1.0, np.True_), (0, np.False_), (1.0, 1 + 0j), (0, Decimal(0))]
REFUSED = [
    *(("compare", "null", *pair) for pair in EQUALS),
    *((asked, "margin", *pair) for asked in ("compare", "dominance") for pair in EQUALS),
    *(("rank", "simultaneous", True, bad) for bad in (1, 1.0, np.int64(1), Fraction(1))),
]


@pytest.mark.parametrize("kind", ["fold", "dataset"])
@pytest.mark.parametrize(("asked", "argument", "good", "bad"), REFUSED)
def test_a_bad_value_is_refused_after_a_good_one_that_equals_it(kind, asked, argument, good, bad):
    ask = partial(getattr(given_scores(kind), asked), **({"method": "table"} if asked == "dominance" else {}))
    ask(**{argument: good})
    with pytest.raises(ValueError, match=f"{argument} must be a "):
        ask(**{argument: bad})


def compared(scores_of_b, rope):
    """One comparison of a model with one whose scores differ by those given, on ten folds."""
    scores = [0.8, 0.82, 0.79, 0.81, 0.8, 0.83, 0.78, 0.8, 0.81, 0.82]
    other = [score + difference for score, difference in zip(scores, scores_of_b, strict=True)]
    columns = {"model": ["a"] * 10 + ["b"] * 10, "fold": [*range(10)] * 2, "score": scores + other}
    return from_frame(columns).compare(margin=rope)


@pytest.mark.parametrize(
    ("differences", "rope", "outcome", "words"),
    [
        ([0.001, -0.001] * 5, 0.05, Outcome.EQUIVALENT, "practically equivalent"),
        (
            [0.001, -0.001] * 5,
            None,
            Outcome.UNDECIDED,
            "not significantly different",
        ),  # without a region nothing is equivalent
        ([0.1, -0.1] * 5, 0.05, Outcome.UNDECIDED, "not significantly different"),  # nor where the differences leave it
        ([-0.101, -0.099] * 5, 0.5, Outcome.BETTER, "a is significantly better"),  # a difference goes first
        ([0.101, 0.099] * 5, 0.5, Outcome.WORSE, "b is significantly better"),
    ],
)
def test_the_outcome_of_a_row_and_its_words_agree(differences, rope, outcome, words):
    comparison = compared(differences, rope)
    (row,) = comparison
    assert row.outcome is outcome
    assert row.winner == {Outcome.BETTER: "a", Outcome.WORSE: "b"}.get(outcome)
    for text in (comparison.to_markdown(), comparison._repr_html_()):
        assert words in text
