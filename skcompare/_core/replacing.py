"""One way to write a file: whole, or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def replaced(target: Path) -> Iterator[BinaryIO]:
    """A new file to write to, which takes the place of `target` at the end and is gone after an error.

    It has a name that nobody can know, so that nothing planted is followed and threads do not meet; it gets the
    permissions of any new file, and is on the disk before it takes its place.
    """
    partial = target.with_name(f"{target.name[:200]}.{secrets.token_hex(8)}.part")
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(partial, flags, 0o666)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        partial.replace(target)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
