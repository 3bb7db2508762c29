"""What the suite holds of itself: a seed stands behind every random number."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
# Without an argument these draw a seed that nobody sees; the fixtures `rng` and `global_random_seed` tell theirs.
UNSEEDED = {"default_rng", "RandomState", "SeedSequence", "Random"}


def calls(path):
    return [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]


@pytest.mark.parametrize("path", sorted(FOLDER.rglob("*.py")), ids=lambda path: str(path.relative_to(FOLDER)))
def test_no_random_numbers_without_a_seed(path):
    bare = [call for call in calls(path) if not call.args and not call.keywords]
    lines = [call.lineno for call in bare if ast.unparse(call.func).split(".")[-1] in UNSEEDED]
    assert len(lines) == (path == FOLDER / "conftest.py"), lines  # it draws the seed
