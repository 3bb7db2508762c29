"""The temporary folder of a run, which says whether its process lives, and the removal of those whose process died."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

try:
    import fcntl
except ImportError:  # Windows, where an open file cannot be removed either
    fcntl = None  # type: ignore[assignment]

PREFIX, OWNER = "skcompare-", "owner"
_SHARED_MEMORY = Path("/dev/shm")


class RunFolder:
    """A new folder with a file that is locked as long as this process lives; the system unlocks it at its death."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix=PREFIX))
        told = {"pid": os.getpid(), "processes": _namespace()}
        self._file, name = tempfile.mkstemp(dir=self.path)
        os.write(self._file, json.dumps(told).encode())
        if fcntl is not None:
            with suppress(OSError):  # a file system without locks: the folder then is left to its process
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                Path(name).replace(self.path / OWNER)  # there once it is locked, so that none without lock is found

    def is_gone(self) -> bool:
        """Whether someone removed it, or began to."""
        return not self.path.is_dir() or os.fstat(self._file).st_nlink == 0

    def remove(self) -> None:
        """Remove it with all that is in it."""
        with suppress(OSError):
            os.close(self._file)
        self._file = -1
        shutil.rmtree(self.path, ignore_errors=True)


def sweep() -> None:
    """Remove the folders of this user's runs whose process died, and what joblib left in shared memory for them."""
    if fcntl is None:
        return
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError, ValueError):
            _remove_if_dead(folder)


def _remove_if_dead(folder: Path) -> None:
    if not _is_mine(folder) or folder.is_symlink() or not folder.is_dir():
        return
    file = os.open(folder / OWNER, os.O_RDONLY | os.O_NOFOLLOW)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # OSError while its process lives
        told = json.loads(os.read(file, 1000))
        shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(file)
    if isinstance(told, dict) and told.get("processes") == _namespace() is not None:
        _remove_of(told.get("pid"))


def _remove_of(pid: Any) -> None:
    """What joblib names by the number of a process, which must not be in use again."""
    if type(pid) is not int or pid <= 0 or Path(f"/proc/{pid}").exists():
        return
    for root in {Path(tempfile.gettempdir()), _SHARED_MEMORY, Path(os.environ.get("JOBLIB_TEMP_FOLDER") or "/dev/shm")}:
        for path in [*root.glob(f"joblib_memmapping_folder_{pid}_*"), *root.glob(f"sem.loky-{pid}-*")]:
            if not _is_mine(path) or path.is_symlink():
                continue
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink()


def _is_mine(path: Path) -> bool:
    return path.lstat().st_uid == os.getuid()


def _namespace() -> int | None:
    """In which set of numbers this process has its own; another container has another; None where nobody can tell."""
    try:
        return Path("/proc/self/ns/pid").stat().st_ino
    except OSError:
        return None
