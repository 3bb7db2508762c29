"""The machines of a cluster: whether each can import what a run needs, in the versions of this process.

A Dask scheduler or worker that cannot read what it is sent says so in its own log, and joblib waits for ever.
"""

from __future__ import annotations

import platform
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future, wait
from functools import partial
from importlib import import_module
from typing import Any

from skcompare._core.numbers import briefly
from skcompare._core.warnings import warn

Look = Callable[..., Any]

# what changes numbers where it differs, by the name it is imported under
_SAME = {"skcompare": "skcompare", "sklearn": "scikit-learn", "numpy": "numpy", "scipy": "scipy"}
_SCHEDULER = "the scheduler"
_PATIENCE = 60.0  # seconds: a machine that has just started imports scikit-learn first


def check_cluster(backend: Any, sent: Any) -> None:
    """Raise ValueError where a machine of a Dask or ray cluster cannot read what it will be sent.

    Parameters
    ----------
    backend : joblib backend
        Any; of other kinds nothing is asked.
    sent : object
        What the tasks are made of, models first. What comes from ``__main__`` travels with them and is needed nowhere.

    Warns
    -----
    UserWarning
        If the cluster does not answer within a minute; a busy one may still be sound.
    """
    kind = type(backend).__module__
    ask: Callable[[Look], dict[str, Any]]
    if kind == "joblib._dask":
        ask, pickling = partial(_ask_dask, backend.client), "cloudpickle"
        remedy = "install it on the scheduler and on all workers"
        sent_by = ("client.upload_file({!r})", "client.register_plugin(UploadDirectory(...)), to the workers alone")
    elif kind.startswith("ray."):
        ask, pickling = _ask_ray, "ray.cloudpickle"
        remedy = "install it on all nodes"
        sent_by = ("ray.init(runtime_env={{'py_modules': [{!r}]}})",) * 2
    else:
        return
    try:
        payload = import_module(pickling).dumps(sent)
    except Exception:  # the run will say why it cannot be sent
        return
    look = partial(_look(), payload)
    answers = _within(_PATIENCE, partial(ask, look))
    if answers is None:
        warn(
            f"the cluster has not said within {_PATIENCE:.0f} seconds whether its machines can import what the run "
            f"needs; the run goes on, and does not end where one cannot"
        )
        return
    _check_answers(answers, look()[1], remedy, sent_by)


def _check_answers(answers: Mapping[str, Any], here: Mapping[str, str], remedy: str, sent_by: tuple[str, str]) -> None:
    """Raise ValueError for what is missing or of another version, naming the module and the machines."""
    raised = {place: found for place, found in answers.items() if isinstance(found, BaseException)}
    if raised:
        told = briefly([f"{place} ({type(error).__name__}: {error})" for place, error in raised.items()])
        raise ValueError(
            f"the cluster must have the versions of Python and cloudpickle that are here; a function sent from here "
            f"cannot be run on {told}"
        )
    for package, version in here.items():
        there = {place: versions[package] for place, (_, versions) in answers.items() if package in versions}
        _check_same(_SAME[package], version, there)
    lacking: dict[str, dict[str, list[str]]] = {}
    for place, (missing, _) in answers.items():
        for module, why in missing.items():
            lacking.setdefault(module, {}).setdefault(why, []).append(place)
    for module, reasons in sorted(lacking.items()):
        told = "; ".join(f"{briefly(places)} cannot ({why})" for why, places in reasons.items())
        whole = import_module(module.partition(".")[0])
        is_package = hasattr(whole, "__path__")
        how = sent_by[is_package].format(next(iter(whole.__path__)) if is_package else str(whole.__file__))
        raise ValueError(
            f"the cluster must be able to import {module!r}, which the run needs; {told}: {remedy}, or send it with "
            f"{how}"
        )


def _check_same(name: str, here: str, there: Mapping[str, str]) -> None:
    others: dict[str, list[str]] = {}
    for place, version in there.items():
        if version != here:
            others.setdefault(version, []).append(place)
    if others:
        told = "; ".join(f"{version} is on {briefly(places)}" for version, places in others.items())
        raise ValueError(
            f"the cluster must have {name} {here}, the version that is here; {told}: install the same version "
            f"everywhere, since another one may give other numbers"
        )


def _within(seconds: float, ask: Callable[[], Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """What a call gives or raises; None where it takes longer."""
    answer = Future[Mapping[str, Any]]()

    def run() -> None:
        try:
            answer.set_result(ask())
        except Exception as error:
            answer.set_exception(error)

    threading.Thread(target=run, daemon=True).start()  # those of a pool would be waited for at the end
    done, _ = wait([answer], seconds)
    return answer.result() if done else None


def _ask_dask(client: Any, look: Look) -> dict[str, Any]:
    """What the scheduler and every worker answer; a worker that is lost meanwhile is Dask's to replace.

    Their Python is asked first: the code of a function cannot be run by another one.
    """
    known = client.get_versions()
    places = {_SCHEDULER: known["scheduler"], **{f"worker {name}": found for name, found in known["workers"].items()}}
    pythons = {place: _minor(found["packages"]["python"]) for place, found in places.items() if "packages" in found}
    _check_same("Python", _minor(platform.python_version()), pythons)
    try:
        answer = client.run_on_scheduler(look)
    except OSError:
        raise
    except Exception as error:
        answer = error
    if isinstance(answer, Exception) or answer[0]:  # the workers need not import anything first
        return {_SCHEDULER: answer}
    found = client.run(look, on_error="return")
    answers = {f"worker {name}": answer for name, answer in found.items() if not isinstance(answer, OSError)}
    return {_SCHEDULER: answer, **answers}


def _minor(version: str) -> str:
    return ".".join(version.split(".")[:2])


def _ask_ray(look: Look) -> dict[str, Any]:
    """What every node answers."""
    ray: Any = import_module("ray")
    on_node = import_module("ray.util.scheduling_strategies").NodeAffinitySchedulingStrategy
    task = ray.remote(lambda: look())
    nodes = [node for node in ray.nodes() if node["Alive"]]
    places = [on_node(node["NodeID"], soft=False) for node in nodes]
    answers = ray.get([task.options(num_cpus=0, scheduling_strategy=place).remote() for place in places])
    return {f"node {node['NodeManagerAddress']}": answer for node, answer in zip(nodes, answers, strict=True)}


def _look() -> Look:
    """The function that is run on every machine; it travels by value, since skcompare may not be there."""

    same = list(_SAME)

    def look(payload: bytes) -> tuple[dict[str, str], dict[str, str]]:
        import io
        import pickle
        import sys
        from importlib import import_module

        missing, versions = dict[str, str](), {}

        class Reader(pickle.Unpickler):
            def find_class(self, module: str, name: str) -> Any:
                try:
                    return super().find_class(module, name)
                except Exception as error:
                    lacks = error.name if isinstance(error, ImportError) else None
                    missing[lacks or module] = f"{type(error).__name__}: {error}"
                    raise

        try:
            Reader(io.BytesIO(payload)).load()
        except Exception as error:
            if not missing and isinstance(error, ImportError) and error.name:  # of a module that is an object itself
                missing[error.name] = f"{type(error).__name__}: {error}"
        for package in same:
            if package in sys.modules or not missing:
                try:
                    versions[package] = str(import_module(package).__version__)
                except Exception:
                    versions[package] = "none"
        return missing, versions

    return look
