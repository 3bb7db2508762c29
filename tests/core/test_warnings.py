"""Warnings are values: a code of one table, a sentence, and what it is about."""

from __future__ import annotations

import copy
import json
import pickle
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from skcompare import inference
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference import paired_t_test
from skcompare.reporting.summary.warnings import first_of_each_kind

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "warnings.md"
WARNING = Code.TOO_LITTLE_DATA("one case is not enough.", ("a", "f1"))
LOCATED = WARNING.at("f1 of a (old) and b")
HEAD = """# Warnings

Every record has `warnings`, a tuple of text. Each is `CODE: sentence`, and says in the sentence what is to be doubted
and why. Where it was found in a part of a larger result the part stands in brackets behind the code. A warning has the
attributes `code`, `sentence` and `about`, the names of the models and metrics that it is about.

| code | meaning |
| --- | --- |
"""


def page() -> str:
    return HEAD + "".join(f"| `{code.name}` | {code.value} |\n" for code in sorted(Code, key=lambda code: code.name))


def test_the_page_shows_the_table():
    assert PAGE.read_text(encoding="utf-8") == page()


def test_every_code_of_the_table_is_used():
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "skcompare").rglob("*.py")]
    used = set(re.findall(r"\bCode\.([A-Z_]+)\(", "\n".join(sources)))
    assert used == set(Code.__members__)
    assert not [text for text in sources if re.search(r'f?"[A-Z_]{3,}: [a-z]', text) and "InputError" not in text]


@pytest.mark.parametrize("code", Code, ids=lambda code: code.name)
def test_a_meaning_is_one_sentence(code):
    assert re.fullmatch(r"[A-Z][^.]*\.", code.value), code.value


@pytest.mark.parametrize("warning", [WARNING, LOCATED], ids=["whole", "part"])
def test_a_warning_is_a_text(warning):
    text = str(warning)
    assert type(text) is str
    assert (warning, hash(warning), json.dumps(warning)) == (text, hash(text), json.dumps(text))
    for same in (pickle.loads(pickle.dumps(warning)), copy.copy(warning), copy.deepcopy(warning)):
        assert (same, same.code, same.sentence, same.about) == (text, "TOO_LITTLE_DATA", warning.sentence, ("a", "f1"))
    read = CodedWarning.from_text(text)
    assert (read, read.code, read.sentence, read.where) == (text, warning.code, warning.sentence, warning.where)


def test_a_place_stands_behind_the_code():
    assert str(WARNING) == "TOO_LITTLE_DATA: one case is not enough."
    assert str(LOCATED) == "TOO_LITTLE_DATA (f1 of a (old) and b): one case is not enough."
    assert LOCATED.at("") == WARNING


def test_unknown_codes_and_other_texts_are_refused():
    for text in ("NO_SUCH_CODE: it is not there.", "just a sentence", "too_few: small letters.", ""):
        with pytest.raises(ValueError, match="must be"):
            CodedWarning.from_text(text)
    with pytest.raises(AttributeError, match="frozen"):
        WARNING.code = "APPROXIMATE"


def test_records_have_warnings_as_values():
    (liberal, equal) = paired_t_test(np.ones(5), np.ones(5)).warnings
    assert (liberal.code, equal.code) == ("INDEPENDENCE", "NO_DIFFERENCE")
    vectors = inference.max_t_test(np.ones((5, 2)), np.ones((5, 2)), test_fraction=0.1, metrics=["f1", "recall"])
    assert vectors.warnings[0].about == ("f1", "recall")


def test_a_code_that_begins_like_another_is_not_left_out():
    of_metric = [Code.WEAK_METRIC(f"metric {i} has a zero denominator.") for i in range(4)]
    undefined = Code.MISSING_SCORES("some scores are not finite.")
    assert first_of_each_kind([*of_metric, undefined]) == [*of_metric, undefined]
    assert first_of_each_kind([*of_metric, of_metric[0].at("d5")])[-1].startswith("WEAK_METRIC: 1 more like this")


if __name__ == "__main__":
    sys.stdout.write(f"{PAGE}: {PAGE.write_text(page(), encoding='utf-8')} characters\n")
