"""Names a stranger guesses right: words that were replaced stay away, and public names are grouped by question."""

from __future__ import annotations

import inspect
import re
import subprocess
from pathlib import Path

import pytest

from skcompare import inference

ROOT = Path(__file__).parents[1]
SUFFIXES = {".py", ".pyi", ".md", ".js", ".css", ".html", ".toml", ".json"}
# The changelog says what names were before; the comparison of public numbers reads files of versions that had them.
EXEMPT = {"tests/test_words.py", "CHANGELOG.md", "benchmarks/public_numbers/numbers.py"}
# What stands where -> the word to use.
REPLACED = {
    r"\b(told|tells?|telling) (\w+ ){0,3}apart\b|told_apart": "(not) significantly different",
    r"(?i)winner_optimism|\boptimis(m|tic)|\bflatter": "selection bias",
    r"(?i)fairer score|too good by": "bias-corrected score, selection bias",
    r"\bn_data_sets\b|(?<![\w])_?data_sets?\b|DATA_SET": "n_datasets, dataset; two words in prose",
    r"Contestant|Entrant": "EstimatorSpec",
    r"(?i)\bgentle|_gentle": "leaves_input_unchanged",
    r"\b_?is_known\b|\b_?known_estimator": "from_sklearn",
    r"\bRace\b|(?i:referee)|\b_race\b": "SequentialMonitor",
    r"\b_?first_look\b|\bAsked\b": "prepare_simulation, SimulationSpec",
    r"(?i)\bdoubts\b|_doubt|doubts?_|\ba doubt\b|\bdoubt\b *(=|\.\w|\[| in )": "warnings",
    r"\b_saved_": "the folder saving/",
    r"\brow: Procedure\b": "procedure",
}


def tracked():
    """Text files of the repository."""
    done = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip("not a git checkout")
    paths = (Path(name) for name in done.stdout.splitlines())
    return [path for path in paths if path.suffix in SUFFIXES and path.as_posix() not in EXEMPT]


@pytest.mark.parametrize("pattern", REPLACED)
def test_words_that_were_replaced_stay_away(pattern):
    search = re.compile(pattern)
    found = [
        f"{path}:{number}: {line.strip():.100}"
        for path in tracked()
        if (ROOT / path).is_file()
        for number, line in enumerate((ROOT / path).read_text(encoding="utf-8").splitlines(), 1)
        if search.search(line)
    ]
    assert found == [], f"say {REPLACED[pattern]}"


def test_every_name_of_inference_stands_under_one_question():
    parts = re.split(r"(?m)^(.+)\n-{3,}\n", inspect.getdoc(inference))[1:]
    names = [name for group in parts[1::2] for name in group.replace(",", " ").split()]
    assert sorted(names) == sorted(inference.__all__)
    assert len(parts) // 2 == 10
    assert all(heading.endswith("?") for heading in parts[::2])
