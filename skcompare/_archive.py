"""Saved results: a zip of one JSON header and plain arrays. Nothing in it can run code."""

from __future__ import annotations

import json
import os
import zipfile
import zlib
from collections.abc import Mapping
from io import BytesIO
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy_format

HEADER = "result.json"
MAX_HEADER_BYTES = 64 * 2**20
MAX_ARRAY_BYTES = 16 * 2**30
# deflate cannot make more than this of one byte, so that a small file cannot claim a large array
MAX_EXPANSION = 1032
# what zipfile, zlib and json raise on bytes that are not theirs
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    KeyError,
    EOFError,
    NotImplementedError,  # an unknown compression or zip version
    RuntimeError,  # an encrypted member; nested too deeply
    OverflowError,
    MemoryError,
    ValueError,
)
_EPOCH = (1980, 1, 1, 0, 0, 0)


def write_archive(path: str | os.PathLike[str], header: Mapping[str, Any], arrays: Mapping[str, Any]) -> None:
    """Write `header` as JSON and each array as ``.npy`` into a zip; a file there is replaced whole or not."""
    target = Path(path).resolve()
    if target.exists() and not target.is_file():
        raise OSError(f"path must be a file; {os.fspath(path)!r} is a directory or device")
    partial = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            text = json.dumps(header, indent=1, allow_nan=True)
            archive.writestr(zipfile.ZipInfo(HEADER, _EPOCH), text, zipfile.ZIP_DEFLATED)
            for name, array in arrays.items():
                with archive.open(zipfile.ZipInfo(f"{name}.npy", _EPOCH), "w", force_zip64=True) as member:
                    buffer = BytesIO()
                    np.save(buffer, np.ascontiguousarray(array), allow_pickle=False)
                    member.write(buffer.getbuffer())
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


def read_archive(path: str | os.PathLike[str]) -> tuple[dict[str, Any], dict[str, np.ndarray[Any, Any]]]:
    """Read what `write_archive` wrote.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If the file is not such an archive; sizes are checked before anything is allocated.
    """
    refusal = f"path must be a file saved by skcompare; {os.fspath(path)!r} is not"
    try:
        with zipfile.ZipFile(path) as archive:
            header = json.loads(_read(archive, HEADER, MAX_HEADER_BYTES))
            names = [name for name in archive.namelist() if name.endswith(".npy")]
            arrays = {name.removesuffix(".npy"): _read_array(archive, name) for name in names}
    except _DAMAGE as error:
        raise ValueError(f"{refusal}: {error}") from error
    if not isinstance(header, dict):
        raise ValueError(f"{refusal}: its header is no JSON object")
    return header, arrays


def _read(archive: zipfile.ZipFile, name: str, limit: int) -> bytes:
    _check_claim(archive, name, limit)
    with archive.open(name) as member:
        return member.read(limit + 1)


def _check_claim(archive: zipfile.ZipFile, name: str, limit: int) -> int:
    """The bytes a member claims; ValueError where it cannot hold them, or is compressed by a method unknown here."""
    member = archive.getinfo(name)
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError(f"{name} is compressed by another method than deflate")
    limit = min(limit, MAX_EXPANSION * Path(str(archive.filename)).stat().st_size)
    if member.file_size > limit:
        raise ValueError(f"{name} claims {member.file_size} bytes; at most {limit} are possible")
    return member.file_size


def _read_array(archive: zipfile.ZipFile, name: str) -> np.ndarray[Any, Any]:
    """One array, after its own header has been compared with the size of the member that holds it."""
    claimed = _check_claim(archive, name, MAX_ARRAY_BYTES)
    with archive.open(name) as member:
        try:
            version = npy_format.read_magic(member)
            read_header = npy_format.read_array_header_1_0 if version == (1, 0) else npy_format.read_array_header_2_0
            shape, _, dtype = read_header(member)
            n_bytes = prod(shape) * dtype.itemsize
            plain = dtype.kind in "biufU" and dtype.itemsize > 0 and min(shape, default=0) >= 0
            if not plain or n_bytes + member.tell() != claimed:
                raise ValueError("its header does not fit its content")
        except Exception as error:  # numpy lets through what the parser of Python literals raises
            raise ValueError(f"{name} is not a plain array: {error}") from error
    with archive.open(name) as member:
        return np.asarray(npy_format.read_array(member, allow_pickle=False))
