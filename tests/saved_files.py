"""Saved files that were changed by someone who knows how their digest is made, so that their form is checked."""

from __future__ import annotations

import io
import json
import zipfile
from contextlib import suppress

import numpy as np

from skcompare._core.archive import digest_of, read_archive, write_archive

HEADER = "result.json"


def members_of(path):
    """The content of each member of a saved file."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def signed(members):
    """The members with the digest that fits them, or as they are where they have none: they cannot be read."""
    with suppress(Exception):  # whatever numpy or json raise on what is no array or no header
        header = json.loads(members[HEADER])
        arrays = {
            name.removesuffix(".npy"): np.load(io.BytesIO(content), allow_pickle=False)
            for name, content in members.items()
            if name.endswith(".npy")
        }
        return {**members, HEADER: json.dumps({**header, "digest": digest_of(header, arrays)}).encode()}
    return members


def write(path, members, method=zipfile.ZIP_STORED):
    """Write members and their digest; gives the path."""
    with zipfile.ZipFile(path, "w", method, compresslevel=1) as archive:
        for name, content in signed(members).items():
            archive.writestr(name, content)
    return path


def with_header(path, change):
    """Change the header of a saved file in place by a function of it; gives the path."""
    kind, header, arrays = read_archive(path)
    change(header)
    write_archive(path, kind, header, arrays)
    return path


def with_content(path, change):
    """Change header and arrays of a saved file in place by a function of both; gives the path."""
    kind, header, arrays = read_archive(path)
    arrays = dict(arrays)
    change(header, arrays)
    write_archive(path, kind, header, arrays)
    return path
