"""A saved result is fitted again from what the file says: confirmed, contradicted, or refused before any fit."""

from __future__ import annotations

import json
import sys
from dataclasses import replace

import numpy as np
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.model_selection import GridSearchCV, ShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import skcompare
from skcompare import PairedEvaluator, RunOptions, StopRule, StudyResult, from_frame, verify
from tests.saved_files import read_archive, with_header, write_archive

X, Y = make_classification(60, 4, random_state=0)
MODELS = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2)}
FITS: list[str] = []


class Own(GaussianNB):
    """Code that no package has."""

    def fit(self, X, y, sample_weight=None):
        FITS.append("fitted")
        return super().fit(X, y, sample_weight)


def evaluate(models=MODELS, X=X, y=Y, *, params=None, **options):
    return PairedEvaluator(**{"cv": 3, "scoring": ["accuracy", "roc_auc"], "random_state": 0, **options}).evaluate(
        models, X, y, params=params
    )


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """The path of a saved result."""
    path = tmp_path_factory.mktemp("saved") / "a.skc"
    evaluate().save(path)
    return path


@pytest.fixture
def changed(saved, tmp_path):
    """The result of the saved file after a change of its header, with a digest that fits."""

    def changed(change):
        path = tmp_path / "changed.skc"
        path.write_bytes(saved.read_bytes())
        return skcompare.load(with_header(path, change))

    return changed


@pytest.fixture
def specified(changed):
    """The result whose file says that the first model is something else."""

    def specified(specification):
        return changed(lambda header: header["provenance"]["recipe"]["models"].update(bayes=specification))

    return specified


# ---- confirmed ----------------------------------------------------------------------------------------------------


def scaled(model):
    coded = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    columns = [("scaled", StandardScaler(), [0, 1]), ("coded", coded, slice(2, 4))]
    return make_pipeline(ColumnTransformer(columns, n_jobs=1), model)


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("models", "options"),
    [
        pytest.param({"a": scaled(LogisticRegression()), "b": scaled(GaussianNB())}, {}, id="pipelines"),
        pytest.param(
            {
                "a": RandomForestClassifier(5, n_jobs=1, verbose=0),
                "b": GridSearchCV(GaussianNB(priors=np.ones(2) / 2), {"var_smoothing": (1e-9, np.float64(1e-3))}, cv=2),
            },
            {"scoring": None},
            id="forests and searches",
        ),
        pytest.param(MODELS, {"cv": ShuffleSplit(4, test_size=0.3, random_state=1)}, id="random splits"),
        pytest.param(
            MODELS,
            {"scoring": {"mine": "f1", "specificity": "specificity", "t": "fit_time"}},
            id="metrics by other names",
        ),
        pytest.param(
            MODELS,
            {"options": RunOptions(keep_predictions=False), "scoring": "accuracy", "cv": "2x3"},
            id="no predictions",
        ),
        pytest.param(
            {"a": GaussianNB(), "b": KNeighborsClassifier(500)},
            {"error_score": 0.0},
            id="failures",
            marks=pytest.mark.filterwarnings("ignore"),
        ),
    ],
)
def test_what_is_made_again_is_the_same_bit_for_bit(models, options, tmp_path):
    path = tmp_path / "a.skc"
    evaluate(models, **options).save(path)
    found = verify(skcompare.load(path), X, Y)
    assert (found.outcome, found.difference, found.reasons, found.versions) == ("identical", None, (), {})
    assert found.largest == 0
    assert str(found).startswith("The result is confirmed")
    assert list(found.models) == list(models)
    assert ("t, a time" in found.left_out) == ("t" in skcompare.load(path).metrics)


def test_another_number_of_workers_makes_the_same(saved):
    assert verify(skcompare.load(saved), X, Y, n_jobs=2).outcome == "identical"


def test_the_last_digit_may_differ(saved):
    result = skcompare.load(saved)
    scores = np.nextafter(result.scores, 2)
    found = verify(replace(result, scores=scores), X, Y)
    assert found.outcome == "close"
    assert 0 < found.largest < 1e-15
    assert "the same to 1e-12" in str(found)


def test_the_command_confirms_a_table_and_a_bundled_data_set(run, tmp_path):
    table, path = tmp_path / "t.csv", tmp_path / "a.skc"
    rng = np.random.default_rng(0)
    rows = [
        f"{a:.3f},{'uvw'[i % 3] if i % 7 else ''},{'yes' if a > 0 else 'no'}" for i, a in enumerate(rng.normal(size=40))
    ]
    table.write_text("\n".join(["größe,kind,label", *rows]))
    models = ("--model", "nb=sklearn.naive_bayes:GaussianNB", "--model", "t=sklearn.tree:DecisionTreeClassifier")
    data = ("--data", table, "--target", "label")
    options = ("--cv", "2", "--scoring", "accuracy", *models, "--out", path)
    assert run("compare", *data, *options)[0] == 0
    status, out, err = run("verify", path, *data)
    assert (status, err) == (0, "")
    assert "the same bit for bit. 4 scores were compared." in out
    assert "- fitted t: Pipeline(" in out
    status, out, _ = run("verify", path)
    assert status == 2
    assert "its data is not given" in out
    assert run("verify", path, *data, "--drop", "kind")[0] == 2
    assert run("compare", "--dataset", "wine", *options)[0] == 0
    assert run("verify", path)[0] == 0


@pytest.mark.parametrize(
    ("scoring", "renamed"),
    [
        ({"accuracy": "f1", "roc_auc": "roc_auc"}, {"accuracy": "f1"}),
        ({"mine": "f1", "t": "fit_time"}, {"mine": "f1", "t": "fit_time"}),
        (["accuracy", "f1", "specificity", "fit_time"], {}),
    ],
)
@pytest.mark.parametrize("given", [True, False])
def test_a_metric_that_is_called_otherwise_than_its_scorer_is_named_with_it(scoring, renamed, given, tmp_path):
    path = tmp_path / "a.skc"
    evaluate(scoring=scoring).save(path)
    found = verify(skcompare.load(path), *([X, Y] if given else []))
    assert found.outcome == ("identical" if given else "unverified")
    assert found.renamed == renamed
    said = [line for line in str(found).splitlines() if line.startswith("- the metric called")]
    assert said == [f"- the metric called {name!r} is {of!r}" for name, of in renamed.items()]


@pytest.mark.parametrize(
    ("options", "said"), [({"options": RunOptions(check_data=False)}, "check_data=False"), ({}, "")]
)
def test_a_setting_that_keeps_the_data_from_being_looked_at_is_printed(options, said, tmp_path):
    twice = np.concatenate([X, X[:20]]), np.concatenate([Y, Y[:20]])  # rows on both sides of a split
    path, models = tmp_path / "a.skc", {"a": GaussianNB(), "b": DecisionTreeClassifier(max_depth=1)}
    result = evaluate(models, *twice, **options)
    assert any(one.code == "DO_NOT_USE" for one in result.warnings) == (not said)
    result.save(path)
    found = verify(skcompare.load(path), *twice)
    assert found.outcome == "identical"
    where = "not compared: warnings of equal rows and of columns that give answers away: "
    assert (where + said in " ".join(str(found).split())) == bool(said)


def test_groups_of_a_file_keep_the_data_from_being_looked_at_and_that_is_printed(changed):
    result = changed(lambda header: header["design"].update(n_groups=20))
    assert "it has groups, which are not given again" in " ".join(str(verify(result, X, Y)).split())


# ---- contradicted -------------------------------------------------------------------------------------------------


def test_the_first_score_that_was_changed_is_named(saved, run, tmp_path):
    result = skcompare.load(saved)
    scores = result.scores.copy()
    scores[1, 2, 0] += 0.05
    scores[1, 2, 1] = np.nan
    found = verify(replace(result, scores=scores), X, Y)
    first = found.difference
    assert found.outcome == "different"
    assert (first.what, first.estimator, first.split, first.metric) == ("score", "tree", 2, "accuracy")
    assert (first.saved, first.again) == (scores[1, 2, 0], result.scores[1, 2, 0])
    assert found.largest == pytest.approx(0.05)
    assert f"score of tree by accuracy on split 2 is {first.saved!r} in the result, {first.again!r} made again" in str(
        found
    )
    models = {"a": GaussianNB(), "b": DecisionTreeClassifier(max_depth=1)}
    path, bundled = tmp_path / "b.skc", skcompare.cli.data.bundled_dataset("iris")
    made = evaluate(models, *bundled, scoring="accuracy")
    replace(made, scores=made.scores + 0.01).save(path)
    status, out, _ = run("verify", path)
    assert (status, out.splitlines()[0][:30]) == (1, "The result is not confirmed: m")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("greater_is_better", (True, False)),
        ("positive_class", 0),
        ("ill_defined", {"tree": {"accuracy": 1}}),
        ("task", "multiclass"),
    ],
)
def test_what_tests_read_beside_the_scores_counts_too(saved, name, value):
    found = verify(replace(skcompare.load(saved), **{name: value}), X, Y)
    assert (found.outcome, found.difference.what) == ("different", name)


def test_predictions_that_were_changed_are_found(saved, tmp_path):
    path = tmp_path / "a.skc"
    kind, header, arrays = read_archive(saved)
    arrays["estimator1_predict_values"] = 1 - arrays["estimator1_predict_values"]
    write_archive(path, kind, header, arrays)
    found = verify(skcompare.load(path), X, Y)
    assert (found.outcome, found.difference.what, found.difference.estimator) == ("different", "predictions", "tree")


def test_an_evaluation_with_groups_is_made_again_on_its_splits():
    grouped = PairedEvaluator(cv=5, random_state=0).evaluate(MODELS, X, Y, groups=np.arange(60) // 3)
    assert verify(grouped, X, Y).outcome == "identical"


def test_of_an_earlier_version_no_counts_of_classes_are_asked():
    result = evaluate()
    older = replace(result, design=replace(result.design, class_counts=()))
    assert verify(older, X, Y).outcome == "identical"


def test_another_seed_is_found(tmp_path):
    models = {"forest": RandomForestClassifier(3), "bayes": GaussianNB()}
    path = tmp_path / "a.skc"
    evaluate(models).save(path)
    other = with_header(path, lambda header: header["provenance"].update(random_state=1))
    found = verify(skcompare.load(other), X, Y)
    assert (found.outcome, found.difference.estimator) == ("different", "forest")


def test_a_failure_that_the_result_does_not_have_is_a_difference(tmp_path):
    path = tmp_path / "a.skc"
    evaluate().save(path)
    other = {"class": "sklearn.neighbors:KNeighborsClassifier", "params": {"n_neighbors": 500}}

    def change(header):
        header["provenance"]["recipe"]["models"]["bayes"] = other
        header["provenance"]["estimators"]["bayes"] = "KNeighborsClassifier(n_neighbors=500)"

    with pytest.warns(UserWarning, match="bayes"):
        found = verify(skcompare.load(with_header(path, change)), X, Y)
    assert (found.outcome, found.difference.split) == ("different", 0)
    assert np.isnan(found.difference.again)


def test_versions_that_differ_are_told(changed):
    found = verify(changed(lambda header: header["provenance"]["versions"].update(numpy="1.0")), X, Y)
    assert (found.outcome, found.versions) == ("identical", {"numpy": ("1.0", np.__version__)})
    assert f"numpy 1.0 made the result, {np.__version__} is here" in str(found)


# ---- refused before anything is fitted ----------------------------------------------------------------------------


def test_all_reasons_are_said_at_once_and_nothing_is_fitted(run, tmp_path):
    models = {"own": Own(), "kernel": SVC(kernel=lambda A, B: A @ B.T), "forest": RandomForestClassifier(2)}
    result = evaluate(
        models,
        random_state=None,
        scoring={"mine": make_scorer(accuracy_score), "f1": "f1"},
        params={"sample_weight": np.ones(60)},
    )
    FITS.clear()
    found = verify(result, X[::-1], Y)
    assert found.outcome == "unverified"
    said = "\n".join(found.reasons)
    for words in ("to fit", "'own'", "'kernel'", "'mine'", "'forest': it draws at random", "X is not the data"):
        assert words in said
    assert len(found.reasons) == 6
    path = tmp_path / "a.skc"
    result.save(path)
    status, out, _ = run("verify", path)
    assert status == 2
    assert out.startswith("The result cannot be verified; nothing was fitted.\n- ")
    assert FITS == []
    assert np.isnan(found.largest)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        pytest.param(lambda: evaluate(cv="4x3", stop=StopRule()), "StopRule", id="ended early"),
        pytest.param(lambda: evaluate({**MODELS, "m": make_pipeline(GaussianNB(), memory="x")}), "place", id="a cache"),
        pytest.param(lambda: evaluate({**MODELS, "m": LogisticRegression(max_iter=10**8)}), "more than", id="huge"),
        pytest.param(
            lambda: evaluate({**MODELS, "m": make_pipeline(SVC(kernel=lambda A, B: A @ B.T))}),
            "steps['svc']",
            id="a step",
        ),
        pytest.param(
            lambda: evaluate({**MODELS, "m": scaled(GaussianNB()).set_output(transform="default")}),
            "settings",
            id="set_output",
        ),
        pytest.param(lambda: replace(evaluate(), provenance={}), "earlier version", id="an old file"),
        pytest.param(lambda: replace(evaluate(), kept_splits=None), "splits", id="no splits"),
    ],
)
def test_what_cannot_be_made_again_is_refused(make, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # where the cache is made
    found = verify(make(), X, Y)
    assert (found.outcome, len(found.reasons)) == ("unverified", 1)
    assert words in found.reasons[0]


def test_tables_and_studies_are_refused(run, tmp_path):
    table = from_frame({"model": ["a", "a", "b", "b"], "fold": [0, 1, 0, 1], "score": [0.9, 0.8, 0.7, 0.8]})
    assert "table of scores" in verify(table, X, Y).reasons[0]
    path = tmp_path / "s.skc"
    StudyResult.from_frame({"dataset": ["d", "e"], "a": [1, 2], "b": [2, 1]}).save(path)
    status, _, err = run("verify", path)
    assert status == 2
    assert "is a study: save its evaluations" in err


def test_an_evaluation_of_a_study_can_be_verified_alone():
    study = PairedEvaluator(cv=2, random_state=0).evaluate_datasets(MODELS, {"d": (X, Y), "e": (X[::-1], Y)})
    assert verify(study.results["e"], X[::-1], Y).outcome == "identical"
    assert verify(study.results["e"], X, Y).outcome == "unverified"


@pytest.mark.parametrize(
    "other", [lambda X: X.astype(np.float32), lambda X: X[:, ::-1], lambda X: X + 1e-16 + 1e-9, lambda X: X.tolist()]
)
@pytest.mark.sampled
def test_other_data_is_refused_by_its_digest(saved, other):
    result = skcompare.load(saved)
    assert verify(result, np.asfortranarray(X), Y.tolist()).outcome == "identical"
    assert "X is not the data of the result" in verify(result, other(X), Y).reasons[0]
    assert "y is not the data of the result" in verify(result, X, 1 - Y).reasons[0]


def test_a_model_that_is_called_otherwise_than_it_is_is_refused(specified):
    found = verify(specified({"class": "sklearn.naive_bayes:GaussianNB", "params": {"var_smoothing": 0.5}}), X, Y)
    assert found.reasons == (
        "model 'bayes': it is called GaussianNB(), its specification is of GaussianNB(var_smoothing=0.5)",
    )


# ---- from someone who means harm ----------------------------------------------------------------------------------

NB = "sklearn.naive_bayes:GaussianNB"
DEEP = json.loads("[" * 300 + "]" * 300)


@pytest.mark.parametrize(
    "specification",
    [
        None, 3, "sklearn.naive_bayes:GaussianNB", [], {}, {"class": NB},
        {"class": NB, "params": 3}, {"class": 3, "params": {}},
        {"class": "os:system", "params": {"command": "true"}},
        {"class": "builtins:eval", "params": {}},
        {"class": "sklearn.datasets:fetch_openml", "params": {"name": "x"}},
        {"class": "sklearn.pipeline:make_pipeline", "params": {}},
        {"class": "sklearn.utils:Bunch", "params": {}},
        {"class": "sklearn.base:np", "params": {}},
        {"class": "sklearn.utils._joblib:Memory", "params": {"location": "x"}},
        {"class": "sklearn._build_utils.openmp_helpers:x", "params": {}},
        {"class": "sklearn.tests.test_base:MyEstimator", "params": {}},
        {"class": "sklearn.conftest:pytest", "params": {}},
        {"class": "sklearn.experimental.enable_iterative_imputer:IterativeImputer", "params": {}},
        {"class": "sklearn.naive_bayes:GaussianNB.fit", "params": {}},
        {"class": "sklearn.naive_bayes:_BaseNB", "params": {}},
        {"class": ".naive_bayes:GaussianNB", "params": {}},
        {"class": "sklearn:__class__", "params": {}},
        {"class": "sklearn.frozen:FrozenEstimator", "params": {"estimator": {"class": NB, "params": {}}}},
        {"class": "sklearn.preprocessing:FunctionTransformer",
         "params": {"func": {"class": "os:system", "params": {}}}},
        {"class": "sklearn.pipeline:Pipeline",
         "params": {"steps": [{"tuple": ["a", {"class": NB, "params": {}}]}], "memory": "x"}},
        {"class": "sklearn.feature_extraction.text:CountVectorizer", "params": {"input": "filename"}},
        {"class": NB, "params": {"var_smoothing": {"type": "subprocess.Popen"}}},
        {"class": NB, "params": {"var_smoothing": {"float": "__import__('os')"}}},
        {"class": NB, "params": {"priors": {"array": ["O", [1], [0]]}}},
        {"class": NB, "params": {"priors": {"array": ["<U999999999", [1], ["0"]]}}},
        {"class": NB, "params": {"priors": {"array": ["<f8", [10**12], [0]]}}},
        {"class": NB, "params": {"priors": {"dict": [[[], 1]]}}},
        {"class": NB, "params": {"priors": {"slice": [1]}}},
        {"class": NB, "params": {"priors": DEEP}},
        {"class": NB, "params": {"priors": [0] * 20_000}},
        {"class": NB, "params": {"priors": "x" * 20_000}},
        {"class": NB, "params": {"unknown": 1}},
        {"class": "sklearn.tree:DecisionTreeClassifier", "params": {"max_depth": 10**12}},
        {"class": "sklearn.tree:DecisionTreeClassifier", "params": {"__class__": 1}},
    ],
    ids=lambda one: str(one)[:70],
)  # fmt: skip
def test_a_specification_of_anything_but_a_model_is_refused(specified, specification, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    before = set(sys.modules)
    result = specified(specification)
    found = verify(result, X, Y)
    assert found.outcome == "unverified"
    assert any(why.startswith("model 'bayes'") for why in found.reasons)
    assert str(found).replace("\n", " ").isprintable()
    assert not {"sklearn.conftest", "sklearn.tests.test_base", "sklearn._build_utils"} & (set(sys.modules) - before)
    assert [path.name for path in tmp_path.iterdir()] == ["changed.skc"]


def test_lists_in_lists_are_read_to_a_depth(specified):
    assert "nested too deep" in verify(specified({"class": NB, "params": {"priors": DEEP}}), X, Y).reasons[0]


def test_only_packages_that_are_allowed_are_imported(specified, tmp_path, monkeypatch):
    (tmp_path / "stranger").mkdir()
    (tmp_path / "stranger" / "__init__.py").write_text("from sklearn.naive_bayes import GaussianNB\nimported = True\n")
    monkeypatch.syspath_prepend(tmp_path)
    result = specified({"class": "stranger:GaussianNB", "params": {}})
    assert "not allowed" in verify(result, X, Y).reasons[0]
    assert "stranger" not in sys.modules
    assert "of another package" in verify(result, X, Y, allow=("sklearn", "stranger")).reasons[0]
    assert "stranger" in sys.modules
    own = "from sklearn.naive_bayes import GaussianNB as Base\nclass GaussianNB(Base):\n    pass\n"
    (tmp_path / "second").mkdir()
    (tmp_path / "second" / "__init__.py").write_text(own)
    result = specified({"class": "second:GaussianNB", "params": {"priors": None, "var_smoothing": 1e-9}})
    assert verify(result, X, Y, allow=("sklearn", "second")).outcome == "identical"


@pytest.mark.parametrize(
    "recipe",
    [
        3, [], {}, {"models": 3}, {"models": {}}, {"lacking": [3]}, {"scoring": {"accuracy": 1, "roc_auc": []}},
        {"scoring": {"accuracy": "no such name", "roc_auc": "roc_auc"}}, {"scoring": ["accuracy", "roc_auc"]},
        {"data": 3}, {"data": {}}, {"data": {"X": None, "y": 3}}, {"packages": 3, "data": {}},
    ],
    ids=str,
)  # fmt: skip
def test_a_recipe_of_any_form_is_answered(changed, recipe):
    def change(header):
        known = header["provenance"]["recipe"]
        header["provenance"]["recipe"] = {**known, **recipe} if isinstance(recipe, dict) and recipe else recipe

    found = verify(changed(change), X, Y)
    assert found.outcome == "unverified"
    assert found.reasons


def test_what_a_recipe_lacks_is_told_without_a_place_in_memory():
    models = {"chosen": make_pipeline(SelectKBest(), GaussianNB()), "bayes": GaussianNB()}
    result = PairedEvaluator(cv=3, scoring="accuracy", random_state=0).evaluate(models, *make_classification(60))
    (told,) = result.provenance["recipe"]["lacking"]
    assert "score_func" in told
    assert told.endswith("<function f_classif>")
