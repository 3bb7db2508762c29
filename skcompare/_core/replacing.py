"""One way to write a file: whole, or not at all."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def replaced(target: Path) -> Iterator[BinaryIO]:
    """A new file to write to, which takes the place of `target` at the end and is gone after an error.

    It has a name that nobody can know, so that nothing planted is followed and threads do not meet. It gets the
    permissions of the file that it replaces, else those of any new file, and is on the disk before it takes its place.

    Raises
    ------
    OSError
        If the file cannot be written, or one that is there may not be.
    """
    mode = check_replaceable(target)
    partial = target.with_name(f"{target.name[:200]}.{secrets.token_hex(8)}.part")
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(partial, flags, 0o666 if mode is None else mode)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            partial.chmod(mode)  # the umask took some of them
        partial.replace(target)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def check_replaceable(target: Path) -> int | None:
    """The permissions of a file that is there, None where there is none; PermissionError where it is read-only.

    A folder that can be written to lets a file in it be replaced whatever its permissions are.
    """
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        return None
    if not mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH) or not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, "it is read-only; make it writable, or give another name", str(target))
    return mode & (stat.S_IRWXU | stat.S_IRWXG | stat.S_IRWXO)
