"""Names a stranger guesses right: words that were replaced stay away, and public names are grouped by question."""

from __future__ import annotations

import inspect
import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

from skcompare import inference
from skcompare._core.numbers import agreeing, briefly, counted, decimals_of_difference, listed

ROOT = Path(__file__).parents[2]
SUFFIXES = {".py", ".pyi", ".md", ".js", ".css", ".html", ".toml", ".json"}
# The changelog says what names were before, the reader knows what others call things.
EXEMPT = {"tests/core/test_words.py", "CHANGELOG.md", "skcompare/tables/words.toml"}
# What stands where -> the word to use. A pattern is found quickly if it begins with letters in their own case.
REPLACED = {
    r"(told|tells?|telling) (\w+ ){0,3}apart\b|told_apart": "(not) significantly different",
    r"(?i)winner_optimism|optimis(m|tic)|flatter": "selection bias",
    r"(?i)fairer score|too good by": "bias-corrected score, selection bias",
    r"\bn_data_sets\b|(?<![\w])_?data_sets?\b|DATA_SET": "n_datasets, dataset; two words in prose",
    r"Contestant|Entrant": "EstimatorSpec",
    r"(?i)gentle": "leaves_input_unchanged",
    r"\b_?is_known\b|\b_?known_estimator": "from_sklearn",
    r"Race\b": "SequentialMonitor",
    r"(?i)referee|\b_race\b": "SequentialMonitor",
    r"\b_?first_look\b": "prepare_simulation",
    r"(?i)doubts\b|_doubt|doubts?_|a doubt\b|doubt *(=|\.\w|\[| in )": "warnings",
    r"\b_saved_": "the folder saving/",
    r"row: Procedure\b": "procedure",
    r"(data set|case|sample|split|repeat|difference|comparison|value|dimension|row|metric|time|pair|resample)\(s\)": (
        "counted(n, what): the plural where there are several"
    ),
}


@cache
def tracked():
    """The text files of the repository, and what they hold; also in small letters."""
    done = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip("not a git checkout")
    paths = (Path(name) for name in done.stdout.splitlines())
    ours = [path for path in paths if path.suffix in SUFFIXES and path.as_posix() not in EXEMPT]
    texts = {path: (ROOT / path).read_text(encoding="utf-8") for path in ours if (ROOT / path).is_file()}
    return texts, {path: text.lower() for path, text in texts.items()}


@pytest.mark.parametrize("pattern", REPLACED)
def test_words_that_were_replaced_stay_away(pattern):
    small = pattern.startswith("(?i)")
    search = re.compile(pattern.removeprefix("(?i)"))
    found = [
        f"{path}:{number}: {line.strip():.100}"
        for path, text in tracked()[small].items()
        if search.search(text)
        for number, line in enumerate(text.splitlines(), 1)
        if search.search(line)
    ]
    assert found == [], f"say {REPLACED[pattern]}"


def test_every_name_of_inference_stands_under_one_question():
    parts = re.split(r"(?m)^(.+)\n-{3,}\n", inspect.getdoc(inference))[1:]
    names = [name for group in parts[1::2] for name in group.replace(",", " ").split()]
    assert sorted(names) == sorted(inference.__all__)
    assert len(parts) // 2 == 10
    assert all(heading.endswith("?") for heading in parts[::2])


@pytest.mark.parametrize(("n", "said"), [(0, "0 splits"), (1, "1 split"), ("1", "1 split"), ("1.5", "1.5 splits")])
def test_words_agree_with_their_number(n, said):
    assert counted(n, "split") == said
    assert agreeing(n, "is", "are") == ("is" if said == "1 split" else "are")


def test_what_rounding_leaves_does_not_decide_how_many_digits_are_shown():
    assert decimals_of_difference(1.7e-17, 0.9083, 0.9083) == 4
    assert decimals_of_difference(1.7e-5, 0.9083, 0.9083) == 7
    assert decimals_of_difference(1.7e-17, 0.0, 0.0) == 9


def test_names_are_listed():
    assert [listed("abc"[:n]) for n in range(4)] == ["none", "a", "a and b", "a, b and c"]
    assert [listed(["a, 1", *"bcd"][:n]) for n in (1, 2, 3)] == ["a, 1", "a, 1; and b", "a, 1; b; and c"]
    assert [listed(["a", "b, 1"], n) for n in (1, 2)] == ["a and 1 more", "a; and b, 1"]
    assert briefly("abcdef") == "a, b, c, d, e and f"
    assert briefly("abcdefgh") == "a, b, c, d, e, f and 2 more"
