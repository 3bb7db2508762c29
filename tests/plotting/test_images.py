"""A few pictures against stored ones, without their words, whose shapes differ between fonts.

``python tests/plotting/test_images.py`` draws them anew. They show what was looked at and found right; that the
numbers in them are right is tested elsewhere.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.testing.compare import compare_images

from skcompare import StudyResult, from_frame

pytestmark = pytest.mark.sampled

STORED = Path(__file__).parent / "pictures"
# Root mean square of the differences of grey levels, of 255: versions of matplotlib smooth lines differently.
TOLERANCE = 6.0
KINDS = ("differences", "posterior", "quadrants", "pareto", "critical_difference")


def draw(kind, path, shift=0.0):
    """A picture of fixed scores as a file, with every word left out."""
    case = np.arange(12)
    level = {"a": 0.84 + shift, "b": 0.835, "c": 0.80, "d": 0.795}
    scores = {
        (name, metric): base + 0.04 * np.sin(case * (2 + m)) + 0.02 * np.cos(3.1 * case * (m + 1) + 5 * i)
        for m, metric in enumerate(("accuracy", "recall"))
        for i, (name, base) in enumerate(level.items())
    }
    table = {
        "model": np.repeat([name for name, _ in scores], 12),
        "metric": np.repeat([metric for _, metric in scores], 12),
        "score": np.concatenate(list(scores.values())),
    }
    if kind == "critical_difference":
        result = StudyResult.from_frame({**table, "dataset": np.tile([f"set {i}" for i in case], len(scores))})
    else:
        result = from_frame({**table, "fold": np.tile(case, len(scores))})
    figure = Figure(figsize=(5, 4))
    ax = figure.add_axes((0.15, 0.15, 0.7, 0.7))
    result.plot(kind, ax=ax, **({"margin": 0.01} if kind in ("differences", "posterior") else {}))
    for text in figure.findobj(lambda artist: hasattr(artist, "set_text")):
        text.set_alpha(0)
    figure.savefig(path, dpi=60)


@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_is_as_it_was_found_right(kind, tmp_path):
    drawn = tmp_path / f"{kind}.png"
    draw(kind, drawn)
    assert compare_images(str(STORED / f"{kind}.png"), str(drawn), tol=TOLERANCE) is None


@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_of_other_scores_differs(kind, tmp_path):
    drawn = tmp_path / f"{kind}.png"
    draw(kind, drawn, shift=-0.1)
    assert compare_images(str(STORED / f"{kind}.png"), str(drawn), tol=TOLERANCE) is not None


if __name__ == "__main__":
    STORED.mkdir(parents=True, exist_ok=True)
    for kind in KINDS:
        draw(kind, STORED / f"{kind}.png")
