"""Tables of scores that are asked about, and what the calls of such a refusal read."""

from __future__ import annotations

import pytest

import skcompare as skc

SETS = [f"set{x}" for x in "abcdefgh"]


def scores(rng, *shape):
    return (0.6 + 0.3 * rng.random(shape)).round(4)


def asked(table, said, **options):
    """The results of all calls of a refusal."""
    with pytest.raises(ValueError, match=said) as refused:
        skc.read(table, **options)
    assert refused.value.calls
    return [skc.read(table, **{**options, **of}) for _, of in refused.value.calls]
