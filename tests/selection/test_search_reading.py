"""A fitted search is read as it is: candidates, scores, splits; and refused where it cannot be."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.datasets import make_classification
from sklearn.exceptions import NotFittedError
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.feature_selection import RFECV
from sklearn.metrics import average_precision_score, f1_score, make_scorer, roc_auc_score
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    GroupShuffleSplit,
    HalvingGridSearchCV,
    HalvingRandomSearchCV,
    KFold,
    LeaveOneGroupOut,
    LeaveOneOut,
    LeavePOut,
    PredefinedSplit,
    RandomizedSearchCV,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedGroupKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
    TimeSeriesSplit,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from skcompare import BlockedMByTwo, PairedEvaluator, SearchReport, best_by_dominance, simplest_within
from skcompare.evaluation.labels import MAX_NAME, candidate_names, value_labels

X, Y = make_classification(60, random_state=0)
GROUPS = np.arange(60) % 12


def scores_of(rng, n_candidates=3, n_splits=5):
    return rng.normal(0.8, 0.05, (n_candidates, n_splits))


def codes(warnings):
    return [warning.split(":")[0] for warning in warnings]


def named(params):
    return candidate_names(params, value_labels(params))


# ---- scores ---------------------------------------------------------------------------------------------------


def test_all_scores_are_those_of_the_table_in_its_order(grid):
    report = SearchReport.from_search(grid)
    assert report.metrics == ("accuracy", "roc_auc")
    assert report.scores.shape == (6, 5, 2)
    for m, metric in enumerate(report.metrics):
        for split in range(5):
            np.testing.assert_array_equal(report.scores[:, split, m], grid.cv_results_[f"split{split}_test_{metric}"])
    assert [candidate.index for candidate in report.ranking] != list(range(6))
    for candidate in report.ranking:
        assert candidate.params == grid.cv_results_["params"][candidate.index]
        assert report.names[candidate.index] == candidate.name
        assert candidate.mean == pytest.approx(grid.cv_results_["mean_test_roc_auc"][candidate.index], abs=1e-12)
        assert candidate.rank == grid.cv_results_["rank_test_roc_auc"][candidate.index]
        assert candidate.fit_time == grid.cv_results_["mean_fit_time"][candidate.index]
    assert not report.scores.flags.writeable


def test_the_metric_that_refit_names_decides_else_the_first(rng, grid, plain):
    assert SearchReport.from_search(grid).metric == "roc_auc"
    assert SearchReport.from_search(grid, metric="accuracy").metric == "accuracy"
    scores = {"f1": scores_of(rng), "recall": scores_of(rng)}
    assert SearchReport.from_search(plain(scores)).metric == "f1"
    assert SearchReport.from_search(plain(scores, refit=False)).metric == "f1"
    assert SearchReport.from_search(plain(scores, refit=max)).metric == "f1"
    assert SearchReport.from_search(plain(scores, refit="recall")).metric == "recall"


def test_the_metric_of_a_rule_of_ours_decides(rng, plain):
    scores = {"f1": scores_of(rng), "recall": scores_of(rng), "auc": scores_of(rng)}
    for refit in (simplest_within("recall"), best_by_dominance(["recall", "f1"])):
        assert SearchReport.from_search(plain(scores, refit=refit)).metric == "recall"
        assert SearchReport.from_search(plain(scores, refit=refit), metric="auc").metric == "auc"
    single = plain(scores_of(rng), scoring="accuracy", refit=simplest_within("accuracy"))
    assert SearchReport.from_search(single).metric == "accuracy"
    assert SearchReport.from_search(plain(scores_of(rng), refit=simplest_within())).metric == "score"


@pytest.mark.parametrize(("scoring", "metric"), [("accuracy", "accuracy"), (None, "score"), (max, "score")])
def test_a_single_metric_has_the_name_that_scoring_gives_it(rng, plain, scoring, metric):
    assert SearchReport.from_search(plain(scores_of(rng), scoring=scoring)).metrics == (metric,)


def test_a_search_that_was_not_refitted_is_read(moons):
    report = SearchReport.from_search(moons)
    assert report.best.name == "kernel=rbf"
    assert report.provenance["search"] == "GridSearchCV"
    assert report.provenance["cv"] == repr(moons.cv)
    assert "'kernel'" not in report.provenance["param_grid"]
    assert "kernel: ['linear']" in report.provenance["param_grid"]


def test_a_random_search_says_what_it_drew_from():
    space = {"C": stats.loguniform(0.1, 10), "kernel": ["linear", "rbf"]}
    search = RandomizedSearchCV(SVC(), space, n_iter=4, cv=3, random_state=0).fit(X, Y)
    report = SearchReport.from_search(search)
    assert report.provenance["param_distributions"] == "{C: loguniform(0.1, 10), kernel: ['linear', 'rbf']}"
    assert report.provenance["random_state"] == 0
    assert len(set(report.names)) == 4


# ---- names ----------------------------------------------------------------------------------------------------


def test_names_hold_what_varies_only():
    params = [{"svc__C": 1, "svc__kernel": "rbf"}, {"svc__C": 10, "svc__kernel": "rbf"}]
    assert named(params) == ("svc__C=1", "svc__C=10")
    assert named([{"a": 1, "b": 2}, {"a": 1}]) == ("b=2", "default parameters")
    assert named([{"a": 1}, {"a": 1}, {"a": 1}]) == (
        "default parameters",
        "default parameters #2",
        "default parameters #3",
    )


def test_long_names_leave_out_the_steps_of_a_pipeline_but_for_what_two_steps_have():
    step = "histgradientboostingclassifier"
    params = [{f"{step}__max_depth": depth, f"{step}__min_samples_leaf": leaf} for depth in (1, 2) for leaf in (5, 50)]
    assert named(params)[1:3] == ("max_depth=1, min_samples_leaf=50", "max_depth=2, min_samples_leaf=5")
    params = [{f"{step}__C": c, "calibrated_support_vector_machine__C": 1 / c, f"{step}__tol": c} for c in (2, 4)]
    assert named(params)[0] == f"{step}__C=2, calibrated_support_vector_machine__C=0.5, tol=2"


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ([None, "None", True, "passthrough", 1], ["None", "'None'", "True", "passthrough", "1"]),
        ([0.1, 1e-05, 1.0, float("nan")], ["0.1", "1e-05", "1", "nan"]),
        ([0.12345678, 0.12345679], ["0.12345678", "0.12345679"]),
        ([np.float64(0.5), np.int64(3), np.str_("a")], ["0.5", "3", "a"]),
        ([StandardScaler(), SVC(C=10), SVC()], ["StandardScaler()", "SVC(C=10)", "SVC()"]),
        ([np.array([1, 2]), (50,), [1, "b"], {"x": 1}], ["array([1, 2])", "(50,)", "[1, b]", "{'x': 1}"]),
        ([np.mean, len, partial(max, 1), SVC], ["mean", "len", "partial(max)", "SVC"]),
        ([object(), object()], ["object()", "object() #2"]),
        (["a\nb", "\x1b[2J", "\u202eabc"], [r"'a\nb'", r"'\x1b[2J'", r"'\u202eabc'"]),
    ],
)
def test_values_are_short_and_different(values, shown):
    assert value_labels([{"p": value} for value in values])["p"] == tuple(shown)


def test_equal_values_have_one_label_however_they_came():
    params = [
        {"p": SVC(C=1)},
        {"p": SVC(C=1)},
        {"p": SVC(C=2)},
        {"p": float("nan")},
        {"p": float("nan")},
        {"p": 2},
        {"p": 2.0},
    ]
    labels = value_labels(params)["p"]
    assert labels[0] == labels[1] != labels[2]
    assert labels[3] == labels[4]
    assert labels[5] == labels[6]
    assert value_labels([{"p": np.array([1.0, 2.0])}, {"p": np.array([1.0, 2.0])}]) == {}


def test_names_are_short_and_all_different():
    params = [{f"some_long_parameter_{j}": "x" * 100 + str((i >> j) & 1) for j in range(5)} for i in range(32)]
    names = named(params)
    assert len(set(names)) == 32
    assert max(map(len, names)) < MAX_NAME + 5
    assert all(name.isprintable() for name in names)


def test_candidates_with_estimators_as_values_go_through():
    pipeline = Pipeline([("scale", StandardScaler()), ("model", SVC())])
    grid = [
        {"scale": [None, "passthrough"], "model": [SVC(C=1), GaussianNB()]},
        {"scale__with_mean": [False], "model": [DecisionTreeClassifier(random_state=0)]},
    ]
    report = SearchReport.from_search(GridSearchCV(pipeline, grid, cv=3).fit(X, Y))
    assert "model=GaussianNB(), scale=None" in report.names
    assert report.names[4] == "model=DecisionTreeClassifier(random_state=0), scale__with_mean=False"


# ---- splits ---------------------------------------------------------------------------------------------------

# What each splitter tells without the data: repeats, folds, share of the test set, whether the folds are a partition.
TOLD = {
    "5": (5, 5, (1, 5, 1 / 5, True)),
    "KFold": (KFold(4, shuffle=True), 4, (1, 4, 1 / 4, True)),
    "StratifiedKFold": (StratifiedKFold(3), 3, (1, 3, 1 / 3, True)),
    "GroupKFold": (GroupKFold(4), 4, (1, 4, 1 / 4, True)),
    "StratifiedGroupKFold": (StratifiedGroupKFold(4), 4, (1, 4, 1 / 4, True)),
    "LeaveOneGroupOut": (LeaveOneGroupOut(), 12, (1, 12, 1 / 12, True)),
    "LeaveOneOut": (LeaveOneOut(), 60, (1, 60, 1 / 60, True)),
    "RepeatedKFold": (RepeatedKFold(n_splits=4, n_repeats=3), 12, (3, 4, 1 / 4, True)),
    "RepeatedStratifiedKFold": (RepeatedStratifiedKFold(n_splits=2, n_repeats=5), 10, (5, 2, 1 / 2, True)),
    "BlockedMByTwo": (BlockedMByTwo(3), 6, (3, 2, 1 / 2, True)),
    "ShuffleSplit": (ShuffleSplit(6), 6, (6, 1, 0.1, False)),
    "ShuffleSplit, test 0.25": (ShuffleSplit(6, test_size=0.25), 6, (6, 1, 0.25, False)),
    "ShuffleSplit, train 0.6": (ShuffleSplit(6, train_size=0.6), 6, (6, 1, 0.4, False)),
    "StratifiedShuffleSplit, both": (StratifiedShuffleSplit(6, test_size=0.1, train_size=0.4), 6, (6, 1, 0.2, False)),
    "ShuffleSplit, counts": (ShuffleSplit(6, test_size=10, train_size=30), 6, (6, 1, 0.25, False)),
    "TimeSeriesSplit": (TimeSeriesSplit(5), 5, (1, 5, 1 / 4, False)),
}


@pytest.mark.parametrize("case", TOLD)
def test_the_splitter_tells_the_design(rng, plain, case):
    cv, n_splits, (n_repeats, n_folds, fraction, partition) = TOLD[case]
    design = SearchReport.from_search(plain(scores_of(rng, n_splits=n_splits), cv=cv)).design
    assert (design.n_repeats, design.n_folds, design.partition) == (n_repeats, n_folds, partition)
    assert design.n_splits == n_splits
    assert design.test_fraction == pytest.approx(fraction, abs=1e-12)
    assert (design.n_samples, design.train_sizes, design.split_hash) == (None, (), "")


@pytest.mark.parametrize("case", TOLD)
def test_what_the_splitter_tells_is_what_it_draws(rng, plain, case):
    cv, n_splits, _ = TOLD[case]
    told = SearchReport.from_search(plain(scores_of(rng, n_splits=n_splits), cv=cv)).design
    if case == "BlockedMByTwo":
        cv = BlockedMByTwo(3, random_state=0)
    search = plain(scores_of(rng, n_splits=n_splits), cv=cv, estimator=SVC())
    groups = GROUPS if "Group" in case else None
    drawn = SearchReport.from_search(search, X, Y, groups=groups).design
    assert (drawn.n_repeats, drawn.n_folds, drawn.partition) == (told.n_repeats, told.n_folds, told.partition)
    assert (drawn.name, drawn.time_order) == (told.name, told.time_order)
    sizes = np.array([(len(train), len(test)) for train, test in cv.split(X, Y, groups)]) if cv != 5 else None
    if sizes is not None:
        assert drawn.train_sizes == tuple(sizes[:, 0])
        assert drawn.test_sizes == tuple(sizes[:, 1])
    # sizes are whole numbers, and groups are of equal size here
    assert drawn.test_fraction == pytest.approx(told.test_fraction, abs=0.06)


@pytest.mark.parametrize("more", [{"gap": 2}, {"test_size": 6}, {"max_train_size": 20}], ids=str)
def test_windows_in_time_of_a_given_test_fraction_are_in_time_order(rng, plain, more):
    cv, scores = TimeSeriesSplit(5, **more), scores_of(rng)
    told = SearchReport.from_search(plain(scores, cv=cv), test_fraction=0.25)
    drawn = SearchReport.from_search(plain(scores, cv=cv, estimator=SVC()), X, Y)
    assert told.design.name == drawn.design.name == "5 test sets in time order"
    assert told.warnings == drawn.warnings
    assert told.design.test_fraction == 0.25


def test_no_cv_is_five_folds(rng, plain):
    search = plain(scores_of(rng))
    search.cv = None
    assert SearchReport.from_search(search).design.name == "5-fold cross-validation"


def test_ten_times_ten_folds_are_ten_repeats_in_scikit_learns_order(moons):
    X, y = np.zeros((100, 2)), np.arange(100) % 2
    report = SearchReport.from_search(moons, X, y)
    assert report.design.name == "10x10 cross-validation"
    assert report.design.n_samples == 100
    assert report.design.train_sizes == (90,) * 100
    drawn = report.result().splits()
    for (train, test), (train_too, test_too) in zip(drawn, moons.cv.split(X, y), strict=True):
        np.testing.assert_array_equal(train, train_too)
        np.testing.assert_array_equal(test, test_too)
    assert SearchReport.from_search(moons).design.name == "10x10 cross-validation"


def test_the_splits_of_a_search_are_those_of_an_evaluation(grid, cancer):
    """The hash and the scores, of folds that were drawn by scikit-learn."""
    models = [("a", DecisionTreeClassifier(random_state=0, max_depth=1)), ("b", DecisionTreeClassifier(random_state=0))]
    result = PairedEvaluator(cv=StratifiedKFold(5), scoring=["accuracy", "roc_auc"]).evaluate(models, *cancer)
    report = SearchReport.from_search(grid, *cancer)
    assert report.design == replace(result.design, class_counts=())
    compared = report.result(report.names[:1] + report.names[-2:-1])
    assert compared.metrics == ("roc_auc", "accuracy")  # the one that decides is the first
    np.testing.assert_allclose(compared.scores[:, :, ::-1], result.scores, rtol=1e-12)


@pytest.mark.parametrize("random_state", [None, np.random.RandomState(0)])
def test_splits_that_were_drawn_at_random_have_sizes_only(rng, plain, random_state):
    cv = StratifiedKFold(3, shuffle=True, random_state=random_state)
    state = str(np.random.get_state())  # noqa: NPY002
    own = None if random_state is None else str(random_state.get_state())
    report = SearchReport.from_search(plain(scores_of(rng, n_splits=3), cv=cv, estimator=SVC()), X, Y)
    assert (report.design.n_samples, report.design.test_sizes) == (60, (20, 20, 20))
    assert report.design.split_hash == ""
    assert "ASSUMED" in codes(report.warnings)
    assert str(np.random.get_state()) == state  # noqa: NPY002
    assert cv.random_state is random_state
    assert own is None or str(random_state.get_state()) == own
    with pytest.raises(ValueError, match="splits are not known"):
        report.result().splits()


class OneByOne(GridSearchCV):
    """A search that asks for the splits once per candidate, as sequential ones may."""

    def _run_search(self, evaluate_candidates):
        for value in self.param_grid["max_depth"]:
            evaluate_candidates([{"max_depth": value}])


def test_candidates_that_may_have_met_on_different_splits_are_warned_of():
    def warnings(search_class, random_state, *data):
        cv = KFold(3, shuffle=True, random_state=random_state)
        search = search_class(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2]}, cv=cv).fit(X, Y)
        found = [str(one) for one in SearchReport.from_search(search, *data).warnings if one.code == "ASSUMED"]
        return [next(word for word in ("each candidate", "their sizes") if word in said) for said in found]

    assert warnings(OneByOne, None) == ["each candidate"]
    assert warnings(OneByOne, None, X, Y) == ["their sizes", "each candidate"]
    assert warnings(OneByOne, 0) == []
    assert warnings(GridSearchCV, None) == []
    assert warnings(GridSearchCV, None, X, Y) == ["their sizes"]


def test_columns_that_are_those_of_the_search_go_through(rng, plain):
    frame = pd.DataFrame(X[:, :2], columns=["a", "b"])
    search = plain(scores_of(rng), feature_names_in_=np.array(["a", "b"], dtype=object), n_features_in_=2)
    for data in (frame, frame.to_numpy()):
        assert SearchReport.from_search(search, data, Y).design.n_samples == 60


def test_a_splitter_of_others_that_changes_its_mind_is_found_out(rng, plain):
    class Moody:
        def __init__(self):
            self.n = 0

        def split(self, X, y=None, groups=None):  # noqa: ARG002
            self.n += 1
            for fold in range(3):
                test = (np.arange(60) + self.n) % 3 == fold
                yield np.flatnonzero(~test), np.flatnonzero(test)

        def get_n_splits(self, X=None, y=None, groups=None):  # noqa: ARG002
            return 3

    report = SearchReport.from_search(plain(scores_of(rng, n_splits=3), cv=Moody(), estimator=SVC()), X, Y)
    assert "ASSUMED" in codes(report.warnings)
    assert report.design.test_sizes == (20, 20, 20)


def test_predefined_folds_and_pairs_are_known_exactly(rng, plain):
    folds = np.repeat([-1, 0, 1, 2], [30, 5, 10, 15])
    known = SearchReport.from_search(plain(scores_of(rng, n_splits=3), cv=PredefinedSplit(folds))).design
    assert (known.n_samples, known.test_sizes, known.train_sizes) == (60, (5, 10, 15), (55, 50, 45))
    assert not known.partition
    pairs = list(KFold(3).split(X))
    by_pairs = SearchReport.from_search(plain(scores_of(rng, n_splits=3), cv=pairs)).design
    by_k_fold = SearchReport.from_search(plain(scores_of(rng, n_splits=3), cv=KFold(3), estimator=SVC()), X, Y).design
    assert by_pairs == by_k_fold


def test_masks_are_pairs_too(rng, plain):
    pairs = [(np.arange(60) % 3 != fold, np.arange(60) % 3 == fold) for fold in range(3)]
    design = SearchReport.from_search(plain(scores_of(rng, n_splits=3), cv=pairs)).design
    assert (design.n_samples, design.name) == (60, "3-fold cross-validation")


def test_a_fraction_that_is_given_stands_where_nothing_tells_it(rng, plain):
    report = SearchReport.from_search(plain(scores_of(rng, n_splits=6), cv=LeavePOut(2)), test_fraction=0.3)
    assert (report.design.test_fraction, report.design.n_repeats, report.design.n_folds) == (0.3, 6, 1)
    agreed = SearchReport.from_search(plain(scores_of(rng)), test_fraction=0.2)
    assert agreed.design.test_fraction == 1 / 5
    used = (pair for pair in KFold(5).split(X))
    assert SearchReport.from_search(plain(scores_of(rng), cv=used), test_fraction=0.2).design.n_splits == 5


def test_warnings_about_the_splits(rng, plain):
    assert "TIME_ORDER" in codes(SearchReport.from_search(plain(scores_of(rng), cv=TimeSeriesSplit(5))).warnings)
    search = plain(scores_of(rng), cv=TimeSeriesSplit(5), estimator=SVC())
    assert "TIME_ORDER" in codes(SearchReport.from_search(search, X, Y).warnings)
    assert "WEAK_METRIC" in codes(
        SearchReport.from_search(plain(scores_of(rng, n_splits=60), cv=LeaveOneOut())).warnings
    )
    leaking = [(np.arange(60), np.arange(i, i + 20)) for i in (0, 20, 40)]
    assert "DO_NOT_USE" in codes(SearchReport.from_search(plain(scores_of(rng, n_splits=3), cv=leaking)).warnings)
    assert "TOO_LITTLE_DATA" in codes(SearchReport.from_search(plain(scores_of(rng, n_splits=3))).warnings)
    assert SearchReport.from_search(plain(scores_of(rng))).warnings == ()


# ---- halving --------------------------------------------------------------------------------------------------


def test_of_a_halving_search_the_last_round_is_read():
    grid = {"max_depth": [1, 2, 3, 4, 5, 6], "min_samples_leaf": [1, 3]}
    tree = DecisionTreeClassifier(random_state=0)
    search = HalvingGridSearchCV(tree, grid, cv=4, factor=3, random_state=0, min_resources=20).fit(
        *make_classification(200)
    )
    assert search.n_candidates_ == [12, 4, 2]
    report = SearchReport.from_search(search)
    assert len(report.names) == 2
    assert sorted(candidate.index for candidate in report.ranking) == [16, 17]
    assert report.design.test_fraction == 1 / 4
    assert report.design.n_samples == 180
    assert report.search.endswith("the last round of 3, which began with 12 candidates")
    (warning,) = [warning for warning in report.warnings if warning.startswith("SELECTED")]
    assert "2 candidates on equal terms; 10 more fell out" in warning
    whole = SearchReport.from_search(search, *make_classification(200))
    assert (whole.design.train_sizes, whole.design.split_hash) == ((), "")


def test_of_a_halving_search_whose_last_round_is_one_candidate_the_one_before_is_read():
    grid = {"max_depth": [1, 2, 3, 4]}
    tree = DecisionTreeClassifier(random_state=0)
    search = HalvingGridSearchCV(
        tree, grid, cv=3, factor=2, resource="min_samples_leaf", max_resources=8, min_resources=2
    )
    search.fit(X, Y)
    assert search.n_candidates_ == [4, 2, 1]
    report = SearchReport.from_search(search, X, Y)
    assert [name.split("=")[0] for name in report.names] == ["max_depth"] * 2
    assert "round 2 of 3, the last with two or more candidates" in " ".join(report.warnings)
    assert report.design.n_samples == 60  # all samples in every round: the resource is another
    assert report.design.split_hash


def test_halving_searches_name_all_parameters_of_a_candidate(cancer):
    """Also those in which the candidates of the last round do not differ."""
    X, y = cancer
    space = {"max_depth": [1, 3, 5], "min_samples_leaf": [1, 20], "criterion": ["gini"]}
    tree = DecisionTreeClassifier(random_state=0)
    grid = HalvingGridSearchCV(tree, space, cv=3, random_state=0, min_resources=60).fit(X, y)
    drawn = HalvingRandomSearchCV(tree, space, n_candidates=5, cv=3, random_state=0, min_resources=60).fit(X, y)
    for search in (grid, drawn):
        report = SearchReport.from_search(search)
        for row in report.ranking:
            for name, value in row.params.items():
                assert f"{name}={value}" in row.name
            assert set(row.params) == set(space)
        names = [part.split("=")[0] for part in report.ranking[0].name.split(", ")]
        assert names == sorted(names, key=list(report.ranking[0].params).index)
        assert {*report.settings()} <= {"max_depth", "min_samples_leaf"}
        assert report.best.name in " ".join(report.summary().split())


def test_a_random_halving_search_is_read():
    space = {"max_depth": [1, 2, 3, 4], "min_samples_leaf": stats.randint(1, 10)}
    search = HalvingRandomSearchCV(DecisionTreeClassifier(random_state=0), space, cv=2, random_state=0, n_candidates=6)
    report = SearchReport.from_search(search.fit(X, Y))
    assert report.provenance["param_distributions"].endswith("min_samples_leaf: randint(1, 10)}")
    assert "SELECTED" in codes(report.warnings)


# ---- refusals -------------------------------------------------------------------------------------------------


def test_a_search_that_is_not_fitted_is_refused_as_scikit_learn_does():
    with pytest.raises(NotFittedError, match=r"search must be fitted; .* has no cv_results_: call fit"):
        SearchReport.from_search(GridSearchCV(SVC(), {"C": [1, 2]}))


def without(search, *keys):
    search.cv_results_ = {key: value for key, value in search.cv_results_.items() if key not in keys}
    return search


SCORES = np.random.default_rng(0).normal(0.8, 0.05, (3, 5))
REFUSED = {
    "no search": (lambda _: 3, {}, "search must be"),
    "no candidates": (lambda make: make(SCORES[:0]), {}, "must have 'params', a mapping per candidate"),
    "one candidate": (lambda make: make(SCORES[:1]), {}, "must have compared at least two candidates; got 1"),
    "one split": (lambda make: make(SCORES[:, :1]), {}, "scores on at least two splits; got 1"),
    "no splits": (lambda make: without(make(SCORES[:, :1]), "split0_test_score"), {}, "'split0_test_score'"),
    "a split that is lacking": (
        lambda make: without(make({"a": SCORES, "b": SCORES}), "split3_test_b"),
        {},
        "must hold 'split3_test_b'",
    ),
    "splits that are lacking": (
        lambda make: without(make(SCORES, n_splits_=5), "split4_test_score"),
        {},
        "scores of n_splits_=5 splits; got 4",
    ),
    "scores of another length": (
        lambda make: make(SCORES, params=[{"C": 1}, {"C": 2}]),
        {},
        "must hold one number per candidate, 2; got shape (3,)",
    ),
    "unknown metric": (lambda make: make(SCORES), {"metric": "f1"}, "metric must be one of"),
    "alpha": (lambda make: make(SCORES), {"alpha": 1}, "alpha must be a number in (0, 1); got 1"),
    "a fraction out of range": (lambda make: make(SCORES), {"test_fraction": 0}, "test_fraction must be a number"),
    "a fraction that contradicts": (
        lambda make: make(SCORES),
        {"test_fraction": 0.3},
        "test_fraction must be",
    ),
    "a splitter that tells nothing": (
        lambda make: make(SCORES, cv=LeavePOut(2)),
        {},
        "must tell the sizes of the training and test sets; got LeavePOut(p=2), and it does not: give X and y as they "
        "were in fit, or test_fraction",
    ),
    "sizes in samples": (lambda make: make(SCORES, cv=ShuffleSplit(5, test_size=9)), {}, "give X and y"),
    "shares of groups": (lambda make: make(SCORES, cv=GroupShuffleSplit(5)), {}, "give X and y"),
    "a class": (lambda _: GridSearchCV, {}, "must be a fitted search with cv_results_; got the class GridSearchCV"),
    "a model": (lambda _: SVC().fit(X, Y), {}, "must be a fitted search with cv_results_; got SVC()"),
    "a pipeline that ends in a search": (
        lambda _: Pipeline([("scale", StandardScaler()), ("svm", GridSearchCV(SVC(), {"C": [1, 2]}))]),
        {},
        "got a Pipeline: give its last step, the GridSearchCV, as pipeline[-1]",
    ),
    "no parameters": (
        lambda _: RFECV(DecisionTreeClassifier(), cv=3, min_features_to_select=18).fit(X, Y),
        {},
        "search.cv_results_ must have",
    ),
    "other columns": (
        lambda make: make(SCORES, n_features_in_=4),
        {"X": X, "y": Y},
        "X must have the 4 columns that the search was fitted with; got 20",
    ),
    "columns of other names": (
        lambda make: make(SCORES, feature_names_in_=np.array(["a", "b"], dtype=object)),
        {"X": pd.DataFrame(X[:, :2], columns=["b", "a"]), "y": Y},
        "X must have the columns that the search was fitted with, 'a', 'b'; got 'b', 'a'",
    ),
    "more samples than the pairs": (
        lambda make: make(SCORES, cv=list(KFold(5).split(X[:50]))),
        {"X": X, "y": Y},
        "X must be the data that the search was fitted with; every split of cv uses 50 samples, and X has 60",
    ),
    "more samples than the folds": (
        lambda make: make(SCORES, cv=PredefinedSplit(np.arange(50) % 5)),
        {"X": X, "y": Y},
        "every split of cv uses 50 samples, and X has 60",
    ),
    "X of a classifier alone": (
        lambda make: make(SCORES, estimator=SVC()),
        {"X": X},
        "y must be given",
    ),
    "X of stratified folds alone": (
        lambda make: make(SCORES, cv=StratifiedKFold(5)),
        {"X": X},
        "y must be given with X",
    ),
    "a gap in time": (lambda make: make(SCORES, cv=TimeSeriesSplit(5, gap=2)), {}, "give X and y"),
    "an iterator": (
        lambda make: make(SCORES, cv=iter(KFold(5).split(X))),
        {"X": X, "y": Y},
        "and it has been used up: give test_fraction",
    ),
    "another splitter": (
        lambda make: make(SCORES, cv=KFold(4)),
        {},
        "search.cv must be the splitter that the search was fitted with; KFold(n_splits=4, random_state=None, "
        "shuffle=False) makes 4 splits, and cv_results_ has 5",
    ),
    "other data": (
        lambda make: make(SCORES, cv=LeaveOneGroupOut(), estimator=SVC()),
        {"X": X, "y": Y, "groups": GROUPS},
        "X and y must be the data that the search was fitted with",
    ),
    "too few samples for the pairs": (
        lambda make: make(SCORES, cv=list(KFold(5).split(X))),
        {"X": X[:50], "y": Y[:50]},
        "every split of cv uses 60 samples, and X has 50",
    ),
    "y of another length": (lambda make: make(SCORES), {"X": X, "y": Y[:5]}, "y must have one row per sample"),
    "y alone": (lambda make: make(SCORES), {"y": Y}, "X must be given"),
    "scores of one candidate only": (
        lambda make: make([[0.1, 0.2, 0.3], [np.nan] * 3, [0.1, np.nan, 0.2]], cv=3),
        {},
        "two candidates with a score on every split that has any score; got 1 of 3 on 3 of 3 splits",
    ),
    "no scores at all": (lambda make: make(np.full((3, 5), np.nan)), {}, "got 0 of 3 on 0 of 5 splits"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_bad_searches_are_refused_by_name(plain, case):
    make, options, message = REFUSED[case]
    with pytest.raises(ValueError) as caught:
        SearchReport.from_search(make(plain), **options)
    assert message in str(caught.value)


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("response", ["predict", "predict_proba"])
def test_a_search_by_ranks_of_predicted_labels_is_told_of(response, several):
    X, y = make_classification(120, random_state=0)
    scorer = make_scorer(roc_auc_score, response_method=response)
    scoring = {"auc": scorer, "accuracy": "accuracy"} if several else scorer
    grid = {"var_smoothing": [1e-9, 1e-2, 1]}
    search = GridSearchCV(GaussianNB(), grid, scoring=scoring, refit="auc" if several else True, cv=4).fit(X, y)
    report = SearchReport.from_search(search)
    told = [warning for warning in report.warnings if warning.code == "ASSUMED"]
    assert [warning.partition("roc_auc_score of predicted labels")[1] != "" for warning in told] == [True] * (
        response == "predict"
    )


@pytest.mark.parametrize("refit", ["ones", False])
@pytest.mark.parametrize(("response", "label"), [("predict_proba", 0), ("predict_proba", 1), ("predict", 0)])
def test_scorers_of_two_classes_that_scikit_learn_gives_the_predictions_for_one_are_told_of(response, label, refit):
    """Its scorers of several metrics keep the probabilities of the class that the first one names."""
    X, y = make_classification(120, weights=[0.8], flip_y=0.2, random_state=0)
    function = average_precision_score if response == "predict_proba" else f1_score
    other = make_scorer(function, response_method=response, pos_label=label)
    scoring = {"ones": make_scorer(function, response_method=response, pos_label=1), "other": other}
    grid = {"var_smoothing": [1e-9, 1e-2, 1]}
    search = GridSearchCV(GaussianNB(), grid, scoring=scoring, refit=refit, cv=4).fit(X, y)
    alone = GridSearchCV(GaussianNB(), grid, scoring=other, cv=4).fit(X, y).cv_results_["mean_test_score"]
    mixed = not np.allclose(search.cv_results_["mean_test_other"], alone)
    told = [warning for warning in SearchReport.from_search(search).warnings if "predictions for class 1" in warning]
    assert mixed == (response == "predict_proba" and label == 0) == bool(told)
    assert [warning.about for warning in told] == [("other",)] * mixed
