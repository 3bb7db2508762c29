"""Tables and paragraphs in a terminal: as wide as it is, whatever the names."""

from __future__ import annotations

import numpy as np
import pytest

import skcompare as skc


@pytest.mark.parametrize("n", [2, 3, 5])
@pytest.mark.parametrize("letters", [60, 140, 333])
def test_no_view_is_wider_than_its_width_and_long_names_stay_whole(n, letters, rng):
    begin = "".join(rng.choice([*"abcdefgh-_"], letters))
    names = [f"{begin}{end}" for end in "uvwxyz"[:n]]
    table = {"model": np.repeat(names, 10), "fold": [*range(10)] * n, "score": rng.random(10 * n).round(3)}
    result = skc.from_frame(table)
    for view in (str(result), result.summary(), str(result.explain()), str(result.compare()), str(result.test())):
        assert max(map(len, view.splitlines())) <= 80
    page = result.to_html()
    assert all(name in page for name in names)  # which has them whole
