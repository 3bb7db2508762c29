"""Saving and loading: nothing is lost, nothing is trusted, nothing is half written."""

from __future__ import annotations

import io
import json
import os
import pickle
import stat
import struct
import zipfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import is_dataclass
from hashlib import sha256
from pathlib import Path
from typing import get_args, get_type_hints

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris, make_classification, make_regression
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import Ridge
from sklearn.model_selection import GroupKFold, LeaveOneOut, ShuffleSplit, TimeSeriesSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier

import skcompare
from skcompare import PairedEvaluator
from skcompare.calibration import Calibration
from skcompare.comparison.means import metric_means
from skcompare.saving.results import CHECKS
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.study import StudyScores
from tests.made_results import results
from tests.saved_files import HEADER, members_of, with_content, write

MODELS = {"bayes": GaussianNB(), "baum ü": DecisionTreeClassifier(max_depth=2)}
REGRESSORS = {"ridge": Ridge(), "neighbours": KNeighborsRegressor(3)}
BINARY = make_classification(120, random_state=0)
SMALL = (BINARY[0][:60], BINARY[1][:60])
# written by the save, named by what they hold
SCORES, Y, FOLDS = "scores.npy", "y.npy", "fold_ids.npy"


class Moody(ClassifierMixin, BaseEstimator):
    """Fits where the first training sample is an even row, by its first feature."""

    def fit(self, X, y):
        if X[0, 0] > 0:
            raise RuntimeError("not today")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


class Vague(Moody):
    """Predicts no label at all."""

    def fit(self, X, y):  # noqa: ARG002
        return self

    def predict(self, X):
        return np.full(len(X), None)


def evaluate(models, data, *, groups=None, **options):
    return PairedEvaluator(random_state=0, **{"cv": 3, **options}).evaluate(models, *data, groups=groups)


def strings(data, dtype=object):
    return data[0], np.array(["nein", "jawohl"], dtype=dtype)[data[1]]


def failing():
    X, y = BINARY
    cv = [(np.roll(np.arange(100), -i), np.arange(100, 120)) for i in range(6)]
    with pytest.warns(FitFailedWarning, match="fits failed"):
        return evaluate(
            {"moody": Moody(), "bayes": GaussianNB()}, (X, y), cv=cv, scoring="accuracy", error_score=np.nan
        )


CASES = {
    "binary": lambda: evaluate(MODELS, BINARY),
    "repeated": lambda: evaluate(MODELS, BINARY, cv="2x5", scoring=["accuracy", "roc_auc"]),
    "5x2": lambda: evaluate(MODELS, BINARY, cv="5x2", scoring=["accuracy"]),
    "string labels": lambda: evaluate(MODELS, strings(BINARY)),
    "fixed-width string labels": lambda: evaluate(MODELS, strings(BINARY, "U6")),
    "boolean labels": lambda: evaluate(MODELS, (BINARY[0], BINARY[1] == 1)),
    "float labels": lambda: evaluate(MODELS, (BINARY[0], BINARY[1] + 1.0)),
    "multiclass": lambda: evaluate({"k": KNeighborsClassifier(), **MODELS}, load_iris(return_X_y=True)),
    "regression": lambda: evaluate(REGRESSORS, make_regression(60, 3, noise=9, random_state=0)),
    "float32 regression": lambda: evaluate(
        REGRESSORS, [a.astype(np.float32) for a in make_regression(60, 3, noise=9, random_state=0)]
    ),
    "random splits": lambda: evaluate(MODELS, BINARY, cv=ShuffleSplit(4, random_state=0), scoring=["f1"]),
    "time series": lambda: evaluate(MODELS, BINARY, cv=TimeSeriesSplit(4), scoring=["accuracy"]),
    "leave one out": lambda: evaluate(MODELS, SMALL, cv=LeaveOneOut(), scoring=["accuracy"]),
    "groups": lambda: evaluate(MODELS, BINARY, cv=GroupKFold(3), groups=np.arange(120) // 7, scoring=["accuracy"]),
    "failures": failing,
    "costs": lambda: evaluate(MODELS, BINARY, scoring=["fit_time", "predict_time", "model_size"]),
    "one metric": lambda: evaluate(MODELS, BINARY, scoring="accuracy"),
    "a callable": lambda: evaluate(MODELS, BINARY, scoring=lambda model, X, y: model.score(X, y)),
}


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """The path of a small saved result."""
    path = tmp_path_factory.mktemp("saved") / "result.skc"
    evaluate(MODELS, SMALL, scoring=["accuracy", "f1"]).save(path)
    return path


@pytest.fixture
def tampered(saved, tmp_path):
    """Write the saved result with some members changed (None: removed) and its digest made anew; gives the path."""

    def tampered(changes):
        members = {**members_of(saved), **changes}
        return write(
            tmp_path / "tampered.skc", {name: content for name, content in members.items() if content is not None}
        )

    return tampered


@pytest.fixture
def header(saved):
    with zipfile.ZipFile(saved) as archive:
        return json.loads(archive.read(HEADER))


def npy(array, *, allow_pickle=False):
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=allow_pickle)
    return buffer.getvalue()


def npy_claiming(shape, descr="<f8", content=b""):
    text = f"{{'descr': {descr!r}, 'fortran_order': False, 'shape': {shape!r}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() + content


def refuses(path, words):
    with pytest.raises(ValueError, match=words) as caught:
        skcompare.load(path)
    assert str(path) in str(caught.value)


# ---- round trip -----------------------------------------------------------------------------------------------


@pytest.mark.sampled
@pytest.mark.parametrize("case", CASES)
def test_a_loaded_result_equals_the_saved_one(case, tmp_path):
    result = CASES[case]()
    result.save(tmp_path / "result.skc")
    loaded = skcompare.load(tmp_path / "result.skc")

    for name in ("estimators", "metrics", "greater_is_better", "design", "failures", "positive_class", "warnings"):
        assert getattr(loaded._scores, name) == getattr(result._scores, name)
    for name in ("scores", "fit_times", "score_times"):
        np.testing.assert_array_equal(getattr(loaded._scores, name), getattr(result._scores, name), strict=True)
    assert loaded.provenance == result.provenance
    for pair, loaded_pair in zip(result.splits(), loaded.splits(), strict=True):
        for part, loaded_part in zip(pair, loaded_pair, strict=True):
            np.testing.assert_array_equal(loaded_part, part, strict=True)
    for estimator in result.estimators:
        same_predictions(result.predictions(estimator), loaded.predictions(estimator))
        table, loaded_table = result.to_cross_validate(estimator), loaded.to_cross_validate(estimator)
        assert list(loaded_table) == list(table)
    assert loaded.summary() == result.summary()
    assert repr(loaded) == repr(result)


def same_predictions(folds, loaded_folds):
    for fold, loaded in zip(folds, loaded_folds, strict=True):
        assert (loaded.repeat, loaded.fold) == (fold.repeat, fold.fold)
        for name in ("test_indices", "y_true", "y_pred", "decision_function", "predict_proba"):
            value = getattr(fold, name)
            if value is None:
                assert getattr(loaded, name) is None
            else:
                np.testing.assert_array_equal(getattr(loaded, name), value, strict=True)


@pytest.mark.parametrize("kind", [int, float, bool, str])
def test_labels_and_predictions_that_are_objects_are_saved_as_what_they_hold(kind, tmp_path):
    x, y = make_classification(60, random_state=0)
    labels = y.astype(kind).astype(object)
    result = PairedEvaluator(3, ["accuracy"], random_state=0).evaluate({"a": AsObjects(), "b": GaussianNB()}, x, labels)
    result.save(tmp_path / "objects.skc")
    loaded = skcompare.load(tmp_path / "objects.skc")
    for name in result.estimators:
        for fold, again in zip(result.predictions(name), loaded.predictions(name), strict=True):
            np.testing.assert_array_equal(again.y_pred, fold.y_pred)
    assert str(loaded.explain()) == str(result.explain())


class AsObjects(GaussianNB):
    """Predicts labels in an array of objects."""

    def predict(self, X):
        return super().predict(X).astype(object)


def test_a_loaded_result_is_read_only_too(saved):
    with pytest.raises(ValueError, match="read-only"):
        skcompare.load(saved).scores[0, 0, 0] = 1.0


def test_the_same_result_gives_the_same_bytes(saved, tmp_path):
    skcompare.load(saved).save(tmp_path / "again.skc")
    assert (tmp_path / "again.skc").read_bytes() == saved.read_bytes()


def test_a_path_may_be_a_string_or_a_path(saved):
    assert skcompare.load(str(saved)).summary() == skcompare.load(Path(saved)).summary()


def test_labels_that_only_pickle_could_hold_are_refused(tmp_path):
    result = evaluate({"vague": Vague(), "bayes": GaussianNB()}, SMALL, scoring="model_size")
    with pytest.raises(ValueError, match="predict of 'vague' must be numbers, booleans or strings"):
        result.save(tmp_path / "result.skc")
    assert list(tmp_path.iterdir()) == []


# ---- saving is atomic -----------------------------------------------------------------------------------------


def test_a_save_that_fails_leaves_the_old_file_and_no_part(saved, tmp_path, monkeypatch):
    path = tmp_path / "result.skc"
    path.write_bytes(b"old")

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "save", full)
    with pytest.raises(OSError, match="No space left"):
        skcompare.load(saved).save(path)
    assert path.read_bytes() == b"old"
    assert [file.name for file in tmp_path.iterdir()] == ["result.skc"]


def test_a_save_replaces_the_old_file_whole(saved, tmp_path):
    path = tmp_path / "result.skc"
    path.write_bytes(b"old" * 100_000)
    skcompare.load(saved).save(path)
    assert path.read_bytes() == saved.read_bytes()


@pytest.mark.parametrize("where", ["no/such/directory/result.skc", "."])
def test_a_save_that_cannot_write_says_so_and_leaves_nothing(saved, tmp_path, where):
    with pytest.raises(OSError, match="directory"):
        skcompare.load(saved).save(tmp_path / where)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.sampled
@pytest.mark.parametrize("writer", ["save", "to_html"])
def test_a_file_keeps_the_permissions_of_the_one_that_it_replaces(saved, tmp_path, rng, writer):
    write_to = getattr(skcompare.load(saved), writer)
    for i in range(10 if writer == "save" else 2):
        path, mode, umask = tmp_path / f"file{i}", 0o200 | int(rng.integers(0o1000)), int(rng.integers(0o100))
        before = os.umask(umask)
        try:
            write_to(path)
            assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~umask
            path.write_bytes(b"old")
            path.chmod(mode)
            write_to(path)
        finally:
            os.umask(before)
        assert stat.S_IMODE(path.stat().st_mode) == mode
        path.chmod(0o600)
        assert path.read_bytes() != b"old"


@pytest.mark.parametrize("writer", ["save", "to_html"])
@pytest.mark.parametrize(("mode", "link"), [(0o444, False), (0o555, True)])
def test_a_read_only_file_is_not_replaced(saved, tmp_path, writer, mode, link):
    path, given = tmp_path / "file", tmp_path / ("link" if link else "file")
    path.write_bytes(b"old")
    path.chmod(mode)
    if link:
        given.symlink_to(path)
    with pytest.raises(PermissionError, match=r"make it writable, or give another name: '.*(file|link)'"):
        getattr(skcompare.load(saved), writer)(given)
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"old", mode)
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted({"file", given.name})


# ---- hostile files --------------------------------------------------------------------------------------------


def test_a_missing_file_is_a_file_not_found_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        skcompare.load(tmp_path / "no.skc")


@pytest.mark.parametrize("content", [b"", b"PK", b"model,score\n", pickle.dumps({"a": 1}), npy(np.zeros(3))])
def test_what_is_no_zip_is_refused_and_what_reads_tables_is_named(tmp_path, content):
    path = tmp_path / "other.skc"
    path.write_bytes(content)
    refuses(path, "must be a file saved by skcompare.*; skcompare.read reads tables and logs")


@pytest.mark.parametrize("share", [0.01, 0.3, 0.9, 0.999])
def test_a_truncated_file_is_refused(saved, tmp_path, share):
    path = tmp_path / "short.skc"
    content = saved.read_bytes()
    path.write_bytes(content[: int(share * len(content))])
    refuses(path, "must be a file saved by skcompare")


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", "1", '"x"', "{}", "[" * 100_000, b"\xff\xfe", '{"format": 1' + "0" * 5000 + "}"],
    ids=lambda text: repr(text)[:12],
)
def test_a_header_that_is_no_object_is_refused(tampered, text):
    refuses(tampered({HEADER: text}), "path must be a file")


# ---- what was changed -----------------------------------------------------------------------------------------


def write_unsigned(path, members):
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)


@pytest.mark.parametrize("name", [HEADER, SCORES, Y, FOLDS, "fit_times.npy", "extra.npy"])
def test_a_file_that_was_changed_after_it_was_saved_is_refused(saved, header, tmp_path, name):
    members = members_of(saved)
    if name == HEADER:
        members[name] = json.dumps({**header, "warnings": ["DO_NOT_USE: train and test share samples."]})
    elif name in members:
        array = np.load(io.BytesIO(members[name]))
        array.flat[0] += 1
        members[name] = npy(array)
    else:
        members[name] = npy(np.zeros(3))
    write_unsigned(tmp_path / "changed.skc", members)
    refuses(tmp_path / "changed.skc", "must be a file as it was saved; .* was changed since: its digest does not fit")


@pytest.mark.parametrize("digest", [None, "", 1, [], "0" * 64])
def test_a_digest_that_is_none_is_refused(saved, header, tmp_path, digest):
    write_unsigned(tmp_path / "changed.skc", {**members_of(saved), HEADER: json.dumps({**header, "digest": digest})})
    refuses(tmp_path / "changed.skc", "its digest does not fit")


def test_the_digest_is_of_the_content_and_not_of_its_order(saved, header, tmp_path):
    members = dict(reversed(members_of(saved).items()))
    write_unsigned(tmp_path / "again.skc", {**members, HEADER: json.dumps(dict(reversed(header.items())), indent=None)})
    assert skcompare.load(tmp_path / "again.skc").summary() == skcompare.load(saved).summary()


def test_a_statistic_of_right_form_is_not_computed_again(tampered):
    scores = np.linspace(0, 1, 12).reshape(2, 3, 2)
    np.testing.assert_array_equal(skcompare.load(tampered({SCORES: npy(scores)})).scores, scores)


def test_a_file_of_the_first_format_is_refused_by_the_version_that_wrote_it(header, saved, tmp_path):
    first = {name: value for name, value in header.items() if name not in ("skcompare", "kind", "digest")}
    write_unsigned(tmp_path / "old.skc", {**members_of(saved), HEADER: json.dumps({**first, "format": 1})})
    refuses(tmp_path / "old.skc", "must be a file of format 3; .* was saved by skcompare 0.1.0 in format 1$")


def test_a_file_of_a_later_format_is_refused_by_the_version_that_wrote_it(tampered):
    later = {"format": 4, "skcompare": "7.0", "unheard": "of"}
    refuses(tampered({HEADER: json.dumps(later)}), "was saved by skcompare 7.0 in format 4$")


def test_every_limit_is_one_of_a_field_that_is_saved():
    records, named = [EvaluationScores, StudyScores, Calibration], set()
    for record in records:  # those that are found in them are appended
        for name, kind in get_type_hints(record).items():
            named.add(name)
            parts = [kind, *get_args(kind), *(part for inner in get_args(kind) for part in get_args(inner))]
            records += [part for part in parts if is_dataclass(part) and part not in records]
    assert {limit for limit in CHECKS if isinstance(limit, str)} <= named
    assert {limit for limit in CHECKS if isinstance(limit, type)} <= set(records)


@pytest.mark.parametrize("version", [0, 4, "3", None, [3, True, 3.0]])
def test_another_format_is_refused_by_its_number(tampered, header, version):
    refuses(tampered({HEADER: json.dumps({**header, "format": version})}), "format")


@pytest.mark.parametrize("name", ["estimators", "metrics", "greater_is_better", "design", "failures", "warnings"])
@pytest.mark.parametrize("value", [None, 1, "text", {"a": 1}, [1, 2], [[]], [None, None], []])
def test_a_header_entry_of_another_type_is_refused(tampered, header, name, value):
    if name in ("failures", "warnings") and value == []:
        return
    refuses(tampered({HEADER: json.dumps({**header, name: value})}), "damaged")


@pytest.mark.parametrize(
    "change",
    [
        {"estimators": ["a"]},
        {"estimators": ["a", "a"]},
        {"estimators": ["a", "b", "c"]},
        {"metrics": ["accuracy"]},
        {"metrics": ["f1", "f1"]},
        {"greater_is_better": [True]},
        {"greater_is_better": [1, 1]},
        {"failures": [{"estimator": "bayes", "split": 99, "metric": None, "message": ""}]},
        {"failures": [{"estimator": "bayes", "split": [], "metric": None, "message": ""}]},
        {"failures": [{"estimator": "nobody", "split": 0, "metric": None, "message": ""}]},
        {"failures": [{"estimator": "bayes", "split": 0, "metric": "nothing", "message": ""}]},
        {"failures": [{"split": 0}]},
        {"failures": [{"estimator": "bayes", "split": 0.0, "metric": None, "message": ""}]},
        {"failures": [{"estimator": "bayes", "split": True, "metric": None, "message": ""}]},
        {"estimators": ["", "b"]},
        {"positive_class": {"a": 1}},
        {"provenance": 3},
        {"provenance": [["a", "b"]]},
        {"ill_defined": {"nobody": {"accuracy": 1}}},
        {"ill_defined": {"bayes": {"accuracy": 1000}}},
        {"ill_defined": []},
    ],
)
def test_a_header_that_contradicts_itself_is_refused(tampered, header, change):
    refuses(tampered({HEADER: json.dumps({**header, **change})}), "damaged")


@pytest.mark.parametrize(
    "change",
    [
        {"n_samples": 59},
        {"n_folds": 10**12},
        {"n_folds": -3},
        {"n_repeats": 10**12},
        {"split_hash": sha256().hexdigest()},
    ],
)
def test_a_design_that_does_not_fit_the_folds_is_refused(tampered, header, change):
    refuses(tampered({HEADER: json.dumps({**header, "design": {**header["design"], **change}})}), "damaged")


@pytest.mark.parametrize("dataset", [(), ("dataset",)])
@pytest.mark.parametrize("metric", ["neg_log_loss", "neg_mean_absolute_error", "neg_brier_score"])
def test_another_metric_under_the_name_of_a_negated_loss_is_refused(tmp_path, rng, metric, dataset):
    """Views show it without its sign, less for better: they would name the worst model."""
    places = dict.fromkeys(dataset or ("fold",), [*range(6)] * 2)
    saved = {"model": ["a"] * 6 + ["b"] * 6, **places, metric: -rng.uniform(0.1, 0.9, 12)}
    made, path = skcompare.read(saved, metric=metric, design=None if dataset else "6-fold"), tmp_path / "a.skc"

    def positive(_, arrays):
        arrays["scores"] = -arrays["scores"]

    def less(header, _):
        header["greater_is_better"] = [False]

    for change, got in ((positive, "got 0"), (less, "less was said to be better")):
        made.save(path)
        assert skcompare.load(path).metrics == (metric,)
        with pytest.raises(ValueError, match=rf"scores of '{metric}' must be at most 0, .*{got}"):
            skcompare.load(with_content(path, change))


def test_each_entry_and_member_is_needed_or_refused_by_name(tampered, header):
    for name in set(header) - {"digest", "skcompare"}:
        rest = {key: value for key, value in header.items() if key != name}
        refuses(tampered({HEADER: json.dumps(rest)}), "format" if name == "format" else name)
    for name in (SCORES, Y, FOLDS, "fit_times.npy", "estimator0_predict_shapes.npy"):
        refuses(tampered({name: None}), "path must be a file")
    refuses(tampered({HEADER: None}), "path must be a file")


@pytest.mark.parametrize(
    ("member", "array"),
    [
        (SCORES, np.zeros((2, 3))),
        (SCORES, np.zeros((2, 3, 2), dtype=np.float32)),
        (SCORES, np.zeros((2, 3, 2), dtype="U3")),
        (SCORES, np.zeros(())),
        ("fit_times.npy", np.zeros((2, 4))),
        (FOLDS, np.zeros((1, 60), dtype=np.uint8)),
        (FOLDS, np.zeros((1, 60), dtype=np.int64)),
        (FOLDS, np.zeros((0, 60), dtype=np.uint8)),
        (FOLDS, np.full((1, 60), 9, dtype=np.uint8)),
        (Y, np.zeros(59)),
        (Y, np.zeros(())),
        (Y, np.full(60, np.nan)),
        (Y, np.full(60, np.inf)),
        ("estimator0_predict_values.npy", np.zeros(59)),
        ("estimator0_predict_shapes.npy", np.zeros(3)),
        ("estimator0_predict_shapes.npy", np.full((3, 2), 2**62)),
        ("estimator0_predict_shapes.npy", np.array([[20, 0], [20, 0], [30, 0]])),
        ("estimator0_predict_is_object.npy", np.zeros(3, dtype=bool)),
    ],
)
def test_an_array_of_another_shape_or_content_is_refused(tampered, member, array):
    refuses(tampered({member: npy(array)}), "damaged")


def test_predictions_of_no_sample_are_not_those_of_a_fold(saved, tampered):
    names = [f"estimator0_predict_{what}.npy" for what in ("values", "shapes")]
    values, shapes = (np.load(io.BytesIO(members_of(saved)[name])) for name in names)
    left = npy(values[:40]), npy(np.where([[True], [True], [False]], shapes, 0))
    refuses(tampered(dict(zip(names, left, strict=True))), "damaged: the saved predict of .* does not fit")


def test_changed_folds_do_not_have_the_saved_hash(saved, tampered):
    with zipfile.ZipFile(saved) as archive:
        ids = np.load(io.BytesIO(archive.read(FOLDS)))
    swapped = ids.copy()
    swapped[0, [np.flatnonzero(ids[0] == 0)[0], np.flatnonzero(ids[0] == 1)[0]]] = 1, 0
    refuses(tampered({FOLDS: npy(swapped)}), "hash")


def test_undefined_scores_are_data_and_not_damage(tampered):
    scores = np.full((2, 3, 2), np.nan)
    scores[0, 0, 0] = np.inf
    loaded = skcompare.load(tampered({SCORES: npy(scores)}))
    assert any("MISSING_SCORES" in one for one in loaded.explain().named("warnings").texts)


class Payload:
    """Creates a file when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return (Path.touch, (self.path,))


@pytest.mark.parametrize("member", [SCORES, Y, "extra.npy"])
def test_a_pickle_inside_is_refused_and_never_runs(tampered, tmp_path, member):
    trap = tmp_path / "trap"
    array = np.array([Payload(trap)] * 3, dtype=object)
    refuses(tampered({member: npy(array, allow_pickle=True)}), "plain array")
    assert not trap.exists()
    np.load(io.BytesIO(npy(array, allow_pickle=True)), allow_pickle=True)
    assert trap.exists()  # the payload is a live one


@pytest.mark.parametrize(
    "content",
    [
        npy_claiming((10**12,)),
        npy_claiming((10**12,), "<U0"),
        npy_claiming((-1, -6), content=b"\0" * 48),
        npy_claiming((2**63, 2)),
        npy_claiming((3,), "|O", b"\0" * 24),
        npy_claiming((3,), "|V8", b"\0" * 24),
        npy_claiming((3,), "<c16", b"\0" * 48),
        npy_claiming((3,), [("a", "<f8")], b"\0" * 24),
        npy_claiming((3,), "nonsense"),
        npy_claiming("(1,)"),
        npy_claiming((3,), content=b"\0" * 25),
        b"\x93NUMPY\x09\x00",
        b"\x93NUMPY\x01\x00\xff\xff{",
        b"",
        b"text",
    ],
    ids=lambda content: repr(content[10:80]),
)
def test_an_array_that_claims_what_it_does_not_hold_is_refused(tampered, content):
    refuses(tampered({SCORES: content}), "scores.npy is not a plain array")


@pytest.mark.parametrize("claim", [10**7, 2**31, 2**32 - 2])
@pytest.mark.parametrize("member", [HEADER, SCORES])
def test_a_member_that_claims_more_than_the_file_can_hold_is_refused(tampered, member, claim):
    path = tampered({})
    content = bytearray(path.read_bytes())
    entry = content.rindex(member.encode()) - 46  # its entry in the central directory
    assert content[entry : entry + 4] == b"PK\x01\x02"
    content[entry + 24 : entry + 28] = struct.pack("<I", claim)
    path.write_bytes(content)
    refuses(path, "claims")


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_compression_that_could_expand_without_bound_is_refused(saved, tmp_path, method):
    path = tmp_path / "other.skc"
    with zipfile.ZipFile(saved) as old, zipfile.ZipFile(path, "w", method) as new:
        for name in old.namelist():
            new.writestr(name, old.read(name))
    refuses(path, "compressed by another method")


def test_members_with_paths_are_never_written_anywhere(tampered, tmp_path):
    before = {path.name for path in tmp_path.parent.iterdir()}
    loaded = skcompare.load(tampered({"../evil.npy": npy(np.zeros(3)), "/tmp/evil.txt": b"evil"}))
    assert "evil" not in loaded.summary()
    assert {path.name for path in tmp_path.parent.iterdir()} == before
    assert [path.name for path in tmp_path.iterdir()] == ["tampered.skc"]


def test_a_name_cannot_send_commands_to_the_terminal(tampered, header):
    names = ["\x1b[2J\x1b]0;title\x07evil", "line\nbreak\u202e"]
    refuses(tampered({HEADER: json.dumps({**header, "estimators": names})}), "without control characters")


def test_saving_follows_no_planted_link_and_threads_do_not_meet(tmp_path):
    result = skcompare.from_frame({"model": ["a", "a", "b", "b"], "fold": [0, 1, 0, 1], "score": [0.9, 0.8, 0.7, 0.8]})
    victim, target = tmp_path / "victim", tmp_path / "result.skc"
    victim.write_text("precious")
    planted = tmp_path / f"result.skc.{os.getpid()}.part"
    planted.symlink_to(victim)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: result.save(target), range(40)))
    assert victim.read_text() == "precious"
    assert set(tmp_path.iterdir()) == {victim, target, planted}
    np.testing.assert_array_equal(skcompare.load(target).scores, result.scores)


@given(results())
@settings(max_examples=25, deadline=None, suppress_health_check=[*HealthCheck])
def test_numbers_are_the_same_to_the_last_bit(tmp_path_factory, drawn):
    path = tmp_path_factory.mktemp("saved") / "result.skc"
    drawn.save(path)
    for before, after in zip(metric_means(drawn._scores), metric_means(skcompare.load(path)._scores), strict=True):
        assert np.array_equal(before.means, after.means, equal_nan=True)
        assert np.array_equal(before.deviations, after.deviations, equal_nan=True)


@pytest.mark.parametrize("name", ["neg_log_loss", "neg_brier_score", "neg_max_error", "neg_root_mean_squared_error"])
def test_a_file_of_another_metric_under_the_name_of_a_loss_is_not_called_damaged(tampered, header, name):
    path = tampered({HEADER: json.dumps({**header, "metrics": [name, *header["metrics"][1:]]})})
    with pytest.raises(ValueError, match=rf"scores of '{name}' must be at most 0.*got") as caught:
        skcompare.load(path)
    assert str(path) in str(caught.value)
    assert "damaged" not in str(caught.value)
