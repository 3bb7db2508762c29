"""Saved results: a zip of one JSON header and plain arrays. Nothing in it can run code."""

from __future__ import annotations

import errno
import json
import os
import secrets
import stat
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from hashlib import sha256
from io import BufferedReader, FileIO
from math import prod
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.lib import format as npy_format

from skcompare._core.text import one_line
from skcompare._core.validation import came, check_name
from skcompare._core.version import __version__

# One way to write a file: whole, or not at all.


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


def check_regular(path: Path, option: str) -> None:
    """ValueError where a path is there and no file: a pipe would be waited for, a device may have no end."""
    if path.exists() and not path.is_file():
        what = "directory" if path.is_dir() else "pipe or device: copy what it gives into a file first"
        raise ValueError(f"{option} must be a file; {path} is a {what}")


def check_replaceable(target: Path) -> int | None:
    """The permissions of a file that is there, None where there is none; PermissionError where it is read-only.

    A folder that can be written to lets a file in it be replaced whatever its permissions are.
    """
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        target.parent.stat()  # of a folder that lacks too the error names that, not a file that the user never gave
        return None
    if not mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH) or not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, "it is read-only; make it writable, or give another name", str(target))
    return mode & (stat.S_IRWXU | stat.S_IRWXG | stat.S_IRWXO)


HEADER = "result.json"
FORMAT = 3
MAX_HEADER_BYTES = 32 * 2**20
MAX_ARRAY_BYTES = 16 * 2**30
# deflate cannot make more than this of one byte
MAX_EXPANSION = 1032
# what a file may grow to in memory: this much, or this many times its size
FREE_BYTES = 256 * 2**20
FREE_EXPANSION = 64
FREE_HEADER_BYTES = 4 * 2**20
# zipfile reads the list of members at once; it may take this much, or this share of the file
MAX_LIST_BYTES = 32 * 2**20
LIST_SHARE = 8
# what zipfile, zlib and json raise on bytes that are not theirs; NotImplementedError of an unknown compression or
# version, RuntimeError of an encrypted member or of what is nested too deeply
_OF_ZIP = (zipfile.BadZipFile, zlib.error, KeyError, EOFError, NotImplementedError, RuntimeError)
_EPOCH = (1980, 1, 1, 0, 0, 0)


def write_archive(path: str | os.PathLike[str], kind: str, head: Mapping[str, Any], arrays: Mapping[str, Any]) -> None:
    """Write `head` as JSON and each array as ``.npy`` into a zip; a file there is replaced whole or not.

    Records in the header are written as mappings, arrays in it as lists.
    """
    target = as_path(path).resolve()
    told = {"format": FORMAT, "skcompare": __version__, "kind": kind, **head}
    plain = json.loads(json.dumps(told, default=_plain))
    text = json.dumps({**plain, "digest": digest_of(plain, arrays)}, indent=1)
    if len(text) > MAX_HEADER_BYTES:
        raise ValueError(f"what is saved must be described in {MAX_HEADER_BYTES} bytes; this takes {len(text)}")
    with replaced(target) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr(zipfile.ZipInfo(HEADER, _EPOCH), text, zipfile.ZIP_DEFLATED)
        for name, array in arrays.items():
            with archive.open(zipfile.ZipInfo(f"{name}.npy", _EPOCH), "w", force_zip64=True) as member:
                np.save(member, np.ascontiguousarray(array), allow_pickle=False)


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, np.ndarray):
        return value.tolist()
    raise TypeError(f"what is saved must be plain values; got {value!r:.80}")


def digest_of(header: Mapping[str, Any], arrays: Mapping[str, Any]) -> str:
    """SHA-256 of a header without its digest, and of arrays, whatever their order: it tells that a file was changed."""
    told = {name: value for name, value in header.items() if name != "digest"}
    digest = sha256(json.dumps(told, sort_keys=True).encode())
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
        digest.update(array.data)
    return digest.hexdigest()


def read_archive(path: str | os.PathLike[str]) -> tuple[Any, dict[str, Any], dict[str, np.ndarray[Any, Any]]]:
    """Read what `write_archive` wrote: kind, header and arrays.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If the file is not such an archive, of another format, or was changed after it was saved; sizes are checked
        before anything is allocated.
    """
    source = as_path(path)
    name = os.fspath(path)
    refusal = f"path must be a file saved by skcompare; {name!r} is not"
    try:
        with _BoundedFile(source) as file, zipfile.ZipFile(file) as archive:
            _check_members(archive, file.n_bytes)
            header = json.loads(_read_header(archive, file.n_bytes), object_pairs_hook=_each_once)
            found = header.get("format") if isinstance(header, dict) else None
            known = type(found) is int and found == FORMAT
            members = [member for member in archive.namelist() if known and member.endswith(".npy")]
            arrays = {member.removesuffix(".npy"): _read_array(archive, member) for member in members}
        complete = known and header.pop("digest", None) == digest_of(header, arrays)
    except (*_OF_ZIP, OverflowError, MemoryError, ValueError) as error:
        more = "; skcompare.read reads tables and logs" if isinstance(error, zipfile.BadZipFile) else ""
        raise ValueError(f"{refusal}: {one_line(str(error))}{more}") from error
    if not isinstance(header, dict):
        raise ValueError(f"{refusal}: its header is no JSON object")
    writer = header.pop("skcompare", "0.1.0" if found == 1 else "")  # the first format did not say who wrote it
    if not known:
        has = f"was saved by skcompare {writer!s:.20} in" if writer else "has"
        raise ValueError(one_line(f"path must be a file of format {FORMAT}; {name!r} {has} format {found!r:.80}"))
    if not complete:
        raise ValueError(f"path must be a file as it was saved; {name!r} was changed since: its digest does not fit")
    header.pop("format")
    return header.pop("kind", None), header, arrays


def as_path(path: Any) -> Path:
    """The path of a file that is there or can be made."""
    try:
        found = Path(path)
    except TypeError as error:
        raise TypeError(f"path must be a path; got {came(path)}") from error
    if found.exists() and not found.is_file():
        raise OSError(f"path must be a file; {os.fspath(path)!r} is a directory or device")
    return found


class _BoundedFile(BufferedReader):
    """A file that refuses to be read in large pieces: zipfile reads the list of members at once, however long."""

    def __init__(self, path: Path) -> None:
        super().__init__(FileIO(os.fspath(path)))
        self.n_bytes = path.stat().st_size
        self._most = max(MAX_LIST_BYTES, self.n_bytes // LIST_SHARE)

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > self._most:
            raise ValueError(f"its list of members takes {size} bytes; at most {self._most} are possible")
        return super().read(size)


def _check_members(archive: zipfile.ZipFile, n_bytes: int) -> None:
    """ValueError where a member has an odd name or method, occurs twice, or all of them claim too much together."""
    names = [check_name(name, "its members") for name in archive.namelist()]
    if len(set(names)) != len(names):
        raise ValueError("it holds two members of one name")
    limit = min(MAX_ARRAY_BYTES, MAX_EXPANSION * n_bytes)
    for member in archive.infolist():
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise ValueError(f"{member.filename} is compressed by another method than deflate")
        if not 0 <= member.header_offset < n_bytes:
            raise ValueError(f"{member.filename} is said to lie outside the file")
        if member.file_size > limit:
            raise ValueError(f"{member.filename} claims {member.file_size} bytes; at most {limit} are possible")
    claimed, most = sum(member.file_size for member in archive.infolist()), max(FREE_BYTES, FREE_EXPANSION * n_bytes)
    if claimed > most:
        raise ValueError(f"its members claim {claimed} bytes together; at most {most} are possible")


def _read_header(archive: zipfile.ZipFile, n_bytes: int) -> bytes:
    claimed = archive.getinfo(HEADER).file_size
    limit = min(MAX_HEADER_BYTES, max(FREE_HEADER_BYTES, FREE_EXPANSION * n_bytes))
    if claimed > limit:
        raise ValueError(f"{HEADER} claims {claimed} bytes; at most {limit} are possible")
    with archive.open(HEADER) as member:
        return member.read(claimed)


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; two readers could take another one of two entries of a name."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"its header has {name!r:.80} twice")
        found[name] = value
    return found


def _read_array(archive: zipfile.ZipFile, name: str) -> np.ndarray[Any, Any]:
    """One array, after its own header has been compared with the size of the member that holds it."""
    claimed = archive.getinfo(name).file_size
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
