"""Tables that say one thing in two ways are read as they are in the other one."""

import numpy as np
import pytest

import skcompare as skc
from skcompare.tables import columns


# ---- what a table of many texts costs ------------------------------------------------------------------------------


@pytest.mark.parametrize("forms", [("wide", 2), ("tidy", 1)])
@pytest.mark.parametrize("names", [("name", "other"), ("text", "comment_text")])
def test_the_names_that_are_looked_at_do_not_grow_with_the_rows_of_texts(rng, forms, names):
    form, n_scores = forms
    words = [f"word{i}" for i in range(500)]

    def looked_at(n):
        texts = {name: [" ".join(rng.choice(words, 16)) for _ in range(n)] for name in names}
        scores = {f"svm{i}": rng.random(n) for i in range(n_scores)}
        columns.plain.cache_clear()
        with pytest.raises(ValueError, match="'other'|'comment_text'"):
            skc.read({**texts, **({"model": ["svm", "tree"] * (n // 2)} if form == "tidy" else {}), **scores})
        return columns.plain.cache_info().misses

    assert looked_at(2400) < looked_at(1200) + 200
