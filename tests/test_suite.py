"""What the suite holds of itself: a seed stands behind every random number, and a refusal is written down once."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
FILES = pytest.mark.parametrize("path", sorted(FOLDER.rglob("*.py")), ids=lambda path: str(path.relative_to(FOLDER)))
# Without an argument these draw a seed that nobody sees; the fixtures `rng` and `global_random_seed` tell theirs.
UNSEEDED = {"default_rng", "RandomState", "SeedSequence", "Random"}


@cache
def nodes(path, kind):
    return [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, kind)]


@FILES
def test_no_random_numbers_without_a_seed(path):
    bare = [call for call in nodes(path, ast.Call) if not call.args and not call.keywords]
    lines = [call.lineno for call in bare if ast.unparse(call.func).split(".")[-1] in UNSEEDED]
    assert len(lines) == (path == FOLDER / "conftest.py"), lines  # it draws the seed


REFUSED = FOLDER / "test_refused_input.py"


@cache
def refusals():
    rows = [call for call in nodes(REFUSED, ast.Call) if ast.unparse(call.func) == "Row"]
    return {row.args[-1].value for row in rows if isinstance(row.args[-1], ast.Constant)}


@FILES
def test_the_words_of_a_refusal_stand_in_their_table_alone(path):
    """Other tests name the argument, so that a message changes in one place, from which the page is made."""
    texts = [node for node in nodes(path, ast.Constant) if isinstance(node.value, str) and len(node.value) > 25]
    repeated = [node.lineno for node in texts if re.sub(r"\\(.)", r"\1", node.value).strip("^$") in refusals()]
    assert len(refusals()) > 400
    assert path == REFUSED or not repeated, repeated
