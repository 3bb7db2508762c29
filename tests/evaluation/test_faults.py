"""What goes wrong in a fit or around it: the others go on, what is finished is kept, the error says who and where."""

from __future__ import annotations

import os
import pickle
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import numpy as np
import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification
from sklearn.exceptions import FitFailedWarning
from sklearn.naive_bayes import GaussianNB
from sklearn.utils import all_estimators

from benchmarks.faults import trial
from skcompare import EstimatorFailedError, PairedEvaluator, RunOptions
from skcompare.evaluation import chunks, engine, fit
from tests.processes import Script

X, Y = make_classification(n_samples=60, n_features=4, random_state=0)
FULL = os.environ.get("SKCOMPARE_FULL") == "1"
OF_WORKERS = pytest.mark.sampled("what happens to workers")  # each of these laws starts some, and kills them


def troubled(trouble, marked=()):
    """A classifier that has some trouble where its training set lacks one of the marked samples."""

    class Troubled(ClassifierMixin, BaseEstimator):
        def fit(self, X, y):
            self.classes_ = np.unique(y)
            if any(not (sample == X).all(axis=1).any() for sample in marked):
                self.get_into_trouble()
            return self

        def get_into_trouble(self):
            if trouble == "killed":
                os.kill(os.getpid(), signal.SIGKILL)
            if trouble == "native":
                os.abort()
            if trouble == "exits":
                os._exit(3)
            if trouble == "hangs":
                time.sleep(3600)
            if trouble == "SystemExit":
                sys.exit(3)
            if trouble == "MemoryError":
                raise MemoryError("too big")
            if trouble == "unpicklable":

                class OddError(Exception):
                    def __init__(self, one, two):
                        super().__init__(f"{one} and {two}")

                raise OddError(1, 2)

        def predict(self, X):
            return np.full(len(X), self.classes_[0])

        def predict_proba(self, X):
            return np.full((len(X), 2), 0.5)

    return Troubled()


def evaluate(models, *, cv=5, scoring="accuracy", **options):
    return PairedEvaluator(cv=cv, scoring=scoring, random_state=0, **options).evaluate(models, X, Y)


def first_fold_of(sample, cv=5):
    result = evaluate({"a": GaussianNB(), "b": GaussianNB()}, cv=cv)
    return next(i for i, (_, test) in enumerate(result._scores.kept_splits) if sample in test)


TROUBLES = {
    "killed": (r"WorkerLostError: its process died twice, exit codes \{SIGKILL\(-9\)\}", {"n_jobs": 2}),
    "native": (r"WorkerLostError: its process died twice, exit codes \{SIGABRT\(-6\)\}", {"n_jobs": 2}),
    "exits": (r"WorkerLostError: its process died twice, exit codes \{EXIT\(3\)\}", {"n_jobs": 2}),
    "hangs": (r"TimeoutError: not done within fit_timeout=1\.5 seconds", {"options": RunOptions(fit_timeout=1.5)}),
    "hangs beside others": (
        r"TimeoutError: not done within fit_timeout=1\.5 seconds",
        {"options": RunOptions(fit_timeout=1.5), "n_jobs": 2},
    ),
    "SystemExit": ("SystemExit: 3", {"n_jobs": 1}),
    "MemoryError": ("MemoryError: too big", {"n_jobs": 2}),
    "unpicklable": ("OddError: 1 and 2", {"n_jobs": 2}),
}


@pytest.mark.sampled
@pytest.mark.parametrize("trouble", TROUBLES)
def test_one_bad_fit_costs_that_fit_only(trouble):
    reason, options = TROUBLES[trouble]
    fold = first_fold_of(0)
    models = {"good": GaussianNB(), "bad": troubled(trouble.split()[0], [X[0]]), "fine": troubled("none")}
    with pytest.warns(FitFailedWarning, match="1 of 15 fits failed"):
        result = evaluate(models, error_score=np.nan, **options)
    (failure,) = result.failures
    assert (failure.estimator, failure.split) == ("bad", fold)
    place = rf"estimator 'bad' failed in fit on split {fold} \(repeat 0, fold {fold}\): "
    assert re.match(f"{place}.*{reason}", failure.message)
    assert np.isnan(result.score("bad", "accuracy")).tolist() == [i == fold for i in range(5)]
    assert np.isfinite(result.score("good", "accuracy")).all()
    assert np.isfinite(result.score("fine", "accuracy")).all()


RAISES = """
    import os, signal, sys, time
    from sklearn.datasets import load_iris
    from sklearn.naive_bayes import GaussianNB
    from skcompare import PairedEvaluator, RunOptions

    class Bad(GaussianNB):
        def fit(self, X, y):
            if sys.argv[1] == "killed":
                for _ in range(200):  # until another fit is done, so that there is something to keep
                    time.sleep(0 if os.path.exists(sys.argv[3]) else 0.05)
                os.kill(os.getpid(), signal.SIGKILL)
            time.sleep(3600)

    def note(event):
        reused.append(event.reused)
        open(sys.argv[3], "w").close()

    if __name__ == "__main__":
        limit = RunOptions(fit_timeout=1.5, callback=note)
        options = {"killed": {"n_jobs": 2}, "hangs": {"options": limit}}[sys.argv[1]]
        reused = []
        evaluator = PairedEvaluator(
            cv=5, scoring="accuracy", random_state=0, store=sys.argv[2],
            options=RunOptions(callback=note),
        )
        X, y = load_iris(return_X_y=True)
        good, other = GaussianNB(), GaussianNB(var_smoothing=0.1)
        try:
            evaluator.set_params(**options).evaluate({"good": good, "bad": Bad()}, X, y)
        except ValueError as error:
            print(type(error).__name__, error)
        reused.clear()
        evaluator.set_params(n_jobs=1, options=RunOptions(callback=note)).evaluate({"good": good, "other": other}, X, y)
        print(any(reused))
"""


@pytest.mark.sampled("ended processes")
@pytest.mark.slow
@pytest.mark.parametrize("trouble", ["killed", "hangs"] if FULL else ["hangs"])
def test_error_score_raise_stops_with_the_name_and_the_fold_and_keeps_what_is_finished(trouble, tmp_path):
    script = Script(tmp_path, RAISES, trouble, tmp_path / "runs.sqlite", tmp_path / "first_is_done")
    assert script.end() == 0, script.said("err")
    error, reused = script.said("out").splitlines()
    assert re.match(rf"EstimatorFailedError estimator 'bad' failed in fit on split \d .*{TROUBLES[trouble][0]}", error)
    assert reused == "True"


@pytest.mark.sampled("ended processes")
@OF_WORKERS
def test_two_models_that_die_are_both_named_and_the_third_is_whole():
    models = {"a": troubled("exits", [X[0]]), "b": troubled("killed", [X[1]]), "c": GaussianNB()}
    with pytest.warns(FitFailedWarning, match="2 of 15 fits failed"):
        result = evaluate(models, error_score=np.nan, n_jobs=2)
    assert {(failure.estimator, failure.split) for failure in result.failures} == {
        ("a", first_fold_of(0)),
        ("b", first_fold_of(1)),
    }
    assert np.isfinite(result.score("c", "accuracy")).all()


@pytest.mark.sampled("ended processes")
@OF_WORKERS
def test_a_model_that_dies_on_its_first_two_splits_is_fitted_no_more():
    models = {"a": troubled("exits", [np.zeros(4)]), "b": GaussianNB()}
    with pytest.warns(FitFailedWarning, match="'a' failed on its first 2 splits"):
        result = evaluate(models, error_score=np.nan, n_jobs=2)
    assert [failure.started for failure in result.failures] == [True, True, False, False, False]
    assert np.isfinite(result.score("b", "accuracy")).all()
    told = " ".join(result.summary().split())
    assert "'a' failed on its first 2 splits with the same message; its other 3 fits were not started" in told


DIED, RAISED = "WorkerLostError: its process died twice, exit codes {EXIT(3)}", "ValueError: no"


@given(
    outcomes=st.lists(st.sampled_from([DIED, DIED, RAISED, None]), min_size=3, max_size=12),
    order=st.randoms(use_true_random=False),
)
def test_the_first_outcomes_alone_decide_in_whatever_order_they_come(outcomes, order):
    """Two deaths, or five failures with one message."""
    first, splits = fit.FirstFits(len(outcomes)), [*range(len(outcomes))]
    given_up, n_failed = len(outcomes), 0
    if outcomes[:2] == [DIED, DIED]:
        given_up = n_failed = 2
    elif len(outcomes) > 5 and outcomes[:5] == [RAISED] * 5:
        given_up = n_failed = 5
    order.shuffle(splits)
    for known in range(len(splits) + 1):
        for split in range(len(outcomes)):
            assert first.failed(split, 0) in (None, n_failed * (split >= given_up))
        if known < len(splits):
            error = outcomes[splits[known]]
            first.take(splits[known], 0, chunks.FoldOutcome(errors={} if error is None else {"fit": error}))
    found = [first.failed(split, 0) for split in range(len(outcomes))]
    assert found == [n_failed * (split >= given_up) for split in range(len(outcomes))]


@pytest.mark.sampled("ended processes")
@OF_WORKERS
def test_a_worker_killed_from_outside_is_replaced_and_nothing_is_missing():
    class Slow(GaussianNB):
        def fit(self, X, y):
            time.sleep(0.05)
            return super().fit(X, y)

    killed = []

    def kill_one(event):
        if event.n_done == 4 and not killed:
            workers = [p for p in psutil.Process().children(recursive=True) if "popen_loky" in " ".join(p.cmdline())]
            killed.append(workers[0].pid)
            workers[0].kill()

    models = {"a": Slow(), "b": Slow(var_smoothing=0.1)}
    result = evaluate(models, cv="4x5", n_jobs=2, options=RunOptions(callback=kill_one))
    assert killed
    np.testing.assert_array_equal(
        result.scores, evaluate({"a": GaussianNB(), "b": GaussianNB(var_smoothing=0.1)}, cv="4x5").scores
    )
    assert result.failures == ()


def test_a_time_limit_that_nobody_reaches_changes_nothing():
    models = {"a": GaussianNB(), "b": troubled("none")}
    how = {"cv": "2x5", "scoring": ["accuracy", "roc_auc"]}
    limited = evaluate(models, options=RunOptions(fit_timeout=60.0), **how)
    np.testing.assert_array_equal(limited.scores, evaluate(models, **how).scores)


@pytest.mark.sampled("ended processes")
def test_a_hanging_predict_is_stopped_too():
    class Hangs(GaussianNB):
        def predict(self, X):  # noqa: ARG002
            time.sleep(3600)

    with pytest.raises(EstimatorFailedError, match=r"'hangs' failed in fit on split 0 .*fit_timeout=0\.5"):
        evaluate({"hangs": Hangs(), "bayes": GaussianNB()}, options=RunOptions(fit_timeout=0.5))


SCRIPT = """
    import signal, sys, time
    from sklearn.datasets import load_breast_cancer
    from sklearn.naive_bayes import GaussianNB
    from skcompare import PairedEvaluator, RunOptions

    class Slow(GaussianNB):
        def fit(self, X, y):
            time.sleep(0.05)
            return super().fit(X, y)

    if __name__ == "__main__":
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background inherits that it is ignored
        def told(event):
            if event.n_done - event.n_reused == 5:
                print("five", event.n_reused, flush=True)
        X, y = load_breast_cancer(return_X_y=True)
        n_jobs, store = int(sys.argv[1]), sys.argv[2]
        options = RunOptions(callback=told)
        evaluator = PairedEvaluator(cv="10x10", random_state=0, n_jobs=n_jobs, store=store, options=options)
        evaluator.evaluate({"a": Slow(), "b": Slow(var_smoothing=.1)}, X, y)
"""


@pytest.mark.sampled("ended processes")
@pytest.mark.slow
def test_an_interrupt_ends_the_run_at_once_and_keeps_what_is_finished(tmp_path):
    for attempt, n_jobs in enumerate([1, 2, 1] if FULL else [1, 2]):  # each goes on where the one before was stopped
        script = Script(tmp_path, SCRIPT, n_jobs, tmp_path / "runs.sqlite")
        word, n_reused = script.line().split()  # the run is under way
        assert word == "five"
        assert int(n_reused) >= 5 * attempt
        assert attempt > 0 or n_reused == "0"
        os.killpg(script.pid, signal.SIGINT)  # as a terminal does: to the workers too
        assert script.end(20) != 0
        assert "KeyboardInterrupt" in script.said("err")


@pytest.mark.sampled("ended processes")
@OF_WORKERS
def test_no_worker_outlives_a_killed_parent_for_long(tmp_path):
    script = Script(tmp_path, SCRIPT, 2, tmp_path / "runs.sqlite")
    assert script.line().startswith("five")
    children = psutil.Process(script.pid).children(recursive=True)
    os.kill(script.pid, signal.SIGKILL)
    script.end()
    assert children
    assert seconds_until_ended(children) < 20  # about one on a machine with nothing else to do


@pytest.mark.sampled
@pytest.mark.parametrize("share", [0.1, 0.6])  # of the second or so that workers take to start
def test_no_worker_outlives_a_parent_killed_while_it_starts(share, tmp_path, global_random_seed):
    script = Script(tmp_path, SCRIPT, 2, tmp_path / "runs.sqlite")
    parent = psutil.Process(script.pid)
    while not (workers := [p for p in parent.children() if "popen_loky" in " ".join(p.cmdline())]):
        assert script.process.is_alive()
    time.sleep(share + global_random_seed % 10 / 20)
    children = [*parent.children(recursive=True), *workers]
    os.kill(script.pid, signal.SIGKILL)
    script.end()
    assert seconds_until_ended(children) < 20


def seconds_until_ended(processes):
    """Until none runs; one that ended and that nobody has waited for yet does not run."""
    start = time.monotonic()
    while any(runs(process) for process in processes):
        assert time.monotonic() < start + 30
        time.sleep(0.02)
    return time.monotonic() - start


def runs(process):
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.mark.sampled("ended processes")
@pytest.mark.slow
@pytest.mark.parametrize("n_jobs", [1, 2] if FULL else [1])
def test_a_run_killed_again_and_again_ends_as_if_nothing_had_happened(
    n_jobs, tmp_path, monkeypatch, global_random_seed
):
    kills, cv = (20, "10x10") if FULL else (1, "4x5")
    monkeypatch.setenv("SESSION", "")  # is set for the processes that are started
    found = trial(tmp_path, kills=kills, n_jobs=n_jobs, cv=cv, seconds=0.02, seed=global_random_seed)
    assert found["scores equal to an undisturbed run, bit for bit"]
    assert found["fits started again although stored"] == 0
    assert found["fits once stored and then missing"] == 0
    # in the calling process one fit; in workers the chunks that they had
    assert found["fits in flight when killed, at most"] <= (2 if n_jobs == 1 else 80)


def test_nothing_is_warned_when_nothing_is_wrong(tmp_path, monkeypatch):
    monkeypatch.setattr(engine, "COLD_START", 0.0)
    monkeypatch.setattr(engine, "WARM_START", 0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        evaluate({"a": GaussianNB(), "b": GaussianNB(var_smoothing=0.1)}, n_jobs=2, store=tmp_path / "runs.sqlite")


# ---- what is raised where one would not look for it


class Property(GaussianNB):
    """Raises where its method is looked up."""

    @property
    def predict_proba(self):
        raise RuntimeError("no probabilities")


class Unsettable(GaussianNB):
    """Raises where its random state is set."""

    def __init__(self, random_state=None):
        super().__init__()
        self.random_state = random_state

    def set_params(self, **params):  # noqa: ARG002
        raise RuntimeError("as I am")


def exits(*_):
    sys.exit(2)


@pytest.mark.parametrize(
    ("model", "scoring", "words"),
    [
        (Property(), ["accuracy", "roc_auc"], "failed in predict_proba .*RuntimeError: no probabilities"),
        (Unsettable(), ["accuracy"], "failed in fit .*RuntimeError: as I am"),
        (GaussianNB(), {"exits": exits}, "failed in score .*SystemExit: 2"),
        (GaussianNB(), {"exits": exits, "f1": "f1_macro"}, "failed in score .*SystemExit: 2"),
    ],
)
def test_whatever_is_raised_is_a_failure_of_its_model_and_fold(model, scoring, words):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            result = evaluate({"odd": model, "bayes": GaussianNB(var_smoothing=0.1)}, scoring=scoring, error_score=0.0)
            message = result.failures[0].message
        except EstimatorFailedError as error:  # where all fits failed
            message = str(error)
    assert re.search(words, message)


def test_predictions_that_cannot_travel_are_a_failure_of_their_fold():
    class Odd(GaussianNB):
        def predict(self, X):
            return np.array([lambda: None] * len(X), dtype=object)

    with pytest.warns(UserWarning, match="scoring failed"):
        result = evaluate({"odd": Odd(), "bayes": GaussianNB()}, n_jobs=2, error_score=0.0)
    assert "predict gave objects that cannot be pickled" in result.failures[0].message
    assert (result.score("bayes", "accuracy") > 0).all()


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_estimator_may_write_all_its_answers_into_one_array(n_jobs):
    class Reuses(GaussianNB):
        memory: dict = {}  # noqa: RUF012

        def predict_proba(self, X):
            answer = super().predict_proba(X)
            memory = self.memory.setdefault(answer.shape, np.empty(answer.shape))
            memory[:] = answer
            return memory

    models = {"reuses": Reuses(), "plain": GaussianNB()}
    result = evaluate(models, scoring=["roc_auc"], n_jobs=n_jobs)
    np.testing.assert_array_equal(result.score("reuses", "roc_auc"), result.score("plain", "roc_auc"))


@pytest.mark.sampled("ended processes")
@OF_WORKERS
def test_evaluations_in_threads_do_not_pay_for_each_others_workers():
    models = {"good": troubled("none"), "bayes": GaussianNB()}
    dies = {"dies": troubled("exits", [X[0]]), "bayes": GaussianNB()}
    with ThreadPoolExecutor(2) as pool, warnings.catch_warnings():
        warnings.simplefilter("ignore", FitFailedWarning)
        lost = pool.submit(evaluate, dies, n_jobs=2, error_score=np.nan)
        whole = pool.submit(evaluate, models, cv="4x5", n_jobs=2)
        assert [failure.estimator for failure in lost.result().failures] == ["dies"]
        assert whole.result().failures == ()


def test_a_time_limit_is_refused_where_there_can_be_no_worker(tmp_path):
    code = """
        from sklearn.datasets import load_iris
        from sklearn.naive_bayes import GaussianNB
        from skcompare import PairedEvaluator, RunOptions

        try:
            models = {"a": GaussianNB(), "b": GaussianNB(var_smoothing=0.1)}
            PairedEvaluator(cv=3, options=RunOptions(fit_timeout=60.0)).evaluate(models, *load_iris(return_X_y=True))
        except ValueError as error:
            print(error, flush=True)
    """
    script = Script(tmp_path, code, daemon=True)
    script.end()
    assert "fit_timeout must be None where joblib can start no worker processes" in script.said("out")


# ---- interrupts, exits, sizes of models, what a killed run leaves

ENDS = """
    import sys, warnings
    import numpy as np
    from sklearn.datasets import load_iris
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB
    from skcompare import PairedEvaluator

    class Bad(GaussianNB):
        def fit(self, X, y):
            raise KeyboardInterrupt("mine")

    class Mine(GaussianNB):
        pass

    if __name__ == "__main__":
        warnings.simplefilter("ignore")
        X, y = load_iris(return_X_y=True)
        how = {"cv": 2, "scoring": ["accuracy", "model_size"], "error_score": np.nan, "random_state": 0}
        print(PairedEvaluator(n_jobs=2, **how).evaluate([GaussianNB(), Bad()], X, y).failures[0].message)
        models = [GaussianNB(), Mine(), LogisticRegression()]
        sizes = [PairedEvaluator(n_jobs=n, **how).evaluate(models, X, y).scores[:, :, 1] for n in (1, 2)]
        print(np.array_equal(*sizes))
        try:
            PairedEvaluator(n_jobs=1, **how).evaluate([GaussianNB(), Bad()], X, y)
        except KeyboardInterrupt as interrupt:
            print(interrupt.__notes__)
"""


@pytest.mark.sampled("ended processes")
@OF_WORKERS
def test_an_interrupt_names_its_place_and_a_model_of_the_main_script_has_one_size(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(ENDS))
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=60)
    failed, same_size, notes = done.stdout.splitlines()
    assert failed == "estimator 'bad' failed in fit on split 0 (repeat 0, fold 0): KeyboardInterrupt: mine"
    assert same_size == "True"
    assert notes == "[\"interrupted while estimator 'bad' ran on split 0 (repeat 0, fold 0)\"]"


def usable_classifiers():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # deprecated classes
        for name, kind in all_estimators(type_filter="classifier"):
            with suppress(TypeError):  # raised by those that need another estimator
                if hasattr(kind(), "predict"):
                    yield pytest.param(kind(), id=name)


@pytest.mark.sampled
@pytest.mark.parametrize("model", [*usable_classifiers()])
@pytest.mark.filterwarnings("ignore")
def test_the_size_of_a_model_does_not_tell_where_it_was_fitted(model):
    here = ({"here": model, "bayes": GaussianNB()}, X - X.min(), Y)
    there = pickle.loads(pickle.dumps(here))  # as in a worker, which shares no text with what it reads
    evaluator = PairedEvaluator(cv=2, scoring=["accuracy", "model_size"], random_state=0, error_score=np.nan)
    sizes = [evaluator.evaluate(*run).score("here", "model_size") for run in (here, there)]
    np.testing.assert_array_equal(*sizes)


class Exits(GaussianNB):
    """Exits where it is cloned or pickled."""

    def __init__(self, where="clone"):
        super().__init__()
        self.where = where

    def __sklearn_clone__(self):
        if self.where == "clone":
            sys.exit(3)
        return self

    def __getstate__(self):
        if self.where == "pickle":
            sys.exit(3)
        return super().__getstate__()


@pytest.mark.parametrize("where", ["clone", "pickle"])
def test_an_exit_around_the_fits_is_a_refusal_by_name(where):
    with pytest.raises(ValueError, match=r"^models\['exits'\] must be .* SystemExit: 3"):
        evaluate({"exits": Exits(where), "bayes": GaussianNB()}, n_jobs=2)


STAYS = """
    import os, sys, tempfile, time
    os.environ["TMPDIR"] = tempfile.tempdir = sys.argv[1]
    from sklearn.datasets import load_iris
    from sklearn.naive_bayes import GaussianNB
    from skcompare import PairedEvaluator, RunOptions

    def stay(event):
        print("under way", flush=True)
        time.sleep(3600)

    if __name__ == "__main__":
        PairedEvaluator(cv=5, options=RunOptions(fit_timeout=60.0, callback=stay)).evaluate(
            [GaussianNB(), GaussianNB(var_smoothing=0.1)], *load_iris(return_X_y=True)
        )
"""


SHARED = "joblib_memmapping_folder_"


@pytest.mark.sampled("ended processes")
@pytest.mark.skipif(os.name != "posix", reason="needs locks of files")
def test_the_next_run_removes_what_a_killed_one_left_and_nothing_of_a_living_one(tmp_path, monkeypatch):
    folder = tmp_path / "temporary"
    folder.mkdir()
    strange, victim = folder / "skcompare-strange", tmp_path / "victim"
    strange.mkdir()
    victim.mkdir()
    (folder / "skcompare-link").symlink_to(victim)
    killed, living = (Script(tmp_path, STAYS, folder) for _ in range(2))
    try:
        for script in (killed, living):
            assert script.line().startswith("under way")
        os.killpg(killed.pid, signal.SIGKILL)
        killed.end()
        assert len(list(folder.glob("skcompare-*"))) == 4
        monkeypatch.setattr(tempfile, "tempdir", str(folder))
        of_joblib = [folder / f"{name}{killed.pid}{end}" for name, end in (("sem.loky-", "-0"), (SHARED, "_0"))]
        of_joblib[0].touch()
        of_joblib[1].mkdir()
        (link := folder / f"{SHARED}{killed.pid}_link").symlink_to(victim)
        evaluate({"a": GaussianNB(), "b": troubled("none")}, options=RunOptions(fit_timeout=60.0))
        assert [*map(os.path.lexists, of_joblib), link.is_symlink()] == [False, False, True]
        left = {path.name for path in folder.glob("skcompare-*")} - {"skcompare-strange", "skcompare-link"}
        assert len(left) == 1
        assert living.process.is_alive()
        assert victim.is_dir()
        assert strange.is_dir()
        assert not list(Path("/dev/shm").glob(f"*-{killed.pid}-*"))
    finally:
        os.killpg(living.pid, signal.SIGKILL)
        living.end()


@pytest.mark.sampled("ended processes")
@OF_WORKERS
def test_a_temporary_folder_that_is_removed_is_made_again(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def remove(event):
        if event.n_done == 3:
            for folder in tmp_path.glob("skcompare-*"):
                shutil.rmtree(folder, ignore_errors=True)

    models = {"a": troubled("none"), "b": GaussianNB()}
    found = evaluate(models, cv="4x5", n_jobs=2, options=RunOptions(callback=remove))
    np.testing.assert_array_equal(found.scores, evaluate(models, cv="4x5").scores)
    assert not list(tmp_path.glob("skcompare-*"))


@pytest.mark.sampled("ended processes")
@OF_WORKERS
def test_a_fit_that_hangs_is_ended_also_where_the_temporary_folder_is_gone(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    class HangsOnce(GaussianNB):
        def fit(self, X, y):
            if folders := [*tmp_path.glob("skcompare-*")]:
                with suppress(FileExistsError):
                    (tmp_path / "hung").touch(exist_ok=False)
                    shutil.rmtree(folders[0])
                    time.sleep(400)
            return super().fit(X, y)

    start = time.monotonic()
    found = evaluate({"a": HangsOnce(), "b": GaussianNB(var_smoothing=0.1)}, options=RunOptions(fit_timeout=200.0))
    assert time.monotonic() - start < 200
    assert (tmp_path / "hung").exists()
    assert found.failures == ()
