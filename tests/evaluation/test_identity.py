"""What a model is: the same in every process, different from all others, refused where it cannot be told."""

from __future__ import annotations

import enum
import functools
import importlib
import itertools
import math
import os
import re
import subprocess
import sys
import textwrap
import threading
from collections import OrderedDict, namedtuple
from pathlib import Path

import joblib
import numpy as np
import pandas as pd
import pytest
import scipy
import sklearn
from scipy import stats
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.ensemble import VotingClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF, WhiteKernel
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, make_scorer, recall_score
from sklearn.model_selection import GridSearchCV, KFold, RandomizedSearchCV, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.tree import DecisionTreeClassifier

from skcompare.evaluation.foreign_code import installed_version, is_standard, released_version
from skcompare.evaluation.store.keys import data_digest, identify

Pair = namedtuple("Pair", "a b")


class Colour(enum.Enum):
    RED = 1
    GREEN = 2


class Plain:
    def __init__(self, **state):
        self.__dict__.update(state)


class Slotted:
    __slots__ = ("a",)

    def __init__(self):
        self.a = 1


class Pickled:
    def __getstate__(self):
        return {}


class Holder(ClassifierMixin, BaseEstimator):
    def __init__(self, inner=None):
        self.inner = inner


def double(x):
    return 2 * x


def digest(value, **options):
    return identify(value, "value", **options).digest


def fitted():
    return LogisticRegression().fit([[0.0], [1.0]], [0, 1])


# each makes a new object at every call; no two of them are the same thing
THINGS = {
    "none": lambda: None,
    "true": lambda: True,
    "one": lambda: 1,
    "one as a float": lambda: 1.0,
    "one of numpy": lambda: np.int64(1),
    "one of numpy as a float": lambda: np.float32(1),
    "text": lambda: "1",
    "bytes": lambda: b"1",
    "complex": lambda: 1 + 0j,
    "zero": lambda: 0.0,
    "minus zero": lambda: -0.0,
    "nan": lambda: math.nan,
    "inf": lambda: math.inf,
    "next float": lambda: math.nextafter(1.0, 2.0),
    "large integer": lambda: 10**5000,
    "surrogate": lambda: "\ud800",
    "array": lambda: np.arange(3),
    "array of floats": lambda: np.arange(3.0),
    "array in a row": lambda: np.arange(3)[None],
    "array of objects": lambda: np.array([0, 1, "2"], dtype=object),
    "dates": lambda: np.array(["2020-01-01"], dtype="M8[D]"),
    "list": lambda: [0, 1, 2],
    "tuple": lambda: (0, 1, 2),
    "nested": lambda: [[0, 1], 2],
    "set": lambda: {"a", "b", "c"},
    "frozen set": lambda: frozenset({"a", "b", "c"}),
    "dict": lambda: {"a": 1, "b": 2},
    "dict with other keys": lambda: {1: 1, "b": 2},
    "ordered": lambda: OrderedDict(a=1, b=2),
    "slice": lambda: slice(0, 3),
    "range": lambda: range(3),
    "named tuple": lambda: Pair(0, 1),
    "enum": lambda: Colour.RED,
    "other enum": lambda: Colour.GREEN,
    "class": lambda: np.float64,
    "dtype": lambda: np.dtype("float64"),
    "function": lambda: f1_score,
    "other function": lambda: recall_score,
    "own function": lambda: double,
    "ufunc": lambda: np.log1p,
    "ufunc of scipy": lambda: scipy.special.expit,
    "built-in": lambda: len,
    "method of a class": lambda: str.lower,
    "array function": lambda: np.mean,
    "partial": lambda: functools.partial(double, 1),
    "other partial": lambda: functools.partial(double, x=1),
    "random state": lambda: np.random.RandomState(0),
    "other random state": lambda: np.random.RandomState(1),
    "generator": lambda: np.random.default_rng(0),
    "generator of another kind": lambda: np.random.Generator(np.random.Philox(0)),
    "distribution": lambda: stats.loguniform(1e-3, 1),
    "other distribution": lambda: stats.loguniform(1e-3, 2),
    "distribution by name": lambda: stats.uniform(loc=0, scale=1),
    "distribution by place": lambda: stats.uniform(0, 1),
    "discrete distribution": lambda: stats.randint(1, 4),
    "scorer": lambda: make_scorer(f1_score, average="macro"),
    "other scorer": lambda: make_scorer(f1_score, average="micro"),
    "costs": lambda: make_scorer(f1_score, average="micro", greater_is_better=False),
    "splitter": lambda: KFold(3),
    "shuffled splitter": lambda: KFold(3, shuffle=True, random_state=0),
    "stratified splitter": lambda: StratifiedKFold(3),
    "selector": lambda: make_column_selector(dtype_include="number"),
    "plain": lambda: Plain(a=1),
    "other plain": lambda: Plain(a=2),
    "memory": lambda: joblib.Memory(location=None),
    "frame": lambda: pd.DataFrame({"a": [1, 2]}),
    "other frame": lambda: pd.DataFrame({"b": [1, 2]}),
    "series": lambda: pd.Series([1, 2]),
    "sparse": lambda: scipy.sparse.csr_matrix(np.eye(2)),
    "estimator": lambda: LogisticRegression(),
    "other parameter": lambda: LogisticRegression(C=2.0),
    "parameter of another type": lambda: LogisticRegression(C=1),
    "own estimator": lambda: Holder(),
    "estimator within": lambda: Holder(LogisticRegression()),
    "estimator further within": lambda: Holder(Holder(LogisticRegression(C=2.0))),
    "pipeline": lambda: make_pipeline(StandardScaler(), LogisticRegression()),
    "pipeline of another order": lambda: make_pipeline(LogisticRegression(), StandardScaler()),
    "output as frames": lambda: StandardScaler().set_output(transform="pandas"),
    "output as it is": lambda: StandardScaler(),
    "kernel": lambda: GaussianProcessClassifier(RBF(2.0) + WhiteKernel()),
    "other kernel": lambda: GaussianProcessClassifier(RBF(2.0) * WhiteKernel()),
    "search": lambda: GridSearchCV(LogisticRegression(), {"C": [1.0, 2.0]}, cv=KFold(3)),
    "search of another grid": lambda: GridSearchCV(LogisticRegression(), {"C": [1.0, 3.0]}, cv=KFold(3)),
    "random search": lambda: RandomizedSearchCV(LogisticRegression(), {"C": stats.loguniform(1e-3, 1)}),
    "vote": lambda: VotingClassifier([("a", GaussianNB()), ("b", DecisionTreeClassifier())]),
    "columns": lambda: ColumnTransformer([("a", StandardScaler(), [0, 1]), ("b", "passthrough", slice(2, 3))]),
}


@pytest.mark.parametrize("name", THINGS)
def test_a_thing_made_again_is_the_same(name):
    assert digest(THINGS[name]()) == digest(THINGS[name]())


def test_no_two_things_are_the_same():
    digests = {name: digest(make()) for name, make in THINGS.items()}
    for (a, first), (b, second) in itertools.combinations(digests.items(), 2):
        assert first != second, (a, b)


def test_identities_do_not_depend_on_the_process():
    code = """
        import importlib.util, sys
        spec = importlib.util.spec_from_file_location(sys.argv[2], sys.argv[1])
        sys.modules[sys.argv[2]] = tests = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(tests)
        print({name: tests.digest(make()).hex() for name, make in tests.THINGS.items()})
    """
    command = [sys.executable, "-c", textwrap.dedent(code), __file__, __name__]
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"  # another one than here
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    other = subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout
    own = {name: digest(make()).hex() for name, make in THINGS.items()}
    # pytest rewrites the assertions of this file, not those of the other process: there are none in what is compared
    assert other.strip() == str(own)


def test_a_fitted_estimator_is_its_parameters_where_it_is_cloned():
    assert digest(fitted()) == digest(LogisticRegression())
    assert digest(make_pipeline(StandardScaler(), fitted())) == digest(
        make_pipeline(StandardScaler(), LogisticRegression())
    )


def test_a_fitted_estimator_is_its_state_too_where_it_is_copied():
    """`clone` copies dicts and plain objects, and with them the fitted state of estimators inside."""
    assert digest(Holder({"a": fitted()})) != digest(Holder({"a": LogisticRegression()}))
    assert digest(Plain(a=fitted())) != digest(Plain(a=LogisticRegression()))
    assert digest(fitted(), complete=True) != digest(LogisticRegression(), complete=True)


def test_requests_of_metadata_count():
    with sklearn.config_context(enable_metadata_routing=True):
        asks = make_pipeline(StandardScaler(), LogisticRegression().set_fit_request(sample_weight=True))
        does_not = make_pipeline(StandardScaler(), LogisticRegression().set_fit_request(sample_weight=False))
        assert digest(asks) != digest(does_not)


def test_versions_of_the_packages_that_occur_are_told():
    assert identify(make_pipeline(StandardScaler()), "m").packages == {"scikit-learn": sklearn.__version__}
    assert identify({"f": np.mean, "m": GaussianNB()}, "m").packages == {
        "scikit-learn": sklearn.__version__,
        "numpy": np.__version__,
    }


def local_function(x):
    def inner():
        return x

    return inner


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (
            make_pipeline(FunctionTransformer(lambda x: x)),
            "functiontransformer__func is a function without an importable name (<lambda>)",
        ),
        (
            ColumnTransformer([("a", make_pipeline(FunctionTransformer(lambda x: x)), [0])]),
            "a__functiontransformer__func is a function without an importable name (<lambda>)",
        ),
        (Holder(local_function(1)), "inner is a function without an importable name (inner)"),
        (Holder([1, {"a": local_function(1)}]), "inner[1]['a'] is a function without an importable name (inner)"),
        (Holder(Plain(a=local_function(1))), "inner.a is a function without an importable name (inner)"),
        (type("Made", (Holder,), {})(), "it is a class without an importable name (Made)"),
        (FrozenEstimator(fitted()), "it is a FrozenEstimator, whose clones keep state"),
        (Holder(FrozenEstimator(fitted())), "inner is a FrozenEstimator, whose clones keep state"),
        (Holder([].append), "inner is a bound method (list.append)"),
        (Holder(GaussianNB().fit), "inner is a bound method (GaussianNB.fit)"),
        (Holder(np.random.default_rng(0).normal), "inner is a bound method (Generator.normal)"),
        (Holder(np.frompyfunc(double, 1, 1)), "inner is a ufunc that neither numpy nor scipy.special has"),
        (Holder(iter([1])), "inner is a list_iterator, whose state cannot be read"),
        (Holder(threading.Lock()), "inner is a lock, whose state cannot be read"),
        (Holder(Pickled()), "inner is a Pickled, whose state cannot be read"),
        (Holder(Slotted()), "inner is a Slotted, whose state is not all in its __dict__"),
        (Holder(re.compile("a")), "inner is a Pattern, whose state cannot be read"),
        (Holder(np.ma.array([1, 2])), "inner is a MaskedArray, whose state cannot be read"),
        (Holder(np.zeros(2, dtype=[("a", object)])), "inner is an array of dtype"),
        (Holder({"a": DecisionTreeClassifier().fit([[0], [1]], [0, 1])}), "inner['a'].tree_ is a Tree, whose state"),
        (Holder(stats.rv_histogram(([1, 2], [0, 1, 2]))()), "inner is a distribution that scipy.stats does not have"),
    ],
)
def test_what_cannot_be_identified_is_refused_with_its_place(value, problem):
    with pytest.raises(ValueError, match=re.escape(problem)) as refused:
        identify(value, "estimators['nb']")
    assert str(refused.value).startswith("estimators['nb'] must be something that a store can tell from others; ")


def test_cycles_are_refused():
    cycle = [1]
    cycle.append(cycle)
    with pytest.raises(ValueError, match=r"inner\[1\] is part of itself"):
        identify(Holder(cycle), "m")
    deep = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(ValueError, match=r"m must be something that .* nested too deep"):
        identify(deep, "m")


# code that may change under the same name


SOURCE = """
    import functools
    import numpy as np
    from sklearn.base import BaseEstimator
    from sklearn.naive_bayes import GaussianNB

    SHIFT = 1.0
    TABLE = np.arange(3)
    LOG = []

    def helper(x):
        return x + SHIFT + TABLE[0]

    def preprocess(x, scale=2):
        LOG.append(1)
        return helper(x) * scale

    @functools.wraps(preprocess)
    def wrapped(x):
        return preprocess(x)

    def decorate(function):
        @functools.wraps(function)
        def inner(x):
            return function(x)
        return inner

    @decorate
    def decorated(x):
        return [value for value in x if value in {"a", "b"}]

    class Kind(type(GaussianNB)):
        def fourth(cls, x):
            return x / 8

    class Base(GaussianNB, metaclass=Kind):
        def fit(self, X, y):
            return super().fit(preprocess(X), y)

    class Mine(Base):
        factor = 3

        @property
        def half(self):
            return self.factor / 2

        @staticmethod
        def third(x):
            return x / 3
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Import a source under one name, as a new session would."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def load(source):
        (tmp_path / "users_own_module.py").write_text(textwrap.dedent(source))
        sys.modules.pop("users_own_module", None)
        importlib.invalidate_caches()
        return importlib.import_module("users_own_module")

    yield load
    sys.modules.pop("users_own_module", None)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("return helper(x) * scale", "return helper(x) / scale"),
        ("scale=2", "scale=3"),
        ("SHIFT = 1.0", "SHIFT = 2.0"),
        ("np.arange(3)", "np.arange(4)"),
        ("return x + SHIFT", "return x - SHIFT"),
        ("factor = 3", "factor = 4"),
        ("self.factor / 2", "self.factor / 4"),
        ("return x / 3", "return x // 3"),
        ("return x / 8", "return x / 4"),
        ("super().fit(preprocess(X), y)", "super().fit(X, y)"),
        ("class Base(GaussianNB,", "class Base(BaseEstimator,"),
    ],
)
def test_a_change_of_the_users_code_is_another_model(module, old, new):
    assert old in SOURCE
    before = digest(module(SOURCE).Mine)
    assert digest(module(SOURCE).Mine) == before
    assert digest(module(SOURCE.replace(old, new)).Mine) != before


def test_a_change_behind_a_decorator_is_another_function(module):
    before = digest(module(SOURCE).decorated)
    assert digest(module(SOURCE).decorated) == before
    assert digest(module(SOURCE.replace('{"a", "b"}', '{"a", "c"}')).decorated) != before


def test_lines_comments_and_logs_are_no_change(module):
    before = digest(module(SOURCE).Mine)
    shifted = "\n\n# a comment\n" + textwrap.dedent(SOURCE).replace("LOG.append(1)", "LOG.append(1)  # more")
    changed = module(shifted)
    changed.LOG.append(2)
    assert digest(changed.Mine) == before


# values that the users' code reads, in a module of its own that `load` gives anew


VALUES = """
    import collections
    import types
    from dataclasses import dataclass, field
    import numpy as np
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeClassifier

    class Nested:
        def __init__(self):
            self.inner = {"a": [np.arange(3.0)]}

    class Slotted:
        __slots__ = ("values",)
        def __init__(self):
            self.values = np.arange(3.0)

    class Record(dict):
        def __missing__(self, key):
            return self.values

    @dataclass
    class Settings:
        values: list = field(default_factory=lambda: [1, 2])

    class Table:
        ROWS = np.arange(3.0)

    def closure(values):
        def inner():
            return values
        return inner

    def make_record(values):
        record = Record(a=1)
        record.values = values
        return record

    DATA = np.array([[0.0], [1.0]])
    KINDS = {
        "array": lambda: np.arange(3.0),
        "objects": lambda: np.array([1, "a"], dtype=object),
        "number": lambda: 1.0,
        "list": lambda: [1, 2],
        "dict": lambda: {"a": 1},
        "set": lambda: {1},
        "tuple": lambda: (np.arange(2),),
        "deque": lambda: collections.deque([1]),
        "counter": lambda: collections.Counter("ab"),
        "own dict": lambda: make_record([1, 2]),
        "namespace": lambda: types.SimpleNamespace(values=[1, 2]),
        "table with a default": lambda: collections.defaultdict(closure([1, 2])),
        "fitted": lambda: LogisticRegression().fit(DATA, [0, 1]),
        "scaler": lambda: StandardScaler().fit(DATA),
        "tree": lambda: DecisionTreeClassifier().fit(DATA, [0, 1]),
        "pipeline": lambda: make_pipeline(StandardScaler(), LogisticRegression()).fit(DATA, [0, 1]),
        "in a list": lambda: [{"m": LogisticRegression().fit(DATA, [0, 1])}],
        "nested": lambda: Nested(),
        "slotted": lambda: Slotted(),
        "settings": lambda: Settings(),
        "class": lambda: Table,
        "closure": lambda: closure([1, 2]),
        "generator": lambda: np.random.default_rng(0),
    }
    VALUE = KINDS[KIND]()
"""
# how each is changed in place; of a number there is only another one
CHANGES = {
    "array": lambda v: v.__setitem__(0, 9.0),
    "objects": lambda v: v.__setitem__(1, "b"),
    "number": None,
    "list": lambda v: v.append(3),
    "dict": lambda v: v.update(a=2),
    "set": lambda v: v.add(2),
    "tuple": lambda v: v[0].__setitem__(0, 9),
    "deque": lambda v: v.appendleft(0),
    "counter": lambda v: v.update("a"),
    "own dict": lambda v: v.values.append(3),
    "namespace": lambda v: v.values.append(3),
    "table with a default": lambda v: v.default_factory.__closure__[0].cell_contents.append(3),
    "fitted": lambda v: v.coef_.__setitem__(0, 9.0),
    "scaler": lambda v: v.mean_.__setitem__(0, 9.0),
    "tree": lambda v: v.fit([[0.0], [1.0]], [1, 0]),
    "pipeline": lambda v: v[0].mean_.__setitem__(0, 9.0),
    "in a list": lambda v: v[0]["m"].coef_.__setitem__(0, 9.0),
    "nested": lambda v: v.inner["a"][0].__setitem__(0, 9.0),
    "slotted": lambda v: v.values.__setitem__(0, 9.0),
    "settings": lambda v: v.values.append(3),
    "class": lambda v: v.ROWS.__setitem__(0, 9.0),
    "closure": lambda v: v.__closure__[0].cell_contents.append(3),
    "generator": lambda v: v.random(),
}
# how the model reads it
IMPORTED = "from users_values import VALUE\n"
FIT = "class M(GaussianNB):\n    def fit(self, X, y):\n        "
WAYS = {
    "directly": f"{IMPORTED}{FIT}use(VALUE)",
    "of the module": f"import users_values as uv\n{FIT}use(uv.VALUE)",
    "by its name": f"import users_values\n{FIT}getattr(users_values, 'VALUE')",
    "by a getter": f"import operator, users_values\nGET = operator.attrgetter('VALUE')\n{FIT}use(GET(users_values))",
    "by a renamed getter": f"import users_values as uv\nfrom operator import attrgetter as g\n{FIT}use(g('VALUE')(uv))",
    "by a renamed function": f"import users_values as uv\nask = getattr\n{FIT}use(ask(uv, 'VALUE'))",
    "in a helper": f"{IMPORTED}def helper(): return use(VALUE)\n{FIT}helper()",
    "imported in the method": f"{FIT}{IMPORTED}        use(VALUE)",
    "module imported in the method": f"{FIT}import users_values\n        use(users_values.VALUE)",
    "imported in a function inside": f"{FIT}def inner():\n            {IMPORTED}            use(VALUE)",
    "as a class attribute": f"{IMPORTED}{FIT}use(self.kept)\n    kept = VALUE",
    "in a function inside": f"{IMPORTED}{FIT}[use(VALUE) for _ in X]",
    "in a base class": f"{IMPORTED}{FIT.replace('class M', 'class B')}use(VALUE)\nclass M(B): pass",
    "as a default": f"{IMPORTED}{FIT.replace('y)', 'y, v=VALUE)')}use(v)",
    "beside items that are written": f"{IMPORTED}{FIT}found = {{}}; found[1] = use(VALUE); X[0] = 1",
    "beside an attribute of its name": f"{IMPORTED}{FIT}self.VALUE = VALUE",
    "and written": f"{IMPORTED}{FIT}VALUE.append(1); use(VALUE)",
    "as an index": f"{IMPORTED}N = {{}}\n{FIT}N[VALUE] += 1",
}


@pytest.fixture
def model_reading(module, tmp_path):
    """The module of a model that reads a value in some way, and the module that has the value."""

    def load(kind, way):
        values = textwrap.dedent(VALUES).replace("KINDS[KIND]", f"KINDS[{kind!r}]")
        (tmp_path / "users_values.py").write_text(values)
        sys.modules.pop("users_values", None)
        importlib.invalidate_caches()
        values = importlib.import_module("users_values")
        return module(f"from sklearn.naive_bayes import GaussianNB\ndef use(v): return v\n{WAYS[way]}\n"), values

    yield load
    sys.modules.pop("users_values", None)


@pytest.mark.sampled
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", CHANGES)
def test_a_value_that_code_reads_counts_or_is_refused(model_reading, kind, way):
    code, values = model_reading(kind, way)
    if kind in ("tree", "slotted"):  # whose state cannot be read
        with pytest.raises(ValueError, match=r"its code \(.*\) reads what cannot be told .* whose state"):
            digest(code.M())
        return
    before = digest(code.M())
    assert digest(code.M()) == before
    assert digest(model_reading(kind, way)[0].M()) == before  # made anew, as in another session
    code, values = model_reading(kind, way)
    if CHANGES[kind] is None:
        for owner, name in ((values, "VALUE"), (code, "VALUE"), (code.M, "kept")):
            if hasattr(owner, name):
                setattr(owner, name, 2.0)
        if way == "as a default":
            code.M.fit.__defaults__ = (2.0,)
    else:
        CHANGES[kind](values.VALUE)
    assert digest(code.M()) != before


def test_any_change_deep_inside_counts(module, rng):
    """Containers, objects and fitted models in each other, as they are drawn; one number in them is changed."""
    arrays = []

    def drawn(depth):
        if depth == 0 or rng.random() < 0.2:
            arrays.append(np.array(rng.normal(size=2)))
            return arrays[-1]
        parts = [drawn(depth - 1) for _ in range(rng.integers(1, 3))]
        fitted = StandardScaler()
        fitted.mean_, fitted.given_ = parts[0], parts
        return [parts, tuple(parts), dict(enumerate(parts)), Plain(parts=parts), fitted][rng.integers(5)]

    code = module(
        "from sklearn.naive_bayes import GaussianNB\nV = 0\nclass M(GaussianNB):\n    def fit(self, X, y): V.a"
    )
    for _ in range(20):
        arrays.clear()
        code.V = drawn(4)
        before = digest(code.M())
        chosen = arrays[rng.integers(len(arrays))]
        kept = chosen.copy()
        chosen[rng.integers(2)] += 1e-12
        assert digest(code.M()) != before
        chosen[:] = kept
        assert digest(code.M()) == before


LOGS = {
    "a counter": ("N = 0", "global N; N += 1", "N = 5"),
    "a list": ("N = []", "N.append(len(X))", "N = [5]"),
    "a set": ("N = set()", "N.add(len(X))", "N = {5}"),
    "a logger": ("import logging; N = logging.getLogger('a')", "N.info('fit')", "N = logging.getLogger('b')"),
    "a lock": ("import threading; N = threading.Lock()", "N.acquire(); N.release()", "N = threading.Lock()"),
}


@pytest.mark.parametrize("kind", LOGS)
def test_what_code_only_writes_to_does_not_count(module, kind):
    made, written, later = LOGS[kind]
    source = f"from sklearn.naive_bayes import GaussianNB\n{made}\n{FIT}{written}\n"
    code = module(source)
    before = digest(code.M())
    exec(later, vars(code))
    assert digest(code.M()) == before
    read = module(f"{source}    def predict(self, X): return N\n")
    if kind in ("a logger", "a lock"):
        return
    before = digest(read.M())
    exec(later, vars(read))
    assert digest(read.M()) != before


@pytest.mark.parametrize("written", ["N[len(X)] = 1", "N[1] += 1", "N[N[1]] = 1"])
def test_a_table_that_code_fills_counts(module, written):
    code = module(f"from sklearn.naive_bayes import GaussianNB\nN = {{1: 0}}\n{FIT}{written}\n")
    before = digest(code.M())
    code.N[1] = 5
    assert digest(code.M()) != before


UNSEEN = {
    "os.environ": "import os",
    "os.getenv": "import os",
    "open": "",
    "globals": "",
    "locals": "",
    "vars": "",
    "eval": "",
    "exec": "",
    "__import__": "",
    "importlib.import_module": "import importlib",
    "random.random": "import random",
    "numpy.random.normal": "import numpy",
    "numpy.load": "import numpy",
    "Path.read_text": "from pathlib import Path",
}


@pytest.mark.parametrize("what", UNSEEN)
def test_what_no_identity_can_hold_is_told_with_its_line(module, what):
    called = "Path('a').read_text" if what == "Path.read_text" else what
    source = (
        f"{UNSEEN[what]}\nfrom sklearn.naive_bayes import GaussianNB\n"
        f"def helper(X):\n    return [\n        {called} for _ in X]\n"
        "class M(GaussianNB):\n    def fit(self, X, y):\n        return helper(X)\n"
    )
    found = identify(module(source).M(), "m").unseen
    assert [told for told in found if not told.endswith(" importlib")] == [f"users_own_module.py:5 {what}"]
    assert identify(module(source.replace(called, "len")).M(), "m").unseen == ()


RELATIVE = [
    "from . import values; values.VALUE",
    "from .values import VALUE; VALUE",
    "import NAME.values as v; v.VALUE",
]


@pytest.mark.parametrize("number", range(len(RELATIVE)))
def test_a_value_of_the_same_package_counts(tmp_path, monkeypatch, number):
    name = f"own_package_{number}"
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").write_text("")
    (tmp_path / name / "values.py").write_text("VALUE = [1]\n")
    source = f"from sklearn.naive_bayes import GaussianNB\n{FIT}{RELATIVE[number].replace('NAME', name)}\n"
    (tmp_path / name / "model.py").write_text(source)
    model = importlib.import_module(f"{name}.model").M()
    before = digest(model)
    assert digest(model) == before
    importlib.import_module(f"{name}.values").VALUE.append(2)
    assert digest(model) != before


def test_a_package_that_a_function_imports_is_its_version_and_stays_unloaded(module, monkeypatch):
    """Loaded or not: the second run of a session finds what the first one stored."""
    monkeypatch.delitem(sys.modules, "sklearn.semi_supervised", raising=False)
    code = module(f"from sklearn.naive_bayes import GaussianNB\n{FIT}import sklearn.semi_supervised")
    before = identify(code.M(), "m")
    assert "sklearn.semi_supervised" not in sys.modules
    importlib.import_module("sklearn.semi_supervised")
    assert identify(code.M(), "m") == before


def test_code_without_a_version_is_told_from_releases():
    assert (
        released_version("sklearn.linear_model._logistic") == installed_version("scikit-learn") == sklearn.__version__
    )
    assert released_version(__name__) is None
    assert is_standard("json.decoder")
    assert is_standard("builtins")
    assert not is_standard("sklearn")
    assert not is_standard("__main__")


# data


def test_data_is_known_by_its_values(tmp_path):
    X = np.arange(12.0).reshape(4, 3)
    np.save(tmp_path / "X.npy", X)
    assert data_digest(np.load(tmp_path / "X.npy", mmap_mode="r"), "X") == data_digest(X.copy(), "X")
    for kind in (np.asarray, pd.DataFrame, scipy.sparse.csr_matrix, lambda a: a.tolist(), lambda a: a.astype(object)):
        changed = X.copy()
        changed[2, 1] += 1e-12
        assert data_digest(kind(X.copy()), "X") == data_digest(kind(X.copy()), "X")
        assert data_digest(kind(changed), "X") != data_digest(kind(X), "X")
    assert data_digest(["a", "b"], "X") != data_digest(["a", "c"], "X")


@pytest.mark.parametrize("data", [np.ma.array([1, 2]), iter([1]), Path(), "text", {"a": 1}, None])
def test_data_of_other_kinds_is_refused_by_name(data):
    with pytest.raises(ValueError, match=f"X must be an array, a frame.*got {type(data).__name__}$"):
        data_digest(data, "X")


def test_data_that_cannot_be_pickled_is_refused_by_name():
    with pytest.raises(ValueError, match="y must be data that can be pickled"):
        data_digest([threading.Lock()], "y")
