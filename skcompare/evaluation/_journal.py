"""What the worker processes of this machine are doing now, for the process that waits for them."""

from __future__ import annotations

import os
import shutil
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from io import FileIO
from pathlib import Path
from time import monotonic, sleep
from typing import Any, NamedTuple

from joblib.externals.loky import reusable_executor

_ENTRY = struct.Struct("<qqd")
_IDLE = -1
_LOOK = 0.5  # seconds between two looks at the parent


class Running(NamedTuple):
    """A fit in progress: where, which, and for how many seconds."""

    pid: int
    split: int
    estimator: int
    seconds: float


class Journal:
    """A folder with a file per worker process, which says what that process is fitting and since when."""

    latest = ""  # the folder of the journal that this process wrote last

    def __init__(self, folder: str, parent: int | None = None) -> None:
        self._folder = folder
        self._parent = os.getpid() if parent is None else parent
        self._file: FileIO | None = None

    def __reduce__(self) -> tuple[type[Journal], tuple[str, int]]:
        return Journal, (self._folder, self._parent)

    def start(self, split: int, estimator: int) -> None:
        """Say that this process starts a fit."""
        if self._file is None:
            Journal.latest = self._folder
            end_with_parent(self._parent)
            self._file = FileIO(Path(self._folder) / str(os.getpid()), "w")
        self._write(split, estimator)

    def stop(self) -> None:
        """Say that this process does nothing."""
        if self._file is not None:
            self._write(_IDLE, _IDLE)
            self._file.close()
            self._file = None

    def _write(self, split: int, estimator: int) -> None:
        assert self._file is not None
        self._file.seek(0)
        self._file.write(_ENTRY.pack(split, estimator, monotonic()))

    def running(self) -> Iterator[Running]:
        """The fits in progress."""
        with suppress(OSError):  # the folder was removed
            for path in Path(self._folder).iterdir():
                content = path.read_bytes()
                if len(content) == _ENTRY.size:
                    split, estimator, since = _ENTRY.unpack(content)
                    if split != _IDLE:
                        yield Running(int(path.name), split, estimator, monotonic() - since)

    def is_gone(self) -> bool:
        """Whether someone removed the folder."""
        return not Path(self._folder).is_dir()


def workers_of_joblib() -> list[int]:
    """The process numbers of the workers that joblib has for this process; none where there are none yet."""
    executor = getattr(reusable_executor, "_executor", None)
    return list(getattr(executor, "_processes", None) or ())


@cache
def end_with_parent(parent: int) -> None:
    """End this process soon after its parent; joblib's workers may wait for ever for one that was killed."""
    if os.name == "nt" or os.getpid() == parent:
        return  # on Windows a process keeps the number of its parent

    def watch() -> None:
        while os.getppid() == parent:
            sleep(_LOOK)
        if Journal.latest:
            shutil.rmtree(Path(Journal.latest).parent, ignore_errors=True)
        os._exit(1)

    threading.Thread(target=watch, name="end_with_parent", daemon=True).start()


@contextmanager
def watched_from_the_start(parallel: Any) -> Iterator[None]:
    """Let joblib's workers watch this process from their start, not from their first task.

    joblib has an argument for this, but it would start new workers at every change between this and other work.
    """
    backend = getattr(parallel, "_backend", None)
    if backend is None:
        yield
        return
    configure = backend.configure

    def configure_and_watch(*args: Any, **kwargs: Any) -> Any:
        n_jobs = configure(*args, **kwargs)
        executor = backend._workers
        if getattr(executor, "_initializer", False) is None:
            executor._initializer, executor._initargs = end_with_parent, (os.getpid(),)
        return n_jobs

    backend.configure = configure_and_watch
    try:
        yield
    finally:
        vars(backend).pop("configure", None)
