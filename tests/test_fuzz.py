"""Whatever comes in, either a sound result comes out or a refusal of ours, and no half of a file."""

from __future__ import annotations

import copy
import json
import random
import re
import traceback
import warnings
import zipfile
from inspect import isfunction
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import GroupKFold, KFold, ShuffleSplit, TimeSeriesSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import fuzz
import skcompare
from fuzz.command import commands
from fuzz.judge import judged
from fuzz.targets import LEFT_OUT, MODULES, namespace, targets
from fuzz.values import Call, argument
from skcompare import PairedEvaluator, StopRule, StudyResult, from_frame
from skcompare.calibration import Calibration, calibrate
from tests.lawful import FULL
from tests.saved_files import HEADER, members_of, signed

PACKAGE = str(Path(skcompare.__file__).parent)
N = 24
X = np.random.default_rng(0).normal(size=(N, 3))
Y = np.arange(N) % 2
# a refusal begins with the argument, or with the estimator that is at fault
NAMED = re.compile(
    r"(estimators|scoring|cv|y|X|groups|params|error_score|random_state|datasets|frame|path|metrics?|greater_is_better"
    r"|test_fraction|models|data sets)\b|the (train|test) indices of split|estimator '|all \d+ fits failed"
)


def is_ours(error):
    """Raised by the package itself, in words that name what is at fault."""
    frames = [frame.filename for frame in traceback.extract_tb(error.__traceback__)]
    return (
        isinstance(error, (ValueError, TypeError))
        and frames[-1].startswith(PACKAGE)
        and any(NAMED.match(said) for said in (str(error), str(error).rpartition("? ")[2]))  # a hint may come first
    )


def refused_by_us(error):
    if not is_ours(error):
        raise error


def few(examples):
    """So many where all tests run, and an eighth of them elsewhere."""
    examples = examples if FULL else -(-examples // 8)
    return settings(max_examples=examples, deadline=None, suppress_health_check=[HealthCheck.too_slow])


# ---- evaluations ----------------------------------------------------------------------------------------------


class Odd(ClassifierMixin, BaseEstimator):
    """Predicts what it is told to, or raises it."""

    def __init__(self, gives=None, fails=None):
        self.gives = gives
        self.fails = fails

    def fit(self, X, y):  # noqa: ARG002
        self.classes_ = np.unique(y)
        if self.fails is not None:
            raise self.fails("a\nb\x1b[2J")
        return self

    def predict(self, X):
        return self.gives(len(X))


class UnpicklableError(Exception):
    """Holds what no pickle can."""

    def __init__(self, text):
        super().__init__(text)
        self.inner = lambda: None

    def __reduce__(self):
        raise TypeError("no")


class MuteError(Exception):
    """Cannot say what it is."""

    def __str__(self):
        raise RuntimeError("no words")


class Bare:
    """No estimator of scikit-learn."""

    def fit(self, X, y):  # noqa: ARG002
        return self

    def predict(self, X):
        return np.zeros(len(X))


GIVEN = {
    "two columns": lambda n: np.zeros((n, 2)),
    "one column": lambda n: np.zeros((n, 1)),
    "three dimensions": lambda n: np.zeros((n, 1, 1)),
    "too few": lambda n: np.zeros(n - 1),
    "none": lambda _: None,
    "a number": lambda _: 0,
    "nan": lambda n: np.full(n, np.nan),
    "inf": lambda n: np.full(n, np.inf),
    "text": lambda n: np.full(n, "q"),
    "objects": lambda n: np.array([object()] * n),
    "unseen": lambda n: np.full(n, 7),
    "ragged": lambda n: [[1]] * (n - 1) + [[1, 2]],
    "a list": lambda n: [0] * n,
    "bytes": lambda n: np.full(n, b"a"),
    "dates": lambda n: np.full(n, np.datetime64("2020-01-01")),
    "huge": lambda n: np.full(n, 10**30, dtype=object),
    "sparse": lambda n: scipy.sparse.csr_matrix((n, 1)),
}
RAISED = (
    ValueError,
    KeyError,
    StopIteration,
    MemoryError,
    RecursionError,
    UnpicklableError,
    MuteError,
    UnicodeError,
    AssertionError,
)
MODELS = {
    "bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(max_depth=2),
    "dummy": DummyClassifier(),
    "pipeline": make_pipeline(StandardScaler(), GaussianNB()),
    "broken pipeline": make_pipeline("passthrough", GaussianNB(var_smoothing="x")),
    "regressor": DecisionTreeRegressor(),
    "a class": GaussianNB,
    "None": None,
    "text": "GaussianNB",
    "bare": Bare(),
    **{f"gives {name}": Odd(gives=gives) for name, gives in GIVEN.items()},
    **{f"raises {error.__name__}": Odd(fails=error) for error in RAISED if error not in (UnicodeError,)},
}
TARGETS = {
    "classes": Y,
    "strings": np.array(["a", "b"])[Y],
    "objects of strings": np.array(["a", "b"], dtype=object)[Y],
    "booleans": Y == 1,
    "floats": Y + 0.0,
    "small": Y.astype(np.uint8),
    "a list": Y.tolist(),
    "a series": pd.Series(Y, index=range(N, 0, -1)),
    "categories": pd.Series(pd.Categorical(Y)),
    "three": np.arange(N) % 3,
    "numbers": X[:, 0],
    "one": np.zeros(N),
    "one of the second": np.eye(N, dtype=int)[3],
    "all different": np.arange(N),
    "None": None,
    "nan": np.where(Y, np.nan, 0),
    "inf": np.where(Y, np.inf, 0),
    "two columns": np.column_stack([Y, Y]),
    "mixed": np.array([1, "a"] * (N // 2), dtype=object),
    "plain objects": np.array([object() for _ in range(N)]),
    "complex": Y + 1j,
    "bytes": np.array([b"a", b"b"])[Y],
    "dates": np.array(["2020-01-01", "2021-01-01"], dtype="M8[D]")[Y],
    "huge": np.array([10**30, 1] * (N // 2), dtype=object),
    "a mapping": dict(enumerate(Y)),
    "short": Y[:5],
    "ragged": [[1], [1, 2]] * (N // 2),
    "masked": np.ma.array(Y, mask=np.eye(N, dtype=bool)[0]),
    "pandas.NA": pd.Series([None, 1] * (N // 2), dtype="Int64"),
    "sparse": scipy.sparse.csr_matrix(Y[:, None]),
    "records": np.zeros(N, dtype=[("a", "i4")]),
}
DATA = {
    "an array": X,
    "a list": X.tolist(),
    "a frame": pd.DataFrame(X),
    "sparse": scipy.sparse.csr_matrix(X),
    "objects": X.astype(object),
    "strings": X.astype(str),
    "nan": np.where(X > 1, np.nan, X),
    "one dimension": X[:, 0],
    "three dimensions": X[:, :, None],
    "no column": X[:, :0],
    "complex": X + 1j,
    "a ragged list": [[1], [1, 2]] * (N // 2),
    "dates": X.astype("M8[D]"),
    "None": None,
    "a set": {1, 2},
    "a generator": (row for row in X),
    "a scalar": 3,
    "a series": pd.Series(X[:, 0]),
}
SCORING = {
    "default": None,
    "a name": "accuracy",
    "names": ["accuracy", "roc_auc", "fit_time", "model_size"],
    "multiclass": ["f1_macro", "roc_auc_ovr"],
    "regression": "r2",
    "unknown": "acuracy",
    "none": [],
    "twice": ["f1", "f1"],
    "a number": 3,
    "numbers": [1, 2],
    "an empty name": {"": "f1"},
    "a control name": {"a\x1b": "f1"},
    "text": lambda *_: "good",
    "nan": lambda *_: np.nan,
    "inf": lambda *_: np.inf,
    "several": lambda *_: {"a": 1, "b": 2.0},
    "raises": lambda *_: 1 / 0,
    "too few arguments": lambda: 1,
    "huge": lambda *_: 10**400,
}
SPLITTERS = {
    "three": 3,
    "twice": "2x2",
    "k-fold": KFold(3),
    "groups": GroupKFold(3),
    "random": ShuffleSplit(2, test_size=8, random_state=0),
    "time": TimeSeriesSplit(3),
    "pairs": [(np.arange(12), np.arange(12, N))],
    "leaking pairs": [(np.arange(N), np.arange(N))] * 2,
    "masks": [(Y == 0, Y == 1)],
    "no pairs": [],
    "outside": [([0, 1], [N])],
    "negative": [([0, -1], [2])],
    "floats": [([0.0], [1.0])],
    "one": 1,
    "many": 10**9,
    "text": "ten",
    "None": None,
    "a number": 2.5,
    "bytes": b"3",
    "a class": KFold,
    "ragged": [([0, [1, 2]], [3])],
}
GROUPS = {
    "none": None,
    "six": np.arange(N) // 4,
    "nan": np.full(N, np.nan),
    "one": np.zeros(N),
    "strings": ["a", "b"] * 12,
    "objects": [object()] * 24,
    "short": [1, 2],
    "a number": 3,
}


def is_sound(result, folder):
    """Shapes fit, a score that is no finite number is spoken of, and its file gives it back where it can be saved."""
    design = result.design
    assert result.scores.shape == (len(result.estimators), design.n_splits, len(result.metrics))
    assert result.scores.dtype == np.float64
    assert len(design.train_sizes) == len(design.test_sizes) == design.n_splits
    summary = result.summary()
    assert all(char.isprintable() or char == "\n" for char in summary)
    if not np.isfinite(result.scores).all():
        assert re.search("MISSING_SCORES|MISSING_SCORES", result.summary("full"))
    path = Path(folder) / "result.skc"
    try:
        result.save(path)
    except ValueError as error:
        if not is_saving_refusal(error):
            raise
        assert list(Path(folder).iterdir()) == []
        return
    assert [file.name for file in Path(folder).iterdir()] == ["result.skc"]
    np.testing.assert_array_equal(skcompare.load(path).scores, result.scores)


def is_saving_refusal(error):
    return "must be numbers, booleans or strings to be saved" in str(error) or "cannot be saved" in str(error)


SOUND = ["bayes", "tree", "dummy", "pipeline"]


@few(300)
@given(
    names=st.lists(st.sampled_from(SOUND * 4 + sorted(MODELS)), min_size=2, max_size=3, unique=True),
    target=st.sampled_from(["classes"] * 24 + sorted(TARGETS)),
    data=st.sampled_from(["an array"] * 12 + sorted(DATA)),
    scoring=st.sampled_from(["default"] * 12 + sorted(SCORING)),
    cv=st.sampled_from(["three"] * 12 + sorted(SPLITTERS)),
    groups=st.sampled_from(["none", "six", *sorted(GROUPS)]),
    error_score=st.sampled_from(["raise", np.nan, np.nan, 0.0]),
)
@example(["gives three dimensions", "bayes"], "classes", "an array", "default", "time", "none", np.nan)
def test_an_evaluation_is_sound_or_refused(names, target, data, scoring, cv, groups, error_score):
    evaluator = PairedEvaluator(cv=SPLITTERS[cv], scoring=SCORING[scoring], random_state=0, error_score=error_score)
    models = {name: MODELS[name] for name in names}
    with TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the models and of scikit-learn
        try:
            result = evaluator.evaluate(models, DATA[data], TARGETS[target], groups=GROUPS[groups])
        except Exception as error:
            refused_by_us(error)
            return
        is_sound(result, folder)


ANYTHING = st.sampled_from([None, 3, "x", [], {}, [1, 2], np.zeros(3), lambda: None, object])


@few(60)
@given(datasets=st.dictionaries(st.text(max_size=2) | st.integers(), ANYTHING, max_size=3) | ANYTHING)
def test_a_study_of_anything_is_refused(datasets):
    models = {"a": GaussianNB(), "b": DummyClassifier()}
    with pytest.raises(ValueError, match="datasets") as caught:
        PairedEvaluator(cv=2).evaluate_datasets(models, datasets)
    assert is_ours(caught.value)


# ---- saved files ----------------------------------------------------------------------------------------------


def table(models=("a", "b"), **columns):
    scores = np.random.default_rng(0).uniform(size=4 * len(models))
    return {"model": np.repeat(models, 4), "fold": [0, 1, 2, 3] * len(models), "score": scores, **columns}


def evaluation(cv="2x2", **options):
    models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2, random_state=0)}
    return PairedEvaluator(cv, ["accuracy", "roc_auc"], random_state=0, **options).evaluate(models, X, Y)


SAVED = {
    "an evaluation": evaluation,
    "a table": lambda: from_frame(table(n_train=[18] * 8, n_test=[6] * 8)),
    "a study": lambda: StudyResult.from_results({"d": evaluation(), "e": evaluation()}),
    "a study from a table": lambda: StudyResult.from_frame(
        {"dataset": ["d", "e", "f"], "a": [1, 2, 4], "b": [2, 1, 1]}
    ),
    "a stopped evaluation": lambda: evaluation(cv="10x2", stop=StopRule()),
    "a calibration": lambda: calibrate(5, {"a": GaussianNB(), "b": GaussianNB(var_smoothing=0.1)}, X, Y, n_datasets=19),
}


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """The members of saved files, by kind."""
    members = {}
    for kind, make in SAVED.items():
        path = tmp_path_factory.mktemp("saved") / "result.skc"
        make().save(path)
        members[kind] = members_of(path)
    return members


ODD = [
    None,
    True,
    False,
    0,
    1,
    -1,
    2,
    3,
    2**31,
    2**63,
    2**64,
    10**400,
    0.5,
    1e308,
    -0.0,
    float("nan"),
    float("inf"),
    "",
    "x",
    "a",
    "bayes",
    "accuracy",
    "\x00",
    "\x1b[2J",
    "\ud800",
    "../x",
    "=1+1",
    [],
    {},
    [[]],
    [None],
    [0],
    ["a", "b"],
    {"a": 1},
    ["a"] * 5,
    [0.5] * 4,
    [1] * 4,
    [-1] * 4,
    [10**400] * 4,
    {"random_state": 10**30},
]


def places(node):
    """Every container of a header with the keys that it has."""
    if isinstance(node, dict):
        found = [(node, key) for key in node]
    elif isinstance(node, list):
        found = [(node, i) for i in range(len(node))]
    else:
        return []
    return found + [place for node, key in found for place in places(node[key])]


def change_header(members, rng):
    try:
        header = json.loads(members[HEADER])
    except (KeyError, ValueError):  # an earlier change
        return members
    for _ in range(rng.randint(1, 2)):
        found = places(header)
        if not found:
            break
        node, key = found[rng.randint(0, len(found) - 1)]
        if isinstance(node, dict) and rng.random() < 0.25:
            del node[key]
        else:
            node[key] = copy.deepcopy(rng.choice(ODD))
    return {**members, HEADER: json.dumps(header).encode()}


def remove_member(members, rng):
    gone = rng.choice(sorted(members))
    return {name: content for name, content in members.items() if name != gone} or {HEADER: b""}


def swap_members(members, rng):
    a, b = rng.choice(sorted(members)), rng.choice(sorted(members))
    return {**members, a: members[b], b: members[a]}


def add_member(members, rng):
    name = rng.choice(["x.npy", "../x.npy", "0.x.npy", "9.scores.npy", "x.pkl", "y.npy", "a\x1b.npy"])
    return {**members, name: rng.choice([b"", b"x", *members.values()])}


def flip_bytes(members, rng):
    name = rng.choice(sorted(members))
    content = bytearray(members[name] or b"x")
    for _ in range(rng.randint(1, 3)):
        content[rng.randint(0, len(content) - 1)] = rng.randint(0, 255)
    return {**members, name: bytes(content)}


CHANGES = (change_header, change_header, change_header, remove_member, swap_members, add_member, flip_bytes)


def loads_or_is_refused(path):
    try:
        loaded = skcompare.load(path)
    except ValueError as error:
        refused_by_us(error)
        if not str(error).isprintable():
            raise
        return
    try:
        summary = "" if isinstance(loaded, Calibration) else loaded.summary()
    except ValueError as error:  # scores that no procedure takes
        if not re.match("a and b|scores", str(error)):
            refused_by_us(error)
        return
    assert all(char.isprintable() or char == "\n" for char in summary)
    assert repr(loaded).isprintable()
    with TemporaryDirectory() as folder:
        loaded.save(Path(folder) / "again.skc")


@few(250)
@given(seed=st.integers(0, 2**32 - 1), kind=st.sampled_from(sorted(SAVED)))
def test_a_changed_file_is_loaded_or_refused(saved, seed, kind):
    rng = random.Random(seed)
    members = saved[kind]
    for _ in range(rng.randint(1, 2)):
        members = rng.choice(CHANGES)(members, rng)
    if rng.random() < 0.75:  # by someone who knows how the digest is made
        members = signed(members)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "changed.skc"
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in members.items():
                archive.writestr(name, content)
        content = path.read_bytes()
        if rng.random() < 0.25:
            content = content[: rng.randint(0, len(content))]
        path.write_bytes(content)
        loads_or_is_refused(path)
        assert path.read_bytes() == content
        assert [file.name for file in Path(folder).iterdir()] == ["changed.skc"]


# ---- tables ---------------------------------------------------------------------------------------------------

CELLS = st.sampled_from(
    [
        "0",
        "1",
        "2",
        "0.5",
        "-1",
        "1e308",
        "1e400",
        str(10**400),
        "nan",
        "inf",
        "",
        " ",
        "a",
        "b",
        "c",
        "True",
        "None",
        "1,2",
        "=1+1",
        '"',
        '"a',
        '"a\nb"',
        "\x00",
        "\x1b[2J",
        "\u202e",
        "ä",
        "\ufeff",
        "2020-01-01",
        "1_000",
        "0x10",
        "1.5e",
        "x" * 300,
    ]
)
COLUMNS = st.sampled_from(
    ["model", "estimator", "fold", "score", "metric", "repeat", "n_train", "n_test", "dataset", "x", "y", "", "y"]
)


@st.composite
def csv_text(draw, whole):
    """A table with some cells, column names, separators or bytes changed."""
    lines = [line.split(",") for line in whole.splitlines()]
    for _ in range(draw(st.integers(0, 3))):
        line = lines[draw(st.integers(0, len(lines) - 1))]
        if line:
            cells = COLUMNS if line is lines[0] and draw(st.booleans()) else CELLS
            line[draw(st.integers(0, len(line) - 1))] = draw(cells)
    at = draw(st.integers(0, len(lines) - 1))
    match draw(st.sampled_from(["as it is"] * 4 + ["empty", "long", "gone", "twice"])):
        case "empty":
            lines[at] = []
        case "long":
            lines[at].append("1")
        case "gone":
            del lines[at]
        case "twice":
            lines.append(lines[at])
    separator = draw(st.sampled_from([","] * 8 + [";", "\t"]))
    content = "\n".join(separator.join(line) for line in lines).encode("utf-8", "surrogatepass")
    cut = draw(st.sampled_from([None] * 6 + [0, 5, 20]))
    return draw(st.sampled_from([b""] * 8 + [b"\xff\xfe", b"\x1f\x8b\x08", b"PK\x03\x04"])) + content[:cut]


SCORES = pd.DataFrame(table()).to_csv(index=False, lineterminator="\n")
ROWS = "x,z,y\n" + "".join(f"{i / 7:.3f},{'abc'[i % 3]},{'no' if i % 2 else 'yes'}\n" for i in range(12))
DUMMIES = (
    "--model",
    "a=sklearn.dummy:DummyClassifier",
    "--model",
    "b=sklearn.tree:DecisionTreeClassifier(max_depth=1)",
)


def runs_or_is_refused(arguments, out, run):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        status, said, err = run(*arguments, "--out", out)
    assert status in (0, 2)
    assert all(char.isprintable() or char == "\n" for char in said + err)
    if status == 2:
        assert said == ""
        assert err.splitlines()[-1].startswith("skcompare: error: ")
    assert all(line.startswith("skcompare: ") for line in err.splitlines())
    left = sorted(path.name for path in out.parent.iterdir())
    if status == 2 and "cannot test these scores" not in err:
        assert left == ["data.csv"]
    else:
        assert left == ["data.csv", "out.skc"]
        skcompare.load(out)


def in_folder(content, arguments, run):
    with TemporaryDirectory() as folder:
        path = Path(folder) / "data.csv"
        path.write_bytes(content)
        runs_or_is_refused([word if word != "FILE" else path for word in arguments], path.with_name("out.skc"), run)


FIXTURES = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]


@settings(suppress_health_check=FIXTURES)
@given(content=csv_text(SCORES) | st.binary(max_size=50))
def test_a_table_of_scores_is_analysed_or_refused(content, run):
    in_folder(content, ["analyze", "FILE"], run)


@settings(suppress_health_check=FIXTURES)
@given(content=csv_text(ROWS) | st.binary(max_size=50))
def test_a_table_of_data_is_compared_or_refused(content, run):
    arguments = ["compare", "--data", "FILE", "--target", "y", "--cv", "2", *DUMMIES]
    in_folder(content, arguments, run)


@few(100)
@given(
    columns=st.dictionaries(
        COLUMNS,
        st.lists(st.sampled_from(["a", "b", 0, 1, 0.5, None, np.nan, np.inf, 10**400, "", "\n", 1j, [1]]), max_size=4),
    )
)
def test_any_mapping_of_columns_is_read_or_refused(columns):
    for read in (from_frame, StudyResult.from_frame):
        try:
            found = read(columns)
        except Exception as error:
            refused_by_us(error)
        else:
            assert found.scores.size


# ---- every public function --------------------------------------------------------------------------------------

CALLED, CALLED_ONES = {}, targets()
for one in [*CALLED_ONES, *commands()]:
    CALLED.setdefault(one.group, []).append(one)
CORPUS = [
    line for line in Path(fuzz.__file__).with_name("corpus.txt").read_text().splitlines() if line and line[0] != "#"
]


@pytest.mark.parametrize("line", CORPUS)
def test_what_was_found_once_is_answered_or_refused(line):
    assert judged(line) in ("answer", "refused")


# Random arguments are refused: merge takes results alone, read columns that are there, the other folds of each repeat
# beside scores and losses.
SELDOM = ("skcompare.merge", "skcompare.read", "inference.stability_t_test", "calibration.calibrate")


@pytest.mark.sampled
@pytest.mark.parametrize("group", [name for name in CALLED if name not in SELDOM])
def test_every_target_is_reached_by_a_call_that_is_answered(group, global_random_seed):
    tries = (one.call(global_random_seed + i, odd=False) for i in range(60) for one in CALLED[group])
    assert any(judged(text) == "answer" for text in tries)


def test_all_that_is_public_is_called_or_said_why_not():
    called, public = {one.function for one in CALLED_ONES}, [skcompare, *MODULES.values()]
    functions = {f"{part.__name__}.{name}": getattr(part, name) for part in public for name in part.__all__}
    missing = [name for name, one in functions.items() if isfunction(one) and one not in called]
    assert {name.removeprefix("skcompare.") for name in missing} <= {
        name.removeprefix("skcompare.") for name in LEFT_OUT
    }
    results = {type(one) for one in namespace().values()}
    assert {one for one in functions.values() if hasattr(one, "plot") and hasattr(one, "summary")} <= results


def test_a_name_without_a_generator_is_spoken_of():
    with pytest.raises(LookupError, match="no generator for an argument called 'quux'"):
        argument("quux", object, [], Call(random.Random(0)))
