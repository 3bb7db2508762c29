"""ComparisonSelector: compares, chooses by the rule, is the chosen one, and is an estimator of scikit-learn."""

import pickle

import numpy as np
import pytest
import sklearn
from sklearn.base import BaseEstimator, ClassifierMixin, clone, is_classifier, is_regressor
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris, make_classification
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import VotingClassifier
from sklearn.exceptions import FitFailedWarning, NotFittedError, UnsetMetadataPassedError
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.model_selection import GridSearchCV, GroupKFold, ShuffleSplit, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils import estimator_html_repr, get_tags
from sklearn.utils.estimator_checks import check_estimator

from skcompare import (
    ComparisonSelector,
    EvaluationResult,
    PairedEvaluator,
    StopRule,
    best_by_dominance,
    simplest_within,
)
from skcompare.inference import corrected_t_test
from skcompare.selection import Choice


def evaluator(**options):
    return PairedEvaluator(**{"cv": 3, "scoring": "accuracy", "random_state": 0, **options})


MODELS = {
    "stump": DecisionTreeClassifier(max_depth=1, random_state=0),
    "nb": GaussianNB(),
    "tree": DecisionTreeClassifier(),
}


@pytest.fixture(scope="module")
def data():
    return make_classification(150, 5, n_informative=3, n_redundant=0, random_state=1)


@pytest.fixture(scope="module")
def fitted(data):
    return ComparisonSelector(MODELS, evaluator(scoring=["accuracy", "roc_auc", "model_size"])).fit(*data)


# ---- scikit-learn's own checks --------------------------------------------------------------------------------

EXPECTED_FAILURES = {
    "check_dtype_object": "the TypeError of an estimator arrives as EstimatorFailedError, a ValueError that quotes it "
    "and names the estimator and the split",
}


CHECKED = {
    "classifiers": ComparisonSelector(
        [("nb", GaussianNB()), ("tree", DecisionTreeClassifier(max_depth=3, random_state=0))], evaluator()
    ),
    "regressors": ComparisonSelector(
        [("linear", LinearRegression()), ("neighbours", KNeighborsRegressor(3))],
        evaluator(scoring="r2"),
    ),
    "a mapping and a rule": ComparisonSelector(
        {"nb": GaussianNB(), "nb2": GaussianNB(var_smoothing=1e-8)}, evaluator(), simplest_within(rule="one_se")
    ),
}


@pytest.mark.sampled("checks of scikit-learn")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("selector", CHECKED.values(), ids=CHECKED)
def test_it_passes_the_checks_of_scikit_learn(selector):
    rows = check_estimator(selector, expected_failed_checks=EXPECTED_FAILURES, on_fail=None, on_skip=None)
    assert {row["check_name"]: row["exception"] for row in rows if row["status"] == "failed"} == {}
    assert {row["check_name"] for row in rows if row["status"] == "xfail"} == set(EXPECTED_FAILURES)
    assert sum(row["status"] == "passed" for row in rows) > 45


# ---- choosing -------------------------------------------------------------------------------------------------


def test_fit_compares_chooses_and_refits_on_all_data(fitted, data):
    X, y = data
    assert isinstance(fitted.result_, EvaluationResult)
    assert isinstance(fitted.choice_, Choice)
    again = evaluator(scoring=["accuracy", "roc_auc", "model_size"]).evaluate(MODELS, X, y)
    assert np.array_equal(fitted.result_.scores[:, :, :2], again.scores[:, :, :2])
    assert fitted.selected_ == fitted.choice_.name == again.estimators[min(fitted.choice_.candidates)]
    assert type(fitted.estimator_) is type(MODELS[fitted.selected_])
    assert fitted.estimator_ is not MODELS[fitted.selected_]
    assert not hasattr(MODELS["nb"], "classes_")
    assert fitted.selected_ == "stump"
    assert fitted.estimator_.tree_.n_node_samples[0] == len(X)


def test_the_test_fraction_is_that_of_the_splits(data):
    halves = evaluator(cv=ShuffleSplit(10, test_size=0.5, random_state=0))
    two = {name: MODELS[name] for name in ("stump", "nb")}
    pair = halves.evaluate(two, *data).scores[:, :, 0]
    true, guessed = (corrected_t_test(*pair, test_fraction=fraction).pvalue for fraction in (1 / 2, 1 / 10))
    rule = simplest_within(rule="corrected_t", alpha=float(np.sqrt(true * guessed)))
    choice = ComparisonSelector(two, halves, rule).fit(*data).choice_
    assert guessed < rule.alpha < true
    assert choice.candidates == (0, 1)
    assert choice.warnings == ()


@pytest.mark.parametrize("rule", ["margin", "corrected_t", "one_se", "rope", "signed_rank"])
def test_a_name_stands_for_the_rule_with_its_defaults(rule, data):
    by_name = ComparisonSelector(MODELS, evaluator(), rule).fit(*data).choice_
    by_rule = ComparisonSelector(MODELS, evaluator(), simplest_within(rule=rule)).fit(*data).choice_
    assert by_name == by_rule


@pytest.mark.parametrize(
    ("complexity", "chosen"),
    [
        ("model_size", "nb"),
        ("-model_size", "tree"),
        (lambda estimator: type(estimator).__name__ == "GaussianNB", "stump"),
        (lambda estimator: getattr(estimator, "max_depth", 9) or 8, "stump"),
    ],
)
def test_a_complexity_may_be_a_cost_or_a_function_of_the_estimator(complexity, chosen, data):
    rule = simplest_within(complexity=complexity, margin=1)
    sizes = evaluator(scoring=["accuracy", "model_size"])
    assert ComparisonSelector(MODELS, sizes, rule).fit(*data).selected_ == chosen


def test_a_complexity_may_be_a_parameter_that_all_have(data):
    depths = [DecisionTreeClassifier(max_depth=depth, random_state=0) for depth in (None, 4, 2)]
    selector = ComparisonSelector(depths, evaluator(), simplest_within(complexity="max_depth", margin=1)).fit(*data)
    assert selector.selected_ == "decisiontreeclassifier-3"


def test_where_less_is_better_the_least_is_the_best(data):
    selector = ComparisonSelector(MODELS, evaluator(scoring="model_size"), simplest_within(rule="one_se")).fit(*data)
    assert selector.choice_.best_name == selector.selected_ == "nb"
    assert selector.choice_.difference == 0
    dominance = best_by_dominance(["accuracy", "model_size"])
    selector = ComparisonSelector(MODELS, evaluator(cv="4x5", scoring=["accuracy", "model_size"]), dominance).fit(*data)
    assert selector.selected_ == "nb"


def test_of_a_cost_the_choice_tells_what_was_measured(data):
    rule = simplest_within("model_size", complexity="-model_size", rule="rope", margin=1e9)
    costs = evaluator(scoring=["accuracy", "model_size"])
    found = ComparisonSelector(MODELS, costs, rule).fit(*data)
    sizes = dict(zip(MODELS, found.result_.scores[:, :, 1].mean(axis=1), strict=True))
    choice = found.choice_
    assert (choice.name, choice.best_name) == ("tree", "nb")
    assert choice.difference == pytest.approx(sizes["tree"] - sizes["nb"])
    assert choice.difference > 0
    assert choice.low <= choice.difference <= choice.high
    for figure in (f"is {sizes['tree']:.4g}", f"the best, nb, {sizes['nb']:.4g}", f"{choice.difference:+.3g}"):
        assert figure in choice.reason
    loose = simplest_within("model_size", complexity="-model_size", rule="corrected_t", alpha=1e-300)
    kept = ComparisonSelector(MODELS, costs, loose).fit(*data).choice_
    assert kept.high > choice.high  # which allows for all comparisons
    assert any(f"up to {kept.high:.3g} (95% interval), beyond the margin of 0.01" in told for told in kept.warnings)


def test_of_a_least_cost_the_mean_is_positive(data):
    reason = ComparisonSelector(MODELS, evaluator(scoring="model_size")).fit(*data).choice_.reason
    assert "-" not in reason.partition("It has the best mean model_size, ")[2]


def test_a_rule_is_left_as_it_was(data):
    rule = simplest_within(rule="one_se")
    ComparisonSelector(MODELS, evaluator(), rule).fit(*data)
    assert not hasattr(rule, "choice_")


class FailsOnSome(ClassifierMixin, BaseEstimator):
    """The right answer, after it failed on the training sets without the first sample."""

    def fit(self, X, y):
        if not (X == X_FIRST).all(axis=1).any():
            raise RuntimeError("no")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return (X[:, 0] > 0).astype(int)


rng = np.random.default_rng(0)
X_NOISE = rng.normal(size=(60, 3))
X_FIRST, Y_SIGN = X_NOISE[0], (X_NOISE[:, 0] > 0).astype(int)


@pytest.mark.parametrize("complexity", [None, "model_size", "predict_time"])
@pytest.mark.parametrize("error_score", [np.nan, 0.9])
def test_an_estimator_that_failed_on_a_split_is_never_chosen(error_score, complexity):
    models = {"fails": FailsOnSome(), "nb": GaussianNB(), "stump": DecisionTreeClassifier(max_depth=1)}
    scoring = ["accuracy", "model_size", "predict_time"]
    rule = simplest_within(complexity=complexity)
    selector = ComparisonSelector(models, evaluator(error_score=error_score, scoring=scoring), rule)
    with pytest.warns(FitFailedWarning):
        selector.fit(X_NOISE, Y_SIGN)
    assert selector.selected_ != "fails"
    assert 0 not in selector.choice_.candidates
    assert selector.choice_.warnings[0].startswith(
        "MISSING_SCORES: left out: 1 of 3 candidates without a score on some split"
    )


def test_the_warnings_of_the_result_are_those_of_the_choice(data):
    leak = [(np.arange(100), np.arange(50, 150)), (np.arange(50, 150), np.arange(60))]
    selector = ComparisonSelector(MODELS, evaluator(cv=leak)).fit(*data)
    assert any(warning.startswith("DO_NOT_USE") for warning in selector.choice_.warnings)


def test_the_refit_has_a_seed_of_its_own(data):
    seeds = []

    class Seeded(DecisionTreeClassifier):
        """Tells the seeds it is fitted with."""

        def fit(self, X, y):
            seeds.append(self.random_state)
            return super().fit(X, y)

    models = [Seeded(splitter="random"), Seeded(splitter="random", max_depth=9)]
    evaluator().evaluate(models, *data)
    of_folds = {*seeds}
    first, second, other = (ComparisonSelector(models, evaluator(random_state=seed)).fit(*data) for seed in (0, 0, 1))
    assert first.estimator_.random_state == second.estimator_.random_state != other.estimator_.random_state
    assert first.estimator_.random_state not in of_folds
    assert None not in of_folds
    given = ComparisonSelector([clone(model).set_params(random_state=5) for model in models], evaluator()).fit(*data)
    assert given.estimator_.random_state == 5
    assert ComparisonSelector(models, evaluator(random_state=None)).fit(*data).estimator_.random_state is None


# ---- after an evaluation that was ended early -----------------------------------------------------------------

NB = {"nb": GaussianNB(), "nb2": GaussianNB(var_smoothing=0.1)}


def raced(models, rule="corrected_t", **options):
    stop = StopRule(**options)
    return ComparisonSelector(models, evaluator(cv="3x10", stop=stop), rule).fit(X_NOISE, Y_SIGN)


def test_the_only_one_left_is_chosen_and_the_reason_says_so():
    selector = raced({"dummy": DummyClassifier(), "nb": GaussianNB()}, simplest_within(alpha=1e-300))
    choice = selector.choice_
    assert selector.result_.details.stopping.kind == "best"
    assert (selector.selected_, choice.index, choice.best_index, choice.candidates) == ("nb", 1, 1, (1,))
    assert choice.reason.startswith(
        "After 1 of 3 repeats: nb is significantly better than dummy on accuracy; found worse and left out: dummy. nb "
        "is the only one left. It has the best mean accuracy, "
    )
    assert choice.warnings == ()


@pytest.mark.parametrize("drop", [True, False])
@pytest.mark.parametrize("rule", ["corrected_t", "one_se", "rope", "signed_rank"])
def test_of_several_left_the_rule_chooses_and_one_found_worse_is_never_chosen(rule, drop):
    # a level that keeps all, if it is asked
    kept = simplest_within(rule=rule, alpha=1 - 1e-9 if rule == "rope" else 1e-300)
    selector = raced({"dummy": DummyClassifier(), **NB}, kept, drop=drop)
    assert list(selector.result_.details.stopping.worse) == ["dummy"]
    assert drop or np.isfinite(selector.result_.scores[0]).all()
    choice = selector.choice_
    assert set(choice.candidates) <= {1, 2}
    assert selector.selected_ == list(selector.result_.estimators)[min(choice.candidates)]
    assert "found worse and left out: dummy. The rule keeps" in choice.reason
    assert "of 2 candidates" in choice.reason
    codes = [warning.split(":")[0] for warning in choice.warnings]
    assert "STOPPED" in codes
    assert "MISSING_SCORES" not in codes


def test_equivalent_ones_are_chosen_from_by_the_rule():
    choice = raced({"dummy": DummyClassifier(), **NB}, margin=0.5).choice_
    assert "nb and nb2 are practically equivalent on accuracy (within 0.5)" in choice.reason
    assert set(choice.candidates) <= {1, 2}


def test_the_refit_has_the_seed_of_the_full_evaluation():
    models = {"dummy": DummyClassifier(), "tree": DecisionTreeClassifier()}
    stopped = raced(models)
    full = ComparisonSelector(models, evaluator(cv="3x10")).fit(X_NOISE, Y_SIGN)
    assert stopped.result_.design.n_splits == 10
    assert stopped.estimator_.random_state == full.estimator_.random_state is not None


# ---- being the chosen one -------------------------------------------------------------------------------------


def test_it_predicts_as_the_chosen_one(fitted, data):
    X, y = data
    alone = clone(MODELS[fitted.selected_]).fit(X, y)
    for method in ("predict", "predict_proba", "predict_log_proba"):
        assert np.array_equal(getattr(fitted, method)(X), getattr(alone, method)(X))
    assert fitted.score(X, y) == alone.score(X, y)
    weights = np.arange(150.0)
    assert fitted.score(X, y, sample_weight=weights) == alone.score(X, y, sample_weight=weights)
    assert np.array_equal(fitted.classes_, [0, 1])
    assert fitted.n_features_in_ == 5
    assert not hasattr(fitted, "feature_names_in_")


def test_feature_names_are_those_of_the_chosen_one(data):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(data[0], columns=list("abcde"))
    selector = ComparisonSelector(MODELS, evaluator()).fit(frame, data[1])
    assert selector.feature_names_in_.tolist() == list("abcde")


def test_methods_are_there_where_all_have_them_and_then_where_the_chosen_one_has_them(data):
    svm_first = ComparisonSelector([LinearSVC(), GaussianNB()], evaluator(), simplest_within(alpha=1e-9))
    assert hasattr(svm_first, "predict")
    assert not hasattr(svm_first, "decision_function")
    assert not hasattr(svm_first, "predict_proba")
    assert not hasattr(svm_first, "transform")
    svm_first.fit(*data)
    assert svm_first.selected_ == "linearsvc"
    assert svm_first.decision_function(data[0]).shape == (150,)
    assert not hasattr(svm_first, "predict_proba")


def test_before_fit_there_is_nothing_to_ask():
    selector = ComparisonSelector(MODELS, evaluator())
    with pytest.raises(NotFittedError):
        selector.predict([[1.0]])
    for name in ("classes_", "n_features_in_", "feature_names_in_", "choice_"):
        assert not hasattr(selector, name)


def test_its_kind_and_tags_are_those_of_its_estimators():
    regressors = ComparisonSelector([Ridge(), DecisionTreeRegressor()])
    assert is_regressor(regressors)
    assert not is_classifier(regressors)
    assert is_classifier(ComparisonSelector(MODELS))
    assert get_tags(ComparisonSelector([Ridge(), LinearRegression()])).input_tags.sparse
    assert not get_tags(ComparisonSelector(MODELS)).input_tags.sparse
    mixed = ComparisonSelector([Ridge(), GaussianNB()])
    assert not is_classifier(mixed)
    assert not is_regressor(mixed)


# ---- parameters -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("estimators", [MODELS, list(MODELS.items())], ids=["mapping", "pairs"])
def test_estimators_are_reached_by_name(estimators):
    selector = ComparisonSelector(estimators, evaluator())
    copied = clone(selector).set_params(tree__max_depth=4, stump="drop", evaluator__cv=7, rule="rope")
    params = copied.get_params()
    assert type(copied.estimators) is type(estimators)
    assert (params["tree"].max_depth, params["tree__max_depth"], params["stump"]) == (4, 4, "drop")
    assert (params["evaluator__cv"], params["rule"]) == (7, "rope")
    before = selector.get_params()
    assert (before["tree__max_depth"], before["stump__max_depth"], before["evaluator__cv"]) == (None, 1, 3)
    assert [name for name, _ in copied._named().items()] == ["stump", "nb", "tree"]


def test_bare_estimators_keep_the_name_of_their_place():
    selector = ComparisonSelector([GaussianNB(), LogisticRegression()]).set_params(gaussiannb=LinearSVC())
    assert type(selector.get_params()["gaussiannb"]) is LinearSVC
    assert selector.set_params(gaussiannb__C=3.0).get_params()["gaussiannb__C"] == 3.0


def test_bare_estimators_keep_their_names_when_a_parameter_changes():
    selector = ComparisonSelector([DecisionTreeClassifier(max_depth=1), DecisionTreeClassifier(max_depth=2)])
    names = {f"decisiontreeclassifier-{i}": i for i in (1, 2)}
    for name, depth in names.items():
        assert selector.get_params()[f"{name}__max_depth"] == depth
        selector.set_params(**{f"{name}__max_depth": depth + 5})
    assert {name: selector.get_params()[f"{name}__max_depth"] - 5 for name in names} == names
    X, y = make_classification(n_samples=60, random_state=0)
    selector.set_params(evaluator=PairedEvaluator(cv=3, random_state=0)).fit(X, y)
    assert selector.result_.estimators == (*names,)


def test_unknown_parameters_are_refused():
    with pytest.raises(ValueError, match="Invalid parameter 'forest'"):
        ComparisonSelector(MODELS).set_params(forest__max_depth=3)


def test_its_repr_is_one_line_and_keeps_the_order():
    text = repr(ComparisonSelector(MODELS, evaluator(), simplest_within(alpha=0.1)))
    assert "\n" not in text
    assert text.index("'stump'") < text.index("'nb'") < text.index("'tree'")
    assert repr(ComparisonSelector([Ridge(), LinearRegression()])) == (
        "ComparisonSelector(estimators=[Ridge(), LinearRegression()])"
    )


def test_its_picture_shows_the_estimators_by_name():
    html = estimator_html_repr(ComparisonSelector(MODELS))
    for name in ("ComparisonSelector", "stump", "GaussianNB"):
        assert name in html


# ---- inside and outside of others -----------------------------------------------------------------------------


def test_a_pickle_keeps_everything(fitted, data):
    again = pickle.loads(pickle.dumps(fitted))
    assert np.array_equal(again.predict(data[0]), fitted.predict(data[0]))
    assert again.choice_.reason == fitted.choice_.reason
    assert np.array_equal(again.result_.scores, fitted.result_.scores)


def test_a_clone_forgets(fitted):
    assert not hasattr(clone(fitted), "estimator_")


def test_in_a_grid_search_in_a_pipeline_in_a_cross_validation(data):
    pipe = make_pipeline(StandardScaler(), ComparisonSelector(MODELS, evaluator()))
    grid = {"comparisonselector__tree__max_depth": [1, 3], "comparisonselector__rule": ["one_se", "corrected_t"]}
    search = GridSearchCV(pipe, grid, cv=2).fit(*data)
    assert search.best_estimator_[-1].choice_.name in MODELS
    assert np.array_equal(search.classes_, [0, 1])
    assert cross_val_score(pipe, *data, cv=2).shape == (2,)


def test_in_a_vote_and_a_calibration(data):
    selector = ComparisonSelector(MODELS, evaluator())
    vote = VotingClassifier([("selected", selector), ("logistic", LogisticRegression())], voting="soft").fit(*data)
    assert vote.predict_proba(data[0]).shape == (150, 2)
    assert CalibratedClassifierCV(selector, cv=2).fit(*data).predict_proba(data[0]).shape == (150, 2)


def test_labels_that_are_strings():
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])
    selector = ComparisonSelector(MODELS, evaluator()).fit(X, names[y])
    assert selector.classes_.tolist() == names.tolist()
    assert set(selector.predict(X)) <= set(names)


class Weighted(ClassifierMixin, BaseEstimator):
    """Predicts 1 if it was given weights, all of them of the samples that it was given."""

    def __init__(self, number=0):
        self.number = number

    def fit(self, X, y, sample_weight=None):
        self.given_, self.classes_ = sample_weight, np.unique(y)
        self.answer_ = int(sample_weight is not None and np.array_equal(sample_weight, X[:, 0]))
        return self

    def predict(self, X):
        return np.full(len(X), self.answer_)


def test_weights_reach_every_fit_and_the_refit(data):
    X, y = data
    selector = ComparisonSelector({"a": Weighted(), "b": Weighted(1)}, evaluator()).fit(X, y, sample_weight=X[:, 0])
    assert np.array_equal(selector.estimator_.given_, X[:, 0])
    assert all((fold.y_pred == 1).all() for name in "ab" for fold in selector.result_.predictions(name))


def test_groups_reach_the_splitter(data):
    X, y = data
    groups = np.arange(150) // 5
    selector = ComparisonSelector(MODELS, evaluator(cv=GroupKFold(3))).fit(X, y, groups=groups)
    assert all(not set(groups[train]) & set(groups[test]) for train, test in selector.result_.splits())


def requesting():
    a = Weighted().set_fit_request(sample_weight=True).set_score_request(sample_weight=False)
    b = Weighted(1).set_fit_request(sample_weight=False).set_score_request(sample_weight=True)
    scorer = make_scorer(accuracy_score).set_score_request(sample_weight=False)
    return ComparisonSelector({"a": a, "b": b}, evaluator(cv=GroupKFold(3), scoring=scorer))


def test_routed_parameters_go_where_they_are_requested(data):
    X, y = data
    weights, groups = X[:, 0], np.arange(150) // 5
    with sklearn.config_context(enable_metadata_routing=True):
        selector = requesting().fit(X, y, sample_weight=weights, groups=groups)
        assert all((fold.y_pred == 1).all() for fold in selector.result_.predictions("a"))
        assert all((fold.y_pred == 0).all() for fold in selector.result_.predictions("b"))
        assert all(not set(groups[train]) & set(groups[test]) for train, test in selector.result_.splits())
        assert (selector.estimator_.given_ is None) == (selector.selected_ == "b")
        pipe = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), requesting())
        pipe.fit(X, y, sample_weight=weights, groups=groups)
        assert pipe[-1].selected_ == selector.selected_


def test_a_parameter_that_is_not_requested_is_refused(data):
    with sklearn.config_context(enable_metadata_routing=True):
        selector = ComparisonSelector(MODELS, evaluator())
        with pytest.raises(UnsetMetadataPassedError, match=r"sample_weight.*ComparisonSelector\.fit"):
            selector.fit(*data, sample_weight=np.ones(150))
