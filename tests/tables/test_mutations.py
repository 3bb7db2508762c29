"""Tables written down in many ways: the answer is that of the plain table, or none. A silent misreading is a defect."""

from __future__ import annotations

import os

import numpy as np
import pytest

import skcompare as skc
from tests.tables.mutations import as_text, expected, found, kind_of, mutated

N, PER_TEST = 2_000 if os.environ.get("SKCOMPARE_FULL") == "1" else 800, 50


@pytest.mark.sampled
@pytest.mark.parametrize("part", range(N // PER_TEST))
@pytest.mark.filterwarnings("ignore")
def test_a_changed_table_says_what_the_plain_one_says_or_is_refused(part, global_random_seed, tmp_path):
    n_read = 0
    for i in range(PER_TEST):
        rng = np.random.default_rng([global_random_seed, part, i])
        drawn = mutated(rng)
        source = drawn.frame
        if rng.random() < 0.6:
            text, end = as_text(drawn, rng)
            source = tmp_path / f"table{end}"
            source.write_text(text, encoding="utf-8")
        try:
            result = skc.read(source)
        except ValueError as refused:
            for _, options in getattr(refused, "calls", ()):
                skc.read(source, **options)
            continue
        told = f"{drawn.plain.kind}, {drawn.said}: {result.provenance['read_as']}"
        assert kind_of(result) == drawn.plain.kind, told
        assert found(result) == expected(drawn.plain), told
        n_read += 1
    assert n_read > PER_TEST / 2
