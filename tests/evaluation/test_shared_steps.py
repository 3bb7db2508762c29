"""Leading steps that pipelines have in common are fitted once per split, and no number changes by it."""

from __future__ import annotations

import weakref
from time import perf_counter, process_time
from types import SimpleNamespace
from typing import ClassVar

import joblib
import numpy as np
import pandas as pd
import pytest
import sklearn
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin, clone
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.datasets import make_classification
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.experimental import enable_iterative_imputer  # noqa: F401
from sklearn.feature_selection import SelectFromModel, SelectKBest, f_classif, mutual_info_classif
from sklearn.frozen import FrozenEstimator
from sklearn.impute import IterativeImputer, SimpleImputer
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import LassoCV, LinearRegression, LogisticRegression, Ridge
from sklearn.metrics import fbeta_score, make_scorer
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    KBinsDiscretizer,
    MinMaxScaler,
    OneHotEncoder,
    PolynomialFeatures,
    QuantileTransformer,
    StandardScaler,
    TargetEncoder,
)
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

from skcompare import PairedEvaluator, RunOptions, StopRule, load
from skcompare.evaluation.chunks import Backlog, EstimatorSpec, Fit, FitPlan, FoldOutcome
from skcompare.evaluation.sharing import sharing_steps
from tests.lawful import FULL

pytestmark = [pytest.mark.filterwarnings(f"ignore:{told}") for told in (".* fits? failed", "scoring failed")]

X, Y = make_classification(120, n_features=6, random_state=0)
NUMBERS = pd.DataFrame(X, columns=[f"x{i}" for i in range(6)])
FRAME = NUMBERS.assign(
    colour=np.random.default_rng(0).choice(["red", "green", "blue"], 120),
    x0=np.where(X[:, 1] > 1.5, np.nan, X[:, 0]),
)


class Changing(ClassifierMixin, BaseEstimator):
    """Changes what it gets, where it is an array of floats."""

    def fit(self, X, y):
        self.model_ = GaussianNB().fit(X, y)
        self.classes_ = self.model_.classes_
        self._change(X)
        return self

    def predict(self, X):
        found = self.model_.predict(X)
        self._change(X)
        return found

    def predict_proba(self, X):
        found = self.model_.predict_proba(X)
        self._change(X)
        return found

    def _change(self, X):
        if isinstance(X, pd.DataFrame):
            X.iloc[:, :] = 7.0
        else:
            X += 7.0


class Own(TransformerMixin, BaseEstimator):
    """A class of a user."""

    def fit(self, X, y=None):  # noqa: ARG002
        self.mean_ = np.mean(X, axis=0)
        return self

    def transform(self, X):
        return X - self.mean_


class Declared(Own):
    """Whose author says what can be done with it."""

    skcompare_shareable = True
    calls: ClassVar[list] = []
    outputs: ClassVar[list] = []

    def fit(self, X, y=None):
        Declared.calls.append("fit")
        return super().fit(X, y)

    def transform(self, X):
        Declared.calls.append("transform")
        made = super().transform(X)
        Declared.outputs.append(weakref.ref(made))
        return made


class Heir(Declared):
    """The declaration of a class is not one of those that inherit from it."""


class Unsorted(TransformerMixin, BaseEstimator):
    """Gives sparse matrices that others sort in place."""

    skcompare_shareable = True

    def fit(self, X, y=None):  # noqa: ARG002
        return self

    def transform(self, X):
        made = sparse.csr_matrix(X)
        data, indices = made.data.reshape(len(X), -1)[:, ::-1], made.indices.reshape(len(X), -1)[:, ::-1]
        return sparse.csr_matrix((data.ravel(), indices.ravel(), made.indptr), shape=X.shape)


@pytest.fixture(autouse=True)
def no_calls():
    Declared.calls.clear()
    Declared.outputs.clear()


def evaluate(models, X=X, y=Y, params=None, **options):
    options = {
        "cv": 3,
        "scoring": ["accuracy", "roc_auc"],
        "random_state": 0,
        "options": RunOptions(check_data=False),
        **options,
    }
    return PairedEvaluator(**options).evaluate(models, X, y, params=params)


def numbers_of(result):
    """Everything of a result but its times."""
    kept = result._scores.kept_predictions
    folds = {} if kept is None else kept.folds
    return (
        result.scores.tobytes(),
        [(f.estimator, f.split, f.metric, f.message) for f in result.failures],
        {
            name: [{k: (v.dtype, v.tobytes()) for k, v in fold.items()} for fold in found]
            for name, found in folds.items()
        },
    )


def shared_in(result):
    return result.provenance.get("shared_steps", [])


def models_sharing(result):
    return {name for group in shared_in(result) for name in group["models"]}


def check_equal(models, *args, expected=None, **options):
    """The same bit for bit as without sharing; and who shared."""
    ours, plain = (
        evaluate(models, *args, options=RunOptions(share=share, check_data=False), **options) for share in (True, False)
    )
    assert numbers_of(ours) == numbers_of(plain)
    assert not shared_in(plain)
    if expected is not None:
        assert models_sharing(ours) == set(expected)
    return ours


def pair(*steps, others=None, **settings):
    """Two pipelines of these steps and other last ones; the second perhaps of others."""
    lasts = {"a": (steps, GaussianNB()), "b": (others or steps, LogisticRegression(C=0.1))}
    return {
        name: Pipeline([*((f"step{i}", step) for i, step in enumerate(found)), ("last", last)], **settings)
        for name, (found, last) in lasts.items()
    }


# ---- bit for bit

STEPS = [
    StandardScaler(),
    MinMaxScaler(),
    "passthrough",
    PCA(3),
    PCA(4, svd_solver="randomized"),
    SelectKBest(f_classif, k=3),
    PolynomialFeatures(2, interaction_only=True),
    QuantileTransformer(n_quantiles=20),
    Nystroem(n_components=10),
    KBinsDiscretizer(4, strategy="uniform"),
    make_pipeline(StandardScaler(), PCA(3)),
    FeatureUnion([("pca", PCA(2)), ("best", SelectKBest(k=2))]),
    StandardScaler().set_output(transform="pandas"),
    FunctionTransformer(np.tanh),
    FunctionTransformer(),
    SelectFromModel(DecisionTreeClassifier()),
    SimpleImputer(),
]
FIRST = {
    "array": STEPS,
    "numbers": STEPS,
    "frame": [
        ColumnTransformer([("n", scaler, make_column_selector(dtype_include=np.number)), ("c", encoder, ["colour"])])
        for scaler in (make_pipeline(SimpleImputer(), StandardScaler()), SimpleImputer(strategy="median"))
        for encoder in (OneHotEncoder(), OneHotEncoder(sparse_output=False), "drop")
    ],
}
LAST = [
    GaussianNB(),
    LogisticRegression(),
    KNeighborsClassifier(),
    DecisionTreeClassifier(),
    SVC(),
    LinearDiscriminantAnalysis(),
    Changing(),
    make_pipeline(StandardScaler(copy=False), GaussianNB()),
]


@pytest.mark.sampled
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", FIRST)
def test_random_pipelines_score_the_same_bit_for_bit(kind, rng):
    """Of chains of up to three steps that other ones begin with, continue, or differ from; some fail."""
    data = {"array": X, "numbers": NUMBERS, "frame": FRAME}[kind]

    def draw(values):
        return values[int(rng.integers(len(values)))]

    for _ in range(2):
        chains = [[draw(FIRST[kind]), *(draw(STEPS) for _ in range(n))] for n in (0, 1, 2)]
        chains += [chain[: int(rng.integers(1, len(chain) + 1))] for chain in chains] + [chains[1]]
        models = {f"m{i}": make_pipeline(*chain, draw(LAST)) for i, chain in enumerate(chains)}
        result = check_equal(models, data, error_score=np.nan, cv=2)
        assert len(models_sharing(result)) >= 2


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_the_numbers_are_the_same_in_workers(n_jobs):
    models = pair(StandardScaler(), PCA(3)) | {"c": make_pipeline(StandardScaler(), Changing())}
    with joblib.parallel_config(backend="threading"):
        result = check_equal(models, n_jobs=n_jobs, expected="abc")
    assert numbers_of(result) == numbers_of(evaluate(models, options=RunOptions(share=False, check_data=False)))


def test_scorers_and_sizes_of_models_are_the_same():
    scoring = {
        "f2": make_scorer(fbeta_score, beta=2),
        "size": "model_size",
        "auc": make_scorer(sklearn.metrics.roc_auc_score, response_method="predict_proba"),
    }
    models = pair(StandardScaler(), PCA(3)) | {"c": make_pipeline(StandardScaler(), PCA(3), KNeighborsClassifier())}
    check_equal(models, NUMBERS, scoring=scoring, expected="abc")


def test_regression_several_seeds_and_rules_for_stopping():
    numbers = X[:, 0] + X[:, 1] ** 2
    models = {name: make_pipeline(PolynomialFeatures(2), model) for name, model in (("a", Ridge()), ("b", Ridge(9)))}
    check_equal(
        models | {"c": make_pipeline(PolynomialFeatures(2), LinearRegression(copy_X=False))},
        X,
        numbers,
        scoring=["r2"],
        expected="abc",
    )
    seeded = pair(PCA(3), others=(PCA(3, whiten=True),))
    check_equal(pair(StandardScaler()), n_seeds=2, expected="ab")
    check_equal(seeded, n_seeds=2, expected=())
    check_equal(pair(StandardScaler()), stop=StopRule(max_repeats=4), cv=3, expected="ab")


# ---- how often


def test_shared_steps_are_fitted_and_applied_once_per_split():
    evaluate(pair(Declared()) | {"c": make_pipeline(Declared(), DecisionTreeClassifier())})
    assert Declared.calls == ["fit", "transform", "transform"] * 3


def test_a_longer_chain_goes_on_where_a_shorter_one_ends():
    """Also where other models stand between them: with seeds the order of the fits does not matter."""
    chain = (Declared(), StandardScaler())
    models = {
        "a": make_pipeline(*chain, GaussianNB()),
        "tree": DecisionTreeClassifier(),
        "b": make_pipeline(Declared(), GaussianNB()),
        "c": make_pipeline(*chain, DecisionTreeClassifier()),
    }
    result = check_equal(models, expected="abc")
    assert Declared.calls == ["fit", "transform", "transform"] * 3 + ["fit", "transform", *["transform"] * 2] * 9
    assert shared_in(result) == [
        {"steps": ["Declared", "StandardScaler"], "models": ["a", "c"]},
        {"steps": ["Declared"], "models": ["b"]},
    ]


def test_one_output_is_in_memory_at_a_time():
    """The models of one group come together, and a model of none lets go of what was made before it."""
    alive = []

    class Counting(GaussianNB):
        def fit(self, X, y):
            alive.append(sum(ref() is not None for ref in Declared.outputs))
            return super().fit(X, y)

    first, second = Declared(), make_pipeline(MinMaxScaler(), Declared())
    models = {
        f"{name}{i}": make_pipeline(step, GaussianNB(var_smoothing=i * 1e-9 + 1e-9))
        for i in range(2)
        for name, step in (("a", first), ("b", second))
    }
    evaluate(models | {"last": Counting()})
    assert alive == [0, 0, 0]


def test_times_are_those_of_each_model_alone():
    class Slow(Declared):
        skcompare_shareable = True

    Slow.fit = lambda self, X, y=None: _waited(Declared.fit(self, X, y))
    Slow.__qualname__, globals()["Slow"] = "Slow", Slow
    try:
        result = evaluate(pair(Slow()))
    finally:
        del globals()["Slow"]
    assert Declared.calls.count("fit") == 3
    assert (result.details.fit_times > 0.01).all()


def _waited(value):
    start = perf_counter()
    while perf_counter() - start < 0.01:
        process_time()
    return value


def test_the_store_finds_fits_of_either_kind(tmp_path):
    store, events = tmp_path / "fits.sqlite", []
    models = pair(StandardScaler(), PCA(3))
    first = evaluate(models, store=store)
    again = evaluate(models, store=store, options=RunOptions(share=False, check_data=False, callback=events.append))
    assert all(event.reused for event in events)
    more = evaluate(
        models | {"c": make_pipeline(StandardScaler(), PCA(3), SVC())},
        store=store,
        options=RunOptions(check_data=False, callback=events.append),
    )
    assert sum(not event.reused for event in events) == 3
    assert numbers_of(first) == numbers_of(again)
    assert more.scores[:2].tobytes() == first.scores.tobytes()


def test_what_was_shared_is_saved_with_the_result(tmp_path):
    result = evaluate(pair(StandardScaler()))
    result.save(tmp_path / "result.skc")
    assert shared_in(load(tmp_path / "result.skc")) == [{"steps": ["StandardScaler"], "models": ["a", "b"]}]


def test_fits_that_save_most_of_their_time_stay_together():
    fits = [Fit(split, estimator) for split in range(2) for estimator in range(3)]
    backlog = Backlog(fits, shared={0: (b"s",), 1: (b"s",)})
    slow, other = FoldOutcome(fit_time=1.0, score_time=0.0), FoldOutcome(fit_time=0.3, score_time=0.0)
    quick = FoldOutcome(fit_time=1.0, score_time=0.1, saved_time=0.9)
    for _ in range(2):
        backlog.finish(fits[:3], [slow, quick, other])
    assert backlog.cost(1) == pytest.approx(0.2)
    assert [backlog.take(0.1) for _ in range(4)] == [fits[:2], fits[2:3], fits[3:5], fits[5:]]


# ---- when not


def own_function(X):
    return X + 1


NOT_SHARED = {
    "other parameters": pair(PCA(3), others=(PCA(2),)),
    "another output": pair(PCA(3), others=(PCA(3).set_output(transform="pandas"),)),
    "other seeds": pair(PCA(3, random_state=1), others=(PCA(3, random_state=2),)),
    "a seed and none": pair(PCA(3, random_state=1), others=(PCA(3),)),
    "a random state that goes on": pair(PCA(3, random_state=np.random.RandomState(0))),
    "own class": pair(Own()),
    "heir of a declared class": pair(Heir()),
    "memory": pair(StandardScaler(), memory="cache"),
    "memory inside": pair(Pipeline([("scaler", StandardScaler())], memory="cache")),
    "verbose": pair(StandardScaler(), verbose=True),
    "verbose inside": pair(FeatureUnion([("s", StandardScaler())], verbose=True)),
    "changes its input": pair(StandardScaler(copy=False)),
    "changes its input by a function": pair(FunctionTransformer(np.nan_to_num, kw_args={"copy": False})),
    "changes its input, says NumPy": pair(StandardScaler(copy=np.False_)),
    "may change its input": pair(
        SelectFromModel(
            GridSearchCV(LinearRegression(), {"copy_X": [False]}, cv=2), importance_getter="best_estimator_.coef_"
        )
    ),
    "a random state that is neither a seed nor None": pair(TargetEncoder()),
    "no transformer": pair(LinearSVC()),
    "own function": pair(FunctionTransformer(own_function)),
    "a function that draws": pair(SelectKBest(mutual_info_classif, k=3)),
    "a splitter that draws": pair(SelectFromModel(LassoCV(cv=KFold(shuffle=True)))),
    "a model that no parameter leads to": pair(FunctionTransformer(np.tanh, kw_args={"dtype": PCA()})),
    "draws when it transforms": pair(IterativeImputer(sample_posterior=True)),
    "fitted before": pair(FrozenEstimator(StandardScaler().fit(X))),
    "nothing but passthrough": pair("passthrough"),
    "a last step": {"a": make_pipeline(StandardScaler(), SVC()), "b": make_pipeline(SVC()), "c": SVC()},
}


def n_shared(models, fit_timeout=None):
    """How many steps of each of some models are shared with another one."""
    specs = [EstimatorSpec(name=name, estimator=model, fit_params={}) for name, model in models.items()]
    found = sharing_steps(specs, (), FitPlan(), SimpleNamespace(share=True, fit_timeout=fit_timeout), seeded=True)
    return [len(spec.shared) for spec in found]


@pytest.mark.parametrize("why", NOT_SHARED)
def test_what_may_differ_is_not_shared(why):
    assert set(n_shared(NOT_SHARED[why])) == {0}


def test_open_random_states_are_equal_only_with_seeds():
    drawn, given = pair(PCA(3)), pair(PCA(3, random_state=1))
    assert models_sharing(evaluate(drawn)) == {"a", "b"}
    assert shared_in(evaluate(drawn, random_state=None)) == []
    assert models_sharing(evaluate(given, random_state=None)) == {"a", "b"}


def own_scorer(estimator, X, y):
    estimator[0].mean_[:] = 9
    return float(len(X) == len(y))


@pytest.mark.parametrize(
    "options",
    [
        {"scoring": ["accuracy", "fit_time"]},
        {"scoring": ["predict_time"]},
        {"scoring": own_scorer},
        {"scoring": {"accuracy": "accuracy", "own": own_scorer}},
        {"options": RunOptions(share=False, check_data=False)},
    ],
    ids=["a time", "the time of predict", "own scorer", "own scorer among others", "share=False"],
)
def test_some_measurements_need_every_model_alone(options):
    assert shared_in(evaluate(pair(StandardScaler()), cv=2, **options)) == []


@pytest.mark.parametrize(
    "model",
    [
        LinearRegression(copy_X=np.False_),
        GridSearchCV(LinearRegression(), {"copy_X": [False]}, cv=2),
        make_pipeline(FunctionTransformer(np.nan_to_num, kw_args={"copy": False}), LinearRegression(copy_X=False)),
    ],
    ids=["by NumPy", "in a grid", "by a function"],
)
@pytest.mark.parametrize("steps", [(), (PolynomialFeatures(2),)], ids=["alone", "after shared steps"])
def test_what_may_write_into_its_input_disturbs_no_other_model(model, steps):
    first = Ridge() if not steps else make_pipeline(*steps, Ridge())
    spoiler, other = make_pipeline(*steps, model), make_pipeline(*steps, KNeighborsRegressor())
    y = X[:, 0] + 5
    options = {"cv": 3, "scoring": ["r2"], "random_state": 0}
    alone, beside = (
        PairedEvaluator(**options).evaluate({"a": one, "b": other}, X + 5, y).score("b", "r2")
        for one in (first, spoiler)
    )
    np.testing.assert_array_equal(beside, alone)


def test_metadata_that_cannot_be_routed_fail_their_models_alone():
    with sklearn.config_context(enable_metadata_routing=True):
        models = {
            "ok": LogisticRegression().set_fit_request(sample_weight=True),
            "a": make_pipeline(StandardScaler(), LogisticRegression().set_fit_request(sample_weight=True)),
            "b": make_pipeline(StandardScaler(), GaussianNB().set_fit_request(sample_weight=True)),
        }
        scorer = make_scorer(sklearn.metrics.accuracy_score).set_score_request(sample_weight=False)
        evaluator = PairedEvaluator(cv=3, scoring={"accuracy": scorer}, error_score=np.nan, random_state=0)
        with pytest.warns(FitFailedWarning):
            result = evaluator.evaluate(models, X, Y, params={"sample_weight": np.ones(len(Y))})
    assert np.isfinite(result.score("ok", "accuracy")).all()
    assert np.isnan(result.score("a", "accuracy")).all()


def test_a_limit_of_time_is_for_every_model_alone():
    assert n_shared(pair(StandardScaler())) == [1, 1]
    assert n_shared(pair(StandardScaler()), fit_timeout=60.0) == [0, 0]


def test_parameters_of_fit_go_to_steps_that_are_not_shared():
    weights, options = np.arange(120) % 3 + 1.0, {"scoring": ["accuracy"]}
    models = {
        name: Pipeline([("scaler", StandardScaler()), ("pca", PCA(3)), ("last", last)])
        for name, last in (("a", GaussianNB()), ("b", LogisticRegression()))
    }
    check_equal(models, params={"last__sample_weight": weights}, expected="ab", **options)
    check_equal(models, params={"scaler__sample_weight": weights}, expected=(), **options)
    with sklearn.config_context(enable_metadata_routing=True):
        for request, expected in ((False, "ab"), (True, ())):
            scaler = StandardScaler().set_fit_request(sample_weight=request)
            lasts = (GaussianNB(), LogisticRegression())
            routed = {
                name: make_pipeline(
                    scaler, last.set_fit_request(sample_weight=True).set_score_request(sample_weight=False)
                )
                for name, last in zip("ab", lasts, strict=True)
            }
            scoring = {"accuracy": make_scorer(sklearn.metrics.accuracy_score).set_score_request(sample_weight=False)}
            check_equal(routed, params={"sample_weight": weights}, expected=expected, scoring=scoring)


@pytest.mark.sampled
@pytest.mark.parametrize("data", [X, NUMBERS, sparse.csr_matrix(X)], ids=["array", "frame", "sparse"])
def test_models_that_change_their_input_disturb_nobody(data):
    pandas = StandardScaler(with_mean=False).set_output(transform="pandas")
    for step in (StandardScaler(with_mean=False), FunctionTransformer(), *([] if sparse.issparse(data) else [pandas])):
        lasts = [Changing(), LogisticRegression(), Changing(), SVC()]
        check_equal(
            {f"m{i}": make_pipeline(step, last) for i, last in enumerate(lasts)}, data, error_score=np.nan, cv=2
        )


def test_sparse_matrices_that_steps_sort_are_made_anew():
    lasts = [SVC(), LogisticRegression(), KNeighborsClassifier(), SVC(kernel="linear")]
    check_equal(
        {f"m{i}": make_pipeline(Unsorted(), last) for i, last in enumerate(lasts)}, expected=["m0", "m1", "m2", "m3"]
    )
    assert not Unsorted().transform(X).has_sorted_indices


def test_failures_of_shared_steps_name_every_model():
    data = FRAME.assign(colour=np.where(np.arange(120) == 7, "once", FRAME.colour))
    encoder = ColumnTransformer([("c", OneHotEncoder(), ["colour"])])
    of_fit, of_predict = pair(PCA(3)), pair(encoder)
    for models, values in ((of_fit, FRAME.drop(columns="colour")), (of_predict, data)):
        result = check_equal(models | {"other": DummyClassifier()}, values, error_score=0.0, expected="ab")
        assert {failure.estimator for failure in result.failures} == {"a", "b"}
    with pytest.raises(ValueError, match="estimator 'a' failed in fit on split 0"):
        evaluate(of_fit, FRAME.drop(columns="colour"))


def test_invalid_pipelines_are_refused_as_alone():
    models = {
        name: Pipeline([("s", StandardScaler()), ("s", last)]) for name, last in (("a", SVC()), ("b", GaussianNB()))
    }
    assert len(check_equal(models | {"c": GaussianNB()}, error_score=0.0, scoring=["accuracy"], cv=2).failures) == 4


# ---- searches -----------------------------------------------------------------------------------------------------

SLOW = SelectFromModel(RandomForestClassifier(5, random_state=0))  # to tell that samples are equal takes no time
C_GRID = {"logisticregression__C": [0.01, 1.0, 100.0]}


def counted_fits(monkeypatch, models, **how):
    """How often the slow step is fitted, and what is found."""
    fits, fit = [], SelectFromModel.fit

    def counting(self, *args):
        fits.append(1)
        return fit(self, *args)

    with monkeypatch.context() as patched:
        patched.setattr(SelectFromModel, "fit", counting)
        result = evaluate(models, **how)
    return len(fits), result


def search(*steps, grid=C_GRID, cv=4, **how):
    return GridSearchCV(make_pipeline(*steps, LogisticRegression(tol=0.1)), grid, cv=cv, **how)  # soon fitted


@pytest.mark.sampled("shared steps")
def test_a_search_over_the_last_step_fits_the_others_once_per_inner_split(monkeypatch):
    models = {"a": search(StandardScaler(), SLOW), "nb": GaussianNB()}
    n_fits, found = counted_fits(monkeypatch, models)
    assert n_fits == 3 * (4 + 1)
    n_alone, alone = counted_fits(monkeypatch, models, options=RunOptions(share=False, check_data=False))
    assert n_alone == 3 * (3 * 4 + 1)
    assert numbers_of(found) == numbers_of(alone)


@pytest.mark.parametrize(
    "model",
    [
        search(Own(), SLOW),
        search(SLOW, grid={"selectfrommodel": [SLOW, clone(SLOW)]}),
        search(SLOW, grid={"memory": [None], **C_GRID}),
        search(SLOW, grid={"selectfrommodel__max_features": [1, 2, 3]}),
    ],
    ids=["a class of the user's", "steps that are tried", "its memory", "other parameters"],
)
@pytest.mark.sampled
def test_other_searches_fit_all_their_steps(model, monkeypatch):
    n_fits, found = counted_fits(monkeypatch, {"a": model, "nb": GaussianNB()})
    n_candidates = 2 if "selectfrommodel" in model.param_grid else 3
    assert n_fits == 3 * (n_candidates * 4 + 1)
    alone = evaluate({"a": model, "nb": GaussianNB()}, options=RunOptions(share=False, check_data=False))
    assert numbers_of(found) == numbers_of(alone)


@pytest.mark.sampled("shared steps")
def test_nothing_of_what_a_search_remembered_is_left():
    result = evaluate({"a": search(SLOW), "nb": GaussianNB()}, scoring=["accuracy", "model_size"])
    alone = evaluate(
        {"a": search(SLOW), "nb": GaussianNB()}, scoring=["accuracy", "model_size"], options=RunOptions(share=False)
    )
    assert numbers_of(result) == numbers_of(alone)


@settings(deadline=None, max_examples=100 if FULL else 2)
@given(
    steps=st.lists(
        st.sampled_from([StandardScaler(), PCA(1), MinMaxScaler(), SLOW, QuantileTransformer(n_quantiles=20), Own()]),
        min_size=1,
        max_size=3,
        unique_by=type,
    ),
    frame=st.booleans(),
    seed=st.one_of(st.none(), st.integers(0, 99)),
)
def test_searches_find_what_they_find_alone(steps, frame, seed):
    if seed is None:
        steps = [step for step in steps if type(step) in (StandardScaler, MinMaxScaler, Own)] or [StandardScaler()]
    models = {"a": search(*steps, cv=2), "b": search(*steps, cv=2, scoring="f1")}
    samples = NUMBERS if frame else X
    how = {"random_state": seed, "cv": KFold(3)}
    found, alone = (
        numbers_of(evaluate(models, samples, **how, options=RunOptions(share=share, check_data=False)))
        for share in (True, False)
    )
    assert found == alone
