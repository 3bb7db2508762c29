"""The laws that every procedure and its record obey, whatever they are about, and what their tests share."""

from __future__ import annotations

import copy
import dataclasses
import os
import pickle
import re

import numpy as np
import pytest

FULL = os.environ.get("SKCOMPARE_FULL") == "1"
ALTERNATIVES = ("two-sided", "greater", "less")
MIRRORED = {"two-sided": "two-sided", "greater": "less", "less": "greater"}
PLAIN = (bool, int, float, str, tuple, type(None), np.ndarray)


def codes(record):
    """Of the warnings of a record."""
    return [warning.code for warning in record.warnings]


def contents(value):
    """What a record holds, in dictionaries and lists that numpy compares; fields that do not count are left out."""
    if dataclasses.is_dataclass(value):
        return {one.name: contents(getattr(value, one.name)) for one in dataclasses.fields(value) if one.compare}
    return [contents(part) for part in value] if isinstance(value, (tuple, list)) else value


def assert_same_contents(actual, expected):
    """Two records agree, exactly."""
    assert type(actual) is type(expected)
    np.testing.assert_equal(contents(actual), contents(expected))


def assert_lawful(run, *given, **options):
    """No input and no global random state is touched, numbers count whatever holds them, and the record is a value."""
    arrays = [np.array(one) for one in given]
    state = np.random.get_state()  # noqa: NPY002
    for array in arrays:
        array.flags.writeable = False
    record = run(*arrays, **options)
    if "rng" in options:
        run(*arrays, **{**options, "rng": None})
    np.testing.assert_equal(np.random.get_state(), state)  # noqa: NPY002
    for array, before in zip(arrays, given, strict=True):
        np.testing.assert_array_equal(array, before)
    assert_same_contents(run(*(array.tolist() for array in arrays), **options), record)
    single = [array.astype(np.float32) if array.dtype.kind == "f" else array for array in arrays]
    double = [array.astype(np.float64) if array.dtype.kind == "f" else array for array in single]
    assert_same_contents(run(*single, **options), run(*double, **options))
    assert_value(record)
    return record


def assert_value(record):
    """A record is frozen and slotted, holds plain values, is the same after pickling, and its warnings are coded."""
    for again in (pickle.loads(pickle.dumps(record)), copy.deepcopy(record)):
        assert_same_contents(again, record)
        assert str(again) == str(record)
    assert not hasattr(record, "__dict__")
    for field in dataclasses.fields(record):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(record, field.name, None)
        if field.compare:
            value = getattr(record, field.name)
            assert type(value) in PLAIN or dataclasses.is_dataclass(value), field.name
    assert all(re.fullmatch(r"[A-Z]+(_[A-Z]+)*: \S.*\.", warning) for warning in record.warnings)
