"""What a model, a scorer, a parameter or a data set is: the same text for the same thing, in every process."""

from __future__ import annotations

import enum
import functools
import json
import pickle
import platform
import sys
import types
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass
from hashlib import sha256
from typing import Any

import joblib
import numpy as np
import scipy
import sklearn
from scipy.stats.distributions import rv_frozen
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.metadata_routing import MetadataRequest

from skcompare.evaluation.chunks import EstimatorSpec, FitPlan
from skcompare.evaluation.foreign_code import distribution, is_standard, released_version
from skcompare.evaluation.input import feature_count, n_rows
from skcompare.evaluation.splits import Splits
from skcompare.evaluation.store.code import CodeIdentity, UnclearError
from skcompare.evaluation.store.file import KEYS
from skcompare.evaluation.store.store import Evaluation, StoredEstimator
from skcompare.evaluation.store.stored_fit import NEWER_COSTS

# What every fit depends on.


# that change what is printed or checked, not what is computed
_IRRELEVANT_CONFIG = {"print_changed_only", "display", "skip_parameter_validation"}


def environment() -> dict[str, str]:
    """The versions that every fit depends on."""
    libraries: dict[str, Any] = {"numpy": np, "scipy": scipy, "scikit-learn": sklearn}
    python = ".".join(platform.python_version_tuple()[:2])
    return {"python": python, **{name: one.__version__ for name, one in libraries.items()}}


def config() -> dict[str, str]:
    """The settings of scikit-learn that every fit depends on."""
    return {name: repr(value) for name, value in sorted(sklearn.get_config().items()) if name not in _IRRELEVANT_CONFIG}


# What a data set is: a digest of its values, and the version of the library that holds it.


def data_digest(data: Any, name: str) -> str:
    """A digest of an array, a frame, a sparse matrix or a list; a memory map equals the array that it maps.

    Raises
    ------
    ValueError
        If it is anything else, or holds what cannot be pickled.
    """
    if not (type(data) in (list, tuple, np.ndarray, np.memmap) or is_table(data)):
        kinds = "an array, a frame, a sparse matrix or a list"
        raise ValueError(f"{name} must be {kinds} for a store to know it again; got {type(data).__name__}")
    try:
        return str(joblib.hash(data, hash_name="sha1", coerce_mmap=True))
    except (pickle.PicklingError, TypeError, AttributeError, ValueError, RecursionError) as error:
        why = f"{type(error).__name__}: {error!s:.200}"
        raise ValueError(f"{name} must be data that can be pickled for a store to know it again; {why}") from error


def package_of(value: Any) -> dict[str, str]:
    """The version of the installed package that a value's class comes from."""
    module = type(value).__module__
    found = released_version(module)
    return {} if found is None else {distribution(module): found}


def is_table(value: Any) -> bool:
    """Whether it is a sparse matrix, or a frame or series of pandas or polars."""
    if scipy.sparse.issparse(value):
        return True
    libraries = [sys.modules[name] for name in ("pandas", "polars") if name in sys.modules]
    return any(isinstance(value, (library.DataFrame, library.Series)) for library in libraries)


_REMEDY = "give it as something that can be imported or compared by value, or run without a store"


@dataclass(frozen=True)
class Identity:
    """A canonical text, and the versions of the packages that it names.

    Attributes
    ----------
    text : str
        JSON; equal for equal things only.
    packages : mapping of str to str
        Versions by distribution.
    unseen : tuple of str
        Where code reads what the text cannot hold, such as files: file, line and what.
    """

    text: str
    packages: Mapping[str, str]
    unseen: tuple[str, ...] = ()

    @property
    def digest(self) -> bytes:
        """SHA-256 of text and versions."""
        return digest_of([self.text, sorted(self.packages.items())])


def identify(value: Any, what: str, *, complete: bool = False) -> Identity:
    """The identity of a value.

    Parameters
    ----------
    value : object
        None, numbers, texts, arrays, containers, estimators, classes and functions that can be imported, partials,
        random states, frozen distributions, and plain objects of those.
    what : str
        The argument it came as, for the message.
    complete : bool, default=False
        Whether the fitted state of an estimator counts too; of one that is to be cloned, its parameters say all.

    Raises
    ------
    ValueError
        If something in it cannot be distinguished from others, naming where it is.
    """
    encoder = _Encoder(complete=complete)
    try:
        tree = encoder.encode(value, "")
    except (UnclearError, RecursionError) as error:
        problem = f"{error}; {_REMEDY}" if isinstance(error, UnclearError) else "it is nested too deep"
        raise ValueError(f"{what} must be something that a store can tell from others; {problem}") from error
    return Identity(json.dumps(tree, separators=(",", ":")), encoder.packages, encoder.unseen)


def digest_of(tree: Any) -> bytes:
    """SHA-256 of plain JSON values."""
    return sha256(json.dumps(tree, separators=(",", ":")).encode()).digest()


class _Encoder:
    """One value as plain JSON; collects the packages it meets."""

    def __init__(self, *, complete: bool) -> None:
        self.packages: dict[str, str] = {}
        self._complete = complete
        self._in_code = False
        self._entered: set[int] = set()
        self._code = CodeIdentity(self._is_released, self._read)

    @property
    def unseen(self) -> tuple[str, ...]:
        """What is read without being part of the identity."""
        return tuple(dict.fromkeys(self._code.unseen))

    def _read(self, value: Any, path: str) -> Any:
        """What code reads, perhaps of itself: an estimator is there as it is, with its fitted state."""
        if id(value) in self._entered:
            return ["seen", type(value).__qualname__]
        with self._completely(_in_code=True):
            return self.encode(value, path)

    def encode(self, value: Any, path: str) -> Any:
        if value is None or type(value) is bool:
            return value
        scalar = _SCALARS.get(type(value))
        if scalar is not None:
            return scalar(value)
        if isinstance(value, np.generic):
            return ["numpy", str(value.dtype), value.tobytes().hex()]
        if isinstance(value, np.dtype):
            return ["dtype", str(value)]
        if id(value) in self._entered:
            raise UnclearError(path, "part of itself")
        self._entered.add(id(value))
        try:
            return self._compound(value, path)
        finally:
            self._entered.discard(id(value))

    def _compound(self, value: Any, path: str) -> Any:
        """A value that holds others: first those of one exact type, then by what they are like."""
        kind, name = type(value), type(value).__name__
        if kind in (list, tuple):
            return [name, [self.encode(v, p) for v, p in zip(value, _places(value, path), strict=True)]]
        if kind in (dict, OrderedDict):
            with self._completely():
                return [name, [[self.encode(k, path), self.encode(v, f"{path}[{k!r:.50}]")] for k, v in value.items()]]
        if kind in (set, frozenset):
            return [name, sorted((self.encode(item, path) for item in value), key=json.dumps)]
        if kind in (slice, range):
            return [name, [self.encode(v, path) for v in (value.start, value.stop, value.step)]]
        if kind in (np.ndarray, np.memmap):
            return self._array(value, path)
        if kind is functools.partial:
            with self._completely():
                return ["partial", [self.encode(part, path) for part in (value.func, value.args, value.keywords)]]
        if kind is np.random.RandomState:
            return [name, self.encode(value.get_state(legacy=False), path)]
        if kind is np.random.Generator:
            return [name, self.encode(value.bit_generator.state, path)]
        if isinstance(value, enum.Enum):
            return ["enum", self._importable(kind, path), value.name, self.encode(value.value, path)]
        if isinstance(value, np.ufunc):
            return self._ufunc(value, path)
        if isinstance(value, type):
            return self._importable(value, path)
        if _is_bound(value):
            raise UnclearError(path, f"a bound method ({value.__qualname__}), whose object may have any state")
        if _has_params(value):
            return self._estimator(value, path)
        if is_table(value):
            self._is_released(kind.__module__)
            return ["data", kind.__qualname__, data_digest(value, path)]
        if isinstance(value, rv_frozen):
            return self._frozen_distribution(value, path)
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return ["namedtuple", self._importable(kind, path), self.encode(tuple(value), path)]
        named = isinstance(getattr(value, "__qualname__", None), str)
        return self._importable(value, path) if named else self._plain_object(value, path)

    @contextmanager
    def _completely(self, **more: bool) -> Iterator[None]:
        """Where clone copies instead of cloning, so that an estimator keeps its fitted state."""
        before = {**vars(self)}
        vars(self).update(more, _complete=True)
        try:
            yield
        finally:
            vars(self).update(before)

    def _is_released(self, module: str) -> bool:
        """Whether a module's name and version stand for its code; the version is taken along."""
        if is_standard(module):
            return True
        found = released_version(module)
        if found is not None:
            self.packages[distribution(module)] = found
        return found is not None

    def _array(self, value: np.ndarray[Any, Any], path: str) -> Any:
        if value.dtype == object:
            with self._completely():
                items = [self.encode(v, f"{path}[{i}]") for i, v in enumerate(value.flat)]
            return ["objects", list(value.shape), items]
        if value.dtype.hasobject:
            raise UnclearError(path, f"an array of dtype {value.dtype}")
        dtype = str(np.lib.format.dtype_to_descr(value.dtype))
        return ["array", dtype, list(value.shape), sha256(value.tobytes()).hexdigest()]

    def _frozen_distribution(self, value: Any, path: str) -> Any:
        public: Any = vars(scipy.stats).get(value.dist.name)
        if type(public) is not type(value.dist):
            raise UnclearError(path, f"a distribution that scipy.stats does not have ({value.dist.name})")
        own_state = value.random_state is not check_random_state(None)
        parts = (value.args, value.kwds, value.dist.a, value.dist.b, value.random_state if own_state else None)
        return ["distribution", value.dist.name, [self.encode(part, path) for part in parts]]

    def _ufunc(self, value: Any, path: str) -> Any:
        name = value.__name__
        for module in (np, scipy.special):
            if value is vars(module).get(name):
                return ["name", f"{module.__name__}:{name}"]
        raise UnclearError(path, f"a ufunc that neither numpy nor scipy.special has ({name})")

    def _importable(self, value: Any, path: str) -> Any:
        """A class or function by its name, and by its code where no version stands for that."""
        kind = "class" if isinstance(value, type) else "function"
        name = str(value.__qualname__)
        owner = getattr(value, "__objclass__", None)
        module = str(getattr(value, "__module__", None) or getattr(owner, "__module__", ""))
        if _look_up(module, name) is not value:
            if self._in_code and isinstance(value, types.FunctionType):
                return ["code", self._code.digest(value)]
            raise UnclearError(path, f"a {kind} without an importable name ({name.rpartition('.')[2]})")
        if self._is_released(module):
            return ["name", f"{module}:{name}"]
        if not isinstance(value, (type, types.FunctionType)):
            raise UnclearError(path, f"a compiled {kind} of a module without a version ({module}.{name})")
        return ["name", f"{module}:{name}", self._code.digest(value)]

    def _estimator(self, value: Any, path: str) -> Any:
        cls = type(value)
        if getattr(cls, "__sklearn_clone__", None) not in (None, BaseEstimator.__sklearn_clone__):
            raise UnclearError(path, f"a {cls.__name__}, whose clones keep state that its parameters do not show")
        try:
            params = sorted(value.get_params(deep=False).items())
        except Exception as error:
            raise UnclearError(path, f"a {cls.__name__} whose get_params fails ({type(error).__name__})") from error
        kept = {name: part for name, part in getattr(value, "__dict__", {}).items() if name not in dict(params)}
        if not self._complete:
            kept = {name: part for name, part in kept.items() if name in _CLONED}
        return [
            "estimator",
            self._importable(cls, path),
            [[str(name), self.encode(part, f"{path}__{name}" if path else str(name))] for name, part in params],
            [[name, self.encode(part, f"{path}.{name}".lstrip("."))] for name, part in sorted(kept.items())],
        ]

    def _plain_object(self, value: Any, path: str) -> Any:
        """An object whose class can be imported and whose state is all in its ``__dict__``."""
        cls = type(value)
        if _is_slotted_record(value):
            items = [[one.name, self.encode(getattr(value, one.name), f"{path}.{one.name}")] for one in fields(value)]
            return ["record", self._importable(cls, path), items]
        own = [name for name in _STATE_METHODS if getattr(cls, name, None) is not getattr(object, name, None)]
        try:
            reduced: tuple[Any, ...] = () if own else value.__reduce_ex__(2)
        except TypeError:
            reduced = ()
        if len(reduced) != 5 or reduced[1] != (cls,) or reduced[3:] != (None, None):
            raise UnclearError(path, f"a {cls.__name__}, whose state cannot be read")
        state = {} if reduced[2] is None else reduced[2]
        if not isinstance(state, dict):
            raise UnclearError(path, f"a {cls.__name__}, whose state is not all in its __dict__")
        with self._completely():
            items = [[str(k), self.encode(v, f"{path}.{k}".lstrip("."))] for k, v in sorted(state.items())]
        return ["object", self._importable(cls, path), items]


def _is_slotted_record(value: Any) -> bool:
    """Whether a dataclass has its fields in slots and nothing else."""
    if not is_dataclass(value) or hasattr(value, "__dict__"):
        return False
    cls: Any = type(value)
    names = {one.name for one in fields(value)}
    slots = [vars(base).get("__slots__", ()) for base in cls.__mro__]
    return all(names.issuperset((slot,) if isinstance(slot, str) else slot) for slot in slots) and all(
        hasattr(value, name) for name in names
    )


def _places(values: Sequence[Any], path: str) -> list[str]:
    """Where the items of a sequence are; the steps of a pipeline have names."""
    if _is_step(values):
        return [path] * len(values)
    owner = path.rpartition("__")[0]
    prefix = f"{owner}__" if owner else ""
    return [f"{prefix}{v[0]}" if _is_step(v) else f"{path}[{i}]" for i, v in enumerate(values)]


def _is_step(value: Any) -> bool:
    return type(value) is tuple and 2 <= len(value) <= 3 and isinstance(value[0], str) and _has_params(value[1])


def _look_up(module: str, qualified_name: str) -> Any:
    found: Any = sys.modules.get(module)
    for part in qualified_name.split("."):
        found = getattr(found, part, None)
    return found


def _has_params(value: Any) -> bool:
    return not isinstance(value, type) and callable(getattr(value, "get_params", None))


def _is_bound(value: Any) -> bool:
    if isinstance(value, types.BuiltinFunctionType):
        return not isinstance(value.__self__, types.ModuleType | None)
    return isinstance(value, (types.MethodType, types.MethodWrapperType))


_CLONED = ("_sklearn_output_config", "_metadata_request")  # what clone keeps besides the parameters
_STATE_METHODS = ("__reduce__", "__reduce_ex__", "__getstate__", "__getnewargs__", "__getnewargs_ex__")
_SCALARS: dict[type, Callable[[Any], Any]] = {
    int: lambda value: ["int", hex(value)],
    float: lambda value: ["float", value.hex()],
    complex: lambda value: ["complex", value.real.hex(), value.imag.hex()],
    str: lambda value: ["str", value],
    bytes: lambda value: ["bytes", value.hex()],
    MetadataRequest: lambda value: ["requests", str(value)],
    joblib.Memory: lambda value: ["memory", str(value.location)],
}

# What the fits of a run are found by in a store.


def evaluation_of(X: Any, y: Any, plan: FitPlan, unseen: list[str]) -> Evaluation:
    """What every fit of this run depends on, besides its model and its split.

    `unseen` gets what the code of scorers reads that a store cannot hold.
    """
    # of scikit-learn's multi-metric one its scorers: how it meets errors does not change a score
    from_sklearn = type(plan.scorer).__module__.startswith("sklearn.")
    scorers = getattr(plan.scorer, "_scorers", plan.scorer) if from_sklearn else plan.scorer
    scorer = identify(scorers, "scoring", complete=True)
    params = identify(dict(plan.score_params), "params", complete=True)
    unseen.extend([*scorer.unseen, *params.unseen])
    context = {
        "format": KEYS,
        "X": data_digest(X, "X"),
        "y": data_digest(y, "y"),
        "model_size": "model_size" in plan.costs,
        **{cost: True for cost in NEWER_COSTS if cost in plan.costs},
        "scorer": sha256(scorer.text.encode()).hexdigest(),
        "score_params": sha256(params.text.encode()).hexdigest(),
        "config": config(),
        "versions": {**scorer.packages, **params.packages, **package_of(X), **package_of(y), **environment()},
    }
    text = json.dumps(context, sort_keys=True)
    return Evaluation(sha256(text.encode()).digest(), n_rows(X, "X"), feature_count(X), text)


def stored_estimators(run: Evaluation, specs: Sequence[EstimatorSpec], unseen: list[str]) -> list[StoredEstimator]:
    """The estimators as rows; equal ones are numbered, because their fits need not be equal.

    `unseen` gets what their code reads that a store cannot hold.
    """
    estimators = []
    copies: Counter[bytes] = Counter()
    for spec in specs:
        model = identify(spec.estimator, f"models[{spec.name!r}]")
        params = identify(dict(spec.fit_params), "params", complete=True)
        unseen.extend([*model.unseen, *params.unseen])
        own = digest_of([model.digest.hex(), params.digest.hex(), list(spec.seeded)])
        estimators.append(
            StoredEstimator(
                digest=digest_of([run.digest.hex(), own.hex(), copies[own]]),
                name=_sendable(spec.name),
                model_digest=model.digest,
                identity=model.text,
                packages=json.dumps({**model.packages, **params.packages}, sort_keys=True),
                description=_sendable(_described(spec.estimator)),
            )
        )
        copies[own] += 1
    return estimators


def _described(estimator: Any) -> str:
    """The estimator in words, for `skcompare store show`; no part of its identity."""
    try:
        text = repr(estimator)
    except Exception:
        text = type(estimator).__name__
    return " ".join(text.split())[:2000]


def _sendable(text: str) -> str:
    """Text without lone surrogates, which SQLite cannot hold."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def split_digests(splits: Splits) -> list[bytes]:
    """One digest per split, the same for the same train and test indices in another number of repeats."""
    start = sha256(splits.n_samples.to_bytes(8, "little"))
    digests = []
    for i in range(len(splits)):
        digest = start.copy()
        if splits.fold_ids is not None:
            repeat, fold = divmod(i, splits.n_folds)
            digest.update(b"test")
            digest.update(np.packbits(splits.fold_ids[repeat] == fold).data)
        else:
            for indices in splits[i]:
                digest.update(len(indices).to_bytes(8, "little"))
                digest.update(np.ascontiguousarray(indices, dtype="<u4" if splits.n_samples < 2**32 else "<u8").data)
        digests.append(digest.digest())
    return digests
