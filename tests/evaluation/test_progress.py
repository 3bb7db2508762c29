"""What is told of a run while it goes on."""

from __future__ import annotations

import io
import math
import time
from functools import partialmethod

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris, load_wine, make_classification
from sklearn.exceptions import FitFailedWarning
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from tqdm import tqdm

import skcompare
from skcompare import PairedEvaluator, RunOptions
from skcompare.evaluation import engine

X, Y = make_classification(n_samples=60, n_features=4, random_state=0)
MODELS = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}


class FailsNow(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):  # noqa: ARG002
        raise ValueError("not today")

    def predict(self, X):
        return np.zeros(len(X))


def run(models=MODELS, **options):
    events = []
    evaluator = PairedEvaluator(
        cv="2x3", scoring="accuracy", random_state=0, options=RunOptions(callback=events.append), **options
    )
    return evaluator.evaluate(models, X, Y), events


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_every_fit_is_told_once_and_the_counts_add_up(n_jobs):
    class Local(GaussianNB):
        pass

    _, events = run({"bayes": Local(), "tree": DecisionTreeClassifier()}, n_jobs=n_jobs)
    assert all(isinstance(event, skcompare.ProgressEvent) for event in events)
    fits = {(event.estimator, event.repeat, event.fold) for event in events}
    assert fits == {(name, r, f) for name in ("bayes", "tree") for r in range(2) for f in range(3)}
    assert [event.n_done for event in events] == list(range(1, 13))
    assert {event.n_total for event in events} == {12}
    assert {(event.dataset, event.reused, event.error) for event in events} == {(None, False, None)}
    elapsed = [event.elapsed for event in events]
    assert elapsed == sorted(elapsed)
    last = events[-1]
    assert last.time_left == 0
    assert math.isclose(last.rate * last.elapsed, 12)


def test_failures_are_told_with_their_reason():
    with pytest.warns(FitFailedWarning, match=r"5 of 12 fits failed.*its other 1 fit was not started"):
        _, events = run({"bayes": GaussianNB(), "bad": FailsNow()}, error_score=np.nan)
    failed = [event for event in events if event.error is not None]
    assert [event.n_failed for event in failed] == list(range(1, 6))
    assert events[-1].n_done == events[-1].n_total == 11
    assert failed[0].error == "estimator 'bad' failed in fit on split 0 (repeat 0, fold 0): ValueError: not today"


def test_what_the_store_has_is_told_as_reused(tmp_path):
    store = tmp_path / "runs.sqlite"
    run(store=store)
    _, events = run({**MODELS, "third": DecisionTreeClassifier(max_depth=1, random_state=0)}, store=store)
    assert sum(event.reused for event in events) == 12
    assert {event.estimator for event in events if not event.reused} == {"third"}
    assert events[-1].n_reused == 12
    assert events[-1].n_done == events[-1].n_total == 18
    assert math.isclose(events[-1].rate * events[-1].elapsed, 6)


def test_a_study_names_its_data_sets():
    events = []
    evaluator = PairedEvaluator(cv=2, random_state=0, options=RunOptions(callback=events.append))
    datasets = {"iris": load_iris(return_X_y=True), "wine": load_wine(return_X_y=True)}
    evaluator.evaluate_datasets(MODELS, datasets)
    assert [event.dataset for event in events] == ["iris"] * 4 + ["wine"] * 4


def test_what_a_callback_raises_ends_the_run():
    class EnoughError(Exception):
        pass

    def callback(event):
        if event.n_done == 3:
            raise EnoughError

    with pytest.raises(EnoughError):
        PairedEvaluator(cv=3, random_state=0, options=RunOptions(callback=callback)).evaluate(MODELS, X, Y)


def test_the_bar_counts_fits_and_failures_on_standard_error_only(capsys):
    with pytest.warns(FitFailedWarning, match="5 of 12 fits failed"):
        run({"bayes": GaussianNB(), "bad": FailsNow()}, error_score=0.0, progress=True)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "11/11" in captured.err
    assert "failed=5" in captured.err
    run()
    assert capsys.readouterr() == ("", "")


def test_the_bar_tells_the_rate_and_the_time_left(capsys):
    class Slow(GaussianNB):
        def fit(self, X, y):
            time.sleep(0.05)
            return super().fit(X, y)

    run({"slow": Slow(), "slower": Slow()}, progress=True)
    err = capsys.readouterr().err
    assert "fit/s" in err
    assert "<00:0" in err


def test_the_time_left_after_a_resume_counts_new_fits_alone(monkeypatch):
    """80 fits are there, 10 are made at one per second: the bar and the events say so, and nothing of 80 at once."""
    now, told, bars = [1000.0], [], []
    monkeypatch.setattr(engine, "monotonic", lambda: now[0])
    splits = type("Splits", (), {"n_folds": 10, "__len__": lambda _: 50})()
    with tqdm(total=100, file=io.StringIO(), mininterval=0) as bar:
        monkeypatch.setattr(bar, "_time", lambda: now[0])
        bar.start_t = bar.last_print_t = now[0]
        reporter = engine.Reporter(["a", "b"], splits, None, bar=bar, callback=told.append, n_total=100)
        for split in range(40):
            now[0] += 0.5  # a store that is slow to read
            for estimator in range(2):
                reporter.tell(split, estimator, reused=True)
        for split in range(40, 45):
            for estimator in range(2):
                now[0] += 1
                reporter.tell(split, estimator)
                bars.append(bar.format_dict)
    for event in told[80:]:
        assert event.time_left == pytest.approx(event.n_total - event.n_done)
    assert all(found["rate"] is None or found["rate"] == pytest.approx(1) for found in bars)
    assert bars[-1]["n"] == 90
    assert bars[-1]["elapsed"] == pytest.approx(10)


def test_a_bar_that_is_switched_off_is_no_trouble(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("tqdm.std.tqdm.__init__", partialmethod(tqdm.__init__, disable=True))
    for _ in range(2):
        run(progress=True, store=tmp_path / "runs.sqlite")
    assert capsys.readouterr() == ("", "")
