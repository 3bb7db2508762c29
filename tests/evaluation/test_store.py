"""The store: exact round trips, keys that never mix up fits, and every fault of a file named."""

from __future__ import annotations

import ast
import json
import os
import signal
import sqlite3
import textwrap
import warnings
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from math import isnan

import numpy as np
import pytest
import scipy.sparse
import sklearn
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import get_scorer, make_scorer
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from skcompare import PairedEvaluator, RunOptions
from skcompare.evaluation.chunks import EstimatorSpec, FitPlan, FoldOutcome, Work
from skcompare.evaluation.splits import draw_splits, make_splitter
from skcompare.evaluation.store import file as _file
from skcompare.evaluation.store import keys
from skcompare.evaluation.store import store as buffered
from skcompare.evaluation.store.checkpoint import Checkpoint, remembered_seed
from skcompare.evaluation.store.store import FitKey, Store
from skcompare.evaluation.store.stored_fit import DamagedError, NotStorableError, StoredFit, from_stored, to_stored

X, Y = load_iris(return_X_y=True)
CLASSES = np.unique(Y)
PLAN = FitPlan(responses=(("predict_proba",),), classes=CLASSES)


def splits_of(cv="2x3", seed=0, y=Y):
    splitter = make_splitter(cv, y, stratified=True, random_state=seed)
    return draw_splits(splitter, X, y, n_samples=len(y), params={})


def spec(estimator=None, name="nb", **options):
    return EstimatorSpec(name=name, estimator=estimator or GaussianNB(), **{"fit_params": {}, **options})


def opened(path, specs=None, *, X=X, y=Y, splits=None, plan=PLAN, seeds=None):
    specs = [spec()] if specs is None else specs
    work = Work(specs=specs, X=X, y=y, splits=splits or splits_of(), plan=plan)
    return Checkpoint(path, work, seeds)


def outcome(n_test=50, number=0.0):
    return FoldOutcome(
        fit_time=0.25 + number,
        predict_time=0.5,
        score_time=0.125,
        responses={
            "predict": (np.arange(n_test) % 3).astype(np.uint8),
            "predict_proba": np.full((n_test, 3), 1 / 3) + number,
        },
        encoded=True,
    )


def filled(path, specs=None, **options):
    """A store with every fit of an evaluation; gives what was saved."""
    splits = options.get("splits") or splits_of()
    specs = [spec()] if specs is None else specs
    done = {
        (i, e): outcome(splits.test_sizes[i], number=i + 100 * e) for i in range(len(splits)) for e in range(len(specs))
    }
    with opened(path, specs, **options) as checkpoint:
        checkpoint.save([(i, e, found) for (i, e), found in done.items()])
    return done


def n_found(path, *arguments, **options):
    with opened(path, *arguments, **options) as checkpoint:
        return len(checkpoint.finished())


def assert_same(found, expected):
    for name in ("fit_time", "predict_time", "score_time", "model_size"):
        a, b = getattr(found, name), getattr(expected, name)
        assert a == b or (isnan(a) and isnan(b))
    assert found.responses.keys() == expected.responses.keys()
    for name, array in expected.responses.items():
        assert found.responses[name].dtype == array.dtype
        assert found.responses[name].shape == array.shape
        same = array.tolist() == found.responses[name].tolist() if array.dtype.kind == "O" else None
        assert found.responses[name].tobytes() == array.tobytes() if same is None else same
    assert repr(found.scored) == repr(expected.scored)
    assert found.encoded == expected.encoded
    assert found.errors == {}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "runs.sqlite"


# exact round trips


@pytest.mark.parametrize(
    "predict",
    [
        np.array([1.5, np.nan, -0.0]),
        np.array([0x7FF8000000000123, 0xFFF8000000000001, 1], dtype=np.uint64).view(np.float64),
        np.array([np.inf, -np.inf, 5e-324], dtype=">f8"),
        np.array([1, 2, 3], dtype=np.float16),
        np.array([True, False, True]),
        np.array([[1, -2], [3, 4], [2**62, 0]]),
        np.array(["a", "", "größe\N{SNOWMAN}\N{PILE OF POO}"]),
        np.array(["a", "", "größe\N{SNOWMAN}"], dtype=object),
        np.asfortranarray(np.arange(12.0).reshape(3, 4)),
        np.arange(6.0)[::2],
        np.empty((3, 0)),
    ],
    ids=lambda array: f"{array.dtype}{array.shape}",
)
def test_arrays_come_back_bit_for_bit(predict):
    given = FoldOutcome(responses={"predict": predict})
    found = from_stored(to_stored(given), n_test=3, responses={"predict"}, n_classes=None)
    assert_same(found, given)
    assert found.responses["predict"].flags.writeable


@given(npst.arrays(npst.scalar_dtypes(), st.tuples(st.just(4), st.integers(0, 3))))
def test_any_array_comes_back_bit_for_bit_or_is_refused(array):
    given = FoldOutcome(responses={"predict": array})
    try:
        stored = to_stored(given)
    except NotStorableError:
        assert array.dtype.kind not in "biufU" or array.dtype.itemsize == 0
        return
    assert array.dtype.kind in "biufU"
    assert_same(from_stored(stored, n_test=4, responses={"predict"}, n_classes=None), given)


@pytest.mark.parametrize(
    ("scored", "expected"),
    [
        (None, None),
        (0.1 + 0.2, 0.1 + 0.2),
        (np.float64(-0.0), -0.0),
        ({"a": float("nan"), "b": np.float32(0.1), "ü": 3}, {"a": float("nan"), "b": float(np.float32(0.1)), "ü": 3}),
        (True, True),
        (np.array(0.25), 0.25),
        ({"a": np.array([True]), "b": np.array([[3]])}, {"a": True, "b": 3}),
    ],
)
def test_scores_come_back_exactly(scored, expected):
    given = FoldOutcome(responses={"predict": np.zeros(2)}, scored=scored)
    found = from_stored(to_stored(given), n_test=2, responses={"predict"}, n_classes=None)
    assert repr(found.scored) == repr(expected)


def test_a_file_gives_back_what_was_saved(path):
    done = filled(path, [spec(), spec(DecisionTreeClassifier(), "tree")])
    with opened(path, [spec(), spec(DecisionTreeClassifier(), "tree")]) as checkpoint:
        found = checkpoint.finished()
    assert found.keys() == done.keys()
    for key, expected in done.items():
        assert_same(found[key], expected)


def test_numbers_that_were_not_measured_come_back_as_nan(path):
    with opened(path) as checkpoint:
        checkpoint.save([(0, 0, FoldOutcome(responses=outcome().responses, encoded=True, model_size=1234.0))])
    with opened(path) as checkpoint:
        found = checkpoint.finished()[0, 0]
    assert isnan(found.fit_time)
    assert found.model_size == 1234.0


# keys


def scorer_plan(scorer, **options):
    return FitPlan(responses=PLAN.responses, classes=CLASSES, scorer=scorer, **options)


def changed_cell():
    other = X.copy()
    other[17, 2] = np.nextafter(other[17, 2], np.inf)
    return other


@pytest.mark.parametrize(
    "options",
    [
        {"specs": [spec(GaussianNB(var_smoothing=1e-8))]},
        {"specs": [spec(DecisionTreeClassifier())]},
        {"specs": [spec(fit_params={"sample_weight": np.ones(150)})]},
        {"X": changed_cell()},
        {"X": X.astype(np.float32)},
        {"y": np.where(np.arange(150) == 3, 2, Y)},
        {"y": Y.astype(np.int32)},
        {"splits": splits_of(seed=1)},
        {"splits": splits_of(cv="2x4")},
        {"plan": FitPlan(responses=PLAN.responses, classes=CLASSES, costs=frozenset(["model_size"]))},
        {"plan": scorer_plan(get_scorer("f1_macro"))},
        {"plan": FitPlan(responses=PLAN.responses, classes=CLASSES, score_params={"sample_weight": np.ones(150)})},
    ],
)
def test_what_differs_is_not_found(path, options):
    filled(path)
    assert n_found(path) == 6
    assert n_found(path, **options) == 0


@pytest.mark.parametrize(
    "options",
    [
        {"specs": [spec(name="renamed")]},
        {"specs": [spec(from_sklearn=True, leaves_input_unchanged=True)]},
        {"X": np.asarray(X)},
        {"plan": FitPlan(responses=PLAN.responses, classes=CLASSES, stop_on_error=False)},
        {"plan": FitPlan(classes=CLASSES)},  # fewer responses than were kept
    ],
)
def test_what_changes_no_number_is_found(path, options):
    filled(path)
    assert n_found(path, **options) == 6


def test_a_memory_map_is_the_array_it_maps(path, tmp_path):
    filled(path)
    np.save(tmp_path / "X.npy", X)
    assert n_found(path, X=np.load(tmp_path / "X.npy", mmap_mode="r")) == 6


def test_scorers_are_distinguished_but_not_by_how_they_meet_errors(path):
    one, other = ({"f1": make_scorer(sklearn.metrics.f1_score, average=a)} for a in ("macro", "micro"))
    plans = [
        scorer_plan(sklearn.metrics.check_scoring(scoring=scoring, raise_exc=raises))
        for scoring, raises in ((one, True), (one, False), (other, True))
    ]
    filled(path, plan=plans[0])
    assert [n_found(path, plan=plan) for plan in plans] == [6, 6, 0]


def test_seeds_count_where_a_random_state_is_open(path):
    tree = [spec(DecisionTreeClassifier(), seeded=("random_state",))]
    filled(path, tree, seeds=list(range(6)))
    assert n_found(path, tree, seeds=list(range(6))) == 6
    assert n_found(path, tree, seeds=[0, 1, 2, 7, 8, 9]) == 3
    assert n_found(path, tree, seeds=None) == 0
    plain = [spec(leaves_input_unchanged=True)]
    filled(path, plain, seeds=list(range(6)))
    assert n_found(path, plain, seeds=list(range(7, 13))) == 6


class Drawing(ClassifierMixin, BaseEstimator):
    """Predicts what numpy's global random state gives."""

    def fit(self, x, y):  # noqa: ARG002
        self.classes_ = np.unique(y)
        return self

    def predict(self, x):
        return np.random.choice(self.classes_, len(x))  # noqa: NPY002


def drawn_accuracy(y_true, y_pred):
    return np.mean(y_true == y_pred) + np.random.rand()  # noqa: NPY002


@pytest.mark.parametrize("draws", ["model", "scorer"])
def test_another_random_state_refits_what_draws_without_one(path, draws):
    models = {"m": Drawing() if draws == "model" else GaussianNB()}
    scoring = "accuracy" if draws == "model" else {"drawn": make_scorer(drawn_accuracy)}
    splits = list(StratifiedKFold(3).split(X, Y))
    for seed, n_fitted in ((0, 3), (1, 3), (0, 0)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that it draws, which a store cannot see
            found, n = evaluated(path, models, cv=splits, random_state=seed, scoring=scoring)
            alone, _ = evaluated(None, models, cv=splits, random_state=seed, scoring=scoring)
        assert n == n_fitted
        np.testing.assert_array_equal(found.scores, alone.scores)


def test_shared_steps_do_not_change_the_key(path):
    class_of = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    pipelines = {name: make_pipeline(Steady(), model) for name, model in class_of.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        alone = [evaluated(path, {name: one}, scoring="accuracy")[1] for name, one in pipelines.items()]
        assert (alone, evaluated(path, pipelines, scoring="accuracy")[1]) == ([3, 3], 0)


class Steady(TransformerMixin, BaseEstimator):
    """May be shared, by its own word."""

    skcompare_shareable = True

    def fit(self, x, y=None):  # noqa: ARG002
        return self

    def transform(self, x):
        return x + 0.0


def test_more_repeats_of_the_same_seed_reuse_the_first(path):
    filled(path, splits=splits_of("2x3"))
    assert n_found(path, splits=splits_of("4x3")) == 6


def test_splits_given_as_pairs_are_found_by_their_indices(path):
    pairs = [(np.arange(0, 100), np.arange(100, 140)), (np.arange(50, 150), np.arange(0, 40))]
    splits = draw_splits(make_splitter(pairs, Y, stratified=True, random_state=0), X, Y, n_samples=150, params={})
    other = [pairs[0], (np.arange(51, 150), np.arange(0, 40))]
    changed = draw_splits(make_splitter(other, Y, stratified=True, random_state=0), X, Y, n_samples=150, params={})
    filled(path, splits=splits)
    assert n_found(path, splits=splits) == 2
    assert n_found(path, splits=changed) == 1


def test_a_model_more_is_the_only_one_missing(path):
    three = [spec(LogisticRegression(C=c), f"lr{c}") for c in (1.0, 2.0, 3.0)]
    filled(path, three[:2])
    with opened(path, [three[2], *three[:2]]) as checkpoint:
        assert {position for _, position in checkpoint.finished()} == {1, 2}


def test_equal_models_keep_fits_of_their_own(path):
    """Without seeds two equal forests differ, and must not become one when the run is resumed."""
    twins = [spec(DecisionTreeClassifier(), "a"), spec(DecisionTreeClassifier(), "b")]
    done = filled(path, twins)
    with opened(path, twins) as checkpoint:
        found = checkpoint.finished()
    assert found[0, 0].fit_time == done[0, 0].fit_time
    assert found[0, 1].fit_time == done[0, 1].fit_time != found[0, 0].fit_time


@pytest.mark.parametrize(("setting", "n"), [({"transform_output": "pandas"}, 0), ({"display": "text"}, 6)])
def test_settings_of_scikit_learn_count_where_they_change_results(path, setting, n):
    filled(path)
    with sklearn.config_context(**setting):
        assert n_found(path) == n


def test_library_versions_count(path, monkeypatch):
    filled(path)
    monkeypatch.setattr(sklearn, "__version__", "0.0.1")
    assert n_found(path) == 0


def test_fits_of_a_version_in_which_others_could_change_them_are_left(path, monkeypatch):
    with monkeypatch.context() as before:
        before.setattr(keys, "KEYS", _file.FORMAT)
        filled(path)
        assert n_found(path) == 6
    assert n_found(path) == 0
    filled(path)
    assert n_found(path) == 6


def test_outcomes_with_errors_are_fitted_again(path):
    with opened(path) as checkpoint:
        failed = FoldOutcome(errors={"fit": "Traceback"})
        half_scored = FoldOutcome(responses={"predict": np.zeros(50)}, scored={"a": 0.5, "b": "Traceback ..."})
        checkpoint.save([(0, 0, failed), (1, 0, half_scored), (2, 0, outcome())])
    with opened(path) as checkpoint:
        assert checkpoint.finished().keys() == {(2, 0)}


def test_what_cannot_be_stored_is_said_once_by_name(path):
    strange = FoldOutcome(responses={"predict": np.array([object()] * 50)})
    checkpoint = opened(path, [spec(name="odd")])
    checkpoint.save([(0, 0, strange), (1, 0, strange), (2, 0, outcome())])
    with pytest.warns(UserWarning, match="fits of 'odd' are not stored.*predict of dtype object") as caught:
        checkpoint.close()
    assert len(caught) == 1
    assert n_found(path, [spec(name="odd")]) == 1


def test_the_first_seed_is_remembered(path):
    drawn = iter([7, 8, 9])
    assert remembered_seed(path, X, Y, "10x10", lambda: next(drawn)) == 7
    assert remembered_seed(path, X, Y, "10x10", lambda: next(drawn)) == 7
    assert remembered_seed(path, X, Y, "5x2", lambda: next(drawn)) == 8
    assert remembered_seed(path, changed_cell(), Y, "10x10", lambda: next(drawn)) == 9


def test_a_seed_that_is_none_is_drawn_anew(path):
    remembered_seed(path, X, Y, "3", lambda: 7)
    with sqlite3.connect(path) as file:
        file.execute("UPDATE seeds SET seed = 'x'")
    file.close()
    assert remembered_seed(path, X, Y, "3", lambda: 8) == 8
    assert remembered_seed(path, X, Y, "3", lambda: 9) == 8


def test_the_seed_that_a_store_has_for_as_many_folds_goes_first(tmp_path):
    path = tmp_path / "runs.sqlite"
    with closing(Store.open(path)) as store:
        store.remember(keys.digest_of([keys.data_digest(X, "X"), keys.data_digest(Y, "y"), "folds 5"]), lambda: 7)
    seeds = [remembered_seed(path, X, Y, cv, lambda: 8) for cv in ("6x5", "4x5", "5", "6x4")]
    assert seeds == [7, 7, 7, 8]


def test_random_states_are_left_alone(path):
    before = np.random.get_state()  # noqa: NPY002
    filled(path)
    n_found(path)
    np.testing.assert_equal(np.random.get_state(), before)  # noqa: NPY002


def test_data_that_cannot_be_known_again_is_refused_before_a_file_is_made(path):
    for data, message in [(iter(X), "X must be an array.*got iterator"), ([lambda: 0] * 150, "X must be data that")]:
        with pytest.raises(ValueError, match=message):
            opened(path, X=data)
    with pytest.raises(ValueError, match=r"models\['nb'\] must be something"):
        opened(path, [spec(make_closure())])
    assert not path.exists()


def make_closure():
    class Local(GaussianNB):
        pass

    return Local()


# faults of the file


def test_no_directory_and_a_directory_are_refused(tmp_path):
    with pytest.raises(ValueError, match="store must be in a directory that exists"):
        opened(tmp_path / "none" / "runs.sqlite")
    with pytest.raises(ValueError, match=r"store must be a file; .* is a directory"):
        opened(tmp_path)
    with pytest.raises(ValueError, match="store must be the path of a file"):
        opened(f"{tmp_path}/a\0b")


def foreign(kind, path):
    filled(path)
    content = path.read_bytes()
    path.unlink()
    with sqlite3.connect(":memory:" if kind == "text" else path) as file:
        file.execute("CREATE TABLE fits (a)")
        if kind == "id":
            file.execute(f"PRAGMA application_id = {_file.APPLICATION_ID}")
            file.execute(f"PRAGMA user_version = {_file.FORMAT}")
        elif kind == "version":
            file.execute(f"PRAGMA application_id = {_file.APPLICATION_ID}")
            file.execute("PRAGMA user_version = 99")
    file.close()
    if kind == "text":
        path.write_text("id,score\n")
    if kind == "truncated":
        path.write_bytes(content[: len(content) // 2])
    if kind == "header":
        path.write_bytes(content[:100])
    if kind == "trigger":
        path.write_bytes(content)
        with sqlite3.connect(path) as file:
            file.execute("CREATE TRIGGER t AFTER INSERT ON fits BEGIN DELETE FROM fits; END")
        file.close()
    if kind == "view":
        path.write_bytes(content)
        with sqlite3.connect(path) as file:
            file.execute("CREATE VIEW v AS SELECT 1")
        file.close()


@pytest.mark.parametrize(
    ("kind", "what", "message"),
    [
        ("text", "a file made by skcompare", "it is not an SQLite file"),
        ("other", "a file made by skcompare", "it belongs to another program"),
        ("id", "sound", "it has other tables"),
        ("version", "of the format of this version of skcompare", "its format is 99"),
        ("trigger", "sound", "it has other tables"),
        ("view", "sound", "it has other tables"),
        ("truncated", "sound", "malformed"),
        ("header", "sound", "malformed|not a database"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_and_left_as_it_was(path, kind, what, message):
    foreign(kind, path)
    before = path.read_bytes()
    with pytest.raises(ValueError, match=f"store must be {what}; .*: .*({message})"):
        opened(path)
    with pytest.raises(ValueError, match=f"store must be {what}; .*: .*({message})"):
        Store.open(path, create=False, write=False)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_random_bytes_inside_never_give_another_number(rng, path):
    done = filled(path)
    content = path.read_bytes()
    for _ in range(60):
        broken = bytearray(content)
        start = int(rng.integers(100, len(content) - 64))
        broken[start : start + 64] = rng.bytes(64)
        path.write_bytes(broken)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                with opened(path) as checkpoint:
                    found = checkpoint.finished()
            except ValueError as error:
                assert str(error).startswith("store must be")  # noqa: PT017
                found = {}
        for key, value in found.items():
            assert_same(value, done[key])
        for extra in path.parent.glob("*-wal"):
            extra.unlink()


def test_an_empty_file_becomes_a_store(path):
    path.touch()
    filled(path)
    assert n_found(path) == 6


def test_names_are_paths_and_nothing_else(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in (":memory:", "file:x.sqlite?mode=memory"):
        filled(name)
        assert (tmp_path / name).is_file()
        assert n_found(name) == 6


UNPRIVILEGED = """
    import os, sys
    from tests_store import opened
    opened(sys.argv[2]).close()  # imports what is needed, which another user may not be able to read
    if os.geteuid() == 0:
        os.seteuid(65534)
    try:
        opened(sys.argv[1])
    except ValueError as error:
        print(error)
"""


@pytest.mark.parametrize("what", ["file", "directory"])
def test_what_cannot_be_written_is_refused(tmp_path, what):
    folder = tmp_path / "kept"
    folder.mkdir()
    path = folder / "runs.sqlite"
    if what == "file":
        filled(path)
        path.chmod(0o444)
        folder.chmod(0o777)
    else:
        folder.chmod(0o555)
    for parent in folder.parents:
        if parent.name.startswith(("test_", "popen", "pytest")):  # pytest's own, closed to others
            parent.chmod(0o755)
    done = run_python(tmp_path, UNPRIVILEGED, str(path), str(tmp_path / "own.sqlite"))
    folder.chmod(0o777)
    assert done.said("out").startswith(f"store must be writable; {str(path)!r} is not: "), done.said("err")


def run_python(folder, code, *arguments):
    """Run code that may import this file as `tests_store`."""
    load = (
        "import importlib.util, sys\n"
        f"spec = importlib.util.spec_from_file_location('tests_store', {__file__!r})\n"
        "sys.modules['tests_store'] = module = importlib.util.module_from_spec(spec)\n"
        "spec.loader.exec_module(module)\n"
    )
    return run_script(folder, load + textwrap.dedent(code), *arguments)


def run_script(folder, code, *arguments):
    """Run it in a process of its own."""
    from tests.processes import Script  # not there where this file is `tests_store`

    script = Script(folder, code, *arguments)
    script.end(120)
    return script


def test_a_full_disk_loses_nothing(path):
    done = filled(path, [spec()])
    tree = [spec(DecisionTreeClassifier(), "tree")]
    checkpoint = opened(path, tree)
    pages = checkpoint._store.connection.execute("PRAGMA page_count").fetchone()[0]
    checkpoint._store.connection.execute(f"PRAGMA max_page_count = {pages}")
    large = {(i, 0): outcome(50, number=i) for i in range(6)}
    for kept in large.values():
        kept.responses["predict_proba"] = np.full((50, 3000), 0.5)
    with pytest.warns(UserWarning, match=r"cannot write '.*runs.sqlite' \(.*full\); the run goes on") as caught:
        save_one_by_one(checkpoint, large)
    assert len(caught) == 1
    checkpoint._store.connection.execute("PRAGMA max_page_count = 1000000")
    checkpoint.close()
    with opened(path, tree) as checkpoint:
        found = checkpoint.finished()
    assert found.keys() == large.keys()
    for key, expected in large.items():
        assert_same(found[key], expected)
    assert n_found(path) == len(done)


def save_one_by_one(checkpoint, done):
    for (split, position), kept in done.items():
        checkpoint.save([(split, position, kept)])


def test_writing_is_tried_again_during_the_run(path, monkeypatch):
    monkeypatch.setattr(buffered, "RETRY_SECONDS", 0.0)
    with opened(path) as checkpoint:
        checkpoint._store.connection.execute("PRAGMA query_only = ON")
        with pytest.warns(UserWarning, match="cannot write"):
            checkpoint.save([(0, 0, outcome())])
        checkpoint.save([(1, 0, outcome())])
        checkpoint._store.connection.execute("PRAGMA query_only = OFF")
        checkpoint.save([(2, 0, outcome())])
        assert n_found(path) == 3


def test_what_is_not_written_in_the_end_is_said(path):
    checkpoint = opened(path)
    checkpoint._store.connection.execute("PRAGMA query_only = ON")
    with pytest.warns(UserWarning, match="cannot write"):
        checkpoint.save([(0, 0, outcome())])
    with pytest.warns(UserWarning, match=r"1 finished fits could not be written .* fitted again"):
        checkpoint.close()
    assert n_found(path) == 0


@pytest.mark.skipif(not hasattr(signal, "SIGXFSZ"), reason="needs limits of a process")
def test_a_file_that_may_not_grow_stops_no_run(path):
    code = """
        import resource, sys, warnings
        from tests_store import opened, outcome, np
        checkpoint = opened(sys.argv[1])
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, resource.RLIM_INFINITY))
        large = outcome()
        large.responses["predict_proba"] = np.full((50, 3000), 0.5)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            checkpoint.save([(0, 0, large)])
            checkpoint.save([(1, 0, large)])
            print(len(caught), caught[0].message)
            resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            checkpoint.close()
            print(len(caught))
    """
    done = run_python(path.parent, code, str(path))
    assert done.said("out").startswith("1 store: cannot write"), done.said("err")
    assert done.said("out").endswith("\n1\n")
    assert n_found(path) == 2


@pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")
def test_a_kill_loses_nothing_that_was_saved(path):
    code = """
        import os, signal, sys
        from tests_store import opened, outcome
        checkpoint = opened(sys.argv[1])
        for split in range(4):
            checkpoint.save([(split, 0, outcome(50, split))])
        os.kill(os.getpid(), signal.SIGKILL)
    """
    done = run_python(path.parent, code, str(path))
    assert done.process.exitcode == -signal.SIGKILL, done.said("err")
    with opened(path) as checkpoint:
        found = checkpoint.finished()
    assert found.keys() == {(split, 0) for split in range(4)}
    assert_same(found[3, 0], outcome(50, 3))


def test_several_processes_share_a_file(path):
    code = """
        import sys
        from tests_store import *
        own = int(sys.argv[2])
        models = [spec(LogisticRegression(C=c), str(c)) for c in (1.0, 2.0 + own)]
        with opened(sys.argv[1], models) as checkpoint:
            for split in range(6):
                checkpoint.save([(split, e, outcome(50, split)) for e in range(2)])
    """
    with ThreadPoolExecutor(3) as pool:
        for done in pool.map(lambda own: run_python(path.parent, code, str(path), str(own)), range(3)):
            assert done.process.exitcode == 0, done.said("err")
    assert n_found(path, [spec(LogisticRegression(C=c)) for c in (1.0, 2.0, 3.0, 4.0)]) == 24


def test_a_file_in_use_is_waited_for_and_then_refused(path, monkeypatch):
    filled(path)
    monkeypatch.setattr(_file, "BUSY_SECONDS", 0.2)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(ValueError, match=r"store must be free within 0.2 s; .*database is locked"):
        opened(path)
    other.execute("ROLLBACK")
    other.close()
    assert n_found(path) == 6


def test_fits_are_saved_though_another_process_cleaned_the_file(path):
    with opened(path) as checkpoint:
        checkpoint.save([(0, 0, outcome())])
        with sqlite3.connect(path) as other:
            for table in ("fits", "estimators", "models", "evaluations"):
                other.execute(f"DELETE FROM {table}")
        other.close()
        checkpoint.save([(1, 0, outcome())])
    with opened(path) as checkpoint:
        assert checkpoint.finished().keys() == {(1, 0)}


def test_every_save_is_committed_and_flushed_twice_a_second(path):
    with opened(path) as checkpoint:
        statements = []
        checkpoint._store.connection.set_trace_callback(statements.append)
        checkpoint._store._synced_at = -np.inf
        for split in range(3):
            checkpoint.save([(split, 0, outcome())])
        waits = checkpoint._store._timer
        waits.join(5)  # flushes what was not at once
        checkpoint._store.connection.set_trace_callback(None)
    assert statements.count("COMMIT") == 3
    assert sum("synchronous = NORMAL" in statement for statement in statements) == 2
    assert waits.interval == 0.5
    assert not waits.is_alive()


# rows that are wrong


def change(path, statement):
    with sqlite3.connect(path) as file:
        file.execute(statement)
    file.close()


@pytest.mark.sampled
@pytest.mark.parametrize(
    "assignment",
    [
        "content = x'00'",
        "content = 'text'",
        "content = zeroblob(length(content))",
        "content = zeroblob(1000000)",
        "arrays = '[]'",
        "arrays = 'no json'",
        "arrays = replace(arrays, '50', '51')",
        "arrays = replace(arrays, '50', '9999999999999')",
        "arrays = 7",
        "scored = 'x'",
        "scored = x'00ff'",
        "fit_time = 'soon'",
        "fit_time = fit_time + 1",
        "encoded = 0",
        "encoded = 'no'",
        "checksum = x''",
        "checksum = 1.5",
        "content = (SELECT content FROM fits WHERE id = 2)",
    ],
)
def test_a_wrong_row_is_fitted_again_and_replaced(path, assignment):
    filled(path)
    change(path, f"UPDATE fits SET {assignment} WHERE id = 1")
    with opened(path) as checkpoint:
        with pytest.warns(UserWarning, match=r"1 fits in '.*runs.sqlite' are damaged and are fitted again"):
            assert checkpoint.finished().keys() == {(split, 0) for split in range(1, 6)}
        checkpoint.save([(0, 0, outcome(50, 0))])
    with opened(path) as checkpoint:
        assert_same(checkpoint.finished()[0, 0], outcome(50, 0))


def stored(arrays, content, *, scored="null", encoded=False):
    text = arrays if isinstance(arrays, str) else json.dumps(arrays)
    return StoredFit(times=(0.0, 0.0, 0.0, 0.0), scored=scored, arrays=text, encoded=encoded, content=content)


@pytest.mark.parametrize(
    "fit",
    [
        stored([["predict", "<f8", [3], False]], bytes(23)),
        stored([["predict", "<f8", [3], False]], bytes(25)),
        stored([["predict", "<f8", [2], False]], bytes(16)),
        stored([["predict", "<f8", [], False]], bytes(8)),
        stored([["predict", "<f8", [3, -1], False]], b""),
        stored([["predict", "<f8", [3, 2**70], False]], b""),
        stored([["predict", "|O", [3], False]], bytes(24)),
        stored([["predict", "<M8", [3], False]], bytes(24)),
        stored([["predict", "|V8", [3], False]], bytes(24)),
        stored([["predict", "(9,9)f8", [3], False]], bytes(24)),
        stored([["predict", "<U0", [3], False]], b""),
        stored([["predict", "<U999999999", [3], False]], bytes(24)),
        stored([["predict", 8, [3], False]], bytes(24)),
        stored([["predict", "<f8", 3, False]], bytes(24)),
        stored([["predict_proba", "<f8", [3], False]], bytes(24)),
        stored([["__class__", "<f8", [3], False]], bytes(24)),
        stored([["predict", "<f8", [3], False]] * 2, bytes(48)),
        stored([["predict", "|b1", [3], False]], b"\0\1\2"),
        stored([["predict", "<U1", [3], False]], b"\xff" * 12),
        stored([["predict", ">U1", [3], False]], b"\xff" * 12),
        stored([["predict", "|u1", [3], False]], b"\0\1\3", encoded=True),
        stored([["predict", "<f8", [3], False]], bytes(24), encoded=True),
        stored("[" * 100_000, b""),
        stored('{"a": 1}', b""),
        stored([["predict", "<f8", [3], False]], bytes(24), scored="[" * 100_000),
        stored([["predict", "<f8", [3], False]], bytes(24), scored='"text"'),
        stored([["predict", "<f8", [3], False]], bytes(24), scored='{"a": "text"}'),
        stored([["predict", "<f8", [3], False]], bytes(24), scored="9" * 5000),
    ],
)
def test_a_forged_fit_is_refused(fit):
    with pytest.raises(DamagedError):
        from_stored(fit, n_test=3, responses={"predict"}, n_classes=3)


def test_a_forged_row_takes_no_memory(path):
    """Headers that claim 200 MB are not followed, however right their checksum is."""
    import tracemalloc

    filled(path)
    arrays = json.dumps([["predict", "<f8", [50, 500_000], False]])
    with Store.open(path).connection as file:
        query = "SELECT split, seed, digest FROM fits JOIN estimators ON estimators.id = estimator WHERE fits.id = 1"
        key = FitKey(*file.execute(query).fetchone())
        fit = stored(arrays, b"")
        values = (arrays, fit.content, fit.checksum(key.text))
        file.execute("UPDATE fits SET arrays = ?, content = ?, checksum = ? WHERE id = 1", values)
    file.close()
    with opened(path) as checkpoint:
        tracemalloc.start()
        with pytest.warns(UserWarning, match="damaged"):
            checkpoint.finished()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 5e6


# through the evaluator


def evaluated(store, models, X=X, y=Y, **options):
    events = []
    evaluator = PairedEvaluator(
        **{"cv": 3, "random_state": 0, "store": store, "options": RunOptions(callback=events.append), **options}
    )
    return evaluator.evaluate(models, X, y), sum(not event.reused for event in events)


@pytest.mark.parametrize("sparse", [scipy.sparse.csr_matrix, scipy.sparse.csc_matrix, scipy.sparse.csr_array])
def test_sparse_data_are_found_again(path, sparse):
    models = {"a": LogisticRegression(max_iter=500), "b": DecisionTreeClassifier(random_state=0)}
    first, n_first = evaluated(path, models, sparse(X))
    again, n_again = evaluated(path, models, sparse(X))
    assert (n_first, n_again) == (6, 0)
    np.testing.assert_array_equal(first.scores, again.scores)


def test_another_model_or_fewer_metrics_refit_nothing_else(path):
    two = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    before, _ = evaluated(path, two)
    with pytest.warns(UserWarning, match="roc_auc_ovr is left out"):
        after, n = evaluated(path, {**two, "svc": LinearSVC(random_state=0)})
    assert n == 3
    np.testing.assert_array_equal(after.score("nb", "f1_macro"), before.score("nb", "f1_macro"))
    assert after.predictions("nb")[0].predict_proba is None  # as if it had not been kept
    assert evaluated(path, two, scoring="accuracy")[1] == 0


def test_a_response_that_was_not_kept_is_fitted_and_kept(path):
    two = {"lr": LogisticRegression(max_iter=500), "tree": DecisionTreeClassifier(random_state=0)}
    evaluated(path, two, scoring="accuracy")
    assert evaluated(path, two, scoring=["accuracy", "roc_auc_ovr"])[1] == 6
    found, n = evaluated(path, two, scoring=["accuracy", "roc_auc_ovr"])
    assert n == 0
    np.testing.assert_array_equal(found.scores, evaluated(None, two, scoring=["accuracy", "roc_auc_ovr"])[0].scores)


def test_a_relative_path_stays_where_the_run_began(tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    evaluator = PairedEvaluator(
        cv=3, random_state=0, store="r.sqlite", options=RunOptions(callback=lambda _: os.chdir(tmp_path / "there"))
    )
    models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier()}
    evaluator.evaluate_datasets(models, {"a": (X, Y), "b": (X[::-1], Y)})
    assert list((tmp_path / "there").iterdir()) == []
    assert n_fits(tmp_path / "here" / "r.sqlite") == 12


def n_fits(path):
    with closing(sqlite3.connect(path)) as file:
        return file.execute("SELECT count(*) FROM fits").fetchone()[0]


USER_CODE = """
    import datetime, decimal, enum, re
    from types import SimpleNamespace
    import numpy as np
    import pandas as pd
    import helper
    from sklearn.naive_bayes import GaussianNB

    COST = pd.DataFrame({"a": [1.0, FIRST]})
    DAY = datetime.date(2020, 1, FIRST)
    STEPS = [1, FIRST]
    CALLS = []
    COUNT = 0

    class Level(enum.Enum):
        LOW = FIRST

    class Model(GaussianNB):
        OPTIONS = {"shift": FIRST}
        n_fits = 0

        def fit(self, X, y):
            global COUNT
            COUNT += 1
            CALLS.append(len(X))
            type(self).n_fits += 1
            return super().fit(X, y)

        def predict(self, X):
            return super().predict(READ)
"""
# what the model reads of its file, which is edited between the runs
READS = {
    "a class attribute": "X + self.OPTIONS['shift']",
    "a frame": "X + COST['a'][1]",
    "a date": "X + DAY.day",
    "a list": "X + sum(STEPS)",
    "an enumeration": "X + Level.LOW.value",
    "a class attribute that is not read": "X",
}


def test_edited_values_count_and_logs_do_not(tmp_path):
    """One model and one store for each thing that is read; all of them in the same two processes."""
    run = """
        import importlib, sys
        sys.path.insert(0, sys.argv[1])
        from sklearn.datasets import load_iris
        from sklearn.naive_bayes import GaussianNB
        from skcompare import PairedEvaluator
        X, y = load_iris(return_X_y=True)
        for i in range(int(sys.argv[2])):
            code = importlib.import_module(f"model{i}")
            evaluator = PairedEvaluator(cv=3, scoring="accuracy", random_state=0, store=f"{sys.argv[1]}/{i}.sqlite")
            for _ in range(2):
                evaluator.evaluate({"model": code.Model(), "nb": GaussianNB()}, X, y)
                print(len(code.CALLS))
    """
    (tmp_path / "helper.py").write_text("SHIFT = 1\n")
    for first in (1, 2):
        for i, read in enumerate(READS.values()):
            code = textwrap.dedent(USER_CODE).replace("FIRST", str(first)).replace("READ", read)
            (tmp_path / f"model{i}.py").write_text(code)
        script = run_script(tmp_path, run, tmp_path, len(READS))
        assert script.process.exitcode == 0, script.said("err")
        counts = iter(script.said("out").split())
        found = {what: (next(counts), next(counts)) for what in READS}
        # the second call of a process finds all, although the logs have grown
        assert found == dict.fromkeys(READS, ("3", "3")), first


def test_modules_imported_inside_a_function_count(tmp_path):
    """However they are imported; each way has a module and a store of its own."""
    run = """
        import sys
        sys.path.insert(0, sys.argv[1])
        from sklearn.datasets import load_iris
        from sklearn.naive_bayes import GaussianNB
        from skcompare import PairedEvaluator

        class FromModule(GaussianNB):
            def predict(self, X):
                from helper import SHIFT as s
                return super().predict(X + s)

        class WholeModule(GaussianNB):
            def predict(self, X):
                import other_helper; s = other_helper.SHIFT
                return super().predict(X + s)

        X, y = load_iris(return_X_y=True)
        for model in (FromModule(), WholeModule()):
            events = []
            store = f"{sys.argv[1]}/{type(model).__name__}.sqlite"
            evaluator = PairedEvaluator(cv=3, scoring="accuracy", random_state=0, store=store, callback=events.append)
            evaluator.evaluate({"model": model, "nb": GaussianNB()}, X, y)
            print(sum(not event.reused for event in events))
    """
    found = []
    for shift in (0, 0, 5):
        for helper in ("helper", "other_helper"):
            (tmp_path / f"{helper}.py").write_text(f"SHIFT = {shift}\n")
        script = run_script(tmp_path, run, tmp_path)
        assert script.process.exitcode == 0, script.said("err")
        found.append(script.said("out").split())
    assert found == [["6", "6"], ["0", "0"], ["3", "3"]]


def test_what_a_store_cannot_see_is_told_once_with_its_lines(tmp_path):
    run = """
        import sys, warnings
        sys.path.insert(0, sys.argv[1])
        from sklearn.datasets import load_iris
        from sklearn.naive_bayes import GaussianNB
        from skcompare import PairedEvaluator
        import env_model
        warnings.simplefilter("always")
        with warnings.catch_warnings(record=True) as caught:
            for store in (f"{sys.argv[1]}/runs.sqlite", None):
                evaluator = PairedEvaluator(cv=3, scoring="accuracy", random_state=0, store=store)
                models = {"a": env_model.Model(), "b": env_model.Model(1e-3), "nb": GaussianNB()}
                evaluator.evaluate(models, *load_iris(return_X_y=True))
        print([str(one.message) for one in caught if "store" in str(one.message)])
    """
    (tmp_path / "env_model.py").write_text(
        "import os\nfrom sklearn.naive_bayes import GaussianNB\nclass Model(GaussianNB):\n"
        "    def __init__(self, var_smoothing=1e-9):\n        super().__init__(var_smoothing=var_smoothing)\n"
        "    def fit(self, X, y):\n        os.environ.get('A')\n        os.getenv('B')\n"
        "        return super().fit(X, y)\n"
    )
    script = run_script(tmp_path, run, tmp_path)
    assert script.process.exitcode == 0, script.said("err")
    (told,) = ast.literal_eval(script.said("out"))
    assert told.startswith(
        "store: your code reads what a store cannot see: env_model.py:7 os.environ and env_model.py:8 os.getenv; "
    )
