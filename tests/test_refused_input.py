"""Bad input is refused by the name of the argument: every refusal with its message, as on the page `refused_input.md`."""

# ruff: noqa: E501 - a message stands in one piece

from __future__ import annotations

import gzip
import io
import os
import pickle
import re
import sqlite3
import sys
import tempfile
import warnings
import zipfile
from collections.abc import Callable
from contextlib import closing, redirect_stderr
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple
from unittest import mock

import joblib
import numpy as np
import pandas as pd
import pytest
import scipy
import sklearn
from joblib.parallel import ThreadingBackend
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator
from sklearn.dummy import DummyClassifier
from sklearn.metrics import get_scorer_names
from sklearn.model_selection import GridSearchCV, GroupKFold, KFold, LeavePOut, ShuffleSplit, TimeSeriesSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import skcompare
from skcompare._core.archive import read_archive, write_archive
from skcompare._core.metrics import METRICS
from skcompare.cli import main as cli

LABEL_METRICS = [name for name, row in METRICS.items() if row.of_labels]
_MEANS = [name for name, row in METRICS.items() if row.is_mean]
_VALUED = dict.fromkeys((*_MEANS, "neg_root_mean_squared_error", "r2", "roc_auc_ovr", "roc_auc", *LABEL_METRICS))
_OWN_NAMES = ", ".join(name for name, row in METRICS.items() if row.tasks and name not in get_scorer_names())
PAGE = Path(__file__).parents[1] / "docs" / "refused_input.md"
RUNS = {"model": ["a", "a", "b", "b"], "run": [0, 1, 0, 1], "score": [0.9, 0.8, 0.7, 0.6]}
X = np.random.default_rng(0).normal(size=(40, 3))
Y, Y3 = np.arange(40) % 2, np.arange(40) % 3
TWO_OF_40 = {"a": np.roll(Y, 1), "b": Y}
SCORES = {"model": ["a", "a", "b", "b"], "fold": [0, 1, 0, 1], "score": [0.9, 0.8, 0.7, 0.8]}
SPECS = ("--model", "nb=sklearn.naive_bayes:GaussianNB", "--model", "tree=sklearn.tree:DecisionTreeClassifier")
TREES = ("--model", "a=sklearn.tree:DecisionTreeRegressor", "--model", "b=sklearn.tree:DecisionTreeRegressor")
MODEL_TABLE = '[models]\na = "sklearn.naive_bayes:GaussianNB"\nb = "sklearn.tree:DecisionTreeClassifier"\n'
TWO_COLUMNS = "x,z\n1,2\n"
DUMMY = DummyClassifier()
FITS: list[str] = []
GONE = object()


class Counted(GaussianNB):
    """Tells when it is fitted."""

    def fit(self, X, y):
        FITS.append("fitted")
        return super().fit(X, y)


class Broken(GaussianNB):
    """Cannot be fitted."""

    def fit(self, X, y):  # noqa: ARG002
        raise RuntimeError("no")


class Short(GaussianNB):
    """Predicts one row."""

    def predict(self, X):
        return super().predict(X)[:1]


class Stubborn(GaussianNB):
    """Changes its parameter, which scikit-learn forbids."""

    def __init__(self, *, var_smoothing=1e-9):
        super().__init__(var_smoothing=var_smoothing * 2)


MODELS = {"nb": Counted(), "tree": Counted()}
REGRESSORS = {"a": DecisionTreeRegressor(), "b": DecisionTreeRegressor(max_depth=2)}


def evaluate(estimators=MODELS, *, y=Y, groups=None, **options):
    options = {"cv": 3, "random_state": 0, **options}
    return skcompare.PairedEvaluator(**options).evaluate(estimators, X, y, groups=groups)


def curve_of(train_sizes, **options):
    options = {"cv": 4, "random_state": 0, "scoring": "accuracy", **options}
    models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier()}
    return skcompare.PairedEvaluator(**options).learning_curve(models, X, Y, train_sizes=train_sizes)


def strategies():
    return skcompare.experiments.full_factorial({"strategy": ["prior", "uniform"]})


def saved_curve(folder):
    curve_of([0.5, 1.0]).save(folder / "x.skc")
    return folder / "x.skc"


class BaseEstimatorThatPredicts(BaseEstimator):
    """Says neither that it is a classifier nor that it is a regressor."""

    def fit(self, X, y):  # noqa: ARG002
        return self

    def predict(self, X):
        return X[:, 0]


def with_routing(**given):
    with sklearn.config_context(enable_metadata_routing=True):
        return evaluate(**given)


def with_threads(**given):
    with joblib.parallel_config(backend="threading", n_jobs=2):
        return evaluate(**given)


def study_of(datasets=None, **options):
    given = {"d": (X, Y)} if datasets is None else datasets
    return skcompare.PairedEvaluator(**{"cv": 3, **options}).evaluate_datasets(MODELS, given)


def fail():
    raise OSError("no such data")


OLD_NEW = ("--old", "a", "--new", "b")
GATE = ("--metric", "f1", "--margin", "0.01")


def predicted(folder):
    """Predictions of the models a and b on four samples."""
    rows = [f"{model},{i},{i % 2},{i % 2}" for model in "ab" for i in range(4)]
    return csv(folder, "\n".join(["model,sample_id,y_true,prediction", *rows]))


def ending_module(*words):
    """A command that takes models from a module that is a script without a guard."""

    class Script(ModuleType):
        def __getattr__(self, name):
            sys.exit(0)

    with mock.patch.dict(sys.modules, ending=Script("ending")):
        command(*words)


def labelled():
    return skcompare.from_predictions(np.eye(4), {"a": np.eye(4), "b": 1 - np.eye(4)}, scoring=["accuracy", "f1_micro"])


RECORDS = np.array([(bool(i % 2), float(i)) for i in range(40)], dtype=[("event", bool), ("time", float)])


class Timed(BaseEstimator):
    """A risk, of events with times."""

    def fit(self, _, y):
        self.n_ = len(y)
        return self

    def predict(self, X):
        return X[:, 0]


def timed(cv):
    evaluator = skcompare.PairedEvaluator(cv=cv, scoring={"risk": lambda model, X, _: model.predict(X).mean()})
    return evaluator.evaluate([Timed(), Timed()], X, RECORDS)


def one_test_set():
    return skcompare.from_predictions([0, 1, 0, 1], {"a": [0, 1, 1, 1], "b": [0, 0, 0, 1]}, scoring=["f1"])


def three_classes():
    return skcompare.from_predictions([0, 1, 2, 1], {"a": [0, 1, 2, 1], "b": [0, 2, 2, 1]}, scoring=["accuracy"])


def other_predictions(folder):
    """Of a third model, in another file."""
    return written(folder, "x.txt", b"sample_id,y_true,prediction\n0,0,1\n1,1,1\n2,0,0\n3,1,1\n")


def saved_twice(folder):
    plain(OTHERS, seed=1).save(folder / "y.skc")
    return saved_as(plain(), folder), folder / "y.skc"


@cache
def result(scoring=("accuracy", "f1")):
    models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2, random_state=0)}
    return skcompare.PairedEvaluator(cv=3, scoring=list(scoring), random_state=0).evaluate(models, X, Y)


def alone(scoring="accuracy"):
    return skcompare.PairedEvaluator(cv=3, scoring=scoring, random_state=0).evaluate({"nb": GaussianNB()}, X, Y)


def in_time(metric, **options):
    models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2, random_state=0)}
    return skcompare.PairedEvaluator(cv=TimeSeriesSplit(3), scoring=[metric], **options).evaluate(models, X, Y)


@cache
def copies_of_one_model(names):
    return skcompare.PairedEvaluator(cv=3, scoring="roc_auc", random_state=0).evaluate(
        {n: GaussianNB() for n in names}, X, Y
    )


@cache
def regression():
    return skcompare.PairedEvaluator(cv=3, random_state=0).evaluate(REGRESSORS, X, X[:, 0])


def scores_only():
    return skcompare.from_frame(SCORES)


TWO = {"a": [0, 1, 1], "b": [0, 1, 0]}
TIDY = {"model": ["a", "a", "b", "b"], "sample_id": [1, 2, 1, 2], "prediction": [0, 1, 0, 1], "y_true": [0, 1, 0, 1]}
WIDE = pd.DataFrame({"a": [0.1, 0.2, 0.3], "b": [0.2, 0.1, 0.4]}, index=["d", "e", "f"])
INDICES = {"train": [[2, 3], [0, 1]], "test": [[0, 1], [2, 3]]}
DICT = {"test_score": [0.9, 0.8], "indices": INDICES}
BARE = {"a": {"test_score": [0.9, 0.8]}, "b": {"test_score": [0.7, 0.8]}}
CV_RESULTS = {"params": [{"d": 1}, {"d": 2}], "split0_test_score": [0.9, 0.8], "split1_test_score": [0.7, 0.8]}


def dicts(**changes):
    """Of two models, the second with changes; None takes an entry away."""
    changed = {name: value for name, value in {**DICT, **changes}.items() if value is not None}
    return {"a": DICT, "b": changed}


@cache
def plain(names=("nb", "tree"), scoring=("accuracy",), seed=0, **options):
    models = {name: MODELS_TO_MERGE[name] for name in names}
    evaluator = skcompare.PairedEvaluator(**{"cv": "1x3", "scoring": list(scoring), "random_state": seed, **options})
    return evaluator.evaluate(models, X, Y)


MODELS_TO_MERGE = {
    "nb": GaussianNB(),
    "tree": DecisionTreeClassifier(max_depth=2),
    "stump": DecisionTreeClassifier(max_depth=1),
    "dummy": DUMMY,
}
OTHERS = ("stump", "dummy")


def on_data(X, y, names=OTHERS, **options):
    models = {name: MODELS_TO_MERGE[name] for name in names}
    options = {"cv": "1x3", "scoring": ["accuracy"], "random_state": 0, **options}
    return skcompare.PairedEvaluator(**options).evaluate(models, X, y)


def drawn(scoring):
    models = {"nb": GaussianNB(), "dummy": DummyClassifier(strategy="stratified")}
    seed = 0 if scoring == "f1" else 1
    return skcompare.PairedEvaluator(cv=KFold(4), scoring=[scoring], random_state=seed).evaluate(models, X, Y)


def items(names, metric="score", **known):
    return skcompare.from_outcomes({metric: {name: [1, 0, 1, 1] for name in names}}, **known)


def described(names, site):
    rows = [(name, i, 1.0 * (i > 0), site) for name in names for i in range(4)]
    return skcompare.from_outcomes(pd.DataFrame(rows, columns=["model", "sample_id", "outcome", "site"]))


def directed(greater, names="ab"):
    return skcompare.from_cross_validate(dict(zip(names, (DICT, DICT), strict=True)), greater_is_better=greater)


def many_metrics():
    metrics = [f"m{i}" for i in range(13) for _ in SCORES["model"]]
    return skcompare.from_frame({"metric": metrics, **{name: values * 13 for name, values in SCORES.items()}})


def study():
    return skcompare.StudyResult.from_frame(
        {"dataset": ["d", "e", "f"], "a": [1, 2, 3], "b": [2, 1, 3], "c": [3, 3, 1]}
    )


def same_twice():
    return skcompare.from_frame({**SCORES, "score": [0.9, 0.8, 0.9, 0.8]})


def equal_study():
    return skcompare.StudyResult.from_frame({"dataset": ["d", "e", "f"], "a": [1, 2, 3], "b": [1, 2, 3]})


def gaps(*columns):
    n = 20_000
    frame = {"model": ["a", "b"] * (n // 2), "score": [0.5] * n}
    return frame | {name: [f"{name}{i}" for i in range(n)] for name in columns}


def written(folder, name, content):
    path = folder / name
    path.write_bytes(content)
    return path


def read_only(folder):
    path = written(folder, "x.txt", b"")
    path.chmod(0o444)
    return path


def pipe(folder):
    os.mkfifo(folder / "x.csv")
    return folder / "x.csv"


def store_of_format(folder, number):
    path = folder / "x.txt"
    with closing(sqlite3.connect(path)) as file:
        for statement in ("CREATE TABLE t (a)", "PRAGMA application_id = 0x736B6370", f"PRAGMA user_version={number}"):
            file.execute(statement)
    return path


def archive(folder, members, method=zipfile.ZIP_STORED):
    path = folder / "x.skc"
    with zipfile.ZipFile(path, "w", method, compresslevel=1) as new:
        for name, content in members.items():
            new.writestr(name, content)
    return path


def moved(folder):
    path = archive(folder, {"result.json": b"{}"})
    content = bytearray(path.read_bytes())
    entry = content.index(b"PK\x01\x02")
    content[entry + 42 : entry + 46] = b"\xff\xff\xff\x7f"
    return written(folder, path.name, content)


def doubled(folder):
    path = archive(folder, {"result.json": b"{}", "result.jsom": b"{}"})
    return written(folder, path.name, path.read_bytes().replace(b"result.jsom", b"result.json"))


def changed(saved, folder, entries):
    """The saved file with entries of its header changed, and its digest with them, or left out where `GONE`."""
    path = folder / "x.skc"
    saved.save(path)
    kind, header, arrays = read_archive(path)
    header = {name: value for name, value in {**header, **entries}.items() if value is not GONE}
    write_archive(path, kind, header, arrays)
    return path


def saved_as(made, folder):
    made.save(folder / "x.skc")
    return folder / "x.skc"


def tampered(folder, **entries):
    return changed(result(), folder, entries)


def tampered_study(folder, **entries):
    return changed(study(), folder, entries)


def design():
    found = result().design
    return {name: getattr(found, name) for name in found.__dataclass_fields__}


def npy(array):
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=True)
    return buffer.getvalue()


def command(*arguments):
    with redirect_stderr(io.StringIO()) as said:
        status = cli.command.main(
            [str(argument) for argument in arguments], prog_name="skcompare", standalone_mode=False
        )
    if status:
        raise ValueError(said.getvalue().removeprefix("skcompare: error: ").rstrip("\n"))


def csv(folder, text):
    return written(folder, "x.csv", text.encode())


def toml(folder, text):
    return written(folder, "x.toml", text.encode())


def compare(path, models=SPECS):
    command("compare", "--data", path, "--target", "y", "--cv", "2", *models)


def split(splitter, n=40):
    return list(splitter.split(X[:n], Y[:n]))


def search(n_candidates=3, n_splits=5, **attributes):
    """What a search has after fit."""
    scores = np.random.default_rng(0).normal(0.8, 0.05, (n_candidates, n_splits))
    table = {"params": [{"C": i} for i in range(n_candidates)]}
    table |= {f"split{i}_test_score": scores[:, i] for i in range(n_splits)}
    return SimpleNamespace(**{"cv": n_splits, "cv_results_": table, **attributes})


def search_without(key):
    found = search()
    del found.cv_results_[key]
    return found


def search_report(found=None, *data, **options):
    return skcompare.SearchReport.from_search(search() if found is None else found, *data, **options)


def two_metrics():
    found = search().cv_results_
    return found | {f"split{i}_test_f1": found[f"split{i}_test_score"] for i in range(5)}


def selector(estimators=MODELS, evaluator=None, rule="margin"):
    used = skcompare.PairedEvaluator(cv=3, scoring="accuracy", random_state=0) if evaluator is None else evaluator
    return skcompare.ComparisonSelector(estimators, used, rule).fit(X, Y)


def stopping():
    return skcompare.PairedEvaluator(
        cv="3x5", scoring=["accuracy", "recall"], random_state=0, stop=skcompare.StopRule()
    )


class Scoreless(Counted):
    """Has no score."""

    score = property()


def both(estimator_a=MODELS["nb"], estimator_b=MODELS["tree"], y=Y, **options):
    return skcompare.cross_val_compare(estimator_a, estimator_b, X, y, **options)


def both_with_routing(**options):
    with sklearn.config_context(enable_metadata_routing=True):
        return both(**options)


@cache
def calibration_of(a, b, n=40):
    """A calibration of two naive Bayes models that is not one of `MODELS`."""
    rng = np.random.default_rng(0)
    differences = rng.normal(size=(20, 1, 3))
    return skcompare.calibration.Calibration(
        estimators=(a, b),
        identities=("x", "y"),
        metrics=("accuracy",),
        calibrations={"accuracy": skcompare.inference.calibrate(differences - differences.mean())},
        uncalibrated={},
        scheme="all",
        alpha=0.05,
        generator="permuted labels",
        design=skcompare.Design(
            n_samples=n,
            n_repeats=1,
            n_folds=3,
            n_splits=3,
            train_sizes=(),
            test_sizes=(),
            test_fraction=1 / 3,
            partition=True,
            split_hash="",
        ),
        n_datasets=20,
        random_state=0,
        versions={},
    )


def calibrated_evaluation(of, **options):
    return skcompare.PairedEvaluator(**{"cv": 3, "scoring": "accuracy", **options}).evaluate(
        MODELS, X, Y, calibration=of
    )


def size_of(procedure="corrected_t_test", design=3, generator=None, **options):
    generator = skcompare.calibration.ExchangeableBlocks(n_samples=40) if generator is None else generator
    return skcompare.calibration.size(procedure, design, generator, "accuracy", **{"models": GaussianNB(), **options})


def rate_of(**options):
    return skcompare.calibration.predicted_error_rate(**{"metric": "accuracy", "n_samples": 200, **options})


def replicability_of(design, **options):
    blocks = skcompare.calibration.ExchangeableBlocks(n_samples=40)
    return skcompare.calibration.replicability("auto", design, blocks, "accuracy", models=GaussianNB(), **options)


def on_a_cluster(missing=(), **versions):
    """One node of ray that says what it lacks and has."""
    here = {"skcompare": skcompare.__version__, "sklearn": sklearn.__version__}
    answer = dict(missing), here | {"numpy": np.__version__, "scipy": scipy.__version__} | versions
    task = SimpleNamespace(options=lambda **_: SimpleNamespace(remote=lambda: answer))
    nodes = [{"NodeID": "a", "NodeManagerAddress": "10.0.0.1", "Alive": True}]
    ray = SimpleNamespace(remote=lambda _: task, get=list, nodes=lambda: nodes)
    affinity = SimpleNamespace(NodeAffinitySchedulingStrategy=lambda *_, **__: None)
    pickling = SimpleNamespace(dumps=pickle.dumps)
    parts = {"ray": ray, "ray.cloudpickle": pickling, "ray.util.scheduling_strategies": affinity}
    kind = type("RayBackend", (ThreadingBackend,), {"__module__": "ray.util.joblib.ray_backend"})
    joblib.register_parallel_backend("ray_of_one_node", kind)
    with mock.patch.dict(sys.modules, parts), joblib.parallel_config(backend="ray_of_one_node", n_jobs=2):
        evaluate()


TREE = DecisionTreeClassifier().fit([[0], [1]], [0, 1])


class ReadsATree(GaussianNB):
    def predict(self, X):
        return TREE.predict(X)


def weka():
    """A table of WEKA's Experimenter."""
    keys = {"Key_Dataset": "iris", "Key_Run": 1, "Key_Scheme": ["weka.a", "weka.b"], "Key_Scheme_options": ""}
    return pd.DataFrame(
        {**keys, "Number_of_training_instances": 4, "Number_of_testing_instances": 2, "Percent_correct": 50.0}
    )


def harness(**line):
    """Samples of a language model."""
    return [{"doc_id": 0, "target": "", "resps": [], "acc": 1.0, **line}]


def skore():
    """Metrics of skore on one test set."""
    row = {"name": "accuracy", "verbose_name": "Accuracy", "estimator": ["a", "b"], "data_source": "test"}
    return pd.DataFrame({**row, "greater_is_better": True, "score": 0.5})


def amlb(**columns):
    """Results of the AutoML Benchmark."""
    return pd.DataFrame({"task": "iris", "framework": ["a", "b"], "fold": 0, "seed": 1, "info": "", **columns})


def tsml(folder, name="x", *, model="a", dataset="iris", split="TEST", third="0.5,1,1,1,-1,2"):
    """A file of tsml-eval."""
    path = folder / f"{name}.csv"
    path.write_text(
        f"{dataset},{model},{split},0,SECONDS,\nNone\n{third}\n0,0,,0.9,0.1\n1,0,,0.6,0.4\n", encoding="utf-8"
    )
    return path


def mlflow_runs(**columns):
    """Runs of MLflow."""
    return pd.DataFrame({"run_id": ["1", "2"], "status": "FINISHED", "metrics.f1": [0.1, 0.2], **columns})


def trials(**columns):
    """Trials of a study of Optuna."""
    return pd.DataFrame({"number": [0, 1], "value": [0.2, 0.4], "params_x": [1, 2], "state": "COMPLETE", **columns})


class Row(NamedTuple):
    """One refused input, the argument that the message names, and what it says to do; at its end `...` is of others."""

    where: str
    what: str
    refused: Callable[[Path], Any]
    name: str
    remedy: str

    def message(self, folder):
        """What is said, `{folder}` being the folder of the file that was given."""
        with pytest.raises((ValueError, TypeError, OSError)) as caught:
            self.refused(folder)
        said = str(caught.value).replace(str(folder), "{folder}")
        ours, of_others, theirs = said.partition(self.remedy.removesuffix("..."))
        return f"{ours}{of_others}..." if theirs and self.remedy.endswith("...") else said

    def pattern(self):
        """What a message must hold: the name, which a requirement follows and any other remedy need not."""
        name, remedy = rf"(?<!\w){re.escape(self.name)}(?!\w)", re.escape(self.remedy)
        return f"{name} {remedy}" if self.remedy.startswith("must ") else f"(?s)(?=.*{name}).*{remedy}"


# fmt: off
ROWS: dict[str, list[Row]] = {
    'Designed experiments': [
        Row('full_factorial(factors)', 'one level', lambda _: skcompare.experiments.full_factorial({"max_depth": [1]}),
            'factors', 'must give two or more different levels'),
        Row('full_factorial(log)', 'levels that are no positive numbers', lambda _: skcompare.experiments.full_factorial({"C": [0, 1]}, log=["C"]),
            'log', 'must name factors with positive numbers'),
        Row('fractional_factorial(factors)', 'three levels', lambda _: skcompare.experiments.fractional_factorial({"a": [1, 2], "b": [1, 2], "c": [1, 2, 3]}),
            'factors', 'must have two levels each'),
        Row('fractional_factorial(generators)', 'not a factor', lambda _: skcompare.experiments.fractional_factorial(dict.fromkeys("abc", (0, 1)), {"c": "a:x"}),
            'generators', 'must give products of two or more factors'),
        Row('fractional_factorial(resolution)', 'more than there are factors', lambda _: skcompare.experiments.fractional_factorial(dict.fromkeys("abc", (0, 1)), resolution=4),
            'resolution', 'must be at most the number of factors, 3'),
        Row('central_composite(factors)', 'no numbers', lambda _: skcompare.experiments.central_composite({"C": (1, 2), "kernel": ("linear", "rbf")}),
            'factors', "must give two numbers for 'kernel', low and high"),
        Row('central_composite(factors)', 'nine', lambda _: skcompare.experiments.central_composite(dict.fromkeys("abcdefghi", (0.0, 1.0))),
            'factors', 'must be 2 to 8'),
        Row('central_composite(factors)', 'integers without one between', lambda _: skcompare.experiments.central_composite({"a": (0.0, 1.0), "b": (1, 2)}),
            'factors', 'must be so wide that a quadratic keeps three'),
        Row('central_composite(face)', 'points below 1', lambda _: skcompare.experiments.central_composite({"depth": (1, 5), "C": (0.1, 0.2)}, face="circumscribed"),
            'factors', "must have a low end of 'depth'"),
        Row('latin_hypercube(n_runs)', 'one run', lambda _: skcompare.experiments.latin_hypercube({"C": (1, 2)}, 1),
            'n_runs', 'must be an integer of at least 2'),
        Row('design.estimators(estimator)', 'without the parameter', lambda _: skcompare.experiments.full_factorial({"depth": [1, 2]}).estimators(DUMMY),
            'factors', 'must name parameters of DummyClassifier'),
        Row('run_experiment(design)', 'a mapping', lambda _: skcompare.experiments.run_experiment(DUMMY, {"a": [1, 2]}, X, Y),
            'design', 'must be an ExperimentDesign'),
        Row('run_experiment(evaluator)', 'a number of folds', lambda _: skcompare.experiments.run_experiment(DUMMY, strategies(), X, Y, evaluator=5),
            'evaluator', 'must be a PairedEvaluator'),
        Row('run_experiment(evaluator)', 'with a stop', lambda _: skcompare.experiments.run_experiment(DUMMY, strategies(), X, Y, evaluator=skcompare.PairedEvaluator(stop=skcompare.StopRule())),
            'evaluator', 'must have no stop, which would drop settings'),
        Row('ExperimentReport.from_result(result)', 'other models', lambda _: skcompare.experiments.ExperimentReport.from_result(strategies(), result()),
            'result', 'must have all settings of the design as models'),
        Row('ExperimentReport.from_search(search)', 'no search', lambda _: skcompare.experiments.ExperimentReport.from_search(5),
            'search', 'must be a fitted search with cv_results_'),
    ],
    'Planning': [
        Row('design_efficiency(n_samples)', 'not simulated', lambda _: skcompare.planning.design_efficiency(n_samples=1000),
            'n_samples', 'must be one of 60, 200, which were simulated'),
        Row('design_efficiency().within(cost)', 'less than any design', lambda _: skcompare.planning.design_efficiency().within(1),
            'cost', 'must be at least 4, that of 5-fold'),
        Row('plan(pilot)', 'no result', lambda _: skcompare.planning.plan(3, 0.1),
            'pilot', 'must be an EvaluationResult or a StudyResult'),
        Row('plan(pilot)', 'scores that do not vary', lambda _: skcompare.planning.plan(same_twice(), 0.1),
            'pilot', 'must have scores that vary on two splits or more'),
        Row('plan(pilot)', 'a study of equal models', lambda _: skcompare.planning.plan(equal_study(), 0.1),
            'pilot', 'must have differences that vary on two data sets'),
        Row('plan(pilot)', 'of one test set', lambda _: skcompare.planning.plan(skcompare.from_predictions(Y, TWO_OF_40, scoring="accuracy"), 0.1),
            'pilot', 'must be of several splits, runs or data sets'),
        Row('plan(procedure)', 'no test by Student\'s t', lambda _: skcompare.planning.plan(result(), 0.1, procedure="permutation_test"),
            'procedure', "must be a test by Student's t, with a standard"),
        Row('detectable_difference(result)', 'no result', lambda _: skcompare.planning.detectable_difference(study()),
            'result', 'must be an EvaluationResult; got StudyResult'),
        Row('detectable_difference(result, procedure)', 'no test by Student\'s t', lambda _: skcompare.planning.detectable_difference(result(), procedure="permutation_test"),
            'procedure', "must be a test by Student's t, with a standard"),
        Row('plan_evaluation(margin)', 'not positive', lambda _: skcompare.planning.plan_evaluation(0, std=0.1, n_train=9, n_test=1),
            'margin', 'must be a number in (0, inf)'),
        Row('plan_evaluation(std)', 'not positive', lambda _: skcompare.planning.plan_evaluation(0.1, std=0, n_train=9, n_test=1),
            'std', 'must be a number in (0, inf)'),
        Row('plan_evaluation(n_repeats)', 'one split', lambda _: skcompare.planning.plan_evaluation(0.1, std=1, n_train=9, n_test=1, n_folds=1, n_repeats=1),
            'n_repeats', 'must give from 2 to 1,000,000,000 splits with n_folds = 1'),
        Row('plan_evaluation(correlation)', 'outside [0, 1)', lambda _: skcompare.planning.plan_evaluation(0.1, std=1, n_train=9, n_test=1, correlation=1),
            'correlation', 'must be a number in [0, 1)'),
        Row('plan_study(std)', '0 without a within_error', lambda _: skcompare.planning.plan_study(0.1, std=0),
            'std', 'must be a number in (0, inf)'),
        Row('plan_study(procedure)', 'an unknown name', lambda _: skcompare.planning.plan_study(0.1, std=1, procedure="signed_rank"),
            'procedure', "did you mean 'signed_rank_test'?"),
        Row('study_power(std)', 'not positive', lambda _: skcompare.inference.study_power(0.1, std=-1, n_datasets=9),
            'std', 'must be a number in (0, inf)'),
        Row('seed_variance(evaluator)', 'no PairedEvaluator', lambda _: skcompare.planning.seed_variance(5, MODELS, X, Y),
            'evaluator', 'must be a PairedEvaluator'),
        Row('seed_variance(evaluator)', 'with a stop', lambda _: skcompare.planning.seed_variance(skcompare.PairedEvaluator(stop=skcompare.StopRule(2)), MODELS, X, Y),
            'evaluator', 'must have no stop, which would end the seeds'),
        Row('seed_variance(evaluator)', 'with seeds of its own', lambda _: skcompare.planning.seed_variance(skcompare.PairedEvaluator(n_seeds=2), MODELS, X, Y),
            'evaluator', 'must have n_seeds=1, the seeds being given here'),
        Row('seed_variance(n_seeds)', 'below 2', lambda _: skcompare.planning.seed_variance(skcompare.PairedEvaluator(), MODELS, X, Y, n_seeds=1),
            'n_seeds', 'must be an integer of at least 2'),
    ],
    'Calibrating a test': [
        Row('calibrate(differences)', 'models that are not equal', lambda _: skcompare.inference.calibrate([[1, 2], [2, 4]] * 10),
            'differences', 'must be those of equal models'),
        Row('calibrate(differences)', 'models that never differ', lambda _: skcompare.inference.calibrate(np.zeros((20, 5))),
            'differences', 'must vary; the mean of every data set is 0'),
        Row('calibrate(differences)', 'no spread within data sets', lambda _: skcompare.inference.calibrate([[1, 1], [-1, -1]] * 10),
            'differences', 'must vary within data sets and between them'),
        Row('calibrate(differences)', 'too few data sets', lambda _: skcompare.inference.calibrate(np.zeros((18, 5))),
            'differences', 'must be of at least 19 data sets for alpha=0.05'),
        Row('calibrate(differences)', 'one value for the scheme', lambda _: skcompare.inference.calibrate(np.zeros((20, 1, 5)), scheme="folds"),
            'differences', "must give scheme 'folds' a sample of 2 or more"),
        Row('calibrate(X, y)', 'neither data nor generator', lambda _: skcompare.calibration.calibrate(3, MODELS),
            'X and y', 'must be given where generator is not'),
        Row('calibrate(generator)', 'none', lambda _: skcompare.calibration.calibrate(3, MODELS, generator=3),
            'generator', 'must have draw and pair, as RandomData() has'),
        Row('calibrate(n_datasets)', 'too few', lambda _: skcompare.calibration.calibrate(3, MODELS, X, Y, n_datasets=10),
            'n_datasets', 'must be an integer of at least 19'),
        Row('calibrate(evaluator)', 'with several seeds', lambda _: skcompare.calibration.calibrate(skcompare.PairedEvaluator(cv=3, n_seeds=2, random_state=0), MODELS, X, Y),
            'evaluator', 'must have n_seeds=1 to be simulated, one fit'),
        Row('calibrate(evaluator)', 'with a stop', lambda _: skcompare.calibration.calibrate(stopping(), MODELS, X, Y),
            'evaluator', 'must have no stop, which makes designs'),
        Row('calibrate', 'models that never differ', lambda _: skcompare.calibration.calibrate(3, {"a": DUMMY, "b": DUMMY}, X, Y, metrics="accuracy", n_datasets=20),
            'differences', 'must vary; the mean of every data set is 0'),
        Row('.evaluate(calibration)', 'none', lambda _: calibrated_evaluation(3),
            'calibration', 'must be None or a Calibration'),
        Row('.evaluate(calibration)', 'of other models', lambda _: calibrated_evaluation(calibration_of("a", "b")),
            'calibration', 'must be of two of the estimators nb and tree'),
        Row('.evaluate(calibration)', 'of other parameters', lambda _: calibrated_evaluation(calibration_of("nb", "tree")),
            'calibration', 'must be of the estimators that are evaluated'),
        Row('.evaluate(calibration)', 'of other metrics', lambda _: calibrated_evaluation(calibration_of("nb", "tree"), scoring="f1"),
            'calibration', 'must have one of the metrics f1'),
        Row('.evaluate(calibration)', 'of another design', lambda _: calibrated_evaluation(calibration_of("nb", "tree"), cv="2x3"),
            'calibration', 'must be of 2x3 cross-validation'),
        Row('.evaluate(calibration)', 'on far fewer samples', lambda _: calibrated_evaluation(calibration_of("nb", "tree", n=19)),
            'calibration', 'must be on between half and twice the 40 samples'),
        Row('.evaluate(calibration)', 'with a stop', lambda _: calibrated_evaluation(calibration_of("nb", "tree"), cv="3x5", stop=skcompare.StopRule()),
            'calibration', 'must be None with a stop, which may end before'),
        Row('predicted_error_rate', 'n_samples that is no integer', lambda _: rate_of(n_samples=20.5),
            'n_samples', 'must be an integer'),
        Row('predicted_error_rate', 'one sample', lambda _: rate_of(n_samples=1),
            'n_samples', 'must be an integer of at least 2'),
        Row('predicted_error_rate', 'no share of positives', lambda _: rate_of(positives="x"),
            'positives', 'must be a number in (0, 1)'),
        Row('predicted_error_rate', 'all are positive', lambda _: rate_of(positives=1),
            'positives', 'must be a number in (0, 1)'),
        Row('predicted_error_rate', 'none is called positive', lambda _: rate_of(called_positive=0),
            'called_positive', 'must be a number in (0, 1)'),
        Row('predicted_error_rate', 'an instability above 1', lambda _: rate_of(instability=1.01),
            'instability', 'must be a number in [0, 1]'),
        Row('predicted_error_rate', 'one class', lambda _: rate_of(n_classes=1),
            'n_classes', 'must be an integer of at least 2'),
        Row('predicted_error_rate', 'positives of three classes', lambda _: rate_of(n_classes=3, positives=0.5),
            'positives and called_positive', 'must be None with more than two classes'),
        Row('predicted_error_rate', 'a share called positive of three classes', lambda _: rate_of(n_classes=3, called_positive=0.5),
            'positives and called_positive', 'must be None with more than two classes'),
        Row('predicted_error_rate', 'no design', lambda _: rate_of(design="3x"),
            'design', "must be an int k, 'RxK', 'k-fold' or '30 random splits'"),
        Row('predicted_error_rate', 'one fold', lambda _: rate_of(design=1),
            'design', "must be an int k, 'RxK', 'k-fold' or '30 random splits'"),
        Row('predicted_error_rate', 'no repeat', lambda _: rate_of(design="0x5"),
            'design', "must be an int k, 'RxK', 'k-fold' or '30 random splits'"),
        Row('predicted_error_rate', 'no random split', lambda _: rate_of(design="0 random splits"),
            'design', "must be an int k, 'RxK', 'k-fold' or '30 random splits'"),
        Row('predicted_error_rate', 'a design of thousands of digits', lambda _: rate_of(design="1" * 5000 + "x2"),
            'design', "must be an int k, 'RxK', 'k-fold' or '30 random splits'"),
        Row('predicted_error_rate', 'a splitter for a design', lambda _: rate_of(design=KFold(3)),
            'design', "must be an int k, 'RxK', 'k-fold' or '30 random splits'"),
        Row('predicted_error_rate', 'a procedure that is not known', lambda _: rate_of(procedure="t"),
            'procedure', "must be 'auto' or one that procedures() lists"),
        Row('predicted_error_rate', 'several procedures', lambda _: rate_of(procedure=["auto"]),
            'procedure', "must be 'auto' or one that procedures() lists"),
        Row('predicted_error_rate', 'a procedure that does not fit the design', lambda _: rate_of(design=10, procedure="five_by_two_f_test"),
            'procedure', 'must fit the design'),
        Row('predicted_error_rate', 'a metric that is no name', lambda _: rate_of(metric=3),
            'metric', 'must be the name of a metric'),
        Row('predicted_error_rate', 'a metric that nothing has', lambda _: rate_of(metric="recal"),
            "did you mean 'recall'? metric", "must be a scorer name of scikit-learn or of skcompare; got 'recal'"),
        Row('predicted_error_rate', 'positives of numbers', lambda _: rate_of(metric="r2", positives=0.3),
            'positives, called_positive and n_classes', "must be left out of 'r2', a metric of numbers"),
        Row('predicted_error_rate', 'classes of numbers', lambda _: rate_of(metric="neg_median_absolute_error", n_classes=3),
            'positives, called_positive and n_classes', "must be left out of 'neg_median_absolute_error'"),
        Row('size(procedure)', 'gives no p-value', lambda _: size_of("correlated_t_posterior"),
            'procedure', 'must be a test of two equal models'),
        Row('size(procedure)', 'does not fit the design', lambda _: size_of("five_by_two_f_test"),
            'procedure', "must fit the design; 'five_by_two_f_test' needs"),
        Row('size(design)', 'no design', lambda _: size_of(design="3x"),
            'design', "must be an int k, 'RxK' with at least 2 folds"),
        Row('size(generator)', 'no generator', lambda _: size_of(generator=3),
            'generator', 'must have methods draw(rng) and pair(models)'),
        Row('size(generator)', 'an alternative', lambda _: size_of(generator=skcompare.calibration.ExchangeableBlocks(signal_b=1.0)),
            'generator', 'must be a null for a size'),
        Row('size(models)', 'two for blocks', lambda _: size_of(models=MODELS),
            'models', 'must be one for ExchangeableBlocks'),
        Row('size(n_datasets)', 'one', lambda _: size_of(n_datasets=1),
            'n_datasets', 'must be an integer of at least 2'),
        Row('size(alpha)', 'not a level', lambda _: size_of(alpha=5),
            'alpha', 'must be a number in (0, 1)'),
        Row('size(**options)', 'no option of the procedure', lambda _: size_of(df=9),
            'df', "is no option of 'corrected_t_test'"),
        Row('replicability(design)', 'the same splits every time', lambda _: replicability_of(KFold(3)),
            'design', 'must draw other splits every time'),
        Row('replicability(n_repeats)', 'one', lambda _: replicability_of(3, n_repeats=1),
            'n_repeats', 'must be an integer of at least 2'),
        Row('RandomData(positive)', 'one class', lambda _: skcompare.calibration.RandomData(n_samples=10, positive=0.01),
            'positive', 'must leave a sample in either class of 10'),
        Row('ExchangeableBlocks(signal)', 'nan', lambda _: skcompare.calibration.ExchangeableBlocks(signal=float("nan")),
            'signal', 'must be a number in (-inf, inf)'),
        Row('LabelPermutation(y)', 'one class', lambda _: skcompare.calibration.LabelPermutation(X=X, y=[1] * 40),
            'y', 'must have at least 2 different values to permute'),
    ],
    'PairedEvaluator': [
        Row('cv', 'None, or True', lambda _: evaluate(cv=None),
            'cv', "must be an int k, 'RxK', a splitter or (train"),
        Row('cv', 'below 2 folds', lambda _: evaluate(cv=1),
            'cv', 'must be at least 2 folds'),
        Row('cv', 'another string', lambda _: evaluate(cv="5"),
            'cv', "must be an int k, 'RxK' with at least 2 folds"),
        Row('cv', 'one fold per repeat', lambda _: evaluate(cv="3x1"),
            'cv', "must be an int k, 'RxK' with at least 2 folds"),
        Row('cv', 'groups that it ignores', lambda _: evaluate(cv=KFold(3), groups=np.arange(len(Y)) // 2),
            'cv', 'must read groups where they are given'),
        Row('cv', 'no splitter', lambda _: evaluate(cv=2.5),
            'cv', "must be an int k, 'RxK', a splitter or (train"),
        Row('cv', 'more folds than samples', lambda _: evaluate(cv=100),
            'cv', 'must be able to split this data: ...'),
        Row('cv', 'more folds than samples of a class', lambda _: evaluate(cv=30),
            'cv', 'must be able to split this data: ...'),
        Row('cv', 'a splitter that lacks its groups', lambda _: evaluate(cv=GroupKFold(3)),
            'cv', 'must be able to split this data: ...'),
        Row('cv', 'no pairs', lambda _: evaluate(cv=[1, 2]),
            'cv', 'must yield (train, test) pairs'),
        Row('cv', 'no pair at all', lambda _: evaluate(cv=[]),
            'cv', 'must yield at least one (train, test) pair'),
        Row('cv', 'an empty part', lambda _: evaluate(cv=[([0, 1], [])]),
            'the test indices of split 0 of cv', 'must be a non-empty list of integers'),
        Row('cv', 'indices that are no integers', lambda _: evaluate(cv=[([0.0], [1.0])]),
            'the train indices of split 0 of cv', 'must be a non-empty list of integers'),
        Row('cv', 'indices outside the data', lambda _: evaluate(cv=[([0, 1], [99])]),
            'the test indices of split 0 of cv', 'must be in [0, 40)'),
        Row('cv', 'masked indices', lambda _: evaluate(cv=[(np.ma.array([0, 1, 2], mask=[True, False, False]), [3, 4])]),
            'the train indices of split 0 of cv', 'must not have masked values'),
        Row('y', 'complex numbers', lambda _: evaluate(y=Y + 0j),
            'y', 'must hold labels or real numbers'),
        Row('cv, several data sets', 'a list of pairs', lambda _: study_of(cv=[([0], [1])]),
            'cv', "must be a number of folds, 'RxK' or a splitter"),
        Row('error_score', 'neither "raise" nor a number', lambda _: evaluate(error_score="ignore"),
            'error_score', "must be 'raise' or a number"),
        Row('error_score', 'a boolean', lambda _: evaluate(error_score=True),
            'error_score', "must be 'raise' or a number"),
        Row('n_jobs', '0, or no integer', lambda _: evaluate(n_jobs=0),
            'n_jobs', 'must be None or a non-zero integer'),
        Row('store', 'code that reads what cannot be told from others', lambda folder: evaluate({"a": ReadsATree(), "b": GaussianNB()}, store=folder / "runs.sqlite"),
            "models['a']", 'must be something that a store can tell'),
        Row('store', 'no path', lambda _: evaluate(store=3),
            'store', 'must be None or the path of a file'),
        Row('store', 'in no folder', lambda folder: evaluate(store=folder / "none" / "runs.sqlite"),
            'store', 'must be in a directory that exists'),
        Row('store', 'a folder', lambda folder: evaluate(store=folder),
            'store', 'must be a file; ...'),
        Row('store', 'another kind of file', lambda folder: evaluate(store=written(folder, "x.txt", b"text" * 999)),
            'store', 'must be a file made by skcompare; ...'),
        Row('store', 'damaged', lambda folder: evaluate(store=written(folder, "x.txt", b"SQLite format 3\0" + bytes(52) + b"skcp" + bytes(28))),
            'store', 'is damaged or was changed: ...'),
        Row('store', 'of another format', lambda folder: evaluate(store=store_of_format(folder, 2)),
            'store', 'its format is 2, this version knows 3'),
        Row('store', 'with a splitter that draws other splits each time', lambda folder: evaluate(store=folder / "s", random_state=None, cv=KFold(3, shuffle=True)),
            'cv', 'must draw the same splits in the next run'),
        Row('fit_timeout', 'not positive', lambda _: evaluate(options=skcompare.RunOptions(fit_timeout=0)),
            'fit_timeout', 'must be None or a positive number of seconds'),
        Row('n_jobs', 'a node of a cluster that lacks a module', lambda _: on_a_cluster({"sklearn.naive_bayes": "there is none"}),
            'the cluster', "must be able to import 'sklearn.naive_bayes', which the run needs; node 10.0.0.1 cannot (there is none): install it on all nodes, or send it with ray.init(runtime_env={'py_modules': ..."),
        Row('n_jobs', 'a node of a cluster with another version', lambda _: on_a_cluster(scipy="0.1"),
            'the cluster', 'must have scipy ...'),
        Row('fit_timeout', 'with threads or a cluster', lambda _: with_threads(options=skcompare.RunOptions(fit_timeout=1.0)),
            'fit_timeout', 'must be None with the joblib backend'),
        Row('n_jobs', 'threads whose memory is measured', lambda _: with_threads(scoring=["accuracy", "peak_memory"]),
            'n_jobs', 'must be 1 with the joblib backend'),
        Row('progress', 'no boolean', lambda _: evaluate(progress="yes"),
            'progress', 'must be True or False'),
        Row('keep_predictions', 'no boolean', lambda _: evaluate(options=skcompare.RunOptions(keep_predictions=1)),
            'keep_predictions', 'must be True or False'),
        Row('check_data', 'no boolean', lambda _: evaluate(options=skcompare.RunOptions(check_data="yes")),
            'check_data', 'must be True or False'),
        Row('callback', 'not callable', lambda _: evaluate(options=skcompare.RunOptions(callback=3)),
            'callback', 'must be None or a callable'),
        Row('groups', 'a missing one', lambda _: skcompare.PairedEvaluator(cv=3).evaluate({"a": GaussianNB(), "b": GaussianNB()}, X, Y, groups=[None, *range(len(Y) - 1)]),
            'groups', 'must name the group of each sample'),
        Row('groups', 'a column', lambda _: skcompare.PairedEvaluator(cv=3).evaluate({"a": GaussianNB(), "b": GaussianNB()}, X, Y, groups=np.zeros((len(Y), 1))),
            'groups', 'must have shape (n_samples,)'),
        Row('n_seeds', 'none', lambda _: evaluate(n_seeds=0),
            'n_seeds', 'must be an integer of at least 1'),
        Row('n_seeds', 'without a seed', lambda _: evaluate(n_seeds=3, random_state=None),
            'random_state', 'must be an int for n_seeds above 1'),
        Row('n_seeds', 'with a stop', lambda _: evaluate(cv="3x4", n_seeds=3, random_state=0, stop=skcompare.StopRule(3, min_repeats=3)),
            'stop', 'must be None for n_seeds above 1'),
        Row('n_seeds', 'a name that a fit would have', lambda _: skcompare.PairedEvaluator(cv=3, random_state=0, n_seeds=2).evaluate({"tree": DecisionTreeClassifier(), "tree, seed 1982462498": GaussianNB()}, X, Y),
            'models', 'must have other names for n_seeds than those'),
        Row('baseline', 'an estimator', lambda _: evaluate(baseline=GaussianNB()),
            'baseline', "must be None, 'dummy' or the name of one"),
        Row('baseline', 'an unknown name', lambda _: evaluate(baseline="nbb"),
            'baseline', "did you mean 'nb'?"),
        Row('baseline', 'dummy beside an estimator of that name', lambda _: evaluate({"nb": Counted(), "dummy": DUMMY}, baseline="dummy"),
            'models', "must have other names than 'dummy'"),
        Row('baseline', 'dummy without an estimator', lambda _: evaluate([], baseline="dummy"),
            'models', 'must be one or more'),
        Row('baseline', 'dummy beside what is neither a classifier nor a regressor', lambda _: evaluate({"a": BaseEstimatorThatPredicts()}, baseline="dummy"),
            'baseline', 'must be None or the name of an estimator where'),
        Row('baseline', 'dummy beside a target of records', lambda _: evaluate(y=RECORDS, baseline="dummy"),
            'y', "must hold labels or numbers for scikit-learn's"),
        Row('learning_curve(train_sizes)', 'no sequence', lambda _: curve_of(0.5),
            'train_sizes', 'must be two or more shares of the training'),
        Row('learning_curve(train_sizes)', 'one size', lambda _: curve_of([0.5]),
            'train_sizes', 'must be two or more shares of the training'),
        Row('learning_curve(train_sizes)', 'a share out of range', lambda _: curve_of([0.5, 1.5]),
            'train_sizes', 'must be two or more shares of the training'),
        Row('learning_curve(train_sizes)', 'one sample', lambda _: curve_of([1, 20]),
            'train_sizes', 'must be two or more shares of the training'),
        Row('learning_curve(train_sizes)', 'the same twice', lambda _: curve_of([0.5, 0.5]),
            'train_sizes', 'must be distinct'),
        Row('learning_curve(train_sizes)', 'sizes that are the same number of samples', lambda _: curve_of([0.5, 0.51]),
            'train_sizes', 'must be apart; 0.51 gives 15 training samples'),
        Row('learning_curve(train_sizes)', 'more than there are', lambda _: curve_of([20, 31]),
            'train_sizes', 'must be at most 30, as many samples are trained'),
        Row('learning_curve(train_sizes)', 'a share that leaves one sample', lambda _: curve_of([0.05, 1.0]),
            'train_sizes', 'must leave 2 or more training samples'),
        Row('learning_curve', 'with a stop', lambda _: curve_of([0.5, 1.0], stop=skcompare.StopRule(2)),
            'stop', 'must be None for a learning curve, of which each'),
        Row('.crossing', 'in time order', lambda _: curve_of([0.5, 1.0], cv=TimeSeriesSplit(4)).crossing(),
            'a crossing', 'compare() tests each size'),
        Row('.crossing', 'no level', lambda _: curve_of([0.5, 1.0]).crossing(confidence_level=1),
            'confidence_level', 'must be a number in (0, 1)'),
        Row('.plot of a learning curve', 'a kind of a result', lambda _: curve_of([0.5, 1.0]).plot("scores"),
            'kind', "must be one of 'learning_curve'"),
        Row('stop', 'no StopRule', lambda _: evaluate(stop=5),
            'stop', 'must be None or a StopRule'),
        Row('stop', 'with a splitter', lambda _: evaluate(cv=GroupKFold(3), stop=skcompare.StopRule()),
            'cv', "must be an int k or 'RxK' of at least 2 folds"),
        Row('stop', 'with one repeat', lambda _: evaluate(cv="1x10", stop=skcompare.StopRule()),
            'cv', 'must give from 2 to 100 repeats to choose from'),
        Row('stop', 'a first look at fewer than 10 splits', lambda _: evaluate(cv="8x2", stop=skcompare.StopRule(min_repeats=1)),
            'min_repeats of stop', 'must give 10 splits to look at, 5 repeats of 2'),
        Row('stop', 'one of its fields set alone', lambda _: skcompare.PairedEvaluator(stop=skcompare.StopRule()).set_params(stop__alpha=0.1),
            'stop', 'must be set as a whole, stop=StopRule(...)'),
        Row('stop', 'a margin as large as any difference on the metric', lambda _: evaluate(scoring="f1", stop=skcompare.StopRule(margin=1)),
            'margin of stop', 'must be a difference that f1 can have, less than 1 in size'),
        Row('stop', 'a metric that is not scored', lambda _: evaluate(scoring="f1", stop=skcompare.StopRule(metric="f2")),
            'metric of stop', "must be one of 'f1'"),
        Row('stop', 'a metric that was given', lambda _: evaluate(cv="4x5", scoring={"rank": {"nb": 1, "tree": 2}}, stop=skcompare.StopRule()),
            'metric of stop', 'must be measured'),
        Row('stop', 'with several data sets', lambda _: study_of(stop=skcompare.StopRule(2)),
            'stop', 'must be None for several data sets'),
        Row('StopRule', 'max_repeats below 2', lambda _: skcompare.StopRule(1),
            'max_repeats', 'must be an integer of at least 2'),
        Row('StopRule', 'max_repeats above 100', lambda _: skcompare.StopRule(101),
            'max_repeats', 'must be at most 100'),
        Row('StopRule', 'no largest number of repeats', lambda _: skcompare.StopRule(float('inf')),
            'max_repeats', 'must be at most 100'),
        Row('StopRule', 'min_repeats below 1', lambda _: skcompare.StopRule(min_repeats=0),
            'min_repeats', 'must be an integer of at least 1'),
        Row('StopRule', 'min_repeats above max_repeats', lambda _: skcompare.StopRule(3, min_repeats=5),
            'min_repeats', 'must be at most max_repeats, 3'),
        Row('StopRule', 'a metric that is no name', lambda _: skcompare.StopRule(metric=3),
            'metric', 'must be None or the name of a metric'),
        Row('StopRule', 'alpha out of range', lambda _: skcompare.StopRule(alpha=0.5),
            'alpha', 'must be a number in (0, 0.5)'),
        Row('StopRule', 'a rope that is not positive', lambda _: skcompare.StopRule(margin=0),
            'margin', 'must be a number in (0, inf)'),
        Row('StopRule', 'unknown spending', lambda _: skcompare.StopRule(spending="all"),
            'spending', "must be one of 'late', 'obrien_fleming', 'pocock'"),
        Row('StopRule', 'drop of no such kind', lambda _: skcompare.StopRule(drop="first"),
            'drop', "must be True, False or 'unlikely'"),
        Row('cv', 'a class', lambda _: evaluate(cv=KFold),
            'cv', 'must be a splitter, not its class'),
        Row('random_state', 'negative', lambda _: evaluate(random_state=-1),
            'random_state', 'must be None, an int in [0, 2**32)'),
        Row('random_state', 'no integer', lambda _: evaluate(random_state=1.5),
            'random_state', 'must be None, an int in [0, 2**32)'),
        Row('random_state', 'a string', lambda _: evaluate(random_state="seed"),
            'random_state', 'must be None, an int in [0, 2**32)'),
        Row('scoring', 'none of the forms', lambda _: evaluate(scoring=3),
            'scoring', 'must be None, a name, a list, a dict'),
        Row('scoring', 'an unknown name', lambda _: evaluate(scoring="accurcy"),
            'scoring', "did you mean 'accuracy' or 'top_k_accuracy'?"),
        Row('scoring', 'an unknown name in a list', lambda _: evaluate(scoring=["f1", "zzz"]),
            'scoring[1]', "must be a scorer name of scikit-learn or of skcompare; got 'zzz'. Of skcompare are "),
        Row('scoring', 'the name of a loss', lambda _: evaluate(scoring="rmse"),
            'scoring', "did you mean 'neg_root_mean_squared_error'?"),
        Row('scoring', 'the name of a loss, negated', lambda _: evaluate(scoring="neg_rmse"),
            'scoring', "did you mean 'neg_root_mean_squared_error'?"),
        Row('scoring', 'an abbreviation', lambda _: evaluate(scoring=["f1", "mcc"]),
            'scoring[1]', "did you mean 'matthews_corrcoef'?"),
        Row('scoring', 'a short name', lambda _: evaluate(scoring="acc"),
            'scoring', "did you mean 'accuracy'?"),
        Row('scoring', 'no metric', lambda _: evaluate(scoring=[]),
            'scoring', 'must name at least one metric'),
        Row('scoring', 'a scorer in a list', lambda _: evaluate(scoring=[max]),
            'scoring[0]', "must be a metric's name"),
        Row('scoring', 'a name that is no string', lambda _: evaluate(scoring={1: "f1"}),
            'scoring[1]', "must be a metric's name"),
        Row('scoring', 'an empty name', lambda _: evaluate(scoring={"": "f1"}),
            'scoring', 'must be named by non-empty strings'),
        Row('scoring', 'a name with control characters', lambda _: evaluate(scoring={"a\x1b[2J": "f1"}),
            'scoring', 'must be named without control characters'),
        Row('scoring', 'a metric twice', lambda _: evaluate(scoring=["f1", "f1"]),
            'scoring', 'must name each metric once'),
        Row('scoring', 'neither name nor callable in a dict', lambda _: evaluate(scoring={"mine": 3}),
            "scoring['mine']", 'must be a name or a callable (estimator, X, y)'),
        Row('scoring', 'the name of a loss for another metric', lambda _: evaluate(scoring={"neg_log_loss": "accuracy"}),
            "scoring['neg_log_loss']", "must be 'neg_log_loss' or a loss, make_scorer(..., greater_is_better=False)"),
        Row('scoring', 'the name of a cost for another metric', lambda _: evaluate(scoring={"fit_time": "accuracy"}),
            "scoring['fit_time']", "must be 'fit_time' or a number per model"),
        Row('scoring', 'n_parameters without a callable', lambda _: evaluate(scoring="n_parameters"),
            'scoring', "must be given as a dict, scoring={'n_parameters'"),
        Row('scoring', 'complexity of a model that is not known', lambda _: evaluate(scoring=["accuracy", "complexity"]),
            'scoring', "must be a dict with a callable, {'complexity'"),
        Row('scoring', 'a number by model that lacks one', lambda _: evaluate(scoring={"rank": {"nb": 1}}),
            "scoring['rank']", 'must have a number for every estimator'),
        Row('scoring', 'a number of a model that is not there', lambda _: evaluate(scoring={"rank": {"nb": 1, "tree": 2, "knn": 3}}),
            "a model of scoring['rank']", "must be one of 'nb', 'tree'"),
        Row('scoring', 'a number by model that is none', lambda _: evaluate(scoring={"rank": {"nb": 1, "tree": np.inf}}),
            "scoring['rank']['tree']", 'must be a number in (-inf, inf)'),
        Row('scoring', 'two classes needed', lambda _: evaluate(scoring="specificity", y=Y3),
            'scoring', 'must fit the target, which is multiclass'),
        Row('scoring', 'left out for a target of records', lambda _: evaluate([Timed(), Timed()], y=RECORDS),
            'scoring', 'must be given for a y that is neither classes'),
        Row('scoring', 'a metric of labels on classes', lambda _: evaluate(scoring="neg_hamming_loss"),
            'scoring', 'must fit the target, which is binary'),
        Row('scoring', 'a metric of grades on texts', lambda _: evaluate(y=np.array(["low", "high"])[Y], scoring="quadratic_kappa"),
            'scoring', "must fit the target, which is binary; 'quadratic_kappa' does not: could not convert"),
        Row('scoring', 'a metric of labels per sample on classes', lambda _: evaluate(scoring="f1_samples"),
            'scoring', "must fit the target, which is binary; 'f1_samples' does not: "),
        Row('scoring', 'a metric that reads what no model gives', lambda _: evaluate({"a": DecisionTreeRegressor()}, y=X[:, 0], scoring="roc_auc"),
            'scoring', "must fit the models; 'roc_auc' needs decision_function or predict_proba, which 'a' does not"),
    ],
    'A result of one model': [
        Row('StudyResult.from_frame(frame)', 'no model', lambda _: skcompare.StudyResult.from_frame({"dataset": ["d"]}),
            'frame', 'it has no column of scores'),
        Row('result.compare()', 'of one model', lambda _: alone().compare(),
            'a comparison', 'takes two or more models'),
        Row('result.test()', 'of one model', lambda _: alone().test(),
            'a comparison', 'takes two or more models'),
        Row('result.dominance("table")', 'of one model', lambda _: alone().dominance("table"),
            'a comparison', 'takes two or more models'),
        Row('result.by(labels)', 'of one model', lambda _: alone().by(Y),
            'a comparison', 'takes two or more models'),
        Row('plot("differences")', 'of one model', lambda _: alone().plot(),
            'a comparison', 'takes two or more models'),
        Row('result.add(name)', 'taken', lambda _: alone().add("nb", DecisionTreeClassifier(), X, Y),
            'name', 'must be one that the result does not have yet'),
        Row('result.add(X)', 'other data', lambda _: alone().add("tree", DecisionTreeClassifier(), X + 1, Y),
            'X', 'must be the data of the result'),
        Row('result.add(y)', 'other data', lambda _: alone().add("tree", DecisionTreeClassifier(), X, 1 - Y),
            'y', 'must be the data of the result'),
        Row('result.add(...)', 'of a table', lambda _: scores_only().add("tree", DecisionTreeClassifier(), X, Y),
            'add', 'evaluate all models at once'),
        Row('result.add(...)', 'of a metric without a name', lambda _: alone(scoring=lambda *_: 1.0).add("tree", DecisionTreeClassifier(), X, Y),
            'add', 'use skcompare.merge'),
        Row('result.refit(name)', 'unknown', lambda _: result().refit("svc", X, Y),
            'name', "must be one of 'nb', 'tree'"),
        Row('result.refit(name)', 'of a table', lambda _: scores_only().refit("a", X, Y),
            'refit', 'fit it yourself'),
    ],
    'PairedEvaluator.evaluate': [
        Row('models', 'no mapping and no list', lambda _: evaluate(3),
            'models', 'must be a mapping of name to estimator, a list'),
        Row('models', 'none', lambda _: evaluate({}),
            'models', 'must be one or more'),
        Row('store', 'with fitted models', lambda folder: evaluate(return_estimator=True, store=folder / "fits.db"),
            'store', 'must be None for return_estimator=True'),
        Row('return_train_score', 'no boolean', lambda _: evaluate(return_train_score="yes"),
            'return_train_score', 'must be True or False'),
        Row('n_seeds', 'with training scores', lambda _: evaluate(return_train_score=True, n_seeds=2),
            'n_seeds', 'must be 1 where training scores or fitted models are kept'),
        Row('stop', 'of one model', lambda _: evaluate({"a": Counted()}, cv="5x2", stop=skcompare.StopRule()),
            'stop', 'must be None for one model'),
        Row('compare(**parameters)', 'unknown', lambda _: skcompare.compare(MODELS, X, Y, folds=3),
            'folds', 'did you mean cv?'),
        Row('compare(...)', 'two models one after the other', lambda _: skcompare.compare(MODELS["nb"], MODELS["tree"], X, Y),
            'models', 'must be one argument, compare([model_a'),
        Row('evaluate(...)', 'two models one after the other', lambda _: skcompare.PairedEvaluator().evaluate(MODELS["nb"], MODELS["tree"], X, Y),
            'models', 'must be one argument, evaluate([model_a'),
        Row('evaluate(...)', 'sample_weight', lambda _: skcompare.PairedEvaluator().evaluate(MODELS, X, Y, sample_weight=Y),
            'sample_weight', "must be given as params={'sample_weight'"),
        Row('evaluate(...)', 'a parameter of the evaluator', lambda _: skcompare.PairedEvaluator().evaluate(MODELS, X, Y, cv=5),
            'cv', 'must be given to the evaluator'),
        Row('evaluate(...)', 'no argument of it', lambda _: skcompare.PairedEvaluator().evaluate(MODELS, X, Y, fit_params={}),
            'fit_params', 'it takes models, X, y, groups, params'),
        Row('evaluate(...)', 'an old name beside the new one', lambda _: skcompare.PairedEvaluator().evaluate(MODELS, X, Y, estimators=MODELS),
            'estimators', 'is the old name of models, which is given too'),
        Row('options', 'an old name that says otherwise', lambda _: skcompare.PairedEvaluator(options=skcompare.RunOptions(share=False), share=True),
            'share', 'is given too: leave it out'),
        Row('models', 'a name that is no string', lambda _: evaluate({1: Counted(), "b": Counted()}),
            'models', 'must be named by non-empty strings'),
        Row('models', 'an empty name', lambda _: evaluate({"": Counted(), "b": Counted()}),
            'models', 'must be named by non-empty strings'),
        Row('models', 'a name twice', lambda _: evaluate([("a", Counted()), ("a", Counted())]),
            'models', 'must have distinct names'),
        Row('models', 'a class', lambda _: evaluate({"a": Counted, "b": Counted()}),
            "models['a']", 'must be an estimator with fit and predict'),
        Row('models', 'no estimator', lambda _: evaluate({"a": 3, "b": Counted()}),
            "models['a']", 'must be an estimator with fit and predict'),
        Row('models', 'that scikit-learn cannot clone', lambda _: evaluate({"a": Stubborn(), "b": GaussianNB()}),
            "models['a']", 'must be an estimator that can be cloned and described; ...'),
        Row('models', 'classifiers and regressors', lambda _: evaluate({"a": Counted(), "b": DecisionTreeRegressor()}),
            'models', 'must be all classifiers or all regressors'),
        Row('y', 'None', lambda _: evaluate(y=None),
            'y', 'must be given'),
        Row('y', 'of another length than X', lambda _: evaluate(y=Y[:5]),
            'y', 'must have one row per sample of X, 40'),
        Row('y', 'a sparse matrix', lambda _: evaluate(y=csr_matrix(np.column_stack([Y, 1 - Y]))),
            'y', 'must be dense'),
        Row('y', 'no array-like', lambda _: evaluate(y=3),
            'y', 'must be array-like with one row per sample'),
        Row('y', 'ragged', lambda _: evaluate(y=[[1], [1, 2]] * 20),
            'y', 'must have one value per sample; ...'),
        Row('y', 'masked', lambda _: evaluate(y=np.ma.array(Y, mask=np.arange(40) == 3)),
            'y', 'must not have masked values'),
        Row('X', 'masked', lambda _: skcompare.PairedEvaluator(cv=3).evaluate(MODELS, np.ma.array(X, mask=X > 2), Y),
            'X', 'must not have masked values'),
        Row('groups', 'masked', lambda _: evaluate(groups=np.ma.array(Y, mask=Y > 0)),
            'groups', 'must not have masked values'),
        Row('params', 'masked', lambda _: skcompare.PairedEvaluator(cv=3).evaluate(MODELS, X, Y, params={"sample_weight": np.ma.array(Y + 1, mask=Y > 0)}),
            'sample_weight', 'must not have masked values'),
        Row('X, y, groups', 'frames or series with other labels', lambda _: evaluate(y=pd.Series(Y, index=range(1, 41)), groups=pd.Series(Y)),
            'y and groups', 'must have the same index, as their rows'),
        Row('params', 'weights as a series with the labels of X in another order', lambda _: skcompare.PairedEvaluator(cv=3).evaluate(MODELS, pd.DataFrame(X), Y, params={"sample_weight": pd.Series(Y + 1.0)[::-1]}),
            'X and sample_weight', 'must have the same index, as their rows'),
        Row('X', 'no array-like', lambda _: skcompare.PairedEvaluator(cv=3).evaluate(MODELS, None, Y),
            'X', 'must be array-like with one row per sample'),
        Row('groups', 'of another length than X', lambda _: evaluate(groups=[1, 2]),
            'groups', 'must have one row per sample of X, 40'),
        Row('groups', 'the name of a column', lambda _: skcompare.PairedEvaluator(cv=3).evaluate(MODELS, pd.DataFrame(X).assign(patient=Y), Y, groups="patient"),
            'groups', "must have one row per sample; got the name of a column of X: give X['patient']"),
        Row('groups', 'no array-like', lambda _: evaluate(groups=3),
            'groups', 'must be array-like with one row per sample'),
        Row('params', 'no mapping', lambda _: skcompare.PairedEvaluator(cv=3).evaluate(MODELS, X, Y, params=3),
            'params', 'must be None or a mapping of name to value'),
        Row('params', 'weights of another length than X', lambda _: skcompare.PairedEvaluator(cv=3).evaluate(MODELS, X, Y, params={"sample_weight": np.ones(5)}),
            'sample_weight', 'must have one row per sample of X, 40'),
        Row('y', 'missing values', lambda _: evaluate(y=np.where(np.arange(40) == 3, np.nan, Y)),
            'y', 'must not have missing or infinite values'),
        Row('y', 'infinite values', lambda _: evaluate(y=np.where(np.arange(40) == 3, np.inf, Y)),
            'y', 'must not have missing or infinite values'),
        Row('y', 'missing labels', lambda _: evaluate(y=np.array(["a", None] * 20, dtype=object)),
            'y', 'must not have missing or infinite values'),
        Row('X', 'no samples', lambda _: skcompare.PairedEvaluator(cv=3).evaluate(MODELS, X[:0], Y[:0]),
            'X', 'must have one row per sample, and at least one'),
        Row('y', 'one class for classifiers', lambda _: evaluate(y=np.zeros(40)),
            'y', 'must have at least 2 classes'),
        Row('y', 'numbers that are no classes for classifiers', lambda _: evaluate(y=X[:, 0] * 0 + np.arange(40) + 0.5),
            'y', 'must hold classes for classifiers'),
        Row('y', 'objects for classifiers', lambda _: evaluate(y=np.array([10**30, 1] * 20, dtype=object)),
            'y', 'must hold classes for classifiers, all numbers'),
        Row('y', 'labels without an order', lambda _: evaluate(y=np.array(["a", 1] * 20, dtype=object)),
            'y', 'must hold values of one kind'),
        Row('y', 'bytes', lambda _: evaluate(y=np.array([b"a", b"b"])[Y]),
            'y', 'must hold numbers, booleans or strings'),
        Row('y', 'no numbers for regressors', lambda _: evaluate(REGRESSORS, y=np.array(["a", "b"])[Y]),
            'y', 'must hold numbers for regressors'),
        Row('y', 'dates for regressors', lambda _: evaluate(REGRESSORS, y=np.array(["2020-01-01"] * 40, dtype="M8[D]")),
            'y', 'must hold numbers for regressors'),
        Row('groups', 'given beside metadata routing', lambda _: with_routing(groups=np.arange(40)),
            'groups', 'must be None when metadata routing is enabled'),
        Row('an estimator', 'fails', lambda _: evaluate({"a": Broken(), "b": Counted()}),
            'estimator', 'RuntimeError'),
        Row('y', 'a class that ends with a null character', lambda _: evaluate(MODELS, y=np.array(["a", "b\0"] * 20, dtype=object)),
            'y', 'must hold classes that do not end with a null character'),
        Row('an estimator', 'takes no missing values, and X has some', lambda _: skcompare.PairedEvaluator(cv=3).evaluate(MODELS, X * np.nan, Y),
            'estimator', 'Take make_pipeline(SimpleImputer(), model)'),
        Row('an estimator', 'fails everywhere, although error_score is a number', lambda _: evaluate({"a": Broken(), "b": Broken()}, error_score=np.nan),
            'estimator', 'RuntimeError'),
        Row('an estimator', 'predicts another number of rows', lambda _: evaluate({"a": Short(), "b": Short()}, scoring="accuracy"),
            'predict', 'must give one row per sample, 14'),
    ],
    'PairedEvaluator.evaluate_datasets': [
        Row('datasets', 'no mapping', lambda _: study_of([1]),
            'datasets', 'must be a mapping of name to (X, y)'),
        Row('datasets', 'none', lambda _: study_of({}),
            'datasets', 'must be a mapping of name to (X, y)'),
        Row('datasets', 'a name that is no string', lambda _: study_of({1: (X, Y)}),
            'datasets', 'must be named by non-empty strings'),
        Row('datasets', 'an array, not named', lambda _: study_of([(X, Y)]),
            'datasets', 'must be a mapping of name to (X, y)'),
        Row('datasets', 'no pair and no callable', lambda _: study_of({"d": 3}),
            "datasets['d']", 'must be a pair (X, y) or a callable'),
        Row('datasets', 'a callable that gives no pair', lambda _: study_of({"d": lambda: 3}),
            'datasets', 'must hold one that can be evaluated'),
        Row('datasets', 'none that can be loaded', lambda _: study_of({"d": fail}),
            'datasets', 'must hold one that can be evaluated'),
    ],
    'EvaluationResult.test, .compare, .dominance and the other questions': [
        Row('procedure', 'an unknown name', lambda _: result().test("t_tset"),
            'procedure', "did you mean 'k_fold_t_test', the default?"),
        Row('procedure', 'several names', lambda _: result().test(["auto"]),
            'procedure', "must be 'auto' or one that procedures() lists"),
        Row('procedure', 'a name of a test on several data sets', lambda _: result().test("wilcoxon"),
            'procedure', "be 'auto' or one that procedures() lists for one"),
        Row('procedure', 'a word for many', lambda _: result().test("bayes"),
            'procedure', "did you mean 'correlated_t_posterior'?"),
        Row('procedure', 'a word for the default', lambda _: result().test("t-test"),
            'procedure', "did you mean 'k_fold_t_test', the default?"),
        Row('procedure', 'one that has a method of its own', lambda _: result().test("dominance"),
            'procedure', 'must be one of procedures()'),
        Row('procedure', 'another design', lambda _: result().test("five_by_two_t_test"),
            'procedure', "must fit the design; 'five_by_two_t_test' needs"),
        Row('procedure', 'predictions needed', lambda _: scores_only().test("mcnemar"),
            'procedure', 'this result was made from a table of scores'),
        Row('procedure', 'classes needed', lambda _: regression().test("mcnemar"),
            'procedure', "'k_fold_t_test' tests r2"),
        Row('procedure', 'classes needed, of several labels', lambda _: labelled().test("delong"),
            'procedure', "'mcnemar_test' tests accuracy"),
        Row('procedure', 'labels or numbers needed', lambda _: timed(cv=3).test("mcnemar"),
            'procedure', "'k_fold_t_test' tests risk"),
        Row('procedure', 'labels or numbers needed, of one test set', lambda _: timed(cv=ShuffleSplit(1, random_state=0)).test(),
            'procedure', "on several splits 'corrected_t_test' tests"),
        Row('.confusion_matrices, .disagreements, .rates, .reliability', 'of several labels', lambda _: labelled().confusion_matrices(),
            'predictions of classes', "'mcnemar_test' tests accuracy"),
        Row('.plot(kind)', 'a curve of several labels', lambda _: labelled().plot("roc"),
            'ROC curves', "the plots 'differences' and 'scores' show"),
        Row('procedure', 'a metric of its own needed, which is not there', lambda _: result(scoring=("f1",)).test("fold_error_rate_test", threshold=0.1),
            'procedure', "'fold_error_rate_test' needs accuracy among"),
        Row('metric', 'an unknown name', lambda _: result().test(metric="acuracy"),
            'metric', "did you mean 'accuracy'?"),
        Row('metric', 'a short name', lambda _: result().test(metric="acc"),
            'metric', "did you mean 'accuracy'?"),
        Row('metric', 'another than the procedure can speak of', lambda _: result().test("paired_metric_test", metric="zzz"),
            'metric', 'must be'),
        Row('.rates(threshold)', 'outside [0, 1], for probabilities', lambda _: result(scoring=("roc_auc",)).rates([0.5, 1.5]),
            'threshold', "must be in [0, 1] for the probabilities of 'nb'"),
        Row('.rates', 'no class scores kept', lambda _: result(scoring=("accuracy",)).rates(),
            'scoring', "must include 'roc_auc' or 'neg_log_loss', so"),
        Row('.expected_cost', 'classes needed', lambda _: regression().expected_cost([[0, 1], [1, 0]]),
            'expected_cost()', "the task of this result is 'regression'"),
        Row('.expected_cost', 'no predictions kept', lambda _: skcompare.from_frame(SCORES).expected_cost([[0, 1], [1, 0]]),
            'expected_cost()', 'this result was made from a table of scores'),
        Row('.expected_cost(cost)', 'another number of classes', lambda _: result().expected_cost(np.ones((3, 3))),
            'cost', 'must have a row and a column per class, 2'),
        Row('.expected_cost(cost)', 'a class without costs', lambda _: three_classes().expected_cost({(0, 1): 1, (1, 0): 1}),
            'cost', 'must name every class'),
        Row('cost_scorer(cost)', 'a pair of classes is missing', lambda _: skcompare.cost_scorer({(0, 1): 1}),
            'cost', 'must have every pair of different classes'),
        Row('cost_scorer(cost)', 'no pairs', lambda _: skcompare.cost_scorer({0: 1}),
            'cost', 'must map pairs (true class, predicted class)'),
        Row('cost_scorer(classes)', 'not given with an array', lambda _: skcompare.cost_scorer([[0, 1], [1, 0]]),
            'classes', 'must name the rows of an array of costs'),
        Row('cost_scorer(classes)', 'given with a mapping', lambda _: skcompare.cost_scorer({(0, 1): 1, (1, 0): 1}, classes=[0, 1]),
            'classes', 'must be left out where cost is a mapping'),
        Row('cost_scorer(classes)', 'a class twice', lambda _: skcompare.cost_scorer([[0, 1], [1, 0]], classes=[1, 1]),
            'classes', 'must name two or more numbers, or strings, each'),
        Row('.plot("dominance", metrics)', 'one', lambda _: result().plot("dominance", metrics=["accuracy"]),
            'metrics', 'must name two or more'),
        Row('.plot("weights", metrics)', 'one', lambda _: result().plot("weights", metrics=["accuracy"]),
            'metrics', 'must name two metrics, or three'),
        Row('.plot("weights", scale)', 'a metric is missing', lambda _: result().plot("weights", scale={"f1": 0.1}),
            'scale', 'must have a difference for every metric'),
        Row('.reliability', 'no probabilities kept', lambda _: result(scoring=("accuracy",)).reliability(),
            'scoring', "must include 'neg_log_loss'"),
        Row('.confusion_matrices, .disagreements', 'classes needed', lambda _: regression().confusion_matrices(),
            'predictions of classes', "'k_fold_t_test' tests r2"),
        Row('.rates, .reliability', 'classes needed', lambda _: regression().rates(),
            'predictions of classes', "'k_fold_t_test' tests r2"),
        Row('.rates, .reliability(positive)', 'not given, of three classes', lambda _: three_classes().reliability(),
            'positive', 'must be the class that is set against all'),
        Row('.rates, .reliability(positive)', 'no class', lambda _: three_classes().rates(positive=3),
            'positive', 'must be the class that is set against all'),
        Row('.rates', 'no class scores kept of three classes', lambda _: three_classes().rates(positive=2),
            'scoring', "must include 'roc_auc_ovr' or 'neg_log_loss', so"),
        Row('.plot("confusion", estimators=)', 'more than two', lambda _: copies_of_one_model("abc").plot("confusion", estimators=["a", "b", "c"]),
            'estimators', 'must name one model or two'),
        Row('.plot("posterior")', 'differences that do not vary', lambda _: skcompare.from_frame({"model": ["a"] * 3 + ["b"] * 3, "fold": [0, 1, 2] * 2, "score": [0.75] * 3 + [0.5] * 3}).plot("posterior"),
            'a posterior', "'a' less 'b' is +0.25 on 'score' on all splits"),
        Row('.plot("reliability", estimators=)', 'more than ten', lambda _: copies_of_one_model("abcdefghijk").plot("reliability", estimators=list("abcdefghijk")),
            'estimators', 'must name at most 10 models'),
        Row('metric', "none of two classes' scores kept", lambda _: result(scoring=("accuracy",)).test("delong"),
            'scoring', "must include 'roc_auc' or 'average_precision'"),
        Row('a, b', 'an unknown name', lambda _: result().test(a="tre"),
            'a', "did you mean 'tree'?"),
        Row('a, b', 'the same twice', lambda _: result().test(a="tree", b="tree"),
            'a and b', 'must be two different estimators'),
        Row('alternative', 'an unknown one', lambda _: result().test(alternative="more"),
            'alternative', "must be one of 'two-sided', 'greater', 'less'"),
        Row('alternative', 'given to a procedure without one', lambda _: result().test("correlated_t_posterior", alternative="less", margin=0.01),
            'alternative', "must be left out for 'correlated_t_posterior'"),
        Row('options', 'one that the procedure does not have', lambda _: result().test(df=3),
            'df', "is no option of 'k_fold_t_test'"),
        Row('options', 'one that the design sets', lambda _: result().test(test_fraction=0.1),
            'test_fraction', "is set by the design for 'k_fold_t_test'"),
        Row('options', 'one that must be given is not', lambda _: result().test("equivalence_test"),
            'margin', "must be given for 'equivalence_test'"),
        Row('metrics', 'given beside metric', lambda _: result().test("max_t_test", metrics=["f1"]),
            'metrics', "must be given as metric=[...] for 'max_t_test'"),
        Row('.rank(simultaneous)', 'no truth value', lambda _: result().rank(simultaneous="all"),
            'simultaneous', 'must be a bool'),
        Row('.rank(simultaneous)', 'candidates of a search', lambda _: search_report().result().rank(simultaneous=False),
            'simultaneous', 'must be True for candidates of a search'),
        Row('.rank(metric)', 'an unknown name', lambda _: result().rank("f2"),
            'metric', 'must be one of'),
        Row('.rank(correction)', 'an unknown name', lambda _: result().rank(correction="shaffer"),
            'correction', 'must be one of'),
        Row('.plot("ranks", groups=)', 'no model', lambda _: result().plot("ranks", groups={"forest": "trees"}),
            'groups', 'must be one of'),
        Row('.compare(procedure)', 'no test of two models', lambda _: result().compare("correlated_t_posterior"),
            'procedure', 'must be a test of two models on one metric'),
        Row('.compare(metrics)', 'no names', lambda _: result().compare(metrics=3),
            'metrics', 'must be names of metrics'),
        Row('.compare(metrics)', 'an unknown name', lambda _: result().compare(metrics=["f2"]),
            'metrics', "must be one of 'accuracy', 'f1'"),
        Row('.compare(metrics)', 'a name twice', lambda _: result().compare(metrics=["f1", "f1"]),
            'metrics', 'must name at least one metric, each once'),
        Row('.compare(metrics)', 'others than the procedure can speak of', lambda _: result().compare("delong", metrics=["f1"]),
            'metrics', "must be among roc_auc for 'delong_test'"),
        Row('.compare(baseline)', 'an unknown name', lambda _: result().compare(baseline="c"),
            'baseline', "must be one of 'nb', 'tree'"),
        Row('.compare(correction)', 'an unknown one', lambda _: result().compare(correction="holms"),
            'correction', "did you mean 'holm'?"),
        Row('.compare(primary)', 'an unknown name', lambda _: result().compare(primary="f2"),
            'primary', "must be one of 'accuracy', 'f1'"),
        Row('.compare(primary)', 'an empty name', lambda _: result().compare(primary=""),
            'primary', "must be one of 'accuracy', 'f1'"),
        Row('.compare(primary)', 'of a run that was stopped', lambda _: plain(cv="4x3", stop=skcompare.StopRule()).compare(primary="f1"),
            'primary', "must be 'accuracy' for a stopped run"),
        Row('.compare(family)', 'an unknown one', lambda _: result().compare(family="both"),
            'family', "must be one of 'first', 'all'"),
        Row('.compare(alpha)', 'out of range', lambda _: result().compare(alpha=1.0),
            'alpha', 'must be a number in (0, 1)'),
        Row('.compare(alpha)', 'of candidates of a search', lambda _: search_report().result(2).compare(alpha=0.5),
            'alpha', 'must be 0.05 for candidates of a search, whose'),
        Row('.answer(primary)', 'an unknown name', lambda _: result().answer(primary="f2"),
            'primary', "must be one of 'accuracy', 'f1'"),
        Row('.summary(primary)', 'of a search', lambda _: search_report().summary(primary="accuracy"),
            'primary', 'must be left out here, where one metric decides'),
        Row('.compare(margin)', 'negative', lambda _: result().compare(margin=-1),
            'margin', 'must be a number in [0, inf)'),
        Row('.compare(margin)', 'in time order', lambda _: in_time("accuracy").compare(margin=0.1),
            'margin', 'must be None in time order, where its posterior'),
        Row('.compare(horizon)', 'of a test that has none', lambda _: in_time("accuracy").compare("corrected_t", horizon=2),
            'horizon', "must be None for 'corrected_t_test'"),
        Row('.compare(period)', 'of a test that has none', lambda _: in_time("accuracy").compare("corrected_t", period=2),
            'period', "must be None for 'corrected_t_test'"),
        Row('.compare(period)', 'not positive', lambda _: in_time("accuracy").compare(period=0),
            'period', 'must be an integer of at least 1'),
        Row('.compare(horizon)', 'not positive', lambda _: in_time("accuracy").compare(horizon=0),
            'horizon', 'must be an integer of at least 1'),
        Row('.test(metric)', 'without values per sample, in time order', lambda _: in_time("average_precision").test(),
            'metric', 'these have one'),
        Row('.test(metric)', 'without predictions, in time order', lambda _: in_time("accuracy", options=skcompare.RunOptions(keep_predictions=False)).test(),
            'in time order a test', 'needs the losses of single samples'),
        Row('.compare(margin)', 'of an unknown metric', lambda _: result().compare(margin={"f2": 0.1}),
            'margin', "must be one of 'accuracy', 'f1'"),
        Row('.compare(margin)', 'negative for one metric', lambda _: result().compare(margin={"f1": -0.1}),
            "margin['f1']", 'must be a number in [0, inf)'),
        Row('.dominance(method)', 'an unknown one', lambda _: result().dominance("glr"),
            'method', "did you mean 'glrt'?"),
        Row('.dominance(options)', 'one that the method does not have', lambda _: result().dominance(prior="haldane"),
            'prior', "is no option of method 'glrt'"),
        Row('.dominance(metrics)', 'too many', lambda _: many_metrics().dominance(),
            'metrics', 'must be at most 12'),
        Row('.dominance(metrics)', 'too many for a network', lambda _: many_metrics().dominance("network"),
            'metrics', 'must be at most 8'),
        Row('.dominance(correct_folds)', 'no boolean', lambda _: result().dominance(correct_folds=1),
            'correct_folds', 'must be True or False'),
        Row('.score(estimator)', 'an unknown name', lambda _: result().score("c", "f1"),
            'estimator', "must be one of 'nb', 'tree'"),
        Row('.score(metric)', 'an unknown name', lambda _: result().score("nb", "f2"),
            'metric', "must be one of 'accuracy', 'f1'"),
        Row('.difference(metric)', 'an unknown name', lambda _: result().difference("f2"),
            'metric', "must be one of 'accuracy', 'f1'"),
        Row('.predictions(estimator)', 'an unknown name', lambda _: result().predictions("c"),
            'estimator', "must be one of 'nb', 'tree'"),
        Row('.predictions', 'of a table of scores', lambda _: scores_only().predictions("a"),
            'predictions', 'this result was made from a table of scores'),
        Row('.splits', 'of a table of scores', lambda _: scores_only().splits(),
            'splits', 'this result was made from a table of scores'),
        Row('.class_scores', 'no scores of two classes kept', lambda _: result(scoring=("accuracy",)).class_scores("nb"),
            'scoring', "must include 'roc_auc' or 'average_precision'"),
        Row('.to_cross_validate(estimator)', 'an unknown name', lambda _: result().to_cross_validate("c"),
            'estimator', "must be one of 'nb', 'tree'"),
        Row('.save(path)', 'no path', lambda _: result().save(3),
            'path', 'must be a path'),
        Row('.save(path)', 'a directory', lambda folder: result().save(folder),
            'path', 'is a directory or device'),
        Row('.save(path)', 'a file that is read-only', lambda folder: result().save(read_only(folder)),
            'it', 'make it writable, or give another name'),
        Row('.to_html(path)', 'a file that is read-only', lambda folder: result().to_html(read_only(folder)),
            'it', 'make it writable, or give another name'),
        Row('null', 'no number', lambda _: result().test(null="0.01"),
            'null', 'must be a number in (-1e+300, 1e+300)'),
        Row('null', 'as large as any difference on the metric', lambda _: result().test(metric="accuracy", null=-1),
            'null', 'must be a difference that accuracy can have, less than 1 in size'),
        Row('null', 'a test that tests a difference of 0 alone', lambda _: one_test_set().test("paired_metric", null=0.01),
            'null', "must be 0 for 'paired_metric_test', which tests"),
        Row('null of compare', 'a test that tests a difference of 0 alone', lambda _: plain(cv="5x2").compare("five_by_two_f", null=0.01),
            'null', "must be 0 for 'five_by_two_f_test', which tests"),
        Row('null of compare', 'an unknown metric', lambda _: result().compare(null={"acuracy": 0.01}),
            'null', "did you mean 'accuracy'?"),
        Row('null of compare', 'no number for a metric', lambda _: result().compare(null={"f1": None}),
            "null['f1']", 'must be a number in (-1e+300, 1e+300)'),
        Row('null of compare', 'a run that was stopped', lambda _: plain(cv="4x3", stop=skcompare.StopRule()).compare(null=0.01),
            'null', 'must be 0 for a stopped run, whose own verdict'),
        Row('null of compare', 'the candidates of a search', lambda _: search_report().result(2).compare(null=0.01),
            'null', 'must be 0 for candidates of a search, whose own'),
        Row('.intervals(metric)', 'an unknown name', lambda _: one_test_set().intervals("acc"),
            'metric', "must be one of 'f1'"),
        Row('.intervals(metric)', 'no name', lambda _: one_test_set().intervals(3),
            'metric', 'must be names of metrics'),
        Row('.intervals(confidence_level)', 'outside (0, 1)', lambda _: one_test_set().intervals(confidence_level=95),
            'confidence_level', 'must be a number in (0, 1)'),
        Row('.by(labels)', 'an unknown column', lambda _: one_test_set().by("hospital"),
            'labels', 'must be one label per sample, or a column'),
        Row('.by(labels)', 'of another length', lambda _: one_test_set().by([1, 2]),
            'labels', 'must have one label per sample, 4'),
        Row('.by(labels)', 'two columns', lambda _: one_test_set().by(np.zeros((4, 2))),
            'labels', 'must have one label per sample, 4'),
        Row('.by(labels)', 'a missing value', lambda _: one_test_set().by([1, 2, None, 1]),
            'labels', 'must not lack values'),
        Row('.by(labels)', 'one group', lambda _: one_test_set().by([1, 1, 1, 1]),
            'labels', 'must make 2 to 20 groups'),
        Row('.by(labels)', 'masked values', lambda _: one_test_set().by(np.ma.array([1, 2, 1, 2], mask=[0, 1, 0, 0])),
            'labels', 'must not have masked values'),
        Row('.by(metrics)', 'an unknown name', lambda _: one_test_set().by([1, 1, 2, 2], metrics="acc"),
            'metrics', "must be one of 'f1'"),
        Row('.by(baseline)', 'an unknown name', lambda _: one_test_set().by([1, 1, 2, 2], baseline="c"),
            'baseline', "must be one of 'a', 'b'"),
        Row('.by(correction)', 'an unknown method', lambda _: one_test_set().by([1, 1, 2, 2], correction="none"),
            'correction', "did you mean 'finner'?"),
        Row('.by', 'predictions that were not kept', lambda _: replace(result(), kept_predictions=None).by(Y),
            'groups of samples', 'evaluate with predictions kept'),
        Row('.by', 'a table of scores', lambda _: scores_only().by([0, 1]),
            'groups of samples', 'from_predictions takes them'),
        Row('.by', 'a run that was looked at', lambda _: on_data(X, Y, stop=skcompare.StopRule(max_repeats=6, min_repeats=5), cv=2).by(Y),
            'groups of a run that was looked at', 'no p-value allows for the looks'),
        Row('.by', 'candidates of a search', lambda _: search_report(search()).result().by(Y),
            '.by', 'clone(search.estimator).set_params(**params)'),
        Row('.by', 'a metric that needs more than labels', lambda _: replace(one_test_set(), metrics=("own",)).by([1, 1, 2, 2]),
            'metrics', "must be names of scikit-learn's or functions"),
        Row('.rates(threshold)', 'no number', lambda _: result(scoring=("roc_auc",)).rates("half"),
            'threshold', 'must be an array of numbers'),
        Row('.rates(threshold)', 'none', lambda _: result(scoring=("roc_auc",)).rates([]),
            'threshold', 'must hold at least one value'),
        Row('.rates(confidence_level)', 'outside (0, 1)', lambda _: result(scoring=("roc_auc",)).rates(confidence_level=95),
            'confidence_level', 'must be a number in (0, 1)'),
        Row('.rates(estimators)', 'an unknown name', lambda _: result(scoring=("roc_auc",)).rates(estimators="svm"),
            'estimators', "must be one of 'nb', 'tree'"),
        Row('.rates', 'a table of scores', lambda _: scores_only().rates(),
            'predictions', 'this result was made from a table of scores'),
        Row('.reliability(a, b)', 'one model', lambda _: result(scoring=("neg_log_loss",)).reliability("nb", "nb"),
            'a and b', 'must be two different estimators'),
        Row('.reliability(a, b)', 'not among estimators', lambda _: result(scoring=("neg_log_loss",)).reliability("nb", "tree", estimators="nb"),
            'b', "must be one of 'nb'"),
        Row('.reliability(n_bins)', 'none', lambda _: result(scoring=("neg_log_loss",)).reliability(n_bins=0),
            'n_bins', 'must be an integer of at least 1'),
        Row('.reliability(strategy)', 'an unknown one', lambda _: result(scoring=("neg_log_loss",)).reliability(strategy="equal"),
            'strategy', "did you mean 'quantile'?"),
        Row('.reliability(n_resamples)', 'fewer than 2', lambda _: result(scoring=("neg_log_loss",)).reliability(n_resamples=1),
            'n_resamples', 'must be an integer of at least 2'),
        Row('.disagreements(a, b)', 'one model', lambda _: result().disagreements("nb", "nb"),
            'a and b', 'must be two different estimators'),
        Row('.disagreements(a, b)', 'an unknown name', lambda _: result().disagreements("nb", "svm"),
            'b', "must be one of 'nb', 'tree'"),
        Row('.disagreements', 'outcomes of items', lambda _: items("ab").disagreements(),
            'predictions', 'this result was made from outcomes of items'),
        Row('.confusion_matrices(estimators)', 'an unknown name', lambda _: result().confusion_matrices(estimators="svm"),
            'estimators', "must be one of 'nb', 'tree'"),
        Row('.confusion_matrices', 'outcomes of items', lambda _: items("ab").confusion_matrices(),
            'predictions', 'this result was made from outcomes of items'),
        Row('of(estimator) of confusion matrices', 'an unknown name', lambda _: one_test_set().confusion_matrices().of("c"),
            'estimator', "must be one of 'a', 'b'"),
    ],
    'StudyResult': [
        Row('procedure', 'an unknown name', lambda _: study().test("friedmann"),
            'procedure', "did you mean 'friedman_test', the default?"),
        Row('procedure', 'a name of a test on one data set', lambda _: study().test("mcnemar"),
            "'mcnemar_test' is for one data set (evaluate). procedure", "must be 'auto' or one that procedures() lists"),
        Row('procedure', 'a word for many', lambda _: study().test("bayes"),
            'procedure', "did you mean 'signed_rank_posterior', 'sign_posterior' or 'hierarchical_posterior'?"),
        Row('procedure', 'one without p-value', lambda _: study().compare("sign_posterior"),
            'procedure', 'must be a test of two models on one metric'),
        Row('procedure', 'the splits needed', lambda _: study().test("hierarchical_posterior", margin=0.01),
            'procedure', 'this study has one score per data set'),
        Row('metric', 'an unknown name', lambda _: study().test(metric="f1"),
            'metric', "must be one of 'score'"),
        Row('a, b', 'given for a procedure on all estimators', lambda _: study().test("friedman", a="a", b="b"),
            'a and b', "must be left out for 'friedman_test'"),
        Row('alternative', 'given to a procedure without one', lambda _: study().test("friedman", alternative="less"),
            'alternative', "must be left out for 'friedman_test', which has"),
        Row('options', 'one that the procedure does not have', lambda _: study().test("friedman", margin=1),
            'margin', "is no option of 'friedman_test'"),
        Row('options', 'one that the study sets', lambda _: study().test("friedman", names=["a"]),
            'names', "is set by the study for 'friedman_test'"),
        Row('options', 'one that must be given is not', lambda _: study().test("control"),
            'control', "must be given for 'control_test'"),
        Row('results', 'none', lambda _: skcompare.StudyResult.from_results({}),
            'results', 'must hold at least one data set'),
        Row('results', 'different estimators', lambda _: skcompare.StudyResult.from_results({"d": result(), "e": scores_only()}),
            'results', 'must share their estimators'),
        Row('from_frame(frame)', 'no frame', lambda _: skcompare.StudyResult.from_frame(3),
            'frame', 'must be a data frame or a mapping of columns'),
        Row('from_frame(frame)', 'columns of different lengths', lambda _: skcompare.StudyResult.from_frame({"dataset": ["d"], "a": [1, 2]}),
            'frame', 'must have columns of one length, with at least'),
        Row('from_frame(frame)', 'no column of data sets', lambda _: skcompare.StudyResult.from_frame({"model": ["a"], "score": [1]}),
            'frame', 'it has one score per model'),
        Row('from_frame(frame)', 'text', lambda _: skcompare.StudyResult.from_frame({"dataset": ["d"], "a": ["x"], "b": [2]}),
            'frame', "it must hold two or more models; got 'b'; 'a' holds text"),
        Row('from_frame(frame)', 'a data set twice', lambda _: skcompare.StudyResult.from_frame({"dataset": ["d", "d"], "a": [1, 2], "b": [2, 1]}),
            'frame', "model 'a', data set 'd' has several scores, in rows 1 and 2"),
        Row('from_frame(frame)', 'a row twice', lambda _: skcompare.StudyResult.from_frame({"dataset": ["d"] * 3, "model": ["a", "a", "b"], "score": [1, 2, 3]}),
            'frame', "model 'a', data set 'd' has several scores, in rows 1 and 2"),
        Row('from_frame(frame)', 'a name missing', lambda _: skcompare.StudyResult.from_frame({"dataset": ["d", None], "a": [1, 2], "b": [2, 1]}),
            'frame', "row 2 has no name in column 'dataset': name it"),
        Row('from_frame(frame)', 'infinite scores', lambda _: skcompare.StudyResult.from_frame({"dataset": ["d"], "a": [np.inf], "b": [2]}),
            'frame', "row 'd', column 'a': a score must be finite"),
        Row('from_frame(frame)', 'missing scores', lambda _: skcompare.StudyResult.from_frame({"dataset": ["d", "e"], "a": [np.nan, 1], "b": [2, 1]}),
            'frame', "gaps are kept, and comparisons allow for them: skc.read(frame, missing='keep')"),
        Row('from_frame(frame)', 'missing scores everywhere, with missing="drop"', lambda _: skcompare.StudyResult.from_frame({"dataset": ["d"], "a": [np.nan], "b": [2]}, missing="drop"),
            'frame', "all data sets lack a score, so that none is left"),
        Row('from_frame(frame)', 'a data set with folds lacks a model', lambda _: skcompare.StudyResult.from_frame({"dataset": ["d"] * 4 + ["e"] * 2, "model": ["a", "a", "b", "b", "a", "a"], "fold": [0, 1] * 3, "score": [1, 2, 3, 4, 5, 6]}),
            'frame', "2 scores are missing: 'b' on 'e 0'; 'b' on 'e 1'"),
        Row('from_frame(frame)', 'mostly gaps', lambda _: skcompare.StudyResult.from_frame(gaps("dataset", "model"), missing="keep"),
            'frame', 'that takes 400000000 rows, and it has 20000'),
        Row('from_frame(frame)', 'names in the index and in the first column', lambda _: skcompare.StudyResult.from_frame(WIDE.assign(a=["x", "y", "z"])),
            'frame', "say which one names data sets, or call it 'dataset'"),
        Row('from_frame(frame)', 'integers that may be names', lambda _: skcompare.StudyResult.from_frame({"id": [31, 37, 44], "a": [0.1, 0.2, 0.3], "b": [0.2, 0.1, 0.3]}),
            'frame', "'id' names data sets, models are 'a', 'b': skc.read(frame, dataset='id', models=['a', 'b'])"),
        Row('from_frame(frame)', 'a row of averages', lambda _: skcompare.StudyResult.from_frame(WIDE.rename({"f": "Avg. rank"})),
            'frame', "row 'Avg. rank' sums up the others"),
        Row('from_frame(metric)', 'no name', lambda _: skcompare.StudyResult.from_frame(WIDE, metric=3),
            'metric', 'must be a name'),
        Row('from_frame(metric)', 'given beside a column', lambda _: skcompare.StudyResult.from_frame({"dataset": ["d"] * 2, "model": ["a", "b"], "metric": ["f1"] * 2, "score": [1, 2]}, metric="auc"),
            'metric', 'must be None where the table names its metrics'),
        Row('from_frame(missing)', 'an unknown value', lambda _: skcompare.StudyResult.from_frame({"dataset": ["d"], "a": [1], "b": [2]}, missing="ignore"),
            'missing', "must be one of 'raise', 'drop', 'keep'"),
        Row('null', 'a test that tests a difference of 0 alone', lambda _: study().test("friedman", null=0.01),
            'null', "must be 0 for 'friedman_test', which tests no"),
    ],
    'from_frame': [
        Row('frame', 'no frame', lambda _: skcompare.from_frame(3),
            'frame', 'must be a data frame or a mapping of columns'),
        Row('frame', 'a column is missing', lambda _: skcompare.from_frame({"model": ["a"], "fold": [0]}),
            'frame', "it has no column of scores among 'model', 'fold'"),
        Row('frame', 'runs in place of folds', lambda _: skcompare.from_frame(RUNS),
            'frame', "it holds scores of runs (column 'run'), and scores of splits were expected"),
        Row('frame', 'no rows', lambda _: skcompare.from_frame({"model": [], "fold": [], "score": []}),
            'frame', "has no rows below its header, 'model', 'fold', 'score'"),
        Row('frame', 'more than one value in a row', lambda _: skcompare.from_frame({**SCORES, "fold": [[0, 1]] * 4}),
            'frame', "must have one value per row in its column 'fold'"),
        Row('frame', 'columns of different lengths', lambda _: skcompare.from_frame({**SCORES, "fold": [0]}),
            'frame', 'must have columns of one length, with at least'),
        Row('frame', 'several data sets', lambda _: skcompare.from_frame({**SCORES, "dataset": ["d", "d", "e", "e"]}),
            'frame', "4 scores are missing: 'b' on 'd 0'; 'b' on 'd 1'"),
        Row('frame', 'masked', lambda _: skcompare.from_frame({**SCORES, "score": np.ma.array([1, 2, 3, 4], mask=[0, 0, 0, 1])}),
            "frame['score']", 'must not have masked values'),
        Row('frame', 'columns as series with other labels', lambda _: skcompare.from_frame({**SCORES, "fold": pd.Series([0, 1, 0, 1]), "score": pd.Series([1, 2, 3, 4])[::-1]}),
            "frame['fold'] and frame['score']", 'must have the same index, as their rows'),
        Row('frame', 'integers larger than a float', lambda _: skcompare.from_frame({**SCORES, "score": [10**400, 1, 2, 3]}),
            'frame', 'is not read as one number; write one number in the cell, or nothing'),
        Row('frame', 'complex scores', lambda _: skcompare.from_frame({**SCORES, "score": [1j] * 4}),
            'frame', "row 1, column 'score': '1j' is no number"),
        Row('frame', 'scores that are missing or infinite', lambda _: skcompare.from_frame({**SCORES, "score": [1, 2, np.nan, 4]}),
            'frame', "1 score is missing: 'b' on '0', in 1 of 2 splits. What lacks a score is left out: skc.read(frame, missing='drop')"),
        Row('frame', 'a fold missing', lambda _: skcompare.from_frame({**SCORES, "fold": [0, 1, 0, None]}),
            'frame', "row 4 has no name in column 'fold': name it, or leave the row out"),
        Row('frame', 'names that are no strings', lambda _: skcompare.from_frame({**SCORES, "model": [1, 1, 2, 2]}),
            'models of frame', 'must be named by non-empty strings; got 1'),
        Row('frame', 'a name with control characters', lambda _: skcompare.from_frame({**SCORES, "model": ["a", "a", "b\x07", "b\x07"]}),
            'models of frame', 'must be named without control characters'),
        Row('frame', 'a row twice', lambda _: skcompare.from_frame({**SCORES, "fold": [0, 0, 0, 1]}),
            'frame', "model 'a', split '0' has several scores, in rows 1 and 2"),
        Row('frame', 'a row missing', lambda _: skcompare.from_frame({name: values[:3] for name, values in SCORES.items()}),
            'frame', "1 score is missing: 'b' on '1'"),
        Row('frame', 'repeats of different length', lambda _: skcompare.from_frame({**SCORES, "repeat": [0, 0, 0, 1], "fold": [0, 1, 0, 0]}),
            'frame', "2 scores are missing: 'b' on '1 0'; 'a' on '0 1'"),
        Row('frame', 'mostly gaps', lambda _: skcompare.from_frame(gaps("model", "fold")),
            'frame', 'that takes 400000000 rows, and it has 20000'),
        Row('frame', 'sizes that are no numbers', lambda _: skcompare.from_frame({**SCORES, "n_train": ["x"] * 4}),
            'frame', 'must hold positive integers in its column'),
        Row('frame', 'sizes that are no sizes', lambda _: skcompare.from_frame({**SCORES, "n_train": [-1] * 4}),
            'frame', 'must hold positive integers in its column'),
        Row('frame', 'sizes that differ between models', lambda _: skcompare.from_frame({**SCORES, "n_train": [8, 8, 8, 9]}),
            'frame', 'must hold one n_train per split'),
        Row('frame', 'positive scores of a negated loss', lambda _: skcompare.from_frame({**SCORES, "metric": ["neg_max_error"] * 4}),
            "scores of 'neg_max_error'", "must be at most 0"),
        Row('greater_is_better', 'no boolean', lambda _: skcompare.from_frame(SCORES, greater_is_better=1),
            'greater_is_better', "must be a bool, or map metrics ('score')"),
        Row('greater_is_better', 'an unknown metric', lambda _: skcompare.from_frame(SCORES, greater_is_better={"loss": False}),
            'greater_is_better', "must be one of 'score'"),
        Row('greater_is_better', 'no booleans in a mapping', lambda _: skcompare.from_frame(SCORES, greater_is_better={"score": 1}),
            'greater_is_better', "must be a bool, or map metrics ('score')"),
        Row('test_fraction', 'outside (0, 1)', lambda _: skcompare.from_frame(SCORES, test_fraction=1),
            'test_fraction', 'must be a number in (0, 1)'),
        Row('test_fraction', 'not given for random splits', lambda _: skcompare.from_frame({**SCORES, "repeat": [0, 1, 0, 1], "fold": [0] * 4}),
            'test_fraction', 'must be given for random splits, or columns'),
        Row('n_samples', 'below 2', lambda _: skcompare.from_frame(SCORES, n_samples=1),
            'n_samples', 'must be an integer of at least 2'),
        Row('n_samples', 'below the sizes of a split', lambda _: skcompare.from_frame({**SCORES, "n_train": [8] * 4, "n_test": [4] * 4}, n_samples=10),
            'n_samples', 'must be at least n_train plus n_test, 12'),
        Row('read(frame)', 'means and deviations', lambda _: skcompare.read({"model": ["a", "b"], "mean": [0.9, 0.8], "std": [0.1, 0.1], "n": [5, 5]}),
            'frame', 'Unpaired, a against b (sd is no standard error): skcompare.inference.welch_from_summary('),
        Row('read(frame)', 'steps of training', lambda _: skcompare.read({"epoch": [1, 2, 3], "a": [0.1, 0.2, 0.3], "b": [0.2, 0.3, 0.4]}),
            'frame', "keep one row of each run, such as the last, frame[frame['epoch'] == 3]"),
        Row('read(frame)', 'numbers of pairs', lambda _: skcompare.read({"": ["svm", "knn", "mlp"], "svm": [0.9, 0.2, 0.4], "knn": [0.2, 0.8, 0.5], "mlp": [0.4, 0.5, 0.7]}),
            'frame', 'numbers of pairs are no scores of models'),
        Row('read(frame)', 'counts of a confusion matrix', lambda _: skcompare.read({"model": ["a", "a", "b", "b"], "fold": [0, 1, 0, 1], "tp": [5, 6, 7, 8], "fp": [1, 2, 3, 5]}),
            'frame', 'are counts: give a metric that is made of them, such as accuracy'),
        Row('read(frame)', 'a run that did not end', lambda _: skcompare.read({"dataset": ["x", "y", "z"], "a": [0.1, 0.2, "OOM"], "b": [0.2, 0.1, 0.3]}),
            'frame', "'OOM' is a run that did not end: write its limit or a penalty"),
        Row('read(frame)', 'metrics that data sets do not share', lambda _: skcompare.read({"model": ["a", "b"], "x_acc": [0.1, 0.2], "x_f1": [0.2, 0.3], "y_acc": [0.3, 0.4]}),
            'frame', 'are called like data sets with metrics, and not all have the same ones'),
        Row('read(frame)', 'a column per data set and model', lambda _: skcompare.read({"seed": [0, 1], "iris_a": [0.1, 0.2], "iris_b": [0.2, 0.3], "wine_a": [0.3, 0.4], "wine_b": [0.5, 0.6]}),
            'frame', 'several of one model or data set: write these into a column'),
    ],
    'from_predictions': [
        Row('y_true', 'neither array nor table', lambda _: skcompare.from_predictions(3),
            'predictions', 'must be given where y_true is no table (a data'),
        Row('y_true', 'a missing value', lambda _: skcompare.from_predictions([0, 1, None], TWO),
            'y_true', 'must not have missing or infinite values'),
        Row('y_true', 'one class', lambda _: skcompare.from_predictions([1, 1, 1], TWO),
            'y_true', 'must hold two or more classes, or numbers'),
        Row('y_true', 'two columns, predictions of one', lambda _: skcompare.from_predictions(np.eye(3)[:, :2], TWO),
            "predictions['a']", 'must be one label per place of y_true'),
        Row('y_true', 'two columns of numbers, predictions of one', lambda _: skcompare.from_predictions(np.eye(3)[:, :2] / 3, TWO),
            "predictions['a']", 'must be one number per place of y_true'),
        Row('y_true', 'two columns of texts', lambda _: skcompare.from_predictions([["x", "y"]] * 3, TWO),
            'y_true', 'must hold numbers where it has several columns'),
        Row('predictions', 'of labels neither 0 nor 1', lambda _: skcompare.from_predictions(np.eye(3), {"a": {"prediction": 2 * np.eye(3)}, "b": np.eye(3)}),
            "predictions['a']", 'must be classes (0, 1) or scores'),
        Row('predictions', 'of labels, probabilities above 1', lambda _: skcompare.from_predictions(np.eye(3), {"a": {"probability": 2 * np.eye(3)}, "b": np.eye(3)}),
            "predictions['a']", 'must have probabilities between 0 and 1'),
        Row('y_true', 'of another length', lambda _: skcompare.from_predictions([0, 1], TWO),
            "predictions['a']", 'must have one row per sample, 2'),
        Row('y_true', 'an index without a sample', lambda _: skcompare.from_predictions(pd.Series([0, 1, 0], index=[1, 2, 4]), TWO, sample_id=[1, 2, 3]),
            'y_true', 'must have every sample_id once in its index'),
        Row('predictions', 'no mapping', lambda _: skcompare.from_predictions([0, 1, 1], pd.Series([0, 1, 1])),
            'predictions', 'must map names of models to arrays'),
        Row('predictions', 'a name that is no text', lambda _: skcompare.from_predictions([0, 1, 1], {1: [0, 1, 1], 2: [0, 1, 0]}),
            'predictions', 'must be named by non-empty strings'),
        Row('predictions', 'a missing value', lambda _: skcompare.from_predictions([0, 1, 1], TWO | {"b": [0.5, np.nan, 0.5]}),
            "predictions['b']", 'must not have missing or infinite values'),
        Row('predictions', 'a class that y_true lacks', lambda _: skcompare.from_predictions([0, 1, 1], TWO | {"b": [0, 1, 2]}),
            "predictions['b']", 'must be classes (0, 1) or scores'),
        Row('predictions', 'no probability', lambda _: skcompare.from_predictions([0, 1, 1], TWO | {"b": {"probability": [0.5, 1.5, 0.1]}}),
            "predictions['b']", 'must have probabilities between 0 and 1'),
        Row('predictions', 'an unknown part', lambda _: skcompare.from_predictions([0, 1, 1], TWO | {"b": {"proba": [0.5, 0.5, 0.1]}}),
            "predictions['b']", "did you mean 'probability'?"),
        Row('predictions', 'a column too many', lambda _: skcompare.from_predictions([0, 1, 1], TWO | {"b": np.full((3, 3), 1 / 3)}),
            "predictions['b']", 'must have a column per class, 2'),
        Row('predictions', 'one score of several classes', lambda _: skcompare.from_predictions([0, 1, 2], {"a": [0, 1, 2], "b": {"score": [0.1, 0.2, 0.3]}}),
            "predictions['b']", 'must have a column per class, 3'),
        Row('predictions', 'scores above 1', lambda _: skcompare.from_predictions([0, 1, 1], {"a": [0, 1, 1], "b": {"score": [1, 4.5, 3]}}),
            "predictions['b']", 'must be probabilities, between 0 and 1'),
        Row('predictions', 'probabilities beside decision values', lambda _: skcompare.from_predictions([0, 1, 1], {"a": [0.1, 0.8, 0.7], "b": [-0.5, 0.3, 1.2]}),
            "predictions['a'] and predictions['b']", 'must be probabilities, between 0 and 1'),
        Row('predictions', 'scores by two names', lambda _: skcompare.from_predictions([0, 1, 1], TWO | {"b": {"score": [-1, 1, 2], "decision_function": [-1, 1, 2]}}),
            "predictions['b']", "must have one of 'score' and 'decision_function'"),
        Row('predictions', 'probabilities that do not add up', lambda _: skcompare.from_predictions([0, 1, 2], {"a": [0, 1, 2], "b": {"probability": np.full((3, 3), 0.2)}}),
            "predictions['b']", 'must have probabilities between 0 and 1 that add up to 1'),
        Row('predictions', 'a masked value among objects', lambda _: skcompare.from_predictions([0, 1, 1], TWO | {"b": np.array([0, np.ma.masked, 1], dtype=object)}),
            "predictions['b']", 'must not have masked values'),
        Row('predictions', 'complex numbers', lambda _: skcompare.from_predictions([0, 1, 1], TWO | {"b": np.array([0, 1, 1j])}),
            "predictions['b']", 'must hold labels or real numbers'),
        Row('predictions', 'the truth among models', lambda _: skcompare.from_predictions([0, 1, 1], TWO | {"y_true": [0, 1, 1]}),
            'predictions', "must hold models alone; 'y_true' is no model: leave it out"),
        Row('predictions', 'a fold among models', lambda _: skcompare.from_predictions([0, 1, 1], TWO | {"fold": [0, 1, 1]}),
            'predictions', "must hold models alone; 'fold' is no model: leave it out"),
        Row('outcomes', 'a fold among models', lambda _: skcompare.from_outcomes({"a": [0, 1, 1], "b": [1, 1, 1], "fold": [0, 1, 0]}),
            'outcomes', 'must hold models alone'),
        Row('y_true', 'complex numbers', lambda _: skcompare.from_predictions(np.array([0, 1, 1j]), TWO),
            'y_true', 'must hold labels or real numbers'),
        Row('y_true', 'records', lambda _: skcompare.from_predictions(np.array([(1, 2.0)] * 3, dtype=[("event", int), ("time", float)]), TWO),
            'y_true', 'must hold one label or number per place'),
        Row('y_true', 'values without order', lambda _: skcompare.from_predictions(np.array([0, "b", 1], dtype=object), TWO),
            'y_true', 'must hold values of one kind'),
        Row('classes', 'masked', lambda _: skcompare.from_predictions([0, 1, 1], TWO, classes=np.ma.array([0, 1], mask=[True, False])),
            'classes', 'must not have masked values'),
        Row('predictions', 'classes for a regression', lambda _: skcompare.from_predictions([0.5, 1.5, 2], {"a": [0.5, 1, 2], "b": np.zeros((3, 2))}),
            "predictions['b']", 'must be one number per place of y_true'),
        Row('predictions', 'None, with arrays', lambda _: skcompare.from_predictions([0, 1, 1]),
            'predictions', 'must be given where y_true is no table (a data'),
        Row('scoring', 'needs probabilities that are not there', lambda _: skcompare.from_predictions([0, 1, 1], TWO, scoring=["neg_log_loss"]),
            'scoring', 'must fit the predictions'),
        Row('scoring', 'an unknown name', lambda _: skcompare.from_predictions([0, 1, 1], TWO, scoring="acuracy"),
            'scoring', "did you mean 'accuracy' or 'top_k_accuracy'?"),
        Row('scoring', 'a cost', lambda _: skcompare.from_predictions([0, 1, 1], TWO, scoring="fit_time"),
            'scoring', "must fit the predictions: 'fit_time' needs"),
        Row('sample_id', 'an id twice', lambda _: skcompare.from_predictions([0, 1, 1], TWO, sample_id=[1, 1, 2]),
            'sample_id', 'must name every sample once'),
        Row('sample_id', 'of another length', lambda _: skcompare.from_predictions([0, 1, 1], TWO, sample_id=[1, 2]),
            'sample_id', 'must have one value per sample, 3'),
        Row('sample_id', 'given with a table', lambda _: skcompare.from_predictions(TIDY, sample_id=[1, 2]),
            'sample_id, clusters and sample_weight', 'must be columns of the table'),
        Row('clusters', 'of another length', lambda _: skcompare.from_predictions([0, 1, 1], TWO, clusters=[1, 2]),
            'clusters', 'must have one value per sample, 3'),
        Row('clusters', 'a missing value', lambda _: skcompare.from_predictions([0, 1, 1], TWO, clusters=[1, 2, None]),
            'clusters', 'must not have missing or infinite values'),
        Row('clusters', 'given with a table', lambda _: skcompare.from_predictions(TIDY, clusters=[1, 2]),
            'sample_id, clusters and sample_weight', 'must be columns of the table'),
        Row('classes', 'a class that is not there', lambda _: skcompare.from_predictions([0, 1, 1], TWO, classes=[0, 2]),
            'classes', 'must hold every class of y_true'),
        Row('classes', 'a class twice', lambda _: skcompare.from_predictions([0, 1, 1], TWO, classes=[0, 1, 1], scoring="f1"),
            'classes', 'must name every class once'),
        Row('task', 'an unknown word', lambda _: skcompare.from_predictions([0, 1, 1], TWO, task="multiklass"),
            'task', "did you mean 'multiclass'?"),
        Row('task', 'several labels, one column', lambda _: skcompare.from_predictions([0, 1, 1], TWO, task="multilabel"),
            'task', 'must fit y_true, of shape (3,)'),
        Row('task', 'one number, several columns', lambda _: skcompare.from_predictions(np.eye(3), {"a": np.eye(3), "b": np.eye(3)}, task="regression"),
            'task', 'must fit y_true, of shape (3, 3)'),
        Row('task', 'a regression of texts', lambda _: skcompare.from_predictions(["x", "y", "x"], {"a": ["x", "y", "x"], "b": ["x", "x", "x"]}, task="regression"),
            "predictions['a']", 'must be an array of numbers'),
        Row('task', 'binary, of three classes', lambda _: skcompare.from_predictions([0, 1, 2], {"a": [0, 1, 2], "b": [0, 1, 1]}, task="binary"),
            'task', 'must fit y_true, of shape (3,) with 3 different'),
        Row('a table', 'a column is missing', lambda _: skcompare.from_predictions({"model": ["a", "b"], "sample_id": [1, 1], "prediction": [0, 1]}),
            'y_true', 'it has no column of true values'),
        Row('a table', 'a sample that a model lacks', lambda _: skcompare.from_predictions({"model": ["a", "a", "b"], "sample_id": [1, 2, 1], "prediction": [0, 1, 1], "y_true": [0, 1, 0]}),
            'the table', "model 'b' lacks sample 2"),
        Row('a table', 'a sample twice', lambda _: skcompare.from_predictions({"model": ["a", "a", "b"], "sample_id": [1, 1, 1], "prediction": [0, 1, 1], "y_true": [0, 0, 0]}),
            'the table', "model 'a' has sample 1 more than once"),
        Row('a table', 'true values that differ', lambda _: skcompare.from_predictions({"model": ["a", "b"], "sample_id": [1, 1], "prediction": [0, 1], "y_true": [0, 1]}),
            'the table', 'must have one value of y_true per sample'),
        Row('a table', 'columns of several lengths', lambda _: skcompare.from_predictions({"model": ["a", "b"], "sample_id": [1], "prediction": [0, 1], "y_true": [0, 1]}),
            'y_true', 'must have columns of one length, with at least'),
        Row('a table', 'no rows', lambda _: skcompare.from_predictions({"model": [], "sample_id": [], "prediction": [], "y_true": []}),
            'y_true', 'has no rows below its header'),
        Row('a table', 'an id that is missing', lambda _: skcompare.from_predictions({"model": ["a", "b"], "sample_id": [1, None], "prediction": [0, 1], "y_true": [0, 1]}),
            'sample_id', 'must not have missing or infinite values'),
        Row('a table', 'a prediction that is missing', lambda _: skcompare.from_predictions({"model": ["a", "a", "b", "b"], "sample_id": [1, 2, 1, 2], "prediction": [0, 1, 1, None], "y_true": [0, 1, 0, 1]}),
            'the table', 'must have a prediction of every sample'),
        Row('a table', 'a model without predictions', lambda _: skcompare.from_predictions({"model": ["a", "a", "b", "b"], "sample_id": [1, 2, 1, 2], "prediction": [0, 1, None, None], "y_true": [0, 1, 0, 1]}),
            "predictions['b']", "must hold one or more of 'prediction'"),
        Row('a table', 'a probability that is text', lambda _: skcompare.from_predictions({"model": ["a", "a", "b", "b"], "sample_id": [1, 2, 1, 2], "probability": ["x", 1, 0, 0], "y_true": [0, 1, 0, 1]}),
            "predictions['a']", 'must be an array of numbers'),
    ],
    'from_runs': [
        Row('frame', 'no frame', lambda _: skcompare.from_runs(3),
            'frame', 'must be a data frame or a mapping of columns'),
        Row('frame', 'a column is missing', lambda _: skcompare.from_runs({"model": ["a", "b"], "score": [1, 2]}),
            'frame', 'it has one score per model'),
        Row('frame', 'folds', lambda _: skcompare.from_runs({**RUNS, "fold": [0, 1, 0, 1]}),
            'frame', "it has runs in column 'run' beside splits"),
        Row('frame', 'columns of two lengths', lambda _: skcompare.from_runs({**RUNS, "score": [1, 2]}),
            'frame', 'must have columns of one length, with at least'),
        Row('frame', 'a score that is missing', lambda _: skcompare.from_runs({**RUNS, "score": [0.9, 0.8, np.nan, 0.6]}),
            'frame', "1 score is missing: 'b' on 'run 0', in 1 of 4 runs. What lacks a score is left out: skc.read(frame, missing='drop')"),
        Row('frame', 'a run without a name', lambda _: skcompare.from_runs({**RUNS, "run": [0, None, 0, 1]}),
            'frame', "row 2 has no name in column 'run': name it, or leave the row out"),
        Row('frame', 'a run twice', lambda _: skcompare.from_runs({**RUNS, "run": [0, 0, 0, 1]}),
            'frame', "model 'a', run '0' has several scores, in rows 1 and 2"),
        Row('frame', 'a metric that a run lacks', lambda _: skcompare.from_runs({**RUNS, "metric": ["f1", "loss", "loss", "f1"]}),
            'frame', 'must hold every metric of every run'),
        Row('frame', 'a metric that a model lacks', lambda _: skcompare.from_runs({**RUNS, "metric": ["f1", "loss", "f1", "f1"]}),
            'frame', "1 score is missing: 'b' on 'all' (loss), in the only case. Metrics are 'f1'"),
        Row('frame', 'a task that a model lacks', lambda _: skcompare.from_runs({**RUNS, "task": ["x", "y", "x", "x"]}),
            'frame', "1 score is missing: 'b' on 'y'"),
        Row('greater_is_better', 'an unknown metric', lambda _: skcompare.from_runs(RUNS, greater_is_better={"loss": False}),
            'greater_is_better', "must be one of 'score'"),
        Row('paired', 'no reason', lambda _: skcompare.from_runs(RUNS, paired=True),
            'paired', 'must say why runs with the same name are pairs'),
        Row('paired', 'other runs of each model', lambda _: skcompare.from_runs({**RUNS, "run": [0, 1, 0, 2]}, paired="same weights"),
            'paired', "'a' has no run '2'"),
        Row('procedure', 'a paired test', lambda _: skcompare.from_runs(RUNS).test("paired_t_test"),
            'procedure', "must fit the design; 'paired_t_test' needs one"),
        Row('paired', 'given to the test', lambda _: skcompare.from_runs(RUNS).test("permutation_test", paired=True),
            'paired', "is set by the design for 'permutation_test'"),
        Row('difference', 'of independent runs', lambda _: skcompare.from_runs(RUNS).difference("score"),
            'difference', 'compare() has the difference of the means'),
        Row('margin', 'of independent runs', lambda _: skcompare.from_runs(RUNS).compare(margin=0.01),
            'margin', 'must be None of independent runs, which are no'),
        Row('dominance', 'of independent runs', lambda _: skcompare.from_runs(RUNS).dominance(),
            'this', "compare() and the plot 'differences' show"),
        Row('plot', 'a posterior of independent runs', lambda _: skcompare.from_runs(RUNS).plot("posterior"),
            'plot', "compare() and the plot 'differences' show"),
        Row('procedure', 'runs, of folds', lambda _: skcompare.StudyResult.from_frame({"dataset": ["x"] * 4 + ["y"] * 4, "model": ["a", "a", "b", "b"] * 2, "fold": [0, 1] * 4, "score": [0.9, 0.8, 0.7, 0.6] * 2}).test("interquartile_mean"),
            "'interquartile_mean'", 'needs independent runs on every data set'),
        Row('procedure', 'runs, of other numbers', lambda _: skcompare.from_runs({"task": ["x"] * 3 + ["y"] * 4, "model": ["a", "b", "b", "a", "a", "b", "b"], "run": [0, 0, 1, 0, 1, 0, 1], "score": np.arange(7.0)}).test("interquartile_mean"),
            "'interquartile_mean'", 'needs as many runs of a model on every data set'),
        Row('procedure', 'pairs, of runs of tasks', lambda _: skcompare.from_runs({"task": ["x"] * 4 + ["y"] * 4, **{name: values * 2 for name, values in RUNS.items()}}).test("hierarchical_posterior", margin=0.01),
            "'hierarchical_posterior'", "'probability_of_improvement'"),
    ],
    'from_outcomes': [
        Row('outcomes', 'no mapping', lambda _: skcompare.from_outcomes([1, 0, 1]),
            'outcomes', 'must map models to arrays, or metrics'),
        Row('outcomes', 'models and metrics together', lambda _: skcompare.from_outcomes({"a": [1, 0], "f1": {"a": [1, 0], "b": [0, 1]}}),
            'outcomes', 'must map models to arrays, or metrics'),
        Row('outcomes', 'different models', lambda _: skcompare.from_outcomes({"f1": {"a": [1, 0], "b": [0, 1]}, "loss": {"a": [1, 0], "c": [0, 1]}}),
            "outcomes['loss']", 'must have the same models on every metric'),
        Row('outcomes', 'different numbers of items', lambda _: skcompare.from_outcomes({"a": [1, 0, 1], "b": [1, 0]}),
            'outcomes', 'must have one value per item, the same number'),
        Row('outcomes', 'a missing value', lambda _: skcompare.from_outcomes({"a": [1, np.nan, 1], "b": [1, 0, 1]}),
            "outcomes['a']", 'must be finite'),
        Row('outcomes', 'a text', lambda _: skcompare.from_outcomes({"a": [1, "good"], "b": [1, 0]}),
            "outcomes['a']", "got text such as 'good': give a number in its place"),
        Row('outcomes', 'three dimensions', lambda _: skcompare.from_outcomes({"a": np.ones((2, 2, 2)), "b": np.ones((2, 2, 2))}),
            "outcomes['a']", 'must have 1 or 2 dimensions'),
        Row('outcomes', 'no items', lambda _: skcompare.from_outcomes({"a": [], "b": []}),
            "outcomes['a']", 'must hold at least one value'),
        Row('outcomes', 'a name with control characters', lambda _: skcompare.from_outcomes({"a\n": [1, 0], "b": [1, 0]}),
            'outcomes', 'must be named without control characters'),
        Row('outcomes', 'a table with an item that a model lacks', lambda _: skcompare.from_outcomes({"model": ["a", "a", "b"], "item": [1, 2, 1], "outcome": [1, 0, 1]}),
            'outcomes', "1 score is missing: 'b' on '2'"),
        Row('outcomes', 'a table with an item twice', lambda _: skcompare.from_outcomes({"model": ["a", "a", "b"], "item": [1, 1, 1], "outcome": [1, 0, 1]}),
            'outcomes', "model 'a', item '1' has several scores, in rows 1 and 2"),
        Row('outcomes', 'a table with a run twice', lambda _: skcompare.from_outcomes({"model": ["a", "a", "b"], "item": [1, 1, 1], "run": [0, 0, 0], "outcome": [1, 0, 1]}),
            'outcomes', "model 'a', item '1' has several scores, in rows 1 and 2"),
        Row('outcomes', 'a table with a text', lambda _: skcompare.from_outcomes({"model": ["a", "b"], "item": [1, 1], "outcome": ["x", "y"]}),
            'outcomes', "column 'outcome': 'x' is no number"),
        Row('outcomes', 'a table with a gap', lambda _: skcompare.from_outcomes({"model": ["a", "a", "b", "b"], "item": [1, 2, 1, 2], "outcome": [1, 0, 1, np.nan]}),
            'outcomes', "1 score is missing: 'b' on '2', in 1 of 2 items. What lacks a score is left out: skc.read(outcomes, missing='drop')"),
        Row('outcomes', 'a table with other items on a metric', lambda _: skcompare.from_outcomes({"model": ["a", "b"] * 2, "item": [1, 1, 2, 2], "metric": ["f", "f", "g", "g"], "outcome": [1, 0, 1, 0]}),
            'outcomes', "4 scores are missing: 'a' on '1' (g)"),
        Row('outcomes', 'a table with two clusters of an item', lambda _: skcompare.from_outcomes({"model": ["a", "b"], "item": [1, 1], "cluster": [1, 2], "outcome": [1, 0]}),
            'the table', 'must have one value of clusters per sample'),
        Row('clusters', 'a column in which items repeat', lambda _: skcompare.from_outcomes({"model": ["a"] * 4 + ["b"] * 4, "item": [*range(4)] * 2, "document": [0, 0, 1, 1] * 2, "outcome": [0, 1] * 4}),
            'clusters', 'must be told where items repeat'),
        Row('clusters', 'no column of the table', lambda _: skcompare.from_outcomes({"model": ["a", "b"], "item": [1, 1], "outcome": [1, 0]}, clusters="doc"),
            'clusters', "must be one of 'model', 'item', 'outcome'"),
        Row('clusters', 'no column beside the models', lambda _: skcompare.from_outcomes({"a": [1, 0], "b": [0, 1]}, clusters="doc"),
            'clusters', "must be one of 'a', 'b'"),
        Row('clusters', 'an argument and a column', lambda _: skcompare.from_outcomes({"a": [1, 0], "b": [0, 1], "clusters": [0, 1]}, clusters=[0, 1]),
            'clusters', 'must be an argument or one column'),
        Row('outcomes', 'two columns that differ in case alone', lambda _: skcompare.from_outcomes({"model": ["a", "b"], "item": [1, 1], "outcome": [1, 0], "Outcome": [1, 0]}),
            'outcomes', "'outcome', 'Outcome' differ in case alone: leave all but one out"),
        Row('greater_is_better', 'a column with two values of a metric', lambda _: skcompare.from_outcomes({"model": ["a", "b"], "item": [1, 1], "outcome": [1, 0], "greater_is_better": [True, False]}),
            'greater_is_better', 'must have one value in its column'),
        Row('greater_is_better', 'an argument and a column', lambda _: skcompare.from_frame({**SCORES, "greater_is_better": [True] * 4}, greater_is_better=False),
            'greater_is_better', 'must be an argument or a column of the table'),
        Row('greater_is_better', 'a column, two values of one of several metrics', lambda _: skcompare.from_frame({**SCORES, "metric": ["x"] * 4, "greater_is_better": [True, False] * 2}),
            'greater_is_better', 'must have one value per metric in its column'),
        Row('greater_is_better', 'an unknown metric', lambda _: skcompare.from_outcomes({"a": [1, 0], "b": [0, 1]}, greater_is_better={"loss": False}),
            'greater_is_better', "must be one of 'score'"),
        Row('greater_is_better', 'no boolean', lambda _: skcompare.from_outcomes({"a": [1, 0], "b": [0, 1]}, greater_is_better="less"),
            'greater_is_better', "must be a bool, or map metrics ('score')"),
        Row('clusters', 'of another length', lambda _: skcompare.from_outcomes({"a": [1, 0], "b": [0, 1]}, clusters=[1, 1, 2]),
            'clusters', 'must have one value per sample, 2'),
        Row('clusters, sample_id', 'with a table', lambda _: skcompare.from_outcomes({"model": ["a", "b"], "item": [1, 1], "outcome": [1, 0]}, clusters=[1]),
            'clusters and sample_id', 'must be columns of the table'),
        Row('sample_id', 'an id twice', lambda _: skcompare.from_outcomes({"a": [1, 0], "b": [0, 1]}, sample_id=[1, 1]),
            'sample_id', 'must name every sample once'),
    ],
    'load': [
        Row('path', 'no path', lambda _: skcompare.load(3),
            'path', 'must be a path'),
        Row('path', 'a directory', lambda folder: skcompare.load(folder),
            'path', 'is a directory or device'),
        Row('path', 'no zip file', lambda folder: skcompare.load(written(folder, "x.skc", b"text")),
            'path', 'is not: ...'),
        Row('path', 'no header', lambda folder: skcompare.load(archive(folder, {})),
            'path', 'is not: ...'),
        Row('path', 'a header that is no JSON', lambda folder: skcompare.load(archive(folder, {"result.json": b"{"})),
            'path', 'is not: ...'),
        Row('path', 'a header that is no object', lambda folder: skcompare.load(archive(folder, {"result.json": b"[]"})),
            'path', 'its header is no JSON object'),
        Row('path', 'another format', lambda folder: skcompare.load(archive(folder, {"result.json": b'{"format": 99}'})),
            'path', 'has format 99'),
        Row('path', 'the format of an earlier version', lambda folder: skcompare.load(archive(folder, {"result.json": b'{"format": 1}'})),
            'path', 'was saved by skcompare 0.1.0 in format 1'),
        Row('path', 'changed after it was saved', lambda folder: skcompare.load(archive(folder, {"result.json": b'{"format": 3}'})),
            'path', 'was changed since: its digest does not fit'),
        Row('path', 'a compression that could expand without bound', lambda folder: skcompare.load(archive(folder, {"result.json": b"{}"}, method=zipfile.ZIP_LZMA)),
            'path', 'result.json is compressed by another method'),
        Row('path', 'members outside the file', lambda folder: skcompare.load(moved(folder)),
            'path', 'result.json is said to lie outside the file'),
        Row('path', 'a header that has an entry twice', lambda folder: skcompare.load(archive(folder, {"result.json": b'{"format": 3, "format": 3}'})),
            'path', "its header has 'format' twice"),
        Row('path', 'a member twice', lambda folder: skcompare.load(doubled(folder)),
            'path', 'it holds two members of one name'),
        Row('path', 'members with control characters in their names', lambda folder: skcompare.load(archive(folder, {"result.json": b"{}", "\x1b.npy": b""})),
            'path', 'its members must be named without control'),
        Row('path', 'an array that only pickle could read', lambda folder: skcompare.load(archive(folder, {"result.json": b'{"format": 3}', "x.npy": npy(np.array([None]))})),
            'path', 'x.npy is not a plain array: its header'),
        Row('path', 'an array that is not as long as it says', lambda folder: skcompare.load(archive(folder, {"result.json": b'{"format": 3}', "x.npy": npy(np.zeros(3))[:-1]})),
            'path', 'x.npy is not a plain array: its header'),
        Row('path', 'arrays that would take far more memory than the file', lambda folder: skcompare.load(archive(folder, {"result.json": b"{}", "x.npy": bytes(300 * 2**20)}, method=zipfile.ZIP_DEFLATED)),
            'path', 'its members claim 314572802 bytes together'),
        Row('path', 'an entry missing', lambda folder: skcompare.load(tampered(folder, estimators=GONE)),
            'path', "it has no 'estimators'"),
        Row('path', 'names that are no strings', lambda folder: skcompare.load(tampered(folder, estimators=[1, 2])),
            'path', 'estimators must be a text; got 1'),
        Row('path', 'names with control characters', lambda folder: skcompare.load(tampered(folder, estimators=["a", "b\x1b"])),
            'path', 'estimators must be named without control'),
        Row('path', 'names twice', lambda folder: skcompare.load(tampered(folder, estimators=["a", "a"])),
            'path', 'estimators must be at least 1, each named once'),
        Row('path', 'scores of another shape', lambda folder: skcompare.load(tampered(folder, estimators=["a", "b", "c"])),
            'path', 'scores must be float64 of shape (3, 3, 2)'),
        Row('path', 'directions that are no booleans', lambda folder: skcompare.load(tampered(folder, greater_is_better=[1, 1])),
            'path', 'greater_is_better must be true or false; got 1'),
        Row('path', 'an unknown task', lambda folder: skcompare.load(tampered(folder, task="sorting")),
            'path', "task must be one of 'binary', 'multiclass'"),
        Row('path', 'a positive class that is no label', lambda folder: skcompare.load(tampered(folder, positive_class=[1])),
            'path', 'positive_class must be a label'),
        Row('path', 'a seed that is none', lambda folder: skcompare.load(tampered(folder, provenance={"random_state": -1})),
            'path', 'random_state must be an integer in [0'),
        Row('path', 'provenance that is no mapping', lambda folder: skcompare.load(tampered(folder, provenance=[])),
            'path', 'provenance must be a mapping; got []'),
        Row('path', 'failures of an unknown estimator', lambda folder: skcompare.load(tampered(folder, failures=[{"estimator": "c", "split": 0, "metric": None, "message": ""}])),
            'path', "estimator of a failure must be one of 'nb'"),
        Row('path', 'failures outside the splits', lambda folder: skcompare.load(tampered(folder, failures=[{"estimator": "nb", "split": 9, "metric": None, "message": ""}])),
            'path', 'split of a failure must be one of the splits'),
        Row('path', 'counts outside the splits', lambda folder: skcompare.load(tampered(folder, ill_defined={"nb": {"f1": 9}})),
            'path', 'ill_defined must count splits by metric'),
        Row('path', 'splits that were changed', lambda folder: skcompare.load(tampered(folder, design={**design(), "n_samples": 39})),
            'path', 'fold_ids must fit the design'),
        Row('path, a study', 'data sets twice', lambda folder: skcompare.load(tampered_study(folder, datasets=["d", "d"])),
            'path', 'datasets must be at least 1, each named once'),
        Row('path, a study', 'scores of another shape', lambda folder: skcompare.load(tampered_study(folder, datasets=["d"])),
            'path', 'scores must be float64 of shape (1, 3, 1, 1)'),
        Row('path, a study', 'failures that are none', lambda folder: skcompare.load(tampered_study(folder, failures=[["d", 1]])),
            'path', "DatasetFailure must be a mapping; got ['d', 1]"),
        Row('path, a study', 'directions that are no booleans', lambda folder: skcompare.load(tampered_study(folder, greater_is_better=[None])),
            'path', 'greater_is_better must be true or false'),
    ],
    'The command': [
        Row('compare', 'neither --dataset nor --data', lambda _: command("compare", *SPECS),
            'give', 'either --dataset NAME or --data FILE.csv'),
        Row('compare', '--target without --data', lambda _: command("compare", "--dataset", "iris", "--target", "y", *SPECS),
            '--target', '--target, --categorical, --drop, --group'),
        Row('curve --sizes', 'no numbers', lambda _: command("curve", "--dataset", "iris", *SPECS, "--sizes", "a,b"),
            '--sizes', 'must be numbers with commas between them'),
        Row('verify', 'a learning curve', lambda folder: command("verify", saved_curve(folder)),
            'FILE', 'is a learning curve: save one of its results'),
        Row('compare --model', 'not of the form', lambda _: command("compare", "--dataset", "iris", "--model", "nb"),
            '--model', 'must read NAME=MODULE:CLASS'),
        Row('compare --model', 'arguments that are no literals', lambda _: command("compare", "--dataset", "iris", "--model", "m:C(open(1))"),
            '--model', 'must read NAME=MODULE:CLASS'),
        Row('compare --model', 'a module that is not there', lambda _: command("compare", "--dataset", "iris", "--model", "a=nowhere:Model"),
            '--model', "'a=nowhere:Model': cannot import 'nowhere': ..."),
        Row('compare --model', 'a class that is not there', lambda _: command("compare", "--dataset", "iris", "--model", "a=sklearn.naive_bayes:GausianNB"),
            '--model', "did you mean 'GaussianNB'?"),
        Row('compare --model', 'no estimator', lambda _: command("compare", "--dataset", "iris", "--model", "a=sklearn.preprocessing:StandardScaler"),
            '--model', 'StandardScaler is no estimator with fit'),
        Row('compare --model', 'a parameter that is not there', lambda _: command("compare", "--dataset", "iris", "--model", "a=sklearn.naive_bayes:GaussianNB(x=1)"),
            '--model', "'a=sklearn.naive_bayes:GaussianNB(x=1)': ..."),
        Row('compare --model', 'a name twice', lambda _: command("compare", "--dataset", "iris", *SPECS[:2], *SPECS[:2]),
            '--model', 'write NAME=MODULE:CLASS with another name'),
        Row('plan', 'neither a file nor a spread', lambda _: command("plan", "--margin", "0.1", "--sd", "0.1"),
            'give', 'FILE, or --sd, --n-train and --n-test'),
        Row('plan', 'a file and a spread', lambda folder: command("plan", folder / "x.skc", "--margin", "0.1", "--sd", "0.1"),
            'give', 'FILE, or --sd, --n-train and --n-test'),
        Row('procedures', 'an unknown name', lambda _: command("procedures", "delong_tst"),
            'NAME', "did you mean 'delong_test'?"),
        Row('compare --dataset', 'an unknown name', lambda _: command("compare", "--dataset", "irs", *SPECS),
            '--dataset', "must be one of 'breast_cancer', 'diabetes', 'digits'"),
        Row('compare --dataset', 'numbers to predict, for classifiers', lambda _: command("compare", "--dataset", "diabetes", *SPECS),
            '--dataset', 'give regressors'),
        Row('compare --cv', 'no number of folds', lambda _: command("compare", "--dataset", "iris", "--cv", "x", *SPECS),
            '--cv', 'must be K folds or RxK with K of at least 2'),
        Row('compare --scoring', 'an unknown name', lambda _: command("compare", "--dataset", "iris", "--scoring", "zzz", *SPECS),
            '--scoring', "must be a scorer name of scikit-learn or of skcompare; got 'zzz'. Of skcompare are "),
        Row('compare --out', 'a folder that is not there', lambda folder: command("compare", "--dataset", "iris", "--out", folder / "no" / "x.skc", *SPECS),
            '--out', 'No such file or directory'),
        Row('compare --out', 'a directory', lambda folder: command("compare", "--dataset", "iris", "--out", folder, *SPECS),
            '--out', 'is a directory'),
        Row('compare --out', 'a file that is read-only', lambda folder: command("compare", "--dataset", "iris", "--out", read_only(folder), *SPECS),
            '--out', 'make it writable, or give another name'),
        Row('compare --data', 'a directory', lambda folder: compare(folder),
            '--data', 'is a directory'),
        Row('compare --data', 'no such file', lambda folder: compare(folder / "no.csv"),
            '--data', 'No such file or directory'),
        Row('compare --data', 'an empty file', lambda folder: compare(csv(folder, "")),
            '--data', 'it is empty'),
        Row('compare --data', 'rows longer than the header', lambda folder: compare(csv(folder, "x,y\n1,2,3,4\n")),
            '--data', 'its header has 2 cells, row 1 below it has 4'),
        Row('compare --data', 'a column twice', lambda folder: compare(csv(folder, "x,x,y\n1,2,3\n")),
            '--data', "two are called 'x': rename one"),
        Row('compare --data', 'compressed', lambda folder: compare(written(folder, "x.csv.gz", gzip.compress(b"x,y\n1,2\n", mtime=0))),
            '--data', 'it is compressed: unpack it first'),
        Row('compare --data', 'a name longer than 131,072 characters', lambda folder: compare(csv(folder, f"{'x' * 200_000},y\n1,2\n")),
            '--data', 'field larger than field limit'),
        Row('compare --data', 'no rows', lambda folder: compare(csv(folder, "x,y\n")),
            '--data', "has no rows below its header, 'x', 'y'"),
        Row('compare --data', 'one column', lambda folder: compare(csv(folder, "y\n1\n")),
            '--data', "has no column besides 'y'"),
        Row('compare --data', 'a text among numbers', lambda folder: compare(csv(folder, "x,y\n1,0\n2,1\nq,0\n")),
            '--data', 'mend it, or take the column as categories'),
        Row('compare --data', 'too many texts for categories', lambda folder: compare(csv(folder, "x,y\n" + "".join(f"t{i},{i % 2}\n" for i in range(60)))),
            '--data', 'leave it out with --drop x, or keep'),
        Row('compare --data', 'numbers too large', lambda folder: compare(csv(folder, "x,y\ninf,0\n1,1\n")),
            '--data', "column 'x' holds infinity or numbers too large"),
        Row('compare --target', 'not given', lambda folder: command("compare", "--data", csv(folder, "x,y\n1,2\n"), *SPECS),
            '--target', 'must name the column to predict, one of'),
        Row('compare --target', 'an unknown column', lambda folder: compare(csv(folder, "x,yy\n1,2\n")),
            '--target', "did you mean 'yy'?"),
        Row('compare --target', 'missing values', lambda folder: compare(csv(folder, "x,y\n1,0\n2,\n")),
            '--target', "column 'y' has no value in row 2 below"),
        Row('compare --target', 'numbers that are no classes, for classifiers', lambda folder: compare(csv(folder, "x,y\n1,0.5\n2,1\n")),
            '--target', 'must hold classes for classifiers'),
        Row('compare --target', 'no numbers, for regressors', lambda folder: compare(csv(folder, "x,y\n1,a\n2,b\n"), TREES),
            "column 'y'", 'must hold numbers for regressors'),
        Row('compare --categorical', 'an unknown column', lambda folder: command("compare", "--data", csv(folder, "x,y\n1,2\n"), "--target", "y", "--categorical", "z", *SPECS),
            '--categorical', "be one of 'x', 'y'; got 'z'"),
        Row('compare --drop', 'an unknown column', lambda folder: command("compare", "--data", csv(folder, "x,y\n1,2\n"), "--target", "y", "--drop", "xx", *SPECS),
            '--drop', "did you mean 'x'?"),
        Row('compare --drop', 'the target', lambda folder: command("compare", "--data", csv(folder, "x,y\n1,2\n"), "--target", "y", "--drop", "y", *SPECS),
            '--drop', "'y' is left out and cannot be another column too"),
        Row('compare --drop', 'all columns', lambda folder: command("compare", "--data", csv(folder, "x,y\n1,2\n"), "--target", "y", "--drop", "x", *SPECS),
            '--data', "has no column besides 'y', 'x'"),
        Row('compare --group', 'an unknown column', lambda folder: command("compare", "--data", csv(folder, "x,y\n1,2\n"), "--target", "y", "--group", "g", *SPECS),
            '--group', "be one of 'x', 'y'; got 'g'"),
        Row('compare --group', 'the target', lambda folder: command("compare", "--data", csv(folder, "x,y\n1,2\n"), "--target", "y", "--group", "y", *SPECS),
            '--group', "'y' is left out and cannot be another column too"),
        Row('compare --group', 'rows without one', lambda folder: command("compare", "--data", csv(folder, "x,g,y\n1,,0\n2,a,1\n"), "--target", "y", "--group", "g", *SPECS),
            '--group', "column 'g' is empty in row 1 below the header"),
        Row('compare --in-time', 'repeats of folds', lambda _: command("compare", "--dataset", "iris", "--in-time", *SPECS),
            '--cv', 'must be a number of test sets of at least 2'),
        Row('compare --sep', 'more than one character', lambda folder: command("compare", "--data", csv(folder, "x,y\n1,2\n"), "--target", "y", "--sep", "::", *SPECS),
            '--sep', 'must be one character that separates columns'),
        Row('compare --html', 'a name of saved results', lambda folder: command("compare", "--dataset", "iris", "--html", folder / "x.skc", *SPECS),
            '--html', 'give another name'),
        Row('compare --scoring', 'the name of a loss', lambda _: command("compare", "--dataset", "iris", "--scoring", "rmse", *SPECS),
            '--scoring', "did you mean 'neg_root_mean_squared_error'?"),
        Row('procedures', 'a name of elsewhere', lambda _: command("procedures", "wilcoxon"),
            'NAME', "did you mean 'signed_rank_test'?"),
        Row('analyze', 'a pipe', lambda folder: command("analyze", pipe(folder)),
            'FILE', 'is a pipe or device: copy what it gives'),
        Row('analyze', 'no such file', lambda folder: command("analyze", folder / "no.csv"),
            'cannot read', 'No such file or directory'),
        Row('check(--cluster)', 'with models', lambda _: command("check", SPECS[1], SPECS[3], "--dataset", "iris", "--metric", "accuracy", "--margin", "0.1", "--cluster", "x"),
            '--cluster', 'must be left out: only tables take it'),
        Row('analyze', 'a page', lambda folder: command("analyze", csv(folder, "<table><tr><td>1</td></tr></table>")),
            'cannot read', 'give its table as CSV, or as a data frame, such as pandas.read_html makes'),
        Row('analyze', 'a column is missing', lambda folder: command("analyze", csv(folder, "x,y\n1,2\n")),
            'x.csv', 'it must hold two or more models'),
        Row('analyze', 'a text for a score', lambda folder: command("analyze", csv(folder, "model,fold,score\na,0,x\nb,0,1\n")),
            'x.csv', "row 'a', column 'score': 'x' is not read as one number"),
        Row('analyze --less-is-better', 'an unknown metric', lambda folder: command("analyze", csv(folder, "model,fold,score\na,0,1\na,1,2\nb,0,1\nb,1,3\n"), "--less-is-better", "loss"),
            '--less-is-better', "must be one of 'score'"),
        Row('analyze --greater-is-better', 'two directions for all metrics', lambda folder: command("analyze", csv(folder, "model,fold,score\na,0,1\na,1,2\nb,0,1\nb,1,3\n"), "--greater-is-better", "true", "--greater-is-better", "false"),
            '--greater-is-better', 'give one direction, or one per metric'),
        Row('analyze --greater-is-better', 'both directions for one metric', lambda folder: command("analyze", csv(folder, "model,fold,score\na,0,1\na,1,2\nb,0,1\nb,1,3\n"), "--greater-is-better", "score=true", "--less-is-better", "score"),
            '--greater-is-better', 'give one direction, or one per metric'),
        Row('analyze --test-fraction', 'outside (0, 1)', lambda folder: command("analyze", csv(folder, "model,fold,score\na,0,1\nb,0,1\n"), "--test-fraction", "2"),
            '--test-fraction', 'is not in the range 0<x<1'),
        Row('study', 'a pipe', lambda folder: command("study", pipe(folder)),
            'CONFIG', 'is a pipe or device: copy what it gives'),
        Row('study', 'no such file', lambda folder: command("study", folder / "no.toml"),
            'CONFIG', 'No such file or directory'),
        Row('study', 'no TOML', lambda folder: command("study", toml(folder, "x")),
            'CONFIG', 'cannot read {folder}/x.toml: ...'),
        Row('study', 'lists in lists, thousands deep', lambda folder: command("study", toml(folder, f"cv = {'[' * 5000}{']' * 5000}")),
            'CONFIG', 'maximum recursion depth exceeded'),
        Row('study', 'an unknown entry', lambda folder: command("study", toml(folder, "sede = 1")),
            'CONFIG', "No such entry 'sede'"),
        Row('study', 'no models', lambda folder: command("study", toml(folder, "cv = 3")),
            'CONFIG', 'be a table [models] with at least one entry'),
        Row('study', 'a model that is no text', lambda folder: command("study", toml(folder, "[models]\na = 1\n[datasets]\ni = 'iris'")),
            '[models]', 'must read NAME=MODULE:CLASS'),
        Row('study', 'a model that cannot be made', lambda folder: command("study", toml(folder, '[models]\na = "nowhere:Model"\n[datasets]\ni = "iris"')),
            'CONFIG', "[models] 'a=nowhere:Model': cannot import 'nowhere': ..."),
        Row('study', 'no data sets', lambda folder: command("study", toml(folder, MODEL_TABLE)),
            'CONFIG', 'be a table [datasets] with at least one entry'),
        Row('study', 'an unknown data set', lambda folder: command("study", toml(folder, f'{MODEL_TABLE}[datasets]\nd = "irs"')),
            'datasets.d', "be one of 'breast_cancer', 'diabetes', 'digits'"),
        Row('study', 'a data set that is neither name nor file', lambda folder: command("study", toml(folder, f"{MODEL_TABLE}[datasets]\nd = 1")),
            'datasets.d', 'if it is no table with path and target, must be one of'),
        Row('study', 'a path that is no text', lambda folder: command("study", toml(folder, f"{MODEL_TABLE}[datasets]\nd = {{path = 1, target = 'y'}}")),
            'datasets.d', 'No such file or directory'),
        Row('study', 'a file that is not there', lambda folder: command("study", toml(folder, f"{MODEL_TABLE}[datasets]\nd = {{path = 'no.csv', target = 'y'}}")),
            'CONFIG: datasets.d', 'No such file'),
        Row('study', 'a target that is not there', lambda folder: command("study", toml(folder, f"{MODEL_TABLE}[datasets]\nd = {{path = '{csv(folder, TWO_COLUMNS).name}', target = 'y'}}")),
            'CONFIG', "has no column 'y' among its 2"),
        Row('study', 'cv that is none', lambda folder: command("study", toml(folder, f'cv = 1.5\n{MODEL_TABLE}[datasets]\nd = "iris"')),
            'cv', 'must be K folds or RxK with K of at least 2'),
        Row('study', 'a seed that is none', lambda folder: command("study", toml(folder, f'seed = -1\n{MODEL_TABLE}[datasets]\nd = "iris"')),
            'seed', 'is not in the range 0<=x<=4294967295'),
        Row('verify', 'no such file', lambda folder: command("verify", folder / "no.skc"),
            'cannot use', 'No such file or directory'),
        Row('verify', 'a study', lambda folder: command("verify", saved_as(study(), folder)),
            'verify', 'save its evaluations'),
        Row('verify --target', 'without --data', lambda folder: command("verify", saved_as(result(), folder), "--target", "y"),
            '--target', '--target, --categorical, --drop and --sep go'),
        Row('verify --allow', 'no name of a package', lambda folder: command("verify", saved_as(result(), folder), "--allow", "a.b"),
            'allow', 'must be names of packages, as they are imported'),
        Row('skcompare.verify(allow)', 'a number', lambda _: skcompare.verify(result(), X, Y, allow=5),
            'allow', 'must be names of packages, as they are imported'),
        Row('skcompare.verify(result)', 'a study', lambda _: skcompare.verify(study(), X, Y),
            'result', 'must be one EvaluationResult'),
        Row('show', 'a pipe', lambda folder: command("show", pipe(folder)),
            'FILE', 'is a directory or device'),
        Row('show', 'no such file', lambda folder: command("show", folder / "no.skc"),
            'cannot use', 'No such file or directory'),
        Row('show', 'no saved result', lambda folder: command("show", written(folder, "x.skc", b"text")),
            'FILE', 'is not: ...'),
        Row('check --margin', 'no number', lambda folder: command("check", predicted(folder), "--metric", "f1", "--margin", "x"),
            '--margin', 'must be a positive number'),
        Row('check --margin', 'not positive', lambda folder: command("check", predicted(folder), "--metric", "f1", "--margin", "-0.01"),
            '--margin', 'must be a positive number'),
        Row('check --margin', 'twice', lambda folder: command("check", predicted(folder), "--metric", "f1", "--margin", "0.1", "--margin", "0.2"),
            '--margin', 'give one margin, or one per metric'),
        Row('check --margin', 'no margin for a metric', lambda folder: command("check", predicted(folder), "--metric", "f1", "--margin", "accuracy=0.1"),
            '--margin', "no margin for 'f1'"),
        Row('check --metric', 'none, of models', lambda _: command("check", SPECS[1], SPECS[3], "--dataset", "iris", "--margin", "0.1"),
            '--metric', 'must name a metric that scores the models'),
        Row('check --metric', 'none of several', lambda folder: command("check", saved_as(result(), folder), "--old", "nb", "--new", "tree", "--margin", "0.1"),
            '--metric', "must name one or more of 'accuracy', 'f1'"),
        Row('check --metric', 'an unknown scorer', lambda folder: command("check", predicted(folder), *OLD_NEW, "--metric", "rmse", "--margin", "0.1"),
            '--metric', "did you mean 'neg_root_mean_squared_error'?"),
        Row('check --old, --new', 'left out for a single file', lambda folder: command("check", predicted(folder), *GATE),
            '--old and --new', 'give a second file, or name two models'),
        Row('check --old, --new', 'an unknown model', lambda folder: command("check", predicted(folder), "--old", "a", "--new", "c", *GATE),
            '--new', "be one of 'a', 'b'; got 'c'"),
        Row('check --old, --new', 'one model', lambda folder: command("check", predicted(folder), "--old", "a", "--new", "a", *GATE),
            '--old and --new', 'must be two models'),
        Row('check --old, --new', 'left out for a file with several models', lambda folder: command("check", predicted(folder), other_predictions(folder), *GATE),
            '--old', "one of: 'a', 'b'"),
        Row('check', 'a pipe', lambda folder: command("check", pipe(folder), *OLD_NEW, *GATE),
            'OLD or NEW', 'is a pipe or device: copy what it gives'),
        Row('check', 'no such file', lambda folder: command("check", folder / "no.csv", *OLD_NEW, *GATE),
            'cannot read', 'No such file or directory'),
        Row('check', 'a result and a file of predictions', lambda folder: command("check", folder / "x.skc", predicted(folder), *GATE),
            'give', 'two results (.skc) or two tables'),
        Row('check', 'no sample_id', lambda folder: command("check", csv(folder, "model,y_true,prediction\na,0,1\nb,0,1\n"), *OLD_NEW, *GATE),
            'x.csv', 'it has a row per sample and model, and nothing names the samples'),
        Row('check', 'a sample that one model lacks', lambda folder: command("check", csv(folder, "model,sample_id,y_true,prediction\na,s1,0,1\na,s2,1,1\nb,s1,0,0\n"), *OLD_NEW, *GATE),
            'the table', 'must hold every sample once per model'),
        Row('check', 'targets that differ', lambda folder: command("check", csv(folder, "model,sample_id,y_true,prediction\na,s1,0,1\na,s2,1,1\nb,s1,0,0\nb,s2,0,0\n"), *OLD_NEW, *GATE),
            'the table', "must have one value of column 'y_true' per sample"),
        Row('check', 'results on different splits', lambda folder: command("check", *saved_twice(folder), "--old", "nb", "--new", "stump", "--margin", "accuracy=0.01"),
            'results', 'must share their splits to join models'),
        Row('check', 'a metric that a result lacks', lambda folder: command("check", saved_as(plain(), folder), "--old", "nb", "--new", "tree", *GATE),
            '--metric', "be one of 'accuracy'; got 'f1'"),
        Row('check', 'a model and a file', lambda folder: command("check", "a=sklearn.naive_bayes:GaussianNB", predicted(folder), *GATE),
            'give', 'two models, or two files'),
        Row('check', 'models without data', lambda _: command("check", *SPECS[1::2], *GATE),
            'give', 'either --dataset NAME or --data FILE.csv'),
        Row('check --model', 'two columns', lambda folder: command("check", predicted(folder), *OLD_NEW, *GATE, "--model", "a", "--model", "b"),
            '--model', '--old and --new name the columns of two models'),
        Row('check(--truth)', 'with results', lambda folder: command("check", saved_as(plain(), folder), "--old", "nb", "--new", "tree", *GATE, "--truth", "y"),
            '--truth', 'must be left out: only tables take it'),
        Row('check(--sep)', 'with results', lambda folder: command("check", saved_as(plain(), folder), "--old", "nb", "--new", "tree", *GATE, "--sep", ","),
            '--sep', 'must be left out: only tables and --data take it'),
        Row('check(--old, --new)', 'with models', lambda _: command("check", "a=sklearn.dummy:DummyClassifier", "b=sklearn.dummy:DummyClassifier", "--dataset", "iris", *OLD_NEW, *GATE),
            '--old, --new', 'must be left out: only files take it'),
        Row('check(--cv, --seed, --jobs, --store)', 'with files', lambda folder: command("check", predicted(folder), *OLD_NEW, *GATE, "--cv", "5", "--seed", "1", "-n", "2", "--store", folder / "fits"),
            '--cv, --seed, --jobs, --store', 'must be left out: only models take it'),
        Row('check --junit', 'a file that is compared', lambda folder: command("check", predicted(folder), *OLD_NEW, *GATE, "--junit", folder / "x.csv"),
            '--junit', 'is used too; give another name'),
        Row('check --markdown', 'a folder', lambda folder: command("check", predicted(folder), *OLD_NEW, *GATE, "--markdown", folder),
            '--markdown', 'is a directory'),
        Row('check', 'a module that ends Python', lambda _: ending_module("check", "ending:A", "ending:B", "--dataset", "iris", *GATE),
            'ended Python', 'with status 0'),
        Row('check --data, --dataset', 'with files', lambda folder: command("check", predicted(folder), *OLD_NEW, "--dataset", "iris", *GATE),
            '--dataset', 'must be left out: only models take it'),
        Row('analyze --out', 'the file that is read', lambda folder: command("analyze", predicted(folder), "--out", folder / "x.csv"),
            '--out', 'is used too; give another name'),
        Row('analyze --out', 'standard output', lambda folder: command("analyze", predicted(folder), "--out", "-"),
            '--out', 'is used too; give another name'),
        Row('analyze --html', 'the file that is saved', lambda folder: command("analyze", predicted(folder), "--out", folder / "a", "--html", folder / "a"),
            '--out', 'is used too; give another name'),
        Row('plan --sd', 'a negative number', lambda _: command("plan", "--margin", "0.02", "--sd", "-1", "--n-train", "90", "--n-test", "10"),
            '--sd', 'is not in the range x>=0'),
        Row('plan --sd-between', 'a negative number', lambda _: command("plan", "--margin", "0.02", "--sd-between", "-1"),
            '--sd-between', 'is not in the range x>=0'),
        Row('analyze --truth', 'a column that is not there', lambda folder: command("analyze", predicted(folder), "--truth", "y"),
            '--truth', 'must name a column of'),
        Row('analyze --id', 'a column that is not there', lambda folder: command("analyze", predicted(folder), "--id", "case"),
            '--item', 'must name a column of'),
        Row('analyze --model', 'a column that is not there', lambda folder: command("analyze", predicted(folder), "--model", "who"),
            '--model', 'must name a column of'),
        Row('analyze --model', 'the column of true values', lambda folder: command("analyze", predicted(folder), "--truth", "y_true", "--model", "y_true"),
            '--model', 'must name other columns than truth does'),
        Row('analyze --model', 'a column twice', lambda folder: command("analyze", predicted(folder), "--model", "model", "--model", "model"),
            '--model', 'must name every column once'),
        Row('analyze --cluster', 'a column that is not there', lambda folder: command("analyze", predicted(folder), "--cluster", "patient"),
            '--cluster', 'must name a column of'),
        Row('analyze --metric', 'an unknown scorer', lambda folder: command("analyze", predicted(folder), "--metric", "rmse"),
            '--metric', "did you mean 'neg_root_mean_squared_error'?"),
        Row('analyze --metric', 'one that the table lacks', lambda folder: command("analyze", csv(folder, "model,sample_id,outcome\na,1,1\nb,1,0\n"), "--metric", "f1"),
            '--metric', "x.csv, 'score'; got 'f1'"),
        Row('analyze --null', 'no number', lambda folder: command("analyze", predicted(folder), "--metric", "f1", "--null", "x"),
            '--null', 'must be a number'),
        Row('analyze --null', 'two for all metrics', lambda folder: command("analyze", predicted(folder), "--metric", "f1", "--null", "0.1", "--null", "0.2"),
            '--null', 'give one difference, or one per metric'),
        Row('analyze --null', 'an unknown metric', lambda folder: command("analyze", predicted(folder), "--metric", "f1", "--null", "f3=0.1"),
            'null', "must be one of 'f1'"),
        Row('analyze --baseline', 'alone', lambda folder: command("analyze", predicted(folder), "--baseline", "a"),
            '--baseline', 'goes with --null or --by'),
        Row('analyze --baseline', 'an unknown model', lambda folder: command("analyze", predicted(folder), "--metric", "accuracy", "--baseline", "c", "--null", "0.1"),
            'baseline', "must be one of 'a', 'b'"),
        Row('analyze --by', 'a column that is not there', lambda folder: command("analyze", predicted(folder), "--by", "hospital"),
            '--by', "be one of 'model', 'sample_id'"),
        Row('analyze --by', 'one group', lambda folder: command("analyze", csv(folder, "model,sample_id,y_true,prediction,site\na,1,0,1,x\na,2,1,1,x\nb,1,0,0,x\nb,2,1,1,x\n"), "--metric", "f1", "--by", "site"),
            'labels', 'must make 2 to 20 groups'),
        Row('analyze --by', 'a value that differs between models of a sample', lambda folder: command("analyze", csv(folder, "model,sample_id,y_true,prediction,site\na,1,0,1,x\na,2,1,1,y\nb,1,0,0,z\nb,2,1,1,x\n"), "--metric", "f1", "--by", "site"),
            '--by', 'have one value per sample, the same for all'),
        Row('analyze --by', 'the column of models', lambda folder: command("analyze", predicted(folder), "--by", "model"),
            '--by', 'names the models'),
        Row('analyze --less-is-better', 'of predictions', lambda folder: command("analyze", predicted(folder), "--less-is-better", "f1"),
            '--less-is-better', 'does not go with predictions'),
        Row('analyze', 'predictions without true values', lambda folder: command("analyze", csv(folder, "model,sample_id,prediction\na,1,1\nb,1,0\n")),
            'x.csv', 'it has predictions, and no column of true values'),
        Row('analyze', 'predictions without ids', lambda folder: command("analyze", csv(folder, "model,y_true,prediction\na,1,1\na,0,0\nb,1,0\nb,0,1\n")),
            'x.csv', 'nothing names the samples. Rows are items, in one order'),
        Row('analyze', 'true values of one class', lambda folder: command("analyze", csv(folder, "sample_id,y_true,prediction\n1,1,1\n2,1,0\n")),
            "column 'y_true'", 'must hold two or more classes'),
        Row('analyze', 'a column of texts that are no classes', lambda folder: command("analyze", csv(folder, "y_true,a,b,view\nx,x,y,good\ny,x,y,bad\nx,y,y,bad\ny,y,x,good\n")),
            "'view'", "may hold predictions of 'y_true', or errors, or describe the samples. Models are 'a', 'b': skcompare analyze"),
        Row('analyze', 'a class that no true value has', lambda folder: command("analyze", csv(folder, "y_true,a,b,view\nx,x,y,x\ny,x,y,bad\n")),
            "column 'view'", "must be classes ('x', 'y') or scores"),
        Row('analyze', 'a sample that a model lacks', lambda folder: command("analyze", csv(folder, "model,sample_id,y_true,prediction\na,1,0,1\na,2,1,1\nb,1,0,0\n")),
            'the table', 'must hold every sample once per model'),
        Row('analyze', 'a missing prediction', lambda folder: command("analyze", csv(folder, "sample_id,y_true,a,b\n1,1,1,\n2,0,0,1\n")),
            "column 'b'", 'must not have missing or infinite values'),
        Row('analyze', 'outcomes with a gap', lambda folder: command("analyze", csv(folder, "model,item,outcome\na,1,1\na,2,0\nb,1,1\nb,2,\n")),
            'x.csv', 'in 1 of 2 items. What lacks a score is left out: skcompare analyze'),
        Row('analyze', 'no JSON lines', lambda folder: command("analyze", written(folder, "x.jsonl", b"text")),
            'cannot read', 'cannot read'),
        Row('analyze --sep', 'another separator', lambda folder: command("analyze", csv(folder, "model;sample_id;y_true;prediction\na;1;0;1\n")),
            'x.csv', "column 'y_true' must hold two or more classes"),
        Row('check', 'one file too many models', lambda folder: command("check", csv(folder, "model,sample_id,y_true,prediction\na,1,0,1\n"), *OLD_NEW, *GATE),
            '--new', "be one of 'a'; got 'b'"),
        Row('check', 'no saved result', lambda folder: command("check", written(folder, "x.skc", b"text"), *OLD_NEW, *GATE),
            'OLD or NEW', 'File is not a zip file'),
        Row('check --margin', 'left out', lambda folder: command("check", predicted(folder), *OLD_NEW, "--metric", "f1"),
            '--margin', "Missing option '--margin'."),
    ],
    'Procedures on arrays: checks that they share': [
        Row('a, b, scores and other arrays of numbers', 'no numbers', lambda _: skcompare.inference.paired_t_test(["0.9"], [1]),
            'a', 'convert it, as in np.asarray(a, dtype=float)'),
        Row('a, b, scores and other arrays of numbers', 'bytes', lambda _: skcompare.inference.paired_t_test([b"0.9"], [1]),
            'a', 'convert them, as in np.asarray(a, dtype=float)'),
        Row('a, b, scores and other arrays of numbers', 'dates', lambda _: skcompare.inference.paired_t_test(X[0].astype("M8[D]"), X[1]),
            'a', 'must be an array of numbers'),
        Row('a, b, scores and other arrays of numbers', 'times', lambda _: skcompare.inference.paired_t_test(X[0].astype("m8[D]"), X[1]),
            'a', 'give them as numbers, such as a /'),
        Row('a, b, scores and other arrays of numbers', 'records', lambda _: skcompare.inference.paired_t_test(np.zeros(2, dtype=[("score", "f8")]), [1, 2]),
            'a', 'must be an array of numbers'),
        Row('a, b, scores and other arrays', 'masked', lambda _: skcompare.inference.paired_t_test(np.ma.masked_greater([0.9, 999.0], 1), [0.8, 0.7]),
            'a', 'must not have masked values'),
        Row('a, b, scores and other arrays', 'the masked constant among objects', lambda _: skcompare.inference.paired_t_test(np.array([0.9, np.ma.masked], dtype=object), [0.8, 0.7]),
            'a', 'must not have masked values'),
        Row('a and b, and other arrays that are paired', 'series or frames with other labels', lambda _: skcompare.inference.paired_t_test(pd.Series([1, 2]), pd.Series([1, 2], index=[1, 2])),
            'a and b', 'must have the same index, as their rows'),
        Row('a and b, and other arrays that are paired', 'frames with the same columns in another order', lambda _: skcompare.inference.dominance_counts(pd.DataFrame(X), pd.DataFrame(X)[[1, 0, 2]]),
            'a and b', 'must have the same columns, as their columns'),
        Row('a, b, scores and other arrays of numbers', 'integers larger than a float', lambda _: skcompare.inference.paired_t_test([10**400, 1], [1, 2]),
            'a', 'must be an array of numbers'),
        Row('a, b, scores and other arrays of numbers', 'complex numbers', lambda _: skcompare.inference.paired_t_test([1j], [1]),
            'a', 'give real ones, such as np.abs(a)'),
        Row('a, b, scores and other arrays of numbers', 'other dimensions', lambda _: skcompare.inference.paired_t_test([[[1]]], [[[1]]]),
            'a', 'must have 1 or 2 dimensions'),
        Row('a, b, scores and other arrays of numbers', 'no value', lambda _: skcompare.inference.paired_t_test([], []),
            'a', 'must hold at least one value'),
        Row('a, b, scores and other arrays of numbers', 'missing or infinite values', lambda _: skcompare.inference.paired_t_test([1, np.nan], [1, 2]),
            'a', 'must be finite'),
        Row('a, b', 'different shapes', lambda _: skcompare.inference.paired_t_test([1, 2], [1, 2, 3]),
            'a and b', 'must be paired, of one shape'),
        Row('a, b', "another shape than the design's", lambda _: skcompare.inference.five_by_two_t_test([1, 2], [1, 2]),
            'a', 'must have 2 dimensions'),
        Row('a, b', 'differences too large to square', lambda _: skcompare.inference.paired_t_test([1e308, 1], [-1e308, 1]),
            'a and b', 'must differ by at most 1e+300'),
        Row('alternative', 'an unknown one', lambda _: skcompare.inference.paired_t_test([1, 2], [2, 1], alternative="more"),
            'alternative', "must be one of 'two-sided', 'greater', 'less'"),
        Row('alternative', 'a side, for an F test', lambda _: skcompare.inference.five_by_two_f_test(np.zeros((5, 2)), np.zeros((5, 2)), alternative="less"),
            'alternative', "must be 'two-sided' for five_by_two_f_test, an F"),
        Row('method, correction and other choices', 'an unknown one', lambda _: skcompare.inference.mcnemar_test([1, 0], [0, 1], method="mid"),
            'method', "did you mean 'midp'?"),
        Row('test_fraction, rope and other numbers', 'outside the range', lambda _: skcompare.inference.corrected_t_test([1, 2], [2, 1], test_fraction=1.5),
            'test_fraction', 'must be a number in [0, 1)'),
        Row('n_resamples, n_draws and other counts', 'too small, or no integer', lambda _: skcompare.inference.permutation_test([1, 2], [2, 1], n_resamples=0),
            'n_resamples', 'must be an integer of at least 1'),
        Row('n_resamples, n_draws and other counts', '2**53 or more', lambda _: skcompare.inference.permutation_test([1, 2], [2, 1], n_resamples=2**53),
            'n_resamples', 'must be an integer below 9007199254740992'),
        Row('rng', 'no seed and no Generator', lambda _: skcompare.inference.permutation_test([1, 2], [2, 1], rng="x"),
            'rng', 'must be None, a non-negative integer or a numpy'),
        Row('pvalues', 'outside [0, 1]', lambda _: skcompare.inference.adjust_pvalues([0.5, 2]),
            'pvalues', 'must be in [0, 1]'),
        Row('null', 'no number', lambda _: skcompare.inference.paired_t_test([1, 2], [1, 3], null=np.nan),
            'null', 'must be a number in (-1e+300, 1e+300)'),
    ],
    'Procedures on the scores of folds': [
        Row('detectable_difference', 'another test',
            lambda _: skcompare.inference.detectable_difference([1, 2], [2, 1], test_fraction=0.1, procedure="sign_test"),
            'procedure', "must be one of 'corrected_t_test'"),
        Row('detectable_difference', 'a power not above alpha',
            lambda _: skcompare.inference.detectable_difference([1, 2], [2, 1], test_fraction=0.1, power=0.05),
            'power', 'must be a number in (0.05, 1)'),
        Row('alpha_spending', 'n_folds below 2', lambda _: skcompare.inference.alpha_spending(1, 10),
            'n_folds', 'must be an integer of at least 2'),
        Row('alpha_spending', 'fewer repeats than the first look, or above 100',
            lambda _: skcompare.inference.alpha_spending(10, 2, min_repeats=3), 'n_repeats', 'must be from min_repeats = 3 to 100'),
        Row('alpha_spending', 'no such kind of p-value', lambda _: skcompare.inference.alpha_spending(10, 2, alternative="less"),
            'alternative', "must be one of 'two-sided', 'one-sided'"),
        Row('blocked_m_by_two_test(a, b)', 'no pairs of folds', lambda _: skcompare.inference.blocked_m_by_two_test([1, 2], [1, 2]),
            'a', 'must have 2 dimensions'),
        Row('blocked_m_by_two_test(a, b)', 'rows of another length', lambda _: skcompare.inference.blocked_m_by_two_test(np.zeros((3, 3)), np.zeros((3, 3))),
            'a and b', 'must have shape (m, 2), a row per partition'),
        Row('blocked_m_by_two_test(fold_correlation)', 'no pair', lambda _: skcompare.inference.blocked_m_by_two_test(np.zeros((3, 2)), np.zeros((3, 2)), fold_correlation=1),
            'fold_correlation', 'must be a pair of numbers'),
        Row('blocked_m_by_two_test(fold_correlation)', 'three numbers', lambda _: skcompare.inference.blocked_m_by_two_test(np.zeros((3, 2)), np.zeros((3, 2)), fold_correlation=(1, 2, 3)),
            'fold_correlation', 'must be a pair of numbers'),
        Row('blocked_m_by_two_test(fold_correlation)', 'impossible', lambda _: skcompare.inference.blocked_m_by_two_test(np.zeros((3, 2)), np.zeros((3, 2)), fold_correlation=(-0.9, -0.9)),
            'fold_correlation', 'must be possible for 6 differences'),
        Row('permutation_test(paired)', 'no boolean', lambda _: skcompare.inference.permutation_test([1, 2], [2, 1], paired=1),
            'paired', 'must be a bool'),
        Row('permutation_test(clusters)', 'with paired=False', lambda _: skcompare.inference.permutation_test([1, 2], [2, 1], paired=False, clusters=[0, 1]),
            'clusters', 'must be None with paired=False'),
        Row('bradley_terry', 'a model that never lost', lambda _: skcompare.inference.bradley_terry(["x", "x", "y"], ["y", "z", "z"], ["a", "a", "tie"]),
            'a and b', "'x' never lost against the others: leave out such models, or collect more judgments"),
        Row('bradley_terry', 'models that never meet', lambda _: skcompare.inference.bradley_terry([*"xyuvxyu"], [*"yxvuyxv"], [*"abababa"]),
            'a and b', 'never meet the others: leave out such models, or collect more judgments'),
        Row('bradley_terry', 'wins and ties of one model', lambda _: skcompare.inference.bradley_terry([*"xyx"], [*"yxy"], [1, 0, 0.5]),
            'winner', 'must have losses of the models that win'),
        Row('bradley_terry', 'one cluster', lambda _: skcompare.inference.bradley_terry([*"xyx"], [*"yxy"], [1, 1, 0.5], clusters=[*"uuu"]),
            'clusters', 'must be two or more'),
        Row('bradley_terry', 'ties alone', lambda _: skcompare.inference.bradley_terry(["x", "y"], ["y", "x"], [0.5, 0.5]),
            'winner', 'must be a model in some judgments'),
        Row('bradley_terry', 'a winner that is not there', lambda _: skcompare.inference.bradley_terry(["x", "y"], ["y", "x"], ["x", "z"]),
            'winner', "must be one of the two models, 'a', 'b' or 'tie', or 1, 0 or 0.5"),
        Row('bradley_terry', 'a winner in two ways', lambda _: skcompare.inference.bradley_terry(["a", "b"], ["b", "a"], ["a", "a"]),
            'winner', 'must be 1, 0 or 0.5, where 1 is a'),
        Row('bradley_terry', 'a model against itself', lambda _: skcompare.inference.bradley_terry(["x", "x"], ["y", "x"], [1, 0]),
            'a and b', 'must be two models in every judgment'),
        Row('bradley_terry', 'a number and a text', lambda _: skcompare.inference.bradley_terry(np.array([1, "1"], dtype=object), [2, 2], [1, 0]),
            'a and b', 'must call every model by one name'),
        Row('bradley_terry', 'other lengths', lambda _: skcompare.inference.bradley_terry(["x", "x"], ["y", "y"], [1]),
            'a, b and winner', 'must be of one length'),
        Row('bradley_terry(home)', 'one order of each pair', lambda _: skcompare.inference.bradley_terry(["x"] * 4, ["y"] * 4, [1, 0, 0.5, 1], home=True),
            'home', 'must be False here'),
        Row('BradleyTerryResult.difference', 'an unknown model', lambda _: skcompare.inference.bradley_terry(["x", "x"], ["y", "y"], [1, 0]).difference("x", "z"),
            'b', "must be one of 'x', 'y'"),
        Row('wald_test', 'three estimates', lambda _: skcompare.inference.wald_test([1, 2, 3], np.eye(3)),
            'estimates', 'must have shape (2,) and covariance (2, 2), or (n_parts, 2, 2)'),
        Row('wald_test(covariance)', 'a missing value', lambda _: skcompare.inference.wald_test([1, 2], [[1, np.nan], [np.nan, 1]]),
            'covariance', 'must be finite'),
        Row('wald_test(covariance)', 'a negative variance', lambda _: skcompare.inference.wald_test([1, 2], [[1, 3], [3, 1]]),
            'covariance', 'the variance of the difference must not be negative'),
        Row('wald_test(df)', 'as many as there are no parts', lambda _: skcompare.inference.wald_test([1, 2], np.eye(2), df=[3, 4]),
            'df', 'must have one value per part of the covariance'),
        Row('prediction_powered_test', 'no labels', lambda _: skcompare.inference.prediction_powered_test([1, 2, 3], [np.nan, np.nan, np.nan]),
            'labels', 'must be known of 2 items or more, and lack on 2 or more'),
        Row('prediction_powered_test', 'labels of one cluster', lambda _: skcompare.inference.prediction_powered_test([1, 2, 3, 4], [1, 2, np.nan, np.nan], clusters=[0, 0, 1, 1]),
            'labels', 'must be known in 2 clusters or more'),
        Row('prediction_powered_test', 'another length', lambda _: skcompare.inference.prediction_powered_test([1, 2, 3], [1, np.nan]),
            'judged and labels', 'must be paired, of one shape'),
        Row('prediction_powered_test', 'an infinite label', lambda _: skcompare.inference.prediction_powered_test([1, 2, 3], [1, np.inf, np.nan]),
            'labels', 'must be finite, or nan'),
        Row('from_judgments', 'no column of winners', lambda _: skcompare.from_judgments({"a": ["x"], "b": ["y"]}),
            'winner, a column of judgments,', "must be one of 'a', 'b'"),
        Row('from_judgments(cluster)', 'an unknown column', lambda _: skcompare.from_judgments({"a": ["x"], "b": ["y"], "winner": [1]}, cluster="judge"),
            'cluster', "must be one of 'a', 'b', 'winner', 'none'"),
        Row('read', 'judgments with a direction', lambda _: skcompare.read({"a": ["x"], "b": ["y"], "winner": [1]}, greater_is_better=True),
            'greater_is_better', 'does not go with judgments'),
        Row('from_judged(human)', 'another model', lambda _: skcompare.from_judged({"a": [1, 0, 1], "b": [0, 0, 1]}, human={"a": [1, np.nan, np.nan]}),
            'human', "must have a column for each model of outcomes, 'a', 'b'"),
        Row('from_judged(human)', 'labels of some models', lambda _: skcompare.from_judged({"a": [1, 0, 1], "b": [0, 0, 1]}, human={"a": [1, 0, np.nan], "b": [1, np.nan, np.nan]}),
            'human', 'must have labels of all models on an item, or of none'),
        Row('from_judged(human)', 'another length', lambda _: skcompare.from_judged({"a": [1, 0, 1], "b": [0, 0, 1]}, human={"a": [1, np.nan], "b": [1, np.nan]}),
            "human['a']", 'must hold one number per item, 3'),
        Row('from_judged(human)', 'an infinite label', lambda _: skcompare.from_judged({"a": [1, 0, 1], "b": [0, 0, 1]}, human={"a": [1, np.inf, np.nan], "b": [1, 0, np.nan]}),
            "human['a']", 'must have labels that are finite, or nan'),
        Row('from_judged(outcomes)', 'two metrics', lambda _: skcompare.from_judged({m: {"a": [1, 0, 1], "b": [0, 0, 1]} for m in ("f", "g")}, human={}),
            'outcomes', 'must be of one metric'),
        Row('clusters', 'another length', lambda _: skcompare.inference.cluster_t_test([1, 2, 3], [2, 1, 1], clusters=[0, 1]),
            'clusters', 'must have one label per item'),
        Row('clusters', 'not given', lambda _: skcompare.inference.cluster_t_test([1, 2], [2, 1], clusters=None),
            'clusters', 'must have 1 dimension and at least one value'),
        Row('clusters', 'missing values', lambda _: skcompare.inference.paired_bootstrap([0, 1], [0, 1], [1, 1], "f1", clusters=["x", None]),
            'clusters', 'must not have missing or infinite values'),
        Row('clusters', 'labels without an order', lambda _: skcompare.inference.paired_metric_test([0, 1], [0, 1], [1, 1], "f1", clusters=np.array(["x", 1], dtype=object)),
            'clusters', 'must hold labels of one kind'),
        Row('paired_metric_test(ranks)', 'a metric that depends on more', lambda _: skcompare.inference.paired_metric_test([0, 1], [0.2, 0.9], [0.1, 0.8], lambda _, p: float(p.mean()), ranks=True),
            'ranks', 'must be False for a metric that is another one'),
        Row('paired_metric_test(pred_a)', 'texts in place of scores', lambda _: skcompare.inference.paired_metric_test([0, 1], ["x", "y"], ["y", "x"], "average_precision"),
            'pred_a', "must hold scores for 'average_precision'"),
        Row('paired_metric_test(pred_a, pred_b)', 'other columns', lambda _: skcompare.inference.paired_metric_test([0, 1], np.ones((2, 2)), np.ones((2, 3)), lambda _, p: float(p.mean())),
            'pred_a and pred_b', 'must have one shape'),
        Row('from_predictions(sample_weight)', 'another length', lambda _: skcompare.from_predictions([0, 1, 0], {"a": [0, 1, 1], "b": [0, 1, 0]}, sample_weight=[1, 2]),
            'sample_weight', 'must have one value per sample, 3'),
        Row('from_predictions(sample_weight)', 'negative', lambda _: skcompare.from_predictions([0, 1, 0], {"a": [0, 1, 1], "b": [0, 1, 0]}, sample_weight=[1, -1, 1]),
            'sample_weight', 'must have one value per sample, 3, from 0'),
        Row('from_predictions(sample_weight)', 'all 0', lambda _: skcompare.from_predictions([0, 1, 0], {"a": [0, 1, 1], "b": [0, 1, 0]}, sample_weight=[0, 0, 0]),
            'sample_weight', 'must have one value per sample, 3, from 0'),
        Row('from_predictions(scoring)', 'takes no weights', lambda _: skcompare.from_predictions([0, 1, 0], {"a": [0, 1, 1], "b": [0, 1, 0]}, scoring="specificity", sample_weight=[1, 2, 1]),
            'scoring', 'must name metrics that take sample_weight'),
        Row('test(procedure)', 'counts samples alike that have weights', lambda _: skcompare.from_predictions([0, 1, 0], {"a": [0, 1, 1], "b": [0, 1, 0]}, scoring="accuracy", sample_weight=[1, 2, 1]).test("mcnemar"),
            'mcnemar_test', "'paired_t_test' takes them"),
        Row('permutation_test(a, b)', 'too large', lambda _: skcompare.inference.permutation_test([1e308, 1], [1, 1], paired=False),
            'a', 'must be at most 1e+300 in size'),
        Row('almost_stochastic_order(a, b)', 'too large', lambda _: skcompare.inference.almost_stochastic_order([1e308, 1], [1, 1]),
            'a', 'must be at most 1e+300 in size'),
        Row('diebold_mariano_test(losses_a, losses_b)', 'different shapes', lambda _: skcompare.inference.diebold_mariano_test([1, 2], [1, 2, 3]),
            'losses_a and losses_b', 'must be paired, of one shape'),
        Row('confidence_sequence(bounds)', 'a value outside', lambda _: skcompare.inference.confidence_sequence([0.5, 2.5], [0.25, 1.0]),
            'a and b', 'must lie within bounds, (0, 1)'),
        Row('confidence_sequence(bounds)', 'the larger first', lambda _: skcompare.inference.confidence_sequence([0, 1], [1, 1], bounds=(1, 0)),
            'bounds', 'must be the smallest and the largest value'),
        Row('diebold_mariano_test(horizon)', 'as large as the number of times', lambda _: skcompare.inference.diebold_mariano_test([1, 2], [2, 2], horizon=2),
            'horizon', 'must be less than the number of times, 2'),
        Row('diebold_mariano_test(horizon)', 'as large as the number of periods', lambda _: skcompare.inference.diebold_mariano_test([1, 2, 3, 4], [2, 2, 2, 2], period=2, horizon=2),
            'horizon', 'must be less than the number of periods, 2'),
        Row('diebold_mariano_test(period)', 'longer than half of the times', lambda _: skcompare.inference.diebold_mariano_test([1, 2, 3], [2, 2, 2], period=2),
            'period', 'must be at most half the number of times, 3'),
        Row('cv_clt_test(losses_a, losses_b)', 'different shapes', lambda _: skcompare.inference.cv_clt_test([1, 2], [1, 2, 3], [0, 1]),
            'losses_a and losses_b', 'must be paired, of one shape'),
        Row('cv_clt_test(fold_ids)', 'no integers', lambda _: skcompare.inference.cv_clt_test([1, 2], [1, 3], ["x", "y"]),
            'fold_ids', 'must hold one integer per sample, shape (2,)'),
        Row('cv_clt_test(fold_ids)', 'another length', lambda _: skcompare.inference.cv_clt_test([1, 2], [1, 3], [0, 1, 2]),
            'fold_ids', 'must hold one integer per sample, shape (2,)'),
        Row('cv_clt_test(fold_ids)', 'one fold', lambda _: skcompare.inference.cv_clt_test([1, 2], [1, 3], [0, 0]),
            'fold_ids', 'must name at least 2 folds'),
        Row('cv_clt_test(fold_ids)', 'ragged', lambda _: skcompare.inference.cv_clt_test([1, 2], [1, 3], [[0], [0, 1]]),
            'fold_ids', 'must hold one integer per sample'),
        Row('cv_clt_test(variance)', '"within" for folds of one sample', lambda _: skcompare.inference.cv_clt_test([1, 2], [1, 3], [0, 1], variance="within"),
            'variance', "must be 'all' for leave-one-out, where folds"),
        Row('nested_cv_interval(outer_losses)', 'no folds', lambda _: skcompare.inference.nested_cv_interval(3, 3),
            'outer_losses', 'must hold a sequence of folds per repeat'),
        Row('nested_cv_interval(outer_losses)', 'no repeats', lambda _: skcompare.inference.nested_cv_interval([], []),
            'outer_losses', 'must hold at least one repeat, and folds in each'),
        Row('nested_cv_interval(outer_losses)', 'fewer than 3 folds', lambda _: skcompare.inference.nested_cv_interval([[[1, 2], [1, 2]]], [[[1, 2], [1, 2]]]),
            'outer_losses', 'must hold at least 3 folds per repeat'),
        Row('nested_cv_interval(outer_losses)', 'one loss in a fold', lambda _: skcompare.inference.nested_cv_interval([[[1], [1], [1]]], [[[1, 2], [1, 2], [1, 2]]]),
            'outer_losses[0][0]', 'must hold at least 2 losses'),
        Row('nested_cv_interval(outer_losses)', 'repeats of different size', lambda _: skcompare.inference.nested_cv_interval([[[1, 2]] * 3, [[1, 2], [1, 2], [1, 2, 3]]], [[[1] * 4] * 3] * 2),
            'outer_losses[1]', 'must hold 6 losses, as outer_losses[0]; got '),
        Row('nested_cv_interval(outer_losses)', 'repeats with different folds', lambda _: skcompare.inference.nested_cv_interval([[[1, 2]] * 3, [[1, 2]] * 4], [[[1] * 4] * 3] * 2),
            'outer_losses[1]', 'must hold 3 folds, as outer_losses[0]'),
        Row('nested_cv_interval(inner_losses)', 'another number of repeats', lambda _: skcompare.inference.nested_cv_interval([[[1, 2]] * 3], [[[1] * 4] * 3] * 2),
            'inner_losses', 'must hold 1 repeat, as outer_losses'),
        Row('nested_cv_interval(inner_losses)', 'another number of losses', lambda _: skcompare.inference.nested_cv_interval([[[1, 2]] * 3], [[[1] * 5] * 3]),
            'inner_losses[0][0]', 'must hold 4 losses, one per sample outside'),
        Row('nested_cv_interval(outer_losses)', 'too large', lambda _: skcompare.inference.nested_cv_interval([[[1, 1e308]] * 3], [[[1] * 4] * 3]),
            'losses', 'must be at most 1e+300 in size'),
        Row('contrasts', 'another number of models', lambda _: skcompare.inference.contrast_test([[1, 2], [2, 1]], [[1, -1, 0]], test_fraction=0.5),
            'contrasts', 'must have a weight for each of the 2 models'),
        Row('contrasts', 'a sum other than 0', lambda _: skcompare.inference.contrast_test([[1, 2], [2, 1]], [[1, 1]], test_fraction=0.5),
            'contrasts', 'must have rows that sum to 0'),
        Row('contrasts', 'only 0', lambda _: skcompare.inference.contrast_test([[1, 2], [2, 1]], [[0, 0]], test_fraction=0.5),
            'contrasts', 'must have a weight other than 0 in each row'),
        Row('contrasts', 'a row twice', lambda _: skcompare.inference.contrast_test([[1, 2, 3], [2, 1, 3]], [[1, -1, 0], [-2, 2, 0]], test_fraction=0.5),
            'contrasts', 'must have rows of which none is a combination'),
        Row('contrasts', 'too large', lambda _: skcompare.inference.contrast_test([[1, 2], [2, 1]], [[1e300, -1e300]], test_fraction=0.5),
            'contrasts times scores', 'must be at most 1e+300'),
        Row('anova_test(repeated)', 'splits as independent samples', lambda _: skcompare.inference.anova_test([[1, 2], [2, 1]], repeated=False, test_fraction=0.5),
            'repeated', 'must be True on splits, which the models share'),
        Row('friedman_test(statistic)', 'chi-squared of splits', lambda _: skcompare.inference.friedman_test([[1, 2], [2, 1]], statistic="chi2", test_fraction=0.5),
            'statistic', "must be 'f' on splits, which share training"),
        Row('friedman_test(method)', 'exact of splits', lambda _: skcompare.inference.friedman_test([[1, 2], [2, 1]], method="exact", test_fraction=0.5),
            'method', "must be 'asymptotic' on splits, which share"),
        Row('PairwiseResult.confidence_interval', 'adjusted p-values', lambda _: skcompare.inference.conover_test([[1, 2], [2, 1]]).confidence_interval(),
            'correction', "must be 'studentized_range' for intervals"),
        Row('scores of all models', 'one model', lambda _: skcompare.inference.model_confidence_set([[1], [2]], test_fraction=0.5),
            'scores', 'must have a column per model, at least 2'),
        Row('scores of all models', 'too large', lambda _: skcompare.inference.model_confidence_set([[1e308, 1]], test_fraction=0.5),
            'scores', 'must be at most 1e+300 in size'),
        Row('model_confidence_set(keep)', 'neither', lambda _: skcompare.inference.model_confidence_set([[1, 2]], test_fraction=0.5, keep="any"),
            'keep', "must be one of 'all', 'each'"),
        Row('greater_is_better of all models', 'no boolean', lambda _: skcompare.inference.model_confidence_set([[1, 2]], test_fraction=0.5, greater_is_better=1),
            'greater_is_better', 'must be a bool'),
        Row('names of all models', 'not one per model', lambda _: skcompare.inference.selection_bias([[1, 2], [2, 1]], names=["a"]),
            'names', 'must be 2 strings, one per model'),
        Row('names of all models', 'a name twice', lambda _: skcompare.inference.selection_bias([[1, 2], [2, 1]], names=["a", "a"]),
            'names', 'must be different'),
        Row('selection_bias(n_folds)', 'no divisor of the number of splits', lambda _: skcompare.inference.selection_bias([[1, 2], [2, 1]], n_folds=3),
            'n_folds', 'must divide the number of splits, 2'),
        Row('selection_bias(test_fraction)', 'lacking for test sets that overlap', lambda _: skcompare.inference.selection_bias([[1, 2], [2, 1]], n_folds=1),
            'test_fraction', 'must be given for test sets that overlap'),
        Row('welch_from_summary(sd)', 'negative', lambda _: skcompare.inference.welch_from_summary((0.9, 0.8), (-0.1, 0.1), (5, 5)),
            'sd', 'must be at least 0'),
        Row('welch_from_summary(n)', 'one run', lambda _: skcompare.inference.welch_from_summary((0.9, 0.8), (0.1, 0.1), (5, 1)),
            'n', 'must hold numbers of runs, integers of at least 2'),
        Row('welch_from_summary(mean)', 'three models', lambda _: skcompare.inference.welch_from_summary((0.9, 0.8, 0.7), (0.1, 0.1), (5, 5)),
            'mean', 'must hold two numbers, one of each model'),
    ],
    'Procedures on predictions': [
        Row('y_true, pred_a, pred_b', 'labels of other shapes', lambda _: skcompare.inference.paired_metric_test(np.eye(3), np.eye(3)[:, :2], np.eye(3), "f1_micro"),
            'y_true, pred_a and pred_b', 'must have one shape'),
        Row('y_true, pred_a, pred_b', 'labels neither 0 nor 1', lambda _: skcompare.inference.paired_metric_test(np.eye(3), 2 * np.eye(3), np.eye(3), "f1_micro"),
            'pred_a', 'must hold 0 and 1, a column per label'),
        Row('metric', 'of grades, on texts', lambda _: skcompare.inference.paired_metric_test(["x", "y"], ["x", "y"], ["y", "y"], "quadratic_kappa"),
            'y_true and predictions', "must hold numbers for 'quadratic_kappa'"),
        Row('metric', 'of one label, on several', lambda _: skcompare.inference.paired_metric_test(np.eye(3), np.eye(3), np.eye(3), "mcc"),
            'y_true', 'must have 1 dimension and at least one value'),
        Row('correct_a, correct_b, correct', 'no booleans', lambda _: skcompare.inference.mcnemar_test([1, 2], [0, 1]),
            'correct_a', 'must hold booleans, True where the prediction'),
        Row('correct_a, correct_b', 'different lengths', lambda _: skcompare.inference.mcnemar_test([1, 0], [0, 1, 1]),
            'correct_a and correct_b', 'must be paired, of one length'),
        Row('correct_a, correct_b of error_reduction', 'different lengths', lambda _: skcompare.inference.error_reduction([True], [True, False]),
            'correct_a and correct_b', 'must be paired, of one length'),
        Row('correct_a, correct_b of error_reduction', 'no booleans', lambda _: skcompare.inference.error_reduction([1, 2], [0, 1]),
            'correct_a', 'must hold booleans, True where the prediction'),
        Row('cochran_q_test(correct)', 'one model', lambda _: skcompare.inference.cochran_q_test([[1], [0]]),
            'correct', 'must have a column per model, at least 2'),
        Row('cochran_q_test(method)', '"exact" for too many samples', lambda _: skcompare.inference.cochran_q_test(np.random.default_rng(0).integers(0, 2, (500, 8)), method="exact"),
            'method', "must be 'chi2' where 494 informative samples"),
        Row('y_true, pred_a, pred_b', 'other dimensions, or empty', lambda _: skcompare.inference.paired_metric_test([], [], [], "accuracy"),
            'y_true', 'must have 1 dimension and at least one value'),
        Row('y_true, pred_a, pred_b', 'missing values', lambda _: skcompare.inference.paired_metric_test([1, np.nan], [1, 0], [1, 1], "accuracy"),
            'y_true', 'must not have missing or infinite values'),
        Row('y_true, pred_a, pred_b', 'no labels', lambda _: skcompare.inference.paired_metric_test([1j, 0], [1, 0], [1, 1], "accuracy"),
            'y_true', 'must hold labels'),
        Row('y_true, pred_a, pred_b', 'ragged', lambda _: skcompare.inference.paired_metric_test([[1], [1, 2]], [1, 0], [1, 1], "accuracy"),
            'y_true', 'must be an array'),
        Row('y_true, pred_a, pred_b', 'different lengths', lambda _: skcompare.inference.paired_metric_test([1, 0, 1], [1, 0], [1, 1], "accuracy"),
            'y_true, pred_a and pred_b', 'must be paired, of one length'),
        Row('y_true, pred_a, pred_b', 'labels of two kinds', lambda _: skcompare.inference.paired_metric_test(["a", "b"], [1, 0], [1, 1], "accuracy"),
            'y_true, pred_a and pred_b', 'must hold labels of one kind'),
        Row('y_true, pred_a, pred_b', 'labels without an order', lambda _: skcompare.inference.paired_metric_test(np.array(["a", 1], dtype=object), np.array(["a", 1], dtype=object), np.array(["a", 1], dtype=object), "accuracy"),
            'y_true, pred_a and pred_b', 'must hold labels of one kind'),
        Row('y_true', 'other than two labels, where positive is not given', lambda _: skcompare.inference.paired_metric_test([0, 1, 2], [0, 1, 2], [0, 1, 2], "f1"),
            'y_true, pred_a and pred_b', 'must hold two labels, of which the larger'),
        Row('positive', 'not a label', lambda _: skcompare.inference.paired_metric_test([0, 1], [0, 1], [0, 1], "f1", positive=7),
            'positive', 'must be one of the labels 0, 1'),
        Row('positive', 'masked', lambda _: skcompare.inference.paired_metric_test([0, 1], [0, 1], [0, 1], "accuracy", positive=np.ma.masked),
            'positive', 'must not have masked values'),
        Row('positive', 'a complex number, or several', lambda _: skcompare.inference.paired_metric_test([0, 1], [0, 1], [0, 1], "accuracy", positive=1j),
            'positive', 'must be a label, a number, boolean or string'),
        Row('ranks', 'not a bool', lambda _: skcompare.inference.paired_metric_test([0, 1], [0, 1], [0, 1], "accuracy", ranks=1),
            'ranks', 'must be a bool'),
        Row('metric', 'an unknown name', lambda _: skcompare.inference.paired_metric_test([0, 1], [0, 1], [0, 1], "f2"),
            'metric, if not a callable,', 'must be one of'),
        Row('metric', 'a callable that gives no number', lambda _: skcompare.inference.paired_metric_test([0, 1], [0, 1], [1, 1], lambda *_: np.nan),
            'metric', 'must return a finite number on every resample'),
        Row('y_true and scores of the curves', 'different lengths', lambda _: skcompare.inference.roc_points([0, 1], [0.1, 0.2, 0.3]),
            'y_true and score', 'must be paired, of one length'),
        Row('y_true of the curves', 'complex numbers', lambda _: skcompare.inference.roc_points([0j, 1 + 0j], [0.1, 0.2]),
            'y_true', 'must hold labels'),
        Row('y_true of the curves', 'missing labels', lambda _: skcompare.inference.roc_points([0, np.nan], [0.1, 0.2]),
            'y_true', 'must not have missing or infinite values'),
        Row('y_true of the curves', 'other than two classes', lambda _: skcompare.inference.roc_points([1, 1], [0.1, 0.2]),
            'y_true', 'must hold two labels'),
        Row('positive of the curves', 'not a label', lambda _: skcompare.inference.roc_points([0, 1], [0.1, 0.2], positive=3),
            'positive', 'must be one of the labels 0, 1'),
        Row('probability', 'outside [0, 1]', lambda _: skcompare.inference.reliability_points([0, 1], [0.1, 1.2]),
            'probability', 'must be in [0, 1]'),
        Row('strategy', 'an unknown word', lambda _: skcompare.inference.reliability_points([0, 1], [0.1, 0.2], strategy="width"),
            'strategy', "must be one of 'uniform', 'quantile'"),
        Row('false_positive_rate', 'outside [0, 1]', lambda _: skcompare.inference.roc_points([0, 1], [0.1, 0.2]).at(2),
            'false_positive_rate', 'must be in [0, 1]'),
        Row('delong_test(y_true)', 'other than two labels', lambda _: skcompare.inference.delong_test([0, 1, 2], [1, 2, 3], [1, 2, 3]),
            'y_true', 'must hold two labels'),
        Row('expected_cost', 'both costs 0', lambda _: skcompare.inference.expected_cost([0, 1], [0.1, 0.2], cost_false_positive=0, cost_false_negative=0),
            'cost_false_positive and cost_false_negative', 'must not both be 0'),
        Row('fold_error_rate_test(error_rates)', 'outside [0, 1]', lambda _: skcompare.inference.fold_error_rate_test([0.1, 2], threshold=0.1, test_fraction=0.1),
            'error_rates', 'must be in [0, 1]'),
        Row('error_rate_test, proportion_interval', 'more successes or errors than n', lambda _: skcompare.inference.error_rate_test(11, 10, threshold=0.1),
            'n_errors', 'must be at most n, which is 10'),
        Row('null of mcnemar_test and delong_test', 'a difference that no two models have', lambda _: skcompare.inference.mcnemar_test([1, 0], [0, 1], null=1),
            'null', 'must be a number in (-1, 1)'),
        Row('method of mcnemar_test', 'one that tests a difference of 0 alone', lambda _: skcompare.inference.mcnemar_test([1, 0], [0, 1], null=0.1, method="exact"),
            'method', 'must be left out with null, which has one test'),
    ],
    'Procedures on several metrics': [
        Row('a, b', 'more than 12 metrics', lambda _: skcompare.inference.dominance_counts(np.zeros((2, 13)), np.ones((2, 13))),
            'a and b', 'must have at most 12 metrics (columns)'),
        Row('a, b of dominance_network', 'more than 8 metrics', lambda _: skcompare.inference.dominance_network(np.zeros((2, 9)), np.ones((2, 9))),
            'a and b', 'must have at most 8 metrics (columns)'),
        Row('greater_is_better', 'not one boolean per metric', lambda _: skcompare.inference.dominance_counts([[1, 2]], [[2, 1]], greater_is_better=[True]),
            'greater_is_better', 'must be a bool or 2 of them, one per metric'),
        Row('rope', 'not one number per metric', lambda _: skcompare.inference.dominance_counts([[1, 2]], [[2, 1]], rope=[1, 2, 3]),
            'rope', 'must be a number, at least 0, or 2 of them, one'),
        Row('counts', 'no power of two', lambda _: skcompare.inference.dominance_test([1, 2, 3]),
            'counts', 'must have length 2**m for m = 1 to 12 metrics'),
        Row('counts', 'negative', lambda _: skcompare.inference.dominance_test([1, -2]),
            'counts', 'must not be negative'),
        Row('statement', 'not one boolean per metric', lambda _: skcompare.inference.dominance_test([1, 2], statement=[True, False]),
            'statement', 'must be 1 booleans, one per metric'),
        Row('metrics', 'not one name per metric', lambda _: skcompare.inference.dominance_test([1, 2], metrics=["a", "b"]),
            'metrics', 'must be 1 strings, one per metric'),
        Row('metrics', 'a name twice', lambda _: skcompare.inference.dominance_test([1, 2, 3, 4], metrics=["a", "a"]),
            'metrics', 'must be different'),
        Row('format_statement(statement)', 'no booleans', lambda _: skcompare.inference.format_statement([1, 2]),
            'statement', 'must be booleans, one per metric'),
        Row('dominance_posterior(prior)', 'not one positive number per statement', lambda _: skcompare.inference.dominance_posterior([1, 2], prior=[1, -1]),
            'prior', 'must hold 2 positive numbers, one per statement'),
        Row('dominance_posterior(counts)', 'too many', lambda _: skcompare.inference.dominance_posterior([1e300, 1]),
            'counts plus prior', 'must add up to at most 1e+16'),
        Row('dominance_network(structure)', 'none of the forms', lambda _: skcompare.inference.dominance_network([[1, 2]], [[2, 1]], structure="tree"),
            'structure', "must be one of 'search', 'average', 'complete'"),
        Row('dominance_network(structure)', 'a cycle', lambda _: skcompare.inference.dominance_network([[1, 2]], [[2, 1]], structure=[[1], [0]]),
            'structure', 'must not have a cycle, no metric may be its own'),
        Row('intersection_union_test(test_fraction)', 'given for the sign test', lambda _: skcompare.inference.intersection_union_test([[1, 2]] * 3, [[2, 1]] * 3, marginal="sign", test_fraction=0.1),
            'test_fraction', 'must be 0 for the sign test, which takes cases'),
        Row('pareto_front(names)', 'not one name per model', lambda _: skcompare.inference.pareto_front(np.zeros((2, 3, 2)), names=["a"]),
            'names', 'must be 2 strings, one per model'),
        Row('pareto_front(names)', 'a name twice', lambda _: skcompare.inference.pareto_front(np.zeros((2, 3, 2)), names=["a", "a"]),
            'names', 'must be different'),
        Row('stochastic_dominance_test(a, b)', 'too many cases', lambda _: skcompare.inference.stochastic_dominance_test(np.zeros((2001, 1)), np.ones((2001, 1))),
            'a and b', 'must have at most 2000 cases (rows)'),
        Row('stochastic_dominance_test(cardinal)', 'not one boolean per metric', lambda _: skcompare.inference.stochastic_dominance_test([[1, 2]] * 3, [[2, 1]] * 3, cardinal=[True]),
            'cardinal', 'must be a bool or 2 of them, one per metric'),
    ],
    'Procedures on data sets': [
        Row('scores', 'too few data sets or models', lambda _: skcompare.inference.friedman_test([[1], [2]]),
            'scores', 'must have at least 1 row, one per data set'),
        Row('scores', 'too large', lambda _: skcompare.inference.friedman_test([[1e308, 1], [2, 1]]),
            'scores', 'must be at most 1e+300 in size'),
        Row('greater_is_better', 'no boolean', lambda _: skcompare.inference.friedman_test([[1, 2], [2, 1]], greater_is_better=1),
            'greater_is_better', 'must be a bool'),
        Row('names', 'not one string per model', lambda _: skcompare.inference.friedman_test([[1, 2], [2, 1]], names=["a"]),
            'names', 'must be 2 strings, one per model'),
        Row('names', 'no sequence', lambda _: skcompare.inference.friedman_test([[1, 2], [2, 1]], names=1j),
            'names', 'must be 2 strings, one per model'),
        Row('names', 'a name twice', lambda _: skcompare.inference.friedman_test([[1, 2], [2, 1]], names=["a", "a"]),
            'names', 'must be different'),
        Row('tie_correction and other switches', 'no boolean', lambda _: skcompare.inference.friedman_test([[1, 2], [2, 1]], tie_correction=1),
            'tie_correction', 'must be a bool'),
        Row('friedman_test(method)', '"exact" on too many data sets', lambda _: skcompare.inference.friedman_test(np.random.default_rng(0).normal(size=(50, 6)), method="exact"),
            'method', "must be 'auto' or 'asymptotic' where 50 data"),
        Row('signed_rank_test(method)', '"exact" on too many data sets', lambda _: skcompare.inference.signed_rank_test(np.arange(5000.0), np.zeros(5000), method="exact"),
            'method', "must be 'normal' on more than 1000 data sets"),
        Row('signed_rank_test(a, b)', 'differences too large', lambda _: skcompare.inference.signed_rank_test([1e308, 1], [-1e308, 1]),
            'a and b', 'must differ by at most 1e+300'),
        Row('skillings_mack_test(scores)', 'a model without any score', lambda _: skcompare.inference.skillings_mack_test([[1, np.nan], [2, np.nan]]),
            'scores', 'must have a number for each model'),
        Row('adjusted_means_test(scores)', 'models that no chain of data sets connects', lambda _: skcompare.inference.adjusted_means_test([[1, 2, np.nan], [2, 1, np.nan], [np.nan, np.nan, 1]], a=0, b=2),
            'scores', 'must connect a and b: no data set has a model'),
        Row('adjusted_means_test(a, b)', 'one model twice', lambda _: skcompare.inference.adjusted_means_test([[1, 2], [2, 1]], a=1, b="model 2"),
            'a and b', 'must be two different models'),
        Row('adjusted_means_test(a)', 'not a column', lambda _: skcompare.inference.adjusted_means_test([[1, 2], [2, 1]], a=2),
            'a', 'must be the name of a model or a column from 0 to 1'),
        Row('mixed_model_test(scores)', 'models that no chain of data sets connects', lambda _: skcompare.inference.mixed_model_test([[1, np.nan], [np.nan, 1]]),
            'scores', 'must connect all models: no data set has a model'),
        Row('step_down_test(n_resamples)', 'none', lambda _: skcompare.inference.step_down_test([[1, 2], [2, 1]], n_resamples=0),
            'n_resamples', 'must be'),
        Row('control_test(control)', 'not a model', lambda _: skcompare.inference.control_test([[1, 2], [2, 1]], control="c"),
            'control', "must be one of 'model 1', 'model 2'"),
        Row('skillings_mack_test(scores)', 'an integer beyond all floats', lambda _: skcompare.inference.skillings_mack_test([10**400, 1]),
            'scores', 'must be an array of numbers'),
        Row('adjust_pairs(pvalues)', 'one dimension', lambda _: skcompare.inference.adjust_pairs([0.1, 0.2], "holm"),
            'pvalues', 'must have 2 dimensions'),
        Row('adjust_pairs(pvalues)', 'not square', lambda _: skcompare.inference.adjust_pairs(np.ones((2, 3)), "holm"),
            'pvalues', 'must be a square matrix, a row and a column'),
        Row('adjust_pairs(pvalues)', 'no probabilities', lambda _: skcompare.inference.adjust_pairs([[1, 2], [2, 1]], "shaffer"),
            'pvalues', 'must be in [0, 1]'),
        Row('adjust_pairs(pvalues)', 'not symmetric', lambda _: skcompare.inference.adjust_pairs([[1, 0.1], [0.2, 1]], "holm"),
            'pvalues', 'must be symmetric'),
        Row('hierarchical_posterior(a, b)', 'means of another order of size than the spread', lambda _: skcompare.inference.hierarchical_posterior([[1e140, 1e140], [1e-9, 2e-9]], np.zeros((2, 2)), test_fraction=0.1, rope=0),
            'a and b', 'must differ by at most 1e+75 times their'),
        Row('calibrate(alpha)', 'too small for any number of data sets', lambda _: skcompare.inference.calibrate(np.zeros((20, 5)), alpha=1e-310),
            'differences', 'must be of at least 9007199254740991 data sets'),
        Row('correction', 'one that takes too long for many models', lambda _: skcompare.inference.adjust_pairs(np.ones((12, 12)), "bergmann"),
            'correction', "must be 'shaffer' or 'holm' for more than 9"),
        Row('interquartile_mean(scores)', 'other dimensions', lambda _: skcompare.inference.interquartile_mean([1, 2]),
            'scores', 'must have 2 or 3 dimensions'),
        Row('interquartile_mean(scores)', 'too large', lambda _: skcompare.inference.interquartile_mean(np.full((2, 2, 2), 1e308)),
            'scores', 'must be at most 1e+300 in size'),
        Row('.difference_interval(a, b)', 'an unknown name', lambda _: skcompare.inference.interquartile_mean(np.zeros((2, 2, 2)), names=["a", "b"]).difference_interval("a", "c"),
            'b', "must be one of 'a', 'b'"),
        Row('performance_profile(thresholds)', 'not increasing', lambda _: skcompare.inference.performance_profile(np.zeros((2, 2, 2)), thresholds=[2, 1]),
            'thresholds', 'must be increasing'),
        Row('performance_profile(greater_is_better)', 'no boolean', lambda _: skcompare.inference.performance_profile(np.zeros((2, 2, 2)), greater_is_better=1),
            'greater_is_better', 'must be a bool'),
        Row('probability_of_improvement(paired)', 'no boolean', lambda _: skcompare.inference.probability_of_improvement([[1, 2]], [[2, 1]], paired=1),
            'paired', 'must be a bool'),
        Row('probability_of_improvement(a, b)', 'different shapes', lambda _: skcompare.inference.probability_of_improvement([[1, 2]], [[2, 1], [1, 2]]),
            'a and b', 'must be of the same data sets, one per row'),
    ],
    'testing.not_worse and testing.assert_not_worse': [
        Row('result', 'no result', lambda _: skcompare.testing.not_worse(SCORES, "a", "b", margin=0.01),
            'result', 'must be an EvaluationResult or a StudyResult'),
        Row('new, old', 'an unknown name', lambda _: skcompare.testing.assert_not_worse(scores_only(), "a", "c", margin=0.01),
            'old', "must be one of 'a', 'b'"),
        Row('new, old', 'one model', lambda _: skcompare.testing.assert_not_worse(scores_only(), "a", "a", margin=0.01),
            'new and old', 'must be two different models'),
        Row('margin', 'not positive', lambda _: skcompare.testing.not_worse(scores_only(), "a", "b", margin=0),
            'margin', 'must be a number in (0, inf)'),
        Row('margin', 'not positive for a metric', lambda _: skcompare.testing.not_worse(scores_only(), "a", "b", margin={"score": -0.01}),
            "margin['score']", 'must be a number in (0, inf)'),
        Row('margin', 'as large as any difference on the metric', lambda _: skcompare.testing.not_worse(result(), "nb", "tree", margin=5, metric="accuracy"),
            'margin', 'must be a difference that accuracy can have, less than 1 in size'),
        Row('margin', 'an unknown metric', lambda _: skcompare.testing.not_worse(scores_only(), "a", "b", margin={"f1": 0.01}),
            'margin', "must be one of 'score'"),
        Row('margin', 'none for a metric', lambda _: skcompare.testing.not_worse(result(), "nb", "tree", margin={"f1": 0.01}, metric=["f1", "accuracy"]),
            'margin', 'must name every metric'),
        Row('metric', 'an unknown name', lambda _: skcompare.testing.not_worse(scores_only(), "a", "b", margin=0.01, metric="f1"),
            'metric', "must be one of 'score'"),
        Row('procedure', 'a test that tests a difference of 0 alone', lambda _: skcompare.testing.not_worse(one_test_set(), "a", "b", margin=0.01, procedure="paired_metric"),
            'procedure', "must test a margin, as 'auto' does; 'paired_metric_test' tests"),
        Row('margin', 'no number', lambda _: skcompare.testing.assert_not_worse(scores_only(), "a", "b", margin="1%"),
            'margin', 'must be a number in (0, inf)'),
        Row('margin', 'empty', lambda _: skcompare.testing.assert_not_worse(scores_only(), "a", "b", margin={}),
            'margin', 'must name at least one metric, each once'),
        Row('metric', 'none', lambda _: skcompare.testing.assert_not_worse(scores_only(), "a", "b", margin=0.1, metric=[]),
            'metric', 'must name at least one metric, each once'),
        Row('metric', 'no name', lambda _: skcompare.testing.assert_not_worse(scores_only(), "a", "b", margin=0.1, metric=3),
            'metric', 'must be names of metrics'),
        Row('procedure', 'an unknown test', lambda _: skcompare.testing.assert_not_worse(scores_only(), "a", "b", margin=0.1, procedure="wilcox"),
            'procedure', "must be 'auto' or one that procedures() lists"),
    ],
    'Logs of other tools': [
        Row('read(WEKA)', 'without the sizes of the splits', lambda _: skcompare.read(weka().drop(columns="Number_of_testing_instances")),
            'frame', 'must be what weka writes'),
        Row('read(WEKA)', 'no measure without gaps', lambda _: skcompare.read(weka().drop(columns="Percent_correct")),
            "WEKA's results", "must have one of 'Percent_correct'"),
        Row('read(lm-evaluation-harness)', 'documents of two versions', lambda _: skcompare.read(*(harness(doc_hash=x) for x in "ab")),
            'the logs', 'must be of the same documents'),
        Row('read(lm-evaluation-harness)', 'no number per document', lambda _: skcompare.read(*(harness(acc=None) for _ in "ab")),
            'the logs of lm-evaluation-harness', 'must share a metric that is a number for every item'),
        Row('read(lm-evaluation-harness)', 'results without samples', lambda _: skcompare.read({"results": {"x": {"acc": 0.5}}, "configs": {}}),
            'results of lm-evaluation-harness', 'have no items: give what --log_samples writes'),
        Row('read(inspect_ai)', 'without samples', lambda _: skcompare.read({"eval": {"model": "a", "task": "t"}}),
            'frame', 'must hold samples, as logs with log_samples=True do'),
        Row('read(cv_results_)', 'two of them', lambda _: skcompare.read(CV_RESULTS, CV_RESULTS),
            'a search', 'must be given alone'),
        Row('read(cross_validate)', 'a model in two files', lambda _: skcompare.read(*[{"a": {"test_score": [0.1, 0.2]}}] * 2),
            'the files', 'must hold other models each'),
        Row('read(skore)', 'metrics of one test set', lambda _: skcompare.read(skore()),
            'metrics of skore', 'must be of test sets, and of several splits'),
        Row('read(AutoML Benchmark)', 'no result', lambda _: skcompare.read(amlb(result=np.nan)),
            "task 'iris'", 'must have results'),
        Row('read(AutoML Benchmark)', 'results of no metric', lambda _: skcompare.read(amlb(result=0.5)),
            "task 'iris'", 'must have results, and a column metric'),
        Row('read(tsml-eval)', 'a clusterer', lambda folder: skcompare.read(tsml(folder, third="0.5,1,1,1,-1,2,2")),
            'x', 'must be of a classifier or a regressor'),
        Row('read(tsml-eval)', 'cases of another accuracy', lambda folder: skcompare.read(tsml(folder, third="0.25,1,1,1,-1,2")),
            'x', 'must have the accuracy of its third line'),
        Row('read(tsml-eval)', 'estimates on the training data', lambda folder: skcompare.read(tsml(folder, split="TRAIN")),
            'the files', 'must be of test sets'),
        Row('read(tsml-eval)', 'data sets of one model each', lambda folder: skcompare.read(tsml(folder), tsml(folder, "y", model="b", dataset="wine")),
            '2 scores', "are missing: 'b' on 'iris'"),
        Row('read(MLflow)', 'no finished run', lambda _: skcompare.read(mlflow_runs(status="FAILED")),
            'runs of MLflow', 'must be finished; none is'),
        Row('read(MLflow)', 'one run per model', lambda _: skcompare.read(mlflow_runs(**{"params.model": ["a", "b"]})),
            'runs of MLflow', 'must be several per model'),
    ],
    'SearchReport.read': [
        Row('source', 'no search', lambda _: skcompare.SearchReport.read({"model": ["a", "b"], "score": [0.1, 0.2]}),
            'source', 'must be the cv_results_ of a search, or a study of Optuna'),
        Row('source', 'a study without the scores of splits', lambda _: skcompare.SearchReport.read(trials()),
            'the study', 'must have the scores of every split as user attributes'),
        Row('source', 'a study of one trial', lambda _: skcompare.SearchReport.read(trials().head(1)),
            'the study', 'must have two or more complete trials'),
        Row('greater_is_better', 'left out for trials in a frame', lambda _: skcompare.SearchReport.read(trials(user_attrs_x=[[0.1, 0.3], [0.3, 0.5]])),
            'greater_is_better', 'must be given'),
        Row('cv', 'left out for many splits', lambda _: skcompare.SearchReport.read(search(n_splits=30).cv_results_),
            'cv', 'must be given'),
    ],
    'SearchReport.from_search': [
        Row('search', 'not fitted', lambda _: search_report(GridSearchCV(GaussianNB(), {"var_smoothing": [1, 2]})),
            'search', 'must be fitted; this GridSearchCV has no'),
        Row('search', 'no search', lambda _: search_report(3),
            'search', 'must be a fitted search with cv_results_'),
        Row('search', 'a class', lambda _: search_report(GridSearchCV),
            'search', 'must be a fitted search with cv_results_'),
        Row('search', 'a pipeline that ends in a search', lambda _: search_report(make_pipeline(GridSearchCV(GaussianNB(), {}))),
            'search', 'give its last step, the GridSearchCV'),
        Row('search', 'results without parameters', lambda _: search_report(search_without("params")),
            'search.cv_results_', "must have 'params', a mapping per candidate"),
        Row('search', 'no candidate', lambda _: search_report(search(0)),
            'search.cv_results_', "a mapping per candidate or the text of one"),
        Row('search', 'one candidate', lambda _: search_report(search(1)),
            'search', 'must have compared at least two candidates'),
        Row('search', 'one split', lambda _: search_report(search(n_splits=1)),
            'search', 'must have scores on at least two splits'),
        Row('search', 'scores of no split', lambda _: search_report(search_without("split0_test_score")),
            'search.cv_results_', 'must hold the scores of every split'),
        Row('search', 'scores of fewer splits than it had', lambda _: search_report(search(n_splits_=6)),
            'search.cv_results_', 'must hold the scores of n_splits_=6 splits'),
        Row('search', 'scores that are no numbers', lambda _: search_report(search(cv_results_=search().cv_results_ | {"split1_test_score": ["a", "b", "c"]})),
            "search.cv_results_['split1_test_score']", 'must be an array of numbers'),
        Row('search', 'scores of another number of candidates', lambda _: search_report(search(cv_results_=search().cv_results_ | {"split1_test_score": [1, 2]})),
            "search.cv_results_['split1_test_score']", 'must hold one number per candidate, 3'),
        Row('search', 'fewer than two candidates with scores', lambda _: search_report(search(cv_results_=search().cv_results_ | {"split1_test_score": [1, np.nan, np.nan]})),
            'search', 'must have two candidates with a score on every'),
        Row('search.cv', 'tells no sizes', lambda _: search_report(search(cv=LeavePOut(2))),
            'search.cv', 'must tell the sizes of the training and test'),
        Row('search.cv', 'an iterator', lambda _: search_report(search(cv=iter([])), X, Y),
            'search.cv', 'must tell the sizes of the training and test sets; got <list_iterator object ...'),
        Row('search.cv', 'lacking', lambda _: search_report(SimpleNamespace(cv_results_=search().cv_results_)),
            'search.cv', 'must tell the sizes of the training and test'),
        Row('search.cv', 'of another number of splits', lambda _: search_report(search(cv=4)),
            'search.cv', 'must be the splitter that the search was fitted'),
        Row('X, y', 'other data', lambda _: search_report(search(cv=LeavePOut(2)), X[:3], Y[:3]),
            'X and y', 'must be the data that the search was fitted with'),
        Row('X', 'of other columns', lambda _: search_report(search(n_features_in_=9), X, Y),
            'X', 'must have the 9 columns that the search was'),
        Row('X', 'of more samples than the splits use', lambda _: search_report(search(cv=[([0, 1], [2])] * 5), X, Y),
            'X', 'must be the data that the search was fitted with'),
        Row('y', 'None, with X and splits by class', lambda _: search_report(search(estimator=GaussianNB()), X),
            'y', 'must be given with X, since the splits of this'),
        Row('X', 'None, with y', lambda _: search_report(None, None, Y),
            'X', 'must be given with y'),
        Row('y', 'of another length than X', lambda _: search_report(None, X, Y[:5]),
            'y', 'must have one row per sample of X, 40'),
        Row('metric', 'unknown', lambda _: search_report(metric="f1"),
            'metric', "must be one of 'score'"),
        Row('alpha', 'not between 0 and 1', lambda _: search_report(alpha=0),
            'alpha', 'must be a number in (0, 1)'),
        Row('test_fraction', 'not between 0 and 1', lambda _: search_report(test_fraction=1),
            'test_fraction', 'must be a number in (0, 1)'),
        Row('test_fraction', 'not what the splits tell', lambda _: search_report(test_fraction=0.3),
            'test_fraction', 'must be left out or 0.2, which the splits tell'),
    ],
    'SearchReport': [
        Row('.result(candidates), .compare, .dominance_table', 'below 2', lambda _: search_report().result(1),
            'candidates', 'must be an integer of at least 2'),
        Row('.result(candidates), .compare, .dominance_table', 'neither a number nor names', lambda _: search_report().result("C=1"),
            'candidates', 'must be an integer or names of candidates'),
        Row('.result(candidates), .compare, .dominance_table', 'an unknown name', lambda _: search_report().result(["C=1", "C=9"]),
            'candidates', "did you mean 'C=2'?"),
        Row('.result(candidates), .compare, .dominance_table', 'one name, or one twice', lambda _: search_report().result(["C=1"]),
            'candidates', 'must name two or more candidates, each once'),
        Row('.to_markdown(candidates), .to_latex', 'below 1', lambda _: search_report().to_latex(0),
            'candidates', 'must be an integer of at least 1'),
        Row('.to_html(path)', 'no path', lambda _: search_report().to_html(3),
            'path', 'must be a path'),
        Row('.by_metric(metric)', 'unknown', lambda _: search_report().by_metric("f1"),
            'metric', "must be one of 'score'"),
    ],
    'simplest_within and best_by_dominance': [
        Row('metric', 'no name', lambda _: skcompare.simplest_within(["f1"]),
            'metric', 'must be None or the name of a metric'),
        Row('rule', 'unknown', lambda _: skcompare.simplest_within(rule="one_sd"),
            'rule', "did you mean 'one_se'?"),
        Row('complexity', 'none of the forms', lambda _: skcompare.simplest_within(complexity=3),
            'complexity', 'must be None, a parameter or column of numbers'),
        Row('complexity', 'no name', lambda _: skcompare.simplest_within(complexity=["-"]),
            'complexity', 'must be None, a parameter or column of numbers'),
        Row('alpha', 'not between 0 and 1', lambda _: skcompare.simplest_within(alpha=5),
            'alpha', 'must be a number in (0, 1)'),
        Row('margin', 'negative', lambda _: skcompare.simplest_within(margin=-0.1),
            'margin', 'must be a number in [0, inf)'),
        Row('test_fraction', 'not in [0, 1)', lambda _: skcompare.simplest_within(test_fraction=1),
            'test_fraction', 'must be a number in [0, 1)'),
        Row('metrics', 'one name', lambda _: skcompare.best_by_dominance("f1"),
            'metrics', 'must be a sequence of names'),
        Row('metrics', 'fewer than 2, or more than 8', lambda _: skcompare.best_by_dominance(["f1"]),
            'metrics', 'must be 2 to 8 names'),
        Row('metrics', 'a name twice', lambda _: skcompare.best_by_dominance(["f1", "f1"]),
            'metrics', 'must name each metric once'),
        Row('called with', 'no results of a search', lambda _: skcompare.simplest_within()(3),
            'cv_results', 'must be the cv_results_ of a fitted search'),
        Row('called with', 'several metrics, of which none is named', lambda _: skcompare.simplest_within()(two_metrics()),
            'metric', "must be one of 'score', 'f1'"),
        Row('called with', 'a metric that is not there', lambda _: skcompare.best_by_dominance(["f1", "f2"])(two_metrics()),
            'metric', "must be one of 'score', 'f1'"),
        Row('called with', 'several metrics, of a search with one', lambda _: skcompare.best_by_dominance(["f1", "f2"])(search().cv_results_),
            'metrics', 'must be scored by the search or the evaluator'),
        Row('called with', 'no candidate that has all scores', lambda _: skcompare.simplest_within()(search(2).cv_results_ | {"split0_test_score": [np.nan, 1], "split1_test_score": [1, np.nan]}),
            'the candidates', 'must have one with score on every split that has'),
        Row('called with', 'splits of no known design', lambda _: skcompare.simplest_within()(search(n_splits=12).cv_results_),
            'test_fraction', 'must be given, test size over train plus test'),
        Row('called with', 'no such parameter', lambda _: skcompare.simplest_within(complexity="D")(search().cv_results_),
            'complexity', "must name a parameter or a column of numbers; got 'D', not among"),
        Row('called with', 'a parameter that some candidates lack', lambda _: skcompare.simplest_within(complexity="C")(search().cv_results_ | {"params": [{"C": 1}, {"C": 2}, {"D": 3}]}),
            'complexity', 'must name a parameter of every candidate'),
        Row('called with', 'a parameter without an order', lambda _: skcompare.simplest_within(complexity="C")(search(2).cv_results_ | {"params": [{"C": 1}, {"C": "sqrt"}]}),
            'complexity', 'must be a number or None in a parameter'),
        Row('called with', 'a callable that gives no number', lambda _: skcompare.simplest_within(complexity=str)(search().cv_results_),
            'complexity', 'must be a number or None for C=0'),
    ],
    'ComparisonSelector': [
        Row('estimators', 'as for PairedEvaluator.evaluate: fewer than two', lambda _: selector([GaussianNB()]),
            'estimators', 'must be two or more to compare'),
        Row('estimators', 'named as a parameter, or with two underscores', lambda _: selector({"rule": GaussianNB(), "nb": GaussianNB()}),
            'estimators', "must have names without '__'"),
        Row('evaluator', 'something else', lambda _: selector(evaluator=KFold(3)),
            'evaluator', 'must be None or a PairedEvaluator'),
        Row('rule', 'unknown', lambda _: selector(rule="best"),
            'rule', "must be one of 'margin', 'corrected_t', 'one_se', 'rope', 'signed_rank', or made"),
        Row('rule', 'a metric that the evaluator does not have', lambda _: selector(rule=skcompare.simplest_within("f1")),
            'metric', "must be one of 'accuracy'"),
        Row('rule', 'with a test fraction', lambda _: selector(rule=skcompare.simplest_within(test_fraction=0.1)),
            'test_fraction', 'must be None for a ComparisonSelector, whose'),
        Row('rule', 'on another metric than that of the stop', lambda _: selector(evaluator=stopping(), rule=skcompare.simplest_within("recall")),
            'evaluator', "must stop by the metric of rule, 'recall'"),
        Row('rule', 'on several metrics, with a stop that drops models', lambda _: selector(evaluator=stopping(), rule=skcompare.best_by_dominance(["accuracy", "recall"])),
            'evaluator', 'must keep all models for rule, which decides'),
        Row('rule', 'on a single split', lambda _: selector(evaluator=skcompare.PairedEvaluator(cv=[(np.arange(30), np.arange(30, 40))], scoring="accuracy")),
            'rule', 'must be given the scores of 2 or more splits'),
        Row('X', 'one sample', lambda _: skcompare.ComparisonSelector(MODELS).fit(X[:1], Y[:1]),
            'X', 'must have 2 samples or more'),
        Row('y', 'None', lambda _: skcompare.ComparisonSelector(MODELS).fit(X, None),
            'y', 'ComparisonSelector requires y to be passed, but'),
        Row('set_params', 'no such parameter', lambda _: skcompare.ComparisonSelector(MODELS).set_params(forest=3),
            'Invalid', "parameter 'forest' for estimator ..."),
        Row('set_params', 'a part of a rule', lambda _: skcompare.ComparisonSelector(MODELS).set_params(rule__alpha=0.1),
            'rule', 'must be set as a whole'),
        Row('fit(**params)', 'weights of another length than X', lambda _: skcompare.ComparisonSelector(MODELS).fit(X, Y, sample_weight=np.ones(5)),
            'sample_weight', 'must have one row per sample of X, 40'),
        Row('y', 'missing labels', lambda _: skcompare.ComparisonSelector(MODELS).fit(X, np.array(["a", None] * 20, dtype=object)),
            'y', 'must not have missing or infinite values'),
    ],
    'cross_val_compare': [
        Row('estimator_a, estimator_b', 'a class', lambda _: both(estimator_b=GaussianNB),
            "estimators['estimator_b']", 'must be an estimator with fit and predict'),
        Row('estimator_a, estimator_b', 'a classifier and a regressor', lambda _: both(estimator_b=DecisionTreeRegressor()),
            'estimator_a and estimator_b', 'must be all classifiers or all regressors'),
        Row('y', 'None', lambda _: both(y=None),
            'y', 'must be given'),
        Row('y', 'too short', lambda _: both(y=Y[:-1]),
            'y', 'must have one row per sample of X, 40'),
        Row('scoring', 'None, of an estimator without score', lambda _: both(Scoreless()),
            'scoring', 'must be given, as estimator_a has no score'),
        Row('scoring', 'None, with routed metadata', lambda _: both_with_routing(params={"sample_weight": np.ones(40)}),
            'scoring', 'must be given where metadata are routed, since'),
        Row('cv', 'below 2 folds', lambda _: both(cv=1),
            'cv', 'must be at least 2 folds'),
        Row('cv', 'no splitter', lambda _: both(cv="ten"),
            'cv', "must be an int k, 'RxK' with at least 2 folds"),
        Row('verbose', 'negative, or no integer', lambda _: both(verbose=-1),
            'verbose', 'must be an integer of at least 0'),
        Row('pre_dispatch', 'neither a number nor an expression', lambda _: both(pre_dispatch="many"),
            'pre_dispatch', 'must be None, a positive integer'),
        Row('error_score', 'neither "raise" nor a number', lambda _: both(error_score="skip"),
            'error_score', "must be 'raise' or a number"),
    ],
    'cross_val_score': [
        Row('estimator', 'no model by name', lambda _: skcompare.cross_validate({}, X, Y),
            'estimator', 'must be an estimator or a mapping of one or more'),
        Row('any argument', 'what scikit-learn refuses, in its words', lambda _: skcompare.cross_val_score(MODELS["nb"], X, Y, cv=1),
            "The 'cv' parameter of cross_val_score", 'must be ...'),
        Row('scoring', 'a metric twice', lambda _: skcompare.cross_val_score(MODELS["nb"], X, Y, scoring=["f1", "f1"]),
            'The list/tuple elements', 'must be unique strings of predefined scorers. ...'),
        Row('scoring', 'no metric', lambda _: skcompare.cross_val_score(MODELS["nb"], X, Y, scoring={}),
            'An', 'empty dict was passed'),
    ],
    'from_cross_validate': [
        Row('results', 'no mapping', lambda _: skcompare.from_cross_validate([DICT, DICT]),
            'results', "must map names of models to dicts, {'a'"),
        Row('results', 'the dict of one model', lambda _: skcompare.from_cross_validate(DICT),
            'results', "must map names of models to dicts, {'a'"),
        Row('results', 'no dict', lambda _: skcompare.from_cross_validate({"a": DICT, "b": 0.9}),
            "results['b']", 'must be a dict of cross_validate'),
        Row('results', 'no scores', lambda _: skcompare.from_cross_validate(dicts(test_score=None, fit_time=[1, 2])),
            "results['b']", 'must be a dict of cross_validate with scores'),
        Row('results', 'scores that are text', lambda _: skcompare.from_cross_validate(dicts(test_score=["a", "b"])),
            "results['b']['test_score']", 'must be an array of numbers'),
        Row('results', 'one number for all splits', lambda _: skcompare.from_cross_validate(dicts(test_score=0.8)),
            "results['b']['test_score']", 'must hold one number per split'),
        Row('results', 'different metrics', lambda _: skcompare.from_cross_validate(dicts(test_f1=[0.9, 0.8])),
            "results['b']", 'must be a dict of cross_validate with scores'),
        Row('results', 'different numbers of splits', lambda _: skcompare.from_cross_validate(dicts(test_score=[0.9, 0.8, 0.7])),
            "results['b']['test_score']", 'must hold one number per split, 2'),
        Row('results', 'times of another number of splits', lambda _: skcompare.from_cross_validate(dicts(fit_time=[0.9])),
            "results['b']['fit_time']", 'must hold one number per split, 2'),
        Row('results', 'no finite score', lambda _: skcompare.from_cross_validate({"a": {"test_score": [np.nan] * 2}, "b": {"test_score": [np.nan] * 2}}),
            'results', 'must hold finite scores'),
        Row('results', 'indices of some models only', lambda _: skcompare.from_cross_validate(dicts(indices=None)),
            "results['b']['indices']", "must hold lists 'train' and 'test' of 2 splits, as of all"),
        Row('results', 'indices without test sets', lambda _: skcompare.from_cross_validate(dicts(indices={"train": INDICES["train"]})),
            "results['b']['indices']", "must hold lists 'train' and 'test'"),
        Row('results', 'indices of another number of splits', lambda _: skcompare.from_cross_validate(dicts(indices={**INDICES, "train": [[0, 1]]})),
            "results['b']['indices']", "must hold lists 'train' and 'test' of 2 splits"),
        Row('results', 'indices that are none', lambda _: skcompare.from_cross_validate(dicts(indices={**INDICES, "train": [[0.5], [1]]})),
            "the train indices of split 0 in results['b']['indices']", 'must be a non-empty list of integers'),
        Row('results', 'negative indices', lambda _: skcompare.from_cross_validate(dicts(indices={**INDICES, "train": [[-1], [1]]})),
            "the train indices of split 0 in results['b']['indices']", 'must be in [0, inf)'),
        Row('results', 'splits of other samples', lambda _: skcompare.from_cross_validate(dicts(indices={**INDICES, "test": [[0, 1], [2, 4]]})),
            'results', 'must share their splits; the test sets of split 1 differ: 1 of 2'),
        Row('results', 'splits of other sizes', lambda _: skcompare.from_cross_validate(dicts(indices={**INDICES, "test": [[0], [2, 3]]})),
            'results', 'must share their splits; the test sets of split 0 differ: 2'),
        Row('results', 'the same samples, some several times', lambda _: skcompare.from_cross_validate({"a": {**DICT, "indices": {**INDICES, "train": [[2, 2, 3], [0, 1]]}}, "b": {**DICT, "indices": {**INDICES, "train": [[2, 3, 3], [0, 1]]}}}),
            'results', 'must share their splits; the training sets of split 0 differ'),
        Row('results', 'a name that is none', lambda _: skcompare.from_cross_validate({1: DICT, 2: DICT}),
            'names of models in results', 'must be named by non-empty strings'),
        Row('results', 'a name with control characters', lambda _: skcompare.from_cross_validate({"a\n": DICT, "b": DICT}),
            'names of models in results', 'must be named without control characters'),
        Row('results', 'cv_results_ without parameters', lambda _: skcompare.from_cross_validate({"split0_test_score": [1, 2], "split1_test_score": [1, 2]}, n_folds=2),
            'results', "must have 'params', a mapping per candidate"),
        Row('results', 'cv_results_ of one split', lambda _: skcompare.from_cross_validate({"params": [{"d": 1}, {"d": 2}], "split0_test_score": [1, 2]}, n_folds=2),
            'results', 'must have scores on at least two splits'),
        Row('names', 'of another number than the candidates', lambda _: skcompare.from_cross_validate(CV_RESULTS, n_folds=2, names=["a"]),
            'names', 'must be 2 strings, one per candidate'),
        Row('names', 'a name twice', lambda _: skcompare.from_cross_validate(CV_RESULTS, n_folds=2, names=["a", "a"]),
            'names', 'must be different'),
        Row('names', 'given for dicts, which have names', lambda _: skcompare.from_cross_validate(BARE, n_folds=2, names=["a", "b"]),
            'names', 'must be None where results has the names'),
        Row('scoring', 'no name', lambda _: skcompare.from_cross_validate(BARE, n_folds=2, scoring=["f1"]),
            'scoring', 'must be named by non-empty strings'),
        Row('scoring', 'given for metrics that have names', lambda _: skcompare.from_cross_validate({"a": {"test_f1": [1, 0]}, "b": {"test_f1": [0, 1]}}, n_folds=2, scoring="f1"),
            'scoring', "must be None where the metrics have names, 'f1'"),
        Row('n_samples', 'fewer than the indices name', lambda _: skcompare.from_cross_validate(dicts(), n_samples=2),
            'n_samples', 'must be an integer of at least 4'),
        Row('n_folds', 'neither it nor test_fraction, without indices', lambda _: skcompare.from_cross_validate(BARE),
            'n_folds', 'must be given for k-fold cross-validation'),
        Row('n_folds', 'no divisor of the splits', lambda _: skcompare.from_cross_validate(BARE, n_folds=3),
            'n_folds', 'must divide the number of splits, 2'),
        Row('n_folds', 'given with indices', lambda _: skcompare.from_cross_validate(dicts(), n_folds=2),
            'n_folds and test_fraction', 'must be None where results have indices'),
        Row('test_fraction', 'outside (0, 1)', lambda _: skcompare.from_cross_validate(BARE, test_fraction=2),
            'test_fraction', 'must be a number in (0, 1)'),
        Row('greater_is_better', 'an unknown metric', lambda _: skcompare.from_cross_validate(BARE, n_folds=2, greater_is_better={"loss": False}),
            'greater_is_better', "must be one of 'score'"),
    ],
    'merge': [
        Row('results', 'one', lambda _: skcompare.merge(plain()),
            'results', 'must be two or more, merge(result_1, result_2)'),
        Row('results', 'a study', lambda _: skcompare.merge(plain(), study()),
            'results', 'must be EvaluationResults'),
        Row('results', 'a table of scores', lambda _: skcompare.merge(plain(), scores_only()),
            'results', 'must know their splits'),
        Row('results', 'one that a StopRule ended', lambda _: skcompare.merge(plain(), on_data(X, Y, stop=skcompare.StopRule(max_repeats=6, min_repeats=5), cv=2)),
            'results', 'must be plain evaluations; result 2 was ended by a StopRule'),
        Row('results', 'one with a calibration', lambda _: skcompare.merge(plain(), replace(plain(OTHERS), calibration="any")),
            'results', 'must be plain evaluations; result 2 was evaluated'),
        Row('results', 'candidates of a search', lambda _: skcompare.merge(search_report(search()).result(), plain()),
            'results', 'must be plain evaluations; result 1 was made of the candidates'),
        Row('results', 'some models in common', lambda _: skcompare.merge(plain(), plain(("nb", "stump"))),
            'results', 'must have the same metrics and no model'),
        Row('results', 'other models and other metrics', lambda _: skcompare.merge(plain(), plain(OTHERS, ("f1",))),
            'results', 'must have the same metrics and no model'),
        Row('results', 'twice the same', lambda _: skcompare.merge(plain(), plain()),
            'results with the same models and metrics', 'must be of different splits to join repeats'),
        Row('results', 'other splits', lambda _: skcompare.merge(plain(), plain(OTHERS, seed=1)),
            'results', '11 of 26 samples of result 1 are not among those'),
        Row('results', 'other designs', lambda _: skcompare.merge(plain(), plain(OTHERS, cv="2x4")),
            'results', 'must share their splits to join models; result 1 has 3-fold'),
        Row('results', 'repeats with other numbers of folds', lambda _: skcompare.merge(plain(), plain(cv="1x4")),
            'results', 'must be k-fold with as many folds to join'),
        Row('results', 'other numbers of samples', lambda _: skcompare.merge(plain(), on_data(X[:30], Y[:30])),
            'results', 'result 1 has 40 samples, result 2 has 30'),
        Row('results', 'other targets', lambda _: skcompare.merge(plain(cv=KFold(4)), on_data(X, 1 - Y, cv=KFold(4))),
            'results', 'the targets of result 1 and result 2 differ'),
        Row('results', 'other kinds of targets', lambda _: skcompare.merge(plain(cv=KFold(4)), on_data(X, Y3, cv=KFold(4))),
            'results', 'must have the same kind of problem'),
        Row('results', 'other data of the same models', lambda _: skcompare.merge(plain(cv=KFold(4)), on_data(X + 1, Y, ("nb", "tree"), cv=KFold(4), scoring=["f1"])),
            'results', 'must be of the same data where models'),
        Row('results', 'a name for two models', lambda _: skcompare.merge(plain(cv=KFold(4)), skcompare.PairedEvaluator(cv=KFold(4), scoring=["f1"], random_state=0).evaluate({"nb": GaussianNB(), "tree": DUMMY}, X, Y)),
            'results', 'must mean the same by the name of a model'),
        Row('results', 'a metric in two directions', lambda _: skcompare.merge(directed(True), directed(False, "cd")),
            'results', "must agree in the direction of 'score'"),
        Row('results', 'folds and items', lambda _: skcompare.merge(plain(), items("ab", metric="accuracy", sample_id=[1, 2, 3, 4])),
            'results', 'must be of one kind; result 1 is of 3-fold'),
        Row('results', 'items without names', lambda _: skcompare.merge(items("ab"), items("cd")),
            'results of items', 'must know their names'),
        Row('results', 'items with other names', lambda _: skcompare.merge(items("ab", sample_id=[1, 2, 3, 4]), items("cd", sample_id=[1, 2, 4, 3])),
            'results', 'sample_ids of result 1 and result 2 differ'),
        Row('results', 'clusters of one result alone', lambda _: skcompare.merge(items("ab", sample_id=[1, 2, 3, 4]), items("cd", sample_id=[1, 2, 3, 4], clusters=[0, 0, 1, 1])),
            'results', 'clusters of result 1 and result 2 differ'),
        Row('results', 'samples of which one column differs', lambda _: skcompare.merge(described("ab", "x"), described("cd", "y")),
            'results', "their column 'site' differs in result 2"),
        Row('results', 'fits that differ', lambda _: skcompare.merge(drawn("f1"), drawn("accuracy")),
            'results', 'must be of the same fits to join metrics'),
    ],
    'BlockedMByTwo': [
        Row('m', 'too large', lambda _: split(skcompare.BlockedMByTwo(10**6)),
            'm', 'must be at most 47'),
        Row('m', 'more blocks than samples', lambda _: split(skcompare.BlockedMByTwo(20), n=10),
            'm', 'm=20 needs at least 24 samples, one per block'),
        Row('shuffle', 'no boolean', lambda _: split(skcompare.BlockedMByTwo(4, shuffle=1)),
            'shuffle', 'must be True or False'),
        Row('random_state', 'none of the forms', lambda _: split(skcompare.BlockedMByTwo(4, random_state="x")),
            'random_state', 'must be None, an integer or a RandomState'),
        Row('random_state', 'given without shuffle', lambda _: split(skcompare.BlockedMByTwo(4, shuffle=False, random_state=0)),
            'random_state', 'must be None where shuffle is False'),
    ],
}
# fmt: on
CASES = [row for rows in ROWS.values() for row in rows]
FITTED = ("an estimator",)


@pytest.mark.parametrize("row", CASES, ids=lambda row: f"{row.where}: {row.what}")
@pytest.mark.filterwarnings("error")
def test_bad_input_is_refused_by_name_with_the_remedy(row, tmp_path):
    inputs = {"x.skc", "y.skc", "x.csv", "y.csv", "x.csv.gz", "x.jsonl", "x.toml", "x.txt"}
    FITS.clear()
    message = row.message(tmp_path)
    assert re.search(row.pattern(), message)
    assert "\n" not in message
    assert FITS == [] or row.where in FITTED
    assert {path.name for path in tmp_path.iterdir()} <= inputs


DATA_IN_PLACE_OF = {
    "n_errors": lambda given: skcompare.inference.error_rate_test(given, 100, threshold=0.5),
    "test_fraction": lambda given: skcompare.inference.corrected_t_test([1, 2], [1, 3], test_fraction=given),
    "alternative": lambda given: skcompare.inference.paired_t_test([1, 2], [1, 3], alternative=given),
    "null": lambda given: skcompare.inference.paired_t_test([1, 2], [1, 3], null=given),
    "control": lambda given: skcompare.inference.control_test(np.eye(3), control=given),
    "statement": lambda given: skcompare.inference.dominance_test([1, 2, 2, 9], statement=given),
    "cv": lambda given: skcompare.PairedEvaluator(cv=given).evaluate({"nb": GaussianNB()}, np.eye(9), [0, 1, 0] * 3),
    "scoring": lambda given: skcompare.PairedEvaluator(3, given).evaluate(
        {"nb": GaussianNB()}, np.eye(9), [0, 1, 0] * 3
    ),
    "metric": lambda given: skcompare.StopRule(metric=given),
    "max_repeats": lambda given: skcompare.StopRule(max_repeats=given),
    "path": skcompare.load,
    "a": lambda given: skcompare.from_outcomes({"x": [0, 1], "y": [1, 1]}).test(a=given),
    "labels": lambda given: skcompare.from_outcomes({"x": [0, 1], "y": [1, 1]}).by(given),
}


@pytest.mark.parametrize("form", [np.asarray, pd.DataFrame, csr_matrix, lambda rows: pd.Series(rows[:, 0])])
@pytest.mark.parametrize("argument", DATA_IN_PLACE_OF)
def test_data_in_place_of_another_argument_is_quoted_on_one_line(rng, argument, form):
    """As where two arguments change places: an array of 200 numbers was printed whole, or cut behind its first line."""
    given = form(rng.normal(size=(int(rng.integers(20, 300)), 3)))
    with pytest.raises((ValueError, TypeError)) as refused:
        DATA_IN_PLACE_OF[argument](given)
    message = str(refused.value)
    assert argument in message
    assert "\n" not in message, message
    assert len(message) < 400, message


def test_numbers_in_a_sparse_matrix_are_refused_with_what_makes_them_dense(rng):
    sparse = csr_matrix(rng.integers(0, 2, (1, 40)))
    wanted = r"^(a|outcomes\['a'\]) must be dense; got a sparse matrix: give "
    for call in (
        lambda: skcompare.inference.paired_t_test(sparse, np.zeros(40)),
        lambda: skcompare.from_outcomes({"a": sparse, "b": np.zeros(40)}),
    ):
        with pytest.raises(ValueError, match=wanted):
            call()


def test_every_row_is_there_once():
    for section, rows in ROWS.items():
        keys = [(row.where, row.what) for row in rows]
        assert len(set(keys)) == len(keys), section


def page():
    """The page, with what is said today."""
    parts = [INTRODUCTION]
    for section, rows in ROWS.items():
        lines = ["| where | what is wrong | message |", "| --- | --- | --- |"]
        lines += [f"| {_cell(row.where)} | {_cell(row.what)} | {_code(_message(row))} |" for row in rows]
        parts.append("\n".join([f"## {section}", "", *lines]))
    return "\n\n".join([*parts, UNREACHED])


def _message(row):
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("error")
        return row.message(Path(folder))


def _cell(text):
    return text.replace("|", "\\|").replace("_", "\\_").replace("*", "\\*").replace("<", "\\<")


def _code(text):
    fence = "``" if "`" in text else "`"
    return f"{fence}{text}{fence}".replace("|", "\\|")


INTRODUCTION = """\
# Refused input

What is refused, and in which words. A refusal is a `ValueError`; where a path is none or cannot be used it may be a `TypeError` or
`OSError`. Arguments that `evaluate` does not have are a `TypeError`. An estimator that fails is an `EstimatorFailedError`, which is a
`ValueError` too. Nothing is fitted before a refusal, except where an estimator itself is at fault, and no file is left behind. The
command prints the message behind `skcompare: error:`, in one line on standard error, and ends with status 2; `check`, of which 2 is an
answer, with 3.

The rows are the table of `tests/test_refused_input.py`, which holds that each names the argument and the remedy;
`python tests/test_refused_input.py` prints this page. The values in a message are those of the test. `{folder}` is the folder of the
file that was given, and `...` stands for the words of another library.

What passes through unchanged: the warnings of estimators and scikit-learn, and `UnsetMetadataPassedError` of its metadata routing. So do
`FileNotFoundError` of `load`, `OSError` of a disk that is full or read-only, and `KeyboardInterrupt`. So does `ImportError` with the
line for pip where an optional package is lacking.

Names of estimators, metrics and data sets may hold any character of any script, but no control characters, line breaks or changes
of direction. What reports print is escaped for their format, so that a name stays a name in Markdown and LaTeX. Data frames hold names
as they are. A name such as `=1+1` becomes a formula where a frame is written as CSV and opened in a spreadsheet. So open results of
strangers there as text.

A saved file runs no code and opens no other file. It may unpack to 256 MiB, or to 64 times its own size where that is more. A table of
scores is refused before it is laid out where a row for everything would take too many. That is more than 100 times the rows it has, and
more than a million. The configuration of a study and `--model` name Python modules, which are imported: run only your own."""

UNREACHED = """\
## Not in the tables

Only code of the package itself can fail two checks. They are the shape of the scores of a `StudyResult` made by its
constructor, and the solver of `stochastic_dominance_test`. It says so where it finds no solution.
"""


def test_the_page_has_every_row_and_at_night_every_word():
    text = PAGE.read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.startswith("| ") and not line.startswith(("| where", "| ---"))]
    assert len(lines) == len(CASES)
    for row, line in zip(CASES, lines, strict=True):
        place = f"| {_cell(row.where)} | {_cell(row.what)} | "
        assert line.startswith(place)
        assert re.search(row.pattern(), line.removeprefix(place).replace("\\|", "|")), row
    if os.environ.get("SKCOMPARE_FULL") == "1":
        assert text == page()


def test_advice_begins_as_a_sentence():
    """Of several calls in one sentence the first."""
    begun = re.findall(r"\. (\w)[^.|;]*: (?:skc\.read|skcompare analyze)", PAGE.read_text(encoding="utf-8"))
    assert len(begun) > 10
    assert "".join(begun).isupper()


if __name__ == "__main__":
    sys.stdout.write(page())
