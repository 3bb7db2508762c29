"""Which code is known, by identity and never by name, to leave what it is given as it is.

scikit-learn's estimators and metrics do, which its common tests hold on read-only input. All other code, wherever it
is found among parameters, gets data of its own: nothing that it writes is seen by another model, scorer or split.
"""

from __future__ import annotations

import os
import random
import sys
import sysconfig
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from copy import copy, deepcopy
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import sklearn
from scipy.sparse import issparse
from sklearn import metrics as skm
from sklearn.base import BaseEstimator
from sklearn.dummy import DummyClassifier
from sklearn.preprocessing import FunctionTransformer

from skcompare._core.frames import IMMUTABLE, OnOwnCopies, own_copy

KNOWN_PACKAGES = frozenset({"sklearn", "numpy", "scipy", "builtins"})
_FUNCTIONS = ("sklearn.metrics", "sklearn.metrics.pairwise", "sklearn.feature_selection")
SCORER = type(skm.make_scorer(skm.accuracy_score))
_OWN_SCORE = type(skm.check_scoring(DummyClassifier()))  # which calls the model's own method


def is_column_selector(value: Any) -> bool:
    """Whether it is scikit-learn's, which was loaded then; loading it takes all linear models with it."""
    return type(value) is getattr(sys.modules.get("sklearn.compose"), "make_column_selector", None)


def leaves_input_unchanged(estimator: Any) -> bool:
    """Whether an estimator is known to leave its input as it is and to keep no reference to it after its own end.

    scikit-learn's estimators do, unless told not to copy, or given code that is not known.
    """
    return is_harmless(estimator) and not says_not_to_copy(estimator)


def says_not_to_copy(value: Any, name: str = "") -> bool:
    """Whether a parameter called copy is off in an estimator, or may be where one of several values is taken."""
    parts = value.get_params(deep=False) if isinstance(value, BaseEstimator) else value
    if isinstance(parts, Mapping):
        return any(map(says_not_to_copy, parts.values(), map(str, parts)))
    if isinstance(value, (list, tuple, set, frozenset)):
        return any(says_not_to_copy(item, name) for item in value)
    named = name.rpartition("__")[2].startswith("copy")
    if isinstance(value, np.ndarray):
        return named or (value.dtype.hasobject and any(says_not_to_copy(item, name) for item in value.flat))
    return named and not isinstance(value, str) and not value


def is_harmless(value: Any) -> bool:
    """Whether a value is plain, or an object of scikit-learn's, numpy's or scipy's with nothing else in it."""
    if isinstance(value, (*IMMUTABLE, np.generic, np.dtype, slice)) or issparse(value):
        return True
    if type(value) is np.ndarray:
        return not value.dtype.hasobject or all(map(is_harmless, value.flat))
    if type(value) in (list, tuple, set, frozenset):
        return all(map(is_harmless, value))
    if type(value) is dict:
        return all(is_harmless(item) for pair in value.items() for item in pair)
    if isinstance(value, type) or not _is_of_package(type(value)):
        return is_harmless_function(value) or (isinstance(value, type) and _is_of_package(value))
    if type(value) in (SCORER, FunctionTransformer):
        return _calls_known_function(value)
    if hasattr(value, "get_params"):
        return all(map(is_harmless, value.get_params(deep=False).values()))
    return not callable(value) or is_column_selector(value) or is_harmless_function(value)


def is_harmless_function(function: Any) -> bool:
    """Whether it is a metric or a score of features of scikit-learn's, a metric of ours, or a ufunc."""
    if not isinstance(getattr(function, "__name__", None), str):
        return False
    places = ("numpy", "scipy.special") if isinstance(function, np.ufunc) else _FUNCTIONS
    return _is_ours(function) or any(_stands_in(function, place) for place in places)


def guarded(scorer: Any) -> Any | None:
    """A scorer that leaves the model, X and y as they are; None of one of which that is not known.

    One of scikit-learn's reads X by the model's own methods, and hands copies to a function that is not known.
    """
    if type(scorer) is not SCORER:
        ours = type(scorer) if not hasattr(scorer, "__qualname__") else scorer
        return scorer if type(scorer) is _OWN_SCORE or (_is_ours(ours) and callable(scorer)) else None
    if _calls_known_function(scorer):
        return scorer
    made = copy(scorer)
    made._score_func = OnOwnCopies(scorer._score_func)
    return made


def _calls_known_function(value: Any) -> bool:
    """Whether the functions of a scorer or transformer are known, with the options that they are given."""
    if type(value) is SCORER:
        return is_harmless_function(value._score_func) and is_harmless(value._kwargs)
    functions, options = (value.func, value.inverse_func), (value.kw_args, value.inv_kw_args)
    return not any(options) and all(function is None or is_harmless_function(function) for function in functions)


def _is_of_package(kind: type) -> bool:
    """Whether a class is the one that its module, of a known package, has under its name."""
    return kind.__module__.partition(".")[0] in KNOWN_PACKAGES and _stands_in(kind, kind.__module__)


def _is_ours(value: Any) -> bool:
    module = str(getattr(value, "__module__", ""))
    return module.startswith("skcompare.") and _stands_in(value, module)


def _stands_in(value: Any, module: str) -> bool:
    return vars(sys.modules[module]).get(value.__name__) is value if module in sys.modules else False


# The scorers of a plan, called on a fitted model so that none sees what another one wrote.


_MULTIMETRIC = type(skm.check_scoring(scoring={"accuracy": skm.make_scorer(skm.accuracy_score)}))
Data = tuple[tuple[Any, ...], Mapping[str, Any]]  # X and y, or X alone, and the parameters of scorers


class CalledScorers:
    """Known scorers together, so that they share predictions; each other one alone, on data of its own.

    Parameters
    ----------
    scorer : callable
        Of a user, or scikit-learn's of several metrics.

    raises : bool, optional
        Whether a failure passes; by default as the scorer has it.

    Attributes
    ----------
    several : bool
        Whether it is a scorer of several metrics.
    unknown : bool
        Whether one of them may change the model, or what it is given.
    """

    def __init__(self, scorer: Any, *, raises: bool | None = None) -> None:
        self.several = type(scorer) is _MULTIMETRIC
        self._raises = not self.several or bool(scorer._raise_exc if raises is None else raises)
        scorers: Mapping[str, Any] = scorer._scorers if self.several else {"": scorer}
        self._names = tuple(scorers)
        found = {name: guarded(one) for name, one in scorers.items()}
        self._known = {name: one for name, one in found.items() if one is not None}
        self._others = {name: one for name, one in scorers.items() if found[name] is None}
        self.unknown = bool(self._others)

    def __call__(
        self, model: Any, fresh: Callable[[], Data], *, given: Data | None, unchanged: bool, keeps_model: bool = False
    ) -> Any:
        """What the scorers give: scores by name of several metrics.

        Parameters
        ----------
        model : estimator
            Fitted.
        fresh : callable
            Makes the data anew.
        given : Data or None
            Data that are there already, and of which nobody else will see what an unknown scorer writes into them.
        unchanged : bool
            Whether the model is known to leave its input as it is.
        keeps_model : bool, default=False
            Whether the model is needed as it is afterwards.
        """
        turns = [*self._turns(model, together=unchanged)]
        scored: dict[str, Any] = {}
        for i, scorers in enumerate(turns):
            data, params = fresh() if given is None else given
            known = next(iter(scorers)) in self._known
            given = given if unchanged and known else None
            lent = model if known or (i + 1 == len(turns) and not keeps_model) else _copied(model)
            if not self.several:
                return scorers[""](lent, *data, **params)
            scored |= self._together(scorers, lent, data, params)
        return {name: scored[name] for name in self._names}

    def _turns(self, model: Any, *, together: bool) -> Iterator[Mapping[str, Any]]:
        """The known scorers that read the same, by one method where the model may write into X; then the others.

        What scikit-learn's scorer of several metrics takes of a model it takes once, for one positive class.
        """
        groups: dict[Any, dict[str, Any]] = {}
        for name, scorer in self._known.items():
            method = getattr(scorer, "_response_method", name)
            read = _positive_class(scorer, model) if method != "predict" else None
            groups.setdefault((read, together or str(method)), {})[name] = scorer
        yield from groups.values()
        for name, scorer in self._others.items():
            yield {name: scorer}

    def _together(
        self, scorers: Mapping[str, Any], model: Any, data: tuple[Any, ...], params: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Scores by name, with tracebacks in place of those that failed if failures are to be recorded.

        Where the model lacks what one of them needs scikit-learn's scorer fails as a whole; each is then called alone.
        """
        together = _MULTIMETRIC(scorers=dict(scorers), raise_exc=self._raises)
        if params and len(scorers) < len(self._names) and sklearn.get_config()["enable_metadata_routing"]:
            wanted = together.get_metadata_routing().consumes("score", params.keys())
            params = {name: value for name, value in params.items() if name in wanted}
        try:
            return dict(together(model, *data, **params))
        except Exception:
            if self._raises or len(scorers) == 1:
                raise
        alone = (self._together({name: scorer}, model, data, params) for name, scorer in scorers.items())
        return {name: score for one in alone for name, score in one.items()}


def _positive_class(scorer: Any, model: Any) -> Any:
    """That of which a scorer reads the scores: the one that it or its function names, else the model's last class."""
    named, classes = scorer._get_pos_label() if type(scorer) is SCORER else None, getattr(model, "classes_", None)
    return classes[-1] if named is None and isinstance(classes, np.ndarray) and classes.ndim == 1 else named


def called(scorer: Any, model: Any, *data: Any, **params: Any) -> Any:
    """What one scorer gives, which changes nothing of what it is given."""
    known = guarded(scorer)
    if known is not None:
        return known(model, *data, **params)
    return scorer(_copied(model), *map(own_copy, data), **own_copy(params))


def _copied(model: Any) -> Any:
    """A copy of a fitted model; itself where it cannot be copied."""
    try:
        return deepcopy(model)
    except Exception:
        return model


@contextmanager
def settings_kept(seed: int | None = None) -> Iterator[None]:
    """What code sets of scikit-learn's configuration and numpy's errors ends with it.

    In the main thread so does what all threads share: the filters of warnings, the environment and the folder. With a
    seed it draws its own numbers from the global random states, which are then put back.
    """
    main = threading.current_thread() is threading.main_thread()
    draws = nullcontext() if seed is None else Draws(seed)
    with sklearn.config_context(), np.errstate(), _process_kept() if main else nullcontext(), draws:
        yield


class Draws:
    """Draws from the global random states with a seed; all threads share these, so that one draws at a time."""

    _lock = threading.RLock()
    owner: int | None = None  # the thread that draws

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def __enter__(self) -> None:
        self._lock.acquire()
        self._before = Draws.owner, random.getstate(), np.random.get_state()  # noqa: NPY002
        Draws.owner = threading.get_ident()
        random.seed(self._seed)
        np.random.seed(self._seed)  # noqa: NPY002

    def __exit__(self, *_: object) -> None:
        Draws.owner, of_python, of_numpy = self._before
        random.setstate(of_python)
        np.random.set_state(of_numpy)  # noqa: NPY002
        self._lock.release()


@contextmanager
def _process_kept() -> Iterator[None]:
    """Unchanged filters are left as they are: Python would forget which warnings it has shown."""
    filters, environment, folder = [*warnings.filters], dict(os.environ), ""
    with suppress(OSError):  # it is gone
        folder = os.getcwd()  # noqa: PTH109
    try:
        yield
    finally:
        if [*warnings.filters] != filters:
            warnings.resetwarnings()
            warnings.filters[:] = filters  # type: ignore[index]
        if dict(os.environ) != environment:
            os.environ.clear()
            os.environ.update(environment)
        with suppress(OSError):
            os.chdir(folder)


# Which code is a release with a version, and which may change from run to run under the same name.


_SITES = {"site-packages", "dist-packages"}


def distribution(module_name: str) -> str:
    """The name under which the top-level package of a module is installed."""
    top = module_name.partition(".")[0]
    return "scikit-learn" if top == "sklearn" else top


@cache
def installed_version(name: str) -> str | None:
    """The version of an installed distribution; None where there is none of this name."""
    try:
        return version(name)
    except (PackageNotFoundError, ValueError):
        return None


def released_version(module_name: str) -> str | None:
    """The version of the installed package a module belongs to; None for code that is not installed.

    A package that is installed in editable mode counts as not installed: its code changes without its version.
    """
    module = sys.modules.get(module_name)
    file = _found_file(module_name) if module is None else getattr(module, "__file__", None)
    if file is None or _SITES.isdisjoint(Path(file).parts):
        return None
    name = distribution(module_name)
    return installed_version(name) or getattr(sys.modules.get(name), "__version__", None)


def _found_file(module_name: str) -> str | None:
    """The file of a module that is not imported yet."""
    with suppress(ImportError, AttributeError, ValueError):
        found = find_spec(module_name)
        return None if found is None or not found.has_location else found.origin
    return None


def is_standard(module_name: str) -> bool:
    """Whether a module comes with Python."""
    if module_name.partition(".")[0] not in sys.stdlib_module_names:
        return False
    file = Path(getattr(sys.modules.get(module_name), "__file__", None) or sysconfig.get_path("stdlib"))
    return _SITES.isdisjoint(file.parts) and file.is_relative_to(sysconfig.get_path("stdlib"))
