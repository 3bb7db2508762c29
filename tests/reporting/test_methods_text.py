"""The methods paragraph: every number in it is the result's, and it cites exactly what it lists."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
import tomllib
from dataclasses import replace
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib import pyplot as plt
from matplotlib.text import Text
from sklearn.datasets import make_classification, make_regression
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import GroupKFold, KFold, ShuffleSplit, StratifiedKFold, TimeSeriesSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skcompare
from skcompare import PairedEvaluator, RunOptions, StudyResult, from_frame
from skcompare._core.warnings import Code
from skcompare.evaluation.metrics.scoring import Failure
from skcompare.inference import effective_cases
from skcompare.inference._guide import papers_of, references
from skcompare.inference._multiplicity import CORRECTIONS
from skcompare.inference._procedures import PROCEDURES, STUDY_PROCEDURES, default_for
from skcompare.reporting.explain import citations
from skcompare.scores.study import DatasetFailure
from tests.made_results import evaluation, results

X, Y = make_classification(120, random_state=0)
MODELS = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2), "stump": DecisionTreeClassifier(max_depth=1)}
PAIR = {name: MODELS[name] for name in ("nb", "tree")}


def evaluate(models=PAIR, data=(X, Y), **options):
    options = {"cv": 5, "scoring": ["accuracy", "recall", "roc_auc"], "random_state": 0, **options}
    return PairedEvaluator(**options).evaluate(models, *data)


def parts(text):
    """The paragraph and the BibTeX entries by key."""
    paragraph, *entries = text.split("\n\n")
    return paragraph, {re.match(r"@\w+{(\w+),\n", entry)[1]: entry for entry in entries}


def cited(paragraph):
    """Author and year of every citation in brackets."""
    brackets = re.findall(r"\(([^()]*\d{4}[^()]*)\)", paragraph)
    return {citation for bracket in brackets for citation in bracket.split("; ")}


@pytest.fixture(scope="module")
def two():
    return evaluate()


@pytest.fixture(scope="module")
def three():
    return evaluate(MODELS, cv="3x4")


@pytest.fixture(scope="module")
def regression():
    data = make_regression(90, 4, noise=10, random_state=0)
    return evaluate({"lin": LinearRegression(), "ridge": Ridge()}, data=data, scoring=["r2", "fit_time"], cv="5x2")


@pytest.fixture(scope="module")
def table():
    scores = np.random.default_rng(0).normal(size=12)
    return from_frame({"model": ["a"] * 6 + ["b"] * 6, "fold": [*range(6)] * 2, "score": scores})


@pytest.fixture(scope="module")
def study():
    data = {f"d{i}": make_classification(60, random_state=i) for i in range(5)}
    return PairedEvaluator(random_state=3, cv="2x3", scoring=["accuracy", "recall"]).evaluate_datasets(MODELS, data)


@pytest.fixture(scope="module")
def study_table():
    return StudyResult.from_frame({"dataset": [*"uvwxyz"], "a": np.arange(6) / 6, "b": np.arange(6) / 7})


ALL = ["two", "three", "regression", "table", "study", "study_table"]


# ---- citations ------------------------------------------------------------------------------------------------


def check_citations(text):
    paragraph, entries = parts(text)
    assert cited(paragraph) == {references()[key].citation for key in entries}
    assert len(cited(paragraph)) == len(entries)
    for key, entry in entries.items():
        assert entry == references()[key].bibtex()


@pytest.mark.sampled
@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("correction", CORRECTIONS)
def test_what_is_cited_is_what_is_listed(request, name, correction):
    check_citations(request.getfixturevalue(name).methods_text(correction=correction))


@pytest.fixture(scope="module")
def blocked():
    return evaluate(cv=skcompare.BlockedMByTwo(3, random_state=0))


@pytest.fixture(scope="module")
def ten_times():
    return evaluate(cv="10x10", scoring=["accuracy"])


@pytest.fixture(scope="module")
def nested():
    return evaluate(cv="2x3", intervals="nested")


@pytest.fixture(scope="module")
def clustered():
    rng = np.random.default_rng(0)
    grades = {name: rng.normal(size=60) for name in "ab"}
    return skcompare.from_outcomes(grades, clusters=np.arange(60) // 3)


@pytest.fixture(scope="module")
def one_by_one():
    rng = np.random.default_rng(1)
    return skcompare.from_outcomes({name: rng.random(60) < 0.8 for name in "ab"})


@pytest.fixture(scope="module")
def runs():
    scores = np.random.default_rng(0).normal(size=12)
    return skcompare.from_runs({"model": ["a"] * 6 + ["b"] * 6, "run": [*range(6)] * 2, "score": scores})


@pytest.fixture(scope="module")
def judged():
    return skcompare.from_judgments({"a": ["x"] * 9, "b": ["y"] * 9, "winner": ["a", "b", "a"] * 3})


@pytest.mark.parametrize("row", [row for row in PROCEDURES if row.returns == "test"], ids=lambda row: row.name)
def test_every_test_of_two_models_has_its_sentence(
    row, two, regression, blocked, ten_times, clustered, runs, one_by_one, nested, judged
):
    results = [two, regression, blocked, ten_times, clustered, runs, one_by_one, judged]
    results = [nested] if row.name == "nested_cv_interval" else results
    result = next(
        result
        for result in results
        if row.fits(result.design, {}) and (result.details.task != "regression" or row.takes.words != "labels")
    )
    text = result.methods_text(procedure=row.name)
    check_citations(text)
    assert set(parts(text)[1]) & set(row.guide.references)
    assert text != result.methods_text() or row.name in (default_for(result.design).procedure, "cluster_t_test")


@pytest.mark.parametrize("row", [row for row in STUDY_PROCEDURES if row.returns == "test"], ids=lambda row: row.name)
def test_every_test_over_data_sets_has_its_sentence(row, study):
    text = study.methods_text(procedure=row.name)
    check_citations(text)
    assert set(parts(text)[1]) & set(row.guide.references)


def of_areas(rng, n, models):
    """Average precision on so many samples of each class: of a and b few samples differ, of c all."""
    y = np.arange(2 * n) % 2
    a, c = (y + rng.normal(size=2 * n) for _ in range(2))
    b = np.where(np.isin(np.arange(2 * n), np.flatnonzero(y)[:3]), a.min() - 1, a)
    scores = dict(zip("abc", (a, b, c), strict=True))
    given = {name: scores[name] for name in models}
    return skcompare.from_predictions(y, given, scoring=["average_precision", "accuracy"])


@pytest.mark.parametrize("n", [30, 99, 250, 400])
@pytest.mark.parametrize(("models", "differ"), [("ac", {True}), ("ab", {False}), ("abc", {True, False})])
def test_every_view_names_the_test_that_was_made_of_average_precision(rng, n, models, differ):
    """On many samples it is z by the jackknife, which all views called a test by exchanges."""
    result = of_areas(rng, n, models)
    rows = result.compare().rows
    by_z = {row.record.normal for row in rows if row.metric == "average_precision"}
    assert by_z == (differ if n >= 100 else {False})
    text = result.methods_text()
    check_citations(text)
    paragraph, entries = parts(text)
    explained, shown = str(result.explain()), result.plot("differences", metrics="average_precision")
    pictured = [part.get_text() for part in shown.figure_.findobj(Text)]
    plt.close(shown.figure_)
    views = [paragraph, str(result), explained, result.to_markdown()]
    views += [str(result.compare(metrics="average_precision"))] if len(models) > 2 else []  # of one pair it has no test
    for view in (*views, *([" ".join(pictured)] if by_z == {True} else ())):
        assert ("jackknife" in " ".join(view.split())) == (True in by_z)
    for view in (paragraph, str(result)):
        assert ("exchange" in view) == (False in by_z)
    why = " ".join(explained.split())
    assert ("it exchanges the predictions" in why, "the limit of exchanging" in why) == (False in by_z, True in by_z)
    for key, exchanged in (("efron1982jackknife", True), ("noreen1989computer", False)):
        cited_in = [key in entries, key in result.to_json(), references()[key].text[:20] in " ".join(explained.split())]
        assert cited_in == [exchanged in by_z] * 3
    for row in rows:
        if row.metric == "average_precision":
            assert ("jackknife" in row.record.method) == row.record.normal == (row.record.n_rearrangements == 0)
    assert ("(some pairs)" in paragraph) == (len(by_z) == 2)


@pytest.mark.parametrize(("n", "n_lost", "words"), [(30, 0, "exact"), (204, 2, "normal"), (204, 9, "exact")])
def test_whether_signed_ranks_are_exact_is_that_of_the_data_sets_that_both_have(rng, n, n_lost, words):
    """Of 204 data sets of which one model lacks nine the p-value is exact."""
    scores = rng.random((2, n))
    scores[1, :n_lost] = np.nan
    data = {"dataset": [f"d{i}" for i in range(n)], "a": scores[0], "b": scores[1]}
    study = StudyResult.from_frame(data, missing="keep")
    [row] = study.compare(procedure="signed_rank_test").rows
    assert row.record.exact == (words == "exact") == (n - n_lost <= 200)
    said = parts(study.methods_text(procedure="signed_rank_test"))[0]
    assert ("p-values are exact" in said, "normal approximation" in said) == (words == "exact", words == "normal")


def test_a_text_is_refused_where_the_comparison_is(two, study):
    for make in (two, study):
        with pytest.raises(ValueError, match="correction must"):
            make.methods_text(correction="holms")
        with pytest.raises(ValueError, match="procedure must"):
            make.methods_text(procedure="correlated_t_posterior")
    with pytest.raises(ValueError, match="procedure must fit the design"):
        two.methods_text(procedure="five_by_two_t_test")


# ---- numbers --------------------------------------------------------------------------------------------------


def numbers(paragraph):
    """All numbers of the paragraph but for the years of citations."""
    bare = re.sub(r"\([^()]*\d{4}[^()]*\)", "", paragraph)
    return re.findall(r"(?<![\w.])\d+(?:\.\d+)*(?![\w.]*\d)", bare)


def numbers_of_simulations(result):
    """Those of the section of the explanation about simulations."""
    grid = result.explain().named("error rates")
    if grid is None:
        return numbers(result.explain().named("error rate").text)
    return numbers(
        " ".join([grid.caption.split(" in simulations: ")[1], *(cell for row in grid.rows() for cell in row)])
    )


def test_the_names_of_models_keep_their_first_letter():
    recipe = {"seed": 3, "n_models": 4, "n_metrics": 1, "spread": 2.0, "flaw": "none", "design": (2, 5)}
    made = evaluation(recipe)
    fragile = [one.sentence for one in made._found().warnings if one.code == "FRAGILE"]
    assert fragile
    for sentence in fragile:
        assert sentence[:2] in made.estimators
        assert f'The software warned: "{sentence}"' in made.methods_text()


def test_what_a_warning_says_to_do_stands_in_quotes_alone(three):
    """A text on methods describes; a command in it would be one to its reader."""
    codes = [code for code in Code if code not in (Code.DO_NOT_USE, Code.MISSING_SCORES)]
    warned = replace(three, warnings=tuple(code(f"of {i}: take more. Collect it.") for i, code in enumerate(codes)))
    paragraph, _ = parts(warned.methods_text())
    assert all(f'"of {i}: take more. Collect it."' in paragraph for i in range(len(codes)))
    assert not re.search(r"\b([Tt]ake|[Cc]ollect|[Cc]onfirm|[Dd]ecide) ", re.sub('"[^"]*"', "", paragraph))


def test_every_number_is_the_results(three):
    paragraph, _ = parts(three.methods_text())
    design, versions = three.design, three.provenance["versions"]
    worth = effective_cases(design.n_splits, design.test_fraction)
    expected = [
        *(str(design.n_samples), str(design.n_repeats), str(design.n_folds), str(design.n_splits)),
        *(f"{np.mean(size):.0f}" for size in (design.train_sizes, design.test_sizes)),
        *("1", f"{design.test_fraction:.3g}", *(str(family.n) for family in three.compare().families), "0.05", "95"),
        *("98.3", "99.17"),  # 1 - 0.05 / 3 and 1 - 0.05 / 6
        *(str(len(three.metrics)), str(design.n_splits), f"{worth:.3g}", str(len(three.dominance("table")))),
        *(versions[name] for name in ("scikit-learn", "numpy", "scipy", "skcompare")),
        str(three.provenance["random_state"]),
        *numbers_of_simulations(three),
    ]
    assert sorted(numbers(paragraph)) == sorted(expected)
    assert f"{design.n_folds}-fold" in paragraph
    assert paragraph.startswith("We compared three models (nb, tree and stump) ")


def test_every_number_is_the_studys(study):
    paragraph, _ = parts(study.methods_text())
    versions = study.provenance["versions"]
    expected = [
        *(str(len(study.datasets)), *(str(family.n) for family in study.compare().families), "0.05", "95"),
        "98.3",  # 1 - 0.05 / 3
        *(str(len(study.dominance("table"))), *(versions[name] for name in ("scikit-learn", "numpy", "scipy"))),
        *(versions["skcompare"], str(study.provenance["random_state"])),
        *(str(getattr(study.designs[0], name)) for name in ("n_repeats", "n_splits")),
    ]
    folds = f"{study.designs[0].n_folds}-fold"
    assert sorted(numbers(paragraph.replace(folds, ""))) == sorted(expected)
    assert f"stratified shuffled {folds} cross-validation, repeated 2 times (6 splits)" in paragraph


def test_the_metrics_of_the_test_and_of_the_joint_verdicts_are_introduced(two):
    paragraph, _ = parts(two.methods_text(procedure="mcnemar_test"))
    assert "They were measured by accuracy, recall and roc_auc, larger values being better for each." in paragraph
    assert "The two models were compared on accuracy by the mid-p version of McNemar's test" in paragraph
    assert "on all 3 metrics together" in paragraph
    assert "better on several metrics only where the difference on each of them was significant." in paragraph
    assert "5 test sets of the cross-validation, pooled" in paragraph


def test_without_an_adjustment_none_is_spoken_of(three, study):
    for made in (three, study):
        text = made.methods_text(correction="none")
        check_citations(text)
        assert "Each 95% interval holds for its own comparison alone." in text
        assert "A difference was called significant where the two-sided p-value was below 0.05." in text
        assert "adjusted" not in text


# ---- words ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cv", "words"),
    [
        (5, "by stratified shuffled 5-fold cross-validation (5 splits)"),
        ("2x3", "by stratified shuffled 3-fold cross-validation, repeated 2 times (6 splits)"),
        (KFold(4), "by 4-fold cross-validation (4 splits)"),
        (KFold(4, shuffle=True, random_state=0), "by shuffled 4-fold cross-validation (4 splits)"),
        (StratifiedKFold(3), "by stratified 3-fold cross-validation (3 splits)"),
        (ShuffleSplit(7, random_state=0), "by 7 random train-test splits."),
        (TimeSeriesSplit(3), "by 3 train-test splits in time order, each test set later than its training set."),
        ([(np.arange(60), np.arange(60, 120))], "trained on the same 60 samples, on one test set of 60"),
        (
            [(np.arange(i, 60), np.arange(60, 120)) for i in range(2)],
            "by 2 train-test splits. All models had the same training and test sets, of 60 and 60 samples on average.",
        ),
    ],
    ids=str,
)
def test_the_design_is_told_as_far_as_it_is_known(cv, words):
    assert words in evaluate(cv=cv).methods_text()


@pytest.mark.parametrize(
    ("cv", "words"),
    [
        (ShuffleSplit(3, random_state=0), "by 3 random train-test splits. The"),
        (TimeSeriesSplit(3), "by 3 train-test splits in time order, each test set later than its training set. The"),
        (KFold(3), "by 3-fold cross-validation (3 splits). The"),
    ],
    ids=str,
)
def test_the_design_of_a_study_is_told_like_that_of_a_result(cv, words):
    data = dict.fromkeys("de", (X, Y))
    assert words in PairedEvaluator(cv=cv, scoring="accuracy").evaluate_datasets(PAIR, data).methods_text()


def test_different_designs_of_a_study_are_each_told_once_or_counted():
    results = {str(k): evaluate(cv=k, scoring="accuracy") for k in (2, 3, 4, 5, 6)}
    two_ways = StudyResult.from_results({"d": results["2"], "e": results["3"], "f": results["3"]}).methods_text()
    assert "by stratified shuffled 2-fold cross-validation (2 splits) or stratified shuffled 3-fold" in two_ways
    assert two_ways.count("3-fold") == 1
    assert "by 2 to 6 splits, made in ways that differ" in StudyResult.from_results(results).methods_text()


@pytest.mark.parametrize(
    ("cv", "seed", "words"),
    [
        (StratifiedKFold(5, shuffle=True, random_state=3), None, "drawn with the random seed 3, and no other random"),
        (StratifiedKFold(5, shuffle=True, random_state=3), 1, "seed 3, and the random seed of the models was 1."),
        (ShuffleSplit(5, random_state=3), None, "drawn with the random seed 3, and no other random seed was fixed."),
        (skcompare.BlockedMByTwo(3, random_state=3), None, "drawn with the random seed 3, and no other random seed"),
        (KFold(5, shuffle=True, random_state=np.random.RandomState(3)), None, "by a generator whose seed is not known"),
        (KFold(5, shuffle=True), 1, "; the random seed was 1, but the splits were drawn without one."),
        (KFold(5, shuffle=True), None, "; no random seed was fixed."),
        (KFold(5), None, "; no random seed was fixed."),
        (KFold(5), 1, "; the random seed was 1."),
        (5, None, "; no random seed was fixed."),
    ],
)
def test_the_seeds_of_splitter_and_models_are_distinguished(cv, seed, words):
    assert words in evaluate(cv=cv, random_state=seed, scoring="accuracy").methods_text()


def test_a_model_with_a_seed_of_its_own_is_no_model_without():
    models = {"a": DecisionTreeClassifier(random_state=4), "b": GaussianNB()}
    text = evaluate(models, random_state=None, scoring="accuracy").methods_text()
    assert "no random seed was fixed beyond those in the parameters of the models." in text


def test_tests_that_could_not_be_made_are_not_claimed():
    one = evaluate(cv=[(np.arange(60), np.arange(60, 120))], options=RunOptions(keep_predictions=False))
    paragraph, entries = parts(one.methods_text())
    assert "No comparison could be made" in paragraph
    assert "t test" not in paragraph
    assert "independent cases" not in paragraph
    assert set(entries) == {"pedregosa2011scikit"}
    alone = StudyResult.from_results({"d": evaluate(MODELS)})
    assert np.isnan(alone.rank("accuracy").omnibus.pvalue)
    assert "Friedman" not in alone.methods_text()
    assert "together, by the likelihood-ratio test" not in alone.methods_text()


@pytest.mark.parametrize("correction", ["fdr_bh", "fdr_by"])
def test_the_false_discovery_rate_is_spoken_of_behind_the_paper(two, correction):
    paragraph, _ = parts(two.methods_text(correction=correction))
    assert re.search(r"'s method \([^()]*\d{4}\), which controls the false discovery rate\. A difference", paragraph)
    assert "rate, (" not in paragraph


def test_groups_are_told():
    groups = np.arange(120) // 4
    result = PairedEvaluator(cv=GroupKFold(4), scoring="accuracy").evaluate(PAIR, X, Y, groups=groups)
    assert "by 4-fold cross-validation, groups of samples kept together (4 splits)" in result.methods_text()
    assert "no random seed was fixed" in result.methods_text()


def test_the_folds_of_a_regression_are_not_stratified(regression):
    paragraph, _ = parts(regression.methods_text())
    assert "by shuffled 2-fold cross-validation, repeated 5 times" in paragraph
    assert "smaller values being better for fit_time and larger ones for the other" in paragraph
    assert "positive class" not in paragraph
    assert "A difference was called significant where the two-sided p-value was below 0.05." in paragraph
    assert "times within 10% of the larger one counted as equal" in paragraph


def test_a_table_has_no_software_and_no_sizes(table):
    paragraph, _ = parts(table.methods_text())
    assert "on one data set by 6-fold cross-validation (6 splits)." in paragraph
    assert "scikit-learn" not in paragraph
    assert f"The scores were taken from a table and compared with skcompare {skcompare.__version__}." in paragraph
    assert "A difference was called significant where the two-sided p-value was below 0.05" in paragraph


def test_an_f_test_has_no_intervals(regression):
    assert "Intervals" in regression.methods_text()
    assert "Intervals" not in regression.methods_text(procedure="five_by_two_f_test")


def test_other_versions_are_distinguished(two):
    older = replace(two, provenance={**two.provenance, "versions": {"skcompare": "0.0.1", "scikit-learn": "1.6.0"}})
    text = older.methods_text()
    assert "with scikit-learn 1.6.0 (Pedregosa et al., 2011) through skcompare 0.0.1, and the tests" in text
    assert f"computed with skcompare {skcompare.__version__}" in text


def test_failures_are_told(two):
    scores = two.scores.copy()
    scores[0, 1] = np.nan
    failure = Failure(estimator="nb", split=1, metric=None, message="it failed")
    left_out = replace(two, scores=scores, failures=(failure,)).methods_text()
    assert "Fitting or scoring failed in 1 of 10 fits; the scores concerned were left out." in left_out
    kept = replace(two, failures=(failure,), error_score=0.0)  # as a file of an earlier version has it
    assert kept.methods_text() == left_out
    scores = two.scores.copy()
    scores[0, 1, 0] = np.nan
    undefined = replace(two, scores=scores).methods_text()
    assert "Of 30 scores 1 was not defined and left out." in undefined
    assert "failed" not in undefined


def test_comparisons_without_scores_are_told(two):
    scores = two.scores.copy()
    scores[:, :, 0] = np.nan
    text = replace(two, scores=scores).methods_text()
    assert "The two-sided p-values of both comparisons were adjusted" in text  # of the two other metrics
    assert "One more comparison could not be made for lack of scores." in text
    nothing = replace(two, scores=np.full_like(scores, np.nan))
    assert "No comparison could be made, for lack of scores." in nothing.methods_text()


def test_data_sets_that_failed_are_told(study):
    broken = replace(study, failures=(DatasetFailure(dataset="x", message="it failed"),))
    broken = replace(broken, warnings=(Code.MISSING_SCORES("data set 'x' is left out: ValueError: it failed."),))
    assert "One more data set (x) could not be evaluated and was left out." in broken.methods_text()
    assert "it failed" not in broken.methods_text()
    assert "could not be evaluated" not in study.methods_text()


def test_failures_inside_the_data_sets_of_a_study_are_told(study):
    def fail(result):
        return replace(result, failures=(Failure(estimator="nb", split=1, metric=None, message="it failed"),))

    results = {name: fail(result) if name in ("d0", "d3") else result for name, result in study.results.items()}
    n_fits = len(study.estimators) * sum(design.n_splits for design in study.designs)
    told = f"Fitting or scoring failed in 2 of {n_fits} fits; the scores concerned were left out."
    assert told in replace(study, results=results).methods_text()
    assert "Fitting or scoring failed" not in study.methods_text()


def test_a_leak_is_told():
    leak = [(np.arange(100), np.arange(80 - i, 120 - i)) for i in range(3)]
    assert "3 of 3 splits test on samples they train on" in evaluate(cv=leak).methods_text()


@pytest.mark.parametrize("name", ALL)
def test_the_paragraph_reads_as_sentences(request, name):
    paragraph, _ = parts(request.getfixturevalue(name).methods_text())
    assert "\n" not in paragraph
    assert not re.search(r"  |\( | \)| [.,;]|\.\.|,,|\bNone\b|\bnan\b|[{}]", paragraph)
    assert all(sentence[0].isupper() for sentence in re.split(r"(?<=[a-z)%\d])\. (?=\w)", paragraph))
    assert paragraph.endswith(".")


@given(result=results())
@settings(max_examples=25, deadline=None)
def test_whatever_the_result_the_paragraph_reads_as_sentences_and_cites_what_it_lists(result):
    text = result.methods_text()
    check_citations(text)
    paragraph, _ = parts(text)
    assert not re.search(r"  |\( | \)| [.,;]|\.\.|,,|\bNone\b|\bnan\b|[{}]|[a-z)]\.[A-Z]", paragraph)
    assert all(sentence[0].isupper() for sentence in re.split(r"(?<=[a-z)%\d])\. (?=[A-Za-z])", paragraph))
    table = result.compare()
    assert ("hold together" in paragraph) == (not table.sequential and any(family.n > 1 for family in table.families))


@pytest.mark.parametrize("name", ALL)
def test_a_sentence_of_the_paragraph_has_at_most_thirty_words(request, name):
    paragraph, _ = parts(request.getfixturevalue(name).methods_text())
    bare = re.sub(r" \([^()]*\d{4}[^()]*\)", "", paragraph)
    for sentence in re.split(r"(?<=[a-z)%\d])\.\"? (?=[A-Z])", bare):
        assert len(sentence.split()) <= 30 or sentence.startswith("In simulations"), sentence


@given(n_models=st.integers(2, 6), n_metrics=st.integers(1, 4), seed=st.integers(0, 2**32 - 1))
@settings(max_examples=12, deadline=None)
def test_the_families_and_their_levels_are_those_of_the_number_of_pairs(n_models, n_metrics, seed):
    scores = np.random.default_rng(seed).normal(size=(n_models, n_metrics, 6))
    rows = [(f"m{i}", f"s{j}", k) for i in range(n_models) for j in range(n_metrics) for k in range(6)]
    columns = dict(zip(("model", "metric", "fold"), zip(*rows, strict=True), strict=True))
    paragraph, _ = parts(from_frame({**columns, "score": scores.ravel()}).methods_text())
    pairs = n_models * (n_models - 1) // 2
    assert ("The primary metric was s0 and the secondary" in paragraph) == (n_metrics > 1)
    if n_metrics > 1 and pairs * (n_metrics - 1) > 1:
        assert f"families of comparisons, {pairs} on s0 and {pairs * (n_metrics - 1)} on the other" in paragraph
        levels = [float(found) for found in re.findall(r"at ([\d.]+)% (?:each|on)", paragraph)]
        wanted = [100 - 5 / pairs, 100 - 5 / (pairs * (n_metrics - 1))]
        assert levels == pytest.approx(wanted if len(levels) == 2 else wanted[:1], abs=0.05)
    else:
        assert "families" not in paragraph
        assert ("All intervals hold together at 95%" in paragraph) == (pairs > 1)


@pytest.mark.parametrize("name", ["{{ 7 * 7 }}", "{% raw %}", "{cases}", "%s", "a  b c", "{# x #}", "<b>&amp;</b>"])
def test_a_name_is_text_whatever_it_looks_like(name):
    scores = np.random.default_rng(0).normal(size=12)
    table = {"model": [name] * 6 + ["other"] * 6, "metric": [name] * 12, "fold": [*range(6)] * 2, "score": scores}
    paragraph, _ = parts(from_frame(table).methods_text())
    shown = " ".join(name.split())
    assert f"We compared two models ({shown} and other)" in paragraph
    assert f"They were measured by {shown}, larger" in paragraph
    study = StudyResult.from_frame({"dataset": [name, *"uvwxy"], name: scores[:6], "b": scores[6:]})
    assert f"({shown} and b) on 6 data sets ({shown}, u, v, w, x and y)." in study.methods_text()


def test_without_jinja2_the_extra_is_named():
    code = (
        "import sys; sys.modules['jinja2'] = None\n"
        "from skcompare import from_frame\n"
        "from_frame({'model': [*'aabb'], 'fold': [0, 1, 0, 1], 'score': [0.1, 0.3, 0.2, 0.2]}).methods_text()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "ImportError: the methods text needs jinja2: pip install 'skcompare[report]'" in done.stderr


def test_every_test_and_adjustment_has_a_term_and_every_term_is_of_one():
    text = files("skcompare.reporting").joinpath("templates/methods.toml").read_text(encoding="utf-8")
    known = tomllib.loads(text)
    assert set(known["corrections"]) == set(CORRECTIONS)
    assert {row.name for row in (*PROCEDURES, *STUDY_PROCEDURES) if row.returns == "test"} <= set(known["tests"])
    for term in known["tests"].values():
        assert set(term["papers"]) | set(term.get("papers_of_cases", ())) <= set(references())
        assert term["remark"].endswith(".")


# ---- the papers -----------------------------------------------------------------------------------------------


def entries_of(docstring):
    """DOI of every reference of a docstring, empty where it names none."""
    found = re.search(r"^References\n-+\n(.*?)(?=\n\n\w[\w ]*\n-{3,}|\Z)", docstring, re.DOTALL | re.MULTILINE)
    entries = re.split(r"\n\n", found[1].strip()) if found else []
    return sorted("".join(re.findall(r":doi:`([^`]+)`", entry)) for entry in entries)


@pytest.mark.parametrize("row", [*PROCEDURES, *STUDY_PROCEDURES], ids=lambda row: row.name)
def test_the_papers_of_a_procedure_are_those_of_its_docstring(row):
    assert sorted(references()[key].doi for key in row.guide.references) == entries_of(inspect.getdoc(row.function))


def test_every_adjustment_of_p_values_has_a_paper():
    for correction in (*CORRECTIONS, "shaffer", "bergmann"):
        assert papers_of(correction)
        assert {*papers_of(correction)} <= {*references()}
    assert papers_of("none") == ()


@pytest.mark.parametrize("reference", references().values(), ids=lambda reference: reference.key)
def test_a_reference_is_complete_and_its_bibtex_well_formed(reference):
    entry = reference.bibtex()
    assert entry.isascii()
    depth = np.cumsum([(char == "{") - (char == "}") for char in entry])
    assert depth[:-1].min() >= 0
    assert depth[-1] == 0
    assert not re.search(r"(?<!\\)[&%$#]", entry.partition("doi = ")[0])
    assert entry.startswith(f"@{reference.kind}{{{reference.key},\n  author = {{")
    assert ", }" not in entry  # of an author without initials
    assert f"year = {{{reference.year}}}" in entry
    assert str(reference.year) in reference.key
    assert not reference.doi or re.fullmatch(r"10\.\d{4,}/\S+", reference.doi)
    assert reference.text.startswith(reference.authors[0])
    assert f"({reference.year})" in reference.text


def test_a_citation_is_unambiguous():
    assert len({reference.citation for reference in references().values()}) == len(references())


def test_the_papers_of_a_summary_tell_what_rests_on_them(three, study, table):
    found = citations(three._found())
    assert found["holm1979simple"] == "p-values adjusted over 3 and 6 comparisons"
    assert "interval of every comparison" in found["nadeau2003inference"]
    assert "independent cases" in found["nadeau2003inference"]
    assert "pedregosa2011scikit" in found
    assert citations(table._found()).keys() == {
        "nadeau2003inference",
        "bengio2004unbiased",
    }
    of_study = citations(study._found()).keys()
    assert {"wilcoxon1945individual", "friedman1937use", "benavoli2016joint"} <= of_study
    assert "nadeau2003inference" not in of_study


def test_splits_that_lack_scores_are_not_counted_as_cases():
    result = evaluate(cv=KFold(10), scoring=["accuracy", "f1_macro"])
    assert "the 10 splits count as 8.04 independent cases" in result.methods_text()
    scores = result.scores.copy()
    scores[0, :3] = np.nan
    text = replace(result, scores=scores).methods_text()
    n = effective_cases(7, (0.4 / 9) / (1 + 0.4 / 9))
    assert f"the splits on which both models have all scores count as {n:.3g} independent cases" in text
