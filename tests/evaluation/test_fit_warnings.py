"""What an evaluation is warned of: weights of fits alone, ranks of labels, too many classes, unequal folds, and fits
that did not converge or were otherwise unwell; and where there is nothing to warn of.
"""

import warnings
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import sklearn
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as skm
from sklearn.datasets import load_breast_cancer, make_classification
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import ConvergenceWarning, UndefinedMetricWarning
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV, KFold, LeaveOneGroupOut, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import skcompare as skc
from skcompare import RunOptions

pytestmark = pytest.mark.sampled

WARN = warnings.warn
X, Y = make_classification(n_samples=90, n_features=5, random_state=0)
MODELS = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3, random_state=0)}
REGRESSORS = {"ridge": Ridge(), "tree": DecisionTreeRegressor(max_depth=3, random_state=0)}


def evaluate(models=MODELS, X=X, y=Y, cv=3, scoring="accuracy", groups=None, params=None, **options):
    evaluator = skc.PairedEvaluator(
        cv, scoring, **{"random_state": 0, "options": RunOptions(check_data=False), **options}
    )
    return evaluator.evaluate(models, X, y, groups=groups, params=params)


def told(result, code):
    return [one.sentence for one in result.warnings if one.code == code]


# ---- scorers -------------------------------------------------------------------------------------------------------

OF_RANKS = [skm.roc_auc_score, skm.average_precision_score]
OF_PROBABILITIES = [skm.log_loss, skm.brier_score_loss, skm.d2_log_loss_score]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("function", [*OF_RANKS, *OF_PROBABILITIES, partial(skm.roc_auc_score, average="macro")])
def test_a_function_of_scores_that_reads_labels_is_told_and_has_the_scores_of_cross_validate(function):
    name = getattr(function, "__name__", "roc_auc_score")
    right = (
        ("decision_function", "predict_proba")
        if name in ("roc_auc_score", "average_precision_score")
        else "predict_proba"
    )
    less = ", greater_is_better=False" if name.endswith("_loss") else ""
    scoring = {"asked": make_scorer(function), "right": make_scorer(function, response_method=right)}
    result = evaluate(scoring=scoring)
    (sentence,) = [one for one in told(result, "ASSUMED") if "of predicted labels" in one]
    assert sentence.startswith(f"asked is {name} of predicted labels")
    assert sentence.endswith(f"give make_scorer({name}{less}, response_method={right!r}).")
    expected = cross_validate(MODELS["bayes"], X, Y, cv=result.splits(), scoring=scoring)
    for metric in scoring:
        np.testing.assert_allclose(result.score("bayes", metric), expected[f"test_{metric}"], rtol=1e-12)


def test_predictions_that_were_made_elsewhere_are_told_of_too():
    model = GaussianNB().fit(X, Y)
    guess = {"prediction": model.predict(X), "probability": model.predict_proba(X)[:, 1]}
    found = skc.from_predictions(Y, {"a": guess, "b": guess}, scoring=skm.roc_auc_score)
    (sentence,) = told(found, "ASSUMED")
    assert sentence.startswith("roc_auc_score is roc_auc_score of predicted labels")
    right = skc.from_predictions(Y, {"a": guess, "b": guess}, scoring=["roc_auc", "accuracy"])
    assert told(right, "ASSUMED") == []


def score_called(name):
    def called(model, X, y):
        return model.score(X, y)

    called.__name__ = name
    return called


LOSSES = ["rmse", "brier_loss", "my_log_loss", "MAE", "brier_score", "weighted_mse", "mean_error", "poisson_deviance"]
GAINS = ["neg_rmse", "negative_brier_loss", "d2_brier", "gain", "lossless", "my_score", "errors_found", "terror_recall"]


@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.parametrize("keyed", [True, False])
def test_a_function_of_a_model_called_as_a_loss_is_told(name, keyed):
    result = evaluate(scoring={name: score_called("own")} if keyed else score_called(name))
    (sentence,) = told(result, "ASSUMED")
    shown = name if keyed else "score"
    assert sentence.startswith(f"more of {shown} is taken for better, but {name} is the name of a loss")
    turned = evaluate(scoring={f"negative_{name}": score_called("own")})
    assert told(turned, "ASSUMED") == []


def test_what_is_called_as_a_gain_is_not_told():
    assert told(evaluate(scoring={name: score_called("own") for name in GAINS}), "ASSUMED") == []


def test_functions_of_labels_and_named_scorers_are_not_told():
    names = ["roc_auc", "average_precision", "neg_log_loss", "neg_brier_score", "f1", "matthews_corrcoef"]
    scoring = {name: name for name in names} | {"own": make_scorer(skm.accuracy_score)}
    assert told(evaluate(scoring=scoring), "ASSUMED") == []


def test_numbers_that_regressors_predict_are_ranks():
    scoring = {"gain": make_scorer(skm.dcg_score), "auc": make_scorer(skm.roc_auc_score)}
    result = evaluate(REGRESSORS, y=Y, cv=KFold(3), scoring={"auc": scoring["auc"]})
    assert told(result, "ASSUMED") == []
    two = np.abs(np.column_stack([X[:, 0], X[:, 1]]))
    assert told(evaluate(REGRESSORS, y=two, scoring={"gain": scoring["gain"]}), "ASSUMED") == []


# ---- weights -------------------------------------------------------------------------------------------------------

WEIGHTS = np.where(Y == 1, 20.0, 1.0)


def test_weights_that_reach_fits_alone_are_told():
    (sentence,) = told(evaluate(params={"sample_weight": WEIGHTS}), "WEIGHTED")
    assert sentence.startswith("fits are weighted and scores are not")
    pipes = {name: make_pipeline(StandardScaler(), model) for name, model in MODELS.items()}
    pipes = {name: pipe.set_params(steps=[("s", pipe[0]), ("m", pipe[1])]) for name, pipe in pipes.items()}
    assert told(evaluate(pipes, params={"m__sample_weight": WEIGHTS}), "WEIGHTED") == [sentence]
    for params in (None, {}, {"sample_weight": None}):
        assert told(evaluate(params=params), "WEIGHTED") == []


def test_weights_that_reach_fits_and_scores_are_not_told():
    """What the warning says to do does it."""
    with sklearn.config_context(enable_metadata_routing=True):
        models = {name: model.__sklearn_clone__().set_fit_request(sample_weight=True) for name, model in MODELS.items()}
        plain = make_scorer(skm.accuracy_score).set_score_request(sample_weight=False)
        both = make_scorer(skm.accuracy_score).set_score_request(sample_weight=True)
        given = {"params": {"sample_weight": WEIGHTS}}
        alone = evaluate(models, scoring={"own": plain}, **given)
        result = evaluate(models, scoring={"own": both}, **given)
        expected = cross_validate(models["bayes"], X, Y, cv=result.splits(), scoring=both, **given)
    assert len(told(alone, "WEIGHTED")) == 1
    assert told(result, "WEIGHTED") == []
    np.testing.assert_allclose(result.score("bayes", "own"), expected["test_score"], rtol=1e-12)
    assert not np.allclose(result.score("bayes", "own"), alone.score("bayes", "own"))


# ---- targets -------------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::UserWarning")
@given(n_classes=st.integers(2, 60), texts=st.booleans())
def test_more_classes_than_half_the_samples_are_told(n_classes, texts):
    y = np.arange(60) % n_classes
    y = np.char.add("name", y.astype(str)) if texts else y
    models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=1, random_state=0)}
    found = told(evaluate(models, X[:60], y, KFold(2)), "WEAK_METRIC")
    assert len(found) == (n_classes > 30)
    for sentence in found:
        assert sentence.startswith(f"y has {n_classes} classes in 60 samples and looks like ")
        assert ("identifiers" if texts else "use a regressor, or bin it") in sentence


def test_numbers_of_regressors_are_not_told():
    assert told(evaluate(REGRESSORS, y=np.arange(90), scoring="r2"), "WEAK_METRIC") == []


# ---- folds ---------------------------------------------------------------------------------------------------------


def test_one_group_that_holds_most_samples_is_told_with_the_range_of_sizes(rng):
    groups = np.repeat(np.arange(6), [60, 3, 2, 2, 2, 2])
    y = np.arange(71) % 2
    result = evaluate(X=rng.normal(size=(71, 3)) + y[:, None], y=y, groups=groups)
    (sentence,) = told(result, "TOO_LITTLE_DATA")
    low, high = min(result.design.test_sizes), max(result.design.test_sizes)
    assert sentence.startswith(f"test sets have {low} to {high} samples and tell")
    assert sentence.endswith("One group holds 60 of 71 samples.")
    words = " ".join(result.summary("full").split())
    assert f"trained on {71 - high} to {71 - low}, tested on {low} to {high} samples" in words
    assert "TOO_LITTLE_DATA" in words


@given(sizes=st.lists(st.integers(2, 40), min_size=3, max_size=8))
def test_test_sets_that_are_worth_few_are_told(sizes):
    """The coefficient of variation of their sizes is above sqrt(1 / 0.6 - 1), 0.82."""
    n = sum(sizes)
    y, groups = np.arange(n) % 2, np.repeat(np.arange(len(sizes)), sizes)
    noise = np.random.default_rng(n).normal(size=(n, 2))
    models = {"bayes": GaussianNB(), "ridge": LogisticRegression()}
    result = evaluate(models, noise, y, LeaveOneGroupOut(), groups=groups)
    unequal = np.std(sizes) / np.mean(sizes) > np.sqrt(1 / 0.6 - 1)
    assert sum("test sets have" in one for one in told(result, "TOO_LITTLE_DATA")) == unequal
    assert (f"tested on {min(sizes)} to {max(sizes)} samples" in " ".join(str(result.explain()).split())) == (
        max(sizes) >= 2 * min(sizes)
    )


def test_a_mean_is_given_where_folds_are_about_equal():
    result = evaluate(X=X[:88], y=Y[:88], cv=5)
    assert told(result, "TOO_LITTLE_DATA") == []
    assert "trained on 70, tested on 18 samples" in " ".join(str(result.explain()).split())


# ---- convergence ---------------------------------------------------------------------------------------------------

CANCER = load_breast_cancer(return_X_y=True)
UNSCALED = {
    "unscaled": LogisticRegression(max_iter=20),
    "scaled": make_pipeline(StandardScaler(), LogisticRegression()),
    "bayes": GaussianNB(),
}
SAID = "unscaled did not converge on {} of {}: scale the data or raise max_iter."


def converging(**options):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter(options.pop("action", "always"))
        result = evaluate(UNSCALED, *CANCER, cv="2x3", **options)
    return result, [one for one in caught if issubclass(one.category, ConvergenceWarning)]


@pytest.mark.parametrize("action", ["always", "ignore"])
def test_a_model_that_does_not_converge_is_named_and_its_warnings_are_left_alone(action):
    result, caught = converging(action=action)
    assert told(result, "NOT_CONVERGED") == [SAID.format(6, "6 splits")]
    assert len(caught) == (6 if action == "always" else 0)
    assert "__init__" not in vars(ConvergenceWarning)
    assert warnings.warn is WARN


def test_it_stands_with_comparisons_of_the_model_alone_also_when_loaded(tmp_path):
    result, _ = converging()
    result.save(tmp_path / "result.skcompare")
    for one in (result, skc.load(tmp_path / "result.skcompare")):
        with_it = {(row.a, row.b): "NOT_CONVERGED" in {w.code for w in row.warnings} for row in one.compare()}
        assert with_it == {("unscaled", "scaled"): True, ("unscaled", "bayes"): True, ("scaled", "bayes"): False}
        assert f"NOT_CONVERGED: {SAID.format(6, '6 splits')}" in " ".join(one.summary("full").split())


def test_workers_tell_of_it_too():
    assert told(converging(n_jobs=2)[0], "NOT_CONVERGED") == [SAID.format(6, "6 splits")]


def test_a_store_keeps_whether_a_fit_converged(tmp_path):
    first, caught = converging(store=tmp_path / "fits.sqlite")
    again, caught_again = converging(store=tmp_path / "fits.sqlite")
    assert (len(caught), len(caught_again)) == (6, 0)
    assert told(again, "NOT_CONVERGED") == told(first, "NOT_CONVERGED") == [SAID.format(6, "6 splits")]


def fits_of(result):
    """What `explain` says of the fits."""
    told = str(result.explain()).partition("How the fits went\n")[2].partition("\n\n")[2].partition("\n\n")[0]
    return [" ".join(line.split()) for line in told.removeprefix("- ").split("\n- ") if line]


def test_fits_with_several_seeds_are_counted():
    assert told(converging(n_seeds=2)[0], "NOT_CONVERGED") == [SAID.format(12, "12 fits")]


class Now(GaussianNB):
    """Warns where the first sample of the training set is as given."""

    def __init__(self, firsts=()):
        super().__init__()
        self.firsts = firsts

    def fit(self, X, y):
        if X[0, 0] in self.firsts:
            warnings.warn("not done", ConvergenceWarning, stacklevel=2)
        return super().fit(X, y)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@given(n_warned=st.integers(0, 6), n_splits=st.sampled_from([10, 20, 30]))
def test_a_tenth_of_the_splits_is_what_counts(n_warned, n_splits):
    numbers = np.column_stack([np.arange(90), X])
    splits = [(np.arange(i, i + 40), np.arange(70, 90)) for i in range(n_splits)]
    models = {"now": Now(firsts=tuple(range(n_warned))), "bayes": GaussianNB()}
    found = told(evaluate(models, numbers, Y, splits), "NOT_CONVERGED")
    told_of = 10 * n_warned >= n_splits
    said = f"now did not converge on {n_warned} of {n_splits} splits: scale the data or raise max_iter."
    assert found == ([said] if told_of else [])


# ---- the health of fits ----------------------------------------------------------------------------------------------


class Ailing(GaussianNB):
    """Warns, and predicts one class alone, where the training set begins with some samples; the first column counts."""

    def __init__(self, warned=(), constant=(), category=UserWarning):
        super().__init__()
        self.warned, self.constant, self.category = warned, constant, category

    def fit(self, X, y):
        if X[0, 0] in self.warned:
            warnings.warn(f"only {X[0, 0]:.2f} left", self.category, stacklevel=1)
        self.first_ = X[0, 0]
        return super().fit(X, y)

    def predict(self, X):
        found = super().predict(X)
        return np.full_like(found, found[0]) if self.first_ in self.constant else found


def ailing(n_warned, n_constant, n_splits, category=UserWarning, **options):
    numbers = np.column_stack([np.arange(90), X, 100 * Y])  # so that it predicts both classes
    splits = [(np.arange(i, i + 40), np.arange(70, 90)) for i in range(n_splits)]
    models = {"ail": Ailing(tuple(range(n_warned)), tuple(range(n_constant)), category), "bayes": GaussianNB()}
    return evaluate(models, numbers, Y, splits, **options)


@pytest.mark.filterwarnings("ignore:only")
@settings(max_examples=6)
@given(
    n_warned=st.integers(0, 8),
    n_constant=st.integers(0, 8),
    category=st.sampled_from([UserWarning, RuntimeWarning, UndefinedMetricWarning]),
)
def test_warnings_and_constant_predictions_are_counted_by_model(n_warned, n_constant, category):
    """Warnings that differ in their numbers alone are one; constant predictions count from half of the fits on."""
    found = [one for one in fits_of(ailing(n_warned, n_constant, 8, category)) if one.startswith("ail")]
    warned = f"ail warned on {n_warned} of 8 splits ({category.__name__}"
    constant = f"ail predicted one value for all samples on {n_constant} of 8 splits"
    expected = [warned] * (n_warned > 0) + [constant] * (n_constant >= 4)
    assert [one.partition(":")[0] for one in found] == expected


@pytest.mark.filterwarnings("ignore:only")
@pytest.mark.parametrize("category", [FutureWarning, DeprecationWarning])
def test_what_is_said_of_code_is_no_health_of_fits(category):
    assert fits_of(ailing(8, 0, 8, category)) == []


@pytest.mark.filterwarnings("ignore:Features:UserWarning", "ignore:invalid value:RuntimeWarning")
@pytest.mark.parametrize(
    "options", [{"n_jobs": 2}, {"options": RunOptions(keep_predictions=False, check_data=False)}, {"store": True}]
)
def test_it_goes_through_workers_and_stores_and_files(options, tmp_path):
    models = {"few": make_pipeline(SelectKBest(k=1), GaussianNB()), "dummy": DummyClassifier()}
    if "store" in options:
        options = {"store": tmp_path / "fits.sqlite"}
        evaluate(models, X * [1, 1, 0, 0, 0], **options)
    result = evaluate(models, X * [1, 1, 0, 0, 0], **options)
    result.save(tmp_path / "result.skc")
    for one in (result, skc.load(tmp_path / "result.skc")):
        assert [sentence.partition(" (")[0].partition(":")[0] for sentence in fits_of(one)] == [
            "few warned on 3 of 3 splits",
            "dummy predicted one value for all samples on 3 of 3 splits",
        ]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_repeats_that_are_merged_are_counted_together():
    models = {"a": LogisticRegression(max_iter=1), "bayes": GaussianNB()}
    first, second = (evaluate(models, cv="2x5", random_state=seed) for seed in (0, 1))
    said = "a did not converge on {} of {} splits: scale the data or raise max_iter."
    assert fits_of(first) == [said.format(10, 10)]
    assert fits_of(skc.merge(first, second)) == [said.format(20, 20)]
    silent = replace(first, provenance={**first.provenance, "health": {"a": "no list"}})
    assert fits_of(silent) == []
    assert fits_of(skc.merge(silent, second)) == [said.format(10, 20)]


@pytest.mark.parametrize("action", ["always", "default", "once", "error"])
def test_warnings_of_fits_are_shown_as_they_would_be(action):
    """With the file and the line that made them, as often as the filter says."""

    def caught(run):
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter(action)
            try:
                run()
            except (UserWarning, ValueError) as error:
                return type(error).__name__, "only" in str(error)
        return [
            (one.category, one.filename, one.lineno, str(one.message)) for one in found if "only" in str(one.message)
        ]

    numbers, model = np.column_stack([np.arange(90), X]), Ailing((0, 1, 2))
    splits = [(np.arange(i, i + 40), np.arange(70, 90)) for i in range(3)]
    ours = caught(lambda: evaluate({"ail": model}, numbers, Y, splits))
    theirs = caught(lambda: cross_validate(model, numbers, Y, cv=splits, error_score="raise"))
    assert ours[1:] == theirs[1:] if action == "error" else ours == theirs
    assert warnings.warn is WARN


def test_numbers_that_are_not_finite_are_told():
    class Loose(Ridge):
        def predict(self, X):
            found = super().predict(X)
            found[0] = np.inf
            return found

    def score(model, X, y):  # noqa: ARG001
        return float(np.nan_to_num(model.predict(X), posinf=0.0).mean())

    result = evaluate({"loose": Loose(), "ridge": Ridge()}, y=X[:, 0], scoring=score)
    assert [one.partition(":")[0] for one in fits_of(result)] == [
        "loose predicted numbers that are not finite on 3 of 3 splits"
    ]


@pytest.mark.parametrize("frame", [False, True])
@settings(max_examples=4)
@given(n_still=st.integers(0, 3), varies=st.integers(0, 1))
def test_columns_that_do_not_vary_in_training_are_told(n_still, varies, frame):
    """A column that varies on one row alone does not vary where that row is tested."""
    pd = pytest.importorskip("pandas")
    columns = np.column_stack([X, np.ones((90, n_still)), np.arange(90) == 0 if varies else X[:, 0]])
    given_X = pd.DataFrame(columns).rename(columns="x{}".format) if frame else columns
    found = fits_of(evaluate(X=given_X, cv=KFold(5), options=RunOptions(check_data=True)))
    n, name = n_still + varies, "x5" if frame else 5
    what = f"Column {name!r}" if n == 1 else f"Each of {n} columns (the first is {name!r})"
    where = f"on {5 if n_still else 1} of 5 splits"
    assert found == ([f"{what} of X does not vary in training {where}: leave it out."] if n else [])


@pytest.mark.parametrize(("best", "in_pipeline"), [("largest", True), ("smallest", False)])
def test_a_search_that_ends_at_an_end_of_its_grid_is_told(best, in_pipeline):
    """Of two values each is an end, which is not told."""
    y = np.arange(120) % 2
    numbers = np.random.default_rng(0).normal(size=(120, 3)) + 2 * y[:, None] * [1, 0, 0]
    values = [1e-9, 1e-8, 1e-7, 1e-6] if best == "largest" else [1e-2, 1e2, 1e4, 1e6]
    y = y if best == "largest" else np.random.default_rng(1).permutation(y)
    search = GridSearchCV(LogisticRegression(), {"C": values}, cv=3, scoring="neg_log_loss")
    model = make_pipeline(StandardScaler(), search) if in_pipeline else search
    result = evaluate({"search": model, "bayes": GaussianNB()}, numbers, y, cv=5)
    end = f"C={values[-1] if best == 'largest' else values[0]:g} is the {best} of 4 values"
    said = f"search chose an end of its grid on 5 of 5 splits ({end}): widen the grid."
    assert fits_of(result) == told(result, "NOT_CONVERGED") == [said]
    search.set_params(param_grid={"C": values[:2]})
    assert fits_of(evaluate({"search": search, "bayes": GaussianNB()}, numbers, y)) == []
