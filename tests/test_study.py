"""Studies: running them, reading tables, tests over data sets, ranks, dominance, reports and saved files."""

import dataclasses
import gc
import io
import itertools
import re
import warnings
import weakref
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine, make_classification
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import LeaveOneGroupOut
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from skcompare import EstimatorFailedError, EvaluationResult, PairedEvaluator, StudyResult, inference, load, procedures
from tests.lawful import codes
from tests.saved_files import with_header

TABLES = Path(__file__).parents[1] / "docs" / "data"
LOADERS = {"breast_cancer": load_breast_cancer, "iris": load_iris, "wine": load_wine, "digits": load_digits}
MODELS = {
    "nb": GaussianNB(),
    "tree": DecisionTreeClassifier(max_depth=5),
    "stump": DecisionTreeClassifier(max_depth=1),
    "knn": make_pipeline(StandardScaler(), KNeighborsClassifier()),
    "logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=200)),
}


def made(seed, n=60):
    return make_classification(n, 5, random_state=seed)


@pytest.fixture(scope="module")
def real():
    """The bundled data sets with five classifiers."""
    datasets = {name: (lambda loader=loader: loader(return_X_y=True)) for name, loader in LOADERS.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)  # a stump never predicts some classes
        return PairedEvaluator(cv=5, random_state=0).evaluate_datasets(MODELS, datasets)


@pytest.fixture(scope="module")
def many():
    """Eight small data sets, three models, two metrics, one of them a cost."""
    models = {name: MODELS[name] for name in ("nb", "tree", "knn")}
    evaluator = PairedEvaluator(cv=3, scoring=["accuracy", "model_size"], random_state=0)
    return evaluator.evaluate_datasets(models, {f"d{i}": made(i) for i in range(8)})


@pytest.fixture(scope="module")
def demsar():
    return StudyResult.from_frame(pd.read_csv(TABLES / "demsar_2006_auc.csv"))


# ---- running --------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_a_real_study(real):
    assert real.datasets == tuple(LOADERS)
    assert real.scores.shape == (4, 5, 5, 5)
    assert real.metrics == ("accuracy", "precision_macro", "recall_macro", "f1_macro", "roc_auc_ovr")
    alone = PairedEvaluator(cv=5, scoring=list(real.metrics), random_state=0).evaluate(
        MODELS, *load_wine(return_X_y=True)
    )
    np.testing.assert_array_equal(real.scores[2], alone.scores)
    assert real.designs[2].split_hash == alone.design.split_hash
    np.testing.assert_allclose(real.means("accuracy")[2], alone.scores[:, :, 0].mean(axis=1), rtol=1e-12)
    assert real.means("accuracy")[:, real.estimators.index("stump")].max() < real.means("accuracy").max()


FITS = Counter()


class Counting(ClassifierMixin, BaseEstimator):
    def __init__(self, name="", depth=1):
        self.name = name
        self.depth = depth

    def fit(self, X, y):
        FITS[self.name] += 1
        self.tree_ = DecisionTreeClassifier(max_depth=self.depth).fit(X, y)
        self.classes_ = self.tree_.classes_
        return self

    def predict(self, X):
        return self.tree_.predict(X)


def test_cost_grows_with_models_not_with_pairs():
    FITS.clear()
    models = {f"m{i}": Counting(f"m{i}", i + 1) for i in range(10)}
    datasets = {f"d{i}": made(i, 30) for i in range(20)}
    study = PairedEvaluator(cv=2, scoring="accuracy").evaluate_datasets(models, datasets)
    study.compare()
    assert study.rank().omnibus.n == 20
    assert dict.fromkeys(models, 20 * 2) == FITS


def test_one_data_set_is_in_memory_at_a_time():
    references = []
    gc.freeze()  # what is there already need not be gone through

    class Loader:
        def __init__(self, seed):
            self.seed = seed

        def __call__(self):
            gc.collect()
            assert all(reference() is None for reference in references)
            X, y = made(self.seed)
            frame = pd.DataFrame(X)
            references.append(weakref.ref(frame))
            return frame, y

    datasets = {name: Loader(seed) for seed, name in enumerate("abc")}
    PairedEvaluator(cv=2, scoring="accuracy").evaluate_datasets([MODELS["stump"], GaussianNB()], datasets)
    assert len(references) == 3


def broken():
    raise OSError("no such file")


def test_a_data_set_that_fails_is_kept_apart_and_said_to_be():
    datasets = {"good": made(0), "gone": broken, "one class": (made(1)[0], np.zeros(60)), "fine": made(2)}
    with pytest.warns(UserWarning, match=r"2 of 4 data sets; .*'gone': OSError: no such file"):
        study = PairedEvaluator(cv=2, scoring="accuracy").evaluate_datasets([GaussianNB(), MODELS["stump"]], datasets)
    assert study.datasets == ("good", "fine")
    assert [failure.dataset for failure in study.failures] == ["gone", "one class"]
    assert "at least 2 classes" in study.failures[1].message
    assert f"{len(study.datasets)} of {len(study.datasets) + 2} data sets" in study.summary()
    assert codes(study.test()).count("MISSING_SCORES") == 2
    assert "'gone' is left out" in " ".join(str(study.explain()).split())


def test_a_study_without_any_data_set_that_works_is_an_error():
    with pytest.raises(EstimatorFailedError, match="datasets must hold one that can be evaluated; all 1 failed"):
        PairedEvaluator(cv=2).evaluate_datasets([GaussianNB(), MODELS["stump"]], {"gone": broken})


@pytest.mark.parametrize(
    ("datasets", "message"),
    [
        ({}, "datasets must be a mapping"),
        ([made(0)], "datasets must be a mapping"),
        ({"a": 1}, r"datasets\['a'\] must be a pair \(X, y\) or a callable"),
        ({"a": (1, 2, 3, 4)}, r"datasets\['a'\] must be a pair"),
        ({"": made(0)}, "datasets must be named by non-empty strings"),
    ],
)
def test_bad_data_sets_are_refused_by_name(datasets, message):
    with pytest.raises(ValueError, match=message):
        PairedEvaluator(cv=2).evaluate_datasets([GaussianNB(), MODELS["stump"]], datasets)


def test_regression_and_a_mixture():
    models = [Ridge(), KNeighborsRegressor()]
    study = PairedEvaluator(cv=3).evaluate_datasets(models, {"diabetes": lambda: load_diabetes(return_X_y=True)})
    assert study.metrics[0] == "r2"


def test_an_estimator_that_fails_on_one_data_set_lacks_it_there():
    class Needs5Columns(GaussianNB):
        def fit(self, X, y):
            if X.shape[1] != 5:
                raise RuntimeError("wrong")
            return super().fit(X, y)

    datasets = {f"d{i}": made(i) for i in range(6)} | {"iris": lambda: load_iris(return_X_y=True)}
    evaluator = PairedEvaluator(cv=2, scoring="accuracy", error_score=np.nan)
    models = {"picky": Needs5Columns(), "nb": GaussianNB(), "stump": MODELS["stump"]}
    with pytest.warns(match="fits failed"):
        study = evaluator.evaluate_datasets(models, datasets)
    assert np.isnan(study.means("accuracy")[6, 0])
    test = study.test("signed_rank_test", a="picky", b="nb")
    assert test.n == 6
    assert study.test(a="picky", b="nb").n == 7  # what nb and stump have there tells of their difference
    assert "MISSING_SCORES" in codes(test)
    assert "'iris'" in next(w for w in test.warnings if w.startswith("MISSING_SCORES"))
    assert "MISSING_SCORES" not in codes(study.test(a="stump", b="nb"))
    assert study.test("skillings_mack").n == 7


# ---- tables ---------------------------------------------------------------------------------------------------


def test_a_wide_table(demsar):
    assert demsar.estimators == ("C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf")
    assert demsar.scores.shape == (14, 4, 1, 1)
    # Demsar (2006), Table 6, mean ranks with tied ranks for "voting"
    assert demsar.rank().mean_ranks.round(3).tolist() == [3.143, 2.0, 2.929, 1.929]
    assert demsar.test("friedman", statistic="chi2", tie_correction=False).statistic == pytest.approx(
        9.857143, abs=1e-6
    )


def tidy(study):
    return study.to_frame().rename(columns={"estimator": "model"})


def test_tidy_and_wide_tables_are_the_same_study(demsar):
    again = StudyResult.from_frame(tidy(demsar))
    np.testing.assert_array_equal(again.scores, demsar.scores)
    assert (again.datasets, again.estimators) == (demsar.datasets, demsar.estimators)


@pytest.mark.parametrize("name", ["demsar_2006_auc", "garcia_2010", "garcia_herrera_2008"])
def test_data_sets_are_named_by_a_column_the_index_or_the_first_column(name):
    """As published, as autorank and Orange take it, and as it is saved by pandas."""
    table = pd.read_csv(TABLES / f"{name}.csv")
    indexed = table.set_index("dataset")
    unnamed = indexed.rename_axis(None)
    saved = pd.read_csv(io.StringIO(unnamed.to_csv()))
    columns = {"problem": table["dataset"].tolist(), **{model: table[model].tolist() for model in indexed}}
    wanted = StudyResult.from_frame(table)
    tidy = indexed.reset_index().melt("dataset", var_name="model", value_name="score").set_index("dataset")
    for same in (indexed, unnamed, saved, columns, indexed.rename_axis("problem"), tidy):
        study = StudyResult.from_frame(same)
        assert (study.datasets, study.estimators, study.warnings) == (wanted.datasets, wanted.estimators, ())
        np.testing.assert_array_equal(study.scores, wanted.scores)
    assert StudyResult.from_frame(unnamed, metric="auc").metrics == ("auc",)
    assert StudyResult.from_frame(tidy, metric="auc").metrics == ("auc",)
    assert StudyResult.from_frame(unnamed, metric="log_loss", greater_is_better=False).greater_is_better == (False,)


def test_rows_without_names_are_data_sets_with_a_warning():
    """The example of autorank's documentation: rows that nothing names, a column per model."""
    draws = np.random.default_rng(42)
    means = [0.2, 0.3, 0.5, 0.8, 0.85, 0.9]
    table = pd.DataFrame({f"pop_{i}": draws.normal(mean, 0.3, 50).clip(0, 1) for i, mean in enumerate(means)})
    study = StudyResult.from_frame(table)
    assert study.scores.shape == (50, 6, 1, 1)
    assert study.datasets[:2] == ("0", "1")
    assert codes(study) == ["ASSUMED"]
    assert study.warnings[0].sentence in " ".join(study.summary().split())
    np.testing.assert_array_equal(StudyResult.from_frame(dict(table)).scores, study.scores)


def test_a_table_with_folds_is_one_result_per_data_set(many):
    again = StudyResult.from_frame(tidy(many))
    np.testing.assert_array_equal(again.scores, many.scores)
    assert again.greater_is_better == many.greater_is_better == (True, False)
    assert isinstance(again.results["d3"], EvaluationResult)
    assert again.test().pvalue == many.test().pvalue


def test_gaps_are_named_dropped_or_kept(demsar):
    frame = tidy(demsar).drop(index=[5, 6])
    with pytest.raises(ValueError, match=r"2 scores are missing: 'C4.5\+m' on 'breast'"):
        StudyResult.from_frame(frame)
    dropped = StudyResult.from_frame(frame, missing="drop")
    assert len(dropped.datasets) == 13
    assert "MISSING_SCORES" in codes(dropped.test())
    kept = StudyResult.from_frame(frame, missing="keep")
    assert len(kept.datasets) == 14
    assert kept.test("skillings_mack").n == 14
    friedman = kept.test("friedman")
    assert friedman.n == 13
    assert "MISSING_SCORES" in codes(friedman)
    assert kept.test(a="C4.5", b="C4.5+m+cf").n == 14


def test_gaps_in_a_table_with_folds(many):
    frame = tidy(many)
    gap = frame[~((frame.dataset == "d2") & (frame.model == "knn"))]
    with pytest.raises(ValueError, match=r"6 scores are missing: 'knn' on 'd2 0' \(accuracy\)"):
        StudyResult.from_frame(gap)
    assert len(StudyResult.from_frame(gap, missing="drop").datasets) == 7
    assert StudyResult.from_frame(frame, missing="keep").results
    kept = StudyResult.from_frame(gap, missing="keep")
    assert np.isnan(kept.means("accuracy")[2, 2])
    np.testing.assert_allclose(kept.means("accuracy")[3], many.means("accuracy")[3], rtol=1e-12)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda frame: frame.drop(columns="dataset"), "model 'C4.5' has several scores"),
        (lambda frame: pd.concat([frame, frame[:1]]), "model 'C4.5', data set 'adult' has several scores"),
        (
            lambda frame: frame.assign(score="x"),
            "row 'adult', column 'score': 'x' is no number|row 1, column 'score': 'x' is no number",
        ),
        (lambda frame: frame.assign(score=np.inf), "a score must be finite"),
        (lambda frame: frame[:0], "no rows below its header"),
        (lambda frame: 3, "frame must be a data frame"),  # noqa: ARG005
    ],
)
def test_bad_tables_are_refused_by_what_is_wrong(demsar, change, message):
    with pytest.raises(ValueError, match=message):
        StudyResult.from_frame(change(tidy(demsar)))


def test_a_wide_table_with_a_data_set_twice_or_a_text_is_refused():
    with pytest.raises(ValueError, match="data set 'x' has several scores, in rows 1 and 2"):
        StudyResult.from_frame({"dataset": ["x", "x"], "a": [1, 2], "b": [1, 2]})
    with pytest.raises(ValueError, match="two or more models; got 'a'; 'b' holds text"):
        StudyResult.from_frame({"dataset": ["x", "y"], "a": [1, 2], "b": ["p", "q"]})
    assert StudyResult.from_frame({"Unnamed: 0": [0], "dataset": ["x"], "a": [1], "b": [2]}).estimators == ("a", "b")
    with pytest.raises(ValueError, match="row 2 has no name in column 'dataset'"):
        StudyResult.from_frame({"dataset": ["x", None], "a": [1, 2], "b": [1, 2]})
    named = {"dataset": ["x", "x"], "algorithm": ["p", "q"], "score": [1, 2]}
    assert StudyResult.from_frame(named).estimators == ("p", "q")
    with pytest.raises(ValueError, match="missing must be one of"):
        StudyResult.from_frame({"dataset": ["x"], "a": [1], "b": [2]}, missing="ignore")


# ---- tests ----------------------------------------------------------------------------------------------------


def test_auto_is_the_signed_rank_test_for_two_and_friedmans_for_more(many):
    means = many.means("accuracy")
    assert many.test(a="nb", b="knn").pvalue == inference.signed_rank_test(means[:, 0], means[:, 2]).pvalue
    assert many.test().pvalue == inference.friedman_test(means).pvalue


def test_a_cost_is_turned_round(many):
    sizes = many.means("model_size")
    record = many.test("paired_t", metric="model_size", a="nb", b="knn")
    assert record.estimate == pytest.approx((sizes[:, 2] - sizes[:, 0]).mean())
    assert (
        many.rank("model_size").names[int(many.rank("model_size").mean_ranks.argmin())]
        == (many.estimators[int(sizes.mean(axis=0).argmin())])
    )


OF_RUNS = ("interquartile_mean", "performance_profile", "probability_of_improvement")


@pytest.mark.sampled
@pytest.mark.parametrize("name", [row.name for row in procedures() if row.evidence == "data sets"])
def test_every_procedure_runs_on_a_study(many, name):
    if name in OF_RUNS:
        with pytest.raises(ValueError, match=f"'{name}' needs independent runs on every data set"):
            many.test(name)
        return
    needed = {"control_test": {"control": "nb"}, "hierarchical_posterior": {"rope": 0.01}}
    record = many.test(name, **needed.get(name, {}))
    assert record.n == 8 or len(record.names) in (2, 3)
    again = many.test(name, **needed.get(name, {}))
    # what is drawn is drawn with the study's seed
    np.testing.assert_equal(dataclasses.asdict(again), dataclasses.asdict(record))


def test_the_hierarchical_posterior_reads_the_splits_and_the_test_fraction(many):
    a, b = (many.scores[:, e, :, 0] for e in (0, 2))
    expected = inference.hierarchical_posterior(a, b, test_fraction=1 / 3, rope=0.01)
    record = many.test("hierarchical_posterior", a="nb", b="knn", margin=0.01)
    assert record.right == pytest.approx(expected.right, abs=1e-12)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda s: s.test("wilcoxon"), "procedure must be"),
        (lambda s: s.test(metric="f1"), "metric must be one of"),
        (lambda s: s.test("friedman", a="nb"), "a and b must be left out for 'friedman_test'"),
        (lambda s: s.test("friedman", alternative="less"), "alternative must be left out"),
        (lambda s: s.test("sign", a="nb", b="nb"), "two different estimators"),
        (lambda s: s.test("sign", a="no"), "a must be one of"),
        (lambda s: s.test("sign", width=3), "width is no option of 'sign_test'"),
        (lambda s: s.test("hierarchical_posterior"), "margin must be given for 'hierarchical_posterior'"),
        (lambda s: s.test("control"), "control must be given"),
        (lambda s: s.test("friedman", greater_is_better=False), "greater_is_better is set by the study"),
        (lambda s: s.test("friedman", names=["x", "y", "z"]), "names is set by the study"),
        (lambda s: s.compare("friedman"), "procedure must be a test of two models"),
        (lambda s: s.compare(correction="holms"), "correction must be one of"),
        (lambda s: s.compare(metrics=["nothing"]), "metrics must be one of"),
        (lambda s: s.compare(baseline="nobody"), "baseline must be one of"),
        (lambda s: s.dominance("networks"), "method must be one of"),
        (lambda s: s.dominance(prior=1), "prior is no option"),
        (lambda s: s.rank("nothing"), "metric must be one of"),
        (lambda s: s.rank(correction="holms"), "correction must be"),
    ],
)
def test_bad_arguments_are_refused_by_name(many, call, message):
    with pytest.raises(ValueError, match=message):
        call(many)


def test_compare_holds_one_error_budget_for_the_first_metric_and_one_for_the_others(many):
    table = many.compare()
    assert len(table) == 2 * table.n_hypotheses == 3 * 2
    for family in table.families:
        own = [row for row in table if row.metric in family.metrics]
        assert [row.pvalue_adjusted for row in own] == pytest.approx(
            inference.adjust_pvalues([r.pvalue for r in own], "holm")
        )
    whole = many.compare(family="all")
    assert [row.pvalue_adjusted for row in whole] == pytest.approx(
        inference.adjust_pvalues([r.pvalue for r in whole], "holm")
    )
    for row in table:
        assert row.pvalue == many.test("signed_rank", metric=row.metric, a=row.a, b=row.b).pvalue
        assert row.wins + row.ties + row.losses == 8
    with_rope = many.compare(metrics="accuracy", margin=0.01, baseline="nb")
    for row in with_rope:
        assert row.left + row.rope + row.right == pytest.approx(1)


@pytest.mark.parametrize("procedure", ["signed_rank_test", "sign_test", "dataset_t_test"])
@pytest.mark.parametrize("swapped", [False, True])
def test_a_verdict_names_the_side_that_the_test_speaks_for_even_if_the_median_is_0(procedure, swapped):
    a = np.full(35, 0.8)
    a[:10] += np.linspace(0.01, 0.1, 10)
    first, second = (np.full(35, 0.8), a) if swapped else (a, np.full(35, 0.8))
    study = StudyResult.from_frame({"dataset": [f"d{i}" for i in range(35)], "x": first, "y": second})
    (row,) = study.compare(procedure)
    assert row.pvalue < 0.05
    assert row.winner == ("y" if swapped else "x")


def test_failed_and_error_scored_folds_are_said_by_every_test_over_data_sets():
    class FailsOnSome(GaussianNB):
        def fit(self, X, y):
            if X[0, 0] > 0:
                raise RuntimeError("no")
            return super().fit(X, y)

    datasets = {f"d{i}": made(i) for i in range(6)}
    models = {"some": FailsOnSome(), "nb": GaussianNB(), "stump": MODELS["stump"]}
    code = "MISSING_SCORES"
    for error_score in (0.0, np.nan):
        with pytest.warns(match="fits failed"):
            study = PairedEvaluator(
                cv=4, scoring=["accuracy", "f1"], error_score=error_score, random_state=0
            ).evaluate_datasets(models, datasets)
        records = [study.test(a="some", b="nb"), study.test(), study.rank(), study.dominance(a="some", b="nb")]
        records.append(study.pareto_front())
        for record in records:
            assert code in codes(record)
        assert code not in codes(study.test(a="nb", b="stump"))
        assert code in str(study.explain())


def test_the_summary_speaks_of_the_data_sets_that_were_ranked():
    frame = {"dataset": ["p", "q", "r"], "a": [0.1, 0.5, 0.9], "b": [0.2, 0.4, np.nan], "c": [0.3, 0.3, 0.3]}
    summary = StudyResult.from_frame(frame, missing="keep").summary()
    # ranks 3, 1 and 4/3 of Skillings and Mack, and of a the mean of all three data sets
    assert re.search(r"^a +1\.78 +0\.50", summary, re.M)


def test_a_model_that_diverged_makes_no_ties_of_the_others():
    rng = np.random.default_rng(0)
    error = rng.uniform(1, 2, 12)
    frame = {"dataset": [f"d{i}" for i in range(12)], "a": error, "b": error + 0.3, "c": np.full(12, 1e13)}
    study = StudyResult.from_frame(frame, greater_is_better=False)
    assert study.rank().mean_ranks.tolist() == [1, 2, 3]
    assert study.test("nemenyi").pvalues[0, 1] < 0.05
    assert study.test("skillings_mack").means.tolist() == [1, 2, 3]


def test_one_data_set_decides_nothing_and_says_so():
    study = StudyResult.from_frame({"dataset": ["d"], "a": [0.9], "b": [0.8], "c": [0.7]})
    for name in ("sign_posterior", "signed_rank_posterior", "pairwise_posterior", "plackett_luce_posterior"):
        assert "TOO_LITTLE_DATA" in codes(study.test(name))
    summary = " ".join(study.summary().split())
    assert summary.startswith("Too little data for a significant difference in ")
    assert "on 1 data set." in summary


def test_two_models_are_shown_with_their_scores():
    study = StudyResult.from_frame({"dataset": ["p", "q"], "a": [0.5, 0.7], "b": [0.4, 0.4]})
    shown = {column.name: column.values for column in study.explain().named("metrics").columns}
    expected = {"metric": "score", "a": 0.6, "b": 0.4, "wins": (2, 0, 0)}
    assert {name: shown[name][0] for name in expected} == {**expected, "a": pytest.approx(0.6)}


def test_many_alike_warnings_are_counted():
    rng = np.random.default_rng(0)
    frame = {"dataset": [f"d{i}" for i in range(20)], **{f"m{i}": rng.uniform(size=20) for i in range(12)}}
    for i in range(6):
        frame[f"m{i}"][i] = np.nan
    study = StudyResult.from_frame(frame, missing="keep")
    assert study.summary().count("Caution: ") == 1
    warnings = study.explain().named("warnings").texts
    assert sum("MISSING_SCORES" in text for text in warnings) <= 5
    assert "more like this are in the warnings of the records" in " ".join(warnings)


def test_what_would_fail_on_every_data_set_is_refused_before_the_first_is_loaded():
    def never():
        raise AssertionError

    models = [GaussianNB(), MODELS["stump"]]
    splits = [(np.arange(10), np.arange(10, 20))]
    for options, message in (
        ({"scoring": ["acuracy"]}, "scoring"),
        ({"cv": "5by2"}, "cv must be"),
        ({"cv": 1}, "cv must be"),
        ({"cv": splits}, "cv must be a number of folds, 'RxK' or a splitter"),
    ):
        with pytest.raises(ValueError, match=message) as caught:
            PairedEvaluator(**options).evaluate_datasets(models, {"x": never})
        assert not isinstance(caught.value, EstimatorFailedError)


def test_groups_reach_the_splitter():
    X, y = made(0)
    study = PairedEvaluator(cv=LeaveOneGroupOut(), scoring="accuracy").evaluate_datasets(
        [GaussianNB(), MODELS["stump"]], {"x": (X, y, np.arange(60) % 3), "y": (X, y, np.arange(60) % 4)}
    )
    assert [design.n_splits for design in study.designs] == [3, 4]
    assert study.scores.shape == (2, 2, 4, 1)
    assert np.isfinite(study.means("accuracy")).all()
    with pytest.raises(ValueError, match="needs one design for all data sets"):
        study.test("hierarchical_posterior", margin=0.01)


def test_a_bunch_is_no_data_set():
    with pytest.raises(EstimatorFailedError, match=r"must give \(X, y\), perhaps with groups; got Bunch"):
        PairedEvaluator(cv=2).evaluate_datasets([GaussianNB(), MODELS["stump"]], {"iris": load_iris})


def test_scores_of_the_wrong_shape_are_refused():
    with pytest.raises(ValueError, match="scores must have shape"):
        StudyResult(
            datasets=("d",),
            estimators=("a", "b"),
            metrics=("m",),
            greater_is_better=(True,),
            scores=np.zeros((1, 2, 3)),
        )


def test_results_of_the_user_are_a_study_too(many):
    again = StudyResult.from_results(many.results)
    np.testing.assert_array_equal(again.scores, many.scores)
    with pytest.raises(ValueError, match="results must share their metrics"):
        StudyResult.from_results(
            {
                "a": many.results["d0"],
                "b": PairedEvaluator(cv=2, scoring="f1").evaluate(
                    {name: MODELS[name] for name in many.estimators}, *made(0)
                ),
            }
        )


def test_a_comparison_of_identical_models_shows_nothing():
    study = PairedEvaluator(cv=2, scoring="accuracy", random_state=0).evaluate_datasets(
        {"one": GaussianNB(), "other": GaussianNB()}, {f"d{i}": made(i) for i in range(4)}
    )
    (row,) = study.compare()
    assert (row.pvalue, row.outcome.value, row.ties) == (1, "undecided", 4)
    assert study.summary()


# ---- ranks and dominance --------------------------------------------------------------------------------------


def test_the_ranking_holds_together(demsar):
    ranking = demsar.rank()
    assert ranking.mean_ranks.sum() == pytest.approx(10)
    groups = dict(zip(ranking.names, ranking.tier, strict=True))
    assert ranking.names == demsar.estimators
    assert ranking.omnibus.pvalue == demsar.test("friedman").pvalue
    shares = [set(groups[a]) & set(groups[b]) for a, b in (("C4.5", "C4.5+m"), ("C4.5", "C4.5+cf"))]
    for name, share in zip(("C4.5+m", "C4.5+cf"), shares, strict=True):
        (different,) = (row.winner for row in demsar.compare() if {row.a, row.b} == {"C4.5", name})
        assert bool(share) != bool(different)
    frame = ranking.to_frame()
    assert list(frame["mean_rank"]) == sorted(frame["mean_rank"])
    assert re.search(r"^C4\.5\+m\+cf +1-4 +1\.93 ", str(ranking), re.M)


def test_dominance_takes_one_case_per_data_set(many):
    a, b = (np.column_stack([many.means(m)[:, e] for m in many.metrics]) for e in (0, 2))
    expected = inference.dominance_test(inference.dominance_counts(a, b, [True, False]), metrics=many.metrics)
    record = many.dominance(a="nb", b="knn")
    assert record.pvalue == expected.pvalue == expected.pvalue_exact
    assert record.n_effective == 8
    assert "INDEPENDENCE" not in codes(record)
    rows = many.dominance("table")
    assert [row.pvalue for row in rows][1] == record.pvalue
    assert many.dominance("network", a="nb", b="knn").saturated.pvalue == record.pvalue
    assert many.pareto_front().front()


# ---- reports and files ----------------------------------------------------------------------------------------


def test_the_summary_can_be_read(real, many, demsar):
    for study in (real, many, demsar):
        text = study.summary()
        assert max(map(len, text.splitlines())) <= 125
        for name in study.estimators:
            assert name in text
    assert "8 data sets, 3-fold cross-validation on each." in many.summary()
    text = " ".join(many.summary("full").split())
    assert "Less is better for model_size" in text
    assert "d0, d1, d2" in text
    assert "All metrics together" in text
    assert "share a letter are not significantly different. That all are equal is " in text


def test_a_saved_study_is_the_same(many, demsar, real, tmp_path):
    for study in (many, demsar, real):
        study.save(tmp_path / "study.zip")
        again = load(tmp_path / "study.zip")
        assert isinstance(again, StudyResult)
        np.testing.assert_array_equal(again.scores, study.scores)
        assert again.summary() == study.summary()
        assert again.designs == study.designs
        for name, result in study.results.items():
            np.testing.assert_array_equal(
                again.results[name].predictions("nb")[0].y_pred, result.predictions("nb")[0].y_pred
            )


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda header: header["estimators"].__setitem__(0, header["estimators"][1]), "estimators must be at least 1"),
        (lambda header: header["datasets"].__setitem__(0, ""), "datasets must be named by non-empty strings"),
        (lambda header: header.update(greater_is_better=[1]), "greater_is_better must be true or false; got 1"),
        (lambda header: header.update(data=header.pop("datasets")), "it has"),
    ],
)
def test_a_damaged_study_is_refused(demsar, tmp_path, damage, told):
    demsar.save(tmp_path / "study.zip")
    with pytest.raises(ValueError, match=told):
        load(with_header(tmp_path / "study.zip", damage))


def test_the_frame_of_a_study_is_tidy(many):
    frame = many.to_frame()
    assert list(frame.columns) == ["dataset", "estimator", "metric", "repeat", "fold", "n_train", "n_test", "score"]
    assert len(frame) == 8 * 3 * 3 * 2
    assert set(frame["dataset"]) == set(many.datasets)


def test_scores_cannot_be_written(many):
    with pytest.raises(ValueError, match="read-only"):
        many.scores[0] = 0


def test_the_paired_t_test_over_data_sets_is_the_plain_one(many):
    means = many.means("accuracy")
    record = many.test("paired_t", a="nb", b="tree")
    assert record.pvalue == inference.dataset_t_test(means[:, 0], means[:, 1]).pvalue
    assert "ASSUMED" in codes(record)


# ---- the command ----------------------------------------------------------------------------------------------


CONFIG = """
cv = 3
scoring = ["accuracy", "f1_macro"]
[models]
nb = "sklearn.naive_bayes:GaussianNB"
tree = "sklearn.tree:DecisionTreeClassifier(max_depth=3)"
knn = "sklearn.neighbors:KNeighborsClassifier"
[datasets]
iris = "iris"
wine = "wine"
"""


def test_the_command_runs_a_study(run, tmp_path):
    (tmp_path / "config.toml").write_text(CONFIG)
    code, out, err = run("study", tmp_path / "config.toml", "--out", tmp_path / "study.zip")
    assert (code, err) == (0, "")
    assert out.startswith("Too little data for a significant difference in ")
    assert all(name in out for name in ("nb", "tree", "knn", "2 data sets"))
    assert isinstance(load(tmp_path / "study.zip"), StudyResult)
    code, shown, _ = run("show", tmp_path / "study.zip")
    assert code == 0
    assert shown.strip() in out


def test_the_command_reads_tables_beside_bundled_data(run, tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=60), "colour": rng.choice(["red", "blue"], 60)})
    frame["class"] = np.where(frame.x + (frame.colour == "red") > 0.5, "yes", "no")
    frame.to_csv(tmp_path / "mine.csv", index=False)
    (tmp_path / "config.toml").write_text(CONFIG + 'mine = {path = "mine.csv", target = "class"}\n')
    code, out, err = run("study", tmp_path / "config.toml")
    assert (code, err) == (0, "")
    assert "\n3 data sets" in out
    assert "Prepared within each training set: numeric columns" in out


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("cv = 3", "cv = [3]", "cv must be K folds or RxK with K of at least 2"),
        ("cv = 3", "cv = 1", "cv must be"),
        ("cv = 3", "folds = 3", "CONFIG: No such entry 'folds'"),
        ("cv = 3", "cv = ", "config.toml: Invalid value"),
        ("cv = 3", "seed = -1", "Invalid value for 'seed': -1"),
        ("cv = 3", "cv = [3, 5]", "cv must be K folds or RxK with K of at least 2"),
        (
            'iris = "iris"',
            'iris = "irs"',
            "CONFIG: datasets.iris, if it is no table with path and target, must be one of",
        ),
        ('iris = "iris"', 'iris = {path = "x.csv"}', "datasets.iris: Missing entry 'target'"),
        ('iris = "iris"', 'iris = {path = "x.csv", target = "y"}', "No such file or directory"),
        ('iris = "iris"', 'iris = {path = "config.toml", target = "klass"}', "config.toml cannot be read as a table"),
        ("GaussianNB", "GausianNB", "CONFIG: [models]"),
        ("[models]", "[model]", "No such entry 'model'"),
        ('knn = "sklearn.neighbors:KNeighborsClassifier"', "knn = 3", "[models] must read NAME=MODULE:CLASS"),
    ],
)
def test_a_bad_configuration_ends_with_one_line_and_status_2(run, tmp_path, old, new, message):
    (tmp_path / "config.toml").write_text(CONFIG.replace(old, new))
    code, out, err = run("study", tmp_path / "config.toml")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert message in err


def test_a_missing_configuration_ends_with_one_line(run, tmp_path):
    code, _, err = run("study", tmp_path / "none.toml")
    assert code == 2
    assert "cannot read" in err


def apart(n_metrics, lead, n_datasets=8):
    """Four equal models, and one that is behind on each data set."""
    rows = [
        (m, f"d{j}", q, 0.9 - lead * (m == "last") + 0.01 * ((j * 7 + i * 3) % 5))
        for q in [f"q{k}" for k in range(n_metrics)]
        for i, m in enumerate(["a", "b", "c", "d", "last"])
        for j in range(n_datasets)
    ]
    columns = zip(("model", "dataset", "metric", "score"), zip(*rows, strict=True), strict=True)
    return StudyResult.from_frame({name: list(column) for name, column in columns})


def test_that_all_are_equal_is_rejected_though_no_pair_can_be_significant():
    study = apart(2, 0.1)
    summary, ranked = (" ".join(text.split()) for text in (study.summary(), str(study.rank())))
    assert summary.startswith("Too little data for a significant difference in ")
    asks = '; result.test("step_down_test") asks which.'
    assert f"on 8 data sets. Add data sets. Not all are equal (Friedman test){asks}" in summary
    assert study.test("step_down_test").pvalues.min() < 0.05
    assert "The intervals hold" not in summary  # none is bounded
    assert "p < 0.001), though no pair differs significantly." in ranked
    assert {*study.rank().tier} == {"a"}


def test_without_a_rejection_nothing_is_said_of_the_test_that_all_are_equal():
    study = apart(2, 0.0)
    assert study.test().pvalue > 0.05
    assert study.summary().startswith("Too little data for a significant difference in ")
    assert "Not all are equal" not in study.summary()
    assert "That all are equal is not rejected (Friedman test" in " ".join(str(study.rank()).split())


def test_a_pair_that_is_significant_needs_no_test_that_all_are_equal():
    study = apart(1, 0.1, n_datasets=12)
    assert study.answer().pairs[3].better == ("q0",)
    assert "Friedman" not in study.summary()
    assert "though no pair" not in " ".join(str(study.rank()).split())


def with_gaps(gaps):
    """Three models on 12 data sets, two metrics."""
    rng = np.random.default_rng(3)
    rows = [
        (m, f"d{j}", q, 0.8 - 0.02 * i + rng.normal(0, 0.01))
        for i, m in enumerate("ABC")
        for j in range(12)
        for q in ("accuracy", "f1")
        if (m, j) not in gaps
    ]
    columns = zip(("model", "dataset", "metric", "score"), zip(*rows, strict=True), strict=True)
    return StudyResult.from_frame({name: list(column) for name, column in columns}, missing="keep")


def test_a_gap_is_told_of_the_model_that_has_it_and_of_no_other():
    study = with_gaps({("C", 0), ("C", 1)})
    (ranked,) = study.rank().warnings
    gap = "MISSING_SCORES: 'C' lacks {} on 2 of 12 data sets ('d0', 'd1'). Its comparisons are adjusted for these"
    assert ranked.startswith(gap.format("accuracy"))
    (shown,) = (text for text in study.explain().named("warnings").texts if "MISSING" in text)
    assert shown.startswith(gap.format("accuracy and f1"))
    pairs = study.explain().named("pairs on accuracy")
    columns = {column.name: column.values for column in pairs.columns}
    for a, b, wins in zip(columns["a"], columns["b"], columns["wins"], strict=True):
        assert sum(wins) == (10 if "C" in (a, b) else 12)
    assert "Means are adjusted for data sets that a model lacks." in " ".join(study.summary().split())
    said = study.explain().named("in common").texts
    assert "A and C: 10 of 12 data sets in common on accuracy." in said
    assert "A and B: 12 of 12 data sets in common on accuracy." in said


def test_without_gaps_no_row_counts_data_sets():
    study = with_gaps(set())
    assert "12 of 12" not in study.summary("full")
    assert "Means are over" not in study.summary()
    assert "MISSING" not in study.summary("full")


@pytest.mark.parametrize(("n", "k"), [(2, 3), (3, 3), (2, 4)])
def test_that_not_all_are_equal_on_few_data_sets_is_wrong_in_at_most_five_of_a_hundred_tables(n, k):
    """All tables of ranks are as probable as each other where models are alike; the first one's order may be any."""
    orders = list(itertools.permutations(range(k)))
    rejected = []
    for rest in itertools.product(orders, repeat=n - 1):
        study = StudyResult.from_frame({f"m{j}": x for j, x in enumerate(np.array([orders[0], *rest]).T / k)})
        record = study.test("friedman")
        assert study.rank().omnibus.pvalue == record.pvalue
        rejected.append(record.pvalue < 0.05)
    assert np.mean(rejected) <= 0.05
